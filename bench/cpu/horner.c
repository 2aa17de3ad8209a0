// The values of a polynomial at many places; C evaluates sixteen at a time.
#include "horner.h"
#include "bench.h"

REFERENCE void horner(float *restrict r, const float *restrict c, int64_t k, const float *restrict x,
                      int64_t n)
{
	for (int64_t i = 0; i < n; i += 16) {
		float s[16] = {0};
		for (int64_t j = 0; j < k; j++)
			for (int l = 0; l < 16; l++)
				s[l] = s[l] * x[i + l] + c[j];
		memcpy(r + i, s, sizeof s);
	}
}

int main(void)
{
	enum { N = 800000, K = 32 };
	SETUP;
	MAKE(float, x, N, uniform(-1, 1));
	MAKE(float, k, K, uniform(-1, 1));
	ROOM(float, c, N);
	ROOM(float, r, N);
	ARRAY(f32_1d, fx, x, N);
	ARRAY(f32_1d, fk, k, K);
	RUN_ARRAY("horner", f32_1d, r, futhark_entry_main(ctx, &out, fk, fx), horner(c, k, K, x, N),
	          SAME(c, r, N, 1e-5));
	FINISH;
}
