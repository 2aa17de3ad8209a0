// Cross sections from poles.  The adjoint by hand recomputes the function at each pole.
#include "rsbench.h"
#include "ad.h"
#include "materials.h"

typedef struct { double re, im; } Complex;
typedef Complex Pole[4];
typedef struct {
	int64_t n_poles, n_windows;                     // room for each nuclide
	int32_t windows[NUCLIDES], (*ranges)[2];
	double (*coefficients)[3], k0rs[NUCLIDES][4], densities[MATERIALS][MOST_NUCLIDES];
	int16_t *momenta;
	Pole *poles;
} Tables;

static Complex add(Complex a, Complex b) { return (Complex){a.re + b.re, a.im + b.im}; }
static Complex scaled(double k, Complex a) { return (Complex){k * a.re, k * a.im}; }
static Complex conj_(Complex a) { return (Complex){a.re, -a.im}; }
static Complex mul(Complex a, Complex b)
{
	return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static Complex inverse(Complex a)
{
	double d = a.re * a.re + a.im * a.im;
	return (Complex){a.re / d, -a.im / d};
}
static Complex times_i(Complex a) { return (Complex){-a.im, a.re}; }
static Complex shifted(Complex a, double k) { return (Complex){a.re + k, a.im}; }

static double fast_exp(double x)
{
	double y = 1 + x * 0.000244140625;
	for (int i = 0; i < 12; i++)
		y *= y;
	return y;
}

static const double near_a[10] = {
	2.758402e-01, 2.245740e-01, 1.594149e-01, 9.866577e-02, 5.324414e-02,
	2.505215e-02, 1.027747e-02, 3.676164e-03, 1.146494e-03, 3.117570e-04,
};
static const double near_d[10] = {
	9.869604e+00, 3.947842e+01, 8.882644e+01, 1.579137e+02, 2.467401e+02,
	3.553058e+02, 4.836106e+02, 6.316547e+02, 7.994380e+02, 9.869604e+02,
};
static const double A = 0.512424224754768462984, B = 0.275255128608410950901,
                    C = 0.051765358792987823964, D = 2.724744871391589049099;

static Complex faddeeva(Complex z)
{
	Complex z2 = mul(z, z);
	if (!(sqrt(z.re * z.re + z.im * z.im) < 6))
		return times_i(mul(z, add(scaled(A, inverse(shifted(z2, -B))),
		                          scaled(C, inverse(shifted(z2, -D))))));
	Complex e = scaled(fast_exp(-12 * z.im), (Complex){cos(12 * z.re), sin(12 * z.re)}), sum = {0, 0};
	for (int n = 0; n < 10; n++) {
		Complex top = shifted(scaled(n % 2 ? 1 : -1, e), -1);
		Complex bottom = shifted(scaled(-144, z2), near_d[n]);
		sum = add(sum, scaled(near_a[n], mul(top, inverse(bottom))));
	}
	return add(mul(times_i(shifted(scaled(-1, e), 1)), inverse(scaled(12, z))),
	           scaled(81.2433, times_i(mul(z, sum))));
}

// The adjoint of z for the adjoint vb of faddeeva z.
static Complex faddeeva_back(Complex z, Complex vb)
{
	Complex z2 = mul(z, z);
	if (!(sqrt(z.re * z.re + z.im * z.im) < 6)) {
		Complex p = inverse(shifted(z2, -B)), q = inverse(shifted(z2, -D));
		Complex g = add(scaled(A, p), scaled(C, q));
		Complex gt = add(scaled(-A, mul(p, p)), scaled(-C, mul(q, q)));
		return mul(conj_(times_i(add(g, scaled(2, mul(z2, gt))))), vb);
	}
	double x = -12 * z.im, f = fast_exp(x), co = cos(12 * z.re), si = sin(12 * z.re);
	Complex e = {f * co, f * si}, sum = {0, 0}, sum_e = {0, 0}, sum_z = {0, 0};
	for (int n = 0; n < 10; n++) {
		double sign = n % 2 ? 1 : -1;
		Complex top = shifted(scaled(sign, e), -1);
		Complex r = inverse(shifted(scaled(-144, z2), near_d[n]));
		Complex t = scaled(near_a[n], mul(top, r));
		sum = add(sum, t);
		sum_e = add(sum_e, scaled(sign * near_a[n], r));
		sum_z = add(sum_z, mul(mul(t, r), scaled(288, z)));
	}
	Complex iz = inverse(scaled(12, z));
	Complex by_e = add(times_i(scaled(-1, iz)), scaled(81.2433, times_i(mul(z, sum_e))));
	Complex by_z = add(scaled(-12, mul(times_i(shifted(scaled(-1, e), 1)), mul(iz, iz))),
	                   scaled(81.2433, times_i(add(sum, mul(z, sum_z)))));
	Complex eb = mul(conj_(by_e), vb), zb = mul(conj_(by_z), vb);
	double ft = f / (1 + x / 4096);
	zb.im += -12 * ft * (eb.re * co + eb.im * si);
	zb.re += 12 * f * (-eb.re * si + eb.im * co);
	return zb;
}

static void phases(Complex fac[4], const double *k0rs, double e)
{
	for (int l = 0; l < 4; l++) {
		double phi = k0rs[l] * sqrt(e);
		if (l == 1)
			phi += atan(phi);
		else if (l == 2)
			phi -= atan(3 * phi / (3 - phi * phi));
		else if (l == 3)
			phi -= atan(phi * (15 - phi * phi) / (15 - 6 * phi * phi));
		fac[l] = (Complex){cos(2 * phi), -sin(2 * phi)};
	}
}

static int64_t window(const Tables *t, int32_t n, double e)
{
	int32_t nw = t->windows[n], w = (int32_t)(e / (1 / (double)nw));
	return n * t->n_windows + (w < nw - 1 ? w : nw - 1);
}

REFERENCE void primal(double (*restrict out)[4], int64_t lookups, const Tables *restrict t)
{
	for (int64_t i = 0; i < lookups; i++) {
		double e, sums[4] = {0};
		int32_t m = sample(&e, i);
		for (int32_t j = 0; j < num_nuclides[m]; j++) {
			int32_t n = nuclides[m][j];
			int64_t w = window(t, n, e);
			Complex fac[4];
			phases(fac, t->k0rs[n], e);
			const double *c = t->coefficients[w];
			double total = e * c[0], absorbed = e * c[1], fission = e * c[2];
			for (int64_t k = t->ranges[w][0]; k < t->ranges[w][1]; k++) {
				const Complex *p = t->poles[n * t->n_poles + k];
				Complex v = faddeeva(scaled(0.5, (Complex){e - p[0].re, -p[0].im}));
				total += mul(p[1], mul(v, fac[t->momenta[n * t->n_poles + k]])).re;
				absorbed += mul(p[2], v).re;
				fission += mul(p[3], v).re;
			}
			double d = t->densities[m][j];
			sums[0] += d * total;
			sums[1] += d * absorbed;
			sums[2] += d * fission;
			sums[3] += d * (total - absorbed);
		}
		memcpy(out[i], sums, sizeof sums);
	}
}

static void pole_back(Complex *restrict b, const Complex *restrict p, double e, Complex fac, double gt,
                      double ga, double gf)
{
	Complex z = scaled(0.5, (Complex){e - p[0].re, -p[0].im}), v = faddeeva(z);
	b[1] = add(b[1], scaled(gt, conj_(mul(v, fac))));
	b[2] = add(b[2], scaled(ga, conj_(v)));
	b[3] = add(b[3], scaled(gf, conj_(v)));
	Complex vb = conj_(add(scaled(gt, mul(p[1], fac)), add(scaled(ga, p[2]), scaled(gf, p[3]))));
	b[0] = add(b[0], scaled(-0.5, faddeeva_back(z, vb)));
}

REFERENCE void gradient(Pole *restrict back, int64_t lookups, const Tables *restrict t,
                        const double *restrict seed)
{
	memset(back, 0, sizeof(Pole) * (size_t)(NUCLIDES * t->n_poles));
	for (int64_t i = 0; i < lookups; i++) {
		double e;
		int32_t m = sample(&e, i);
		for (int32_t j = 0; j < num_nuclides[m]; j++) {
			int32_t n = nuclides[m][j];
			int64_t w = window(t, n, e);
			double d = t->densities[m][j];
			Complex fac[4];
			phases(fac, t->k0rs[n], e);
			for (int64_t k = t->ranges[w][0]; k < t->ranges[w][1]; k++) {
				int64_t at = n * t->n_poles + k;
				pole_back(back[at], t->poles[at], e, fac[t->momenta[at]],
				          d * (seed[0] + seed[3]), d * (seed[1] - seed[3]), d * seed[2]);
			}
		}
	}
}

static void deal(int32_t *counts, int average, uint64_t *s)
{
	for (int n = 0; n < NUCLIDES; n++)
		counts[n] = 1;
	for (int i = 0; i < average * NUCLIDES - NUCLIDES; i++)
		counts[lcg(s) % NUCLIDES]++;
}

static int64_t largest(const int32_t *counts)
{
	int32_t top = 0;
	for (int n = 0; n < NUCLIDES; n++)
		top = counts[n] > top ? counts[n] : top;
	return top;
}

static Complex draw_pair(uint64_t *s, double re, double im)
{
	double a = re * draw(s);
	return (Complex){a, im * draw(s)};
}

static void make_tables(Tables *t)
{
	const double q = 152.5;
	uint64_t s = 42;
	int32_t count[NUCLIDES];
	make_densities(t->densities, &s);
	deal(count, 1000, &s);
	deal(t->windows, 100, &s);
	t->n_poles = largest(count);
	t->n_windows = largest(t->windows);
	t->poles = calloc((size_t)(NUCLIDES * t->n_poles), sizeof *t->poles);
	t->momenta = calloc((size_t)(NUCLIDES * t->n_poles), sizeof *t->momenta);
	t->coefficients = calloc((size_t)(NUCLIDES * t->n_windows), sizeof *t->coefficients);
	t->ranges = calloc((size_t)(NUCLIDES * t->n_windows), sizeof *t->ranges);
	for (int n = 0; n < NUCLIDES; n++)
		for (int p = 0; p < count[n]; p++) {
			Complex *pole = t->poles[n * t->n_poles + p];
			for (int k = 0; k < 4; k++)
				pole[k] = draw_pair(&s, q, k ? 1 : q);
			t->momenta[n * t->n_poles + p] = (int16_t)(lcg(&s) % 4);
		}
	for (int n = 0; n < NUCLIDES; n++) {
		int32_t space = count[n] / t->windows[n], rest = count[n] - space * t->windows[n], at = 0;
		for (int w = 0; w < t->windows[n]; w++) {
			int64_t k = n * t->n_windows + w;
			for (int c = 0; c < 3; c++)
				t->coefficients[k][c] = draw(&s);
			t->ranges[k][0] = at;
			t->ranges[k][1] = at + space - 1 + (w < rest);
			at += space + (w < rest);
		}
	}
	for (int n = 0; n < NUCLIDES; n++)
		for (int l = 0; l < 4; l++)
			t->k0rs[n][l] = draw(&s);
}

// Values range over many magnitudes, so that each is compared relatively to itself.
static void compare(const double *a, const double *b, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (!(fabs(a[i] - b[i]) <= 1e-7 * (1e-9 + fabs(a[i])))) {
			printf("results differ: %.17g and %.17g at %lld\n", a[i], b[i], (long long)i);
			wrong = 1;
			return;
		}
}

static int one(struct futhark_context *ctx, const Tables *t, int64_t lookups)
{
	ROW(lookups, "rsbench %lld", (long long)lookups);
	int64_t cells = NUCLIDES * t->n_poles * 8;
	double (*out)[4] = malloc(sizeof(double[4]) * (size_t)lookups), seed[4] = {1, 0.7, -0.4, 0.2};
	ROOM(double, r, cells > 4 * lookups ? cells : 4 * lookups);
	Pole *back = malloc(sizeof(double) * (size_t)cells);
	ARRAY(i32_1d, a, num_nuclides, MATERIALS);
	ARRAY(i32_2d, b, (const int32_t *)nuclides, MATERIALS, MOST_NUCLIDES);
	ARRAY(f64_2d, c, (const double *)t->densities, MATERIALS, MOST_NUCLIDES);
	ARRAY(i32_1d, d, t->windows, NUCLIDES);
	ARRAY(f64_3d, e, (const double *)t->coefficients, NUCLIDES, t->n_windows, 3);
	ARRAY(i32_3d, f, (const int32_t *)t->ranges, NUCLIDES, t->n_windows, 2);
	ARRAY(f64_2d, g, (const double *)t->k0rs, NUCLIDES, 4);
	ARRAY(i16_2d, h, t->momenta, NUCLIDES, t->n_poles);
	ARRAY(f64_4d, p, (const double *)t->poles, NUCLIDES, t->n_poles, 4, 2);
	ARRAY(f64_1d, fs, seed, 4);
	struct futhark_f64_2d *fy = NULL;
	struct futhark_f64_4d *fb = NULL;
	CHECK(futhark_entry_primal(ctx, &fy, lookups, a, b, c, d, e, f, g, h, p));
	FETCH(f64_2d, fy, r);
	primal(out, lookups, t);
	compare((double *)out, r, 4 * lookups);
	CHECK(futhark_entry_gradient(ctx, &fb, lookups, a, b, c, d, e, f, g, h, p, fs));
	FETCH(f64_4d, fb, r);
	gradient(back, lookups, t, seed);
	compare((double *)back, r, cells);
	DUMP("lookups", "<i8", &lookups, 1);
	DUMP("nuclides", "<i4", nuclides, MATERIALS, MOST_NUCLIDES);
	DUMP("densities", "<f8", t->densities, MATERIALS, MOST_NUCLIDES);
	DUMP("windows", "<i4", t->windows, NUCLIDES);
	DUMP("coefficients", "<f8", t->coefficients, NUCLIDES, t->n_windows, 3);
	DUMP("ranges", "<i4", t->ranges, NUCLIDES, t->n_windows, 2);
	DUMP("k0rs", "<f8", t->k0rs, NUCLIDES, 4);
	DUMP("momenta", "<i2", t->momenta, NUCLIDES, t->n_poles);
	DUMP("poles", "<f8", t->poles, NUCLIDES, t->n_poles, 4, 2);
	DUMP("seed", "<f8", seed, 4);
	DUMP("primal", "<f8", out, lookups, 4);
	DUMP("gradient", "<f8", back, NUCLIDES, t->n_poles, 4, 2);
	WORKLOAD(2.2,
	         { DROP(f64_2d, fy); CHECK(futhark_entry_primal(ctx, &fy, lookups, a, b, c, d, e, f, g, h, p)); },
	         {
		         DROP(f64_4d, fb);
		         CHECK(futhark_entry_gradient(ctx, &fb, lookups, a, b, c, d, e, f, g, h, p, fs));
	         },
	         primal(out, lookups, t), gradient(back, lookups, t, seed));
	DROP(f64_2d, fy);
	DROP(f64_4d, fb);
	free(out);
	free(back);
	free(r);
	return 0;
}

int main(void)
{
	SETUP;
	static Tables t;
	make_tables(&t);
	if (sizes_some() && (one(ctx, &t, 100) || one(ctx, &t, 1000)))
		return 1;
	if (one(ctx, &t, 10000) || (sizes_all() && one(ctx, &t, 10200000)))
		return 1;
	FINISH;
}
