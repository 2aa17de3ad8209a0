// What the files of the pass `loop_maps` share.
#ifndef RAIDO_LOOP_MAPS_H
#define RAIDO_LOOP_MAPS_H
#include "opt/opt.h"
#include "opt/range.h"

typedef struct {
	Map defs;                               // variable -> the expression that gives it
	Range range;
	int depth, soacs;                       // loops and combinators around, the latter alone
} Maps;

// An array that a loop writes.
typedef struct {
	Maps *m;
	const Exp *loop;
	const Map *inside;                      // variables that the loop binds
	Var param;
	const Stm *update;
	int moving;                             // the dimension whose index counts
	Sub offset;                             // from the counter
	bool minus;                             // ... is taken off it
	Subs other;                             // indices of another iteration, where they are
	bool failed;
} Written;

// loop_maps.c
const Exp *loop_def(void *maps, Sub);           // the expression that gives it, or NULL
Sub  name_for(Maps *, PrimType, Prim, Sub x, Sub y); // a variable that stands for it
void note_stm(Maps *, const Stm *);             // as a definition, with the sizes it gives
bool loop_varies(const Written *, Sub);
bool is_written(const Written *, Sub);          // is it the array?
bool is_apart(Written *, const DimSlice *read, Sub x); // from index x of a write?
void check_reads(Written *, const Body *);      // Written.failed: one may be of what is written
const Stm *giver(const Body *, Sub);
Subs starts_of(const Slices *);
int  count_uses(const Body *, Var);
void note_in_loop(Visit *, Var *);                // Visit.bind: adds it to the set ctx
bool is_work(const Stm *);                      // a loop or combinator of many iterations?
bool map_loop(Maps *, Build *, const Stm *);    // emits the map that the loop is, if it is one

// loop_turn.c
bool turn_nest(Maps *, Build *, const Stm *);   // likewise, of two loops the other way around
#endif
