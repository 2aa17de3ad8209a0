// The prover of range.c: what divisions tell of digits, and of places that are computed from these.
//
//     p < b*h*w     j = p mod w    i = (p / w) mod h    n = (p / w) / h       so  n < b
//     xs[(n*h + i)*w + j]                            is in an array of b*h*w elements
//
// A quotient is below what is left of the product that the number is below.  That product may wrap
// around: what it holds is less then, never more.
//
// What these bounds rest on is handed on, see Note [Sizes] in range.c: once they dropped checks in
// programs where only an array that nothing read any more had told that a size is one.
#include "opt/prover.h"

enum { MOST_DIVISIONS = 4 };    // one of what another gives

const Exp *division_of(Range *r, Var v)
{
	const Exp *e = r->def(r->ctx, sub_var(v));
	bool is_prim = e && e->form == E_prim && is_int(e->prim.at);
	return is_prim && (e->prim.op == P_div || e->prim.op == P_quot) ? e : NULL;
}

bool not_below_zero(Range *r, Sub x)
{
	Edge e = edge_of_sub(r, x, false, 3);
	return !e.none && e.v >= 0;
}

bool has_no_negative(Range *r, const Affine *l)
{
	bool ok = !l->bad;
	for (int i = 0; ok && i < l->n; i++)
		ok = l->t[i].k > 0;
	if (!ok)
		return false;
	Edge e = edge_of_affine(r, l, false, MOST_DIVISIONS + 1);
	return !e.none && e.v >= 0;
}

bool is_natural_product(Range *r, const Affine *l)
{
	return l->n == 1 && !l->c && has_no_negative(r, l);
}

// ---- Quotients ----

// The product of which a variable holds the number, or less.
static AffineTerm product_above(Range *r, AffineTerm t)
{
	if (!term_is_var(&t) || t.k != 1 || vars[t.v[0].id].type.elem != PT_I64)
		return t;
	Affine all = range_affine(r, sub_var(t.v[0]), WRAPPED, 4);
	return is_natural_product(r, &all) ? all.t[0] : t;
}

static AffineTerm factor_term(Sub x)
{
	return x.kind == S_CONST ? (AffineTerm){.k = x.val.i} : (AffineTerm){1, {x.var}};
}

static bool quotient_below(Range *r, const Exp *div, AffineTerm *out, int depth);

// A product that a number is below.
static bool below_product(Range *r, Sub x, AffineTerm *out, int depth)
{
	if (x.kind != S_VAR || !depth)
		return false;
	for (const Bound *b = bounds_of(r, x.var, true); b; b = b->next)
		if (!b->cert.id && b->by.c == -1 && b->by.n == 1) {
			rest_on(r, b);
			*out = product_above(r, b->by.t[0]);
			return true;
		}
	const Exp *div = division_of(r, x.var);
	return div && quotient_below(r, div, out, depth - 1);
}

// x / y < z, for 0 <= x < y * z and y > 0.
static bool quotient_below(Range *r, const Exp *div, AffineTerm *out, int depth)
{
	Sub x = div->prim.x[0], y = div->prim.x[1];
	AffineTerm all, by = factor_term(y);
	return not_below_zero(r, x) && not_below_zero(r, y) && by.k > 0 &&
	       below_product(r, x, &all, depth) && term_quotient(&all, &by, out);
}

Affine digit_bound(Range *r, const Exp *e)
{
	Affine by = affine_const(-1);
	bool quotient = e->prim.op == P_div || e->prim.op == P_quot;
	if (quotient && quotient_below(r, e, &by.t[0], MOST_DIVISIONS))
		by.n = by.t[0].v[0].id != 0;
	else if (e->prim.op == P_mod && not_below_zero(r, e->prim.x[1]))
		by = affine_more(range_affine(r, e->prim.x[1], EXACT, 4), -1);
	return by;
}

bool strided_digit_bound(Range *r, const Exp *e, const AffineTerm *times, AffineTerm *rest,
                         Affine *by)
{
	Sub y = e->prim.op == P_mod ? e->prim.x[1] : sub_i64(0);
	const Exp *part = y.kind == S_VAR ? division_of(r, y.var) : NULL;
	if (!part || !not_below_zero(r, part->prim.x[0]) || !not_below_zero(r, part->prim.x[1]))
		return false;
	AffineTerm d = factor_term(part->prim.x[1]);
	if (d.k < 1 || !term_quotient(times, &d, rest))
		return false;
	Affine less = d.v[0].id ? affine_var(d.v[0]) : affine_const(d.k);
	*by = range_affine(r, part->prim.x[0], EXACT, 4);
	affine_add_to(by, &less, -1);
	return true;
}
