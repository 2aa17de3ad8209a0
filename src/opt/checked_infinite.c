// Finds values that may be infinite because of an infinity that is written in the program.
//
//     loop (top = -inf, ..) for j < n do          top, in the first iteration
//       let (new: f32) = max top x                not new: x is taken to be finite
//       let (gap: f32) = sub top new              gap, for top is
//
// Checked mode does not report these.  Such values are usual (running maxima, masks), so what tells
// whether there is anything to look for must not count them, or it would be looked for each time
// (checked_float.c).  This is about time alone: what is not found here is looked for, and not
// reported.
#include "opt/checked_float.h"

#include <math.h>

typedef struct { Map *found; bool more; } Infinite;

static void infinite_body(Infinite *, const Body *);

bool may_be_infinite(const Map *found, Sub x)
{
	return x.kind == S_VAR ? map_has(found, var_key(x.var))
	                       : is_float(x.val.type) && isinf(x.val.f);
}

static bool is_infinite(const Infinite *s, Sub x)
{
	return may_be_infinite(s->found, x);
}

static void note(Infinite *s, Var x)
{
	if (!type_is_float(vars[x.id].type) || map_has(s->found, var_key(x)))
		return;
	map_put(s->found, var_key(x), s);
	s->more = true;
}

static void note_if(Infinite *s, Sub from, Var to)
{
	if (is_infinite(s, from))
		note(s, to);
}

// The larger one of two is infinite if both are.
static bool stays_infinite(const Infinite *s, const Exp *e)
{
	int n = n_float_operands(e), count = 0;
	for (int i = 0; i < n; i++)
		count += hands_on(e, i) && is_infinite(s, float_operand(e, i));
	bool extremum = e->form == E_prim && (e->prim.op == P_min || e->prim.op == P_max);
	return extremum ? count == n : count > 0;
}

static void infinite_arm(Infinite *s, const Body *b, Vars pat)
{
	infinite_body(s, b);
	for (int i = 0; i < pat.len; i++)
		note_if(s, b->res.at[i], pat.at[i]);
}

static void infinite_loop(Infinite *s, const Stm *st)
{
	const Exp *e = st->exp;
	for (int i = 0; i < st->pat.len; i++)
		note_if(s, e->loop.inits.at[i], e->loop.params.at[i]);
	infinite_arm(s, &e->loop.body, e->loop.params);
	for (int i = 0; i < st->pat.len; i++)
		note_if(s, sub_var(e->loop.params.at[i]), st->pat.at[i]);
}

// Extrema of what may be infinite are not, as a rule; sums of it are reported as they are found.
static void infinite_screma(Infinite *s, const Stm *st)
{
	const Exp *e = st->exp;
	const Lambda *f = e->screma.map;
	int from = n_folded(e);
	for (int i = 0; i < e->screma.arrs.len; i++)
		note_if(s, e->screma.arrs.at[i], f->params.at[i]);
	infinite_body(s, &f->body);
	for (int i = from; i < st->pat.len; i++)
		note_if(s, f->body.res.at[i], st->pat.at[i]);
}

// A view or a copy, also of one of several.
static void infinite_operands(Infinite *s, const Stm *st)
{
	Vars free = free_in_stm(st);
	for EACH(Var, x, free)
		note_if(s, sub_var(*x), st->pat.at[0]);
	if (st->exp->form == E_update)
		note_if(s, st->exp->update.val, st->pat.at[0]);
	if (st->exp->form == E_replicate)
		note_if(s, st->exp->replicate.x, st->pat.at[0]);
}

static void infinite_stm(Infinite *s, const Stm *st)
{
	const Exp *e = st->exp;
	switch (e->form) {
	case E_prim: case E_convert:
		if (is_float_operation(st) && stays_infinite(s, e))
			note(s, st->pat.at[0]);
		return;
	case E_if_: case E_match:
		for (int i = 0; i < n_branches(e); i++)
			infinite_arm(s, branch_at(e, i), st->pat);
		return;
	case E_loop:
		infinite_loop(s, st);
		return;
	case E_screma:
		infinite_screma(s, st);
		return;
	case E_withacc:
		infinite_body(s, &e->withacc.fn->body);
		return;
	case E_atom: case E_index: case E_slice: case E_update: case E_concat: case E_replicate:
	case E_reshape: case E_rearrange: case E_copy: case E_array:
		infinite_operands(s, st);
		return;
	case E_call: case E_iota: case E_scratch: case E_hist: case E_scatter: case E_flatmap:
	case E_upd_acc: case E_jvp: case E_vjp: case E_with_vjp: case E_assert_: case E_trace:
	case E_opaque: case E_alloc: case E_release: case N_FORM:
		return;
	}
}

static void infinite_body(Infinite *s, const Body *b)
{
	for EACH(Stm, st, b->stms)
		infinite_stm(s, st);
}

void find_infinite(Map *found, const Body *b)
{
	Infinite s = {found, true};
	while (s.more) {
		s.more = false;
		infinite_body(&s, b);
	}
}
