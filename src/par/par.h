// From SOACs to loops.
//
// The pass `seq` (a row of opt/passes.def) leaves only loops, branches, calls and the forms on
// scalars and arrays: no screma, hist, scatter, flatmap, withacc, upd_acc or with_vjp.  The
// stage is LOOP then; simplify, cse, hoist, scalarise and dce run on it as before.  jvp and vjp
// must be gone before.
//
// Note [Loop attributes].  What a loop was is said by attributes of statements, which later
// passes keep or drop but never make wrong:
//
//   #[parallel]  on a statement that binds a for-loop: apart from reductions, no iteration
//                depends on another.  Parameters that are arrays are, in iteration i, written
//                at outer index i and read nowhere (after overwrite of src/mem: read there alone,
//                before); the others are reductions with an
//                associative operator.  This is about values: after the passes of src/mem,
//                iterations may use the same temporary blocks.
//   #[reduce]    on the statement `let r = op.t p x` of the body of a for-loop that gives
//                the next value of parameter p: the operator of a reduction, associative
//                and commutative by contract, so that the order of combination is free.
//                loop_reduction below finds it.  Likewise on `let y = op.t x v` where x is an
//                element of an array and y is stored there: what was an accumulator.
//   #[region]    on a statement that binds a for-loop: its iterations may run at the same time,
//                in any order.  They write to different elements of what the loop carries
//                (multicore.c), and share no temporary memory.
//   #[chunks]    on `let (k, ...) = opaque (3, n, work, extra)`: code generation decides k, from
//                1 to 128, when the program runs.  extra: what each chunk costs besides, or minus
//                how many rows are best done together.  With one operand more, the work if all
//                iterations add to the same arrays, it may be that choice, -128 to -2.
//   #[narrow]    on `let (b, ...) = opaque (false, n, work)`: likewise, whether n rows are too few
//                for the threads there are.
//   #[shared]    on upd_acc without an operator, and on the update it becomes: other iterations
//                of a region may write to the same place.
//   #[small]     on a scalar: a number of rows, or of one of them, so sums of a few of these do not
//                overflow.
//   #[apart]     on a function: C compilers are not to mix it with its callers.
//   #[piece]     likewise: a loop of another function, which alone calls it (split_functions.c).
//
// For devices (GPUs), where arrays live in memory of their own and the program outside of
// kernels runs on the host:
//
//   #[kernel]    on a for-loop at host level: each iteration is one thread.  Iterations do not
//                depend on each other; what is carried are arrays only, written at different
//                elements by different iterations (or by #[atomic] or #[shared] updates), and
//                read nowhere else in it.  If the body ends in another #[kernel] loop, after
//                scalar statements and reads only, the two are one space, and so on.
//   #[blocks]    likewise, but each iteration is done by one block of threads.  Statements of
//                its body outside of #[threads] loops are done by all threads alike (scalars,
//                reads), stores by one of them.
//   #[warp]      besides #[blocks]: the blocks have few threads, 32.
//   #[threads]   on a for-loop in the body of a #[blocks] loop, also inside of branches and
//                sequential loops there that go the same way for all of the block: its
//                iterations are shared out among the threads, with a barrier after it.
//                Parameters are arrays, as for #[kernel], and folds: scalars p1..pk whose next
//                values are exactly the results of one statement
//                `let (r1..rk) = call f (p1..pk, x1..xk, free...)`, f an #[operator]; they
//                start with its neutral element, or (scans) with any value.  With
//                #[scan] on the call, its results may also be used in the body.
//   #[operator]  on a function: associative, on scalars only; inline_calls keeps it apart.  The
//                operands of folds keep their order, unless it is also #[commutative].
//   #[scan]      see #[threads].
//   #[atomic]    on `let (as) = loop (ps = as0) for z: i64 < 1 do {..}`, whose body reads
//                elements of the ps, computes, and writes them back: one indivisible
//                read-modify-write, which other iterations of the kernel may do at the same time.
//   #[owned]     on upd_acc in a kernel: no other thread updates that element.
//   #[few]       on upd_acc in a kernel: few threads update the same element.
//   #[local]     on a scratch in the body of a #[blocks] loop: in memory that the block shares.
//   #[fits]      on `let (b, ...) = opaque (true, bytes)`: does so much of it fit?
//   #[threshold(NAME)]  on `let (b, ...) = opaque (false, par, default)`: is par at least the
//                tuning parameter NAME?
//   #[grid]      on `let (k, ...) = opaque (3, n, least)`: how many blocks for n rows, at least
//                `least` rows each.
//   #[likely]    on an if: the condition holds most of the time.
//   #[jammed]    on an index: others beside it are used at the same time (jam.c).
#ifndef RAIDO_PAR_H
#define RAIDO_PAR_H
#include "core/affine.h"
#include "core/core.h"

#define ATTR_PARALLEL "parallel"
#define ATTR_REDUCE   "reduce"
#define ATTR_REGION   "region"
#define ATTR_CHUNKS   "chunks"
#define ATTR_NARROW   "narrow"
#define ATTR_SMALL    "small"
#define ATTR_SHARED   "shared"
#define ATTR_APART    "apart"
#define ATTR_PIECE    "piece"
#define ATTR_KERNEL   "kernel"
#define ATTR_BLOCKS   "blocks"
#define ATTR_WARP     "warp"
#define ATTR_THREADS  "threads"
#define ATTR_OPERATOR "operator"
#define ATTR_COMMUTATIVE "commutative"
#define ATTR_SCAN     "scan"
#define ATTR_ATOMIC   "atomic"
#define ATTR_OWNED    "owned"
#define ATTR_FEW      "few"
#define ATTR_LOCAL    "local"
#define ATTR_FITS     "fits"
#define ATTR_THRESHOLD "threshold"              // followed by the name in parentheses
#define ATTR_GRID     "grid"
#define ATTR_JAMMED   "jammed"
#define ATTR_LIKELY   "likely"

bool is_kernel(const Stm *);                    // a loop with #[kernel] or #[blocks]
Map  called_by_kernels(const Prog *);           // functions, directly or not
// Makes a loop (MEM stage) a call of the function given, which takes all that it mentions, and what
// is asked for besides (outline.c).
Fun *outline_loop(Stm *, Name, Attributes, Vars besides);
// Is it a loop that a device does in its own way: #[kernel], #[blocks], #[threads], #[atomic]?
// Such loops are not unrolled, fused or peeled, and what they carry stays an array.
bool is_device_loop(Attributes);
// Are the iterations done at the same time, so that they can share no temporary memory: #[region],
// #[kernel], #[blocks], #[threads]?
bool runs_at_once(Attributes);
// hist and scatter as a screma on accumulators (multicore_acc.c).
Stm  acc_of_hist(const Stm *);
Stm  acc_of_scatter(const Stm *);
// Of flatmap: the row without its segment; names for what it gives elsewhere (multicore_flatmap.c).
Lambda *without_segments(const Lambda *, int n_data);
Vars other_names(const Stm *);
// Is parameter k of a loop a scalar reduction whose order is free?  Then the body's result for it
// is bound by op.type of the parameter and something else, and it is used nowhere else.
bool loop_reduction(const Exp *loop, int k, Prim *op, PrimType *type);
// Does an operator on several values, or on arrays, need all of them at once (seq_atomic.c)?
bool acc_mixes_values(const Lambda *op);
// Results of an operator that share memory with nothing: copies of those that may be its operands
// (seq_soac.c).
void own_results(Build *, const Lambda *op, Subs res);
Stm  loop_copy(const Stm *loop);                // with names of its own (peel.c)
bool is_innermost_body(const Body *, int most);  // so many statements, without loops, calls, traces
#endif
