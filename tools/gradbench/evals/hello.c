// hello: the input is a number.
#include "module.h"

static void of_number(Call *c, int (*entry)(struct futhark_context *, double *, double))
{
	double x = real_value(c, input(c), "the input"), y = 0;
	REPEAT(c, (void)0, entry(ctx, &y, x));
	give(c, real_json(c, y));
}

static void square(Call *c) { of_number(c, futhark_entry_square); }
static void twice(Call *c) { of_number(c, futhark_entry_double); }

MODULE({"square", square}, {"double", twice})
