// The triangular factors of a matrix; both sides begin with a copy of it.
#include "lud.h"
#include "bench.h"

REFERENCE void lud(double *restrict a, const double *restrict from, int64_t n)
{
	memcpy(a, from, (size_t)(n * n) * sizeof *a);
	for (int64_t k = 0; k < n; k++) {
		double pivot = a[k * n + k];
		for (int64_t i = k + 1; i < n; i++) {
			double f = a[i * n + k] /= pivot;
			for (int64_t j = k + 1; j < n; j++)
				a[i * n + j] -= f * a[k * n + j];
		}
	}
}

int main(void)
{
	enum { N = 400 };
	SETUP;
	MAKE(double, a, N * N, uniform(-1, 1) + (make_i % (N + 1) == 0 ? N : 0));
	ROOM(double, c, N * N);
	ROOM(double, r, N * N);
	ARRAY(f64_2d, fa, a, N, N);
	RUN_ARRAY("lud", f64_2d, r, futhark_entry_main(ctx, &out, fa), lud(c, a, N),
	          SAME(c, r, N * N, 1e-10));
	FINISH;
}
