// Applications, operators and sections.
//
// Arguments are taken one after the other.  A parameter with a name stands for its argument
// in the rest of the function's type, if the argument can be a size; existential sizes of the
// result become unknown sizes of the application:
//
//     replicate (n + 1) x      (n: i64) -> t -> *[n]t     gives *[n + 1]t
//     filter p xs              ... -> ?[m].*[m]a          gives *[d₁]a, d₁ comes into being
//
// Lambdas are looked at after the other arguments, with the parameter types that these have
// led to: in reduce (\x y -> ...) ne xs the sizes of x and y are then those of ne.
#include "check/size.h"

// An application in progress.
typedef struct { Ty *expected; Expr *arg; } Later;
typedef struct {
	Sizer *z;
	Expr *e;
	const Expr *fn;         // NULL: the operator `op`
	QualName op;
	Ty *type;               // of the function, as far as it has been applied
	int made;               // unknown sizes that the expression had before
	int first_meta;         // size variables that are younger belong to the application
	VEC(Later) later;
	bool failed;            // an argument did not fit: the sizes of the result may be any
} App;

// ---- Arguments ----

Bindings unknowns_since(const Expr *e, int made)
{
	int n = e->unknowns.len - made;
	return n ? (Bindings){mem_dup(e->unknowns.at + made, (size_t)n * sizeof(Binding *)), n}
	         : (Bindings){0};
}

static Ty *size_arg(Sizer *z, Expr *arg, Ty *expected)
{
	if (arg->kind == EX_PAREN)
		return arg->type = size_arg(z, arg->inner, expected);
	if (arg->kind == EX_ATTR)
		return arg->type = size_arg(z, arg->attr.body, expected);
	if (arg->kind == EX_LAMBDA)
		return arg->type = size_lambda(z, arg, expected);
	return size_exp(z, arg);
}

// Does the application bring the size into being without an array that has it?
static bool is_unwitnessed(void *ctx, Size *leaf)
{
	const App *a = ctx;
	for (int i = a->made; leaf->kind == SZ_VAR && i < a->e->unknowns.len; i++)
		if (a->e->unknowns.at[i] == leaf->var)
			return !values_have_size(a->type, leaf->var);
	return false;
}

static bool left_unknown(void *ctx, Size *s, bool under, bool left)
{
	(void)under;
	return left && size_any(s, is_unwitnessed, ctx);
}

// A size that comes into being with the application cannot be needed for arguments still to
// come: f >-> g, with a size unknown until f has been applied.  A function that takes it may
// come with an array that has it, though: (a -> b, [k]c), where a mentions k.
static void check_left(App *a)
{
	if (a->e->unknowns.len == a->made || a->failed)
		return;
	if (visit_sizes(&(SizeVisit){left_unknown, a}, a->type))
		fail(a->e->span, "existential-param-ret",
		     "Existential size would appear in function parameter of return type:\n%s",
		     show_ty(a->type));
}

static Matching *start_matching(const App *a, Ty *expected, Ty *rest)
{
	Matching *m = NEW(Matching, .at = a->e, .first_meta = a->first_meta, .expected = expected,
	                  .rest = rest);
	m->later = (Tys){NEW_ARRAY(Ty *, a->later.len), 0};
	for EACH(Later, l, a->later)
		m->later.at[m->later.len++] = l->expected;
	return m;
}

// Whether the function is instantiated here, so that nothing else depends on the instance.
static bool has_own_instance(const App *a)
{
	return !a->fn || behind_parens(a->fn)->kind == EX_VAR;
}

// Matches again whenever sizes of lifted type parameters turn out to be unknown.
static bool match_lifted(App *a, Ty **expected, Ty *rest, Ty *t)
{
	Matching *outer = a->z->matching, *m = start_matching(a, *expected, rest);
	a->z->matching = has_own_instance(a) ? m : NULL;
	bool fits;
	do {
		m->untied = false;
		int made = a->e->unknowns.len;
		fits = match_types(a->z, a->e, *expected, t);
		if (m->untied) {
			Bindings unknowns = unknowns_since(a->e, made);
			m->expected = *expected = hide_in_results(*expected, unknowns);
			for EACH(Later, l, a->later)
				l->expected = hide_in_results(l->expected, unknowns);
		}
	} while (fits && m->untied);
	a->z->matching = outer;
	return fits;
}

static bool note_of_argument(void *ctx, Size *s, bool under, bool left)
{
	(void)ctx, (void)under, (void)left;
	s = size_resolve(s);
	if (s->kind == SZ_META)
		size_variable(s)->of_argument = true;
	return false;
}

// `rest`: the type of the function once it is applied to this argument.
static void match_arg(App *a, Ty *expected, Expr *arg, Ty *rest)
{
	Ty *t = size_arg(a->z, arg, expected);
	Cause why = {.kind = a->fn ? FOR_ARG : FOR_OPERAND, .span = arg->span, .at = a->e,
	             .fn = a->fn, .arg = arg};
	bool fits = match_lifted(a, &expected, rest, t);
	if (fits && behind_parens(arg)->kind == EX_HOLE)
		visit_sizes(&(SizeVisit){note_of_argument, NULL}, t);
	if (fits)
		return;
	if (!a->fn)
		why.text = show_qualname(a->op);
	report_match(a->z, &why, expected, t);
	a->failed = true;
}

// What the result looks like once the parameter is the argument.
static Ty *result_for(Ty *arrow, Expr *arg, Bindings *dead)
{
	Ty *to = arrow->arrow.to;
	Binding *param = arrow->arrow.param;
	if (!param || !sizes_mention(to, param))
		return to;
	Size *s = size_of_expr(arg);
	if (s)
		return replace_size(to, param, s);
	if (expr_binds(arg))
		diag_warn(arg->span, "size-expression-bind",
		          "Size expression with binding is replaced by unknown size.");
	bindings_push(dead, param);
	return to;
}

static void apply_to(App *a, Expr *arg, bool last)
{
	Ty *arrow = force_ty(a->type, a->z, arg->span);
	if (arrow->kind != TY_ARROW) {
		a->z->saw_error = true;
		size_exp(a->z, arg);
		a->type = ty_error;
		return;
	}
	int made = a->e->unknowns.len;
	if (behind_parens(arg)->kind == EX_LAMBDA && !last)
		VEC_PUSH(&a->later, (Later){arrow->arrow.from, arg});
	else
		match_arg(a, arrow->arrow.from, arg, arrow->arrow.to);
	Bindings untied = unknowns_since(a->e, made);
	Bindings dead = SLICE_DUP(Bindings, arrow->arrow.exts);
	Ty *to = result_for(arrow, arg, &dead);
	if (dead.len)
		to = leave_scope(a->z, (Leave){.level = LEVEL_BOUND, .dead = dead, .at = a->e}, to);
	a->type = untied.len ? hide_in_results(to, untied) : to;
	check_left(a);
}

static Ty *finish_app(App *a)
{
	while (a->later.len) {
		Later l = a->later.at[0];
		a->later.len--;
		memmove(a->later.at, a->later.at + 1, (size_t)a->later.len * sizeof l);
		match_arg(a, l.expected, l.arg, a->type);
		check_left(a);
	}
	Bindings made = unknowns_since(a->e, a->made);
	if (made.len)
		a->type = leave_scope(a->z, (Leave){.level = LEVEL_BOUND, .dead = made, .at = a->e},
		                      a->type);
	return a->failed ? fresh_sizes(a->z, a->type, a->e->span, "error") : a->type;
}

Ty *size_apply(Sizer *z, Expr *e)
{
	App a = {.z = z, .e = e, .fn = e->apply.fn, .made = e->unknowns.len,
	         .first_meta = meta_mark()};
	a.type = size_exp(z, e->apply.fn);
	for (int i = 0; i < e->apply.args.len; i++)
		apply_to(&a, e->apply.args.at[i], i == e->apply.args.len - 1);
	return finish_app(&a);
}

// ---- Operators ----

static bool is_scalar(Ty *t)
{
	return ty_resolve(t)->kind == TY_PRIM;
}

// Whether the operator works on scalars only, so that nothing but its operands has sizes.
static bool is_scalar_operator(const Sizer *z, const Expr *e)
{
	const Binding *b = e->binop.binding;
	return !b || (is_scalar(e->type) && is_scalar(e->binop.a->type) &&
	              is_scalar(e->binop.b->type) && !b->scheme.sizes.len && b != z->self);
}

static Ty *size_operator(Sizer *z, Expr *e)
{
	App a = {.z = z, .e = e, .op = e->binop.op, .made = e->unknowns.len,
	         .first_meta = meta_mark()};
	a.type = e->binop.op_type = instantiate_sized(z, e->binop.binding, e->binop.op.span,
	                                              &e->binop.inst);
	apply_to(&a, e->binop.a, false);
	apply_to(&a, e->binop.b, true);
	return finish_app(&a);
}

// Chains of operators are as long as programs: their left operands are not recursed over.
Ty *size_binop(Sizer *z, Expr *e)
{
	VEC(Expr *) spine = {0};
	Expr *at = e;
	for (; at->kind == EX_BINOP && is_scalar_operator(z, at); at = at->binop.a)
		VEC_PUSH(&spine, at);
	if (!spine.len)
		return size_operator(z, e);
	size_exp(z, at);
	for (int i = spine.len - 1; i >= 0; i--) {
		size_exp(z, spine.at[i]->binop.b);
		spine.at[i]->type = ty_resolve(spine.at[i]->type);
	}
	return e->type;
}

// ---- Sections ----

// (op b) is a function of the left operand, whose result may have sizes that are unknown until
// it is applied.
static Ty *section_right(App *a, Expr *arg)
{
	Ty *first = force_ty(a->type, a->z, arg->span);
	Ty *second = first->kind == TY_ARROW ? force_ty(first->arrow.to, a->z, arg->span) : first;
	if (second->kind != TY_ARROW) {
		a->z->saw_error = true;
		size_exp(a->z, arg);
		return ty_error;
	}
	match_arg(a, second->arrow.from, arg, ty_arrow(first->arrow.param, first->arrow.from,
	                                               first->arrow.exts, second->arrow.to));
	Bindings dead = {0}, exts = SLICE_DUP(Bindings, first->arrow.exts);
	Ty *to = result_for(second, arg, &dead);
	for EACH(Binding *, b, second->arrow.exts)
		bindings_push(&exts, *b);
	Bindings made = unknowns_since(a->e, a->made);
	for EACH(Binding *, b, made)
		bindings_push(&dead, *b);
	Ty *t = ty_arrow(first->arrow.param, first->arrow.from, exts, to);
	if (!dead.len)
		return t;
	return leave_scope(a->z, (Leave){.level = LEVEL_BOUND, .dead = dead, .at = a->e}, t);
}

Ty *size_section(Sizer *z, Expr *e)
{
	Binding *b = e->section.binding;
	App a = {.z = z, .e = e, .op = e->section.op, .made = e->unknowns.len,
	         .first_meta = meta_mark()};
	if (b)
		e->section.op_type = instantiate_sized(z, b, e->section.op.span, &e->section.inst);
	a.type = e->section.op_type;
	if (e->kind == EX_SECTION_R)
		return section_right(&a, e->section.arg);
	apply_to(&a, e->section.arg, true);
	return finish_app(&a);
}
