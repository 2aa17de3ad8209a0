// Prints how long calls go on after they were cancelled from another thread, how much time of the processor (of all
// threads) they take meanwhile, which is less where they wait for it, and how long the next call takes, which does
// little but waits for what a device has still to do: for bench/cancel/run.
#include "cancel.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile double used_before;

static double used(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *cancel_later(void *micros)
{
	usleep(*(const useconds_t *)micros);
	cancelled_at = now();
	used_before = used();
	futhark_context_cancel(ctx);
	return NULL;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void keep_worst(double *worst, double x)
{
	*worst = x > *worst ? x : *worst;
}

static double next_call(void)
{
	int64_t sum;
	double began = now();
	if (futhark_entry_small(ctx, &sum, 1000) || futhark_context_sync(ctx) || sum != 499500) {
		fprintf(stderr, "the next call fails\n");
		exit(1);
	}
	return 1e3 * (now() - began);
}

static double latency(call *f, useconds_t micros, double *worst_used, double *worst_next)
{
	pthread_t thread;
	pthread_create(&thread, NULL, cancel_later, &micros);
	int err = f((int64_t)1 << 40);
	if (!err)
		err = futhark_context_sync(ctx);
	double late = now() - cancelled_at;
	keep_worst(worst_used, 1e3 * (used() - used_before));
	pthread_join(thread, NULL);
	char *error = futhark_context_get_error(ctx);
	if (!err || !error || !strstr(error, "cancelled")) {
		fprintf(stderr, "a call ended by itself: %s\n", error ? error : "no error");
		exit(1);
	}
	free(error);
	keep_worst(worst_next, next_call());
	return late;
}

int main(void)
{
	static const struct { const char *name; call *f; } all[] = {
		{"kernels", kernels},
#ifndef DEVICE
		{"steps", steps}, {"counting", counting}, {"reduction", reduction}, {"integers", integers},
		{"nested", nested}, {"endless", endless}, {"rows", rows}, {"recursion", recursion},
		{"wide", wide}, {"inner", inner}, {"bounded", bounded}, {"heavy", heavy},
		{"copies", copies}, {"filled", filled}, {"joined", joined},
		{"transposed", transposed}, {"product", product}, {"chained", chained},
#endif
	};
	struct futhark_context_config *cfg = futhark_context_config_new();
	ctx = futhark_context_new(cfg);
#ifndef DEVICE
	if (make_array())
		return 1;
#endif
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		double late[ROUNDS], worst_used = 0, worst_next = 0;
#ifdef DEVICE
		all[k].f(2); // compiles kernels
		next_call();
#endif
		for (int i = 0; i < ROUNDS; i++)
			late[i] = 1e3 * latency(all[k].f, 20000 + 1700 * (useconds_t)i, &worst_used,
			                        &worst_next);
		qsort(late, ROUNDS, sizeof *late, ascending);
		printf("%-10s %-12s %10.2f %10.2f %10.2f %10.2f\n", BACKEND, all[k].name,
		       late[ROUNDS / 2], late[ROUNDS - 1], worst_used, worst_next);
	}
#ifndef DEVICE
	futhark_free_f64_1d(ctx, array);
#endif
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	return 0;
}
