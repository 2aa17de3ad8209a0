// Memory at joins of control flow, and of function parameters and results.
//
// Branches: if all branches leave an array at one place that is known outside, the result is there.
// Otherwise the block becomes an additional result, and so does the offset unless it is 0:
//
//     let (ys: [n]f64) = if c then {xs} else {zs}
// becomes
//     let (m: mem.f64, ys: [n]f64 @ m + 0) = if c then {mx, xs} else {mz, zs}
//
// Loops: a parameter that is updated in place (roots.c) has the place of its initial value, and so
// has the result.  For others, the block becomes an additional parameter.
//
// Arrays placed in this way, and arguments and results of functions, are row-major; others are
// copied.  Functions take and return arrays at offset 0; a result that is left in the memory of a
// parameter (Note [Functions] in roots.c) has no block of its own.
#include "mem/place.h"

static MemLoc loc_of(Sub arr)
{
	if (!type_is_array(sub_type(arr)) || !sub_type(arr).mem)
		bug("%s has no place", show_sub(arr));
	return *sub_type(arr).mem;
}

typedef struct { VEC(Var) vars; } Binders;
typedef struct { VEC(Sub) subs; } Operands;

static Var new_block(PrimType t)
{
	return var_new(name_of("mem"), type_mem(t));
}

static Var new_offset(void)
{
	return var_i64("off");
}

// ---- Branches ----

typedef struct { Body body; Subs res; Operands out; } Branch;

// Is an operand known outside of the branches that were just placed?  Variables numbered from
// `first` on were made for them.
static bool is_outer(const Place *p, Sub s, uint32_t first)
{
	if (s.kind == S_CONST)
		return true;
	return s.var.id < p->n_old ? p->level[s.var.id] <= p->depth : s.var.id < first;
}

static bool loc_is_outer(const Place *p, MemLoc at, uint32_t first)
{
	bool outer = is_outer(p, sub_var(at.block), first) && is_outer(p, at.offset, first);
	for EACH(Sub, s, at.strides)
		outer = outer && is_outer(p, *s, first);
	return outer;
}

// At the end of the branch, a row-major copy of one of its results.
static void copy_in_branch(Place *p, const Stm *s, Branch *br, int i)
{
	b_open(&p->b);
	b_emit_all(&p->b, br->body.stms);
	br->res.at[i] = place_copy(p, s, br->res.at[i]);
	br->body = b_close(&p->b, br->body.res);
}

static bool all_outer_and_equal(const Place *p, const Branch *bs, int n, int i, uint32_t first)
{
	MemLoc at = loc_of(bs[0].res.at[i]);
	for (int k = 1; k < n; k++) {
		MemLoc other = loc_of(bs[k].res.at[i]);
		if (!mem_eq(&at, &other))
			return false;
	}
	return loc_is_outer(p, at, first);
}

static void join_array(Place *p, const Stm *s, Branch *bs, int n, int i, uint32_t first,
                       Binders *pat)
{
	Var v = s->pat.at[i];
	if (all_outer_and_equal(p, bs, n, i, first)) {
		VEC_PUSH(&pat->vars, place_array(p, v, loc_of(bs[0].res.at[i])));
		return;
	}
	bool one_block = true, one_offset = true;
	for (int k = 0; k < n; k++) {
		if (loc_of(bs[k].res.at[i]).strides.len)
			copy_in_branch(p, s, &bs[k], i);
		MemLoc at = loc_of(bs[k].res.at[i]), at0 = loc_of(bs[0].res.at[i]);
		one_block &= at.block.id == at0.block.id;
		one_offset &= sub_eq(at.offset, at0.offset);
	}
	MemLoc at = loc_of(bs[0].res.at[i]);
	at.strides = (Subs){0};
	if (!one_block || !is_outer(p, sub_var(at.block), first)) {
		VEC_PUSH(&pat->vars, at.block = new_block(vars[v.id].type.elem));
		for (int k = 0; k < n; k++)
			VEC_PUSH(&bs[k].out.subs, sub_var(loc_of(bs[k].res.at[i]).block));
	}
	if (!one_offset || !is_outer(p, at.offset, first)) {
		Var offset = new_offset();
		at.offset = sub_var(offset);
		VEC_PUSH(&pat->vars, offset);
		for (int k = 0; k < n; k++)
			VEC_PUSH(&bs[k].out.subs, loc_of(bs[k].res.at[i]).offset);
	}
	VEC_PUSH(&pat->vars, place_array(p, v, at));
}

// The pattern; the results of the branches are set to go with it.
static Vars join_branches(Place *p, const Stm *s, Branch *bs, int n, uint32_t first)
{
	Binders pat = {0};
	for (int i = 0; i < s->pat.len; i++) {
		if (type_is_array(vars[s->pat.at[i].id].type))
			join_array(p, s, bs, n, i, first, &pat);
		else
			VEC_PUSH(&pat.vars, s->pat.at[i]);
		for (int k = 0; k < n; k++)
			VEC_PUSH(&bs[k].out.subs, bs[k].res.at[i]);
	}
	for (int k = 0; k < n; k++)
		bs[k].body.res = VEC_SLICE(Subs, bs[k].out.subs);
	return VEC_SLICE(Vars, pat.vars);
}

static Branch branch(Place *p, const Body *b)
{
	Branch br = {0};
	br.body = place_body(p, b, &br.res);
	return br;
}

void place_choice(Place *p, const Stm *s)
{
	uint32_t first = n_vars;
	Exp *e = choice_copy(s->exp);
	int n = n_branches(e);
	Branch *bs = NEW_ARRAY(Branch, n);
	for (int i = 0; i < n; i++)
		bs[i] = branch(p, branch_at(e, i));
	p->b.where = s->where;
	Vars pat = join_branches(p, s, bs, n, first);
	for (int i = 0; i < n; i++)
		*branch_at(e, i) = bs[i].body;
	place_emit(p, s, pat, e);
}

// ---- Loops ----

// How a parameter is carried.
typedef struct { bool array, in_place, offset; } Carry;

typedef struct {
	Binders params, pat;
	Operands inits;
	Carry *how;
} LoopParts;

static void loop_param(Place *p, const Stm *s, LoopParts *l, int i)
{
	const Exp *e = s->exp;
	Var v = e->loop.params.at[i];
	Sub init = e->loop.inits.at[i], next = e->loop.body.res.at[i];
	Carry *how = &l->how[i];
	how->array = type_is_array(vars[v.id].type);
	how->in_place = how->array && p->roots.in_place[v.id];
	if (!how->array || how->in_place) {
		VEC_PUSH(&l->params.vars, how->array ? place_array(p, v, loc_of(init)) : v);
		VEC_PUSH(&l->inits.subs, init);
		return;
	}
	if (loc_of(init).strides.len)
		init = place_copy(p, s, init);
	MemLoc at = loc_of(init), mine = {new_block(vars[v.id].type.elem), sub_i64(0), {0}};
	how->offset = !is_int_const(at.offset, 0) || p->roots.view[next.var.id];
	VEC_PUSH(&l->params.vars, mine.block);
	VEC_PUSH(&l->inits.subs, sub_var(at.block));
	if (how->offset) {
		Var offset = new_offset();
		mine.offset = sub_var(offset);
		VEC_PUSH(&l->params.vars, offset);
		VEC_PUSH(&l->inits.subs, at.offset);
	}
	VEC_PUSH(&l->params.vars, place_array(p, v, mine));
	VEC_PUSH(&l->inits.subs, init);
}

static void loop_result(Place *p, const Stm *s, const Carry *how, Sub param, Sub res, Operands *out)
{
	if (how->array && !how->in_place) {
		if (loc_of(res).strides.len ||
		    (!how->offset && !is_int_const(loc_of(res).offset, 0)))
			res = place_copy(p, s, res);
		VEC_PUSH(&out->subs, sub_var(loc_of(res).block));
		if (how->offset)
			VEC_PUSH(&out->subs, loc_of(res).offset);
	} else if (how->array) {
		MemLoc a = loc_of(res), b = loc_of(param);
		if (!mem_eq(&a, &b))
			bug("%s is not worked on in place", show_sub(param));
	}
	VEC_PUSH(&out->subs, res);
}

static void loop_pattern(Place *p, const Stm *s, LoopParts *l, int i)
{
	Var v = s->pat.at[i];
	const Carry *how = &l->how[i];
	if (!how->array) {
		VEC_PUSH(&l->pat.vars, v);
		return;
	}
	if (how->in_place) {
		VEC_PUSH(&l->pat.vars, place_array(p, v, loc_of(s->exp->loop.inits.at[i])));
		return;
	}
	MemLoc at = {new_block(vars[v.id].type.elem), sub_i64(0), {0}};
	VEC_PUSH(&l->pat.vars, at.block);
	if (how->offset) {
		Var offset = new_offset();
		at.offset = sub_var(offset);
		VEC_PUSH(&l->pat.vars, offset);
	}
	VEC_PUSH(&l->pat.vars, place_array(p, v, at));
}

void place_loop(Place *p, const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->loop.params.len;
	LoopParts l = {.how = NEW_ARRAY(Carry, n)};
	p->depth++;
	place_bound(p, e->loop.params);
	if (!e->loop.is_while)
		place_bound(p, (Vars){(Var *)&e->loop.i, 1});
	p->depth--;
	for (int i = 0; i < n; i++)
		loop_param(p, s, &l, i);
	// The results of the body are completed before it is closed, for some are copied.
	Subs res;
	Operands out = {0};
	Body body = place_body(p, &e->loop.body, &res);
	b_open(&p->b);
	b_emit_all(&p->b, body.stms);
	p->b.where = s->where;
	for (int i = 0; i < n; i++)
		loop_result(p, s, &l.how[i], place_sub(p, sub_var(e->loop.params.at[i])),
		            res.at[i], &out);
	body = b_close(&p->b, VEC_SLICE(Subs, out.subs));
	for (int i = 0; i < n; i++)
		loop_pattern(p, s, &l, i);
	Exp *loop = exp_dup(e);
	loop->loop.params = VEC_SLICE(Vars, l.params.vars);
	loop->loop.inits = VEC_SLICE(Subs, l.inits.subs);
	loop->loop.body = body;
	place_emit(p, s, VEC_SLICE(Vars, l.pat.vars), loop);
}

// ---- Functions ----

// A row-major array at offset 0.
static Sub plain_array(Place *p, const Stm *s, Sub arr)
{
	MemLoc at = loc_of(arr);
	return at.strides.len || !is_int_const(at.offset, 0) ? place_copy(p, s, arr) : arr;
}

static void add_plain(Place *p, const Stm *s, Sub x, Operands *out)
{
	if (type_is_array(sub_type(x))) {
		x = plain_array(p, s, x);
		VEC_PUSH(&out->subs, sub_var(loc_of(x).block));
	}
	VEC_PUSH(&out->subs, x);
}

static void add_binder(Place *p, Var v, Binders *out)
{
	if (!type_is_array(vars[v.id].type)) {
		VEC_PUSH(&out->vars, v);
		return;
	}
	Var m = new_block(vars[v.id].type.elem);
	VEC_PUSH(&out->vars, m);
	VEC_PUSH(&out->vars, place_array(p, v, (MemLoc){m, sub_i64(0), {0}}));
}

static Vars plain_params(Place *p, Vars vs)
{
	Binders out = {0};
	for EACH(Var, v, vs)
		add_binder(p, *v, &out);
	return VEC_SLICE(Vars, out.vars);
}

// Names for the results of f, some of which are where the arguments are, or the parameters.
static Vars result_binders(Place *p, const Fun *f, Vars vs, Subs from)
{
	Binders out = {0};
	for (int i = 0; i < vs.len; i++) {
		int k = given_of(&p->roots.given, f, i);
		if (k < 0)
			add_binder(p, vs.at[i], &out);
		else
			VEC_PUSH(&out.vars, place_array(p, vs.at[i], loc_of(from.at[k])));
	}
	return VEC_SLICE(Vars, out.vars);
}

void place_call(Place *p, const Stm *s)
{
	const Fun *f = s->exp->call.fn;
	Subs from = SLICE_DUP(Subs, s->exp->call.args);
	Operands args = {0};
	for EACH(Sub, a, from) {
		add_plain(p, s, *a, &args);
		*a = args.subs.at[args.subs.len - 1];
	}
	Vars pat = result_binders(p, f, s->pat, from);
	place_emit(p, s, pat, EXP(call, map_get(&p->funs, f), VEC_SLICE(Subs, args.subs)));
}

static void fun_result(Place *p, const Fun *f, const Stm *s, int i, Sub res, Operands *out)
{
	int k = given_of(&p->roots.given, f, i);
	if (k < 0) {
		add_plain(p, s, res, out);
		return;
	}
	MemLoc a = loc_of(res), b = loc_of(place_sub(p, sub_var(f->params.at[k])));
	if (!mem_eq(&a, &b))
		bug("%s is not in the place of a parameter", show_sub(res));
	VEC_PUSH(&out->subs, res);
}

void place_fun(Place *p, const Fun *f, Fun *g)
{
	Stm whole = {.where = f->where};
	for EACH(Var, v, f->params)
		for EACH(Sub, d, vars[v->id].type.dims)
			if (d->kind == S_VAR)
				map_put(&p->sizes, var_key(d->var), p);
	p->depth = 0;
	place_bound(p, f->params);
	g->params = plain_params(p, f->params);
	Subs res;
	Operands out = {0};
	Body body = place_body(p, &f->body, &res);
	b_open(&p->b);
	b_emit_all(&p->b, body.stms);
	p->b.where = f->where;
	for (int i = 0; i < res.len; i++)
		fun_result(p, f, &whole, i, res.at[i], &out);
	g->body = b_close(&p->b, VEC_SLICE(Subs, out.subs));
	Subs params = subs_of_vars(f->params);
	for EACH(Sub, x, params)
		*x = place_sub(p, *x);
	g->res = result_binders(p, f, f->res, params);
}
