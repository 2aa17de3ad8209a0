// European put options priced by a binomial tree; C overwrites the level it goes over.
#include "binomial.h"
#include "bench.h"

static double put(int64_t steps, double spot, double strike, double *restrict level)
{
	double dt = 1 / (double)steps, u = exp(0.3 * sqrt(dt)), discount = exp(-0.02 * dt);
	double p = (1 / discount - 1 / u) / (u - 1 / u), a = discount * p, b = discount * (1 - p);
	for (int64_t i = 0; i <= steps; i++) {
		double v = strike - spot * pow(u, (double)(2 * i - steps));
		level[i] = v > 0 ? v : 0;
	}
	for (int64_t n = steps; n > 0; n--)
		for (int64_t i = 0; i < n; i++)
			level[i] = a * level[i + 1] + b * level[i];
	return level[0];
}

REFERENCE void puts_of(double *restrict r, int64_t steps, const double *spot, const double *strike,
                       int64_t n, double *restrict level)
{
	for (int64_t i = 0; i < n; i++)
		r[i] = put(steps, spot[i], strike[i], level);
}

int main(void)
{
	enum { N = 200, STEPS = 500 };
	SETUP;
	MAKE(double, spot, N, uniform(5, 30));
	MAKE(double, strike, N, uniform(5, 30));
	ROOM(double, level, STEPS + 1);
	ROOM(double, c, N);
	ROOM(double, r, N);
	ARRAY(f64_1d, fspot, spot, N);
	ARRAY(f64_1d, fstrike, strike, N);
	RUN_ARRAY("binomial", f64_1d, r, futhark_entry_main(ctx, &out, STEPS, fspot, fstrike),
	          puts_of(c, STEPS, spot, strike, N, level), SAME(c, r, N, 1e-11));
	FINISH;
}
