// Patterns: the sized types of the names they bind.
//
// A pattern is given the type of the value it takes apart.  Where nothing is known about the
// value, as for a parameter, the sizes come from ascriptions in the pattern and are variables
// elsewhere.
#include "check/size.h"

static const char of_pattern[] = "parameter type";

static Ty *name_pat(Sizer *z, Pat *p, Ty *t)
{
	Binding *b = p->var.binding;
	t = t ? t : fresh_sizes(z, p->type, p->span, of_pattern);
	b->scheme.type = ty_nonunique(t);
	b->level = z->level;
	return t;
}

static Ty *tuple_pat(Sizer *z, Pat *p, Ty *t, const Cause *why)
{
	Ty *record = t ? force_ty(t, z, p->span) : NULL;
	bool fits = record && record->kind == TY_RECORD && record->record.len == p->tuple.len;
	Tys parts = {NEW_ARRAY(Ty *, p->tuple.len), p->tuple.len};
	for (int i = 0; i < parts.len; i++)
		parts.at[i] = size_pat(z, p->tuple.at[i],
		                       fits ? record->record.at[i].type : record, why);
	return ty_tuple(parts);
}

static Ty *field_type(Ty *record, Name name)
{
	const TyField *f = ty_field(record, name);
	return f ? f->type : ty_error;
}

static Ty *record_pat(Sizer *z, Pat *p, Ty *t, const Cause *why)
{
	Ty *record = t ? force_ty(t, z, p->span) : NULL;
	TyFields fields = {NEW_ARRAY(TyField, p->record.len), p->record.len};
	for (int i = 0; i < fields.len; i++) {
		FieldPat f = p->record.at[i];
		fields.at[i] = (TyField){f.name,
			size_pat(z, f.pat, record ? field_type(record, f.name) : NULL, why)};
	}
	return ty_record(fields);
}

static Ty *constr_pat(Sizer *z, Pat *p, Ty *t, const Cause *why)
{
	t = t ? t : fresh_sizes(z, p->type, p->span, of_pattern);
	Ty *sum = force_ty(t, z, p->span);
	Tys args = {0};
	if (sum->kind == TY_SUM)
		for EACH(TyConstr, c, sum->sum)
			if (c->name == p->constr.name)
				args = c->args;
	for (int i = 0; i < p->constr.args.len; i++)
		size_pat(z, p->constr.args.at[i], i < args.len ? args.at[i] : ty_error, why);
	return t;
}

static Ty *ascribed_pat(Sizer *z, Pat *p, Ty *t, const Cause *why)
{
	Ty *declared = annotated(z, p->ascribe.type, "explicit type ascription");
	if (t) {
		Cause here = why ? *why : (Cause){.kind = FOR_PAT, .span = p->span, .pat = p};
		require_match(z, &here, declared, t);
	}
	size_pat(z, p->ascribe.pat, declared, why);
	return declared;
}

Ty *size_pat(Sizer *z, Pat *p, Ty *t, const Cause *why)
{
	switch (p->kind) {
	case PAT_NAME: t = name_pat(z, p, t); break;
	case PAT_WILD: t = t ? t : fresh_sizes(z, p->type, p->span, of_pattern); break;
	case PAT_LIT: t = t ? t : p->type; break;
	case PAT_TUPLE: t = tuple_pat(z, p, t, why); break;
	case PAT_RECORD: t = record_pat(z, p, t, why); break;
	case PAT_CONSTR: t = constr_pat(z, p, t, why); break;
	case PAT_ASCRIBE: t = ascribed_pat(z, p, t, why); break;
	case PAT_ATTR: case PAT_PAREN: t = size_pat(z, p->inner, t, why); break;
	}
	return p->type = t;
}
