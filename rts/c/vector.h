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
#define rd_kind_f64 "2d" // of lanes, to assemblers
#define rd_kind_f32 "4s"
#define RD_UP_TO_4 0, 1, 2, 3
#define RD_UP_TO_8 RD_UP_TO_4, 4, 5, 6, 7
#if RD_VECTOR == 64 // the numbers of the lanes
#define rd_numbers_f64 RD_UP_TO_8
#define rd_numbers_f32 RD_UP_TO_8, 8, 9, 10, 11, 12, 13, 14, 15
#elif RD_VECTOR == 32
#define rd_numbers_f64 RD_UP_TO_4
#define rd_numbers_f32 RD_UP_TO_8
#else
#define rd_numbers_f64 0, 1
#define rd_numbers_f32 RD_UP_TO_4
#endif

// @chunk evens: vector
// Of two vectors, the second of which begins with the last element of the first.
#if RD_VECTOR == 64
#define rd_evens_f64 0, 2, 4, 6, 9, 11, 13, 15
#define rd_evens_f32 0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31
#elif RD_VECTOR == 32
#define rd_evens_f64 0, 2, 5, 7
#define rd_evens_f32 0, 2, 4, 6, 9, 11, 13, 15
#else
#define rd_evens_f64 0, 3
#define rd_evens_f32 0, 2, 5, 7
#endif
#ifdef __clang__
#define RD_SHUFFLE(a, b, mask, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define RD_SHUFFLE(a, b, mask, ...) __builtin_shuffle(a, b, (mask){__VA_ARGS__})
#endif

// @chunk masks: vector
// Whether there are loads and stores of some lanes alone, by instructions: then what is left of a
// loop is a vector of which only some lanes count, which is no gain where these are done in turn.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && RD_VECTOR == 64
#define RD_MASKED 1
typedef long long rd_longs __attribute__((vector_size(64)));
#define rd_bits_f32(mask) __builtin_ia32_cvtd2mask512(mask)
#define rd_bits_f64(mask) __builtin_ia32_cvtq2mask512((rd_longs)(mask))
#define rd_gather_masked_f32(p, at, mask) __builtin_ia32_gathersiv16sf((rd_f32v){0}, p, at, rd_bits_f32(mask), 4)
#define rd_gather_masked_f64(p, at, mask) \
	__builtin_ia32_gatherdiv8df((rd_f64v){0}, p, (rd_longs)(at), rd_bits_f64(mask), 8)
#define rd_load_masked_f32(p, mask) __builtin_ia32_loadups512_mask(p, (rd_f32v){0}, rd_bits_f32(mask))
#define rd_load_masked_f64(p, mask) __builtin_ia32_loadupd512_mask(p, (rd_f64v){0}, rd_bits_f64(mask))
#define rd_store_masked_f32(p, mask, x) __builtin_ia32_storeups512_mask(p, x, rd_bits_f32(mask))
#define rd_store_masked_f64(p, mask, x) __builtin_ia32_storeupd512_mask(p, x, rd_bits_f64(mask))
#elif defined(__AVX2__) && RD_VECTOR == 32
#define RD_MASKED 1
typedef long long rd_longs __attribute__((vector_size(32)));
#ifdef __clang__
#define RD_GATHER_F32 __builtin_ia32_gatherd_ps256
#define RD_GATHER_F64 __builtin_ia32_gatherq_pd256
#else
#define RD_GATHER_F32 __builtin_ia32_gathersiv8sf
#define RD_GATHER_F64 __builtin_ia32_gatherdiv4df
#endif
#define rd_gather_masked_f32(p, at, mask) RD_GATHER_F32((rd_f32v){0}, p, at, (rd_f32v)(mask), 4)
#define rd_gather_masked_f64(p, at, mask) \
	RD_GATHER_F64((rd_f64v){0}, p, (rd_longs)(at), (rd_f64v)(mask), 8)
#define rd_load_masked_f32(p, mask) __builtin_ia32_maskloadps256((const rd_f32v *)(p), mask)
#define rd_load_masked_f64(p, mask) __builtin_ia32_maskloadpd256((const rd_f64v *)(p), (rd_longs)(mask))
#define rd_store_masked_f32(p, mask, x) __builtin_ia32_maskstoreps256((rd_f32v *)(p), mask, x)
#define rd_store_masked_f64(p, mask, x) __builtin_ia32_maskstorepd256((rd_f64v *)(p), (rd_longs)(mask), x)
#else
#define RD_MASKED 0
#endif
#ifndef RD_MASKS
#define RD_MASKS RD_MASKED
#endif

// @chunk each: vector
#define RD_EACH(r, f, ...) \
	do { for (int l_ = 0; l_ < (int)(sizeof(r) / sizeof((r)[0])); l_++) (r)[l_] = f(__VA_ARGS__); } while (0)

// @end
#define SUFFIX f64
#define T double
#define I int64_t
#define U uint64_t
#define V rd_f64v
#define K rd_f64m
#include "lanes.h"
#undef SUFFIX
#undef T
#undef I
#undef U
#undef V
#undef K

#define SUFFIX f32
#define T float
#define I int32_t
#define U uint32_t
#define V rd_f32v
#define K rd_f32m
#include "lanes.h"
#undef SUFFIX
#undef T
#undef I
#undef U
#undef V
#undef K

#include "vector_math.h"
#endif
