// The logarithm of a sum of exponentials.
#include "lse.h"
#include "ad.h"

enum { N = 1280000 };

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

int main(void)
{
	SETUP;
	MAKE(double, x, N, uniform(0, 1));
	ROOM(double, g, N);
	ROOM(double, r, N);
	ARRAY(f64_1d, fx, x, N);
	double y;
	volatile double c;
	struct futhark_f64_1d *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, fx));
	c = primal(x, N);
	SAME(&c, &y, 1, 1e-12);
	CHECK(futhark_entry_gradient(ctx, &fg, fx));
	FETCH(f64_1d, fg, r);
	gradient(g, x, N);
	SAME(g, r, N, 1e-14);
	WORKLOAD("lse", 1.6, CHECK(futhark_entry_primal(ctx, &y, fx)),
	         { DROP(f64_1d, fg); CHECK(futhark_entry_gradient(ctx, &fg, fx)); },
	         c = primal(x, N), gradient(g, x, N));
	FINISH;
}
