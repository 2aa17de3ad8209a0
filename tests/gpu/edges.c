// The edges of graphs (rts/gpu/depend.h): random operations on memory that overlaps in all ways, against a comparison of
// each with each; and graphs that get other arguments.  Prints `N passed, N failed`.
#include <loops.c>

enum { KERNELS = 24, BLOCKS = 9, MOST_OPS = 40, MOST_WORDS = 64 * MOST_OPS, ROUNDS = 4000 };

static uint64_t state = 88172645463325252u;
static int passed, failed;

static int below(int n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int)(state % (uint64_t)n);
}

static void check(bool ok, const char *what, int round)
{
	passed += ok;
	failed += !ok;
	if (!ok)
		printf("%s is wrong in round %d\n", what, round);
}

static struct rd_device_kernel kernels[KERNELS];
static char accesses[KERNELS][16];

// Some read blocks, some write there, some get addresses or numbers ('8'); of the last one nothing is known.
static void make_kernels(void)
{
	int k, i;
	for (k = 0; k < KERNELS - 1; k++) {
		int n = 2 + below(6);
		accesses[k][0] = "--rw"[below(4)];
		for (i = 1; i < n; i++)
			accesses[k][i] = "8rrw"[below(4)];
		if (k % 5 == 0)
			strcpy(accesses[k] + 1, k % 2 ? "WR8" : "W88");
		kernels[k].access = accesses[k];
	}
}

// What an operation touches, as the test knows it.
struct truth { struct rd_span spans[16]; int n; bool alone; };

static void touch(struct truth *t, uint64_t start, int64_t size, bool written)
{
	struct rd_span s = {start, start + (uint64_t)size, written};
	if (size <= 0) {
		s.start = 0;
		s.end = UINT64_MAX;
	}
	if (start)
		t->spans[t->n++] = s;
}

static bool conflict(const struct truth *a, const struct truth *b)
{
	int i, k;
	if (a->alone || b->alone)
		return true;
	for (i = 0; i < a->n; i++)
		for (k = 0; k < b->n; k++)
			if (a->spans[i].start < b->spans[k].end && b->spans[k].start < a->spans[i].end &&
			    (a->spans[i].written || b->spans[k].written))
				return true;
	return false;
}

// Arguments of one of the kernels; in wild rounds blocks overlap, and some have no known size or are none.
static int put_kernel(uint64_t *op, int kernel, bool wild, struct truth *t)
{
	static int64_t failures;
	struct rd_block blocks[16];
	struct rd_device device = {.failures = &failures};
	struct futhark_context ctx = {.device = &device};
	int64_t numbers[16];
	uint64_t args[16];
	const char *access = accesses[kernel];
	int n = *access ? (int)strlen(access) - 1 : below(4), i;
	t->alone = !*access;
	if (strchr("rw", access[0]) && access[0])
		touch(t, (uint64_t)(uintptr_t)&failures, sizeof(struct rd_failure), access[0] == 'w');
	for (i = 0; i < n; i++) {
		uint64_t start = 4096 + 1000 * (uint64_t)below(BLOCKS);
		int64_t size = 1000;
		bool number = !*access || strchr("8RW", access[i + 1]);
		if (wild && below(8) == 0) {
			start += (uint64_t)below(1500);
			size = below(1200);
		}
		if (wild && below(40) == 0)
			start = 0;
		memset(&blocks[i], 0, sizeof blocks[i]);
		blocks[i].data = (void *)(uintptr_t)start;
		blocks[i].size = size;
		numbers[i] = (int64_t)start;
		args[i] = number || !start ? 0 : RD_WORD_BLOCK(&blocks[i]);
		if (*access && strchr("rw", access[i + 1]))
			touch(t, start, size, access[i + 1] == 'w');
	}
	if (*access && strchr("RW", access[1]) && access[1]) { // parts of blocks
		numbers[n - 1] = 1 + below(300);
		for (i = 0; i < n - 1; i++) {
			numbers[i] += below(1000);
			if (access[i + 1] != '8')
				touch(t, (uint64_t)numbers[i], numbers[n - 1], access[i + 1] == 'W');
		}
	}
	for (i = 0; i < n; i++)
		if (!*access || strchr("8RW", access[i + 1]))
			args[i] = RD_WORD(numbers[i]);
	rd_kernel_op(&ctx, &kernels[kernel], 1, 32, 0, *access ? access : "-888" + 3 - n, args, op);
	return rd_op_words(op);
}

static int put_op(uint64_t *op, int what, bool wild, struct truth *t)
{
	uint64_t to = 4096 + (uint64_t)below(9000), from = 4096 + (uint64_t)below(9000);
	memset(t, 0, sizeof *t);
	if (what < KERNELS)
		return put_kernel(op, what, wild, t);
	op[0] = rd_head(what == KERNELS ? RD_OP_COPY : RD_OP_FILL, RD_OP_WORDS);
	op[1] = to;
	op[3] = 1 + (uint64_t)below(200);
	op[2] = what == KERNELS ? from : rd_two(7, 4);
	touch(t, to, (int64_t)(what == KERNELS ? op[3] : 4 * op[3]), true);
	if (what == KERNELS)
		touch(t, from, (int64_t)op[3], false);
	return rd_op_words(op);
}

// Do the edges lead from each operation to all those that have something to do with it, and is each one needed?
static bool right(const struct rd_edges *e, const struct truth *all, int n, bool *all_needed)
{
	static bool before[MOST_OPS][MOST_OPS];
	int i, j, k, longest = 0, depth[MOST_OPS];
	bool ok = true;
	memset(before, 0, sizeof before);
	for (i = 0; i < n; i++) {
		int n_from = 0, n_to = 0;
		depth[i] = 1;
		for (k = 0; k < n; k++) {
			n_to += rd_set_has(&e->from[k], i);
			if (!rd_set_has(&e->from[i], k))
				continue;
			n_from++;
			ok &= k < i;
			before[i][k] = true;
			depth[i] = depth[k] + 1 > depth[i] ? depth[k] + 1 : depth[i];
			for (j = 0; j < k; j++)
				before[i][j] |= before[k][j];
		}
		for (k = 0; k < i; k++)
			for (j = 0; j < k; j++)
				if (rd_set_has(&e->from[i], k) && rd_set_has(&e->from[i], j) && before[k][j])
					*all_needed = false;
		for (k = 0; k < i; k++)
			ok &= before[i][k] || !conflict(&all[i], &all[k]);
		ok &= n_from == e->n_from[i] && n_to == e->n_to[i];
		longest = depth[i] > longest ? depth[i] : longest;
	}
	return ok && longest == e->longest;
}

// A graph that changes: two fills of blocks that are others each time.
static void check_changes(void)
{
	static const struct { uint64_t a, b; bool right; } calls[] = {
		{4096, 8192, true}, {8192, 4096, true}, {4096, 4096, false}, {4096, 4096, true}, {8192, 4096, true}
	};
	uint64_t words[2 * RD_OP_WORDS];
	struct rd_graphs g;
	struct rd_run r;
	int i;
	memset(&g, 0, sizeof g);
	memset(&r, 0, sizeof r);
	g.words = words;
	r.n_words = 2 * RD_OP_WORDS;
	for (i = 0; i < 5; i++) {
		words[0] = words[4] = rd_head(RD_OP_FILL, RD_OP_WORDS);
		words[1] = calls[i].a;
		words[5] = calls[i].b;
		words[2] = words[6] = rd_two(0, 4);
		words[3] = words[7] = 100;
		if (i == 0)
			check(rd_find_touched(&g.touched, words, r.n_words) && rd_keep_regions(&g, &r), "memory", i);
		check(rd_has_edges_for(&g, &r) == calls[i].right, "a graph that changes", i);
		check(rd_edges_of(&g, r.regions) == NULL || i < 2, "a chain", i);
	}
	free(r.regions);
	rd_free_touched(&g.touched);
}

int main(void)
{
	static uint64_t words[MOST_WORDS];
	static struct truth truths[MOST_OPS];
	static struct rd_edges edges;
	struct rd_touched t;
	int round, i, k, n_apart = 0, n_kept = 0, n_joined = 0;
	memset(&t, 0, sizeof t);
	make_kernels();
	for (round = 0; round < ROUNDS; round++) {
		int what[MOST_OPS], n = 1 + below(MOST_OPS), regions[16 * MOST_OPS], n_spans = 0;
		bool wild = below(2), alone = below(3) == 0;
		for (i = 0; i < n; i++)
			what[i] = below(KERNELS + 2 - !alone);
		for (i = 0; i < n; i++)
			what[i] = what[i] == KERNELS - 1 && !alone ? KERNELS + below(2) : what[i];
		for (k = 0; k < 6; k++) { // the same operations with other arguments
			bool needed = true, joined = false;
			int at = 0;
			for (i = 0; i < n; i++)
				at += put_op(words + at, what[i], wild && below(2), &truths[i]);
			if (!rd_find_touched(&t, words, at))
				return 1;
			check(k == 0 || n_spans == t.n, "the number of spans", round);
			if (k == 0)
				memcpy(regions, t.regions, (size_t)t.n * sizeof *regions);
			else
				joined = rd_join_regions(&t, regions);
			n_spans = t.n;
			n_joined += joined;
			n_kept += k > 0 && !joined;
			if (k == 0 || joined)
				check(rd_find_edges(&t, regions, &edges), "memory", round);
			check(right(&edges, truths, n, &needed), joined ? "a graph made anew" : k ? "a graph with other arguments"
			      : "a graph", round);
			check(needed, "an edge that is not needed", round);
			n_apart += edges.longest < n;
		}
	}
	check(n_apart > ROUNDS && n_kept > ROUNDS && n_joined > ROUNDS / 10, "the choice of operations", 0);
	rd_free_touched(&t);
	check_changes();
	printf("%d passed, %d failed\n", passed, failed);
	return 0;
}
