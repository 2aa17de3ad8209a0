// Sums of constants and multiples of variables, and numbers that may be unknown.  See lin.c.
#ifndef RAIDO_LIN_H
#define RAIDO_LIN_H
#include "core/core.h"

enum { TERMS = 6 };
typedef struct { Var v, w; int64_t k; } Term;           // k * v, or k * v * w; v.id <= w.id then
typedef struct { int64_t c; int n; Term t[TERMS]; bool bad; } Lin; // bad: too large to handle
typedef struct { int64_t v; bool none; } Edge;          // an end of an interval; none: not known

static const Edge no_edge = {0, true};
Edge edge_add(Edge, Edge);                      // none if it overflows
Edge edge_mul(Edge, Edge);
Lin  lin_const(int64_t);
Lin  lin_var(Var);
Lin  lin_add(Lin a, Lin b, int64_t k);          // a + k * b
Lin  lin_times(Lin, Var);                       // of a sum without products
bool lin_same(const Lin *, const Lin *);
#endif
