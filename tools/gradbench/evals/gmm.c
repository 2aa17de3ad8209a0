// gmm: a mixture of Gaussians.
#include "module.h"

typedef struct {
	int64_t d, k, n, m;
	double gamma, *mu, *q, *l;
	struct futhark_f64_1d *falpha;
	struct futhark_f64_2d *fmu, *fq, *fl, *fx;
} Input;

static Input read_input(Call *c)
{
	Input in = {0};
	const json_t *o = input(c);
	in.d = integer(c, o, "d");
	in.k = integer(c, o, "k");
	in.n = integer(c, o, "n");
	in.m = integer(c, o, "m");
	in.gamma = real(c, o, "gamma");
	if (in.d < 1 || in.k < 1 || in.n < 0)
		refuse(c, "the sizes make no sense");
	int64_t t = in.d * (in.d - 1) / 2;
	double *alpha = reals(c, o, "alpha", 1, &in.k);
	in.mu = reals(c, o, "mu", 2, (int64_t[]){in.k, in.d});
	in.q = reals(c, o, "q", 2, (int64_t[]){in.k, in.d});
	in.l = reals(c, o, "l", 2, (int64_t[]){in.k, t});
	double *x = reals(c, o, "x", 2, (int64_t[]){in.n, in.d});
	in.falpha = futhark_new_f64_1d(ctx, alpha, in.k);
	in.fmu = futhark_new_f64_2d(ctx, in.mu, in.k, in.d);
	in.fq = futhark_new_f64_2d(ctx, in.q, in.k, in.d);
	in.fl = futhark_new_f64_2d(ctx, in.l, in.k, t);
	in.fx = futhark_new_f64_2d(ctx, x, in.n, in.d);
	return in;
}

static void drop_input(Input in)
{
	DROP(f64_1d, in.falpha);
	DROP(f64_2d, in.fmu);
	DROP(f64_2d, in.fq);
	DROP(f64_2d, in.fl);
	DROP(f64_2d, in.fx);
}

static void objective(Call *c)
{
	Input in = read_input(c);
	double y = 0;
	REPEAT(c, (void)0,
	       futhark_entry_primal(ctx, &y, in.gamma, in.m, in.falpha, in.fmu, in.fq, in.fl,
	                            in.fx));
	give(c, real_json(c, y));
	drop_input(in);
}

static void jacobian(Call *c)
{
	Input in = read_input(c);
	struct futhark_opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64 *out = NULL;
	REPEAT(c, DROP(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, out),
	       futhark_entry_gradient(ctx, &out, in.gamma, in.m, in.falpha, in.fmu, in.fq, in.fl,
	                              in.fx));
	if (out) {
		int64_t square[2] = {in.k, in.d}, below[2] = {in.k, in.d * (in.d - 1) / 2};
		double *alpha = room(c, in.k, sizeof *alpha);
		FETCH_PART(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, 0, f64_1d, out,
		           alpha);
		FETCH_PART(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, 1, f64_2d, out,
		           in.mu);
		FETCH_PART(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, 2, f64_2d, out,
		           in.q);
		FETCH_PART(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, 3, f64_2d, out,
		           in.l);
		give(c,
		     json_pack("{s:o, s:o, s:o, s:o}", "alpha", reals_json(c, alpha, 1, square),
		               "mu", reals_json(c, in.mu, 2, square), "q",
		               reals_json(c, in.q, 2, square), "l", reals_json(c, in.l, 2, below)));
	}
	DROP(opaque_tup4_arr1d_f64_arr2d_f64_arr2d_f64_arr2d_f64, out);
	drop_input(in);
}

MODULE({"objective", objective}, {"jacobian", jacobian})
