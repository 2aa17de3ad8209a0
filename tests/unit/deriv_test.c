// The derivatives of scalar operations against differences of the functions themselves in the
// widest type there is, at points all over their domains, in each float type.
//
// Differences are central, of sixth order.  With 113 bits of mantissa (long double on some
// machines, _Float128 on others) their error is far below that of doubles, so that what is
// measured is the error of the rows of prims.def; with 64 bits, near singular points it is 1e-12.
#include "ad/ad.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// F(sin) is the function, C(0.5) the constant.
#if LDBL_MANT_DIG < 100 && defined __HAVE_FLOAT128 && __HAVE_FLOAT128 && !defined __clang__
typedef _Float128 Real;
#define F(name) name##f128
#define C(number) number##f128
enum { REAL_DIGITS = 113 };
#else
typedef long double Real;
#define F(name) name##l
#define C(number) number##L
enum { REAL_DIGITS = LDBL_MANT_DIG };
#endif

#define PI C(3.14159265358979323846264338327950288)

// ---- The functions ----

static Real factorial(int n)
{
	return n < 2 ? 1 : (Real)n * factorial(n - 1);
}

// The k-th derivative of digamma, by its asymptotic series far from 0.
static Real psi(int k, Real x)
{
	static const Real bernoulli[] = {1 / C(6.0),        -1 / C(30.0),     1 / C(42.0),
	                                 -1 / C(30.0),      5 / C(66.0),      -691 / C(2730.0),
	                                 7 / C(6.0),        -3617 / C(510.0), 43867 / C(798.0),
	                                 -174611 / C(330.0)};
	Real sign = k % 2 ? 1 : -1, shift = 0;
	for (; x < 60; x += 1)
		shift += sign * factorial(k) / F(pow)(x, k + 1);
	Real sum = k ? factorial(k - 1) / F(pow)(x, k) : -F(log)(x);
	sum += factorial(k) / (2 * F(pow)(x, k + 1));
	for (int n = 1; n <= 10; n++)
		sum += bernoulli[n - 1] * factorial(2 * n + k - 1) / factorial(2 * n) /
		       F(pow)(x, 2 * n + k);
	return sign * sum + shift;
}

static Real clamp(Real z)
{
	return z < 0 ? 0 : z > 1 ? 1 : z;
}

static Real value(Prim op, const Real *a)
{
	Real x = a[0], y = a[1], z = a[2];
	switch (op) {
	case P_add:       return x + y;
	case P_sub:       return x - y;
	case P_mul:       return x * y;
	case P_div:       return x / y;
	case P_pow:       return F(pow)(x, y);
	case P_neg:       return -x;
	case P_abs:       return F(fabs)(x);
	case P_min:       return F(fmin)(x, y);
	case P_max:       return F(fmax)(x, y);
	case P_recip:     return 1 / x;
	case P_sqrt:      return F(sqrt)(x);
	case P_rsqrt:     return 1 / F(sqrt)(x);
	case P_cbrt:      return F(cbrt)(x);
	case P_exp:       return F(exp)(x);
	case P_exp2:      return F(exp2)(x);
	case P_exp10:     return F(pow)(10, x);
	case P_expm1:     return F(expm1)(x);
	case P_log:       return F(log)(x);
	case P_log2:      return F(log2)(x);
	case P_log10:     return F(log10)(x);
	case P_log1p:     return F(log1p)(x);
	case P_hypot:     return F(hypot)(x, y);
	case P_sin:       return F(sin)(x);
	case P_cos:       return F(cos)(x);
	case P_tan:       return F(tan)(x);
	case P_sinpi:     return F(sin)(PI * x);
	case P_cospi:     return F(cos)(PI * x);
	case P_tanpi:     return F(tan)(PI * x);
	case P_asin:      return F(asin)(x);
	case P_acos:      return F(acos)(x);
	case P_atan:      return F(atan)(x);
	case P_asinpi:    return F(asin)(x) / PI;
	case P_acospi:    return F(acos)(x) / PI;
	case P_atanpi:    return F(atan)(x) / PI;
	case P_atan2:     return F(atan2)(x, y);
	case P_atan2pi:   return F(atan2)(x, y) / PI;
	case P_sinh:      return F(sinh)(x);
	case P_cosh:      return F(cosh)(x);
	case P_tanh:      return F(tanh)(x);
	case P_asinh:     return F(asinh)(x);
	case P_acosh:     return F(acosh)(x);
	case P_atanh:     return F(atanh)(x);
	case P_gamma:     return F(tgamma)(x);
	case P_lgamma:    return F(lgamma)(x);
	case P_polygamma: return psi((int)y, x);
	case P_erf:       return F(erf)(x);
	case P_erfc:      return F(erfc)(x);
	case P_mod:       return F(fmod)(x, y);
	case P_copysign:  return F(copysign)(x, y);
	case P_ldexp:     return F(ldexp)(x, (int)y);
	case P_lerp:      return x + (y - x) * clamp(z);
	case P_mad: case P_fma: return x * y + z;
	default:          abort(); // not in the table below
	}
}

// ---- Where they are looked at ----

// Operand k is between lo[k] and hi[k]; `differs`: which operands the function is differentiable in
// as the rows say.  A wide range of positive numbers is covered evenly on a logarithmic scale.
typedef struct { Prim op; double lo[3], hi[3]; unsigned differs; bool whole; } Row;
static const Row rows[] = {
	{P_add, {-9, -9}, {9, 9}, 3, false},
	{P_sub, {-9, -9}, {9, 9}, 3, false},
	{P_mul, {-9, -9}, {9, 9}, 3, false},
	{P_div, {-9, 0.01}, {9, 9}, 3, false},
	{P_div, {-9, -9}, {9, -0.01}, 3, false},
	{P_pow, {0.01, -4}, {9, 4}, 3, false},
	{P_pow, {-4, 2}, {-0.1, 2}, 1, true},
	{P_pow, {-4, -3}, {-0.1, -3}, 1, true},
	{P_neg, {-9}, {9}, 1, false},
	{P_abs, {0.01}, {9}, 1, false},
	{P_abs, {-9}, {-0.01}, 1, false},
	{P_min, {-9, 1}, {0.9, 9}, 3, false},
	{P_min, {1, -9}, {9, 0.9}, 3, false},
	{P_max, {-9, 1}, {0.9, 9}, 3, false},
	{P_max, {1, -9}, {9, 0.9}, 3, false},
	{P_recip, {0.01}, {99}, 1, false},
	{P_recip, {-9}, {-0.1}, 1, false},
	{P_sqrt, {1e-3}, {1e3}, 1, false},
	{P_rsqrt, {1e-3}, {1e3}, 1, false},
	{P_cbrt, {1e-3}, {1e3}, 1, false},
	{P_cbrt, {-99}, {-0.1}, 1, false},
	{P_exp, {-9}, {9}, 1, false},
	{P_exp2, {-9}, {9}, 1, false},
	{P_exp10, {-3}, {3}, 1, false},
	{P_expm1, {-3}, {6}, 1, false},
	{P_log, {1e-3}, {1e3}, 1, false},
	{P_log2, {1e-3}, {1e3}, 1, false},
	{P_log10, {1e-3}, {1e3}, 1, false},
	{P_log1p, {-0.9}, {9}, 1, false},
	{P_hypot, {-9, -9}, {9, 9}, 3, false},
	{P_sin, {-6}, {6}, 1, false},
	{P_cos, {-6}, {6}, 1, false},
	{P_tan, {-1.4}, {1.4}, 1, false},
	{P_sinpi, {-2}, {2}, 1, false},
	{P_cospi, {-2}, {2}, 1, false},
	{P_tanpi, {-0.4}, {0.4}, 1, false},
	{P_asin, {-0.95}, {0.95}, 1, false},
	{P_acos, {-0.95}, {0.95}, 1, false},
	{P_atan, {-9}, {9}, 1, false},
	{P_asinpi, {-0.95}, {0.95}, 1, false},
	{P_acospi, {-0.95}, {0.95}, 1, false},
	{P_atanpi, {-9}, {9}, 1, false},
	{P_atan2, {-9, 0.1}, {9, 9}, 3, false},
	{P_atan2, {0.1, -9}, {9, 9}, 3, false},
	{P_atan2, {-9, -9}, {-0.1, 9}, 3, false},
	{P_atan2pi, {-9, 0.1}, {9, 9}, 3, false},
	{P_atan2pi, {-9, -9}, {-0.1, 9}, 3, false},
	{P_sinh, {-6}, {6}, 1, false},
	{P_cosh, {-6}, {6}, 1, false},
	{P_tanh, {-2}, {2}, 1, false},
	{P_asinh, {-99}, {99}, 1, false},
	{P_acosh, {1.05}, {99}, 1, false},
	{P_atanh, {-0.95}, {0.95}, 1, false},
	{P_gamma, {0.2}, {6}, 1, false},
	{P_gamma, {-0.9}, {-0.1}, 1, false},
	{P_gamma, {-2.9}, {-2.1}, 1, false},
	{P_lgamma, {0.1}, {99}, 1, false},
	{P_lgamma, {-1.9}, {-1.1}, 1, false},
	{P_polygamma, {0.2, 0}, {99, 0}, 1, true},
	{P_polygamma, {0.5, 1}, {20, 1}, 1, true},
	{P_polygamma, {0.5, 2}, {20, 2}, 1, true},
	{P_erf, {-2}, {2}, 1, false},
	{P_erfc, {-2}, {2}, 1, false},
	{P_mod, {5.1, 1}, {5.9, 1}, 1, true},
	{P_mod, {-5.9, 2}, {-5.1, 2}, 1, true},
	{P_copysign, {0.1, -9}, {9, -0.1}, 3, false},
	{P_copysign, {-9, -9}, {-0.1, -0.1}, 3, false},
	{P_copysign, {-9, 0.1}, {-0.1, 9}, 3, false},
	{P_ldexp, {-9, 3}, {9, 3}, 1, true},
	{P_ldexp, {-9, -3}, {9, -3}, 1, true},
	{P_lerp, {-9, -9, 0.01}, {9, 9, 0.99}, 7, false},
	{P_lerp, {-9, -9, 1.01}, {9, 9, 3}, 7, false},
	{P_lerp, {-9, -9, -3}, {9, 9, -0.01}, 7, false},
	{P_mad, {-9, -9, -9}, {9, 9, 9}, 7, false},
	{P_fma, {-9, -9, -9}, {9, 9, 9}, 7, false},
};

static double between(double lo, double hi, uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	double u = (double)(*state >> 11) * 0x1p-53;
	if (lo > 0 && hi / lo > 50)
		return lo * pow(hi / lo, u);
	return lo + (hi - lo) * u;
}

// ---- Both sides ----

static const bool quad = REAL_DIGITS > 100;

static Real difference(const Row *row, const Real *x, int i)
{
	static const Real weight[] = {45 / C(60.0), -9 / C(60.0), 1 / C(60.0)};
	Prim op = row->op;
	bool crosses = row->lo[i] < 0 && row->hi[i] > 0;
	Real size = crosses && F(fabs)(x[i]) < 0.05L ? 0.05L : F(fabs)(x[i]);
	Real h = size * (quad ? 0x1p-17L : 0x1p-13L), sum = 0;
	for (int k = 1; k <= 3; k++) {
		Real up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
		up[i] += (Real)k * h;
		down[i] -= (Real)k * h;
		sum += weight[k - 1] * (value(op, up) - value(op, down));
	}
	return sum / h;
}

static double as_double(Sub s)
{
	return s.kind == S_CONST ? s.val.f : (double)NAN;
}

static void check(const Row *row, PrimType t, int i, double tolerance, uint64_t *state)
{
	Build b = {0};
	Sub x[3] = {0};
	Scalar args[3], result;
	Real at[3] = {0};
	const char *why;
	for (int k = 0; k < prim_arity(row->op); k++) {
		double v = between(row->lo[k], row->hi[k], state);
		PrimType own = prim_operand(row->op, t, k);
		args[k] = is_float(own) ? scalar_float(own, v) : scalar_int(own, (int64_t)v);
		x[k] = sub_const(args[k]);
		at[k] = is_float(own) ? (Real)as_double(x[k]) : (Real)(int64_t)v;
	}
	prim_eval(row->op, t, args, &result, &why);
	b_open(&b);
	double got = as_double(deriv_emit(&b, row->op, t, x, sub_const(result), i,
	                                  sub_const(scalar_int(t, 1))));
	b_close(&b, (Subs){0});
	Real want = difference(row, at, i);
	Real size = F(fabs)(want) + F(fabs)(value(row->op, at) / (at[i] == 0 ? 1 : at[i])) + 0.05L;
	if (t == PT_F16 && F(fabs)(want) > 6e4L)
		return; // too large for it
	bool ok = F(fabs)((Real)got - want) <= (Real)tolerance * size;
	passed += ok;
	failed += !ok;
	if (!ok)
		printf("%s.%s by operand %d at %.17g %.17g %.17g: %.17g, expected %.17Lg\n",
		       prim_name[row->op], primtype_name[t], i, (double)at[0], (double)at[1],
		       (double)at[2], got, (long double)want);
}

enum { POINTS = 200 };

static void check_row(const Row *row, PrimType t, double tolerance)
{
	uint64_t state = 1 + (uint64_t)row->op;
	for (int i = 0; i < prim_arity(row->op); i++)
		for (int k = 0; (row->differs >> i & 1) && k < POINTS; k++)
			check(row, t, i, tolerance, &state);
}

// Operations whose derivative is zero, or passed on, have nothing to be measured.
static bool is_exempt(Prim op)
{
	switch (op) {
	case P_sgn: case P_ceil: case P_floor: case P_round: case P_trunc: case P_nextafter:
	case P_isnan: case P_isinf: case P_to_bits: case P_eq: case P_lt: case P_le:
		return true;
	default:
		return false;
	}
}

static void check_all_covered(void)
{
	for (int op = 0; op < N_PRIM; op++) {
		bool known = is_exempt((Prim)op) || !prim_allowed((Prim)op, PT_F64);
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
			known |= rows[i].op == (Prim)op;
		passed += known;
		failed += !known;
		if (!known)
			printf("%s is not tested\n", prim_name[op]);
	}
}

int main(void)
{
	check_all_covered();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		check_row(&rows[i], PT_F64, quad ? 2e-14 : 1e-11);
		check_row(&rows[i], PT_F32, 4e-6);
		check_row(&rows[i], PT_F16, 2e-2);
	}
	return report_counts();
}
