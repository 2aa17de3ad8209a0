// Scans and reductions with operators on arrays.
//
//     reduce (map2 op) (ne: [m]f64) (xs: [n][m]f64)
// becomes
//     map (\(col: [n]f64) (e: f64) -> reduce op e col) (rearrange (1, 0) xs) ne
//
// and likewise a scan, whose result is transposed back.  This leaves operators that cannot be
// decomposed, for which the threads of a block cannot cooperate: a reduction is done by threads
// that each fold many rows sequentially, and one more thread that combines their results; a scan
// is done by a single thread.
#include "device/flatten.h"

// ---- Operators that are maps ----

static bool any_vector(Reductions rs)
{
	for EACH(Reduction, r, rs)
		if (map_of_operator(r->op))
			return true;
	return false;
}

bool has_vector_operators(const Exp *e)
{
	return any_vector(e->screma.scans) || any_vector(e->screma.reds);
}

// ---- Taking a screma apart ----

static Types cut(Types ts, int from, int n)
{
	return (Types){ts.at + from, n};
}

static Types plain(Types ts, const Sub *n)
{
	Types out = SLICE_DUP(Types, ts);
	for EACH(Type, t, out) {
		if (t->kind == T_ACC)
			continue;
		if (n)
			*t = type_of_rows(*n, *t);
		t->unique = false;
	}
	return out;
}

// One operator on arrays of rows.
static Subs emit_fold(Build *b, Sub n, Subs rows, Types ts, const Reduction *r, bool scan)
{
	Reductions one = {mem_dup(r, sizeof *r), 1};
	one.at[0].op = lambda_rename(r->op);
	Exp *e = EXP(screma, .n = n, .arrs = rows, .map = lambda_identity(ts));
	if (scan)
		e->screma.scans = one;
	else
		e->screma.reds = one;
	return b_lets(b, "folded", plain(ts, scan ? &n : NULL), e);
}

static Sub turned(Build *b, Sub x)
{
	int n = sub_type(x).dims.len;
	int *perm = NEW_ARRAY(int, n);
	for (int d = 0; d < n; d++)
		perm[d] = d == 0 ? 1 : d == 1 ? 0 : d;
	return b_rearrange(b, perm, x);
}

// A map over columns.
static Subs emit_columns(Build *b, Sub n, Subs rows, Types ts, const Reduction *r, bool scan)
{
	const Exp *map = map_of_operator(r->op);
	int k = rows.len;
	Sub m = map->screma.n;
	Subs arrs = {NEW_ARRAY(Sub, 2 * k), 2 * k};
	Vars params = {NEW_ARRAY(Var, 2 * k), 2 * k};
	Types elems = {NEW_ARRAY(Type, k), k}, results;
	Reduction inner = {element_operator(r->op, map), {NEW_ARRAY(Sub, k), k}, r->comm};
	for (int i = 0; i < k; i++) {
		arrs.at[i] = turned(b, rows.at[i]);
		arrs.at[k + i] = r->ne.at[i];
		elems.at[i] = type_row(ts.at[i]);
		elems.at[i].unique = false;
		params.at[i] = var_new(name_of("col"), type_of_rows(n, elems.at[i]));
		params.at[k + i] = var_new(name_of("e"), elems.at[i]);
		inner.ne.at[i] = sub_var(params.at[k + i]);
	}
	b_open(b);
	Subs folded = emit_fold(b, n, (Subs){subs_of_vars(params).at, k}, elems, &inner, scan);
	Lambda *f = b_lambda(b, params, folded);
	results = plain(f->ret, &m);
	Subs out = b_lets(b, "cols", results, EXP(screma, .n = m, .arrs = arrs, .map = f));
	for (int i = 0; scan && i < k; i++)
		out.at[i] = turned(b, out.at[i]);
	return out;
}

static void take_apart(Build *b, const Exp *e, Reductions rs, Subs made, int *at, bool scan,
                       SubVec *out)
{
	Types ret = e->screma.map->ret;
	for EACH(Reduction, r, rs) {
		int k = r->ne.len;
		Subs rows = {made.at + *at, k};
		Subs res = map_of_operator(r->op)
		         ? emit_columns(b, e->screma.n, rows, cut(ret, *at, k), r, scan)
		         : emit_fold(b, e->screma.n, rows, cut(ret, *at, k), r, scan);
		VEC_APPEND(out, res);
		*at += k;
	}
}

// The map function by itself, then each operator by itself.
static Body apart(Flatten *f, const Exp *e)
{
	Build b = {.where = f->b.where};
	SubVec out = {0};
	int at = 0;
	b_open(&b);
	Subs made = b_lets(&b, "made", plain(e->screma.map->ret, &e->screma.n),
	                   EXP(screma, .n = e->screma.n, .arrs = e->screma.arrs,
	                       .map = lambda_rename(e->screma.map)));
	take_apart(&b, e, e->screma.scans, made, &at, true, &out);
	take_apart(&b, e, e->screma.reds, made, &at, false, &out);
	for (; at < made.len; at++)
		VEC_PUSH(&out, made.at[at]);
	return b_close(&b, VEC_SLICE(Subs, out));
}

// ---- What cannot be taken apart ----

static Vars fresh_pattern(Flatten *f, const Exp *e)
{
	int n = e->screma.map->ret.len, ns = n_reduced(e->screma.scans);
	Vars pat = {NEW_ARRAY(Var, n), n};
	for (int i = 0; i < n; i++) {
		Type t = e->screma.map->ret.at[i];
		t = i < ns ? type_of_rows(e->screma.n, t) : t;
		t.unique = false;
		pat.at[i] = var_new(name_of("made"), t);
		map_put(&f->inside, var_key(pat.at[i]), f);
	}
	return pat;
}

// Each row of the level does the screma, which has nothing but operators.
static Subs in_threads(Flatten *f, const Level *l, const Exp *e)
{
	Stm s = {.pat = fresh_pattern(f, e), .exp = (Exp *)e, .where = f->b.where};
	return emit_kernel(f, l, (Body){.stms = {mem_dup(&s, sizeof s), 1},
		.res = subs_of_vars(s.pat)});
}

static Subs in_one_thread(Flatten *f, const Exp *e)
{
	Level *l = level_new(f, NULL, sub_i64(1), (Vars){0}, (Subs){0}, (Vars){0});
	Subs out = in_threads(f, l, e);
	for EACH(Sub, x, out)
		*x = b_index(&f->b, *x, subs_of(1, sub_i64(0)));
	return out;
}

// Rows lo .. lo + len of an array.
static Sub some_rows(Build *b, Sub arr, Sub lo, Sub len)
{
	return b_slice(b, arr, slices_rows(sub_type(arr), lo, len));
}

// A thread for each part of the rows.
static Subs in_parts(Flatten *f, const Exp *e)
{
	Build *b = &f->b, own = {.where = f->b.where};
	Sub n = e->screma.n, k = emit_grid(f, n, threshold(AT_part_rows));
	Sub q = b_prim2(b, P_quot, b_add(b, n, b_sub(b, k, sub_i64(1))), k);
	Level *l = level_new(f, NULL, k, (Vars){0}, (Subs){0}, (Vars){0});
	Exp *part = exp_dup(e);
	part->screma.map = lambda_rename(e->screma.map);
	part->screma.reds = SLICE_DUP(Reductions, e->screma.reds);
	part->screma.arrs = SLICE_DUP(Subs, e->screma.arrs);
	for EACH(Reduction, r, part->screma.reds)
		r->op = lambda_rename(r->op);
	b_open(&own);
	Sub lo = b_prim2(&own, P_min, n, b_mul(&own, sub_var(l->i), q));
	Sub len = b_prim2(&own, P_min, q, b_sub(&own, n, lo));
	for EACH(Sub, a, part->screma.arrs)
		*a = some_rows(&own, *a, lo, len);
	part->screma.n = len;
	Vars pat = fresh_pattern(f, part);
	b_stm(&own, pat, part);
	Body body = b_close(&own, subs_of_vars(pat));
	Lambda all = {.body = body};
	note_inside(f, &all);
	Exp *rest = exp_dup(e);
	rest->screma.arrs = emit_kernel(f, l, body);
	rest->screma.n = k;
	return in_one_thread(f, rest);
}

static bool is_single(const Exp *e)
{
	return e->screma.scans.len + e->screma.reds.len == 1 && lambda_is_identity(e->screma.map) &&
	       e->screma.map->ret.len == n_folded(e);
}

// ---- Either ----

Subs flatten_array_fold(Flatten *f, const Level *nest, const Exp *e, Vars certs)
{
	if (!nest && is_single(e) && !has_vector_operators(e))
		return e->screma.scans.len ? in_one_thread(f, e) : in_parts(f, e);
	Body b = apart(f, e);
	if (nest) {
		for EACH(Stm, s, b.stms)
			s->certs = certs;
		Lambda all = {.body = b};
		note_inside(f, &all);
		return spread_body(f, nest, b);
	}
	for EACH(Stm, s, b.stms) {
		s->certs = f->b.certs;
		flatten_stm(f, s);
	}
	return b.res;
}
