// What the parts of the pass `lockstep` share: what varies between the rows of a strip, and how a
// statement is done for all of them.
#ifndef RAIDO_LOCKSTEP_H
#define RAIDO_LOCKSTEP_H
#include "opt/opt.h"

// Rows that take their steps together: the floats in the widest vectors of all processors; more if
// what is computed once for all of them is shared by more.  That would leave more rows over, and
// states of more rows would not stay in the nearest cache.
enum { LANES = 16, LANES_THAT_SHARE = 32 };

// How a statement is done for all lanes at once.
typedef enum {
	STEP_SHARED,                            // it is the same in all of them: once
	STEP_LANES,                             // it gives scalars: a map over the lanes
	STEP_MAP, STEP_LOOP, STEP_IF,           // itself, with what is inside done for all lanes
	STEP_WIDE,                              // itself, on arrays with one dimension more
	STEP_NONE                               // not at all
} Step;

typedef struct {
	Build b;
	Map varies;                             // variables that differ between lanes
	Map wide;                               // those -> Sub *, the values of all lanes
	Map asserts;                            // certificates among those -> const Stm *
	bool fails;                             // there is a statement that cannot be done
	// Of loops that carry arrays: what varies and changes from one iteration to the next, and
	// whether one of them goes through such an array together with one that lanes share,
	// computes for each element what is the same in all lanes, or evaluates functions one by
	// one.
	Map changes;
	bool pays;
	bool shares;                            // the second of these
	int n_lanes;
	int maps;                               // in such loops, around what is looked at
	int rows;                               // loops around it that are as good as maps
	Types states;                           // what varies of that they carry
} Lockstep;

static inline bool varies(const Lockstep *k, Sub x)
{
	return x.kind == S_VAR && map_has(&k->varies, var_key(x.var));
}
void  note_varying(Lockstep *, const Body *);   // adds what varies there
Step *steps_of(const Lockstep *, const Body *); // one for each statement
// Reads at places of the lane's own, or may fail: no work for vectors, and apart from what is.
bool  is_rough(const Lockstep *, const Stm *);
void  check_steps(Lockstep *, const Body *, int own_rows); // fails, pays, states

void  set_wide(Lockstep *, Var, Sub values);
Subs  widened(Lockstep *, Subs);                // the values of all lanes, whether they vary or not
void  emit_steps(Lockstep *, const Body *);
#endif
