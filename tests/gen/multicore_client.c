// Contexts with threads: in use from several threads of the host, reused after errors, and gone
// when they are freed.
#include "multicore.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5000, HOSTS = 4 };

static int passed, failed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void check(bool good, const char *what)
{
	pthread_mutex_lock(&lock);
	passed += good;
	failed += !good;
	if (!good)
		printf("failed: %s\n", what);
	pthread_mutex_unlock(&lock);
}

static int n_threads(void)
{
	int n = 0;
	DIR *d = opendir("/proc/self/task");
	for (struct dirent *e; d && (e = readdir(d)); )
		n += e->d_name[0] != '.';
	if (d)
		closedir(d);
	return n;
}

static double once(struct futhark_context *ctx, struct futhark_i64_1d *is,
                   struct futhark_f64_1d *xs)
{
	double sum = -1;
	check(futhark_entry_sum(ctx, &sum, 0, is, xs) == 0, "sum");
	return sum;
}

static void fail_once(struct futhark_context *ctx, struct futhark_i64_1d *is,
                      struct futhark_f64_1d *xs)
{
	struct futhark_f64_1d *out = NULL;
	check(futhark_entry_fails(ctx, &out, 1234, is, xs) == FUTHARK_PROGRAM_ERROR, "fails");
	char *error = futhark_context_get_error(ctx);
	check(error && strstr(error, "[6234]") && strstr(error, "multicore.fut:"), "its error");
	free(error);
}

static void fail_sums(struct futhark_context *ctx, struct futhark_i64_1d *is,
                      struct futhark_f64_1d *xs)
{
	static const int64_t k[] = {4321, N};
	struct futhark_f64_1d *out = NULL;
	double *got = malloc(70 * N * sizeof *got), sum = 0;
	check(futhark_entry_sums_fails(ctx, &out, k[0], is, xs) == FUTHARK_PROGRAM_ERROR, "sums fail");
	free(futhark_context_get_error(ctx));
	check(futhark_entry_sums_fails(ctx, &out, k[1], is, xs) == 0 &&
	      futhark_values_f64_1d(ctx, out, got) == 0 && futhark_context_sync(ctx) == 0, "sums");
	for (int i = 0; i < 70 * N; i++)
		sum += got[i];
	check(sum == (double)N * (N - 1) / 2, "sums after a failure");
	free(got);
	futhark_free_f64_1d(ctx, out);
}

static void *host(void *arg)
{
	int threads = *(int *)arg;
	int64_t *i = calloc(N, sizeof *i);
	double *x = malloc(N * sizeof *x), want = 0;
	for (int k = 0; k < N; k++) {
		x[k] = k;
		want += k * 1.1;
	}
	struct futhark_context_config *cfg = futhark_context_config_new();
	futhark_context_config_set_num_threads(cfg, threads);
	struct futhark_context *ctx = futhark_context_new(cfg);
	struct futhark_i64_1d *is = futhark_new_i64_1d(ctx, i, N);
	struct futhark_f64_1d *xs = futhark_new_f64_1d(ctx, x, N);
	for (int k = 0; k < 20; k++) {
		double got = once(ctx, is, xs);
		check(got > want * 0.999999 && got < want * 1.000001, "the sum");
		if (k % 5 == 0) {
			fail_once(ctx, is, xs);
			fail_sums(ctx, is, xs);
		}
	}
	futhark_free_i64_1d(ctx, is);
	futhark_free_f64_1d(ctx, xs);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	free(i);
	free(x);
	return NULL;
}

int main(void)
{
	int threads[HOSTS] = {1, 2, 3, 16};
	pthread_t hosts[HOSTS];
	host(&threads[1]);
	int before = n_threads();       // a sanitizer may have one of its own by now
	for (int i = 0; i < HOSTS; i++)
		host(&threads[i]);
	check(n_threads() == before, "no thread is left");
	for (int i = 0; i < HOSTS; i++)
		pthread_create(&hosts[i], NULL, host, &threads[i]);
	for (int i = 0; i < HOSTS; i++)
		pthread_join(hosts[i], NULL);
	printf("%d passed, %d failed\n", passed, failed);
	return failed > 0;
}
