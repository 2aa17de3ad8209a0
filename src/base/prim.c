// The scalar types, values of them, and how values are written.
#include "base/base.h"
#include "c/shortest.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>

const char *const primtype_name[N_PRIMTYPE] = { // ORDER PRIMTYPE
	"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool",
};

static const int sizes[N_PRIMTYPE] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1}; // ORDER PRIMTYPE

bool primtype_of_name(const char *name, PrimType *t)
{
	for (int i = 0; i < N_PRIMTYPE; i++)
		if (strcmp(name, primtype_name[i]) == 0) {
			*t = (PrimType)i;
			return true;
		}
	return false;
}

int primtype_size(PrimType t)
{
	return sizes[t];
}

// ---- Half precision ----

// Rounds directly from double, to nearest, ties to even: going through float rounds twice.
uint16_t half_of_double(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
	int exp = (int)(bits >> 52 & 0x7FF);
	uint64_t frac = bits & (((uint64_t)1 << 52) - 1);
	if (exp == 0x7FF)
		return (uint16_t)(sign | 0x7C00 | (frac ? 0x200 | frac >> 42 : 0));
	int e = exp - 1023 + 15;        // biased exponent of the half
	if (e >= 31)
		return (uint16_t)(sign | 0x7C00);
	if (e < -10)
		return sign;            // less than half of the smallest subnormal
	// Keep 10 bits of a normal number; a subnormal gets its leading one and loses 1 - e more.
	int shift = 42;
	uint64_t base = (uint64_t)(e > 0 ? e : 0) << 10;
	if (e <= 0) {
		frac |= (uint64_t)1 << 52;
		shift += 1 - e;
	}
	uint64_t kept = frac >> shift, rest = frac & (((uint64_t)1 << shift) - 1);
	uint64_t tie = (uint64_t)1 << (shift - 1);
	uint64_t h = base + kept;       // a carry out of the fraction rightly enters the exponent
	if (rest > tie || (rest == tie && (h & 1)))
		h++;
	return (uint16_t)(sign | h);
}

double double_of_half(uint16_t h)
{
	int exp = h >> 10 & 31, frac = h & 1023;
	double x = exp == 31 ? (frac ? NAN : INFINITY)
	         : exp ? ldexp(1024 + frac, exp - 25) : ldexp(frac, -24);
	return h & 0x8000 ? -x : x;
}

// ---- Values ----

// A conversion out of range gives infinity, as IEEE 754 has it.
static float to_float(double x)
{
	return (float)x;
}

static int64_t wrap_signed(uint64_t u, int bytes)
{
	if (bytes < 8) {
		uint64_t top = (uint64_t)1 << (8 * bytes - 1);
		u = ((u & (2 * top - 1)) ^ top) - top;
	}
	int64_t i;
	memcpy(&i, &u, sizeof i);
	return i;
}

Scalar scalar_int(PrimType t, int64_t v)
{
	Scalar s = {.type = t};
	switch (t) {
	case PT_I8: case PT_I16: case PT_I32: case PT_I64:
		s.i = wrap_signed((uint64_t)v, sizes[t]);
		break;
	case PT_U8: case PT_U16: case PT_U32:
		s.u = (uint64_t)v & (((uint64_t)1 << (8 * sizes[t])) - 1);
		break;
	case PT_U64:
		s.u = (uint64_t)v;
		break;
	case PT_F16:
		s.f = double_of_half(half_of_double((double)v));
		break;
	case PT_F32:
		s.f = (double)(float)v;
		break;
	case PT_F64:
		s.f = (double)v;
		break;
	case PT_BOOL:
		s.u = v != 0;
		break;
	case N_PRIMTYPE:
		bug("not a scalar type");
	}
	return s;
}

// To an integer type: towards zero, held at the ends of the type; NaN becomes 0.
static Scalar int_of_float(PrimType t, double x)
{
	int bits = 8 * sizes[t];
	bool sign = is_signed(t);
	double top = ldexp(1, sign ? bits - 1 : bits), bottom = sign ? -top : 0;
	if (isnan(x))
		return scalar_int(t, 0);
	if (x >= top)
		return scalar_int(t, sign ? INT64_MAX >> (64 - bits) : -1);
	if (x <= bottom)
		return scalar_int(t, sign ? wrap_signed((uint64_t)1 << (bits - 1), sizes[t]) : 0);
	return sign ? scalar_int(t, (int64_t)x) : scalar_int(t, (int64_t)(uint64_t)x);
}

Scalar scalar_float(PrimType t, double x)
{
	switch (t) {
	case PT_I8: case PT_I16: case PT_I32: case PT_I64:
	case PT_U8: case PT_U16: case PT_U32: case PT_U64:
		return int_of_float(t, x);
	case PT_F16:
		return (Scalar){.type = t, .f = double_of_half(half_of_double(x))};
	case PT_F32:
		return (Scalar){.type = t, .f = (double)to_float(x)};
	case PT_F64:
		return (Scalar){.type = t, .f = x};
	case PT_BOOL:
		return (Scalar){.type = t, .u = x != 0};
	case N_PRIMTYPE:
		break;
	}
	bug("not a scalar type");
}

bool scalar_eq_bits(Scalar a, Scalar b)
{
	if (a.type != b.type)
		return false;
	if (is_float(a.type) && isnan(a.f))
		return isnan(b.f);
	return a.u == b.u;
}

// The low bytes of an integer are copied through an integer of that width, so that the
// order of bytes in memory does not matter.
static void store_int(void *at, uint64_t u, int bytes)
{
	uint8_t u8 = (uint8_t)u;
	uint16_t u16 = (uint16_t)u;
	uint32_t u32 = (uint32_t)u;
	const void *from = bytes == 1 ? (void *)&u8 : bytes == 2 ? (void *)&u16
	                 : bytes == 4 ? (void *)&u32 : (void *)&u;
	memcpy(at, from, (size_t)bytes);
}

static uint64_t load_int(const void *at, int bytes)
{
	uint8_t u8;
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;
	switch (bytes) {
	case 1: memcpy(&u8, at, 1); return u8;
	case 2: memcpy(&u16, at, 2); return u16;
	case 4: memcpy(&u32, at, 4); return u32;
	default: memcpy(&u64, at, 8); return u64;
	}
}

void scalar_store(PrimType t, void *at, Scalar s)
{
	if (s.type != t)
		bug("storing %s as %s", primtype_name[s.type], primtype_name[t]);
	if (t == PT_F16) {
		store_int(at, half_of_double(s.f), 2);
	} else if (t == PT_F32) {
		float f = to_float(s.f);
		memcpy(at, &f, sizeof f);
	} else {
		store_int(at, s.u, sizes[t]);
	}
}

Scalar scalar_load(PrimType t, const void *at)
{
	if (t == PT_F16)
		return (Scalar){.type = t, .f = double_of_half((uint16_t)load_int(at, 2))};
	if (t == PT_F32) {
		float f;
		memcpy(&f, at, sizeof f);
		return (Scalar){.type = t, .f = f};
	}
	Scalar s = {.type = t, .u = load_int(at, sizes[t])};
	if (is_signed(t))
		s.i = wrap_signed(s.u, sizes[t]);
	if (t == PT_BOOL)
		s.u = s.u != 0;
	return s;
}

// ---- Text ----

// The double nearest to a number, moved towards the number where it lies in the middle between
// two halves and the number does not: rounding it to a half then gives the nearest one.
static double read_for_half(const char *s)
{
	double x = strtod(s, NULL), below = nextafter(x, -INFINITY), above = nextafter(x, INFINITY);
	if (half_of_double(below) == half_of_double(above))
		return x;
	int mode = fegetround();
	fesetround(FE_DOWNWARD);
	double least = strtod(s, NULL);
	fesetround(FE_UPWARD);
	double most = strtod(s, NULL);
	fesetround(mode);
	return least < x ? below : most > x ? above : x;
}

double float_of_text(PrimType t, const char *s)
{
	return t == PT_F32 ? (double)strtof(s, NULL)
	     : t == PT_F16 ? double_of_half(half_of_double(read_for_half(s))) : strtod(s, NULL);
}

// As generated programs write it (rts/c/shortest.h).
static void put_float(Str *out, PrimType t, double x)
{
	static _Thread_local struct rd_powers powers;
	char buffer[RD_FLOAT_CHARS];
	float single = (float)x;
	uint32_t bits32;
	uint64_t bits;
	int n;
	memcpy(&bits, &x, sizeof bits);
	memcpy(&bits32, &single, sizeof bits32);
	if (t == PT_F64)
		n = rd_float_text(&powers, buffer, bits, 64, 52);
	else if (t == PT_F32)
		n = rd_float_text(&powers, buffer, bits32, 32, 23);
	else
		n = rd_float_text(&powers, buffer, half_of_double(x), 16, 10);
	str_putn(out, buffer, (size_t)n);
}

void scalar_put(Str *out, Scalar s, bool suffix)
{
	const char *type = primtype_name[s.type], *tail = suffix ? type : "";
	if (s.type == PT_BOOL) {
		str_puts(out, s.u ? "true" : "false");
	} else if (is_signed(s.type)) {
		str_printf(out, "%lld%s", (long long)s.i, tail);
	} else if (is_unsigned(s.type)) {
		str_printf(out, "%llu%s", (unsigned long long)s.u, tail);
	} else if (isnan(s.f)) {
		str_printf(out, "%s.nan", type);
	} else if (isinf(s.f)) {
		str_printf(out, "%s%s.inf", s.f < 0 ? "-" : "", type);
	} else {
		put_float(out, s.type, s.f);
		str_puts(out, tail);
	}
}

const char *scalar_show(Scalar s, bool suffix)
{
	Str out = {0};
	scalar_put(&out, s, suffix);
	return str_text(&out);
}
