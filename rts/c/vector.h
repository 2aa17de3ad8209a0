// Vectors: short arrays of floats on which operations act elementwise, by the vector extension of
// GCC and Clang.  The functions are accurate to 2 ulp (tests/unit/vector_test.c has the figures).
#ifndef RD_VECTOR_H
#define RD_VECTOR_H
#include "scalar.h"

// @chunk vector: base
#ifndef RD_VECTOR // bytes in a vector register
#if defined(__AVX512F__)
#define RD_VECTOR 64
#elif defined(__AVX__)
#define RD_VECTOR 32
#else
#define RD_VECTOR 16
#endif
#endif
// For functions with many constants, which loops are to have in registers.  Where compilers weigh
// the size of such a function, whether a loop gets it depends on the rest of the program; one with
// calls took 1.7 times as long.
#define RD_INLINE inline __attribute__((always_inline))
#define RD_LANES(n, type) ((int64_t)((n) * RD_VECTOR / sizeof(type)))
// In a loop over what is left when all vectors are done: compilers do not know that this is little,
// and would make vectors of it again.  Long ones leave enough for short ones.
#if defined(__GNUC__) && RD_VECTOR <= 16
#define RD_REST __asm__ volatile("")
#else
#define RD_REST ((void)0)
#endif
#define RD_UP_TO_4 0, 1, 2, 3
#define RD_UP_TO_8 RD_UP_TO_4, 4, 5, 6, 7
#if RD_VECTOR == 64 // the numbers of the lanes
#define RD_NUMBERS_f64 RD_UP_TO_8
#define RD_NUMBERS_f32 RD_UP_TO_8, 8, 9, 10, 11, 12, 13, 14, 15
#elif RD_VECTOR == 32
#define RD_NUMBERS_f64 RD_UP_TO_4
#define RD_NUMBERS_f32 RD_UP_TO_8
#else
#define RD_NUMBERS_f64 0, 1
#define RD_NUMBERS_f32 RD_UP_TO_4
#endif

// @chunk evens: vector
// Of two vectors, the second of which begins with the last element of the first.
#if RD_VECTOR == 64
#define RD_EVENS_f64 0, 2, 4, 6, 9, 11, 13, 15
#define RD_EVENS_f32 0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31
#elif RD_VECTOR == 32
#define RD_EVENS_f64 0, 2, 5, 7
#define RD_EVENS_f32 0, 2, 4, 6, 9, 11, 13, 15
#else
#define RD_EVENS_f64 0, 3
#define RD_EVENS_f32 0, 2, 5, 7
#endif
#ifdef __clang__
#define RD_SHUFFLE(a, b, mask, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define RD_SHUFFLE(a, b, mask, ...) __builtin_shuffle(a, b, (mask){__VA_ARGS__})
#endif

// @chunk vector_f64: vector
typedef double rd_f64v __attribute__((vector_size(RD_VECTOR)));
typedef double rd_f64u __attribute__((vector_size(RD_VECTOR), aligned(8), may_alias));
typedef int64_t rd_f64m __attribute__((vector_size(RD_VECTOR)));

// @chunk rd_load_f64: vector_f64
static inline rd_f64v rd_load_f64(const double *p)
{
	return *(const rd_f64u *)p;
}

// @chunk rd_load_bool_f64: vector_f64
// Of bools, a mask.
static inline rd_f64m rd_load_bool_f64(const bool *p)
{
	int8_t r __attribute__((vector_size(RD_VECTOR / 8)));
	memcpy(&r, p, sizeof r);
	return -__builtin_convertvector(r, rd_f64m);
}

// @chunk rd_load_i8_f64: vector_f64
static inline rd_f64m rd_load_i8_f64(const int8_t *p)
{
	int8_t r __attribute__((vector_size(RD_VECTOR / 8)));
	memcpy(&r, p, sizeof r);
	return __builtin_convertvector(r, rd_f64m);
}

// @chunk rd_load_i16_f64: vector_f64
static inline rd_f64m rd_load_i16_f64(const int16_t *p)
{
	int16_t r __attribute__((vector_size(RD_VECTOR / 4)));
	memcpy(&r, p, sizeof r);
	return __builtin_convertvector(r, rd_f64m);
}

// @chunk rd_load_i32_f64: vector_f64
static inline rd_f64m rd_load_i32_f64(const int32_t *p)
{
	int32_t r __attribute__((vector_size(RD_VECTOR / 2)));
	memcpy(&r, p, sizeof r);
	return __builtin_convertvector(r, rd_f64m);
}

// @chunk rd_gather_f64: vector_f64
static inline rd_f64v rd_gather_f64(const double *p, int64_t step)
{
	rd_f64v r = {0};
	for (int l = 0; l < (int)RD_LANES(1, double); l++)
		r[l] = p[l * step];
	return r;
}

// @chunk rd_load_evens_f64: vector_f64 evens
// Elements 0, 2, 4, ..: nothing is read after the last one.
static inline rd_f64v rd_load_evens_f64(const double *p)
{
	rd_f64v a = *(const rd_f64u *)p, b = *(const rd_f64u *)(p + RD_LANES(1, double) - 1);
	return RD_SHUFFLE(a, b, rd_f64m, RD_EVENS_f64);
}

// @chunk rd_scatter_f64: vector_f64
static inline void rd_scatter_f64(double *p, int64_t step, rd_f64v x)
{
	for (int l = 0; l < (int)RD_LANES(1, double); l++)
		p[l * step] = x[l];
}

// @chunk rd_store_f64: vector_f64
static inline void rd_store_f64(double *p, rd_f64v x)
{
	*(rd_f64u *)p = x;
}

// @chunk rd_splat_f64: vector_f64
// Less zero, since adding that would change -0.
static inline rd_f64v rd_splat_f64(double x)
{
	return x - (rd_f64v){0};
}

// @chunk rd_count_f64: vector_f64
// first, first + 1, ...: exact for indices.
static inline rd_f64v rd_count_f64(int64_t first)
{
	return (double)first + (rd_f64v){RD_NUMBERS_f64};
}

// @chunk rd_mask_f64: vector_f64
static inline rd_f64m rd_mask_f64(bool x)
{
	return -(int64_t)x - (rd_f64m){0};
}

// @chunk rd_select_f64: vector_f64
static inline RD_UNUSED rd_f64v rd_select_f64(rd_f64m mask, rd_f64v yes, rd_f64v no)
{
	return (rd_f64v)((mask & (rd_f64m)yes) | (~mask & (rd_f64m)no));
}

// @chunk rd_isplat_f64: vector_f64
static inline rd_f64m rd_isplat_f64(int64_t x) { return x - (rd_f64m){0}; }

// @chunk rd_icount_f64: vector_f64
static inline rd_f64m rd_icount_f64(int64_t first)
{
	return first + (rd_f64m){RD_NUMBERS_f64};
}

// @chunk rd_iselect_f64: vector_f64
static inline rd_f64m rd_iselect_f64(rd_f64m mask, rd_f64m yes, rd_f64m no)
{
	return (mask & yes) | (~mask & no);
}

// @chunk unsigned_f64: vector_f64
typedef uint64_t rd_f64n __attribute__((vector_size(RD_VECTOR)));

// @chunk rd_iadd_f64: unsigned_f64
static inline rd_f64m rd_iadd_f64(rd_f64m x, rd_f64m y) { return (rd_f64m)((rd_f64n)x + (rd_f64n)y); }

// @chunk rd_isub_f64: unsigned_f64
static inline rd_f64m rd_isub_f64(rd_f64m x, rd_f64m y) { return (rd_f64m)((rd_f64n)x - (rd_f64n)y); }

// @chunk rd_imin_f64: rd_iselect_f64
static inline rd_f64m rd_imin_f64(rd_f64m x, rd_f64m y) { return rd_iselect_f64(x < y, x, y); }

// @chunk rd_imax_f64: rd_iselect_f64
static inline rd_f64m rd_imax_f64(rd_f64m x, rd_f64m y) { return rd_iselect_f64(x > y, x, y); }

// @chunk rd_ieq_f64: vector_f64
static inline rd_f64m rd_ieq_f64(rd_f64m x, rd_f64m y) { return x == y; }

// @chunk rd_ilt_f64: vector_f64
static inline rd_f64m rd_ilt_f64(rd_f64m x, rd_f64m y) { return x < y; }

// @chunk rd_ile_f64: vector_f64
static inline rd_f64m rd_ile_f64(rd_f64m x, rd_f64m y) { return x <= y; }

// @chunk rd_istore_f64: vector_f64
static inline void rd_istore_f64(int64_t *p, rd_f64m x) { memcpy(p, &x, sizeof x); }

// @chunk rd_visnan_f64: vector_f64
static inline rd_f64m rd_visnan_f64(rd_f64v x) { return x != x; }

// @chunk rd_mask_and_f64: vector_f64
static inline rd_f64m rd_mask_and_f64(rd_f64m x, rd_f64m y) { return x & y; }

// @chunk rd_mask_or_f64: vector_f64
static inline rd_f64m rd_mask_or_f64(rd_f64m x, rd_f64m y) { return x | y; }

// @chunk rd_some_f64: vector_f64
static inline bool rd_some_f64(rd_f64m x)
{
#if defined(__AVX512F__) && RD_VECTOR == 64 && !defined(__clang__)
	typedef long long lanes __attribute__((vector_size(64)));
	return __builtin_ia32_ptestmq512((lanes)x, (lanes)x, -1);
#else
	int64_t parts[RD_VECTOR / 8], some = 0;
	memcpy(parts, &x, sizeof parts);
	for (int k = 0; k < RD_VECTOR / 8; k++)
		some |= parts[k];
	return some != 0;
#endif
}

// @chunk rd_mask_not_f64: vector_f64
static inline rd_f64m rd_mask_not_f64(rd_f64m x) { return ~x; }

// @chunk rd_veq_f64: vector_f64
static inline rd_f64m rd_veq_f64(rd_f64v x, rd_f64v y) { return x == y; }

// @chunk rd_vlt_f64: vector_f64
static inline rd_f64m rd_vlt_f64(rd_f64v x, rd_f64v y) { return x < y; }

// @chunk rd_vle_f64: vector_f64
static inline rd_f64m rd_vle_f64(rd_f64v x, rd_f64v y) { return x <= y; }

// @chunk rd_vneg_f64: vector_f64
static inline rd_f64v rd_vneg_f64(rd_f64v x) { return -x; }

// @chunk rd_vsgn_f64: rd_select_f64 rd_splat_f64
static inline rd_f64v rd_vsgn_f64(rd_f64v x)
{
	rd_f64v sign = rd_select_f64(x < 0, rd_splat_f64(-1), rd_select_f64(x != x, x, rd_splat_f64(0)));
	return rd_select_f64(x > 0, rd_splat_f64(1), sign);
}

// @chunk rd_apart_f64: vector_f64
// Each lane as the one so far apart, a power of two: with it all lanes are combined in few steps.
static inline rd_f64v rd_apart_f64(rd_f64v x, int far)
{
#if defined(__GNUC__) && !defined(__clang__)
	return __builtin_shuffle(x, (rd_f64m){RD_NUMBERS_f64} ^ far);
#else
	rd_f64v r = x;
	for (int l = 0; l < (int)RD_LANES(1, double); l++)
		r[l] = x[l ^ far];
	return r;
#endif
}

// @chunk rd_iapart_f64: rd_apart_f64
static inline rd_f64m rd_iapart_f64(rd_f64m x, int far)
{
	return (rd_f64m)rd_apart_f64((rd_f64v)x, far);
}

// @chunk rd_vsum_f64: rd_apart_f64
static inline double rd_vsum_f64(rd_f64v x)
{
	for (int far = (int)RD_LANES(1, double) / 2; far > 0; far /= 2)
		x += rd_apart_f64(x, far);
	return x[0];
}

// @chunk rd_vabs_f64: vector_f64
static inline rd_f64v rd_vabs_f64(rd_f64v x)
{
	return (rd_f64v)((rd_f64m)x & INT64_MAX);
}

// @chunk rd_vmin_f64: rd_select_f64
// As for scalars: a NaN operand is ignored unless both are NaN, and -0 is less than 0.
static inline rd_f64v rd_vmin_f64(rd_f64v x, rd_f64v y)
{
#if defined(__aarch64__) && RD_VECTOR == 16
	rd_f64v r;
	__asm__("fminnm %0.2d, %1.2d, %2.2d" : "=w"(r) : "w"(x), "w"(y));
	return r;
#else
	rd_f64m tie = (x == y) & ((rd_f64m)x < 0);
	return rd_select_f64((x < y) | (y != y) | tie, x, y);
#endif
}

// @chunk rd_vmax_f64: rd_select_f64
static inline rd_f64v rd_vmax_f64(rd_f64v x, rd_f64v y)
{
#if defined(__aarch64__) && RD_VECTOR == 16
	rd_f64v r;
	__asm__("fmaxnm %0.2d, %1.2d, %2.2d" : "=w"(r) : "w"(x), "w"(y));
	return r;
#else
	rd_f64m tie = (x == y) & ((rd_f64m)y < 0);
	return rd_select_f64((x > y) | (y != y) | tie, x, y);
#endif
}

// @chunk each_f64: vector_f64
#define RD_EACH_f64(r, f, ...) \
	do { for (int l_ = 0; l_ < (int)RD_LANES(1, double); l_++) (r)[l_] = f(__VA_ARGS__); } while (0)

// @chunk rd_vsqrt_f64: each_f64 rd_sqrt_f64
static inline rd_f64v rd_vsqrt_f64(rd_f64v x)
{
	RD_EACH_f64(x, rd_sqrt_f64, x[l_]);
	return x;
}

// @chunk rd_vpow_f64: each_f64 rd_pow_f64
static inline rd_f64v rd_vpow_f64(rd_f64v x, rd_f64v y)
{
	RD_EACH_f64(x, rd_pow_f64, x[l_], y[l_]);
	return x;
}

// @chunk rd_exp_parts_f64: vector_f64
// y = n log(2) + r with |r| <= log(2) / 2: gives e^r - 1, what is missing there (`low`), and n.
// Adding 1.5 * 2^52 rounds y / log(2) to n, and leaves n in the low bits.
static RD_INLINE rd_f64v rd_exp_parts_f64(rd_f64v y, rd_f64m *n, rd_f64v *low)
{
	rd_f64v shifted = y * 0x1.71547652b82fep0 + 0x1.8p52, whole = shifted - 0x1.8p52;
	*n = (rd_f64m)shifted - 0x4338000000000000;
	rd_f64v first = y - whole * 0x1.62e42feep-1, rest = whole * 0x1.a39ef35793c76p-33;
	rd_f64v r = first - rest, r2 = r * r;
	rd_f64v a = (0x1.0000000000001p-1 + 0x1.5555555555556p-3 * r)
	          + (0x1.5555555553d63p-5 + 0x1.11111111109b3p-7 * r) * r2;
	rd_f64v b = (0x1.6c16c1788bd90p-10 + 0x1.a01a01a7c41d5p-13 * r)
	          + (0x1.a019b90d2ae7ap-16 + 0x1.71de0dae63bb3p-19 * r) * r2
	          + (0x1.289185613a3d6p-22 + 0x1.af38a9b0ec855p-26 * r) * (r2 * r2);
	rd_f64v c = r2 * (a + b * (r2 * r2)), sum = r + c;
	*low = ((r - sum) + c) + ((first - r) - rest);
	return sum;
}

// @chunk rd_vexp_f64: rd_exp_parts_f64 rd_select_f64 rd_splat_f64
// 2^n in two factors: it may be out of range when the result is not.
static RD_INLINE rd_f64v rd_vexp_f64(rd_f64v x)
{
	rd_f64m n;
	x = rd_select_f64(x > 710, rd_splat_f64(710), x);
	x = rd_select_f64(x < -746, rd_splat_f64(-746), x);
	rd_f64v low, p = 1 + rd_exp_parts_f64(x, &n, &low);
	rd_f64m half = n >> 1;
	return p * (rd_f64v)((half + 1023) << 52) * (rd_f64v)((n - half + 1023) << 52);
}

// @chunk rd_vtanh_f64: rd_exp_parts_f64 rd_select_f64 rd_splat_f64 rd_vabs_f64
// q = m / (m + 2) with m = e^2|x| - 1.  To that comes what was rounded off m and m + 2, divided by
// m + 2, which is 2 / (1 - q); where m is large it matters little, and m + 2 says nothing of 2.
static RD_INLINE rd_f64v rd_vtanh_f64(rd_f64v x)
{
	rd_f64m n, sign = (rd_f64m)x & INT64_MIN;
	rd_f64v y = 2 * rd_vabs_f64(x), low;
	y = rd_select_f64(y > 44, rd_splat_f64(44), y);
	rd_f64v part = rd_exp_parts_f64(y, &n, &low), power = (rd_f64v)((n + 1023) << 52);
	rd_f64v m = power * part + (power - 1), d = m + 2, q = m / d;
	rd_f64v off_m = ((power - 1 - m) + power * part) + power * low, off_d = m - (d - 2);
	rd_f64v more = (off_m - q * (off_m + off_d)) * ((1 - q) * 0.5);
	q += rd_select_f64(y < 20, more, rd_splat_f64(0));
	return (rd_f64v)((rd_f64m)q | sign);
}

// @chunk rd_log_sum_f64: vector_f64
// k log(2) + log(1 + f), with 1 + f between sqrt(1/2) and sqrt(2): log(1 + f) by its series in s = f / (2 + f), as
// f - (f^2/2 - s (f^2/2 + R(s^2))).  `low` is what log(2) has beyond its first digits, k times, and what else is to be added.
static RD_INLINE rd_f64v rd_log_sum_f64(rd_f64v k, rd_f64v f, rd_f64v low)
{
	rd_f64v s = f / (2 + f), z = s * s, w = z * z, square = 0.5 * f * f;
	rd_f64v t1 = w * (0x1.999999997fa04p-2 + w * (0x1.c71c51d8e78afp-3 + w * 0x1.39a09d078c69fp-3));
	rd_f64v t3 = w * (0x1.7466496cb03dep-3 + w * 0x1.2f112df3e5244p-3);
	rd_f64v t2 = z * (0x1.5555555555593p-1 + w * (0x1.2492494229359p-2 + t3));
	low = s * (square + (t1 + t2)) + low;
	return k * 0x1.62e42feep-1 - ((square - low) - f);
}

// @chunk rd_vlog_f64: rd_log_sum_f64 rd_select_f64 rd_splat_f64
// x = 2^k (1 + f)
static RD_INLINE rd_f64v rd_vlog_f64(rd_f64v x)
{
	rd_f64m tiny = x < 0x1p-1022;
	rd_f64v y = rd_select_f64(tiny, x * 0x1p54, x);
	rd_f64m bits = (rd_f64m)y - 0x3fe6a09e667f3bcd;
	rd_f64m exponent = bits >> 52;
	rd_f64v k = __builtin_convertvector(exponent - (tiny & 54), rd_f64v);
	rd_f64v f = (rd_f64v)((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd) - 1;
	rd_f64v r = rd_log_sum_f64(k, f, k * 0x1.a39ef35793c76p-33);
	r = rd_select_f64(x == 0, rd_splat_f64(-INFINITY), r);
	r = rd_select_f64(x < 0, rd_splat_f64(NAN), r);
	return rd_select_f64((x == INFINITY) | (x != x), x, r);
}

// @chunk rd_vlog1p_f64: rd_log_sum_f64 rd_select_f64 rd_splat_f64
// y = 1 + x = 2^k (1 + f), and what was rounded off y, divided by it; if k = 0, then f = x.
static RD_INLINE rd_f64v rd_vlog1p_f64(rd_f64v x)
{
	rd_f64v y = 1 + x;
	rd_f64m bits = (rd_f64m)y - 0x3fe6a09e667f3bcd, exponent = bits >> 52, near = exponent == 0;
	rd_f64v k = __builtin_convertvector(exponent, rd_f64v);
	rd_f64v off = rd_select_f64(x > 1, 1 - (y - x), x - (y - 1)) / y;
	rd_f64v f = rd_select_f64(near, x, (rd_f64v)((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd) - 1);
	rd_f64v r = rd_log_sum_f64(k, f, rd_select_f64(near, rd_splat_f64(0), k * 0x1.a39ef35793c76p-33 + off));
	r = rd_select_f64(x == -1, rd_splat_f64(-INFINITY), r);
	r = rd_select_f64(x < -1, rd_splat_f64(NAN), r);
	return rd_select_f64((x == INFINITY) | (x != x) | (x == 0), x, r);
}

// @chunk rd_quarter_f64: vector_f64
// x = n pi/2 + r + tail with |r| <= pi/4, for |x| up to a million; the first two parts of pi/2 are
// short enough for n times them to be exact.
static inline rd_f64v rd_quarter_f64(rd_f64v x, rd_f64v *tail, rd_f64m *n)
{
	rd_f64v shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, whole = shifted - 0x1.8p52;
	*n = (rd_f64m)shifted;
	rd_f64v r1 = x - whole * 0x1.921fb544p0, part = whole * 0x1.0b4611a6p-34, r2 = r1 - part;
	rd_f64v lost = ((r1 - r2) - part) - whole * 0x1.3198a2e037073p-69, r = r2 + lost;
	*tail = (r2 - r) + lost;
	return r;
}

// @chunk rd_sine_f64: vector_f64
static inline rd_f64v rd_sine_f64(rd_f64v r, rd_f64v tail)
{
	rd_f64v z = r * r, w = z * z;
	rd_f64v p = (0x1.111111110f8a6p-7 + z * -0x1.a01a019c161d5p-13) +
	            w * ((0x1.71de357b1fe7dp-19 + z * -0x1.ae5e68a2b9cebp-26) + w * 0x1.5d93a5acfd57cp-33);
	return r - ((z * (0.5 * tail - z * r * p) - tail) - z * r * -0x1.5555555555549p-3);
}

// @chunk rd_cosine_f64: vector_f64
static inline rd_f64v rd_cosine_f64(rd_f64v r, rd_f64v tail)
{
	rd_f64v z = r * r, w = z * z;
	rd_f64v low = 0x1.555555555554cp-5 + z * (-0x1.6c16c16c15177p-10 + z * 0x1.a01a019cb1590p-16);
	rd_f64v high = -0x1.27e4f809c52adp-22 + z * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37);
	rd_f64v p = z * low + w * w * high;
	rd_f64v half = 0.5 * z, top = 1 - half;
	return top + (((1 - top) - half) + (z * p - r * tail));
}

// @chunk rd_turn_f64: rd_quarter_f64 rd_sine_f64 rd_cosine_f64 rd_select_f64
static inline bool rd_all_small_f64(rd_f64v x, double limit)
{
	rd_f64m small = (x < limit) & (x > -limit);
	bool all = true;
	for (int l = 0; l < (int)RD_LANES(1, double); l++)
		all &= small[l] != 0;
	return all;
}

// @chunk rd_vsin_f64: rd_turn_f64 each_f64 rd_sin_f64
// The last two bits of n tell which of the two, and the sign.  For -0, its sign is kept.
static inline rd_f64v rd_vsin_f64(rd_f64v x)
{
	if (RD_UNLIKELY(!rd_all_small_f64(x, 1e6))) {
		RD_EACH_f64(x, rd_sin_f64, x[l_]);
		return x;
	}
	rd_f64m n;
	rd_f64v tail, r = rd_quarter_f64(x, &tail, &n);
	rd_f64v y = rd_select_f64((n & 1) != 0, rd_cosine_f64(r, tail), rd_sine_f64(r, tail));
	return rd_select_f64(x == 0, x, (rd_f64v)((rd_f64m)y ^ (n & 2) << 62));
}

// @chunk rd_vcos_f64: rd_turn_f64 each_f64 rd_cos_f64
static inline rd_f64v rd_vcos_f64(rd_f64v x)
{
	if (RD_UNLIKELY(!rd_all_small_f64(x, 1e6))) {
		RD_EACH_f64(x, rd_cos_f64, x[l_]);
		return x;
	}
	rd_f64m n;
	rd_f64v tail, r = rd_quarter_f64(x, &tail, &n);
	rd_f64v y = rd_select_f64((n & 1) != 0, rd_sine_f64(r, tail), rd_cosine_f64(r, tail));
	return (rd_f64v)((rd_f64m)y ^ ((n + 1) & 2) << 62);
}

// @chunk vector_f32: vector
typedef float rd_f32v __attribute__((vector_size(RD_VECTOR)));
typedef float rd_f32u __attribute__((vector_size(RD_VECTOR), aligned(4), may_alias));
typedef int32_t rd_f32m __attribute__((vector_size(RD_VECTOR)));

// @chunk rd_load_f32: vector_f32
static inline rd_f32v rd_load_f32(const float *p)
{
	return *(const rd_f32u *)p;
}

// @chunk rd_load_bool_f32: vector_f32
// Of bools, a mask.
static inline rd_f32m rd_load_bool_f32(const bool *p)
{
	int8_t r __attribute__((vector_size(RD_VECTOR / 4)));
	memcpy(&r, p, sizeof r);
	return -__builtin_convertvector(r, rd_f32m);
}

// @chunk rd_load_i8_f32: vector_f32
static inline rd_f32m rd_load_i8_f32(const int8_t *p)
{
	int8_t r __attribute__((vector_size(RD_VECTOR / 4)));
	memcpy(&r, p, sizeof r);
	return __builtin_convertvector(r, rd_f32m);
}

// @chunk rd_load_i16_f32: vector_f32
static inline rd_f32m rd_load_i16_f32(const int16_t *p)
{
	int16_t r __attribute__((vector_size(RD_VECTOR / 2)));
	memcpy(&r, p, sizeof r);
	return __builtin_convertvector(r, rd_f32m);
}

// @chunk rd_load_i32_f32: vector_f32
static inline rd_f32m rd_load_i32_f32(const int32_t *p)
{
	rd_f32m r;
	memcpy(&r, p, sizeof r);
	return r;
}

// @chunk rd_gather_f32: vector_f32
static inline rd_f32v rd_gather_f32(const float *p, int64_t step)
{
	rd_f32v r = {0};
	for (int l = 0; l < (int)RD_LANES(1, float); l++)
		r[l] = p[l * step];
	return r;
}

// @chunk rd_load_evens_f32: vector_f32 evens
// Elements 0, 2, 4, ..: nothing is read after the last one.
static inline rd_f32v rd_load_evens_f32(const float *p)
{
	rd_f32v a = *(const rd_f32u *)p, b = *(const rd_f32u *)(p + RD_LANES(1, float) - 1);
	return RD_SHUFFLE(a, b, rd_f32m, RD_EVENS_f32);
}

// @chunk rd_scatter_f32: vector_f32
static inline void rd_scatter_f32(float *p, int64_t step, rd_f32v x)
{
	for (int l = 0; l < (int)RD_LANES(1, float); l++)
		p[l * step] = x[l];
}

// @chunk rd_store_f32: vector_f32
static inline void rd_store_f32(float *p, rd_f32v x)
{
	*(rd_f32u *)p = x;
}

// @chunk rd_splat_f32: vector_f32
// Less zero, since adding that would change -0.
static inline rd_f32v rd_splat_f32(float x)
{
	return x - (rd_f32v){0};
}

// @chunk rd_count_f32: vector_f32
// first, first + 1, ...: each is rounded by itself, since sums of large ones would be other numbers.
static inline rd_f32v rd_count_f32(int64_t first)
{
	rd_f32v r = {0};
	for (int l = 0; l < (int)RD_LANES(1, float); l++)
		r[l] = (float)(first + l);
	return r;
}

// @chunk rd_mask_f32: vector_f32
static inline rd_f32m rd_mask_f32(bool x)
{
	return -(int32_t)x - (rd_f32m){0};
}

// @chunk rd_select_f32: vector_f32
static inline RD_UNUSED rd_f32v rd_select_f32(rd_f32m mask, rd_f32v yes, rd_f32v no)
{
	return (rd_f32v)((mask & (rd_f32m)yes) | (~mask & (rd_f32m)no));
}

// @chunk rd_isplat_f32: vector_f32
static inline rd_f32m rd_isplat_f32(int32_t x) { return x - (rd_f32m){0}; }

// @chunk rd_icount_f32: vector_f32
static inline rd_f32m rd_icount_f32(int32_t first)
{
	return first + (rd_f32m){RD_NUMBERS_f32};
}

// @chunk rd_iselect_f32: vector_f32
static inline rd_f32m rd_iselect_f32(rd_f32m mask, rd_f32m yes, rd_f32m no)
{
	return (mask & yes) | (~mask & no);
}

// @chunk unsigned_f32: vector_f32
typedef uint32_t rd_f32n __attribute__((vector_size(RD_VECTOR)));

// @chunk rd_iadd_f32: unsigned_f32
static inline rd_f32m rd_iadd_f32(rd_f32m x, rd_f32m y) { return (rd_f32m)((rd_f32n)x + (rd_f32n)y); }

// @chunk rd_isub_f32: unsigned_f32
static inline rd_f32m rd_isub_f32(rd_f32m x, rd_f32m y) { return (rd_f32m)((rd_f32n)x - (rd_f32n)y); }

// @chunk rd_imin_f32: rd_iselect_f32
static inline rd_f32m rd_imin_f32(rd_f32m x, rd_f32m y) { return rd_iselect_f32(x < y, x, y); }

// @chunk rd_imax_f32: rd_iselect_f32
static inline rd_f32m rd_imax_f32(rd_f32m x, rd_f32m y) { return rd_iselect_f32(x > y, x, y); }

// @chunk rd_ieq_f32: vector_f32
static inline rd_f32m rd_ieq_f32(rd_f32m x, rd_f32m y) { return x == y; }

// @chunk rd_ilt_f32: vector_f32
static inline rd_f32m rd_ilt_f32(rd_f32m x, rd_f32m y) { return x < y; }

// @chunk rd_ile_f32: vector_f32
static inline rd_f32m rd_ile_f32(rd_f32m x, rd_f32m y) { return x <= y; }

// @chunk rd_istore_f32: vector_f32
static inline void rd_istore_f32(int32_t *p, rd_f32m x) { memcpy(p, &x, sizeof x); }

// @chunk rd_visnan_f32: vector_f32
static inline rd_f32m rd_visnan_f32(rd_f32v x) { return x != x; }

// @chunk rd_mask_and_f32: vector_f32
static inline rd_f32m rd_mask_and_f32(rd_f32m x, rd_f32m y) { return x & y; }

// @chunk rd_mask_or_f32: vector_f32
static inline rd_f32m rd_mask_or_f32(rd_f32m x, rd_f32m y) { return x | y; }

// @chunk rd_some_f32: vector_f32
static inline bool rd_some_f32(rd_f32m x)
{
#if defined(__AVX512F__) && RD_VECTOR == 64 && !defined(__clang__)
	typedef int lanes __attribute__((vector_size(64)));
	return __builtin_ia32_ptestmd512((lanes)x, (lanes)x, -1);
#else
	int64_t parts[RD_VECTOR / 8], some = 0;
	memcpy(parts, &x, sizeof parts);
	for (int k = 0; k < RD_VECTOR / 8; k++)
		some |= parts[k];
	return some != 0;
#endif
}

// @chunk rd_mask_not_f32: vector_f32
static inline rd_f32m rd_mask_not_f32(rd_f32m x) { return ~x; }

// @chunk rd_veq_f32: vector_f32
static inline rd_f32m rd_veq_f32(rd_f32v x, rd_f32v y) { return x == y; }

// @chunk rd_vlt_f32: vector_f32
static inline rd_f32m rd_vlt_f32(rd_f32v x, rd_f32v y) { return x < y; }

// @chunk rd_vle_f32: vector_f32
static inline rd_f32m rd_vle_f32(rd_f32v x, rd_f32v y) { return x <= y; }

// @chunk rd_vneg_f32: vector_f32
static inline rd_f32v rd_vneg_f32(rd_f32v x) { return -x; }

// @chunk rd_vsgn_f32: rd_select_f32 rd_splat_f32
static inline rd_f32v rd_vsgn_f32(rd_f32v x)
{
	rd_f32v sign = rd_select_f32(x < 0, rd_splat_f32(-1), rd_select_f32(x != x, x, rd_splat_f32(0)));
	return rd_select_f32(x > 0, rd_splat_f32(1), sign);
}

// @chunk rd_apart_f32: vector_f32
// Each lane as the one so far apart, a power of two: with it all lanes are combined in few steps.
static inline rd_f32v rd_apart_f32(rd_f32v x, int far)
{
#if defined(__GNUC__) && !defined(__clang__)
	return __builtin_shuffle(x, (rd_f32m){RD_NUMBERS_f32} ^ far);
#else
	rd_f32v r = x;
	for (int l = 0; l < (int)RD_LANES(1, float); l++)
		r[l] = x[l ^ far];
	return r;
#endif
}

// @chunk rd_iapart_f32: rd_apart_f32
static inline rd_f32m rd_iapart_f32(rd_f32m x, int far)
{
	return (rd_f32m)rd_apart_f32((rd_f32v)x, far);
}

// @chunk rd_vsum_f32: rd_apart_f32
static inline float rd_vsum_f32(rd_f32v x)
{
	for (int far = (int)RD_LANES(1, float) / 2; far > 0; far /= 2)
		x += rd_apart_f32(x, far);
	return x[0];
}

// @chunk rd_vabs_f32: vector_f32
static inline rd_f32v rd_vabs_f32(rd_f32v x)
{
	return (rd_f32v)((rd_f32m)x & INT32_MAX);
}

// @chunk rd_vmin_f32: rd_select_f32
// As for scalars: a NaN operand is ignored unless both are NaN, and -0 is less than 0.
static inline rd_f32v rd_vmin_f32(rd_f32v x, rd_f32v y)
{
#if defined(__aarch64__) && RD_VECTOR == 16
	rd_f32v r;
	__asm__("fminnm %0.4s, %1.4s, %2.4s" : "=w"(r) : "w"(x), "w"(y));
	return r;
#else
	rd_f32m tie = (x == y) & ((rd_f32m)x < 0);
	return rd_select_f32((x < y) | (y != y) | tie, x, y);
#endif
}

// @chunk rd_vmax_f32: rd_select_f32
static inline rd_f32v rd_vmax_f32(rd_f32v x, rd_f32v y)
{
#if defined(__aarch64__) && RD_VECTOR == 16
	rd_f32v r;
	__asm__("fmaxnm %0.4s, %1.4s, %2.4s" : "=w"(r) : "w"(x), "w"(y));
	return r;
#else
	rd_f32m tie = (x == y) & ((rd_f32m)y < 0);
	return rd_select_f32((x > y) | (y != y) | tie, x, y);
#endif
}

// @chunk each_f32: vector_f32
#define RD_EACH_f32(r, f, ...) \
	do { for (int l_ = 0; l_ < (int)RD_LANES(1, float); l_++) (r)[l_] = f(__VA_ARGS__); } while (0)

// @chunk rd_vsqrt_f32: each_f32 rd_sqrt_f32
static inline rd_f32v rd_vsqrt_f32(rd_f32v x)
{
	RD_EACH_f32(x, rd_sqrt_f32, x[l_]);
	return x;
}

// @chunk rd_vpow_f32: each_f32 rd_pow_f32
static inline rd_f32v rd_vpow_f32(rd_f32v x, rd_f32v y)
{
	RD_EACH_f32(x, rd_pow_f32, x[l_], y[l_]);
	return x;
}

// @chunk rd_exp_parts_f32: vector_f32
static RD_INLINE rd_f32v rd_exp_parts_f32(rd_f32v y, rd_f32m *n, rd_f32v *low)
{
	rd_f32v shifted = y * 0x1.715476p0f + 0x1.8p23f, whole = shifted - 0x1.8p23f;
	*n = (rd_f32m)shifted - 0x4b400000;
	rd_f32v first = y - whole * 0x1.62ep-1f, rest = whole * 0x1.0bfbe8p-15f;
	rd_f32v r = first - rest, r2 = r * r;
	rd_f32v c = r2 * ((0.5f + 0x1.5554dcp-3f * r) + (0x1.55551ap-5f + 0x1.120b6ep-7f * r) * r2
	                  + 0x1.6d110ap-10f * (r2 * r2));
	rd_f32v sum = r + c;
	*low = ((r - sum) + c) + ((first - r) - rest);
	return sum;
}

// @chunk rd_vexp_f32: rd_exp_parts_f32 rd_select_f32 rd_splat_f32
static RD_INLINE rd_f32v rd_vexp_f32(rd_f32v x)
{
	rd_f32m n;
	x = rd_select_f32(x > 89, rd_splat_f32(89), x);
	x = rd_select_f32(x < -105, rd_splat_f32(-105), x);
	rd_f32v low, p = 1 + rd_exp_parts_f32(x, &n, &low);
	rd_f32m half = n >> 1;
	return p * (rd_f32v)((half + 127) << 23) * (rd_f32v)((n - half + 127) << 23);
}

// @chunk rd_vtanh_f32: rd_exp_parts_f32 rd_select_f32 rd_splat_f32 rd_vabs_f32
static RD_INLINE rd_f32v rd_vtanh_f32(rd_f32v x)
{
	rd_f32m n, sign = (rd_f32m)x & INT32_MIN;
	rd_f32v y = 2 * rd_vabs_f32(x), low;
	y = rd_select_f32(y > 20, rd_splat_f32(20), y);
	rd_f32v part = rd_exp_parts_f32(y, &n, &low), power = (rd_f32v)((n + 127) << 23);
	rd_f32v m = power * part + (power - 1), d = m + 2, q = m / d;
	rd_f32v off_m = ((power - 1 - m) + power * part) + power * low, off_d = m - (d - 2);
	rd_f32v more = (off_m - q * (off_m + off_d)) * ((1 - q) * 0.5f);
	q += rd_select_f32(y < 10, more, rd_splat_f32(0));
	return (rd_f32v)((rd_f32m)q | sign);
}

// @chunk rd_log_sum_f32: vector_f32
static RD_INLINE rd_f32v rd_log_sum_f32(rd_f32v k, rd_f32v f, rd_f32v low)
{
	rd_f32v s = f / (2 + f), z = s * s, w = z * z, square = 0.5f * f * f;
	rd_f32v t1 = w * (0x1.999c26p-2f + w * 0x1.f13c4cp-3f);
	rd_f32v t2 = z * (0x1.555554p-1f + w * 0x1.23d3dcp-2f);
	low = s * (square + (t1 + t2)) + low;
	return k * 0x1.62e3p-1f - ((square - low) - f);
}

// @chunk rd_vlog_f32: rd_log_sum_f32 rd_select_f32 rd_splat_f32
static RD_INLINE rd_f32v rd_vlog_f32(rd_f32v x)
{
	rd_f32m tiny = x < 0x1p-126f;
	rd_f32v y = rd_select_f32(tiny, x * 0x1p25f, x);
	rd_f32m bits = (rd_f32m)y - 0x3f3504f3;
	rd_f32v k = __builtin_convertvector((bits >> 23) - (tiny & 25), rd_f32v);
	rd_f32v f = (rd_f32v)((bits & 0x7fffff) + 0x3f3504f3) - 1;
	rd_f32v r = rd_log_sum_f32(k, f, k * 0x1.2fefa2p-17f);
	r = rd_select_f32(x == 0, rd_splat_f32(-INFINITY), r);
	r = rd_select_f32(x < 0, rd_splat_f32(NAN), r);
	return rd_select_f32((x == INFINITY) | (x != x), x, r);
}

// @chunk rd_vlog1p_f32: rd_log_sum_f32 rd_select_f32 rd_splat_f32
static RD_INLINE rd_f32v rd_vlog1p_f32(rd_f32v x)
{
	rd_f32v y = 1 + x;
	rd_f32m bits = (rd_f32m)y - 0x3f3504f3, exponent = bits >> 23, near = exponent == 0;
	rd_f32v k = __builtin_convertvector(exponent, rd_f32v);
	rd_f32v off = rd_select_f32(x > 1, 1 - (y - x), x - (y - 1)) / y;
	rd_f32v f = rd_select_f32(near, x, (rd_f32v)((bits & 0x7fffff) + 0x3f3504f3) - 1);
	rd_f32v r = rd_log_sum_f32(k, f, rd_select_f32(near, rd_splat_f32(0), k * 0x1.2fefa2p-17f + off));
	r = rd_select_f32(x == -1, rd_splat_f32(-INFINITY), r);
	r = rd_select_f32(x < -1, rd_splat_f32(NAN), r);
	return rd_select_f32((x == INFINITY) | (x != x) | (x == 0), x, r);
}

// @chunk rd_vsin_f32: each_f32 rd_sin_f32
static inline rd_f32v rd_vsin_f32(rd_f32v x)
{
	RD_EACH_f32(x, rd_sin_f32, x[l_]);
	return x;
}

// @chunk rd_vcos_f32: each_f32 rd_cos_f32
static inline rd_f32v rd_vcos_f32(rd_f32v x)
{
	RD_EACH_f32(x, rd_cos_f32, x[l_]);
	return x;
}

// @end
#endif
