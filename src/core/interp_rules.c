// The derivatives of prims.def for every type, computed in the arithmetic of the levels below
// (nested derivatives): operands may be active there, and then so are the partial derivatives.
#include "core/interp.h"

#include <math.h>
#include <stdlib.h>

// A number at work: `none` is the row's ZERO.
typedef struct { PrimType type; bool none; Slot v; } Num;

// Handles made on the way are released when the row has been evaluated.
static Der keep(Interp *in, Der d)
{
	if (!der_is_cell(d))
		return d;
	if (in->n_temps == in->max_temps) {
		int n = in->max_temps ? in->max_temps * 2 : 64;
		Der *more = realloc(in->temps, (size_t)n * sizeof *more);
		if (!more)
			out_of_memory(in, (size_t)n * sizeof *more);
		in->temps = more;
		in->max_temps = n;
	}
	in->temps[in->n_temps++] = d;
	return d;
}

static bool is_one(Num a)
{
	return !a.v.der && (is_float(a.type) ? a.v.raw.f == 1 : a.v.raw.i == 1);
}

static Num apply(Interp *in, Prim op, const Num operand[2])
{
	const Num a = operand[0], b = operand[1];
	if (op == P_mul && b.v.der && is_one(a))
		return b;
	Scalar r, s[2] = {raw_scalar(a.type, a.v.raw), raw_scalar(b.type, b.v.raw)};
	Slot x[3] = {a.v, b.v, {{0}, 0}};
	const char *why;
	if (!prim_eval(op, a.type, s, &r, &why))
		bug("derivative with %s: %s", prim_name[op], why);
	Num out = {.type = r.type, .v = {scalar_raw(r), 0}};
	if (a.v.der | b.v.der)
		out.v.der = keep(in, ad_prim(in, op, a.type, prim_arity(op), x, out.v.raw));
	return out;
}

static Num literal(PrimType t, double c)
{
	Scalar s = is_float(t) ? scalar_float(t, c) : scalar_int(t, (int64_t)c);
	return (Num){.type = t, .v = {scalar_raw(s), 0}};
}

static Num choose(Num c, Num a, Num b)
{
	return c.v.raw.u ? a : b;
}

#define RULE_OP(op, ...) apply(in, P_##op, (const Num[2]){__VA_ARGS__})
#include "core/rule_ops.h"
#define lit(c) literal(t, c)
#define sel(c, a, b) choose(c, a, b)
#define by_kind(a, b) (is_int(t) ? (a) : (b))
#define ZERO ((Num){.none = true})
#define NONE ZERO
#define PASS ZERO

// One column of one row.
static Num rule(Interp *in, Prim op, PrimType t, const Num operand[3], Num r, int column)
{
	const Num x = operand[0], y = operand[1], z = operand[2], g = literal(t, 1);
	(void)r, (void)z;
	switch (op) {
#define PRIM(name, arity, domain, result, traits, dx, dy, dz) \
	case P_##name: return column == 0 ? dx : column == 1 ? dy : dz;
#include "core/prims.def"
#undef PRIM
	case N_PRIM: break;
	}
	bug("scalar operation");
}

int ad_rules(Interp *in, Prim op, PrimType t, const Slot x[3], Slot r, int wanted, Slot partial[3])
{
	Num operand[3], result = {.type = prim_result(op, t), .v = r};
	int set = 0, mark = in->n_temps;
	for (int i = 0; i < 3; i++)
		operand[i] = (Num){.type = prim_operand(op, t, i), .v = x[i]};
	for (int i = 0; i < prim_arity(op); i++) {
		if (!(wanted >> i & 1))
			continue;
		Num d = rule(in, op, t, operand, result, i);
		if (d.none)
			continue;
		set |= 1 << i;
		partial[i] = (Slot){d.v.raw, der_retain(d.v.der)};
	}
	while (in->n_temps > mark)
		der_release(in, in->temps[--in->n_temps]);
	return set;
}

char ad_column(Prim op, int operand)
{
	switch (op) {
#define PRIM(name, arity, domain, result, traits, dx, dy, dz) \
	case P_##name: return operand == 0 ? #dx[0] : operand == 1 ? #dy[0] : #dz[0];
#include "core/prims.def"
#undef PRIM
	case N_PRIM: break;
	}
	bug("scalar operation");
}
