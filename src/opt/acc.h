// Accumulators into reductions and maps: what the files acc*.c share.  See acc.c.
#ifndef RAIDO_ACC_H
#define RAIDO_ACC_H
#include "opt/alias.h"
#include "opt/opt.h"

enum { MAX_DIMS = 32 };                         // of a nest around an update

typedef uint32_t DimSet;                        // bit d: dimension d of the path

// A place where an accumulator is updated: `upd` inside of the statements of `path`, which are
// combinators and further withaccs, outermost first.  The combinators are its dimensions.
typedef struct {
	const Stm *with, *upd;
	int input;                              // which accumulator of the withacc
	VEC(const Stm *) path;
	VEC(const Stm *) dims;
} Site;
typedef VEC(Site) Sites;

// What is known of a variable that is bound on the path.
typedef struct {
	DimSet deps;                            // the dimensions it depends on
	int body, level;                        // which body of the path; dimensions open there
	const Stm *stm;                         // what binds it; NULL: a parameter
	int dim, input;                         // parameter: of which dimension, for which array
	bool is_index;                          // the number of the row
} PathVar;

typedef struct { const Stm *stm; int level; DimSet deps; } LineStm;

// Devices keep large arrays away from sums; processors may carry what sums need in arrays of one
// dimension less than the nest, and sum row by row.
typedef enum { FOR_DEVICES, FOR_PROCESSORS } AccsFor;

// By variable, below n: what it is bound to, and how many combinators are around.  `more`: what
// newer ones are bound to.  `sizes`: those of the function's parameters.
typedef struct {
	const Exp **exp;
	int *depth;
	uint32_t n;
	Map more, sizes;
	AccsFor for_;
} AccDefs;
const Exp *def_of(const AccDefs *, Sub);        // NULL: unknown, a parameter
bool is_row_numbers(const AccDefs *, Sub arr);  // 0, 1, 2, ...
bool is_withacc(const Stm *);
bool overwrites(Alias *, const Stm *with, Vars); // one of these, by any name?
bool prog_has_accs(const Prog *);               // is there one?
// The withacc without its input k, whose array and pattern are gone, and so are its updates.
Stm  without_input(Stm with, int k);
void emit_withacc(Build *, const Stm *);        // its body, if there are no inputs left

// The index of an update, by the dimensions of its target: a dimension of the path, its row number
// as it is or xor something that no dimension changes; or -1 for what no dimension changes.
typedef struct {
	const Site *site;
	const AccDefs *defs;
	int depth;                              // combinators around the withacc
	Map known;                              // variable -> PathVar *
	VEC(LineStm) line;                      // the statements that are before the update
	int target[MAX_DIMS];
	DimSet swapped;                         // those of the target that have i ^ mask for i
	Sub mask[MAX_DIMS];
	DimSet outer;                        // dimensions that the index has; the others are summed
} Plan;

// `list` becomes a new one with x at place at_.
#define INSERTED(S, T, list, at_, x) do { \
		S old_ = (list); \
		S new_ = {NEW_ARRAY(T, old_.len + 1), old_.len + 1}; \
		for (int k_ = 0; k_ < old_.len; k_++) \
			new_.at[k_ + (k_ >= (at_))] = old_.at[k_]; \
		new_.at[at_] = (x); \
		(list) = new_; \
	} while (0)

// ---- acc_direct.c ----

// The statement, which updates the accumulator `from`, updates `to` instead, which has the same
// shape; false: it does more with it.
bool acc_retarget(Stm *, Sub from, Sub to);
// Accumulator k of the withacc has these of its dimensions alone, starts from zeros and gives sums.
bool acc_reshape(Stm *with, int k, const int *dims, Subs space, Sub zeros, Var sums);

// ---- acc_narrow.c ----

// Accumulator k without the dimensions in which all its updates are at one index: what it gives,
// which belongs there.
typedef struct { Subs at; bool fixed[MAX_DIMS]; Var sums; } Narrowed;
bool acc_narrow(Build *, Stm *with, int k, Narrowed *); // false: there are no such

// ---- acc_site.c ----

bool acc_is_sum(const AccInput *);              // \x y -> x + y on scalars
Sites sites_of(const Stm *with);                // of all its accumulators that are sums
// Where each dimension of the target has an index of its own or an unchanging one.
bool plan_site(Plan *, const Site *, const AccDefs *, int depth);
bool plan_path(Plan *, const Site *, const AccDefs *, int depth); // whatever the index is
const PathVar *path_var(const Plan *, Sub);     // NULL: from outside
DimSet dims_below(int level);
Sub  dim_size(const Plan *, int d);

// ---- acc_drop.c ----

// Takes `what` out of body number `stop` of a path; dimensions in `sum` are summed, the others
// become dimensions of the result.
typedef struct {
	Build b;
	const Site *site;
	int stop;
	bool drop;                              // leave the update out
	bool give;                              // is there anything to give?
	DimSet sum;
	Sub out;                                // what the body at hand gives
} Carry;
Stm  carry_out(const Site *, Carry);
// The array of x, of body number `stop` of the path, if the withacc gives it; else a constant.
Sub  given_rows(const Site *, int stop, Sub x);
int n_updates(const Lambda *fn, Var token);

// ---- acc_guard.c: statements outside of dimensions that were around them ----

// Dimensions around a statement at this level that are not open now, and may have no rows then.
DimSet dims_left(const Plan *, int level, DimSet open);
// Can it not fail, wherever the dimensions are open that it depends on?
bool is_safe_anywhere(const Plan *, const Stm *);
bool can_guard(const Stm *);                    // an assertion, or something that gives scalars
// Does nothing where one of the dimensions left has no rows.
void emit_guarded(Build *, const Plan *, Stm, DimSet left);

// ---- acc_sizes.c ----

// Sizes in withaccs that nothing outside of them asserts not to be negative are clamped.
Prog *clamp_sizes(Prog *);

// ---- acc_pull.c: a nest of its own ----

// What the nest needs and the path goes on to compute, as an array over the dimensions of the path
// around it.
typedef struct { Var var; int body, level; Var array; } Carried;

// An input of the path as the new nest reads it.
typedef struct {
	Var param;                              // what it is called on the path
	Sub base;                              // the whole array, and the dimensions of it in order
	int dims[MAX_DIMS], n_dims;
	int level;                              // of the new nest, where the array is there
	bool numbers;                           // of rows: made where the dimension is opened
	bool read;                              // by row numbers, where the base is there
	Var at[MAX_DIMS];                       // these, by leaves of their own
	int joined;                             // two dimensions of the array are one: before this
	Sub cur;                                // the row at hand
} Leaf;

typedef struct {
	Plan *plan;
	int order[MAX_DIMS], n_dims;       // the new nest: dimensions of the index, then the others
	DimSet open[MAX_DIMS + 1];              // after so many of them
	Map needed;                             // statement -> itself
	Map leaf_of;                            // parameter -> itself
	VEC(Leaf) leaves;
	VEC(Carried) carried;
	VEC(Var) outside;                       // what it mentions from outside
	DimSet left_out;                        // dimensions that it does not have
	Subs product;                           // of these is the value, if there are any
	Map costly;                             // statement -> what it takes (acc_pull.c)
	int rows;                               // dimensions around arrays that it needs
	bool eager;                             // carry whatever would be computed again
	int again;                              // statements computed more often than on the path
	bool fails;
	Map names;                              // for pull_emit: variable -> Sub *
	bool joins;                             // are two summed dimensions one?
	int join[2];                            // these, by the first
	Sub join_size;                          // how many rows they have
	Map reads;                              // statement -> Exp * with an index for both
} Pull;
bool pull_plan(Pull *, Plan *);                 // false: it would cost more than it gains
Sub  pull_emit(Build *, Pull *);                // the sums, dimensions in the order of the target
DimSet leaf_dims(const Leaf *);                 // dimensions of the path that choose its rows

// ---- acc_worth.c ----

bool pull_pays(const Pull *);                   // what it reads is known

// ---- acc_join.c: summed dimensions that are one ----

bool join_sums(Pull *);                         // sets `join`; false: there are none
void join_reads(Build *, Pull *);               // sets `reads`
Sub  joined_array(Build *, const Pull *, Sub arr, int at); // dimensions at, at + 1 are one

// ---- acc_factor.c: factors in front of a sum ----

typedef struct {
	Plan *plan;
	Subs with, without;                     // factors that are summed first, and the others
	bool negative;
	DimSet summed;                          // over these dimensions
	int level, body;                    // dimensions of the path around that; where on the path
	int dims[MAX_DIMS], n_dims;             // of the sums
	Var sums;                               // the array of them
	Pull pull;                              // the other sum
} Factor;
bool factor_plan(Factor *, Plan *);             // false: there are none
bool pull_factors(Factor *);                    // (acc_pull.c) makes `pull`; false: it cannot be
// The withacc with one more accumulator, its last, for the sums.  Zeros to start with go to the
// builder.
Stm  factor_sums(Build *, AccDefs *, Stm with, Factor *);

// ---- acc_part.c: sums that are added at computed places ----

typedef struct {
	Plan plan;
	Factor factor;                          // its sums, over the dimensions of the index
	DimSet dims;                            // those of the index
	Map needed;                             // statements that the index is computed by
	Vars certs;                             // assertions that the additions name
} PartSum;
bool part_plan(PartSum *, const Site *, const AccDefs *, int depth);
Sub  part_emit(Build *, PartSum *, Sub to);        // `to` with the sums added

// ---- acc_add.c ----

// What an update added, as an array over the dimensions in the index.
typedef struct {
	int input;
	Plan *plan;
	bool pulled;
	Pull *pull;
	Var parts;                              // kept: dimensions in the order of the path
	PartSum *part;                           // sums to be added at computed places
} Gain;
bool gain_is_whole(const Gain *, int rank);       // for all elements of an array of this rank?
Sub  add_gain(Build *, const AccDefs *, Sub to, const Gain *);
// Adds where the indices that are fixed choose; nothing out of range.
Sub  add_at(Build *, Sub to, Subs idx, const bool *fixed, Sub parts);
bool is_zeros(const AccDefs *, Sub arr);

// ---- acc_lift.c ----

// Takes updates out of branches, and makes maps of loops around updates, where their places are
// known then.
bool lift_updates(Stm *with, AccDefs *, int depth); // false: there is none
// Takes all updates of the accumulator out of branches that are statements of the body; false: it
// cannot.
bool lift_all(Body *, Var token);

// ---- acc_apart.c ----

// By variable, below n: how often a function uses it, and of that as an input of a screma.
typedef struct { int *all, *inputs; uint32_t n; } InputUses;
void note_input_uses(InputUses *, Fun *);
bool is_only_input(const InputUses *, Var);     // of one screma, and nothing else?
// Arrays that the withacc gives besides its own become nests, which come after it.
bool arrays_apart(Stm *with, const InputUses *, Alias *, StmVec *after); // false: there are none

// ---- acc_rows.c ----

// The statement adds to sums of its own, which are added to the accumulator after it; false: it
// cannot, and nothing is emitted.
bool emit_own_sum(Build *, const Stm *, Sub acc);

// ---- acc_inner.c ----

// Updates that cannot be pulled out of the withacc because of arrays that its rows make become sums
// of each row, if they can be pulled out of that.
bool sum_inner(Stm *with, AccDefs *, int depth); // false: there are none

// ---- acc_branch.c ----

// The branch as a map that asks for its condition in each row.  What goes before it is pushed.
bool branch_in_map(Build *, const Stm *, StmVec *before, Stm *out); // false: it is none

// ---- acc_nest.c ----

// Makes nests of maps that add at places which quotients of their rows' numbers choose.
// What sizes they need goes to the builder.
bool nest_rows(Build *, Stm *with, AccDefs *);  // false: there is none

// ---- acc_direct.c ----

// Inside of the withacc there may be others whose arrays, made from zeros, are then added to its
// accumulators or subtracted from them: number n of those adds to them itself.  False: there is no
// such.
bool direct_inner(const Stm *with, const AccDefs *around, int n, Stm *out);
#endif
