// Results that are constants of the program are not changed by what is done with them, and calls
// do not evaluate constants again.
#include "kept.h"
#include <stdlib.h>

static void show(struct futhark_context *ctx, struct futhark_i64_1d *a)
{
	int64_t xs[10];
	futhark_values_i64_1d(ctx, a, xs);
	futhark_context_sync(ctx);
	for (int i = 0; i < 10; i++)
		printf("%d%c", (int)xs[i], i < 9 ? ' ' : '\n');
}

static void show_tuple(struct futhark_context *ctx, struct futhark_opaque_tup2_i64_i64 *t)
{
	int64_t a, b;
	futhark_project_opaque_tup2_i64_i64_0(ctx, &a, t);
	futhark_project_opaque_tup2_i64_i64_1(ctx, &b, t);
	printf("%d %d\n", (int)a, (int)b);
	futhark_free_opaque_tup2_i64_i64(ctx, t);
}

static void calls(struct futhark_context *ctx)
{
	struct futhark_i64_1d *a, *b, *c;
	struct futhark_opaque_tup2_i64_i64 *t;
	int64_t sum, dims[] = {1, 1, 1, 1};
	futhark_entry_total(ctx, &sum);
	printf("total %d\n", (int)sum);
	futhark_entry_main(ctx, &a);
	show(ctx, a);
	futhark_entry_changed(ctx, &b, 0);
	show(ctx, b);
	futhark_entry_main(ctx, &c);
	show(ctx, c);
	futhark_free_i64_1d(ctx, a);
	futhark_free_i64_1d(ctx, b);
	futhark_context_clear_caches(ctx);
	show(ctx, c);
	futhark_free_i64_1d(ctx, c);
	futhark_entry_both(ctx, &t);
	show_tuple(ctx, t);
	printf("failing: %d,", futhark_entry_failing(ctx, &sum, 1));
	printf(" %d\n", futhark_entry_failing(ctx, &sum, 1));
	free(futhark_context_get_error(ctx));
	a = futhark_new_i64_1d(ctx, dims, 4);
	for (int i = 0; i < 2; i++) {
		futhark_entry_by_size(ctx, &sum, a);
		printf(i ? " %d\n" : "by size: %d,", (int)sum + 1);
	}
	futhark_free_i64_1d(ctx, a);
}

int main(void)
{
	struct futhark_context_config *cfg = futhark_context_config_new();
	struct futhark_context *ctx = futhark_context_new(cfg);
	free(futhark_context_get_error(ctx));
	calls(ctx);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	return 0;
}
