// Loop distribution of pieces that continue to update an array which another statement created.
//
// A piece may consume an array that another statement has created.  After distribution that array
// has one more dimension, over all iterations i:
//
//     loop (p: *[m]t = x) for j < m do {         loop (p: *[n][m]t = xs) for j < m do {
//       .. index p [j] ..                   ->     .. index p [i, j] ..
//       in update p [j] v                          in update p [i, j] v
//     }                                          }
#include "loop/products.h"

Var wide_var(Widening *w, Var v)
{
	Type t = vars[v.id].type, wide = type_of_rows(w->n, t);
	wide.unique = t.unique;
	Var out = var_new(vars[v.id].hint, wide);
	subst_put(&w->to, v, sub_var(out));
	return out;
}

bool is_wide(const Widening *w, Sub x)
{
	return x.kind == S_VAR && map_has(&w->to, var_key(x.var));
}

static Exp *widen_loop(Widening *w, const Stm *s, Vars *pat)
{
	Exp *e = exp_dup(s->exp);
	int n = e->loop.params.len;
	Vars params = {NEW_ARRAY(Var, n), n};
	Subs inits = {NEW_ARRAY(Sub, n), n}, res = {NEW_ARRAY(Sub, n), n};
	*pat = (Vars){NEW_ARRAY(Var, n), n};
	for (int k = 0; k < n; k++) {
		bool wide = is_wide(w, e->loop.inits.at[k]);
		inits.at[k] = sub_subst(&w->to, e->loop.inits.at[k]);
		params.at[k] = wide ? wide_var(w, e->loop.params.at[k]) : e->loop.params.at[k];
	}
	Stms stms = {NEW_ARRAY(Stm, e->loop.body.stms.len), e->loop.body.stms.len};
	for (int k = 0; k < stms.len; k++)
		stms.at[k] = widen_stm(w, &e->loop.body.stms.at[k]);
	for (int k = 0; k < n; k++) {
		bool wide = is_wide(w, sub_var(e->loop.params.at[k]));
		res.at[k] = sub_subst(&w->to, e->loop.body.res.at[k]);
		w->good &= wide == is_wide(w, e->loop.body.res.at[k]);
		pat->at[k] = wide ? wide_var(w, s->pat.at[k]) : s->pat.at[k];
	}
	e->loop.params = params;
	e->loop.inits = inits;
	e->loop.body = (Body){stms, res};
	return e;
}

Stm widen_stm(Widening *w, const Stm *s)
{
	Stm out = *s;
	const Exp *e = s->exp;
	if (!stm_mentions(s, &w->to))
		return out;
	if (e->form == E_index && is_wide(w, e->index.arr)) {
		out.exp = exp_dup(e);
		out.exp->index.arr = sub_subst(&w->to, e->index.arr);
		out.exp->index.idx = subs_cat(subs_of(1, w->i), e->index.idx);
	} else if (e->form == E_update && is_wide(w, e->update.arr) &&
	           !is_wide(w, e->update.val)) {
		Slices at = {NEW_ARRAY(DimSlice, e->update.at.len + 1), e->update.at.len + 1};
		at.at[0] = dim_at(w->i);
		for (int d = 0; d < e->update.at.len; d++)
			at.at[d + 1] = e->update.at.at[d];
		out.exp = EXP(update, sub_subst(&w->to, e->update.arr), at, e->update.val);
		out.pat = vars_of(1, wide_var(w, s->pat.at[0]));
	} else if (e->form == E_loop && !e->loop.is_while) {
		out.exp = widen_loop(w, s, &out.pat);
	} else {
		w->good = false;
	}
	return out;
}

bool can_widen(const Stm *piece, Sub x)
{
	Widening w = {.i = sub_i64(0), .n = sub_i64(1), .good = true};
	wide_var(&w, x.var);
	widen_stm(&w, piece);
	return w.good;
}
