// From SOACs to loops.
//
// The pass `seq` (in opt/passes.def) leaves only loops, branches, calls and the forms on scalars and arrays:
// no screma, hist, scatter, flatmap, withacc, upd_acc, with_vjp.  The stage is still SOAC, so that the
// passes of src/opt run on what it makes.  jvp and vjp must be gone before: see prog_has_ad.
//
// Attributes of the statements that bind loops, for later passes and code generation:
//
//   #[parallel]        the iterations of this for-loop do not depend on each other, except through the
//                      parameters named by `reduce` and `scan` attributes.  A parameter that is an array is
//                      written, and read, in iteration i only at outer index i.
//   #[reduce(op.t, k)] parameter k (from 0, counting all parameters) is a reduction of scalars: the body gives
//                      for it `op.t p x` where p is the parameter, used nowhere else.  op is
//                      associative and commutative by contract (add, mul, min, max, and, or, xor ...), so
//                      the order of combination is free.  The initial value takes part as the first operand.
//   #[reduce(k)]       a reduction with another operator, associative at least; parameter k is one of its
//                      components.
//   #[scan(k)]         parameter k carries the running value of a scan.
//
// A loop of hist or scatter has none of these.
#ifndef RAIDO_PAR_H
#define RAIDO_PAR_H
#include "core/core.h"

// Is there a jvp or vjp left?  *where is then its place in the source, or NOWHERE.
bool prog_has_ad(const Prog *, Span *where);

// What the attributes say.
typedef struct { Prim op; PrimType type; int param; } ScalarReduction;
bool attr_parallel(Attributes);
bool attr_scalar_reduction(Attributes, int param, ScalarReduction *out);
#endif
