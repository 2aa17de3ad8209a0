// Array elements that several threads write to: sums, and stores of which any may be the last.
//
// Uses the thread pool (parallel.h), whose contexts buffer the sums; provides what chunks of
// regions call.
#ifndef RD_SHARED_H
#define RD_SHARED_H
#include "parallel.h"

// @chunk rd_atomic_sums: parallel
// Sums that several threads add to.  While the chunks run, each thread notes what is to be added where,
// in bins by place; afterwards each bin is somebody's, who adds what all threads have in it.  So nothing
// waits for memory that others write to, and a bin's places are few enough for the cache.  What is added to
// the same place twice in a row is one note.  A thread without room for more notes adds its own at
// once, atomically.
enum {
	RD_SUM_F64, RD_SUM_F32, RD_SUM_I64, RD_SUM_I32,
	RD_BLOCK_BITS = 8,              // neighbouring places are in the same bin
	RD_AHEAD = 12,                  // how far ahead places come into the cache
};
// A bin is a list of segments of notes.  Of all the segments of a thread only those in use are touched.
// Tests have fewer and smaller ones.
#ifndef RD_SEGMENTS
#define RD_SEGMENTS 8192
#define RD_SEGMENT 256
#endif

struct rd_note {
	uintptr_t place;                // and the kind of the sum in its last bits
	union { double f64; float f32; int64_t i64; int32_t i32; } x;
};
struct rd_bin { struct rd_note *last, *end; };  // of the segment that is being filled
// The first note of each segment has no place, and the number of the segment of the bin before it.
struct rd_sums {
	uint32_t n_bins;
	int n_used, n_segments;
	struct rd_bin bins[RD_MOST_CHUNKS];
	struct rd_note none;            // stands for the last of an empty bin
	struct rd_note *notes;          // in the same memory
};

static struct rd_note *rd_segment(struct rd_sums *s, int64_t i)
{
	return s->notes + i * RD_SEGMENT;
}

static inline void rd_add_note(const struct rd_note *n)
{
	uintptr_t place = n->place & ~(uintptr_t)3;
	switch (n->place & 3) {
	case RD_SUM_F64: *(double *)place += n->x.f64; break;
	case RD_SUM_F32: *(float *)place += n->x.f32; break;
	case RD_SUM_I64: *(uint64_t *)place += (uint64_t)n->x.i64; break;
	default: *(uint32_t *)place += (uint32_t)n->x.i32; break;
	}
}

#define RD_ATOMIC_ADD(type, place, sum) do { \
	type rd_old, rd_new; \
	__atomic_load((place), &rd_old, __ATOMIC_RELAXED); \
	do { \
		rd_new = rd_old + (sum); \
	} while (!__atomic_compare_exchange((place), &rd_old, &rd_new, true, __ATOMIC_RELAXED, \
	                                    __ATOMIC_RELAXED)); \
} while (0)

static void rd_add_note_atomically(const struct rd_note *n)
{
	uintptr_t place = n->place & ~(uintptr_t)3;
	switch (n->place & 3) {
	case RD_SUM_F64: RD_ATOMIC_ADD(double, (double *)place, n->x.f64); break;
	case RD_SUM_F32: RD_ATOMIC_ADD(float, (float *)place, n->x.f32); break;
	case RD_SUM_I64: __atomic_fetch_add((int64_t *)place, n->x.i64, __ATOMIC_RELAXED); break;
	default: __atomic_fetch_add((int32_t *)place, n->x.i32, __ATOMIC_RELAXED); break;
	}
}

// Adds what a thread has in a bin.
static void rd_settle(struct rd_sums *s, uint32_t bin, bool atomically)
{
	struct rd_bin *b = &s->bins[bin];
	struct rd_note *last = b->last;
	while (last != &s->none) {
		int64_t number = (last - s->notes) / RD_SEGMENT;
		struct rd_note *first = rd_segment(s, number);
		for (struct rd_note *n = first + 1; n <= last; n++) {
#if defined(__GNUC__)
			if (last - n >= RD_AHEAD)
				__builtin_prefetch((void *)n[RD_AHEAD].place, 1);
#endif
			if (atomically)
				rd_add_note_atomically(n);
			else
				rd_add_note(n);
		}
		last = first->x.i64 < 0 ? &s->none
		                        : rd_segment(s, first->x.i64) + RD_SEGMENT - 1;
	}
	b->last = b->end = &s->none;
}

// Where the next note of a bin goes, of which the segment is full.
static RD_COLD struct rd_note *rd_next_segment(struct rd_sums *s, struct rd_bin *b)
{
	if (s->n_used == s->n_segments) {
		for (uint32_t i = 0; i < s->n_bins; i++)
			rd_settle(s, i, true);
		s->n_used = 0;
	}
	struct rd_note *first = rd_segment(s, s->n_used++);
	first->place = 0;
	first->x.i64 = b->last == &s->none ? -1 : (b->last - s->notes) / RD_SEGMENT;
	b->end = first + RD_SEGMENT - 1;
	return first + 1;
}

// Integers wrap.
#define RD_ADD_TO(name, type, wide, kind) \
static inline void rd_add_to_##name(struct futhark_context *ctx, type *place, type x) \
{ \
	struct rd_sums *s = ctx->sums; \
	uintptr_t key = (uintptr_t)place | kind; \
	uint32_t hash = (uint32_t)(key >> RD_BLOCK_BITS) * UINT32_C(0x9e3779b1); \
	struct rd_bin *b = &s->bins[(uint64_t)hash * s->n_bins >> 32]; \
	struct rd_note *n = b->last; \
	if (n->place == key) { \
		n->x.name = (type)((wide)n->x.name + (wide)x); \
		return; \
	} \
	n = n == b->end ? rd_next_segment(s, b) : n + 1; \
	n->place = key; \
	n->x.name = x; \
	b->last = n; \
}
RD_ADD_TO(f64, double, double, RD_SUM_F64)
RD_ADD_TO(f32, float, float, RD_SUM_F32)
RD_ADD_TO(i64, int64_t, uint64_t, RD_SUM_I64)
RD_ADD_TO(i32, int32_t, uint32_t, RD_SUM_I32)

static void rd_empty_bins(struct rd_sums *s)
{
	s->n_used = 0;
	for (uint32_t i = 0; i < s->n_bins; i++)
		s->bins[i].last = s->bins[i].end = &s->none;
}

// Room for notes, less where there is not so much memory.
static RD_COLD int rd_new_sums(struct futhark_context *ctx, struct futhark_context *of, uint32_t n_bins)
{
	for (int n = RD_SEGMENTS; !of->sums && n > 0; n /= 8) {
		size_t bytes = sizeof *of->sums +
		               (size_t)n * RD_SEGMENT * sizeof(struct rd_note);
		of->sums = (struct rd_sums *)rd_memory_new(of, (int64_t)bytes);
		if (of->sums) {
			of->sums->n_bins = n_bins;
			of->sums->n_segments = n;
			of->sums->none.place = 0;
			of->sums->notes = (struct rd_note *)(of->sums + 1);
			rd_empty_bins(of->sums);
		}
	}
	return of->sums ? 0 : rd_out_of_memory(ctx, RD_SEGMENTS, RD_SEGMENT);
}

// Two bins for each thread, for balance.
static int rd_begin_sums(struct futhark_context *ctx)
{
	struct rd_pool *p = ctx->pool;
	int n = p ? p->n_workers : 0, bins = 2 * (n + 1), err = 0;
	if (bins > RD_MOST_CHUNKS)
		bins = RD_MOST_CHUNKS;
	for (int i = 0; i <= n && err == 0; i++) {
		struct futhark_context *c = i < n ? p->workers[i].ctx : ctx;
		if (!c->sums)
			err = rd_new_sums(ctx, c, (uint32_t)bins);
		else if (c->sums->n_bins != (uint32_t)bins) { // threads could not be had then
			c->sums->n_bins = (uint32_t)bins;
			rd_empty_bins(c->sums);
		}
	}
	return err;
}

// A bin of all threads.  The arguments are the caller's context.
static int rd_settle_bin(struct futhark_context *ctx, const void *args, int64_t bin)
{
	const struct futhark_context *caller = (const struct futhark_context *)args;
	const struct rd_pool *p = caller->pool;
	int n = p ? p->n_workers : 0;
	(void)ctx;
	for (int i = 0; i <= n; i++) {
		struct rd_sums *s = i < n ? p->workers[i].ctx->sums : caller->sums;
		rd_settle(s, (uint32_t)bin, false);
		if (bin == 0)
			s->n_used = 0;
	}
	return 0;
}

static RD_COLD void rd_drop_notes(struct futhark_context *ctx)
{
	for (int i = 0; ctx->pool && i < ctx->pool->n_workers; i++)
		rd_empty_bins(ctx->pool->workers[i].ctx->sums);
	rd_empty_bins(ctx->sums);
}

// rd_parallel for a region with sums.
static RD_UNUSED int rd_parallel_sums(struct futhark_context *ctx, int64_t n, rd_chunk_function *fn,
                                      const void *args)
{
	rd_need_pool(ctx);
	int err = rd_begin_sums(ctx);
	if (err)
		return err;
	err = rd_parallel_now(ctx, n, fn, args);
	if (err)
		rd_drop_notes(ctx);
	else
		err = rd_parallel_now(ctx, ctx->sums->n_bins, rd_settle_bin, ctx);
	return err;
}

// @chunk rd_blend: base
// c ? a : b, which compilers do not make a branch of.
static inline int64_t rd_blend(bool c, int64_t a, int64_t b)
{
	uint64_t mask = (uint64_t)0 - (uint64_t)c;
#if defined(__GNUC__)
	__asm__("" : "+r"(mask));
#endif
	return (int64_t)((uint64_t)b ^ (mask & ((uint64_t)a ^ (uint64_t)b)));
}

// @chunk shared_store: base
#if defined(__GNUC__)
#define RD_SHARED_STORE(place, value) do { \
	__typeof__(place) rd_stored = (value); \
	__atomic_store(&(place), &rd_stored, __ATOMIC_RELAXED); \
} while (0)
// What decides is data most of the time, which no processor foresees: instead of a branch, the
// place is chosen by arithmetic.
#define RD_SHARED_STORE_IF(cond, base, index, value) do { \
	__typeof__(*(base)) rd_stored = (value), rd_nowhere; \
	uintptr_t rd_mask = (uintptr_t)0 - (uintptr_t)(cond), rd_other = (uintptr_t)&rd_nowhere; \
	__asm__("" : "+r"(rd_mask)); \
	rd_other ^= rd_mask & \
		(rd_other ^ ((uintptr_t)(base) + (uintptr_t)(index) * sizeof *(base))); \
	__atomic_store((__typeof__(*(base)) *)rd_other, &rd_stored, __ATOMIC_RELAXED); \
} while (0)
#else
#define RD_SHARED_STORE(place, value) ((place) = (value))
#define RD_SHARED_STORE_IF(cond, base, index, value) do { \
	if (cond) \
		(base)[index] = (value); \
} while (0)
#endif

// @end
#endif
