// What the files of the simplifier share.  See simplify.c.
#ifndef RAIDO_SIMPLIFY_H
#define RAIDO_SIMPLIFY_H
#include "opt/alias.h"
#include "opt/opt.h"
#include "opt/range.h"

// What stands for a variable, once these assertions hold.
typedef struct { Sub sub; Vars certs; } Stand;

// What is known of a variable.  All of these are cleared in each round: they are to be small.
typedef struct {
	const Stand *to;                        // what it is replaced by, or NULL
	const Exp *def;                         // the expression that gives it, as emitted; or NULL
	const Var *pat;                         // all that def gives
	const Var *certs;                       // what def needs
	int n_certs;
	int index;                              // which of pat it is
	int depth;                              // loops and lambdas around its binding
	int uses, index_uses;                   // before this round; as the array of an index
	Var proof;                              // a bool: the certificate that it holds, or 0
	bool is_counter;                        // new in each run of its loop or lambda
} Info;

typedef struct Simp {
	Build b;
	Alias alias;
	Range range;
	Info *infos;                            // by variable
	uint32_t cap, counted;                  // uses are known of variables below `counted`
	int depth;                              // loops and lambdas around
	const Exp *loop;                        // the loop whose body this is, or NULL
	int in_ad;                              // > 0 inside of functions to be differentiated
	bool changed;                           // a rule applied
	bool touched;                           // anything is not as it was
	Map differentiated;                     // functions that are called from such places
	Map funs;                               // old function -> new
	Map kept;                               // certificates that statements lost: see kept.c
	VEC(Var) proved;                        // bools with a proof, innermost last
} Simp;

// ---- simplify.c: the state ----

Info *s_info_of_new(Simp *, Var);
static inline Info *s_info(Simp *s, Var v)      // valid until the next variable is made
{
	return v.id < s->cap ? &s->infos[v.id] : s_info_of_new(s, v);
}
Vars s_def_certs(Simp *, Sub);                  // those of the statement that gives an operand
Sub  s_subst(Simp *, Sub);                      // what stands for an operand, unconditionally
// The expression that gives an operand, or NULL.
const Exp *s_def(Simp *, Sub);
const Exp *s_def_as(Simp *, Sub, Form);         // NULL unless of this form
int  s_uses(Simp *, Sub);                       // at least
void s_replace(Simp *, Var, Sub to, Vars certs); // from here on
Sub  s_let(Simp *, const char *hint, Type, Exp *); // emits, or finds an equal statement
Sub  s_prim(Simp *, Prim, Sub x, Sub y);        // at x's type; folds
Sub  s_convert(Simp *, PrimType, Sub x);
Subs s_inline(Simp *, Body, Vars certs);        // its statements go here; its results
void s_stm(Simp *, const Stm *);                // simplifies and emits
Body s_body(Simp *, Body);                      // simplified
// A rule that sees through the statement of an operand takes over its certificates.
void s_take_certs(Simp *, Stm *, Sub operand);
// A statement becomes a name for an operand; false if the name is still needed (Note
// [Certificates]).  The same for all results of a statement that is gone.
bool s_becomes(Simp *, Stm *, Sub);
void s_is_equal(Simp *, const Stm *, Sub);      // ... for one that needs the same assertions
void s_name(Simp *, const Stm *, Subs res);
// A rule is about to be applied; false when the pass may not rewrite any more.
bool s_rewrite(Simp *);

// ---- Rules ----
//
// A rule gets a statement whose operands are up to date.  It either replaces the variables of
// the pattern and returns true, or returns false, maybe with another expression in the statement.
bool simp_prim(Simp *, Stm *);                  // simp_prim.c: prim, convert
bool simp_index(Simp *, Stm *);                 // simp_index.c: index, slice
bool simp_array(Simp *, Stm *);                 // simp_array.c: other forms on arrays
bool simp_transposed_nest(Simp *, Stm *);       // simp_nest.c: rearrange
bool simp_control(Simp *, Stm *);               // simp_control.c: before what is nested
bool simp_branches(Simp *, Stm *);              // ... and after
bool simp_soac(Simp *, Stm *);                  // simp_soac.c: before
bool simp_soac_results(Simp *, Stm *);          // ... and after
bool simp_assert(Simp *, Stm *);                // simp_assert.c
bool simp_fill(Simp *, Stm *);                  // simp_fill.c: if, after its bodies
void note_sums(Simp *, const Exp *loop);        // ... what is known of its parameters

bool exp_is_cheap_scalar(const Exp *);          // cannot fail, costs an instruction or two
#endif
