// What the files of the pass `seq` share.
#ifndef RAIDO_SEQ_H
#define RAIDO_SEQ_H
#include "loop/loop.h"

typedef struct {
	Build b;
	Map subst;                              // variable -> Sub *: what it has become
	Map accs;                               // accumulator -> Subs *: its arrays
	Map inputs;                             // token -> AccInput *
	Map certs;                             // variable -> Vars *: of the statement that gives it
	Map funs;                               // Fun * -> Fun *
	bool shared;                            // what is written is #[shared]
	bool atomic;                            // likewise #[atomic], if there is an operator
	bool inside;                            // its place needs no test
	int level;                              // loops of devices around
	Map levels;                            // token -> AccLevel *: where its accumulator is made
} Seq;

typedef struct { int level; } AccLevel;

// seq.c
Sub  seq_sub(Seq *, Sub);                       // what an operand has become
Type seq_type(Seq *, Type);
void seq_set_acc(Seq *, Var acc, Subs arrs);
Subs seq_acc(Seq *, Sub acc);
// Emits the body of a lambda on these arguments (an accumulator's are its arrays, in place
// of the one operand, already known by seq_set_acc); gives its results, where
// accumulators stand for themselves.
Subs seq_inline(Seq *, const Lambda *, Subs args);

// seq_soac.c: each emits what does the work of the statement, whose operands are those of
// the new program
void seq_screma(Seq *, const Stm *);
void seq_flatmap(Seq *, const Stm *);
// What the operator makes of values so far and new ones; `reduce`: marked as #[reduce] if it can
// be.
Subs seq_combine(Seq *, const Lambda *op, Subs so_far, Subs fresh, bool reduce);

// seq_write.c
void seq_hist(Seq *, const Stm *);
void seq_scatter(Seq *, const Stm *);
Subs seq_upd_acc(Seq *, const AccInput *, Subs arrs, Subs idx, Subs vals);
Sub  seq_row(Seq *, Sub arr, Sub i, bool own);  // row i; `own`: in memory of its own

// seq_atomic.c
Subs seq_atomic(Seq *, Subs arrs, Subs idx, Subs vals, const Lambda *op);
Subs seq_combined(Seq *, const Lambda *op, Subs arrs, Subs idx, Subs vals);
bool gives_fresh(const Body *, Sub);            // is the result new memory made by the body?
#endif
