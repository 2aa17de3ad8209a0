// A recurrent network.  The hand-written gradient keeps the gates and states of all steps.
#include "lstm.h"
#include "ad.h"
#include "adbench.h"

enum { B = 14 };

static int L;                                   // layers

typedef struct { double forget[B], in[B], out[B], change[B], cell[B], hidden[B], tanh_cell[B]; } Layer;
// Of one layer: weights and biases of the gates; hidden and cell.
typedef double Main[2][4][B];
typedef double Extra[3][B];
typedef double State[2][B];

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static void layer_step(Layer *restrict r, const double (*restrict p)[4][B], const double *restrict hidden,
                       const double *restrict cell, const double *restrict x)
{
	for (int j = 0; j < B; j++) {
		r->forget[j] = sigmoid(x[j] * p[0][0][j] + p[1][0][j]);
		r->in[j] = sigmoid(hidden[j] * p[0][1][j] + p[1][1][j]);
		r->out[j] = sigmoid(x[j] * p[0][2][j] + p[1][2][j]);
		r->change[j] = tanh(hidden[j] * p[0][3][j] + p[1][3][j]);
		r->cell[j] = cell[j] * r->forget[j] + r->in[j] * r->change[j];
		r->tanh_cell[j] = tanh(r->cell[j]);
		r->hidden[j] = r->out[j] * r->tanh_cell[j];
	}
}

// The loss of one step; y gets the exponentials of the prediction, and their sum is returned.
static double output(double *restrict y, double *restrict sum, const double *restrict x, Extra extra,
                     const double *restrict next)
{
	double s = 2, total = 0;
	for (int j = 0; j < B; j++) {
		double a = x[j] * extra[1][j] + extra[2][j];
		y[j] = exp(a);
		s += y[j];
		total += next[j] * a;
	}
	*sum = s;
	double norm = log(s);
	for (int j = 0; j < B; j++)
		total -= next[j] * norm;
	return total;
}

REFERENCE double primal(Main *main_, Extra extra, State *state, const double *restrict seq, int64_t c)
{
	State s[L];
	double total = 0;
	memcpy(s, state, sizeof s);
	for (int64_t t = 0; t < c - 1; t++) {
		double x[B], y[B], sum;
		for (int j = 0; j < B; j++)
			x[j] = seq[t * B + j] * extra[0][j];
		for (int k = 0; k < L; k++) {
			Layer r;
			layer_step(&r, main_[k], s[k][0], s[k][1], x);
			memcpy(s[k][0], r.hidden, sizeof x);
			memcpy(s[k][1], r.cell, sizeof x);
			memcpy(x, r.hidden, sizeof x);
		}
		total += output(y, &sum, x, extra, seq + (t + 1) * B);
	}
	return -total / (double)(B * (c - 1));
}

static void layer_back(double (*restrict pb)[4][B], double *restrict hb, double *restrict cb,
                       double *restrict xb, const Layer *restrict r, const double (*restrict p)[4][B],
                       const double *restrict hidden, const double *restrict cell,
                       const double *restrict x)
{
	for (int j = 0; j < B; j++) {
		double h = hb[j] + xb[j];
		double c = cb[j] + h * r->out[j] * (1 - r->tanh_cell[j] * r->tanh_cell[j]);
		double o = h * r->tanh_cell[j] * r->out[j] * (1 - r->out[j]);
		double f = c * cell[j] * r->forget[j] * (1 - r->forget[j]);
		double i = c * r->change[j] * r->in[j] * (1 - r->in[j]);
		double g = c * r->in[j] * (1 - r->change[j] * r->change[j]);
		cb[j] = c * r->forget[j];
		pb[0][0][j] += f * x[j];
		pb[1][0][j] += f;
		pb[0][1][j] += i * hidden[j];
		pb[1][1][j] += i;
		pb[0][2][j] += o * x[j];
		pb[1][2][j] += o;
		pb[0][3][j] += g * hidden[j];
		pb[1][3][j] += g;
		hb[j] = i * p[0][1][j] + g * p[0][3][j];
		xb[j] = f * p[0][0][j] + o * p[0][2][j];
	}
}

REFERENCE void gradient(Main *mb, Extra eb, Main *main_, Extra extra, State *state,
                        const double *restrict seq, int64_t c, Layer (*restrict log)[L])
{
	double hb[L][B], cb[L][B];
	double scale = -1 / (double)(B * (c - 1));
	for (int k = 0; k < L; k++) {
		memcpy(log[0][k].hidden, state[k][0], sizeof hb[0]);
		memcpy(log[0][k].cell, state[k][1], sizeof hb[0]);
	}
	for (int64_t t = 0; t < c - 1; t++) {
		double first[B];
		const double *x = first;
		for (int j = 0; j < B; j++)
			first[j] = seq[t * B + j] * extra[0][j];
		for (int k = 0; k < L; k++) {
			layer_step(&log[t + 1][k], main_[k], log[t][k].hidden, log[t][k].cell, x);
			x = log[t + 1][k].hidden;
		}
	}
	memset(mb, 0, (size_t)L * sizeof(Main));
	memset(eb, 0, sizeof(Extra));
	memset(hb, 0, sizeof hb);
	memset(cb, 0, sizeof cb);
	for (int64_t t = c - 2; t >= 0; t--) {
		double first[B], xb[B], y[B], sum, bits = 0;
		const double *next = seq + (t + 1) * B, *last = log[t + 1][L - 1].hidden;
		output(y, &sum, last, extra, next);
		for (int j = 0; j < B; j++) {
			first[j] = seq[t * B + j] * extra[0][j];
			bits += next[j];
		}
		for (int j = 0; j < B; j++) {
			double a = scale * (next[j] - bits * y[j] / sum);
			eb[1][j] += a * last[j];
			eb[2][j] += a;
			xb[j] = a * extra[1][j];
		}
		for (int k = L - 1; k >= 0; k--)
			layer_back(mb[k], hb[k], cb[k], xb, &log[t + 1][k], main_[k], log[t][k].hidden,
			           log[t][k].cell, k ? log[t + 1][k - 1].hidden : first);
		for (int j = 0; j < B; j++)
			eb[0][j] += xb[j] * seq[t * B + j];
	}
}

static int run(struct futhark_context *ctx, int64_t length, double *m, double *e, double *s,
               const double *seq)
{
	int64_t nm = L * 2 * 4 * B, ne = 3 * B;
	ROOM(double, mb, nm);
	ROOM(double, eb, ne);
	ROOM(double, r, nm);
	Layer (*log)[L] = malloc(sizeof(Layer[L]) * (size_t)length);
	ARRAY(f64_4d, fm, m, L, 2, 4, B);
	ARRAY(f64_2d, fe, e, 3, B);
	ARRAY(f64_3d, fs, s, L, 2, B);
	ARRAY(f64_2d, fq, seq, length, B);
	double y;
	volatile double c;
	struct futhark_opaque_tup2_arr4d_f64_arr2d_f64 *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &y, fm, fe, fs, fq));
	c = primal((void *)m, (void *)e, (void *)s, seq, length);
	SAME(&c, &y, 1, 1e-12);
	CHECK(futhark_entry_gradient(ctx, &fg, fm, fe, fs, fq));
	gradient((void *)mb, (void *)eb, (void *)m, (void *)e, (void *)s, seq, length, log);
	FETCH_PART(opaque_tup2_arr4d_f64_arr2d_f64, 0, f64_4d, fg, r);
	SAME(mb, r, nm, 1e-12);
	FETCH_PART(opaque_tup2_arr4d_f64_arr2d_f64, 1, f64_2d, fg, r);
	SAME(eb, r, ne, 1e-12);
	DUMP("main", "<f8", m, L, 2, 4, B);
	DUMP("extra", "<f8", e, 3, B);
	DUMP("state", "<f8", s, L, 2, B);
	DUMP("sequence", "<f8", seq, length, B);
	DUMP("primal", "<f8", (const double *)&c, 1);
	DUMP("gradient0", "<f8", mb, L, 2, 4, B);
	DUMP("gradient1", "<f8", eb, 3, B);
	WORKLOAD(2.5, CHECK(futhark_entry_primal(ctx, &y, fm, fe, fs, fq)),
	         {
		         DROP(opaque_tup2_arr4d_f64_arr2d_f64, fg);
		         CHECK(futhark_entry_gradient(ctx, &fg, fm, fe, fs, fq));
	         },
	         c = primal((void *)m, (void *)e, (void *)s, seq, length),
	         gradient((void *)mb, (void *)eb, (void *)m, (void *)e, (void *)s, seq, length, log));
	free(log);
	return 0;
}

static int one(struct futhark_context *ctx, int layers, int64_t length)
{
	ROW(layers * length, "lstm %d %lld", layers, (long long)length);
	L = layers;
	MAKE(double, m, L * 8 * B, uniform(-1, 1));
	MAKE(double, e, 3 * B, uniform(-1, 1));
	MAKE(double, s, L * 2 * B, uniform(-1, 1));
	MAKE(double, seq, length * B, below(2));
	return run(ctx, length, m, e, s, seq);
}

// A problem in a file of ADBench.
static int file(struct futhark_context *ctx, const char *path)
{
	Lstm f;
	if (!load_lstm(path, &f) || f.b != B)
		return 1;
	ROW(f.l * f.c, "lstm %s", base_name(path));
	L = (int)f.l;
	return run(ctx, f.c, f.main, f.extra, f.state, f.sequence);
}

int main(int argc, char **argv)
{
	SETUP;
	for (int i = 1; i < argc; i++)
		if (file(ctx, argv[i]))
			return 1;
	if (argc > 1)
		FINISH;
	if (sizes_some() && (one(ctx, 2, 256) || one(ctx, 2, 1024) || one(ctx, 4, 4096)))
		return 1;
	if (one(ctx, 6, 8192))
		return 1;
	FINISH;
}
