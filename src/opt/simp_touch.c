// Simplifies arrays to whose elements a loop adds, each in an iteration of its own.
//
//     loop (a: *[n]f64 = replicate [n] 0.0) for i: i64 < n do {        = scratch.f64 [n]
//       let (j: i64) = sub.i64 last i                                  (j or i itself)
//       let (x: f64) = index a [j]                                ->   x is 0.0
//       let (y: f64) = add.f64 v x
//       let (b: [n]f64) = update a [j] y
//       in b
//     }
//
// No iteration looks at what another one wrote, so what is read is what was there before the loop;
// and if there are as many iterations as elements, all of these are written.  Return sweeps of
// loops over the elements of an array are like this.
#include "opt/simplify.h"

static const Stm *giver(const Body *b, Sub x)
{
	for EACH(Stm, st, b->stms)
		for EACH(Var, y, st->pat)
			if (x.kind == S_VAR && y->id == x.var.id)
				return st;
	return NULL;
}

// Another number in each iteration: the counter, or something from outside less the counter.
static bool is_own_place(const Exp *loop, Sub x)
{
	if (sub_eq(x, sub_var(loop->loop.i)))
		return true;
	const Stm *st = giver(&loop->loop.body, x);
	return st && st->exp->form == E_prim && st->exp->prim.op == P_sub &&
	       sub_eq(st->exp->prim.x[1], sub_var(loop->loop.i)) &&
	       !giver(&loop->loop.body, st->exp->prim.x[0]) &&
	       vars_find(loop->loop.params, st->exp->prim.x[0]) < 0;
}

static const Stm *read_of(const Exp *loop, Var array)
{
	for EACH(Stm, st, loop->loop.body.stms)
		if (st->exp->form == E_index && sub_eq(st->exp->index.arr, sub_var(array)))
			return st;
	return NULL;
}

// The read of parameter k, if that and the update of the same element are all that is done to it.
static const Stm *only_read(Simp *s, const Exp *loop, int k)
{
	Var p = loop->loop.params.at[k];
	const Body *b = &loop->loop.body;
	const Stm *read = read_of(loop, p), *write = giver(b, b->res.at[k]);
	if (!read || !write || write->exp->form != E_update || s_uses(s, sub_var(p)) > 2 ||
	    !sub_eq(write->exp->update.arr, sub_var(p)) || !write->exp->update.at.at[0].fixed)
		return NULL;
	Sub at = read->exp->index.idx.at[0], to = write->exp->update.at.at[0].start;
	bool own = sub_eq(at, to) && is_own_place(loop, at);
	for EACH(Stm, st, b->stms)
		if (own && st != read && st != write)
			own = vars_find(free_in_body(&(Body){.stms = {st, 1}}), sub_var(p)) < 0;
	return own ? read : NULL;
}

static Body without(Body body, const Stm *gone, Sub value)
{
	Map known = {0};
	VEC(Stm) stms = {0};
	map_put(&known, var_key(gone->pat.at[0]), mem_dup(&value, sizeof value));
	for EACH(Stm, st, body.stms)
		if (st != gone)
			VEC_PUSH(&stms, *st);
	return body_subst((Body){VEC_SLICE(Stms, stms), body.res}, &known);
}

void simp_touches(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	for (int k = 0; !e->loop.is_while && k < e->loop.params.len; k++) {
		Type t = vars[e->loop.params.at[k].id].type;
		if (t.kind != T_DATA || t.dims.len != 1 || !t.unique)
			continue;
		const Exp *init = s_def_as(s, e->loop.inits.at[k], E_replicate);
		if (!init || init->replicate.x.kind != S_CONST)
			continue;
		const Stm *read = only_read(s, e, k);
		if (!read || !s_rewrite(s))
			continue;
		e->loop.body = without(e->loop.body, read, init->replicate.x);
		if (!sub_eq(e->loop.n, t.dims.at[0]))
			continue;
		e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
		t.unique = false;
		e->loop.inits.at[k] = s_let(s, "filled", t, NEW(Exp, .form = E_scratch,
		                            .scratch = {t.elem, t.dims}));
	}
}
