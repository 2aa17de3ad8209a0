// Reverse mode: what the files vjp*.c share.
//
// A level is a body that is being differentiated.  Its code consists of two streams: the forward
// sweep (those statements of the body whose values are needed), and the return sweep after it.  The
// return sweep is generated first, from the last statement to the first; each variable of the body
// that it mentions is marked as needed.  So the forward sweep computes what is needed and nothing
// else:
//
//     y = x * x                 y' = x * x           forward, if y is needed
//     z = y * c                 y_adj = z_adj * c    return
//                               x_adj = y_adj * x + y_adj * x
//
// Bodies of branches, loops and lambdas are levels of their own inside the return sweep of the
// enclosing level, which executes their forward sweep again.
//
// All tables are indexed by the variables of the lambda that is differentiated; a cell holds the
// variable's names in the two streams.
#ifndef RAIDO_VJP_H
#define RAIDO_VJP_H
#include "ad/ad.h"
#include "opt/alias.h"

// An adjoint: nothing yet, a value, (for arrays from outside a lambda) an accumulator, or
// one row that is not zero, at the place the cell says.  A value that is owned may be updated in
// place.
typedef enum { ADJ_ZERO, ADJ_VALUE, ADJ_ACC, ADJ_POINT } AdjKind;
typedef struct { AdjKind kind; Sub val; bool owned; } Adj;

typedef struct Level Level;
typedef struct LoopPlan LoopPlan;
typedef struct Saved Saved;

typedef struct {
	Level *level;                           // whose variable it is
	int def;                                // its statement there; -1: a parameter
	Sub fwd, ret;                           // names in the forward and in the return sweep
	bool has_fwd, has_ret;
	bool owned;                             // parameters: may be consumed by the forward sweep
	bool given;                     // both names are that of an array outside, see vjp_intact.c
	bool offered, read;             // it is a row of a result outside; it is taken from there
	bool back;                      // the return sweep wants it, not the results alone
	Adj adj;
	Sub row, row_ok;                        // of a point: which row, if this holds
	bool is_part;                          // a row of an array whose adjoint is an accumulator:
	Var part_of;                            // of which array, and where in it
	Subs part_at;
} Cell;

// An array that a statement of the forward sweep consumes, which of its results has the array
// afterwards, and the records that it leaves, see vjp_undo.c.
typedef struct { Var x; int k; Vars recs; } Undone;

// What the forward sweep does besides the statement itself.
typedef struct {
	VEC(Var) copy_from, copy_to;            // copies made before
	bool noted;                             // what it consumes is among the level's kills
	bool keeps;                             // update: keeps what it overwrites, as `kept`
	Var kept;
	LoopPlan *loop;                         // what a loop keeps
	Saved *saved;                           // its values are kept by the loop around
	bool by_return;                         // its values come from its return sweep
	Vars tape;                              // with_vjp: names of the tape
	VEC(Undone) undone;                     // a branch: arrays that are taken back
} Plan;

typedef struct { uint32_t class; int at; } Kill; // statement `at` consumes this memory

// The loop whose body a level is: a statement, where it is, how often it runs, which iteration.
typedef struct { const Stm *s; Level *level; int at; Sub trips, i; } LoopAround;

struct Level {
	Level *up;
	int depth;
	const Body *body;
	const LoopAround *loop;                 // NULL: not the body of one
	Scope *ret;                             // the open return sweep
	bool rows;                              // the body of a combinator's function
	bool branch;                            // one of an `if`
	bool all;                               // the forward sweep has every statement
	bool *taken;                            // statements of the forward sweep
	bool *late;                        // those that come after the return sweep, see vjp_both.c
	Plan *plans;
	VEC(Kill) kills;
	VEC(uint32_t) restored;                 // memory that the return sweep changes back
	Plan end;                               // copies made after the last statement
	Body swept;                             // the return sweep, once closed
};

// An array outside that has what a variable stands for: all of its states, or one cell, at `start`
// in each dimension, or, where `len` is a variable, at start + len.
typedef struct { Sub array; bool cell; Slices at; } Settled;

// A read of an array that was promised not to change afterwards: where, or all of it, what it is
// then (unless rows of it are read) and at last.
typedef struct { Sub last; Slices at; bool whole; Sub then; } Watched;

// How many rows a record of what a scatter or histogram writes has, see vjp_writes.c.
typedef struct { uint32_t loop, stm; Var rows; Sub n; Subs space; } FewRows;

// An update that a loop need not record, see vjp_intact.c.
typedef struct { uint32_t loop, stm; } Unlogged;

// How many cells a statement of a loop leaves on its trail, see vjp_trail.c; or how many rows the
// record of a branch has, which are `most` if it is taken (branch_types).
typedef struct { uint32_t loop, after; int nth; Var n; Sub most; } TrailLength;

typedef struct {
	Build *b;
	Map cells;                              // variable -> Cell
	Active active;
	Alias alias;
	Level *top;
	Map targets;                            // token of an accumulator -> adjoints of its arrays
	int floor;                             // variables of levels below this depth are constants
	Map settled;                            // variable -> Settled, see vjp_intact.c
	Map watched;                            // variable -> Watched, likewise
	Map values, kept_reads;                 // states of arrays, numbers: see vjp_values.c
	VEC(FewRows) few;
	VEC(TrailLength) trails;
	VEC(Unlogged) unlogged;
	bool many;                              // many seeds: the sweeps are apart
	bool both, failed;                 // values and adjoints in one pass: asked for, impossible
} Vjp;

// Copies of code under new names.  Variables of level `here` have their names in its forward
// sweep, those of the levels around theirs in the return sweep; NULL: all of them.  Quiet: nothing
// is printed again.  Watching: reads of watched arrays are asserted, also in nested bodies.
typedef struct { Vjp *v; Level *here; Map local; bool quiet, watches; } Copier;

// ---- vjp_level.c ----

Cell *cell_of(Vjp *, Var);                      // NULL: from outside the derivative
void  cell_enter(Vjp *, Level *, Var, int def);
void  cell_name(Vjp *, Level *, Var, Sub name, bool owned); // a parameter with a known value
Sub   ret_sub(Vjp *, Sub);                      // an operand, for the return sweep
Subs  ret_subs(Vjp *, Subs);
Sub   ret_var(Vjp *, Var);
Sub   fwd_var(Vjp *, Var);
Type  ret_type(Vjp *, Type);
Slices ret_slices(Vjp *, Slices);
// Does the return sweep have it, or may it, without computing or restoring anything?
bool  is_kept_value(Vjp *, Var);
bool  takes_sums(Vjp *, const Level *, const Stm *, int depth); // much more work than to read it?
void  level_begin(Vjp *, Level *, const Body *, bool all); // opens the return sweep
void  level_reverse(Vjp *, Level *);            // all statements, last one first
void  level_close(Vjp *, Level *);              // closes the return sweep
void  level_emit(Vjp *, Level *);               // both sweeps, into the open body
void  level_emit_forward(Vjp *, Level *);       // the first of them
bool  level_owns(Vjp *, Level *, Var);          // may its forward sweep consume this array?
bool  level_in_loop(const Level *);
bool  level_in_rows(const Level *);
void  level_own(Vjp *, Level *, Copier *, const Stm *); // copies of what is consumed but not owned
void  seed_results(Vjp *, Subs res, const Adj *seeds);
// The adjoints of the parameters of a lambda applied to args; with `closed`, its free
// variables are constants.
Adj  *vjp_inline(Vjp *, const Lambda *, Subs args, const Adj *seeds, bool closed);
Subs  inline_plain(Vjp *, const Lambda *, Subs args); // its results, no derivatives
Sub   level_result(Vjp *, Level *, Sub);        // a result as the forward sweep leaves it
// The first statement after `at` that consumes the array, or -1; the array as it was before that.
int   killer_after(Vjp *, const Level *, int at, Var);
Sub   restore(Vjp *, Cell *, Var, int killer);

// ---- vjp_certs.c ----

Vars  ret_certs(Vjp *, const Stm *);            // certificates that its return sweep names

// ---- vjp_copy.c ----

void  copy_name(Copier *, Var, Sub);            // what a variable stands for
Sub   copied(Copier *, Sub);
Type  copied_type(Copier *, Type);
Stm   copy_stm(Copier *, const Stm *);
Subs  copy_stms(Copier *, const Body *);        // emits all; the results

// ---- vjp.c: the driver ----

NORETURN void vjp_fail(Vjp *, const char *what); // at the statement at hand
// The adjoints of the active arguments alone, unshared; `before` is what they are at first.
// With `values`, the results too, and false if these take an execution of their own.
bool  vjp_sweeps(Build *, const Lambda *, Subs args, const Adj *seeds, const bool *active,
                 const Adj *before, Subs *values, Subs *adjoints);
void  rev_stm(Vjp *, Level *, int at);
bool  takes(Vjp *, Sub);                        // does it get an adjoint?
Vars  takers(Vjp *, Vars free);                 // those that do; arrays in the place of their rows

// ---- vjp_branch.c ----

void rev_if(Vjp *, Level *, int at);
bool undo_if(Vjp *, Level *, int at, Var x);    // restores what the branches consumed of x
void emit_if(Vjp *, Level *, int at);           // its forward sweep with the records for this
void rev_match(Vjp *, const Stm *);

// ---- vjp_adj.c: adjoints ----

// The adjoint of a row of an array whose adjoint is an accumulator is that accumulator: so
// contributions need no array of their own.  `arr` may be such a row itself.
void adj_part(Vjp *, Var row, Var arr, Sub i);
Var  adj_root(Vjp *, Var);                      // the array whose adjoint has that of this one
// All of these but adj_peek make a value of a point.
Adj  adj_get(Vjp *, Var);
Adj  adj_peek(Vjp *, Var);
void adj_set_point(Vjp *, Var, Sub row, Sub ok, Sub value);
Adj  adj_take(Vjp *, Var);                      // and it is nothing from then on
void adj_set(Vjp *, Var, Adj);
Sub  adj_value(Vjp *, Var);                     // zeros if there is nothing
Sub  adj_owned(Vjp *, Var);                     // a value that may be consumed
void adj_add(Vjp *, Sub to, Sub value, bool owned);
// ... of an array that is used at a type, or as n rows: n and the type are the original's.
void adj_pass(Vjp *, Sub to, Type used_as, Sub value, bool owned);
void adj_add_rows(Vjp *, Sub to, Sub n, Sub value);
Sub  adj_shaped(Vjp *, Sub to, Type used_as, Sub value); // the value that adj_pass adds
void adj_add_moved(Vjp *, Sub to, const int *perm, Sub value, bool owned); // value: `to` rearranged
void adj_add_at(Vjp *, Sub to, Slices at, Sub value);
Sub  scalar_one(PrimType);
Sub  sum_rows(Build *, Sub arr);                // over the outer dimension
Lambda *add_lambda(Build *, Type);
static inline Adj adj_of(Sub s, bool owned) { return (Adj){ADJ_VALUE, s, owned}; }

// ---- one function per group of statements ----

void rev_array(Vjp *, const Stm *);             // vjp_array.c
void rev_loop(Vjp *, Level *, int at);          // vjp_loop.c
// its forward sweep with what it keeps
void emit_loop(Vjp *, Level *, const Stm *, const LoopPlan *);
LoopPlan *plan_of_values(const Stm *, LoopPlan *); // for the loop without accumulators
bool loop_needed(const LoopPlan *);
bool undo_loop(Vjp *, Level *, int at, int param); // restores what the loop consumed
void rev_map(Vjp *, const Stm *);               // vjp_map.c
void rev_reduce(Vjp *, const Stm *);            // vjp_reduce.c
void rev_scan(Vjp *, const Stm *);              // vjp_scan.c
void rev_hist(Vjp *, const Stm *);              // vjp_hist.c
void rev_scatter(Vjp *, const Stm *);
// A histogram whose adjoints are asked for; `olds` is what dest has at the place of each element.
typedef struct {
	const Lambda *op;
	Sub n;
	Subs ne, space, idx, as, olds;
	Sub result;                             // of the first component
	const Sub *fill;                        // what all bins have at first; NULL: not known
	Subs adjs;                              // of the results, owned
} Hist;
bool may_be_undone(Vjp *, const Hist *);        // vjp_hist_any.c: then it looks at the result
Subs hist_shares(Vjp *, const Hist *);          // adjoints of as, then of dest
Sub  gather_rows(Build *, Sub n, Subs idx, Subs space, Sub from); // zeros for places out of range
void rev_call(Vjp *, Level *, int at);          // vjp_call.c
void rev_flatmap(Vjp *, const Stm *);           // vjp_map.c
void rev_withacc(Vjp *, const Stm *);           // vjp_acc.c
void rev_upd_acc(Vjp *, const Stm *);

// A map of the return sweep, which collects the adjoints of the variables free in it: sums for
// scalars, accumulators for arrays.
typedef struct {
	Vars scalars, arrays;
	Adj *scalar_before;                     // their adjoints outside
	VEC(int) fresh;                         // arrays that get an accumulator here
	Vars tokens, outer, inner;              // inner: accumulators inside the lambda
	Sub *before;                            // the arrays behind the accumulators made here
	Subs given;                             // the accumulators that the map is given
	Sub n;
} Gather;
void gather_begin(Vjp *, Gather *, Sub n, Vars free);
// Closes the map with its parameters and mapped results; gives these as arrays.
Subs gather_end(Vjp *, Gather *, Subs arrs, Vars params, Subs results);

// ---- vjp_both.c: values from the return sweep ----

bool holds_call(const Stm *);                   // of a recursive function
// Opens the return sweep anew without what depends on the values of the statement, which is given
// to be emitted after the statement's return sweep has made them.  False: that cannot be.
bool by_return(Vjp *, Level *, int at, Body *rest);
void emit_rest(Vjp *, const Body *);
void want_results(Vjp *, const Level *);        // of a body whose values come with its adjoints
Vars value_names(Vjp *, const Stm *);           // under which the forward sweep knows them
void rev_loop_both(Vjp *, Level *, int at);     // vjp_loop.c

// ---- vjp_save.c: values of a loop's body that its forward sweep keeps ----

bool save_stm(Vjp *, Level *, int at);          // decides; true: is not done again
bool  read_next(Vjp *, Level *, int at);        // are its values those of the next iteration?
void emit_saved(Vjp *, const Saved *);          // as the forward sweep of the body has them

// ---- vjp_intact.c: values that are read instead of computed again ----

const Settled *stored_in(Vjp *, const Stm *);   // NULL: is none
void emit_stored(Vjp *, Copier *, const Stm *, const Settled *);

// ---- vjp_watch.c ----

void emit_watched(Vjp *, Copier *, const Stm *); // checked mode: the assertion on a read
void rev_watched(Vjp *, const Stm *);            // likewise, of what the return sweep of it reads
bool has_watched(const Vjp *, const Stm *);      // is there such a read in it?

// ---- vjp_normal.c: the form that the rules expect ----

// Arrays that maps make -> Stm; what was consumed up to the statement at hand.  See vjp_order.c.
typedef struct { Map made; Alias alias; } Maps;

Lambda *vjp_normal(const Lambda *);
bool gives_params(const Lambda *);              // its results are its first parameters
void emit_like(Build *, const Stm *, Vars pat, Exp *); // place, certificates, attributes as there
Subs mapped_inputs(Build *, const Stm *, Sub n, Subs arrs, Lambda *); // its results as arrays
// vjp_bins.c; maps: for one thread, see vjp_order.c, or NULL; inside: of a combinator
void normal_hist(Build *, Maps *, const Stm *, bool inside);
// A statement with accumulators and other values among its results, as two.
Stm  vjp_values(const Stm *);                   // without the accumulators it gives
bool vjp_split(const Stm *, Stm *values, Stm *accs);

// ---- vjp_reduce.c, for scans too ----

Subs shifted(Build *, Sub n, Subs scanned, Subs ne); // from an inclusive to an exclusive scan
Lambda *plain_operator(Vjp *, const Lambda *op, bool flip); // under new names
void rev_free_unless(Vjp *, const Lambda *op, Sub first, Subs args, const Adj *seeds);
Sub  adj_or_zero(Vjp *, Adj, Type);
Sub  is_normal(Build *, Sub);                   // a number neither too small nor too great
Vars params_for(Subs arrs, const char *hint);
void adj_add_point(Vjp *, Sub arr, Sub at, Sub found, Sub g);
void adj_add_unless(Vjp *, Sub x, Sub cond, Sub g); // where the condition does not hold

// ---- vjp_choice.c: operators that give one of their operands ----

bool rev_choice(Vjp *, const Stm *, const Reduction *, const Adj *ys); // false: it is none
bool chooses_floats(const Lambda *op);          // all components that are floats

// The index rows of a reversed array and the like, for several files.
Sub  reversed(Build *, Sub arr);
Subs rows_reversed(Build *, Subs arrs);
Var  param_of_row(Sub arr, const char *hint);
// \x y -> x op y, or its lifting to rows
bool binary_prim(const Lambda *op, Prim *out, PrimType *at);

// What the return sweep of a reduction does, by its operator (vjp_reduce.c).
typedef enum {
	BY_SHARING,     // sums: each element gets the adjoint
	BY_PLACE,       // minima, maxima: the element that was chosen does
	BY_PLACES,      // likewise, in each column
	BY_CHOICE,      // operands that an operator gives: likewise (vjp_choice.c)
	BY_QUOTIENTS,   // products of floats
	BY_SCANS,       // all others
} ReduceRule;
ReduceRule reduce_rule(const Lambda *op);
bool gives_operand(const Lambda *op);           // as min does, also number by number
#endif
