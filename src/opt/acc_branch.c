// Interchanges a branch with a map inside it that updates accumulators:
//
//     a2 = if c then {a} else {                     w1 = if c then {0} else {w = f x  in w}
//       w = f x                                     a2 = screma m (ys, a) map=\(y, b) ->
//       a1 = screma m (ys, a) map=\(y, b) ->   ->          if c then {b} else {
//              upd_acc b [j] (w * y)                         upd_acc b [j] (w1 * y)
//       in a1                                              }
//     }
//
// The update can then be moved out of the branch, and becomes a reduction or a matrix product, as
// if there were no branch (acc_lift.c, acc.c).
//
// Requires: the map is the only statement of the branch that uses accumulators, and takes only
// scalars and row numbers from the branch.  The caller ensures that the branch is usually taken,
// since the condition is now tested in each row of the map.
//
// Ensures: equal results; once the updates are moved out of the branch, zeros are added where it is
// not taken.
#include "opt/acc.h"

typedef struct {
	Map bound;                              // variables that the branch binds
	VEC(Var) scalars;                       // those that the map mentions
	bool fails;
} Mentions;

static void note_mention(Visit *v, Sub *s)
{
	Mentions *m = v->ctx;
	if (s->kind != S_VAR || !map_has(&m->bound, var_key(s->var)))
		return;
	Type t = sub_type(*s);
	m->fails |= t.kind != T_DATA || t.dims.len;
	for EACH(Var, x, m->scalars)
		if (x->id == s->var.id)
			return;
	VEC_PUSH(&m->scalars, s->var);
}

static bool is_numbers(const Stm *s)
{
	return is_count(s->exp) && !s->certs.len;
}

// What the branch binds before the map; row numbers can be made outside of it.
static bool note_bound(Mentions *m, const Body *b)
{
	for (int i = 0; i + 1 < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (vars_have_acc(s->pat))
			return false;
		if (is_numbers(s) && (s->exp->iota.n.kind == S_CONST ||
		                      !map_has(&m->bound, var_key(s->exp->iota.n.var))))
			continue;
		for EACH(Var, x, s->pat)
			map_put(&m->bound, var_key(*x), m);
	}
	return true;
}

// Which accumulator each result of the map is, by its inputs; false: it gives something else, or
// the branch changes one in another way.
static bool match_results(const Stm *s, const Stm *map, int *inputs, Vars pat)
{
	const Exp *e = s->exp;
	if (map->pat.len != s->pat.len)
		return false;
	for (int i = 0; i < map->pat.len; i++) {
		Type t = vars[map->pat.at[i].id].type;
		Subs arrs = map->exp->screma.arrs;
		int at = t.kind == T_ACC ? subs_find_acc(arrs, t.acc->token) : -1, k = 0;
		while (k < s->pat.len && !sub_eq(e->if_.no.res.at[k], sub_var(map->pat.at[i])))
			k++;
		if (at < 0 || k == s->pat.len ||
		    !sub_eq(e->if_.yes.res.at[k], arrs.at[at]))
			return false;
		inputs[i] = at;
		pat.at[i] = s->pat.at[k];
	}
	return true;
}

// The branch, for one row.
static Lambda *asking(Build *b, Sub cond, const Lambda *f, const int *inputs)
{
	Lambda *out = mem_dup(f, sizeof *f);
	int n = f->body.res.len;
	Subs same = {NEW_ARRAY(Sub, n), n};
	Vars pat = {NEW_ARRAY(Var, n), n};
	for (int i = 0; i < n; i++) {
		Var acc = f->params.at[inputs[i]];
		same.at[i] = sub_var(acc);
		pat.at[i] = var_new(vars[acc.id].hint, vars[acc.id].type);
	}
	b_open(b);
	b_emit(b, (Stm){.pat = pat, .exp = EXP(if_, cond, {.res = same}, f->body)});
	out->body = b_close(b, subs_of_vars(pat));
	return out;
}

// What the map mentions is computed before it, where the branch is taken.
static Stm computing(const Stm *s, Vars scalars, Stms stms, Map *names)
{
	Vars pat = {NEW_ARRAY(Var, scalars.len), scalars.len};
	Subs zeros = {NEW_ARRAY(Sub, scalars.len), scalars.len};
	for (int i = 0; i < scalars.len; i++) {
		Type t = vars[scalars.at[i].id].type;
		pat.at[i] = var_new(vars[scalars.at[i].id].hint, t);
		zeros.at[i] = sub_const(scalar_int(t.elem, 0));
		map_put(names, var_key(scalars.at[i]), NEW(Sub, .kind = S_VAR, .var = pat.at[i]));
	}
	Body no = {.stms = stms, .res = subs_of_vars(scalars)};
	return (Stm){.pat = pat, .where = s->where,
	             .exp = EXP(if_, s->exp->if_.cond, {.res = zeros}, no)};
}

bool branch_in_map(Build *b, const Stm *s, StmVec *before, Stm *out)
{
	const Exp *e = s->exp;
	if (e->form != E_if_ || e->if_.yes.stms.len || !e->if_.no.stms.len || s->certs.len)
		return false;
	const Body *no = &e->if_.no;
	const Stm *map = &no->stms.at[no->stms.len - 1];
	Mentions m = {0};
	int *inputs = NEW_ARRAY(int, s->pat.len);
	Vars pat = {NEW_ARRAY(Var, s->pat.len), s->pat.len};
	if (map->exp->form != E_screma || map->exp->screma.scans.len || map->exp->screma.reds.len ||
	    !match_results(s, map, inputs, pat) || !note_bound(&m, no))
		return false;
	Visit v = {.sub = note_mention, .ctx = &m};
	stm_walk(map, &v);
	Subs direct = subs_cat(map->exp->screma.arrs, subs_of(1, map->exp->screma.n));
	for EACH(Sub, x, direct)
		m.fails |= x->kind == S_VAR && map_has(&m.bound, var_key(x->var));
	if (m.fails || !m.scalars.len)
		return false;
	VEC(Stm) stay = {0};
	for (int i = 0; i + 1 < no->stms.len; i++)
		if (map_has(&m.bound, var_key(no->stms.at[i].pat.at[0])))
			VEC_PUSH(&stay, no->stms.at[i]);
		else
			VEC_PUSH(before, no->stms.at[i]);
	Map names = {0};
	Stm compute = computing(s, VEC_SLICE(Vars, m.scalars), VEC_SLICE(Stms, stay), &names);
	VEC_PUSH(before, compute);
	Lambda *f = mem_dup(map->exp->screma.map, sizeof *f);
	f->body = body_subst(f->body, &names);
	*out = *map;
	out->pat = pat;
	out->exp = exp_dup(map->exp);
	out->exp->screma.map = asking(b, e->if_.cond, f, inputs);
	return true;
}
