// The pass `join_sweeps`: a combinator before a withacc that goes through the same rows moves into
// it, where fusion makes one of the two.
//
//     s = screma n (xs) map=\x -> f x reduce=(0) add
//     a = withacc zs \acc ->                           a, s = withacc zs \acc ->
//       screma n (xs, acc) map=\(x, acc) ->       ->     s' = screma n (xs) map=\x -> f x ..
//         upd_acc acc [..] (g (f x))                     r = screma n (xs, acc) map=\(x, acc) -> ..
//                                                        in r, s'
//
// A value and its gradient have this form: the return sweep of a map computes again what the
// forward sweep had in each row.  When only the gradient is wanted, the forward sweep is not there;
// when the value is too, what both sweeps need is computed once in each row then.
//
// Requires: their rows have work in common: functions of scalars; combinators, loops and branches
// that have such work in common.  Others stay apart, since passes know more of a withacc that does
// nothing else.  The pass `join_looping_sweeps` is content with any loop that both have.  On
// processors it comes later: no pass has made a nest of its own of it by then.  On devices it comes
// before accumulations become nests, since a flat map before them would have other rows then, and
// what is summed in it would be summed again.
// What the withacc needs does not depend on the combinator, but for rows of its mapped results that
// a combinator in it takes.  The combinator consumes none of its rows and has no accumulators.
// Ensures: equal results; no two combinators of this kind are left.
#include "opt/acc.h"
#include "opt/order.h"
#include "opt/same.h"

enum { WINDOW = 2000 };         // statements in between that are looked at

typedef struct {
	Order o;
	Same same;
	Node **def;                     // by variable: the screma of the open body that gives it
	Node **reader;                  // by variable: the last screma that has it as input
	bool found;
	uint32_t n;                     // variables there were; the pass's own are in no other body
} Join;

// ---- Is there work in common? ----

static bool rows_share_work(Join *j, const Exp *a, const Exp *b)
{
	same_clear(&j->same);
	for (int i = 0; i < a->screma.arrs.len; i++)
		for (int k = 0; k < b->screma.arrs.len; k++)
			if (sub_eq(a->screma.arrs.at[i], b->screma.arrs.at[k]))
				same_put(&j->same, b->screma.map->params.at[k],
				         sub_var(a->screma.map->params.at[i]));
	return share_work(&j->same, &a->screma.map->body, &b->screma.map->body);
}

// ---- May it move? ----

// How often the withacc uses a result of p, and how often as an input of a screma of its body.
typedef struct { const Node *p; int all, rows; } Fed;

static void count_fed(Visit *v, Sub *s)
{
	Fed *f = v->ctx;
	for EACH(Var, y, f->p->stm.pat)
		f->all += s->kind == S_VAR && s->var.id == y->id;
}

static bool takes_only_rows(const Node *p, const Node *c)
{
	const Exp *pe = p->stm.exp;
	Fed f = {.p = p};
	Visit v = {.sub = count_fed, .ctx = &f};
	stm_walk(&c->stm, &v);
	for EACH(Stm, s, c->stm.exp->withacc.fn->body.stms) {
		if (s->exp->form != E_screma || !sub_eq(s->exp->screma.n, pe->screma.n))
			continue;
		for EACH(Sub, x, s->exp->screma.arrs)
			for (int i = n_folded(pe); i < p->stm.pat.len; i++)
				f.rows += sub_eq(*x, sub_var(p->stm.pat.at[i]));
	}
	return f.all == f.rows;
}

static bool is_result(const Node *p, Var x)
{
	for EACH(Var, y, p->stm.pat)
		if (y->id == x.id)
			return true;
	return false;
}

static bool is_independent(Join *j, const Node *p, const Node *c)
{
	for EACH(Var, x, c->uses)
		if (order_is_tainted(&j->o, *x) && !is_result(p, *x))
			return false;
	return !order_consumes_read(&j->o, c) && takes_only_rows(p, c);
}

// ---- Moving it ----

static int uses_in(const Stm *s, Var x)
{
	Node one = {.stm.pat = vars_of(1, x)};
	Fed f = {.p = &one};
	Visit v = {.sub = count_fed, .ctx = &f};
	stm_walk(s, &v);
	return f.all;
}

static void move_in(Join *j, Node *p, Node *c)
{
	Exp *e = exp_dup(c->stm.exp);
	Lambda *fn = mem_dup(e->withacc.fn, sizeof *fn);
	VEC(Stm) stms = {0};
	Stm first = p->stm;
	Map to = {0};
	first.pat = SLICE_DUP(Vars, p->stm.pat);
	for (int i = 0; i < first.pat.len; i++) {
		Var y = p->stm.pat.at[i];
		Type t = vars[y.id].type;
		Var inner = first.pat.at[i] = var_new(vars[y.id].hint, t);
		int uses = uses_in(&c->stm, y);
		subst_put(&to, y, sub_var(inner));
		if (i >= n_folded(p->stm.exp) && j->o.count[y.id] <= uses)
			continue;       // others may be sizes
		INSERTED(Subs, Sub, fn->body.res, fn->body.res.len, sub_var(inner));
		INSERTED(Types, Type, fn->ret, fn->ret.len, type_plain(t));
		INSERTED(Vars, Var, c->stm.pat, c->stm.pat.len, y);
		j->o.count[y.id] -= uses;
	}
	VEC_PUSH(&stms, first);
	VEC_APPEND(&stms, body_subst(fn->body, &to).stms);
	fn->body.stms = VEC_SLICE(Stms, stms);
	e->withacc.fn = fn;
	c->stm.exp = e;
	for EACH(Sub, x, p->stm.exp->screma.arrs)
		if (x->kind == S_VAR) {
			VEC_PUSH(&c->uses, x->var);
			VEC_PUSH(&c->reads, x->var);
		}
	order_take_in(c, p);
}

static bool try_join(Join *j, Node **order, Node *p, const Stm *s, Node *c)
{
	if (!p || p->dead || p->pos >= c->pos || c->pos - p->pos > WINDOW || p->has_trace ||
	    c->has_trace || !takes_data(p->stm.exp->screma.map) ||
	    !sub_eq(p->stm.exp->screma.n, s->exp->screma.n) ||
	    order_needs_between(&j->o, p, c) || !rows_share_work(j, p->stm.exp, s->exp))
		return false;
	bool *after = order_between(&j->o, order, p, c);
	if (!after || !is_independent(j, p, c) || !may_rewrite())
		return false;
	int from = p->pos, to = c->pos;
	move_in(j, p, c);
	j->found = true;
	order_merge(order, from, to, after);
	return true;
}

static bool join_one(Join *j, Node **order, Node *c)
{
	for EACH(Stm, s, c->stm.exp->withacc.fn->body.stms) {
		if (s->exp->form != E_screma)
			continue;
		for EACH(Sub, x, s->exp->screma.arrs)
			if (sub_is_data(*x) && x->var.id < j->n &&
			    (try_join(j, order, j->def[x->var.id], s, c) ||
			     try_join(j, order, j->reader[x->var.id], s, c)))
				return true;
	}
	return false;
}

// ---- Bodies ----

// c: the node of the statement, or NULL when it is left
static void enter(Join *j, const Stm *s, Node *c)
{
	if (s->exp->form != E_screma)
		return;
	for EACH(Var, y, s->pat)
		j->def[y->id] = c;
	for EACH(Sub, x, s->exp->screma.arrs)
		if (x->kind == S_VAR && x->var.id < j->n)
			j->reader[x->var.id] = c;
}

static void join_stms(Join *j, Body *b)
{
	int n = b->stms.len;
	Node **all = order_nodes(&j->o, b->stms), **order = mem_dup(all, (size_t)n * sizeof *all);
	for (int i = 0; i < n; i++) {
		Node *c = all[i];
		while (c->stm.exp->form == E_withacc && join_one(j, order, c))
			continue;
		enter(j, &c->stm, c);
	}
	for (int i = 0; i < n; i++)
		enter(j, &all[i]->stm, NULL);
	b->stms = order_stms(order, n);
}

static bool has_both(const Body *b, void *ctx)
{
	bool screma = false;
	(void)ctx;
	for EACH(Stm, s, b->stms) {
		if (screma && s->exp->form == E_withacc)
			return true;
		screma |= s->exp->form == E_screma;
	}
	return false;
}

// Bodies inside come first: what moves is known as it was.
static void join_body(Visit *v, Body *b)
{
	nested_visit(b, v);
	if (has_both(b, NULL))
		join_stms(v->ctx, b);
}

static Prog *join_all(Prog *prog, bool loops)
{
	Map funs = {0};
	Join *j = NEW(Join, .o = order_new(prog), .same = same_new(loops), .n = n_vars);
	j->def = NEW_TABLE(Node *, n_vars);
	j->reader = NEW_TABLE(Node *, n_vars);
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = join_body, .funs = &funs, .copy = true, .ctx = j};
	for EACH(Fun *, f, out->funs) {
		if (!fun_to_rewrite(*f, &funs, has_both, NULL))
			continue;
		order_fun(&j->o, *f);
		fun_rewrite(*f, &v);
	}
	order_free(&j->o);
	same_free(&j->same);
	table_free(j->def);
	table_free(j->reader);
	return j->found ? out : prog;
}

Prog *join_sweeps(Prog *prog)
{
	return join_all(prog, false);
}

Prog *join_looping_sweeps(Prog *prog)
{
	return join_all(prog, true);
}
