// Alias analysis: which arrays may share memory, and which are consumed.
//
// Variables that may share memory form an alias class; classes are kept in a union-find forest.
// This is coarser than the root sets of the core checker (core/consume.h), but cheap and
// conservative: arrays in different classes never share memory.
//
//     let (b: [n]f64) = slice a [0:n:1]        a and b are in one class
//     let (c: [n]f64) = update b [0] x         consumes that class; c begins a new one
//     let (d: [n]f64) = if p then {a} else {e}   a, d and e are in one class
//
// Consumed are the operands that the checker treats as consumed, and those that must not share
// memory with anything else: unique results of functions and of loop bodies.
#include "opt/alias.h"

// What is known of a variable, or NULL: nothing.
static AliasCell *known(const Alias *a, uint32_t id)
{
	uint32_t page = id / ALIAS_PAGE;
	return page < a->n_pages && a->pages[page] ? &a->pages[page][id % ALIAS_PAGE] : NULL;
}

static AliasCell *cell_of(Alias *a, uint32_t id)
{
	uint32_t page = id / ALIAS_PAGE;
	if (page >= a->n_pages) {
		uint32_t n = 2 * page + 2;
		a->pages = mem_grow(a->pages, a->n_pages * sizeof *a->pages, n * sizeof *a->pages);
		a->n_pages = n;
	}
	if (!a->pages[page]) {
		AliasCell *cells = a->pages[page] = NEW_ARRAY(AliasCell, ALIAS_PAGE);
		for (uint32_t i = 0; i < ALIAS_PAGE; i++)
			cells[i].up = page * ALIAS_PAGE + i;
	}
	return &a->pages[page][id % ALIAS_PAGE];
}

uint32_t alias_class(Alias *a, Var v)
{
	uint32_t i = v.id;
	for (AliasCell *c; (c = known(a, i)) && c->up != i;) {
		const AliasCell *up = known(a, c->up);
		if (up)
			c->up = up->up;
		i = c->up;
	}
	return i;
}

static bool is_tracked(Var v)
{
	Type t = vars[v.id].type;
	return t.kind == T_ACC || (t.kind == T_DATA && t.dims.len > 0);
}

void alias_unite(Alias *a, Var v, Sub s)
{
	if (s.kind != S_VAR || !is_tracked(v) || !is_tracked(s.var))
		return;
	uint32_t x = alias_class(a, v), y = alias_class(a, s.var);
	if (x == y)
		return;
	AliasCell *from = cell_of(a, x), *to = cell_of(a, y);
	from->up = y;
	to->gone |= from->gone;
	to->ever |= from->ever;
}

// Of most statements there is nothing to say: they neither share nor consume memory.
static inline bool is_aliasless(Form f)
{
	return f == E_prim || f == E_convert || f == E_index || f == E_assert_;
}

// ---- What shares memory with what ----

static void unite_results(Alias *a, Vars pat, Subs res, int from)
{
	for (int i = 0; i < pat.len && from + i < res.len; i++)
		alias_unite(a, pat.at[i], res.at[from + i]);
}

static bool is_unique(Var v)
{
	return vars[v.id].type.unique;
}

static void unite_params(Alias *a, const Lambda *l, Subs args)
{
	for (int i = 0; i < l->params.len && i < args.len; i++)
		if (!is_unique(l->params.at[i]))
			alias_unite(a, l->params.at[i], args.at[i]);
}

static void unite_loop(Alias *a, const Stm *s)
{
	const Exp *e = s->exp;
	for (int i = 0; i < s->pat.len; i++) {
		if (is_unique(e->loop.params.at[i]))
			continue;
		alias_unite(a, s->pat.at[i], e->loop.inits.at[i]);
		alias_unite(a, s->pat.at[i], sub_var(e->loop.params.at[i]));
		alias_unite(a, s->pat.at[i], e->loop.body.res.at[i]);
	}
}

static void unite_call(Alias *a, const Stm *s)
{
	const Fun *f = s->exp->call.fn;
	for (int i = 0; i < s->pat.len; i++) {
		if (is_unique(f->res.at[i]))
			continue;
		for (int j = 0; j < f->params.len; j++)
			if (!is_unique(f->params.at[j]))
				alias_unite(a, s->pat.at[i], s->exp->call.args.at[j]);
	}
}

static void unite_withacc(Alias *a, const Stm *s)
{
	const Exp *e = s->exp;
	int at = 0, n = e->withacc.inputs.len;
	for EACH(AccInput, in, e->withacc.inputs)
		at += in->arrs.len;
	for (int i = at; i < s->pat.len; i++)
		alias_unite(a, s->pat.at[i], e->withacc.fn->body.res.at[n + i - at]);
}

void alias_stm(Alias *a, const Stm *s)
{
	const Exp *e = s->exp;
	if (is_aliasless(e->form))
		return;
	switch (e->form) {
	case E_atom:      alias_unite(a, s->pat.at[0], e->atom.x); return;
	case E_slice:     alias_unite(a, s->pat.at[0], e->slice.arr); return;
	case E_reshape:   alias_unite(a, s->pat.at[0], e->reshape.arr); return;
	case E_rearrange: alias_unite(a, s->pat.at[0], e->rearrange.arr); return;
	case E_trace:     unite_results(a, s->pat, e->trace.xs, 0); return;
	case E_opaque:    unite_results(a, s->pat, e->opaque.xs, 0); return;
	case E_if_: case E_match:
		for (int i = 0; i < n_branches(e); i++)
			unite_results(a, s->pat, branch_at(e, i)->res, 0);
		return;
	case E_loop:      unite_loop(a, s); return;
	case E_call:      unite_call(a, s); return;
	case E_withacc:   unite_withacc(a, s); return;
	case E_screma: case E_hist: case E_scatter: case E_flatmap:
		unite_params(a, *soac_fn(e), e->soac.arrs);
		return;
	case E_jvp:       unite_params(a, e->jvp.fn, e->jvp.args); return;
	case E_vjp:       unite_params(a, e->vjp.fn, e->vjp.args); return;
	case E_with_vjp:
		unite_params(a, e->with_vjp.fn, e->with_vjp.args);
		unite_results(a, s->pat, e->with_vjp.fn->body.res, e->with_vjp.n_tape);
		return;
	case E_prim: case E_convert: case E_index: case E_update: case E_concat: case E_iota:
	case E_replicate: case E_scratch: case E_copy: case E_array: case E_upd_acc: case E_assert_:
	case E_alloc: case E_release: case N_FORM:
		return;
	}
}

// ---- What is consumed ----

void exp_consumed(const Exp *e, SubVec *out)
{
	Slots slots = {0};
	exp_consumes(e, &slots);
	for EACH(const Sub *, s, slots)
		VEC_PUSH(out, **s);
}

bool stm_consumes_data(const Stm *s)
{
	SubVec out = {0};
	exp_consumed(s->exp, &out);
	for EACH(Sub, x, out)
		if (sub_type(*x).kind == T_DATA)
			return true;
	return false;
}

static AliasCell *class_of(Alias *a, Var v)
{
	return cell_of(a, alias_class(a, v));
}

bool alias_gone(Alias *a, Sub s)
{
	const AliasCell *c = s.kind == S_VAR ? known(a, alias_class(a, s.var)) : NULL;
	return c && c->gone;
}

bool alias_ever(Alias *a, Var v)
{
	const AliasCell *c = known(a, alias_class(a, v));
	return c && c->ever;
}

static void ever(Alias *a, Sub s)
{
	if (s.kind == S_VAR)
		class_of(a, s.var)->ever = true;
}

void alias_consume(Alias *a, const Exp *e)
{
	if (is_aliasless(e->form))
		return;
	a->consumed.len = 0;
	exp_consumed(e, &a->consumed);
	for EACH(Sub, s, a->consumed)
		if (s->kind == S_VAR)
			class_of(a, s->var)->gone = true;
}

// ---- A whole program ----

static void ever_unique(Alias *a, Vars places, Subs res)
{
	for (int i = 0; i < places.len; i++)
		if (is_unique(places.at[i]))
			ever(a, res.at[i]);
}

// What is consumed is noted with the class, and stays so when classes are united.
static void alias_body(Visit *v, Body *b)
{
	Alias *a = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (is_aliasless(s->exp->form))
			continue;
		alias_stm(a, s);
		a->consumed.len = 0;
		exp_consumed(s->exp, &a->consumed);
		for EACH(Sub, x, a->consumed)
			ever(a, *x);
		if (s->exp->form == E_loop)
			ever_unique(a, s->exp->loop.params, s->exp->loop.body.res);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

void alias_fun(Alias *a, const Fun *f)
{
	Visit v = {.body = alias_body, .ctx = a};
	alias_body(&v, (Body *)&f->body); // a walk: writes nothing
	ever_unique(a, f->res, f->body.res);
}

Alias alias_of(const Prog *prog)
{
	Alias a = {0};
	cell_of(&a, n_vars);            // room for all at once
	for EACH(Fun *, f, prog->funs)
		alias_fun(&a, *f);
	return a;
}

static void consumed_in(Visit *vis, Body *b)
{
	for EACH(Stm, s, b->stms) {
		exp_consumed(s->exp, vis->ctx);
		if (s->exp->form == E_if_ || s->exp->form == E_match)
			exp_visit(s->exp, vis);
	}
}

void stm_consumed(const Stm *s, SubVec *out)
{
	exp_consumed(s->exp, out);
	Visit vis = {.body = consumed_in, .ctx = out};
	if (s->exp->form == E_if_ || s->exp->form == E_match)
		exp_visit(s->exp, &vis);
}

bool stm_consumes(const Stm *s)
{
	SubVec out = {0};
	stm_consumed(s, &out);
	return out.len > 0;
}
