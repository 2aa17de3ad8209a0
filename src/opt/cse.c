// Common subexpression elimination: a statement that computes the same as an earlier one is
// replaced by the variables of that one.
//
//     let (is: [n]i64) = iota.i64 n 0 1
//     let (a: [n]f64) = screma n (is) map=\(i: i64) : (f64) -> {..i..}
//     let (js: [n]i64) = iota.i64 n 0 1
//     let (b: [n]f64) = screma n (js) map=\(j: i64) : (f64) -> {..j..}
//     in a, b                                      ->   in a, a
//
// Requires nothing.  Ensures that no two statements of which one dominates the other are equal up
// to the names they bind, unless they must not be merged.  A function in which nothing was found is
// skipped until another pass changes it (Fun.distinct).
//
// Value numbering uses one table for all enclosing bodies; leaving a body removes its entries.
// Nested bodies are part of the key with their binders numbered in order, so keys are equal up to
// alpha-renaming.  Keys longer than a limit are not looked up, which keeps the cost of deep nests
// linear.
//
// Statements with effects are not merged, nor are arrays that are consumed anywhere, since each
// consumption needs an array of its own.  The simplifier also shares scalar operations and views;
// this pass handles larger statements, across whole functions.
#include "opt/alias.h"
#include "opt/opt.h"

enum { KEY_MAX = 1024 };

typedef struct Entry {
	struct Entry *next;                     // in its bucket, older
	uint64_t hash;
	int len;
	const uint64_t *key;
	Vars pat, certs;
} Entry;

typedef struct {
	Prog some;                              // the functions that are looked at
	Alias alias;                            // of these, once it is asked for
	bool has_alias;
	bool traces;                            // are there any?
	Sub *to;                                // by variable: what stands for it
	bool *replaced;
	bool found, merged;                     // anything of this function so far
	int *local;                             // by variable: its number while a key is made, or 0
	Entry **buckets;
	uint64_t mask;
	VEC(Entry *) stack;                     // oldest first
	uint64_t words[KEY_MAX];                // the key being made
	int len, n_local;
	VEC(Var) locals;
	Map kept;                               // see kept.c
} Cse;

// ---- Keys ----

static void word(Cse *c, uint64_t w)
{
	if (c->len < KEY_MAX)
		c->words[c->len] = w;
	c->len++;
}

static void key_sub(Visit *v, Sub *s)
{
	Cse *c = v->ctx;
	if (s->kind == S_CONST) {
		word(c, UINT64_C(1) << 63 | s->val.type);
		word(c, s->val.u);
		return;
	}
	Sub x = c->replaced[s->var.id] ? c->to[s->var.id] : *s;
	if (x.kind == S_CONST)
		key_sub(v, &x);
	else if (c->local[x.var.id])
		word(c, UINT64_C(1) << 62 | (uint64_t)c->local[x.var.id]);
	else
		word(c, x.var.id);
}

static void key_bind(Visit *v, Var *x)
{
	Cse *c = v->ctx;
	Type t = vars[x->id].type;
	c->local[x->id] = ++c->n_local;
	VEC_PUSH(&c->locals, *x);
	word(c, (uint64_t)t.kind << 24 | (uint64_t)t.elem << 16 | (uint64_t)t.dims.len << 8 |
	        t.unique);
}

static void key_slices(Cse *c, Slices at)
{
	for EACH(DimSlice, d, at)
		word(c, d->fixed);
}

static void key_reductions(Cse *c, Reductions rs)
{
	word(c, (uint64_t)rs.len);
	for EACH(Reduction, r, rs)
		word(c, (uint64_t)r->ne.len << 1 | r->comm);
}

static void key_match(Cse *c, CoreCases cases)
{
	word(c, (uint64_t)cases.len);
	for EACH(CoreCase, k, cases)
		word(c, k->value.u);
}

// What tells expressions of one form apart besides operands and bodies.
static void key_head(Cse *c, const Exp *e)
{
	word(c, (uint64_t)e->form);
	switch (e->form) {
	case E_prim:      word(c, (uint64_t)e->prim.op << 8 | e->prim.at); return;
	case E_convert:   word(c, e->convert.to); return;
	case E_match:     key_match(c, e->match.cases); return;
	case E_loop:      word(c, (uint64_t)e->loop.params.len << 1 | e->loop.is_while); return;
	case E_call:      word(c, (uint64_t)(uintptr_t)e->call.fn); return;
	case E_slice:     key_slices(c, e->slice.at); return;
	case E_update:    key_slices(c, e->update.at); return;
	case E_iota:      word(c, e->iota.type); return;
	case E_replicate: word(c, (uint64_t)e->replicate.dims.len); return;
	case E_scratch:   word(c, e->scratch.type); return;
	case E_rearrange:
		for EACH(int, p, e->rearrange.perm)
			word(c, (uint64_t)*p);
		return;
	case E_array:
		word(c, (uint64_t)e->array.elem_type.elem << 32 | (uint64_t)e->array.elems.len);
		return;
	case E_screma:
		word(c, (uint64_t)e->screma.arrs.len);
		key_reductions(c, e->screma.scans);
		key_reductions(c, e->screma.reds);
		return;
	case E_hist:
		for EACH(HistOp, op, e->hist.ops)
			word(c, (uint64_t)op->dests.len << 32 | (uint64_t)op->space.len);
		return;
	case E_scatter:
		for EACH(ScatterDest, d, e->scatter.dests)
			word(c, (uint64_t)d->n_writes << 32 | (uint64_t)d->space.len);
		return;
	case E_flatmap:   word(c, (uint64_t)e->flatmap.n_data); return;
	case E_jvp:       word(c, (uint64_t)e->jvp.args.len << 1 | e->jvp.many); return;
	case E_vjp:       word(c, (uint64_t)e->vjp.args.len << 1 | e->vjp.many); return;
	case E_with_vjp:  word(c, (uint64_t)e->with_vjp.n_tape); return;
	case E_withacc:
		for EACH(AccInput, in, e->withacc.inputs)
			word(c, (uint64_t)in->arrs.len << 32 | (uint64_t)in->ne.len);
		return;
	case E_atom: case E_if_: case E_index: case E_concat: case E_reshape: case E_copy:
	case E_upd_acc: case E_assert_: case E_trace: case E_opaque: case E_alloc: case E_release:
	case N_FORM:
		return;
	}
}

static void key_body(Visit *v, Body *b)
{
	Cse *c = v->ctx;
	if (c->len > KEY_MAX)
		return;
	word(c, (uint64_t)b->stms.len << 32 | (uint64_t)b->res.len);
	for EACH(Stm, s, b->stms) {
		key_head(c, s->exp);
		word(c, (uint64_t)s->pat.len << 32 | (uint64_t)s->certs.len);
		stm_visit(s, v);
		if (c->len > KEY_MAX)
			return;
	}
	for EACH(Sub, r, b->res)
		key_sub(v, r);
}

static bool make_key(Cse *c, const Exp *e)
{
	c->len = c->n_local = 0;
	key_head(c, e);
	Visit v = {.sub = key_sub, .bind = key_bind, .body = key_body, .ctx = c};
	if (e->form == E_prim) // as below, for most statements
		for (int i = 0, n = prim_arity(e->prim.op); i < n; i++)
			key_sub(&v, (Sub *)&e->prim.x[i]);
	else
		exp_walk(e, &v);
	for EACH(Var, x, c->locals)
		c->local[x->id] = 0;
	c->locals.len = 0;
	return c->len <= KEY_MAX;
}

// ---- The table ----

static void link_entry(Cse *c, Entry *e)
{
	Entry **bucket = &c->buckets[e->hash & c->mask];
	e->next = *bucket;
	*bucket = e;
}

static void add_entry(Cse *c, uint64_t hash, const Stm *s)
{
	Entry *e = NEW(Entry, .hash = hash, .len = c->len, .pat = s->pat, .certs = s->certs,
	               .key = mem_dup(c->words, (size_t)c->len * sizeof *c->words));
	VEC_PUSH(&c->stack, e);
	if ((uint64_t)c->stack.len <= c->mask) {
		link_entry(c, e);
		return;
	}
	c->mask = c->mask * 2 + 1;
	c->buckets = NEW_ARRAY(Entry *, c->mask + 1);
	for EACH(Entry *, p, c->stack)
		link_entry(c, *p);
}

// The newest entry is the first of its bucket, so entries leave in the order they came.
static void shrink(Cse *c, int height)
{
	while (c->stack.len > height) {
		Entry *e = c->stack.at[--c->stack.len];
		c->buckets[e->hash & c->mask] = e->next;
	}
}

static bool is_array(Var v)
{
	Type t = vars[v.id].type;
	return t.kind != T_DATA || t.dims.len > 0;
}

static bool is_consumed(Cse *c, Var v)
{
	if (!c->has_alias)
		c->alias = alias_of(&c->some);
	c->has_alias = true;
	return alias_ever(&c->alias, v);
}

// Views of an array that is consumed are consumed with it, one like the other.
static bool are_mergeable(Cse *c, const Stm *s, Vars pat)
{
	if (s->exp->form == E_slice || s->exp->form == E_reshape || s->exp->form == E_rearrange)
		return true;
	for (int i = 0; i < pat.len; i++) {
		if (!is_array(pat.at[i]))
			continue;
		if (is_consumed(c, pat.at[i]) || is_consumed(c, s->pat.at[i]))
			return false;
	}
	return true;
}

static const Entry *find(Cse *c, uint64_t hash, const Stm *s)
{
	for (const Entry *e = c->buckets[hash & c->mask]; e; e = e->next)
		if (e->hash == hash && e->len == c->len && e->pat.len == s->pat.len &&
		    memcmp(e->key, c->words, (size_t)c->len * sizeof *c->words) == 0 &&
		    are_mergeable(c, s, e->pat))
			return e;
	return NULL;
}

// ---- Statements ----

static bool is_numbered(const Cse *c, const Exp *e)
{
	switch (e->form) {
	case E_prim: case E_convert: case E_index: case E_slice: case E_concat: case E_iota:
	case E_replicate: case E_reshape: case E_rearrange: case E_copy: case E_array:
		return true;
	case E_if_: case E_match: case E_loop: case E_call: case E_screma: case E_flatmap:
	case E_jvp: case E_vjp: case E_with_vjp:
		return !c->traces || !exp_has_effect(e);
	case E_atom: case E_update: case E_scratch: case E_hist: case E_scatter: case E_withacc:
	case E_upd_acc: case E_assert_: case E_trace: case E_opaque: case E_alloc: case E_release:
	case N_FORM:
		return false;
	}
	bug("no such form: %d", (int)e->form);
}

static bool merge(Cse *c, const Stm *s)
{
	if (!s->pat.len || vars_have_acc(s->pat) || !is_numbered(c, s->exp) || !make_key(c, s->exp))
		return false;
	uint64_t hash = hash_words(c->words, c->len);
	const Entry *e = find(c, hash, s);
	c->found |= e != NULL;
	if (!e || !may_rewrite()) {
		add_entry(c, hash, s);
		return false;
	}
	note_lost(&c->kept, s->certs, e->certs);
	for (int i = 0; i < s->pat.len; i++) {
		c->to[s->pat.at[i].id] = sub_var(e->pat.at[i]);
		c->replaced[s->pat.at[i].id] = true;
	}
	c->merged = true;
	return true;
}

static void replace(Visit *v, Sub *s)
{
	Cse *c = v->ctx;
	if (s->kind == S_VAR && c->replaced[s->var.id])
		*s = c->to[s->var.id];
}

static bool is_replaced(const Cse *c, Sub x)
{
	return x.kind == S_VAR && c->replaced[x.var.id];
}

// Is there anything to replace or to go into?  Most statements are operations, on other operands.
static bool is_to_change(const Cse *c, const Stm *s)
{
	const Exp *e = s->exp;
	if (!c->merged)
		return form_has(e->form, FORM_NEST) || e->form == E_call;
	if (e->form != E_prim || s->certs.len)
		return true;
	for (int i = 0, n = prim_arity(e->prim.op); i < n; i++)
		if (is_replaced(c, e->prim.x[i]))
			return true;
	return false;
}

static void cse_body(Visit *v, Body *b)
{
	Cse *c = v->ctx;
	int height = c->stack.len;
	Stms out = {NEW_ARRAY(Stm, b->stms.len), 0};
	for EACH(Stm, old, b->stms) {
		if (merge(c, old))
			continue;
		Stm s = *old;
		if (is_to_change(c, &s))
			stm_visit(&s, v);
		out.at[out.len++] = s;
	}
	shrink(c, height);
	b->stms = out;
	b->res = SLICE_DUP(Subs, b->res);
	for EACH(Sub, r, b->res)
		replace(v, r);
}

static void cse_fun(Visit *v, Fun *f)
{
	Cse *c = v->ctx;
	if (f->distinct == f->body.stms.at) {
		fun_new_callees(f, v->funs);
		return;
	}
	c->found = c->merged = false;
	fun_rewrite(f, v);
	if (!c->found)
		f->distinct = f->body.stms.at;
}

// The functions in which equal statements are looked for.
static Prog not_distinct(const Prog *prog)
{
	Prog some = {.stage = prog->stage, .funs = {NEW_ARRAY(Fun *, prog->funs.len), 0}};
	for EACH(Fun *, f, prog->funs)
		if ((*f)->distinct != (*f)->body.stms.at)
			some.funs.at[some.funs.len++] = *f;
	return some;
}

Prog *cse(Prog *prog)
{
	enum { FIRST = 256 };
	Map funs = {0};
	Cse *c = NEW(Cse, .some = not_distinct(prog), .mask = FIRST - 1,
	             .traces = prog_has_traces(prog));
	c->to = NEW_TABLE(Sub, n_vars);
	c->replaced = NEW_TABLE(bool, n_vars);
	c->local = NEW_TABLE(int, n_vars);
	c->buckets = NEW_ARRAY(Entry *, FIRST);
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.sub = replace, .body = cse_body, .funs = &funs, .copy = true, .share = true,
	           .ctx = c};
	for EACH(Fun *, f, out->funs)
		cse_fun(&v, *f);
	table_free(c->to);
	table_free(c->replaced);
	table_free(c->local);
	return keep_asserts(out, &c->kept);
}
