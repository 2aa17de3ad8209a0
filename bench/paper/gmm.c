// A mixture of Gaussians.
#include "gmm.h"
#include "ad.h"
#include "adbench.h"

enum { MOST = 128, MOST_K = 200 };

typedef struct { double *alpha, *mu, *q, *l; } Params;

static int64_t N, K;                            // points, components

static double logsumexp(const double *x, int64_t n)
{
	double top = -INFINITY, s = 0;
	for (int64_t i = 0; i < n; i++)
		top = x[i] > top ? x[i] : top;
	for (int64_t i = 0; i < n; i++)
		s += exp(x[i] - top);
	return top + log(s);
}

static double log_gamma(double a, int64_t p)
{
	double s = 0.25 * (double)(p * (p - 1)) * log(M_PI);
	for (int64_t j = 0; j < p; j++)
		s += lgamma(a - 0.5 * (double)j);
	return s;
}

// y = Q v, by columns; the square of its length.
static double product(double *restrict y, const double *restrict eq, const double *restrict l,
                      const double *restrict v, int64_t d)
{
	double s = 0;
	for (int64_t i = 0; i < d; i++)
		y[i] = eq[i] * v[i];
	for (int64_t j = 0; j < d; j++) {
		for (int64_t i = j + 1; i < d; i++)
			y[i] += l[i - j - 1] * v[j];
		l += d - j - 1;
	}
	for (int64_t i = 0; i < d; i++)
		s += y[i] * y[i];
	return s;
}

static double constants(double gamma, int64_t m, int64_t d)
{
	double w = (double)(d + m + 1);
	return -0.5 * (double)N * (double)d * log(2 * M_PI) +
	       (double)K * (w * (double)d * (log(gamma) - 0.5 * log(2)) - log_gamma(0.5 * w, d));
}

// The prior of the components; fills exp q and the sums of q.
static double prior(double *restrict eq, double *restrict sums, Params p, double gamma, int64_t m,
                    int64_t d)
{
	double s = 0;
	int64_t t = d * (d - 1) / 2;
	for (int64_t k = 0; k < K; k++) {
		double squares = 0;
		sums[k] = 0;
		for (int64_t i = 0; i < d; i++) {
			eq[k * d + i] = exp(p.q[k * d + i]);
			sums[k] += p.q[k * d + i];
			squares += eq[k * d + i] * eq[k * d + i];
		}
		for (int64_t i = 0; i < t; i++)
			squares += p.l[k * t + i] * p.l[k * t + i];
		s += 0.5 * gamma * gamma * squares - (double)m * sums[k];
	}
	return s;
}

static double eq[MOST_K * MOST], sums[MOST_K], terms[MOST_K], ys[MOST_K * MOST], vs[MOST_K * MOST];

static void point(const double *restrict x, Params p, int64_t d)
{
	int64_t t = d * (d - 1) / 2;
	for (int64_t k = 0; k < K; k++) {
		for (int64_t i = 0; i < d; i++)
			vs[k * d + i] = x[i] - p.mu[k * d + i];
		terms[k] = p.alpha[k] + sums[k] -
			0.5 * product(ys + k * d, eq + k * d, p.l + k * t, vs + k * d, d);
	}
}

REFERENCE double primal(double gamma, int64_t m, Params p, const double *x, int64_t d)
{
	double s = constants(gamma, m, d) - prior(eq, sums, p, gamma, m, d);
	for (int64_t i = 0; i < N; i++) {
		point(x + i * d, p, d);
		s += logsumexp(terms, K);
	}
	return s - (double)N * logsumexp(p.alpha, K);
}

static void point_back(Params g, const Params p, int64_t k, double w, int64_t d)
{
	int64_t t = d * (d - 1) / 2;
	const double *y = ys + k * d, *v = vs + k * d, *l = p.l + k * t;
	double *restrict lb = g.l + k * t, *restrict qb = g.q + k * d, *restrict mub = g.mu + k * d;
	g.alpha[k] += w;
	for (int64_t j = 0; j < d; j++) {
		double back = eq[k * d + j] * y[j];
		qb[j] += w * (1 - back * v[j]);
		for (int64_t i = j + 1; i < d; i++) {
			back += l[i - j - 1] * y[i];
			lb[i - j - 1] -= w * v[j] * y[i];
		}
		mub[j] += w * back;
		l += d - j - 1;
		lb += d - j - 1;
	}
}

REFERENCE void gradient(Params g, double gamma, int64_t m, Params p, const double *x, int64_t d)
{
	int64_t t = d * (d - 1) / 2;
	prior(eq, sums, p, gamma, m, d);
	double all = logsumexp(p.alpha, K);
	for (int64_t k = 0; k < K; k++)
		g.alpha[k] = -(double)N * exp(p.alpha[k] - all);
	for (int64_t i = 0; i < K * d; i++) {
		g.mu[i] = 0;
		g.q[i] = (double)m - gamma * gamma * eq[i] * eq[i];
	}
	for (int64_t i = 0; i < K * t; i++)
		g.l[i] = -gamma * gamma * p.l[i];
	for (int64_t i = 0; i < N; i++) {
		point(x + i * d, p, d);
		double sum = logsumexp(terms, K);
		for (int64_t k = 0; k < K; k++)
			point_back(g, p, k, exp(terms[k] - sum), d);
	}
}

static Params params(int64_t d)
{
	MAKE(double, alpha, K, uniform(-1, 1));
	MAKE(double, mu, K * d, uniform(0, 1));
	MAKE(double, q, K * d, uniform(-1, 1));
	MAKE(double, l, K * d * (d - 1) / 2, uniform(-1, 1));
	return (Params){alpha, mu, q, l};
}

typedef struct futhark_opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64 Tuple;

static int run(struct futhark_context *ctx, double bar, int64_t d, double gamma, int64_t m, Params p,
               const double *x)
{
	int64_t t = d * (d - 1) / 2;
	double y;
	volatile double c;
	Params g = params(d);
	ROOM(double, r, K * (t + d));
	ARRAY(f64_1d, alpha, p.alpha, K);
	ARRAY(f64_2d, mu, p.mu, K, d);
	ARRAY(f64_2d, q, p.q, K, d);
	ARRAY(f64_2d, l, p.l, K, t);
	ARRAY(f64_2d, fx, x, N, d);
	Tuple *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, gamma, m, alpha, mu, q, l, fx));
	c = primal(gamma, m, p, x, d);
	SAME(&c, &y, 1, 1e-12);
	CHECK(futhark_entry_gradient(ctx, &fg, gamma, m, alpha, mu, q, l, fx));
	gradient(g, gamma, m, p, x, d);
	FETCH_PART(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, 0, f64_1d, fg, r);
	SAME(g.alpha, r, K, 1e-10);
	FETCH_PART(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, 1, f64_2d, fg, r);
	SAME(g.mu, r, K * d, 1e-10);
	FETCH_PART(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, 2, f64_2d, fg, r);
	SAME(g.q, r, K * d, 1e-10);
	FETCH_PART(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, 3, f64_2d, fg, r);
	SAME(g.l, r, K * t, 1e-10);
	DUMP("gamma", "<f8", &gamma, 1);
	DUMP("m", "<i8", &m, 1);
	DUMP("alpha", "<f8", p.alpha, K);
	DUMP("mu", "<f8", p.mu, K, d);
	DUMP("q", "<f8", p.q, K, d);
	DUMP("l", "<f8", p.l, K, t);
	DUMP("x", "<f8", x, N, d);
	DUMP("primal", "<f8", (const double *)&c, 1);
	DUMP("gradient0", "<f8", g.alpha, K);
	DUMP("gradient1", "<f8", g.mu, K, d);
	DUMP("gradient2", "<f8", g.q, K, d);
	DUMP("gradient3", "<f8", g.l, K, t);
	WORKLOAD(bar, CHECK(futhark_entry_primal(ctx, &y, gamma, m, alpha, mu, q, l, fx)),
	         {
		         DROP(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, fg);
		         CHECK(futhark_entry_gradient(ctx, &fg, gamma, m, alpha, mu, q, l, fx));
	         },
	         c = primal(gamma, m, p, x, d), gradient(g, gamma, m, p, x, d));
	return 0;
}

static int one(struct futhark_context *ctx, double bar, int64_t d, int64_t k, int64_t n)
{
	ROW(n * k * d * d, "gmm %lld %lld %lld", (long long)d, (long long)k, (long long)n);
	N = n;
	K = k;
	Params p = params(d);
	MAKE(double, x, n * d, uniform(0, 1));
	return run(ctx, bar, d, 1, 0, p, x);
}

// A problem in a file of ADBench.
static int file(struct futhark_context *ctx, const char *path)
{
	Gmm f;
	if (!load_gmm(path, &f) || f.k > MOST_K || f.d > MOST)
		return 1;
	ROW(f.n * f.k * f.d * f.d, "gmm %s", base_name(path));
	N = f.n;
	K = f.k;
	return run(ctx, 0, f.d, f.gamma, f.m, (Params){f.alpha, f.mu, f.q, f.l}, f.x);
}

int main(int argc, char **argv)
{
	SETUP;
	for (int i = 1; i < argc; i++)
		if (file(ctx, argv[i]))
			return 1;
	if (argc > 1)
		FINISH;
	if (sizes_some() && (one(ctx, 3.4, 2, 5, 1000) || one(ctx, 3.4, 10, 25, 1000)))
		return 1;
	if (one(ctx, 3.4, 20, 100, 1000) || one(ctx, 4.0, 64, 100, 1000))
		return 1;
	// The sizes of the paper, D0 to D5.
	if (sizes_all() && (one(ctx, 4.0, 64, 200, 1000) || one(ctx, 4.0, 128, 200, 1000) ||
	                    one(ctx, 4.0, 32, 200, 10000) || one(ctx, 4.0, 64, 25, 10000) ||
	                    one(ctx, 4.0, 128, 25, 10000) || one(ctx, 4.0, 128, 200, 10000)))
		return 1;
	FINISH;
}
