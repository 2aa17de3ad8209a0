// Alias analysis of block variables: which may denote the same block.
//
// A block created by `alloc` gets further names where it is passed on: as the result of a branch,
// as a parameter or result of a loop, or as the result of a call that took it as an argument. Names
// connected in this way form an alias class.  Names of different classes denote different blocks,
// and so do two different `alloc`s, whatever their class.  A block also differs from all blocks
// that were created before it: the block that an iteration allocates is not the one it received
// from the previous iteration, although it may become the one that the next receives.
#include "mem/pass.h"

struct BlockAliases {
	uint32_t n;
	uint32_t *up;                           // union-find; 0: a class of its own
	bool *made;                             // bound by alloc
	uint32_t *born;                         // when it is bound, in the order of the program
	uint32_t now;
};

static uint32_t class_of(const BlockAliases *a, uint32_t id)
{
	while (id < a->n && a->up[id]) {
		uint32_t up = a->up[id];
		if (a->up[up])
			a->up[id] = a->up[up];
		id = up;
	}
	return id;
}

static void connect(BlockAliases *a, Var v, Sub s)
{
	if (!is_block(v) || s.kind != S_VAR)
		return;
	uint32_t x = class_of(a, v.id), y = class_of(a, s.var.id);
	if (x != y)
		a->up[x] = y;
}

static void connect_all(BlockAliases *a, Vars vs, Subs subs)
{
	for (int i = 0; i < vs.len && i < subs.len; i++)
		connect(a, vs.at[i], subs.at[i]);
}

// A result may be any argument with elements of its type.
static void connect_call(BlockAliases *a, const Stm *s)
{
	for EACH(Var, v, s->pat)
		for EACH(Sub, arg, s->exp->call.args)
			if (arg->kind == S_VAR && is_block(arg->var) &&
			    vars[arg->var.id].type.elem == vars[v->id].type.elem)
				connect(a, *v, *arg);
}

// What is bound before the nested bodies of a statement, then these, then its pattern.
static void bind_all(BlockAliases *a, Vars vs)
{
	for EACH(Var, v, vs)
		a->born[v->id] = ++a->now;
}

static void connect_body(Visit *v, Body *b)
{
	BlockAliases *a = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_loop)
			bind_all(a, e->loop.params);
		if (e->form == E_alloc) {
			a->made[s->pat.at[0].id] = true;
		} else if (n_branches(e)) {
			for (int i = 0; i < n_branches(e); i++)
				connect_all(a, s->pat, branch_at(e, i)->res);
		} else if (e->form == E_loop) {
			connect_all(a, e->loop.params, e->loop.inits);
			connect_all(a, e->loop.params, e->loop.body.res);
			for (int i = 0; i < s->pat.len; i++)
				connect(a, s->pat.at[i], sub_var(e->loop.params.at[i]));
		} else if (e->form == E_call) {
			connect_call(a, s);
		}
		if (form_has(e->form, FORM_NEST))
			exp_walk(e, v);
		bind_all(a, s->pat);
	}
}

BlockAliases *block_aliases(const Prog *prog)
{
	BlockAliases *a = NEW(BlockAliases, n_vars, NEW_ARRAY(uint32_t, n_vars),
	                      NEW_ARRAY(bool, n_vars), NEW_ARRAY(uint32_t, n_vars), 0);
	Visit v = {.body = connect_body, .ctx = a};
	for EACH(Fun *, f, prog->funs) {
		bind_all(a, (*f)->params);
		connect_body(&v, &(*f)->body);
	}
	return a;
}

bool blocks_may_alias(const BlockAliases *a, Var x, Var y)
{
	if (x.id == y.id)
		return true;
	if (x.id < a->n && y.id < a->n &&
	    ((a->made[x.id] && (a->made[y.id] || a->born[y.id] < a->born[x.id])) ||
	     (a->made[y.id] && a->born[x.id] < a->born[y.id])))
		return false;
	return class_of(a, x.id) == class_of(a, y.id);
}

uint32_t block_class(const BlockAliases *a, Var x)
{
	return class_of(a, x.id);
}
