// What the files of the pass `scalarise` share.
#ifndef RAIDO_SCALARISE_H
#define RAIDO_SCALARISE_H
#include "opt/opt.h"
#include "loop/loop.h"

enum {
	MOST_ELEMS = 16,                        // of an array that is taken apart
	FEW_ELEMS = 4,                          // as many may be chosen from by comparing
	MOST_TABLE_TRIPS = 16,                  // of a loop that reads tables: unrolled
	MOST_STMS = 400,                        // that unrolling it makes
};

typedef struct {
	Build b;
	int kernels;                            // loops of devices around
	int around;                             // loops and combinators of any kind around
	Map funs;                               // Fun * -> Fun *
	Map subst;                              // variable -> Sub *: what it has become
	Map elems;                              // array of the new program -> Subs *: its elements
	Map kept;                               // certificates that statements lost: opt/kept.c
	Map holds;                              // certificates of what always holds
	Map unrolled;                           // Exp *: a set
	Map fixed;                              // scalars, constant once loops are unrolled
	Map rows;                               // arrays of constants: iotas, literals
	Map tables;                             // arrays -> TABLE, COUNT: see scalar_plan.c
	uint32_t *up;                           // arrays that are taken apart together: a forest
	bool *whole;                            // by class: is better kept as an array
	int copying;                            // binders are renamed: inside of what is unrolled
	bool changed;
} Scal;

// scalarise.c
Sub  scal_sub(Scal *, Sub);                     // what an operand has become
Subs scal_subs(Scal *, Subs);
void scal_replace(Visit *, Sub *);              // Visit.sub, of the Scal ctx
void scal_is(Scal *, Var old, Sub);             // from now on it is this operand
Var  scal_bind(Scal *, Var old);                // the binder of the new program
Subs scal_stms(Scal *, const Body *);           // emits them; the results
void scal_emit(Scal *, const Stm *, Vars pat, Exp *);
void scal_flat(Scal *, const Stm *, Exp *);     // with all that the statement binds
// Reads the elements of arrays that come from elsewhere, once they are bound.
void scal_read(Scal *, Vars old, Vars new_);

// scalar_plan.c: what is worth taking apart and unrolling
int  small_array(Type);                         // how many elements; 0: not small, or no array
void scal_plan(Scal *, const Fun *);
bool taken_apart(Scal *, Var old);              // of a parameter or result of control flow
bool unrolled(Scal *, const Stm *);

// scalar_need.c
bool scal_needed(Scal *, const Fun *);          // would anything of it change?  After scal_plan

// scalar_array.c: arrays whose elements are known
const Subs *known_elems(Scal *, Sub arr);       // NULL: not known
// Known, or read now.  The sizes are those of the type, which is small; the array itself may
// be known to have them by an assertion only.
Subs elems_of(Scal *, Sub arr, Type);
void set_elems(Scal *, Var arr, Subs);
void make_array(Scal *, const Stm *, Var old, Subs elems); // binds it to these elements
// By the elements, which are known; false: they are not.  Operands are those of the new program.
bool scal_array(Scal *, const Stm *);

// scalar_control.c: the forms with bodies
void scal_nest(Scal *, const Stm *);
#endif
