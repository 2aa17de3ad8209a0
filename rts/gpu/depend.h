// Which operations of a run have to wait for which: the edges of its graph (graph.h).
//
// An operation touches memory: what its words say of addresses and bytes, and what is known of its kernel
// (src/gen/kfun.c, Note [Arguments]) of who writes there.  It waits for those before that write what it touches,
// and that touch what it writes.  The failure record is memory as well, which kernels write that may fail and
// read that mind failures, so these keep their order.  Memory that was released and is in use again has
// the same address.
//
// Note [Regions].  Addresses are compared by regions: memory that overlaps, in one step or several, is one.
// So parts of blocks and arrays of the caller's, which may lie anywhere, need no rules of their own.  Memory of
// an unknown size overlaps all memory.  An operation of which nothing is known waits for all before,
// and all after wait for it; so does rd_show, by which the host knows that the device has done all before.
//
// Note [Dependences of graphs that change].  Such a graph was made of other arguments than those it gets.
// Its kernels are the same and in the same order, so it does with the n-th memory what it did before.  For each of
// these the graph keeps the region that it was in.  Two operations that touched the same region, one of them to write
// there, have an order in the graph, since an edge is left out only where others make up for it.  So the
// graph is right for all arguments of which memory overlaps only where it was in one region before.  That is looked
// at each time (rd_join_regions); how regions come apart does not matter.  If it is not so, the regions that
// have met become one, and the graph is made anew.  There are fewer of them then, so this ends, and a graph that this
// has happened to several times becomes a chain.
//
// Note [Chains and kernels that wait by themselves].  An edge between two kernels of which the first has no
// other successor and the second no other predecessor is as in a stream: the second one waits by itself (stream.h,
// Note [Dependent launches]).  Others are plain: a kernel starts when its predecessors have ended.  A kernel that waits
// by itself ends after its predecessor, so whoever comes after it, by either kind of edge, comes after both.
#ifndef RD_DEPEND_H
#define RD_DEPEND_H
#include "stream.h"

// @chunk cuda_depend: cuda_stream
enum { RD_LONGEST_RUN = 128 };                  // operations

// If more than so many of a hundred operations are on a path anyway, the others gain less than edges cost.  They cost
// more in short graphs: with 11 of 16 on it, the gradient of a tridiagonal system took twice as long as in a chain,
// whose kernels are launched ahead; in long ones recurrences gain a tenth to a fifth (bench/general, H200).
// Tests set other numbers.
enum { RD_SHORT_GRAPH = 24 };                   // operations
#ifndef RD_CHAIN_PERCENT
#define RD_CHAIN_PERCENT 75
#endif
#ifndef RD_SHORT_CHAIN_PERCENT
#define RD_SHORT_CHAIN_PERCENT 50
#endif

struct rd_op_set { uint64_t bits[RD_LONGEST_RUN / 64]; };

struct rd_span { uint64_t start, end; bool written; }; // memory; empty: end is not after start
struct rd_place { uint64_t start, end; int number; };

// What the operations at hand touch, in order.
struct rd_touched {
	struct rd_span *spans;
	int *regions;                   // of each
	int n, n_regions, room;
	int ends[RD_LONGEST_RUN];       // of the spans of each operation
	bool alone[RD_LONGEST_RUN];     // it waits for all, and all after for it
	int n_ops;
	// To find regions: the memory that begins at an address, and where an address is noted
	struct rd_place *places;
	int *table;
	int table_size;                 // a power of two
};

struct rd_edges {
	struct rd_op_set from[RD_LONGEST_RUN]; // which operations each one waits for
	int n_from[RD_LONGEST_RUN], n_to[RD_LONGEST_RUN];
	int longest;                    // operations on the longest path
};

static void rd_set_put(struct rd_op_set *s, int i)
{
	s->bits[i / 64] |= UINT64_C(1) << i % 64;
}

static bool rd_set_has(const struct rd_op_set *s, int i)
{
	return s->bits[i / 64] >> i % 64 & 1;
}

static void rd_set_add(struct rd_op_set *s, const struct rd_op_set *more)
{
	int k;
	for (k = 0; k < RD_LONGEST_RUN / 64; k++)
		s->bits[k] |= more->bits[k];
}

// ---- What operations touch ----

static bool rd_room_for_spans(struct rd_touched *t, int n)
{
	int room = 2 * n, size = 16;
	struct rd_span *spans;
	int *regions, *table;
	struct rd_place *places;
	if (n <= t->room)
		return true;
	while (size < 2 * room)
		size *= 2;
	spans = (struct rd_span *)realloc(t->spans, (size_t)room * sizeof *spans);
	t->spans = spans ? spans : t->spans;
	regions = (int *)realloc(t->regions, (size_t)room * sizeof *regions);
	t->regions = regions ? regions : t->regions;
	places = (struct rd_place *)realloc(t->places, (size_t)room * sizeof *places);
	t->places = places ? places : t->places;
	table = (int *)realloc(t->table, (size_t)size * sizeof *table);
	t->table = table ? table : t->table;
	if (!spans || !regions || !places || !table)
		return false;
	t->table_size = size;
	t->room = room;
	return true;
}

static bool rd_add_span(struct rd_touched *t, uint64_t start, uint64_t size, bool written)
{
	struct rd_span s = {start, start + size, written};
	if (!rd_room_for_spans(t, t->n + 1))
		return false;
	if (!start)
		s.end = 0;
	else if ((int64_t)size <= 0) {  // not known
		s.start = 1;
		s.end = UINT64_MAX;
	}
	t->spans[t->n++] = s;
	return true;
}

static bool rd_add_kernel_spans(struct rd_touched *t, const uint64_t *op)
{
	const char *access = rd_op_kernel(op)->access;
	const uint64_t *args = op + RD_OP_WORDS, *bytes = args + rd_op_args(op);
	int i;
	if (bytes == op + rd_op_words(op)) { // not known
		t->alone[t->n_ops] = true;
		return true;
	}
	for (i = 0; access[i]; i++)
		if (rd_is_memory(access[i]) && !rd_add_span(t, args[i], *bytes++, access[i] == 'w' || access[i] == 'W'))
			return false;
	return true;
}

static bool rd_add_op_spans(struct rd_touched *t, const uint64_t *op)
{
	t->alone[t->n_ops] = false;
	switch ((int)(op[0] & 255)) {
	case RD_OP_KERNEL:
		return rd_add_kernel_spans(t, op);
	case RD_OP_COPY:
		return rd_add_span(t, op[1], op[3], true) && rd_add_span(t, op[2], op[3], false);
	case RD_OP_FILL:
		return rd_add_span(t, op[1], (op[2] >> 32) * op[3], true);
	default:
		t->alone[t->n_ops] = true;
		return true;
	}
}

// ---- Regions ----

// The place that begins at the start of a span; it is as long as the longest one there.
static int rd_place_of_span(struct rd_touched *t, const struct rd_span *s, int *n_places)
{
	unsigned mask = (unsigned)t->table_size - 1;
	unsigned at = (unsigned)((s->start * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & mask;
	struct rd_place *p;
	for (; t->table[at] >= 0; at = (at + 1) & mask) {
		p = &t->places[t->table[at]];
		if (p->start != s->start)
			continue;
		p->end = p->end > s->end ? p->end : s->end;
		return p->number;
	}
	p = &t->places[*n_places];
	p->start = s->start;
	p->end = s->end;
	p->number = *n_places;
	t->table[at] = *n_places;
	return (*n_places)++;
}

static int rd_compare_places(const void *a, const void *b)
{
	const struct rd_place *p = (const struct rd_place *)a, *q = (const struct rd_place *)b;
	return p->start < q->start ? -1 : p->start > q->start;
}

// Gives each span its region.  Empty ones have one each.
static void rd_find_regions(struct rd_touched *t)
{
	int n_places = 0, i;
	uint64_t reach = 0;
	memset(t->table, 0xff, (size_t)t->table_size * sizeof *t->table);
	for (i = 0; i < t->n; i++)
		t->regions[i] = t->spans[i].start < t->spans[i].end ? rd_place_of_span(t, &t->spans[i], &n_places) : -1;
	qsort(t->places, (size_t)n_places, sizeof *t->places, rd_compare_places);
	t->n_regions = 0;
	for (i = 0; i < n_places; i++) { // the table has the regions of places from here on
		const struct rd_place *p = &t->places[i];
		t->n_regions += !i || p->start >= reach;
		reach = p->end > reach ? p->end : reach;
		t->table[p->number] = t->n_regions - 1;
	}
	for (i = 0; i < t->n; i++)
		t->regions[i] = t->regions[i] >= 0 ? t->table[t->regions[i]] : t->n_regions++;
}

// What the operations of so many words touch; false: there is no memory for it.
static bool rd_find_touched(struct rd_touched *t, const uint64_t *words, int n_words)
{
	int at;
	t->n = t->n_ops = 0;
	for (at = 0; at < n_words; at += rd_op_words(words + at)) {
		if (t->n_ops == RD_LONGEST_RUN || !rd_add_op_spans(t, words + at))
			return false;
		t->ends[t->n_ops++] = t->n;
	}
	if (!rd_room_for_spans(t, 1))
		return false;
	rd_find_regions(t);
	return true;
}

// Makes one region of those that meet: `regions` are those of the same spans with other arguments, of which memory
// may overlap by now.  Gives whether there were any.
static bool rd_join_regions(struct rd_touched *t, int *regions)
{
	int *first = t->table, i, k; // a region of before for each one of now
	bool joined = false;
	for (i = 0; i < t->n_regions; i++)
		first[i] = -1;
	for (i = 0; i < t->n; i++) {
		int *f = &first[t->regions[i]], old = regions[i];
		if (*f < 0)
			*f = old;
		if (*f == old)
			continue;
		joined = true;
		for (k = 0; k < t->n; k++)
			regions[k] = regions[k] == old ? *f : regions[k];
		for (k = 0; k < t->n_regions; k++)
			first[k] = first[k] == old ? *f : first[k];
	}
	return joined;
}

// ---- Edges ----

struct rd_accesses { int writer; struct rd_op_set readers; }; // the last writer, or -1, and who has read since

// What the i-th operation waits for, by what it touches; then those after it wait for it.
static struct rd_op_set rd_find_before(const struct rd_touched *t, const int *regions, struct rd_accesses *all, int i)
{
	struct rd_op_set before = {{0}};
	int first = i ? t->ends[i - 1] : 0, k;
	for (k = first; k < t->ends[i]; k++) {
		const struct rd_accesses *r = &all[regions[k]];
		if (r->writer >= 0)
			rd_set_put(&before, r->writer);
		if (t->spans[k].written)
			rd_set_add(&before, &r->readers);
	}
	for (k = first; k < t->ends[i]; k++)
		if (!t->spans[k].written)
			rd_set_put(&all[regions[k]].readers, i);
	for (k = first; k < t->ends[i]; k++)
		if (t->spans[k].written) {
			struct rd_accesses r = {i, {{0}}};
			all[regions[k]] = r;
		}
	return before;
}

// The edges of the operations at hand, whose memory is in these regions: numbers below that of spans.
static bool rd_find_edges(const struct rd_touched *t, const int *regions, struct rd_edges *e)
{
	struct rd_op_set all_before[RD_LONGEST_RUN];
	struct rd_accesses *all = (struct rd_accesses *)calloc((size_t)t->n + 1, sizeof *all);
	int depth[RD_LONGEST_RUN], last_alone = -1, i, k;
	if (!all)
		return false;
	for (i = 0; i < t->n; i++)
		all[i].writer = -1;
	memset(e, 0, sizeof *e);
	memset(all_before, 0, sizeof all_before);
	for (i = 0; i < t->n_ops; i++) {
		struct rd_op_set before = rd_find_before(t, regions, all, i);
		depth[i] = 1;
		if (last_alone >= 0)
			rd_set_put(&before, last_alone);
		for (k = i - 1; k >= 0; k--) { // later ones first: what these wait for needs no edge
			if (!(t->alone[i] || rd_set_has(&before, k)) || rd_set_has(&all_before[i], k))
				continue;
			rd_set_put(&e->from[i], k);
			rd_set_put(&all_before[i], k);
			rd_set_add(&all_before[i], &all_before[k]);
			e->n_from[i]++;
			e->n_to[k]++;
			depth[i] = depth[i] > depth[k] ? depth[i] : depth[k] + 1;
		}
		e->longest = depth[i] > e->longest ? depth[i] : e->longest;
		if (t->alone[i])
			last_alone = i;
	}
	free(all);
	return true;
}

// Are there enough operations that need not wait for each other?
static bool rd_edges_pay(const struct rd_touched *t, const struct rd_edges *e)
{
	int most = t->n_ops < RD_SHORT_GRAPH ? RD_SHORT_CHAIN_PERCENT : RD_CHAIN_PERCENT;
	return 100 * e->longest <= most * t->n_ops;
}

static void rd_free_touched(struct rd_touched *t)
{
	free(t->spans);
	free(t->regions);
	free(t->places);
	free(t->table);
}
// @end
#endif
