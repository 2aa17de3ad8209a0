// Streams, graphs and memory of the caller: frameworks such as PyTorch and XLA bring their own.
//
// A context uses the stream that was set last.  Work submitted to a new stream runs after all work
// submitted to the previous one.
//
// Memory may come from an allocator of the caller (struct rd_allocator), which allocates and frees it
// for the current stream.  So no free memory is kept when the stream changes, and results are returned
// to the allocator at once, since only it knows in which streams they were used.
//
// Note [Captured calls].  While the caller captures its stream as a graph, nothing runs:
// operations are recorded, and executed whenever the caller launches the graph.  Therefore
//
//   - nothing may wait for the device, since that would never end;
//   - nothing is allocated, compiled or loaded by the driver, which would refuse: kernels must have
//     been used before;
//   - memory comes from the allocator, which keeps it for as long as the graph exists, and not from
//     the free blocks of the context;
//   - the data of a host write is part of the operation, since the host's memory will have changed
//     when it is executed;
//   - we create no graphs of our own (graph.h), and nothing is reported to the host (stream.h).  A
//     failure is detected by the next operation that waits, or by a later call.
#ifndef RD_CALLER_H
#define RD_CALLER_H
#include "graph.h"

// @chunk cuda_caller: cuda_graph
enum { RD_CU_CAPTURE_NONE, RD_CU_CAPTURE_ACTIVE, RD_CU_CAPTURE_BROKEN, RD_CU_NO_TIMING = 2 };

static RD_COLD int rd_cannot_wait(struct futhark_context *ctx)
{
	return rd_device_error(ctx, "The host would have to wait for the device, which it cannot while a graph is "
	                       "captured.");
}

// Bytes that become part of operations.
static int rd_write_captured(struct futhark_context *ctx, CUdeviceptr to, const void *from, int64_t size)
{
	enum { MOST = 1024 };
	struct rd_api *cu = ctx->device->api;
	const char *bytes = (const char *)from;
	int err = 0;
	if (size > MOST)
		return rd_device_error(ctx, "%lld bytes of the host cannot be part of a graph.", (long long)size);
	while (size > 0 && !err) {
		unsigned word;
		int n = to % 4 == 0 && size >= 4 ? 4 : 1;
		if (n == 4)
			memcpy(&word, bytes, 4);
		err = n == 4 ? cu->cuMemsetD32Async(to, word, 1, cu->stream)
		             : cu->cuMemsetD8Async(to, (unsigned char)*bytes, 1, cu->stream);
		to += (CUdeviceptr)n;
		bytes += n;
		size -= n;
	}
	return rd_cu_check(ctx, "cuMemsetD32Async", err);
}

static const uintptr_t rd_legacy_stream = 1;    // CU_STREAM_LEGACY, the default

// Is it the stream already, without a need to ask the driver?  The default one cannot be captured.
RD_UNUSED
static bool rd_has_stream(const struct futhark_context *ctx, const void *stream)
{
	const struct rd_device *d = ctx->device;
	return d->ready && !ctx->capturing && (!stream || stream == (void *)rd_legacy_stream) &&
	       d->api->stream == (void *)rd_legacy_stream && d->api->last_stream == d->api->stream;
}

// Is the stream being captured?
static int rd_look_at_capture(struct futhark_context *ctx, void *stream)
{
	struct rd_api *cu = ctx->device->api;
	int status = RD_CU_CAPTURE_NONE, err = 0;
	if (cu->cuStreamIsCapturing)
		err = cu->cuStreamIsCapturing(stream, &status);
	ctx->capturing = false;
	if (err)
		return rd_cu_failed(ctx, "cuStreamIsCapturing", err);
	if (status == RD_CU_CAPTURE_BROKEN)
		return rd_device_error(ctx, "The graph that the stream is captured for is no longer valid.");
	if (status == RD_CU_CAPTURE_NONE)
		return 0;
	if (!ctx->allocator.get)
		return rd_device_error(ctx, "Calls while a graph is captured need an allocator of the caller's.");
	ctx->capturing = ctx->device->captured = true;
	return 0;
}

// All that was asked for so far comes before what is asked for in the stream.
static int rd_follow_last(struct futhark_context *ctx, void *stream)
{
	struct rd_api *cu = ctx->device->api;
	int err = 0;
	if (!cu->cuStreamWaitEvent)
		return rd_cu_check(ctx, "cuStreamSynchronize", cu->cuStreamSynchronize(cu->last_stream));
	if (!cu->changed)
		err = cu->cuEventCreate(&cu->changed, RD_CU_NO_TIMING);
	if (!err)
		err = cu->cuEventRecord(cu->changed, cu->last_stream);
	if (!err)
		err = cu->cuStreamWaitEvent(stream, cu->changed, 0);
	return rd_cu_check(ctx, "cuStreamWaitEvent", err);
}

// From now on work is done in this stream; NULL: the default one.
RD_UNUSED
static int rd_use_stream(struct futhark_context *ctx, void *stream)
{
	struct rd_api *cu = ctx->device->api;
	int err;
	if (!ctx->device->ready)
		return rd_no_device(ctx);
	if (!stream)
		stream = (void *)rd_legacy_stream;
	err = rd_look_at_capture(ctx, stream);
	if (err)
		return err;
	if (!ctx->capturing && stream != cu->last_stream) {
		if (ctx->allocator.get) {
			rd_drop_boxes(ctx);
			rd_free_cached(ctx);
		}
		err = rd_follow_last(ctx, stream);
		if (!err)
			cu->last_stream = stream;
	}
	if (!err)
		cu->stream = stream;
	return err;
}

// Has a call before failed, as far as the device has shown by now?
RD_UNUSED
static int rd_late_failure(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	struct rd_api *cu = d->api;
	if (!d->ready || !d->may_have_failed || ctx->capturing || !cu->shown ||
	    *(volatile int64_t *)cu->shown != cu->n_shown)
		return 0;
#if defined(__GNUC__)
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
	d->failed_site = (int32_t)cu->shown[2];
	return rd_check_failures(ctx);
}
// @end
#endif
