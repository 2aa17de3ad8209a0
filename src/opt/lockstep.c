// The pass `lockstep`: executes the loops of several rows of a map in lockstep, a strip of rows at
// a time.
//
//     screma n (xs) map=\x -> {              strips = screma (n / 16) map=\t -> {
//       loop (h = x) for i < m do {            hs = rows 16 t .. 16 t + 15 of xs, lanes last
//         screma d (w) map=\row -> {           loop (hs) for i < m do {
//           sum of row * h            ->         screma d (w) map=\row -> {
//         }                                        screma 16 map=\lane ->
//       }                                            sum of row * hs[:, lane]
//     }                                          }}}
//                                            rest = the map over the rows that are left
//                                            concat strips rest
//
// A batch of recurrences (samples through a network, trajectories, sequences) is written as a map
// of loops.  Row by row, each step is a matrix-vector product: the matrix is read again for each
// row, and the short state of one row does not fill the processor's vectors.  For a strip it is a
// matrix product, which is tiled, and functions such as tanh are evaluated on full vectors.  The
// pass runs before differentiation, so that the return sweep consists of such products as well and
// keeps the states of one strip only.
//
// All rows of a strip must have the same control flow (lockstep_find.c); values that vary between
// rows get one more dimension (lockstep_body.c).  It pays if a loop that carries arrays folds
// values shared by all rows with values of each row, or if it computes, per element, something
// that is the same in all rows (the twiddle factors of a Fourier transform, the positions that a
// sorting network compares), which is then computed once per strip, or if it evaluates functions of
// what it computed before, which in one row wait for each other (dynamic programming).  Sums within
// a row keep their order.
//
// With threads a strip is a row like others: chunks are of several strips, or, where there are few
// and each is much work, the maps inside of one are shared out (thread/multicore.c).
//
// Requires: calls are inlined.  Ensures nothing that other passes rely on.
#include "opt/lockstep.h"

enum { MOST_STATE = 4096 };             // elements of a row's state

static bool is_candidate(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_screma && !e->screma.scans.len && e->screma.arrs.len &&
	       !s->certs.len && !has_attrs(s->attrs) &&
	       may_reach(e->screma.n, AT_lockstep_rows);
}

static bool is_batch(const Stm *s)
{
	return is_candidate(s) && body_find(&s->exp->screma.map->body, stm_is_for);
}

static void enter_map(Lockstep *k, const Lambda *f)
{
	for EACH(Var, p, f->params) {
		map_put(&k->varies, var_key(*p), k);
		k->fails |= vars[p->id].type.kind == T_ACC;
	}
	note_varying(k, &f->body);
	check_steps(k, &f->body, 0);
}

// The lanes last, in new memory: a view would leave the lanes of an element apart from each other.
static Sub with_lanes_last(Lockstep *k, Sub rows)
{
	Subs dims = sub_type(rows).dims;
	Var i = var_i64("i");
	if (dims.len == 1)
		return rows;
	b_open(&k->b);
	Slices at = slices_at((Subs){0}, dims);
	at.at[1] = dim_at(sub_var(i));
	Sub inner = with_lanes_last(k, b_slice(&k->b, rows, at));
	Lambda *f = b_lambda(&k->b, vars_of(1, i), subs_of(1, inner));
	return b_map(&k->b, dims.at[1], subs_of(1, b_iota(&k->b, dims.at[1])), f).at[0];
}

typedef struct { Sub x; bool found; } Reread;

static void look_for_loop(Visit *v, Body *b)
{
	Reread *r = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (stm_is_for(s))
			r->found |= n_uses_in(&s->exp->loop.body, r->x.var) > 0;
		stm_walk(s, v);
	}
}

// Rows from `first` on, with the lanes last.  What loops read again and again is in new memory.
static Sub strip_of(Lockstep *k, const Lambda *f, Var param, Sub arr, Sub first)
{
	Slices at = slices_rows(sub_type(arr), first, sub_i64(k->n_lanes));
	Sub rows = b_slice(&k->b, arr, at);
	Reread r = {sub_var(param), false};
	Visit v = {.body = look_for_loop, .ctx = &r};
	look_for_loop(&v, (Body *)&f->body);
	return r.found                            ? with_lanes_last(k, rows)
	       : sub_type(rows).dims.len == 1 ? rows
	                                      : b_copy(&k->b, b_first_last(&k->b, rows));
}

static Lambda *strip_function(Lockstep *k, const Exp *e, const Lambda *f)
{
	Var t = var_i64("t");
	b_open(&k->b);
	Sub first = b_mul(&k->b, sub_var(t), sub_i64(k->n_lanes));
	for (int i = 0; i < f->params.len; i++)
		set_wide(k, f->params.at[i],
		         strip_of(k, f, f->params.at[i], e->screma.arrs.at[i], first));
	emit_steps(k, &f->body);
	Subs res = widened(k, f->body.res);
	for EACH(Sub, x, res)
		*x = b_last_first(&k->b, *x);
	return b_lambda(&k->b, vars_of(1, t), res);
}

static bool is_bound_in(const Lambda *f, Sub x)
{
	Vars needs = free_in_lambda(f);
	return x.kind == S_VAR && vars_find(needs, x) < 0;
}

// Strips, as far as their states fit the cache: a row's state that is as large as that has vectors
// to itself.  Sizes that the function computes are not known here.
static Sub strips_of(Lockstep *k, Sub n, const Lambda *f)
{
	Build *b = &k->b;
	Sub q = b_prim2(b, P_quot, n, sub_i64(k->n_lanes)), fits = sub_bool(true);
	for EACH(Type, t, k->states) {
		bool known = true;
		for EACH(Sub, d, t->dims)
			known &= !is_bound_in(f, *d);
		if (known)
			fits = b_prim2(b, P_and, fits,
			               b_le(b, b_product(b, t->dims), sub_i64(MOST_STATE)));
	}
	return b_select(b, fits, q, sub_i64(0));
}

// The results of the map's function for all rows.
static Subs emit_strips(Lockstep *k, const Exp *e, const Lambda *f)
{
	Build *b = &k->b;
	Sub n = e->screma.n, q = strips_of(k, n, f);
	Sub done = b_mul(b, q, sub_i64(k->n_lanes)), left = b_sub(b, n, done);
	Subs strips = b_map(b, q, subs_of(1, b_iota(b, q)), strip_function(k, e, f));
	Subs rest = SLICE_DUP(Subs, e->screma.arrs);
	for EACH(Sub, x, rest)
		*x = b_slice(b, *x, slices_rows(sub_type(*x), done, left));
	rest = b_map(b, left, rest, e->screma.map);
	Subs all = SLICE_DUP(Subs, rest);
	for (int i = 0; i < all.len; i++) {
		Type t = type_of_rows(n, type_row(sub_type(rest.at[i])));
		Subs dims = SLICE_DUP(Subs, sub_type(rest.at[i]).dims);
		dims.at[0] = done;
		Subs parts = subs_of(2, b_reshape(b, dims, strips.at[i]), rest.at[i]);
		all.at[i] = b_let(b, "rows", t, EXP(concat, n, parts));
	}
	return all;
}

// The statement's results of those of the function: reductions come after.
static void emit_results(Build *b, const Stm *s, Subs all)
{
	int n_red = n_reduced(s->exp->screma.reds);
	if (n_red) {
		VEC(Var) params = {0};
		Subs arrs = subs_part(all, 0, n_red);
		for EACH(Sub, x, arrs)
			VEC_PUSH(&params, var_new(name_of("x"), type_row(sub_type(*x))));
		Vars ps = VEC_SLICE(Vars, params);
		b_open(b);
		Lambda *id = b_lambda(b, ps, subs_of_vars(ps));
		b_stm(b, (Vars){s->pat.at, n_red}, EXP(screma, .n = s->exp->screma.n, .arrs = arrs,
		                                       .map = id, .reds = s->exp->screma.reds));
	}
	for (int i = n_red; i < all.len; i++)
		b_stm(b, (Vars){s->pat.at + i, 1}, EXP(atom, all.at[i]));
}

static bool in_lockstep(Build *out, const Stm *s)
{
	Lockstep k = {0};
	if (!is_batch(s))
		return false;
	Lambda *f = lambda_rename(s->exp->screma.map);
	enter_map(&k, f);
	if (k.fails || !k.pays || !may_rewrite())
		return false;
	k.n_lanes = k.shares ? LANES_THAT_SHARE : LANES;
	k.b = *out;
	k.b.where = s->where;
	Subs all = emit_strips(&k, s->exp, f);
	emit_results(&k.b, s, all);
	*out = k.b;
	return true;
}

static void strip_body(Visit *v, Body *b)
{
	Build out = {0};
	b_open(&out);
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		if (in_lockstep(&out, &s))
			continue;
		stm_visit(&s, v);               // maps inside
		b_emit(&out, s);
	}
	*b = b_close(&out, b->res);
}

Prog *lockstep(Prog *prog)
{
	Visit v = {.body = strip_body, .copy = true};
	return prog_rewrite_where(prog, is_batch, &v);
}
