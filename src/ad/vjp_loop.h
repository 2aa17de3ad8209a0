// What the files on loops in reverse mode share.
#ifndef RAIDO_VJP_LOOP_H
#define RAIDO_VJP_LOOP_H
#include "ad/vjp.h"

// What a loop of the forward sweep keeps for the return sweep.
typedef struct { bool on; Types types; Vars logs; } Keep;
struct LoopPlan {
	bool needed;                            // the forward sweep has the loop on account of this
	Keep *whole;                            // by parameter: its value in each iteration
	Keep *flat;                             // by parameter of varying size: all values one after the
	                                        // other, and where each one begins
	Keep *undo;                             // by parameter: undo records of each iteration
	bool counted;                           // a while loop: `count` is its number of iterations
	Var count;
};

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
Vars copy_params(Copier *, Vars);               // binds copies
#endif
