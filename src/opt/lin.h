// Sums of constants and multiples of variables, and numbers that may be unknown.  See lin.c.
#ifndef RAIDO_LIN_H
#define RAIDO_LIN_H
#include "core/core.h"

enum { TERMS = 6 };
typedef struct { Var v, w; int64_t k; } Term;           // k * v, or k * v * w; v.id <= w.id then
typedef struct { int64_t c; int n; Term t[TERMS]; bool bad; } Lin; // bad: too large to handle
typedef struct { int64_t v; bool none; } Edge;          // an end of an interval; none: not known

static const Edge no_edge = {0, true};
static inline Edge edge_add(Edge a, Edge b)     // none if it overflows
{
	int64_t x;
	bool none = a.none || b.none || __builtin_add_overflow(a.v, b.v, &x);
	return none ? no_edge : (Edge){x, false};
}
// INT64_MIN is taken for an overflow as well: nothing has its magnitude.
static inline Edge edge_mul(Edge a, Edge b)
{
	int64_t x;
	bool none = a.none || b.none || __builtin_mul_overflow(a.v, b.v, &x) || x == INT64_MIN;
	return none ? no_edge : (Edge){x, false};
}
static inline Lin lin_const(int64_t c) { return (Lin){.c = c}; }
static inline Lin lin_var(Var v)       { return (Lin){.n = 1, .t = {{v, {0}, 1}}}; }
void lin_add_to(Lin *a, const Lin *b, int64_t k); // a += k * b
static inline Lin lin_add(Lin a, Lin b, int64_t k)
{
	lin_add_to(&a, &b, k);
	return a;
}
Lin  lin_times(Lin, Var);                       // of a sum without products
bool lin_same(const Lin *, const Lin *);
#endif
