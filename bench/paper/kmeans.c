// The cost of k-means and its Newton direction: by hand, the gradient and the number of points.
#include "kmeans.h"
#include "ad.h"

enum { MOST = 1024 };

static double distance2(const double *restrict a, const double *restrict b, int64_t d)
{
	double s = 0;
	for (int64_t i = 0; i < d; i++)
		s += (a[i] - b[i]) * (a[i] - b[i]);
	return s;
}

REFERENCE double primal(const double *restrict p, const double *restrict c, int64_t n, int64_t k,
                        int64_t d)
{
	double total = 0;
	for (int64_t i = 0; i < n; i++) {
		double least = INFINITY;
		for (int64_t j = 0; j < k; j++) {
			double s = distance2(p + i * d, c + j * d, d);
			least = s < least ? s : least;
		}
		total += least;
	}
	return total;
}

REFERENCE void direction(double *restrict r, const double *restrict p, const double *restrict c,
                         int64_t n, int64_t k, int64_t d)
{
	static double count[MOST];
	memset(r, 0, (size_t)(k * d) * sizeof *r);
	memset(count, 0, sizeof count);
	for (int64_t i = 0; i < n; i++) {
		double least = INFINITY;
		int64_t at = 0;
		for (int64_t j = 0; j < k; j++) {
			double s = distance2(p + i * d, c + j * d, d);
			if (s < least) {
				least = s;
				at = j;
			}
		}
		count[at]++;
		for (int64_t l = 0; l < d; l++)
			r[at * d + l] += c[at * d + l] - p[i * d + l];
	}
	for (int64_t j = 0; j < k; j++)
		for (int64_t l = 0; l < d; l++)
			r[j * d + l] /= count[j];
}

static int one(struct futhark_context *ctx, int64_t k, int64_t n, int64_t d)
{
	ROW(k * n * d, "kmeans %lld %lld %lld", (long long)k, (long long)n, (long long)d);
	MAKE(double, p, n * d, uniform(0, 1));
	const double *c = p + (n - k) * d;
	ROOM(double, g, k * d);
	ROOM(double, r, k * d);
	ARRAY(f64_2d, fp, p, n, d);
	ARRAY(f64_2d, fc, c, k, d);
	double y;
	volatile double h;
	struct futhark_f64_2d *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, fp, fc));
	h = primal(p, c, n, k, d);
	SAME(&h, &y, 1, 1e-11);
	CHECK(futhark_entry_direction(ctx, &fg, fp, fc));
	FETCH(f64_2d, fg, r);
	direction(g, p, c, n, k, d);
	SAME(g, r, k * d, 1e-10);
	DUMP("points", "<f8", p, n, d);
	DUMP("centres", "<f8", c, k, d);
	DUMP("primal", "<f8", (const double *)&h, 1);
	DUMP("gradient", "<f8", g, k, d);
	WORKLOAD(1.3, CHECK(futhark_entry_primal(ctx, &y, fp, fc)),
	         { DROP(f64_2d, fg); CHECK(futhark_entry_direction(ctx, &fg, fp, fc)); },
	         h = primal(p, c, n, k, d), direction(g, p, c, n, k, d));
	return 0;
}

int main(void)
{
	SETUP;
	if (sizes_some() && (one(ctx, 10, 1000, 8) || one(ctx, 100, 1000, 8) || one(ctx, 100, 10000, 16)))
		return 1;
	if (one(ctx, 1000, 10000, 16))
		return 1;
	// The sizes of the paper.
	if (sizes_some() && one(ctx, 5, 494019, 35))
		return 1;
	if (sizes_all() && one(ctx, 1024, 10000, 256))
		return 1;
	FINISH;
}
