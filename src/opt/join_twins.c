// The pass `join_twins`: two loops that compute something in common become one, and so do two
// branches on the same condition.
//
//     y = loop (p = x) for i < n do {            y, l = loop (q = x, m = l0) for j < n do {
//       p' = f p                                   m' = update m [j] q
//       in p'                                 ->   q' = f q
//     }                                            in q', m'
//     z, l = loop (q = x, m = l0)                }            z is y
//         for j < n do {
//       m' = update m [j] q
//       q' = f q
//       in q', m'
//     }
//
// A function and the forward sweep of its derivative are such loops: the one gives the value, the
// other one the tape.  What is not the same in both loops is computed in each iteration of the
// one that is left.  Of branches the bodies are put one after the other, for cse.
//
// Loops that end by a condition have that in common: it is the same in each iteration.
//
// Requires: the loops have a parameter that is the same in each iteration (same.c), and work in
// common beyond it unless all that one of them carries is also what the other one does; branches,
// work in common.  The second needs nothing of the first.
// Ensures: equal results; no two loops or branches of this kind are left.
#include "opt/order.h"
#include "opt/same.h"

enum { WINDOW = 2000 };         // statements in between that are looked at
enum { MOST_TRIES = 1 << 12 };  // of a function

typedef struct {
	Order o;
	Same same;
	int tries;
	bool found;
	Map to;                         // Sub *: results of loops that are no more
	StmVec copies;                  // of results that are consumed
} Twins;

static bool may_join(const Stm *p, const Stm *c)
{
	if (p->exp->form != c->exp->form || p->attrs.marks != c->attrs.marks || p->attrs.len ||
	    c->attrs.len || vars_have_acc(p->pat))
		return false;
	if (p->exp->form == E_if_)
		return sub_eq(p->exp->if_.cond, c->exp->if_.cond);
	return p->exp->form == E_loop && p->exp->loop.is_while == c->exp->loop.is_while &&
	       (p->exp->loop.is_while || sub_eq(p->exp->loop.n, c->exp->loop.n));
}

// ---- Branches ----

static Body one_after_the_other(Body a, Body b)
{
	VEC(Stm) stms = {0};
	VEC_APPEND(&stms, a.stms);
	VEC_APPEND(&stms, b.stms);
	return (Body){VEC_SLICE(Stms, stms), subs_cat(a.res, b.res)};
}

static bool branches_fit(Twins *t, const Exp *p, const Exp *c)
{
	return share_work(&t->same, &c->if_.yes, &p->if_.yes) |
	       share_work(&t->same, &c->if_.no, &p->if_.no);
}

static void join_branches(const Stm *p, Stm *c)
{
	const Exp *a = p->exp, *b = c->exp;
	c->exp = EXP(if_, b->if_.cond, one_after_the_other(a->if_.yes, b->if_.yes),
	             one_after_the_other(a->if_.no, b->if_.no));
	c->pat = vars_cat(p->pat, c->pat);
}

// ---- Loops ----

// Arrays that are made for the loop to consume are not shared, but may be equal.
static void note_init(Twins *t, Sub y, const Exp *c, bool *taken)
{
	const Node *n = y.kind == S_VAR ? t->o.made[y.var.id] : NULL;
	for (int i = 0; n && i < c->loop.inits.len; i++) {
		Sub x = c->loop.inits.at[i];
		const Node *m = x.kind == S_VAR ? t->o.made[x.var.id] : NULL;
		if (taken[i] || !m || m == n || form_has(m->stm.exp->form, FORM_NEST) ||
		    !is_same_exp(&t->same, m->stm.exp, n->stm.exp))
			continue;
		taken[i] = true;
		same_put(&t->same, y.var, x);
		return;
	}
}

static void note_inits(Twins *t, const Exp *c, const Exp *p)
{
	bool *taken = NEW_ARRAY(bool, c->loop.inits.len + 1);
	for EACH(Sub, y, p->loop.inits)
		note_init(t, *y, c, taken);
}

static bool all_paired(const int *pair, int n)
{
	for (int k = 0; k < n; k++)
		if (pair[k] < 0)
			return false;
	return true;
}

static bool loops_fit(Twins *t, const Exp *p, const Exp *c, int *pair)
{
	bool works = false;
	int n = p->loop.params.len, m = 0;
	note_inits(t, c, p);
	if (!same_loops(&t->same, c, p, pair, &works) || has_own_checks(&t->same, &p->loop.body))
		return false;
	for (int k = 0; k < n; k++)
		m += pair[k] >= 0;
	return works || all_paired(pair, n) || m == c->loop.params.len;
}

// What the first loop has for the second one to take over: parameters that have no partner, and the
// statements that they need beyond what both loops have.  Names are still the first loop's.
typedef struct { Vars params, pat; Subs inits; Body body; } Rest;

static Sub in_second(const Twins *t, Var x)
{
	return t->same.has[x.id] ? t->same.to[x.id] : sub_var(x);
}

typedef struct { const Twins *t; Map needed; } Need;

static void note_need(Visit *v, Sub *x)
{
	Need *n = v->ctx;
	if (x->kind == S_VAR && !n->t->same.has[x->var.id])
		map_put(&n->needed, var_key(x->var), n);
}

static Body needed_part(const Twins *t, const Body *b, Subs res)
{
	Need n = {.t = t};
	Visit v = {.sub = note_need, .ctx = &n};
	VEC(Stm) back = {0}, out = {0};
	for EACH(Sub, r, res)
		note_need(&v, r);
	for (int i = b->stms.len; i-- > 0;) {
		if (!vars_any_in(b->stms.at[i].pat, &n.needed))
			continue;
		stm_walk(&b->stms.at[i], &v);
		VEC_PUSH(&back, b->stms.at[i]);
	}
	for (int i = back.len; i-- > 0;)
		VEC_PUSH(&out, back.at[i]);
	return (Body){VEC_SLICE(Stms, out), res};
}

static Rest rest_of(const Twins *t, const Stm *p, const int *pair)
{
	const Exp *e = p->exp;
	int n = e->loop.params.len;
	Rest r = {.params = {NEW_ARRAY(Var, n + 1), 0}, .pat = {NEW_ARRAY(Var, n + 1), 0},
	          .inits = {NEW_ARRAY(Sub, n + 1), 0}};
	Subs res = {NEW_ARRAY(Sub, n + 1), 0};
	for (int k = 0; k < n; k++) {
		if (pair[k] >= 0)
			continue;
		r.params.at[r.params.len++] = e->loop.params.at[k];
		r.inits.at[r.inits.len++] = e->loop.inits.at[k];
		r.pat.at[r.pat.len++] = p->pat.at[k];
		res.at[res.len++] = e->loop.body.res.at[k];
	}
	r.body = needed_part(t, &e->loop.body, res);
	return r;
}

// May the rest come after the second loop's statements?
static bool rest_fits(Twins *t, const Rest *r, const Node *c)
{
	for EACH(Stm, s, r->body.stms) {
		Vars free = free_in_stm(s);
		for EACH(Var, x, free)
			for EACH(Var, y, c->consumes)
				if (alias_class(&t->o.alias, in_second(t, *x).var) ==
				    alias_class(&t->o.alias, *y))
					return false;
		const Node *n = order_node(&t->o, s);
		for EACH(Var, x, n->consumes)
			if (t->same.has[x->id] && vars_find(free, sub_var(*x)) >= 0)
				return false;
	}
	return true;
}

// Renames what both loops have, for good: types of variables change with it.
static void rename_rest(Twins *t, Rest *r, const Exp *p)
{
	Map to = {0};
	VarVec all = {0};
	if (!p->loop.is_while)
		VEC_PUSH(&all, p->loop.i);
	VEC_APPEND(&all, p->loop.params);
	for EACH(Stm, s, p->loop.body.stms)
		VEC_APPEND(&all, s->pat);
	for EACH(Var, x, all)
		if (t->same.has[x->id]) {
			subst_put(&to, *x, t->same.to[x->id]);
			alias_unite(&t->o.alias, *x, t->same.to[x->id]);
		}
	r->body = body_subst(r->body, &to);
}

static bool sizes_fit(const Stm *p, const Stm *c)
{
	return !vars_have_sizes(p->pat) && !vars_have_sizes(c->pat);
}

static void join_loops(Twins *t, const Stm *p, Stm *c, const Rest *r, const int *pair)
{
	Exp *e = exp_dup(c->exp);
	for (int k = 0; k < p->pat.len; k++) {
		if (pair[k] < 0)
			continue;
		Var gone = p->pat.at[k], there = c->pat.at[pair[k]];
		bool consumed = vars[gone.id].type.dims.len &&
		                (alias_ever(&t->o.alias, gone) || alias_ever(&t->o.alias, there));
		if (consumed)
			VEC_PUSH(&t->copies, ((Stm){.pat = vars_of(1, gone), .where = p->where,
			                            .exp = EXP(copy, sub_var(there))}));
		else
			subst_put(&t->to, gone, sub_var(there));
		alias_unite(&t->o.alias, gone, sub_var(there));
	}
	e->loop.params = vars_cat(e->loop.params, r->params);
	e->loop.inits = subs_cat(e->loop.inits, r->inits);
	e->loop.body = one_after_the_other(e->loop.body, r->body);
	c->exp = e;
	c->pat = vars_cat(c->pat, r->pat);
}

// ---- Bodies ----

static bool is_independent(Twins *t, const Node *c)
{
	for EACH(Var, x, c->uses)
		if (order_is_tainted(&t->o, *x))
			return false;
	return !order_consumes_read(&t->o, c);
}

static bool try_join(Twins *t, Node **order, Node *p, Node *c)
{
	if (p->has_trace || c->has_trace || order_needs_between(&t->o, p, c) || t->tries-- <= 0)
		return false;
	bool is_loop = p->stm.exp->form == E_loop;
	int *pair = NEW_ARRAY(int, p->stm.pat.len + 1);
	same_clear(&t->same);
	if (is_loop ? !sizes_fit(&p->stm, &c->stm) ||
	              !loops_fit(t, p->stm.exp, c->stm.exp, pair)
	            : !branches_fit(t, p->stm.exp, c->stm.exp))
		return false;
	bool *after = order_between(&t->o, order, p, c);
	if (!after || !is_independent(t, c))
		return false;
	Rest r = {0};
	if (is_loop)
		r = rest_of(t, &p->stm, pair);
	if ((is_loop && !rest_fits(t, &r, c)) || !may_rewrite())
		return false;
	if (is_loop) {
		rename_rest(t, &r, p->stm.exp);
		join_loops(t, &p->stm, &c->stm, &r, pair);
	} else {
		join_branches(&p->stm, &c->stm);
	}
	c->stm.certs = vars_united(p->stm.certs, c->stm.certs);
	int from = p->pos, to = c->pos;
	p->dead = true;
	order_merge(order, from, to, after);
	return true;
}

// The statements, with copies after that of node c.
static Stms with_copies(const Twins *t, Node *const *order, int n, const Node *c)
{
	VEC(Stm) out = {0};
	for (int i = 0; i < n; i++) {
		if (order[i]->dead)
			continue;
		VEC_PUSH(&out, order[i]->stm);
		if (order[i] == c)
			VEC_APPEND(&out, t->copies);
	}
	return VEC_SLICE(Stms, out);
}

// Names change with each that is joined, so the rest is looked at anew.
static bool join_one(Twins *t, Body *b)
{
	int n = b->stms.len;
	Node **all = order_nodes(&t->o, b->stms), **order = mem_dup(all, (size_t)n * sizeof *all);
	for (int i = 0; i < n; i++)
		for (int k = i; k-- > 0 && i - k <= WINDOW;) {
			if (!may_join(&all[k]->stm, &all[i]->stm))
				continue;
			t->to = (Map){0};
			t->copies.len = 0;
			if (!try_join(t, order, all[k], all[i]))
				continue;
			b->stms = with_copies(t, order, n, all[i]);
			*b = body_subst(*b, &t->to);
			t->found = true;
			return true;
		}
	return false;
}

static bool has_pair(const Body *b, void *ctx)
{
	VEC(const Stm *) seen = {0};
	(void)ctx;
	for EACH(Stm, s, b->stms) {
		if (s->exp->form != E_loop && s->exp->form != E_if_)
			continue;
		for (int k = seen.len; k-- > 0 && s - seen.at[k] <= WINDOW;)
			if (may_join(seen.at[k], s))
				return true;
		VEC_PUSH(&seen, s);
	}
	return false;
}

static void join_body(Visit *v, Body *b)
{
	while (has_pair(b, NULL) && join_one(v->ctx, b))
		continue;
	nested_visit(b, v);
}

Prog *join_twins(Prog *prog)
{
	Map funs = {0};
	Twins *t = NEW(Twins, .o = order_new(prog), .same = same_new(true));
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = join_body, .funs = &funs, .copy = true, .ctx = t};
	for EACH(Fun *, f, out->funs) {
		if (!fun_to_rewrite(*f, &funs, has_pair, NULL))
			continue;
		t->tries = MOST_TRIES;
		order_fun(&t->o, *f);
		fun_rewrite(*f, &v);
	}
	order_free(&t->o);
	same_free(&t->same);
	return t->found ? out : prog;
}
