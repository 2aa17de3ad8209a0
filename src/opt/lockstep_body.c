// The function of a map for all lanes of a strip.  Part of the pass `lockstep`.
//
// Values that vary between lanes get one more dimension, the innermost, so that lanes are adjacent
// in memory: a scalar becomes an array [n_lanes], an array [d] one of [d][n_lanes].  Uniform
// control flow is unchanged.  Consecutive statements that compute scalars become one map over the
// lanes.
#include "opt/lockstep.h"

// ---- Values of all lanes ----

void set_wide(Lockstep *k, Var v, Sub values)
{
	map_put(&k->wide, var_key(v), mem_dup(&values, sizeof values));
}

static Sub lanes_of(const Lockstep *k)
{
	return sub_i64(k->n_lanes);
}

static Subs with_lanes(const Lockstep *k, Subs dims)
{
	return subs_cat(dims, subs_of(1, lanes_of(k)));
}

static Type wide_type(const Lockstep *k, Type t)
{
	Type wide = type_array(t.elem, with_lanes(k, t.dims));
	wide.unique = t.unique;
	return wide;
}

static Var wide_var(Lockstep *k, Var v)
{
	Var w = var_new(vars[v.id].hint, wide_type(k, vars[v.id].type));
	set_wide(k, v, sub_var(w));
	return w;
}

static Sub widen(Lockstep *k, Sub x)
{
	if (varies(k, x))
		return *(const Sub *)map_get(&k->wide, var_key(x.var));
	Sub all = b_replicate(&k->b, lanes_of(k), x);
	return sub_type(x).dims.len ? b_copy(&k->b, b_first_last(&k->b, all)) : all;
}

Subs widened(Lockstep *k, Subs xs)
{
	xs = SLICE_DUP(Subs, xs);
	for EACH(Sub, x, xs)
		*x = widen(k, *x);
	return xs;
}

// ---- Statements of single lanes ----

typedef struct { Lockstep *k; StmVec stms; } Group;

static void note_stm_operands(Map *seen, const Stm *s)
{
	Visit v = {.sub = note_operand, .ctx = seen};
	stm_walk(s, &v);
}

// What the statements from `next` on and the results need.
static Map needed_later(const Body *b, int next)
{
	Map needed = {0};
	for (int i = next; i < b->stms.len; i++)
		note_stm_operands(&needed, &b->stms.at[i]);
	for EACH(Sub, x, b->res)
		if (x->kind == S_VAR)
			map_put(&needed, var_key(x->var), &needed);
	return needed;
}

// A lane that fails is found by an assertion in its own group; later groups that rely on it
// make it again, of the same values.
static Stms with_assertions(Lockstep *k, Stms stms, Map *to)
{
	StmVec all = {0};
	Body b = {.stms = stms};
	Vars needs = free_in_body(&b);
	for EACH(Var, v, needs) {
		const Stm *made = map_get(&k->asserts, var_key(*v));
		if (!made)
			continue;
		Stm again = *made;
		again.pat = vars_of(1, var_rename(to, *v));
		again.certs = (Vars){0};
		VEC_PUSH(&all, again);
	}
	VEC_APPEND(&all, stms);
	return VEC_SLICE(Stms, all);
}

// Notes the assertions among the statements; what those are made of that later groups rely on is
// needed later, too.
static void note_assertions(Lockstep *k, Stms stms, Map *needed)
{
	for EACH(Stm, s, stms) {
		if (s->exp->form != E_assert_)
			continue;
		map_put(&k->asserts, var_key(s->pat.at[0]), (void *)s);
		if (map_has(needed, var_key(s->pat.at[0])))
			note_stm_operands(needed, s);
	}
}

static Vars group_results(Stms stms, const Map *needed)
{
	VEC(Var) res = {0};
	for EACH(Stm, s, stms)
		for EACH(Var, v, s->pat)
			if (map_has(needed, var_key(*v)) && vars[v->id].type.kind == T_DATA)
				VEC_PUSH(&res, *v);
	return VEC_SLICE(Vars, res);
}

// One map over the lanes: of scalars it takes the lane's own, of arrays what is at the lane.
static void emit_group(Lockstep *k, Stms stms, Map *needed)
{
	if (!stms.len)
		return;
	note_assertions(k, stms, needed);
	Vars res = group_results(stms, needed);
	Map to = {0};
	Body body = {.stms = with_assertions(k, stms, &to), .res = subs_of_vars(res)};
	VEC(Var) params = {0};
	VEC(Sub) arrs = {0};
	Sub lanes = b_iota(&k->b, lanes_of(k));
	Var lane = var_i64("lane");
	VEC_PUSH(&params, lane);
	VEC_PUSH(&arrs, lanes);
	Vars needs = free_in_body(&body);
	b_open(&k->b);
	for EACH(Var, v, needs) {
		Type t = vars[v->id].type;
		if (!varies(k, sub_var(*v)) || t.kind != T_DATA)
			continue;
		Sub all = widen(k, sub_var(*v));
		if (t.dims.len) {
			Slices at = slices_at((Subs){0}, sub_type(all).dims);
			at.at[at.len - 1] = dim_at(sub_var(lane));
			subst_put(&to, *v, b_slice(&k->b, all, at));
		} else {
			VEC_PUSH(&params, var_rename(&to, *v));
			VEC_PUSH(&arrs, all);
		}
	}
	body = body_subst(body, &to);
	b_emit_all(&k->b, body.stms);
	Lambda *f = b_lambda(&k->b, VEC_SLICE(Vars, params), body.res);
	Subs out = b_map(&k->b, lanes_of(k), VEC_SLICE(Subs, arrs), f);
	for (int i = 0; i < res.len; i++)
		set_wide(k, res.at[i], out.at[i]);
}

// ---- Statements for all lanes ----

// The pattern, with what varies in all lanes.
static Vars wide_pattern(Lockstep *k, Vars pat)
{
	pat = SLICE_DUP(Vars, pat);
	for EACH(Var, v, pat)
		if (varies(k, sub_var(*v)))
			*v = wide_var(k, *v);
	return pat;
}

// Results of which those are widened that belong to a variable that varies.
static Subs results_for(Lockstep *k, Subs res, Vars of)
{
	res = SLICE_DUP(Subs, res);
	for (int i = 0; i < res.len; i++)
		if (varies(k, sub_var(of.at[i])))
			res.at[i] = widen(k, res.at[i]);
	return res;
}

static Body wide_body(Lockstep *k, const Body *b, Vars of)
{
	b_open(&k->b);
	emit_steps(k, b);
	return b_close(&k->b, results_for(k, b->res, of));
}

static Exp *wide_map(Lockstep *k, const Exp *e)
{
	Subs arrs = SLICE_DUP(Subs, e->screma.arrs);
	Vars params = SLICE_DUP(Vars, e->screma.map->params);
	for (int i = 0; i < arrs.len; i++)
		if (varies(k, arrs.at[i])) {
			arrs.at[i] = widen(k, arrs.at[i]);
			params.at[i] = wide_var(k, params.at[i]);
		}
	b_open(&k->b);
	emit_steps(k, &e->screma.map->body);
	Subs res = widened(k, e->screma.map->body.res);
	return EXP(screma, .n = e->screma.n, .arrs = arrs, .map = b_lambda(&k->b, params, res));
}

static Exp *wide_loop(Lockstep *k, const Exp *e)
{
	Exp *out = exp_dup(e);
	out->loop.inits = results_for(k, e->loop.inits, e->loop.params);
	out->loop.params = wide_pattern(k, e->loop.params);
	out->loop.body = wide_body(k, &e->loop.body, e->loop.params);
	return out;
}

static Exp *wide_if(Lockstep *k, const Stm *s)
{
	Exp *out = exp_dup(s->exp);
	out->if_.yes = wide_body(k, &s->exp->if_.yes, s->pat);
	out->if_.no = wide_body(k, &s->exp->if_.no, s->pat);
	return out;
}

static Slices lane_slices(const Lockstep *k, Slices at)
{
	return slices_and(at, dim_whole(lanes_of(k)));
}

static Exp *wide_exp(Lockstep *k, const Exp *e)
{
	Exp *out = exp_dup(e);
	switch (e->form) {
	case E_atom:
		out->atom.x = widen(k, e->atom.x);
		break;
	case E_slice:
		out->slice.arr = widen(k, e->slice.arr);
		out->slice.at = lane_slices(k, e->slice.at);
		break;
	case E_update:
		out->update.arr = widen(k, e->update.arr);
		out->update.at = lane_slices(k, e->update.at);
		out->update.val = widen(k, e->update.val);
		break;
	case E_replicate:
		out->replicate.x = widen(k, e->replicate.x);
		break;
	case E_reshape:
		out->reshape.arr = widen(k, e->reshape.arr);
		out->reshape.dims = with_lanes(k, e->reshape.dims);
		break;
	case E_rearrange: {
		int rank = e->rearrange.perm.len;
		out->rearrange.arr = widen(k, e->rearrange.arr);
		out->rearrange.perm.at = NEW_ARRAY(int, rank + 1);
		memcpy(out->rearrange.perm.at, e->rearrange.perm.at, sizeof(int) * (size_t)rank);
		out->rearrange.perm.at[rank] = rank;
		out->rearrange.perm.len = rank + 1;
		break;
	}
	case E_copy:
		out->copy.arr = widen(k, e->copy.arr);
		break;
	case E_array:
		out->array.elems = widened(k, e->array.elems);
		out->array.elem_type = wide_type(k, e->array.elem_type);
		break;
	case E_concat:
		out->concat.arrs = widened(k, e->concat.arrs);
		break;
	default:
		bug("lockstep: %s for all lanes", form_name[e->form]);
	}
	return out;
}

static void emit_wide(Lockstep *k, const Stm *s, Step step)
{
	Stm t = *s;
	t.exp = step == STEP_MAP    ? wide_map(k, s->exp)
	      : step == STEP_LOOP ? wide_loop(k, s->exp)
	      : step == STEP_IF   ? wide_if(k, s)
	                            : wide_exp(k, s->exp);
	t.pat = wide_pattern(k, s->pat);
	b_emit(&k->b, t);
}

// What all lanes share does not need what they have of their own: it may come first.
void emit_steps(Lockstep *k, const Body *b)
{
	Step *steps = steps_of(k, b);
	StmVec group = {0};
	bool rough = false;
	for (int i = 0; i <= b->stms.len; i++) {
		const Stm *s = i < b->stms.len ? &b->stms.at[i] : NULL;
		bool in_lanes = s && steps[i] == STEP_LANES;
		if (s && steps[i] == STEP_SHARED) {
			b_emit(&k->b, *s);
			continue;
		}
		if (!in_lanes || is_rough(k, s) != rough) {
			Map needed = needed_later(b, i);
			emit_group(k, VEC_SLICE(Stms, group), &needed);
			group = (StmVec){0};
		}
		if (in_lanes) {
			rough = is_rough(k, s);
			VEC_PUSH(&group, *s);
		} else if (s) {
			emit_wide(k, s, steps[i]);
		}
	}
}
