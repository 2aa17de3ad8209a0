// Checked mode: assertions on what the language leaves to the program.
//
//     let (ys: [k]f64) = scatter n (is, vs) dest=[k] xs 1 map=..
//   ->
//     let (ys: [k]f64) = scatter n (is, vs) dest=[k] xs 1 map=..
//     let (r: i64) = (the first row whose value is not what ys has at its place, or n)
//     let (ok: bool) = le.i64 n r
//     let (c: cert) = assert ok ("Two values for index [", i, "]: ..")
//
// All of it is core, so that every back end, the interpreter and the checker of core treat it as
// they treat the program.  The pass `check_uses` has the checks scatter (checked_write.c),
// operators (checked_operator.c) and uninitialised (checked_scratch.c).  It requires a program as
// it was written, with its calls inlined: what the compiler makes of derivatives is trusted.
// `check_numbers` has overflow (checked_integer.c) and nan (checked_float.c), which hold for
// derivatives too, and requires that there are none left to be taken.  Both come before anything is
// fused or moved, and ensure only that the program does what it did where no assertion fails.
// The check attributes is `count_bounds` (checked_bound.c); and lowering ignores #[unsafe].
#include "opt/checked.h"

#include <float.h>
#include <stdarg.h>

// ---- Which ----

static const char *const check_names[] = { // ORDER: Checks
	"scatter", "operators", "uninitialised", "overflow", "nan", "attributes",
};
enum { N_CHECKS = sizeof check_names / sizeof *check_names };

unsigned checks_wanted;

const char *checks_of_names(const char *list, unsigned *out)
{
	if (!list) {
		*out |= ((1u << N_CHECKS) - 1) & ~(unsigned)CHECKS_OVERFLOW;
		return NULL;
	}
	while (*list) {
		size_t n = strcspn(list, ",");
		int i = 0;
		while (i < N_CHECKS && (strlen(check_names[i]) != n ||
		                        strncmp(check_names[i], list, n) != 0))
			i++;
		if (i == N_CHECKS)
			return text("there is no check \"%.*s\"; there are scatter, operators, "
			            "uninitialised, overflow, nan and attributes", (int)n, list);
		*out |= 1u << i;
		list += n + (list[n] == ',');
	}
	return NULL;
}

// ---- The pass ----

Prog *check_uses(Prog *prog)
{
	if (checks_wanted & CHECKS_OPERATORS)
		prog = check_operators(prog);
	if (checks_wanted & CHECKS_SCATTER)
		prog = check_writes(prog);
	if (checks_wanted & CHECKS_UNINITIALISED)
		prog = check_scratch(prog);
	return prog;
}

Prog *check_numbers(Prog *prog)
{
	if (checks_wanted & CHECKS_OVERFLOW)
		prog = check_integers(prog);
	if (checks_wanted & CHECKS_NAN)
		prog = check_floats(prog);
	return prog;
}

bool is_preludes_scratch(const Stm *s)
{
	const Source *file = s->where ? source_of(s->where->span.lo) : NULL;
	return s->exp->form == E_scratch && file && str_starts(file->name, "/prelude/");
}

// ---- Bodies ----

typedef struct { BodyFn *make; void *ctx; } Remake;

static void remake_body(Visit *v, Body *b)
{
	const Remake *r = v->ctx;
	*b = r->make(*b, r->ctx);
}

Exp *with_nested_bodies(Exp *e, BodyFn *make, void *ctx)
{
	Visit v = {.body = remake_body, .copy = true, .ctx = &(Remake){make, ctx}};
	return form_has(e->form, FORM_NEST) ? exp_visit(e, &v) : e;
}

Prog *with_bodies(Prog *prog, StmTest *test, BodyFn *make, void *ctx)
{
	if (!prog_find(prog, test))
		return prog;
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	for EACH(Fun *, f, out->funs) {
		Fun *g = *f;
		if (body_find(&g->body, test)) {
			g->body = make(g->body, ctx ? ctx : g);
			g->simple = g->lean = g->distinct = g->reduced = g->callless = NULL;
		}
		fun_new_callees(g, &funs);
	}
	return out;
}

// ---- Messages ----

void msg_say(MsgVec *m, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	Str s = {0};
	str_vprintf(&s, fmt, ap);
	va_end(ap);
	VEC_PUSH(m, (MsgPart){.text = str_text(&s)});
}

void msg_show(MsgVec *m, Sub x)
{
	VEC_PUSH(m, (MsgPart){.val = x, .is_val = true});
}

void msg_list(MsgVec *m, Subs xs)
{
	for (int i = 0; i < xs.len; i++) {
		if (i)
			msg_say(m, ", ");
		msg_show(m, xs.at[i]);
	}
}

// ---- Emitting ----

void mark_checks(Build *b, int from)
{
	b_add_attr(b, from, ATTR_TRUSTED);
}

bool is_finite_type(Type t)
{
	return t.kind == T_DATA && is_float(t.elem);
}

Sub b_not(Build *b, Sub x)
{
	return b_prim1(b, P_not, x);
}

Sub b_and(Build *b, Sub x, Sub y)
{
	return b_prim2(b, P_and, x, y);
}

Sub b_or(Build *b, Sub x, Sub y)
{
	return b_prim2(b, P_or, x, y);
}

static double largest(PrimType t)
{
	return t == PT_F64 ? DBL_MAX : t == PT_F32 ? FLT_MAX : 65504;
}

Sub b_finite(Build *b, Sub x)
{
	PrimType t = sub_type(x).elem;
	return b_le(b, b_prim1(b, P_abs, x), sub_const(scalar_float(t, largest(t))));
}

Sub b_flat(Build *b, Sub arr, Sub *n)
{
	Subs dims = sub_type(arr).dims;
	*n = dims.len == 1 ? dims.at[0] : b_product(b, dims);
	return dims.len == 1 ? arr : b_reshape(b, subs_of(1, *n), arr);
}

Lambda *b_operator(Build *b, Prim op, PrimType t)
{
	b_open(b);
	Var x = var_new(name_of("x"), type_scalar(t)), y = var_new(name_of("y"), type_scalar(t));
	return b_lambda(b, vars_of(2, x, y),
	                subs_of(1, b_prim2(b, op, sub_var(x), sub_var(y))));
}

// A reduction of what `f` makes of the elements.
Sub b_map_reduce(Build *b, Sub n, Subs arrs, Lambda *f, Prim op, Scalar ne)
{
	Lambda *with = b_operator(b, op, ne.type);
	Exp *e = NEW(Exp, .form = E_screma, .screma = {.n = n, .arrs = arrs, .map = f,
		.reds = {NEW(Reduction, with, subs_of(1, sub_const(ne)), true), 1}});
	return b_let(b, "all", type_scalar(ne.type), e);
}

// 0 x is a NaN if x is not finite, and so are sums of it; these are done by vector instructions.
Sub b_all_finite(Build *b, Sub x)
{
	Type t = sub_type(x);
	if (!t.dims.len)
		return b_finite(b, x);
	Sub n, flat = b_flat(b, x, &n);
	b_open(b);
	Var p = var_new(name_of("x"), type_scalar(t.elem));
	Sub zero = sub_const(scalar_float(t.elem, 0));
	Lambda *f = b_lambda(b, vars_of(1, p), subs_of(1, b_mul(b, sub_var(p), zero)));
	Sub sum = b_map_reduce(b, n, subs_of(1, flat), f, P_add, zero.val);
	return b_eq(b, sum, zero);
}

static Sub same_scalars(Build *b, Sub x, Sub y)
{
	PrimType t = sub_type(x).elem;
	if (!is_float(t))
		return b_eq(b, x, y);
	return b_or(b, b_eq(b, x, y), b_and(b, b_prim1(b, P_isnan, x), b_prim1(b, P_isnan, y)));
}

Sub b_same(Build *b, Sub x, Sub y)
{
	Type t = sub_type(x);
	if (!t.dims.len)
		return same_scalars(b, x, y);
	Sub n, flat_x = b_flat(b, x, &n), flat_y = b_flat(b, y, &n);
	b_open(b);
	Var p = var_new(name_of("x"), type_scalar(t.elem)),
	    q = var_new(name_of("y"), type_scalar(t.elem));
	Lambda *f = b_lambda(b, vars_of(2, p, q),
	                     subs_of(1, same_scalars(b, sub_var(p), sub_var(q))));
	return b_map_reduce(b, n, subs_of(2, flat_x, flat_y), f, P_and, scalar_int(PT_BOOL, 1));
}

Sub b_first_not(Build *b, Sub n, HoldsFn *holds, void *ctx)
{
	Sub rows = b_iota(b, n);
	b_open(b);
	Var i = var_new(name_of("i"), type_scalar(PT_I64));
	Sub ok = holds(b, sub_var(i), ctx);
	Lambda *f = b_lambda(b, vars_of(1, i), subs_of(1, b_select(b, ok, n, sub_var(i))));
	Sub first = b_map_reduce(b, n, subs_of(1, rows), f, P_min, scalar_int(PT_I64, INT64_MAX));
	return b_prim2(b, P_min, first, n);
}

typedef struct { Sub xs, ys; } Both;

static Sub same_row(Build *b, Sub row, void *ctx)
{
	const Both *both = ctx;
	return same_scalars(b, b_index(b, both->xs, subs_of(1, row)),
	                    b_index(b, both->ys, subs_of(1, row)));
}

Sub b_first_different(Build *b, Sub n, Sub xs, Sub ys)
{
	Sub at = b_first_not(b, n, same_row, &(Both){xs, ys});
	return b_select(b, b_lt(b, at, n), at, sub_i64(0));
}

Subs b_apply(Build *b, const Lambda *fn, Subs args)
{
	const Lambda *l = lambda_rename(fn);
	for (int i = 0; i < l->params.len; i++) {
		Type *t = &vars[l->params.at[i].id].type;
		Sub x = t->unique && t->dims.len ? b_copy(b, args.at[i]) : args.at[i];
		t->unique = false;
		b_stm(b, vars_of(1, l->params.at[i]), NEW(Exp, .form = E_atom, .atom = {x}));
	}
	for EACH(Stm, s, l->body.stms)
		b_emit(b, *s);
	return l->body.res;
}

Subs b_guarded(Build *b, Sub cond, EmitFn *emit, void *ctx, Types types)
{
	b_open(b);
	Subs values = emit(b, ctx);
	Body yes = b_close(b, values);
	Body no = {.res = {NEW_ARRAY(Sub, types.len), types.len}};
	for (int i = 0; i < types.len; i++)
		no.res.at[i] = sub_const(scalar_int(types.at[i].elem, 0));
	return b_lets(b, "seen", types, NEW(Exp, .form = E_if_, .if_ = {cond, yes, no}));
}
