// Return sweeps of hist and scatter, in the form that vjp_normal.c gives them.
//
//     hs = hist dest (+) is as       as_adj = map (\i -> hs_adj[i], or 0 out of range) is; dest_adj = hs_adj
//     hs = hist dest min is as       the same where the element is the first that is the
//                                    least of its bin; dest wins ties
//     ys = scatter xs is vs          vs_adj = map (\i -> ys_adj[i], or 0) is; xs_adj = ys_adj with 0 there
#include "ad/vjp.h"

static Subs first(Subs s, int n)
{
	return (Subs){n ? s.at : NULL, n};
}

// arr[idx], or zeros out of range.
static Sub read_or_zero(Build *b, Sub arr, Subs idx, Subs space)
{
	Type t = type_drop(sub_type(arr), idx.len);
	Sub ok = b_in_range(b, idx, space);
	b_open(b);
	Body yes = b_close(b, subs_of(1, b_index(b, arr, idx)));
	b_open(b);
	Body no = b_close(b, subs_of(1, ad_zero(b, t)));
	return b_let(b, "x", t, NEW(Exp, .form = E_if_, .if_ = {ok, yes, no}));
}

Sub gather_rows(Build *b, Sub n, Subs idx, Subs space, Sub from)
{
	Vars ps = params_for(idx, "i");
	b_open(b);
	Sub x = read_or_zero(b, from, subs_of_vars((Vars){ps.at, idx.len}), space);
	return b_map(b, n, idx, b_lambda(b, ps, subs_of(1, x))).at[0];
}

// ---- Minimum and maximum ----

static Sub same(Build *b, Sub x, Sub y)
{
	Sub eq = b_eq(b, x, y);
	if (!is_float(sub_type(x).elem))
		return eq;
	return b_prim2(b, P_or, eq, b_prim2(b, P_and, b_prim1(b, P_isnan, x), b_prim1(b, P_isnan, y)));
}

// A map over all cells of some arrays of one shape.
static Sub over_cells(Build *b, Subs arrs, int rank, Sub (*f)(Build *, Subs))
{
	if (!rank)
		return f(b, arrs);
	Sub n = sub_type(arrs.at[0]).dims.at[0];
	Vars ps = params_for(arrs, "x");
	b_open(b);
	Sub r = over_cells(b, subs_of_vars((Vars){ps.at, arrs.len}), rank - 1, f);
	return b_map(b, n, arrs, b_lambda(b, ps, subs_of(1, r))).at[0];
}

static Sub start_place(Build *b, Subs xs)     // dest, result
{
	return b_select(b, same(b, xs.at[0], xs.at[1]), sub_i64(-1), sub_i64(INT64_MAX));
}

static Sub dest_share(Build *b, Subs xs)      // winner, adjoint
{
	Sub mine = b_eq(b, xs.at[0], sub_i64(-1));
	return b_select(b, mine, xs.at[1], scalar_zero(sub_type(xs.at[1]).elem));
}

typedef struct { Sub n; Subs idx, space; Sub vals, dest, result, adj; } Extreme;

// For each bin the first element that attains the result; -1: dest does.
static Sub winners(Build *b, const Extreme *x)
{
	Sub places = over_cells(b, subs_of(2, x->dest, x->result), x->space.len, start_place);
	Subs in = subs_cat(x->idx, subs_of(2, x->vals, b_iota(b, x->n)));
	Vars ps = params_for(in, "x");
	int k = x->idx.len;
	b_open(b);
	Subs at = subs_of_vars((Vars){ps.at, k});
	Sub ok = b_in_range(b, at, x->space);
	b_open(b);
	Sub hit = same(b, sub_var(ps.at[k]), b_index(b, x->result, at));
	Body yes = b_close(b, subs_of(1, b_select(b, hit, sub_var(ps.at[k + 1]), sub_i64(INT64_MAX))));
	Body no = {.res = subs_of(1, sub_i64(INT64_MAX))};
	Sub i = b_let(b, "i", type_scalar(PT_I64), NEW(Exp, .form = E_if_, .if_ = {ok, yes, no}));
	Lambda *f = b_lambda(b, ps, subs_cat(at, subs_of(1, i)));
	Var p = var_new(name_of("i"), type_scalar(PT_I64)), q = var_new(name_of("j"), type_scalar(PT_I64));
	b_open(b);
	Lambda *op = b_lambda(b, vars_of(2, p, q),
	                      subs_of(1, b_prim2(b, P_min, sub_var(p), sub_var(q))));
	HistOps ops = {NEW(HistOp, op, subs_of(1, sub_i64(INT64_MAX)), subs_of(1, places), x->space), 1};
	return b_let(b, "winner", type_array(PT_I64, x->space),
	             NEW(Exp, .form = E_hist, .hist = {x->n, in, ops, f}));
}

static Sub winning_rows(Build *b, const Extreme *x, Sub winner)
{
	Subs in = subs_cat(x->idx, subs_of(1, b_iota(b, x->n)));
	Vars ps = params_for(in, "i");
	int k = x->idx.len;
	PrimType t = sub_type(x->adj).elem;
	b_open(b);
	Subs at = subs_of_vars((Vars){ps.at, k});
	Sub ok = b_in_range(b, at, x->space);
	b_open(b);
	Sub mine = b_eq(b, b_index(b, winner, at), sub_var(ps.at[k]));
	Body yes = b_close(b, subs_of(1, b_select(b, mine, b_index(b, x->adj, at), scalar_zero(t))));
	Body no = {.res = subs_of(1, scalar_zero(t))};
	Sub r = b_let(b, "x", type_scalar(t), NEW(Exp, .form = E_if_, .if_ = {ok, yes, no}));
	return b_map(b, x->n, in, b_lambda(b, ps, subs_of(1, r))).at[0];
}

static void rev_extreme(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	const HistOp *op = &e->hist.ops.at[0];
	int k = op->space.len;
	Sub vals = e->hist.arrs.at[k], dest = op->dests.at[0];
	Extreme x = {.n = ret_sub(v, e->hist.n), .idx = ret_subs(v, first(e->hist.arrs, k)),
	             .space = ret_subs(v, op->space), .adj = adj_value(v, s->pat.at[0])};
	x.vals = ret_sub(v, vals);
	x.result = ret_var(v, s->pat.at[0]);
	x.dest = ret_sub(v, dest);
	Sub winner = winners(v->b, &x);
	if (takes(v, vals))
		adj_add(v, vals, winning_rows(v->b, &x, winner), true);
	if (takes(v, dest))
		adj_add(v, dest, over_cells(v->b, subs_of(2, winner, x.adj), k, dest_share), true);
}

// ---- The rules ----

void rev_hist(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	const HistOp *op = &e->hist.ops.at[0];
	Prim p;
	PrimType t;
	if (!binary_prim(op->op, &p, &t))
		bug("a histogram that is not normal");
	int k = op->space.len;
	Sub vals = e->hist.arrs.at[k];
	if (!takes(v, vals) && !takes(v, op->dests.at[0]))
		return;
	if (p != P_add) {
		rev_extreme(v, s);
		return;
	}
	Adj a = adj_get(v, s->pat.at[0]);
	if (takes(v, vals))
		adj_add(v, vals, gather_rows(v->b, ret_sub(v, e->hist.n),
		        ret_subs(v, first(e->hist.arrs, k)), ret_subs(v, op->space), a.val), true);
	adj_add(v, op->dests.at[0], a.val, a.owned);
}

void rev_scatter(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	Build *b = v->b;
	ScatterDest d = e->scatter.dests.at[0];
	int k = d.space.len;
	Sub vals = e->scatter.arrs.at[k];
	if (!takes(v, vals) && !takes(v, d.dest))
		return;
	Sub n = ret_sub(v, e->scatter.n);
	Subs idx = ret_subs(v, first(e->scatter.arrs, k)), space = ret_subs(v, d.space);
	if (takes(v, vals))
		adj_add(v, vals, gather_rows(b, n, idx, space, adj_value(v, s->pat.at[0])), true);
	if (!takes(v, d.dest))
		return;
	Sub g = adj_owned(v, s->pat.at[0]);
	Subs in = subs_cat(idx, subs_of(1, ad_zero(b, type_of_rows(n, type_drop(sub_type(g), k)))));
	Exp *x = NEW(Exp, .form = E_scatter, .scatter = {n, in,
	             {NEW(ScatterDest, g, space, 1), 1}, identity_on(in)});
	adj_add(v, d.dest, b_let(b, "adj", sub_type(g), x), true);
}
