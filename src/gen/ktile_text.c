// Emits the text of tiled kernels; see ktile.c.
#include "gen/ktile.h"

typedef void Inner(Gen *, Tiling *, const void *arg);

// The statements of the nest before the fold (those needed, if not all), and what comes then.
static void in_nest(Gen *g, Tiling *t, int depth, const Needed *needed, Inner *inner,
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
		in_nest(g, t, depth + 1, needed, inner, arg);
		settle_all(g);
	}
	leave_body(g, outer);
}

static const char *size_of_loop(Gen *g, const Tiling *t, int d)
{
	return grouped(operand(g, t->k->nest.at[d]->exp->loop.n), PREC_ATOM);
}

static void bind_index(Gen *g, const Tiling *t, int d, const char *value)
{
	const Exp *e = t->k->nest.at[d]->exp;
	const char *name = bind_name(g, e->loop.i);
	state_of(g, e->loop.i)->small = 1;
	line(g, "%s %s = (%s)(%s);", c_scalar_type(sub_type(e->loop.n).elem), name,
	     c_scalar_type(sub_type(e->loop.n).elem), value);
}

static const char *within(Gen *g, const Tiling *t, int d, const char *i)
{
	const char *n = size_of_loop(g, t, d);
	return text("%s < %s ? %s : %s - 1", i, n, i, n);
}

// Where in the tile iteration r of a thread is.  What one instruction loads, 16 bytes, lies
// together, and next to it what the neighbouring thread loads then.
static const char *place_of(const Tiling *t, bool along_y, const char *r)
{
	const char *thread = along_y ? t->row : t->column;
	int threads = along_y ? t->side_y / t->each_y : t->side_x / t->each_x;
	if (t->is_product)
		return along_y ? text("%s + 8 * %s", thread, r)
		               : text("%s + %s / 2 * 8 + %s %% 2", thread, r, r);
	if (t->near == 1)
		return text("%s * %d + %s", r, threads, thread);
	if (t->near == (along_y ? t->each_y : t->each_x))
		return text("%s * %d + %s", thread, t->near, r);
	return text("%s / %d * %d + %s * %d + %s %% %d", r, t->near, threads * t->near, thread,
	            t->near, r, t->near);
}

// The loops over the iterations of one thread.
// `needed`: by what comes inside; NULL: everything is, and indices may be past the ends.
static void open_each(Gen *g, Tiling *t, const Needed *needed)
{
	line(g, "RD_UNROLL");
	open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", t->ry, t->ry, t->each_y, t->ry);
	line(g, "RD_UNROLL");
	open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", t->rx, t->rx, t->each_x, t->rx);
	const char *y = text("%s + %s", t->y0, place_of(t, true, t->ry));
	const char *x = text("%s + %s", t->x0, place_of(t, false, t->rx));
	const int depths[] = {t->y, t->x};
	const char *const at[] = {y, x};
	for (int i = 0; i < 2; i++)
		if (!needed ||
		    map_has(&needed->set, var_key(t->k->nest.at[depths[i]]->exp->loop.i)))
			bind_index(g, t, depths[i],
			           needed ? within(g, t, depths[i], at[i]) : at[i]);
}

static void close_each(Gen *g)
{
	s_close(g->c);
	s_close(g->c);
}

// The indices of the tile and of the other loops of the nest.
static void tile_indices(Gen *g, Tiling *t)
{
	const char *id = "rd_block_id()";
	for (int d = t->k->nest.len; d-- > 0; ) {
		int tile = side_of(t, d == t->y);
		const char *n = size_of_loop(g, t, d);
		if (d == t->y || d == t->x)
			n = text("((%s + %d) / %d)", n, tile - 1, tile);
		const char *rest = fresh_name(g, "rest"), *at = fresh_name(g, "at");
		line(g, "int64_t %s = rd_div_index(%s, %s);", rest, id, n);
		line(g, "int64_t %s = %s - %s * %s;", at, id, rest, n);
		if (d == t->y)
			t->y0 = text("%s * %d", at, tile);
		else if (d == t->x)
			t->x0 = text("%s * %d", at, tile);
		else
			bind_index(g, t, d, at);
		id = rest;
	}
}

static const char *elem_of(const TileLoad *l)
{
	return c_scalar_type(type_of_load(l));
}

// The room of a load in the part at hand.
static const char *room_of(const Tiling *t, const TileLoad *l)
{
	return text("((RD_LOCAL %s *)(%s + %d))", elem_of(l), t->base, l->at);
}

static const char *place_in_room(const Tiling *t, const TileLoad *l, const char *step,
                                 const char *side)
{
	if (l->per_side == 1)
		return text("%s[%s * %d + %s]", room_of(t, l), step, l->per_step, side);
	return text("%s[(%s) * %d + %s]", room_of(t, l), side, l->per_side, step);
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
	const char *value;
	if (e->form == E_index) {
		CExp *index = NEW_ARRAY(CExp, e->index.idx.len);
		for (int i = 0; i < e->index.idx.len; i++)
			index[i] = operand(g, e->index.idx.at[i]);
		value = x_text(element(g, sub_type(e->index.arr), index));
	} else {
		gen_stm(g, l->s);
		value = x_text(operand(g, sub_var(l->s->pat.at[0])));
	}
	settle_all(g);
	if (l->is_copy && !t->there)
		line(g, "rd_copy_pair(&%s, &%s);", t->to, value);
	else if (l->is_copy)
		line(g, "rd_copy_async(&%s, &%s, %s);", t->to, value, t->there);
	else
		line(g, "%s[%s] = %s;", l->ahead, t->step, value);
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
	s_scope(g->c);
	line(g, "uint32_t %s = (uint32_t)rd_local_id();", id);
	if (lacks_registers(t))
		line(g, "RD_HERE(%s);", id);
	line(g, rare ? "RD_NO_UNROLL" : "RD_UNROLL");
	open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", at.u, at.u,
	           t->depth * side / at_once / t->threads, at.u);
	line(g, "int32_t %s = (int32_t)(%s %% %d)%s, %s = (int32_t)(%s / %d) + %d * %s;", near, id,
	     len, at_once > 1 ? text(" * %d", at_once) : "", far, id, len, t->threads / len, at.u);
	return at;
}

static void close_some(Gen *g)
{
	s_close(g->c);
	s_close(g->c);
}

static Element open_elements(Gen *g, const Tiling *t, const TileLoad *l)
{
	return open_some(g, t, l, 1, false);
}

// Global memory to registers, or to shared memory; `whole`: nothing is past the ends.
static void fetch_some(Gen *g, Tiling *t, const TileLoad *l, const char *from, bool whole,
                       int at_once)
{
	int d = l->along_y ? t->y : t->x;
	const Exp *fold = t->fold->exp;
	const char *n = grouped(operand(g, fold->loop.n), PREC_ATOM);
	Element at = open_some(g, t, l, at_once, l->is_copy && at_once == 1 && (l->even || !whole));
	const char *type = c_scalar_type(sub_type(fold->loop.n).elem),
		   *i = bind_name(g, fold->loop.i);
	if (whole)
		line(g, "%s %s = %s + %s;", type, i, from, at.step);
	else
		line(g, "%s %s = %s + %s < %s ? %s + %s : %s - 1;", type, i, from, at.step, n, from,
		     at.step, n);
	state_of(g, fold->loop.i)->small = 1;
	const char *place = text("%s + %s", l->along_y ? t->y0 : t->x0, at.side);
	bind_index(g, t, d, whole ? place : within(g, t, d, place));
	// Nothing that is needed depends on the other index.
	show_as(g, t->k->nest.at[l->along_y ? t->x : t->y]->exp->loop.i, x_int(0));
	Tiling names = *t;
	names.step = at.u;
	if (l->is_copy) {
		names.to = place_in_room(t, l, at.step, at.side);
		names.there = at_once > 1 ? NULL
		            : whole       ? "true"
		                          : text("%s + %s < %s", from, at.step, n);
	}
	Needed needed = {0};
	need_exp(&needed, l->s->exp);
	need_before(&needed, fold->loop.body.stms.at, (int)(l->s - fold->loop.body.stms.at));
	need_nest(t, &needed);
	in_nest(g, &names, 0, &needed, load_one, l);
	close_some(g);
}

static void fetch(Gen *g, Tiling *t, const TileLoad *l, const char *from, bool whole)
{
	if (!whole || !l->even) {
		fetch_some(g, t, l, from, whole, 1);
		return;
	}
	open_brace(g, "if (%s)", l->even);
	fetch_some(g, t, l, from, true, 2);
	s_else(g->c);
	fetch_some(g, t, l, from, true, 1);
	s_close(g->c);
}

static void fetch_all(Gen *g, Tiling *t, bool copies, const char *from, const char *n)
{
	open_brace(g, "if (%s && %s + %d <= %s)", t->inside, from, t->depth, n);
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
static void put_all(Gen *g, const Tiling *t, const char *from, const char *n)
{
	for EACH(const TileLoad, l, t->loads) {
		if (l->is_copy)
			continue;
		Element at = open_elements(g, t, l);
		const char *value = text("%s[%s]", l->ahead, at.u);
		if (t->tf32)
			value = text("RD_TO_TF32(%s)", value);
		if (t->is_product)
			value = text("%s + %s < %s ? %s : 0", from, at.step, n, value);
		line(g, "%s = %s;", place_in_room(t, l, at.step, at.side), value);
		close_some(g);
	}
}

static void first_values(Gen *g, Tiling *t, const void *arg)
{
	const Exp *e = t->fold->exp;
	(void)arg;
	for (int k = 0; k < e->loop.params.len; k++)
		line(g, "%s[%s][%s] = %s;", t->acc[k], t->ry, t->rx,
		     x_text(result_of(g, e->loop.params.at[k], e->loop.inits.at[k])));
}

static void one_step(Gen *g, Tiling *t, const void *arg)
{
	const Exp *e = t->fold->exp;
	const Needed *needed = arg;
	Outer outer = enter_body(g, &e->loop.body);
	for (int k = 0; k < e->loop.params.len; k++)
		show_as(g, e->loop.params.at[k],
		        x_index(x_index(x_name(t->acc[k]), x_name(t->ry)), x_name(t->rx)));
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
static void do_steps(Gen *g, Tiling *t, const char *from, const char *n_steps)
{
	const Exp *e = t->fold->exp;
	const char *step = fresh_name(g, "step"), *r = fresh_name(g, "r");
	if (!strpbrk(n_steps, "abcdefghijklmnopqrstuvwxyz"))
		line(g, "RD_UNROLL");
	open_brace(g, "for (int32_t %s = 0; %s < %s; %s++)", step, step, n_steps, step);
	Needed needed = needed_by_steps(t);
	if (map_has(&needed.set, var_key(e->loop.i))) {
		const char *type = c_scalar_type(sub_type(e->loop.n).elem),
			   *i = bind_name(g, e->loop.i);
		line(g, "%s %s = %s + %s;", type, i, from, step);
		state_of(g, e->loop.i)->small = 1;
	}
	for (int k = 0; k < t->loads.len; k++) {
		const TileLoad *l = &t->loads.at[k];
		int each = l->along_y ? t->each_y : t->each_x;
		t->values[k] = fresh_name(g, "values");
		line(g, "%s %s[%d];", elem_of(l), t->values[k], each);
		line(g, "RD_UNROLL");
		line(g, "for (int32_t %s = 0; %s < %d; %s++)", r, r, each, r);
		line(g, "\t%s[%s] = %s;", t->values[k], r,
		     place_in_room(t, l, step, place_of(t, l->along_y, r)));
	}
	open_each(g, t, &needed);
	in_nest(g, t, 0, &needed, one_step, &needed);
	close_each(g);
	s_close(g->c);
}

static void last_statements(Gen *g, Tiling *t, const void *arg)
{
	const Exp *e = t->fold->exp;
	Stms stms = t->k->nest.at[t->k->nest.len - 1]->exp->loop.body.stms;
	(void)arg;
	for (int k = 0; k < e->loop.params.len; k++)
		show_as(g, e->loop.params.at[k],
		        x_index(x_index(x_name(t->acc[k]), x_name(t->ry)), x_name(t->rx)));
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
	line(g, "#ifdef RD_MMA_%s", t->tf32 ? "TF32" : "F64");
	const char *column = text("(%s / 8 * 8 + rd_local_id() %% 32 / 4)", t->column);
	if (t->tf32) {
		line(g, "rd_mma_tf32(%s, %s + %s, %s + %s, %d, %d);", t->acc[0], room_of(t, y),
		     t->row, room_of(t, x), column, y->per_step, t->depth);
	} else {
		line(g, "RD_UNROLL");
		line(g, "for (int32_t %s = 0; %s < %d; %s += 4)", step, step, t->depth, step);
		line(g, "\trd_mma_f64(%s, &%s, %d, %d, &%s, %d, %d);", t->acc[0],
		     place_in_room(t, y, step, t->row), y->per_step, y->per_side,
		     place_in_room(t, x, step, column), x->per_step, x->per_side);
	}
	line(g, "#else");
	open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", step, step, t->depth, step);
	open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", r, r, t->each_y, r);
	line(g, "for (int32_t %s = 0; %s < %d; %s++)", c, c, t->each_x, c);
	line(g, "\t%s[%s][%s] += %s * %s;", t->acc[0], r, c,
	     place_in_room(t, y, step, place_of(t, true, r)),
	     place_in_room(t, x, step, place_of(t, false, c)));
	s_close(g->c);
	s_close(g->c);
	line(g, "#endif");
}

static void steps_of_part(Gen *g, Tiling *t, const char *from, const char *n)
{
	open_brace(g, "if (%s + %d <= %s)", from, t->depth, n);
	do_steps(g, t, from, text("%d", t->depth));
	s_else(g->c);
	do_steps(g, t, from, text("(int32_t)(%s - %s)", n, from));
	s_close(g->c);
}

static void set_even(Gen *g, Tiling *t, const void *arg)
{
	const TileLoad *l = arg;
	const Exp *e = l->s->exp;
	int rank = e->index.idx.len;
	CExp *index = NEW_ARRAY(CExp, rank);
	Str even = {0};
	(void)t;
	// the first element, and the next ones along the other dimensions
	for (int first = 0; first < rank; first++) {
		for (int i = 0; i < rank; i++)
			index[i] = x_int(i == first && i != l->near_dim);
		str_printf(&even, "%srd_is_even(&%s)", first ? " && " : "",
		           x_text(element(g, sub_type(e->index.arr), index)));
	}
	settle_all(g);
	line(g, "%s = %s;", l->even, str_text(&even));
}

// Do all rows along the dimension of pairs begin at even places?  That does not depend on the tile.
static void declare_even(Gen *g, Tiling *t, TileLoad *l)
{
	Needed needed = {0};
	l->even = fresh_name(g, "even");
	line(g, "bool %s;", l->even);
	s_scope(g->c);
	show_as(g, t->k->nest.at[t->y]->exp->loop.i, x_int(0));
	show_as(g, t->k->nest.at[t->x]->exp->loop.i, x_int(0));
	need_exp(&needed, l->s->exp);
	need_nest(t, &needed);
	in_nest(g, t, 0, &needed, set_even, l);
	s_close(g->c);
}

static void declare_ahead(Gen *g, Tiling *t)
{
	t->inside = fresh_name(g, "inside");
	t->base = fresh_name(g, "base");
	line(g, "bool %s = %s + %d <= %s && %s + %d <= %s;", t->inside, t->y0, t->side_y,
	     size_of_loop(g, t, t->y), t->x0, t->side_x, size_of_loop(g, t, t->x));
	line(g, "RD_LOCAL char *%s = rd_shared;", t->base);
	for EACH(TileLoad, l, t->loads) {
		if (l->near_dim >= 0)
			declare_even(g, t, l);
		if (l->is_copy)
			continue;
		l->ahead = fresh_name(g, "ahead");
		line(g, "%s %s[%d];", elem_of(l), l->ahead,
		     t->depth * side_of(t, l->along_y) / t->threads);
	}
}

static void fold_in_tiles(Gen *g, Tiling *t)
{
	const Exp *e = t->fold->exp;
	const char *from = fresh_name(g, "from"), *next = fresh_name(g, "next"),
		   *n = x_text(loop_bound(g, e->loop.n));
	declare_ahead(g, t);
	open_brace(g, "for (int64_t %s = -%d; %s < %s; %s += %d)", from, t->depth, from, n, from,
	           t->depth);
	line(g, "int64_t %s = %s + %d;", next, from, t->depth);
	open_brace(g, "if (%s < %s)", next, n);
	fetch_all(g, t, false, next, n);
	s_close(g->c);
	open_brace(g, "if (%s >= 0)", from);
	steps_of_part(g, t, from, n);
	s_close(g->c);
	if (t->n_buffers == 2)
		line(g, "%s = %s == rd_shared ? rd_shared + %d : rd_shared;", t->base, t->base,
		     t->bytes);
	else
		line(g, "rd_barrier();");
	open_brace(g, "if (%s < %s)", next, n);
	put_all(g, t, next, n);
	s_close(g->c);
	line(g, "rd_barrier();");
	s_close(g->c);
}

// The part that begins at step `from` is in buffer `number`, or to be put there.
static void choose_buffer(Gen *g, const Tiling *t, const char *number)
{
	line(g, "%s = rd_shared + %s * %d;", t->base, number, t->bytes);
}

static void fetch_if_any(Gen *g, Tiling *t, bool copies, const char *condition, const char *from,
                         const char *n)
{
	bool any = false;
	for EACH(const TileLoad, l, t->loads)
		any |= l->is_copy == copies;
	if (!any)
		return;
	open_brace(g, "if (%s)", condition);
	fetch_all(g, t, copies, from, n);
	s_close(g->c);
}

// Copies are two parts ahead, what goes by way of registers one: see Note [Products].
static void product_in_tiles(Gen *g, Tiling *t)
{
	const char *from = fresh_name(g, "from"), *next = fresh_name(g, "next"),
		   *after = fresh_name(g, "after");
	const char *buffer = fresh_name(g, "buffer");
	const char *n = x_text(loop_bound(g, t->fold->exp->loop.n));
	const char *following = text("(%s + 1) %% 3", buffer),
		   *second = text("(%s + 2) %% 3", buffer);
	rts_use(g->rts, "kernel_matrix");
	declare_ahead(g, t);
	line(g, "int32_t %s = 1;", buffer);
	open_brace(g, "for (int64_t %s = -%d; %s < %s; %s += %d)", from, 2 * t->depth, from, n,
	           from, t->depth);
	line(g, "int64_t %s = %s + %d, %s = %s + %d;", next, from, t->depth, after, next, t->depth);
	open_brace(g, "if (%s >= 0)", from);
	line(g, "rd_wait_for_copies();");
	line(g, "rd_barrier();");
	s_close(g->c);
	choose_buffer(g, t, second);
	fetch_if_any(g, t, true, text("%s < %s", after, n), after, n);
	line(g, "rd_end_copies();");
	fetch_if_any(g, t, false, text("%s >= 0 && %s < %s", next, next, n), next, n);
	open_brace(g, "if (%s >= 0)", from);
	choose_buffer(g, t, buffer);
	do_product(g, t);
	s_close(g->c);
	choose_buffer(g, t, following);
	line(g, "%s = %s;", buffer, following);
	open_brace(g, "if (%s >= 0 && %s < %s)", next, next, n);
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

void gen_tiled_nest(Gen *g)
{
	Tiling *t = g->kernel->tiling;
	const Exp *e = t->fold->exp;
	t->row = fresh_name(g, "row");
	t->column = fresh_name(g, "column");
	t->ry = fresh_name(g, "ry");
	t->rx = fresh_name(g, "rx");
	t->acc = NEW_ARRAY(const char *, e->loop.params.len);
	t->values = NEW_ARRAY(const char *, t->loads.len);
	if (t->is_product)
		line(g,
		     "int32_t %s = rd_local_id() / %d * %d + rd_local_id() %% 32 / 4, "
		     "%s = rd_local_id() / 32 %% %d * %d + rd_local_id() %% 4 * 2;",
		     t->row, 32 * t->side_x / t->warp_x, t->warp_y, t->column,
		     t->side_x / t->warp_x, t->warp_x);
	else
		line(g, "int32_t %s = rd_local_id() / %d, %s = rd_local_id() %% %d;", t->row,
		     t->side_x / t->each_x, t->column, t->side_x / t->each_x);
	tile_indices(g, t);
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		t->acc[k] = fresh_name(g, vars[p.id].hint);
		line(g, "%s %s[%d][%d];", c_scalar_type(vars[p.id].type.elem), t->acc[k], t->each_y,
		     t->each_x);
	}
	Needed first = {0};
	Visit v = {.sub = need, .ctx = &first};
	for EACH(Sub, x, e->loop.inits)
		need(&v, x);
	need_nest(t, &first);
	open_each(g, t, &first);
	in_nest(g, t, 0, &first, first_values, NULL);
	close_each(g);
	for (Tiling *f = t; f; f = f->next) {
		if (f != t)
			take_names(f, t);
		if (f != t && f->is_product)
			line(g, "rd_barrier();");
		if (f->is_product)
			product_in_tiles(g, f);
		else
			fold_in_tiles(g, f);
	}
	t = last_fold(t);
	open_each(g, t, NULL);
	open_brace(g, "if (%s < %s && %s < %s)",
	           operand_text(g, sub_var(t->k->nest.at[t->y]->exp->loop.i)),
	           size_of_loop(g, t, t->y),
	           operand_text(g, sub_var(t->k->nest.at[t->x]->exp->loop.i)),
	           size_of_loop(g, t, t->x));
	in_nest(g, t, 0, NULL, last_statements, NULL);
	s_close(g->c);
	close_each(g);
}
