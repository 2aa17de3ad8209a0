// Expressions with their numbers replaced by names, so that one piece of compiled code serves all
// numbers: f 10 + 1 becomes f n0 + n1, with n0 = 10 and n1 = 1.
//
// Numbers of the same type and value get the same name: where 10 is a size, all mentions of it are
// the same size still.  Not every expression can be abstracted in this way, since numbers may be
// sizes in types as well; whether it can is left to the checker.
#include "cli/cli.h"

typedef struct { uint32_t at; Binding *name; } Place;
typedef struct {
	Loc start;                      // of the text the expression is in
	VEC(Place) places;              // of numbers, counted from there
	VEC(Binding *) names;
	Values values;
} Numbers;

static Binding *name_of_number(Numbers *n, Scalar s)
{
	for (int i = 0; i < n->names.len; i++) {
		const Value *v = &n->values.at[i];
		Scalar have = value_get(v, 0);
		if (v->type == s.type && memcmp(&have.i, &s.i, sizeof s.i) == 0)
			return n->names.at[i];
	}
	Binding *b = binding_new(BIND_GLOBAL, name_of(text("number'%d", n->names.len)), NOWHERE);
	b->scheme.type = ty_prim(s.type);
	VEC_PUSH(&n->names, b);
	VEC_PUSH(&n->values, value_scalar(s));
	return b;
}

static void note_number(Walk *w, Expr *e)
{
	Numbers *n = w->ctx;
	if (e->kind != EX_INT && e->kind != EX_FLOAT) {
		walk_expr(w, e);
		return;
	}
	const Ty *t = e->type ? ty_resolve(e->type) : NULL;
	if (t && t->kind == TY_PRIM) {
		Binding *b = name_of_number(n, number_literal(e, t->prim));
		VEC_PUSH(&n->places, (Place){e->span.lo - n->start, b});
	}
}

static void name_number(Walk *w, Expr *e)
{
	Numbers *n = w->ctx;
	if (e->kind != EX_INT && e->kind != EX_FLOAT) {
		walk_expr(w, e);
		return;
	}
	for EACH(Place, p, n->places)
		if (p->at == e->span.lo - n->start) {
			Span span = e->span;
			*e = (Expr){.kind = EX_VAR, .span = span};
			e->var.name = (QualName){.name = p->name->name, .span = span};
			return;
		}
}

static void stay(Walk *w, TypeExpr *t)
{
	(void)w;
	(void)t;
}

Expr *abstract_numbers(Program *p, const Expr *e, Bindings also, Bindings *names, Values *values)
{
	const Source *from = source_of(e->span.lo);
	Source *again = from ? source_add(from->name, from->text, from->len) : NULL;
	Expr *fresh = again ? parse_expr_only(again) : NULL;
	if (!fresh || diag_count(D_ERROR)) {
		diag_reset();
		return NULL;
	}
	Numbers n = {.start = from->start};
	Walk note = {.expr = note_number, .type = stay, .ctx = &n};
	note_number(&note, (Expr *)e);
	n.start = again->start;
	Walk name = {.expr = name_number, .type = stay, .ctx = &n};
	name_number(&name, fresh);
	*names = (Bindings){n.names.at, n.names.len};
	*values = n.values;
	int mark = scope_mark(p->scope);
	for EACH(Binding *, b, also)
		scope_bind(p->scope, *b);
	for EACH(Binding *, b, *names)
		scope_bind(p->scope, *b);
	bool ok = program_type_expr(p, fresh);
	scope_leave(p->scope, mark, 0);
	diag_reset();
	return ok ? fresh : NULL;
}
