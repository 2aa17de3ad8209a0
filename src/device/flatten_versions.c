// Versions of a nest: distributed into several kernels, or with one thread or one thread block per
// row.  The version is selected at run time, by the sizes (flatten.h).
#include "device/flatten.h"

// Is there nothing but one map, and what is cheap?
static bool is_only_map(Flatten *f, const Body *b)
{
	const Stm *only = NULL;
	for EACH(Stm, s, b->stms) {
		if (is_again_form(s->exp))
			continue;
		if (only || s->exp->form != E_screma || s->exp->screma.scans.len ||
		    s->exp->screma.reds.len || !goes_apart(f, s))
			return false;
		only = s;
	}
	return only;
}

// Are updates the only parallel work, and none of them takes locks?  Several threads for a row are
// faster then, however many rows there are.
static bool is_only_update(Flatten *f, const Body *b)
{
	const Stm *only = NULL;
	for EACH(Stm, s, b->stms) {
		Form form = s->exp->form;
		if (is_again_form(s->exp) || makes_array(f, s))
			continue;
		if (only || (form != E_hist && form != E_scatter && form != E_withacc) ||
		    !goes_apart(f, s))
			return false;
		only = s;
	}
	if (!only)
		return false;
	const Exp *e = only->exp;
	if (e->form != E_withacc)
		return true;
	for EACH(AccInput, in, e->withacc.inputs)
		if (in->op && acc_mixes_values(in->op))
			return false;
	return is_only_map(f, &e->withacc.fn->body);
}

// Does it give parts of arrays as they are, or several as one, and no more than choices of numbers?
// A thread for each of their elements reads and writes what lies together.
static bool gives_views(const Flatten *f, const Body *b)
{
	bool joins = false, others = false;
	for EACH(Stm, s, b->stms) {
		joins |= joins_arrays(f, s);
		others |= !is_again_form(s->exp) && !makes_array(f, s) && !choice_cost(s);
	}
	if (joins && !others)
		return true;
	for EACH(Sub, x, b->res) {
		const Exp *e = x->kind == S_VAR ? def_in(b, *x) : NULL;
		Type t = sub_type(*x);
		if (e && (e->form == E_slice || e->form == E_reshape || e->form == E_rearrange) &&
		    t.kind == T_DATA && is_regular(f, t) && n_elements(t) >= threshold(AT_updates))
			return true;
	}
	return false;
}

Types result_types(const Level *nest, Subs res)
{
	Types ts = {NEW_ARRAY(Type, res.len), res.len};
	for (int i = 0; i < res.len; i++) {
		Type t = sub_type(res.at[i]);
		ts.at[i] = t.kind == T_ACC ? t : nest_type(nest, t);
		ts.at[i].unique = false;
	}
	return ts;
}

// The threads of a block would share what is inside of its terms, in branches too.
static bool is_sum_of_row(Flatten *f, const Level *nest, const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_screma && e->screma.reds.len && !e->screma.scans.len &&
	       is_scalar_fold(e) && s->pat.len == n_reduced(e->screma.reds) && goes_apart(f, s) &&
	       !body_find(&e->screma.map->body, stm_is_soac) && !folds_in_steps(f, nest, e);
}

// An element of its own for each row, so that nothing has to be atomic (gpu_acc_owned.c).
static bool adds_scalar(const Flatten *f, const Level *nest, const Exp *e)
{
	const AccInput *in = e->form == E_upd_acc ? nest_input(f, e->upd_acc.acc) : NULL;
	bool own = false;
	if (!in || nest->up || nest->is_part || (in->op && acc_mixes_values(in->op)))
		return false;
	for EACH(Sub, a, in->arrs)
		if (sub_type(*a).dims.len != in->space.len)
			return false;
	for EACH(Sub, i, e->upd_acc.idx)
		own |= level_counted(f, *i) == nest;
	return own;
}

// Is a row sums and what scalars become of them, also in accumulators?  Gives the first of the
// sums.
static const Exp *sums_of_row(Flatten *f, const Level *nest, const Body *b)
{
	const Exp *first = NULL;
	int n_given = 0, n_sums = 0;
	for EACH(Stm, s, b->stms) {
		if (is_sum_of_row(f, nest, s)) {
			first = first ? first : s->exp;
			n_sums++;
		} else if (!is_again_form(s->exp) && s->exp->form != E_prim &&
		           !adds_scalar(f, nest, s->exp)) {
			return NULL;
		}
	}
	for EACH(Sub, x, b->res) {
		const Exp *def = x->kind == S_VAR ? def_in(b, *x) : NULL;
		n_given += def && def->form == E_screma;
	}
	return n_sums > 1 || n_given < b->res.len ? first : NULL;
}

static bool is_bound_in(const Body *b, Vars vs)
{
	for EACH(const Stm, s, b->stms)
		for EACH(Var, v, vs)
			if (vars_find(s->pat, sub_var(*v)) >= 0)
				return true;
	return false;
}

// Is a row one sum of a column and what scalars become of it, also in accumulators?
static int column_of_row(Flatten *f, const Level *nest, const Body *b)
{
	int at = -1;
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (s->exp->form == E_screma && at < 0 && is_scalar_fold(s->exp) &&
		    folds_columns(f, nest, s->exp) && !is_bound_in(b, free_in_stm(s)))
			at = i;
		else if (!is_again_form(s->exp) && s->exp->form != E_prim &&
		         !adds_scalar(f, nest, s->exp))
			return -1;
	}
	return at;
}

// Threads that have a part of a column each; then those of the rows do what is left.
static Subs rows_by_columns(Flatten *f, const Level *nest, Body b, int at)
{
	b.stms = SLICE_DUP(Stms, b.stms);
	Stm *sum = &b.stms.at[at];
	sum->exp = fold_columns(f, nest, sum->exp, sum->certs);
	return emit_kernel(f, nest, b);
}

// A kernel for the sums and another for what becomes of them would be one too many: the row is a
// block's, unless there are so few rows that several blocks have to share one.
static Subs block_or_spread(Flatten *f, Level *nest, Body b)
{
	const Exp *sum = nest->versions == V_BOTH ? sums_of_row(f, nest, &b) : NULL;
	Body block = b;
	RowNeeds needs = {0};
	if (sum)
		block = renamed_row(f, b);
	if (!sum || !block_of_row(f, &block, &needs) || needs.local)
		return spread_body(f, nest, b);
	Types ts = result_types(nest, b.res);
	Sub whole = b_le(&f->b, blocks_of_row(f, nest, sum), sub_i64(1));
	if (whole.kind == S_CONST)
		return emit_block_rows(f, nest, block, sub_i64(0));
	b_open(&f->b);
	Body yes = b_close(&f->b, emit_block_rows(f, nest, block, sub_i64(0)));
	b_open(&f->b);
	Body no = b_close(&f->b, spread_body(f, nest, b));
	return b_lets(&f->b, "r", ts, EXP(if_, whole, yes, no));
}

static Subs few_rows(Flatten *f, Level *nest, Body b)
{
	int column = nest->versions == V_BOTH ? column_of_row(f, nest, &b) : -1;
	if (column < 0)
		return block_or_spread(f, nest, b);
	Types ts = result_types(nest, b.res);
	Sub pays = columns_pay(f, nest, b.stms.at[column].exp);
	Body copy = renamed_row(f, b);
	b_open(&f->b);
	Body yes = b_close(&f->b, rows_by_columns(f, nest, copy, column));
	b_open(&f->b);
	Body no = b_close(&f->b, block_or_spread(f, nest, b));
	return b_lets(&f->b, "r", ts, EXP(if_, pays, yes, no));
}

// A thread for each row if there are enough of them; else blocks, or the nest is taken apart.
static Subs by_rows_or_apart(Flatten *f, Level *nest, Body b)
{
	Types ts = result_types(nest, b.res);
	Sub outer = emit_threshold(f, "outer", rows_of_body(f, nest, &b), AT_enough_threads);
	if (outer.kind == S_CONST)
		return outer.val.u ? emit_kernel(f, nest, b) : few_rows(f, nest, b);
	Body copy = body_rename(b);
	b_open(&f->b);
	Body yes = b_close(&f->b, emit_kernel(f, nest, copy));
	b_open(&f->b);
	nest->few = work_is_known(f, &b) ? FEW : FEW_LONG;
	Body no = b_close(&f->b, few_rows(f, nest, b));
	return b_lets(&f->b, "r", ts, EXP(if_, outer, yes, no));
}

// A warp for each row if rows are gathered.
static Subs outer_versions(Flatten *f, Level *nest, Body b)
{
	Body warps;
	Sub suits;
	if (!warp_rows(f, nest, &b, &warps, &suits))
		return by_rows_or_apart(f, nest, b);
	Types ts = result_types(nest, b.res);
	b_open(&f->b);
	Body no = b_close(&f->b, by_rows_or_apart(f, nest, b));
	return b_lets(&f->b, "r", ts, EXP(if_, suits, warps, no));
}

// One of two combinators instead of one: with these results of the map function.
static void take_results(Flatten *f, const Stm *s, Subs res, Vars pat, bool sums, StmVec *out)
{
	const Exp *e = s->exp;
	Map needed = {0};
	SubVec arrs = {0};
	VEC(Var) params = {0};
	Body part = body_part(&e->screma.map->body, res, &needed);
	for (int i = 0; i < e->screma.arrs.len; i++)
		if (map_has(&needed, var_key(e->screma.map->params.at[i]))) {
			VEC_PUSH(&arrs, e->screma.arrs.at[i]);
			VEC_PUSH(&params, e->screma.map->params.at[i]);
		}
	Lambda *map = lambda_rename(&(Lambda){VEC_SLICE(Vars, params), types_of_subs(res), part});
	Exp *half = EXP(screma, .n = e->screma.n, .arrs = VEC_SLICE(Subs, arrs), .map = map);
	if (sums)
		half->screma.reds = e->screma.reds;
	note_inside(f, map);
	note_counting(f, half);
	Stm t = *s;
	t.exp = half;
	t.pat = pat;
	VEC_PUSH(out, t);
}

// Are these results of the map function there without the accumulators?  A branch may give both.
static bool without_accs(const Lambda *map, Subs res)
{
	Map needed = {0};
	body_part(&map->body, res, &needed);
	for EACH(Var, p, map->params)
		if (vars[p->id].type.kind == T_ACC && map_has(&needed, var_key(*p)))
			return false;
	return true;
}

// A sum over a row that also adds to what all rows have in common:
//
//     (s, acc1) = screma m (xs, is, acc) map=\(x, i, acc) -> x * a, upd_acc acc [k, i] (x * b)
//     reduce=(+)
//
// All rows would wait for each other at each element.  Apart they are two sums, along rows and
// along columns.
static Body split_sums(Flatten *f, const Level *nest, Body b)
{
	StmVec out = {0};
	for EACH(Stm, s, b.stms) {
		const Exp *e = s->exp;
		if (e->form != E_screma || !e->screma.reds.len || e->screma.scans.len ||
		    !vars_have_acc(s->pat) || !goes_apart(f, s) ||
		    body_find(&e->screma.map->body, stm_is_soac) ||
		    !updates_reduce(f, nest, &(Body){.stms = {s, 1}})) {
			VEC_PUSH(&out, *s);
			continue;
		}
		SubVec sums = {0}, adds = {0};
		VEC(Var) of_sums = {0}, of_adds = {0};
		for (int k = 0; k < s->pat.len; k++)
			if (vars[s->pat.at[k].id].type.kind == T_ACC) {
				VEC_PUSH(&adds, e->screma.map->body.res.at[k]);
				VEC_PUSH(&of_adds, s->pat.at[k]);
			} else {
				VEC_PUSH(&sums, e->screma.map->body.res.at[k]);
				VEC_PUSH(&of_sums, s->pat.at[k]);
			}
		if (!without_accs(e->screma.map, VEC_SLICE(Subs, sums))) {
			VEC_PUSH(&out, *s);
			continue;
		}
		take_results(f, s, VEC_SLICE(Subs, sums), VEC_SLICE(Vars, of_sums), true, &out);
		take_results(f, s, VEC_SLICE(Subs, adds), VEC_SLICE(Vars, of_adds), false, &out);
	}
	return (Body){VEC_SLICE(Stms, out), b.res};
}

static Subs thread_versions(Flatten *f, Level *nest, Body b)
{
	if (nest->versions == V_ONLY_OUTER)
		return emit_leaf(f, nest, b);
	if (!has_parallelism(f, &b))
		return gives_views(f, &b) ? spread_body(f, nest, b) : emit_leaf(f, nest, b);
	if (nest->versions == V_NO_OUTER || is_only_map(f, &b) || is_only_update(f, &b) ||
	    has_products(f, nest, &b) || has_irregular_rows(f, &b))
		return spread_body(f, nest, b);
	Body block;
	Sub suits;
	bool reduces = updates_reduce(f, nest, &b);
	if (reduces)
		b = split_sums(f, nest, b);
	if (!row_steps(f, nest, b, &block, &suits))
		return reduces ? spread_body(f, nest, b) : outer_versions(f, nest, b);
	Types ts = result_types(nest, b.res);
	b_open(&f->b);
	Body no = b_close(&f->b, reduces ? spread_body(f, nest, b) : outer_versions(f, nest, b));
	return b_lets(&f->b, "r", ts, EXP(if_, suits, block, no));
}

Subs flatten_nest(Flatten *f, Level *nest, Body b)
{
	Sub len;
	if (nest->versions != V_BOTH || !has_irregular_folds(f, &b, &len))
		return thread_versions(f, nest, b);
	Body threads = renamed_row(f, b), block = b;
	RowNeeds needs = {0};
	if (!block_of_row(f, &block, &needs))
		return thread_versions(f, nest, threads);
	Types ts = result_types(nest, b.res);
	Sub many = emit_threshold(f, "irregular", nest_size(f, nest), AT_irregular_rows);
	Sub few = suits_block(f, &needs, b_prim1(&f->b, P_not, many));
	b_open(&f->b);
	Body yes = b_close(&f->b, emit_block_rows(f, nest, block, len));
	b_open(&f->b);
	Body no = b_close(&f->b, emit_kernel(f, nest, threads));
	return b_lets(&f->b, "r", ts, EXP(if_, few, yes, no));
}
