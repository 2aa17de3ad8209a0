// Return sweeps of operations on whole arrays: each is the transpose of the operation.
//
//     y = index x [i]            x_adj[i] += y_adj
//     y = update x [s] v         v_adj += y_adj[s]; x_adj = y_adj with zeros at s (not needed if a
//                                loop fills the array row by row)
//     y = concat a b             slices of y_adj
//     y = replicate [k] x        sums over the new dimensions
#include "ad/vjp.h"

static void rev_index(Vjp *v, const Stm *s)
{
	if (takes(v, s->exp->index.arr))
		adj_add_at(v, s->exp->index.arr,
		           slices_at(ret_subs(v, s->exp->index.idx), (Subs){0}),
		           adj_value(v, s->pat.at[0]));
}

static void rev_slice(Vjp *v, const Stm *s)
{
	if (takes(v, s->exp->slice.arr))
		adj_add_at(v, s->exp->slice.arr, ret_slices(v, s->exp->slice.at),
		           adj_value(v, s->pat.at[0]));
}

// The type of the part that an update replaces, in the terms of the original.
static Type part_type(const Exp *update)
{
	return type_array(sub_type(update->update.arr).elem, slice_dims(update->update.at));
}

// Is this the way in which a loop fills an array, row by row, of which nothing was there before?
// Then no other iteration looks at the row, and its adjoint may stay.
static bool fills_own_row(Vjp *v, const Stm *s)
{
	const Level *l = v->top;
	const Exp *e = s->exp;
	if (!l->loop || l->loop->s->exp->loop.is_while)
		return false;
	const Exp *loop = l->loop->s->exp;
	int k = vars_find(loop->loop.params, e->update.arr), uses = 0;
	if (k < 0 || takes(v, loop->loop.inits.at[k]) ||
	    !sub_eq(loop->loop.body.res.at[k], sub_var(s->pat.at[0])) ||
	    !is_row_at(e->update.at, sub_var(loop->loop.i)))
		return false;
	for EACH(Stm, t, l->body->stms)
		uses += vars_find(free_in_stm(t), e->update.arr) >= 0 ||
		        (t != s && vars_find(free_in_stm(t),
		                             sub_var(s->pat.at[0])) >= 0);
	for (int i = 0; i < loop->loop.params.len; i++)
		uses += i != k && sub_eq(loop->loop.body.res.at[i], sub_var(s->pat.at[0]));
	return uses == 1;
}

static void rev_update(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	Build *b = v->b;
	bool arr = takes(v, e->update.arr), val = takes(v, e->update.val);
	if (!arr && !val)
		return;
	Slices at = ret_slices(v, e->update.at);
	Sub g = arr ? adj_owned(v, s->pat.at[0]) : adj_value(v, s->pat.at[0]);
	Sub part = b_slice(b, g, at);
	if (val)
		adj_pass(v, e->update.val, part_type(e),
		         sub_is_scalar(part) ? part : b_copy(b, part), true);
	if (arr)
		adj_add(v, e->update.arr, fills_own_row(v, s) ? g
		        : b_update(b, g, at, ad_zero(b, sub_type(part))), true);
}

static void rev_concat(Vjp *v, const Stm *s)
{
	Sub g = adj_value(v, s->pat.at[0]), from = sub_i64(0);
	for EACH(Sub, x, s->exp->concat.arrs) {
		Sub len = ret_sub(v, sub_type(*x).dims.at[0]);
		if (takes(v, *x))
			adj_add(v, *x, b_slice(v->b, g, slices_rows(sub_type(g), from, len)),
			        false);
		from = b_add(v->b, from, len);
	}
}

static void rev_replicate(Vjp *v, const Stm *s)
{
	if (!takes(v, s->exp->replicate.x))
		return;
	Sub g = adj_value(v, s->pat.at[0]);
	for (int i = 0; i < s->exp->replicate.dims.len; i++)
		g = sum_rows(v->b, g);
	adj_add(v, s->exp->replicate.x, g, true);
}

static void rev_reshape(Vjp *v, const Stm *s)
{
	Sub x = s->exp->reshape.arr;
	if (!takes(v, x))
		return;
	Adj a = adj_get(v, s->pat.at[0]);
	adj_add(v, x, b_reshape(v->b, ret_subs(v, sub_type(x).dims), a.val), a.owned);
}

static void rev_rearrange(Vjp *v, const Stm *s)
{
	Adj a = adj_get(v, s->pat.at[0]);
	adj_add_moved(v, s->exp->rearrange.arr, s->exp->rearrange.perm.at, a.val, a.owned);
}

static void rev_elements(Vjp *v, const Stm *s)
{
	Sub g = adj_value(v, s->pat.at[0]);
	for (int i = 0; i < s->exp->array.elems.len; i++)
		if (takes(v, s->exp->array.elems.at[i]))
			adj_add(v, s->exp->array.elems.at[i],
			        b_index(v->b, g, subs_of(1, sub_i64(i))), false);
}

void rev_array(Vjp *v, const Stm *s)
{
	Form f = s->exp->form;
	if (f == E_index)
		rev_index(v, s);
	else if (f == E_slice)
		rev_slice(v, s);
	else if (f == E_update)
		rev_update(v, s);
	else if (f == E_concat)
		rev_concat(v, s);
	else if (f == E_replicate)
		rev_replicate(v, s);
	else if (f == E_reshape)
		rev_reshape(v, s);
	else if (f == E_rearrange)
		rev_rearrange(v, s);
	else if (f == E_array)
		rev_elements(v, s);
	else if (f == E_copy)
		adj_add(v, s->exp->copy.arr, adj_value(v, s->pat.at[0]),
		        adj_get(v, s->pat.at[0]).owned);
	else
		bug("the form %s is none of an array", form_name[f]);
}
