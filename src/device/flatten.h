// What the files of the pass `flatten` share.
#ifndef RAIDO_FLATTEN_H
#define RAIDO_FLATTEN_H
#include "core/affine.h"
#include "opt/alias.h"
#include "loop/loop.h"

// Which versions there are of a nest, as attributes of a SOAC say: each row in one thread, or
// taken apart.
typedef enum { V_BOTH, V_ONLY_OUTER, V_NO_OUTER } Versions;

// A level of a nest of maps: n rows; in row i, params are the rows of arrs, which are in scope
// around this level.
typedef struct Level {
	const struct Level *up;                 // the level around it, NULL: the host
	int depth;                              // 1: at host level
	Sub n;
	Var i;                                  // the number of the row
	Vars params;
	Subs arrs;
	Vars certs;                             // what all of it relies on
	bool is_part;                           // of a sum: see flatten_update.c
	enum {MANY, FEW_LONG, FEW} few;         // all rows together for threads, if they are long
	bool steps;                             // in another version, blocks do whole rows
	Versions versions;
} Level;

// What a variable that is bound in a nest is in the kernels made of the nest.
typedef struct {
	enum {
		K_ROW,                          // a parameter of the level: a row of arr
		K_COUNTER,                      // the level's i
		K_SPREAD,                   // arr has it for all rows of the level and those around
		K_AGAIN,                        // cheap: each kernel does stm for itself
		K_ACC,                          // an accumulator: arr, at host level
		K_DONE,                         // a certificate that an earlier kernel has checked
	} kind;
	const Level *level;
	Sub arr;
	const Stm *stm;
	int cost;                               // K_AGAIN: statements
} Known;

typedef struct {
	Build b;
	Map known;                              // variable of a nest -> Known *
	Map inside;                             // variables bound in nests
	Map inputs;                             // token -> AccInput *
	Map iotas, counting;                    // arrays 0, 1, ..; parameters that are rows of such
	Map turned;                          // arrays whose innermost dimension is not so in memory
	Map small;                            // variable of the host -> Exp *: a few equal elements
	Map filled;                        // variable of the host -> Sub *: arrays of equal scalars
	Map alone;                              // Fun * -> Fun *: the same without kernels
	Map recursive;                          // functions that call themselves
	VEC(Fun *) operators;
	const Fun *fun;                         // the one at hand
	Attributes attrs;                       // of the SOAC at hand
	int n_thresholds;
} Flatten;

// flatten.c
bool has_parallelism(Flatten *, const Body *);  // worth taking out of the threads of a kernel
bool goes_apart(Flatten *, const Stm *);       // likewise
bool has_irregular_loop(Flatten *, const Body *); // with a number of iterations of its own?
bool has_irregular_rows(Flatten *, const Body *); // in the maps that go apart
bool is_sequential(const Stm *);                // marked so
bool in_nest(const Flatten *, Sub);           // is it bound in a nest?
bool is_uniform(const Flatten *, const Stm *);  // a number of which no row is the cause
void set_outside(Flatten *, Var, bool);         // from now on it is, or is not
bool is_regular(const Flatten *, Type);         // are its sizes known outside of the nest?
Body flatten_body(Flatten *, const Body *);     // at host level
void flatten_stm(Flatten *, const Stm *);
// Is par large enough?  The interpreter takes `guess`.
Sub  emit_threshold(Flatten *, const char *kind, Sub par, Threshold);

// flatten_kernel.c: loops of devices and what is inside of them
typedef struct { Mark attr; Var i; Sub n; Vars params, pat; Subs inits; Mark also; } DevLoop;
DevLoop dev_open(Build *, Mark, Sub n, Subs inits); // its body is open then
Subs dev_close(Build *, const DevLoop *, Subs next);
typedef struct {
	Flatten *f;
	const Level *nest;
	Subs at;                                // the counter of each level, outermost first
	Map here;                               // variable -> Sub *
	bool own;                               // arrays that are made elsewhere are copied
	Vars certs;                             // the builder's, before
} Inside;
Inside inside_open(Flatten *, const Level *nest, Subs at, const Body *);
void inside_close(Inside *);
Sub  inside_sub(Inside *, Sub);
void inside_set(Inside *, Var, Sub);
void inside_certs(Inside *, Vars);              // what is emitted relies on these, too
Sub  inside_row(Inside *, Sub arr, Sub i);      // row i of an array
Sub  inside_element(Inside *, Sub arr, Subs at); // what is there; without indices all of it
Subs inside_body(Inside *, Body);               // emits it; its results
// For each result: an array of what the body gives in all rows of the nest, or an accumulator.
Subs emit_kernel(Flatten *, const Level *nest, Body);
// Likewise, a block for each row, the length of which is `len`, a variable of the body.
Subs emit_block_rows(Flatten *, const Level *nest, Body, Sub len);
// Likewise, arrays in shared memory; also: ATTR_ROW, or ATTR_WARP for blocks of one warp.
Subs emit_whole_rows(Flatten *, const Level *nest, Body, Mark also);
void note_small(Flatten *, const Stm *);        // at host level
Type nest_type(const Level *nest, Type);        // an array of such values for all rows
Sub  nest_size(Flatten *, const Level *nest);   // the number of rows, of all levels together
int64_t n_elements(Type);                       // if these are few; else more than that
Sub  put_at(Build *, Sub arr, Subs at, Sub val);
const Level *level_at(const Level *nest, int depth);
Subs unflatten(Flatten *, const Level *nest, Sub i); // the counters of row i of all

// flatten_nest.c: maps and what is inside of them
Level *level_new(Flatten *, const Level *up, Sub n, Vars params, Subs arrs, Vars certs);
void  note_inside(Flatten *, const Lambda *);
void  know(Flatten *, Var, Known);
const Known *known_of(const Flatten *, Sub);    // NULL: it is not of a nest
Sub   without_names(const Flatten *, Sub);      // what a variable of a nest is another name for
Subs  flatten_nest(Flatten *, Level *nest, Body); // results as of emit_kernel
Types result_types(const Level *nest, Subs);    // of such results
Subs  spread_body(Flatten *, const Level *nest, Body); // likewise; parallelism is taken out
Subs  spread_values(Flatten *, const Level *nest, Subs); // of the nest: arrays that have them
bool  is_again_form(const Exp *);               // may be cheap enough to be computed again
// A choice between two scalars that are computed in a few cheap statements each: how many, or 0.
int   choice_cost(const Stm *);
Body  typed(Flatten *, Body, Types);            // with results of just these types
void  know_spread(Flatten *, const Level *nest, Var, Sub arr); // arr has it for all rows

// flatten_work.c: how many rows are enough for threads; fewer, if they are short
Sub   rows_of_body(Flatten *, const Level *nest, const Body *); // to compare with a threshold
bool  work_is_known(Flatten *, const Body *);   // or its rows count as long
Sub   rows_of_fold(Flatten *, const Level *nest, const Exp *screma);
bool  may_have_rows(Flatten *, const Level *nest, const Exp *screma); // enough of them

// flatten_make.c: arrays that rows make as a whole
bool  joins_arrays(const Flatten *, const Stm *); // of several arrays, many elements
bool  makes_array(const Flatten *, const Stm *); // likewise, or copied, or of one value
Sub   spread_replicate(Flatten *, const Level *nest, const Exp *); // the array for all rows
Sub   spread_copy(Flatten *, const Level *nest, Sub arr); // likewise
Sub   spread_joined(Flatten *, const Level *nest, const Stm *); // likewise

// flatten_inplace.c: updates in nests
bool  updates_spread(const Flatten *, const Level *nest, const Stm *); // may it be in place?
Sub   spread_update(Flatten *, const Level *nest, const Stm *); // the array for all rows, then
// Arrays of nests that the statement consumes, and reading them: Note [Read before].
Map   spread_consumed(const Flatten *, const Stm *);
bool  body_reads_any(const Flatten *, const Body *, const Map *gone);
void  keep_reads(Flatten *, const Level *nest, const Map *gone, Vars later); // done before

// flatten_soac.c: scremas in nests
// The results of a screma in a nest: arrays for all its rows; or, without one, the results.
Subs  flatten_screma(Flatten *, const Level *nest, const Exp *, Vars certs);

// flatten_fold.c: scans and reductions
// Likewise, of one with a map function that is left to each thread.
Subs  flatten_fold(Flatten *, const Level *nest, const Exp *screma, Vars certs);
// Blocks for each row of the nest.
Sub   blocks_of_row(Flatten *, const Level *nest, const Exp *screma);
Sub   emit_grid(Flatten *, Sub n, int64_t least); // the number of blocks for n elements
bool  is_light(const Body *);                   // may be done twice?
bool  is_scalar_fold(const Exp *screma);        // are all operators on scalars alone?

// flatten_merge.c: reductions of reductions
const Exp *merge_folds(Flatten *, const Exp *screma); // as one reduction; NULL: it is none

// flatten_columns.c: reductions of columns
void  note_turned(Flatten *, const Stm *);
bool  is_turned(const Flatten *, Sub arr);       // is its innermost dimension not so in memory?
bool  folds_columns(const Flatten *, const Level *nest, const Exp *screma);
Sub   columns_pay(Flatten *, const Level *nest, const Exp *screma); // are there enough elements?
// leaves this for threads to do
Exp  *fold_columns(Flatten *, const Level *nest, const Exp *screma, Vars certs);

// flatten_array.c: operators on arrays
Subs  flatten_array_fold(Flatten *, const Level *nest, const Exp *screma, Vars certs);
bool  has_vector_operators(const Exp *screma);  // maps of operators; others are left to threads

// flatten_op.c: operators as functions
bool  is_scalar_operator(const Lambda *);
// Calls it on these operands: \(left, right).
typedef struct { Fun *fun; Vars free; } Operator;
Operator operator_fun(Flatten *, const Lambda *, bool comm);
Subs  call_operator(Flatten *, const Operator *, Subs left, Subs right, Inside *, bool scan);

// flatten_steps.c: sums of many short rows
// of rows as they were written?
bool  folds_in_steps(const Flatten *, const Level *nest, const Exp *screma);
Sub   suits_steps(Flatten *, const Exp *screma); // is the number of elements one for it?
// leaves this for threads to do
Exp  *fold_steps(Flatten *, const Level *nest, const Exp *screma, Vars certs);

// flatten_block.c: rows with parallelism of their own lengths
// Are there arrays that the block keeps; bytes of them; elements enough to share?
// `outer`, as asked for: threads share the outermost of maps in maps, and each does what is inside,
// where `wide` says that these are wide enough; `work`: elements that all of it has.  `in_place`,
// as asked for: arrays that a row gives and does not read are made where they are to be.
typedef struct { bool outer, in_place, local; Sub bytes, wide, work; } RowNeeds;
bool  has_irregular_folds(Flatten *, const Body *, Sub *len); // of so many elements in a row?
bool  block_suits(Flatten *, const Body *);     // is it better for a block than for a thread?
// As emit_kernel, for what is left to threads: a block for each of a few rows, if it can.
Subs  emit_leaf_kernel(Flatten *, const Level *nest, Body);
// Are there `enough` rows, and do their arrays fit?
Sub   suits_block(Flatten *, const RowNeeds *, Sub enough);
// All of a row that has loops of parallel steps by a block: the version, and when it is the one.
bool  row_steps(Flatten *, Level *nest, Body, Body *yes, Sub *cond);

// flatten_row.c: rows that blocks of threads do
// The row as a block does it; false: it cannot.  The types of what it was made of change.
bool  block_of_row(Flatten *, Body *, RowNeeds *);
Body  renamed_row(Flatten *, Body);             // another one, for that
void  block_reduce(Flatten *, Build *, const Stm *); // by the threads of a block

// flatten_warps.c: rows that are gathered
// All of a row by a warp: the version, and when it is the one.
bool  warp_rows(Flatten *, Level *nest, const Body *, Body *yes, Sub *cond);

// flatten_serial.c: loops of short steps, by one block
// Emits such a loop, and for long steps what `others` emits; false: it is none.
bool  flatten_serial(Flatten *, const Stm *, void others(Flatten *, const Stm *));

// flatten_if.c: maps in branches that rows of a nest take or not
bool  if_goes_apart(Flatten *, const Stm *);
Stm   map_of_if(Flatten *, const Stm *);        // the map around the branch

// flatten_product.c: sums of products of rows that depend on different levels
bool  has_products(Flatten *, const Level *nest, const Body *); // in levels that are inside
bool  is_product_fold(Flatten *, const Level *nest, const Exp *screma);

// flatten_acc.c: accumulators that are made inside of a nest
bool  withacc_goes_apart(Flatten *, const Stm *);
Subs  spread_withacc(Flatten *, const Level *nest, const Stm *); // results as of emit_kernel
// Accumulators with these tokens lose `drop` dimensions, and get others before those that are left.
typedef struct { Map tokens; int drop; Subs space, at; } AccChange;
void  change_accs(AccChange *, Lambda *fresh);  // in place: all of it was just made

// flatten_vector.c: accumulators whose elements are arrays
void  note_filled(Flatten *, const Stm *);      // at host level
Stm   acc_by_elements(Flatten *, const Stm *withacc); // with scalars as elements, where it can
// Is it better to have a map give the values first?
bool  hist_in_two_steps(const Flatten *, const Stm *, Stm *map, Stm *hist);

// flatten_update.c: updates of accumulators that are reductions
// An index of an update: `rate` times the counter of a level plus an offset; without a level that
// alone.  The offset is the same in all rows.
typedef struct { const Level *level; int64_t rate; Sub offset; } PlaceDim;
typedef struct {
	Sub acc;                                // what is updated
	PlaceDim *dims;
	int n_dims;
	bool shifted;                           // is an index of a level not its counter?
	Body value;                             // neutral where a condition does not hold
	const Where *where;
} Contribution;
const AccInput *nest_input(const Flatten *, Sub acc); // how it was made
const Level *level_counted(const Flatten *, Sub i); // whose counter it is, or NULL
Subs  emit_leaf(Flatten *, const Level *nest, Body); // as emit_kernel, which does the rest
bool  updates_reduce(Flatten *, const Level *nest, const Body *); // once it is taken apart
void  note_iota(Flatten *, const Stm *);
void  note_counting(Flatten *, const Exp *screma);

// flatten_gather.c: such updates, once they were taken out of the body of a kernel
// The body with all that it takes from the nest, by means of the levels' counters.
Body  explicit_body(Flatten *, const Level *nest, Body);
Subs  emit_applied(Build *, const Lambda *, Subs args); // the function's statements; its results
// the accumulator after them
Sub   emit_contributions(Flatten *, const Level *nest, Contribution *, int n, Sub acc);
// Do they add to the same places of different accumulators, so that one can have both values?
bool  add_alike(const Flatten *, const Contribution *, const Contribution *);
// The accumulators after a contribution that has a value for each.
Subs  emit_together(Flatten *, const Level *nest, Contribution *, Subs accs);

// gpu_acc.c: hist, scatter, flatmap and accumulators
// At host level: emits what does the work of the statement; false: leave it as it is.
bool  gpu_acc_stm(Flatten *, const Stm *);
// In a nest: may it be done for all rows at once?  Then it is; results as of emit_kernel.
bool  gpu_acc_goes_apart(const Flatten *, const Stm *);
Subs  gpu_acc_nest(Flatten *, const Level *nest, const Stm *);
// Are arrays to add to, and all that says how, of the same sizes in all rows of a nest?
bool  bins_are_regular(const Flatten *, Subs space, Subs dests, const Lambda *op, Subs ne);

// own_starts.c: for the pass coalesce
Stm   own_starts(Stm kernel);                   // what its threads' loops carry is theirs
#endif
