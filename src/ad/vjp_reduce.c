// Return sweep of reduce.
//
//     y = reduce (+) 0 as          as_adj += replicate n y_adj
//     y = reduce min inf as        as_adj[k] += y_adj, k the first place of the minimum
//     ys = reduce (map2 min) .. rows     the same for each column
//     y = reduce op ne as, where op gives one of its operands: vjp_choice.c
//     y = reduce (*) 1 as          a_adj = y / a * y_adj, where y is a normal number
//     y = reduce op ne as          with l and r the exclusive prefixes and suffixes:
//       a_adj = adjoint of a in (l op a), for the adjoint of p in (p op r) at p = l op a
//
// In sequential code, reductions without a rule of their own (reduce_rule) have been turned into
// loops by then (vjp_order.c).
//
// Contributions to free variables of the operator come from the inner application only, and not
// from the first element, to which a left fold does not apply the operator.
#include "ad/vjp.h"

// ---- Kinds of operators ----

// map2 op on rows counts as op.
bool binary_prim(const Lambda *f, Prim *op, PrimType *at)
{
	const Exp *e = lambda_prim(f);
	if (e) {
		*op = e->prim.op;
		*at = e->prim.at;
		return prim_commutes(*op) || sub_eq(e->prim.x[0], sub_var(f->params.at[0]));
	}
	e = f->params.len == 2 && f->body.stms.len == 1 && f->body.res.len == 1
	  ? def_in(&f->body, f->body.res.at[0]) : NULL;
	return e && is_map(e) &&
	       e->screma.arrs.len == 2 && sub_eq(e->screma.arrs.at[0], sub_var(f->params.at[0])) &&
	       sub_eq(e->screma.arrs.at[1], sub_var(f->params.at[1])) &&
	       binary_prim(e->screma.map, op, at);
}

static bool is_scalar_op(const Lambda *f)
{
	return type_is_scalar(vars[f->params.at[0].id].type);
}

ReduceRule reduce_rule(const Lambda *f)
{
	Prim op;
	PrimType at;
	if (!binary_prim(f, &op, &at))
		return chooses_floats(f) ? BY_CHOICE : BY_SCANS;
	if (op == P_add)
		return BY_SHARING;
	if (op == P_min || op == P_max)
		return is_scalar_op(f) ? BY_PLACE : BY_PLACES;
	return op == P_mul && is_float(at) ? BY_QUOTIENTS : BY_SCANS;
}

// Is it a number that is none of its operands, as far as floats go?
static bool computes(const Stm *s)
{
	const Exp *e = s->exp;
	bool floats = false;
	for EACH(Var, x, s->pat)
		floats |= is_float(vars[x->id].type.elem);
	if (!floats || e->form == E_index || e->form == E_array || e->form == E_if_ ||
	    e->form == E_match || e->form == E_atom || is_map(e))
		return false;
	return e->form != E_prim || (e->prim.op != P_min && e->prim.op != P_max);
}

// What numbers it gives are those of its operands, each from either of them.
static bool picks_numbers(const Lambda *f)
{
	return !body_find(&f->body, computes);
}

bool gives_operand(const Lambda *f)
{
	return reduce_rule(f) == BY_CHOICE || picks_numbers(f);
}

// ---- Minimum and maximum ----

// The first place that attains y (or has no number, if y is none); n if there is none.
static Sub place_of(Build *b, Sub arr, Sub n, Sub y)
{
	PrimType t = sub_type(y).elem;
	Sub is = b_iota(b, n);
	Var x = param_of_row(arr, "x"), i = param_of_row(is, "i");
	b_open(b);
	Sub hit = b_eq(b, sub_var(x), y);
	if (is_float(t)) {
		Sub both =
			b_prim2(b, P_and, b_prim1(b, P_isnan, sub_var(x)), b_prim1(b, P_isnan, y));
		hit = b_prim2(b, P_or, hit, both);
	}
	Sub at = b_select(b, hit, sub_var(i), n);
	Lambda *f = b_lambda(b, vars_of(2, x, i), subs_of(1, at));
	Var p = var_i64("i"), q = var_i64("j");
	b_open(b);
	Sub least = b_prim2(b, P_min, sub_var(p), sub_var(q));
	Lambda *op = b_lambda(b, vars_of(2, p, q), subs_of(1, least));
	Reductions reds = {NEW(Reduction, op, subs_of(1, n), true), 1};
	return b_let(b, "place", type_scalar(PT_I64), EXP(screma, .n = n,
	                                                  .arrs = subs_of(2, arr, is), .map = f,
	                                                  .reds = reds));
}

// Adds g to row `at`, if that was found.
void adj_add_point(Vjp *v, Sub arr, Sub at, Sub found, Sub g)
{
	Build *b = v->b;
	if (adj_peek(v, arr.var).kind == ADJ_ZERO) {
		adj_set_point(v, arr.var, at, found, g);
		return;
	}
	Adj before = adj_get(v, arr.var);
	bool acc = before.kind == ADJ_ACC;
	Type t = acc ? sub_type(before.val) : ret_type(v, sub_type(arr));
	if (!acc)
		adj_owned(v, arr.var);
	before = adj_get(v, arr.var);
	b_open(b);
	Slices place = slices_at(subs_of(1, at), sub_type(g).dims);
	adj_add_at(v, arr, place, g);
	Body yes = b_close(b, subs_of(1, adj_get(v, arr.var).val));
	Body no = {.res = subs_of(1, before.val)};
	Sub r = b_let(b, "adj", t, EXP(if_, found, yes, no));
	adj_set(v, arr.var, (Adj){before.kind, r, true});
}

static void rev_selection(Vjp *v, const Stm *s)
{
	Build *b = v->b;
	Sub arr = s->exp->screma.arrs.at[0];
	Sub g = adj_value(v, s->pat.at[0]), n = ret_sub(v, s->exp->screma.n);
	Sub at = place_of(b, ret_sub(v, arr), n, ret_var(v, s->pat.at[0]));
	adj_add_point(v, arr, at, b_lt(b, at, n), g);
}

// ---- Any operator ----

// ne, then all but the last of an inclusive scan.
Subs shifted(Build *b, Sub n, Subs scanned, Subs ne)
{
	Sub is = b_iota(b, n);
	Var i = param_of_row(is, "i");
	b_open(b);
	Sub first = b_eq(b, sub_var(i), sub_i64(0)), before = b_sub(b, sub_var(i), sub_i64(1));
	b_open(b);
	Subs prev = {NEW_ARRAY(Sub, ne.len), ne.len};
	Types ts = {NEW_ARRAY(Type, ne.len), ne.len};
	for (int k = 0; k < ne.len; k++) {
		prev.at[k] = b_row(b, scanned.at[k], before);
		ts.at[k] = sub_type(prev.at[k]);
	}
	Body no = b_close(b, prev), yes = {.res = ne};
	Subs rs = b_lets(b, "prefix", ts, EXP(if_, first, yes, no));
	return b_map(b, n, subs_of(1, is), b_lambda(b, vars_of(1, i), rs));
}

Lambda *plain_operator(Vjp *v, const Lambda *op, bool flip)
{
	int k = op->ret.len;
	Vars ps = {NEW_ARRAY(Var, 2 * k), 2 * k};
	Subs args = {NEW_ARRAY(Sub, 2 * k), 2 * k};
	for (int i = 0; i < 2 * k; i++) {
		ps.at[i] = var_new(name_of("x"), ret_type(v, vars[op->params.at[i].id].type));
		args.at[(flip ? i + k : i) % (2 * k)] = sub_var(ps.at[i]);
	}
	b_open(v->b);
	Lambda *f = b_lambda(v->b, ps, inline_plain(v, op, args));
	for (int i = 0; i < k; i++)
		f->ret.at[i] = ret_type(v, op->ret.at[i]);
	return f;
}

typedef struct { Sub n; Subs as, ls, rs; } Around;

static Around around(Vjp *v, const Stm *s, const Reduction *r)
{
	Build *b = v->b;
	Around o = {.n = ret_sub(v, s->exp->screma.n), .as = ret_subs(v, s->exp->screma.arrs)};
	Subs ne = ret_subs(v, r->ne);
	o.ls = shifted(b, o.n, b_scan(b, o.n, o.as, plain_operator(v, r->op, false), ne), ne);
	Subs back = b_scan(b, o.n, rows_reversed(b, o.as), plain_operator(v, r->op, true), ne);
	o.rs = rows_reversed(b, shifted(b, o.n, back, ne));
	return o;
}

Sub adj_or_zero(Vjp *v, Adj a, Type t)
{
	return a.kind == ADJ_VALUE ? a.val : ad_zero(v->b, t);
}

Vars params_for(Subs arrs, const char *hint)
{
	Vars out = {NEW_ARRAY(Var, arrs.len + 1), arrs.len};
	for (int i = 0; i < arrs.len; i++)
		out.at[i] = param_of_row(arrs.at[i], hint);
	return out;
}

static Subs params_as_subs(Vars vs, int from, int n)
{
	Subs out = {NEW_ARRAY(Sub, n + 1), n};
	for (int i = 0; i < n; i++)
		out.at[i] = sub_var(vs.at[from + i]);
	return out;
}

// What free variables of the operator get from (l op a), unless this is the first element.
void rev_free_unless(Vjp *v, const Lambda *op, Sub first, Subs args, const Adj *seeds)
{
	int k = op->ret.len;
	Adj *some = NEW_ARRAY(Adj, k + 1);
	for (int c = 0; c < k; c++) {
		if (seeds[c].kind != ADJ_VALUE)
			continue;
		Type t = sub_type(seeds[c].val);
		b_open(v->b);
		Body yes = b_close(v->b, subs_of(1, ad_zero(v->b, t)));
		Body no = {.res = subs_of(1, seeds[c].val)};
		some[c] = adj_of(b_let(v->b, "some", t, EXP(if_, first, yes, no)), false);
	}
	vjp_inline(v, op, args, some, false);
}

// All contributions of a reduction to its inputs, as arrays.
static Subs rev_general(Vjp *v, const Stm *s, const Reduction *r, const Adj *ys)
{
	Build *b = v->b;
	int k = r->ne.len;
	Vars free = takers(v, free_in_lambda(r->op));
	Around o = around(v, s, r);
	Subs arrs = subs_cat(subs_cat(o.ls, o.as), subs_cat(o.rs, subs_of(1, b_iota(b, o.n))));
	Vars ps = params_for(arrs, "x");
	Gather g;
	gather_begin(v, &g, o.n, free);
	Subs ls = params_as_subs(ps, 0, k), as = params_as_subs(ps, k, k);
	Subs rs = params_as_subs(ps, 2 * k, k), la = subs_cat(ls, as);
	Adj *p = vjp_inline(v, r->op, subs_cat(inline_plain(v, r->op, la), rs), ys, true);
	for (int c = 0; c < k; c++)
		p[c].owned = false;
	Adj *both = vjp_inline(v, r->op, la, p, true);
	if (free.len)
		rev_free_unless(v, r->op, b_eq(b, sub_var(ps.at[3 * k]), sub_i64(0)), la, p);
	Subs res = {NEW_ARRAY(Sub, k + 1), k};
	for (int c = 0; c < k; c++)
		res.at[c] = adj_or_zero(v, both[k + c], sub_type(as.at[c]));
	return gather_end(v, &g, arrs, ps, res);
}

void adj_add_unless(Vjp *v, Sub x, Sub cond, Sub g)
{
	Build *b = v->b;
	if (!takes(v, x))
		return;
	Type t = sub_type(g);
	b_open(b);
	Body zero = b_close(b, subs_of(1, ad_zero(b, t)));
	adj_add(v, x, b_let(b, "ne_adj", t, EXP(if_, cond, zero, {.res = subs_of(1, g)})), false);
}

// The neutral element is the result of an empty reduction.
static void rev_neutral(Vjp *v, const Stm *s, const Reduction *r, const Adj *ys)
{
	for (int c = 0; c < r->ne.len; c++) {
		if (!takes(v, r->ne.at[c]) || ys[c].kind != ADJ_VALUE)
			continue;
		Sub some = b_lt(v->b, sub_i64(0), ret_sub(v, s->exp->screma.n));
		adj_add_unless(v, r->ne.at[c], some, ys[c].val);
	}
}

// What is not neutral but where the reduction starts from may give numbers of the result, and gets
// their adjoints then; the rest is for the elements.  An operator that picks numbers does so once
// more, from the start and the result: the start is first, and wins the ties that the first operand
// wins.  Without elements all goes to the start (rev_neutral).
static Adj *rev_start(Vjp *v, const Stm *s, const Reduction *r, const Adj *ys)
{
	int k = r->ne.len;
	Subs last = {NEW_ARRAY(Sub, k + 1), k};
	for (int c = 0; c < k; c++)
		last.at[c] = ret_var(v, s->pat.at[c]);
	Adj *p = vjp_inline(v, r->op, subs_cat(ret_subs(v, r->ne), last), ys, true);
	Adj *rest = NEW_ARRAY(Adj, k + 1);
	for (int c = 0; c < k; c++) {
		if (p[c].kind == ADJ_VALUE && takes(v, r->ne.at[c]))
			adj_add(v, r->ne.at[c], p[c].val, false);
		if (ys[c].kind == ADJ_VALUE)
			rest[c] = adj_of(adj_or_zero(v, p[k + c], sub_type(ys[c].val)), false);
	}
	return rest;
}

// ---- Products ----

Sub is_normal(Build *b, Sub y)
{
	PrimType t = sub_type(y).elem;
	double tiny = t == PT_F64 ? 0x1p-1022 : t == PT_F32 ? 0x1p-126 : 0x1p-14;
	double huge = t == PT_F64 ? 0x1.fffffffffffffp1023 : t == PT_F32 ? 0x1.fffffep127 : 65504;
	Sub size = b_prim1(b, P_abs, y);
	return b_prim2(b, P_and, b_le(b, sub_const(scalar_float(t, tiny)), size),
	               b_le(b, size, sub_const(scalar_float(t, huge))));
}

// Of a number, or of all numbers of an array.
static Sub all_normal(Build *b, Sub y)
{
	if (type_is_scalar(sub_type(y)))
		return is_normal(b, y);
	Var x = param_of_row(y, "y");
	b_open(b);
	Lambda *f = b_lambda(b, vars_of(1, x), subs_of(1, all_normal(b, sub_var(x))));
	Lambda *both = b_operator(b, P_and, PT_BOOL);
	Reductions reds = {NEW(Reduction, both, subs_of(1, sub_bool(true)), true), 1};
	return b_let(b, "normal", type_scalar(PT_BOOL), EXP(screma, .n = sub_type(y).dims.at[0],
	                                                    .arrs = subs_of(1, y), .map = f,
	                                                    .reds = reds));
}

// f of corresponding numbers of arrays of one shape.
static Sub cellwise(Build *b, Subs xs, Sub (*f)(Build *, Subs))
{
	if (type_is_scalar(sub_type(xs.at[0])))
		return f(b, xs);
	Vars ps = params_for(xs, "x");
	b_open(b);
	Lambda *g = b_lambda(b, ps, subs_of(1, cellwise(b, subs_of_vars(ps), f)));
	return b_map(b, sub_type(xs.at[0]).dims.at[0], xs, g).at[0];
}

static Sub factor_share(Build *b, Subs x)       // factor, product, adjoint
{
	return b_mul(b, b_prim2(b, P_div, x.at[1], x.at[0]), x.at[2]);
}

// y / a where y is a normal number: there all factors are, and smooth.  Elsewhere by scans.
static Sub rev_product(Vjp *v, const Stm *s, const Reduction *r, const Adj *ys)
{
	Build *b = v->b;
	Sub y = ret_var(v, s->pat.at[0]), n = ret_sub(v, s->exp->screma.n);
	Sub arr = ret_sub(v, s->exp->screma.arrs.at[0]), ok = all_normal(b, y);
	b_open(b);
	Var a = param_of_row(arr, "a");
	b_open(b);
	Sub e = cellwise(b, subs_of(3, sub_var(a), y, ys[0].val), factor_share);
	Lambda *f = b_lambda(b, vars_of(1, a), subs_of(1, e));
	Body yes = b_close(b, b_map(b, n, subs_of(1, arr), f));
	b_open(b);
	Body no = b_close(b, rev_general(v, s, r, ys));
	return b_let(b, "adj", sub_type(arr), EXP(if_, ok, yes, no));
}

// ---- Minimum and maximum of rows, column by column ----

static Sub row_or_last(Build *b, Subs x)        // element, result, row number, number of rows
{
	Sub hit = b_eq(b, x.at[0], x.at[1]);
	if (is_float(sub_type(x.at[0]).elem))
		hit = b_prim2(b, P_or, hit, b_prim2(b, P_and, b_prim1(b, P_isnan, x.at[0]),
		                                    b_prim1(b, P_isnan, x.at[1])));
	return b_select(b, hit, x.at[2], x.at[3]);
}

static Sub lesser(Build *b, Subs x)
{
	return b_prim2(b, P_min, x.at[0], x.at[1]);
}

static Sub if_chosen(Build *b, Subs x)          // adjoint, chosen row, this row
{
	return b_select(b, b_eq(b, x.at[1], x.at[2]), x.at[0], sub_zero(sub_type(x.at[0]).elem));
}

static Sub filled(Build *b, Subs dims, Sub x)
{
	for (int d = dims.len; d-- > 0;)
		x = b_replicate(b, dims.at[d], x);
	return x;
}

// The first row that attains the result in each column gets the adjoint of that column.
static Sub rev_columns(Vjp *v, const Stm *s, Sub y_adj)
{
	Build *b = v->b;
	Sub arr = ret_sub(v, s->exp->screma.arrs.at[0]), n = ret_sub(v, s->exp->screma.n);
	Sub y = ret_var(v, s->pat.at[0]), is = b_iota(b, n);
	Subs dims = sub_type(y).dims;
	Type places = type_array(PT_I64, dims);
	Sub none = filled(b, dims, n);
	Var a = param_of_row(arr, "a"), i = param_of_row(is, "i");
	b_open(b);
	Sub at = cellwise(b, subs_of(4, sub_var(a), y, filled(b, dims, sub_var(i)), none),
	                  row_or_last);
	Lambda *f = b_lambda(b, vars_of(2, a, i), subs_of(1, at));
	Var p = var_new(name_of("i"), places), q = var_new(name_of("j"), places);
	b_open(b);
	Lambda *op = b_lambda(b, vars_of(2, p, q),
	                      subs_of(1, cellwise(b, subs_of(2, sub_var(p), sub_var(q)), lesser)));
	Reductions reds = {NEW(Reduction, op, subs_of(1, none), true), 1};
	Sub chosen = b_let(b, "chosen", places, EXP(screma, .n = n, .arrs = subs_of(2, arr, is),
	                                            .map = f, .reds = reds));
	Var j = param_of_row(is, "i");
	b_open(b);
	Sub mine = cellwise(b, subs_of(3, y_adj, chosen, filled(b, dims, sub_var(j))), if_chosen);
	return b_map(b, n, subs_of(1, is), b_lambda(b, vars_of(1, j), subs_of(1, mine))).at[0];
}

// ---- The rule ----

static bool any_input(Vjp *v, const Stm *s)
{
	for EACH(Sub, x, s->exp->screma.arrs)
		if (takes(v, *x))
			return true;
	return false;
}

void rev_reduce(Vjp *v, const Stm *s)
{
	const Reduction *r = &s->exp->screma.reds.at[0];
	Adj *ys = NEW_ARRAY(Adj, s->pat.len + 1);
	for (int c = 0; c < s->pat.len; c++) {
		ys[c] = adj_get(v, s->pat.at[c]);
		ys[c].owned = false;
	}
	ReduceRule rule = reduce_rule(r->op);
	if ((rule == BY_CHOICE || rule == BY_SCANS) && rev_choice(v, s, r, ys))
		return; // of what has an adjoint, which may be less than all
	Vars free = takers(v, free_in_lambda(r->op));
	bool starts = false;
	for EACH(Sub, x, r->ne)
		starts |= takes(v, *x);
	if (starts && !free.len && (rule == BY_PLACES || rule == BY_SCANS) &&
	    picks_numbers(r->op))
		ys = rev_start(v, s, r, ys);
	rev_neutral(v, s, r, ys);
	if (!any_input(v, s) && !free.len)
		return;
	Subs arrs = s->exp->screma.arrs, out = {0};
	Sub n = s->exp->screma.n;
	switch (rule) {
	case BY_SHARING:
		out = subs_of(1, b_replicate(v->b, ret_sub(v, n), ys[0].val));
		break;
	case BY_PLACE:
		rev_selection(v, s);
		break;
	case BY_PLACES:
		out = subs_of(1, rev_columns(v, s, ys[0].val));
		break;
	case BY_QUOTIENTS:
		out = subs_of(1, rev_product(v, s, r, ys));
		break;
	case BY_CHOICE: case BY_SCANS:
		out = rev_general(v, s, r, ys);
		break;
	}
	for (int c = 0; c < out.len; c++)
		adj_add_rows(v, arrs.at[c], n, out.at[c]);
}
