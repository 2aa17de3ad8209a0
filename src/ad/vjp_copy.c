// Copies of code of the forward sweep for the return sweep, with names of their own for what they
// bind, and with values as the return sweep has them.
#include "ad/vjp.h"

void copy_name(Copier *k, Var x, Sub s)
{
	map_put(&k->local, var_key(x), mem_dup(&s, sizeof s));
}

Sub copied(Copier *k, Sub s)
{
	if (s.kind != S_VAR)
		return s;
	const Sub *to = map_get(&k->local, var_key(s.var));
	if (to)
		return *to;
	Cell *c = cell_of(k->v, s.var);
	return c && k->here && c->level == k->here ? fwd_var(k->v, s.var) : ret_var(k->v, s.var);
}

static void copy_sub(Visit *vis, Sub *s)
{
	*s = copied(vis->ctx, *s);
}

static void copy_bind(Visit *vis, Var *x)
{
	Copier *k = vis->ctx;
	Cell *c = cell_of(k->v, *x);
	if (c && k->here && c->level == k->here && c->def >= 0) {
		*x = fwd_var(k->v, *x).var;
		return;
	}
	Var to = var_new(vars[x->id].hint, vars[x->id].type);
	copy_name(k, *x, sub_var(to));
	*x = to;
}

// What was printed is not printed again.
static void hush(Stm *s)
{
	if (s->exp->form == E_trace) {
		Subs xs = s->exp->trace.xs;
		s->exp = EXP(opaque, xs);
	}
}

static void copy_nested(Visit *vis, Body *b)
{
	Copier *k = vis->ctx;
	Build *out = k->v->b;
	const Stms from = b->stms;
	b->stms = SLICE_DUP(Stms, b->stms);
	b_open(out);
	for (int i = 0; i < from.len; i++) {
		Stm *s = &b->stms.at[i];
		stm_visit(s, vis);
		if (k->quiet)
			hush(s);
		if (k->watches) {
			b_emit(out, *s);
			emit_watched(k->v, k, &from.at[i]);
		}
	}
	Body watched = b_close(out, (Subs){0});
	if (k->watches)
		b->stms = watched.stms;
	b->res = SLICE_DUP(Subs, b->res);
	for EACH(Sub, r, b->res)
		*r = copied(k, *r);
}

static Visit copying(Copier *k)
{
	return (Visit){
		.sub = copy_sub, .bind = copy_bind, .body = copy_nested, .copy = true, .ctx = k};
}

Stm copy_stm(Copier *k, const Stm *from)
{
	Stm s = *from;
	Visit vis = copying(k);
	stm_visit(&s, &vis);
	if (k->quiet)
		hush(&s);
	return s;
}

Type copied_type(Copier *k, Type t)
{
	Visit vis = copying(k);
	type_visit(&t, &vis);
	return t;
}

Subs copy_stms(Copier *k, const Body *b)
{
	for EACH(Stm, s, b->stms)
		b_emit(k->v->b, copy_stm(k, s));
	Subs out = {b->res.len ? NEW_ARRAY(Sub, b->res.len) : NULL, b->res.len};
	for (int i = 0; i < out.len; i++)
		out.at[i] = copied(k, b->res.at[i]);
	return out;
}

Subs inline_plain(Vjp *v, const Lambda *l, Subs args)
{
	Copier k = {.v = v, .quiet = true};
	for (int i = 0; i < l->params.len; i++)
		copy_name(&k, l->params.at[i], args.at[i]);
	return copy_stms(&k, &l->body);
}
