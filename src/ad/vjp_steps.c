// Finds the chain of steps by which a body updates an array, and the types of their undo records;
// vjp_undo.c lists the kinds of steps.
#include "ad/vjp_loop.h"

// ---- Steps ----

// Has the part that is updated as many elements each time?  In the loop's own body it may differ,
// if all of its dimensions but the first can be computed again.
static bool shape_varies(const Varying *w, Slices at)
{
	bool first = true;
	for EACH(DimSlice, d, at) {
		if (d->fixed)
			continue;
		if (is_recorded(w, d->step) || (w->nest && is_varying(w, d->len)) ||
		    (!first && is_recorded(w, d->len)))
			return true;
		first = false;
	}
	return false;
}

static bool consumes(const Exp *e, Var x)
{
	SubVec eaten = {0};
	exp_consumed(e, &eaten);
	for EACH(Sub, s, eaten)
		if (sub_eq(*s, sub_var(x)))
			return true;
	return false;
}

static Step copy_step(const Varying *, const Stm *, int at, Var cur);
static bool reaches(const Varying *, const Body *, Var from, Sub to);

// The step of a chain that leaves a trail, if this statement takes it.
Step step_of_trail(const Varying *w, const Stm *s, int at, Var cur)
{
	const Exp *e = s->exp;
	Writes ws;
	if (e->form == E_update && sub_eq(e->update.arr, sub_var(cur)))
		return (Step){STEP_UPDATE, at, 0, s->pat.at[0]};
	if (e->form == E_atom && sub_eq(e->atom.x, sub_var(cur)))
		return (Step){STEP_NAME, at, 0, s->pat.at[0]};
	for (int j = 0; e->form == E_if_ && j < s->pat.len; j++)
		if (vars[s->pat.at[j].id].type.dims.len &&
		    reaches(w, &e->if_.yes, cur, e->if_.yes.res.at[j]) &&
		    reaches(w, &e->if_.no, cur, e->if_.no.res.at[j]))
			return (Step){STEP_IF, at, j, s->pat.at[j]};
	if (e->form != E_if_ && !consumes(e, cur))
		return (Step){.kind = STEP_NONE};
	for (int k = 0; e->form == E_loop && k < s->pat.len; k++)
		if (sub_eq(e->loop.inits.at[k], sub_var(cur)) &&
		    vars[e->loop.params.at[k].id].type.unique &&
		    reaches(w, &e->loop.body, e->loop.params.at[k], e->loop.body.res.at[k]))
			return (Step){STEP_LOOP, at, k, s->pat.at[k]};
	if (e->form != E_scatter && e->form != E_hist)
		return (Step){.kind = STEP_NONE};
	Step step = copy_step(w, s, at, cur);
	step.kind = writes_of(e, &ws) && ws.idx.len == vars[cur.id].type.dims.len ? STEP_WRITES
	          : STEP_COPY;
	return step;
}

Step next_of_trail(const Varying *w, const Body *b, Var cur)
{
	Step step = {.kind = STEP_NONE};
	for (int i = 0; i < b->stms.len && step.kind == STEP_NONE; i++)
		step = step_of_trail(w, &b->stms.at[i], i, cur);
	return step;
}

static bool reaches(const Varying *w, const Body *b, Var from, Sub to)
{
	for (Var cur = from; !sub_eq(to, sub_var(cur));) {
		Step step = next_of_trail(w, b, cur);
		if (step.kind == STEP_NONE)
			return false;
		cur = step.to;
	}
	return true;
}

// A size, for a number of iterations that is part of it: n for n - p or n / 2.
static Sub part_of(const Varying *w, Sub n)
{
	const Stm *def = n.kind == S_VAR ? map_get(&w->arithmetic, var_key(n.var)) : NULL;
	const Exp *e = def ? def->exp : NULL;
	if (e && (e->form == E_convert || e->form == E_atom))
		return part_of(w, e->form == E_atom ? e->atom.x : e->convert.x);
	if (!e || e->form != E_prim || prim_arity(e->prim.op) != 2)
		return n;
	return part_of(w, e->prim.op != P_sub && e->prim.x[0].kind == S_CONST ? e->prim.x[1]
	                  : e->prim.x[0]);
}

static bool goes_round(const Varying *w, const Stm *s, Subs rounds, Subs dims)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while)
		return false;
	rounds = subs_cat(rounds, subs_of(1, part_of(w, e->loop.n)));
	if (has_dims(w->v, rounds, &dims))
		return true;
	for EACH(Stm, t, e->loop.body.stms)
		if (goes_round(w, t, rounds, dims))
			return true;
	return false;
}

bool goes_over_all(const Varying *w, const Stm *s, Subs dims)
{
	return goes_round(w, s, (Subs){0}, dims);
}

// In the body itself records may vary in number: a trail.  Further inside there is only a copy.
static Step trail_or_copy(const Varying *w, const Stm *s, Step copy, Var cur)
{
	Step step = w->nest ? copy : step_of_trail(w, s, copy.at, cur);
	if (w->nest || step.kind == STEP_NONE || type_varies(w, vars[cur.id].type) ||
	    goes_over_all(w, s, vars[cur.id].type.dims))
		return copy;
	step.kind = STEP_TRAIL;
	return step;
}

static Step if_step(Varying *w, const Stm *s, int at, Var cur)
{
	const Exp *e = s->exp;
	Step found = {.kind = STEP_NONE};
	bool copies = w->copies;
	w->copies = false;
	w->nest++;
	for (int j = 0; j < s->pat.len && found.kind == STEP_NONE; j++) {
		Types scrap = {0};
		if (vars[s->pat.at[j].id].type.dims.len &&
		    record_types(w, &e->if_.yes, cur, e->if_.yes.res.at[j], &scrap) &&
		    record_types(w, &e->if_.no, cur, e->if_.no.res.at[j], &scrap))
			found = (Step){scrap.len ? STEP_IF : STEP_NAME, at, j, s->pat.at[j]};
	}
	w->nest--;
	if (found.kind == STEP_NONE || w->copies)
		found = trail_or_copy(w, s, (Step){found.kind, at, found.k, found.to}, cur);
	w->copies = copies || (w->copies && found.kind != STEP_TRAIL);
	return found;
}

// Records of a loop are arrays of records: are these as large in each of its iterations, and can
// their sizes be computed again?
static bool rows_fixed(const Varying *w, const Exp *loop, Types rows)
{
	Map bound = {0};
	Visit vis = {.bind = note_binder, .ctx = &bound};
	exp_walk(loop, &vis);
	for EACH(Type, t, rows)
		for EACH(Sub, d, t->dims)
			if (is_recorded(w, *d) ||
			    (d->kind == S_VAR && map_has(&bound, var_key(d->var))))
				return false;
	return true;
}

static Step loop_step(Varying *w, const Stm *s, int at, Var cur)
{
	const Exp *e = s->exp;
	for (int k = 0; k < s->pat.len; k++) {
		if (!sub_eq(e->loop.inits.at[k], sub_var(cur)) ||
		    !vars[e->loop.params.at[k].id].type.unique)
			continue;
		Types scrap = {0};
		Varying inner = *w;
		inner.known = (Map){0};
		inner.nest++;
		inner.copies = false;
		for MAP_EACH(m, w->known)
			map_put(&inner.known, m->key, m->val);
		if (!e->loop.is_while)
			varying_know(&inner, e->loop.i, sub_i64(0));
		bool ok = record_types(&inner, &e->loop.body, e->loop.params.at[k],
		                       e->loop.body.res.at[k], &scrap);
		if (ok && !scrap.len)
			return (Step){STEP_NAME, at, k, s->pat.at[k]};
		if (!ok || inner.copies || e->loop.is_while || !rows_fixed(w, e, scrap) ||
		    (w->nest && is_varying(w, e->loop.n)))
			return trail_or_copy(w, s, (Step){STEP_COPY, at, k, s->pat.at[k]}, cur);
		return (Step){STEP_LOOP, at, k, s->pat.at[k]};
	}
	return (Step){.kind = STEP_NONE};
}

static Step copy_step(const Varying *w, const Stm *s, int at, Var cur)
{
	const Exp *e = s->exp;
	StepKind kind = writes_few(w, e) ? STEP_WRITES : STEP_COPY;
	if (e->form == E_scatter)
		for (int k = 0; k < e->scatter.dests.len; k++)
			if (sub_eq(e->scatter.dests.at[k].dest, sub_var(cur)))
				return (Step){kind, at, k, s->pat.at[k]};
	int k = 0;
	if (e->form == E_hist)
		for EACH(HistOp, op, e->hist.ops)
			for EACH(Sub, d, op->dests) {
				if (sub_eq(*d, sub_var(cur)))
					return (Step){kind, at, k, s->pat.at[k]};
				k++;
			}
	return (Step){.kind = STEP_NONE};
}

static bool is_unlogged(const Varying *w, const Stm *s)
{
	for EACH(Unlogged, u, w->v->unlogged)
		if (u->loop == w->loop && u->stm == s->pat.at[0].id)
			return true;
	return false;
}

// The statement that makes the next state out of `cur`.
Step next_step(Varying *w, const Body *b, Var cur)
{
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		const Exp *e = s->exp;
		if (e->form == E_update && sub_eq(e->update.arr, sub_var(cur)))
			return is_unlogged(w, s) ? (Step){STEP_NAME, i, 0, s->pat.at[0]}
			     : shape_varies(w, e->update.at)
			     ? trail_or_copy(w, s, (Step){STEP_COPY, i, 0, s->pat.at[0]}, cur)
			     : (Step){STEP_UPDATE, i, 0, s->pat.at[0]};
		if (e->form == E_atom && sub_eq(e->atom.x, sub_var(cur)))
			return (Step){STEP_NAME, i, 0, s->pat.at[0]};
		if (e->form == E_if_ &&
		    vars_find(free_in_stm(s), sub_var(cur)) >= 0) {
			Step step = if_step(w, s, i, cur);
			if (step.kind != STEP_NONE)
				return step;
		}
		if (e->form == E_loop && consumes(e, cur))
			return loop_step(w, s, i, cur);
		if (consumes(e, cur))
			return copy_step(w, s, i, cur);
	}
	return (Step){.kind = STEP_NONE};
}

// ---- Types of records ----

static Sub row_count(Varying *w, Var after, int nth, Sub most)
{
	for EACH(TrailLength, t, w->v->trails)
		if (t->loop == w->loop && t->after == after.id && t->nth == nth)
			return sub_var(t->n);
	Var n = var_i64(nth < 0 ? "cells" : "rows");
	VEC_PUSH(&w->v->trails, (TrailLength){w->loop, after.id, nth, n, most});
	return sub_var(n);
}

// How many cells a statement leaves on its trail: known when it has run.
static Sub trail_length(Varying *w, Var after)
{
	return row_count(w, after, -1, sub_i64(0));
}

void push_type(Types *ts, Type t)
{
	Type *more = NEW_ARRAY(Type, ts->len + 1);
	if (ts->len)
		memcpy(more, ts->at, (size_t)ts->len * sizeof *more);
	t.unique = false;
	more[ts->len] = t;
	*ts = (Types){more, ts->len + 1};
}

static Type slice_type(Var arr, Slices at)
{
	return type_array(vars[arr.id].type.elem, slice_dims(at));
}

// Note [Rows of branches].  A record of a branch in an outermost loop has no rows where the branch
// is not taken, so that rows differ in number: three logs (is_flat).
//
//     loop (a = ..) while .. do                     log: a[:m] of those iterations alone in which
//       a = if c then a with [:m] = f a else a      the branch was taken, one after the other
//
// Unless those of all iterations are no more than the array itself: rows swapped in n steps.
static bool is_few(const Varying *w, Var cur, Type t)
{
	const Exp *e = w->around->exp;
	bool constant = true;
	for EACH(Sub, d, t.dims)
		constant &= d->kind == S_CONST;
	Subs all = e->loop.is_while ? t.dims : subs_cat(subs_of(1, e->loop.n), t.dims);
	return constant || (!e->loop.is_while && has_dims(w->v, vars[cur.id].type.dims, &all));
}

static bool is_outermost(const Varying *w)
{
	const Stm *s = w->around;
	const Cell *c = s->pat.len ? cell_of(w->v, s->pat.at[0]) : NULL;
	return s->exp->form == E_loop && w->nest == 0 && c && !level_in_loop(c->level) &&
	       ad_by_one_thread(level_in_rows(c->level));
}

bool branch_types(Varying *w, const Stm *s, Var cur, int k, Types *yes, Types *no)
{
	const Exp *e = s->exp;
	int nth = 0;
	w->nest++;
	bool ok = record_types(w, &e->if_.yes, cur, e->if_.yes.res.at[k], yes) &&
	          record_types(w, &e->if_.no, cur, e->if_.no.res.at[k], no);
	w->nest--;
	for (int branch = 0; ok && branch < 2 && is_outermost(w); branch++) {
		Types ts = branch ? *no : *yes;
		for EACH(Type, t, ts) {
			if (!t->dims.len || type_varies(w, *t) || is_few(w, cur, *t))
				continue;
			Sub most = t->dims.at[0];
			t->dims = SLICE_DUP(Subs, t->dims);
			t->dims.at[0] = row_count(w, s->pat.at[k], nth++, most);
		}
	}
	return ok;
}

bool is_of_branch(const Varying *w, Type t, Sub *most)
{
	for EACH(TrailLength, n, w->v->trails)
		if (n->nth >= 0 && t.dims.len && sub_eq(t.dims.at[0], sub_var(n->n))) {
			*most = n->most;
			return true;
		}
	return false;
}

bool step_types(Varying *w, const Body *b, Var cur, Step step, Types *out)
{
	const Exp *e = b->stms.at[step.at].exp;
	switch (step.kind) {
	case STEP_NONE:
		return false;
	case STEP_NAME:
		return true;
	case STEP_UPDATE:
		for EACH(DimSlice, d, e->update.at)
			if (is_recorded(w, d->start))
				push_type(out, type_scalar(PT_I64));
		push_type(out, slice_type(cur, e->update.at));
		return true;
	case STEP_WRITES: {
		Writes ws;
		Sub rows = rows_of_record(w, &b->stms.at[step.at]);
		writes_of(e, &ws);
		for (int i = 0; i < ws.idx.len; i++)
			push_type(out, type_of_rows(rows, type_scalar(PT_I64)));
		push_type(out, type_of_rows(rows, type_drop(vars[cur.id].type, ws.idx.len)));
		return !type_varies(w, is_flat(w, out->at[out->len - 1])
		                       ? type_row(out->at[out->len - 1]) : out->at[out->len - 1]);
	}
	case STEP_TRAIL: {
		Subs n = subs_of(1, trail_length(w, step.to));
		push_type(out, type_array(PT_I64, n));
		push_type(out, type_array(vars[cur.id].type.elem, n));
		return w->nest == 0;
	}
	case STEP_COPY:
		w->copies = true;
		push_type(out, vars[cur.id].type);
		return !type_varies(w, vars[cur.id].type);
	case STEP_IF: {
		if (is_recorded(w, e->if_.cond))
			push_type(out, type_scalar(PT_BOOL));
		Types yes = {0}, no = {0};
		bool ok = branch_types(w, &b->stms.at[step.at], cur, step.k, &yes, &no);
		for EACH(Type, t, yes)
			push_type(out, *t);
		for EACH(Type, t, no)
			push_type(out, *t);
		return ok;
	}
	case STEP_LOOP: {
		Types rows = {0};
		varying_know(w, e->loop.i, sub_i64(0));
		w->nest++;
		bool ok = record_types(w, &e->loop.body, e->loop.params.at[step.k],
		                       e->loop.body.res.at[step.k], &rows);
		w->nest--;
		if (!ok)
			return false;
		for EACH(Type, t, rows)
			push_type(out, type_of_rows(e->loop.n, *t));
		return true;
	}
	}
	return false;
}

bool record_types(Varying *w, const Body *b, Var from, Sub to, Types *out)
{
	for (Var cur = from; !sub_eq(to, sub_var(cur));) {
		Step step = next_step(w, b, cur);
		if (step.kind == STEP_NONE || !step_types(w, b, cur, step, out))
			return false;
		cur = step.to;
	}
	return true;
}
