// Times gradients that accumulate, beside three ways to write each with OpenMP: atomic additions,
// copies of the sums for each thread, and threads that own what they add to.  Checks the results.
#include "accumulation.h"
#include "bench.h"
#include <omp.h>

static int n_threads;

// ---- By an index ----

static void indirect_atomic(double *restrict g, const int64_t *is, const double *w, const double *y,
                            int64_t n, int64_t m)
{
	memset(g, 0, (size_t)m * sizeof *g);
#pragma omp parallel for num_threads(n_threads)
	for (int64_t i = 0; i < n; i++) {
		double v = 2 * w[i] * y[is[i]];
#pragma omp atomic
		g[is[i]] += v;
	}
}

static void indirect_private(double *restrict g, const int64_t *is, const double *w, const double *y,
                             int64_t n, int64_t m)
{
	double *all = malloc((size_t)(m * n_threads) * sizeof *all);
#pragma omp parallel num_threads(n_threads)
	{
		double *mine = all + m * omp_get_thread_num();
		memset(mine, 0, (size_t)m * sizeof *mine);
#pragma omp for
		for (int64_t i = 0; i < n; i++)
			mine[is[i]] += 2 * w[i] * y[is[i]];
#pragma omp for
		for (int64_t k = 0; k < m; k++) {
			double s = 0;
			for (int t = 0; t < omp_get_num_threads(); t++)
				s += all[m * t + k];
			g[k] = s;
		}
	}
	free(all);
}

static void indirect_owner(double *restrict g, const int64_t *is, const double *w, const double *y,
                           int64_t n, int64_t m)
{
#pragma omp parallel num_threads(n_threads)
	{
		int64_t t = omp_get_thread_num(), all = omp_get_num_threads();
		int64_t lo = m * t / all, hi = m * (t + 1) / all;
		memset(g + lo, 0, (size_t)(hi - lo) * sizeof *g);
		for (int64_t i = 0; i < n; i++)
			if (is[i] >= lo && is[i] < hi)
				g[is[i]] += 2 * w[i] * y[is[i]];
	}
}

// ---- Neighbours ----

static void dense_atomic(double *restrict g, const double *w, const double *y, int64_t n)
{
	memset(g, 0, (size_t)n * sizeof *g);
#pragma omp parallel for num_threads(n_threads)
	for (int64_t i = 0; i < n - 1; i++) {
#pragma omp atomic
		g[i] += w[i] * y[i + 1];
#pragma omp atomic
		g[i + 1] += w[i] * y[i];
	}
}

static void dense_private(double *restrict g, const double *w, const double *y, int64_t n)
{
	double *all = malloc((size_t)(n * n_threads) * sizeof *all);
#pragma omp parallel num_threads(n_threads)
	{
		double *mine = all + n * omp_get_thread_num();
		memset(mine, 0, (size_t)n * sizeof *mine);
#pragma omp for
		for (int64_t i = 0; i < n - 1; i++) {
			mine[i] += w[i] * y[i + 1];
			mine[i + 1] += w[i] * y[i];
		}
#pragma omp for
		for (int64_t k = 0; k < n; k++) {
			double s = 0;
			for (int t = 0; t < omp_get_num_threads(); t++)
				s += all[n * t + k];
			g[k] = s;
		}
	}
	free(all);
}

static void dense_owner(double *restrict g, const double *w, const double *y, int64_t n)
{
#pragma omp parallel for num_threads(n_threads)
	for (int64_t i = 0; i < n; i++)
		g[i] = (i + 1 < n ? w[i] * y[i + 1] : 0) + (i > 0 ? w[i - 1] * y[i - 1] : 0);
}

// ---- Products of matrices: da = w b', db = a' w ----

static void product_atomic(double *restrict da, double *restrict db, const double *w, const double *a,
                           const double *b, int64_t n)
{
	memset(db, 0, (size_t)(n * n) * sizeof *db);
#pragma omp parallel for num_threads(n_threads)
	for (int64_t i = 0; i < n; i++)
		for (int64_t k = 0; k < n; k++) {
			double s = 0, x = a[i * n + k];
			for (int64_t j = 0; j < n; j++) {
				s += w[i * n + j] * b[k * n + j];
#pragma omp atomic
				db[k * n + j] += x * w[i * n + j];
			}
			da[i * n + k] = s;
		}
}

static void product_private(double *restrict da, double *restrict db, const double *w,
                            const double *a, const double *b, int64_t n)
{
	double *all = calloc((size_t)(n * n * n_threads), sizeof *all);
#pragma omp parallel num_threads(n_threads)
	{
		double *restrict mine = all + n * n * omp_get_thread_num();
#pragma omp for
		for (int64_t i = 0; i < n; i++)
			for (int64_t k = 0; k < n; k++) {
				double s = 0, x = a[i * n + k];
				for (int64_t j = 0; j < n; j++) {
					s += w[i * n + j] * b[k * n + j];
					mine[k * n + j] += x * w[i * n + j];
				}
				da[i * n + k] = s;
			}
#pragma omp for
		for (int64_t k = 0; k < n * n; k++) {
			double s = 0;
			for (int t = 0; t < omp_get_num_threads(); t++)
				s += all[n * n * t + k];
			db[k] = s;
		}
	}
	free(all);
}

static void product_owner(double *restrict da, double *restrict db, const double *w, const double *a,
                          const double *b, int64_t n)
{
#pragma omp parallel num_threads(n_threads)
	{
#pragma omp for
		for (int64_t i = 0; i < n; i++)
			for (int64_t k = 0; k < n; k++) {
				double s = 0;
				for (int64_t j = 0; j < n; j++)
					s += w[i * n + j] * b[k * n + j];
				da[i * n + k] = s;
			}
#pragma omp for
		for (int64_t k = 0; k < n; k++) {
			memset(db + k * n, 0, (size_t)n * sizeof *db);
			for (int64_t i = 0; i < n; i++)
				for (int64_t j = 0; j < n; j++)
					db[k * n + j] += a[i * n + k] * w[i * n + j];
		}
	}
}

// ---- Rows of the table ----

// Longer than threads without work stay awake, those of OpenMP for ten milliseconds and more: what
// is timed has the processors for itself.
static void let_others_sleep(void)
{
	struct timespec t = {0, 40000000};
	nanosleep(&t, NULL);
}

// The least time of a few runs.
#define TIME(best, what) do { \
	let_others_sleep(); \
	for (int k_ = 0; k_ < 5; k_++) { \
		double before_ = now(); \
		what; \
		double t_ = now() - before_; \
		if (t_ < (best)) (best) = t_; \
	} \
} while (0)

// Times four statements, by turns a few runs of each; the first is ours, and gives its results to `check`,
// which compares them with those of each of the others.
#define ROW(label, raido, c1, c2, c3, check) do { \
	double best_[4] = {1e30, 1e30, 1e30, 1e30}, until_ = now() + 1; \
	raido; \
	c1; check; c2; check; c3; check; \
	for (int run_ = 0; run_ < 2 || (now() < until_ && run_ < 20); run_++) { \
		TIME(best_[0], raido); \
		TIME(best_[1], c1); \
		TIME(best_[2], c2); \
		TIME(best_[3], c3); \
	} \
	double least_ = best_[1] < best_[2] ? best_[1] : best_[2]; \
	if (best_[3] < least_) least_ = best_[3]; \
	printf("%-26s %10.3f %10.3f %10.3f %10.3f %8.2f%s\n", label, best_[0] * 1e3, best_[1] * 1e3, \
	       best_[2] * 1e3, best_[3] * 1e3, best_[0] / least_, wrong ? "  WRONG" : ""); \
	fflush(stdout); \
} while (0)

static int by_index(struct futhark_context *ctx, const char *label, int64_t n, int64_t m, int64_t hot)
{
	MAKE(int64_t, is, n, hot && below(100) ? hot : below(m));
	MAKE(double, w, n, uniform(-1, 1));
	MAKE(double, y, m, uniform(-1, 1));
	ROOM(double, g, m);
	ROOM(double, r, m);
	ARRAY(i64_1d, fis, is, n);
	ARRAY(f64_1d, fw, w, n);
	ARRAY(f64_1d, fy, y, m);
	struct futhark_f64_1d *out = NULL;
	ROW(label, { DROP(f64_1d, out); CHECK(futhark_entry_indirect(ctx, &out, fis, fw, fy)); },
	    indirect_atomic(g, is, w, y, n, m), indirect_private(g, is, w, y, n, m),
	    indirect_owner(g, is, w, y, n, m),
	    { CHECK(futhark_values_f64_1d(ctx, out, r)); SAME(g, r, m, 1e-9); });
	return 0;
}

static int neighbours(struct futhark_context *ctx, int64_t n)
{
	MAKE(double, w, n, uniform(-1, 1));
	MAKE(double, y, n, uniform(-1, 1));
	ROOM(double, g, n);
	ROOM(double, r, n);
	ARRAY(f64_1d, fw, w, n);
	ARRAY(f64_1d, fy, y, n);
	struct futhark_f64_1d *out = NULL;
	ROW("dense, large", { DROP(f64_1d, out); CHECK(futhark_entry_dense(ctx, &out, fw, fy)); },
	    dense_atomic(g, w, y, n), dense_private(g, w, y, n), dense_owner(g, w, y, n),
	    { CHECK(futhark_values_f64_1d(ctx, out, r)); SAME(g, r, n, 1e-9); });
	return 0;
}

static int products(struct futhark_context *ctx, int64_t n)
{
	MAKE(double, w, n * n, uniform(-1, 1));
	MAKE(double, a, n * n, uniform(-1, 1));
	MAKE(double, b, n * n, uniform(-1, 1));
	ROOM(double, da, 2 * n * n);
	ROOM(double, r, 2 * n * n);
	double *db = da + n * n;
	ARRAY(f64_2d, fw, w, n, n);
	ARRAY(f64_2d, fa, a, n, n);
	ARRAY(f64_2d, fb, b, n, n);
	struct futhark_f64_3d *out = NULL;
	ROW("product of matrices",
	    { DROP(f64_3d, out); CHECK(futhark_entry_product(ctx, &out, fw, fa, fb)); },
	    product_atomic(da, db, w, a, b, n), product_private(da, db, w, a, b, n),
	    product_owner(da, db, w, a, b, n),
	    { CHECK(futhark_values_f64_3d(ctx, out, r)); SAME(da, r, 2 * n * n, 1e-9); });
	return 0;
}

int main(void)
{
	SETUP;
	n_threads = atoi(getenv("OMP_NUM_THREADS"));
	int failed = by_index(ctx, "dense, small (100)", 2000000, 100, 0) ||
	             neighbours(ctx, 2000000) ||
	             by_index(ctx, "sparse, indirect (1M)", 2000000, 1000000, 0) ||
	             by_index(ctx, "one hot element (of 1M)", 2000000, 1000000, 77) ||
	             products(ctx, 256);
	return failed || wrong;
}
