// The acceleration of each body by the gravity of all; C works on sixteen bodies at a time, so
// that their sums stay in registers.
#include "nbody.h"
#include "bench.h"

enum { N = 2048, WIDTH = 16 };

REFERENCE void nbody(float *restrict r, const float *restrict x, const float *restrict y,
                     const float *restrict z, const float *restrict m, int64_t n)
{
	for (int64_t i = 0; i < n; i += WIDTH) {
		float ax[WIDTH] = {0}, ay[WIDTH] = {0}, az[WIDTH] = {0};
		for (int64_t j = 0; j < n; j++)
			for (int k = 0; k < WIDTH; k++) {
				float dx = x[j] - x[i + k], dy = y[j] - y[i + k], dz = z[j] - z[i + k];
				float d2 = dx * dx + dy * dy + dz * dz + 1e-3f;
				float s = m[j] / (d2 * sqrtf(d2));
				ax[k] += s * dx;
				ay[k] += s * dy;
				az[k] += s * dz;
			}
		for (int k = 0; k < WIDTH; k++) {
			r[(i + k) * 3] = ax[k];
			r[(i + k) * 3 + 1] = ay[k];
			r[(i + k) * 3 + 2] = az[k];
		}
	}
}

int main(void)
{
	SETUP;
	MAKE(float, x, N, uniform(-1, 1));
	MAKE(float, y, N, uniform(-1, 1));
	MAKE(float, z, N, uniform(-1, 1));
	MAKE(float, m, N, uniform(0, 1));
	ROOM(float, c, N * 3);
	ROOM(float, r, N * 3);
	ARRAY(f32_1d, fx, x, N);
	ARRAY(f32_1d, fy, y, N);
	ARRAY(f32_1d, fz, z, N);
	ARRAY(f32_1d, fm, m, N);
	RUN_ARRAY("nbody", f32_2d, r, futhark_entry_main(ctx, &out, fx, fy, fz, fm), nbody(c, x, y, z, m, N),
	          SAME(c, r, N * 3, 1e-3));
	FINISH;
}
