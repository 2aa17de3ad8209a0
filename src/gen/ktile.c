// Tiles of kernels: threads that load the same share what they load.
//
// A kernel that is a nest of loops around a sequential one, in which no load depends on both of
// two of the nest's indices: a product of matrices, say.  What is computed from loads along one of the
// two alone is shared as well: of (x[i, k] - m[k]) * b[k, j] the difference.
//
//     #[kernel] loop ... for i < n do               block (ti, tj):
//       #[kernel] loop ... for j < m do {             acc[4][4] = 0
//         loop (s = 0) for k < p do {                 for (from = 0; from < p; from += 16) {
//           s + a[i, k] * b[k, j]              ->       all threads load 16 columns of the 64 rows of a
//         }                                             and 16 rows of the 64 columns of b
//         out with [i, j] = s                           each thread does 16 steps of 4 x 4 iterations
//       }                                             }
//                                                     out[i, j] = acc[..][..], if they are within
//
// The order of operations in each iteration stays as it is.  Other loops of the nest stay as they
// are: each of their iterations has tiles of its own.
//
// There are up to two such versions of a kernel beside the plain one, with 4 x 4 and 8 x 8
// iterations to a thread.  Which one is started is decided by the sizes (klaunch.c): see `tiles_pay`.
//
// Note [Ends of tiles].  Indices are kept within the loops' bounds when something is loaded, so
// what is computed past the ends is not stored, but never fails.  Kernels with assertions have no tiles.
#include "gen/kgen.h"

enum { SIDE = 16, DEPTH = 16, MAX_LOADS = 6, MAX_SHARED = 48 << 10 };

// What a value depends on.
enum { ON_Y = 1, ON_X = 2, ON_STEP = 4, ON_PARAMS = 8, ON_LOADS = 16 };

// A load, or what is computed from loads.  at: in shared memory, bytes
typedef struct { const Stm *s; bool along_y, steps_are_near; int at; } TileLoad;

struct Tiling {
	const Kernel *k;
	int y, x;                       // which loops of the nest
	int each;                       // a thread has each x each iterations
	int near;                       // so many of those follow on each other: see `place_of`
	int fold_at;                    // the statement of the innermost body that is the fold
	const Stm *fold;
	Map depends;                    // variable -> mask + 1
	VEC(TileLoad) loads;
	int bytes;                      // of shared memory
	// Names.
	const char *row, *column, *y0, *x0, *ry, *rx, *step;
	const char **acc;
	const char **values;            // of loads, in registers
};

// ---- What depends on what ----

static int mask_of(const Tiling *t, Sub x)
{
	uintptr_t m = x.kind == S_VAR ? (uintptr_t)map_get(&t->depends, var_key(x.var)) : 0;
	return m ? (int)m - 1 : 0;
}

static void set_mask(Tiling *t, Var v, int mask)
{
	map_put(&t->depends, var_key(v), (void *)(uintptr_t)(mask + 1));
}

static int mask_of_place(const Tiling *t, Type type)
{
	int mask = mask_of(t, type.mem->offset);
	for EACH(Sub, d, type.dims)
		mask |= mask_of(t, *d);
	for EACH(Sub, s, type.mem->strides)
		mask |= mask_of(t, *s);
	return mask;
}

typedef struct { const Tiling *t; int mask; } Union;

static void add_operand(Visit *v, Sub *x)
{
	Union *u = v->ctx;
	u->mask |= mask_of(u->t, *x);
	if (x->kind == S_VAR && vars[x->var.id].type.mem)
		u->mask |= mask_of_place(u->t, vars[x->var.id].type);
}

static int mask_of_exp(const Tiling *t, const Exp *e)
{
	Union u = {t, 0};
	Visit v = {.sub = add_operand, .ctx = &u};
	exp_visit((Exp *)e, &v); // a walk: writes nothing
	return u.mask;
}

static void note_mask(Tiling *t, const Stm *s)
{
	int mask = mask_of_exp(t, s->exp);
	if (s->exp->form == E_index)
		mask |= ON_LOADS;
	for EACH(Var, v, s->pat)
		set_mask(t, *v, mask);
}

// ---- Which kernels ----

static bool is_simple(const Stm *s)
{
	return is_pure_scalar(s) || needs_no_code(s);
}

static bool is_end(const Stm *s)
{
	return is_simple(s) || (s->exp->form == E_update && type_is_scalar(sub_type(s->exp->update.val))) ||
	       (s->exp->form == E_loop && has_attr(s->attrs, ATTR_ATOMIC));
}

static bool is_fold(const Kernel *k, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || !e->loop.params.len || has_attr(s->attrs, ATTR_ATOMIC) ||
	    !is_known_before(k, e->loop.n))
		return false;
	for EACH(Var, p, e->loop.params)
		if (!type_is_scalar(vars[p->id].type))
			return false;
	for EACH(Stm, inner, e->loop.body.stms)
		if (!is_simple(inner))
			return false;
	return true;
}

// The nest, the fold and what comes after it are of the kind described above.
static bool has_shape(Tiling *t)
{
	const Kernel *k = t->k;
	int last = k->nest.len - 1;
	for (int d = 0; d < last; d++)
		for EACH(Stm, s, k->nest.at[d]->exp->loop.body.stms)
			if (s != k->nest.at[d + 1] && !is_simple(s))
				return false;
	const Body *b = &k->nest.at[last]->exp->loop.body;
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (!t->fold && is_fold(k, s)) {
			t->fold = s;
			t->fold_at = i;
		} else if (t->fold ? !is_end(s) : !is_simple(s)) {
			return false;
		}
	}
	return t->fold && !k->of_blocks && !k->blocks.len;
}

// Is the index along `v` the innermost of a row-major array, so that neighbours in it are neighbours
// in memory?
static bool is_near(const Exp *load, Var v)
{
	Type type = sub_type(load->index.arr);
	Sub last = load->index.idx.at[load->index.idx.len - 1];
	if (type.mem->strides.len)
		for (int i = 0; i < type.dims.len; i++)
			if (sub_eq(type.mem->strides.at[i], sub_i64(1)))
				last = load->index.idx.at[i];
	return sub_eq(last, sub_var(v));
}

static bool is_along_one(int mask)
{
	return !(mask & ON_Y) != !(mask & ON_X);
}

// May it be shared: does it change with the steps, and with one of the two indices?
static bool may_share(const Tiling *t, const Stm *s)
{
	int mask = s->pat.len == 1 ? mask_of(t, sub_var(s->pat.at[0])) : 0;
	return is_along_one(mask) && mask & ON_STEP && mask & ON_LOADS && !(mask & ON_PARAMS);
}

typedef struct { Var x; bool found; } Reader;

static void look_for_use(Visit *v, Sub *x)
{
	Reader *u = v->ctx;
	u->found |= x->kind == S_VAR && x->var.id == u->x.id;
}

// Does something use it that is not shared itself?
static bool is_used_by_steps(const Tiling *t, Var x)
{
	const Body *b = &t->fold->exp->loop.body;
	Reader u = {x, false};
	Visit v = {.sub = look_for_use, .ctx = &u};
	for EACH(Sub, r, b->res)
		look_for_use(&v, r);
	for EACH(Stm, s, b->stms)
		if (!may_share(t, s))
			exp_visit(s->exp, &v); // a walk: writes nothing
	return u.found;
}

// Do neighbouring steps load neighbouring elements, of what changes with the index?
static bool steps_are_near(const Tiling *t, const Stm *value);

static bool note_load(Tiling *t, const Stm *s)
{
	PrimType type = vars[s->pat.at[0].id].type.elem;
	int size = primtype_size(type), side = SIDE * t->each + 16 / size;
	TileLoad l = {s, mask_of(t, sub_var(s->pat.at[0])) & ON_Y, steps_are_near(t, s), t->bytes};
	t->bytes += (DEPTH * side * size + 15) & ~15;
	VEC_PUSH(&t->loads, l);
	return t->loads.len <= MAX_LOADS && t->bytes <= MAX_SHARED && type != PT_F16 && type != PT_BOOL;
}

static bool finds_loads(Tiling *t)
{
	const Kernel *k = t->k;
	bool along[2] = {false, false};
	for (int d = 0; d < k->nest.len; d++) {
		set_mask(t, k->nest.at[d]->exp->loop.i, d == t->y ? ON_Y : d == t->x ? ON_X : 0);
		for EACH(Stm, s, k->nest.at[d]->exp->loop.body.stms)
			if (is_simple(s) && (d < k->nest.len - 1 || s < t->fold))
				note_mask(t, s);
	}
	const Exp *e = t->fold->exp;
	set_mask(t, e->loop.i, ON_STEP);
	for EACH(Var, p, e->loop.params)
		set_mask(t, *p, ON_PARAMS);
	for EACH(Stm, s, e->loop.body.stms) {
		int mask = mask_of_exp(t, s->exp);
		if (s->exp->form == E_index && (mask & (ON_Y | ON_X)) && mask & (ON_PARAMS | ON_LOADS))
			return false;
		note_mask(t, s);
	}
	for EACH(Stm, s, e->loop.body.stms)
		if (may_share(t, s) && is_used_by_steps(t, s->pat.at[0]) && !note_load(t, s))
			return false;
	for EACH(const TileLoad, l, t->loads)
		along[l->along_y] = true;
	return along[0] && along[1];
}

static bool has_no_costly_values(const Tiling *t);

static Tiling *tiling_for(const Kernel *k, int y, int x, int each)
{
	Tiling *t = NEW(Tiling, .k = k, .y = y, .x = x, .each = each);
	return has_shape(t) && finds_loads(t) && has_no_costly_values(t) ? t : NULL;
}

Tiling *tiling_of(const Kernel *k, int each)
{
	for (int x = k->nest.len - 1; x > 0; x--)
		for (int y = x - 1; y >= 0; y--) {
			Tiling *t = tiling_for(k, y, x, each);
			if (!t)
				continue;
			int bytes = 0, largest = 1;
			for EACH(Var, p, t->fold->exp->loop.params)
				bytes += primtype_size(vars[p->id].type.elem);
			for EACH(const TileLoad, l, t->loads) {
				int size = primtype_size(vars[l->s->pat.at[0].id].type.elem);
				largest = size > largest ? size : largest;
			}
			t->near = 16 / largest < each ? 16 / largest : each;
			return bytes * each * each <= 256 ? t : NULL;
		}
	return NULL;
}

// ---- Statements before the fold that something needs ----

typedef struct { Map set; } Needed;

static void need(Visit *v, Sub *x)
{
	Needed *n = v->ctx;
	if (x->kind != S_VAR || map_has(&n->set, var_key(x->var)))
		return;
	map_put(&n->set, var_key(x->var), n);
	Type t = vars[x->var.id].type;
	if (!t.mem)
		return;
	need(v, (Sub *)&t.mem->offset);
	for EACH(Sub, s, t.mem->strides)
		need(v, s);
	for EACH(Sub, d, t.dims)
		need(v, d);
}

static void need_exp(Needed *n, const Exp *e)
{
	Visit v = {.sub = need, .ctx = n};
	exp_visit((Exp *)e, &v); // a walk: writes nothing
}

static bool is_needed_stm(const Needed *n, const Stm *s)
{
	for EACH(Var, v, s->pat)
		if (map_has(&n->set, var_key(*v)))
			return true;
	return false;
}

static void need_before(Needed *n, const Stm *stms, int len)
{
	for (int i = len; i-- > 0; )
		if (is_simple(&stms[i]) && is_needed_stm(n, &stms[i]))
			need_exp(n, stms[i].exp);
}

// Closes the set over the statements of the nest.
static void need_nest(const Tiling *t, Needed *n)
{
	for (int d = t->k->nest.len; d-- > 0; ) {
		Stms stms = t->k->nest.at[d]->exp->loop.body.stms;
		need_before(n, stms.at, d == t->k->nest.len - 1 ? t->fold_at : stms.len);
	}
}

static bool is_tile_load(const Tiling *t, const Stm *s)
{
	for EACH(const TileLoad, l, t->loads)
		if (l->s == s)
			return true;
	return false;
}

// What the steps of the fold need, besides the loads that are shared.
static Needed needed_by_steps(const Tiling *t)
{
	const Body *b = &t->fold->exp->loop.body;
	Needed n = {0};
	Visit v = {.sub = need, .ctx = &n};
	for EACH(Sub, r, b->res)
		need(&v, r);
	for (int i = b->stms.len; i-- > 0; )
		if (is_needed_stm(&n, &b->stms.at[i]) && !is_tile_load(t, &b->stms.at[i]))
			need_exp(&n, b->stms.at[i].exp);
	need_nest(t, &n);
	return n;
}

static bool steps_are_near(const Tiling *t, const Stm *value)
{
	const Body *b = &t->fold->exp->loop.body;
	Needed n = {0};
	need_exp(&n, value->exp);
	need_before(&n, b->stms.at, (int)(value - b->stms.at));
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_index && (s == value || (s < value && is_needed_stm(&n, s))) &&
		    is_along_one(mask_of(t, sub_var(s->pat.at[0]))) && !is_near(s->exp, t->fold->exp->loop.i))
			return false;
	return true;
}

// Values from before the fold are computed again in each step: loads that differ from thread to
// thread would be done as often.  So would those of the steps that are not shared.
static bool has_no_costly_values(const Tiling *t)
{
	Needed n = needed_by_steps(t);
	for (int d = 0; d < t->k->nest.len; d++)
		for EACH(Stm, s, t->k->nest.at[d]->exp->loop.body.stms) {
			int mask = s == t->fold || !is_needed_stm(&n, s) ? 0 : mask_of(t, sub_var(s->pat.at[0]));
			if (mask & ON_LOADS && mask & (ON_Y | ON_X))
				return false;
		}
	for EACH(Stm, s, t->fold->exp->loop.body.stms)
		if (s->exp->form == E_index && !is_tile_load(t, s) && is_needed_stm(&n, s) &&
		    mask_of(t, sub_var(s->pat.at[0])) & (ON_Y | ON_X))
			return false;
	return true;
}

// ---- Text ----

typedef void Inner(Gen *, Tiling *, const void *arg);

// The statements of the nest before the fold (those needed, if not all), and what comes then.
static void in_nest(Gen *g, Tiling *t, int depth, const Needed *needed, Inner *inner, const void *arg)
{
	const Kernel *k = t->k;
	const Exp *e = k->nest.at[depth]->exp;
	bool last = depth == k->nest.len - 1;
	Outer outer = enter_body(g, &e->loop.body);
	for EACH(Var, p, e->loop.params)
		if (vars[p->id].type.mem) {
			place_hint(g, *p);
			note_sizes(g, vars[p->id].type);
		}
	int n = last ? t->fold_at : e->loop.body.stms.len;
	for (int i = 0; i < n; i++) {
		const Stm *s = &e->loop.body.stms.at[i];
		if ((last || s != k->nest.at[depth + 1]) && (!needed || is_needed_stm(needed, s)))
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
	return c_paren(operand(g, t->k->nest.at[d]->exp->loop.n), PREC_ATOM);
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

// Where in the tile iteration r of a thread is.  What one instruction loads, 16 bytes, lies together,
// and next to it what the neighbouring thread loads then.
static const char *place_of(const Tiling *t, const char *thread, const char *r)
{
	if (t->near == 1)
		return text("%s * %d + %s", r, SIDE, thread);
	if (t->near == t->each)
		return text("%s * %d + %s", thread, t->near, r);
	return text("%s / %d * %d + %s * %d + %s %% %d", r, t->near, SIDE * t->near, thread, t->near, r, t->near);
}

// The loops over the iterations of one thread.
// `needed`: by what comes inside; NULL: everything is, and indices may be past the ends.
static void open_each(Gen *g, Tiling *t, const Needed *needed)
{
	line(g, "#pragma unroll");
	open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", t->ry, t->ry, t->each, t->ry);
	line(g, "#pragma unroll");
	open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", t->rx, t->rx, t->each, t->rx);
	const char *y = text("%s + %s", t->y0, place_of(t, t->row, t->ry));
	const char *x = text("%s + %s", t->x0, place_of(t, t->column, t->rx));
	const int depths[] = {t->y, t->x};
	const char *const at[] = {y, x};
	for (int i = 0; i < 2; i++)
		if (!needed || map_has(&needed->set, var_key(t->k->nest.at[depths[i]]->exp->loop.i)))
			bind_index(g, t, depths[i], needed ? within(g, t, depths[i], at[i]) : at[i]);
}

static void close_each(Gen *g)
{
	close_brace(g);
	close_brace(g);
}

// The indices of the tile and of the other loops of the nest.
static void tile_indices(Gen *g, Tiling *t)
{
	int tile = SIDE * t->each;
	const char *id = "rd_block_id()";
	for (int d = t->k->nest.len; d-- > 0; ) {
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
	return c_scalar_type(vars[l->s->pat.at[0].id].type.elem);
}

static int stride_of(const Tiling *t, const TileLoad *l)
{
	return SIDE * t->each + 16 / primtype_size(vars[l->s->pat.at[0].id].type.elem);
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
		value = element(g, sub_type(e->index.arr), index).text;
	} else {
		gen_stm(g, l->s);
		value = operand(g, sub_var(l->s->pat.at[0])).text;
	}
	settle_all(g);
	line(g, "((RD_LOCAL %s *)(rd_shared + %d))[%s * %d + %s] = %s;", elem_of(l), l->at, t->step,
	     stride_of(t, l), l->along_y ? t->ry : t->rx, value);
	leave_body(g, outer);
}

static void load_tile(Gen *g, Tiling *t, const TileLoad *l, const char *from)
{
	int tile = SIDE * t->each, d = l->along_y ? t->y : t->x;
	const char *e = fresh_name(g, "e"), *step = fresh_name(g, "step"), *side = fresh_name(g, "side");
	const char *u = fresh_name(g, "u");
	const Exp *fold = t->fold->exp;
	const char *n = c_paren(operand(g, fold->loop.n), PREC_ATOM);
	line(g, "#pragma unroll");
	open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", u, u, DEPTH * tile / (SIDE * SIDE), u);
	line(g, "int32_t %s = rd_local_id() + %d * %s;", e, SIDE * SIDE, u);
	const char *near = l->steps_are_near ? step : side, *far = l->steps_are_near ? side : step;
	line(g, "int32_t %s = %s %% %d, %s = %s / %d;", near, e, l->steps_are_near ? DEPTH : tile, far, e,
	     l->steps_are_near ? DEPTH : tile);
	const char *type = c_scalar_type(sub_type(fold->loop.n).elem);
	const char *i = bind_name(g, fold->loop.i);
	line(g, "%s %s = %s + %s < %s ? %s + %s : %s - 1;", type, i, from, step, n, from, step, n);
	state_of(g, fold->loop.i)->small = 1;
	bind_index(g, t, d, within(g, t, d, text("%s + %s", l->along_y ? t->y0 : t->x0, side)));
	// Nothing that is needed depends on the other index.
	show_as(g, t->k->nest.at[l->along_y ? t->x : t->y]->exp->loop.i, c_atom("0"));
	Tiling names = *t;
	names.step = step;
	names.ry = names.rx = side;
	Needed needed = {0};
	need_exp(&needed, l->s->exp);
	need_before(&needed, fold->loop.body.stms.at, (int)(l->s - fold->loop.body.stms.at));
	need_nest(t, &needed);
	in_nest(g, &names, 0, &needed, load_one, l);
	close_brace(g);
}

static void first_values(Gen *g, Tiling *t, const void *arg)
{
	const Exp *e = t->fold->exp;
	(void)arg;
	for (int k = 0; k < e->loop.params.len; k++)
		line(g, "%s[%s][%s] = %s;", t->acc[k], t->ry, t->rx,
		     result_of(g, e->loop.params.at[k], e->loop.inits.at[k]).text);
}

static void one_step(Gen *g, Tiling *t, const void *arg)
{
	const Exp *e = t->fold->exp;
	const Needed *needed = arg;
	Outer outer = enter_body(g, &e->loop.body);
	for (int k = 0; k < e->loop.params.len; k++)
		show_as(g, e->loop.params.at[k], c_atom(text("%s[%s][%s]", t->acc[k], t->ry, t->rx)));
	for EACH(Stm, s, e->loop.body.stms) {
		if (!is_tile_load(t, s)) {
			if (is_needed_stm(needed, s))
				gen_stm(g, s);
			continue;
		}
		for (int i = 0; i < t->loads.len; i++)
			if (t->loads.at[i].s == s)
				show_as(g, s->pat.at[0], c_atom(text("%s[%s]", t->values[i],
					t->loads.at[i].along_y ? t->ry : t->rx)));
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
		line(g, "#pragma unroll");
	open_brace(g, "for (int32_t %s = 0; %s < %s; %s++)", step, step, n_steps, step);
	Needed needed = needed_by_steps(t);
	if (map_has(&needed.set, var_key(e->loop.i))) {
		const char *type = c_scalar_type(sub_type(e->loop.n).elem), *i = bind_name(g, e->loop.i);
		line(g, "%s %s = %s + %s;", type, i, from, step);
		state_of(g, e->loop.i)->small = 1;
	}
	for (int k = 0; k < t->loads.len; k++) {
		const TileLoad *l = &t->loads.at[k];
		t->values[k] = fresh_name(g, "values");
		line(g, "%s %s[%d];", elem_of(l), t->values[k], t->each);
		line(g, "#pragma unroll");
		line(g, "for (int32_t %s = 0; %s < %d; %s++)", r, r, t->each, r);
		line(g, "\t%s[%s] = ((RD_LOCAL %s *)(rd_shared + %d))[%s * %d + %s];", t->values[k], r,
		     elem_of(l), l->at, step, stride_of(t, l),
		     place_of(t, l->along_y ? t->row : t->column, r));
	}
	open_each(g, t, &needed);
	in_nest(g, t, 0, &needed, one_step, &needed);
	close_each(g);
	close_brace(g);
}

static void last_statements(Gen *g, Tiling *t, const void *arg)
{
	const Exp *e = t->fold->exp;
	Stms stms = t->k->nest.at[t->k->nest.len - 1]->exp->loop.body.stms;
	(void)arg;
	for (int k = 0; k < e->loop.params.len; k++)
		show_as(g, e->loop.params.at[k], c_atom(text("%s[%s][%s]", t->acc[k], t->ry, t->rx)));
	bind_results(g, t->fold);
	for (int i = t->fold_at + 1; i < stms.len; i++)
		gen_stm(g, &stms.at[i]);
	settle_all(g);
}

static void fold_in_tiles(Gen *g, Tiling *t)
{
	const Exp *e = t->fold->exp;
	const char *from = fresh_name(g, "from"), *n = loop_bound(g, e->loop.n);
	open_brace(g, "for (int64_t %s = 0; %s < %s; %s += %d)", from, from, n, from, DEPTH);
	for EACH(const TileLoad, l, t->loads)
		load_tile(g, t, l, from);
	line(g, "rd_barrier();");
	open_brace(g, "if (%s + %d <= %s)", from, DEPTH, n);
	do_steps(g, t, from, text("%d", DEPTH));
	g->indent--;
	line(g, "} else {");
	g->indent++;
	do_steps(g, t, from, text("(int32_t)(%s - %s)", n, from));
	close_brace(g);
	line(g, "rd_barrier();");
	close_brace(g);
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
	line(g, "int32_t %s = rd_local_id() / %d, %s = rd_local_id() %% %d;", t->row, SIDE, t->column, SIDE);
	tile_indices(g, t);
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		t->acc[k] = fresh_name(g, vars[p.id].hint);
		line(g, "%s %s[%d][%d];", c_scalar_type(vars[p.id].type.elem), t->acc[k], t->each, t->each);
	}
	Needed first = {0};
	Visit v = {.sub = need, .ctx = &first};
	for EACH(Sub, x, e->loop.inits)
		need(&v, x);
	need_nest(t, &first);
	open_each(g, t, &first);
	in_nest(g, t, 0, &first, first_values, NULL);
	close_each(g);
	fold_in_tiles(g, t);
	open_each(g, t, NULL);
	open_brace(g, "if (%s < %s && %s < %s)", operand_text(g, sub_var(t->k->nest.at[t->y]->exp->loop.i)),
	           size_of_loop(g, t, t->y), operand_text(g, sub_var(t->k->nest.at[t->x]->exp->loop.i)),
	           size_of_loop(g, t, t->x));
	in_nest(g, t, 0, NULL, last_statements, NULL);
	close_brace(g);
	close_each(g);
}

// ---- For the host ----

int tile_threads(void)
{
	return SIDE * SIDE;
}

int tile_bytes(const Tiling *t)
{
	return t->bytes;
}

// C expressions, from those of the sizes of the loops: the number of tiles; is it worth it?
const char *tile_count(const Tiling *t, const char *const *sizes)
{
	Str s = {0};
	int tile = SIDE * t->each;
	for (int d = 0; d < t->k->nest.len; d++)
		if (d == t->y || d == t->x)
			str_printf(&s, "%s((%s + %d) / %d)", d ? " * " : "", sizes[d], tile - 1, tile);
		else
			str_printf(&s, "%s%s", d ? " * " : "", sizes[d]);
	return str_text(&s);
}

// A few rows and columns are not worth a tile, nor are large tiles when there are too few of them.
const char *tiles_pay(const Tiling *t, const char *const *sizes, const char *steps)
{
	enum { ENOUGH_TILES = 264 };
	const char *large = t->each > 4 ? text(" && %s >= %d", tile_count(t, sizes), ENOUGH_TILES) : "";
	int least = SIDE * t->each / 2;
	return text("%s >= %d && %s >= %d && %s >= %d%s", sizes[t->y], least, sizes[t->x], least, steps,
	            DEPTH / 2, large);
}

Sub tile_steps(const Tiling *t)
{
	return t->fold->exp->loop.n;
}
