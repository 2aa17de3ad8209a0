// What the files on loops in reverse mode share.
#ifndef RAIDO_VJP_LOOP_H
#define RAIDO_VJP_LOOP_H
#include "ad/vjp.h"

// What a loop of the forward sweep keeps for the return sweep.  A record whose number of rows
// differs from one iteration to the next has three logs: the rows of all of them one after the
// other, where each one begins, and how many rows it has.
typedef struct { bool on; Types types; const bool *flat; Vars logs; } Keep;
enum { FLAT_LOGS = 3 };

// What is known of rows that grow in number: how many there are at most; that they are left by so
// many rounds of a loop, in which one.
typedef struct { bool limited, counted; Sub most, rounds, round; } Rounds;

// Rows that grow in number: room for so many, how many there are, columns (vjp_trail.c).
typedef struct { Sub cap, end; Subs cols; Rounds growth; } Stack;

// A statement of the loop's body that the return sweep does not execute again (vjp_save.c).
struct Saved {
	const Stm *s;
	Level *level;                           // whose statement it is
	LoopPlan *inner;                        // of a loop: what it keeps itself
	int through, outer;                     // which of its parameters goes on from which of the
	                                        // loop around, both updated in place; -1: none
	const bool *results;                    // which of its results are kept, once that is known
	Keep rows;
	bool stacked;                           // a loop whose logs are on a stack,
	Var begin, len;                         // from which row on, and how many rows
	Vars stack;                             // the room of the stack after all, and its columns
	Stack now;                              // as the forward sweep is emitted
};
typedef VEC(Saved *) Saveds;

struct LoopPlan {
	bool needed;                            // the forward sweep has the loop on account of this
	Keep *whole;                            // by parameter: its value in each iteration
	Keep *flat;                             // by parameter of varying size: values one after
	                                        // the other, and where each one begins
	Keep *undo;                             // by parameter: undo records of each iteration
	bool *partly;                           // by parameter: not of all, see vjp_intact.c
	bool *after;                            // by parameter: `whole` has one more row, its value
	                                        // after the loop (Note [Next values], vjp_save.c)
	Saveds saves;
	Saved *saved;                           // by the loop around
	Vars snapshots;                         // see vjp_blocks.c; none: it has none
	bool counted;                           // a while loop: `count` is its number of iterations
	Var count;
};

// ---- vjp_loop.c ----

LoopPlan *plan_of(Level *, int at);
void keep_logs(Vjp *, Keep *, Sub trips);       // names for logs of keep's types
bool want_undo(Vjp *, Level *, int at, int param, Sub trips); // asks for undo records
Sub  at_least_zero(Build *, Sub n);
// Is the attribute `name(number)`?
bool attribute_number(Name attribute, const char *name, int64_t *number);

// The loop of the return sweep.
typedef struct {
	const Exp *e;
	Vars free;                              // outer variables that get adjoints in the body
	bool *active, *undone, *carried;        // by parameter; carried: sizes of adjoints
	VEC(Var) params;                        // of the loop of the return sweep
	VEC(Sub) inits, res;
	Var *size;                              // by parameter: the carried size
	Var *state;                             // likewise: the carried array, undone partly
	Sub i;
} Back;
bool back_begin(Vjp *, const Exp *loop, Back *); // has it anything to do?
Sub  back_trips(Vjp *, Level *, int at);
void back_param(Back *, Var, Sub init);
void back_adjoints(Vjp *, Back *, const Stm *); // its parameters
void back_seed(Vjp *, const Back *);            // adjoints of what an iteration gives
void back_results(Vjp *, Back *);               // and of what it takes
Vars back_names(Vjp *, const Back *);           // of what the loop gives
void back_end(Vjp *, Back *, Level *, const Stm *, Subs results);

// ---- vjp_tape.c ----

Vars copy_params(Copier *, Vars);               // binds copies

// ---- vjp_save.c ----

bool has_dims(Vjp *, Subs has, const Subs *wanted); // or what these are made from
void saves_close(Vjp *, LoopPlan *, Sub trips); // when the body's return sweep is complete
void saves_close_branch(Vjp *, const Level *);  // likewise of a branch in it
const Saved *save_of(const LoopPlan *, const Stm *); // NULL: is none
// A loop's parameter that a saved statement changes, and the array this leaves.
bool goes_through(Vjp *, const LoopPlan *, int param, Var *after);
// The values to keep of a statement that was copied; logs are those of a loop.
Subs saved_values(Copier *, const Saved *, Subs logs);
void stacks_in(const LoopPlan *, Saveds *out);  // those of saved loops inside
void stacks_of(Saved *, Saveds *out);           // its own, and likewise
// The loop, of which result n + at[k] is the log of parameter k, and the last rows of logs.
void emit_after(Vjp *, const Stm *loop, const Stm *emitted, const LoopPlan *, const int *at,
                Sub rows);

// ---- vjp_intact.c ----

// Finds arrays of the loop that still have all that is to be read when it is done; gives the
// states it settled, to be unsettled after the loop's return sweep.
Map  settle_intact(Vjp *, Level *, const Stm *loop);
// Likewise an array of which some updates must be taken back before an earlier iteration is looked
// at: `state` stands for it in the body, after the updates of the iteration.
bool settle_partly(Vjp *, Level *, const Stm *loop, int param, Var state, Map *states);
// Likewise arrays that have it all before the loop.
void settle_firsts(Vjp *, Level *, const Stm *loop, Map *states);
void unsettle(Vjp *, const Map *states);
// Finds arrays of the loop of which the values that are read are kept, not what is overwritten.
Map  settle_values(Vjp *, Level *, const Stm *loop);
void unsettle_values(Vjp *, const Map *states);

// ---- vjp_apart.c ----

// Emits a branch as several, each of which updates other arrays; false: it is not that.
bool branch_apart(Build *, Alias *, const Stm *);

// ---- vjp_reads.c ----

// The branch without its reads of arrays from outside, which are emitted before.
Exp *reads_before(Build *, const Exp *branch);

// ---- vjp_forwards.c ----

// Adjoints that the iterations of a return sweep only add to: by one addition, in any order.
void sum_in_any_order(Body *, Vars params);
bool in_any_order(Vjp *, const Back *, const Body *, Var counter); // may iterations run so?

// ---- vjp_order.c ----

// One scan or reduction as a loop, if that is the better form for one thread; emits it.
bool fold_as_loop(Build *, Maps *, const Stm *, Vars pat, const Exp *screma);
bool map_in_loop(const Lambda *);               // is that where to apply what comes before?
void note_map(Maps *, const Stm *);              // if its lambda is one
// The lambda applied to rows i; those that maps make are made here.
Subs mapped_row(Build *, Maps *, Subs arrs, const Lambda *, Sub i);

// ---- vjp_bounds.c ----

Body with_sizes(const Lambda *);                // its body, with bounds of loops that are sizes
bool has_limit(const Exp *loop, int64_t *most); // a while loop that runs at most so often

// ---- vjp_budget.c ----

// Emits it in blocks, if there is a memory budget; depth: loops around it; sharers: of the budget.
bool budget_loop(Build *, const Stm *, int depth, int sharers);
bool snapshots_of(const Exp *loop, Sub *most);  // is it a loop of blocks?
bool is_block(const Exp *loop);                 // is it one of these blocks?
int  count_loops(const Body *);                 // in all of it

// ---- vjp_room.c ----

typedef struct { Sub n, block, rounds, snapshots; } Blocks;
Sub  size_of_all(Build *, Subs);                // the sum
Sub  block_for(Build *, Sub bytes);             // what an array of so many bytes occupies
// share: of the budget; states: bytes of a snapshot, records: of what an iteration leaves, by array
Blocks choose_blocks(Build *, Sub n, Sub share, Subs states, Subs records);

// ---- vjp_blocks.c ----

// The least r with C(s + r, s) >= l, and that number; unless r is `most` before (0: no limit).
Subs rounds_for(Build *, Sub l, Sub s, double most);

Sub  put_if(Build *, Sub on, Sub arr, Sub at, Sub x); // row `at` becomes x if `on` is 1, not if 0
void emit_blocks_forward(Vjp *, Level *, const Stm *, const LoopPlan *, Sub most);
void rev_blocks(Vjp *, Level *, int at, Sub most);

// ---- vjp_strip.c ----

bool strip_loop(Build *, const Stm *);          // emits it as a nest, if it asks for that
Vars fresh_like(Vars, bool unique);             // variables of their types, without * unless unique

// ---- vjp_varying.c ----

// What is bound inside of a loop; `known` are indices, of which a value is at hand.
typedef struct {
	Vjp *v;
	const Stm *around;                      // the loop, or a branch
	uint32_t loop;                          // its loop_id, likewise
	Map inside, known, arithmetic, ranges;  // ranges: arrays start, start + step, ..
	int nest;                               // bodies inside of the loop's own
	bool copies;                            // a record seen is a whole array
	bool before;                            // what is asked for is emitted before the loop
} Varying;
void varying_init(Varying *, Vjp *, const Stm *loop);
void varying_know(Varying *, Var index, Sub value);
bool is_varying(const Varying *, Sub);
bool type_varies(const Varying *, Type);
bool is_recorded(const Varying *, Sub);         // cannot be computed when the loop is undone
Sub  at_undo(Varying *, Sub);                   // what can, then
// The number of elements of all records of a type that varies, if that can be computed before.
bool size_of_records(Varying *, const Exp *loop, Type, Sub *total);

// ---- vjp_steps.c ----

typedef enum {
	STEP_NONE,
	STEP_UPDATE,
	STEP_WRITES,
	STEP_LOOP,
	STEP_IF,
	STEP_COPY,
	STEP_NAME,
	STEP_TRAIL
} StepKind;
typedef struct { StepKind kind; int at, k; Var to; } Step; // k: which param or result
// The statement that makes the next state out of `cur`: with records of its own, or on a trail.
Step next_step(Varying *, const Body *, Var cur);
Step next_of_trail(const Varying *, const Body *, Var cur);
Step step_of_trail(const Varying *, const Stm *, int at, Var cur); // if it is this one
// Do loops, always executed, go round as often as the array has cells?  Then a copy of it costs no
// more than these.
bool goes_over_all(const Varying *, const Stm *, Subs dims);
bool step_types(Varying *, const Body *, Var cur, Step, Types *out);
// The types of the records of both branches, by result k, which `cur` becomes.
bool branch_types(Varying *, const Stm *, Var cur, int k, Types *yes, Types *no);
// Has a record as many rows as a branch leaves?  None, where it is not taken.
bool is_of_branch(const Varying *, Type, Sub *most);
void push_type(Types *, Type);

// ---- vjp_record.c, vjp_undo.c ----

// The types of the records between two states; false if they have no fixed sizes, but for the
// number of rows of a record that belongs to the loop's body itself (is_flat).
bool is_flat(const Varying *, Type);
bool record_types(Varying *, const Body *, Var from, Sub to, Types *out);
typedef struct Trail Trail;
// Its records; or the trail that it leaves its cells on.
typedef struct { Var from; Sub to; SubVec recs; Trail *trail; } Chain;
// What is put where as the body is emitted: rows i of `now`, for the saves of a plan; or, in a
// branch, gathered to be put after it.
typedef struct { const LoopPlan *plan; Sub *now, i; bool gathers; Map got; } Puts;
// all statements; results
Subs emit_recorded(Varying *, Copier *, const Body *, Chain *, int n, Puts *);
Sub  undo_body(Varying *, const Body *, Var from, Sub to, Sub state, Subs recs);
Sub  undo_rows(Varying *, const Exp *loop, int k, Sub n, Sub state, Subs recs);
Sub  undo_at(Varying *, const Exp *loop, int k, Sub i, Sub state, Subs recs);
Sub  put_row(Build *, Sub arr, Sub i, Sub val);
Sub  scratch_of(Build *, Type);

// ---- vjp_writes.c ----

// Where a scatter or histogram of the form that vjp_normal.c leaves writes.
typedef struct { Sub n; Subs idx, space; } Writes;
static inline uint32_t loop_id(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form != E_loop ? s->pat.at[0].id : e->loop.is_while ? e->loop.while_cond.id
	     : e->loop.i.id;
}
bool writes_of(const Exp *, Writes *);
// Are there fewer places than the array has, as far as can be seen?
bool writes_few(const Varying *, const Exp *);
Sub  rows_of_record(const Varying *, const Stm *); // the number of indices if that varies
void emit_rows(Copier *, const Stm *loop);      // their numbers, before the loop
void name_rows(Vjp *, const Stm *inner, const Stm *outer); // likewise, those of a loop around
void record_writes(Copier *, const Exp *, Sub rows, Sub arr, SubVec *recs);
Sub  undo_writes(Build *, Sub state, Subs space, Subs recs);

// ---- vjp_trail.c ----

// For the rows of a loop inside of one of this level: room for all, if bounds of loops tell.
Stack stack_for(const Copier *, const Saved *, Types cols);
Sub  room_grown(Build *, Sub cap, Sub need, const Rounds *); // the next room
void room_on_stack(Build *, Stack *, Sub need); // for so many rows; it grows if they are more
Subs stack_subs(const Stack *);
Vars stack_vars(const Stack *like, bool unique, Stack *out);
struct Trail { Sub cap, idx, val, end; };       // room; numbers of cells; what was there; how many
enum { TRAIL_PARTS = 4 };
Trail trail_new(Build *, PrimType);
Subs trail_subs(const Trail *);
Vars trail_vars(const Trail *like, bool unique, Trail *out);
void trail_cells(Build *, Trail *, Sub arr, Slices); // before they are overwritten
void trail_writes(Build *, Trail *, Sub arr, const Writes *);
void trail_whole(Build *, Trail *, Sub arr);
void trail_records(Build *, const Trail *, SubVec *recs);
Sub  undo_trail(Build *, Sub state, Subs recs);
#endif
