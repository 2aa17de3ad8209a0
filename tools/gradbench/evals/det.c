// det: the determinant by expansion of minors; matrices are flat.
#include "module.h"

static double *matrix(Call *c, int64_t *n)
{
	*n = integer(c, input(c), "ell");
	if (*n < 1 || *n > 64)
		refuse(c, "ell is not between 1 and 64");
	int64_t flat = *n * *n;
	return reals(c, input(c), "A", 1, &flat);
}

static void primal(Call *c)
{
	int64_t n;
	double *a = matrix(c, &n), y = 0;
	ARRAY(f64_2d, fa, a, n, n);
	REPEAT(c, (void)0, futhark_entry_primal(ctx, &y, fa));
	give(c, real_json(c, y));
	DROP(f64_2d, fa);
}

static void gradient(Call *c)
{
	int64_t n;
	double *a = matrix(c, &n);
	ARRAY(f64_2d, fa, a, n, n);
	struct futhark_f64_2d *out = NULL;
	REPEAT(c, DROP(f64_2d, out), futhark_entry_gradient(ctx, &out, fa));
	if (out) {
		FETCH(f64_2d, out, a);
		give(c, reals_json(c, a, 1, (int64_t[]){n * n}));
	}
	DROP(f64_2d, out);
	DROP(f64_2d, fa);
}

MODULE({"primal", primal}, {"gradient", gradient})
