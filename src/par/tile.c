// Register tiles: a thread computes several elements that share what they read.
//
//     #[kernel] loop .. for i < n do { #[kernel] loop .. for j < m do {
//       let (s: f64) = loop (a: f64 = 0.0) for p < q do { a + xs[i, p] * ys[p, j] }
//       in o with [i, j] = s } }
// becomes, with tiles of 2 x 2 here,
//     #[kernel] loop .. for i1 < n / 2 do { #[kernel] loop .. for j1 < m / 2 do {
//       rows i1 * 2, i1 * 2 + 1; columns j1, j1 + m / 2
//       let (s, t, u, v) = loop (a, b, c, d) for p < q do {
//         two elements of xs, two of ys, four products }
//       each is stored if it is inside } }
//
// Half as many reads for each product, a quarter with tiles of 4 x 4.  Columns of a thread lie far
// apart, so that threads next to each other still read what lies next to each other.  Where a
// tile reaches over the end, the last row or column is computed again and not stored.
//
// Done with kernels whose threads do nothing but loops over scalars, the same number of times in all
// of them, in which one of the elements read does not depend on some level of the nest, and another
// one not on another.  With too few elements the kernel stays as it was, which is decided at run
// time (#[threshold]).
//
// Requires the passes seq and simplify.  Ensures nothing.
#include "par/flatten.h"

#include "opt/opt.h"

enum {
	TILE = 4,               // elements along each of the two levels
	MOST_STMS = 24,         // of a loop
	MOST_AROUND = 150,      // statements around loops
	MOST_LOOPS = 4,
	MOST_REGISTERS = 160,   // of 4 bytes, for what the loops carry
	MOST_LEVELS = 8,
	ENOUGH_TILES = 1 << 13,
};

typedef VEC(Stm) StmVec;

// A kernel: its levels, and what the threads do.
typedef struct {
	int depth;
	const Exp *levels[MOST_LEVELS];         // outermost first
	StmVec before, after;                   // plain statements and loops; what is stored
	int n_loops;
	Subs res;                               // of the innermost body
	int a, b;                               // the levels that are tiled, a < b
} Kernel;

// ---- Recognising ----

static bool is_plain(const Exp *e)
{
	switch (e->form) {
	case E_atom: case E_prim: case E_convert: case E_index: case E_slice: case E_reshape:
	case E_rearrange: case E_assert_:
		return true;
	case E_if_:
		return !e->if_.yes.stms.len && !e->if_.no.stms.len;
	default: // takes time, or changes something
		return false;
	}
}

static bool are_plain(Stms stms)
{
	for EACH(Stm, s, stms)
		if (!is_plain(s->exp))
			return false;
	return true;
}

static bool is_kernel(const Stm *s)
{
	return s->exp->form == E_loop && !s->exp->loop.is_while &&
	       has_attr(s->attrs, ATTR_KERNEL);
}

// A loop on scalars that is all in registers.
static bool is_inner_loop(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || is_device_loop(s->attrs) ||
	    e->loop.body.stms.len > MOST_STMS || !are_plain(e->loop.body.stms))
		return false;
	for EACH(Var, p, e->loop.params)
		if (!type_is_scalar(vars[p->id].type))
			return false;
	return true;
}

static bool passes_on(const Exp *outer, const Stm *inner)
{
	const Exp *e = inner->exp;
	for (int k = 0; k < outer->loop.params.len; k++)
		if (k >= e->loop.inits.len || k >= outer->loop.body.res.len ||
		    !sub_eq(e->loop.inits.at[k], sub_var(outer->loop.params.at[k])) ||
		    !sub_eq(outer->loop.body.res.at[k], sub_var(inner->pat.at[k])))
			return false;
	return e->loop.inits.len == outer->loop.params.len;
}

static bool find_levels(const Stm *s, Kernel *k)
{
	while (true) {
		const Body *b = &s->exp->loop.body;
		if (k->depth == MOST_LEVELS)
			return false;
		k->levels[k->depth++] = s->exp;
		const Stm *last = b->stms.len ? &b->stms.at[b->stms.len - 1] : NULL;
		if (!last || !is_kernel(last))
			return true;
		if (!passes_on(s->exp, last))
			return false;
		for (int i = 0; i < b->stms.len - 1; i++) {
			if (!is_plain(b->stms.at[i].exp))
				return false;
			VEC_PUSH(&k->before, b->stms.at[i]);
		}
		s = last;
	}
}

// All up to the last loop, then the rest.
static bool find_loops(Kernel *k)
{
	const Body *b = &k->levels[k->depth - 1]->loop.body;
	int last = -1, carried = 0;
	k->res = b->res;
	for (int i = 0; i < b->stms.len; i++)
		if (is_inner_loop(&b->stms.at[i])) {
			last = i;
			k->n_loops++;
			for EACH(Var, p, b->stms.at[i].exp->loop.params)
				carried += (primtype_size(vars[p->id].type.elem) + 3) / 4;
		}
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		bool inner = is_inner_loop(s);
		if (i <= last ? !inner && !is_plain(s->exp)
		              : s->exp->form == E_loop && !has_attr(s->attrs, ATTR_ATOMIC))
			return false;
		if (i <= last)
			VEC_PUSH(&k->before, *s);
		else
			VEC_PUSH(&k->after, *s);
	}
	if (k->before.len + k->after.len > MOST_AROUND)
		return false;
	return k->n_loops && k->n_loops <= MOST_LOOPS && carried * TILE * TILE <= MOST_REGISTERS;
}

// ---- What depends on which levels ----

typedef struct { Map masks; unsigned now; } Depends;
typedef struct { unsigned bits; } Mask;

static unsigned mask_of(const Depends *d, Var v)
{
	const Mask *m = map_get(&d->masks, var_key(v));
	return m ? m->bits : 0;
}

static void look_at(Visit *v, Sub *s)
{
	Depends *d = v->ctx;
	if (s->kind == S_VAR)
		d->now |= mask_of(d, s->var);
}

static void set_mask(Depends *d, Var v, unsigned bits)
{
	map_put(&d->masks, var_key(v), NEW(Mask, bits));
}

static void go_through(Depends *d, Stms stms)
{
	for EACH(Stm, s, stms) {
		d->now = 0;
		Visit v = {.sub = look_at, .ctx = d};
		exp_visit(s->exp, &v); // a walk: writes nothing
		for EACH(Var, x, s->pat)
			set_mask(d, *x, d->now);
	}
}

typedef struct { unsigned at[MOST_STMS * MOST_LOOPS]; int len; } Loads;

static void find_loads(Depends *d, const Exp *e, Loads *loads)
{
	for (int i = 0; i < e->loop.params.len; i++)
		set_mask(d, e->loop.params.at[i], ~0u);
	go_through(d, e->loop.body.stms);
	for EACH(Stm, s, e->loop.body.stms)
		if (s->exp->form == E_index)
			loads->at[loads->len++] = mask_of(d, s->pat.at[0]);
}

// The levels that each element read by the loops depends on; false: there are not two.
static bool choose_levels(Kernel *k)
{
	Depends d = {0};
	Loads loads = {.len = 0};
	for (int i = 0; i < k->depth; i++)
		set_mask(&d, k->levels[i]->loop.i, 1u << i);
	for EACH(Stm, s, k->before) {
		if (is_inner_loop(s))
			find_loads(&d, s->exp, &loads);
		go_through(&d, (Stms){s, 1});
	}
	for (int b = k->depth - 1; b > 0; b--)
		for (int a = b - 1; a >= 0; a--) {
			bool only_a = false, only_b = false;
			for (int i = 0; i < loads.len; i++) {
				bool has_a = loads.at[i] >> a & 1, has_b = loads.at[i] >> b & 1;
				only_a |= has_a && !has_b;
				only_b |= has_b && !has_a;
			}
			if (only_a && only_b) {
				k->a = a;
				k->b = b;
				return true;
			}
		}
	return false;
}

static void note_binder(Visit *v, Var *x)
{
	map_put(v->ctx, var_key(*x), v);
}

// Are the numbers of rows and of iterations known outside of the kernel?
static bool are_sizes_outside(const Kernel *k, const Stm *s)
{
	Map bound = {0};
	Visit v = {.bind = note_binder, .ctx = &bound};
	exp_visit(s->exp, &v); // a walk: writes nothing
	for (int i = 0; i < k->depth; i++) {
		Sub n = k->levels[i]->loop.n;
		if (n.kind == S_VAR && map_has(&bound, var_key(n.var)))
			return false;
		if (sub_type(n).elem != PT_I64)
			return false;
	}
	for EACH(Stm, t, k->before) {
		Sub n = is_inner_loop(t) ? t->exp->loop.n : sub_i64(0);
		if (n.kind == S_VAR && map_has(&bound, var_key(n.var)))
			return false;
	}
	return true;
}

static bool is_small(Sub n)
{
	return n.kind == S_CONST && n.val.i < 2 * TILE;
}

static bool find_kernel(const Stm *s, Kernel *k)
{
	return is_kernel(s) && find_levels(s, k) && k->depth > 1 && find_loops(k) &&
	       choose_levels(k) && are_sizes_outside(k, s) && !is_small(k->levels[k->a]->loop.n) &&
	       !is_small(k->levels[k->b]->loop.n);
}

// ---- Copies of statements ----

static void set(Map *to, Var v, Sub x)
{
	map_put(to, var_key(v), mem_dup(&x, sizeof x));
}

// Emits a copy, or finds what does the same already.
static void emit_copy(Build *b, const Stm *s, Map *to)
{
	Body one = {.stms = {mem_dup(s, sizeof *s), 1}};
	one = body_subst(body_rename(one), to);
	Stm *c = &one.stms.at[0];
	Sub found;
	if (c->pat.len == 1 && form_has(c->exp->form, FORM_PURE) && !c->certs.len &&
	    b_find(b, c->exp, vars[c->pat.at[0].id].type, &found)) {
		set(to, s->pat.at[0], found);
		return;
	}
	b_emit(b, *c);
	for (int i = 0; i < s->pat.len; i++)
		set(to, s->pat.at[i], sub_var(c->pat.at[i]));
}

static void emit_copies(Build *b, Stms stms, Map *to)
{
	for EACH(Stm, s, stms)
		emit_copy(b, s, to);
}

static Sub subst(const Map *to, Sub x)
{
	const Sub *y = x.kind == S_VAR ? map_get(to, var_key(x.var)) : NULL;
	return y ? *y : x;
}

// ---- The tiled kernel ----

typedef struct { Map to; Sub inside; } Element;

// Rows of level a are next to each other, those of level b far apart.
static Element element_at(Build *b, const Kernel *k, const Sub *counters, int row, int col, Sub n_b)
{
	Element e = {.inside = sub_bool(true)};
	for (int d = 0; d < k->depth; d++) {
		Sub at = counters[d], n = k->levels[d]->loop.n;
		if (d == k->a)
			at = b_add(b, b_mul(b, at, sub_i64(TILE)), sub_i64(row));
		if (d == k->b)
			at = b_add(b, at, b_mul(b, n_b, sub_i64(col)));
		if (d == k->a || d == k->b) {
			e.inside = b_prim2(b, P_and, e.inside, b_lt(b, at, n));
			at = b_prim2(b, P_min, at, b_sub(b, n, sub_i64(1)));
		}
		set(&e.to, k->levels[d]->loop.i, at);
	}
	return e;
}

// One loop for all elements.
static void jam(Build *b, const Stm *loop, Element *es, int n)
{
	const Exp *e = loop->exp;
	int p = e->loop.params.len;
	Vars params = {NEW_ARRAY(Var, n * p), n * p}, pat = {NEW_ARRAY(Var, n * p), n * p};
	Subs inits = {NEW_ARRAY(Sub, n * p), n * p}, next = {NEW_ARRAY(Sub, n * p), n * p};
	Var i = var_new(vars[e->loop.i.id].hint, vars[e->loop.i.id].type);
	for (int q = 0; q < n; q++)
		for (int j = 0; j < p; j++) {
			int at = q * p + j;
			Type t = vars[e->loop.params.at[j].id].type;
			params.at[at] = var_new(vars[e->loop.params.at[j].id].hint, t);
			pat.at[at] = var_new(vars[loop->pat.at[j].id].hint, t);
			inits.at[at] = subst(&es[q].to, e->loop.inits.at[j]);
		}
	b_open(b);
	for (int q = 0; q < n; q++) {
		set(&es[q].to, e->loop.i, sub_var(i));
		for (int j = 0; j < p; j++)
			set(&es[q].to, e->loop.params.at[j], sub_var(params.at[q * p + j]));
		emit_copies(b, e->loop.body.stms, &es[q].to);
		for (int j = 0; j < p; j++)
			next.at[q * p + j] = subst(&es[q].to, e->loop.body.res.at[j]);
	}
	Body body = b_close(b, next);
	b->attrs = loop->attrs;
	b_stm(b, pat, NEW(Exp, .form = E_loop, .loop = {.params = params, .inits = inits, .i = i,
		.n = subst(&es[0].to, e->loop.n), .body = body}));
	for (int q = 0; q < n; q++)
		for (int j = 0; j < p; j++)
			set(&es[q].to, loop->pat.at[j], sub_var(pat.at[q * p + j]));
}

// What is done with an element, if it is inside: the arrays after it.
static Subs store(Build *b, const Kernel *k, Element *e, Subs arrs)
{
	const Exp *last = k->levels[k->depth - 1];
	Types ts = {NEW_ARRAY(Type, arrs.len), arrs.len};
	Subs res = {NEW_ARRAY(Sub, arrs.len), arrs.len};
	for (int i = 0; i < arrs.len; i++) {
		ts.at[i] = sub_type(arrs.at[i]);
		ts.at[i].unique = false;
		set(&e->to, last->loop.params.at[i], arrs.at[i]);
	}
	b_open(b);
	emit_copies(b, VEC_SLICE(Stms, k->after), &e->to);
	for (int i = 0; i < arrs.len; i++)
		res.at[i] = subst(&e->to, k->res.at[i]);
	Body yes = b_close(b, res);
	return b_lets(b, "out", ts, NEW(Exp, .form = E_if_, .if_ = {e->inside, yes, {.res = arrs}}));
}

static Sub round_up(Build *b, Sub n)
{
	return b_prim2(b, P_quot, b_add(b, n, sub_i64(TILE - 1)), sub_i64(TILE));
}

static Subs emit_tiled(Flatten *f, const Kernel *k)
{
	Build *b = &f->b;
	DevLoop loops[MOST_LEVELS];
	Sub counters[MOST_LEVELS];
	Subs arrs = k->levels[0]->loop.inits;
	Sub n_a = round_up(b, k->levels[k->a]->loop.n), n_b = round_up(b, k->levels[k->b]->loop.n);
	for (int d = 0; d < k->depth; d++) {
		Sub n = d == k->a ? n_a : d == k->b ? n_b : k->levels[d]->loop.n;
		loops[d] = dev_open(f, ATTR_KERNEL, n, arrs);
		arrs = subs_of_vars(loops[d].params);
		counters[d] = sub_var(loops[d].i);
	}
	Element *es = NEW_ARRAY(Element, TILE * TILE);
	for (int q = 0; q < TILE * TILE; q++)
		es[q] = element_at(b, k, counters, q / TILE, q % TILE, n_b);
	for EACH(Stm, s, k->before) {
		if (is_inner_loop(s)) {
			jam(b, s, es, TILE * TILE);
			continue;
		}
		for (int q = 0; q < TILE * TILE; q++)
			emit_copy(b, s, &es[q].to);
	}
	for (int q = 0; q < TILE * TILE; q++)
		arrs = store(b, k, &es[q], arrs);
	for (int d = k->depth; d-- > 0;)
		arrs = dev_close(f, &loops[d], arrs);
	return arrs;
}

static void tile_stm(Flatten *f, const Stm *s, const Kernel *k)
{
	Build *b = &f->b;
	Build outer = *b;
	b->where = s->where;
	b->certs = s->certs;
	Sub par = sub_i64(1);
	for (int d = 0; d < k->depth; d++)
		par = b_mul(b, par, d == k->a || d == k->b ? round_up(b, k->levels[d]->loop.n)
		                                           : k->levels[d]->loop.n);
	Sub enough = emit_threshold(f, "tile", par, ENOUGH_TILES, true);
	b_open(b);
	Body yes = b_close(b, emit_tiled(f, k));
	Body no = body_rename((Body){.stms = {mem_dup(s, sizeof *s), 1},
		.res = subs_of_vars(s->pat)});
	if (enough.kind == S_CONST && !enough.val.u)
		b_emit(b, *s);
	else
		b_stm(b, s->pat, NEW(Exp, .form = E_if_, .if_ = {enough, yes, no}));
	b->where = outer.where;
	b->certs = outer.certs;
}

// ---- Programs ----

static void tile_body(Visit *v, Body *body)
{
	Flatten *f = v->ctx;
	b_open(&f->b);
	for EACH(Stm, s, body->stms) {
		Kernel k = {0};
		if (find_kernel(s, &k) && may_rewrite()) {
			tile_stm(f, s, &k);
			continue;
		}
		Stm t = *s;
		if (form_has(t.exp->form, FORM_NEST) && !is_device_loop(t.attrs))
			t.exp = exp_visit(t.exp, v);
		else if (form_has(t.exp->form, FORM_NEST) || t.exp->form == E_call) {
			Visit calls = {.funs = v->funs, .copy = true};
			t.exp = exp_visit(t.exp, &calls);
		}
		b_emit(&f->b, t);
	}
	*body = b_close(&f->b, body->res);
}

Prog *tile(Prog *prog)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Flatten f = {0};
	Visit v = {.body = tile_body, .funs = &funs, .copy = true, .ctx = &f};
	for EACH(Fun *, g, out->funs) {
		f.fun = *g;
		tile_body(&v, &(*g)->body);
	}
	return out;
}
