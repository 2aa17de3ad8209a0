// Products of square matrices; C copies a strip of b so that it lies in a row, and keeps a tile of
// the result in registers.  Where there is OpenBLAS (or OPENBLAS names its library), a line tells how much of
// its speed on one thread ours is.
#include <dlfcn.h>

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

// ---- OpenBLAS ----

typedef void Gemm64(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda,
                    const double *b, int ldb, double beta, double *c, int ldc);
typedef void Gemm32(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a, int lda,
                    const float *b, int ldb, float beta, float *c, int ldc);

static void *openblas(void)
{
	const char *name = getenv("OPENBLAS");
	setenv("OPENBLAS_NUM_THREADS", "1", 1);
	void *library = dlopen(name ? name : "libopenblas.so.0", RTLD_NOW);
	if (!library)
		printf("OpenBLAS: not found\n");
	return library;
}

// The function with this name in an OpenBLAS with integers of 32 bits, or in the one that numpy brings.
static void *gemm(void *library, const char *name)
{
	char other[64];
	snprintf(other, sizeof other, "scipy_%s", name);
	void *f = library ? dlsym(library, name) : NULL;
	return f || !library ? f : dlsym(library, other);
}

// Times the entry point and OpenBLAS in turn, and compares the results.
#define OF_OPENBLAS(label, type, host, call, blas, check) do { \
	struct futhark_##type *out = NULL; \
	double ours_ = 1e30, theirs_ = 1e30; \
	for (int run_ = 0; run_ < 9; run_++) { \
		double t0_ = now(); \
		DROP(type, out); \
		CHECK(call); \
		double t1_ = now(); \
		blas; \
		double t2_ = now(); \
		ours_ = fmin(ours_, t1_ - t0_); \
		theirs_ = fmin(theirs_, t2_ - t1_); \
	} \
	CHECK(futhark_values_##type(ctx, out, host)); \
	CHECK(futhark_context_sync(ctx)); \
	check; \
	DROP(type, out); \
	printf("%s: %.0f %% of OpenBLAS, %.3f ms\n", label, 100 * theirs_ / ours_, theirs_ * 1e3); \
} while (0)

int main(void)
{
	enum { TOP = 1024, ROWS = 101, AS_IT_IS = 111 };
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
	void *library = openblas();
	Gemm32 *sgemm = (Gemm32 *)gemm(library, "cblas_sgemm");
	Gemm64 *dgemm = (Gemm64 *)gemm(library, "cblas_dgemm");
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
		if (sgemm)
			OF_OPENBLAS(n == 512 ? "matmul-512-f32" : "matmul-1024-f32", f32_2d, r32,
			            futhark_entry_mul_f32(ctx, &out, fa32, fb32),
			            sgemm(ROWS, AS_IT_IS, AS_IT_IS, (int)n, (int)n, (int)n, 1, a32, (int)n, b32,
			                  (int)n, 0, c32, (int)n),
			            SAME(c32, r32, n * n, 1e-5));
		if (dgemm)
			OF_OPENBLAS(n == 512 ? "matmul-512-f64" : "matmul-1024-f64", f64_2d, r,
			            futhark_entry_mul_f64(ctx, &out, fa, fb),
			            dgemm(ROWS, AS_IT_IS, AS_IT_IS, (int)n, (int)n, (int)n, 1, a, (int)n, b,
			                  (int)n, 0, c, (int)n),
			            SAME(c, r, n * n, 1e-11));
	}
	FINISH;
}
