// The two sweeps of a derivative: what sweeps*.c share.
#ifndef RAIDO_SWEEPS_H
#define RAIDO_SWEEPS_H
#include "ad/ad.h"
#include "opt/alias.h"

typedef enum { FORWARD, AGAIN, BACKWARD } Sweep; // of a statement; AGAIN: of both

// Statements that follow one another, and what find_sweeps says of them.
typedef struct {
	Stms stms;
	Map *late;                              // variables that depend on cotangents
	Alias *alias;
	Sweep *sweep;                           // of each statement
	Map defs;                               // variable -> Stm *
	Map stored;                             // variables that the forward sweep has in memory
	Map needed;                             // variables that the backward sweep mentions
	Map simple;                             // variables that it can compute from what it has
	VarVec residuals;                       // all that it cannot, last first
} Sweeps;

// ---- sweeps_find.c ----

// `late` has the cotangents.  The results are those of the forward sweep and of the backward one.
void find_sweeps(Sweeps *, Subs early, Subs late);
// An array, by a statement after it, of all sweeps but that one.
bool is_consumed(const Sweeps *, Var, Sweep other);
// Statements of the backward sweep name no certificates of the forward sweep, inside either.
Body drop_certs(const Sweeps *, Body);

// ---- sweeps_maps.c ----

// `late`: as above, and what depends on these is added.
Stms split_maps(Stms, Map *late, Alias *);
#endif
