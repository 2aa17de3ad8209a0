// Return sweeps of withacc and upd_acc, which stem from an inner derivative.
//
//     ys = withacc xs (\acc -> ... upd_acc acc [i] v ...)
//
// For sums, xs_adj = ys_adj, and each update contributes v_adj += ys_adj[i], or nothing if i is out
// of bounds.  An accumulator needs no adjoint of its own, as it would be ys_adj throughout.
#include "ad/vjp.h"

typedef struct { Adj *adjs; Subs space; } Target;  // of an accumulator, by its token

static void note_targets(Vjp *v, const Stm *s, Adj *all)
{
	const Exp *e = s->exp;
	int at = 0;
	for (int i = 0; i < e->withacc.inputs.len; i++) {
		const AccInput *in = &e->withacc.inputs.at[i];
		Prim op;
		PrimType t;
		bool any = false;
		for (int k = 0; k < in->arrs.len; k++)
			any |= all[at + k].kind != ADJ_ZERO;
		if (any && (!in->op || !binary_prim(in->op, &op, &t) || op != P_add))
			vjp_fail(v, "an accumulator that does not sum");
		map_put(&v->targets, var_key(e->withacc.fn->params.at[i]),
		        NEW(Target, all + at, ret_subs(v, in->space)));
		at += in->arrs.len;
	}
}

void rev_withacc(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->withacc.inputs.len, at = 0;
	Adj *all = NEW_ARRAY(Adj, s->pat.len + 1);
	for (int i = 0; i < s->pat.len; i++)
		all[i] = adj_take(v, s->pat.at[i]);
	note_targets(v, s, all);
	for EACH(AccInput, in, e->withacc.inputs)
		at += in->arrs.len;
	Level *body = NEW(Level, .depth = 0);
	level_begin(v, body, &e->withacc.fn->body, false);
	for EACH(Var, p, e->withacc.fn->params)
		cell_enter(v, body, *p, -1);
	for (int i = n; i < e->withacc.fn->ret.len; i++)
		if (all[at + i - n].kind == ADJ_VALUE)
			adj_add(v, e->withacc.fn->body.res.at[i], all[at + i - n].val,
			        all[at + i - n].owned);
	level_reverse(v, body);
	level_close(v, body);
	level_emit(v, body);
	at = 0;
	for EACH(AccInput, in, e->withacc.inputs)
		for EACH(Sub, x, in->arrs) {
			if (all[at].kind == ADJ_VALUE)
				adj_add(v, *x, all[at].val, all[at].owned);
			at++;
		}
}

void rev_upd_acc(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	Build *b = v->b;
	const Target *t = map_get(&v->targets, var_key(sub_type(e->upd_acc.acc).acc->token));
	if (!t)
		return;
	for (int i = 0; i < e->upd_acc.vals.len; i++) {
		Sub x = e->upd_acc.vals.at[i];
		if (t->adjs[i].kind != ADJ_VALUE || !takes(v, x))
			continue;
		Subs idx = ret_subs(v, e->upd_acc.idx);
		Sub ok = sub_bool(true);
		for (int k = 0; k < idx.len; k++) {
			Sub lo = b_le(b, sub_i64(0), idx.at[k]);
			ok = b_prim2(b, P_and, ok,
			             b_prim2(b, P_and, lo, b_lt(b, idx.at[k], t->space.at[k])));
		}
		Type ty = type_drop(sub_type(t->adjs[i].val), idx.len);
		b_open(b);
		Body yes = b_close(b, subs_of(1, b_index(b, t->adjs[i].val, idx)));
		b_open(b);
		Body no = b_close(b, subs_of(1, ad_zero(b, ty)));
		adj_add(v, x, b_let(b, "g", ty, EXP(if_, ok, yes, no)), false);
	}
}
