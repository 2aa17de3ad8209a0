// Splits the iteration range of a loop at a condition on its counter (index-set splitting).
//
//     loop .. for i < n do {                    let (t) = min x (n - 1) + 1
//       let (c: bool) = le.i64 i x              loop .. for i < t do {.. then ..}
//       if c then {..} else {..}         ->     let (start) = max t 0
//     }                                         loop .. for j < n - start do {
//                                                 let (i) = add.i64 j start  .. else ..
//                                               }
//
// x is invariant in the loop, as for the rows of a triangular matrix, the mask of causal attention,
// or a tree whose levels shrink.  Neither of the two loops has a branch, so both can be vectorised,
// and each knows the range of its counter.
//
// Applied to small nests, whose inner loops may have the choices (a window that is cut off where a
// sequence begins, summed over channels), and to conditions that guard loads or function calls; a
// choice between values that are computed anyway needs no branch.
//
// Part of the pass `peel`.  Since x and n may be any integers, they are clamped before anything is
// added to them, which could otherwise wrap around.
#include "loop/peel.h"

// `before`: what the condition is in iterations below the threshold.
typedef struct { int cond; Sub x; bool with_x, before; } Boundary;

static bool compares(const Exp *loop, const Exp *e, Boundary *t)
{
	if (e->form != E_prim || e->prim.at != PT_I64 ||
	    (e->prim.op != P_lt && e->prim.op != P_le))
		return false;
	bool le = e->prim.op == P_le, left = sub_eq(e->prim.x[0], sub_var(loop->loop.i));
	Sub other = e->prim.x[left ? 1 : 0];
	if (other.kind != S_VAR || loop_binds(loop, other) || sub_eq(other, loop->loop.n) ||
	    !(left || sub_eq(e->prim.x[1], sub_var(loop->loop.i))))
		return false;
	*t = (Boundary){.x = other, .with_x = left ? le : !le, .before = left};
	return true;
}

// Something that a choice without a branch would do in vain, or could not do.
static bool is_work(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_index || e->form == E_update || e->form == E_assert_ ||
	       (e->form == E_prim && prim_is_function(e->prim.op));
}

// Is it the condition of a choice with work, in this body or that of a loop inside?
static bool guards_work(const Body *b, Sub cond)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_if_ && sub_eq(e->if_.cond, cond) &&
		    (body_find(&e->if_.yes, is_work) || body_find(&e->if_.no, is_work)))
			return true;
		if (e->form == E_loop && guards_work(&e->loop.body, cond))
			return true;
	}
	return false;
}

static bool find_threshold(const Exp *loop, Boundary *out)
{
	const Body *b = &loop->loop.body;
	for (int k = 0; k < b->stms.len; k++) {
		const Stm *s = &b->stms.at[k];
		if (compares(loop, s->exp, out) && guards_work(b, sub_var(s->pat.at[0]))) {
			out->cond = k;
			return true;
		}
	}
	return false;
}

bool splits_range(const Exp *loop)
{
	Boundary t;
	return find_threshold(loop, &t);
}

static Stm with_condition(const Stm *s, int at, bool holds)
{
	Stm out = *s;
	Exp *e = out.exp = exp_dup(s->exp);
	e->loop.body.stms = SLICE_DUP(Stms, e->loop.body.stms);
	e->loop.body.stms.at[at].exp = EXP(atom, sub_bool(holds));
	return out;
}

void split_range(StmVec *out, const Stm *s)
{
	Boundary t;
	if (!find_threshold(s->exp, &t))
		bug("split_range: no threshold");
	Sub n = peel_count(out, s->exp->loop.n), zero = sub_i64(0), one = sub_i64(1);
	Sub until = peel_compute(out, "until", P_min, t.x,
	                         t.with_x ? peel_compute(out, "last", P_sub, n, one) : n);
	if (t.with_x)
		until = peel_compute(out, "until", P_add, until, one);
	Stm known = with_condition(s, t.cond, t.before), first = loop_copy(&known);
	peel_run(out, first, s->exp->loop.inits, zero, until);
	Sub start = peel_compute(out, "start", P_max, until, zero);
	peel_run(out, with_condition(s, t.cond, !t.before), subs_of_vars(first.pat), start,
	         peel_compute(out, "n", P_sub, n, start));
}
