// Decides for which functions the simplifier needs another round.
//
//     let (a: [n]f64) = screma n (xs) map=\(x) -> {f x}
//     let (y: f64) = index a [i]               a is used twice: the map stays
//     let (b: [n]f64) = copy a                 nothing uses b: it goes after the round
//
// A round visits the program in order, and statements see the rewrites of all earlier ones.  A
// second round therefore helps only where a rule depends on later statements or on dead code: on
// the number of uses of a variable, on whether an array is consumed anywhere, or on the size of a
// body. A rule that does not apply for such a reason leaves a watch: a question that is asked again
// after the round, when dead code has been removed.  Another round over the function is made only
// if the answer has become yes, or if a rule created statements to which others apply (Simp.again).
// Where names were replaced by what they stand for, but no rule applied, there is none in any case,
// and the function is known to be simple if no answer has become yes.
#include "opt/simplify.h"

// ---- Counts ----

static void count_use(Visit *v, Sub *x)
{
	if (x->kind == S_VAR)
		((Counts *)v->ctx)->of[x->var.id].uses++;
}

static void count_body(Visit *v, Body *b)
{
	Counts *c = v->ctx;
	Count *of = c->of;
	for EACH(Stm, st, b->stms) {
		const Exp *e = st->exp;
		c->has_derivatives |= form_is_derivative(e->form);
		if (e->form == E_index && e->index.arr.kind == S_VAR)
			of[e->index.arr.var.id].index_uses++;
		if (e->form == E_rearrange && e->rearrange.perm.at[0] == 1 &&
		    e->rearrange.perm.at[1] == 0)
			of[e->rearrange.arr.var.id].turned_uses++;
		if (e->form == E_reshape && e->reshape.arr.kind == S_VAR)
			of[e->reshape.arr.var.id].shaped = st;
		if (e->form == E_screma)
			for EACH(Sub, x, e->screma.arrs)
				if (x->kind == S_VAR)
					of[x->var.id].row_uses++;
		if (form_has(e->form, FORM_NEST) || e->form == E_assert_)
			for EACH(Var, x, st->pat)
				of[x->id].nest = e;
		if (e->form == E_prim && !st->certs.len) // as below, for most statements
			for (int i = 0, n = prim_arity(e->prim.op); i < n; i++)
				count_use(v, (Sub *)&e->prim.x[i]);
		else
			stm_visit(st, v);
	}
	for EACH(Sub, r, b->res)
		count_use(v, r);
}

Counts counts_of(const Prog *prog)
{
	Counts c = {.of = NEW_TABLE(Count, n_vars), .len = n_vars, .prog = *prog};
	Visit uses = {.sub = count_use, .body = count_body, .ctx = &c};
	for EACH(Fun *, f, prog->funs)
		count_body(&uses, &(*f)->body);
	return c;
}

void counts_free(Counts *c)
{
	table_free(c->of);
	*c = (Counts){0};
}

Alias counts_alias(Counts *c)
{
	if (!c->is_aliased)
		c->alias = alias_of(&c->prog);
	c->is_aliased = true;
	return c->alias;
}

// ---- Watches ----

void s_watch(Simp *s, Var v, WatchTest *holds, int arg)
{
	VEC_PUSH(&s->watches, (Watch){holds, v, arg});
}

static bool has_uses(Counts *c, Var v, int n)
{
	return c->of[v.id].uses == n;
}

bool s_has_uses(Simp *s, Sub x, int n)
{
	if (s_uses(s, x) == n)
		return true;
	if (x.kind == S_VAR)
		s_watch(s, x.var, has_uses, n);
	return false;
}

static bool is_never_consumed(Counts *c, Var v, int arg)
{
	(void)arg;
	Alias a = counts_alias(c);
	return !alias_ever(&a, v);
}

bool s_ever(Simp *s, Var v)
{
	if (!alias_ever(&s->alias, v))
		return false;
	s_watch(s, v, is_never_consumed, 0);
	return true;
}

bool s_gone(void *simp, Sub x)
{
	Simp *s = simp;
	if (!alias_gone(&s->alias, x))
		return false;
	s_watch(s, x.var, is_never_consumed, 0);
	return true;
}

// ---- Functions ----

Dirty not_simple(const Prog *prog)
{
	Dirty d = {0};
	for EACH(Fun *, f, prog->funs)
		if ((*f)->simple != (*f)->body.stms.at)
			map_put(&d.of, (*f)->name, NEW(Left));
	return d;
}

Prog dirty_part(const Prog *prog, const Dirty *d)
{
	Prog some = {.stage = prog->stage, .funs = {NEW_ARRAY(Fun *, prog->funs.len), 0}};
	for EACH(Fun *, f, prog->funs)
		if (map_has(&d->of, (*f)->name))
			some.funs.at[some.funs.len++] = *f;
	return some;
}

static bool is_open(const Left *l, Counts *c)
{
	for EACH(const Watch, w, l->watches)
		if (w->holds(c, w->v, w->arg))
			return true;
	return l->again;
}

Counts keep_open(const Prog *prog, Dirty *d)
{
	Dirty open = {0};
	Prog some = dirty_part(prog, d);
	Counts c = counts_of(&some);
	for EACH(Fun *, f, some.funs) {
		Left *l = map_get(&d->of, (*f)->name);
		bool is_left = is_open(l, &c);
		if (is_left && l->changed)
			map_put(&open.of, (*f)->name, l);
		else if (!is_left && !l->ad)
			(*f)->simple = (*f)->body.stms.at;
	}
	*d = open;
	return c;
}
