// kmeans: the cost, and the direction of Newton's method.
#include "module.h"

typedef struct { double *points, *centres; int64_t n[2], k[2]; } Input;

static Input read_input(Call *c)
{
	Input in = {.n = {-1, -1}, .k = {-1, -1}};
	in.points = reals(c, input(c), "points", 2, in.n);
	in.k[1] = in.n[1];
	in.centres = reals(c, input(c), "centroids", 2, in.k);
	return in;
}

static void cost(Call *c)
{
	Input in = read_input(c);
	double y = 0;
	ARRAY(f64_2d, points, in.points, in.n[0], in.n[1]);
	ARRAY(f64_2d, centres, in.centres, in.k[0], in.k[1]);
	REPEAT(c, (void)0, futhark_entry_primal(ctx, &y, points, centres));
	give(c, real_json(c, y));
	DROP(f64_2d, points);
	DROP(f64_2d, centres);
}

static void direction(Call *c)
{
	Input in = read_input(c);
	ARRAY(f64_2d, points, in.points, in.n[0], in.n[1]);
	ARRAY(f64_2d, centres, in.centres, in.k[0], in.k[1]);
	struct futhark_f64_2d *out = NULL;
	REPEAT(c, DROP(f64_2d, out), futhark_entry_direction(ctx, &out, points, centres));
	if (out) {
		FETCH(f64_2d, out, in.centres);
		give(c, reals_json(c, in.centres, 2, in.k));
	}
	DROP(f64_2d, out);
	DROP(f64_2d, points);
	DROP(f64_2d, centres);
}

MODULE({"cost", cost}, {"dir", direction})
