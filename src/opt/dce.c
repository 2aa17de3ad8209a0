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
// Liveness is found from the ends: results of functions and effects are live, and a live
// variable makes live what its component of its statement needs.  Each variable is handled once.
// Effects are traces, also nested ones and those of callees, and assertions.  An assertion
// stays if its certificate is live, if nothing names the certificate in the first place (the
// language allows that dead code vanishes with its checks, but a check that stands alone
// was meant), or if it is marked (kept.c).  Functions stay if an entry point reaches them; without entry points all do.
// Accumulators are linear and stay as long as what holds them does.
#include "opt/opt.h"

// How a variable came about; nothing is known of parameters of functions.
typedef enum { BY_FUN, BY_PATTERN, BY_LOOP, BY_LAMBDA } Origin;
typedef struct { Origin origin; int index; const Stm *stm; const Lambda *lambda; } Def;

typedef struct {
	bool components;                        // are components dropped at this stage?
	bool *live;                             // by variable: used by what stays
	bool *named;                            // by variable: used by anything
	bool *alive;                            // statements that stay, by their first variable
	Def *defs;                              // by variable
	VEC(Var) work;                          // live, but not handled yet
	Map traces;                             // functions and expressions with a trace in them
	Map silent;                             // live statements without a pattern
	Map reached;                            // functions: old -> new
} Dce;

// ---- Effects ----

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

// ---- Definitions ----

typedef struct { Dce *d; const Stm *stm; } Defs;

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

static void define_body(Visit *v, Body *b)
{
	Defs *c = v->ctx;
	const Stm *outer = c->stm;
	for EACH(Stm, s, b->stms) {
		c->stm = s;
		define(c->d, s->pat, (Def){.origin = BY_PATTERN, .stm = s});
		if (s->exp->form == E_loop)
			define(c->d, s->exp->loop.params, (Def){.origin = BY_LOOP, .stm = s});
		stm_visit(s, v);
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

static bool is_alive(Dce *d, const Stm *s)
{
	return s->pat.len ? d->alive[s->pat.at[0].id] : map_has(&d->silent, s);
}

static void mark_stm(Dce *, const Stm *);

// A statement that is live for its effect, with all that it gives.
static void mark_effects(Visit *v, Body *b)
{
	Dce *d = v->ctx;
	for EACH(Stm, s, b->stms) {
		bool lone = s->exp->form == E_assert_ &&
		            (!d->named[s->pat.at[0].id] || is_kept(s));
		if (lone || has_traces(d, s->exp))
			mark_stm(d, s);
	}
}

static void mark_lambda_effects(Visit *v, Lambda **l)
{
	mark_effects(v, &(*l)->body);
}

static bool has_components(const Dce *d, Form f)
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
	case E_screma:
		mark(d, e->screma.n);
		break;
	case E_hist:
		mark(d, e->hist.n);
		break;
	case E_scatter:
		mark(d, e->scatter.n);
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
	if (is_alive(d, s))
		return;
	if (s->pat.len)
		d->alive[s->pat.at[0].id] = true;
	else
		map_put(&d->silent, s, (void *)s);
	bool whole = !has_components(d, s->exp->form);
	for EACH(Var, x, s->pat)
		if (whole || vars[x->id].type.kind == T_ACC)
			mark_var(d, *x);
	mark_vars(d, s->certs);
	Visit effects = {.body = mark_effects, .lambda = mark_lambda_effects, .ctx = d};
	if (form_has(s->exp->form, FORM_NEST))
		exp_visit(s->exp, &effects);
	if (whole) {
		Visit v = {.sub = mark_operand, .body = mark_body_results,
		           .lambda = mark_lambda_slot, .ctx = d};
		exp_visit(s->exp, &v);
	} else {
		mark_common(d, s->exp);
	}
}

static void mark_screma_group(Dce *d, const Exp *e, Reductions rs, int first, int i)
{
	for EACH(Reduction, r, rs) {
		if (i >= first && i < first + r->ne.len) {
			mark_all(d, r->ne);
			mark_lambda(d, r->op);
			for (int k = 0; k < r->ne.len; k++)
				mark(d, e->screma.map->body.res.at[first + k]);
		}
		first += r->ne.len;
	}
}

static int n_values(Reductions rs)
{
	int n = 0;
	for EACH(Reduction, r, rs)
		n += r->ne.len;
	return n;
}

static void mark_screma(Dce *d, const Exp *e, int i)
{
	int n_scans = n_values(e->screma.scans), n_reds = n_values(e->screma.reds);
	mark_screma_group(d, e, e->screma.scans, 0, i);
	mark_screma_group(d, e, e->screma.reds, n_scans, i);
	if (i >= n_scans + n_reds)
		mark(d, e->screma.map->body.res.at[i]);
}

// Where the results of the map function for an operator or destination begin.
typedef struct { int index, value; } Places;

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

static int n_acc_arrays(const Exp *e)
{
	int n = 0;
	for EACH(AccInput, in, e->withacc.inputs)
		n += in->arrs.len;
	return n;
}

// What component i of a form with components needs.
static void mark_component(Dce *d, const Exp *e, int i)
{
	switch (e->form) {
	case E_if_:
		mark(d, e->if_.yes.res.at[i]);
		mark(d, e->if_.no.res.at[i]);
		break;
	case E_match:
		for EACH(CoreCase, c, e->match.cases)
			mark(d, c->body.res.at[i]);
		mark(d, e->match.other.res.at[i]);
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

// The array whose rows a parameter of a map function stands for.
static void mark_mapped(Dce *d, const Def *def)
{
	const Exp *e = def->stm->exp;
	if (e->form == E_screma && def->lambda == e->screma.map)
		mark(d, e->screma.arrs.at[def->index]);
	else if (e->form == E_hist && def->lambda == e->hist.map)
		mark(d, e->hist.arrs.at[def->index]);
	else if (e->form == E_scatter && def->lambda == e->scatter.map)
		mark(d, e->scatter.arrs.at[def->index]);
	else if (e->form == E_flatmap && def->lambda == e->flatmap.map)
		mark(d, e->flatmap.arrs.at[def->index]);
}

static void handle(Dce *d, Var v)
{
	const Def *def = &d->defs[v.id];
	Type t = vars[v.id].type;
	Visit sizes = {.sub = mark_operand, .ctx = d};
	type_visit(&t, &sizes);
	switch (def->origin) {
	case BY_FUN:
		return;
	case BY_PATTERN:
		if (has_components(d, def->stm->exp->form))
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

// ---- What stays ----

static void sweep(Visit *, Body *);

// The marked ones of n things.
typedef struct { bool *at; int len, kept; } Keep;

static Keep keep_new(int n)
{
	return (Keep){n ? NEW_ARRAY(bool, n) : NULL, n, 0};
}

static void keep(Keep *k, int i)
{
	k->kept += !k->at[i];
	k->at[i] = true;
}

static void keep_range(Keep *k, int from, int n)
{
	for (int i = from; i < from + n; i++)
		keep(k, i);
}

static Subs kept_subs(Subs s, const Keep *k)
{
	Subs out = {NEW_ARRAY(Sub, k->kept), 0};
	for (int i = 0; i < s.len; i++)
		if (k->at[i])
			out.at[out.len++] = s.at[i];
	return out;
}

static Vars kept_vars(Vars s, const Keep *k)
{
	Vars out = {NEW_ARRAY(Var, k->kept), 0};
	for (int i = 0; i < s.len; i++)
		if (k->at[i])
			out.at[out.len++] = s.at[i];
	return out;
}

static Lambda *kept_results(const Lambda *l, const Keep *k)
{
	Lambda *out = mem_dup(l, sizeof *l);
	out->body.res = kept_subs(l->body.res, k);
	out->ret = (Types){NEW_ARRAY(Type, k->kept), 0};
	for (int i = 0; i < l->ret.len; i++)
		if (k->at[i])
			out->ret.at[out->ret.len++] = l->ret.at[i];
	return out;
}

// Drops the parameters that are dead, with their arrays; accumulators are never dead.
static Lambda *kept_params(Dce *d, const Lambda *l, Subs *arrs)
{
	Keep k = keep_new(l->params.len);
	for (int i = 0; i < l->params.len; i++)
		if (d->live[l->params.at[i].id])
			keep(&k, i);
	if (k.kept == k.len)
		return (Lambda *)l;
	Lambda *out = mem_dup(l, sizeof *l);
	out->params = kept_vars(l->params, &k);
	*arrs = kept_subs(*arrs, &k);
	return out;
}

static Keep live_ones(Dce *d, Vars pat)
{
	Keep k = keep_new(pat.len);
	for (int i = 0; i < pat.len; i++)
		if (d->live[pat.at[i].id])
			keep(&k, i);
	return k;
}

static Reductions kept_groups(Reductions rs, const Keep *live, int first, Keep *results)
{
	Reductions out = {NEW_ARRAY(Reduction, rs.len), 0};
	for EACH(Reduction, r, rs) {
		bool any = false;
		for (int i = 0; i < r->ne.len; i++)
			any |= live->at[first + i];
		if (any) {
			out.at[out.len++] = *r;
			keep_range(results, first, r->ne.len);
		}
		first += r->ne.len;
	}
	return out;
}

static void keep_screma(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat), results = keep_new(s->pat.len);
	int n_scans = n_values(e->screma.scans), n_reds = n_values(e->screma.reds);
	e->screma.scans = kept_groups(e->screma.scans, &live, 0, &results);
	e->screma.reds = kept_groups(e->screma.reds, &live, n_scans, &results);
	for (int i = n_scans + n_reds; i < s->pat.len; i++)
		if (live.at[i])
			keep(&results, i);
	e->screma.map = kept_results(e->screma.map, &results);
	e->screma.map = kept_params(d, e->screma.map, &e->screma.arrs);
	s->pat = kept_vars(s->pat, &results);
}

static void keep_hist(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat), pat = keep_new(s->pat.len);
	Keep results = keep_new(e->hist.map->ret.len);
	HistOps ops = {NEW_ARRAY(HistOp, e->hist.ops.len), 0};
	Places at = {0, 0};
	for EACH(HistOp, op, e->hist.ops)
		at.value += op->space.len;
	int first = 0;
	for EACH(HistOp, op, e->hist.ops) {
		int k = op->dests.len;
		bool any = false;
		for (int i = 0; i < k; i++)
			any |= live.at[first + i];
		if (any) {
			ops.at[ops.len++] = *op;
			keep_range(&pat, first, k);
			keep_range(&results, at.index, op->space.len);
			keep_range(&results, at.value, k);
		}
		first += k;
		at.index += op->space.len;
		at.value += k;
	}
	e->hist.ops = ops;
	e->hist.map = kept_params(d, kept_results(e->hist.map, &results), &e->hist.arrs);
	s->pat = kept_vars(s->pat, &pat);
}

static void keep_scatter(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat), results = keep_new(e->scatter.map->ret.len);
	ScatterDests dests = {NEW_ARRAY(ScatterDest, e->scatter.dests.len), 0};
	Places at = {0, 0};
	for EACH(ScatterDest, p, e->scatter.dests)
		at.value += p->space.len * p->n_writes;
	for (int j = 0; j < e->scatter.dests.len; j++) {
		const ScatterDest *p = &e->scatter.dests.at[j];
		int n_indices = p->space.len * p->n_writes;
		if (live.at[j]) {
			dests.at[dests.len++] = *p;
			keep_range(&results, at.index, n_indices);
			keep_range(&results, at.value, p->n_writes);
		}
		at.index += n_indices;
		at.value += p->n_writes;
	}
	e->scatter.dests = dests;
	e->scatter.map = kept_params(d, kept_results(e->scatter.map, &results), &e->scatter.arrs);
	s->pat = kept_vars(s->pat, &live);
}

// The total length and the lengths stay.
static void keep_flatmap(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat), results = keep_new(e->flatmap.map->ret.len);
	keep_range(&live, 0, 2);
	keep(&results, 0);
	int n_data = 0;
	for (int i = 2; i < s->pat.len; i++)
		if (live.at[i]) {
			keep(&results, i - 1);
			n_data += i - 1 <= e->flatmap.n_data;
		}
	e->flatmap.n_data = n_data;
	e->flatmap.map = kept_params(d, kept_results(e->flatmap.map, &results), &e->flatmap.arrs);
	s->pat = kept_vars(s->pat, &live);
}

static void keep_withacc(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat), results = keep_new(e->withacc.fn->ret.len);
	int n = n_acc_arrays(e), n_inputs = e->withacc.inputs.len;
	keep_range(&live, 0, n);
	keep_range(&results, 0, n_inputs);
	for (int i = n; i < s->pat.len; i++)
		if (live.at[i])
			keep(&results, n_inputs + i - n);
	e->withacc.fn = kept_results(e->withacc.fn, &results);
	s->pat = kept_vars(s->pat, &live);
}

static void keep_loop(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat);
	e->loop.params = kept_vars(e->loop.params, &live);
	e->loop.inits = kept_subs(e->loop.inits, &live);
	e->loop.body.res = kept_subs(e->loop.body.res, &live);
	s->pat = kept_vars(s->pat, &live);
}

// Leaves only live components: a copy of the expression is changed before it is swept.
static void keep_components(Dce *d, Stm *s)
{
	bool all = true;
	for EACH(Var, x, s->pat)
		all &= d->live[x->id];
	Exp *e = s->exp = mem_dup(s->exp, sizeof *s->exp);
	Keep live = live_ones(d, s->pat);
	switch (e->form) {
	case E_if_:
		if (all)
			return;
		e->if_.yes.res = kept_subs(e->if_.yes.res, &live);
		e->if_.no.res = kept_subs(e->if_.no.res, &live);
		s->pat = kept_vars(s->pat, &live);
		return;
	case E_match:
		if (all)
			return;
		e->match.cases = SLICE_DUP(CoreCases, e->match.cases);
		for EACH(CoreCase, c, e->match.cases)
			c->body.res = kept_subs(c->body.res, &live);
		e->match.other.res = kept_subs(e->match.other.res, &live);
		s->pat = kept_vars(s->pat, &live);
		return;
	case E_loop:
		if (!all)
			keep_loop(d, s, e);
		return;
	case E_screma:
		keep_screma(d, s, e);
		return;
	case E_hist:
		keep_hist(d, s, e);
		return;
	case E_scatter:
		keep_scatter(d, s, e);
		return;
	case E_flatmap:
		keep_flatmap(d, s, e);
		return;
	case E_withacc:
		if (!all)
			keep_withacc(d, s, e);
		return;
	default: // has no components
		return;
	}
}

// The end of a block's life is of interest only if it has one.
static bool stays(Dce *d, const Stm *s)
{
	if (s->exp->form == E_release)
		return d->live[s->exp->release.block.var.id];
	return is_alive(d, s);
}

// Is there nothing to drop, and nothing nested or called that would have to be looked at?
static bool is_clean(Dce *d, const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call || !stays(d, s))
			return false;
	return true;
}

static void sweep(Visit *v, Body *b)
{
	Dce *d = v->ctx;
	if (is_clean(d, b))
		return;
	Stms kept = {b->stms.len ? NEW_ARRAY(Stm, b->stms.len) : NULL, 0};
	for EACH(Stm, old, b->stms) {
		if (!stays(d, old))
			continue;
		Stm s = *old;
		if (has_components(d, s.exp->form))
			keep_components(d, &s);
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		kept.at[kept.len++] = s;
	}
	b->stms = kept;
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
	Visit effects = {.ctx = d};
	mark_all(d, f->body.res);
	mark_effects(&effects, &f->body);
	work_off(d);
	Visit v = {.body = sweep, .fun = reach_callee, .copy = true, .ctx = d};
	sweep(&v, &g->body);
	return g;
}

static Dce dce_new(const Prog *prog)
{
	Dce d = {.live = NEW_TABLE(bool, n_vars), .named = NEW_TABLE(bool, n_vars),
	         .alive = NEW_TABLE(bool, n_vars), .defs = NEW_TABLE(Def, n_vars),
	         .components = prog->stage == STAGE_SOAC};
	Defs c = {&d, NULL};
	Visit defs = {.sub = note_named, .body = define_body, .lambda = define_lambda, .ctx = &c};
	for EACH(Fun *, f, prog->funs)
		define_body(&defs, &(*f)->body);
	find_traces(&d, prog);
	return d;
}

static void dce_free(Dce *d)
{
	table_free(d->live);
	table_free(d->named);
	table_free(d->alive);
	table_free(d->defs);
}

Prog *dce(Prog *prog)
{
	Dce d = dce_new(prog);
	bool has_entries = false;
	for EACH(Fun *, f, prog->funs)
		has_entries |= (*f)->entry != NULL;
	for EACH(Fun *, f, prog->funs)
		if (!has_entries || (*f)->entry)
			reach(&d, *f);
	VEC(Fun *) funs = {0};
	for EACH(Fun *, f, prog->funs) {
		Fun *g = map_get(&d.reached, *f);
		if (g)
			VEC_PUSH(&funs, g);
	}
	dce_free(&d);
	return NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
}
