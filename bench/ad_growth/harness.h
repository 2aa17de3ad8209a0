// What the drivers of this folder share; after the header of the program that they call.
#include "../cpu/bench.h"

typedef struct futhark_context Ctx;
typedef struct futhark_f64_1d Vector;
typedef struct { double time, memory; } Cost;   // seconds; bytes
// False when it fails, as for want of memory.
typedef bool Call(Ctx *, const void *what, bool gradient, const Vector *x, int64_t k);

// The most memory the context has had in use.
static double peak_of(Ctx *ctx)
{
	char *report = futhark_context_report(ctx);
	char *at = report ? strstr(report, "space\": ") : NULL;
	double bytes = at ? strtod(at + strlen("space\": "), NULL) : 0;
	free(report);
	return bytes;
}

// Of the best call of several, in a context of their own.
static inline Cost cost_of(Call *call, const void *what, bool gradient, const double *data,
                           int64_t n, int64_t k)
{
	enum { LEAST = 3, MOST = 300 };
	struct futhark_context_config *config = futhark_context_config_new();
	Ctx *ctx = futhark_context_new(config);
	Vector *x = futhark_new_f64_1d(ctx, data, n);
	Cost r = {INFINITY, INFINITY};
	bool ok = call(ctx, what, gradient, x, k);
	if (ok)
		r.memory = peak_of(ctx);
	double until = now() + 0.2;
	for (int i = 0; ok && (i < LEAST || (i < MOST && now() < until)); i++) {
		double t = now();
		ok = call(ctx, what, gradient, x, k);
		r.time = fmin(r.time, now() - t);
	}
	futhark_free_f64_1d(ctx, x);
	futhark_context_free(ctx);
	futhark_context_config_free(config);
	return r;
}

// Without names on the command line, all.
static inline bool is_wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc < 2;
}
