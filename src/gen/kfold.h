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
	bool symmetric;         // f x y and f y x have the same bits
	bool counts;            // it adds up numbers that are 0 or 1: an element has base + rank[u]
	const char *base, *rank;
	CExp *acc;                      // C variables: what this thread has so far
	bool fails;                     // f can
	int room;                       // where in shared memory shuffles may be imitated
	int number, first_value;        // of scans: among those of the loop
} Fold;
typedef VEC(Fold *) Folds;

// The scan of a tile.
typedef struct {
	CExp *sh;                       // room for all elements of the tile, in order
	CExp *few;                      // for one value of each thread
	CExp *x;                        // what this thread has, together
	CExp *e;                        // what the threads before it have
	CExp *all;                      // what the block has
	const char *threads;            // how many have some
	const char *own, *count;        // the first one of this thread, how many it has
} TileScan;

typedef VEC(const Exp *) Stores;
typedef struct {
	const Exp *e;                   // the loop
	Folds folds;
	Fold **fold_at;                 // by statement of the body
	bool *is_alloc;                 // likewise: done before the iterations
	bool *failed;                   // likewise: can the segment that begins there fail?
	int n_scans;
	bool in_order;                  // iterations that follow on each other go to one thread
	CExp n;
	// Scans.
	Choice each;                    // elements of a tile that a thread has
	CExp items;                     // the same
	const char *tile, *u;           // the first one of the tile; the number of the thread's
	const char *m;                  // elements of the tile
	Map derived;                    // variables that are computed again
	bool chained;                   // see Note [Chains] in kchain.c
	bool direct;               // the operands of the only scan go to shared memory as they come
	TileScan scan;
	Stores stores;                  // of a filter: kcompact.c
	const char *flags;              // ... a bit for each element of the thread that stays
} Threads;

// Does this call of an operator add up numbers that are 0 or 1, from 0 on?
bool counts_flags(const Exp *loop, const Stm *call);
// False: the loop carries something else.
bool threads_of(Gen *, const Stm *loop, Threads *out);
void declare_fold_results(Gen *, Threads *);    // the C variables of the loop's parameters
void begin_folds(Gen *, Threads *);             // before the iterations
void fold_step(Gen *, Fold *);   // in an iteration
void end_folds(Gen *, Threads *);               // after them: all threads know the results

// With one expression for each value of a fold.
PrimType value_type(const Threads *, const Fold *, int v);
CExp *param_values(Gen *, const Threads *, const Fold *); // what the loop carries
CExp *elements_at(const CExp *rooms, int n, CExp i); // rooms[v][i]
CExp *declare_values(Gen *, const Threads *, const Fold *, const char *hint, const CExp *init);
void assign(Gen *, const Fold *, const CExp *to, const CExp *from);
// to = f(left, right); a failure is noted for the block.
void combine_marked(Gen *, const Fold *, const CExp *to, const CExp *left, const CExp *right);
// The values of another thread of the warp: rd_shuffle_down, rd_shuffle_up, rd_shuffle.
CExp *shuffled(Gen *, const Threads *, const Fold *, const char *how, const CExp *x, CExp by);
// Each of `most` lanes takes in those before it.
void scan_lanes(Gen *, const Threads *, const Fold *, const CExp *x, CExp most, CExp condition);
// Shared memory for values of all threads, after so many bytes for each.
CExp declare_room(Gen *, PrimType, const char *hint, CExp before);
const char *room_type(Gen *, PrimType);         // in memory between threads
int room_size(PrimType);

// ---- kthreads.c ----

void thread_allocs(Gen *, const Threads *);     // memory that does not depend on the iteration
void thread_stms(Gen *, const Threads *, int from, int to);
void leave_if_marked(Gen *);                    // after a barrier, if one of the threads has failed

// ---- kapart.c ----

// Those from `first` on that are several at a time; what is left is done one by one.
void gen_apart(Gen *, const Threads *, const char *first, CExp n, bool is_short);

// ---- kscan_plan.c ----

Map mentioned_from(const Exp *loop, int from);  // variables, by the statements from that one on
bool is_operator_call(const Stm *);
Map derived_from_index(const Exp *loop);        // variables that are computed again
bool is_direct(const Exp *loop);                // one scan, of something else than flags

// ---- kscan.c ----

void gen_scanned_threads(Gen *, Threads *);
void open_elements(Gen *, const Threads *);     // a loop over those of a thread
void bind_element(Gen *, const Threads *, int segment); // its index, and what follows from it
CExp flag_of_element(Gen *, const Threads *, const Fold *); // does it count?

// ---- kcompact.c ----

Stores compacted(const Exp *loop);              // what a filter stores; none: it is something else
int compact_bytes(const Stores *, int items);   // of shared memory for each thread
CExp *compact(Gen *, const Threads *, const char *first);
void store_compacted(Gen *, const Threads *, const CExp *rooms, CExp before, CExp all);

// ---- kchain.c ----

void tell_alone(Gen *, const Threads *, const Fold *, const TileScan *); // before look_back
// The parameters of the loop become what all tiles before this one amount to.
void look_back(Gen *, const Threads *, const Fold *, const TileScan *, const CExp *p);
#endif
