// Inference of expressions: literals, records, arrays, projection, indexing, updates.
//
// Everything is inferred from the inside out; what an expression is expected to be is
// unified with its type afterwards.  Array types made here have anonymous sizes.
#include "check/infer.h"

static Size no_size = {.kind = SZ_ANON};

static Ty *array_of(Ty *elem)
{
	return ty_array(&no_size, elem);
}

Expr *strip_parens(Expr *e)
{
	while (e->kind == EX_PAREN)
		e = e->inner;
	return e;
}

// ---- Literals ----

static Ty *overloaded(Span span, Overload ov)
{
	Ty *t = meta_new(span, "t");
	t->meta->overload = ov;
	return t;
}

static Ty *infer_literal(const Expr *e)
{
	if (e->kind == EX_INT)
		return e->int_lit.suffixed ? ty_prim(e->int_lit.type) : overloaded(e->span, OV_NUM);
	if (e->kind == EX_FLOAT)
		return e->float_lit.suffixed ? ty_prim(e->float_lit.type)
		                             : overloaded(e->span, OV_FLOAT);
	return overloaded(e->span, OV_INT); // EX_CHAR
}

static bool may_be_number(Ty *t)
{
	t = ty_resolve(t);
	return t->kind == TY_ERROR || (t->kind == TY_PRIM && is_num(t->prim)) ||
	       (t->kind == TY_META && !t->meta->fields.len && !t->meta->constrs.len);
}

// Checks an expression whose type is known so far to be t.  A literal takes over the type
// without a meta of its own: there are many of them.
bool check_operand(Scope *s, const Why *why, Expr *e, Ty *t)
{
	if (e->kind != EX_INT || e->int_lit.suffixed || !may_be_number(t))
		return unify_why(why, t, infer_exp(s, e));
	e->type = ty_nonunique(t);
	return need_overload_why(why, t, OV_NUM);
}

bool check_exp(Scope *s, Expr *e, Ty *t, const char *what)
{
	Why why = {.kind = WHY_TEXT, .span = e->span, .text = what, .arg = e};
	return check_operand(s, &why, e, t);
}

// ---- Data ----

static Ty *infer_tuple(Scope *s, Exprs parts)
{
	Tys types = {NEW_ARRAY(Ty *, parts.len), parts.len};
	for (int i = 0; i < parts.len; i++)
		types.at[i] = ty_nonunique(infer_exp(s, parts.at[i]));
	return ty_tuple(types);
}

static Ty *infer_record(Scope *s, FieldExprs fields)
{
	TyFields types = {NEW_ARRAY(TyField, fields.len), fields.len};
	Map seen = {0};
	bool twice = false;
	for (int i = 0; i < fields.len; i++) {
		FieldExpr f = fields.at[i];
		const FieldExpr *before = map_get(&seen, f.name);
		if (before)
			diag_error(f.span, NULL,
			           "Duplicate fields: \"%s\" is also defined at %s.", f.name,
			           show_span(before->span));
		twice |= before != NULL;
		map_put(&seen, f.name, &fields.at[i]);
		types.at[i] = (TyField){f.name, ty_nonunique(infer_exp(s, f.value))};
	}
	return twice ? ty_error : ty_record(types);
}

static Ty *infer_array(Scope *s, const Expr *e)
{
	Ty *elem = e->array.len ? ty_nonunique(infer_exp(s, e->array.at[0]))
	                        : meta_new(e->span, "t");
	if (!need_element(e->span, elem, why_element))
		elem = ty_error;
	for (int i = 1; i < e->array.len; i++)
		if (!check_exp(s, e->array.at[i], elem,
		               "Array element does not have the type of the elements before it."))
			elem = ty_error;
	return array_of(elem);
}

static Ty *infer_constr(Scope *s, const Expr *e)
{
	Tys args = {NEW_ARRAY(Ty *, e->constr.args.len), e->constr.args.len};
	for (int i = 0; i < args.len; i++)
		args.at[i] = ty_nonunique(infer_exp(s, e->constr.args.at[i]));
	Ty *t = meta_new(e->span, "t");
	need_constr(e->span, t, e->constr.name, args);
	return t;
}

// ---- Projection and indexing ----

Ty *field_of(Span span, Ty *record, Name field)
{
	Ty *t = ty_resolve(record);
	if (t->kind == TY_ERROR)
		return t;
	const TyField *f = ty_field(t, field);
	if (f)
		return ty_nonunique(f->type);
	Ty *type = meta_new(span, "t");
	return need_field(span, t, field, type) ? type : ty_error;
}

static bool is_literal_index(const Expr *e)
{
	if (e->kind == EX_NEG)
		e = e->inner;
	return e->kind == EX_INT && !e->int_lit.suffixed;
}

// An index may have any signed type; one that is a mere literal is an i64.
static void check_index(Scope *s, Expr *e)
{
	Ty *t = infer_exp(s, e);
	if (e->kind == EX_NEG && is_literal_index(e) && e->inner->int_lit.value) {
		Diag *d = diag_warn(e->span, NULL, "An index below zero is out of bounds.");
		diag_note(d, "Hint: the last element is \"last xs\", or \"xs[length xs - 1]\".");
	}
	if (is_literal_index(e))
		unify((Reason){e->span, NULL}, ty_prim(PT_I64), t);
	else
		need_overload(e->span, t, OV_SIGNED, "Index must be of a signed integer type.");
}

// xs[:-1], xs[-2:]: allowed only where the step goes backwards.
static void warn_of_negative_bound(const Index *i)
{
	Expr *bounds[] = {i->from, i->to};
	for (int k = 0; k < 2 && !i->step; k++) {
		const Expr *b = bounds[k];
		if (!b || b->kind != EX_NEG || !is_literal_index(b) || !b->inner->int_lit.value)
			continue;
		Diag *d = diag_warn(b->span, NULL, "A bound below zero is out of bounds.");
		diag_note(d, k ? "Hint: \"xs[:length xs - n]\" is xs without its last n elements, "
		                 "\"init xs\" without the last."
		               : "Hint: \"drop (length xs - n) xs\" is the last n elements.");
	}
}

static void check_slice(Scope *s, const Index *i)
{
	warn_of_negative_bound(i);
	Expr *bounds[] = {i->from, i->to, i->step};
	for (int k = 0; k < 3; k++)
		if (bounds[k])
			check_exp(s, bounds[k], ty_prim(PT_I64),
			          "Slice bounds must be of type i64.");
}

static void cannot_index(Span span, Ty *of, Indices idx)
{
	Diag *d = diag_error(span, NULL, "Cannot index value of type %s with %d %s.",
	                     show_partial(of), idx.len, idx.len == 1 ? "index" : "indices");
	int n_dims = 0;
	for (Ty *t = ty_resolve(of); t->kind == TY_ARRAY; t = ty_resolve(t->array.elem))
		n_dims++;
	if (n_dims == 1)
		diag_note(d, "Hint: it has one dimension, which takes one index or slice.");
	if (n_dims > 1)
		diag_note(d, "Hint: it has %d dimensions, each of which takes one index or slice.",
		          n_dims);
	if (ty_resolve(of)->kind == TY_PRIM)
		diag_note(d, "Note: this is a single value; only arrays have elements.");
	if (ty_resolve(of)->kind == TY_RECORD)
		diag_note(d, "Hint: components are named: \"p.0\" is the first one of a tuple, "
		          "\"r.x\" the field x of a record.");
}

// The element type of an array, which an unknown type becomes.
static Ty *element_of(Ty *t)
{
	t = ty_resolve(t);
	if (t->kind == TY_ARRAY)
		return t->array.elem;
	if (t->kind == TY_ERROR)
		return t;
	if (t->kind != TY_META || t->meta->overload || t->meta->fields.len || t->meta->constrs.len)
		return NULL;
	Ty *elem = meta_new(t->meta->span, "t");
	need_element(t->meta->span, elem, why_element);
	unify((Reason){t->meta->span, NULL}, t, array_of(elem));
	return elem;
}

// xs[i, j:k] drops the first dimension and keeps the second.
static Ty *infer_indices(Scope *s, Span span, Ty *of, Indices idx)
{
	Ty *t = of;
	int kept = 0;
	for EACH(Index, i, idx) {
		int before = diags.len;
		if (i->is_slice)
			check_slice(s, i);
		else
			check_index(s, i->index);
		kept += i->is_slice;
		Ty *elem = element_of(t);
		if (!elem) {
			if (ty_resolve(of)->kind == TY_RECORD)
				diag_forget(before);    // any index is wrong, of whatever type
			cannot_index(span, of, idx);
		}
		t = elem ? elem : ty_error;
	}
	if (t->kind == TY_ERROR)
		return t;
	for (t = ty_nonunique(t); kept; kept--)
		t = array_of(t);
	return t;
}

Ty *infer_path(Scope *s, Ty *of, Path path, const Expr *whole)
{
	for EACH(PathStep, step, path)
		of = step->is_field ? field_of(step->span, of, step->field)
		                    : infer_indices(s, whole->span, of, step->idx);
	return of;
}

const char *update_heading(Path path)
{
	const PathStep *last = &path.at[path.len - 1];
	return last->is_field
	     ? text("Value of update does not have the type of what it replaces, record field "
	            "\"%s\".", last->field)
	     : "Value of update does not have the type of what it replaces.";
}

static Ty *infer_update(Scope *s, Expr *e)
{
	Ty *of = ty_nonunique(infer_exp(s, e->update.of));
	Ty *old = infer_path(s, of, e->update.path, e);
	check_exp(s, e->update.value, old, update_heading(e->update.path));
	return of;
}

static Ty *infer_section_path(Scope *s, Expr *e)
{
	Ty *from = meta_new(e->span, "t");
	return ty_arrow(NULL, from, (Bindings){0}, infer_path(s, from, e->path, e));
}

// ---- Ranges ----

static bool same_start(const Expr *a, const Expr *b)
{
	if (a->kind == EX_INT && b->kind == EX_INT)
		return a->int_lit.value == b->int_lit.value;
	return a->kind == EX_VAR && b->kind == EX_VAR && a->var.binding &&
	       a->var.binding == b->var.binding && !a->var.fields.len && !b->var.fields.len;
}

static Ty *infer_range(Scope *s, Expr *e)
{
	Ty *t = ty_nonunique(infer_exp(s, e->range.from));
	if (!need_overload(e->range.from->span, t, OV_INT,
	                   "Elements of a range must be integers."))
		t = ty_error;
	if (e->range.second) {
		check_exp(s, e->range.second, t,
		          "Second element of range does not have the type of the first.");
		if (same_start(e->range.from, e->range.second))
			diag_warn(e->span, NULL, "First and second element of range are identical, "
			                         "this will produce an empty array.");
	}
	check_exp(s, e->range.to, t, "End of range does not have the type of its start.");
	return array_of(t);
}

// ---- Everything ----

static Ty *infer_prefix(Scope *s, const Expr *e)
{
	bool neg = e->kind == EX_NEG;
	Ty *t = ty_nonunique(infer_exp(s, e->inner));
	Why why = {.kind = WHY_OPERAND, .span = e->inner->span, .text = neg ? "-" : "!",
	           .arg = e->inner};
	return need_overload_why(&why, t, neg ? OV_NUM : OV_BITS) ? t : ty_error;
}

static Ty *infer_ascription(Scope *s, Expr *e)
{
	Ty *of = infer_exp(s, e->ascribe.of);
	Bindings exts = {0};
	Ty *t = infer_type(s, e->ascribe.type, &exts);
	unify((Reason){e->span, e->kind == EX_ASCRIBE
	       ? "Expression does not have expected type from explicit ascription."
	       : "Expression does not have expected type from explicit coercion."}, t, of);
	return ty_nonunique(t);
}

static Ty *infer_open(Scope *s, Expr *e)
{
	Mod *m = find_module(s, e->open.mod);
	if (m->kind == MOD_FUNCTOR)
		fail(e->open.mod.span, "module-is-parametric",
		     "Cannot have parametric module here.");
	int mark = scope_mark(s);
	scope_open(s, m);
	Ty *t = infer_exp(s, e->open.body);
	scope_leave(s, mark, e->span.hi);
	return t;
}

static Ty *infer_any(Scope *s, Expr *e)
{
	switch (e->kind) {
	case EX_INT: case EX_FLOAT: case EX_CHAR:
		return infer_literal(e);
	case EX_BOOL: return ty_prim(PT_BOOL);
	case EX_STRING: return array_of(ty_prim(PT_U8));
	case EX_VAR: return infer_var(s, e);
	case EX_HOLE:
		for EACH(Expr *, part, e->hole.parts)
			infer_exp(s, *part);
		return meta_new(e->span, "t");
	case EX_PAREN: return infer_exp(s, e->inner);
	case EX_TUPLE: return infer_tuple(s, e->tuple);
	case EX_RECORD: return infer_record(s, e->record);
	case EX_ARRAY: return infer_array(s, e);
	case EX_PROJECT:
		return field_of(e->project.field_span, infer_exp(s, e->project.of),
		                e->project.field);
	case EX_INDEX: return infer_indices(s, e->span, infer_exp(s, e->index.of), e->index.idx);
	case EX_OPEN: return infer_open(s, e);
	case EX_APPLY: return infer_apply(s, e);
	case EX_BINOP: return infer_binop(s, e);
	case EX_NEG: case EX_NOT: return infer_prefix(s, e);
	case EX_CONSTR: return infer_constr(s, e);
	case EX_ASCRIBE: case EX_COERCE: return infer_ascription(s, e);
	case EX_RANGE: return infer_range(s, e);
	case EX_IF: return infer_if(s, e);
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE:
		return infer_lets(s, e);
	case EX_LAMBDA: return infer_lambda(s, e);
	case EX_LOOP: return infer_loop(s, e);
	case EX_MATCH: return infer_match(s, e);
	case EX_ASSERT:
		check_exp(s, e->assert_.cond, ty_prim(PT_BOOL),
		          "Condition of assert must be a bool.");
		return infer_exp(s, e->assert_.body);
	case EX_UPDATE: return infer_update(s, e);
	case EX_ATTR: return infer_exp(s, e->attr.body);
	case EX_SECTION_L: case EX_SECTION_R: return infer_section(s, e);
	case EX_SECTION_PATH: return infer_section_path(s, e);
	}
	bug("kind of expression");
}

Ty *infer_exp(Scope *s, Expr *e)
{
	return e->type = infer_any(s, e);
}
