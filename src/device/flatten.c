// The pass `flatten`: turns SOACs into kernels, which are loops marked for the device.
//
//     let (ys: [n]f64) = screma n (xs) map=\(x: f64) : (f64) -> {let (y: f64) = mul.f64 x x in y}
// becomes
//     let (ys0: [n]f64) = scratch.f64 [n]
//     #[kernel] let (ys: [n]f64) = loop (o: *[n]f64 = ys0) for i: i64 < n do {
//       let (x: f64) = index xs [i]
//       let (y: f64) = mul.f64 x x
//       let (o1: [n]f64) = update o [i] y
//       in o1
//     }
//
// This file traverses the host code (functions, branches, loops) and finds the SOACs in it.
// flatten_nest.c makes kernels from maps and their contents, flatten_fold.c from scans and
// reductions, gpu_acc.c from hist, scatter, flatmap and accumulators; flatten_kernel.c builds the
// loops. src/core/marks.def describes the marks.
//
// Note [Hosts and threads].  A function has two versions: one for the host, in which SOACs become
// kernels, and one to be called by kernels, in which they are left to `seq`, which turns them into
// ordinary loops.  The same holds for SOACs inside kernels.
//
// Note [Left].  SOACs that contain traces or calls of recursive functions become host loops:
// correct, but slow.
//
// Requires: no jvp or vjp.  Ensures that the SOACs left at host level are those of Note [Left] and
// those marked #[sequential].
#include "device/flatten.h"

#include "opt/opt.h"

// ---- Questions ----

bool in_nest(const Flatten *f, Sub x)
{
	return x.kind == S_VAR && map_get(&f->inside, var_key(x.var));
}

// A number that all rows compute alike, from those outside and from counters of loops around that
// go outside.
bool is_uniform(const Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	if (s->pat.len != 1 || s->certs.len || has_attrs(s->attrs))
		return false;
	if (e->form == E_convert)
		return is_int(e->convert.to) && !in_nest(f, e->convert.x);
	if (e->form != E_prim || prim_can_fail(e->prim.op, e->prim.at) ||
	    is_float(e->prim.at))
		return false;
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		if (in_nest(f, e->prim.x[i]))
			return false;
	return true;
}

void set_outside(Flatten *f, Var v, bool outside)
{
	map_put(&f->inside, var_key(v), outside ? NULL : f);
}

bool is_regular(const Flatten *f, Type t)
{
	if (t.kind == T_ACC)
		return true;
	for EACH(Sub, d, t.dims)
		if (in_nest(f, *d))
			return false;
	return true;
}

static bool are_regular(const Flatten *f, Vars vs)
{
	for EACH(Var, v, vs)
		if (!is_regular(f, vars[v->id].type))
			return false;
	return true;
}

bool is_sequential(const Stm *s)
{
	return has_attr(s->attrs, ATTR_SEQUENTIAL);
}

static bool is_few(Sub n)
{
	return n.kind == S_CONST && n.val.i <= threshold(AT_constant_rows);
}

// Is it nothing but updates of neighbouring elements?
static bool is_update(const Exp *e)
{
	for EACH(Stm, s, e->screma.map->body.stms)
		if (s->exp->form != E_upd_acc)
			return false;
	return e->screma.map->body.stms.len == 1 && e->screma.n.val.i >= threshold(AT_updates);
}

static bool is_parallel_screma(Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	if (in_nest(f, e->screma.n) || is_sequential(s) || !are_regular(f, s->pat))
		return false;
	for EACH(Type, t, e->screma.map->ret)
		if (!is_regular(f, *t))
			return false;
	return !is_few(e->screma.n) || is_update(e) || has_parallelism(f, &e->screma.map->body);
}

// Its counter is outside, once the loop is.
static bool loop_has_parallelism(Flatten *f, const Exp *e)
{
	set_outside(f, e->loop.i, true);
	bool has = has_parallelism(f, &e->loop.body);
	set_outside(f, e->loop.i, false);
	return has;
}

bool goes_apart(Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_screma:
		return is_parallel_screma(f, s);
	case E_loop:
		return !e->loop.is_while && !in_nest(f, e->loop.n) && !is_sequential(s) &&
		       are_regular(f, e->loop.params) && are_regular(f, s->pat) &&
		       loop_has_parallelism(f, e);
	case E_if_:
		if (in_nest(f, e->if_.cond))
			return are_regular(f, s->pat) && if_goes_apart(f, s);
		return are_regular(f, s->pat) &&
		       (has_parallelism(f, &e->if_.yes) || has_parallelism(f, &e->if_.no));
	case E_withacc:
		return withacc_goes_apart(f, s);
	case E_hist: case E_scatter:
		return !is_sequential(s) && !is_few(e->form == E_hist ? e->hist.n : e->scatter.n) &&
		       gpu_acc_goes_apart(f, s);
	default: // one thread does it
		return false;
	}
}

bool has_parallelism(Flatten *f, const Body *b)
{
	bool has = false;
	VEC(Var) outside = {0};
	for (int i = 0; i < b->stms.len && !has; i++) {
		const Stm *s = &b->stms.at[i];
		has = goes_apart(f, s);
		if (!is_uniform(f, s) || !in_nest(f, sub_var(s->pat.at[0])))
			continue;
		set_outside(f, s->pat.at[0], true);
		VEC_PUSH(&outside, s->pat.at[0]);
	}
	for EACH(Var, v, outside)
		set_outside(f, *v, false);
	return has;
}

typedef struct { const Flatten *f; bool found; } Irregular;

static void look_for_loop(Visit *v, Body *b)
{
	Irregular *w = v->ctx;
	for EACH(Stm, s, b->stms)
		w->found |= s->exp->form == E_loop && !s->exp->loop.is_while &&
		            in_nest(w->f, s->exp->loop.n);
	body_visit(b, v);
}

bool has_irregular_loop(Flatten *f, const Body *b)
{
	Irregular w = {f, false};
	Visit v = {.body = look_for_loop, .ctx = &w};
	Body copy = *b;
	look_for_loop(&v, &copy); // a walk: writes nothing
	return w.found;
}

bool has_irregular_rows(Flatten *f, const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_screma && goes_apart(f, s) &&
		    has_irregular_loop(f, &s->exp->screma.map->body))
			return true;
	return false;
}

// ---- What kernels cannot do ----

typedef struct { const Flatten *f; bool found; } Search;

static void look_at_callee(Visit *v, Fun **g)
{
	Search *s = v->ctx;
	s->found |= map_has(&s->f->recursive, *g);
}

static void look_at_body(Visit *v, Body *b)
{
	Search *s = v->ctx;
	for EACH(Stm, t, b->stms)
		s->found |= t->exp->form == E_trace;
	body_visit(b, v);
}

static bool stays(const Flatten *f, const Stm *s)
{
	Search w = {f, false};
	Visit v = {.body = look_at_body, .fun = look_at_callee, .ctx = &w};
	exp_walk(s->exp, &v);
	if (w.found)
		diag_warn(s->where ? s->where->span : NOWHERE, NULL,
		          "The host does this by itself: it traces values or calls itself.");
	return w.found || is_sequential(s);
}

// ---- At host level ----

Sub emit_threshold(Flatten *f, const char *kind, Sub par, Threshold at)
{
	int least = threshold(at);
	bool guess = f->n_thresholds % 2;
	if (par.kind == S_CONST)
		return sub_bool(par.val.i >= least);
	const char *attr = text("%s(%s.%s_%d)", ATTR_THRESHOLD, f->fun->name, kind,
	                        f->n_thresholds++);
	Vars pat = vars_of(3, var_new(name_of("enough"), type_scalar(PT_BOOL)), var_i64("par"),
	                   var_i64("least"));
	f->b.attrs = with_attr_text((Attributes){0}, attr);
	b_stm(&f->b, pat, EXP(opaque, subs_of(3, sub_bool(guess), par, sub_i64(least))));
	return sub_var(pat.at[0]);
}

static void flatten_nested(Visit *v, Body *b)
{
	*b = flatten_body(v->ctx, b);
}

static void flatten_control(Flatten *f, const Stm *s)
{
	Visit v = {.body = flatten_nested, .copy = true, .ctx = f};
	Stm t = *s;
	t.exp = exp_visit(s->exp, &v);
	b_emit(&f->b, t);
}

static void other_callee(Visit *v, Fun **g)
{
	Fun *to = map_get(v->ctx, *g);
	if (to)
		*g = to;
}

// What kernels call has no kernels.
static Stm calls_alone(Flatten *f, const Stm *s)
{
	Visit v = {.fun = other_callee, .copy = true, .ctx = &f->alone};
	Stm t = *s;
	t.exp = exp_visit(s->exp, &v);
	return t;
}

// #[sequential_outer]: one row after the other.
static Subs row_by_row(Flatten *f, const Exp *e)
{
	Build *b = &f->b;
	const Lambda *map = e->screma.map;
	int n = map->ret.len;
	Subs outs = {NEW_ARRAY(Sub, n), n}, next = {NEW_ARRAY(Sub, n), n};
	for (int i = 0; i < n; i++)
		outs.at[i] = b_scratch(&f->b, "out", type_of_rows(e->screma.n, map->ret.at[i]));
	DevLoop l = dev_open(&f->b, ATTR_NONE, e->screma.n, outs);
	for (int i = 0; i < map->params.len; i++) {
		Var p = map->params.at[i];
		Sub row = b_index(b, e->screma.arrs.at[i], subs_of(1, sub_var(l.i)));
		bool own = vars[p.id].type.unique && sub_type(row).dims.len;
		vars[p.id].type.unique = false;
		b_name(&f->b, p, own ? b_copy(b, row) : row);
	}
	for EACH(Stm, s, map->body.stms)
		flatten_stm(f, s);
	for (int i = 0; i < n; i++)
		next.at[i] = put_at(&f->b, sub_var(l.params.at[i]), subs_of(1, sub_var(l.i)),
		                    map->body.res.at[i]);
	return dev_close(&f->b, &l, next);
}

static bool goes_row_by_row(const Stm *s)
{
	const Exp *e = s->exp;
	if (!has_attr(s->attrs, ATTR_SEQUENTIAL_OUTER) || e->screma.scans.len || e->screma.reds.len)
		return false;
	for EACH(Type, t, e->screma.map->ret)
		if (t->kind == T_ACC)
			return false;
	return true;
}

static void host_screma(Flatten *f, const Stm *s)
{
	if (goes_row_by_row(s)) {
		b_names(&f->b, s->pat, row_by_row(f, s->exp));
		return;
	}
	f->attrs = s->attrs;
	note_counting(f, s->exp);
	note_inside(f, s->exp->screma.map);
	for EACH(Reduction, r, s->exp->screma.scans)
		note_inside(f, r->op);
	for EACH(Reduction, r, s->exp->screma.reds)
		note_inside(f, r->op);
	b_names(&f->b, s->pat, flatten_screma(f, NULL, s->exp, (Vars){0}));
}

static void host_withacc(Flatten *f, Stm s)
{
	Exp *e = NEW(Exp, .form = E_withacc, .withacc = s.exp->withacc);
	for (int i = 0; i < e->withacc.inputs.len; i++)
		map_put(&f->inputs, var_key(e->withacc.fn->params.at[i]), &e->withacc.inputs.at[i]);
	e->withacc.fn = mem_dup(e->withacc.fn, sizeof(Lambda));
	e->withacc.fn->body = flatten_body(f, &e->withacc.fn->body);
	s.exp = e;
	b_emit(&f->b, s);
}

static void flatten_form(Flatten *f, const Stm *s)
{
	Stm t;
	switch (s->exp->form) {
	case E_loop:
		if (!flatten_serial(f, s, flatten_control))
			flatten_control(f, s);
		return;
	case E_if_: case E_match:
		flatten_control(f, s);
		return;
	case E_screma:
		t = calls_alone(f, s);
		if (stays(f, s))
			b_emit(&f->b, t);
		else
			host_screma(f, &t);
		return;
	case E_withacc:
		host_withacc(f, acc_by_elements(f, s));
		return;
	case E_hist: case E_scatter: case E_flatmap:
		t = calls_alone(f, s);
		if (stays(f, s) || !gpu_acc_stm(f, &t))
			b_emit(&f->b, t);
		return;
	case E_jvp: case E_vjp:
		bug("a derivative is left");
	case E_atom: case E_prim: case E_convert: case E_call: case E_index: case E_slice:
	case E_update: case E_concat: case E_iota: case E_replicate: case E_scratch: case E_reshape:
	case E_rearrange: case E_copy: case E_array: case E_upd_acc: case E_with_vjp:
	case E_assert_: case E_trace: case E_opaque: case E_alloc: case E_release: case N_FORM:
		b_emit(&f->b, *s);
		return;
	}
}

void flatten_stm(Flatten *f, const Stm *s)
{
	Build outer = f->b;
	f->b.where = s->where;
	f->b.certs = s->certs;
	f->b.attrs = (Attributes){0};
	note_iota(f, s);
	note_small(f, s);
	note_filled(f, s);
	note_turned(f, s);
	flatten_form(f, s);
	f->b.where = outer.where;
	f->b.certs = outer.certs;
	f->b.attrs = (Attributes){0};
}

Body flatten_body(Flatten *f, const Body *b)
{
	b_open(&f->b);
	for EACH(Stm, s, b->stms)
		flatten_stm(f, s);
	return b_close(&f->b, b->res);
}

// ---- Functions ----

static void make_alone(Fun *to, const Fun *from, const Map *funs)
{
	*to = *fun_rename(from, funs);
	to->name = name_of(text("%s.thread", from->name));
	to->entry = NULL;
}

typedef struct { Map *recursive; const Fun *from; Map seen; } Cycle;

static void follow(Visit *v, Fun **g)
{
	Cycle *c = v->ctx;
	if (*g == c->from)
		map_put(c->recursive, c->from, c);
	if (map_has(&c->seen, *g))
		return;
	map_put(&c->seen, *g, c);
	body_visit(&(*g)->body, v);
}

// Functions from which a function that calls itself is reached.
static void find_recursive(Map *recursive, const Prog *prog)
{
	for EACH(Fun *, g, prog->funs) {
		Cycle c = {.recursive = recursive, .from = *g};
		Visit v = {.fun = follow, .ctx = &c};
		body_visit(&(*g)->body, &v);
		for MAP_EACH(e, c.seen)
			if (map_has(recursive, e->key))
				map_put(recursive, *g, &c);
	}
}

Prog *flatten(Prog *prog)
{
	Map copies = {0}, alone = {0};
	VEC(Fun *) funs = {0};
	Flatten f = {0};
	find_recursive(&f.recursive, prog);
	find_recursive(&f.recursive, prog); // callers of those that came later
	for EACH(Fun *, g, prog->funs) {
		Fun *copy = mem_dup(*g, sizeof **g), *own = mem_dup(*g, sizeof **g);
		map_put(&copies, *g, copy);
		map_put(&alone, *g, own);
		map_put(&f.alone, copy, own);
		if (map_has(&f.recursive, *g))
			map_put(&f.recursive, copy, copy);
		VEC_PUSH(&funs, copy);
	}
	int n = funs.len;
	for (int i = 0; i < n; i++) {
		Fun *own = map_get(&alone, prog->funs.at[i]);
		make_alone(own, prog->funs.at[i], &alone);
		VEC_PUSH(&funs, own);
	}
	for (int i = 0; i < n; i++) {
		Visit v = {.funs = &copies, .copy = true};
		f.fun = funs.at[i];
		body_visit(&funs.at[i]->body, &v);
		funs.at[i]->body = flatten_body(&f, &funs.at[i]->body);
	}
	VEC_APPEND(&funs, f.operators);
	return NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = STAGE_DEVICE);
}
