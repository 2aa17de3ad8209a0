// The pass `double_buffer`: a loop that allocates a new array in each iteration alternates between
// two blocks instead.
//
//     loop (p: mem.f64 = a, xs: [n]f64 @ p + 0 = xs0) for i: i64 < k do {
//       let (m: mem.f64) = alloc.f64 n
//       ... ys: [n]f64 @ m + 0
//       in m, ys
//     }
// becomes
//     let (b: mem.f64) = alloc.f64 n
//     let (c: mem.f64) = alloc.f64 n
//     loop (p: mem.f64 = a, q: mem.f64 = b, r: mem.f64 = c, xs: [n]f64 @ p + 0 = xs0)
//     for i: i64 < k do {
//       ... ys: [n]f64 @ q + 0
//       in q, r, q, ys
//     }
//
// An iteration reads p and writes q.  In the next iteration, p is the former q, and q the former r,
// which is the block written before: b, c, b, c ...  The initial block a is read once and never
// written, since it may be live elsewhere.
//
// Obligations: m has the same size in all iterations and is used only for this result; p is not
// passed on, so that the array written two iterations ago is dead.
//
// Requires: the MEM stage without releases.
#include "mem/uses.h"
#include "opt/opt.h"

typedef struct { Map funs; Map subst; } Double;  // subst: blocks -> Var *

static void replace(Visit *v, Sub *s)
{
	Double *d = v->ctx;
	const Var *to = s->kind == S_VAR ? map_get(&d->subst, var_key(s->var)) : NULL;
	if (to)
		s->var = *to;
}

static const Stm *binding(const Body *b, Var m)
{
	for EACH(Stm, s, b->stms)
		for EACH(Var, v, s->pat)
			if (v->id == m.id)
				return s;
	return NULL;
}

// The allocation of the block that is given on for parameter k, if it could be made outside.
static const Stm *new_block(const Exp *loop, int k)
{
	Sub next = loop->loop.body.res.at[k];
	if (!is_block(loop->loop.params.at[k]) || next.kind != S_VAR)
		return NULL;
	const Stm *made = binding(&loop->loop.body, next.var);
	if (!made || made->exp->form != E_alloc || made->exp->alloc.stack ||
	    loop_binds(loop, made->exp->alloc.n))
		return NULL;
	for EACH(Var, c, made->certs)
		if (loop_binds(loop, sub_var(*c)))
			return NULL;
	return made;
}

static bool makes_blocks(const Stm *s)
{
	if (s->exp->form == E_loop)
		for (int k = 0; k < s->exp->loop.params.len; k++)
			if (new_block(s->exp, k))
				return true;
	return false;
}

// Is the block of parameter k given on to nothing, and the new one to just that parameter?
static bool takes_turns(const Exp *loop, const Uses *uses, int k)
{
	const BlockUse *old = block_use(uses, loop->loop.params.at[k]);
	const BlockUse *new_ = block_use(uses, loop->loop.body.res.at[k].var);
	return !(old && old->n_operand) && new_ && new_->n_operand == 1;
}

// A block of that kind, made before the loop.
static Sub spare(const Stm *made, StmVec *out)
{
	Var m = var_new(name_of("spare"), type_mem(made->exp->alloc.type));
	VEC_PUSH(out, (Stm){.pat = vars_of(1, m), .where = made->where, .certs = made->certs,
		.exp = exp_dup(made->exp)});
	return sub_var(m);
}

static void add_var(Vars *vs, int at, Var v)
{
	Vars out = {NEW_ARRAY(Var, vs->len + 1), vs->len + 1};
	for (int i = 0; i < out.len; i++)
		out.at[i] = i < at ? vs->at[i] : i == at ? v : vs->at[i - 1];
	*vs = out;
}

static void add_sub(Subs *vs, int at, Sub v)
{
	Subs out = {NEW_ARRAY(Sub, vs->len + 1), vs->len + 1};
	for (int i = 0; i < out.len; i++)
		out.at[i] = i < at ? vs->at[i] : i == at ? v : vs->at[i - 1];
	*vs = out;
}

// A further parameter after number k, with its initial value and the next one.
static Var add_param(Stm *s, int k, PrimType t, Sub init)
{
	Exp *e = s->exp;
	Var p = var_new(name_of("spare"), type_mem(t));
	add_var(&e->loop.params, k + 1, p);
	add_sub(&e->loop.inits, k + 1, init);
	add_sub(&e->loop.body.res, k + 1, sub_var(p));
	add_var(&s->pat, k + 1, var_new(name_of("spare"), type_mem(t)));
	return p;
}

static void drop_stm(Body *b, const Exp *e)
{
	StmVec out = {0};
	for EACH(Stm, s, b->stms)
		if (s->exp != e)
			VEC_PUSH(&out, *s);
	b->stms = VEC_SLICE(Stms, out);
}

static bool buffer_param(Double *d, Stm *s, const Uses *uses, int k, StmVec *out)
{
	Exp *e = s->exp;
	const Stm *made = new_block(e, k);
	if (!made || !takes_turns(e, uses, k) || !may_rewrite())
		return false;
	PrimType t = made->exp->alloc.type;
	Var old = made->pat.at[0];
	Sub b = spare(made, out), c = spare(made, out);
	drop_stm(&e->loop.body, made->exp);
	Var r = add_param(s, k, t, c), q = add_param(s, k, t, b); // in order: k, q, r
	e->loop.body.res.at[k] = sub_var(q);
	e->loop.body.res.at[k + 1] = sub_var(r);
	e->loop.body.res.at[k + 2] = sub_var(q);
	map_put(&d->subst, var_key(old), mem_dup(&q, sizeof q));
	return true;
}

static void buffer_loop(Double *d, Stm *s, StmVec *out)
{
	Exp *e = s->exp;
	bool changed = false;
	if (!makes_blocks(s))
		return;
	Uses uses = uses_of_body(&e->loop.body);
	for (int k = e->loop.params.len; k-- > 0;)
		changed |= buffer_param(d, s, &uses, k, out);
	if (!changed)
		return;
	Visit v = {.sub = replace, .copy = true, .share = true, .ctx = d};
	body_visit(&e->loop.body, &v);
}

static void do_body(Visit *v, Body *b)
{
	StmVec out = {0};
	if (!has_nested(b))
		return;
	for EACH(Stm, s, b->stms) {
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
		if (s->exp->form == E_loop)
			buffer_loop(v->ctx, s, &out);
		VEC_PUSH(&out, *s);
	}
	b->stms = VEC_SLICE(Stms, out);
}

static bool has_loops(const Fun *f)
{
	return body_find(&f->body, makes_blocks);
}

Prog *double_buffer(Prog *prog)
{
	Prog *out = copy_arrays(prog, has_loops);
	Double d = {0};
	Visit v = {.body = do_body, .ctx = &d};
	for EACH(Fun *, f, out->funs)
		if (has_loops(*f))
			do_body(&v, &(*f)->body);
	return out;
}
