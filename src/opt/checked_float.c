// Checked mode: where the first infinity or NaN comes from.
//
//     let (a: f64) = div.f64 x y
//     let (b: f64) = mul.f64 a z
//   ->
//     let (a: f64) = div.f64 x y
//     let (b: f64) = mul.f64 a z
//     let (fine: bool) = (is b finite?)
//     let (ok: bool) = if fine then {true} else {
//       let (c: cert) = assert (not (x and y are finite and a is not)) ("..", x, " / ", y, ..)
//       let (d: cert) = assert (not (a and z are finite and b is not)) ("..", a, " * ", z, ..)
//       let (r: bool) = #{c, d} opaque (true)
//       in r
//     }
//     let (e: cert) = assert ok ("..")
//
// An operation is told of if its result is not finite although its operands are, or a NaN that
// none of them was; infinities and NaNs that the program was given or wrote down are none.
// Operations are looked at in segments: those between nested bodies, and between assertions
// that may depend on them.  Only the ends of a segment are tested: most operations hand on what
// is not finite.
//
// Note [Twins].  Combinators outside of others are left alone as far as what is not finite shows
// in their results (checked_cover.c).  These are tested as a whole, and if one is not finite, a
// twin of the combinator with all checks is executed, which finds the operation, and the row.
//
// Requires and ensures: as checked.c.
#include "opt/checked_float.h"

// ---- Operations ----

bool is_float_operation(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_prim ? is_float(prim_result(e->prim.op, e->prim.at))
	     : e->form == E_convert && is_float(e->convert.to);
}

int n_float_operands(const Exp *e)
{
	return e->form == E_convert ? 1 : prim_arity(e->prim.op);
}

Sub float_operand(const Exp *e, int i)
{
	return e->form == E_convert ? e->convert.x : e->prim.x[i];
}

bool can_create(const Exp *e)
{
	if (e->form == E_convert) {
		PrimType from = sub_type(e->convert.x).elem;
		return is_float(from) ? primtype_size(e->convert.to) < primtype_size(from)
		                      : e->convert.to == PT_F16;
	}
	switch (e->prim.op) {
	case P_neg: case P_abs: case P_sgn: case P_min: case P_max: case P_ceil: case P_floor:
	case P_round: case P_trunc: case P_copysign: case P_from_bits:
		return false;
	default: // arithmetic and functions
		return true;
	}
}

bool hands_on(const Exp *e, int i)
{
	if (e->form == E_convert)
		return true;
	switch (e->prim.op) {
	case P_add: case P_sub: case P_mul: case P_neg: case P_abs: case P_fma: case P_mad:
	case P_sqrt: case P_cbrt: case P_log: case P_log2: case P_log10: case P_log1p: case P_sin:
	case P_cos: case P_tan: case P_ceil: case P_floor: case P_round: case P_trunc: case P_cosh:
	case P_sinh: case P_asinh:
		return true;
	case P_div:
		return i == 0;
	default: // such as exp, tanh and quotients: of infinities they make something finite
		return false;
	}
}

// ---- One operation ----

// The rows and iterations around it, innermost first.
typedef struct At { Sub i; const struct At *up; } At;
typedef struct { Cover cover; } Floats;

static void msg_at(MsgVec *m, const At *at)
{
	if (!at)
		return;
	if (at->up) {
		msg_at(m, at->up);
		msg_say(m, ", ");
	}
	msg_show(m, at->i);
}

// Does it not make what is not finite of what is?
static Sub is_innocent(Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	Sub r = sub_var(s->pat.at[0]), any_nan = sub_bool(false), any_bad = sub_bool(false);
	for (int i = 0; i < n_float_operands(e); i++) {
		Sub x = float_operand(e, i);
		if (!is_float(sub_type(x).elem))
			continue;
		any_nan = b_or(b, any_nan, b_prim1(b, P_isnan, x));
		any_bad = b_or(b, any_bad, b_not(b, b_finite(b, x)));
	}
	Sub nan = b_prim1(b, P_isnan, r);
	return b_select(b, nan, any_nan, b_or(b, b_finite(b, r), any_bad));
}

static const char *infix(Prim op)
{
	return op == P_add ? " + " : op == P_sub ? " - " : op == P_mul ? " * "
	     : op == P_div ? " / " : op == P_pow ? " ** " : NULL;
}

static void msg_operation(MsgVec *m, const Exp *e)
{
	const char *sign = e->form == E_prim ? infix(e->prim.op) : NULL;
	if (!sign)
		msg_say(m, "%s", e->form == E_prim ? prim_name[e->prim.op]
		                                   : primtype_name[e->convert.to]);
	for (int i = 0; i < n_float_operands(e); i++) {
		msg_say(m, "%s", i && sign ? sign : i || !sign ? " " : "");
		msg_show(m, float_operand(e, i));
	}
}

static Var assert_innocent(Build *b, const Stm *s, const At *at)
{
	MsgVec m = {0};
	b->where = s->where;
	Sub ok = is_innocent(b, s);
	msg_say(&m, "The first value that is not finite%s: ",
	        s->where && s->where->derived ? ", in a derivative" : "");
	msg_operation(&m, s->exp);
	msg_say(&m, " is ");
	msg_show(&m, sub_var(s->pat.at[0]));
	if (at) {
		msg_say(&m, " at [");
		msg_at(&m, at);
		msg_say(&m, "]");
	}
	msg_say(&m, ".");
	return b_assert(b, ok, msg_of(m));
}

// ---- Segments ----

// if fine then {true} else {no}, asserted
static void assert_fine(Build *b, Sub fine, Body no)
{
	Body yes = {.res = subs_of(1, sub_bool(true))};
	Sub ok = b_let(b, "fine", type_scalar(PT_BOOL),
	               NEW(Exp, .form = E_if_, .if_ = {fine, yes, no}));
	MsgVec m = {0};
	msg_say(&m, "A value is not finite.");
	b_assert(b, ok, msg_of(m));
}

static Sub opaque_true(Build *b, Vars certs, Subs needs)
{
	Vars outer = b->certs;
	b->certs = certs;
	Subs xs = subs_cat(subs_of(1, sub_bool(true)), needs);
	Types ts = types_of_subs(xs);
	for EACH(Type, t, ts)
		t->unique = false;
	Sub ok = b_lets(b, "ok", ts, NEW(Exp, .form = E_opaque, .opaque = {xs})).at[0];
	b->certs = outer;
	return ok;
}

typedef struct { const Body *b; int *segment; bool *tested; } Plan;

static bool is_lossy(const Stm *s)
{
	const Exp *e = s->exp;
	return (e->form == E_prim && is_float(e->prim.at)) ||
	       (e->form == E_convert && is_float(sub_type(e->convert.x).elem));
}

static bool is_nest(const Stm *s)
{
	return form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call;
}

static void find_segments(Plan *p)
{
	int n = 0;
	bool lossy = false;
	for (int i = 0; i < p->b->stms.len; i++) {
		const Stm *s = &p->b->stms.at[i];
		bool breaks = is_nest(s) || (s->exp->form == E_assert_ && lossy);
		n += breaks;
		lossy = (lossy && !breaks) || (is_lossy(s) && !is_float_operation(s));
		p->segment[i] = n;
		n += is_nest(s);
	}
}

// Operations that nothing in their segment hands on, nor the combinator around it.
static Plan plan_of(const Floats *f, const Body *b)
{
	Plan p = {b, NEW_ARRAY(int, b->stms.len + 1), NEW_ARRAY(bool, b->stms.len + 1)};
	find_segments(&p);
	Map handed = {0};                       // variable -> the last segment where it is, + 1
	for (int i = b->stms.len; i-- > 0; ) {
		const Stm *s = &b->stms.at[i];
		if (!is_float_operation(s) || is_trusted(s))
			continue;
		const void *key = var_key(s->pat.at[0]);
		p.tested[i] = (intptr_t)map_get(&handed, key) != p.segment[i] + 1 &&
		              !is_seen(&f->cover, sub_var(s->pat.at[0]));
		for (int k = 0; k < n_float_operands(s->exp); k++) {
			Sub x = float_operand(s->exp, k);
			if (x.kind == S_VAR && hands_on(s->exp, k))
				map_put(&handed, var_key(x.var),
				        (void *)(intptr_t)(p.segment[i] + 1));
		}
	}
	return p;
}

// After the statements `from` .. `to` - 1, a segment.
static void test_segment(Build *b, const Plan *p, int from, int to, const At *at)
{
	Sub fine = sub_bool(true);
	bool creates = false, tested = false;
	for (int i = from; i < to; i++) {
		const Stm *s = &p->b->stms.at[i];
		creates |= is_float_operation(s) && !is_trusted(s) && can_create(s->exp);
		tested |= p->tested[i];
	}
	if (!creates || !tested)
		return;
	int start = b_len(b);
	for (int i = from; i < to; i++)
		if (p->tested[i])
			fine = b_and(b, fine, b_finite(b, sub_var(p->b->stms.at[i].pat.at[0])));
	b_open(b);
	Vars certs = {0};
	for (int i = from; i < to; i++) {
		const Stm *s = &p->b->stms.at[i];
		if (is_float_operation(s) && !is_trusted(s) && can_create(s->exp))
			certs = vars_cat(certs, vars_of(1, assert_innocent(b, s, at)));
	}
	assert_fine(b, fine, b_close(b, subs_of(1, opaque_true(b, certs, (Subs){0}))));
	mark_checks(b, start);
}

// ---- Bodies ----

static Body check_body(Floats *, Body, bool outside, const At *);

// A combinator inside of others, or one that cannot be executed twice.
static Lambda *check_lambda(Floats *f, const Lambda *l, const At *at)
{
	Lambda *out = mem_dup(l, sizeof *l);
	out->body = check_body(f, l->body, false, at);
	return out;
}

static void check_operators_of(Floats *f, Reductions *rs, const At *at)
{
	*rs = SLICE_DUP(Reductions, *rs);
	for EACH(Reduction, r, *rs)
		r->op = check_lambda(f, r->op, at);
}

// The number of the row is given to the function if a message wants to show it.
static Exp *check_screma(Floats *f, Build *b, const Exp *e, const At *at)
{
	Exp *out = exp_dup(e);
	Var row = var_new(name_of("row"), type_scalar(PT_I64));
	At inside = {sub_var(row), at};
	out->screma.map = check_lambda(f, e->screma.map, &inside);
	check_operators_of(f, &out->screma.scans, at);
	check_operators_of(f, &out->screma.reds, at);
	if (n_uses_in(&out->screma.map->body, row)) {
		out->screma.arrs = subs_cat(e->screma.arrs, subs_of(1, b_iota(b, e->screma.n)));
		out->screma.map->params = vars_cat(e->screma.map->params, vars_of(1, row));
	}
	return out;
}

static bool creates_one(const Stm *s)
{
	return is_float_operation(s) && can_create(s->exp) && !is_trusted(s);
}

static bool can_have_twin(const Stm *s)
{
	const Exp *e = s->exp;
	for EACH(Sub, x, e->screma.arrs)
		if (sub_type(*x).kind == T_ACC)
			return false;
	for EACH(Var, p, e->screma.map->params)
		if (vars[p->id].type.unique)
			return false;
	return exp_find(e, creates_one) != NULL;
}

static Reductions operators_renamed(Reductions rs)
{
	rs = SLICE_DUP(Reductions, rs);
	for EACH(Reduction, r, rs)
		r->op = lambda_rename(r->op);
	return rs;
}

// See Note [Twins].
static void check_results(Floats *f, Build *b, const Stm *s, const At *at)
{
	int from = b_len(b);
	Sub fine = sub_bool(true);
	for EACH(Var, p, s->pat)
		if (is_finite_type(vars[p->id].type))
			fine = b_and(b, fine, b_all_finite(b, sub_var(*p)));
	if (fine.kind == S_CONST)
		return;
	Exp *twin = exp_dup(s->exp);
	twin->screma.map = lambda_rename(s->exp->screma.map);
	twin->screma.scans = operators_renamed(s->exp->screma.scans);
	twin->screma.reds = operators_renamed(s->exp->screma.reds);
	b_open(b);
	twin = check_screma(f, b, twin, at);
	Types ts = types_of_vars(s->pat);
	for EACH(Type, t, ts)
		t->unique = false;
	Subs again = b_lets(b, "again", ts, twin);
	assert_fine(b, fine, b_close(b, subs_of(1, opaque_true(b, (Vars){0}, again))));
	mark_checks(b, from);
}

static void check_arms(Floats *f, Exp *e, bool outside, const At *at)
{
	if (e->form == E_if_) {
		e->if_.yes = check_body(f, e->if_.yes, outside, at);
		e->if_.no = check_body(f, e->if_.no, outside, at);
		return;
	}
	e->match.cases = SLICE_DUP(CoreCases, e->match.cases);
	for EACH(CoreCase, k, e->match.cases)
		k->body = check_body(f, k->body, outside, at);
	e->match.other = check_body(f, e->match.other, outside, at);
}

static void check_loop(Floats *f, Exp *e, bool outside, const At *at)
{
	At inside = {sub_var(e->loop.i), at};
	e->loop.body = check_body(f, e->loop.body, outside, e->loop.is_while ? at : &inside);
}

typedef struct { Floats *f; const At *at; } Inside;

static Body check_inside(Body b, void *ctx)
{
	const Inside *in = ctx;
	return check_body(in->f, b, false, in->at);
}

static Exp *check_nest(Floats *f, Build *b, const Stm *s, bool outside, const At *at)
{
	Exp *e = exp_dup(s->exp);
	switch (e->form) {
	case E_if_: case E_match:
		check_arms(f, e, outside, at);
		return e;
	case E_loop:
		check_loop(f, e, outside, at);
		return e;
	case E_screma:
		if (outside && can_have_twin(s))
			cover_results(&f->cover, e);
		return check_screma(f, b, e, at);
	default: // histograms and the like: each lambda by itself
		return with_nested_bodies(s->exp, check_inside, &(Inside){f, at});
	}
}

static Body check_body(Floats *f, Body body, bool outside, const At *at)
{
	body = sink_floats(body);
	Plan p = plan_of(f, &body);
	Build b = {0};
	b_open(&b);
	int from = 0;
	for (int i = 0; i < body.stms.len; i++) {
		const Stm *s = &body.stms.at[i];
		if (i && p.segment[i] != p.segment[i - 1]) {
			test_segment(&b, &p, from, i, at);
			from = i;
		}
		Stm t = *s;
		b.where = s->where;
		bool nest = form_has(s->exp->form, FORM_NEST) && !is_trusted(s);
		if (nest)
			t.exp = check_nest(f, &b, s, outside, at);
		b_emit(&b, t);
		if (nest && outside && s->exp->form == E_screma && can_have_twin(s))
			check_results(f, &b, s, at);
	}
	test_segment(&b, &p, from, body.stms.len, at);
	return b_close(&b, body.res);
}

static Body check_outside(Body b, void *ctx)
{
	return check_body(ctx, b, true, NULL);
}

Prog *check_floats(Prog *prog)
{
	Floats f = {0};
	return with_bodies(prog, creates_one, check_outside, &f);
}
