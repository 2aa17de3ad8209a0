// A hundred steps of heat spreading over a plate; C treats the first and last column apart.
#include "stencil.h"
#include "bench.h"

static void step(float *restrict b, const float *restrict a, int64_t n, int64_t m)
{
	for (int64_t i = 0; i < n; i++) {
		const float *row = a + i * m, *up = i ? row - m : row, *down = i < n - 1 ? row + m : row;
		float *to = b + i * m;
		to[0] = row[0] + 0.2f * (up[0] + down[0] + row[0] + row[1] - 4 * row[0]);
		for (int64_t j = 1; j < m - 1; j++)
			to[j] = row[j] + 0.2f * (up[j] + down[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
		int64_t e = m - 1;
		to[e] = row[e] + 0.2f * (up[e] + down[e] + row[e - 1] + row[e] - 4 * row[e]);
	}
}

REFERENCE void heat(float *r, float *other, const float *a, int steps, int64_t n, int64_t m)
{
	memcpy(r, a, (size_t)(n * m) * sizeof *r);
	for (int s = 0; s < steps; s += 2) {
		step(other, r, n, m);
		step(r, other, n, m);
	}
}

int main(void)
{
	enum { N = 600, M = 500, STEPS = 100 };
	SETUP;
	MAKE(float, a, N * M, uniform(0, 1));
	ROOM(float, other, N * M);
	ROOM(float, c, N * M);
	ROOM(float, r, N * M);
	ARRAY(f32_2d, fa, a, N, M);
	RUN_ARRAY("stencil", f32_2d, r, futhark_entry_main(ctx, &out, STEPS, fa),
	          heat(c, other, a, STEPS, N, M), SAME(c, r, N * M, 1e-5));
	FINISH;
}
