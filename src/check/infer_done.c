// The end of an inference, when all types are known.
//
// Replaces the metas in the tree by the types that were found, checks that literals fit their
// types, and issues the warnings that depend on types.
#include "check/infer.h"

#include <math.h>
#include <stdlib.h>

// ---- Literals ----

static bool float_fits(double value, PrimType t)
{
	return !isinf(scalar_float(t, value).f);
}

// Whether an integer literal, with its sign, is a value of the type.
static bool int_fits(uint64_t value, PrimType t, bool negated)
{
	int bits = 8 * primtype_size(t);
	if (is_float(t))
		return float_fits((double)value, t);
	if (is_unsigned(t))
		return negated ? value == 0 : bits == 64 || value >> bits == 0;
	return value <= (UINT64_C(1) << (bits - 1)) - 1 + negated;
}

static bool int_literal_fits(const Expr *e, PrimType t, bool negated)
{
	if (!e->int_lit.too_big)
		return int_fits(e->int_lit.value, t, negated);
	return is_float(t) && float_fits(strtod(e->int_lit.text, NULL), t);
}

static void check_literal(const Expr *e, bool negated)
{
	const Ty *t = e->type;
	if (t->kind != TY_PRIM)
		return;
	const char *sign = negated ? "-" : "";
	const char *shown = NULL;
	if (e->kind == EX_INT && !e->int_lit.suffixed && !int_literal_fits(e, t->prim, negated))
		shown = e->int_lit.too_big && e->int_lit.text ? e->int_lit.text
		      : text("%llu", (unsigned long long)e->int_lit.value);
	else if (e->kind == EX_CHAR && !int_fits(e->char_lit, t->prim, negated))
		shown = text("%lu", (unsigned long)e->char_lit);
	else if (e->kind == EX_FLOAT && !e->float_lit.suffixed &&
	         !float_fits(e->float_lit.value, t->prim))
		shown = e->float_lit.text ? e->float_lit.text : text("%g", e->float_lit.value);
	if (!shown)
		return;
	Diag *d = diag_error(e->span, "literal-out-of-bounds",
	                     "Literal %s%s out of bounds for inferred type %s.", sign, shown,
	                     primtype_name[t->prim]);
	if (e->kind == EX_INT && !e->int_lit.too_big && int_fits(e->int_lit.value, PT_I64, negated))
		diag_note(d, "Hint: a suffix gives it another type: \"%s%si64\".", sign, shown);
	fail_diag(d);
}

static bool is_literal(const Expr *e)
{
	return e->kind == EX_INT || e->kind == EX_FLOAT || e->kind == EX_CHAR;
}

// ---- Names ----

static void finish_inst(Inst *inst)
{
	if (!inst)
		return;
	for EACH(Ty *, t, inst->types)
		*t = ty_zonk(*t);
}

static bool has_array(Ty *t, void *none)
{
	return t->kind == TY_ARRAY ||
	       ((t->kind == TY_RECORD || t->kind == TY_SUM) && ty_any_part(t, has_array, none));
}

static void finish_use(Span span, const Binding *b, Inst *inst)
{
	finish_inst(inst);
	if (!b || !b->needs_equality || !has_array(inst->types.at[0], NULL))
		return;
	Diag *d = diag_warn(span, NULL, "Comparing arrays with \"%s\" is deprecated and will stop "
	                    "working in a future revision of the language.", b->name);
	diag_note(d, "Hint: \"%s (map2 (%s) xs ys)\" compares them element by element.",
	          b->name[0] == '!' ? "or" : "and", b->name);
}

// ---- Exclusive or, as if it were a power ----

// A literal of decimal digits with this value; a mask is written in another base, or with a type.
static bool is_decimal(const Expr *e, const char *digits)
{
	return e->kind == EX_INT && strcmp(span_text(e->span), digits) == 0;
}

static bool is_bit_operation(const Expr *e)
{
	e = strip_parens((Expr *)e);
	static const char *const ops[] = {"^", "&", "|", "<<", ">>", ">>>"};
	for (size_t i = 0; e->kind == EX_BINOP && i < sizeof ops / sizeof *ops; i++)
		if (strcmp(e->binop.op.name, ops[i]) == 0)
			return true;
	return e->kind == EX_NOT;
}

// The first or last operand of sums and products without parentheses, which bind more closely.
static const Expr *end_of_sum(const Expr *e, bool last)
{
	while (e->kind == EX_BINOP && strlen(e->binop.op.name) == 1 &&
	       strchr("+-*/", e->binop.op.name[0]))
		e = last ? e->binop.b : e->binop.a;
	return e;
}

// x ^ 2, 10 ^ n, x ^ 2 + y ^ 2: of signed integers, and not among other operations on bits; x ^ 1
// flips a bit.
static void warn_power(const Expr *e)
{
	const Binding *op = e->binop.binding;
	const Ty *t = e->type;
	if (!op || op->kind != BIND_INTRINSIC || strcmp(op->name, "^") != 0 ||
	    t->kind != TY_PRIM || !is_signed(t->prim))
		return;
	const Expr *a = end_of_sum(e->binop.a, true), *b = end_of_sum(e->binop.b, false);
	bool power = is_decimal(b, "2") || is_decimal(b, "3") || is_decimal(a, "2") ||
	             is_decimal(a, "10");
	if (!power || is_bit_operation(a) || is_bit_operation(b))
		return;
	Diag *d = diag_warn(e->span, "power-or-xor", "\"^\" is exclusive or, not a power.");
	diag_note(d, "Hint: a power is \"%s ** %s\"; write a mask in hexadecimal (0x2) to keep "
	          "\"^\".", show_expr(a), show_expr(b));
}

static void finish_binding(Binding *b)
{
	if (b)
		b->scheme.type = ty_zonk(b->scheme.type);
}

// ---- The walk ----

static void on_expr(Walk *w, Expr *e)
{
	(void)w;
	finish_expr(e);
}

static void on_pat(Walk *w, Pat *p)
{
	(void)w;
	finish_pat(p);
}

static void on_type(Walk *w, TypeExpr *t)
{
	(void)w;
	finish_type_expr(t);
}

static Walk children = {.expr = on_expr, .pat = on_pat, .type = on_type};

void finish_type_expr(TypeExpr *t)
{
	walk_type(&children, t);
}

void finish_pat(Pat *p)
{
	p->type = ty_zonk(p->type);
	if (p->kind == PAT_NAME)
		finish_binding(p->var.binding);
	walk_pat(&children, p);
}

static void finish_path(Path path)
{
	Expr e = {.kind = EX_SECTION_PATH, .path = path};
	walk_expr(&children, &e);
}

// What a let binds; gives the expression it is for.
static Expr *finish_let(Expr *e)
{
	if (e->kind == EX_LET) {
		finish_pat(e->let.pat);
		finish_expr(e->let.value);
		return e->let.body;
	}
	if (e->kind == EX_LET_UPDATE) {
		finish_inst(e->let_update.inst);
		finish_path(e->let_update.path);
		finish_expr(e->let_update.value);
		finish_binding(e->let_update.dst);
		return e->let_update.body;
	}
	for EACH(Pat *, p, e->let_fun.pats)
		finish_pat(*p);
	if (e->let_fun.ret)
		finish_type_expr(e->let_fun.ret);
	finish_expr(e->let_fun.value);
	finish_binding(e->let_fun.binding);
	e->let_fun.ret_type = ty_zonk(e->let_fun.ret_type);
	return e->let_fun.body;
}

// What an expression has of its own besides its type and its children.
static void finish_node(Expr *e)
{
	switch (e->kind) {
	case EX_INT: case EX_FLOAT: case EX_CHAR:
		check_literal(e, false);
		return;
	case EX_VAR:
		finish_use(e->span, e->var.binding, e->var.inst);
		return;
	case EX_BINOP:
		finish_use(e->span, e->binop.binding, e->binop.inst);
		e->binop.op_type = ty_zonk(e->binop.op_type);
		warn_power(e);
		return;
	case EX_SECTION_L: case EX_SECTION_R:
		finish_use(e->span, e->section.binding, e->section.inst);
		e->section.op_type = ty_zonk(e->section.op_type);
		return;
	case EX_HOLE:
		if (!e->hole.broken)
			diag_warn(e->span, NULL, "Hole of type: %s", show_ty(e->type));
		return;
	case EX_LAMBDA:
		e->lambda.ret_type = ty_zonk(e->lambda.ret_type);
		return;
	case EX_LOOP:
		finish_binding(e->loop.index_binding);
		if (e->loop.init_implied)
			finish_expr(e->loop.init_implied);
		return;
	case EX_ATTR:
		warn_attribute(e->attr.attr);
		return;
	case EX_BOOL: case EX_STRING: case EX_PAREN: case EX_TUPLE: case EX_RECORD: case EX_ARRAY:
	case EX_PROJECT: case EX_INDEX: case EX_OPEN: case EX_APPLY: case EX_NEG: case EX_NOT:
	case EX_CONSTR: case EX_ASCRIBE: case EX_COERCE: case EX_RANGE: case EX_IF: case EX_LET:
	case EX_LET_FUN: case EX_LET_UPDATE: case EX_MATCH: case EX_ASSERT: case EX_UPDATE:
	case EX_SECTION_PATH:
		return;
	}
}

// Chains of lets are walked along, not into.
void finish_expr(Expr *e)
{
	while (e->kind == EX_LET || e->kind == EX_LET_FUN || e->kind == EX_LET_UPDATE) {
		e->type = ty_zonk(e->type);
		e = finish_let(e);
	}
	e->type = ty_zonk(e->type);
	if (e->kind == EX_NEG && is_literal(e->inner)) {
		e->inner->type = ty_zonk(e->inner->type);
		check_literal(e->inner, true);
		return;
	}
	finish_node(e);
	walk_expr(&children, e);
}
