// Evaluation of scalar operations and conversions.
//
// The interpreter and constant folding use this file, which calls the functions of rts/c/scalar.h.
// Generated programs use the same functions, so a program has the same meaning however it is run.
// This file only unpacks operands, selects the function for the operation and its type, and packs
// the result.
#include "core/core.h"

#include "c/scalar.h"

static Scalar truth(bool b)
{
	return (Scalar){.type = PT_BOOL, .u = b};
}

// ---- Integers ----

// eval_i32(op, t, args), with x and y in the type itself.
#define EVAL_INT(S, T) \
static Scalar eval_##S(Prim op, PrimType t, const Scalar *a) \
{ \
	T x = (T)a[0].u, y = prim_arity(op) > 1 ? (T)a[1].u : x; \
	switch (op) { \
	case P_add: return scalar_int(t, (int64_t)rd_add_##S(x, y)); \
	case P_sub: return scalar_int(t, (int64_t)rd_sub_##S(x, y)); \
	case P_mul: return scalar_int(t, (int64_t)rd_mul_##S(x, y)); \
	case P_div: return scalar_int(t, (int64_t)rd_div_##S(x, y)); \
	case P_mod: return scalar_int(t, (int64_t)rd_mod_##S(x, y)); \
	case P_quot: return scalar_int(t, (int64_t)rd_quot_##S(x, y)); \
	case P_rem: return scalar_int(t, (int64_t)rd_rem_##S(x, y)); \
	case P_pow: return scalar_int(t, (int64_t)rd_pow_##S(x, y)); \
	case P_neg: return scalar_int(t, (int64_t)rd_neg_##S(x)); \
	case P_abs: return scalar_int(t, (int64_t)rd_abs_##S(x)); \
	case P_sgn: return scalar_int(t, (int64_t)rd_sgn_##S(x)); \
	case P_min: return scalar_int(t, (int64_t)rd_min_##S(x, y)); \
	case P_max: return scalar_int(t, (int64_t)rd_max_##S(x, y)); \
	case P_mul_hi: return scalar_int(t, (int64_t)rd_mul_hi_##S(x, y)); \
	case P_and: return scalar_int(t, (int64_t)(x & y)); \
	case P_or: return scalar_int(t, (int64_t)(x | y)); \
	case P_xor: return scalar_int(t, (int64_t)(x ^ y)); \
	case P_not: return scalar_int(t, (int64_t)~x); \
	case P_shl: return scalar_int(t, (int64_t)rd_shl_##S(x, y)); \
	case P_ashr: return scalar_int(t, (int64_t)rd_ashr_##S(x, y)); \
	case P_lshr: return scalar_int(t, (int64_t)rd_lshr_##S(x, y)); \
	case P_count: return scalar_int(t, (int64_t)x); \
	case P_chunk: return scalar_int(t, (int64_t)rd_chunk_##S(x, y, (T)a[2].u)); \
	case P_popc: return scalar_int(PT_I32, rd_popc_##S(x)); \
	case P_clz: return scalar_int(PT_I32, rd_clz_##S(x)); \
	case P_ctz: return scalar_int(PT_I32, rd_ctz_##S(x)); \
	case P_eq: return truth(x == y); \
	case P_lt: return truth(x < y); \
	case P_le: return truth(x <= y); \
	default: /* Operations on floats. */ \
		bug("%s is no operation on %s", prim_name[op], primtype_name[t]); \
	} \
}

EVAL_INT(i8, int8_t)
EVAL_INT(i16, int16_t)
EVAL_INT(i32, int32_t)
EVAL_INT(i64, int64_t)
EVAL_INT(u8, uint8_t)
EVAL_INT(u16, uint16_t)
EVAL_INT(u32, uint32_t)
EVAL_INT(u64, uint64_t)

// ---- Floats ----

// Of the rows of prims.def, those whose operands and result have the type: rd_sin_f32(x).
#define X1 x
#define X2 x, y
#define X3 x, y, z
#define NUM_SAME(name, n, S)       case P_##name: return rd_##name##_##S(X##n);
#define FLOAT_SAME(name, n, S)     NUM_SAME(name, n, S)
#define INT_SAME(name, n, S)
#define INT_I32(name, n, S)
#define BITS_SAME(name, n, S)
#define ALL_BOOL(name, n, S)
#define FLOAT_BOOL(name, n, S)
#define FLOAT_BITS_OF(name, n, S)
#define WORD_FLOAT_OF(name, n, S)

typedef struct { double x, y, z; } Floats;

static Floats floats_of(Prim op, const Scalar *a)
{
	int n = prim_arity(op);
	return (Floats){a[0].f, n > 1 ? a[1].f : 0, n > 2 ? a[2].f : 0};
}

static double eval_f64(Prim op, const Scalar *a)
{
	Floats s = floats_of(op, a);
	double x = s.x, y = s.y, z = s.z;
	switch (op) {
#define PRIM(name, arity, domain, result, ...) domain##_##result(name, arity, f64)
#include "core/prims.def"
#undef PRIM
	default: // integer operations and those of mixed type
		bug("%s is no operation on f64", prim_name[op]);
	}
}

static float eval_f32(Prim op, const Scalar *a)
{
	Floats s = floats_of(op, a);
	float x = (float)s.x, y = (float)s.y, z = (float)s.z;
	switch (op) {
#define PRIM(name, arity, domain, result, ...) domain##_##result(name, arity, f32)
#include "core/prims.def"
#undef PRIM
	default: // likewise
		bug("%s is no operation on f32", prim_name[op]);
	}
}

static float eval_f16(Prim op, const Scalar *a)
{
	Floats s = floats_of(op, a);
	float x = (float)s.x, y = (float)s.y, z = (float)s.z;
	switch (op) {
#define PRIM(name, arity, domain, result, ...) domain##_##result(name, arity, f16)
#include "core/prims.def"
#undef PRIM
	default: // likewise
		bug("%s is no operation on f16", prim_name[op]);
	}
}

static double eval_float(Prim op, PrimType t, const Scalar *a)
{
	return t == PT_F64 ? eval_f64(op, a)
	     : t == PT_F32 ? (double)eval_f32(op, a) : (double)eval_f16(op, a);
}

static double load_exponent(PrimType t, double x, int32_t k)
{
	return t == PT_F64 ? rd_ldexp_f64(x, k)
	     : t == PT_F32 ? (double)rd_ldexp_f32((float)x, k) : (double)rd_ldexp_f16((float)x, k);
}

static Scalar bits_of_float(PrimType t, double x)
{
	if (t == PT_F64)
		return (Scalar){.type = PT_U64, .u = rd_to_bits_f64(x)};
	if (t == PT_F32)
		return (Scalar){.type = PT_U32, .u = rd_to_bits_f32((float)x)};
	return (Scalar){.type = PT_U16, .u = rd_to_bits_f16((float)x)};
}

static Scalar float_of_bits(PrimType t, uint64_t bits)
{
	if (t == PT_U16)
		return (Scalar){.type = PT_F16, .f = (double)rd_from_bits_u16((uint16_t)bits)};
	if (t == PT_U32)
		return (Scalar){.type = PT_F32, .f = (double)rd_from_bits_u32((uint32_t)bits)};
	return (Scalar){.type = PT_F64, .f = rd_from_bits_u64(bits)};
}

static Scalar eval_at_float(Prim op, PrimType t, const Scalar *a)
{
	switch (op) {
	case P_eq: return truth(a[0].f == a[1].f);
	case P_lt: return truth(a[0].f < a[1].f);
	case P_le: return truth(a[0].f <= a[1].f);
	case P_isnan: return truth(rd_isnan_f64(a[0].f));
	case P_isinf: return truth(rd_isinf_f64(a[0].f));
	case P_to_bits: return bits_of_float(t, a[0].f);
	case P_ldexp: return (Scalar){.type = t, .f = load_exponent(t, a[0].f, (int32_t)a[1].i)};
	default: // One type throughout.
		return (Scalar){.type = t, .f = eval_float(op, t, a)};
	}
}

// ---- All types ----

static Scalar eval_at_bool(Prim op, const Scalar *a)
{
	bool x = a[0].u, y = prim_arity(op) > 1 && a[1].u;
	switch (op) {
	case P_and: return truth(x && y);
	case P_or: return truth(x || y);
	case P_xor: return truth(x != y);
	case P_not: return truth(!x);
	case P_eq: return truth(x == y);
	case P_lt: return truth(!x && y);
	case P_le: return truth(!x || y);
	default: // Arithmetic.
		bug("%s is no operation on bool", prim_name[op]);
	}
}

static Scalar eval(Prim op, PrimType t, const Scalar *args)
{
	if (op == P_from_bits)
		return float_of_bits(t, args[0].u);
	switch (t) {
	case PT_I8: return eval_i8(op, t, args);
	case PT_I16: return eval_i16(op, t, args);
	case PT_I32: return eval_i32(op, t, args);
	case PT_I64: return eval_i64(op, t, args);
	case PT_U8: return eval_u8(op, t, args);
	case PT_U16: return eval_u16(op, t, args);
	case PT_U32: return eval_u32(op, t, args);
	case PT_U64: return eval_u64(op, t, args);
	case PT_F16: case PT_F32: case PT_F64: return eval_at_float(op, t, args);
	case PT_BOOL: return eval_at_bool(op, args);
	case N_PRIMTYPE: break;
	}
	bug("no such type: %d", t);
}

bool prim_eval(Prim op, PrimType t, const Scalar *args, Scalar *out, const char **why)
{
	if (prim_divides(op) && is_int(t) && args[1].u == 0) {
		*why = "division by zero";
		return false;
	}
	if (op == P_pow && is_signed(t) && args[1].i < 0) {
		*why = "negative exponent";
		return false;
	}
	*out = eval(op, t, args);
	return true;
}

// ---- Conversions ----

static Scalar convert_int(PrimType to, Scalar s)
{
	if (to == PT_F32) // not through double, which would round twice
		return (Scalar){.type = to, .f = is_signed(s.type) ? (double)(float)s.i
		                                                   : (double)(float)s.u};
	if (is_float(to))
		return scalar_float(to, is_signed(s.type) ? (double)s.i : (double)s.u);
	// A wider unsigned type takes the bits as they are, even of a negative number.
	uint64_t mask = UINT64_MAX >> (64 - 8 * primtype_size(s.type));
	return scalar_int(to, (int64_t)(is_unsigned(to) ? s.u & mask : s.u));
}

Scalar convert_eval(PrimType to, Scalar s)
{
	if (to == PT_BOOL)
		return truth(is_float(s.type) ? s.f != 0 : s.u != 0);
	if (s.type == PT_BOOL)
		return scalar_int(to, s.u != 0);
	if (is_int(s.type))
		return convert_int(to, s);
	if (is_int(to))
		return scalar_int(to, rd_int_of_float(s.f));
	return scalar_float(to, s.f);
}
