// A body whose writes `shortcircuit` looks at: what accesses which block between two statements,
// and what can be known, or moved, before a statement.
#include "mem/shortcircuit.h"

static const void *class_key(uint32_t c)
{
	return (const void *)(uintptr_t)(c + 1);
}


// ---- An open body ----

void open_uses(Short *c, Open *o)
{
	o->uses = uses_of_body(o->body);
	o->classes = (Map){0};
	for EACH(BlockUse *, u, o->uses.all) {
		const void *key = class_key(block_class(c->aliases, (*u)->block));
		UseVec *v = map_get(&o->classes, key);
		if (!v) {
			v = NEW_ARRAY(UseVec, 1);
			map_put(&o->classes, key, v);
		}
		VEC_PUSH(v, *u);
	}
}

static bool may_stop(const Stm *s)
{
	return s->exp->form == E_assert_ || s->exp->form == E_trace || s->exp->form == E_call;
}

static const int *count_stops(const Body *b)
{
	int *n = NEW_ARRAY(int, b->stms.len + 1);
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		n[i + 1] = n[i] + (may_stop(s) || exp_find(s->exp, may_stop));
	}
	return n;
}

Open open_body(Short *c, Body *b)
{
	Open o = {.body = b};
	open_uses(c, &o);
	for (int i = 0; i < b->stms.len; i++)
		for EACH(Var, v, b->stms.at[i].pat)
			map_put(&o.defs, var_key(*v), NEW(Def, i, &b->stms.at[i]));
	return o;
}

// What binds a variable of this body, or NULL.
const Def *open_def(const Open *o, Var v)
{
	return map_get(&o->defs, var_key(v));
}

Parts parts_of(const Short *c)
{
	return (Parts){{defs_in_map(&c->scalars), &c->sizes, &c->counters}, &c->views,
	               &c->origins};
}

// Is statement i a loop that may compute v there, the first to store anything into its block?
static bool computes_there(const Short *c, const Open *o, int i, Var v, const Region *part)
{
	const BlockUse *own = block_use(&o->uses, vars[v.id].type.mem->block);
	return own && next_access(own, 0) >= i &&
	       loop_may_write(parts_of(c), &o->body->stms.at[i], v, part);
}

// Is statement i the branch that gives v, and reads other parts alone?
static bool chooses_there(const Short *c, const Open *o, int i, Var v, const Region *part)
{
	const Def *d = open_def(o, v);
	return d && d->at == i &&
	       branch_may_write(parts_of(c), &o->body->stms.at[i], v, part);
}

static bool use_touches(const Short *c, const Open *o, const BlockUse *u, const Region *part,
                        Var v, int from, int to)
{
	bool same_name = u->block.id == part->base.block.id;
	for (int i = next_access(u, from); i < to; i = next_access(u, i + 1))
		if (!same_name || (!stm_is_elsewhere(parts_of(c), &o->body->stms.at[i], v, part) &&
		                   !computes_there(c, o, i, v, part) &&
		                   !chooses_there(c, o, i, v, part)))
			return true;
	return false;
}

// Does a statement from `from` on and before `to` access what may be this part?
bool touched(const Short *c, const Open *o, const Region *part, Var v, int from, int to)
{
	Var block = part->base.block;
	const UseVec *same = map_get(&o->classes, class_key(block_class(c->aliases, block)));
	for (int i = 0; same && i < same->len; i++)
		if (block_use(&o->uses, same->at[i]->block) == same->at[i] &&
		    blocks_may_alias(c->aliases, block, same->at[i]->block) &&
		    use_touches(c, o, same->at[i], part, v, from, to))
			return true;
	for EACH(Moved, w, o->moved)
		if (blocks_may_alias(c->aliases, block, w->part.base.block) &&
		    next_access(w->use, from) < to &&
		    !regions_disjoint(parts_of(c), &w->part, part))
			return true;
	return false;
}

// ---- Operands that are needed early ----

static bool available(const Open *o, Sub s, int k, StmRefs *moved);

// Moves once, and in order: all that may end the program between here and there moves too.
static bool can_pass(const Open *o, const Stm *s, int k, const StmRefs *moved)
{
	const Def *d = open_def(o, s->pat.at[0]);
	int n = o->stops[d->at] - o->stops[k];
	for EACH(Stm *, m, *moved)
		n -= (*m)->exp->form == E_assert_;
	return s == &o->body->stms.at[d->at] && n == 0;
}

static bool message_available(const Open *o, const Exp *e, int k, StmRefs *moved)
{
	for EACH(MsgPart, p, e->assert_.msg)
		if (p->is_val && !available(o, p->val, k, moved))
			return false;
	return true;
}

static bool operands_available(const Open *o, const Exp *e, int k, StmRefs *moved)
{
	switch (e->form) {
	case E_prim:
		for (int i = 0; i < prim_arity(e->prim.op); i++)
			if (!available(o, e->prim.x[i], k, moved))
				return false;
		return !prim_can_fail(e->prim.op, e->prim.at);
	case E_convert:
		return available(o, e->convert.x, k, moved);
	case E_alloc:
		return available(o, e->alloc.n, k, moved);
	case E_assert_:
		return available(o, e->assert_.cond, k, moved) && message_available(o, e, k, moved);
	default: // stays where it is
		return false;
	}
}

// Is the operand known before statement k, once the statements `moved` have moved there?
static bool available(const Open *o, Sub s, int k, StmRefs *moved)
{
	const Def *d = s.kind == S_VAR ? open_def(o, s.var) : NULL;
	if (!d || d->at < k)
		return true;
	for EACH(Stm *, m, *moved)
		if (*m == d->stm)
			return true;
	for EACH(Var, cert, d->stm->certs)
		if (!available(o, sub_var(*cert), k, moved))
			return false;
	if (!operands_available(o, d->stm->exp, k, moved) ||
	    (d->stm->exp->form == E_assert_ && !can_pass(o, d->stm, k, moved)))
		return false;
	VEC_PUSH(moved, d->stm);
	return true;
}

static bool all_available(const Open *o, Subs subs, int k, StmRefs *moved)
{
	for EACH(Sub, s, subs)
		if (!available(o, *s, k, moved))
			return false;
	return true;
}

// Everything that the place of a part of an array is computed from.
bool place_available(const Open *o, Type t, Slices at, int k, StmRefs *moved)
{
	bool ok = available(o, sub_var(t.mem->block), k, moved) &&
	          available(o, t.mem->offset, k, moved) &&
	          all_available(o, t.mem->strides, k, moved) &&
	          all_available(o, t.dims, k, moved);
	for (int i = 0; ok && i < at.len; i++)
		ok = available(o, at.at[i].start, k, moved) &&
		     (at.at[i].fixed || available(o, at.at[i].step, k, moved));
	return ok;
}

// The assertions of a statement, in the order of the program.
bool certs_available(Open *o, Vars certs, int k, StmRefs *moved)
{
	int at = k;
	if (!o->stops) // the place may have assertions of its own
		o->stops = count_stops(o->body);
	for (Var next;; at = open_def(o, next)->at + 1) {
		next = (Var){0};
		for EACH(Var, c, certs) {
			const Def *d = open_def(o, *c);
			if (d && d->at >= at && (!next.id || d->at < open_def(o, next)->at))
				next = *c;
		}
		if (!next.id)
			return true;
		if (!available(o, sub_var(next), k, moved))
			return false;
	}
}

void open_note(Short *c, Open *o, Stm s, int at)
{
	Stm *copy = mem_dup(&s, sizeof s);
	for EACH(Var, v, s.pat) {
		map_put(&o->defs, var_key(*v), NEW(Def, at, copy));
		if (s.exp->form == E_prim)
			map_put(&c->scalars, var_key(*v), s.exp);
	}
}

void add_before(Short *c, Open *o, Stm s, int k)
{
	edit_before(&c->edits, o->body->stms.at[k].exp, s);
	open_note(c, o, s, k - 1);
}

void add_all_before(Short *c, Open *o, Stms new_, int k)
{
	for EACH(Stm, s, new_)
		add_before(c, o, *s, k);
}

void move_before(Short *c, Open *o, const Stm *s, int k)
{
	Stm copy = *s;
	edit_drop(&c->edits, s->exp);
	copy.exp = exp_dup(s->exp);
	add_before(c, o, copy, k);
}
