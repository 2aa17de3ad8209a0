// Branches in reverse mode.
//
//     y = if c then A else B
//
//     (x_adj, ..) = if c then both sweeps of A       x: free in A or B; its adjoint so far is
//                   else both sweeps of B            passed in
//
// Note [Lent arrays].  The forward sweep of a branch, which is re-executed here, updates arrays of
// the enclosing level in place: they are lent to the branch.  Its return sweep restores what was
// overwritten, and the arrays become additional results, which the other branch returns unchanged:
//
//     xs1 = if c then update xs [i] v else xs        (v_adj, xs_adj, xs) =
//                                                      if c then return sweep, restore
//                                                      else (v_adj, xs_adj, xs)
//
// Copying all of xs could cost more than the function itself.
//
// Note [Taken branches].  If the results of a branch are needed, its forward sweep leaves undo
// records of the cells that it overwrites (vjp_undo.c), from which the return sweep restores the
// array.  Outside loops, copying the array is as good.
#include "ad/vjp_loop.h"

static Adj *take_adjoints(Vjp *v, Vars pat)
{
	Adj *out = NEW_ARRAY(Adj, pat.len + 1);
	for (int i = 0; i < pat.len; i++)
		out[i] = adj_take(v, pat.at[i]);
	return out;
}

// ---- Lent arrays ----

// An array that is lent: what is known of it outside, and the last name of it inside, if any.
typedef struct { Var x; Cell outside; Sub now; bool used, changed; } Lent;
typedef VEC(Lent) Lents;

// The one name that the statement has for the memory of x; NULL: there are several.
static const Var *only_name(Vjp *v, Vars free, Var x)
{
	const Var *found = NULL;
	for EACH(Var, f, free) {
		if (!vars[f->id].type.dims.len ||
		    alias_class(&v->alias, *f) != alias_class(&v->alias, x))
			continue;
		if (found)
			return NULL;
		found = f;
	}
	return found;
}

static Lents lent_by(Vjp *v, Level *l, const Stm *s)
{
	SubVec eaten = {0};
	Lents out = {0};
	stm_consumed(s, &eaten);
	Vars free = eaten.len ? free_in_stm(s) : (Vars){0};
	for EACH(Sub, e, eaten) {
		if (e->kind != S_VAR || !vars[e->var.id].type.dims.len)
			continue;
		const Var *x = only_name(v, free, e->var);
		bool fits = x && level_owns(v, l, *x) && !cell_of(v, *x)->given;
		for (int i = 0; fits && i < out.len; i++)
			fits = out.at[i].x.id != x->id;
		if (fits)
			VEC_PUSH(&out, (Lent){.x = *x});
	}
	return out;
}

static void lend(Vjp *v, Level *to, Lents *lents)
{
	for EACH(Lent, t, *lents) {
		Cell *c = cell_of(v, t->x);
		t->outside = *c;
		c->level = to;
		c->def = -1;
		c->has_fwd = c->has_ret = false;
		c->owned = true;
	}
}

// What a cell says of names, without its adjoint.
static void take_names(Cell *c, const Cell *from)
{
	c->level = from->level;
	c->def = from->def;
	c->fwd = from->fwd;
	c->ret = from->ret;
	c->has_fwd = from->has_fwd;
	c->has_ret = from->has_ret;
	c->owned = from->owned;
}

// The arrays as the return sweep of the branch leaves them.
static void note_last(Vjp *v, Lents *lents)
{
	for EACH(Lent, t, *lents) {
		t->used = cell_of(v, t->x)->has_fwd;
		if (!t->used)
			continue;
		t->now = ret_var(v, t->x);
		t->changed |= !sub_eq(t->now, cell_of(v, t->x)->fwd);
	}
}

// Emits the branch, which begins with what the level around knows its arrays by.
static void emit_with_lent(Vjp *v, Level *l, Lents *lents)
{
	for EACH(Lent, t, *lents) {
		Cell *c = cell_of(v, t->x), inside = *c;
		take_names(c, &t->outside);
		if (t->used)
			b_name(v->b, inside.fwd.var, ret_var(v, t->x));
		t->outside = *c;
		take_names(c, &inside);
	}
	level_emit(v, l);
	for EACH(Lent, t, *lents)
		take_names(cell_of(v, t->x), &t->outside);
}

// Those that some branch changed are results of both; `nows` has their names in each.  These alone
// are consumed by it: where the forward sweep leaves the branch out, the others stay as they are.
static void return_lent(Vjp *v, Level *l, int at, Body *branches[2], Lents nows[2], Vars *pat)
{
	for (int i = 0; i < nows[0].len; i++) {
		Var x = nows[0].at[i].x;
		if (!nows[0].at[i].changed && !nows[1].at[i].changed)
			continue;
		for (int k = 0; k < 2; k++) {
			Sub now = nows[k].at[i].used ? nows[k].at[i].now : ret_var(v, x);
			branches[k]->res = subs_cat(branches[k]->res, subs_of(1, now));
		}
		Cell *c = cell_of(v, x);
		c->ret = sub_var(var_new(vars[x.id].hint, ret_type(v, vars[x.id].type)));
		c->has_ret = true;
		*pat = vars_cat(*pat, vars_of(1, c->ret.var));
		VEC_PUSH(&l->restored, alias_class(&v->alias, x));
		VEC_PUSH(&l->kills, (Kill){alias_class(&v->alias, x), at});
	}
}

// ---- Taking back ----

// Whether it can be done shows by the types of the records: none may vary.
static bool records_of(Vjp *v, const Stm *s, Var x, Undone *out, Types *ts)
{
	Varying w;
	Body one = {.stms = {(Stm *)s, 1}};
	for (out->k = 0; out->k < s->pat.len; out->k++) {
		Type t = vars[s->pat.at[out->k].id].type;
		varying_init(&w, v, s);
		*ts = (Types){0};
		if (t.kind == T_DATA && t.dims.len &&
		    record_types(&w, &one, x, sub_var(s->pat.at[out->k]), ts) && !w.copies) {
			out->x = x;
			return true;
		}
	}
	return false;
}

bool undo_if(Vjp *v, Level *l, int at, Var x)
{
	const Stm *s = &l->body->stms.at[at];
	Undone u = {0};
	Types ts;
	Varying w;
	if (!level_in_loop(l) || vars_have_acc(s->pat) || !records_of(v, s, x, &u, &ts))
		return false;
	u.recs = (Vars){NEW_ARRAY(Var, ts.len + 1), ts.len};
	for (int i = 0; i < ts.len; i++)
		u.recs.at[i] = var_new(name_of("rec"), ret_type(v, ts.at[i]));
	VEC_PUSH(&l->plans[at].undone, u);
	varying_init(&w, v, s);
	Cell *c = cell_of(v, x);
	Sub later = ret_var(v, s->pat.at[u.k]);
	VEC_PUSH(&l->restored, alias_class(&v->alias, s->pat.at[u.k]));
	c->ret = undo_body(&w, &(Body){.stms = {(Stm *)s, 1}}, x, sub_var(s->pat.at[u.k]), later,
	                   subs_of_vars(u.recs));
	c->has_ret = true;
	return true;
}

// Names for records.  The length of what a trail leaves gets one before.
static void name_records(Vjp *v, Vars names, Subs recs)
{
	for (int r = 0; r < names.len; r++) {
		Subs dims = vars[names.at[r].id].type.dims;
		bool again = r && dims.len && vars[names.at[r - 1].id].type.dims.len &&
		             sub_eq(dims.at[0], vars[names.at[r - 1].id].type.dims.at[0]);
		for EACH(TrailLength, t, v->trails)
			if (dims.len && !again && sub_eq(dims.at[0], sub_var(t->n)))
				b_name(v->b, t->n, sub_type(recs.at[r]).dims.at[0]);
		b_name(v->b, names.at[r], recs.at[r]);
	}
}

void emit_if(Vjp *v, Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	const Plan *p = &l->plans[at];
	Copier k = {.v = v, .here = l, .quiet = !l->all};
	Varying w;
	varying_init(&w, v, s);
	level_own(v, l, &k, s);
	emit_rows(&k, s);
	Chain *chains = NEW_ARRAY(Chain, p->undone.len);
	for (int i = 0; i < p->undone.len; i++)
		chains[i] = (Chain){.from = p->undone.at[i].x,
		                    .to = sub_var(s->pat.at[p->undone.at[i].k])};
	emit_recorded(&w, &k, &(Body){.stms = {(Stm *)s, 1}}, chains, p->undone.len,
	              &(Puts){0});
	for (int i = 0; i < p->undone.len; i++)
		name_records(v, p->undone.at[i].recs, VEC_SLICE(Subs, chains[i].recs));
}

// ---- The sweeps of a branch ----

// A branch gives the adjoints of the variables in `free`, whatever it does to them.
// With `values`, those of its results that are wanted come after the adjoints.
static Body rev_branch(Vjp *v, const Body *body, Vars free, const Adj *seeds, bool *owned,
                       const bool *values, Lents *lents, bool is_if)
{
	Adj *before = NEW_ARRAY(Adj, free.len + 1);
	for (int i = 0; i < free.len; i++)
		before[i] = adj_get(v, free.at[i]);
	b_open(v->b);
	Level *l = NEW(Level, .depth = 0);
	level_begin(v, l, body, false);
	l->branch = is_if && !values;
	lend(v, l, lents);
	if (values)
		want_results(v, l);
	seed_results(v, body->res, seeds);
	level_reverse(v, l);
	Subs res = {NEW_ARRAY(Sub, free.len + 1), free.len};
	for (int i = 0; i < free.len; i++) {
		res.at[i] = adj_value(v, free.at[i]);
		owned[i] &= adj_get(v, free.at[i]).owned;
	}
	for (int i = 0; values && i < body->res.len; i++)
		if (values[i])
			res = subs_cat(res, subs_of(1, level_result(v, l, body->res.at[i])));
	note_last(v, lents);
	saves_close_branch(v, l);
	level_close(v, l);
	emit_with_lent(v, l, lents);
	for (int i = 0; i < free.len; i++)
		adj_set(v, free.at[i], before[i]);
	return b_close(v->b, res);
}

// ---- Adjoints ----

static Types adjoint_types(Vjp *v, Vars free)
{
	Types ts = {NEW_ARRAY(Type, free.len + 1), free.len};
	for (int i = 0; i < free.len; i++) {
		Adj a = adj_get(v, free.at[i]);
		ts.at[i] =
			a.kind == ADJ_ACC ? sub_type(a.val) : ret_type(v, vars[free.at[i].id].type);
	}
	return ts;
}

static void set_adjoints(Vjp *v, Vars free, Subs vals, const bool *owned)
{
	for (int i = 0; i < free.len; i++) {
		AdjKind kind = adj_get(v, free.at[i]).kind == ADJ_ACC ? ADJ_ACC : ADJ_VALUE;
		adj_set(v, free.at[i], (Adj){kind, vals.at[i], owned[i]});
	}
}

static Types types_with(Types ts, Type t)
{
	Types out = {NEW_ARRAY(Type, ts.len + 1), ts.len + 1};
	for (int i = 0; i < ts.len; i++)
		out.at[i] = ts.at[i];
	out.at[ts.len] = t;
	return out;
}

static bool *all_true(int n)
{
	bool *out = NEW_ARRAY(bool, n + 1);
	for (int i = 0; i < n; i++)
		out[i] = true;
	return out;
}

// What two branches give at different places may be one array: then neither is owned.
static void disown_shared(const Body *a, const Body *b, bool *owned)
{
	for (int i = 0; i < a->res.len; i++)
		for (int j = 0; j < b->res.len; j++)
			if (i != j && a->res.at[i].kind == S_VAR &&
			    sub_eq(a->res.at[i], b->res.at[j]))
				owned[i] = owned[j] = false;
}

// Scalars that both branches leave as they are need not go through them.
static Vars drop_same(Vjp *v, Vars free, Types *ts, Body *yes, Body *no, bool *owned)
{
	Vars out = {NEW_ARRAY(Var, free.len + 1), 0};
	Types types = {NEW_ARRAY(Type, ts->len + 1), 0};
	Subs a = {NEW_ARRAY(Sub, yes->res.len + 1), 0}, b = {NEW_ARRAY(Sub, yes->res.len + 1), 0};
	for (int i = 0; i < yes->res.len; i++) {
		Sub x = yes->res.at[i];
		if (i < free.len && sub_eq(x, no->res.at[i]) && type_is_scalar(sub_type(x)) &&
		    !stm_in(yes, x) && !stm_in(no, x)) {
			adj_set(v, free.at[i], adj_of(x, true));
			continue;
		}
		if (i < free.len) {
			owned[out.len] = owned[i];
			out.at[out.len++] = free.at[i];
		}
		types.at[types.len++] = ts->at[i];
		a.at[a.len++] = x;
		b.at[b.len++] = no->res.at[i];
	}
	*ts = types;
	yes->res = a;
	no->res = b;
	return out;
}

void rev_if(Vjp *v, Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	const Exp *e = s->exp;
	Vars free = takers(v, vars_united(free_in_body(&e->if_.yes), free_in_body(&e->if_.no)));
	Body rest = {0};
	bool both = v->both && free.len && holds_call(s);
	if (both && !by_return(v, l, at, &rest)) {
		v->failed = true;
		both = false;
	}
	Adj *seeds = take_adjoints(v, s->pat);
	if (!free.len)
		return;
	Sub cond = ret_sub(v, e->if_.cond);
	bool *owned = all_true(free.len), *values = both ? all_true(s->pat.len) : NULL;
	Types ts = adjoint_types(v, free);
	Lents lents[2] = {{0}, {0}};
	for (int i = 0; i < 2 && !both; i++)
		lents[i] = lent_by(v, l, s);
	Body yes = rev_branch(v, &e->if_.yes, free, seeds, owned, values, &lents[0], true);
	Body no = rev_branch(v, &e->if_.no, free, seeds, owned, values, &lents[1], true);
	disown_shared(&yes, &no, owned);
	Vars pat = {0};
	if (both) {
		pat = value_names(v, s);
		for EACH(Var, x, pat)
			ts = types_with(ts, vars[x->id].type);
	}
	free = drop_same(v, free, &ts, &yes, &no, owned);
	if (!ts.len)
		return;
	Vars adjs = {NEW_ARRAY(Var, free.len + 1), free.len};
	Subs got = {NEW_ARRAY(Sub, free.len + 1), free.len};
	for (int i = 0; i < free.len; i++) {
		adjs.at[i] = var_new(name_of("adj"), ts.at[i]);
		got.at[i] = sub_var(adjs.at[i]);
	}
	return_lent(v, l, at, (Body *[]){&yes, &no}, lents, &pat);
	b_stm(v->b, vars_cat(adjs, pat), EXP(if_, cond, yes, no));
	set_adjoints(v, free, got, owned);
	emit_rest(v, &rest);
}

void rev_match(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	Vars free = free_in_body(&e->match.other);
	for EACH(CoreCase, c, e->match.cases)
		free = vars_united(free, free_in_body(&c->body));
	free = takers(v, free);
	Adj *seeds = take_adjoints(v, s->pat);
	if (!free.len)
		return;
	Sub x = ret_sub(v, e->match.x);
	bool *owned = all_true(free.len);
	Types ts = adjoint_types(v, free);
	CoreCases cases = SLICE_DUP(CoreCases, e->match.cases);
	for EACH(CoreCase, c, cases)
		c->body = rev_branch(v, &c->body, free, seeds, owned, NULL, &(Lents){0}, false);
	Body other = rev_branch(v, &e->match.other, free, seeds, owned, NULL, &(Lents){0}, false);
	for EACH(CoreCase, c, cases) {
		disown_shared(&c->body, &other, owned);
		for EACH(CoreCase, d, cases)
			disown_shared(&c->body, &d->body, owned);
	}
	Exp *r = EXP(match, x, cases, other);
	set_adjoints(v, free, b_lets(v->b, "adj", ts, r), owned);
}

