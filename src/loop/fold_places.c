// Computes a minimum and the first index at which it is attained in a single loop.
//
//     let (m, ys) = loop (m = inf, ys = out)       let (m, at) = loop (m = inf, at = k)
//                   for j < k do {                               for j < k do {
//       let (v) = ..                                 let (v) = ..
//       in min m v, update ys [j] v                  let (first) = v < m || (v == m && at == k)
//     }                                       ->     in min m v, if first then j else at
//     let (at) = loop (at = k) for j < k do {      }
//       let (v) = index ys [j]
//       in min at (if v == m then j else k)
//     }
//
// Reverse mode generates the two loops for minima and maxima of rows (src/ad/vjp_reduce.c), since
// both vectorise along the row.  If rows are vectorised across instead (strip_rows.c), the single
// loop avoids storing the values for a second one.
//
// A NaN compares neither less than nor equal to anything, and the initial value of the minimum is
// a constant, so m is never NaN and an element that is NaN is never selected.
#include <math.h>

#include "loop/split.h"

// The two loops; in the first, which parameters they are, and what is stored at j.
typedef struct {
	const Body *body;               // around
	const Stm *out, *values, *search;
	int m, ys;
	Sub v;
	Prim op;                        // min or max
} Places;

static bool is_for(const Exp *e)
{
	return e->form == E_loop && !e->loop.is_while && sub_type(e->loop.n).elem == PT_I64;
}

// r = op x y, or op y x?
static bool is_prim_of(const Body *b, Sub r, Prim op, Sub x, Sub *y)
{
	const Exp *e = def_in(b, r);
	if (!e || e->form != E_prim || e->prim.op != op)
		return false;
	int k = sub_eq(e->prim.x[0], x) ? 0 : 1;
	*y = e->prim.x[1 - k];
	return sub_eq(e->prim.x[k], x);
}

// ---- The search ----

// Is it `and` with the test whether m is no number?
static bool is_never(const Places *p, Sub r, Sub m)
{
	const Exp *e = def_in(&p->search->exp->loop.body, r);
	if (!e || e->form != E_prim || e->prim.op != P_and)
		return false;
	for (int k = 0; k < 2; k++) {
		const Exp *inside = def_in(&p->search->exp->loop.body, e->prim.x[k]);
		const Exp *test = inside ? inside : def_in(p->body, e->prim.x[k]);
		if (test && test->form == E_prim && test->prim.op == P_isnan &&
		    sub_eq(test->prim.x[0], m))
			return true;
	}
	return false;
}

// Is it x == m for the element x of ys at j, maybe `or` what never holds?
static bool is_hit(const Places *p, Sub r, Sub m, Sub ys)
{
	const Exp *loop = p->search->exp;
	const Body *b = &loop->loop.body;
	const Exp *e = def_in(b, r);
	Sub x;
	if (e && e->form == E_prim && e->prim.op == P_or) {
		int k = is_never(p, e->prim.x[0], m) ? 0 : 1;
		return is_never(p, e->prim.x[k], m) && is_hit(p, e->prim.x[1 - k], m, ys);
	}
	if (!is_prim_of(b, r, P_eq, m, &x))
		return false;
	e = def_in(b, x);
	return e && e->form == E_index && sub_eq(e->index.arr, ys) && e->index.idx.len == 1 &&
	       sub_eq(e->index.idx.at[0], sub_var(loop->loop.i));
}

// Is it the least j with a hit, or n?
static bool is_search(const Places *p, Sub m, Sub ys)
{
	const Exp *loop = p->search->exp;
	const Body *b = &loop->loop.body;
	Sub x;
	if (!is_for(loop) || loop->loop.params.len != 1 ||
	    !sub_eq(loop->loop.n, p->values->exp->loop.n) ||
	    !sub_eq(loop->loop.inits.at[0], loop->loop.n) ||
	    !is_prim_of(b, b->res.at[0], P_min, sub_var(loop->loop.params.at[0]), &x))
		return false;
	const Exp *e = def_in(b, x);
	return e && is_select(e) &&
	       sub_eq(e->if_.yes.res.at[0], sub_var(loop->loop.i)) &&
	       sub_eq(e->if_.no.res.at[0], loop->loop.n) && is_hit(p, e->if_.cond, m, ys);
}

// ---- The values ----

static bool is_number(Sub x)
{
	return x.kind == S_CONST && is_float(x.val.type) && !isnan(x.val.f);
}

// Does parameter k become an array with v at j, and is it used for nothing but the search?
static bool keeps_values(Places *p, int k)
{
	const Exp *e = p->values->exp;
	const Body *b = &e->loop.body;
	const Exp *store = def_in(b, b->res.at[k]);
	Var ys = e->loop.params.at[k];
	p->out = stm_in(p->body, e->loop.inits.at[k]);
	if (!stores_at(store, sub_var(ys), sub_var(e->loop.i)) ||
	    n_uses_in(b, ys) != 1 || n_uses_in(b, b->res.at[k].var) != 1 || !p->out ||
	    p->out->exp->form != E_scratch || n_uses_in(p->body, p->out->pat.at[0]) != 1)
		return false;
	p->ys = k;
	p->v = store->update.val;
	return n_uses_in(p->body, p->values->pat.at[k]) == 1;
}

// Does parameter k become the minimum of the values, or the maximum?
static bool is_minimum(Places *p, int k)
{
	const Exp *e = p->values->exp;
	const Body *b = &e->loop.body;
	Sub param = sub_var(e->loop.params.at[k]), y;
	bool min = is_prim_of(b, b->res.at[k], P_min, param, &y);
	if (!is_number(e->loop.inits.at[k]) || n_uses_in(b, param.var) != 1 ||
	    !(min || is_prim_of(b, b->res.at[k], P_max, param, &y)) || !sub_eq(y, p->v))
		return false;
	p->m = k;
	p->op = min ? P_min : P_max;
	return true;
}

// A loop without others inside is better done in vectors along the row.
static bool find_places(Places *p)
{
	Vars pat = p->values->pat;
	if (!body_find(&p->values->exp->loop.body, stm_is_loop))
		return false;
	for (int k = 0; k < pat.len; k++) {
		if (type_is_scalar(vars[pat.at[k].id].type) || !keeps_values(p, k))
			continue;
		for (int j = 0; j < pat.len; j++) {
			if (!type_is_scalar(vars[pat.at[j].id].type) || !is_minimum(p, j))
				continue;
			for EACH(Stm, s, p->body->stms) {
				p->search = s;
				if (is_search(p, sub_var(pat.at[j]), sub_var(pat.at[k])))
					return true;
			}
		}
	}
	return false;
}

// ---- One loop ----

static Sub emit_prim(StmVec *out, Prim op, PrimType at, Sub x, Sub y)
{
	Var v = var_new(name_of("first"), type_scalar(PT_BOOL));
	VEC_PUSH(out, (Stm){.pat = vars_of(1, v), .exp = EXP(prim, op, at, {x, y})});
	return sub_var(v);
}

static Stm one_loop(const Places *p)
{
	Stm out = *p->values;
	Exp *e = out.exp = exp_dup(out.exp);
	const Exp *search = p->search->exp;
	Sub m = sub_var(e->loop.params.at[p->m]), n = e->loop.n;
	PrimType t = sub_type(p->v).elem;
	Var at = search->loop.params.at[0], next = var_i64("place");
	StmVec stms = {0};
	for EACH(Stm, s, e->loop.body.stms)
		if (vars_find(s->pat, e->loop.body.res.at[p->ys]) < 0)
			VEC_PUSH(&stms, *s);
	bool min = p->op == P_min;
	Sub less = emit_prim(&stms, P_lt, t, min ? p->v : m, min ? m : p->v);
	Sub same = emit_prim(&stms, P_eq, t, p->v, m);
	Sub none = emit_prim(&stms, P_eq, PT_I64, sub_var(at), n);
	Sub also = emit_prim(&stms, P_and, PT_BOOL, same, none);
	Sub first = emit_prim(&stms, P_or, PT_BOOL, less, also);
	Body yes = {.res = subs_of(1, sub_var(e->loop.i))}, no = {.res = subs_of(1, sub_var(at))};
	VEC_PUSH(&stms, (Stm){.pat = vars_of(1, next), .exp = EXP(if_, first, yes, no)});
	e->loop.body.stms = VEC_SLICE(Stms, stms);
	// where the array was
	out.pat = SLICE_DUP(Vars, out.pat);
	e->loop.params = SLICE_DUP(Vars, e->loop.params);
	e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
	e->loop.body.res = SLICE_DUP(Subs, e->loop.body.res);
	out.pat.at[p->ys] = p->search->pat.at[0];
	e->loop.params.at[p->ys] = at;
	e->loop.inits.at[p->ys] = n;
	e->loop.body.res.at[p->ys] = sub_var(next);
	return out;
}

Body fold_places(Body b)
{
	for (int i = 0; i < b.stms.len; i++) {
		Places p = {.body = &b, .values = &b.stms.at[i]};
		if (!is_for(p.values->exp) || !find_places(&p))
			continue;
		StmVec stms = {0};
		for EACH(Stm, s, b.stms)
			if (s == p.values)
				VEC_PUSH(&stms, one_loop(&p));
			else if (s != p.out && s != p.search)
				VEC_PUSH(&stms, *s);
		b.stms = VEC_SLICE(Stms, stms);
		i = -1;
	}
	return b;
}
