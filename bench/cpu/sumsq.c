// The sum of squares of floats and of integers.
#include "sumsq.h"
#include "bench.h"

REFERENCE float sumsq_f32(const float *x, int64_t n)
{
	float s[16] = {0}, r = 0;
	int64_t i = 0;
	for (; i + 16 <= n; i += 16)
		for (int k = 0; k < 16; k++)
			s[k] += x[i + k] * x[i + k];
	for (; i < n; i++)
		r += x[i] * x[i];
	for (int k = 0; k < 16; k++)
		r += s[k];
	return r;
}

REFERENCE int32_t sumsq_i32(const int32_t *x, int64_t n)
{
	uint32_t s = 0;
	for (int64_t i = 0; i < n; i++)
		s += (uint32_t)x[i] * (uint32_t)x[i];
	return (int32_t)s;
}

int main(void)
{
	enum { N = 8000000 };
	SETUP;
	MAKE(float, x, N, uniform(-1, 1));
	MAKE(int32_t, y, N, below(1 << 30));
	ARRAY(f32_1d, fx, x, N);
	ARRAY(i32_1d, fy, y, N);
	float r;
	int32_t ri;
	volatile float c;
	volatile int32_t ci;
	RUN("sumsq-f32", CHECK(futhark_entry_sum_f32(ctx, &r, fx)), c = sumsq_f32(x, N), SAME(&c, &r, 1, 1e-3));
	RUN("sumsq-i32", CHECK(futhark_entry_sum_i32(ctx, &ri, fy)), ci = sumsq_i32(y, N), SAME(&ci, &ri, 1, 0));
	FINISH;
}
