// The product of a sparse matrix, by rows, and a vector.
#include "spmv.h"
#include "bench.h"

REFERENCE void spmv(double *restrict y, const int64_t *restrict starts, const int64_t *restrict columns,
                    const double *restrict values, const double *restrict x, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		double s = 0;
		for (int64_t j = starts[i]; j < starts[i + 1]; j++)
			s += values[j] * x[columns[j]];
		y[i] = s;
	}
}

int main(void)
{
	enum { N = 200000, PER_ROW = 20 };
	SETUP;
	MAKE(int64_t, starts, N + 1, make_i * PER_ROW);
	MAKE(int64_t, columns, N * PER_ROW, below(N));
	MAKE(double, values, N * PER_ROW, uniform(-1, 1));
	MAKE(double, x, N, uniform(-1, 1));
	ROOM(double, c, N);
	ROOM(double, r, N);
	ARRAY(i64_1d, fstarts, starts, N + 1);
	ARRAY(i64_1d, fcolumns, columns, N * PER_ROW);
	ARRAY(f64_1d, fvalues, values, N * PER_ROW);
	ARRAY(f64_1d, fx, x, N);
	RUN_ARRAY("spmv", f64_1d, r, futhark_entry_main(ctx, &out, N, fstarts, fcolumns, fvalues, fx),
	          spmv(c, starts, columns, values, x, N), SAME(c, r, N, 1e-12));
	FINISH;
}
