// What the parts of the check of floats share (checked_float.c).
#ifndef RAIDO_CHECKED_FLOAT_H
#define RAIDO_CHECKED_FLOAT_H
#include "opt/checked.h"

// ---- checked_operation.c ----

bool is_float_operation(const Stm *);           // on scalars, with a result that is a float
bool can_create(const Exp *);                   // an infinity or NaN, of operands that are finite
bool hands_on(const Exp *, int i);              // is what is not finite still so after it?
int  n_float_operands(const Exp *);
Sub  float_operand(const Exp *, int i);
// The rows and iterations around it, innermost first.
typedef struct At { Sub i; const struct At *up; } At;
Var  assert_innocent(Build *, const Stm *, const At *); // it has not made what is not finite

// ---- checked_sink.c ----

// Operations on floats that only one branch of a later `if` needs are moved there.
Body sink_floats(Body);

// ---- checked_infinite.c ----

void find_infinite(Map *, const Body *);        // adds variables, of arrays too
bool may_be_infinite(const Map *, Sub);         // is it one of these, or written so?

// ---- checked_cover.c ----

// Variables that are seen: if they are not finite, then so is a result of the combinator, or a
// variable that is watched.
typedef struct {
	Map seen, watched;
	Map unneeded;                           // results of operators, see checked_cover.c
	Map homes;                              // the body that binds it
	Map added;                              // token -> which arrays show what is added to them
	const Map *infinite;                    // see checked_infinite.c
	int in_operator;                        // how many operators are around
} Cover;
// All that the combinator gives is looked at.
void cover_results(Cover *, const Body *, const Stm *);
void forgive_unneeded(Cover *, const Reduction *, const Var *pat); // has results in pat
static inline bool is_seen(const Cover *c, Sub x)
{
	return x.kind == S_VAR && map_get(&c->seen, var_key(x.var));
}
static inline bool is_watched(const Cover *c, Var x)
{
	return map_has(&c->watched, var_key(x));
}

// ---- checked_twin.c ----

typedef struct {
	Cover cover;
	Map infinite;                           // see checked_infinite.c
	Map kept;                               // array that is added to -> Sub *, a copy
} Floats;
// Can it be executed a second time?
bool has_twin(const Floats *, const Body *, const Stm *);
bool needs_copy(const Body *, const Stm *, Sub); // the twin of a withacc
Sub  fill_again(Build *, const Body *, Sub);    // an array that was made from constants
// Has a withacc that has a twin made the array, for what is done up to statement `to` alone?
const Stm *sum_before(const Body *, Sub, int to);

// ---- checked_segment.c ----

// Of each statement of a body, which segment it is of, and is its result tested?
typedef struct { const Body *b; int *segment; bool *tested; } Plan;
Plan segments_of(const Floats *, const Body *);
bool creates_one(const Stm *);                  // an operation to be checked
void test_segment(Build *, const Plan *, int from, int to, const At *); // after its statements
Sub  flag_segment(const Floats *, Build *, const Plan *, int from, int to); // likewise
Sub  flag_watched(const Floats *, Build *, const Stm *);
void assert_fine(Build *, Sub fine, Body no);   // if fine then {true} else {no}
Sub  opaque_true(Build *, Vars certs, Subs needs);
extern PrimType flag_type;                      // of the program at hand: one pass runs at a time
Sub  no_flag(void);
Sub  join_flags(Build *, Sub, Sub);
#endif
