// A chain of equations by Runge-Kutta.  The hand-written gradient keeps y at each step and
// recomputes the stages.  At the size that is timed the gradient is so small that it vanishes;
// it is compared at a smaller one.
#include "ode.h"
#include "ad.h"

enum { SMALL_N = 8, SMALL_S = 400 };

typedef struct { double *k1, *k2, *k3, *k4, *a, *b, *c; } Stages;

static Stages new_stages(int64_t n)
{
	double *p = malloc((size_t)n * 7 * sizeof *p);
	return (Stages){p, p + n, p + 2 * n, p + 3 * n, p + 4 * n, p + 5 * n, p + 6 * n};
}

static void rhs(double *restrict k, const double *restrict x, const double *restrict y, int64_t n)
{
	k[0] = x[0];
	for (int64_t i = 1; i < n; i++)
		k[i] = x[i] * y[i - 1];
}

static void along(double *restrict r, const double *restrict y, double h, const double *restrict k,
                  int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		r[i] = y[i] + h * k[i];
}

static void stages(Stages s, const double *restrict x, const double *restrict y, double h, int64_t n)
{
	rhs(s.k1, x, y, n);
	along(s.a, y, h / 2, s.k1, n);
	rhs(s.k2, x, s.a, n);
	along(s.b, y, h / 2, s.k2, n);
	rhs(s.k3, x, s.b, n);
	along(s.c, y, h, s.k3, n);
	rhs(s.k4, x, s.c, n);
}

REFERENCE void primal(double *restrict y, const double *restrict x, int64_t n, int64_t steps, Stages s)
{
	double h = 2 / (double)steps;
	memset(y, 0, (size_t)n * sizeof *y);
	for (int64_t t = 0; t < steps; t++) {
		stages(s, x, y, h, n);
		for (int64_t i = 0; i < n; i++)
			y[i] += h / 6 * (s.k1[i] + 2 * s.k2[i] + 2 * s.k3[i] + s.k4[i]);
	}
}

// The adjoints of x and y for the adjoint g of rhs x y.
static void rhs_back(double *restrict xb, double *restrict yb, const double *restrict x,
                     const double *restrict y, const double *restrict g, int64_t n)
{
	xb[0] += g[0];
	for (int64_t i = 1; i < n; i++) {
		xb[i] += g[i] * y[i - 1];
		yb[i - 1] = g[i] * x[i];
	}
	yb[n - 1] = 0;
}

REFERENCE void gradient(double *restrict xb, const double *restrict x, int64_t n, int64_t steps,
                        Stages s, double *restrict log, double *restrict yb, double *restrict ab,
                        double *restrict kb)
{
	double h = 2 / (double)steps;
	memset(log, 0, (size_t)n * sizeof *log);
	for (int64_t t = 0; t < steps; t++) {
		const double *y = log + t * n;
		stages(s, x, y, h, n);
		for (int64_t i = 0; i < n; i++)
			log[(t + 1) * n + i] =
				y[i] + h / 6 * (s.k1[i] + 2 * s.k2[i] + 2 * s.k3[i] + s.k4[i]);
	}
	memset(xb, 0, (size_t)n * sizeof *xb);
	memset(yb, 0, (size_t)n * sizeof *yb);
	yb[n - 1] = 1;
	for (int64_t t = steps - 1; t >= 0; t--) {
		const double *y = log + t * n;
		const double *at[4] = {y, s.a, s.b, s.c};
		double *sum = s.k4;
		stages(s, x, y, h, n);
		for (int64_t i = 0; i < n; i++) {
			sum[i] = yb[i];
			kb[i] = h / 6 * yb[i];
		}
		for (int k = 3; k >= 0; k--) {
			double weight = k == 1 || k == 2 ? h / 3 : h / 6;
			if (k < 3)
				for (int64_t i = 0; i < n; i++)
					kb[i] = weight * yb[i] + (k == 2 ? h : h / 2) * ab[i];
			rhs_back(xb, ab, x, at[k], kb, n);
			for (int64_t i = 0; i < n; i++)
				sum[i] += ab[i];
		}
		memcpy(yb, sum, (size_t)n * sizeof *yb);
	}
}

static int one(struct futhark_context *ctx, int64_t n, int64_t s)
{
	ROW(n * s, "ode %lld %lld", (long long)n, (long long)s);
	MAKE(double, x, n, uniform(0, 1));
	ROOM(double, y, n);
	ROOM(double, r, n);
	ROOM(double, xb, n);
	ROOM(double, yb, n);
	ROOM(double, ab, n);
	ROOM(double, kb, n);
	ROOM(double, log, n * (s + 1));
	Stages st = new_stages(n);
	ARRAY(f64_1d, fx, x, n);
	ARRAY(f64_1d, small, x, SMALL_N);
	struct futhark_f64_1d *fy = NULL, *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &fy, fx, s));
	FETCH(f64_1d, fy, r);
	primal(y, x, n, s, st);
	SAME(y, r, n, 1e-12);
	if (!getenv("BENCH_ONCE")) {
		// The last of many underflows: the derivative is also compared where it does not.
		CHECK(futhark_entry_gradient(ctx, &fg, small, SMALL_S));
		FETCH(f64_1d, fg, r);
		gradient(xb, x, SMALL_N, SMALL_S, st, log, yb, ab, kb);
		SAME(xb, r, SMALL_N, 1e-12);
		DROP(f64_1d, fg);
	}
	CHECK(futhark_entry_gradient(ctx, &fg, fx, s));
	FETCH(f64_1d, fg, r);
	gradient(xb, x, n, s, st, log, yb, ab, kb);
	SAME(xb, r, n, 1e-12);
	DUMP("s", "<i8", &s, 1);
	DUMP("x", "<f8", x, n);
	DUMP("primal", "<f8", y, n);
	DUMP("gradient", "<f8", xb, n);
	WORKLOAD(4.5, { DROP(f64_1d, fy); CHECK(futhark_entry_primal(ctx, &fy, fx, s)); },
	         { DROP(f64_1d, fg); CHECK(futhark_entry_gradient(ctx, &fg, fx, s)); },
	         primal(y, x, n, s, st), gradient(xb, x, n, s, st, log, yb, ab, kb));
	return 0;
}

int main(void)
{
	SETUP;
	if (sizes_some() && (one(ctx, 1000, 10) || one(ctx, 1000, 100) || one(ctx, 10000, 100)))
		return 1;
	if (one(ctx, 100000, 100))
		return 1;
	FINISH;
}
