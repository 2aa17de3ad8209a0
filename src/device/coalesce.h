// The pass `coalesce`: what its files share.
#ifndef RAIDO_COALESCE_H
#define RAIDO_COALESCE_H
#include "opt/opt.h"

enum { MOST_LOOPS = 32 };

// An array with another order of dimensions in memory; view: as the array.
typedef struct { Var arr, view; int inner; } Copy;

// A host-level body that is being made.
typedef struct Scope {
	struct Scope *up;
	StmVec out;
	const Stm *loop;                    // that it is the body of, or NULL: a branch, a function
	VEC(Copy) copies;
} Scope;

typedef struct {
	Scope *scope;
	Map depths;                             // host-level variable -> Scope *: where it is bound
} Coalesce;

typedef uint64_t Dims;                          // a set of dimensions
typedef struct { Var x; int dim; } Access;      // what is read; the dimension of the counter

// How the accesses of a kernel to an array are.
typedef struct {
	Var arr;
	int inner;                           // the dimension that the counter selects; -1: none yet
	bool mixed;                             // not by elements, or at places of the threads' own
	bool again;                             // elements are read several times
	Dims dims, dims_again;               // that the counter selects; with elements read again
	VEC(Access) accesses;
	bool seen;
	VEC(Var) rows;                 // variables of the host that select elements in all accesses
} Reads;

typedef struct {
	Var counter;
	Map depends;                            // variables that are not the same for all threads
	Map plus;                               // ... that are the counter plus the same for all
	Map bound;                              // in the kernel
	Map jammed;                             // indices that are used beside others, see jam.c
	Var loops[MOST_LOOPS];                  // counters of the loops of the thread around
	int n_loops;
	const struct Innermost *in;
	VEC(Reads) reads;
} Thread;

// The loops whose counter tells neighbouring threads apart, the counters around them, and for each
// counter of a nest of blocks what depends on it.
typedef struct Innermost { VEC(const Stm *) loops; VEC(Var) outer; VEC(Map *) blocks; } Innermost;

// coalesce.c
Innermost innermost_of(const Stm *kernel);
Thread thread_of(const Stm *kernel, const Innermost *, const Stm *loop); // of one of these
bool counts(const Thread *, Sub);               // is it the counter plus the same for all threads?
bool differs(const Thread *, Sub);              // is it not the same for all threads?
bool is_narrow(Type, int inner);                // few elements along the dimensions after `inner`
Sub  emit_stm(StmVec *, const char *hint, Type, Exp *, const Where *);
Sub  emit_rearrange(StmVec *, Sub arr, const int *perm, const Where *);

// coalesce_results.c
Stms turn_results(Scope *, Stm *kernel);        // gives the statements to follow the kernel
// Adds the names an array has in the body, by updates in place; is it read?
bool follow_updates(Body *, Var arr, Map *names);

// coalesce_local.c
void turn_local(Stm *kernel);                   // arrays in shared memory
#endif
