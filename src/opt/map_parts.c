// Turns loops whose iterations write different rows of an array, and read nothing that earlier
// iterations wrote, into a map followed by an update with its result.
//
//     loop (p: *[n][m]f64 = a) for i: i64 < k do {        let (ys: [k]f64) = screma k (iota k)
//       let (j: i64) = add.i64 i c                          map=\(i) -> {
//       let (x: f64) = index p [r, j]                         j = i + c;  x = index a [r, j]
//       let (s: [c]f64) = slice p [r, 0:c:1]          ->      s = slice a [r, 0:c:1]
//       .. v, from x and s ..                                 .. v ..  in v
//       let (q: [n][m]f64) = update p [r, j] v              }
//       in q                                              let (q) = update a [r, c:k:1] ys
//     }
//
// Each iteration writes its row once; one index of the row is the counter plus an invariant, and
// the others are invariant.  A read accesses the cell that its own iteration writes, or is
// provably disjoint from everything that earlier iterations write; cells that later iterations
// write have their old values in both forms.
//
// If the cells of a matrix row are written one after the other, each depending on the ones before
// it but not on cells of its own column in other rows, the loops are interchanged first
// (map_turn.c): row-wise factorisations become column-wise ones.
//
// A loop inside another loop or a map is rewritten only if its iterations contain loops or
// combinators; rows of few operations are cheaper in place.
//
// Part of the pass `map_loops`.
#include "opt/map_loops.h"

// ---- One array that a loop writes ----

bool loop_varies(const Written *w, Sub x)
{
	return x.kind == S_VAR && map_has(w->inside, var_key(x.var));
}

static const Exp *def_inside(const void *written, Sub x)
{
	const Written *w = written;
	return loop_varies(w, x) ? loop_def(w->m, x) : NULL;
}

// The counter plus something that does not vary?
static bool is_counter(Written *w, Sub x)
{
	Affine rate, a = affine_of((AffineDefs){def_inside, w}, x);
	if (a.bad || !affine_split(&a, w->loop->loop.i, &rate, &w->offset) || !affine_is(&rate, 1))
		return false;
	for (int i = 0; i < w->offset.n; i++)
		for (int k = 0; k < AFFINE_DEGREE && w->offset.t[i].v[k].id; k++)
			if (loop_varies(w, sub_var(w->offset.t[i].v[k])))
				return false;
	return true;
}

// The index that counts, in iteration j; to ask about.
static Sub index_in(const Written *w, Var j)
{
	Build b = {0};
	b_open(&b);
	Sub x = b_add(&b, sub_var(j), affine_emit(&b, &w->offset));
	Body made = b_close(&b, subs_of(1, x));
	for EACH(Stm, s, made.stms)
		note_stm(w->m, s);
	return x;
}

// [r, i + c, 0:m:1]: a row for each iteration.
static bool writes_rows(Written *w)
{
	bool whole = false;
	w->moving = -1;
	const Slices *at = &w->update->exp->update.at;
	for (int d = 0; d < at->len; d++) {
		const DimSlice *s = &at->at[d];
		if (!s->fixed) {
			whole = true;
			if (loop_varies(w, s->start) || loop_varies(w, s->len) ||
			    loop_varies(w, s->step))
				return false;
		} else if (loop_varies(w, s->start)) {
			if (whole || w->moving >= 0 || !is_counter(w, s->start))
				return false;
			w->moving = d;
		}
	}
	return w->moving >= 0;
}

bool is_written(const Written *w, Sub x)
{
	return x.kind == S_VAR && x.var.id == w->param.id;
}

static bool is_less(MapLoops *m, Prim op, Sub x, Sub y)
{
	return range_decide(&m->range, name_for(m, PT_BOOL, op, x, y)) == 1;
}

// Is this dimension of a read apart from the index x of a write?
bool is_apart(Written *w, const DimSlice *read, Sub x)
{
	MapLoops *m = w->m;
	if (read->fixed)
		return is_less(m, P_lt, read->start, x) || is_less(m, P_lt, x, read->start);
	if (read->step.kind != S_CONST || read->step.val.i != 1)
		return false;
	bool zero = sub_eq(read->start, sub_i64(0));
	Sub end = zero ? read->len : name_for(m, PT_I64, P_add, read->start, read->len);
	return is_less(m, P_le, end, x) || (!zero && is_less(m, P_lt, x, read->start));
}

static bool is_own(const Written *w, Slices at)
{
	const Slices *own = &w->update->exp->update.at;
	for (int d = 0; d < own->len; d++)
		if (own->at[d].fixed &&
		    (d >= at.len || !at.at[d].fixed || !sub_eq(at.at[d].start, own->at[d].start)))
			return false;
	return true;
}

static void check_read(Written *w, Slices at)
{
	const Slices *own = &w->update->exp->update.at;
	bool apart = is_own(w, at);
	for (int d = 0; !apart && d < at.len && d < own->len; d++)
		if (own->at[d].fixed)
			apart = is_apart(w, &at.at[d], w->other.at[d]);
	w->failed |= !apart;
}

static void look_for_param(Visit *v, Sub *x)
{
	Written *w = v->ctx;
	w->failed |= is_written(w, *x);
}

static void check_nested(Visit *v, Body *b)
{
	check_reads(v->ctx, b);
}

static void check_branch(Written *w, const Body *b, Sub cond, bool holds)
{
	int facts = range_mark(&w->m->range);
	range_assume(&w->m->range, cond, holds, (Var){0});
	check_reads(w, b);
	range_release(&w->m->range, facts);
}

static void check_stm(Written *w, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_index && is_written(w, e->index.arr)) {
		check_read(w, slices_at(e->index.idx, (Subs){0}));
		return;
	}
	if (e->form == E_slice && is_written(w, e->slice.arr)) {
		check_read(w, e->slice.at);
		return;
	}
	Visit here = {.sub = look_for_param, .flat = true, .ctx = w};
	exp_walk(e, &here);
	if (e->form == E_if_) {
		check_branch(w, &e->if_.yes, e->if_.cond, true);
		check_branch(w, &e->if_.no, e->if_.cond, false);
	} else if (form_has(e->form, FORM_NEST)) {
		int facts = range_mark(&w->m->range);
		Visit inside = {.body = check_nested, .ctx = w};
		enter_lambda(w->m, e);
		exp_walk(e, &inside);
		range_release(&w->m->range, facts);
	}
}

void check_reads(Written *w, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		if (s == w->update)
			continue;
		note_stm(w->m, s);
		check_stm(w, s);
		w->failed |= exp_has_effect(s->exp) && s->exp->form != E_assert_;
		if (w->failed)
			return;
	}
	for EACH(Sub, r, b->res)
		w->failed |= is_written(w, *r);
}

// Is what the update relies on sure?  All rows are written at once, whatever a row asserts.
static bool is_sure(MapLoops *m, Vars certs)
{
	VarVec others = {0};
	for EACH(Var, c, certs) {
		const Exp *e = loop_def(m, sub_var(*c));
		if (!e || e->form != E_assert_ ||
		    !range_proves(&m->range, e->assert_.cond, &others) || others.len)
			return false;
	}
	return true;
}

// Are the iterations independent, as far as parameter k goes?
static bool is_rows(Written *w, int k)
{
	const Exp *e = w->loop;
	Type t = vars[e->loop.params.at[k].id].type;
	w->param = e->loop.params.at[k];
	w->update = stm_in(&e->loop.body, e->loop.body.res.at[k]);
	if (t.kind != T_DATA || !t.dims.len || !w->update || w->update->exp->form != E_update ||
	    !is_written(w, w->update->exp->update.arr) ||
	    is_written(w, w->update->exp->update.val) ||
	    n_uses_in(&e->loop.body, w->update->pat.at[0]) != 1)
		return false;
	int facts = range_mark(&w->m->range);
	for EACH(Stm, s, e->loop.body.stms)
		note_stm(w->m, s);
	bool rows = writes_rows(w);
	if (rows) {
		Var j = var_new(NULL, type_scalar(PT_I64));
		range_counter(&w->m->range, e->loop.i, e->loop.n);
		range_counter(&w->m->range, j, sub_var(e->loop.i));
		w->other = slice_starts(w->update->exp->update.at);
		w->other.at[w->moving] = index_in(w, j);
		w->failed = !is_sure(w->m, w->update->certs);
		check_reads(w, &e->loop.body);
	}
	range_release(&w->m->range, facts);
	return rows && !w->failed;
}

// ---- Loops ----

bool is_work(const Stm *s)
{
	const Exp *e = s->exp;
	Sub n = e->form == E_loop && !e->loop.is_while ? e->loop.n
	      : e->form == E_screma                    ? e->screma.n
	                                               : sub_i64(0);
	return may_reach(n, AT_map_parts_rows) || (e->form == E_loop && e->loop.is_while);
}

static bool is_worth(const MapLoops *m, const Exp *e)
{
	if (e->loop.is_while || !e->loop.params.len || sub_type(e->loop.n).elem != PT_I64 ||
	    !may_reach(e->loop.n, AT_map_parts_rows))
		return false;
	return !m->depth || body_find(&e->loop.body, is_work);
}

static bool find_rows(MapLoops *m, const Exp *e, Written *ws)
{
	Map inside = {0};
	Visit bound = {.bind = note_binder, .ctx = &inside};
	exp_walk(e, &bound);
	for (int k = 0; k < e->loop.params.len; k++) {
		ws[k] = (Written){.m = m, .loop = e, .inside = &inside};
		if (!is_rows(&ws[k], k))
			return false;
	}
	return true;
}

static Slices rows_written(Build *b, const Written *w, Sub n)
{
	Slices at = SLICE_DUP(Slices, w->update->exp->update.at);
	at.at[w->moving] = (DimSlice){false, affine_emit(b, &w->offset), n, sub_i64(1)};
	return at;
}

static void emit_maps(Build *b, const MapLoops *m, const Stm *s, const Written *ws)
{
	const Exp *e = s->exp;
	int n_params = e->loop.params.len;
	Range *range = (Range *)&m->range;
	Sub n = e->loop.n;
	if (!range_at_most(range, sub_i64(0), n))
		n = b_prim2(b, P_max, n, sub_i64(0));
	Map to = {0};
	Types ret = {NEW_ARRAY(Type, n_params), n_params};
	Subs res = {NEW_ARRAY(Sub, n_params), n_params};
	for (int k = 0; k < n_params; k++) {
		map_put(&to, var_key(e->loop.params.at[k]), &e->loop.inits.at[k]);
		res.at[k] = ws[k].update->exp->update.val;
		ret.at[k] = sub_type(res.at[k]);
		ret.at[k].unique = false;
	}
	VEC(Stm) stms = {0};
	for EACH(Stm, t, e->loop.body.stms) {
		bool update = false;
		for (int k = 0; k < n_params; k++)
			update |= t == ws[k].update;
		if (!update)
			VEC_PUSH(&stms, *t);
	}
	Body body = body_subst((Body){VEC_SLICE(Stms, stms), res}, &to);
	Lambda *f = NEW(Lambda, .params = vars_of(1, e->loop.i), .ret = ret, .body = body);
	Vars certs = b->certs;
	b->where = s->where;
	b->certs = s->certs;
	Subs rows = b_map(b, n, subs_of(1, b_iota(b, n)), f);
	for (int k = 0; k < n_params; k++)
		b_stm(b, vars_of(1, s->pat.at[k]), EXP(update, e->loop.inits.at[k],
		                                       rows_written(b, &ws[k], n), rows.at[k]));
	b->certs = certs;
}

static bool sizes_are_outside(const Exp *e, const Written *ws)
{
	for (int k = 0; k < e->loop.params.len; k++)
		for EACH(Sub, d, sub_type(ws[k].update->exp->update.val).dims)
			if (loop_varies(&ws[k], *d))
				return false;
	return true;
}

bool map_parts(MapLoops *m, Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || !is_worth(m, e))
		return false;
	Written *ws = NEW_ARRAY(Written, e->loop.params.len);
	if (!find_rows(m, e, ws) || !sizes_are_outside(e, ws) || !may_rewrite())
		return false;
	emit_maps(b, m, s, ws);
	return true;
}
