// Scans, reductions and maps inside a nest: decides which are executed by a single thread, by a
// thread block, or by kernels of their own.
//
//     screma m (..) map=f reduce=op       in each of n rows
// If f is parallel, it becomes a nest of n x m rows whose results are then folded.  If f is
// sequential and there are enough rows, each row is left to one thread, otherwise to a thread
// block (flatten_fold.c).
#include "device/flatten.h"

// Results of a body without repetitions among the first k, which are only read: *from says where
// each has gone.
static Subs distinct(Subs res, int k, int *from)
{
	SubVec out = {0};
	for (int n = 0; n < res.len; n++) {
		int i = n < res.len - k ? k + n : n - (res.len - k);
		from[i] = -1;
		for (int j = 0; i < k && j < out.len; j++)
			if (sub_eq(out.at[j], res.at[i]))
				from[i] = j;
		if (from[i] < 0) {
			from[i] = out.len;
			VEC_PUSH(&out, res.at[i]);
		}
	}
	return VEC_SLICE(Subs, out);
}

static Subs thread_or_block(Flatten *, const Level *nest, const Exp *, Vars certs);

// ---- The end of a map function ----

// What is folded of the body's results, from values that are made before: \(values) -> results.
typedef struct { Body head; Lambda *tail; } Cut;

enum { LONGEST_TAIL = 8 };

static bool is_tail_form(const Stm *s)
{
	return s->pat.len == 1 && !s->certs.len && is_again_form(s->exp) &&
	       (s->exp->form == E_prim || s->exp->form == E_convert);
}

typedef struct { const Body *b; bool *in_tail; int n; SubVec from; bool fails; } CutAt;

static void cut_before(CutAt *c, Sub x);

static void cut_operand(Visit *v, Sub *x)
{
	if (x->kind == S_VAR)
		cut_before(v->ctx, *x);
}

static void cut_before(CutAt *c, Sub x)
{
	int at = stm_index(c->b, x);
	if (at >= 0 && is_tail_form(&c->b->stms.at[at])) {
		Stm s = c->b->stms.at[at];
		Visit v = {.sub = cut_operand, .ctx = c};
		c->n += !c->in_tail[at];
		c->in_tail[at] = true;
		stm_walk(&s, &v);
		return;
	}
	for EACH(Sub, y, c->from)
		if (sub_eq(*y, x))
			return;
	c->fails |= at < 0 || !type_is_scalar(sub_type(x));
	VEC_PUSH(&c->from, x);
}

// The first k results of the body are folded.  Where they are made by a few operations from no
// more values than they are, those are computed when it is folded: other results may be just these
// values.
static bool cut_tail(Body body, Types ret, int k, Cut *out)
{
	CutAt c = {.b = &body, .in_tail = NEW_ARRAY(bool, body.stms.len + 1)};
	for (int i = 0; i < k; i++)
		if (body.res.at[i].kind == S_VAR)
			cut_before(&c, body.res.at[i]);
		else
			c.fails = true;
	if (c.fails || !c.n || c.n > LONGEST_TAIL || c.from.len > k)
		return false;
	Lambda *tail =
		NEW(Lambda, .params = {NEW_ARRAY(Var, c.from.len), c.from.len}, .ret = {ret.at, k});
	Map names = {0};
	for (int i = 0; i < c.from.len; i++) {
		tail->params.at[i] = var_new(name_of("x"), sub_type(c.from.at[i]));
		subst_put(&names, c.from.at[i].var, sub_var(tail->params.at[i]));
	}
	VEC(Stm) stms = {0};
	for (int i = 0; i < body.stms.len; i++)
		if (c.in_tail[i])
			VEC_PUSH(&stms, body.stms.at[i]);
	tail->body =
		body_subst(body_rename((Body){VEC_SLICE(Stms, stms), {body.res.at, k}}), &names);
	body.res = subs_cat(VEC_SLICE(Subs, c.from), (Subs){body.res.at + k, body.res.len - k});
	*out = (Cut){body, tail};
	return true;
}

// The map function as a nest of its own, then scans and reductions of what it gives.
static Subs split_screma(Flatten *f, const Level *nest, const Exp *e, Vars certs,
                         Versions versions)
{
	const Lambda *map = e->screma.map;
	int k = n_folded(e);
	Level *l = level_new(f, nest, e->screma.n, map->params, e->screma.arrs, certs);
	l->versions = versions;
	Cut cut = {typed(f, map->body, map->ret), lambda_identity((Types){map->ret.at, k})};
	cut_tail(cut.head, map->ret, k, &cut);
	Body body = cut.head;
	k = cut.tail->params.len;
	int *from = NEW_ARRAY(int, body.res.len);
	Subs made = {NEW_ARRAY(Sub, body.res.len), body.res.len}, some;
	body.res = distinct(body.res, k, from);
	some = flatten_nest(f, l, body);
	for (int i = 0; i < made.len; i++)
		made.at[i] = some.at[from[i]];
	Subs arrs = {NEW_ARRAY(Sub, k), k};
	for (int i = 0; i < k; i++) {
		arrs.at[i] = made.at[i];
		if (!nest)
			continue;
		Type t = vars[cut.tail->params.at[i].id].type;
		Var v = var_new(name_of("row"), type_of_rows(e->screma.n, t));
		map_put(&f->inside, var_key(v), f);
		know_spread(f, nest, v, made.at[i]);
		arrs.at[i] = sub_var(v);
	}
	note_inside(f, cut.tail);
	Exp *fold = EXP(screma, .n = e->screma.n, .arrs = arrs, .map = cut.tail,
	                .scans = e->screma.scans, .reds = e->screma.reds);
	Subs folded = versions == V_BOTH && may_have_rows(f, nest, fold)
	                    ? thread_or_block(f, nest, fold, certs)
	                    : flatten_fold(f, nest, fold, certs);
	return subs_cat(folded, (Subs){made.at + k, made.len - k});
}

static Types types_of_results(const Level *nest, const Exp *e)
{
	Types ts = SLICE_DUP(Types, e->screma.map->ret);
	int n_scan = n_reduced(e->screma.scans), n_red = n_reduced(e->screma.reds);
	for (int i = 0; i < ts.len; i++) {
		if (ts.at[i].kind == T_ACC)
			continue;
		if (i < n_scan || i >= n_scan + n_red)
			ts.at[i] = type_of_rows(e->screma.n, ts.at[i]);
		ts.at[i] = nest_type(nest, ts.at[i]);
	}
	return ts;
}

static Exp *screma_rename(const Exp *e)
{
	Exp *copy = exp_dup(e);
	copy->screma.map = lambda_rename(e->screma.map);
	copy->screma.scans = SLICE_DUP(Reductions, e->screma.scans);
	copy->screma.reds = SLICE_DUP(Reductions, e->screma.reds);
	for EACH(Reduction, r, copy->screma.scans)
		r->op = lambda_rename(r->op);
	for EACH(Reduction, r, copy->screma.reds)
		r->op = lambda_rename(r->op);
	return copy;
}

// A screma of each row is done by its thread.
static Subs in_threads(Flatten *f, const Level *nest, const Exp *e, Vars certs)
{
	Types ts = types_of_results(NULL, e);
	Vars pat = {NEW_ARRAY(Var, ts.len), ts.len};
	for (int i = 0; i < ts.len; i++) {
		pat.at[i] = var_new(name_of("made"), ts.at[i]);
		map_put(&f->inside, var_key(pat.at[i]), f);
	}
	Stm s = {.pat = pat, .exp = (Exp *)e, .certs = certs, .where = f->b.where};
	return emit_kernel(f, nest, (Body){.stms = {mem_dup(&s, sizeof s), 1},
		.res = subs_of_vars(pat)});
}

// Rows that kernels before have written lie one after the other: neighbouring threads would read
// far apart, if each had a row.
static bool are_written_rows(const Flatten *f, const Exp *e)
{
	for EACH(Sub, a, e->screma.arrs) {
		const Known *k = a->kind == S_VAR ? map_get(&f->known, var_key(a->var)) : NULL;
		if (!k || k->kind != K_SPREAD)
			return false;
	}
	return e->screma.arrs.len > 0;
}

// Several threads do each row.
static Subs by_many(Flatten *f, const Level *nest, const Exp *e, Vars certs)
{
	if (!folds_columns(f, nest, e))
		return flatten_fold(f, nest, e, certs);
	Build *b = &f->b;
	Types ts = types_of_results(nest, e);
	Sub pays = columns_pay(f, nest, e);
	const Exp *copy = screma_rename(e);
	b_open(b);
	Body yes = b_close(b, in_threads(f, nest, fold_columns(f, nest, copy, certs), certs));
	b_open(b);
	Body no = b_close(b, flatten_fold(f, nest, e, certs));
	return b_lets(b, "r", ts, EXP(if_, pays, yes, no));
}

// Likewise; many short rows in two steps, each by one thread.
static Subs steps_or_many(Flatten *f, const Level *nest, const Exp *e, Vars certs, Sub many)
{
	Build *b = &f->b;
	if (!folds_in_steps(f, nest, e))
		return by_many(f, nest, e, certs);
	Types ts = types_of_results(nest, e);
	Sub steps = b_prim2(b, P_and, many, suits_steps(f, e));
	b_open(b);
	Body yes = b_close(b, in_threads(f, nest, fold_steps(f, nest, e, certs), certs));
	b_open(b);
	Body no = b_close(b, by_many(f, nest, e, certs));
	return b_lets(b, "r", ts, EXP(if_, steps, yes, no));
}

// With enough rows a thread does each of them, else a block, or several threads.
static Subs thread_or_block(Flatten *f, const Level *nest, const Exp *e, Vars certs)
{
	Build *b = &f->b;
	Sub many = emit_threshold(f, "segments", rows_of_fold(f, nest, e), AT_enough_threads);
	Sub outer = many;
	if (are_written_rows(f, e))
		outer = b_prim2(b, P_and, outer,
		                b_lt(b, e->screma.n, sub_i64(threshold(AT_written_row))));
	if (outer.kind == S_CONST)
		return outer.val.u ? in_threads(f, nest, e, certs)
		                   : by_many(f, nest, e, certs);
	Types ts = types_of_results(nest, e);
	Exp *copy = screma_rename(e);
	b_open(b);
	Body yes = b_close(b, in_threads(f, nest, copy, certs));
	b_open(b);
	Body no = b_close(b, steps_or_many(f, nest, e, certs, many));
	return b_lets(b, "r", ts, EXP(if_, outer, yes, no));
}

// With enough rows a thread does each of them, as it is written; else several do what is one
// reduction.
static Subs threads_or_merged(Flatten *f, const Level *nest, const Exp *e, const Exp *merged,
                              Vars certs)
{
	Build *b = &f->b;
	Sub many = emit_threshold(f, "segments", nest_size(f, nest), AT_enough_threads);
	if (many.kind == S_CONST)
		return many.val.u ? in_threads(f, nest, e, certs) : by_many(f, nest, merged, certs);
	Types ts = types_of_results(nest, e);
	b_open(b);
	Body yes = b_close(b, in_threads(f, nest, e, certs));
	b_open(b);
	Body no = b_close(b, by_many(f, nest, merged, certs));
	return b_lets(b, "r", ts, EXP(if_, many, yes, no));
}

static bool says(Attributes attrs, const char *what)
{
	return has_attr_text(attrs, text("flattening(%s)", what)) ||
	       has_attr_text(attrs, text("incremental_flattening(%s)", what));
}

static Versions versions_of(Flatten *f)
{
	Attributes attrs = f->attrs;
	f->attrs = (Attributes){0};
	if (has_attr(attrs, ATTR_SEQUENTIAL_INNER))
		return V_ONLY_OUTER;
	return says(attrs, "no_outer") || says(attrs, "only_inner") ? V_NO_OUTER : V_BOTH;
}

Subs flatten_screma(Flatten *f, const Level *nest, const Exp *e, Vars certs)
{
	const Lambda *map = e->screma.map;
	Versions versions = versions_of(f);
	if (!e->screma.scans.len && !e->screma.reds.len) {
		Level *l = level_new(f, nest, e->screma.n, map->params, e->screma.arrs, certs);
		l->versions = versions;
		return flatten_nest(f, l, typed(f, map->body, map->ret));
	}
	if (!is_scalar_fold(e))
		return flatten_array_fold(f, nest, e, certs);
	const Exp *merged = versions != V_ONLY_OUTER ? merge_folds(f, e) : NULL;
	if (merged)
		return nest && !nest->few && versions != V_NO_OUTER
		             ? threads_or_merged(f, nest, e, merged, certs)
		             : by_many(f, nest, merged, certs);
	if ((has_parallelism(f, &map->body) && versions != V_ONLY_OUTER) ||
	    (e->screma.scans.len && !is_light(&map->body)) ||
	    (nest && versions == V_BOTH && has_irregular_loop(f, &map->body)) ||
	    (!nest && versions == V_BOTH && !e->screma.scans.len && block_suits(f, &map->body)))
		return split_screma(f, nest, e, certs, versions);
	if (versions != V_NO_OUTER && may_have_rows(f, nest, e))
		return thread_or_block(f, nest, e, certs);
	return by_many(f, nest, e, certs);
}
