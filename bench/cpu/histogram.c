// How often each number occurs, for few and for many different ones; C counts few ones in four
// tables, so that equal neighbours do not wait for one another.
#include "histogram.h"
#include "bench.h"

enum { N = 4000000, FEW = 256, MANY = 1000000 };

REFERENCE void count_few(int32_t *restrict r, const int64_t *restrict x, int64_t n)
{
	int32_t part[4][FEW] = {{0}};
	for (int64_t i = 0; i < n; i += 4)
		for (int k = 0; k < 4; k++)
			if ((uint64_t)x[i + k] < FEW)
				part[k][x[i + k]]++;
	for (int j = 0; j < FEW; j++)
		r[j] = part[0][j] + part[1][j] + part[2][j] + part[3][j];
}

REFERENCE void count_many(int32_t *restrict r, int64_t bins, const int64_t *restrict x, int64_t n)
{
	memset(r, 0, (size_t)bins * sizeof *r);
	for (int64_t i = 0; i < n; i++)
		if ((uint64_t)x[i] < (uint64_t)bins)
			r[x[i]]++;
}

int main(void)
{
	SETUP;
	MAKE(int64_t, few, N, below(FEW));
	MAKE(int64_t, many, N, below(MANY));
	ROOM(int32_t, c, MANY);
	ROOM(int32_t, r, MANY);
	ARRAY(i64_1d, ffew, few, N);
	ARRAY(i64_1d, fmany, many, N);
	RUN_ARRAY("histogram-small", i32_1d, r, futhark_entry_main(ctx, &out, FEW, ffew),
	          count_few(c, few, N), SAME(c, r, FEW, 0));
	RUN_ARRAY("histogram-large", i32_1d, r, futhark_entry_main(ctx, &out, MANY, fmany),
	          count_many(c, MANY, many, N), SAME(c, r, MANY, 0));
	FINISH;
}
