// The pass `overwrite`: a loop whose iterations replace an array row by row works in place.
//
//     loop (a: [n][n]f32 = a0) for k: i64 < n do {
//       let (s: [n][n]f32) = scratch.f32 [n][n]
//       #[parallel] let (b: [n][n]f32) = loop (q: *[n][n]f32 = s) for i: i64 < n do {
//         ... index a [i, j] ... index a [k, j] ...
//         let (u: [n][n]f32) = update q [i, 0:n:1] row
//         in u
//       }
//       in b
//     }
// becomes
//     let (c: [n][n]f32) = copy a0
//     loop (a: *[n][n]f32 = c) for k: i64 < n do {
//       let (v: [n]f32) = slice a [k, 0:n:1]
//       let (r: [n]f32) = copy v
//       #[parallel] let (b: [n][n]f32) = loop (q: *[n][n]f32 = a) for i: i64 < n do {
//         ... index q [i, j] ... index r [j] ...
//         let (u: [n][n]f32) = update q [i, 0:n:1] row
//         in u
//       }
//       in b
//     }
//
// This needs one array instead of two that alternate: half the memory and, more importantly, half
// the cache footprint.  The copy of a0 is removed by drop_copies if a0 is dead afterwards;
// otherwise it costs as much as one iteration saves.
//
// Obligations: before the inner loop, the old array may be read in any way.  Inside, it may be read
// at the row of the iteration before that row is written, or at a few rows that are invariant in
// the inner loop and exist whenever it runs.  It is not read anywhere else.  In loops that compute
// the row, elements must be read at their own indices too, so that shortcircuit lets these work in
// place as well: for a matrix product, two arrays are better.
//
// Requires: the form that `seq` ensures.  Multi-threaded regions are left alone.
#include "opt/opt.h"

enum { MAX_COPIES = 2, MAX_DEPTH = 8, FEW_ROWS = 4 };

// A row of the old array that all iterations read.
typedef struct { Sub at; Vars certs; Sub copy; } Common;

typedef struct {
	const Exp *outer, *inner;
	Var old;                                // the parameter of `outer`
	Var now;                                // that of `inner`
	Map bound;                              // by `inner`
	Sub counters[MAX_DEPTH];                // of `inner` and the loops in it, as far as known
	int depth;
	enum { BEFORE, INSIDE, AFTER } when;    // relative to `inner`
	bool written;                           // the row of the iteration, perhaps
	bool good;
	int n_common;
	Common common[MAX_COPIES];
} Plan;

// ---- Is it possible? ----

static bool is_bound(const Plan *p, Sub s)
{
	return s.kind == S_VAR && map_has(&p->bound, var_key(s.var));
}

static bool is_own(const Plan *p, Subs idx)
{
	if (idx.len < p->depth)
		return false;
	for (int d = 0; d < p->depth; d++)
		if (!sub_eq(idx.at[d], p->counters[d]))
			return false;
	return true;
}

// Is there such a row wherever the inner loop starts?
static bool exists(const Plan *p, Sub row, Vars certs)
{
	const Exp *l = p->outer;
	if (!l->loop.is_while && sub_eq(row, sub_var(l->loop.i)) &&
	    sub_eq(l->loop.n, vars[p->old.id].type.dims.at[0]))
		return true;
	for EACH(Var, c, certs)
		if (is_bound(p, sub_var(*c)))
			return false;
	return certs.len > 0;
}

static const Common *common_row(const Plan *p, Sub at)
{
	for (int i = 0; i < p->n_common; i++)
		if (sub_eq(p->common[i].at, at))
			return &p->common[i];
	return NULL;
}

static bool is_common(Plan *p, const Stm *s)
{
	Subs idx = s->exp->index.idx;
	Sub rows = vars[p->old.id].type.dims.at[0];
	if (idx.len < 2 || is_bound(p, idx.at[0]) || !exists(p, idx.at[0], s->certs) ||
	    (rows.kind == S_CONST && rows.val.i <= FEW_ROWS))
		return false;
	if (common_row(p, idx.at[0]))
		return true;
	if (p->n_common == MAX_COPIES)
		return false;
	p->common[p->n_common++] = (Common){.at = idx.at[0], .certs = s->certs};
	return true;
}

static void look_at(Visit *v, Sub *s)
{
	Plan *p = v->ctx;
	p->good &= s->kind != S_VAR || s->var.id != p->old.id;
}

static bool reads_old(const Plan *p, const Exp *e)
{
	return e->form == E_index && sub_eq(e->index.arr, sub_var(p->old));
}

static void look_at_stm(Visit *v, Stm *s)
{
	Plan *p = v->ctx;
	if (!reads_old(p, s->exp))
		stm_visit(s, v);
	else if (p->when == AFTER)
		p->good = false;
	else if (p->when == INSIDE && (p->written || !is_own(p, s->exp->index.idx)))
		p->good &= is_common(p, s);
}

static void look_at_body(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		look_at_stm(v, s);
	for EACH(Sub, r, b->res)
		look_at(v, r);
}

// A loop that makes an array, maybe the row: reductions do not.
static bool makes_row(const Plan *p, const Stm *s)
{
	bool array = false;
	for EACH(Var, v, s->pat)
		array |= type_is_array(vars[v->id].type);
	return array && s->exp->form == E_loop && !s->exp->loop.is_while && p->depth < MAX_DEPTH &&
	       has_attr(s->attrs, ATTR_PARALLEL);
}

// The body of the inner loop, or of one that makes up a row there.
static void look_at_rows(Plan *p, const Exp *loop)
{
	Visit v = {.sub = look_at, .body = look_at_body, .ctx = p};
	p->counters[p->depth++] = sub_var(loop->loop.i);
	for EACH(Stm, s, loop->loop.body.stms) {
		bool row = makes_row(p, s);
		if (row && !p->written)
			look_at_rows(p, s->exp);
		else
			look_at_stm(&v, s);
		p->written |= row || s->exp->form == E_update;
	}
	for EACH(Sub, r, loop->loop.body.res)
		look_at(&v, r);
	p->depth--;
	p->written = false;
}

static bool is_possible(Plan *p)
{
	Visit binders = {.bind = note_binder, .ctx = &p->bound};
	exp_walk(p->inner, &binders);
	Visit v = {.sub = look_at, .body = look_at_body, .ctx = p};
	p->good = true;
	for EACH(Stm, s, p->outer->loop.body.stms) {
		if (s->exp != p->inner) {
			look_at_stm(&v, s);
			continue;
		}
		for EACH(Sub, x, s->exp->loop.inits)
			look_at(&v, x);
		p->when = INSIDE;
		look_at_rows(p, s->exp);
		p->when = AFTER;
	}
	for EACH(Sub, r, p->outer->loop.body.res)
		look_at(&v, r);
	return p->good;
}

// ---- Which loops? ----

typedef struct { Sub what; int n; } Count;

static void count_sub(Visit *v, Sub *s)
{
	Count *c = v->ctx;
	c->n += sub_eq(*s, c->what);
}

static int n_uses(const Body *b, Sub x)
{
	Count c = {.what = x};
	Visit v = {.sub = count_sub, .ctx = &c};
	body_walk(b, &v);
	return c.n;
}

// The loop that makes the next value of parameter k, and the statement that makes room for it.
static bool find_loops(const Exp *outer, int k, Plan *p, const Stm **inner, const Stm **scratch)
{
	const Body *b = &outer->loop.body;
	Var old = outer->loop.params.at[k];
	Sub next = b->res.at[k];
	int n_given = 0;
	for EACH(Sub, r, b->res)
		n_given += sub_eq(*r, next);
	const Stm *s = type_is_array(vars[old.id].type) ? stm_in(b, next) : NULL;
	if (!s || n_given > 1 || s->exp->form != E_loop || s->exp->loop.is_while ||
	    !has_attr(s->attrs, ATTR_PARALLEL) || has_attr(s->attrs, ATTR_REGION))
		return false;
	int at = vars_find(s->pat, next);
	Var now = s->exp->loop.params.at[at];
	Sub room = s->exp->loop.inits.at[at];
	*inner = s;
	*scratch = stm_in(b, room);
	*p = (Plan){.outer = outer, .inner = s->exp, .old = old, .now = now};
	return *scratch && (*scratch)->exp->form == E_scratch && n_uses(b, room) == 1 &&
	       vars[now.id].type.unique && vars[old.id].type.elem == vars[now.id].type.elem &&
	       subs_eq(vars[old.id].type.dims, vars[now.id].type.dims);
}

// ---- The change ----

static void replace(Visit *v, Sub *s)
{
	Map *to = v->ctx;
	const Sub *x = s->kind == S_VAR ? map_get(to, var_key(s->var)) : NULL;
	if (x)
		*s = *x;
}

static void rename_var(Body *b, Var from, Sub to)
{
	Map m = {0};
	map_put(&m, var_key(from), mem_dup(&to, sizeof to));
	Visit v = {.sub = replace, .copy = true, .ctx = &m};
	body_visit(b, &v);
}

// Copies the rows that all iterations read, before the inner loop.
static void copy_rows(Plan *p, Build *b)
{
	for (int i = 0; i < p->n_common; i++) {
		Common *c = &p->common[i];
		b->certs = c->certs;
		c->copy = b_copy(b, b_index(b, sub_var(p->old), subs_of(1, c->at)));
		b->certs = (Vars){0};
	}
}

// Reads of the old array inside the inner loop are reads of what it works on, or of a copied row.
static void read_anew(Visit *v, Body *b)
{
	const Plan *p = v->ctx;
	body_visit(b, v);
	for EACH(Stm, s, b->stms) {
		if (!reads_old(p, s->exp))
			continue;
		Subs idx = s->exp->index.idx;
		const Common *c = common_row(p, idx.at[0]);
		s->exp =
			c ? EXP(index, c->copy, {idx.at + 1, idx.len - 1})
			  : EXP(index, sub_var(p->now), idx);
	}
}

static void change_inner(Plan *p, Stm *s, Var new_)
{
	Exp *e = s->exp = exp_dup(s->exp);
	Visit v = {.body = read_anew, .copy = true, .ctx = p};
	read_anew(&v, &e->loop.body);
	e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
	e->loop.inits.at[vars_find(e->loop.params, sub_var(p->now))] = sub_var(new_);
}

// A unique parameter instead of number k, which starts with `init`.
static Var own_param(Exp *outer, int k, Sub init)
{
	Var old = outer->loop.params.at[k];
	Type t = vars[old.id].type;
	t.unique = true;
	Var new_ = var_new(vars[old.id].hint, t);
	outer->loop.params = SLICE_DUP(Vars, outer->loop.params);
	outer->loop.inits = SLICE_DUP(Subs, outer->loop.inits);
	outer->loop.params.at[k] = new_;
	outer->loop.inits.at[k] = init;
	return new_;
}

static void change(Plan *p, Exp *outer, int k, Sub init, const Stm *inner, const Stm *scratch)
{
	Var new_ = own_param(outer, k, init);
	Build b = {.where = inner->where};
	b_open(&b);
	for EACH(Stm, s, outer->loop.body.stms) {
		if (s == scratch)
			continue;
		Stm t = *s;
		if (s == inner) {
			copy_rows(p, &b);
			change_inner(p, &t, p->old);
		}
		b_emit(&b, t);
	}
	outer->loop.body = b_close(&b, outer->loop.body.res);
	rename_var(&outer->loop.body, p->old, sub_var(new_));
}

static Sub initial(Build *b, const Exp *outer, int k)
{
	Sub init = outer->loop.inits.at[k];
	return vars[outer->loop.params.at[k].id].type.unique ? init : b_copy(b, init);
}

static void do_loop(Build *b, Stm *s)
{
	for (int k = 0; k < s->exp->loop.params.len; k++) {
		Plan p;
		const Stm *inner, *scratch;
		if (!find_loops(s->exp, k, &p, &inner, &scratch) || !is_possible(&p) ||
		    !may_rewrite())
			continue;
		s->exp = exp_dup(s->exp);
		b->where = s->where;
		Sub init = initial(b, s->exp, k);
		change(&p, s->exp, k, init, inner, scratch);
	}
}

static void do_body(Visit *v, Body *body)
{
	Build b = {0};
	b_open(&b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		if (form_has(t.exp->form, FORM_NEST) || t.exp->form == E_call)
			t.exp = exp_visit(t.exp, v);
		if (t.exp->form == E_loop)
			do_loop(&b, &t);
		b_emit(&b, t);
	}
	*body = b_close(&b, body->res);
}

static bool may_replace(const Stm *s)
{
	Plan p;
	const Stm *inner, *scratch;
	if (s->exp->form == E_loop)
		for (int k = 0; k < s->exp->loop.params.len; k++)
			if (find_loops(s->exp, k, &p, &inner, &scratch))
				return true;
	return false;
}

Prog *overwrite(Prog *prog)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = do_body, .funs = &funs, .copy = true};
	for EACH(Fun *, f, out->funs)
		if (body_find(&(*f)->body, may_replace))
			do_body(&v, &(*f)->body);
		else
			fun_new_callees(*f, &funs);
	return out;
}
