// Programs without an accumulator, or with a result in its place.
//
//     withacc (xs) \acc -> screma n (ys, acc) \(y, acc) -> {upd_acc acc [i] (f y)}
//   ->
//     screma n (ys) \(y) -> {f y}        a result more, and the update left out
#include "opt/acc.h"

// ---- A result more ----

static void add_result(Stm *s, Lambda *f, int result, int place, Sub x, Var v)
{
	Type t = type_plain(sub_type(x));
	INSERTED(Subs, Sub, f->body.res, result, x);
	INSERTED(Types, Type, f->ret, result, t);
	INSERTED(Vars, Var, s->pat, place, v);
}

static void screma_gives(Carry *c, Stm *s, Lambda *f, int d)
{
	Exp *e = s->exp;
	Type t = type_plain(sub_type(c->out));
	if (!(c->sum >> d & 1)) {
		Var v = var_new(name_of("parts"), type_of_rows(e->screma.n, t));
		add_result(s, f, f->body.res.len, s->pat.len, c->out, v);
		c->out = sub_var(v);
		return;
	}
	int at = n_folded(e);
	Var v = var_new(name_of("sum"), t);
	Sub zero = sub_const(scalar_int(t.elem, 0));
	Reduction r = {b_operator(&c->b, P_add, t.elem), subs_of(1, zero), true};
	INSERTED(Reductions, Reduction, e->screma.reds, e->screma.reds.len, r);
	add_result(s, f, at, at, c->out, v);
	c->out = sub_var(v);
}

static void withacc_gives(Carry *c, Stm *s, Lambda *f)
{
	Type t = type_plain(sub_type(c->out));
	Var v = var_new(name_of("parts"), t);
	add_result(s, f, f->body.res.len, s->pat.len, c->out, v);
	c->out = sub_var(v);
}

static Body carry_body(Carry *, const Body *, int at, int level);

static Stm carry_stm(Carry *c, const Stm *s, int at, int level)
{
	Stm t = *s;
	t.exp = exp_dup(s->exp);
	bool screma = t.exp->form == E_screma;
	Lambda *f = mem_dup(screma ? t.exp->screma.map : t.exp->withacc.fn, sizeof *f);
	f->body = carry_body(c, &f->body, at, level + screma);
	*(screma ? &t.exp->screma.map : &t.exp->withacc.fn) = f;
	if (!c->give)
		return t;
	if (screma)
		screma_gives(c, &t, f, level);
	else
		withacc_gives(c, &t, f);
	return t;
}

static Body carry_body(Carry *c, const Body *body, int at, int level)
{
	Body out = *body;
	bool last = at == c->site->path.len;
	if (at == c->stop && !(last && c->drop))
		return out;
	const Stm *end = last ? c->site->upd : c->site->path.at[at];
	out.stms = SLICE_DUP(Stms, body->stms);
	for EACH(Stm, s, out.stms) {
		if (s->pat.len != end->pat.len || s->pat.at[0].id != end->pat.at[0].id)
			continue;
		if (!last)
			*s = carry_stm(c, s, at + 1, level);
		else // nothing is read or written: it relies on no assertion
			*s = (Stm){.pat = s->pat, .where = s->where,
			           .exp = EXP(atom, s->exp->upd_acc.acc)};
	}
	return out;
}

Stm carry_out(const Site *site, Carry c)
{
	c.site = site;
	return carry_stm(&c, site->with, 0, 0);
}

Sub given_rows(const Site *site, int stop, Sub x)
{
	for (int l = stop; l >= 0; l--) {
		const Stm *s = l ? site->path.at[l - 1] : site->with;
		bool screma = s->exp->form == E_screma;
		const Lambda *f = screma ? s->exp->screma.map : s->exp->withacc.fn;
		int i = f->body.res.len - 1, more = s->pat.len - f->body.res.len;
		int first = screma ? n_reduced(s->exp->screma.reds) : s->exp->withacc.inputs.len;
		while (i >= first && !sub_eq(f->body.res.at[i], x))
			i--;
		if (i < first)
			return sub_i64(0);
		x = sub_var(s->pat.at[i + more]);
	}
	return x;
}

// ---- Without an accumulator ----

static Subs subs_without(Subs s, Var token)
{
	Subs out = {NEW_ARRAY(Sub, s.len + 1), 0};
	for EACH(Sub, x, s)
		if (!type_is_acc_of(sub_type(*x), token))
			out.at[out.len++] = *x;
	return out;
}

static Vars vars_without(Vars s, Var token)
{
	Vars out = {NEW_ARRAY(Var, s.len + 1), 0};
	for EACH(Var, x, s)
		if (!type_is_acc_of(vars[x->id].type, token))
			out.at[out.len++] = *x;
	return out;
}

static void strip_body(Visit *, Body *);

static void strip_lambda(Visit *v, Lambda **l)
{
	Var token = *(Var *)v->ctx;
	Lambda *f = mem_dup(*l, sizeof *f);
	Types ret = {NEW_ARRAY(Type, f->ret.len + 1), 0};
	for EACH(Type, t, f->ret)
		if (!type_is_acc_of(*t, token))
			ret.at[ret.len++] = *t;
	f->params = vars_without(f->params, token);
	f->ret = ret;
	strip_body(v, &f->body);
	*l = f;
}

static void strip_exp(Visit *v, Exp *e)
{
	Var token = *(Var *)v->ctx;
	if (e->form == E_screma) {
		e->screma.arrs = subs_without(e->screma.arrs, token);
		strip_lambda(v, &e->screma.map);
	} else if (e->form == E_loop) {
		e->loop.params = vars_without(e->loop.params, token);
		e->loop.inits = subs_without(e->loop.inits, token);
		strip_body(v, &e->loop.body);
	} else if (n_branches(e)) {
		*e = *choice_copy(e);
		for (int i = 0; i < n_branches(e); i++)
			strip_body(v, branch_at(e, i));
	} else if (e->form == E_withacc) {
		strip_lambda(v, &e->withacc.fn);
	}
}

// Names of the accumulator go, and whatever hands it on does so no more.
static void strip_body(Visit *v, Body *b)
{
	Var token = *(Var *)v->ctx;
	Stms out = {NEW_ARRAY(Stm, b->stms.len + 1), 0};
	for EACH(Stm, s, b->stms) {
		Stm t = *s;
		t.pat = vars_without(s->pat, token);
		if (t.pat.len < s->pat.len) {
			if (s->exp->form == E_atom)
				continue;
			t.exp = exp_dup(s->exp);
			strip_exp(v, t.exp);
			if (!t.pat.len)
				continue;
		}
		out.at[out.len++] = t;
	}
	b->stms = out;
	b->res = subs_without(b->res, token);
}

typedef struct { Var token; int found; } Look;

static void look_for_updates(Visit *v, Body *b)
{
	Look *l = v->ctx;
	for EACH(Stm, s, b->stms) {
		l->found += s->exp->form == E_upd_acc &&
		            type_is_acc_of(sub_type(s->exp->upd_acc.acc), l->token);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

int n_updates(const Lambda *fn, Var token)
{
	Look l = {.token = token};
	Visit v = {.body = look_for_updates, .ctx = &l};
	Body body = fn->body;
	look_for_updates(&v, &body);
	return l.found;
}

// The withacc without its input k, whose array and pattern are gone.
Stm without_input(Stm s, int k)
{
	Exp *e = exp_dup(s.exp);
	Lambda *f = mem_dup(e->withacc.fn, sizeof *f);
	int n = e->withacc.inputs.len, at = 0;
	Var token = f->params.at[k];
	Visit v = {.ctx = &token};
	strip_lambda(&v, &f);
	AccInputs in = {NEW_ARRAY(AccInput, n), 0};
	for (int i = 0; i < n; i++)
		if (i != k)
			in.at[in.len++] = e->withacc.inputs.at[i];
	Vars params = {NEW_ARRAY(Var, f->params.len), 0}, pat = {NEW_ARRAY(Var, s.pat.len), 0};
	for EACH(Var, p, f->params)
		if (p->id != token.id)
			params.at[params.len++] = *p;
	for (int i = 0; i < k; i++)
		at += e->withacc.inputs.at[i].arrs.len;
	for (int i = 0; i < s.pat.len; i++)
		if (i != at)
			pat.at[pat.len++] = s.pat.at[i];
	f->params = params;
	e->withacc.inputs = in;
	e->withacc.fn = f;
	s.exp = e;
	s.pat = pat;
	return s;
}
