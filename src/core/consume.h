// Follows a function, and tells who asks which memory its arrays may share and what consumes it.
//
// Each array has a set of roots, the pieces of memory it may occupy.  A fresh array has a root of
// its own, an alias has the roots of its operands, and the result of a branch those of both
// branches. Consuming a variable consumes its roots, and a variable with a consumed root cannot be
// used.
//
//     let (b: [n]f64) = slice a [0:n:1]     b has the roots of a
//     let (c: [n]f64) = update b [0] x      consumes them; c has a new root
//     let (d: f64) = index a [0]            wrong: a is gone
//
// Consumed are the array of update, the destinations of hist, scatter and withacc, and arguments
// for unique parameters of functions, loops and lambdas.  A root belongs to the innermost loop,
// lambda or function in which it is created, and can only be consumed there, because a lambda may
// run many times.  Unique results share no roots with other live arrays.
//
// Accumulators are linear: every use consumes one, none may be dropped, and branches use the same
// ones.
//
// The core checker (check_use.c) reports what is wrong, lowering (lower/copies.c) inserts copies.
#ifndef RAIDO_CONSUME_H
#define RAIDO_CONSUME_H
#include "core/roots.h"

typedef struct {
	int level;                              // of the loop or lambda it belongs to
	const Sub *by;                          // the operand that consumed it, or NULL
	bool is_acc, is_param;                  // is_param: of a loop, not unique
	Var var;                                // what it was first the memory of
	// the last join of branches that met it, in how many results
	int join, results;
	int renewed;                            // what took its place there, or 0
} Root;

typedef struct Consume Consume;
struct Consume {
	// What is found.  Operands and results are told by their addresses.
	void (*gone)(Consume *, Sub, const Root *);     // used after that root was consumed
	// An operand that may be consumed: is it?  If not, something else is consumed instead.
	bool (*may)(Consume *, const Sub *operand, Roots);
	// A unique result shares that root with something outside, or memory with the j-th result.
	void (*shared)(Consume *, const Sub *result, int i, const Root *, int j);
	void (*wrong)(Consume *, const char *);         // about accumulators; or NULL
	const Map *fresh;                       // operands and results that are copied, or NULL
	bool lasting;                           // constants are kept; else each call makes its own
	void *ctx;

	const Stm *stm;                         // innermost; NULL outside of statements
	int level;                              // of the loop or lambda around it; functions: 1
	Roots *of;                              // by variable
	VEC(Root) roots;
	VEC(struct Consumed { int root; const Sub *by; }) consumed;     // log, for branches
	Slots slots;                            // operands that this statement consumes
	int joins;
};

RootSets consume_fun(Consume *, const Fun *);   // the roots of its results
// Results for unique places came about at this level or further in, and share nothing.
void consume_results(Consume *, Vars places, const Body *, RootSets);
void consume_end(Consume *);                    // no accumulator was dropped
Roots consume_roots(const Consume *, Sub);
#endif
