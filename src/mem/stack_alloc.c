// The pass `stack_alloc`: puts small blocks of constant size on the stack.
//
//     let (m: mem.f64) = alloc.f64 16      ->      let (m: mem.f64) = alloc.f64 16 stack
//
// Requires: the MEM stage without releases.  A block qualifies if it is used only as a place of
// arrays: then it is not passed on and dies with its body (mem.h, Note [Stack blocks]).  The stack
// blocks of one function take at most STACK_FUNCTION_BYTES bytes together, so that deep recursion
// stays possible.
#include "mem/uses.h"
#include "opt/opt.h"

enum { STACK_FUNCTION_BYTES = 16 * 1024 };

typedef struct { Map funs; int64_t left; } Stack;

static bool fits(const Exp *e, int64_t left, int64_t *bytes)
{
	if (e->alloc.n.kind != S_CONST || e->alloc.n.val.i < 0 ||
	    e->alloc.n.val.i > threshold(AT_stack_block))
		return false;
	*bytes = e->alloc.n.val.i * primtype_size(e->alloc.type);
	return *bytes <= threshold(AT_stack_block) && *bytes <= left;
}

// Only then it must be known how blocks are used.
static bool any_fits(const Body *b, int64_t left)
{
	int64_t bytes;
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_alloc && fits(s->exp, left, &bytes))
			return true;
	return false;
}

static void do_body(Visit *v, Body *b)
{
	Stack *st = v->ctx;
	bool any = any_fits(b, st->left);
	if (!any && !has_nested(b))
		return;
	Uses uses = any ? uses_of_body(b) : (Uses){0};
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		int64_t bytes;
		if (s->exp->form != E_alloc || !fits(s->exp, st->left, &bytes)) {
			s->exp = exp_visit(s->exp, v);
			continue;
		}
		const BlockUse *u = block_use(&uses, s->pat.at[0]);
		if ((u && u->n_operand) || !may_rewrite())
			continue;
		st->left -= bytes;
		s->exp = exp_dup(s->exp);
		s->exp->alloc.stack = true;
	}
}

Prog *stack_alloc(Prog *prog)
{
	Stack st = {0};
	Visit v = {.body = do_body, .funs = &st.funs, .copy = true, .ctx = &st};
	Prog *out = prog_copy(prog, &st.funs);
	for EACH(Fun *, f, out->funs) {
		st.left = STACK_FUNCTION_BYTES;
		do_body(&v, &(*f)->body);
	}
	return out;
}
