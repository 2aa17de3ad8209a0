// Forward mode: every active variable gets a tangent, computed right after it.
//
//     jvp (x) (1.0) \(a: f64) : (f64) -> {          let (a: f64) = x
//       let (b: f64) = sin.f64 a               ->   let (b: f64) = sin.f64 a
//       in b                                        let (c: f64) = cos.f64 a
//     }                                             results: b, c
//
// A tangent that is zero everywhere is not represented; a zero is created where one is needed.
// Statements with bodies compute values and tangents together: loops carry the tangents of active
// parameters, branches return them, and combinators compute them in the same lambda.
//
// Note [Tangents mirror values].  The tangent of a view is the same view of a tangent, the tangent
// of a fresh array is fresh, and each zero is created anew.  So two tangents alias only if their
// values do, and a statement that consumes a value may consume its tangent.  Seeds are the
// exception, since they come from outside: the seed of a consumed parameter is copied.
#include "ad/jvp.h"

// ---- Tangents ----

static const Var *token_of(Type t)
{
	return t.kind == T_ACC ? &t.acc->token : NULL;
}

bool has_tan(const Jvp *f, Var v)
{
	const Var *token = token_of(vars[v.id].type);
	if (!is_active(&f->active, sub_var(v)))
		return false;
	return !token || map_has(&f->split, var_key(*token));
}

const Sub *tan_of(const Jvp *f, Sub s)
{
	return s.kind == S_VAR ? map_get(&f->tans, var_key(s.var)) : NULL;
}

Sub tan_or_zero(Jvp *f, Sub s)
{
	const Sub *t = tan_of(f, s);
	return t ? *t : ad_zero(f->b, tan_type(f, sub_type(s)));
}

void set_tan(Jvp *f, Var v, Sub t)
{
	map_put(&f->tans, var_key(v), mem_dup(&t, sizeof t));
}

Type tan_type(const Jvp *f, Type t)
{
	const Var *token = token_of(t), *to = token ? map_get(&f->split, var_key(*token)) : NULL;
	if (to)
		t.acc = NEW(AccType, *to, t.acc->space, t.acc->elems);
	if (f->lanes && t.kind == T_DATA)
		t.dims = subs_cat(t.dims, subs_of(1, f->lanes->n));
	return t;
}

Type own_type(const Jvp *f, Type t)
{
	const Var *token = token_of(t);
	if (!token || !map_has(&f->joint, var_key(*token)))
		return t;
	Types old = t.acc->elems, both = {NEW_ARRAY(Type, 2 * old.len), 2 * old.len};
	for (int i = 0; i < both.len; i++)
		both.at[i] = old.at[i % old.len];
	t.acc = NEW(AccType, *token, t.acc->space, both);
	return t;
}

void own_vars(const Jvp *f, Vars vs)
{
	for EACH(Var, v, vs)
		vars[v->id].type = own_type(f, vars[v->id].type);
}

Var tan_var(Jvp *f, Var v)
{
	Var t = var_like(v, "tan");
	vars[t.id].type = tan_type(f, vars[v.id].type);
	set_tan(f, v, sub_var(t));
	return t;
}

// ---- Emitting ----

static bool exists(const Jvp *f)
{
	return f->apart && f->depth == 1;
}

// As it is, unless it exists already.
static void emit_primal(Jvp *f, const Stm *s)
{
	if (!exists(f))
		b_emit(f->b, *s);
}

// New names for values that exist already and are computed once more.
static Vars without(Vars pat, Vars known)
{
	pat = SLICE_DUP(Vars, pat);
	for EACH(Var, v, pat)
		for EACH(Var, k, known)
			if (v->id == k->id) {
				*v = var_like(*k, "again");
				break;
			}
	return pat;
}

void jvp_emit(Jvp *f, const Stm *like, Vars pat, Exp *e)
{
	if (exists(f))
		pat = without(pat, like->pat);
	if (pat.len != exp_n_results(e))
		bug("the derivative of %s gives %d values to %d variables", form_name[e->form],
		    exp_n_results(e), pat.len);
	b_emit(f->b, (Stm){.pat = pat, .exp = e, .certs = like->certs, .attrs = like->attrs,
	                   .where = like->where});
}

// The pattern, then tangents of those wanted.
static Vars with_tan_vars(Jvp *f, Vars pat, const bool *want)
{
	VarVec out = {0};
	own_vars(f, pat);
	VEC_APPEND(&out, pat);
	for (int i = 0; i < pat.len; i++)
		if (want[i])
			VEC_PUSH(&out, tan_var(f, pat.at[i]));
	return VEC_SLICE(Vars, out);
}

static bool *wanted(const Jvp *f, Vars vs)
{
	bool *want = NEW_ARRAY(bool, vs.len);
	for (int i = 0; i < vs.len; i++)
		want[i] = has_tan(f, vs.at[i]);
	return want;
}

Body jvp_body(Jvp *f, const Body *b, const bool *want)
{
	const Vars outer = f->b->certs;
	b_open(f->b);
	jvp_stms(f, b);
	f->b->certs = (Vars){0};
	SubVec res = {0};
	VEC_APPEND(&res, b->res);
	for (int i = 0; i < b->res.len; i++)
		if (want[i])
			VEC_PUSH(&res, tan_or_zero(f, b->res.at[i]));
	f->b->certs = outer;
	return b_close(f->b, VEC_SLICE(Subs, res));
}

// ---- Control ----

static void jvp_choice(Jvp *f, const Stm *s)
{
	Exp *e = choice_copy(s->exp);
	const bool *want = wanted(f, s->pat);
	for (int i = 0; i < n_branches(e); i++)
		*branch_at(e, i) = jvp_body(f, branch_at(e, i), want);
	jvp_emit(f, s, with_tan_vars(f, s->pat, want), e);
}

static void jvp_loop(Jvp *f, const Stm *s)
{
	Exp *e = exp_dup(s->exp);
	const bool *want = wanted(f, e->loop.params);
	SubVec inits = {0};
	VEC_APPEND(&inits, e->loop.inits);
	for (int i = 0; i < e->loop.params.len; i++)
		if (want[i])
			VEC_PUSH(&inits, tan_or_zero(f, e->loop.inits.at[i]));
	e->loop.inits = VEC_SLICE(Subs, inits);
	e->loop.params = with_tan_vars(f, e->loop.params, want);
	e->loop.body = jvp_body(f, &e->loop.body, want);
	jvp_emit(f, s, with_tan_vars(f, s->pat, want), e);
}

// ---- Calls ----

// Parameters, then tangents of the active ones; results, then tangents of those varied.
static void make_jvp(Fun *out, const Fun *fn, const bool *active)
{
	Fun *copy = fun_rename(fn, NULL);
	const bool *varied = fun_varied(fn, active);
	Lambda l = {copy->params, types_of_vars(copy->res), copy->body};
	Build b = {0};
	Jvp f = {.b = &b, .active = active_in(&l, active)};
	out->params = with_tan_vars(&f, copy->params, active);
	VarVec res = {0};
	VEC_APPEND(&res, copy->res);
	for (int i = 0; i < copy->res.len; i++)
		if (varied[i])
			VEC_PUSH(&res, var_like(copy->res.at[i], "tan"));
	out->res = VEC_SLICE(Vars, res);
	out->body = jvp_body(&f, &copy->body, varied);
}

// A result that is not unique may share memory with all arguments, tangents included; its own
// tangent is then taken apart from it.
static void call_tangent(Jvp *f, Var v, Var res, Var tan)
{
	Type t = vars[v.id].type;
	if (t.kind == T_DATA && t.dims.len && !vars[res.id].type.unique)
		set_tan(f, v, b_copy(f->b, sub_var(tan)));
}

static void jvp_call(Jvp *f, const Stm *s)
{
	Fun *fn = s->exp->call.fn;
	Subs old = s->exp->call.args;
	bool *active = NEW_ARRAY(bool, old.len);
	SubVec args = {0};
	VEC_APPEND(&args, old);
	for (int i = 0; i < old.len; i++) {
		const Sub *t = tan_of(f, old.at[i]);
		active[i] = t != NULL;
		if (t)
			VEC_PUSH(&args, *t);
	}
	const bool *varied = fun_varied(fn, active);
	Fun *derived = fun_derived(fn, "jvp", active, make_jvp);
	Vars pat = with_tan_vars(f, s->pat, varied);
	jvp_emit(f, s, pat, EXP(call, derived, VEC_SLICE(Subs, args)));
	for (int i = 0, k = s->pat.len; i < s->pat.len; i++)
		if (varied[i])
			call_tangent(f, s->pat.at[i], fn->res.at[i], pat.at[k++]);
}

bool any_tan(const Jvp *f, Subs xs)
{
	for EACH(Sub, x, xs)
		if (tan_of(f, *x))
			return true;
	return false;
}

Stm renamed_inside(const Stm *s)
{
	Stm t = *s;
	Body one = body_rename((Body){{&t, 1}, {0}});
	t.exp = one.stms.at[0].exp;
	return t;
}

// In forward mode the function itself is differentiated, free variables included.  Where only these
// are active, the form stays for the values: reverse mode around this one sees it.
static void jvp_with_vjp(Jvp *f, const Stm *s)
{
	const Exp *e = s->exp;
	const Lambda *fn = e->with_vjp.fn;
	bool stays = exists(f) || !any_tan(f, e->with_vjp.args);
	if (stays) {
		Stm t = renamed_inside(s);
		emit_primal(f, &t);
	}
	bind_params(f, fn, e->with_vjp.args);
	for (int i = 0; i < fn->params.len; i++) {
		const Sub *t = tan_of(f, e->with_vjp.args.at[i]);
		if (t)
			set_tan(f, fn->params.at[i], *t);
	}
	jvp_stms(f, &fn->body);
	f->b->certs = s->certs;
	for (int i = 0; i < s->pat.len; i++) {
		Sub r = fn->body.res.at[e->with_vjp.n_tape + i];
		const Sub *t = tan_of(f, r);
		if (!stays)
			b_name(f->b, s->pat.at[i], r);
		if (t)
			set_tan(f, s->pat.at[i], *t);
	}
}

// ---- Statements without bodies ----

static void jvp_prim(Jvp *f, const Stm *s)
{
	const Exp *e = s->exp;
	const Sub *tans[3] = {0};
	Sub out;
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		tans[i] = tan_of(f, e->prim.x[i]);
	if (is_square(e) && tans[0])
		set_tan(f, s->pat.at[0], deriv_of_square(f->b, e->prim.x[0], *tans[0]));
	else if (deriv_tangent(f->b, e->prim.op, e->prim.at, e->prim.x, sub_var(s->pat.at[0]), tans,
	                  &out))
		set_tan(f, s->pat.at[0], out);
}

Subs tans_or_zeros(Jvp *f, Subs xs)
{
	Subs out = {xs.len ? NEW_ARRAY(Sub, xs.len) : NULL, xs.len};
	for (int i = 0; i < xs.len; i++)
		out.at[i] = tan_or_zero(f, xs.at[i]);
	return out;
}

static void set_passed(Jvp *f, const Stm *s, Subs xs)
{
	for (int i = 0; i < s->pat.len; i++) {
		const Sub *t = tan_of(f, xs.at[i]);
		if (t)
			set_tan(f, s->pat.at[i], *t);
	}
}

static void jvp_opaque(Jvp *f, const Stm *s)
{
	for (int i = 0; i < s->pat.len; i++) {
		const Sub *t = tan_of(f, s->exp->opaque.xs.at[i]);
		if (!t)
			continue;
		Type type = vars[s->pat.at[i].id].type;
		set_tan(f, s->pat.at[i], b_let(f->b, "tan", type, EXP(opaque, subs_of(1, *t))));
	}
}

// The operation leaves the lanes as they are.
static Exp *keep_lanes(Jvp *f, Exp *e)
{
	if (!f->lanes)
		return e;
	if (e->form == E_slice)
		e->slice.at = lanes_slices(f, e->slice.at);
	if (e->form == E_update)
		e->update.at = lanes_slices(f, e->update.at);
	if (e->form == E_reshape)
		e->reshape.dims = subs_cat(e->reshape.dims, subs_of(1, f->lanes->n));
	if (e->form == E_array)
		e->array.elem_type = tan_type(f, e->array.elem_type);
	if (e->form == E_rearrange) {
		int rank = e->rearrange.perm.len, *perm = NEW_ARRAY(int, rank + 1);
		for (int i = 0; i <= rank; i++)
			perm[i] = i < rank ? e->rearrange.perm.at[i] : rank;
		e->rearrange.perm.at = perm;
		e->rearrange.perm.len = rank + 1;
	}
	return e;
}

// The same operation on tangents.
static Exp *same_on_tangents(Jvp *f, const Stm *s)
{
	Exp *e = exp_dup(s->exp);
	switch (e->form) {
	case E_atom:      e->atom.x = tan_or_zero(f, e->atom.x); return e;
	case E_convert:   e->convert.x = tan_or_zero(f, e->convert.x); return e;
	case E_index:     e->index.arr = tan_or_zero(f, e->index.arr); return e;
	case E_slice:     e->slice.arr = tan_or_zero(f, e->slice.arr); return e;
	case E_update:
		e->update.arr = tan_or_zero(f, e->update.arr);
		e->update.val = tan_or_zero(f, e->update.val);
		return e;
	case E_concat:    e->concat.arrs = tans_or_zeros(f, e->concat.arrs); return e;
	case E_replicate: e->replicate.x = tan_or_zero(f, e->replicate.x); return e;
	case E_reshape:   e->reshape.arr = tan_or_zero(f, e->reshape.arr); return e;
	case E_rearrange: e->rearrange.arr = tan_or_zero(f, e->rearrange.arr); return e;
	case E_copy:      e->copy.arr = tan_or_zero(f, e->copy.arr); return e;
	case E_array:     e->array.elems = tans_or_zeros(f, e->array.elems); return e;
	case E_prim: case E_if_: case E_match: case E_loop: case E_call: case E_iota:
	case E_scratch: case E_screma: case E_hist: case E_scatter: case E_flatmap:
	case E_withacc: case E_upd_acc: case E_jvp: case E_vjp: case E_with_vjp: case E_assert_:
	case E_trace: case E_opaque: case E_alloc: case E_release: case N_FORM:
		break;
	}
	bug("forward mode of %s", form_name[e->form]);
}

static void jvp_same(Jvp *f, const Stm *s)
{
	Var v = s->pat.at[0];
	Type t = vars[v.id].type;
	if (t.kind == T_ACC)
		own_vars(f, s->pat);
	emit_primal(f, s);
	if (has_tan(f, v))
		set_tan(f, v, b_let(f->b, "tan", tan_type(f, t),
		                    keep_lanes(f, same_on_tangents(f, s))));
}

// ---- All forms ----

bool any_active(const Jvp *f, Vars pat)
{
	for EACH(Var, v, pat)
		if (is_active(&f->active, sub_var(*v)))
			return true;
	return false;
}

static void jvp_active(Jvp *f, const Stm *s)
{
	switch (s->exp->form) {
	case E_prim:
		emit_primal(f, s);
		jvp_prim(f, s);
		return;
	case E_trace:
		emit_primal(f, s);
		set_passed(f, s, s->exp->trace.xs);
		return;
	case E_opaque:
		emit_primal(f, s);
		jvp_opaque(f, s);
		return;
	case E_if_: case E_match: jvp_choice(f, s); return;
	case E_loop:     jvp_loop(f, s); return;
	case E_call:     jvp_call(f, s); return;
	case E_screma:   jvp_screma(f, s); return;
	case E_hist:     jvp_hist(f, s); return;
	case E_scatter:  jvp_scatter(f, s); return;
	case E_flatmap:  jvp_flatmap(f, s); return;
	case E_withacc:  jvp_withacc(f, s); return;
	case E_upd_acc:  jvp_upd_acc(f, s); return;
	case E_with_vjp: jvp_with_vjp(f, s); return;
	case E_atom: case E_convert: case E_index: case E_slice: case E_update: case E_concat:
	case E_iota: case E_replicate: case E_scratch: case E_reshape: case E_rearrange:
	case E_copy: case E_array: case E_jvp: case E_vjp: case E_assert_: case E_alloc:
	case E_release: case N_FORM:
		jvp_same(f, s);
		return;
	}
}

void jvp_stms(Jvp *f, const Body *b)
{
	Build *to = f->b;
	const Vars certs = to->certs;
	const Where *where = to->where;
	f->depth++;
	for EACH(Stm, s, b->stms) {
		to->certs = s->certs;
		to->where = derived_place(s->where);
		if (f->lanes && lanes_collect(f, s))
			continue;
		if (any_active(f, s->pat))
			jvp_active(f, s);
		else
			emit_primal(f, s);
	}
	if (f->lanes)
		lanes_flush(f);
	f->depth--;
	to->certs = certs;
	to->where = where;
}

// ---- The whole of it ----

static bool is_zero(Sub s)
{
	return s.kind == S_CONST && s.val.u == 0;
}

bool *active_seeds(const Lambda *l, Subs tangents)
{
	bool *active = NEW_ARRAY(bool, l->params.len);
	for (int i = 0; i < l->params.len; i++)
		active[i] = !is_zero(tangents.at[i]);
	return active;
}

void bind_params(Jvp *f, const Lambda *l, Subs args)
{
	for (int i = 0; i < l->params.len; i++) {
		vars[l->params.at[i].id].type.unique = false;
		b_name(f->b, l->params.at[i], args.at[i]);
	}
}

Subs jvp_apply(Build *b, const Lambda *fn, Subs args, Subs tangents)
{
	const Lambda *l = lambda_rename(fn);
	Jvp f = {.b = b, .active = active_in(l, active_seeds(l, tangents))};
	bind_params(&f, l, args);
	for (int i = 0; i < l->params.len; i++) {
		Type t = vars[fn->params.at[i].id].type;
		bool consumed = t.unique && t.dims.len;
		if (is_active(&f.active, sub_var(l->params.at[i])))
			set_tan(&f, l->params.at[i],
			        consumed ? b_copy(b, tangents.at[i]) : tangents.at[i]);
	}
	jvp_stms(&f, &l->body);
	return subs_cat(l->body.res, tans_or_zeros(&f, l->body.res));
}
