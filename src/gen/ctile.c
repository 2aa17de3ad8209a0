// Tiles two loops (register and cache blocking).
//
// A parallel loop that contains only another one, whose iterations are vector lanes (clanes.c),
// runs several rows at a time if the rows load the same values, so that each load serves all of
// them.  A matrix product has this form:
//
//     for i < n                               for (first = 0; first < n; first += 64)
//       for j < p                               for (j = 0; j < p; j += 8)
//         s = 0                                   for (from = 0; from < m; from = to)
//         for k < m                       ->        strip = b[from:to, j:j+8]
//           s = s + a[i, k] * b[k, j]               for (i = first; i < first + 64; i += 4)
//         c[i, j] = s                                 s0 ... s15 = 0, or as they were
//                                                     for (k = from; k < to; k++)
//                                                       s0 = s0 + a[i, k] * strip[k - from] ...
//                                                     c[i:i+4, j:j+8] = s0 ..., or save them
//
// The innermost loop is strip-mined, so that a strip of the values shared by all rows fits in the
// L1 cache and a block of rows in the L2 cache.  A strip is packed into contiguous memory, because
// at a stride of a large power of two only few of its elements could be in the cache at a time.
// The order of operations in each iteration of the two loops is unchanged.
#include "gen/cgen.h"

enum { VECTORS = 4, BLOCK = 64, PART_BYTES = 16384, MAX_STRIPS = 2 };

typedef struct {
	const Stm *outer, *inner;       // the loops
	const Stm *deepest;
	int at;                         // the statement of the outer body that is `inner`
	Lanes lanes;
	Map rates;                      // of what the outer loop binds, with its index
	VEC(const Stm *) strips;        // loads from strips
} Tiles;

// ---- Which loops ----

static bool is_bound_inside(const Tiles *t, Sub x)
{
	return has_rate(&t->rates, x);
}

// The loop that is all this body does, besides computing scalars; NULL: there is none.
static const Stm *only_loop(const Body *b)
{
	const Stm *found = NULL;
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_loop && !found)
			found = s;
		else if (!needs_no_code(s) && (found || !is_pure_scalar(s)))
			return NULL;
	}
	return found;
}

static const Stm *first_loop(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_loop)
			return s;
	return NULL;
}

// Does the place of a store not change with the outer index?
static bool stays(const Tiles *t, const Exp *e)
{
	Subs idx = {NEW_ARRAY(Sub, e->update.at.len), 0};
	for EACH(DimSlice, d, e->update.at)
		idx.at[idx.len++] = d->start;
	return rate_of_place(&t->rates, sub_type(e->update.arr), &idx) == STAYS;
}

// Notes how variables change with the outer index; does a load not change at all?  A store that
// does not is a reduction of rows: each row reads what the one before it left.
static bool shares_loads(Tiles *t, const Body *b, bool *reduces)
{
	bool shares = false;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_update && !needs_no_code(s))
			*reduces |= stays(t, e);
		if (e->form == E_loop) {
			set_rate(&t->rates, e->loop.i, STAYS);
			for EACH(Var, p, e->loop.params)
				set_rate(&t->rates, *p, OTHERWISE);
			shares |= shares_loads(t, &e->loop.body, reduces);
		} else if (is_pure_scalar(s)) {
			if (e->form == E_index) {
				Type type = sub_type(e->index.arr);
				shares |= rate_of_place(&t->rates, type, &e->index.idx) == STAYS;
			}
			set_rate(&t->rates, s->pat.at[0], rate_of_exp(&t->rates, e));
		}
	}
	return shares;
}

// Is the load b[.., k, .., j, ..] with anything else known outside, so that it can be done ahead?
static bool is_strip(const Tiles *t, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_index || sub_type(e->index.arr).elem != t->lanes.type)
		return false;
	Sub j = sub_var(t->inner->exp->loop.i), k = sub_var(t->deepest->exp->loop.i);
	Type type = sub_type(e->index.arr);
	bool has_j = false, has_k = false;
	for EACH(Sub, x, e->index.idx) {
		has_j |= sub_eq(*x, j);
		has_k |= sub_eq(*x, k);
		if (is_bound_inside(t, *x) && !sub_eq(*x, j) && !sub_eq(*x, k))
			return false;
	}
	for EACH(Sub, stride, type.mem->strides)
		if (is_bound_inside(t, *stride))
			return false;
	return has_j && has_k && !is_bound_inside(t, type.mem->offset) &&
	       rate_of_place(t->lanes.rates, type, &e->index.idx) == BY_ONE;
}

static bool find_tiles(Gen *g, const Stm *s, Tiles *t)
{
	if (g->counting || g->plain || g->rows.in_rows || g->rows.lane ||
	    has_attr(s->attrs, ATTR_EDGE) || !is_parallel(s))
		return false;
	*t = (Tiles){.outer = s, .inner = only_loop(&s->exp->loop.body)};
	if (!t->inner)
		return false;
	t->at = (int)(t->inner - s->exp->loop.body.stms.at);
	t->lanes = lanes_for(g, t->inner, false);
	t->deepest = first_loop(&t->inner->exp->loop.body);
	if (t->lanes.n_vectors > VECTORS)
		t->lanes.n_vectors = VECTORS;
	if (!t->lanes.n_vectors || t->lanes.n_params != 1 || t->lanes.n_folds ||
	    t->lanes.n_loops != 1)
		return false;
	set_rate(&t->rates, s->exp->loop.i, BY_ONE);
	bool reduces = false;
	if (!shares_loads(t, &s->exp->loop.body, &reduces) || reduces ||
	    is_bound_inside(t, t->inner->exp->loop.n) ||
	    is_bound_inside(t, t->deepest->exp->loop.n) ||
	    sub_type(t->deepest->exp->loop.n).elem != PT_I64)
		return false;
	for EACH(Stm, load, t->deepest->exp->loop.body.stms)
		if (t->strips.len < MAX_STRIPS && is_strip(t, load))
			VEC_PUSH(&t->strips, load);
	return true;
}

// ---- Text ----

static CExp saved_place(Gen *g)
{
	int row = g->rows.row / g->rows.n_vectors, v = g->rows.row % g->rows.n_vectors;
	const Tile *t = g->rows.tile;
	CExp at = x_quote("$1 - $2", t->i, t->first);
	CExp of_row =
		x_times(row ? x_plus(at, x_int(row)) : at, lanes_of_vectors(g, g->rows.n_vectors));
	return x_quote("&$1[$2]", t->saved,
	               v ? x_plus(of_row, lanes_of_vectors(g, v)) : of_row);
}

static Var carried(Gen *g, const Exp *e)
{
	for EACH(Var, p, e->loop.params)
		if (type_is_scalar(vars[p->id].type) && is_needed(g, *p))
			return *p;
	bug("nothing is carried through the tile");
}

void take_up(Gen *g, const Exp *e)
{
	const char *load = text("rd_load_%s", primtype_name[g->rows.vector]);
	rts_use(g->rts, load);
	quote(g->c, "if ($1 > 0)", g->rows.tile->from);
	for (g->rows.row = 0; g->rows.row < g->rows.n_rows; g->rows.row++)
		s_assign(g->c, shown(g, carried(g, e)), x_call(load, saved_place(g)));
	g->rows.row = 0;
	s_close(g->c);
}

void put_off(Gen *g, const Exp *e)
{
	const char *store = text("rd_store_%s", primtype_name[g->rows.vector]);
	rts_use(g->rts, store);
	s_if(g->c, x_less(x_name(g->rows.tile->to), g->rows.tile->all));
	for (g->rows.row = 0; g->rows.row < g->rows.n_rows; g->rows.row++)
		s_do(g->c, x_call(store, saved_place(g), shown(g, carried(g, e))));
	g->rows.row = 0;
	s_continue(g->c);
	s_close(g->c);
}

// Rows at a time: enough sums to fill the time that additions wait for each other, and no more than
// there are registers for.
static int rows_of(const Tiles *t)
{
	return t->lanes.n_vectors > 1 ? 4 : 8;
}

// `rows` rows from i on, of the lanes from j on.
static void write_tile(Gen *g, const Tiles *t, const Tile *tile, const char *j, int rows)
{
	const Body *outer_body = &t->outer->exp->loop.body;
	Outer outer = enter_body(g, outer_body);
	begin_vectors(g, t->lanes, rows);
	g->rows.tile = tile;
	g->rows.round++;
	g->rows.round_depth = g->c->depth;
	for (g->rows.row = 0; g->rows.row < g->rows.n_rows; g->rows.row++) {
		int row = g->rows.row / g->rows.n_vectors;
		CExp i = x_name(tile->i);
		show_as(g, t->outer->exp->loop.i, row ? x_plus(i, x_int(row)) : i);
		write_stms(g, outer_body, 0, t->at);
		settle_all(g);
	}
	g->rows.row = 0;
	vectors_of(g, t->inner->exp, j);
	g->rows.tile = NULL;
	end_vectors(g);
	leave_body(g, outer);
}

// Copies what all rows load in this part, if there are enough rows to make up for it; either way,
// strip[(k - from) * step] is where it is.
static void write_strip(Gen *g, const Tiles *t, const Tile *tile, const Stm *load, const char *j,
                        const char *last)
{
	const Exp *e = load->exp;
	Type type = sub_type(e->index.arr);
	const char *room = fresh_name(g, "room"), *strip = fresh_name(g, "strip");
	const char *step = fresh_name(g, "step"), *k = fresh_name(g, "k");
	const char *elem = c_scalar_type(t->lanes.type);
	CExp lanes = lanes_of_vectors(g, t->lanes.n_vectors), from = x_name(tile->from);
	CExp count = g->rows.left ? x_name(g->rows.left) : lanes;
	Sub inner = sub_var(t->inner->exp->loop.i);
	CExp *at = NEW_ARRAY(CExp, e->index.idx.len), *next = NEW_ARRAY(CExp, e->index.idx.len);
	CExp *each = NEW_ARRAY(CExp, e->index.idx.len);
	for (int i = 0; i < e->index.idx.len; i++) {
		Sub x = e->index.idx.at[i];
		bool deep = sub_eq(x, sub_var(t->deepest->exp->loop.i));
		at[i] = deep ? from : sub_eq(x, inner) ? x_name(j) : operand(g, x);
		next[i] = deep ? x_plus(from, x_int(1)) : at[i];
		each[i] = deep ? x_name(k) : at[i];
	}
	quote(g->c, "$1 $2[$3]; const $1 *$4 = &$5;", elem, room,
	      PART_BYTES / primtype_size(t->lanes.type), strip, element(g, type, at));
	quote(g->c, "int64_t $1 = $2 - ($3);", step, index_in_block(g, type, next),
	      index_in_block(g, type, at));
	quote(g->c, "if ($1 - $2 >= 16)", last, tile->first);
	quote(g->c, "for (int64_t $1 = $2; $1 < $3; $1++) memcpy(&$4[($1 - $2) * $5], &$6, $7);", k,
	      tile->from, tile->to, room, lanes, element(g, type, each),
	      x_quote("(size_t)$1 * sizeof($2)", count, x_const(elem)));
	quote(g->c, "$1 = $2; $3 = $4;", strip, room, step, lanes);
	s_close(g->c);
	map_put(&g->rows.strips, e, mem_dup(&(Strip){strip, step, tile->from}, sizeof(Strip)));
}

// All rows of a block, for the lanes from j on, a part of the innermost loop at a time.
static void write_lanes_of_block(Gen *g, Tiles *t, Tile *tile, const char *j, const char *last)
{
	const char *elem = c_scalar_type(t->lanes.type);
	int n = PART_BYTES / primtype_size(t->lanes.type);
	CExp lanes = lanes_of_vectors(g, t->lanes.n_vectors);
	CExp part = x_quote("$1 / $2", n, lanes);
	tile->saved = fresh_name(g, "saved");
	tile->from = fresh_name(g, "from");
	tile->to = fresh_name(g, "to");
	quote(g->c, "$1 $2[$3 * $4]; int64_t $5 = 0;", elem, tile->saved, BLOCK, lanes, tile->from);
	s_repeat(g->c);
	quote(g->c, "int64_t $1 = $2 - $3 < $4 ? $2 : $3 + $4;", tile->to, tile->all, tile->from,
	      part);
	for EACH(const Stm *, load, t->strips)
		write_strip(g, t, tile, *load, j, last);
	tile->i = fresh_name(g, vars[t->outer->exp->loop.i.id].hint);
	int rows = rows_of(t);
	s_declare(g->c, "int64_t", tile->i, x_name(tile->first));
	for_whole(g, tile->i, x_int(rows), x_name(last));
	write_tile(g, t, tile, j, rows);
	s_close(g->c);
	quote(g->c, "for (; $1 < $2; $1++)", tile->i, last);
	write_tile(g, t, tile, j, 1);
	s_close(g->c);
	quote(g->c, "$1 = $2;", tile->from, tile->to);
	ask_to_stop(g);
	s_until_not(g->c, x_quote("$1 < $2", tile->from, tile->all));
	g->rows.strips = (Map){0};
}

// The lanes that are left, one by one.
static void write_rest(Gen *g, const Tiles *t, const char *first, const char *last, const char *j,
                       CExp n)
{
	const Exp *e = t->outer->exp;
	const char *i = fresh_name(g, vars[e->loop.i.id].hint);
	bool before = g->plain;
	g->plain = true;
	CExp left = rest_is_left(g, j, n, t->lanes.in_part);
	quote(g->c, "for (int64_t $1 = $2; $1 < $3 && $4; $1++)", i, first, last, left);
	show_as(g, e->loop.i, x_name(i));
	Outer outer = enter_body(g, &e->loop.body);
	write_stms(g, &e->loop.body, 0, t->at);
	settle_all(g);
	const char *rest = fresh_name(g, vars[t->inner->exp->loop.i.id].hint);
	quote(g->c, "for (int64_t $1 = $2; $1 < $3; $1++)", rest, j, n);
	show_as(g, t->inner->exp->loop.i, x_name(rest));
	loop_body(g, t->inner->exp);
	s_close(g->c);
	leave_body(g, outer);
	s_close(g->c);
	g->plain = before;
}

bool gen_tiles(Gen *g, const Stm *s, CExp bound)
{
	Tiles t;
	if (!find_tiles(g, s, &t))
		return false;
	g->rows.vector = t.lanes.type;
	const Exp *inner = t.inner->exp;
	CExp n = loop_bound(g, inner->loop.n);
	Tile tile = {.all = loop_bound(g, t.deepest->exp->loop.n), .first = fresh_name(g, "first")};
	const char *last = fresh_name(g, "last"), *j = fresh_name(g, vars[inner->loop.i.id].hint);
	quote(g->c, "for (int64_t $1 = 0; $1 < $2; $1 += $3)", tile.first, bound, BLOCK);
	quote(g->c, "int64_t $1 = $2 - $3 < $4 ? $2 : $3 + $4, $5 = 0;", last, bound, tile.first,
	      BLOCK, j);
	t.lanes.in_part = ends_in_part(&t.lanes, inner);
	bool covers = may_run_twice(inner), only_few = covers && inner->loop.n.kind == S_CONST;
	for (bool once = false; !once; once = t.lanes.n_vectors == 1, t.lanes.n_vectors = 1) {
		CExp lanes = lanes_of_vectors(g, t.lanes.n_vectors);
		if (t.lanes.n_vectors == 1 && covers)
			for_covering(g, j, lanes, n, NULL);
		else
			for_whole(g, j, lanes, n);
		write_lanes_of_block(g, &t, &tile, j, last);
		s_close(g->c);
	}
	if (t.lanes.in_part) {
		begin_part(g, j, n);
		write_lanes_of_block(g, &t, &tile, j, last);
		end_part(g, inner, j, n);
	}
	if (only_few) // as rest_of_loop (clanes.c) has it
		s_if(g->c, x_less(n, lanes_of_vectors(g, 1)));
	write_rest(g, &t, tile.first, last, j, n);
	if (only_few)
		s_close(g->c);
	s_close(g->c);
	return true;
}
