// What the checks of checked mode share (checked.c says what they are).
#ifndef RAIDO_CHECKED_H
#define RAIDO_CHECKED_H
#include "opt/opt.h"

void msg_say(MsgVec *, const char *fmt, ...) PRINTF_LIKE(2, 3);
void msg_show(MsgVec *, Sub);
void msg_list(MsgVec *, Subs);                  // "1, 2"
static inline Msg msg_of(MsgVec m) { return VEC_SLICE(Msg, m); }

// Statements that are checks themselves, or trusted for other reasons: no check looks into them.
static inline bool is_trusted(const Stm *s) { return has_attr(s->attrs, ATTR_TRUSTED); }
void mark_checks(Build *, int from);            // statements of the open body from this one on

Sub b_finite(Build *, Sub x);                   // neither NaN nor infinite; of a scalar
Sub b_sum_of_zeros(Build *, Sub array);         // a NaN if an element is not finite
Sub b_all_finite(Build *, Sub x);               // also of an array
Sub b_rows_finite(Build *, Sub array);          // of one that is made row by row
Sub b_not(Build *, Sub);
Sub b_and(Build *, Sub, Sub);
Sub b_or(Build *, Sub, Sub);
Sub b_flat(Build *, Sub arr, Sub *n);           // all elements of an array as one dimension
// A reduction of what `f` makes of the elements.
Sub b_map_reduce(Build *, Sub n, Subs arrs, Lambda *f, Prim op, Scalar ne);
// Of the rows 0 .. n-1 the first for which that is false, or n.  `holds` emits the question.
typedef Sub HoldsFn(Build *, Sub row, void *ctx);
Sub b_first_not(Build *, Sub n, HoldsFn *, void *ctx);
Sub b_first_different(Build *, Sub n, Sub xs, Sub ys); // likewise; 0 if there is none
// The lambda on these arguments: its statements are emitted, what it consumes is copied before.
Subs b_apply(Build *, const Lambda *, Subs args);
// Are they equal, bit by bit or as NaNs?  Scalars, or all elements of arrays of one shape.
Sub b_same(Build *, Sub x, Sub y);
// if cond then {what `yes` emits} else {constants}: of scalars
typedef Subs EmitFn(Build *, void *ctx);
Subs b_guarded(Build *, Sub cond, EmitFn *yes, void *ctx, Types);

// Memory that the prelude makes, and fills.
bool is_preludes_scratch(const Stm *);
// The program with new bodies, if there is such a statement in it.  Without ctx the function is
// given instead.
typedef Body BodyFn(Body, void *ctx);
Prog *with_bodies(Prog *, StmTest *, BodyFn *, void *ctx);
// A nested expression whose bodies are made anew.
Exp *with_nested_bodies(Exp *, BodyFn *, void *ctx);

bool any_acc(Subs);                             // is one of these an accumulator?
bool has_own_rows(const Exp *screma);           // none, nor consumes rows: it can be executed twice

// The kinds of checks, each on all of a program.
Prog *check_operators(Prog *);
Prog *check_writes(Prog *);
Prog *check_scratch(Prog *);
Prog *check_integers(Prog *);
Prog *check_floats(Prog *);
#endif
