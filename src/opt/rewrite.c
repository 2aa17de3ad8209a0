// The framework that passes are written with: traversal and rewriting of functions and statements,
// and fuel, which limits the number of rewrites for bisection.
#include "opt/opt.h"

// ---- Measures ----

int prog_size(const Prog *prog)
{
	int n = 0;
	for EACH(Fun *, f, prog->funs)
		n += body_size(&(*f)->body);
	return n;
}

static bool is_trace(const Stm *s)
{
	return s->exp->form == E_trace;
}

bool exp_has_traces(const Exp *e)
{
	return traces_made && exp_find(e, is_trace);
}

bool prog_has_traces(const Prog *prog)
{
	return traces_made && prog_find(prog, is_trace);
}

bool takes_data(const Lambda *f)
{
	for EACH(Var, p, f->params)
		if (vars[p->id].type.kind != T_DATA || vars[p->id].type.unique)
			return false;
	return true;
}

bool is_plain_map(const Exp *e)
{
	return is_map(e) &&
	       takes_data(e->screma.map);
}

bool computes_scalars(const Lambda *f)
{
	for EACH(Type, t, f->ret)
		if (!type_is_scalar(*t))
			return false;
	for EACH(Stm, s, f->body.stms)
		if ((form_has(s->exp->form, FORM_NEST) && s->exp->form != E_if_) ||
		    s->exp->form == E_call)
			return false;
	return true;
}

bool fun_has_calls(Fun *f)
{
	if (f->callless == f->body.stms.at)
		return false;
	if (body_find(&f->body, stm_is_call))
		return true;
	f->callless = f->body.stms.at;
	return false;
}

// ---- Fuel ----

static Fuel fuel = {INT64_MAX, 0};              // of the running pass: one runs at a time

Fuel swap_fuel(Fuel new)
{
	Fuel old = fuel;
	fuel = new;
	return old;
}

bool may_rewrite(void)
{
	if (fuel.left <= 0)
		return false;
	fuel.left--;
	fuel.made++;
	return true;
}

// ---- Rewriting ----

typedef struct { bool (*holds)(const Body *, void *); void *ctx; bool found; } AnyBody;

static void any_body(Visit *v, Body *b)
{
	AnyBody *a = v->ctx;
	a->found = a->found || a->holds(b, a->ctx);
	for (int i = 0; !a->found && i < b->stms.len; i++)
		if (form_has(b->stms.at[i].exp->form, FORM_NEST))
			exp_visit(b->stms.at[i].exp, v);
}

void fun_same_body(Fun *f, Body old)
{
	if (f->simple == old.stms.at)
		f->simple = f->body.stms.at;
	if (f->lean == old.stms.at)
		f->lean = f->body.stms.at;
	if (f->distinct == old.stms.at)
		f->distinct = f->body.stms.at;
	if (f->reduced == old.stms.at)
		f->reduced = f->body.stms.at;
	if (f->callless == old.stms.at)
		f->callless = f->body.stms.at;
}

void fun_new_callees(Fun *f, const Map *funs)
{
	if (!fun_has_calls(f))
		return;
	Body old = f->body;
	Visit callees = {.funs = funs, .copy = true};
	body_visit(&f->body, &callees);
	fun_same_body(f, old);
}

bool fun_to_rewrite(Fun *f, const Map *funs, bool (*holds)(const Body *, void *), void *ctx)
{
	AnyBody a = {holds, ctx, false};
	Visit v = {.body = any_body, .ctx = &a};
	any_body(&v, &f->body); // a walk: writes nothing
	if (!a.found)
		fun_new_callees(f, funs);
	return a.found;
}

void fun_rewrite(Fun *f, Visit *v)
{
	Body old = f->body;
	int64_t before = fuel.made;
	v->body(v, &f->body);
	if (fuel.made == before)
		fun_same_body(f, old);
}

Prog *prog_rewrite(Prog *prog, Visit *v)
{
	for EACH(Fun *, f, prog->funs)
		fun_rewrite(*f, v);
	return prog;
}

Prog *prog_rewrite_where(Prog *prog, StmTest *test, const Visit *v)
{
	if (!prog_find(prog, test))
		return prog;
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	for EACH(Fun *, f, out->funs) {
		Visit visit = *v;
		if (body_find(&(*f)->body, test))
			fun_rewrite(*f, &visit);
		fun_new_callees(*f, &funs);     // wherever the visit did not go, too
	}
	return out;
}

typedef struct { StmTest *test; Build *b; StmRewrite *rewrite; void *ctx; } OneByOne;

static void rewrite_stms(Visit *v, Body *body)
{
	const OneByOne *o = v->ctx;
	b_open(o->b);
	for EACH(Stm, old, body->stms) {
		Stm s = *old;
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		o->b->where = s.where;
		if (!o->test(&s) || !o->rewrite(o->ctx, &s))
			b_emit(o->b, s);
	}
	*body = b_close(o->b, body->res);
}

Prog *prog_rewrite_stms(Prog *prog, StmTest *test, Build *b, StmRewrite *rewrite, void *ctx)
{
	OneByOne o = {test, b, rewrite, ctx};
	Visit v = {.body = rewrite_stms, .copy = true, .ctx = &o};
	return prog_rewrite_where(prog, test, &v);
}
