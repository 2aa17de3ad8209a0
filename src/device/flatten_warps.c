// Rows that are gathered: a warp does each, however many there are.
//
//     map over m rows i:  let d = reduce over j < n of f x[a[i], j] x[b[i], j]
//                         in map over j < n of g d x[a[i], j]
// becomes
//     #[blocks] #[warp] loop .. for i < m do {
//       #[threads] let (d: f32) = loop (s: f32 = 0) for j: i64 < n do {.. call op (s, ..)}
//       #[threads] let (ys: [n]f32) = loop (o = ys0) for j: i64 < n do {..}
//       .. }
//
// With one thread per row, the threads of a warp load from 32 rows at a time, each from a cache
// line of its own, and nothing helps: the pass `coalesce` turns arrays whose rows are numbered by
// the threads, but where a row is data says where.  With one warp per row, neighbouring lanes load,
// store and add to neighbouring elements.
//
// What decides is counted per iteration of the inner combinators: loads and updates whose last
// index counts the lanes and whose row is loaded (`gathered`), against those that the threads of
// rows would do together and lanes would not (`columns`).  What does not depend on the row, and
// what lies in rows that threads number, counts neither way.
//
// Requires: statements that lanes share, or that all of them may do again.  It pays if rows have
// elements for half of a warp, not so many that blocks should share them, and if there are enough
// rows for all processors (few_rows does fewer).
#include "device/flatten_row.h"

// What an index depends on.
enum {
	BY_ROW = 1,             // the number of the row
	BY_LOAD = 2,            // what the row has loaded
	BY_LANE = 4,            // the counter of an inner combinator
	BY_LANES_LOAD = 8,      // what an iteration of that has loaded
	STRIDED = 16,           // an array whose elements do not lie together
};

typedef struct {
	Flatten *f;
	Map kinds;                              // set_levels: the bits of a variable
	int gathered, columns;
	bool fails;
	Sub least, most;                        // elements of the combinators that gather
} Gathers;

static uint64_t kind_of(Gathers *, Sub);

typedef struct { Gathers *g; uint64_t bits; } Union;

static void unite(Visit *v, Sub *x)
{
	Union *u = v->ctx;
	u->bits |= kind_of(u->g, *x);
}

static uint64_t kind_of_all(Gathers *g, const Exp *e)
{
	Union u = {g, 0};
	Visit v = {.sub = unite, .ctx = &u};
	exp_walk(e, &v);
	return u.bits;
}

static bool loads(const Stm *s)
{
	return !is_again_form(s->exp) || s->exp->form == E_index;
}

// Does it give a number that is computed from those which it mentions?
static bool is_computed(const Exp *e)
{
	return e->form == E_prim || e->form == E_atom || e->form == E_convert ||
	       (e->form == E_if_ && !body_find(&e->if_.yes, loads) &&
	        !body_find(&e->if_.no, loads));
}

// Of an array: on what it depends which part of another one it is.
static uint64_t kind_of_exp(Gathers *g, const Exp *e, Type t)
{
	uint64_t bits = kind_of_all(g, e);
	if (e->form == E_slice) {
		DimSlice last = e->slice.at.at[e->slice.at.len - 1];
		bits |= last.fixed || !is_int_const(last.step, 1) ? STRIDED : 0;
	}
	if (type_is_scalar(t))
		bits &= ~(uint64_t)STRIDED;
	if (!type_is_scalar(t) || is_computed(e))
		return bits;
	return bits | (bits & (BY_LANE | BY_LANES_LOAD) ? BY_LANES_LOAD : BY_LOAD);
}

static uint64_t kind_of(Gathers *g, Sub x)
{
	if (x.kind != S_VAR)
		return 0;
	if (map_has(&g->kinds, var_key(x.var)))
		return levels_of(&g->kinds, x);
	const Known *k = known_of(g->f, x);
	Type t = vars[x.var.id].type;
	if (!k)
		return 0;
	switch (k->kind) {
	case K_COUNTER:
		return BY_ROW;
	case K_ROW:
		return BY_ROW | kind_of(g, k->arr) |
		       (type_is_scalar(t) && !map_has(&g->f->counting, var_key(x.var))
		                ? BY_LOAD : 0);
	case K_SPREAD:
		return BY_ROW | (type_is_scalar(t) ? BY_LOAD : 0);
	case K_AGAIN:
		return kind_of_exp(g, k->stm->exp, t);
	case K_ACC: case K_DONE:
		return 0;
	}
	return 0;
}

static void note_stm(Gathers *g, const Stm *s)
{
	for EACH(Var, v, s->pat)
		set_levels(&g->kinds, *v, kind_of_exp(g, s->exp, vars[v->id].type));
}

// ---- Inner combinators ----

// An access at `idx` of what `of` says.
static void note_place(Gathers *g, uint64_t of, Subs idx, bool adds)
{
	uint64_t all = of, last = idx.len ? kind_of(g, idx.at[idx.len - 1]) : 0;
	for EACH(Sub, i, idx)
		all |= kind_of(g, *i);
	if (adds && (!(all & (BY_ROW | BY_LOAD | BY_LANES_LOAD)) ||
	             !(all & (BY_LANE | BY_LANES_LOAD))))
		g->fails = true; // at the same places in all rows, or in all lanes
	else if (all & BY_LANES_LOAD)
		; // anywhere, for threads and for lanes
	else if ((last & BY_LANE) && !(of & STRIDED))
		g->gathered += (all & BY_LOAD) != 0;
	else if (all & BY_LANE)
		g->columns++;
}

static void look_at_lanes(Gathers *g, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		switch (e->form) {
		case E_index:
			note_place(g, kind_of(g, e->index.arr), e->index.idx, false);
			break;
		case E_upd_acc:
			note_place(g, 0, e->upd_acc.idx, true);
			break;
		case E_if_:
			look_at_lanes(g, &e->if_.yes);
			look_at_lanes(g, &e->if_.no);
			break;
		default: // loads nothing, or more than one can say
			g->fails |= form_has(e->form, FORM_NEST) || form_has(e->form, FORM_FRESH);
			break;
		}
		note_stm(g, s);
	}
}

static void look_at_screma(Gathers *g, const Stm *s)
{
	const Exp *e = s->exp;
	int before = g->gathered;
	if (is_sequential(s) || e->screma.scans.len || !is_scalar_fold(e) ||
	    in_nest(g->f, e->screma.n)) {
		g->fails = true;
		return;
	}
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Sub a = e->screma.arrs.at[i], lane = sub_var(e->screma.map->params.at[i]);
		uint64_t of = kind_of(g, a);
		bool counts = map_has(&g->f->counting, var_key(lane.var));
		set_levels(&g->kinds, lane.var, counts ? BY_LANE : BY_LANE | BY_LANES_LOAD);
		if (sub_type(a).kind == T_ACC || counts)
			continue;
		if (sub_type(a).dims.len > 1 || is_turned(g->f, a) || (of & STRIDED))
			g->columns += of != 0;
		else
			g->gathered += (of & BY_LOAD) != 0;
	}
	look_at_lanes(g, &e->screma.map->body);
	if (g->gathered == before)
		return;
	Build *b = &g->f->b;
	Sub n = e->screma.n;
	g->least = before ? b_prim2(b, P_min, g->least, n) : n;
	g->most = before ? b_prim2(b, P_max, g->most, n) : n;
}

// ---- Rows ----

static bool is_nest(const Stm *s)
{
	return form_has(s->exp->form, FORM_NEST);
}

static void look_at_row(Gathers *g, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		bool choice = e->form == E_if_ && vars_are_scalars(s->pat) &&
		              !body_find(&e->if_.yes, is_nest) && !body_find(&e->if_.no, is_nest);
		if (e->form == E_screma)
			look_at_screma(g, s);
		else if (!choice && !is_again_form(e) && e->form != E_prim &&
		         e->form != E_upd_acc)
			g->fails = true;
		if (g->fails)
			return;
		note_stm(g, s);
	}
}

bool warp_rows(Flatten *f, Level *nest, const Body *b, Body *yes, Sub *cond)
{
	Gathers g = {.f = f};
	RowNeeds needs = {.in_place = true};
	if (nest->versions != V_BOTH || nest->is_part)
		return false;
	look_at_row(&g, b);
	if (g.fails || g.gathered <= g.columns)
		return false;
	Body row = renamed_row(f, *b);
	if (!block_of_row(f, &row, &needs))
		return false;
	Build *bb = &f->b;
	Sub wide = b_le(bb, sub_i64(threshold(AT_gathered_row)), g.least);
	Sub narrow = b_le(bb, g.most, sub_i64(threshold(AT_long_row)));
	Sub enough = emit_threshold(f, "warps", nest_size(f, nest), AT_warp_rows);
	*cond = suits_block(f, &needs, b_prim2(bb, P_and, b_prim2(bb, P_and, wide, narrow),
	                                       enough));
	if (cond->kind == S_CONST && !cond->val.u)
		return false;
	b_open(bb);
	*yes = b_close(bb, emit_whole_rows(f, nest, row, ATTR_WARP));
	return true;
}
