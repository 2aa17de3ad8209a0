// The prices of European call options.
#include "blackscholes.h"
#include "bench.h"

static double cdf(double d)
{
	double k = 1 / (1 + 0.2316419 * fabs(d));
	double p = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937
	         + k * (-1.821255978 + k * 1.330274429))));
	double q = 0.39894228040143268 * exp(-0.5 * d * d) * p;
	return d > 0 ? 1 - q : q;
}

REFERENCE void calls(double *restrict c, double r, double v, const double *restrict s,
                     const double *restrict x, const double *restrict t, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		double w = v * sqrt(t[i]), d1 = (log(s[i] / x[i]) + (r + v * v / 2) * t[i]) / w;
		c[i] = s[i] * cdf(d1) - x[i] * exp(-r * t[i]) * cdf(d1 - w);
	}
}

int main(void)
{
	enum { N = 300000 };
	SETUP;
	MAKE(double, s, N, uniform(5, 30));
	MAKE(double, x, N, uniform(1, 100));
	MAKE(double, t, N, uniform(0.25, 10));
	ROOM(double, c, N);
	ROOM(double, r, N);
	ARRAY(f64_1d, fs, s, N);
	ARRAY(f64_1d, fx, x, N);
	ARRAY(f64_1d, ft, t, N);
	RUN_ARRAY("blackscholes", f64_1d, r, futhark_entry_main(ctx, &out, fs, fx, ft),
	          calls(c, 0.02, 0.3, s, x, t, N), SAME(c, r, N, 1e-12));
	FINISH;
}
