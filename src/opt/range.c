// Ranges of integers: a small prover of inequalities between linear expressions.
//
//     loop .. for i: i64 < n do {              0 <= i, i <= n - 1
//       let (first: bool) = eq.i64 i 0
//       let (y: f64) = if first then {..} else {     i != 0, so 1 <= i
//         let (j: i64) = sub.i64 i 1
//         let (a: bool) = le.i64 0 j               is i - 1 >= 0?   since 1 <= i
//         let (b: bool) = lt.i64 j n               is n - 1 - (i - 1) >= 0?   since i <= n - 1
//
// A variable has lower and upper bounds, which are sums of constants and multiples of variables or
// of products of two variables.  To prove that a sum is not negative, a variable in it is replaced
// by a bound on the right side, and so on, a few steps deep.
//
// Note [Wrapping].  A variable stands for the number it holds, which is in the range of its type.
// An operation is seen as the sum or product it computes if its result cannot leave the range of
// the type; else it is a variable like any other.  One exception makes most proofs work: in "0 <=
// e and e < n", for e of type i64, e is expanded in any case.  Sums and products agree with the
// wrapped ones up to multiples of 2^64, so if the sum is proved to be between 0 and n, which is in
// the range of the type, it is what e holds.
//
// Note [Sizes].  A dimension of an array is at most 2^60, so that n + 1 does not wrap around.  What
// makes an array from a number (iota, replicate, ranges) or from two sizes (++, flatten) checks
// that (src/lower), also where the array is never stored; the dimensions of the arrays that an
// entry point is given are at most 2^57 (rd_is_given), so that few of their sums need a check.
//
//     let (c: cert) = assert (0 <= m and m <= 2^60) ("Range 0..1..<", m, " is invalid.")
//     let (a: [0][m]i64) = #{c} array []
//     let (k: i64) = add.i64 m 5                  does not wrap around, since a exists
//
// When nothing reads `a` any more, it goes, and the assertion goes with it, although k + 1 may wrap
// around now.  So each bound that is known from an array has the certificates of its statement
// (`rests`), and so has each bound that was derived with its help: a sum that is taken not to wrap
// around, an interval, a digit.  Unlike assertions they may be used where no certificates are
// asked for.  The proof of an assertion names them then, any other answer marks them as kept.
#include "opt/prover.h"

enum { DEPTH = 5 };

// ---- What could not be proved ----
//
// Note [Twice on the way].  A proof that fails has mostly tried to replace the same variables in
// several orders, and comes to the same sums; so do the proofs of several comparisons of one index.
// So what failed is kept as long as nothing else is known, by a hash: should that of another
// question be the same, a proof is missed, and none is wrong.  What failed since there were no
// steps left is not kept.

// Of a question, and of all that is known.
static uint64_t hash_of_question(const Range *r, const Affine *l, int depth)
{
	return mixed(mixed(hash_of_affine(l)) + range_state(r)) + depth * 4 + r->with_certs * 2 +
	       r->assuming;
}

static Unproved *unproved(Range *r, uint64_t hash)
{
	return &r->unproved[hash % (sizeof r->unproved / sizeof *r->unproved)];
}

// ---- Operands as sums ----

bool range_fits(Range *r, const Affine *l, PrimType t)
{
	Edge lo = type_edge(t, false), hi = type_edge(t, true);
	Edge a = edge_of_affine(r, l, false, 3);
	if (lo.none || hi.none || a.none || a.v < lo.v)
		return false;
	Edge b = edge_of_affine(r, l, true, 3);
	return !b.none && b.v <= hi.v;
}

// A product by a power of two.
static bool is_small_shift(const Exp *e)
{
	Sub by = e->prim.x[1];
	return e->prim.op == P_shl && by.kind == S_CONST && by.val.i >= 0 && by.val.i < 62 &&
	       by.val.i < 8 * primtype_size(e->prim.at);
}

static bool affine_of_prim(Range *r, const Exp *e, Mode mode, int depth, Affine *out)
{
	if (!is_int(e->prim.at))
		return false;
	if (e->prim.op != P_add && e->prim.op != P_sub && e->prim.op != P_mul &&
	    e->prim.op != P_neg && e->prim.op != P_count && !is_small_shift(e))
		return false;
	Affine x = range_affine(r, e->prim.x[0], mode, depth - 1);
	if (e->prim.op == P_count) {
		*out = x;
		return true;
	}
	if (e->prim.op == P_shl) {
		*out = affine_scale(&x, INT64_C(1) << e->prim.x[1].val.i);
		return true;
	}
	if (e->prim.op == P_neg) {
		*out = affine_scale(&x, -1);
		return true;
	}
	Affine y = range_affine(r, e->prim.x[1], mode, depth - 1);
	*out = e->prim.op == P_mul ? affine_mul(&x, &y)
	                           : affine_add(&x, &y, e->prim.op == P_add ? 1 : -1);
	return true;
}

static Affine affine_const_of(Sub s)
{
	Affine out = affine_const(s.val.i);
	out.bad = s.val.type == PT_U64 && s.val.i < 0;
	return out;
}

static bool not_negative(Range *, const Affine *, int depth);

// Numbers that are not negative: their difference does not wrap around, whatever they are made of.
static bool is_difference_of_naturals(Range *r, Var v, const Exp *e)
{
	enum { MOST = 120, NEAR = 3 };
	if (e->form != E_prim || e->prim.op != P_sub || !is_signed(e->prim.at) || r->steps <= 0)
		return false;
	uint64_t hash = mixed(mixed(v.id) + range_state(r)) + r->assuming;
	Unproved *u = unproved(r, hash);
	bool missed = r->missed_certs, again = u->hash == hash;
	r->missed_certs = again ? missed || u->missed_certs : false;
	if (again)
		return false;
	int steps = r->steps, rests = r->rests.len, few = r->steps = steps < MOST ? steps : MOST;
	bool ok = true, with_certs = r->with_certs;
	r->with_certs = false;
	for (int k = 2; k-- > 0 && ok;) {
		Affine x = range_affine(r, e->prim.x[k], EXACT, 4);
		ok = not_negative(r, &x, NEAR);
	}
	r->with_certs = with_certs;
	r->steps = steps - (few - r->steps);
	if (!ok)
		r->rests.len = rests;
	if (!ok && few == MOST)
		*u = (Unproved){hash, r->missed_certs};
	r->missed_certs |= missed;
	return ok;
}

Affine range_affine(Range *r, Sub s, Mode mode, int depth)
{
	if (s.kind == S_CONST)
		return affine_const_of(s);
	Affine atom = affine_var(s.var), out;
	const Exp *e = depth > 0 && --r->steps > 0 ? r->def(r->ctx, s) : NULL;
	if (!e)
		return atom;
	PrimType t = vars[s.var.id].type.elem;
	if (e->form == E_convert && is_int(sub_type(e->convert.x).elem) && is_int(t)) {
		out = range_affine(r, e->convert.x, EXACT, depth - 1);
		return !out.bad && range_fits(r, &out, t) ? out : atom;
	}
	Mode inner = t == PT_I64 ? mode : EXACT;
	if (e->form != E_prim || !affine_of_prim(r, e, inner, depth, &out) || out.bad)
		return atom;
	if ((mode == WRAPPED && t == PT_I64) || range_fits(r, &out, t) ||
	    is_difference_of_naturals(r, s.var, e))
		return out;
	if (t != PT_I64 || e->prim.op != P_mul || !r->shapes.len)
		return atom;
	out = range_affine(r, s, WRAPPED, depth); // parts of the product may wrap around
	return is_product_of_shape(r, &out) ? out : atom;
}

// ---- Proofs ----

bool var_not_negative(Range *r, Var v)
{
	Edge e = edge_of_var(r, v, false, 3);
	return !e.none && e.v >= 0;
}

// A variable of a term, and the rest of the term, which is not negative but for its factor.
typedef struct { int i; Var v; AffineTerm rest; } Factor;

// Puts a number on the safe side in place of the variable.
static bool by_number(Range *r, const Affine *l, const Factor *x, const Affine *by, int depth)
{
	Affine rest = affine_less(l, x->i);
	affine_add_times(&rest, by, &x->rest);
	int mark = r->used.len, rests = r->rests.len;
	bool cancels = by->n && rest.n < l->n; // so it ends, however deep
	if (not_negative(r, &rest, depth - !cancels))
		return true;
	r->used.len = mark;
	r->rests.len = rests;
	return false;
}

static bool by_bound(Range *r, const Affine *l, const Factor *x, const Bound *b, int depth)
{
	if (b->cert.id && !r->with_certs) {
		r->missed_certs = true;
		return false;
	}
	int mark = r->used.len, rests = r->rests.len;
	if (b->cert.id)
		VEC_PUSH(&r->used, b->cert);
	rest_on(r, b);
	if (by_number(r, l, x, &b->by, depth))
		return true;
	r->used.len = mark;
	r->rests.len = rests;
	return false;
}

// Bounds that follow from the operation that gives a variable, all of them: min, max, remainders,
// quotients, bits.
static int bounds_of_def(Range *r, const Exp *e, bool upper, Affine *out)
{
	if (e->form != E_prim || !is_int(e->prim.at))
		return 0;
	Sub x = e->prim.x[0], y = e->prim.x[1];
	int n = 0;
	switch (e->prim.op) {
	case P_min: case P_max:
		if ((e->prim.op == P_min) != upper)
			return 0;
		out[0] = range_affine(r, x, EXACT, 4);
		out[1] = range_affine(r, y, EXACT, 4);
		return 2;
	case P_mod: case P_rem: {
		// For y > 0: 0 <= x mod y < y; for x >= 0 both are the same and at most x.
		bool natural = not_below_zero(r, x);
		if ((e->prim.op == P_rem && !natural) || !not_below_zero(r, y))
			return 0;
		if (!upper) {
			out[0] = affine_const(0);
			return 1;
		}
		out[n++] = affine_more(range_affine(r, y, EXACT, 4), -1);
		if (natural)
			out[n++] = range_affine(r, x, EXACT, 4);
		return n;
	}
	case P_div: case P_quot:
		// For x >= 0 and y > 0: 0 <= x / y <= x.
		if (!not_below_zero(r, x) || !not_below_zero(r, y))
			return 0;
		out[0] = upper ? range_affine(r, x, EXACT, 4) : affine_const(0);
		return 1;
	case P_and:
		// For x >= 0: 0 <= x & y <= x.
		if (not_below_zero(r, x))
			out[n++] = upper ? range_affine(r, x, EXACT, 4) : affine_const(0);
		if (not_below_zero(r, y))
			out[n++] = upper ? range_affine(r, y, EXACT, 4) : affine_const(0);
		return n;
	case P_mul:
		// Of numbers that are not negative: wrapping around makes it smaller.
		if (!upper)
			return 0;
		if (not_below_zero(r, x) && not_below_zero(r, y))
			return affine_of_prim(r, e, EXACT, 4, &out[0]);
		// In i64 it does so also if parts of the product wrap around.
		return e->prim.at == PT_I64 && affine_of_prim(r, e, WRAPPED, 4, &out[0]) &&
		       is_natural_product(r, &out[0]);
	case P_ashr: case P_lshr:
		if (!is_signed(e->prim.at) || !not_below_zero(r, x))
			return 0;
		out[0] = upper ? range_affine(r, x, EXACT, 4) : affine_const(0);
		return 1;
	default: // nothing
		return 0;
	}
}

// ... with x in place of the variable, where a condition holds or not.
static bool by_case(Range *r, const Affine *l, const Factor *of, Sub cond, bool holds, Sub x,
                    int depth)
{
	int mark = range_mark(r), steps = r->steps;
	bool with_certs = r->with_certs;
	if (!r->assuming) { // proofs of what is assumed go without assumptions
		r->assuming = true;
		range_assume(r, cond, holds, (Var){0});
		r->assuming = false;
	}
	r->steps = steps;
	r->with_certs = with_certs;
	Affine by = range_affine(r, x, EXACT, 4);
	bool ok = by_number(r, l, of, &by, depth);
	range_release(r, mark);
	return ok;
}

// Proofs by cases: the variable is what e gives, one of two operands, and either will do.
static bool by_cases(Range *r, const Affine *l, const Factor *of, const Exp *e, int depth)
{
	bool upper = of->rest.k < 0;
	Sub a, b, cond = sub_bool(true);
	if (e->form == E_prim && is_int(e->prim.at) && e->prim.op == (upper ? P_max : P_min)) {
		a = e->prim.x[0];
		b = e->prim.x[1];
	} else if (e->form == E_if_ && e->if_.yes.res.len == 1) {
		cond = e->if_.cond;
		a = e->if_.yes.res.at[0];
		b = e->if_.no.res.at[0];
	} else {
		return false;
	}
	int used = r->used.len, known = e->form == E_if_ ? known_bool(r, cond) : -1;
	bool ok = (known == 0 || by_case(r, l, of, cond, true, a, depth)) &&
	          (known == 1 || by_case(r, l, of, cond, false, b, depth));
	if (!ok)
		r->used.len = used;
	return ok;
}

// x / y <= rest, for y > 0, is x < (rest + 1) * y.
static bool by_quotient(Range *r, const Affine *l, int i, int depth)
{
	const AffineTerm *t = &l->t[i];
	const Exp *e = t->k == -1 && term_is_var(t) ? division_of(r, t->v[0]) : NULL;
	if (!e)
		return false;
	Sub x = e->prim.x[0], y = e->prim.x[1];
	if (!not_below_zero(r, y) || (e->prim.op == P_quot && !not_below_zero(r, x)))
		return false;
	Affine top = affine_more(affine_less(l, i), 1);
	top = y.kind == S_CONST ? affine_scale(&top, y.val.i) : affine_times(&top, y.var);
	Affine by = affine_more(range_affine(r, x, EXACT, 4), 1);
	affine_add_to(&top, &by, -1);
	return not_negative(r, &top, depth - 1);
}

// A number in place of a variable: its interval, which is tried last, tells as much; and until then
// the variable may go away by itself.  Times another variable the largest size tells nothing.
static bool in_interval(const Affine *by, const Factor *x)
{
	return by->n == 0 && (!x->rest.v[0].id || by->c >= LARGEST_SIZE);
}

static bool is_min_or_max(const Exp *e)
{
	return e->form == E_prim && (e->prim.op == P_min || e->prim.op == P_max);
}

static bool by_var(Range *r, const Affine *l, const Factor *x, int depth)
{
	bool upper = x->rest.k < 0;
	const Exp *def = r->def(r->ctx, sub_var(x->v));
	Affine from_def[2];
	int n = def ? bounds_of_def(r, def, upper, from_def) : 0;
	for (int j = 0; j < n; j++) {
		if (in_interval(&from_def[j], x) && is_min_or_max(def))
			continue;
		if (by_number(r, l, x, &from_def[j], depth))
			return true;
	}
	for (const Bound *b = bounds_of(r, x->v, upper); b; b = b->next)
		if ((b->cert.id || !in_interval(&b->by, x)) &&
		    by_bound(r, l, x, b, depth))
			return true;
	return def && by_cases(r, l, x, def, depth);
}

// A variable of a product, if the others are not negative.
static bool factor_of(Range *r, const Affine *l, int i, int k, Factor *out)
{
	const AffineTerm *t = &l->t[i];
	*out = (Factor){i, t->v[k], {.k = t->k}};
	for (int j = 0, n = 0; j < AFFINE_DEGREE && t->v[j].id; j++)
		if (j != k) {
			out->rest.v[n++] = t->v[j];
			if (!var_not_negative(r, t->v[j]))
				return false;
		}
	return true;
}

// In a product, y * (x / y) for x >= 0 and y > 0: it is between x - y + 1 and x.
static bool by_multiple(Range *r, const Affine *l, int i, int depth)
{
	Factor q;
	AffineTerm rest;
	for (int k = 0; k < AFFINE_DEGREE && l->t[i].v[k].id; k++) {
		const Exp *e = division_of(r, l->t[i].v[k]);
		if (!e || !factor_of(r, l, i, k, &q))
			continue;
		Sub d = e->prim.x[1];
		bool known = d.kind == S_CONST;
		AffineTerm by_y = {.k = known ? d.val.i : 1, .v = {known ? (Var){0} : d.var}};
		if ((known && d.val.i < 1) || !term_quotient(&q.rest, &by_y, &rest) ||
		    !not_below_zero(r, e->prim.x[0]))
			continue;
		q.rest = rest;
		Affine by = range_affine(r, e->prim.x[0], EXACT, 4);
		Affine y = known ? affine_const(d.val.i) : affine_var(d.var);
		if (q.rest.k > 0)
			by = affine_more(affine_add(&by, &y, -1), 1);
		if (by_number(r, l, &q, &by, depth))
			return true;
	}
	return false;
}

static bool by_factors(Range *r, const Affine *l, int i, int depth)
{
	Factor x;
	for (int k = 0; k < AFFINE_DEGREE && l->t[i].v[k].id; k++)
		if (factor_of(r, l, i, k, &x) && by_var(r, l, &x, depth))
			return true;
	return false;
}

// Do other terms go away by this number in place of a variable?
static bool cancels(const Affine *l, const Factor *x, const Affine *by)
{
	Affine rest = affine_less(l, x->i);
	affine_add_times(&rest, by, &x->rest);
	bool tells = by->n || (x->rest.v[0].id && x->rest.k > 0 && by->c > 0);
	return tells && !rest.bad && rest.n < l->n;
}

// Such bounds: what is below a size mostly is so by these alone,  n*m - 1 - i*m - j  with  n - 1
// for i,  n - 1 - i - j  with  n - k  for i.
static bool by_cancelling(Range *r, const Affine *l, int i, int depth)
{
	Factor x;
	bool upper = l->t[i].k < 0;
	for (int k = 0; k < AFFINE_DEGREE && l->t[i].v[k].id; k++) {
		Var v = l->t[i].v[k];
		const Bound *b = bounds_of(r, v, upper);
		const Exp *e = upper ? r->def(r->ctx, sub_var(v)) : NULL;
		bool divided = e && e->form == E_prim && is_int(e->prim.at);
		if ((!b && !divided) || !factor_of(r, l, i, k, &x))
			continue;
		for (; b; b = b->next)
			if (cancels(l, &x, &b->by) && by_bound(r, l, &x, b, depth))
				return true;
		if (!divided)
			continue;
		Factor of = x;
		Affine by = digit_bound(r, e);
		if ((cancels(l, &x, &by) && by_number(r, l, &x, &by, depth)) ||
		    (strided_digit_bound(r, e, &x.rest, &of.rest, &by) &&
		     cancels(l, &of, &by) && by_number(r, l, &of, &by, depth)))
			return true;
	}
	return false;
}

static bool search(Range *r, const Affine *l, int depth)
{
	for (int i = 0; i < l->n; i++) // loses nothing, or little
		if (by_quotient(r, l, i, depth) || by_cancelling(r, l, i, depth))
			return true;
	for (int i = 0; i < l->n; i++)
		if (by_multiple(r, l, i, depth))
			return true;
	for (int i = 0; i < l->n; i++) {
		const AffineTerm *t = &l->t[i];
		if (term_is_var(t) &&
		    by_var(r, l, &(Factor){i, t->v[0], {.k = t->k}}, depth))
			return true;
	}
	for (int i = 0; i < l->n; i++) // products have more ways to go wrong
		if (!term_is_var(&l->t[i]) && by_factors(r, l, i, depth))
			return true;
	Edge e = edge_of_affine(r, l, false, 3);
	return !e.none && e.v >= 0;
}

static bool not_negative(Range *r, const Affine *l, int depth)
{
	if (l->bad || --r->steps < 0)
		return false;
	if (l->n == 0)
		return l->c >= 0;
	if (depth <= 0) {
		Edge e = edge_of_affine(r, l, false, 2);
		return !e.none && e.v >= 0;
	}
	if (has_no_negative(r, l))
		return true;
	uint64_t hash = hash_of_question(r, l, depth);
	Unproved *u = unproved(r, hash);
	bool missed = r->missed_certs, again = u->hash == hash;
	r->missed_certs = again && u->missed_certs;
	bool ok = !again && search(r, l, depth);
	if (!ok && !again && r->steps >= 0)
		*u = (Unproved){hash, r->missed_certs};
	r->missed_certs |= missed;
	return ok;
}

bool proves_within(Range *r, Affine l, int steps)
{
	r->steps = steps;
	return not_negative(r, &l, DEPTH);
}

// Where all steps have been taken a wrong way at first, a short proof may be left.
bool proves_natural(Range *r, Affine l)
{
	enum { SHORT = 2, FEW = 120 };
	if (proves_within(r, l, STEPS))
		return true;
	if (r->steps >= 0)
		return false;
	r->steps = FEW;
	return not_negative(r, &l, SHORT);
}
