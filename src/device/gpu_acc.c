// Histograms, scatters and accumulators on devices; irregular maps are handled by
// split_flatmaps.c.
//
// hist and scatter are expressed by accumulators, which kernels carry as loop parameters; `seq`
// marks the updates #[atomic] or #[shared].  In a nest they get the dimensions of the nest
// (flatten_acc.c), and one kernel has a thread for each element of each row.
#include "device/flatten.h"

static Stm acc_of(const Stm *s)
{
	return s->exp->form == E_hist ? acc_of_hist(s) : acc_of_scatter(s);
}

bool gpu_acc_stm(Flatten *f, const Stm *s)
{
	if (s->exp->form == E_flatmap)
		return false;           // stays what it is: a loop on the host
	Stm t, map;
	if (s->exp->form == E_hist && hist_in_two_steps(f, s, &map, &t)) {
		flatten_stm(f, &map);
		t = acc_of(&t);
	} else {
		t = acc_of(s);
	}
	flatten_stm(f, &t);
	return true;
}

// ---- In a nest ----

static bool are_outside(const Flatten *f, Subs xs)
{
	for EACH(Sub, x, xs)
		if (in_nest(f, *x))
			return false;
	return true;
}

static bool are_regular(const Flatten *f, Types ts)
{
	for EACH(Type, t, ts)
		if (!is_regular(f, *t))
			return false;
	return true;
}

bool bins_are_regular(const Flatten *f, Subs space, Subs dests, const Lambda *op, Subs ne)
{
	for EACH(Sub, d, dests)
		if (!is_regular(f, sub_type(*d)))
			return false;
	return are_outside(f, space) && are_outside(f, ne) &&
	       (!op || are_outside(f, subs_of_vars(free_in_lambda(op))));
}

bool gpu_acc_goes_apart(const Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_hist) {
		for EACH(HistOp, op, e->hist.ops)
			if (!bins_are_regular(f, op->space, op->dests, op->op, op->ne) ||
			    acc_mixes_values(op->op))
				return false;  // threads that wait for locks are no faster than one
		return are_outside(f, subs_of(1, e->hist.n)) && are_regular(f, e->hist.map->ret);
	}
	for EACH(ScatterDest, d, e->scatter.dests)
		if (!bins_are_regular(f, d->space, subs_of(1, d->dest), NULL, (Subs){0}))
			return false;
	return are_outside(f, subs_of(1, e->scatter.n)) && are_regular(f, e->scatter.map->ret);
}

Subs gpu_acc_nest(Flatten *f, const Level *nest, const Stm *s)
{
	Stm t = acc_of(s);
	return spread_withacc(f, nest, &t);
}
