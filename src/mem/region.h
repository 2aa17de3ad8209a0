// Regions of arrays, and tests whether two of them are disjoint.
#ifndef RAIDO_REGION_H
#define RAIDO_REGION_H
#include "core/affine.h"

// Part of the array that lies at `base`: in each of its n dimensions one index, or `len` of them.
enum { MOST_DIMS = 6 };
typedef struct { IndexSpan at; bool fixed; } Extent;
typedef struct { bool ok; MemLoc base; int n; Extent dim[MOST_DIMS]; } Region;

// What is known to be part of something else.
typedef struct Origin Origin;
struct Origin { MemLoc child; Subs dims; Var parent; Slices at; const Origin *next; };
typedef struct {
	AffineFacts known;
	const Map *views;                       // array -> const Exp *: the slice that it is
	// Block -> Origin *: arrays in it that were moved into others, the last one first.
	const Map *origins;
} Parts;

Region region_of(Parts, Var arr, Slices at);    // of a part; without slices: of all of it
bool   regions_disjoint(Parts, const Region *, const Region *);

// May a loop that computes v, which lies in a block of its own, compute it in the region instead?
// The region may be read by iteration i where row i of v goes, before that is written; nothing
// else there is touched.
bool   loop_may_write(Parts, const Stm *loop, Var v, const Region *to);
// Likewise a branch that gives v: apart from such a loop, nothing there is touched.
bool   branch_may_write(Parts, const Stm *branch, Var v, const Region *to);
// Does a statement, with all that is nested in it, leave the region alone?  v: as above.
bool   stm_is_elsewhere(Parts, const Stm *, Var v, const Region *to);
#endif
