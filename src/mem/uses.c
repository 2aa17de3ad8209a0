// How the statements of a body use blocks: where each block is mentioned, loaded from and stored
// to, and which arrays lie in it.
//
// Nested statements count as part of the enclosing statement of the body.  Loads and stores are
// those of mem.h, Note [Which forms store]; passing a block as an operand may lead to both and
// counts as an access too.  Views are mentions, but not accesses.
#include "mem/uses.h"

#include <limits.h>

typedef struct { Uses u; int at; const Stm *by; BlockUse *last; } Walk;

static void walk_body(Visit *, Body *);

static BlockUse *use_of(Walk *w, Var m)
{
	bool again = w->last && w->last->block.id == m.id;
	BlockUse *u = again ? w->last : map_get(&w->u.of, var_key(m));
	if (!u) {
		u = NEW(BlockUse, .block = m, .first = w->at);
		map_put(&w->u.of, var_key(m), u);
		VEC_PUSH(&w->u.all, u);
	}
	w->last = u;
	u->last = w->at;
	return u;
}

static void access(Walk *w, Var m)
{
	BlockUse *u = use_of(w, m);
	if (!u->access.len || u->access.at[u->access.len - 1] != w->at)
		VEC_PUSH(&u->access, w->at);
}

static void access_array(Walk *w, Sub s)
{
	if (s.kind == S_VAR && vars[s.var.id].type.mem)
		access(w, vars[s.var.id].type.mem->block);
}

static void access_arrays(Walk *w, Subs subs)
{
	for EACH(Sub, s, subs)
		access_array(w, *s);
}

static void mention(Visit *v, Sub *s)
{
	if (s->kind != S_VAR)
		return;
	if (is_block(s->var))
		use_of(v->ctx, s->var);
	else if (vars[s->var.id].type.mem)
		use_of(v->ctx, vars[s->var.id].type.mem->block);
}

// Blocks that are passed on.
static void pass_on(Walk *w, Subs subs)
{
	for EACH(Sub, s, subs)
		if (s->kind == S_VAR && is_block(s->var)) {
			use_of(w, s->var)->n_operand++;
			access(w, s->var);
		}
}

static void give_results(Visit *v, Subs res)
{
	for EACH(Sub, r, res)
		mention(v, r);
	pass_on(v->ctx, res);
}

static void bind(Visit *v, Var *x)
{
	Walk *w = v->ctx;
	const MemLoc *at = vars[x->id].type.mem;
	if (at)
		VEC_PUSH(&use_of(w, at->block)->binders, (Binder){*x, w->at, w->by});
}

static void access_form(Walk *w, const Stm *s)
{
	const Exp *e = s->exp;
	Sub to = s->pat.len ? sub_var(s->pat.at[0]) : (Sub){0};
	switch (e->form) {
	case E_index:
		access_array(w, e->index.arr);
		return;
	case E_update:
		if (stm_is_in_place(s))
			return;
		access_array(w, e->update.arr);
		access_array(w, e->update.val);
		return;
	case E_copy:
		if (sub_type(e->copy.arr).mem && vars[to.var.id].type.mem &&
		    mem_eq(sub_type(e->copy.arr).mem, vars[to.var.id].type.mem))
			return;
		access_array(w, e->copy.arr);
		access_array(w, to);
		return;
	case E_replicate:
		access_array(w, e->replicate.x);
		access_array(w, to);
		return;
	case E_iota:
		access_array(w, to);
		return;
	case E_array:
		access_arrays(w, e->array.elems);
		access_array(w, to);
		return;
	case E_concat:
		access_arrays(w, e->concat.arrs);
		access_array(w, to);
		return;
	case E_call:
		pass_on(w, e->call.args);
		return;
	case E_loop:
		pass_on(w, e->loop.inits);
		return;
	case E_release:
		pass_on(w, (Subs){(Sub *)&e->release.block, 1});
		return;
	case E_trace:
		access_arrays(w, e->trace.xs);
		return;
	case E_assert_:
		for EACH(MsgPart, p, e->assert_.msg)
			if (p->is_val)
				access_array(w, p->val);
		return;
	default: // touches no memory
		return;
	}
}

static void walk_stm(Visit *v, Stm *s)
{
	Walk *w = v->ctx;
	const Stm *outer = w->by;
	if (s->exp->form == E_prim || s->exp->form == E_convert)
		return; // nothing about memory, as in most statements
	w->by = s;
	access_form(w, s);
	stm_visit(s, v);
	w->by = outer;
}

static void walk_body(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		walk_stm(v, s);
	give_results(v, b->res);
}

Uses uses_of_body(const Body *b)
{
	Walk w = {0};
	Visit v = {.sub = mention, .bind = bind, .body = walk_body, .ctx = &w};
	for (; w.at < b->stms.len; w.at++)
		walk_stm(&v, &b->stms.at[w.at]);
	give_results(&v, b->res);
	return w.u;
}

BlockUse *block_use(const Uses *u, Var block)
{
	return map_get(&u->of, var_key(block));
}

int next_access(const BlockUse *u, int from)
{
	int lo = 0, hi = u->access.len;
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (u->access.at[mid] < from)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < u->access.len ? u->access.at[lo] : INT_MAX;
}

void merge_access(BlockUse *into, const BlockUse *from)
{
	VEC(int) out = {0};
	int i = 0, k = 0;
	while (i < into->access.len || k < from->access.len) {
		bool left = k == from->access.len ||
		            (i < into->access.len && into->access.at[i] <= from->access.at[k]);
		int at = left ? into->access.at[i++] : from->access.at[k++];
		if (!out.len || out.at[out.len - 1] != at)
			VEC_PUSH(&out, at);
	}
	into->access.at = out.at;
	into->access.len = out.len;
	into->access.cap = out.cap;
}

void merge_use(Uses *u, BlockUse *into, const BlockUse *from)
{
	map_put(&u->of, var_key(from->block), NULL);
	into->first = into->first < from->first ? into->first : from->first;
	into->last = into->last > from->last ? into->last : from->last;
	VEC_APPEND(&into->binders, from->binders);
}

void drop_access(BlockUse *u, int at)
{
	int n = 0;
	for EACH(int, a, u->access)
		if (*a != at)
			u->access.at[n++] = *a;
	u->access.len = n;
}
