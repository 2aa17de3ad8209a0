// The operations of a CUDA device (kernels, copies, fills, reads and writes), submitted to one
// stream.
//
// Kernels, copies and fills are first encoded as words, so that they can be compared with earlier
// operations (graph.h); rd_issue submits them.
//
// Note [Dependent launches].  Between two kernels of a stream the device is idle for about a
// microsecond, until the second one has been set up.  Devices of compute capability 9.0 can
// overlap this with the first kernel: each kernel starts with an instruction that waits until the one before it
// has finished and its writes are visible, and then permits the next one to be set up (RD_AFTER_OTHERS in kernel.h).
// Kernels further back have finished too: the one before ended only after it had waited itself.
//
// Note [Late operations].  A kernel has to be compiled when it is first needed (nvrtc.h).
// Meanwhile the host continues: operations from that one on are queued in order, until something
// needs results of the device or frees memory that it may use.  Only then does the host wait for
// the kernels.  So all kernels that a call of an entry point needs, and no others, are compiled
// concurrently.
#ifndef RD_STREAM_H
#define RD_STREAM_H
#include "nvrtc.h"

// @chunk cuda_stream: cuda_nvrtc device_run
// The words of an operation: what it is and how many words it has (rd_head), then
//
//   RD_OP_KERNEL     the kernel, blocks and threads, shared memory and the number of arguments, a word for each
//                    argument; then the bytes of each one that is memory, if that is known (depend.h)
//   RD_OP_COPY       to, from, bytes
//   RD_OP_FILL       to, the value and its size, how many
//   RD_OP_WRITE      to, bytes, 0, the bytes (late operations only)
enum { RD_OP_KERNEL, RD_OP_COPY, RD_OP_FILL, RD_OP_WRITE };
enum { RD_MOST_ARGS = 1024, RD_OP_WORDS = 4 };
enum { RD_MOST_LATE = 1 << 17, RD_MOST_LATE_BYTES = 1 << 12 }; // words in all; bytes that are written
enum { RD_CU_DEPENDENT_LAUNCH = 6 };            // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION

static uint64_t rd_head(int what, int n_words)
{
	return (uint64_t)what | (uint64_t)n_words << 8;
}

static int rd_op_words(const uint64_t *op)
{
	return (int)(op[0] >> 8);
}

static uint64_t rd_two(uint32_t low, uint32_t high)
{
	return low | (uint64_t)high << 32;
}

static bool rd_is_kernel(const uint64_t *op)
{
	return (op[0] & 255) == RD_OP_KERNEL;
}

static struct rd_device_kernel *rd_op_kernel(const uint64_t *op)
{
	return (struct rd_device_kernel *)(uintptr_t)op[1];
}

// The arguments of a kernel, of which the failure record is the first.
static int rd_op_args(const uint64_t *op)
{
	return (int)(op[3] >> 32);
}

// Devices have to be told before that a kernel takes more shared memory than usual.
static int rd_allow_local(struct rd_api *cu, struct rd_device_kernel *k, unsigned local_bytes)
{
	int err = local_bytes > k->local ? cu->cuFuncSetAttribute(k->handle, RD_CU_FUNC_MAX_DYNAMIC_SHARED, (int)local_bytes)
	                                 : 0;
	if (!err && local_bytes > k->local)
		k->local = local_bytes;
	return err;
}

// follows: exactly one kernel comes before it, for which it can wait by itself.
static int rd_issue_kernel(struct rd_api *cu, const uint64_t *op, void *stream, bool follows)
{
	struct rd_device_kernel *k = rd_op_kernel(op);
	unsigned blocks = (unsigned)op[2], threads = (unsigned)(op[2] >> 32), local_bytes = (unsigned)op[3];
	int n_args = rd_op_args(op), i, err = rd_allow_local(cu, k, local_bytes);
	void *params[RD_MOST_ARGS + 1];
	if (err)
		return err;
	for (i = 0; i < n_args; i++)
		params[i] = (void *)&op[RD_OP_WORDS + i];
	if (k->dependent && follows) {
		struct rd_cu_attribute attribute = {RD_CU_DEPENDENT_LAUNCH, 0, {1}};
		struct rd_cu_launch l = {{blocks, 1, 1}, {threads, 1, 1}, local_bytes, stream, &attribute, 1};
		return cu->cuLaunchKernelEx(&l, k->handle, params, NULL);
	}
	return cu->cuLaunchKernel(k->handle, blocks, 1, 1, threads, 1, 1, local_bytes, stream, params, NULL);
}

// Puts an operation into a stream, with a kernel that can be started; gives an error of CUDA's.
static int rd_issue(struct rd_api *cu, const uint64_t *op, void *stream)
{
	unsigned low = (unsigned)op[2], high = (unsigned)(op[2] >> 32);
	switch ((int)(op[0] & 255)) {
	case RD_OP_COPY:
		return cu->cuMemcpyDtoDAsync(op[1], op[2], (size_t)op[3], stream);
	case RD_OP_WRITE: // memory that is not pinned, which the driver copies before it returns
		return cu->cuMemcpyHtoDAsync(op[1], op + RD_OP_WORDS, (size_t)op[2], stream);
	case RD_OP_FILL:
		return high == 4 ? cu->cuMemsetD32Async(op[1], low, (size_t)op[3], stream)
		     : high == 2 ? cu->cuMemsetD16Async(op[1], (unsigned short)low, (size_t)op[3], stream)
		                 : cu->cuMemsetD8Async(op[1], (unsigned char)low, (size_t)op[3], stream);
	default:
		return rd_issue_kernel(cu, op, stream, true);
	}
}

// Gives a kernel of a graph the arguments of an operation, which is that kernel.
static int rd_set_kernel(struct rd_api *cu, void *graph, void *node, const uint64_t *op)
{
	int n_args = rd_op_args(op), i, err = rd_allow_local(cu, rd_op_kernel(op), (unsigned)op[3]);
	void *params[RD_MOST_ARGS + 1];
	struct rd_cu_node n = {rd_op_kernel(op)->handle, {(unsigned)op[2], 1, 1}, {(unsigned)(op[2] >> 32), 1, 1},
	                       (unsigned)op[3], params, NULL, NULL, NULL};
	if (err)
		return err;
	for (i = 0; i < n_args; i++)
		params[i] = (void *)&op[RD_OP_WORDS + i];
	return cu->cuGraphExecKernelNodeSetParams(graph, node, &n);
}

static const char *rd_op_name(const uint64_t *op)
{
	int what = (int)(op[0] & 255);
	return what == RD_OP_COPY ? "cuMemcpyDtoDAsync" : what == RD_OP_FILL ? "cuMemsetD32Async"
	     : what == RD_OP_WRITE ? "cuMemcpyHtoDAsync" : "cuLaunchKernel";
}

// graph.h
static int rd_perform(struct futhark_context *ctx, const uint64_t *op);
static void rd_perform_quietly(struct futhark_context *ctx, const uint64_t *op);
static int rd_flush(struct futhark_context *ctx);
static void rd_flush_quietly(struct futhark_context *ctx);
static void rd_end_runs(struct futhark_context *ctx);
static void rd_catch_up(struct futhark_context *ctx);
static bool rd_drop_graphs(struct futhark_context *ctx);

// caller.h
static int rd_cannot_wait(struct futhark_context *ctx);
static int rd_write_captured(struct futhark_context *ctx, CUdeviceptr to, const void *from, int64_t size);

// The bytes of each argument that is memory; gives how many words there are, none if something is not known.
static int rd_note_bytes(const struct rd_device_kernel *k, int n_args, const uint64_t *args, uint64_t *words)
{
	int i, n = 0;
	if (!k->access || strlen(k->access) != (size_t)n_args + 1)
		return 0;
	for (i = 0; i <= n_args; i++) {
		if (!rd_is_memory(k->access[i]))
			continue;
		if (!i) {
			words[n++] = sizeof(struct rd_failure);
		} else if (rd_is_block(k->access[i])) {
			const struct rd_block *b = (const struct rd_block *)(uintptr_t)args[i - 1];
			words[n++] = b ? (uint64_t)b->size : 0;
		} else {                // the last argument is how many bytes there are
			words[n++] = args[n_args - 1];
		}
	}
	return n;
}

// The words of a kernel with its arguments.
static void rd_kernel_op(struct futhark_context *ctx, struct rd_device_kernel *k, int64_t blocks, int threads,
                         int64_t local_bytes, const char *kinds, const uint64_t *args, uint64_t *op)
{
	int i, n_args = (int)strlen(kinds) - 1;
	op[1] = (uint64_t)(uintptr_t)k;
	op[2] = rd_two((uint32_t)blocks, (uint32_t)threads);
	op[3] = rd_two((uint32_t)local_bytes, (uint32_t)n_args + 1);
	op[RD_OP_WORDS] = rd_cu_address(ctx->device->failures, 0);
	for (i = 0; i < n_args; i++) {
		bool is_block = rd_is_block(kinds[i + 1]);
		struct rd_block *block = is_block ? (struct rd_block *)(uintptr_t)args[i] : NULL;
		op[RD_OP_WORDS + 1 + i] = !is_block ? args[i] : block ? rd_cu_address(block->data, 0) : 0;
	}
	n_args += rd_note_bytes(k, n_args, args, op + RD_OP_WORDS + 1 + n_args);
	op[0] = rd_head(RD_OP_KERNEL, RD_OP_WORDS + 1 + n_args);
}

static int rd_api_start(struct futhark_context *ctx, struct rd_device_kernel *k, int64_t blocks,
                        int threads, int64_t local_bytes, const char *kinds, const uint64_t *args)
{
	uint64_t op[RD_OP_WORDS + 2 * (1 + RD_MOST_ARGS)];
	int n_args = (int)strlen(kinds) - 1;
	if (n_args > RD_MOST_ARGS || blocks > INT64_C(0x7fffffff))
		return rd_device_error(ctx, "A kernel has too many blocks or arguments: %lld, %d.",
		                       (long long)blocks, n_args);
	rd_kernel_op(ctx, k, blocks, threads, local_bytes, kinds, args, op);
	return rd_perform(ctx, op);
}

static int rd_builtin_kernel(struct futhark_context *ctx, int kernel, struct rd_device_kernel **k)
{
	return rd_find_kernel(ctx, rd_device_program()->n_kernels + kernel, k);
}

// ---- Values for the host ----

// Note [Showing].  To copy a few bytes to the host and the word that says what has failed, and to wait for that,
// takes longer than to look at memory of the host that a kernel writes both to (rd_show in builtin.h).  It also writes
// how often it has done so, which the host knows.  As any other kernel it can be part of a graph: functions of
// the interface that start kernels end with it, so that nothing is left to do for the one that waits.

static void rd_show_open(struct futhark_context *ctx)
{
	enum { MAPPED = 2 };
	struct rd_api *cu = ctx->device->api;
	void *memory = NULL;
	if (!cu->cuMemHostGetDevicePointer || cu->cuMemHostAlloc(&memory, 64, MAPPED) != 0)
		return;
	if (cu->cuMemHostGetDevicePointer(&cu->shows, memory, 0) != 0) {
		cu->cuMemFreeHost(memory);
		return;
	}
	memset(memory, 0, 64);
	cu->shown = (int64_t *)memory;
}

// Has the device show `size` bytes, when it has done all before.
static void rd_show(struct futhark_context *ctx, CUdeviceptr from, int64_t size)
{
	struct rd_api *cu = ctx->device->api;
	struct rd_device_kernel *k;
	uint64_t args[] = {RD_WORD(cu->shows), RD_WORD(from), RD_WORD(size)};
	uint64_t op[RD_OP_WORDS + 4];
	if (rd_builtin_kernel(ctx, RD_SHOW, &k) != 0)
		return;
	rd_kernel_op(ctx, k, 1, 1, 0, rd_args_of(rd_device_program()->n_kernels + RD_SHOW), args, op);
	rd_perform_quietly(ctx, op);
	cu->n_shown++;
	cu->asked = 0;
}

// Waits until the device has shown what it was asked for last.
static int rd_await_shown(struct futhark_context *ctx)
{
	enum { LOOKS = 1 << 19 };
	struct rd_device *d = ctx->device;
	struct rd_api *cu = d->api;
	int i, status, err = rd_flush(ctx);
	for (i = 0; !err && i < LOOKS && *(volatile int64_t *)cu->shown != cu->n_shown; i++)
		;
	if (err || i == LOOKS) { // it takes long, or something is wrong
		status = cu->cuStreamSynchronize(cu->stream);
		if (!err && status)
			err = rd_cu_failed(ctx, "cuStreamSynchronize", status);
		cu->n_shown = *(volatile int64_t *)cu->shown;
	}
#if defined(__GNUC__)
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
	if (!err)
		d->failed_site = (int32_t)cu->shown[2];
	return err;
}

// Waits; looks at the failure record in the same go.
static int rd_api_wait(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	struct rd_api *cu = d->api;
	int err;
	if (RD_UNLIKELY(ctx->capturing))
		return rd_cannot_wait(ctx);
	if (cu->shown && d->ready) {
		if (cu->asked || d->captured)
			rd_show(ctx, 0, 0);
		return rd_await_shown(ctx);
	}
	err = rd_flush(ctx);
	if (err)
		return err;
	if (d->may_have_failed || d->captured)
		err = cu->cuMemcpyDtoHAsync(cu->staging + RD_STAGING, rd_cu_address(d->failures, 0),
		                            sizeof d->failed_site, cu->stream);
	if (!err)
		err = cu->cuStreamSynchronize(cu->stream);
	if (!err && (d->may_have_failed || d->captured))
		memcpy(&d->failed_site, cu->staging + RD_STAGING, sizeof d->failed_site);
	return rd_cu_check(ctx, "cuStreamSynchronize", err);
}

static int rd_api_read(struct futhark_context *ctx, void *to, void *from, int64_t byte, int64_t size)
{
	struct rd_api *cu = ctx->device->api;
	bool staged = size <= RD_STAGING;
	int err;
	if (RD_UNLIKELY(ctx->capturing))
		return rd_cannot_wait(ctx);
	if (cu->shown && ctx->device->ready && (size == 8 || size == 4 || size == 2 || size == 1)) {
		rd_show(ctx, rd_cu_address(from, byte), size);
		err = rd_await_shown(ctx);
		memcpy(to, &cu->shown[1], (size_t)size);
		return err;
	}
	err = rd_flush(ctx);
	if (err)
		return err;
	cu->asked |= RD_ASKED_BYTES;
	err = cu->cuMemcpyDtoHAsync(staged ? cu->staging : to, rd_cu_address(from, byte), (size_t)size,
	                            cu->stream);
	if (err)
		return rd_cu_failed(ctx, "cuMemcpyDtoHAsync", err);
	err = rd_api_wait(ctx);
	if (!err && staged)
		memcpy(to, cu->staging, (size_t)size);
	return err;
}

// Keeps an operation for later; false: there is no room.
static bool rd_keep_late(struct rd_api *cu, const uint64_t *op)
{
	int n = rd_op_words(op);
	if (cu->n_late + n > RD_MOST_LATE)
		return false;
	if (cu->n_late + n > cu->late_room) {
		int room = 2 * (cu->n_late + n);
		uint64_t *more = (uint64_t *)realloc(cu->late, (size_t)room * sizeof *more);
		if (!more)
			return false;
		cu->late = more;
		cu->late_room = room;
	}
	memcpy(cu->late + cu->n_late, op, (size_t)n * sizeof *op);
	cu->n_late += n;
	return true;
}

static bool rd_write_late(struct rd_api *cu, CUdeviceptr to, const void *from, int64_t size)
{
	uint64_t op[RD_OP_WORDS + RD_MOST_LATE_BYTES / 8 + 1];
	if (size > RD_MOST_LATE_BYTES)
		return false;
	op[0] = rd_head(RD_OP_WRITE, RD_OP_WORDS + (int)(size + 7) / 8);
	op[1] = to;
	op[2] = (uint64_t)size;
	op[3] = 0;
	memcpy(op + RD_OP_WORDS, from, (size_t)size);
	return rd_keep_late(cu, op);
}

// From memory that is not pinned, which the driver copies before it returns.
static int rd_api_write(struct futhark_context *ctx, void *to, int64_t byte, const void *from,
                        int64_t size)
{
	struct rd_api *cu = ctx->device->api;
	int err;
	if (RD_UNLIKELY(ctx->capturing))
		return rd_write_captured(ctx, rd_cu_address(to, byte), from, size);
	rd_end_runs(ctx);
	cu->asked |= RD_ASKED_BYTES;
	if (cu->n_late && rd_write_late(cu, rd_cu_address(to, byte), from, size))
		return 0;
	err = rd_flush(ctx);
	return err ? err : rd_cu_check(ctx, "cuMemcpyHtoDAsync", cu->cuMemcpyHtoDAsync(
		rd_cu_address(to, byte), from, (size_t)size, cu->stream));
}

// Copies and fills are kernels unless they are large: graphs that change can have these, and dependent launches.
enum { RD_LARGE_COPY = 1 << 24, RD_LARGE_FILL = 1 << 22 };

// Starts a builtin kernel whose threads do up to 16 bytes each.
static int rd_start_bytes(struct futhark_context *ctx, int kernel, int64_t size, const uint64_t *args)
{
	enum { THREADS = 256, AT_ONCE = 16 * THREADS };
	struct rd_device_kernel *k;
	int err = rd_builtin_kernel(ctx, kernel, &k);
	return err ? err : rd_api_start(ctx, k, (size + AT_ONCE - 1) / AT_ONCE, THREADS, 0,
	                               rd_args_of(rd_device_program()->n_kernels + kernel), args);
}

static int rd_api_copy(struct futhark_context *ctx, void *to, int64_t to_byte, void *from,
                       int64_t from_byte, int64_t size)
{
	CUdeviceptr a = rd_cu_address(to, to_byte), b = rd_cu_address(from, from_byte);
	uint64_t args[] = {RD_WORD(a), RD_WORD(b), RD_WORD(size)};
	uint64_t op[RD_OP_WORDS];
	if (size < RD_LARGE_COPY && ctx->device->ready)
		return rd_start_bytes(ctx, RD_MOVE, size, args);
	op[0] = rd_head(RD_OP_COPY, RD_OP_WORDS);
	op[1] = a;
	op[2] = b;
	op[3] = (uint64_t)size;
	return rd_perform(ctx, op);
}

// Can rd_api_fill do this?  There is no cuMemsetD64.
static bool rd_api_can_fill(const void *value, int value_size)
{
	return value_size < 8 || memcmp(value, (const char *)value + 4, 4) == 0;
}

static int rd_api_fill(struct futhark_context *ctx, void *to, int64_t byte, const void *value,
                       int value_size, int64_t count)
{
	CUdeviceptr at = rd_cu_address(to, byte);
	int64_t size = value_size * count;
	uint64_t op[RD_OP_WORDS];
	uint32_t word = 0;
	int i, unit;
	for (i = 0; i < 4; i += value_size)
		memcpy((char *)&word + i, value, value_size < 4 ? (size_t)value_size : 4);
	if (size < RD_LARGE_FILL && ctx->device->ready) {
		uint64_t args[] = {RD_WORD(at), RD_WORD(word), RD_WORD(size)};
		return rd_start_bytes(ctx, RD_PAINT, size, args);
	}
	unit = at % 4 == 0 && size % 4 == 0 ? 4 : value_size == 2 ? 2 : 1;
	op[0] = rd_head(RD_OP_FILL, RD_OP_WORDS);
	op[1] = at;
	op[2] = rd_two(word, (uint32_t)unit);
	op[3] = (uint64_t)(size / unit);
	return rd_perform(ctx, op);
}

static void *rd_memory_new(struct futhark_context *ctx, int64_t size)
{
	struct rd_api *cu = ctx->device ? ctx->device->api : NULL;
	CUdeviceptr p = 0;
	int err;
	if (!cu || !cu->context)
		return NULL;
	do
		err = ctx->cfg->device->unified == 1
		      ? cu->cuMemAllocManaged(&p, (size_t)size, RD_CU_ATTACH_GLOBAL) : cu->cuMemAlloc(&p, (size_t)size);
	while (err == RD_CU_OUT_OF_MEMORY && rd_drop_graphs(ctx));
	return err ? NULL : (void *)(uintptr_t)p;
}

// What was asked for before may need the memory.
static void rd_before_free(struct futhark_context *ctx)
{
	rd_flush_quietly(ctx);
}

static void rd_memory_free(struct futhark_context *ctx, void *data)
{
	rd_before_free(ctx);
	ctx->device->api->cuMemFree(rd_cu_address(data, 0));
}

// ---- Times ----

static void rd_api_begin(struct futhark_context *ctx, struct rd_event *e)
{
	struct rd_api *cu = ctx->device->api;
	rd_catch_up(ctx);
	if (cu->cuEventCreate(&e->begin, 0) == 0)
		cu->cuEventRecord(e->begin, cu->stream);
}

static void rd_api_end(struct futhark_context *ctx, struct rd_event *e)
{
	struct rd_api *cu = ctx->device->api;
	if (cu->cuEventCreate(&e->end, 0) == 0)
		cu->cuEventRecord(e->end, cu->stream);
}

static int64_t rd_api_time(struct futhark_context *ctx, struct rd_event *e)
{
	struct rd_api *cu = ctx->device->api;
	float ms = 0;
	if (e->begin && e->end && cu->cuEventElapsedTime(&ms, e->begin, e->end) != 0)
		ms = 0;
	if (e->begin)
		cu->cuEventDestroy(e->begin);
	if (e->end)
		cu->cuEventDestroy(e->end);
	return (int64_t)(ms * 1e6f);
}
// @end
#endif
