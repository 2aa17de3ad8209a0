// From SOACs to loops.
//
// The pass `seq` leads to the LOOP stage, which consists of loops, branches, calls and operations
// on scalars and arrays, without screma, hist, scatter, flatmap, withacc, upd_acc and with_vjp.
// simplify, cse, hoist, scalarise and dce run on this stage too.  It requires that jvp and vjp
// have been expanded.
#ifndef RAIDO_LOOP_H
#define RAIDO_LOOP_H
#include "core/affine.h"
#include "core/core.h"

// Makes a loop (MEM stage) a call of the function given, which takes all that it mentions, and what
// is asked for besides (outline.c).
Fun *outline_loop(Stm *, Name, Attributes, Vars besides);
// hist and scatter as a screma on accumulators (forms.c).
Stm  acc_of_hist(const Stm *);
Stm  acc_of_scatter(const Stm *);
// Of flatmap: the row without its segment; names for what it gives elsewhere (forms.c).
Lambda *without_segments(const Lambda *, int n_data);
Vars other_names(const Stm *);
const Exp *map_of_operator(const Lambda *);     // the map it is, over rows of its operands; or NULL
Lambda *element_operator(const Lambda *, const Exp *map); // that operator on elements
// Does an operator on several values, or on arrays, need all of them at once (seq_atomic.c)?
bool acc_mixes_values(const Lambda *op);
// Results of an operator that share memory with nothing: copies of those that may be its operands
// (seq_soac.c).
void own_results(Build *, const Lambda *op, Subs res);
Stm  loop_copy(const Stm *loop);                // with names of its own (peel_run.c)
bool is_innermost_body(const Body *, int most);  // so many statements, without loops, calls, traces
bool has_vector_prim(Prim, PrimType);           // rts/c/vector.h has it (both_branches.c)
bool is_narrow_tag(PrimType);                   // lanes have it as a wider integer
// What fits lanes that are vectors: statements, and scalars that loops inside carry.
enum { MOST_LANE_STMS = 120, MOST_LANE_PARAMS = 4 };

// ---- fixed_order.c ----

extern bool keep_order_of_sums;                   // for order_sums, set before passes run
bool stm_rounds(const Stm *);                   // does it compute a float that order may change?
#endif
