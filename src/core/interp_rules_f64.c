// The derivatives of prims.def in plain double arithmetic, for operands that no outer
// derivative depends on: the quick way.
//
// A row is linear in g, so its value at g = 1 is the partial derivative.
#include "core/interp.h"

#include <math.h>

static double via(Prim op, double x, double y)
{
	const char *why;
	Scalar r, a[2] = {{.type = PT_F64, .f = x}, {.type = PT_F64, .f = y}};
	prim_eval(op, PT_F64, a, &r, &why);
	return r.f;
}

// "Nothing flows" as the result of a row: a NaN that arithmetic does not produce.
static const uint64_t zero_bits = 0x7FF8C0DE0000F10Eull;

static double nothing(void)
{
	double d;
	memcpy(&d, &zero_bits, sizeof d);
	return d;
}

static bool is_nothing(double d)
{
	uint64_t bits;
	memcpy(&bits, &d, sizeof bits);
	return bits == zero_bits;
}

#define add(a, b) ((a) + (b))
#define sub(a, b) ((a) - (b))
#define mul(a, b) ((a) * (b))
#define div(a, b) ((a) / (b))
#define quot(a, b) ((a) / (b))
#define neg(a) (-(a))
#define eq(a, b) ((a) == (b))
#define le(a, b) ((a) <= (b))
#define and(a, b) ((a) && (b))
#define or(a, b) ((a) || (b))
#define not(a) (!(a))
#define min(a, b) via(P_min, a, b)
#define max(a, b) via(P_max, a, b)
#define sgn(a) via(P_sgn, a, 0)
#define round(a) via(P_round, a, 0)
#define sinpi(a) via(P_sinpi, a, 0)
#define cospi(a) via(P_cospi, a, 0)
#define polygamma(a, b) via(P_polygamma, a, b)
#define ldexp(a, b) ldexp(a, (int)(b))
#define lit(c) ((double)(c))
#define sel(c, a, b) ((c) ? (a) : (b))
#define by_kind(a, b) (b)
#define ZERO nothing()
#define NONE nothing()
#define PASS nothing()

int ad_rules_f64(Prim op, const double operand[3], double r, double partial[3])
{
	const double x = operand[0], y = operand[1], z = operand[2], g = 1;
	(void)r, (void)z;
	switch (op) {
#define PRIM(name, arity, domain, result, traits, dx, dy, dz) \
	case P_##name: partial[0] = dx; partial[1] = dy; partial[2] = dz; break;
#include "core/prims.def"
#undef PRIM
	case N_PRIM: bug("scalar operation");
	}
	int set = 0;
	for (int i = 0; i < 3; i++)
		set |= !is_nothing(partial[i]) << i;
	return set;
}
