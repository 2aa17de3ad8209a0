// The functions of the C interface that all programs have: configurations and contexts.
//
// A context may be used from several threads: each function of the interface locks it while it runs.
#ifndef RD_API_H
#define RD_API_H
#ifndef RD_API
#define RD_API
#endif
#include "memory.h"
#include "object.h"
#include "timing.h"

// @chunk lock: context prims
#include <sched.h>
// Without the device: for what asks nothing of it.
RD_HOT void rd_hold(struct futhark_context *ctx)
{
#if defined(__GNUC__)
	while (__atomic_test_and_set(&ctx->busy, __ATOMIC_ACQUIRE))
		sched_yield();
#else
	(void)ctx;
#endif
}

RD_HOT void rd_let(struct futhark_context *ctx)
{
#if defined(__GNUC__)
	__atomic_clear(&ctx->busy, __ATOMIC_RELEASE);
#else
	(void)ctx;
#endif
}

RD_HOT void rd_lock(struct futhark_context *ctx)
{
	rd_hold(ctx);
#ifdef RD_GPU
	rd_device_attach(ctx);
#endif
}

// False: another thread has it.
RD_HOT bool rd_try_lock(struct futhark_context *ctx)
{
#if defined(__GNUC__)
	if (__atomic_test_and_set(&ctx->busy, __ATOMIC_ACQUIRE))
		return false;
#endif
#ifdef RD_GPU
	rd_device_attach(ctx);
#endif
	return true;
}

RD_HOT void rd_unlock(struct futhark_context *ctx)
{
#ifdef RD_GPU
	rd_device_detach(ctx);
#endif
	rd_let(ctx);
}

// @chunk api_params: context
// Sets one of n tuning parameters, -1: to nothing; 1: there is none of that name.
RD_UNUSED
static int rd_set_param(struct futhark_context_config *cfg, const char *const *names, int n,
                        const char *name, size_t value)
{
	int k = 0;
	while (k < n && strcmp(names[k], name) != 0)
		k++;
	if (k == n)
		return 1;
	if (!cfg->settings)
		cfg->settings = (int64_t *)calloc((size_t)n, sizeof *cfg->settings);
	if (!cfg->settings)
		return 1;
	cfg->settings[k] = (int64_t)(value + 1);
	return 0;
}

// @chunk api_config: context fail prims
RD_API struct futhark_context_config *futhark_context_config_new(void)
{
	struct futhark_context_config *cfg = (struct futhark_context_config *)calloc(1, sizeof *cfg);
#ifdef RD_GPU
	if (cfg && !(cfg->device = rd_device_config_new())) {
		free(cfg);
		return NULL;
	}
#endif
	return cfg;
}

// A configuration must not go before the contexts made with it.
RD_API void futhark_context_config_free(struct futhark_context_config *cfg)
{
#ifdef RD_GPU
	rd_device_config_free(cfg->device);
#endif
	free(cfg->cache_file);
	free(cfg->settings);
	free(cfg);
}

RD_API void futhark_context_config_set_debugging(struct futhark_context_config *cfg, int flag)
{
	cfg->debugging = flag;
	cfg->logging = flag ? 1 : cfg->logging;
	cfg->profiling = flag ? 1 : cfg->profiling;
}

RD_API void futhark_context_config_set_profiling(struct futhark_context_config *cfg, int flag)
{
	cfg->profiling = flag;
}

RD_API void futhark_context_config_set_logging(struct futhark_context_config *cfg, int flag)
{
	cfg->logging = flag;
}

RD_API void futhark_context_config_set_cache_file(struct futhark_context_config *cfg,
                                                  const char *path)
{
	free(cfg->cache_file);
	cfg->cache_file = strdup(path);
}

// How many bytes derivatives may take.  1: the program was compiled without --memory-budget, or has
// no loops in reverse mode.
RD_API int futhark_context_config_set_memory_budget(struct futhark_context_config *cfg, size_t bytes)
{
	return futhark_context_config_set_tuning_param(cfg, "memory_budget", bytes);
}

// @chunk api_threads: api_config
// 0: as many threads as there are processors.  The results of a program that adds floats may
// depend on their number, unless they are to be deterministic.
RD_API void futhark_context_config_set_num_threads(struct futhark_context_config *cfg, int n)
{
	cfg->num_threads = n;
}

RD_API void futhark_context_config_set_deterministic(struct futhark_context_config *cfg, int flag)
{
	cfg->deterministic = flag;
}

// @chunk api_context: api_config memory lock error_text
RD_API void futhark_context_free(struct futhark_context *ctx);

#ifdef RD_CONSTANTS
static int rd_evaluate_constants(struct futhark_context *ctx);
static void rd_free_constants(struct futhark_context *ctx);

// A constant was evaluated, unless the device has failed meanwhile.
static int rd_constant_done(struct futhark_context *ctx)
{
#ifdef RD_GPU
	return rd_dev_sync(ctx);
#else
	(void)ctx;
	return FUTHARK_SUCCESS;
#endif
}

// What fails is there to be asked for; servers tell when it is needed, and answer for entry points
// that do not.  It is no part of a profile.
RD_FUN void rd_start_constants(struct futhark_context *ctx)
{
	int err;
	rd_lock(ctx);
	ctx->profiling_paused = 1;
	err = rd_evaluate_constants(ctx);
#ifdef RD_SERVER
	if (err)
		rd_clear_error(ctx);
#else
	(void)err;
#endif
	ctx->profiling_paused = 0;
	rd_unlock(ctx);
}
#endif

RD_API struct futhark_context *futhark_context_new(struct futhark_context_config *cfg)
{
	struct futhark_context *ctx = (struct futhark_context *)calloc(1, sizeof *ctx);
	if (!ctx)
		return NULL;
	ctx->cfg = cfg;
	ctx->cancel = &ctx->cancelled;
	cfg->in_use = true;
	ctx->debugging = cfg->debugging;
	ctx->profiling = cfg->profiling;
	ctx->logging = cfg->logging;
	ctx->log = stderr;
	ctx->allocator = cfg->allocator;
#ifdef RD_GPU
	rd_device_open(ctx); // an error is there to be asked for
	if (!ctx->device) {
		futhark_context_free(ctx);
		return NULL;
	}
#endif
#ifdef RD_CONSTANTS
	if (!ctx->error)
		rd_start_constants(ctx);
#endif
	return ctx;
}

static void rd_forget_regions(struct futhark_context *ctx)
{
	for (int i = 0; i < ctx->n_regions; i++)
		free(ctx->regions[i].busy);
	free(ctx->regions);
	ctx->regions = NULL;
	ctx->n_regions = 0;
}

RD_API void futhark_context_free(struct futhark_context *ctx)
{
	ctx->cfg->in_use = false;
	if (ctx->pool)
		ctx->end_pool(ctx);
#ifdef RD_CONSTANTS
	rd_free_constants(ctx);
#endif
#ifdef RD_GPU
	rd_device_close(ctx);
#else
	rd_free_cached(ctx);
	free(ctx->sums);
#endif
	rd_error_free(ctx->error);
	free(ctx->message.at);
	free(ctx->backtrace.at);
	free(ctx->events.at);
	rd_forget_regions(ctx);
	free(ctx);
}

// On the host functions return when they are done, and there is never anything to wait for.
RD_API int futhark_context_sync(struct futhark_context *ctx)
{
#ifdef RD_GPU
	int err;
	rd_lock(ctx);
	err = rd_dev_sync(ctx);
	rd_unlock(ctx);
	return err;
#else
	(void)ctx;
	return FUTHARK_SUCCESS;
#endif
}

RD_API char *futhark_context_get_error(struct futhark_context *ctx)
{
	rd_lock(ctx);
	char *error = rd_take_error(ctx);
	rd_unlock(ctx);
	return error;
}

RD_API void futhark_context_set_logging_file(struct futhark_context *ctx, FILE *f)
{
	ctx->log = f;
}

RD_API void futhark_context_pause_profiling(struct futhark_context *ctx)
{
	ctx->profiling_paused = 1;
}

RD_API void futhark_context_unpause_profiling(struct futhark_context *ctx)
{
	ctx->profiling_paused = 0;
}

RD_API int futhark_context_clear_caches(struct futhark_context *ctx)
{
	rd_lock(ctx);
	rd_free_cached(ctx);
	ctx->bytes_peak = ctx->bytes_live;
	ctx->events.len = 0;
	rd_forget_regions(ctx);
#ifdef RD_GPU
	rd_device_clear_events(ctx);
#endif
	rd_unlock(ctx);
	return FUTHARK_SUCCESS;
}

// @chunk api_report: api_context json
// The loops that ran, with how often and the microseconds of all times together, and of each thread.
RD_FUN void rd_put_regions(struct rd_text *t, struct futhark_context *ctx)
{
	const char *comma = ctx->events.len ? ", " : "";
	for (int i = 0; i < ctx->n_regions; i++) {
		const struct rd_region *r = &ctx->regions[i];
		if (!r->count)
			continue;
		rd_text_put(t, "%s{\"name\": \"region %d\", \"description\": ", comma, i);
		rd_put_json_string(t, r->description);
		rd_text_put(t, ", \"provenance\": ");
		rd_put_json_string(t, r->where);
		if (r->around >= 0)
			rd_text_put(t, ", \"within\": \"region %d\"", r->around);
		for (int k = 0; k < r->n_threads; k++)
			rd_text_put(t, "%s%.3f%s", k ? ", " : ", \"threads\": [", (double)r->busy[k] / 1000,
			            k == r->n_threads - 1 ? "]" : "");
		rd_text_put(t, ", \"count\": %lld, \"duration\": %.3f}", (long long)r->count,
		            (double)r->nanoseconds / 1000);
		comma = ", ";
	}
#ifdef RD_GPU
	rd_device_events(ctx, t, comma);
#endif
}

// {"memory": {"default space": PEAK}, "events": [...]}, allocated.
RD_API char *futhark_context_report(struct futhark_context *ctx)
{
	struct rd_text t = {NULL, 0, 0};
	rd_lock(ctx);
#ifdef RD_GPU
#define RD_SPACE "device"
#else
#define RD_SPACE "default space"
#endif
	rd_text_put(&t, "{\"memory\": {\"" RD_SPACE "\": %lld}, \"events\": [%s",
	            (long long)ctx->bytes_peak, ctx->events.len ? ctx->events.at : "");
	rd_put_regions(&t, ctx);
	rd_text_put(&t, "]}");
	rd_unlock(ctx);
	return t.at;
}

// @chunk api_cancel: context
RD_HOT void rd_set_cancelled(struct futhark_context *ctx, char flag)
{
#if defined(__GNUC__)
	__atomic_store_n(&ctx->cancelled, flag, __ATOMIC_RELAXED);
#else
	*(volatile char *)&ctx->cancelled = flag;
#endif
}

// Lets the call of an entry point that runs in another thread, if one does, end with an error.  May be
// called by signal handlers.
RD_API void futhark_context_cancel(struct futhark_context *ctx)
{
	rd_set_cancelled(ctx, 1);
}

// @chunk entry: context lock timing api_cancel
// Every call of an entry point goes through these two.
RD_HOT int64_t rd_enter(struct futhark_context *ctx)
{
	rd_lock(ctx);
	rd_set_cancelled(ctx, 0);
	return ctx->profiling || ctx->logging ? rd_wall_time() : 0;
}

RD_HOT int rd_leave(struct futhark_context *ctx, const char *entry, int64_t start, int err)
{
#ifdef RD_GPU
	if (!err && (ctx->logging || ctx->profiling))
		err = rd_dev_sync(ctx); // the time is to be that of all the work
#endif
	if (ctx->logging && ctx->log)
		fprintf(ctx->log, "Entry point %s: %lld microseconds, at most %lld bytes of memory so far.\n",
		        entry, (long long)(rd_wall_time() - start), (long long)ctx->bytes_peak);
	if (ctx->profiling && !ctx->profiling_paused)
		rd_text_put(&ctx->events,
		            "%s{\"name\": \"%s\", \"description\": \"Entry point %s.\", \"duration\": %lld}",
		            ctx->events.len ? ", " : "", entry, entry,
		            (long long)(rd_wall_time() - start));
	rd_unlock(ctx);
	return err;
}

// @chunk invalid_sizes: object
// The format says which sizes are expected, and which there are.
RD_FUN RD_PRINTF(2, 3) int rd_invalid_sizes(struct futhark_context *ctx, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	ctx->message.len = 0;
	rd_text_put(&ctx->message, "Error: entry point arguments have invalid sizes.\n");
	rd_text_vput(&ctx->message, format, args);
	va_end(args);
	rd_set_error(ctx, ctx->message.len ? ctx->message.at : rd_no_memory);
	ctx->message.len = 0;
	return RD_API_ERROR;
}

// @chunk unshared: object block_bytes
// The block of an argument that is consumed: a copy where others have the block too.
RD_HOT int rd_unshare(struct futhark_context *ctx, struct rd_block **out, struct rd_block *from,
                      int64_t n, int64_t elem_size, bool given_twice)
{
	if (from->refs == 1 && !given_twice) {
		from->refs++;
		*out = from;
		return FUTHARK_SUCCESS;
	}
	if (rd_alloc(ctx, out, n, elem_size) != 0)
		return FUTHARK_OUT_OF_MEMORY;
	return rd_block_copy(ctx, *out, 0, from, 0, n * elem_size);
}

// @chunk absent: object block_bytes
// Another reference to the block of an argument that is there.
RD_HOT int rd_borrow(struct futhark_context *ctx, struct rd_block **out, struct rd_block *from,
                     int64_t n, int64_t elem_size)
{
	(void)ctx;
	(void)n;
	(void)elem_size;
	from->refs++;
	*out = from;
	return FUTHARK_SUCCESS;
}

// Zeros where the payload of another variant would be.
RD_HOT int rd_fill_absent(struct futhark_context *ctx, struct rd_block **out, int64_t n,
                          int64_t elem_size)
{
	if (rd_alloc(ctx, out, n, elem_size) != 0)
		return FUTHARK_OUT_OF_MEMORY;
	return rd_block_zero(ctx, *out, 0, n * elem_size);
}
// @end
#endif
