// What can be seen of i64 operands from the operations that give them: sums of products.
#ifndef RAIDO_POLY_H
#define RAIDO_POLY_H
#include "core/core.h"

// Which operation gives a scalar: variable -> const Exp *.
Map  scalars_of(const Prog *);

// Each is false when it cannot be seen.
bool same_scalar(const Map *scalars, Sub, Sub);
bool is_product(const Map *scalars, Sub n, Subs factors);
// Is the offset that of the element, or of the part, of the array at these outer indices?
bool is_address(const Map *scalars, Sub offset, Type array, Subs idx);

// Sums of products.
enum { MOST_TERMS = 12, MOST_DEGREE = 6 };
typedef struct { uint32_t id[MOST_DEGREE]; int degree; uint64_t factor; } Term;
typedef struct { Term at[MOST_TERMS]; int n; bool ok; } Poly;
Poly poly_of(const Map *scalars, Sub);
void poly_add(Poly *, const Poly *, int64_t factor); // adds so many times the other one
bool poly_is_zero(const Poly *);

// Sizes are variables that are not negative; counters are, too, and are below their Sub.
typedef struct { const Map *scalars, *sizes, *counters; } Known;
bool poly_is_natural(Known, const Poly *);      // not negative
#endif
