// Tiled kernels: which statements of the nest and of the fold something needs.  Those are computed
// again wherever the tile is gone through (ktile_text.c).
#include "gen/ktile.h"

void need(Visit *v, Sub *x)
{
	Needed *n = v->ctx;
	if (x->kind != S_VAR || map_has(&n->set, var_key(x->var)))
		return;
	map_put(&n->set, var_key(x->var), n);
	Type t = vars[x->var.id].type;
	if (!t.mem)
		return;
	need(v, (Sub *)&t.mem->offset);
	for EACH(Sub, s, t.mem->strides)
		need(v, s);
	for EACH(Sub, d, t.dims)
		need(v, d);
}

void need_exp(Needed *n, const Exp *e)
{
	Visit v = {.sub = need, .ctx = n};
	exp_walk(e, &v);
}

bool is_needed_stm(const Needed *n, const Stm *s)
{
	for EACH(Var, v, s->pat)
		if (map_has(&n->set, var_key(*v)))
			return true;
	return false;
}

void need_before(Needed *n, const Stm *stms, int len)
{
	for (int i = len; i-- > 0; )
		if (may_repeat(&stms[i]) && is_needed_stm(n, &stms[i]))
			need_exp(n, stms[i].exp);
}

// Closes the set over the statements of the nest.
void need_nest(const Tiling *t, Needed *n)
{
	for (int d = t->k->nest.len; d-- > 0; ) {
		Stms stms = t->k->nest.at[d]->exp->loop.body.stms;
		need_before(n, stms.at, d == t->k->nest.len - 1 ? t->fold_at : stms.len);
	}
}

bool is_tile_load(const Tiling *t, const Stm *s)
{
	for EACH(const TileLoad, l, t->loads)
		if (l->s == s)
			return true;
	return false;
}

// What the steps of the fold need, besides the loads that are shared.
Needed needed_by_steps(const Tiling *t)
{
	const Body *b = &t->fold->exp->loop.body;
	Needed n = {0};
	Visit v = {.sub = need, .ctx = &n};
	for EACH(Sub, r, b->res)
		need(&v, r);
	for (int i = b->stms.len; i-- > 0; )
		if (is_needed_stm(&n, &b->stms.at[i]) && !is_tile_load(t, &b->stms.at[i]))
			need_exp(&n, b->stms.at[i].exp);
	need_nest(t, &n);
	return n;
}
