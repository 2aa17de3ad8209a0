// What the files of the pass `gather_sums` share.
#ifndef RAIDO_ACC_NEAR_H
#define RAIDO_ACC_NEAR_H
#include "opt/acc.h"

enum { MAX_RANK = 3 };

typedef struct {
	Map zeros;                              // arrays of zeros -> Vars *: certificates
	Map counts;                             // likewise of arrays 0, 1, 2, ...
	Map defs;                               // variable -> Exp *: of i64
	bool changed;
} Near;

// Rows that add to element j: j - by; the same around the end; row `by`, to the first element; the
// row that many before the end, to the last.
typedef struct { enum { NEXT, AROUND, FIRST, LAST } kind; int64_t by; } From;

// An update, by dimension; where it stops at an end it has several sources.
typedef struct { int64_t off; enum { PLAIN, WRAPS, STOPS_LOW, STOPS_HIGH } end; } Reach;
typedef struct { Reach at[MAX_RANK]; Sub val; } Added;

// What the row of these sources adds: the sum of `vals`.
typedef struct { int source[MAX_RANK]; SubVec vals; } Part;

typedef struct {
	Near *near;
	Var token;
	int rank;
	const Stm *levels[MAX_RANK];            // the scremas
	Subs sizes;                             // of the array
	int64_t less[MAX_RANK];                 // how many more elements than rows
	VEC(Stm) stms;                          // of all bodies, without the nest and the updates
	Map own, other;                         // what they bind; what is bound beside them
	Vars certs;                             // that the result needs
	VEC(Added) added;
	VEC(From) sources[MAX_RANK];
	VEC(Part) parts;
} Sums;

// ---- acc_near.c ----

bool is_near_count(const Near *, Sub arr);      // is it 0, 1, 2, ...?
// The statements that the part needs, with names of their own; parameters are those of all levels.
// NULL: it needs something else.
Lambda *part_of_row(const Sums *, const Part *, bool *needed);

// ---- acc_near_emit.c ----

// The sums; then what else the withacc does, which may overwrite what they read.
void emit_near_sums(Build *, const Sums *, Stm *with, int input);
#endif
