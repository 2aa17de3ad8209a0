// The pass `reuse`: merges blocks that are never live at the same time.
//
//     let (a: mem.f64) = alloc.f64 n                let (a: mem.f64) = alloc.f64 n
//     ... the last use of a                         ... the last use of a
//     let (b: mem.f64) = alloc.f64 n          ->
//     let (ys: [n]f64 @ b + 0) = ...                let (ys: [n]f64 @ a + 0) = ...
//
// Both blocks are allocated by one body and are used only as places of arrays; they have the same
// element type, and the second is no larger than the first.
//
// A loop may still read the first block while it writes the second, if it does so elementwise
// (elementwise.c).  In this way the value of a reduction of arrays is kept in one block: there a is
// the block of the loop parameter, owned by the iteration since the parameter is unique, and b is
// passed to the next iteration.  After the rewrite the loop passes on the block that it was given,
// which then is no longer a parameter.
//
// Requires: the MEM stage without releases.
#include "core/mention.h"
#include "mem/elementwise.h"
#include "mem/uses.h"
#include "opt/opt.h"

typedef struct {
	Edits edits;
	Map subst;                              // block -> Var *: what it has become
} Reuse;

static Var now(const Reuse *r, Var m)
{
	for (const Var *to; (to = map_get(&r->subst, var_key(m)));)
		m = *to;
	return m;
}

// Everything in one block is in the other from now on.
static void become(Reuse *r, Uses *uses, BlockUse *from, BlockUse *into)
{
	for EACH(Binder, b, from->binders) {
		MemLoc at = *vars[b->var.id].type.mem;
		at.block = into->block;
		vars[b->var.id].type.mem = mem_dup(&at, sizeof at);
	}
	map_put(&r->subst, var_key(from->block), mem_dup(&into->block, sizeof into->block));
	into->n_operand += from->n_operand;
	merge_use(uses, into, from);
	merge_access(into, from);
}

// ---- Bodies ----

typedef struct {
	Reuse *r;
	Body *body;
	Uses uses;
	VEC(int) made;                          // statements that make blocks others may move to
	Map owned;                              // blocks of parameters that may be overwritten
	const Exp *loop;                        // the one that was looked at last
	Map by_block;                           // its statements
	bool changed;
} Open;

static bool is_free(const BlockUse *u, int at)
{
	return u && !u->n_operand && u->last < at;
}

static bool large_enough(Sub have, Sub want)
{
	if (have.kind == S_CONST && want.kind == S_CONST)
		return have.val.i >= want.val.i && have.val.i <= 2 * want.val.i;
	return sub_eq(have, want);
}

// An earlier block that is free before statement `at`.
static BlockUse *free_block(Open *o, const Exp *alloc, int at)
{
	enum { MOST = 64 };
	for (int k = o->made.len; k-- > 0 && k >= o->made.len - MOST;) {
		const Stm *s = &o->body->stms.at[o->made.at[k]];
		BlockUse *u = block_use(&o->uses, s->pat.at[0]);
		if (s->exp->alloc.type == alloc->alloc.type && is_free(u, at) &&
		    large_enough(s->exp->alloc.n, alloc->alloc.n))
			return u;
	}
	return NULL;
}

static bool owned_or_made(const Open *o, Var m)
{
	if (map_has(&o->owned, var_key(m)))
		return true;
	for EACH(int, i, o->made)
		if (o->body->stms.at[*i].pat.at[0].id == m.id)
			return true;
	return false;
}

// A block that the first statement to access `to`, a block of this size, reads elementwise and
// for the last time.
static BlockUse *same_loop_block(Open *o, const BlockUse *to, Sub size)
{
	if (!to->access.len || to->access.at[0] >= o->body->stms.len)
		return NULL;
	int j = to->access.at[0];
	const Exp *loop = o->body->stms.at[j].exp;
	if (loop->form != E_loop || !sub_eq(loop->loop.n, size))
		return NULL;
	if (o->loop != loop) {
		o->loop = loop;
		o->by_block = stms_by_block(loop->loop.body.stms);
	}
	for EACH(BlockUse *, u, o->uses.all) {
		BlockUse *from = *u;
		MemLoc start = {from->block, sub_i64(0), {0}};
		if (from->last == j && from != to && !from->n_operand &&
		    block_use(&o->uses, from->block) == from && owned_or_made(o, from->block) &&
		    vars[from->block.id].type.elem == vars[to->block.id].type.elem &&
		    elementwise(loop, &o->by_block, &start, to->block, &(Map){0}))
			return from;
	}
	return NULL;
}

static void try_block(Open *o, int i)
{
	const Stm *s = &o->body->stms.at[i];
	BlockUse *to = block_use(&o->uses, s->pat.at[0]);
	if (!to || s->exp->alloc.stack || has_attr(s->attrs, ATTR_LOCAL))
		return;
	BlockUse *from = to->n_operand ? NULL : free_block(o, s->exp, to->first);
	if (!from)
		from = same_loop_block(o, to, s->exp->alloc.n);
	if (!from || !may_rewrite()) {
		VEC_PUSH(&o->made, i);
		return;
	}
	edit_drop(&o->r->edits, s->exp);
	become(o->r, &o->uses, to, from);
	merge_mentions(&o->by_block, to->block, from->block);
	o->changed = true;
}

// ---- Names of blocks ----

static void replace(Visit *v, Sub *s)
{
	if (s->kind == S_VAR && is_block(s->var))
		s->var = now(v->ctx, s->var);
}

static void rename_blocks(Reuse *r, Body *b)
{
	Visit v = {.sub = replace, .copy = true, .share = true, .ctx = r};
	body_visit(b, &v);
}

static void drop_sub(Subs *s, int i)
{
	*s = SLICE_DUP(Subs, *s);
	memmove(s->at + i, s->at + i + 1, (size_t)(s->len - i - 1) * sizeof *s->at);
	s->len--;
}

static void drop_var(Vars *s, int i)
{
	*s = SLICE_DUP(Vars, *s);
	memmove(s->at + i, s->at + i + 1, (size_t)(s->len - i - 1) * sizeof *s->at);
	s->len--;
}

static void set_name(Reuse *r, Var m, Sub to)
{
	map_put(&r->subst, var_key(m), mem_dup(&to.var, sizeof to.var));
}

// Blocks that each iteration gives on as it got them are no parameters.
static bool drop_constant_blocks(Reuse *r, Stm *s)
{
	Exp *e = s->exp;
	bool dropped = false;
	for (int i = e->loop.params.len; i-- > 0;) {
		Var p = e->loop.params.at[i];
		if (!is_block(p) || now(r, e->loop.body.res.at[i].var).id != p.id ||
		    !may_rewrite())
			continue;
		set_name(r, p, e->loop.inits.at[i]);
		set_name(r, s->pat.at[i], e->loop.inits.at[i]);
		drop_var(&e->loop.params, i);
		drop_sub(&e->loop.inits, i);
		drop_sub(&e->loop.body.res, i);
		drop_var(&s->pat, i);
		dropped = true;
	}
	return dropped;
}

// ---- All of it ----

// The blocks of unique parameters: what is in them is nobody else's.
static void add_owned(Map *owned, Vars params)
{
	for EACH(Var, p, params)
		if (vars[p->id].type.mem && vars[p->id].type.unique)
			for EACH(Var, m, params)
				if (m->id == vars[p->id].type.mem->block.id)
					map_put(owned, var_key(*m), owned);
}

static void do_body(Reuse *, Body *, Vars params);

static void do_branch(Visit *v, Body *b)
{
	do_body(v->ctx, b, (Vars){0});
}

static bool do_nested(Reuse *r, Stm *s)
{
	Visit v = {.body = do_branch, .ctx = r};
	if (s->exp->form != E_loop) {
		exp_visit(s->exp, &v);
		return false;
	}
	do_body(r, &s->exp->loop.body, s->exp->loop.params);
	return drop_constant_blocks(r, s);
}

static int n_allocs(const Body *b)
{
	int n = 0;
	for EACH(Stm, s, b->stms)
		n += s->exp->form == E_alloc;
	return n;
}

static void do_body(Reuse *r, Body *b, Vars params)
{
	bool renamed = false;
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST))
			renamed |= do_nested(r, s);
	if (renamed)
		rename_blocks(r, b);
	Open o = {.r = r, .body = b};
	add_owned(&o.owned, params);
	if (!n_allocs(b) || n_allocs(b) + o.owned.len < 2)
		return;                         // there are no two blocks
	o.uses = uses_of_body(b);
	for (int i = 0; i < b->stms.len; i++)
		if (b->stms.at[i].exp->form == E_alloc)
			try_block(&o, i);
	if (!o.changed)
		return;
	edit_body(&r->edits, b);
	rename_blocks(r, b);
}

static void look_for_blocks(Visit *v, Body *b)
{
	bool *found = v->ctx;
	*found |= n_allocs(b) > 1;
	for EACH(Stm, s, b->stms) {
		if (*found)
			return;
		if (s->exp->form == E_loop)
			for EACH(Var, p, s->exp->loop.params)
				*found |= is_block(*p);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

// Does a body see two blocks that might be one?
static bool has_blocks(const Fun *f)
{
	Map owned = {0};
	add_owned(&owned, f->params);
	bool found = owned.len && n_allocs(&f->body);
	Visit v = {.body = look_for_blocks, .ctx = &found};
	look_for_blocks(&v, (Body *)&f->body); // a walk: writes nothing
	return found;
}

Prog *reuse(Prog *prog)
{
	Prog *out = copy_arrays(prog, has_blocks);
	Reuse r = {0};
	for EACH(Fun *, f, out->funs)
		if (has_blocks(*f))
			do_body(&r, &(*f)->body, (*f)->params);
	return out;
}
