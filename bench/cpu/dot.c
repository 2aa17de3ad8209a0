// The dot product of two vectors; C keeps eight sums, so that it vectorises.
#include "dot.h"
#include "bench.h"

REFERENCE double dot(const double *restrict x, const double *restrict y, int64_t n)
{
	double s[8] = {0}, r = 0;
	int64_t i = 0;
	for (; i + 8 <= n; i += 8)
		for (int k = 0; k < 8; k++)
			s[k] += x[i + k] * y[i + k];
	for (; i < n; i++)
		r += x[i] * y[i];
	for (int k = 0; k < 8; k++)
		r += s[k];
	return r;
}

int main(void)
{
	enum { N = 4000000 };
	SETUP;
	MAKE(double, x, N, uniform(-1, 1));
	MAKE(double, y, N, uniform(-1, 1));
	ARRAY(f64_1d, fx, x, N);
	ARRAY(f64_1d, fy, y, N);
	double r;
	volatile double c;
	RUN("dot", CHECK(futhark_entry_main(ctx, &r, fx, fy)), c = dot(x, y, N),
	    SAME(&c, &r, 1, 1e-10));
	FINISH;
}
