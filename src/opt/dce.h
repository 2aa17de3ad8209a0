// What the files of dead code elimination share.  See dce.c.
#ifndef RAIDO_DCE_H
#define RAIDO_DCE_H
#include "opt/opt.h"

// How a variable came about; nothing is known of parameters of functions.
typedef enum { BY_FUN, BY_PATTERN, BY_LOOP, BY_LAMBDA } Origin;
typedef struct { Origin origin; int index; const Stm *stm; const Lambda *lambda; } Def;

typedef struct {
	bool components;                        // are components dropped at this stage?
	bool *live;                             // by variable: used by what stays
	bool *named;                            // by variable: certificates that anything uses
	bool *alive;                            // statements that stay, by their first variable
	Def *defs;                              // by variable
	VEC(Var) work;                          // live, but not handled yet
	VEC(Var) nested;                        // certificates of assertions inside of others
	bool kept;                              // is one of these assertions marked?
	Map effects;                            // functions and expressions with an effect inside
	Map silent;                             // live statements without a pattern
	Map reached;                            // functions: old -> new
	bool dropped;                           // anything of the function that is swept
} Dce;

// Where the results of the map function for an operator or destination begin.
typedef struct { int index, value; } Places;

// ---- dce.c: what is live ----

bool dce_is_alive(const Dce *, const Stm *);
// Most statements are such: in what they give there are no sizes to look at.
static inline bool form_gives_scalar(Form f)
{
	return f == E_prim || f == E_convert || f == E_index;
}
// Are the components of such statements dropped one by one?
bool dce_has_components(const Dce *, Form);

// ---- dce_sweep.c: what stays ----

// Drops from a copy (of a Visit with a Dce) what is not live.
void dce_sweep(Visit *, Body *);
#endif
