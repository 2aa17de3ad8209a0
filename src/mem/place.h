// What the files of the pass `place` share.
#ifndef RAIDO_PLACE_H
#define RAIDO_PLACE_H
#include "mem/pass.h"

// roots.c: what lies in the same place.  By variable of the program before the pass.
typedef struct {
	uint32_t *root;                         // the first array at the same place
	bool *view;                             // may start elsewhere than its block
	bool *in_place;                         // loop parameters: iterations leave it where it is
	Map given;                              // Fun * -> int *: see find_given
} Roots;
// Fills in what concerns the variables of a function; `born` is for its own use.
Roots roots_of_fun(Roots, uint32_t *born, const Fun *);
// For functions that are no entry points: by result, the parameter in whose place it is left,
// or -1.
Map find_given(Roots, uint32_t *born, const Prog *);
int given_of(const Map *given, const Fun *, int result);

typedef struct {
	Build b;
	Var *renamed;                           // by array before: the one in memory, or 0
	Map funs;                               // Fun * -> Fun *
	Roots roots;
	uint32_t n_old;                         // variables before the pass
	int *level;                             // of the body that binds them
	int depth;                              // of the body at hand
	Map sizes;                              // variables that are sizes of parameters
} Place;

// place.c
Var  place_array(Place *, Var old, MemLoc);     // the array that takes the place of the old one
Sub  place_sub(Place *, Sub);
void place_bound(Place *, Vars);                // notes where these are bound
Body place_body(Place *, const Body *, Subs *res);
void place_emit(Place *, const Stm *, Vars pat, Exp *);
// A row-major copy of an array.
Sub  place_copy(Place *, const Stm *, Sub arr);

// place_control.c
void place_choice(Place *, const Stm *);        // if, match
void place_loop(Place *, const Stm *);
void place_call(Place *, const Stm *);
void place_fun(Place *, const Fun *, Fun *);
#endif
