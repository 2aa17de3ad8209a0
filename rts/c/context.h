// Contexts: what a run of generated code needs to know and remember.
//
// Contexts are independent of each other, so that threads may use different ones at the same time;
// one context is used by one thread at a time.  It stays usable after an error.
#ifndef RD_CONTEXT_H
#define RD_CONTEXT_H
#include "base.h"

// @chunk text: base
// What makes messages is not worth the time of an optimiser.  Such functions have no arrays of their own: the checks of
// _FORTIFY_SOURCE are wrong about these in unoptimised ones.
#if defined(__clang__)
#define RD_SAYING __attribute__((cold, noinline, unused, optnone))
#elif defined(__GNUC__)
#define RD_SAYING __attribute__((cold, noinline, unused, optimize("O0")))
#else
#define RD_SAYING
#endif

// A string that grows.  Running out of memory for it leaves it as it was.
struct rd_text {
	char *at;
	size_t len, cap;
};

static RD_SAYING bool rd_text_room(struct rd_text *t, size_t n)
{
	if (t->len + n + 1 <= t->cap)
		return true;
	size_t cap = 2 * (t->len + n + 1);
	char *at = (char *)realloc(t->at, cap);
	if (!at)
		return false;
	t->at = at;
	t->cap = cap;
	return true;
}

static RD_PRINTF(2, 0) RD_SAYING void rd_text_vput(struct rd_text *t, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, args);
	if (n >= 0 && rd_text_room(t, (size_t)n)) {
		vsnprintf(t->at + t->len, (size_t)n + 1, format, again);
		t->len += (size_t)n;
	}
	va_end(again);
}

static RD_PRINTF(2, 3) RD_SAYING void rd_text_put(struct rd_text *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	rd_text_vput(t, format, args);
	va_end(args);
}

// @chunk context: base codes text
enum { RD_SIZE_CLASSES = 256 };

struct rd_device_config;

// Memory of a device by functions of the caller's: the address, and in *handle what it is freed by.
struct rd_allocator {
	void *(*get)(void *user, int64_t bytes, void **handle);
	void (*put)(void *user, void *handle);
	void *user;
};

struct futhark_context_config {
	int debugging, profiling, logging;
	char *cache_file;
	bool in_use;
	int num_threads;                // 0: as many as there are processors
	int deterministic;              // results do not depend on how many
	int64_t *settings;              // of tuning parameters, one more than it; 0: not set.  NULL: none is
	struct rd_device_config *device; // of programs for GPUs (rts/gpu/device.h)
	struct rd_allocator allocator;  // likewise
};

struct rd_block;
struct rd_pool;
struct rd_device;

// What a profile knows of one loop of the program.
struct rd_region {
	int around;                     // the number of the one around it, or -1
	const char *description, *where;
	int64_t count, nanoseconds;
	int64_t *busy;                  // of each thread, likewise; NULL: not shared out
	int n_threads;
};

struct futhark_context {
	struct futhark_context_config *cfg;
	int debugging, profiling, logging, profiling_paused;
	FILE *log;

	char *error;                    // of the last call, allocated, or NULL
	struct rd_text message;         // a message in the making
	char shown[8][33];              // texts of its last floats (show.h)
	unsigned n_shown;
	struct rd_text backtrace;       // its lines
	int n_frames;

	struct rd_block *free_blocks[RD_SIZE_CLASSES];
	unsigned n_shifted;             // see rd_shift_of
	int64_t bytes_live, bytes_peak, bytes_cached;
	int64_t cache_limit;            // bytes_cached at most; 0: any number, -1: none
	int64_t allocations;            // of memory from the system
	struct rd_constants *constants; // of the program, once there are any (RD_CONSTANTS)
	struct rd_block *deferred;      // blocks to release, by threads that did not want to wait

	char busy;                      // a thread is in a function of the interface
	char cancelled;                 // what runs is to stop
	const char *cancel;             // the `cancelled` of the context that regions belong to
	struct rd_pool *pool;           // of threads, once there is one (parallel.h)
	void (*end_pool)(struct futhark_context *);
	void (*watch_stack)(void *room, size_t bytes); // by each thread first, or NULL
	void (*count_threads)(struct futhark_context *, struct rd_region *); // for profiles
	int n_threads;                  // 0: not known yet
	int in_region;                  // regions inside of others use no threads
	struct rd_sums *sums;           // what is to be added to places that threads share
	struct rd_text events;          // of a profile, as JSON
	struct rd_region *regions;      // likewise, by number
	int n_regions;
	struct rd_device *device;       // of programs for GPUs
	struct rd_allocator allocator;  // likewise: where their memory is from; NULLs: the driver
	bool capturing;                 // likewise: the caller captures its stream into a CUDA graph (rts/gpu/caller.h)
};

// @chunk rd_setting: context
// What tuning parameter k of the program is set to, or -1.
static int64_t rd_setting(const struct futhark_context *ctx, int k)
{
	return ctx->cfg->settings ? (int64_t)((uint64_t)ctx->cfg->settings[k] - 1) : -1;
}

// @chunk fail: context
enum { RD_MAX_FRAMES = 200 };

// Stands for a text of an error that there was no memory for.
static const char rd_no_memory[] = "Failed to allocate memory.";

static char *rd_error_copy(const char *text)
{
	char *copy = strdup(text);
	return copy ? copy : (char *)rd_no_memory;
}

static void rd_error_free(char *error)
{
	if (error != rd_no_memory)
		free(error);
}

// Whether the last line of the backtrace is this place; it then says that it is repeated.
static RD_SAYING int rd_is_last_frame(struct futhark_context *ctx, const char *place, int n)
{
	static const char mark[] = " (repeated)\n";
	struct rd_text *b = &ctx->backtrace;
	int m = (int)sizeof mark - 1, len = (int)b->len;
	int marked = len > m && !memcmp(b->at + len - m, mark, (size_t)m);
	int end = marked ? len - m : len - 1;
	if (end < n + 1 || memcmp(b->at + end - n, place, (size_t)n) || b->at[end - n - 1] != ' ')
		return 0;
	if (!marked) {
		b->len = (size_t)end;
		rd_text_put(b, "%s", mark);
	}
	return 1;
}

// Adds places, outermost call last, one to a line of `where`, to the backtrace.  Of a recursion
// each place is shown once; deep traces are cut short.
static RD_SAYING void rd_add_frames(struct futhark_context *ctx, const char *where)
{
	while (*where) {
		int n = (int)strcspn(where, "\n");
		if (rd_is_last_frame(ctx, where, n)) {
			// The frame itself stays, so that the next one is compared with it.
			where += n + (where[n] == '\n');
			continue;
		}
		if (ctx->n_frames < RD_MAX_FRAMES)
			rd_text_put(&ctx->backtrace, "%s #%-2d %.*s\n", ctx->n_frames ? "  " : "->",
			            ctx->n_frames, n, where);
		else if (ctx->n_frames == RD_MAX_FRAMES)
			rd_text_put(&ctx->backtrace, "   ...\n");
		ctx->n_frames++;
		where += n + (where[n] == '\n');
	}
}

static void rd_clear_error(struct futhark_context *ctx)
{
	rd_error_free(ctx->error);
	ctx->error = NULL;
	ctx->backtrace.len = 0;
	ctx->n_frames = 0;
}

// Adds to the message in the making.
static RD_PRINTF(2, 3) RD_SAYING void rd_put(struct futhark_context *ctx, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	rd_text_vput(&ctx->message, format, args);
	va_end(args);
}

// The message is complete: an error at a place in the program.
static RD_SAYING int rd_fail_said(struct futhark_context *ctx, const char *where)
{
	rd_clear_error(ctx);
	ctx->error = rd_error_copy(ctx->message.len ? ctx->message.at : "");
	ctx->message.len = 0;
	rd_add_frames(ctx, where);
	return FUTHARK_PROGRAM_ERROR;
}

// Sets the error and its place; gives FUTHARK_PROGRAM_ERROR.
static RD_PRINTF(3, 4) RD_SAYING int rd_fail(struct futhark_context *ctx, const char *where,
                                             const char *format, ...)
{
	va_list args;
	va_start(args, format);
	ctx->message.len = 0;
	rd_text_vput(&ctx->message, format, args);
	va_end(args);
	return rd_fail_said(ctx, where);
}

// @chunk cancel: fail
// Asked by loops: so many iterations of one operation at a time; PARTS: of several vectors; FILLED:
// elements that are only written, into pages that may be new; LARGE: bytes that are copied at once.
enum { RD_TURNS = 1 << 20, RD_PARTS = 1 << 17, RD_PART = 1 << 20, RD_FILLED = 1 << 17,
       RD_LARGE = 1 << 22 };
#if defined(__GNUC__)
#define RD_CANCELLED(ctx) RD_UNLIKELY(__atomic_load_n((ctx)->cancel, __ATOMIC_RELAXED))
#else
#define RD_CANCELLED(ctx) (*(const volatile char *)(ctx)->cancel)
#endif

static RD_SAYING int rd_cancelled(struct futhark_context *ctx)
{
	rd_clear_error(ctx);
	ctx->error = rd_error_copy("cancelled");
	return FUTHARK_PROGRAM_ERROR;
}

// @chunk rd_copy: cancel
// Copies, in parts if there is much of it; not 0: the call was cancelled meanwhile.
static RD_UNUSED RD_COLD int rd_copy_parts(struct futhark_context *ctx, char *to, const char *from,
                                           size_t n)
{
	for (; n > RD_LARGE; n -= RD_LARGE, to += RD_LARGE, from += RD_LARGE) {
		memcpy(to, from, RD_LARGE);
		if (RD_CANCELLED(ctx))
			return 1;
	}
	memcpy(to, from, n);
	return 0;
}

static inline int rd_copy(struct futhark_context *ctx, void *to, const void *from, size_t n)
{
	if (RD_UNLIKELY(n > RD_LARGE))
		return rd_copy_parts(ctx, (char *)to, (const char *)from, n);
	memcpy(to, from, n);
	return 0;
}

// @chunk rd_set_bytes: cancel
// Likewise with the same byte everywhere.
static RD_UNUSED RD_COLD int rd_set_parts(struct futhark_context *ctx, char *to, int with, size_t n)
{
	for (; n > RD_LARGE; n -= RD_LARGE, to += RD_LARGE) {
		memset(to, with, RD_LARGE);
		if (RD_CANCELLED(ctx))
			return 1;
	}
	memset(to, with, n);
	return 0;
}

static inline int rd_set_bytes(struct futhark_context *ctx, void *to, int with, size_t n)
{
	if (RD_UNLIKELY(n > RD_LARGE))
		return rd_set_parts(ctx, (char *)to, with, n);
	memset(to, with, n);
	return 0;
}

// @chunk stack: fail
// Recursion without end is an error before the stack is full.  Where the stack of a thread ends does not
// change, and the thread remembers it: first it seems to have none.
#if defined(__GLIBC__) && defined(__GNUC__) && defined(_GNU_SOURCE)
#if __GLIBC_PREREQ(2, 34)
#define RD_STACK_IS_LOW() RD_UNLIKELY((uintptr_t)__builtin_frame_address(0) < rd_stack_end && \
                                      rd_stack_is_low((uintptr_t)__builtin_frame_address(0)))
#include <pthread.h>
#include <unistd.h>
static __thread uintptr_t rd_stack_end = UINTPTR_MAX;

// A quarter of the stack is for what does not recurse, if that is not much.  Linux ends a stack that
// grows 256 pages before what is mapped below it, which getattr does not count.
static RD_COLD bool rd_stack_is_low(uintptr_t at)
{
	const size_t enough = (size_t)1 << 18, gap = 256 * (size_t)sysconf(_SC_PAGESIZE);
	pthread_attr_t attr;
	void *low = NULL;
	size_t size = 0;
	if (rd_stack_end == UINTPTR_MAX) {
		rd_stack_end = 0;
		if (pthread_getattr_np(pthread_self(), &attr) == 0) {
			if (pthread_attr_getstack(&attr, &low, &size) == 0)
				rd_stack_end = (uintptr_t)low + (size / 2 < gap ? 0 : gap) +
				               (size / 4 < enough ? size / 4 : enough);
			pthread_attr_destroy(&attr);
		}
	}
	return at < rd_stack_end;
}
#endif
#endif
#ifndef RD_STACK_IS_LOW
#define RD_STACK_IS_LOW() 0
#endif

static RD_SAYING int rd_too_deep(struct futhark_context *ctx, const char *name, const char *where)
{
	return rd_fail(ctx, where, "Stack overflow: recursion of \"%s\" too deep.", name);
}

// @chunk called_from: fail
// An error comes out of a call made at this place.
static RD_COLD int rd_called_from(struct futhark_context *ctx, int err, const char *where)
{
	rd_add_frames(ctx, where);
	return err;
}

// @chunk error_text: fail
#ifdef RD_SOURCE_LINES
// Below the trace, the line of the innermost place that is the user's:
//
//        3 |   let y = xs[i]
//          |           ^^^^^
static RD_SAYING void rd_put_line(struct rd_text *all, const char *place)
{
	enum { N_LINES = sizeof rd_source_lines / sizeof *rd_source_lines };
	size_t n = strcspn(place, "\n"), key = n;
	int i, line = 0, from = 0, to = 0, more = 0;
	// FILE:LINE:FROM-TO, or FILE:LINE:FROM-LINE:TO
	while (key && place[key - 1] != '-')
		key--;
	while (key && place[key - 1] != ':')
		key--;
	if (!key || sscanf(place + key, "%d-%d:%d", &from, &to, &more) < 2)
		return;
	for (key--, i = 0; i < N_LINES; i += 2)
		if (strlen(rd_source_lines[i]) == key && !memcmp(rd_source_lines[i], place, key))
			break;
	if (i >= N_LINES)
		return;
	sscanf(strrchr(rd_source_lines[i], ':') + 1, "%d", &line);
	rd_text_put(all, "\n%4d | %s\n     | %*s^", line, rd_source_lines[i + 1], from - 1, "");
	n = strlen(rd_source_lines[i + 1]);
	for (i = from + 1; i < (more ? (int)n + 1 : to) && i <= (int)n; i++)
		rd_text_put(all, "^");
	rd_text_put(all, "\n");
}

static RD_SAYING void rd_put_source(struct rd_text *all, const char *trace)
{
	while (trace && *trace) {
		const char *place = strchr(trace, '#'), *end = strchr(trace, '\n');
		place = place ? strchr(place, ' ') : NULL;
		if (!place || !end)
			return;
		while (*place == ' ')
			place++;
		if (strncmp(place, "/prelude/", 9) != 0) {
			rd_put_line(all, place);
			return;
		}
		trace = end + 1;
	}
}
#endif

// The error as users see it, allocated, or NULL; forgets it, unless there is no memory for it.
//
//     Error: division by zero
//
//     Backtrace:
//     -> #0  a.fut:3:5-9
static RD_SAYING char *rd_take_error(struct futhark_context *ctx)
{
	if (!ctx->error)
		return NULL;
	struct rd_text all = {NULL, 0, 0};
	if (ctx->n_frames)
		rd_text_put(&all, "Error: %s\n\nBacktrace:\n%.*s", ctx->error, (int)ctx->backtrace.len,
		            ctx->backtrace.at ? ctx->backtrace.at : "");
#ifdef RD_SOURCE_LINES
	if (ctx->n_frames && ctx->backtrace.len)
		rd_put_source(&all, ctx->backtrace.at);
#endif
	if (!ctx->n_frames)
		rd_text_put(&all, "%s", ctx->error);
	if (all.at)
		rd_clear_error(ctx);
	return all.at;
}

// @chunk clock: base
#include <time.h>
static RD_UNUSED int64_t rd_nanoseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// @end
#endif
