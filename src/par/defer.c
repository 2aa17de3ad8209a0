// The host need not wait for the device.  In loops:
//
//     loop (total = 0) for t < n do {                   loop (ts = [0]) for t < n do {
//       ..kernels that make xs..                           ..kernels that make xs..
//       let (x: f32) = index xs [0]                 ->     #[kernel] let (us: [1]f32) =
//       let (s: f32) = add.f32 total x                       loop (o = scratch) for i < 1 do {
//       in s                                                 o with [0] = ts[0] + xs[0] }
//     }                                                    in us
//                                                       };  let (total: f32) = index .. [0]
//
// A scalar that a loop carries, and that nothing on the host depends on, is computed by the device
// from what it reads there; the host reads it once, after the loop.
//
// In functions: elements that results of the function depend on, through operations on scalars,
// are read where the function ends, also if kernels (which `sink` lets read them) need them too.
// Where there are more of them than results, the device computes those.
//
//     let (x: f64) = index xs [0]                       ..kernels..
//     ..kernels..                                       #[kernel] let (us: [1]f64) =
//     let (y: f64) = index ys [0]                  ->     loop (o = scratch) for i < 1 do {
//     let (s: f64) = add.f64 x y                          o with [0] = xs[0] + ys[0] }
//     in s                                              let (s: f64) = index us [0]
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
	return s && s->exp->form == E_index && !s->certs.len &&
	       uses_in(c->uses, s->pat.at[0]) == 1 &&
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

static bool is_on_device(const Stm *s)
{
	return is_device_loop(s->attrs);
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
	Sub room =
		b_let(b, "room", one, NEW(Exp, .form = E_scratch, .scratch = {one.elem, one.dims}));
	DevLoop l = dev_open(b, ATTR_KERNEL, sub_i64(1), subs_of(1, room));
	b_stm(b, vars_of(1, param),
	      NEW(Exp, .form = E_index, .index = {sub_var(now), subs_of(1, sub_i64(0))}));
	for EACH(const Stm, t, c.body->stms)
		if (map_has(&c.moved, t))
			b_emit(b, *t);
	body.res.at[k] = dev_close(b, &l, subs_of(1, put_at(b, sub_var(l.params.at[0]),
		subs_of(1, sub_i64(0)), c.body->res.at[k]))).at[0];
	e = s->exp = exp_dup(e);
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
		if (host && t.exp->form == E_loop && !t.exp->loop.is_while &&
		    body_find(&t.exp->loop.body, is_on_device))
			defer_loop(d, t);
		else
			b_emit(&d->b, t);
	}
	*body = b_close(&d->b, body->res);
}

// ---- Results ----

static void need_early(Visit *v, Sub *x)
{
	Map *needed = v->ctx;
	if (x->kind == S_VAR)
		map_put(needed, var_key(x->var), needed);
}

typedef struct { const Map *of; bool found; } LookFor;

static void look_for_any(Visit *v, Sub *x)
{
	LookFor *l = v->ctx;
	l->found |= x->kind == S_VAR && map_has(l->of, var_key(x->var));
}

static bool may_be_late(Defer *d, const Stm *s)
{
	if (s->pat.len != 1 || s->certs.len || !type_is_scalar(vars[s->pat.at[0].id].type))
		return false;
	switch (s->exp->form) {
	case E_index: return !alias_ever(&d->alias, s->exp->index.arr.var);
	case E_convert: return true;
	case E_prim: return !prim_can_fail(s->exp->prim.op, s->exp->prim.at);
	default: return false; // does more than compute a scalar
	}
}

typedef struct {
	VEC(Stm) late;                          // what the end of the function does
	Map kept;                          // statements of it that kernels need too, where they are
	Map is_late;
	int reads;                              // elements that are read
} Late;

// Statements on scalars that nothing but results, kernels and others of them need, and that depend
// on elements of arrays.
static Late late_stms(Defer *d, const Body *b)
{
	Map needed = {0}, in_kernels = {0}, late = {0}, device = {0};
	Visit v = {.sub = need_early, .ctx = &needed}, k = {.sub = need_early, .ctx = &in_kernels};
	Late out = {0};
	for (int i = b->stms.len; i-- > 0;) {
		Stm s = b->stms.at[i];
		bool is_late = may_be_late(d, &s) && !map_has(&needed, var_key(s.pat.at[0]));
		bool kept = is_late && map_has(&in_kernels, var_key(s.pat.at[0]));
		if (is_late)
			map_put(&late, &b->stms.at[i], d);
		if (kept)
			map_put(&out.kept, &b->stms.at[i], d);
		if (kept || is_kernel(&s))
			stm_visit(&s, &k); // a walk: writes nothing
		else if (!is_late)
			stm_visit(&s, &v); // a walk: writes nothing
	}
	for EACH(Stm, s, b->stms) {
		if (!map_has(&late, s))
			continue;
		LookFor l = {&device, s->exp->form == E_index};
		Visit operands = {.sub = look_for_any, .flat = true, .ctx = &l};
		out.reads += l.found;
		exp_visit(s->exp, &operands); // a walk: writes nothing
		if (!l.found)
			continue;
		map_put(&device, var_key(s->pat.at[0]), d);
		map_put(&out.is_late, s, d);
		VEC_PUSH(&out.late, *s);
	}
	return out;
}

static Subs late_results(const Body *b, const Late *l)
{
	SubVec found = {0};
	for EACH(Sub, r, b->res) {
		const Stm *s = defines(b, *r);
		bool fresh = s && map_has(&l->is_late, s);
		for EACH(Sub, x, found)
			fresh &= !sub_eq(*x, *r);
		if (fresh)
			VEC_PUSH(&found, *r);
	}
	return VEC_SLICE(Subs, found);
}

// The values of `tail`, by the device.
static Subs emit_by_device(Build *b, Body tail)
{
	int n = tail.res.len;
	Subs rooms = {NEW_ARRAY(Sub, n), n}, next = {NEW_ARRAY(Sub, n), n},
	     out = {NEW_ARRAY(Sub, n), n};
	for (int i = 0; i < n; i++) {
		Type one = type_of_rows(sub_i64(1), sub_type(tail.res.at[i]));
		rooms.at[i] = b_let(b, "room", one,
		                    NEW(Exp, .form = E_scratch, .scratch = {one.elem, one.dims}));
	}
	DevLoop l = dev_open(b, ATTR_KERNEL, sub_i64(1), rooms);
	for EACH(Stm, s, tail.stms)
		b_emit(b, *s);
	for (int i = 0; i < n; i++)
		next.at[i] =
			put_at(b, sub_var(l.params.at[i]), subs_of(1, sub_i64(0)), tail.res.at[i]);
	Subs made = dev_close(b, &l, next);
	for (int i = 0; i < n; i++)
		out.at[i] = b_index(b, made.at[i], subs_of(1, sub_i64(0)));
	return out;
}

static void defer_results(Defer *d, Fun *f)
{
	Build *b = &d->b;
	if (!body_find(&f->body, is_on_device))
		return;
	Late l = late_stms(d, &f->body);
	Subs res = late_results(&f->body, &l);
	if (!res.len || !may_rewrite())
		return;
	b_open(b);
	for EACH(Stm, s, f->body.stms)
		if (!map_has(&l.is_late, s) || map_has(&l.kept, s))
			b_emit(b, *s);
	Body tail = body_rename((Body){VEC_SLICE(Stms, l.late), res});
	Subs made = tail.res, out = SLICE_DUP(Subs, f->body.res);
	b->where = tail.stms.at[tail.stms.len - 1].where;
	if (res.len < l.reads)
		made = emit_by_device(b, tail);
	else
		for EACH(Stm, s, tail.stms)
			b_emit(b, *s);
	for EACH(Sub, r, out)
		for (int i = 0; i < res.len; i++)
			if (sub_eq(*r, res.at[i])) {
				*r = made.at[i];
				break;
			}
	f->body = b_close(b, out);
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
	for EACH(Fun *, f, out->funs) {
		defer_body(&v, &(*f)->body);
		defer_results(&d, *f);
	}
	return out;
}
