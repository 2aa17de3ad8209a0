// k-means of sparse points: by hand, the gradient over the number of points of each centre.
#include "kmeans_sparse.h"
#include "ad.h"

enum { K = 10 };

typedef struct { int64_t n, d, z; double *values; int32_t *columns; int64_t *starts; } Sparse;

static int nearest(double *restrict least, const Sparse *s, int64_t i, const double *restrict c,
                   const double *restrict norms)
{
	int at = 0;
	*least = INFINITY;
	for (int k = 0; k < K; k++) {
		double t = norms[k];
		for (int64_t j = s->starts[i]; j < s->starts[i + 1]; j++)
			t += s->values[j] * (s->values[j] - 2 * c[k * s->d + s->columns[j]]);
		if (t < *least) {
			*least = t;
			at = k;
		}
	}
	return at;
}

static void make_norms(double *restrict norms, const double *restrict c, int64_t d)
{
	for (int k = 0; k < K; k++) {
		norms[k] = 0;
		for (int64_t j = 0; j < d; j++)
			norms[k] += c[k * d + j] * c[k * d + j];
	}
}

REFERENCE double primal(const Sparse *s, const double *restrict c)
{
	double norms[K], total = 0, least;
	make_norms(norms, c, s->d);
	for (int64_t i = 0; i < s->n; i++) {
		nearest(&least, s, i, c, norms);
		total += least;
	}
	return total;
}

REFERENCE void direction(double *restrict r, const Sparse *s, const double *restrict c)
{
	double norms[K], count[K] = {0}, least;
	make_norms(norms, c, s->d);
	memset(r, 0, (size_t)(K * s->d) * sizeof *r);
	for (int64_t i = 0; i < s->n; i++) {
		int k = nearest(&least, s, i, c, norms);
		count[k]++;
		for (int64_t j = s->starts[i]; j < s->starts[i + 1]; j++)
			r[k * s->d + s->columns[j]] += s->values[j];
	}
	for (int k = 0; k < K; k++)
		for (int64_t j = 0; j < s->d; j++)
			r[k * s->d + j] = c[k * s->d + j] - r[k * s->d + j] / count[k];
}

// Rows of about the same length, with ascending columns.
static Sparse make_sparse(int64_t n, int64_t d, int64_t z)
{
	int64_t per = z / n;
	Sparse s = {n, d, per * n, malloc((size_t)(per * n) * sizeof(double)),
	            malloc((size_t)(per * n) * sizeof(int32_t)), malloc((size_t)(n + 1) * sizeof(int64_t))};
	for (int64_t i = 0; i <= n; i++)
		s.starts[i] = i * per;
	for (int64_t j = 0; j < s.z; j++) {
		s.values[j] = uniform(0.5, 5);
		s.columns[j] = (int32_t)((j % per) * d / per + below(d / per));
	}
	return s;
}

static int one(struct futhark_context *ctx, const char *name, int64_t n, int64_t d, int64_t z)
{
	ROW(z, "kmeans_sparse %s", name);
	Sparse s = make_sparse(n, d, z);
	MAKE(double, c, K * d, uniform(0, 0.2));
	ROOM(double, g, K * d);
	ROOM(double, r, K * d);
	ARRAY(f64_1d, values, s.values, s.z);
	ARRAY(i32_1d, columns, s.columns, s.z);
	ARRAY(i64_1d, starts, s.starts, n + 1);
	ARRAY(f64_2d, fc, c, K, d);
	double y;
	volatile double h;
	struct futhark_f64_2d *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, values, columns, starts, fc));
	h = primal(&s, c);
	SAME(&h, &y, 1, 1e-10);
	CHECK(futhark_entry_direction(ctx, &fg, values, columns, starts, fc));
	FETCH(f64_2d, fg, r);
	direction(g, &s, c);
	SAME(g, r, K * d, 1e-9);
	DUMP("values", "<f8", s.values, s.z);
	DUMP("columns", "<i4", s.columns, s.z);
	DUMP("starts", "<i8", s.starts, n + 1);
	DUMP("centres", "<f8", c, K, d);
	DUMP("primal", "<f8", (const double *)&h, 1);
	DUMP("gradient", "<f8", g, K, d);
	WORKLOAD(1.5, CHECK(futhark_entry_primal(ctx, &y, values, columns, starts, fc)),
	         {
		         DROP(f64_2d, fg);
		         CHECK(futhark_entry_direction(ctx, &fg, values, columns, starts, fc));
	         },
	         h = primal(&s, c), direction(g, &s, c));
	return 0;
}

int main(void)
{
	SETUP;
	if (sizes_some() && (one(ctx, "20k", 500, 1000, 20000) || one(ctx, "200k", 2000, 2000, 200000)))
		return 1;
	if (one(ctx, "2M", 14000, 2700, 2000000))
		return 1;
	// The shapes of movielens, nytimes and scrna.
	if (sizes_all() && (one(ctx, "movielens", 138493, 26744, 20000263) ||
	                    one(ctx, "nytimes", 299752, 102660, 69679427) ||
	                    one(ctx, "scrna", 66265, 26485, 87800000)))
		return 1;
	FINISH;
}
