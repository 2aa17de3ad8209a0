// Coalesced loads for threads that each traverse a row: the threads of a warp load their rows
// together.
//
//     #[kernel] loop ... for i < n do             the warp has 32 rows, and transposes 16 columns
//       loop (s = 0) for j < m do {         ->    of them in shared memory: loads are coalesced,
//         x = xs[i, j]                            and each thread then has 16 elements of its
//         ...                                     own row
//
//     int64_t turned = 0;
//     if (rd_is_whole_warp())
//         for (; turned + 16 <= m; turned += 16) {
//             rd_turn<16>(tile, &xs[i * m + turned], m);
//             for (u = 0; u < 16; u++) { j = turned + u; ... x = tile[u] ... }
//         }
//     for (j = turned; j < m; j++) ...
//
// The iterations of each thread stay in order, so it does not matter what the loop does with the
// elements.  It must not fail, since no thread may leave the warp between barriers.  Only on CUDA.
// If all rows turn out to be shorter than that, neither shared memory nor additional registers are
// used, which would reduce occupancy.
#include "gen/kgen.h"

enum { PART = 64, MOST_BYTES = 160, MOST_STMS = 24, LIGHT = 10 };

static bool is_written(const Kernel *k, Var block)
{
	for EACH(const Stm *, level, k->nest)
		for EACH(Var, p, (*level)->exp->loop.params)
			if (vars[p->id].type.mem && vars[p->id].type.mem->block.id == block.id)
				return true;
	return false;
}

static bool is_param(const Kernel *k, Var block)
{
	for EACH(Var, p, k->fun->params)
		if (p->id == block.id)
			return true;
	return false;
}

// The dimension of the array along which neighbouring threads are, all others but the last being
// the same for them; or -1.
static int thread_dim(const Kernel *k, const Exp *load)
{
	const Subs *idx = &load->index.idx;
	Type t = sub_type(load->index.arr);
	int last = k->nest.len - 1, found = -1;
	if (last == 0) {
		for (int d = 0; d < idx->len - 1; d++) {
			if (sub_eq(idx->at[d], sub_var(k->nest.at[0]->exp->loop.i)) && found < 0)
				found = d;
			else if (!is_known_before(k, idx->at[d]))
				return -1;
		}
		return found;
	}
	// All indices of the nest, and rows that lie one after the other.
	if (idx->len != k->nest.len + 1 || t.mem->strides.len)
		return -1;
	for (int d = 0; d <= last; d++)
		if (!sub_eq(idx->at[d], sub_var(k->nest.at[d]->exp->loop.i)) ||
		    (d > 0 && !sub_eq(t.dims.at[d], k->nest.at[d]->exp->loop.n)))
			return -1;
	return last;
}

// Does the statement of the loop's body load an element of the thread's own row?
static bool is_row_load(const Kernel *k, const Exp *loop, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_index || e->index.idx.len < 2)
		return false;
	Type t = sub_type(e->index.arr);
	Sub j = e->index.idx.at[e->index.idx.len - 1];
	if (primtype_size(t.elem) < 4 || !sub_eq(j, sub_var(loop->loop.i)) ||
	    is_written(k, t.mem->block) || !is_param(k, t.mem->block))
		return false;
	if (t.mem->strides.len && !sub_eq(t.mem->strides.at[t.dims.len - 1], sub_i64(1)))
		return false;
	return thread_dim(k, e) >= 0;
}

// Nothing that takes memory, fails or goes on for long.
static bool is_simple(const Body *b)
{
	for EACH(Stm, s, b->stms) {
		bool branches = s->exp->form == E_if_ && is_simple(&s->exp->if_.yes) &&
		                is_simple(&s->exp->if_.no);
		if (!branches && !is_pure_scalar(s) && !needs_no_code(s))
			return false;
	}
	return b->stms.len <= MOST_STMS;
}

// Of a thread, in shared memory.
static int row_bytes(const Exp *load, int columns)
{
	return ((columns + 1) * primtype_size(sub_type(load->index.arr).elem) + 7) & ~7;
}

static bool may_turn(const Gen *g, const Exp *loop)
{
	const Kernel *k = g->kernel;
	if (g->target != ON_DEVICE || !k || k->of_blocks || k->slots || k->tiling ||
	    streamed_loop(k) || loop->loop.is_while)
		return false;
	return g->body == &k->nest.at[k->nest.len - 1]->exp->loop.body &&
	       is_known_before(k, loop->loop.n) && sub_type(loop->loop.n).elem == PT_I64 &&
	       is_simple(&loop->loop.body);
}

static CExp stride_of(Gen *g, const Exp *load)
{
	Type t = sub_type(load->index.arr);
	int d = thread_dim(g->kernel, load);
	if (t.mem->strides.len)
		return x_group(operand(g, t.mem->strides.at[d]));
	CExp n = x_int(1);
	for (int i = d + 1; i < t.dims.len; i++)
		n = index_product(n, operand(g, t.dims.at[i]));
	return n;
}

// The tile of a load, after `before` bytes of each thread; it is filled from column `turned` on.
static const char *declare_tile(Gen *g, const Exp *load, int columns, int before)
{
	const char *to = text("RD_LOCAL %s *", elem_type(g, sub_type(load->index.arr).elem));
	const char *tile = fresh_name(g, "tile");
	CExp room = x_times(x_int(before), x_call_none("rd_local_size"));
	CExp first = x_binary(x_call_none("rd_local_id"), "-", x_call_none("rd_lane"), PREC_ADD);
	s_declare(g->c, to, tile,
	          x_plus(x_cast(to, x_plus(x_name("rd_shared"), room), PREC_ATOM),
	                 x_times(x_int(columns + 1), first)));
	return tile;
}

static void fill_tile(Gen *g, const Exp *load, int columns, const char *tile, const char *turned)
{
	int n = load->index.idx.len;
	CExp *index = NEW_ARRAY(CExp, n);
	for (int d = 0; d < n - 1; d++)
		index[d] = operand(g, load->index.idx.at[d]);
	index[n - 1] = x_name(turned);
	CExp from = x_address(element(g, sub_type(load->index.arr), index));
	s_do(g->c, x_call(text("rd_turn<%d>", columns), x_name(tile), from, stride_of(g, load)));
}

static void note_turned_loop(Kernel *k, const Exp *loop, int columns, int bytes)
{
	for EACH(TurnedLoop, t, k->turned)
		if (sub_eq(t->n, loop->loop.n) && t->columns == columns && k->turn_bytes >= bytes)
			return; // also in the second round
	VEC_PUSH(&k->turned, (TurnedLoop){loop->loop.n, columns});
	k->turn_bytes = k->turn_bytes > bytes ? k->turn_bytes : bytes;
	k->turn_heavy |= columns < PART / 4 || loop->loop.body.stms.len > LIGHT;
}

// What the kernel says of its threads.
const char *turn_bounds(const Kernel *k)
{
	return k->turn_bytes && !k->turn_heavy ? "RD_BOUNDS(256,8) " : "";
}

// Whole columns are turned round; gives the variable with the first iteration that is left, or
// NULL: not for this loop.
const char *gen_turned(Gen *g, const Stm *s, CExp bound)
{
	const Exp *e = s->exp;
	if (!may_turn(g, e))
		return NULL;
	VEC(const Exp *) loads = {0};
	int bytes = 0, columns = PART / 4;
	for EACH(Stm, t, e->loop.body.stms)
		if (is_row_load(g->kernel, e, t) &&
		    primtype_size(sub_type(t->exp->index.arr).elem) == 8)
			columns = PART / 8;
	for EACH(Stm, t, e->loop.body.stms)
		if (is_row_load(g->kernel, e, t) &&
		    bytes + row_bytes(t->exp, columns) <= MOST_BYTES) {
			VEC_PUSH(&loads, t->exp);
			bytes += row_bytes(t->exp, columns);
		}
	if (!loads.len)
		return NULL;
	const char *turned = fresh_name(g, "turned"), *u = fresh_name(g, "u");
	const char **tiles = NEW_ARRAY(const char *, loads.len);
	rts_use(g->rts, "kernel_turn");
	s_declare(g->c, "int64_t", turned, x_int(0));
	s_ifdef(g->c, "ifdef RD_TURN");
	s_if(g->c, x_call_none("rd_is_whole_warp"));
	for (int i = 0, before = 0; i < loads.len; before += row_bytes(loads.at[i++], columns))
		tiles[i] = declare_tile(g, loads.at[i], columns, before);
	for_whole(g, turned, x_int(columns), bound);
	for (int i = 0; i < loads.len; i++) {
		fill_tile(g, loads.at[i], columns, tiles[i], turned);
		CExp row = x_times(x_int(columns + 1), x_call_none("rd_lane"));
		map_put(&g->turned, loads.at[i],
		        (void *)x_index(x_name(tiles[i]), x_plus(row, x_name(u))));
	}
	s_do(g->c, x_call_none("__syncwarp"));
	for_few(g, u, columns);
	s_declare(g->c, "int64_t", bind_name(g, e->loop.i), x_plus(x_name(turned), x_name(u)));
	loop_body(g, e);
	s_close(g->c);
	s_do(g->c, x_call_none("__syncwarp"));
	s_close(g->c);
	s_close(g->c);
	s_close(g->c);
	for EACH(const Exp *, l, loads)
		map_put(&g->turned, *l, NULL);
	note_turned_loop(g->kernel, e, columns, bytes);
	return turned;
}
