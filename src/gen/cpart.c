// What is left of a loop in vectors as one more vector, of which only some lanes count.
//
// Loops in vectors (clanes.c, cfold.c, ctile.c) end with iterations that fill no vector, and if
// there are fewer than a vector has lanes none do: the rows of a picture that is 14 wide, for
// vectors of 16.  They would run one by one, each with the loop that is inside:
//
//     for (; i < n; i++) {                      if (RD_MASKS && i < n) {
//       float s = 0;                              int64_t left = n - i;
//       for (k = 0; k < m; k++)                   rd_f32v s = 0;
//         s = s + a[k] * b[k * n + i];            for (k = 0; k < m; k++)
//       c[i] = s;                       ->          s = s + a[k] * load_part(&b[k * n + i], left);
//       t = t + s;                                store_part(&c[i], s, left);
//     }                                           t = select(first(left), t + s, t);
//                                                 i = n;
//                                               }
//
// Lanes beyond those compute with zeros; they load and store nothing and keep their partial
// results.  This is for processors that load and store some lanes of a vector by an instruction;
// for others RD_MASKS is 0, and the loop follows.  The C compiler has one of the two to work on.
// Loops over rows with few columns are such vectors from the start: Note [Few columns].
#include "gen/cgen.h"

#include "mem/mem.h"

// ---- Which loops ----

// Loads one by one (gathers) in a loop inside are done for few lanes as well by loops for each.
static bool suits_place(const Lanes *lanes, Type t, const Subs *idx, bool inside)
{
	if (lanes->arrays && map_has(&lanes->arrays->own, var_key(t.mem->block)))
		return true;
	int r = rate_of_place(lanes->rates, t, idx);
	bool adjacent = r == STAYS || r == BY_ONE || r == rate_by(2);
	return (adjacent || !inside || lanes->few) && (r == STAYS || is_float(t.elem));
}

static bool suits_body(const Lanes *, const Body *, bool inside);

static bool suits_stm(const Lanes *lanes, const Stm *s, bool inside)
{
	const Exp *e = s->exp;
	if (needs_no_code(s) || (lanes->arrays && map_has(&lanes->arrays->sums, e)))
		return true;
	if (is_lane_choice(lanes->rates, s)) // lanes that do not count would choose, too
		return false;
	for (int k = 0; k < n_branches(e); k++)
		if (!suits_body(lanes, branch_at(e, k), inside))
			return false;
	if (e->form == E_index)
		return suits_place(lanes, sub_type(e->index.arr), &e->index.idx, inside);
	if (e->form != E_update)
		return e->form != E_loop || suits_body(lanes, &e->loop.body, true);
	Subs idx = {NEW_ARRAY(Sub, e->update.at.len), 0};
	for EACH(DimSlice, d, e->update.at)
		idx.at[idx.len++] = d->start;
	return suits_place(lanes, sub_type(e->update.arr), &idx, inside);
}

static bool suits_body(const Lanes *lanes, const Body *b, bool inside)
{
	for EACH(Stm, s, b->stms)
		if (!suits_stm(lanes, s, inside))
			return false;
	return true;
}

static bool takes_long(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_loop || (e->form == E_prim && prim_is_function(e->prim.op));
}

// Are there such loops whose length is no multiple of a vector, nor one that covering vectors do?
static bool may_leave_some(const Lanes *lanes, const Exp *loop, bool covers)
{
	enum { WIDEST = 64 };           // bytes in a vector
	int most = WIDEST / primtype_size(lanes->type);
	Sub n = loop->loop.n;
	return n.kind != S_CONST || (n.val.i % most && !(covers && n.val.i >= most));
}

bool may_end_in_part(const Lanes *lanes, const Exp *loop)
{
	return lanes->n_vectors && may_leave_some(lanes, loop, may_run_twice(loop)) &&
	       suits_body(lanes, &loop->loop.body, false);
}

bool ends_in_part(const Lanes *lanes, const Exp *loop)
{
	return body_find(&loop->loop.body, takes_long) && may_end_in_part(lanes, loop);
}

// ---- Text ----

CExp has_masks(Gen *g)
{
	rts_use(g->rts, "masks");
	return x_const("RD_MASKS");
}

CExp rest_is_left(Gen *g, const char *i, CExp bound, bool in_part)
{
	CExp some = x_less(x_name(i), bound);
	if (!in_part)
		return some;
	return x_binary(x_unary("!", has_masks(g), PREC_ATOM), "&&", some, PREC_AND);
}

void begin_part(Gen *g, const char *i, CExp bound)
{
	s_if(g->c, x_binary(has_masks(g), "&&", x_less(x_name(i), bound), PREC_AND));
	g->rows.left = fresh_name(g, "left");
	s_declare(g->c, "int64_t", g->rows.left, x_binary(bound, "-", x_name(i), PREC_ADD));
}

void end_part(Gen *g, const Exp *loop, const char *i, CExp bound)
{
	g->rows.left = NULL;
	s_assign(g->c, x_name(i), bound);
	ask_around_loops(g, loop);
	s_close(g->c);
}

CExp lanes_that_count(Gen *g)
{
	const char *first = text("rd_first_%s", primtype_name[g->rows.vector]);
	rts_use(g->rts, first);
	return x_call(first, x_name(g->rows.left));
}

CExp added_by_lanes(Gen *g, CExp x)
{
	const char *t = primtype_name[g->rows.vector];
	const char *select = text("rd_select_%s", t), *splat = text("rd_splat_%s", t);
	rts_use(g->rts, select);
	rts_use(g->rts, splat);
	CExp none = x_call(splat, c_scalar(scalar_float(g->rows.vector, -0.0)));
	return x_call(select, lanes_that_count(g), x, none);
}

// Note [Few columns].  Points in space are rows of two or three numbers, though the program does
// not say so.  Loops over these are no work for vectors, and each takes longer to begin and to end:
//
//     for i < n                                 if (RD_MASKS && m <= 4) {
//       s = 0                                     for (i = 0; i < n; i += 8) {
//       for k < m                                   left = n - i; s = 0;
//         s = s + a[k] * b[i, k]         ->         for (k = 0; k < m; k++)
//       t = min t s                                   s += a[k] * gather_part(&b[i, k], m, left);
//                                                   t = select(first(left), min(t, s), t);
//                                                 }
//                                               } else the loop as it was
bool gen_few_columns(Gen *g, const Stm *s, CExp bound)
{
	enum { FEW = 4 };
	const Exp *e = s->exp;
	Lanes lanes = g->target == ON_CPU ? lanes_if_few(g, s) : (Lanes){0};
	if (!lanes.n_vectors || !suits_body(&lanes, &e->loop.body, false))
		return false;
	CExp few = x_binary(has_masks(g), "&&", x_less(x_int(1), bound), PREC_AND);
	for EACH(Sub, n, *lanes.few)
		few = x_binary(few, "&&",
		               x_binary(operand(g, *n), "<=", x_int(FEW), PREC_COMPARE), PREC_AND);
	s_if(g->c, few);
	g->rows.vector = lanes.type;
	const char *i = bind_name(g, e->loop.i);
	s_declare(g->c, "int64_t", i, x_int(0));
	parts_of_vectors(g, e, i, bound, &lanes);
	s_else(g->c);
	return true;
}
