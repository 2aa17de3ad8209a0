// Memory of kernels: the location of blocks (kgen.h, Note [Kernels]), pointers to them, barriers.
#include "gen/kgen.h"

// ---- Which kind of memory ----

typedef struct Around { const Exp *loop; const struct Around *out; } Around;
typedef struct { Device *d; Kernel *k; const Fun *fun; bool threads; const Around *around; } Search;

static const void *class_key(const Device *d, Var m)
{
	return (const void *)(uintptr_t)(block_class(d->aliases, m) + 1);
}

static void outside(Device *d, Var m)
{
	if (vars[m.id].type.kind == T_MEM)
		map_put(&d->outside, class_key(d, m), d);
}

static void note_passed(Visit *v, Body *b);

// What a function is given, and what it gives, comes from or goes to where it is called.
static void note_outside(Device *d, const Fun *f)
{
	for EACH(Var, p, f->params)
		outside(d, *p);
	for EACH(Var, r, f->res)
		outside(d, *r);
	Visit v = {.body = note_passed, .ctx = d};
	note_passed(&v, (Body *)&f->body);
}

// Blocks that are one or the other are pointers that may point anywhere in memory.
static void note_carried(Device *d, Vars vs)
{
	for EACH(Var, m, vs)
		if (vars[m->id].type.kind == T_MEM)
			map_put(&d->carried, class_key(d, *m), d);
}

static void note_passed(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_loop)
			note_carried(v->ctx, s->exp->loop.params);
		else if (s->exp->form != E_alloc)
			note_carried(v->ctx, s->pat);
		if (s->exp->form == E_call) {
			for EACH(Sub, a, s->exp->call.args)
				if (a->kind == S_VAR)
					outside(v->ctx, a->var);
			for EACH(Var, r, s->pat)
				outside(v->ctx, *r);
		}
		exp_visit(s->exp, v);
	}
}

// What iterations of loops around it may hand on to the next one, which then makes another such
// block.
static void find_held(const Search *s, KernelBlock *kb)
{
	for (const Around *a = s->around; a; a = a->out)
		for EACH(Var, p, a->loop->loop.params)
			if (vars[p->id].type.kind == T_MEM &&
			    class_key(s->d, *p) == class_key(s->d, kb->block))
				VEC_PUSH(&kb->held, *p);
}

static BlockKind kind_of(const Search *s, const Stm *alloc, bool held)
{
	Var m = alloc->pat.at[0];
	bool apart = !map_has(&s->d->outside, class_key(s->d, m));
	bool shared = s->k->of_blocks && !s->threads;
	if (!is_known_before(s->k, alloc->exp->alloc.n))
		return IN_HEAP;
	if (has_attr(alloc->attrs, ATTR_LOCAL) && apart && shared && !held &&
	    !map_has(&s->d->carried, class_key(s->d, m)))
		return IN_LOCAL;
	return shared ? IN_BLOCK_PARTS : apart ? IN_SLOTS : IN_PARTS;
}

static void note_allocs(Visit *v, Body *b)
{
	Search *s = v->ctx;
	for EACH(Stm, stm, b->stms) {
		Search before = *s;
		Around here = {stm->exp, s->around};
		s->threads |= has_attr(stm->attrs, ATTR_THREADS);
		if (stm->exp->form == E_loop)
			s->around = &here;
		if (stm->exp->form == E_alloc && !stm->exp->alloc.stack) {
			KernelBlock kb = {.block = stm->pat.at[0], .alloc = stm->exp};
			find_held(s, &kb);
			kb.kind = kind_of(s, stm, kb.held.len > 0);
			VEC_PUSH(&s->k->blocks, kb);
			s->k->slots |= kb.kind != IN_LOCAL;
			s->k->heap |= kb.kind == IN_HEAP;
		}
		exp_visit(stm->exp, v);
		*s = before;
	}
}

// Blocks that may stand for each other are all of them interleaved, or none.
static void agree_on_slots(Device *d, Kernel *k)
{
	Map heap = {0};
	for EACH(const KernelBlock, kb, k->blocks)
		if (kb->kind == IN_HEAP)
			map_put(&heap, class_key(d, kb->block), d);
	for EACH(KernelBlock, kb2, k->blocks) {
		const void *key = class_key(d, kb2->block);
		if (kb2->kind == IN_SLOTS && map_has(&heap, key))
			kb2->kind = IN_PARTS;
		if (kb2->kind == IN_SLOTS)
			map_put(&d->interleaved, key, d);
	}
}

bool is_interleaved(const Gen *g, Var block)
{
	return map_has(&g->device->interleaved, class_key(g->device, block));
}

void find_kernel_blocks(Device *d, const Prog *prog)
{
	d->aliases = block_aliases(prog);
	for EACH(Fun *, f, prog->funs)
		note_outside(d, *f);
	for EACH(Kernel *, k, d->kernels) {
		Search s = {.d = d, .k = *k, .fun = (*k)->fun};
		Visit v = {.body = note_allocs, .ctx = &s};
		note_allocs(&v, (Body *)&(*k)->fun->body);
		agree_on_slots(d, *k);
		share_local_blocks(*k);
	}
}

// ---- Pointers ----

const char *space_name(Space s)
{
	return s == SPACE_GLOBAL ? "RD_GLOBAL " : s == SPACE_LOCAL ? "RD_LOCAL " : "";
}

const char *block_type(const Gen *g, Var block)
{
	if (g->target != ON_DEVICE)
		return "struct rd_block *";
	return text("RD_GLOBAL %s *", elem_type(g, vars[block.id].type.elem));
}

const char *name_block(Gen *g, Var block)
{
	VarState *st = state_of(g, block);
	st->pointer = fresh_name(g, st->hint ? st->hint : "block");
	st->shown = x_name(st->pointer);
	st->bound_in = g->body;
	return st->pointer;
}

void same_pointer(Gen *g, Var block, Var as)
{
	VarState *st = state_of(g, block);
	st->pointer = state_of(g, as)->pointer;
	st->shown = x_name(st->pointer);
	st->bound_in = g->body;
}

void declare_pointer(Gen *g, Var block, CExp init)
{
	s_declare(g->c, block_type(g, block), name_block(g, block), init);
}

static const KernelBlock *kernel_block(const Gen *g, Var block)
{
	for (int i = 0; g->kernel && i < g->kernel->blocks.len; i++)
		if (g->kernel->blocks.at[i].block.id == block.id)
			return &g->kernel->blocks.at[i];
	return NULL;
}

// One thread of the block takes the memory, and tells the others.
static CExp shared_pointer(Gen *g, const char *type, CExp made)
{
	need_fold_bytes(g, 8, 8);
	CExp at = x_quote("*(RD_LOCAL uint64_t *)(rd_shared + 16)");
	const char *pointer = fresh_name(g, "made");
	quote(g->c,
	      "rd_barrier();"
	      "if ($1) $2 = (uint64_t)$3;"
	      "rd_barrier();"
	      "$4$5 = ($4)$2;"
	      "rd_barrier();",
	      is_first_thread(), at, made, type, pointer);
	return x_name(pointer);
}

CExp is_first_thread(void)
{
	return x_quote("rd_local_id() == 0");
}

static void gen_heap_alloc(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	const char *elem = elem_type(g, e->alloc.type), *type = text("RD_GLOBAL %s *", elem);
	CExp made = x_quote("($1)rd_heap_alloc(rd_heap, $2, (int64_t)sizeof($3))", type,
	                    operand(g, e->alloc.n), x_const(elem));
	rts_use(g->rts, "kernel_heap");
	if (!g->kernel)
		g->device->heap = true;
	if (g->thread.at_block)
		made = shared_pointer(g, type, made);
	declare_pointer(g, s->pat.at[0], made);
	s_if(g->c, x_not(x_name(state_of(g, s->pat.at[0])->pointer)));
	MsgPart said = {.text = "The heap of the device is too small for what threads allocate."};
	fail_at(g, s->where, (Msg){mem_dup(&said, sizeof said), 1});
	s_close(g->c);
}

// On to the first room that nothing holds.
static void pass_held(Gen *g, const KernelBlock *kb, const char *pointer, CExp n)
{
	CExp held = NULL;
	for EACH(const Var, p, kb->held) {
		CExp is = x_quote("$1 == $2", pointer, block_name(g, *p));
		held = held ? x_quote("$1 || $2", held, is) : is;
	}
	if (!held)
		return;
	CExp room = x_quote("$1 > 0 ? $1 : 1", n);
	quote(g->c, "while ($1) $2 += $3;", held, pointer,
	      kb->kind == IN_SLOTS ? x_quote("rd_slots * $1", room) : room);
}

void gen_thread_alloc(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	Var v = s->pat.at[0];
	VarState *st = state_of(g, v);
	const KernelBlock *kb = kernel_block(g, v);
	if (e->alloc.stack) {
		const char *name = name_block(g, v);
		int64_t n = e->alloc.n.val.i;
		st->space = SPACE_PRIVATE;
		if (g->counting || st->pointer_live)
			s_array(g->c, elem_type(g, e->alloc.type), name, x_int(n > 0 ? n : 1),
			        NULL);
		return;
	}
	if (!kb || kb->kind == IN_HEAP) {
		gen_heap_alloc(g, s);
		return;
	}
	if (kb->kind == IN_LOCAL) // declared at the beginning
		return;
	CExp n = x_group(operand(g, e->alloc.n)), from = x_name(kb->arg);
	CExp all = kb->held.len ? x_paren(x_times(x_int(kb->held.len + 1), n)) : n;
	CExp slot = x_name(kb->kind == IN_BLOCK_PARTS ? "rd_block_slot" : "rd_slot");
	declare_pointer(g, v, x_plus(from, kb->kind == IN_SLOTS ? slot : x_times(slot, all)));
	pass_held(g, kb, st->pointer, n);
}

static void look_for_heap(Visit *v, Body *b)
{
	const Gen *g = ((const Gen *const *)v->ctx)[0];
	bool *found = ((bool **)v->ctx)[1];
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_alloc && !s->exp->alloc.stack) {
			const KernelBlock *kb = kernel_block(g, s->pat.at[0]);
			*found |= !kb || kb->kind == IN_HEAP;
		}
		*found |= s->exp->form == E_call && g->device->heap;
		exp_visit(s->exp, v);
	}
}

// What an iteration takes from the heap is free again after it, unless blocks are carried along.
const char *mark_heap(Gen *g, const Exp *e)
{
	bool found = false;
	if (g->target != ON_DEVICE || g->thread.at_block)
		return NULL;
	for EACH(Var, p, e->loop.params)
		if (vars[p->id].type.kind == T_MEM)
			return NULL;
	Visit v = {.body = look_for_heap, .ctx = (void *[]){g, &found}};
	look_for_heap(&v, (Body *)&e->loop.body);
	if (!found)
		return NULL;
	const char *mark = fresh_name(g, "mark");
	s_declare(g->c, "struct rd_heap", mark, x_unary("*", x_name("rd_heap"), PREC_ATOM));
	return mark;
}

void free_heap(Gen *g, const char *mark)
{
	if (mark)
		s_assign(g->c, x_unary("*", x_name("rd_heap"), PREC_ATOM), x_name(mark));
}

// ---- Barriers ----

void block_barrier(Gen *g)
{
	if (g->thread.at_block && (g->thread.reads || g->thread.stores)) {
		s_barrier(g->c);
		g->thread.reads = g->thread.stores = false;
	}
}

static void look_for_stores(Visit *v, Body *b)
{
	bool *found = v->ctx;
	for EACH(Stm, s, b->stms) {
		*found |= s->exp->form == E_call || has_attr(s->attrs, ATTR_THREADS);
		for EACH(Var, p, s->pat)
			*found |= vars[p->id].type.mem != NULL;
		exp_visit(s->exp, v);
	}
}

void block_iterates(Gen *g, const Exp *loop)
{
	bool stores = false;
	Visit v = {.body = look_for_stores, .ctx = &stores};
	if (!g->thread.at_block)
		return;
	look_for_stores(&v, (Body *)&loop->loop.body); // a walk: writes nothing
	if (stores || g->thread.stores)
		block_barrier(g);
	g->thread.reads = !stores;
}

BlockState block_state(const Gen *g)
{
	return (BlockState){g->thread.reads, g->thread.stores};
}

void set_block_state(Gen *g, BlockState s)
{
	g->thread.reads = s.reads;
	g->thread.stores = s.stores;
}

// Is the kernel given the block, to store nothing there?  The second round of the generator knows.
bool is_constant(Gen *g, Var block)
{
	const VarState *st = state_of(g, block);
	return g->kernel && !g->counting && st->is_param && !st->stored && !st->live;
}

void begin_load(Gen *g, Type from)
{
	if (g->target == ON_DEVICE && is_constant(g, from.mem->block))
		return;
	if (g->thread.at_block && g->thread.stores)
		block_barrier(g);
	g->thread.reads = true;
}

void begin_store(Gen *g, Type to)
{
	state_of(g, to.mem->block)->stored = true;
	block_barrier(g);
}

void end_store(Gen *g)
{
	g->thread.stores = g->thread.at_block;
}
