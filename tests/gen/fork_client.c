// A child of a process that has a context with threads: its calls have threads of their own, and so
// do those of the parent after it.
#include "forked.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 200000 };

static int check(struct futhark_context *ctx, const struct futhark_i32_1d *xs)
{
	int32_t sum = 0, last = 0;
	struct futhark_i32_1d *sums = NULL;
	if (futhark_entry_sum(ctx, &sum, xs) || futhark_entry_sums(ctx, &sums, xs) ||
	    futhark_index_i32_1d(ctx, &last, sums, N - 1))
		return 1;
	futhark_free_i32_1d(ctx, sums);
	return sum != N || last != N;
}

int main(void)
{
	int32_t *ones = malloc(N * sizeof *ones);
	for (int i = 0; i < N; i++)
		ones[i] = 1;
	struct futhark_context_config *cfg = futhark_context_config_new();
	futhark_context_config_set_num_threads(cfg, 4);
	struct futhark_context *ctx = futhark_context_new(cfg);
	struct futhark_i32_1d *xs = futhark_new_i32_1d(ctx, ones, N);
	free(ones);
	int bad = check(ctx, xs), status = 1;
	for (int round = 0; round < 3; round++) {
		pid_t child = fork();
		if (child == 0) {
			alarm(20);
			bad |= check(ctx, xs) || check(ctx, xs);
			futhark_free_i32_1d(ctx, xs);
			futhark_context_free(ctx);
			futhark_context_config_free(cfg);
			_exit(bad);
		}
		waitpid(child, &status, 0);
		bad |= status != 0 || check(ctx, xs);
	}
	futhark_free_i32_1d(ctx, xs);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	puts(bad ? "wrong" : "right");
	return bad;
}
