// How far the functions on vectors (rts/c/vector.h), and those without branches (rts/c/vecmath.h),
// are from the truth, in units in the last place, over their domains, against functions on long
// double; and what they make of special arguments.  No function is off by more than 2 ulp.
#include "c/vector.h"
#include "unit.h"

static void check(bool good, const char *what)
{
	passed += good;
	failed += !good;
	if (!good)
		printf("failed: %s\n", what);
}

static uint64_t rng(void)
{
	static uint64_t state = 88172645463325252u;
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static double uniform(double lo, double hi)
{
	return lo + (hi - lo) * ((double)(rng() >> 11) * 0x1p-53);
}

// The distance of y from the true value, measured in the spacing of numbers there.
static double ulps(double y, long double exact, int digits, int least)
{
	if (isnan(y) || isnan((double)exact))
		return isnan(y) && isnan((double)exact) ? 0 : 1e9;
	if (isinf(y) || isinf((double)exact))
		return y == (double)exact ? 0 : 1;
	int exponent;
	frexpl(exact, &exponent);
	exponent = exponent - digits < least ? least : exponent - digits;
	return (double)(fabsl((long double)y - exact) / ldexpl(1, exponent));
}

#define F64(name, exact_, lo, hi, most) do { \
	double worst_ = 0, at_ = 0; \
	for (int k_ = 0; k_ < 100000; k_++) { \
		rd_f64v x_; \
		for (int l_ = 0; l_ < (int)RD_LANES(1, double); l_++) x_[l_] = uniform(lo, hi); \
		rd_f64v y_ = rd_v##name##_f64(x_); \
		for (int l_ = 0; l_ < (int)RD_LANES(1, double); l_++) { \
			double off_ = ulps(y_[l_], exact_(x_[l_]), 53, -1074); \
			if (off_ > worst_) { worst_ = off_; at_ = x_[l_]; } \
		} \
	} \
	printf("%-5s f64 %10g to %-10g %5.2f ulp at %.17g\n", #name, (double)(lo), (double)(hi), \
	       worst_, at_); \
	check(worst_ <= (most), #name " f64"); \
} while (0)

#define F32(name, exact_, lo, hi, most) do { \
	double worst_ = 0, at_ = 0; \
	for (int k_ = 0; k_ < 100000; k_++) { \
		rd_f32v x_; \
		for (int l_ = 0; l_ < (int)RD_LANES(1, float); l_++) \
			x_[l_] = (float)uniform(lo, hi); \
		rd_f32v y_ = rd_v##name##_f32(x_); \
		for (int l_ = 0; l_ < (int)RD_LANES(1, float); l_++) { \
			double off_ = ulps((double)y_[l_], exact_((long double)x_[l_]), 24, -149); \
			if (off_ > worst_) { worst_ = off_; at_ = (double)x_[l_]; } \
		} \
	} \
	printf("%-5s f32 %10g to %-10g %5.2f ulp at %.9g\n", #name, (double)(lo), (double)(hi), \
	       worst_, at_); \
	check(worst_ <= (most), #name " f32"); \
} while (0)

// A function on a scalar, rd_NAME or rd_NAMEf.
#define ONE(type, name, digits, least, exact_, lo, hi, most) \
	do { \
		double worst_ = 0, at_ = 0; \
		for (int k_ = 0; k_ < 200000; k_++) { \
			type x_ = (type)uniform(lo, hi); \
			double off_ = ulps((double)rd_##name(x_), exact_((long double)x_), digits, \
			                   least); \
			if (off_ > worst_) { \
				worst_ = off_; \
				at_ = (double)x_; \
			} \
		} \
		printf("%-9s %10g to %-10g %5.2f ulp at %.17g\n", #name, (double)(lo), \
		       (double)(hi), worst_, at_); \
		check(worst_ <= (most), "rd_" #name); \
	} while (0)

static bool same(double x, double y)
{
	return (isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y));
}

#define SPECIAL(name, x, y) \
	check(same(rd_v##name##_f64(rd_splat_f64(x))[0], y) && \
	      same((double)rd_v##name##_f32(rd_splat_f32((float)(x)))[0], (double)(float)(y)), \
	      #name " of " #x)

static void test_special(void)
{
	SPECIAL(exp, 0.0, 1.0);
	SPECIAL(exp, -0.0, 1.0);
	SPECIAL(exp, (double)INFINITY, (double)INFINITY);
	SPECIAL(exp, -(double)INFINITY, 0.0);
	SPECIAL(exp, (double)NAN, (double)NAN);
	SPECIAL(exp, 1e4, (double)INFINITY);
	SPECIAL(exp, -1e4, 0.0);
	SPECIAL(log, 0.0, -(double)INFINITY);
	SPECIAL(log, -0.0, -(double)INFINITY);
	SPECIAL(log, -1.0, (double)NAN);
	SPECIAL(log, -(double)INFINITY, (double)NAN);
	SPECIAL(log, (double)INFINITY, (double)INFINITY);
	SPECIAL(log, (double)NAN, (double)NAN);
	SPECIAL(log, 1.0, 0.0);
	SPECIAL(log1p, 0.0, 0.0);
	SPECIAL(log1p, -0.0, -0.0);
	SPECIAL(log1p, 1e-40, 1e-40);
	SPECIAL(log1p, -1.0, -(double)INFINITY);
	SPECIAL(log1p, -1.5, (double)NAN);
	SPECIAL(log1p, -(double)INFINITY, (double)NAN);
	SPECIAL(log1p, (double)INFINITY, (double)INFINITY);
	SPECIAL(log1p, (double)NAN, (double)NAN);
	SPECIAL(tanh, 0.0, 0.0);
	SPECIAL(tanh, -0.0, -0.0);
	SPECIAL(tanh, (double)INFINITY, 1.0);
	SPECIAL(tanh, -(double)INFINITY, -1.0);
	SPECIAL(tanh, (double)NAN, (double)NAN);
	SPECIAL(sin, 0.0, 0.0);
	SPECIAL(sin, -0.0, -0.0);
	SPECIAL(sin, (double)INFINITY, (double)NAN);
	SPECIAL(sin, (double)NAN, (double)NAN);
	SPECIAL(cos, 0.0, 1.0);
	SPECIAL(cos, -(double)INFINITY, (double)NAN);
	SPECIAL(cos, (double)NAN, (double)NAN);
}

static void test_min_max(void)
{
	static const double xs[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN};
	for (int i = 0; i < 7; i++)
		for (int j = 0; j < 7; j++) {
			double x = xs[i], y = xs[j];
			rd_f64v vx = rd_splat_f64(x), vy = rd_splat_f64(y);
			check(same(rd_vmin_f64(vx, vy)[0], rd_min_f64(x, y)), "min");
			check(same(rd_vmax_f64(vx, vy)[0], rd_max_f64(x, y)), "max");
		}
	check(same(rd_splat_f64(-0.0)[0], -0.0), "splat of -0");
}

// x is e^uniform(from, to).
#define POW(type, digits, least, from, to, lo, hi, most) do { \
	double worst_ = 0, at_ = 0, to_ = 0; \
	for (int k_ = 0; k_ < 20000; k_++) { \
		rd_##type##v x_, y_; \
		for (int l_ = 0; l_ < (int)(sizeof x_ / sizeof x_[0]); l_++) { \
			x_[l_] = (number_##type)exp(uniform(from, to)); \
			y_[l_] = (number_##type)uniform(lo, hi); \
		} \
		rd_##type##v r_ = rd_vpow_##type(x_, y_); \
		for (int l_ = 0; l_ < (int)(sizeof x_ / sizeof x_[0]); l_++) { \
			long double exact_ = powl(x_[l_], y_[l_]); \
			double off_ = ulps(r_[l_], exact_, digits, least); \
			if (off_ > worst_) { worst_ = off_; at_ = x_[l_]; to_ = y_[l_]; } \
		} \
	} \
	printf("pow   " #type " %g^" #hi " %5.2f ulp at %.9g^%.9g\n", exp(to), worst_, at_, to_); \
	check(worst_ <= (most), "pow " #type); \
} while (0)
typedef double number_f64;
typedef float number_f32;

// Vectors in which all lanes are ordinary but perhaps one go other ways.
static void test_pow(void)
{
	static const double xs[] = {0.0, -0.0, 1, -1, 0.5, -2, 3, 10, 1e-310, 1e300, INFINITY,
	                            -INFINITY, NAN, 2, 1e-45, 3e38, 1e9, 1e10, -3};
	enum { N = sizeof xs / sizeof *xs };
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double x = xs[i], y = xs[j];
			float x32 = (float)x, y32 = (float)y;
			rd_f64v vx = rd_splat_f64(x), vy = rd_splat_f64(y);
			rd_f32v wx = rd_splat_f32(x32), wy = rd_splat_f32(y32);
			long double exact = rd_pow_f64(x, y), exact32 = rd_pow_f32(x32, y32);
			bool right = ulps(rd_vpow_f64(vx, vy)[0], exact, 53, -1074) <= 1 &&
			             ulps(rd_vpow_f32(wx, wy)[0], exact32, 24, -149) <= 1;
			if (!right)
				printf("pow of %g and %g\n", x, y);
			check(right, "pow");
			vx[0] = wx[0] = 4;
			vy[0] = wy[0] = 0.5;
			right = rd_vpow_f64(vx, vy)[0] == 2 && rd_vpow_f32(wx, wy)[0] == 2;
			check(right, "pow beside others");
		}
	for (int n = 0; n < 20; n++) {
		double wide = rd_vpow_f64(rd_splat_f64(3), rd_splat_f64(n))[0];
		float narrow = rd_vpow_f32(rd_splat_f32(3), rd_splat_f32((float)n))[0];
		check(fabs(wide / pow(3, n) - 1) < 0x1p-52 &&
		      fabsf(narrow / powf(3, (float)n) - 1) < 0x1p-22f, "powers of 3");
	}
}

int main(void)
{
	POW(f64, 53, -1074, -1, 1, -3, 3, 1);
	POW(f64, 53, -1074, -1e-3, 1e-3, -1e3, 1e3, 1);
	POW(f64, 53, -1074, -1e-9, 1e-9, -1e8, 1e8, 1);
	POW(f64, 53, -1074, -30, 30, -40, 40, 1);
	POW(f64, 53, -1074, -745, 709, -1.2, 1.2, 1);
	POW(f64, 53, -1074, -745, 709, -0.01, 0.01, 1);
	POW(f32, 24, -149, -1, 1, -3, 3, 1.2);
	POW(f32, 24, -149, -1e-3, 1e-3, -1e5, 1e5, 1.2);
	POW(f32, 24, -149, -30, 30, -40, 40, 1.2);
	POW(f32, 24, -149, -104, 88, -1.2, 1.2, 1.2);
	test_pow();
	F64(exp, expl, -1, 1, 1.1);
	F64(exp, expl, -745, 710, 1.1);
	F64(log, logl, 0.4, 3, 1.0);
	F64(log, logl, 0, 1e-300, 1.0);
	F64(log, logl, 0, 1e300, 1.0);
	F64(log1p, log1pl, -1, -0.2, 1.2);
	F64(log1p, log1pl, -0.3, 0.5, 1.2);
	F64(log1p, log1pl, -1e-5, 1e-5, 1.2);
	F64(log1p, log1pl, 0, 3, 1.2);
	F64(log1p, log1pl, 0, 1e20, 1.2);
	F64(log1p, log1pl, 0, 1e300, 1.2);
	F64(tanh, tanhl, -1e-3, 1e-3, 2);
	F64(tanh, tanhl, -0.4, 0.4, 2);
	F64(tanh, tanhl, -1, 1, 2);
	F64(tanh, tanhl, -30, 30, 2);
	F64(sin, sinl, -4, 4, 1.2);
	F64(sin, sinl, -1e6, 1e6, 1.2);
	F64(sin, sinl, -1e15, 1e15, 1.2);
	F64(cos, cosl, -4, 4, 1.2);
	F64(cos, cosl, -1e6, 1e6, 1.2);
	F64(cos, cosl, -1e15, 1e15, 1.2);
	F32(exp, expl, -1, 1, 1.2);
	F32(exp, expl, -104, 89, 1.2);
	F32(log, logl, 0.4, 3, 1.2);
	F32(log, logl, 0, 1e-38, 1.2);
	F32(log, logl, 0, 1e38, 1.2);
	F32(log1p, log1pl, -1, -0.2, 1.2);
	F32(log1p, log1pl, -0.3, 0.5, 1.2);
	F32(log1p, log1pl, -1e-5, 1e-5, 1.2);
	F32(log1p, log1pl, 0, 3, 1.2);
	F32(log1p, log1pl, 0, 1e10, 1.2);
	F32(log1p, log1pl, 0, 1e38, 1.2);
	F32(tanh, tanhl, -1e-3, 1e-3, 2);
	F32(tanh, tanhl, -0.4, 0.4, 2);
	F32(tanh, tanhl, -1, 1, 2);
	F32(tanh, tanhl, -12, 12, 2);
	F32(sin, sinl, -4, 4, 2);
	F32(sin, sinl, -1e6, 1e6, 2);
	F32(cos, cosl, -4, 4, 2);
	F32(cos, cosl, -1e6, 1e6, 2);
	ONE(double, tanh, 53, -1074, tanhl, -0.4, 0.4, 2);
	ONE(double, tanh, 53, -1074, tanhl, -30, 30, 2);
	ONE(float, tanhf, 24, -149, tanhl, -0.4, 0.4, 2);
	ONE(float, tanhf, 24, -149, tanhl, -12, 12, 2);
	ONE(float, expf, 24, -149, expl, -104, 89, 2);
	test_special();
	test_min_max();
	return report_counts();
}
