// The pass `drop_copies`: removes copies that cannot be distinguished from their source, before
// memory is assigned.
//
//     let (b: [n]f64) = if p then {upd} else {a}      -- a: a unique parameter of this loop
//     let (c: [n]f64) = copy b                   ->   let (c: [n]f64) = b
//     in c
//
// `let y = copy x` becomes a name for x in two cases:
// - x is dead: this body owns everything that may alias x (created here, or a unique parameter),
//   and when y is consumed or returned, no alias is used any more or has been consumed since. Until
//   then both are only read.
//   A kernel that changes elements of y may still read the same elements of x before it does so:
//   it reads them of y.
// - y is only read: it is neither consumed nor returned by this body, and while it is live nothing
//   consumes an alias of x.
// Copies of views (slices, permuted arrays) are kept: removing one would keep the whole array
// alive, and the copy may exist to make the elements contiguous.
//
// Requires: the form that `seq` ensures.  Aliases are those of opt/alias.h.
#include "mem/pass.h"
#include "opt/alias.h"
#include "opt/opt.h"

// What is known of a class of arrays that may share memory.
typedef struct {
	uint32_t lo, hi;                        // the first and last binder of it
	bool foreign;                           // has parameters that are not unique
	bool view;                              // by variable, not by class: is a view
} Info;

typedef struct {
	Map funs;                               // copies
	Alias alias;
	Info *info;                             // by class, once all binders were seen
	uint32_t now;                           // binders so far, in the order of the program
} Drop;

// ---- Binders ----

static void see(Drop *d, Var v, bool foreign)
{
	uint32_t at = ++d->now;
	if (!type_is_array(vars[v.id].type))
		return;
	Info *i = &d->info[alias_class(&d->alias, v)];
	i->lo = i->lo ? i->lo : at;
	i->hi = at;
	i->foreign |= foreign;
}

static void see_params(Drop *d, Vars params)
{
	for EACH(Var, p, params)
		see(d, *p, !vars[p->id].type.unique);
}

static void see_body(Visit *v, Body *b)
{
	Drop *d = v->ctx;
	for EACH(Stm, s, b->stms) {
		Form f = s->exp->form;
		if (f == E_loop)
			see_params(d, s->exp->loop.params);
		if (form_has(f, FORM_NEST))
			exp_visit(s->exp, v);
		for EACH(Var, x, s->pat) {
			see(d, *x, false);
			d->info[x->id].view = f == E_slice || f == E_rearrange;
		}
	}
}

// ---- Uses in a body ----

// Of a class, in one body: statements by number, the results of the body as one more.
typedef struct { int last; VEC(int) consumed; } ClassUse;

typedef struct { Drop *d; Map of; int at; } Uses;  // class -> ClassUse *

static const void *class_key(uint32_t c)
{
	return (const void *)(uintptr_t)(c + 1);
}

static ClassUse *use_of(Uses *u, Var v)
{
	const void *key = class_key(alias_class(&u->d->alias, v));
	ClassUse *use = map_get(&u->of, key);
	if (!use) {
		use = NEW(ClassUse, .last = -1);
		map_put(&u->of, key, use);
	}
	return use;
}

static void note_use(Visit *v, Sub *s)
{
	Uses *u = v->ctx;
	if (s->kind == S_VAR && type_is_array(vars[s->var.id].type))
		use_of(u, s->var)->last = u->at;
}

static void note_stm(Visit *v, Stm *s);

static void note_body(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		note_stm(v, s);
	for EACH(Sub, r, b->res)
		note_use(v, r);
}

static void note_stm(Visit *v, Stm *s)
{
	Uses *u = v->ctx;
	SubVec gone = {0};
	exp_consumed(s->exp, &gone);
	for EACH(Sub, x, gone)
		if (x->kind == S_VAR && type_is_array(vars[x->var.id].type))
			VEC_PUSH(&use_of(u, x->var)->consumed, u->at);
	stm_visit(s, v);
}

static Uses uses_of(Drop *d, Body *b)
{
	Uses u = {.d = d};
	Visit v = {.sub = note_use, .body = note_body, .ctx = &u};
	for (; u.at < b->stms.len; u.at++)
		note_stm(&v, &b->stms.at[u.at]);
	for EACH(Sub, r, b->res)
		note_use(&v, r);
	return u;
}

// ---- Copies ----

static bool consumed_within(const ClassUse *u, int from, int to)
{
	for EACH(int, at, u->consumed)
		if (*at > from && *at <= to)
			return true;
	return false;
}

// The first statement after `from` that consumes the class, or the results.
static int next_consumer(const ClassUse *u, int from, int n)
{
	int first = n;
	for EACH(int, at, u->consumed)
		if (*at > from && *at < first)
			first = *at;
	return first;
}

typedef struct { Body *body; Uses uses; uint32_t start, end; } Open;

// ---- Kernels that read what they change ----

// Is it another element for each iteration of the loops that have these counters?
static bool is_own(Slices at, Subs counters)
{
	for EACH(Sub, i, counters) {
		bool found = false;
		for EACH(DimSlice, d, at)
			found |= d->fixed && sub_eq(d->start, *i);
		if (!found)
			return false;
	}
	return true;
}

static bool same_element(Subs idx, Slices at)
{
	bool same = idx.len == at.len;
	for (int d = 0; same && d < at.len; d++)
		same = at.at[d].fixed && sub_eq(idx.at[d], at.at[d].start);
	return same;
}

// Does the body of a thread update an element of o that is its own, and read nothing of x and o but
// that, before?
static bool reads_own(const Body *b, Var x, Sub o, Subs counters)
{
	Map both = {0};
	map_put(&both, var_key(x), vars);
	map_put(&both, var_key(o.var), vars);
	const Exp *put = NULL;
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_update && sub_eq(s->exp->update.arr, o))
			put = s->exp;
	bool before = true;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e == put && before)
			before = false;
		else if (stm_mentions(s, &both) && (!before || !put || e->form != E_index ||
		                                    !same_element(e->index.idx, put->update.at)))
			return false;
	}
	return put && type_is_scalar(sub_type(put->update.val)) &&
	       is_own(put->update.at, counters);
}

// The array that is y for the threads of a kernel which may read elements of x as such of y.
static bool changes_own(Drop *d, const Stm *s, Var x, Var y, Sub *inside)
{
	Sub now = sub_var(y);
	SubVec counters = {0};
	Vars free = free_in_stm(s);
	for EACH(Var, v, free)
		if (v->id != x.id && alias_class(&d->alias, *v) == alias_class(&d->alias, x))
			return false;
	for (;; s = &s->exp->loop.body.stms.at[0]) {
		const Exp *e = s->exp;
		if (e->form != E_loop || e->loop.is_while || !has_attr(s->attrs, ATTR_KERNEL))
			return false;
		int k = subs_find(e->loop.inits, now);
		if (k < 0 || subs_find(e->loop.inits, sub_var(x)) >= 0)
			return false;
		now = sub_var(e->loop.params.at[k]);
		VEC_PUSH(&counters, sub_var(e->loop.i));
		const Body *b = &e->loop.body;
		if (b->stms.len != 1 || b->stms.at[0].exp->form != E_loop) {
			*inside = now;
			return reads_own(b, x, now, VEC_SLICE(Subs, counters));
		}
	}
}

// Does the body own all of the class of x, which it does not need once y is changed?  *by: the
// kernel that changes it and reads x, where that is `inside` then; or -1.
static bool takes_over(Drop *d, Open *o, Var x, Var y, int i, int *by, Sub *inside)
{
	const Info *c = &d->info[alias_class(&d->alias, x)];
	int n = o->body->stms.len;
	if (d->info[x.id].view || c->foreign || c->lo <= o->start || c->hi > o->end ||
	    consumed_within(use_of(&o->uses, x), i, n))
		return false;
	int last = use_of(&o->uses, x)->last, next = next_consumer(use_of(&o->uses, y), i, n);
	*by = last == next && next < n && changes_own(d, &o->body->stms.at[next], x, y, inside)
	      ? next : -1;
	return last < next || *by >= 0;
}

static bool only_read(Drop *d, Open *o, Var x, Var y, int i)
{
	int last = use_of(&o->uses, y)->last;
	return !d->info[x.id].view && !alias_ever(&d->alias, y) && last < o->body->stms.len &&
	       !consumed_within(use_of(&o->uses, x), i, last);
}

// Both are names of one array from now on.
static void join(Drop *d, Open *o, const Stm *s, Var x, Var y)
{
	Info a = d->info[alias_class(&d->alias, x)], b = d->info[alias_class(&d->alias, y)];
	ClassUse u = *use_of(&o->uses, x), w = *use_of(&o->uses, y);
	alias_stm(&d->alias, s);
	Info *c = &d->info[alias_class(&d->alias, x)];
	c->lo = a.lo < b.lo ? a.lo : b.lo;
	c->hi = a.hi > b.hi ? a.hi : b.hi;
	c->foreign = a.foreign || b.foreign;
	u.last = u.last > w.last ? u.last : w.last;
	VEC_APPEND(&u.consumed, w.consumed);
	*use_of(&o->uses, x) = u;
}

static void try_copy(Drop *d, Open *o, int i)
{
	Stm *s = &o->body->stms.at[i];
	Sub x = s->exp->copy.arr;
	Var y = s->pat.at[0];
	int by = -1;
	Sub inside;
	if (x.kind != S_VAR || !type_is_array(vars[y.id].type) ||
	    (!takes_over(d, o, x.var, y, i, &by, &inside) && !only_read(d, o, x.var, y, i)) ||
	    !may_rewrite())
		return;
	if (by >= 0) {
		Map to = {0};
		subst_put(&to, x.var, inside);
		Body kernel = {.stms = {&o->body->stms.at[by], 1}};
		o->body->stms.at[by] = body_subst(kernel, &to).stms.at[0];
	}
	s->exp = EXP(atom, x);
	join(d, o, s, x.var, y);
}

static bool is_copy(const Stm *s)
{
	return s->exp->form == E_copy;
}

static bool has_copies(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (is_copy(s))
			return true;
	return false;
}

// The binders are counted again, in the same order, so that those of the body are known by
// their numbers: `end` is the last.
static uint32_t count_binders(const Body *);

static void do_body(Drop *d, Body *b, Vars params);

static void do_nested(Visit *v, Body *b)
{
	do_body(v->ctx, b, (Vars){0});
}

static void do_body(Drop *d, Body *b, Vars params)
{
	uint32_t start = d->now;
	d->now += (uint32_t)params.len;
	bool copies = has_copies(b);
	if (!copies && !has_nested(b)) {
		d->now += count_binders(b);
		return;
	}
	b->stms = SLICE_DUP(Stms, b->stms);
	if (copies) {
		Open o = {.body = b, .uses = uses_of(d, b), .start = start,
		          .end = d->now + count_binders(b)};
		for (int i = 0; i < b->stms.len; i++)
			if (b->stms.at[i].exp->form == E_copy)
				try_copy(d, &o, i);
	}
	Visit v = {.body = do_nested, .funs = &d->funs, .copy = true, .ctx = d};
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_loop) {
			s->exp = exp_dup(s->exp);
			do_body(d, &s->exp->loop.body, s->exp->loop.params);
		} else if (form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call) {
			s->exp = exp_visit(s->exp, &v);
		}
		d->now += (uint32_t)s->pat.len;
	}
}

static void count_in(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		*(uint32_t *)v->ctx += (uint32_t)s->pat.len;
		if (s->exp->form == E_loop)
			*(uint32_t *)v->ctx += (uint32_t)s->exp->loop.params.len;
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

static uint32_t count_binders(const Body *b)
{
	uint32_t n = 0;
	Visit v = {.body = count_in, .ctx = &n};
	count_in(&v, (Body *)b); // a walk: writes nothing
	return n;
}

// The functions that have copies; of the others nothing need be known.
static Prog with_copies(const Prog *prog)
{
	Prog some = {.stage = prog->stage, .funs = {NEW_ARRAY(Fun *, prog->funs.len), 0}};
	for EACH(Fun *, f, prog->funs)
		if (body_find(&(*f)->body, is_copy))
			some.funs.at[some.funs.len++] = *f;
	return some;
}

Prog *drop_copies(Prog *prog)
{
	Drop d = {.info = NEW_TABLE(Info, n_vars + 1)};
	Prog *out = prog_copy(prog, &d.funs), some = with_copies(out);
	d.alias = alias_of(&some);
	Visit v = {.body = see_body, .ctx = &d};
	for EACH(Fun *, f, some.funs) {
		see_params(&d, (*f)->params);
		see_body(&v, &(*f)->body);
	}
	d.now = 0;
	int next = 0;
	for EACH(Fun *, g, out->funs)
		if (next < some.funs.len && some.funs.at[next] == *g) {
			do_body(&d, &(*g)->body, (*g)->params);
			next++;
		} else {
			fun_new_callees(*g, &d.funs);
		}
	table_free(d.info);
	return out;
}
