// Products of square matrices; C copies a strip of b so that it lies in a row, and keeps a tile of
// the result in registers.
#include "matmul.h"
#include "bench.h"

#define MATMUL(name, T, WIDTH) \
REFERENCE void name(T *restrict c, const T *restrict a, const T *restrict b, T *restrict strip, \
                    int64_t n) \
{ \
	for (int64_t j0 = 0; j0 < n; j0 += WIDTH) { \
		for (int64_t k = 0; k < n; k++) \
			memcpy(strip + k * WIDTH, b + k * n + j0, WIDTH * sizeof *b); \
		for (int64_t i0 = 0; i0 < n; i0 += 4) { \
			T s[4][WIDTH] = {{0}}; \
			for (int64_t k = 0; k < n; k++) \
				for (int i = 0; i < 4; i++) \
					for (int j = 0; j < WIDTH; j++) \
						s[i][j] += a[(i0 + i) * n + k] * strip[k * WIDTH + j]; \
			for (int i = 0; i < 4; i++) \
				for (int j = 0; j < WIDTH; j++) \
					c[(i0 + i) * n + j0 + j] = s[i][j]; \
		} \
	} \
}
MATMUL(matmul_f32, float, 16)
MATMUL(matmul_f64, double, 8)

int main(void)
{
	enum { TOP = 1024 };
	SETUP;
	MAKE(double, a, TOP * TOP, uniform(-1, 1));
	MAKE(double, b, TOP * TOP, uniform(-1, 1));
	MAKE(float, a32, TOP * TOP, a[make_i]);
	MAKE(float, b32, TOP * TOP, b[make_i]);
	ROOM(double, strip, TOP * 8);
	ROOM(float, strip32, TOP * 16);
	ROOM(double, c, TOP * TOP);
	ROOM(double, r, TOP * TOP);
	ROOM(float, c32, TOP * TOP);
	ROOM(float, r32, TOP * TOP);
	for (int64_t n = 512; n <= TOP; n *= 2) {
		ARRAY(f64_2d, fa, a, n, n);
		ARRAY(f64_2d, fb, b, n, n);
		ARRAY(f32_2d, fa32, a32, n, n);
		ARRAY(f32_2d, fb32, b32, n, n);
		RUN_ARRAY(n == 512 ? "matmul-512-f32" : "matmul-1024-f32", f32_2d, r32,
		          futhark_entry_mul_f32(ctx, &out, fa32, fb32),
		          matmul_f32(c32, a32, b32, strip32, n), SAME(c32, r32, n * n, 1e-5));
		RUN_ARRAY(n == 512 ? "matmul-512-f64" : "matmul-1024-f64", f64_2d, r,
		          futhark_entry_mul_f64(ctx, &out, fa, fb),
		          matmul_f64(c, a, b, strip, n), SAME(c, r, n * n, 1e-11));
	}
	FINISH;
}
