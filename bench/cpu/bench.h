// What the programs of this directory share.  Each NAME.c is the hand-written counterpart of
// NAME.fut and its driver: it makes inputs, runs both, compares the results and times them in
// turn, so that both see the same machine.
//
//	REFERENCE void scale(double *restrict y, const double *restrict x, int64_t n) { ... }
//	int main(void)
//	{
//		SETUP;
//		MAKE(double, x, N, uniform(-1, 1));             an input, element by element
//		ROOM(double, y, N);                             where C puts its result
//		ROOM(double, r, N);                             where ours is fetched to
//		ARRAY(f64_1d, fx, x, N);                        the input as Raido has it
//		RUN_ARRAY("scale", f64_1d, r, futhark_entry_main(ctx, &out, fx), scale(y, x, N),
//		          SAME(y, r, N, 1e-12));
//		FINISH;
//	}
#ifndef BENCH_H
#define BENCH_H
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Kept as a call, so that the compiler neither specialises nor merges what is measured.
// The functions are not static, and without the analysis that would tell them the constants they are
// called with: the generated code is not told the sizes of its arrays either.
#if defined(__GNUC__) && !defined(__clang__)
#define REFERENCE __attribute__((noipa))
#else
#define REFERENCE __attribute__((noinline))
#endif

// Time on the processor: what else runs on the machine does not count.  With threads it is the sum
// of theirs, and what passes on the clock is another question (bench/multicore).
#ifndef BENCH_CLOCK
#define BENCH_CLOCK CLOCK_PROCESS_CPUTIME_ID
#endif

static double now(void)
{
	struct timespec t;
	clock_gettime(BENCH_CLOCK, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define RNG_START UINT64_C(88172645463325252)
static uint64_t rng_state = RNG_START;

static inline uint64_t rng(void)
{
	rng_state ^= rng_state << 13;
	rng_state ^= rng_state >> 7;
	return rng_state ^= rng_state << 17;
}

static inline double uniform(double lo, double hi)
{
	return lo + (hi - lo) * ((double)(rng() >> 11) * 0x1p-53);
}

static inline int64_t below(int64_t n) { return (int64_t)(rng() % (uint64_t)n); }

#define ROOM(type, name, n) type *name = malloc((size_t)(n) * sizeof *name)
#define MAKE(type, name, n, element) \
	ROOM(type, name, n); \
	for (int64_t make_i = 0; make_i < (n); make_i++) \
		name[make_i] = (type)(element); \
	input_kib += (long)((size_t)(n) * sizeof *name / 1024)
#define ARRAY(type, name, ...) struct futhark_##type *name = futhark_new_##type(ctx, __VA_ARGS__)

static int wrong;                               // whether any result differs

// ---- Memory ----
//
// The peak of each side is what the process begins with, its inputs, and what the first call adds to
// the resident memory, in KiB.

static long input_kib;                          // the former two: see SETUP and MAKE

static long status_kib(const char *name)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kib = 0;
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, name, strlen(name)) == 0)
			kib = strtol(line + strlen(name), NULL, 10);
	if (f)
		fclose(f);
	return kib;
}

// Lets the peak start from what is resident now, and gives that.
static long reset_peak(void)
{
	FILE *f = fopen("/proc/self/clear_refs", "w");
	if (f) {
		fputs("5", f);
		fclose(f);
	}
	return status_kib("VmRSS:");
}

static long peak_since(long before) { return input_kib + status_kib("VmHWM:") - before; }

// Whether two results of n elements agree: the difference is at most `tolerance` of the largest.
#define SAME(a, b, n, tolerance) do { \
	double top_ = 1; \
	double off_ = 0; \
	for (int64_t i_ = 0; i_ < (n); i_++) { \
		double a_ = (double)(a)[i_]; \
		double d_ = fabs(a_ - (double)(b)[i_]); \
		if (!(fabs(a_) <= top_)) top_ = fabs(a_); \
		if (!(d_ <= off_)) off_ = d_; \
	} \
	if (!(off_ <= (tolerance) * top_)) { \
		printf("results differ by %g (largest %g)\n", off_, top_); \
		wrong = 1; \
	} \
} while (0)

#define CHECK(call) do { \
	if (call) { \
		char *msg_ = futhark_context_get_error(ctx); \
		printf("%s\n", msg_ ? msg_ : "failed"); \
		return 1; \
	} \
} while (0)

// Runs the two statements in turn, after a first time to compare what they make, and prints
// the least time of each, the ratio of times, and that of peaks of memory.
#define RUN(label, raido, c, check) do { \
	futhark_context_clear_caches(ctx); \
	long before_ = reset_peak(); \
	raido; \
	long kib_r_ = peak_since(before_); \
	before_ = reset_peak(); \
	c; \
	long kib_c_ = peak_since(before_); \
	check; \
	double best_r_ = 1e30, best_c_ = 1e30, until_ = now() + 0.4; \
	for (int run_ = 0; run_ < 5 || (now() < until_ && run_ < 200); run_++) { \
		double t0_ = now(); raido; double t1_ = now(); c; double t2_ = now(); \
		if (t1_ - t0_ < best_r_) best_r_ = t1_ - t0_; \
		if (t2_ - t1_ < best_c_) best_c_ = t2_ - t1_; \
	} \
	printf("%-20s %10.3f %10.3f %8.2f %8.2f%s\n", label, best_r_ * 1e3, best_c_ * 1e3, \
	       best_r_ / best_c_, (double)kib_r_ / (double)kib_c_, wrong ? "  WRONG" : ""); \
	fflush(stdout); \
} while (0)

#define DROP(type, array) do { \
	if (array) \
		futhark_free_##type(ctx, array); \
	array = NULL; \
} while (0)

// For an entry point with one array as its result, which the call puts in `out`; the result of
// the previous call is given back first, as C writes to the same place each time.
#define RUN_ARRAY(label, type, host, call, c, check) do { \
	struct futhark_##type *out = NULL; \
	RUN(label, { DROP(type, out); CHECK(call); }, c, \
	    { CHECK(futhark_values_##type(ctx, out, host)); CHECK(futhark_context_sync(ctx)); check; }); \
	DROP(type, out); \
} while (0)

#define SETUP \
	struct futhark_context_config *cfg = futhark_context_config_new(); \
	struct futhark_context *ctx = futhark_context_new(cfg); \
	input_kib = status_kib("VmRSS:")
// Inputs live to the end of the process.
#define FINISH return wrong
#endif
