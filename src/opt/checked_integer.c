// Checked mode: reports signed integer operations that overflow.
//
//     let (z: i32) = add.i32 x y
//   ->
//     let (z: i32) = add.i32 x y
//     let (c: cert) = assert (not ((x ^ z) & (y ^ z) < 0)) ("Overflow: ", x, " + ", y, ..)
//
// Unsigned integers wrap around by definition.  Operations that the compiler folds are not checked.
// Requires and ensures: see checked.c.
#include "opt/checked.h"

static Sub lowest_of(PrimType t)
{
	return sub_const(scalar_int(t, (int64_t)((uint64_t)1 << (8 * primtype_size(t) - 1))));
}

// Do the signs of x and y both differ from that of z?
static Sub signs_differ(Build *b, Sub x, Sub y, Sub z)
{
	Sub both = b_and(b, b_prim2(b, P_xor, x, z), b_prim2(b, P_xor, y, z));
	return b_lt(b, both, sub_zero(sub_type(z).elem));
}

// The upper half of the product is the sign of the lower one, if it fits.
static Sub product_fits(Build *b, Sub x, Sub y, Sub z)
{
	PrimType t = sub_type(z).elem;
	Sub sign = b_prim2(b, P_ashr, z, sub_const(scalar_int(t, 8 * primtype_size(t) - 1)));
	return b_eq(b, b_prim2(b, P_mul_hi, x, y), sign);
}

static Sub power_fits(Build *b, Sub x, Sub y)
{
	PrimType t = sub_type(x).elem;
	double most = (double)((uint64_t)1 << (8 * primtype_size(t) - 1));
	Sub p = b_prim2(b, P_pow, b_convert(b, PT_F64, x), b_convert(b, PT_F64, y));
	return b_and(b, b_lt(b, p, sub_const(scalar_float(PT_F64, most))),
	             b_le(b, sub_const(scalar_float(PT_F64, -most)), p));
}

// Does the result fit?  Constantly true where it always does.
static Sub fits(Build *b, const Exp *e, Sub z)
{
	PrimType t = e->prim.at;
	Sub x = e->prim.x[0], y = e->prim.x[1];
	switch (e->prim.op) {
	case P_add:
		return b_not(b, signs_differ(b, x, y, z));
	case P_sub: // x = z + y
		return b_not(b, signs_differ(b, z, y, x));
	case P_mul:
		return product_fits(b, x, y, z);
	case P_neg: case P_abs:
		return b_not(b, b_eq(b, x, lowest_of(t)));
	case P_div: case P_quot:
		return b_not(b, b_and(b, b_eq(b, x, lowest_of(t)),
		                      b_eq(b, y, sub_const(scalar_int(t, -1)))));
	case P_pow:
		return power_fits(b, x, y);
	default: // remainders, bits, comparisons, extrema
		return sub_bool(true);
	}
}

static const char *sign_of(Prim op)
{
	return op == P_add ? " + " : op == P_sub ? " - " : op == P_mul ? " * "
	     : op == P_pow ? " ** " : " / ";
}

static void check_stm(Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	int from = b_len(b);
	Sub ok = fits(b, e, sub_var(s->pat.at[0]));
	MsgVec m = {0};
	msg_say(&m, "Integer overflow: ");
	if (prim_arity(e->prim.op) == 1)
		msg_say(&m, "%s ", prim_name[e->prim.op]);
	msg_show(&m, e->prim.x[0]);
	if (prim_arity(e->prim.op) == 2) {
		msg_say(&m, "%s", sign_of(e->prim.op));
		msg_show(&m, e->prim.x[1]);
	}
	msg_say(&m, " does not fit %s.", primtype_name[e->prim.at]);
	b_assert(b, ok, msg_of(m));
	mark_checks(b, from);
}

static bool is_signed_operation(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_prim && is_int(e->prim.at) && !is_unsigned(e->prim.at) &&
	       prim_result(e->prim.op, e->prim.at) == e->prim.at && !is_trusted(s);
}

static Body check_body(Body body, void *none)
{
	Build b = {0};
	b_open(&b);
	for EACH(Stm, s, body.stms) {
		Stm t = *s;
		b.where = s->where;
		if (!is_trusted(s))
			t.exp = with_nested_bodies(t.exp, check_body, none);
		b_emit(&b, t);
		if (is_signed_operation(s))
			check_stm(&b, s);
	}
	return b_close(&b, body.res);
}

Prog *check_integers(Prog *prog)
{
	return with_bodies(prog, is_signed_operation, check_body, NULL);
}
