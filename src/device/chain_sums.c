// The pass `chain_sums`: if two sums are added, the second loop starts from the result of the
// first.
//
//     let (r) = loop (p = 0) for k < n do p + a[i, k] * b[k, j]
//     let (s) = loop (q = 0) for k < m do q + c[i, k] * d[k, j]
//     let (t) = add r s
// becomes
//     let (r) = loop (p = 0) for k < n do p + a[i, k] * b[k, j]
//     let (t) = loop (q = r) for k < m do q + c[i, k] * d[k, j]
//
// Applied in kernels only.  Code generation (src/gen/ktile.c) then sees a single product of longer
// matrices; its register tile holds the results of just one product.
//
// Requires: the pass `seq`.  Ensures: equal results up to the order of additions, which is
// unspecified.
#include "opt/opt.h"

typedef struct { bool in_kernel; } Chains;

static bool is_sum(const Stm *s, PrimType at)
{
	Prim op;
	PrimType type;
	const Exp *e = s->exp;
	return e->form == E_loop && !e->loop.is_while && !is_device_loop(s->attrs) &&
	       e->loop.params.len == 1 && loop_reduction(e, 0, &op, &type) && op == P_add &&
	       type == at && e->loop.inits.at[0].kind == S_CONST &&
	       scalar_eq_bits(e->loop.inits.at[0].val, scalar_int(at, 0));
}

// The sum in the body that gives x, if nothing else than the statement `user` has it; -1: there is
// none.
static int sum_of(const Body *b, Sub x, int user, PrimType at)
{
	Map set = {0};
	int found = -1;
	if (x.kind != S_VAR)
		return -1;
	map_put(&set, var_key(x.var), &set);
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (s->pat.len == 1 && s->pat.at[0].id == x.var.id && is_sum(s, at))
			found = i;
		else if (i != user && stm_mentions(s, &set))
			return -1;
	}
	for EACH(Sub, r, b->res)
		if (sub_eq(*r, x))
			return -1;
	return found;
}

// Chains the sums that statement i adds, if that is what it does.
static void chain_at(Body *b, int i)
{
	const Exp *e = b->stms.at[i].exp;
	if (e->form != E_prim || e->prim.op != P_add || sub_eq(e->prim.x[0], e->prim.x[1]))
		return;
	int x = sum_of(b, e->prim.x[0], i, e->prim.at), y = sum_of(b, e->prim.x[1], i, e->prim.at);
	if (x < 0 || y < 0 || !may_rewrite())
		return;
	int first = x < y ? x : y, second = x < y ? y : x;
	Stm *s = &b->stms.at[second];
	s->exp = exp_dup(s->exp);
	s->exp->loop.inits = subs_of(1, sub_var(b->stms.at[first].pat.at[0]));
	b->stms.at[i].exp = EXP(atom, sub_var(s->pat.at[0]));
}

static void chain_body(Visit *v, Body *b)
{
	Chains *c = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		bool before = c->in_kernel;
		c->in_kernel |= is_kernel(s);
		if (form_has(s->exp->form, FORM_NEST))
			s->exp = exp_visit(s->exp, v);
		c->in_kernel = before;
	}
	for (int i = 0; c->in_kernel && i < b->stms.len; i++)
		chain_at(b, i);
}

Prog *chain_sums(Prog *prog)
{
	Chains c = {false};
	Visit v = {.body = chain_body, .copy = true, .ctx = &c};
	return prog_rewrite(prog, &v);
}
