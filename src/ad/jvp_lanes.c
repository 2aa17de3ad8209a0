// Forward mode for a few directions at once, with values computed once.  Tangents have an
// additional innermost dimension of n directions, the lanes.
//
//     map (\x -> sum (map2 (*) w x)) xs      screma m (xs, xs_tan: [m][k][n]f64) map=\(x, x_tan) ->
//                                       ->     ... sum as it is
//                                              screma n (rearrange x_tan)   over the lanes
//                                                map=\(t: [k]f64) -> sum (map2 (*) w t)
//
// Maps, loops and branches compute values and arrays of tangents together; views, copies and
// updates of arrays apply to all lanes at once.  The tangents of other statements, mostly scalar
// ones, are deferred and computed by one map over the lanes as soon as one of them is needed
// (flush).  The lanes are contiguous in memory, so these maps vectorise.
//
// Values are loop-invariant in such a map.  A combinator whose tangents are deferred is repeated
// inside it, as all combinators are in jvp_many.c.  That is cheap for sums of products, whose
// tangents use few of the inner values, and it is the fallback for forms without a rule here.
//
// Requires: deferred statements consume nothing (lanes_of_many), since they are executed twice.
#include "ad/jvp.h"
#include "opt/alias.h"

enum { FEW_STMS = 8, MAX_LANES = 64 };

// ---- What is done how ----

// Whether every component is a sum of its own.
static bool is_sum(const Lambda *op)
{
	int k = op->ret.len, found = 0;
	for EACH(Stm, s, op->body.stms) {
		const Exp *e = s->exp;
		if (e->form != E_prim || e->prim.op != P_add)
			return false;
		for (int c = 0; c < k; c++) {
			Sub a = sub_var(op->params.at[c]), b = sub_var(op->params.at[k + c]);
			bool both = (sub_eq(e->prim.x[0], a) && sub_eq(e->prim.x[1], b)) ||
			            (sub_eq(e->prim.x[0], b) && sub_eq(e->prim.x[1], a));
			found += both && sub_eq(op->body.res.at[c], sub_var(s->pat.at[0]));
		}
	}
	return found == k && op->body.stms.len == k;
}

static bool only_sums(Reductions rs)
{
	for EACH(Reduction, r, rs)
		if (!is_sum(r->op))
			return false;
	return true;
}

// A few operations on scalars, which need no branch.
static bool is_short(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form != E_prim && s->exp->form != E_convert && s->exp->form != E_atom)
			return false;
	for EACH(Sub, r, b->res)
		if (!type_is_scalar(sub_type(*r)))
			return false;
	return b->stms.len <= FEW_STMS;
}

static bool choice_is_short(const Exp *e)
{
	for (int i = 0; i < n_branches(e); i++)
		if (!is_short(branch_at(e, i)))
			return false;
	return true;
}

static bool screma_is_vector(const Exp *e)
{
	if (e->screma.scans.len)
		return false;
	int n = n_reduced(e->screma.reds);
	if (!n)
		return true;
	bool only_reduces = n == e->screma.map->ret.len;
	return only_sums(e->screma.reds) && !(only_reduces && is_polynomial(&e->screma.map->body));
}

// Whether a statement with tangents computes all lanes at a time.
static bool is_vector(const Lanes *l, const Stm *s)
{
	const Exp *e = s->exp;
	if (s->pat.len && map_has(&l->summed, var_key(s->pat.at[0])))
		return false;
	switch (e->form) {
	case E_loop: case E_slice: case E_update: case E_concat: case E_replicate: case E_reshape:
	case E_rearrange: case E_copy:
		return true;
	case E_if_: case E_match: return !choice_is_short(e);
	case E_screma: return screma_is_vector(e);
	case E_atom:   return !type_is_scalar(sub_type(e->atom.x));
	case E_array:  return e->array.elem_type.dims.len > 0;
	case E_prim: case E_convert: case E_call: case E_index: case E_iota: case E_scratch:
	case E_hist: case E_scatter: case E_flatmap: case E_withacc: case E_upd_acc: case E_jvp:
	case E_vjp: case E_with_vjp: case E_assert_: case E_trace: case E_opaque: case E_alloc:
	case E_release: case N_FORM:
		return false;
	}
	bug("no such form: %d", (int)e->form);
}

// A map of sums and products goes where its results are summed, if that is the only place.

static bool is_polynomial_map(const Exp *e)
{
	return is_map(e) &&
	       is_polynomial(&e->screma.map->body);
}

static void find_summed(Lanes *l, const Body *b)
{
	Map used = {0};                 // by other than combinators in lanes
	Visit v = {.sub = note_operand, .ctx = &used};
	for EACH(Sub, r, b->res)
		note_operand(&v, r);
	for (int i = b->stms.len; i-- > 0;) {
		Stm s = b->stms.at[i];
		if (is_polynomial_map(s.exp) && s.pat.len && !vars_any_in(s.pat, &used))
			map_put(&l->summed, var_key(s.pat.at[0]), l);
		if (s.exp->form != E_screma || is_vector(l, &s))
			stm_walk(&s, &v);
		else
			lambda_visit(&s.exp->screma.map, &v); // likewise
	}
}

typedef struct { const Jvp *f; Lanes *lanes; bool ok, nests; } Look;

static void look_at(Visit *v, Body *b)
{
	Look *l = v->ctx;
	find_summed(l->lanes, b);
	for EACH(Stm, s, b->stms) {
		if (!any_active(l->f, s->pat))
			continue;
		if (!is_vector(l->lanes, s)) {
			l->ok &= !stm_consumes(s);
		} else if (form_has(s->exp->form, FORM_NEST)) {
			l->nests = true;
			exp_visit(s->exp, v);
		}
	}
}

Lanes *lanes_of_many(const Jvp *f, const Body *b, Sub n)
{
	Look l = {.f = f, .lanes = NEW(Lanes, .n = n), .ok = true};
	Visit v = {.body = look_at, .ctx = &l};
	if (n.kind != S_CONST || n.val.i < 2 || n.val.i > MAX_LANES)
		return NULL;
	look_at(&v, (Body *)b); // a walk: writes nothing
	return l.ok && l.nests ? l.lanes : NULL;
}

// ---- The map over the lanes ----

static DimSlice all_lanes(const Jvp *f)
{
	return dim_whole(f->lanes->n);
}

Slices lanes_slices(const Jvp *f, Slices at)
{
	return slices_and(at, all_lanes(f));
}

typedef struct { Jvp *f, *lane; VarVec params; SubVec arrs; } Inputs;

// From here on the lane's tangent of v is a row of the array.
static void add_input(Inputs *in, Var v, Sub arr)
{
	Type t = type_plain(vars[v.id].type);
	Var p = var_new(name_of(text("%s_lane", vars[v.id].hint)), t);
	VEC_PUSH(&in->params, p);
	VEC_PUSH(&in->arrs, arr);
	set_tan(in->lane, v, sub_var(p));
}

static void input_if_tangent(Visit *v, Sub *s)
{
	Inputs *in = v->ctx;
	const Sub *t = tan_of(in->f, *s);
	if (t && !tan_of(in->lane, *s))
		add_input(in, s->var, b_last_first(in->f->b, *t));
}

// Elements of arrays are rows of lanes; true if that is all there is to do.
static bool read_element(Inputs *in, const Stm *s)
{
	const Exp *e = s->exp;
	const Sub *t = e->form == E_index ? tan_of(in->f, e->index.arr) : NULL;
	if (!t)
		return false;
	Slices at = slices_at(e->index.idx, (Subs){0});
	add_input(in, s->pat.at[0], b_slice(in->f->b, *t, lanes_slices(in->f, at)));
	return true;
}

static Stms rest_of(Inputs *in, Stms stms)
{
	Build *b = in->f->b;
	VEC(Stm) rest = {0};
	Visit v = {.sub = input_if_tangent, .ctx = in};
	for EACH(Stm, s, stms) {
		b->certs = s->certs;
		b->where = derived_place(s->where);
		if (read_element(in, s))
			continue;
		stm_walk(s, &v);
		VEC_PUSH(&rest, *s);
	}
	return VEC_SLICE(Stms, rest);
}

void lanes_flush(Jvp *f)
{
	if (!f->lanes->pending.len)
		return;
	Build *b = f->b;
	const Vars certs = b->certs;
	const Where *where = b->where;
	Stms stms = VEC_SLICE(Stms, f->lanes->pending);
	f->lanes->pending = (StmVec){0};
	f->lanes->waiting = (Map){0};
	Jvp lane = {.b = b, .active = f->active, .apart = true};
	Inputs in = {.f = f, .lane = &lane};
	Stms rest = rest_of(&in, stms);
	b->certs = (Vars){0};
	b_open(b);
	jvp_stms(&lane, &(Body){.stms = rest});
	VarVec outs = {0};
	SubVec res = {0};
	TypeVec ret = {0};
	for EACH(Stm, s, stms)
		for EACH(Var, v, s->pat) {
			const Sub *t = tan_of(&lane, sub_var(*v));
			if (!t)
				continue;
			VEC_PUSH(&outs, *v);
			VEC_PUSH(&res, *t);
			Type type = type_plain(vars[v->id].type);
			VEC_PUSH(&ret, type);
		}
	Lambda *l = b_lambda(b, VEC_SLICE(Vars, in.params), VEC_SLICE(Subs, res));
	l->ret = VEC_SLICE(Types, ret);
	if (outs.len) {
		Subs many = b_map(b, f->lanes->n, VEC_SLICE(Subs, in.arrs), l);
		for (int i = 0; i < outs.len; i++)
			set_tan(f, outs.at[i], b_first_last(b, many.at[i]));
	}
	b->certs = certs;
	b->where = where;
}

// ---- Statements ----

bool lanes_collect(Jvp *f, const Stm *s)
{
	bool active = any_active(f, s->pat), vector = active && is_vector(f->lanes, s);
	bool nest = form_has(s->exp->form, FORM_NEST);
	if (stm_consumes(s) || (vector && (nest || stm_mentions(s, &f->lanes->waiting))))
		lanes_flush(f);
	if (!active || vector)
		return false;
	b_emit(f->b, nest ? renamed_inside(s) : *s);
	VEC_PUSH(&f->lanes->pending, *s);
	vars_put(&f->lanes->waiting, s->pat, f);
	return true;
}

// ---- Sums ----

// \(a: [n]f64, b: [n]f64) -> map2 (+) a b, of each component with tangents
Reduction lanes_sum(Jvp *f, const Reduction *r, Subs ne)
{
	Build *b = f->b;
	VarVec params = {0};
	for (int i = 0; i < 2 * ne.len; i++) {
		Type t = type_plain(sub_type(ne.at[i % ne.len]));
		VEC_PUSH(&params, var_new(name_of("lanes"), t));
	}
	b_open(b);
	SubVec res = {0};
	for (int i = 0; i < ne.len; i++) {
		Lambda *add = b_operator(b, P_add, sub_type(ne.at[i]).elem);
		Subs rows = subs_of(2, sub_var(params.at[i]), sub_var(params.at[ne.len + i]));
		VEC_PUSH(&res, b_map(b, f->lanes->n, rows, add).at[0]);
	}
	return (Reduction){b_lambda(b, VEC_SLICE(Vars, params), VEC_SLICE(Subs, res)), ne, r->comm};
}
