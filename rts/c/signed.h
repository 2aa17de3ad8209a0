// Operations on signed integers; a template like int.h.

// @chunk RD(quot):
// Towards zero; the quotient of the smallest number by -1 wraps.
static inline T RD(quot)(T x, T y)
{
	return y == -1 ? (T)-(W)x : (T)(x / y);
}

// @chunk RD(rem):
static inline T RD(rem)(T x, T y)
{
	return y == -1 ? 0 : (T)(x % y);
}

// @chunk RD(div):
// Towards negative infinity.
static inline T RD(div)(T x, T y)
{
	if (y == -1)
		return (T)-(W)x;
	T q = (T)(x / y), r = (T)(x % y);
	return (T)(q - (r != 0 && (r < 0) != (y < 0)));
}

// @chunk RD(mod):
// The rest of that: it has the sign of y.
static inline T RD(mod)(T x, T y)
{
	if (y == -1)
		return 0;
	T r = (T)(x % y);
	return (T)(r + (r != 0 && (r < 0) != (y < 0) ? y : 0));
}

// @chunk RD(abs):
static inline T RD(abs)(T x)
{
	return x < 0 ? (T)-(W)x : x;
}

// @chunk RD(sgn):
static inline T RD(sgn)(T x)
{
	return (T)((x > 0) - (x < 0));
}

// @end
