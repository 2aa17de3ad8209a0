// Interchanges two loops that write the cells of a matrix; the inner one then becomes a map.
//
//     loop (p = a) for i < n do                       loop (p = a) for j < n do {
//       loop (q = p) for j < i + 1 do {                 cell (j, j)
//         .. cells [i, k] and [j, k] for k < j ..  ->   rows = map over i = j + 1 .. n - 1:
//         q with [i, j] = x                                    .. [i, k] and [j, k] ..  in x
//       }                                               p with [j + 1:n, j] = rows
//                                                     }
//
// Iterations (i2, j2) that precede (i, j) but have j < j2 follow it after the interchange, so
// neither may write what the other reads or writes.  The inner loop has either the same number of
// iterations in each row, or i + 1; in the latter case the first row of a column is processed
// before the others, which may depend on it.
//
// Part of the pass `map_loops`; not applied inside combinators, and only if the rows then form a
// map.
#include "opt/map_loops.h"

typedef struct {
	const Stm *s;
	const Exp *outer, *inner;
	bool triangle;                          // the inner one has i + 1 iterations; else as many
} Nest;

// loop (p) for i < n do {m = i + 1;  loop (q = p) for j < m do ..}
static bool find_nest(MapLoops *m, const Stm *s, Nest *nest)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || e->loop.params.len != 1 || s->certs.len ||
	    !e->loop.body.stms.len)
		return false;
	const Stms *stms = &e->loop.body.stms;
	const Stm *last = &stms->at[stms->len - 1];
	const Exp *in = last->exp;
	if (in->form != E_loop || in->loop.is_while || in->loop.params.len != 1 ||
	    last->certs.len ||
	    !sub_eq(e->loop.body.res.at[0], sub_var(last->pat.at[0])) ||
	    !sub_eq(in->loop.inits.at[0], sub_var(e->loop.params.at[0])))
		return false;
	for (int i = 0; i + 1 < stms->len; i++)
		if (stms->at[i].exp->form != E_prim || stms->at[i].certs.len)
			return false;
	Sub i = sub_var(e->loop.i);
	const Exp *n = loop_def(m, in->loop.n);
	bool is_sum = n && n->form == E_prim && n->prim.op == P_add && n->prim.at == PT_I64;
	*nest = (Nest){s, e, in, is_sum && ((sub_eq(n->prim.x[0], i) &&
	                                     sub_eq(n->prim.x[1], sub_i64(1))) ||
	                                    (sub_eq(n->prim.x[1], i) &&
	                                     sub_eq(n->prim.x[0], sub_i64(1))))};
	return nest->triangle || (in->loop.n.kind == S_CONST || !stm_in(&e->loop.body, in->loop.n));
}

// Indices of the update in iteration (i2, j2).
static bool other_indices(const Nest *nest, Written *w, Sub i2, Sub j2)
{
	const Slices *at = &w->update->exp->update.at;
	w->other = slice_starts(*at);
	for (int d = 0; d < at->len; d++) {
		Sub *x = &w->other.at[d];
		if (!at->at[d].fixed)
			return false;
		if (sub_eq(*x, sub_var(nest->outer->loop.i)))
			*x = i2;
		else if (sub_eq(*x, sub_var(nest->inner->loop.i)))
			*x = j2;
		else if (loop_varies(w, *x))
			return false;
	}
	return true;
}

// i2 and j2 are of another iteration, which changes places with (i, j): it comes before it with
// i2 < i and j < j2, or after it with i < i2 and j2 < j.
static void enter_other(MapLoops *m, const Nest *nest, Sub i2, Sub j2, bool before)
{
	const Exp *out = nest->outer, *in = nest->inner;
	Sub i = sub_var(out->loop.i), j = sub_var(in->loop.i);
	range_counter(&m->range, i.var, out->loop.n);
	range_counter(&m->range, j.var, in->loop.n);
	range_counter(&m->range, i2.var, before ? i : out->loop.n);
	if (!before)
		range_counter(&m->range, j2.var, j);
	else if (nest->triangle)
		range_counter(&m->range, j2.var, name_for(m, PT_I64, P_add, i2, sub_i64(1)));
	else
		range_counter(&m->range, j2.var, in->loop.n);
	Sub less = before ? name_for(m, PT_BOOL, P_lt, j, j2) : name_for(m, PT_BOOL, P_lt, i, i2);
	range_assume(&m->range, less, true, (Var){0});
}

// Does it write nothing that (i, j) reads or writes?
static bool is_apart_from_other(MapLoops *m, const Nest *nest, Written w, bool before)
{
	Sub i2 = sub_var(var_new(NULL, type_scalar(PT_I64))),
	    j2 = sub_var(var_new(NULL, type_scalar(PT_I64)));
	if (!other_indices(nest, &w, i2, j2))
		return false;
	int facts = range_mark(&m->range);
	enter_other(m, nest, i2, j2, before);
	bool apart = false;
	const Slices *at = &w.update->exp->update.at;
	for (int d = 0; d < at->len; d++)
		apart |= is_apart(&w, &at->at[d], w.other.at[d]);
	check_reads(&w, &nest->inner->loop.body);
	range_release(&m->range, facts);
	return apart && !w.failed;
}

static bool may_turn(MapLoops *m, const Nest *nest)
{
	const Exp *in = nest->inner;
	Map inside = {0};
	Visit bound = {.bind = note_binder, .ctx = &inside};
	exp_walk(nest->outer, &bound);
	Written w = {.m = m, .loop = in, .inside = &inside, .param = in->loop.params.at[0],
	             .update = stm_in(&in->loop.body, in->loop.body.res.at[0])};
	return w.update && w.update->exp->form == E_update && !w.update->certs.len &&
	       is_written(&w, w.update->exp->update.arr) &&
	       n_uses_in(&in->loop.body, w.update->pat.at[0]) == 1 &&
	       is_apart_from_other(m, nest, w, true) && is_apart_from_other(m, nest, w, false);
}

// The body in iteration (i, j), of array p; gives the array after it.
static Sub emit_iteration(MapLoops *m, Build *b, const Nest *nest, Sub i, Sub j, Sub p)
{
	Map to = {0};
	VEC(Stm) stms = {0};
	subst_put(&to, nest->outer->loop.i, i);
	subst_put(&to, nest->inner->loop.i, j);
	subst_put(&to, nest->inner->loop.params.at[0], p);
	for (int k = 0; k + 1 < nest->outer->loop.body.stms.len; k++)
		VEC_PUSH(&stms, nest->outer->loop.body.stms.at[k]);
	VEC_APPEND(&stms, nest->inner->loop.body.stms);
	Body body = body_subst(body_rename(
		(Body){VEC_SLICE(Stms, stms), nest->inner->loop.body.res}), &to);
	for EACH(Stm, s, body.stms) {
		note_stm(m, s);
		b_emit(b, *s);
	}
	return body.res.at[0];
}

static Sub emit_known(MapLoops *m, Build *b, Prim op, Sub x, Sub y)
{
	Sub out = b_prim2(b, op, x, y);
	if (out.kind == S_VAR && !sub_eq(out, x))
		map_put(&m->defs, var_key(out.var), EXP(prim, op, PT_I64, {x, y}));
	return out;
}

// The rows of column j as a map; those of a triangle after the first of them, on which they depend.
static bool emit_column(MapLoops *m, Build *b, const Nest *nest, Var p, Sub j, Sub *res)
{
	Type t = vars[p.id].type;
	Sub n = nest->outer->loop.n, arr = sub_var(p), first = sub_i64(0);
	if (nest->triangle) {
		arr = emit_iteration(m, b, nest, j, j, arr);
		first = emit_known(m, b, P_add, j, sub_i64(1));
		n = emit_known(m, b, P_sub, n, first);
	}
	Var row = var_i64("i"), q = var_new(name_of("rows"), t);
	b_open(b);
	Sub i = emit_known(m, b, P_add, sub_var(row), first);
	Body body = b_close(b, subs_of(1, emit_iteration(m, b, nest, i, j, sub_var(q))));
	t.unique = false;
	Stm inner = {.pat = vars_of(1, var_new(name_of("rows"), t)), .where = nest->s->where,
	             .exp = EXP(loop, .params = vars_of(1, q), .inits = subs_of(1, arr), .i = row,
	                        .n = n, .body = body)};
	*res = sub_var(inner.pat.at[0]);
	return map_parts(m, b, &inner);
}

// A loop over columns around a map over rows, in place of rows around columns.
bool turn_nest(MapLoops *m, Build *b, const Stm *s)
{
	Nest nest;
	if (m->soacs || !find_nest(m, s, &nest) || !body_find(&nest.inner->loop.body, is_work) ||
	    !may_turn(m, &nest))
		return false;
	Type t = vars[nest.outer->loop.params.at[0].id].type;
	Var j = var_i64("j"), p = var_new(name_of("columns"), t);
	Sub n = nest.triangle ? nest.outer->loop.n : nest.inner->loop.n, res = {0};
	int facts = range_mark(&m->range);
	Build alone = {.where = s->where};
	range_counter(&m->range, j, n);
	m->depth++;
	b_open(&alone);
	bool done = emit_column(m, &alone, &nest, p, sub_var(j), &res);
	Body body = b_close(&alone, subs_of(done, res));
	m->depth--;
	range_release(&m->range, facts);
	if (done)
		b_emit(b, (Stm){.pat = s->pat, .where = s->where,
		                .exp = EXP(loop, .params = vars_of(1, p),
		                           .inits = nest.outer->loop.inits, .i = j, .n = n,
		                           .body = body)});
	return done;
}
