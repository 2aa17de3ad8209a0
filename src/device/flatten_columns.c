// Reductions of the columns of a matrix.
//
//     let (t: [m][n]f64) = rearrange (1, 0) xs
//     map over the m rows of t:  let (r: f64) = screma n (row) map=f reduce=(e) op
// becomes
//     let (parts: [k][m]f64) = kernel of k x m threads: the same for n / k elements of the row
//     let (r: [m]f64) = kernel of m threads: the k values of each column, one after the other
//
// The reads of neighbouring threads coalesce.  With one thread block per column they would be
// strided, and with one thread per column there may be too few threads.
//
// Requires: scalar operators, a nest of one level.
#include "device/flatten.h"

enum { THREADS = 256, LEAST_ROWS = 16 };

void note_turned(Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->form == E_rearrange ? sub_type(e->rearrange.arr).dims.len : 0;
	if (n > 1 && e->rearrange.perm.at[n - 1] != n - 1)
		map_put(&f->turned, var_key(s->pat.at[0]), f);
}

static bool are_free(const Flatten *f, Vars free)
{
	for EACH(Var, v, free)
		if (in_nest(f, sub_var(*v)))
			return false;
	return true;
}

static bool is_column(const Flatten *f, const Level *nest, Sub arr)
{
	const Known *k = arr.kind == S_VAR ? map_get(&f->known, var_key(arr.var)) : NULL;
	return k && k->kind == K_ROW && k->level == nest && k->arr.kind == S_VAR &&
	       map_has(&f->turned, var_key(k->arr.var));
}

bool folds_columns(const Flatten *f, const Level *nest, const Exp *e)
{
	bool any = false;
	if (!nest || nest->up || e->screma.scans.len ||
	    e->screma.map->ret.len != n_reduced(e->screma.reds) ||
	    !are_free(f, free_in_lambda(e->screma.map)))
		return false;
	for EACH(Reduction, r, e->screma.reds) {
		if (!are_free(f, free_in_lambda(r->op)))
			return false;
		for EACH(Sub, ne, r->ne)
			if (in_nest(f, *ne))
				return false;
	}
	for EACH(Sub, a, e->screma.arrs) {
		bool column = is_column(f, nest, *a);
		any |= column;
		if (!column && (in_nest(f, *a) || sub_type(*a).kind == T_ACC))
			return false;
	}
	return any;
}

// The results of a screma with these reductions.
static Subs reduced(Build *b, Sub n, Subs arrs, Lambda *map, Reductions reds)
{
	Reductions copy = SLICE_DUP(Reductions, reds);
	for EACH(Reduction, r, copy)
		r->op = lambda_rename(r->op);
	return b_lets(b, "red", map->ret, EXP(screma, .n = n, .arrs = arrs, .map = map,
	                                      .reds = copy));
}

// A kernel of the rows of the nest.
static Subs kernel_of(Flatten *f, const Level *nest, Body body)
{
	note_inside(f, NEW(Lambda, .body = body));
	return emit_kernel(f, nest, body);
}

// So that there are threads for the whole device, with a few rows each.
static Sub number_of_parts(Flatten *f, Sub n, Sub m)
{
	Build *b = &f->b;
	Sub one = sub_i64(1), threads = b_mul(b, emit_grid(f, b_mul(b, n, m), LEAST_ROWS * THREADS),
	                                      sub_i64(THREADS));
	Sub k = b_prim2(b, P_quot, threads, b_prim2(b, P_max, m, one));
	Sub most = b_prim2(b, P_quot, n, sub_i64(LEAST_ROWS));
	return b_prim2(b, P_max, one, b_prim2(b, P_min, k, most));
}

// [k][m]: of n / k rows each.
static Subs parts_of_columns(Flatten *f, const Level *nest, const Exp *e, Vars certs, Sub k)
{
	Build *b = &f->b;
	Sub n = e->screma.n, q = b_prim2(b, P_quot, b_add(b, n, b_sub(b, k, sub_i64(1))), k);
	Level *parts = level_new(f, NULL, k, (Vars){0}, (Subs){0}, certs);
	Vars params = SLICE_DUP(Vars, nest->params);
	for EACH(Var, p, params) {
		*p = var_new(name_of("column"), vars[p->id].type);
		map_put(&f->inside, var_key(*p), f);
	}
	Level *columns = level_new(f, parts, nest->n, params, nest->arrs, certs);
	b_open(b);
	Sub lo = b_prim2(b, P_min, n, b_mul(b, sub_var(parts->i), q));
	Sub len = b_prim2(b, P_min, q, b_sub(b, n, lo));
	Subs arrs = SLICE_DUP(Subs, e->screma.arrs);
	for EACH(Sub, a, arrs) {
		for (int i = 0; i < params.len; i++)
			if (sub_eq(*a, sub_var(nest->params.at[i])))
				*a = sub_var(params.at[i]);
		*a = b_slice(b, *a, slices_rows(sub_type(*a), lo, len));
	}
	Subs res = reduced(b, len, arrs, lambda_rename(e->screma.map), e->screma.reds);
	return kernel_of(f, columns, b_close(b, res));
}

Subs fold_columns(Flatten *f, const Level *nest, const Exp *e, Vars certs)
{
	static const int turned[] = {1, 0};
	Build *b = &f->b;
	Sub k = number_of_parts(f, e->screma.n, nest->n);
	Subs parts = parts_of_columns(f, nest, e, certs, k);
	Types ts = e->screma.map->ret;
	Vars params = {NEW_ARRAY(Var, parts.len), parts.len};
	for (int i = 0; i < parts.len; i++) {
		parts.at[i] = b_rearrange(b, turned, parts.at[i]);
		params.at[i] = var_new(name_of("parts"), type_of_rows(k, ts.at[i]));
		map_put(&f->inside, var_key(params.at[i]), f);
	}
	Level *columns = level_new(f, NULL, nest->n, params, parts, certs);
	b_open(b);
	Subs res = reduced(b, k, subs_of_vars(params), lambda_identity(ts), e->screma.reds);
	return kernel_of(f, columns, b_close(b, res));
}
