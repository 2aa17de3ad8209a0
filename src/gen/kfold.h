// Folds and scans of #[threads] loops.
#ifndef RAIDO_KFOLD_H
#define RAIDO_KFOLD_H
#include "gen/kgen.h"

// One operator: `let (r1..rk) = call f (p1..pk, x1..xk, free...)`.
typedef struct {
	const Stm *call;
	const Fun *fn;
	int n;                          // values
	int *param;                     // of the loop, for each value
	bool is_scan, commutes;
	const char **acc;               // C variables: what this thread has so far
	bool fails;                     // f can
} Fold;
typedef VEC(Fold *) Folds;

typedef struct {
	const Exp *e;                   // the loop
	Folds folds;
	Fold **fold_at;                 // by statement of the body
	bool *is_alloc;                 // likewise: done before the iterations
	bool *failed;                   // likewise: can the segment that begins there fail?
	int n_scans;
	bool in_order;                  // iterations that follow on each other go to one thread
	const char *n, *tile, *within;
} Threads;

// False: the loop carries something else.
bool threads_of(Gen *, const Stm *loop, Threads *out);
void declare_fold_results(Gen *, Threads *);    // the C variables of the loop's parameters
void begin_folds(Gen *, Threads *);             // before the iterations
void fold_step(Gen *, Fold *);   // in an iteration
void scan_step(Gen *, const Threads *, Fold *); // likewise, all threads together
void end_folds(Gen *, Threads *);               // after them: all threads know the results
void declare_ahead(Gen *, const Threads *);     // what a segment computes for a later one
#endif
