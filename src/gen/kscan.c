// Scans in #[threads] loops: the threads of a block process the iterations in tiles, in order.
//
//     loop (s = 0, out) for j < n do {
//       x = xs[j]                      loads are coalesced: x[u]
//       #[scan] r = call f (s, x)      shared memory transposes the tile: each thread folds
//       out with [j] = r               consecutive elements, the block scans the results of its
//     }                                threads, and each thread scans its elements: r[u]
//
// The statements before, between and after the scans form segments, each executed for all elements
// of the tile, with barriers in between.  Values that a later segment needs are kept in registers,
// except for sums and products of indices, which are recomputed.
//
// Scans that count (whose elements are 0 or 1, as in a filter) use warp votes where the device has
// them; the exclusive counts stay in registers.
//
// Long scans are divided among thread blocks: kchain.c.
#include "gen/kfold.h"

// ---- Variables that are kept ----

static bool is_derived(const Threads *t, Var v)
{
	return map_get(&t->derived, var_key(v)) != NULL;
}

static void keep(Gen *g, const Threads *t, Var v)
{
	VarState *st = state_of(g, v);
	const char *name = fresh_name(g, vars[v.id].hint);
	s_array(g->c, c_scalar_type(vars[v.id].type.elem), name, t->items, NULL);
	show_as(g, v, x_index(x_name(name), x_name(t->u)));
	st->ahead = true;
}

// The results of counts: what the thread's warp begins with, and the rank of each element in it.
static void keep_count(Gen *g, const Threads *t, Fold *f)
{
	Var v = f->call->pat.at[0];
	const char *type = c_scalar_type(vars[v.id].type.elem);
	f->base = fresh_name(g, "base");
	f->rank = fresh_name(g, "rank");
	quote(g->c, "$1 $2 = 0; RD_RANK_TYPE($1) $3[$4];", type, f->base, f->rank, t->items);
	show_as(g, v, x_paren(x_quote("$1 + $2[$3]", f->base, f->rank, t->u)));
	state_of(g, v)->ahead = true;
}

static void declare_kept(Gen *g, Threads *t)
{
	const Body *b = &t->e->loop.body;
	int first = 0;
	for (int k = 0; k < b->stms.len; k++) {
		if (!t->fold_at[k])
			continue;
		Map later = mentioned_from(t->e, k), after = mentioned_from(t->e, k + 1);
		for (int i = first; i <= k; i++)
			for EACH(Var, v, b->stms.at[i].pat) {
				const Map *needed = i == k || t->direct ? &after : &later;
				bool kept = type_is_scalar(vars[v->id].type) &&
				            map_has(needed, var_key(*v)) && !is_derived(t, *v);
				if (kept && i == k && t->fold_at[k]->counts)
					keep_count(g, t, t->fold_at[k]);
				else if (kept && (i < k || !t->direct))
					keep(g, t, *v);
			}
		first = k + 1;
	}
}

// ---- Segments ----

void bind_element(Gen *g, const Threads *t, int segment)
{
	const char *type = c_scalar_type(sub_type(t->e->loop.n).elem);
	quote(g->c, "$1 $2 = $3 + RD_ITEM($4, $5);", type, bind_name(g, t->e->loop.i), t->tile,
	      t->u, t->items);
	state_of(g, t->e->loop.i)->small = 1;
	for (int i = 0; i < segment; i++) {
		const Stm *s = &t->e->loop.body.stms.at[i];
		if (s->pat.len == 1 && is_derived(t, s->pat.at[0]))
			gen_stm(g, s);
	}
}

void open_elements(Gen *g, const Threads *t)
{
	quote(g->c, "RD_UNROLL for (int32_t $1 = 0; $1 < $2; $1++)", t->u, t->items);
}

// Of the scan, to where neighbouring threads see them.
static void put_operands(Gen *g, const Threads *t, const Fold *f)
{
	for (int v = 0; v < f->n; v++)
		quote(g->c, "$1[RD_ITEM($2, $3)] = $4;", t->scan.sh[v], t->u, t->items,
		      operand(g, f->call->exp->call.args.at[f->n + v]));
}

static void elements(Gen *g, const Threads *t, int from, int to, bool whole)
{
	open_elements(g, t);
	bind_element(g, t, from);
	if (!whole)
		quote(g->c, "if (RD_ITEM($1, $2) < $3)", t->u, t->items, t->m);
	thread_stms(g, t, from, to);
	if (t->direct && from == 0)
		put_operands(g, t, t->folds.at[0]);
	settle_all(g);
	if (t->stores.len && from == 0)
		quote(g->c, "$1 |= (uint32_t)$2 << $3;", t->flags,
		      flag_of_element(g, t, t->folds.at[0]), t->u);
	if (!whole)
		s_close(g->c);
	s_close(g->c);
}

// The segments of an iteration end with the scans.
static void gen_segment(Gen *g, const Threads *t, int from, int to)
{
	const char *label = fresh_name(g, "done");
	bool could_fail = g->fun.can_fail;
	g->fun.can_fail = false;
	g->thread.failed = label;
	g->thread.at_block = false;
	s_scope(g->c);
	if (t->each.cuda > 1 || t->each.other > 1) {
		quote(g->c, "if ($1 == $2 * rd_local_size())", t->m, t->items);
		elements(g, t, from, to, true);
		s_else(g->c);
		elements(g, t, from, to, false);
		s_close(g->c);
	} else {
		elements(g, t, from, to, false);
	}
	s_close(g->c);
	if (g->fun.can_fail)
		s_label(g->c, label);
	t->failed[from] = g->fun.can_fail;
	g->fun.can_fail |= could_fail;
	g->thread.failed = NULL;
	g->thread.at_block = true;
}

// ---- The scan of a tile ----

static int rounded(int bytes)
{
	return (bytes + 7) & ~7;
}

static void declare_scan_rooms(Gen *g, const Threads *t, Fold *f, TileScan *s)
{
	Choice at = {0};
	s->sh = NEW_ARRAY(CExp, f->n);
	s->few = NEW_ARRAY(CExp, f->n);
	for (int v = 0; v < f->n; v++) {
		PrimType p = value_type(t, f, v);
		s->sh[v] = declare_room(g, p, "sh", choice(at));
		at.cuda += rounded(t->each.cuda * room_size(p));
		at.other += rounded(t->each.other * room_size(p));
	}
	for (int v = 0; v < f->n; v++) {
		s->few[v] = declare_room(g, value_type(t, f, v), "few", choice(at));
		at.cuda += 8;
		at.other += 8;
	}
	f->room = at.other; // for shuffles
	need_fold_bytes(g, f->counts ? 8 : at.cuda, at.other + 8);
}

// A loop over the other elements of this thread, from 1 on or all; those that there are.
static void open_own(Gen *g, const Threads *t, const TileScan *s, int from)
{
	quote(g->c, "RD_UNROLL for (int32_t $1 = $2; $1 < $3; $1++)", t->u, from, t->items);
	quote(g->c, "if ($1 < $2)", t->u, s->count);
}

static void fold_own(Gen *g, const Threads *t, const Fold *f, TileScan *s)
{
	s->own = fresh_name(g, "own");
	s->count = fresh_name(g, "count");
	s->threads = fresh_name(g, "threads");
	quote(g->c, "int32_t $1 = rd_local_id() * $2, $3 = $4 - $1;", s->own, t->items, s->count,
	      t->m);
	quote(g->c, "int32_t $1 = ($2 + $3) / $4;", s->threads, t->m,
	      choice((Choice){t->each.cuda - 1, t->each.other - 1}), t->items);
	s->x = declare_values(g, t, f, "x", elements_at(s->sh, f->n, x_name(s->own)));
	if (t->each.cuda > 1 || t->each.other > 1) {
		open_own(g, t, s, 1);
		combine_marked(g, f, s->x, s->x,
		               elements_at(s->sh, f->n, x_quote("$1 + $2", s->own, t->u)));
		s_close(g->c);
		s_close(g->c);
	}
}

// The warps before this one have a result, unless it is the first.
static CExp warp_before(void)
{
	return x_quote("rd_warp() > 0 ? rd_warp() - 1 : 0");
}

// e: what the threads before have, if there are any; all: what all have.
static void scan_by_warps(Gen *g, const Threads *t, const Fold *f, TileScan *s)
{
	CExp within = x_quote("rd_local_id() < $1", s->threads), warps = x_call_none("rd_n_warps");
	CExp *x = declare_values(g, t, f, "x", s->x);
	scan_lanes(g, t, f, x, x_int(32), within);
	quote(g->c, "if ($1 && (rd_lane() == 31 || rd_local_id() + 1 == $2))", within, s->threads);
	assign(g, f, elements_at(s->few, f->n, x_call_none("rd_warp")), x);
	s_close(g->c);
	s_barrier(g->c);
	CExp lane = x_quote("rd_lane() < rd_n_warps() ? rd_lane() : 0");
	CExp *w = declare_values(g, t, f, "w", elements_at(s->few, f->n, lane));
	scan_lanes(g, t, f, w, warps,
	           x_quote("rd_lane() < rd_n_warps() && 32 * rd_lane() < $1", s->threads));
	CExp *before = shuffled(g, t, f, "rd_shuffle", w, warp_before()),
	     *lanes = shuffled(g, t, f, "rd_shuffle_up", x, x_int(1)),
	     *last = shuffled(g, t, f, "rd_shuffle", w, x_quote("($1 - 1) / 32", s->threads));
	assign(g, f, s->all, last);
	assign(g, f, s->e, before);
	quote(g->c, "if (rd_lane() > 0 && $1)", within);
	quote(g->c, "if (rd_warp() > 0)");
	combine_marked(g, f, s->e, before, lanes);
	s_else(g->c);
	assign(g, f, s->e, lanes);
	s_close(g->c);
	s_close(g->c);
}

static void scan_in_memory(Gen *g, const Threads *t, const Fold *f, TileScan *s)
{
	CExp *x = declare_values(g, t, f, "x", s->x), *y = declare_values(g, t, f, "y", NULL);
	const char *step = fresh_name(g, "step");
	CExp *mine = elements_at(s->few, f->n, x_call_none("rd_local_id"));
	CExp takes = x_quote("rd_local_id() >= $1 && rd_local_id() < $2", step, s->threads);
	assign(g, f, mine, x);
	s_barrier(g->c);
	quote(g->c, "for (int32_t $1 = 1; $1 < $2; $1 *= 2)", step, s->threads);
	s_if(g->c, takes);
	combine_marked(g, f, y, elements_at(s->few, f->n, x_quote("rd_local_id() - $1", step)), x);
	s_close(g->c);
	s_barrier(g->c);
	s_if(g->c, takes);
	assign(g, f, x, y);
	assign(g, f, mine, x);
	s_close(g->c);
	s_barrier(g->c);
	s_close(g->c);
	CExp before = x_quote("rd_local_id() > 0 ? rd_local_id() - 1 : 0");
	assign(g, f, s->e, elements_at(s->few, f->n, before));
	assign(g, f, s->all, elements_at(s->few, f->n, x_quote("$1 - 1", s->threads)));
}

// ---- All of it ----

static bool is_used_later(const Threads *t, const Fold *f)
{
	Map after = mentioned_from(t->e, (int)(f->call - t->e->loop.body.stms.at) + 1);
	for EACH(Var, v, f->call->pat)
		if (map_has(&after, var_key(*v)))
			return true;
	return false;
}

static void scan_again(Gen *g, const Threads *t, const Fold *f, const TileScan *s, const CExp *p)
{
	CExp *sum = declare_values(g, t, f, "sum", p), *y = declare_values(g, t, f, "y", NULL);
	CExp *here = elements_at(s->sh, f->n, x_quote("$1 + $2", s->own, t->u));
	quote(g->c, "if (rd_local_id() > 0 && rd_local_id() < $1)", s->threads);
	combine_marked(g, f, sum, p, s->e);
	s_close(g->c);
	open_own(g, t, s, 0);
	assign(g, f, y, here);
	combine_marked(g, f, sum, sum, y);
	assign(g, f, here, sum);
	s_close(g->c);
	s_close(g->c);
	s_barrier_of(g->c, "rd_item_barrier");
	if (t->direct)
		return; // they are read from there
	Map after = mentioned_from(t->e, (int)(f->call - t->e->loop.body.stms.at) + 1);
	open_elements(g, t);
	for (int v = 0; v < f->n; v++) {
		Var r = f->call->pat.at[v];
		if (map_has(&after, var_key(r)))
			quote(g->c, "$1 = $2[RD_ITEM($3, $4)];",
			      f->rank ? x_quote("$1[$2]", f->rank, t->u) : shown(g, r), s->sh[v],
			      t->u, t->items);
	}
	s_close(g->c);
}

// Is the number that counts 1?  Where it is chosen by something that is kept anyway, by that.
CExp flag_of_element(Gen *g, const Threads *t, const Fold *f)
{
	Sub x = f->call->exp->call.args.at[1];
	Map after = mentioned_from(t->e, (int)(f->call - t->e->loop.body.stms.at) + 1);
	for EACH(Stm, s, t->e->loop.body.stms)
		if (s->pat.len == 1 && sub_eq(x, sub_var(s->pat.at[0])) && s->exp->form == E_if_) {
			Sub c = s->exp->if_.cond;
			if (c.kind == S_VAR && map_has(&after, var_key(c.var)) &&
			    !is_derived(t, c.var)) {
				CExp flag = operand(g, c);
				return s->exp->if_.yes.res.at[0].val.i ? flag : x_not(flag);
			}
		}
	return operand(g, x);
}

// Each element votes in its warp, where neighbouring threads have neighbouring elements: gives how
// many of the warp's count, and sets their ranks.
static const char *count_votes(Gen *g, const Threads *t, const Fold *f)
{
	const char *count = fresh_name(g, "count"), *votes = fresh_name(g, "votes");
	quote(g->c, "int32_t $1 = 0;", count);
	open_elements(g, t);
	if (t->stores.len) {
		quote(g->c, "uint32_t $1 = __ballot_sync(0xffffffffu, $2 >> $3 & 1);", votes,
		      t->flags, t->u);
	} else {
		bind_element(g, t, 0);
		quote(g->c, "uint32_t $1 = __ballot_sync(0xffffffffu, RD_ITEM($2, $3) < $4 && $5);",
		      votes, t->u, t->items, t->m, flag_of_element(g, t, f));
	}
	if (f->rank && !t->stores.len)
		quote(g->c, "$1[$2] = $3 + __popc($4 & 0xffffffffu >> (31 - rd_lane()));", f->rank,
		      t->u, count, votes);
	quote(g->c, "$1 += __popc($2);", count, votes);
	s_close(g->c);
	return count;
}

// A scan of numbers that are 0 or 1, by votes.
static void count_step(Gen *g, const Threads *t, const Fold *f, const CExp *p)
{
	const char *few = fresh_name(g, "few");
	TileScan s = {.few = (CExp[]){x_name(few)}};
	quote(g->c, "RD_LOCAL $1 *$2 = (RD_LOCAL $1 *)(rd_shared + 16);",
	      c_scalar_type(value_type(t, f, 0)), few);
	const char *count = count_votes(g, t, f);
	s_barrier(g->c);
	quote(g->c, "if (rd_lane() == 0) { $1[rd_warp()] = $2; }", few, count);
	s_barrier(g->c);
	CExp *w = declare_values(g, t, f, "w", NULL);
	quote(g->c, "if (rd_lane() < rd_n_warps()) { $1 = $2[rd_lane()]; }", w[0], few);
	scan_lanes(g, t, f, w, x_call_none("rd_n_warps"), x_const("true"));
	CExp *warps = shuffled(g, t, f, "rd_shuffle", w, warp_before()), *rooms = NULL;
	s.all = shuffled(g, t, f, "rd_shuffle", w, x_quote("rd_n_warps() - 1"));
	if (t->chained)
		tell_alone(g, t, f, &s);
	if (t->stores.len) {
		const char *first = fresh_name(g, "first");
		need_fold_bytes(g, 8 + compact_bytes(&t->stores, t->each.cuda), 0);
		quote(g->c, "int32_t $1 = rd_warp() > 0 ? (int32_t)$2 : 0;", first, warps[0]);
		rooms = compact(g, t, first);
	}
	if (t->chained)
		look_back(g, t, f, &s, p);
	if (t->stores.len) {
		quote(g->c, t->chained ? "if (!RD_MAY_CHAIN(rd_tiles)) rd_barrier();"
		                       : "rd_barrier();");
		store_compacted(g, t, rooms, p[0], s.all[0]);
	} else if (f->rank) {
		quote(g->c, "$1 = $2 + (rd_warp() > 0 ? $3 : 0);", f->base, p[0], warps[0]);
	}
	combine_marked(g, f, p, p, s.all);
}

// Any other scan: see the head of this file.
static void combine_step(Gen *g, Threads *t, Fold *f, const CExp *p)
{
	if (!t->direct) {
		declare_scan_rooms(g, t, f, &t->scan);
		s_barrier(g->c);
		open_elements(g, t);
		bind_element(g, t, 0);
		put_operands(g, t, f);
		s_close(g->c);
	}
	TileScan s = t->scan;
	s_barrier_of(g->c, "rd_item_barrier");
	fold_own(g, t, f, &s);
	s.e = declare_values(g, t, f, "e", NULL);
	s.all = declare_values(g, t, f, "all", NULL);
	s_ifdef(g->c, "ifdef RD_WARP");
	s_scope(g->c);
	scan_by_warps(g, t, f, &s);
	s_close(g->c);
	s_else(g->c);
	s_scope(g->c);
	scan_in_memory(g, t, f, &s);
	s_close(g->c);
	s_close(g->c);
	if (t->chained) {
		tell_alone(g, t, f, &s);
		look_back(g, t, f, &s, p);
	}
	if (is_used_later(t, f))
		scan_again(g, t, f, &s, p);
	combine_marked(g, f, p, p, s.all);
}

static void scan_step(Gen *g, Threads *t, Fold *f)
{
	const CExp *p = param_values(g, t, f);
	s_scope(g->c);
	if (f->counts) {
		s_ifdef(g->c, "ifdef RD_BALLOT");
		s_scope(g->c);
		count_step(g, t, f, p);
		s_close(g->c);
		s_else(g->c);
	}
	combine_step(g, t, f, p);
	if (f->counts)
		s_close(g->c);
	s_close(g->c);
}

static void number_folds(Threads *t)
{
	int number = 0, values = 0;
	for EACH(Fold *, f, t->folds) {
		(*f)->number = number++;
		(*f)->first_value = values;
		values += (*f)->n;
	}
}

static void plan_scans(Gen *g, Threads *t)
{
	t->each = items_of(t->e);
	t->items = choice(t->each);
	t->derived = derived_from_index(t->e);
	t->stores = compacted(t->e);
	t->direct = is_direct(t->e);
	t->chained = g->kernel && g->kernel->chain && g->kernel->chain->loop == t->e;
	number_folds(t);
}

// Opens the loop over tiles; m: elements of the tile at hand.
static void open_tiles(Gen *g, Threads *t)
{
	const char *type = c_scalar_type(sub_type(t->e->loop.n).elem);
	CExp step = x_quote("$1 * rd_local_size()", t->items);
	if (t->chained)
		quote(g->c,
		      "for ($1 $2 = rd_tiles > 1 ? rd_tile * $3 * rd_local_size() : 0; $2 < $4;"
		      " $2 += rd_tiles > 1 ? $4 : $5)",
		      type, t->tile, t->items, t->n, step);
	else
		quote(g->c, "for ($1 $2 = 0; $2 < $3; $2 += $4)", type, t->tile, t->n, step);
	t->m = fresh_name(g, "m");
	quote(g->c, "int32_t $1 = $2 - $3 < $4 ? (int32_t)($2 - $3) : $4;", t->m, t->n, t->tile,
	      step);
}

// All segments and scans of a tile.
static void gen_tile(Gen *g, Threads *t)
{
	int from = 0;
	bool fails = false;
	for (int k = 0; k <= t->e->loop.body.stms.len; k++) {
		bool end = k == t->e->loop.body.stms.len;
		if (!end && !t->fold_at[k])
			continue;
		bool compact_done = end && t->stores.len;
		if (compact_done)
			s_ifdef(g->c, "ifndef RD_BALLOT");
		gen_segment(g, t, from, k);
		if (compact_done)
			s_close(g->c);
		fails |= t->failed[from] || (!end && t->fold_at[k]->fails);
		if (!end)
			scan_step(g, t, t->fold_at[k]);
		from = k + 1;
	}
	if (fails)
		leave_if_marked(g);
}

void gen_scanned_threads(Gen *g, Threads *t)
{
	t->tile = fresh_name(g, "tile");
	plan_scans(g, t);
	t->u = fresh_name(g, "u");
	rts_use(g->rts, "kernel_scan");
	g->kernel->scans = true;
	g->thread.at_block = false;
	thread_allocs(g, t);
	g->thread.at_block = true;
	open_tiles(g, t);
	declare_kept(g, t);
	if (t->direct) {
		declare_scan_rooms(g, t, t->folds.at[0], &t->scan);
		for (int v = 0; v < t->folds.at[0]->n; v++)
			show_as(g, t->folds.at[0]->call->pat.at[v],
			        x_quote("$1[RD_ITEM($2, $3)]", t->scan.sh[v], t->u, t->items));
		s_barrier(g->c);
	}
	if (t->stores.len) {
		t->flags = fresh_name(g, "flags");
		quote(g->c, "uint32_t $1 = 0;", t->flags);
	}
	gen_tile(g, t);
	s_close(g->c);
	if (t->chained)
		quote(g->c, "if (rd_tile + 1 < rd_tiles) return;");
	s_barrier(g->c);
}
