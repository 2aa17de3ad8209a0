// A warning for derivatives that are zero whatever the arguments are.
//
//     vjp (\x -> f64.floor (2 * x)) x 1        Warning: This derivative is zero: ...
//
// This follows from activity analysis: no result depends differentiably on an argument.  If a
// result depends on an argument nevertheless, there is a place where the flow ends: a comparison,
// a rounding operation, an index.  The last such place is reported, since bounds checks come
// first.  A function that ignores its arguments is assumed to be intended.
#include "ad/ad.h"

static const char anchor[] = "derivative-warnings";

static bool varies(void *active, Sub x)
{
	return is_varied(active, x);
}

// Does the flow from the arguments end with this statement?
static bool ends_flow(const Active *a, const Stm *s)
{
	for EACH(Var, x, s->pat)
		if (is_varied(a, sub_var(*x)) || vars[x->id].type.kind != T_DATA)
			return false;
	return exp_any(s->exp, varies, (void *)a);
}

typedef struct { const Active *a; const Stm *found; } Search;

static void search_body(Visit *v, Body *b)
{
	Search *s = v->ctx;
	for EACH(Stm, st, b->stms) {
		if (form_has(st->exp->form, FORM_NEST))
			exp_visit(st->exp, v);
		else if (ends_flow(s->a, st))
			s->found = st;
	}
}

static const char *name_of_form(const Exp *e)
{
	if (e->form == E_convert)
		return "a conversion";
	if (e->form != E_prim)
		return text("an operand of %s", form_name[e->form]);
	if (e->prim.op == P_eq || e->prim.op == P_lt || e->prim.op == P_le)
		return "a comparison";
	return text("\"%s\"", prim_name[e->prim.op]);
}

static bool has_floats(Types ts)
{
	for EACH(Type, t, ts)
		if (type_is_float(*t))
			return true;
	return false;
}

// ---- Integers ----

static bool has_data(const Lambda *fn, bool results, bool (*is)(PrimType))
{
	for EACH(Var, p, fn->params)
		if (!results && vars[p->id].type.kind == T_DATA && is(vars[p->id].type.elem))
			return true;
	for EACH(Type, t, fn->ret)
		if (results && t->kind == T_DATA && is(t->elem))
			return true;
	return false;
}

static bool is_truth(PrimType t)
{
	return t == PT_BOOL;
}

// A function of integers or booleans alone, or to them alone, has steps, not slopes.
static void warn_of_steps(const Lambda *fn, const Where *where, bool floats_in)
{
	bool integers = has_data(fn, floats_in, is_int);
	if (!integers && !has_data(fn, floats_in, is_truth))
		return;
	const char *what = integers ? "integers" : "booleans";
	Diag *d = diag_warn(users_place(where), anchor, floats_in
	                    ? "This derivative is of a function whose results are %s."
	                    : "This derivative is by %s.", what);
	diag_note(d, "Note: %s do not change continuously%s", what,
	          floats_in && integers ? "; leave out what rounds."
	          : floats_in ? "; differentiate what is compared instead."
	          : ".\nHint: convert them outside of the function that is differentiated, and "
	            "give it floating-point numbers.");
}

// ---- Custom rules ----

typedef struct { Var var; const Stm *at, *found; } Use;

static void note_use(Visit *v, Sub *s)
{
	Use *u = v->ctx;
	if (s->kind == S_VAR && s->var.id == u->var.id && !u->found)
		u->found = u->at;
}

static void look_for_use(Visit *v, Body *b)
{
	Use *u = v->ctx;
	for EACH(Stm, s, b->stms) {
		u->at = s;
		exp_visit(s->exp, v);
	}
}

// Names of variables need not be the user's any more: the place says what is meant.
static void warn_of_rule(const Active *a, const Stm *s, const Lambda *fn)
{
	Vars free = free_in_lambda(fn);
	for EACH(Var, x, free) {
		if (!type_is_float(vars[x->id].type) || !is_varied(a, sub_var(*x)))
			continue;
		Use u = {.var = *x};
		Visit v = {.sub = note_use, .body = look_for_use, .ctx = &u};
		Body body = fn->body;
		look_for_use(&v, &body);
		Span at = u.found ? users_place(u.found->where) : NOWHERE;
		Diag *d = diag_warn(users_place(s->where), anchor,
		                    "The function of this custom derivative captures a variable "
		                    "that the program differentiates by; its derivative is zero "
		                    "here.");
		if (at.lo)
			diag_note(d, "Note: the variable is used in \"%s\" at %s.", span_text(at),
			          show_span(at));
		diag_note(d, "Hint: make it a part of the argument: \"with_vjp (\\(c, x) -> ...) "
		             "(\\res adj -> ...) (c, x)\".");
		return;
	}
}

static void look_for_rules(Visit *v, Body *b)
{
	const Active *a = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_with_vjp)
			warn_of_rule(a, s, s->exp->with_vjp.fn);
		else if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

void warn_of_captures(const Lambda *fn)
{
	bool *which = NEW_ARRAY(bool, fn->params.len + 1);
	for (int i = 0; i < fn->params.len; i++)
		which[i] = type_is_float(vars[fn->params.at[i].id].type);
	Active a = varied_in(fn, which);
	Visit v = {.body = look_for_rules, .ctx = &a};
	Body body = fn->body;
	look_for_rules(&v, &body);
}

void warn_if_zero(const Lambda *fn, const Where *where)
{
	bool *which = NEW_ARRAY(bool, fn->params.len + 1), any = false;
	for (int i = 0; i < fn->params.len; i++) {
		which[i] = type_is_float(vars[fn->params.at[i].id].type);
		any |= which[i];
	}
	if (!any || !has_floats(fn->ret)) {
		warn_of_steps(fn, where, any);
		return;
	}
	Active a = varied_in(fn, which);
	for EACH(Sub, r, fn->body.res)
		if (is_varied(&a, *r))
			return;
	Search s = {.a = &a};
	Visit v = {.body = search_body, .ctx = &s};
	Body body = fn->body;
	search_body(&v, &body);
	if (!s.found)
		return;
	Diag *d = diag_warn(users_place(where), anchor,
	                    "This derivative is zero: no result depends "
	                    "differentiably on an argument.");
	Span at = users_place(s.found->where);
	diag_note(d, "Note: what depends on the argument ends in %s at %s.",
	          name_of_form(s.found->exp), show_span(at));
}

// ---- Of a program whose derivatives are still forms ----

// `found`: a derivative, here or in a function that is called, whose activity is not known yet.
typedef struct { bool found; Map seen; } Forms;

static void look_for_forms(Visit *v, Body *b)
{
	Forms *x = v->ctx;
	for EACH(Stm, s, b->stms) {
		x->found |= s->exp->form == E_jvp || s->exp->form == E_vjp;
		if (!x->found && (s->exp->form == E_call || form_has(s->exp->form, FORM_NEST)))
			exp_visit(s->exp, v);
	}
}

static void look_into_fun(Visit *v, Fun **f)
{
	Forms *x = v->ctx;
	if (map_has(&x->seen, *f))
		return;
	map_put(&x->seen, *f, *f);
	look_for_forms(v, &(*f)->body);
}

static bool has_forms_inside(const Lambda *fn)
{
	Forms x = {0};
	Visit v = {.body = look_for_forms, .fun = look_into_fun, .ctx = &x};
	Body body = fn->body;
	look_for_forms(&v, &body);
	return x.found;
}

static void look_inside(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (form_has(e->form, FORM_NEST))
			exp_visit(s->exp, v);
		if (e->form != E_jvp && e->form != E_vjp)
			continue;
		const Lambda *fn = e->form == E_jvp ? e->jvp.fn : e->vjp.fn;
		if (has_forms_inside(fn))
			continue;
		warn_if_zero(fn, s->where);
		if (e->form == E_vjp)
			warn_of_captures(fn);
	}
}

void warn_of_zeros(const Prog *prog)
{
	Visit v = {.body = look_inside};
	for EACH(Fun *, f, prog->funs)
		look_inside(&v, &(*f)->body);
}
