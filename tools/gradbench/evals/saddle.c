// saddle: a saddle point by nested gradient descent, by each pair of modes.
#include "module.h"

typedef int Entry(struct futhark_context *, struct futhark_f64_1d **,
                  const struct futhark_f64_1d *);

static void run(Call *c, Entry *entry)
{
	int64_t two = 2, four = 4;
	double *start = reals(c, input(c), "start", 1, &two), y[4];
	ARRAY(f64_1d, fs, start, 2);
	struct futhark_f64_1d *out = NULL;
	REPEAT(c, DROP(f64_1d, out), entry(ctx, &out, fs));
	if (out) {
		FETCH(f64_1d, out, y);
		give(c, reals_json(c, y, 1, &four));
	}
	DROP(f64_1d, out);
	DROP(f64_1d, fs);
}

static void ff(Call *c) { run(c, futhark_entry_ff); }
static void fr(Call *c) { run(c, futhark_entry_fr); }
static void rf(Call *c) { run(c, futhark_entry_rf); }
static void rr(Call *c) { run(c, futhark_entry_rr); }

MODULE({"ff", ff}, {"fr", fr}, {"rf", rf}, {"rr", rr})
