// What the files of forward mode share.
#ifndef RAIDO_JVP_H
#define RAIDO_JVP_H
#include "ad/ad.h"

// Forward mode for n directions at once, see jvp_lanes.c.
typedef struct {
	Sub n;
	StmVec pending;                       // statements whose values exist, tangents do not yet
	Map waiting;                            // what they bind
	Map summed;                             // first results of maps that are only summed
} Lanes;

// One application of forward mode.  Names are unique, so one table serves all scopes.
typedef struct {
	Build *b;
	Active active;
	Map tans;                               // variable -> Sub *; absent: zero
	Map joint;                              // token of an accumulator that holds tangents too
	Map split;                              // token -> Var *, that of the tangents' accumulator
	bool apart;                             // values of the outermost body exist already
	int depth;                              // of the body at hand, the outermost is 1
	Lanes *lanes;                           // tangents have a dimension more; else NULL
} Jvp;

// ---- jvp.c ----

bool has_tan(const Jvp *, Var);                 // does its tangent get a name of its own?
const Sub *tan_of(const Jvp *, Sub);            // NULL: zero
Sub  tan_or_zero(Jvp *, Sub);
Subs tans_or_zeros(Jvp *, Subs);
void set_tan(Jvp *, Var, Sub);
Var  tan_var(Jvp *, Var);                       // makes the variable and sets it
Type tan_type(const Jvp *, Type);               // of the tangent
bool any_active(const Jvp *, Vars);
bool any_tan(const Jvp *, Subs);
Type own_type(const Jvp *, Type);               // of the primal: an accumulator may have grown
void own_vars(const Jvp *, Vars);               // gives variables their own types
void jvp_stms(Jvp *, const Body *);             // emits them into the open body
// The results of the body, then the tangents of the wanted ones.
Body jvp_body(Jvp *, const Body *, const bool *want);
bool *active_seeds(const Lambda *, Subs tangents); // all but constant zeros
void bind_params(Jvp *, const Lambda *, Subs args);
Stm  renamed_inside(const Stm *);               // new names for what is bound inside of it
void jvp_emit(Jvp *, const Stm *like, Vars pat, Exp *); // where, certs and attributes as there

// ---- jvp_lanes.c ----

// NULL if n directions cannot be done at once, or nothing would be gained.
Lanes *lanes_of_many(const Jvp *, const Body *, Sub n);
// Emits the values of a statement whose tangents can wait, and gives true; else what has to be done
// before the statement itself.
bool lanes_collect(Jvp *, const Stm *);
void lanes_flush(Jvp *);                        // computes the tangents that wait
Slices lanes_slices(const Jvp *, Slices);       // of all lanes
Reduction lanes_sum(Jvp *, const Reduction *, Subs ne); // a sum of rows of lanes

// ---- jvp_soac.c, jvp_acc.c ----

void jvp_screma(Jvp *, const Stm *);
void jvp_hist(Jvp *, const Stm *);
void jvp_scatter(Jvp *, const Stm *);
void jvp_flatmap(Jvp *, const Stm *);
void jvp_withacc(Jvp *, const Stm *);
void jvp_upd_acc(Jvp *, const Stm *);

// The operator on values and tangents.  Where the tangents are combined without looking at the
// values (sums), they have an operator of their own: `tangents`, else NULL.
typedef struct { Lambda *op, *tangents; } DualOp;
DualOp dual_operator(Jvp *, const Lambda *op);
bool is_polynomial(const Body *);               // sums and products, combinators of such

// A lambda whose results are given by the caller, one by one.
typedef struct { VarVec params; SubVec res; TypeVec ret; const Lambda *of; } Open;
void open_primal(Jvp *, Open *, int i);         // adds result i
void open_tangent(Jvp *, Open *, int i);        // adds its tangent
Lambda *close_lambda(Jvp *, Open *);
#endif
