// The adjoints of variables: what has arrived so far, and adding to it.
//
// An adjoint begins as nothing.  The first contribution is stored as it is; a further one is
// added, arrays by one map.  A contribution to some cells goes into an array of zeros that is
// updated in place from then on.  Inside a map, the adjoint of an array from outside is an
// accumulator, to which cells, rows and whole arrays are added.
#include "ad/vjp.h"

Sub scalar_zero(PrimType t)
{
	return sub_const(scalar_int(t, 0));
}

Sub scalar_one(PrimType t)
{
	return sub_const(scalar_int(t, 1));
}

static bool is_scalar(Sub s)
{
	return type_is_scalar(sub_type(s));
}

Var param_of_row(Sub arr, const char *hint)
{
	Type t = type_row(sub_type(arr));
	t.unique = false;
	return var_new(name_of(hint), t);
}

Sub reversed(Build *b, Sub arr)
{
	Type t = sub_type(arr);
	Slices at = {NEW_ARRAY(DimSlice, t.dims.len), t.dims.len};
	for (int i = 0; i < at.len; i++)
		at.at[i] = (DimSlice){false, sub_i64(0), t.dims.at[i], sub_i64(1)};
	at.at[0].start = b_sub(b, t.dims.at[0], sub_i64(1));
	at.at[0].step = sub_i64(-1);
	return b_slice(b, arr, at);
}

// ---- Sums ----

Sub add_arrays(Build *b, Sub x, Sub y)
{
	if (is_scalar(x))
		return b_add(b, x, y);
	Type t = sub_type(x);
	Var p = param_of_row(x, "x"), q = param_of_row(y, "y");
	b_open(b);
	Sub s = add_arrays(b, sub_var(p), sub_var(q));
	Lambda *f = b_lambda(b, vars_of(2, p, q), subs_of(1, s));
	return b_map(b, t.dims.at[0], subs_of(2, x, y), f).at[0];
}

// \x y -> x + y at a type, rows added element by element.
Lambda *add_lambda(Build *b, Type t)
{
	t.unique = false;
	Var p = var_new(name_of("x"), t), q = var_new(name_of("y"), t);
	b_open(b);
	Sub s = add_arrays(b, sub_var(p), sub_var(q));
	return b_lambda(b, vars_of(2, p, q), subs_of(1, s));
}

Sub sum_rows(Build *b, Sub arr)
{
	Type row = type_row(sub_type(arr));
	Sub zero = ad_zero(b, row);
	return b_reduce(b, sub_type(arr).dims.at[0], subs_of(1, arr), add_lambda(b, row),
	                subs_of(1, zero), true).at[0];
}

// ---- Accumulators ----

static Sub acc_step(Build *b, Sub acc, Subs idx, Sub val)
{
	return b_let(b, "acc", sub_type(acc),
	             NEW(Exp, .form = E_upd_acc, .upd_acc = {acc, idx, subs_of(1, val)}));
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

// ---- Adjoints ----

static Slices whole(Type t)
{
	Slices at = {NEW_ARRAY(DimSlice, t.dims.len + 1), t.dims.len};
	for (int i = 0; i < at.len; i++)
		at.at[i] = (DimSlice){false, sub_i64(0), t.dims.at[i], sub_i64(1)};
	return at;
}

Adj adj_get(Vjp *v, Var x)
{
	Cell *c = cell_of(v, x);
	return c ? c->adj : (Adj){0};
}

Adj adj_take(Vjp *v, Var x)
{
	Cell *c = cell_of(v, x);
	if (!c)
		return (Adj){0};
	Adj a = c->adj;
	c->adj = (Adj){0};
	return a;
}

void adj_set(Vjp *v, Var x, Adj a)
{
	Cell *c = cell_of(v, x);
	if (c)
		c->adj = a;
}

Sub adj_value(Vjp *v, Var x)
{
	Cell *c = cell_of(v, x);
	if (c->adj.kind == ADJ_ZERO)
		c->adj = adj_of(ad_zero(v->b, ret_type(v, vars[x.id].type)), true);
	return c->adj.val;
}

Sub adj_owned(Vjp *v, Var x)
{
	Sub s = adj_value(v, x);
	Cell *c = cell_of(v, x);
	if (c->adj.kind == ADJ_VALUE && !c->adj.owned && !is_scalar(s))
		c->adj = adj_of(b_copy(v->b, s), true);
	return c->adj.val;
}

void adj_add(Vjp *v, Sub to, Sub value, bool owned)
{
	if (!takes(v, to))
		return;
	Cell *c = cell_of(v, to.var);
	switch (c->adj.kind) {
	case ADJ_ZERO:
		c->adj = adj_of(value, owned || is_scalar(value));
		return;
	case ADJ_VALUE:
		c->adj = adj_of(add_arrays(v->b, c->adj.val, value), true);
		return;
	case ADJ_ACC:
		c->adj.val = acc_add(v->b, c->adj.val, whole(sub_type(value)), 0, (Subs){0}, value);
		return;
	}
}

void adj_add_at(Vjp *v, Sub to, Slices at, Sub value)
{
	if (!takes(v, to))
		return;
	Cell *c = cell_of(v, to.var);
	if (c->adj.kind == ADJ_ACC) {
		c->adj.val = acc_add(v->b, c->adj.val, at, 0, (Subs){0}, value);
		return;
	}
	bool fresh = c->adj.kind == ADJ_ZERO;
	Sub arr = adj_owned(v, to.var);
	Sub sum = fresh ? value : add_arrays(v->b, b_slice(v->b, arr, at), value);
	c->adj = adj_of(b_update(v->b, arr, at, sum), true);
}
