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

typedef int Entry(struct futhark_context *, struct futhark_f64_1d **, const struct futhark_f64_1d *);

static int one(struct futhark_context *ctx, const char *modes, Entry *entry)
{
	ROW(1, "saddle %s", modes);
	double ones[2] = {1, 1}, c[4], r[4], expected[4];
	for (int i = 0; i < 4; i++)
		expected[i] = 8.246324826140356e-06;
	ARRAY(f64_1d, start, ones, 2);
	struct futhark_f64_1d *out = NULL;
	solve(c);
	SAME(expected, c, 4, 1e-12);
	CHECK(entry(ctx, &out, start));
	FETCH(f64_1d, out, r);
	SAME(c, r, 4, 1e-8);
	DUMP("modes", "|u1", modes, 2);
	DUMP("start", "<f8", ones, 2);
	DUMP("gradient", "<f8", c, 4);
	DERIVATIVE({ DROP(f64_1d, out); CHECK(entry(ctx, &out, start)); }, solve(c));
	return 0;
}

int main(void)
{
	SETUP;
	if (one(ctx, "ff", futhark_entry_ff) || one(ctx, "fr", futhark_entry_fr) ||
	    one(ctx, "rf", futhark_entry_rf) || one(ctx, "rr", futhark_entry_rr))
		return 1;
	FINISH;
}
