// Operations on unsigned integers; a template like int.h.

// @chunk RD(quot):
static inline T RD(quot)(T x, T y)
{
	return (T)(x / y);
}

// @chunk RD(rem):
static inline T RD(rem)(T x, T y)
{
	return (T)(x % y);
}

// @chunk RD(div):
static inline T RD(div)(T x, T y)
{
	return (T)(x / y);
}

// @chunk RD(mod):
static inline T RD(mod)(T x, T y)
{
	return (T)(x % y);
}

// @chunk RD(abs):
static inline T RD(abs)(T x)
{
	return x;
}

// @chunk RD(sgn):
static inline T RD(sgn)(T x)
{
	return x != 0;
}

// @end
