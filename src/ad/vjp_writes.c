// Undo records of scatters and histograms.
//
//     ys = hist xs at is ..              is; xs at these              a scatter of what was there
//
// If there are more indices than cells, the record is the whole array instead.  This is decided at
// run time; the number of rows of the record is computed before the loop whose iterations leave
// such records, or in each iteration if the number of indices varies.
#include "ad/vjp_loop.h"

bool writes_of(const Exp *e, Writes *out)
{
	if (e->form == E_scatter && e->scatter.dests.len == 1 &&
	    e->scatter.dests.at[0].n_writes == 1 && lambda_is_identity(e->scatter.map)) {
		Subs space = e->scatter.dests.at[0].space;
		*out = (Writes){e->scatter.n, {e->scatter.arrs.at, space.len}, space};
		return true;
	}
	if (e->form == E_hist && e->hist.ops.len == 1 && gives_params(e->hist.map)) {
		Subs space = e->hist.ops.at[0].space;
		*out = (Writes){e->hist.n, {e->hist.arrs.at, space.len}, space};
		return true;
	}
	return false;
}

bool writes_few(const Varying *w, const Exp *e)
{
	Writes ws;
	if (!writes_of(e, &ws) || (w->nest && is_varying(w, ws.n)) ||
	    sub_eq(ws.n, ws.space.at[0]))
		return false;
	for EACH(Sub, d, ws.space)
		if (is_varying(w, *d))
			return false;
	return true;
}

Sub rows_of_record(const Varying *w, const Stm *s)
{
	Vjp *v = w->v;
	for EACH(FewRows, f, v->few)
		if (f->loop == w->loop && f->stm == s->pat.at[0].id)
			return sub_var(f->rows);
	Writes ws;
	writes_of(s->exp, &ws);
	if (is_varying(w, ws.n))
		return ws.n;
	Var rows = var_i64("rows");
	VEC_PUSH(&v->few, (FewRows){w->loop, s->pat.at[0].id, rows, ws.n, ws.space});
	return sub_var(rows);
}

static Subs copied_all(Copier *k, Subs s)
{
	s = SLICE_DUP(Subs, s);
	for EACH(Sub, x, s)
		*x = copied(k, *x);
	return s;
}

void emit_rows(Copier *k, const Stm *loop)
{
	Build *b = k->v->b;
	for EACH(FewRows, f, k->v->few) {
		if (f->loop != loop_id(loop))
			continue;
		Sub places = b_product(b, copied_all(k, f->space));
		b_stm(b, vars_of(1, f->rows), EXP(prim, P_min, PT_I64, {copied(k, f->n), places}));
	}
}

void name_rows(Vjp *v, const Stm *inner, const Stm *outer)
{
	for EACH(FewRows, f, v->few)
		for EACH(FewRows, g, v->few)
			if (f->loop == loop_id(inner) && g->loop == loop_id(outer) &&
			    f->stm == g->stm)
				b_name(v->b, f->rows, sub_var(g->rows));
}

// The indices, or those of all places.
static Subs places_of_record(Build *b, const Writes *ws, Sub rows)
{
	Sub js = b_iota(b, rows), few = b_eq(b, rows, ws->n);
	Var j = var_i64("j");
	b_open(b);
	b_open(b);
	Subs out = b_indices(b, ws->space, sub_var(j));
	Types ts = types_of_subs(out);
	Body all = b_close(b, SLICE_DUP(Subs, out));
	b_open(b);
	for (int d = 0; d < out.len; d++)
		out.at[d] = b_index(b, ws->idx.at[d], subs_of(1, sub_var(j)));
	Body these = b_close(b, SLICE_DUP(Subs, out));
	Subs at = b_lets(b, "at", ts, EXP(if_, few, these, all));
	return b_map(b, rows, subs_of(1, js), b_lambda(b, vars_of(1, j), at));
}

void record_writes(Copier *k, const Exp *e, Sub rows, Sub arr, SubVec *recs)
{
	Build *b = k->v->b;
	Writes ws;
	writes_of(e, &ws);
	bool varies = sub_eq(rows, ws.n);
	ws = (Writes){copied(k, ws.n), copied_all(k, ws.idx), copied_all(k, ws.space)};
	if (varies)
		rows = b_prim2(b, P_min, ws.n, b_product(b, ws.space));
	Subs idx = places_of_record(b, &ws, rows);
	VEC_APPEND(recs, idx);
	VEC_PUSH(recs, gather_rows(b, rows, idx, ws.space, arr));
}

Sub undo_writes(Build *b, Sub state, Subs space, Subs recs)
{
	return b_let(b, "undone", sub_type(state), EXP(scatter, sub_type(recs.at[0]).dims.at[0],
	                                               recs, {NEW(ScatterDest, state, space, 1), 1},
	                                               identity_on(recs)));
}
