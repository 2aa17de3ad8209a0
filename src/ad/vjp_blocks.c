// Checkpointing with a limited number of snapshots of the loop state (vjp_budget.c).
//
//     loop x for i < n do body               forward: snapshots of some states, at positions
//                                            pos[0] = 0 < pos[1] < ..
//     for hi = n, n - 1, .., 1 do            return sweep
//       x = the last snapshot, advanced from its position to hi - 1, with further snapshots
//       return sweep of body (hi - 1) at x
//       discard the snapshot at hi - 1, if there is one
//
// Note [Where snapshots are].  With s snapshots, and each iteration executed forward at most r
// times, C(s + r, s) iterations can be reversed.  For l iterations, r is the least number for which
// this is at least l, and the next snapshot is placed after k iterations such that the part after
// it can be reversed with s - 1 snapshots and r repetitions, and the part before it with s
// snapshots and r - 1 repetitions (Griewank and Walther, 2000).
#include "ad/vjp_loop.h"

// ---- Where ----

// As floats: exact as far as it matters.
Subs rounds_for(Build *b, Sub l, Sub s, double most)
{
	Type f = type_scalar(PT_F64);
	Var go = var_new(name_of("go"), type_scalar(PT_BOOL));
	Var r = var_new(name_of("r"), f), c = var_new(name_of("c"), f);
	b_open(b);
	Sub next = b_add(b, sub_var(r), sub_f64(1));
	Sub more = b_prim2(b, P_div, b_mul(b, sub_var(c), b_add(b, s, next)), next);
	Sub on = b_lt(b, more, l);
	on = most ? b_prim2(b, P_and, on, b_lt(b, next, sub_f64(most))) : on;
	Body body = b_close(b, subs_of(3, on, next, more));
	Vars pat = vars_of(3, var_new(name_of("go"), type_scalar(PT_BOOL)),
	                   var_new(name_of("r"), f), var_new(name_of("c"), f));
	Sub first = b_lt(b, sub_f64(1), l);
	b_stm(b, pat, EXP(loop, .params = vars_of(3, go, r, c),
	                  .inits = subs_of(3, first, sub_f64(0), sub_f64(1)), .is_while = true,
	                  .while_cond = go, .body = body));
	return subs_of_vars((Vars){pat.at + 1, 2});
}

// After how many of l iterations the next snapshot is taken, with s of them.
static Sub split(Build *b, Sub l_, Sub s_)
{
	Sub l = b_convert(b, PT_F64, l_), s = b_convert(b, PT_F64, s_);
	Subs rc = rounds_for(b, l, s, 0);
	Sub r = rc.at[0], c = rc.at[1], one = sub_f64(1);
	Sub sr = b_add(b, s, r), sr1 = b_prim2(b, P_max, b_sub(b, sr, one), one);
	Sub c_r1 = b_prim2(b, P_div, b_mul(b, c, r), sr);               // C(s + r - 1, s)
	Sub c_r2 = b_prim2(b, P_div, b_mul(b, c_r1, b_sub(b, r, one)), sr1);
	Sub c_s1 = b_prim2(b, P_div, b_mul(b, c, s), sr);               // C(s - 1 + r, s - 1)
	Sub c_s1r1 = b_prim2(b, P_div, b_mul(b, c_r1, s), sr1);
	Sub low = b_prim2(b, P_max, c_r2, b_sub(b, l, c_s1));
	Sub high = b_prim2(b, P_min, c_r1, b_sub(b, l, c_s1r1));
	Sub k = b_convert(b, PT_I64, b_prim2(b, P_min, low, b_prim2(b, P_max, high, low)));
	return b_prim2(b, P_max, sub_i64(1), b_prim2(b, P_min, k, b_sub(b, l_, sub_i64(1))));
}

// The place of the next snapshot between `from` and `to`, with `count` of `most` taken; -1: none.
static Sub next_place(Build *b, Sub from, Sub to, Sub count, Sub most)
{
	Sub l = b_sub(b, to, from);
	Sub some = b_prim2(b, P_and, b_lt(b, sub_i64(1), l), b_lt(b, count, most));
	b_open(b);
	Sub left = b_add(b, b_sub(b, most, count), sub_i64(1));
	Body yes = b_close(b, subs_of(1, b_add(b, from, split(b, l, left))));
	Body no = {.res = subs_of(1, sub_i64(-1))};
	return b_let(b, "next", type_scalar(PT_I64), EXP(if_, some, yes, no));
}

// ---- Snapshots ----

typedef struct { Subs states; Sub places, count; } Snapshots;

// A loop updates in place whatever is around it.
Sub put_if(Build *b, Sub on, Sub arr, Sub at, Sub x)
{
	Type t = sub_type(arr);
	t.unique = true;
	Var p = var_new(name_of("snapshots"), t), z = var_i64("z");
	b_open(b);
	Body body = b_close(b, subs_of(1, put_row(b, sub_var(p), at, x)));
	t.unique = false;
	return b_let(b, "snapshots", t, EXP(loop, .params = vars_of(1, p), .inits = subs_of(1, arr),
	                                    .i = z, .n = on, .body = body));
}

static void put_all(Build *b, Sub on, Snapshots *s, Sub at, Subs xs)
{
	for (int i = 0; i < xs.len; i++)
		s->states.at[i] = put_if(b, on, s->states.at[i], s->count, xs.at[i]);
	s->places = put_if(b, on, s->places, s->count, at);
	s->count = b_add(b, s->count, on);
}

static Snapshots snapshots_begin(Build *b, Subs xs, Sub n, Sub most)
{
	Snapshots s = {.states = {NEW_ARRAY(Sub, xs.len + 1), xs.len}, .count = sub_i64(0)};
	for (int i = 0; i < xs.len; i++) {
		Type row = type_plain(sub_type(xs.at[i]));
		s.states.at[i] = scratch_of(b, type_of_rows(most, row));
	}
	s.places = scratch_of(b, type_of_rows(most, type_scalar(PT_I64)));
	put_all(b, b_prim2(b, P_min, n, sub_i64(1)), &s, sub_i64(0), xs);
	return s;
}

static Subs snapshots_all(const Snapshots *s)
{
	return subs_cat(s->states, subs_of(2, s->places, s->count));
}

static Snapshots snapshots_from(Subs all)
{
	return (Snapshots){{all.at, all.len - 2}, all.at[all.len - 2], all.at[all.len - 1]};
}

static Vars snapshot_vars(Subs all, bool unique)
{
	Vars out = {NEW_ARRAY(Var, all.len + 1), all.len};
	for (int i = 0; i < all.len; i++) {
		Type t = sub_type(all.at[i]);
		t.unique = unique && t.dims.len;
		out.at[i] = var_new(name_of("snapshots"), t);
	}
	return out;
}

// ---- The loop ----

// Iterations from .. upto - 1, at xs; snapshots are those for the way back from `back`.
static Subs advance(Copier *k, const Exp *e, Subs xs, Sub from, Sub upto, Sub back, Sub most,
                    Snapshots *s)
{
	Build *b = k->v->b;
	int n = e->loop.params.len;
	Subs held = snapshots_all(s);
	Vars more = snapshot_vars(held, true), params = copy_params(k, e->loop.params);
	Var next = var_i64("next");
	Var t = var_i64("t");
	Sub first = next_place(b, from, back, s->count, most);
	b_open(b);
	Sub i = b_add(b, from, sub_var(t)), after = b_add(b, i, sub_i64(1));
	copy_name(k, e->loop.i, b_convert(b, vars[e->loop.i.id].type.elem, i));
	Subs res = copy_stms(k, &e->loop.body);
	Snapshots now = snapshots_from(subs_of_vars(more));
	now.states = SLICE_DUP(Subs, now.states);
	Sub here = b_prim2(b, P_and, b_eq(b, after, sub_var(next)), b_lt(b, now.count, most));
	put_all(b, b_select(b, here, sub_i64(1), sub_i64(0)), &now, after, res);
	b_open(b);
	Body yes = b_close(b, subs_of(1, next_place(b, after, back, now.count, most)));
	Sub then = b_let(b, "next", type_scalar(PT_I64),
	                 EXP(if_, here, yes, {.res = subs_of(1, sub_var(next))}));
	Body body = b_close(b, subs_cat(res, subs_cat(snapshots_all(&now), subs_of(1, then))));
	Vars out = {NEW_ARRAY(Var, n + 1), n};
	for (int c = 0; c < n; c++) {
		Type u = type_plain(vars[params.at[c].id].type);
		out.at[c] = var_new(vars[params.at[c].id].hint, u);
	}
	Vars left = snapshot_vars(held, false);
	Vars pat = vars_cat(vars_cat(out, left), vars_of(1, var_i64("next")));
	b_stm(b, pat, EXP(loop, .params = vars_cat(vars_cat(params, more), vars_of(1, next)),
	                  .inits = subs_cat(subs_cat(xs, held), subs_of(1, first)), .i = t,
	                  .n = b_prim2(b, P_max, b_sub(b, upto, from), sub_i64(0)), .body = body));
	*s = snapshots_from(subs_of_vars(left));
	return subs_of_vars(out);
}

// The forward sweep.
void emit_blocks_forward(Vjp *v, Level *l, const Stm *s, const LoopPlan *p, Sub most)
{
	const Exp *e = s->exp;
	Build *b = v->b;
	Copier k = {.v = v, .here = l, .quiet = !l->all};
	level_own(v, l, &k, s);
	Subs xs = {NEW_ARRAY(Sub, e->loop.inits.len + 1), e->loop.inits.len};
	for (int i = 0; i < xs.len; i++)
		xs.at[i] = copied(&k, e->loop.inits.at[i]);
	most = copied(&k, most);
	Sub n = at_least_zero(b, copied(&k, e->loop.n));
	Snapshots held = snapshots_begin(b, xs, n, most);
	Subs out = advance(&k, e, xs, sub_i64(0), n, n, most, &held);
	Subs all = snapshots_all(&held);
	for (int i = 0; i < out.len; i++)
		b_name(b, fwd_var(v, s->pat.at[i]).var, out.at[i]);
	for (int i = 0; i < all.len; i++)
		b_name(b, p->snapshots.at[i], all.at[i]);
}

// ---- The return sweep ----

// The state at which iteration `last` begins: the last snapshot, and what is between.
static Subs state_before(Vjp *v, const Exp *e, Sub last, Sub most, Snapshots *held)
{
	Build *b = v->b;
	Copier k = {.v = v, .quiet = true};
	Subs xs = {NEW_ARRAY(Sub, e->loop.params.len + 1), e->loop.params.len};
	Subs top = subs_of(1, b_sub(b, held->count, sub_i64(1)));
	Sub from = b_index(b, held->places, top);
	for (int i = 0; i < xs.len; i++) {
		xs.at[i] = b_index(b, held->states.at[i], top);
		if (sub_type(xs.at[i]).dims.len)
			xs.at[i] = b_copy(b, xs.at[i]);
	}
	return advance(&k, e, xs, from, last, b_add(b, last, sub_i64(1)), most, held);
}

static void names_of_snapshots(Vjp *v, LoopPlan *p, const Exp *e, Sub most)
{
	int n = e->loop.params.len;
	p->snapshots = (Vars){NEW_ARRAY(Var, n + 3), n + 2};
	for (int i = 0; i < n; i++) {
		Type t = ret_type(v, vars[e->loop.params.at[i].id].type);
		p->snapshots.at[i] = var_new(name_of("snapshots"), type_of_rows(most, t));
	}
	Type i64 = type_scalar(PT_I64);
	p->snapshots.at[n] = var_new(name_of("places"), type_of_rows(most, i64));
	p->snapshots.at[n + 1] = var_new(name_of("count"), i64);
	p->needed = true;
}

void rev_blocks(Vjp *v, Level *l, int at, Sub most)
{
	const Stm *s = &l->body->stms.at[at];
	const Exp *e = s->exp;
	Build *b = v->b;
	Back r;
	if (!back_begin(v, e, &r))
		return;
	Sub trips = back_trips(v, l, at), one = sub_i64(1);
	LoopPlan *p = plan_of(l, at);
	most = ret_sub(v, most);
	names_of_snapshots(v, p, e, most);
	back_adjoints(v, &r, s);
	Subs kept = subs_of_vars(p->snapshots);
	Vars carried = snapshot_vars(kept, true);
	for (int i = 0; i < kept.len; i++)
		back_param(&r, carried.at[i], kept.at[i]);
	Var j = var_i64("j");
	b_open(b);
	Sub last = b_sub(b, b_sub(b, trips, one), sub_var(j));
	Snapshots held = snapshots_from(subs_of_vars(carried));
	Subs xs = state_before(v, e, last, most, &held);
	Level *body = NEW(Level, .depth = 0);
	level_begin(v, body, &e->loop.body, false);
	for EACH(Var, x, e->loop.params) {
		cell_enter(v, body, *x, -1);
		cell_of(v, *x)->owned = vars[x->id].type.unique;
	}
	cell_name(v, body, e->loop.i, b_convert(b, vars[e->loop.i.id].type.elem, last), false);
	back_seed(v, &r);
	level_reverse(v, body);
	back_results(v, &r);
	level_close(v, body);
	for (int i = 0; i < xs.len; i++) {
		const Cell *c = cell_of(v, e->loop.params.at[i]);
		if (c->has_fwd)
			b_name(b, c->fwd.var, xs.at[i]);
	}
	level_emit(v, body);
	Sub top = b_index(b, held.places, subs_of(1, b_sub(b, held.count, one)));
	held.count = b_sub(b, held.count, b_select(b, b_eq(b, top, last), one, sub_i64(0)));
	Subs all = snapshots_all(&held);
	VEC_APPEND(&r.res, all);
	Body done = b_close(b, VEC_SLICE(Subs, r.res));
	Vars pat = back_names(v, &r);
	b_stm(b, pat, EXP(loop, .params = VEC_SLICE(Vars, r.params),
	                  .inits = VEC_SLICE(Subs, r.inits), .i = j, .n = trips, .body = done));
	back_end(v, &r, l, s, subs_of_vars(pat));
}
