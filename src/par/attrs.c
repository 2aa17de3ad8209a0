// Questions about programs around the pass `seq`: attributes of loops, derivatives that are left.
#include "par/par.h"

bool has_attr(Attributes attrs, const char *name)
{
	for EACH(Name, a, attrs)
		if (strcmp(*a, name) == 0)
			return true;
	return false;
}

bool is_kernel(const Stm *s)
{
	return s->exp->form == E_loop &&
	       (has_attr(s->attrs, ATTR_KERNEL) || has_attr(s->attrs, ATTR_BLOCKS));
}

bool is_device_loop(Attributes attrs)
{
	return has_attr(attrs, ATTR_KERNEL) || has_attr(attrs, ATTR_BLOCKS) ||
	       has_attr(attrs, ATTR_THREADS) || has_attr(attrs, ATTR_ATOMIC);
}

bool runs_at_once(Attributes attrs)
{
	return has_attr(attrs, ATTR_REGION) || has_attr(attrs, ATTR_KERNEL) ||
	       has_attr(attrs, ATTR_BLOCKS) || has_attr(attrs, ATTR_THREADS);
}

// ---- Derivatives ----

typedef struct { bool found; Span where; } AdSearch;

static void look_for_ad(Visit *v, Body *b)
{
	AdSearch *s = v->ctx;
	for EACH(Stm, stm, b->stms) {
		Form f = stm->exp->form;
		if (s->found)
			return;
		if (f == E_jvp || f == E_vjp)
			*s = (AdSearch){true, stm->where ? stm->where->span : NOWHERE};
		else if (form_has(f, FORM_NEST))
			exp_visit(stm->exp, v);
	}
}

bool prog_has_ad(const Prog *prog, Span *where)
{
	AdSearch s = {0};
	Visit v = {.body = look_for_ad, .ctx = &s};
	for EACH(Fun *, f, prog->funs)
		look_for_ad(&v, &(*f)->body);
	*where = s.where;
	return s.found;
}

// ---- Reductions ----

typedef struct { Var var; int uses; } UseCount;

static void count_use(Visit *v, Sub *s)
{
	UseCount *c = v->ctx;
	c->uses += s->kind == S_VAR && s->var.id == c->var.id;
}

bool loop_reduction(const Exp *loop, int k, Prim *op, PrimType *type)
{
	const Body *b = &loop->loop.body;
	Sub res = b->res.at[k], param = sub_var(loop->loop.params.at[k]);
	for (int i = b->stms.len; i-- > 0 && res.kind == S_VAR;) {
		const Stm *s = &b->stms.at[i];
		if (s->pat.len != 1 || s->pat.at[0].id != res.var.id)
			continue;
		if (s->exp->form != E_prim || !has_attr(s->attrs, ATTR_REDUCE) ||
		    sub_eq(s->exp->prim.x[0], param) == sub_eq(s->exp->prim.x[1], param))
			return false;
		UseCount c = {param.var, 0};
		Visit v = {.sub = count_use, .ctx = &c};
		body_visit((Body *)b, &v); // a walk: writes nothing
		*op = s->exp->prim.op;
		*type = s->exp->prim.at;
		return c.uses == 1;
	}
	return false;
}
