// The product of a matrix and a vector.
#include "matvec.h"
#include "bench.h"

REFERENCE void matvec(double *restrict y, const double *restrict a, const double *restrict x,
                      int64_t n, int64_t m)
{
	for (int64_t i = 0; i < n; i++) {
		double s[8] = {0};
		for (int64_t j = 0; j < m; j += 8)
			for (int k = 0; k < 8; k++)
				s[k] += a[i * m + j + k] * x[j + k];
		y[i] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
	}
}

int main(void)
{
	enum { N = 3000, M = 2048 };
	SETUP;
	MAKE(double, a, N * M, uniform(-1, 1));
	MAKE(double, x, M, uniform(-1, 1));
	ROOM(double, c, N);
	ROOM(double, r, N);
	ARRAY(f64_2d, fa, a, N, M);
	ARRAY(f64_1d, fx, x, M);
	RUN_ARRAY("matvec", f64_1d, r, futhark_entry_main(ctx, &out, fa, fx), matvec(c, a, x, N, M),
	          SAME(c, r, N, 1e-11));
	FINISH;
}
