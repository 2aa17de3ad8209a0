// Whether a value of one type may stand where another is expected: equality of types up to
// uniqueness, with two liberties for functions.
//
// A function whose result has a size that is known, or depends on its parameter, may stand
// for one whose result has an existential size; and one that does not consume its argument
// for one that may:
//
//     (n: i64) -> *[n]i64      where  i64 -> ?[k].[k]i64  is expected
//     []i32 -> i32             where  *[]i32 -> i32       is expected
#include "check/size.h"

static bool mismatch(Sizer *z)
{
	z->bad = (Mismatch){.kind = BAD_SHAPE};
	return false;
}

// ---- Variables for types ----

typedef struct {
	TyMap map;
	int level;
	Bindings bound;
	Binding *outside;       // a name that may not enter
	Size *size;             // that mentions it
	Bindings hidden;        // names that are bound around the type, in a type
} Enter;

static bool is_bound(const Enter *e, const Binding *b)
{
	for EACH(Binding *, known, e->bound)
		if (*known == b)
			return true;
	return false;
}

static bool enter_leaf(void *ctx, Size *leaf)
{
	Enter *e = ctx;
	if (leaf->kind == SZ_META) {
		if (size_variable(leaf)->level > e->level)
			size_variable(leaf)->level = e->level;
		return false;
	}
	int level = level_of(leaf->var);
	if (level <= e->level || is_bound(e, leaf->var))
		return false;
	if (level == LEVEL_BOUND)
		bindings_push(&e->hidden, leaf->var);
	else
		e->outside = leaf->var;
	return e->outside;
}

static Size *enter_size(TyMap *m, Size *s)
{
	Enter *e = (Enter *)m;
	if (!e->outside && size_any(s, enter_leaf, e))
		e->size = s;
	return s;
}

// Names that the type itself binds may enter with it.
static Ty *enter_arrow(TyMap *m, Ty *t)
{
	Enter *e = (Enter *)m;
	if (t->arrow.param)
		bindings_push(&e->bound, t->arrow.param);
	for EACH(Binding *, b, t->arrow.exts)
		bindings_push(&e->bound, *b);
	return map_arrow(m, t);
}

static bool is_hidden(void *ctx, Size *leaf)
{
	Enter *e = ctx;
	for EACH(Binding *, b, e->hidden)
		if (leaf->kind == SZ_VAR && leaf->var == *b)
			e->outside = *b;
	return e->outside;
}

static bool is_taken(void *ctx, Size *s, bool under, bool left)
{
	(void)under;
	Enter *e = ctx;
	if (!left || !size_any(s, is_hidden, e))
		return false;
	e->size = s;
	return true;
}

// Names of parameters that come before the type, as in (w: i64) -> var, stand for sizes that are
// unknown until the function that the variable becomes is applied.
static bool link_type(Sizer *z, Ty *var, Ty *t)
{
	Enter e = {.map = {.size = enter_size, .arrow = enter_arrow}, .level = var->meta->level};
	map_ty(&e.map, t);
	if (!e.outside)
		visit_sizes(&(SizeVisit){is_taken, &e}, t);
	if (e.outside) {
		z->bad = (Mismatch){.kind = BAD_SCOPE, .a = e.size, .b = e.size, .name = e.outside};
		return false;
	}
	if (e.hidden.len)
		t = leave_scope(z, (Leave){.level = LEVEL_BOUND, .dead = e.hidden}, t);
	var->meta->link = ty_nonunique(t);
	return true;
}

static bool match_variable(Sizer *z, Ty *a, Ty *b)
{
	if (a->kind != TY_META)
		return link_type(z, b, a);
	if (b->kind != TY_META)
		return link_type(z, a, b);
	if (a->meta == b->meta)
		return true;
	bool keep_a = a->meta->level <= b->meta->level;
	(keep_a ? b : a)->meta->link = keep_a ? a : b;
	return true;
}

// ---- Structure ----

static bool match_all(Sizer *z, Expr *at, Tys a, Tys b)
{
	if (a.len != b.len)
		return mismatch(z);
	for (int i = 0; i < a.len; i++)
		if (!match_types(z, at, a.at[i], b.at[i]))
			return false;
	return true;
}

static bool match_records(Sizer *z, Expr *at, TyFields a, TyFields b)
{
	if (a.len != b.len)
		return mismatch(z);
	for (int i = 0; i < a.len; i++)
		if (a.at[i].name != b.at[i].name)
			return mismatch(z);
		else if (!match_types(z, at, a.at[i].type, b.at[i].type))
			return false;
	return true;
}

static bool match_sums(Sizer *z, Expr *at, TyConstrs a, TyConstrs b)
{
	if (a.len != b.len)
		return mismatch(z);
	for (int i = 0; i < a.len; i++)
		if (a.at[i].name != b.at[i].name)
			return mismatch(z);
		else if (!match_all(z, at, a.at[i].args, b.at[i].args))
			return false;
	return true;
}

static bool match_abs(Sizer *z, Expr *at, Ty *a, Ty *b)
{
	if (a->abs.def != b->abs.def || a->abs.sizes.len != b->abs.sizes.len)
		return mismatch(z);
	for (int i = 0; i < a->abs.sizes.len; i++)
		if (!size_unify(z, at, a->abs.sizes.at[i], b->abs.sizes.at[i]))
			return false;
	return match_all(z, at, a->abs.types, b->abs.types);
}

// The existential sizes that are expected may be anything.
static Ty *open_exts(Ty *arrow)
{
	Bindings exts = arrow->arrow.exts;
	if (!exts.len)
		return arrow->arrow.to;
	Sizes open = {NEW_ARRAY(Size *, exts.len), exts.len};
	for (int i = 0; i < exts.len; i++) {
		open.at[i] = size_meta(LEVEL_BOUND, exts.at[i]->span, NULL);
		open.at[i]->meta->name = exts.at[i]->name;
	}
	return replace_sizes(arrow->arrow.to, exts, open);
}

static bool match_arrows(Sizer *z, Expr *at, Ty *a, Ty *b)
{
	if (ty_consumes(b->arrow.from) && !ty_consumes(a->arrow.from) &&
	    ty_has_array(b->arrow.from)) {
		z->bad = (Mismatch){.kind = BAD_CONSUME, .from = a->arrow.from,
		                    .to = b->arrow.from};
		return false;
	}
	if (!match_types(z, at, b->arrow.from, a->arrow.from))
		return false;
	Ty *to = b->arrow.to;
	if (a->arrow.param && b->arrow.param && a->arrow.param != b->arrow.param)
		to = replace_size(to, b->arrow.param, size_var(a->arrow.param));
	return match_types(z, at, open_exts(a), to);
}

bool match_types(Sizer *z, Expr *at, Ty *expected, Ty *actual)
{
	Ty *a = ty_resolve(expected), *b = ty_resolve(actual);
	if (a == b)
		return true;
	if (a->kind == TY_ERROR || b->kind == TY_ERROR) {
		z->saw_error = true;
		return true;
	}
	if (a->kind == TY_META || b->kind == TY_META)
		return match_variable(z, a, b);
	if (a->kind != b->kind)
		return mismatch(z);
	switch (a->kind) {
	case TY_ERROR: case TY_META:
		break;
	case TY_PRIM:
		return a->prim == b->prim || mismatch(z);
	case TY_PARAM:
		return a->param == b->param || mismatch(z);
	case TY_ARRAY:
		return size_unify(z, at, a->array.dim, b->array.dim) &&
		       match_types(z, at, a->array.elem, b->array.elem);
	case TY_RECORD:
		return match_records(z, at, a->record, b->record);
	case TY_SUM:
		return match_sums(z, at, a->sum, b->sum);
	case TY_ARROW:
		return match_arrows(z, at, a, b);
	case TY_ABS:
		return match_abs(z, at, a, b);
	}
	bug("kind of type");
}

// ---- Messages ----

static const char *heading(const Cause *c, Ty *actual)
{
	switch (c->kind) {
	case FOR_TEXT:
		return c->text;
	case FOR_ARG:
		return text("Cannot apply %s to \"%s\" (invalid type).", show_function(c->fn),
		            show_expr(c->arg));
	case FOR_OPERAND:
		return text("Cannot apply \"%s\" to \"%s\" (invalid type).", c->text,
		            show_expr(c->arg));
	case FOR_PAT:
		return text("Pattern %s cannot match value of type %s", show_pat(c->pat),
		            show_ty(ty_nonunique(actual)));
	}
	bug("kind of cause");
}

static const char *hidden_explanation(const Mismatch *bad)
{
	const SizeMeta *m = bad->a->meta;
	if (!m->param)
		return text("Sizes \"%s\" and \"%s\" do not match.\n\"%s\" is known only when the "
		            "function has returned.", show_size(bad->a), show_size(bad->b),
		            show_name(bad->name));
	return text("Type parameter \"%s\"%s would be instantiated with a type containing "
	            "anonymous sizes.", m->param->name,
	            m->owner ? text(" of \"%s\"", m->owner->name) : "");
}

static const char *scope_explanation(const Mismatch *bad)
{
	return text("Cannot link size \"%s\" to \"%s\" (scope violation). "
	            "This is because \"%s\" is not in scope when \"%s\" is introduced.",
	            show_size(bad->a), show_size(bad->b), show_name(bad->name),
	            show_size(bad->a));
}

static const char *explanation(const Mismatch *bad)
{
	switch (bad->kind) {
	case BAD_SIZES:
		return text("Sizes \"%s\" and \"%s\" do not match.", show_size(bad->a),
		            show_size(bad->b));
	case BAD_SCOPE:
		if (bad->a->kind == SZ_META && bad->a->meta->param &&
		    bad->name->level == LEVEL_BOUND)
			return text("%s\n%s", scope_explanation(bad), hidden_explanation(bad));
		return scope_explanation(bad);
	case BAD_HIDDEN:
		return hidden_explanation(bad);
	case BAD_ESCAPE:
		return text("Existential size would appear in function parameter of return type:\n"
		            "  %s", show_ty(bad->to));
	case BAD_OCCURS:
		return text("Occurs check: cannot instantiate %s with %s.", show_size(bad->a),
		            show_size(bad->b));
	case BAD_CONSUME:
		return text("Parameters\n  %s\nand\n  %s\nare incompatible regarding consuming "
		            "their arguments.", show_ty(bad->from), show_ty(bad->to));
	case BAD_SHAPE:
		return "The types differ.";
	}
	bug("kind of mismatch");
}

static const char *anchor(const Mismatch *bad)
{
	switch (bad->kind) {
	case BAD_SCOPE:
		return "scope-violation";
	case BAD_ESCAPE:
		return "existential-param-ret";
	case BAD_OCCURS:
		return "occurs-check";
	case BAD_CONSUME:
		return "unify-consuming-param";
	case BAD_SIZES: case BAD_HIDDEN: case BAD_SHAPE:
		return NULL;
	}
	bug("kind of mismatch");
}

void report_match(Sizer *z, const Cause *c, Ty *expected, Ty *actual)
{
	Mismatch bad = z->bad;
	// In this order, which is that of the names given to sizes.
	const char *head = heading(c, actual), *want = show_ty(expected);
	const char *types = c->kind == FOR_PAT ? "" : text("\nActual:   %s", show_ty(actual));
	Diag *d = diag_error(c->span, anchor(&bad), "%s\nExpected: %s%s\n%s", head, want, types,
	                     explanation(&bad));
	note_mismatch(z, d, c, &bad, expected);
}

void fail_match(Sizer *z, const Cause *c, Ty *expected, Ty *actual)
{
	report_match(z, c, expected, actual);
	fail_diag(NULL);
}

bool require_match(Sizer *z, const Cause *c, Ty *expected, Ty *actual)
{
	bool fits = match_types(z, c->at, expected, actual);
	if (!fits)
		report_match(z, c, expected, actual);
	return fits;
}
