// particle: gradient descent through a simulation, by each pair of modes.
#include "module.h"

static void run(Call *c, int (*entry)(struct futhark_context *, double *, double))
{
	double w = real(c, input(c), "w"), y = 0;
	REPEAT(c, (void)0, entry(ctx, &y, w));
	give(c, real_json(c, y));
}

static void ff(Call *c) { run(c, futhark_entry_ff); }
static void fr(Call *c) { run(c, futhark_entry_fr); }
static void rf(Call *c) { run(c, futhark_entry_rf); }
static void rr(Call *c) { run(c, futhark_entry_rr); }

MODULE({"ff", ff}, {"fr", fr}, {"rf", rf}, {"rr", rr})
