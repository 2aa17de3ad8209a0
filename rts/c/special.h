// Functions of math that the C library lacks, and the bits of floats.
#ifndef RD_SPECIAL_H
#define RD_SPECIAL_H
#include "half.h"

// @chunk int128:
__extension__ typedef __int128 rd_i128;
__extension__ typedef unsigned __int128 rd_u128;

// @chunk pi:
#define RD_PI 3.14159265358979323846

// @chunk rd_sin_pi: base pi math
// Exact at multiples of a quarter turn: the argument is reduced first, which fmod does without
// error.
static inline double rd_sin_pi(double x)
{
	double r = fmod(x, 2.0); // in (-2, 2)
	if (r > 1)
		r -= 2;
	else if (r < -1)
		r += 2;
	if (r > 0.5)
		r = 1 - r;
	else if (r < -0.5)
		r = -1 - r;
	return fabs(r) <= 0.25 ? sin(RD_PI * r)
	     : copysign(cos(RD_PI * (0.5 - fabs(r))), r);
}

// @chunk rd_cos_pi: base pi math
static inline double rd_cos_pi(double x)
{
	double r = fabs(fmod(x, 2.0));
	if (r > 1)
		r = 2 - r;
	return r <= 0.25 ? cos(RD_PI * r)
	     : r < 0.75 ? (r == 0.5 ? 0.0 : sin(RD_PI * (0.5 - r))) : -cos(RD_PI * (1 - r));
}

// @chunk rd_tan_pi: rd_sin_pi rd_cos_pi
static inline double rd_tan_pi(double x)
{
	return rd_sin_pi(x) / rd_cos_pi(x);
}

// @chunk rd_log_gamma: base math
static inline double rd_log_gamma(double x)
{
	int sign;
	return lgamma_r(x, &sign);
}

// @chunk rd_polygamma: rd_sin_pi rd_cos_pi math
// The k-th derivative of cot(pi x): pi^k times a polynomial P_k in c = cot(pi x), where
// P_0 = c and P_{k+1} = -(1 + c^2) P_k'.
#define RD_MAX_ORDER 100

static inline double rd_cot_pi_derivative(double x, int k)
{
	double c = rd_cos_pi(x) / rd_sin_pi(x), p[RD_MAX_ORDER + 3] = {0, 1}, q[RD_MAX_ORDER + 3];
	for (int step = 0; step < k; step++) {
		for (int i = 0; i < RD_MAX_ORDER + 3; i++)
			q[i] = 0;
		for (int i = 1; i <= step + 1; i++) {
			q[i - 1] -= i * p[i];
			q[i + 1] -= i * p[i];
		}
		for (int i = 0; i < RD_MAX_ORDER + 3; i++)
			p[i] = q[i];
	}
	double value = 0;
	for (int i = k + 1; i >= 0; i--)
		value = value * c + p[i];
	return pow(RD_PI, (double)k) * value;
}

// For large x: log x - 1/(2x) - sum B_2j / (2j x^2j), and its k-th derivative.
static inline double rd_polygamma_asymptotic(double x, int k)
{
	const double bernoulli[] = {
		1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6,
		-3617.0 / 510, 43867.0 / 798, -174611.0 / 330,
	};
	double sum = 0;
	for (int j = 10; j >= 1; j--) {
		// B_2j (2j+k-1)! / (2j)!, with the powers of x left to the end
		double term = bernoulli[j - 1] / (2 * j);
		for (int i = 2 * j; i < 2 * j + k; i++)
			term *= i / x;
		sum += term * pow(x, -2.0 * j);
	}
	if (k == 0)
		return log(x) - 0.5 / x - sum;
	double lead = 1; // (k-1)! / x^k
	for (int i = 1; i < k; i++)
		lead *= i / x;
	lead /= x;
	double value = lead + lead * k / (2 * x) + sum;
	return k % 2 ? value : -value;
}

// The k-th derivative of digamma, which is the derivative of the logarithm of gamma.
static inline double rd_polygamma(double x, double order)
{
	if (!(order >= 0 && order <= RD_MAX_ORDER) || x != x)
		return NAN;
	int k = (int)order;
	double mirrored = 0;
	bool mirror = x <= 0;
	if (mirror) {
		// (-1)^k psi_k(1 - x) - psi_k(x) = pi * (d/dx)^k cot(pi x)
		if (x == floor(x))
			return NAN;
		mirrored = RD_PI * rd_cot_pi_derivative(x, k);
		x = 1 - x;
	}
	double value = k ? 0 : x;
	if (!isinf(x)) {
		double factorial = tgamma(k + 1.0), sum = 0;
		for (; x < 10 + k; x++)
			sum += factorial / pow(x, k + 1.0);
		value = rd_polygamma_asymptotic(x, k) - (k % 2 ? -sum : sum);
	}
	return mirror ? (k % 2 ? -value : value) - mirrored : value;
}

// @chunk rd_nextafter_f64: base math
static inline double rd_nextafter_f64(double x, double y)
{
	return nextafter(x, y);
}

// @chunk rd_nextafter_f32: base math
static inline float rd_nextafter_f32(float x, float y)
{
	return nextafterf(x, y);
}

// @chunk rd_nextafter_f16: rd_nextafter_half
static inline float rd_nextafter_f16(float x, float y)
{
	return rd_nextafter_half(x, y);
}

// @chunk rd_to_bits_f16: rd_half_of_float
static inline uint16_t rd_to_bits_f16(float x)
{
	return rd_half_of_float(x);
}

// @chunk rd_from_bits_u16: rd_float_of_half
static inline float rd_from_bits_u16(uint16_t u)
{
	return rd_float_of_half(u);
}

// @chunk rd_int_of_float: base math
// Towards zero, modulo 2^64; what is no finite number becomes 0.
static RD_COLD int64_t rd_int_of_large_float(double x)
{
	if (x - x != 0)
		return 0;
	uint64_t u = (uint64_t)fmod(fabs(trunc(x)), 0x1p64); // exact
	return (int64_t)(x < 0 ? -u : u);
}

static inline int64_t rd_int_of_float(double x)
{
	return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : rd_int_of_large_float(x);
}

// @end
#endif
