// What is known of the values of integers; for passes that go through a program in order.
#ifndef RAIDO_RANGE_H
#define RAIDO_RANGE_H
#include "core/affine.h"

typedef struct Bound Bound;
// A comparison that could not be decided when this was known, and whether for assertions that
// were not to be used.
typedef struct { Prim op; bool missed_certs; uint64_t state; Sub x, y; } Undecided;
// What could not be proved on the way to a proof, see Note [Twice on the way].
typedef struct { uint64_t hash; bool missed_certs; } Unproved;
// An assertion of which one part at least holds.
typedef struct { Sub cond; Var cert; } Either;
typedef struct {
	// The expression that gives an operand, or NULL.
	const Exp *(*def)(void *ctx, Sub);
	void *ctx;
	Bound **lower, **upper;                 // by variable, newest first
	uint32_t cap;
	// What to forget, in order: the newest bound of v, or, for a bool, that it is known; of no
	// variable, the last of `either`.
	// The state of the last one says all that is known: a hash of it, so that what is forgotten
	// and said again is the same state.
	VEC(struct { Var v; bool upper; bool known; int known_before; uint64_t state; }) trail;
	int last_known;                         // 1 + where the newest known bool is in it, or 0
	int steps;                              // left for the proof under way
	bool assuming;                          // is a case being assumed?
	bool with_certs;                        // may the proof under way use assertions?
	bool missed_certs;                      // did it meet any that it may not use?
	VarVec used;                           // those that it used
	VarVec rests;                           // assertions on which what it used rests
	Map *kept;                              // for those that nothing names, or NULL
	Undecided open[32];                     // by a hash of it, the last one
	Unproved unproved[256];                 // likewise
	VEC(Either) either;
	VEC(AffineTerm) shapes;                 // products of sizes that do not wrap around
	bool given;                             // nor do those of some of these, whatever the rest
} Range;

void range_free(Range *);
// What is said from a mark on holds until it is released.
int  range_mark(const Range *);
void range_release(Range *, int mark);
// A condition holds, or does not; `cert` is the assertion that says so, or 0.
void range_assume(Range *, Sub cond, bool holds, Var cert);
void range_runs(Range *, Sub n);                // something is done n > 0 times
void range_counter(Range *, Var i, Sub n);      // 0 <= i < n
void range_iota(Range *, Var x, const Exp *iota); // x is one of its elements
// The size of an array that exists if these assertions hold, see Note [Sizes].
void range_size(Range *, Sub n, int64_t most, Vars certs);
void range_shape(Range *, Subs dims);           // ... and of one that is in memory
bool is_shape(Range *, const AffineTerm *); // are the factors all sizes of one such?
// Is it at most the number of elements of one such, whose other sizes are all among these?
bool is_in_shape(Range *, const AffineTerm *, const Map *positive);
void range_sum(Range *, Var p, Sub init, Var i); // p is init plus at most 1 in each of i iterations
// Is the condition true (1), false (0), or not known (-1)?  Without assertions.
int  range_decide(Range *, Sub cond);
int  range_decide_prim(Range *, const Exp *comparison);
bool range_at_most(Range *, Sub x, Sub y);      // x <= y, without assertions
// Is the product of two i64 a number from 0 to 2^63 - 1, without assertions?
bool range_multiplies(Range *, Sub x, Sub y);
// Is the condition true?  The assertions that the proof needs are added to `certs`.
bool range_proves(Range *, Sub cond, VarVec *certs);
bool range_proves_by(Range *, Sub cond, Vars certs); // ... it needs none but these
bool range_equal(Range *, Sub x, Sub y);        // without assertions
bool range_below(Range *, Sub x, Sub y);        // 0 <= x < y, likewise
bool range_apart(Range *, Sub x, Sub y);        // two i64 that differ, likewise
// The place of element x of a flat array in one of these dimensions: all but the first are proved
// to be in bounds, without assertions, and the first is one of an array.
bool range_place(Range *, Sub x, Subs dims, Affine *place);
// The least number of periods, 1 or 2 and at most `most`, for which k * n <= x < (k + periods) * n
// for a k of -1, 0, 1, likewise; 0: not known.  Then n is positive.
int range_period(Range *, Sub x, Sub n, int most, int *k);
#endif
