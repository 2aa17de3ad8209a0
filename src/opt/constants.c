// The pass `safe_constants`: removes constants that cannot fail from the function that evaluates a
// program's constants when a context is created (ATTR_CONSTANTS).
//
//     #[constants] fun c () : (n: i64, xs: [10]i64, t: [9]i64) = {
//       let (n: i64) = ...
//       let (xs: [10]i64) = screma ... assert ...     ->  #[constants] fun c () : (xs: [10]i64) = {
//       let (t: [9]i64) = screma ...                        let (xs: [10]i64) = screma ... assert
//       in n, xs, t                                         in xs
//     }                                                   }
//
// Requires nothing.  Ensures that each remaining result depends on an assertion, or on a call of a
// function that contains one.  If no result remains, the function is removed and creating a context
// evaluates nothing.
//
// Entry points compute the constants they need themselves, because knowing the definition of a
// constant lets most of them be folded.  This function only detects failures early.
#include "opt/opt.h"

static bool is_assertion(const Stm *s)
{
	return s->exp->form == E_assert_;
}

static bool may_fail(Body *b)
{
	if (body_find(b, is_assertion))
		return true;
	Map called = {0};
	Visit v = {.fun = reach_fun, .ctx = &called};
	body_visit(b, &v);
	for MAP_EACH(e, called)
		if (body_find(&((const Fun *)e->key)->body, is_assertion))
			return true;
	return false;
}

static void keep_sizes(const Fun *f, bool *keep)
{
	for (int i = f->res.len - 1; i >= 0; i--)
		for EACH(Sub, d, vars[f->res.at[i].id].type.dims)
			for (int k = 0; k < i && keep[i]; k++)
				keep[k] |= d->kind == S_VAR && d->var.id == f->res.at[k].id;
}

static Fun *only_failing(const Fun *f)
{
	bool *keep = NEW_ARRAY(bool, f->res.len + 1);
	for (int i = 0; i < f->res.len; i++) {
		Map needed = {0};
		Body part = body_part(&f->body, subs_of(1, f->body.res.at[i]), &needed);
		keep[i] = may_fail(&part);
	}
	keep_sizes(f, keep);
	Fun *g = mem_dup(f, sizeof *f);
	VEC(Var) res = {0};
	VEC(Sub) out = {0};
	for (int i = 0; i < f->res.len; i++)
		if (keep[i]) {
			VEC_PUSH(&res, f->res.at[i]);
			VEC_PUSH(&out, f->body.res.at[i]);
		}
	g->res = VEC_SLICE(Vars, res);
	g->body.res = VEC_SLICE(Subs, out);
	g->simple = g->lean = g->distinct = g->reduced = NULL;
	return g;
}

Prog *safe_constants(Prog *prog)
{
	VEC(Fun *) funs = {0};
	bool changed = false;
	for EACH(Fun *, f, prog->funs) {
		if (!has_attr((*f)->attrs, ATTR_CONSTANTS)) {
			VEC_PUSH(&funs, *f);
			continue;
		}
		Fun *g = only_failing(*f);
		changed |= g->res.len < (*f)->res.len || !g->res.len;
		if (g->res.len)
			VEC_PUSH(&funs, g);
	}
	if (!changed)
		return prog;
	Prog *out = NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
	return pass_within(PASS_dce, out);
}
