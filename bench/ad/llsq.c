// Linear least squares.  The hand-written gradient keeps the powers of a point.
#include "llsq.h"
#include "ad.h"

enum { M = 128 };

REFERENCE double primal(const double *restrict x, int64_t m, int64_t n)
{
	double total = 0;
	for (int64_t i = 0; i < n; i++) {
		double t = -1 + 2 * (double)i / (double)(n - 1);
		double power = 1, s = 0;
		for (int64_t j = 0; j < m; j++) {
			s += x[j] * power;
			power *= t;
		}
		double d = (double)((t > 0) - (t < 0)) - s;
		total += d * d;
	}
	return total / 2;
}

REFERENCE void gradient(double *restrict g, const double *restrict x, int64_t m, int64_t n)
{
	double powers[M];
	memset(g, 0, (size_t)m * sizeof *g);
	for (int64_t i = 0; i < n; i++) {
		double t = -1 + 2 * (double)i / (double)(n - 1);
		double power = 1, s = 0;
		for (int64_t j = 0; j < m; j++) {
			powers[j] = power;
			s += x[j] * power;
			power *= t;
		}
		double d = s - (double)((t > 0) - (t < 0));
		for (int64_t j = 0; j < m; j++)
			g[j] += d * powers[j];
	}
}

static int one(struct futhark_context *ctx, int64_t n)
{
	ROW(n, "llsq %lld", (long long)n);
	MAKE(double, x, M, uniform(0, 1));
	ROOM(double, g, M);
	ROOM(double, r, M);
	ARRAY(f64_1d, fx, x, M);
	double y;
	volatile double c;
	struct futhark_f64_1d *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, fx, n));
	c = primal(x, M, n);
	SAME(&c, &y, 1, 1e-12);
	CHECK(futhark_entry_gradient(ctx, &fg, fx, n));
	FETCH(f64_1d, fg, r);
	gradient(g, x, M, n);
	SAME(g, r, M, 1e-10);
	DUMP("n", "<i8", &n, 1);
	DUMP("x", "<f8", x, M);
	DUMP("primal", "<f8", (const double *)&c, 1);
	DUMP("gradient", "<f8", g, M);
	WORKLOAD(1.4, CHECK(futhark_entry_primal(ctx, &y, fx, n)),
	         { DROP(f64_1d, fg); CHECK(futhark_entry_gradient(ctx, &fg, fx, n)); },
	         c = primal(x, M, n), gradient(g, x, M, n));
	return 0;
}

int main(void)
{
	SETUP;
	if (sizes_some() && (one(ctx, 256) || one(ctx, 2048)))
		return 1;
	if (one(ctx, 16392))
		return 1;
	FINISH;
}
