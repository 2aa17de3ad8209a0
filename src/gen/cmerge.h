// Functions of C as they are compared, to find those that are instances of others: cmerge.c.
#ifndef RAIDO_CMERGE_H
#define RAIDO_CMERGE_H
#include "gen/cgen.h"

// What a name stands for in a function.
typedef struct Local {
	const char *name, *type;
	bool param, changed, used, counted;
	int declared;           // how often
	CExp value;             // of an integer that never changes, from others that do not
	struct Local *other;    // which name of the other function is the same
	CExp given;             // parameters of the general function: what they stand for
} Local;

typedef struct Side {
	const Map *sides;       // Name -> Side *: all functions looked at, callees first
	const CFun *fun;        // as it was written
	CFun *general;          // with parameters for places
	VEC(CExp) places;       // which they are
	bool shared;            // others are instances of it
	Map locals;             // Name -> Local *
	VEC(Local *) list;
	bool changes_params;
	uint64_t shape;         // the same in a function and its instances
	VEC(Name) ints;         // integer literals, in order: all of them are in instances too
	uint64_t bits;          // one for each of them, by a hash: most are told apart by these
	struct Side *as;        // the function that this is an instance of
	CExps args;             // with these arguments, in terms of its own parameters
} Side;

// ---- cshape.c: what is in a function ----

Side *look_at(const Map *sides, const CFun *);  // callees have been looked at
Local *local_of(const Side *, CExp);            // NULL: not a name, or not one of the function's
Side *called(const Map *sides, CExp);           // the function of the program that is called
bool is_unused(const Side *, int param);
bool is_silent_stm(const Side *, const CStm *); // it says nothing: (void)x, a name of an integer
bool is_sum(CExp);
bool is_product(CExp);
bool is_difference(CExp);

#endif
