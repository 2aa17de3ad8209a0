// Cancels calls that would take hours, from another thread and from a signal handler: they end at once with an
// error, and the context can be used further.
#include "cancel.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/time.h>

static int n_passed, n_failed;

static void expect(int good, const char *name, const char *what, double x)
{
	if (good) {
		n_passed++;
		return;
	}
	n_failed++;
	printf("%s: %s (%g)\n", name, what, x);
}

static void *cancel_soon(void *arg)
{
	usleep(30000);
	cancelled_at = now();
	futhark_context_cancel(ctx);
	return arg;
}

static void on_alarm(int sig)
{
	(void)sig;
	cancelled_at = now();
	futhark_context_cancel(ctx);
}

static void try_cancel(const char *name, call *f, int by_signal)
{
	pthread_t thread;
	struct itimerval soon = {{0, 0}, {0, 30000}};
#ifdef DEVICE
	f(2); // compiles kernels, which is not stopped
#endif
	cancelled_at = 0;
	if (by_signal)
		setitimer(ITIMER_REAL, &soon, NULL);
	else
		pthread_create(&thread, NULL, cancel_soon, NULL);
	int err = f((int64_t)1 << 40);
	if (!err)
		err = futhark_context_sync(ctx);
	double late = now() - cancelled_at;
	if (!by_signal)
		pthread_join(thread, NULL);
	char *error = futhark_context_get_error(ctx);
	expect(err != 0 && error && strstr(error, "cancelled"), name, "gave no error", err);
	expect(cancelled_at > 0 && late < LATEST, name, "took too long to end", late);
	free(error);
	err = futhark_entry_small(ctx, &i64, 1000);
	expect(err == 0 && i64 == 499500, name, "no call succeeds afterwards", err);
}

int main(void)
{
	static const struct { const char *name; call *f; } all[] = {
		{"steps", steps}, {"kernels", kernels},
#ifndef DEVICE
		{"counting", counting}, {"reduction", reduction}, {"integers", integers},
		{"nested", nested}, {"endless", endless}, {"rows", rows}, {"recursion", recursion},
		{"wide", wide}, {"inner", inner}, {"bounded", bounded}, {"heavy", heavy},
		{"copies", copies}, {"filled", filled}, {"joined", joined},
		{"transposed", transposed}, {"product", product}, {"chained", chained},
#endif
	};
	struct futhark_context_config *cfg = futhark_context_config_new();
#ifdef THREADS
	futhark_context_config_set_num_threads(cfg, THREADS);
#endif
	ctx = futhark_context_new(cfg);
	signal(SIGALRM, on_alarm);
#ifndef DEVICE
	expect(make_array() == 0, "given", "no array", 0);
#endif
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		try_cancel(all[k].name, all[k].f, (int)(k % 2));
	futhark_context_cancel(ctx); // nothing runs
	expect(futhark_entry_small(ctx, &i64, 10) == 0, "small", "was cancelled before it began", 0);
#ifndef DEVICE
	futhark_free_f64_1d(ctx, array);
#endif
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	printf("%d passed, %d failed\n", n_passed, n_failed);
	return n_failed != 0;
}
