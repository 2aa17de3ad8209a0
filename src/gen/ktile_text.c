// The code of tiled kernels; see ktile.c.
#include "gen/ktile.h"

void in_tiled_nest(Gen *g, Tiling *t, int depth, const Needed *needed, Inner *inner,
                   const void *arg)
{
	const Kernel *k = t->k;
	const Exp *e = k->nest.at[depth]->exp;
	bool last = depth == k->nest.len - 1;
	Outer outer = enter_body(g, &e->loop.body);
	note_arrays(g, e->loop.params);
	int n = last ? t->fold_at : e->loop.body.stms.len;
	for (int i = 0; i < n; i++) {
		const Stm *s = &e->loop.body.stms.at[i];
		// earlier ones are done
		bool fold = last ? s->exp->form == E_loop : s == k->nest.at[depth + 1];
		if (!fold && (!needed || is_needed_stm(needed, s)))
			gen_stm(g, s);
	}
	if (last) {
		inner(g, t, arg);
		settle_all(g);
	} else {
		settle_loads(g);
		in_tiled_nest(g, t, depth + 1, needed, inner, arg);
		settle_all(g);
	}
	leave_body(g, outer);
}

static CExp size_of_loop(Gen *g, const Tiling *t, int d)
{
	return operand(g, t->k->nest.at[d]->exp->loop.n);
}

static const char *index_type(const Exp *loop)
{
	return c_scalar_type(sub_type(loop->loop.n).elem);
}

static void bind_index(Gen *g, const Exp *loop, CExp value)
{
	s_declare(g->c, index_type(loop), bind_name(g, loop->loop.i), value);
	state_of(g, loop->loop.i)->small = 1;
}

static void bind_nest_index(Gen *g, const Tiling *t, int d, CExp value)
{
	const Exp *e = t->k->nest.at[d]->exp;
	bind_index(g, e, x_cast(index_type(e), value, PREC_ATOM));
}

static CExp within(CExp i, CExp n)
{
	return x_quote("$1 < $2 ? $1 : $2 - 1", i, n);
}

// x + y, where the terms of y are added one by one.
static CExp sum(CExp x, CExp y)
{
	bool is_sum = y->kind == X_BINARY && strcmp(y->text, "+") == 0;
	return is_sum ? x_plus(sum(x, y->x[0]), y->x[1]) : x_plus(x, y);
}

// Where in the tile iteration r of a thread is.  What one instruction loads, 16 bytes, lies
// together, and next to it what the neighbouring thread loads then.
static CExp place_of(const Tiling *t, bool along_y, const char *r)
{
	const char *thread = along_y ? t->row : t->column;
	int threads = along_y ? t->side_y / t->each_y : t->side_x / t->each_x;
	if (t->is_product)
		return along_y ? x_quote("$1 + 8 * $2", thread, r)
		               : x_quote("$1 + $2 / 2 * 8 + $2 % 2", thread, r);
	if (t->near == 1)
		return x_quote("$1 * $2 + $3", r, threads, thread);
	if (t->near == (along_y ? t->each_y : t->each_x))
		return x_quote("$1 * $2 + $3", thread, t->near, r);
	return x_quote("$1 / $2 * $3 + $4 * $2 + $1 % $2", r, t->near, threads * t->near, thread);
}

// The loops over the iterations of one thread.
// `needed`: by what comes inside; NULL: everything is, and indices may be past the ends.
static void open_each(Gen *g, Tiling *t, const Needed *needed)
{
	for_few(g, t->ry, t->each_y);
	for_few(g, t->rx, t->each_x);
	const int depths[] = {t->y, t->x};
	const CExp at[] = {sum(t->y0, place_of(t, true, t->ry)),
	                   sum(t->x0, place_of(t, false, t->rx))};
	for (int i = 0; i < 2; i++)
		if (!needed || map_has(&needed->set,
		                       var_key(t->k->nest.at[depths[i]]->exp->loop.i)))
			bind_nest_index(g, t, depths[i],
			                needed ? within(at[i], size_of_loop(g, t, depths[i]))
			                       : at[i]);
}

static void close_each(Gen *g)
{
	s_close(g->c);
	s_close(g->c);
}

// The indices of the tile and of the other loops of the nest.
static void tile_indices(Gen *g, Tiling *t)
{
	CExp id = x_call_none("rd_block_id");
	for (int d = t->k->nest.len; d-- > 0; ) {
		int tile = side_of(t, d == t->y);
		CExp n = size_of_loop(g, t, d);
		if (d == t->y || d == t->x)
			n = x_quote("($1 + $2) / $3", n, tile - 1, tile);
		const char *rest = fresh_name(g, "rest"), *at = fresh_name(g, "at");
		quote(g->c, "int64_t $1 = rd_div_index($2, $3);", rest, id, n);
		quote(g->c, "int64_t $1 = $2 - $3 * $4;", at, id, rest, n);
		if (d == t->y)
			t->y0 = x_quote("$1 * $2", at, tile);
		else if (d == t->x)
			t->x0 = x_quote("$1 * $2", at, tile);
		else
			bind_nest_index(g, t, d, x_name(at));
		id = x_name(rest);
	}
}

static const char *elem_of(const TileLoad *l)
{
	return c_scalar_type(type_of_load(l));
}

// The room of a load in the part at hand.
static CExp room_of(const Tiling *t, const TileLoad *l)
{
	return x_quote("(RD_LOCAL $1 *)($2 + $3)", elem_of(l), t->base, l->at);
}

static CExp place_in_room(const Tiling *t, const TileLoad *l, const char *step, CExp side)
{
	CExp at = l->per_side == 1 ? sum(x_quote("$1 * $2", step, l->per_step), side)
	                           : x_quote("$1 * $2 + $3", side, l->per_side, step);
	return x_index(room_of(t, l), at);
}

// The load of one element of a tile, with what its indices need.
static void load_one(Gen *g, Tiling *t, const void *arg)
{
	const TileLoad *l = arg;
	const Body *b = &t->fold->exp->loop.body;
	Needed n = {0};
	need_exp(&n, l->s->exp);
	int at = (int)(l->s - b->stms.at);
	need_before(&n, b->stms.at, at);
	Outer outer = enter_body(g, b);
	for (int i = 0; i < at; i++)
		if (is_needed_stm(&n, &b->stms.at[i]))
			gen_stm(g, &b->stms.at[i]);
	// The variable stands for a place in shared memory elsewhere: this is the load itself.
	const Exp *e = l->s->exp;
	CExp value;
	if (e->form == E_index) {
		CExp *index = NEW_ARRAY(CExp, e->index.idx.len);
		for (int i = 0; i < e->index.idx.len; i++)
			index[i] = operand(g, e->index.idx.at[i]);
		value = element(g, sub_type(e->index.arr), index);
	} else {
		gen_stm(g, l->s);
		value = operand(g, sub_var(l->s->pat.at[0]));
	}
	settle_all(g);
	if (l->is_copy && !t->there)
		quote(g->c, "rd_copy_pair(&$1, &$2);", t->to, value);
	else if (l->is_copy)
		quote(g->c, "rd_copy_async(&$1, &$2, $3);", t->to, value, t->there);
	else
		quote(g->c, "$1[$2] = $3;", l->ahead, t->step, value);
	leave_body(g, outer);
}

// Is there a lack of registers?  Not where there are copies alone, nor where threads have few
// results.
static bool lacks_registers(const Tiling *t)
{
	for EACH(const TileLoad, l, t->loads)
		if (!l->is_copy)
			return t->is_product || t->size != SMALL_TILES;
	return false;
}

// The elements of a tile that a thread loads, one at a time or two: number u of them is at this
// step and place.
typedef struct { const char *u, *step, *side; } Element;

// `rare`: there is another way for most tiles, from which this one would only take registers.  So
// would places in memory that are kept from one part to the next: where registers are few they are
// computed again (RD_HERE).
static Element open_some(Gen *g, const Tiling *t, const TileLoad *l, int at_once, bool rare)
{
	int side = side_of(t, l->along_y), len = (l->steps_are_near ? t->depth : side) / at_once;
	const char *id = fresh_name(g, "id");
	Element at = {fresh_name(g, "u"), fresh_name(g, "step"), fresh_name(g, "side")};
	const char *near = l->steps_are_near ? at.step : at.side,
		   *far = l->steps_are_near ? at.side : at.step;
	CExp first = x_quote("(int32_t)($1 % $2)", id, len);
	s_scope(g->c);
	quote(g->c, "uint32_t $1 = (uint32_t)rd_local_id();", id);
	if (lacks_registers(t))
		quote(g->c, "RD_HERE($1);", id);
	s_for(g->c, (CFor){.type = "int32_t", .i = at.u, .from = x_int(0),
	                   .cond = x_quote("$1 < $2", at.u, t->depth * side / at_once / t->threads),
	                   .props = rare ? LOOP_NO_UNROLL : LOOP_UNROLL});
	s_declare(g->c, "int32_t", near, at_once > 1 ? x_times(first, x_int(at_once)) : first);
	quote(g->c, "int32_t $1 = (int32_t)($2 / $3) + $4 * $5;", far, id, len, t->threads / len,
	      at.u);
	return at;
}

// Global memory to registers, or to shared memory; `whole`: nothing is past the ends.
static void fetch_some(Gen *g, Tiling *t, const TileLoad *l, const char *from, bool whole,
                       int at_once)
{
	int d = l->along_y ? t->y : t->x;
	const Exp *fold = t->fold->exp;
	CExp n = operand(g, fold->loop.n);
	Element at = open_some(g, t, l, at_once, l->is_copy && at_once == 1 && (l->even || !whole));
	CExp step = x_quote("$1 + $2", from, at.step);
	bind_index(g, fold, whole ? step : within(step, n));
	CExp place = x_plus(l->along_y ? t->y0 : t->x0, x_name(at.side));
	bind_nest_index(g, t, d, whole ? place : within(place, size_of_loop(g, t, d)));
	// Nothing that is needed depends on the other index.
	show_as(g, t->k->nest.at[l->along_y ? t->x : t->y]->exp->loop.i, x_int(0));
	Tiling names = *t;
	names.step = at.u;
	if (l->is_copy) {
		names.to = place_in_room(t, l, at.step, x_name(at.side));
		names.there = at_once > 1 ? NULL : whole ? x_const("true") : x_less(step, n);
	}
	Needed needed = {0};
	need_exp(&needed, l->s->exp);
	need_before(&needed, fold->loop.body.stms.at, (int)(l->s - fold->loop.body.stms.at));
	need_nest(t, &needed);
	in_tiled_nest(g, &names, 0, &needed, load_one, l);
	close_each(g);
}

static void fetch(Gen *g, Tiling *t, const TileLoad *l, const char *from, bool whole)
{
	if (!whole || !l->even) {
		fetch_some(g, t, l, from, whole, 1);
		return;
	}
	s_if(g->c, x_name(l->even));
	fetch_some(g, t, l, from, true, 2);
	s_else(g->c);
	fetch_some(g, t, l, from, true, 1);
	s_close(g->c);
}

static void fetch_all(Gen *g, Tiling *t, bool copies, const char *from, CExp n)
{
	quote(g->c, "if ($1 && $2 + $3 <= $4)", t->inside, from, t->depth, n);
	for EACH(const TileLoad, l, t->loads)
		if (l->is_copy == copies)
			fetch(g, t, l, from, true);
	s_else(g->c);
	for EACH(const TileLoad, l, t->loads)
		if (l->is_copy == copies)
			fetch(g, t, l, from, false);
	s_close(g->c);
}

// Registers to shared memory.  Steps past the end add nothing to a product.
static void put_all(Gen *g, const Tiling *t, const char *from, CExp n)
{
	for EACH(const TileLoad, l, t->loads) {
		if (l->is_copy)
			continue;
		Element at = open_some(g, t, l, 1, false);
		CExp value = x_quote("$1[$2]", l->ahead, at.u);
		if (t->tf32)
			value = x_call("RD_TO_TF32", value);
		if (t->is_product)
			value = x_quote("$1 + $2 < $3 ? $4 : 0", from, at.step, n, value);
		s_assign(g->c, place_in_room(t, l, at.step, x_name(at.side)), value);
		close_each(g);
	}
}

// What parameter k of the fold is, for the iteration at hand.
static CExp carried(const Tiling *t, int k)
{
	return x_quote("$1[$2][$3]", t->acc[k], t->ry, t->rx);
}

static void show_carried(Gen *g, const Tiling *t)
{
	const Exp *e = t->fold->exp;
	for (int k = 0; k < e->loop.params.len; k++)
		show_as(g, e->loop.params.at[k], carried(t, k));
}

static void first_values(Gen *g, Tiling *t, const void *arg)
{
	const Exp *e = t->fold->exp;
	(void)arg;
	for (int k = 0; k < e->loop.params.len; k++)
		s_assign(g->c, carried(t, k),
		         result_of(g, e->loop.params.at[k], e->loop.inits.at[k]));
}

static void one_step(Gen *g, Tiling *t, const void *arg)
{
	const Exp *e = t->fold->exp;
	const Needed *needed = arg;
	Outer outer = enter_body(g, &e->loop.body);
	show_carried(g, t);
	for EACH(Stm, s, e->loop.body.stms) {
		if (!is_tile_load(t, s)) {
			if (is_needed_stm(needed, s))
				gen_stm(g, s);
			continue;
		}
		for (int i = 0; i < t->loads.len; i++)
			if (t->loads.at[i].s == s)
				show_as(g, s->pat.at[0],
				        x_index(x_name(t->values[i]),
				                x_name(t->loads.at[i].along_y ? t->ry : t->rx)));
	}
	next_params(g, e);
	settle_all(g);
	leave_body(g, outer);
}

// Steps of the fold, on what is in shared memory.
static void do_steps(Gen *g, Tiling *t, const char *from, CExp n_steps)
{
	const Exp *e = t->fold->exp;
	const char *step = fresh_name(g, "step"), *r = fresh_name(g, "r");
	s_for(g->c, (CFor){.type = "int32_t", .i = step, .from = x_int(0),
	                   .cond = x_less(x_name(step), n_steps),
	                   .props = n_steps->kind == X_INT ? LOOP_UNROLL : 0});
	Needed needed = needed_by_steps(t);
	if (map_has(&needed.set, var_key(e->loop.i)))
		bind_index(g, e, x_quote("$1 + $2", from, step));
	for (int k = 0; k < t->loads.len; k++) {
		const TileLoad *l = &t->loads.at[k];
		int each = l->along_y ? t->each_y : t->each_x;
		t->values[k] = fresh_name(g, "values");
		s_array(g->c, elem_of(l), t->values[k], x_int(each), NULL);
		quote(g->c, "RD_UNROLL for (int32_t $1 = 0; $1 < $2; $1++) $3[$1] = $4;", r, each,
		      t->values[k], place_in_room(t, l, step, place_of(t, l->along_y, r)));
	}
	open_each(g, t, &needed);
	in_tiled_nest(g, t, 0, &needed, one_step, &needed);
	close_each(g);
	s_close(g->c);
}

static void last_statements(Gen *g, Tiling *t, const void *arg)
{
	Stms stms = t->k->nest.at[t->k->nest.len - 1]->exp->loop.body.stms;
	(void)arg;
	show_carried(g, t);
	bind_results(g, t->fold);
	for (int i = t->fold_at + 1; i < stms.len; i++)
		gen_stm(g, &stms.at[i]);
	settle_all(g);
}

// The steps of a part of a product.
static void do_product(Gen *g, const Tiling *t)
{
	const TileLoad *y = &t->loads.at[t->loads.at[0].along_y ? 0 : 1],
		       *x = &t->loads.at[t->loads.at[0].along_y ? 1 : 0];
	const char *step = fresh_name(g, "step"), *r = fresh_name(g, "r"), *c = fresh_name(g, "c");
	s_ifdef(g->c, t->tf32 ? "ifdef RD_MMA_TF32" : "ifdef RD_MMA_F64");
	CExp column = x_paren(x_quote("$1 / 8 * 8 + rd_local_id() % 32 / 4", t->column));
	if (t->tf32) {
		quote(g->c, "rd_mma_tf32($1, $2 + $3, $4 + $5, $6, $7);", t->acc[0], room_of(t, y),
		      t->row, room_of(t, x), column, y->per_step, t->depth);
	} else {
		quote(g->c, "RD_UNROLL for (int32_t $1 = 0; $1 < $2; $1 += 4)", step, t->depth);
		quote(g->c, "rd_mma_f64($1, &$2, $3, $4, &$5, $6, $7);", t->acc[0],
		      place_in_room(t, y, step, x_name(t->row)), y->per_step, y->per_side,
		      place_in_room(t, x, step, column), x->per_step, x->per_side);
		s_close_bare(g->c);
	}
	s_else(g->c);
	quote(g->c, "for (int32_t $1 = 0; $1 < $2; $1++)", step, t->depth);
	quote(g->c, "for (int32_t $1 = 0; $1 < $2; $1++)", r, t->each_y);
	quote(g->c, "for (int32_t $1 = 0; $1 < $2; $1++) $3[$4][$1] += $5 * $6;", c, t->each_x,
	      t->acc[0], r, place_in_room(t, y, step, place_of(t, true, r)),
	      place_in_room(t, x, step, place_of(t, false, c)));
	s_close(g->c);
	s_close(g->c);
	s_close(g->c);
}

static void steps_of_part(Gen *g, Tiling *t, const char *from, CExp n)
{
	quote(g->c, "if ($1 + $2 <= $3)", from, t->depth, n);
	do_steps(g, t, from, x_int(t->depth));
	s_else(g->c);
	do_steps(g, t, from, x_quote("(int32_t)($1 - $2)", n, from));
	s_close(g->c);
}

static void declare_ahead(Gen *g, Tiling *t)
{
	t->inside = fresh_name(g, "inside");
	t->base = fresh_name(g, "base");
	quote(g->c, "bool $1 = $2 + $3 <= $4 && $5 + $6 <= $7;", t->inside, t->y0, t->side_y,
	      size_of_loop(g, t, t->y), t->x0, t->side_x, size_of_loop(g, t, t->x));
	quote(g->c, "RD_LOCAL char *$1 = rd_shared;", t->base);
	for EACH(TileLoad, l, t->loads) {
		if (l->near_dim >= 0)
			declare_even(g, t, l);
		if (l->is_copy)
			continue;
		l->ahead = fresh_name(g, "ahead");
		s_array(g->c, elem_of(l), l->ahead,
		        x_int(t->depth * side_of(t, l->along_y) / t->threads), NULL);
	}
}

static void fold_in_tiles(Gen *g, Tiling *t)
{
	const char *from = fresh_name(g, "from"), *next = fresh_name(g, "next");
	CExp n = loop_bound(g, t->fold->exp->loop.n), more = x_less(x_name(next), n);
	declare_ahead(g, t);
	quote(g->c, "for (int64_t $1 = -$2; $1 < $3; $1 += $2)", from, t->depth, n);
	quote(g->c, "int64_t $1 = $2 + $3;", next, from, t->depth);
	s_if(g->c, more);
	fetch_all(g, t, false, next, n);
	s_close(g->c);
	quote(g->c, "if ($1 >= 0)", from);
	steps_of_part(g, t, from, n);
	s_close(g->c);
	if (t->n_buffers == 2)
		quote(g->c, "$1 = $1 == rd_shared ? rd_shared + $2 : rd_shared;", t->base,
		      t->bytes);
	else
		s_barrier(g->c);
	s_if(g->c, more);
	put_all(g, t, next, n);
	s_close(g->c);
	s_barrier(g->c);
	s_close(g->c);
}

// The part that begins at step `from` is in buffer `number`, or to be put there.
static void choose_buffer(Gen *g, const Tiling *t, CExp number)
{
	quote(g->c, "$1 = rd_shared + $2 * $3;", t->base, number, t->bytes);
}

static void fetch_if_any(Gen *g, Tiling *t, bool copies, CExp condition, const char *from, CExp n)
{
	bool any = false;
	for EACH(const TileLoad, l, t->loads)
		any |= l->is_copy == copies;
	if (!any)
		return;
	s_if(g->c, condition);
	fetch_all(g, t, copies, from, n);
	s_close(g->c);
}

// Copies are two parts ahead, what goes by way of registers one: see Note [Products].
static void product_in_tiles(Gen *g, Tiling *t)
{
	const char *from = fresh_name(g, "from"), *next = fresh_name(g, "next"),
		   *after = fresh_name(g, "after");
	const char *buffer = fresh_name(g, "buffer");
	CExp n = loop_bound(g, t->fold->exp->loop.n);
	CExp following = x_quote("($1 + 1) % 3", buffer), second = x_quote("($1 + 2) % 3", buffer),
	     is_next = x_quote("$1 >= 0 && $1 < $2", next, n);
	rts_use(g->rts, "kernel_matrix");
	declare_ahead(g, t);
	quote(g->c, "int32_t $1 = 1;", buffer);
	quote(g->c, "for (int64_t $1 = -$2; $1 < $3; $1 += $4)", from, 2 * t->depth, n, t->depth);
	quote(g->c, "int64_t $1 = $2 + $3, $4 = $1 + $3;", next, from, t->depth, after);
	quote(g->c, "if ($1 >= 0) { rd_wait_for_copies(); rd_barrier(); }", from);
	choose_buffer(g, t, second);
	fetch_if_any(g, t, true, x_quote("$1 < $2", after, n), after, n);
	quote(g->c, "rd_end_copies();");
	fetch_if_any(g, t, false, is_next, next, n);
	quote(g->c, "if ($1 >= 0)", from);
	choose_buffer(g, t, x_name(buffer));
	do_product(g, t);
	s_close(g->c);
	choose_buffer(g, t, following);
	s_assign(g->c, x_name(buffer), following);
	s_if(g->c, is_next);
	put_all(g, t, next, n);
	s_close(g->c);
	s_close(g->c);
}

// Of the first fold, for one that goes on from it.
static void take_names(Tiling *f, const Tiling *t)
{
	f->row = t->row;
	f->column = t->column;
	f->y0 = t->y0;
	f->x0 = t->x0;
	f->ry = t->ry;
	f->rx = t->rx;
	f->acc = t->acc;
	f->values = NEW_ARRAY(const char *, f->loads.len);
}

// Which iterations of the tile the thread has: their first row and column.
static void declare_own(Gen *g, const Tiling *t)
{
	if (t->is_product)
		quote(g->c,
		      "int32_t $1 = rd_local_id() / $2 * $3 + rd_local_id() % 32 / 4,"
		      "        $4 = rd_local_id() / 32 % $5 * $6 + rd_local_id() % 4 * 2;",
		      t->row, 32 * t->side_x / t->warp_x, t->warp_y, t->column,
		      t->side_x / t->warp_x, t->warp_x);
	else
		quote(g->c, "int32_t $1 = rd_local_id() / $2, $3 = rd_local_id() % $2;", t->row,
		      t->side_x / t->each_x, t->column);
}

// What the fold carries begins with what its parameters do.
static void declare_carried(Gen *g, Tiling *t)
{
	const Exp *e = t->fold->exp;
	Needed needed = {0};
	Visit v = {.sub = need, .ctx = &needed};
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		t->acc[k] = fresh_name(g, vars[p.id].hint);
		quote(g->c, "$1 $2[$3][$4];", c_scalar_type(vars[p.id].type.elem), t->acc[k],
		      t->each_y, t->each_x);
	}
	for EACH(Sub, x, e->loop.inits)
		need(&v, x);
	need_nest(t, &needed);
	open_each(g, t, &needed);
	in_tiled_nest(g, t, 0, &needed, first_values, NULL);
	close_each(g);
}

void gen_tiled_nest(Gen *g)
{
	Tiling *t = g->kernel->tiling;
	t->row = fresh_name(g, "row");
	t->column = fresh_name(g, "column");
	t->ry = fresh_name(g, "ry");
	t->rx = fresh_name(g, "rx");
	t->acc = NEW_ARRAY(const char *, t->fold->exp->loop.params.len);
	t->values = NEW_ARRAY(const char *, t->loads.len);
	declare_own(g, t);
	tile_indices(g, t);
	declare_carried(g, t);
	for (Tiling *f = t; f; f = f->next) {
		if (f != t)
			take_names(f, t);
		if (f != t && f->is_product)
			s_barrier(g->c);
		if (f->is_product)
			product_in_tiles(g, f);
		else
			fold_in_tiles(g, f);
	}
	t = last_fold(t);
	open_each(g, t, NULL);
	quote(g->c, "if ($1 < $2 && $3 < $4)",
	      operand(g, sub_var(t->k->nest.at[t->y]->exp->loop.i)), size_of_loop(g, t, t->y),
	      operand(g, sub_var(t->k->nest.at[t->x]->exp->loop.i)), size_of_loop(g, t, t->x));
	in_tiled_nest(g, t, 0, NULL, last_statements, NULL);
	s_close(g->c);
	close_each(g);
}
