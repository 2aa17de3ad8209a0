// Loops in reverse mode.
//
//     ys = loop (p = x) for i < n do body
//
//     (ys, log) = loop (p = x, log = scratch) for i < n do       forward sweep: logs the values of
//       log[i] = p; body                                         p that the return sweep needs
//     x_adj = loop (p_adj = ys_adj) for j < n do                 return sweep
//       i = n - 1 - j; p = log[i]
//       forward sweep of the body, then its return sweep
//
// Only parameters that the return sweep needs are logged.  An array that the loop updates in place
// is not logged as a whole: the forward sweep records the cells that it overwrites (vjp_undo.c),
// and the return sweep carries the array backwards, undoing the updates of each iteration before
// it reads it.  Nothing is recorded if no needed value is overwritten (vjp_intact.c), or if the
// array only grows at one end.  vjp_tape.c generates the forward sweep with its logs.
#include "ad/vjp_loop.h"

#include <stdlib.h>

// ---- Plans ----

LoopPlan *plan_of(Level *l, int at)
{
	int n = l->body->stms.at[at].exp->loop.params.len;
	if (!l->plans[at].loop)
		l->plans[at].loop = NEW(LoopPlan, .whole = NEW_ARRAY(Keep, n + 1),
		                        .undo = NEW_ARRAY(Keep, n + 1),
		                        .flat = NEW_ARRAY(Keep, n + 1),
		                        .partly = NEW_ARRAY(bool, n + 1),
		                        .after = NEW_ARRAY(bool, n + 1));
	return l->plans[at].loop;
}

bool loop_needed(const LoopPlan *p)
{
	return p->needed;
}

bool attribute_number(Name attribute, const char *name, int64_t *number)
{
	size_t len = strlen(name);
	if (strncmp(attribute, name, len) != 0 || attribute[len] != '(')
		return false;
	*number = strtoll(attribute + len + 1, NULL, 10);
	return true;
}

// Counters have no derivatives, so one that is computed from the number of rounds, as those of
// the return sweep are, must have none either: to derivatives around this one that is a constant.
Sub at_least_zero(Build *b, Sub n)
{
	Sub rounds = b_prim2(b, P_max, b_convert(b, PT_I64, n), sub_i64(0));
	return ad_is_inner() ? b_prim1(b, P_count, rounds) : rounds;
}

Sub back_trips(Vjp *v, Level *l, int at)
{
	const Exp *e = l->body->stms.at[at].exp;
	if (!e->loop.is_while)
		return at_least_zero(v->b, ret_sub(v, e->loop.n));
	LoopPlan *p = plan_of(l, at);
	if (!p->counted)
		p->count = var_i64("count");
	p->counted = p->needed = true;
	return sub_var(p->count);
}

void keep_logs(Vjp *v, Keep *k, Sub trips)
{
	k->on = true;
	k->logs = (Vars){NEW_ARRAY(Var, FLAT_LOGS * k->types.len + 1), 0};
	for (int i = 0; i < k->types.len; i++) {
		bool flat = k->flat && k->flat[i];
		Type row = flat ? type_scalar(k->types.at[i].elem) : ret_type(v, k->types.at[i]);
		k->logs.at[k->logs.len++] = var_new(name_of("log"), type_of_rows(trips, row));
		for (int j = 1; flat && j < FLAT_LOGS; j++)
			k->logs.at[k->logs.len++] =
				var_new(name_of("log"), type_of_rows(trips, type_scalar(PT_I64)));
	}
}

// False if there can be none.
bool want_undo(Vjp *v, Level *l, int at, int k, Sub trips)
{
	const Stm *s = &l->body->stms.at[at];
	const Exp *e = s->exp;
	LoopPlan *p = plan_of(l, at);
	if (p->undo[k].on)
		return true;
	if (p->saved && p->saved->through != k)
		return false;
	Varying w;
	varying_init(&w, v, s);
	if (!e->loop.is_while)
		varying_know(&w, e->loop.i, sub_i64(0));
	Var x = e->loop.params.at[k];
	if (type_varies(&w, vars[x.id].type) ||
	    !record_types(&w, &e->loop.body, x, e->loop.body.res.at[k], &p->undo[k].types))
		return false;
	bool *flat = NEW_ARRAY(bool, p->undo[k].types.len + 1);
	for (int i = 0; i < p->undo[k].types.len; i++)
		flat[i] = is_flat(&w, p->undo[k].types.at[i]);
	p->undo[k].flat = flat;
	keep_logs(v, &p->undo[k], trips);
	p->needed = true;
	return true;
}

bool undo_loop(Vjp *v, Level *l, int at, int k)
{
	const Stm *s = &l->body->stms.at[at];
	if (s->exp->loop.is_while || plan_of(l, at)->partly[k])
		return false;
	Sub trips = back_trips(v, l, at);
	if (!want_undo(v, l, at, k, trips))
		return false;
	Varying w;
	varying_init(&w, v, s);
	Sub later = ret_var(v, s->pat.at[k]);
	Cell *c = cell_of(v, s->exp->loop.inits.at[k].var);
	c->ret = undo_rows(&w, s->exp, k, trips, later, subs_of_vars(plan_of(l, at)->undo[k].logs));
	c->has_ret = true;
	return true;
}

LoopPlan *plan_of_values(const Stm *s, LoopPlan *p)
{
	int n = s->pat.len, at = 0;
	LoopPlan *out = mem_dup(p, sizeof *p);
	out->whole = NEW_ARRAY(Keep, n + 1);
	out->flat = NEW_ARRAY(Keep, n + 1);
	out->undo = NEW_ARRAY(Keep, n + 1);
	out->after = NEW_ARRAY(bool, n + 1);
	for (int i = 0; i < n; i++) {
		if (vars[s->pat.at[i].id].type.kind == T_ACC)
			continue;
		out->whole[at] = p->whole[i];
		out->after[at] = p->after[i];
		out->flat[at] = p->flat[i];
		out->undo[at++] = p->undo[i];
	}
	return out;
}

// ---- The return sweep ----

void back_param(Back *r, Var p, Sub init)
{
	VEC_PUSH(&r->params, p);
	VEC_PUSH(&r->inits, init);
}

static bool mentions(Type t, Var x)
{
	for EACH(Sub, d, t.dims)
		if (sub_eq(*d, sub_var(x)))
			return true;
	return false;
}

static Vars free_of_loop(Vjp *v, const Exp *e)
{
	Vars free = free_in_body(&e->loop.body), out = {NEW_ARRAY(Var, free.len + 1), 0};
	for EACH(Var, f, free) {
		bool own = !e->loop.is_while && f->id == e->loop.i.id;
		for EACH(Var, p, e->loop.params)
			own |= p->id == f->id;
		if (!own)
			out.at[out.len++] = *f;
	}
	return takers(v, out);
}

bool back_begin(Vjp *v, const Exp *loop, Back *r)
{
	*r = (Back){.e = loop, .free = free_of_loop(v, loop)};
	bool any = r->free.len > 0;
	int n = loop->loop.params.len;
	r->active = NEW_ARRAY(bool, n + 1);
	r->undone = NEW_ARRAY(bool, n + 1);
	r->carried = NEW_ARRAY(bool, n + 1);
	r->size = NEW_ARRAY(Var, n + 1);
	r->state = NEW_ARRAY(Var, n + 1);
	for (int i = 0; i < n; i++) {
		Type t = vars[r->e->loop.params.at[i].id].type;
		r->active[i] = t.kind == T_DATA && t.elem != PT_BOOL &&
		               is_active(&v->active, sub_var(r->e->loop.params.at[i]));
		any |= r->active[i];
		for (int q = 0; q < i; q++)
			r->carried[q] |= r->active[i] && mentions(t, r->e->loop.params.at[q]);
	}
	return any;
}

// Parameters of the loop: carried sizes, adjoints of parameters, adjoints of free variables.
void back_adjoints(Vjp *v, Back *r, const Stm *s)
{
	int n = r->e->loop.params.len;
	Copier k = {.v = v};
	for (int i = 0; i < n; i++)
		if (r->carried[i]) {
			r->size[i] = var_i64("size");
			back_param(r, r->size[i], ret_var(v, s->pat.at[i]));
			copy_name(&k, r->e->loop.params.at[i], sub_var(r->size[i]));
		}
	for (int i = 0; i < n; i++) {
		if (!r->active[i])
			continue;
		Type t = copied_type(&k, vars[r->e->loop.params.at[i].id].type);
		t.unique = t.dims.len > 0;
		back_param(r, var_new(name_of("p_adj"), t), adj_owned(v, s->pat.at[i]));
	}
	for EACH(Var, f, r->free) {
		Sub a = adj_owned(v, *f);
		Type t = sub_type(a);
		t.unique = t.kind == T_DATA && t.dims.len > 0;
		Var p = var_new(name_of("adj"), t);
		back_param(r, p, a);
		adj_set(v, *f, (Adj){adj_get(v, *f).kind, sub_var(p), true});
	}
}

void back_seed(Vjp *v, const Back *r)
{
	int at = 0;
	for (int i = 0; i < r->e->loop.params.len; i++)
		at += r->carried[i];
	for (int i = 0; i < r->e->loop.params.len; i++)
		if (r->active[i])
			adj_add(v, r->e->loop.body.res.at[i], sub_var(r->params.at[at++]), true);
}

void back_results(Vjp *v, Back *r)
{
	int n = r->e->loop.params.len;
	for (int i = 0; i < n; i++)
		if (r->carried[i])
			VEC_PUSH(&r->res, fwd_var(v, r->e->loop.params.at[i]));
	for (int i = 0; i < n; i++)
		if (r->active[i])
			VEC_PUSH(&r->res, adj_owned(v, r->e->loop.params.at[i]));
	for EACH(Var, f, r->free)
		VEC_PUSH(&r->res, adj_owned(v, *f));
}

static bool is_invariant(const Exp *e, int k)
{
	return sub_eq(e->loop.body.res.at[k], sub_var(e->loop.params.at[k]));
}

// Parameters that are wanted and updated in place are carried along and put back.
static void carry_updated(Vjp *v, Back *r, Level *l, int at, Sub trips)
{
	const Exp *e = r->e;
	for (int i = 0; i < e->loop.params.len; i++) {
		Var p = e->loop.params.at[i];
		Type t = vars[p.id].type;
		const Cell *c = cell_of(v, p);
		Var after;
		if (plan_of(l, at)->partly[i]) {
			Varying w;
			varying_init(&w, v, &l->body->stms.at[at]);
			r->undone[i] = true;
			VEC_PUSH(&r->res, undo_at(&w, e, i, r->i, sub_var(r->state[i]),
			         subs_of_vars(plan_of(l, at)->undo[i].logs)));
			continue;
		}
		if (goes_through(v, plan_of(l, at), i, &after)) {
			r->undone[i] = true;
			VEC_PUSH(&r->res, ret_var(v, p));
			continue;
		}
		if (!c->has_fwd || c->given || !t.unique || !t.dims.len || is_invariant(e, i))
			continue;
		if (e->loop.is_while && !plan_of(l, at)->counted)
			continue;
		if (!want_undo(v, l, at, i, trips))
			continue;
		r->undone[i] = true;
		VEC_PUSH(&r->res, ret_var(v, p));
	}
}

static Keep *want_whole(Vjp *v, LoopPlan *p, int k, Type t, bool flat, Sub trips)
{
	Keep *keep = flat ? &p->flat[k] : &p->whole[k];
	p->needed = true;
	if (keep->on)
		return keep;
	keep->types = (Types){NEW_ARRAY(Type, 2), flat ? 2 : 1};
	keep->types.at[0] = flat ? type_scalar(t.elem) : t;
	keep->types.at[0].unique = false;
	keep->types.at[flat] = flat ? type_scalar(PT_I64) : keep->types.at[0];
	keep_logs(v, keep, trips);
	return keep;
}

// An array that grows at one of its ends: what it was is a part of what it becomes.
typedef enum { GROWS_NOT, GROWS_BEHIND, GROWS_BEFORE } Growth;

static Growth growth_of(const Varying *w, const Exp *e, int k)
{
	const Exp *made = def_in(&e->loop.body, e->loop.body.res.at[k]);
	Type t = vars[e->loop.params.at[k].id].type;
	Sub x = sub_var(e->loop.params.at[k]);
	if (!made || made->form != E_concat || !type_varies(w, t) || type_varies(w, type_row(t)))
		return GROWS_NOT;
	Subs parts = made->concat.arrs;
	return sub_eq(parts.at[0], x) ? GROWS_BEHIND
	     : sub_eq(parts.at[parts.len - 1], x) ? GROWS_BEFORE : GROWS_NOT;
}

static Sub part_of_last(Build *b, Sub last, Growth way, Sub like)
{
	Subs dims = sub_type(like).dims;
	Slices at = slices_at((Subs){0}, dims);
	if (way == GROWS_BEFORE)
		at.at[0].start = b_sub(b, sub_type(last).dims.at[0], dims.at[0]);
	return b_slice(b, last, at);
}

// The value of a parameter in iteration i, as it was kept; `like` has its sizes.
static Sub kept_value(Vjp *v, LoopPlan *p, int k, Var param, bool flat, Sub trips, Sub i, Sub like)
{
	Build *b = v->b;
	Type t = vars[param.id].type;
	const Keep *keep = want_whole(v, p, k, t, flat, trips);
	Sub log = sub_var(keep->logs.at[0]), val;
	if (flat) {
		Subs dims = sub_type(like).dims;
		Sub from = b_index(b, sub_var(keep->logs.at[1]), subs_of(1, i));
		Slices at = {NEW(DimSlice, false, from, b_product(b, dims), sub_i64(1)), 1};
		val = b_reshape(b, dims, b_slice(b, log, at));
	} else {
		val = b_index(b, log, subs_of(1, i));
	}
	return t.unique && t.dims.len ? b_copy(b, val) : val;
}

static void bind_wanted(Vjp *v, Back *r, Level *l, int at, Sub trips, const Sub *later)
{
	const Stm *s = &l->body->stms.at[at];
	const Exp *e = r->e;
	Build *b = v->b;
	LoopPlan *p = plan_of(l, at);
	Varying w;
	varying_init(&w, v, s);
	for (int i = 0; i < e->loop.params.len; i++) {
		Cell *c = cell_of(v, e->loop.params.at[i]);
		Var after;
		if (p->partly[i]) {
			back_param(r, r->state[i], later[i]);
			continue;
		}
		bool through = goes_through(v, p, i, &after);
		if (through)
			c = cell_of(v, after);
		if (!c->has_fwd || c->given)
			continue;
		Sub val;
		Type t = vars[e->loop.params.at[i].id].type;
		if (is_invariant(e, i)) {
			val = ret_sub(v, e->loop.inits.at[i]);
		} else if (r->undone[i]) {
			Type u = sub_type(later[i]);
			u.unique = true;
			Var state = var_new(name_of("state"), u);
			back_param(r, state, later[i]);
			val = through ? sub_var(state)
			              : undo_at(&w, e, i, r->i, sub_var(state),
			                        subs_of_vars(p->undo[i].logs));
		} else if (growth_of(&w, e, i)) {
			val = part_of_last(b, later[i], growth_of(&w, e, i), c->fwd);
			val = t.unique ? b_copy(b, val) : val;
		} else {
			val = kept_value(v, p, i, e->loop.params.at[i], type_varies(&w, t), trips,
			                 r->i, c->fwd);
		}
		b_name(b, c->fwd.var, val);
		Sub next = e->loop.body.res.at[i];
		if (p->after[i] && cell_of(v, next.var)->given)
			b_name(b, cell_of(v, next.var)->fwd.var,
			       kept_value(v, p, i, e->loop.params.at[i], false, trips,
			                  b_add(b, r->i, sub_i64(1)), c->fwd));
	}
}

void back_end(Vjp *v, Back *r, Level *l, const Stm *s, Subs out)
{
	int at = 0, n = r->e->loop.params.len;
	for (int i = 0; i < n; i++)
		at += r->carried[i];
	int adj = at;
	for (int i = 0; i < n; i++)
		at += r->active[i];
	for EACH(Var, f, r->free)
		adj_set(v, *f, (Adj){adj_get(v, *f).kind, out.at[at++], true});
	for (int i = 0; i < n; i++) {
		adj_take(v, s->pat.at[i]);
		if (r->active[i])
			adj_pass(v, r->e->loop.inits.at[i], vars[r->e->loop.params.at[i].id].type,
			         out.at[adj++], true);
	}
	for (int i = 0; i < n; i++) {
		if (!r->undone[i])
			continue;
		Sub init = r->e->loop.inits.at[i];
		Cell *c = init.kind == S_VAR ? cell_of(v, init.var) : NULL;
		VEC_PUSH(&l->restored, alias_class(&v->alias, s->pat.at[i]));
		if (c && c->level == l && !plan_of(l, s - l->body->stms.at)->partly[i]) {
			c->ret = out.at[at];
			c->has_ret = true;
		}
		at++;
	}
}

// The body begins with i = last - j, for the counter j.
static Var backwards(Body *body, Var i, Sub last)
{
	Var j = var_i64("j");
	VEC(Stm) stms = {0};
	Build b = {0};
	b_open(&b);
	b_stm(&b, vars_of(1, i), EXP(prim, P_sub, PT_I64, {last, sub_var(j)}));
	Body first = b_close(&b, (Subs){0});
	VEC_APPEND(&stms, first.stms);
	VEC_APPEND(&stms, body->stms);
	body->stms = VEC_SLICE(Stms, stms);
	return j;
}

// Arrays that are carried along, with some of their updates taken back.
static void carry_partly(Vjp *v, Back *r, Level *l, int at, Sub trips, Map *settled)
{
	const Stm *s = &l->body->stms.at[at];
	LoopPlan *p = plan_of(l, at);
	for (int k = 0; k < r->e->loop.params.len; k++) {
		Type t = vars[r->e->loop.params.at[k].id].type;
		if (r->e->loop.is_while || t.kind != T_DATA || !t.unique || !t.dims.len ||
		    is_invariant(r->e, k) ||
		    map_get(&v->settled, var_key(r->e->loop.params.at[k])) ||
		    map_get(&v->values, var_key(r->e->loop.params.at[k])))
			continue;
		t = ret_type(v, t);
		t.unique = true;
		r->state[k] = var_new(name_of("state"), t);
		if (settle_partly(v, l, s, k, r->state[k], settled)) {
			p->partly[k] = true;
			want_undo(v, l, at, k, trips);
		}
	}
}

Vars back_names(Vjp *v, const Back *r)
{
	Vars pat = {NEW_ARRAY(Var, r->params.len + 1), r->params.len};
	Copier names = {.v = v};
	for (int i = 0; i < r->params.len; i++) {
		Type t = type_plain(copied_type(&names, vars[r->params.at[i].id].type));
		pat.at[i] = var_new(name_of("adj"), t);
		copy_name(&names, r->params.at[i], sub_var(pat.at[i]));
	}
	return pat;
}

// ---- All states ----

void rev_loop(Vjp *v, Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	Build *b = v->b;
	Sub most;
	if (snapshots_of(s->exp, &most)) {
		rev_blocks(v, l, at, most);
		return;
	}
	Back r;
	if (!back_begin(v, s->exp, &r))
		return;
	Sub trips = back_trips(v, l, at), last = b_sub(b, trips, sub_i64(1));
	back_adjoints(v, &r, s);
	Map settled = settle_intact(v, l, s);
	carry_partly(v, &r, l, at, trips, &settled);
	settle_firsts(v, l, s, &settled);
	Map values = settle_values(v, l, s);
	Var round = var_i64("i");
	b_open(b);
	r.i = sub_var(round);
	Sub index = s->exp->loop.is_while ? r.i
	          : b_convert(b, vars[s->exp->loop.i.id].type.elem, r.i);
	Level *body = NEW(Level, .depth = 0);
	level_begin(v, body, &s->exp->loop.body, false);
	body->loop = NEW(LoopAround, s, l, at, trips, r.i);
	for EACH(Var, p, s->exp->loop.params) {
		cell_enter(v, body, *p, -1);
		cell_of(v, *p)->owned = vars[p->id].type.unique;
	}
	if (!s->exp->loop.is_while)
		cell_name(v, body, s->exp->loop.i, index, false);
	back_seed(v, &r);
	level_reverse(v, body);
	back_results(v, &r);
	carry_updated(v, &r, l, at, trips);
	saves_close(v, plan_of(l, at), trips);
	level_close(v, body);
	Sub *later = NEW_ARRAY(Sub, s->pat.len + 1);
	Varying w;
	varying_init(&w, v, s);
	for (int i = 0; i < s->pat.len; i++)
		if (r.undone[i] || (cell_of(v, r.e->loop.params.at[i])->has_fwd &&
		                    growth_of(&w, r.e, i)))
			later[i] = ret_var(v, s->pat.at[i]);
	bind_wanted(v, &r, l, at, trips, later);
	level_emit(v, body);
	Body done = b_close(b, VEC_SLICE(Subs, r.res));
	sum_in_any_order(&done, VEC_SLICE(Vars, r.params));
	Var counter = in_any_order(v, &r, &done, round) ? round : backwards(&done, round, last);
	Vars pat = back_names(v, &r);
	b_stm(b, pat, EXP(loop, .params = VEC_SLICE(Vars, r.params),
	      .inits = VEC_SLICE(Subs, r.inits), .i = counter, .n = trips, .body = done));
	back_end(v, &r, l, s, subs_of_vars(pat));
	unsettle(v, &settled);
	unsettle_values(v, &values);
}

// ---- Values and adjoints in one loop, see vjp_both.c ----

static bool may_go_forwards(const Exp *e)
{
	for EACH(Var, p, e->loop.params)
		if (vars[p->id].type.dims.len || vars[p->id].type.kind != T_DATA)
			return false;
	return !e->loop.is_while;
}

void rev_loop_both(Vjp *v, Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	const Exp *e = s->exp;
	Build *b = v->b;
	Back r;
	Body rest;
	int n = e->loop.params.len;
	if (!back_begin(v, e, &r) || !may_go_forwards(e) || !by_return(v, l, at, &rest)) {
		v->failed = true;
		rev_loop(v, l, at);
		return;
	}
	back_adjoints(v, &r, s);
	Sub trips = ret_sub(v, e->loop.n);
	Subs inits = ret_subs(v, e->loop.inits);
	Vars names = value_names(v, s);
	Var i = var_new(name_of("i"), vars[e->loop.i.id].type);
	b_open(b);
	Level *body = NEW(Level, .depth = 0);
	level_begin(v, body, &e->loop.body, false);
	Vars params = {NEW_ARRAY(Var, n + 1), n};
	for (int k = 0; k < n; k++) {
		cell_enter(v, body, e->loop.params.at[k], -1);
		params.at[k] = fwd_var(v, e->loop.params.at[k]).var;
	}
	cell_name(v, body, e->loop.i, sub_var(i), false);
	want_results(v, body);
	back_seed(v, &r);
	level_reverse(v, body);
	back_results(v, &r);
	Subs values = {NEW_ARRAY(Sub, n + 1), n};
	for (int k = 0; k < n; k++)
		values.at[k] = level_result(v, body, e->loop.body.res.at[k]);
	level_close(v, body);
	level_emit(v, body);
	Body done = b_close(b, subs_cat(VEC_SLICE(Subs, r.res), values));
	v->failed |= !in_any_order(v, &r, &done, i);
	Vars pat = {NEW_ARRAY(Var, r.params.len + 1), r.params.len};
	for (int k = 0; k < r.params.len; k++) {
		Type t = type_plain(vars[r.params.at[k].id].type);
		pat.at[k] = var_new(name_of("adj"), t);
	}
	b_stm(b, vars_cat(pat, names), EXP(loop, .params = vars_cat(VEC_SLICE(Vars, r.params),
	                                                            params),
	                                   .inits = subs_cat(VEC_SLICE(Subs, r.inits), inits),
	                                   .i = i, .n = trips, .body = done));
	back_end(v, &r, l, s, subs_of_vars(pat));
	emit_rest(v, &rest);
}
