// Products of sizes that do not wrap around.
//
//     fun main (n: i64, m: i64, xs: [n][m]f32, ys: [k]f32) ..
//       let (size: i64) = mul.i64 n m           n*m, and not only modulo 2^64
//       loop .. for i < n do .. for j < m do
//         let (p: i64) = add.i64 (mul.i64 i m) j     p < size, since  i*m + j <= (n - 1)*m + m - 1
//
// An array that is passed to a function is in memory, so the product of all of its sizes obeys the
// limit of Note [Sizes] in range.c.  The product of only some of the sizes does if the others are
// known not to be 0, or if the array was given to an entry point, which checks that.  The sizes of
// arrays that the function computes need not, since those may
// never be materialised.
#include "opt/prover.h"

#include <string.h>

static void put_in_order(AffineTerm *t, int n, Var v)
{
	for (; n > 0 && t->v[n - 1].id > v.id; n--)
		t->v[n] = t->v[n - 1];
	t->v[n] = v;
}

void range_shape(Range *r, Subs dims)
{
	AffineTerm t = {.k = 1};
	int n = 0;
	for EACH(Sub, d, dims) {
		if (d->kind == S_CONST && d->val.i == 0)
			return;
		if (d->kind == S_CONST && d->val.i > LARGEST_SIZE / t.k)
			return;
		if (d->kind == S_CONST) {
			t.k *= d->val.i;
			continue;
		}
		if (n == AFFINE_DEGREE)
			return;
		put_in_order(&t, n++, d->var);
	}
	for EACH(AffineTerm, s, r->shapes)
		if (s->k == t.k && memcmp(s->v, t.v, sizeof t.v) == 0)
			return;
	if (n + (t.k > 1) > 1)
		VEC_PUSH(&r->shapes, t);
}

// By those that ask, or by what is known where they ask.
static bool is_positive(Range *r, Var v, const Map *positive)
{
	if (positive && map_has(positive, var_key(v)))
		return true;
	Edge least = r->def ? edge_of_var(r, v, false, 2) : (Edge){0, true};
	return !least.none && least.v > 0;
}

bool is_in_shape(Range *r, const AffineTerm *t, const Map *positive)
{
	AffineTerm factors = *t, rest;
	factors.k = 1;
	for EACH(AffineTerm, s, r->shapes) {
		if (t->k < 1 || t->k > s->k || !term_quotient(s, &factors, &rest))
			continue;
		int i = 0;
		while (i < AFFINE_DEGREE && rest.v[i].id && is_positive(r, rest.v[i], positive))
			i++;
		if (r->given || i == AFFINE_DEGREE || !rest.v[i].id)
			return true;
	}
	return false;
}

bool is_shape(Range *r, const AffineTerm *t)
{
	AffineTerm factors = *t;
	factors.k = 1;
	if (r->given)
		return is_in_shape(r, &factors, NULL);
	for EACH(AffineTerm, s, r->shapes) {
		int i = 0;
		while (i < AFFINE_DEGREE && s->v[i].id == t->v[i].id)
			i++;
		if (i == AFFINE_DEGREE)
			return true;
	}
	return false;
}

bool is_product_of_shape(Range *r, const Affine *a)
{
	return !a->bad && !a->c && a->n == 1 && is_in_shape(r, &a->t[0], NULL);
}
