// Return sweeps of hist and scatter, in the form that vjp_normal.c gives them.
//
//     hs = hist dest (+) is as   as_adj = map (\i -> hs_adj[i], or 0 outside) is; dest_adj = hs_adj
//     hs = hist dest min is as   the same for the first element that attains the minimum of its
//                                bin, 0 for the others; dest wins ties
//                                (where dest was filled with x, it wins where hs[j] = x)
//     hs = hist dest op is as    vjp_hist_any.c
//     ys = scatter xs is vs      vs_adj = map (\i -> ys_adj[i], or 0) is; xs_adj = ys_adj, 0 there
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
	return b_let(b, "x", t, EXP(if_, ok, yes, no));
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
	return b_prim2(b, P_or, eq,
	               b_prim2(b, P_and, b_prim1(b, P_isnan, x), b_prim1(b, P_isnan, y)));
}

static Lambda *least(Build *b)
{
	Var p = var_i64("i"), q = var_i64("j");
	b_open(b);
	return b_lambda(b, vars_of(2, p, q), subs_of(1, b_prim2(b, P_min, sub_var(p), sub_var(q))));
}

// A map over the elements, for those in range; `none` is what the others give.
typedef struct { Vars ps; Subs at; Sub ok; } InRange;

static InRange open_in_range(Build *b, const Hist *h, Subs in)
{
	InRange o = {.ps = params_for(in, "x")};
	o.at = subs_of_vars((Vars){o.ps.at, h->idx.len});
	b_open(b);
	o.ok = b_in_range(b, o.at, h->space);
	b_open(b);
	return o;
}

static Sub close_in_range(Build *b, const InRange *o, Sub some, Sub none)
{
	Body yes = b_close(b, subs_of(1, some)), no = {.res = subs_of(1, none)};
	Type t = sub_type(none);
	return b_let(b, "x", t, EXP(if_, o->ok, yes, no));
}

// The number of the first winner of a bin, as far as dest tells: itself, or nobody.
static Sub first_place(Build *b, Sub old, Sub result)
{
	return b_select(b, same(b, old, result), sub_i64(-1), sub_i64(INT64_MAX));
}

static Sub places_of_all(Build *b, Sub old, Sub results)
{
	Type t = sub_type(results);
	if (type_is_scalar(t))
		return first_place(b, old, results);
	Var row = param_of_row(results, "bin");
	b_open(b);
	Sub x = places_of_all(b, old, sub_var(row));
	Lambda *f = b_lambda(b, vars_of(1, row), subs_of(1, x));
	return b_map(b, t.dims.at[0], subs_of(1, results), f).at[0];
}

// -1 in bins where dest has the result, and a number greater than all others in the rest of those
// that have elements.
static Sub first_places(Build *b, const Hist *h)
{
	if (h->fill)
		return places_of_all(b, *h->fill, h->result);
	Subs in = subs_cat(h->idx, h->olds);
	InRange o = open_in_range(b, h, in);
	Sub place = first_place(b, sub_var(o.ps.at[h->idx.len]), b_index(b, h->result, o.at));
	place = close_in_range(b, &o, place, sub_i64(-1));
	Lambda *f = b_lambda(b, o.ps, subs_cat(o.at, subs_of(1, place)));
	Type t = type_array(PT_I64, h->space);
	Sub to = b_let(b, "places", t, EXP(scratch, PT_I64, h->space));
	return b_let(b, "places", t, EXP(scatter, h->n, in, {NEW(ScatterDest, to, h->space, 1), 1},
	                                 f));
}

// For each bin with elements the first of them that attains the result; -1: dest does.
static Sub winners(Build *b, const Hist *h)
{
	Sub places = first_places(b, h);
	int k = h->idx.len;
	Subs in = subs_cat(h->idx, subs_of(2, h->as.at[0], b_iota(b, h->n)));
	InRange o = open_in_range(b, h, in);
	Sub hit = same(b, sub_var(o.ps.at[k]), b_index(b, h->result, o.at));
	Sub i = b_select(b, hit, sub_var(o.ps.at[k + 1]), sub_i64(INT64_MAX));
	i = close_in_range(b, &o, i, sub_i64(INT64_MAX));
	Lambda *f = b_lambda(b, o.ps, subs_cat(o.at, subs_of(1, i)));
	HistOps ops = {NEW(HistOp, least(b), subs_of(1, sub_i64(INT64_MAX)), subs_of(1, places),
	                   h->space), 1};
	return b_let(b, "winner", type_array(PT_I64, h->space), EXP(hist, h->n, in, ops, f));
}

// The adjoint of the bin where the winner is `who`, a number for each element.
static Sub winning_rows(Build *b, const Hist *h, Sub winner, Sub who)
{
	Subs in = subs_cat(h->idx, subs_of(1, who));
	Sub zero = sub_zero(sub_type(h->adjs.at[0]).elem);
	InRange o = open_in_range(b, h, in);
	Sub mine = b_eq(b, b_index(b, winner, o.at), sub_var(o.ps.at[h->idx.len]));
	Sub x = b_select(b, mine, b_index(b, h->adjs.at[0], o.at), zero);
	x = close_in_range(b, &o, x, zero);
	return b_map(b, h->n, in, b_lambda(b, o.ps, subs_of(1, x))).at[0];
}

static Subs extreme_shares(Build *b, const Hist *h)
{
	Sub winner = winners(b, h), vals = winning_rows(b, h, winner, b_iota(b, h->n));
	Sub mine = winning_rows(b, h, winner, b_replicate(b, h->n, sub_i64(-1)));
	Subs in = subs_cat(h->idx, subs_of(1, mine));
	Sub dest = b_let(b, "adj", sub_type(h->adjs.at[0]),
	                 EXP(scatter, h->n, in, {NEW(ScatterDest, h->adjs.at[0], h->space, 1), 1},
	                     identity_on(in)));
	return subs_of(2, vals, dest);
}

// ---- The rules ----

static bool any_takes(Vjp *v, Subs xs)
{
	for EACH(Sub, x, xs)
		if (takes(v, *x))
			return true;
	return false;
}

static void rev_sum(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	const HistOp *op = &e->hist.ops.at[0];
	int k = op->space.len;
	Sub vals = e->hist.arrs.at[k];
	Adj a = adj_get(v, s->pat.at[0]);
	if (takes(v, vals))
		adj_add_rows(v, vals, e->hist.n,
		             gather_rows(v->b, ret_sub(v, e->hist.n),
		                         ret_subs(v, first(e->hist.arrs, k)),
		                         ret_subs(v, op->space), a.val));
	adj_add(v, op->dests.at[0], a.val, a.owned);
}

// The bins that have elements once more, in new memory, the others of which nobody looks at: in
// loops the array of all bins is gone by now, and a copy of it would take longer than this.
static Sub touched_bins(Vjp *v, const Hist *h)
{
	Build *b = v->b;
	Type t = type_array(sub_type(h->as.at[0]).elem, h->space);
	Subs put = subs_cat(h->idx, h->olds), in = subs_cat(h->idx, h->as);
	Sub bins = b_let(b, "bins", t, EXP(scratch, t.elem, h->space));
	bins = b_let(b, "bins", t, EXP(scatter, h->n, put, {NEW(ScatterDest, bins, h->space, 1), 1},
	                               identity_on(put)));
	HistOps ops = {NEW(HistOp, plain_operator(v, h->op, false), h->ne, subs_of(1, bins),
	                   h->space), 1};
	return b_let(b, "bins", t, EXP(hist, h->n, in, ops, identity_on(in)));
}

// The number that all bins are filled with right before: that takes a step for each of them, so the
// return sweep may look at all of them too.
static const Sub *fill_of(Vjp *v, Sub dest)
{
	const Cell *c = dest.kind == S_VAR ? cell_of(v, dest.var) : NULL;
	if (!c || c->level != v->top || c->def < 0)
		return NULL;
	const Exp *e = v->top->body->stms.at[c->def].exp;
	if (e->form != E_replicate || !type_is_scalar(sub_type(e->replicate.x)))
		return NULL;
	Sub x = ret_sub(v, e->replicate.x);
	return mem_dup(&x, sizeof x);
}

// The bins as they are after the histogram, at least those that have elements.
static Sub result_of(Vjp *v, const Stm *s, const Hist *h)
{
	Var x = s->pat.at[0];
	bool gone = level_in_loop(v->top) &&
	            (!h->fill || killer_after(v, v->top, cell_of(v, x)->def, x) >= 0);
	return gone ? touched_bins(v, h) : ret_var(v, s->pat.at[0]);
}

void rev_hist(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	const HistOp *op = &e->hist.ops.at[0];
	Prim p = N_PRIM;
	PrimType t;
	int r = op->space.len, k = op->dests.len;
	bool simple = k == 1 && binary_prim(op->op, &p, &t);
	Subs vals = subs_part(e->hist.arrs, r, k);
	if (!any_takes(v, vals) && !any_takes(v, op->dests) &&
	    !takers(v, free_in_lambda(op->op)).len)
		return;
	if (simple && p == P_add) {
		rev_sum(v, s);
		return;
	}
	Hist h = {.op = op->op, .n = ret_sub(v, e->hist.n), .ne = ret_subs(v, op->ne),
	          .space = ret_subs(v, op->space), .idx = ret_subs(v, first(e->hist.arrs, r)),
	          .as = ret_subs(v, vals), .olds = ret_subs(v, subs_part(e->hist.arrs, r + k, k)),
	          .adjs = {NEW_ARRAY(Sub, k), k}};
	for (int c = 0; c < k; c++)
		h.adjs.at[c] = adj_owned(v, s->pat.at[c]);
	bool extreme = simple && (p == P_min || p == P_max);
	if (extreme || may_be_undone(v, &h)) {
		h.fill = k == 1 ? fill_of(v, op->dests.at[0]) : NULL;
		h.result = result_of(v, s, &h);
	}
	Subs shares = extreme ? extreme_shares(v->b, &h) : hist_shares(v, &h);
	for (int c = 0; c < k; c++) {
		adj_add_rows(v, vals.at[c], e->hist.n, shares.at[c]);
		adj_add(v, op->dests.at[c], shares.at[k + c], true);
	}
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
		adj_add_rows(v, vals, e->scatter.n,
		             gather_rows(b, n, idx, space, adj_value(v, s->pat.at[0])));
	if (!takes(v, d.dest))
		return;
	Sub g = adj_owned(v, s->pat.at[0]);
	Subs in = subs_cat(idx, subs_of(1, ad_zero(b, type_of_rows(n, type_drop(sub_type(g), k)))));
	Exp *x = EXP(scatter, n, in, {NEW(ScatterDest, g, space, 1), 1}, identity_on(in));
	adj_add(v, d.dest, b_let(b, "adj", sub_type(g), x), true);
}
