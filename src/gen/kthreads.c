// Emits kernels: loops whose iterations are threads of the device, and loops whose iterations are
// divided among the threads of a block.
//
//     #[kernel] loop ... for i < n do                   int64_t rd_id = rd_global_id();
//       #[kernel] loop ... for j < m do {...}     ->    if (rd_id < n * m) {
//                                                           int64_t i = rd_div_index(rd_id, m);
//                                                           int64_t j = rd_id - i * m;
//                                                           ...
//
// A #[threads] loop with a fold (kfold.c combines the values of the threads):
//
//     loop (s = 0) for j < n do {                       float s = 0;
//       ... x ...                                       for (j = rd_local_id(); j < n; j += size)
//       s' = call f (s, x)  in s'                 ->        ... f(&s, s, x);
//     }                                                 ... all threads combine their s
//
// With a scan, the threads take the iterations in tiles (kscan.c).
#include "gen/kfold.h"

void for_few(Gen *g, const char *u, int n)
{
	s_for(g->c, (CFor){.type = "int32_t", .i = u, .from = x_int(0),
	                   .cond = x_less(x_name(u), x_int(n)), .props = LOOP_UNROLL});
}

// ---- The iterations of kernels ----

// The statements of a loop of the nest, and in the end those of the innermost one.
void nest_body(Gen *g, int depth)
{
	const Kernel *k = g->kernel;
	const Exp *e = k->nest.at[depth]->exp;
	bool last = depth == k->nest.len - 1;
	Outer outer = enter_body(g, &e->loop.body);
	note_arrays(g, e->loop.params);
	for EACH(Stm, s, e->loop.body.stms)
		if (last || s != k->nest.at[depth + 1])
			gen_stm(g, s);
	if (!last) {
		settle_loads(g);
		nest_body(g, depth + 1);
	}
	leave_body(g, outer);
}

static CExp nest_size(Gen *g)
{
	CExp n = x_int(1);
	for (int d = 0; d < g->kernel->nest.len; d++)
		n = index_product(n, operand(g, g->kernel->nest.at[d]->exp->loop.n));
	return n;
}

// The indices of the loops, from the number of the iteration; `ahead`: they are declared.
void nest_indices(Gen *g, bool ahead)
{
	CExp id = x_name("rd_id");
	for (int d = g->kernel->nest.len; d-- > 0; ) {
		const Exp *e = g->kernel->nest.at[d]->exp;
		CExp n = operand(g, e->loop.n), own = id;
		if (d > 0) {
			const char *rest = fresh_name(g, "rest");
			quote(g->c, "int64_t $1 = rd_div_index($2, $3);", rest, id, n);
			own = x_quote("$1 - $2 * $3", id, rest, n);
			id = x_name(rest);
		}
		state_of(g, e->loop.i)->small = 1;
		if (!ahead)
			s_declare(g->c, c_scalar_type(sub_type(e->loop.n).elem),
			          bind_name(g, e->loop.i), own);
		else if (is_needed(g, e->loop.i))
			s_assign(g->c, shown(g, e->loop.i), own);
	}
}

typedef struct { int n; bool heavy; } Weight;

static void weigh_stms(Visit *v, Body *b)
{
	Weight *w = v->ctx;
	for EACH(Stm, s, b->stms) {
		Form form = s->exp->form;
		w->n += !needs_no_code(s);
		w->heavy |= form == E_alloc || form == E_call || form == E_copy ||
		            form == E_replicate ||
		            (form == E_loop && !has_attr(s->attrs, ATTR_ATOMIC) &&
		             !has_attr(s->attrs, ATTR_KERNEL));
		exp_visit(s->exp, v);
	}
}

// Where an iteration takes little time, a thread has several: more loads are on their way then, and
// fewer threads begin and end.
int iterations_of_thread(const Kernel *k)
{
	enum { MOST = 24 };
	Weight w = {0};
	Visit v = {.body = weigh_stms, .ctx = &w};
	if (k->of_blocks || k->slots || k->tiling || streamed_loop(k))
		return 1;
	weigh_stms(&v, (Body *)&k->fun->body); // a walk: writes nothing
	return w.heavy || w.n > MOST ? 1 : 4;
}

static void nest_once(Gen *g)
{
	nest_indices(g, false);
	nest_body(g, 0);
	settle_all(g);
}

// Blocks have `each` iterations for each thread if there are too few threads for one each.
static void gen_several(Gen *g, CExp n, int each)
{
	const char *first = fresh_name(g, "first"), *end = fresh_name(g, "end"),
		   *u = fresh_name(g, "u");
	quote(g->c,
	      "int64_t $1 = rd_block_id() * rd_local_size(), $2 = $1 + rd_local_size();"
	      "if (rd_global_size() < $3) { $1 = $1 * $4; $2 = $1 + $4 * rd_local_size(); }"
	      "$1 += rd_local_id();"
	      "if (rd_global_size() < $3 && $2 <= $3)",
	      first, end, n, each);
	for_few(g, u, each);
	quote(g->c, "int64_t rd_id = $1 + $2 * rd_local_size();", first, u);
	nest_once(g);
	s_close(g->c);
	s_else(g->c);
	quote(g->c, "for (int64_t rd_id = $1; rd_id < $2 && rd_id < $3; rd_id += rd_local_size())",
	      first, end, n);
	nest_once(g);
	s_close(g->c);
	s_close(g->c);
}

// The part of the heap that this thread has.
static void declare_own_heap(Gen *g)
{
	rts_use(g->rts, "kernel_thread");
	quote(g->c, "struct rd_heap rd_own = {rd_heaps + rd_slot * rd_heap_size, rd_heap_size};"
	            "struct rd_heap *rd_heap = &rd_own;");
}

void gen_kernel_nest(Gen *g)
{
	Kernel *k = g->kernel;
	const char *first = k->of_blocks ? "rd_block_id()" : "rd_global_id()",
		   *step = k->of_blocks ? "rd_n_blocks()" : "rd_global_size()";
	rts_use(g->rts, "kernel_base");
	g->thread.at_block = k->of_blocks;
	g->thread.reads = g->thread.stores = false;
	CExp n = nest_size(g);
	const Stm *streamed = streamed_loop(k);
	if (k->slots)
		quote(g->c, "int64_t rd_slot = rd_global_id(), rd_slots = rd_global_size();");
	if (streamed) {
		gen_streamed(g, streamed, n);
		g->thread.at_block = false;
		return;
	}
	if (rows_of_warp(k) > 1) {
		gen_warp_rows(g, n);
		g->thread.at_block = false;
		return;
	}
	if (k->slots) {
		if (k->of_blocks)
			quote(g->c, "int64_t rd_block_slot = rd_block_id();");
		quote(g->c, "for (int64_t rd_id = $1; rd_id < $2; rd_id += $3)", first, n, step);
		if (k->heap)
			declare_own_heap(g);
	} else if (k->chain) {
		begin_chain(g);
		quote(g->c, "if (rd_id < $1)", n);
	} else if (iterations_of_thread(k) > 1) {
		gen_several(g, n, iterations_of_thread(k));
		return;
	} else {
		quote(g->c, "int64_t rd_id = $1; if (rd_id < $2)", first, n);
	}
	nest_indices(g, false);
	nest_body(g, 0);
	if (k->slots && k->of_blocks)
		s_barrier(g->c);
	s_close(g->c);
	g->thread.at_block = false;
}

// ---- #[threads] loops ----

// Memory that does not depend on the iteration: segments share it.
void thread_allocs(Gen *g, const Threads *t)
{
	for (int i = 0; i < t->e->loop.body.stms.len; i++)
		if (t->is_alloc[i])
			gen_stm(g, &t->e->loop.body.stms.at[i]);
}

void thread_stms(Gen *g, const Threads *t, int from, int to)
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

static const char *index_type(const Threads *t)
{
	return c_scalar_type(sub_type(t->e->loop.n).elem);
}

// Does each iteration write to an element of shared memory?  No two of them do to the same one.
static bool stores_locally(const Gen *g, const Exp *loop)
{
	for EACH(const Stm, s, loop->loop.body.stms) {
		bool element = s->exp->form == E_update && is_element(s->exp->update.at) &&
		               !has_attr(s->attrs, ATTR_SHARED);
		for (int k = 0; element && k < loop->loop.params.len; k++) {
			Sub p = sub_var(loop->loop.params.at[k]), arr = s->exp->update.arr;
			if (is_in_local_block(g->kernel, p) &&
			    sub_type(p).mem->block.id == sub_type(arr).mem->block.id)
				return true;
		}
	}
	return false;
}

// Counters of 32 bits take half the instructions, also in what is computed from them, and are
// enough for what shared memory has as many elements of.
static bool is_short(const Gen *g, const Threads *t)
{
	if (stores_locally(g, t->e))
		return true;
	for EACH(Var, p, t->e->loop.params)
		if (fills_local_block(g->kernel, sub_var(*p), t->e->loop.n))
			return true;
	return false;
}

static void one_iteration(Gen *g, const Threads *t)
{
	const char *mark = mark_heap(g, t->e);
	thread_stms(g, t, 0, t->e->loop.body.stms.len);
	settle_all(g);
	free_heap(g, mark);
}

// Iterations from `first` on, so many at a time that as many loads are on their way.
static void several_apart(Gen *g, const Threads *t, const char *first, int at_once, CExp size)
{
	const char *u = fresh_name(g, "u");
	// not unrolled: compilers would divide, to know how often
	quote(g->c, "RD_NO_UNROLL for (; $1 + $2 * $3 < $4; $1 += $5 * $3)", first, at_once - 1,
	      size, t->n, at_once);
	for_few(g, u, at_once);
	quote(g->c, "$1 $2 = $3 + $4 * $5;", index_type(t), bind_name(g, t->e->loop.i), first, u,
	      size);
	state_of(g, t->e->loop.i)->small = 1;
	one_iteration(g, t);
	s_close(g->c);
	s_close(g->c);
}

static void single_apart(Gen *g, const Threads *t, const char *first, bool is_short)
{
	s_declare(g->c, index_type(t), bind_name(g, t->e->loop.i), x_name(first));
	state_of(g, t->e->loop.i)->small = 1;
	state_of(g, t->e->loop.i)->is_short = is_short;
	one_iteration(g, t);
}

// Each thread has every n-th iteration.  What only computes is done for several of them at a time;
// if blocks have as many threads as they mostly do, the distances are known to the compiler.
// Rows that warps do are mostly short: up to one element for each lane there is no loop.
static void iterations_apart(Gen *g, const Threads *t)
{
	const char *type = index_type(t);
	CExp n = t->n, size = x_call_none("rd_local_size");
	int len = t->e->loop.body.stms.len, at_once = !only_computes(t->e) ? 1
	                                            : len <= 10            ? 8
	                                            : len <= 30            ? 4
	                                                                   : 1;
	const char *first = fresh_name(g, "first");
	bool counts_short = at_once == 1 && is_short(g, t), warp = is_warp(g->kernel);
	s_declare(g->c, counts_short ? "uint32_t" : type, first, x_call_none("rd_local_id"));
	if (counts_short)
		n = x_cast("uint32_t", n, PREC_ATOM);
	if (warp && g->thread.alone) {
		quote(g->c, "if ($1 < $2)", first, n);
		single_apart(g, t, first, counts_short);
		s_close(g->c);
		return;
	}
	if (warp) {
		quote(g->c, "if (RD_ROW_FITS($1))", n);
		quote(g->c, "if ($1 < $2)", first, n);
		single_apart(g, t, first, counts_short);
		s_close(g->c);
		s_else(g->c);
	}
	if (at_once > 1) {
		if (!warp) {
			quote(g->c, "if (rd_local_size() == 256)");
			several_apart(g, t, first, at_once, x_int(256));
			s_else(g->c);
		}
		several_apart(g, t, first, at_once, size);
		if (!warp)
			s_close(g->c);
		several_apart(g, t, first, 2, size); // short rows have few for each thread
	} else {
		gen_apart(g, t, first, n, counts_short);
	}
	s_for(g->c, (CFor){.i = first, .cond = x_less(x_name(first), n), .op = "+=", .by = size,
	                   .props = at_once > 1 ? LOOP_NO_UNROLL : 0});
	single_apart(g, t, first, counts_short);
	s_close(g->c);
	if (warp)
		s_close(g->c);
}

// Where the order of a fold matters, each thread has some that follow on each other.
static void iterations_in_order(Gen *g, const Threads *t)
{
	const char *i = bind_name(g, t->e->loop.i), *type = index_type(t);
	state_of(g, t->e->loop.i)->small = 1;
	const char *each = fresh_name(g, "each"), *end = fresh_name(g, "end");
	quote(g->c,
	      "$1 $2 = ($3 + rd_local_size() - 1) / rd_local_size(),"
	      "   $4 = (rd_local_id() + 1) * $2 < $3 ? (rd_local_id() + 1) * $2 : $3;"
	      "for ($1 $5 = rd_local_id() * $2; $5 < $4; $5++)",
	      type, each, t->n, end, i);
	one_iteration(g, t);
	s_close(g->c);
}

// After a barrier, all threads leave if one of them has failed.
void leave_if_marked(Gen *g)
{
	s_macro(g->c, "RD_LEAVE_IF_MARKED");
	g->kernel->marks_failures = true;
}

static bool folds_can_fail(const Threads *t)
{
	for EACH(Fold *, f, t->folds)
		if ((*f)->fails)
			return true;
	return false;
}

// Folds depend on the loads of their terms: without stores they need no barrier around them.
// False: a block of one warp has passed none, which stores after earlier loads must wait for.
static bool gen_plain_threads(Gen *g, Threads *t, bool stores)
{
	const char *label = fresh_name(g, "done");
	bool could_fail = g->fun.can_fail, waits = true;
	g->fun.can_fail = false;
	g->thread.at_block = false;
	g->thread.alone = is_int_const(t->e->loop.n, 1);
	g->thread.failed = label;
	begin_folds(g, t);
	thread_allocs(g, t);
	if (t->in_order)
		iterations_in_order(g, t);
	else
		iterations_apart(g, t);
	if (g->fun.can_fail)
		s_label(g->c, label);
	g->thread.failed = NULL;
	g->thread.alone = false;
	g->thread.at_block = true;
	if (g->fun.can_fail)
		leave_if_marked(g);
	else if (stores || !t->folds.len)
		s_barrier(g->c);
	else
		waits = false;
	g->fun.can_fail |= could_fail;
	end_folds(g, t);
	if (folds_can_fail(t))
		leave_if_marked(g);
	return waits || folds_can_fail(t);
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
	if (stores || g->thread.stores)
		block_barrier(g);
	bool reads = g->thread.reads, waits = true;
	declare_fold_results(g, t);
	s_scope(g->c);
	Outer outer = enter_body(g, &e->loop.body);
	if (t->n_scans)
		gen_scanned_threads(g, t);
	else
		waits = gen_plain_threads(g, t, stores);
	leave_body(g, outer);
	s_close(g->c);
	g->thread.reads = !waits && reads;
	g->thread.stores = false;
	bind_results(g, s);
}

bool gen_device_loop(Gen *g, const Stm *s)
{
	if (has_attr(s->attrs, ATTR_ATOMIC)) {
		gen_atomic(g, s);
		return true;
	}
	Threads t;
	if (!g->thread.at_block || !has_attr(s->attrs, ATTR_THREADS))
		return false;
	if (gen_exchange(g, s))
		return true;
	if (!threads_of(g, s, &t))
		return false;
	gen_threads(g, s, &t);
	return true;
}
