// The uniform interface of libraries: every entry point is called in the same way, with flat values.
//
//     entry f [n] (xs: *[n]f64) (k: i64) : (f64, [n]f64)
//
//     struct raido_in in[2] = {{xs, shape, 0}, {&k, NULL, 0}};
//     struct raido_out out[2] = {{&r, NULL, 0, NULL, 0}, {NULL, shape, 0, NULL, 0}};
//     raido_call_f(ctx, in, out);
//
// Inputs are borrowed and never modified: an input that the entry point consumes is copied first,
// unless the caller donates it.  No result shares memory with an input or with another result.  A
// result is written to memory of the caller if it provides some; otherwise it is a block of the
// context, which the caller releases.  Releasing takes no lock, so it never waits for a call.
#ifndef RD_CALL_H
#define RD_CALL_H
#include "api.h"

// @chunk call_types:
#ifndef RAIDO_CALL
#define RAIDO_CALL 5
#ifdef __cplusplus
extern "C" {
#endif
// Types are numbered: i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool.
// RAIDO_HOST: a scalar in a box that is in memory of the host nevertheless.
enum raido_flags { RAIDO_DONATED = 1, RAIDO_HOST = 2 };
// What `call` gives besides the errors of the C API: a result has not the size there is room for.
enum { RAIDO_NO_ROOM = 4 };
// A scalar, or the elements of an array in row-major order; on devices the address of device memory.
struct raido_in { const void *data; const int64_t *shape; int64_t flags; };
// `given`: the bytes there is room for at `data`, or 0; scalars always have room.  `shape` is filled
// in.  `block` is then to be released, or NULL; `alias`: 1 more than the number of the donated input
// whose memory it is, or 0.
struct raido_out { void *data; int64_t *shape; int64_t given; void *block; int64_t alias; };
// A dimension: a constant, or -1 less the number of a size.  `boxed`: a scalar in memory of the device, which
// is an array of one element to the program; it has no shape here.  `saved`, of inputs of NAME_bwd: one more
// than the number of the output of NAME_fwd that it is to be, or 0.
struct raido_value {
	const char *name;
	int prim, rank, consumed;
	const int64_t *dims;
	int boxed, saved;
};
// `value`: the input that it is the value of, or -1; `known`: before the call, from inputs.
struct raido_size { const char *name; int value, known; };
struct raido_entry {
	const char *name, *doc;
	// How flat values (*) make up arguments and the result: (**), {x:*y:*}, also for arrays of these, and
	// <3 (#a | #b f64 i32)> for a value of that type, which is opaque, of 3 flat values.
	const char *in_form, *out_form;
	int n_in, n_out, n_sizes;
	int n_residuals;                // of NAME_fwd: so many outputs, the last, are for NAME_bwd
	const struct raido_value *in, *out;
	const struct raido_size *sizes;
	int (*call)(void *ctx, const struct raido_in *in, struct raido_out *out);
};
// Zeros ask for what is usual.  `cache_limit`: bytes of freed memory to keep for later, at most; -1: none.
// `stream`: of CUDA, or a queue of OpenCL, to use instead of one of its own; it stays the caller's.
// `get`, `put`: memory of the device by functions of the caller's: an address or NULL, and in *handle what it
// is freed by.
struct raido_options {
	int threads, deterministic;
	int64_t cache_limit;
	const char *device;
	void *stream;
	void *(*get)(void *user, int64_t bytes, void **handle);
	void (*put)(void *user, void *handle);
	void *user;
};
// Of a context: bytes in use, kept for later, in use at most so far, allocated so often.
struct raido_memory { int64_t live, cached, peak, allocations; };
struct raido_library {
	int version;                    // RAIDO_CALL
	const char *backend;
	int n_entries;
	const struct raido_entry *entries;
	void *(*context_new)(const struct raido_options *options);
	void (*context_free)(void *ctx);
	int (*sync)(void *ctx);
	char *(*error)(void *ctx);      // of the last call, to be freed, or NULL
	void (*release)(void *ctx, void *block);
	void (*memory)(void *ctx, struct raido_memory *out);
	void (*clear)(void *ctx);       // gives back what is kept for later
	void (*cancel)(void *ctx);      // the call that runs is to end with an error; also for signal handlers
	// What follows is for devices, NULL on the host.  The stream of all that comes, NULL: CUDA's default; it may be
	// captured as a graph.  Another one waits for what was asked for before.
	int (*use_stream)(void *ctx, void *stream);
	// Bytes from the device, when it has done all before.
	int (*read)(void *ctx, void *to, const void *from, int64_t size);
};
#ifdef __cplusplus
}
#endif
#endif
// @chunk call: call_types api_context entry deferred block_bytes
// A block over memory of the caller's, on the stack: the first reference is never given up.
RD_HOT struct rd_block *rd_caller_block(struct rd_block *b, const void *data, int64_t size,
                                       int size_class)
{
	b->data = b->base = (void *)data;
	b->size = size;
	b->refs = 2;
	b->size_class = size_class;
	b->next = NULL;
#ifdef RD_GPU
	b->shared = false;
#endif
	return b;
}

// What other threads released; and an error of a call before, which the device has shown only now.
RD_HOT int rd_begin_call(struct futhark_context *ctx)
{
	rd_release_deferred(ctx);
#ifdef RD_GPU
	return rd_late_failure(ctx);
#else
	return FUTHARK_SUCCESS;
#endif
}

RD_HOT struct rd_block *rd_borrowed(struct rd_block *b, const struct raido_in *in)
{
	return rd_caller_block(b, in->data, 0, -1);
}

// What a consumed argument is given as: the memory itself if it is donated, else a copy.
RD_HOT int rd_consumed(struct futhark_context *ctx, struct rd_block **own, struct rd_block *b,
                       const struct raido_in *in, int64_t n, int64_t elem_size)
{
	rd_borrowed(b, in);
	if (in->flags & RAIDO_DONATED) {
		b->refs++;
		*own = b;
		return FUTHARK_SUCCESS;
	}
	if (rd_alloc(ctx, own, n, elem_size) != 0)
		return FUTHARK_OUT_OF_MEMORY;
	return rd_block_copy(ctx, *own, 0, b, 0, n * elem_size);
}

// Where a result is to be, for rd_alloc_result (memory.h), or NULL.
RD_HOT struct rd_block *rd_place_given(struct rd_block *b, struct raido_out *out)
{
	out->block = NULL;
	out->alias = 0;
	return out->given ? rd_caller_block(b, out->data, out->given, RD_GIVEN) : NULL;
}

// The caller has the block from now on.
RD_HOT void rd_hand_over(const struct futhark_context *ctx, struct rd_block *b)
{
#ifdef RD_GPU
	b->shared |= ctx->allocator.get != NULL;
#else
	(void)ctx, (void)b;
#endif
}

static int rd_copy_result(struct futhark_context *ctx, struct raido_out *out, struct rd_block *from,
                          struct rd_block *given, int64_t bytes)
{
	struct rd_block *own = out->given ? given : NULL;
	int err = out->given ? FUTHARK_SUCCESS : rd_alloc(ctx, &own, bytes, 1);
	if (!err)
		err = rd_block_copy(ctx, own, 0, from, 0, bytes);
	if (err)
		return err;
	out->data = own->data;
	out->block = out->given ? NULL : own;
	if (out->block)
		rd_hand_over(ctx, own);
	return FUTHARK_SUCCESS;
}

// Hands out the block of a result.  `blocks`: those of the inputs; `given`: where it was to be.  Of several
// results in one block, the last has it, the others are copies.
RD_HOT int rd_hand_out(struct futhark_context *ctx, struct raido_out *out, struct rd_block **from,
                       struct rd_block *given, int64_t bytes, const struct rd_block *blocks,
                       const struct raido_in *in, int n_in)
{
	struct rd_block *b = *from;
	int i, err = FUTHARK_SUCCESS;
	*from = NULL;
	if (out->given && out->given != bytes) {
		rd_clear_error(ctx);
		ctx->message.len = 0;
		rd_put(ctx, "Error: a result has %lld bytes, but there is room for %lld.\n",
		       (long long)bytes, (long long)out->given);
		ctx->error = strdup(ctx->message.len ? ctx->message.at : "");
		ctx->message.len = 0;
		rd_release(ctx, &b);
		return RAIDO_NO_ROOM;
	}
	if (b == given && out->given)
		return FUTHARK_SUCCESS;
	for (i = 0; i < n_in; i++)
		if (b == &blocks[i] && in[i].flags & RAIDO_DONATED && !out->given && b->refs == 3) {
			out->data = b->data;
			out->alias = i + 1;
			return FUTHARK_SUCCESS;
		}
	if (b->size_class >= 0 && b->refs == 1 && !out->given) {
		out->data = b->data;
		out->block = b;
		rd_hand_over(ctx, b);
		return FUTHARK_SUCCESS;
	}
	err = rd_copy_result(ctx, out, b, given, bytes);
	rd_release(ctx, &b);
	return err;
}

// An error came up after some results were handed out.
RD_FUN void rd_take_back(struct futhark_context *ctx, struct raido_out *out, int n)
{
	int i;
	for (i = 0; i < n; i++) {
		struct rd_block *b = (struct rd_block *)out[i].block;
		out[i].block = NULL;
		rd_release(ctx, &b);
	}
}

// ---- What a library offers ----

RD_FUN void *rd_library_context(const struct raido_options *o)
{
	struct futhark_context_config *cfg = futhark_context_config_new();
	struct futhark_context *ctx;
	if (!cfg)
		return NULL;
	cfg->num_threads = o->threads;
	cfg->deterministic = o->deterministic;
#ifdef RD_GPU
	if (o->device)
		cfg->device->device = strdup(o->device);
	if (o->stream)
		cfg->device->queue = o->stream;
	cfg->allocator.get = o->get;
	cfg->allocator.put = o->put;
	cfg->allocator.user = o->user;
#endif
	ctx = futhark_context_new(cfg);
	if (!ctx) {
		futhark_context_config_free(cfg);
		return NULL;
	}
	ctx->cache_limit = o->cache_limit;
	return ctx;
}

RD_FUN void rd_library_context_free(void *p)
{
	struct futhark_context *ctx = (struct futhark_context *)p;
	struct futhark_context_config *cfg = ctx->cfg;
	rd_lock(ctx);
	rd_release_deferred(ctx);
	rd_unlock(ctx);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
}

RD_FUN int rd_library_sync(void *ctx)
{
	return futhark_context_sync((struct futhark_context *)ctx);
}

RD_FUN char *rd_library_error(void *ctx)
{
	return futhark_context_get_error((struct futhark_context *)ctx);
}

RD_HOT void rd_library_release(void *p, void *block)
{
	struct futhark_context *ctx = (struct futhark_context *)p;
	struct rd_block *b = (struct rd_block *)block;
	if (!rd_try_lock(ctx)) {
		rd_defer_release(ctx, b);
		b = NULL;
		if (!rd_try_lock(ctx))  // else whoever had it might not have seen the block
			return;
	}
	rd_release_deferred(ctx);
	rd_release(ctx, &b);
	rd_unlock(ctx);
}

RD_FUN void rd_library_memory(void *p, struct raido_memory *out)
{
	struct futhark_context *ctx = (struct futhark_context *)p;
	rd_lock(ctx);
	rd_release_deferred(ctx);
	out->live = ctx->bytes_live;
	out->cached = ctx->bytes_cached;
	out->peak = ctx->bytes_peak;
	out->allocations = ctx->allocations;
	rd_unlock(ctx);
}

RD_FUN void rd_library_clear(void *p)
{
	struct futhark_context *ctx = (struct futhark_context *)p;
	rd_lock(ctx);
	rd_release_deferred(ctx);
	rd_free_cached(ctx);
	rd_unlock(ctx);
}

RD_FUN void rd_library_cancel(void *ctx)
{
	futhark_context_cancel((struct futhark_context *)ctx);
}
// @chunk call_device: call
RD_UNUSED static const int64_t rd_box_shape[1] = {1};

// A scalar that is to be in memory of the device: *own is the block for one that is not.
RD_UNUSED
static int rd_boxed(struct futhark_context *ctx, struct rd_block **own, struct rd_block *b,
                    const struct raido_in *in, int elem_size)
{
	rd_borrowed(b, in);
	return in->flags & RAIDO_HOST ? rd_box(ctx, own, in->data, elem_size) : FUTHARK_SUCCESS;
}

RD_FUN int rd_library_use_stream(void *p, void *stream)
{
	struct futhark_context *ctx = (struct futhark_context *)p;
	int err;
	bool same;
	rd_hold(ctx);
	same = rd_has_stream(ctx, stream);
	rd_let(ctx);
	if (same)
		return FUTHARK_SUCCESS;
	rd_lock(ctx);
	err = rd_use_stream(ctx, stream);
	rd_unlock(ctx);
	return err;
}

RD_FUN int rd_library_read(void *p, void *to, const void *from, int64_t size)
{
	struct futhark_context *ctx = (struct futhark_context *)p;
	struct rd_block b;
	int err;
	rd_lock(ctx);
	err = rd_block_read(ctx, to, rd_caller_block(&b, from, size, -1), 0, size);
	rd_unlock(ctx);
	return err;
}
// @end
#endif
