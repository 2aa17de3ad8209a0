// ba: bundle adjustment.  One camera, point, weight and feature stand for as many as the sizes say;
// of the results, which are as large, the answer has the ends.
#include "module.h"

enum { SHOWN = 30 };

typedef struct {
	int64_t n, m, p;
	struct futhark_f64_2d *cams, *points, *feats;
	struct futhark_f64_1d *weights;
	struct futhark_i32_2d *obs;
} Input;

static double *repeated(Call *c, const char *name, int64_t width, int64_t count)
{
	double *one = reals(c, input(c), name, 1, &width);
	double *all = room(c, count * width, sizeof *all);
	for (int64_t i = 0; i < count; i++)
		memcpy(all + i * width, one, (size_t)width * sizeof *one);
	return all;
}

static Input read_input(Call *c)
{
	const int64_t most = 1 << 26;
	Input in = {integer(c, input(c), "n"), integer(c, input(c), "m"),
	            integer(c, input(c), "p")};
	if (in.n < 1 || in.m < 1 || in.p < 1 || in.n > most || in.m > most || in.p > most)
		refuse(c, "the sizes make no sense");
	double *cams = repeated(c, "cam", 11, in.n);
	double *points = repeated(c, "x", 3, in.m);
	double *feats = repeated(c, "feat", 2, in.p);
	double *weights = room(c, in.p, sizeof *weights);
	double w = real(c, input(c), "w");
	int32_t *obs = room(c, 2 * in.p, sizeof *obs);
	for (int64_t i = 0; i < in.p; i++) {
		weights[i] = w;
		obs[2 * i] = (int32_t)(i % in.n);
		obs[2 * i + 1] = (int32_t)(i % in.m);
	}
	in.cams = futhark_new_f64_2d(ctx, cams, in.n, 11);
	in.points = futhark_new_f64_2d(ctx, points, in.m, 3);
	in.feats = futhark_new_f64_2d(ctx, feats, in.p, 2);
	in.weights = futhark_new_f64_1d(ctx, weights, in.p);
	in.obs = futhark_new_i32_2d(ctx, obs, in.p, 2);
	return in;
}

static void drop_input(Input in)
{
	DROP(f64_2d, in.cams);
	DROP(f64_2d, in.points);
	DROP(f64_2d, in.feats);
	DROP(f64_1d, in.weights);
	DROP(i32_2d, in.obs);
}

static void objective(Call *c)
{
	Input in = read_input(c);
	struct futhark_opaque_tup2_arr2d_f64_arr1d_f64 *out = NULL;
	REPEAT(c, DROP(opaque_tup2_arr2d_f64_arr1d_f64, out),
	       futhark_entry_primal(ctx, &out, in.cams, in.points, in.weights, in.obs, in.feats));
	if (out) {
		double *e = room(c, 2 * in.p, sizeof *e), *w = room(c, in.p, sizeof *w);
		FETCH_PART(opaque_tup2_arr2d_f64_arr1d_f64, 0, f64_2d, out, e);
		FETCH_PART(opaque_tup2_arr2d_f64_arr1d_f64, 1, f64_1d, out, w);
		give(c, json_pack("{s:{s:o, s:I}, s:{s:o, s:I}}", "reproj_error", "elements",
		                  reals_json(c, e, 1, (int64_t[]){2}), "repeated", (json_int_t)in.p,
		                  "w_err", "element", real_json(c, w[0]), "repeated",
		                  (json_int_t)in.p));
	}
	DROP(opaque_tup2_arr2d_f64_arr1d_f64, out);
	drop_input(in);
}

static void jacobian(Call *c)
{
	Input in = read_input(c);
	struct futhark_opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64 *out = NULL;
	REPEAT(c, DROP(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, out),
	       futhark_entry_jacobian(ctx, &out, in.cams, in.points, in.weights, in.obs, in.feats));
	if (out) {
		int64_t count = 31 * in.p, shown = count < SHOWN ? count : SHOWN;
		int64_t rows = 3 * in.p + 1, rows_shown = rows < SHOWN ? rows : SHOWN;
		int32_t *row = room(c, rows + 1, sizeof *row),
			*col = room(c, count + 1, sizeof *col);
		double *val = room(c, count + 1, sizeof *val);
		FETCH_PART(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, 0, i32_1d, out, row);
		FETCH_PART(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, 1, i32_1d, out, col);
		FETCH_PART(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, 2, f64_1d, out, val);
		row[rows_shown] = row[rows - 1];
		col[shown] = col[count - 1];
		val[shown] = val[count - 1];
		give(c, json_pack("{s:o, s:o, s:o}", "rows", integers_json(row, rows_shown + 1),
		                  "cols", integers_json(col, shown + 1), "vals",
		                  reals_json(c, val, 1, (int64_t[]){shown + 1})));
	}
	DROP(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, out);
	drop_input(in);
}

MODULE({"objective", objective}, {"jacobian", jacobian})
