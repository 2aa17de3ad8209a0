// The single traversal of core: visits every operand, binder and nested body of a node, by slot.
//
// Walk and map are the same switch.  As a walk nothing is written.  As a map (`copy`) each
// node and slice is copied before its slots are handed to the callbacks, so a callback that
// overwrites a slot changes the copy only; slices of operands and of binders are left as they are
// if there is no callback for these, and so are expressions in which there is nothing to visit:
//
//     let (y: [n]f64) = screma n (xs) map=\(x: f64) : (f64) -> {...}
//      operands: n, xs, those of the lambda's body; then the size n in the type of y
//      binders:  x, those of the body; then y
//
// Types are kept with the variables and not in the nodes, so a map writes the new sizes
// into the table, for the variable that `bind` left in the slot.
#include "core/core.h"

static void on_sub(Visit *v, Sub *s)
{
	if (v->sub)
		v->sub(v, s);
}

static void on_subs(Visit *v, Subs *s)
{
	if (!v->sub)
		return;
	if (v->copy)
		*s = SLICE_DUP(Subs, *s);
	for EACH(Sub, p, *s)
		v->sub(v, p);
}

// A variable that is used, in a place that holds no other operand.
static void on_use(Visit *v, Var *x)
{
	if (!v->sub || !x->id)
		return;
	Sub s = sub_var(*x);
	v->sub(v, &s);
	if (v->copy)
		*x = s.kind == S_VAR ? s.var : (Var){0};
}

// Certificates that became constants held, and are dropped.
static void on_certs(Visit *v, Vars *certs)
{
	if (v->copy)
		*certs = SLICE_DUP(Vars, *certs);
	int n = 0;
	for EACH(Var, c, *certs) {
		on_use(v, c);
		if (v->copy && c->id)
			certs->at[n++] = *c;
	}
	if (v->copy)
		certs->len = n;
}

static void on_types(Visit *v, Types *ts)
{
	if (!v->sub)
		return;
	if (v->copy)
		*ts = SLICE_DUP(Types, *ts);
	for EACH(Type, t, *ts)
		type_visit(t, v);
}

static bool same_sub(const Sub *a, const Sub *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

// As on_subs, but as a map it makes new ones only if one changed: types share their sizes.
static void on_sizes(Visit *v, Subs *s)
{
	enum { MOST = 8 };
	Sub x[MOST];
	if (!v->copy || v->anew || s->len > MOST) {
		on_subs(v, s);
		return;
	}
	bool same = true;
	for (int i = 0; i < s->len; i++) {
		x[i] = s->at[i];
		v->sub(v, &x[i]);
		same &= same_sub(&x[i], &s->at[i]);
	}
	if (!same)
		s->at = mem_dup(x, (size_t)s->len * sizeof *x);
}

static void on_mem(Visit *v, Type *t)
{
	MemLoc at = *t->mem;
	on_use(v, &at.block);
	on_sub(v, &at.offset);
	on_sizes(v, &at.strides);
	if (v->copy && (v->anew || at.block.id != t->mem->block.id ||
	                !same_sub(&at.offset, &t->mem->offset) ||
	                at.strides.at != t->mem->strides.at))
		t->mem = mem_dup(&at, sizeof at);
}

void type_visit(Type *t, Visit *v)
{
	if (!v->sub)
		return;
	switch (t->kind) {
	case T_DATA:
		on_sizes(v, &t->dims);
		if (t->mem)
			on_mem(v, t);
		return;
	case T_CERT: case T_MEM:
		return;
	case T_ACC:
		if (v->copy)
			t->acc = mem_dup(t->acc, sizeof *t->acc);
		on_use(v, &t->acc->token);
		on_subs(v, &t->acc->space);
		on_types(v, &t->acc->elems);
		return;
	}
	bug("no such type: %d", (int)t->kind);
}

// A binder whose type has sizes.
static void on_sized_bind(Visit *v, Var *x)
{
	Type t = vars[x->id].type;
	type_visit(&t, v);
	if (v->bind)
		v->bind(v, x);
	if (v->copy)
		vars[x->id].type = t;
}

static inline void on_bind(Visit *v, Var *x)
{
	const Type *t = &vars[x->id].type;
	if (v->sub && !v->untyped && (t->kind == T_ACC || (t->kind == T_DATA && t->dims.len)))
		on_sized_bind(v, x);
	else if (v->bind)
		v->bind(v, x);
}

static inline void on_binds(Visit *v, Vars *xs)
{
	if (v->copy && v->bind)
		*xs = SLICE_DUP(Vars, *xs);
	if (!v->bind && !v->sub)
		return;
	for EACH(Var, x, *xs)
		on_bind(v, x);
}

static void on_body(Visit *v, Body *b)
{
	if (v->body)
		v->body(v, b);
	else if (!v->flat)
		body_visit(b, v);
}

static void on_lambda(Visit *v, Lambda **l)
{
	if (v->lambda)
		v->lambda(v, l);
	else if (!v->flat)
		lambda_visit(l, v);
}

// Result types come last: those of flatmap's lambda mention a result of the body.
void lambda_visit(Lambda **l, Visit *v)
{
	if (v->copy)
		*l = mem_dup(*l, sizeof **l);
	on_binds(v, &(*l)->params);
	on_body(v, &(*l)->body);
	on_types(v, &(*l)->ret);
}

static void on_slices(Visit *v, Slices *at)
{
	if (!v->sub)
		return;
	if (v->copy)
		*at = SLICE_DUP(Slices, *at);
	for EACH(DimSlice, d, *at) {
		on_sub(v, &d->start);
		if (!d->fixed) {
			on_sub(v, &d->len);
			on_sub(v, &d->step);
		}
	}
}

static void on_reductions(Visit *v, Reductions *rs)
{
	if (v->copy)
		*rs = SLICE_DUP(Reductions, *rs);
	for EACH(Reduction, r, *rs) {
		on_subs(v, &r->ne);
		on_lambda(v, &r->op);
	}
}

// ---- What is a form's own (forms.def) ----

static void on_prim(Visit *v, Exp *e)
{
	for (int i = 0, n = prim_arity(e->prim.op); i < n; i++)
		v->sub(v, &e->prim.x[i]);
}

static void on_match(Visit *v, Exp *e)
{
	if (v->copy)
		e->match.cases = SLICE_DUP(CoreCases, e->match.cases);
	for EACH(CoreCase, c, e->match.cases)
		on_body(v, &c->body);
	on_body(v, &e->match.other);
}

static void on_loop(Visit *v, Exp *e)
{
	on_subs(v, &e->loop.inits);
	if (!e->loop.is_while)
		on_sub(v, &e->loop.n);
	on_binds(v, &e->loop.params);
	if (e->loop.is_while)
		on_use(v, &e->loop.while_cond);
	else
		on_bind(v, &e->loop.i);
	on_body(v, &e->loop.body);
}

static void on_call(Visit *v, Exp *e)
{
	Fun **f = &e->call.fn, *to = v->funs ? map_get(v->funs, *f) : NULL;
	if (to)
		*f = to;
	if (v->fun)
		v->fun(v, f);
}

static void on_screma(Visit *v, Exp *e)
{
	on_lambda(v, &e->screma.map);
	on_reductions(v, &e->screma.scans);
	on_reductions(v, &e->screma.reds);
}

static void on_hist(Visit *v, Exp *e)
{
	if (v->copy)
		e->hist.ops = SLICE_DUP(HistOps, e->hist.ops);
	for EACH(HistOp, op, e->hist.ops) {
		on_subs(v, &op->space);
		on_subs(v, &op->dests);
		on_subs(v, &op->ne);
		on_lambda(v, &op->op);
	}
}

static void on_scatter(Visit *v, Exp *e)
{
	if (v->copy)
		e->scatter.dests = SLICE_DUP(ScatterDests, e->scatter.dests);
	for EACH(ScatterDest, d, e->scatter.dests) {
		on_sub(v, &d->dest);
		on_subs(v, &d->space);
	}
}

static void on_flatmap(Visit *v, Exp *e)
{
	on_lambda(v, &e->flatmap.map);
}

static void on_withacc(Visit *v, Exp *e)
{
	if (v->copy)
		e->withacc.inputs = SLICE_DUP(AccInputs, e->withacc.inputs);
	for EACH(AccInput, in, e->withacc.inputs) {
		on_subs(v, &in->space);
		on_subs(v, &in->arrs);
		if (in->op) {
			on_subs(v, &in->ne);
			on_lambda(v, &in->op);
		}
	}
}

static void on_assert_(Visit *v, Exp *e)
{
	if (!v->sub)
		return;
	if (v->copy)
		e->assert_.msg = SLICE_DUP(Msg, e->assert_.msg);
	for EACH(MsgPart, p, e->assert_.msg)
		if (p->is_val)
			on_sub(v, &p->val);
}

static void on_trace(Visit *v, Exp *e)
{
	on_subs(v, &e->trace.xs);
}

#define AT(x)
#define SUB(x)          on_sub(v, &e->x);
#define SUBS(x)         on_subs(v, &e->x);
#define IDX(x)          on_subs(v, &e->x);
#define DIMS(x)         on_subs(v, &e->x);
#define SLICES(x)       on_slices(v, &e->x);
#define PERM(x)
#define TYPE(x)         type_visit(&e->x, v);
#define BODY(x)         on_body(v, &e->x);
#define LAMBDA(x)       on_lambda(v, &e->x);
#define FN(word, x)     on_lambda(v, &e->x);
#define INT(word, x)
#define WORD(word)
#define FLAG(word, x)
#define MANY(form)      if (e->form.many) on_sub(v, &e->form.n);
#define OWN(form)       on_##form(v, e);

// All forms; apart from exp_visit, which is called for every statement by every pass and is to be
// short.
static Exp *visit_form(Exp *e, Visit *v)
{
	switch (e->form) {
#define FORM(name, stages, flags, parts) case E_##name: parts return e;
#include "core/forms.def"
#undef FORM
	case N_FORM:
		break;
	}
	bug("no such form: %d", (int)e->form);
}

// As a map that shares: operands are visited apart, and an expression is made only if one changed.
static Exp *share_prim(Exp *e, Visit *v)
{
	Sub x[3];
	bool same = true;
	int n = prim_arity(e->prim.op);
	for (int i = 0; i < n; i++) {
		x[i] = e->prim.x[i];
		v->sub(v, &x[i]);
		same &= same_sub(&x[i], &e->prim.x[i]);
	}
	if (same)
		return e;
	e = exp_dup(e);
	memcpy(e->prim.x, x, (size_t)n * sizeof *x);
	return e;
}

static Exp *share_convert(Exp *e, Visit *v)
{
	Sub x = e->convert.x;
	v->sub(v, &x);
	if (same_sub(&x, &e->convert.x))
		return e;
	e = exp_dup(e);
	e->convert.x = x;
	return e;
}

static Exp *share_index(Exp *e, Visit *v)
{
	enum { MOST = 8 };
	Sub x[MOST];
	int n = e->index.idx.len + 1;
	if (n > MOST)
		return visit_form(exp_dup(e), v);
	bool same = true;
	for (int i = 0; i < n; i++) {
		const Sub *old = i ? &e->index.idx.at[i - 1] : &e->index.arr;
		x[i] = *old;
		v->sub(v, &x[i]);
		same &= same_sub(&x[i], old);
	}
	if (same)
		return e;
	e = exp_dup(e);
	e->index.arr = x[0];
	e->index.idx.at = mem_dup(x + 1, (size_t)(n - 1) * sizeof *x);
	return e;
}

static Exp *visit_prim(Exp *e, Visit *v)
{
	on_prim(v, e);
	return e;
}

static Exp *map_exp(Exp *e, Visit *v)
{
	bool share = v->share && v->sub;
	if (e->form == E_prim)
		return share ? share_prim(e, v) : visit_prim(exp_dup(e), v);
	if (e->form == E_index && share)
		return share_index(e, v);
	if (e->form == E_convert && share)
		return share_convert(e, v);
	return visit_form(exp_dup(e), v);
}

static inline Exp *visit_exp(Exp *e, Visit *v)
{
	if (!v->sub && !form_has(e->form, FORM_NEST) && e->form != E_call)
		return e;                       // nothing to visit
	if (v->copy)
		return map_exp(e, v);
	return e->form == E_prim ? visit_prim(e, v) : visit_form(e, v);
}

Exp *exp_visit(Exp *e, Visit *v)
{
	return visit_exp(e, v);
}

// The forms that most statements have give one scalar, whose type has no sizes: it need not be
// looked up.
static inline void on_pattern(Visit *v, Stm *s)
{
	Form f = s->exp->form;
	if (f != E_prim && f != E_convert && f != E_index) {
		on_binds(v, &s->pat);
	} else if (v->bind) {
		if (v->copy)
			s->pat = SLICE_DUP(Vars, s->pat);
		for EACH(Var, x, s->pat)
			v->bind(v, x);
	}
}

void stm_visit(Stm *s, Visit *v)
{
	if (v->sub && s->certs.len)
		on_certs(v, &s->certs);
	s->exp = visit_exp(s->exp, v);
	on_pattern(v, s);
}

void nested_visit(Body *b, Visit *v)
{
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call)
			s->exp = exp_visit(s->exp, v);
}

void body_visit(Body *b, Visit *v)
{
	if (v->copy)
		b->stms = SLICE_DUP(Stms, b->stms);
	for (int i = 0; i < b->stms.len && !v->stop; i++)
		stm_visit(&b->stms.at[i], v);
	if (!v->stop)
		on_subs(v, &b->res);
}

void fun_visit(Fun **f, Visit *v)
{
	if (v->copy)
		*f = mem_dup(*f, sizeof **f);
	on_binds(v, &(*f)->params);
	on_body(v, &(*f)->body);
	on_binds(v, &(*f)->res);
}

void reach_fun(Visit *v, Fun **f)
{
	Map *seen = v->ctx;
	if (map_has(seen, *f))
		return;
	map_put(seen, *f, *f);
	Visit inside = {.fun = reach_fun, .ctx = seen};
	body_walk(&(*f)->body, &inside);
}

typedef struct { StmTest *holds; const Stm *found; } Search;

static void search_body(Visit *v, Body *b)
{
	Search *s = v->ctx;
	for (int i = 0; !s->found && i < b->stms.len; i++) {
		Stm *stm = &b->stms.at[i];
		if (s->holds(stm))
			s->found = stm;
		else if (form_has(stm->exp->form, FORM_NEST))
			exp_visit(stm->exp, v);
	}
}

const Stm *body_find(const Body *b, StmTest *holds)
{
	Search s = {.holds = holds};
	Visit v = {.body = search_body, .ctx = &s};
	search_body(&v, (Body *)b); // a walk: writes nothing
	return s.found;
}

const Stm *exp_find(const Exp *e, StmTest *holds)
{
	Search s = {.holds = holds};
	Visit v = {.body = search_body, .ctx = &s};
	if (form_has(e->form, FORM_NEST))
		exp_walk(e, &v);
	return s.found;
}

const Stm *prog_find(const Prog *prog, StmTest *holds)
{
	const Stm *found = NULL;
	for (int i = 0; !found && i < prog->funs.len; i++)
		found = body_find(&prog->funs.at[i]->body, holds);
	return found;
}

Prog *prog_copy(const Prog *prog, Map *funs)
{
	Prog *out = NEW(Prog, .stage = prog->stage, .funs = SLICE_DUP(Funs, prog->funs));
	for EACH(Fun *, f, out->funs) {
		Fun *old = *f;
		*f = mem_dup(old, sizeof *old);
		map_put(funs, old, *f);
	}
	return out;
}
