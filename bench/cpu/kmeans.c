// A step of k-means.
#include "kmeans.h"
#include "bench.h"

enum { N = 100000, K = 10, D = 8 };

REFERENCE void kmeans(float *restrict r, const float *restrict p, const float *restrict c, int64_t n,
                      int64_t k, int64_t d)
{
	int32_t count[K] = {0};
	memset(r, 0, (size_t)(k * d) * sizeof *r);
	for (int64_t i = 0; i < n; i++) {
		float least = INFINITY;
		int64_t at = 0;
		for (int64_t j = 0; j < k; j++) {
			float s = 0;
			for (int64_t l = 0; l < d; l++)
				s += (p[i * d + l] - c[j * d + l]) * (p[i * d + l] - c[j * d + l]);
			if (s < least) {
				least = s;
				at = j;
			}
		}
		count[at]++;
		for (int64_t l = 0; l < d; l++)
			r[at * d + l] += p[i * d + l];
	}
	for (int64_t j = 0; j < k; j++)
		for (int64_t l = 0; l < d; l++)
			r[j * d + l] /= (float)(count[j] ? count[j] : 1);
}

int main(void)
{
	SETUP;
	MAKE(float, p, N * D, uniform(-1, 1));
	MAKE(float, centres, K * D, uniform(-1, 1));
	ROOM(float, c, K * D);
	ROOM(float, r, K * D);
	ARRAY(f32_2d, fp, p, N, D);
	ARRAY(f32_2d, fc, centres, K, D);
	RUN_ARRAY("kmeans", f32_2d, r, futhark_entry_main(ctx, &out, fp, fc), kmeans(c, p, centres, N, K, D),
	          SAME(c, r, K * D, 1e-3));
	FINISH;
}
