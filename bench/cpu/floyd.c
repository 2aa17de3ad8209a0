// The lengths of all shortest paths; C updates the matrix in place, with a
// copy of the row that all others are compared with.
#include "floyd.h"
#include "bench.h"

REFERENCE void floyd(float *restrict d, const float *restrict from, float *restrict row, int64_t n)
{
	memcpy(d, from, (size_t)(n * n) * sizeof *d);
	for (int64_t k = 0; k < n; k++) {
		memcpy(row, d + k * n, (size_t)n * sizeof *d);
		for (int64_t i = 0; i < n; i++) {
			float ik = d[i * n + k];
			for (int64_t j = 0; j < n; j++)
				d[i * n + j] = fminf(d[i * n + j], ik + row[j]);
		}
	}
}

int main(void)
{
	enum { N = 400 };
	SETUP;
	MAKE(float, d, N * N, make_i % (N + 1) == 0 ? 0 : uniform(1, 100));
	ROOM(float, row, N);
	ROOM(float, c, N * N);
	ROOM(float, r, N * N);
	ARRAY(f32_2d, fd, d, N, N);
	RUN_ARRAY("floyd-warshall", f32_2d, r, futhark_entry_main(ctx, &out, fd), floyd(c, d, row, N),
	          SAME(c, r, N * N, 1e-5));
	FINISH;
}
