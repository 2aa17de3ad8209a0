// Return sweeps of loops whose iterations may run in any order: these run forwards.
//
//     loop (a = ..) for i < n do            loop (a_adj = .., s_adj = 0) for i < n do
//       a with [k, i] = s * a[k, i]           u = a_adj[k, i]              not for n - 1, .., 0
//                                             s_adj + u * a[k, i],
//                                             a_adj with [k, i] = s * u
//
// So it is if nothing is handed on from one iteration to the next: if what a loop carries is left
// as it is, or has elements of their own for each iteration, or is a sum of what they add to it.
//
// What iterations add to the adjoint of a number is added up first, and then added to it:
//
//     a = adj + u                               t = u + v
//     b = a + v                           ->    #[reduce] b = adj + t
//     in b                                      in b
//
// The mark (src/core/marks.def) lets code generation have several partial sums, in vectors, where
// nothing else passes from one iteration to the next.
#include "core/affine.h"

#include "ad/vjp_loop.h"

// The statements that add to the parameter, last one first, and what they add.
typedef struct { VEC(int) at; SubVec terms; } Terms;

static bool is_sum(const Stm *s)
{
	return s->exp->form == E_prim && s->exp->prim.op == P_add && is_float(s->exp->prim.at);
}

// The operand of an addition that leads back to the parameter, by additions that only the next one
// uses; -1: none does.
static int way_back(const Body *b, int at, Var param)
{
	for (int side = 0; side < 2; side++)
		if (sub_eq(b->stms.at[at].exp->prim.x[side], sub_var(param)))
			return side;
	for (int side = 0; side < 2; side++) {
		Sub x = b->stms.at[at].exp->prim.x[side];
		int next = stm_index(b, x);
		if (next >= 0 && is_sum(&b->stms.at[next]) && n_uses_in(b, x.var) == 1 &&
		    way_back(b, next, param) >= 0)
			return side;
	}
	return -1;
}

static bool find_terms(const Body *b, int k, Var param, Terms *out)
{
	int at = stm_index(b, b->res.at[k]);
	if (at < 0 || !is_sum(&b->stms.at[at]) || n_uses_in(b, param) != 1 ||
	    n_uses_in(b, b->res.at[k].var) != 1)
		return false;
	for (Sub x = b->res.at[k]; !sub_eq(x, sub_var(param));) {
		at = stm_index(b, x);
		int side = way_back(b, at, param);
		if (side < 0)
			return false;
		VEC_PUSH(&out->at, at);
		VEC_PUSH(&out->terms, b->stms.at[at].exp->prim.x[1 - side]);
		x = b->stms.at[at].exp->prim.x[side];
	}
	return true;
}

// The terms are added up where the last of them was added.
static Stms one_addition(const Body *b, Var param, const Terms *t)
{
	const Stm *last = &b->stms.at[t->at.at[0]];
	PrimType type = last->exp->prim.at;
	Sub sum = t->terms.at[t->terms.len - 1];
	StmVec out = {0};
	for (int i = 0; i < b->stms.len; i++) {
		bool adds = false;
		for EACH(int, at, t->at)
			adds |= *at == i;
		if (!adds)
			VEC_PUSH(&out, b->stms.at[i]);
		if (i != t->at.at[0])
			continue;
		for (int n = t->terms.len - 1; n-- > 0;) {
			Stm s = b->stms.at[t->at.at[n]];
			s.pat = vars_of(1, var_new(name_of("sum"), type_scalar(type)));
			s.exp = EXP(prim, P_add, type, {sum, t->terms.at[n]});
			VEC_PUSH(&out, s);
			sum = sub_var(s.pat.at[0]);
		}
		Stm s = *last;
		s.exp = EXP(prim, P_add, type, {sub_var(param), sum});
		s.attrs = with_attr(s.attrs, ATTR_REDUCE);
		VEC_PUSH(&out, s);
	}
	return VEC_SLICE(Stms, out);
}

void sum_in_any_order(Body *b, Vars params)
{
	for (int k = 0; k < params.len; k++) {
		Type t = vars[params.at[k].id].type;
		Terms terms = {0};
		if (t.kind == T_DATA && type_is_scalar(t) && is_float(t.elem) &&
		    find_terms(b, k, params.at[k], &terms))
			b->stms = one_addition(b, params.at[k], &terms);
	}
}

// ---- The order of iterations ----

// The arrays that a loop carries, by parameter: in which dimensions all accesses so far have the
// same index, a multiple of the counter and something from outside.
enum { MOST_DIMS = 8 };
typedef struct {
	Var counter;
	Map inside;                             // variable -> the expression that gives it
	Map arrays;                             // variable -> 1 + which parameter
	Map ranges;                             // start, start + 1, ..: variable -> Sub *
	bool (*own)[MOST_DIMS], *seen;
	Affine (*at)[MOST_DIMS];
	bool good;
} Places;

static int array_of(const Places *p, Sub x)
{
	return x.kind == S_VAR ? (int)(uintptr_t)map_get(&p->arrays, var_key(x.var)) - 1 : -1;
}

static void set_array(Places *p, Var x, int k)
{
	if (k >= 0)
		map_put(&p->arrays, var_key(x), (void *)(uintptr_t)(k + 1));
}

static void note_place(Places *p, int k, Slices at)
{
	for (int d = 0; d < MOST_DIMS; d++) {
		Affine x, rate, rest;
		if (!p->own[k][d])
			continue;
		p->own[k][d] = false;
		if (d >= at.len || !at.at[d].fixed)
			continue;
		x = affine_of(defs_in_map(&p->inside), at.at[d].start);
		if (!p->seen[k])
			p->at[k][d] = x;
		p->own[k][d] = affine_same(&p->at[k][d], &x) &&
		               affine_split(&x, p->counter, &rate, &rest) && !rate.n && rate.c &&
		               !affine_any_in(&rest, &p->inside);
	}
	p->seen[k] = true;
}

static void look_at_body(Places *, const Body *);

static bool is_range(const Exp *e)
{
	return e->form == E_iota && e->iota.type == PT_I64 && is_int_const(e->iota.step, 1);
}

// Those around the loop, by their names in the return sweep.
static void note_ranges(Vjp *v, const Exp *loop, Map *ranges)
{
	Vars free = free_in_body(&loop->loop.body);
	for EACH(Var, x, free) {
		const Cell *c = cell_of(v, *x);
		const Exp *e = c && c->def >= 0 ? c->level->body->stms.at[c->def].exp : NULL;
		if (!e || !is_range(e) || !(c->has_fwd || c->has_ret))
			continue;
		Sub start = ret_sub(v, e->iota.start), name = c->has_ret ? c->ret : c->fwd;
		map_put(ranges, var_key(name.var), mem_dup(&start, sizeof start));
	}
}

// What an inner loop or a branch gives is the array that it was given.
static void look_at_loop(Places *p, const Stm *s)
{
	const Exp *e = s->exp;
	if (!e->loop.is_while)
		map_put(&p->inside, var_key(e->loop.i), NULL);
	vars_put(&p->inside, e->loop.params, NULL);
	for (int i = 0; i < s->pat.len; i++)
		set_array(p, e->loop.params.at[i], array_of(p, e->loop.inits.at[i]));
	look_at_body(p, &e->loop.body);
	for (int i = 0; i < s->pat.len; i++) {
		int k = array_of(p, e->loop.inits.at[i]);
		p->good &= array_of(p, e->loop.body.res.at[i]) == k;
		set_array(p, s->pat.at[i], k);
	}
}

static void look_at_if(Places *p, const Stm *s)
{
	const Exp *e = s->exp;
	look_at_body(p, &e->if_.yes);
	look_at_body(p, &e->if_.no);
	for (int i = 0; i < s->pat.len; i++) {
		int k = array_of(p, e->if_.yes.res.at[i]);
		p->good &= array_of(p, e->if_.no.res.at[i]) == k;
		set_array(p, s->pat.at[i], k);
	}
}

static void look_at_other(Places *p, const Stm *s)
{
	Vars free = free_in_stm(s);
	p->good &= !vars_any_in(free, &p->arrays);
}

// An element of start, start + 1, .. is a sum.
static const Exp *as_arithmetic(Places *p, const Stm *s)
{
	const Exp *e = s->exp;
	if (s->pat.len != 1)
		return NULL;
	if (is_range(e))
		map_put(&p->ranges, var_key(s->pat.at[0]), (void *)&e->iota.start);
	const Sub *start = e->form == E_index && e->index.arr.kind == S_VAR
	                 ? map_get(&p->ranges, var_key(e->index.arr.var)) : NULL;
	return start ? EXP(prim, P_add, PT_I64, {*start, e->index.idx.at[0]}) : e;
}

static void look_at(Places *p, const Stm *s)
{
	const Exp *e = s->exp;
	vars_put(&p->inside, s->pat, as_arithmetic(p, s));
	if (e->form == E_loop) {
		look_at_loop(p, s);
	} else if (e->form == E_if_) {
		look_at_if(p, s);
	} else if (e->form == E_index && array_of(p, e->index.arr) >= 0) {
		note_place(p, array_of(p, e->index.arr), slices_at(e->index.idx, (Subs){0}));
	} else if (e->form == E_update && array_of(p, e->update.arr) >= 0) {
		int k = array_of(p, e->update.arr);
		p->good &= array_of(p, e->update.val) < 0;
		note_place(p, k, e->update.at);
		set_array(p, s->pat.at[0], k);
	} else {
		look_at_other(p, s);
	}
}

static void look_at_body(Places *p, const Body *b)
{
	for (int i = 0; i < b->stms.len && p->good; i++)
		look_at(p, &b->stms.at[i]);
}

// Does each iteration read and change these arrays only where no other one does?
static bool have_own_places(Vjp *v, const Back *r, const Body *b, Var counter, const bool *arrays)
{
	int n = r->params.len;
	Places p = {.counter = counter, .good = true, .seen = NEW_ARRAY(bool, n + 1),
	            .own = mem_alloc((size_t)(n + 1) * sizeof *p.own),
	            .at = mem_alloc((size_t)(n + 1) * sizeof *p.at)};
	for (int k = 0; k < n; k++) {
		memset(p.own[k], arrays[k], sizeof p.own[k]);
		if (arrays[k])
			set_array(&p, r->params.at[k], k);
		map_put(&p.inside, var_key(r->params.at[k]), NULL);
	}
	note_ranges(v, r->e, &p.ranges);
	look_at_body(&p, b);
	for (int k = 0; k < n && p.good; k++) {
		bool own = false;
		for (int d = 0; d < MOST_DIMS; d++)
			own |= p.own[k][d];
		p.good = !arrays[k] || ((own || !p.seen[k]) && array_of(&p, b->res.at[k]) == k);
	}
	return p.good;
}

static bool is_added_to(const Body *b, int k, Sub param)
{
	const Stm *s = stm_in(b, b->res.at[k]);
	return s && is_sum(s) && has_attr(s->attrs, ATTR_REDUCE) &&
	       sub_eq(s->exp->prim.x[0], param);
}

bool in_any_order(Vjp *v, const Back *r, const Body *b, Var counter)
{
	const Exp *e = r->e;
	int at = 0, n = e->loop.params.len;
	bool *arrays = NEW_ARRAY(bool, r->params.len + 1), any = false;
	for (int i = 0; i < n; i++)
		if (r->carried[i])
			return false;
	for (int i = 0; i < n; i++) {
		if (!r->active[i])
			continue;
		Sub p = sub_var(r->params.at[at]);
		bool array = vars[p.var.id].type.dims.len > 0;
		if (!sub_eq(b->res.at[at], p)) {
			if (!array && !is_added_to(b, at, p))
				return false;
			any |= arrays[at] = array;
		}
		at++;
	}
	at += r->free.len;
	for (int i = 0; i < n; i++)
		if (r->undone[i])
			any |= arrays[at++] = true;
	return !any || have_own_places(v, r, b, counter, arrays);
}
