// Phase 4 on loops.
//
// A loop parameter is consuming if it is declared unique, or if it has no type annotation and
// the body consumes it or returns it for a consuming one.  The initial value of a consuming
// parameter is consumed by the loop, and what the body returns for it must be nobody else's:
// neither another returned value nor something from outside.  A parameter that is declared unique,
// but never consumed, may start as something that is not the program's to consume.  Results for
// other parameters may share memory with each other.
//
//   loop a for i < n do a with [0] = i          a is consuming: consumed by its own body
#include "check/consume.h"

// One variable bound by the loop's pattern.
typedef struct {
	Binding *var;
	Ty *type;
	enum { UNSAID, UNIQUE, NOT_UNIQUE } said;       // by an annotation
	bool consuming;
	Alias *init, *ret;
	AtomSet own;                                    // its atoms inside the body
} Leaf;
typedef VEC(Leaf) Leaves;

typedef struct { Consume *c; Leaves *out; } Collect;

static void collect(void *ctx, Pat *p, Alias *init, TypeExpr *by)
{
	const Collect *k = ctx;
	int said = !by ? UNSAID : by->ty && is_consuming(by->ty) ? UNIQUE : NOT_UNIQUE;
	alias_bind(k->c, p, &no_alias, said != NOT_UNIQUE);
	AtomSet own = alias_atoms(p->var.binding->aliases);
	for EACH(Atom *, a, own)
		(*a)->is_plain = said == NOT_UNIQUE;
	VEC_PUSH(k->out, (Leaf){.var = p->var.binding, .type = p->type, .said = said,
	                        .consuming = said == UNIQUE && ty_has_array(p->type),
	                        .init = init, .own = own});
}

// Gives each leaf its part of what the body returns, in the order of `collect`.
static void returned(void *ctx, Pat *p, Alias *ret, TypeExpr *said)
{
	Leaf **next = ctx;
	(void)p;
	(void)said;
	(*next)++->ret = ret;
}

// A parameter that is handed on to a consuming one is consumed in a later iteration:
//
//   loop (a, b) = ... do let a[0] = b[0] in (b, a)
static void hand_on(Leaves *leaves)
{
	for (bool again = true; again; ) {
		again = false;
		for EACH(Leaf, l, *leaves)
			for EACH(Leaf, o, *leaves)
				if (l->consuming && !o->consuming && o->said == UNSAID &&
				    set_common(alias_atoms(l->ret), o->own))
					again = o->consuming = true;
	}
}

static bool is_foreign(Consume *c, const Leaves *leaves, const Leaf *l, Atom *a)
{
	if (a->depth < c->depth)
		return true;
	for EACH(Leaf, o, *leaves)
		if (o != l && !o->consuming && set_common(o->own, set_of(a)))
			return true;
	return false;
}

// The body's results for consuming parameters must be their own.
static void check_returned(Consume *c, Expr *body, Leaves *leaves)
{
	AtomSet consumed = {0}, observed = {0};
	for EACH(Leaf, l, *leaves) {
		AtomSet ret = alias_atoms(l->ret);
		for EACH(Atom *, a, ret)
			if (l->consuming && is_foreign(c, leaves, l, *a))
				fail(body->span, "consuming-loop-param-aliases",
				     "Return value for consuming loop parameter \"%s\" "
				     "aliases %s.",
				     l->var->name, atom_name(*a));
		if (set_common(ret, consumed))
			fail(body->span, "loop-parameter-aliases-other",
			     "Return value for loop parameter \"%s\" "
			     "aliases other consumed loop parameter.",
			     l->var->name);
		if (l->consuming && set_common(ret, observed))
			fail(body->span, "aliases-previously-returned",
			     "Return value for consuming loop parameter \"%s\" "
			     "aliases previously returned value.",
			     l->var->name);
		AtomSet *seen = l->consuming ? &consumed : &observed;
		*seen = set_union(*seen, ret);
	}
}

// What a parameter may share memory with after any number of iterations, seen from outside.
static AtomSet final_atoms(Consume *c, const Leaves *leaves, const Leaf *l)
{
	AtomSet s = set_union(alias_atoms(l->init), alias_atoms(l->ret));
	for (int before = -1; s.len != before; ) {
		before = s.len;
		for EACH(Leaf, o, *leaves)
			if (set_common(s, o->own))
				s = set_union(s,
				              set_union(alias_atoms(o->init), alias_atoms(o->ret)));
	}
	AtomSet inner = {NEW_ARRAY(Atom *, s.len), 0};
	for EACH(Atom *, a, s)
		if ((*a)->depth > c->depth)
			inner.at[inner.len++] = *a;
	return set_without(s, inner);
}

static Origins loop_origins(const Leaves *leaves, Span span)
{
	Origins g = {.what = "loop", .span = span};
	for EACH(Leaf, l, *leaves)
		if (!l->consuming)
			origins_count(&g, ty_nonunique(l->type), ty_nonunique(l->type));
	return g;
}

// The alias of the loop's value, in the shape of its pattern.
static Alias *final_alias(Consume *c, const Leaves *leaves, Origins *origins, Pat *p, Leaf **next)
{
	switch (p->kind) {
	case PAT_NAME: {
		if (!p->var.binding)
			return &no_alias;
		Leaf *l = (*next)++;
		return l->consuming ? &no_alias
		     : alias_with_origins(c, origins, l->type, final_atoms(c, leaves, l));
	}
	case PAT_WILD:
	case PAT_LIT:
		return &no_alias;
	case PAT_TUPLE: case PAT_RECORD: {
		Alias *r = alias_record(p->type);
		FieldPats fields = pat_fields(p);
		for EACH(FieldPat, f, fields)
			alias_put_field(r, p->type, f->name,
			                final_alias(c, leaves, origins, f->pat, next));
		return r;
	}
	case PAT_CONSTR: {
		AtomSet s = {0};
		for EACH(Pat *, q, p->constr.args)
			s = set_union(s, alias_atoms(final_alias(c, leaves, origins, *q, next)));
		return alias_leaf(s);
	}
	case PAT_ASCRIBE: case PAT_ATTR: case PAT_PAREN:
		return final_alias(c, leaves, origins, p->inner, next);
	}
	bug("pattern of kind %d", p->kind);
}

static bool any_consumed(AtomSet s)
{
	for EACH(Atom *, a, s)
		if ((*a)->consumed)
			return true;
	return false;
}

// Is the initial value, outside of the loop, for the program to consume?
static bool is_own(const Consume *c, Alias *init)
{
	AtomSet s = alias_atoms(init);
	for EACH(Atom *, a, s)
		if (!(*a)->consumable || (*a)->depth < c->depth - 1)
			return false;
	return true;
}

// Nothing else may share memory with the initial value of a consuming parameter.
static void check_inits(Expr *init, const Leaves *leaves)
{
	for EACH(Leaf, l, *leaves) {
		AtomSet own = alias_atoms(l->init);
		if (l->consuming && self_aliased(l->init))
			fail(init->span, "self-aliasing-arg",
			     "Initial value of consuming loop parameter \"%s\" is self-aliased.",
			     l->var->name);
		for EACH(Leaf, o, *leaves)
			if (o != l && l->consuming && set_common(own, alias_atoms(o->init)))
				fail(init->span, "self-aliasing-arg",
				     "Initial value of consuming loop parameter \"%s\" "
				     "aliases that of \"%s\".",
				     l->var->name, o->var->name);
	}
}

// What a use in the body shares with the set: the variable used itself, if it is there.
static Atom *shared_by_use(const Consume *c, int at, AtomSet s)
{
	const Binding *used = c->seen.at[at].var;
	for (int i = at; i < c->seen.len && c->seen.at[i].var == used; i++) {
		Atom *a = c->seen.at[i].atom;
		if (a->var == used && set_common(s, set_of(a)))
			return a;
	}
	return set_common(s, set_of(c->seen.at[at].atom));
}

// The initial values of consuming parameters are gone; the body may not have used them.
static void consume_inits(Consume *c, Expr *e, Leaves *leaves, int seen_mark)
{
	Expr *init = e->loop.init ? e->loop.init : e->loop.init_implied;
	check_inits(init, leaves);
	for EACH(Leaf, l, *leaves) {
		if (!l->consuming)
			continue;
		AtomSet s = alias_atoms(l->init);
		for (int i = seen_mark; i < c->seen.len; i++) {
			Atom *gone = shared_by_use(c, i, s);
			if (gone)
				report_used_after(c, c->seen.at[i].span, c->seen.at[i].var, gone,
				                  init->span);
		}
		consume_alias(c, init->span, l->init);
	}
}

Alias *consume_loop(Consume *c, Expr *e)
{
	consume_pat_types(c, e->loop.pat);
	if (e->loop.kind == LOOP_IN)
		consume_pat_types(c, e->loop.elem);
	Alias *init = consume_expr(c, e->loop.init ? e->loop.init : e->loop.init_implied);
	Alias *elems = e->loop.kind == LOOP_WHILE ? &no_alias : consume_expr(c, e->loop.bound);
	int seen = c->seen.len;
	c->collecting++;
	c->depth++;
	Leaves leaves = {0};
	alias_names(e->loop.pat, init, NULL, collect, &(Collect){c, &leaves});
	if (e->loop.kind == LOOP_IN)
		alias_bind(c, e->loop.elem, alias_shaped(e->loop.elem->type, alias_atoms(elems)),
		           false);
	if (e->loop.kind == LOOP_WHILE) {
		c->depth++;             // the condition consumes nothing
		consume_expr(c, e->loop.bound);
		c->depth--;
	}
	Alias *ret = consume_expr(c, e->loop.body);
	for EACH(Leaf, l, leaves)
		l->consuming = any_consumed(l->own) || (l->consuming && is_own(c, l->init));
	Leaf *next = leaves.at;
	alias_names(e->loop.pat, ret, NULL, returned, &next);
	hand_on(&leaves);
	check_returned(c, e->loop.body, &leaves);
	c->depth--;
	c->collecting--;
	consume_inits(c, e, &leaves, seen);
	if (!c->collecting)
		c->seen.len = seen;
	next = leaves.at;
	Origins origins = loop_origins(&leaves, e->span);
	return final_alias(c, &leaves, &origins, e->loop.pat, &next);
}
