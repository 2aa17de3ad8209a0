// A chain of elementwise operations; C does it in one loop.
#include "saxpy.h"
#include "bench.h"

REFERENCE void chain(float *restrict r, float a, const float *restrict x, const float *restrict y,
                     int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		float z = a * x[i] + y[i], w = -a * z + x[i];
		r[i] = 0.5f * (z * w) + z;
	}
}

int main(void)
{
	enum { N = 8000000 };
	SETUP;
	MAKE(float, x, N, uniform(-1, 1));
	MAKE(float, y, N, uniform(-1, 1));
	ROOM(float, c, N);
	ROOM(float, r, N);
	ARRAY(f32_1d, fx, x, N);
	ARRAY(f32_1d, fy, y, N);
	RUN_ARRAY("saxpy-chain", f32_1d, r, futhark_entry_main(ctx, &out, 1.5f, fx, fy),
	          chain(c, 1.5f, x, y, N), SAME(c, r, N, 1e-5));
	FINISH;
}
