// The pass `lift_checks`: hoists bounds checks out of loops (loop versioning).
//
//     loop (s = 0) for j < n do {                let last = j0 + (n - 1)
//       let (k: i64) = add.i64 j0 j              let ok = 0 <= j0 && 0 <= last && last < m
//       let (c: cert) = assert (0 <= k && k < m) loop (t = 0) for j < (if ok then n else 0) do {
//       let (x: f64) = #{c} index xs [k]    ->     let (x: f64) = index xs [j0 + j] ..
//       ..                                       }
//     }                                          loop (s = t) for j < (if ok then 0 else n) do {
//                                                  as before
//                                                }
//
// An affine index, start + step * j with invariant start and step, is within bounds in all
// iterations if it is in the first and the last one.  If this holds for all such indices of a
// loop, a version without their assertions runs, which can be vectorised.  Otherwise the original
// loop runs, so that the failing iteration is reported, with the same effects before it.
//
// Note [No overflow].  Integers wrap around, so the two ends bound the values in between only if
// start + step * (n - 1) does not overflow.  Both ends must be >= 0, whatever the assertion says.
// With step 1, the sum of two non-negative numbers is negative if it overflows; with step -1,
// nothing can overflow.  For other steps both factors must be less than 2^31, so that the product
// is at most 2^62.
//
// Only small nests are duplicated; the checks that are the same in all iterations of an inner loop
// are outside of that (hoist.c), and lifted out of the loop around it.
//
// Requires: the pass `seq`.  Ensures nothing that other passes rely on.
#include "loop/peel.h"

enum { MAX_STMS = 60 };                 // of the body

typedef struct {
	Build b;
	const Exp *loop;                        // the one at hand
	Map inside;                             // what it binds -> the expression, or NULL
	VEC(Sub) needed;                        // bools that are to hold before
} Lift;

// ---- Indices ----

// start + step * j, both computed before the loop.
typedef struct { Sub start, step; } Line;

static bool line_of(Lift *l, Sub x, Line *out)
{
	Affine a = affine_of(defs_in_map(&l->inside), x), step, start;
	if (!affine_split(&a, l->loop->loop.i, &step, &start) ||
	    affine_any_in(&step, &l->inside) || affine_any_in(&start, &l->inside))
		return false;
	*out = (Line){affine_emit(&l->b, &start), affine_emit(&l->b, &step)};
	return true;
}

// ---- What is to hold before ----

static void need(Lift *l, Sub cond)
{
	for EACH(Sub, c, l->needed)
		if (sub_eq(*c, cond))
			return;
	VEC_PUSH(&l->needed, cond);
}

// See Note [No overflow].
static void need_no_overflow(Lift *l, const Line *x, Sub n_less_1, Sub last)
{
	Sub most = sub_i64((int64_t)1 << 31);
	need(l, b_le(&l->b, sub_i64(0), x->start));
	need(l, b_le(&l->b, sub_i64(0), last));
	if (sub_eq(x->step, sub_i64(1)) || sub_eq(x->step, sub_i64(-1)))
		return;
	need(l, b_le(&l->b, n_less_1, most));
	need(l, b_le(&l->b, x->step, most));
	need(l, b_le(&l->b, sub_i64(-((int64_t)1 << 31)), x->step));
}

// A comparison of an index with what does not change, in all iterations.
static bool need_compared(Lift *l, const Exp *e)
{
	Line x, y;
	if (e->prim.at != PT_I64 || !line_of(l, e->prim.x[0], &x) ||
	    !line_of(l, e->prim.x[1], &y))
		return false;
	bool is_upper = is_int_const(y.step, 0);
	const Line *index = is_upper ? &x : &y;
	if (!is_upper &&
	    !(is_int_const(x.step, 0) && is_int_const(x.start, 0) && e->prim.op == P_le))
		return false;
	if (is_int_const(index->step, 0)) {
		need(l, b_prim2(&l->b, e->prim.op, x.start, y.start));
		return true;
	}
	Sub n_less_1 = b_sub(&l->b, l->loop->loop.n, sub_i64(1));
	Sub last = b_add(&l->b, index->start, b_mul(&l->b, index->step, n_less_1));
	need_no_overflow(l, index, n_less_1, last);
	bool rises = index->step.kind == S_CONST && index->step.val.i > 0;
	bool falls = index->step.kind == S_CONST && index->step.val.i < 0;
	if (is_upper && !rises)
		need(l, b_prim2(&l->b, e->prim.op, index->start, y.start));
	if (is_upper && !falls)
		need(l, b_prim2(&l->b, e->prim.op, last, y.start));
	return true;
}

static bool need_always(Lift *l, Sub cond)
{
	if (cond.kind != S_VAR || !map_has(&l->inside, var_key(cond.var))) {
		need(l, cond);
		return true;
	}
	const Exp *e = map_get(&l->inside, var_key(cond.var));
	if (!e || e->form != E_prim)
		return false;
	switch (e->prim.op) {
	case P_and:
		return need_always(l, e->prim.x[0]) && need_always(l, e->prim.x[1]);
	case P_or:                      // a loop inside never runs, or what it needs (hoist.c)
		return need_always(l, e->prim.x[1]);
	case P_le: case P_lt:
		return need_compared(l, e);
	default: // no bounds of an index
		return false;
	}
}

// ---- Loops ----

static bool has_checks(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_assert_)
			return true;
	return false;
}

static bool has_certs(const Stm *s)
{
	return s->certs.len > 0;
}

// A loop that gives a scalar and needs no check: the nest may be a product, which is taken apart
// from the checks around it later (split_products.c).
static bool is_free_fold(const Stm *s)
{
	return s->exp->form == E_loop && s->pat.len == 1 &&
	       type_is_scalar(vars[s->pat.at[0].id].type) &&
	       !body_find(&s->exp->loop.body, has_certs);
}

static bool fits(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_loop && !e->loop.is_while && !is_device_loop(s->attrs) &&
	       !has_attr(s->attrs, ATTR_REGION) && !has_attr(s->attrs, ATTR_EDGE) &&
	       sub_type(e->loop.n).elem == PT_I64 &&
	       (e->loop.n.kind == S_VAR || e->loop.n.val.i > threshold(AT_checked_iterations)) &&
	       size_of_nest(&e->loop.body, MAX_STMS) <= MAX_STMS && has_checks(&e->loop.body) &&
	       !body_find(&e->loop.body, is_free_fold);
}

static void note_inside(Lift *l, const Exp *loop)
{
	l->loop = loop;
	l->inside = (Map){0};
	l->needed.len = 0;
	map_put(&l->inside, var_key(loop->loop.i), NULL);
	vars_put(&l->inside, loop->loop.params, NULL);
	for EACH(Stm, s, loop->loop.body.stms)
		vars_put(&l->inside, s->pat, s->pat.len == 1 ? s->exp : NULL);
}

// The assertions that can be lifted; what they need is noted.
static Map find_checks(Lift *l, const Exp *loop)
{
	Map lifted = {0};
	for EACH(Stm, s, loop->loop.body.stms) {
		int before = l->needed.len;
		if (s->exp->form != E_assert_)
			continue;
		if (need_always(l, s->exp->assert_.cond))
			subst_put(&lifted, s->pat.at[0], sub_bool(true));
		else
			l->needed.len = before;
	}
	return lifted;
}

// The body without some assertions.
static Body without(Body b, Map *lifted)
{
	Stms stms = {NEW_ARRAY(Stm, b.stms.len), 0};
	for EACH(Stm, s, b.stms)
		if (s->exp->form != E_assert_ || !map_has(lifted, var_key(s->pat.at[0])))
			stms.at[stms.len++] = *s;
	b.stms = stms;
	return body_subst(b, lifted);
}

static void emit_loop(Lift *l, Stm s, Subs inits, Sub n)
{
	s.exp = exp_dup(s.exp);
	s.exp->loop.inits = inits;
	s.exp->loop.n = n;
	b_emit(&l->b, s);
}

static bool lift(void *ctx, const Stm *s)
{
	Lift *l = ctx;
	const Exp *e = s->exp;
	note_inside(l, e);
	Map lifted = find_checks(l, e);
	if (!lifted.len || !may_rewrite())
		return false;
	Sub ok = sub_bool(true);
	for EACH(Sub, c, l->needed)
		ok = b_prim2(&l->b, P_and, ok, *c);
	Stm safe = *s;
	safe.exp = exp_dup(e);
	safe.exp->loop.body = without(e->loop.body, &lifted);
	safe = loop_copy(&safe);
	emit_loop(l, safe, e->loop.inits, b_select(&l->b, ok, e->loop.n, sub_i64(0)));
	emit_loop(l, *s, subs_of_vars(safe.pat), b_select(&l->b, ok, sub_i64(0), e->loop.n));
	return true;
}

Prog *lift_checks(Prog *prog)
{
	Lift l = {0};
	return prog_rewrite_stms(prog, fits, &l.b, lift, &l);
}
