// Warnings about what the optimiser could not do, where the program asks for them:
//
//     #[unroll] loop ...              the number of iterations is not known
//     #[warn(safety_checks)] a[i]     a check is left that happens at run time
//
// Nearly all programs use neither attribute and are only scanned for them.
#include "pass/pass.h"

typedef struct { bool found, report; } Search;

static Span place_of(const Stm *s)
{
	return s->where ? s->where->span : NOWHERE;
}

static void look_at(Search *search, const Stm *s)
{
	const Exp *e = s->exp;
	bool loop = e->form == E_loop && has_attr(s->attrs, ATTR_UNROLL);
	bool check = e->form == E_assert_ && has_attr_text(s->attrs, "warn(safety_checks)");
	search->found |= loop || check;
	if (!search->report)
		return;
	if (loop && (e->loop.is_while || e->loop.n.kind != S_CONST))
		diag_warn(place_of(s), NULL,
		          "#[unroll] on loop with unknown number of iterations.");
	if (check)
		diag_warn(place_of(s), NULL, "Safety check required at run-time.");
}

static void look_into(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		look_at(v->ctx, s);
	body_visit(b, v);
}

static bool search(const Prog *prog, bool report)
{
	Search s = {.report = report};
	Visit v = {.body = look_into, .ctx = &s};
	for EACH(Fun *, f, prog->funs)
		look_into(&v, &(*f)->body);
	return s.found;
}

// Passes give variables types in terms of what they leave; the program that goes on has not gone
// through them.
void warn_of_rest(const Prog *prog)
{
	if (!search(prog, false))
		return;
	uint32_t n = n_vars;
	VarInfo *before = NEW_TABLE(VarInfo, n);
	memcpy(before, vars, n * sizeof *before);
	search(run_passes((Prog *)prog, pipeline_soac, &(PassOptions){0}), true);
	memcpy(vars, before, n * sizeof *before);
	table_free(before);
}
