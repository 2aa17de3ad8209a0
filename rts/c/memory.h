// Blocks: reference-counted memory for arrays.
//
// Freed blocks are kept in lists by size and reused, because touching fresh pages costs several times
// as much as writing to them.  Large blocks are therefore not returned to the system before the
// context ends, unless memory runs out or more than `cache_limit` bytes would be kept.
//
// In a program for a GPU (RD_GPU) the memory is that of the device, and `data` is a handle to it;
// blocks are then read and written by the functions of rts/gpu, which have the same names.  If the
// caller provides an allocator, memory that the caller can see is returned to it at once, and so is
// all memory that a captured call uses (rts/gpu/caller.h).
#ifndef RD_MEMORY_H
#define RD_MEMORY_H
#include "context.h"
#ifdef RD_GPU
#include "../gpu/device.h"
#endif

// @chunk memory: fail
#ifdef __linux__
#include <sys/mman.h>
#endif

struct rd_block {
	void *data;                     // aligned to 64 bytes
	void *base;                     // what was allocated: the data, or a little before
	int64_t size;                   // bytes there are
	int refs;
	int size_class;                 // negative: the data was given by the caller of the program
	struct rd_block *next;          // in a list of free blocks
#ifdef RD_GPU
	bool shared;                    // to be given back, not kept, after its last use
#endif
};

enum { RD_SMALLEST_BLOCK = 64, RD_HUGE_PAGE = 1 << 21 };
enum { RD_GIVEN = -2 };                 // a size class: room for a result

// Four classes for each power of two: 64, 80, 96, 112, 128, 160, ...
static int rd_size_class(int64_t bytes, int64_t *rounded)
{
	int64_t size = RD_SMALLEST_BLOCK;
	int class_ = 0;
	while (bytes > 2 * size) {
		size *= 2;
		class_ += 4;
	}
	int64_t step = size / 4;
	int64_t over = bytes > size ? (bytes - size + step - 1) / step : 0;
	*rounded = size + over * step;
	return class_ + (int)over;
}

#ifdef RD_GPU
// Memory of the device; NULL when there is no more.
static void *rd_memory_new(struct futhark_context *ctx, int64_t size);
static void rd_memory_free(struct futhark_context *ctx, void *data);
static void rd_before_free(struct futhark_context *ctx); // starts what may need the memory
#else
static void *rd_memory_new(struct futhark_context *ctx, int64_t size)
{
	bool huge = size >= RD_HUGE_PAGE;
	size_t align = huge ? RD_HUGE_PAGE : 64;
	void *data = NULL;
	(void)ctx;
	if (posix_memalign(&data, align, (size_t)size) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	if (huge)
		madvise(data, (size_t)size, MADV_HUGEPAGE);
#endif
	return data;
}

static void rd_memory_free(struct futhark_context *ctx, void *data)
{
	(void)ctx;
	free(data);
}
#endif

// The memory of a block; b->base is what it is freed by.
static void *rd_block_memory(struct futhark_context *ctx, struct rd_block *b, int64_t size)
{
#ifdef RD_GPU
	b->shared = ctx->capturing;
	if (ctx->allocator.get)
		return ctx->allocator.get(ctx->allocator.user, size, &b->base);
#endif
	return b->base = rd_memory_new(ctx, size);
}

static void rd_free_block(struct futhark_context *ctx, struct rd_block *b)
{
#ifdef RD_GPU
	if (ctx->allocator.put) {
		rd_before_free(ctx);
		ctx->allocator.put(ctx->allocator.user, b->base);
		free(b);
		return;
	}
#endif
	rd_memory_free(ctx, b->base);
	free(b);
}

static void rd_free_cached(struct futhark_context *ctx)
{
	for (int i = 0; i < RD_SIZE_CLASSES; i++)
		while (ctx->free_blocks[i]) {
			struct rd_block *b = ctx->free_blocks[i];
			ctx->free_blocks[i] = b->next;
			rd_free_block(ctx, b);
		}
	ctx->bytes_cached = 0;
}

// Large blocks begin at different distances from a page.  Else the same index in several arrays
// would be at the same place of the cache, which has room for a few of those only.
static size_t rd_shift_of(struct futhark_context *ctx, int64_t size)
{
	enum { LARGE = 1 << 14, STEP = 5 * 64, STEPS = 8 };
#ifdef RD_GPU
	size = 0;                       // the memory has no address here
#endif
	return size < LARGE ? 0 : (size_t)(ctx->n_shifted++ % STEPS * STEP);
}

static struct rd_block *rd_new_block(struct futhark_context *ctx, int64_t size, int size_class)
{
	struct rd_block *b = (struct rd_block *)malloc(sizeof *b);
	if (!b)
		return NULL;
	size_t shift = rd_shift_of(ctx, size);
	b->data = rd_block_memory(ctx, b, size + (int64_t)shift);
	if (!b->data) {
		free(b);
		return NULL;
	}
	ctx->allocations++;
	if (shift)
		b->data = (char *)b->data + shift;
	b->size = size;
	b->size_class = size_class;
	b->next = NULL;
	return b;
}

// A free block of this class, or one at most twice as large.
static struct rd_block *rd_find_cached(struct futhark_context *ctx, int size_class)
{
#ifdef RD_GPU
	if (ctx->capturing)
		return NULL;
#endif
	for (int i = size_class; i <= size_class + 4 && i < RD_SIZE_CLASSES; i++) {
		struct rd_block *b = ctx->free_blocks[i];
		if (b) {
			ctx->free_blocks[i] = b->next;
			ctx->bytes_cached -= b->size;
			return b;
		}
	}
	return NULL;
}

static RD_SAYING int rd_out_of_memory(struct futhark_context *ctx, int64_t n, int64_t elem_size)
{
	rd_clear_error(ctx);
	ctx->message.len = 0;
	rd_put(ctx, "Failed to allocate memory: %lld elements of %lld bytes, with %lld bytes in use.",
	       (long long)n, (long long)elem_size, (long long)ctx->bytes_live);
	ctx->error = rd_error_copy(ctx->message.len ? ctx->message.at : rd_no_memory);
	ctx->message.len = 0;
	return FUTHARK_OUT_OF_MEMORY;
}

// The data is someone else's.  Not inlined, since compilers that see the call of free warn of other
// references to the block, which cannot be left.
static RD_COLD void rd_free_foreign(struct rd_block *b)
{
	free(b);
}

// Too much is kept already: the memory goes back.
static RD_COLD void rd_give_back(struct futhark_context *ctx, struct rd_block *b)
{
	rd_free_block(ctx, b);
}

static inline bool rd_is_shared(const struct rd_block *b)
{
#ifdef RD_GPU
	return b->shared;
#else
	(void)b;
	return false;
#endif
}

// Adds a block to a list of free ones.  On a device the lists are in order, for the most part, so that the
// same demands are given the same memory, whatever was done in between (rts/gpu/graph.h).
static inline void rd_keep_block(struct rd_block **list, struct rd_block *b)
{
#ifdef RD_GPU
	int steps;
	for (steps = 0; steps < 64 && *list && (uintptr_t)(*list)->data < (uintptr_t)b->data; steps++)
		list = &(*list)->next;
#endif
	b->next = *list;
	*list = b;
}

// Gives up a reference.  One copy: functions have many of these, and C compilers would take long.
static RD_APART void rd_drop_reference(struct futhark_context *ctx, struct rd_block *old)
{
	if (--old->refs > 0)
		return;
	if (old->size_class < 0) {
		rd_free_foreign(old);
		return;
	}
	ctx->bytes_live -= old->size;
	if (rd_is_shared(old) || (ctx->cache_limit && ctx->bytes_cached + old->size > ctx->cache_limit)) {
		rd_give_back(ctx, old);
		return;
	}
	ctx->bytes_cached += old->size;
	rd_keep_block(&ctx->free_blocks[old->size_class], old);
}

// In programs for devices, they are calls.
#ifndef RD_REFERENCES
#define RD_REFERENCES static inline
#endif
RD_REFERENCES void rd_release(struct futhark_context *ctx, struct rd_block **b)
{
	struct rd_block *old = *b;
	*b = NULL;
	if (old)
		rd_drop_reference(ctx, old);
}

// Room for n elements in *b, contents unspecified; what *b held is released.
static RD_UNUSED int rd_alloc(struct futhark_context *ctx, struct rd_block **b, int64_t n,
                              int64_t elem_size)
{
	rd_release(ctx, b);
	if (n < 0)
		n = 0;
	if (n > INT64_MAX / 4 / elem_size)
		return rd_out_of_memory(ctx, n, elem_size);
	int64_t size;
	int size_class = rd_size_class(n * elem_size, &size);
	struct rd_block *found = rd_find_cached(ctx, size_class);
	if (!found)
		found = rd_new_block(ctx, size, size_class);
	if (!found) {
		rd_free_cached(ctx);
		found = rd_new_block(ctx, size, size_class);
	}
	if (!found)
		return rd_out_of_memory(ctx, n, elem_size);
	found->refs = 1;
	ctx->bytes_live += found->size;
	if (ctx->bytes_live > ctx->bytes_peak)
		ctx->bytes_peak = ctx->bytes_live;
	*b = found;
	return 0;
}

// @chunk rd_mul_size:
// A product of sizes; what does not fit is more than there is.
static inline int64_t rd_mul_size(int64_t x, int64_t y)
{
#if defined(__GNUC__)
	int64_t product;
	if (__builtin_expect(!__builtin_mul_overflow(x, y, &product), 1))
		return product;
#else
	if (x <= 0 || y <= INT64_MAX / x)
		return (int64_t)((uint64_t)x * (uint64_t)y);
#endif
	return x > 0 && y > 0 ? INT64_MAX : 0;
}

// @chunk rd_tape_of: memory
// There was no memory for what a derivative keeps of a loop: the message says so, and what helps.
static RD_COLD void rd_tape_of(struct futhark_context *ctx, const char *where)
{
	if (!ctx->error || ctx->error == rd_no_memory)
		return;
	ctx->message.len = 0;
	rd_put(ctx, "%s\nThe derivative of the loop at %s stores the states of its iterations.\n"
	       "To store fewer and recompute the others, put #[stripmine(2)] before the loop, or use "
	       "--memory-budget=SIZE.", ctx->error, where);
	if (ctx->message.len) {
		rd_error_free(ctx->error);
		ctx->error = rd_error_copy(ctx->message.at);
	}
	ctx->message.len = 0;
}

// @chunk rd_alloc_result: memory
// Room for a result, *b being NULL: where the caller of the program wants it, if *out says so.
static RD_UNUSED int rd_alloc_result(struct futhark_context *ctx, struct rd_block **b, struct rd_block **out,
                                     int64_t n, int64_t elem_size)
{
	struct rd_block *given = *out;
	if (!given || given->size_class != RD_GIVEN || n > given->size / elem_size)
		return rd_alloc(ctx, b, n, elem_size);
	*out = NULL;
	rd_release(ctx, b);
	*b = given;
	return 0;
}

// A call is about to make a result: it is told where.
static RD_UNUSED void rd_pass_place(struct futhark_context *ctx, struct rd_block **b, struct rd_block **out)
{
	if (*out && (*out)->size_class == RD_GIVEN) {
		rd_release(ctx, b);
		*b = *out;
		*out = NULL;
	}
}

// @chunk deferred: memory
// Blocks that threads want to release while another one uses the context.  Whoever has the context
// next releases them.
RD_UNUSED static void rd_defer_release(struct futhark_context *ctx, struct rd_block *b)
{
#if defined(__GNUC__)
	b->next = __atomic_load_n(&ctx->deferred, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&ctx->deferred, &b->next, b, true, __ATOMIC_RELEASE,
	                                    __ATOMIC_RELAXED))
		continue;
#else
	b->next = ctx->deferred;
	ctx->deferred = b;
#endif
}

RD_UNUSED static void rd_release_deferred(struct futhark_context *ctx)
{
#if defined(__GNUC__)
	struct rd_block *b = NULL;
	if (__atomic_load_n(&ctx->deferred, __ATOMIC_RELAXED))
		b = __atomic_exchange_n(&ctx->deferred, (struct rd_block *)NULL, __ATOMIC_ACQUIRE);
#else
	struct rd_block *b = ctx->deferred;
	ctx->deferred = NULL;
#endif
	while (b) {
		struct rd_block *next = b->next;
		b->next = NULL;
		rd_release(ctx, &b);
		b = next;
	}
}

// @chunk rd_release_all: memory
static RD_APART void rd_release_all(struct futhark_context *ctx, struct rd_block **const *blocks, int n)
{
	for (int i = 0; i < n; i++)
		rd_release(ctx, blocks[i]);
}

// @chunk rd_set: memory
// Makes *b another reference to `to`.
RD_REFERENCES void rd_set(struct futhark_context *ctx, struct rd_block **b, struct rd_block *to)
{
	if (to)
		to->refs++;
	rd_release(ctx, b);
	*b = to;
}

// @chunk rd_stack_block: memory
// Memory on the stack as a block.
static inline struct rd_block rd_stack_block(void *data)
{
	struct rd_block b;
	memset(&b, 0, sizeof b);
	b.data = data;
	b.refs = 1 << 30;
	b.size_class = -1;
	return b;
}

// @chunk rd_move: memory
// Hands the reference in *from over to *b.
RD_REFERENCES void rd_move(struct futhark_context *ctx, struct rd_block **b, struct rd_block **from)
{
	struct rd_block *moved = *from;
	*from = NULL;
	rd_release(ctx, b);
	*b = moved;
}

// @chunk block_bytes: memory
// Reading and writing blocks from outside of the program; they give 0 or an error code.
#ifndef RD_GPU
static RD_UNUSED int rd_block_read(struct futhark_context *ctx, void *to, struct rd_block *from,
                                   int64_t byte, int64_t size)
{
	(void)ctx;
	if (size > 0)
		memcpy(to, (const char *)from->data + byte, (size_t)size);
	return 0;
}

static RD_UNUSED int rd_block_write(struct futhark_context *ctx, struct rd_block *to, int64_t byte,
                                    const void *from, int64_t size)
{
	(void)ctx;
	if (size > 0)
		memcpy((char *)to->data + byte, from, (size_t)size);
	return 0;
}

static RD_UNUSED int rd_block_copy(struct futhark_context *ctx, struct rd_block *to,
                                   int64_t to_byte, struct rd_block *from, int64_t from_byte,
                                   int64_t size)
{
	return rd_block_write(ctx, to, to_byte, (const char *)from->data + from_byte, size);
}

static RD_UNUSED int rd_block_zero(struct futhark_context *ctx, struct rd_block *to, int64_t byte,
                                   int64_t size)
{
	(void)ctx;
	if (size > 0)
		memset((char *)to->data + byte, 0, (size_t)size);
	return 0;
}
#endif

// @chunk block_view: block_bytes
// The first bytes of a block, where the host can see them: in a malloced copy, which is then in
// *copy too, if they are not there already.  NULL with the error set.
static RD_UNUSED void *rd_block_view(struct futhark_context *ctx, struct rd_block *b, int64_t size,
                                     void **copy)
{
	*copy = NULL;
#ifdef RD_GPU
	*copy = malloc(size > 0 ? (size_t)size : 1);
	if (!*copy)
		rd_out_of_memory(ctx, size, 1);
	else if (rd_block_read(ctx, *copy, b, 0, size) == 0)
		return *copy;
	free(*copy);
	*copy = NULL;
	return NULL;
#else
	(void)ctx;
	(void)size;
	return b->data;
#endif
}

// @end
#endif
