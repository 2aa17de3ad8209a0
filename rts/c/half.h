// The type f16.  Variables hold the value as a float, memory holds the 16 bits.
#ifndef RD_HALF_H
#define RD_HALF_H
#include "base.h"

// @chunk rd_to_bits_f64: base
static inline uint64_t rd_to_bits_f64(double x)
{
	uint64_t u;
	memcpy(&u, &x, sizeof u);
	return u;
}

// @chunk rd_to_bits_f32: base
static inline uint32_t rd_to_bits_f32(float x)
{
	uint32_t u;
	memcpy(&u, &x, sizeof u);
	return u;
}

// @chunk rd_from_bits_u64: base
static inline double rd_from_bits_u64(uint64_t u)
{
	double x;
	memcpy(&x, &u, sizeof x);
	return x;
}

// @chunk rd_from_bits_u32: base
static inline float rd_from_bits_u32(uint32_t u)
{
	float x;
	memcpy(&x, &u, sizeof x);
	return x;
}

// @chunk rd_half_of_double: rd_to_bits_f64
// The nearest f16, ties to even.
static inline uint16_t rd_half_of_double(double x)
{
#if defined(__ARM_FP16_FORMAT_IEEE) && !defined(RD_DEVICE)
	__fp16 h = (__fp16)x;
	uint16_t u;
	memcpy(&u, &h, sizeof u);
	return u;
#else
	uint64_t bits = rd_to_bits_f64(x);
	uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	uint64_t fraction = bits & 0xfffffffffffff;
	if (exponent == 1024)
		return (uint16_t)(sign | 0x7c00 | (fraction ? 0x200 | fraction >> 42 : 0));
	if (exponent > 15)
		return (uint16_t)(sign | 0x7c00);
	if (exponent < -25)
		return sign;
	// The result has the bits above `drop`; below 2^-14 there are fewer of them.
	int drop = exponent < -14 ? 28 - exponent : 42;
	uint64_t all = fraction | (uint64_t)1 << 52, middle = (uint64_t)1 << (drop - 1);
	uint64_t kept = all >> drop, rest = all & ((middle << 1) - 1);
	kept += rest > middle || (rest == middle && (kept & 1));
	if (exponent >= -14)
		kept += (uint64_t)(exponent + 14) << 10; // carries into the exponent where it must
	return (uint16_t)(sign | kept);
#endif
}

// @chunk rd_half_of_float: rd_half_of_double
static inline uint16_t rd_half_of_float(float x)
{
	return rd_half_of_double((double)x);
}

// @chunk rd_float_of_half: rd_from_bits_u32
static inline float rd_float_of_half(uint16_t u)
{
#if defined(__ARM_FP16_FORMAT_IEEE) && !defined(RD_DEVICE)
	__fp16 h;
	memcpy(&h, &u, sizeof h);
	return (float)h;
#else
	uint32_t sign = (uint32_t)(u & 0x8000) << 16, bits = (uint32_t)(u & 0x7fff) << 13;
	if (bits >= 0x7c00u << 13) // infinity, or no number
		bits += (uint32_t)(255 - 31) << 23;
	else if (bits >= 0x400u << 13)
		bits += (uint32_t)(127 - 15) << 23;
	else { // subnormal: a small multiple of 2^-24
		float f = (float)(u & 0x3ff) * 0x1p-24f;
		return sign ? -f : f;
	}
	return rd_from_bits_u32(bits | sign);
#endif
}

// @chunk rd_as_half: rd_half_of_float rd_float_of_half
static inline float rd_as_half(float x)
{
	return rd_float_of_half(rd_half_of_float(x));
}

// @chunk rd_as_half_of_double: rd_half_of_double rd_float_of_half
static inline float rd_as_half_of_double(double x)
{
	return rd_float_of_half(rd_half_of_double(x));
}

// @chunk rd_nextafter_half: rd_half_of_float rd_float_of_half
static inline float rd_nextafter_half(float x, float y)
{
	if (x != x || y != y)
		return x + y;
	if (x == y)
		return y;
	uint16_t bits = rd_half_of_float(x);
	if (x == 0)
		bits = y < 0 ? 0x8001 : 1;
	else
		bits = (uint16_t)(bits + ((y > x) == (x > 0) ? 1 : -1));
	return rd_float_of_half(bits);
}

// @end
#endif
