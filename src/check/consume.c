// Phase 4: uniqueness.  Aliases and consumption of one declaration.
//
// A function's declared unique result may not share memory with anything that the caller
// keeps; where no result type is written, a result that shares nothing is inferred unique.
//
//   def f (a: *[4]i32) = let b = a with [1] = 7 in (b, a[2])     error: a was consumed
#include "check/consume.h"

// An atom that someone else may still see: not consumable, or bound outside the function.
static Atom *foreign(Consume *c, AtomSet s)
{
	for EACH(Atom *, a, s)
		if (!(*a)->consumable || (*a)->depth < c->depth)
			return *a;
	return NULL;
}

// Walks type and alias together; `before` collects atoms of earlier components, `unique` those
// of earlier unique components.
static void check_unique(Consume *c, Span span, Ty *type, Alias *a, AtomSet *before,
                         AtomSet *unique)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_RECORD) {
		for EACH(TyField, f, t->record)
			check_unique(c, span, t->unique ? ty_unique(f->type) : f->type,
			             alias_field(a, t, f->name), before, unique);
		return;
	}
	AtomSet s = alias_atoms(a);
	if (t->unique) {
		Atom *other = foreign(c, s);
		if (other)
			fail(span, "return-aliased",
			     "Unique-typed return value is aliased to \"%s\", "
			     "which is not consumable.",
			     other->var->name);
	}
	if (set_common(*unique, s) || (t->unique && set_common(*before, s)))
		fail(span, "unique-return-aliased",
		     "A unique-typed component of the return value is aliased "
		     "to some other component.");
	*before = set_union(*before, s);
	if (t->unique)
		*unique = set_union(*unique, s);
}

void check_result(Consume *c, Span span, Ty *declared, Alias *a)
{
	AtomSet before = {0}, unique = {0};
	check_unique(c, span, declared, a, &before, &unique);
}

static Ty *unique_where_fresh(Consume *c, Ty *type, Alias *a, AtomSet *before)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_RECORD) {
		TyFields fields = SLICE_DUP(TyFields, t->record);
		for EACH(TyField, f, fields)
			f->type = unique_where_fresh(c, f->type, alias_field(a, t, f->name),
			                             before);
		Ty *r = NEW(Ty);
		*r = *t;
		r->record = fields;
		return r;
	}
	AtomSet s = alias_atoms(a);
	bool fresh = can_alias(t) && t->kind != TY_ARROW && !foreign(c, s) &&
		!set_common(*before, s);
	*before = set_union(*before, s);
	return fresh ? ty_unique(t) : t;
}

Ty *infer_unique_result(Consume *c, Ty *function, int n_params, Alias *result)
{
	Ty *t = ty_resolve(function);
	if (n_params == 0) {
		AtomSet before = {0};
		return unique_where_fresh(c, t, result, &before);
	}
	if (t->kind != TY_ARROW)
		return t;
	Ty *to = infer_unique_result(c, t->arrow.to, n_params - 1, result);
	if (to == ty_resolve(t->arrow.to))
		return t;
	Ty *r = NEW(Ty);
	*r = *t;
	r->arrow.to = to;
	return r;
}

static bool shows_array(Ty *type)
{
	Ty *t = ty_resolve(type);
	switch (t->kind) {
	case TY_ERROR:
	case TY_PRIM:
	case TY_ARROW:
	case TY_PARAM:
	case TY_ABS:
		return false;
	case TY_ARRAY:
	case TY_META:
		return true;
	case TY_RECORD:
		for EACH(TyField, f, t->record)
			if (shows_array(f->type))
				return true;
		return false;
	case TY_SUM:
		for EACH(TyConstr, k, t->sum)
			for EACH(Ty *, a, k->args)
				if (shows_array(*a))
					return true;
		return false;
	}
	bug("type of kind %d", t->kind);
}

// A closure may capture a constant; other results may not be one, as far as they are seen to hold
// arrays: what an abstract type hides is its module's business.
static void check_free(const ValDecl *d, Ty *type, Alias *result)
{
	Ty *t = ty_resolve(type);
	if (!shows_array(t))
		return;
	if (t->kind == TY_RECORD) {
		for EACH(TyField, f, t->record)
			check_free(d, f->type, alias_field(result, t, f->name));
		return;
	}
	AtomSet s = alias_atoms(result);
	for EACH(Atom *, a, s)
		if ((*a)->global) {
			Diag *e = diag_error(d->body->span, "alias-free-variable",
			                     "Function result aliases the free variable \"%s\".",
			                     (*a)->var->name);
			diag_note(e, "Use \"copy\" to break the aliasing.");
			fail_diag(e);
		}
}

void consume_val(ValDecl *d)
{
	Consume c = {0};
	AtomSet captured;
	Alias *r = consume_function(&c, d->pats, d->body, &captured);
	c.depth++;
	if (d->pats.len) {
		check_free(d, d->body->type, r);
		if (d->ret && d->ret_type)
			check_result(&c, d->body->span, d->ret_type, r);
		else
			d->binding->scheme.type =
				infer_unique_result(&c, d->binding->scheme.type, d->pats.len, r);
	} else if (d->ret && d->ret_type && is_consuming(d->ret_type)) {
		fail(d->ret->span, NULL, "A top-level constant cannot have a unique type.");
	}
}

void consume_closed_expr(Expr *e)
{
	Consume c = {0};
	consume_expr(&c, e);
}
