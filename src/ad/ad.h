// Differentiation: core with jvp, vjp and with_vjp to core without.
//
// Derivatives are expanded innermost first, so that the lambda of a jvp or vjp contains no
// derivative forms when it is differentiated.  Forward mode (jvp*.c) gives every variable a
// tangent.  Reverse mode (vjp*.c) runs a forward sweep and then a return sweep.  It keeps no tape,
// but re-executes the forward sweep of a nested scope; only loops store the values that change.
//
// Glossary: x_tan the tangent of x, x_adj its adjoint; both have the type of x, integers included.
#ifndef RAIDO_AD_H
#define RAIDO_AD_H
#include "opt/opt.h"

// ---- deriv.c: the derivative columns of prims.def as emitted code ----

// The contribution of g to operand i of `op` at type `at`, linear in g, emitted into the builder:
// operands x, result r.  Gives a zero constant where the column says ZERO (is_zero tells).
Sub  deriv_emit(Build *, Prim op, PrimType at, const Sub *x, Sub r, int i, Sub g);
// x * x: both operands contribute the same.  In all g (x + x), where x + x is the same for all
// directions.
bool is_square(const Exp *);
Sub  deriv_of_square(Build *, Sub x, Sub g);
// Forward mode: the tangent of the result from those of the operands (NULL: zero); false if it is
// zero.
bool deriv_tangent(Build *, Prim op, PrimType at, const Sub *x, Sub r, const Sub *const *tans,
                   Sub *out);
bool deriv_is_zero(Prim op, PrimType at, int i);
// Which of the operands and (bit 3) the result the derivative by operand i mentions.
unsigned deriv_mentions(Prim op, PrimType at, int i);
// convert passes g on, converted: to the operand's type (reverse), to the result's (forward).

// ---- active.c: which variables matter ----

// A variable of a lambda is active where it depends differentiably on an active parameter and
// influences a result so.  Names are unique, so nested scopes are included.
enum { ACTIVE_VARIED = 1, ACTIVE_USEFUL = 2, ACTIVE_NEVER = 4, ACTIVE_ASKED = 8 };
typedef struct { uint8_t *marks; uint32_t n; } Active; // by variable, of those there were
bool ad_is_inner(void);                         // of the form at hand: may one be around it?
// Will one thread run what is made, in the function of a combinator or not?
bool ad_by_one_thread(bool in_rows);
Active active_in(const Lambda *, const bool *param_active);
Active varied_in(const Lambda *, const bool *param_active); // the first half of it
static inline bool is_varied(const Active *a, Sub s)
{
	return s.kind == S_VAR && s.var.id < a->n && a->marks[s.var.id] & ACTIVE_VARIED;
}
static inline bool is_active(const Active *a, Sub s)
{
	return is_varied(a, s) && a->marks[s.var.id] & ACTIVE_USEFUL;
}
// Which results of a function depend on the arguments given as varied.
const bool *fun_varied(const Fun *, const bool *args);
void active_reset(void);                        // forget what is known of functions

// ---- shift.c ----

// Does this result of a statement cancel out of all results of the body, although the values
// between mention it?  first: what first_extremum gives.
bool is_shift(const Body *, int first, int at, int result);
int first_extremum(const Body *);               // no statement before can be one

// ---- zero.c ----

// Warns of a function whose derivative is zero everywhere; `where` is where that is asked for.
void warn_if_zero(const Lambda *fn, const Where *where);
void warn_of_captures(const Lambda *fn);        // custom rules that use what is differentiated
void warn_of_zeros(const Prog *);               // of all derivatives, not yet expanded

// ---- jvp.c ----

// The statements of fn's body with tangents, emitted into the builder: results, then their
// tangents.
Subs jvp_apply(Build *, const Lambda *fn, Subs args, Subs tangents);
// For n rows of tangents: the results, then arrays of n tangents each.
Subs jvp_apply_many(Build *, const Lambda *fn, Subs args, Subs seeds, Sub n);

// ---- vjp.c ----

void calls_reset(void);                         // vjp_call.c: forget what is known of functions
// fn applied and its return sweep: results, then the adjoints of args.
Subs vjp_apply(Build *, const Lambda *fn, Subs args, Subs cotangents);
// Many cotangents at once, given and resulting as rows of arrays of n.
Subs vjp_apply_many(Build *, const Lambda *fn, Subs args, Subs seeds, Sub n);

// ---- ad.c: the passes `differentiate`, `diff_in_rows`, `diff_in_order` ----

// Expands every jvp, vjp, jmp, mjp; with_vjp outside of reverse mode is its function.

// Bytes that derivatives may take, unless the program that is run is told another number; 0, the
// default: there is no such limit, nor can one be told.
void set_memory_budget(int64_t bytes);
bool memory_budget(Sub *);                      // as the code at hand sees it

// The function derived from fn, made on first demand: one for each mode and set of active
// arguments (prefix "jvp", "vjp": what it is called).  `make` sets params and res of the new
// function before it looks at the body, since that may ask for the same function again.
typedef void MakeFun(Fun *out, const Fun *fn, const bool *active);
Fun *fun_derived(const Fun *fn, const char *mode, const bool *active, MakeFun *make);
void want_finished(const Fun *);                // reports a function that differentiates itself
Types plain_types(Subs);                        // of operands, none of them unique
// A zero of this type: a constant or a fresh array.
Sub ad_zero(Build *, Type);
const Exp *size_outside(Var);                 // arithmetic on i64 around derivatives; NULL: is none
// A plain application: the statements of fn under new names.
Subs ad_apply(Build *, const Lambda *fn, Subs args);
// The rows of many seeds as operands of a lambda, whose parameters are added to `params`.
Subs seed_rows(Subs seeds, VarVec *params);
Subs own_args(Build *, const Lambda *fn, Subs args); // copies of those that fn consumes
const Where *derived_place(const Where *);      // of what a derivative makes of what is there
Var var_like(Var, const char *suffix);          // a new variable of the same type: x_tan
// Does what a reduction begins with count as an element: may it be the result, as in minima?
Sub start_counts(Build *, const Reduction *);   // vjp_normal.c
#endif
