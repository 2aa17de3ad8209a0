// The pass `peel`: loop peeling.  The first and last iterations of a loop, in which clamped
// indices and conditions on the counter have other values than in the interior, become loops of
// their own.
//
//     loop .. for i: i64 < n do {               loop .. for i < min(n, 1) do {..}
//       let (h: i64) = sub.i64 i 1              loop .. for j < n - 2 do {
//       let (a: i64) = max.i64 0 h                let (i: i64) = add.i64 j 1
//       let (k: i64) = add.i64 i 1        ->      .. index xs [i - 1] .. index xs [i + 1] ..
//       let (b: i64) = min.i64 last k           }
//       .. index xs [a] .. index xs [b] ..      let (start: i64) = max.i64 1 (n - 1)
//     }          with last = n - 1              loop .. for j < n - start do {
//                                                 let (i: i64) = add.i64 j start ..
//                                               }
//
// The simplifier, which knows the ranges of counters, then resolves max, min and comparisons in
// the interior loop, which has almost all of the iterations; its accesses are consecutive and it
// has no branches.
//
// The counter may be multiplied by a small number, as where windows begin at every second element:
// 2 * i + 1 is beside n if the loop runs n / 2 times.
//
// Where a loop inside that runs a constant number of times slides a window along, i + k - 4 for
// k < 9, the interior is where all of the window is.
//
// Only small nests are peeled, by constant numbers of iterations.  If several loops of a nest are
// peeled, as for the borders of an image, the inner loops are not split in the first and last
// iterations of the outer ones: that makes five copies of the body for two loops instead of nine.
//
// Note [Rows of a chunk].  In a #[region], a loop covers a chunk of the rows, and conditions are
// on lo + i.  The number of its iterations that belong to the first or last rows is computed at
// run time; this pass itself resolves the conditions in the remaining ones, since the simplifier
// cannot:
//
//     loop .. for i < len do {                  let (f: i64) = 1 - lo, from 0 to len
//       let (r: i64) = add.i64 lo i             loop .. for i < f do {..}
//       if r == 0 then .. else ..         ->    loop .. for j < len - f do {
//     }                                           let (i: i64) = add.i64 j f
//                                                 .. else ..
//                                               }
//
// Loops are split in two at conditions on numbers that are known before them, see split_range.c.
//
// Requires: the pass `seq`.  Ensures nothing that other passes rely on.
#include "core/affine.h"
#include "loop/peel.h"

enum { MOST = 4, MAX_STMS = 60 };       // iterations peeled at either end; size of the body
enum { MOST_OF_WINDOW = 16 };           // ... where windows are
enum { MAX_NEST = 100 };                // of a nest, with the bodies inside

// A loop inside of the one that is looked at, which runs a constant number of times.
typedef struct Window { Var i; int64_t last; const struct Window *around; } Window;

typedef struct {
	const Exp **defs;                       // by variable, of those that this pass did not make
	uint32_t cap;
	bool in_region;
	Var chunk;                              // the counter of the region, if in one
	const Window *windows;                  // that are around
	bool high;                              // where x is largest in them, not smallest
} Peel;

// ---- What is peeled ----

// How x goes with a loop over i < n: as k * i + c, at least k * n + c, or c.
typedef struct { enum { NEITHER, COUNTER, COUNT, CONSTANT } of; int64_t c, k; } Place;

static const Exp *def_of(const void *ctx, Sub x)
{
	const Peel *p = ctx;
	return x.kind == S_VAR && x.var.id < p->cap ? p->defs[x.var.id] : NULL;
}

// n = x / k + c, with what x is; else n = x.
static Affine multiple_of(const Peel *p, Sub n, int64_t *k, int64_t *c)
{
	AffineDefs defs = {def_of, p};
	Affine all = affine_of(defs, n);
	bool one = !all.bad && all.n == 1 && all.t[0].k == 1 && term_is_var(&all.t[0]);
	const Exp *e = one ? def_of(p, sub_var(all.t[0].v[0])) : NULL;
	*k = 1;
	*c = 0;
	if (!e || e->form != E_prim || (e->prim.op != P_div && e->prim.op != P_quot) ||
	    e->prim.x[1].kind != S_CONST || e->prim.x[1].val.i < 1 || e->prim.x[1].val.i > MOST)
		return all;
	*k = e->prim.x[1].val.i;
	*c = all.c;
	return affine_of(defs, e->prim.x[0]);
}

static int64_t most_of(const Peel *p)
{
	return p->windows ? MOST_OF_WINDOW : MOST;
}

static bool is_near(const Affine *x, int64_t most)
{
	return !x->bad && !x->n && x->c >= -most && x->c <= most;
}

// x at one end of the windows around.
static Affine at_end(const Peel *p, Affine x)
{
	for (const Window *w = p->windows; w; w = w->around) {
		Affine times, rest;
		if (!affine_split(&x, w->i, &times, &rest) || times.bad || times.n)
			continue;
		Affine at = affine_const(p->high == (times.c > 0) ? w->last : 0);
		x = affine_replace(&x, w->i, &at);
	}
	return x;
}

static Place place_of(const Peel *p, const Exp *loop, Sub x)
{
	if (x.kind == S_CONST)
		return (Place){CONSTANT, x.val.i, 0};
	if (sub_eq(x, loop->loop.n))
		return (Place){COUNT, 0, 1};
	Affine all = at_end(p, affine_of((AffineDefs){def_of, p}, x)), times, rest;
	if (!affine_split(&all, loop->loop.i, &times, &rest))
		return (Place){NEITHER, 0, 0};
	if (is_near(&times, MOST) && times.c > 0 && is_near(&rest, most_of(p)))
		return (Place){COUNTER, rest.c, times.c};
	int64_t k, c;
	Affine of = multiple_of(p, loop->loop.n, &k, &c), past = affine_add(&all, &of, -1);
	// x - past >= k * (n - c)
	return is_near(&past, most_of(p)) ? (Place){COUNT, past.c - k * c, k}
	                                  : (Place){NEITHER, 0, 0};
}

// How many iterations at the beginning and at the end are not like those in the middle.
typedef struct { int64_t front, back; } Ends;

static void widen(int64_t *end, int64_t to, int64_t most)
{
	if (to > *end && to <= most)
		*end = to;
}

static int64_t floor_of(int64_t x, int64_t k)
{
	return x >= 0 ? x / k : -((k - 1 - x) / k);
}

// k * i + a compared with b: changes at i = (b - a) / k, and once more after it if it is an
// equality.
static void note_threshold(const Peel *p, Ends *ends, Place a, Place b, bool both_sides)
{
	if (a.of != COUNTER) {
		Place t = a;
		a = b;
		b = t;
	}
	if (a.of != COUNTER)
		return;
	if (b.of == CONSTANT)
		widen(&ends->front, -floor_of(a.c - b.c, a.k) + both_sides, most_of(p));
	else if (b.of == COUNT && a.k == b.k)
		widen(&ends->back, floor_of(a.c - b.c, a.k), most_of(p));
}

bool is_innermost_body(const Body *b, int most)
{
	if (b->stms.len > most)
		return false;
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_loop || s->exp->form == E_call || s->exp->form == E_trace)
			return false;
	return true;
}

// Which comparisons decide something: those that are conditions, and parts of such.
static void note_conditions(const Peel *p, const Exp *loop, Sub cond, Ends *ends)
{
	const Exp *e = def_of(p, cond);
	if (!e || e->form != E_prim)
		return;
	switch (e->prim.op) {
	case P_and: case P_or:
		note_conditions(p, loop, e->prim.x[0], ends);
		note_conditions(p, loop, e->prim.x[1], ends);
		return;
	case P_not:
		note_conditions(p, loop, e->prim.x[0], ends);
		return;
	case P_eq: case P_lt: case P_le: {
		if (e->prim.at != PT_I64)
			return;
		bool le = e->prim.op == P_le;
		Place a = place_of(p, loop, e->prim.x[0]), b = place_of(p, loop, e->prim.x[1]);
		// i + a <= b changes after i = b - a; b <= i + a changes at it.
		if (e->prim.op == P_eq)
			note_threshold(p, ends, a, b, true);
		else if (a.of == COUNTER)
			note_threshold(p, ends, a, (Place){b.of, b.c + le, b.k}, false);
		else
			note_threshold(p, ends, (Place){a.of, a.c + !le, a.k}, b, false);
		return;
	}
	default: // no comparison
		return;
	}
}

// Where both operands of min or max are equal, either will do.
static Place clamp_of(const Peel *p, const Exp *loop, Sub x)
{
	Place at = place_of(p, loop, x);
	return (Place){at.of, at.c + (at.of == COUNT), at.k};
}

static bool is_clamp(const Exp *e)
{
	return e->form == E_prim && e->prim.at == PT_I64 &&
	       (e->prim.op == P_max || e->prim.op == P_min);
}

// What is clamped at both ends, max 0 (min last x), changes where x passes either.
static void note_clamp(const Peel *p, const Exp *loop, Sub x, Sub y, Ends *ends)
{
	const Exp *e = def_of(p, y);
	if (!e || !is_clamp(e)) {
		note_threshold(p, ends, clamp_of(p, loop, x), clamp_of(p, loop, y), false);
		return;
	}
	for (int k = 0; k < 2; k++)
		note_threshold(p, ends, clamp_of(p, loop, x), clamp_of(p, loop, e->prim.x[k]),
		               false);
}

static void note_decisions(const Peel *p, const Exp *loop, const Body *b, Ends *ends)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_if_)
			note_conditions(p, loop, e->if_.cond, ends);
		for (int k = 0; is_clamp(e) && k < 2; k++)
			note_clamp(p, loop, e->prim.x[k], e->prim.x[1 - k], ends);
	}
}

static void note_ends(const Peel *p, const Exp *loop, const Body *b, Ends *ends)
{
	Peel high = *p;
	high.high = true;
	note_decisions(p, loop, b, ends);
	if (p->windows)
		note_decisions(&high, loop, b, ends);
	for EACH(Stm, s, b->stms) {
		if (s->exp->form != E_loop)
			continue;
		Sub n = s->exp->loop.n;
		Window w = {s->exp->loop.i, n.kind == S_CONST ? n.val.i - 1 : 0, p->windows};
		Peel inner = *p;
		if (!s->exp->loop.is_while && w.last > 0 && w.last <= 2 * MOST_OF_WINDOW)
			inner.windows = &w;
		note_ends(&inner, loop, &s->exp->loop.body, ends);
	}
}

static Ends ends_of(const Peel *p, const Exp *loop)
{
	Ends ends = {0, 0};
	note_ends(p, loop, &loop->loop.body, &ends);
	return ends;
}

// ---- Peeling ----

// The loop, as it is for its first or last iterations; windows may need many of those.
static Stm edge_of(const Stm *s, Ends ends)
{
	Stm edge = *s;
	if (ends.front <= MOST && ends.back <= MOST)
		edge.attrs = with_attr(s->attrs, ATTR_EDGE);
	return edge;
}

// `inner`: the same loop with those in it peeled.
static void peel_loop(StmVec *out, const Stm *s, const Stm *inner, Ends ends)
{
	Stm edge = edge_of(s, ends);
	Sub n = peel_count(out, s->exp->loop.n), front = sub_i64(ends.front);
	Subs inits = s->exp->loop.inits;
	if (ends.front) {
		Stm first = loop_copy(&edge);
		peel_run(out, first, inits, sub_i64(0), peel_compute(out, "n", P_min, n, front));
		inits = subs_of_vars(first.pat);
	}
	Stm middle = ends.back ? loop_copy(inner) : *inner;
	peel_run(out, middle, inits, front,
	         peel_compute(out, "n", P_sub, n, sub_i64(ends.front + ends.back)));
	if (!ends.back)
		return;
	Sub start = peel_compute(out, "start", P_max, front,
	                    peel_compute(out, "n", P_sub, n, sub_i64(ends.back)));
	peel_run(out, edge, subs_of_vars(middle.pat), start,
	         peel_compute(out, "n", P_sub, n, start));
}

// ---- Rows of a chunk ----

// What comparisons say of rows lo + i: their thresholds are `front` from 0, or `back` before `end`,
// which is a row or any other number.  Known besides: are there no rows before 0, and none from
// `end` on?
typedef struct { Sub lo, end; bool has_lo, has_end, from_zero, to_end; Ends ends; } Rows;

// x + c for a variable or constant x.
static Place offset_of(const Peel *p, Sub *x)
{
	if (x->kind == S_CONST)
		return (Place){CONSTANT, x->val.i, 0};
	const Exp *e = def_of(p, *x);
	if (!e || e->form != E_prim || (e->prim.op != P_add && e->prim.op != P_sub) ||
	    e->prim.x[1].kind != S_CONST || e->prim.x[0].kind != S_VAR ||
	    e->prim.x[1].val.i < -MOST || e->prim.x[1].val.i > MOST)
		return (Place){COUNT, 0, 1};
	*x = e->prim.x[0];
	return (Place){COUNT, e->prim.op == P_add ? e->prim.x[1].val.i : -e->prim.x[1].val.i,
	               1};
}

static bool note_same(Sub x, Sub *known, bool *has)
{
	if (!*has)
		*known = x;
	*has = true;
	return sub_eq(x, *known);
}

// How x goes with the rows: as lo + i + c, end + c or c.
static Place row_place(const Peel *p, const Exp *loop, Sub x, Rows *rows)
{
	Place at = offset_of(p, &x);
	if (at.of == CONSTANT)
		return at;
	const Exp *e = def_of(p, x);
	if (e && e->form == E_prim && e->prim.op == P_add && e->prim.at == PT_I64) {
		Sub i = sub_var(loop->loop.i), a = e->prim.x[0], b = e->prim.x[1];
		Sub lo = sub_eq(a, i) ? b : a;
		if ((sub_eq(a, i) || sub_eq(b, i)) && lo.kind == S_VAR && !loop_binds(loop, lo))
			return (Place){note_same(lo, &rows->lo, &rows->has_lo) ? COUNTER : NEITHER,
			               at.c, 1};
	}
	if (loop_binds(loop, x) || !note_same(x, &rows->end, &rows->has_end))
		return (Place){NEITHER, 0, 0};
	return at;
}

static bool is_decision(const Exp *e)
{
	return e->form == E_prim && e->prim.at == PT_I64 &&
	       (e->prim.op == P_eq || e->prim.op == P_lt || e->prim.op == P_le ||
	        e->prim.op == P_max || e->prim.op == P_min);
}

static const Exp *prim_def(const Peel *p, Sub x, Prim op)
{
	const Exp *e = def_of(p, x);
	return e && e->form == E_prim && e->prim.op == op && e->prim.at == PT_I64 ? e : NULL;
}

// lo = min (c * size) end and n = min size (end - lo) are rows from 0 to `end`; lo = max x 0 is not
// negative.
static void bound_rows(const Peel *p, const Exp *loop, Rows *rows)
{
	const Exp *low = prim_def(p, rows->lo, P_min), *most = prim_def(p, rows->lo, P_max);
	const Exp *n = prim_def(p, loop->loop.n, P_min);
	for (int k = 0; k < 2; k++) {
		Sub c = sub_var(p->chunk);
		const Exp *times = low ? prim_def(p, low->prim.x[k], P_mul) : NULL;
		if (most && most->prim.x[k].kind == S_CONST && most->prim.x[k].val.i >= 0)
			rows->from_zero = true;
		if (!times || !(sub_eq(times->prim.x[0], c) || sub_eq(times->prim.x[1], c)))
			continue;
		Sub end = low->prim.x[1 - k];
		rows->from_zero = true;
		for (int j = 0; n && j < 2; j++) {
			const Exp *rest = prim_def(p, n->prim.x[j], P_sub);
			rows->to_end |= rest && rows->has_end && sub_eq(end, rows->end) &&
			                sub_eq(rest->prim.x[0], end) &&
			                sub_eq(rest->prim.x[1], rows->lo);
		}
	}
}

// The rows of the middle, r + a with front <= r < end - back, beside b: what the operation gives.
// When that is not decided yet, how many more at the ends would do it.
static bool decide(const Exp *e, Place x, Place y, Rows *rows, Sub *out)
{
	Ends *ends = &rows->ends;
	bool left = x.of == COUNTER, high;
	Place r = left ? x : y, b = left ? y : x;
	if (r.of != COUNTER || (b.of != CONSTANT && b.of != COUNT))
		return false;
	bool eq = e->prim.op == P_eq, lt = e->prim.op == P_lt,
	     clamp = !eq && !lt && e->prim.op != P_le;
	// high: r + a is the larger one in the middle.  Where that has to be strictly so:
	bool strict = !clamp && (eq || (lt ? !left : left));
	if (b.of == CONSTANT) {
		widen(&ends->front, b.c - r.c + strict, MOST);
		high = ends->front >= b.c - r.c + strict;
		if (!high || (!ends->front && !rows->from_zero))
			return false;
	} else {
		strict = !clamp && (eq || (lt ? left : !left));
		widen(&ends->back, r.c - 1 - b.c + strict, MOST);
		if (ends->back < r.c - 1 - b.c + strict || (!ends->back && !rows->to_end))
			return false;
		high = false;
	}
	if (clamp) {
		bool takes_row = (e->prim.op == P_max) == high;
		*out = e->prim.x[takes_row == left ? 0 : 1];
	} else {
		*out = sub_bool(!eq && high != left);
	}
	return true;
}

static Rows rows_of(const Peel *p, const Exp *loop)
{
	Rows rows = {0};
	for EACH(Stm, s, loop->loop.body.stms) {
		Sub ignored;
		if (!is_decision(s->exp))
			continue;
		Place x = row_place(p, loop, s->exp->prim.x[0], &rows);
		Place y = row_place(p, loop, s->exp->prim.x[1], &rows);
		decide(s->exp, x, y, &rows, &ignored);
	}
	if (rows.has_lo)
		bound_rows(p, loop, &rows);
	else
		rows.ends = (Ends){0, 0};
	return rows;
}

// The loop of the middle, without what is decided there.
static Stm decided(const Peel *p, const Stm *s, Rows rows)
{
	Stm out = *s;
	Exp *e = out.exp = exp_dup(s->exp);
	e->loop.body.stms = SLICE_DUP(Stms, e->loop.body.stms);
	for EACH(Stm, t, e->loop.body.stms) {
		Rows after = rows;
		Sub known;
		if (!is_decision(t->exp))
			continue;
		Place x = row_place(p, s->exp, t->exp->prim.x[0], &rows);
		Place y = row_place(p, s->exp, t->exp->prim.x[1], &rows);
		if (decide(t->exp, x, y, &after, &known) && after.ends.front == rows.ends.front &&
		    after.ends.back == rows.ends.back)
			t->exp = EXP(atom, known);
	}
	return out;
}

static Sub clamped(StmVec *out, Sub x, Sub n)
{
	return peel_compute(out, "n", P_min, peel_compute(out, "n", P_max, x, sub_i64(0)), n);
}

static void peel_rows(const Peel *p, StmVec *out, const Stm *s, Rows rows)
{
	Sub n = s->exp->loop.n, front = sub_i64(0), until = n;
	Subs inits = s->exp->loop.inits;
	Stm edge = edge_of(s, rows.ends);
	if (rows.ends.front) {
		front = clamped(out, peel_compute(out, "n", P_sub, sub_i64(rows.ends.front),
		                                  rows.lo),
		                n);
		Stm first = loop_copy(&edge);
		peel_run(out, first, inits, sub_i64(0), front);
		inits = subs_of_vars(first.pat);
	}
	if (rows.ends.back) {
		Sub last = peel_compute(out, "n", P_sub, peel_count(out, rows.end),
		                        sub_i64(rows.ends.back));
		until = clamped(out, peel_compute(out, "n", P_sub, last, rows.lo), n);
		until = peel_compute(out, "n", P_max, until, front);
	}
	Stm middle = decided(p, s, rows);
	middle = rows.ends.back ? loop_copy(&middle) : middle;
	peel_run(out, middle, inits, front, peel_compute(out, "n", P_sub, until, front));
	if (rows.ends.back)
		peel_run(out, edge, subs_of_vars(middle.pat), until,
		         peel_compute(out, "n", P_sub, n, until));
}

// ---- Bodies ----

static bool decides(const Stm *s)
{
	return s->exp->form == E_if_ || is_clamp(s->exp) || is_decision(s->exp);
}

// A nest in which something is decided?
static bool fits(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || is_device_loop(s->attrs) ||
	    has_attr(s->attrs, ATTR_REGION) || sub_type(e->loop.n).elem != PT_I64 ||
	    e->loop.n.kind != S_VAR)
		return false;
	return (is_innermost_body(&e->loop.body, MAX_STMS) ||
	        size_of_nest(&e->loop.body, MAX_NEST) <= MAX_NEST) &&
	       body_find(&e->loop.body, decides);
}

static void peel_body(Visit *v, Body *b)
{
	Peel *p = v->ctx;
	StmVec out = {0};
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		bool around = p->in_region;
		Ends ends = {0, 0};
		Rows rows = {0};
		if (fits(&s)) {
			ends = ends_of(p, s.exp);
			if (p->in_region && !ends.front && !ends.back &&
			    is_innermost_body(&s.exp->loop.body, MAX_STMS))
				rows = rows_of(p, s.exp);
		}
		if (has_attr(s.attrs, ATTR_REGION)) {
			p->in_region = true;
			p->chunk = s.exp->loop.i;
		}
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		p->in_region = around;
		if ((ends.front || ends.back) && may_rewrite())
			peel_loop(&out, old, &s, ends);
		else if ((rows.ends.front || rows.ends.back) && may_rewrite())
			peel_rows(p, &out, &s, rows);
		else if (fits(old) && size_of_nest(&s.exp->loop.body, MAX_STMS) <= MAX_STMS &&
		         splits_range(s.exp) && may_rewrite())
			split_range(&out, &s);
		else
			VEC_PUSH(&out, s);
	}
	b->stms = VEC_SLICE(Stms, out);
}

static void note_defs(Visit *v, Body *b)
{
	Peel *p = v->ctx;
	for EACH(Stm, s, b->stms)
		for EACH(Var, x, s->pat)
			p->defs[x->id] = s->pat.len == 1 ? s->exp : NULL;
	body_visit(b, v);
}

Prog *peel(Prog *prog)
{
	Peel p = {.defs = NEW_TABLE(const Exp *, n_vars), .cap = n_vars};
	Visit v = {.body = peel_body, .copy = true, .ctx = &p};
	Visit note = {.body = note_defs, .ctx = &p};
	for EACH(Fun *, f, prog->funs)
		note_defs(&note, &(*f)->body);  // a walk: writes nothing
	prog = prog_rewrite_where(prog, fits, &v);
	table_free(p.defs);
	return prog;
}
