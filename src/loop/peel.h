// What the files of the pass `peel` share, and lift_checks.c.
#ifndef RAIDO_PEEL_H
#define RAIDO_PEEL_H
#include "loop/loop.h"
#include "opt/opt.h"

// peel_run.c
Sub  peel_compute(StmVec *, const char *hint, Prim, Sub x, Sub y); // of i64
// The same, if it is a number of iterations; what is subtracted from it does not wrap around.
Sub  peel_count(StmVec *, Sub n);
// The iterations from `start` on, n of them, of a loop.
void peel_run(StmVec *, Stm loop, Subs inits, Sub start, Sub n);
// Statements in it and its loops, or more than `most`; more than that too if it has effects.
int  size_of_nest(const Body *, int most);

// split_range.c
bool splits_range(const Exp *loop);             // is there a condition that splits it?
void split_range(StmVec *, const Stm *loop);
#endif
