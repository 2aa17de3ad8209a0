// What gpu_acc_local.c, gpu_acc_owned.c and gpu_acc_rows.c share.
#ifndef RAIDO_GPU_ACC_H
#define RAIDO_GPU_ACC_H
#include "device/flatten.h"

enum { MOST_LEVELS = 8 };

typedef struct {
	Build b;
	Map inputs;                             // token -> AccInput *
	Map owned;                              // token -> bool *: is it #[owned]; see Note [Owned]
	int lead;                              // how many loops count segments; see Note [Segments]
	bool rows;                        // the innermost loop counts the last index of each update
	const Fun *fun;
	int n_choices;
	Map iotas;                              // arrays of numbers from 0 on
} Local;

typedef struct { Sub elements, bytes; } AccSize;

// A nest of kernels: the loops, outermost first, and what each does before the next one.
typedef struct {
	const Stm *loops[MOST_LEVELS];
	int n;
} Nest;

// ---- gpu_acc_owned.c ----

const AccInput *acc_input_of(const Local *, Var);  // with an operator, unless it is among the owned
bool is_kernel_of_threads(const Stm *);
Nest nest_of(const Stm *kernel);
bool is_whole(const Nest *);          // is nothing in it counted by threads that were not followed?
bool is_kernel_of_blocks(const Stm *);
void find_owned(Local *, const Nest *);         // sets owned, lead and rows
Exp *mark_owned(Local *, Exp *kernel);          // with #[owned]

// ---- gpu_acc_local.c ----

AccSize acc_size(Local *, const Stm *);         // of all accumulators that are not owned

// ---- gpu_acc_rows.c ----

// What copies, or columns, and the other arrays of a block take together, and whether they pay.
typedef struct { Sub bytes, pays; } RowCopies;
bool row_copies(Local *, const Stm *kernel, RowCopies *); // others than those to copy become owned
// Is there a loop in what a thread does, each step of which adds to the same elements?
bool adds_in_steps(Local *, const Exp *thread, Vars accs);
// In place, all of which was just made: #[owned], and columns for threads.  False: no columns.
bool row_columns(Local *, Stm *kernel, RowCopies *);
#endif
