// Accumulators that are updated at a fixed index of some dimension become ones without it.
//
//     zs = replicate [n][m] 0                          rs = replicate [m] 0
//     a = withacc (zs) \acc -> screma k (xs, acc)  ->  r = withacc (rs) \acc -> screma k (xs, acc)
//           \(x, acc) -> upd_acc acc [i, f x] (g x)          \(x, acc) -> upd_acc acc [f x] (g x)
//
// and r is added to row i of what else is added to a: the adjoint of a matrix of which each step of
// a loop reads all elements, and one row in all places (factorisations, shortest paths).  Neither
// zeros for the whole matrix are needed, nor a sum over all of it.
//
// Requires: sums of scalars, which start from zeros.
#include "opt/acc.h"

typedef struct { Var token; const Map *inside; Subs *at; bool *fixed; bool any; } Fixed;

static void see_updates(Visit *v, Body *b)
{
	Fixed *f = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (form_has(e->form, FORM_NEST))
			exp_walk(e, v);
		if (e->form != E_upd_acc ||
		    sub_type(e->upd_acc.acc).acc->token.id != f->token.id)
			continue;
		if (!f->any)
			*f->at = e->upd_acc.idx;
		for (int d = 0; d < e->upd_acc.idx.len && d < MAX_DIMS; d++) {
			Sub x = e->upd_acc.idx.at[d];
			bool same = x.kind != S_VAR || !map_has(f->inside, var_key(x.var));
			f->fixed[d] = same && (!f->any || (f->fixed[d] && sub_eq(f->at->at[d], x)));
		}
		f->any = true;
	}
}

// Which dimensions have a fixed index in all updates of accumulator k: some, but not all.
static bool find_fixed(const Stm *with, int k, Subs *at, bool *fixed)
{
	const Exp *e = with->exp;
	Map inside = {0};
	Visit binders = {.bind = note_binder, .ctx = &inside};
	exp_walk(e, &binders);
	Fixed f = {e->withacc.fn->params.at[k], &inside, at, fixed, false};
	Visit v = {.body = see_updates, .ctx = &f};
	Body body = e->withacc.fn->body;
	see_updates(&v, &body);
	int n = 0;
	for (int d = 0; f.any && d < at->len; d++)
		n += fixed[d];
	return n && n < at->len && at->len <= MAX_DIMS;
}

bool acc_narrow(Build *b, Stm *with, int k, Narrowed *out)
{
	const AccInput *in = &with->exp->withacc.inputs.at[k];
	if (!acc_is_sum(in) || !find_fixed(with, k, &out->at, out->fixed))
		return false;
	Subs space = {NEW_ARRAY(Sub, in->space.len), 0};
	int dims[MAX_DIMS];
	for (int d = 0; d < in->space.len; d++)
		if (!out->fixed[d]) {
			dims[space.len] = d;
			space.at[space.len++] = in->space.at[d];
		}
	Type t = type_array(sub_type(in->arrs.at[0]).elem, space);
	Var zeros = var_new(name_of("zeros"), t), sums = var_new(name_of("sums"), t);
	Stm next = *with;
	if (!acc_reshape(&next, k, dims, space, sub_var(zeros), sums) || !may_rewrite())
		return false;
	b_emit(b, (Stm){.pat = vars_of(1, zeros), .where = with->where,
	                .exp = EXP(replicate, space, sub_const(scalar_int(t.elem, 0)))});
	*with = next;
	out->sums = sums;
	return true;
}
