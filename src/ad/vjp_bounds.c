// The bounds of for loops as sizes of arrays: i64, and not negative.
//
//     n = ..                              n = ..
//     loop .. for i: i32 < n              m = max (i64 n) 0
//                                         loop .. for k: i64 < m do i = i32 k
//
// The arrays in which reverse mode logs the values of a loop have one element per iteration.  The
// logs of an inner loop are rows of arrays, whose size must be known outside the outer loop.  So m
// is computed right after n, and both are hoisted out of loops that they do not depend on, like
// all integer arithmetic.
#include "ad/vjp_loop.h"

typedef struct { Map bounds, sizes, inside; } LoopBounds;

static bool is_counted(const Exp *e)
{
	return e->form == E_loop && !e->loop.is_while && e->loop.n.kind == S_VAR;
}

static void note_inside(Visit *vis, Var *x)
{
	LoopBounds *c = vis->ctx;
	map_put(&c->inside, var_key(*x), c);
}

static void find_bounds(Visit *vis, Body *b)
{
	LoopBounds *c = vis->ctx;
	for EACH(Stm, s, b->stms) {
		if (is_counted(s->exp))
			map_put(&c->bounds, var_key(s->exp->loop.n.var), c);
		for EACH(Var, x, s->pat)
			note_inside(vis, x);
		exp_visit(s->exp, vis);
	}
}

// The statements that make a size of a bound; the size.
static Sub size_stms(Sub n, const Where *where, StmVec *out)
{
	Build b = {.where = where};
	b_open(&b);
	Sub size = at_least_zero(&b, n);
	Body made = b_close(&b, (Subs){0});
	VEC_APPEND(out, made.stms);
	return size;
}

static void add_size(LoopBounds *c, Var n, const Where *where, StmVec *out)
{
	Sub size = size_stms(sub_var(n), where, out);
	map_put(&c->sizes, var_key(n), mem_dup(&size, sizeof size));
}

static Exp *counted_loop(LoopBounds *c, Exp *e, const Where *where, StmVec *out)
{
	const Sub *known = e->loop.n.kind == S_VAR ? map_get(&c->sizes, var_key(e->loop.n.var))
	                 : NULL;
	PrimType type = sub_type(e->loop.n).elem;
	e = exp_dup(e);
	e->loop.n = known ? *known : size_stms(e->loop.n, where, out);
	if (type == PT_I64)
		return e;
	Var k = var_new(vars[e->loop.i.id].hint, type_scalar(PT_I64));
	Stm first = {.pat = vars_of(1, e->loop.i), .where = where,
	             .exp = EXP(convert, type, sub_var(k))};
	StmVec stms = {0};
	VEC_PUSH(&stms, first);
	VEC_APPEND(&stms, e->loop.body.stms);
	e->loop.i = k;
	e->loop.body.stms = VEC_SLICE(Stms, stms);
	return e;
}

// Arithmetic that cannot fail, whether or not the loop around it runs.
static bool may_move(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_prim || !is_int(e->prim.at) || s->certs.len ||
	    !is_int(vars[s->pat.at[0].id].type.elem))
		return false;
	return !prim_can_fail(e->prim.op, e->prim.at) ||
	       (e->prim.x[1].kind == S_CONST && e->prim.x[1].val.i > 0);
}

static bool is_bound(const Map *inside, const Exp *e)
{
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		if (e->prim.x[i].kind == S_VAR && map_has(inside, var_key(e->prim.x[i].var)))
			return true;
	return false;
}

// The loop without the arithmetic that does not depend on it, which goes before.
static Exp *without_invariants(Exp *e, StmVec *out)
{
	Map inside = {0};
	StmVec rest = {0};
	if (!e->loop.is_while)
		map_put(&inside, var_key(e->loop.i), e);
	vars_put(&inside, e->loop.params, e);
	for EACH(Stm, s, e->loop.body.stms) {
		bool moves = may_move(s) && !is_bound(&inside, s->exp);
		VEC_PUSH(moves ? out : &rest, *s);
		for (int i = 0; !moves && i < s->pat.len; i++)
			map_put(&inside, var_key(s->pat.at[i]), e);
	}
	e = exp_dup(e);
	e->loop.body.stms = VEC_SLICE(Stms, rest);
	return e;
}

static void put_sizes(Visit *vis, Body *b)
{
	LoopBounds *c = vis->ctx;
	StmVec out = {0};
	for EACH(Stm, s, b->stms) {
		Stm t = *s;
		if (form_has(t.exp->form, FORM_NEST))
			t.exp = exp_visit(t.exp, vis);
		if (t.exp->form == E_loop && !t.exp->loop.is_while)
			t.exp = counted_loop(c, t.exp, t.where, &out);
		if (t.exp->form == E_loop)
			t.exp = without_invariants(t.exp, &out);
		VEC_PUSH(&out, t);
		for EACH(Var, x, t.pat)
			if (map_has(&c->bounds, var_key(*x)))
				add_size(c, *x, t.where, &out);
	}
	b->stms = VEC_SLICE(Stms, out);
}

Body with_sizes(const Lambda *fn)
{
	LoopBounds c = {.bounds = {0}};
	Visit find = {.body = find_bounds, .bind = note_inside, .ctx = &c};
	Body body = fn->body;
	find_bounds(&find, &body);
	StmVec stms = {0};
	for MAP_EACH(m, c.bounds)
		if (!map_has(&c.inside, m->key))
			add_size(&c, (Var){(uint32_t)((uintptr_t)m->key - 1)}, NULL, &stms);
	Visit put = {.body = put_sizes, .copy = true, .ctx = &c};
	put_sizes(&put, &body);
	VEC_APPEND(&stms, body.stms);
	return (Body){VEC_SLICE(Stms, stms), body.res};
}

// ---- While loops with a limit ----

// Does the value of the body hold only while this parameter's next value is below a constant?
static bool is_limited(const Body *b, Sub cond, Sub next, int64_t *below)
{
	const Exp *e = def_in(b, cond);
	if (!e || e->form != E_prim)
		return false;
	if (e->prim.op == P_and)
		return is_limited(b, e->prim.x[0], next, below) ||
		       is_limited(b, e->prim.x[1], next, below);
	if ((e->prim.op != P_lt && e->prim.op != P_le) || !is_signed(e->prim.at) ||
	    !sub_eq(e->prim.x[0], next) || e->prim.x[1].kind != S_CONST)
		return false;
	*below = e->prim.x[1].val.i + (e->prim.op == P_le);
	return true;
}

// The number that is added to a parameter in each iteration is one.
static bool counts_up(const Body *b, Var param, Sub next)
{
	const Exp *e = def_in(b, next);
	if (!e || e->form != E_prim || e->prim.op != P_add)
		return false;
	Sub x = e->prim.x[0], y = e->prim.x[1], p = sub_var(param);
	return (sub_eq(x, p) && is_int_const(y, 1)) || (sub_eq(y, p) && is_int_const(x, 1));
}

// A loop `while .. && i < 50`, i = 0, 1, ..: how often it runs at most, if that is not often.
bool has_limit(const Exp *e, int64_t *most)
{
	Sub cond = {0};
	int limit = threshold(AT_log_limit);
	if (!e->loop.is_while)
		return false;
	for (int i = 0; i < e->loop.params.len; i++)
		if (e->loop.params.at[i].id == e->loop.while_cond.id)
			cond = e->loop.body.res.at[i];
	for (int i = 0; i < e->loop.params.len; i++) {
		Sub init = e->loop.inits.at[i], next = e->loop.body.res.at[i];
		int64_t below;
		if (init.kind != S_CONST || !is_int(init.val.type) || cond.kind != S_VAR ||
		    !counts_up(&e->loop.body, e->loop.params.at[i], next) ||
		    !is_limited(&e->loop.body, cond, next, &below) ||
		    init.val.i < -limit || below > limit)
			continue;
		*most = below - init.val.i > 1 ? below - init.val.i : 1;
		return *most <= limit;
	}
	return false;
}
