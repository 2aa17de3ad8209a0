// Questions about loops: what their marks say of how they run, what they reduce.
#include "core/core.h"

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

bool stm_is_device_loop(const Stm *s)
{
	return is_device_loop(s->attrs);
}

bool runs_at_once(Attributes attrs)
{
	return has_attr(attrs, ATTR_REGION) || has_attr(attrs, ATTR_KERNEL) ||
	       has_attr(attrs, ATTR_BLOCKS) || has_attr(attrs, ATTR_THREADS);
}

Attributes one_at_a_time(Attributes attrs)
{
	static const Mark all[] = {ATTR_REGION, ATTR_KERNEL, ATTR_BLOCKS, ATTR_THREADS};
	for (int i = 0; i < 4; i++)
		attrs = without_attr(attrs, all[i]);
	return attrs;
}

static void find_called(Visit *v, Body *b)
{
	Visit inside = {.fun = reach_fun, .ctx = v->ctx};
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, is_kernel(s) ? &inside : v);
}

Map called_by_kernels(const Prog *prog)
{
	Map called = {0};
	Visit v = {.body = find_called, .ctx = &called};
	for EACH(Fun *, f, prog->funs)
		find_called(&v, &(*f)->body);
	return called;
}

// ---- Reductions ----

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
		*op = s->exp->prim.op;
		*type = s->exp->prim.at;
		return n_uses_in(b, param.var) == 1;
	}
	return false;
}

// ---- Levels ----

uint64_t levels_of(const Map *levels, Sub x)
{
	uintptr_t m = x.kind == S_VAR ? (uintptr_t)map_get(levels, var_key(x.var)) : 0;
	return m ? m - 1 : 0;
}

void set_levels(Map *levels, Var v, uint64_t bits)
{
	map_put(levels, var_key(v), (void *)(uintptr_t)(bits + 1));
}

typedef struct { const Map *levels; uint64_t bits; } Union;

static void unite(Visit *v, Sub *x)
{
	Union *u = v->ctx;
	u->bits |= levels_of(u->levels, *x);
}

uint64_t levels_of_exp(const Map *levels, const Exp *e)
{
	Union u = {levels, 0};
	Visit v = {.sub = unite, .ctx = &u};
	exp_walk(e, &v);
	return u.bits;
}
