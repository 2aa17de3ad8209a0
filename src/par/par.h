// From SOACs to loops.
//
// The pass `seq` (a row of opt/passes.def) leaves only loops, branches, calls and the forms on
// scalars and arrays: no screma, hist, scatter, flatmap, withacc, upd_acc or with_vjp.  The
// stage is still SOAC, so that the passes of src/opt run on what it makes.  jvp and vjp must be
// gone before: see prog_has_ad.
//
// Note [Loop attributes].  What a loop was is said by attributes of statements, which later
// passes keep or drop but never make wrong:
//
//   #[parallel]  on a statement that binds a for-loop: apart from reductions, no iteration
//                depends on another.  Parameters that are arrays are, in iteration i, written
//                at outer index i and read nowhere; the others are reductions with an
//                associative operator.  This is about values: after the passes of src/mem,
//                iterations may use the same temporary blocks.
//   #[reduce]    on the statement `let r = op.t p x` of the body of a for-loop that gives
//                the next value of parameter p: the operator of a reduction, associative
//                and commutative by contract, so that the order of combination is free.
//                loop_reduction below finds it.
//   #[region]    on a statement that binds a for-loop: its iterations may run at the same time,
//                in any order.  They write to different elements of what the loop carries
//                (multicore.c), and share no temporary memory.
//   #[chunks]    on `let (k, ...) = opaque (3, n, work, extra)`: code generation decides k, from
//                1 to 128, when the program runs.
//   #[narrow]    on `let (b, ...) = opaque (false, n, work)`: likewise, whether n rows are too few
//                for the threads there are.
//   #[shared]    on upd_acc without an operator, and on the update it becomes: other iterations
//                of a region may write to the same place.
//   #[apart]     on a function: C compilers are not to mix it with its callers.
#ifndef RAIDO_PAR_H
#define RAIDO_PAR_H
#include "core/core.h"

#define ATTR_PARALLEL "parallel"
#define ATTR_REDUCE   "reduce"
#define ATTR_REGION   "region"
#define ATTR_CHUNKS   "chunks"
#define ATTR_NARROW   "narrow"
#define ATTR_SHARED   "shared"
#define ATTR_APART    "apart"

bool has_attr(Attributes, const char *);
// Is there a jvp or vjp left?  *where is then its place in the source, or NOWHERE.
bool prog_has_ad(const Prog *, Span *where);
// Is parameter k of a loop a scalar reduction whose order is free?  Then the body's result for it
// is bound by op.type of the parameter and something else, and it is used nowhere else.
bool loop_reduction(const Exp *loop, int k, Prim *op, PrimType *type);
#endif
