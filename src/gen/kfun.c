// Programs for devices: emits kernels, the functions they call, tables that describe them, and the
// host functions.
//
// The parameters of a kernel are those parameters of its function that it uses, in their order;
// then, if needed, the state of a chained scan with the number of blocks per row (kchain.c), the
// locks, the heap with the size of a thread's share, and the blocks of its slots (kgen.h).
//
// Note [Arguments].  The table of kernels says what the arguments of each are, and what it does
// with them, the failure record first.  A digit: a value of so many bytes.  'r': a block that it
// only reads; 'w': one that it may write.  'R' and 'W', of kernels of the run-time: an address,
// where the last argument says how many bytes there are.  '-': a failure record that is left alone.
// Kernels of which none writes what the other one touches can run at the same time
// (rts/gpu/depend.h).  A block of the program is 'r' only if its parameter is `const`, so that
// compilers of kernels hold the table against what kernels do.
#include "core/key.h"
#include "gen/kgen.h"

#include <ctype.h>

// ---- The kernels of a program ----

bool is_known_before(const Kernel *k, Sub n)
{
	for EACH(Var, p, k->fun->params)
		if (n.kind == S_VAR && p->id == n.var.id)
			return true;
	return n.kind == S_CONST;
}

static bool reads_only(const Stm *s)
{
	return is_pure_scalar(s) || s->exp->form == E_slice || s->exp->form == E_reshape ||
	       s->exp->form == E_rearrange || s->exp->form == E_assert_ || s->exp->form == E_atom;
}

// The loop that ends the body of another one of the same kind, and is one with it.
static const Stm *next_of_nest(const Kernel *k, const Stm *s)
{
	const Body *b = &s->exp->loop.body;
	const Stm *last = b->stms.len ? &b->stms.at[b->stms.len - 1] : NULL;
	Mark attr = k->of_blocks ? ATTR_BLOCKS : ATTR_KERNEL;
	if (!last || last->exp->form != E_loop || !has_attr(last->attrs, attr) ||
	    !is_known_before(k, last->exp->loop.n))
		return NULL;
	for (const Stm *t = b->stms.at; t < last; t++)
		if (!reads_only(t))
			return NULL;
	for (int i = 0; i < b->res.len; i++)
		if (b->res.at[i].kind != S_VAR)
			return NULL;
	return last;
}

static bool is_alloc(const Stm *s)
{
	return s->exp->form == E_alloc && !s->exp->alloc.stack;
}

// The kernel of which this one is to have the text: another that does the same.  Where blocks are
// that it allocates itself depends on the whole program, too (kmemory.c).
static Kernel *kernel_like(const Device *d, const Fun *f)
{
	const Fun *first = map_get(&d->alike, f);
	return first && !body_find(&f->body, is_alloc) ? map_get(&d->of, first) : NULL;
}

static Kernel *new_kernel(Device *d, const Fun *f)
{
	Kernel *k = NEW(Kernel, .fun = f, .where = f->where, .number = d->kernels.len,
	                .as = kernel_like(d, f),
	                .name = c_fun_name(f) + strlen("rd_fun_"),
	                .of_blocks = has_attr(f->attrs, ATTR_BLOCKS));
	for (const Stm *s = &f->body.stms.at[0]; s; s = next_of_nest(k, s))
		VEC_PUSH(&k->nest, s);
	return k;
}

static void add_tiled(Device *d, Kernel *k, Tiling *t, Kernel *as)
{
	Kernel *tiled = NEW(Kernel, .fun = k->fun, .where = k->where, .as = as, .tiling = t,
	                    .number = d->kernels.len,
	                    .name = text("%s_%s", k->name, tile_name(t)));
	VEC_APPEND(&tiled->nest, k->nest);
	VEC_PUSH(&d->kernels, tiled);
	VEC_PUSH(&k->tiled, tiled);
}

static void add_tiled_kernels(Device *d)
{
	int n = d->kernels.len;
	for (int i = 0; i < n; i++) {
		Kernel *k = d->kernels.at[i];
		if (k->as) {
			for EACH(Kernel *, as, k->as->tiled)
				add_tiled(d, k, (*as)->tiling, *as);
			continue;
		}
		for (int size = 0; size < N_TILE_SIZE; size++) {
			Tiling *t = tiling_of(k, (TileSize)size, d->tf32);
			if (t)
				add_tiled(d, k, t, NULL);
		}
	}
}

// Rows that a block does each are often short, and many: then blocks are single warps.  There is a
// version for these, in which compilers know that, so that loops over the elements of a row have
// constant steps and sums of warps are not summed again.
static void add_narrow_kernels(Device *d)
{
	int n = d->kernels.len;
	for (int i = 0; i < n; i++) {
		Kernel *k = d->kernels.at[i];
		k->one_warp = is_warp(k);
		if (!is_row(k) || (k->as ? k->as : k)->chain)
			continue;
		k->narrow = mem_dup(k, sizeof *k);
		k->narrow->as = k->as ? k->as->narrow : NULL;
		k->narrow->one_warp = true;
		k->narrow->number = d->kernels.len;
		k->narrow->name = text("%s_warp", k->name);
		VEC_PUSH(&d->kernels, k->narrow);
	}
}

// ---- Functions that kernels call, those called first ----

typedef struct { Map seen; VEC(const Fun *) order; bool host; } Called;

static void visit_called(Visit *v, Fun **f)
{
	Called *c = v->ctx;
	if (map_has(&c->seen, *f) || (c->host && is_kernel_fun(*f)))
		return;
	map_put(&c->seen, *f, c);
	Visit inside = {.fun = visit_called, .ctx = c};
	body_visit(&(*f)->body, &inside);
	VEC_PUSH(&c->order, *f);
}

static void functions_of_kernels(Gen *g, Str *out)
{
	Called c = {0};
	Visit v = {.fun = visit_called, .ctx = &c};
	for EACH(Kernel *, k, g->device->kernels)
		if (!(*k)->as)
			body_walk(&(*k)->fun->body, &v);
	g->kernel = NULL;
	for EACH(const Fun *, f, c.order) {
		const CFun *fun = gen_function(g, *f);
		fun_print(out, fun, fun->name);
		if (g->fun.can_fail)
			map_put(&g->device->fails, *f, g);
	}
}

// ---- Kernels ----

static void name_params(Gen *g, const Kernel *k)
{
	for EACH(Var, p, k->fun->params) {
		Type t = vars[p->id].type;
		VarState *st = state_of(g, *p);
		st->is_param = true;
		if (t.kind == T_MEM) {
			st->pointer = fresh_name(g, st->hint ? st->hint : "block");
			st->shown = x_name(st->pointer);
		} else if (type_is_scalar(t)) {
			bind_name(g, *p);
		}
	}
	for (int i = 0; i < k->blocks.len; i++)
		k->blocks.at[i].arg = fresh_name(g, "slots");
}

static CBlock *kernel_body(Gen *g, const Kernel *k)
{
	CBlock *body = code_begin(g->c);
	g->body = &k->fun->body;
	g->fun.pending.len = g->fun.blocks.len = 0;
	while (g->fun.sizes.len)
		state_of(g, g->fun.sizes.at[--g->fun.sizes.len])->is_size = false;
	note_arrays(g, k->fun->params);
	s_macro(g->c, "RD_AFTER_OTHERS");
	if (minds_failures(k))
		s_macro(g->c, "RD_RETURN_IF_FAILED");
	if (k->marks_failures) {
		quote(g->c, "RD_LOCAL int32_t *rd_mark = (RD_LOCAL int32_t *)rd_shared;"
		            "if (rd_local_id() == 0) *rd_mark = 0;"
		            "rd_barrier();");
	}
	declare_local_blocks(g);
	if (k->tiling)
		gen_tiled_nest(g);
	else
		gen_kernel_nest(g);
	return body;
}

// A block's threads store what others of it load after a barrier.  `restrict` says that nobody else
// stores there: then compilers load before the barrier.
static bool is_restricted(const VarState *block, bool has_barriers)
{
	return !block->live && !(block->stored && has_barriers);
}

// Variables hold f16 as float.
static int size_as_argument(PrimType t)
{
	return primtype_size(t == PT_F16 ? PT_F32 : t);
}

// What it does with the failure record: functions that it calls are given that.
static char failure_access(const Gen *g, const Kernel *k)
{
	return k->can_fail ? 'w' : minds_failures(k) || g->thread.calls ? 'r' : '-';
}

static CFun *kernel_head(Gen *g, Kernel *k, const CBlock *body)
{
	bool has_barriers = s_has(body, S_BARRIER);
	const char *bounds = is_warp(k)       ? "RD_BOUNDS(128,1) " // RD_WARPS in kernel.h
	                   : k->one_warp      ? "RD_BOUNDS(32,1) "
	                   : streamed_loop(k) ? "RD_STREAMED "
	                   : k->tiling        ? tile_bounds(k->tiling)
	                   : k->chain         ? chain_bounds(k->chain)
	                                      : turn_bounds(k);
	CFun *out = NEW(CFun, .result = text("RD_KERNEL void %s", bounds), .name = k->name);
	add_param(out, "RD_KERNEL_PARAMS", NULL);
	k->kinds = (Str){0};
	str_putc(&k->kinds, failure_access(g, k));
	for EACH(Var, p, k->fun->params) {
		Type t = vars[p->id].type;
		const VarState *st = state_of(g, *p);
		bool block = t.kind == T_MEM, writes = st->stored || st->live;
		if (!(block ? st->live || st->pointer_live : type_is_scalar(t) && st->live))
			continue;
		VEC_PUSH(&k->args, *p);
		str_putc(&k->kinds, !block   ? (char)('0' + size_as_argument(t.elem))
		                    : writes ? 'w'
		                             : 'r');
		if (block)
			add_param(out, text("RD_GLOBAL %s%s *%s",
			                    writes ? "" : "const ",
			                    elem_type(g, t.elem),
			                    is_restricted(st, has_barriers) ? "RD_RESTRICT" : ""),
			          st->pointer);
		else
			add_param(out, t.elem == PT_BOOL ? "int8_t" : c_scalar_type(t.elem),
			          st->shown->text);
	}
	if (k->chain) {
		str_puts(&k->kinds, "w8");
		add_param(out, "RD_GLOBAL char *", "rd_chain");
		add_param(out, "int64_t", "rd_tiles");
	}
	if (k->locks) {
		str_putc(&k->kinds, 'w');
		add_param(out, "volatile RD_GLOBAL int32_t *", "rd_locks");
	}
	if (k->heap) {
		str_puts(&k->kinds, "w8");
		add_param(out, "RD_GLOBAL char *", "rd_heaps");
		add_param(out, "int64_t", "rd_heap_size");
	}
	for EACH(const KernelBlock, kb, k->blocks) {
		if (kb->kind == IN_LOCAL || kb->kind == IN_HEAP)
			continue;
		str_putc(&k->kinds, 'w');
		add_param(out, text("RD_GLOBAL %s *", elem_type(g, kb->alloc->alloc.type)),
		          kb->arg);
	}
	return out;
}

static CFun *gen_kernel(Gen *g, Kernel *k)
{
	CBlock *body = NULL;
	g->kernel = k;
	g->fun.can_fail = false;
	g->fun.cleans = false;
	g->uses.len = 0;
	g->user = 0;
	g->c->barrier = k->one_warp ? "rd_warp_barrier" : NULL;
	for (int round = 0; round < 2; round++) {
		g->counting = g->c->off = round == 0;
		reset_names(g);
		name_params(g, k);
		g->thread.calls = false;
		body = kernel_body(g, k);
		k->locks |= g->thread.calls && g->device->locks;
		k->heap |= g->thread.calls && g->device->heap;
		k->slots |= k->heap;
		if (k->heap) // a part for each thread that there is, for one row after the other
			k->chain = NULL;
		if (g->counting)
			find_live(g);
	}
	CFun *out = kernel_head(g, k, body);
	out->body = code_begin(g->c);
	if (is_narrow_kernel(k))
		s_ifdef(g->c, "ifndef __OPENCL_C_VERSION__");
	if (k->one_warp)
		s_macro(g->c, is_warp(k) ? "RD_OWN_WARP" : "RD_ONE_WARP");
	if (g->thread.calls) {
		rts_use(g->rts, "kernel_thread");
		if (!k->locks)
			quote(g->c, "volatile RD_GLOBAL int32_t *rd_locks = 0;");
		if (!k->heap)
			quote(g->c, "struct rd_heap *rd_heap = 0;");
	}
	s_splice(g->c, body);
	if (is_narrow_kernel(k))
		s_close(g->c);
	check_code(out);
	g->kernel = NULL;
	g->c->barrier = NULL;
	return out;
}

// Kernels with the same text, but for their names, are one (primals and their derivatives have
// some in common).
static void put_kernel(Gen *g, Kernel *k, Map *texts, Str *out)
{
	if (k->as) {
		Kernel own = *k;
		*k = *k->as;
		k->name = own.name;
		k->number = own.number;
		k->where = own.where;
		k->tiled.at = own.tiled.at;
		k->narrow = own.narrow;
		return;
	}
	const CFun *f = gen_kernel(g, k);
	const char *same = same_text(texts, f);
	k->in_text = same ? same : k->name;
	if (!same)
		fun_print(out, f, f->name);
}

// ---- Tables ----

static const char *main_place(const Where *w)
{
	for (; w; w = w->up)
		if (w->span.lo && !str_starts(show_span(w->span), "/prelude/"))
			return show_span(w->span);
	return "";
}

static void put_tables(const Device *d, const char *kernels, Str *out)
{
	str_puts(out, "static const char *const rd_kernel_texts[] = {");
	put_c_lines(out, kernels);
	str_puts(out, "\n};\n\nstatic const struct rd_kernel rd_kernels[] = {\n");
	for EACH(Kernel *, k, d->kernels)
		str_printf(out, "\t{%s, %s, %s, 0, %d, \"%s\"},\n", c_string((*k)->name),
		           c_string((*k)->in_text), c_string(main_place((*k)->where)),
		           (*k)->can_fail, str_text(&(*k)->kinds));
	if (!d->kernels.len)
		str_puts(out, "\t{\"\", \"\", \"\", 0, 0, \"\"},\n");
	str_puts(out, "};\n\nstatic const struct rd_tuning_param rd_tuning_params[] = {\n");
	for EACH(const TuningParam, p, d->params)
		str_printf(out, "\t{%s, %s, %lld},\n", c_string(p->name), c_string(p->class_),
		           (long long)p->value);
	if (!d->params.len)
		str_puts(out, "\t{NULL, NULL, 0},\n");
	str_printf(out,
	           "};\n\nstatic const struct rd_device_program *rd_device_program(void)\n{\n"
	           "\tstatic const struct rd_device_program program = {\n"
	           "\t\t1, rd_kernel_texts, %d, rd_kernels, %d, rd_tuning_params, "
	           "rd_report_failure,\n\t};\n"
	           "\treturn &program;\n}\n\n",
	           d->kernels.len, d->params.len);
}

// ---- All of it ----

static const char *kernel_text(Gen *g)
{
	Device *d = g->device;
	Str functions = {0}, kernels = {0}, all = {0};
	Map texts = {0};
	rts_use(&d->rts, "kernel_base");
	functions_of_kernels(g, &functions);
	bool can_fail = d->fails.len > 0;
	for EACH(Kernel *, k, d->kernels) {
		put_kernel(g, *k, &texts, &kernels);
		can_fail |= (*k)->can_fail;
	}
	if (functions.len)
		rts_use(&d->rts, "kernel_thread");
	rts_put(&all, &d->rts);
	str_printf(&all, "#define RD_RETURN_IF_FAILED%s\n#define RD_FAILED_MEANWHILE %s\n\n",
	           can_fail ? " if (rd_failures->site >= 0) return;" : "",
	           can_fail ? "RD_HAS_FAILED" : "0");
	str_printf(&all, "%s%s", str_text(&functions), str_text(&kernels));
	return str_text(&all);
}

static const char *kernels_of(Device *d, const Prog *prog)
{
	d->rts.kernel = true;
	d->alike = funs_alike(prog);
	for EACH(Fun *, f, prog->funs)
		if (is_kernel_fun(*f)) {
			Kernel *k = new_kernel(d, *f);
			VEC_PUSH(&d->kernels, k);
			map_put(&d->of, *f, k);
		}
	find_kernel_blocks(d, prog);
	for EACH(Kernel *, k, d->kernels)
		if (!(*k)->as)
			(*k)->chain = chain_of(*k, d->fixed_order);
	add_tiled_kernels(d);
	add_narrow_kernels(d);
	for EACH(Kernel *, k, d->kernels)
		if (!(*k)->as)
			(*k)->streamed = find_streamed_loop(*k);
	Gen g = {.rts = &d->rts, .c = &(Code){0}, .target = ON_DEVICE, .device = d, .plain = true,
	         .state = NEW_ARRAY(VarState *, n_vars),
	         .first_use = NEW_ARRAY(int, 2 * n_vars + 1)};
	return kernel_text(&g);
}

const char *gen_kernel_text(const Prog *prog)
{
	Device d = {0};
	return kernels_of(&d, prog);
}

// The tuning parameters that an entry point looks at, in the order of their numbers.
static ParamNames *params_of(const Device *d, Fun *entry)
{
	Called called = {.host = true};
	Visit v = {.fun = visit_called, .ctx = &called};
	bool *used = NEW_ARRAY(bool, d->params.len);
	VEC(const char *) names = {0};
	visit_called(&v, &entry);
	for EACH(const ParamUse, u, d->uses)
		used[u->param] |= map_has(&called.seen, u->fun);
	for (int i = 0; i < d->params.len; i++)
		if (used[i])
			VEC_PUSH(&names, d->params.at[i].name);
	return NEW(ParamNames, names.at, names.len);
}

void gen_device_functions(Str *out, const Prog *prog, Rts *rts, bool tf32, bool fixed_order,
                          bool places, Map *tuning)
{
	Device d = {.tf32 = tf32, .fixed_order = fixed_order};
	Called host = {.host = true};
	Visit v = {.fun = visit_called, .ctx = &host};
	for EACH(Fun *, f, prog->funs)
		if ((*f)->entry)
			visit_called(&v, f);
	const char *kernels = kernels_of(&d, prog);
	Gen g = {.rts = rts, .c = &(Code){0}, .target = ON_HOST, .device = &d, .plain = true,
	         .placing = places,
	         .state = NEW_ARRAY(VarState *, n_vars),
	         .first_use = NEW_ARRAY(int, 2 * n_vars + 1)};
	Str bodies = {0};
	rts_use(rts, "device");
	for EACH(const Fun *, f, host.order) {
		d.fun = *f;
		const CFun *fun = gen_function(&g, *f);
		str_printf(out, "%s;\n", fun_head(fun, fun->name));
		fun_print(&bodies, fun, fun->name);
	}
	for EACH(Fun *, f, prog->funs)
		if ((*f)->entry)
			map_put(tuning, *f, params_of(&d, *f));
	put_failure_report(&g, &bodies);
	str_printf(out, "\n%s", str_text(&bodies));
	put_tables(&d, kernels, out);
}
