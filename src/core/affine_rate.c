// How scalars change from one loop iteration to the next: not at all, by one, or in another way.
//
// The caller records the rates of the variables that the loop binds, in order; variables without a
// rate are bound outside and invariant.
#include "core/affine.h"

int rate(const Map *rates, Sub x)
{
	return x.kind == S_CONST ? STAYS : (int)(uintptr_t)map_get(rates, var_key(x.var));
}

bool has_rate(const Map *rates, Sub x)
{
	return x.kind == S_VAR && map_has(rates, var_key(x.var));
}

void set_rate(Map *rates, Var v, int r)
{
	map_put(rates, var_key(v), (void *)(uintptr_t)r);
}

int sum_of_rates(int x, int y)
{
	return x + y > BY_ONE ? OTHERWISE : x + y;
}

typedef struct { const Map *rates; int most; } MostRate;

static void note_rate(Visit *v, Sub *x)
{
	MostRate *m = v->ctx;
	int r = rate(m->rates, *x);
	m->most = r > m->most ? r : m->most;
}

// Anything but a sum that depends on the index depends on it in another way.
int rate_of_exp(const Map *rates, const Exp *e)
{
	if (e->form == E_atom)
		return rate(rates, e->atom.x);
	bool sum = e->form == E_prim && e->prim.op == P_add;
	bool difference = e->form == E_prim && e->prim.op == P_sub &&
	                  rate(rates, e->prim.x[1]) == STAYS;
	if (sum || difference)
		return sum_of_rates(rate(rates, e->prim.x[0]), rate(rates, e->prim.x[1]));
	MostRate m = {rates, STAYS};
	Visit v = {.sub = note_rate, .ctx = &m};
	exp_walk(e, &v);
	return m.most == STAYS ? STAYS : OTHERWISE;
}
