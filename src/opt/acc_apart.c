// Takes arrays that a nest gives besides its updates of accumulators out of the nest:
//
//     (a, v) = withacc zs \acc ->                      v = screma d (xs) map=\x ->
//       screma d (xs, ws, acc) map=\(x, w, acc) ->           screma h (ys) map=\y -> x * y
//         screma h (w, ys, is, acc)               ->   a = withacc zs \acc ->
//           map=\(u, y, i, acc) ->                           screma d (xs, ws, acc) ..
//             upd_acc acc [i] (x * u), x * y                     upd_acc acc [i] (x * u)
//
// Such nests are adjoints of products: the sum is the adjoint of a vector, and the array is added
// to that of a matrix.  Fusion does not reach into a nest with updates, which keep their order.
// Apart, the array is computed where it is used, and nothing but the sum is left of the nest.
//
// Requires: the array has one use, which is an input of a combinator.  What the updates need too is
// done twice, so its elements are a few cheap operations; other scalars of a row become an array of
// their own, which has a dimension less.
//
// Ensures: equal results.
#include "opt/acc.h"

enum { MOST_STEPS = 8 };                        // of an element

static bool is_acc_type(Type t)
{
	return t.kind == T_ACC || t.kind == T_CERT;
}

// ---- What an array needs of the nest ----

typedef struct {
	Map needed;
	VEC(Var) kept;                          // scalars of the outermost rows that the nest keeps
	int steps, level;
	bool fails;
} Apart;

static void need_operand(Visit *v, Sub *s)
{
	Apart *a = v->ctx;
	if (s->kind == S_VAR)
		map_put(&a->needed, var_key(s->var), a);
}

static bool is_needed(const Apart *a, const Stm *s)
{
	for EACH(Var, x, s->pat)
		if (map_has(&a->needed, var_key(*x)))
			return true;
	return false;
}

static bool is_step(const Stm *s)
{
	const Exp *e = s->exp;
	return !s->certs.len && (e->form == E_atom || e->form == E_convert ||
	       (e->form == E_prim && !prim_is_function(e->prim.op) &&
	        !prim_can_fail(e->prim.op, e->prim.at)));
}

static Exp *map_apart(Apart *, const Stm *);

// Leaves the statement where it is; rows of the new nest get what they need of it.
static bool keep_scalars(Apart *a, const Stm *s)
{
	if (a->level != 1)
		return false;
	for EACH(Var, x, s->pat) {
		if (!map_has(&a->needed, var_key(*x)))
			continue;
		if (!type_is_scalar(vars[x->id].type))
			return false;
		VEC_PUSH(&a->kept, *x);
	}
	return true;
}

// Of the statements those that the needed results come from, without accumulators.
static Body body_apart(Apart *a, const Body *b, Subs res)
{
	VEC(Stm) kept = {0};
	Visit need = {.sub = need_operand, .ctx = a};
	for EACH(Sub, r, res)
		need_operand(&need, r);
	for (int i = b->stms.len; i-- > 0 && !a->fails;) {
		Stm s = b->stms.at[i];
		if (!is_needed(a, &s))
			continue;
		bool step = is_step(&s) && a->steps < MOST_STEPS;
		a->steps += step;
		if (is_map(s.exp)) {
			s.exp = map_apart(a, &s);
		} else if (!step) {
			a->fails |= !keep_scalars(a, &s);
			continue;
		}
		if (a->fails)
			break;
		VEC(Var) pat = {0};
		for EACH(Var, x, s.pat)
			if (map_has(&a->needed, var_key(*x)))
				VEC_PUSH(&pat, *x);
		s.pat = VEC_SLICE(Vars, pat);
		stm_walk(&s, &need);
		VEC_PUSH(&kept, s);
	}
	Stms stms = {NEW_ARRAY(Stm, kept.len), kept.len};
	for (int i = 0; i < kept.len; i++)
		stms.at[i] = kept.at[kept.len - 1 - i];
	return (Body){stms, res};
}

// The map with the needed ones of its results alone.
static Exp *map_apart(Apart *a, const Stm *s)
{
	const Exp *e = s->exp;
	const Lambda *l = e->screma.map;
	a->fails |= s->certs.len > 0;
	SubVec res = {0}, arrs = {0};
	VEC(Var) params = {0};
	VEC(Type) ret = {0};
	for (int i = 0; i < s->pat.len && !a->fails; i++) {
		if (!map_has(&a->needed, var_key(s->pat.at[i])))
			continue;
		a->fails |= is_acc_type(l->ret.at[i]);
		VEC_PUSH(&res, l->body.res.at[i]);
		VEC_PUSH(&ret, l->ret.at[i]);
	}
	if (a->fails)
		return NULL;
	a->level++;
	Body body = body_apart(a, &l->body, VEC_SLICE(Subs, res));
	a->level--;
	for (int i = 0; i < l->params.len; i++) {
		if (!map_has(&a->needed, var_key(l->params.at[i])))
			continue;
		a->fails |= is_acc_type(vars[l->params.at[i].id].type);
		VEC_PUSH(&params, l->params.at[i]);
		VEC_PUSH(&arrs, e->screma.arrs.at[i]);
	}
	Lambda *f = NEW(Lambda, .params = VEC_SLICE(Vars, params), .ret = VEC_SLICE(Types, ret),
	                .body = body);
	return EXP(screma, .n = e->screma.n, .arrs = VEC_SLICE(Subs, arrs), .map = f);
}

// ---- The withacc ----

static bool binds(const Body *b, Vars free)
{
	Map bound = {0};
	for EACH(Stm, s, b->stms)
		vars_put(&bound, s->pat, &bound);
	for EACH(Var, x, free)
		if (map_has(&bound, var_key(*x)))
			return true;
	return false;
}

// Result r of the withacc's function, which its pattern names v.
typedef struct { Stm *with; Sub r; Var v; Apart apart; } Taken;

// One more result: the values of a scalar, of all rows of the map that gives r.
static Sub give_scalars(Taken *t, Var x)
{
	Stm *with = t->with;
	Exp *e = with->exp = exp_dup(with->exp);
	Lambda *fn = e->withacc.fn = mem_dup(e->withacc.fn, sizeof *fn);
	fn->body.stms = SLICE_DUP(Stms, fn->body.stms);
	int at = (int)(stm_in(&fn->body, t->r) - fn->body.stms.at);
	Stm *map = &fn->body.stms.at[at];
	map->exp = exp_dup(map->exp);
	Lambda *row = map->exp->screma.map = mem_dup(map->exp->screma.map, sizeof *row);
	Type all = type_of_rows(map->exp->screma.n, type_plain(vars[x.id].type));
	Var inner = var_new(vars[x.id].hint, all), outer = var_new(vars[x.id].hint, all);
	INSERTED(Subs, Sub, row->body.res, row->body.res.len, sub_var(x));
	INSERTED(Types, Type, row->ret, row->ret.len, type_plain(vars[x.id].type));
	INSERTED(Vars, Var, map->pat, map->pat.len, inner);
	INSERTED(Subs, Sub, fn->body.res, fn->body.res.len, sub_var(inner));
	INSERTED(Types, Type, fn->ret, fn->ret.len, all);
	INSERTED(Vars, Var, with->pat, with->pat.len, outer);
	return sub_var(outer);
}

// The nest that gives r, or NULL.
static Exp *nest_apart(Taken *t, Alias *alias)
{
	const Lambda *fn = t->with->exp->withacc.fn;
	const Stm *s = stm_in(&fn->body, t->r);
	if (!s || !is_map(s->exp))
		return NULL;
	map_put(&t->apart.needed, var_key(t->r.var), t);
	Exp *e = map_apart(&t->apart, s);
	if (t->apart.fails || !(e->screma.arrs.len + t->apart.kept.len))
		return NULL;
	Stm only = {.exp = e};
	Body one = {.stms = {&only, 1}};
	Vars free = free_in_body(&one);
	return binds(&fn->body, free) || overwrites(alias, t->with, free) ? NULL : e;
}

static Stm take_apart(Taken *t, Exp *nest)
{
	Lambda *l = nest->screma.map;
	for EACH(Var, x, t->apart.kept) {
		Sub arr = give_scalars(t, *x);
		INSERTED(Subs, Sub, nest->screma.arrs, nest->screma.arrs.len, arr);
		INSERTED(Vars, Var, l->params, l->params.len, *x);
	}
	nest->screma.map = lambda_rename(l);
	return (Stm){.pat = vars_of(1, t->v), .where = t->with->where, .certs = t->with->certs,
	             .exp = nest};
}

bool arrays_apart(Stm *with, const InputUses *uses, Alias *alias, StmVec *after)
{
	const Lambda *fn = with->exp->withacc.fn;
	int n = with->exp->withacc.inputs.len, n_arrs = with->pat.len - (fn->body.res.len - n);
	bool changed = false;
	for (int k = n, end = fn->body.res.len; k < end; k++) {
		int at = n_arrs + k - n;
		Taken t = {.with = with, .r = fn->body.res.at[k], .v = with->pat.at[at]};
		if (t.r.kind != S_VAR || sub_type(t.r).kind != T_DATA ||
		    sub_type(t.r).dims.len < 2 || !is_only_input(uses, t.v))
			continue;
		Exp *nest = nest_apart(&t, alias);
		if (!nest || !may_rewrite())
			continue;
		with->pat = SLICE_DUP(Vars, with->pat);
		with->pat.at[at] = var_new(vars[t.v.id].hint, vars[t.v.id].type);
		VEC_PUSH(after, take_apart(&t, nest));
		changed = true;
	}
	return changed;
}

// ---- Uses ----

static void count_use(Visit *v, Sub *s)
{
	InputUses *u = v->ctx;
	if (s->kind == S_VAR && s->var.id < u->n)
		u->all[s->var.id]++;
}

static void count_uses(Visit *v, Body *b)
{
	InputUses *u = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		for (int i = 0; e->form == E_screma && i < e->screma.arrs.len; i++)
			if (e->screma.arrs.at[i].kind == S_VAR &&
			    e->screma.arrs.at[i].var.id < u->n)
				u->inputs[e->screma.arrs.at[i].var.id]++;
		stm_visit(s, v);
	}
	for EACH(Sub, r, b->res)
		count_use(v, r);
}

void note_input_uses(InputUses *u, Fun *f)
{
	Visit v = {.sub = count_use, .body = count_uses, .ctx = u};
	count_uses(&v, &f->body);
}

bool is_only_input(const InputUses *u, Var v)
{
	return v.id < u->n && u->all[v.id] == 1 && u->inputs[v.id] == 1;
}
