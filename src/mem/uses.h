// How the statements of a body use blocks.
#ifndef RAIDO_USES_H
#define RAIDO_USES_H
#include "mem/pass.h"

// An array bound in a block, by a statement of the body or inside of one.
typedef struct {
	Var var;
	int at;                                 // the statement of the body
	const Stm *by;                          // what binds it, maybe nested; also for loop parameters
} Binder;

typedef struct {
	Var block;
	int first, last;                        // statements that mention it or an array in it
	int n_operand;                          // occurrences other than in places
	VEC(int) access;                        // statements that load, store or pass it on; ascending
	VEC(Binder) binders;
} BlockUse;

// Statements are numbered from 0; the results of the body count as one more.
typedef struct { Map of; VEC(BlockUse *) all; } Uses;
Uses      uses_of_body(const Body *);
BlockUse *block_use(const Uses *, Var block);   // NULL: not mentioned
// Is the block accessed by a statement after `from` and before `to`?
bool      accessed_between(const BlockUse *, int from, int to);
// What happened to one happens to the other; the second is not mentioned any more.
void      merge_use(Uses *, BlockUse *into, const BlockUse *from);
void      drop_access(BlockUse *, int at);
#endif
