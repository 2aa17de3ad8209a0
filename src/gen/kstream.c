// Persistent threads: kernels whose threads fetch another iteration as soon as they finish one.
//
// If the iterations of a kernel are loops of different lengths, all threads of a warp would wait
// for the longest.  Therefore only as many threads are started as keep the device busy, and each
// warp distributes a range of iterations among its threads; a thread that is done fetches the next
// one, together with others, while the rest continue:
//
//     #[kernel] loop .. for i < n do {        for (;;) {
//       A                                         if (!rd_take(.., rd_busy, 8, &rd_id)) break;
//       let (r) = loop (p = a) for j < m do B     if (rd_id >= 0) { A; p = a; j = 0; rd_busy = 1; }
//       C                                  ->     if (rd_busy && j < m) { B; j++; }
//     }                                           if (rd_busy && !(j < m)) { C; rd_busy = 0; }
//                                             }
//
// Variables bound by A are declared before the loop.  They are set there, although they are never
// used before A has set them: without that, NVIDIA's assembler (CUDA 13.0) takes them for dead
// between B and the next B of the same iteration where it spills registers, and puts other values
// in their places.
//
// Requires: find_kernel_blocks has run.
#include "gen/kfold.h"

// ---- Which ----

static int64_t weight(const Body *);

enum { MANY = 8, MOST_WEIGHT = 1 << 20 };       // iterations of a loop; to say nothing of more

static int64_t weight_of(const Stm *s)
{
	const Exp *e = s->exp;
	int64_t w = e->form == E_loop ? MANY * weight(&e->loop.body)
	          : e->form == E_if_ ? weight(&e->if_.yes) + weight(&e->if_.no)
	          : e->form == E_call ? MANY : !needs_no_code(s);
	return w < MOST_WEIGHT ? w : MOST_WEIGHT;
}

static int64_t weight(const Body *b)
{
	int64_t w = 0;
	for EACH(Stm, s, b->stms)
		w += weight_of(s);
	return w < MOST_WEIGHT ? w : MOST_WEIGHT;
}

static bool binds_blocks(Vars pat)
{
	for EACH(Var, v, pat)
		if (vars[v->id].type.kind == T_MEM)
			return true;
	return false;
}

// Memory that a thread has for all of its iterations.
static bool is_lasting(const Kernel *k, const Stm *alloc)
{
	if (alloc->exp->alloc.stack)
		return true;
	for EACH(const KernelBlock, kb, k->blocks)
		if (kb->block.id == alloc->pat.at[0].id)
			return (kb->kind == IN_SLOTS || kb->kind == IN_PARTS) &&
			       is_known_before(k, alloc->exp->alloc.n);
	return false;
}

static bool varies_in_length(const Kernel *k, const Stm *s)
{
	return s->exp->form == E_loop && !is_device_loop(s->attrs) &&
	       !binds_blocks(s->exp->loop.params) &&
	       (s->exp->loop.is_while || !is_known_before(k, s->exp->loop.n)) &&
	       weight(&s->exp->loop.body) >= threshold(AT_stream_weight);
}

// The loop that makes up most of an iteration, if its length differs from one to the next.
const Stm *find_streamed_loop(const Kernel *k)
{
	const Stm *best = NULL;
	int64_t most = 0, all = 0;
	if (k->of_blocks || k->tiling || k->chain)
		return NULL;
	for EACH(const Stm *, level, k->nest)
		for EACH(Stm, s, (*level)->exp->loop.body.stms) {
			bool inner = level + 1 < k->nest.at + k->nest.len && s == level[1];
			if (inner)
				continue;
			int64_t w = weight_of(s);
			all += w;
			if (level + 1 == k->nest.at + k->nest.len && w > most &&
			    varies_in_length(k, s)) {
				best = s;
				most = w;
			}
			if (binds_blocks(s->pat) && (s->exp->form != E_alloc || !is_lasting(k, s)))
				return NULL;
		}
	return 3 * most >= 2 * all ? best : NULL;
}

const Stm *streamed_loop(const Kernel *k)
{
	return k->heap ? NULL : k->streamed; // that it has a heap is found while it is generated
}

// So many threads of a warp wait for each other before they take up iterations, as the others wait
// then: all of them if what comes before the loop takes long beside a round of it.
static int idle_threads(const Kernel *k, const Stm *loop)
{
	int64_t before = 0;
	for EACH(const Stm *, level, k->nest)
		for EACH(Stm, s, (*level)->exp->loop.body.stms)
			if (s != loop && !has_attr(s->attrs, ATTR_KERNEL))
				before += weight_of(s);
	return 4 * before > weight(&loop->exp->loop.body) ? 32 : 8;
}

// ---- Text ----

typedef VEC(Var) Ahead;

static void declare_ahead(Gen *g, Ahead *ahead, Var v)
{
	if (!type_is_scalar(vars[v.id].type) || !is_needed(g, v) || state_of(g, v)->ahead)
		return;
	declare(g, v, operand(g, sub_zero(vars[v.id].type.elem)));
	state_of(g, v)->ahead = true;
	VEC_PUSH(ahead, v);
}

// What statements before the loop bind, and the memory of the thread.
static void declare_before(Gen *g, Ahead *ahead, const Stm *loop)
{
	const Kernel *k = g->kernel;
	const Exp *last = k->nest.at[k->nest.len - 1]->exp;
	Map later = mentioned_from(last, (int)(loop - last->loop.body.stms.at));
	for (int d = 0; d < k->nest.len; d++) {
		declare_ahead(g, ahead, k->nest.at[d]->exp->loop.i);
		for EACH(Stm, s, k->nest.at[d]->exp->loop.body.stms) {
			if (s == loop || (d + 1 < k->nest.len && s == k->nest.at[d + 1]))
				break;
			if (s->exp->form == E_alloc)
				gen_stm(g, s);
			else
				for EACH(Var, v, s->pat)
					if (map_has(&later, var_key(*v)))
						declare_ahead(g, ahead, *v);
		}
	}
	for EACH(Var, p, loop->exp->loop.params)
		declare_ahead(g, ahead, *p);
}

static void before_loop(Gen *g, const Stm *loop)
{
	const Kernel *k = g->kernel;
	for (int d = 0; d < k->nest.len; d++) {
		const Exp *e = k->nest.at[d]->exp;
		enter_body(g, &e->loop.body);
		note_arrays(g, e->loop.params);
		for EACH(Stm, s, e->loop.body.stms) {
			if (s == loop || (d + 1 < k->nest.len && s == k->nest.at[d + 1]))
				break;
			if (s->exp->form != E_alloc)
				gen_stm(g, s);
		}
		settle_all(g);
	}
}

static void after_loop(Gen *g, const Stm *loop)
{
	const Body *b = &g->kernel->nest.at[g->kernel->nest.len - 1]->exp->loop.body;
	bind_results(g, loop);
	for (const Stm *s = loop + 1; s < b->stms.at + b->stms.len; s++)
		gen_stm(g, s);
	settle_all(g);
}

void gen_streamed(Gen *g, const Stm *loop, CExp n)
{
	const Exp *e = loop->exp;
	Outer outer = {g->body, g->fun.n_outer, g->fun.sizes.len};
	Ahead ahead = {0};
	const char *i = NULL, *bound = NULL;
	rts_use(g->rts, "kernel_stream");
	declare_before(g, &ahead, loop);
	if (!e->loop.is_while) {
		const char *type = c_scalar_type(sub_type(e->loop.n).elem);
		i = bind_name(g, e->loop.i);
		bound = fresh_name(g, "n");
		quote(g->c, "$1 $2 = 0, $3 = 0;", type, i, bound);
		state_of(g, e->loop.i)->small = sub_type(e->loop.n).elem == PT_I64;
	}
	quote(g->c,
	      "int64_t rd_next = rd_stream_first($1), rd_end = rd_stream_end($1);"
	      "bool rd_busy = false;"
	      "for (;;)",
	      n);
	quote(g->c,
	      "int64_t rd_id = -1;"
	      "if (!rd_take(&rd_next, rd_end, rd_busy, $1, &rd_id)) break;"
	      "if (rd_id >= 0)",
	      idle_threads(g->kernel, loop));
	nest_indices(g, true);
	before_loop(g, loop);
	declare_params(g, e);
	if (i)
		quote(g->c, "$1 = $2; $3 = 0;", bound, operand(g, e->loop.n), i);
	settle_all(g);
	quote(g->c, "rd_busy = true;");
	s_close(g->c);
	quote(g->c, "rd_together();");
	CExp more = i ? x_less(x_name(i), x_name(bound)) : operand(g, sub_var(e->loop.while_cond));
	quote(g->c, "if (rd_busy && $1)", more);
	loop_body(g, e);
	if (i)
		quote(g->c, "$1 += 1;", i);
	s_close(g->c);
	quote(g->c, "if (rd_busy && !($1))", more);
	after_loop(g, loop);
	quote(g->c, "rd_busy = false;");
	s_close(g->c);
	s_close(g->c);
	for EACH(Var, v, ahead)
		state_of(g, *v)->ahead = false;
	leave_body(g, outer);
}
