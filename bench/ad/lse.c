// The logarithm of a sum of exponentials.
#include "lse.h"
#include "ad.h"

REFERENCE double primal(const double *restrict x, int64_t n)
{
	double top = -INFINITY, s = 0;
	for (int64_t i = 0; i < n; i++)
		top = x[i] > top ? x[i] : top;
	for (int64_t i = 0; i < n; i++)
		s += exp(x[i] - top);
	return top + log(s);
}

REFERENCE void gradient(double *restrict g, const double *restrict x, int64_t n)
{
	double top = -INFINITY, s = 0;
	for (int64_t i = 0; i < n; i++)
		top = x[i] > top ? x[i] : top;
	for (int64_t i = 0; i < n; i++) {
		g[i] = exp(x[i] - top);
		s += g[i];
	}
	double k = 1 / s;
	for (int64_t i = 0; i < n; i++)
		g[i] *= k;
}

static int one(struct futhark_context *ctx, int64_t n)
{
	ROW(n, "lse %lld", (long long)n);
	MAKE(double, x, n, uniform(0, 1));
	ROOM(double, g, n);
	ROOM(double, r, n);
	ARRAY(f64_1d, fx, x, n);
	double y;
	volatile double c;
	struct futhark_f64_1d *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, fx));
	c = primal(x, n);
	SAME(&c, &y, 1, 1e-12);
	CHECK(futhark_entry_gradient(ctx, &fg, fx));
	FETCH(f64_1d, fg, r);
	gradient(g, x, n);
	SAME(g, r, n, 1e-14);
	DUMP("x", "<f8", x, n);
	DUMP("primal", "<f8", (const double *)&c, 1);
	DUMP("gradient", "<f8", g, n);
	WORKLOAD(1.6, CHECK(futhark_entry_primal(ctx, &y, fx)),
	         { DROP(f64_1d, fg); CHECK(futhark_entry_gradient(ctx, &fg, fx)); },
	         c = primal(x, n), gradient(g, x, n));
	return 0;
}

int main(void)
{
	SETUP;
	if (sizes_some() && (one(ctx, 2500) || one(ctx, 40000) || one(ctx, 320000)))
		return 1;
	if (one(ctx, 1280000))
		return 1;
	FINISH;
}
