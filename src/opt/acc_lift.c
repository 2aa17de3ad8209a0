// Moves accumulator updates out of branches, and turns loops that only update accumulators into
// maps.
//
//     a2 = if c then {                                  v1 = if c then {.. in v} else {0}
//            ..                                    ->   a2 = upd_acc a [j] (v1)
//            a1 = upd_acc a [j] (v)  in a1
//          } else {a}
//
//     a1 = loop (a = a0) for j < m do {                 a1 = screma m (iota m, a0) map=\(j, a) ->
//            upd_acc a [j] (f j)                   ->          upd_acc a [j] (f j)
//          }
//
// Reverse mode generates such code for masked sums and for sums written as loops.  The rewrite
// applies only if it is then known which element each iteration updates (plan_site): summed updates
// can become a reduction, here or in a back end, and updates of distinct elements a map, unless the
// map would only create one more array to be added.  The computation stays inside the branch, so
// one update per iteration costs no more than the test of the condition.  A branch around a whole
// map is left alone, because zeros for all of its rows might cost far more than the branch, unless
// it is for all pairs of rows but those of one with itself (acc_branch.c).  So are loops whose
// iterations allocate arrays, since a map would keep all of them live at once.
//
// Updates of the same element in several branches are merged into one.
//
// Requires: sums of scalars.  Ensures: the same sums.
#include "opt/acc.h"

typedef struct {
	Build b;
	AccDefs *defs;                          // learns of the numbers of rows that are made
	Map tokens;                             // of the accumulators that are sums
	int skip;                               // so many updates before are left as they are
	Var token;                     // what is taken out of branches: updates of this accumulator
	Subs idx;                               // at this place
	Map inside;                             // variables bound in the branches
	Var made;                               // the pattern of the update that comes of it
	bool loops;                             // loops around it became maps
	Map rows;                               // variables that are numbers of rows
} Lift;

static bool is_branch(const Exp *e)
{
	return n_branches(e) > 0;
}

// ---- Out of branches ----

static bool is_update(const Lift *l, const Exp *e, Var token, Subs idx)
{
	if (e->form != E_upd_acc || sub_type(e->upd_acc.acc).acc->token.id != token.id ||
	    e->upd_acc.vals.len != 1 || !subs_eq(e->upd_acc.idx, idx))
		return false;
	for EACH(Sub, i, idx)
		if (i->kind == S_VAR && map_has(&l->inside, var_key(i->var)))
			return false;
	return true;
}

static Sub take_stm(Lift *, Stm *);

// In what follows, the accumulator is what it was before.
static void rename_acc(Map *names, Var from, Sub to)
{
	const Sub *before = to.kind == S_VAR ? map_get(names, var_key(to.var)) : NULL;
	map_put(names, var_key(from), before ? (void *)before : mem_dup(&to, sizeof to));
}

// The body without the updates; what they add is its last result.
static void take_body(Lift *l, Body *body, PrimType type)
{
	Sub sum = sub_const(scalar_int(type, 0));
	bool first = true;
	Map names = {0};
	b_open(&l->b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		if (is_update(l, t.exp, l->token, l->idx)) {
			Var v = var_new(name_of("part"), type_scalar(type));
			b_emit(&l->b, (Stm){.pat = vars_of(1, v), .certs = t.certs,
			                    .where = t.where,
			                    .exp = EXP(atom, t.exp->upd_acc.vals.at[0])});
			rename_acc(&names, t.pat.at[0], t.exp->upd_acc.acc);
			sum = first ? sub_var(v) : b_add(&l->b, sum, sub_var(v));
			first = false;
		} else if (is_branch(t.exp) && vars_find_acc(t.pat, l->token) >= 0) {
			Var acc = t.pat.at[vars_find_acc(t.pat, l->token)];
			Sub same = take_stm(l, &t), v = sub_var(t.pat.at[t.pat.len - 1]);
			if (same.kind == S_VAR)
				rename_acc(&names, acc, same);
			b_emit(&l->b, t);
			sum = first ? v : b_add(&l->b, sum, v);
			first = false;
		} else {
			b_emit(&l->b, t);
		}
	}
	*body = body_subst(b_close(&l->b, subs_cat(body->res, subs_of(1, sum))), &names);
}

// Gives one more value, which is to be added at the place.  If all branches hand on the accumulator
// as it is, they do no more, and that is the result.
static Sub take_stm(Lift *l, Stm *s)
{
	int at = vars_find_acc(s->pat, l->token), n = n_branches(s->exp);
	PrimType type = vars[s->pat.at[at].id].type.acc->elems.at[0].elem;
	Exp *e = s->exp = choice_copy(s->exp);
	s->pat = vars_cat(s->pat, vars_of(1, var_new(name_of("part"), type_scalar(type))));
	for (int i = 0; i < n; i++)
		take_body(l, branch_at(e, i), type);
	Sub same = branch_at(e, 0)->res.at[at];
	for (int i = 0; i < n; i++)
		if (!sub_eq(branch_at(e, i)->res.at[at], same) ||
		    map_has(&l->inside, var_key(same.var)))
			return (Sub){0};
	for (int i = 0; i < n; i++) {
		Subs res = branch_at(e, i)->res;
		branch_at(e, i)->res =
			subs_cat(subs_part(res, 0, at), subs_part(res, at + 1, res.len - at - 1));
	}
	s->pat = vars_cat((Vars){s->pat.at, at}, (Vars){s->pat.at + at + 1, s->pat.len - at - 1});
	return same;
}

static void note_bound(Visit *v, Var *x)
{
	Lift *l = v->ctx;
	map_put(&l->inside, var_key(*x), l);
}

// The first update that is to be taken out of the branches.
static bool find_update(Lift *l, const Exp *e)
{
	for (int i = 0; i < n_branches(e); i++)
		for EACH(Stm, s, branch_at(e, i)->stms) {
			const Exp *u = s->exp;
			if (is_branch(u) && find_update(l, u))
				return true;
			if (u->form != E_upd_acc ||
			    !map_has(&l->tokens, var_key(sub_type(u->upd_acc.acc).acc->token)) ||
			    !is_update(l, u, sub_type(u->upd_acc.acc).acc->token, u->upd_acc.idx) ||
			    l->skip-- > 0)
				continue;
			l->token = sub_type(u->upd_acc.acc).acc->token;
			l->idx = u->upd_acc.idx;
			return true;
		}
	return false;
}

// Takes one update out of the branches of `t`: it is to follow.  False: there is none that can be.
static bool take_update(Lift *l, Stm *t, Stm *update)
{
	Visit v = {.bind = note_bound, .ctx = l};
	l->inside = (Map){0};
	exp_walk(t->exp, &v);
	if (!find_update(l, t->exp))
		return false;
	l->made = t->pat.at[vars_find_acc(t->pat, l->token)];
	Sub before = take_stm(l, t);
	if (before.kind != S_VAR) {
		VarInfo acc = vars[l->made.id];
		before = sub_var(var_new(acc.hint, acc.type));
		t->pat.at[vars_find_acc(t->pat, l->token)] = before.var;
	}
	*update = (Stm){.pat = vars_of(1, l->made), .where = t->where,
	                .exp = EXP(upd_acc, before, l->idx,
	                           subs_of(1, sub_var(t->pat.at[t->pat.len - 1])))};
	return true;
}

// Does it hold in at most one row of a dimension?  Row numbers of two of them are compared.
static bool is_diagonal(const Lift *l, Sub cond)
{
	const Exp *e = def_of(l->defs, cond);
	if (!e || e->form != E_prim || e->prim.op != P_eq)
		return false;
	for (int i = 0; i < 2; i++)
		if (e->prim.x[i].kind != S_VAR || !map_has(&l->rows, var_key(e->prim.x[i].var)))
			return false;
	return true;
}

static bool lift_lambda(Lift *, const Stm *, Lambda *, Stm *out);

static bool lift_from_map(Lift *l, const Stm *s)
{
	StmVec before = {0};
	Stm map, t;
	if (s->exp->form != E_if_ || !is_diagonal(l, s->exp->if_.cond) ||
	    !branch_in_map(&l->b, s, &before, &map) ||
	    !lift_lambda(l, &map, map.exp->screma.map, &t))
		return false;
	for EACH(Stm, x, before)
		b_emit(&l->b, *x);
	b_emit(&l->b, t);
	return true;
}

static bool lift_branch(Lift *l, const Stm *s)
{
	Stm t = *s, update;
	if (!take_update(l, &t, &update))
		return lift_from_map(l, s);
	b_emit(&l->b, t);
	b_emit(&l->b, update);
	return true;
}

// Computes numbers, which places may be, before the branches.  `inside`: what stays in them.
static void hoist_numbers(Lift *l, Exp **e)
{
	*e = choice_copy(*e);
	for (int i = 0; i < n_branches(*e); i++) {
		Body *branch = branch_at(*e, i);
		VEC(Stm) stay = {0};
		for EACH(Stm, s, branch->stms) {
			Stm t = *s;
			if (is_branch(t.exp)) {
				hoist_numbers(l, &t.exp);
			} else if (t.exp->form == E_prim && t.exp->prim.at == PT_I64 &&
			           !t.certs.len && !prim_can_fail(t.exp->prim.op, PT_I64) &&
			           !exp_mentions(t.exp, &l->inside)) {
				b_emit(&l->b, t);
				continue;
			}
			for EACH(Var, x, t.pat)
				map_put(&l->inside, var_key(*x), l);
			VEC_PUSH(&stay, t);
		}
		branch->stms = VEC_SLICE(Stms, stay);
	}
}

bool lift_all(Body *body, Var token)
{
	Lift l = {0};
	bool all = true;
	map_put(&l.tokens, var_key(token), &l);
	b_open(&l.b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s, update;
		VEC(Stm) updates = {0};
		if (is_branch(t.exp) && vars_find_acc(t.pat, token) >= 0) {
			l.inside = (Map){0};
			hoist_numbers(&l, &t.exp);
			for (l.skip = 0; all && vars_find_acc(t.pat, token) >= 0; l.skip = 0) {
				all = take_update(&l, &t, &update);
				VEC_PUSH(&updates, update);
			}
		}
		b_emit(&l.b, t);
		for (int i = updates.len; i-- > 0 && all;)
			b_emit(&l.b, updates.at[i]);
	}
	*body = b_close(&l.b, body->res);
	return all;
}

// ---- Loops ----

// Scalars and updates only.
static bool is_plain_stm(const Stm *s)
{
	const Exp *e = s->exp;
	for EACH(Var, x, s->pat)
		if (vars[x->id].type.dims.len)
			return false;
	if (has_attrs(s->attrs))
		return false;
	for (int i = 0; i < n_branches(e); i++)
		if (!body_all(branch_at(e, i), is_plain_stm))
			return false;
	if (is_branch(e))
		return true;
	return e->form == E_loop
	             ? body_all(&e->loop.body, is_plain_stm)
	             : !form_has(e->form, FORM_NEST) && e->form != E_call && !exp_has_effect(e);
}

// Does it hand on nothing but accumulators?
static bool only_adds(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || sub_type(e->loop.n).elem != PT_I64 ||
	    !is_plain_stm(s))
		return false;
	for (int i = 0; i < e->loop.params.len; i++)
		if (vars[e->loop.params.at[i].id].type.kind != T_ACC)
			return false;
	return true;
}

// A loop runs not at all if n is negative; sizes are not.
static Sub rows_of(Lift *l, const Exp *e)
{
	for EACH(Var, p, e->loop.params) {
		Subs space = vars[p->id].type.acc->space;
		for EACH(Sub, d, space)
			if (sub_eq(*d, e->loop.n))
				return e->loop.n;
	}
	return b_prim2(&l->b, P_max, e->loop.n, sub_i64(0));
}

static bool lift_body(Lift *, Body *);

static bool lift_loop(Lift *l, const Stm *s)
{
	const Exp *e = s->exp;
	Body body = e->loop.body;
	l->loops = true;
	if (!lift_body(l, &body))
		return false;
	Sub n = rows_of(l, e), rows = b_iota(&l->b, n);
	map_put(&l->defs->more, var_key(rows.var), EXP(iota, PT_I64, n, sub_i64(0), sub_i64(1)));
	Lambda *f = NEW(Lambda, .params = vars_cat(vars_of(1, e->loop.i), e->loop.params),
	                .body = body);
	f->ret = types_of_vars(e->loop.params);
	Stm t = *s;
	t.exp = EXP(screma, .n = n, .map = f, .arrs = subs_cat(subs_of(1, rows), e->loop.inits));
	b_emit(&l->b, t);
	return true;
}

// ---- One update ----

static void note_rows(Lift *l, const Exp *e)
{
	for (int i = 0; i < e->screma.arrs.len; i++)
		if (is_row_numbers(l->defs, e->screma.arrs.at[i]))
			map_put(&l->rows, var_key(e->screma.map->params.at[i]), l);
}

static bool lift_lambda(Lift *l, const Stm *s, Lambda *fn, Stm *out)
{
	if (s->exp->form == E_screma)
		note_rows(l, s->exp);
	Lambda *f = mem_dup(fn, sizeof *f);
	if (!lift_body(l, &f->body))
		return false;
	*out = *s;
	out->exp = exp_dup(s->exp);
	*(s->exp->form == E_screma ? &out->exp->screma.map : &out->exp->withacc.fn) = f;
	return true;
}

static bool lift_stm(Lift *l, const Stm *s)
{
	const Exp *e = s->exp;
	bool loops = l->loops, done = false;
	Stm t;
	if (is_branch(e))
		return lift_branch(l, s);
	if (e->form == E_upd_acc && loops &&
	    map_has(&l->tokens, var_key(sub_type(e->upd_acc.acc).acc->token)) && l->skip-- == 0) {
		l->made = s->pat.at[0];
		b_emit(&l->b, *s);
		return true;
	}
	if (only_adds(s))
		done = lift_loop(l, s);
	else if (e->form == E_screma || e->form == E_withacc)
		if ((done = lift_lambda(l, s, e->form == E_screma ? e->screma.map : e->withacc.fn,
		                        &t)))
			b_emit(&l->b, t);
	l->loops = loops;
	return done;
}

// Rewrites the first update that is not skipped; false: there is none.
static bool lift_body(Lift *l, Body *b)
{
	bool done = false;
	b_open(&l->b);
	for EACH(Stm, s, b->stms) {
		if (!done && (done = lift_stm(l, s)))
			continue;
		b_emit(&l->b, *s);
	}
	*b = b_close(&l->b, b->res);
	return done;
}

// ---- All that help ----

// Is the place known, and is there either something to sum, or would all elements be new?
static bool helps(const Lift *l, const Stm *with, int depth)
{
	Sites sites = sites_of(with);
	for EACH(Site, s, sites) {
		Plan plan;
		if (s->upd->pat.at[0].id == l->made.id)
			return plan_site(&plan, s, l->defs, depth) &&
			       (plan.outer != dims_below(s->dims.len) ||
			        is_zeros(l->defs,
			                 with->exp->withacc.inputs.at[s->input].arrs.at[0]));
	}
	return false;
}

bool lift_updates(Stm *with, AccDefs *defs, int depth)
{
	Lift l = {.defs = defs};
	const AccInputs *in = &with->exp->withacc.inputs;
	bool any = false;
	for (int i = 0; i < in->len; i++)
		if (acc_is_sum(&in->at[i]))
			map_put(&l.tokens, var_key(with->exp->withacc.fn->params.at[i]), defs);
	for (int n = 0;;) {
		Stm now;
		l.skip = n;
		l.loops = false;
		if (!lift_lambda(&l, with, with->exp->withacc.fn, &now))
			return any;
		if (!helps(&l, &now, depth)) {
			n++;
			continue;
		}
		if (!may_rewrite())
			return any;
		*with = now;
		any = true;
	}
}
