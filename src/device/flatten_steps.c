// Reductions of many short rows in device memory, in two steps with one thread per partial result.
//
//     map over m rows of xs: [m][n]:  reduce of f x
// becomes
//     a kernel of m x n/8 threads     ps[i, j] = reduce of f xs[i, 8 j], .., f xs[i, 8 j + 7]
//     a kernel of m threads           reduce of ps[i]
//
// A thread block per row would have too little work, and the reads of one thread per row would not
// coalesce.  With eight elements per thread, neighbouring threads read neighbouring elements, and
// each cache line is read once.  Applied to rows of up to 1024 elements, a multiple of eight, if
// there are enough of them.
#include "device/flatten.h"

enum { STEP = 8, LONGEST = 1024 };

bool folds_in_steps(const Flatten *f, const Level *nest, const Exp *e)
{
	if (!nest || e->screma.scans.len || e->screma.n.kind == S_CONST ||
	    n_reduced(e->screma.reds) != e->screma.map->ret.len)
		return false;
	for EACH(Sub, arr, e->screma.arrs) {
		const Known *k = map_get(&f->known, var_key(arr->var));
		if (!k || k->kind != K_SPREAD || k->level != nest)
			return false;
	}
	return true;
}

Sub suits_steps(Flatten *f, const Exp *e)
{
	Build *b = &f->b;
	Sub rest = b_prim2(b, P_rem, e->screma.n, sub_i64(STEP));
	return b_prim2(b, P_and, b_le(b, rest, sub_i64(0)), b_le(b, e->screma.n, sub_i64(LONGEST)));
}

static Var row_of(Flatten *f, Type t)
{
	t.unique = false;
	Var v = var_new(name_of("row"), t);
	map_put(&f->inside, var_key(v), f);
	return v;
}

// The reductions of rows with n elements.
static Exp *fold_of(Flatten *f, const Exp *e, Sub n, Vars rows, Lambda *map)
{
	note_inside(f, map);
	Exp *out = EXP(screma, .n = n, .arrs = subs_of_vars(rows), .map = map,
	               .reds = SLICE_DUP(Reductions, e->screma.reds));
	for EACH(Reduction, r, out->screma.reds) {
		r->op = lambda_rename(r->op);
		note_inside(f, r->op);
	}
	return out;
}

Exp *fold_steps(Flatten *f, const Level *nest, const Exp *e, Vars certs)
{
	Build *b = &f->b;
	const Lambda *map = e->screma.map;
	int k = e->screma.arrs.len, r = map->ret.len;
	Sub n = b_prim2(b, P_quot, e->screma.n, sub_i64(STEP)), step = sub_i64(STEP);
	Vars rows = {NEW_ARRAY(Var, k), k}, params = {NEW_ARRAY(Var, k), k},
	     sums = {NEW_ARRAY(Var, r), r};
	Vars made = {NEW_ARRAY(Var, r), r};
	for (int i = 0; i < k; i++) {
		const Known *known = map_get(&f->known, var_key(e->screma.arrs.at[i].var));
		Type row = type_of_rows(step, vars[map->params.at[i].id].type),
		     all = type_of_rows(n, row);
		rows.at[i] = row_of(f, all);
		params.at[i] = row_of(f, row);
		know_spread(f, nest, rows.at[i],
		            b_reshape(b, nest_type(nest, all).dims, known->arr));
	}
	for (int i = 0; i < r; i++)
		sums.at[i] = row_of(f, map->ret.at[i]);
	Level *l = level_new(f, nest, n, params, subs_of_vars(rows), certs);
	Stm s = {.pat = sums,
	         .exp = fold_of(f, e, step, params, lambda_rename(map)),
	         .where = b->where};
	Subs parts = emit_kernel(f, l, (Body){.stms = {mem_dup(&s, sizeof s), 1},
		.res = subs_of_vars(sums)});
	for (int i = 0; i < r; i++) {
		made.at[i] = row_of(f, type_of_rows(n, map->ret.at[i]));
		know_spread(f, nest, made.at[i], parts.at[i]);
	}
	return fold_of(f, e, n, made, lambda_identity(map->ret));
}
