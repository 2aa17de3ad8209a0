// Many products of matrices of 3 by 3.
#include "small3x3.h"
#include "bench.h"

REFERENCE void products(double *restrict r, const double *restrict a, const double *restrict b, int64_t n)
{
	for (int64_t i = 0; i < n * 9; i += 9)
		for (int y = 0; y < 9; y += 3)
			for (int x = 0; x < 3; x++)
				r[i + y + x] = a[i + y] * b[i + x] + a[i + y + 1] * b[i + 3 + x]
				             + a[i + y + 2] * b[i + 6 + x];
}

int main(void)
{
	enum { N = 300000 };
	SETUP;
	MAKE(double, a, N * 9, uniform(-1, 1));
	MAKE(double, b, N * 9, uniform(-1, 1));
	ROOM(double, c, N * 9);
	ROOM(double, r, N * 9);
	ARRAY(f64_3d, fa, a, N, 3, 3);
	ARRAY(f64_3d, fb, b, N, 3, 3);
	RUN_ARRAY("small-3x3", f64_3d, r, futhark_entry_main(ctx, &out, fa, fb), products(c, a, b, N),
	          SAME(c, r, N * 9, 1e-12));
	FINISH;
}
