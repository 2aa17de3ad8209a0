// Inference of names, application, operators and sections.
//
// A use of a polymorphic name instantiates its type parameters with fresh metas, on which
// the lifting of the parameter and overloading are demands.  The built-in operators are
// overloaded bindings of the shape t -> t -> t or t -> t -> bool; for these the
// operands' own type serves as the instance, which saves a meta for each.
#include "check/infer.h"

#include <ctype.h>

// ---- Instantiation ----

// Messages call the instance of 'a a₃; invented parameters (t₀) have a number already.
static const char *hint_of(const TypeDef *def)
{
	size_t n = strlen(def->name);
	return n && (unsigned char)def->name[n - 1] < 0x80 ? def->name : "t";
}

static Ty *instance_of(const TypeDef *def, Span span)
{
	Ty *t = meta_new(span, hint_of(def));
	if (def->lifting != LIFT_FULL) {
		t->meta->no_function = true;
		t->meta->is_element = def->lifting == LIFT_NONE;
		t->meta->why = why_instance;
	}
	return t;
}

// to_bits and from_bits relate two types of the same width.
static void note_bits_use(const Binding *b, Span span, const Inst *inst)
{
	bool from = strcmp(b->intrinsic, "from_bits") == 0;
	if (from || strcmp(b->intrinsic, "to_bits") == 0)
		VEC_PUSH(&infer->bits_uses,
		         (BitsUse){span, inst->types.at[from], inst->types.at[!from]});
}

Ty *instantiate(Binding *b, Span span, Inst **inst)
{
	if (b->kind == BIND_INTRINSIC)
		intrinsic_force(b);
	*inst = inst_of(&b->scheme);
	if (!b->scheme.types.len)
		return b->scheme.type;
	Subst subst = {0};
	for (int i = 0; i < b->scheme.types.len; i++) {
		TypeDef *def = b->scheme.types.at[i];
		Ty *t = instance_of(def, span);
		(*inst)->types.at[i] = t;
		map_put(&subst.types, def, t);
	}
	if (b->overload)
		need_overload(span, (*inst)->types.at[0], b->overload, NULL);
	if (b->needs_equality)
		need_equality(span, (*inst)->types.at[0]);
	if (b->kind == BIND_INTRINSIC && b->scheme.types.len == 2)
		note_bits_use(b, span, *inst);
	return ty_subst(&subst, b->scheme.type);
}

// ---- Names ----

static Ty *logic_type(void)
{
	Ty *b = ty_prim(PT_BOOL);
	return ty_arrow(NULL, b, (Bindings){0}, ty_arrow(NULL, b, (Bindings){0}, b));
}

Ty *infer_var(Scope *s, Expr *e)
{
	if (e->var.is_op && !e->var.name.quals.len && is_logic_operator(e->var.name.name))
		return logic_type();
	Binding *b = e->var.binding = find_value(s, e->var.name, &e->var.fields);
	Ty *t = instantiate(b, e->span, &e->var.inst);
	if (b == infer->self)
		VEC_PUSH(&infer->self_uses, (SelfUse){e, {0}});
	for EACH(Name, f, e->var.fields)
		t = field_of(e->span, t, *f);
	return t;
}

// ---- Application ----

// Reads t as a function type; an unknown type becomes one.  NULL: not a function.
static Ty *as_arrow(Ty *t, Span span)
{
	t = ty_resolve(t);
	if (t->kind == TY_ARROW)
		return t;
	if (t->kind != TY_META || t->meta->overload || t->meta->fields.len || t->meta->constrs.len)
		return NULL;
	Ty *arrow = ty_arrow(NULL, meta_new(span, "arg"), (Bindings){0}, meta_new(span, "res"));
	unify((Reason){span, NULL}, t, arrow);
	return arrow;
}

// True if it is an operator written as a word, of which the other errors are consequences.
static bool report_not_function(const Expr *e, Ty *t, int n_given)
{
	Diag *d = diag_error(e->span, NULL,
	                     "Cannot apply expression as function, as it has non-function "
	                     "type:\n  %s", show_partial(ty_nonunique(t)));
	return hint_no_function(d, e, t, n_given);
}

// Infers what is part of something that has been reported already: no further errors from it.
static void infer_quietly(Scope *s, Expr *e)
{
	int before = diags.len;
	infer_exp(s, e);
	diag_forget(before);
}

// The type of an application after an error in it: that of the result, if it does not depend on
// the arguments.
static Ty *type_after_error(const Expr *e, Ty *t)
{
	const Expr *fn = strip_parens(e->apply.fn);
	const Binding *b = fn->kind == EX_VAR ? fn->var.binding : NULL;
	return b && b->kind == BIND_GLOBAL && !b->scheme.types.len && b != infer->self
	     ? ty_nonunique(t) : ty_error;
}

Ty *infer_apply(Scope *s, Expr *e)
{
	Expr *fn = strip_parens(e->apply.fn);
	Ty *t = infer_exp(s, e->apply.fn);
	if (fn->kind == EX_VAR && fn->var.binding && fn->var.binding == infer->self)
		infer->self_uses.at[infer->self_uses.len - 1].args = e->apply.args;
	bool fits = true;
	for (int i = 0; i < e->apply.args.len; i++) {
		Expr *arg = e->apply.args.at[i];
		if (ty_resolve(t)->kind == TY_ERROR) {
			infer_exp(s, arg);
			continue;
		}
		Ty *arrow = as_arrow(t, e->apply.fn->span);
		if (!arrow) {
			bool word = fits && report_not_function(e, t, i);
			for (; word && i < e->apply.args.len; i++)
				infer_quietly(s, e->apply.args.at[i]);
			if (word)
				return ty_error;
			infer_exp(s, arg);
			t = ty_error;
			continue;
		}
		Why why = {.kind = WHY_ARG, .span = arg->span, .expr = e->apply.fn, .arg = arg,
		           .call = e};
		t = arrow->arrow.to;
		if (!check_operand(s, &why, arg, arrow->arrow.from)) {
			fits = false;
			t = type_after_error(e, t);
		}
	}
	return fits ? ty_nonunique(t) : type_after_error(e, t);
}

// ---- Operators ----

static Why why_operand(QualName op, const Expr *arg)
{
	return (Why){.kind = WHY_OPERAND, .span = arg->span, .text = op.name, .arg = arg};
}

static bool is_builtin_operator(const Binding *b)
{
	if (b->kind != BIND_INTRINSIC || isalpha((unsigned char)b->intrinsic[0]))
		return false;
	return b->scheme.type->arrow.to->kind == TY_ARROW;      // not "!"
}

// A comparison gives a bool, whatever is wrong with its operands.
static Ty *result_after_error(const Binding *b)
{
	Ty *result = b->scheme.type->arrow.to->arrow.to;
	return result->kind == TY_PARAM ? ty_error : result;
}

static Ty *infer_builtin(Scope *s, Expr *e, Binding *b)
{
	Ty *t = ty_nonunique(infer_exp(s, e->binop.a));
	Why why_a = why_operand(e->binop.op, e->binop.a);
	why_a.call = e;
	if (b->overload && !need_overload_why(&why_a, t, b->overload)) {
		infer_exp(s, e->binop.b);
		return ty_error;
	}
	Why why = why_operand(e->binop.op, e->binop.b);
	why.call = e;
	bool fits = check_operand(s, &why, e->binop.b, t);
	if (!fits || (b->needs_equality && !need_equality(e->span, t)))
		return result_after_error(b);
	e->binop.inst = inst_of(&b->scheme);
	e->binop.inst->types.at[0] = t;
	Ty *result = b->scheme.type->arrow.to->arrow.to;
	result = result->kind == TY_PARAM ? t : result;
	e->binop.op_type = ty_arrow(NULL, t, (Bindings){0},
	                            ty_arrow(NULL, t, (Bindings){0}, result));
	// of x > 0 and y > 0, which reads x > (0 and y) > 0, only the "and" is reported
	return ty_resolve(e->binop.b->type)->kind == TY_ERROR ? ty_error : result;
}

// The operator's type as that of a function; NULL after reporting that it is none.
static Ty *operator_arrow(Scope *s, QualName op, Ty *t, Expr *arg)
{
	if (ty_resolve(t)->kind != TY_ERROR) {
		Ty *arrow = as_arrow(t, op.span);
		if (arrow)
			return arrow;
		diag_error(
			op.span, NULL,
			"Cannot apply expression as function, as it has non-function type:\n  %s",
			show_ty(t));
	}
	infer_exp(s, arg);
	return NULL;
}

// Applies the operator's type to one operand.
static Ty *apply_operand(Scope *s, QualName op, Ty *t, Expr *arg)
{
	Ty *arrow = operator_arrow(s, op, t, arg);
	if (!arrow)
		return ty_error;
	Why why = why_operand(op, arg);
	return check_operand(s, &why, arg, arrow->arrow.from) ? arrow->arrow.to : ty_error;
}

Ty *infer_binop(Scope *s, Expr *e)
{
	QualName op = e->binop.op;
	if (!op.quals.len && !e->binop.backtick && is_logic_operator(op.name)) {
		Why why_a = why_operand(op, e->binop.a), why_b = why_operand(op, e->binop.b);
		check_operand(s, &why_a, e->binop.a, ty_prim(PT_BOOL));
		check_operand(s, &why_b, e->binop.b, ty_prim(PT_BOOL));
		e->binop.op_type = logic_type();
		return ty_prim(PT_BOOL);
	}
	Binding *b = e->binop.binding = find_value(s, op, NULL);
	if (b->poisoned && diags.len && hint_foreign_operator(diags.at[diags.len - 1], e)) {
		infer_quietly(s, e->binop.a);
		infer_quietly(s, e->binop.b);
		return ty_error;
	}
	if (is_builtin_operator(b))
		return infer_builtin(s, e, b);
	Ty *t = e->binop.op_type = instantiate(b, op.span, &e->binop.inst);
	if (b == infer->self) {
		Exprs args = {mem_dup(&(Expr *[]){e->binop.a, e->binop.b}, 2 * sizeof(Expr *)), 2};
		VEC_PUSH(&infer->self_uses, (SelfUse){e, args});
	}
	t = apply_operand(s, op, t, e->binop.a);
	return ty_nonunique(apply_operand(s, op, t, e->binop.b));
}

// (a op) is op applied to a; (op b) is a function of the left operand.
Ty *infer_section(Scope *s, Expr *e)
{
	QualName op = e->section.op;
	Ty *t;
	if (!op.quals.len && !e->section.backtick && is_logic_operator(op.name)) {
		t = logic_type();
	} else {
		e->section.binding = find_value(s, op, NULL);
		t = instantiate(e->section.binding, op.span, &e->section.inst);
		if (e->section.binding == infer->self) {
			Exprs args = {&e->section.arg, e->kind == EX_SECTION_L};
			VEC_PUSH(&infer->self_uses, (SelfUse){e, args});
		}
	}
	e->section.op_type = t;
	if (e->kind == EX_SECTION_L)
		return ty_nonunique(apply_operand(s, op, t, e->section.arg));
	Ty *arrow = operator_arrow(s, op, t, e->section.arg);
	if (!arrow)
		return ty_error;
	Ty *to = apply_operand(s, op, arrow->arrow.to, e->section.arg);
	return ty_arrow(arrow->arrow.param, arrow->arrow.from, (Bindings){0}, to);
}
