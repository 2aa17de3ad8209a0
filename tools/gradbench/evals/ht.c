// ht: hand tracking, simple without `us` and complicated with them.  The Jacobian has a row for
// each error, though the program makes it column by column.
#include "module.h"

typedef struct {
	int64_t n;                              // points
	bool complicated, mirrored;
	struct futhark_i32_1d *parents, *correspondences;
	struct futhark_f64_3d *relatives, *inverses;
	struct futhark_f64_2d *positions, *weights, *points, *us;
	struct futhark_i32_2d *triangles;
	struct futhark_f64_1d *theta;
} Input;

static Input read_input(Call *c)
{
	Input in = {0};
	const json_t *data = member(c, input(c), "data"), *model = member(c, data, "model");
	int64_t bones = integer(c, model, "bone_count"), n = -1, thetas = 26;
	int64_t square[3] = {bones, 4, 4}, positions[2] = {-1, 4}, triangles[2] = {-1, 3};
	if (bones < 1)
		refuse(c, "there are no bones");
	double *theta = reals(c, input(c), "theta", 1, &thetas);
	int32_t *correspondences = integers(c, data, "correspondences", 1, &n);
	int64_t points_shape[2] = {n, 3}, us_shape[2] = {n, 2};
	double *points = reals(c, data, "points", 2, points_shape);
	const json_t *us_value = json_object_get(input(c), "us");
	in.complicated = json_array_size(us_value) > 0;
	double *us = in.complicated ? reals(c, input(c), "us", 2, us_shape) : NULL;
	int32_t *parents = integers(c, model, "parents", 1, &bones);
	double *relatives = reals(c, model, "base_relatives", 3, square);
	double *inverses = reals(c, model, "inverse_base_absolutes", 3, square);
	double *base = reals(c, model, "base_positions", 2, positions);
	int64_t weights_shape[2] = {positions[0], bones};
	double *weights = reals(c, model, "weights", 2, weights_shape);
	int32_t *corners = integers(c, model, "triangles", 2, triangles);
	in.mirrored = boolean(c, model, "is_mirrored");
	in.n = n;
	in.theta = futhark_new_f64_1d(ctx, theta, 26);
	in.correspondences = futhark_new_i32_1d(ctx, correspondences, n);
	in.points = futhark_new_f64_2d(ctx, points, n, 3);
	in.us = us ? futhark_new_f64_2d(ctx, us, n, 2) : NULL;
	in.parents = futhark_new_i32_1d(ctx, parents, bones);
	in.relatives = futhark_new_f64_3d(ctx, relatives, bones, 4, 4);
	in.inverses = futhark_new_f64_3d(ctx, inverses, bones, 4, 4);
	in.positions = futhark_new_f64_2d(ctx, base, positions[0], 4);
	in.weights = futhark_new_f64_2d(ctx, weights, positions[0], bones);
	in.triangles = futhark_new_i32_2d(ctx, corners, triangles[0], 3);
	return in;
}

static void drop_input(Input in)
{
	DROP(f64_1d, in.theta);
	DROP(i32_1d, in.correspondences);
	DROP(f64_2d, in.points);
	DROP(f64_2d, in.us);
	DROP(i32_1d, in.parents);
	DROP(f64_3d, in.relatives);
	DROP(f64_3d, in.inverses);
	DROP(f64_2d, in.positions);
	DROP(f64_2d, in.weights);
	DROP(i32_2d, in.triangles);
}

#define MODEL in.parents, in.relatives, in.inverses, in.positions, in.weights, in.mirrored

static void objective(Call *c)
{
	Input in = read_input(c);
	struct futhark_f64_2d *out = NULL;
	if (in.complicated)
		REPEAT(c, DROP(f64_2d, out),
		       futhark_entry_primal(ctx, &out, MODEL, in.triangles, in.correspondences,
		                            in.points, in.theta, in.us));
	else
		REPEAT(c, DROP(f64_2d, out),
		       futhark_entry_primal_simple(ctx, &out, MODEL, in.correspondences, in.points,
		                                   in.theta));
	if (out) {
		double *e = room(c, 3 * in.n, sizeof *e);
		FETCH(f64_2d, out, e);
		give(c, reals_json(c, e, 1, (int64_t[]){3 * in.n}));
	}
	DROP(f64_2d, out);
	drop_input(in);
}

static void jacobian(Call *c)
{
	Input in = read_input(c);
	struct futhark_f64_3d *out = NULL;
	if (in.complicated)
		REPEAT(c, DROP(f64_3d, out),
		       futhark_entry_jacobian(ctx, &out, MODEL, in.triangles, in.correspondences,
		                              in.points, in.theta, in.us));
	else
		REPEAT(c, DROP(f64_3d, out),
		       futhark_entry_jacobian_simple(ctx, &out, MODEL, in.correspondences,
		                                     in.points, in.theta));
	if (out) {
		int64_t shape[2] = {3 * in.n, in.complicated ? 28 : 26};
		double *columns = room(c, shape[0] * shape[1], sizeof *columns);
		double *rows = room(c, shape[0] * shape[1], sizeof *rows);
		FETCH(f64_3d, out, columns);
		for (int64_t i = 0; i < shape[0]; i++)
			for (int64_t j = 0; j < shape[1]; j++)
				rows[i * shape[1] + j] = columns[j * shape[0] + i];
		give(c, reals_json(c, rows, 2, shape));
	}
	DROP(f64_3d, out);
	drop_input(in);
}

MODULE({"objective", objective}, {"jacobian", jacobian})
