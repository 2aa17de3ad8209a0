// Threads: parallel regions cut into chunks.
//
// A context has a pool of threads, created by the first region that needs it and destroyed with
// the context.  The calling thread takes part.  Each thread owns a range of chunks, the same share
// in each region, so that its data stays in its cache; a thread that has finished its own steals
// the last chunks of others, which balances uneven work.  Waiting threads spin for a short time
// and then sleep.
//
// Each worker has a context of its own for memory and errors, so chunks share only what the
// program shares.  Blocks from outside the region are accessed through shadows (rd_shadow), whose
// reference counts belong to one chunk.
//
// A region inside a chunk runs in the thread of that chunk.
#ifndef RD_PARALLEL_H
#define RD_PARALLEL_H
#include "memory.h"

// @chunk parallel: memory fail cancel clock
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum {
	RD_MOST_CHUNKS = 128,
	RD_CHUNKS_PER_THREAD = 4,
	RD_FIXED_CHUNKS = 32,           // with results that do not depend on the number of threads
	RD_SPINS = 2000,
	RD_PATIENCE = 50,               // spins before a thread without chunks takes another's
	RD_CACHED = 32768,              // so many elements stay in a processor's cache
};
// What is less work than this is not worth a region.  Tests make it small.
#ifndef RD_LEAST_WORK
#define RD_LEAST_WORK INT64_C(524288)
#endif
#ifndef RD_LEAST_CHUNK
#define RD_LEAST_CHUNK (RD_LEAST_WORK / 4 + 1)
#endif

typedef int rd_chunk_function(struct futhark_context *ctx, const void *args, int64_t c);

struct rd_pool;

struct rd_worker {
	struct futhark_context *ctx;
	struct rd_pool *pool;
	int number;                     // of its share; the caller's is 0
	pthread_t thread;
	int64_t busy;                   // nanoseconds in chunks that no profile has yet
	char pad[64];
};

// Chunks of one thread.
struct rd_share {
	uint64_t ticket;                // number of the region, end of the chunks, the next of them
	char pad[120];
};

// The fields that many threads write to are on cache lines of their own.
struct rd_pool {
	uint64_t region;                // its number
	char pad_region[56];
	int64_t done;                   // chunks
	char pad_done[56];
	int64_t failed;                 // the first chunk that has failed so far
	char pad_failed[56];
	rd_chunk_function *fn;
	const void *args;
	int sleepers, caller_sleeps, stop;
	int spins;
	int timed;                      // the region, for a profile
	int64_t n_chunks;
	int64_t wanted;                 // threads that are still to be woken, with the lock
	int64_t busy;                   // of the caller
	int n_workers;
	pid_t process;                  // that has the threads: none of them survives a fork
	struct rd_worker *workers;
	struct rd_share *shares;
	pthread_mutex_t lock;           // of what follows, and for going to sleep
	pthread_cond_t work, finished;
	int err;                        // of the chunk `failed`
	char *error;
	struct rd_text backtrace;
	int n_frames;
};

static inline void rd_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory"); // which takes a while; `yield` does nothing on most
#endif
}

// ---- How many threads ----

// Where control groups are.  Tests have others.
#ifndef RD_CGROUP
#define RD_CGROUP "/sys/fs/cgroup"
#endif

// The numbers in a file, as many as there are; false: none.
static RD_COLD bool rd_read_numbers(const char *file, long long *a, long long *b)
{
	FILE *f = fopen(file, "r");
	bool ok = f && fscanf(f, "%lld %lld", a, b) >= 1;
	if (f)
		fclose(f);
	return ok;
}

// Processors that this process may use, as far as its control group says: version 2 or 1.
static RD_COLD int rd_quota(void)
{
	long long quota = 0, period = 0, none;
	if (!rd_read_numbers(RD_CGROUP "/cpu.max", &quota, &period) &&
	    rd_read_numbers(RD_CGROUP "/cpu/cpu.cfs_quota_us", &quota, &none))
		rd_read_numbers(RD_CGROUP "/cpu/cpu.cfs_period_us", &period, &none);
	return quota > 0 && period > 0 ? (int)((quota + period - 1) / period) : INT_MAX;
}

static RD_COLD int rd_processors(void)
{
	int n = 1, quota = rd_quota();
#ifdef __linux__
	cpu_set_t set;
	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		n = CPU_COUNT(&set);
#endif
	return n < quota ? n : quota;
}

// What was asked for, or OMP_NUM_THREADS, or as many as there are processors.
static RD_COLD int rd_wanted_threads(const struct futhark_context *ctx)
{
	const char *env = getenv("OMP_NUM_THREADS");
	int n = ctx->cfg->num_threads;
	if (n <= 0 && env)
		n = atoi(env);
	if (n <= 0)
		n = rd_processors();
	return n < RD_MOST_CHUNKS ? n : RD_MOST_CHUNKS;
}

// ---- Work ----

// The error of a chunk is kept if no chunk before it fails: that is the one a single thread
// would have met.
static RD_COLD void rd_chunk_failed(struct rd_pool *p, struct futhark_context *ctx, int64_t c,
                                    int err)
{
	pthread_mutex_lock(&p->lock);
	if (c < __atomic_load_n(&p->failed, __ATOMIC_RELAXED)) {
		__atomic_store_n(&p->failed, c, __ATOMIC_RELAXED);
		struct rd_text old = p->backtrace;
		rd_error_free(p->error);
		p->err = err;
		p->error = ctx->error;
		p->backtrace = ctx->backtrace;
		p->n_frames = ctx->n_frames;
		ctx->error = NULL;
		ctx->backtrace = old;
	}
	pthread_mutex_unlock(&p->lock);
	rd_clear_error(ctx);
}

static void rd_do_chunk(struct rd_pool *p, struct futhark_context *ctx, int64_t c, int64_t *busy)
{
	int64_t began = p->timed ? rd_nanoseconds() : 0;
	int err = RD_CANCELLED(ctx) ? rd_cancelled(ctx) : p->fn(ctx, p->args, c);
	if (err)
		rd_chunk_failed(p, ctx, c, err);
	if (began)
		*busy += rd_nanoseconds() - began;
}

// The first chunk of a share, or the last if it is another's; -1: none is left.
static int64_t rd_claim(struct rd_share *s, bool own)
{
	uint64_t t = __atomic_load_n(&s->ticket, __ATOMIC_ACQUIRE);
	for (;;) {
		int64_t next = (int64_t)(t & 0xffff), end = (int64_t)(t >> 16 & 0xffff);
		if (next >= end)
			return -1;
		uint64_t rest = own ? t + 1 : t - ((uint64_t)1 << 16);
		if (__atomic_compare_exchange_n(&s->ticket, &t, rest, false, __ATOMIC_ACQ_REL,
		                                __ATOMIC_ACQUIRE))
			return own ? next : end - 1;
	}
}

// All chunks that are left of a share, counted together: many threads count.  Until they are counted the
// region is not done, so nothing changes here.
static bool rd_do_share(struct rd_pool *p, struct futhark_context *ctx, struct rd_share *s, bool own,
                        int64_t *busy)
{
	int64_t c, did = 0;
	for (; (c = rd_claim(s, own)) >= 0; did++)
		if (c < __atomic_load_n(&p->failed, __ATOMIC_RELAXED))
			rd_do_chunk(p, ctx, c, busy);
	if (!did)
		return false;
	int64_t n = p->n_chunks;
	if (__atomic_add_fetch(&p->done, did, __ATOMIC_SEQ_CST) == n &&
	    __atomic_load_n(&p->caller_sleeps, __ATOMIC_SEQ_CST)) {
		pthread_mutex_lock(&p->lock);
		pthread_cond_signal(&p->finished);
		pthread_mutex_unlock(&p->lock);
	}
	return true;
}

// Claims chunks of the current region until there are none.
static void rd_work(struct rd_pool *p, struct futhark_context *ctx, int number, int64_t *busy)
{
	bool idle = !rd_do_share(p, ctx, &p->shares[number], true, busy);
	for (int i = 0; idle && i < RD_PATIENCE && p->spins; i++)
		rd_relax();
	for (int k = 1; k <= p->n_workers; k++) {
		int other = number + k <= p->n_workers ? number + k : number + k - p->n_workers - 1;
		rd_do_share(p, ctx, &p->shares[other], false, busy);
	}
}

static bool rd_has_work(const struct rd_pool *p, uint64_t seen)
{
	return __atomic_load_n(&p->region, __ATOMIC_SEQ_CST) != seen;
}

// Two threads at most, who wake others.  To be called with the lock held.
static void rd_wake(struct rd_pool *p)
{
	int asleep = __atomic_load_n(&p->sleepers, __ATOMIC_RELAXED);
	for (int i = 0; i < 2 && i < asleep && p->wanted > 0; i++) {
		p->wanted--;
		pthread_cond_signal(&p->work);
	}
}

static void *rd_worker_main(void *arg)
{
	struct rd_worker *w = (struct rd_worker *)arg;
	struct rd_pool *p = w->pool;
	uint64_t seen = 0;
	char room[1 << 15];
	if (w->ctx->watch_stack)
		w->ctx->watch_stack(room, sizeof room);
	while (!__atomic_load_n(&p->stop, __ATOMIC_ACQUIRE)) {
		for (int i = 0; i < p->spins && !rd_has_work(p, seen); i++)
			rd_relax();
		if (!rd_has_work(p, seen)) {
			pthread_mutex_lock(&p->lock);
			__atomic_add_fetch(&p->sleepers, 1, __ATOMIC_SEQ_CST);
			while (!rd_has_work(p, seen) && !__atomic_load_n(&p->stop, __ATOMIC_ACQUIRE))
				pthread_cond_wait(&p->work, &p->lock);
			__atomic_sub_fetch(&p->sleepers, 1, __ATOMIC_SEQ_CST);
			rd_wake(p);
			pthread_mutex_unlock(&p->lock);
		}
		seen = __atomic_load_n(&p->region, __ATOMIC_ACQUIRE);
		rd_work(p, w->ctx, w->number, &w->busy);
	}
	if (w->ctx->watch_stack)
		w->ctx->watch_stack(NULL, 0);
	return NULL;
}

// ---- The pool ----

static void rd_end_workers(struct rd_pool *p)
{
	pthread_mutex_lock(&p->lock);
	__atomic_store_n(&p->stop, 1, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
	for (int i = 0; i < p->n_workers; i++)
		pthread_join(p->workers[i].thread, NULL);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->work);
	pthread_cond_destroy(&p->finished);
}

// After a fork there are no workers to wait for, and what they slept on is in any state.
static RD_COLD void rd_end_pool(struct futhark_context *ctx)
{
	struct rd_pool *p = ctx->pool;
	ctx->pool = NULL;
	if (p->process == getpid())
		rd_end_workers(p);
	for (int i = 0; i < p->n_workers; i++) {
		struct futhark_context *c = p->workers[i].ctx;
		rd_free_cached(c);
		free(c->sums);
		rd_error_free(c->error);
		free(c->message.at);
		free(c->backtrace.at);
		free(c);
	}
	rd_error_free(p->error);
	free(p->backtrace.at);
	free(p->workers);
	free(p->shares);
	free(p);
}

static struct futhark_context *rd_worker_context(const struct futhark_context *ctx)
{
	struct futhark_context *c = (struct futhark_context *)calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->cfg = ctx->cfg;
	c->cancel = ctx->cancel;
	c->log = ctx->log;
	c->cache_limit = ctx->cache_limit;
	c->watch_stack = ctx->watch_stack;
	c->in_region = 1;
	return c;
}

// With as many threads as can be had; the caller is one of them.
static RD_COLD struct rd_pool *rd_new_pool(struct futhark_context *ctx, int n_threads)
{
	struct rd_pool *p = (struct rd_pool *)calloc(1, sizeof *p);
	struct rd_worker *ws = (struct rd_worker *)calloc((size_t)n_threads, sizeof *ws);
	struct rd_share *shares = (struct rd_share *)calloc((size_t)n_threads, sizeof *shares);
	if (!p || !ws || !shares) {
		free(p);
		free(ws);
		free(shares);
		return NULL;
	}
	p->process = getpid();
	p->workers = ws;
	p->shares = shares;
	p->spins = n_threads <= rd_processors() ? RD_SPINS : 0;
	p->failed = INT64_MAX;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->work, NULL);
	pthread_cond_init(&p->finished, NULL);
	for (int i = 0; i < n_threads - 1; i++) {
		struct rd_worker *w = &ws[i];
		w->pool = p;
		w->number = i + 1;
		w->ctx = rd_worker_context(ctx);
		if (!w->ctx || pthread_create(&w->thread, NULL, rd_worker_main, w) != 0) {
			free(w->ctx);
			break;
		}
		p->n_workers++;
	}
	return p;
}

// ---- Regions ----

// How many threads may take part: in regions none but this one.
static int64_t rd_threads(struct futhark_context *ctx)
{
	if (ctx->in_region)
		return 1;
	if (!ctx->n_threads)
		ctx->n_threads = rd_wanted_threads(ctx);
	return ctx->cfg->deterministic ? RD_FIXED_CHUNKS / RD_CHUNKS_PER_THREAD : ctx->n_threads;
}

// At most c chunks, of rows, each with enough work.
static int64_t rd_limit_chunks(int64_t c, int64_t n, int64_t work)
{
	if (c > work / RD_LEAST_CHUNK)
		c = work / RD_LEAST_CHUNK;
	if (c > RD_MOST_CHUNKS)
		c = RD_MOST_CHUNKS;
	return n < c ? (n < 1 ? 1 : n) : c;
}

// `extra` elements of a thread's own, which are set, added to and added up.  What does not stay in
// the cache costs several times as much.
static int64_t rd_time_of_copy(int64_t extra)
{
	return (extra <= RD_CACHED ? 2 : 8) * extra;
}

static int64_t rd_time_with_copies(int64_t threads, int64_t work, int64_t extra)
{
	return work / threads + rd_time_of_copy(extra);
}

// How many threads have copies.  Where that must not depend on how many there are, few of them have
// to do the work of all copies: it is at most half of the rest.
static int64_t rd_copies(struct futhark_context *ctx, int64_t work, int64_t extra)
{
	int64_t c = rd_threads(ctx);
	while (ctx->cfg->deterministic && extra > 0 && c > 1 && rd_time_of_copy(extra) > work / 2 / c)
		c /= 2;
	return c;
}

// Chunks for each thread, for balance; fewer where those would not have as many rows as are best
// done together.
static int64_t rd_chunks_per_thread(int64_t n, int64_t threads, int64_t together)
{
	int64_t k = RD_CHUNKS_PER_THREAD;
	while (k > 1 && together > 0 && n / (k * threads) < together)
		k /= 2;
	return k;
}

// Large chunks where each costs extra, else some for each thread.  (Were this RD_COLD, compilers
// would take what follows a call for unimportant.)
static RD_UNUSED RD_APART int64_t rd_choose_chunks(struct futhark_context *ctx, int64_t n, int64_t work,
                                                   int64_t extra)
{
	int64_t c = rd_copies(ctx, work, extra);
	if (extra > 0 && rd_time_with_copies(c, work, extra) > work - work / 8)
		return 1;
	if (extra <= 0 && work / RD_LEAST_CHUNK >= RD_CHUNKS_PER_THREAD * c && c > 1)
		c *= rd_chunks_per_thread(n, c, -extra);
	return rd_limit_chunks(c, n, work);
}

// Sums into arrays of `extra` elements: copies for each thread, or the same for all, which is
// `shared` operations altogether and adds in any order.  Minus the number of chunks for the latter.
static RD_UNUSED RD_APART int64_t rd_choose_sums(struct futhark_context *ctx, int64_t n, int64_t work,
                                                 int64_t extra, int64_t shared)
{
	int64_t threads = rd_threads(ctx), copies = rd_copies(ctx, work, extra);
	int64_t apart = rd_time_with_copies(copies, work, extra), least = work - work / 8, c = 1;
	if (copies > 1 && apart < least) {
		c = copies;
		least = apart;
	}
	if (threads > 1 && shared / threads < least && !ctx->cfg->deterministic) {
		c = rd_limit_chunks(RD_CHUNKS_PER_THREAD * threads, n, work);
		return c > 1 ? -c : 1;
	}
	return rd_limit_chunks(c, n, work);
}

// How many chunks for n rows that are `work` operations altogether, and `extra` for each chunk; or
// minus `extra` rows are best done together.
static inline int64_t rd_chunks(struct futhark_context *ctx, int64_t n, int64_t work, int64_t extra)
{
	return work < RD_LEAST_WORK ? 1 : rd_choose_chunks(ctx, n, work, extra);
}

static inline int64_t rd_sum_chunks(struct futhark_context *ctx, int64_t n, int64_t work, int64_t extra,
                                    int64_t shared)
{
	return work < RD_LEAST_WORK ? 1 : rd_choose_sums(ctx, n, work, extra, shared);
}

// Are n rows too few to keep all threads busy, and is each enough work for threads?
static inline bool rd_is_narrow(struct futhark_context *ctx, int64_t n, int64_t work)
{
	if (work < 2 * RD_LEAST_WORK || ctx->in_region)
		return false;
	int64_t threads = rd_threads(ctx);
	return threads > 1 && n > 0 && n < 2 * threads && n % threads != 0 &&
	       work / n >= 2 * RD_LEAST_WORK;
}

// A block as one chunk sees it.
static inline struct rd_block rd_shadow(const struct rd_block *b)
{
	struct rd_block shadow = *b;
	shadow.refs = 1 << 30;
	return shadow;
}

static int rd_in_order(struct futhark_context *ctx, int64_t n, rd_chunk_function *fn,
                       const void *args)
{
	int err = 0;
	for (int64_t c = 0; c < n && err == 0; c++)
		err = fn(ctx, args, c);
	return err;
}

// Neighbouring chunks for each thread, for as many threads as there are chunks.
static void rd_publish(struct rd_pool *p, int64_t n, rd_chunk_function *fn, const void *args)
{
	uint64_t region = __atomic_load_n(&p->region, __ATOMIC_RELAXED) + 1;
	int64_t threads = p->n_workers + 1, used = n < threads ? n : threads;
	p->fn = fn;
	p->args = args;
	p->n_chunks = n;
	__atomic_store_n(&p->done, 0, __ATOMIC_RELAXED);
	for (int64_t t = used; t-- > 0;)
		__atomic_store_n(&p->shares[t].ticket, region << 32 |
		                 (uint64_t)((t + 1) * n / used) << 16 | (uint64_t)(t * n / used),
		                 __ATOMIC_RELEASE);
	__atomic_store_n(&p->region, region, __ATOMIC_SEQ_CST);
	int asleep = __atomic_load_n(&p->sleepers, __ATOMIC_SEQ_CST);
	int64_t wanted = n - 1 - (p->n_workers - asleep); // besides this thread and those awake
	if (asleep > 0 && wanted > 0) {
		pthread_mutex_lock(&p->lock);
		p->wanted = wanted;
		rd_wake(p);
		pthread_mutex_unlock(&p->lock);
	}
}

static void rd_wait_for_chunks(struct rd_pool *p, int64_t n)
{
	for (int i = 0; i < p->spins && __atomic_load_n(&p->done, __ATOMIC_ACQUIRE) < n; i++)
		rd_relax();
	if (__atomic_load_n(&p->done, __ATOMIC_ACQUIRE) == n)
		return;
	pthread_mutex_lock(&p->lock);
	__atomic_store_n(&p->caller_sleeps, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&p->done, __ATOMIC_SEQ_CST) < n)
		pthread_cond_wait(&p->finished, &p->lock);
	__atomic_store_n(&p->caller_sleeps, 0, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&p->lock);
}

// Memory that workers had in use counts as the caller's.
static void rd_add_peaks(struct futhark_context *ctx, struct rd_pool *p)
{
	int64_t bytes = ctx->bytes_live;
	for (int i = 0; i < p->n_workers; i++) {
		bytes += p->workers[i].ctx->bytes_peak;
		p->workers[i].ctx->bytes_peak = 0;
	}
	if (bytes > ctx->bytes_peak)
		ctx->bytes_peak = bytes;
}

static RD_COLD int rd_take_chunk_error(struct futhark_context *ctx, struct rd_pool *p)
{
	int err = p->err;
	struct rd_text old = ctx->backtrace;
	rd_clear_error(ctx);
	ctx->error = p->error;
	ctx->backtrace = p->backtrace;
	ctx->n_frames = p->n_frames;
	p->error = NULL;
	p->backtrace = old;
	p->err = 0;
	__atomic_store_n(&p->failed, INT64_MAX, __ATOMIC_RELAXED);
	return err;
}

// What the threads did since it was asked last is this region's.  The workers are idle.
static RD_COLD void rd_count_threads(struct futhark_context *ctx, struct rd_region *r)
{
	struct rd_pool *p = ctx->pool;
	int64_t all = p->busy;
	for (int i = 0; i < p->n_workers; i++)
		all += p->workers[i].busy;
	if (!all)
		return;
	if (!r->busy)
		r->busy = (int64_t *)calloc((size_t)p->n_workers + 1, sizeof *r->busy);
	if (!r->busy)
		return;
	r->n_threads = p->n_workers + 1;
	r->busy[0] += p->busy;
	p->busy = 0;
	for (int i = 0; i < p->n_workers; i++) {
		r->busy[i + 1] += p->workers[i].busy;
		p->workers[i].busy = 0;
	}
}

static void rd_need_pool(struct futhark_context *ctx)
{
	if (ctx->pool && ctx->pool->process != getpid())
		rd_end_pool(ctx);       // the caller is a child of the process that had it
	if (ctx->pool || ctx->n_threads <= 1)
		return;
	ctx->pool = rd_new_pool(ctx, ctx->n_threads);
	ctx->end_pool = rd_end_pool;
	ctx->count_threads = rd_count_threads;
}

// By the threads there are.
static int rd_parallel_now(struct futhark_context *ctx, int64_t n, rd_chunk_function *fn,
                           const void *args)
{
	int err = 0;
	ctx->in_region = 1;
	struct rd_pool *p = ctx->pool;
	if (p) {
		p->timed = ctx->profiling && !ctx->profiling_paused;
		rd_publish(p, n, fn, args);
		rd_work(p, ctx, 0, &p->busy);
		rd_wait_for_chunks(p, n);
		rd_add_peaks(ctx, p);
		if (__atomic_load_n(&p->failed, __ATOMIC_RELAXED) < INT64_MAX)
			err = rd_take_chunk_error(ctx, p);
	} else {
		err = rd_in_order(ctx, n, fn, args);
	}
	ctx->in_region = 0;
	return err;
}

// Runs fn for chunks 0 .. n - 1; the error of the first that fails.  Large programs have hundreds of
// calls: were they inlined, C compilers would need half as long again.
static RD_UNUSED RD_APART int rd_parallel(struct futhark_context *ctx, int64_t n, rd_chunk_function *fn,
                                          const void *args)
{
	if (ctx->in_region)
		return rd_in_order(ctx, n, fn, args);
	rd_need_pool(ctx);
	return rd_parallel_now(ctx, n, fn, args);
}

// @end
#endif
