// Checked mode: reports operators that are not associative or commutative, and wrong neutral
// elements.
//
//     let (s: f64) = screma n (xs) map=F reduce=(ne) OP
//   ->
//     let (ok: bool, a: f64, b: f64, ..) = if 1 <= n then {..} else {..}
//     let (c: cert) = assert ok ("The operator is not associative: ..")
//     let (s: f64) = screma n (xs) map=F reduce=(ne) OP
//
// The properties are tested on elements from the beginning, the middle and the end of the input.
//
// Note [Rounding].  Two floats count as equal if their difference is small relative to the largest
// intermediate value, the threshold being the square root of the rounding error.  A wrong operator
// is off by far more, and one built from additions and multiplications by less, whatever the
// cancellation.  If either value is infinite or NaN, nothing is reported.
//
// Note [First values].  Starting a minimum from some element instead of infinity gives the right
// result.  A neutral element is therefore reported only if it matters how often it is combined,
// that is, if op (op ne x) (op ne y) differs from op ne (op x y).
//
// Note [Known operators].  Componentwise sums, products, minima and so on, of scalars or mapped
// over arrays, are known to be associative and are not tested; they make up most inner loops.  Only
// their neutral elements are tested, unless these are constants known to be right.
//
// Note [Some rows].  Operators inside of other combinators are tested in one of 16 rows of the
// combinator around them: a test takes as long as a few dozen elements.  The rows with tests are
// computed apart, before the combinator, which stays as it was, so that its loops can be fused and
// run in vectors; what a test does not need of such a row is removed later:
//
//     let (ys: [n]f64) = screma n (xs) map=F                    F has a reduction in it
//   ->
//     let (m: i64) = quot (add n 15) 16
//     let (tested: [m]bool) = screma m (iota m) map=\k -> {F of xs[16 k], with tests; in true}
//     let (ys: [n]f64) = screma n (xs) map=F
//
// Inside of a combinator that cannot be executed twice, as it adds to an accumulator or consumes
// its rows, tests are done on the way, in the same rows.
//
// Requires and ensures: see checked.c.
#include "opt/checked.h"

#include <math.h>

// ---- Known operators ----

static bool is_known_prim(Prim op, PrimType t)
{
	switch (op) {
	case P_add: case P_mul: case P_min: case P_max: case P_and: case P_or: case P_xor:
		return true;
	case P_eq: // of bools
		return t == PT_BOOL;
	default: // of all others some are no operators, some not associative
		return false;
	}
}

static bool is_neutral(Prim op, Scalar ne)
{
	bool f = is_float(ne.type);
	double x = f ? ne.f : 0;
	switch (op) {
	case P_add: case P_xor:
		return f ? x == 0 : ne.u == 0;
	case P_mul:
		return f ? x == 1 : scalar_eq_bits(ne, scalar_int(ne.type, 1));
	case P_eq:
		return ne.u != 0;
	default: // none that is asked for
		return false;
	}
}

// The operation of one component: of its own two operands, directly or by a map.
static const Exp *component(const Lambda *op, int k)
{
	int n = op->ret.len;
	const Exp *e = def_in(&op->body, op->body.res.at[k]);
	Sub x = sub_var(op->params.at[k]), y = sub_var(op->params.at[n + k]);
	if (!e)
		return NULL;
	if (e->form == E_prim && prim_arity(e->prim.op) == 2 &&
	    ((sub_eq(e->prim.x[0], x) && sub_eq(e->prim.x[1], y)) ||
	     (sub_eq(e->prim.x[0], y) && sub_eq(e->prim.x[1], x))))
		return e;
	if (e->form != E_screma || e->screma.scans.len || e->screma.reds.len ||
	    e->screma.arrs.len != 2 || e->screma.map->ret.len != 1 ||
	    !((sub_eq(e->screma.arrs.at[0], x) && sub_eq(e->screma.arrs.at[1], y)) ||
	      (sub_eq(e->screma.arrs.at[0], y) && sub_eq(e->screma.arrs.at[1], x))))
		return NULL;
	return component(e->screma.map, 0);
}

static bool known_neutral(Prim op, Sub ne, const Body *around)
{
	const Exp *e = ne.kind == S_VAR ? def_in(around, ne) : NULL;
	if (op == P_min || op == P_max || op == P_and || op == P_or)
		return true; // see Note [First values]
	if (e && e->form == E_replicate)
		ne = e->replicate.x;
	return ne.kind == S_CONST && is_neutral(op, ne.val);
}

static bool is_known(const Lambda *op)
{
	for (int k = 0; k < op->ret.len; k++) {
		const Exp *e = component(op, k);
		if (!e || !is_known_prim(e->prim.op, e->prim.at))
			return false;
	}
	return true;
}

static bool has_known_neutral(const Lambda *op, Subs ne, const Body *around)
{
	for (int k = 0; k < op->ret.len; k++)
		if (!known_neutral(component(op, k)->prim.op, ne.at[k], around))
			return false;
	return true;
}

// ---- Comparing ----

// The largest finite magnitude in x, as f64; x of floats.
static Sub magnitude(Build *b, Sub x)
{
	Sub a = b_convert(b, PT_F64, b_prim1(b, P_abs, x));
	return b_select(b, b_finite(b, a), a, sub_const(scalar_float(PT_F64, 0)));
}

static Sub largest_of(Build *b, Sub x)
{
	Type t = sub_type(x);
	if (!is_float(t.elem))
		return sub_const(scalar_float(PT_F64, 0));
	if (!t.dims.len)
		return magnitude(b, x);
	Sub n, flat = b_flat(b, x, &n);
	b_open(b);
	Var p = var_new(name_of("x"), type_scalar(t.elem));
	Lambda *f = b_lambda(b, vars_of(1, p), subs_of(1, magnitude(b, sub_var(p))));
	return b_map_reduce(b, n, subs_of(1, flat), f, P_max, scalar_float(PT_F64, 0));
}

static Sub largest_of_all(Build *b, Subs xs)
{
	Sub most = sub_const(scalar_float(PT_F64, 0));
	for EACH(Sub, x, xs)
		most = b_prim2(b, P_max, most, largest_of(b, *x));
	return most;
}

static double rounding(PrimType t)
{
	return sqrt(t == PT_F64 ? 0x1p-52 : t == PT_F32 ? 0x1p-23 : 0x1p-10);
}

// See Note [Rounding].
static Sub near_scalars(Build *b, Sub x, Sub y, Sub most)
{
	PrimType t = sub_type(x).elem;
	if (!is_float(t))
		return b_eq(b, x, y);
	Sub p = b_convert(b, PT_F64, x), q = b_convert(b, PT_F64, y);
	Sub off = b_prim1(b, P_abs, b_sub(b, p, q));
	Sub may = b_mul(b, most, sub_const(scalar_float(PT_F64, rounding(t))));
	return b_or(b, b_le(b, off, may),
	            b_not(b, b_and(b, b_finite(b, x), b_finite(b, y))));
}

static Sub near(Build *b, Sub x, Sub y, Sub most)
{
	Type t = sub_type(x);
	if (!t.dims.len)
		return near_scalars(b, x, y, most);
	Sub n, xs = b_flat(b, x, &n), ys = b_flat(b, y, &n);
	b_open(b);
	Var p = var_new(name_of("x"), type_scalar(t.elem)),
	    q = var_new(name_of("y"), type_scalar(t.elem));
	Lambda *f = b_lambda(b, vars_of(2, p, q),
	                     subs_of(1, near_scalars(b, sub_var(p), sub_var(q), most)));
	return b_map_reduce(b, n, subs_of(2, xs, ys), f, P_and, scalar_int(PT_BOOL, 1));
}

static Sub all_near(Build *b, Subs xs, Subs ys, Sub most)
{
	Sub all = sub_bool(true);
	for (int i = 0; i < xs.len; i++)
		all = b_and(b, all, near(b, xs.at[i], ys.at[i], most));
	return all;
}

// ---- One law ----

// Values met: `rows` of them, each with the inputs of the operator.
typedef struct { const Lambda *op; Subs ne; Subs x, y, z; } Samples;

typedef struct { Sub holds; Subs left, right; } Law;

static Subs apply2(Build *b, const Samples *s, Subs x, Subs y)
{
	return b_apply(b, s->op, subs_cat(x, y));
}

// Of what is not finite nothing is said: choices by NaNs follow no law.
static Sub holds_for(Build *b, Subs samples, Sub holds)
{
	for EACH(Sub, x, samples)
		if (type_is_float(sub_type(*x)))
			holds = b_or(b, holds, b_not(b, b_all_finite(b, *x)));
	return holds;
}

static Law associative(Build *b, const Samples *s)
{
	Subs xy = apply2(b, s, s->x, s->y), yz = apply2(b, s, s->y, s->z);
	Subs l = apply2(b, s, xy, s->z), r = apply2(b, s, s->x, yz);
	Subs met = subs_cat(subs_cat(subs_cat(s->x, s->y), s->z), subs_cat(xy, yz));
	Sub most = largest_of_all(b, subs_cat(met, subs_cat(l, r)));
	return (Law){holds_for(b, met, all_near(b, l, r, most)), l, r};
}

static Law commutative(Build *b, const Samples *s)
{
	Subs l = apply2(b, s, s->x, s->y), r = apply2(b, s, s->y, s->x);
	Sub most = largest_of_all(b, subs_cat(subs_cat(s->x, s->y), subs_cat(l, r)));
	return (Law){holds_for(b, subs_cat(s->x, s->y), all_near(b, l, r, most)), l, r};
}

static Subs with_neutral(Build *b, const Samples *s, Subs x, bool right)
{
	return right ? apply2(b, s, x, s->ne) : apply2(b, s, s->ne, x);
}

// See Note [First values].
static Law neutral(Build *b, const Samples *s, bool right)
{
	Subs l = with_neutral(b, s, s->x, right), m = with_neutral(b, s, s->y, right);
	Subs often = apply2(b, s, l, m), xy = apply2(b, s, s->x, s->y),
	     once = with_neutral(b, s, xy, right), met = subs_cat(s->x, s->y);
	Sub most = largest_of_all(b, subs_cat(subs_cat(met, xy), subs_cat(often, subs_cat(l, m))));
	Sub holds = b_or(b, all_near(b, l, s->x, most), all_near(b, often, once, most));
	return (Law){holds_for(b, met, holds), l, s->x};
}

// ---- Messages ----

// The scalars among them; what is an array has no short form.
static Subs scalars_of(Subs xs)
{
	VEC(Sub) out = {0};
	for EACH(Sub, x, xs)
		if (!sub_type(*x).dims.len)
			VEC_PUSH(&out, *x);
	return VEC_SLICE(Subs, out);
}

// As a tuple, of n components; `shown` are the scalars among them.
static void msg_values(MsgVec *m, Types ts, Subs shown)
{
	int at = 0;
	if (ts.len != 1)
		msg_say(m, "(");
	for (int i = 0; i < ts.len; i++) {
		if (i)
			msg_say(m, ", ");
		if (ts.at[i].dims.len)
			msg_say(m, "an array");
		else
			msg_show(m, shown.at[at++]);
	}
	if (ts.len != 1)
		msg_say(m, ")");
}

// ---- A check ----

// The combinator around: fewer samples, in some of its rows if it has such.
typedef struct { bool has_row; Var row; } Inside;

// Emits the values of a row, to be given to the operator.
typedef Subs RowFn(Build *, Sub row, void *ctx);
typedef struct {
	const Lambda *op;
	Subs ne;
	bool commutes, known;           // known: associative, and it commutes
	Sub n;
	RowFn *row;
	void *ctx;
	const Inside *inside;           // of another combinator, or NULL
	Types shown;                    // of the scalars among the components
} Check;

enum { LAWS = 4, SOME_ROWS = 16 };
static const char *const law_texts[LAWS] = {
	"is not associative: op (op x y) z is ", "does not commute: op x y is ",
	"has a neutral element that is not neutral: op ne x is ",
	"has a neutral element that is not neutral: op x ne is ",
};
static const char *const law_others[LAWS] = {
	", op x (op y z) is ", ", op y x is ", ", x is ", ", x is ",
};

typedef struct { const Check *c; int law; Subs rows; } Try;

// Whether the law holds, then what differs, then the samples.
static Subs try_law(Build *b, void *ctx)
{
	const Try *t = ctx;
	const Check *c = t->c;
	Samples s = {.op = c->op, .ne = c->ne};
	s.x = c->row(b, t->rows.at[0], c->ctx);
	s.y = c->row(b, t->rows.at[1], c->ctx);
	s.z = t->law == 0 ? c->row(b, t->rows.at[2], c->ctx) : s.x;
	Law l = t->law == 0 ? associative(b, &s) : t->law == 1 ? commutative(b, &s)
	      : neutral(b, &s, t->law == 3);
	Subs out = subs_cat(subs_of(1, l.holds), scalars_of(l.left));
	out = subs_cat(out, scalars_of(l.right));
	out = subs_cat(out, scalars_of(s.x));
	out = subs_cat(out, scalars_of(s.y));
	return subs_cat(out, scalars_of(s.z));
}

static void assert_law(Build *b, const Check *c, int law, Sub any, Subs rows)
{
	int k = c->shown.len;
	Types ts = {NEW_ARRAY(Type, 1 + 5 * k), 1 + 5 * k};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = i ? c->shown.at[(i - 1) % k] : type_scalar(PT_BOOL);
	Subs got = b_guarded(b, any, try_law, &(Try){c, law, rows}, ts);
	MsgVec m = {0};
	msg_say(&m, "The operator %s", law_texts[law]);
	msg_values(&m, c->op->ret, subs_part(got, 1, k));
	msg_say(&m, "%s", law_others[law]);
	msg_values(&m, c->op->ret, subs_part(got, 1 + k, k));
	static const char *const names[] = {"x", "y", "z"};
	for (int i = 0; i < (law == 0 ? 3 : law == 1 ? 2 : 1); i++) {
		msg_say(&m, i ? ", %s = " : " for %s = ", names[i]);
		msg_values(&m, c->op->ret, subs_part(got, 1 + (2 + i) * k, k));
	}
	msg_say(&m, law == 0 ? " (rows " : law == 1 ? " (rows " : " (row ");
	msg_list(&m, subs_part(rows, 0, law == 0 ? 3 : law == 1 ? 2 : 1));
	msg_say(&m, ").");
	b_assert(b, b_or(b, got.at[0], b_not(b, any)), msg_of(m));
}

// Rows 0, n/2, n-1 and, since neighbours are alike in some inputs, 1, 0, n/3.
static void check_operator(Build *b, Check c, const Body *around)
{
	int from = b_len(b);
	c.known = is_known(c.op);
	if (c.known && has_known_neutral(c.op, c.ne, around))
		return;
	c.shown = types_of_subs(scalars_of(subs_of_vars((Vars){c.op->params.at, c.op->ret.len})));
	for EACH(Type, t, c.shown)
		t->unique = false;
	Sub zero = sub_i64(0), any = b_lt(b, zero, c.n), last = b_sub(b, c.n, sub_i64(1));
	if (c.inside && c.inside->has_row) { // see Note [Some rows]
		Sub of = b_prim2(b, P_rem, sub_var(c.inside->row), sub_i64(SOME_ROWS));
		any = b_and(b, any, b_eq(b, of, zero));
	}
	Sub middle = b_prim2(b, P_quot, c.n, sub_i64(2)),
	    third = b_prim2(b, P_quot, c.n, sub_i64(3)),
	    second = b_prim2(b, P_min, sub_i64(1), last);
	const Subs rows[] = {subs_of(3, zero, middle, last), subs_of(3, second, zero, third)};
	for (int i = 0; i < (c.inside ? 1 : 2); i++)
		for (int law = 0; law < (c.inside ? LAWS - 1 : LAWS); law++)
			if (law > 1 || (!c.known && (law == 0 || c.commutes)))
				assert_law(b, &c, law, any, rows[i]);
	mark_checks(b, from);
}

// ---- Where operators are ----

typedef struct { const Exp *e; int from, n; } Rows;

// The map function on a row of its inputs: which of the results the operator takes.
static Subs row_of(Build *b, Sub row, void *ctx)
{
	const Rows *r = ctx;
	Subs args = SLICE_DUP(Subs, r->e->soac.arrs);
	for EACH(Sub, x, args)
		*x = b_index(b, *x, subs_of(1, row));
	return subs_part(b_apply(b, *soac_fn(r->e), args), r->from, r->n);
}

static void check_screma(Build *b, const Exp *e, const Body *around, const Inside *inside)
{
	int from = 0;
	if (any_acc(e->screma.arrs))
		return;
	for (int k = 0; k < e->screma.scans.len + e->screma.reds.len; k++) {
		const Reduction *r = k < e->screma.scans.len
			? &e->screma.scans.at[k] : &e->screma.reds.at[k - e->screma.scans.len];
		Rows rows = {e, from, r->ne.len};
		check_operator(b, (Check){.op = r->op, .ne = r->ne, .commutes = r->comm,
			.n = e->screma.n, .row = row_of, .ctx = &rows,
			.inside = inside}, around);
		from += r->ne.len;
	}
}

static void check_hist(Build *b, const Exp *e, const Body *around, const Inside *inside)
{
	int from = 0;
	if (any_acc(e->hist.arrs))
		return;
	for EACH(HistOp, op, e->hist.ops)
		from += op->space.len;
	for EACH(HistOp, op, e->hist.ops) {
		Rows rows = {e, from, op->ne.len};
		check_operator(b, (Check){.op = op->op, .ne = op->ne, .commutes = true,
			.n = e->hist.n, .row = row_of, .ctx = &rows,
			.inside = inside}, around);
		from += op->ne.len;
	}
}

static Body check_body(Body, void *inside);

static void check_operator_bodies(Reductions *rs)
{
	*rs = SLICE_DUP(Reductions, *rs);
	for EACH(Reduction, r, *rs) {
		Lambda *op = mem_dup(r->op, sizeof *op);
		op->body = check_body(op->body, &(Inside){0});
		r->op = op;
	}
}

static bool has_operator(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_hist ||
	       (e->form == E_screma && (e->screma.scans.len || e->screma.reds.len));
}

// All statements of a body, and inside of them.
static Body trusted_body(Body b, void *none)
{
	b.stms = SLICE_DUP(Stms, b.stms);
	for EACH(Stm, s, b.stms) {
		s->exp = with_nested_bodies(s->exp, trusted_body, none);
		s->attrs = with_attr(s->attrs, ATTR_TRUSTED);
	}
	return b;
}

// See Note [Some rows].
static void test_some_rows(Build *b, const Exp *e)
{
	Sub some = sub_i64(SOME_ROWS), more = b_add(b, e->screma.n, sub_i64(SOME_ROWS - 1)),
	    m = b_prim2(b, P_quot, more, some), ks = b_iota(b, m);
	b_open(b);
	Var k = var_i64("k");
	Sub row = b_mul(b, sub_var(k), some);
	Subs args = SLICE_DUP(Subs, e->screma.arrs);
	for EACH(Sub, x, args)
		*x = b_index(b, *x, subs_of(1, row));
	Lambda f = *e->screma.map;
	f.body = trusted_body(check_body(f.body, &(Inside){0}), NULL);
	b_apply(b, &f, args);
	Lambda *test = b_lambda(b, vars_of(1, k), subs_of(1, sub_bool(true)));
	b_let(b, "tested", type_array(PT_BOOL, subs_of(1, m)),
	      EXP(screma, .n = m, .arrs = subs_of(1, ks), .map = test));
}

// The function is told the number of the row, if a check needs it.
static Exp *check_inside_screma(Build *b, const Exp *e)
{
	Exp *out = exp_dup(e);
	Inside in = {true, var_i64("row")};
	Lambda *f = mem_dup(e->screma.map, sizeof *f);
	check_operator_bodies(&out->screma.scans);
	check_operator_bodies(&out->screma.reds);
	if (has_own_rows(e)) {
		int from = b_len(b);
		if (body_find(&f->body, has_operator))
			test_some_rows(b, e);
		mark_checks(b, from);
		return out;
	}
	f->body = check_body(f->body, &in);
	out->screma.map = f;
	if (n_uses_in(&f->body, in.row)) {
		out->screma.arrs = subs_cat(e->screma.arrs, subs_of(1, b_iota(b, e->screma.n)));
		f->params = vars_cat(f->params, vars_of(1, in.row));
	}
	return out;
}

static Exp *check_nested(Build *b, const Stm *s, void *inside)
{
	if (s->exp->form == E_screma)
		return check_inside_screma(b, s->exp);
	return with_nested_bodies(s->exp, check_body,
	                          form_has(s->exp->form, FORM_SOAC) ? &(Inside){0} : inside);
}

static Body check_body(Body body, void *inside)
{
	Build b = {0};
	b_open(&b);
	for EACH(Stm, s, body.stms) {
		Stm t = *s;
		b.where = s->where;
		if (!is_trusted(s))
			t.exp = check_nested(&b, s, inside);
		if (s->exp->form == E_screma && !is_trusted(s))
			check_screma(&b, s->exp, &body, inside);
		else if (s->exp->form == E_hist && !is_trusted(s))
			check_hist(&b, s->exp, &body, inside);
		b_emit(&b, t);
	}
	return b_close(&b, body.res);
}

// `function` is the one at hand: outside of combinators.
static Body check_outside(Body body, void *function)
{
	(void)function;
	return check_body(body, NULL);
}

Prog *check_operators(Prog *prog)
{
	return with_bodies(prog, has_operator, check_outside, NULL);
}
