// The foundation of generated programs: system headers and error codes.
//
// The headers of this folder compile by themselves, as C11 and as C++17.  What stands between
// the marks @chunk and @end is copied into generated programs; see src/gen/gen.h.
#ifndef RD_BASE_H
#define RD_BASE_H

// To read math.h takes a sixth of the time of compiling a small program, so those that call none of its
// functions do without; infinite constants need it only for compilers that are not GNU's.
// @chunk math:
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>
// @chunk base:
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef INFINITY
#ifdef __GNUC__
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#else
#include <math.h>
#endif
#endif
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GNUC__
#define RD_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define RD_COLD __attribute__((cold, noinline, unused))
#define RD_APART __attribute__((noinline)) // as fast as if it were alone in the program
#ifdef __clang__
#define RD_CONTROL RD_APART
#else // calls of what takes time, and allocations: not worth the time of an optimiser
#define RD_CONTROL __attribute__((noinline, optimize("Og")))
#endif
#define RD_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RD_LIKELY(x) __builtin_expect(!!(x), 1)
#define RD_UNUSED __attribute__((unused))
#else
#define RD_PRINTF(f, a)
#define RD_COLD
#define RD_APART
#define RD_CONTROL
#define RD_UNLIKELY(x) (x)
#define RD_LIKELY(x) (x)
#define RD_UNUSED
#endif
// An error is rarer than the one case in ten that compilers take for unlikely: after a few allocations they
// would think little of the loops that come then.
#ifdef __has_builtin
#if __has_builtin(__builtin_expect_with_probability)
#define RD_FAILED(err) __builtin_expect_with_probability((err) != 0, 0, 0.99)
#endif
#endif
#ifndef RD_FAILED
#define RD_FAILED(err) RD_UNLIKELY((err) != 0)
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function" // of small functions, a program needs some
#pragma clang diagnostic ignored "-Wunused-variable" // sizes that loops would need which a product is for
#elif defined(__GNUC__) && __GNUC__ >= 7
#pragma GCC diagnostic ignored "-Wstringop-overflow" // false alarms: no size is negative
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wunused-variable"
#endif

// @chunk ivdep: base
// Stands before a loop whose iterations do not depend on each other.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" // it is a permission, not an order
#define RD_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define RD_INDEPENDENT _Pragma("GCC ivdep")
#else
#define RD_INDEPENDENT
#endif

// @chunk few: base
// In a loop of few iterations: compilers do not know that, and would make vectors of it.
#if defined(__GNUC__)
#define RD_FEW __asm__ volatile("")
#else
#define RD_FEW ((void)0)
#endif

// @chunk unroll: base
// Stands before a loop of few instructions, some of which are the counting.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define RD_UNROLL _Pragma("clang loop unroll_count(4)")
#elif defined(__GNUC__) && __GNUC__ >= 8
#define RD_UNROLL _Pragma("GCC unroll 4")
#else
#define RD_UNROLL
#endif

// @chunk rarely: base
// Stands in a branch that is rarely taken: it must not become a conditional move, which
// would have to wait for the condition.
#ifdef __GNUC__
#define RD_RARELY __asm__ volatile("")
#else
#define RD_RARELY
#endif

// @chunk rd_pick_f32: base
// yes if it is to be, else no, without a branch: x86 has no instruction for that.
static inline float rd_pick_f32(bool is, float yes, float no)
{
#ifdef __x86_64__
	uint32_t x, y, mask = 0 - (uint32_t)is;
	memcpy(&x, &yes, sizeof x);
	memcpy(&y, &no, sizeof y);
	x = (x & mask) | (y & ~mask);
	memcpy(&yes, &x, sizeof x);
	return yes;
#else
	return is ? yes : no;
#endif
}

// @chunk rd_pick_f64: base
static inline double rd_pick_f64(bool is, double yes, double no)
{
#ifdef __x86_64__
	uint64_t x, y, mask = 0 - (uint64_t)is;
	memcpy(&x, &yes, sizeof x);
	memcpy(&y, &no, sizeof y);
	x = (x & mask) | (y & ~mask);
	memcpy(&yes, &x, sizeof x);
	return yes;
#else
	return is ? yes : no;
#endif
}

// @chunk codes:
#ifndef FUTHARK_SUCCESS
#define FUTHARK_SUCCESS 0
#define FUTHARK_PROGRAM_ERROR 2
#define FUTHARK_OUT_OF_MEMORY 3
#endif

// @end
#endif
