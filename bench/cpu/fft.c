// The discrete Fourier transform; C makes two elements of each pair that it reads, and computes
// the half of the roots that are needed.
#include "fft.h"
#include "bench.h"

enum { LOG = 16, N = 1 << LOG };
typedef struct { double re[N], im[N]; } Complexes;     // both parts in a row: 2 * N doubles

static void stage(Complexes *restrict y, const Complexes *restrict x, const Complexes *restrict root, int s)
{
	int64_t half = 1 << s, stride = N / 2 >> s;
	for (int64_t first = 0; first < N / 2; first += half)
		for (int64_t k = 0; k < half; k++) {
			int64_t j = first + k, o = 2 * first + k;
			double wr = root->re[k * stride], wi = root->im[k * stride];
			double br = wr * x->re[j + N / 2] - wi * x->im[j + N / 2];
			double bi = wr * x->im[j + N / 2] + wi * x->re[j + N / 2];
			y->re[o] = x->re[j] + br;
			y->im[o] = x->im[j] + bi;
			y->re[o + half] = x->re[j] - br;
			y->im[o + half] = x->im[j] - bi;
		}
}

REFERENCE void fft(Complexes *restrict r, Complexes *restrict other, Complexes *restrict root,
                   const Complexes *restrict x)
{
	for (int64_t i = 0; i < N / 2; i++) {
		root->re[i] = cos(2 * 3.14159265358979323846 / N * (double)i);
		root->im[i] = -sin(2 * 3.14159265358979323846 / N * (double)i);
	}
	*r = *x;
	for (int s = 0; s < LOG; s += 2) {
		stage(other, r, root, s);
		stage(r, other, root, s + 1);
	}
}

int main(void)
{
	SETUP;
	ROOM(Complexes, x, 1);
	input_kib += (long)(sizeof *x / 1024);
	for (int64_t i = 0; i < N; i++) {
		x->re[i] = uniform(-1, 1);
		x->im[i] = uniform(-1, 1);
	}
	ROOM(Complexes, root, 1);
	ROOM(Complexes, other, 1);
	ROOM(Complexes, c, 1);
	ROOM(Complexes, r, 1);
	ARRAY(f64_1d, fre, x->re, N);
	ARRAY(f64_1d, fim, x->im, N);
	RUN_ARRAY("fft", f64_2d, r->re, futhark_entry_main(ctx, &out, fre, fim), fft(c, other, root, x),
	          SAME((double *)c, (double *)r, 2 * N, 1e-10));
	FINISH;
}
