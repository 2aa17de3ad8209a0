// What the files of the pass `map_loops` share.
#ifndef RAIDO_MAP_LOOPS_H
#define RAIDO_MAP_LOOPS_H
#include "core/affine.h"
#include "opt/opt.h"
#include "opt/range.h"

typedef struct {
	Map defs;                               // variable -> the expression that gives it
	Range range;
	Map unordered;                          // tokens of accumulators with an operator
	int depth, soacs;                       // loops and combinators around, the latter alone
	int loops;                              // around all combinators
	bool wanted;                            // are loops to be rewritten here?
	bool threads;                           // are there any to do maps?
} MapLoops;

// An array that a loop writes.
typedef struct {
	MapLoops *m;
	const Exp *loop;
	const Map *inside;                      // variables that the loop binds
	Var param;
	const Stm *update;
	int moving;                             // the dimension whose index counts
	Affine offset;                          // from the counter
	Subs other;                             // indices of another iteration, where they are
	bool failed;
} Written;

// map_loops.c
const Exp *loop_def(void *map_loops, Sub);      // the expression that gives it, or NULL
Sub  name_for(MapLoops *, PrimType, Prim, Sub x, Sub y); // a variable that stands for it
void note_stm(MapLoops *, const Stm *);         // as a definition, with the sizes it gives
void enter_lambda(MapLoops *, const Exp *);     // what is known in its bodies

// map_rows.c
// Makes the loop a map of its rows, if it is one.
bool map_rows(MapLoops *, Build *, Stm *);
bool may_be_rows(const MapLoops *, const Stm *);
// The map, but for the iota that it has as its first array; NULL: it is none.  Partly: it makes
// rows anew of which the loop writes some cells only.
Exp *rows_as_map(const Stm *, bool *partly);

// map_cells.c
bool gives_cells(const Exp *loop);              // can these cells be written as columns instead?
bool map_cells(MapLoops *, Build *, const Stm *);       // if so, emits that

// map_parts.c
bool loop_varies(const Written *, Sub);
bool is_written(const Written *, Sub);          // is it the array?
bool is_apart(Written *, const DimSlice *read, Sub x); // from index x of a write?
void check_reads(Written *, const Body *);      // Written.failed: one may be of what is written
bool is_work(const Stm *);                      // a loop or combinator of many iterations?
bool map_parts(MapLoops *, Build *, const Stm *); // emits the map that the loop is, if it is one

// map_sums.c
bool map_sums(MapLoops *, Build *, const Stm *); // emits the reductions that it is, if it is such

// map_turn.c
bool turn_nest(MapLoops *, Build *, const Stm *); // likewise, of two loops the other way around
#endif
