// Dead code elimination: drops statements and functions that nothing depends on.
//
//     let (a: f64) = sin.f64 x
//     let (b: bool) = lt.i64 i n
//     let (c: cert) = assert b ("...")         ->   in x
//     let (y: f64) = #{c} index ys [i]
//     in x
//
// Requires nothing; ensures that each statement left gives something that is used, or has an
// effect.  Leaves unused components of loops, branches and SOACs: the whole statement stays
// while one of its results is used.
//
// One backward sweep over each body.  A statement is live if something after it uses what it
// binds; a live statement makes its operands live, the sizes in its pattern's types included.
// Effects are traces, also nested ones and those of callees, and assertions.  An assertion
// stays if its certificate is live, or if nothing names the certificate in the first place:
// the language allows that dead code vanishes with its checks, but a check that stands alone
// was meant.  Functions stay if an entry point reaches them; without entry points all do.
#include "opt/opt.h"

typedef struct {
	bool *live;                             // by variable: used by what stays
	bool *named;                            // by variable: used by anything
	Map traces;                             // functions and expressions with a trace in them
	Map reached;                            // functions: old -> new
} Dce;

// ---- Effects ----

static void note_named(Visit *v, Sub *s)
{
	Dce *d = v->ctx;
	if (s->kind == S_VAR)
		d->named[s->var.id] = true;
}

static bool has_traces(Dce *d, const Exp *e)
{
	return e->form == E_trace || map_has(&d->traces, e) ||
	       (e->form == E_call && map_has(&d->traces, e->call.fn));
}

typedef struct { Dce *d; bool found; } TraceSearch;

static void search_body(Visit *v, Body *b)
{
	TraceSearch *t = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (form_has(s->exp->form, FORM_NEST)) {
			TraceSearch inner = {t->d, false};
			Visit w = {.body = search_body, .ctx = &inner};
			exp_visit(s->exp, &w);
			if (inner.found)
				map_put(&t->d->traces, s->exp, s->exp);
		}
		t->found |= has_traces(t->d, s->exp);
	}
}

// Until nothing changes: a function has a trace if a callee does.  Without traces that is
// one round, and call chains in order of definition take two.
static void find_traces(Dce *d, const Prog *prog)
{
	for (bool changed = true; changed;) {
		changed = false;
		for EACH(Fun *, f, prog->funs) {
			TraceSearch t = {d, false};
			Visit v = {.body = search_body, .ctx = &t};
			search_body(&v, &(*f)->body);
			if (t.found && !map_has(&d->traces, *f)) {
				map_put(&d->traces, *f, *f);
				changed = true;
			}
		}
	}
}

// ---- The sweep ----

static void note_live(Visit *v, Sub *s)
{
	Dce *d = v->ctx;
	if (s->kind == S_VAR)
		d->live[s->var.id] = true;
}

static bool is_live(Dce *d, const Stm *s)
{
	for EACH(Var, x, s->pat)
		if (d->live[x->id])
			return true;
	if (s->exp->form == E_assert_)
		return !d->named[s->pat.at[0].id];
	return has_traces(d, s->exp);
}

static void sweep(Visit *v, Body *b)
{
	Dce *d = v->ctx;
	for EACH(Sub, r, b->res)
		note_live(v, r);
	int n = b->stms.len;
	Stm *kept = NEW_ARRAY(Stm, n);
	int first = n;
	for (int i = n; i-- > 0;) {
		Stm s = b->stms.at[i];
		if (!is_live(d, &s))
			continue;
		stm_visit(&s, v); // marks what it uses and sweeps nested bodies
		kept[--first] = s;
	}
	b->stms = (Stms){n > first ? kept + first : NULL, n - first};
}

// ---- Functions ----

static Fun *reach(Dce *d, Fun *f);

static void reach_callee(Visit *v, Fun **f)
{
	*f = reach(v->ctx, *f);
}

// The new function is known before its body is swept, so that it may call itself.
static Fun *reach(Dce *d, Fun *f)
{
	Fun *known = map_get(&d->reached, f);
	if (known)
		return known;
	Fun *g = mem_dup(f, sizeof *f);
	map_put(&d->reached, f, g);
	Visit v = {.sub = note_live, .body = sweep, .fun = reach_callee, .copy = true, .ctx = d};
	sweep(&v, &g->body);
	return g;
}

Prog *dce(Prog *prog)
{
	Dce d = {.live = NEW_ARRAY(bool, n_vars), .named = NEW_ARRAY(bool, n_vars)};
	Visit names = {.sub = note_named, .ctx = &d};
	bool has_entries = false;
	for EACH(Fun *, f, prog->funs) {
		body_visit(&(*f)->body, &names);
		has_entries |= (*f)->entry != NULL;
	}
	find_traces(&d, prog);
	for EACH(Fun *, f, prog->funs)
		if (!has_entries || (*f)->entry)
			reach(&d, *f);
	VEC(Fun *) funs = {0};
	for EACH(Fun *, f, prog->funs) {
		Fun *g = map_get(&d.reached, *f);
		if (g)
			VEC_PUSH(&funs, g);
	}
	return NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
}
