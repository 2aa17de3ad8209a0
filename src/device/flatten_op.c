// Outlines the operators of scans and reductions as functions marked #[operator], which code
// generation calls to combine the values of different threads.
//
//     fun op.1 (a: f64, b: f64, s: f64) : (r: f64) = {let (c: f64) = .. a .. b .. s in c}
//
// They take the operands and their free variables as parameters.  Operands are scalars.
#include "device/flatten.h"

// ---- Which operators ----

typedef struct { bool ok; } Scalars;

static void look_at_binder(Visit *v, Var *x)
{
	Type t = vars[x->id].type;
	((Scalars *)v->ctx)->ok &= t.kind == T_DATA && !t.dims.len;
}

static void look_at_operand(Visit *v, Sub *s)
{
	if (s->kind == S_VAR)
		look_at_binder(v, &s->var);
}

static void look_at_body(Visit *v, Body *b)
{
	Scalars *s = v->ctx;
	for EACH(Stm, t, b->stms)
		s->ok &= t->exp->form != E_call && t->exp->form != E_trace;
	body_visit(b, v);
}

bool is_scalar_operator(const Lambda *op)
{
	Scalars s = {true};
	Visit v = {.sub = look_at_operand, .bind = look_at_binder, .body = look_at_body, .ctx = &s};
	for EACH(Var, p, op->params)
		look_at_binder(&v, (Var *)p);
	look_at_body(&v, (Body *)&op->body); // a walk: writes nothing
	return s.ok;
}

// ---- Functions ----

Operator operator_fun(Flatten *f, const Lambda *op, bool comm)
{
	const Lambda *copy = lambda_rename(op);
	Vars free = free_in_lambda(copy);
	Map to = {0};
	VEC(Var) params = {0}, res = {0};
	VEC_APPEND(&params, copy->params);
	for EACH(Var, x, free) {
		Var p = var_new(vars[x->id].hint, vars[x->id].type);
		subst_put(&to, *x, sub_var(p));
		VEC_PUSH(&params, p);
	}
	for EACH(Type, t, copy->ret)
		VEC_PUSH(&res, var_new(name_of("r"), *t));
	Fun *g = NEW(Fun, .name = name_of(text("op.%d", f->operators.len + 1)),
		.params = VEC_SLICE(Vars, params), .res = VEC_SLICE(Vars, res),
		.body = body_subst(copy->body, &to), .where = f->b.where,
		.attrs = with_attr(attr_of(ATTR_OPERATOR), comm ? ATTR_COMMUTATIVE : ATTR_NONE));
	VEC_PUSH(&f->operators, g);
	return (Operator){g, free};
}

Subs call_operator(Flatten *f, const Operator *op, Subs left, Subs right, Inside *in, bool scan)
{
	SubVec args = {0};
	VEC_APPEND(&args, left);
	VEC_APPEND(&args, right);
	for EACH(Var, v, op->free)
		VEC_PUSH(&args, inside_sub(in, sub_var(*v)));
	Types ts = {NEW_ARRAY(Type, left.len), left.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = vars[op->fun->res.at[i].id].type;
	f->b.attrs = attr_of(scan ? ATTR_SCAN : ATTR_NONE);
	return b_lets(&f->b, "r", ts, EXP(call, .fn = op->fun, .args = VEC_SLICE(Subs, args)));
}
