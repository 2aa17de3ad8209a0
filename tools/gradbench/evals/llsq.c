// llsq: linear least squares.
#include "module.h"

static void primal(Call *c)
{
	int64_t m = -1, n = integer(c, input(c), "n");
	double *x = reals(c, input(c), "x", 1, &m), y = 0;
	ARRAY(f64_1d, fx, x, m);
	REPEAT(c, (void)0, futhark_entry_primal(ctx, &y, fx, n));
	give(c, real_json(c, y));
	DROP(f64_1d, fx);
}

static void gradient(Call *c)
{
	int64_t m = -1, n = integer(c, input(c), "n");
	double *x = reals(c, input(c), "x", 1, &m);
	ARRAY(f64_1d, fx, x, m);
	struct futhark_f64_1d *out = NULL;
	REPEAT(c, DROP(f64_1d, out), futhark_entry_gradient(ctx, &out, fx, n));
	if (out) {
		FETCH(f64_1d, out, x);
		give(c, reals_json(c, x, 1, &m));
	}
	DROP(f64_1d, out);
	DROP(f64_1d, fx);
}

MODULE({"primal", primal}, {"gradient", gradient})
