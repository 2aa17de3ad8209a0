// Times the functions of growth.fut and their gradients at two sizes, a factor of 64 apart, and
// prints how time and memory grow with the size: as size^e.  The exponents of a gradient must not
// be larger than those of its function by more than the tolerance.
#include "growth.h"
#include "harness.h"

#define CONSTRUCTS(X) \
	X(dp, 1) X(seidel, 4) X(lu, 0) X(uneven, 8) X(few, 4) X(chase, 4) X(until, 1) \
	X(scattered, 8) X(bins, 1) X(few_bins, 8) X(few_products, 8) X(few_greatest, 8) \
	X(any_bins, 1) X(pair_bins, 1) X(rows, 16) X(mapped, 16) X(conditional, 1) \
	X(scanned, 1) X(long, 16) X(strips, 16) X(turns, 4) X(windows, 8) X(product, 1)

typedef struct {
	const char *name;
	int64_t k;                      // 0: the root of the size
	int (*value)(Ctx *, double *, const Vector *, int64_t);
	int (*gradient)(Ctx *, Vector **, const Vector *, int64_t);
} Construct;
static const Construct constructs[] = {
#define X(name, k) {#name, k, futhark_entry_##name##_p, futhark_entry_##name##_g},
	CONSTRUCTS(X)
#undef X
};

static const double FACTOR = 64, TOLERANCE = 0.1;

static bool call(Ctx *ctx, const void *what, bool gradient, const Vector *x, int64_t k)
{
	const Construct *c = what;
	double value;
	Vector *out = NULL;
	int code = gradient ? c->gradient(ctx, &out, x, k) : c->value(ctx, &value, x, k);
	if (code == 0)
		code = futhark_context_sync(ctx);
	if (code == 0 && out)
		futhark_free_f64_1d(ctx, out);
	return code == 0;
}

static int64_t size_of_input(const Construct *c, int64_t n, int64_t *k)
{
	*k = c->k ? c->k : (int64_t)(sqrt((double)n) + 0.5);
	return c->k ? n : *k * *k;
}

static Cost cost(const Construct *c, bool gradient, int64_t size)
{
	int64_t k, n = size_of_input(c, size, &k);
	double *data = malloc((size_t)n * sizeof *data);
	for (int64_t i = 0; i < n; i++)
		data[i] = uniform(0.2, 0.9) + (!c->k && i % (k + 1) == 0 ? (double)k : 0);
	Cost r = cost_of(call, c, gradient, data, n, k);
	free(data);
	return r;
}

static double exponent(double small, double large)
{
	return log(large / small) / log(FACTOR);
}

// False when the gradient grows faster than the function.
static bool measure(const Construct *c)
{
	int64_t small = c->k ? 1 << 12 : 20 * 20, large = small * (int64_t)FACTOR;
	double time[2], memory[2], at_large[2];
	for (int g = 0; g < 2; g++) {
		Cost a = cost(c, g, small), b = cost(c, g, large);
		time[g] = exponent(a.time, b.time);
		memory[g] = exponent(a.memory, b.memory);
		at_large[g] = b.time * 1e3;
	}
	bool slow = !(time[1] <= time[0] + TOLERANCE);
	bool fat = !(memory[1] <= memory[0] + TOLERANCE);
	printf("%-12s %10.3f %10.3f %7.2f   %6.2f %6.2f   %6.2f %6.2f%s%s\n", c->name, at_large[0],
	       at_large[1], at_large[1] / at_large[0], time[0], time[1], memory[0], memory[1],
	       slow ? "  TIME" : "", fat ? "  MEMORY" : "");
	fflush(stdout);
	return !slow && !fat;
}

int main(int argc, char **argv)
{
	int bad = 0;
	printf("%-12s %10s %10s %7s   %6s %6s   %6s %6s\n", "function", "value ms", "grad ms",
	       "ratio",
	       "t val", "t grad", "m val", "m grad");
	for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++)
		if (is_wanted(constructs[i].name, argc, argv))
			bad += !measure(&constructs[i]);
	return bad != 0;
}
