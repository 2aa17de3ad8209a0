// The rules of entry points: what can be called from outside.
//
// The parameters are those of the type, so that `entry f = map (+1)` has one.  A size
// parameter is found from the arguments, hence must be the plain size of some array:
//
//     entry f [k] (v: [k]i32) ...        fine
//     entry f [k] (v: [k+2]i32) ...      nonconstructive-entry
//     entry f [k] : [0][k]bool = []      size-polymorphic-entry
#include "check/size.h"

static bool has_accumulator(Ty *type)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_ABS)
		return is_acc_type(t->abs.def);
	if (t->kind == TY_RECORD)
		for EACH(TyField, f, t->record)
			if (has_accumulator(f->type))
				return true;
	if (t->kind == TY_SUM)
		for EACH(TyConstr, k, t->sum)
			for EACH(Ty *, a, k->args)
				if (has_accumulator(*a))
					return true;
	return false;
}

static void check_type(const ValDecl *v, Ty *t)
{
	if (has_accumulator(t))
		fail(v->name_span, NULL,
		     "Entry point functions may not use accumulators, as %s does.", show_ty(t));
	if (ty_has_function(t))
		fail(v->name_span, "higher-order-entry",
		     "Entry point functions may not be higher-order.\nHint: functions cannot be "
		     "passed in from outside; a number or a sum type may say which one to apply.");
}

static void check_size(const ValDecl *v, Binding *size, Ty *type)
{
	bool mentioned = false;
	Ty *t = ty_resolve(type);
	for (; t->kind == TY_ARROW; t = ty_resolve(t->arrow.to)) {
		if (is_constructive(t->arrow.from, size))
			return;
		mentioned |= sizes_mention(t->arrow.from, size);
	}
	if (mentioned)
		fail(v->name_span, "nonconstructive-entry",
		     "Entry point size parameter [%s] only used non-constructively.", size->name);
	if (sizes_mention(t, size))
		fail(v->name_span, "size-polymorphic-entry",
		     "Entry point functions must not be size-polymorphic in their return type.");
}

void check_entry(const Decl *d)
{
	const ValDecl *v = &d->val;
	const Scheme *s = &v->binding->scheme;
	int explicit = 0;
	for EACH(TypeParam, p, v->params)
		explicit += p->kind != TP_SIZE;
	// After errors elsewhere a type may be open just because something is not known.
	if (s->types.len > explicit && diag_count(D_ERROR))
		return;
	if (s->types.len) {
		Diag *e = diag_error(v->name_span, "polymorphic-entry",
		                     "Entry point functions may not be polymorphic.");
		if (!explicit)
			diag_note(e, "Hint: give the parameters types: \"entry %s (x: f64) ... = "
			          "...\".", v->name);
		else
			diag_note(e,
			          "Hint: make it a \"def\", and write an entry point for each type "
			          "that is needed: \"entry %s_f64 (x: f64) = %s x\".",
			          v->name, v->name);
		fail_diag(e);
	}
	Ty *t = ty_resolve(s->type);
	for (; t->kind == TY_ARROW; t = ty_resolve(t->arrow.to))
		check_type(v, t->arrow.from);
	check_type(v, t);
	for EACH(Binding *, size, s->sizes)
		check_size(v, *size, s->type);
}
