// What the files of the pass `multicore` share.
#ifndef RAIDO_MULTICORE_H
#define RAIDO_MULTICORE_H
#include "core/mention.h"
#include "opt/alias.h"
#include "opt/opt.h"
#include "loop/seq.h"

// As many chunks at most: what each gives has room on the stack.
enum { MOST_CHUNKS = 128 };

typedef struct {
	Build b;
	Map inputs;                             // token -> AccInput *, of the accumulators around
	Map alone;                              // Fun * -> Fun *: the same without regions
	Map written;                            // arrays that become parts of others
	Map less;                               // i64 variable -> Sub *: one more than it is
	Map scratches;                          // arrays without contents
	Map counts;                             // arrays 0, 1, 2, ...
	Map columns;                            // arrays whose rows are columns of others
	Alias *alias;
	struct Group *group;                    // the scan that goes with the next screma
	bool has_regions;
	bool sharing;                           // accumulators with sums are shared by all chunks
	bool in_nest;                           // in the rows of a map, taken one by one
} Multicore;

// multicore_region.c: a region in the making.  What is carried is worked on in place, by all
// chunks.
typedef struct {
	VarVec params, pat;
	SubVec inits, next;
	Var c;                                  // the number of the chunk
	Sub n_chunks;
} Region;
Sub    emit_chunks(Multicore *, Sub n, Sub work, Sub extra);
Sub    emit_sum_chunks(Multicore *, Sub n, Sub work, Sub extra, Sub shared);
Region region_new(Sub n_chunks);
int    region_carry(Region *, const char *hint, Sub init);
Sub    region_param(const Region *, int k);
Subs   region_close(Multicore *, Region *);     // what was carried, after it
Subs   region_close_sequential(Multicore *, Region *); // a loop that is no region
// The rows from `lo` on, `len` of them, that chunk c has of n.
typedef struct { Sub lo, len; } Rows;
Sub    chunk_size(Multicore *, Sub n, Sub n_chunks, bool flat);
Rows   chunk_rows(Multicore *, Sub c, Sub size, Sub n);
Subs   inline_lambda(Multicore *, const Lambda *, Subs args);


// How far from its own number a row adds; `wraps`: what lies beyond the ends is at the other one.
typedef struct { int64_t reach; bool wraps; } Near;

// What is known of a screma on its way to a region.
typedef struct {
	Multicore *m;
	const Exp *e;                           // the screma
	int n_scan, n_red;                      // values of scans and reductions
	Sub n_chunks, size;
	bool flat;
	Subs carry;                             // for each value of the scans: the running values
	Subs outs;                              // room for the results, if there is already
	struct Group *group;                    // a scan of the same rows before it, or NULL
	// Of rows that add to places near by: those inside of chunks, then those between chunks,
	// one after the other.
	enum { ALL_ROWS, INNER_ROWS, ROWS_BETWEEN } which;
	Near near;
} Job;
Subs   emit_region(Job *);                      // the results of the screma
int    find_acc(const Exp *screma, Type);       // the input that is this accumulator
Subs   rows_of_inputs(const Job *, Rows);
Types  types_of_results(const Job *, const Lambda *, Sub len);
Sub    part_row(Multicore *, Type, Sub c);
Sub    scratch_for_chunks(Multicore *, Type, Sub n_chunks); // room for a value of each chunk
Sub    some_rows(Multicore *, Sub arr, Rows);
void   put_rows(Multicore *, Region *, int k, Rows, Sub val);
void   put_carried_row(Multicore *, Region *, int k, Sub i, Sub row); // into what is carried at k
Sub    emit_row(Multicore *, Sub arr, Sub i);
// A copy with parameters that do not consume.
Lambda *borrowing(const Lambda *);
const AccInput *input_of(const Multicore *, Type acc); // NULL: not known
bool   is_private(const Multicore *, Type);     // an accumulator that chunks have copies of

// multicore_scan.c
void   make_running_values(Job *, bool all);
Reductions scans_of_chunk(Job *, Sub c);        // they begin with what the chunks before give
// A scan and what takes its results row by row.
typedef struct Group {
	Multicore *m;
	const Stm *scan;
	Subs results;                           // of the body
	Job job;                                // of the scan
	bool *keep, *last;                      // by result: all of it, or the last is needed later
	bool *depends, *needed;                 // by statement between: on the scan; by the other
	bool total_before;
	Subs totals;                            // by result
	Subs local;                             // the results for the rows of a chunk
	Subs extra;                             // what the region gives besides
	int first, n_carried;
} Group;
void   emit_group(Group *, Stms, int i, int user);
const Sub *group_local(const Group *, Sub);
void   group_carry(Group *, Region *);
void   group_scan(Group *, Region *, Rows);
void   group_after(Group *, Subs after);
void   choose_group_chunks(Group *);
Sub    running_sums(Group *, Sub counts);

// multicore_group.c: which statements are groups
void   note_definition(Multicore *, const Stm *);
// What is known of the statements of a body, once one of them is a scan.
typedef struct {
	Map mentions;                           // of stms_by_mention
	StmNumbers *needs;                      // by statement: those before whose results it has
	SubVec *consumed;                       // by statement
} BodyNeeds;
bool   find_group(Multicore *, const Body *, BodyNeeds *, int i, Group *, int *user);
int    result_of_scan(const Group *, Sub);      // which one it is, or -1
int    last_of_scan(const Group *, const Exp *); // whose last element it is, or -1

// multicore_filter.c: a group that is one
bool   is_filter(const Group *, const Stm *user);
void   emit_filter(Group *, const Stm *user);

// multicore_flatmap.c
void   multicore_flatmap(Multicore *, const Stm *);

// multicore.c, multicore_fun.c
bool   suits(const Multicore *, const Stm *screma);
bool   is_simple(const Multicore *, const Exp *screma); // chunks need no memory of their own
bool   is_among(Subs, Var);
void   multicore_stm(Multicore *, const Stm *);
Body   multicore_body(Multicore *, const Body *);
Stm    calls_alone(Multicore *, const Stm *);   // what it calls has no regions

// multicore_acc.c: accumulators
bool   may_share_sums(const Job *);             // are all private ones sums of numbers?
const Exp *with_shared_sums(const Exp *screma); // with atomic updates
bool   adds_near(const Job *, Near *);          // only to places near the number of the row?
const Exp *without_wraps(const Job *);          // on rows whose neighbours are not at the other end
Sub    private_row(Multicore *, Sub c, Subs space); // where the array of chunk c is
// The accumulator after adding the arrays of all chunks, which have an outer dimension for them.
Sub    add_private(Multicore *, Sub acc, Subs arrs, Sub n_chunks);

// cost.c: how much work
Sub  work_of_rows(Build *, const Exp *screma);  // for all rows
Sub  work_of_flatmap(Build *, const Exp *flatmap);
Sub  work_of_sharing(Build *, const Exp *screma); // the same with sums that chunks share
// Of what of it is most work, among what may be a region; false: parts of that are guessed.
bool most_of_fun(Build *, const Fun *, Sub *work);
bool has_loops(const Body *);
#endif
