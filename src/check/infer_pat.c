// Inference of patterns.
//
// A pattern is inferred against the type of the value it takes apart; its own type differs
// from that at most by sizes and uniqueness, which come from ascriptions in it: the
// parameter (a: *[n]i32, i: i64) has the type (*[n]i32, i64).  The names of a pattern come
// into scope after all of it, so its own ascriptions do not see them, while those of
// later parameters do.
#include "check/infer.h"

static Ty *pat_type(Scope *, Pat *, Ty *expected);

static Ty *bind_name(Pat *p, Ty *expected)
{
	const Binding *old = map_get(infer->pat_seen, p->var.name);
	if (old)
		diag_error(p->span, NULL, "Name \"%s\" also bound at %s.", old->name,
		           show_span(old->span));
	Binding *b = binding_new(BIND_LOCAL, p->var.name, p->span);
	map_put(infer->pat_seen, b->name, b);
	b->scheme.type = ty_nonunique(expected);
	p->var.binding = b;
	VEC_PUSH(&infer->pat_names, b);
	return expected;
}

static Why why_pat(const Pat *p)
{
	return (Why){.kind = WHY_PAT, .span = p->span, .pat = p};
}

static Ty *tuple_type(Scope *s, Pat *p, Ty *expected)
{
	Ty *t = ty_resolve(expected);
	if (!ty_is_tuple(t) || t->record.len != p->tuple.len) {
		Tys parts = {NEW_ARRAY(Ty *, p->tuple.len), p->tuple.len};
		for (int i = 0; i < parts.len; i++)
			parts.at[i] = meta_new(p->tuple.at[i]->span, "t");
		t = ty_tuple(parts);
		Why why = why_pat(p);
		if (!unify_why(&why, expected, t))
			for EACH(TyField, f, t->record)
				f->type = ty_error;
	}
	TyFields fields = SLICE_DUP(TyFields, t->record);
	for (int i = 0; i < fields.len; i++)
		fields.at[i].type = pat_type(s, p->tuple.at[i], fields.at[i].type);
	return ty_record(fields);
}

static Ty *record_type(Scope *s, Pat *p, Ty *expected)
{
	TyFields fields = {NEW_ARRAY(TyField, p->record.len), p->record.len};
	Map seen = {0};
	bool wrong = false;
	for (int i = 0; i < fields.len; i++) {
		FieldPat f = p->record.at[i];
		const FieldPat *before = map_get(&seen, f.name);
		if (before)
			diag_error(f.span, NULL,
			           "Duplicate fields: \"%s\" is also defined at %s.", f.name,
			           show_span(before->span));
		if (f.name[0] == '_')
			diag_error(f.span, NULL, "Fields prefixed with underscore, such as \"%s\", "
			           "may not be matched.", f.name);
		wrong |= before || f.name[0] == '_';
		map_put(&seen, f.name, &p->record.at[i]);
		fields.at[i] = (TyField){f.name, meta_new(f.span, "t")};
	}
	Why why = why_pat(p);
	wrong = wrong || !unify_why(&why, expected, ty_record(fields));
	for (int i = 0; i < fields.len; i++)
		fields.at[i].type = pat_type(s, p->record.at[i].pat,
		                             wrong ? ty_error : fields.at[i].type);
	return wrong ? ty_error : ty_record(fields);
}

static Ty *constr_type(Scope *s, Pat *p, Ty *expected)
{
	Pats args = p->constr.args;
	Tys types = {NEW_ARRAY(Ty *, args.len), args.len};
	for (int i = 0; i < args.len; i++)
		types.at[i] = meta_new(args.at[i]->span, "t");
	Why why = why_pat(p);
	bool fits = need_constr_why(&why, expected, p->constr.name, types);
	for (int i = 0; i < args.len; i++)
		pat_type(s, args.at[i], fits ? types.at[i] : ty_error);
	return ty_nonunique(expected);
}

static Ty *ascribed_type(Scope *s, Pat *p, Ty *expected)
{
	Bindings exts = {0};
	Ty *t = infer_type(s, p->ascribe.type, &exts);
	Why why = why_pat(p);
	unify_why(&why, expected, t);
	pat_type(s, p->ascribe.pat, t);
	return t;
}

static Ty *pat_type(Scope *s, Pat *p, Ty *expected)
{
	Ty *t = NULL;
	switch (p->kind) {
	case PAT_NAME:
		t = bind_name(p, expected);
		break;
	case PAT_WILD:
		t = expected;
		break;
	case PAT_LIT: {
		Why why = why_pat(p);
		check_operand(s, &why, p->lit, expected);
		t = expected;
		break;
	}
	case PAT_TUPLE:
		t = tuple_type(s, p, expected);
		break;
	case PAT_RECORD:
		t = record_type(s, p, expected);
		break;
	case PAT_CONSTR:
		t = constr_type(s, p, expected);
		break;
	case PAT_ASCRIBE:
		t = ascribed_type(s, p, expected);
		break;
	case PAT_ATTR: case PAT_PAREN:
		t = pat_type(s, p->inner, expected);
		break;
	}
	return p->type = t;
}

// A size parameter and a value parameter may not share a name.
static void check_size_params(TypeParams also, int from)
{
	for EACH(TypeParam, tp, also)
		for (int i = from; tp->kind == TP_SIZE && i < infer->pat_names.len; i++) {
			const Binding *b = infer->pat_names.at[i];
			if (b->name == tp->name)
				diag_error(b->span, NULL, "Name \"%s\" also bound at %s.", b->name,
				           show_span(tp->span));
		}
}

void infer_pats(Scope *s, Pats pats, Ty *expected, TypeParams also, bool are_params)
{
	int base = infer->pat_names.len;
	Map *saved = infer->pat_seen;
	infer->pat_seen = NEW_ARRAY(Map, 1);
	for EACH(Pat *, p, pats) {
		int from = infer->pat_names.len;
		pat_type(s, *p, expected ? expected : meta_new((*p)->span, "t"));
		check_size_params(also, from);
		for (int i = from; i < infer->pat_names.len; i++) {
			infer->pat_names.at[i]->is_param = are_params;
			scope_bind(s, infer->pat_names.at[i]);
		}
	}
	infer->pat_names.len = base;
	infer->pat_seen = saved;
}

Binding *name_of_pat(const Pat *p)
{
	p = pat_plain(p);
	return p->kind == PAT_NAME ? p->var.binding : NULL;
}

// ---- Patterns as expressions: loop (x, {y}) for ... ----

static Expr *tuple_expr(const Pat *p)
{
	Exprs parts = {NEW_ARRAY(Expr *, p->tuple.len), p->tuple.len};
	for (int i = 0; i < parts.len; i++)
		parts.at[i] = expr_of_pat(p->tuple.at[i]);
	return NEW(Expr, .kind = EX_TUPLE, .span = p->span, .tuple = parts);
}

static Expr *record_expr(const Pat *p)
{
	FieldExprs fields = {NEW_ARRAY(FieldExpr, p->record.len), p->record.len};
	for (int i = 0; i < fields.len; i++) {
		FieldPat f = p->record.at[i];
		fields.at[i] = (FieldExpr){f.span, f.name, expr_of_pat(f.pat), false};
	}
	return NEW(Expr, .kind = EX_RECORD, .span = p->span, .record = fields);
}

Expr *expr_of_pat(const Pat *p)
{
	switch (p->kind) {
	case PAT_NAME:
		return NEW(Expr, .kind = EX_VAR, .span = p->span,
		           .var = {.name = {.name = p->var.name, .span = p->span}});
	case PAT_LIT:
		return p->lit;
	case PAT_TUPLE:
		return tuple_expr(p);
	case PAT_RECORD:
		return record_expr(p);
	case PAT_CONSTR: {
		Exprs args = {NEW_ARRAY(Expr *, p->constr.args.len), p->constr.args.len};
		for (int i = 0; i < args.len; i++)
			args.at[i] = expr_of_pat(p->constr.args.at[i]);
		return NEW(Expr, .kind = EX_CONSTR, .span = p->span,
		           .constr = {p->constr.name, p->constr.name_span, args});
	}
	case PAT_ASCRIBE: case PAT_ATTR: case PAT_PAREN:
		return expr_of_pat(p->inner);
	case PAT_WILD:
		fail(p->span, NULL, "A loop without initial value may not have wildcards in its "
		                    "pattern.");
	}
	bug("kind of pattern");
}
