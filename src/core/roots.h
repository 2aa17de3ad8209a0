// Sets of roots: the memory that an array may share, by numbers.  Whoever follows what consumes
// what gives the numbers out.
#ifndef RAIDO_ROOTS_H
#define RAIDO_ROOTS_H
#include "core/core.h"

typedef SLICE(int) Roots;                       // ascending
typedef SLICE(Roots) RootSets;

Roots roots_unite(Roots, Roots);
bool  roots_disjoint(Roots, Roots);
// What the n results of a loop may alias: `may` has their initial values and what the body returns
// (`res`).  Where that is a parameter, told by the parameter's root in `marker` (-1: it has none),
// what that one may alias is added, to a fixed point.
void  roots_close_loop(RootSets may, RootSets res, const int *marker, int n);
#endif
