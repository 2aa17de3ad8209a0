// Histograms, scatter, flatmap and accumulators on devices.
//
// They stay what they are: loops on the host.
#include "par/flatten.h"

bool gpu_acc_stm(Flatten *f, const Stm *s)
{
	(void)f;
	(void)s;
	return false;
}

bool gpu_acc_nest(Flatten *f, const Level *nest, const Stm *s, Subs *results)
{
	(void)f;
	(void)nest;
	(void)s;
	(void)results;
	return false;
}
