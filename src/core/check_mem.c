// Checks that memory locations agree where arrays are passed on (the MEM stage).
//
// The location of an array is fixed where it is bound, and only forms that store move elements
// between locations.  So where an array gets a second name, the two locations must be the same:
// those of a branch's result and of the pattern; of a loop's initial values, parameters and
// results; of arguments and parameters.  Operands of a location that belong to the same telescope
// are replaced by what is passed for them:
//
//     let (m: mem.f64, ys: [n]f64 @ m + 0) = if c then {a, xs} else {b, zs}
//
// is valid if xs is at a + 0 and zs at b + 0.
#include "core/check_core.h"

typedef struct {
	Check *c;
	Sub *image;                             // by variable: what is passed for it; its kind is
	bool *passed;                           // meaningful only here
} Places;

static void check_body(Places *, const Body *);

static Sub image_of(const Places *p, Sub s)
{
	return s.kind == S_VAR && p->passed[s.var.id] ? p->image[s.var.id] : s;
}

static bool same_place(const Places *p, const MemLoc *formal, const MemLoc *actual)
{
	if (!sub_eq(image_of(p, sub_var(formal->block)), sub_var(actual->block)) ||
	    !sub_eq(image_of(p, formal->offset), actual->offset) ||
	    formal->strides.len != actual->strides.len)
		return false;
	for (int i = 0; i < formal->strides.len; i++)
		if (!sub_eq(image_of(p, formal->strides.at[i]), actual->strides.at[i]))
			return false;
	return true;
}

static void pass_all(Places *p, Vars formals, Subs actuals)
{
	for (int i = 0; i < formals.len; i++) {
		p->passed[formals.at[i].id] = true;
		p->image[formals.at[i].id] = actuals.at[i];
	}
}

static void forget(Places *p, Vars formals)
{
	for EACH(Var, v, formals)
		p->passed[v->id] = false;
}

static void want_same(Places *p, Vars formals, Subs actuals, const char *what)
{
	for (int i = 0; i < formals.len; i++) {
		const MemLoc *formal = vars[formals.at[i].id].type.mem;
		if (!formal)
			continue;
		const MemLoc *actual = sub_type(actuals.at[i]).mem;
		if (!actual || !same_place(p, formal, actual))
			core_wrong(p->c, "%s: %s : %s is not at the place of %s : %s", what,
			           show_sub(actuals.at[i]), show_core_type(sub_type(actuals.at[i])),
			           show_sub(sub_var(formals.at[i])),
			           show_core_type(vars[formals.at[i].id].type));
	}
}

// What is passed for a telescope.
static void check_passed(Places *p, Vars formals, Subs actuals, const char *what)
{
	pass_all(p, formals, actuals);
	want_same(p, formals, actuals, what);
	forget(p, formals);
}

static void check_branch(Places *p, const Stm *s, const Body *b)
{
	check_body(p, b);
	p->c->stm = s;
	check_passed(p, s->pat, b->res, "result of a branch");
}

static void check_call(Places *p, const Stm *s)
{
	const Fun *f = s->exp->call.fn;
	pass_all(p, f->params, s->exp->call.args);
	want_same(p, f->params, s->exp->call.args, "argument");
	check_passed(p, f->res, subs_of_vars(s->pat), "result of a call");
	forget(p, f->params);
}

static void check_stm(Places *p, const Stm *s)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_atom:
		check_passed(p, s->pat, subs_of(1, e->atom.x), "another name");
		return;
	case E_update:
		check_passed(p, s->pat, subs_of(1, e->update.arr), "the array updated");
		return;
	case E_trace:
		check_passed(p, s->pat, e->trace.xs, "another name");
		return;
	case E_opaque:
		check_passed(p, s->pat, e->opaque.xs, "another name");
		return;
	case E_if_:
		check_branch(p, s, &e->if_.yes);
		check_branch(p, s, &e->if_.no);
		return;
	case E_match:
		for EACH(CoreCase, c, e->match.cases)
			check_branch(p, s, &c->body);
		check_branch(p, s, &e->match.other);
		return;
	case E_loop:
		check_passed(p, e->loop.params, e->loop.inits, "initial value");
		check_body(p, &e->loop.body);
		p->c->stm = s;
		check_passed(p, e->loop.params, e->loop.body.res, "result of the loop's body");
		check_passed(p, e->loop.params, subs_of_vars(s->pat), "result of the loop");
		return;
	case E_call:
		check_call(p, s);
		return;
	default: // binds its arrays wherever it says
		return;
	}
}

static void check_body(Places *p, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		p->c->stm = s;
		check_stm(p, s);
	}
}

void core_check_places(Check *c, const Fun *f)
{
	if (!c->places)
		c->places = NEW(Places, c, NEW_ARRAY(Sub, n_vars), NEW_ARRAY(bool, n_vars));
	check_body(c->places, &f->body);
	c->stm = NULL;
	check_passed(c->places, f->res, f->body.res, "result of the function");
}
