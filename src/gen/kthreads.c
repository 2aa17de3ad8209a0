// Kernels: the loops that are the device's threads, and those that the threads of a block share.
//
//     #[kernel] loop ... for i < n do                   int64_t rd_id = rd_global_id();
//       #[kernel] loop ... for j < m do {...}     ->    if (rd_id < n * m) {
//                                                           int64_t i = rd_div_index(rd_id, m);
//                                                           int64_t j = rd_id - i * m;
//                                                           ...
//
// A #[threads] loop with a fold (kfold.c has how threads combine what they have):
//
//     loop (s = 0) for j < n do {                       float s = 0;
//       ... x ...                                       for (j = rd_local_id(); j < n; j += rd_local_size())
//       s' = call f (s, x)  in s'                 ->        ... f(&s, s, x);
//     }                                                 ... all threads combine their s
//
// With a scan, the threads take the iterations in tiles, in order.  The statements before the
// scan, those between two of them and those after are segments, with barriers in between.
#include "gen/kfold.h"

// ---- The iterations of kernels ----

// The statements of a loop of the nest, and in the end those of the innermost one.
static void nest_body(Gen *g, int depth)
{
	const Kernel *k = g->kernel;
	const Exp *e = k->nest.at[depth]->exp;
	bool last = depth == k->nest.len - 1;
	Outer outer = enter_body(g, &e->loop.body);
	for EACH(Var, p, e->loop.params)
		if (vars[p->id].type.mem) {
			place_hint(g, *p);
			note_sizes(g, vars[p->id].type);
		}
	for EACH(Stm, s, e->loop.body.stms)
		if (last || s != k->nest.at[depth + 1])
			gen_stm(g, s);
	if (!last) {
		settle_loads(g);
		nest_body(g, depth + 1);
	}
	leave_body(g, outer);
}

static CExp nest_size(Gen *g, int from)
{
	CExp n = c_atom("1");
	for (int d = from; d < g->kernel->nest.len; d++)
		n = index_product(n, operand(g, g->kernel->nest.at[d]->exp->loop.n));
	return n;
}

// The indices of the loops, from the number of the iteration.
static void nest_indices(Gen *g, const char *id)
{
	for (int d = g->kernel->nest.len; d-- > 0; ) {
		const Exp *e = g->kernel->nest.at[d]->exp;
		const char *type = c_scalar_type(sub_type(e->loop.n).elem), *rest = NULL;
		const char *n = c_paren(operand(g, e->loop.n), PREC_ATOM);
		if (d > 0) {
			rest = fresh_name(g, "rest");
			line(g, "int64_t %s = rd_div_index(%s, %s);", rest, id, n);
		}
		const char *i = bind_name(g, e->loop.i);
		state_of(g, e->loop.i)->small = 1;
		if (rest)
			line(g, "%s %s = %s - %s * %s;", type, i, id, rest, n);
		else
			line(g, "%s %s = %s;", type, i, id);
		id = rest;
	}
}

void gen_kernel_nest(Gen *g)
{
	Kernel *k = g->kernel;
	const char *first = k->of_blocks ? "rd_block_id()" : "rd_global_id()";
	const char *step = k->of_blocks ? "rd_n_blocks()" : "rd_global_size()";
	rts_use(g->rts, "kernel_base");
	g->at_block = k->of_blocks;
	block_unknown(g);
	g->block_reads = g->block_stores = false;
	const char *n = nest_size(g, 0).text;
	if (k->slots) {
		line(g, "int64_t rd_slot = rd_global_id(), rd_slots = rd_global_size();");
		if (k->of_blocks)
			line(g, "int64_t rd_block_slot = rd_block_id();");
		open_brace(g, "for (int64_t rd_id = %s; rd_id < %s; rd_id += %s)", first, n, step);
		if (k->heap) {
			rts_use(g->rts, "kernel_thread");
			line(g, "struct rd_heap rd_own = {rd_heaps + rd_slot * rd_heap_size, rd_heap_size};");
			line(g, "struct rd_heap *rd_heap = &rd_own;");
		}
	} else {
		line(g, "int64_t rd_id = %s;", first);
		open_brace(g, "if (rd_id < %s)", n);
	}
	nest_indices(g, "rd_id");
	nest_body(g, 0);
	if (k->slots && k->of_blocks)
		line(g, "rd_barrier();");
	close_brace(g);
	g->at_block = false;
}

// ---- #[threads] loops ----

// Memory that does not depend on the iteration: segments share it.
static void thread_allocs(Gen *g, const Threads *t)
{
	for (int i = 0; i < t->e->loop.body.stms.len; i++)
		if (t->is_alloc[i])
			gen_stm(g, &t->e->loop.body.stms.at[i]);
}

static void thread_stms(Gen *g, const Threads *t, int from, int to)
{
	for (int i = from; i < to; i++)
		if (t->fold_at[i])
			fold_step(g, t->fold_at[i]);
		else if (!t->is_alloc[i])
			gen_stm(g, &t->e->loop.body.stms.at[i]);
}

static bool only_computes(const Exp *loop)
{
	for EACH(Stm, s, loop->loop.body.stms)
		if (!is_pure_scalar(s) && !needs_no_code(s) && s->exp->form != E_call)
			return false;
	return true;
}

// Each thread has every n-th iteration, or (where the order of a fold matters) some that
// follow on each other.
static void open_iterations(Gen *g, const Threads *t)
{
	const char *i = bind_name(g, t->e->loop.i), *n = t->n;
	state_of(g, t->e->loop.i)->small = 1;
	const char *type = c_scalar_type(sub_type(t->e->loop.n).elem);
	if (!t->in_order) {
		if (only_computes(t->e))
			line(g, "#pragma unroll 4"); // four loads at a time
		open_brace(g, "for (%s %s = rd_local_id(); %s < %s; %s += rd_local_size())", type, i, i, n, i);
		return;
	}
	const char *each = fresh_name(g, "each"), *end = fresh_name(g, "end");
	line(g, "%s %s = (%s + rd_local_size() - 1) / rd_local_size();", type, each, n);
	line(g, "%s %s = (rd_local_id() + 1) * %s < %s ? (rd_local_id() + 1) * %s : %s;", type, end, each, n,
	     each, n);
	open_brace(g, "for (%s %s = rd_local_id() * %s; %s < %s; %s++)", type, i, each, i, end, i);
}

// After a barrier, all threads leave if one of them has failed.
static void leave_if_marked(Gen *g)
{
	const char *failed = fresh_name(g, "failed");
	line(g, "rd_barrier();");
	line(g, "bool %s = *rd_mark;", failed);
	line(g, "rd_barrier();");
	line(g, "if (%s)", failed);
	line(g, "\treturn;");
	g->kernel->marks_failures = true;
}

static bool folds_can_fail(const Threads *t)
{
	for EACH(Fold *, f, t->folds)
		if ((*f)->fails)
			return true;
	return false;
}

static void gen_plain_threads(Gen *g, Threads *t)
{
	const char *label = fresh_name(g, "done");
	bool could_fail = g->can_fail;
	g->can_fail = false;
	g->at_block = false;
	g->failed = label;
	begin_folds(g, t);
	thread_allocs(g, t);
	const char *mark = mark_heap(g, t->e);
	open_iterations(g, t);
	thread_stms(g, t, 0, t->e->loop.body.stms.len);
	settle_loads(g);
	free_heap(g, mark);
	close_brace(g);
	if (g->can_fail)
		line(g, "%s:;", label);
	g->failed = NULL;
	g->at_block = true;
	if (g->can_fail)
		leave_if_marked(g);
	else
		line(g, "rd_barrier();");
	g->can_fail |= could_fail;
	end_folds(g, t);
	if (folds_can_fail(t))
		leave_if_marked(g);
}

// The segments of an iteration end with the scans.
static void gen_segment(Gen *g, const Threads *t, int from, int to)
{
	const char *label = fresh_name(g, "done");
	bool could_fail = g->can_fail;
	g->can_fail = false;
	g->failed = label;
	g->at_block = false;
	open_brace(g, "if (%s)", t->within);
	thread_stms(g, t, from, to);
	settle_all(g);
	close_brace(g);
	if (g->can_fail)
		line(g, "%s:;", label);
	t->failed[from] = g->can_fail;
	g->can_fail |= could_fail;
	g->failed = NULL;
	g->at_block = true;
}

static void gen_scanned_threads(Gen *g, Threads *t)
{
	const char *tile = fresh_name(g, "tile");
	const char *type = c_scalar_type(sub_type(t->e->loop.n).elem);
	begin_folds(g, t);
	g->at_block = false;
	thread_allocs(g, t);
	g->at_block = true;
	open_brace(g, "for (%s %s = 0; %s < %s; %s += rd_local_size())", type, tile, tile, t->n, tile);
	const char *i = bind_name(g, t->e->loop.i);
	state_of(g, t->e->loop.i)->small = 1;
	line(g, "%s %s = %s + rd_local_id();", type, i, tile);
	t->tile = tile;
	t->within = text("%s < %s", i, t->n);
	declare_ahead(g, t);
	int from = 0;
	bool fails = false;
	for (int k = 0; k <= t->e->loop.body.stms.len; k++) {
		bool end = k == t->e->loop.body.stms.len;
		if (!end && !(t->fold_at[k] && t->fold_at[k]->is_scan))
			continue;
		gen_segment(g, t, from, k);
		fails |= t->failed[from] || (!end && t->fold_at[k]->fails);
		if (!end)
			scan_step(g, t, t->fold_at[k]);
		from = k + 1;
	}
	if (fails)
		leave_if_marked(g);
	close_brace(g);
	line(g, "rd_barrier();");
	end_folds(g, t);
	if (folds_can_fail(t))
		leave_if_marked(g);
}

static void gen_threads(Gen *g, const Stm *s, Threads *t)
{
	const Exp *e = s->exp;
	t->n = loop_bound(g, e->loop.n);
	settle_all(g);
	bool stores = false;
	for EACH(Var, p, e->loop.params)
		if (vars[p->id].type.mem) {
			place_hint(g, *p);
			stores = true;
		}
	if (stores || g->block_stores)
		block_barrier(g);
	declare_fold_results(g, t);
	open_scope(g);
	Outer outer = enter_body(g, &e->loop.body);
	if (t->n_scans)
		gen_scanned_threads(g, t);
	else
		gen_plain_threads(g, t);
	leave_body(g, outer);
	close_brace(g);
	g->block_reads = g->block_stores = false;
	if (t->folds.len)
		g->block_reads = true; // of the results, in shared memory
	bind_results(g, s);
}

bool gen_device_loop(Gen *g, const Stm *s)
{
	if (has_attr(s->attrs, ATTR_ATOMIC)) {
		gen_atomic(g, s);
		return true;
	}
	Threads t;
	if (!g->at_block || !has_attr(s->attrs, ATTR_THREADS) || !threads_of(g, s, &t))
		return false;
	gen_threads(g, s, &t);
	return true;
}
