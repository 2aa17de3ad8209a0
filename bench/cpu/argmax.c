// Where the largest element first is.
#include "argmax.h"
#include "bench.h"

REFERENCE int64_t argmax(const float *x, int64_t n)
{
	float top = -INFINITY;
	int64_t at = n;
	for (int64_t i = 0; i < n; i++)
		if (x[i] > top) {
			top = x[i];
			at = i;
		}
	return at;
}

int main(void)
{
	enum { N = 6000000 };
	SETUP;
	MAKE(float, x, N, uniform(-1, 1));
	ARRAY(f32_1d, fx, x, N);
	int64_t r;
	volatile int64_t c;
	RUN("argmax", CHECK(futhark_entry_main(ctx, &r, fx)), c = argmax(x, N), SAME(&c, &r, 1, 0));
	FINISH;
}
