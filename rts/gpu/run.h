// The device of a context: opening it, launching kernels, failures, timing, tuning decisions.
//
// This part is common to OpenCL and CUDA.  It calls the following functions, which opencl.h or cuda.h
// implements; they return 0 or an error code, and leave the message in the context:
//
//   rd_api_open, rd_api_close          the library, the device, its queue; dev->name and its limits
//   rd_api_build                       finds the sources of the kernels; compiles them, or loads them
//                                      from the cache (OpenCL)
//   rd_api_kernel, rd_api_ready        requests a kernel, which may have to be compiled; waits for it
//   rd_api_start                       launches one
//   rd_api_read, _write, _copy, _fill  bytes; a read waits for all earlier operations
//   rd_api_wait                        waits for everything
//                                      (these two also set dev->failed_site if a kernel may have failed)
//   rd_api_begin, _end, _time          how long an operation took on the device
#ifndef RD_RUN_H
#define RD_RUN_H
#include "device.h"
#include "../c/memory.h"
#include "../c/timing.h"
#include "cache.h"

// @chunk device_types: device device_cache memory timing
// What the device is asked for: kernels of the program, then those of builtin.h, then these.
enum { RD_DEV_READ, RD_DEV_WRITE, RD_DEV_COPY, RD_DEV_FILL, RD_N_OTHER };
enum {
	RD_COPY_1, RD_COPY_2, RD_COPY_4, RD_COPY_8,
	RD_TRANSPOSE_1, RD_TRANSPOSE_2, RD_TRANSPOSE_4, RD_TRANSPOSE_8,
	RD_NARROW_1, RD_NARROW_2, RD_NARROW_4, RD_NARROW_8,
	RD_FILL_1, RD_FILL_2, RD_FILL_4, RD_FILL_8,
	RD_IOTA_1, RD_IOTA_2, RD_IOTA_4, RD_IOTA_8,
	RD_MOVE, RD_PAINT, RD_SHOW,     // of CUDA only
	RD_N_BUILTIN
};
static const char *const rd_builtin_names[RD_N_BUILTIN + RD_N_OTHER] = {
	"rd_copy_1", "rd_copy_2", "rd_copy_4", "rd_copy_8",
	"rd_transpose_1", "rd_transpose_2", "rd_transpose_4", "rd_transpose_8",
	"rd_narrow_1", "rd_narrow_2", "rd_narrow_4", "rd_narrow_8",
	"rd_fill_1", "rd_fill_2", "rd_fill_4", "rd_fill_8",
	"rd_iota_1", "rd_iota_2", "rd_iota_4", "rd_iota_8",
	"rd_move", "rd_paint", "rd_show",
	"copy_dev_to_host", "copy_host_to_dev", "copy_dev_to_dev", "fill_dev"
};

struct rd_event { void *begin, *end; };
struct rd_timing { int what; struct rd_event event; };
enum { RD_MOST_TIMINGS = 2048 };

struct rd_device_kernel {
	bool found;
	void *handle;                   // NULL: it cannot be started yet
	int text, max_threads;
	int sure_threads;               // that it can have, known before there is a handle
	bool dependent;                 // it waits for those before by itself (stream.h)
	const char *access;             // of its parameters (src/gen/kfun.c, Note [Arguments]); NULL: not known
	int64_t local, count, nanoseconds;
};

// The texts of a program stand in one text one after the other, each but the first after this line.
#define RD_NEXT_TEXT "//// next text ////\n"

// How a kernel begins, at the start of a line.
#define RD_KERNEL_MARK "RD_KERNEL void "

// A scalar in memory of the device; `block` NULL: none.
enum { RD_BOXES = 16 };
struct rd_box { struct rd_block *block; uint64_t bits; int size; };

struct rd_api;
struct rd_device {
	bool ready;
	char name[256];
	int n_processors, max_threads;
	int64_t max_local, memory;      // bytes: shared, of a block; in all
	int n_texts;                    // OpenCL (CUDA: nvrtc.h)
	char **texts;                   // the last is that of builtin.h
	void **modules;                 // of each text
	int n_kernels;                  // with what is builtin
	struct rd_device_kernel *kernels;
	void *failures;                 // the record in the device's memory
	bool may_have_failed;           // something was started that can
	bool captured;                  // a graph of the caller's may start it again at any time
	int32_t failed_site;            // what the record said when the host last waited
	struct rd_block *locks;
	struct rd_box boxes[RD_BOXES];  // of scalars of the caller's
	unsigned n_boxes;               // that there were so far
	struct rd_timing *timings;      // of what was started and not looked at yet
	int n_timings;
	struct rd_api *api;
};

static int rd_api_open(struct futhark_context *ctx);
static void rd_api_close(struct futhark_context *ctx);
static int rd_api_build(struct futhark_context *ctx);
static int rd_api_kernel(struct futhark_context *ctx, int kernel, struct rd_device_kernel *out);
static int rd_api_ready(struct futhark_context *ctx, int kernel, struct rd_device_kernel *k);
static int rd_api_start(struct futhark_context *ctx, struct rd_device_kernel *k, int64_t blocks,
                        int threads, int64_t local_bytes, const char *kinds, const uint64_t *args);
static int rd_api_read(struct futhark_context *ctx, void *to, void *from, int64_t byte,
                       int64_t size);
static int rd_api_write(struct futhark_context *ctx, void *to, int64_t byte, const void *from,
                        int64_t size);
static int rd_api_copy(struct futhark_context *ctx, void *to, int64_t to_byte, void *from,
                       int64_t from_byte, int64_t size);
// Repeats a value of 1, 2, 4 or 8 bytes.
static int rd_api_fill(struct futhark_context *ctx, void *to, int64_t byte, const void *value,
                       int value_size, int64_t count);
static bool rd_api_can_fill(const void *value, int value_size);
static int rd_api_wait(struct futhark_context *ctx);
static void rd_api_begin(struct futhark_context *ctx, struct rd_event *e);
static void rd_api_end(struct futhark_context *ctx, struct rd_event *e);
static int64_t rd_api_time(struct futhark_context *ctx, struct rd_event *e); // nanoseconds; frees it

// An error of the device or its library.
static RD_PRINTF(2, 3) RD_COLD int rd_device_error(struct futhark_context *ctx, const char *format,
                                                   ...)
{
	va_list args;
	va_start(args, format);
	ctx->message.len = 0;
	rd_text_vput(&ctx->message, format, args);
	va_end(args);
	rd_clear_error(ctx);
	ctx->error = rd_error_copy(ctx->message.len ? ctx->message.at : "Error of the device.");
	ctx->message.len = 0;
	return FUTHARK_PROGRAM_ERROR;
}

static RD_COLD int rd_no_device(struct futhark_context *ctx)
{
	return rd_device_error(ctx, "The context has no device: its initialisation failed.");
}

// Something that is done once has not been done, and cannot be done now.
static RD_UNUSED RD_COLD int rd_not_before(struct futhark_context *ctx)
{
	return rd_device_error(ctx, "While a graph is captured, nothing is compiled or made ready: the function has to "
	                       "be called with arguments of these sizes before.");
}

static RD_UNUSED char *rd_copy_string(const char *s)
{
	char *copy = s ? (char *)malloc(strlen(s) + 1) : NULL;
	if (copy)
		strcpy(copy, s);
	return copy;
}

static RD_UNUSED void rd_log(struct futhark_context *ctx, const char *format, ...) RD_PRINTF(2, 3);
static RD_UNUSED void rd_log(struct futhark_context *ctx, const char *format, ...)
{
	va_list args;
	if (!ctx->logging || !ctx->log)
		return;
	va_start(args, format);
	vfprintf(ctx->log, format, args);
	va_end(args);
}

// @chunk device_run: device_types block_bytes json cancel
// ---- Times ----

static void rd_take_timings(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	int i;
	for (i = 0; i < d->n_timings; i++) {
		struct rd_device_kernel *k = &d->kernels[d->timings[i].what];
		k->count++;
		k->nanoseconds += rd_api_time(ctx, &d->timings[i].event);
	}
	d->n_timings = 0;
}

static bool rd_is_timed(const struct futhark_context *ctx)
{
	return ctx->profiling && !ctx->profiling_paused;
}

static struct rd_event *rd_begin_timing(struct futhark_context *ctx, int what)
{
	struct rd_device *d = ctx->device;
	struct rd_timing *t;
	if (!rd_is_timed(ctx))
		return NULL;
	if (!d->timings)
		d->timings = (struct rd_timing *)malloc(RD_MOST_TIMINGS * sizeof *d->timings);
	if (!d->timings)
		return NULL;
	if (d->n_timings == RD_MOST_TIMINGS) {
		rd_api_wait(ctx);
		rd_take_timings(ctx);
	}
	t = &d->timings[d->n_timings];
	memset(t, 0, sizeof *t);
	t->what = what;
	rd_api_begin(ctx, &t->event);
	return &t->event;
}

static void rd_end_timing(struct futhark_context *ctx, struct rd_event *e)
{
	if (!e)
		return;
	rd_api_end(ctx, e);
	ctx->device->n_timings++;
}

// For the report: {"name": ...}, ... with the microseconds of all times together.
static void rd_device_events(struct futhark_context *ctx, struct rd_text *t, const char *comma)
{
	const struct rd_device_program *p = rd_device_program();
	struct rd_device *d = ctx->device;
	int i;
	if (!d || !d->ready)
		return;
	rd_api_wait(ctx);
	rd_take_timings(ctx);
	for (i = 0; i < d->n_kernels + RD_N_OTHER; i++) {
		const struct rd_device_kernel *k = &d->kernels[i];
		const char *name = i < p->n_kernels ? p->kernels[i].name : rd_builtin_names[i - p->n_kernels];
		const char *where = i < p->n_kernels ? p->kernels[i].where : "(device)";
		if (!k->count)
			continue;
		rd_text_put(t, "%s{\"name\": ", comma);
		rd_put_json_string(t, name);
		rd_text_put(t, ", \"description\": \"%s %s\", \"provenance\": ",
		            i < d->n_kernels ? "Kernel" : "Operation", name);
		rd_put_json_string(t, where && *where ? where : "(device)");
		rd_text_put(t, ", \"count\": %lld, \"duration\": %.3f}", (long long)k->count,
		            (double)k->nanoseconds / 1000);
		comma = ", ";
	}
}

static void rd_device_clear_events(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	int i;
	if (!d || !d->ready)
		return;
	rd_api_wait(ctx);
	rd_take_timings(ctx);
	for (i = 0; i < d->n_kernels + RD_N_OTHER; i++)
		d->kernels[i].count = d->kernels[i].nanoseconds = 0;
}

// ---- Failures ----

static RD_COLD int rd_take_failure(struct futhark_context *ctx)
{
	static const int32_t none = -1;
	struct rd_failure f;
	int err = rd_api_read(ctx, &f, ctx->device->failures, 0, (int64_t)sizeof f);
	if (!err)
		err = rd_api_write(ctx, ctx->device->failures, 0, &none, (int64_t)sizeof none);
	return err ? err : rd_device_program()->report(ctx, f.site, f.values);
}

// Has a kernel failed?  The host has just waited.
static int rd_check_failures(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	bool failed = (d->may_have_failed || d->captured) && d->failed_site >= 0;
	d->may_have_failed = false;
	return failed ? rd_take_failure(ctx) : 0;
}

static int rd_dev_sync(struct futhark_context *ctx)
{
	int err;
	if (!ctx->device->ready)
		return rd_no_device(ctx);
	err = rd_api_wait(ctx);
	return err ? err : rd_check_failures(ctx);
}

// ---- Bytes ----

// Bytes to be moved, or filled with a value.
struct rd_transfer {
	int what;                       // RD_DEV_READ ...
	void *to, *from;                // of the host, or data of blocks
	int64_t to_byte, from_byte, size;
	int value_size;                 // RD_DEV_FILL: `from` has a value of so many bytes, `size` is a count
};

static int rd_do_transfer(struct futhark_context *ctx, struct rd_transfer t)
{
	struct rd_event *e;
	int err = 0;
	if (!ctx->device->ready)
		return rd_no_device(ctx);
	if (t.size <= 0)
		return 0;
	e = rd_begin_timing(ctx, ctx->device->n_kernels + t.what);
	switch (t.what) {
	case RD_DEV_READ: err = rd_api_read(ctx, t.to, t.from, t.from_byte, t.size); break;
	case RD_DEV_WRITE: err = rd_api_write(ctx, t.to, t.to_byte, t.from, t.size); break;
	case RD_DEV_COPY: err = rd_api_copy(ctx, t.to, t.to_byte, t.from, t.from_byte, t.size); break;
	case RD_DEV_FILL: err = rd_api_fill(ctx, t.to, t.to_byte, t.from, t.value_size, t.size); break;
	}
	rd_end_timing(ctx, e);
	return !err && t.what == RD_DEV_READ ? rd_check_failures(ctx) : err;
}

static int rd_block_read(struct futhark_context *ctx, void *to, struct rd_block *from, int64_t byte,
                         int64_t size)
{
	struct rd_transfer t = {RD_DEV_READ, to, from ? from->data : NULL, 0, byte, size, 0};
	return rd_do_transfer(ctx, t);
}

static int rd_block_write(struct futhark_context *ctx, struct rd_block *to, int64_t byte,
                          const void *from, int64_t size)
{
	struct rd_transfer t = {RD_DEV_WRITE, to ? to->data : NULL, (void *)from, byte, 0, size, 0};
	return rd_do_transfer(ctx, t);
}

static int rd_block_copy(struct futhark_context *ctx, struct rd_block *to, int64_t to_byte,
                         struct rd_block *from, int64_t from_byte, int64_t size)
{
	struct rd_transfer t = {RD_DEV_COPY, to ? to->data : NULL, from ? from->data : NULL, to_byte,
	                        from_byte, size, 0};
	return rd_do_transfer(ctx, t);
}

static int rd_block_repeat(struct futhark_context *ctx, struct rd_block *to, int64_t byte,
                           const void *value, int value_size, int64_t count)
{
	struct rd_transfer t = {RD_DEV_FILL, to ? to->data : NULL, (void *)value, byte, 0, count,
	                        value_size};
	return rd_do_transfer(ctx, t);
}

static int rd_block_zero(struct futhark_context *ctx, struct rd_block *to, int64_t byte,
                         int64_t size)
{
	static const char zero = 0;
	return rd_block_repeat(ctx, to, byte, &zero, 1, size);
}

// ---- Kernels ----

// The name of a kernel.
static const char *rd_name_of_kernel(int kernel)
{
	const struct rd_device_program *p = rd_device_program();
	return kernel < p->n_kernels ? p->kernels[kernel].name : rd_builtin_names[kernel - p->n_kernels];
}

static const char *rd_name_in_text(int kernel)
{
	const struct rd_device_program *p = rd_device_program();
	return kernel < p->n_kernels ? p->kernels[kernel].in_text : rd_builtin_names[kernel - p->n_kernels];
}

// The low bytes of a word.
RD_UNUSED
static void *rd_bytes_of_word(uint64_t *word, size_t size)
{
	const uint16_t one = 1;
	return (char *)word + (*(const char *)&one ? 0 : sizeof *word - size);
}

// What the arguments of a kernel are, and what it does with them: src/gen/kfun.c, Note [Arguments].
static RD_UNUSED const char *rd_args_of(int kernel)
{
	static const char *const fills[] = {"-w8188888888", "-w8288888888", "-w8488888888", "-w8888888888"};
	const struct rd_device_program *p = rd_device_program();
	kernel -= p->n_kernels;
	return kernel < 0            ? p->kernels[kernel + p->n_kernels].args
	     : kernel < RD_FILL_1    ? "-w8r8888888888888" // RD_COPY_1, ...
	     : kernel < RD_IOTA_1    ? fills[kernel - RD_FILL_1]
	     : kernel < RD_MOVE      ? "-w88888"
	     : kernel == RD_MOVE     ? "-WR8"
	     : kernel == RD_PAINT    ? "-W48"
	                             : "-888"; // RD_SHOW
}

// A block, or an address.
static RD_UNUSED bool rd_is_memory(char arg)
{
	return arg == 'r' || arg == 'w' || arg == 'R' || arg == 'W';
}

static RD_UNUSED bool rd_is_block(char arg)
{
	return arg == 'r' || arg == 'w';
}

static int rd_find_kernel(struct futhark_context *ctx, int kernel, struct rd_device_kernel **out)
{
	struct rd_device_kernel *k = *out = &ctx->device->kernels[kernel];
	int err = k->found ? 0 : rd_api_kernel(ctx, kernel, k);
	k->found = !err;
	return err;
}

static int rd_launch_any(struct futhark_context *ctx, int kernel, int64_t blocks, int threads,
                         int64_t local_bytes, const uint64_t *args)
{
	struct rd_device_kernel *k;
	struct rd_event *e;
	int err;
	if (blocks <= 0)
		return 0;
	if (!ctx->device->ready)
		return rd_no_device(ctx);
	if (RD_CANCELLED(ctx))
		return rd_cancelled(ctx);
	err = rd_find_kernel(ctx, kernel, &k);
	if (!err && (ctx->debugging || rd_is_timed(ctx)))
		err = rd_api_ready(ctx, kernel, k);
	if (err)
		return err;
	if (ctx->debugging)
		rd_log(ctx, "Kernel %s: %lld blocks of %d threads, %lld bytes of shared memory.\n",
		       rd_name_of_kernel(kernel), (long long)blocks, threads, (long long)local_bytes);
	e = rd_begin_timing(ctx, kernel);
	err = rd_api_start(ctx, k, blocks, threads, local_bytes, rd_args_of(kernel), args);
	rd_end_timing(ctx, e);
	if (!err && ctx->debugging)
		err = rd_api_wait(ctx);
	return err;
}

RD_UNUSED
static int rd_launch(struct futhark_context *ctx, int kernel, int64_t blocks, int threads,
                     int64_t local_bytes, const uint64_t *args)
{
	const struct rd_kernel *k = &rd_device_program()->kernels[kernel];
	ctx->device->may_have_failed |= k->can_fail;
	return rd_launch_any(ctx, kernel, blocks, threads, local_bytes, args);
}

// ---- Decisions ----

static int rd_least(int a, int b)
{
	return a < b ? a : b;
}

static int rd_block_size(struct futhark_context *ctx)
{
	int wanted = ctx->cfg->device->block_size;
	return rd_least(wanted > 0 ? wanted : 256, ctx->device->max_threads);
}

RD_UNUSED
static int rd_processors(struct futhark_context *ctx)
{
	return ctx->device->n_processors;
}

RD_UNUSED
static int rd_max_threads(struct futhark_context *ctx)
{
	return ctx->device->max_threads;
}

RD_UNUSED
static int64_t rd_more(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int rd_threads_of(int64_t n, int all)
{
	return n >= all ? all : rd_least(all, (int)(rd_more(n, 1) + 31) / 32 * 32);
}

// The threads of a block if there are n in all: where there are few, smaller blocks let more processors
// take part, each of which does only so many loads at a time.
RD_UNUSED
static int rd_spread_threads(struct futhark_context *ctx, int64_t n)
{
	int threads = rd_block_size(ctx);
	while (threads > 32 && threads % 64 == 0 && n <= (int64_t)(threads / 2) * ctx->device->n_processors)
		threads /= 2;
	return threads;
}

// The threads of blocks whose loops have at most n iterations.
RD_UNUSED
static int rd_threads_for(struct futhark_context *ctx, int64_t n)
{
	return rd_threads_of(n, rd_block_size(ctx));
}

// Likewise, of wide blocks on CUDA (src/gen/kgen.h, Chain).
RD_UNUSED
static int rd_wide_threads_for(struct futhark_context *ctx, int64_t n)
{
#ifdef RD_CUDA
	if (ctx->device->max_local >= 64 << 10)
		return rd_threads_of(n, rd_least(2 * rd_block_size(ctx), ctx->device->max_threads));
#endif
	return rd_threads_for(ctx, n);
}

// The threads of blocks that do a row each, in loops of at most n iterations, and keep so many bytes in
// shared memory: together the blocks that a processor has room for should have 1024 or so, which is enough
// to wait for memory, and more than one iteration each.
RD_UNUSED
static int rd_row_threads(struct futhark_context *ctx, int64_t rows, int64_t n, int64_t local, int64_t each)
{
	int64_t at_once = (rows + ctx->device->n_processors - 1) / ctx->device->n_processors;
	int64_t room = ctx->device->max_local / (local > 0 ? local : 1), threads;
	at_once = at_once < room ? at_once : room;
	for (threads = 32; threads * at_once < 1024 && threads < 1024; threads *= 2)
		;
	while (threads > 32 && (threads >= n || threads > ctx->device->max_threads ||
	                        16 + each * threads + 16 + local > ctx->device->max_local))
		threads /= 2;
	return (int)threads;
}

#ifdef RD_CUDA
#define RD_WHOLE_WARPS(threads) (((threads) + 31) / 32 * 32)
#define RD_CHOOSE(cuda, other) (cuda)
#else
#define RD_WHOLE_WARPS(threads) (threads)
#define RD_CHOOSE(cuda, other) (other)
#endif

RD_UNUSED
static int rd_kernel_threads(struct futhark_context *ctx, int kernel, int wanted)
{
	struct rd_device_kernel *k;
	int most = ctx->device->max_threads;
	if (!ctx->device->ready || rd_find_kernel(ctx, kernel, &k) != 0)
		return rd_least(wanted, most);
	if (wanted > k->sure_threads && rd_api_ready(ctx, kernel, k) == 0)
		most = rd_least(most, k->max_threads);
	return rd_least(wanted, most);
}

static int64_t rd_grid_size(struct futhark_context *ctx)
{
	int wanted = ctx->cfg->device->grid_size;
	return wanted > 0 ? wanted : 8 * (int64_t)ctx->device->n_processors;
}

RD_UNUSED
static int64_t rd_blocks_for(struct futhark_context *ctx, int64_t n, int64_t least)
{
	int64_t most = rd_grid_size(ctx), want = n / (least > 0 ? least : 1);
	return want < 1 ? 1 : want < most ? want : most;
}

// The rows that a block of the device has if warps do one each, with so many bytes of shared memory (kernel.h, Note
// [Warps]): several only if there are more than processors take at a time.
RD_UNUSED
static int rd_row_warps(struct futhark_context *ctx, int64_t rows, int64_t bytes)
{
#ifdef RD_CUDA
	if (rows > 32 * (int64_t)ctx->device->n_processors && bytes <= 8 << 10)
		return 4; // RD_WARPS
#endif
	(void)ctx, (void)rows, (void)bytes;
	return 1;
}

// As many blocks of so many threads and bytes of shared memory as the processors have room for.
RD_UNUSED
static int64_t rd_row_blocks(struct futhark_context *ctx, int64_t rows, int threads, int64_t local)
{
	int64_t each = rd_more(1, rd_least(32, 2048 / threads)), room = ctx->device->max_local / rd_more(1, local);
	int64_t most = ctx->device->n_processors * rd_more(1, each < room ? each : room);
	return rows < most ? rows : most;
}

// No more of them than fit a quarter of the memory with what each one allocates.
RD_UNUSED
static int64_t rd_blocks_within(struct futhark_context *ctx, int64_t blocks, int64_t bytes)
{
	int64_t most = bytes > 0 ? ctx->device->memory / 4 / bytes : blocks;
	return blocks < most ? blocks : most > 0 ? most : 1;
}

// The blocks for n iterations; with several (each) to a thread, if there are enough of them.
RD_UNUSED
static int64_t rd_blocks_each(struct futhark_context *ctx, int64_t n, int threads, int each)
{
	int64_t blocks = (n + threads - 1) / threads, enough = 32 * (int64_t)ctx->device->n_processors;
	return blocks < each * enough ? blocks : (blocks + each - 1) / each;
}

RD_UNUSED
static bool rd_fits_local(struct futhark_context *ctx, int64_t bytes)
{
	return bytes <= ctx->device->max_local;
}

static int64_t rd_param(struct futhark_context *ctx, int param)
{
	const struct rd_device_config *c = ctx->cfg->device;
	const struct rd_tuning_param *p = &rd_device_program()->params[param];
	if (c->params && c->params[param] >= 0)
		return c->params[param];
	if (strcmp(p->class_, "threshold") == 0 && c->threshold > 0)
		return c->threshold;
	if (p->value >= 0)
		return p->value;
	if (strcmp(p->class_, "thread_block_size") == 0)
		return rd_block_size(ctx);
	if (strcmp(p->class_, "grid_size") == 0)
		return rd_grid_size(ctx);
	if (strcmp(p->class_, "tile_size") == 0)
		return c->tile_size > 0 ? c->tile_size : 16;
	if (strcmp(p->class_, "heap_size") == 0)
		return rd_more(256 << 20, ctx->device->memory / 16);
	return 32 * 1024;
}

// What a tuning parameter is set to, or -1.
RD_UNUSED
static int64_t rd_device_setting(struct futhark_context *ctx, int param)
{
	return ctx->cfg->device->params ? ctx->cfg->device->params[param] : -1;
}

RD_UNUSED
static bool rd_at_least(struct futhark_context *ctx, int param, int64_t par)
{
	bool enough = par >= rd_param(ctx, param);
	// `raido autotune` reads these lines.
	rd_log(ctx, "Compared %s <= %lld: %s.\n", rd_device_program()->params[param].name,
	       (long long)par, enough ? "true" : "false");
	return enough;
}

RD_UNUSED
static int rd_locks(struct futhark_context *ctx, struct rd_block **out)
{
	struct rd_device *d = ctx->device;
	int err = 0;
	if (!d->locks && ctx->capturing)
		return rd_not_before(ctx);
	if (!d->locks) {
		err = rd_alloc(ctx, &d->locks, RD_N_LOCKS, 4);
		if (!err)
			err = rd_block_zero(ctx, d->locks, 0, 4 * (int64_t)RD_N_LOCKS);
	}
	*out = d->locks;
	return err;
}

// The blocks that share each of `rows` scans of n elements, `tile` of them each: one if there are
// enough rows.
RD_UNUSED
static int64_t rd_chain_tiles(struct futhark_context *ctx, int64_t rows, int64_t n, int64_t tile)
{
	return n <= tile || rows >= 4 * (int64_t)ctx->device->n_processors ? 1 : (n + tile - 1) / tile;
}

// What so many blocks tell each other (src/gen/kchain.c, Note [Chains]).
RD_UNUSED
static int rd_chain(struct futhark_context *ctx, struct rd_block **out, int64_t blocks, int n_scans,
                    int n_values)
{
	int err = rd_alloc(ctx, out, 1 + blocks * (n_scans + n_values), 16);
	return err || !blocks ? err : rd_block_zero(ctx, *out, 0, 16 + 16 * blocks * n_scans);
}

// ---- Opening and closing ----

static RD_UNUSED char *rd_joined_texts(int n, const char *const *texts)
{
	struct rd_text t = {NULL, 0, 0};
	int i;
	for (i = 0; i < n; i++) {
		size_t len = strlen(texts[i]);
		if (i)
			rd_text_put(&t, RD_NEXT_TEXT);
		if (rd_text_room(&t, len)) {
			memcpy(t.at + t.len, texts[i], len + 1);
			t.len += len;
		}
	}
	return t.at ? t.at : rd_copy_string("");
}

static int rd_device_open(struct futhark_context *ctx)
{
	static const struct rd_failure none = {-1, 0, {0}, 0};
	struct rd_device *d = (struct rd_device *)calloc(1, sizeof *d);
	int64_t start = rd_wall_time();
	int err;
	if (!d)
		return rd_out_of_memory(ctx, 1, (int64_t)sizeof *d);
	ctx->device = d;
	d->n_kernels = rd_device_program()->n_kernels + RD_N_BUILTIN;
	d->kernels = (struct rd_device_kernel *)calloc((size_t)d->n_kernels + RD_N_OTHER,
	                                               sizeof *d->kernels);
	if (!d->kernels)
		return rd_out_of_memory(ctx, d->n_kernels, (int64_t)sizeof *d->kernels);
	err = rd_api_open(ctx);
	if (!err) {
		rd_log(ctx, "Device: %s\n", d->name);
		err = rd_api_build(ctx);
	}
	if (!err && !(d->failures = rd_memory_new(ctx, (int64_t)sizeof(struct rd_failure))))
		err = rd_out_of_memory(ctx, 1, (int64_t)sizeof(struct rd_failure));
	if (!err)
		err = rd_api_write(ctx, d->failures, 0, &none, (int64_t)sizeof none);
	d->ready = !err;
	rd_device_detach(ctx);
	rd_log(ctx, "Device initialised in %lld microseconds.\n", (long long)(rd_wall_time() - start));
	return err;
}

// ---- Boxes ----

// Callers often give the same numbers again: those of the last calls are kept on the device.
RD_UNUSED
static int rd_box(struct futhark_context *ctx, struct rd_block **out, const void *value, int size)
{
	static const int64_t one = 1;
	struct rd_device *d = ctx->device;
	struct rd_box *b;
	uint64_t bits = 0;
	int i, err;
	memcpy(&bits, value, (size_t)size);
	for (i = 0; i < RD_BOXES && !ctx->capturing; i++)
		if (d->boxes[i].block && d->boxes[i].bits == bits && d->boxes[i].size == size) {
			d->boxes[i].block->refs++;
			*out = d->boxes[i].block;
			return 0;
		}
	err = rd_alloc(ctx, out, 1, size);
	if (!err)
		err = rd_dev_fill(ctx, size, 1, &one, *out, 0, &one, value);
	if (err || ctx->capturing) // what is captured belongs to the graph
		return err;
	b = &d->boxes[d->n_boxes++ % RD_BOXES];
	rd_release(ctx, &b->block);
	b->block = *out;
	b->block->refs++;
	b->bits = bits;
	b->size = size;
	return 0;
}

static void rd_drop_boxes(struct futhark_context *ctx)
{
	int i;
	for (i = 0; i < RD_BOXES; i++)
		rd_release(ctx, &ctx->device->boxes[i].block);
}

static void rd_device_close(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	int i;
	if (!d)
		return;
	rd_device_attach(ctx);
	if (d->ready) {
		rd_api_wait(ctx);
		rd_take_timings(ctx);
	}
	if (d->locks)
		rd_release(ctx, &d->locks);
	rd_drop_boxes(ctx);
	rd_free_cached(ctx);
	if (d->failures)
		rd_memory_free(ctx, d->failures);
	rd_api_close(ctx);
	for (i = 0; i < d->n_texts; i++)
		free(d->texts[i]);
	free(d->texts);
	free(d->modules);
	free(d->kernels);
	free(d->timings);
	free(d);
	ctx->device = NULL;
}
// @end
#endif
