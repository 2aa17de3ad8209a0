// The logarithm of the sum of exponentials of each row.
#include "logsumexp.h"
#include "bench.h"

REFERENCE void logsumexp(double *restrict r, const double *restrict a, int64_t n, int64_t m)
{
	for (int64_t i = 0; i < n; i++) {
		const double *x = a + i * m;
		double top = -INFINITY, s = 0;
		for (int64_t j = 0; j < m; j++)
			top = fmax(top, x[j]);
		for (int64_t j = 0; j < m; j++)
			s += exp(x[j] - top);
		r[i] = top + log(s);
	}
}

int main(void)
{
	enum { N = 1000, M = 1000 };
	SETUP;
	MAKE(double, a, N * M, uniform(-10, 10));
	ROOM(double, c, N);
	ROOM(double, r, N);
	ARRAY(f64_2d, fa, a, N, M);
	RUN_ARRAY("logsumexp", f64_1d, r, futhark_entry_main(ctx, &out, fa), logsumexp(c, a, N, M),
	          SAME(c, r, N, 1e-12));
	FINISH;
}
