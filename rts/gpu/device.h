// The device that a GPU program runs on: what generated host code calls.
//
// Programs of the back ends opencl and cuda keep their arrays in the memory of a device.  A block
// (rts/c/memory.h) has a reference count and is kept in free lists as in other programs, but its
// `data` is a handle: a cl_mem or a CUdeviceptr, never an address of the host.  All operations are
// submitted to one queue of the device, in order.  So memory can be reused as soon as its last
// reference is gone, and only operations that read values wait.
//
// Kernels report failures (bounds, divisions, assertions) in a record in the device's memory; the first
// one wins, and kernels that start later return at once.  Every function that waits for the device
// checks the record: rd_block_read and rd_dev_sync then return the error, with its message and
// place in the context as usual, and clear the record, so that the context stays usable.
//
// This file declares what generated code uses.  opencl.h and cuda.h implement the functions rd_api_*
// below it, and a program gets one of the two; run.h has launches and failures, copy.h copies and
// fills.
//
// What the generated file defines, anywhere: the tables of struct rd_device_program, and
//
//   static const struct rd_device_program *rd_device_program(void);
#ifndef RD_DEVICE_H
#define RD_DEVICE_H
#include "../c/context.h"

// @chunk device: context fail
// Functions of the program on the host only start kernels, hundreds of them in large programs: C compilers
// need not take pains with those, and references are counted by calls.
#ifdef __GNUC__
#define RD_REFERENCES static __attribute__((noinline, unused))
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define RD_HOST __attribute__((optimize("Og")))
#else
#define RD_HOST
#endif
struct rd_block;

// One kernel of the program.  rd_launch knows it by its index.
struct rd_kernel {
	const char *name;               // for profiles
	const char *in_text;            // its name in its text, where some are the same kernel
	const char *where;              // the place in the program, for profiles: "a.fut:3:5-9"
	int text;                       // the index of its text
	int can_fail;                   // 0: it never touches the failure record
	const char *args;               // what its arguments are: src/gen/kfun.c, Note [Arguments]
};

// Numbers that users and `raido autotune` can set by name.
struct rd_tuning_param {
	const char *name;               // main.suff_outer_par_0
	const char *class_;             // threshold, thread_block_size, grid_size, tile_size ...
	int64_t value;                  // by default; -1: the default of the class
};

struct rd_device_program {
	int n_texts;
	const char *const *texts;       // of kernels, compiled separately; each with rts/gpu/kernel.h
	int n_kernels;
	const struct rd_kernel *kernels;
	int n_params;
	const struct rd_tuning_param *params;
	// Puts the message of a failure together, and returns rd_fail(...) or rd_fail_said(...).  `values` are
	// those that the kernel left in the record (floats as their bits, f32 as those of the float).
	int (*report)(struct futhark_context *ctx, int site, const int64_t *values);
};
static const struct rd_device_program *rd_device_program(void);
static const char *rd_builtin_text(void); // of builtin.h, with kernel.h; made by src/gen/api.c

// The arguments of a kernel are words, each a block, which may be NULL, or a value in the low bytes of a
// number (floats as their bits, bool as int8_t).
#define RD_WORD(x) ((uint64_t)(x))
#define RD_WORD_BLOCK(b) ((uint64_t)(uintptr_t)(struct rd_block *)(b))

// The failure record, as in rts/gpu/kernel.h.
enum { RD_FAILURE_VALUES = 30 };
struct rd_failure {
	int32_t site, n;                // -1: nothing has failed
	int64_t values[RD_FAILURE_VALUES];
	int64_t shown;                  // how often a kernel has shown something to the host (stream.h)
};

// Everything below gives 0 or an error code with the text in the context, unless said otherwise.

// Memory: rd_alloc, rd_release, rd_set, rd_move as in rts/c/memory.h.  What they free is used again.
// The functions on blocks exist on the host as well, under the same names (rts/c/memory.h).

// Bytes from the block to the host.  Waits, and reports failures of kernels before.
static int rd_block_read(struct futhark_context *ctx, void *to, struct rd_block *from, int64_t byte,
                         int64_t size);
// Bytes from the host to the block; `from` may change after the return.
static int rd_block_write(struct futhark_context *ctx, struct rd_block *to, int64_t byte,
                          const void *from, int64_t size);
// Bytes from block to block; they do not overlap.
static int rd_block_copy(struct futhark_context *ctx, struct rd_block *to, int64_t to_byte,
                         struct rd_block *from, int64_t from_byte, int64_t size);
static int rd_block_zero(struct futhark_context *ctx, struct rd_block *to, int64_t byte,
                         int64_t size);

// Arrays; element size 1, 2, 4 or 8, offsets and strides in elements.  Any rank, 0 included; a size may be
// 0, a stride negative or 0 (of the source).  The two do not overlap.
static int rd_dev_copy(struct futhark_context *ctx, int elem_size, int rank, const int64_t *shape,
                       struct rd_block *to, int64_t to_offset, const int64_t *to_strides,
                       struct rd_block *from, int64_t from_offset, const int64_t *from_strides);
static int rd_dev_fill(struct futhark_context *ctx, int elem_size, int rank, const int64_t *shape,
                       struct rd_block *to, int64_t offset, const int64_t *strides,
                       const void *value);
// start, start + step, ... in an integer type of that size; both as i64.
static int rd_dev_iota(struct futhark_context *ctx, int elem_size, int64_t n, struct rd_block *to,
                       int64_t offset, int64_t stride, int64_t start, int64_t step);

// Starts a kernel of the program.  Its parameters are the failure record, on OpenCL the shared memory, then the
// arguments (RD_KERNEL in kernel.h declares the first two).  Nothing is done for 0 blocks.
static int rd_launch(struct futhark_context *ctx, int kernel, int64_t blocks, int threads,
                     int64_t local_bytes, const uint64_t *args);

// An iteration of a loop begins that starts kernels.
static void rd_iteration(struct futhark_context *ctx);

// Waits for all that was started, and reports failures.
static int rd_dev_sync(struct futhark_context *ctx);

// Decisions at run time; none of these fails.
static int rd_block_size(struct futhark_context *ctx);  // threads in a block by default
static int rd_spread_threads(struct futhark_context *ctx, int64_t n); // ... if there are n in all
static int rd_max_threads(struct futhark_context *ctx); // threads in a block at most
// The same for one kernel, which may use many registers: at most `wanted`.
static int64_t rd_more(int64_t a, int64_t b);    // the larger one
static int rd_threads_for(struct futhark_context *ctx, int64_t n); // for loops of n iterations
static int rd_wide_threads_for(struct futhark_context *ctx, int64_t n); // ... in wide blocks
// ... for so many rows, with `local` bytes of shared memory each and `each` more for a thread
static int rd_row_threads(struct futhark_context *ctx, int64_t rows, int64_t n, int64_t local, int64_t each);
// ... and how many such blocks to use where each has memory of its own
static int64_t rd_row_blocks(struct futhark_context *ctx, int64_t rows, int threads, int64_t local);
static int rd_kernel_threads(struct futhark_context *ctx, int kernel, int wanted);
// How many blocks to use for n rows, at least `least` rows each: 1 to a few per processor.
static int64_t rd_blocks_for(struct futhark_context *ctx, int64_t n, int64_t least);
static int64_t rd_blocks_within(struct futhark_context *ctx, int64_t blocks, int64_t bytes);
static bool rd_fits_local(struct futhark_context *ctx, int64_t bytes); // shared by a block
static int64_t rd_param(struct futhark_context *ctx, int param); // a tuning parameter
static bool rd_at_least(struct futhark_context *ctx, int param, int64_t par); // par >= its value
// A block of zeros, at least RD_N_LOCKS * 4 bytes, for locks (left at zero); the context's own.
enum { RD_N_LOCKS = 100151 };
static int rd_locks(struct futhark_context *ctx, struct rd_block **out);

// ---- For the run-time itself ----

// What a configuration says about the device; zero or NULL: nothing.
struct rd_device_config {
	char *device, *platform;        // parts of names, or #k
	int block_size, grid_size, tile_size, unified;
	bool no_graphs, no_concurrent_kernels, no_dependent_launches; // CUDA: graph.h, depend.h, stream.h
	int64_t threshold;
	char *program;                  // texts of kernels to use instead of the program's
	char *load_from, *dump_to;      // files with compiled kernels: a binary of OpenCL, PTX of CUDA
	char **options;                 // for the compiler of kernels
	int n_options;
	int64_t *params;                // values of tuning parameters
	void *queue;                    // a queue of OpenCL or a stream of CUDA to use, the caller's
	bool ask;                       // let the user choose a device
};

static struct rd_device_config *rd_device_config_new(void);
static void rd_device_config_free(struct rd_device_config *c);

struct rd_device;                       // run.h
static int rd_device_open(struct futhark_context *ctx);
static void rd_device_close(struct futhark_context *ctx);
static void rd_device_attach(struct futhark_context *ctx); // for the thread at hand, until ...
static void rd_device_detach(struct futhark_context *ctx);
struct rd_text;
static void rd_device_events(struct futhark_context *ctx, struct rd_text *t, const char *comma);
static void rd_device_clear_events(struct futhark_context *ctx);
// @end
#endif
