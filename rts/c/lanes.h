// Operations on vectors of floats (vector.h).  A template: it is included once for each type with
// these defined, and chunks are copied with them replaced.
//
//   T, I, U   double, int64_t, uint64_t; float, int32_t, uint32_t
//   V, K      the types of vectors and of masks, which are vectors of integers: rd_f64v, rd_f64m
//   RD(name)  rd_name_f64

// @chunk RD(vector): vector
typedef T V __attribute__((vector_size(RD_VECTOR)));
typedef T RD(at) __attribute__((vector_size(RD_VECTOR), aligned(sizeof(T)), may_alias));
typedef I K __attribute__((vector_size(RD_VECTOR)));

// @chunk RD(load): RD(vector)
static inline V RD(load)(const T *p)
{
	return *(const RD(at) *)p;
}

// @chunk RD(load_bool): RD(vector)
// Of bools, a mask.
static inline K RD(load_bool)(const bool *p)
{
	int8_t r __attribute__((vector_size(RD_VECTOR / sizeof(T))));
	memcpy(&r, p, sizeof r);
	return -__builtin_convertvector(r, K);
}

// @chunk RD(load_i8): RD(vector)
static inline K RD(load_i8)(const int8_t *p)
{
	int8_t r __attribute__((vector_size(RD_VECTOR / sizeof(T))));
	memcpy(&r, p, sizeof r);
	return __builtin_convertvector(r, K);
}

// @chunk RD(load_i16): RD(vector)
static inline K RD(load_i16)(const int16_t *p)
{
	int16_t r __attribute__((vector_size(RD_VECTOR / sizeof(T) * 2)));
	memcpy(&r, p, sizeof r);
	return __builtin_convertvector(r, K);
}

// @chunk RD(load_i32): RD(vector)
static inline K RD(load_i32)(const int32_t *p)
{
	int32_t r __attribute__((vector_size(RD_VECTOR / sizeof(T) * 4)));
	memcpy(&r, p, sizeof r);
	return __builtin_convertvector(r, K);
}

// @chunk RD(gather): RD(vector)
static inline V RD(gather)(const T *p, int64_t step)
{
	V r = {0};
	for (int l = 0; l < (int)RD_LANES(1, T); l++)
		r[l] = p[l * step];
	return r;
}

// @chunk RD(load_evens): RD(vector) evens
// Elements 0, 2, 4, ..: nothing is read after the last one.
static inline V RD(load_evens)(const T *p)
{
	V a = *(const RD(at) *)p, b = *(const RD(at) *)(p + RD_LANES(1, T) - 1);
	return RD_SHUFFLE(a, b, K, RD(evens));
}

// @chunk RD(scatter): RD(vector)
static inline void RD(scatter)(T *p, int64_t step, V x)
{
	for (int l = 0; l < (int)RD_LANES(1, T); l++)
		p[l * step] = x[l];
}

// @chunk RD(store): RD(vector)
static inline void RD(store)(T *p, V x)
{
	*(RD(at) *)p = x;
}

// @chunk RD(first): RD(vector)
// A mask: the first n lanes.
static inline K RD(first)(int64_t n)
{
	return (K){RD(numbers)} < (I)n;
}

// @chunk RD(load_part): RD(first) masks
// The first n lanes, which may be none or more than there are; the others are 0, and not read.
static inline V RD(load_part)(const T *p, int64_t n)
{
#if RD_MASKED
	return RD(load_masked)(p, RD(first)(n));
#else
	V r = {0};
	for (int l = 0; l < (int)RD_LANES(1, T); l++)
		if (l < n)
			r[l] = p[l];
	return r;
#endif
}

// @chunk RD(load_evens_part): RD(load_part) evens
static inline V RD(load_evens_part)(const T *p, int64_t n)
{
	int64_t next = RD_LANES(1, T) - 1;
	V a = RD(load_part)(p, 2 * n - 1), b = {0};
	b = 2 * n - 1 > next ? RD(load_part)(p + next, 2 * n - 1 - next) : b;
	return RD_SHUFFLE(a, b, K, RD(evens));
}

// @chunk RD(gather_part): RD(first) masks
static inline V RD(gather_part)(const T *p, int64_t step, int64_t n)
{
#if RD_MASKED
	if (sizeof(I) == 8 || (step > INT32_MIN / 16 && step < INT32_MAX / 16))
		return RD(gather_masked)(p, (K){RD(numbers)} * (I)step, RD(first)(n));
#endif
	V r = {0};
	for (int l = 0; l < (int)RD_LANES(1, T); l++)
		if (l < n)
			r[l] = p[l * step];
	return r;
}

// @chunk RD(scatter_part): RD(vector)
static inline void RD(scatter_part)(T *p, int64_t step, V x, int64_t n)
{
	for (int l = 0; l < (int)RD_LANES(1, T); l++)
		if (l < n)
			p[l * step] = x[l];
}

// @chunk RD(store_part): RD(first) masks
static inline void RD(store_part)(T *p, V x, int64_t n)
{
#if RD_MASKED
	RD(store_masked)(p, RD(first)(n), x);
#else
	for (int l = 0; l < (int)RD_LANES(1, T); l++)
		if (l < n)
			p[l] = x[l];
#endif
}

// @chunk RD(istore_part): RD(vector)
static inline void RD(istore_part)(I *p, K x, int64_t n)
{
	for (int l = 0; l < (int)RD_LANES(1, T); l++)
		if (l < n)
			p[l] = x[l];
}

// @chunk RD(splat): RD(vector)
// Less zero, since adding that would change -0.
static inline V RD(splat)(T x)
{
	return x - (V){0};
}

// @chunk RD(mask): RD(vector)
static inline K RD(mask)(bool x)
{
	return -(I)x - (K){0};
}

// @chunk RD(select): RD(vector)
static inline RD_UNUSED V RD(select)(K mask, V yes, V no)
{
	return (V)((mask & (K)yes) | (~mask & (K)no));
}

// @chunk RD(isplat): RD(vector)
static inline K RD(isplat)(I x) { return x - (K){0}; }

// @chunk RD(icount): RD(vector)
static inline K RD(icount)(I first)
{
	return first + (K){RD(numbers)};
}

// @chunk RD(iselect): RD(vector)
static inline K RD(iselect)(K mask, K yes, K no)
{
	return (mask & yes) | (~mask & no);
}

// @chunk RD(unsigned): RD(vector)
typedef U RD(unsigned) __attribute__((vector_size(RD_VECTOR)));

// @chunk RD(iadd): RD(unsigned)
static inline K RD(iadd)(K x, K y) { return (K)((RD(unsigned))x + (RD(unsigned))y); }

// @chunk RD(isub): RD(unsigned)
static inline K RD(isub)(K x, K y) { return (K)((RD(unsigned))x - (RD(unsigned))y); }

// @chunk RD(imin): RD(iselect)
static inline K RD(imin)(K x, K y) { return RD(iselect)(x < y, x, y); }

// @chunk RD(imax): RD(iselect)
static inline K RD(imax)(K x, K y) { return RD(iselect)(x > y, x, y); }

// @chunk RD(ieq): RD(vector)
static inline K RD(ieq)(K x, K y) { return x == y; }

// @chunk RD(ilt): RD(vector)
static inline K RD(ilt)(K x, K y) { return x < y; }

// @chunk RD(ile): RD(vector)
static inline K RD(ile)(K x, K y) { return x <= y; }

// @chunk RD(istore): RD(vector)
static inline void RD(istore)(I *p, K x) { memcpy(p, &x, sizeof x); }

// @chunk RD(visnan): RD(vector)
static inline K RD(visnan)(V x) { return x != x; }

// @chunk RD(mask_and): RD(vector)
static inline K RD(mask_and)(K x, K y) { return x & y; }

// @chunk RD(mask_or): RD(vector)
static inline K RD(mask_or)(K x, K y) { return x | y; }

// @chunk RD(some): RD(vector)
static inline bool RD(some)(K x)
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

// @chunk RD(mask_not): RD(vector)
static inline K RD(mask_not)(K x) { return ~x; }

// @chunk RD(veq): RD(vector)
static inline K RD(veq)(V x, V y) { return x == y; }

// @chunk RD(vlt): RD(vector)
static inline K RD(vlt)(V x, V y) { return x < y; }

// @chunk RD(vle): RD(vector)
static inline K RD(vle)(V x, V y) { return x <= y; }

// @chunk RD(vneg): RD(vector)
static inline V RD(vneg)(V x) { return -x; }

// @chunk RD(vsgn): RD(select) RD(splat)
static inline V RD(vsgn)(V x)
{
	V sign = RD(select)(x < 0, RD(splat)(-1), RD(select)(x != x, x, RD(splat)(0)));
	return RD(select)(x > 0, RD(splat)(1), sign);
}

// @chunk RD(apart): RD(vector)
// Each lane as the one so far apart, a power of two: with it all lanes are combined in few steps.
static inline V RD(apart)(V x, int far)
{
#if defined(__GNUC__) && !defined(__clang__)
	return __builtin_shuffle(x, (K){RD(numbers)} ^ far);
#else
	V r = x;
	for (int l = 0; l < (int)RD_LANES(1, T); l++)
		r[l] = x[l ^ far];
	return r;
#endif
}

// @chunk RD(iapart): RD(apart)
static inline K RD(iapart)(K x, int far)
{
	return (K)RD(apart)((V)x, far);
}

// @chunk RD(vsum): RD(apart)
static inline T RD(vsum)(V x)
{
	for (int far = (int)RD_LANES(1, T) / 2; far > 0; far /= 2)
		x += RD(apart)(x, far);
	return x[0];
}

// @chunk RD(vabs): RD(vector)
static inline V RD(vabs)(V x)
{
	return (V)((K)x & (I)((U)-1 >> 1));
}

// @chunk RD(vmin): RD(select)
// As for scalars: a NaN operand is ignored unless both are NaN, and -0 is less than 0.
static inline V RD(vmin)(V x, V y)
{
#if defined(__aarch64__) && RD_VECTOR == 16
	V r;
	__asm__("fminnm %0." RD(kind) ", %1." RD(kind) ", %2." RD(kind) : "=w"(r) : "w"(x), "w"(y));
	return r;
#else
	K tie = (x == y) & ((K)x < 0);
	return RD(select)((x < y) | (y != y) | tie, x, y);
#endif
}

// @chunk RD(vmax): RD(select)
static inline V RD(vmax)(V x, V y)
{
#if defined(__aarch64__) && RD_VECTOR == 16
	V r;
	__asm__("fmaxnm %0." RD(kind) ", %1." RD(kind) ", %2." RD(kind) : "=w"(r) : "w"(x), "w"(y));
	return r;
#else
	K tie = (x == y) & ((K)y < 0);
	return RD(select)((x > y) | (y != y) | tie, x, y);
#endif
}

// @chunk RD(vsqrt): each RD(sqrt)
static inline V RD(vsqrt)(V x)
{
	RD_EACH(x, RD(sqrt), x[l_]);
	return x;
}

// @chunk RD(each_pow): each RD(pow) RD(select) RD(splat)
static RD_COLD V RD(each_pow)(V x, V y)
{
	RD_EACH(x, RD(pow), x[l_], y[l_]);
	return x;
}

static inline V RD(pow_of_0)(V y)
{
	V infinite = RD(splat)((T)INFINITY), one = RD(splat)(1);
	return RD(select)(y > 0, RD(splat)(0), RD(select)(y < 0, infinite, one));
}

// @chunk RD(all): RD(vector) masks
// Do all lanes count?
static inline bool RD(all)(K mask)
{
#if RD_MASKED && RD_VECTOR == 64
	return RD(bits)(mask) == (1 << RD_LANES(1, T)) - 1;
#endif
	bool all = true;
	for (int l = 0; l < (int)RD_LANES(1, T); l++)
		all &= mask[l] != 0;
	return all;
}

// @end
