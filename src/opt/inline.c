// Inlining: replaces calls by the bodies of the called functions.
//
//     fun f (n: i64, xs: [n]f64) : (r: f64) = {
//       let (y: f64) = index xs [0] @"a.fut":1:5-9
//       in y
//     }
//     fun main (m: i64, as: [m]f64) : (s: f64) = {
//       let (s1: f64) = call f (m, as) @"a.fut":4:1-7
//       in s1
//     }
//   ->
//     fun main (m: i64, as: [m]f64) : (s: f64) = {
//       let (y1: f64) = index as [0] @"a.fut":1:5-9 <"a.fut":4:1-7
//       in y1
//     }
//
// Requires nothing.  Ensures that the remaining calls are those of functions that are recursive,
// marked #[noinline] (at the definition or the call), or too large; and that every function is
// reachable from an entry point, if there are entry points.
//
// Functions are processed bottom-up in the call graph, so that inlined bodies are final.  A
// function that is reached again while it is being processed is recursive and is kept; the other
// functions of its cycle are inlined into it.  The statements of a copy get the certificates of the
// call, and the call's source location is appended to theirs.
//
// Note [Growth].  A function with a single call site is always inlined and then removed.  One with
// several call sites is inlined if it is small, or if all copies together stay within a budget;
// otherwise it is kept.  Chains in which each function calls the previous one twice thus grow up to
// the budget and no further.
#include "opt/opt.h"

typedef struct { Fun *old, *new_; bool open, recursive; int calls, size; } Entry;
typedef struct {
	Map entries;            // Fun * (old) -> Entry *
	VEC(Entry *) order;
} Inline;

// ---- What is called how often ----

typedef struct { Inline *in; int size; } Count;

static void count_call(Visit *v, Fun **f)
{
	Count *c = v->ctx;
	Entry *e = map_get(&c->in->entries, *f);
	if (e)
		e->calls++;
}

static void count_stms(Visit *v, Body *b)
{
	((Count *)v->ctx)->size += b->stms.len;
	body_visit(b, v);
}

static int count_body(Inline *in, Body *b)
{
	Count c = {in, 0};
	Visit v = {.body = count_stms, .fun = count_call, .ctx = &c};
	count_stms(&v, b);
	return c.size;
}

static bool is_worth_it(const Entry *callee, const Stm *call)
{
	if (callee->open || callee->recursive || has_attr(call->attrs, ATTR_NOINLINE) ||
	    has_attr(callee->old->attrs, ATTR_NOINLINE) ||
	    has_attr(callee->old->attrs, ATTR_OPERATOR))
		return false;
	return callee->calls == 1 || callee->size <= threshold(AT_inline_size) ||
	       (int64_t)callee->calls * callee->size <= threshold(AT_inline_budget) ||
	       has_attr(callee->old->attrs, ATTR_INLINE);
}

// ---- Copies ----

typedef struct { Map to; Map places; const Stm *call; } Copy;

static void replace(Visit *v, Sub *s)
{
	*s = sub_subst(&((Copy *)v->ctx)->to, *s);
}

static void rename_binder(Visit *v, Var *x)
{
	*x = var_rename(&((Copy *)v->ctx)->to, *x);
}

// The place extended by that of the call; statements from one place share the result.
static const Where *place_through(Copy *c, const Where *w)
{
	if (!w)
		return c->call->where;
	if (!c->call->where)
		return w;
	const Where *known = map_get(&c->places, w);
	if (known)
		return known;
	Where *out = NEW(Where, w->span, place_through(c, w->up), w->derived);
	map_put(&c->places, w, out);
	return out;
}

static void copy_body(Visit *v, Body *b)
{
	Copy *c = v->ctx;
	body_visit(b, v);
	for EACH(Stm, s, b->stms)
		s->where = place_through(c, s->where);
}

// What was said of the call is said of the combinators and loops that it consists of.
static void take_over(const Stm *call, Stm *s)
{
	s->certs = vars_cat(s->certs, call->certs);
	if (form_has(s->exp->form, FORM_SOAC) || s->exp->form == E_loop)
		s->attrs = attrs_join(s->attrs, call->attrs);
}

// Results become names of the call's pattern; later passes see through them.
static void inline_call(const Stm *call, const Fun *f, StmVec *out)
{
	Copy c = {.call = call};
	for (int i = 0; i < f->params.len; i++)
		map_put(&c.to, var_key(f->params.at[i]), &call->exp->call.args.at[i]);
	Visit v = {.sub = replace, .bind = rename_binder, .body = copy_body, .copy = true,
	           .ctx = &c};
	Body b = f->body;
	copy_body(&v, &b);
	for EACH(Stm, s, b.stms) {
		take_over(call, s);
		VEC_PUSH(out, *s);
	}
	for (int i = 0; i < call->pat.len; i++)
		VEC_PUSH(out, (Stm){.pat = vars_of(1, call->pat.at[i]), .certs = call->certs,
		                    .exp = EXP(atom, b.res.at[i]), .where = call->where});
}

// ---- Functions ----

static Entry *finish(Inline *, Fun *);

static void finish_callee(Visit *v, Fun **f)
{
	Entry *e = finish(v->ctx, *f);
	*f = e->new_;
}

static void inline_body(Visit *v, Body *b)
{
	Inline *in = v->ctx;
	StmVec out = {0};
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_call) {
			Entry *callee = finish(in, s->exp->call.fn);
			if (is_worth_it(callee, s) && may_rewrite()) {
				inline_call(s, callee->new_, &out);
				continue;
			}
		}
		Stm t = *s;
		if (t.exp->form == E_call || form_has(t.exp->form, FORM_NEST))
			t.exp = exp_visit(t.exp, v);
		VEC_PUSH(&out, t);
	}
	b->stms = VEC_SLICE(Stms, out);
}

static Entry *finish(Inline *in, Fun *f)
{
	Entry *e = map_get(&in->entries, f);
	if (!e)
		bug("a call of %s, which is not part of the program", f->name);
	if (e->new_) {
		e->recursive |= e->open;
		return e;
	}
	e->new_ = mem_dup(f, sizeof *f);
	e->open = true;
	Visit v = {.body = inline_body, .fun = finish_callee, .copy = true, .ctx = in};
	inline_body(&v, &e->new_->body);
	e->open = false;
	Inline none = {0};
	e->size = count_body(&none, &e->new_->body);
	return e;
}

// ---- What is left ----

Prog *inline_calls(Prog *prog)
{
	Inline in = {0};
	bool has_entries = false;
	for EACH(Fun *, f, prog->funs) {
		map_put(&in.entries, *f, NEW(Entry, .old = *f));
		has_entries |= (*f)->entry != NULL;
	}
	for EACH(Fun *, f, prog->funs)
		count_body(&in, &(*f)->body);
	Map reached = {0};
	Visit v = {.fun = reach_fun, .ctx = &reached};
	for EACH(Fun *, f, prog->funs) {
		Fun *g = finish(&in, *f)->new_;
		if (!has_entries || g->entry)
			reach_fun(&v, &g);
	}
	VEC(Fun *) funs = {0};
	for EACH(Fun *, f, prog->funs) {
		Entry *e = map_get(&in.entries, *f);
		if (map_has(&reached, e->new_))
			VEC_PUSH(&funs, e->new_);
	}
	return NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
}
