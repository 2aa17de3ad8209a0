// How the statements of a body use blocks.
#ifndef RAIDO_USES_H
#define RAIDO_USES_H
#include "mem/pass.h"

// An array bound in a block, by a statement of the body or inside of one.
typedef struct {
	Var var;
	int at;                                 // the statement of the body
	const Stm *by;                          // what binds it, maybe as a loop parameter
} Binder;

typedef struct {
	Var block;
	int first, last;                        // statements that mention it or an array in it
	int n_operand;                          // occurrences other than in places
	VEC(int) access;                        // those that load, store or pass it on; ascending
	VEC(Binder) binders;
} BlockUse;

// Statements are numbered from 0; the results of the body count as one more.
typedef struct { Map of; VEC(BlockUse *) all; } Uses;
Uses      uses_of_body(const Body *);
BlockUse *block_use(const Uses *, Var block);   // NULL: not mentioned
int       next_access(const BlockUse *, int from); // from there on; INT_MAX: none
// The arrays of one lie in the other, which is mentioned where they are; the first is not
// mentioned any more.
void      merge_use(Uses *, BlockUse *into, const BlockUse *from);
void      merge_access(BlockUse *into, const BlockUse *from); // one is accessed where the other is
void      drop_access(BlockUse *, int at);
#endif
