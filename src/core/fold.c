// Constant folding and algebraic simplification of scalar operations whose result is an existing
// operand or a constant.
//
//     add.i32 2 3 -> 5        mul.f32 x 1 -> x        and.bool x false -> false
//     sub.i64 x x -> 0        le.u8 0 x -> true       max.f64 x x -> x
//
// Obligations: a rule preserves the type and holds for every value of the operands.  Floats
// therefore have few rules: x + 0 is not x for x = -0, x * 0 is not 0 for x = NaN, and x - x is not
// 0 for x = infinity.  An operation that would fail (division by zero) is left alone.
#include "core/core.h"

#include <math.h>

bool prim_commutes(Prim op)
{
	return op == P_add || op == P_mul || op == P_and || op == P_or || op == P_xor || op == P_eq;
}

static bool is_const(Sub s, PrimType at, int64_t i)
{
	return s.kind == S_CONST && scalar_eq_bits(s.val, scalar_int(at, i));
}

static bool fold_constants(Prim op, PrimType at, const Sub x[3], Sub *out)
{
	Scalar args[3] = {0}, result;
	for (int i = 0; i < prim_arity(op); i++) {
		if (x[i].kind != S_CONST)
			return false;
		args[i] = x[i].val;
	}
	const char *why;
	if (!prim_eval(op, at, args, &result, &why))
		return false;
	*out = sub_const(result);
	return true;
}

static bool yields(Sub *out, Sub s)
{
	*out = s;
	return true;
}

// x op x
static bool fold_same(Prim op, PrimType at, Sub x, Sub *out)
{
	bool exact = !is_float(at);
	switch (op) {
	case P_and: case P_or: case P_min: case P_max:
		return yields(out, x);
	case P_sub: case P_xor:
		return exact && yields(out, sub_const(scalar_int(at, 0)));
	case P_eq: case P_le:
		return exact && yields(out, sub_bool(true));
	case P_lt:
		return exact && yields(out, sub_bool(false));
	default: // no rule
		return false;
	}
}

// x op c
static bool fold_right(Prim op, PrimType at, Sub x, Sub c, Sub *out)
{
	bool exact = !is_float(at);
	bool zero = is_const(c, at, 0), one = is_const(c, at, 1);
	bool ones = at == PT_BOOL ? one : exact && is_const(c, at, -1);
	switch (op) {
	case P_add: return (exact ? zero : c.val.f == 0 && signbit(c.val.f)) && yields(out, x);
	case P_sub: return zero && yields(out, x);
	case P_mul: return one ? yields(out, x) : exact && zero && yields(out, c);
	case P_div: case P_quot: return one && yields(out, x);
	case P_mod: case P_rem: return exact && one && yields(out, sub_const(scalar_int(at, 0)));
	case P_pow: return exact && one && yields(out, x);
	case P_and: return ones ? yields(out, x) : zero && yields(out, c);
	case P_or: return zero ? yields(out, x) : ones && yields(out, c);
	case P_xor: case P_shl: case P_ashr: case P_lshr:
		return zero && yields(out, x);
	case P_eq: return at == PT_BOOL && one && yields(out, x);
	case P_lt: return is_unsigned(at) && zero && yields(out, sub_bool(false));
	default: // no rule
		return false;
	}
}

// c op x, for operations that do not commute
static bool fold_left(Prim op, PrimType at, Sub c, Sub *out)
{
	return op == P_le && is_unsigned(at) && is_const(c, at, 0) && yields(out, sub_bool(true));
}

bool fold_prim(Prim op, PrimType at, const Sub x[3], Sub *out)
{
	if (fold_constants(op, at, x, out))
		return true;
	if (prim_arity(op) != 2)
		return false;
	if (sub_eq(x[0], x[1]))
		return fold_same(op, at, x[0], out);
	if (x[1].kind == S_CONST)
		return fold_right(op, at, x[0], x[1], out);
	if (x[0].kind == S_CONST)
		return prim_commutes(op) ? fold_right(op, at, x[1], x[0], out)
		                         : fold_left(op, at, x[0], out);
	return false;
}
