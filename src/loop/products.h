// What the parts of the pass `split_products` share.
#ifndef RAIDO_PRODUCTS_H
#define RAIDO_PRODUCTS_H
#include "loop/split.h"

enum { MAX_LEVELS = 12 };

// ---- product_seeds.c: which sums are products of matrices ----

// The innermost loops of a product: a sum that is carried, or a loop over the last index of what
// is added to elements of an array.
typedef struct {
	const Exp *loop;                // of the statement
	const Exp *until;               // the outermost loop that is a part of the product
} Seed;
// A factor that is computed in the sum, and depends on fewer loops: an array of the indices of
// these `loops` and of `sum`, to be computed before a loop that goes around it and does not matter
// to it.
typedef struct Factor {
	const Exp *sum, *before;
	Sub x, array;
	VEC(const Exp *) loops;
	struct Factor *next;
} Factor;
// By Exp *: Seed * of sums; loops with such inside; Factor * to be computed before loops.
typedef struct { Map seeds, around, factors; } Seeds;
Seeds find_seeds(const Stm *loop, const Map *lost); // but for those of these loops (Exp *)
// In a loop that adds up sums, and does little else: the loop of those; or NULL.
const Stm *sum_inside(const Stm *);
// Is the next value of parameter k of a loop the same array, updated in place, or a reduction?
bool goes_on(const Exp *loop, int k);
Stm sums_joined(const Stm *);           // with sums inside of sums going on from these

// ---- widen.c: arrays for all iterations ----

// to: variables, and what they are with a dimension of n more, of which iteration i has its part.
typedef struct { Map to; Sub i, n; bool good; } Widening;
Var  wide_var(Widening *, Var);
bool is_wide(const Widening *, Sub);
Stm  widen_stm(Widening *, const Stm *);        // not good: it does more than load and store
bool can_widen(const Stm *, Sub consumed);

// ---- distribute.c: loops that become several ----

// Statements; `pieces` has those that are to have loops of their own.
typedef struct { StmVec stms; Map pieces; } Parts;
typedef struct {
	Map *kept;                      // certificates that are named no more
	bool strips;                    // some iterations at a time
} Distribution;
// The loop with this body; false: it cannot be, or there is nothing to be gained.
bool distribute(const Stm *loop, const Parts *body, Distribution, StmVec *out, Map *pieces);
#endif
