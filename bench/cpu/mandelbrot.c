// Escape times of the Mandelbrot set.
#include "mandelbrot.h"
#include "bench.h"

REFERENCE void mandelbrot(int32_t *restrict r, int64_t n, int32_t limit)
{
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++) {
			double cx = -2 + 3 * (double)j / (double)n, cy = -1.5 + 3 * (double)i / (double)n;
			double x = 0, y = 0, xx = 0, yy = 0;
			int32_t k = 0;
			for (; k < limit && xx + yy <= 4; k++) {
				y = 2 * x * y + cy;
				x = xx - yy + cx;
				xx = x * x;
				yy = y * y;
			}
			r[i * n + j] = k;
		}
}

// Points on the edge may escape a step sooner or later where products and sums are contracted.
static int64_t different(const int32_t *a, const int32_t *b, int64_t n)
{
	int64_t d = 0;
	for (int64_t i = 0; i < n; i++)
		d += a[i] != b[i];
	return d;
}

int main(void)
{
	enum { N = 400, LIMIT = 256 };
	SETUP;
	ROOM(int32_t, c, N * N);
	ROOM(int32_t, r, N * N);
	RUN_ARRAY("mandelbrot", i32_2d, r, futhark_entry_main(ctx, &out, N, LIMIT), mandelbrot(c, N, LIMIT),
	          if (different(c, r, N * N) > N * N / 1000) { puts("results differ"); wrong = 1; });
	FINISH;
}
