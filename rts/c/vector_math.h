// Functions on vectors with constants of their type; what is the same for all types is in lanes.h.
#ifndef RD_VECTOR_MATH_H
#define RD_VECTOR_MATH_H

// @chunk rd_count_f64: rd_vector_f64
// first, first + step, ...: exact for indices.
static RD_INLINE rd_f64v rd_count_f64(int64_t first, int step)
{
	return (double)first + step * (rd_f64v){rd_numbers_f64};
}

// @chunk rd_exp_parts_f64: rd_vector_f64
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

// @chunk rd_log_sum_f64: rd_vector_f64
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

// @chunk rd_exact_mul_f64: each
// x * y, and what was rounded off it.
static RD_INLINE rd_f64v rd_exact_mul_f64(rd_f64v x, rd_f64v y, rd_f64v *low)
{
	rd_f64v p = x * y, off;
#if defined(__AVX512F__) && RD_VECTOR == 64 && !defined(__clang__)
	off = __builtin_ia32_vfmaddpd512_mask(x, y, -p, 0xff, 4);
#elif defined(__FMA__) && RD_VECTOR == 32 && !defined(__clang__)
	off = __builtin_ia32_vfmaddpd256(x, y, -p);
#else // compilers see that the lanes do the same
	RD_EACH(off, __builtin_fma, x[l_], y[l_], -p[l_]);
#endif
	*low = off;
	return p;
}

// @chunk rd_log_parts_f64: rd_exact_mul_f64 rd_select_f64
// log(x) as a sum, to 2^-62 of it: x = 2^k m with m between sqrt(1/2) and sqrt(2), and log(m) = 2s (1 + z/3 + z^2/5 + ..)
// with s = (m - 1) / (m + 1) and z = s^2.  From z^2/5 on one number is enough.
static RD_INLINE rd_f64v rd_log_parts_f64(rd_f64v x, rd_f64v *low)
{
	rd_f64m tiny = x < 0x1p-1022;
	rd_f64v y = rd_select_f64(tiny, x * 0x1p54, x);
	rd_f64m bits = (rd_f64m)y - 0x3fe6a09e667f3bcd;
	rd_f64v k = __builtin_convertvector((bits >> 52) - (tiny & 54), rd_f64v);
	rd_f64v m = (rd_f64v)((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
	rd_f64v f = m - 1, d = m + 1, off, s = f / d, back = rd_exact_mul_f64(s, d, &off);
	rd_f64v s_low = (((f - back) - off) - s * (m - (d - 1))) / d;
	rd_f64v z_low, z = rd_exact_mul_f64(s, s, &z_low), w = z * z, w2 = w * w;
	z_low += 2 * s * s_low;
	rd_f64v p = (0x1.999999999999ap-3 + 0x1.2492492492492p-3 * z) + (0x1.c71c71c71c71cp-4 + 0x1.745d1745d1746p-4 * z) * w;
	rd_f64v q = (0x1.3b13b13b13b14p-4 + 0x1.1111111111111p-4 * z) + (0x1.e1e1e1e1e1e1ep-5 + 0x1.af286bca1af28p-5 * z) * w;
	rd_f64v r = (0x1.8618618618618p-5 + 0x1.642c8590b2164p-5 * z) + 0x1.47ae147ae147bp-5 * w;
	rd_f64v rest = w * (p + (q + r * w2) * w2);
	rd_f64v t_low, t = rd_exact_mul_f64(z, rd_splat_f64(0x1.5555555555555p-2), &t_low);
	t_low += z * 0x1.5555555555555p-56 + z_low * 0x1.5555555555555p-2;
	rd_f64v sum = t + rest, two = 2 * s, v_low;
	rd_f64v sum_low = ((t - sum) + rest) + t_low, v = rd_exact_mul_f64(two, sum, &v_low);
	v_low += two * sum_low + 2 * s_low * sum;
	rd_f64v log_m = two + v, log_m_low = ((two - log_m) + v) + (v_low + 2 * s_low);
	rd_f64v first = k * 0x1.62e42fefa38p-1, log_x = first + log_m;
	*low = ((first - log_x) + log_m) + (log_m_low + k * 0x1.ef35793c7673p-45);
	return log_x;
}

// @chunk rd_vpow_f64: rd_log_parts_f64 rd_exp_parts_f64 rd_all_f64 rd_vabs_f64 rd_each_pow_f64
// e^(y log(x)), to 1 ulp.  Of negative and infinite x, and of y that are larger than any that is of use, one after the other.
#ifdef __FP_FAST_FMA
static RD_APART rd_f64v rd_vpow_f64(rd_f64v x, rd_f64v y)
{
	if (RD_UNLIKELY(!rd_all_f64(((rd_f64m)x >= 0) & (x < INFINITY) & (rd_vabs_f64(y) < 1e9))))
		return rd_each_pow_f64(x, y);
	rd_f64m n;
	rd_f64v low, log = rd_log_parts_f64(x, &low), off, t = rd_exact_mul_f64(y, log, &off);
	low = off + y * low;
	t = rd_select_f64(t > 710, rd_splat_f64(710), t);
	t = rd_select_f64(t < -746, rd_splat_f64(-746), t);
	rd_f64v rest, part = rd_exp_parts_f64(t, &n, &rest), p = 1 + (part + (rest + low * (1 + part)));
	rd_f64m half = n >> 1;
	rd_f64v r = p * (rd_f64v)((half + 1023) << 52) * (rd_f64v)((n - half + 1023) << 52);
	return rd_select_f64(x == 0, rd_pow_of_0_f64(y), r);
}
#else
#define rd_vpow_f64 rd_each_pow_f64
#endif

// @chunk rd_quarter_f64: rd_vector_f64
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

// @chunk rd_sine_f64: rd_vector_f64
static inline rd_f64v rd_sine_f64(rd_f64v r, rd_f64v tail)
{
	rd_f64v z = r * r, w = z * z;
	rd_f64v p = (0x1.111111110f8a6p-7 + z * -0x1.a01a019c161d5p-13) +
	            w * ((0x1.71de357b1fe7dp-19 + z * -0x1.ae5e68a2b9cebp-26) + w * 0x1.5d93a5acfd57cp-33);
	return r - ((z * (0.5 * tail - z * r * p) - tail) - z * r * -0x1.5555555555549p-3);
}

// @chunk rd_cosine_f64: rd_vector_f64
static inline rd_f64v rd_cosine_f64(rd_f64v r, rd_f64v tail)
{
	rd_f64v z = r * r, w = z * z;
	rd_f64v low = 0x1.555555555554cp-5 + z * (-0x1.6c16c16c15177p-10 + z * 0x1.a01a019cb1590p-16);
	rd_f64v high = -0x1.27e4f809c52adp-22 + z * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37);
	rd_f64v p = z * low + w * w * high;
	rd_f64v half = 0.5 * z, top = 1 - half;
	return top + (((1 - top) - half) + (z * p - r * tail));
}

// @chunk rd_turn_f64: rd_quarter_f64 rd_sine_f64 rd_cosine_f64 rd_select_f64 rd_all_f64
static inline bool rd_all_small_f64(rd_f64v x, double limit)
{
	return rd_all_f64((x < limit) & (x > -limit));
}

// @chunk rd_vsin_f64: rd_turn_f64 each rd_sin_f64
// The last two bits of n tell which of the two, and the sign.  For -0, its sign is kept.
static inline rd_f64v rd_vsin_f64(rd_f64v x)
{
	if (RD_UNLIKELY(!rd_all_small_f64(x, 1e6))) {
		RD_EACH(x, rd_sin_f64, x[l_]);
		return x;
	}
	rd_f64m n;
	rd_f64v tail, r = rd_quarter_f64(x, &tail, &n);
	rd_f64v y = rd_select_f64((n & 1) != 0, rd_cosine_f64(r, tail), rd_sine_f64(r, tail));
	return rd_select_f64(x == 0, x, (rd_f64v)((rd_f64m)y ^ (n & 2) << 62));
}

// @chunk rd_vcos_f64: rd_turn_f64 each rd_cos_f64
static inline rd_f64v rd_vcos_f64(rd_f64v x)
{
	if (RD_UNLIKELY(!rd_all_small_f64(x, 1e6))) {
		RD_EACH(x, rd_cos_f64, x[l_]);
		return x;
	}
	rd_f64m n;
	rd_f64v tail, r = rd_quarter_f64(x, &tail, &n);
	rd_f64v y = rd_select_f64((n & 1) != 0, rd_sine_f64(r, tail), rd_cosine_f64(r, tail));
	return (rd_f64v)((rd_f64m)y ^ ((n + 1) & 2) << 62);
}

// @chunk rd_count_f32: rd_vector_f32
// first, first + step, ...: each is rounded by itself, since sums of large ones would be other numbers.
static RD_INLINE rd_f32v rd_count_f32(int64_t first, int step)
{
	rd_f32v r = {0};
	for (int l = 0; l < (int)RD_LANES(1, float); l++)
		r[l] = (float)(first + l * step);
	return r;
}

// @chunk rd_exp_parts_f32: rd_vector_f32
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

// @chunk rd_log_sum_f32: rd_vector_f32
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

// @chunk rd_halves_f32: rd_vector_f32 rd_vector_f64
// As two vectors of f64, in which some functions are easier than in f32.
typedef float rd_f32h __attribute__((vector_size(RD_VECTOR / 2)));
static RD_INLINE rd_f64v rd_half_f32(rd_f32v x, int half)
{
	rd_f32h h;
	memcpy(&h, (const char *)&x + (size_t)half * sizeof h, sizeof h);
	return __builtin_convertvector(h, rd_f64v);
}

static RD_INLINE rd_f32v rd_whole_f32(rd_f64v first, rd_f64v second)
{
	rd_f32h h[2] = {__builtin_convertvector(first, rd_f32h), __builtin_convertvector(second, rd_f32h)};
	rd_f32v r;
	memcpy(&r, h, sizeof r);
	return r;
}

// @chunk rd_vsin_f32: rd_halves_f32 rd_vsin_f64 each rd_sin_f32
static inline rd_f32v rd_vsin_f32(rd_f32v x)
{
#if RD_VECTOR == 16
	RD_EACH(x, rd_sin_f32, x[l_]);
	return x;
#endif
	return rd_whole_f32(rd_vsin_f64(rd_half_f32(x, 0)), rd_vsin_f64(rd_half_f32(x, 1)));
}

// @chunk rd_vcos_f32: rd_halves_f32 rd_vcos_f64 each rd_cos_f32
static inline rd_f32v rd_vcos_f32(rd_f32v x)
{
#if RD_VECTOR == 16
	RD_EACH(x, rd_cos_f32, x[l_]);
	return x;
#endif
	return rd_whole_f32(rd_vcos_f64(rd_half_f32(x, 0)), rd_vcos_f64(rd_half_f32(x, 1)));
}

// @chunk rd_exact_mul_f32: each
static RD_INLINE rd_f32v rd_exact_mul_f32(rd_f32v x, rd_f32v y, rd_f32v *low)
{
	rd_f32v p = x * y, off;
#if defined(__AVX512F__) && RD_VECTOR == 64 && !defined(__clang__)
	off = __builtin_ia32_vfmaddps512_mask(x, y, -p, 0xffff, 4);
#elif defined(__FMA__) && RD_VECTOR == 32 && !defined(__clang__)
	off = __builtin_ia32_vfmaddps256(x, y, -p);
#else
	RD_EACH(off, __builtin_fmaf, x[l_], y[l_], -p[l_]);
#endif
	*low = off;
	return p;
}

// @chunk rd_log_parts_f32: rd_exact_mul_f32 rd_select_f32 rd_splat_f32
static RD_INLINE rd_f32v rd_log_parts_f32(rd_f32v x, rd_f32v *low)
{
	rd_f32m tiny = x < 0x1p-126f;
	rd_f32v y = rd_select_f32(tiny, x * 0x1p25f, x);
	rd_f32m bits = (rd_f32m)y - 0x3f3504f3;
	rd_f32v k = __builtin_convertvector((bits >> 23) - (tiny & 25), rd_f32v);
	rd_f32v m = (rd_f32v)((bits & 0x7fffff) + 0x3f3504f3);
	rd_f32v f = m - 1, d = m + 1, off, s = f / d, back = rd_exact_mul_f32(s, d, &off);
	rd_f32v s_low = (((f - back) - off) - s * (m - (d - 1))) / d;
	rd_f32v z_low, z = rd_exact_mul_f32(s, s, &z_low), w = z * z;
	z_low += 2 * s * s_low;
	rd_f32v p = (0x1.99999ap-3f + 0x1.24924ap-3f * z) + (0x1.c71c72p-4f + 0x1.745d18p-4f * z) * w;
	rd_f32v rest = w * (p + (0x1.3b13b2p-4f + 0x1.111112p-4f * z) * (w * w));
	rd_f32v t_low, t = rd_exact_mul_f32(z, rd_splat_f32(0x1.555556p-2f), &t_low);
	t_low += z * -0x1.555556p-27f + z_low * 0x1.555556p-2f;
	rd_f32v sum = t + rest, two = 2 * s, v_low;
	rd_f32v sum_low = ((t - sum) + rest) + t_low, v = rd_exact_mul_f32(two, sum, &v_low);
	v_low += two * sum_low + 2 * s_low * sum;
	rd_f32v log_m = two + v, log_m_low = ((two - log_m) + v) + (v_low + 2 * s_low);
	rd_f32v first = k * 0x1.62e4p-1f, log_x = first + log_m;
	*low = ((first - log_x) + log_m) + (log_m_low + k * 0x1.7f7d1cp-20f);
	return log_x;
}

// @chunk rd_vpow_f32: rd_log_parts_f32 rd_exp_parts_f32 rd_all_f32 rd_vabs_f32 rd_each_pow_f32
#ifdef __FP_FAST_FMAF
static RD_APART rd_f32v rd_vpow_f32(rd_f32v x, rd_f32v y)
{
	if (RD_UNLIKELY(!rd_all_f32(((rd_f32m)x >= 0) & (x < INFINITY) & (rd_vabs_f32(y) < 1e5f))))
		return rd_each_pow_f32(x, y);
	rd_f32m n;
	rd_f32v low, log = rd_log_parts_f32(x, &low), off, t = rd_exact_mul_f32(y, log, &off);
	low = off + y * low;
	t = rd_select_f32(t > 89, rd_splat_f32(89), t);
	t = rd_select_f32(t < -105, rd_splat_f32(-105), t);
	rd_f32v rest, part = rd_exp_parts_f32(t, &n, &rest), p = 1 + (part + (rest + low * (1 + part)));
	rd_f32m half = n >> 1;
	rd_f32v r = p * (rd_f32v)((half + 127) << 23) * (rd_f32v)((n - half + 127) << 23);
	return rd_select_f32(x == 0, rd_pow_of_0_f32(y), r);
}
#else
#define rd_vpow_f32 rd_each_pow_f32
#endif

// @end
#endif
