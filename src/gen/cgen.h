// What the files that write C share (private to src/gen).
//
// Note [Two rounds].  The text of a function is generated twice.  The first round discards the text
// and counts the uses of variables.  This shows which scalars are dead in C (such as sizes that
// occur in types only), and which are used once, nearby.  The second round omits the former, and
// substitutes the latter into the expression that uses them:
//
//     let (x: f64) = index xs [i]
//     let (y: f64) = mul.f64 x 2.0         ys[i] = xs[i] * 2.0;
//     let (zs: [n]f64) = update ys [i] y
//
// Both rounds run the same code, so the counts agree with the text.
//
// Note [C variables].  Scalars are declared where they are bound.  Results of an `if` are declared
// before it and assigned in both branches.  The results of a loop share the C variables of its
// parameters.  Blocks are declared at the top of the function, initialised to NULL, and released at
// its end; a pointer to the elements is declared wherever a block variable is assigned.
#ifndef RAIDO_CGEN_H
#define RAIDO_CGEN_H
#include "gen/gen.h"
#include "gen/ir.h"
#include "loop/loop.h"

enum { MAX_ROWS = 16 };

// Where the text runs.  On the host of a device, arrays are in the device's memory, and there
// are no pointers to their elements; on the device there are no references, only pointers.
typedef enum { ON_CPU, ON_HOST, ON_DEVICE } Target;

// The memory that a pointer on the device points to.
typedef enum { SPACE_GLOBAL, SPACE_LOCAL, SPACE_PRIVATE } Space;

// What is known of a variable while its function is written.
typedef struct {
	CExp shown;                     // how it is written: mostly its C name
	CExp *rows;                   // likewise, in each row (see clanes.c); NULL: the same in all
	struct { CExp value; int round; } *values; // what it was declared with in each row
	const char *pointer;            // blocks: the name of the pointer to its elements
	bool pending;                   // `shown` is what it is bound to, written where it is used
	bool is_load;                   // and that reads memory
	bool is_param;                  // a parameter of the function
	bool is_counter;                // of a loop that goes through its iterations in order
	Space space;                    // blocks: on the device
	bool ahead;                     // scalars: declared already, see kthreads.c
	bool is_paired;                 // ... and computed, see kpair.c
	const char *inverse;            // scalars: of 1 / it, likewise
	bool stored;                    // blocks: something is stored there
	int64_t on_stack;               // blocks: that many elements on the stack; 0: elsewhere
	CExp n_elements;                // blocks: so many elsewhere; NULL: not known
	const Sub *size;                // likewise, as a value: see elements_in
	bool is_size;                   // of an array that there is, hence not negative
	bool is_short;                  // from 0 to 2^31 - 1
	const Exp *bound_to;            // scalars: the expression
	int small;                      // see Note [Small numbers] in cscalar.c; 0: unknown
	const Body *bound_in;           // blocks: the body that binds it
	const Body *carried_by;         // likewise: of the loop whose parameter it is
	const Body *spent_by;           // likewise: the branch that hands it over, see cspent.c
	uint32_t rep;                 // the variable whose C variable it shares, plus 1; 0: its own
	// From the first round.
	bool live, pointer_live;
	Name hint;                      // blocks: the first array in it
	int n_uses;
	const Body *used_in;            // the body of the only use
} VarState;

// `by` and `what` are nodes: 1 + the variable's number, for pointers of blocks past all of those.
typedef struct { uint32_t by, what; const Body *body; } Use; // by: 0 for what is needed anyway

// Arrays in lanes, see cfold.c.
typedef struct {
	Map own;              // blocks that each lane has for itself: the name of the lanes' memory
	Map sums;       // updates that add to an element: what is added (Sub *); and what they need
	Map bodies;                     // of loops that stand for others: those of the others
} LaneArrays;
typedef struct { CExp place; const char *value[2]; } LaneSum;

typedef struct { int n_loops, n_regions, region; bool in_chunk; } PieceCall; // cpiece.c

// Several iterations at once: rows of lanes, as arrays (clanes.c) or vectors (cvector.c).
typedef struct {
	bool in_rows;                   // the code is repeated for each row
	int row, n_rows;                // the row at hand; how many
	const char *lane;               // the index of the lane, or NULL
	int n_lanes;
	const char *lanes_used;         // so many of them count, if not all do
	bool as_arrays;                 // variables are arrays with an element for each lane
	bool may_delay, delays;         // stores of vectors wait for all rows: in this body; now
	VEC(CExp) delayed;              // those stores
	CBlock arrays;                  // declarations of those
	const Map *rates;               // how variables change from lane to lane; NULL: no vectors
	PrimType vector;                // the type of the lanes
	int round;                      // counts the times that all rows are written
	int round_depth;                // the scope that they share
	int n_vectors;                  // in a row
	Map strips;                     // of loads (Exp *): the Strip they are taken from
	const struct Tile *tile;        // see ctile.c
	const LaneArrays *lane_arrays;  // see cfold.c
	VEC(LaneSum) lane_sums;         // that wait for all rows
	const char *left;               // so many lanes count (cpart.c); NULL: all
} Rows;

// See cprofile.c.
typedef struct {
	int n_loops, n_parallel;        // loops and parallel regions around
	int n_regions;                  // so far
	int region;                     // the number of the one around
	bool in_chunk;                  // of a parallel region, which is timed as a whole
	const Stm *timed;               // a loop whose caller does that: of a piece
	Map calls;                      // where pieces (Fun *) are called: PieceCall *
} Profile;

// The thread of a device that does what is written.
typedef struct {
	bool at_block;                  // all threads of a block do the same here
	bool reads, stores;             // at_block: since the last barrier
	bool alone;                     // only one of the block does this
	const char *failed;             // where a thread goes on that failed; NULL: it returns
	const char *held;               // a lock that the thread holds
	bool calls;                     // a function was called
} Thread;

// The function that is being written.
typedef struct {
	bool can_fail, uses_ctx, cleans; // cleans: there are blocks to release in the end
	Map names;                      // C names taken
	VEC(Var) blocks;                // to be declared and released
	VEC(const char *) lane_blocks;  // blocks that no variable is for
	Map place_of;                   // of blocks that become results: the name of that parameter
	VEC(Var) pending;               // with pending text, oldest first
	bool polls;                     // on entry, since it calls itself
	Map kept_sums;                  // of loops (Exp *): see ckept.c
	int n_outer;                    // so many of those belong to bodies around
	VEC(Var) sizes;                 // those with is_size
	Str helpers;                    // functions to stand before this one
} FunState;

typedef struct {
	bool shared;                    // another thread may store at the same place
	CExp only_if;                   // ... and only if this holds
	bool blends;                    // where to store is chosen without branches
} StoreState;

typedef struct {
	Rts *rts;
	Target target;
	Map alike;                      // functions that do the same as another, which they lead to
	ParamNames params;              // tuning parameters of a program for processors
	struct Device *device;          // the parts of a program for a device, see kgen.h
	struct Kernel *kernel;          // the kernel being written, or NULL
	bool placing;                   // results may be put where the caller wants them
	bool plain;                     // no rows of lanes
	bool in_rows_of_some;           // the loop around has a condition of cempty.c
	Code *c;                        // what is written
	bool counting;                  // the first round
	VarState **state;               // by variable, made when it is first asked for: state_of
	VEC(Use) uses;
	int *first_use;                 // by node; 0 between functions
	uint32_t user;                  // what is being defined: Use.by
	Map places;                     // of statements (Where *): as a string literal
	Map bases;                      // hints: names of C made from them
	Map turned;                     // of loads (Exp *): the element that is there (krows.c)
	const Body *body;               // the current one
	const Where *where;             // of the statement at hand
	bool reads;                     // the operands written since it was cleared read memory
	FunState fun;
	StoreState store;
	Rows rows;
	Thread thread;
	Profile profile;
} Gen;

// ---- cfun.c: the two rounds ----

CFun *gen_function(Gen *, const Fun *);
const char *called_name(const Gen *, const Fun *);
void check_code(const CFun *);                  // bug() if something is wrong with it
void reset_names(Gen *);
void find_live(Gen *);                          // after the first

// ---- cprim.c ----

CExp c_scalar(Scalar);                          // a literal
CExp c_prim(Rts *, Prim, PrimType, const CExp x[3]);
CExp c_convert(Rts *, PrimType from, PrimType to, CExp);

// ---- cexp.c: lines, names, operands, elements of arrays ----

// The first round over a function is about uses alone: its text is never read.  Where more is
// written than a line, or what takes long to write, it is left out then.
static inline bool is_silent(const Gen *g) { return g->counting && g->target == ON_CPU; }
const char *fresh_name(Gen *, const char *hint);
VarState *state_of(Gen *, Var);
CExp shown(Gen *, Var);                         // how it is written here
void show_as(Gen *, Var, CExp);
const char *bind_name(Gen *, Var);              // gives it a C name of its own
CExp operand(Gen *, Sub);                       // a scalar
const char *block_name(Gen *, Var);             // a use of the block itself
const char *block_pointer(Gen *, Var);          // of its elements
// A body begins and ends.
typedef struct { const Body *body; int n_outer, n_sizes; } Outer;
Outer enter_body(Gen *, const Body *);
void leave_body(Gen *, Outer);
void note_sizes(Gen *, Type);                   // an array of the type exists from here on
enum { MAX_RANK = 64 };                         // of arrays, as RD_MAX_RANK of the run-time
void settle_loads(Gen *);               // before memory changes: this body's pending loads are done
void settle_all(Gen *);                         // nothing of this body stays pending
CExp element(Gen *, Type, const CExp *index);   // xs[i * n + j]
CExp index_in_block(Gen *, Type, const CExp *index); // i * n + j
void note_arrays(Gen *, Vars);                  // what is an array of them: hint and sizes
void place_hint(Gen *, Var array);              // names its block after it
CExp index_sum(CExp x, CExp y);                 // x + y, x * y for indices, which do not overflow
CExp index_product(CExp x, CExp y);
CExp ctx(Gen *);                                // "ctx"
const char *elem_type(const Gen *, PrimType);   // of elements in memory

// ---- carray.c: statements that write arrays, messages ----

void gen_copy(Gen *, Type to, Type from);
void gen_update(Gen *, const Exp *);
void gen_iota(Gen *, const Exp *, Type);
void gen_replicate(Gen *, const Exp *, Type);
void gen_literal(Gen *, const Exp *, Type);
CExp in_memory(Gen *, PrimType elem, CExp value); // as it is stored
void for_each(Gen *, const char *i, CExp n);    // for (int64_t i = 0; i < n; i++)

// ---- cmessage.c: assertions and traces ----

void gen_assert(Gen *, const Stm *);
void gen_trace(Gen *, const Exp *);
CExp places(Gen *, const Where *);              // a string literal for the backtrace

// ---- cloop.c: loops ----

void gen_loop(Gen *, const Stm *);
void declare_params(Gen *, const Exp *loop);    // their C variables, with their initial values
void next_params(Gen *, const Exp *loop);       // all get their next values at once
void loop_body(Gen *, const Exp *loop);         // the body once
CExp loop_bound(Gen *, Sub n);                  // as a variable or literal
void bind_results(Gen *, const Stm *loop);      // the pattern takes over the C variables

// ---- cnext.c: loops that look for the best of something ----

const Stm *choice_of_next(const Exp *loop);     // with which the body ends, or NULL
void choose_next(Gen *, const Exp *loop, const Stm *choice); // instead of next_params

// ---- cempty.c: loops over rows without elements ----

// NULL: iterations may do something in any case.
CExp when_rows_have_elements(Gen *, const Exp *loop);

// ---- cindependent.c ----

bool is_independent(const Stm *loop);        // iterations store only where no other reads or stores

// ---- cprofile.c: the time that loops take ----

typedef struct { int number, around; bool parallel; const char *began; } Region;
Region begin_region(Gen *, const Stm *loop);    // or call of a recursive function
void end_region(Gen *, const Stm *, Region);
Span user_place(const Where *);                 // that stands for a statement

// ---- cparallel.c: chunks for threads ----

bool is_parallel_region(const Stm *loop);
void gen_parallel_region(Gen *, const Stm *loop);
CExp block_argument(Gen *, Var);                // what is passed for a block
void gen_chunks(Gen *, const Stm *);            // how many
bool has_shared_stores(const Body *);
void gen_atomic_sum(Gen *, const Stm *loop);
CExp blend(Gen *, const CExp *x);               // x[0] ? x[1] : x[2], for i64
bool is_shared_store(const Stm *if_);           // ... and nothing else
void shared_store(Gen *, CExp place, CExp value);

// How a loop is written in lanes: see clanes.c.
typedef struct Lanes Lanes;

// ---- cpartial.c: reductions with partial results ----

int n_partial(Gen *, const Stm *loop);          // how many; 1: the loop is written as it is
void gen_partial(Gen *, const Stm *loop, CExp bound, int n);
bool is_partial_fold(const Exp *loop, int k);   // has parameter k partial results?
void partial_vectors(Gen *, const Exp *loop, const char *i, CExp bound, const Lanes *);
// A vector for each parameter, by name, and what is in their lanes added to C variables.
void declare_partial_vectors(Gen *, const Exp *loop, Lanes, const char **names);
void combine_partial_vectors(Gen *, const Exp *loop, Lanes, const char **names, const CExp *own);
void parts_of_vectors(Gen *, const Exp *loop, const char *i, CExp bound, const Lanes *);

// ---- ckept.c: partial results that loops around keep ----

struct KeptLoop *begin_kept_sums(Gen *, const Stm *loop); // before its text; may be NULL
void end_kept_sums(Gen *, const Stm *loop, struct KeptLoop *);
CExp kept_sum(Gen *, const Exp *loop, int k);   // the vector of parameter k, or NULL

// ---- cfold.c: loops that fold what loops inside compute ----

bool gen_fold_in_lanes(Gen *, const Stm *loop, CExp bound); // false: not for this loop
const char *own_in_lanes(const Gen *, Var block); // the lanes' memory, if each has its own
bool gen_lane_sum(Gen *, const Stm *);          // false: it is not part of a sum
void lane_sums(Gen *);                          // all rows are done

// ---- cagain.c: values computed again instead of kept ----

const Stm *compute_again(Gen *, const Stm *loop, LaneArrays *); // NULL: there are none

// ---- cpart.c: what is left of a loop in vectors ----

bool may_end_in_part(const Lanes *, const Exp *loop);
bool ends_in_part(const Lanes *, const Exp *loop); // it may; that pays without whole vectors, too
void begin_part(Gen *, const char *i, CExp bound); // the lanes from i on
void end_part(Gen *, const Exp *loop, const char *i, CExp bound);
CExp has_masks(Gen *);
CExp rest_is_left(Gen *, const char *i, CExp bound, bool in_part); // i < bound, and not in_part
CExp lanes_that_count(Gen *);                   // a mask
CExp added_by_lanes(Gen *, CExp x);             // -0 where they do not count

// Opens a branch for what follows, if it is not all: false.
bool gen_few_columns(Gen *, const Stm *loop, CExp bound);

// ---- clanes.c: several iterations at once ----

bool gen_in_lanes(Gen *, const Stm *loop, CExp bound); // false: not for this loop
// The body of a loop for n iterations from i on, in lanes.
void lanes_of(Gen *, const Exp *loop, const char *i, int n);

struct Lanes {
	int n;                          // so many in arrays; 0: it is not for this
	bool in_cache;                  // those are many, and need not be in registers
	int n_vectors;                  // or so many vectors; 0: no vectors
	PrimType type;
	const Map *rates;
	const LaneArrays *arrays;       // NULL: all memory is the same for all lanes
	int n_params, n_loops;          // inside
	int n_folds;                    // of what iterations compute: partial results
	bool covers;                    // ... for which the last vector runs some iterations again
	bool in_part;                   // what is left is a vector of which only some lanes count
	const SubVec *few;              // how often loops inside may run a few times only (cpart.c)
};
Lanes lanes_for(Gen *, const Stm *loop, bool alone); // alone: no other loop is around it
Lanes lanes_if_few(Gen *, const Stm *loop);     // only if loops inside run few times
Lanes lanes_of_reduction(const Stm *loop);      // iterations share parameters, in partial results
bool stores_side_by_side(const Exp *loop);      // ... of an innermost loop store at adjacent places
// `loop`: whose parameters are to change, or NULL.
void lanes_body(Gen *, const Body *, const Exp *loop);
void begin_vectors(Gen *, Lanes, int rows);
int fewer_vectors(const Exp *loop, PrimType, int n_vectors);
void end_vectors(Gen *);
void for_whole(Gen *, const char *i, CExp n, CExp bound); // for (; i + n <= bound; i += n)
// ... up to the bound, if that is at least n: the last n run some iterations again, those before
// `next`, which may be NULL.
void for_covering(Gen *, const char *i, CExp n, CExp bound, const char *next);
bool may_run_twice(const Exp *loop); // stores the same again: Note [Iterations twice] in clanes.c
void note_rest(Gen *, const Exp *loop);          // the iterations after all vectors
void vectors_of(Gen *, const Exp *loop, const char *i); // the body, from iteration i on
void write_stms(Gen *, const Body *, int from, int to);
int rate_of_place(const Map *rates, Type array, const Subs *idx); // see rates.c
// The only dimension whose index goes up by one, while all else stays; -1: there is none.
int strided_dim(const Map *rates, Type array, const Subs *idx);
// An assertion that all lanes fail or none, with a message in which nothing but what counts the
// lanes differs: it is that of the first.
bool is_same_assert(Map *rates, const Stm *);
bool needs_no_code(const Stm *);                // only says where an array lies
bool is_parallel(const Stm *loop);

// ---- ctile.c: tiles of two loops ----

bool gen_tiles(Gen *, const Stm *loop, CExp bound); // false: not for this loop
// Before and after the part of a loop that is done for the tile at hand.
typedef struct Tile {
	const char *from, *to;          // iterations of the innermost loop
	CExp all;                       // how many there are
	const char *first, *i;          // the first row of the block, the first of the tile
	const char *saved;              // where values carried along wait for the next part
} Tile;
void take_up(Gen *, const Exp *loop);
typedef struct { const char *name, *step, *from; } Strip;
void put_off(Gen *, const Exp *loop);

// ---- cpiece.c: loops that are functions ----

bool is_piece(const Fun *);
const Stm *loop_of_piece(const Fun *);
void call_piece(Gen *, const Exp *call);        // keeps what is known there for the piece
void enter_piece(Gen *, const Fun *);           // and takes it up
CExp elements_in(Gen *, Var block);             // how many; NULL: not known
// The name of the first function with this text but for its own name; NULL: none, and it is the
// first from now on.
const char *same_text(Map *seen, const CFun *);

// ---- cmerge.c: functions that are instances of others ----

// Prints functions; those that are `fixed` keep their bodies.
void put_functions(Str *, const CFun *const *, const bool *fixed, int n);

// ---- cproduct.c: sums of products ----

bool gen_product(Gen *, const Stm *loop);       // false: not for this loop

// ---- cvector.c: lanes as vectors ----

bool is_used_once(const Body *, Var);
// Can the loop's iterations be the lanes of vectors?  Then the type of their elements is in
// lanes->type; rates of what branches bind are added.
bool fits_vectors(const Stm *loop, Map *rates, Lanes *lanes);
bool varies(Gen *, Sub);                        // differs from lane to lane, so it is a vector
CExp as_vector(Gen *, Sub, CExp);               // the same, or the scalar in all lanes
const char *vector_type(Gen *, PrimType);
CExp vector_prim(Gen *, Prim, PrimType, const Sub *operands, const CExp *);
CExp vector_load(Gen *, const Exp *index, CExp element);
void vector_store(Gen *, const Exp *update, CExp element, CExp shown);
void delayed_stores(Gen *);                     // and no more delay
CExp vector_of_index(Gen *, Sub, CExp first);   // as floats: as much more in each lane
CExp vector_some(Gen *, CExp mask);             // whether any lane has it
CExp vector_not(Gen *, CExp mask);
bool is_lane_choice(const Map *rates, const Stm *); // where lanes may differ, ...
bool chooses_in_lanes(Gen *, const Stm *);      // a choice that is no expression of vectors
CExp vector_select(Gen *, PrimType, CExp mask, CExp yes, CExp no);
CExp lanes_of_vectors(Gen *, int n_vectors);    // how many lanes so many vectors have

// ---- cscalar.c: scalars ----

bool is_pure_scalar(const Stm *);               // a scalar computed without control or effects
void gen_scalar(Gen *, const Stm *);            // one of those
bool fits_expression(Gen *, const Body *);      // can a branch be one?
int  smallness(Gen *, Sub);                     // see Note [Small numbers]
bool never_negative(Gen *, Sub);                // a constant, or the size of an array
CExp is_within(CExp x, CExp n);                 // 0 <= x && x < n, where n is not negative
void declare(Gen *, Var, CExp init);            // a scalar; init may be NULL
// Declares it, or takes the variable of another row with the same value.
void declare_once(Gen *, Var, CExp init);
void define(Gen *, Var, CExp);                  // a scalar: written where it is used, if possible
CExp result_of(Gen *, Var, Sub);                // the operand that becomes the variable's value
CExp value_for(Gen *, Var, Sub);                // the same, as a vector where the variable is one
bool is_needed(Gen *, Var);                     // a scalar whose value is used

// ---- cstm.c: statements and bodies ----

void gen_stm(Gen *, const Stm *);
void gen_stms(Gen *, const Body *);             // in the body that is current then
void declare_block(Gen *, Var);
void point_to(Gen *, Var block);                // declares the pointer to its elements if needed
// Declares a pointer to what is in the C variable of a block.
void point_to_data(Gen *, const char *type, const char *pointer, const char *block);
void check_alloc(Gen *, const char *tape_at);   // after a call in err; tape_at: whose tape it is
// Makes block variable `to` refer to what `results` has at k; at `pointed`, the variable that this
// points to.
void give_block(Gen *, const char *to, bool pointed, Subs results, int k);
void leave_function(Gen *, CExp err);           // return err, or clean up first
void leave_if(Gen *, const char *status);       // the variable with an error code is not 0
void set_block(Gen *, const char *to, Var from); // another reference to the same block
void move_block(Gen *, const char *to, Var from); // the reference of `from`, which has none then

// ---- cspent.c: blocks that are handed over ----

bool spent_by_loop(Gen *, const Exp *loop, int k); // its k-th initial value is, to the parameter
void note_spent(Gen *, const Exp *choice, const Body *branch); // results of one of its branches

// ---- khost.c: arrays in the memory of a device, seen from the host ----

bool reads_memory(const Stm *);
CExp host_element(Gen *, Type, const CExp *index); // as it is in memory, fetched
bool gen_on_host(Gen *, const Stm *);           // false: it is written as for the processor
void note_iteration(Gen *, const Exp *loop);    // at the beginning of a loop's body
// params.c: tuning parameters of the program's own
const char *param_of(const Stm *);              // the name, or NULL
void gen_param(Gen *, const Stm *);
bool is_device_choice(const Stm *);             // #[threshold], #[fits], #[grid]
void gen_device_choice(Gen *, const Stm *);

// ---- klaunch.c: kernels are started ----

bool has_wide_blocks(const Gen *);              // the kernel at hand: of more than one warp
bool is_kernel_fun(const Fun *);
void gen_launch(Gen *, const Stm *call);

// ---- kmemory.c: memory of kernels ----

const char *block_type(const Gen *, Var block); // of a variable that stands for the block
void declare_pointer(Gen *, Var block, CExp init);
void gen_thread_alloc(Gen *, const Stm *);
// Before a loop and at the end of its iterations.
const char *mark_heap(Gen *, const Exp *loop);
void free_heap(Gen *, const char *mark);
bool is_interleaved(const Gen *, Var block);    // each thread has every rd_slots-th element

CExp is_first_thread(void);                     // of its block
// Around stores of all threads of a block together, which the other threads are to see, and that
// are not to come before their loads.  Elsewhere nothing but a note.
void begin_load(Gen *, Type from);              // of an element, by all threads alike
void begin_store(Gen *, Type to);
void end_store(Gen *);
void block_barrier(Gen *);                      // if there is something to wait for
// Before a loop and at the end of its iterations: these begin alike, with nothing to wait for but
// loads before stores.
void block_iterates(Gen *, const Exp *loop);
// Branches begin with what there was to wait for before them; after them there is what is left of
// any one.
typedef struct { bool reads, stores; } BlockState;
BlockState block_state(const Gen *);
void set_block_state(Gen *, BlockState);

// ---- cstop.c: stopping calls, and recursion ----

void ask_to_stop(Gen *);                        // is the call cancelled?
void ask_around_loops(Gen *, const Exp *loop);  // likewise, if its iterations take long
const char *count_turns(Gen *, const Exp *loop); // of a while loop, before it
void ask_in_while(Gen *, const Exp *loop, const char *turns);
// Is it done so many iterations at a time?  `unit`: as many of them are one step, NULL: one.
bool is_in_parts(const Gen *, const Exp *loop, CExp unit);
// Whether a short row of a loop around is longer than a part; NULL: it is no such row.
CExp longer_than_part(Gen *, const Exp *loop, CExp bound);
CExp begin_parts(Gen *, const Exp *loop, const char *from, CExp bound, CExp unit);
void end_parts(Gen *, const Exp *loop, const char *from, CExp bound, CExp unit);
bool is_recursive(const Fun *);                 // does it call itself?
void enter_recursion(Gen *, const Fun *);       // if so: is there room on the stack?

// ---- krows.c: rows that threads go through ----

const char *gen_turned(Gen *, const Stm *loop, CExp bound);

// ---- kbatch.c: loads of several iterations at once ----

const char *gen_ahead(Gen *, const Stm *loop, CExp bound);

// ---- kwarp.c: loops of steps that a warp does, whose lanes load for several steps at once ----

typedef struct LaneLoads LaneLoads;
LaneLoads *begin_steps(Gen *, const Exp *loop); // before the loop; NULL: it is none of these
void begin_step(Gen *, const LaneLoads *, const char *i, CExp n);
void end_steps(Gen *, const LaneLoads *);

// ---- kfail.c: failures of kernels ----

void leave_thread(Gen *);                       // it has failed
void gen_thread_assert(Gen *, const Stm *);

// ---- kthreads.c, katomic.c: loops that devices do in their own way ----

bool gen_together(Gen *, const Stm *);          // kpair.c; false: it is computed by itself
bool gen_device_loop(Gen *, const Stm *);       // false: it is an ordinary one
#endif
