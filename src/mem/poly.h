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

// Sizes are variables that are not negative.
typedef struct { const Map *scalars, *sizes; } Known;
bool sum_at_most(Known, Sub a, Sub b, Sub c);   // a + b <= c
bool slices_disjoint(Known, Slices, Slices);    // no element of an array is in both
#endif
