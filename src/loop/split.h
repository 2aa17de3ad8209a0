// What the passes that split loops share (split_loops.c, strip_rows.c and theirs).
#ifndef RAIDO_SPLIT_H
#define RAIDO_SPLIT_H
#include "loop/loop.h"

// A loop, what it binds, and how that changes with its index.
typedef struct {
	const Exp *loop;
	Map inside;                     // variable -> its statement of the body, or the loop
	Map rates;
} Around;
Around around_of(const Exp *loop);
bool is_simple_scalar(const Stm *);             // a scalar, without control
int  rate_of_index(const Map *rates, Subs idx); // of a place in an array that lies in rows
// Adds what a statement needs of the body around; false: not simple, or of other iterations.
bool gather_needed(const Around *, const Stm *, Map *needed);
// The same with minima and their places found in one loop (fold_places.c).
Body fold_places(Body);
// A loop of i64, not known to be short.
bool is_counted(const Exp *);

// ---- row_nests.c ----

// Rows to be laid out: those of the array at index `row`, which goes up by one with the loop's.
typedef struct { Sub arr, row; const Stm *load; Sub tile; } Rows;

typedef struct {
	Build b;
	Around a;
	VEC(Rows) rows;
	Map loads;                      // of them (Exp *): 1 + the number of the rows
	Map nests;                      // statements of the loop's body: one of those below
	VEC(Sub) uses;                  // how often rows are gone through
	VEC(Sub) indexed;               // numbers of iterations that are to fit i32
} Strips;
enum { KEEPS = 1, NARROWS };                    // i64; i32 instead
bool find_row_nests(Strips *, const Exp *loop); // in its body; false: there are none
#endif
