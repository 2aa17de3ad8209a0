// Type expressions to types.
//
// Names are resolved and abbreviations expanded, so that types compare structurally.  A size
// without a name belongs to the innermost place it can come into being at:
//
//     ?[k].[k]i32          k at the top of the type: the caller of elab_type decides
//     a -> ?[k].[k]i32     k of the arrow's result: each application makes one
//     a -> []i32           likewise
//     vec -> i32           with type~ vec = []i32: a size for the function as a whole
//
// An anonymous size that is neither right of an arrow nor an argument of an abbreviation stays
// SZ_ANON: in parameters, returns and ascriptions of values it is for inference to find.
#include "check/modules.h"
#include "check/size.h"

// What is collected while elaborating: existential sizes of this place, and of places left
// of arrows in it.
typedef struct {
	Scope *scope;
	Bindings exts, lefts;
	const struct BoundName *names;  // bound by the type around, innermost first
} Elab;

// A parameter of a function type, or an existential size: none is bound again inside.
typedef struct BoundName {
	const struct BoundName *up;
	Name name;
	Span span;
} BoundName;

static Ty *elab(Elab *e, TypeExpr *te, Lifting *lifting);

static void push_all(Bindings *to, Bindings from)
{
	for EACH(Binding *, b, from)
		bindings_push(to, *b);
}

static void raise_lifting(Lifting *to, Lifting l)
{
	if (l > *to)
		*to = l;
}

static Binding *hidden_size(Elab *e, Span span)
{
	Binding *b = binding_new(BIND_SIZE, name_of(text("d%d", e->exts.len)), span);
	b->level = scope_depth(e->scope);
	return b;
}

// ---- Anonymous sizes become existential ----

typedef struct { TyMap map; Elab *elab; } Naming;

static Size *name_size(TyMap *m, Size *s)
{
	if (s->kind != SZ_ANON)
		return s;
	Elab *e = ((Naming *)m)->elab;
	Binding *b = hidden_size(e, s->span);
	bindings_push(&e->exts, b);
	return size_var(b);
}

static Ty *keep_arrow(TyMap *m, Ty *arrow)
{
	(void)m;
	return arrow;
}

// [][]i32 becomes [d0][d1]i32 with d0 and d1 in e->exts.  Arrows keep what they have: right of
// them nothing is anonymous any more.
static Ty *name_anonymous(Elab *e, Ty *t)
{
	Naming n = {{.size = name_size, .arrow = keep_arrow}, e};
	return map_ty(&n.map, t);
}

static bool is_anonymous(void *ctx, Size *s, bool under_arrow, bool left)
{
	(void)ctx;
	(void)under_arrow;
	(void)left;
	return s->kind == SZ_ANON;
}

static bool any_anonymous(Ty *t)
{
	return visit_sizes(&(SizeVisit){is_anonymous, NULL}, t);
}

// Whether a value of the type has an array from which the size can be read.
static bool is_witnessed(Ty *t, Binding *size)
{
	return t->kind == TY_ERROR || values_have_size(t, size);
}

// ---- Names and applications ----

static Ty *elab_name(Elab *e, TypeExpr *te, Lifting *lifting)
{
	TypeDef *def = find_type(e->scope, te->name);
	if (def->params.len) {
		Diag *d = diag_error(te->span, NULL,
		                     "Type constructor \"%s\" used without any arguments.",
		                     show_qualname(te->name));
		diag_note(d, "Hint: it has %d parameter%s; sizes are given in brackets, types by "
		          "name: \"t [n]\", \"t f64\".", def->params.len,
		          def->params.len == 1 ? "" : "s");
		fail_diag(d);
	}
	raise_lifting(lifting, def->lifting);
	te->means = def->written;
	switch (def->kind) {
	case TD_PARAM:
		return ty_param(def);
	case TD_PRIM:
		return def->body;
	case TD_ABSTRACT:
		return ty_abs(def, (Tys){0}, (Sizes){0});
	case TD_ABBREV:
		return def->exts.len ? ty_expand(def, (Tys){0}, (Sizes){0}, &e->exts) : def->body;
	}
	bug("kind of type definition");
}

// An anonymous argument is one size however often the definition uses it.
static Size *elab_size_arg(Elab *e, TypeExpr *arg)
{
	if (arg->size)
		return infer_size(e->scope, arg->size);
	Binding *b = hidden_size(e, arg->span);
	bindings_push(&e->exts, b);
	return size_var(b);
}

static void elab_args(Elab *e, TypeExpr *te, TypeDef *def, Tys *types, Sizes *sizes, Lifting *l)
{
	int n = def->params.len;
	*types = (Tys){NEW_ARRAY(Ty *, n), 0};
	*sizes = (Sizes){NEW_ARRAY(Size *, n), 0};
	for (int i = 0; i < n; i++) {
		TypeExpr *arg = te->apply.args.at[i];
		TypeParam *p = &def->params.at[i];
		if ((p->kind == TP_SIZE) != (arg->kind == TE_SIZE))
			fail(arg->span, NULL,
			     "Type argument %s not valid for a %s parameter \"%s\".",
			     show_type_expr(arg), p->kind == TP_SIZE ? "size" : "type", p->name);
		if (p->kind == TP_SIZE)
			sizes->at[sizes->len++] = elab_size_arg(e, arg);
		else
			types->at[types->len++] = name_anonymous(e, elab(e, arg, l));
	}
}

// A definition that failed: its arguments are checked, if only against nothing.
static Ty *elab_args_of_error(Elab *e, TypeExpr *te)
{
	Lifting ignored = LIFT_NONE;
	for EACH(TypeExpr *, arg, te->apply.args) {
		if ((*arg)->kind == TE_SIZE)
			elab_size_arg(e, *arg);
		else
			elab(e, *arg, &ignored);
	}
	return ty_error;
}

static _Noreturn void fail_argument(TypeExpr *te, int i, const TypeParam *p, Ty *t)
{
	bool functional = ty_lifting(t) == LIFT_FULL;
	fail(te->apply.args.at[i]->span, NULL, "Type %s found to be %s.\n"
	     "It cannot be the argument \"%s\" of %s.", show_ty(t),
	     functional ? "functional" : "size-lifted (might cause irregular array)", p->name,
	     show_type_expr(te->apply.fn));
}

// Arguments may be lifted as far as the parameters of an abstract type are, and where an
// abbreviation has no arrays of them.
static void check_arguments(TypeExpr *te, const TypeDef *def, Tys types, Ty *t)
{
	bool bad = def->kind != TD_ABSTRACT && ty_has_lifted_array(t);
	for (int i = 0, at = 0; i < def->params.len; i++) {
		const TypeParam *p = &def->params.at[i];
		if (p->kind == TP_SIZE)
			continue;
		Lifting l = ty_lifting(types.at[at]);
		if (l > p->def->lifting && (bad || def->kind == TD_ABSTRACT))
			fail_argument(te, i, p, types.at[at]);
		at++;
	}
}

static Ty *elab_apply(Elab *e, TypeExpr *te, Lifting *lifting)
{
	TypeExpr *fn = te->apply.fn;
	while (fn->kind == TE_PAREN)
		fn = fn->inner;
	if (fn->kind != TE_NAME)
		fail(te->span, NULL, "Type \"%s\" cannot be applied to arguments.",
		     show_type_expr(fn));
	TypeDef *def = find_type(e->scope, fn->name);
	if (def->kind == TD_ABBREV && def->body == ty_error)
		return elab_args_of_error(e, te);
	if (def->kind == TD_PRIM && te->apply.args.at[0]->kind == TE_SIZE) {
		Diag *d = diag_error(te->span, NULL, "Type constructor \"%s\" requires 0 "
		                     "arguments, but provided %d.", show_qualname(fn->name),
		                     te->apply.args.len);
		diag_note(d, "Hint: the type of an array is written \"[]%s\".", def->name);
		fail_diag(d);
	}
	if (def->params.len != te->apply.args.len)
		fail(te->span, NULL,
		     "Type constructor \"%s\" requires %d arguments, but provided %d.",
		     show_qualname(fn->name), def->params.len, te->apply.args.len);
	raise_lifting(lifting, def->lifting);
	fn->means = def->written;
	Tys types;
	Sizes sizes;
	elab_args(e, te, def, &types, &sizes, lifting);
	Ty *t = def->kind == TD_ABSTRACT ? ty_abs(def, types, sizes)
	      : ty_expand(def, types, sizes, &e->exts);
	check_arguments(te, def, types, t);
	return t;
}

// ---- The other forms ----

static Ty *elab_array(Elab *e, TypeExpr *te)
{
	Size *dim = te->array.size ? infer_size(e->scope, te->array.size) : size_anon(te->span);
	Lifting lifting = LIFT_NONE;
	Ty *elem = elab(e, te->array.elem, &lifting);
	if (lifting == LIFT_SIZE)
		fail(te->span, NULL, "Cannot create array with elements of size-lifted type \"%s\" "
		     "(might cause irregular array).\nThe type is lifted and cannot be an array "
		     "element.", show_type_expr(te->array.elem));
	if (lifting == LIFT_FULL)
		fail(te->span, NULL, "Cannot create array with elements of lifted type \"%s\" "
		     "(might contain function).\nThe type is lifted and cannot be an array "
		     "element.", show_type_expr(te->array.elem));
	return ty_array(dim, elem);
}

static Ty *elab_tuple(Elab *e, TypeExpr *te, Lifting *lifting)
{
	Tys parts = {NEW_ARRAY(Ty *, te->tuple.len), te->tuple.len};
	for (int i = 0; i < parts.len; i++)
		parts.at[i] = elab(e, te->tuple.at[i], lifting);
	return ty_tuple(parts);
}

static Ty *elab_record(Elab *e, TypeExpr *te, Lifting *lifting)
{
	TyFields fields = {NEW_ARRAY(TyField, te->record.len), te->record.len};
	Map seen = {0};
	for (int i = 0; i < fields.len; i++) {
		FieldType *f = &te->record.at[i];
		FieldType *before = map_get(&seen, f->name);
		if (before)
			fail(f->span, NULL,
			     "Duplicate fields: \"%s\" is also defined at %s.", f->name,
			     show_span(before->span));
		map_put(&seen, f->name, f);
		fields.at[i] = (TyField){f->name, elab(e, f->type, lifting)};
	}
	return ty_record(fields);
}

static Ty *elab_sum(Elab *e, TypeExpr *te, Lifting *lifting)
{
	TyConstrs constrs = {NEW_ARRAY(TyConstr, te->sum.len), te->sum.len};
	Map seen = {0};
	if (constrs.len > 255)
		fail(te->span, NULL, "Sum types must have less than 256 constructors.");
	for (int i = 0; i < constrs.len; i++) {
		ConstrType *c = &te->sum.at[i];
		ConstrType *before = map_get(&seen, c->name);
		if (before)
			fail(c->span, NULL, "Constructor \"#%s\" previously defined at %s.",
			     c->name, show_span(before->span));
		map_put(&seen, c->name, c);
		Tys args = {NEW_ARRAY(Ty *, c->args.len), c->args.len};
		for (int j = 0; j < args.len; j++)
			args.at[j] = elab(e, c->args.at[j], lifting);
		constrs.at[i] = (TyConstr){c->name, args};
	}
	return ty_sum(constrs);
}

static void check_bound_once(const Elab *e, Name name, Span span)
{
	for (const BoundName *b = e->names; b; b = b->up)
		if (b->name == name)
			fail(span, NULL, "Name \"%s\" also bound at %s.", name,
			     show_span(b->span));
}

// (x: t) -> u, where x may occur in sizes of u
static Ty *elab_arrow(Elab *e, TypeExpr *te, Lifting *lifting)
{
	BoundName name = {e->names, te->arrow.param, te->arrow.param_span};
	const BoundName *names = te->arrow.param ? &name : e->names;
	Elab left = {.scope = e->scope, .names = names};
	Elab right = {.scope = e->scope, .names = names};
	Lifting ignored = LIFT_NONE;
	if (te->arrow.param)
		check_bound_once(e, te->arrow.param, te->arrow.param_span);
	Ty *from = elab(&left, te->arrow.from, &ignored);
	push_all(&e->lefts, left.exts);
	push_all(&e->lefts, left.lefts);
	int mark = scope_mark(e->scope);
	Binding *param = NULL;
	if (te->arrow.param) {
		param = binding_new(BIND_LOCAL, te->arrow.param, te->arrow.param_span);
		param->scheme.type = from;
		param->used = true;     // naming a parameter is useful without mentioning it
		scope_bind(e->scope, param);
	}
	Ty *to = name_anonymous(&right, elab(&right, te->arrow.to, &ignored));
	scope_leave(e->scope, mark, te->span.hi);
	push_all(&e->lefts, right.lefts);
	*lifting = LIFT_FULL;
	return ty_arrow(param, from, right.exts, to);
}

static bool may_contain_array(Ty *t, void *none)
{
	if (t->kind == TY_RECORD || t->kind == TY_SUM)
		return ty_any_part(t, may_contain_array, none);
	return t->kind != TY_PRIM && t->kind != TY_ARROW;
}

static Ty *elab_unique(Elab *e, TypeExpr *te, Lifting *lifting)
{
	Ty *t = elab(e, te->inner, lifting);
	if (!may_contain_array(t, NULL) && !e->scope->is_prelude)
		diag_warn(te->span, NULL, "Declaring \"%s\" as unique has no effect.", show_ty(t));
	return ty_unique(t);
}

// ?[n][m].t
static Ty *elab_exists(Elab *e, TypeExpr *te, Lifting *lifting)
{
	int mark = scope_mark(e->scope), n = te->exists.sizes.len;
	const BoundName *outer = e->names;
	BoundName *names = NEW_ARRAY(BoundName, n);
	for (int i = 0; i < n; i++) {
		const TypeParam *p = &te->exists.sizes.at[i];
		check_bound_once(e, p->name, p->span);
		names[i] = (BoundName){e->names, p->name, p->span};
		e->names = &names[i];
	}
	elab_type_params(e->scope, te->exists.sizes);
	Ty *t = elab(e, te->exists.type, lifting);
	e->names = outer;
	scope_leave(e->scope, mark, te->span.hi);
	for EACH(TypeParam, p, te->exists.sizes) {
		if (!is_witnessed(t, p->binding))
			fail(te->span, "unused-existential",
			     "Existential size \"%s\" not used as array size.", p->name);
		bindings_push(&e->exts, p->binding);
	}
	return t;
}

static Ty *elab_form(Elab *e, TypeExpr *te, Lifting *lifting)
{
	switch (te->kind) {
	case TE_NAME: return elab_name(e, te, lifting);
	case TE_APPLY: return elab_apply(e, te, lifting);
	case TE_ARRAY: return elab_array(e, te);
	case TE_TUPLE: return elab_tuple(e, te, lifting);
	case TE_RECORD: return elab_record(e, te, lifting);
	case TE_SUM: return elab_sum(e, te, lifting);
	case TE_ARROW: return elab_arrow(e, te, lifting);
	case TE_UNIQUE: return elab_unique(e, te, lifting);
	case TE_EXISTS: return elab_exists(e, te, lifting);
	case TE_PAREN: return elab(e, te->inner, lifting);
	case TE_SIZE:
		fail(te->span, NULL, "Size \"%s\" used where a type is expected.",
		     show_type_expr(te));
	}
	bug("kind of type expression");
}

static Ty *elab(Elab *e, TypeExpr *te, Lifting *lifting)
{
	return te->ty = elab_form(e, te, lifting);
}

// ---- Entry points ----

Ty *elab_type(Scope *scope, TypeExpr *te, Bindings *exts)
{
	Elab e = {.scope = scope};
	Lifting lifting = LIFT_NONE;
	Ty *t = elab(&e, te, &lifting);
	push_all(&e.exts, e.lefts);
	te->exts.at = e.exts.at;
	te->exts.len = e.exts.len;
	if (exts)
		push_all(exts, e.exts);
	return t;
}

Ty *elab_closed(Scope *scope, TypeExpr *te, Bindings *exts, bool *hidden_left)
{
	Elab e = {.scope = scope};
	Lifting lifting = LIFT_NONE;
	Ty *t = name_anonymous(&e, elab(&e, te, &lifting));
	*hidden_left = e.lefts.len > 0 || any_anonymous(t);
	push_all(exts, e.exts);
	return t;
}

void elab_type_params(Scope *scope, TypeParams params)
{
	Map seen[2] = {0};              // sizes and types are different name spaces
	for EACH(TypeParam, p, params) {
		Map *m = &seen[p->kind == TP_SIZE];
		TypeParam *before = map_get(m, p->name);
		if (before)
			fail(p->span, NULL, "Type parameter \"%s\" also bound at %s.",
			     p->name, show_span(before->span));
		map_put(m, p->name, p);
		if (p->kind == TP_SIZE) {
			p->binding = binding_new(BIND_SIZE, p->name, p->span);
			scope_bind(scope, p->binding);
			continue;
		}
		p->def = typedef_new(TD_PARAM, p->name, p->span);
		p->def->lifting = p->kind == TP_TYPE ? LIFT_NONE
		                : p->kind == TP_SIZE_LIFTED ? LIFT_SIZE : LIFT_FULL;
		scope_bind_type(scope, p->def);
	}
}

static void check_lifting(TypeDef *def, TypeExpr *te, Lifting needed)
{
	if (needed == LIFT_FULL && def->lifting < LIFT_FULL) {
		Diag *d = diag_error(te->span, NULL,
		                     "Non-lifted type abbreviations may not contain functions.");
		diag_note(d, "Hint: consider using 'type^'.");
		fail_diag(d);
	}
	if (needed == LIFT_SIZE && def->lifting < LIFT_SIZE) {
		Diag *d = diag_error(te->span, NULL, "Non-size-lifted type abbreviations may not "
		                     "contain size-lifted types.");
		diag_note(d, "Hint: consider using 'type~'.");
		fail_diag(d);
	}
	if (def->exts.len && def->lifting == LIFT_NONE) {
		Diag *d = diag_error(te->span, NULL, "Non-lifted type abbreviations may not use "
		                     "existential sizes in their definition.");
		diag_note(d, "Hint: use 'type~' or add size parameters to \"%s\".", def->name);
		fail_diag(d);
	}
}

// *needed: the least lifting that a definition can have
static TypeDef *elab_definition(Scope *scope, Name name, Span name_span, TypeParams params,
                                TypeExpr *te, Lifting *needed)
{
	TypeDef *def = typedef_new(TD_ABBREV, name, name_span);
	Elab e = {.scope = scope};
	*needed = LIFT_NONE;
	int mark = scope_mark(scope);
	elab_type_params(scope, params);
	def->params = params;
	def->body = name_anonymous(&e, elab(&e, te, needed));
	def->exts = e.exts;
	scope_leave(scope, mark, te->span.hi);
	if (e.lefts.len || any_anonymous(def->body))
		fail(te->span, "anonymous-nonconstructive",
		     "Type abbreviation contains an anonymous size not used constructively as an "
		     "array size.");
	for EACH(TypeParam, p, params)
		if (p->kind == TP_SIZE && def->body != ty_error &&
		    !sizes_mention(def->body, p->binding))
			fail(p->span, NULL, "Size parameter \"[%s]\" unused.", p->name);
	return def;
}

TypeDef *elab_typedef(Scope *scope, Name name, Span name_span, Lifting lifting,
                      TypeParams params, TypeExpr *te)
{
	Lifting needed;
	TypeDef *def = elab_definition(scope, name, name_span, params, te, &needed);
	def->lifting = lifting;
	check_lifting(def, te, needed);
	return def;
}

TypeDef *elab_refinement(Scope *scope, const TypeDef *of, TypeParams params, TypeExpr *te)
{
	Lifting needed;
	TypeDef *def = elab_definition(scope, of->name, of->span, params, te, &needed);
	def->lifting = needed == LIFT_NONE && def->exts.len ? LIFT_SIZE : needed;
	if (def->lifting < of->lifting)
		def->lifting = of->lifting;
	def->doc = of->doc;
	return def;
}
