// What the files on loops in reverse mode share.
#ifndef RAIDO_VJP_LOOP_H
#define RAIDO_VJP_LOOP_H
#include "ad/vjp.h"

// What a loop of the forward sweep keeps for the return sweep.
typedef struct { bool on; Types types; Vars logs; } Keep;
struct LoopPlan {
	bool needed;                            // the forward sweep has the loop on account of this
	Keep *whole;                            // by parameter: its value in each iteration
	Keep *flat;                             // by parameter of varying size: values one after
	                                        // the other, and where each one begins
	Keep *undo;                             // by parameter: undo records of each iteration
	bool counted;                           // a while loop: `count` is its number of iterations
	Var count;
};

// ---- vjp_loop.c ----

Sub  at_least_zero(Build *, Sub n);
// Is the attribute `name(number)`?
bool attribute_number(Name attribute, const char *name, int64_t *number);

// ---- vjp_tape.c ----

Sub  size_of(Build *, Subs dims);
Vars copy_params(Copier *, Vars);               // binds copies

// ---- vjp_intact.c ----

// Finds arrays of the loop that still have all that is to be read when it is done; gives the
// states it settled, to be unsettled after the loop's return sweep.
Map  settle_intact(Vjp *, Level *, const Stm *loop);
void unsettle(Vjp *, const Map *states);

// ---- vjp_bounds.c ----

Body with_sizes(const Lambda *);                // its body, with bounds of loops that are sizes

// ---- vjp_strip.c ----

bool strip_loop(Build *, const Stm *);          // emits it as a nest, if it asks for that

// ---- vjp_undo.c ----

// What is bound inside of a loop; `known` are indices, of which a value is at hand.
typedef struct { Vjp *v; Map inside, known, arithmetic; } Varying;
void varying_init(Varying *, Vjp *, const Stm *loop);
void varying_know(Varying *, Var index, Sub value);
bool type_varies(const Varying *, Type);
// The types of the records between two states; false if they have no fixed sizes.
bool record_types(Varying *, const Body *, Var from, Sub to, Types *out);
bool chains_meet(Varying *, const Body *, Var x, Sub to_x, Var y, Sub to_y);
typedef struct { Var from; Sub to; SubVec recs; } Chain;
Subs emit_recorded(Varying *, Copier *, const Body *, Chain *, int n); // all statements; results
Sub  undo_body(Varying *, const Body *, Var from, Sub to, Sub state, Subs recs);
Sub  undo_rows(Varying *, const Exp *loop, int k, Sub n, Sub state, Subs recs);
Sub  undo_at(Varying *, const Exp *loop, int k, Sub i, Sub state, Subs recs);
Sub  put_row(Build *, Sub arr, Sub i, Sub val);
Sub  scratch_of(Build *, Type);
#endif
