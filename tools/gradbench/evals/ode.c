// ode: a chain of differential equations; the gradient is that of the last component.
#include "module.h"

typedef int Entry(struct futhark_context *, struct futhark_f64_1d **, const struct futhark_f64_1d *,
                  int64_t);

static void run(Call *c, Entry *entry)
{
	int64_t n = -1, s = integer(c, input(c), "s");
	double *x = reals(c, input(c), "x", 1, &n);
	if (n == 0)
		refuse(c, "x is empty");
	ARRAY(f64_1d, fx, x, n);
	struct futhark_f64_1d *out = NULL;
	REPEAT(c, DROP(f64_1d, out), entry(ctx, &out, fx, s));
	if (out) {
		FETCH(f64_1d, out, x);
		give(c, reals_json(c, x, 1, &n));
	}
	DROP(f64_1d, out);
	DROP(f64_1d, fx);
}

static void primal(Call *c) { run(c, futhark_entry_primal); }
static void gradient(Call *c) { run(c, futhark_entry_gradient); }

MODULE({"primal", primal}, {"gradient", gradient})
