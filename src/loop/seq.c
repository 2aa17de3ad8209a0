// The pass `seq`: turns SOACs into loops, and accumulators into arrays that are updated in place.
//
//     let (ys: [n]f64) = screma n (xs) map=\(x: f64) : (f64) -> {
//       let (y: f64) = mul.f64 x x in y
//     }
// becomes
//     let (ys0: [n]f64) = scratch.f64 [n]
//     #[parallel] let (ys: [n]f64) = loop (o: *[n]f64 = ys0) for i: i64 < n do {
//       let (x: f64) = index xs [i]
//       let (y: f64) = mul.f64 x x
//       let (o1: [n]f64) = update o [i] y
//       in o1
//     }
//
// Each SOAC becomes one loop for all of its scans, reductions and maps.  This file handles
// functions, control flow and accumulators, seq_soac.c the loops, and seq_write.c writes by index.
//
// Note [Accumulators].  An accumulator over k arrays becomes these k arrays.  Since its type is
// linear, there is one set of arrays at each point of the program, and updating them in place is
// what the accumulator stands for.  Binders of accumulators (parameters of loops and functions,
// patterns of branches) become k binders each.
//
// Note [Devices].  Inside a device loop (#[kernel], #[blocks], #[threads]), an accumulator created
// outside of it is updated by several threads concurrently: an update with an operator is
// #[atomic] (seq_atomic.c) unless it is #[owned], and one without an operator is #[shared].
//
// Requires: no jvp or vjp.  Ensures: none of the forms screma, hist, scatter, flatmap, withacc,
// upd_acc, with_vjp, and no accumulators.  Lambdas are inlined where they stand, so names stay
// unique; operators of accumulators are copied for each update.
#include "loop/seq.h"

#include "opt/opt.h"

static void seq_stm(Seq *, const Stm *);

// ---- Operands and types ----

static void seq_rename(Seq *q, Var v, Sub to)
{
	map_put(&q->subst, var_key(v), mem_dup(&to, sizeof to));
}

Sub seq_sub(Seq *q, Sub s)
{
	return sub_subst(&q->subst, s);
}

void seq_set_acc(Seq *q, Var acc, Subs arrs)
{
	map_put(&q->accs, var_key(acc), mem_dup(&arrs, sizeof arrs));
}

Subs seq_acc(Seq *q, Sub acc)
{
	const Subs *arrs = acc.kind == S_VAR ? map_get(&q->accs, var_key(acc.var)) : NULL;
	if (!arrs)
		bug("the accumulator %s is not known", show_sub(acc));
	return *arrs;
}

// What stands for them; accumulators give all their arrays.
static Subs seq_subs(Seq *q, Subs subs)
{
	VEC(Sub) out = {0};
	for EACH(Sub, s, subs) {
		if (sub_type(*s).kind != T_ACC) {
			VEC_PUSH(&out, seq_sub(q, *s));
			continue;
		}
		Subs arrs = seq_acc(q, *s);
		VEC_APPEND(&out, arrs);
	}
	return VEC_SLICE(Subs, out);
}

static void replace(Visit *v, Sub *s)
{
	*s = seq_sub(v->ctx, *s);
}

Type seq_type(Seq *q, Type t)
{
	Visit v = {.sub = replace, .copy = true, .ctx = q};
	type_visit(&t, &v);
	return t;
}

// ---- Binders ----

// The arrays of an accumulator, as variables of their own.
static void bind_acc(Seq *q, Var acc, bool unique, Vars *out, int cap)
{
	Type t = seq_type(q, vars[acc.id].type);
	Subs arrs = {NEW_ARRAY(Sub, t.acc->elems.len), 0};
	for EACH(Type, e, t.acc->elems) {
		Type a = type_array(e->elem, subs_cat(t.acc->space, e->dims));
		a.unique = unique;
		Var v = var_new(vars[acc.id].hint, a);
		arrs.at[arrs.len++] = sub_var(v);
		if (out->len == cap)
			bug("too many arrays for accumulators");
		out->at[out->len++] = v;
	}
	seq_set_acc(q, acc, arrs);
}

// Binders of the new program.  `unique`: those made for accumulators are.
static Vars bind_all(Seq *q, Vars vs, bool unique)
{
	int n = 0;
	for EACH(Var, v, vs)
		n += vars[v->id].type.kind == T_ACC ? vars[v->id].type.acc->elems.len : 1;
	Vars out = {n ? NEW_ARRAY(Var, n) : NULL, 0};
	for EACH(Var, v, vs) {
		if (vars[v->id].type.kind == T_ACC) {
			bind_acc(q, *v, unique, &out, n);
			continue;
		}
		vars[v->id].type = seq_type(q, vars[v->id].type);
		out.at[out.len++] = *v;
	}
	return out;
}

// ---- Bodies and lambdas ----

static Body seq_body(Seq *q, const Body *b)
{
	b_open(&q->b);
	for EACH(Stm, s, b->stms)
		seq_stm(q, s);
	return b_close(&q->b, seq_subs(q, b->res));
}

Subs seq_inline(Seq *q, const Lambda *f, Subs args)
{
	if (f->params.len != args.len)
		bug("%d arguments for %d parameters", args.len, f->params.len);
	for (int i = 0; i < args.len; i++)
		if (vars[f->params.at[i].id].type.kind != T_ACC)
			seq_rename(q, f->params.at[i], args.at[i]);
	for EACH(Stm, s, f->body.stms)
		seq_stm(q, s);
	Subs res = SLICE_DUP(Subs, f->body.res);
	for EACH(Sub, r, res)
		*r = seq_sub(q, *r);
	return res;
}

// ---- Control ----

static void seq_choice(Seq *q, const Stm *s)
{
	Exp *e = choice_copy(s->exp);
	for (int i = 0; i < n_branches(e); i++)
		*branch_at(e, i) = seq_body(q, branch_at(e, i));
	b_stm(&q->b, bind_all(q, s->pat, false), e);
}

static void seq_loop(Seq *q, const Stm *s)
{
	Exp *out = exp_dup(s->exp);
	out->loop.inits = seq_subs(q, out->loop.inits);
	out->loop.params = bind_all(q, out->loop.params, true);
	q->level += is_device_loop(s->attrs);
	out->loop.body = seq_body(q, &out->loop.body);
	q->level -= is_device_loop(s->attrs);
	q->b.attrs = s->attrs;
	b_stm(&q->b, bind_all(q, s->pat, false), out);
}

static void seq_call(Seq *q, const Stm *s)
{
	Exp *out = exp_dup(s->exp);
	out->call.args = seq_subs(q, out->call.args);
	out->call.fn = map_get(&q->funs, out->call.fn);
	b_stm(&q->b, bind_all(q, s->pat, false), out);
}

// ---- Accumulators and custom derivatives ----

static void seq_withacc(Seq *q, const Stm *s)
{
	AccInputs inputs = s->exp->withacc.inputs;
	const Lambda *fn = s->exp->withacc.fn;
	int n = inputs.len, at = 0;
	for (int i = 0; i < n; i++) {
		map_put(&q->inputs, var_key(fn->params.at[i]), &inputs.at[i]);
		map_put(&q->levels, var_key(fn->params.at[i]), NEW(AccLevel, q->level));
		seq_set_acc(q, fn->params.at[n + i], inputs.at[i].arrs);
	}
	for EACH(Stm, t, fn->body.stms) { // each of them relies on what all of it relies on
		Stm inner = *t;
		VEC(Var) certs = {0};
		VEC_APPEND(&certs, t->certs);
		VEC_APPEND(&certs, s->certs);
		inner.certs = VEC_SLICE(Vars, certs);
		seq_stm(q, &inner);
	}
	for (int i = 0; i < fn->body.res.len; i++) {
		Sub r = fn->body.res.at[i];
		if (i >= n && sub_type(r).kind == T_ACC) { // from around
			seq_set_acc(q, s->pat.at[at++], seq_acc(q, r));
			continue;
		}
		Subs vals = seq_subs(q, subs_of(1, r));
		for EACH(Sub, x, vals)
			seq_rename(q, s->pat.at[at++], *x);
	}
}

static void seq_update(Seq *q, const Stm *s)
{
	const Exp *e = s->exp;
	Type t = sub_type(e->upd_acc.acc);
	const AccInput *in = map_get(&q->inputs, var_key(t.acc->token));
	const AccLevel *made = map_get(&q->levels, var_key(t.acc->token));
	q->atomic = has_attr(s->attrs, ATTR_ATOMIC) ||
	            (made && made->level < q->level && !has_attr(s->attrs, ATTR_OWNED));
	q->shared = has_attr(s->attrs, ATTR_SHARED) || (q->atomic && !in->op);
	q->inside = has_attr(s->attrs, ATTR_INSIDE);
	q->b.attrs = (Attributes){0};
	Subs arrs = seq_upd_acc(q, in, seq_acc(q, e->upd_acc.acc), e->upd_acc.idx,
	                        e->upd_acc.vals);
	q->shared = q->atomic = q->inside = false;
	seq_set_acc(q, s->pat.at[0], arrs);
}

static void seq_with_vjp(Seq *q, const Stm *s)
{
	Subs res = seq_inline(q, s->exp->with_vjp.fn, s->exp->with_vjp.args);
	for (int i = 0; i < s->pat.len; i++)
		seq_rename(q, s->pat.at[i], res.at[s->exp->with_vjp.n_tape + i]);
}

// ---- Statements ----

static void seq_plain(Seq *q, const Stm *s)
{
	if (s->exp->form == E_atom && sub_type(s->exp->atom.x).kind == T_ACC)
		seq_set_acc(q, s->pat.at[0], seq_acc(q, s->exp->atom.x));
	else
		b_stm(&q->b, bind_all(q, s->pat, false), s->exp);
}

static void seq_form(Seq *q, const Stm *s)
{
	switch (s->exp->form) {
	case E_if_: case E_match: seq_choice(q, s); return;
	case E_loop:     seq_loop(q, s); return;
	case E_call:     seq_call(q, s); return;
	case E_screma:   seq_screma(q, s); return;
	case E_hist:     seq_hist(q, s); return;
	case E_scatter:  seq_scatter(q, s); return;
	case E_flatmap:  seq_flatmap(q, s); return;
	case E_withacc:  seq_withacc(q, s); return;
	case E_upd_acc:  seq_update(q, s); return;
	case E_with_vjp: seq_with_vjp(q, s); return;
	case E_jvp: case E_vjp:
		bug("a derivative is left");
	case E_atom: case E_prim: case E_convert: case E_index: case E_slice: case E_update:
	case E_concat: case E_iota: case E_replicate: case E_scratch: case E_reshape:
	case E_rearrange: case E_copy: case E_array: case E_assert_: case E_trace: case E_opaque:
	case E_alloc: case E_release:
		seq_plain(q, s);
		return;
	case N_FORM: break;
	}
	bug("no such form: %d", (int)s->exp->form);
}

// ---- Certificates ----

typedef struct { Seq *q; VEC(Var) certs; Map there; } Inherited;

// Each once: arrays that are made of others in turn have more and more of them, and the same ones.
static void inherit_all(Inherited *in, Vars certs)
{
	for EACH(Var, c, certs)
		if (!map_get(&in->there, var_key(*c))) {
			map_put(&in->there, var_key(*c), in);
			VEC_PUSH(&in->certs, *c);
		}
}

static void inherit(Visit *v, Sub *x)
{
	Inherited *in = v->ctx;
	const Vars *more = x->kind == S_VAR ? map_get(&in->q->certs, var_key(x->var)) : NULL;
	if (more)
		inherit_all(in, *more);
}

// A loop takes over the certificates of the arrays that its SOAC goes through.  Only they tell that
// the number of iterations is the size of an array: once elements of an `iota` are
// computed in place, nothing else in the loop depends on the check that its size is not negative.
static Vars certs_of_inputs(Seq *q, const Stm *s)
{
	Form f = s->exp->form;
	if (f != E_screma && f != E_hist && f != E_scatter && f != E_flatmap)
		return s->certs;
	Inherited in = {.q = q};
	inherit_all(&in, s->certs);
	Visit v = {.sub = inherit, .flat = true, .ctx = &in};
	exp_visit(s->exp, &v);
	return VEC_SLICE(Vars, in.certs);
}

static void note_certs(Seq *q, const Stm *s)
{
	if (s->certs.len)
		for EACH(Var, x, s->pat)
			map_put(&q->certs, var_key(*x), mem_dup(&s->certs, sizeof s->certs));
}

// ---- Each statement ----

// Operands first, then what the form asks for.  What is emitted inherits place and certificates.
static void seq_stm(Seq *q, const Stm *old)
{
	Stm s = *old;
	s.exp = exp_subst(s.exp, &q->subst);
	if (s.exp->form == E_prim && !s.certs.len) {
		b_emit(&q->b, s);
		return;
	}
	s.certs = SLICE_DUP(Vars, s.certs);
	for EACH(Var, c, s.certs) {
		Sub cert = seq_sub(q, sub_var(*c));
		*c = cert.kind == S_VAR ? cert.var : (Var){0};
	}
	s.certs = certs_of_inputs(q, &s);
	note_certs(q, &s);
	Build outer = q->b;
	q->b.where = s.where;
	q->b.certs = s.certs;
	q->b.attrs = s.attrs;
	seq_form(q, &s);
	q->b.where = outer.where;
	q->b.certs = outer.certs;
	q->b.attrs = (Attributes){0};
}

// ---- Functions ----

Prog *seq(Prog *prog)
{
	Map funs = {0};
	for EACH(Fun *, f, prog->funs)
		map_put(&funs, *f, mem_dup(*f, sizeof **f));
	VEC(Fun *) out = {0};
	for EACH(Fun *, f, prog->funs) {
		Fun *g = map_get(&funs, *f);
		Seq q = {.funs = funs};
		g->params = bind_all(&q, g->params, true);
		g->res = bind_all(&q, g->res, true);
		g->body = seq_body(&q, &g->body);
		VEC_PUSH(&out, g);
	}
	return NEW(Prog, .funs = VEC_SLICE(Funs, out), .stage = STAGE_LOOP);
}
