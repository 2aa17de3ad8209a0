// Prefetches the loads of several iterations, for threads that each run a sequential loop.
//
//     loop (h = h0, hs) for j < m do {        for (; done + 32 <= m; done += 32) {
//       x = a[j, i]                               double x[32];
//       h1 = x * h                         ->     for (u = 0; u < 32; u++) x[u] = a[done + u, i];
//       hs1 = hs with [j, i] = h1                 for (u = 0; u < 32; u++) {.. x[u] ..}
//       in h1, hs1 }                            }
//                                             for (j = done; j < m; j++) ..
//
// Compilers do not move loads over earlier stores, so each iteration would take the full memory
// latency.  A load is issued ahead if nothing in the loop stores to its block, its address depends
// on the counter only, and its array is the same one in all iterations, so no parameter (two
// buffers that change places); it uses rd_ahead, which compilers do not sink to the use of the
// value.  The order of the body is unchanged.  The body must not fail, so that no thread loads
// what a check would have prevented.  Only on CUDA; OpenCL uses the plain loop.  Private arrays of
// the thread are left alone: an address taken would keep them out of registers.
//
// Of loops that store nothing compilers unroll the short ones and load for several iterations at
// once themselves; but not past the branches of a function of doubles (exp, log, ..), as the return
// sweeps of many derivatives have them.
//
// If the loop stores, its carried values are needed in each iteration; there are usually few
// threads then, and more iterations are prefetched.  If there are few indeed, so that nothing else
// goes on while they wait, what later iterations load is brought into the cache of the device
// before that, which takes no registers.
#include "gen/kgen.h"

enum { MOST_STMS = 96, MOST_TEXT = 512, MOST_LOADS = 96 };
enum { FEW_STMS = 12, FEW_LOADS = 64 }; // of loops that store nothing
enum { LONG_AT_ONCE = 8, LONG_LOADS = 24 }; // ... and have more, with branches among them
enum { SOON = 64, MOST_SOON = 8 << 20 }; // iterations between; bytes of all threads on their way

// ---- Which loads ----

// Statements of the body with those of its branches; -1: something other than scalars and stores.
static int n_simple(const Body *b)
{
	int n = 0;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		int yes, no;
		if (needs_no_code(s))
			continue;
		if (e->form == E_if_) {
			yes = n_simple(&e->if_.yes);
			no = n_simple(&e->if_.no);
			if (yes < 0 || no < 0)
				return -1;
			n += yes + no;
		} else if (!is_pure_scalar(s) &&
		           (e->form != E_update || !type_is_scalar(sub_type(e->update.val)))) {
			return -1;
		}
		n++;
	}
	return n;
}

static void note_stores(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_update)
			map_put(v->ctx, var_key(sub_type(s->exp->update.arr).mem->block), v);
		exp_walk(s->exp, v);
	}
}

typedef struct { const Exp *loop; bool ok; } Counted;

static bool is_of_counter(const Exp *loop, Sub x);

static void look_at_operand(Visit *v, Sub *x)
{
	Counted *c = v->ctx;
	c->ok = c->ok && is_of_counter(c->loop, *x);
}

// Computed from the counter and from what is known before the loop?
static bool is_of_counter(const Exp *loop, Sub x)
{
	const Stm *s = stm_in(&loop->loop.body, x);
	if (vars_find(loop->loop.params, x) >= 0)
		return false;
	if (!s)
		return true;
	if (s->certs.len || (s->exp->form != E_prim && s->exp->form != E_convert) ||
	    !type_is_scalar(vars[s->pat.at[0].id].type))
		return false;
	Counted c = {loop, true};
	Visit v = {.sub = look_at_operand, .flat = true, .ctx = &c};
	exp_walk(s->exp, &v);
	return c.ok;
}

bool is_ahead(Gen *g, const Exp *loop, const Map *stored, const Stm *s)
{
	if (s->exp->form != E_index || s->certs.len)
		return false;
	Type t = sub_type(s->exp->index.arr);
	bool ok = primtype_size(t.elem) >= 4 && !map_has(stored, var_key(t.mem->block)) &&
	          state_of(g, t.mem->block)->space == SPACE_GLOBAL;
	for EACH(Sub, i, s->exp->index.idx)
		ok = ok && is_of_counter(loop, *i);
	return ok && vars_find(loop->loop.params, s->exp->index.arr) < 0 &&
	       !stm_in(&loop->loop.body, s->exp->index.arr);
}

// Does it call a function of doubles, which has branches?
static bool has_branches(const Stm *s)
{
	return stm_is_function(s) && s->exp->prim.at == PT_F64;
}

// How many iterations; 0: none ahead.
static int find_loads(Gen *g, const Exp *loop, StmPtrs *loads)
{
	const Kernel *k = g->kernel;
	Map stored = {0};
	Visit stores = {.body = note_stores, .ctx = &stored};
	if (g->target != ON_DEVICE || !k || g->thread.at_block || k->tiling || streamed_loop(k) ||
	    loop->loop.is_while || sub_type(loop->loop.n).elem != PT_I64)
		return 0;
	int n = n_simple(&loop->loop.body);
	note_stores(&stores, (Body *)&loop->loop.body); // a walk
	bool is_long = !stored.len && n > FEW_STMS;
	if (n < 0 || n > MOST_STMS || (is_long && !body_find(&loop->loop.body, has_branches)))
		return 0;
	for EACH(Stm, s, loop->loop.body.stms)
		if (is_ahead(g, loop, &stored, s))
			VEC_PUSH(loads, s);
	int at_once = stored.len ? 32 : is_long ? LONG_AT_ONCE : 16;
	int most = stored.len ? MOST_LOADS : is_long ? LONG_LOADS : FEW_LOADS;
	while (at_once > 4 && (at_once * n > MOST_TEXT || at_once * loads->len > most))
		at_once /= 2;
	Sub all = loop->loop.n;
	return !loads->len || (all.kind == S_CONST && all.val.i < at_once) ? 0 : at_once;
}

// ---- The text ----

// What the places of the loads are computed from, in order.
StmPtrs load_places(const Exp *loop, StmPtrs loads)
{
	Map needed = {0};
	Visit v = {.sub = note_operand, .flat = true, .ctx = &needed};
	StmPtrs back = {0}, out = {0};
	for EACH(const Stm *, s, loads)
		for EACH(Sub, i, (*s)->exp->index.idx)
			note_operand(&v, i);
	const Body *b = &loop->loop.body;
	for (int i = b->stms.len; i-- > 0;) {
		const Stm *s = &b->stms.at[i];
		if (s->pat.len != 1 || !map_has(&needed, var_key(s->pat.at[0])))
			continue;
		exp_walk(s->exp, &v);
		VEC_PUSH(&back, s);
	}
	for (int i = back.len; i-- > 0;)
		VEC_PUSH(&out, back.at[i]);
	return out;
}

// The iterations are n, from number `first` on.
static void open_part(Gen *g, const Exp *loop, CExp first, const char *u, int n)
{
	for_few(g, u, n);
	s_declare(g->c, "int64_t", bind_name(g, loop->loop.i), x_plus(first, x_name(u)));
}

typedef struct { const Exp *loop; StmPtrs loads, places; int n; const char *done, *u; } Ahead;

static void gen_places(Gen *g, const Ahead *a)
{
	for EACH(const Stm *, p, a->places)
		gen_stm(g, *p);
}

static CExp address_of(Gen *g, const Exp *load)
{
	CExp *index = NEW_ARRAY(CExp, load->index.idx.len);
	for (int d = 0; d < load->index.idx.len; d++)
		index[d] = operand(g, load->index.idx.at[d]);
	return x_address(element(g, sub_type(load->index.arr), index));
}

// For few threads: what n later iterations load.
static void gen_soon(Gen *g, const Ahead *a, CExp bound)
{
	int64_t bytes = 0;
	for EACH(const Stm *, s, a->loads)
		bytes += (SOON + a->n) * primtype_size(sub_type((*s)->exp->index.arr).elem);
	CExp first = x_plus(x_name(a->done), x_int(SOON)), end = x_plus(first, x_int(a->n));
	s_if(g->c, x_quote("rd_global_size() <= $1 && $2 <= $3", x_int(MOST_SOON / bytes), end,
	                   bound));
	open_part(g, a->loop, first, a->u, a->n);
	gen_places(g, a);
	for EACH(const Stm *, s, a->loads)
		s_do(g->c, x_call("rd_soon", address_of(g, (*s)->exp)));
	s_close(g->c);
	s_close(g->c);
}

// Gives the variable with the first iteration that is left, or NULL: not for this loop.
const char *gen_ahead(Gen *g, const Stm *s, CExp bound)
{
	const Exp *e = s->exp;
	StmPtrs loads = {0};
	int n = find_loads(g, e, &loads);
	if (!n)
		return NULL;
	const char *done = fresh_name(g, "done"), *u = fresh_name(g, "u");
	Ahead all = {e, loads, load_places(e, loads), n, done, u};
	rts_use(g->rts, "kernel_ahead");
	s_declare(g->c, "int64_t", done, x_int(0));
	s_ifdef(g->c, "ifndef __OPENCL_C_VERSION__");
	CExp end = x_plus(x_name(done), x_int(n));
	s_for(g->c, (CFor){.i = done, .cond = x_binary(end, "<=", bound, PREC_COMPARE), .op = "+=",
	                   .by = x_int(n), .props = LOOP_NO_UNROLL});
	const char **ahead = NEW_ARRAY(const char *, loads.len);
	for (int i = 0; i < loads.len; i++) {
		ahead[i] = fresh_name(g, "ahead");
		s_array(g->c, elem_type(g, sub_type(loads.at[i]->exp->index.arr).elem), ahead[i],
		        x_int(n), NULL);
	}
	open_part(g, e, x_name(done), u, n);
	gen_places(g, &all);
	for (int i = 0; i < loads.len; i++)
		s_assign(g->c, x_index(x_name(ahead[i]), x_name(u)),
		         x_call("rd_ahead", address_of(g, loads.at[i]->exp)));
	s_close(g->c);
	if (body_find(&e->loop.body, stm_is_update))
		gen_soon(g, &all, bound);
	for (int i = 0; i < loads.len; i++)
		map_put(&g->turned, loads.at[i]->exp, (void *)x_index(x_name(ahead[i]), x_name(u)));
	open_part(g, e, x_name(done), u, n);
	loop_body(g, e);
	s_close(g->c);
	s_close(g->c);
	s_close(g->c);
	for EACH(const Stm *, l, loads)
		map_put(&g->turned, (*l)->exp, NULL);
	return done;
}
