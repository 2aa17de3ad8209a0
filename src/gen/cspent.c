// Blocks that are handed over: where a loop begins, or a branch ends, with a block that nothing
// needs afterwards under its old name, the reference is moved to the new name instead of being
// counted twice.
//
//     rd_set(ctx, &stack_mem_1, stack_mem);          rd_move(ctx, &stack_mem_1, &stack_mem);
//     while (c) { .. stack_mem_1 .. }          ->    while (c) { .. stack_mem_1 .. }
//     rd_move(ctx, &stack_mem, &stack_mem_1);        rd_move(ctx, &stack_mem, &stack_mem_1);
//
// That is most of what arrays cost that loops in loops pass on, such as the stacks of derivatives.
// The old name must be a variable of the body at hand: bound by one of its statements, or a
// parameter of the loop whose body it is, which gets its next value at the end.  It refers to
// nothing from there on; releases of it do nothing.
#include "gen/cgen.h"

typedef struct { Var block; bool found; } Need;

static void need_var(Need *n, Var x)
{
	const Type *t = &vars[x.id].type;
	n->found |= x.id == n->block.id || (t->mem && t->mem->block.id == n->block.id);
}

static void need_operand(Visit *v, Sub *s)
{
	if (s->kind == S_VAR)
		need_var(v->ctx, s->var);
}

static void need_binder(Visit *v, Var *x)
{
	need_var(v->ctx, *x);
}

// Is the block, or an array in it, mentioned?
static bool stm_needs(const Stm *s, Var block)
{
	Need n = {block, false};
	Visit v = {.sub = need_operand, .bind = need_binder, .ctx = &n};
	if (s->exp->form == E_release)
		return false;
	for EACH(Var, x, s->pat)
		need_var(&n, *x);
	stm_walk(s, &v);
	return n.found;
}

static bool body_needs(const Body *b, Var block)
{
	Need n = {block, false};
	Visit v = {.sub = need_operand, .bind = need_binder, .ctx = &n};
	body_walk(b, &v);
	return n.found;
}

static int times_in(Subs xs, Var block)
{
	int n = 0;
	for EACH(Sub, x, xs)
		n += sub_eq(*x, sub_var(block));
	return n;
}

// Is it a variable of the body at hand that nothing needs after the statement given by `at`?
static bool is_last_need(Gen *g, Var block, const Exp *at)
{
	const VarState *st = state_of(g, block);
	const Body *b = g->body;
	int i = 0;
	if (g->target != ON_CPU || !b || st->is_param || st->on_stack ||
	    (st->bound_in != b && st->carried_by != b))
		return false;
	while (i < b->stms.len && b->stms.at[i].exp != at)
		i++;
	if (i == b->stms.len)
		return false;
	while (++i < b->stms.len)
		if (stm_needs(&b->stms.at[i], block))
			return false;
	Need n = {block, false};
	for EACH(Sub, r, b->res)
		if (r->kind == S_VAR)
			need_var(&n, r->var);
	return !n.found;
}

bool spent_by_loop(Gen *g, const Exp *loop, int k)
{
	Sub from = loop->loop.inits.at[k];
	return times_in(loop->loop.inits, from.var) == 1 &&
	       !body_needs(&loop->loop.body, from.var) && is_last_need(g, from.var, loop);
}

void note_spent(Gen *g, const Exp *choice, const Body *branch)
{
	for EACH(Sub, r, branch->res)
		if (r->kind == S_VAR && vars[r->var.id].type.kind == T_MEM &&
		    times_in(branch->res, r->var) == 1 && is_last_need(g, r->var, choice))
			state_of(g, r->var)->spent_by = branch;
}
