// Makes the graph of a run of operations, and sets its arguments (graph.h says which runs get one).
//
// A graph is recorded: while a stream is captured, operations that are put into it become nodes, of which each comes
// after those that the driver is told, or after the one before if it is told nothing (a chain).
#ifndef RD_RECORD_H
#define RD_RECORD_H
#include "depend.h"

// @chunk cuda_record: cuda_depend
enum { RD_MADE_OFTEN = 4 };     // a graph: from then on it is a chain

// A run that was there before.  Empty: n_words is 0.
struct rd_run {
	bool changes;                   // its kernels can have other arguments
	uint64_t start;                 // a hash of the first operation
	uint64_t hash;                  // of all; both without arguments if it changes
	int n_words, n_ops, seen;
	unsigned used;                  // when
	uint64_t *words;                // of the graph
	void *graph;                    // NULL: none
	void *plan, **nodes;            // of one that changes: what it was made of
	int *regions, n_regions;        // ... of the memory that it touches; NULL: it is a chain
	int made;                       // how often
};

struct rd_graphs {
	bool off;
	bool chains;                    // operations wait for those before, whatever these are
	struct rd_touched touched;      // by the run at hand
	struct rd_edges edges;
	bool is_kernel[RD_LONGEST_RUN]; // of the operations that were recorded
	void *stream;                   // which records graphs
	struct rd_run *runs;            // a hash table
	unsigned now;                   // counts runs
	int n_nodes;                    // operations in graphs
	int64_t most_threads;           // of a kernel that has a graph of its own
	// The run at hand
	uint64_t *words;
	int n_words, room, n_ops;
	int most;                       // operations that it may have
	struct rd_run *follows;         // the graph that holds back what comes; NULL: all is started
	int error;                      // of the driver, not reported yet
	const char *failed;             // the function that gave it
	char *message;                  // ... or what is wrong with a kernel that is late
};

// ---- Making graphs ----

// The driver keeps graphs that the device still has to do.
static void rd_drop_graph(struct rd_api *cu, struct rd_run *r)
{
	if (r->graph) {
		cu->cuGraphExecDestroy(r->graph);
		cu->graphs->n_nodes -= r->n_ops;
	}
	if (r->plan)
		cu->cuGraphDestroy(r->plan);
	r->graph = r->plan = NULL;
}

// The operation that was recorded last.
static void *rd_last_node(struct rd_api *cu, void *stream)
{
	enum { RECORDING = 1 };
	int status = 0;
	void *graph = NULL;
	const void *edges = NULL;
	void *const *nodes = NULL;
	uint64_t id;
	size_t n = 0;
	int err = cu->cuStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges, &n);
	return err || status != RECORDING || n != 1 ? NULL : nodes[0];
}

// Records the i-th operation.  With edges, it comes after those that it waits for, instead of after the last one.
static int rd_record_op(struct rd_api *cu, struct rd_graphs *g, const struct rd_edges *e, const uint64_t *op, int i,
                        void **nodes)
{
	enum { INSTEAD = 1 };
	void *from[RD_LONGEST_RUN];
	bool follows = true;            // one kernel, which no other follows
	int k, n = 0, err = 0;
	for (k = 0; e && k < i; k++)
		if (rd_set_has(&e->from[i], k)) {
			from[n++] = nodes[k];
			follows = e->n_from[i] == 1 && e->n_to[k] == 1 && g->is_kernel[k];
		}
	if (e && i > 0)
		err = cu->cuStreamUpdateCaptureDependencies(g->stream, from, NULL, (size_t)n, INSTEAD);
	if (!err)
		err = rd_is_kernel(op) ? rd_issue_kernel(cu, op, g->stream, follows && (!e || n == 1))
		                       : rd_issue(cu, op, g->stream);
	g->is_kernel[i] = rd_is_kernel(op);
	if (!err && nodes && !(nodes[i] = rd_last_node(cu, g->stream)))
		err = -1;
	return err;
}

// Makes the graph of a run, with which the words at hand begin; a chain if there are no edges.
static bool rd_record_graph(struct rd_api *cu, struct rd_graphs *g, struct rd_run *r, const struct rd_edges *e)
{
	enum { THIS_THREAD = 1 };
	void *plan = NULL, *ready = NULL, *known[RD_LONGEST_RUN], **nodes = e && !r->nodes ? known : r->nodes;
	int at, i = 0, ended, err = cu->cuStreamBeginCapture(g->stream, THIS_THREAD);
	if (err)
		return false;
	for (at = 0; at < r->n_words && !err; at += rd_op_words(g->words + at))
		err = rd_record_op(cu, g, e, g->words + at, i++, nodes);
	ended = cu->cuStreamEndCapture(g->stream, &plan);
	if (!err && !ended && plan)
		err = cu->cuGraphInstantiate(&ready, plan, 0);
	if (err || ended)
		ready = NULL;
	if (ready && r->nodes)
		r->plan = plan;
	else if (!ended && plan)
		cu->cuGraphDestroy(plan);
	r->graph = ready;
	g->n_nodes += ready ? r->n_ops : 0;
	return ready != NULL;
}

// The edges of the operations at hand, with memory in these regions; NULL: it is better a chain.
static struct rd_edges *rd_edges_of(struct rd_graphs *g, const int *regions)
{
	return rd_find_edges(&g->touched, regions, &g->edges) && rd_edges_pay(&g->touched, &g->edges) ? &g->edges : NULL;
}

// Remembers the regions of the operations at hand with a graph that changes; false: there is no memory.
static bool rd_keep_regions(struct rd_graphs *g, struct rd_run *r)
{
	size_t size = (size_t)g->touched.n * sizeof *r->regions;
	r->regions = (int *)malloc(size + 1);
	r->n_regions = g->touched.n;
	if (r->regions)
		memcpy(r->regions, g->touched.regions, size);
	return r->regions != NULL;
}

// Makes the graph of a run, with the edges that it needs.
static bool rd_record_best(struct rd_api *cu, struct rd_graphs *g, struct rd_run *r)
{
	struct rd_edges *e = NULL;
	if (r->made++ < RD_MADE_OFTEN && !g->chains && rd_find_touched(&g->touched, g->words, r->n_words))
		e = rd_edges_of(g, r->regions ? r->regions : g->touched.regions);
	if (e && r->changes && !r->regions && !rd_keep_regions(g, r))
		e = NULL;
	if (e && rd_record_graph(cu, g, r, e))
		return true;
	g->chains |= e != NULL;         // the driver does not want them
	free(r->regions);
	r->regions = NULL;
	return rd_record_graph(cu, g, r, NULL);
}

// ---- Arguments ----

// Is a graph that changes right for the arguments at hand?  Else its regions are others now.
static bool rd_has_edges_for(struct rd_graphs *g, struct rd_run *r)
{
	if (!r->regions)
		return true;
	if (!rd_find_touched(&g->touched, g->words, r->n_words) || g->touched.n != r->n_regions) {
		r->made = RD_MADE_OFTEN;
		return false;
	}
	return !rd_join_regions(&g->touched, r->regions);
}

// Sets the arguments of a graph that differ from those at hand.
static int rd_set_arguments(struct rd_api *cu, struct rd_graphs *g, struct rd_run *r)
{
	int at, n, i = 0;
	if (!rd_has_edges_for(g, r)) {
		rd_drop_graph(cu, r);
		memcpy(r->words, g->words, (size_t)r->n_words * sizeof *r->words);
		return rd_record_best(cu, g, r) ? 0 : -1;
	}
	for (at = 0; at < r->n_words; at += n, i++) {
		const uint64_t *op = g->words + at;
		n = rd_op_words(op);
		if (memcmp(op, r->words + at, (size_t)n * sizeof *op) != 0) {
			int err = rd_set_kernel(cu, r->graph, r->nodes[i], op);
			if (err)
				return err;
			memcpy(r->words + at, op, (size_t)n * sizeof *op);
		}
	}
	return 0;
}
// @end
#endif
