// Finds values that may be infinite because of an infinity that is written in the program.
//
//     loop (top = -inf, ..) for j < n do          top, in the first iteration
//       let (new: f32) = max top x                not new: x is taken to be finite
//       let (gap: f32) = sub top new              gap, for top is
//
// Note [Beginnings].  What is infinite at first alone, as the maximum of a loop is in its first
// iteration, makes values of the first iteration infinite: a branch that chooses between it and
// what is finite gives something finite, as the larger of the two is.  So the loop's result is
// taken to be finite, and what is computed from it is tested as all else.  Of a branch that gives
// an infinity which is written there, or made of one (a mask), that would be wrong.
//
// Checked mode does not report these.  Such values are usual (running maxima, masks), so what tells
// whether there is anything to look for must not count them, or it would be looked for each time
// (checked_float.c).  This is about time alone: what is not found here is looked for, and not
// reported.
#include "opt/checked_float.h"

#include <math.h>

// FIRST: see Note [Beginnings].
enum { FIRST = 1, ALWAYS };
typedef struct { Map *found; bool more; } Infinite; // found: variable -> one of these

static void infinite_body(Infinite *, const Body *);

bool may_be_infinite(const Map *found, Sub x)
{
	return x.kind == S_VAR ? map_has(found, var_key(x.var))
	                       : is_float(x.val.type) && isinf(x.val.f);
}

static int degree(const Infinite *s, Sub x)
{
	if (x.kind == S_VAR)
		return (int)(intptr_t)map_get(s->found, var_key(x.var));
	return may_be_infinite(s->found, x) ? ALWAYS : 0;
}

static void note(Infinite *s, Var x, int how)
{
	if (!type_is_float(vars[x.id].type) || how <= degree(s, sub_var(x)))
		return;
	map_put(s->found, var_key(x), (void *)(intptr_t)how);
	s->more = true;
}

static void note_as(Infinite *s, Sub from, Var to)
{
	note(s, to, degree(s, from));
}

// The larger one of two is infinite if both are.
static int degree_of_result(const Infinite *s, const Exp *e)
{
	int n = n_float_operands(e), most = 0, least = ALWAYS;
	for (int i = 0; i < n; i++) {
		int how = hands_on(e, i) ? degree(s, float_operand(e, i)) : 0;
		most = how > most ? how : most;
		least = how < least ? how : least;
	}
	bool extremum = e->form == E_prim && (e->prim.op == P_min || e->prim.op == P_max);
	return extremum ? least : most;
}

static void infinite_branches(Infinite *s, const Stm *st)
{
	int n = n_branches(st->exp);
	for (int k = 0; k < n; k++)
		infinite_body(s, branch_at(st->exp, k));
	for (int i = 0; i < st->pat.len; i++) {
		int most = 0, least = ALWAYS;
		for (int k = 0; k < n; k++) {
			int how = degree(s, branch_at(st->exp, k)->res.at[i]);
			most = how > most ? how : most;
			least = how < least ? how : least;
		}
		note(s, st->pat.at[i], most == ALWAYS ? ALWAYS : least);
	}
}

static void infinite_loop(Infinite *s, const Stm *st)
{
	const Exp *e = st->exp;
	for (int i = 0; i < st->pat.len; i++)
		if (degree(s, e->loop.inits.at[i]))
			note(s, e->loop.params.at[i], FIRST);
	infinite_body(s, &e->loop.body);
	for (int i = 0; i < st->pat.len; i++) {
		Sub res = e->loop.body.res.at[i];
		note_as(s, res, e->loop.params.at[i]);
		note_as(s, res, st->pat.at[i]);
	}
}

// Extrema of what may be infinite are not, as a rule; sums of it are reported as they are found.
static void infinite_screma(Infinite *s, const Stm *st)
{
	const Exp *e = st->exp;
	const Lambda *f = e->screma.map;
	int from = n_folded(e);
	for (int i = 0; i < e->screma.arrs.len; i++)
		note_as(s, e->screma.arrs.at[i], f->params.at[i]);
	infinite_body(s, &f->body);
	for (int i = from; i < st->pat.len; i++)
		note_as(s, f->body.res.at[i], st->pat.at[i]);
}

// A view or a copy, also of one of several.
static void infinite_operands(Infinite *s, const Stm *st)
{
	Vars free = free_in_stm(st);
	for EACH(Var, x, free)
		note_as(s, sub_var(*x), st->pat.at[0]);
	if (st->exp->form == E_update)
		note_as(s, st->exp->update.val, st->pat.at[0]);
	if (st->exp->form == E_replicate)
		note_as(s, st->exp->replicate.x, st->pat.at[0]);
}

static void infinite_stm(Infinite *s, const Stm *st)
{
	const Exp *e = st->exp;
	switch (e->form) {
	case E_prim: case E_convert:
		if (is_float_operation(st))
			note(s, st->pat.at[0], degree_of_result(s, e));
		return;
	case E_if_: case E_match:
		infinite_branches(s, st);
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
