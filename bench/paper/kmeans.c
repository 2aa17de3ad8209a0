// The cost of k-means and its Newton direction: by hand, the gradient and the number of points.
#include "kmeans.h"
#include "ad.h"

enum { N = 10000, K = 1000, D = 16 };

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
	static double count[K];
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

int main(void)
{
	SETUP;
	MAKE(double, p, N * D, uniform(0, 1));
	const double *c = p + (N - K) * D;
	ROOM(double, g, K * D);
	ROOM(double, r, K * D);
	ARRAY(f64_2d, fp, p, N, D);
	ARRAY(f64_2d, fc, c, K, D);
	double y;
	volatile double h;
	struct futhark_f64_2d *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, fp, fc));
	h = primal(p, c, N, K, D);
	SAME(&h, &y, 1, 1e-12);
	CHECK(futhark_entry_direction(ctx, &fg, fp, fc));
	FETCH(f64_2d, fg, r);
	direction(g, p, c, N, K, D);
	SAME(g, r, K * D, 1e-10);
	WORKLOAD("kmeans", 1.3, CHECK(futhark_entry_primal(ctx, &y, fp, fc)),
	         { DROP(f64_2d, fg); CHECK(futhark_entry_direction(ctx, &fg, fp, fc)); },
	         h = primal(p, c, N, K, D), direction(g, p, c, N, K, D));
	FINISH;
}
