// Turns loops whose iterations update a few cells of their own row of an array, at places that are
// the same in all rows, into a map that gives these cells, and updates of columns.
//
//     loop (a: *[n][m]f64 = a0) for i < n do {      let (us, vs: [n]f64) = screma n (iota n)
//       x = index a [i, p];  y = index a [i, q]       map=\(i) -> {
//       b = update a [i, p] (x - y)            ->       x = index a0 [i, p];  y = index a0 [i, q]
//       update b [i, q] (x + y)                         in x - y, x + y
//     }                                               }
//                                                   b = update a0 [0:n, p] us
//                                                   update b [0:n, q] vs
//
// A map of the rows (map_rows.c) would make all of each row anew, and its derivative keep all of
// the array where two columns are enough.  Rows of constant size are small: they are made anew.
//
// Part of the pass `map_loops`.
#include "opt/map_loops.h"

// The updates of an array that the loop carries, last one first.
typedef VEC(const Stm *) Cells;

static bool is_outside(const Exp *loop, Sub x)
{
	return !sub_eq(x, sub_var(loop->loop.i)) && !stm_in(&loop->loop.body, x);
}

static bool same_in_all_rows(const Exp *loop, const Stm *update)
{
	Slices at = update->exp->update.at;
	for (int d = 1; d < at.len; d++)
		if (!is_outside(loop, at.at[d].start) ||
		    (!at.at[d].fixed && (!is_outside(loop, at.at[d].len) ||
		                         !is_outside(loop, at.at[d].step))))
			return false;
	for EACH(Var, c, update->certs)
		if (!is_outside(loop, sub_var(*c)))
			return false;
	for EACH(Sub, d, sub_type(update->exp->update.val).dims)
		if (!is_outside(loop, *d))
			return false;
	return true;
}

// From what the loop gives back to parameter k.
static bool find_cells(const Exp *loop, int k, Cells *out)
{
	const Body *b = &loop->loop.body;
	Sub array = b->res.at[k];
	const Stm *s;
	while ((s = stm_in(b, array)) && s->exp->form == E_update) {
		if (n_uses_in(b, s->pat.at[0]) != 1 || !same_in_all_rows(loop, s))
			return false;
		VEC_PUSH(out, s);
		array = s->exp->update.arr;
	}
	return out->len && sub_eq(array, sub_var(loop->loop.params.at[k]));
}

static bool is_constant(Subs dims)
{
	for EACH(Sub, d, dims)
		if (d->kind != S_CONST)
			return false;
	return true;
}

// cells: one for each array that the loop carries.
static bool all_cells(const Exp *loop, Cells *cells)
{
	for (int k = 0; k < loop->loop.params.len; k++) {
		Type t = vars[loop->loop.params.at[k].id].type;
		if (t.kind != T_DATA || is_constant(type_row(t).dims) ||
		    !find_cells(loop, k, &cells[k]))
			return false;
	}
	return true;
}

bool gives_cells(const Exp *loop)
{
	return all_cells(loop, NEW_ARRAY(Cells, loop->loop.params.len + 1));
}

static void update_columns(Build *b, const Stm *loop, int k, const Cells *cells, Subs columns)
{
	Sub array = loop->exp->loop.inits.at[k];
	Var last = loop->pat.at[k];
	for (int i = cells->len; i-- > 0;) {
		const Stm *u = cells->at[i];
		Slices at = SLICE_DUP(Slices, u->exp->update.at);
		at.at[0] = dim_whole(loop->exp->loop.n);
		Var v = i ? var_new(vars[last.id].hint, vars[last.id].type) : last;
		Vars certs = b->certs;
		b->certs = vars_cat(certs, u->certs);
		b_stm(b, vars_of(1, v), EXP(update, array, at, columns.at[cells->len - 1 - i]));
		b->certs = certs;
		array = sub_var(v);
	}
}

static bool is_cell(const Cells *cells, int n, const Stm *s)
{
	for (int k = 0; k < n; k++)
		for EACH(const Stm *, c, cells[k])
			if (*c == s)
				return true;
	return false;
}

static Lambda *cells_of_row(const Exp *e, const Cells *cells)
{
	Map to = {0};
	VEC(Sub) res = {0};
	VEC(Type) ret = {0};
	VEC(Stm) stms = {0};
	for (int k = 0; k < e->loop.params.len; k++) {
		map_put(&to, var_key(e->loop.params.at[k]), &e->loop.inits.at[k]);
		for (int i = cells[k].len; i-- > 0;) {
			Sub val = cells[k].at[i]->exp->update.val;
			Type t = type_plain(sub_type(val));
			VEC_PUSH(&res, val);
			VEC_PUSH(&ret, t);
		}
	}
	for EACH(Stm, s, e->loop.body.stms)
		if (!is_cell(cells, e->loop.params.len, s))
			VEC_PUSH(&stms, *s);
	Body body = body_subst((Body){VEC_SLICE(Stms, stms), VEC_SLICE(Subs, res)}, &to);
	return NEW(Lambda, .params = vars_of(1, e->loop.i), .ret = VEC_SLICE(Types, ret),
	           .body = body);
}

bool map_cells(MapLoops *m, Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	bool partly = false;
	if (!m->threads || !may_be_rows(m, s) || !rows_as_map(s, &partly) || !partly)
		return false;
	Cells *cells = NEW_ARRAY(Cells, e->loop.params.len + 1);
	if (!all_cells(e, cells) || !may_rewrite())
		return false;
	Vars certs = b->certs;
	b->where = s->where;
	b->certs = s->certs;
	Subs rows = subs_of(1, b_iota(b, e->loop.n));
	Subs columns = b_map(b, e->loop.n, rows, cells_of_row(e, cells));
	for (int k = 0, at = 0; k < e->loop.params.len; at += cells[k++].len)
		update_columns(b, s, k, &cells[k], subs_part(columns, at, cells[k].len));
	b->certs = certs;
	return true;
}
