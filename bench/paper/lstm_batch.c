// A recurrent network on a batch of sequences.  By hand, the gates and states of all steps are kept,
// and products of matrices go along rows.
#include "lstm_batch.h"
#include "ad.h"

typedef struct { int64_t n, b, d, h; } Shape;
typedef struct { double *x, *h, *bias; } Weights;
typedef struct { double *gates, *cell, *hidden; } Log;  // of all steps; states from before the first

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

// r[n][m] += a[n][k] * transpose(b[m][k])
static void add_product_t(double *restrict r, const double *restrict a, const double *restrict b,
                          int64_t n, int64_t m, int64_t k)
{
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < m; j++) {
			double s = 0;
			for (int64_t l = 0; l < k; l++)
				s += a[i * k + l] * b[j * k + l];
			r[i * m + j] += s;
		}
}

// r[n][m] += a[n][k] * b[k][m]
static void add_product(double *restrict r, const double *restrict a, const double *restrict b, int64_t n,
                        int64_t m, int64_t k)
{
	for (int64_t i = 0; i < n; i++)
		for (int64_t l = 0; l < k; l++)
			for (int64_t j = 0; j < m; j++)
				r[i * m + j] += a[i * k + l] * b[l * m + j];
}

// r[n][m] += transpose(a[k][n]) * b[k][m]
static void add_t_product(double *restrict r, const double *restrict a, const double *restrict b,
                          int64_t n, int64_t m, int64_t k)
{
	for (int64_t l = 0; l < k; l++)
		for (int64_t i = 0; i < n; i++)
			for (int64_t j = 0; j < m; j++)
				r[i * m + j] += a[l * n + i] * b[l * m + j];
}

// One step: fills the gates and the next state, gives the sum of the squares.
static double step(double *restrict g, double *restrict c1, double *restrict h1, const double *restrict c0,
                   const double *restrict h0, const double *restrict x, const double *restrict wanted,
                   Weights w, Shape s)
{
	double off = 0;
	for (int64_t i = 0; i < s.b; i++)
		memcpy(g + i * 4 * s.h, w.bias, (size_t)(4 * s.h) * sizeof *g);
	add_product_t(g, x, w.x, s.b, 4 * s.h, s.d);
	add_product_t(g, h0, w.h, s.b, 4 * s.h, s.h);
	for (int64_t i = 0; i < s.b; i++)
		for (int64_t j = 0; j < s.h; j++) {
			double *p = g + i * 4 * s.h + j;
			p[0] = sigmoid(p[0]);
			p[s.h] = sigmoid(p[s.h]);
			p[2 * s.h] = tanh(p[2 * s.h]);
			p[3 * s.h] = sigmoid(p[3 * s.h]);
			int64_t k = i * s.h + j;
			c1[k] = p[s.h] * c0[k] + p[0] * p[2 * s.h];
			h1[k] = p[3 * s.h] * tanh(c1[k]);
			off += (h1[k] - wanted[k]) * (h1[k] - wanted[k]);
		}
	return off;
}

REFERENCE double primal(const double *xs, const double *wanted, Weights w, Shape s, Log log)
{
	double total = 0;
	int64_t state = s.b * s.h;
	memset(log.cell, 0, (size_t)state * sizeof(double));
	memset(log.hidden, 0, (size_t)state * sizeof(double));
	for (int64_t t = 0; t < s.n; t++) {
		double *c0 = log.cell + t % 2 * state, *h0 = log.hidden + t % 2 * state;
		double *c1 = log.cell + (t + 1) % 2 * state, *h1 = log.hidden + (t + 1) % 2 * state;
		total += step(log.gates, c1, h1, c0, h0, xs + t * s.b * s.d, wanted + t * state, w, s);
	}
	return total / (double)(s.n * state);
}

REFERENCE void gradient(Weights r, const double *xs, const double *wanted, Weights w, Shape s, Log log,
                        double *restrict hb, double *restrict cb, double *restrict gb)
{
	int64_t state = s.b * s.h;
	memset(log.cell, 0, (size_t)state * sizeof(double));
	memset(log.hidden, 0, (size_t)state * sizeof(double));
	for (int64_t t = 0; t < s.n; t++)
		step(log.gates + t * 4 * state, log.cell + (t + 1) * state, log.hidden + (t + 1) * state,
		     log.cell + t * state, log.hidden + t * state, xs + t * s.b * s.d, wanted + t * state, w, s);
	memset(r.x, 0, (size_t)(4 * s.h * s.d) * sizeof(double));
	memset(r.h, 0, (size_t)(4 * s.h * s.h) * sizeof(double));
	memset(r.bias, 0, (size_t)(4 * s.h) * sizeof(double));
	memset(hb, 0, (size_t)state * sizeof(double));
	memset(cb, 0, (size_t)state * sizeof(double));
	double scale = 2 / (double)(s.n * state);
	for (int64_t t = s.n - 1; t >= 0; t--) {
		const double *c0 = log.cell + t * state, *c1 = c0 + state, *h1 = log.hidden + (t + 1) * state;
		for (int64_t i = 0; i < s.b; i++)
			for (int64_t j = 0; j < s.h; j++) {
				int64_t k = i * s.h + j;
				const double *p = log.gates + t * 4 * state + i * 4 * s.h + j;
				double *q = gb + i * 4 * s.h + j;
				double in = p[0], forget = p[s.h], change = p[2 * s.h], out = p[3 * s.h];
				double h = hb[k] + scale * (h1[k] - wanted[t * state + k]), tc = tanh(c1[k]);
				double c = cb[k] + h * out * (1 - tc * tc);
				q[0] = c * change * in * (1 - in);
				q[s.h] = c * c0[k] * forget * (1 - forget);
				q[2 * s.h] = c * in * (1 - change * change);
				q[3 * s.h] = h * tc * out * (1 - out);
				cb[k] = c * forget;
			}
		for (int64_t i = 0; i < s.b; i++)
			for (int64_t j = 0; j < 4 * s.h; j++)
				r.bias[j] += gb[i * 4 * s.h + j];
		add_t_product(r.x, gb, xs + t * s.b * s.d, 4 * s.h, s.d, s.b);
		add_t_product(r.h, gb, log.hidden + t * state, 4 * s.h, s.h, s.b);
		memset(hb, 0, (size_t)state * sizeof(double));
		add_product(hb, gb, w.h, s.b, s.h, 4 * s.h);
	}
}

static Weights new_weights(Shape s)
{
	double k = 1 / sqrt((double)s.h);
	MAKE(double, x, 4 * s.h * s.d, uniform(-k, k));
	MAKE(double, h, 4 * s.h * s.h, uniform(-k, k));
	MAKE(double, bias, 4 * s.h, uniform(-k, k));
	return (Weights){x, h, bias};
}

static int one(struct futhark_context *ctx, int64_t b, int64_t n, int64_t d, int64_t h)
{
	Shape s = {n, b, d, h};
	ROW(n * b * h * (d + h), "lstm_batch %lld %lld %lld %lld", (long long)b, (long long)n, (long long)d,
	    (long long)h);
	Weights w = new_weights(s), g = new_weights(s);
	MAKE(double, xs, n * b * d, uniform(-1, 1));
	MAKE(double, wanted, n * b * h, uniform(-1, 1));
	Log log = {malloc((size_t)(n * b * 4 * h) * 8), malloc((size_t)((n + 1) * b * h) * 8),
	           malloc((size_t)((n + 1) * b * h) * 8)};
	ROOM(double, hb, b * h);
	ROOM(double, cb, b * h);
	ROOM(double, gb, 4 * b * h);
	ROOM(double, r, 4 * h * (d + h));
	ARRAY(f64_3d, fxs, xs, n, b, d);
	ARRAY(f64_3d, fwanted, wanted, n, b, h);
	ARRAY(f64_2d, fx, w.x, 4 * h, d);
	ARRAY(f64_2d, fh, w.h, 4 * h, h);
	ARRAY(f64_1d, fb, w.bias, 4 * h);
	double y;
	volatile double c;
	struct futhark_opaque_tup3_arr2d_f64_arr2d_f64_arr1d_f64 *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, fxs, fwanted, fx, fh, fb));
	c = primal(xs, wanted, w, s, log);
	SAME(&c, &y, 1, 1e-12);
	CHECK(futhark_entry_gradient(ctx, &fg, fxs, fwanted, fx, fh, fb));
	gradient(g, xs, wanted, w, s, log, hb, cb, gb);
	FETCH_PART(opaque_tup3_arr2d_f64_arr2d_f64_arr1d_f64, 0, f64_2d, fg, r);
	SAME(g.x, r, 4 * h * d, 1e-12);
	FETCH_PART(opaque_tup3_arr2d_f64_arr2d_f64_arr1d_f64, 1, f64_2d, fg, r);
	SAME(g.h, r, 4 * h * h, 1e-12);
	FETCH_PART(opaque_tup3_arr2d_f64_arr2d_f64_arr1d_f64, 2, f64_1d, fg, r);
	SAME(g.bias, r, 4 * h, 1e-12);
	DUMP("xs", "<f8", xs, n, b, d);
	DUMP("wanted", "<f8", wanted, n, b, h);
	DUMP("wx", "<f8", w.x, 4 * h, d);
	DUMP("wh", "<f8", w.h, 4 * h, h);
	DUMP("bias", "<f8", w.bias, 4 * h);
	DUMP("primal", "<f8", (const double *)&c, 1);
	DUMP("gradient0", "<f8", g.x, 4 * h, d);
	DUMP("gradient1", "<f8", g.h, 4 * h, h);
	DUMP("gradient2", "<f8", g.bias, 4 * h);
	WORKLOAD(3.0, CHECK(futhark_entry_primal(ctx, &y, fxs, fwanted, fx, fh, fb)),
	         {
		         DROP(opaque_tup3_arr2d_f64_arr2d_f64_arr1d_f64, fg);
		         CHECK(futhark_entry_gradient(ctx, &fg, fxs, fwanted, fx, fh, fb));
	         },
	         c = primal(xs, wanted, w, s, log), gradient(g, xs, wanted, w, s, log, hb, cb, gb));
	return 0;
}

static float *to_f32(const double *x, int64_t n)
{
	float *r = malloc((size_t)n * sizeof *r);
	for (int64_t i = 0; i < n; i++)
		r[i] = (float)x[i];
	return r;
}

// Whether results in f32 are those of C in f64, as nearly as f32 can tell: differences are relative to
// the largest element, since those near zero are sums of what cancels.
static void near_f32(const char *what, const double *expected, const float *got, int64_t n)
{
	double top = 0;
	for (int64_t i = 0; i < n; i++)
		top = fmax(top, fabs(expected[i]));
	for (int64_t i = 0; i < n; i++)
		if (!(fabs(expected[i] - (double)got[i]) <= 1e-4 * top)) {
			printf("results differ: %s, %.9g and %.9g at %lld\n", what, expected[i], (double)got[i],
			       (long long)i);
			wrong = 1;
			return;
		}
}

// Results in f32 against those by hand in f64.
static int check_by_hand(struct futhark_context *ctx, float y,
                         struct futhark_opaque_tup3_arr2d_f32_arr2d_f32_arr1d_f32 *fg, const double *xs,
                         const double *wanted, Weights w, Shape s)
{
	Weights g = new_weights(s);
	int64_t state = s.b * s.h;
	ROOM(double, gates, s.n * 4 * state);
	ROOM(double, cells, (s.n + 1) * state);
	ROOM(double, hiddens, (s.n + 1) * state);
	ROOM(double, hb, state);
	ROOM(double, cb, state);
	ROOM(double, gb, 4 * state);
	ROOM(float, r, 4 * s.h * (s.d + s.h));
	Log log = {gates, cells, hiddens};
	double c = primal(xs, wanted, w, s, log);
	near_f32("the function", &c, &y, 1);
	gradient(g, xs, wanted, w, s, log, hb, cb, gb);
	FETCH_PART(opaque_tup3_arr2d_f32_arr2d_f32_arr1d_f32, 0, f32_2d, fg, r);
	near_f32("weights of inputs", g.x, r, 4 * s.h * s.d);
	FETCH_PART(opaque_tup3_arr2d_f32_arr2d_f32_arr1d_f32, 1, f32_2d, fg, r);
	near_f32("weights of states", g.h, r, 4 * s.h * s.h);
	FETCH_PART(opaque_tup3_arr2d_f32_arr2d_f32_arr1d_f32, 2, f32_1d, fg, r);
	near_f32("biases", g.bias, r, 4 * s.h);
	double *rooms[] = {g.x, g.h, g.bias, gates, cells, hiddens, hb, cb, gb};
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
		free(rooms[i]);
	free(r);
	return 0;
}

// The same against those of the program itself in f64, where C would take minutes.
static int check_by_f64(struct futhark_context *ctx, float y,
                        struct futhark_opaque_tup3_arr2d_f32_arr2d_f32_arr1d_f32 *fg, const double *xs,
                        const double *wanted, Weights w, Shape s)
{
	ROOM(double, e, 4 * s.h * (s.d + s.h));
	ROOM(float, r, 4 * s.h * (s.d + s.h));
	ARRAY(f64_3d, fxs, xs, s.n, s.b, s.d);
	ARRAY(f64_3d, fwanted, wanted, s.n, s.b, s.h);
	ARRAY(f64_2d, fx, w.x, 4 * s.h, s.d);
	ARRAY(f64_2d, fh, w.h, 4 * s.h, s.h);
	ARRAY(f64_1d, fb, w.bias, 4 * s.h);
	double c;
	struct futhark_opaque_tup3_arr2d_f64_arr2d_f64_arr1d_f64 *fe = NULL;
	CHECK(futhark_entry_primal(ctx, &c, fxs, fwanted, fx, fh, fb));
	CHECK(futhark_entry_gradient(ctx, &fe, fxs, fwanted, fx, fh, fb));
	CHECK(futhark_context_sync(ctx));
	near_f32("the function", &c, &y, 1);
	FETCH_PART(opaque_tup3_arr2d_f64_arr2d_f64_arr1d_f64, 0, f64_2d, fe, e);
	FETCH_PART(opaque_tup3_arr2d_f32_arr2d_f32_arr1d_f32, 0, f32_2d, fg, r);
	near_f32("weights of inputs", e, r, 4 * s.h * s.d);
	FETCH_PART(opaque_tup3_arr2d_f64_arr2d_f64_arr1d_f64, 1, f64_2d, fe, e);
	FETCH_PART(opaque_tup3_arr2d_f32_arr2d_f32_arr1d_f32, 1, f32_2d, fg, r);
	near_f32("weights of states", e, r, 4 * s.h * s.h);
	FETCH_PART(opaque_tup3_arr2d_f64_arr2d_f64_arr1d_f64, 2, f64_1d, fe, e);
	FETCH_PART(opaque_tup3_arr2d_f32_arr2d_f32_arr1d_f32, 2, f32_1d, fg, r);
	near_f32("biases", e, r, 4 * s.h);
	DROP(opaque_tup3_arr2d_f64_arr2d_f64_arr1d_f64, fe);
	DROP(f64_3d, fxs);
	DROP(f64_3d, fwanted);
	DROP(f64_2d, fx);
	DROP(f64_2d, fh);
	DROP(f64_1d, fb);
	free(e);
	free(r);
	return 0;
}

// The sizes and the precision of the paper, for devices; timed beside nothing in C.
static int one_f32(struct futhark_context *ctx, const char *name, bool by_hand, int64_t b, int64_t n,
                   int64_t d, int64_t h)
{
	Shape s = {n, b, d, h};
	ROW(n * b * h * (d + h), "lstm_batch %s f32", name);
	Weights w = new_weights(s);
	MAKE(double, xs, n * b * d, uniform(-1, 1));
	MAKE(double, wanted, n * b * h, uniform(-1, 1));
	ARRAY(f32_3d, fxs, to_f32(xs, n * b * d), n, b, d);
	ARRAY(f32_3d, fwanted, to_f32(wanted, n * b * h), n, b, h);
	ARRAY(f32_2d, fx, to_f32(w.x, 4 * h * d), 4 * h, d);
	ARRAY(f32_2d, fh, to_f32(w.h, 4 * h * h), 4 * h, h);
	ARRAY(f32_1d, fb, to_f32(w.bias, 4 * h), 4 * h);
	float y;
	struct futhark_opaque_tup3_arr2d_f32_arr2d_f32_arr1d_f32 *fg = NULL;
	CHECK(futhark_entry_primal_f32(ctx, &y, fxs, fwanted, fx, fh, fb));
	CHECK(futhark_entry_gradient_f32(ctx, &fg, fxs, fwanted, fx, fh, fb));
	CHECK(futhark_context_sync(ctx));
	if ((by_hand ? check_by_hand : check_by_f64)(ctx, y, fg, xs, wanted, w, s))
		return 1;
	WORKLOAD_IF(3.0, 1, CHECK(futhark_entry_primal_f32(ctx, &y, fxs, fwanted, fx, fh, fb)),
	            {
		            DROP(opaque_tup3_arr2d_f32_arr2d_f32_arr1d_f32, fg);
		            CHECK(futhark_entry_gradient_f32(ctx, &fg, fxs, fwanted, fx, fh, fb));
	            },
	            0, (void)0, 0, (void)0);
	return 0;
}

int main(void)
{
	SETUP;
	if (sizes_some() && (one(ctx, 8, 5, 10, 8) || one(ctx, 32, 10, 30, 24) ||
	                     one_f32(ctx, "small", true, 32, 10, 30, 24)))
		return 1;
	if (one(ctx, 64, 20, 100, 64))
		return 1;
	if (sizes_all() && (one_f32(ctx, "D0", true, 1024, 20, 300, 192) ||
	                    one_f32(ctx, "D1", false, 1024, 300, 80, 256)))
		return 1;
	FINISH;
}
