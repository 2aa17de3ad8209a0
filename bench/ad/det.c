// The determinant by expansion of minors; by hand only the function itself.
#include "det.h"
#include "ad.h"

enum { N = 11, SMALL = 5 };

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

REFERENCE double primal(const double *a, int64_t n) { return minor_of(a, n, 0, 0); }

int main(void)
{
	SETUP;
	MAKE(double, a, N * N, uniform(-1, 1));
	ROOM(double, r, N * N);
	ARRAY(f64_2d, fa, a, N, N);
	ARRAY(f64_2d, small, a, SMALL, SMALL);
	double y;
	volatile double c;
	struct futhark_f64_2d *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, fa));
	c = primal(a, N);
	SAME(&c, &y, 1, 1e-10);
	CHECK(futhark_entry_gradient(ctx, &fg, small));
	FETCH(f64_2d, fg, r);
	for (int64_t i = 0; i < SMALL * SMALL; i++) {
		double old = a[i], h = 1e-5;
		a[i] = old + h;
		double up = primal(a, SMALL);
		a[i] = old - h;
		double down = primal(a, SMALL);
		a[i] = old;
		DIFFERENCE("det", up, down, h, r[i], 1e-8);
	}
	WORKLOAD_IF("det 11", 2.7, 1, CHECK(futhark_entry_primal(ctx, &y, fa)),
	            { DROP(f64_2d, fg); CHECK(futhark_entry_gradient(ctx, &fg, fa)); },
	            1, c = primal(a, N), 0, (void)0);
	FINISH;
}
