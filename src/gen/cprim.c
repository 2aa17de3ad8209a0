// Scalars in C: types, literals, operations, conversions.
//
// Operations with the same semantics in C use its operators; the others are functions of the
// run-time (rts/c/int.h, float.h), named rd_OP_TYPE.  Signed arithmetic is among the latter, since
// it wraps around:
//
//     add.f64 x y -> x + y      lt.i8 x y -> x < y      add.i32 x y -> rd_add_i32(x, y)
#include "gen/cgen.h"

#include <math.h>

// ORDER PRIMTYPE
static const char *const scalar_types[N_PRIMTYPE] = {
	"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
	"float", "float", "double", "bool",
};

const char *c_scalar_type(PrimType t)
{
	return scalar_types[t];
}

// Loops with a choice by a `bool` that the function is given are in vectors with no version of GCC
// up to 12, unless they are small enough to be written twice; those by an integer are.
const char *c_param_type(PrimType t)
{
	return t == PT_BOOL ? scalar_types[PT_I32] : scalar_types[t];
}

const char *c_elem_type(PrimType t)
{
	return t == PT_F16 ? "uint16_t" : scalar_types[t];
}

// ---- Literals ----

static const char *float_literal(Scalar s)
{
	if (isnan(s.f))
		return "NAN";
	if (isinf(s.f))
		return s.f < 0 ? "-INFINITY" : "INFINITY";
	if (s.type == PT_F64)
		return scalar_show(s, false);
	// The shortest text of an f16 names another float.
	return text("%sf", scalar_show((Scalar){.type = PT_F32, .f = s.f}, false));
}

static const char *int_literal(Scalar s)
{
	if (s.type == PT_U64 && s.u > INT64_MAX)
		return text("UINT64_C(%llu)", (unsigned long long)s.u);
	if (s.type == PT_U32 && s.u > INT32_MAX)
		return text("%lluu", (unsigned long long)s.u);
	if (s.i == INT64_MIN)
		return "INT64_MIN";
	if (s.i == INT32_MIN)
		return "INT32_MIN";
	static const char *const small[] = {"0", "1", "2", "3", "4"};
	if (s.i >= 0 && s.u < sizeof small / sizeof *small)
		return small[s.i];
	if (s.i < INT32_MIN || s.i > INT32_MAX)
		return text("INT64_C(%lld)", (long long)s.i);
	return text("%lld", (long long)s.i);
}

const char *c_literal(Scalar s)
{
	if (s.type == PT_BOOL)
		return s.u ? "true" : "false";
	return is_float(s.type) ? float_literal(s) : int_literal(s);
}

CExp c_scalar(Scalar s)
{
	const char *t = c_literal(s);
	if (is_int(s.type))
		return x_int_as(s.i, t);
	return *t == '-' ? x_unary("-", x_const(t + 1), PREC_ATOM) : x_const(t);
}

// A string literal of so many bytes.
static void put_c_string(Str *out, const char *s, size_t len)
{
	str_putc(out, '"');
	for (const char *end = s + len; s < end; s++) {
		const char *from = s;
		while (s < end && *s >= 32 && *s <= 126 && *s != '"' && *s != '\\' && *s != '?')
			s++;
		str_putn(out, from, (size_t)(s - from));
		if (s == end)
			break;
		unsigned char c = (unsigned char)*s;
		if (c == '\n')
			str_putn(out, "\\n", 2);
		else if (c == '"' || c == '\\')
			str_putn(out, (char[]){'\\', (char)c}, 2);
		else                    // mostly the tabs of kernels
			str_putn(out, (char[]){'\\', (char)('0' + (c >> 6)),
			                       (char)('0' + (c >> 3 & 7)),
			                       (char)('0' + (c & 7))}, 4);
	}
	str_putc(out, '"');
}

void put_c_lines(Str *out, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "\n");
		n += s[n] == '\n';
		str_putn(out, "\n\t", 2);
		put_c_string(out, s, n);
		s += n;
	}
}

const char *c_string(const char *s)
{
	Str out = {0};
	put_c_string(&out, s, strlen(s));
	return str_text(&out);
}

// ---- Operations ----

static CExp prefix(const char *op, CExp x)
{
	return x_unary(op, x, PREC_ATOM);
}

static CExp cast(const char *type, CExp x)
{
	return x_cast(type, x, PREC_UNARY);
}

static CExp call(Rts *rts, const char *name, const CExp *x, int n)
{
	rts_use(rts, name);
	return x_call_of(name, (CExps){(CExp *)x, n});
}

static bool bool_prim(Prim op, const CExp *x, CExp *out)
{
	switch (op) {
	case P_and: *out = x_binary(x[0], "&&", x[1], PREC_AND); return true;
	case P_or: *out = x_binary(x[0], "||", x[1], PREC_OR); return true;
	case P_xor: *out = x_binary(x[0], "!=", x[1], PREC_COMPARE); return true;
	case P_not: *out = prefix("!", x[0]); return true;
	case P_lt: *out = x_binary(prefix("!", x[0]), "&&", x[1], PREC_AND); return true;
	case P_le: *out = x_binary(prefix("!", x[0]), "||", x[1], PREC_OR); return true;
	default: // eq is the same for all types
		return false;
	}
}

// + - * / of floats that are not emulated and of unsigned types that do not promote to int.
static bool arithmetic(Prim op, PrimType t, const CExp *x, CExp *out)
{
	if (t != PT_F32 && t != PT_F64 && t != PT_U32 && t != PT_U64)
		return false;
	switch (op) {
	case P_add: *out = x_binary(x[0], "+", x[1], PREC_ADD); return true;
	case P_sub: *out = x_binary(x[0], "-", x[1], PREC_ADD); return true;
	case P_mul: *out = x_binary(x[0], "*", x[1], PREC_MUL); return true;
	case P_div: case P_quot: *out = x_binary(x[0], "/", x[1], PREC_MUL); return true;
	case P_rem: *out = x_binary(x[0], "%", x[1], PREC_MUL); return true;
	case P_mod:
		if (is_float(t))
			return false;
		*out = x_binary(x[0], "%", x[1], PREC_MUL);
		return true;
	case P_neg: *out = prefix("-", x[0]); return true;
	default: // functions
		return false;
	}
}

static bool common_prim(Prim op, PrimType t, const CExp *x, CExp *out)
{
	switch (op) {
	case P_eq: *out = x_binary(x[0], "==", x[1], PREC_COMPARE); return true;
	case P_lt: *out = x_binary(x[0], "<", x[1], PREC_COMPARE); return true;
	case P_le: *out = x_binary(x[0], "<=", x[1], PREC_COMPARE); return true;
	case P_and: *out = x_bits(x[0], "&", x[1]); return true;
	case P_or: *out = x_bits(x[0], "|", x[1]); return true;
	case P_xor: *out = x_bits(x[0], "^", x[1]); return true;
	case P_count: *out = x[0]; return true;
	case P_not:
		*out = cast(scalar_types[t], prefix("~", x[0]));
		return true;
	default: // functions
		return false;
	}
}

CExp c_prim(Rts *rts, Prim op, PrimType t, const CExp x[3])
{
	CExp out;
	if (t == PT_BOOL && bool_prim(op, x, &out))
		return out;
	if (arithmetic(op, t, x, &out) || common_prim(op, t, x, &out))
		return out;
	return call(rts, text("rd_%s_%s", prim_name[op], primtype_name[t]), x, prim_arity(op));
}

// ---- Conversions ----

CExp c_convert(Rts *rts, PrimType from, PrimType to, CExp x)
{
	if (from == to)
		return x;
	if (to == PT_BOOL)
		return x_binary(x, "!=", x_int(0), PREC_COMPARE);
	if (is_float(from) && is_int(to)) {
		x = call(rts, "rd_int_of_float", &x, 1);
		return to == PT_I64 ? x : cast(scalar_types[to], x);
	}
	if (to == PT_F16) {
		if (from == PT_F64)
			return call(rts, "rd_as_half_of_double", &x, 1);
		x = from == PT_F32 ? x : cast("float", x);
		return from == PT_BOOL ? x : call(rts, "rd_as_half", &x, 1);
	}
	if (from == PT_F16 && to == PT_F32)
		return x;
	// A wider unsigned type takes the bits as they are, even of a negative number.
	if (is_signed(from) && is_unsigned(to) && primtype_size(to) > primtype_size(from))
		x = cast(scalar_types[from + (PT_U8 - PT_I8)], x);
	return cast(scalar_types[to], x);
}
