// The sums of all prefixes.
#include "prefixsum.h"
#include "bench.h"

REFERENCE void prefixes(int64_t *restrict r, const int64_t *restrict x, int64_t n)
{
	int64_t s = 0;
	for (int64_t i = 0; i < n; i++)
		r[i] = s += x[i];
}

int main(void)
{
	enum { N = 6000000 };
	SETUP;
	MAKE(int64_t, x, N, below(1000));
	ROOM(int64_t, c, N);
	ROOM(int64_t, r, N);
	ARRAY(i64_1d, fx, x, N);
	RUN_ARRAY("prefix-sum", i64_1d, r, futhark_entry_main(ctx, &out, fx), prefixes(c, x, N),
	          SAME(c, r, N, 0));
	FINISH;
}
