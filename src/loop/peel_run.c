// What peeled loops are made of: arithmetic on numbers of iterations, and loops over some of the
// iterations of another (peel.c, split_range.c, lift_checks.c).
#include "loop/peel.h"

Sub peel_compute(StmVec *out, const char *hint, Prim op, Sub x, Sub y)
{
	Sub xs[3] = {x, y}, folded;
	if (fold_prim(op, PT_I64, xs, &folded))
		return folded;
	Var v = var_new(name_of(hint), type_scalar(PT_I64));
	VEC_PUSH(out, (Stm){.pat = vars_of(1, v), .exp = EXP(prim, op, PT_I64, {x, y})});
	return sub_var(v);
}

Sub peel_count(StmVec *out, Sub n)
{
	return peel_compute(out, "n", P_max, n, sub_i64(-((int64_t)1 << 60)));
}

Stm loop_copy(const Stm *s)
{
	Stm *one = mem_dup(s, sizeof *s);
	Body b = body_rename((Body){.stms = {one, 1}, .res = subs_of_vars(s->pat)});
	return b.stms.at[0];
}

void peel_run(StmVec *out, Stm s, Subs inits, Sub start, Sub n)
{
	Exp *e = s.exp = exp_dup(s.exp);
	e->loop.inits = inits;
	e->loop.n = n;
	if (!sub_eq(start, sub_i64(0))) {
		Var old = e->loop.i;
		e->loop.i = var_new(vars[old.id].hint, vars[old.id].type);
		StmVec stms = {0};
		VEC_PUSH(&stms, (Stm){.pat = vars_of(1, old),
		                      .exp = EXP(prim, P_add, PT_I64,
		                                 {sub_var(e->loop.i), start})});
		VEC_APPEND(&stms, e->loop.body.stms);
		e->loop.body.stms = VEC_SLICE(Stms, stms);
	}
	VEC_PUSH(out, s);
}

int size_of_nest(const Body *b, int most)
{
	int n = b->stms.len;
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_call || s->exp->form == E_trace || n > most)
			return most + 1;
		if (s->exp->form == E_loop)
			n += size_of_nest(&s->exp->loop.body, most);
	}
	return n;
}
