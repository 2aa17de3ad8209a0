// The pass `outline`: turns the bodies of parallel regions, and kernels, into functions.
//
//     #[region] let (ys: [n]f64 @ m + 0) = loop (o: *[n]f64 @ m + 0 = out) for c: i64 < k do {
//       ... xs: [n]f64 @ b + 0
//       in o1
//     }
// becomes
//     fun region (c: i64, n: i64, m: mem.f64, b: mem.f64, xs: [n]f64 @ b + 0,
//                 o: *[n]f64 @ m + 0) : (r: [n]f64 @ m + 0) = ...
//
//     #[region] let (ys: [n]f64 @ m + 0) = loop (o: *[n]f64 @ m + 0 = out) for c: i64 < k do {
//       let (r: [n]f64 @ m + 0) = call region (c, n, m, b, xs, o)
//       in r
//     }
//
// Code generation passes this function to the threads.  Its parameters are the free variables of
// the body; arrays are passed with whatever layout they have.  Unlike other functions, whose array
// parameters are row-major at offset 0, these are called by regions only.
//
// A region that carries blocks or scalars from one iteration to the next is not parallel, and
// loses the attribute.
//
// Kernels (loops marked #[kernel] or #[blocks]) become functions with that attribute, whose body is
// the loop itself:
//
//     fun main.kernel1 #[kernel] (n: i64, b: mem.f64, ...) : (r: [n]f64 @ m + 0) =
//       #[kernel] let (ys: ..) = loop (o: .. = out) for i: i64 < n do {...}
//       in ys
//
// Functions called by kernels are sequential: their loops lose the attributes.
//
// Requires: the MEM stage, after all other passes, since blocks on the stack may be passed to
// these functions.  Ensures: each region and each kernel is a call or a function of its own.
#include "opt/opt.h"
#include "loop/loop.h"

typedef struct {
	Map funs;                               // Fun * -> Fun *
	VEC(Fun *) made;
	const Fun *fun;                         // the one at hand
	int n_regions, n_kernels;
	Map called;                             // functions that kernels call, directly or not
	bool sequential;                        // it is one of those
} Outline;

// ---- What a body mentions ----

typedef struct { Map seen; VarVec all; } Mentioned;

static void mention(Mentioned *m, Var v);

static void mention_sub(Visit *v, Sub *s)
{
	if (s->kind == S_VAR)
		mention(v->ctx, s->var);
}

// What its type mentions comes before it.
static void mention(Mentioned *m, Var x)
{
	if (map_has(&m->seen, var_key(x)))
		return;
	map_put(&m->seen, var_key(x), m);
	Visit v = {.sub = mention_sub, .ctx = m};
	Type t = vars[x.id].type;
	type_visit(&t, &v);
	VEC_PUSH(&m->all, x);
}

// ---- Functions ----

static void replace(Visit *v, Sub *s)
{
	const Var *to = s->kind == S_VAR ? map_get(v->ctx, var_key(s->var)) : NULL;
	if (to)
		s->var = *to;
}

// A variable of the function for one of the body around.
static Var own(Map *renamed, Var x, bool unique)
{
	Visit v = {.sub = replace, .copy = true, .ctx = renamed};
	Type t = vars[x.id].type;
	type_visit(&t, &v);
	t.unique = unique;
	Var y = var_new(vars[x.id].hint, t);
	map_put(renamed, var_key(x), mem_dup(&y, sizeof y));
	return y;
}

static Fun *region_fun(Outline *o, const Stm *s, Vars args)
{
	const Exp *e = s->exp;
	Map renamed = {0};
	VarVec params = {0}, res = {0};
	for EACH(Var, a, args) {
		bool carried = false;
		for EACH(Var, p, e->loop.params)
			carried |= p->id == a->id;
		VEC_PUSH(&params, own(&renamed, *a, carried));
	}
	for EACH(Var, p, e->loop.params) {
		Visit v = {.sub = replace, .copy = true, .ctx = &renamed};
		Type t = vars[p->id].type;
		type_visit(&t, &v);
		t.unique = true;
		VEC_PUSH(&res, var_new(vars[p->id].hint, t));
	}
	Body body = e->loop.body;
	Visit v = {.sub = replace, .copy = true, .ctx = &renamed};
	body_visit(&body, &v);
	return NEW(Fun, .name = name_of(text("%s.region%d", o->fun->name, ++o->n_regions)),
	           .params = VEC_SLICE(Vars, params), .res = VEC_SLICE(Vars, res), .body = body,
	           .attrs = attr_of(ATTR_REGION), .where = s->where);
}

// ---- Kernels ----

// The types of the variables, in terms of what has been renamed.
static Vars renamed_vars(Map *renamed, Vars vs, bool unique)
{
	Vars out = {NEW_ARRAY(Var, vs.len), vs.len};
	for (int i = 0; i < vs.len; i++) {
		Visit v = {.sub = replace, .copy = true, .ctx = renamed};
		Type t = vars[vs.at[i].id].type;
		type_visit(&t, &v);
		t.unique = unique;
		out.at[i] = var_new(vars[vs.at[i].id].hint, t);
	}
	return out;
}

static bool is_initial(const Exp *loop, Var x)
{
	for EACH(Sub, s, loop->loop.inits)
		if (sub_eq(*s, sub_var(x)))
			return true;
	return false;
}

static void mention_all(Mentioned *m, const Stm *s)
{
	Body around = {.stms = {(Stm *)s, 1}};
	Vars free = free_in_body(&around);
	for EACH(Var, x, free)
		mention(m, *x);
}

Fun *outline_loop(Stm *s, Name name, Attributes attrs, Vars besides)
{
	Mentioned m = {0};
	mention_all(&m, s);
	for EACH(Var, x, besides)
		mention(&m, *x);
	Map renamed = {0};
	VarVec params = {0};
	for EACH(Var, a, m.all)
		VEC_PUSH(&params, own(&renamed, *a, is_initial(s->exp, *a)));
	Stm inner = *s;
	inner.pat = renamed_vars(&renamed, s->pat, false);
	Visit v = {.sub = replace, .copy = true, .ctx = &renamed};
	inner.exp = exp_visit(s->exp, &v);
	inner.certs = (Vars){0};
	Fun *f = NEW(Fun, .name = name, .params = VEC_SLICE(Vars, params),
	             .res = renamed_vars(&renamed, s->pat, true),
	             .body = {.stms = {mem_dup(&inner, sizeof inner), 1},
	                      .res = subs_of_vars(inner.pat)},
	             .attrs = attrs, .where = s->where);
	s->exp = EXP(call, .fn = f, .args = subs_of_vars(VEC_SLICE(Vars, m.all)));
	s->attrs = (Attributes){0};
	return f;
}

static void outline_kernel(Outline *o, Stm *s)
{
	Name name = name_of(text("%s.kernel%d", o->fun->name, ++o->n_kernels));
	VEC_PUSH(&o->made, outline_loop(s, name, s->attrs, (Vars){0}));
}

// ---- Regions ----

// Only arrays that stay where they are go from one iteration to the next.
static bool is_region(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || !runs_at_once(s->attrs))
		return false;
	for EACH(Var, p, e->loop.params)
		if (!vars[p->id].type.mem)
			return false;
	return true;
}

static void outline_region(Outline *o, Stm *s)
{
	Exp *e = s->exp;
	Mentioned m = {0};
	mention(&m, e->loop.i);
	Vars free = free_in_body(&e->loop.body);
	for EACH(Var, x, free)
		mention(&m, *x);
	for EACH(Var, p, e->loop.params)
		mention(&m, *p);
	Vars args = VEC_SLICE(Vars, m.all);
	Fun *f = region_fun(o, s, args);
	VEC_PUSH(&o->made, f);
	Subs subs = {NEW_ARRAY(Sub, args.len), args.len};
	for (int i = 0; i < args.len; i++)
		subs.at[i] = sub_var(args.at[i]);
	int n = e->loop.params.len;
	Vars pat = {NEW_ARRAY(Var, n), n};
	Subs res = {NEW_ARRAY(Sub, n), n};
	for (int i = 0; i < n; i++) {
		Type t = type_plain(vars[e->loop.params.at[i].id].type);
		pat.at[i] = var_new(vars[e->loop.params.at[i].id].hint, t);
		res.at[i] = sub_var(pat.at[i]);
	}
	Stm call = {.pat = pat, .where = s->where, .exp = EXP(call, .fn = f, .args = subs)};
	e->loop.body = (Body){.stms = {mem_dup(&call, sizeof call), 1}, .res = res};
}

static void do_body(Visit *v, Body *b)
{
	Outline *o = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		bool region = is_region(s);
		if (region && is_kernel(s) && !o->sequential) {
			outline_kernel(o, s);
			Visit callees = {.funs = &o->funs, .copy = true, .ctx = o};
			Fun *f = s->exp->call.fn;
			body_visit(&f->body, &callees);
			continue;
		}
		s->exp = exp_visit(s->exp, v);
		if (region && !o->sequential && has_attr(s->attrs, ATTR_REGION))
			outline_region(o, s);
		else if (runs_at_once(s->attrs))
			s->attrs = one_at_a_time(s->attrs);
	}
}

Prog *outline(Prog *prog)
{
	Outline o = {.called = called_by_kernels(prog)};
	VEC(Fun *) funs = {0};
	for EACH(Fun *, f, prog->funs) {
		Fun *g = mem_dup(*f, sizeof **f);
		map_put(&o.funs, *f, g);
		VEC_PUSH(&funs, g);
	}
	Visit v = {.body = do_body, .funs = &o.funs, .copy = true, .ctx = &o};
	int n = 0;
	for EACH(Fun *, g, funs) {
		o.fun = *g;
		o.n_regions = o.n_kernels = 0;
		o.sequential = map_has(&o.called, prog->funs.at[n++]);
		do_body(&v, &(*g)->body);
	}
	VEC_APPEND(&funs, o.made);
	return NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
}
