// Recognises loops that traverse the same row repeatedly, for strip_rows.c.
//
// A nest is a loop, inside the body of another loop, that carries scalars and contains further
// loops.  Several iterations of the enclosing loop can be executed at once, in vector lanes, if
// all values that differ between them are floats of one type, masks, or indices of the nest.  The
// nest may read values that are invariant in the enclosing loop, elements that are adjacent for
// consecutive iterations, or one row of an array per iteration:
//
//     for i < n  { ..  for j < k { ..  for l < d { .. x[i, l] .. y[j, l] .. z[i] .. }  .. }  .. }
//
// This file only analyses.
#include "loop/split.h"

enum { MAX_STMS = 24, MAX_PARAMS = 4, MAX_DEPTH = 2 };

typedef struct {
	Strips *s;
	PrimType type;                  // of floats, once there is one
	bool found, wide, fits;         // there are i64; they are indices
	int n_stms, n_params, n_rows, depth;
	const Exp *loops[MAX_DEPTH];
} Nest;

static bool differs(const Nest *n, Sub x)
{
	return rate(&n->s->a.rates, x) == OTHERWISE;
}

// Can what differs from lane to lane be in a vector?
static bool suits_value(Nest *n, Var v)
{
	PrimType t = vars[v.id].type.elem;
	if (!differs(n, sub_var(v)) || t == PT_BOOL)
		return true;
	n->wide |= t == PT_I64;
	if (t != PT_F32 && t != PT_F64)
		return t == PT_I64;
	if (!n->found)
		n->type = t;
	n->found = true;
	return t == n->type;
}

// An i64 beside such: is it the index of the nest's outer loop, or how often that runs?
static void note_index(Nest *n, Sub x)
{
	if (sub_type(x).elem != PT_I64 || differs(n, x))
		return;
	const Exp *loop = n->loops[0];
	bool small = x.kind == S_CONST && x.val.i >= INT32_MIN && x.val.i <= INT32_MAX;
	n->fits &= small || (loop && (sub_eq(x, loop->loop.n) || sub_eq(x, sub_var(loop->loop.i))));
}

static bool has_vector_op(Prim op, PrimType t)
{
	switch (op) {
	case P_and: case P_or: case P_not:
		return t == PT_BOOL;
	case P_eq: case P_lt: case P_le: case P_min: case P_max:
		return t == PT_I64 || t == PT_F32 || t == PT_F64;
	case P_sin: case P_cos: case P_sgn: // seldom
		return false;
	default:
		return (t == PT_F32 || t == PT_F64) && prim_in_vectors(op);
	}
}

static bool suits_prim(Nest *n, const Exp *e, Var v)
{
	if (!differs(n, sub_var(v)))
		return true;
	for (int k = 0; k < prim_arity(e->prim.op); k++)
		note_index(n, e->prim.x[k]);
	n->wide |= e->prim.at == PT_I64;
	return has_vector_op(e->prim.op, e->prim.at);
}

// Is it x[row, l], where l goes through all of the row in a loop inside of another?
static bool is_of_row(const Nest *n, const Exp *e)
{
	const Around *a = &n->s->a;
	Type t = sub_type(e->index.arr);
	Sub row = e->index.idx.at[0];
	if (t.dims.len != 2 || rate(&a->rates, row) != BY_ONE ||
	    !map_has(&a->inside, var_key(row.var)))
		return false;
	for (int d = 1; d < n->depth; d++)
		if (sub_eq(e->index.idx.at[1], sub_var(n->loops[d]->loop.i)))
			return sub_eq(n->loops[d]->loop.n, t.dims.at[1]);
	return false;
}

static void note_rows(Nest *n, const Stm *load)
{
	Strips *s = n->s;
	const Exp *e = load->exp;
	uintptr_t at = 0;
	for (int k = 0; k < s->rows.len; k++)
		if (sub_eq(s->rows.at[k].arr, e->index.arr) &&
		    sub_eq(s->rows.at[k].row, e->index.idx.at[0]))
			at = (uintptr_t)k + 1;
	if (!at) {
		VEC_PUSH(&s->rows,
		         (Rows){.arr = e->index.arr, .row = e->index.idx.at[0], .load = load});
		at = (uintptr_t)s->rows.len;
	}
	map_put(&s->loads, e, (void *)at);
	n->n_rows++;
}

static bool suits_load(Nest *n, const Stm *s)
{
	const Exp *e = s->exp;
	int r = rate_of_index(&n->s->a.rates, e->index.idx);
	if (r == STAYS)
		return true;
	if (!is_float(sub_type(e->index.arr).elem))
		return false;
	if (r == BY_ONE)
		return true;
	if (!is_of_row(n, e))
		return false;
	note_rows(n, s);
	return true;
}

static bool suits_simple(Nest *n, const Stm *s)
{
	Var v = s->pat.at[0];
	set_rate(&n->s->a.rates, v, rate_of_exp(&n->s->a.rates, s->exp));
	switch (s->exp->form) {
	case E_prim:  return suits_prim(n, s->exp, v) && suits_value(n, v);
	case E_index: return suits_load(n, s) && suits_value(n, v);
	default: // a conversion or another name
		return !differs(n, sub_var(v));
	}
}

// Results that are chosen among values there are.
static bool suits_choice(Nest *n, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->if_.yes.stms.len || e->if_.no.stms.len)
		return false;
	for (int k = 0; k < s->pat.len; k++) {
		Sub yes = e->if_.yes.res.at[k], no = e->if_.no.res.at[k];
		if (!type_is_scalar(vars[s->pat.at[k].id].type))
			return false;
		set_rate(&n->s->a.rates, s->pat.at[k], OTHERWISE);
		note_index(n, yes);
		note_index(n, no);
		if (!suits_value(n, s->pat.at[k]))
			return false;
	}
	return differs(n, e->if_.cond);
}

static bool suits_loop(Nest *n, const Stm *s)
{
	const Exp *e = s->exp;
	Strips *p = n->s;
	if (e->loop.is_while || sub_type(e->loop.n).elem != PT_I64 || n->depth == MAX_DEPTH ||
	    has_rate(&p->a.rates, e->loop.n) || is_device_loop(s->attrs) ||
	    has_attr(s->attrs, ATTR_REGION))
		return false;
	n->loops[n->depth++] = e;
	n->n_stms += e->loop.body.stms.len;
	n->n_params += e->loop.params.len;
	set_rate(&p->a.rates, e->loop.i, STAYS);
	for (int k = 0; k < e->loop.params.len; k++) {
		Var v = e->loop.params.at[k];
		if (!type_is_scalar(vars[v.id].type))
			return false;
		set_rate(&p->a.rates, v, OTHERWISE);
		set_rate(&p->a.rates, s->pat.at[k], OTHERWISE);
		note_index(n, e->loop.inits.at[k]);
		if (!suits_value(n, v))
			return false;
	}
	bool inner = false;
	for EACH(Stm, t, e->loop.body.stms) {
		bool loop = t->exp->form == E_loop, choice = t->exp->form == E_if_;
		bool good = loop     ? suits_loop(n, t)
		            : choice ? suits_choice(n, t)
		                     : is_simple_scalar(t) && suits_simple(n, t);
		if (!good)
			return false;
		inner |= loop;
	}
	for EACH(Sub, r, e->loop.body.res)
		note_index(n, *r);
	if (inner)
		VEC_PUSH(&p->uses, e->loop.n);
	n->depth--;
	return true;
}

// Also what it needs of the loop's body, where rates are known: no rows are laid out for that.
static bool suits_before(Nest *n, const Stm *s)
{
	Map needed = {0};
	if (!gather_needed(&n->s->a, s, &needed))
		return false;
	for MAP_EACH(e, needed)
		if (!suits_simple(n, e->val))
			return false;
	return true;
}

static bool has_results(const Stm *s)
{
	for EACH(Var, v, s->pat)
		if (vars[v->id].type.elem == PT_BOOL)
			return false;
	return true;
}

static void find_nest(Strips *s, const Stm *stm)
{
	Nest n = {.s = s, .fits = true};
	int n_rows = s->rows.len, n_uses = s->uses.len;
	if (stm->exp->form != E_loop)
		return;
	if (suits_loop(&n, stm) && suits_before(&n, stm) && has_results(stm) && n.n_rows &&
	    n.n_stms <= MAX_STMS && n.n_params <= MAX_PARAMS &&
	    (n.type == PT_F64 || !n.wide || n.fits)) {
		uintptr_t how = n.type == PT_F32 && n.wide ? NARROWS : KEEPS;
		map_put(&s->nests, stm, (void *)how);
		if (how == NARROWS)
			VEC_PUSH(&s->indexed, stm->exp->loop.n);
		return;
	}
	s->rows.len = n_rows;
	s->uses.len = n_uses;
}

bool find_row_nests(Strips *s, const Exp *loop)
{
	s->a = around_of(loop);
	s->rows.len = s->uses.len = s->indexed.len = 0;
	s->nests = s->loads = (Map){0};
	for EACH(Stm, t, loop->loop.body.stms)
		find_nest(s, t);
	return s->nests.len;
}
