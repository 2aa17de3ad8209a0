// Places that several threads write to: sums, and stores of which any may be the last.
//
// Before: the pool of threads (parallel.h), whose contexts keep the sums.  After: what chunks of
// regions call.
#ifndef RD_SHARED_H
#define RD_SHARED_H
#include "parallel.h"

// @chunk rd_atomic_sums: parallel
// Sums that several threads add to.  Each keeps what it has added to some places lately.  When
// another place needs the slot, that is put off: several at a time are added to the actual
// places, which have come into the cache by then; and what a chunk reads does not wait for atomic
// operations between.  The rest follows at the end of a chunk.
enum { RD_PENDING = 64, RD_LATER = 32, RD_NOTHING = 0, RD_SUM_F64, RD_SUM_F32, RD_SUM_I64, RD_SUM_I32 };

struct rd_pending {
	void *place;
	union { double f64; float f32; int64_t i64; int32_t i32; } sum;
	int kind;
};
struct rd_sums {
	struct rd_pending at[RD_PENDING];
	struct rd_pending later[RD_LATER];
	int n_later;
};

#define RD_ATOMIC_ADD(type, place, sum) do { \
	type rd_old, rd_new; \
	__atomic_load((place), &rd_old, __ATOMIC_RELAXED); \
	do { \
		rd_new = rd_old + (sum); \
	} while (!__atomic_compare_exchange((place), &rd_old, &rd_new, true, __ATOMIC_RELAXED, \
	                                    __ATOMIC_RELAXED)); \
} while (0)

static inline void rd_settle(const struct rd_pending *p)
{
	switch (p->kind) {
	case RD_SUM_F64: RD_ATOMIC_ADD(double, (double *)p->place, p->sum.f64); break;
	case RD_SUM_F32: RD_ATOMIC_ADD(float, (float *)p->place, p->sum.f32); break;
	case RD_SUM_I64:
		__atomic_fetch_add((int64_t *)p->place, p->sum.i64, __ATOMIC_RELAXED);
		break;
	case RD_SUM_I32:
		__atomic_fetch_add((int32_t *)p->place, p->sum.i32, __ATOMIC_RELAXED);
		break;
	default: break;
	}
}

static RD_UNUSED void rd_settle_later(struct rd_sums *s)
{
	for (int i = 0; i < s->n_later; i++)
		rd_settle(&s->later[i]);
	s->n_later = 0;
}

static inline void rd_put_off(struct rd_sums *s, const struct rd_pending *p)
{
#if defined(__GNUC__)
	__builtin_prefetch(p->place, 1);
#endif
	s->later[s->n_later++] = *p;
	if (s->n_later == RD_LATER)
		rd_settle_later(s);
}

static RD_UNUSED int rd_begin_sums(struct futhark_context *ctx)
{
	if (!ctx->sums)
		ctx->sums = (struct rd_sums *)calloc(1, sizeof *ctx->sums);
	return ctx->sums ? 0 : rd_out_of_memory(ctx, 1, (int64_t)sizeof *ctx->sums);
}

static RD_UNUSED void rd_end_sums(struct futhark_context *ctx)
{
	if (!ctx->sums)
		return;
	rd_settle_later(ctx->sums);
	for (int i = 0; i < RD_PENDING; i++) {
		rd_settle(&ctx->sums->at[i]);
		ctx->sums->at[i].place = NULL;
		ctx->sums->at[i].kind = RD_NOTHING;
	}
}

// Integers wrap.
#define RD_ADD_TO(name, type, wide, which) \
static inline void rd_add_to_##name(struct futhark_context *ctx, type *place, type x) \
{ \
	struct rd_pending *p = &ctx->sums->at[(uintptr_t)place / sizeof *place % RD_PENDING]; \
	if (p->place == place) { \
		p->sum.name = (type)((wide)p->sum.name + (wide)x); \
		return; \
	} \
	rd_put_off(ctx->sums, p); \
	p->place = place; \
	p->kind = which; \
	p->sum.name = x; \
}
RD_ADD_TO(f64, double, double, RD_SUM_F64)
RD_ADD_TO(f32, float, float, RD_SUM_F32)
RD_ADD_TO(i64, int64_t, uint64_t, RD_SUM_I64)
RD_ADD_TO(i32, int32_t, uint32_t, RD_SUM_I32)

// @chunk apart: base
// A function that is as fast as if it were alone in the program.
#ifdef __GNUC__
#define RD_APART __attribute__((noinline))
#else
#define RD_APART
#endif

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
