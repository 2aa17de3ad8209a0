// Checked mode: conflicting writes of scatter.
//
//     let (ys: [k]f64) = scatter n (is, vs) dest=[k] xs 1 map=F
//   ->
//     let (ps: [n]i64, ws: [n]f64) = screma n (is, vs) map=F
//     let (ys: [k]f64) = scatter n (ps, ws) dest=[k] xs 1 map=\(p, w) -> {p, w}
//     let (r: i64) = (the first row i with ps[i] inside and ys[ps[i]] other than ws[i], or n)
//     let (c: cert) = assert (n <= r) ("Index [", ps[r], "] is written twice, ..")
//
// If two rows write different values to one element, one of them finds the other's value there.
//
// An accumulator without an operator gets one, on pairs of a value and the state of the element:
// not written, written once (or repeatedly with the same value), or written with different values,
// together with the other value:
//
//     withacc input=[k] (xs) fn=..   ->   withacc input=[k] (xs, states, others) (..) OP fn=..
//     upd_acc a [i] (v)              ->   upd_acc a [i] (v, 1, v)
//
// Requires and ensures: see checked.c.
#include "opt/checked.h"

// ---- scatter ----

// One write of each row: by the indices arrs[first_idx] .. of the value arrs[value].
typedef struct { Subs arrs; const Exp *e; int dest, first_idx, value; Sub ys; } Write;

static Subs place_of_row(Build *b, const Write *w, Sub row)
{
	int rank = w->e->scatter.dests.at[w->dest].space.len;
	Subs idx = {NEW_ARRAY(Sub, rank), rank};
	for (int d = 0; d < rank; d++)
		idx.at[d] = b_index(b, w->arrs.at[w->first_idx + d], subs_of(1, row));
	return idx;
}

static Sub value_of_row(Build *b, const Write *w, Sub row)
{
	return b_index(b, w->arrs.at[w->value], subs_of(1, row));
}

// Is what this row wrote there?  Also if it wrote outside.
static Sub row_is_there(Build *b, Sub row, void *ctx)
{
	const Write *w = ctx;
	Subs idx = place_of_row(b, w, row);
	Sub inside = b_in_range(b, idx, w->e->scatter.dests.at[w->dest].space);
	b_open(b);
	Sub same = b_same(b, b_index(b, w->ys, idx), value_of_row(b, w, row));
	Body yes = b_close(b, subs_of(1, same)), no = {.res = subs_of(1, sub_bool(true))};
	return b_let(b, "same", type_scalar(PT_BOOL), EXP(if_, inside, yes, no));
}

typedef struct { const Write *w; Sub row; } Conflict;

// The first elements of the two that differ.
static Sub first_difference(Build *b, Sub x, Sub y, Sub *other)
{
	if (!sub_type(x).dims.len) {
		*other = y;
		return x;
	}
	Sub n, xs = b_flat(b, x, &n), ys = b_flat(b, y, &n);
	Sub at = b_first_different(b, n, xs, ys);
	*other = b_index(b, ys, subs_of(1, at));
	return b_index(b, xs, subs_of(1, at));
}

static Subs show_conflict(Build *b, void *ctx)
{
	const Conflict *c = ctx;
	Subs idx = place_of_row(b, c->w, c->row);
	Sub other, x = first_difference(b, value_of_row(b, c->w, c->row),
	                                b_index(b, c->w->ys, idx), &other);
	return subs_cat(idx, subs_of(2, x, other));
}

static void check_write(Build *b, const Write *w)
{
	int from = b_len(b), rank = w->e->scatter.dests.at[w->dest].space.len;
	Sub n = w->e->scatter.n, row = b_first_not(b, n, row_is_there, (void *)w);
	Sub ok = b_le(b, n, row);
	Types ts = {NEW_ARRAY(Type, rank + 2), rank + 2};
	for (int i = 0; i < rank + 2; i++)
		ts.at[i] = type_scalar(i < rank ? PT_I64 : sub_type(w->ys).elem);
	Subs seen = b_guarded(b, b_not(b, ok), show_conflict, &(Conflict){w, row}, ts);
	MsgVec m = {0};
	msg_say(&m, "Index [");
	msg_list(&m, subs_part(seen, 0, rank));
	msg_say(&m, "] is written twice by a scatter: row ");
	msg_show(&m, row);
	msg_say(&m, " writes ");
	msg_show(&m, seen.at[rank]);
	msg_say(&m, ", another one ");
	msg_show(&m, seen.at[rank + 1]);
	msg_say(&m, ".");
	b_assert(b, ok, msg_of(m));
	mark_checks(b, from);
}

// What is written, computed before: none of it may be an accumulator.
static Subs compute_writes(Build *b, const Exp *e)
{
	Types ts = {NEW_ARRAY(Type, e->scatter.map->ret.len), e->scatter.map->ret.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = type_of_rows(e->scatter.n, e->scatter.map->ret.at[i]);
	return b_lets(b, "written", ts, EXP(screma, .n = e->scatter.n, .arrs = e->scatter.arrs,
	                                    .map = e->scatter.map));
}

static Lambda *pass_rows(Build *b, Subs arrs)
{
	Vars ps = {NEW_ARRAY(Var, arrs.len), arrs.len};
	for (int i = 0; i < arrs.len; i++) {
		Type t = type_plain(type_row(sub_type(arrs.at[i])));
		ps.at[i] = var_new(name_of("x"), t);
	}
	b_open(b);
	return b_lambda(b, ps, subs_of_vars(ps));
}

static void checked_scatter(Build *b, Stm s)
{
	const Exp *e = s.exp;
	Write w = {.e = e};
	int n_idx = 0;
	for EACH(ScatterDest, d, e->scatter.dests)
		n_idx += d->n_writes * d->space.len;
	w.arrs = compute_writes(b, e);
	Exp *moved = exp_dup(e);
	moved->scatter.arrs = w.arrs;
	moved->scatter.map = pass_rows(b, w.arrs);
	s.exp = moved;
	b_emit(b, s);
	w.value = n_idx;
	for (w.dest = 0; w.dest < e->scatter.dests.len; w.dest++) {
		const ScatterDest *d = &e->scatter.dests.at[w.dest];
		w.ys = sub_var(s.pat.at[w.dest]);
		for (int k = 0; k < d->n_writes; k++) {
			check_write(b, &w);
			w.first_idx += d->space.len;
			w.value++;
		}
	}
}

// ---- Accumulators ----

static bool writes_only(const AccInput *in)
{
	return !in->op;
}

static bool has_writes(const Exp *e)
{
	for EACH(AccInput, in, e->withacc.inputs)
		if (writes_only(in))
			return true;
	return false;
}

enum { UNWRITTEN, WRITTEN, CONFLICT };

static Sub state(int k)
{
	return sub_const(scalar_int(PT_I8, k));
}

// (x, s, o) (y, t, p) -> what is there after both: the first that was written, and another one.
static Lambda *write_operator(Build *b, Types elems)
{
	int k = elems.len;
	Vars ps = {NEW_ARRAY(Var, 4 * k + 2), 4 * k + 2};
	for (int side = 0; side < 2; side++)
		for (int i = 0; i <= 2 * k; i++) {
			Type t = i == k ? type_scalar(PT_I8) : elems.at[i < k ? i : i - k - 1];
			t.unique = false;
			ps.at[side * (2 * k + 1) + i] = var_new(name_of(side ? "y" : "x"), t);
		}
	b_open(b);
	Subs x = subs_of_vars(ps), left = subs_part(x, 0, 2 * k + 1),
	     right = subs_part(x, 2 * k + 1, 2 * k + 1);
	Types ts = types_of_subs(left);
	Sub first = b_eq(b, left.at[k], state(UNWRITTEN)),
	    none = b_eq(b, right.at[k], state(UNWRITTEN));
	b_open(b);
	Sub same = sub_bool(true);
	for (int i = 0; i < k; i++)
		same = b_and(b, same, b_same(b, left.at[i], right.at[i]));
	Sub s = b_select(b, same, b_prim2(b, P_max, left.at[k], right.at[k]), state(CONFLICT));
	Sub apart = b_not(b, same);
	Subs out = SLICE_DUP(Subs, left);
	out.at[k] = s;
	for (int i = 0; i < k; i++) {
		Body yes = {.res = subs_of(1, right.at[i])},
		     no = {.res = subs_of(1, left.at[k + 1 + i])};
		out.at[k + 1 + i] = b_let(b, "other", ts.at[k + 1 + i], EXP(if_, apart, yes, no));
	}
	Body both = b_close(b, out);
	b_open(b);
	Subs rest = b_lets(b, "both", ts, EXP(if_, none, {.res = left}, both));
	Body no = b_close(b, rest);
	Subs res = b_lets(b, "there", ts, EXP(if_, first, {.res = right}, no));
	return b_lambda(b, ps, res);
}

typedef struct { Map tokens; Map to; } Widen;   // token -> AccInput *; variables -> Sub *

// The elements of an accumulator: the values, the state, the values of another write.
static Types widened(Types elems)
{
	Types out = {NEW_ARRAY(Type, 2 * elems.len + 1), 2 * elems.len + 1};
	for (int i = 0; i < out.len; i++)
		out.at[i] = i == elems.len ? type_scalar(PT_I8)
		          : elems.at[i < elems.len ? i : i - elems.len - 1];
	return out;
}

static bool is_widened(const Widen *w, Type t)
{
	return t.kind == T_ACC && map_has(&w->tokens, var_key(t.acc->token));
}

static Type widen(const Widen *w, Type t)
{
	if (!is_widened(w, t))
		return t;
	AccType *acc = NEW(AccType, t.acc->token, t.acc->space, widened(t.acc->elems));
	t.acc = acc;
	return t;
}

static void widen_operand(Visit *v, Sub *s)
{
	*s = sub_subst(&((Widen *)v->ctx)->to, *s);
}

static void widen_binder(Visit *v, Var *x)
{
	Widen *w = v->ctx;
	Type t = vars[x->id].type;
	if (!is_widened(w, t))
		return;
	Var y = var_new(vars[x->id].hint, widen(w, t));
	subst_put(&w->to, *x, sub_var(y));
	*x = y;
}

static void widen_lambda(Visit *v, Lambda **l)
{
	Widen *w = v->ctx;
	Lambda *out = mem_dup(*l, sizeof **l);
	out->params = SLICE_DUP(Vars, out->params);
	out->ret = SLICE_DUP(Types, out->ret);
	for EACH(Var, p, out->params)
		widen_binder(v, p);
	v->body(v, &out->body);
	for EACH(Type, t, out->ret)
		*t = widen(w, *t);
	*l = out;
}

static void widen_body(Visit *v, Body *b)
{
	Widen *w = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		bool mine = s->exp->form == E_upd_acc &&
		            is_widened(w, sub_type(s->exp->upd_acc.acc));
		stm_visit(s, v);
		if (mine) {
			Subs vals = s->exp->upd_acc.vals;
			s->exp->upd_acc.vals = subs_cat(subs_cat(vals, subs_of(1, state(WRITTEN))),
			                                vals);
		}
	}
	b->res = SLICE_DUP(Subs, b->res);
	for EACH(Sub, r, b->res)
		widen_operand(v, r);
}

// What is neutral to it: nothing was written.
static Subs nothing_written(Build *b, Types elems)
{
	Types ts = widened(elems);
	Subs out = {NEW_ARRAY(Sub, ts.len), ts.len};
	for (int i = 0; i < ts.len; i++) {
		Sub zero = sub_const(scalar_int(ts.at[i].elem, 0));
		out.at[i] = ts.at[i].dims.len
			? b_let(b, "none", ts.at[i],
				EXP(replicate, ts.at[i].dims, zero))
			: zero;
	}
	return out;
}

static AccInput checked_input(Build *b, const AccInput *in)
{
	Types elems = {NEW_ARRAY(Type, in->arrs.len), in->arrs.len};
	for (int i = 0; i < elems.len; i++)
		elems.at[i] = type_drop(sub_type(in->arrs.at[i]), in->space.len);
	for EACH(Type, t, elems)
		t->unique = false;
	AccInput out = {.space = in->space, .op = write_operator(b, elems),
	                .ne = nothing_written(b, elems)};
	Subs more = {NEW_ARRAY(Sub, elems.len + 1), elems.len + 1};
	for (int i = 0; i < more.len; i++) {
		PrimType t = i ? elems.at[i - 1].elem : PT_I8;
		Subs dims = i ? sub_type(in->arrs.at[i - 1]).dims : in->space;
		more.at[i] = b_let(b, i ? "others" : "states", type_array(t, dims),
			EXP(replicate, dims, sub_const(scalar_int(t, 0))));
	}
	out.arrs = subs_cat(in->arrs, more);
	return out;
}

typedef struct { Sub states; Subs arrs, others, space; Sub row; } Places;

static Sub state_is_fine(Build *b, Sub row, void *ctx)
{
	const Places *p = ctx;
	return b_not(b, b_eq(b, b_index(b, p->states, subs_of(1, row)), state(CONFLICT)));
}

static Subs show_places(Build *b, void *ctx)
{
	const Places *p = ctx;
	Subs idx = b_indices(b, p->space, p->row), out = idx;
	for (int i = 0; i < p->arrs.len; i++) {
		Sub other, x = first_difference(b, b_index(b, p->arrs.at[i], idx),
		                                b_index(b, p->others.at[i], idx), &other);
		out = subs_cat(out, subs_of(2, x, other));
	}
	return out;
}

static void check_states(Build *b, Places p)
{
	int from = b_len(b), rank = p.space.len;
	Sub n, states = b_flat(b, p.states, &n);
	p.states = states;
	p.row = b_first_not(b, n, state_is_fine, &p);
	Sub ok = b_le(b, n, p.row);
	Types ts = {NEW_ARRAY(Type, rank + 2 * p.arrs.len), rank + 2 * p.arrs.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = type_scalar(i < rank ? PT_I64
			: sub_type(p.arrs.at[(i - rank) / 2]).elem);
	Subs seen = b_guarded(b, b_not(b, ok), show_places, &p, ts);
	MsgVec m = {0};
	msg_say(&m, "Index [");
	msg_list(&m, subs_part(seen, 0, rank));
	msg_say(&m, "] of an accumulator is written twice:");
	for (int i = 0; i < p.arrs.len; i++) {
		msg_say(&m, i ? "; " : " ");
		msg_show(&m, seen.at[rank + 2 * i]);
		msg_say(&m, " and ");
		msg_show(&m, seen.at[rank + 2 * i + 1]);
	}
	msg_say(&m, ".");
	b_assert(b, ok, msg_of(m));
	mark_checks(b, from);
}

// The arrays of widened inputs have their states and other values after them.
static void bind_results(Build *b, const Stm *old, Vars pat)
{
	int at = 0, from = 0;
	for EACH(AccInput, in, old->exp->withacc.inputs) {
		int k = in->arrs.len;
		for (int i = 0; i < k; i++)
			b_emit(b, (Stm){.pat = vars_of(1, old->pat.at[at + i]), .where = old->where,
			                .exp = EXP(atom, sub_var(pat.at[from + i]))});
		if (writes_only(in)) {
			Subs all = subs_of_vars(pat);
			check_states(b, (Places){.states = all.at[from + k], .space = in->space,
				.arrs = subs_part(all, from, k),
				.others = subs_part(all, from + k + 1, k)});
			from += k + 1;
		}
		at += k;
		from += k;
	}
}

static void checked_withacc(Build *b, const Stm *s)
{
	Exp *e = exp_dup(s->exp);
	Widen w = {0};
	VEC(AccInput) inputs = {0};
	VEC(Var) pat = {0};
	int at = 0, nth = 0;
	for EACH(AccInput, in, s->exp->withacc.inputs) {
		if (writes_only(in))
			map_put(&w.tokens, var_key(e->withacc.fn->params.at[nth]), in);
		nth++;
		AccInput out = writes_only(in) ? checked_input(b, in) : *in;
		VEC_PUSH(&inputs, out);
		for EACH(Sub, x, out.arrs) {
			Type t = type_plain(sub_type(*x));
			VEC_PUSH(&pat, var_new(name_of("acc"), t));
		}
		at += in->arrs.len;
	}
	for (; at < s->pat.len; at++)
		VEC_PUSH(&pat, s->pat.at[at]);
	e->withacc.inputs = VEC_SLICE(AccInputs, inputs);
	Visit v = {.sub = widen_operand, .bind = widen_binder, .body = widen_body,
	           .lambda = widen_lambda, .untyped = true, .copy = true, .ctx = &w};
	widen_lambda(&v, &e->withacc.fn);
	Stm t = *s;
	t.exp = e;
	t.pat = VEC_SLICE(Vars, pat);
	b_emit(b, t);
	bind_results(b, s, t.pat);
}

// ---- All of a program ----

// filter and partition put elements one after the other.
static bool is_preludes(const Body *b, const Exp *scatter)
{
	const Stm *def = stm_in(b, scatter->scatter.dests.at[0].dest);
	return def && is_preludes_scratch(def);
}

static Body check_body(Body body, void *none)
{
	Build b = {0};
	b_open(&b);
	for EACH(Stm, s, body.stms) {
		Stm t = *s;
		b.where = s->where;
		if (!is_trusted(s))
			t.exp = with_nested_bodies(t.exp, check_body, none);
		if (t.exp->form == E_scatter && !is_trusted(s) && !is_preludes(&body, t.exp))
			checked_scatter(&b, t);
		else if (t.exp->form == E_withacc && has_writes(t.exp) &&
		         !exp_find(t.exp, stm_is_call))
			checked_withacc(&b, &t);
		else
			b_emit(&b, t);
	}
	return b_close(&b, body.res);
}

static bool is_write(const Stm *s)
{
	return s->exp->form == E_scatter ||
	       (s->exp->form == E_withacc && has_writes(s->exp));
}

Prog *check_writes(Prog *prog)
{
	return with_bodies(prog, is_write, check_body, NULL);
}
