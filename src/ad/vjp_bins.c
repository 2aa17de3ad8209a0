// Normalises histograms to the form that the rules of reverse mode expect.
//
// Each histogram has one operator that cannot be decomposed into independent components, and its
// indices and values are arrays:
//
//     hist dest (\(a, b) (c, d) -> (a + c, b * d))   ->   two histograms
//     hist dest (map2 op) is rows                    ->   hist dest op (is, columns) cells
//
// The value of dest at the bin of each element becomes a further input that the lambda ignores:
// when the return sweep needs it, dest has been consumed, and storing all of dest would usually
// take much more memory.
//
//     olds = map (\i -> dest[i]) is
//     hs = hist dest op (is, as, olds) \(i, a, _) -> (i, a)
//
// In sequential code, and inside combinators, where more parallelism gains little, a histogram with
// an operator other than addition, min and max becomes a loop that updates in place.
#include "ad/vjp_loop.h"

// One operator with its inputs and results.
typedef struct { HistOp op; Sub n; Subs idx, vals; Vars pat; } Bins;
// Elements as they come: rows of arrays, to which the lambda is applied for indices and values.
typedef struct { Subs arrs; const Lambda *map; Maps *maps; } Elements;

// ---- Operators that are several ----

enum { MOST_PARTS = 64 };

typedef struct { Map uses; uint64_t found; } Uses; // variable -> which components it comes from

static void note_use(Visit *v, Sub *s)
{
	Uses *u = v->ctx;
	if (s->kind == S_VAR)
		u->found |= (uint64_t)(uintptr_t)map_get(&u->uses, var_key(s->var));
}

// For each component those that it depends on.
static void components(const Lambda *op, uint64_t *out)
{
	int k = op->ret.len;
	Uses u = {0};
	Visit v = {.sub = note_use, .ctx = &u};
	for (int i = 0; i < 2 * k; i++)
		map_put(&u.uses, var_key(op->params.at[i]),
		        (void *)(uintptr_t)((uint64_t)1 << i % k));
	for EACH(Stm, s, op->body.stms) {
		Stm t = *s;
		u.found = 0;
		stm_walk(&t, &v);
		vars_put(&u.uses, s->pat, (void *)(uintptr_t)u.found);
	}
	for (int c = 0; c < k; c++) {
		u.found = (uint64_t)1 << c;
		Sub r = op->body.res.at[c];
		note_use(&v, &r);
		out[c] = u.found;
	}
	for (int round = 0; round < k; round++)
		for (int c = 0; c < k; c++)
			for (int d = 0; d < k; d++)
				if (out[c] & out[d])
					out[c] = out[d] = out[c] | out[d];
}

static Subs subs_in(Subs s, uint64_t which)
{
	Subs out = {NEW_ARRAY(Sub, s.len + 1), 0};
	for (int i = 0; i < s.len; i++)
		if (which >> i & 1)
			out.at[out.len++] = s.at[i];
	return out;
}

static Vars vars_in(Vars s, uint64_t which)
{
	Vars out = {NEW_ARRAY(Var, s.len + 1), 0};
	for (int i = 0; i < s.len; i++)
		if (which >> i & 1)
			out.at[out.len++] = s.at[i];
	return out;
}

static Lambda *operator_on(const Lambda *op, uint64_t which)
{
	int k = op->ret.len;
	Vars left = vars_in((Vars){op->params.at, k}, which);
	Vars right = vars_in((Vars){op->params.at + k, k}, which);
	Types ret = {NEW_ARRAY(Type, k), 0};
	for (int c = 0; c < k; c++)
		if (which >> c & 1)
			ret.at[ret.len++] = op->ret.at[c];
	Map needed = {0};
	Body body = body_part(&op->body, subs_in(op->body.res, which), &needed);
	return lambda_rename(&(Lambda){vars_cat(left, right), ret, body});
}

static Bins bins_of(const Bins *b, uint64_t which)
{
	return (Bins){{operator_on(b->op.op, which), subs_in(b->op.ne, which),
	               subs_in(b->op.dests, which), b->op.space},
	              b->n,
	              b->idx,
	              subs_in(b->vals, which),
	              vars_in(b->pat, which)};
}

// ---- Operators on rows ----

// The operator of a map over the cells of its operands, and how many dimensions these have; NULL if
// it is none.
static const Lambda *cell_operator(const Lambda *op, int *rank)
{
	*rank = 0;
	for (const Lambda *f = op;; (*rank)++) {
		if (type_is_scalar(vars[f->params.at[0].id].type))
			return *rank ? f : NULL;
		const Body *b = &f->body;
		const Exp *e = b->stms.len == 1 ? b->stms.at[0].exp : NULL;
		if (!e || e->form != E_screma || e->screma.scans.len || e->screma.reds.len ||
		    b->res.len != 1 || b->stms.at[0].pat.len != 1 || e->screma.arrs.len != 2 ||
		    !sub_eq(b->res.at[0], sub_var(b->stms.at[0].pat.at[0])) ||
		    !sub_eq(e->screma.arrs.at[0], sub_var(f->params.at[0])) ||
		    !sub_eq(e->screma.arrs.at[1], sub_var(f->params.at[1])))
			return NULL;
		f = e->screma.map;
	}
}

// A cell of the neutral element; there may be none.
static Sub neutral_cell(Build *b, Sub ne)
{
	Subs dims = sub_type(ne).dims, at = {NEW_ARRAY(Sub, dims.len), dims.len};
	Sub some = sub_bool(true);
	for (int d = 0; d < dims.len; d++) {
		some = b_prim2(b, P_and, some, b_lt(b, sub_i64(0), dims.at[d]));
		at.at[d] = sub_i64(0);
	}
	b_open(b);
	Body yes = b_close(b, subs_of(1, b_index(b, ne, at)));
	Type t = type_scalar(sub_type(ne).elem);
	Body no = {.res = subs_of(1, sub_zero(t.elem))};
	return b_let(b, "ne", t, EXP(if_, some, yes, no));
}

// Element t of the flat rows: its index, then the place in the row.
static Subs cell_indices(Build *b, Sub n, Subs idx, Subs row, Sub cells)
{
	Sub all = b_mul(b, n, cells), ts = b_iota(b, all);
	Var t = param_of_row(ts, "t");
	b_open(b);
	Subs out = {NEW_ARRAY(Sub, idx.len + row.len), idx.len + row.len};
	Sub rest = sub_var(t);
	for (int d = row.len; d-- > 0;) {
		out.at[idx.len + d] = b_prim2(b, P_rem, rest, row.at[d]);
		rest = b_prim2(b, P_quot, rest, row.at[d]);
	}
	for (int d = 0; d < idx.len; d++)
		out.at[d] = b_index(b, idx.at[d], subs_of(1, rest));
	return b_map(b, all, subs_of(1, ts), b_lambda(b, vars_of(1, t), out));
}

static Bins by_cells(Build *b, const Bins *x, const Lambda *op, int rank)
{
	Subs dims = sub_type(x->op.dests.at[0]).dims, row = subs_part(dims, dims.len - rank, rank);
	Sub cells = sub_i64(1);
	for EACH(Sub, d, row)
		cells = b_mul(b, cells, *d);
	Sub all = b_mul(b, x->n, cells);
	Sub vals = b_reshape(b, subs_of(1, all), x->vals.at[0]);
	return (Bins){
		{lambda_rename(op), subs_of(1, neutral_cell(b, x->op.ne.at[0])), x->op.dests, dims},
		all,
		cell_indices(b, x->n, x->idx, row, cells),
		subs_of(1, vals),
		x->pat};
}

// ---- As a loop ----

// dest[i] = op dest[i] v, in order.
static void bins_as_loop(Build *b, const Stm *s, const Bins *x, const Elements *from)
{
	const HistOp *op = &x->op;
	int k = op->dests.len, r = op->space.len;
	Vars params = {NEW_ARRAY(Var, k), k};
	Types ts = {NEW_ARRAY(Type, k), k};
	for (int i = 0; i < k; i++) {
		ts.at[i] = sub_type(op->dests.at[i]);
		ts.at[i].unique = true;
		params.at[i] = var_new(name_of("dest"), ts.at[i]);
	}
	Var j = var_i64("j");
	b_open(b);
	Subs args = {NEW_ARRAY(Sub, 2 * k), 2 * k};
	Maps none = {0}, *maps = from->maps ? from->maps : &none;
	Subs row = mapped_row(b, maps, from->arrs, from->map, sub_var(j));
	Subs at = subs_part(row, 0, r);
	Sub ok = b_in_range(b, at, op->space);
	b_open(b);
	for (int i = 0; i < k; i++) {
		Sub old = b_index(b, sub_var(params.at[i]), at);
		args.at[i] = type_is_scalar(sub_type(old)) ? old : b_copy(b, old);
		args.at[k + i] = row.at[r + i];
	}
	Subs new_ = ad_apply(b, op->op, args), put = {NEW_ARRAY(Sub, k), k};
	for (int i = 0; i < k; i++)
		put.at[i] = b_update(b, sub_var(params.at[i]),
		                     slices_at(at, type_drop(ts.at[i], at.len).dims), new_.at[i]);
	Body yes = b_close(b, put), no = {.res = subs_of_vars(params)};
	Subs next = b_lets(b, "dest", ts, EXP(if_, ok, yes, no));
	Body body = b_close(b, next);
	emit_like(b, s, x->pat, EXP(loop, .params = params, .inits = op->dests, .i = j, .n = x->n,
	                            .body = body));
}

// ---- All of it ----

static void emit_bins(Build *b, Maps *maps, const Stm *s, const Bins *x, bool inside)
{
	Prim p;
	PrimType t;
	bool simple = x->op.dests.len == 1 && binary_prim(x->op.op, &p, &t);
	Subs in = subs_cat(x->idx, x->vals), given = in;
	if (simple && p == P_add) {
		emit_like(b, s, x->pat, EXP(hist, x->n, in, {mem_dup(&x->op, sizeof x->op), 1},
		                            identity_on(in)));
		return;
	}
	int rank;
	const Lambda *cell = x->op.dests.len == 1 ? cell_operator(x->op.op, &rank) : NULL;
	if (cell) {
		Bins cells = by_cells(b, x, cell, rank);
		emit_bins(b, maps, s, &cells, inside);
		return;
	}
	if (inside && !(simple && (p == P_min || p == P_max))) {
		bins_as_loop(b, s, x, &(Elements){in, identity_on(in), maps});
		return;
	}
	for EACH(Sub, d, x->op.dests)
		in = subs_cat(in, subs_of(1, gather_rows(b, x->n, x->idx, x->op.space, *d)));
	Lambda *f = identity_on(in);
	f->ret.len = f->body.res.len = given.len;
	emit_like(b, s, x->pat, EXP(hist, x->n, in, {mem_dup(&x->op, sizeof x->op), 1}, f));
}

static void emit_parts(Build *b, Maps *maps, const Stm *s, const Bins *x, bool inside)
{
	int k = x->op.dests.len;
	uint64_t with[MOST_PARTS], done = 0;
	if (k > MOST_PARTS) {
		emit_bins(b, maps, s, x, inside);
		return;
	}
	components(x->op.op, with);
	for (int c = 0; c < k; c++) {
		if (done >> c & 1)
			continue;
		Bins one = bins_of(x, with[c]);
		done |= with[c];
		emit_bins(b, maps, s, k > one.op.dests.len ? &one : x, inside);
	}
}

// Is it one histogram, and best done as a loop that computes its elements?
static bool is_one_loop(const Exp *e)
{
	const HistOp *op = &e->hist.ops.at[0];
	int k = op->dests.len, rank;
	uint64_t with[MOST_PARTS];
	Prim p;
	PrimType t;
	if (e->hist.ops.len != 1 || k > MOST_PARTS || !map_in_loop(e->hist.map) ||
	    (k == 1 && (binary_prim(op->op, &p, &t) || cell_operator(op->op, &rank))))
		return false;
	components(op->op, with);
	return with[0] == UINT64_MAX >> (MOST_PARTS - k);
}

void normal_hist(Build *b, Maps *maps, const Stm *s, bool inside)
{
	const Exp *e = s->exp;
	inside |= maps != NULL;
	if (inside && is_one_loop(e)) {
		Bins x = {.op = e->hist.ops.at[0], .n = e->hist.n, .pat = s->pat};
		bins_as_loop(b, s, &x, &(Elements){e->hist.arrs, e->hist.map, maps});
		return;
	}
	Subs ts = mapped_inputs(b, s, e->hist.n, e->hist.arrs, e->hist.map);
	int n_idx = 0, at = 0, val = 0;
	for EACH(HistOp, op, e->hist.ops)
		n_idx += op->space.len;
	for EACH(HistOp, op, e->hist.ops) {
		int k = op->dests.len;
		Bins x = {*op,
		          e->hist.n,
		          subs_part(ts, at, op->space.len),
		          subs_part(ts, n_idx + val, k),
		          {s->pat.at + val, k}};
		at += op->space.len;
		val += k;
		emit_parts(b, maps, s, &x, inside);
	}
}
