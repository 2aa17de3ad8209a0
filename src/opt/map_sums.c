// Turns loops that sum scalars into reductions.
//
//     loop (s: f64 = s0) for i: i64 < k do {              let (as: [k]f64) = slice a [r, 0:k:1]
//       let (x: f64) = index a [r, i]                     let (t: f64) = screma k (iota k, as)
//       let (y: f64) = ..x..                      ->        map=\(i, x) -> {.. y ..}
//       let (t: f64) = add.f64 s y                          reduce_comm=(0.0) (+)
//       in t                                              let (s: f64) = add.f64 s0 t
//     }
//
// The only use of a loop parameter is the addition to it.  The reduction can be executed in
// parallel, and its derivative is a map without a log.  As in other reductions, the order of
// floating-point additions is unspecified: a loop with compensated summation does not qualify,
// since it carries a correction, and loops with attributes such as #[sequential] are left alone.
//
// Not applied inside maps: with many rows, one thread executes each of them sequentially, whether
// it contains a reduction or a loop.  The exception are maps inside a host-level loop, which
// usually have few rows; loops of factorisations become such maps (map_turn.c).
//
// For one thread, in what is differentiated, it is applied to loops over loops: their derivative
// keeps nothing of an iteration, and what all of them add to is summed in one nest, such as a
// product of matrices.  A loop of scalars is as good as the reduction.
//
// Part of the passes `map_loops` and `map_diff_loops`.
#include "opt/map_loops.h"

// ---- Which loops ----

static bool is_worth(const MapLoops *m, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || has_attrs(s->attrs) || !e->loop.params.len ||
	    sub_type(e->loop.n).elem != PT_I64 ||
	    !may_reach(e->loop.n, AT_map_sums_terms))
		return false;
	bool here = m->threads ? !m->soacs || (m->soacs == 1 && m->loops)
	                       : body_find(&e->loop.body, is_work) != NULL;
	return here && body_find(&e->loop.body, stm_is_index); // numbers alone are the host's
}

// The additions that lead from a parameter to its next value, and what they add or subtract.
typedef struct { Sub x; bool minus; } Term;
typedef struct { const Body *b; Var p; Map adds; VEC(Term) terms; } Chain;

// Is x the parameter, or the parameter and something more?
static bool find_chain(Chain *c, Sub x)
{
	const Stm *s = stm_in(c->b, x);
	if (sub_eq(x, sub_var(c->p)))
		return true;
	bool minus = s && s->exp->form == E_prim && s->exp->prim.op == P_sub;
	if (!s || s->exp->form != E_prim || (s->exp->prim.op != P_add && !minus) ||
	    s->certs.len || n_uses_in(c->b, x.var) != 1)
		return false;
	for (int k = 0; k < (minus ? 1 : 2); k++)
		if (find_chain(c, s->exp->prim.x[k])) {
			map_put(&c->adds, s, c);
			VEC_PUSH(&c->terms, ((Term){s->exp->prim.x[1 - k], minus}));
			return true;
		}
	return false;
}

static bool is_sum(const Exp *loop, int k, Chain *c)
{
	*c = (Chain){.b = &loop->loop.body, .p = loop->loop.params.at[k]};
	Type t = vars[c->p.id].type;
	return type_is_scalar(t) && is_float(t.elem) && n_uses_in(c->b, c->p) == 1 &&
	       find_chain(c, c->b->res.at[k]) && c->terms.len;
}

// ---- Elements that are inputs of the reduction ----

typedef struct { MapLoops *m; const Exp *loop; Map inside; } Sum;

// The dimension whose index is the counter, if the others are the same in all iterations and
// surely in bounds, also if there is no iteration; else -1.
static int row_of(Sum *x, const Stm *s)
{
	const Exp *e = s->exp;
	int moving = -1;
	if (e->form != E_index || s->certs.len || !type_is_scalar(vars[s->pat.at[0].id].type) ||
	    map_has(&x->inside, var_key(e->index.arr.var)))
		return -1;
	Subs dims = sub_type(e->index.arr).dims;
	for (int d = 0; d < e->index.idx.len; d++) {
		Sub i = e->index.idx.at[d];
		if (sub_eq(i, sub_var(x->loop->loop.i))) {
			if (moving >= 0)
				return -1;
			moving = d;
		} else if ((i.kind == S_VAR && map_has(&x->inside, var_key(i.var))) ||
		           !range_below(&x->m->range, i, dims.at[d])) {
			return -1;
		}
	}
	return moving;
}

static Sub row_slice(Build *b, const Exp *index, int moving, Sub n)
{
	Slices at = slices_at(index->index.idx, (Subs){0});
	at.at[moving] = dim_whole(n);
	return b_slice(b, index->index.arr, at);
}

// ---- The reduction ----

static Reduction sum_of(Build *b, PrimType t)
{
	Sub zero = sub_const(scalar_float(t, 0));
	return (Reduction){b_operator(b, P_add, t), subs_of(1, zero), true};
}

static Sub sum_of_terms(Build *b, const Chain *c)
{
	Term first = c->terms.at[0];
	Sub sum = first.minus ? b_prim1(b, P_neg, first.x) : first.x;
	for (int i = 1; i < c->terms.len; i++)
		sum = b_prim2(b, c->terms.at[i].minus ? P_sub : P_add, sum, c->terms.at[i].x);
	return sum;
}

static void emit_sums(Sum *x, Build *b, const Stm *s, const Chain *chains)
{
	const Exp *e = s->exp;
	int k = e->loop.params.len;
	Sub n = e->loop.n;
	b->where = s->where;
	b->certs = s->certs;
	if (!range_at_most(&x->m->range, sub_i64(0), n))
		n = b_prim2(b, P_max, n, sub_i64(0));
	VEC(Sub) arrs = {0};
	VEC(Var) params = {0};
	Build row = {.where = s->where};
	b_open(&row);
	VEC_PUSH(&arrs, b_iota(b, n));
	VEC_PUSH(&params, e->loop.i);
	for EACH(Stm, t, e->loop.body.stms) {
		bool add = false;
		int moving = row_of(x, t);
		for (int i = 0; i < k; i++)
			add |= map_has(&chains[i].adds, t);
		if (moving >= 0) {
			VEC_PUSH(&arrs, row_slice(b, t->exp, moving, n));
			VEC_PUSH(&params, t->pat.at[0]);
		} else if (!add) {
			b_emit(&row, *t);
		}
	}
	Types ret = {NEW_ARRAY(Type, k), k};
	Subs terms = {NEW_ARRAY(Sub, k), k};
	Reductions sums = {NEW_ARRAY(Reduction, k), k};
	for (int i = 0; i < k; i++) {
		terms.at[i] = sum_of_terms(&row, &chains[i]);
		ret.at[i] = vars[s->pat.at[i].id].type;
		sums.at[i] = sum_of(b, ret.at[i].elem);
	}
	Lambda *f = NEW(Lambda, .params = VEC_SLICE(Vars, params), .ret = ret,
		.body = b_close(&row, terms));
	Subs all = b_lets(b, "sum", ret, NEW(Exp, .form = E_screma, .screma = {.n = n,
		.arrs = VEC_SLICE(Subs, arrs), .map = f, .reds = sums}));
	for (int i = 0; i < k; i++)
		b_stm(b, vars_of(1, s->pat.at[i]), NEW(Exp, .form = E_prim, .prim = {
			P_add, ret.at[i].elem, {e->loop.inits.at[i], all.at[i]}}));
}

bool map_sums(MapLoops *m, Build *b, const Stm *s)
{
	if (!is_worth(m, s))
		return false;
	const Exp *e = s->exp;
	int k = e->loop.params.len;
	Chain *chains = NEW_ARRAY(Chain, k);
	for (int i = 0; i < k; i++)
		if (!is_sum(e, i, &chains[i]))
			return false;
	for EACH(Stm, t, e->loop.body.stms)
		if (exp_has_effect(t->exp) && t->exp->form != E_assert_)
			return false;
	Sum x = {.m = m, .loop = e};
	Visit bound = {.bind = note_binder, .ctx = &x.inside};
	exp_visit((Exp *)e, &bound); // a walk
	if (!may_rewrite())
		return false;
	Vars certs = b->certs;
	emit_sums(&x, b, s, chains);
	b->certs = certs;
	return true;
}
