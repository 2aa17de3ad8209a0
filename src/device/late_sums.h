// What the pass `late_sums` knows of a loop (late_sums.c says what it is for).
#ifndef RAIDO_LATE_SUMS_H
#define RAIDO_LATE_SUMS_H
#include "opt/opt.h"

typedef struct {
	const Stm *stm;                         // the loop
	const Exp *loop;
	const Body *body;
	Prim op;                                // of the sums: add, min or max
	Map group;                              // variable -> it: scalars that are linear in sums
	Map space;                              // variable -> Subs *: a sum, what it goes through
	Subs dims;                              // of all sums of the group
	Map vector;                             // variable -> Sub *: a sum, row by row
} Late;

// ---- late_sums_find.c ----

bool late_find(Late *);                         // is there a group?  dims: if given, of this space
bool late_has(const Late *, Sub);               // does it belong to the group?
bool late_is_sum(const Late *, Var);            // as one of the sums
bool late_is_linear(const Late *, const Stm *); // ... as an operation on others
bool late_is_neutral(const Late *, Sub);
// The operands that a result is linear in; how many.
int  linear_operands(const Late *, const Stm *, Sub out[2]);
// Where the values of reduction k are among the results of a combinator.
int  place_of_reduction(const Exp *, int k);
#endif
