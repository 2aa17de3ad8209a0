// Control flow, combinators and derivatives over small arrays.
//
// If an array is scalarised (scalar_plan.c), its elements replace it among parameters, initial
// values, results and patterns; after the binders, the array is rebuilt from them:
//
//     let (v: [2]f64) = if c then {a} else {b}
// becomes
//     let (v0: f64, v1: f64) = if c then {a0, a1} else {b0, b1}
//     let (v: [2]f64) = array [v0, v1] : f64
//
// An unrolled loop or combinator becomes one copy of its body per iteration, with binders renamed.
#include "loop/scalarise.h"

#include <math.h>

typedef VEC(Sub) Operands;
typedef VEC(Var) Binders;

// ---- Lists with elements in place of arrays ----

// Which members of a list are taken apart: those that have a type here.
typedef struct { const Type **at; int n; } Split;

static Split split_new(int n)
{
	return (Split){NEW_ARRAY(const Type *, n + 1), n};
}

static Split split_of(Scal *s, Vars vs)
{
	Split p = split_new(vs.len);
	for (int i = 0; i < vs.len; i++)
		if (taken_apart(s, vs.at[i]))
			p.at[i] = mem_dup(&vars[vs.at[i].id].type, sizeof **p.at);
	return p;
}

static void add_operand(Scal *s, Sub x, const Type *split, Operands *out)
{
	if (!split) {
		VEC_PUSH(out, x);
		return;
	}
	Subs elems = elems_of(s, x, *split);
	VEC_APPEND(out, elems);
}

static Subs operands(Scal *s, Subs xs, Split p)
{
	Operands out = {0};
	for (int i = 0; i < xs.len; i++)
		add_operand(s, xs.at[i], p.at[i], &out);
	return VEC_SLICE(Subs, out);
}

// Binders for the elements of an array.
static Subs elem_binders(Var old, Binders *out)
{
	Type t = vars[old.id].type;
	int n = small_array(t);
	Subs elems = {NEW_ARRAY(Sub, n), n};
	for EACH(Sub, e, elems) {
		Var v = var_new(vars[old.id].hint, type_scalar(t.elem));
		*e = sub_var(v);
		VEC_PUSH(out, v);
	}
	return elems;
}

// The arrays that were taken apart, to be made again once the binders are in scope.
typedef struct { Var old; Subs elems; } Apart;
typedef VEC(Apart) Aparts;

static void add_binder(Scal *s, Var old, bool split, Binders *out, Aparts *later)
{
	if (split)
		VEC_PUSH(later, (Apart){old, elem_binders(old, out)});
	else
		VEC_PUSH(out, scal_bind(s, old));
}

static Vars binders(Scal *s, Vars vs, Split p, Aparts *later)
{
	Binders out = {0};
	for (int i = 0; i < vs.len; i++)
		add_binder(s, vs.at[i], p.at[i], &out, later);
	return VEC_SLICE(Vars, out);
}

static void make_all(Scal *s, const Stm *st, const Aparts *later)
{
	for EACH(Apart, a, *later)
		make_array(s, st, a->old, a->elems);
}

// ---- Bodies ----

static Body body_with(Scal *s, const Body *b, Split p)
{
	b_open(&s->b);
	Subs res = scal_stms(s, b);
	return b_close(&s->b, operands(s, res, p));
}

static Types types_of(Scal *s, Types ts)
{
	Types out = SLICE_DUP(Types, ts);
	Visit v = {.sub = scal_replace, .copy = true, .ctx = s};
	for EACH(Type, t, out)
		type_visit(t, &v);
	return out;
}

static Lambda *whole_lambda(Scal *s, const Lambda *l)
{
	Lambda *out = mem_dup(l, sizeof *l);
	out->params = SLICE_DUP(Vars, l->params);
	for EACH(Var, p, out->params)
		*p = scal_bind(s, *p);
	b_open(&s->b);
	scal_read(s, l->params, out->params);
	out->body = b_close(&s->b, scal_stms(s, &l->body));
	out->ret = types_of(s, l->ret);
	return out;
}

// ---- Branches ----

// The branch that is taken anyway.
static void inline_branch(Scal *s, const Stm *st, const Body *b)
{
	note_kept(&s->kept, st->certs);
	Subs res = scal_stms(s, b);
	for (int i = 0; i < res.len; i++)
		scal_is(s, st->pat.at[i], res.at[i]);
}

static void scal_choice(Scal *s, const Stm *st)
{
	Exp *out = choice_copy(st->exp);
	Sub *by = out->form == E_if_ ? &out->if_.cond : &out->match.x;
	*by = scal_sub(s, *by);
	if (out->form == E_if_ && by->kind == S_CONST) {
		inline_branch(s, st, by->val.u ? &out->if_.yes : &out->if_.no);
		return;
	}
	Split p = split_of(s, st->pat);
	for (int i = 0; i < n_branches(out); i++)
		*branch_at(out, i) = body_with(s, branch_at(out, i), p);
	Aparts later = {0};
	scal_emit(s, st, binders(s, st->pat, p, &later), out);
	make_all(s, st, &later);
}

// ---- Loops ----

static Sub trip(PrimType t, int64_t i)
{
	return sub_const(convert_eval(t, sub_i64(i).val));
}

static void unroll_loop(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	Subs now = scal_subs(s, e->loop.inits);
	PrimType t = sub_type(e->loop.n).elem;
	note_kept(&s->kept, st->certs);
	s->copying++;
	for (int64_t i = 0; i < e->loop.n.val.i; i++) {
		for (int k = 0; k < now.len; k++)
			scal_is(s, e->loop.params.at[k], now.at[k]);
		scal_is(s, e->loop.i, trip(t, i));
		now = scal_stms(s, &e->loop.body);
	}
	s->copying--;
	for (int k = 0; k < now.len; k++)
		scal_is(s, st->pat.at[k], now.at[k]);
	s->changed = true;
}

static void scal_loop(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	if (unrolled(s, st)) {
		unroll_loop(s, st);
		return;
	}
	Split p = split_of(s, e->loop.params);
	Aparts inside = {0}, after = {0};
	Exp *out = exp_dup(e);
	out->loop.inits = operands(s, scal_subs(s, e->loop.inits), p);
	out->loop.n = scal_sub(s, e->loop.n);
	out->loop.params = binders(s, e->loop.params, p, &inside);
	if (e->loop.is_while)
		out->loop.while_cond = scal_sub(s, sub_var(e->loop.while_cond)).var;
	else
		out->loop.i = scal_bind(s, e->loop.i);
	b_open(&s->b);
	make_all(s, st, &inside);
	Subs res = scal_stms(s, &e->loop.body);
	out->loop.body = b_close(&s->b, operands(s, res, p));
	scal_emit(s, st, binders(s, st->pat, p, &after), out);
	make_all(s, st, &after);
}

// ---- screma ----

// Row i of an array, by its elements where they are known; `own`: in memory of its own.
static Sub row_of(Scal *s, Sub arr, int64_t i, bool own)
{
	const Subs *elems = known_elems(s, arr);
	Type t = sub_type(arr);
	if (elems && t.dims.len == 1)
		return elems->at[i];
	Sub row = b_index(&s->b, arr, subs_of(1, sub_i64(i)));
	if (own && sub_type(row).dims.len)
		row = b_copy(&s->b, row);
	if (elems) {
		int n = small_array(type_row(t));
		Subs part = {elems->at + i * n, n};
		set_elems(s, row.var, part);
	}
	return row;
}

// The accumulators among the arrays: each result is the next operand of the same token.
static void pass_accs(Scal *s, const Exp *e, Subs arrs, Subs res)
{
	const Lambda *f = e->screma.map;
	for (int r = 0; r < res.len; r++) {
		Type t = sub_type(f->body.res.at[r]);
		for (int k = 0; t.kind == T_ACC && k < arrs.len; k++) {
			Type of = sub_type(arrs.at[k]);
			Sub token = scal_sub(s, sub_var(t.acc->token));
			if (of.kind == T_ACC && token.var.id == of.acc->token.id)
				arrs.at[k] = res.at[r];
		}
	}
}

static Subs apply(Scal *s, const Lambda *f, Subs args)
{
	for (int i = 0; i < args.len; i++)
		scal_is(s, f->params.at[i], args.at[i]);
	return scal_stms(s, &f->body);
}

// Is the operator the minimum or maximum, and the value the one that never counts?  Where both
// operands of a maximum are equal, either may have the derivative, but in a reduction the neutral
// element has no part in it.
static bool never_counts(const Lambda *op, Sub x)
{
	const Exp *e = op->body.stms.len == 1 ? op->body.stms.at[0].exp : NULL;
	if (!e || e->form != E_prim || (e->prim.op != P_min && e->prim.op != P_max) ||
	    x.kind != S_CONST || op->body.res.len != 1 ||
	    !is_float(e->prim.at))
		return false;
	return isinf(x.val.f) && (x.val.f < 0) == (e->prim.op == P_max);
}

// The first value stands for itself where the neutral element does not count.
static void combine(Scal *s, Reductions rs, Subs so_far, Subs new_)
{
	int at = 0;
	for EACH(Reduction, r, rs) {
		int k = r->ne.len;
		Subs left = {so_far.at + at, k}, right = {new_.at + at, k};
		Subs res = never_counts(r->op, left.at[0]) ? right
		         : apply(s, r->op, subs_cat(left, right));
		memcpy(so_far.at + at, res.at, (size_t)k * sizeof *res.at);
		at += k;
	}
}

static Subs neutrals(Scal *s, Reductions rs)
{
	Operands out = {0};
	for EACH(Reduction, r, rs)
		for EACH(Sub, ne, r->ne)
			VEC_PUSH(&out, scal_sub(s, *ne));
	return VEC_SLICE(Subs, out);
}

// What a combinator gives is memory of its own, although the operator may return an operand.
static Sub owned(Scal *s, Sub x)
{
	if (!sub_type(x).dims.len)
		return x;
	const Subs *elems = known_elems(s, x);
	Sub copy = b_copy(&s->b, x);
	if (elems)
		set_elems(s, copy.var, *elems);
	return copy;
}

static void add_row(Scal *s, Operands *made, Sub x, Var result)
{
	Type row = type_row(vars[result.id].type);
	add_operand(s, x, row.dims.len ? &row : NULL, made);
}

static void unroll_screma(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	Subs arrs = scal_subs(s, e->screma.arrs);
	Subs scans = neutrals(s, e->screma.scans), reds = neutrals(s, e->screma.reds);
	int n = st->pat.len, n_vals = scans.len + reds.len;
	Operands *made = NEW_ARRAY(Operands, n + 1);
	Subs res = {0};
	note_kept(&s->kept, st->certs);
	s->copying++;
	for (int64_t i = 0; i < e->screma.n.val.i; i++) {
		Subs rows = {NEW_ARRAY(Sub, arrs.len), arrs.len};
		for (int k = 0; k < arrs.len; k++)
			rows.at[k] = sub_type(arrs.at[k]).kind == T_ACC ? arrs.at[k]
				: row_of(s, arrs.at[k], i,
				         vars[e->screma.map->params.at[k].id].type.unique);
		res = apply(s, e->screma.map, rows);
		pass_accs(s, e, arrs, res);
		combine(s, e->screma.scans, scans, res);
		combine(s, e->screma.reds, reds, (Subs){res.at + scans.len, reds.len});
		for (int k = 0; k < scans.len; k++)
			add_row(s, &made[k], scans.at[k], st->pat.at[k]);
		for (int k = n_vals; k < n; k++)
			if (sub_type(res.at[k]).kind != T_ACC)
				add_row(s, &made[k], res.at[k], st->pat.at[k]);
	}
	s->copying--;
	for (int k = 0; k < n; k++) {
		Var v = st->pat.at[k];
		if (k >= scans.len && k < n_vals)
			scal_is(s, v, owned(s, reds.at[k - scans.len]));
		else if (vars[v.id].type.kind == T_ACC)
			scal_is(s, v, res.at[k]);
		else
			make_array(s, st, v, VEC_SLICE(Subs, made[k]));
	}
	s->changed = true;
}

static void whole_function(Visit *v, Lambda **l)
{
	*l = whole_lambda(v->ctx, *l);
}

// Nothing of the statement itself is taken apart.
static void scal_whole(Scal *s, const Stm *st)
{
	Visit v = {.sub = scal_replace, .lambda = whole_function, .copy = true, .ctx = s};
	scal_flat(s, st, exp_visit(st->exp, &v));
}

static void scal_screma(Scal *s, const Stm *st)
{
	if (unrolled(s, st))
		unroll_screma(s, st);
	else
		scal_whole(s, st);
}

// ---- Derivatives ----

// The function on elements: parameters and results are taken apart alike.
static Lambda *lambda_apart(Scal *s, const Stm *st, const Lambda *f, Split args, Split res)
{
	Lambda *out = mem_dup(f, sizeof *f);
	Aparts inside = {0};
	VEC(Type) ret = {0};
	out->params = binders(s, f->params, args, &inside);
	b_open(&s->b);
	make_all(s, st, &inside);
	Subs xs = scal_stms(s, &f->body);
	out->body = b_close(&s->b, operands(s, xs, res));
	Types ts = types_of(s, f->ret);
	for (int i = 0; i < ts.len; i++)
		for (int k = 0, n = res.at[i] ? small_array(*res.at[i]) : 1; k < n; k++)
			VEC_PUSH(&ret, res.at[i] ? type_scalar(ts.at[i].elem) : ts.at[i]);
	out->ret = VEC_SLICE(Types, ret);
	return out;
}

static Split two_splits(Split a, Split b)
{
	Split p = split_new(a.n + b.n);
	for (int i = 0; i < p.n; i++)
		p.at[i] = i < a.n ? a.at[i] : b.at[i - a.n];
	return p;
}

static Split split_results(Scal *s, const Lambda *f, Vars pat)
{
	Split p = split_new(f->ret.len);
	for (int i = 0; i < p.n; i++)
		if (small_array(f->ret.at[i]) && taken_apart(s, pat.at[i]))
			p.at[i] = &f->ret.at[i];
	return p;
}

static void scal_derivative(Scal *s, const Stm *st)
{
	bool forward = st->exp->form == E_jvp;
	if (forward ? st->exp->jvp.many : st->exp->vjp.many) {
		scal_whole(s, st);
		return;
	}
	Exp *out = exp_dup(st->exp);
	Lambda **fn = forward ? &out->jvp.fn : &out->vjp.fn;
	Subs *args = forward ? &out->jvp.args : &out->vjp.args;
	Subs *seeds = forward ? &out->jvp.seeds : &out->vjp.seeds;
	*args = scal_subs(s, *args);
	*seeds = scal_subs(s, *seeds);
	Split in = split_of(s, (*fn)->params), res = split_results(s, *fn, st->pat);
	*args = operands(s, *args, in);
	*seeds = operands(s, *seeds, forward ? in : res);
	*fn = lambda_apart(s, st, *fn, in, res);
	Aparts later = {0};
	Split all = two_splits(res, forward ? res : in);
	scal_emit(s, st, binders(s, st->pat, all, &later), out);
	make_all(s, st, &later);
}

void scal_nest(Scal *s, const Stm *st)
{
	switch (st->exp->form) {
	case E_if_: case E_match: scal_choice(s, st); return;
	case E_loop:     scal_loop(s, st); return;
	case E_screma:   scal_screma(s, st); return;
	case E_jvp: case E_vjp: scal_derivative(s, st); return;
	case E_hist: case E_scatter: case E_flatmap: case E_withacc: case E_with_vjp:
		scal_whole(s, st);
		return;
	default: // has no bodies
		bug("%s has no bodies", form_name[st->exp->form]);
	}
}
