// Simplifies loops that add to the elements or rows of an array, each in an iteration of its own.
//
//     loop (a: *[n]f64 = replicate [n] 0.0) for i: i64 < n do {        = scratch.f64 [n]
//       let (j: i64) = sub.i64 last i                                  (j or i itself)
//       let (x: f64) = index a [j]                                ->   x is 0.0
//       let (y: f64) = add.f64 v x
//       let (b: [n]f64) = update a [j] y
//       in b
//     }
//
// No iteration reads what another one wrote, so each reads the initial value; and if there are as
// many iterations as elements, every element is written.  The same holds for rows (slices with a
// fixed first index).  Return sweeps of loops over the elements of an array have this form.  What
// one thread of a block does, in a loop of one iteration, is looked at as what the block does.
#include "opt/simplify.h"

// Another number in each iteration: the counter, or something from outside less the counter.
static bool is_own_place(const Exp *loop, Sub x)
{
	if (sub_eq(x, sub_var(loop->loop.i)))
		return true;
	const Stm *st = stm_in(&loop->loop.body, x);
	return st && st->exp->form == E_prim && st->exp->prim.op == P_sub &&
	       sub_eq(st->exp->prim.x[1], sub_var(loop->loop.i)) &&
	       !stm_in(&loop->loop.body, st->exp->prim.x[0]) &&
	       vars_find(loop->loop.params, st->exp->prim.x[0]) < 0;
}

// The first index with which a statement reads the array.
static bool reads(const Stm *st, Var array, Sub *at)
{
	const Exp *e = st->exp;
	if (e->form == E_index && sub_eq(e->index.arr, sub_var(array)))
		*at = e->index.idx.at[0];
	else if (e->form == E_slice && sub_eq(e->slice.arr, sub_var(array)) &&
	         e->slice.at.at[0].fixed)
		*at = e->slice.at.at[0].start;
	else
		return false;
	return true;
}

// Where an iteration changes parameter k: in the body of the loop, or of one inside of it that is
// done once.
typedef struct { const Body *body; Var array; int res; int at; } Place;

static Place place_of(Simp *s, const Exp *loop, int k)
{
	const Body *b = &loop->loop.body;
	Place p = {b, loop->loop.params.at[k], k, stm_index(b, b->res.at[k])};
	const Stm *in = p.at < 0 ? NULL : &b->stms.at[p.at];
	if (!in || in->exp->form != E_loop || in->exp->loop.is_while || in->certs.len ||
	    !sub_eq(in->exp->loop.n, sub_i64(1)) || s_uses(s, sub_var(p.array)) != 1)
		return p;
	int j = subs_find(in->exp->loop.inits, sub_var(p.array));
	if (j < 0 || !sub_eq(sub_var(in->pat.at[j]), b->res.at[k]))
		return p;
	return (Place){&in->exp->loop.body, in->exp->loop.params.at[j], j, p.at};
}

// Are reads of its own row, and the update of that, all that an iteration does to parameter k?
static bool has_own_row(Simp *s, const Exp *loop, Place where)
{
	Var p = where.array;
	const Body *b = where.body;
	int k = where.res;
	const Stm *write = stm_in(b, b->res.at[k]);
	if (!write || write->exp->form != E_update ||
	    !sub_eq(write->exp->update.arr, sub_var(p)) || !write->exp->update.at.at[0].fixed)
		return false;
	Sub to = write->exp->update.at.at[0].start, at;
	int n = 0;
	if (!is_own_place(loop, to))
		return false;
	for EACH(Stm, st, b->stms)
		n += reads(st, p, &at) && sub_eq(at, to);
	if (!n || s_uses(s, sub_var(p)) != n + 1)
		return false;
	for EACH(Stm, st, b->stms)
		if (st != write && !(reads(st, p, &at) && sub_eq(at, to)) &&
		    vars_find(free_in_stm(st), sub_var(p)) >= 0)
			return false;
	return true;
}

// Is all of the row written?
static bool writes_row(Place p, Type t)
{
	const Stm *write = stm_in(p.body, p.body->res.at[p.res]);
	Slices at = write->exp->update.at;
	for (int d = 1; d < at.len; d++)
		if (at.at[d].fixed || !sub_eq(at.at[d].start, sub_i64(0)) ||
		    !sub_eq(at.at[d].len, t.dims.at[d]) || !sub_eq(at.at[d].step, sub_i64(1)))
			return false;
	return true;
}

// What is read of array p is `value`.
static Body without_reads(Body body, Var p, Sub value)
{
	Map known = {0};
	VEC(Stm) stms = {0};
	Sub at;
	for EACH(Stm, st, body.stms) {
		Stm copy = *st;
		if (!reads(st, p, &at)) {
			VEC_PUSH(&stms, copy);
			continue;
		}
		Type t = vars[st->pat.at[0].id].type;
		if (!t.dims.len) {
			map_put(&known, var_key(st->pat.at[0]), mem_dup(&value, sizeof value));
			continue;
		}
		copy.exp = EXP(replicate, t.dims, value);
		VEC_PUSH(&stms, copy);
	}
	return body_subst((Body){VEC_SLICE(Stms, stms), body.res}, &known);
}

void simp_touches(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	for (int k = 0; !e->loop.is_while && k < e->loop.params.len; k++) {
		Type t = vars[e->loop.params.at[k].id].type;
		if (t.kind != T_DATA || !t.dims.len || !t.unique)
			continue;
		const Exp *init = s_def_as(s, e->loop.inits.at[k], E_replicate);
		if (!init || init->replicate.x.kind != S_CONST)
			continue;
		Place p = place_of(s, e, k);
		if (!has_own_row(s, e, p) || !s_rewrite(s))
			continue;
		bool all = sub_eq(e->loop.n, t.dims.at[0]) && writes_row(p, t);
		Body now = without_reads(*p.body, p.array, init->replicate.x);
		if (p.body == &e->loop.body) {
			e->loop.body = now;
		} else {
			Stms stms = e->loop.body.stms = SLICE_DUP(Stms, e->loop.body.stms);
			stms.at[p.at].exp = exp_dup(stms.at[p.at].exp);
			stms.at[p.at].exp->loop.body = now;
		}
		if (!all)
			continue;
		e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
		t.unique = false;
		e->loop.inits.at[k] = s_let(s, "filled", t, EXP(scratch, t.elem, t.dims));
	}
}
