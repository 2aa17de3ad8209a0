// Runs the functions of algorithms.fut or adversarial.fut and their gradients at three sizes, each
// twice the one before: how many times the function's time a gradient takes, and how much memory both have in use
// at most, in kilobytes.  One derivative along a direction is compared with differences.
// With --once first on the command line, each is called once, the function and then the gradient, size after size, and
// what is printed of it is its memory; built with COUNT, callgrind writes a file for each call.
#include "program.h"
#include "harness.h"
#ifdef COUNT
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS
#endif
#include "rows.h"                       // ROWS(X): those that the program lists

typedef struct {
	const char *name;
	int64_t size, k;                // k = 0: size is the order of a matrix
	int (*value)(Ctx *, double *, const Vector *, int64_t);
	int (*gradient)(Ctx *, Vector **, const Vector *, int64_t);
} Algorithm;
static const Algorithm algorithms[] = {
#define X(name, size, k) {#name, size, k, futhark_entry_##name##_p, futhark_entry_##name##_g},
	ROWS(X)
#undef X
};
enum { SIZES = 3 };

static void must(Ctx *ctx, int code)
{
	if (code == 0 && futhark_context_sync(ctx) == 0)
		return;
	fprintf(stderr, "%s\n", futhark_context_get_error(ctx));
	exit(1);
}

static double value_at(Ctx *ctx, const Algorithm *a, const Vector *x, int64_t k)
{
	double out;
	must(ctx, a->value(ctx, &out, x, k));
	return out;
}

static bool call(Ctx *ctx, const void *what, bool gradient, const Vector *x, int64_t k)
{
	const Algorithm *a = what;
	Vector *out = NULL;
	if (gradient) {
		must(ctx, a->gradient(ctx, &out, x, k));
		futhark_free_f64_1d(ctx, out);
	} else {
		value_at(ctx, a, x, k);
	}
	return true;
}

static double *input(const Algorithm *a, int64_t n)
{
	double *data = malloc((size_t)n * sizeof *data);
	srand(1);
	for (int64_t i = 0; i < n; i++)
		data[i] = a->k ? uniform(0.2, 0.9) : uniform(-1, 1);
	return data;
}

static Cost cost(const Algorithm *a, bool gradient, int64_t n, int64_t k)
{
	double *data = input(a, n);
	Cost r = cost_of(call, a, gradient, data, n, k);
	free(data);
	return r;
}

// Along a random direction, by the gradient and by differences.
static bool is_right(const Algorithm *a, int64_t n, int64_t k)
{
	struct futhark_context_config *config = futhark_context_config_new();
	Ctx *ctx = futhark_context_new(config);
	double *data = input(a, n), *d = malloc((size_t)n * sizeof *d), at[2], by_gradient = 0;
	double *g = malloc((size_t)n * sizeof *g), h = 1e-6;
	Vector *x = futhark_new_f64_1d(ctx, data, n), *out;
	must(ctx, a->gradient(ctx, &out, x, k));
	must(ctx, futhark_values_f64_1d(ctx, out, g));
	for (int64_t i = 0; i < n; i++) {
		d[i] = uniform(-1, 1);
		by_gradient += d[i] * g[i];
	}
	for (int side = 0; side < 2; side++) {
		double *y = malloc((size_t)n * sizeof *y);
		for (int64_t i = 0; i < n; i++)
			y[i] = data[i] + (side ? h : -h) * d[i];
		Vector *v = futhark_new_f64_1d(ctx, y, n);
		at[side] = value_at(ctx, a, v, k);
		futhark_free_f64_1d(ctx, v);
		free(y);
	}
	double by_differences = (at[1] - at[0]) / (2 * h);
	futhark_free_f64_1d(ctx, out);
	futhark_free_f64_1d(ctx, x);
	futhark_context_free(ctx);
	futhark_context_config_free(config);
	free(data); free(d); free(g);
	bool ok = fabs(by_gradient - by_differences) <= 1e-3 * (1 + fabs(by_differences));
	if (!ok)
		printf("%s: WRONG, %g by the gradient, %g by differences\n", a->name, by_gradient,
		       by_differences);
	return ok;
}

// The function and its gradient, one call each, in contexts of their own.
static void call_once(const Algorithm *a, int64_t n, int64_t k)
{
	double *data = input(a, n);
	printf("%s", a->name);
	for (int g = 0; g < 2; g++) {
		struct futhark_context_config *config = futhark_context_config_new();
		Ctx *ctx = futhark_context_new(config);
		Vector *x = futhark_new_f64_1d(ctx, data, n);
		CALLGRIND_ZERO_STATS;
		call(ctx, a, g, x, k);
		CALLGRIND_DUMP_STATS;
		printf(" %.0f", peak_of(ctx));
		futhark_free_f64_1d(ctx, x);
		futhark_context_free(ctx);
		futhark_context_config_free(config);
	}
	printf("\n");
	free(data);
}

int main(int argc, char **argv)
{
	int bad = 0;
	if (argc > 1 && strcmp(argv[1], "--once") == 0) {
		for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
			const Algorithm *a = &algorithms[i];
			for (int s = 0; s < SIZES && is_wanted(a->name, argc - 1, argv + 1); s++) {
				int64_t size = a->size << s;
				call_once(a, a->k ? size : size * size, a->k ? a->k : size);
			}
		}
		return 0;
	}
	printf("%-10s %10s %8s  %-24s %-24s\n", "", "value ms", "grad ms", "times the function",
	       "times its memory");
	for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
		const Algorithm *a = &algorithms[i];
		if (!is_wanted(a->name, argc, argv))
			continue;
		Cost c[SIZES][2];
		for (int s = 0; s < SIZES; s++)
			for (int g = 0; g < 2; g++) {
				int64_t size = a->size << s, k = a->k ? a->k : size;
				c[s][g] = cost(a, g, a->k ? size : size * size, k);
			}
		printf("%-10s %10.3f %8.2f  ", a->name, c[SIZES - 1][0].time * 1e3,
		       c[SIZES - 1][1].time * 1e3);
		for (int s = 0; s < SIZES; s++)
			printf("%6.2f ", c[s][1].time / c[s][0].time);
		printf("   ");
		for (int s = 0; s < SIZES; s++)
			printf("%7.1f ", c[s][1].memory / c[s][0].memory);
		printf("\n");
		fflush(stdout);
		int64_t k = a->k ? a->k : a->size;
		bad += !is_right(a, a->k ? a->size : k * k, k);
	}
	return bad != 0;
}
