// Calls of pieces: loops that are functions of their own (loop/split_functions.c).
//
// A piece is emitted like the loop it replaces.  It is emitted after its only caller, so whatever
// is known at the call is known in the piece: which integers are small, the sizes of blocks, and
// the enclosing loops (cprofile.c).
#include "gen/cgen.h"

bool is_piece(const Fun *f)
{
	return has_attr(f->attrs, ATTR_PIECE);
}

// The number of elements of a block, in terms of the parameters; `at`: of arguments that are
// variables, those (Var *).
static const Sub *size_for(Gen *g, const Map *at, Var block)
{
	const VarState *st = state_of(g, block);
	if (st->on_stack) {
		Sub n = sub_i64(st->on_stack);
		return mem_dup(&n, sizeof n);
	}
	if (!st->size || st->size->kind == S_CONST)
		return st->size;
	const Var *param = map_get(at, var_key(st->size->var));
	Sub n = param ? sub_var(*param) : (Sub){0};
	return param ? mem_dup(&n, sizeof n) : NULL;
}

// The loop that the function consists of.
const Stm *loop_of_piece(const Fun *f)
{
	return &f->body.stms.at[0];
}

void call_piece(Gen *g, const Exp *call)
{
	const Fun *f = call->call.fn;
	Map at = {0};
	for (int i = f->params.len; i-- > 0; )
		if (call->call.args.at[i].kind == S_VAR)
			map_put(&at, var_key(call->call.args.at[i].var), &f->params.at[i]);
	for (int i = 0; i < f->params.len; i++) {
		Sub a = call->call.args.at[i];
		VarState *st = state_of(g, f->params.at[i]);
		if (sub_type(a).kind == T_MEM)
			st->size = size_for(g, &at, a.var);
		else if (type_is_scalar(sub_type(a)))
			st->small = smallness(g, a);
	}
	PieceCall now = {g->profile.n_loops - 1, g->profile.n_parallel, g->profile.region,
	                 g->profile.in_chunk};
	map_put(&g->profile.calls, f, mem_dup(&now, sizeof now));
}

void enter_piece(Gen *g, const Fun *f)
{
	const PieceCall *a = map_get(&g->profile.calls, f);
	if (!is_piece(f) || !a)
		return;
	g->profile.n_loops = a->n_loops;
	g->profile.n_parallel = a->n_regions;
	g->profile.region = a->region;
	g->profile.in_chunk = a->in_chunk;
	g->profile.timed = loop_of_piece(f);
}

CExp elements_in(Gen *g, Var block)
{
	const VarState *st = state_of(g, block);
	return st->n_elements ? st->n_elements : st->size ? operand(g, *st->size) : NULL;
}

const char *same_text(Map *seen, const CFun *f)
{
	Name key = name_of(fun_text(f, ""));
	const char *first = map_get(seen, key);
	if (!first)
		map_put(seen, key, (void *)f->name);
	return first;
}
