// What the files of the pass `shortcircuit` share.
#ifndef RAIDO_MEM_SHORTCIRCUIT_H
#define RAIDO_MEM_SHORTCIRCUIT_H
#include "mem/layout.h"
#include "mem/region.h"
#include "mem/uses.h"

typedef struct {
	BlockAliases *aliases;
	Map scalars, sizes, counters;           // what is known of them
	Map views;                              // array -> Exp *: the slice it is
	Map origins;                            // of Parts
	Map inner;                              // offset added to a body inside -> Var *: the one
	                                        // right after whose definition it is computed
	Edits edits;
} Short;

// Where a variable is bound: before statement at + 1 of the body, and by what.
typedef struct { int at; Stm *stm; } Def;

// A value that was moved to a region, and the statements that access it.
typedef struct { Region part; BlockUse *use; } Moved;

typedef struct {
	Body *body;
	Uses uses;
	VEC(Moved) moved;
	Map classes;                            // class of blocks -> UseVec *
	Map defs;                               // variable of this body -> Def *
	const int *stops;                       // statements before i that may end the program;
	                                        // counted when that is asked first
} Open;
typedef VEC(BlockUse *) UseVec;
typedef VEC(Stm *) StmRefs;

// ---- short_open.c ----

Open open_body(Short *, Body *);
void open_uses(Short *, Open *);                 // finds its accesses anew
const Def *open_def(const Open *, Var);           // what binds a variable of this body, or NULL
Parts parts_of(const Short *);
// Does a statement from `from` on and before `to` access what may be this part?
bool touched(const Short *, const Open *, const Region *part, Var, int from, int to);
// Is it known before statement k, once the statements `moved` have moved there: all that the place
// of a part of an array is computed from; the assertions of a statement, in their order?
bool place_available(const Open *, Type, Slices at, int k, StmRefs *moved);
bool certs_available(Open *, Vars certs, int k, StmRefs *moved);
void open_note(Short *, Open *, Stm, int at);   // a statement that was added after statement `at`
// Adds statements before statement k, or moves one there.
void add_before(Short *, Open *, Stm, int k);
void add_all_before(Short *, Open *, Stms, int k);
void move_before(Short *, Open *, const Stm *, int k);
#endif
