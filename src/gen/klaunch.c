// Kernel launches: arguments, numbers of threads and blocks, memory for slots.
//
//     int64_t n = ...;                      the iterations
//     if (n > 0) {
//         int threads = rd_kernel_threads(ctx, 3, rd_spread_threads(ctx, n));
//         int64_t blocks = (n + threads - 1) / threads;
//         const struct rd_arg args[] = {RD_ARG_BLOCK(xs_mem), RD_ARG(a)};
//         status = rd_launch(ctx, 3, blocks, threads, 0, 2, args);
//     }
#include "gen/kgen.h"

typedef VEC(Sub) SubVec;

bool is_kernel_fun(const Fun *f)
{
	return has_attr(f->attrs, ATTR_KERNEL) || has_attr(f->attrs, ATTR_BLOCKS);
}

Kernel *kernel_of(const Gen *g, const Fun *f)
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
static const char *declare_iterations(Gen *g, const Kernel *k, const Exp *call, const char **sizes)
{
	const char *n = fresh_name(g, "n");
	Str size = {0};
	for (int d = 0; d < k->nest.len; d++) {
		CExp x = operand(g, argument(k->fun, call, k->nest.at[d]->exp->loop.n));
		const char *name = sizes[d] = x.text;
		if (x.prec != PREC_ATOM || strpbrk(name, "[(")) {
			sizes[d] = name = fresh_name(g, "n");
			line(g, "int64_t %s = %s;", name, x.text);
		}
		str_printf(&size, "%s(%s > 0 ? (int64_t)%s : 0)", d ? " * " : "", name, name);
	}
	line(g, "int64_t %s = %s;", n, str_text(&size));
	return n;
}

typedef struct { Str args; int n; Str release; } Args;

static void add_arg(Args *a, const char *what)
{
	str_printf(&a->args, "%s%s", a->n++ ? ", " : "", what);
}

static void add_scalar(Gen *g, Args *a, PrimType t, const char *value)
{
	const char *name = fresh_name(g, "arg");
	line(g, "%s %s = %s;", t == PT_BOOL ? "int8_t" : c_scalar_type(t), name, value);
	add_arg(a, text("RD_ARG(%s)", name));
}

// The arguments in the order of the parameters (see kfun.c).
static void add_args(Gen *g, Args *a, const Kernel *k, const Exp *call)
{
	for EACH(Var, p, k->args) {
		Sub x = argument(k->fun, call, sub_var(*p));
		Type t = vars[p->id].type;
		if (t.kind == T_MEM)
			add_arg(a, text("RD_ARG_BLOCK(%s)", block_name(g, x.var)));
		else
			add_scalar(g, a, t.elem, operand_text(g, x));
	}
}

static void add_special(Gen *g, Args *a, const char *status, const char *name, const char *call)
{
	const char *block = fresh_name(g, name);
	line(g, "struct rd_block *%s = NULL;", block);
	line(g, "if (%s == 0)", status);
	line(g, "\t%s = %s(%s, &%s);", status, call, ctx(g), block);
	add_arg(a, text("RD_ARG_BLOCK(%s)", block));
}

// Blocks for all slots at once.
static void add_slots(Gen *g, Args *a, const Kernel *k, const Exp *call, const char *status,
                      const char *blocks, const char *threads)
{
	for EACH(const KernelBlock, kb, k->blocks) {
		if (kb->kind == IN_LOCAL || kb->kind == IN_HEAP)
			continue;
		const char *name = fresh_name(g, "slots");
		CExp n = operand(g, argument(k->fun, call, kb->alloc->alloc.n));
		const char *slots =
			kb->kind == IN_BLOCK_PARTS ? blocks : text("%s * %s", blocks, threads);
		if (kb->held.len)
			slots = text("%d * %s", kb->held.len + 1, slots);
		line(g, "struct rd_block *%s = NULL;", name);
		line(g, "if (%s == 0)", status);
		line(g, "\t%s = rd_alloc(%s, &%s, %s > 0 ? %s * %s : 0, %d);", status, ctx(g), name,
		     c_paren(n, PREC_ATOM), slots, c_paren(n, PREC_ATOM),
		     primtype_size(kb->alloc->alloc.type));
		add_arg(a, text("RD_ARG_BLOCK(%s)", name));
		str_printf(&a->release, "%s\n", name);
	}
}

enum { LEAST_HEAP = 64 << 10 };
typedef struct { const char *slots, *part; } Heap;

// The bytes of each thread's heap; fewer threads if that would be few.
static Heap declare_heap(Gen *g, const Kernel *k, const char *n, const char *blocks,
                         const char *threads)
{
	const char *all = fresh_name(g, "all"), *most = fresh_name(g, "most");
	Heap h = {fresh_name(g, "slots"), fresh_name(g, "part")};
	line(g, "int64_t %s = rd_param(%s, %d);", all, ctx(g),
	     param_number(g->device, "heap_size", "heap_size", -1));
	line(g, "int64_t %s = %s / %d / %s;", most, all, LEAST_HEAP, threads);
	line(g, "%s = %s < %s ? %s : %s > 0 ? %s : 1;", blocks, blocks, most, blocks, most, most);
	line(g, "int64_t %s = %s * %s;", h.slots, blocks, threads);
	if (!k->of_blocks)
		line(g, "%s = %s < %s ? %s : %s;", h.slots, n, h.slots, n, h.slots);
	line(g, "int64_t %s = %s / %s & ~(int64_t)15;", h.part, all, h.slots);
	return h;
}

static void add_heap(Gen *g, Args *a, const char *status, Heap h)
{
	const char *name = fresh_name(g, "heap");
	line(g, "struct rd_block *%s = NULL;", name);
	line(g, "if (%s == 0)", status);
	line(g, "\t%s = rd_alloc(%s, &%s, %s * %s, 1);", status, ctx(g), name, h.part, h.slots);
	add_arg(a, text("RD_ARG_BLOCK(%s)", name));
	add_arg(a, text("RD_ARG(%s)", h.part));
	str_printf(&a->release, "%s\n", name);
}

// What the blocks of a row tell each other; how many those are.
static const char *declare_tiles(Gen *g, const Kernel *k, const Exp *call, const char *n,
                                 const char *threads)
{
	const char *tiles = fresh_name(g, "tiles");
	line(g, "int64_t %s = rd_chain_tiles(%s, %s, %s, %s * (int64_t)%s);", tiles, ctx(g), n,
	     operand_text(g, argument(k->fun, call, k->chain->loop->loop.n)),
	     choice_text(k->chain->items), threads);
	return tiles;
}

static void add_chain(Gen *g, Args *a, const Kernel *k, const char *status, const char *blocks,
                      const char *tiles)
{
	const char *name = fresh_name(g, "chain");
	line(g, "struct rd_block *%s = NULL;", name);
	line(g, "if (%s == 0)", status);
	line(g, "\t%s = rd_chain(%s, &%s, %s > 1 ? %s : 0, %d, %d);", status, ctx(g), name, tiles,
	     blocks, k->chain->n_scans, k->chain->n_values);
	add_arg(a, text("RD_ARG_BLOCK(%s)", name));
	add_arg(a, text("RD_ARG(%s)", tiles));
	str_printf(&a->release, "%s\n", name);
}

// Bytes of blocks that are marked #[local].
static const char *local_bytes(Gen *g, const Kernel *k, const Exp *call)
{
	Str s = {0};
	for (int i = 0; i < k->blocks.len; i++) {
		const Exp *alloc = k->blocks.at[i].alloc;
		if (has_room(k, i))
			str_printf(&s, "%s((%d * %s + 15) & ~(int64_t)15)", s.len ? " + " : "",
			           primtype_size(alloc->alloc.type),
			           c_paren(operand(g, argument(k->fun, call, alloc->alloc.n)),
			                   PREC_ATOM));
	}
	return s.len ? str_text(&s) : "0";
}

// See kgen.h, Note [Shared memory].
static const char *shared_bytes(Gen *g, const Kernel *k, const Exp *call, const char *threads)
{
	if (!k->of_blocks) {
		const char *any = "false";
		for EACH(const TurnedLoop, t, k->turned)
			any = text("%s || %s >= %d", any,
			           c_paren(operand(g, argument(k->fun, call, t->n)), PREC_ADD),
			           t->columns);
		return k->turn_bytes ? text("%s ? RD_CHOOSE(%d, 0) * (int64_t)%s : 0", any,
		                            k->turn_bytes, threads)
		                     : "0";
	}
	Str s = {0};
	str_puts(&s, "16");
	if (k->fold_bytes.other)
		str_printf(&s, " + ((%s * (int64_t)%s + 15) & ~(int64_t)15)",
		           choice_text(k->fold_bytes), threads);
	str_printf(&s, " + %s", local_bytes(g, k, call));
	return str_text(&s);
}

static void launch_with(Gen *g, const Kernel *k, Args *a, const char *status, const char *blocks,
                        const char *threads, const char *bytes)
{
	const char *list = fresh_name(g, "args");
	if (a->n)
		line(g, "const struct rd_arg %s[] = {%s};", list, str_text(&a->args));
	line(g, "if (%s == 0)", status);
	line(g, "\t%s = rd_launch(%s, %d, %s, %s, %s, %d, %s);", status, ctx(g), k->number, blocks,
	     threads, bytes, a->n, a->n ? list : "NULL");
	for (const char *at = str_text(&a->release); *at; at += strcspn(at, "\n") + 1)
		line(g, "rd_release(%s, &%.*s);", ctx(g), (int)strcspn(at, "\n"), at);
}

// The kernel in tiles, if they pay; what comes next is for the other case.
static void launch_tiles(Gen *g, const Kernel *k, const Exp *call, const char *const *sizes,
                         const char *status)
{
	Args a = {0};
	const char *steps =
		c_paren(operand(g, argument(k->fun, call, tile_steps(k->tiling))), PREC_ATOM);
	const char *pay = tiles_pay(k->tiling, sizes, steps, text("rd_processors(%s)", ctx(g)));
	open_brace(g, "if (%s && rd_fits_local(%s, %d))", pay, ctx(g), tile_bytes(k->tiling));
	add_args(g, &a, k, call);
	launch_with(g, k, &a, status, tile_count(k->tiling, sizes),
	            text("%d", tile_threads(k->tiling)), text("%d", tile_bytes(k->tiling)));
	else_brace(g);
}

// ---- How many threads a block has ----

// The longest of the loops that the threads of a block share; none: that is not known before.
typedef struct { const Kernel *k; SubVec most; bool unknown; } Longest;

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
		if (s->exp->form == E_loop && has_attr(s->attrs, ATTR_THREADS))
			note_bound(l, b, s->exp->loop.n);
		else
			exp_visit(s->exp, v);
	}
}

static bool is_warp(const Kernel *k)
{
	return k->of_blocks && has_attr(k->nest.at[0]->attrs, ATTR_WARP);
}

static bool is_row(const Kernel *k)
{
	return k->of_blocks && has_attr(k->nest.at[0]->attrs, ATTR_ROW);
}

// Short rows need few threads, in whole warps.
static const char *wanted_threads(Gen *g, const Kernel *k, const Exp *call, const char *rows)
{
	Longest l = {.k = k};
	Visit v = {.body = note_loops, .ctx = &l};
	if (k->of_blocks)
		note_loops(&v, (Body *)&k->fun->body); // a walk: writes nothing
	const char *all = k->of_blocks ? text("rd_block_size(%s)", ctx(g))
	                               : text("rd_spread_threads(%s, %s)", ctx(g), rows);
	if (is_warp(k))
		return "32";
	if (k->turn_bytes) // no more shared memory than any device has
		return text("rd_least(%s, RD_CHOOSE(%d, 1 << 20))", all,
		            (48 << 10) / k->turn_bytes / 32 * 32);
	bool row = is_row(k);
	if (!row && (l.unknown || !l.most.len))
		return all;
	const char *most = l.unknown ? all : "0";
	for EACH(Sub, n, l.most)
		if (is_known_before(k, *n))
			most = text("rd_more(%s, %s)", most,
			            operand_text(g, argument(k->fun, call, *n)));
	if (row)
		return text("rd_row_threads(%s, %s, %s, %s, %s)", ctx(g), rows, most,
		            local_bytes(g, k, call), choice_text(k->fold_bytes));
	if (k->chain) // they have several iterations each
		most = text("(%s + %s - 1) / %s", most, choice_text(k->chain->items),
		            choice_text(k->chain->items));
	return text("%s(%s, %s)",
	            k->chain && k->chain->wide ? "rd_wide_threads_for" : "rd_threads_for", ctx(g),
	            most);
}

// No more blocks of threads than there is memory for what they allocate.
static void limit_slots(Gen *g, const Kernel *k, const Exp *call, const char *blocks,
                        const char *threads)
{
	Str bytes = {0};
	for EACH(const KernelBlock, kb, k->blocks) {
		const Exp *a = kb->alloc;
		if (kb->kind == IN_LOCAL || kb->kind == IN_HEAP || a->alloc.n.kind == S_CONST)
			continue;
		const char *n = operand_text(g, argument(k->fun, call, a->alloc.n));
		str_printf(&bytes, "%s%d * rd_more(%s, 0)%s%s", bytes.len ? " + " : "",
		           primtype_size(a->alloc.type) * (kb->held.len + 1), n,
		           kb->kind == IN_BLOCK_PARTS ? "" : " * ",
		           kb->kind == IN_BLOCK_PARTS ? "" : threads);
	}
	if (bytes.len)
		line(g, "%s = rd_blocks_within(%s, %s, %s);", blocks, ctx(g), blocks,
		     str_text(&bytes));
}

static void launch_plain(Gen *g, const Kernel *k, const Exp *call, const char *n,
                         const char *status)
{
	const char *threads = fresh_name(g, "threads"), *blocks = fresh_name(g, "blocks");
	Args a = {0};
	line(g, "int %s = rd_kernel_threads(%s, %d, %s%s%s);", threads, ctx(g), k->number,
	     k->scans ? "RD_WHOLE_WARPS(" : "", wanted_threads(g, k, call, n), k->scans ? ")" : "");
	const char *tiles = k->chain ? declare_tiles(g, k, call, n, threads) : NULL;
	if (k->of_blocks)
		line(g, "int64_t %s = %s%s%s;", blocks, n, tiles ? " * " : "", tiles ? tiles : "");
	else
		line(g, "int64_t %s = rd_blocks_each(%s, %s, %s, %d);", blocks, ctx(g), n, threads,
		     iterations_of_thread(k));
	if (k->slots && is_warp(k))
		line(g, "%s = 4 * rd_blocks_for(%s, (%s + 3) / 4, 1);", blocks, ctx(g), blocks);
	else if (k->slots && is_row(k))
		line(g, "%s = rd_row_blocks(%s, %s, %s, %s);", blocks, ctx(g), blocks, threads,
		     shared_bytes(g, k, call, threads));
	else if (k->slots || streamed_loop(k))
		line(g, "%s = rd_blocks_for(%s, %s, 1);", blocks, ctx(g), blocks);
	limit_slots(g, k, call, blocks, threads);
	Heap heap = {0};
	if (k->heap)
		heap = declare_heap(g, k, n, blocks, threads);
	add_args(g, &a, k, call);
	if (k->chain)
		add_chain(g, &a, k, status, blocks, tiles);
	if (k->locks)
		add_special(g, &a, status, "locks", "rd_locks");
	if (k->heap)
		add_heap(g, &a, status, heap);
	add_slots(g, &a, k, call, status, blocks, threads);
	launch_with(g, k, &a, status, blocks, threads, shared_bytes(g, k, call, threads));
}

void gen_launch(Gen *g, const Stm *s)
{
	const Exp *call = s->exp;
	const Kernel *k = kernel_of(g, call->call.fn);
	const char *status = fresh_name(g, "status");
	const char **sizes = NEW_ARRAY(const char *, k->nest.len);
	settle_loads(g);
	rts_use(g->rts, "device");
	rts_use(g->rts, "memory");
	open_scope(g);
	const char *n = declare_iterations(g, k, call, sizes);
	open_brace(g, "if (%s > 0)", n);
	line(g, "int %s = 0;", status);
	for EACH(struct Kernel *, tiled, k->tiled)
		launch_tiles(g, *tiled, call, sizes, status);
	launch_plain(g, k, call, n, status);
	for (int i = 0; i < k->tiled.len; i++)
		close_brace(g);
	open_brace(g, "if (%s != 0)", status);
	leave_function(g, status);
	close_brace(g);
	close_brace(g);
	close_brace(g);
}
