// Return sweep of hist with any operator, in the form that vjp_normal.c gives it.
//
//     hs = hist dest op is as
//
// A bin is the fold of its initial value in dest and its elements, in order.  The elements are
// sorted by bin.  With l and r the reductions of what precedes and follows an element in its bin,
//
//     p_adj = adjoint of p in (p op r) at p = l op a, for hs_adj[i]; hs_adj[i] for the last of a
//             bin
//     a_adj = adjoint of a in (l op a), for p_adj; likewise for free variables of the operator
//     dest_adj = hs_adj, but in bins with elements the adjoint of x in (x op (all of these))
//
// l and r are computed by segmented scans, one segment per bin.
//
// Note [Quotients].  A commutative operator on scalars needs none of this where it is invertible.
// With h(x) the derivative of (x op t) with respect to t at the neutral element,
// (x op t) op y = (x op y) op t, so that the derivative of (x op y) by x is h(x op y) / h(x):
//
//     a_adj = hs_adj[i] * h(hs[i]) / h(a)            h(x) = x for products, 1 + x for x + y + x * y
//
// provided that all of these are normal numbers, which is tested at run time.
//
// Empty bins cost nothing.
#include "ad/vjp.h"

// ---- Sorting ----

// By one or two digits, whatever the number of bins is, so that the work for each element is the
// same; in blocks that are larger than what is counted in them.
typedef struct { Sub n, width, digits, block, blocks; } Sort;

enum { ONE_DIGIT = 8, BLOCK_BITS = 3 };

static Sub shifted_one(Build *b, Sub by)
{
	return b_prim2(b, P_shl, sub_i64(1), by);
}

static Sub flat(Build *b, Sub arr)
{
	Subs dims = sub_type(arr).dims;
	return b_reshape(b, subs_of(1, b_mul(b, dims.at[0], dims.at[1])), arr);
}

static Sub transposed(Build *b, Sub arr)
{
	return b_rearrange(b, (int[]){1, 0}, arr);
}

static Sub scratch(Build *b, Subs dims)
{
	return b_scratch(b, "places", type_array(PT_I64, dims));
}

// How often each digit comes in each block.
static Sub counts(Build *b, const Sort *s, Sub digits)
{
	Subs space = subs_of(2, s->blocks, s->digits);
	Sub none = b_replicate(b, s->blocks, b_replicate(b, s->digits, sub_i64(0)));
	Subs in = subs_of(2, digits, b_iota(b, s->n));
	Vars ps = params_for(in, "d");
	b_open(b);
	Sub block = b_prim2(b, P_quot, sub_var(ps.at[1]), s->block);
	Lambda *f = b_lambda(b, ps, subs_of(3, block, sub_var(ps.at[0]), sub_i64(1)));
	HistOps ops = {NEW(HistOp, add_lambda(b, type_scalar(PT_I64)), subs_of(1, sub_i64(0)),
	                   subs_of(1, none), space), 1};
	return b_let(b, "counts", type_array(PT_I64, space), EXP(hist, s->n, in, ops, f));
}

// Where the first of each digit of each block goes: those of lesser digits and earlier blocks
// first.
static Sub starts(Build *b, const Sort *s, Sub counted)
{
	Sub all = flat(b, transposed(b, counted)), n = sub_type(all).dims.at[0];
	Subs zero = subs_of(1, sub_i64(0));
	Subs sums = b_scan(b, n, subs_of(1, all), add_lambda(b, type_scalar(PT_I64)), zero);
	Sub before = shifted(b, n, sums, zero).at[0];
	return transposed(b, b_reshape(b, subs_of(2, s->digits, s->blocks), before));
}

// The places of the elements of one block, in order; `next` says where those of each digit go.
static Sub places_in_block(Build *b, const Sort *s, Sub digits, Sub number, Sub next)
{
	Type row = type_array(PT_I64, subs_of(1, s->digits));
	Type out = type_array(PT_I64, subs_of(1, s->block));
	row.unique = out.unique = true;
	Var cur = var_new(name_of("next"), row), to = var_new(name_of("places"), out);
	Var t = var_i64("t");
	Subs inits = subs_of(2, b_copy(b, next), scratch(b, out.dims));
	Sub begin = b_mul(b, number, s->block);
	Sub trips = b_prim2(b, P_min, b_sub(b, s->n, begin), s->block);
	b_open(b);
	Sub j = b_add(b, begin, sub_var(t));
	Sub d = b_index(b, digits, subs_of(1, j)), place = b_index(b, sub_var(cur), subs_of(1, d));
	Slices at_d = slices_at(subs_of(1, d), (Subs){0});
	Slices at_t = slices_at(subs_of(1, sub_var(t)), (Subs){0});
	Sub put = b_update(b, sub_var(to), at_t, place);
	Sub more = b_update(b, sub_var(cur), at_d, b_add(b, place, sub_i64(1)));
	Body body = b_close(b, subs_of(2, more, put));
	Types ts = {NEW_ARRAY(Type, 2), 2};
	ts.at[0] = row;
	ts.at[1] = out;
	return b_lets(b, "places", ts, EXP(loop, .params = vars_of(2, cur, to), .inits = inits,
	                                   .i = t, .n = trips, .body = body)).at[1];
}

// The order by one more digit: a stable sort by counting, in blocks.
static Sub sorted_by_digit(Build *b, const Sort *s, Sub order, Sub keys, Sub shift)
{
	Var e = param_of_row(order, "e");
	b_open(b);
	Sub key = b_index(b, keys, subs_of(1, sub_var(e)));
	Sub mask = b_sub(b, s->digits, sub_i64(1));
	Sub d = b_prim2(b, P_and, b_prim2(b, P_ashr, key, shift), mask);
	Sub digits =
		b_map(b, s->n, subs_of(1, order), b_lambda(b, vars_of(1, e), subs_of(1, d))).at[0];
	Subs in = subs_of(2, b_iota(b, s->blocks), starts(b, s, counts(b, s, digits)));
	Vars ps = params_for(in, "block");
	b_open(b);
	Sub mine = places_in_block(b, s, digits, sub_var(ps.at[0]), sub_var(ps.at[1]));
	Sub all = flat(b, b_map(b, s->blocks, in, b_lambda(b, ps, subs_of(1, mine))).at[0]);
	Slices head = slices_at((Subs){0}, subs_of(1, s->n));
	Subs moves = subs_of(2, b_slice(b, all, head), order), dims = subs_of(1, s->n);
	return b_let(b, "order", type_array(PT_I64, dims),
	             EXP(scatter, s->n, moves, {NEW(ScatterDest, scratch(b, dims), dims, 1), 1},
	                 identity_on(moves)));
}

// The numbers of n elements with keys 0 .. most, sorted.
static Sub sorted(Build *b, Sub n, Sub keys, Sub most)
{
	Type t = type_array(PT_I64, subs_of(1, n));
	Var order = var_new(name_of("order"), t), d = var_i64("digit");
	Sub bits = b_sub(b, sub_i64(64), b_convert(b, PT_I64, b_prim1(b, P_clz, most)));
	Sub rounds = b_select(b, b_le(b, bits, sub_i64(ONE_DIGIT)), sub_i64(1), sub_i64(2));
	Sort s = {.n = n};
	s.width = b_prim2(b, P_quot, b_sub(b, b_add(b, bits, rounds), sub_i64(1)), rounds);
	s.digits = shifted_one(b, s.width);
	s.block = shifted_one(b, b_add(b, s.width, sub_i64(BLOCK_BITS)));
	s.blocks = b_prim2(b, P_quot, b_sub(b, b_add(b, n, s.block), sub_i64(1)), s.block);
	b_open(b);
	Sub next = sorted_by_digit(b, &s, sub_var(order), keys, b_mul(b, sub_var(d), s.width));
	Body body = b_close(b, subs_of(1, next));
	return b_let(b, "order", t, EXP(loop, .params = vars_of(1, order),
	                                .inits = subs_of(1, b_iota(b, n)), .i = d, .n = rounds,
	                                .body = body));
}

// ---- The elements by bins ----

// In the order of their bins; those out of range are left out.
typedef struct {
	Sub n;
	Sub order, place;                    // which elements; where each of all elements is, or -1
	Subs idx, as, olds;
	Sub first, last;                        // of its bin?
} Sorted;

static Subs gathered(Build *b, Sub n, Sub order, Subs arrs)
{
	Subs out = {NEW_ARRAY(Sub, arrs.len + 1), arrs.len};
	Var e = param_of_row(order, "e");
	b_open(b);
	for (int i = 0; i < arrs.len; i++)
		out.at[i] = b_index(b, arrs.at[i], subs_of(1, sub_var(e)));
	return b_map(b, n, subs_of(1, order), b_lambda(b, vars_of(1, e), out));
}

// The number of each element's bin; `none` for those out of range.
static Sub keys_of(Build *b, const Hist *h, Sub none)
{
	Vars ps = params_for(h->idx, "i");
	b_open(b);
	Subs at = subs_of_vars(ps);
	Sub key = sub_i64(0);
	for (int d = 0; d < at.len; d++)
		key = b_add(b, b_mul(b, key, h->space.at[d]), at.at[d]);
	key = b_select(b, b_in_range(b, at, h->space), key, none);
	return b_map(b, h->n, h->idx, b_lambda(b, ps, subs_of(1, key))).at[0];
}

static Sub count_below(Build *b, Sub n, Sub keys, Sub bound)
{
	Var k = param_of_row(keys, "k");
	b_open(b);
	Sub one = b_select(b, b_lt(b, sub_var(k), bound), sub_i64(1), sub_i64(0));
	Lambda *f = b_lambda(b, vars_of(1, k), subs_of(1, one));
	Lambda *add = add_lambda(b, type_scalar(PT_I64));
	Reductions reds = {NEW(Reduction, add, subs_of(1, sub_i64(0)), true), 1};
	return b_let(b, "inside", type_scalar(PT_I64), EXP(screma, .n = n, .arrs = subs_of(1, keys),
	                                                   .map = f, .reds = reds));
}

// Has the element at distance `step` another key, or is there none?
static Sub bin_ends(Build *b, Sub n, Sub keys, int step)
{
	Sub is = b_iota(b, n);
	Var i = param_of_row(is, "i");
	b_open(b);
	Sub j = b_add(b, sub_var(i), sub_i64(step));
	Sub there = b_prim2(b, P_and, b_le(b, sub_i64(0), j), b_lt(b, j, n));
	b_open(b);
	Sub here = b_index(b, keys, subs_of(1, sub_var(i)));
	Sub other = b_prim1(b, P_not, b_eq(b, here, b_index(b, keys, subs_of(1, j))));
	Body yes = b_close(b, subs_of(1, other)), no = {.res = subs_of(1, sub_bool(true))};
	Sub ends = b_let(b, "ends", type_scalar(PT_BOOL), EXP(if_, there, yes, no));
	return b_map(b, n, subs_of(1, is), b_lambda(b, vars_of(1, i), subs_of(1, ends))).at[0];
}

static Sub places_of(Build *b, const Hist *h, Sub order, Sub n)
{
	Sub to = b_replicate(b, h->n, sub_i64(-1));
	Subs moves = subs_of(2, order, b_iota(b, n));
	return b_let(b, "place", sub_type(to), EXP(scatter, n, moves,
	                                           {NEW(ScatterDest, to, subs_of(1, h->n), 1), 1},
	                                           identity_on(moves)));
}

static Sorted by_bins(Build *b, const Hist *h)
{
	Sub bins = sub_i64(1);
	for EACH(Sub, d, h->space)
		bins = b_mul(b, bins, *d);
	Sub keys = keys_of(b, h, bins);
	Sorted s = {.n = count_below(b, h->n, keys, bins)};
	Slices head = slices_at((Subs){0}, subs_of(1, s.n));
	s.order = b_slice(b, sorted(b, h->n, keys, bins), head);
	s.place = places_of(b, h, s.order, s.n);
	int r = h->idx.len, k = h->as.len;
	Subs with = subs_cat(h->idx, subs_cat(h->as, h->olds));
	Subs all = gathered(b, s.n, s.order, subs_cat(subs_of(1, keys), with));
	s.idx = (Subs){all.at + 1, r};
	s.as = (Subs){all.at + 1 + r, k};
	s.olds = (Subs){all.at + 1 + r + k, k};
	s.first = bin_ends(b, s.n, all.at[0], -1);
	s.last = bin_ends(b, s.n, all.at[0], 1);
	return s;
}

// ---- Any operator ----

// The operator on pairs of whether a bin begins and values.
static Lambda *within_bins(Vjp *v, const Hist *h, bool flip)
{
	Build *b = v->b;
	int k = h->as.len;
	Lambda *op = plain_operator(v, h->op, flip);
	Vars ps = {NEW_ARRAY(Var, 2 * k + 2), 2 * k + 2};
	Subs args = {NEW_ARRAY(Sub, 2 * k), 2 * k};
	for (int side = 0; side < 2; side++) {
		ps.at[side * (k + 1)] = var_new(name_of("begins"), type_scalar(PT_BOOL));
		for (int c = 0; c < k; c++) {
			ps.at[side * (k + 1) + 1 + c] = var_new(name_of("x"), op->ret.at[c]);
			args.at[side * k + c] = sub_var(ps.at[side * (k + 1) + 1 + c]);
		}
	}
	Sub anew = sub_var(ps.at[k + 1]);
	b_open(b);
	Sub begins = b_prim2(b, P_or, sub_var(ps.at[0]), anew);
	b_open(b);
	Body no = b_close(b, ad_apply(b, op, args)), yes = {.res = {args.at + k, k}};
	Subs xs = b_lets(b, "x", op->ret, EXP(if_, anew, yes, no));
	return b_lambda(b, ps, subs_cat(subs_of(1, begins), xs));
}

static Subs scanned(Vjp *v, const Hist *h, Sub n, Sub begins, Subs as, bool flip)
{
	Subs in = subs_cat(subs_of(1, begins), as);
	Subs ne = subs_cat(subs_of(1, sub_bool(false)), h->ne);
	return (Subs){b_scan(v->b, n, in, within_bins(v, h, flip), ne).at + 1, as.len};
}

static Subs rows_at(Build *b, Subs arrs, Subs at)
{
	Subs out = {NEW_ARRAY(Sub, arrs.len + 1), arrs.len};
	for (int i = 0; i < arrs.len; i++)
		out.at[i] = b_index(b, arrs.at[i], at);
	return out;
}

static Subs values_of(Vjp *v, const Adj *adjs, Types ts)
{
	Subs out = {NEW_ARRAY(Sub, ts.len + 1), ts.len};
	for (int c = 0; c < ts.len; c++)
		out.at[c] = adj_or_zero(v, adjs[c], ts.at[c]);
	return out;
}

static Adj *seeds_of(Subs xs)
{
	Adj *out = NEW_ARRAY(Adj, xs.len + 1);
	for (int c = 0; c < xs.len; c++)
		out[c] = adj_of(xs.at[c], false);
	return out;
}

// The adjoint of x in (x op y), or `whole` itself where there is no y.
static Subs left_share(Vjp *v, const Hist *h, Sub none, Subs x, Subs ys, Sub j, Subs whole)
{
	Build *b = v->b;
	Types ts = plain_types(whole);
	b_open(b);
	Subs y = rows_at(b, ys, subs_of(1, j));
	Adj *d = vjp_inline(v, h->op, subs_cat(x, y), seeds_of(whole), true);
	Body no = b_close(b, values_of(v, d, ts)), yes = {.res = whole};
	return b_lets(b, "adj", ts, EXP(if_, none, yes, no));
}

// What comes before an element in its bin.
static Subs before(Vjp *v, const Hist *h, Sub first, Subs old, Subs prefixes, Sub j)
{
	Build *b = v->b;
	b_open(b);
	Subs more = rows_at(b, prefixes, subs_of(1, b_sub(b, j, sub_i64(1))));
	Body no = b_close(b, inline_plain(v, h->op, subs_cat(old, more))), yes = {.res = old};
	return b_lets(b, "l", plain_types(old), EXP(if_, first, yes, no));
}

static Subs params_from(Vars ps, int from, int n)
{
	return subs_of_vars((Vars){ps.at + from, n});
}

// For each sorted element its adjoint, then what dest gets, which counts where a bin begins.
static Subs sorted_shares(Vjp *v, const Hist *h, const Sorted *s)
{
	Build *b = v->b;
	int k = h->as.len, r = h->idx.len;
	Subs prefixes = scanned(v, h, s->n, s->first, s->as, false);
	Subs back = scanned(v, h, s->n, reversed(b, s->last), rows_reversed(b, s->as), true);
	Subs suffixes = rows_reversed(b, back);
	Vars free = takers(v, free_in_lambda(h->op));
	Subs ends = subs_of(3, s->first, s->last, b_iota(b, s->n));
	Subs in = subs_cat(subs_cat(s->idx, s->as), subs_cat(s->olds, ends));
	Vars ps = params_for(in, "x");
	Gather g;
	gather_begin(v, &g, s->n, free);
	Subs at = params_from(ps, 0, r), a = params_from(ps, r, k), old = params_from(ps, r + k, k);
	Sub first = sub_var(ps.at[r + 2 * k]), last = sub_var(ps.at[r + 2 * k + 1]);
	Sub j = sub_var(ps.at[r + 2 * k + 2]);
	Subs whole = rows_at(b, h->adjs, at), l = before(v, h, first, old, prefixes, j);
	Subs la = subs_cat(l, a), p = inline_plain(v, h->op, la);
	Subs p_adj = left_share(v, h, last, p, suffixes, b_add(b, j, sub_i64(1)), whole);
	Adj *both = vjp_inline(v, h->op, la, seeds_of(p_adj), true);
	if (free.len)
		vjp_inline(v, h->op, la, seeds_of(p_adj), false);
	Subs mine = values_of(v, both + k, plain_types(a));
	Subs left = left_share(v, h, b_prim1(b, P_not, first), old, suffixes, j, whole);
	return gather_end(v, &g, in, ps, subs_cat(mine, left));
}

// In the order of the elements; zeros out of range.
static Subs back_in_place(Build *b, const Hist *h, const Sorted *s, Subs shares)
{
	Var p = param_of_row(s->place, "p");
	Types ts = {NEW_ARRAY(Type, shares.len + 1), shares.len};
	for (int c = 0; c < shares.len; c++)
		ts.at[c] = type_row(sub_type(shares.at[c]));
	b_open(b);
	b_open(b);
	Body yes = b_close(b, rows_at(b, shares, subs_of(1, sub_var(p))));
	b_open(b);
	Subs zeros = {NEW_ARRAY(Sub, shares.len + 1), shares.len};
	for (int c = 0; c < shares.len; c++)
		zeros.at[c] = ad_zero(b, ts.at[c]);
	Body no = b_close(b, zeros);
	Sub ok = b_le(b, sub_i64(0), sub_var(p));
	Subs out = b_lets(b, "adj", ts, EXP(if_, ok, yes, no));
	return b_map(b, h->n, subs_of(1, s->place), b_lambda(b, vars_of(1, p), out));
}

// The adjoint of the histogram with other values in bins that have elements.
static Sub put_in_bins(Build *b, const Hist *h, int c, Sub n, Subs idx, Sub where, Sub vals)
{
	Subs in = subs_cat(idx, subs_of(2, where, vals));
	Vars ps = params_for(in, "x");
	int r = idx.len;
	b_open(b);
	Subs res = {NEW_ARRAY(Sub, r + 1), r + 1};
	for (int d = 0; d < r; d++)
		res.at[d] = b_select(b, sub_var(ps.at[r]), sub_var(ps.at[d]), sub_i64(-1));
	res.at[r] = sub_var(ps.at[r + 1]);
	Lambda *f = b_lambda(b, ps, res);
	return b_let(b, "adj", sub_type(h->adjs.at[c]), EXP(scatter, n, in,
	                                                    {NEW(ScatterDest, h->adjs.at[c],
	                                                         h->space, 1), 1}, f));
}

// Adjoints of the values, then of dest.
static Subs shares_of_any(Vjp *v, const Hist *h)
{
	Build *b = v->b;
	int k = h->as.len;
	Sorted s = by_bins(b, h);
	Subs all = sorted_shares(v, h, &s), dests = {NEW_ARRAY(Sub, k), k};
	Subs vals = back_in_place(b, h, &s, (Subs){all.at, k});
	for (int c = 0; c < k; c++)
		dests.at[c] = put_in_bins(b, h, c, s.n, s.idx, s.first, all.at[k + c]);
	return subs_cat(vals, dests);
}

// ---- Quotients ----

typedef struct { const Lambda *op; int left; } Commuting;

static Sub other_operand(const Lambda *op, Sub s)
{
	for (int i = 0; i < 2; i++)
		if (sub_eq(s, sub_var(op->params.at[i])))
			return sub_var(op->params.at[1 - i]);
	return s;
}

// Is x with the operands exchanged y?
static bool same_exchanged(Commuting *c, Sub x, Sub y)
{
	const Exp *e = def_in(&c->op->body, x), *f = def_in(&c->op->body, y);
	if (c->left-- <= 0)
		return false;
	if (!e || !f)
		return !e && !f && sub_eq(other_operand(c->op, x), y);
	if (e->form == E_convert && f->form == E_convert)
		return e->convert.to == f->convert.to &&
		       same_exchanged(c, e->convert.x, f->convert.x);
	if (e->form != E_prim || f->form != E_prim || e->prim.op != f->prim.op ||
	    e->prim.at != f->prim.at)
		return false;
	const Sub *p = e->prim.x, *q = f->prim.x;
	bool same = true;
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		same = same && same_exchanged(c, p[i], q[i]);
	return same || (prim_commutes(e->prim.op) && same_exchanged(c, p[0], q[1]) &&
	                same_exchanged(c, p[1], q[0]));
}

static bool commutes(const Lambda *op)
{
	enum { MOST_LOOKS = 1000 };
	Commuting c = {op, MOST_LOOKS};
	return same_exchanged(&c, op->body.res.at[0], op->body.res.at[0]);
}

bool may_be_undone(Vjp *v, const Hist *h)
{
	Type t = h->as.len == 1 ? type_row(sub_type(h->as.at[0])) : (Type){0};
	return h->as.len == 1 && type_is_scalar(t) && is_float(t.elem) &&
	       !takers(v, free_in_lambda(h->op)).len && commutes(h->op);
}

// The derivative of (x op t) by t at the neutral element.
static Sub slope(Vjp *v, const Hist *h, Sub x)
{
	PrimType t = sub_type(x).elem;
	Adj seed = adj_of(scalar_one(t), true);
	Adj *d = vjp_inline(v, h->op, subs_cat(subs_of(1, x), h->ne), &seed, true);
	return adj_or_zero(v, d[1], type_scalar(t));
}

// For each element: is it in range, and the slopes of bin, element and dest.
static Subs slopes(Vjp *v, const Hist *h)
{
	Build *b = v->b;
	PrimType t = sub_type(h->as.at[0]).elem;
	int r = h->idx.len;
	Subs in = subs_cat(h->idx, subs_cat(h->as, h->olds));
	Vars ps = params_for(in, "x");
	b_open(b);
	Subs at = params_from(ps, 0, r);
	Sub ok = b_in_range(b, at, h->space);
	b_open(b);
	Sub y = slope(v, h, b_index(b, h->result, at));
	Subs hs = subs_of(3, y, slope(v, h, sub_var(ps.at[r])), slope(v, h, sub_var(ps.at[r + 1])));
	Sub one = scalar_one(t);
	Body yes = b_close(b, hs), no = {.res = subs_of(3, one, one, one)};
	Subs out = b_lets(b, "h", plain_types(hs), EXP(if_, ok, yes, no));
	return b_map(b, h->n, in, b_lambda(b, ps, subs_cat(subs_of(1, ok), out)));
}

static Sub all_quotients_normal(Build *b, const Hist *h, Subs hs)
{
	Subs in = {hs.at + 1, 3};
	Vars ps = params_for(in, "h");
	b_open(b);
	Sub y = sub_var(ps.at[0]), ok = is_normal(b, y);
	for (int i = 1; i < 3; i++) {
		Sub x = sub_var(ps.at[i]);
		ok = b_prim2(b, P_and, ok, b_prim2(b, P_and, is_normal(b, x),
		             is_normal(b, b_prim2(b, P_div, y, x))));
	}
	b_add_attr(b, 0, ATTR_TRUSTED); // that they may not be is what is asked
	Lambda *f = b_lambda(b, ps, subs_of(1, ok));
	Lambda *both = b_operator(b, P_and, PT_BOOL);
	Reductions reds = {NEW(Reduction, both, subs_of(1, sub_bool(true)), true), 1};
	return b_let(b, "normal", type_scalar(PT_BOOL), EXP(screma, .n = h->n, .arrs = in, .map = f,
	                                                    .reds = reds));
}

static Subs shares_by_quotients(Build *b, const Hist *h, Subs hs)
{
	int r = h->idx.len;
	PrimType t = sub_type(h->as.at[0]).elem;
	Subs in = subs_cat(h->idx, hs);
	Vars ps = params_for(in, "x");
	b_open(b);
	Sub ok = sub_var(ps.at[r]), y = sub_var(ps.at[r + 1]);
	b_open(b);
	Sub g = b_mul(b, b_index(b, h->adjs.at[0], params_from(ps, 0, r)), y);
	Subs shares = subs_of(2, b_prim2(b, P_div, g, sub_var(ps.at[r + 2])),
	                      b_prim2(b, P_div, g, sub_var(ps.at[r + 3])));
	Body yes = b_close(b, shares), no = {.res = subs_of(2, sub_zero(t), sub_zero(t))};
	Subs both = b_lets(b, "adj", plain_types(shares), EXP(if_, ok, yes, no));
	Subs out = b_map(b, h->n, in, b_lambda(b, ps, both));
	return subs_of(2, out.at[0], put_in_bins(b, h, 0, h->n, h->idx, hs.at[0], out.at[1]));
}

// ---- The rule ----

Subs hist_shares(Vjp *v, const Hist *h)
{
	Build *b = v->b;
	if (!may_be_undone(v, h))
		return shares_of_any(v, h);
	Subs hs = slopes(v, h);
	Sub ok = all_quotients_normal(b, h, hs);
	b_open(b);
	Subs shares = shares_by_quotients(b, h, hs);
	Types ts = plain_types(shares);
	Body yes = b_close(b, shares);
	b_open(b);
	Body no = b_close(b, shares_of_any(v, h));
	return b_lets(b, "adj", ts, EXP(if_, ok, yes, no));
}
