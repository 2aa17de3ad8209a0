// Simplification of scalar operations.
//
//     let (a: i64) = add.i64 x 3
//     let (b: i64) = sub.i64 a 1        ->   let (b: i64) = add.i64 x 2
//     let (c: bool) = lt.i64 x y
//     let (d: bool) = not.bool c        ->   let (d: bool) = le.i64 y x
//     let (e: i64) = convert.i64 k
//     let (f: i32) = convert.i32 e      ->   f is k : i32
//
// Rules that depend on the operands alone are in core/fold.c; this file has those that inspect the
// operations by which the operands are defined.  Sums and comparisons are rewritten for integers,
// whose arithmetic wraps around; for floats, only rules that are exact for all values apply.
#include "opt/simplify.h"

#include <math.h>

bool exp_is_cheap_scalar(const Exp *e)
{
	if (e->form == E_convert)
		return true;
	if (e->form != E_prim || prim_can_fail(e->prim.op, e->prim.at))
		return false;
	switch (e->prim.op) {
	case P_add: case P_sub: case P_mul: case P_neg: case P_abs: case P_min: case P_max:
	case P_and: case P_or: case P_xor: case P_not: case P_shl: case P_ashr: case P_lshr:
	case P_eq: case P_lt: case P_le: case P_to_bits: case P_from_bits: case P_isnan:
	case P_isinf: case P_sgn: case P_copysign:
		return true;
	default: // a call, or several instructions
		return false;
	}
}

typedef struct { Simp *s; Prim op; PrimType at; Sub x, y; } Op;

// The operation that gives an operand, at the same type.
static bool def_of(Simp *s, Sub x, Op *out)
{
	const Exp *e = s_def_as(s, x, E_prim);
	if (!e)
		return false;
	*out = (Op){s, e->prim.op, e->prim.at, e->prim.x[0], e->prim.x[1]};
	return true;
}

static Sub const_of(Prim op, PrimType at, Sub x, Sub y)
{
	Sub xs[3] = {x, y}, out;
	if (!fold_prim(op, at, xs, &out))
		bug("%s of constants gives none", prim_name[op]);
	return out;
}

// ---- Sums of integers ----

// x + c or x - c as a variable and a constant to add.
static bool as_offset(Simp *s, Sub a, Sub *x, Sub *c)
{
	Op d;
	if (!def_of(s, a, &d) || !is_int(d.at) || d.y.kind != S_CONST || d.x.kind != S_VAR)
		return false;
	if (d.op != P_add && d.op != P_sub)
		return false;
	*x = d.x;
	*c = d.op == P_add ? d.y : const_of(P_sub, d.at, sub_const(scalar_int(d.at, 0)), d.y);
	return true;
}

static Sub plus(Op *o, Sub x, Sub c)
{
	return s_prim(o->s, P_add, x, c);
}

// (x + c) + d, (x + c) - d, c - (x + d)
static bool sum_of_constants(Op *o, Sub *out)
{
	Sub x, c;
	if (o->y.kind == S_CONST && as_offset(o->s, o->x, &x, &c)) {
		*out = plus(o, x, const_of(o->op, o->at, c, o->y));
		return true;
	}
	if (o->op == P_sub && o->x.kind == S_CONST && as_offset(o->s, o->y, &x, &c)) {
		*out = s_prim(o->s, P_sub, const_of(P_sub, o->at, o->x, c), x);
		return true;
	}
	return false;
}

// (x + y) - y, (x + y) - x, (x - y) + y, y + (x - y), x - (x - y), (x + c) - x
static bool sum_cancels(Op *o, Sub *out)
{
	Op d;
	if (o->op == P_sub && def_of(o->s, o->x, &d) && d.op == P_add) {
		if (sub_eq(d.y, o->y) || sub_eq(d.x, o->y)) {
			*out = sub_eq(d.y, o->y) ? d.x : d.y;
			return true;
		}
	}
	if (o->op == P_sub && def_of(o->s, o->y, &d) && d.op == P_sub && sub_eq(d.x, o->x)) {
		*out = d.y;
		return true;
	}
	if (o->op != P_add)
		return false;
	if (def_of(o->s, o->x, &d) && d.op == P_sub && sub_eq(d.y, o->y)) {
		*out = d.x;
		return true;
	}
	if (def_of(o->s, o->y, &d) && d.op == P_sub && sub_eq(d.y, o->x)) {
		*out = d.x;
		return true;
	}
	return false;
}

// x + (-y), x - (-y): exact for floats too.
static bool sum_with_negation(Op *o, Sub *out)
{
	Op d;
	if (!def_of(o->s, o->y, &d) || d.op != P_neg)
		return false;
	*out = s_prim(o->s, o->op == P_add ? P_sub : P_add, o->x, d.x);
	return true;
}

// Is this float never -0?  Squares and the like are not, and sums of anything with those.
static bool never_minus_zero(Simp *s, Sub x, int depth)
{
	Op d;
	if (x.kind == S_CONST)
		return x.val.f != 0 || !signbit(x.val.f);
	if (!depth || !def_of(s, x, &d))
		return false;
	if (prim_gives_plus(d.op))
		return true;
	switch (d.op) {
	case P_mul:
		return sub_eq(d.x, d.y);
	case P_add:
		return never_minus_zero(s, d.x, depth - 1) || never_minus_zero(s, d.y, depth - 1);
	default: // no telling
		return false;
	}
}

// x + 0 is x but for x = -0.
static bool sum_with_zero(Op *o, Sub *out)
{
	enum { DEPTH = 4 };
	if (o->op != P_add || !is_float(o->at) || o->y.kind != S_CONST || o->y.val.f != 0)
		return false;
	*out = o->x;
	return never_minus_zero(o->s, o->x, DEPTH);
}

static bool rule_sum(Op *o, Sub *out)
{
	if (sum_with_zero(o, out))
		return true;
	if (is_int(o->at) && (sum_of_constants(o, out) || sum_cancels(o, out)))
		return true;
	if (is_int(o->at) && o->op == P_sub && is_int_const(o->x, 0)) {
		*out = s_let(o->s, "neg", type_scalar(o->at), EXP(prim, P_neg, o->at, {o->y}));
		return true;
	}
	return sum_with_negation(o, out);
}

// (x op c) op d = x op (c op d), at integers and bools
static bool rule_associative(Op *o, Sub *out)
{
	Op d;
	if (is_float(o->at) || o->y.kind != S_CONST || !def_of(o->s, o->x, &d) || d.op != o->op ||
	    d.y.kind != S_CONST || d.at != o->at)
		return false;
	*out = s_prim(o->s, o->op, d.x, const_of(o->op, o->at, d.y, o->y));
	return true;
}

// ---- Comparisons ----

static Scalar least(PrimType t)
{
	if (is_unsigned(t) || t == PT_BOOL)
		return scalar_int(t, 0);
	return scalar_int(t, (int64_t)(UINT64_C(1) << (8 * primtype_size(t) - 1)));
}

static Scalar greatest(PrimType t)
{
	if (t == PT_BOOL)
		return scalar_int(t, 1);
	if (is_unsigned(t))
		return scalar_int(t, -1);
	return scalar_int(t, (int64_t)((UINT64_C(1) << (8 * primtype_size(t) - 1)) - 1));
}

static bool is_const(Sub s, Scalar v)
{
	return s.kind == S_CONST && scalar_eq_bits(s.val, v);
}

static bool yields(Sub *out, Sub s)
{
	*out = s;
	return true;
}

// Comparisons with the ends of the type.
static bool compare_with_ends(Op *o, Sub *out)
{
	if (is_float(o->at))
		return false;
	Scalar lo = least(o->at), hi = greatest(o->at);
	if (o->op == P_le && (is_const(o->x, lo) || is_const(o->y, hi)))
		return yields(out, sub_bool(true));
	if (o->op == P_lt && (is_const(o->y, lo) || is_const(o->x, hi)))
		return yields(out, sub_bool(false));
	return false;
}

// x + c == d  ->  x == d - c
static bool rule_eq(Op *o, Sub *out)
{
	Sub x, c;
	if (o->at == PT_BOOL && o->y.kind == S_CONST && !o->y.val.u)
		return yields(out, s_let(o->s, "not", type_scalar(PT_BOOL),
		                         EXP(prim, P_not, PT_BOOL, {o->x})));
	if (!is_int(o->at) || !as_offset(o->s, o->x, &x, &c))
		return false;
	if (o->y.kind == S_CONST)
		return yields(out, s_prim(o->s, P_eq, x, const_of(P_sub, o->at, o->y, c)));
	if (sub_eq(o->y, x) && !is_int_const(c, 0))
		return yields(out, sub_bool(false));
	return false;
}

// The comparison that holds when this one does not, of integers.
static bool rule_not(Op *o, Sub *out)
{
	Op d;
	if (!def_of(o->s, o->x, &d))
		return false;
	if (d.op == P_not)
		return yields(out, d.x);
	if (o->at != PT_BOOL || is_float(d.at) || (d.op != P_lt && d.op != P_le))
		return false;
	return yields(out, s_prim(o->s, d.op == P_lt ? P_le : P_lt, d.y, d.x));
}

static bool is_negation(Simp *s, Sub a, Sub b)
{
	Op d;
	return def_of(s, a, &d) && d.op == P_not && sub_eq(d.x, b);
}

// a & !a, a & (a & b)
static bool rule_and_or(Op *o, Sub *out)
{
	bool is_and = o->op == P_and;
	if (o->at == PT_BOOL && (is_negation(o->s, o->x, o->y) || is_negation(o->s, o->y, o->x)))
		return yields(out, sub_bool(!is_and));
	for (int i = 0; i < 2; i++) {
		Sub a = i ? o->y : o->x, b = i ? o->x : o->y;
		Op d;
		if (!def_of(o->s, b, &d) || (d.op != P_and && d.op != P_or) ||
		    (!sub_eq(d.x, a) && !sub_eq(d.y, a)))
			continue;
		return yields(out, d.op == o->op ? b : a);
	}
	return rule_associative(o, out);
}

// min (min x c) d, and the ends of the type.
static bool rule_min_max(Op *o, Sub *out)
{
	if (is_float(o->at))
		return false;
	Sub end = sub_const(o->op == P_min ? greatest(o->at) : least(o->at));
	Sub other = sub_const(o->op == P_min ? least(o->at) : greatest(o->at));
	for (int i = 0; i < 2; i++) {
		Sub a = i ? o->y : o->x, b = i ? o->x : o->y;
		if (sub_eq(b, end))
			return yields(out, a);
		if (sub_eq(b, other))
			return yields(out, other);
	}
	return rule_associative(o, out);
}

static Sub s_power(Simp *s, Sub x, bool third)
{
	Sub square = s_prim(s, P_mul, x, x);
	return s_prim(s, P_mul, square, third ? x : square);
}

// x ** 1 = x and x ** 0 = 1 for every float, NaN included; x ** 2 = x * x and x ** -1 = 1 / x,
// rounded as well as can be.  The third and fourth powers are products too, which vectors have:
// they are off by two units in the last place at most, since where x * x overflows or is not a
// normal number they are infinite or 0 anyway.  Until loops are made, one operation is better: it
// is differentiated and compared as such.
static bool rule_pow(Op *o, Sub *out)
{
	if (!is_float(o->at) || o->y.kind != S_CONST)
		return false;
	if (o->y.val.f == 1)
		return yields(out, o->x);
	if (o->y.val.f == 2)
		return yields(out, s_prim(o->s, P_mul, o->x, o->x));
	if (o->y.val.f == -1)
		return yields(out, s_prim(o->s, P_div, sub_const(scalar_float(o->at, 1)), o->x));
	if (o->s->in_loops && (o->y.val.f == 3 || o->y.val.f == 4) && o->at != PT_F16)
		return yields(out, s_power(o->s, o->x, o->y.val.f == 3));
	return o->y.val.f == 0 && yields(out, sub_const(scalar_float(o->at, 1)));
}

static bool rule_neg(Op *o, Sub *out)
{
	Op d;
	if (!def_of(o->s, o->x, &d))
		return false;
	if (d.op == P_neg)
		return yields(out, d.x);
	if (d.op == P_sub && is_int(o->at))
		return yields(out, s_prim(o->s, P_sub, d.y, d.x));
	return false;
}

static bool apply_rules(Op *o, Sub *out)
{
	switch (o->op) {
	case P_add: case P_sub:
		return rule_sum(o, out);
	case P_mul: case P_xor:
		return rule_associative(o, out);
	case P_and: case P_or:
		return rule_and_or(o, out);
	case P_min: case P_max:
		return rule_min_max(o, out);
	case P_eq:
		return rule_eq(o, out);
	case P_lt: case P_le:
		return compare_with_ends(o, out);
	case P_not:
		return rule_not(o, out);
	case P_count: // for derivatives alone
		return !o->s->derivatives && yields(out, o->x);
	case P_neg:
		return rule_neg(o, out);
	case P_pow:
		return rule_pow(o, out);
	default: // no rule
		return false;
	}
}

// ---- Conversions ----

static int bits_of(PrimType t)
{
	return 8 * primtype_size(t);
}

// Has `to` every value of `from`?
static bool holds_all(PrimType to, PrimType from)
{
	if (is_float(from))
		return is_float(to) && bits_of(to) >= bits_of(from);
	if (to == PT_F64)
		return bits_of(from) <= 32;
	if (to == PT_F32)
		return bits_of(from) <= 16;
	if (!is_int(to))
		return false;
	if (is_signed(to) == is_signed(from))
		return bits_of(to) >= bits_of(from);
	return is_signed(to) && bits_of(to) > bits_of(from);
}

// Wider unsigned types are filled up with zeros, from signed types too.
static bool extends_sign(PrimType from, PrimType to)
{
	return is_signed(from) && is_signed(to);
}

// Of integers: is the way from a through b to c the direct one?
static bool same_way(PrimType a, PrimType b, PrimType c)
{
	int wide_a = bits_of(a), wide_b = bits_of(b), wide_c = bits_of(c);
	if (wide_c <= wide_a && wide_c <= wide_b)
		return true;
	if (wide_b < wide_a)
		return false;
	if (wide_b == wide_a)
		return extends_sign(b, c) == extends_sign(a, c);
	if (wide_c <= wide_b)
		return extends_sign(a, b) == extends_sign(a, c);
	return (extends_sign(a, b) && extends_sign(b, c)) == extends_sign(a, c) &&
	       (!extends_sign(a, b) || is_signed(c));
}

// convert.c (convert.b (x : a)) = convert.c x: the way through b loses nothing, or only what
// c does not hold anyway.
static bool rule_convert(Simp *s, PrimType c, Sub y, Sub *out)
{
	const Exp *e = s_def_as(s, y, E_convert);
	if (!e)
		return false;
	PrimType b = e->convert.to, a = sub_type(e->convert.x).elem;
	if (a == PT_BOOL || b == PT_BOOL || c == PT_BOOL)
		return false;
	bool same = is_int(a) && is_int(b) && is_int(c) ? same_way(a, b, c)
	          : is_int(a) && is_int(c) ? holds_all(b, a) && holds_all(c, a)
	                                   : holds_all(b, a);
	if (!same)
		return false;
	*out = s_convert(s, c, e->convert.x);
	return true;
}

// ---- Statements ----

// Operands of commutative operations in one order, so that equal operations are found equal.
static bool is_in_order(const Exp *e)
{
	const Sub *x = e->prim.x;
	return x[1].kind != S_VAR || !prim_commutes(e->prim.op) ||
	       (x[0].kind == S_VAR && x[0].var.id <= x[1].var.id);
}

static Exp *put_in_order(Simp *s, Exp *e)
{
	Sub *x = e->prim.x;
	if (is_in_order(e))
		return e;
	s->turned = true;
	Exp *swapped = exp_dup(e);
	swapped->prim.x[0] = x[1];
	swapped->prim.x[1] = x[0];
	return swapped;
}

enum { MOST_SUMMANDS = 3 };

// Is x a sum in which n is: n + y, or n + y - z?
static bool has_summand(Simp *s, Sub x, Sub n, int most)
{
	Op d;
	if (!most || !def_of(s, x, &d) || (d.op != P_add && d.op != P_sub))
		return false;
	return sub_eq(d.x, n) || has_summand(s, d.x, n, most - 1) ||
	       (d.op == P_add && (sub_eq(d.y, n) || has_summand(s, d.y, n, most - 1)));
}

// x without it.
static Sub without_summand(Simp *s, Sub x, Sub n, int most)
{
	Op d;
	if (sub_eq(x, n) || !def_of(s, x, &d))
		return sub_i64(0);
	if (sub_eq(d.x, n) || has_summand(s, d.x, n, most - 1))
		return s_prim(s, d.op, without_summand(s, d.x, n, most - 1), d.y);
	return s_prim(s, P_add, d.x, without_summand(s, d.y, n, most - 1));
}

// x - n: with n taken out of the sum, if it is there.
static Sub less_by(Simp *s, Sub x, Sub n)
{
	return has_summand(s, x, n, MOST_SUMMANDS) ? without_summand(s, x, n, MOST_SUMMANDS)
	                                           : s_prim(s, P_sub, x, n);
}

// One of x and x - n, whichever is in [0, n).  The comparison is one that peel knows, of the
// counter with a constant or with n.
static Sub wrap_once(Simp *s, Sub x, Sub n, Sub less, bool plain)
{
	Sub is_less = plain ? s_prim(s, P_lt, x, n) : s_prim(s, P_lt, less, sub_i64(0));
	return s_let(s, "mod", type_scalar(PT_I64),
	             EXP(if_, is_less, {.res = subs_of(1, x)}, {.res = subs_of(1, less)}));
}

// x mod n and x rem n where x is known to a multiple of n.  With two multiples to choose from,
// a comparison is cheaper than a division, and peel can do without it: in loops, where no pass
// looks for remainders of counters any more.
static bool remainder_by_range(Simp *s, const Exp *e, Sub *out)
{
	Sub x = e->prim.x[0], n = e->prim.x[1];
	int k;
	if (e->prim.at != PT_I64)
		return false;
	int most = s->in_loops && n.kind == S_VAR ? 2 : 1;
	int periods = range_period(&s->range, x, n, most, &k);
	bool one = periods == 1;
	if (!periods)
		return false;
	if (e->prim.op == P_rem && k < 0)
		return false;
	if (s->trying)
		return true;
	if (k > 0)
		x = less_by(s, x, n);
	if (one)
		*out = k < 0 ? s_prim(s, P_add, x, n) : x;
	else if (k < 0)
		*out = wrap_once(s, s_prim(s, P_add, x, n), n, x, false);
	else
		*out = wrap_once(s, x, n, less_by(s, x, n),
		                 !has_summand(s, x, n, MOST_SUMMANDS));
	return true;
}

// What is known of the operands decides a comparison, which one is the smaller, a remainder, or
// that a product has no upper half.
static bool by_range(Simp *s, const Exp *e, Sub *out)
{
	if (!is_int(e->prim.at))
		return false;
	if (e->prim.op == P_mod || e->prim.op == P_rem)
		return remainder_by_range(s, e, out);
	if (e->prim.op == P_mul_hi && e->prim.at == PT_I64) {
		*out = sub_i64(0);
		return range_multiplies(&s->range, e->prim.x[0], e->prim.x[1]);
	}
	bool is_min = e->prim.op == P_min;
	if (is_min || e->prim.op == P_max) {
		Sub x = e->prim.x[0], y = e->prim.x[1];
		bool first = range_at_most(&s->range, x, y);
		*out = first == is_min ? x : y;
		return first || range_at_most(&s->range, y, x);
	}
	if (e->prim.op != P_lt && e->prim.op != P_le && e->prim.op != P_eq)
		return false;
	int known = range_decide_prim(&s->range, e);
	*out = sub_bool(known == 1);
	return known >= 0;
}

// In sums, of max(x, c) where x >= c is known: x.  So a loop that runs tells of its number of
// iterations, and an array of a number that was made a size before.
static Exp *without_max(Simp *s, Exp *e)
{
	if ((e->prim.op != P_add && e->prim.op != P_sub) || e->prim.at != PT_I64)
		return e;
	for (int k = 0; k < 2; k++) {
		const Exp *max = s_def_as(s, e->prim.x[k], E_prim);
		if (!max || max->prim.op != P_max || max->prim.x[1].kind != S_CONST ||
		    !range_at_most(&s->range, e->prim.x[k], max->prim.x[0]) || !s_rewrite(s))
			continue;
		e = exp_dup(e);
		e->prim.x[k] = max->prim.x[0];
	}
	return e;
}

bool simp_prim_applies(Simp *s, const Exp *e)
{
	Sub out;
	if (e->form == E_convert)
		return s_def_as(s, e->convert.x, E_convert);
	if (e->form != E_prim)
		return false;
	if (!is_in_order(e))
		return true;
	Op o = {s, e->prim.op, e->prim.at, e->prim.x[0], e->prim.x[1]};
	s->trying = true;
	bool found = apply_rules(&o, &out) || by_range(s, e, &out);
	s->trying = false;
	return found;
}

bool simp_prim(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	Sub out;
	bool found;
	if (e->form == E_convert) {
		found = sub_type(e->convert.x).elem == e->convert.to ||
		        e->convert.x.kind == S_CONST;
		if (found)
			out = s_convert(s, e->convert.to, e->convert.x);
		else
			found = rule_convert(s, e->convert.to, e->convert.x, &out);
	} else {
		e = st->exp = put_in_order(s, without_max(s, e));
		Op o = {s, e->prim.op, e->prim.at, e->prim.x[0], e->prim.x[1]};
		found = fold_prim(o.op, o.at, e->prim.x, &out) || apply_rules(&o, &out) ||
		        by_range(s, e, &out);
	}
	if (!found)
		found = b_find(&s->b, e, vars[st->pat.at[0].id].type, &out); // a scalar
	if (!found || !s_rewrite(s))
		return false;
	s_is_equal(s, st, out);
	return true;
}
