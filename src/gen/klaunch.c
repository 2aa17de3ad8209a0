// Kernel launches: arguments, numbers of threads and blocks, memory for slots.
//
//     int64_t n = ...;                      the iterations
//     if (n > 0) {
//         int threads = rd_kernel_threads(ctx, 3, rd_spread_threads(ctx, n));
//         int64_t blocks = (n + threads - 1) / threads;
//         const uint64_t args[] = {RD_WORD_BLOCK(xs_mem), RD_WORD(a)};
//         status = rd_launch(ctx, 3, blocks, threads, 0, args);
//     }
#include "gen/kgen.h"

bool is_kernel_fun(const Fun *f)
{
	return has_attr(f->attrs, ATTR_KERNEL) || has_attr(f->attrs, ATTR_BLOCKS);
}

static Kernel *kernel_of(const Gen *g, const Fun *f)
{
	return map_get(&g->device->of, f);
}

// What the call gives for a parameter of the kernel's function.
static Sub argument(const Fun *f, const Exp *call, Sub x)
{
	for (int i = 0; x.kind == S_VAR && i < f->params.len; i++)
		if (f->params.at[i].id == x.var.id)
			return call->call.args.at[i];
	return x;
}

// Gives the number of all iterations, and of those of each loop in `sizes`.
static CExp declare_iterations(Gen *g, const Kernel *k, const Exp *call, CExp *sizes)
{
	const char *n = fresh_name(g, "n");
	CExp size = NULL;
	for (int d = 0; d < k->nest.len; d++) {
		CExp x = operand(g, argument(k->fun, call, k->nest.at[d]->exp->loop.n));
		sizes[d] = x;
		if (!x_is_simple(x)) {
			const char *name = fresh_name(g, "n");
			s_declare(g->c, "int64_t", name, x);
			sizes[d] = x_name(name);
		}
		CExp there = x_quote("$1 > 0 ? (int64_t)$1 : 0", sizes[d]);
		size = size ? x_times(size, there) : there;
	}
	s_declare(g->c, "int64_t", n, size);
	return x_name(n);
}

typedef struct {
	VEC(CExp) args;
	const char *list;               // once they are put together
	VEC(const char *) release;
} Args;

static void add_arg(Args *a, const char *how, CExp x)
{
	VEC_PUSH(&a->args, x_call(how, x));
}

// A block that a call makes, if nothing has failed; it is released after the launch unless it
// stays.
static void add_made(Gen *g, Args *a, const char *status, const char *name, CExp call, bool stays)
{
	quote(g->c, "struct rd_block *$1 = NULL; if ($2 == 0) $2 = $3;", name, status, call);
	add_arg(a, "RD_WORD_BLOCK", x_name(name));
	if (!stays)
		VEC_PUSH(&a->release, name);
}

static void add_scalar(Gen *g, Args *a, PrimType t, CExp value)
{
	const char *bits = t == PT_F64 ? "rd_to_bits_f64" : "rd_to_bits_f32";
	if (is_float(t)) {
		rts_use(g->rts, bits);
		value = x_call(bits, value);
	}
	add_arg(a, "RD_WORD", value);
}

// The arguments in the order of the parameters (see kfun.c).
static void add_args(Gen *g, Args *a, const Kernel *k, const Exp *call)
{
	for EACH(Var, p, k->args) {
		Sub x = argument(k->fun, call, sub_var(*p));
		Type t = vars[p->id].type;
		if (t.kind == T_MEM)
			add_arg(a, "RD_WORD_BLOCK", x_name(block_name(g, x.var)));
		else
			add_scalar(g, a, t.elem, operand(g, x));
	}
}

static void add_locks(Gen *g, Args *a, const char *status)
{
	const char *block = fresh_name(g, "locks");
	add_made(g, a, status, block, x_quote("rd_locks($1, &$2)", ctx(g), block), true);
}

// Blocks for all slots at once.
static void add_slots(Gen *g, Args *a, const Kernel *k, const Exp *call, const char *status,
                      CExp blocks, CExp threads)
{
	for EACH(const KernelBlock, kb, k->blocks) {
		if (kb->kind == IN_LOCAL || kb->kind == IN_HEAP)
			continue;
		const char *name = fresh_name(g, "slots");
		CExp n = operand(g, argument(k->fun, call, kb->alloc->alloc.n));
		CExp slots = kb->held.len ? x_times(x_int(kb->held.len + 1), blocks) : blocks;
		if (kb->kind != IN_BLOCK_PARTS)
			slots = x_times(slots, threads);
		add_made(g, a, status, name,
		         x_quote("rd_alloc($1, &$2, $3 > 0 ? $4 * $3 : 0, $5)", ctx(g), name, n,
		                 slots, primtype_size(kb->alloc->alloc.type)), false);
	}
}

enum { LEAST_HEAP = 64 << 10 };
typedef struct { CExp slots, part; } Heap;

// The bytes of each thread's heap; fewer threads if that would be few.
static Heap declare_heap(Gen *g, const Kernel *k, CExp n, CExp blocks, CExp threads)
{
	const char *all = fresh_name(g, "all"), *most = fresh_name(g, "most");
	const char *slots = fresh_name(g, "slots"), *part = fresh_name(g, "part");
	Heap h = {x_name(slots), x_name(part)};
	int number = param_number(g->device, "heap_size", "heap_size", -1);
	quote(g->c, "int64_t $1 = rd_param($2, $3), $4 = $1 / $5 / $6;", all, ctx(g), number, most,
	      LEAST_HEAP, threads);
	quote(g->c, "$1 = $1 < $2 ? $1 : ($2 > 0 ? $2 : 1);", blocks, most);
	quote(g->c, "int64_t $1 = $2 * $3;", slots, blocks, threads);
	if (!k->of_blocks)
		s_assign(g->c, h.slots, x_min(n, h.slots));
	s_declare(g->c, "int64_t", part, round_down16(x_quote("$1 / $2", all, slots)));
	return h;
}

static void add_heap(Gen *g, Args *a, const char *status, Heap h)
{
	const char *name = fresh_name(g, "heap");
	add_made(g, a, status, name,
	         x_quote("rd_alloc($1, &$2, $3 * $4, 1)", ctx(g), name, h.part, h.slots), false);
	add_arg(a, "RD_WORD", h.part);
}

// What the blocks of a row tell each other; how many those are.
static CExp declare_tiles(Gen *g, const Kernel *k, const Exp *call, CExp n, CExp threads)
{
	const char *tiles = fresh_name(g, "tiles");
	CExp row = operand(g, argument(k->fun, call, k->chain->loop->loop.n));
	quote(g->c, "int64_t $1 = rd_chain_tiles($2, $3, $4, $5 * (int64_t)$6);", tiles, ctx(g), n,
	      row, choice(k->chain->items), threads);
	return x_name(tiles);
}

static void add_chain(Gen *g, Args *a, const Kernel *k, const char *status, CExp blocks,
                      CExp tiles)
{
	const char *name = fresh_name(g, "chain");
	add_made(g, a, status, name,
	         x_quote("rd_chain($1, &$2, $3 > 1 ? $4 : 0, $5, $6)", ctx(g), name, tiles, blocks,
	                 k->chain->n_scans, k->chain->n_values), false);
	add_arg(a, "RD_WORD", tiles);
}

// Bytes of blocks that are marked #[local].
static CExp local_bytes(Gen *g, const Kernel *k, const Exp *call)
{
	CExp sum = NULL;
	for (int i = 0; i < k->blocks.len; i++) {
		const Exp *alloc = k->blocks.at[i].alloc;
		if (!has_room(k, i))
			continue;
		CExp n = operand(g, argument(k->fun, call, alloc->alloc.n));
		CExp one = round_up16(x_times(x_int(primtype_size(alloc->alloc.type)), n));
		sum = sum ? x_plus(sum, one) : x_group(one);
	}
	return sum ? sum : x_int(0);
}

// Where one of the loops that turn rows round is long enough.
static CExp turn_bytes(Gen *g, const Kernel *k, const Exp *call, CExp threads)
{
	CExp any = x_const("false");
	for EACH(const TurnedLoop, t, k->turned) {
		CExp n = operand(g, argument(k->fun, call, t->n));
		any = x_quote("$1 || $2 >= $3", any, n, t->columns);
	}
	return x_quote("$1 ? RD_CHOOSE($2, 0) * (int64_t)$3 : 0", any, k->turn_bytes, threads);
}

// See kgen.h, Note [Shared memory].
static CExp shared_bytes(Gen *g, const Kernel *k, const Exp *call, CExp threads)
{
	if (!k->of_blocks)
		return k->turn_bytes ? turn_bytes(g, k, call, threads) : x_int(0);
	CExp sum = x_int(16);
	if (k->fold_bytes.other)
		sum = x_plus(sum, round_up16(x_quote("$1 * (int64_t)$2", choice(k->fold_bytes),
		                                     threads)));
	return x_binary_most(sum, "+", local_bytes(g, k, call), PREC_ADD, PREC_ADD);
}

static void put_args(Gen *g, Args *a)
{
	a->list = a->args.len ? fresh_name(g, "args") : "NULL";
	if (a->args.len)
		s_array(g->c, "const uint64_t", a->list, NULL, x_list(VEC_SLICE(CExps, a->args)));
}

static void launch_with(Gen *g, CExp kernel, Args *a, const char *status, CExp blocks,
                        CExp threads, CExp bytes)
{
	if (!a->list)
		put_args(g, a);
	quote(g->c, "if ($1 == 0) $1 = $2;", status,
	      x_quote("rd_launch($1, $2, $3, $4, $5, $6)", ctx(g), kernel, blocks, threads,
	              bytes, a->list));
	for EACH(const char *, name, a->release)
		quote(g->c, "rd_release($1, &$2);", ctx(g), *name);
}

// The kernel in tiles, if they pay; what comes next is for the other case.
static void launch_tiles(Gen *g, const Kernel *k, const Exp *call, const CExp *sizes,
                         const char *status, const Args *shared)
{
	Args a = shared ? *shared : (Args){0};
	CExp steps = operand(g, argument(k->fun, call, tile_steps(k->tiling)));
	CExp bytes = x_int(tile_bytes(k->tiling));
	CExp pay = tiles_pay(k->tiling, sizes, x_group(steps),
	                     x_call("rd_processors", ctx(g)));
	s_if(g->c, x_binary(pay, "&&", x_call("rd_fits_local", ctx(g), bytes), PREC_AND));
	if (!shared)
		add_args(g, &a, k, call);
	launch_with(g, x_int(k->number), &a, status, tile_count(k->tiling, sizes),
	            x_int(tile_threads(k->tiling)), bytes);
	s_else(g->c);
}

// ---- How many threads a block has ----

// The longest of the loops that the threads of a block share; none: that is not known before.
// Of a block that does the steps of a row, only those in the steps, if there are any: it goes
// through the others once.
typedef struct { const Kernel *k; SubVec most; bool unknown, steps; int depth; } Longest;

// An operand known before the kernel that the number of iterations does not exceed: a chunk has
// min (chunk, rest) rows.
static void note_bound(Longest *l, const Body *b, Sub n)
{
	for EACH(Stm, s, b->stms)
		if (!is_known_before(l->k, n) && s->pat.len == 1 && s->pat.at[0].id == n.var.id &&
		    s->exp->form == E_prim && s->exp->prim.op == P_min)
			n = s->exp->prim.x[is_known_before(l->k, s->exp->prim.x[0]) ? 0 : 1];
	l->unknown |= !is_known_before(l->k, n);
	VEC_PUSH(&l->most, n);
}

static void note_loops(Visit *v, Body *b)
{
	Longest *l = v->ctx;
	for EACH(Stm, s, b->stms) {
		bool loop = s->exp->form == E_loop;
		if (loop && has_attr(s->attrs, ATTR_THREADS)) {
			if (l->depth || !l->steps)
				note_bound(l, b, s->exp->loop.n);
			continue;
		}
		bool steps = loop && !has_attr(s->attrs, ATTR_BLOCKS);
		l->depth += steps;
		exp_visit(s->exp, v);
		l->depth -= steps;
	}
}

static void note_row(Longest *l, const Body *b)
{
	Visit v = {.body = note_loops, .ctx = l};
	l->steps = is_row(l->k);
	note_loops(&v, (Body *)b); // a walk: writes nothing
	if (l->steps && !l->unknown && !l->most.len) {
		l->steps = false;
		note_loops(&v, (Body *)b);
	}
}

bool is_warp(const Kernel *k)
{
	return k->of_blocks && has_attr(k->nest.at[0]->attrs, ATTR_WARP);
}

bool is_row(const Kernel *k)
{
	return k->of_blocks && has_attr(k->nest.at[0]->attrs, ATTR_ROW);
}

bool has_wide_blocks(const Gen *g)
{
	return g->kernel && !g->kernel->one_warp && !is_warp(g->kernel);
}

bool is_narrow_kernel(const Kernel *k)
{
	return k->one_warp && !is_warp(k);
}

// Short rows need few threads, in whole warps.
static CExp wanted_threads(Gen *g, const Kernel *k, const Exp *call, CExp rows)
{
	Longest l = {.k = k};
	if (k->of_blocks)
		note_row(&l, &k->fun->body);
	CExp all = k->of_blocks ? x_call("rd_block_size", ctx(g))
	                        : x_call("rd_spread_threads", ctx(g), rows);
	if (is_warp(k))
		return x_int(32);
	if (k->turn_bytes) // no more shared memory than any device has
		return x_quote("rd_least($1, RD_CHOOSE($2, 1 << 20))", all,
		               (48 << 10) / k->turn_bytes / 32 * 32);
	bool row = is_row(k);
	if (!row && (l.unknown || !l.most.len))
		return all;
	CExp most = l.unknown ? all : x_int(0);
	for EACH(Sub, n, l.most)
		if (is_known_before(k, *n))
			most = x_call("rd_more", most, operand(g, argument(k->fun, call, *n)));
	if (row)
		return x_call("rd_row_threads", ctx(g), rows, most, local_bytes(g, k, call),
		              choice(k->fold_bytes));
	if (k->chain) // they have several iterations each
		most = x_quote("($1 + $2 - 1) / $2", most, choice(k->chain->items));
	return x_call(k->chain && k->chain->wide ? "rd_wide_threads_for" : "rd_threads_for",
	              ctx(g), most);
}

// No more blocks of threads than there is memory for what they allocate.
static void limit_slots(Gen *g, const Kernel *k, const Exp *call, CExp blocks, CExp threads)
{
	CExp bytes = NULL;
	for EACH(const KernelBlock, kb, k->blocks) {
		const Exp *a = kb->alloc;
		if (kb->kind == IN_LOCAL || kb->kind == IN_HEAP || a->alloc.n.kind == S_CONST)
			continue;
		CExp n = operand(g, argument(k->fun, call, a->alloc.n));
		int size = primtype_size(a->alloc.type) * (kb->held.len + 1);
		CExp one = x_quote("$1 * rd_more($2, 0)", size, n);
		if (kb->kind != IN_BLOCK_PARTS)
			one = x_times(one, threads);
		bytes = bytes ? x_plus(bytes, one) : one;
	}
	if (bytes)
		s_assign(g->c, blocks, x_call("rd_blocks_within", ctx(g), blocks, bytes));
}

// No more blocks of threads than the device runs at once, if they have memory of their own.
static void limit_blocks(Gen *g, const Kernel *k, const Exp *call, CExp blocks, CExp threads)
{
	CExp most = NULL;
	if (k->slots && is_warp(k))
		most = x_quote("4 * rd_blocks_for($1, ($2 + 3) / 4, 1)", ctx(g), blocks);
	else if (k->slots && is_row(k))
		most = x_call("rd_row_blocks", ctx(g), blocks, threads,
		              shared_bytes(g, k, call, threads));
	else if (k->slots || streamed_loop(k))
		most = x_quote("rd_blocks_for($1, $2, 1)", ctx(g), blocks);
	if (most)
		s_assign(g->c, blocks, most);
}

// The number of the kernel for so many threads, or of its version for one warp.
static CExp choose_narrow(Gen *g, const Kernel *k, CExp *wanted)
{
	const char *most = fresh_name(g, "wanted"), *kernel = fresh_name(g, "kernel");
	s_declare(g->c, "int", most, *wanted);
	*wanted = x_name(most);
	quote(g->c, "int $1 = RD_CHOOSE($2 == 32, false) ? $3 : $4;", kernel, most,
	      k->narrow->number, k->number);
	return x_name(kernel);
}

// How many of the kernel's blocks a block of the device has, where each is a warp
// (rts/gpu/kernel.h, Note [Warps]); NULL: one.  There are as many as fill those.
static CExp declare_warps(Gen *g, const Kernel *k, CExp blocks, CExp bytes)
{
	if (!is_warp(k) || k->chain || k->heap)
		return NULL;
	const char *warps = fresh_name(g, "warps");
	s_declare(g->c, "int", warps, x_call("rd_row_warps", ctx(g), blocks, bytes));
	quote(g->c, "$1 = ($1 + $2 - 1) / $2 * $2;", blocks, warps);
	return x_name(warps);
}

static void launch_plain(Gen *g, const Kernel *k, const Exp *call, CExp n, const char *status,
                         const Args *shared)
{
	const char *t = fresh_name(g, "threads"), *b = fresh_name(g, "blocks");
	CExp threads = x_name(t), blocks = x_name(b);
	Args a = {0};
	CExp wanted = wanted_threads(g, k, call, n), kernel = x_int(k->number);
	if (k->narrow)
		kernel = choose_narrow(g, k, &wanted);
	s_declare(g->c, "int", t,
	          x_call("rd_kernel_threads", ctx(g), kernel,
	                 k->scans ? x_call("RD_WHOLE_WARPS", wanted) : wanted));
	CExp tiles = k->chain ? declare_tiles(g, k, call, n, threads) : NULL;
	s_declare(g->c, "int64_t", b,
	          !k->of_blocks ? x_call("rd_blocks_each", ctx(g), n, threads,
	                                 x_int(iterations_of_thread(k)))
	          : rows_of_warp(k) > 1 ? x_call("rd_blocks_each", ctx(g), n, x_int(1),
	                                         x_int(rows_of_warp(k)))
	          : tiles       ? x_times(n, tiles)
	                        : n);
	limit_blocks(g, k, call, blocks, threads);
	limit_slots(g, k, call, blocks, threads);
	CExp bytes = shared_bytes(g, k, call, threads);
	CExp warps = declare_warps(g, k, blocks, bytes);
	Heap heap = {0};
	if (k->heap)
		heap = declare_heap(g, k, n, blocks, threads);
	add_args(g, &a, k, call);
	if (k->chain)
		add_chain(g, &a, k, status, blocks, tiles);
	if (k->locks)
		add_locks(g, &a, status);
	if (k->heap)
		add_heap(g, &a, status, heap);
	add_slots(g, &a, k, call, status, blocks, threads);
	if (shared && a.args.len == shared->args.len)
		a.list = shared->list;
	if (warps) {
		blocks = x_quote("$1 / $2", blocks, warps);
		threads = x_times(threads, warps);
		bytes = x_times(x_group(bytes), warps);
	}
	launch_with(g, kernel, &a, status, blocks, threads, bytes);
}

// Do a kernel and the same in tiles have the same arguments, but for memory of its own?
static bool args_agree(const Kernel *k)
{
	for EACH(struct Kernel *, t, k->tiled)
		for (int i = 0; i < k->args.len || i < (*t)->args.len; i++)
			if (i >= k->args.len || i >= (*t)->args.len ||
			    k->args.at[i].id != (*t)->args.at[i].id)
				return false;
	return k->tiled.len > 0;
}

void gen_launch(Gen *g, const Stm *s)
{
	const Exp *call = s->exp;
	const Kernel *k = kernel_of(g, call->call.fn);
	const char *status = fresh_name(g, "status");
	CExp *sizes = NEW_ARRAY(CExp, k->nest.len);
	settle_loads(g);
	rts_use(g->rts, "device");
	rts_use(g->rts, "memory");
	s_scope(g->c);
	CExp n = declare_iterations(g, k, call, sizes);
	quote(g->c, "if ($1 > 0)", n);
	quote(g->c, "int $1 = 0;", status);
	Args all = {0}, *shared = args_agree(k) ? &all : NULL;
	if (shared) { // put together once
		add_args(g, shared, k, call);
		put_args(g, shared);
	}
	for EACH(struct Kernel *, tiled, k->tiled)
		launch_tiles(g, *tiled, call, sizes, status, shared);
	launch_plain(g, k, call, n, status, shared);
	for (int i = 0; i < k->tiled.len; i++)
		s_close(g->c);
	leave_if(g, status);
	s_close(g->c);
	s_close(g->c);
}
