// The passes `keep_sums` and `keep_products`: a sum that two combinators over the same rows
// compute is computed by the first and stored for the second.
//
//     s = screma n (xs, ms) map=\(x, m) -> {          (s, ks) = screma n (xs, ms) map=\(x, m) -> {
//       (r) = screma k (m) map=\(row) -> {              (r, k) = screma k (m) map=\(row) -> {
//         (d) = screma l (row, x) .. reduce=..            (d) = screma l (row, x) .. reduce=..
//         in d * d} reduce=..                             in d * d, d} reduce=..
//       in r} ..                                 ->     in r, k} ..
//     t = screma n (xs, ms, ys) map=\(x, m, y) -> {   t = screma n (.., ks) map=\(.., k) -> {
//       .. screma k (m) map=\(row) -> {                 .. screma k (m, k) map=\(row, d) -> {
//         (d) = screma l (row, x) .. reduce=..
//         ..}                                             ..}
//
// The return sweep of a map re-executes its body.  If that contains a sum of many terms whose
// value is a single number, storing the value is cheaper on any machine.  The same holds for
// functions such as exp, which take longer than a store and a load, unless their values are only
// needed to compute other values that are stored.
//
// The order of memory use does not increase: one number is stored for each row of an input of the
// first combinator, for each row of such a row, or for each element of a result that it has anyway,
// as the convolutions of all pictures in all places are.
//
// Requires: the SOAC stage, after fusion.  Ensures nothing that other passes rely on.
//
// keep_sums is for sequential code, since a device would have to store the numbers of all threads.
// It does so anyway where `flatten` splits a matrix product off a nest (flatten_product.c);
// keep_products stores only those: sums over rows x and y, each of which is invariant in some
// level that the other depends on.
#include "opt/same.h"

#include <stdlib.h>

enum { MAX_STMS = 120 };

typedef struct { Var var; Sub arr; } Input;     // a parameter, and of which rows
typedef struct { Var pat; Sub res; Type type; } Output; // a name outside, a result inside
typedef struct { VEC(Input) inputs; VEC(Output) outputs; bool gone; } Change;
typedef struct {
	Map changes;                            // Exp * -> Change *
	Same same;                              // of a second combinator, in a first
	bool products;                          // keep these alone
	Map masks;                              // set_levels: what a variable depends on
} KeepSums;

static Change *change_of(KeepSums *k, const Exp *e)
{
	Change *c = map_get(&k->changes, e);
	if (!c) {
		c = NEW(Change, .gone = false);
		map_put(&k->changes, e, c);
	}
	return c;
}

// ---- Products ----

typedef struct { KeepSums *k; int depth; uint64_t bits; } Levels;

static void add_mask(Visit *v, Sub *x)
{
	Levels *l = v->ctx;
	l->bits |= levels_of(&l->k->masks, *x);
}

// A variable depends on the combinators around it whose rows are in what it is made from.
static void note_levels(Visit *v, Body *b)
{
	Levels *l = v->ctx;
	uint64_t around = l->bits;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		bool level = e->form == E_screma && l->depth < 63;
		uint64_t own = level ? (uint64_t)1 << l->depth : 0;
		for (int i = 0; level && i < e->screma.arrs.len; i++)
			set_levels(&l->k->masks, e->screma.map->params.at[i],
			         own | levels_of(&l->k->masks, e->screma.arrs.at[i]));
		l->bits = 0;
		l->depth += level;
		stm_walk(s, v);
		l->depth -= level;
		for EACH(Var, x, s->pat)
			set_levels(&l->k->masks, *x, l->bits & ~own);
		around |= l->bits & ~own;
	}
	for EACH(Sub, x, b->res)
		around |= levels_of(&l->k->masks, *x);
	l->bits = around;
}

static void note_products(KeepSums *k, Fun *f)
{
	Levels l = {.k = k};
	Visit v = {.body = note_levels, .sub = add_mask, .ctx = &l};
	note_levels(&v, &f->body);
}

static bool is_product(const KeepSums *k, const Exp *sum)
{
	if (sum->form != E_screma)
		return false;
	for EACH(Sub, a, sum->screma.arrs)
		for EACH(Sub, b, sum->screma.arrs) {
			uint64_t x = levels_of(&k->masks, *a), y = levels_of(&k->masks, *b);
			if ((x & ~y) && (y & ~x))
				return true;
		}
	return false;
}

// ---- What is kept ----

// Also any other loop of many iterations that gives scalars.
static bool is_sum(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_loop)
		return !e->loop.is_while && vars_are_scalars(s->pat) &&
		       may_reach(e->loop.n, AT_kept_sums);
	if (e->form != E_screma || e->screma.scans.len || !e->screma.reds.len ||
	    !may_reach(e->screma.n, AT_kept_sums))
		return false;
	return vars_are_scalars(s->pat);
}

// The combinators around two statements, innermost first.
typedef struct Around { const Stm *first, *second; const struct Around *up; } Around;

// The value is a result of all combinators around the first, and an input of those around the
// second.
static void keep(KeepSums *k, const Around *a, const Stm *first, const Stm *second)
{
	if (change_of(k, second->exp)->gone || (k->products && !is_product(k, first->exp)) ||
	    !may_rewrite())
		return;
	change_of(k, second->exp)->gone = true;
	for (int i = 0; i < first->pat.len; i++) {
		Var inside = first->pat.at[i], param = second->pat.at[i];
		for (const Around *x = a; x; x = x->up) {
			Type t = vars[inside.id].type;
			Var out =
				var_new(name_of("sums"), type_of_rows(x->first->exp->screma.n, t));
			Change *of = change_of(k, x->first->exp),
			       *to = change_of(k, x->second->exp);
			VEC_PUSH(&of->outputs, (Output){out, sub_var(inside), t});
			Var row = x->up ? var_new(name_of("sums"), vars[out.id].type) : out;
			VEC_PUSH(&to->inputs, (Input){param, sub_var(row)});
			inside = out;
			param = row;
		}
	}
}

// Is it an array of n rows that the combinator has as a row?
static bool is_row_of(const Exp *e, Sub x, Sub n)
{
	for EACH(Var, p, e->screma.map->params)
		if (sub_eq(x, sub_var(*p)))
			return sub_eq(vars[p->id].type.dims.at[0], n);
	return false;
}

// Is a row of the combinator around this one (NULL: there is none) an array of what this one makes
// of its rows?
static bool makes_row_of(const Exp *of, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_screma || e->screma.scans.len || (of && of->screma.scans.len))
		return false;
	for (int i = n_reduced(e->screma.reds); i < s->pat.len; i++)
		if (vars[s->pat.at[i].id].type.kind == T_DATA &&
		    (!of || subs_find(of->screma.map->body.res, sub_var(s->pat.at[i])) >=
		            n_reduced(of->screma.reds)))
			return true;
	return false;
}

// Do they go over the same rows, of an array that `of` has rows of, or so many as results of `of`
// have?  Then their parameters are the same.
static bool same_rows(KeepSums *k, const Stm *s, const Stm *t, const Exp *of, bool deep)
{
	const Exp *e = s->exp, *f = t->exp;
	bool found = false, made = makes_row_of(of, s);
	if (deep && !made)
		return false;
	if (e->form != E_screma || f->form != E_screma ||
	    !is_same(&k->same, e->screma.n, f->screma.n))
		return false;
	for (int j = 0; j < f->screma.arrs.len; j++)
		for (int i = 0; i < e->screma.arrs.len; i++) {
			Sub x = e->screma.arrs.at[i];
			if (!is_same(&k->same, x, f->screma.arrs.at[j]) ||
			    sub_type(x).kind != T_DATA)
				continue;
			same_put(&k->same, f->screma.map->params.at[j],
			         sub_var(e->screma.map->params.at[i]));
			found |= made ? true : of ? is_row_of(of, x, e->screma.n)
			                          : sub_type(x).elem != PT_I64;
		}
	return found;
}

static void match_bodies(KeepSums *, const Around *, const Body *, const Body *);

// A function of an element of a combinator, which has more than a few.
static bool is_function(const Around *a, const Stm *s)
{
	return stm_is_function(s) &&
	       may_reach(a->first->exp->screma.n, AT_kept_sums);
}

// Is the value needed by anything in the second body but what is the same in the first?
static bool is_needed(const KeepSums *k, const Body *second, const Stm *t)
{
	Map of = {0};
	map_put(&of, var_key(t->pat.at[0]), &of);
	for EACH(Stm, u, second->stms)
		if (!is_known(&k->same, u->pat.at[0]) && stm_mentions(u, &of))
			return true;
	for EACH(Sub, x, second->res)
		if (sub_eq(*x, sub_var(t->pat.at[0])))
			return true;
	return false;
}

typedef struct { const Stm *first, *second; } Pair;
typedef VEC(Pair) Pairs;

// Statements of the second body against all of the first.
static void match_stm(KeepSums *k, const Around *a, const Body *first, const Stm *t,
                      Pairs *functions)
{
	for EACH(Stm, s, first->stms)
		if (s->pat.len == t->pat.len && is_same_exp(&k->same, s->exp, t->exp)) {
			for (int i = 0; i < s->pat.len; i++)
				same_put(&k->same, t->pat.at[i], sub_var(s->pat.at[i]));
			if (is_sum(s))
				keep(k, a, s, t);
			if (is_function(a, s) && !k->products)
				VEC_PUSH(functions, ((Pair){s, t}));
			return;
		}
	if (t->exp->form == E_withacc)
		match_bodies(k, a, first, &t->exp->withacc.fn->body);
	for EACH(Stm, s, first->stms)
		if (same_rows(k, s, t, a->first->exp, a->up)) {
			Around inner = {s, t, a};
			match_bodies(k, &inner, &s->exp->screma.map->body,
			             &t->exp->screma.map->body);
			return;
		}
}

static void match_bodies(KeepSums *k, const Around *a, const Body *first, const Body *second)
{
	if (first->stms.len > MAX_STMS || second->stms.len > MAX_STMS)
		return;
	Pairs functions = {0};
	for EACH(Stm, t, second->stms)
		match_stm(k, a, first, t, &functions);
	for EACH(Pair, p, functions)
		if (is_needed(k, second, p->second))
			keep(k, a, p->first, p->second);
}

// Is there anything in it that may be worth keeping?
static bool has_work(const Exp *e)
{
	if (e->form != E_screma)
		return false;
	for EACH(Stm, s, e->screma.map->body.stms)
		if (form_has(s->exp->form, FORM_SOAC) || s->exp->form == E_withacc || is_sum(s) ||
		    stm_is_function(s))
			return true;
	return false;
}

static bool works(const Stm *s)
{
	return has_work(s->exp);
}

static void try_pair(KeepSums *k, const Stm *s, const Stm *t)
{
	if (t->exp->form == E_withacc) {
		for EACH(Stm, u, t->exp->withacc.fn->body.stms)
			try_pair(k, s, u);
		return;
	}
	if (!has_work(t->exp) || !same_rows(k, s, t, NULL, false))
		return;
	Around a = {s, t, NULL};
	match_bodies(k, &a, &s->exp->screma.map->body, &t->exp->screma.map->body);
}

typedef VEC(int) Places;

// Statements of a body that have an array as input, or something in them has.
static void note_readers(Map *readers, const Exp *e, int at)
{
	if (e->form == E_withacc)
		for EACH(Stm, s, e->withacc.fn->body.stms)
			note_readers(readers, s->exp, at);
	if (!has_work(e))
		return;
	for EACH(Sub, x, e->screma.arrs) {
		Places *p = x->kind == S_VAR ? map_get(readers, var_key(x->var)) : NULL;
		if (x->kind == S_VAR && !p)
			map_put(readers, var_key(x->var), p = NEW(Places, 0));
		if (p && (!p->len || p->at[p->len - 1] != at))
			VEC_PUSH(p, at);
	}
}

static int compare_places(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static Places later_readers(const Map *readers, const Exp *e, int at)
{
	Places out = {0};
	for EACH(Sub, x, e->screma.arrs) {
		const Places *p = x->kind == S_VAR ? map_get(readers, var_key(x->var)) : NULL;
		for (int i = p ? p->len : 0; i-- > 0 && p->at[i] > at; )
			VEC_PUSH(&out, p->at[i]);
	}
	if (out.len)
		qsort(out.at, (size_t)out.len, sizeof *out.at, compare_places);
	return out;
}

// Those that go over the same rows have an input in common.
static void find_pairs(KeepSums *k, const Body *b)
{
	Map readers = {0};
	for (int i = 0; i < b->stms.len; i++)
		note_readers(&readers, b->stms.at[i].exp, i);
	for (int i = 0; readers.len && i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		Places later = has_work(s->exp) ? later_readers(&readers, s->exp, i) : (Places){0};
		for (int j = 0; j < later.len; j++)
			if (!j || later.at[j] != later.at[j - 1])
				try_pair(k, s, &b->stms.at[later.at[j]]);
	}
}

// ---- The new program ----

static void extend(Stm *s, const Change *c)
{
	Exp *e = s->exp;        // a copy already
	Lambda *f = mem_dup(e->screma.map, sizeof *f);
	for EACH(Input, in, c->inputs) {
		e->screma.arrs = subs_cat(e->screma.arrs, subs_of(1, in->arr));
		f->params = vars_cat(f->params, vars_of(1, in->var));
	}
	for EACH(Output, out, c->outputs) {
		Types ret = {NEW_ARRAY(Type, f->ret.len + 1), f->ret.len + 1};
		for (int i = 0; i < f->ret.len; i++)
			ret.at[i] = f->ret.at[i];
		ret.at[f->ret.len] = out->type;
		f->ret = ret;
		f->body.res = subs_cat(f->body.res, subs_of(1, out->res));
		s->pat = vars_cat(s->pat, vars_of(1, out->pat));
	}
	e->screma.map = f;
}

static void keep_in_body(Visit *v, Body *b)
{
	KeepSums *k = v->ctx;
	find_pairs(k, b);
	StmVec out = {0};
	for EACH(Stm, old, b->stms) {
		const Change *c = map_get(&k->changes, old->exp);
		if (c && c->gone)
			continue;
		Stm s = *old;
		stm_visit(&s, v);
		if (c && (c->inputs.len || c->outputs.len)) // else only looked at, maybe a loop
			extend(&s, c);
		VEC_PUSH(&out, s);
	}
	b->stms = VEC_SLICE(Stms, out);
}

static Prog *keep_all(Prog *prog, bool products)
{
	KeepSums k = {.products = products, .same = same_new(false)};
	Visit v = {.body = keep_in_body, .copy = true, .ctx = &k};
	for (int i = 0; products && i < prog->funs.len; i++)
		note_products(&k, prog->funs.at[i]);
	prog = prog_rewrite_where(prog, works, &v);
	same_free(&k.same);
	return prog;
}

Prog *keep_sums(Prog *prog)
{
	return keep_all(prog, false);
}

Prog *keep_products(Prog *prog)
{
	return keep_all(prog, true);
}
