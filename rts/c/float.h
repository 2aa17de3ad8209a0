// Operations on floats.  A template: it is included once for each type with these defined, and
// chunks are copied with them replaced.
//
//   T         double, float; for f16 float
//   M(name)   the function of math.h: sin, sinf
//   R(x)      rounds a T to the type: only f16 needs it
//   RD(name)  rd_name_f64

// @chunk RD(add):
static inline T RD(add)(T x, T y)
{
	return R(x + y);
}

// @chunk RD(sub):
static inline T RD(sub)(T x, T y)
{
	return R(x - y);
}

// @chunk RD(mul):
static inline T RD(mul)(T x, T y)
{
	return R(x * y);
}

// @chunk RD(div):
static inline T RD(div)(T x, T y)
{
	return R(x / y);
}

// @chunk RD(mod): math
static inline T RD(mod)(T x, T y)
{
	return R(M(fmod)(x, y));
}

// @chunk RD(pow): math
static inline T RD(pow)(T x, T y)
{
	return R(M(pow)(x, y));
}

// @chunk RD(neg):
static inline T RD(neg)(T x)
{
	return -x;
}

// @chunk RD(abs): math
static inline T RD(abs)(T x)
{
	return M(fabs)(x);
}

// @chunk RD(sgn):
static inline T RD(sgn)(T x)
{
	return x > 0 ? (T)1 : x < 0 ? (T)-1 : x != x ? x : (T)0;
}

// @chunk RD(min): math
// A NaN operand is ignored unless both are NaN, and -0 is less than 0.
static inline T RD(min)(T x, T y)
{
#if defined(__aarch64__) && defined(__GNUC__) && !defined(RD_DEVICE)
	return M(__builtin_fmin)(x, y);
#elif defined(__CUDACC__)
	return M(rd_fmin)(x, y);
#else
	return x < y || y != y || (x == y && signbit(x)) ? x : y;
#endif
}

// @chunk RD(max): math
static inline T RD(max)(T x, T y)
{
#if defined(__aarch64__) && defined(__GNUC__) && !defined(RD_DEVICE)
	return M(__builtin_fmax)(x, y);
#elif defined(__CUDACC__)
	return M(rd_fmax)(x, y);
#else
	return x > y || y != y || (x == y && signbit(y)) ? x : y;
#endif
}

// @chunk RD(recip):
static inline T RD(recip)(T x)
{
	return R(1 / x);
}

// @chunk RD(sqrt): math
static inline T RD(sqrt)(T x)
{
	return R(M(sqrt)(x));
}

// @chunk RD(rsqrt): math
static inline T RD(rsqrt)(T x)
{
	return R(1 / M(sqrt)(x));
}

// @chunk RD(cbrt): math
static inline T RD(cbrt)(T x)
{
	return R(M(cbrt)(x));
}

// @chunk RD(exp): M(rd_exp) math
static inline T RD(exp)(T x)
{
	return R(M(rd_exp)(x));
}

// @chunk RD(exp2): math
static inline T RD(exp2)(T x)
{
	return R(M(exp2)(x));
}

// @chunk RD(exp10): math
static inline T RD(exp10)(T x)
{
	return R(M(pow)((T)10, x));
}

// @chunk RD(expm1): math
static inline T RD(expm1)(T x)
{
	return R(M(expm1)(x));
}

// @chunk RD(log): math
static inline T RD(log)(T x)
{
	return R(M(log)(x));
}

// @chunk RD(log2): math
static inline T RD(log2)(T x)
{
	return R(M(log2)(x));
}

// @chunk RD(log10): math
static inline T RD(log10)(T x)
{
	return R(M(log10)(x));
}

// @chunk RD(log1p): math
static inline T RD(log1p)(T x)
{
	return R(M(log1p)(x));
}

// @chunk RD(hypot): math
static inline T RD(hypot)(T x, T y)
{
	return R(M(hypot)(x, y));
}

// @chunk RD(sin): math
static inline T RD(sin)(T x)
{
	return R(M(sin)(x));
}

// @chunk RD(cos): math
static inline T RD(cos)(T x)
{
	return R(M(cos)(x));
}

// @chunk RD(tan): math
static inline T RD(tan)(T x)
{
	return R(M(tan)(x));
}

// @chunk RD(sinpi): rd_sin_pi
static inline T RD(sinpi)(T x)
{
	return R((T)rd_sin_pi((double)x));
}

// @chunk RD(cospi): rd_cos_pi
static inline T RD(cospi)(T x)
{
	return R((T)rd_cos_pi((double)x));
}

// @chunk RD(tanpi): rd_tan_pi
static inline T RD(tanpi)(T x)
{
	return R((T)rd_tan_pi((double)x));
}

// @chunk RD(asin): math
static inline T RD(asin)(T x)
{
	return R(M(asin)(x));
}

// @chunk RD(acos): math
static inline T RD(acos)(T x)
{
	return R(M(acos)(x));
}

// @chunk RD(atan): math
static inline T RD(atan)(T x)
{
	return R(M(atan)(x));
}

// @chunk RD(asinpi): pi math
static inline T RD(asinpi)(T x)
{
	return R((T)(asin((double)x) / RD_PI));
}

// @chunk RD(acospi): pi math
static inline T RD(acospi)(T x)
{
	return R((T)(acos((double)x) / RD_PI));
}

// @chunk RD(atanpi): pi math
static inline T RD(atanpi)(T x)
{
	return R((T)(atan((double)x) / RD_PI));
}

// @chunk RD(atan2): math
static inline T RD(atan2)(T x, T y)
{
	return R(M(atan2)(x, y));
}

// @chunk RD(atan2pi): pi math
static inline T RD(atan2pi)(T x, T y)
{
	return R((T)(atan2((double)x, (double)y) / RD_PI));
}

// @chunk RD(sinh): math
static inline T RD(sinh)(T x)
{
	return R(M(sinh)(x));
}

// @chunk RD(cosh): math
static inline T RD(cosh)(T x)
{
	return R(M(cosh)(x));
}

// @chunk RD(tanh): M(rd_tanh) math
static inline T RD(tanh)(T x)
{
	return R(M(rd_tanh)(x));
}

// @chunk RD(asinh): math
static inline T RD(asinh)(T x)
{
	return R(M(asinh)(x));
}

// @chunk RD(acosh): math
static inline T RD(acosh)(T x)
{
	return R(M(acosh)(x));
}

// @chunk RD(atanh): math
static inline T RD(atanh)(T x)
{
	return R(M(atanh)(x));
}

// @chunk RD(gamma): math
static inline T RD(gamma)(T x)
{
	return R(M(tgamma)(x));
}

// @chunk RD(lgamma): rd_log_gamma math
static inline T RD(lgamma)(T x)
{
	return R((T)rd_log_gamma((double)x));
}

// @chunk RD(polygamma): rd_polygamma
static inline T RD(polygamma)(T x, T k)
{
	return R((T)rd_polygamma((double)x, (double)k));
}

// @chunk RD(erf): math
static inline T RD(erf)(T x)
{
	return R(M(erf)(x));
}

// @chunk RD(erfc): math
static inline T RD(erfc)(T x)
{
	return R(M(erfc)(x));
}

// @chunk RD(ceil): math
static inline T RD(ceil)(T x)
{
	return R(M(ceil)(x));
}

// @chunk RD(floor): math
static inline T RD(floor)(T x)
{
	return R(M(floor)(x));
}

// @chunk RD(round): math
static inline T RD(round)(T x)
{
	return R(M(rint)(x));
}

// @chunk RD(trunc): math
// Defined through an integer, hence no negative zero and 0 for what is no finite number.
static inline T RD(trunc)(T x)
{
	return x - x == 0 ? R(M(trunc)(x) + 0) : (T)0;
}

// @chunk RD(isnan): math
static inline bool RD(isnan)(T x)
{
	return x != x;
}

// @chunk RD(isinf): math
static inline bool RD(isinf)(T x)
{
	return M(fabs)(x) == (T)INFINITY;
}

// @chunk RD(copysign): math
static inline T RD(copysign)(T x, T y)
{
	return M(copysign)(x, y);
}

// @chunk RD(ldexp): math
static inline T RD(ldexp)(T x, int32_t k)
{
	return R(M(ldexp)(x, k));
}

// @chunk RD(mad):
static inline T RD(mad)(T x, T y, T z)
{
	return R(x * y + z);
}

// @chunk RD(fma): math
static inline T RD(fma)(T x, T y, T z)
{
	return R(M(fma)(x, y, z));
}

// @chunk RD(lerp): RD(min) RD(max)
// From x at z = 0 to y at z = 1.
static inline T RD(lerp)(T x, T y, T z)
{
	return R(x + (y - x) * RD(min)(RD(max)(z, 0), 1));
}

// @end
