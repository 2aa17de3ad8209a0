// Gradients of the loops of budget.fut under memory budgets: how often iterations are executed, as
// the calls of cbrt count them (budget.h), beside the optimum for that much memory; peak of memory;
// time.
#include "budget_program.h"
#include "harness.h"

long long n_cbrt;

typedef int Gradient(Ctx *, Vector **, int64_t, const Vector *);

// Executions of each iteration with s states at most: the forward sweep's and, with C(s + r, s) >= n,
// the least that any order of snapshots takes, and one more for the return sweep.
static double optimum(double n, double s)
{
	double c = 1, r = 0;
	if (s >= n)
		return 2;
	while (c < n) {
		r++;
		c = c * (s + r) / r;
	}
	// r * n - C(s + r, s + 1) advances, the forward sweep among them.
	return (r * n - c * r / (s + 1)) / n + 1;
}

static void measure(const char *name, Gradient *gradient, int64_t n, int64_t k, double per_state,
                    size_t budget, double *reference)
{
	struct futhark_context_config *config = futhark_context_config_new();
	if (futhark_context_config_set_memory_budget(config, budget) != 0)
		exit(1);
	Ctx *ctx = futhark_context_new(config);
	double *x = malloc((size_t)k * sizeof *x), *g = malloc((size_t)k * sizeof *g);
	for (int64_t i = 0; i < k; i++)
		x[i] = 2 + sin(0.7 * (double)i + 0.2);
	Vector *vx = futhark_new_f64_1d(ctx, x, k), *out;
	n_cbrt = 0;
	double t = now();
	if (gradient(ctx, &out, n, vx) != 0 || futhark_context_sync(ctx) != 0) {
		fprintf(stderr, "%s\n", futhark_context_get_error(ctx));
		exit(1);
	}
	t = now() - t;
	futhark_values_f64_1d(ctx, out, g);
	double peak = peak_of(ctx), worst = 0;
	for (int64_t i = 0; i < k; i++) {
		if (!reference[k])
			reference[i] = g[i];
		worst = fmax(worst, fabs(g[i] - reference[i]));
	}
	reference[k] = 1;
	double executed = (double)n_cbrt / (double)n / per_state;
	printf("%-8s %9lld %8lld %12zu %12.0f %9.2f %9.2f %8.2f %10.1e%s\n", name, (long long)n,
	       (long long)k * 8, budget, peak, executed,
	       optimum((double)n, (double)budget / (double)(k * 8)), t, worst,
	       peak > (double)budget ? "  OVER" : "");
	fflush(stdout);
	futhark_free_f64_1d(ctx, out);
	futhark_free_f64_1d(ctx, vx);
	futhark_context_free(ctx);
	futhark_context_config_free(config);
	free(x);
	free(g);
}

int main(void)
{
	static double reference[1 << 16];
	static const size_t long_budgets[] = {1u << 30, 1 << 24, 1 << 20, 1 << 17, 1 << 15, 1 << 14};
	static const size_t large_budgets[] = {1u << 30, 1 << 28, 1 << 26, 1 << 24, 1 << 23};
	printf("%-8s %9s %8s %12s %12s %9s %9s %8s %10s\n", "loop", "n", "state B", "budget B",
	       "peak B", "executed", "optimum", "s", "differs");
	for (size_t i = 0; i < sizeof long_budgets / sizeof *long_budgets; i++)
		measure("long", futhark_entry_long_g, 1000000, 10, 10, long_budgets[i], reference);
	memset(reference, 0, sizeof reference);
	for (size_t i = 0; i < sizeof large_budgets / sizeof *large_budgets; i++)
		measure("long", futhark_entry_long_g, 1000, 50000, 50000, large_budgets[i],
		        reference);
	memset(reference, 0, sizeof reference);
	for (size_t i = 0; i < sizeof long_budgets / sizeof *long_budgets; i++)
		measure("places", futhark_entry_places_g, 1000000, 100, 1, long_budgets[i],
		        reference);
	return 0;
}
