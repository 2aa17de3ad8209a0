// Sorts by one bit after the other, as the program does; C counts the zeros and then moves.
#include "radixsort.h"
#include "bench.h"

static void step(uint32_t *restrict to, const uint32_t *restrict from, int64_t n, int bit)
{
	int64_t ones = 0;
	for (int64_t i = 0; i < n; i++)
		ones += from[i] >> bit & 1;
	int64_t at[2] = {0, n - ones};
	for (int64_t i = 0; i < n; i++)
		to[at[from[i] >> bit & 1]++] = from[i];
}

REFERENCE void sort(uint32_t *restrict r, uint32_t *restrict other, const uint32_t *x, int64_t n)
{
	memcpy(r, x, (size_t)n * sizeof *r);
	for (int bit = 0; bit < 32; bit += 2) {
		step(other, r, n, bit);
		step(r, other, n, bit + 1);
	}
}

int main(void)
{
	enum { N = 500000 };
	SETUP;
	MAKE(uint32_t, x, N, rng());
	ROOM(uint32_t, other, N);
	ROOM(uint32_t, c, N);
	ROOM(uint32_t, r, N);
	ARRAY(u32_1d, fx, x, N);
	RUN_ARRAY("radix-sort", u32_1d, r, futhark_entry_main(ctx, &out, fx), sort(c, other, x, N),
	          SAME(c, r, N, 0));
	FINISH;
}
