// Fusion: combinators over the same rows become one.
//
//     let (ys: [n]f64) = screma n (xs) map=\(x: f64) : (f64) -> {
//       let (y: f64) = mul.f64 x x
//       in y
//     }
//     let (s: f64) = screma n (ys) map=\(z: f64) : (f64) -> {z} reduce=(0.0) \(a: f64, b: f64) ..
//   ->
//     let (s: f64) = screma n (xs) map=\(x: f64) : (f64) -> {
//       let (y: f64) = mul.f64 x x
//       let (z: f64) = y
//       in z
//     } reduce=(0.0) \(a: f64, b: f64) ..
//
// Requires nothing.  Ensures that no two combinators of a body can be fused any more.  Leaves
// copies of names and duplicate inputs, which simplify removes.
//
// Vertical fusion: the producer is a screma, the consumer a screma, hist, scatter or flatmap that
// takes mapped results of the producer as inputs.  Mapped results with other uses remain results
// of the fused screma, so nothing is computed twice, and further consumers can be fused.  Hist,
// scatter and flatmap cannot return such results, so their producers must have no other uses.
// Horizontal fusion: two scremas over the same number of rows that share an input.
//
// The fused statement is placed where the consumer was; see Note [Order] in order.c.
#include "opt/opt.h"
#include "opt/order.h"

enum { WINDOW = 2000 };         // statements in between that are looked at

typedef struct {
	Order o;
	Node **def;                     // by variable: the screma of the open body that gives it
	Node **reader;                  // by variable: the last screma that has it as input
	bool joined;                    // are there names that fusion left in this function?
} Fuse;

// ---- May two nodes be fused? ----

static bool is_result_of(const Node *p, Sub s, int from)
{
	for (int i = from; i < p->stm.pat.len; i++)
		if (s.kind == S_VAR && p->stm.pat.at[i].id == s.var.id)
			return true;
	return false;
}

// Of what depends on the producer the consumer may need rows of mapped arrays, nothing else.
static bool is_independent(Fuse *f, Node *p, Node *c)
{
	for EACH(Var, x, c->uses)
		if (order_is_tainted(&f->o, *x))
			return false;
	if (order_consumes_read(&f->o, c))
		return false;
	Subs in = *soac_inputs(c->stm.exp);
	for EACH(Sub, x, in)
		if (x->kind == S_VAR && order_is_tainted(&f->o, x->var) &&
		    !(is_result_of(p, *x, n_folded(p->stm.exp)) && sub_type(*x).kind == T_DATA))
			return false;
	return true;
}

static bool are_fusable_forms(Fuse *f, const Node *p, const Node *c)
{
	if (p->stm.exp->form != E_screma || p->has_trace || c->has_trace || p->dead ||
	    p->pos >= c->pos || c->pos - p->pos > WINDOW)
		return false;
	if (c->stm.exp->form == E_screma)
		return true;
	// No room for results of the producer.
	if (n_folded(p->stm.exp) > 0)
		return false;
	Subs in = *soac_inputs(c->stm.exp);
	for EACH(Var, y, p->stm.pat) {
		int n = 0;
		for EACH(Sub, x, in)
			n += x->kind == S_VAR && x->var.id == y->id;
		if (f->o.count[y->id] > n)
			return false;
	}
	return true;
}

// ---- Fusing two nodes ----

static StmVec body_of(Node *n)
{
	if (n->body.at)
		return n->body;
	StmVec out = {0};
	VEC_APPEND(&out, (*soac_fn(n->stm.exp))->body.stms);
	return out;
}

// The result of the producer's function that a row of an input is, or -1.
static int feeding_result(const Node *p, Sub input)
{
	for (int i = 0; i < p->stm.pat.len; i++)
		if (input.kind == S_VAR && p->stm.pat.at[i].id == input.var.id)
			return i;
	return -1;
}

// The consumer's parameter is bound to the producer's result.  A parameter that is consumed needs
// an array of its own.
static Stm feed(Var param, Sub x, const Where *where)
{
	bool copies = vars[param.id].type.unique && !type_is_scalar(vars[param.id].type);
	vars[param.id].type.unique = false;
	Exp *e = copies ? EXP(copy, x) : EXP(atom, x);
	return (Stm){.pat = vars_of(1, param), .exp = e, .where = where};
}

typedef struct { VEC(Sub) res; VEC(Type) ret; VarVec pat; } Results;

static void add_results(Results *r, const Node *n, int from, int to)
{
	const Lambda *l = n->stm.exp->screma.map;
	for (int i = from; i < to; i++) {
		VEC_PUSH(&r->res, l->body.res.at[i]);
		VEC_PUSH(&r->ret, l->ret.at[i]);
		VEC_PUSH(&r->pat, n->stm.pat.at[i]);
	}
}

static Reductions reductions_cat(Reductions a, Reductions b)
{
	Reductions out = {NEW_ARRAY(Reduction, a.len + b.len), 0};
	for EACH(Reduction, r, a)
		out.at[out.len++] = *r;
	for EACH(Reduction, r, b)
		out.at[out.len++] = *r;
	return out;
}

static void join_results(Fuse *f, Node *p, Node *c, Exp *e, Lambda *l)
{
	const Exp *pe = p->stm.exp, *ce = c->stm.exp;
	int ps = n_reduced(pe->screma.scans), cs = n_reduced(ce->screma.scans);
	int pr = n_folded(pe), cr = n_folded(ce);
	int most = p->stm.pat.len + c->stm.pat.len;
	Results all = {
		{NEW_ARRAY(Sub, most), 0, most},
		{NEW_ARRAY(Type, most), 0, most},
		{NEW_ARRAY(Var, most), 0, most},
	};
	add_results(&all, p, 0, ps);
	add_results(&all, c, 0, cs);
	add_results(&all, p, ps, pr);
	add_results(&all, c, cs, cr);
	for (int i = pr; i < p->stm.pat.len; i++) {
		Sub y = pe->screma.map->body.res.at[i];
		if (f->o.count[p->stm.pat.at[i].id] > 0)
			add_results(&all, p, i, i + 1);
		else if (y.kind == S_VAR)
			f->o.count[y.var.id]--;
	}
	add_results(&all, c, cr, c->stm.pat.len);
	e->screma.scans = reductions_cat(pe->screma.scans, ce->screma.scans);
	e->screma.reds = reductions_cat(pe->screma.reds, ce->screma.reds);
	l->body.res = VEC_SLICE(Subs, all.res);
	l->ret = VEC_SLICE(Types, all.ret);
	c->stm.pat = VEC_SLICE(Vars, all.pat);
}

// The consumer takes the producer in.
static void join(Fuse *f, Node *p, Node *c)
{
	Exp *e = exp_dup(c->stm.exp);
	const Lambda *first = p->stm.exp->screma.map, *second = *soac_fn(e);
	Lambda *l = mem_dup(second, sizeof *l);
	StmVec body = body_of(p), rest = body_of(c);
	VEC(Var) params = {0};
	SubVec arrs = {0};
	Subs in = *soac_inputs(e);
	for (int i = 0; i < first->params.len; i++) {
		VEC_PUSH(&params, first->params.at[i]);
		VEC_PUSH(&arrs, p->stm.exp->screma.arrs.at[i]);
	}
	for (int i = 0; i < in.len; i++) {
		int k = feeding_result(p, in.at[i]);
		if (k >= 0) {
			Sub y = first->body.res.at[k];
			VEC_PUSH(&body, feed(second->params.at[i], y, c->stm.where));
			f->o.count[in.at[i].var.id]--;
			if (y.kind == S_VAR)
				f->o.count[y.var.id]++;
			continue;
		}
		VEC_PUSH(&params, second->params.at[i]);
		VEC_PUSH(&arrs, in.at[i]);
	}
	VEC_APPEND(&body, rest);
	l->params = VEC_SLICE(Vars, params);
	if (e->form == E_screma)
		join_results(f, p, c, e, l);
	l->body.stms = VEC_SLICE(Stms, body);
	*soac_inputs(e) = VEC_SLICE(Subs, arrs);
	*soac_fn(e) = l;
	c->stm.exp = e;
	c->stm.certs = vars_united(p->stm.certs, c->stm.certs);
	c->stm.attrs = attrs_join(p->stm.attrs, c->stm.attrs);
	c->body = body;
	order_take_in(c, p);
	for EACH(Var, y, c->stm.pat)
		f->def[y->id] = c;
}

// Does the consumer need of the producer itself what is known only after the last row?  That is
// known without looking at what stands in between.
static bool needs_end(const Fuse *f, const Node *p, const Node *c)
{
	for EACH(Var, x, c->uses)
		if (f->def[x->id] == p)
			return true;
	Subs in = *soac_inputs(c->stm.exp);
	for EACH(Sub, x, in)
		if (x->kind == S_VAR && f->def[x->var.id] == p &&
		    !is_result_of(p, *x, n_folded(p->stm.exp)))
			return true;
	return false;
}

// What keeps the two apart stays so when the consumer takes in others: it only needs more then, and
// nothing that it needs moves behind it.  So each producer is tried once, however many of its
// results the consumer has and whatever it takes in meanwhile.
static bool try_fuse(Fuse *f, Node **order, Node *p, Node *c)
{
	if (p->failed == c || !are_fusable_forms(f, p, c))
		return false;
	p->failed = c;
	if (needs_end(f, p, c) || order_needs_between(&f->o, p, c))
		return false;
	bool *after = order_between(&f->o, order, p, c);
	if (!after || !is_independent(f, p, c) || !may_rewrite())
		return false;
	int from = p->pos, to = c->pos;
	join(f, p, c);
	f->joined = true;
	order_merge(order, from, to, after);
	return true;
}

// ---- Bodies ----

static bool fuse_vertically(Fuse *f, Node **order, Node *c)
{
	Subs in = *soac_inputs(c->stm.exp);
	for EACH(Sub, x, in) {
		Node *p = x->kind == S_VAR ? f->def[x->var.id] : NULL;
		if (p && p != c && try_fuse(f, order, p, c))
			return true;
	}
	return false;
}

static bool fuse_horizontally(Fuse *f, Node **order, Node *c)
{
	if (c->stm.exp->form != E_screma)
		return false;
	Subs in = *soac_inputs(c->stm.exp);
	for EACH(Sub, x, in) {
		bool is_array = x->kind == S_VAR && sub_type(*x).kind == T_DATA;
		Node *p = is_array ? f->reader[x->var.id] : NULL;
		if (p && p != c && !p->dead && sub_eq(p->stm.exp->soac.n, c->stm.exp->soac.n) &&
		    try_fuse(f, order, p, c))
			return true;
	}
	return false;
}

// c: the node of the statement, or NULL when it is left
static void enter(Fuse *f, const Stm *s, Node *c)
{
	if (s->exp->form != E_screma)
		return;
	for EACH(Var, y, s->pat)
		f->def[y->id] = c;
	for EACH(Sub, x, s->exp->screma.arrs)
		if (x->kind == S_VAR)
			f->reader[x->var.id] = c;
}

static bool has_combinators(const Body *b)
{
	int n = 0;
	for EACH(Stm, s, b->stms)
		n += soac_inputs(s->exp) != NULL;
	return n > 1;
}

// Is there a combinator that has an input of another, or a result?
static bool has_pair(const Body *b, void *ctx)
{
	static Node some;
	Fuse *f = ctx;
	bool found = false;
	if (!has_combinators(b))
		return false;
	for EACH(Stm, s, b->stms) {
		const Subs *in = soac_inputs(s->exp);
		for (int i = 0; in && i < in->len && !found; i++) {
			Sub x = in->at[i];
			found = x.kind == S_VAR && (f->def[x.var.id] || f->reader[x.var.id]);
		}
		enter(f, s, &some);
	}
	for EACH(Stm, s, b->stms)
		enter(f, s, NULL);
	return found;
}

static void fuse_stms(Fuse *f, Body *b)
{
	int n = b->stms.len;
	Node **all = order_nodes(&f->o, b->stms), **order = mem_dup(all, (size_t)n * sizeof *all);
	for (int i = 0; i < n; i++) {
		Node *c = all[i];
		if (!soac_inputs(c->stm.exp))
			continue;
		while (fuse_vertically(f, order, c) || fuse_horizontally(f, order, c))
			continue;
		enter(f, &c->stm, c);
	}
	for (int i = 0; i < n; i++)
		enter(f, &all[i]->stm, NULL);
	b->stms = order_stms(order, n);
}

// Where the consumer's parameter is a name for the producer's result, the combinators of these
// bodies do not show that one takes the other's rows: what has the name takes the result itself.
static void drop_names(Fuse *f, Body *b)
{
	Map to = {0};
	StmVec rest = {0};
	for EACH(Stm, s, b->stms) {
		if (s->exp->form != E_atom || s->certs.len) {
			VEC_PUSH(&rest, *s);
			continue;
		}
		Var name = s->pat.at[0];
		Sub x = sub_subst(&to, s->exp->atom.x);
		subst_put(&to, name, x);
		if (x.kind == S_VAR)
			f->o.count[x.var.id] += f->o.count[name.id] - 1;
	}
	if (rest.len < b->stms.len)
		*b = body_subst((Body){.stms = VEC_SLICE(Stms, rest), .res = b->res}, &to);
}

// Bodies inside come after: fusion outside brings together what is nested.
static void fuse_body(Visit *v, Body *b)
{
	Fuse *f = v->ctx;
	if (f->joined)
		drop_names(f, b);
	if (has_pair(b, f))
		fuse_stms(f, b);
	nested_visit(b, v);
}

Prog *fuse(Prog *prog)
{
	Map funs = {0};
	Fuse *f = NEW(Fuse, .o = order_new(prog));
	f->def = NEW_TABLE(Node *, n_vars);
	f->reader = NEW_TABLE(Node *, n_vars);
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = fuse_body, .funs = &funs, .copy = true, .ctx = f};
	for EACH(Fun *, g, out->funs) {
		if (!fun_to_rewrite(*g, &funs, has_pair, f))
			continue;
		order_fun(&f->o, *g);
		f->joined = false;
		fun_rewrite(*g, &v);
	}
	order_free(&f->o);
	table_free(f->def);
	table_free(f->reader);
	return out;
}
