// Return sweep of scan.
//
// With t[i] the total adjoint of prefix i, from its use as a result and in later prefixes,
//
//     t[n-1] = ys_adj[n-1];  t[i] = ys_adj[i] + adjoint of x in (x op as[i+1]) at ys[i] for t[i+1]
//     as_adj[0] = t[0];      as_adj[i] = adjoint of a in (ys[i-1] op a) at as[i] for t[i]
//
// The second line is a map.  The first is a scan from the right: of ys_adj for sums; of pairs (h,
// c), with operator (h1 + c1 * h2, c1 * c2), for other operators on scalars; otherwise of triples
// (i, S, h): the position, the reduction of as from i+1 to one past the end of the segment, and
// the contribution of the segment to the adjoint of ys[i].  If the elements are scalars, ys[i] is
// passed along: an operator that reads no array can be executed by the threads of a block.
//
// Note [Triangular].  In operators on tuples, the dependencies between components mostly have no
// cycles except of a component on itself: (a * c, b * c + d).  With J[p][q] the derivative of
// component p of (x op y) with respect to component q of x, the components are then solved one by
// one, in reverse topological order:
//
//     t_q[i] = (ys_adj_q[i] + sum of J[p][q] * t_p[i+1] over p /= q) + J[q][q] * t_q[i+1]
//
// each of which is a scan of pairs, of sums if J[q][q] is 1, and no scan if it is 0.
#include "ad/vjp.h"

static Subs one(Sub s)
{
	return subs_of(1, s);
}

Subs rows_reversed(Build *b, Subs arrs)
{
	Subs out = {NEW_ARRAY(Sub, arrs.len + 1), arrs.len};
	for (int i = 0; i < arrs.len; i++)
		out.at[i] = reversed(b, arrs.at[i]);
	return out;
}

typedef struct { Sub n; Subs as, ys, hs; const Reduction *r; } Scan;

// ---- One number ----

static Lambda *pair_operator(Build *b, PrimType t)
{
	Var p[4];
	for (int i = 0; i < 4; i++)
		p[i] = var_new(name_of(i & 1 ? "c" : "h"), type_scalar(t));
	// From the right: the left operand of the scan is the segment with the higher indices.
	Sub h2 = sub_var(p[0]), c2 = sub_var(p[1]), h1 = sub_var(p[2]), c1 = sub_var(p[3]);
	b_open(b);
	Sub h = b_add(b, h1, b_mul(b, c1, h2)), c = b_mul(b, c1, c2);
	return b_lambda(b, vars_of(4, p[0], p[1], p[2], p[3]), subs_of(2, h, c));
}

// The derivative of (ys[i] op as[i+1]) by the left operand; 0 at the end.
static Sub multipliers(Vjp *v, const Scan *s)
{
	Build *b = v->b;
	Sub is = b_iota(b, s->n), last = b_sub(b, s->n, sub_i64(1));
	PrimType t = sub_type(s->as.at[0]).elem;
	Var i = param_of_row(is, "i");
	b_open(b);
	Sub inside = b_lt(b, sub_var(i), last);
	b_open(b);
	Sub x = b_row(b, s->ys.at[0], sub_var(i));
	Sub y = b_row(b, s->as.at[0], b_add(b, sub_var(i), sub_i64(1)));
	Adj seed = adj_of(scalar_one(t), true);
	Adj *d = vjp_inline(v, s->r->op, subs_of(2, x, y), &seed, true);
	Body yes = b_close(b, one(adj_or_zero(v, d[0], type_scalar(t))));
	Body no = {.res = one(sub_zero(t))};
	Sub c = b_let(b, "c", type_scalar(t), EXP(if_, inside, yes, no));
	return b_map(b, s->n, one(is), b_lambda(b, vars_of(1, i), one(c))).at[0];
}

static Subs totals_of_numbers(Vjp *v, const Scan *s)
{
	Build *b = v->b;
	PrimType t = sub_type(s->as.at[0]).elem;
	Subs in = subs_of(2, reversed(b, s->hs.at[0]), reversed(b, multipliers(v, s)));
	Subs ne = subs_of(2, sub_zero(t), scalar_one(t));
	return one(reversed(b, b_scan(b, s->n, in, pair_operator(b, t), ne).at[0]));
}

// ---- Several numbers ----

enum { MOST_NUMBERS = 8 };
typedef struct {
	AdjKind kind[MOST_NUMBERS][MOST_NUMBERS];
	Sub at[MOST_NUMBERS][MOST_NUMBERS];
} Jacobian;

static bool are_numbers(const Scan *s)
{
	for EACH(Sub, a, s->as) {
		Type t = sub_type(*a);
		if (t.dims.len != 1 || t.elem == PT_BOOL || t.elem != sub_type(s->as.at[0]).elem)
			return false;
	}
	return s->as.len <= MOST_NUMBERS;
}

static int place_among(const SubVec *list, Sub x)
{
	for (int i = 0; i < list->len; i++)
		if (sub_eq(list->at[i], x))
			return i;
	return -1;
}

// Its entries as arrays, 0 at the end; constants as they are.
static void jacobians(Vjp *v, const Scan *s, Jacobian *j)
{
	Build *b = v->b;
	int k = s->as.len;
	Sub is = b_iota(b, s->n), last = b_sub(b, s->n, sub_i64(1));
	PrimType t = sub_type(s->as.at[0]).elem;
	Var i = param_of_row(is, "i");
	b_open(b);
	Sub inside = b_lt(b, sub_var(i), last);
	b_open(b);
	Subs x = {NEW_ARRAY(Sub, 2 * k), 2 * k};
	for (int c = 0; c < k; c++) {
		x.at[c] = b_row(b, s->ys.at[c], sub_var(i));
		x.at[k + c] = b_row(b, s->as.at[c], b_add(b, sub_var(i), sub_i64(1)));
	}
	SubVec some = {0};
	for (int p = 0; p < k; p++) {
		Adj *seeds = NEW_ARRAY(Adj, k + 1);
		seeds[p] = adj_of(scalar_one(t), true);
		Adj *d = vjp_inline(v, s->r->op, x, seeds, true);
		for (int q = 0; q < k; q++) {
			j->kind[p][q] = d[q].kind;
			j->at[p][q] = d[q].val;
			if (d[q].kind == ADJ_VALUE && d[q].val.kind == S_VAR &&
			    place_among(&some, d[q].val) < 0)
				VEC_PUSH(&some, d[q].val);
		}
	}
	Types ts = {NEW_ARRAY(Type, some.len + 1), some.len};
	Subs none = {NEW_ARRAY(Sub, some.len + 1), some.len};
	for (int c = 0; c < some.len; c++) {
		ts.at[c] = type_scalar(t);
		none.at[c] = sub_zero(t);
	}
	Body yes = b_close(b, VEC_SLICE(Subs, some)), no = {.res = none};
	Subs cs = b_lets(b, "c", ts, EXP(if_, inside, yes, no));
	Subs arrs = b_map(b, s->n, one(is), b_lambda(b, vars_of(1, i), cs));
	for (int p = 0; p < k; p++)
		for (int q = 0; q < k; q++)
			if (j->kind[p][q] == ADJ_VALUE && j->at[p][q].kind == S_VAR)
				j->at[p][q] = arrs.at[place_among(&some, j->at[p][q])];
}

static bool gives(const Jacobian *j, int p, int q)
{
	return j->kind[p][q] == ADJ_VALUE &&
	       (j->at[p][q].kind == S_VAR ||
	        !sub_eq(j->at[p][q], sub_zero(sub_type(j->at[p][q]).elem)));
}

// The components, those first that get nothing from later ones; false if there is a cycle.
static bool order_of(const Jacobian *j, int k, int *order)
{
	bool done[MOST_NUMBERS] = {0};
	for (int n = 0; n < k; n++) {
		int found = -1;
		for (int q = 0; q < k && found < 0; q++) {
			bool ready = !done[q];
			for (int p = 0; p < k; p++)
				ready &= p == q || done[p] || !gives(j, p, q);
			if (ready)
				found = q;
		}
		if (found < 0)
			return false;
		done[found] = true;
		order[n] = found;
	}
	return true;
}

// hs[i] + sum of c[i] * t[i+1]; a c that is a number is the same for all but the end.
static Sub with_shares(Build *b, const Scan *s, const Jacobian *j, int q, const Sub *ts)
{
	PrimType t = sub_type(s->hs.at[q]).elem;
	SubVec in = {0};
	VEC_PUSH(&in, s->hs.at[q]);
	for (int p = 0; p < s->as.len; p++) {
		if (p == q || !gives(j, p, q))
			continue;
		Subs back = one(reversed(b, ts[p]));
		VEC_PUSH(&in, reversed(b, shifted(b, s->n, back, one(sub_zero(t))).at[0]));
		if (j->at[p][q].kind == S_VAR)
			VEC_PUSH(&in, j->at[p][q]);
	}
	if (in.len == 1)
		return s->hs.at[q];
	Vars ps = params_for(VEC_SLICE(Subs, in), "x");
	b_open(b);
	Sub sum = sub_var(ps.at[0]);
	int at = 1;
	for (int p = 0; p < s->as.len; p++) {
		if (p == q || !gives(j, p, q))
			continue;
		Sub next = sub_var(ps.at[at++]), c = j->at[p][q];
		sum = b_add(b, sum, b_mul(b, c.kind == S_VAR ? sub_var(ps.at[at++]) : c, next));
	}
	return b_map(b, s->n, VEC_SLICE(Subs, in), b_lambda(b, ps, one(sum))).at[0];
}

static Sub solved(Build *b, const Scan *s, const Jacobian *j, int q, const Sub *ts)
{
	Sub h = with_shares(b, s, j, q, ts), c = j->at[q][q];
	PrimType t = sub_type(h).elem;
	if (!gives(j, q, q))
		return h;
	if (c.kind != S_VAR && sub_eq(c, scalar_one(t)))
		return reversed(b, b_scan(b, s->n, one(reversed(b, h)),
		                          add_lambda(b, type_scalar(t)), one(sub_zero(t)))
		                           .at[0]);
	if (c.kind != S_VAR)
		c = b_replicate(b, s->n, c);
	Subs in = subs_of(2, reversed(b, h), reversed(b, c));
	Subs ne = subs_of(2, sub_zero(t), scalar_one(t));
	return reversed(b, b_scan(b, s->n, in, pair_operator(b, t), ne).at[0]);
}

// See Note [Triangular]; false if the components depend on each other.
static bool totals_by_component(Vjp *v, const Scan *s, Subs *out)
{
	if (!are_numbers(s))
		return false;
	Build *here = v->b, apart = {.where = here->where};
	Jacobian j = {0};
	int k = s->as.len, order[MOST_NUMBERS];
	b_open(&apart);
	v->b = &apart;
	jacobians(v, s, &j);
	v->b = here;
	Body made = b_close(&apart, (Subs){0});
	if (!order_of(&j, k, order))
		return false;
	b_emit_all(here, made.stms);
	*out = (Subs){NEW_ARRAY(Sub, k), k};
	for (int n = 0; n < k; n++)
		out->at[order[n]] = solved(here, s, &j, order[n], out->at);
	return true;
}

// ---- Anything ----

static bool has_rows(const Scan *s)
{
	for EACH(Sub, y, s->ys)
		if (sub_type(*y).dims.len != 1)
			return true;
	return false;
}

// The operands: i, S, h and, unless they are rows, the elements of ys at i.
static Vars lifted_params(const Scan *s, int w)
{
	static const char *const hints[] = {"s", "h", "y"};
	int k = s->as.len;
	Vars ps = {NEW_ARRAY(Var, 2 * w), 2 * w};
	for (int side = 0; side < 2; side++) {
		ps.at[side * w] = var_i64("i");
		for (int c = 0; c + 1 < w; c++)
			ps.at[side * w + 1 + c] = var_new(name_of(hints[c / k]),
			                                  type_row(sub_type(s->as.at[c % k])));
	}
	return ps;
}

// Elements i, S, h, y; -1 for i is the neutral element.
static Lambda *lifted_operator(Vjp *v, const Scan *s)
{
	Build *b = v->b;
	bool rows = has_rows(s);
	int k = s->as.len, w = (rows ? 2 : 3) * k + 1;
	Vars ps = lifted_params(s, w);
	Subs hi = {NEW_ARRAY(Sub, w), w}, lo = {NEW_ARRAY(Sub, w), w};
	Types ts = {NEW_ARRAY(Type, w), w};
	for (int c = 0; c < w; c++) {
		hi.at[c] = sub_var(ps.at[c]);
		lo.at[c] = sub_var(ps.at[w + c]);
		ts.at[c] = vars[ps.at[c].id].type;
	}
	b_open(b);
	Sub no_lo = b_lt(b, lo.at[0], sub_i64(0)), no_hi = b_lt(b, hi.at[0], sub_i64(0));
	b_open(b);
	b_open(b);
	Subs x = {NEW_ARRAY(Sub, k + 1), k}, low = {lo.at + 1, k}, high = {hi.at + 1, k};
	for (int c = 0; c < k; c++)
		x.at[c] = rows ? b_row(b, s->ys.at[c], lo.at[0]) : lo.at[1 + 2 * k + c];
	Adj *seeds = NEW_ARRAY(Adj, k + 1);
	for (int c = 0; c < k; c++)
		seeds[c] = adj_of(hi.at[1 + k + c], false);
	Adj *d = vjp_inline(v, s->r->op, subs_cat(x, low), seeds, true);
	Subs joined = inline_plain(v, s->r->op, subs_cat(low, high));
	Subs res = {NEW_ARRAY(Sub, w), w};
	res.at[0] = lo.at[0];
	for (int c = 0; c < k; c++) {
		Sub h = lo.at[1 + k + c];
		res.at[1 + c] = joined.at[c];
		res.at[1 + k + c] = d[c].kind == ADJ_VALUE ? b_add_arrays(b, h, d[c].val) : h;
		if (!rows)
			res.at[1 + 2 * k + c] = x.at[c];
	}
	Body both = b_close(b, res);
	Subs some = b_lets(b, "seg", ts, EXP(if_, no_hi, {.res = lo}, both));
	Body no = b_close(b, some);
	Subs out = b_lets(b, "seg", ts, EXP(if_, no_lo, {.res = hi}, no));
	return b_lambda(b, ps, out);
}

// as[i+1], and ne at the end.
static Subs next_elements(Build *b, const Scan *s, Subs ne)
{
	Subs out = rows_reversed(b, s->as);
	return rows_reversed(b, shifted(b, s->n, out, ne));
}

static Subs totals_of_any(Vjp *v, const Scan *s)
{
	Build *b = v->b;
	int k = s->as.len;
	Subs ne = ret_subs(v, s->r->ne);
	Subs in = subs_cat(one(b_iota(b, s->n)), subs_cat(next_elements(b, s, ne), s->hs));
	Subs neutral = subs_cat(one(sub_i64(-1)), ne);
	for (int c = 0; c < k; c++)
		neutral = subs_cat(neutral, one(ad_zero(b, type_row(sub_type(s->hs.at[c])))));
	if (!has_rows(s)) {
		in = subs_cat(in, s->ys);
		neutral = subs_cat(neutral, ne);
	}
	Lambda *op = lifted_operator(v, s);
	Subs all = b_scan(b, s->n, rows_reversed(b, in), op, neutral);
	return rows_reversed(b, (Subs){all.at + 1 + k, k});
}

// ---- Both lines ----

static Subs totals(Vjp *v, const Scan *s)
{
	Build *b = v->b;
	Prim op;
	PrimType at;
	if (binary_prim(s->r->op, &op, &at) && op == P_add) {
		Type t = type_row(sub_type(s->hs.at[0]));
		return one(reversed(b, b_scan(b, s->n, one(reversed(b, s->hs.at[0])),
		                              add_lambda(b, t), one(ad_zero(b, t)))
		                               .at[0]));
	}
	if (s->as.len == 1 && sub_type(s->as.at[0]).dims.len == 1)
		return totals_of_numbers(v, s);
	Subs out;
	return totals_by_component(v, s, &out) ? out : totals_of_any(v, s);
}

// The prefix before each element; the first one is taken as it is.
static Subs rev_elements(Vjp *v, const Scan *s, Subs ts)
{
	Build *b = v->b;
	int k = s->as.len;
	Vars free = takers(v, free_in_lambda(s->r->op));
	Subs ls = shifted(b, s->n, s->ys, ret_subs(v, s->r->ne));
	Subs arrs = subs_cat(subs_cat(ls, s->as), subs_cat(ts, one(b_iota(b, s->n))));
	Vars ps = params_for(arrs, "x");
	Gather g;
	gather_begin(v, &g, s->n, free);
	Subs la = {NEW_ARRAY(Sub, 2 * k), 2 * k};
	Adj *seeds = NEW_ARRAY(Adj, k + 1);
	for (int c = 0; c < 2 * k; c++)
		la.at[c] = sub_var(ps.at[c]);
	for (int c = 0; c < k; c++)
		seeds[c] = adj_of(sub_var(ps.at[2 * k + c]), false);
	Sub first = b_eq(b, sub_var(ps.at[3 * k]), sub_i64(0));
	if (free.len)
		rev_free_unless(v, s->r->op, first, la, seeds);
	b_open(b);
	Adj *d = vjp_inline(v, s->r->op, la, seeds, true);
	Subs rest = {NEW_ARRAY(Sub, k), k}, head = {NEW_ARRAY(Sub, k), k};
	Types types = {NEW_ARRAY(Type, k), k};
	for (int c = 0; c < k; c++) {
		types.at[c] = sub_type(seeds[c].val);
		rest.at[c] = adj_or_zero(v, d[k + c], types.at[c]);
		head.at[c] = seeds[c].val;
	}
	Body no = b_close(b, rest), yes = {.res = head};
	Subs out = b_lets(b, "a_adj", types, EXP(if_, first, yes, no));
	return gather_end(v, &g, arrs, ps, out);
}

void rev_scan(Vjp *v, const Stm *st)
{
	Scan s = {.n = ret_sub(v, st->exp->screma.n), .r = &st->exp->screma.scans.at[0]};
	int k = s.r->ne.len;
	bool any = takers(v, free_in_lambda(s.r->op)).len > 0;
	for EACH(Sub, x, st->exp->screma.arrs)
		any |= takes(v, *x);
	if (!any)
		return;
	s.hs = (Subs){NEW_ARRAY(Sub, k), k};
	for (int c = 0; c < k; c++)
		s.hs.at[c] = adj_value(v, st->pat.at[c]);
	Prim op;
	PrimType at;
	if (binary_prim(s.r->op, &op, &at) && op == P_add) {
		s.as = s.hs; // only its type is looked at
		adj_add_rows(v, st->exp->screma.arrs.at[0], st->exp->screma.n, totals(v, &s).at[0]);
		return;
	}
	s.as = ret_subs(v, st->exp->screma.arrs);
	s.ys = (Subs){NEW_ARRAY(Sub, k), k};
	for (int c = 0; c < k; c++)
		s.ys.at[c] = ret_var(v, st->pat.at[c]);
	Subs out = rev_elements(v, &s, totals(v, &s));
	for (int c = 0; c < k; c++)
		adj_add_rows(v, st->exp->screma.arrs.at[c], st->exp->screma.n, out.at[c]);
}
