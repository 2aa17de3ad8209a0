// The determinant by expansion of minors.  By hand, the derivative takes one walk
// over the minors: each has the product of the elements above it on the way down, and its value on
// the way up.
#include "det.h"
#include "ad.h"

static double minor_of(const double *a, int64_t n, int64_t row, uint64_t used)
{
	if (row == n)
		return 1;
	double d = 0, sign = 1;
	for (int64_t col = 0; col < n; col++) {
		if (used >> col & 1)
			continue;
		d += sign * a[row * n + col] * minor_of(a, n, row + 1, used | UINT64_C(1) << col);
		sign = -sign;
	}
	return d;
}

static double minor_back(double *g, const double *a, int64_t n, int64_t row, uint64_t used, double above)
{
	if (row == n)
		return 1;
	double d = 0, sign = 1;
	for (int64_t col = 0; col < n; col++) {
		if (used >> col & 1)
			continue;
		double x = sign * a[row * n + col];
		double rest = minor_back(g, a, n, row + 1, used | UINT64_C(1) << col, above * x);
		g[row * n + col] += above * sign * rest;
		d += x * rest;
		sign = -sign;
	}
	return d;
}

REFERENCE double primal(const double *a, int64_t n) { return minor_of(a, n, 0, 0); }

REFERENCE void gradient(double *g, const double *a, int64_t n)
{
	memset(g, 0, (size_t)(n * n) * sizeof *g);
	minor_back(g, a, n, 0, 0, 1);
}

static int one(struct futhark_context *ctx, int64_t n)
{
	double size = 1;
	for (int64_t i = 2; i <= n; i++)
		size *= (double)i;
	ROW(size, "det %lld", (long long)n);
	MAKE(double, a, n * n, uniform(-1, 1));
	ROOM(double, g, n * n);
	ROOM(double, r, n * n);
	ARRAY(f64_2d, fa, a, n, n);
	double y;
	volatile double c;
	struct futhark_f64_2d *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, fa));
	c = primal(a, n);
	SAME(&c, &y, 1, 1e-10);
	CHECK(futhark_entry_gradient(ctx, &fg, fa));
	FETCH(f64_2d, fg, r);
	gradient(g, a, n);
	SAME(g, r, n * n, 1e-10);
	DUMP("a", "<f8", a, n, n);
	DUMP("primal", "<f8", (const double *)&c, 1);
	DUMP("gradient", "<f8", g, n, n);
	WORKLOAD(2.7, CHECK(futhark_entry_primal(ctx, &y, fa)),
	         { DROP(f64_2d, fg); CHECK(futhark_entry_gradient(ctx, &fg, fa)); },
	         c = primal(a, n), gradient(g, a, n));
	return 0;
}

int main(void)
{
	SETUP;
	if (sizes_some() ? one(ctx, 5) || one(ctx, 7) || one(ctx, 9) : one(ctx, 11))
		return 1;
	FINISH;
}
