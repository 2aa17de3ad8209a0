// Static properties of scalar operations: names, types, whether they can fail.  All are derived
// from prims.def.
#include "core/core.h"

const char *const prim_name[N_PRIM] = {
#define PRIM(name, ...) #name,
#include "core/prims.def"
#undef PRIM
};

typedef enum { NUM, INT, FLOAT, BITS, ALL, WORD } Domain;
typedef enum { SAME, BOOL, I32, BITS_OF, FLOAT_OF } Result;

enum { SLOW = 1, SPREADS = 2, BY_I32 = 4, VECTOR = 8, PLUS = 16 };

static const struct { int8_t domain, result, traits; } rows[N_PRIM] = {
#define PRIM(name, arity, domain, result, traits, ...) {domain, result, traits},
#include "core/prims.def"
#undef PRIM
};

const int8_t prim_arities[N_PRIM] = {
#define PRIM(name, arity, ...) arity,
#include "core/prims.def"
#undef PRIM
};

bool prim_allowed(Prim op, PrimType t)
{
	switch ((Domain)rows[op].domain) {
	case NUM:   return is_num(t);
	case INT:   return is_int(t);
	case FLOAT: return is_float(t);
	case BITS:  return is_int(t) || t == PT_BOOL;
	case ALL:   return true;
	case WORD:  return t == PT_U16 || t == PT_U32 || t == PT_U64;
	}
	bug("domain of %s", prim_name[op]);
}

// The unsigned type as wide as a float type, and back.
static PrimType bits_of(PrimType t)
{
	return t == PT_F16 ? PT_U16 : t == PT_F32 ? PT_U32 : PT_U64;
}

static PrimType float_of(PrimType t)
{
	return t == PT_U16 ? PT_F16 : t == PT_U32 ? PT_F32 : PT_F64;
}

PrimType prim_result(Prim op, PrimType t)
{
	switch ((Result)rows[op].result) {
	case SAME:     return t;
	case BOOL:     return PT_BOOL;
	case I32:      return PT_I32;
	case BITS_OF:  return bits_of(t);
	case FLOAT_OF: return float_of(t);
	}
	bug("result of %s", prim_name[op]);
}

PrimType prim_operand(Prim op, PrimType t, int i)
{
	return i == 1 && (rows[op].traits & BY_I32) ? PT_I32 : t;
}

bool prim_is_function(Prim op)
{
	return rows[op].traits & SLOW;
}

bool prim_spreads(Prim op)
{
	return rows[op].traits & SPREADS;
}

bool prim_in_vectors(Prim op)
{
	return rows[op].traits & VECTOR;
}

bool prim_gives_plus(Prim op)
{
	return rows[op].traits & PLUS;
}

bool prim_can_fail(Prim op, PrimType t)
{
	switch (op) {
	case P_div: case P_mod: case P_quot: case P_rem:
		return is_int(t);
	case P_pow:
		return is_signed(t);
	default: // Everything else is total.
		return false;
	}
}
