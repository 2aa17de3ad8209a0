// lstm: a recurrent network; the Jacobian has the main parameters, then the extra ones.
#include "module.h"

typedef struct {
	double *main, *extra, *state, *sequence;
	int64_t l, b, c;
	struct futhark_f64_4d *fmain;
	struct futhark_f64_2d *fextra, *fsequence;
	struct futhark_f64_3d *fstate;
} Input;

static Input read_input(Call *c)
{
	Input in = {0};
	int64_t extra[2] = {3, -1}, main[2] = {-1, -1}, state[2], sequence[2] = {-1, 0};
	in.extra = reals(c, input(c), "extra_params", 2, extra);
	main[1] = 4 * extra[1];
	in.main = reals(c, input(c), "main_params", 2, main);
	if (main[0] % 2)
		refuse(c, "main_params has an odd number of rows");
	state[0] = main[0];
	state[1] = sequence[1] = extra[1];
	in.state = reals(c, input(c), "state", 2, state);
	in.sequence = reals(c, input(c), "sequence", 2, sequence);
	in.l = main[0] / 2;
	in.b = extra[1];
	in.c = sequence[0];
	in.fmain = futhark_new_f64_4d(ctx, in.main, in.l, 2, 4, in.b);
	in.fextra = futhark_new_f64_2d(ctx, in.extra, 3, in.b);
	in.fstate = futhark_new_f64_3d(ctx, in.state, in.l, 2, in.b);
	in.fsequence = futhark_new_f64_2d(ctx, in.sequence, in.c, in.b);
	return in;
}

static void drop_input(Input in)
{
	DROP(f64_4d, in.fmain);
	DROP(f64_2d, in.fextra);
	DROP(f64_3d, in.fstate);
	DROP(f64_2d, in.fsequence);
}

static void objective(Call *c)
{
	Input in = read_input(c);
	double y = 0;
	REPEAT(c, (void)0,
	       futhark_entry_primal(ctx, &y, in.fmain, in.fextra, in.fstate, in.fsequence));
	give(c, real_json(c, y));
	drop_input(in);
}

static void jacobian(Call *c)
{
	Input in = read_input(c);
	struct futhark_opaque_tup2_arr4d_f64_arr2d_f64 *out = NULL;
	int64_t count = 8 * in.l * in.b;
	REPEAT(c, DROP(opaque_tup2_arr4d_f64_arr2d_f64, out),
	       futhark_entry_gradient(ctx, &out, in.fmain, in.fextra, in.fstate, in.fsequence));
	if (out) {
		double *all = room(c, count + 3 * in.b, sizeof *all);
		FETCH_PART(opaque_tup2_arr4d_f64_arr2d_f64, 0, f64_4d, out, all);
		FETCH_PART(opaque_tup2_arr4d_f64_arr2d_f64, 1, f64_2d, out, all + count);
		give(c, reals_json(c, all, 1, (int64_t[]){count + 3 * in.b}));
	}
	DROP(opaque_tup2_arr4d_f64_arr2d_f64, out);
	drop_input(in);
}

MODULE({"objective", objective}, {"jacobian", jacobian})
