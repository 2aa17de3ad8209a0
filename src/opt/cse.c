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
// alpha-renaming, and up to the order of operands where that does not matter.  Keys longer than a
// limit are not looked up, which keeps the cost of deep nests linear.
//
// Statements with effects are not merged, nor are arrays that are consumed anywhere, since each
// consumption needs an array of its own.  The simplifier also shares scalar operations and views;
// this pass handles larger statements, across whole functions.
#include "core/key.h"
#include "opt/alias.h"
#include "opt/opt.h"

enum { KEY_MAX = 1024 };

typedef struct {
	int next;                               // in its bucket, older: 1 + its place, or 0
	int len, key;                           // of its key, and where that begins in Cse.keys
	uint64_t hash;
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
	bool changed;                           // anything of the program
	int *local;                             // by variable: its number while a key is made, or 0
	int *buckets;                           // 1 + the place of the newest entry, or 0
	uint64_t mask;
	VEC(Entry) stack;                       // oldest first
	VEC(uint64_t) keys;                     // of all of these
	Key key;                                // the key being made
	int n_local;
	VEC(Var) locals;
	Map kept;                               // see kept.c
} Cse;

// ---- Keys ----

// What stands for an operand in keys; of constants, the value comes after it.
static uint64_t word_of(const Cse *c, Sub x)
{
	if (x.kind == S_CONST)
		return UINT64_C(1) << 63 | x.val.type;
	return c->local[x.var.id] ? UINT64_C(1) << 62 | (uint64_t)c->local[x.var.id] : x.var.id;
}

static Sub known_as(const Cse *c, Sub x)
{
	return x.kind == S_VAR && c->replaced[x.var.id] ? c->to[x.var.id] : x;
}

static void key_sub(Visit *v, Sub *s)
{
	Cse *c = v->ctx;
	Sub x = known_as(c, *s);
	if (x.kind == S_CONST)
		key_const(&c->key, x.val);
	else
		key_word(&c->key, word_of(c, x));
}

// The operation, with operands of which the order does not matter in that of their words.
static Exp *in_order(const Cse *c, Exp *e)
{
	if (e->form != E_prim || !prim_commutes(e->prim.op))
		return e;
	if (word_of(c, known_as(c, e->prim.x[0])) <= word_of(c, known_as(c, e->prim.x[1])))
		return e;
	Exp *turned = exp_dup(e);
	turned->prim.x[0] = e->prim.x[1];
	turned->prim.x[1] = e->prim.x[0];
	return turned;
}

static void key_binder(Visit *v, Var *x)
{
	Cse *c = v->ctx;
	c->local[x->id] = ++c->n_local;
	VEC_PUSH(&c->locals, *x);
	key_bind(&c->key, vars[x->id].type);
}

static void key_callee(Visit *v, Fun **f)
{
	Cse *c = v->ctx;
	key_word(&c->key, (uint64_t)(uintptr_t)*f);
}

static void key_body(Visit *v, Body *b)
{
	Cse *c = v->ctx;
	if (c->key.len > KEY_MAX)
		return;
	key_word(&c->key, (uint64_t)b->stms.len << 32 | (uint64_t)b->res.len);
	for EACH(Stm, s, b->stms) {
		Stm t = *s;
		t.exp = in_order(c, t.exp);
		key_head(&c->key, t.exp);
		key_word(&c->key, (uint64_t)t.pat.len << 32 | (uint64_t)t.certs.len);
		stm_visit(&t, v);
		if (c->key.len > KEY_MAX)
			return;
	}
	for EACH(Sub, r, b->res)
		key_sub(v, r);
}

static bool make_key(Cse *c, const Exp *e)
{
	c->key.len = c->n_local = 0;
	key_head(&c->key, e);
	Visit v = {.sub = key_sub, .bind = key_binder, .body = key_body,
	           .fun = key_callee, .ctx = c};
	if (e->form == E_prim) { // as below, for most statements
		const Exp *turned = in_order(c, (Exp *)e);
		for (int i = 0, n = prim_arity(e->prim.op); i < n; i++)
			key_sub(&v, (Sub *)&turned->prim.x[i]);
	} else {
		exp_walk(e, &v);
	}
	for EACH(Var, x, c->locals)
		c->local[x->id] = 0;
	c->locals.len = 0;
	return c->key.len <= KEY_MAX;
}

// ---- The table ----

static void link_entry(Cse *c, int at)
{
	Entry *e = &c->stack.at[at];
	int *bucket = &c->buckets[e->hash & c->mask];
	e->next = *bucket;
	*bucket = at + 1;
}

static void add_entry(Cse *c, uint64_t hash, const Stm *s)
{
	VEC_PUSH(&c->stack, (Entry){.hash = hash, .len = c->key.len, .key = c->keys.len,
	                            .pat = s->pat, .certs = s->certs});
	for (int i = 0; i < c->key.len; i++)
		VEC_PUSH(&c->keys, c->key.words[i]);
	if ((uint64_t)c->stack.len <= c->mask) {
		link_entry(c, c->stack.len - 1);
		return;
	}
	c->mask = c->mask * 2 + 1;
	c->buckets = NEW_ARRAY(int, c->mask + 1);
	for (int i = 0; i < c->stack.len; i++)
		link_entry(c, i);
}

// The newest entry is the first of its bucket, so entries leave in the order they came.
static void shrink(Cse *c, int height)
{
	while (c->stack.len > height) {
		const Entry *e = &c->stack.at[--c->stack.len];
		c->buckets[e->hash & c->mask] = e->next;
		c->keys.len = e->key;
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
	for (int i = c->buckets[hash & c->mask]; i; i = c->stack.at[i - 1].next) {
		const Entry *e = &c->stack.at[i - 1];
		if (e->hash == hash && e->len == c->key.len && e->pat.len == s->pat.len &&
		    memcmp(&c->keys.at[e->key], c->key.words,
		           (size_t)c->key.len * sizeof *c->key.words) == 0 &&
		    are_mergeable(c, s, e->pat))
			return e;
	}
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
	uint64_t hash = hash_words(c->key.words, c->key.len);
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
	c->merged = c->changed = true;
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

static void cse_fun(Visit *v, Fun *f, Fun *old)
{
	Cse *c = v->ctx;
	if (f->distinct == f->body.stms.at) {
		fun_new_callees(f, v->funs);
		return;
	}
	c->found = c->merged = false;
	fun_rewrite(f, v);
	if (c->found)
		return;
	f->distinct = f->body.stms.at;
	old->distinct = old->body.stms.at;
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
	uint64_t words[KEY_MAX];
	Cse *c = NEW(Cse, .some = not_distinct(prog), .mask = FIRST - 1,
	             .key = {.words = words, .room = KEY_MAX},
	             .traces = prog_has_traces(prog));
	c->to = NEW_TABLE(Sub, n_vars);
	c->replaced = NEW_TABLE(bool, n_vars);
	c->local = NEW_TABLE(int, n_vars);
	c->buckets = NEW_ARRAY(int, FIRST);
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.sub = replace, .body = cse_body, .funs = &funs, .copy = true, .share = true,
	           .ctx = c};
	for (int i = 0; i < out->funs.len; i++)
		cse_fun(&v, out->funs.at[i], prog->funs.at[i]);
	table_free(c->to);
	table_free(c->replaced);
	table_free(c->local);
	return c->changed ? keep_asserts(out, &c->kept) : prog;
}
