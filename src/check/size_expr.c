// The walk over expressions: gives each its sized type, in the order of evaluation.
//
// The sizes of slices and ranges are those of the table in the language reference:
//
//     xs[i:j]      [j - i]       0..<n      [n]
//     xs[:j]       [j]           a..<b      [b - a]
//     xs[i:]       [n - i]       1..2...n   [n]
//     xs[::-1]     [n]           a...b      [b - a + 1]
//     xs[i:j:-1]   [i - j]       anything else is unknown
#include "check/size.h"

// ---- Names ----

static Ty *field_of_type(Sizer *z, Ty *t, Name name, Span span)
{
	const TyField *f = ty_field(force_ty(t, z, span), name);
	return f ? f->type : ty_error;
}

static Ty *size_var_exp(Sizer *z, Expr *e)
{
	if (!e->var.binding)
		return e->type;         // (&&), (||)
	Ty *t = instantiate_sized(z, e->var.binding, e->span, &e->var.inst);
	for EACH(Name, f, e->var.fields)
		t = field_of_type(z, t, *f, e->span);
	if (ty_resolve(t)->kind == TY_ERROR)
		z->saw_error = true;
	return t;
}

// ---- Data ----

static Ty *size_tuple(Sizer *z, Exprs parts)
{
	Tys types = {NEW_ARRAY(Ty *, parts.len), parts.len};
	for (int i = 0; i < parts.len; i++)
		types.at[i] = ty_nonunique(size_exp(z, parts.at[i]));
	return ty_tuple(types);
}

static Ty *size_record(Sizer *z, FieldExprs fields)
{
	TyFields types = {NEW_ARRAY(TyField, fields.len), fields.len};
	for (int i = 0; i < fields.len; i++)
		types.at[i] = (TyField){fields.at[i].name,
		                        ty_nonunique(size_exp(z, fields.at[i].value))};
	return ty_record(types);
}

static Ty *size_array(Sizer *z, Expr *e)
{
	Ty *array = ty_resolve(e->type);
	if (array->kind != TY_ARRAY)
		return array;
	Ty *elem = e->array.len ? ty_nonunique(size_exp(z, e->array.at[0]))
	                        : fresh_sizes(z, array->array.elem, e->span, "empty array");
	for (int i = 1; i < e->array.len; i++) {
		Expr *x = e->array.at[i];
		Cause why = {.kind = FOR_TEXT, .span = x->span, .at = e,
		             .text = "Array element does not have the type of the elements before "
		                     "it."};
		require_match(z, &why, elem, size_exp(z, x));
	}
	return ty_array(size_const(e->array.len), elem);
}

static Ty *size_constr(Sizer *z, Expr *e)
{
	Ty *sum = fresh_sizes(z, e->type, e->span, "constructor application");
	for (int i = 0; i < e->constr.args.len; i++) {
		Expr *arg = e->constr.args.at[i];
		Ty *t = size_exp(z, arg);
		if (sum->kind != TY_SUM)
			continue;
		Cause why = {.kind = FOR_TEXT, .span = arg->span, .at = e,
		             .text = "Payload does not have the type that the constructor needs."};
		for EACH(TyConstr, c, sum->sum)
			if (c->name == e->constr.name && i < c->args.len)
				require_match(z, &why, c->args.at[i], t);
	}
	return sum;
}

// ---- Slices ----

static bool is_literal(const Expr *e, uint64_t value)
{
	while (e && e->kind == EX_PAREN)
		e = e->inner;
	return e && e->kind == EX_INT && e->int_lit.value == value && !e->int_lit.too_big;
}

static bool is_minus_one(const Expr *e)
{
	while (e && e->kind == EX_PAREN)
		e = e->inner;
	return e && e->kind == EX_NEG && is_literal(e->inner, 1);
}

// The size of one dimension of a slice; NULL: unknown.
static Size *slice_size(const Index *i, Size *dim)
{
	bool down = is_minus_one(i->step);
	if (i->step && !down && !is_literal(i->step, 1))
		return NULL;
	if (!i->from && !i->to)
		return dim;
	Size *from = i->from ? size_of_expr(i->from) : NULL;
	Size *to = i->to ? size_of_expr(i->to) : NULL;
	if ((i->from && !from) || (i->to && !to) || (down && (!from || !to)))
		return NULL;
	if (down)
		return size_operation(i->span, '-', from, to);
	if (!from || is_literal(i->from, 0))
		return to ? to : dim;
	return size_operation(i->span, '-', to ? to : dim, from);
}

static void size_index(Sizer *z, const Index *i)
{
	Expr *parts[] = {i->index, i->from, i->to, i->step};
	for (int k = 0; k < 4; k++)
		if (parts[k])
			size_exp(z, parts[k]);
}

// xs[3], where xs has 3 elements.
static void warn_if_beyond(const Expr *index, Size *dim)
{
	dim = size_resolve(dim);
	if (!index || index->kind != EX_INT || dim->kind != SZ_CONST ||
	    index->int_lit.value < (uint64_t)dim->num.value)
		return;
	Diag *d = diag_warn(index->span, NULL, "This index is out of bounds for an array of size "
	                    "%lld.", (long long)dim->num.value);
	if (dim->num.value)
		diag_note(d, "Hint: indices start at 0; the last one is %lld.",
		          (long long)dim->num.value - 1);
}

static void warn_if_binds(const Expr *e)
{
	if (e && expr_binds(e))
		diag_warn(e->span, "size-expression-bind",
		          "Size expression with binding is replaced by unknown size.");
}

static Size *unknown_slice(Sizer *z, Expr *at, const Index *i)
{
	warn_if_binds(i->from);
	warn_if_binds(i->to);
	return new_unknown(z, at);
}

typedef VEC(Size *) Replaced;

// The type after indexing.  The slice that an update replaces has whatever size the new
// contents have: that they agree is checked when the program runs.
static Ty *index_path(Sizer *z, Expr *at, Ty *t, Indices idx, Replaced *replaced)
{
	VEC(Size *) dims = {0};
	for EACH(Index, i, idx) {
		size_index(z, i);
		t = ty_resolve(t);
		if (t->kind != TY_ARRAY)
			return ty_error;
		warn_if_beyond(i->index, t->array.dim);
		if (i->is_slice) {
			Size *dim = replaced ? new_meta(z, i->span, "slice of update")
			                     : slice_size(i, t->array.dim);
			VEC_PUSH(&dims, dim ? dim : unknown_slice(z, at, i));
			if (replaced)
				VEC_PUSH(replaced, dim);
		}
		t = t->array.elem;
	}
	t = ty_nonunique(t);
	for (int i = dims.len - 1; i >= 0; i--)
		t = ty_array(dims.at[i], t);
	return t;
}

static Ty *index_sizes(Sizer *z, Expr *at, Ty *t, Indices idx)
{
	return index_path(z, at, t, idx, NULL);
}

static bool is_dim(void *ctx, Size *s, bool under, bool left)
{
	(void)under, (void)left;
	return size_resolve(s) == ctx;
}

// A slice that is itself indexed, as in a with [1:][0] = x, leaves no trace of its size.
static void settle_replaced(const Replaced *replaced, Ty *t)
{
	for EACH(Size *, s, *replaced)
		if (!visit_sizes(&(SizeVisit){is_dim, *s}, t))
			(*s)->meta->link = size_const(0);
}

static Ty *path_sizes(Sizer *z, Expr *at, Ty *t, Path path, bool updates)
{
	Replaced replaced = {0};
	for EACH(PathStep, step, path)
		t = step->is_field ? field_of_type(z, t, step->field, step->span)
		                   : index_path(z, at, t, step->idx, updates ? &replaced : NULL);
	settle_replaced(&replaced, t);
	return t;
}

static bool has_index(Path path)
{
	for EACH(PathStep, step, path)
		if (!step->is_field)
			return true;
	return false;
}

// The record with another type for what the path leads to.
static Ty *with_field(Sizer *z, Ty *t, Path path, Ty *now)
{
	if (!path.len)
		return now;
	t = force_ty(t, z, path.at[0].span);
	if (t->kind != TY_RECORD)
		return t;
	TyFields fields = SLICE_DUP(TyFields, t->record);
	for EACH(TyField, f, fields)
		if (f->name == path.at[0].field)
			f->type = with_field(z, f->type, (Path){path.at + 1, path.len - 1}, now);
	return NEW(Ty, .kind = TY_RECORD, .record = fields);
}

// The type after an update: arrays stay what they were, a field gets the type of the new value,
// which phase 1 has found to be the same up to sizes.
static Ty *size_updated(Sizer *z, Expr *e, Ty *of, Path path, Expr *value)
{
	Ty *old = path_sizes(z, e, of, path, true), *now = size_exp(z, value);
	if (ty_resolve(old)->kind == TY_ERROR || ty_resolve(now)->kind == TY_ERROR)
		return of;
	if (!has_index(path))
		return with_field(z, of, path, ty_nonunique(now));
	Cause why = {.kind = FOR_TEXT, .span = value->span, .at = e,
	             .text = "Value of update does not have the type of what it replaces."};
	require_match(z, &why, old, now);
	return of;
}

static Ty *size_update(Sizer *z, Expr *e)
{
	Ty *of = ty_nonunique(size_exp(z, e->update.of));
	return size_updated(z, e, of, e->update.path, e->update.value);
}

static Ty *size_section_path(Sizer *z, Expr *e)
{
	Ty *arrow = ty_resolve(e->type);
	if (arrow->kind != TY_ARROW)
		return arrow;
	Ty *from = open_sizes(z, arrow->arrow.from, e->span, "projection section");
	int made = e->unknowns.len;
	Ty *t = ty_arrow(NULL, from, (Bindings){0}, path_sizes(z, e, from, e->path, false));
	Leave leave = {.level = z->level, .dead = unknowns_since(e, made), .at = e};
	return leave_scope(z, leave, t);
}

// ---- Ranges ----

// The size of a range of i64 with step 1; NULL: unknown.
static Size *range_size(const Expr *e)
{
	const Expr *from = e->range.from, *second = e->range.second;
	bool from_0 = is_literal(from, 0), from_1 = is_literal(from, 1);
	bool to_size = e->range.kind == RANGE_UP ? from_0 && (!second || is_literal(second, 1))
	             : e->range.kind == RANGE_INCL && from_1 && second && is_literal(second, 2);
	if (e->range.kind == RANGE_DOWN || (second && !to_size))
		return NULL;
	Size *a = size_of_expr(e->range.from), *b = size_of_expr(e->range.to);
	if (!a || !b || to_size)
		return b;
	Size *difference = size_operation(e->span, '-', b, a);
	return e->range.kind == RANGE_UP ? difference
	     : size_operation(e->span, '+', difference, size_const(1));
}

static Ty *size_range(Sizer *z, Expr *e)
{
	Ty *elem = ty_nonunique(size_exp(z, e->range.from));
	if (e->range.second)
		size_exp(z, e->range.second);
	size_exp(z, e->range.to);
	bool i64 = elem->kind == TY_PRIM && elem->prim == PT_I64;
	Size *size = i64 ? range_size(e) : NULL;
	if (i64 && !size && e->range.kind != RANGE_DOWN && !e->range.second) {
		warn_if_binds(e->range.from);
		warn_if_binds(e->range.to);
	}
	return ty_array(size ? size : new_unknown(z, e), elem);
}

// ---- Ascription and coercion ----

static Ty *size_ascribe(Sizer *z, Expr *e)
{
	Ty *t = size_exp(z, e->ascribe.of);
	Ty *declared = annotated(z, e->ascribe.type, "explicit type ascription");
	Cause why = {.kind = FOR_TEXT, .span = e->span, .at = e,
	             .text = "Expression does not have expected type from explicit ascription."};
	require_match(z, &why, declared, t);
	return declared;
}

typedef VEC(Size *) SizeList;

static bool note_size(void *ctx, Size *s, bool under, bool left)
{
	(void)under;
	(void)left;
	SizeList *list = ctx;
	VEC_PUSH(list, s);
	return false;
}

// Sizes that the new type says are checked when the program runs, and say nothing of those of the
// value; sizes that it leaves open are those of the value.
static Ty *size_coerce(Sizer *z, Expr *e)
{
	SizeList old = {0}, now = {0};
	Ty *t = size_exp(z, e->ascribe.of);
	int first_meta = meta_mark();
	Ty *declared = annotated(z, e->ascribe.type, "explicit type coercion");
	visit_sizes(&(SizeVisit){note_size, &old}, t);
	visit_sizes(&(SizeVisit){note_size, &now}, declared);
	for (int i = 0; i < now.len && now.len == old.len; i++) {
		Size *s = size_resolve(now.at[i]);
		if (s->kind == SZ_META && size_variable(s)->id > first_meta)
			size_unify(z, NULL, s, old.at[i]);
	}
	return declared;
}

// ---- let ----

// A chain of lets can double a size with each: past this limit a name stands for itself.
#define MAX_SYNONYM 1000

static bool add_weight(void *ctx, Size *leaf)
{
	int *weight = ctx;
	if (leaf->kind == SZ_VAR && leaf->var->as_size)
		*weight += leaf->var->as_weight;
	return *weight > MAX_SYNONYM;
}

static int synonym_weight(Size *s)
{
	int weight = size_weight(s);
	size_any(s, add_weight, &weight);
	return weight;
}

static void bind_let_sizes(Sizer *z, TypeParams params)
{
	Bindings sizes = {0};
	z->let_metas = (Sizes){NEW_ARRAY(Size *, params.len), params.len};
	for (int i = 0; i < params.len; i++) {
		params.at[i].binding->level = z->level;
		bindings_push(&sizes, params.at[i].binding);
		z->let_metas.at[i] = new_meta(z, params.at[i].span, "size binding of let");
		z->let_metas.at[i]->meta->name = params.at[i].name;
	}
	z->let_sizes = sizes;
}

// let [n] (xs: [n]t) = e: from here on n is another name for the size that e has.
static void name_let_sizes(Sizer *z, TypeParams params)
{
	for (int i = 0; i < params.len; i++) {
		Size *s = size_resolve(z->let_metas.at[i]);
		if (s == z->let_metas.at[i])
			fail(params.at[i].span, "unused-size", "Size [%s] unused in pattern.",
			     params.at[i].name);
		if (s->kind == SZ_META)
			size_variable(s)->let_name = params.at[i].name;
		params.at[i].binding->as_size = s;
		params.at[i].binding->as_weight = synonym_weight(s);
	}
	z->let_sizes = (Bindings){0};
	z->let_metas = (Sizes){0};
}

// The sizes are found by matching the pattern with variables in their place; then the
// pattern is read again, with types that mention them.
static void size_let(Sizer *z, Expr *e)
{
	Ty *t = ty_nonunique(size_exp(z, e->let.value));
	Cause why = {.kind = FOR_PAT, .span = e->let.pat->span, .at = e, .pat = e->let.pat};
	z->level++;
	if (e->let.sizes.len) {
		bind_let_sizes(z, e->let.sizes);
		size_pat(z, e->let.pat, t, &why);
		name_let_sizes(z, e->let.sizes);
	}
	size_pat(z, e->let.pat, t, &why);
	for EACH(TypeParam, p, e->let.sizes)
		if (!is_constructive(e->let.pat->type, p->binding))
			fail(p->span, "unused-size",
			     "Cannot bind [%s] as it is never used as the size of a concrete "
			     "(non-function) value.", p->name);
	Binding *name = name_of_pat(e->let.pat);
	bool i64 = t->kind == TY_PRIM && t->prim == PT_I64;
	Size *s = name && i64 ? size_of_expr(e->let.value) : NULL;
	int weight = s ? synonym_weight(s) : 0;
	if (s && weight <= MAX_SYNONYM) {
		name->as_size = s;
		name->as_weight = weight;
	}
}

static void size_let_update(Sizer *z, Expr *e)
{
	Ty *t = ty_nonunique(instantiate_sized(z, e->let_update.src, e->let_update.name_span,
	                                       &e->let_update.inst));
	t = size_updated(z, e, t, e->let_update.path, e->let_update.value);
	z->level++;
	e->let_update.dst->scheme.type = t;
	e->let_update.dst->level = z->level;
}

// The binding of a let; gives its body, or NULL for other expressions.
static Expr *size_binding(Sizer *z, Expr *e)
{
	if (e->kind == EX_LET) {
		size_let(z, e);
		return e->let.body;
	}
	if (e->kind == EX_LET_FUN) {
		size_let_fun(z, e);
		return e->let_fun.body;
	}
	if (e->kind == EX_LET_UPDATE) {
		size_let_update(z, e);
		return e->let_update.body;
	}
	return NULL;
}

// Chains of lets are as long as programs, so they are not recursed over.
static Ty *size_lets(Sizer *z, Expr *e)
{
	int level = z->level;
	VEC(Expr *) chain = {0};
	Expr *body = e;
	for (Expr *next; (next = size_binding(z, body)); body = next)
		VEC_PUSH(&chain, body);
	Ty *t = size_exp(z, body);
	for (int i = chain.len - 1; i >= 0; i--) {
		Leave leave = {.level = level + i, .at = chain.at[i]};
		t = chain.at[i]->type = leave_scope(z, leave, t);
	}
	z->level = level;
	return t;
}

// ---- Everything ----

static Ty *size_any_exp(Sizer *z, Expr *e)
{
	switch (e->kind) {
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL:
		return ty_resolve(e->type);
	case EX_STRING: return ty_array(size_const(e->string.len), ty_prim(PT_U8));
	case EX_VAR: return size_var_exp(z, e);
	case EX_HOLE: return fresh_sizes(z, e->type, e->span, "hole");
	case EX_PAREN: case EX_NEG: case EX_NOT:
		return size_exp(z, e->inner);
	case EX_TUPLE: return size_tuple(z, e->tuple);
	case EX_RECORD: return size_record(z, e->record);
	case EX_ARRAY: return size_array(z, e);
	case EX_PROJECT:
		return ty_nonunique(field_of_type(z, size_exp(z, e->project.of), e->project.field,
		                                  e->span));
	case EX_INDEX: return index_sizes(z, e, size_exp(z, e->index.of), e->index.idx);
	case EX_OPEN: return size_exp(z, e->open.body);
	case EX_APPLY: return size_apply(z, e);
	case EX_BINOP: return size_binop(z, e);
	case EX_CONSTR: return size_constr(z, e);
	case EX_ASCRIBE: return size_ascribe(z, e);
	case EX_COERCE: return size_coerce(z, e);
	case EX_RANGE: return size_range(z, e);
	case EX_IF: return size_if(z, e);
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE:
		return size_lets(z, e);
	case EX_LAMBDA: return size_lambda(z, e, NULL);
	case EX_LOOP: return size_loop(z, e);
	case EX_MATCH: return size_match(z, e);
	case EX_ASSERT:
		size_exp(z, e->assert_.cond);
		return size_exp(z, e->assert_.body);
	case EX_UPDATE: return size_update(z, e);
	case EX_ATTR: return size_exp(z, e->attr.body);
	case EX_SECTION_L: case EX_SECTION_R: return size_section(z, e);
	case EX_SECTION_PATH: return size_section_path(z, e);
	}
	bug("kind of expression");
}

Ty *size_exp(Sizer *z, Expr *e)
{
	return e->type = size_any_exp(z, e);
}
