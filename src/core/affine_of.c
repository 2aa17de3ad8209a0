// Converts operands to affine forms by following the operations that define them.
//
//     let (a: i64) = mul.i64 i m
//     let (b: i64) = sub.i64 a 1            b = -1 + i*m
//
// Integers wrap around at run time, so forms denote integers modulo 2^64.
#include "core/affine.h"

enum { MOST_DEPTH = 12 };

static const Exp *def_of_map(const void *ctx, Sub x)
{
	return x.kind == S_VAR ? map_get(ctx, var_key(x.var)) : NULL;
}

AffineDefs defs_in_map(const Map *map)
{
	return (AffineDefs){def_of_map, map};
}

static const Exp *def_of_body(const void *ctx, Sub x)
{
	return def_in(ctx, x);
}

AffineDefs defs_in_body(const Body *b)
{
	return (AffineDefs){def_of_body, b};
}

static bool is_shift(const Exp *e)
{
	Sub by = e->prim.x[1];
	return e->prim.op == P_shl && by.kind == S_CONST && by.val.i >= 0 && by.val.i < 62;
}

static Affine to_depth(AffineDefs defs, Sub x, int depth)
{
	if (x.kind == S_CONST)
		return affine_const(x.val.i);
	const Exp *e = depth ? defs.def(defs.ctx, x) : NULL;
	if (!e || e->form != E_prim || e->prim.at != PT_I64)
		return affine_var(x.var);
	Prim op = e->prim.op;
	if (op != P_add && op != P_sub && op != P_mul && op != P_neg && !is_shift(e))
		return affine_var(x.var);
	Affine a = to_depth(defs, e->prim.x[0], depth - 1);
	if (op == P_neg)
		return affine_scale(&a, -1);
	if (op == P_shl)
		return affine_scale(&a, INT64_C(1) << e->prim.x[1].val.i);
	Affine b = to_depth(defs, e->prim.x[1], depth - 1);
	if (op == P_mul)
		return affine_mul(&a, &b);
	affine_add_to(&a, &b, op == P_add ? 1 : -1);
	return a;
}

Affine affine_of(AffineDefs defs, Sub x)
{
	return to_depth(defs, x, MOST_DEPTH);
}

bool affine_equal(AffineDefs defs, Sub x, Sub y)
{
	if (sub_eq(x, y))
		return true;
	Affine a = affine_of(defs, x), b = affine_of(defs, y);
	return affine_same(&a, &b);
}

Affine affine_product(AffineDefs defs, Subs factors)
{
	Affine out = affine_const(1);
	for EACH(Sub, x, factors) {
		Affine f = affine_of(defs, *x);
		out = affine_mul(&out, &f);
	}
	return out;
}

// ---- And back ----

static Sub emit_term(Build *b, const AffineTerm *t, int64_t k)
{
	Sub x = sub_var(t->v[0]);
	for (int i = 1; i < AFFINE_DEGREE && t->v[i].id; i++)
		x = b_mul(b, x, sub_var(t->v[i]));
	return b_mul(b, x, sub_i64(k));
}

// What is added comes before what is subtracted.
bool term_of(AffineDefs defs, Sub x, AffineTerm *out)
{
	Affine a = affine_of(defs, x);
	if (a.bad || a.n > 1 || (a.n && a.c))
		return false;
	*out = a.n ? a.t[0] : (AffineTerm){.k = a.c};
	return true;
}

Sub term_emit(Build *b, const AffineTerm *t)
{
	return t->v[0].id ? emit_term(b, t, t->k) : sub_i64(t->k);
}

Sub affine_emit(Build *b, const Affine *a)
{
	Sub out = sub_i64(0);
	for (int i = 0; i < a->n; i++)
		if (a->t[i].k > 0)
			out = b_add(b, out, emit_term(b, &a->t[i], a->t[i].k));
	for (int i = 0; i < a->n; i++)
		if (a->t[i].k < 0)
			out = b_sub(b, out, emit_term(b, &a->t[i], -a->t[i].k));
	return b_add(b, out, sub_i64(a->c));
}
