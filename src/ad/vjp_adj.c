// The adjoints of variables: their partial sums during the return sweep, and adding to them.
//
// An adjoint is initially absent, which stands for zero.  The first contribution becomes the
// adjoint; further ones are added, arrays elementwise by a map.  A contribution to single cells is
// added in place, to an array of zeros if there is no adjoint yet.  Inside a map, the adjoint of a
// free array is an accumulator, to which cells, rows and whole arrays are added.
#include "ad/vjp.h"

Sub scalar_one(PrimType t)
{
	return sub_const(scalar_int(t, 1));
}

Var param_of_row(Sub arr, const char *hint)
{
	Type t = type_plain(type_row(sub_type(arr)));
	return var_new(name_of(hint), t);
}

Sub reversed(Build *b, Sub arr)
{
	Type t = sub_type(arr);
	Slices at = slices_rows(t, b_sub(b, t.dims.at[0], sub_i64(1)), t.dims.at[0]);
	at.at[0].step = sub_i64(-1);
	return b_slice(b, arr, at);
}

// ---- Sums ----

// \x y -> x + y at a type, rows added element by element.
Lambda *add_lambda(Build *b, Type t)
{
	t.unique = false;
	Var p = var_new(name_of("x"), t), q = var_new(name_of("y"), t);
	b_open(b);
	Sub s = b_add_arrays(b, sub_var(p), sub_var(q));
	return b_lambda(b, vars_of(2, p, q), subs_of(1, s));
}

Sub sum_rows(Build *b, Sub arr)
{
	Type row = type_row(sub_type(arr));
	Sub zero = ad_zero(b, row);
	return b_reduce(b, sub_type(arr).dims.at[0], subs_of(1, arr), add_lambda(b, row),
	                subs_of(1, zero)).at[0];
}

// ---- Accumulators ----

static Sub acc_step(Build *b, Sub acc, Subs idx, Sub val)
{
	return b_let(b, "acc", sub_type(acc), EXP(upd_acc, acc, idx, subs_of(1, val)));
}

// Adds val at the slice; `idx` has the indices for the dimensions seen so far.
static Sub acc_add(Build *b, Sub acc, Slices at, int dim, Subs idx, Sub val)
{
	while (dim < at.len && at.at[dim].fixed)
		idx = subs_cat(idx, subs_of(1, at.at[dim++].start));
	if (dim == at.len)
		return acc_step(b, acc, idx, val);
	DimSlice d = at.at[dim];
	Sub n = d.len, is = b_iota(b, n);
	Var i = param_of_row(is, "i"), x = param_of_row(val, "x");
	Var a = var_new(name_of("acc"), sub_type(acc));
	b_open(b);
	Sub place = b_add(b, d.start, b_mul(b, sub_var(i), d.step));
	Sub r = acc_add(b, sub_var(a), at, dim + 1, subs_cat(idx, subs_of(1, place)), sub_var(x));
	Lambda *f = b_lambda(b, vars_of(3, i, x, a), subs_of(1, r));
	return b_map(b, n, subs_of(3, is, val, acc), f).at[0];
}

// The same for a value whose dimension d is dimension perm[d] of the array: the nest goes over the
// value, so that it can be fused with what made the value.
static Sub acc_add_moved(Build *b, Sub acc, const int *perm, Subs prefix, int dim, Subs idx,
                         Sub val)
{
	if (dim == idx.len)
		return acc_step(b, acc, subs_cat(prefix, idx), val);
	Sub n = sub_type(val).dims.at[0], is = b_iota(b, n);
	Var i = param_of_row(is, "i"), x = param_of_row(val, "x");
	Var a = var_new(name_of("acc"), sub_type(acc));
	idx = SLICE_DUP(Subs, idx);
	idx.at[perm[dim]] = sub_var(i);
	b_open(b);
	Sub r = acc_add_moved(b, sub_var(a), perm, prefix, dim + 1, idx, sub_var(x));
	Lambda *f = b_lambda(b, vars_of(3, i, x, a), subs_of(1, r));
	return b_map(b, n, subs_of(3, is, val, acc), f).at[0];
}

// ---- Adjoints ----

Var adj_root(Vjp *v, Var x)
{
	const Cell *c = cell_of(v, x);
	return c && c->is_part ? c->part_of : x;
}

// The indices that lead to x in its root.
static Subs root_prefix(Vjp *v, Var x)
{
	const Cell *c = cell_of(v, x);
	return c && c->is_part ? c->part_at : (Subs){0};
}

void adj_part(Vjp *v, Var row, Var arr, Sub i)
{
	Cell *c = cell_of(v, row);
	c->part_at = subs_cat(root_prefix(v, arr), subs_of(1, i));
	c->part_of = adj_root(v, arr);
	c->is_part = true;
}

// A cell whose adjoint is no point: that becomes an array of zeros with one other row.
static Cell *settled(Vjp *v, Var x)
{
	Cell *c = cell_of(v, x);
	if (!c || c->adj.kind != ADJ_POINT)
		return c;
	Build *b = v->b;
	Adj p = c->adj;
	Type t = type_plain(ret_type(v, vars[x.id].type));
	Slices at = slices_at(subs_of(1, c->row), type_row(t).dims);
	b_open(b);
	Body yes = b_close(b, subs_of(1, b_update(b, ad_zero(b, t), at, p.val)));
	b_open(b);
	Body no = b_close(b, subs_of(1, ad_zero(b, t)));
	c->adj = adj_of(b_let(b, "adj", t, EXP(if_, c->row_ok, yes, no)), true);
	return c;
}

Adj adj_peek(Vjp *v, Var x)
{
	const Cell *c = cell_of(v, adj_root(v, x));
	return c ? c->adj : (Adj){0};
}

void adj_set_point(Vjp *v, Var x, Sub row, Sub ok, Sub value)
{
	Cell *c = cell_of(v, x);
	c->adj = (Adj){ADJ_POINT, value, false};
	c->row = row;
	c->row_ok = ok;
}

Adj adj_get(Vjp *v, Var x)
{
	Cell *c = settled(v, adj_root(v, x));
	return c ? c->adj : (Adj){0};
}

// What a row was given is in the accumulator.
Adj adj_take(Vjp *v, Var x)
{
	Cell *c = settled(v, x);
	if (!c)
		return (Adj){0};
	Adj a = c->adj;
	c->adj = (Adj){0};
	return a;
}

void adj_set(Vjp *v, Var x, Adj a)
{
	Cell *c = cell_of(v, adj_root(v, x));
	if (c)
		c->adj = a;
}

Sub adj_value(Vjp *v, Var x)
{
	Cell *c = settled(v, adj_root(v, x));
	if (c->adj.kind == ADJ_ZERO)
		c->adj = adj_of(ad_zero(v->b, ret_type(v, vars[x.id].type)), true);
	return c->adj.val;
}

Sub adj_owned(Vjp *v, Var x)
{
	Sub s = adj_value(v, x);
	Cell *c = cell_of(v, adj_root(v, x));
	if (c->adj.kind == ADJ_VALUE && !c->adj.owned && !sub_is_scalar(s))
		c->adj = adj_of(b_copy(v->b, s), true);
	return c->adj.val;
}

void adj_add(Vjp *v, Sub to, Sub value, bool owned)
{
	if (!takes(v, to))
		return;
	Cell *c = settled(v, adj_root(v, to.var));
	switch (c->adj.kind) {
	case ADJ_ZERO:
		c->adj = adj_of(value, owned || sub_is_scalar(value));
		return;
	case ADJ_VALUE:
		c->adj = adj_of(b_add_arrays(v->b, c->adj.val, value), true);
		return;
	case ADJ_ACC:
		c->adj.val = acc_add(v->b, c->adj.val, slices_at((Subs){0}, sub_type(value).dims),
		                     0, root_prefix(v, to.var), value);
		return;
	case ADJ_POINT:
		break;
	}
	bug("a point in the place of an adjoint");
}

// Note [Sizes of adjoints].  Where an array is used its sizes may have other names, where a check
// or a loop alone says that they are the same:
//
//     map (\r: [n]f64 -> .. let (s: [k]f64) = #{cert} r ..) xss
//
// Those may not be known where the array is, so that its adjoint is given the array's own.
Sub adj_shaped(Vjp *v, Sub to, Type used_as, Sub value)
{
	Subs dims = sub_type(to).dims;
	return subs_eq(dims, used_as.dims) ? value : b_reshape(v->b, ret_subs(v, dims), value);
}

void adj_pass(Vjp *v, Sub to, Type used_as, Sub value, bool owned)
{
	if (takes(v, to))
		adj_add(v, to, adj_shaped(v, to, used_as, value), owned);
}

void adj_add_rows(Vjp *v, Sub to, Sub n, Sub value)
{
	if (takes(v, to))
		adj_pass(v, to, type_of_rows(n, type_row(sub_type(to))), value, true);
}

void adj_add_moved(Vjp *v, Sub to, const int *perm, Sub value, bool owned)
{
	if (!takes(v, to))
		return;
	Cell *c = cell_of(v, adj_root(v, to.var));
	int rank = sub_type(value).dims.len, *back = NEW_ARRAY(int, rank + 1);
	if (c->adj.kind == ADJ_ACC) {
		Subs prefix = root_prefix(v, to.var), idx = {NEW_ARRAY(Sub, rank + 1), rank};
		c->adj.val = acc_add_moved(v->b, c->adj.val, perm, prefix, 0, idx, value);
		return;
	}
	for (int i = 0; i < rank; i++)
		back[perm[i]] = i;
	adj_add(v, to, b_rearrange(v->b, back, value), owned);
}

void adj_add_at(Vjp *v, Sub to, Slices at, Sub value)
{
	if (!takes(v, to))
		return;
	Cell *c = settled(v, adj_root(v, to.var));
	if (c->adj.kind == ADJ_ACC) {
		c->adj.val = acc_add(v->b, c->adj.val, at, 0, root_prefix(v, to.var), value);
		return;
	}
	bool fresh = c->adj.kind == ADJ_ZERO;
	Sub arr = adj_owned(v, to.var);
	Sub sum = fresh ? value : b_add_arrays(v->b, b_slice(v->b, arr, at), value);
	c->adj = adj_of(b_update(v->b, arr, at, sum), true);
}
