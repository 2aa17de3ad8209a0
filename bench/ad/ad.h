// What the drivers of bench/ad and bench/paper share, beyond bench/cpu/bench.h: a workload is a
// function and its derivative.  Each is timed in turn with its hand-written counterpart where there
// is one; the line printed has the times, the ratio derivative/primal beside the bar it should stay
// under, and how far both are from C.
//
//	static int one(struct futhark_context *ctx, int64_t n)
//	{
//		ROW("lse %lld", n);                     what follows is about this row
//		MAKE(double, x, n, uniform(0, 1));
//		...
//		DUMP("x", "<f8", x, 1, n);              for programs in other languages
//		WORKLOAD(1.6, primal(), gradient(), c_primal(), c_gradient());
//		return 0;
//	}
//
// The statements are calls that leave their results where the checks before look for them.
// A driver is told more by its environment:
//	BENCH_ROW=LABEL         only this row
//	BENCH_SIZES=some|all    also smaller sizes; also those of the paper that a device is for
//	BENCH_JSON=FILE         appends a line for each row
//	BENCH_DATA=FOLDER       writes inputs and results of C there, as FOLDER/LABEL/NAME.npy
//	BENCH_SECONDS=S         how long a row is repeated (default 1)
//	BENCH_ONCE=1            checks and does not time: each function runs once
//	BENCH_AGAIN=K           also runs one once more, for who counts instructions: 0 the primal, 1 the
//	                        derivative, 2 and 3 those in C
#ifndef AD_H
#define AD_H
#include "bench.h"
#include <stdarg.h>
#include <sys/stat.h>

// ---- Rows ----

static char row_label[64];
static double row_size;                         // what the run time is plotted against
static int any_wrong;

__attribute__((unused)) static bool sizes_all(void)
{
	const char *s = getenv("BENCH_SIZES");
	return s && strcmp(s, "all") == 0;
}
__attribute__((unused)) static bool sizes_some(void) { return getenv("BENCH_SIZES") != NULL; }

// Begins a row, from the same random numbers whatever ran before; false if it is not wanted.
__attribute__((format(printf, 2, 3)))
static bool begin_row(double size, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(row_label, sizeof row_label, format, args);
	va_end(args);
	row_size = size;
	rng_state = RNG_START;
	wrong = 0;
	const char *only = getenv("BENCH_ROW");
	return !only || strcmp(only, row_label) == 0;
}

#define ROW(size, ...) do { if (!begin_row((double)(size), __VA_ARGS__)) return 0; } while (0)

// Writes an array in NumPy's format if data are wanted.  The type is "<f8", "<i4" or the like.
static void dump(const char *name, const char *type, const void *data, int rank, const int64_t *dims)
{
	const char *folder = getenv("BENCH_DATA");
	char path[4096], shape[128] = "", head[256];
	if (!folder)
		return;
	size_t count = 1;
	for (int i = 0; i < rank; i++) {
		count *= (size_t)dims[i];
		snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%lld,", (long long)dims[i]);
	}
	uint16_t length = (uint16_t)snprintf(head, sizeof head,
	                                     "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n",
	                                     type, shape);
	snprintf(path, sizeof path, "%s/%s", folder, row_label);
	mkdir(path, 0777);
	snprintf(path, sizeof path, "%s/%s/%s.npy", folder, row_label, name);
	FILE *f = fopen(path, "wb");
	if (!f) {
		perror(path);
		return;
	}
	fwrite("\x93NUMPY\x01", 1, 8, f);
	fwrite(&length, 2, 1, f);
	fwrite(head, 1, length, f);
	fwrite(data, (size_t)(type[2] - '0'), count, f);
	fclose(f);
}
#define DUMP(name, type, data, ...) \
	dump(name, type, data, (int)(sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t)), \
	     (int64_t[]){__VA_ARGS__})

// ---- Times ----

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

// Of a call to a compiled program, which may go on after the call returns.
#define TIME_RAIDO(best, statement) TIME_ONE(best, { statement; CHECK(futhark_context_sync(ctx)); })

// How long a workload is repeated, in seconds, and at least how often.
enum { AT_LEAST = 3, AT_MOST = 200 };
static double seconds(void)
{
	const char *s = getenv("BENCH_SECONDS");
	return s ? strtod(s, NULL) : 1.0;
}

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

static void append_json(double bar, const double t[4])
{
	const char *path = getenv("BENCH_JSON");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (!f)
		return;
	fprintf(f, "{\"row\": \"%s\", \"size\": %.17g, \"bar\": %g, \"wrong\": %s, \"seconds\": [", row_label,
	        row_size, bar, wrong ? "true" : "false");
	for (int i = 0; i < 4; i++)
		fprintf(f, t[i] < 1e29 ? "%s%.9g" : "%snull", i ? ", " : "", t[i]);
	fprintf(f, "]}\n");
	fclose(f);
}

// Times of the primal and the derivative, then of both in C.
static void print_line(double bar, const double t[4])
{
	append_json(bar, t);
	any_wrong |= wrong;
	printf("%-22s", row_label);
	print_time(t[0]);
	print_time(t[1]);
	print_ratio(t[1], t[0]);
	if (bar > 0)
		printf(" %6.1f", bar);
	else
		printf(" %6s", "-");
	print_time(t[2]);
	print_time(t[3]);
	print_ratio(t[0], t[2]);
	print_ratio(t[1], t[3]);
	printf("%s\n", wrong ? "  WRONG" : "");
	fflush(stdout);
}

#define WORKLOAD_IF(bar, has_p, primal, derivative, has_c, c_primal, has_cd, c_derivative) do { \
	double t_best_[4] = {1e30, 1e30, 1e30, 1e30}, until_ = now() + seconds(); \
	int most_ = getenv("BENCH_ONCE") ? 0 : AT_MOST; \
	int again_ = getenv("BENCH_AGAIN") ? (int)strtol(getenv("BENCH_AGAIN"), NULL, 10) : -1; \
	if (has_p && again_ == 0) TIME_RAIDO(t_best_[0], primal); \
	if (again_ == 1) TIME_RAIDO(t_best_[1], derivative); \
	if (has_c && again_ == 2) TIME_ONE(t_best_[2], c_primal); \
	if (has_cd && again_ == 3) TIME_ONE(t_best_[3], c_derivative); \
	for (int run_ = 0; run_ < most_ && (run_ < AT_LEAST || now() < until_); run_++) { \
		if (has_p) TIME_RAIDO(t_best_[0], primal); \
		TIME_RAIDO(t_best_[1], derivative); \
		if (has_c) TIME_ONE(t_best_[2], c_primal); \
		if (has_cd) TIME_ONE(t_best_[3], c_derivative); \
	} \
	print_line(bar, t_best_); \
} while (0)

#define WORKLOAD(bar, primal, derivative, c_primal, c_derivative) \
	WORKLOAD_IF(bar, 1, primal, derivative, 1, c_primal, 1, c_derivative)
// Where the derivative is all there is.
#define DERIVATIVE(derivative, c_derivative) \
	WORKLOAD_IF(0.0, 0, (void)0, derivative, 0, (void)0, 1, c_derivative)

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

#undef FINISH
#define FINISH return any_wrong
#endif
