// Rows that are processed by a thread block: what the files about them share (private to
// `flatten`).
#ifndef RAIDO_FLATTEN_ROW_H
#define RAIDO_FLATTEN_ROW_H
#include "device/flatten.h"

// A row on its way.
typedef struct {
	Flatten *f;
	Build b;
	bool fails;                             // a block cannot do it
	bool in_place;                          // arrays that it gives are made in their place
	Map defs;                               // variable of the row -> const Stm *
	Map counters;                           // of loops that all threads go through
	VEC(Type) local;                        // its arrays in shared memory
	VEC(Sub) widths;                        // elements that threads share, if known outside
	bool irregular;                         // some are not
	bool outer;                             // see RowNeeds
	VEC(Sub) outermost;                     // of maps in maps: how many rows
	Sub work;                               // ... and elements
	const Body *whole;                      // the row
	const Body *here;                       // the body at hand,
	int at;                                 // and the statement there
	const Exp *loop;                        // the loop whose body it is, or NULL
	Map given;         // array -> Var *: the parameter of a loop in whose memory it is
} Row;

// flatten_row.c
void row_stms(Row *, const Body *);
bool has_wide(const Body *, bool folds);        // combinators of many elements; reductions alone?

// flatten_local.c: arrays of a row
Sub  local_array(Row *, Type);                  // new memory
bool is_result(const Row *, Var);               // does the row give it, and never read it?
bool is_given(const Row *, Var, Var *param);    // is it made in the memory of a parameter?
bool makes_local(const Exp *);                  // does it make one array?
void local_stm(Row *, const Stm *);             // such a statement
void local_loop(Row *, const Stm *);            // one that may carry arrays
void local_if(Row *, const Stm *);              // one that may give arrays
#endif
