// What the drivers of this directory share, beyond bench/cpu/bench.h: a workload is a function and
// its derivative.  Each is timed in turn with its hand-written counterpart where there is one;
// the line printed has the times, the ratio derivative/primal beside the bar it should stay
// under, and how far both are from C.
//
//	WORKLOAD("lse", 1.6, primal(), gradient(), c_primal(), c_gradient());
//
// The statements are calls that leave their results where the checks before look for them.
#ifndef AD_H
#define AD_H
#include "bench.h"

// The barriers keep the compiler from moving a call out of the loop that repeats it.
#define TIME_ONE(best, statement) do { \
	__asm__ volatile("" ::: "memory"); \
	double t0_ = now(); \
	__asm__ volatile("" ::: "memory"); \
	statement; \
	__asm__ volatile("" ::: "memory"); \
	double t_ = now() - t0_; \
	if (t_ < best) best = t_; \
} while (0)

// How long a workload is repeated, in seconds, and at least how often.
enum { AT_LEAST = 3, AT_MOST = 200 };
static const double SECONDS = 1.0;

static void print_time(double t)
{
	if (t < 1e29)
		printf(" %10.3f", t * 1e3);
	else
		printf(" %10s", "-");
}

static void print_ratio(double a, double b)
{
	if (a < 1e29 && b < 1e29 && b > 0)
		printf(" %7.2f", a / b);
	else
		printf(" %7s", "-");
}

static void print_line(const char *label, double bar, double rp, double rd, double cp, double cd)
{
	printf("%-16s", label);
	print_time(rp);
	print_time(rd);
	print_ratio(rd, rp);
	if (bar > 0)
		printf(" %6.1f", bar);
	else
		printf(" %6s", "-");
	print_time(cp);
	print_time(cd);
	print_ratio(rp, cp);
	print_ratio(rd, cd);
	printf("%s\n", wrong ? "  WRONG" : "");
	fflush(stdout);
}

#define WORKLOAD_IF(label, bar, has_p, primal, derivative, has_c, c_primal, has_cd, c_derivative) do { \
	double rp_ = 1e30, rd_ = 1e30, cp_ = 1e30, cd_ = 1e30, until_ = now() + SECONDS; \
	for (int run_ = 0; run_ < AT_LEAST || (now() < until_ && run_ < AT_MOST); run_++) { \
		if (has_p) TIME_ONE(rp_, primal); \
		TIME_ONE(rd_, derivative); \
		if (has_c) TIME_ONE(cp_, c_primal); \
		if (has_cd) TIME_ONE(cd_, c_derivative); \
	} \
	print_line(label, bar, rp_, rd_, cp_, cd_); \
} while (0)

#define WORKLOAD(label, bar, primal, derivative, c_primal, c_derivative) \
	WORKLOAD_IF(label, bar, 1, primal, derivative, 1, c_primal, 1, c_derivative)
// Without a counterpart in C.
#define WORKLOAD_ONLY(label, bar, primal, derivative) \
	WORKLOAD_IF(label, bar, 1, primal, derivative, 0, (void)0, 0, (void)0)
// Where the derivative is all there is.
#define DERIVATIVE(label, derivative, c_derivative) \
	WORKLOAD_IF(label, 0.0, 0, (void)0, derivative, 0, (void)0, 1, c_derivative)

// A function and one element of its gradient must agree: central differences.
#define DIFFERENCE(what, f_plus, f_minus, h, g, tolerance) do { \
	double fd_ = ((f_plus) - (f_minus)) / (2 * (h)), g_ = (g); \
	if (!(fabs(fd_ - g_) <= (tolerance) * (1 + fabs(fd_) + fabs(g_)))) { \
		printf("%s: derivative %.12g, by differences %.12g\n", what, g_, fd_); \
		wrong = 1; \
	} \
} while (0)

#define FETCH(type, array, host) do { \
	CHECK(futhark_values_##type(ctx, array, host)); \
	CHECK(futhark_context_sync(ctx)); \
} while (0)

// Component k of a tuple.
#define FETCH_PART(tuple, k, type, object, host) do { \
	struct futhark_##type *part_; \
	CHECK(futhark_project_##tuple##_##k(ctx, &part_, object)); \
	FETCH(type, part_, host); \
	DROP(type, part_); \
} while (0)
#endif
