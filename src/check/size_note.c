// Notes on sizes that do not match: where each size comes from, and how to fix the program.
//
// Before: two types do not match, and the message names the sizes that differ.  After: notes have
// been added, if there is a likely explanation.  Sizes and types are only inspected, never changed.
#include "check/size.h"

// ---- Where an unknown size comes from ----

const Expr *behind_parens(const Expr *e)
{
	while (e->kind == EX_PAREN || e->kind == EX_ATTR)
		e = e->kind == EX_PAREN ? e->inner : e->attr.body;
	return e;
}

static const char *types_of_branches(const Expr *e)
{
	Ty *first = e->kind == EX_IF ? e->if_.yes->type : e->match.cases.at[0].body->type;
	Ty *last = e->kind == EX_IF ? e->if_.no->type
	         : e->match.cases.at[e->match.cases.len - 1].body->type;
	const char *a = show_ty(ty_nonunique(first));
	return text("have types %s and %s", a, show_ty(ty_nonunique(last)));
}

static const char *origin_of(const Expr *e)
{
	const char *at = show_span_short(e->span);
	switch (e->kind) {
	case EX_APPLY:
		return text("unknown size of what is returned by %s at %s",
		            show_function(behind_parens(e->apply.fn)), at);
	case EX_BINOP:
		return text("unknown size of what is returned by \"%s\" at %s",
		            show_qualname(e->binop.op), at);
	case EX_RANGE:
		return text("unknown length of range at %s", at);
	case EX_INDEX:
		return text("unknown length of slice at %s", at);
	case EX_IF:
		return text("unknown size of the if-expression at %s, whose branches %s", at,
		            types_of_branches(e));
	case EX_MATCH:
		return text("unknown size of the match-expression at %s, whose cases %s", at,
		            types_of_branches(e));
	case EX_LOOP:
		return text("unknown size of the result of the loop at %s", at);
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE:
		return text("unknown size of the value at %s, which depends on a name that is "
		            "bound inside of it", at);
	case EX_COERCE:
		return text("unknown size in the type of the coercion at %s", at);
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING: case EX_HOLE:
	case EX_VAR: case EX_PAREN: case EX_OPEN: case EX_TUPLE: case EX_RECORD: case EX_ARRAY:
	case EX_PROJECT: case EX_NEG: case EX_NOT: case EX_CONSTR: case EX_ASCRIBE: case EX_LAMBDA:
	case EX_ASSERT: case EX_UPDATE: case EX_ATTR: case EX_SECTION_L: case EX_SECTION_R:
	case EX_SECTION_PATH:
		break;
	}
	return text("unknown size that comes from the expression at %s", at);
}

void note_origin(Diag *d, Binding *unknown)
{
	if (unknown->kind == BIND_UNKNOWN && unknown->defined_by)
		diag_note(d, "Note: \"%s\" is %s.", show_name(unknown),
		          origin_of(unknown->defined_by));
}

typedef struct { Diag *d; Bindings noted; } Noting;

static bool note_leaf(void *ctx, Size *leaf)
{
	Noting *n = ctx;
	if (leaf->kind != SZ_VAR || leaf->var->kind != BIND_UNKNOWN)
		return false;
	for EACH(Binding *, b, n->noted)
		if (*b == leaf->var)
			return false;
	bindings_push(&n->noted, leaf->var);
	note_origin(n->d, leaf->var);
	return false;
}

// ---- What to do ----

// The value of a size in which there are only numbers.
static bool value_of(Size *s, int64_t *value)
{
	s = size_resolve(s);
	if (s->kind == SZ_CONST) {
		*value = s->num.value;
		return true;
	}
	int64_t a, b;
	if (s->kind != SZ_NODE || s->node.origin->kind != EX_BINOP || s->node.kids.len != 2 ||
	    !value_of(s->node.kids.at[0], &a) || !value_of(s->node.kids.at[1], &b))
		return false;
	const char *op = s->node.origin->binop.op.name;
	if (op[1] || a < 0 || b < 0 || a > INT32_MAX || b > INT32_MAX)
		return false;
	*value = op[0] == '+' ? a + b : op[0] == '-' ? a - b : a * b;
	return op[0] == '+' || op[0] == '-' || op[0] == '*';
}

// [3 + 3] against [6]
static bool hint_computed(Diag *d, const Cause *c, const Mismatch *bad, const char *want)
{
	const char *e = c->kind == FOR_ARG ? show_expr(c->arg) : "e";
	int64_t a, b;
	if (!value_of(bad->a, &a) || !value_of(bad->b, &b) || a != b)
		return false;
	diag_note(d,
	          "Note: both are %lld, but sizes are compared as they are written: nothing is "
	          "computed.\nHint: write \"%s :> %s\".",
	          (long long)a, strlen(e) > 40 ? "e" : e, want);
	return true;
}

// A name bound by let f = e has one type, also in its sizes.
static bool hint_one_size(Diag *d, const Cause *c)
{
	const Expr *fn = c->kind == FOR_ARG ? behind_parens(c->fn) : NULL;
	const Binding *b = fn && fn->kind == EX_VAR ? fn->var.binding : NULL;
	if (!b || b->kind != BIND_LOCAL || b->is_param || b->scheme.sizes.len)
		return false;
	diag_note(d, "Note: \"%s\" is bound by \"let\" to a function, and has the same sizes "
	             "wherever it is used.\nHint: with a parameter it can be used at several: "
	             "\"let %s xs = ...\".", b->name, b->name);
	return true;
}

// Is there a matrix with rows of the one size and columns of the other?
static bool hint_transpose(Sizer *z, Diag *d, const Mismatch *bad)
{
	for (int i = 0; z->decl && i < z->decl->pats.len; i++) {
		const Binding *name = name_of_pat(z->decl->pats.at[i]);
		Ty *t = ty_resolve(z->decl->pats.at[i]->type);
		Ty *row = t->kind == TY_ARRAY ? ty_resolve(t->array.elem) : t;
		if (!name || t->kind != TY_ARRAY || row->kind != TY_ARRAY ||
		    !size_equal(t->array.dim, bad->a) || !size_equal(row->array.dim, bad->b))
			continue;
		diag_note(d, "Note: \"%s\" has type %s: its rows are of size \"%s\", its columns "
		             "of size \"%s\".\nHint: the columns are the rows of \"transpose %s\".",
		          name->name, show_ty(ty_nonunique(t)), show_size(bad->b),
		          show_size(bad->a), name->name);
		return true;
	}
	return false;
}

static bool is_unknown_leaf(void *ctx, Size *leaf)
{
	(void)ctx;
	return leaf->kind != SZ_VAR || leaf->var->kind == BIND_UNKNOWN;
}

// n + 1 against n
static bool never_equal(Size *a, Size *b)
{
	for (int k = 0; k < 2; k++) {
		Size *s = size_resolve(k ? b : a), *other = k ? a : b;
		int64_t by;
		if (s->kind == SZ_NODE && s->node.origin->kind == EX_BINOP &&
		    s->node.kids.len == 2 && strchr("+-", s->node.origin->binop.op.name[0]) &&
		    !s->node.origin->binop.op.name[1] && value_of(s->node.kids.at[1], &by) &&
		    by != 0 && size_equal(s->node.kids.at[0], other))
			return true;
	}
	return false;
}

// Sizes that the program may know to be equal.
static void hint_coerce(Diag *d, const Cause *c, const Mismatch *bad, Ty *expected)
{
	const char *e = c->kind == FOR_ARG ? show_expr(c->arg) : "e";
	const Expr *fn = c->kind == FOR_ARG ? behind_parens(c->fn) : NULL;
	if (fn && fn->kind == EX_VAR && strcmp(fn->var.name.name, "unflatten") == 0) {
		diag_note(d, "Hint: the size is written as a product: \"unflatten (%s :> [n * "
		          "m]t)\" has n rows of m elements.", strlen(e) > 40 ? "xs" : e);
		return;
	}
	if (show_size(bad->b)[0] == '-')
		return;                 // xs[:-1], which has its own warning
	if (never_equal(bad->a, bad->b)) {
		diag_note(d, "Note: the two differ, whatever \"%s\" is.",
		          show_size(size_resolve(bad->a)->kind == SZ_NODE ? bad->b : bad->a));
		return;
	}
	bool is_type = c->kind == FOR_ARG && !size_any(bad->a, is_unknown_leaf, NULL);
	diag_note(d, "Hint: if the sizes are equal when the program runs, say so: \"%s :> %s\" "
	             "checks it then.", strlen(e) > 40 ? "e" : e,
	          is_type ? show_ty(ty_nonunique(expected)) : "[n]t");
}

// A size that varies from iteration to iteration cannot be one of what is outside, nor one that a
// parameter of the loop has from the start.
static void note_loop(const Sizer *z, Diag *d, const Mismatch *bad)
{
	if (bad->kind != BAD_SCOPE || bad->name->level == LEVEL_BOUND || bad->a->kind != SZ_META)
		return;
	int name = level_of(bad->name), size = size_variable(bad->a)->level;
	for (int i = z->loop_levels.len; i-- > 0; ) {
		int outside = z->loop_levels.at[i], params = outside + 1;
		if (name <= params || size > params)
			continue;
		diag_note(d, "Note: \"%s\" is bound inside the loop body, \"%s\" %s.",
		          show_name(bad->name), show_size(bad->a),
		          size == params ? "is a size of a parameter of the loop" : "outside");
		return;
	}
}

static bool is_the_variable(void *ctx, Size *leaf)
{
	return leaf->kind == SZ_META && size_variable(leaf) == ctx;
}

// def f g n = g (iota n): the type of g would mention n, which comes after it.
static void note_later_parameter(const Sizer *z, Diag *d, const Mismatch *bad)
{
	if (bad->kind != BAD_SCOPE || !bad->name->is_param || bad->a->kind != SZ_META || !z->decl)
		return;
	for EACH(Pat *, p, z->decl->pats) {
		const Binding *b = name_of_pat(*p);
		if (b == bad->name)
			return;
		if (b && any_size_leaf((*p)->type, is_the_variable, size_variable(bad->a)))
			diag_note(d, "Note: Unknown size \"%s\" in parameter of \"%s\": \"%s\" "
			             "comes before \"%s\".\nHint: let \"%s\" be the first of "
			             "the two.", bad->name->name, z->decl->name, b->name,
			          bad->name->name, bad->name->name);
	}
}

typedef struct { const Binding *name; int times; } Mentions;
static bool count_mention(void *ctx, Size *leaf)
{
	Mentions *m = ctx;
	m->times += leaf->kind == SZ_VAR && leaf->var == m->name;
	return false;
}

// map iota ns: each result has a size of its own.  That of xs[i:i+k], i + k - i, may well be one
// number.
static void hint_irregular(Diag *d, const Mismatch *bad)
{
	const SizeMeta *meta = bad->a->kind == SZ_META ? bad->a->meta : NULL;
	const Binding *fn = meta && meta->param ? meta->owner : NULL;
	bool rows = fn && (str_starts(fn->name, "map") || str_starts(fn->name, "tabulate"));
	if (fn && (str_starts(fn->name, "vjp") || str_starts(fn->name, "jvp")))
		diag_note(d, "Hint: a function with a derivative has a result of a known size; "
		          "compute it first, and say so: \"let k = length (f x)\", then "
		          "\"\\x -> f x :> [k]f64\".");
	if (!rows || bad->kind == BAD_SIZES || bad->name->level != LEVEL_BOUND)
		return;
	diag_note(d, "Hint: each result would have a size of its own, but all elements of "
	          "an array have the same size; pad them to one size, or use a loop.");
	Mentions m = {bad->name, 0};
	if (bad->b)
		size_any(bad->b, count_mention, &m);
	if (m.times > 1)
		diag_note(d, "Hint: if \"%s\" is the same number for all of them, say so: "
		          "\"(\\i -> xs[i:i + k] :> [k]f64)\".", show_size(bad->b));
}

// def f (xs: []f64) = ... f xs[1:]: the size of the parameter is that of all calls.
static void hint_own_size(const Sizer *z, Diag *d, const Cause *c)
{
	const Expr *fn = c->kind == FOR_ARG ? behind_parens(c->fn) : NULL;
	if (!fn || fn->kind != EX_VAR || !z->decl ||
	    strcmp(fn->var.name.name, z->decl->name) != 0)
		return;
	diag_note(d, "Hint: a recursive function names its sizes, which may then differ from call "
	             "to call: \"def %s [n] (xs: [n]f64) ...\".", z->decl->name);
}

void note_mismatch(Sizer *z, Diag *d, const Cause *c, const Mismatch *bad, Ty *expected)
{
	Noting n = {.d = d};
	if (bad->kind == BAD_OCCURS)
		hint_own_size(z, d, c);
	if (bad->kind != BAD_SIZES && bad->kind != BAD_HIDDEN && bad->kind != BAD_SCOPE)
		return;
	size_any(bad->a, note_leaf, &n);
	size_any(bad->b, note_leaf, &n);
	note_loop(z, d, bad);
	note_later_parameter(z, d, bad);
	hint_irregular(d, bad);
	if (bad->kind != BAD_SIZES || c->kind == FOR_PAT)
		return;
	if (hint_computed(d, c, bad, show_ty(ty_nonunique(expected))) || hint_one_size(d, c) ||
	    hint_transpose(z, d, bad))
		return;
	if (c->kind == FOR_TEXT && str_starts(c->text, "Array element "))
		diag_note(d,
		          "Hint: the elements of an array have one size; pad shorter rows, or keep "
		          "all rows in one array, with the place where each begins.");
	else if (bad->a->kind != SZ_CONST || bad->b->kind != SZ_CONST)
		hint_coerce(d, c, bad, expected);
}
