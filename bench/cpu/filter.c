// The elements above a limit, about half of them; C has no branch in its loop.
#include "filter.h"
#include "bench.h"

REFERENCE int64_t above(int32_t *restrict r, const int32_t *restrict x, int64_t n)
{
	int64_t k = 0;
	for (int64_t i = 0; i < n; i++) {
		r[k] = x[i];
		k += x[i] > 500;
	}
	return k;
}

int main(void)
{
	enum { N = 6000000 };
	SETUP;
	MAKE(int32_t, x, N, below(1000));
	ROOM(int32_t, c, N);
	ROOM(int32_t, r, N);
	int64_t kept;
	ARRAY(i32_1d, fx, x, N);
	RUN_ARRAY("filter", i32_1d, r, futhark_entry_main(ctx, &out, fx), kept = above(c, x, N),
	          { wrong |= futhark_shape_i32_1d(ctx, out)[0] != kept; SAME(c, r, kept, 0); });
	FINISH;
}
