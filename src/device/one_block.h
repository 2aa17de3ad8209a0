// What the files of the pass `one_block` share.
#ifndef RAIDO_ONE_BLOCK_H
#define RAIDO_ONE_BLOCK_H
#include "device/flatten.h"
#include "opt/alias.h"
#include "opt/opt.h"

typedef struct {
	Alias alias;
	const Fun *fun;
	int n_thresholds;
	bool in_loop;                           // of the host
	Build b;
} OneBlock;

// Statements `from` to `to` of a body.
typedef struct {
	OneBlock *c;
	const Body *body;
	const Map *used;                        // variable -> int *: where it is used last
	int from, to;
	Map at;                                 // variable that they bind -> Stm *
	Map parts;                              // numbers that depend on how many parts sums have
	VarVec roots, last;                     // arrays that are written: at first, in the end
	VEC(Sub) widths;
	int n_work, n_kernels;                  // the latter without copies and fills
} Run;

// ---- one_block_find.c ----

Map  last_uses(const Body *);                   // variable -> int *: where it is used last
bool is_used_after(const Run *, Var);
void take_run(Run *, int to);                   // statements from there on, as far as they fit
bool find_run(Run *, int from);                 // the longest from there on; false: none is of use
const Stm *run_stm(const Run *, Sub);           // that binds it, or NULL
int  run_root(const Run *, Sub);                // of the array that it is, among the roots
bool stays_outside(const Run *, const Stm *);

// ---- one_block_emit.c ----

Subs emit_block(Run *, Vars outs);              // the results that are used afterwards
#endif
