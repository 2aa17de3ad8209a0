// The transpose of a matrix; C goes over it in blocks that fit the first cache.
#include "transpose.h"
#include "bench.h"

REFERENCE void flip(float *restrict r, const float *restrict a, int64_t n, int64_t m)
{
	for (int64_t i = 0; i < n; i += 16)
		for (int64_t j = 0; j < m; j += 16)
			for (int64_t y = j; y < j + 16 && y < m; y++)
				for (int64_t x = i; x < i + 16 && x < n; x++)
					r[y * n + x] = a[x * m + y];
}

int main(void)
{
	enum { N = 2000, M = 3000 };
	SETUP;
	MAKE(float, a, N * M, uniform(-1, 1));
	ROOM(float, c, N * M);
	ROOM(float, r, N * M);
	ARRAY(f32_2d, fa, a, N, M);
	RUN_ARRAY("transpose", f32_2d, r, futhark_entry_main(ctx, &out, fa), flip(c, a, N, M),
	          SAME(c, r, N * M, 0));
	FINISH;
}
