// The prover of range.c: what is assumed, and what becomes of it as bounds of variables.
//
//     a condition holds, or does not      i + 1 < n         i <= n - 2,  n >= i + 2
//     a counter runs                      i < n             0 <= i <= n - 1,  1 <= n
//     an array has this size              [n]               0 <= n <= 2^60
#include "opt/prover.h"

// l >= 0.
static void assume_not_negative(Range *r, Affine l, Var cert)
{
	if (l.bad)
		return;
	if (l.n == 1 && term_is_var(&l.t[0]) && l.c > INT64_MIN && l.t[0].k > INT64_MIN) {
		int64_t k = l.t[0].k, floor = rounded_down(l.c, k < 0 ? -k : k);
		add_bound(r, l.t[0].v[0], affine_const(k < 0 ? floor : -floor), k < 0, cert);
		return;
	}
	for (int i = 0; i < l.n; i++) {
		const AffineTerm *t = &l.t[i];
		if (!term_is_var(t) || (t->k != 1 && t->k != -1))
			continue;
		Affine rest = affine_less(&l, i);
		if (t->k == 1)
			rest = affine_scale(&rest, -1);
		add_bound(r, t->v[0], rest, t->k < 0, cert);
	}
}

// l != 0, which sharpens a bound that is known.
static void assume_not_zero(Range *r, Affine l, Var cert)
{
	r->with_certs = false;
	if (cert.id)
		return;
	if (proves_natural(r, l)) {
		assume_not_negative(r, affine_more(l, -1), cert);
		return;
	}
	Affine minus = affine_scale(&l, -1);
	if (proves_natural(r, minus))
		assume_not_negative(r, affine_more(minus, -1), cert);
}

Affine affine_operand(Range *r, const Exp *e, int i)
{
	r->steps = STEPS;
	return range_affine(r, e->prim.x[i], EXACT, 6);
}

static void assume_comparison(Range *r, const Exp *e, bool holds, Var cert)
{
	Affine x = affine_operand(r, e, 0), y = affine_operand(r, e, 1);
	Affine up = affine_add(&y, &x, -1), down = affine_add(&x, &y, -1); // y - x, x - y
	switch (e->prim.op) {
	case P_lt:
		assume_not_negative(r, holds ? affine_more(up, -1) : down, cert);
		return;
	case P_le:
		assume_not_negative(r, holds ? up : affine_more(down, -1), cert);
		return;
	case P_eq:
		if (holds) {
			assume_not_negative(r, up, cert);
			assume_not_negative(r, down, cert);
		} else {
			assume_not_zero(r, up, cert);
		}
		return;
	default: // no comparison
		return;
	}
}

void range_assume(Range *r, Sub cond, bool holds, Var cert)
{
	const Exp *e = r->def(r->ctx, cond);
	if (cond.kind == S_VAR && !cert.id)
		note_known(r, cond.var, holds);
	if (!e || e->form != E_prim)
		return;
	if (!r->assuming)
		r->rests.len = 0;
	switch (e->prim.op) {
	case P_not:
		range_assume(r, e->prim.x[0], !holds, cert);
		return;
	case P_and: case P_or:
		if ((e->prim.op == P_and) == holds) {
			range_assume(r, e->prim.x[0], holds, cert);
			range_assume(r, e->prim.x[1], holds, cert);
		} else if (cert.id && cond.kind == S_VAR && e->prim.op == P_or) {
			note_either(r, cond.var, cert);
		}
		return;
	case P_lt: case P_le: case P_eq:
		if (is_int(e->prim.at))
			assume_comparison(r, e, holds, cert);
		return;
	default: // tells nothing of integers
		return;
	}
}

// The two operands of a disjunction, or NULL.
static const Sub *parts_of(Range *r, Sub cond)
{
	const Exp *e = r->def(r->ctx, cond);
	bool is_or = e && e->form == E_prim && e->prim.op == P_or && e->prim.at == PT_BOOL;
	return is_or ? e->prim.x : NULL;
}

static bool compares(Range *r, Sub cond, Sub n)
{
	const Sub *parts = parts_of(r, cond);
	if (parts)
		return compares(r, parts[0], n) || compares(r, parts[1], n);
	const Exp *e = r->def(r->ctx, cond);
	return e && e->form == E_prim && (sub_eq(e->prim.x[0], n) || sub_eq(e->prim.x[1], n));
}

// How many parts of a disjunction are not known to be false, and the last of them.
static int parts_left(Range *r, Sub cond, Sub *left)
{
	const Sub *parts = parts_of(r, cond);
	if (parts)
		return parts_left(r, parts[0], left) + parts_left(r, parts[1], left);
	const Exp *e = r->def(r->ctx, cond);
	if (e && range_refutes(r, e))
		return 0;
	*left = cond;
	return 1;
}

// What is asserted before a loop of all its iterations holds if there are any: n <= 0 or ..
static void assume_other_part(Range *r, Sub n)
{
	if (r->assuming || n.kind != S_VAR)
		return;
	for (int i = 0, len = r->either.len; i < len; i++) {
		Either either = r->either.at[i];
		Sub left;
		if (compares(r, either.cond, n) && parts_left(r, either.cond, &left) == 1)
			range_assume(r, left, true, either.cert);
	}
}

// Of v + c >= 0 for v = max(x, k) with k < -c: v is x.  So often run loops that others are peeled
// off.
static void assume_larger(Range *r, const Affine *l)
{
	bool one = !l->bad && l->n == 1 && l->t[0].k == 1 && term_is_var(&l->t[0]);
	const Exp *e = one ? r->def(r->ctx, sub_var(l->t[0].v[0])) : NULL;
	if (!e || e->form != E_prim || e->prim.op != P_max || e->prim.at != PT_I64 ||
	    e->prim.x[0].kind != S_VAR || e->prim.x[1].kind != S_CONST ||
	    l->c == INT64_MIN || e->prim.x[1].val.i >= -l->c)
		return;
	Affine x = range_affine(r, e->prim.x[0], EXACT, 6);
	add_bound(r, e->prim.x[0].var, affine_const(-l->c), false, (Var){0});
	add_bound(r, l->t[0].v[0], x, true, (Var){0});
	assume_not_negative(r, affine_more(x, l->c), (Var){0});
}

// Of n = if c then m else 0, which is above 0: the condition holds.
static void assume_choice(Range *r, Sub n)
{
	const Exp *e = r->def(r->ctx, n);
	if (!e || e->form != E_if_ || e->if_.yes.res.len != 1)
		return;
	Sub no = e->if_.no.res.at[0];
	if (no.kind == S_CONST && no.val.i <= 0)
		range_assume(r, e->if_.cond, true, (Var){0});
}

void range_runs(Range *r, Sub n)
{
	assume_choice(r, n);
	r->steps = STEPS;
	r->rests.len = 0;
	Affine l = affine_more(range_affine(r, n, EXACT, 6), -1);
	assume_not_negative(r, l, (Var){0});
	assume_larger(r, &l);
	assume_other_part(r, n);
}

void range_counter(Range *r, Var i, Sub n)
{
	r->steps = STEPS;
	r->rests.len = 0;
	add_bound(r, i, affine_const(0), false, (Var){0});
	add_bound(r, i, affine_more(range_affine(r, n, EXACT, 6), -1), true, (Var){0});
	range_runs(r, n);
}

// start + k * step for 0 <= k < n, if none of these wraps around.
void range_iota(Range *r, Var x, const Exp *e)
{
	r->steps = STEPS;
	r->rests.len = 0;
	if (!is_int(e->iota.type) || e->iota.step.kind != S_CONST || e->iota.step.val.i != 1)
		return;
	Affine start = range_affine(r, e->iota.start, EXACT, 6);
	Affine n = range_affine(r, e->iota.n, EXACT, 6);
	Affine last = affine_more(affine_add(&start, &n, 1), -1);
	bool from_zero = start.n == 0 && start.c == 0 && e->iota.type == PT_I64;
	if (!from_zero && !range_fits(r, &last, e->iota.type))
		return;
	add_bound(r, x, start, false, (Var){0});
	add_bound(r, x, last, true, (Var){0});
}

void range_sum(Range *r, Var p, Sub init, Var i)
{
	r->steps = STEPS;
	r->rests.len = 0;
	Affine low = range_affine(r, init, EXACT, 6), by = affine_var(i);
	Affine high = affine_add(&low, &by, 1);
	if (!range_fits(r, &high, PT_I64)) // no sum wraps around, then
		return;
	add_bound(r, p, low, false, (Var){0});
	add_bound(r, p, high, true, (Var){0});
}

void range_size(Range *r, Sub n, int64_t most, Vars certs)
{
	if (n.kind != S_VAR)
		return;
	// Between 0 and the largest is what most sizes are known to be already.
	if (has_constant(r, bounds_of(r, n.var, false), 0, INT64_MAX) &&
	    has_constant(r, bounds_of(r, n.var, true), INT64_MIN, most))
		return;
	r->steps = STEPS;
	Edge hi = edge_of_var(r, n.var, true, 2);
	bool low = !var_not_negative(r, n.var), high = hi.none || hi.v > most;
	r->rests.len = 0;
	rest_on(r, &(Bound){.rests = certs});
	if (low)
		add_bound(r, n.var, affine_const(0), false, (Var){0});
	if (high)
		add_bound(r, n.var, affine_const(most), true, (Var){0});
}
