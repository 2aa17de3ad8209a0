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
	Var proof;                              // a bool: the certificate that it holds, or 0
	bool is_counter;                        // new in each run of its loop or lambda
} Info;

// How often a variable is used, and how often of that as the array of an index, to be transposed
// and as rows of a screma, before a round; the expression that gives it, if something is nested in
// that or it is an assertion; and the last statement that reshapes it.
typedef struct {
	int uses, index_uses, turned_uses, row_uses;
	const Exp *nest;
	const Stm *shaped;
} Count;
typedef struct {
	Count *of;
	uint32_t len;
	Prog prog;                              // what was counted
	bool has_derivatives;                   // of functions that are still to be made
	Alias alias;                            // see counts_alias
	bool is_aliased;
} Counts;

// A rule that does not apply asks to be heard again: the question is put once dead code is gone.
typedef bool WatchTest(Counts *, Var, int arg);
typedef struct { WatchTest *holds; Var v; int arg; } Watch;
typedef VEC(Watch) Watches;

typedef struct Simp {
	Build b;
	Alias alias;
	Range range;
	Info *infos;                            // by variable
	uint32_t cap;
	Counts counts;                          // of variables that there were before the round
	bool in_loops;                          // is this the LOOP stage, or a later one?
	int depth;                              // loops and lambdas around
	const Exp *loop;                        // the loop whose body this is, or NULL
	bool derivatives;                       // are there any in the program?
	int in_ad;                              // > 0 inside of functions to be differentiated
	bool changed;                           // a rule applied
	bool touched;                           // anything is not as it was
	bool turned;                            // operands of which the order does not matter
	bool again;                             // a rule would apply in another round
	bool trying;                            // is it but asked whether a rule applies?
	Watches watches;                        // what may let a rule apply in another round
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
Sub  s_subst(Simp *, Sub);                      // what stands for an operand, unconditionally
// The expression that gives an operand, or NULL.
const Exp *s_def(Simp *, Sub);
const Exp *s_def_as(Simp *, Sub, Form);         // NULL unless of this form
int  s_uses(Simp *, Sub);                       // at least
// Questions that may have another answer after the round: the rule is then tried again.
bool s_has_uses(Simp *, Sub, int n);            // exactly
bool s_ever(Simp *, Var);                       // alias_ever
bool s_gone(void *simp, Sub);                   // alias_gone, as a SubTest
void s_watch(Simp *, Var, WatchTest *, int arg);
void s_replace(Simp *, Var, Sub to, Vars certs); // from here on
bool s_find(Simp *, const Stm *, Sub *out);     // an equal statement
Sub  s_let(Simp *, const char *hint, Type, Exp *); // emits, or finds an equal statement
Sub  s_prim(Simp *, Prim, Sub x, Sub y);        // at x's type; folds
Sub  s_convert(Simp *, PrimType, Sub x);
Subs s_inline(Simp *, Body, Vars certs);        // its statements go here; its results
void s_stm(Simp *, const Stm *);                // simplifies and emits
// A statement becomes a name for an operand; false if the name is still needed (Note
// [Certificates]).  The same for all results of a statement that is gone.
bool s_becomes(Simp *, Stm *, Sub);
void s_is_equal(Simp *, const Stm *, Sub);      // ... for one that needs the same assertions
void s_name(Simp *, const Stm *, Subs res);
void s_emit(Simp *, Stm *);                     // as it is
// A rule is about to be applied; false when the pass may not rewrite any more.
bool s_rewrite(Simp *);

// ---- simp_subst.c: what stands for variables, in statements ----

Vars s_def_certs(Simp *, Sub);                  // those of the statement that gives an operand
// A rule that sees through the statement of an operand takes over its certificates.
void s_take_certs(Simp *, Stm *, Sub operand);
void s_add_certs(Simp *, VarVec *, Vars certs);
void s_subst_stm(Simp *, Stm *);                // operands and certificates, without what is nested
void s_subst_type(Simp *, Var);
void s_subst_operand(Visit *, Sub *);           // for visits whose ctx is the Simp

// ---- simp_again.c: which functions another round is for ----

// What a round leaves to be asked of a function; `ad`: it is to be differentiated; `changed`: a
// rule applied, so that another round may be of use.
typedef struct { Watches watches; bool again, ad, changed; } Left;
typedef struct { Map of; } Dirty;               // by name: functions that a round is for -> Left *
Dirty not_simple(const Prog *);
Prog  dirty_part(const Prog *, const Dirty *);
static inline bool form_is_derivative(Form f)
{
	return f == E_jvp || f == E_vjp || f == E_with_vjp;
}
Counts counts_of(const Prog *);
void  counts_free(Counts *);
Alias counts_alias(Counts *);
// Leaves those of them, now without dead code, to which a rule may apply; the others are simple.
Counts keep_open(const Prog *, Dirty *);

// ---- Rules ----
//
// A rule gets a statement whose operands are up to date.  It either replaces the variables of
// the pattern and returns true, or returns false, maybe with another expression in the statement.
bool simp_prim(Simp *, Stm *);                  // simp_prim.c: prim, convert
bool simp_prim_applies(Simp *, const Exp *);    // ... to one that has been emitted
bool simp_index(Simp *, Stm *);                 // simp_index.c: index, slice
bool simp_index_applies(Simp *, const Exp *);   // ... perhaps, to one that has been emitted
bool simp_array(Simp *, Stm *);                 // simp_array.c: other forms on arrays
bool simp_nothing(Simp *, Stm *);               // ... and maps, of no elements
bool simp_transposed_nest(Simp *, Stm *);       // simp_nest.c: rearrange
bool simp_control(Simp *, Stm *);               // simp_control.c: before what is nested
bool simp_branches(Simp *, Stm *);              // ... and after
bool simp_soac(Simp *, Stm *);                  // simp_soac.c: before
bool simp_soac_results(Simp *, Stm *);          // ... and after
bool simp_flat_map(Simp *, Stm *);              // simp_flat.c: screma, after
bool simp_assert(Simp *, Stm *);                // simp_assert.c
bool simp_fill(Simp *, Stm *);                  // simp_fill.c: if, after its bodies
bool simp_fills(const Exp *);                   // ... is it of the form for that?
void note_sums(Simp *, const Stm *loop);        // ... what is known of its parameters
void simp_touches(Simp *, Stm *loop);           // simp_touch.c: before its body

bool exp_is_cheap_scalar(const Exp *);          // cannot fail, costs an instruction or two
#endif
