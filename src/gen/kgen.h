// What the files that write programs for devices share (private to src/gen).
//
// A program for a device consists of C text for the host, which launches kernels, and the text of
// the kernels, in a common subset of OpenCL C and CUDA C++ (rts/gpu/kernel.h).  Both are emitted by
// the C generator, which consults Gen.target where they differ.
//
// Note [Kernels].  The pass `outline` makes each kernel a function, whose body is one loop marked
// #[kernel] or #[blocks], or a perfect nest of such loops.  Its iterations are the threads or
// thread blocks.  If these need private memory that is too large for the stack, or that the threads
// of a block share, only as many are started as the device can run at once, and each executes
// several iterations sequentially: it has slot rd_slot of rd_slots.  The memory of all slots is one
// block, an argument of the kernel.  A thread owns every rd_slots-th element of it, so that
// accesses of neighbouring threads coalesce; or, if the block is passed on like blocks from outside
// the kernel, a contiguous part.
//
// Note [Levels].  In a #[blocks] kernel, the threads of a block execute the same code
// (Thread.at_block) except in #[threads] loops: scalars are computed redundantly by all, and
// stores are executed by one thread or divided among them.  There is a barrier between a store and
// the accesses after it, and between loads and a store after them.
//
// Note [Blocks that are handed on].  A block that is allocated in one iteration of a sequential
// loop may be passed to the next iteration, which allocates another one.  A slot therefore has room
// for one more such block than there are parameters, of all enclosing loops, that may hold one; an
// allocation takes the first that none of them holds.  (A block that the same statement allocated
// earlier is held by a parameter of an enclosing loop, or dead.)
//
// Note [Shared memory].  Shared memory contains, in this order, each part rounded up to 16 bytes:
// the failure mark, 16 bytes; room for combining the values of threads, Kernel.fold_bytes per
// thread; blocks marked #[local].
#ifndef RAIDO_KGEN_H
#define RAIDO_KGEN_H
#include "gen/cgen.h"
#include "mem/mem.h"
#include "loop/loop.h"

typedef enum { IN_SLOTS, IN_PARTS, IN_BLOCK_PARTS, IN_LOCAL, IN_HEAP } BlockKind;
typedef struct {
	Var block;
	const Exp *alloc;
	BlockKind kind;
	const char *arg;
	VEC(Var) held;                  // see Note [Blocks that are handed on]
	int room;                       // IN_LOCAL: the first block that has the same memory
	const Exp *last;                // ... the last statement of its body that uses it
} KernelBlock;

typedef struct Tiling Tiling;
typedef struct { int cuda, other; } Choice;     // a number on CUDA, and elsewhere
// See kchain.c, Note [Chains].  wide: blocks have twice the usual number of threads, on CUDA.
typedef struct { const Exp *loop; Choice items; int n_scans, n_values; bool wide; } Chain;
typedef struct { Sub n; int columns; } TurnedLoop;
typedef struct Kernel {
	const Fun *fun;
	const Where *where;             // its place
	int number;
	const char *name;
	struct Kernel *as;              // an earlier one that does the same; NULL: there is none
	const char *in_text;            // its name there, that of another one with the same text
	bool of_blocks;
	VEC(const Stm *) nest;          // its loops, outermost first
	VEC(KernelBlock) blocks;        // allocations that need an argument or shared memory
	bool slots;                     // see Note [Kernels]
	bool heap, locks, can_fail;
	bool marks_failures;            // between barriers
	bool scans;                     // blocks have whole warps
	Choice fold_bytes;
	int turn_bytes;                 // of shared memory for each thread, on CUDA (krows.c)
	VEC(TurnedLoop) turned;         // which need it
	bool turn_heavy;                // and many registers
	VEC(Var) args;                  // the parameters that it needs
	Str kinds;                      // of all its arguments: kfun.c, Note [Arguments]
	Tiling *tiling;                 // how it is done in tiles; NULL: it is not
	VEC(struct Kernel *) tiled;     // the same kernel in tiles, better ones first
	struct Kernel *narrow;          // the same for blocks of one warp (CUDA), or NULL
	bool one_warp;                  // it is for these
	Chain *chain;                   // blocks that pass on what they scan; NULL: they do not
	const Stm *streamed;            // of find_streamed_loop
} Kernel;

// A place where a kernel can fail.
typedef struct { const Where *where; Msg msg; } FailureSite;
typedef struct { const char *name, *class_; int64_t value; } TuningParam;
typedef struct { const Fun *fun; int param; } ParamUse;

typedef struct Device {
	Rts rts;                        // of kernels
	VEC(Kernel *) kernels;
	Map of;                         // Fun * -> Kernel *
	Map alike;                      // functions that do the same as another, which they lead to
	VEC(FailureSite) sites;
	VEC(TuningParam) params;
	const Fun *fun;                 // the function of the host that is being made
	VEC(ParamUse) uses;             // which functions look at which parameters
	bool tf32, fixed_order;         // GenOptions
	BlockAliases *aliases;
	Map fails;                      // functions that can
	bool locks, heap;               // functions that kernels call use them
	Map outside;                    // classes of blocks that are not all made in one kernel
	Map interleaved;                // classes of blocks in slots
	Map carried;                    // classes of blocks that loops carry or branches give
} Device;

// ---- klaunch.c ----

bool is_warp(const Kernel *);                   // blocks of one warp, always
bool is_row(const Kernel *);                    // ... of as many threads as their rows want
bool is_narrow_kernel(const Kernel *);                 // the version for one warp of one of these

// ---- kmemory.c ----

void find_kernel_blocks(Device *, const Prog *);
const char *space_name(Space);                  // RD_GLOBAL
const char *name_block(Gen *, Var block);       // a new name for its pointer
void same_pointer(Gen *, Var block, Var as);    // blocks in one place
bool is_constant(Gen *, Var block);             // Does the kernel only read there?  (second round)

// ---- klocal.c ----

void share_local_blocks(Kernel *);              // which of them have one room
CExp round_down16(CExp);
CExp round_up16(CExp);
bool has_room(const Kernel *, int block);       // Is it the first one in its room?
void declare_local_blocks(Gen *);               // at the beginning of the kernel
bool fills_local_block(const Kernel *, Sub arr, Sub n); // Is the array all of one, n elements?
bool is_in_local_block(const Kernel *, Sub arr);
bool gen_exchange(Gen *, const Stm *loop);      // false: it is no copy of what is of no more use

// ---- kthreads.c ----

void for_few(Gen *, const char *u, int n);      // a loop that is unrolled
void gen_kernel_nest(Gen *);                    // the body of the kernel
int iterations_of_thread(const Kernel *);       // where there are many
void nest_indices(Gen *, bool ahead);            // from rd_id, the number of the iteration
void nest_body(Gen *, int depth);               // of that loop of the nest, and those in it

// ---- kbatch.c ----

typedef VEC(const Stm *) StmPtrs;
// Does it load what the loop's counter alone determines, from none of the blocks `stored`?
bool is_ahead(Gen *, const Exp *loop, const Map *stored, const Stm *);
// What these places are computed from, in order.
StmPtrs load_places(const Exp *loop, StmPtrs loads);

// ---- kwarp.c ----

int rows_of_warp(const Kernel *);               // where there are many
void gen_warp_rows(Gen *, CExp n);

// ---- kstream.c ----

const Stm *find_streamed_loop(const Kernel *);
const Stm *streamed_loop(const Kernel *);       // NULL: threads have one iteration each
void gen_streamed(Gen *, const Stm *loop, CExp n);

// ---- kfold.c ----

void need_fold_bytes(Gen *, int on_cuda, int elsewhere); // of shared memory for each thread

// ---- kscan_plan.c ----

Choice items_of(const Exp *loop);               // elements of a tile that a thread has
bool scans_lightly(const Exp *loop);            // with few registers
CExp choice(Choice);

// ---- kchain.c ----

// NULL: it does not suit the kernel.  fixed_order: no floats are combined as blocks come along.
Chain *chain_of(const Kernel *, bool fixed_order);
void begin_chain(Gen *);                        // which tile of which row the block has
const char *chain_bounds(const Chain *);        // what the kernel says of its threads

// ---- ktile.c ----

// NULL: it does not suit the kernel.
typedef enum { LARGE_TILES, MIDDLE_TILES, SMALL_TILES, N_TILE_SIZE } TileSize;
Tiling *tiling_of(const Kernel *, TileSize, bool tf32);
void gen_tiled_nest(Gen *);
int tile_threads(const Tiling *);
const char *tile_name(const Tiling *);          // at the end of the kernel's
const char *tile_bounds(const Tiling *);        // what the kernel says of its threads
int tile_bytes(const Tiling *);                 // of shared memory
Sub tile_steps(const Tiling *);                 // of the loop in each iteration
CExp tile_count(const Tiling *, const CExp *sizes); // from the sizes of the loops
CExp tiles_pay(const Tiling *, const CExp *sizes, CExp steps, CExp processors);

// ---- katomic.c ----

void gen_atomic(Gen *, const Stm *);

// ---- kfail.c ----

void fail_at(Gen *, const Where *, Msg);        // records a failure and leaves
void put_failure_report(Gen *, Str *out);       // the function rd_report_failure

// ---- krows.c ----

const char *turn_bounds(const Kernel *);        // what the kernel says of its threads

// ---- kcheck.c ----

bool minds_failures(const Kernel *);            // of kernels before

// ---- kfun.c ----

bool is_known_before(const Kernel *, Sub);      // a constant, or a parameter of the kernel

// ---- khost.c ----

void check_call(Gen *, CExp call);              // one that gives an error code
// a tuning parameter
int  param_number(Device *, const char *name, const char *class_, int64_t value);
#endif
