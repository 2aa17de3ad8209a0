// Reductions of columns: their operands are neighbours along the rows of the nest, not along the
// reduction.
//
//     map over i < m:  let (r: f64) = screma n (iota n) map=\t -> f xs[t, i] ys[t] reduce=(e) op
// becomes
//     let (parts: [k][m]f64) = kernel of k x m threads: the same for n / k elements
//     let (r: [m]f64) = kernel of m threads: the k values of each, and what becomes of them
//
// The reads of neighbouring threads coalesce.  With one thread block per row of the nest they would
// be strided, and with one thread per row there may be too few threads.  Adjoints of what all rows
// of a matrix share are such sums: biases, the potentials of a transport plan.  So are rows of a
// transposed matrix.
//
// Requires: scalar operators; sizes that are known outside of the nest.  It pays if reading all
// elements takes longer than launching one kernel more.
#include "device/flatten.h"

enum { THREADS = 256, MOST_PARTS = 512 };

static bool turns(const Exp *e)
{
	int n = e->form == E_rearrange ? sub_type(e->rearrange.arr).dims.len : 0;
	return n > 1 && e->rearrange.perm.at[n - 1] != n - 1;
}

void note_turned(Flatten *f, const Stm *s)
{
	if (turns(s->exp))
		map_put(&f->turned, var_key(s->pat.at[0]), f);
}

// ---- Which reductions ----

typedef struct {
	const Flatten *f;
	Map rows;                               // set_levels: 1 if it changes with the fold's row
	int columns, others;                    // loads along the nest, and along the fold
} Loads;

bool is_turned(const Flatten *f, Sub arr)
{
	const Known *k = known_of(f, arr);
	if (k && (k->kind == K_ROW || k->kind == K_SPREAD)) {
		arr = k->arr;
		k = known_of(f, arr);
	}
	if (k && k->kind == K_AGAIN) // in the nest
		return turns(k->stm->exp);
	return arr.kind == S_VAR && map_has(&f->turned, var_key(arr.var));
}

static bool is_column(const Flatten *f, Sub arr)
{
	const Known *k = known_of(f, arr);
	return k && k->kind == K_ROW && is_turned(f, arr);
}

// What the last index changes with decides.  Vectors along the fold are short: any thread may have
// all of one.
static void look_at_load(Loads *l, Sub arr, Subs idx)
{
	bool varies = levels_of(&l->rows, arr);
	for EACH(Sub, i, idx)
		varies |= levels_of(&l->rows, *i) != 0;
	Sub last = idx.at[idx.len - 1];
	if (!varies)
		return;
	if (levels_of(&l->rows, last) || is_turned(l->f, arr))
		l->others += idx.len > 1 || in_nest(l->f, arr);
	else
		l->columns += in_nest(l->f, last);
}

static void look_at_body(Visit *v, Body *b)
{
	Loads *l = v->ctx;
	for EACH(Stm, s, b->stms) {
		uint64_t rows = levels_of_exp(&l->rows, s->exp);
		for EACH(Var, x, s->pat)
			set_levels(&l->rows, *x, rows);
		if (s->exp->form == E_index)
			look_at_load(l, s->exp->index.arr, s->exp->index.idx);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v); // a walk: writes nothing
	}
}

static bool reads_columns(const Flatten *f, const Exp *e)
{
	Loads l = {.f = f};
	Visit v = {.body = look_at_body, .ctx = &l};
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Sub a = e->screma.arrs.at[i];
		if (sub_type(a).kind == T_ACC)
			return false;
		l.columns += is_column(f, a);
		l.others += !is_column(f, a) && in_nest(f, a);
		set_levels(&l.rows, e->screma.map->params.at[i], 1);
	}
	Body body = e->screma.map->body;
	look_at_body(&v, &body);
	return l.columns && !l.others;
}

static bool are_outside(const Flatten *f, Vars free)
{
	for EACH(Var, v, free)
		if (in_nest(f, sub_var(*v)))
			return false;
	return true;
}

bool folds_columns(const Flatten *f, const Level *nest, const Exp *e)
{
	if (!nest || e->screma.scans.len || in_nest(f, e->screma.n) ||
	    e->screma.map->ret.len != n_reduced(e->screma.reds) ||
	    body_find(&e->screma.map->body, stm_is_soac))
		return false;
	for (int d = 1; d <= nest->depth; d++)
		if (in_nest(f, level_at(nest, d)->n))
			return false;
	for EACH(Reduction, r, e->screma.reds) {
		if (!are_outside(f, free_in_lambda(r->op)))
			return false;
		for EACH(Sub, ne, r->ne)
			if (in_nest(f, *ne))
				return false;
	}
	return reads_columns(f, e);
}

// Few columns are left to blocks unless they are long: only as many threads add up the parts.
Sub columns_pay(Flatten *f, const Level *nest, const Exp *e)
{
	Build *b = &f->b;
	int64_t least = threshold(AT_column_elements);
	Sub m = nest_size(f, nest), all = b_mul(b, m, e->screma.n);
	Sub enough = b_prim2(b, P_or, b_le(b, sub_i64(threshold(AT_columns)), m),
	                     b_le(b, sub_i64(16 * least), all));
	Sub many = b_prim2(b, P_and, b_le(b, sub_i64(least), all),
	                   b_le(b, sub_i64(threshold(AT_column_rows)), e->screma.n));
	return b_prim2(b, P_and, enough, many);
}

// ---- The kernels ----

// The results of a screma with these reductions.
static Subs reduced(Build *b, Sub n, Subs arrs, Lambda *map, Reductions reds)
{
	return b_lets(b, "red", map->ret, EXP(screma, .n = n, .arrs = arrs, .map = map,
	                                      .reds = reductions_rename(reds)));
}

// So that there are threads for the whole device, with a few rows each.
static Sub number_of_parts(Flatten *f, Sub n, Sub m)
{
	Build *b = &f->b;
	int64_t least = threshold(AT_column_part);
	Sub one = sub_i64(1), threads = b_mul(b, emit_grid(f, b_mul(b, n, m), least * THREADS),
	                                      sub_i64(THREADS));
	Sub k = b_prim2(b, P_quot, threads, b_prim2(b, P_max, m, one));
	Sub most = b_prim2(b, P_quot, n, sub_i64(least));
	k = b_prim2(b, P_min, k, sub_i64(MOST_PARTS));
	return b_prim2(b, P_max, one, b_prim2(b, P_min, k, most));
}

// The values x so far, and those of one row more.
static Subs with_row(Build *b, const Exp *e, Subs x, Sub row)
{
	Subs args = SLICE_DUP(Subs, e->screma.arrs);
	SubVec out = {0};
	for EACH(Sub, a, args)
		*a = b_index(b, *a, subs_of(1, row));
	Subs y = emit_applied(b, e->screma.map, args);
	for EACH(const Reduction, r, e->screma.reds) {
		int at = out.len, k = r->ne.len;
		VEC_APPEND(&out, emit_applied(b, r->op, subs_cat(subs_part(x, at, k),
		                                                 subs_part(y, at, k))));
	}
	return VEC_SLICE(Subs, out);
}

// The fold of part p of k, with all that it takes from the nest: `rows` rows, and one more in the
// first n % k parts, so that the threads of a warp have as many, as a rule.
static Body fold_of_part(Flatten *f, const Level *nest, const Exp *e, Var p, Sub k)
{
	Build *b = &f->b;
	Sub n = e->screma.n, rows = b_prim2(b, P_quot, n, k), more = b_prim2(b, P_rem, n, k);
	b_open(b);
	Sub lo = b_add(b, b_mul(b, sub_var(p), rows), b_prim2(b, P_min, sub_var(p), more));
	Subs arrs = SLICE_DUP(Subs, e->screma.arrs);
	for EACH(Sub, a, arrs)
		*a = b_slice(b, *a, slices_rows(sub_type(*a), lo, rows));
	Subs res = reduced(b, rows, arrs, lambda_rename(e->screma.map), e->screma.reds);
	b_open(b);
	Body yes = b_close(b, with_row(b, e, res, b_add(b, lo, rows)));
	res = b_lets(b, "red", e->screma.map->ret,
	             EXP(if_, b_lt(b, sub_var(p), more), yes, {.res = res}));
	Body body = b_close(b, res);
	note_inside(f, NEW(Lambda, .body = body));
	return explicit_body(f, nest, body);
}

// [k][m]: of n / k rows each.
static Subs parts_of_columns(Flatten *f, const Level *nest, const Exp *e, Vars certs, Sub k)
{
	Var p = var_i64("p");
	Body body = fold_of_part(f, nest, e, p, k);
	Level *l = level_new(f, NULL, k, (Vars){0}, (Subs){0}, certs);
	Map to = {0};
	subst_put(&to, p, sub_var(l->i));
	for (int d = 1; d <= nest->depth; d++) {
		const Level *of = level_at(nest, d);
		l = level_new(f, l, of->n, (Vars){0}, (Subs){0}, certs);
		subst_put(&to, of->i, sub_var(l->i));
	}
	body = body_subst(body, &to);
	note_inside(f, NEW(Lambda, .body = body));
	return emit_kernel(f, l, body);
}

Exp *fold_columns(Flatten *f, const Level *nest, const Exp *e, Vars certs)
{
	Build *b = &f->b;
	Sub k = number_of_parts(f, e->screma.n, nest_size(f, nest));
	Subs parts = parts_of_columns(f, nest, e, certs, k), vals = {NEW_ARRAY(Sub, parts.len), 0};
	Sub count = b_iota(b, k);
	Var t = var_i64("t");
	Subs at = subs_of(1, sub_var(t));
	for (int d = 1; d <= nest->depth; d++)
		at = subs_cat(at, subs_of(1, sub_var(level_at(nest, d)->i)));
	b_open(b);
	for EACH(Sub, p, parts)
		vals.at[vals.len++] = b_index(b, *p, at);
	Exp *fold = EXP(screma, .n = k, .arrs = subs_of(1, count),
	                .map = b_lambda(b, vars_of(1, t), vals),
	                .reds = reductions_rename(e->screma.reds));
	note_inside(f, fold->screma.map);
	return fold;
}
