// How scalars change from one loop iteration to the next: not at all, by one, or in another way.
// Who asks for it is also told of i64 that change by a few: the places of every second element.
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

enum { MOST_STEP = 4 };

int rate_by(int64_t step)
{
	return step < 0 || step > MOST_STEP ? OTHERWISE
	     : step <= 1                    ? (int)step
	                                    : OTHERWISE + (int)step - 1;
}

int step_of_rate(int r)
{
	return r == OTHERWISE ? -1 : r < OTHERWISE ? r : r - OTHERWISE + 1;
}

int sum_of_steps(int x, int y)
{
	int a = step_of_rate(x), b = step_of_rate(y);
	return a < 0 || b < 0 ? OTHERWISE : rate_by(a + b);
}

int steps_of_exp(const Map *rates, const Exp *e)
{
	if (e->form != E_prim || e->prim.at != PT_I64)
		return rate_of_exp(rates, e);
	Sub x = e->prim.x[0], y = e->prim.x[1];
	int a = step_of_rate(rate(rates, x));
	switch (e->prim.op) {
	case P_add:
		return sum_of_steps(rate(rates, x), rate(rates, y));
	case P_sub: {
		int b = step_of_rate(rate(rates, y));
		return a < 0 || b < 0 ? OTHERWISE : rate_by(a - b);
	}
	case P_mul:
		if (x.kind == S_CONST) {
			Sub t = x;
			x = y;
			y = t;
			a = step_of_rate(rate(rates, x));
		}
		if (y.kind == S_CONST && a > 0 && y.val.i >= 0 && y.val.i <= MOST_STEP)
			return rate_by(a * y.val.i);
		return rate_of_exp(rates, e);
	default:
		return rate_of_exp(rates, e);
	}
}
