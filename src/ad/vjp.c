// Reverse mode: the driver.  Statements, scalars, custom derivatives.
//
//     vjp (\x -> let y = x * x in sin y) a g
//
//     y = a * a; r = sin y                           forward sweep
//     y_adj = g * cos y; x_adj = y_adj * a + y_adj * a   return sweep
//
// The return sweep visits the statements in reverse.  When it reaches a statement, the adjoints of
// the variables that it binds are complete, and contributions are added to those of its operands.
#include "ad/vjp.h"

void vjp_fail(Vjp *v, const char *what)
{
	fail(v->b->where ? v->b->where->span : NOWHERE, NULL,
	     "Cannot differentiate %s in reverse mode.", what);
}

bool takes(Vjp *v, Sub s)
{
	if (s.kind != S_VAR || !is_active(&v->active, s))
		return false;
	Type t = sub_type(s);
	const Cell *c = cell_of(v, s.var);
	return c && c->level->depth >= v->floor && t.kind == T_DATA && t.elem != PT_BOOL;
}

Vars takers(Vjp *v, Vars free)
{
	Vars out = {NEW_ARRAY(Var, free.len + 1), 0};
	for EACH(Var, f, free) {
		if (!takes(v, sub_var(*f)))
			continue;
		Var root = adj_root(v, *f);
		bool known = false;
		for EACH(Var, x, out)
			known |= x->id == root.id;
		if (!known)
			out.at[out.len++] = root;
	}
	return out;
}

// ---- Scalars ----

static void rev_prim(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	Sub g = adj_value(v, s->pat.at[0]);
	if (is_square(e)) {
		if (takes(v, e->prim.x[0]))
			adj_add(v, e->prim.x[0], deriv_of_square(v->b, ret_sub(v, e->prim.x[0]), g),
			        true);
		return;
	}
	for (int i = 0; i < prim_arity(e->prim.op); i++) {
		if (!takes(v, e->prim.x[i]) || deriv_is_zero(e->prim.op, e->prim.at, i))
			continue;
		if (e->prim.op == P_to_bits || e->prim.op == P_from_bits) {
			adj_add(v, e->prim.x[0], b_prim1(v->b, e->prim.op == P_to_bits ? P_from_bits
			                                 : P_to_bits, g), true);
			continue;
		}
		unsigned mask = deriv_mentions(e->prim.op, e->prim.at, i);
		Sub x[3];
		for (unsigned k = 0; k < 3; k++)
			x[k] = mask >> k & 1 ? ret_sub(v, e->prim.x[k]) : e->prim.x[k];
		Sub r = mask >> 3 & 1 ? ret_var(v, s->pat.at[0]) : sub_var(s->pat.at[0]);
		adj_add(v, e->prim.x[i], deriv_emit(v->b, e->prim.op, e->prim.at, x, r, i, g),
		        true);
	}
}

static void rev_convert(Vjp *v, const Stm *s)
{
	Sub x = s->exp->convert.x;
	if (takes(v, x))
		adj_add(v, x, b_convert(v->b, sub_type(x).elem, adj_value(v, s->pat.at[0])), true);
}

// An adjoint that is handed on gets a statement if there are assertions for it to name.
static Sub that_names(Vjp *v, const Stm *s, Sub adj)
{
	if (!s->certs.len || sub_type(adj).kind != T_DATA)
		return adj;
	Var to = var_new(name_of("adj"), sub_type(adj));
	b_name(v->b, to, adj);
	return sub_var(to);
}

// Each result is an operand.
static void rev_passed(Vjp *v, const Stm *s, Subs xs)
{
	for (int i = 0; i < s->pat.len; i++) {
		Adj a = adj_take(v, s->pat.at[i]);
		if (a.kind == ADJ_VALUE)
			adj_pass(v, xs.at[i], vars[s->pat.at[i].id].type, that_names(v, s, a.val),
			         a.owned);
	}
}

// ---- Custom derivatives ----

// The user's rule covers the arguments; what the function depends on besides is constant here.
static void rev_with_vjp(Vjp *v, Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	const Exp *e = s->exp;
	int n = e->with_vjp.n_tape;
	bool any = false;
	for EACH(Sub, x, e->with_vjp.args)
		any |= takes(v, *x);
	if (!any)
		return;
	Plan *p = &l->plans[at];
	if (n && !p->tape.len) {
		p->tape = (Vars){NEW_ARRAY(Var, n), n};
		for (int i = 0; i < n; i++)
			p->tape.at[i] =
				var_new(name_of("tape"), ret_type(v, e->with_vjp.fn->ret.at[i]));
	}
	for EACH(Var, x, s->pat)
		fwd_var(v, *x);
	Subs args = {NEW_ARRAY(Sub, n + s->pat.len), 0};
	for EACH(Var, t, p->tape)
		args.at[args.len++] = sub_var(*t);
	for (int i = 0; i < s->pat.len; i++)
		args.at[args.len++] = adj_value(v, s->pat.at[i]);
	Subs out = inline_plain(v, e->with_vjp.bwd, args);
	for (int i = 0; i < out.len; i++)
		adj_add(v, e->with_vjp.args.at[i], out.at[i], false);
}

// ---- Statements ----

static bool has_adjoint(Vjp *v, const Stm *s)
{
	for EACH(Var, x, s->pat)
		if (adj_peek(v, *x).kind != ADJ_ZERO)
			return true;
	return false;
}

static void rev_screma(Vjp *v, const Stm *s)
{
	if (s->exp->screma.reds.len)
		rev_reduce(v, s);
	else if (s->exp->screma.scans.len)
		rev_scan(v, s);
	else
		rev_map(v, s);
}

void rev_stm(Vjp *v, Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	if (s->exp->form == E_upd_acc) {
		rev_upd_acc(v, s);
		return;
	}
	if (!has_adjoint(v, s) && !vars_have_acc(s->pat))
		return;
	switch (s->exp->form) {
	case E_prim:
		rev_prim(v, s);
		return;
	case E_convert:
		rev_convert(v, s);
		return;
	case E_if_:
		rev_if(v, l, at);
		return;
	case E_match:
		rev_match(v, s);
		return;
	case E_loop:
		if (v->both && holds_call(s))
			rev_loop_both(v, l, at);
		else
			rev_loop(v, l, at);
		return;
	case E_call:
		rev_call(v, l, at);
		return;
	case E_atom:
		rev_passed(v, s, subs_of(1, s->exp->atom.x));
		return;
	case E_trace:
		rev_passed(v, s, s->exp->trace.xs);
		return;
	case E_opaque:
		rev_passed(v, s, s->exp->opaque.xs);
		return;
	case E_index: case E_slice: case E_update: case E_concat: case E_replicate: case E_reshape:
	case E_rearrange: case E_copy: case E_array:
		rev_array(v, s);
		return;
	case E_screma:
		rev_screma(v, s);
		return;
	case E_hist:
		rev_hist(v, s);
		return;
	case E_scatter:
		rev_scatter(v, s);
		return;
	case E_flatmap:
		rev_flatmap(v, s);
		return;
	case E_withacc:
		rev_withacc(v, s);
		return;
	case E_with_vjp:
		rev_with_vjp(v, l, at);
		return;
	case E_iota: case E_scratch: case E_assert_: case E_upd_acc:
		return;
	case E_jvp: case E_vjp: case E_alloc: case E_release: case N_FORM:
		break;
	}
	bug("the form %s in a function to differentiate", form_name[s->exp->form]);
}

// ---- Whole functions ----

static Alias aliases_in(const Lambda *fn)
{
	Fun f = {.name = name_of("f"), .params = fn->params, .body = fn->body};
	Fun *fs[] = {&f};
	return alias_of(&(Prog){.funs = {fs, 1}, .stage = STAGE_SOAC});
}

static Level *open_sweeps(Vjp *v, Build *b, const Lambda *fn, Subs args, const bool *which,
                          bool all)
{
	*v = (Vjp){.b = b, .active = active_in(fn, which), .alias = aliases_in(fn)};
	Level *l = NEW(Level, .depth = 0);
	level_begin(v, l, &fn->body, all);
	for (int i = 0; i < fn->params.len; i++)
		cell_name(v, l, fn->params.at[i], args.at[i],
		          all && vars[fn->params.at[i].id].type.unique);
	return l;
}

// The return sweep for these cotangents: the results of the function, then the adjoints.  The
// level is closed, nothing is emitted yet.
static Level *sweep(Vjp *v, Build *b, const Lambda *fn, Subs args, Subs cotangents, bool many,
                    Subs *results, Subs *adjoints)
{
	const Where *where = b->where;
	bool *which = NEW_ARRAY(bool, fn->params.len + 1);
	for (int i = 0; i < fn->params.len; i++)
		which[i] = vars[fn->params.at[i].id].type.elem != PT_BOOL;
	Level *l = open_sweeps(v, b, fn, args, which, true);
	v->many = many;
	for (int i = 0; i < cotangents.len; i++)
		adj_add(v, fn->body.res.at[i], cotangents.at[i], false);
	level_reverse(v, l);
	b->where = where;
	*adjoints = (Subs){NEW_ARRAY(Sub, args.len + 1), args.len};
	for (int i = 0; i < args.len; i++)
		adjoints->at[i] = adj_value(v, fn->params.at[i]);
	*results = (Subs){NEW_ARRAY(Sub, fn->body.res.len + 1), fn->body.res.len};
	for (int i = 0; i < results->len; i++)
		results->at[i] = level_result(v, l, fn->body.res.at[i]);
	level_close(v, l);
	return l;
}

Subs vjp_apply(Build *b, const Lambda *given, Subs args, Subs cotangents)
{
	Vjp v;
	Subs out, adjs;
	Level *l = sweep(&v, b, vjp_normal(given), args, cotangents, false, &out, &adjs);
	level_emit(&v, l);
	return subs_cat(out, adjs);
}

// ---- Many cotangents ----

// The return sweep for one cotangent of many: what it consumes of the forward sweep's arrays, by
// whatever name, is copied, since the others need it too.
static Subs emit_own_sweep(Build *b, Body sweep, Subs results)
{
	sweep.res = results;
	Alias alias = aliases_in(&(Lambda){.body = sweep});
	Vars free = free_in_body(&sweep);
	Map copies = {0};
	for EACH(Var, f, free) {
		if (!alias_ever(&alias, *f) || vars[f->id].type.kind != T_DATA)
			continue;
		Sub own = b_copy(b, sub_var(*f));
		map_put(&copies, (const void *)(uintptr_t)(f->id + 1), mem_dup(&own, sizeof own));
	}
	sweep = body_subst(sweep, &copies);
	b_emit_all(b, sweep.stms);
	return sweep.res;
}

// The forward sweep is outside of the map over cotangents.
Subs vjp_apply_many(Build *b, const Lambda *given, Subs args, Subs seeds, Sub n)
{
	const Lambda *fn = vjp_normal(given);
	VarVec params = {0};
	Subs rows = seed_rows(seeds, &params), out, adjs;
	Vjp v;
	Level *l = sweep(&v, b, fn, args, rows, true, &out, &adjs);
	level_emit_forward(&v, l);
	b_open(b);
	adjs = emit_own_sweep(b, l->swept, adjs);
	Lambda *map = b_lambda(b, VEC_SLICE(Vars, params), adjs);
	for (int i = 0; i < adjs.len; i++) {
		map->ret.at[i] = sub_type(args.at[i]);
		map->ret.at[i].unique = false;
	}
	return subs_cat(out, b_map(b, n, seeds, map));
}

bool vjp_sweeps(Build *b, const Lambda *given, Subs args, const Adj *seeds, const bool *active,
                const Adj *before, Subs *values, Subs *adjoints)
{
	const Lambda *fn = vjp_normal(given);
	Vjp v;
	Level *l = open_sweeps(&v, b, fn, args, active, false);
	v.both = values != NULL;
	for (int i = 0; i < args.len; i++)
		adj_set(&v, fn->params.at[i], before[i]);
	if (values)
		want_results(&v, l);
	seed_results(&v, fn->body.res, seeds);
	level_reverse(&v, l);
	*adjoints = (Subs){NEW_ARRAY(Sub, args.len + 1), 0};
	for (int i = 0; i < args.len; i++)
		if (active[i])
			adjoints->at[adjoints->len++] = adj_owned(&v, fn->params.at[i]);
	for (int i = 0; values && i < fn->body.res.len; i++)
		*values = subs_cat(*values, subs_of(1, level_result(&v, l, fn->body.res.at[i])));
	level_close(&v, l);
	level_emit(&v, l);
	return !v.failed;
}
