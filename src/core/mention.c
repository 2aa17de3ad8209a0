// Which statements of a list mention a variable, or a block of memory: found in one walk, for
// passes that would otherwise go through all statements for each variable.
#include "core/mention.h"

typedef struct { Map by_var; int stm; } Mentioned;

static void note(Mentioned *m, Var x)
{
	StmNumbers *all = map_get(&m->by_var, var_key(x));
	if (!all) {
		all = NEW(StmNumbers, 0);
		map_put(&m->by_var, var_key(x), all);
	}
	if (!all->len || all->at[all->len - 1] != m->stm)
		VEC_PUSH(all, m->stm);
}

static void note_mention(Visit *v, Sub *x)
{
	if (x->kind == S_VAR)
		note(v->ctx, x->var);
}

static void note_block(Visit *v, Sub *x)
{
	if (x->kind != S_VAR)
		return;
	const Type *t = &vars[x->var.id].type;
	if (t->kind == T_MEM)
		note(v->ctx, x->var);
	else if (t->kind == T_DATA && t->mem)
		note(v->ctx, t->mem->block);
}

static Map walk(Stms stms, void (*sub)(Visit *, Sub *))
{
	Mentioned m = {0};
	Visit v = {.sub = sub, .ctx = &m};
	for (; m.stm < stms.len; m.stm++)
		stm_walk(&stms.at[m.stm], &v);
	return m.by_var;
}

Map stms_by_mention(Stms stms)
{
	return walk(stms, note_mention);
}

Map stms_by_block(Stms stms)
{
	return walk(stms, note_block);
}

void merge_mentions(Map *by_block, Var from, Var into)
{
	StmNumbers all = {0};
	const StmNumbers *a = stms_with(by_block, from), *b = stms_with(by_block, into);
	for (int i = 0, j = 0; i < a->len || j < b->len;) {
		bool left = j == b->len || (i < a->len && a->at[i] <= b->at[j]);
		int k = left ? a->at[i++] : b->at[j++];
		if (!all.len || all.at[all.len - 1] != k)
			VEC_PUSH(&all, k);
	}
	map_put(by_block, var_key(into), mem_dup(&all, sizeof all));
}

const StmNumbers *stms_with(const Map *by_mention, Var x)
{
	static const StmNumbers none = {0};
	const StmNumbers *all = map_get(by_mention, var_key(x));
	return all ? all : &none;
}
