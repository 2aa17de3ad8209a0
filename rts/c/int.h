// Operations on integers that C leaves undefined, or that it does not have.  A template: it is
// included once for each type with these defined, and chunks are copied with them replaced.
//
//   T, I, U   the type, and the signed and unsigned types as wide
//   W         an unsigned type as wide that does not promote to int
//   D         a type of the signedness of T and at least twice as wide
//   BITS      the width
//   RD(name)  rd_name_i32
//
// Integers wrap around; shifts are defined for every amount, by a mask rather than a branch, whose
// two paths compilers would duplicate in the code that follows.  Callers exclude division by zero
// and negative exponents.

// @chunk RD(add):
static inline T RD(add)(T x, T y)
{
	return (T)((W)x + (W)y);
}

// @chunk RD(sub):
static inline T RD(sub)(T x, T y)
{
	return (T)((W)x - (W)y);
}

// @chunk RD(mul):
static inline T RD(mul)(T x, T y)
{
	return (T)((W)x * (W)y);
}

// @chunk RD(neg):
static inline T RD(neg)(T x)
{
	return (T)-(W)x;
}

// @chunk RD(min):
static inline T RD(min)(T x, T y)
{
	return x < y ? x : y;
}

// @chunk RD(max):
static inline T RD(max)(T x, T y)
{
	return x < y ? y : x;
}

// @chunk RD(chunk):
// Loops are best done in whole vectors or tiles, several at a time where there are many rows; but
// no chunk may be much larger than another.
static inline T RD(chunk)(T rows, T chunks, T least)
{
	enum { VECTOR = 16, VECTORS = 64, TILE = 8 };
	int64_t k = chunks > 1 ? (int64_t)chunks : 1, z = (int64_t)least;
	int64_t size = (int64_t)((uint64_t)rows + (uint64_t)k - 1) / k, to = 1;
	if (z != 0 && size >= (z < 0 ? -z : z))
		to = VECTORS;
	else if (z > 0)
		to = VECTOR;
	else if (z < 0 && size >= -z / TILE)
		to = TILE;
	size = (int64_t)((uint64_t)size + (uint64_t)to - 1) & -to;
	return size > 1 ? (T)size : 1;
}

// @chunk RD(pow):
static inline T RD(pow)(T x, T y)
{
	W r = 1, b = (W)x;
	for (U e = (U)y; e; e = (U)(e >> 1)) {
		if (e & 1)
			r *= b;
		b *= b;
	}
	return (T)r;
}

// @chunk RD(mul_hi): int128
static inline T RD(mul_hi)(T x, T y)
{
	return (T)((D)x * (D)y >> BITS);
}

// @chunk RD(shl):
static inline T RD(shl)(T x, T y)
{
	return (T)((T)((W)x << (y & (BITS - 1))) & -(T)((uint64_t)y < BITS));
}

// @chunk RD(ashr):
static inline T RD(ashr)(T x, T y)
{
	return (T)((I)x >> ((uint64_t)y < BITS ? y : BITS - 1));
}

// @chunk RD(lshr):
static inline T RD(lshr)(T x, T y)
{
	return (T)((T)((U)x >> (y & (BITS - 1))) & -(T)((uint64_t)y < BITS));
}

// @chunk RD(popc):
static inline int32_t RD(popc)(T x)
{
	return __builtin_popcountll((U)x);
}

// @chunk RD(clz):
static inline int32_t RD(clz)(T x)
{
	return x ? __builtin_clzll((U)x) - (64 - BITS) : BITS;
}

// @chunk RD(ctz):
static inline int32_t RD(ctz)(T x)
{
	return x ? __builtin_ctzll((U)x) : BITS;
}

// @end
