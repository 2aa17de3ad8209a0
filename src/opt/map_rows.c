// Turns loops whose iterations each access only their own row of an array into maps over the rows.
//
//     loop (a: *[n]f64 = a0) for i: i64 < n do {        screma n (iota n, a0) map=\(i, r) -> {
//       let (x: f64) = index a [i]                        let (x: f64) = r
//       let (y: f64) = ..x..                       ->     let (y: f64) = ..x..
//       let (b: [n]f64) = update a [i] y                  in y
//       in b                                            }
//     }
//
// Of the arrays that the loop carries, an iteration reads and writes only the row with its own
// number.  Other loop parameters are accumulators with an operator, whose updates may come in any
// order.
//
// Nested branches and loops that carry the array carry the row instead, so nested loops become
// nested maps.
//
//     loop (a = a0) for i < n do                         screma n (iota n, a0) map=\(i, r) ->
//       loop (b = a) for j < m do                   ->     screma m (iota m, r) map=\(j, _) ->
//         b with [i, j] = f i j                              f i j
//
// Loops with attributes stay as they are: these say how to run or differentiate a loop.
//
// Part of the pass `map_loops`.
#include "opt/map_loops.h"

typedef struct {
	Build b;
	Sub i;                                  // the iteration
	Map rows;                               // array -> Sub *, its row i
	Map shared;                             // rows that are other arrays as well
	bool fails;                             // another row is read or written
	bool some, all;                         // cells that are written: some, maybe all
} Rows;

static const Sub *row_of(const Rows *r, Sub x)
{
	return x.kind == S_VAR ? map_get(&r->rows, var_key(x.var)) : NULL;
}

static void set_row(Rows *r, Var array, Sub row)
{
	map_put(&r->rows, var_key(array), mem_dup(&row, sizeof row));
}

static Type row_type(Type t)
{
	Type row = type_row(t);
	row.unique = t.unique && row.dims.len > 0;
	return row;
}

// A variable for the row of what `array` is from here on.
static Var row_var(Rows *r, Var array)
{
	Var v = var_new(vars[array.id].hint, row_type(vars[array.id].type));
	set_row(r, array, sub_var(v));
	return v;
}

static bool is_shared(const Rows *r, Sub row)
{
	return row.kind == S_VAR && sub_type(row).dims.len &&
	       map_has(&r->shared, var_key(row.var));
}

// The row, to be consumed.
static Sub own_row(Rows *r, Sub row)
{
	return is_shared(r, row) ? b_copy(&r->b, row) : row;
}

static Body row_body(Rows *, const Body *, bool own);

static void check_operand(Visit *v, Sub *x)
{
	Rows *r = v->ctx;
	r->fails |= row_of(r, *x) != NULL;
}

static void nested_body(Visit *v, Body *b)
{
	*b = row_body(v->ctx, b, false);
}

static void emit_as(Rows *r, const Stm *s, Exp *e)
{
	Stm t = *s;
	t.exp = e;
	b_emit(&r->b, t);
}

static void emit_index(Rows *r, const Stm *s, Sub row)
{
	Subs idx = s->exp->index.idx;
	r->fails |= !sub_eq(idx.at[0], r->i);
	idx = subs_part(idx, 1, idx.len - 1);
	emit_as(r, s, idx.len ? EXP(index, row, idx) : EXP(atom, row));
}

static Slices inner(Slices at)
{
	return (Slices){at.at + 1, at.len - 1};
}

static void emit_slice(Rows *r, const Stm *s, Sub row)
{
	Slices at = s->exp->slice.at;
	r->fails |= !is_row_at(at, r->i);
	emit_as(r, s, EXP(slice, row, inner(at)));
}

static void emit_update(Rows *r, const Stm *s, Sub row)
{
	Slices at = s->exp->update.at;
	Sub val = s->exp->update.val;
	Stm t = *s;
	bool whole = is_whole_slice(inner(at), sub_type(row).dims);
	r->fails |= !is_row_at(at, r->i) || row_of(r, val);
	row = whole ? row : own_row(r, row);
	r->some |= !whole;
	r->all |= whole;
	t.pat = vars_of(1, row_var(r, s->pat.at[0]));
	t.exp = whole ? EXP(atom, val) : EXP(update, row, inner(at), val);
	if (whole)
		map_put(&r->shared, var_key(t.pat.at[0]), r);
	b_emit(&r->b, t);
}

// The results that are arrays of rows in one body must be so in the other.
static Vars row_pattern(Rows *r, Vars pat, Subs res, Subs other)
{
	pat = SLICE_DUP(Vars, pat);
	for (int k = 0; k < pat.len; k++) {
		bool is_row = row_of(r, res.at[k]);
		r->fails |= is_row != (row_of(r, other.at[k]) != NULL);
		if (is_row)
			pat.at[k] = row_var(r, pat.at[k]);
	}
	return pat;
}

static void emit_if(Rows *r, const Stm *s)
{
	Exp *e = exp_dup(s->exp);
	Subs yes = e->if_.yes.res, no = e->if_.no.res;
	Stm t = *s;
	r->fails |= row_of(r, e->if_.cond) != NULL;
	e->if_.yes = row_body(r, &e->if_.yes, false);
	e->if_.no = row_body(r, &e->if_.no, false);
	t.pat = row_pattern(r, s->pat, yes, no);
	for (int k = 0; k < t.pat.len; k++)
		if (is_shared(r, e->if_.yes.res.at[k]) || is_shared(r, e->if_.no.res.at[k]))
			map_put(&r->shared, var_key(t.pat.at[k]), r);
	t.exp = e;
	b_emit(&r->b, t);
}

static void emit_loop(Rows *r, const Stm *s)
{
	Exp *e = exp_dup(s->exp);
	Subs inits = SLICE_DUP(Subs, e->loop.inits), res = e->loop.body.res;
	Stm t = *s;
	e->loop.params = SLICE_DUP(Vars, e->loop.params);
	for (int k = 0; k < inits.len; k++) {
		const Sub *row = row_of(r, inits.at[k]);
		if (!row)
			continue;
		r->all = true;
		inits.at[k] = own_row(r, *row);
		e->loop.params.at[k] = row_var(r, e->loop.params.at[k]);
	}
	e->loop.body = row_body(r, &e->loop.body, true);
	t.pat = row_pattern(r, s->pat, s->exp->loop.inits, res);
	e->loop.inits = inits;
	t.exp = e;
	b_emit(&r->b, t);
}

static void emit_stm(Rows *r, const Stm *s)
{
	const Exp *e = s->exp;
	const Sub *row = e->form == E_index  ? row_of(r, e->index.arr)
	               : e->form == E_slice  ? row_of(r, e->slice.arr)
	               : e->form == E_update ? row_of(r, e->update.arr)
	                                     : NULL;
	if (e->form == E_if_)
		emit_if(r, s);
	else if (e->form == E_loop)
		emit_loop(r, s);
	else if (row && e->form == E_index)
		emit_index(r, s, *row);
	else if (row && e->form == E_slice)
		emit_slice(r, s, *row);
	else if (row)
		emit_update(r, s, *row);
	else {
		Visit v = {.sub = check_operand, .body = nested_body, .copy = true, .ctx = r};
		emit_as(r, s, exp_visit(s->exp, &v));
	}
}

// own: rows that it gives are consumed.
static Body row_body(Rows *r, const Body *b, bool own)
{
	b_open(&r->b);
	for EACH(Stm, s, b->stms)
		emit_stm(r, s);
	Subs res = SLICE_DUP(Subs, b->res);
	for EACH(Sub, x, res) {
		const Sub *row = row_of(r, *x);
		*x = !row ? *x : own ? own_row(r, *row) : *row;
	}
	return b_close(&r->b, res);
}

bool may_be_rows(const MapLoops *m, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || has_attrs(s->attrs) || !e->loop.params.len ||
	    sub_type(e->loop.n).elem != PT_I64 || exp_has_traces(e))
		return false;
	for EACH(Var, p, e->loop.params) {
		Type t = vars[p->id].type;
		bool rows = t.kind == T_DATA && t.dims.len && sub_eq(t.dims.at[0], e->loop.n);
		if (!rows && !(t.kind == T_ACC && map_has(&m->unordered, var_key(t.acc->token))))
			return false;
	}
	return true;
}

Exp *rows_as_map(const Stm *s, bool *partly)
{
	const Exp *e = s->exp;
	Rows r = {.b = {.where = s->where}, .i = sub_var(e->loop.i)};
	Vars params = vars_cat(vars_of(1, e->loop.i), e->loop.params);
	Types ret = types_of_vars(e->loop.params);
	for (int k = 0; k < ret.len; k++)
		if (ret.at[k].kind == T_DATA) {
			Var row = params.at[k + 1] = row_var(&r, e->loop.params.at[k]);
			vars[row.id].type.unique = false; // a map does not consume its inputs
			map_put(&r.shared, var_key(row), &r);
			ret.at[k] = row_type(ret.at[k]);
			ret.at[k].unique = false;
			r.fails |= !row_of(&r, e->loop.body.res.at[k]) &&
			           !stm_in(&e->loop.body, e->loop.body.res.at[k]);
		}
	Body body = row_body(&r, &e->loop.body, false);
	for (int k = 0; k < ret.len; k++)
		r.fails |= ret.at[k].kind == T_DATA && !row_of(&r, e->loop.body.res.at[k]);
	*partly = r.some && !r.all;
	if (r.fails)
		return NULL;
	return EXP(screma, .n = e->loop.n, .arrs = e->loop.inits,
	           .map = NEW(Lambda, .params = params, .ret = ret, .body = body));
}

// For one thread a loop that updates some cells of each row and leaves the others stays: a map
// would make all of them anew.
bool map_rows(MapLoops *m, Build *b, Stm *s)
{
	bool partly = false;
	Exp *map = may_be_rows(m, s) ? rows_as_map(s, &partly) : NULL;
	if (!map || (partly && (!m->threads || gives_cells(s->exp))) || !may_rewrite())
		return false;
	b->where = s->where;
	map->screma.arrs = subs_cat(subs_of(1, b_iota(b, map->screma.n)), map->screma.arrs);
	s->exp = map;
	return true;
}
