// Loops on the host that need not wait for the device.
//
//     loop (total = 0) for t < n do {                   loop (ts = [0]) for t < n do {
//       ..kernels that make xs..                           ..kernels that make xs..
//       let (x: f32) = index xs [0]                 ->     #[kernel] let (us: [1]f32) = loop (o = scratch) for i < 1 do {
//       let (s: f32) = add.f32 total x                       o with [0] = ts[0] + xs[0]
//       in s                                               }
//     }                                                    in us
//                                                       };  let (total: f32) = index .. [0]
//
// A scalar that a loop carries, and that nothing on the host depends on, is computed by the device from
// what it reads there; the host reads it once, after the loop.
//
// Requires: after flatten and seq.  Ensures no more than before.
#include "opt/alias.h"
#include "opt/simplify.h"
#include "par/flatten.h"

typedef struct {
	Alias alias;
	Build b;
} Defer;

typedef VEC(Stm) StmVec;

// ---- Which scalars ----

typedef struct { Map counts; } Uses;

static void count_use(Visit *v, Sub *x)
{
	Uses *u = v->ctx;
	if (x->kind != S_VAR)
		return;
	uintptr_t n = (uintptr_t)map_get(&u->counts, var_key(x->var));
	map_put(&u->counts, var_key(x->var), (void *)(n + 1));
}

static int uses_in(const Uses *u, Var v)
{
	return (int)(uintptr_t)map_get(&u->counts, var_key(v));
}

static Uses uses_of(const Body *b)
{
	Uses u = {0};
	Visit v = {.sub = count_use, .ctx = &u};
	Body copy = *b;
	body_visit(&copy, &v); // a walk: writes nothing
	return u;
}

static const Stm *defines(const Body *b, Sub x)
{
	for EACH(const Stm, s, b->stms)
		if (x.kind == S_VAR && s->pat.len == 1 && s->pat.at[0].id == x.var.id)
			return s;
	return NULL;
}

typedef struct {
	Defer *d;
	const Body *body;
	const Uses *uses;
	Var param;
	Map moved;                              // statements that the device does
	bool reads, fails;
} Chain;

static bool is_read(Chain *c, const Stm *s)
{
	return s && s->exp->form == E_index && !s->certs.len && uses_in(c->uses, s->pat.at[0]) == 1 &&
	       !alias_ever(&c->d->alias, s->exp->index.arr.var);
}

// On the parameter; with `reads`, or on something that is read?
static bool depends(Chain *c, Sub x, bool reads)
{
	const Stm *s = defines(c->body, x);
	if (x.kind == S_VAR && x.var.id == c->param.id)
		return true;
	if (reads && is_read(c, s))
		return true;
	if (!s || s->exp->form != E_prim)
		return false;
	for (int i = 0; i < prim_arity(s->exp->prim.op); i++)
		if (depends(c, s->exp->prim.x[i], reads))
			return true;
	return false;
}

// What x is computed from, if the device can do it.
static void follow(Chain *c, Sub x)
{
	const Stm *s = defines(c->body, x);
	if (x.kind == S_VAR && x.var.id == c->param.id) {
		c->fails |= uses_in(c->uses, x.var) != 1;
		return;
	}
	if (is_read(c, s)) {
		map_put(&c->moved, s, c);
		c->reads = true;
		return;
	}
	if (!depends(c, x, true))
		return; // an argument of the kernel
	if (!exp_is_cheap_scalar(s->exp) || s->certs.len || uses_in(c->uses, s->pat.at[0]) != 1) {
		c->fails |= depends(c, x, false);
		return;
	}
	map_put(&c->moved, s, c);
	for (int i = 0; i < prim_arity(s->exp->prim.op); i++)
		follow(c, s->exp->prim.x[i]);
}

static void look_for_kernels(Visit *v, Body *b)
{
	bool *found = v->ctx;
	for EACH(Stm, s, b->stms)
		*found |= is_device_loop(s->attrs);
	body_visit(b, v);
}

static bool has_kernels(const Body *b)
{
	bool found = false;
	Visit v = {.body = look_for_kernels, .ctx = &found};
	Body copy = *b;
	look_for_kernels(&v, &copy); // a walk: writes nothing
	return found;
}

// ---- The loop ----

static Body without_moved(const Chain *c)
{
	StmVec out = {0};
	for EACH(const Stm, s, c->body->stms)
		if (!map_has(&c->moved, s))
			VEC_PUSH(&out, *s);
	return (Body){VEC_SLICE(Stms, out), SLICE_DUP(Subs, c->body->res)};
}

// Parameter k of the loop becomes an array with one element.
static bool defer_param(Defer *d, Stm *s, int k)
{
	Exp *e = s->exp;
	Var param = e->loop.params.at[k];
	Uses uses = uses_of(&e->loop.body);
	Chain c = {.d = d, .body = &e->loop.body, .uses = &uses, .param = param};
	if (!type_is_scalar(vars[param.id].type) || !depends(&c, e->loop.body.res.at[k], false))
		return false;
	follow(&c, e->loop.body.res.at[k]);
	if (!c.reads || c.fails || sub_eq(e->loop.body.res.at[k], sub_var(param)))
		return false;
	Build *b = &d->b;
	b->where = s->where;
	Type one = type_of_rows(sub_i64(1), vars[param.id].type);
	Var now = var_new(vars[param.id].hint, one), after = var_new(vars[param.id].hint, one);
	Body body = without_moved(&c);
	b_open(b);
	for EACH(Stm, t, body.stms)
		b_emit(b, *t);
	Sub room = b_let(b, "room", one, NEW(Exp, .form = E_scratch, .scratch = {one.elem, one.dims}));
	DevLoop l = dev_open(b, ATTR_KERNEL, sub_i64(1), subs_of(1, room));
	b_stm(b, vars_of(1, param), NEW(Exp, .form = E_index, .index = {sub_var(now), subs_of(1, sub_i64(0))}));
	for EACH(const Stm, t, c.body->stms)
		if (map_has(&c.moved, t))
			b_emit(b, *t);
	body.res.at[k] = dev_close(b, &l, subs_of(1, put_at(b, sub_var(l.params.at[0]),
		subs_of(1, sub_i64(0)), c.body->res.at[k]))).at[0];
	e = s->exp = mem_dup(e, sizeof *e);
	e->loop.body = b_close(b, body.res);
	e->loop.params = SLICE_DUP(Vars, e->loop.params);
	e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
	s->pat = SLICE_DUP(Vars, s->pat);
	e->loop.params.at[k] = now;
	s->pat.at[k] = after;
	return true;
}

static void defer_loop(Defer *d, Stm s)
{
	Build *b = &d->b;
	VEC(Var) scalars = {0}, arrays = {0};
	for (int k = 0; k < s.pat.len; k++) {
		Var old = s.pat.at[k];
		Sub init = s.exp->loop.inits.at[k];
		if (!defer_param(d, &s, k))
			continue;
		Type one = vars[s.pat.at[k].id].type;
		s.exp->loop.inits.at[k] = b_let(b, "first", one, NEW(Exp, .form = E_replicate,
			.replicate = {one.dims, init}));
		VEC_PUSH(&scalars, old);
		VEC_PUSH(&arrays, s.pat.at[k]);
	}
	b_emit(b, s);
	for (int i = 0; i < scalars.len; i++)
		b_stm(b, vars_of(1, scalars.at[i]), NEW(Exp, .form = E_index,
			.index = {sub_var(arrays.at[i]), subs_of(1, sub_i64(0))}));
}

static void defer_body(Visit *v, Body *body)
{
	Defer *d = v->ctx;
	b_open(&d->b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		bool host = !is_device_loop(t.attrs) && form_has(t.exp->form, FORM_NEST);
		if (host)
			t.exp = exp_visit(t.exp, v);
		if (host && t.exp->form == E_loop && !t.exp->loop.is_while && has_kernels(&t.exp->loop.body))
			defer_loop(d, t);
		else
			b_emit(&d->b, t);
	}
	*body = b_close(&d->b, body->res);
}

Prog *defer(Prog *prog)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Visit callees = {.funs = &funs, .copy = true};
	for EACH(Fun *, f, out->funs)
		body_visit(&(*f)->body, &callees);
	Defer d = {.alias = alias_of(prog)};
	Visit v = {.body = defer_body, .copy = true, .ctx = &d};
	for EACH(Fun *, f, out->funs)
		defer_body(&v, &(*f)->body);
	return out;
}
