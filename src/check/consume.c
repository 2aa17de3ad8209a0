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
		if (other) {
			Diag *d = diag_error(span, "return-aliased",
			                     "Unique-typed return value is aliased to %s, which "
			                     "is not consumable.", atom_name(other));
			diag_note(d, "Hint: return a copy (\"copy\"), or leave out the '*' of the "
			          "result.");
			fail_diag(d);
		}
	}
	if (set_common(*unique, s) || (t->unique && set_common(*before, s)))
		fail(span, "unique-return-aliased",
		     "A unique-typed component of the return value is aliased "
		     "to some other component.");
	*before = set_union(*before, s);
	if (t->unique)
		*unique = set_union(*unique, s);
}

void check_declared(Consume *c, Expr *body, Ty *declared, Alias *a)
{
	AtomSet before = {0}, unique = {0};
	check_function(body, declared);
	check_unique(c, body->span, declared, a, &before, &unique);
}

// In how many parts of the value each atom is.
static void count_atoms(Ty *type, Alias *a, Map *parts)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_RECORD) {
		for EACH(TyField, f, t->record)
			count_atoms(f->type, alias_field(a, t, f->name), parts);
		return;
	}
	AtomSet s = alias_atoms(a);
	for EACH(Atom *, x, s)
		map_put(parts, *x, (void *)((uintptr_t)map_get(parts, *x) + 1));
}

static bool is_alone(const Map *parts, AtomSet s)
{
	for EACH(Atom *, x, s)
		if ((uintptr_t)map_get(parts, *x) > 1)
			return false;
	return true;
}

static Ty *unique_where_fresh(Consume *c, Ty *type, Alias *a, const Map *parts)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_RECORD) {
		Ty *r = mem_dup(t, sizeof *t);
		r->record = SLICE_DUP(TyFields, t->record);
		for EACH(TyField, f, r->record)
			f->type = unique_where_fresh(c, f->type, alias_field(a, t, f->name), parts);
		return r;
	}
	AtomSet s = alias_atoms(a);
	bool fresh = ty_has_array(t) && t->kind != TY_ARROW && !foreign(c, s) && is_alone(parts, s);
	return fresh ? ty_unique(t) : t;
}

Ty *infer_unique_result(Consume *c, Ty *function, int n_params, Alias *result)
{
	Ty *t = ty_resolve(function);
	if (n_params == 0) {
		Map parts = {0};
		count_atoms(t, result, &parts);
		return unique_where_fresh(c, t, result, &parts);
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

static bool shows_array(Ty *type, void *none)
{
	Ty *t = ty_resolve(type);
	return t->kind == TY_ARRAY || t->kind == TY_META ||
	       ((t->kind == TY_RECORD || t->kind == TY_SUM) && ty_any_part(t, shows_array, none));
}

// A closure may capture a constant; other results may not be one, as far as they are seen to hold
// arrays: what an abstract type hides is its module's business.
void check_free(Span span, Ty *type, Alias *result)
{
	Ty *t = ty_resolve(type);
	if (!shows_array(t, NULL))
		return;
	if (t->kind == TY_RECORD) {
		for EACH(TyField, f, t->record)
			check_free(span, f->type, alias_field(result, t, f->name));
		return;
	}
	AtomSet s = alias_atoms(result);
	for EACH(Atom *, a, s)
		if ((*a)->global) {
			Diag *e = diag_error(span, "alias-free-variable",
			                     "Function result aliases the free variable \"%s\".",
			                     (*a)->var->name);
			diag_note(e, "Use \"copy\" to break the aliasing.");
			fail_diag(e);
		}
}

// A * as written: one in an argument of a type is that type's business.
static bool says_unique(const TypeExpr *te)
{
	switch (te->kind) {
	case TE_UNIQUE:
		return true;
	case TE_PAREN:
		return says_unique(te->inner);
	case TE_EXISTS:
		return says_unique(te->exists.type);
	case TE_TUPLE:
		for EACH(TypeExpr *, t, te->tuple)
			if (says_unique(*t))
				return true;
		return false;
	case TE_RECORD:
		for EACH(FieldType, f, te->record)
			if (says_unique(f->type))
				return true;
		return false;
	case TE_SUM:
		for EACH(ConstrType, k, te->sum)
			for EACH(TypeExpr *, t, k->args)
				if (says_unique(*t))
					return true;
		return false;
	case TE_NAME: case TE_APPLY: case TE_ARRAY: case TE_ARROW: case TE_SIZE:
		return false;
	}
	bug("type expression of kind %d", te->kind);
}

// A function that the definition gives, or that is part of what it gives.
static void know_result(ValDecl *d, Ty *type)
{
	d->binding->scheme.type = ty_has_function(d->body->type)
	                        ? with_known_result(type, d->pats.len, d->body) : type;
}

static int walks;

void consume_val(ValDecl *d)
{
	Consume c = {.walk = ++walks};
	AtomSet captured;
	int errors = diag_errors_made();
	Alias *r = consume_function(&c, d->pats, d->body, &captured);
	if (diag_errors_made() > errors)
		fail_diag(NULL);
	c.depth++;
	consume_type(&c, d->ret);
	if (d->pats.len) {
		if (d->keyword != VAL_ENTRY)    // what these give leaves the program
			check_free(d->body->span, d->body->type, r);
		if (d->ret && d->ret_type)
			check_declared(&c, d->body, d->ret_type, r);
		else
			know_result(d, infer_unique_result(&c, d->binding->scheme.type,
			                                   d->pats.len, r));
	} else if (d->ret && d->ret_type && is_consuming(d->ret_type) && says_unique(d->ret)) {
		fail(d->ret->span, NULL, "A top-level constant cannot have a unique type.");
	} else if (d->ret && d->ret_type) {
		check_function(d->body, d->ret_type);
	} else {
		know_result(d, d->binding->scheme.type);
	}
}

void consume_closed_expr(Expr *e)
{
	Consume c = {.walk = ++walks};
	int errors = diag_errors_made();
	consume_expr(&c, e);
	if (diag_errors_made() > errors)
		fail_diag(NULL);
}
