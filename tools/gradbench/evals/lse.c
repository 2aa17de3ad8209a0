// lse: the logarithm of a sum of exponentials.
#include "module.h"

static void primal(Call *c)
{
	int64_t n = -1;
	double *x = reals(c, input(c), "x", 1, &n), y = 0;
	ARRAY(f64_1d, fx, x, n);
	REPEAT(c, (void)0, futhark_entry_primal(ctx, &y, fx));
	give(c, real_json(c, y));
	DROP(f64_1d, fx);
}

static void gradient(Call *c)
{
	int64_t n = -1;
	double *x = reals(c, input(c), "x", 1, &n);
	ARRAY(f64_1d, fx, x, n);
	struct futhark_f64_1d *out = NULL;
	REPEAT(c, DROP(f64_1d, out), futhark_entry_gradient(ctx, &out, fx));
	if (out) {
		FETCH(f64_1d, out, x);
		give(c, reals_json(c, x, 1, &n));
	}
	DROP(f64_1d, out);
	DROP(f64_1d, fx);
}

MODULE({"primal", primal}, {"gradient", gradient})
