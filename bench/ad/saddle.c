// A saddle point.  By hand: the inner gradient is a formula; the outer one carries the two
// directions of x along with the inner descent, whose steps do not depend on x.
#include "saddle.h"
#include "ad.h"
#include "descent.h"

static double square(const double x[2]) { return x[0] * x[0] + x[1] * x[1]; }

static double inner(const double *y, const void *x) { return square(y) - square(x); }

static void inner_gradient(double *g, const double *y, const void *x)
{
	(void)x;
	g[0] = 2 * y[0];
	g[1] = 2 * y[1];
}

static void best(double y[2], const double *x)
{
	y[0] = y[1] = 1;
	argmin(y, 2, inner, inner_gradient, x);
}

static double outer(const double *x, const void *env)
{
	double y[2];
	(void)env;
	best(y, x);
	return square(x) - square(y);
}

static void outer_gradient(double *g, const double *x, const void *env)
{
	double y[2];
	(void)env;
	best(y, x);
	g[0] = 2 * x[0];
	g[1] = 2 * x[1];
	// What y would contribute is zero, but y had to be found.
	if (!(square(y) < 1e30))
		g[0] = NAN;
}

REFERENCE void solve(double r[4])
{
	r[0] = r[1] = 1;
	argmin(r, 2, outer, outer_gradient, NULL);
	best(r + 2, r);
}

#define ONE(name) do { \
	struct futhark_f64_1d *out = NULL; \
	CHECK(futhark_entry_##name(ctx, &out, start)); \
	FETCH(f64_1d, out, r); \
	SAME(c, r, 4, 1e-8); \
	DERIVATIVE("saddle " #name, { DROP(f64_1d, out); CHECK(futhark_entry_##name(ctx, &out, start)); }, \
	           solve(c)); \
} while (0)

int main(void)
{
	SETUP;
	double ones[2] = {1, 1}, c[4], r[4], expected[4];
	for (int i = 0; i < 4; i++)
		expected[i] = 8.246324826140356e-06;
	ARRAY(f64_1d, start, ones, 2);
	solve(c);
	SAME(expected, c, 4, 1e-12);
	ONE(ff);
	ONE(fr);
	ONE(rf);
	ONE(rr);
	FINISH;
}
