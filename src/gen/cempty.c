// Loops over rows that turn out to have no elements.
//
// There may be 2^60 rows of no elements, since they take no memory.  A loop whose iterations do
// nothing but write elements of such rows is not run:
//
//     for i < n                         if (m != 0)
//       for j < m                 ->      for (i = 0; i < n; i++)
//         a[i, j] = i * j                   ...
//
// The condition is that of the outermost loop.  Iterations that may fail, or that carry numbers,
// are run.
#include "gen/cgen.h"

typedef enum { NOTHING, SOMETIMES, ALWAYS } Does;
typedef struct { Gen *g; Map bound; } RowsOf;     // bound: by the loop, or inside of it

static void note_bound(Visit *v, Body *b)
{
	RowsOf *r = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		for EACH(Var, x, s->pat)
			map_put(&r->bound, var_key(*x), r);
		if (e->form == E_loop) {
			map_put(&r->bound, var_key(e->loop.i), r);
			for EACH(Var, p, e->loop.params)
				map_put(&r->bound, var_key(*p), r);
		}
		if (form_has(e->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

// Is it something, and known before the loop?  Gives when it is not 0.
static Does unless_zero(RowsOf *r, Sub n, CExp *when)
{
	if (n.kind == S_CONST)
		return n.val.i ? ALWAYS : NOTHING;
	if (map_has(&r->bound, var_key(n.var)))
		return ALWAYS;
	*when = x_binary(operand(r->g, n), "!=", x_int(0), PREC_COMPARE);
	return SOMETIMES;
}

// x op y, or x if y is one of its operands.
static CExp joined(CExp x, const char *op, CExp y, Prec prec)
{
	CExp of = x;
	for (; of->kind == X_BINARY && !strcmp(of->text, op); of = of->x[0])
		if (x_same(of->x[1], y))
			return x;
	if (x_same(of, y))
		return x;
	return x_binary(x, op, y, prec);
}

static Does both(Does a, CExp when_a, Does b, CExp when_b, CExp *when)
{
	if (a == NOTHING || b == NOTHING)
		return NOTHING;
	*when = a == ALWAYS ? when_b : b == ALWAYS ? when_a
	      : joined(when_a, "&&", when_b, PREC_AND);
	return a == ALWAYS && b == ALWAYS ? ALWAYS : SOMETIMES;
}

// Compilers warn of a && b || c.
static CExp in_or(CExp x)
{
	return x->kind == X_BINARY && !strcmp(x->text, "&&") ? x_paren(x) : x;
}

static Does either(Does a, CExp when_a, Does b, CExp when_b, CExp *when)
{
	if (a == ALWAYS || b == ALWAYS)
		return ALWAYS;
	*when = a == NOTHING ? when_b : b == NOTHING ? when_a
	      : joined(in_or(when_a), "||", in_or(when_b), PREC_OR);
	return a == NOTHING && b == NOTHING ? NOTHING : SOMETIMES;
}

static Does writes(RowsOf *r, Type t, CExp *when)
{
	Does all = ALWAYS;
	for EACH(Sub, d, t.dims) {
		CExp one = NULL;
		Does does = unless_zero(r, *d, &one);
		all = both(all, *when, does, one, when);
	}
	return all;
}

static Does body_does(RowsOf *, const Body *, CExp *when);

static Does stm_does(RowsOf *r, const Stm *s, CExp *when)
{
	const Exp *e = s->exp;
	CExp a = NULL, b = NULL;
	if (needs_no_code(s) || is_pure_scalar(s))
		return NOTHING;
	switch (e->form) {
	case E_alloc: case E_scratch:
		return NOTHING;
	case E_copy: case E_concat: case E_replicate: case E_iota:
		return writes(r, vars[s->pat.at[0].id].type, when);
	case E_update:
		return writes(r, sub_type(e->update.val), when);
	case E_if_: {
		Does yes = body_does(r, &e->if_.yes, &a), no = body_does(r, &e->if_.no, &b);
		return either(yes, a, no, b, when);
	}
	case E_loop: {
		if (e->loop.is_while)
			return ALWAYS;
		Does n = unless_zero(r, e->loop.n, &a), body = body_does(r, &e->loop.body, &b);
		return both(n, a, body, b, when);
	}
	default: // what may fail, and calls
		return ALWAYS;
	}
}

static Does body_does(RowsOf *r, const Body *body, CExp *when)
{
	Does all = NOTHING;
	for EACH(Stm, s, body->stms) {
		CExp one = NULL;
		Does does = stm_does(r, s, &one);
		all = either(all, *when, does, one, when);
		if (all == ALWAYS)
			return ALWAYS;
	}
	return all;
}

CExp when_rows_have_elements(Gen *g, const Exp *loop)
{
	if (g->target != ON_CPU || g->rows.lane || g->in_rows_of_some || loop->loop.is_while ||
	    loop->loop.n.kind == S_CONST)
		return NULL;
	for (int k = 0; k < loop->loop.params.len; k++) {
		Var p = loop->loop.params.at[k];
		bool in_place = type_is_array(vars[p.id].type);
		if (!in_place && !sub_eq(loop->loop.body.res.at[k], sub_var(p)))
			return NULL;
	}
	RowsOf r = {.g = g};
	Visit v = {.body = note_bound, .ctx = &r};
	map_put(&r.bound, var_key(loop->loop.i), &r);
	for EACH(Var, p, loop->loop.params)
		map_put(&r.bound, var_key(*p), &r);
	note_bound(&v, (Body *)&loop->loop.body); // a walk: writes nothing
	CExp when = NULL;
	return body_does(&r, &loop->loop.body, &when) == SOMETIMES ? when : NULL;
}
