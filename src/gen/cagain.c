// Recomputes values that one loop would store for a later one (rematerialisation).
//
// In lanes (cfold.c), where many iterations run at once:
//
//     for i < n                              for i < n
//       s, p = 0, 1                            s, p = 0, 1
//       for k < m                              for k < m
//         log[k] = p                             s = s + p * x[k]
//         s = s + p * x[k]            ->         p = p * t
//         p = p * t                            d = f s
//       d = f s                                p = 1
//       for k < m                              for k < m
//         a[k] = a[k] + d * log[k]               a[k] = a[k] + d * p
//                                                p = p * t
//
// This applies to parameters of the first loop whose next value is one operation on the parameter
// and on values known before the loop.  In lanes that takes no longer than a store and a load, and
// the arrays of all lanes together may exceed the L1 cache: the gradient above takes 0.9 of the
// time on a Neoverse-V1.  With two operations it took 1.1.  Where iterations run one at a time, the
// latency of dependent operations costs more.
//
// The resulting loop is used only to emit text: variables occur in both loops, with a C variable in
// each, and the counts of the first round (Note [Two rounds]) refer to the original bodies
// (LaneArrays.bodies).
#include "gen/cgen.h"

typedef struct {
	Gen *g;
	Body *b;                        // of the outer loop
	LaneArrays *arrays;
} Again;

// A value that is kept, and the loop that reads it.
typedef struct {
	int log, param;                // parameters of the first loop: what keeps it, and the value
	const Stm *step;                // what computes the next value
	Stm *second;                    // the other loop
	int store, load;                // which statements of theirs
} Log;

// ---- Which values ----

// Is the next value one operation on this one and on what is known before the loop?
static bool takes_one_step(const Exp *e, Log *l)
{
	const Body *b = &e->loop.body;
	l->step = stm_in(b, b->res.at[l->param]);
	if (!l->step || l->step->exp->form != E_prim ||
	    !is_float(sub_type(b->res.at[l->param]).elem))
		return false;
	const Exp *step = l->step->exp;
	if (step->prim.op != P_mul && step->prim.op != P_add && step->prim.op != P_sub)
		return false;
	for (int k = 0; k < 2; k++) {
		Sub x = step->prim.x[k];
		bool own = sub_eq(x, sub_var(e->loop.params.at[l->param]));
		if (!own && (stm_in(b, x) || vars_find(e->loop.params, x) >= 0 ||
		             sub_eq(x, sub_var(e->loop.i))))
			return false;
	}
	return true;
}

// Is the initial value still there for the second loop, and the last one not used?
static bool can_begin_again(const Again *a, const Stm *first, const Log *l)
{
	Sub init = first->exp->loop.inits.at[l->param];
	Var p = first->exp->loop.params.at[l->param];
	bool written_there = init.kind == S_VAR && state_of(a->g, init.var)->n_uses == 1;
	bool done = vars_find(l->second->exp->loop.params, sub_var(p)) >= 0; // for another log
	return !written_there && !done && !n_uses_in(a->b, first->pat.at[l->param]);
}

// Does it hold the values of a scalar parameter at the beginning of each iteration, and nothing
// else?
static bool keeps_param(const Again *a, const Stm *first, Log *l)
{
	const Exp *e = first->exp;
	const Body *b = &e->loop.body;
	Var log = e->loop.params.at[l->log];
	Sub init = e->loop.inits.at[l->log], res = b->res.at[l->log];
	const Exp *made = def_in(a->b, init);
	l->store = stm_index(b, res);
	if (!vars[log.id].type.mem || !made || made->form != E_scratch || l->store < 0)
		return false;
	const Exp *store = b->stms.at[l->store].exp;
	if (!stores_at(store, sub_var(log), sub_var(e->loop.i)))
		return false;
	l->param = vars_find(e->loop.params, store->update.val);
	return l->param >= 0 && takes_one_step(e, l) && is_used_once(b, log) &&
	       is_used_once(b, res.var) && is_used_once(a->b, init.var);
}

// Is it read once in all, in a loop of as many iterations, in order?
static bool finds_load(const Again *a, const Stm *first, Log *l)
{
	Var log = first->pat.at[l->log];
	if (!is_used_once(a->b, log))
		return false;
	for EACH(Stm, s, a->b->stms) {
		if (!stm_is_for(s) || s->exp == first->exp ||
		    !sub_eq(s->exp->loop.n, first->exp->loop.n))
			continue;
		l->second = s;
		for (l->load = 0; l->load < s->exp->loop.body.stms.len; l->load++) {
			const Exp *e = s->exp->loop.body.stms.at[l->load].exp;
			if (e->form == E_index && sub_eq(e->index.arr, sub_var(log)))
				return e->index.idx.len == 1 &&
				       sub_eq(e->index.idx.at[0], sub_var(s->exp->loop.i));
		}
	}
	return false;
}

// ---- Without them ----

static Vars vars_but(Vars xs, int k)
{
	return vars_cat((Vars){xs.at, k}, (Vars){xs.at + k + 1, xs.len - k - 1});
}

static Subs subs_but(Subs xs, int k)
{
	return subs_cat(subs_part(xs, 0, k), subs_part(xs, k + 1, xs.len - k - 1));
}

// All but that one, and others.
static Stms stms_but(Stms xs, int k, Stms more)
{
	Stms out = {NEW_ARRAY(Stm, xs.len + more.len), 0};
	for (int i = 0; i < xs.len; i++)
		if (i != k)
			out.at[out.len++] = xs.at[i];
	for EACH(Stm, s, more)
		out.at[out.len++] = *s;
	return out;
}

// A copy of the loop, to be changed.
static Exp *copy_loop(const Exp *e, LaneArrays *arrays)
{
	Exp *out = exp_dup(e);
	const Body *was = map_get(&arrays->bodies, &e->loop.body);
	map_put(&arrays->bodies, &out->loop.body, (void *)(was ? was : &e->loop.body));
	return out;
}

static Stm without_log(const Stm *first, const Log *l, LaneArrays *arrays)
{
	Stm out = *first;
	Exp *e = out.exp = copy_loop(first->exp, arrays);
	out.pat = vars_but(out.pat, l->log);
	e->loop.params = vars_but(e->loop.params, l->log);
	e->loop.inits = subs_but(e->loop.inits, l->log);
	e->loop.body.res = subs_but(e->loop.body.res, l->log);
	e->loop.body.stms = stms_but(e->loop.body.stms, l->store, (Stms){0});
	return out;
}

static Stm with_param(const Stm *first, const Stm *second, const Log *l, LaneArrays *arrays)
{
	Stm out = *second;
	const Exp *from = first->exp;
	Exp *e = out.exp = copy_loop(second->exp, arrays);
	Var p = from->loop.params.at[l->param];
	out.pat = vars_cat(out.pat, vars_of(1, first->pat.at[l->param]));
	e->loop.params = vars_cat(e->loop.params, vars_of(1, p));
	e->loop.inits = subs_cat(e->loop.inits, subs_of(1, from->loop.inits.at[l->param]));
	e->loop.body.res = subs_cat(e->loop.body.res, subs_of(1, from->loop.body.res.at[l->param]));
	e->loop.body.stms = stms_but(e->loop.body.stms, -1, (Stms){(Stm *)l->step, 1});
	e->loop.body.stms.at[l->load].exp = EXP(atom, sub_var(p));
	return out;
}

// One log less; false: there is none.
static bool drops_log(const Again *a)
{
	for EACH(Stm, s, a->b->stms) {
		Log l = {0};
		for (l.log = 0; stm_is_for(s) && l.log < s->exp->loop.params.len; l.log++) {
			if (!keeps_param(a, s, &l) || !finds_load(a, s, &l) ||
			    !can_begin_again(a, s, &l))
				continue;
			int made = stm_index(a->b, s->exp->loop.inits.at[l.log]);
			*l.second = with_param(s, l.second, &l, a->arrays);
			*s = without_log(s, &l, a->arrays);
			a->b->stms = stms_but(a->b->stms, made, (Stms){0});
			return true;
		}
	}
	return false;
}

const Stm *compute_again(Gen *g, const Stm *s, LaneArrays *arrays)
{
	Stm out = *s;
	out.exp = copy_loop(s->exp, arrays);
	Body *b = &out.exp->loop.body;
	b->stms = stms_but(b->stms, -1, (Stms){0}); // a copy
	Again a = {g, b, arrays};
	bool any = false;
	while (drops_log(&a))
		any = true;
	return any ? mem_dup(&out, sizeof out) : NULL;
}
