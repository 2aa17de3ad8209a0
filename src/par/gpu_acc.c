// Histograms, scatter and accumulators on devices; irregular maps are those of split_flatmaps.c.
//
// hist and scatter are expressed by accumulators, which go through kernels as what these carry;
// `seq` makes the updates #[atomic] or #[shared].
#include "par/flatten.h"

bool gpu_acc_stm(Flatten *f, const Stm *s)
{
	Stm t;
	switch (s->exp->form) {
	case E_hist:
		t = acc_of_hist(s);
		break;
	case E_scatter:
		t = acc_of_scatter(s);
		break;
	default: // stays what it is: a loop on the host
		return false;
	}
	flatten_stm(f, &t);
	return true;
}

bool gpu_acc_nest(Flatten *f, const Level *nest, const Stm *s, Subs *results)
{
	(void)f;
	(void)nest;
	(void)s;
	(void)results;
	return false;
}
