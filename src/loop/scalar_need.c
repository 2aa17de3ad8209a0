// Decides whether there is anything to scalarise or unroll in a function.
//
// A cheap traversal, based on the decisions of scalar_plan.c, that avoids rewriting a whole
// function only to find it unchanged.  There is something to do if a loop or combinator is
// unrolled, if an array among the parameters or results of control flow is scalarised, or if an
// element is read from an array whose elements are known (scalar_array.c).
//
// Arrays from elsewhere (parameters of functions, rows of larger arrays) become known by loading
// their elements where they are bound.  Reading such an element in the same body at a constant
// index is not a reason to run the pass, since it would leave the same load.
#include "loop/scalarise.h"

typedef struct {
	Scal *s;
	Map arrays;             // small arrays whose elements would be known -> MADE, or the body
	uintptr_t body, last;   // the number of this body, and of the last one that was opened
	bool found;
} Need;

enum { MADE = 1 };              // of elements that the program has: bodies have larger numbers

static uintptr_t origin_of(const Need *n, Sub arr)
{
	return arr.kind == S_VAR ? (uintptr_t)map_get(&n->arrays, var_key(arr.var)) : 0;
}

static void note_origin(Need *n, Var v, uintptr_t origin)
{
	map_put(&n->arrays, var_key(v), (void *)origin);
}

// Those that scal_read would read.
static void note_read(Need *n, Vars vs)
{
	for EACH(Var, v, vs)
		if (taken_apart(n->s, *v))
			note_origin(n, *v, n->body);
}

static bool any_taken_apart(const Need *n, Vars vs)
{
	for EACH(Var, v, vs)
		if (taken_apart(n->s, *v))
			return true;
	return false;
}

static void look_at_read(Need *n, const Stm *st, Sub arr, Subs idx)
{
	uintptr_t origin = origin_of(n, arr);
	bool constant = true;
	for EACH(Sub, i, idx)
		constant &= i->kind == S_CONST;
	if (!origin || (!constant && small_array(sub_type(arr)) > FEW_ELEMS))
		return;
	n->found |= !constant || origin != n->body || st->certs.len;
}

// A statement that gives the elements of an array, or some of them, at other places.
static void look_at_view(Need *n, const Stm *st, Sub arr)
{
	Var v = st->pat.at[0];
	if (!origin_of(n, arr))
		note_read(n, st->pat);
	else if (small_array(vars[v.id].type))
		note_origin(n, v, MADE);
	else
		n->found |= type_is_scalar(vars[v.id].type);
}

static void look_at_literal(Need *n, Var v)
{
	if (small_array(vars[v.id].type))
		note_origin(n, v, MADE);
}

static void look_inside(Visit *v, const Stm *st)
{
	Need *n = v->ctx;
	if (!n->found)
		exp_visit(st->exp, v);
	if (!n->found)
		note_read(n, st->pat);
}

// Nothing is read behind these: an array is taken apart there, or not known.
static void look_at_control(Visit *v, const Stm *st, Vars params)
{
	Need *n = v->ctx;
	n->found |= any_taken_apart(n, params) || any_taken_apart(n, st->pat);
	if (!n->found)
		exp_visit(st->exp, v);
}

static void look_at_stm(Visit *v, const Stm *st)
{
	Need *n = v->ctx;
	const Exp *e = st->exp;
	switch (e->form) {
	case E_prim: case E_convert: case E_assert_: case E_upd_acc: case E_release: case N_FORM:
		return;
	case E_index: look_at_read(n, st, e->index.arr, e->index.idx); return;
	case E_atom: look_at_view(n, st, e->atom.x); return;
	case E_copy: look_at_view(n, st, e->copy.arr); return;
	case E_reshape: look_at_view(n, st, e->reshape.arr); return;
	case E_rearrange: look_at_view(n, st, e->rearrange.arr); return;
	case E_slice: look_at_view(n, st, e->slice.arr); return;
	case E_update: look_at_view(n, st, e->update.arr); return;
	case E_concat: case E_iota: case E_replicate: case E_scratch: case E_array:
		look_at_literal(n, st->pat.at[0]);
		return;
	case E_if_: case E_match: look_at_control(v, st, (Vars){0}); return;
	case E_loop:
		n->found |= unrolled(n->s, st);
		look_at_control(v, st, e->loop.params);
		return;
	case E_screma:
		n->found |= unrolled(n->s, st);
		look_inside(v, st);
		return;
	case E_jvp:
		if (e->jvp.many)
			look_inside(v, st);
		else
			look_at_control(v, st, e->jvp.fn->params);
		return;
	case E_vjp:
		if (e->vjp.many)
			look_inside(v, st);
		else
			look_at_control(v, st, e->vjp.fn->params);
		return;
	case E_hist: case E_scatter: case E_flatmap: case E_withacc: case E_with_vjp:
		look_inside(v, st);
		return;
	case E_call: case E_trace: case E_opaque: case E_alloc: note_read(n, st->pat); return;
	}
}

static void look_at_body(Visit *v, Body *b)
{
	Need *n = v->ctx;
	for (int i = 0; i < b->stms.len && !n->found; i++)
		look_at_stm(v, &b->stms.at[i]);
}

static void nested(Visit *v, Body *b)
{
	Need *n = v->ctx;
	uintptr_t outer = n->body;
	n->body = ++n->last;
	look_at_body(v, b);
	n->body = outer;
}

static void look_at_lambda(Visit *v, Lambda **l)
{
	Need *n = v->ctx;
	uintptr_t outer = n->body;
	n->body = ++n->last;
	note_read(n, (*l)->params);
	look_at_body(v, &(*l)->body);
	n->body = outer;
}

bool scal_needed(Scal *s, const Fun *f)
{
	Need n = {.s = s, .body = MADE + 1, .last = MADE + 1};
	Visit v = {.body = nested, .lambda = look_at_lambda, .ctx = &n};
	Body body = f->body;
	note_read(&n, f->params);
	look_at_body(&v, &body);
	return n.found;
}
