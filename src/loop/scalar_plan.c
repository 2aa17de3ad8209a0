// Decides what to scalarise and what to unroll.
//
// Unrolled are combinators and loops with a small constant number of iterations whose body is
// small and contains no loop that is not unrolled; a single iteration is always unrolled.  The
// results of a combinator must be small too, since they are scalarised.  If iterations read a table
// of constants, see Note [Tables], more of them are unrolled.
//
// An array that is passed through parameters and results of control flow is scalarised if every
// operation on it can be done on its elements.  Arrays that must be decided together form a class;
// a non-constant index, a use as function argument, or a combinator that is not unrolled keeps the
// whole class.  Counters of unrolled loops count as constants.
#include "loop/scalarise.h"

typedef struct { int stms; bool loops; } Cost;

int small_array(Type t)
{
	int64_t n = 1;
	if (t.kind != T_DATA || !t.dims.len)
		return 0;
	for EACH(Sub, d, t.dims) {
		if (d->kind != S_CONST || d->val.i < 1 || d->val.i > MOST_ELEMS)
			return 0;
		n *= d->val.i;
	}
	return n <= threshold(AT_scalar_elements) ? (int)n : 0;
}

// ---- Costs ----

static void cost_stm(Scal *, const Stm *, Cost *);

typedef struct { Scal *s; Cost c; } Sum;

static void cost_body(Visit *v, Body *b)
{
	Sum *sum = v->ctx;
	for EACH(Stm, s, b->stms)
		cost_stm(sum->s, s, &sum->c);
}

static bool has_attr_unroll(const Stm *s)
{
	return has_attr(s->attrs, ATTR_UNROLL);
}

// The number of iterations if it is known; 0: it is not, or there is nothing like it.
static int64_t trips_of(const Exp *e)
{
	Sub n = e->form == E_loop && !e->loop.is_while ? e->loop.n
	      : e->form == E_screma ? e->screma.n : sub_i64(0);
	if (n.kind != S_CONST || n.val.i < 1 || n.val.i > 1024)
		return 0;
	return n.val.i;
}

static bool results_are_small(const Exp *e, int64_t trips)
{
	if (e->form != E_screma)
		return true;
	int from = 0, n_red = 0;
	for EACH(Reduction, r, e->screma.scans)
		from += r->ne.len;
	for EACH(Reduction, r2, e->screma.reds)
		n_red += r2->ne.len;
	for (int i = 0; i < e->screma.map->ret.len; i++) {
		Type t = e->screma.map->ret.at[i];
		if (t.kind != T_DATA || (i >= from && i < from + n_red))
			continue;
		if (!small_array(type_of_rows(sub_i64(trips), t)))
			return false;
	}
	return true;
}

// Note [Tables].  The offsets of a stencil, the coefficients of a Runge-Kutta method, the weights
// of a quadrature are arrays of constants, read by short loops:
//
//     screma 9 (iota9) map=\(k: i64) : (f64) -> {
//       let (c: i64) = index cx [k]             in each iteration a constant, if that is unrolled
//       let (j: i64) = add.i64 i c              an offset that index algebra knows
//
// Unrolled, these are constants, products with them fold, and equal parts of iterations are
// computed once.  What goes over the results of such a loop is unrolled as well, so that they are
// scalars.  All this pays where it is done many times, within another loop.
enum { TABLE = 1, COUNT, MADE };        // literals of constants; iotas; results

typedef struct {
	Scal *s;
	Map counted;                    // variables that are constants in an unrolled iteration
	bool found;
} Tables;

static uintptr_t table_of(const Scal *s, Sub x)
{
	return x.kind == S_VAR ? (uintptr_t)map_get(&s->tables, var_key(x.var)) : 0;
}

static void note_table(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	uintptr_t what = e->form == E_array ? TABLE
	               : e->form == E_iota && e->iota.start.kind == S_CONST ? COUNT : 0;
	for (int i = 0; what == TABLE && i < e->array.elems.len; i++)
		if (e->array.elems.at[i].kind != S_CONST &&
		    table_of(s, e->array.elems.at[i]) != TABLE)
			what = 0;
	if (what)
		map_put(&s->tables, var_key(st->pat.at[0]), (void *)what);
}

static bool is_counted(const Tables *t, Sub x)
{
	return x.kind == S_CONST || map_has(&t->counted, var_key(x.var));
}

static bool all_counted(const Tables *t, const Sub *xs, int n)
{
	for (int i = 0; i < n; i++)
		if (!is_counted(t, xs[i]))
			return false;
	return true;
}

static void find_tables(Visit *v, Body *b)
{
	Tables *t = v->ctx;
	for EACH(Stm, st, b->stms) {
		const Exp *e = st->exp;
		bool counted = false;
		if (e->form == E_prim)
			counted = all_counted(t, e->prim.x, prim_arity(e->prim.op));
		else if (e->form == E_convert)
			counted = is_counted(t, e->convert.x);
		else if (e->form == E_index && table_of(t->s, e->index.arr) == TABLE)
			counted = t->found |= all_counted(t, e->index.idx.at, e->index.idx.len);
		if (counted)
			map_put(&t->counted, var_key(st->pat.at[0]), t);
		if (form_has(e->form, FORM_NEST))
			exp_visit(st->exp, v);
	}
}

static bool reads_tables(Scal *s, const Exp *e)
{
	Tables t = {.s = s};
	if (e->form == E_loop)
		map_put(&t.counted, var_key(e->loop.i), s);
	for (int i = 0; e->form == E_screma && i < e->screma.arrs.len; i++) {
		uintptr_t what = table_of(s, e->screma.arrs.at[i]);
		t.found |= what == TABLE || what == MADE;
		if (what == TABLE || what == COUNT)
			map_put(&t.counted, var_key(e->screma.map->params.at[i]), s);
	}
	Visit v = {.body = find_tables, .ctx = &t};
	if (!t.found && t.counted.len)
		exp_visit((Exp *)e, &v);
	return t.found;
}

static bool worth_unrolling(Scal *scal, const Stm *s, Cost inside)
{
	int most = threshold(scal->kernels ? AT_unrolled_device_trips : AT_unrolled_trips);
	int64_t trips = is_device_loop(s->attrs) ? 0 : trips_of(s->exp);
	if (!trips || !results_are_small(s->exp, trips))
		return false;
	if (trips == 1)
		return true;
	if (has_attr_unroll(s))
		return trips * inside.stms <= 64 * MOST_STMS;
	if (inside.loops || trips * inside.stms > MOST_STMS)
		return false;
	return trips <= most ||
	       (scal->around && trips <= MOST_TABLE_TRIPS && reads_tables(scal, s->exp));
}

static bool goes_over_rows(Form f)
{
	return f == E_loop || f == E_screma || f == E_hist || f == E_scatter || f == E_flatmap;
}

static void cost_stm(Scal *s, const Stm *st, Cost *sum)
{
	if (!form_has(st->exp->form, FORM_NEST)) {
		note_table(s, st);
		sum->stms++;
		return;
	}
	Sum in = {.s = s};
	Visit v = {.body = cost_body, .ctx = &in};
	s->kernels += is_device_loop(st->attrs);
	s->around += goes_over_rows(st->exp->form);
	exp_visit(st->exp, &v);
	s->around -= goes_over_rows(st->exp->form);
	s->kernels -= is_device_loop(st->attrs);
	sum->loops |= in.c.loops;
	if (worth_unrolling(s, st, in.c)) {
		sum->stms += (int)trips_of(st->exp) * in.c.stms + 1;
		map_put(&s->unrolled, st->exp, s);
		for EACH(Var, v2, st->pat)
			if (small_array(vars[v2->id].type))
				map_put(&s->tables, var_key(*v2), (void *)MADE);
	} else {
		sum->stms += in.c.stms + 1;
		sum->loops |= goes_over_rows(st->exp->form);
	}
}

bool unrolled(Scal *s, const Stm *st)
{
	return map_has(&s->unrolled, st->exp);
}

// ---- Classes ----

static uint32_t class_of(Scal *s, uint32_t id)
{
	while (s->up[id]) {
		uint32_t up = s->up[id];
		if (s->up[up])
			s->up[id] = s->up[up];
		id = up;
	}
	return id;
}

static void keep(Scal *s, Sub x)
{
	if (x.kind == S_VAR)
		s->whole[class_of(s, x.var.id)] = true;
}

static void keep_all(Scal *s, Subs xs)
{
	for EACH(Sub, x, xs)
		keep(s, *x);
}

static void unite(Scal *s, Var v, Sub x)
{
	if (x.kind != S_VAR || !small_array(vars[v.id].type))
		return;
	uint32_t a = class_of(s, v.id), b = class_of(s, x.var.id);
	if (a == b)
		return;
	s->up[a] = b;
	s->whole[b] |= s->whole[a];
}

static void unite_all(Scal *s, Vars vs, Subs xs)
{
	for (int i = 0; i < vs.len && i < xs.len; i++)
		unite(s, vs.at[i], xs.at[i]);
}

bool taken_apart(Scal *s, Var old)
{
	return small_array(vars[old.id].type) && !s->whole[class_of(s, old.id)];
}

// ---- Constants ----

static bool is_fixed(Scal *s, Sub x)
{
	return x.kind == S_CONST || map_has(&s->fixed, var_key(x.var));
}

static void fix(Scal *s, Var v)
{
	map_put(&s->fixed, var_key(v), s);
}

static bool all_fixed(Scal *s, Subs xs)
{
	for EACH(Sub, x, xs)
		if (!is_fixed(s, *x))
			return false;
	return true;
}

// Reading or writing at these places is possible on elements.
static bool at_elems(Scal *s, Sub arr, Slices at)
{
	bool fixed = true, whole_dims = true;
	for EACH(DimSlice, d, at) {
		fixed &= is_fixed(s, d->start) && (d->fixed || is_fixed(s, d->step));
		whole_dims &= d->fixed;
	}
	return fixed || (whole_dims && small_array(sub_type(arr)) <= FEW_ELEMS);
}

static void plan_prim(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		if (!is_fixed(s, e->prim.x[i]))
			return;
	fix(s, st->pat.at[0]);
}

// ---- The plan ----

static void plan_body(Visit *v, Body *b);

static void plan_screma(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	if (!unrolled(s, st)) {
		keep_all(s, e->screma.arrs);
		return;
	}
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Sub a = e->screma.arrs.at[i];
		if (a.kind == S_VAR && map_has(&s->rows, var_key(a.var)))
			fix(s, e->screma.map->params.at[i]);
	}
}

static void plan_loop(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	unite_all(s, e->loop.params, e->loop.inits);
	unite_all(s, e->loop.params, e->loop.body.res);
	for (int i = 0; i < st->pat.len; i++)
		unite(s, st->pat.at[i], sub_var(e->loop.params.at[i]));
	if (is_device_loop(st->attrs))
		keep_all(s, e->loop.inits);
	if (unrolled(s, st))
		fix(s, e->loop.i);
}

static void plan_stm(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	switch (e->form) {
	case E_atom: unite(s, st->pat.at[0], e->atom.x); return;
	case E_copy: unite(s, st->pat.at[0], e->copy.arr); return;
	case E_reshape: unite(s, st->pat.at[0], e->reshape.arr); return;
	case E_rearrange: unite(s, st->pat.at[0], e->rearrange.arr); return;
	case E_prim: plan_prim(s, st); return;
	case E_convert:
		if (is_fixed(s, e->convert.x))
			fix(s, st->pat.at[0]);
		return;
	case E_iota:
		if (e->iota.n.kind == S_CONST && is_fixed(s, e->iota.start))
			map_put(&s->rows, var_key(st->pat.at[0]), s);
		return;
	case E_array:
		if (all_fixed(s, e->array.elems))
			map_put(&s->rows, var_key(st->pat.at[0]), s);
		return;
	case E_index:
		if (!all_fixed(s, e->index.idx) &&
		    small_array(sub_type(e->index.arr)) > FEW_ELEMS)
			keep(s, e->index.arr);
		return;
	case E_slice:
		if (!at_elems(s, e->slice.arr, e->slice.at))
			keep(s, e->slice.arr);
		return;
	case E_update:
		unite(s, st->pat.at[0], e->update.arr);
		if (!at_elems(s, e->update.arr, e->update.at))
			keep(s, e->update.arr);
		return;
	case E_if_: case E_match:
		for (int i = 0; i < n_branches(e); i++)
			unite_all(s, st->pat, branch_at(e, i)->res);
		return;
	case E_loop: plan_loop(s, st); return;
	case E_screma: plan_screma(s, st); return;
	case E_jvp: unite_all(s, e->jvp.fn->params, e->jvp.args); return;
	case E_vjp: unite_all(s, e->vjp.fn->params, e->vjp.args); return;
	case E_call: keep_all(s, e->call.args); return;
	case E_with_vjp: keep_all(s, e->with_vjp.args); return;
	case E_hist:
		keep_all(s, e->hist.arrs);
		for EACH(HistOp, op, e->hist.ops)
			keep_all(s, op->dests);
		return;
	case E_scatter:
		keep_all(s, e->scatter.arrs);
		for EACH(ScatterDest, d, e->scatter.dests)
			keep(s, d->dest);
		return;
	case E_flatmap: keep_all(s, e->flatmap.arrs); return;
	case E_withacc:
		for EACH(AccInput, in, e->withacc.inputs)
			keep_all(s, in->arrs);
		return;
	case E_trace: keep_all(s, e->trace.xs); return;
	case E_opaque: keep_all(s, e->opaque.xs); return;
	case E_concat: case E_replicate: case E_scratch: case E_upd_acc: case E_assert_:
	case E_alloc: case E_release: case N_FORM:
		return;
	}
}

// Combinators and loops first, for their counters to be known inside.
static void plan_body(Visit *v, Body *b)
{
	for EACH(Stm, st, b->stms) {
		plan_stm(v->ctx, st);
		if (form_has(st->exp->form, FORM_NEST))
			exp_visit(st->exp, v);
	}
}

void scal_plan(Scal *s, const Fun *f)
{
	Sum in = {.s = s};
	Visit costs = {.body = cost_body, .ctx = &in}, v = {.body = plan_body, .ctx = s};
	Body body = f->body;
	cost_body(&costs, &body);
	plan_body(&v, &body);
}
