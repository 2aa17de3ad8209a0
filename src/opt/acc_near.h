// What the parts of the pass `gather_sums` share: the nest that adds to neighbours, by dimension of
// the array and by update.
#ifndef RAIDO_ACC_NEAR_H
#define RAIDO_ACC_NEAR_H
#include "core/affine.h"
#include "opt/acc.h"

enum { MAX_REACH = 4, MAX_PARTS = 32, MAX_STMS = 120, MAX_RANK = 4, MAX_LEVELS = 6 }; // `peel` too

typedef struct {
	Map zeros;                              // arrays of zeros -> Vars *: certificates
	Map counts;                             // likewise of arrays 0, 1, 2, ...
	Map defs;                               // variable -> Exp *: of i64, and choices of these
	bool kernels;                           // for devices: one version of rows, no sums
	bool changed;
} Near;

// Rows that add to element j: j - by; the same around the end; j - shift around the end; row `by`,
// to the first element; the row that many before the end, to the last.
typedef struct {
	enum { NEXT, AROUND, ROTATED, FIRST, LAST } kind;
	int64_t by;
	Sub shift;                              // 0 <= shift < size, if there are elements
} From;

// An update, by dimension; where it stops at an end it has several sources.
typedef struct {
	int64_t off;
	Sub shift;
	enum { PLAIN, WRAPS, ROTATES, STOPS_LOW, STOPS_HIGH } end;
} Reach;
typedef struct { Reach at[MAX_RANK]; Sub val; } Added;

// What the row of these sources adds: the sum of `vals`.
typedef struct { int source[MAX_RANK]; SubVec vals; } Part;

// What binds a variable of the nest, inside of so many of its scremas.
typedef struct { const Stm *stm; int level; bool costly, looked_at; } Bind;

// A scalar of the rows of some outer scremas, and the array of them.
typedef struct { Var var; int level; Sub array; } Kept;

typedef struct {
	Near *near;
	Var token;
	int rank, n_levels;
	const Stm *levels[MAX_LEVELS];          // the scremas
	int level_of[MAX_RANK];                 // by dimension of the array, -1: not known yet
	Map params;                             // of the scremas
	Map bound;                              // variable -> Bind *
	VEC(Kept) kept;
	Subs sizes;                             // of the array
	Sub base;                               // to which is added; a constant: nothing, zeros
	int64_t less[MAX_RANK];                 // how many more elements than rows
	VEC(Stm) stms;                          // of all bodies, without the nest and the updates
	Vars certs;                             // that the result needs
	VEC(Added) added;
	VEC(From) sources[MAX_RANK];
	VEC(Part) parts;
} Sums;

// acc_near_place.c
const Exp *number_def(const Near *, Sub);       // the operation that gives an i64, or NULL
bool is_counting(const Near *, Sub arr);        // is it 0, 1, 2, ...?
bool is_of_nest(const Sums *, Sub);              // is it bound in the nest?
bool is_sum_of(const Near *, Sub x, Sub of, int64_t *by);       // x = of + *by, a small constant?
bool find_reach(const Sums *, int k, Sub x, Reach *);   // of an update in dimension k

// acc_near.c
bool is_summed(const Sums *, int level);        // is it none of the array's dimensions?
// The statements that the part needs, with names of their own; parameters are those of all levels,
// then what is kept.  NULL: it needs something else.
Lambda *part_of_row(const Sums *, const Part *, bool *needed);

// acc_near_emit.c
// The sums, and the withacc without them.  Where they need what it keeps, they come after it.
void emit_sums(Build *before, Build *after, Sums *, Stm *with, int input);
#endif
