// Determines which indices, bounds and conditions of a loop can be recomputed when its updates are
// undone, and which have to be recorded.
//
//     loop .. for p < n do                      x is p + i: known when iteration p, i is undone,
//       is = iota (n - p) p 1                   as is the size n - p; q is not if js is made
//       loop .. for i < n - p do                in the loop, so it is recorded
//         x = is[i]; q = js[x]
//
// An element of a free array of the loop that is not consumed can be read again.
#include "ad/vjp_loop.h"

// An element of a range: a sum.
static const Exp *range_of(const Varying *w, const Exp *e)
{
	if (e->form != E_index || e->index.idx.len != 1 || e->index.arr.kind != S_VAR)
		return NULL;
	const Exp *inside = map_get(&w->ranges, var_key(e->index.arr.var));
	const Cell *c = inside ? NULL : cell_of(w->v, e->index.arr.var);
	if (c && c->def >= 0)
		inside = c->level->body->stms.at[c->def].exp;
	return inside && inside->form == E_iota && inside->iota.type == PT_I64 ? inside : NULL;
}

static bool is_whole(PrimType t)
{
	return is_int(t) || t == PT_BOOL;
}

// A number of an array from outside, which the return sweep has as well.
static bool read_again(const Varying *w, const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_index && is_whole(vars[s->pat.at[0].id].type.elem) &&
	       type_is_scalar(vars[s->pat.at[0].id].type) && e->index.arr.kind == S_VAR &&
	       !is_varying(w, e->index.arr) &&
	       !alias_ever(&w->v->alias, e->index.arr.var);
}

// Integer arithmetic, which is as well done again as recorded.
static void note_arithmetic(Visit *vis, Body *b)
{
	Varying *w = vis->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_iota)
			map_put(&w->ranges, var_key(s->pat.at[0]), s->exp);
		bool plain = (e->form == E_prim && is_whole(e->prim.at)) || e->form == E_atom;
		if (plain || e->form == E_convert || range_of(w, e) || read_again(w, s))
			map_put(&w->arithmetic, var_key(s->pat.at[0]), s);
		if (form_has(e->form, FORM_NEST))
			exp_visit(s->exp, vis);
	}
}

void varying_init(Varying *w, Vjp *v, const Stm *loop)
{
	*w = (Varying){.v = v, .around = loop, .loop = loop_id(loop)};
	Visit vis = {.bind = note_binder, .ctx = &w->inside};
	exp_visit(loop->exp, &vis);
	Visit more = {.body = note_arithmetic, .ctx = w};
	exp_visit(loop->exp, &more);
}

bool is_varying(const Varying *w, Sub s)
{
	if (s.kind != S_VAR)
		return false;
	for EACH(TrailLength, t, w->v->trails)
		if (t->n.id == s.var.id)
			return true;
	return map_has(&w->inside, var_key(s.var));
}

bool type_varies(const Varying *w, Type t)
{
	for EACH(Sub, d, t.dims)
		if (is_varying(w, *d))
			return true;
	return false;
}

bool is_flat(const Varying *w, Type t)
{
	return w->nest == 0 && type_varies(w, t);
}

enum { MOST_AGAIN = 64 };       // operations that are done again for one value

// What the loop has done where it is done again, but maybe not before it begins.
static bool relies_on_order(const Exp *e, const Exp *range)
{
	return (e->form == E_index && !range) ||
	       (e->form == E_prim && prim_can_fail(e->prim.op, e->prim.at));
}

static bool recorded_within(const Varying *w, Sub s, int *left)
{
	if (!is_varying(w, s) || map_has(&w->known, var_key(s.var)))
		return false;
	const Stm *def = map_get(&w->arithmetic, var_key(s.var));
	const Exp *e = def ? def->exp : NULL, *range = e ? range_of(w, e) : NULL;
	if (!e || --*left < 0 || (w->before && relies_on_order(e, range)))
		return true;
	if (e->form == E_convert || e->form == E_atom)
		return recorded_within(w, e->form == E_atom ? e->atom.x : e->convert.x, left);
	if (range && (recorded_within(w, range->iota.start, left) ||
	              recorded_within(w, range->iota.step, left)))
		return true;
	Subs operands = e->form == E_index ? e->index.idx
	              : (Subs){(Sub *)e->prim.x, prim_arity(e->prim.op)};
	for EACH(Sub, x, operands)
		if (recorded_within(w, *x, left))
			return true;
	return false;
}

bool is_recorded(const Varying *w, Sub s)
{
	int left = MOST_AGAIN;
	return recorded_within(w, s, &left);
}

void varying_know(Varying *w, Var index, Sub value)
{
	map_put(&w->known, var_key(index), mem_dup(&value, sizeof value));
}

Sub at_undo(Varying *w, Sub s)
{
	const Sub *known = s.kind == S_VAR ? map_get(&w->known, var_key(s.var)) : NULL;
	if (known)
		return *known;
	if (!is_varying(w, s))
		return ret_sub(w->v, s);
	const Exp *e = ((const Stm *)map_get(&w->arithmetic, var_key(s.var)))->exp;
	if (e->form == E_atom)
		return at_undo(w, e->atom.x);
	if (e->form == E_convert)
		return b_convert(w->v->b, e->convert.to, at_undo(w, e->convert.x));
	const Exp *range = range_of(w, e);
	if (range) {
		Sub i = at_undo(w, e->index.idx.at[0]), step = at_undo(w, range->iota.step);
		return b_add(w->v->b, at_undo(w, range->iota.start), b_mul(w->v->b, i, step));
	}
	if (e->form == E_index) {
		Subs idx = SLICE_DUP(Subs, e->index.idx);
		for EACH(Sub, x, idx)
			*x = at_undo(w, *x);
		return b_index(w->v->b, ret_sub(w->v, e->index.arr), idx);
	}
	Sub x[3] = {0};
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		x[i] = at_undo(w, e->prim.x[i]);
	return b_prim(w->v->b, e->prim.op, e->prim.at, x[0], x[1], x[2]);
}

bool size_of_records(Varying *w, const Exp *loop, Type t, Sub *total)
{
	Build *b = w->v->b;
	Var i = var_i64("i");
	Var sum = var_i64("total");
	if (loop->loop.is_while)
		return false;
	varying_know(w, loop->loop.i, sub_i64(0));
	w->before = true;
	for EACH(Sub, d, t.dims)
		if (is_recorded(w, *d))
			return false;
	Sub n = b_prim2(b, P_max, b_convert(b, PT_I64, ret_sub(w->v, loop->loop.n)), sub_i64(0));
	b_open(b);
	PrimType counter = vars[loop->loop.i.id].type.elem;
	varying_know(w, loop->loop.i, b_convert(b, counter, sub_var(i)));
	Subs dims = SLICE_DUP(Subs, t.dims);
	for EACH(Sub, d, dims)
		*d = at_undo(w, *d);
	Body body = b_close(b, subs_of(1, b_add(b, sub_var(sum), b_product(b, dims))));
	*total = b_let(b, "total", type_scalar(PT_I64), EXP(loop, .params = vars_of(1, sum),
	                                                    .inits = subs_of(1, sub_i64(0)), .i = i,
	                                                    .n = n, .body = body));
	return true;
}
