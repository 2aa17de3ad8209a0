// Checked mode: reports reads of uninitialised elements of #[scratch] arrays.
//
//     let (a: [n]f64) = scratch.f64 [n]              let (a: [n]f64) = scratch.f64 [n]
//                                                    let (a_set: [n]bool) = replicate [n] false
//     let (b: [n]f64) = update a [i] x          ->   let (b: [n]f64) = update a [i] x
//                                                    let (b_set: [n]bool) = update a_set [i] true
//     let (y: f64) = index b [j]                     let (s: bool) = index b_set [j]
//                                                    let (c: cert) = assert s ("Element [", j, ..)
//                                                    let (y: f64) = index b [j]
//
// An array that may contain uninitialised elements has a shadow: an array of bools of the same
// shape that accompanies it through views, copies, branches, loops and rows of maps.  Arrays
// without a shadow are fully initialised.  Copies, rows and loop results may contain uninitialised
// elements; scalars that are read, operands of operators and results of entry points must not.
// Called functions, accumulators and derivatives take arrays without shadows.  Arrays created by
// the prelude are trusted.
//
// Requires and ensures: see checked.c.
#include "opt/checked.h"

typedef struct { Map of; } Shadows;             // variable -> Sub *, its shadow

static Body shade_body(Shadows *, Body, const int *wanted, Subs *shadows);

// ---- Shadows ----

static bool has_shadow(const Shadows *s, Sub x)
{
	return x.kind == S_VAR && map_has(&s->of, var_key(x.var));
}

static Sub shadow(const Shadows *s, Sub x)
{
	return *(Sub *)map_get(&s->of, var_key(x.var));
}

static void set_shadow(Shadows *s, Var x, Sub as)
{
	map_put(&s->of, var_key(x), mem_dup(&as, sizeof as));
}

static Type shadow_type(Type t)
{
	Type out = type_array(PT_BOOL, t.dims);
	out.unique = t.unique;
	return out;
}

static Sub all_set(Build *b, Subs dims, bool yes)
{
	return b_let(b, "set", type_array(PT_BOOL, dims), EXP(replicate, dims, sub_bool(yes)));
}

// The shadow of an array, or one that says that all of it is written.
static Sub any_shadow(Build *b, const Shadows *s, Sub x)
{
	return has_shadow(s, x) ? shadow(s, x) : all_set(b, sub_type(x).dims, true);
}

static Var shadow_var(Var x)
{
	return var_new(name_of(text("%s_set", vars[x.id].hint)), shadow_type(vars[x.id].type));
}

// ---- Reads ----

static void say_read(MsgVec *m, Subs idx)
{
	msg_say(m, "Element [");
	msg_list(m, idx);
	msg_say(m, "] of an array from #[scratch] is read before it is written.");
}

static void assert_element(Build *b, Sub set, Subs idx)
{
	MsgVec m = {0};
	say_read(&m, idx);
	b_assert(b, b_index(b, set, idx), msg_of(m));
}

static Sub row_is_set(Build *b, Sub row, void *ctx)
{
	return b_index(b, *(const Sub *)ctx, subs_of(1, row));
}

static void assert_whole(Build *b, Sub set)
{
	int from = b_len(b);
	Subs dims = SLICE_DUP(Subs, sub_type(set).dims);
	Sub n, flat = b_flat(b, set, &n), row = b_first_not(b, n, row_is_set, &flat);
	for EACH(Sub, d, dims)
		*d = b_prim2(b, P_max, *d, sub_i64(1));
	MsgVec m = {0};
	say_read(&m, b_indices(b, dims, row));
	b_assert(b, b_le(b, n, row), msg_of(m));
	mark_checks(b, from);
}

static void assert_operands(Build *b, const Shadows *s, Subs xs)
{
	for EACH(Sub, x, xs)
		if (has_shadow(s, *x))
			assert_whole(b, shadow(s, *x));
}

// ---- Views and copies ----

// The same done to the shadow.
static void same_to_shadow(Shadows *s, Build *b, const Stm *st, Sub from, Exp *e)
{
	if (!has_shadow(s, from))
		return;
	Var v = shadow_var(st->pat.at[0]);
	b_stm(b, vars_of(1, v), e);
	set_shadow(s, st->pat.at[0], sub_var(v));
}

static void shade_update(Shadows *s, Build *b, const Stm *st)
{
	const Exp *e = st->exp;
	bool scalar = !sub_type(e->update.val).dims.len;
	if (!has_shadow(s, e->update.arr) && !has_shadow(s, e->update.val))
		return;
	Sub val = scalar ? sub_bool(true) : any_shadow(b, s, e->update.val);
	Sub arr = any_shadow(b, s, e->update.arr);
	Var v = shadow_var(st->pat.at[0]);
	b_stm(b, vars_of(1, v), EXP(update, arr, e->update.at, val));
	set_shadow(s, st->pat.at[0], sub_var(v));
}

static bool any_has_shadow(const Shadows *s, Subs xs)
{
	for EACH(Sub, x, xs)
		if (has_shadow(s, *x))
			return true;
	return false;
}

static Subs all_shadows(Build *b, const Shadows *s, Subs xs)
{
	Subs out = {NEW_ARRAY(Sub, xs.len + 1), xs.len};
	for (int i = 0; i < xs.len; i++)
		out.at[i] = any_shadow(b, s, xs.at[i]);
	return out;
}

// ---- Branches ----

// Which results have shadows in one of the bodies: each is shaded once to see.  The shadows inside
// are made anew when it is shaded for good.
static void note_wanted(Shadows *s, Body body, int *wanted)
{
	Subs shadows;
	(void)shade_body(s, body, NULL, &shadows);
	for (int i = 0; i < shadows.len; i++)
		wanted[i] |= shadows.at[i].kind == S_VAR;
}

static Vars with_shadows(Shadows *s, Vars pat, const int *wanted)
{
	Vars more = {NEW_ARRAY(Var, pat.len + 1), 0};
	for (int i = 0; i < pat.len; i++)
		if (wanted[i]) {
			Var v = shadow_var(pat.at[i]);
			set_shadow(s, pat.at[i], sub_var(v));
			more.at[more.len++] = v;
		}
	return vars_cat(pat, more);
}

static Stm shade_branches(Shadows *s, Stm st)
{
	Exp *e = choice_copy(st.exp);
	int *wanted = NEW_ARRAY(int, st.pat.len + 1);
	Subs none;
	for (int i = 0; i < n_branches(e); i++)
		note_wanted(s, *branch_at(e, i), wanted);
	for (int i = 0; i < n_branches(e); i++)
		*branch_at(e, i) = shade_body(s, *branch_at(e, i), wanted, &none);
	st.exp = e;
	st.pat = with_shadows(s, st.pat, wanted);
	return st;
}

// ---- Loops ----

static void shade_params(Shadows *s, const Exp *e, const int *wanted, Vars *more)
{
	*more = (Vars){NEW_ARRAY(Var, e->loop.params.len + 1), 0};
	for (int i = 0; i < e->loop.params.len; i++)
		if (wanted[i]) {
			Var v = shadow_var(e->loop.params.at[i]);
			set_shadow(s, e->loop.params.at[i], sub_var(v));
			more->at[more->len++] = v;
		}
}

// Until no result has a shadow whose parameter has none.
static void settle_loop(Shadows *s, const Exp *e, int *wanted)
{
	for (bool again = true; again; ) {
		again = false;
		Vars more;
		Subs shadows;
		shade_params(s, e, wanted, &more);
		(void)shade_body(s, e->loop.body, NULL, &shadows);
		for (int i = 0; i < shadows.len; i++)
			if (shadows.at[i].kind == S_VAR && !wanted[i])
				wanted[i] = again = true;
	}
}

static Stm shade_loop(Shadows *s, Build *b, Stm st)
{
	Exp *e = exp_dup(st.exp);
	int n = e->loop.params.len, *wanted = NEW_ARRAY(int, n + 1);
	for (int i = 0; i < n; i++)
		wanted[i] = has_shadow(s, e->loop.inits.at[i]);
	settle_loop(s, e, wanted);
	SubVec inits = {0};
	for (int i = 0; i < n; i++)
		if (wanted[i])
			VEC_PUSH(&inits, any_shadow(b, s, e->loop.inits.at[i]));
	Vars more;
	Subs none;
	shade_params(s, e, wanted, &more);
	e->loop.body = shade_body(s, e->loop.body, wanted, &none);
	e->loop.params = vars_cat(e->loop.params, more);
	e->loop.inits = subs_cat(e->loop.inits, VEC_SLICE(Subs, inits));
	st.exp = e;
	st.pat = with_shadows(s, st.pat, wanted);
	return st;
}

// ---- Combinators ----

// Rows that are scalars are read; others take their shadows along.
static void shade_inputs(Shadows *s, Build *b, Subs *arrs, Vars *params)
{
	int n = arrs->len;
	for (int i = 0; i < n; i++) {
		if (!has_shadow(s, arrs->at[i]))
			continue;
		Sub set = shadow(s, arrs->at[i]);
		if (sub_type(set).dims.len == 1) {
			assert_whole(b, set);
			continue;
		}
		Var v = shadow_var(params->at[i]);
		set_shadow(s, params->at[i], sub_var(v));
		*arrs = subs_cat(*arrs, subs_of(1, set));
		*params = vars_cat(*params, vars_of(1, v));
	}
}

static Types shadow_types(Types ts, const int *wanted)
{
	Types out = {NEW_ARRAY(Type, 2 * ts.len + 1), ts.len};
	if (ts.len)
		memcpy(out.at, ts.at, (size_t)ts.len * sizeof(Type));
	for (int i = 0; i < ts.len; i++)
		if (wanted[i] > 0)
			out.at[out.len++] = shadow_type(ts.at[i]);
	return out;
}

static Stm shade_screma(Shadows *s, Build *b, Stm st)
{
	Exp *e = exp_dup(st.exp);
	Lambda *f = mem_dup(e->screma.map, sizeof *f);
	int n = f->ret.len, first = n_folded(e);
	int *wanted = NEW_ARRAY(int, n + 1);
	shade_inputs(s, b, &e->screma.arrs, &f->params);
	note_wanted(s, f->body, wanted);
	for (int i = 0; i < first; i++)
		wanted[i] = -wanted[i]; // operands of operators: to be whole
	Subs none;
	f->body = shade_body(s, f->body, wanted, &none);
	f->ret = shadow_types(f->ret, wanted);
	for (int i = 0; i < first; i++)
		wanted[i] = 0;
	e->screma.map = f;
	st.exp = e;
	st.pat = with_shadows(s, st.pat, wanted);
	return st;
}

// What is written is set, at the same places.
static void shade_scatter(Shadows *s, Build *b, const Stm *st)
{
	const Exp *e = st->exp;
	Lambda *f = lambda_rename(e->scatter.map);
	VEC(ScatterDest) dests = {0};
	SubVec idx = {0}, vals = {0};
	VEC(Var) pat = {0};
	int at = 0, val = 0;
	for EACH(ScatterDest, d, e->scatter.dests)
		val += d->n_writes * d->space.len;
	b_open(b);
	b_emit_all(b, f->body.stms);
	for (int k = 0; k < e->scatter.dests.len; k++) {
		ScatterDest d = e->scatter.dests.at[k];
		int n_idx = d.n_writes * d.space.len;
		if (has_shadow(s, d.dest)) {
			for (int i = 0; i < n_idx; i++)
				VEC_PUSH(&idx, f->body.res.at[at + i]);
			for (int i = 0; i < d.n_writes; i++) {
				Subs dims = f->ret.at[val + i].dims;
				VEC_PUSH(&vals, dims.len ? all_set(b, dims, true)
				                         : sub_bool(true));
			}
			Var v = shadow_var(st->pat.at[k]);
			VEC_PUSH(&pat, v);
			d.dest = shadow(s, d.dest);
			VEC_PUSH(&dests, d);
			set_shadow(s, st->pat.at[k], sub_var(v));
		}
		at += n_idx;
		val += d.n_writes;
	}
	Subs res = subs_cat(VEC_SLICE(Subs, idx), VEC_SLICE(Subs, vals));
	Lambda *g = b_lambda(b, f->params, res);
	b->attrs = attr_of(ATTR_TRUSTED);
	b_stm(b, VEC_SLICE(Vars, pat), EXP(scatter, e->scatter.n, e->scatter.arrs,
	                                   VEC_SLICE(ScatterDests, dests), g));
}

static Subs dests_of(const Exp *e)
{
	SubVec out = {0};
	if (e->form == E_scatter)
		for EACH(ScatterDest, d, e->scatter.dests)
			VEC_PUSH(&out, d->dest);
	return VEC_SLICE(Subs, out);
}

// ---- Statements ----

static bool is_own_scratch(const Stm *s)
{
	return s->exp->form == E_scratch && !is_preludes_scratch(s);
}

static Body shade_nested(Body b, void *ctx)
{
	Subs none;
	return shade_body(ctx, b, NULL, &none);
}

static void before(Shadows *s, Build *b, Stm *st)
{
	const Exp *e = st->exp;
	switch (e->form) {
	case E_index:
		if (has_shadow(s, e->index.arr))
			assert_element(b, shadow(s, e->index.arr), e->index.idx);
		return;
	case E_hist:
		assert_operands(b, s, e->hist.arrs);
		for EACH(HistOp, op, e->hist.ops)
			assert_operands(b, s, op->dests);
		st->exp = with_nested_bodies(st->exp, shade_nested, s);
		return;
	case E_scatter:
		assert_operands(b, s, e->scatter.arrs);
		st->exp = with_nested_bodies(st->exp, shade_nested, s);
		if (any_has_shadow(s, dests_of(e)))
			shade_scatter(s, b, st);
		return;
	case E_flatmap:
		assert_operands(b, s, e->flatmap.arrs);
		st->exp = with_nested_bodies(st->exp, shade_nested, s);
		return;
	case E_withacc:
		for EACH(AccInput, in, e->withacc.inputs)
			if (in->op)
				assert_operands(b, s, in->arrs);
		st->exp = with_nested_bodies(st->exp, shade_nested, s);
		return;
	case E_upd_acc: assert_operands(b, s, e->upd_acc.vals); return;
	case E_trace:   assert_operands(b, s, e->trace.xs); return;
	case E_jvp: case E_vjp: case E_with_vjp:
		st->exp = with_nested_bodies(st->exp, shade_nested, s);
		return;
	case E_if_: case E_match: *st = shade_branches(s, *st); return;
	case E_loop:    *st = shade_loop(s, b, *st); return;
	case E_screma:  *st = shade_screma(s, b, *st); return;
	default: // after it, or nothing to be done
		return;
	}
}

static void after(Shadows *s, Build *b, const Stm *st)
{
	const Exp *e = st->exp;
	switch (e->form) {
	case E_scratch:
		if (is_own_scratch(st))
			set_shadow(s, st->pat.at[0], all_set(b, e->scratch.dims, false));
		return;
	case E_atom:
		if (has_shadow(s, e->atom.x))
			set_shadow(s, st->pat.at[0], shadow(s, e->atom.x));
		return;
	case E_opaque:
		for (int i = 0; i < e->opaque.xs.len; i++)
			if (has_shadow(s, e->opaque.xs.at[i]))
				set_shadow(s, st->pat.at[i], shadow(s, e->opaque.xs.at[i]));
		return;
	case E_update: shade_update(s, b, st); return;
	case E_slice:
		if (has_shadow(s, e->slice.arr))
			same_to_shadow(s, b, st, e->slice.arr,
			               EXP(slice, shadow(s, e->slice.arr), e->slice.at));
		return;
	case E_reshape:
		if (has_shadow(s, e->reshape.arr))
			same_to_shadow(s, b, st, e->reshape.arr,
			               EXP(reshape, e->reshape.dims, shadow(s, e->reshape.arr)));
		return;
	case E_rearrange:
		if (has_shadow(s, e->rearrange.arr)) {
			Exp *x = exp_dup(e);
			x->rearrange.arr = shadow(s, e->rearrange.arr);
			same_to_shadow(s, b, st, e->rearrange.arr, x);
		}
		return;
	case E_copy:
		if (has_shadow(s, e->copy.arr))
			same_to_shadow(s, b, st, e->copy.arr, EXP(copy, shadow(s, e->copy.arr)));
		return;
	case E_replicate:
		if (has_shadow(s, e->replicate.x))
			same_to_shadow(s, b, st, e->replicate.x,
			               EXP(replicate, e->replicate.dims,
			                   shadow(s, e->replicate.x)));
		return;
	case E_concat:
		if (any_has_shadow(s, e->concat.arrs)) {
			Subs all = all_shadows(b, s, e->concat.arrs);
			set_shadow(s, st->pat.at[0], b_let(b, "set",
			                                   shadow_type(vars[st->pat.at[0].id].type),
			                                   EXP(concat, e->concat.size, all)));
		}
		return;
	case E_array:
		if (any_has_shadow(s, e->array.elems)) {
			Subs all = all_shadows(b, s, e->array.elems);
			set_shadow(s, st->pat.at[0], b_let(b, "set",
			                                   shadow_type(vars[st->pat.at[0].id].type),
			                                   EXP(array, all,
			                                       shadow_type(e->array.elem_type))));
		}
		return;
	default: // before it, or nothing to be done
		return;
	}
}

// Of the results those `wanted` are given with shadows after the others; those that are -1 must be
// whole.  *shadows: of each result its shadow, or a constant.
static Body shade_body(Shadows *s, Body body, const int *wanted, Subs *shadows)
{
	Build b = {0};
	b_open(&b);
	for EACH(Stm, st, body.stms) {
		Stm t = *st;
		b.where = st->where;
		b.certs = st->certs;
		if (!is_trusted(st))
			before(s, &b, &t);
		b_emit(&b, t);
		if (!is_trusted(st))
			after(s, &b, st);
	}
	b.certs = (Vars){0};
	*shadows = (Subs){NEW_ARRAY(Sub, body.res.len + 1), body.res.len};
	Subs res = body.res;
	for (int i = 0; i < body.res.len; i++) {
		Sub r = body.res.at[i];
		shadows->at[i] = has_shadow(s, r) ? shadow(s, r) : sub_bool(true);
		if (wanted && wanted[i] > 0)
			res = subs_cat(res, subs_of(1, any_shadow(&b, s, r)));
		else if (wanted && wanted[i] < 0 && has_shadow(s, r))
			assert_whole(&b, shadow(s, r));
	}
	return b_close(&b, res);
}

// ---- Functions ----

static Body shade_function(Body body, void *ctx)
{
	const Fun *f = ctx;
	int *wanted = NEW_ARRAY(int, body.res.len + 1);
	for (int i = 0; f && f->entry && i < body.res.len; i++)
		wanted[i] = -1;
	Shadows s = {0};
	Subs none;
	return shade_body(&s, body, wanted, &none);
}

Prog *check_scratch(Prog *prog)
{
	return with_bodies(prog, is_own_scratch, shade_function, NULL);
}
