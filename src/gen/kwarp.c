// Rows that warps do: each has eight that follow on each other.
//
//     #[blocks] #[warp] loop .. for i < n do {       int64_t first = rd_block_id() * 8;
//       x = a[i]                                     int64_t ahead = a[first + rd_lane() % 8];
//       .. x .. }                             ->     for (u = 0; u < 8 && first + u < n; u++) {
//                                                        rd_id = first + u;
//                                                        x = rd_shuffle(ahead, u);
//                                                        .. x .. }
//
// Devices take time to begin a warp, and what a row begins with, its number in a table or where it
// starts and ends, is eight loads of one cache line, each of which the loads of the row's elements
// would wait for.  So the lanes load for all eight rows at once, and tell each other.  These loads
// are of places that the counter alone determines, in memory that the kernel does not store to,
// and nothing in the row checks them.  On OpenCL each row loads its own.
//
// If there are too few rows for the warps that a device runs at once, each has one (klaunch.c).
//
// Loops of steps in rows that a warp does, here or as the version of a block for short rows, are
// alike:
//
//     loop (s) for j < n do {                        for (j = 0; j < n; j++) {
//       x = a[j]                                         if (j % 32 == 0) ahead = a[j + rd_lane()];
//       #[threads] .. x .. }                   ->        x = rd_shuffle(ahead, j % 32);
//                                                        .. x .. }
//
// Each step would wait for its load, since it begins after the barrier of the step before.
#include "gen/kgen.h"

enum { ROWS = 8, MOST_LOADS = 6 };

int rows_of_warp(const Kernel *k)
{
	return is_warp(k) && !k->slots && !k->heap && !k->chain ? ROWS : 1;
}

// What iterations load for themselves, and C variables: what a lane has loaded.
struct LaneLoads { const Exp *loop; StmPtrs loads; const char **lane; };

// What each iteration computes from its number.
static Map numbered(const Exp *loop)
{
	Map out = {0};
	map_put(&out, var_key(loop->loop.i), (void *)loop);
	for EACH(Stm, s, loop->loop.body.stms)
		if (stm_mentions(s, &out))
			for EACH(Var, v, s->pat)
				map_put(&out, var_key(*v), s);
	return out;
}

// Does nothing in the iteration check that it is in bounds?
static bool is_checked_before(const Exp *loop, const Stm *s)
{
	for EACH(Var, c, s->certs)
		if (stm_in(&loop->loop.body, sub_var(*c)))
			return false;
	return true;
}

static LaneLoads find_lane_loads(Gen *g, const Exp *loop)
{
	const Map none = {0}, of_counter = numbered(loop);
	LaneLoads out = {.loop = loop};
	for EACH(Stm, s, loop->loop.body.stms) {
		Stm t = *s;
		t.certs = (Vars){0};
		if (out.loads.len < MOST_LOADS && is_checked_before(loop, s) &&
		    stm_mentions(s, &of_counter) && is_ahead(g, loop, &none, &t) &&
		    is_constant(g, sub_type(s->exp->index.arr).mem->block))
			VEC_PUSH(&out.loads, s);
	}
	return out;
}

static CExp element_of(Gen *g, const Exp *load)
{
	CExp *index = NEW_ARRAY(CExp, load->index.idx.len);
	for (int d = 0; d < load->index.idx.len; d++)
		index[d] = operand(g, load->index.idx.at[d]);
	return element(g, sub_type(load->index.arr), index);
}

static void gen_places(Gen *g, const LaneLoads *l)
{
	StmPtrs places = load_places(l->loop, l->loads);
	for EACH(const Stm *, p, places)
		gen_stm(g, *p);
}

static const char *type_of_load(const Stm *s)
{
	return c_scalar_type(sub_type(s->exp->index.arr).elem);
}

static void declare_lanes(Gen *g, LaneLoads *l)
{
	l->lane = NEW_ARRAY(const char *, l->loads.len);
	for (int i = 0; i < l->loads.len; i++) {
		l->lane[i] = fresh_name(g, "ahead");
		s_declare(g->c, type_of_load(l->loads.at[i]), l->lane[i], x_int(0));
	}
	if (l->loads.len)
		rts_use(g->rts, "kernel_shuffle");
}

// Each lane loads for iteration `own`; behind the last one, what that loads.
static void load_by_lanes(Gen *g, const LaneLoads *l, CExp own, CExp n)
{
	const char *i = bind_name(g, l->loop->loop.i);
	state_of(g, l->loop->loop.i)->small = 1;
	s_declare(g->c, c_scalar_type(sub_type(l->loop->loop.n).elem), i, own);
	quote(g->c, "if ($1 >= $2) $1 = $2 - 1;", i, n);
	gen_places(g, l);
	for (int k = 0; k < l->loads.len; k++)
		s_assign(g->c, x_name(l->lane[k]), element_of(g, l->loads.at[k]->exp));
}

// What this iteration has: it is in a lane.  `i`: its number.
static void tell_iteration(Gen *g, const LaneLoads *l, CExp i, CExp lane, CExp first, CExp n)
{
	const char **own = NEW_ARRAY(const char *, l->loads.len);
	for (int k = 0; k < l->loads.len; k++) {
		own[k] = fresh_name(g, "own");
		s_declare(g->c, type_of_load(l->loads.at[k]), own[k], x_int(0));
	}
	s_ifdef(g->c, "ifndef __OPENCL_C_VERSION__");
	if (first) {
		s_if(g->c, x_quote("$1 == 0", lane));
		load_by_lanes(g, l, first, n);
		s_close(g->c);
		show_as(g, l->loop->loop.i, i);
	}
	for (int k = 0; k < l->loads.len; k++) {
		PrimType t = sub_type(l->loads.at[k]->exp->index.arr).elem;
		s_assign(g->c, x_name(own[k]),
		         x_quote(text("rd_shuffle_%s($1, $2, RD_LANES(0))", primtype_name[t]),
		                 l->lane[k], lane));
	}
	s_else(g->c);
	gen_places(g, l);
	for (int k = 0; k < l->loads.len; k++)
		s_assign(g->c, x_name(own[k]), element_of(g, l->loads.at[k]->exp));
	s_close(g->c);
	for (int k = 0; k < l->loads.len; k++)
		map_put(&g->turned, l->loads.at[k]->exp, (void *)x_name(own[k]));
}

static void forget_loads(Gen *g, const LaneLoads *l)
{
	for EACH(const Stm *, s, l->loads)
		map_put(&g->turned, (*s)->exp, NULL);
}

// ---- Rows ----

void gen_warp_rows(Gen *g, CExp n)
{
	const Kernel *k = g->kernel;
	const Exp *nest = k->nest.at[0]->exp;
	const char *first = fresh_name(g, "first"), *each = fresh_name(g, "each"),
	           *u = fresh_name(g, "u");
	LaneLoads l = {.loop = nest};
	if (k->nest.len == 1)
		l = find_lane_loads(g, nest);
	quote(g->c, "int32_t $1 = rd_n_blocks() < $2 ? $3 : 1; int64_t $4 = rd_block_id() * $1;",
	      each, n, ROWS, first);
	declare_lanes(g, &l);
	if (l.loads.len) {
		s_ifdef(g->c, "ifndef __OPENCL_C_VERSION__");
		load_by_lanes(g, &l, x_quote("$1 + rd_lane() % $2", first, ROWS), n);
		s_close(g->c);
	}
	quote(g->c, "RD_NO_UNROLL for (int32_t $1 = 0; $1 < $2 && $3 + $1 < $4; $1++)", u, each,
	      first, n);
	quote(g->c, "int64_t rd_id = $1 + $2;", first, u);
	nest_indices(g, false);
	if (l.loads.len)
		tell_iteration(g, &l, shown(g, nest->loop.i), x_name(u), NULL, n);
	nest_body(g, 0);
	forget_loads(g, &l);
	if (k->blocks.len || k->scans || k->marks_failures)
		s_barrier(g->c); // the next row uses the same shared memory
	s_close(g->c);
}

// ---- Steps ----

static bool is_shared_loop(const Stm *s)
{
	return s->exp->form == E_loop && has_attr(s->attrs, ATTR_THREADS);
}

LaneLoads *begin_steps(Gen *g, const Exp *loop)
{
	if (g->target != ON_DEVICE || !g->kernel || !g->kernel->one_warp || !g->thread.at_block ||
	    sub_type(loop->loop.n).elem != PT_I64 || !body_find(&loop->loop.body, is_shared_loop))
		return NULL;
	LaneLoads l = find_lane_loads(g, loop);
	declare_lanes(g, &l);
	return l.loads.len ? mem_dup(&l, sizeof l) : NULL;
}

void begin_step(Gen *g, const LaneLoads *l, const char *i, CExp n)
{
	if (l)
		tell_iteration(g, l, x_name(i), x_quote("($1 & 31)", x_name(i)),
		               x_quote("$1 + rd_lane()", x_name(i)), n);
}

void end_steps(Gen *g, const LaneLoads *l)
{
	if (l)
		forget_loads(g, l);
}
