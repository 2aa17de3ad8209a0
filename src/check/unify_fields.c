// Unification of phase 1: the fields of records and the constructors of sums, which metas collect
// until their types are found.  See unify.c.
#include "check/infer.h"

#include <ctype.h>

Ty *find_field(TyFields fields, Name name)
{
	for EACH(TyField, f, fields)
		if (f->name == name)
			return f->type;
	return NULL;
}

bool u_field(Clash *c, Ty *t, Name field, Ty *type)
{
	t = ty_resolve(t);
	if (t->kind == TY_ERROR)
		return true;
	TyFields known = t->kind == TY_RECORD ? t->record
	               : t->kind == TY_META ? t->meta->fields : (TyFields){0};
	Ty *old = find_field(known, field);
	if (old)
		return u_types(c, old, type, false);
	if (t->kind == TY_META && !t->meta->overload && !t->meta->constrs.len) {
		TyField *at = NEW_ARRAY(TyField, known.len + 1);
		for (int i = 0; i < known.len; i++)
			at[i] = known.at[i];
		at[known.len] = (TyField){field, type};
		t->meta->fields = (TyFields){at, known.len + 1};
		return true;
	}
	const char *fields = text("{%s: %s}", field,
	                          ty_resolve(type)->kind == TY_META ? "_" : show_ty(type));
	c->message = text("Unknown field \"%s\".\nCannot unify record type with fields %s "
	                  "with %stype %s.", field, fields,
	                  t->kind == TY_RECORD ? "record " : "", show_partial(t));
	if (t->kind == TY_RECORD)
		c->note = hint_field(t->record, field);
	else if (t->kind == TY_META && t->meta->overload)
		c->note = text("%s%s", note_record_for_number(t->meta->overload, fields),
		               isdigit((unsigned char)*span_text(t->meta->span))
		               ? "\nHint: a number ends with a digit: \"1.0\", \"1.0e3\", \"1f32\"."
		               : "");
	else if (t->kind == TY_ARRAY && isdigit((unsigned char)field[0]))
		c->note =
			text("Hint: an index is in brackets: \"xs[%s]\", \"xs with [%s] = v\".",
		             field, field);
	else if (t->kind == TY_ARRAY || t->kind == TY_PRIM || t->kind == TY_ARROW)
		c->note = hint_method(t, field);
	return false;
}

TyConstr *find_constr(TyConstrs constrs, Name name)
{
	for EACH(TyConstr, k, constrs)
		if (k->name == name)
			return k;
	return NULL;
}

static const char *show_constr(Name name, Tys args)
{
	return show_ty(ty_sum((TyConstrs){&(TyConstr){name, args}, 1}));
}

bool clash_arity(Clash *c, Name name, int want, int have)
{
	c->note = text("Note: uses of constructor #%s differ in arity: it has %d argument%s here "
	               "and %d there.", name, want, want == 1 ? "" : "s", have);
	return false;
}

static bool u_payload(Clash *c, Name name, Tys want, Tys have)
{
	if (want.len != have.len) {
		return clash_arity(c, name, want.len, have.len);
	}
	for (int i = 0; i < want.len; i++)
		if (!u_types(c, want.at[i], have.at[i], false))
			return false;
	return true;
}

bool u_constr(Clash *c, Ty *t, Name name, Tys args)
{
	t = ty_resolve(t);
	if (t->kind == TY_ERROR)
		return true;
	TyConstrs known = t->kind == TY_SUM ? t->sum
	                : t->kind == TY_META ? t->meta->constrs : (TyConstrs){0};
	TyConstr *old = find_constr(known, name);
	if (old)
		return u_payload(c, name, old->args, args);
	if (t->kind == TY_META && !t->meta->overload && !t->meta->fields.len) {
		TyConstr *at = NEW_ARRAY(TyConstr, known.len + 1);
		for (int i = 0; i < known.len; i++)
			at[i] = known.at[i];
		at[known.len] = (TyConstr){name, args};
		t->meta->constrs = (TyConstrs){at, known.len + 1};
		return true;
	}
	if (!c->a) {
		c->a = t;
		c->note = text("Note: Cannot unify type with constructors %s with %s, which has "
		               "no such constructor.%s", show_constr(name, args), show_partial(t),
		               t->kind == TY_SUM ? hint_constr(t->sum, name) : "");
	}
	return false;
}
