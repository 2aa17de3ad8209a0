// The sums of the rows and of the columns of a matrix; C adds whole rows for the columns.
#include "rowcol.h"
#include "bench.h"

REFERENCE void row_sums(double *restrict r, const double *restrict a, int64_t n, int64_t m)
{
	for (int64_t i = 0; i < n; i++) {
		double s[8] = {0};
		for (int64_t j = 0; j < m; j += 8)
			for (int k = 0; k < 8; k++)
				s[k] += a[i * m + j + k];
		r[i] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
	}
}

REFERENCE void column_sums(double *restrict r, const double *restrict a, int64_t n, int64_t m)
{
	memset(r, 0, (size_t)m * sizeof *r);
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < m; j++)
			r[j] += a[i * m + j];
}

int main(void)
{
	enum { N = 2000, M = 2048 };
	SETUP;
	MAKE(double, a, N * M, uniform(-1, 1));
	ROOM(double, c, M);
	ROOM(double, r, M);
	ARRAY(f64_2d, fa, a, N, M);
	RUN_ARRAY("row-sums", f64_1d, r, futhark_entry_rows(ctx, &out, fa), row_sums(c, a, N, M),
	          SAME(c, r, N, 1e-11));
	RUN_ARRAY("column-sums", f64_1d, r, futhark_entry_cols(ctx, &out, fa), column_sums(c, a, N, M),
	          SAME(c, r, M, 1e-11));
	FINISH;
}
