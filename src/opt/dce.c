// Dead code elimination: drops statements, components of statements and functions that
// nothing depends on.
//
//     let (a: f64) = sin.f64 x
//     let (b: bool) = lt.i64 i n
//     let (c: cert) = assert b ("...")         ->   in x
//     let (y: f64) = #{c} index ys [i]
//     in x
//
//     let (s: f64, t: f64) = loop (p: f64 = 0.0, q: f64 = 1.0) for i: i64 < n do {
//       let (p1: f64) = add.f64 p 1.0
//       let (q1: f64) = mul.f64 q p
//       in p1, q1
//     }
//     in s
//   ->
//     let (s: f64) = loop (p: f64 = 0.0) for i: i64 < n do {
//       let (p1: f64) = add.f64 p 1.0
//       in p1
//     }
//     in s
//
// Requires nothing; ensures that each statement left gives something that is used, or has an
// effect, and so does each component of branches, loops and combinators at the SOAC stage.
//
// Liveness is computed backwards: results of functions and effects are live, and a live variable
// makes live whatever its component of its statement needs.  Each variable is processed once.
// Effects are traces and assertions, including nested ones and those of callees.  An assertion
// stays if its certificate is live, if nothing ever named the certificate (the language permits
// dead code to disappear together with its checks, but a check that stands alone is intended), or
// if it is marked (kept.c).  A marked assertion disappears with the combinator or loop that
// contains it, unless that has no results left, because they are known without running it.
// Functions stay if they are reachable from an entry point, or if there are no entry points.
// Accumulators are linear and stay as long as whatever holds them.
//
// Afterwards a function contains no dead code, and is skipped until another pass changes it
// (Fun.lean).
#include "opt/dce.h"

#include "opt/opt.h"

static bool is_lean(const Fun *f)
{
	return f->lean == f->body.stms.at;
}

// ---- Effects ----

static bool has_effects(Dce *d, const Exp *e)
{
	return e->form == E_trace || map_has(&d->effects, e) ||
	       (e->form == E_call && map_has(&d->effects, e->call.fn));
}

// Nothing names its certificate, and nothing did: it was meant.
static bool is_lone(const Dce *d, const Stm *s)
{
	return s->exp->form == E_assert_ && !d->named[s->pat.at[0].id];
}

typedef struct { Dce *d; bool found, kept; } EffectSearch;

// What has no results any more, since they are known otherwise, is there for its checks.
static bool is_for_effect(const Stm *s, const EffectSearch *inside)
{
	return inside->found || (!s->pat.len && inside->kept);
}

static void search_body(Visit *v, Body *b)
{
	EffectSearch *t = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (form_has(s->exp->form, FORM_NEST)) {
			EffectSearch inner = {t->d, false, false};
			Visit w = {.body = search_body, .ctx = &inner};
			exp_visit(s->exp, &w);
			if (is_for_effect(s, &inner))
				map_put(&t->d->effects, s->exp, s->exp);
			t->kept |= inner.kept;
		}
		t->found |= has_effects(t->d, s->exp) || is_lone(t->d, s);
		t->kept |= s->exp->form == E_assert_ && is_kept(s);
	}
}

static bool any_lone(const Dce *d)
{
	for EACH(Var, c, d->nested)
		if (!d->named[c->id])
			return true;
	return false;
}

// Until nothing changes: a function has an effect if a callee does.  Call chains in order of
// definition take two rounds; what calls nothing is searched once, and not at all if nothing calls
// it and it has no dead code.
static void find_effects(Dce *d, const Prog *prog, bool calls)
{
	bool changed = traces_made || d->kept || any_lone(d);
	for (bool first = true; changed; first = false) {
		changed = false;
		for EACH(Fun *, f, prog->funs) {
			if (first ? !calls && is_lean(*f) : !fun_has_calls(*f))
				continue;
			EffectSearch t = {d, false, false};
			Visit v = {.body = search_body, .ctx = &t};
			search_body(&v, &(*f)->body);
			if (t.found && !map_has(&d->effects, *f)) {
				map_put(&d->effects, *f, *f);
				changed = calls;
			}
		}
	}
}

// ---- Definitions ----

typedef struct { Dce *d; const Stm *stm; bool calls; } Defs;

static void note_named(Visit *v, Sub *s)
{
	Defs *c = v->ctx;
	if (s->kind == S_VAR)
		c->d->named[s->var.id] = true;
}

static void define(Dce *d, Vars vs, Def def)
{
	for (int i = 0; i < vs.len; i++) {
		def.index = i;
		d->defs[vs.at[i].id] = def;
	}
}

// Of variables that are named, certificates alone are of interest, and other forms have no operand
// that is one.
static bool may_name_certs(Form f)
{
	return form_has(f, FORM_NEST) || f == E_atom || f == E_call || f == E_trace ||
	       f == E_opaque;
}

static void define_body(Visit *v, Body *b)
{
	Defs *c = v->ctx;
	const Stm *outer = c->stm;
	for EACH(Stm, s, b->stms) {
		c->stm = s;
		define(c->d, s->pat, (Def){.origin = BY_PATTERN, .stm = s});
		if (s->exp->form == E_loop)
			define(c->d, s->exp->loop.params, (Def){.origin = BY_LOOP, .stm = s});
		for EACH(Var, x, s->certs)
			c->d->named[x->id] = true;
		if (s->exp->form == E_assert_ && (outer || c->calls)) {
			VEC_PUSH(&c->d->nested, s->pat.at[0]);
			c->d->kept |= is_kept(s);
		}
		if (may_name_certs(s->exp->form))
			exp_visit(s->exp, v);
	}
	c->stm = outer;
	for EACH(Sub, r, b->res)
		note_named(v, r);
}

static void define_lambda(Visit *v, Lambda **l)
{
	Defs *c = v->ctx;
	define(c->d, (*l)->params, (Def){.origin = BY_LAMBDA, .stm = c->stm, .lambda = *l});
	lambda_visit(l, v);
}

// ---- Liveness ----

static void mark_var(Dce *d, Var v)
{
	if (!d->live[v.id]) {
		d->live[v.id] = true;
		VEC_PUSH(&d->work, v);
	}
}

static void mark(Dce *d, Sub s)
{
	if (s.kind == S_VAR)
		mark_var(d, s.var);
}

static void mark_all(Dce *d, Subs s)
{
	for EACH(Sub, x, s)
		mark(d, *x);
}

static void mark_operand(Visit *v, Sub *s)
{
	mark(v->ctx, *s);
}

static void mark_vars(Dce *d, Vars vs)
{
	for EACH(Var, x, vs)
		mark_var(d, *x);
}

static void mark_body_results(Visit *v, Body *b)
{
	mark_all(v->ctx, b->res);
}

static void mark_lambda(Dce *d, const Lambda *l)
{
	if (!l)
		return;
	mark_all(d, l->body.res);
	mark_vars(d, l->params);
}

static void mark_lambda_slot(Visit *v, Lambda **l)
{
	mark_lambda(v->ctx, *l);
}

bool dce_is_alive(const Dce *d, const Stm *s)
{
	return s->pat.len ? d->alive[s->pat.at[0].id] : map_has(&d->silent, s);
}

static void mark_stm(Dce *, const Stm *);

// A statement that is live for its effect, with all that it gives.
static void mark_effects(Visit *v, Body *b)
{
	Dce *d = v->ctx;
	for EACH(Stm, s, b->stms) {
		bool kept = s->exp->form == E_assert_ && is_kept(s);
		if (kept || is_lone(d, s) || has_effects(d, s->exp))
			mark_stm(d, s);
	}
}

static void mark_lambda_effects(Visit *v, Lambda **l)
{
	mark_effects(v, &(*l)->body);
}

bool dce_has_components(const Dce *d, Form f)
{
	return d->components && (f == E_if_ || f == E_match || f == E_loop || f == E_screma ||
	                         f == E_hist || f == E_scatter || f == E_flatmap ||
	                         f == E_withacc);
}

// What a form with components needs whichever of them is live.
static void mark_common(Dce *d, const Exp *e)
{
	switch (e->form) {
	case E_if_:
		mark(d, e->if_.cond);
		break;
	case E_match:
		mark(d, e->match.x);
		break;
	case E_loop:
		if (e->loop.is_while)
			mark_var(d, e->loop.while_cond);
		else
			mark(d, e->loop.n);
		break;
	case E_screma: case E_hist: case E_scatter:
		mark(d, e->soac.n);
		break;
	case E_flatmap:
		mark(d, e->flatmap.n);
		mark(d, e->flatmap.map->body.res.at[0]);
		break;
	case E_withacc:
		for EACH(AccInput, in, e->withacc.inputs) {
			mark_all(d, in->space);
			mark_all(d, in->arrs);
			mark_all(d, in->ne);
			mark_lambda(d, in->op);
		}
		for (int i = 0; i < e->withacc.inputs.len; i++)
			mark(d, e->withacc.fn->body.res.at[i]);
		break;
	default: // has no components
		break;
	}
}

static void mark_stm(Dce *d, const Stm *s)
{
	if (dce_is_alive(d, s))
		return;
	if (s->pat.len)
		d->alive[s->pat.at[0].id] = true;
	else
		map_put(&d->silent, s, (void *)s);
	bool whole = !dce_has_components(d, s->exp->form);
	for EACH(Var, x, s->pat)
		if (whole || vars[x->id].type.kind == T_ACC)
			mark_var(d, *x);
	mark_vars(d, s->certs);
	if (form_has(s->exp->form, FORM_NEST)) {
		Visit effects = {.body = mark_effects, .lambda = mark_lambda_effects, .ctx = d};
		exp_visit(s->exp, &effects);
	}
	if (s->exp->form == E_prim) { // as below, for most statements
		for (int i = 0, n = prim_arity(s->exp->prim.op); i < n; i++)
			mark(d, s->exp->prim.x[i]);
	} else if (whole) {
		Visit v = {.sub = mark_operand, .body = mark_body_results,
		           .lambda = mark_lambda_slot, .ctx = d};
		exp_visit(s->exp, &v);
	} else {
		mark_common(d, s->exp);
	}
}

// One of the values that an operator combines, with what it is combined of: its operands make the
// values alive that they are of (mark_combined).
static void mark_screma_group(Dce *d, const Exp *e, Reductions rs, int first, int i)
{
	for EACH(Reduction, r, rs) {
		int n = r->ne.len, k = i - first;
		if (k >= 0 && k < n) {
			mark(d, r->ne.at[k]);
			mark(d, r->op->body.res.at[k]);
			mark_var(d, r->op->params.at[k]);
			mark_var(d, r->op->params.at[n + k]);
			mark(d, e->screma.map->body.res.at[i]);
		}
		first += n;
	}
}

static void mark_screma(Dce *d, const Exp *e, int i)
{
	int n_scans = n_reduced(e->screma.scans), n_reds = n_reduced(e->screma.reds);
	mark_screma_group(d, e, e->screma.scans, 0, i);
	mark_screma_group(d, e, e->screma.reds, n_scans, i);
	if (i >= n_scans + n_reds)
		mark(d, e->screma.map->body.res.at[i]);
}

static void mark_results(Dce *d, const Lambda *l, int from, int n)
{
	for (int i = from; i < from + n; i++)
		mark(d, l->body.res.at[i]);
}

static void mark_hist(Dce *d, const Exp *e, int i)
{
	Places at = {0, 0};
	for EACH(HistOp, op, e->hist.ops)
		at.value += op->space.len;
	int first = 0;
	for EACH(HistOp, op, e->hist.ops) {
		int k = op->dests.len;
		if (i >= first && i < first + k) {
			mark_all(d, op->ne);
			mark_all(d, op->dests);
			mark_all(d, op->space);
			mark_lambda(d, op->op);
			mark_results(d, e->hist.map, at.index, op->space.len);
			mark_results(d, e->hist.map, at.value, k);
		}
		first += k;
		at.index += op->space.len;
		at.value += k;
	}
}

static void mark_scatter(Dce *d, const Exp *e, int i)
{
	Places at = {0, 0};
	for EACH(ScatterDest, p, e->scatter.dests)
		at.value += p->space.len * p->n_writes;
	for (int j = 0; j < e->scatter.dests.len; j++) {
		const ScatterDest *p = &e->scatter.dests.at[j];
		int n_indices = p->space.len * p->n_writes;
		if (i == j) {
			mark(d, p->dest);
			mark_all(d, p->space);
			mark_results(d, e->scatter.map, at.index, n_indices);
			mark_results(d, e->scatter.map, at.value, p->n_writes);
		}
		at.index += n_indices;
		at.value += p->n_writes;
	}
}

// What component i of a form with components needs.
static void mark_component(Dce *d, const Exp *e, int i)
{
	switch (e->form) {
	case E_if_: case E_match:
		for (int k = 0; k < n_branches(e); k++)
			mark(d, branch_at(e, k)->res.at[i]);
		break;
	case E_loop:
		mark_var(d, e->loop.params.at[i]);
		break;
	case E_screma:
		mark_screma(d, e, i);
		break;
	case E_hist:
		mark_hist(d, e, i);
		break;
	case E_scatter:
		mark_scatter(d, e, i);
		break;
	case E_flatmap:
		if (i > 1)
			mark(d, e->flatmap.map->body.res.at[i - 1]);
		break;
	case E_withacc: {
		int n = n_acc_arrays(e);
		if (i >= n)
			mark(d, e->withacc.fn->body.res.at[e->withacc.inputs.len + i - n]);
		break;
	}
	default: // has no components
		break;
	}
}

// The value that a parameter of the operator of a scan or reduction is one of.
static void mark_combined(Dce *d, const Def *def)
{
	const Reductions groups[] = {def->stm->exp->screma.scans, def->stm->exp->screma.reds};
	int first = 0;
	for (int g = 0; g < 2; g++)
		for EACH(const Reduction, r, groups[g]) {
			if (r->op == def->lambda)
				mark_var(d, def->stm->pat.at[first + def->index % r->ne.len]);
			first += r->ne.len;
		}
}

// The array whose rows a parameter of a map function stands for.
static void mark_mapped(Dce *d, const Def *def)
{
	const Exp *e = def->stm->exp;
	if (form_has(e->form, FORM_SOAC) && def->lambda == *soac_fn(e))
		mark(d, e->soac.arrs.at[def->index]);
	else if (e->form == E_screma)
		mark_combined(d, def);
}

static void handle(Dce *d, Var v)
{
	const Def *def = &d->defs[v.id];
	if (def->origin == BY_PATTERN && form_gives_scalar(def->stm->exp->form)) {
		mark_stm(d, def->stm);
		return;
	}
	const Type *of = &vars[v.id].type;
	if (of->kind == T_ACC || of->dims.len) {
		Visit sizes = {.sub = mark_operand, .ctx = d};
		Type t = *of;
		type_visit(&t, &sizes);
	}
	switch (def->origin) {
	case BY_FUN:
		return;
	case BY_PATTERN:
		if (dce_has_components(d, def->stm->exp->form))
			mark_component(d, def->stm->exp, def->index);
		mark_stm(d, def->stm);
		return;
	case BY_LOOP:
		mark_var(d, def->stm->pat.at[def->index]);
		mark(d, def->stm->exp->loop.inits.at[def->index]);
		mark(d, def->stm->exp->loop.body.res.at[def->index]);
		return;
	case BY_LAMBDA:
		if (d->components)
			mark_mapped(d, def);
		return;
	}
}

static void work_off(Dce *d)
{
	while (d->work.len)
		handle(d, d->work.at[--d->work.len]);
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
	if (is_lean(f) && !fun_has_calls(f)) {
		map_put(&d->reached, f, f);
		return f;
	}
	Fun *g = mem_dup(f, sizeof *f);
	map_put(&d->reached, f, g);
	if (is_lean(f)) {
		Visit callees = {.fun = reach_callee, .copy = true, .ctx = d};
		body_visit(&g->body, &callees);
		fun_same_body(g, f->body);
		return g;
	}
	Visit effects = {.ctx = d};
	mark_all(d, f->body.res);
	mark_effects(&effects, &f->body);
	work_off(d);
	bool outer = d->dropped;
	d->dropped = false;
	Visit v = {.body = dce_sweep, .fun = reach_callee, .copy = true, .ctx = d};
	dce_sweep(&v, &g->body);
	if (!d->dropped && !fun_has_calls(f)) {
		map_put(&d->reached, f, f);
		f->lean = f->body.stms.at;
		d->dropped = outer;
		return f;
	}
	if (!d->dropped)
		fun_same_body(g, f->body);
	if (d->dropped && !may_rewrite()) {
		g->body = f->body;
		body_visit(&g->body, &(Visit){.fun = reach_callee, .copy = true, .ctx = d});
	} else {
		g->lean = g->body.stms.at;
	}
	d->dropped = outer;
	return g;
}

static Dce dce_new(const Prog *prog)
{
	Dce d = {.live = NEW_TABLE(bool, n_vars), .named = NEW_TABLE(bool, n_vars),
	         .alive = NEW_TABLE(bool, n_vars), .defs = NEW_TABLE(Def, n_vars),
	         .components = prog->stage != STAGE_MEM};
	Defs c = {.d = &d};
	for EACH(Fun *, f, prog->funs)
		c.calls |= fun_has_calls(*f);
	Visit defs = {.sub = note_named, .body = define_body, .lambda = define_lambda, .ctx = &c};
	for EACH(Fun *, f, prog->funs)
		if (c.calls || !is_lean(*f))
			define_body(&defs, &(*f)->body);
	find_effects(&d, prog, c.calls);
	return d;
}

static void dce_free(Dce *d)
{
	table_free(d->live);
	table_free(d->named);
	table_free(d->alive);
	table_free(d->defs);
}

// Is there nothing to do?  It is so where no function calls another.
static bool is_done(const Prog *prog, bool has_entries)
{
	for EACH(Fun *, f, prog->funs)
		if (!is_lean(*f) || fun_has_calls(*f) || (has_entries && !(*f)->entry))
			return false;
	return true;
}

Prog *dce(Prog *prog)
{
	bool has_entries = false;
	for EACH(Fun *, f, prog->funs)
		has_entries |= (*f)->entry != NULL;
	if (is_done(prog, has_entries))
		return prog;
	Dce d = dce_new(prog);
	for EACH(Fun *, f, prog->funs)
		if (!has_entries || (*f)->entry)
			reach(&d, *f);
	VEC(Fun *) funs = {0};
	bool same = true;
	for EACH(Fun *, f, prog->funs) {
		Fun *g = map_get(&d.reached, *f);
		same &= g == *f;
		if (g)
			VEC_PUSH(&funs, g);
	}
	dce_free(&d);
	return same ? prog : NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
}
