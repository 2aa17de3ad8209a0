// What `simplify` has found out about variables, put into statements: operands, certificates,
// types.
#include "opt/simplify.h"

static void add_cert(VarVec *out, Var c)
{
	for EACH(Var, x, *out)
		if (x->id == c.id)
			return;
	VEC_PUSH(out, c);
}

// A certificate may stand for several others, or for none.
void s_add_certs(Simp *s, VarVec *out, Vars certs)
{
	for EACH(Var, c, certs) {
		const Info *i = s_info(s, *c);
		if (!i->to)
			add_cert(out, *c);
		else
			s_add_certs(s, out, i->to->certs);
		s->touched |= i->to != NULL;
	}
}

Vars s_def_certs(Simp *s, Sub x)
{
	if (x.kind != S_VAR)
		return (Vars){0};
	const Info *i = s_info(s, x.var);
	return (Vars){(Var *)i->certs, i->n_certs};
}

void s_take_certs(Simp *s, Stm *st, Sub x)
{
	Vars more = s_def_certs(s, x);
	if (!more.len)
		return;
	VarVec all = {0};
	s_add_certs(s, &all, st->certs);
	s_add_certs(s, &all, more);
	st->certs = VEC_SLICE(Vars, all);
}

typedef struct { Simp *s; VarVec *certs; } Subst;

static void rename_operand(Visit *v, Sub *x)
{
	Subst *u = v->ctx;
	while (x->kind == S_VAR) {
		const Info *i = s_info(u->s, x->var);
		if (!i->to)
			return;
		u->s->touched = true;
		*x = i->to->sub;
		s_add_certs(u->s, u->certs, i->to->certs);
	}
}

static bool same_vars(Vars a, const VarVec *b)
{
	if (a.len != b->len)
		return false;
	for (int i = 0; i < a.len; i++)
		if (a.at[i].id != b->at[i].id)
			return false;
	return true;
}

static bool is_gone(Simp *s, Sub x)
{
	return x.kind == S_VAR && s_info(s, x.var)->to;
}

static bool is_replaced(Simp *s, Subs xs)
{
	for EACH(Sub, x, xs)
		if (is_gone(s, *x))
			return true;
	return false;
}

// The forms that most statements have, and whose rules make new expressions, are copied only
// if something changes.
static bool is_as_before(Simp *s, const Stm *st)
{
	const Exp *e = st->exp;
	for EACH(Var, c, st->certs)
		if (s_info(s, *c)->to)
			return false;
	switch (e->form) {
	case E_prim:
		for (int i = 0, n = prim_arity(e->prim.op); i < n; i++)
			if (is_gone(s, e->prim.x[i]))
				return false;
		return true;
	case E_convert:
		return !is_gone(s, e->convert.x);
	case E_index:
		return !is_gone(s, e->index.arr) && !is_replaced(s, e->index.idx);
	default: // any other
		return false;
	}
}

// Operands and certificates, without what is nested.
void s_subst_stm(Simp *s, Stm *st)
{
	if (is_as_before(s, st))
		return;
	VarVec certs = {0};
	s_add_certs(s, &certs, st->certs);
	Subst u = {s, &certs};
	Visit v = {.sub = rename_operand, .flat = true,
	           .funs = &s->funs, .copy = true, .ctx = &u};
	st->exp = exp_visit(st->exp, &v);
	if (!same_vars(st->certs, &certs))
		st->certs = VEC_SLICE(Vars, certs);
}

void s_subst_operand(Visit *v, Sub *x)
{
	*x = s_subst(v->ctx, *x);
}

void s_subst_type(Simp *s, Var x)
{
	const Type *old = &vars[x.id].type;
	if (old->kind == T_CERT ||
	    (old->kind == T_DATA && !old->mem && !is_replaced(s, old->dims)))
		return;
	Type t = *old;
	Visit v = {.sub = s_subst_operand, .copy = true, .ctx = s};
	type_visit(&t, &v);
	vars[x.id].type = t;
}
