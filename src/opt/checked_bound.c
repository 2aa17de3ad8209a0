// The pass `count_bounds` of checked mode: asserts that loops with #[bound(n)] run at most n
// iterations.
//
//     #[bound(9)] let (x: f64, g: bool) = loop (y: f64 = x0, h: bool = c) while h do {..}
//   ->
//     #[bound(9)] let (x: f64, g: bool, k: i64) = loop (y.., h.., count: i64 = 0) while h do {
//       let (ok: bool) = lt.i64 count 9
//       let (c: cert) = assert ok ("..")
//       ..
//       let (next: i64) = add.i64 count 1
//       in y1, h1, next
//     }
//
// Runs before differentiation, which drops the attribute.  Does nothing unless the check
// `attributes` is enabled.
#include "opt/checked.h"

#include <stdlib.h>

static int64_t bound_of(const Stm *s)
{
	const char *n = attr_argument(s->attrs, "bound");
	return s->exp->form == E_loop && s->exp->loop.is_while && n ? strtoll(n, NULL, 10) : 0;
}

static bool is_bounded(const Stm *s)
{
	return bound_of(s) > 0;
}

static Body counted_body(Body body, Var count, int64_t bound, const Where *where)
{
	Build b = {.where = where};
	b_open(&b);
	MsgVec m = {0};
	msg_say(&m, "A loop with #[bound(%lld)] goes on after ", (long long)bound);
	msg_show(&m, sub_var(count));
	msg_say(&m, " iterations.");
	b_assert(&b, b_lt(&b, sub_var(count), sub_i64(bound)), msg_of(m));
	b_emit_all(&b, body.stms);
	Sub next = b_add(&b, sub_var(count), sub_i64(1));
	return b_close(&b, subs_cat(body.res, subs_of(1, next)));
}

static void count_loop(Stm *s)
{
	Exp *e = exp_dup(s->exp);
	Var count = var_i64("count");
	e->loop.params = vars_cat(e->loop.params, vars_of(1, count));
	e->loop.inits = subs_cat(e->loop.inits, subs_of(1, sub_i64(0)));
	e->loop.body = counted_body(e->loop.body, count, bound_of(s), s->where);
	s->exp = e;
	s->pat = vars_cat(s->pat, vars_of(1, var_i64("count")));
}

static Body count_body(Body body, void *none)
{
	body.stms = SLICE_DUP(Stms, body.stms);
	for EACH(Stm, s, body.stms) {
		s->exp = with_nested_bodies(s->exp, count_body, none);
		if (is_bounded(s))
			count_loop(s);
	}
	return body;
}

Prog *count_bounds(Prog *prog)
{
	return checks_wanted & CHECKS_ATTRIBUTES ? with_bodies(prog, is_bounded, count_body, NULL)
	                                         : prog;
}
