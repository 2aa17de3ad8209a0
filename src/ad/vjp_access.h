// What a loop reads and writes of an array that it updates in place, for vjp_intact.c and
// vjp_values.c.
#ifndef RAIDO_VJP_ACCESS_H
#define RAIDO_VJP_ACCESS_H
#include "ad/vjp_loop.h"
#include "opt/range.h"

enum { MOST_DEPTH = 12, MOST_ACCESSES = 64 };

// What is around a statement: a loop, a branch, or a lambda over numbers.
typedef struct { const Stm *s; bool branch; } Around;
typedef struct {
	Around path[MOST_DEPTH];
	int depth, order;
	Slices at;
	Slices cell;                            // of a stored value: see Settled
	bool whole;                             // no telling which cells
	Sub of;                                 // then: of which array, unless rows of it
	Var result;                             // of a read; of a write: the array after it
} Access;

typedef struct {
	Vjp *v;
	Map states;                             // of the array, by variable
	Map defs;                               // variable -> the expression that gives it
	Map inside;                             // variables of the loop
	Map needed;
	VEC(const Stm *) all;                   // statements of the loop, nested ones too
	VEC(bool) in_loops;                     // is the statement in loops and branches alone?
	VEC(Access) reads, writes;
	Map stored;                             // variable -> Access: where its value is written
	Map kept;                               // statements whose results the loop keeps
	Map cuts;                               // likewise, whatever `partly` says
	Around path[MOST_DEPTH];
	int depth, order;
	bool failed;
	bool partly;                            // see Note [Some updates]
	bool first;                             // see Note [First values]
	bool values;                            // for vjp_values.c: loops inside are kept
	Range range;
} Intact;

// ---- vjp_access.c ----

const Exp *given_by(const Intact *, Sub);       // NULL: is not known
const Exp *range_def(void *intact, Sub);
bool is_wanted_back(const Intact *, Var);            // by the return sweep
bool updated_in_place(const Exp *loop, int k);
// All accesses to parameter k; false: they are not known.
bool find_accesses(Intact *, Level *, const Stm *loop, int k);
void find_needed(Intact *);
void keep_needed_reads(Intact *);
// Is a branch, or one of `loops` too, executed again for another of its results?
bool executed_again(const Intact *, bool loops);
// vjp_values.c: of the array, and at all in this loop
bool may_keep_read(const Intact *, const Access *);
bool may_keep_values(const Level *, const Stm *loop);
// Does an attribute say that what is read of its arrays is not overwritten (vjp_intact.c)?
bool has_true_dep(const Stm *loop);
#endif
