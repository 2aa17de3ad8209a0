// Launches operations that recur in the same order together, as CUDA graphs.
//
// A launch takes the host several microseconds, and a graph of a hundred kernels takes little more
// than a single launch.  The operations of a context are divided into runs.  A run begins after an operation that the host waited for, or after a host
// write, and ends before the next one; it also ends when a function of the interface returns, at
// the next iteration of a loop once it has some length, and in any case when it is long.
//
// A run that has occurred several times, with identical operations, becomes a graph.  Operations
// that match the beginning of a graph are held back as long as they continue to match; when the
// graph is complete, it is launched.  If they diverge, or end early, the held-back operations are
// launched one by one.  Operations after those of a graph belong to the same run, so that a longer
// graph will be created.
//
// Runs of the same kernels with other arguments (a loop counter, arrays at other addresses) get
// graphs that are updated: before such a graph is launched, the arguments that differ are set.
// This is still faster than launching the kernels, but slower than an unchanged graph.
//
// Note [Kernels alone].  A single kernel gets only a graph that is updated, and only if all of its threads
// fit the device at once.  On an H200 a call from Python with such a graph takes the host 1.2 us less (3.3 instead
// of 4.5), and the device is done 1.4 us earlier.  But where calls follow each other and kernels take
// longer than the host, each starts 1.1 us later than by dependent launches (stream.h), which
// do not overlap with graphs; kernels of many threads are more likely to take long.
//
// In a graph an operation waits only for those before that it has something to do with (depend.h), so that kernels
// which use a small part of the device run at the same time.  If nearly all of them wait for each other, or the
// driver cannot do it, a graph is a chain, as the stream it stands for.  A graph that is updated must be right for its
// new arguments too: see there, Note [Dependences of graphs that change].  All operations of a graph wait
// for those before it in the stream, and those after it for all of its own.
//
// Nothing is assumed to stay the same: each operation is compared with that of the graph,
// including all of its arguments.  A loop with another number of iterations, memory that was freed
// or moved, or a failure that ends an entry point early therefore costs time at most.  Entry
// points repeat themselves because the free lists (rts/c/memory.h) return the same blocks for the
// same sequence of requests.
//
// Graphs are not used if kernels are timed or logged individually, if the driver has no graphs or
// fails to create one, and with --no-graphs.
#ifndef RD_GRAPH_H
#define RD_GRAPH_H
#include "record.h"

// @chunk cuda_graph: cuda_record cuda_stream device_run
enum {
	RD_LEAST_RUN = 2,                               // operations of a graph that stays as it is
	RD_FIRST_RUN = 8,                               // runs get longer until the host waits, up to RD_LONGEST_RUN
	RD_FEW_ITERATIONS = 32,                         // so many may end with an iteration
	RD_RUNS = 4096,                                 // that are remembered; a power of two
	RD_RUNS_TRIED = 16,
	RD_SEEN_VERY_OFTEN = 3,
	RD_AT_ONCE = 2048,                              // threads of a processor
	RD_MOST_NODES = 1 << 15                         // operations in all graphs: each takes memory of the device
};

// How often a run must have been seen before it gets a graph: exactly so, or only alike (one that changes); RD_SEEN_VERY_OFTEN
// if it has one that changes already.  Tests set other numbers.
#ifndef RD_SEEN_OFTEN
#define RD_SEEN_OFTEN 2
#define RD_SEEN_ALIKE 2
#endif
#ifndef RD_LEAST_ALIKE
#define RD_LEAST_ALIKE 1                                // operations of a graph that changes
#endif

static uint64_t rd_mix(uint64_t h, const uint64_t *words, int n)
{
	int i;
	for (i = 0; i < n; i++) {
		h = (h ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}

// What the operations of runs that change have in common: kernels without their arguments.
static int rd_fixed_words(const uint64_t *op, bool changes)
{
	return changes && rd_is_kernel(op) ? 2 : rd_op_words(op);
}

static bool rd_same_op(const uint64_t *a, const uint64_t *b, bool changes)
{
	return memcmp(a, b, (size_t)rd_fixed_words(a, changes) * sizeof *a) == 0;
}

static uint64_t rd_hash_ops(const uint64_t *ops, int n_words, bool changes)
{
	uint64_t h = changes;
	int at;
	for (at = 0; at < n_words; at += rd_op_words(ops + at))
		h = rd_mix(h, ops + at, rd_fixed_words(ops + at, changes));
	return h;
}

static void rd_note_error(struct rd_graphs *g, const char *what, int err)
{
	if (!err || g->error)
		return;
	g->error = err;
	g->failed = what;
}

static int rd_report_noted(struct futhark_context *ctx, struct rd_graphs *g)
{
	int err = g->error;
	g->error = 0;
	if (RD_UNLIKELY(g->message)) {
		err = rd_device_error(ctx, "%s", g->message);
		free(g->message);
		g->message = NULL;
		return err;
	}
	return RD_UNLIKELY(err) ? rd_cu_failed(ctx, g->failed, err) : 0;
}

// ---- Late operations ----

// The kernels of late operations do not work: these are given up, with all after them.
static void rd_give_up_late(struct futhark_context *ctx, struct rd_graphs *g)
{
	if (!g->message)
		g->message = rd_copy_string(ctx->error ? ctx->error : "Error of the device.");
	rd_clear_error(ctx);
	ctx->device->api->n_late = 0;
}

// Starts all late operations; errors are kept until someone asks.
static void rd_catch_up(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	struct rd_api *cu = d->api;
	int at;
	for (at = 0; at < cu->n_late; at += rd_op_words(cu->late + at)) {
		const uint64_t *op = cu->late + at;
		if (rd_is_kernel(op) && rd_api_ready(ctx, (int)(rd_op_kernel(op) - d->kernels), rd_op_kernel(op)) != 0)
			rd_give_up_late(ctx, cu->graphs);
		else
			rd_note_error(cu->graphs, rd_op_name(op), rd_issue(cu, op, cu->stream));
	}
	cu->n_late = 0;
}

// Starts an operation, or keeps it with those that are late.
static void rd_start_op(struct futhark_context *ctx, const uint64_t *op)
{
	struct rd_api *cu = ctx->device->api;
	struct rd_device_kernel *k = rd_is_kernel(op) ? rd_op_kernel(op) : NULL;
	if (RD_UNLIKELY(ctx->capturing && k && !k->handle)) {
		rd_not_before(ctx);
		rd_give_up_late(ctx, cu->graphs);
		return;
	}
	if (RD_UNLIKELY(cu->n_late || (k && !k->handle))) {
		if (rd_keep_late(cu, op))
			return;
		rd_catch_up(ctx);
		if (k && rd_api_ready(ctx, (int)(k - ctx->device->kernels), k) != 0) {
			rd_give_up_late(ctx, cu->graphs);
			return;
		}
	}
	rd_note_error(cu->graphs, rd_op_name(op), rd_issue(cu, op, cu->stream));
}

// ---- Runs ----

// The i-th place where a run with this start may be.
static struct rd_run *rd_place_of_run(struct rd_graphs *g, uint64_t start, int i)
{
	return &g->runs[(start + (uint64_t)i) & (RD_RUNS - 1)];
}

// Does a run begin with the n words at hand?
static bool rd_begins_so(const struct rd_run *r, const struct rd_graphs *g, int n)
{
	int at;
	for (at = 0; at < n; at += rd_op_words(g->words + at))
		if (at + rd_op_words(g->words + at) > r->n_words || !rd_same_op(g->words + at, r->words + at, r->changes))
			return false;
	return true;
}

// Is a graph for this operation alone worth it?  See Note [Kernels alone].
static bool rd_pays_alone(const struct rd_graphs *g, const uint64_t *op)
{
	return rd_is_kernel(op) && (int64_t)(op[2] & UINT32_MAX) * (int64_t)(op[2] >> 32) <= g->most_threads;
}

// The longest graph that begins with the words at hand; or is no more than these.
static struct rd_run *rd_find_graph(struct rd_graphs *g, bool changes, bool whole)
{
	uint64_t start = rd_hash_ops(g->words, rd_op_words(g->words), changes);
	struct rd_run *best = NULL;
	int i;
	for (i = 0; i < RD_RUNS_TRIED; i++) {
		struct rd_run *r = rd_place_of_run(g, start, i);
		if (!r->graph || r->start != start || r->changes != changes || (r->n_ops == 1 && !rd_pays_alone(g, g->words)))
			continue;
		if (whole ? r->n_words != g->n_words : r->n_ops > g->most)
			continue;
		if ((!best || r->n_ops > best->n_ops) && rd_begins_so(r, g, g->n_words))
			best = r;
	}
	return best;
}

static void rd_forget_run(struct rd_api *cu, struct rd_run *r)
{
	rd_drop_graph(cu, r);
	free(r->nodes);
	free(r->regions);
	free(r->words);
	memset(r, 0, sizeof *r);
}

// The run at hand among those seen before, or in the place of one that was not used for long.
static struct rd_run *rd_remember_run(struct rd_api *cu, struct rd_graphs *g, bool changes)
{
	uint64_t hash = rd_hash_ops(g->words, g->n_words, changes);
	uint64_t start = rd_hash_ops(g->words, rd_op_words(g->words), changes);
	struct rd_run *r = NULL, *oldest = NULL;
	int i;
	for (i = 0; i < RD_RUNS_TRIED; i++) {
		r = rd_place_of_run(g, start, i);
		if (r->n_words == g->n_words && r->start == start && r->hash == hash && r->changes == changes)
			break;
		if (!oldest || r->used < oldest->used)
			oldest = r;
	}
	if (i == RD_RUNS_TRIED) {
		r = oldest;
		rd_forget_run(cu, r);
		r->changes = changes;
		r->start = start;
		r->hash = hash;
		r->n_words = g->n_words;
		r->n_ops = g->n_ops;
	}
	r->used = ++g->now;
	return r;
}

// ---- Graphs ----

// Makes room for a graph; graphs that were used not long ago stay.
static bool rd_room_for_graph(struct rd_api *cu, struct rd_graphs *g, int n_ops)
{
	while (g->n_nodes + n_ops > RD_MOST_NODES) {
		struct rd_run *oldest = NULL;
		int i;
		for (i = 0; i < RD_RUNS; i++)
			if (g->runs[i].graph && (!oldest || g->runs[i].used < oldest->used))
				oldest = &g->runs[i];
		if (!oldest || g->now - oldest->used < RD_RUNS)
			return false;
		rd_forget_run(cu, oldest);
	}
	return true;
}

// Makes a graph of the run at hand, which is this one.
static void rd_make_graph(struct futhark_context *ctx, struct rd_graphs *g, struct rd_run *r)
{
	struct rd_api *cu = ctx->device->api;
	size_t size = (size_t)g->n_words * sizeof *r->words;
	if (!r->words)
		r->words = (uint64_t *)malloc(size);
	if (r->changes && !r->nodes)
		r->nodes = (void **)malloc((size_t)g->n_ops * sizeof *r->nodes);
	if (!r->words || (r->changes && !r->nodes) || !rd_room_for_graph(cu, g, g->n_ops)) {
		r->seen = 0;
		return;
	}
	memcpy(r->words, g->words, size);
	if (rd_record_best(cu, g, r))
		return;
	rd_log(ctx, "The driver makes no graph of %d operations: there will be none.\n", g->n_ops);
	g->off = true;
}

// ---- The run at hand ----

static bool rd_note_words(struct rd_graphs *g, const uint64_t *words, int n)
{
	if (g->n_words + n > g->room) {
		int room = 2 * (g->n_words + n);
		uint64_t *more = (uint64_t *)realloc(g->words, (size_t)room * sizeof *more);
		if (!more)
			return false;
		g->words = more;
		g->room = room;
	}
	memcpy(g->words + g->n_words, words, (size_t)n * sizeof *words);
	g->n_words += n;
	g->n_ops++;
	return true;
}

// Starts the first n words of the run at hand, which were held back, one by one.
static void rd_let_go(struct futhark_context *ctx, struct rd_graphs *g, int n)
{
	int at;
	for (at = 0; at < n; at += rd_op_words(g->words + at))
		rd_start_op(ctx, g->words + at);
	g->follows = NULL;
}

// Starts the graph that the run at hand is, or begins with.
static void rd_start_graph(struct futhark_context *ctx, struct rd_graphs *g)
{
	struct rd_api *cu = ctx->device->api;
	struct rd_run *r = g->follows;
	if (cu->n_late) { // it comes after those
		rd_let_go(ctx, g, r->n_words);
		return;
	}
	if (r->changes && rd_set_arguments(cu, g, r) != 0) { // the driver does not want to: never again
		rd_let_go(ctx, g, r->n_words);
		rd_forget_run(cu, r);
		g->off = true;
		return;
	}
	rd_note_error(g, "cuGraphLaunch", cu->cuGraphLaunch(r->graph, cu->stream));
	r->used = ++g->now;
}

// Has the run at hand been seen often?  Then it gets a graph.
static bool rd_learn_run(struct futhark_context *ctx, struct rd_graphs *g, bool changes, int often)
{
	struct rd_run *r;
	int least = changes && rd_pays_alone(g, g->words) ? RD_LEAST_ALIKE : RD_LEAST_RUN;
	if (g->off || ctx->device->api->n_late || g->n_ops < least)
		return false;
	r = rd_remember_run(ctx->device->api, g, changes);
	if (r->seen++ >= often && !r->graph)
		rd_make_graph(ctx, g, r);
	return r->graph != NULL;
}

// The run at hand is at its end.
static void rd_end_run(struct futhark_context *ctx, struct rd_graphs *g)
{
	struct rd_api *cu = ctx->device->api;
	if (g->follows && g->n_words != g->follows->n_words) {
		bool changes = g->follows->changes;
		g->follows = rd_find_graph(g, changes, true);
		if (!g->follows && !changes)
			g->follows = rd_find_graph(g, true, true);
		if (!g->follows)
			rd_let_go(ctx, g, g->n_words);
	}
	if (g->follows)
		rd_start_graph(ctx, g);
	if (g->follows && g->follows->changes)
		rd_learn_run(ctx, g, false, RD_SEEN_VERY_OFTEN);
	else if (!g->follows && !rd_learn_run(ctx, g, false, RD_SEEN_OFTEN) &&
	         cu->cuGraphExecKernelNodeSetParams && cu->cuStreamGetCaptureInfo)
		rd_learn_run(ctx, g, true, RD_SEEN_ALIKE);
	g->follows = NULL;
	g->n_ops = g->n_words = 0;
	g->most = g->most < RD_LONGEST_RUN ? 2 * g->most : RD_LONGEST_RUN;
}

// Is the last operation of the run at hand held back?
static bool rd_hold_back(struct rd_graphs *g, int n)
{
	struct rd_run *r = g->follows;
	const uint64_t *op = g->words + g->n_words - n;
	if (!g->n_nodes)                // there is no graph
		return false;
	if (r && r->n_words >= g->n_words && rd_same_op(op, r->words + g->n_words - n, r->changes))
		return true;
	if (!r && g->n_ops > 1)
		return false;
	r = r && r->changes ? NULL : rd_find_graph(g, false, false);
	g->follows = r ? r : rd_find_graph(g, true, false);
	return g->follows != NULL;
}

// Does an operation, now or later; errors are kept until someone asks.
static void rd_perform_quietly(struct futhark_context *ctx, const uint64_t *op)
{
	struct rd_api *cu = ctx->device->api;
	struct rd_graphs *g = cu->graphs;
	struct rd_run *before = g->follows;
	int n = rd_op_words(op);
	cu->asked |= RD_ASKED_OPS;
	if (g->off || ctx->capturing || ctx->debugging || rd_is_timed(ctx) || !rd_note_words(g, op, n)) {
		rd_end_runs(ctx);
		rd_start_op(ctx, op);
		return;
	}
	if (!rd_hold_back(g, n)) {
		g->follows = before;
		if (before && before->n_words == g->n_words - n)
			rd_start_graph(ctx, g);
		else if (before)
			rd_let_go(ctx, g, g->n_words - n);
		g->follows = NULL;
		rd_start_op(ctx, op);
	}
	if (g->n_ops >= g->most)
		rd_end_run(ctx, g);
}

static int rd_perform(struct futhark_context *ctx, const uint64_t *op)
{
	rd_perform_quietly(ctx, op);
	return rd_report_noted(ctx, ctx->device->api->graphs);
}

// What comes next belongs to no run before.
static void rd_end_runs(struct futhark_context *ctx)
{
	struct rd_graphs *g = ctx->device->api->graphs;
	if (g->n_ops)
		rd_end_run(ctx, g);
	g->most = RD_FIRST_RUN;
}

// Starts all that is held back or late; errors are kept until someone asks.
static void rd_flush_quietly(struct futhark_context *ctx)
{
	if (!ctx->device->api->graphs) // there is no context
		return;
	rd_end_runs(ctx);
	if (ctx->device->api->n_late)
		rd_catch_up(ctx);
}

static int rd_flush(struct futhark_context *ctx)
{
	rd_flush_quietly(ctx);
	return rd_report_noted(ctx, ctx->device->api->graphs);
}

// A function of the interface ends.
static void rd_stream_end(struct futhark_context *ctx)
{
	struct rd_api *cu = ctx->device->api;
	bool alone = cu->stream == cu->own_stream; // else whoever waits asks others
	if (ctx->capturing)
		cu->asked = 0;
	if (cu->asked & RD_ASKED_OPS && cu->shown && !cu->graphs->off && ctx->device->ready && !ctx->debugging &&
	    !rd_is_timed(ctx) && (alone || ctx->device->may_have_failed))
		rd_show(ctx, 0, 0);
	rd_flush_quietly(ctx);
}

// Gives the memory of all graphs back; true if there were any.
static bool rd_drop_graphs(struct futhark_context *ctx)
{
	struct rd_api *cu = ctx->device->api;
	int i;
	if (!cu->graphs || !cu->graphs->n_nodes)
		return false;
	rd_flush_quietly(ctx);
	cu->cuStreamSynchronize(cu->stream);
	for (i = 0; i < RD_RUNS; i++)
		rd_forget_run(cu, &cu->graphs->runs[i]);
	return true;
}

RD_UNUSED
static void rd_iteration(struct futhark_context *ctx)
{
	struct rd_graphs *g = ctx->device->api->graphs;
	if (g->n_ops >= RD_FEW_ITERATIONS)
		rd_end_run(ctx, g);
}

// ---- Opening and closing ----

static int rd_graphs_open(struct futhark_context *ctx)
{
	enum { NON_BLOCKING = 1 };
	struct rd_api *cu = ctx->device->api;
	struct rd_graphs *g = (struct rd_graphs *)calloc(1, sizeof *g);
	if (g)
		g->runs = (struct rd_run *)calloc(RD_RUNS, sizeof *g->runs);
	if (!g || !g->runs) {
		free(g);
		return rd_out_of_memory(ctx, RD_RUNS, (int64_t)sizeof *g->runs);
	}
	cu->graphs = g;
	g->most = RD_FIRST_RUN;
	g->most_threads = RD_AT_ONCE * (int64_t)ctx->device->n_processors;
	g->off = ctx->cfg->device->no_graphs || !cu->cuStreamBeginCapture || !cu->cuStreamEndCapture ||
	         !cu->cuGraphInstantiate || !cu->cuGraphLaunch || !cu->cuGraphExecDestroy || !cu->cuGraphDestroy;
	g->chains = ctx->cfg->device->no_concurrent_kernels || !cu->cuStreamUpdateCaptureDependencies ||
	            !cu->cuStreamGetCaptureInfo;
	// One of its own: while a stream that waits for others records, these cannot be used elsewhere.
	if (!g->off && cu->cuStreamCreate(&g->stream, NON_BLOCKING) != 0)
		g->off = true;
	return 0;
}

static void rd_graphs_close(struct futhark_context *ctx)
{
	struct rd_api *cu = ctx->device->api;
	struct rd_graphs *g = cu->graphs;
	int i;
	if (!g)
		return;
	for (i = 0; i < RD_RUNS; i++)
		rd_forget_run(cu, &g->runs[i]);
	if (g->stream)
		cu->cuStreamDestroy(g->stream);
	rd_free_touched(&g->touched);
	free(g->runs);
	free(g->words);
	free(g->message);
	free(g);
	cu->graphs = NULL;
}
// @end
#endif
