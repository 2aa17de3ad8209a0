// Undo records: what the forward sweep stores when it updates an array in place, and how the
// return sweep restores the array from it.
//
// The updates of an array in a body form a chain of steps, from its initial to its final state.
// Each step leaves a record:
//
//     step                               record                        undone by
//     ys = update xs [s] v               s, unless known; xs[s]        update with xs[s]
//     ys = loop (p = xs) for i < n       arrays of n records           a loop over them, backwards
//       (n may vary between iterations of an enclosing loop)
//     ys = if c then .. else ..          c and the records of both     the branch that was taken
//     ys = scatter or hist xs is vs      is; xs at these               a scatter (vjp_writes.c)
//     steps outside inner loops whose    cells, one after the other    restoring each cell
//       records vary in number             (vjp_trail.c)
//     anything else that consumes xs     a copy of xs                  the copy
//     steps that need no undo            nothing (vjp_intact.c)        nothing
//
// Records of a loop's body become rows of arrays, so their sizes are computed outside the loop; if
// they vary between iterations, they become slices of one long array.
#include "ad/vjp_loop.h"

// ---- Undoing ----

static Sub undo_step(Varying *w, const Body *b, Var cur, Step step, Sub state, Subs recs)
{
	Build *bb = w->v->b;
	const Exp *e = b->stms.at[step.at].exp;
	int r = 0;
	if (step.kind == STEP_UPDATE) {
		Slices at = SLICE_DUP(Slices, e->update.at);
		for EACH(DimSlice, d, at) {
			d->start = is_recorded(w, d->start) ? recs.at[r++] : at_undo(w, d->start);
			if (!d->fixed)
				d->step = at_undo(w, d->step);
		}
		Subs dims = sub_type(recs.at[r]).dims;
		int dim = 0;
		for EACH(DimSlice, d, at)
			if (!d->fixed)
				d->len = dims.at[dim++];
		return b_update(bb, state, at, recs.at[r]);
	}
	if (step.kind == STEP_WRITES) {
		Writes ws;
		writes_of(e, &ws);
		Subs space = SLICE_DUP(Subs, ws.space);
		for EACH(Sub, d, space)
			*d = at_undo(w, *d);
		return undo_writes(bb, state, space, recs);
	}
	if (step.kind == STEP_TRAIL)
		return undo_trail(bb, state, recs);
	if (step.kind == STEP_COPY)
		return b_copy(bb, recs.at[0]);
	if (step.kind == STEP_LOOP) {
		Sub n = is_varying(w, e->loop.n) ? sub_type(recs.at[0]).dims.at[0]
		                                 : at_undo(w, e->loop.n);
		w->nest++;
		state = undo_rows(w, e, step.k, n, state, recs);
		w->nest--;
		return state;
	}
	if (step.kind == STEP_IF) {
		Types yes = {0}, no = {0};
		w->nest++;
		record_types(w, &e->if_.yes, cur, e->if_.yes.res.at[step.k], &yes);
		record_types(w, &e->if_.no, cur, e->if_.no.res.at[step.k], &no);
		Sub cond = is_recorded(w, e->if_.cond) ? recs.at[r++] : at_undo(w, e->if_.cond);
		b_open(bb);
		Body y = b_close(bb, subs_of(1, undo_body(w, &e->if_.yes, cur,
			e->if_.yes.res.at[step.k], state, (Subs){recs.at + r, yes.len})));
		b_open(bb);
		Body n = b_close(bb, subs_of(1, undo_body(w, &e->if_.no, cur,
			e->if_.no.res.at[step.k], state, (Subs){recs.at + r + yes.len, no.len})));
		w->nest--;
		return b_let(bb, "undone", sub_type(state), EXP(if_, cond, y, n));
	}
	return state;
}

Sub undo_body(Varying *w, const Body *b, Var from, Sub to, Sub state, Subs recs)
{
	VEC(Step) steps = {0};
	VEC(Var) curs = {0};
	VEC(int) first = {0};
	int at = 0;
	for (Var cur = from; !sub_eq(to, sub_var(cur));) {
		Step step = next_step(w, b, cur);
		Types ts = {0};
		if (step.kind == STEP_NONE || !step_types(w, b, cur, step, &ts))
			bug("a chain of updates without records");
		VEC_PUSH(&steps, step);
		VEC_PUSH(&curs, cur);
		VEC_PUSH(&first, at);
		at += ts.len;
		cur = step.to;
	}
	for (int i = steps.len; i-- > 0;) {
		int end = i + 1 < steps.len ? first.at[i + 1] : at;
		state = undo_step(w, b, curs.at[i], steps.at[i], state,
		                  (Subs){recs.at + first.at[i], end - first.at[i]});
	}
	return state;
}

// All iterations, last one first; recs are arrays of records.
Sub undo_rows(Varying *w, const Exp *loop, int k, Sub n, Sub state, Subs recs)
{
	Build *b = w->v->b;
	Type t = sub_type(state);
	t.unique = true;
	Var p = var_new(name_of("undone"), t), j = var_i64("j");
	Sub n64 = b_prim2(b, P_max, b_convert(b, PT_I64, n), sub_i64(0));
	Sub last = b_sub(b, n64, sub_i64(1));
	b_open(b);
	Sub i = b_sub(b, last, sub_var(j));
	Sub r = undo_at(w, loop, k, i, sub_var(p), recs);
	Body body = b_close(b, subs_of(1, r));
	return b_let(b, "undone", sub_type(state), EXP(loop, .params = vars_of(1, p),
	                                               .inits = subs_of(1, state), .i = j, .n = n64,
	                                               .body = body));
}

// One iteration.
Sub undo_at(Varying *w, const Exp *loop, int k, Sub i, Sub state, Subs recs)
{
	Build *b = w->v->b;
	varying_know(w, loop->loop.i, b_convert(b, vars[loop->loop.i.id].type.elem, i));
	Subs rows = {NEW_ARRAY(Sub, recs.len + 1), 0};
	Types ts = {0};
	record_types(w, &loop->loop.body, loop->loop.params.at[k], loop->loop.body.res.at[k], &ts);
	for (int r = 0; r < recs.len; r++) {
		Type t = ts.at[rows.len];
		if (!is_flat(w, t)) {
			rows.at[rows.len++] = b_index(b, recs.at[r], subs_of(1, i));
			continue;
		}
		Sub from = b_index(b, recs.at[r + 1], subs_of(1, i));
		Subs dims = SLICE_DUP(Subs, t.dims);
		dims.at[0] = b_index(b, recs.at[r + 2], subs_of(1, i));
		for (int d = 1; d < dims.len; d++)
			dims.at[d] = at_undo(w, dims.at[d]);
		Slices at = {NEW(DimSlice, false, from, b_product(b, dims), sub_i64(1)), 1};
		rows.at[rows.len++] = b_reshape(b, dims, b_slice(b, recs.at[r], at));
		r += FLAT_LOGS - 1;
	}
	return undo_body(w, &loop->loop.body, loop->loop.params.at[k], loop->loop.body.res.at[k],
	                 state, rows);
}
