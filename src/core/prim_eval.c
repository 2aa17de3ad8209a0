// Evaluation of scalar operations and conversions: the meaning of the numbers.
//
// The interpreter and constant folding both come here, so a program means the same
// whichever of them computes it.  Integers wrap, shifts are defined for every amount, and
// no operation relies on what C leaves undefined.  Operations of f16 and f32 are
// computed in double and rounded once; for + - * / and square roots that is the correctly
// rounded result, for the others it is as close as one gets.
#include "core/core.h"

#include <math.h>

// ---- Special functions ----

// sin(pi x) and so on, exact at multiples of a quarter turn: the argument is reduced first,
// which fmod does without error.
static double sin_pi(double x)
{
	double r = fmod(x, 2);          // in (-2, 2)
	if (r > 1)
		r -= 2;
	else if (r < -1)
		r += 2;
	if (r > 0.5)
		r = 1 - r;
	else if (r < -0.5)
		r = -1 - r;
	return fabs(r) <= 0.25 ? sin(M_PI * r)
	     : copysign(cos(M_PI * (0.5 - fabs(r))), r);
}

static double cos_pi(double x)
{
	double r = fabs(fmod(x, 2));
	if (r > 1)
		r = 2 - r;
	return r <= 0.25 ? cos(M_PI * r)
	     : r < 0.75 ? (r == 0.5 ? 0.0 : sin(M_PI * (0.5 - r))) : -cos(M_PI * (1 - r));
}

static double tan_pi(double x)
{
	return sin_pi(x) / cos_pi(x);
}

// The k-th derivative of cot(pi x): pi^k times a polynomial P_k in c = cot(pi x), where
// P_0 = c and P_{k+1} = -(1 + c^2) P_k'.
enum { MAX_ORDER = 100 };

static double cot_pi_derivative(double x, int k)
{
	double c = cos_pi(x) / sin_pi(x), p[MAX_ORDER + 3] = {0, 1}, q[MAX_ORDER + 3];
	for (int step = 0; step < k; step++) {
		memset(q, 0, sizeof q);
		for (int i = 1; i <= step + 1; i++) {
			q[i - 1] -= i * p[i];
			q[i + 1] -= i * p[i];
		}
		memcpy(p, q, sizeof p);
	}
	double value = 0;
	for (int i = k + 1; i >= 0; i--)
		value = value * c + p[i];
	return pow(M_PI, k) * value;
}

// For large x: log x - 1/(2x) - sum B_2j / (2j x^2j), and its k-th derivative.
static double polygamma_asymptotic(double x, int k)
{
	static const double bernoulli[] = {
		1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6,
		-3617.0 / 510, 43867.0 / 798, -174611.0 / 330,
	};
	double sum = 0;
	for (int j = 10; j >= 1; j--) {
		// B_2j (2j+k-1)! / (2j)!, with the powers of x left to the end
		double term = bernoulli[j - 1] / (2 * j);
		for (int i = 2 * j; i < 2 * j + k; i++)
			term *= i / x;
		sum += term * pow(x, -2 * j);
	}
	if (k == 0)
		return log(x) - 0.5 / x - sum;
	double lead = 1;                // (k-1)! / x^k
	for (int i = 1; i < k; i++)
		lead *= i / x;
	lead /= x;
	double value = lead + lead * k / (2 * x) + sum;
	return k % 2 ? value : -value;
}

static double polygamma(double x, double order)
{
	if (!(order >= 0 && order <= MAX_ORDER) || isnan(x))
		return NAN;
	int k = (int)order;
	if (x <= 0) {
		if (x == floor(x))
			return NAN;
		// (-1)^k psi_k(1 - x) - psi_k(x) = pi * (d/dx)^k cot(pi x)
		double mirrored = polygamma(1 - x, k);
		return (k % 2 ? -mirrored : mirrored) - M_PI * cot_pi_derivative(x, k);
	}
	if (isinf(x))
		return k ? 0 : x;
	double factorial = tgamma(k + 1.0), sum = 0;
	for (; x < 10 + k; x++)
		sum += factorial / pow(x, k + 1);
	return polygamma_asymptotic(x, k) - (k % 2 ? -sum : sum);
}

// ---- Floats ----

static double sign_of(double x)
{
	return x > 0 ? 1 : x < 0 ? -1 : isnan(x) ? x : 0;
}

static double float_min(double x, double y)
{
	return x == y ? (signbit(x) ? x : y) : fmin(x, y);
}

static double float_max(double x, double y)
{
	return x == y ? (signbit(x) ? y : x) : fmax(x, y);
}

// Defined through an integer, hence no negative zero and 0 for what is no number.
static double float_trunc(double x)
{
	return isfinite(x) ? trunc(x) + 0.0 : 0;
}

static double log_gamma(double x)
{
	int sign;
	return lgamma_r(x, &sign);
}

static double next_after(PrimType t, double x, double y)
{
	if (t == PT_F64)
		return nextafter(x, y);
	if (t == PT_F32)
		return (double)nextafterf((float)x, (float)y);
	if (isnan(x) || isnan(y))
		return NAN;
	if (x == y)
		return y;
	uint16_t bits = half_of_double(x);
	if (x == 0)
		bits = y < 0 ? 0x8001 : 1;
	else
		bits = (uint16_t)(bits + ((y > x) == (x > 0) ? 1 : -1));
	return double_of_half(bits);
}

static double fused(PrimType t, double x, double y, double z)
{
	return t == PT_F32 ? (double)fmaf((float)x, (float)y, (float)z) : fma(x, y, z);
}

static double clamp01(double x)
{
	return float_min(float_max(x, 0), 1);
}

// The operations whose operands and result are floats of one type.
static double eval_float(Prim op, PrimType t, double x, double y, double z)
{
	switch (op) {
	case P_add: return x + y;
	case P_sub: return x - y;
	case P_mul: return x * y;
	case P_div: return x / y;
	case P_mod: return fmod(x, y);
	case P_pow: return pow(x, y);
	case P_neg: return -x;
	case P_abs: return fabs(x);
	case P_sgn: return sign_of(x);
	case P_min: return float_min(x, y);
	case P_max: return float_max(x, y);
	case P_recip: return 1 / x;
	case P_sqrt: return sqrt(x);
	case P_rsqrt: return 1 / sqrt(x);
	case P_cbrt: return cbrt(x);
	case P_exp: return exp(x);
	case P_exp2: return exp2(x);
	case P_exp10: return pow(10, x);
	case P_expm1: return expm1(x);
	case P_log: return log(x);
	case P_log2: return log2(x);
	case P_log10: return log10(x);
	case P_log1p: return log1p(x);
	case P_hypot: return hypot(x, y);
	case P_sin: return sin(x);
	case P_cos: return cos(x);
	case P_tan: return tan(x);
	case P_sinpi: return sin_pi(x);
	case P_cospi: return cos_pi(x);
	case P_tanpi: return tan_pi(x);
	case P_asin: return asin(x);
	case P_acos: return acos(x);
	case P_atan: return atan(x);
	case P_asinpi: return asin(x) / M_PI;
	case P_acospi: return acos(x) / M_PI;
	case P_atanpi: return atan(x) / M_PI;
	case P_atan2: return atan2(x, y);
	case P_atan2pi: return atan2(x, y) / M_PI;
	case P_sinh: return sinh(x);
	case P_cosh: return cosh(x);
	case P_tanh: return tanh(x);
	case P_asinh: return asinh(x);
	case P_acosh: return acosh(x);
	case P_atanh: return atanh(x);
	case P_gamma: return tgamma(x);
	case P_lgamma: return log_gamma(x);
	case P_polygamma: return polygamma(x, y);
	case P_erf: return erf(x);
	case P_erfc: return erfc(x);
	case P_ceil: return ceil(x);
	case P_floor: return floor(x);
	case P_round: return rint(x);
	case P_trunc: return float_trunc(x);
	case P_copysign: return copysign(x, y);
	case P_nextafter: return next_after(t, x, y);
	case P_lerp: return x + (y - x) * clamp01(z);
	case P_mad: return x * y + z;
	case P_fma: return fused(t, x, y, z);
	default: // Integer operations and those of mixed type.
		bug("%s is no operation on %s", prim_name[op], primtype_name[t]);
	}
}

static double round_to(PrimType t, double x)
{
	return t == PT_F64 ? x : t == PT_F32 ? (double)(float)x : double_of_half(half_of_double(x));
}

static Scalar bits_of_float(PrimType t, double x)
{
	uint64_t bits;
	if (t == PT_F64) {
		memcpy(&bits, &x, sizeof bits);
		return (Scalar){.type = PT_U64, .u = bits};
	}
	if (t == PT_F16)
		return (Scalar){.type = PT_U16, .u = half_of_double(x)};
	float f = (float)x;
	uint32_t word;
	memcpy(&word, &f, sizeof word);
	return (Scalar){.type = PT_U32, .u = word};
}

static Scalar float_of_bits(PrimType t, uint64_t bits)
{
	if (t == PT_U16)
		return (Scalar){.type = PT_F16, .f = double_of_half((uint16_t)bits)};
	if (t == PT_U32) {
		uint32_t word = (uint32_t)bits;
		float f;
		memcpy(&f, &word, sizeof f);
		return (Scalar){.type = PT_F32, .f = (double)f};
	}
	Scalar s = {.type = PT_F64};
	memcpy(&s.f, &bits, sizeof s.f);
	return s;
}

static Scalar truth(bool b)
{
	return (Scalar){.type = PT_BOOL, .u = b};
}

static Scalar eval_at_float(Prim op, PrimType t, const Scalar *a)
{
	switch (op) {
	case P_eq: return truth(a[0].f == a[1].f);
	case P_lt: return truth(a[0].f < a[1].f);
	case P_le: return truth(a[0].f <= a[1].f);
	case P_isnan: return truth(isnan(a[0].f));
	case P_isinf: return truth(isinf(a[0].f));
	case P_to_bits: return bits_of_float(t, a[0].f);
	case P_ldexp:
		return (Scalar){.type = t, .f = round_to(t, ldexp(a[0].f, (int)a[1].i))};
	default: { // One type throughout.
		int n = prim_arity(op);
		double y = n > 1 ? a[1].f : 0, z = n > 2 ? a[2].f : 0;
		return (Scalar){.type = t, .f = round_to(t, eval_float(op, t, a[0].f, y, z))};
	}
	}
}

// ---- Integers ----

static uint64_t mask_of(PrimType t)
{
	return UINT64_MAX >> (64 - 8 * primtype_size(t));
}

static Scalar wrapped(PrimType t, uint64_t u)
{
	return scalar_int(t, (int64_t)u);
}

// Divides; `floors` rounds towards negative infinity, otherwise towards zero.
static Scalar divide(PrimType t, Scalar x, Scalar y, bool floors, bool want_rest)
{
	if (is_unsigned(t))
		return wrapped(t, want_rest ? x.u % y.u : x.u / y.u);
	if (y.i == -1) // INT64_MIN / -1 would overflow.
		return wrapped(t, want_rest ? 0 : -x.u);
	int64_t q = x.i / y.i, r = x.i % y.i;
	if (floors && r != 0 && (r < 0) != (y.i < 0)) {
		q -= 1;
		r += y.i;
	}
	return scalar_int(t, want_rest ? r : q);
}

static Scalar int_power(PrimType t, uint64_t base, uint64_t exponent)
{
	uint64_t r = 1;
	for (; exponent; exponent >>= 1, base *= base)
		if (exponent & 1)
			r *= base;
	return wrapped(t, r);
}

static Scalar multiply_high(PrimType t, Scalar x, Scalar y)
{
	__extension__ typedef __int128 Wide;
	int bits = 8 * primtype_size(t);
	Wide product = is_signed(t) ? (Wide)x.i * y.i : (Wide)((unsigned __int128)x.u * y.u);
	return wrapped(t, (uint64_t)((unsigned __int128)product >> bits));
}

static Scalar shift_right(PrimType t, uint64_t bits, uint64_t amount, bool arithmetic)
{
	int width = 8 * primtype_size(t);
	uint64_t top = (uint64_t)1 << (width - 1);
	bits &= mask_of(t);
	uint64_t fill = arithmetic && (bits & top) ? UINT64_MAX : 0;
	if (amount >= (uint64_t)width)
		return wrapped(t, fill);
	if (amount == 0)
		return wrapped(t, bits);
	return wrapped(t, bits >> amount | fill << ((uint64_t)width - amount));
}

static Scalar count(int n)
{
	return (Scalar){.type = PT_I32, .i = n};
}

static int trailing_zeros(PrimType t, uint64_t u)
{
	return u & mask_of(t) ? __builtin_ctzll(u) : 8 * primtype_size(t);
}

static int leading_zeros(PrimType t, uint64_t u)
{
	int width = 8 * primtype_size(t);
	u &= mask_of(t);
	return u ? __builtin_clzll(u) - (64 - width) : width;
}

static bool int_less(PrimType t, Scalar x, Scalar y)
{
	return is_signed(t) ? x.i < y.i : x.u < y.u;
}

static Scalar eval_at_int(Prim op, PrimType t, const Scalar *a)
{
	Scalar x = a[0], y = prim_arity(op) > 1 ? a[1] : x;
	bool small_shift = y.u < 8 * (uint64_t)primtype_size(t);
	switch (op) {
	case P_add: return wrapped(t, x.u + y.u);
	case P_sub: return wrapped(t, x.u - y.u);
	case P_mul: return wrapped(t, x.u * y.u);
	case P_div: return divide(t, x, y, true, false);
	case P_mod: return divide(t, x, y, true, true);
	case P_quot: return divide(t, x, y, false, false);
	case P_rem: return divide(t, x, y, false, true);
	case P_pow: return int_power(t, x.u, y.u);
	case P_neg: return wrapped(t, -x.u);
	case P_abs: return is_signed(t) && x.i < 0 ? wrapped(t, -x.u) : x;
	case P_sgn: return scalar_int(t, is_signed(t) ? (x.i > 0) - (x.i < 0) : x.u != 0);
	case P_min: return int_less(t, y, x) ? y : x;
	case P_max: return int_less(t, x, y) ? y : x;
	case P_mul_hi: return multiply_high(t, x, y);
	case P_and: return wrapped(t, x.u & y.u);
	case P_or: return wrapped(t, x.u | y.u);
	case P_xor: return wrapped(t, x.u ^ y.u);
	case P_not: return wrapped(t, ~x.u);
	case P_shl: return wrapped(t, small_shift ? x.u << y.u : 0);
	case P_ashr: return shift_right(t, x.u, y.u, true);
	case P_lshr: return shift_right(t, x.u, y.u, false);
	case P_popc: return count(__builtin_popcountll(x.u & mask_of(t)));
	case P_clz: return count(leading_zeros(t, x.u));
	case P_ctz: return count(trailing_zeros(t, x.u));
	case P_eq: return truth(x.u == y.u);
	case P_lt: return truth(int_less(t, x, y));
	case P_le: return truth(!int_less(t, y, x));
	case P_from_bits: return float_of_bits(t, x.u);
	default: // Operations on floats.
		bug("%s is no operation on %s", prim_name[op], primtype_name[t]);
	}
}

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

bool prim_eval(Prim op, PrimType t, const Scalar *args, Scalar *out, const char **why)
{
	if (is_float(t)) {
		*out = eval_at_float(op, t, args);
		return true;
	}
	if (t == PT_BOOL) {
		*out = eval_at_bool(op, args);
		return true;
	}
	bool divides = op == P_div || op == P_mod || op == P_quot || op == P_rem;
	if (divides && args[1].u == 0) {
		*why = "division by zero";
		return false;
	}
	if (op == P_pow && is_signed(t) && args[1].i < 0) {
		*why = "negative exponent";
		return false;
	}
	*out = eval_at_int(op, t, args);
	return true;
}

// ---- Conversions ----

// Towards zero, modulo the width; what is no number becomes 0.
static Scalar int_of_float(PrimType to, double x)
{
	if (!isfinite(x))
		return scalar_int(to, 0);
	x = trunc(x);
	if (x >= -0x1p63 && x < 0x1p63)
		return scalar_int(to, (int64_t)x);
	double low = fmod(fabs(x), 0x1p64); // exact, below 2^64
	uint64_t u = (uint64_t)low;
	return wrapped(to, x < 0 ? -u : u);
}

static Scalar convert_int(PrimType to, Scalar s)
{
	if (to == PT_F32) // not through double, which would round twice
		return (Scalar){.type = to, .f = is_signed(s.type) ? (double)(float)s.i
		                                                   : (double)(float)s.u};
	if (is_float(to))
		return scalar_float(to, is_signed(s.type) ? (double)s.i : (double)s.u);
	// A wider unsigned type takes the bits as they are, even of a negative number.
	return wrapped(to, is_unsigned(to) ? s.u & mask_of(s.type) : s.u);
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
		return int_of_float(to, s.f);
	return (Scalar){.type = to, .f = round_to(to, s.f)};
}
