// Functions and declarations: from parameters, return type and body to a sized type.
//
//     def f [n] (m: i64) (xs: [n]i32) (ys: []i32) = (take m xs, zip xs ys, filter (> 0) ys)
//     f : [n] : (m: i64) -> [n]i32 -> [n]i32 -> ?[d₇].([m]i32, [n](i32, i32), [d₇]i32)
//
// A parameter that is just a name may be mentioned by sizes after it; sizes that mention
// anything else of the inside become existential.  Sizes of the parameters of a named function
// that nothing has fixed become size parameters of it; those of lambdas stay variables.
#include "check/size.h"

// A function, however it is written.
typedef struct {
	TypeParams params;
	Pats pats;
	TypeExpr *ret;
	Expr *body;
	Name name;              // NULL: a lambda
	Span span;
	Ty *ret_type;           // found by size_function
	int level;              // around it
} Function;

// ---- Names of parameters in types ----

static bool is_plain_param(const Function *f, const Binding *b)
{
	for EACH(Pat *, p, f->pats)
		if (name_of_pat(*p) == b)
			return true;
	return false;
}

typedef struct { const Function *f; Binding *found; } FindInner;

static bool is_inner_leaf(void *ctx, Size *leaf)
{
	FindInner *i = ctx;
	Binding *b = leaf->kind == SZ_VAR && leaf->var->kind == BIND_LOCAL ? leaf->var : NULL;
	if (b && b->level > i->f->level && b->level != LEVEL_BOUND && !is_plain_param(i->f, b))
		i->found = b;
	return i->found;
}

// Names bound inside of a tuple or record pattern mean nothing to callers.
static void check_return_names(const Function *f, Ty *declared)
{
	FindInner i = {.f = f};
	if (any_size_leaf(declared, is_inner_leaf, &i))
		fail(f->ret->span, NULL,
		     "The return type annotation\n  %s\nrefers to the name \"%s\" which is bound "
		     "to an inner component of a function parameter.", show_ty(declared),
		     i.found->name);
}

void fail_causality(Binding *unknown, Span span, const char *what, Ty *t)
{
	Diag *d = diag_error(span, "causality-check",
	                     "Causality check: size \"%s\" needed for type of %s:\n  %s\n"
	                     "But \"%s\" is computed at %s.", show_name(unknown), what,
	                     show_ty(t), show_name(unknown), show_span(unknown->span));
	diag_note(d, "Hint: Bind the expression producing \"%s\" with 'let' beforehand.",
	          show_name(unknown));
	fail_diag(d);
}

typedef struct { const Function *f; const Pat *pat; Ty *type; } CheckParam;

static NORETURN void fail_param(const CheckParam *c, Binding *b)
{
	const Function *f = c->f;
	if (b->kind == BIND_UNKNOWN && !f->name)
		fail_causality(b, c->pat->span, text("\"%s\"", show_pat(c->pat)), c->type);
	if (b->kind == BIND_UNKNOWN) {
		// What has the size is a better place than the function's name.
		Diag *d = diag_error(b->defined_by ? b->defined_by->span : f->span,
		                     "unknown-param-def", "Unknown size \"%s\" in parameter of "
		                     "\"%s\", which is inferred as:\n  %s", show_name(b), f->name,
		                     show_ty(c->type));
		note_origin(d, b);
		diag_note(d, "Note: parameter \"%s\" would have to be of this size, which is not "
		             "known before.\nHint: give the parameter a size of its own, [n], and "
		             "check the other: \"e :> [n]t\".", show_pat(c->pat));
		fail_diag(d);
	}
	fail(c->pat->span, "inaccessible-size",
	     "Invalid use of parameters in %s.\nParameter \"%s\" refers to size \"%s\", which will "
	     "not be accessible to the caller, possibly because it is nested in a tuple or record.",
	     f->name ? text("\"%s\"", f->name) : "lambda", show_pat(c->pat),
	     show_name(b));
}

static bool check_param_leaf(void *ctx, Size *leaf)
{
	const CheckParam *c = ctx;
	if (leaf->kind == SZ_META) {
		if (size_variable(leaf)->level > c->f->level)
			size_variable(leaf)->level = c->f->level;
		return false;
	}
	int level = level_of(leaf->var);
	if (level > c->f->level && level != LEVEL_BOUND)
		fail_param(c, leaf->var);
	return false;
}

// ---- The type of a function ----

// The parameters that are names, and what these are called in the function's type.
typedef struct { Bindings names; Bindings bound; Sizes sizes; } BoundParams;

static BoundParams bind_params(Pats pats)
{
	BoundParams b = {0};
	b.sizes.at = NEW_ARRAY(Size *, pats.len);
	for EACH(Pat *, p, pats) {
		Binding *name = name_of_pat(*p);
		if (!name)
			continue;
		Binding *bound = binding_new(BIND_LOCAL, name->name, name->span);
		bound->scheme.type = name->scheme.type;
		bound->level = LEVEL_BOUND;
		bindings_push(&b.names, name);
		bindings_push(&b.bound, bound);
		b.sizes.at[b.sizes.len++] = size_var(bound);
	}
	return b;
}

// Adds the parameters to a result type, in which they have their outside names already.
static Ty *arrow_of(Pats pats, const BoundParams *b, Bindings exts, Ty *to)
{
	int at = b->names.len;
	for (int i = pats.len - 1; i >= 0; i--) {
		Ty *from = replace_sizes(pats.at[i]->type, b->names, b->sizes);
		Binding *param = name_of_pat(pats.at[i]) ? b->bound.at[--at] : NULL;
		if (param && !sizes_mention(to, param))
			param = NULL;
		to = ty_arrow(param, from, exts, to);
		exts = (Bindings){0};
	}
	return to;
}

static Ty *function_type(Sizer *z, const Function *f)
{
	for EACH(TypeParam, p, f->params)
		if (p->kind == TP_SIZE)
			p->binding->level = LEVEL_BOUND;
	BoundParams b = bind_params(f->pats);
	Bindings exts = {0};
	Ty *to = replace_sizes(f->ret_type, b.names, b.sizes);
	to = leave_scope(z, (Leave){.level = f->level, .exts = &exts}, to);
	for EACH(Pat *, p, f->pats) {
		CheckParam c = {f, *p, replace_sizes((*p)->type, b.names, b.sizes)};
		any_size_leaf(c.type, check_param_leaf, &c);
	}
	return arrow_of(f->pats, &b, exts, to);
}

static void check_sizes_used(const Function *f, Ty *t)
{
	for EACH(TypeParam, p, f->params)
		if (p->kind == TP_SIZE && !sizes_mention(t, p->binding))
			fail(p->span, "unused-size",
			     "Cannot generalise type of \"%s\".\nSize [%s] unused in pattern.\n"
			     "Hint: use it in the type of a parameter, such as \"(xs: [%s]f64)\", "
			     "or leave it out; a size that is an argument is a parameter: \"(%s: "
			     "i64)\".", f->name, p->name, p->name, p->name);
}

// A parameter that later ones take sizes from has a name, be it written or not:
//
//     (\_ xs -> length xs) for (n: i64) -> [n]i32 -> i64
static void name_wildcard(Pat *p, const Binding *param)
{
	p = pat_plain(p);
	if (p->kind != PAT_WILD)
		return;
	p->kind = PAT_NAME;
	p->var.name = name_of("_");
	p->var.binding = binding_new(BIND_LOCAL, param->name, p->span);
}

// Sizes parameters, return type and body.  `expected` may tell something of the parameters.
static void size_function(Sizer *z, Function *f, Ty *expected)
{
	int fun_level = z->fun_level;
	f->level = z->level;
	z->fun_level = ++z->level;
	for EACH(TypeParam, p, f->params)
		if (p->kind == TP_SIZE)
			p->binding->level = z->level;
	for EACH(Pat *, p, f->pats) {
		Ty *e = expected ? force_ty(expected, z, (*p)->span) : NULL;
		bool known = e && e->kind == TY_ARROW;
		z->level++;
		int made = z->metas.len;
		if (known && e->arrow.param)
			name_wildcard(*p, e->arrow.param);
		size_pat(z, *p, known ? e->arrow.from : NULL, NULL);
		// The sizes of a parameter come before its name: [length xs] is none of xs.
		for (int i = made; i < z->metas.len; i++) {
			z->metas.at[i]->level = z->level - 1;
			z->metas.at[i]->of_param = true;
		}
		Binding *name = name_of_pat(*p);
		expected = known ? e->arrow.to : NULL;
		if (known && name && e->arrow.param)
			expected = replace_size(expected, e->arrow.param, size_var(name));
	}
	z->level++;
	Ty *declared = f->ret ? annotated(z, f->ret, "return type annotation") : NULL;
	if (declared)
		check_return_names(f, declared);
	Ty *t = f->body->kind == EX_LAMBDA && expected && !declared
	      ? (f->body->type = size_lambda(z, f->body, expected)) : size_exp(z, f->body);
	if (declared) {
		Cause why = {.kind = FOR_TEXT, .span = f->body->span, .at = f->body,
		             .text = "Function body does not have expected type."};
		require_match(z, &why, declared, t);
	}
	f->ret_type = declared ? declared : ty_nonunique(t);
	z->level = f->level;
	z->fun_level = fun_level;
}

// ---- Generalisation ----

typedef struct { Bindings *sizes; bool left_only; int level; } Generalise;

static bool generalise_leaf(void *ctx, Size *leaf)
{
	Generalise *g = ctx;
	if (leaf->kind != SZ_META || size_variable(leaf)->level <= g->level)
		return false;           // not a variable, or one of the scope around
	const SizeMeta *m = size_variable(leaf);
	Name name = m->shown ? m->shown : made_up_name(m->name ? m->name : "d", m->id);
	Binding *b = binding_new(BIND_SIZE, name, leaf->meta->span);
	b->level = LEVEL_BOUND;
	b->inferred = true;
	bindings_push(g->sizes, b);
	size_variable(leaf)->link = size_var(b);
	return false;
}

static bool generalise_size(void *ctx, Size *s, bool under, bool left)
{
	(void)under;
	const Generalise *g = ctx;
	if (left || !g->left_only)
		size_any(s, generalise_leaf, ctx);
	return false;
}

// Size parameters of a function: the explicit ones, and one for each size of its parameters, and of
// its result as declared, that nothing has fixed.
static Bindings size_params(const Function *f)
{
	Bindings sizes = {0};
	for EACH(TypeParam, p, f->params)
		if (p->kind == TP_SIZE)
			bindings_push(&sizes, p->binding);
	Generalise g = {&sizes, false, f->level};
	for EACH(Pat *, p, f->pats)
		visit_sizes(&(SizeVisit){generalise_size, &g}, (*p)->type);
	g.left_only = !f->ret;
	visit_sizes(&(SizeVisit){generalise_size, &g}, f->ret_type);
	return sizes;
}

// ---- Local functions ----

Ty *size_lambda(Sizer *z, Expr *e, Ty *expected)
{
	Function f = {.pats = e->lambda.pats, .ret = e->lambda.ret, .body = e->lambda.body,
	              .span = e->span};
	size_function(z, &f, expected);
	e->lambda.ret_type = f.ret_type;
	return function_type(z, &f);
}

static void force_since(Sizer *z, int made)
{
	for (int i = made; i < z->type_metas.len; i++)
		force_ty(z->type_metas.at[i], z, z->type_metas.at[i]->meta->span);
}

// Looks at a local function again, with existential sizes in the results of its functional
// parameters.  Its size parameters are by now as fixed as if they were written.
static void size_hiding(Sizer *z, Function *f, Binding *b)
{
	Bindings hidden = hidden_sizes(b);
	VEC(TypeParam) params = {0};
	VEC_APPEND(&params, f->params);
	for EACH(Binding *, s, b->scheme.sizes)
		if ((*s)->inferred)
			VEC_PUSH(&params, (TypeParam){.kind = TP_SIZE, .binding = *s});
	f->params = VEC_SLICE(TypeParams, params);
	Ty *expected = hiding_params(f->pats, hidden);
	forget_unknowns(f->pats, f->ret, f->body);
	size_function(z, f, expected);
	b->scheme.sizes = size_params(f);
	b->hiding = function_type(z, f);
}

void size_let_fun(Sizer *z, Expr *e)
{
	Function f = {.params = e->let_fun.params, .pats = e->let_fun.pats, .ret = e->let_fun.ret,
	              .body = e->let_fun.value, .name = e->let_fun.name,
	              .span = e->let_fun.name_span};
	int made = z->type_metas.len;
	size_function(z, &f, NULL);
	Binding *b = e->let_fun.binding;
	b->scheme.sizes = size_params(&f);
	b->scheme.type = function_type(z, &f);
	b->hiding = NULL;
	check_sizes_used(&f, b->scheme.type);
	if (is_hiding(z, b)) {
		force_since(z, made);
		size_hiding(z, &f, b);
	}
	e->let_fun.ret_type = f.ret_type;
	b->level = ++z->level;
}

// ---- Recursion ----

typedef struct { TyMap map; Bindings *exts; bool all; } Hide;

static Size *hide_size(TyMap *m, Size *s)
{
	const Hide *h = (Hide *)m;
	if (s->kind != SZ_ANON && !h->all)
		return s;
	Binding *b = binding_new(BIND_SIZE, name_of("k"), s->span);
	b->level = LEVEL_BOUND;
	bindings_push(h->exts, b);
	return size_var(b);
}

// The result of a recursive call has the sizes that the return type declares; what it leaves
// open is not known before the body has been looked at, hence existential.
Ty *type_of_self(Sizer *z)
{
	if (z->self_type)
		return z->self_type;
	const ValDecl *d = z->decl;
	Bindings exts = {0};
	if (d->ret)
		exts = SLICE_DUP(Bindings, ((Bindings){d->ret->exts.at, d->ret->exts.len}));
	Hide h = {.map = {.size = hide_size}, .exts = &exts, .all = !d->ret};
	Ty *to = map_ty(&h.map, d->ret ? d->ret->ty : d->body->type);
	BoundParams b = bind_params(d->pats);
	to = replace_sizes(to, b.names, b.sizes);
	return z->self_type = arrow_of(d->pats, &b, exts, to);
}

// Recursive calls have the same types, and the same sizes except for explicit parameters.
static void complete_self_uses(Sizer *z, const Scheme *s)
{
	for EACH(Inst *, u, z->self_uses) {
		Sizes given = (*u)->sizes;
		Inst *in = *u;
		in->types = (Tys){NEW_ARRAY(Ty *, s->types.len), s->types.len};
		for (int i = 0; i < s->types.len; i++)
			in->types.at[i] = ty_param(s->types.at[i]);
		in->sizes = (Sizes){NEW_ARRAY(Size *, s->sizes.len), s->sizes.len};
		for (int i = 0; i < s->sizes.len; i++)
			in->sizes.at[i] = i < given.len ? given.at[i] : size_var(s->sizes.at[i]);
	}
}

// ---- Ambiguous sizes ----

// Of what is known of a variable, that which says most.
static const char *origin_of_meta(const SizeMeta *m)
{
	if (m->let_name)
		return "";
	if (m->of_argument)
		return " arising from use as function argument";
	if (m->written)
		return text(" arising from %s", m->written->origin);
	if (!m->owner)
		return text(" arising from %s", m->origin ? m->origin : "type");
	return text(" arising from instantiated %s parameter of \"%s\"", m->param ? "type" : "size",
	            m->owner->name);
}

static const char *name_of_meta(SizeMeta *m)
{
	return m->let_name ? m->let_name : show_size(&(Size){.kind = SZ_META, .meta = m});
}

// A constant that has functions in it is used for some of them: sizes of the others do not
// matter.
//
//     def tools = {flip = reverse, first = take 2}      tools.flip xs
static bool is_of_unused_function(const SizeMeta *m)
{
	return m->size_param && m->owner->scheme.type->kind == TY_RECORD &&
	       !values_have_size(m->owner->scheme.type, m->size_param);
}

// A hole gives nothing, so what size it would have does not matter.
static bool is_of_hole(const SizeMeta *m)
{
	return m->origin && strcmp(m->origin, "hole") == 0;
}

// All variables must have become something by now.
static void check_ambiguous(Sizer *z)
{
	force_since(z, 0);
	for (int i = 0; i < z->metas.len && !z->saw_error; i++) {
		SizeMeta *m = z->metas.at[i];
		if (!m->link && (is_of_unused_function(m) || is_of_hole(m)))
			m->link = size_const(0);
		if (!m->link)
			fail(m->written ? m->written->span : m->span, "ambiguous-size",
			     "Ambiguous size \"%s\"%s.", name_of_meta(m), origin_of_meta(m));
	}
}

// ---- Declarations ----

typedef struct { VEC(Binding *) found; } Unknowns;

static bool unknown_leaf(void *ctx, Size *leaf)
{
	Unknowns *u = ctx;
	if (leaf->kind == SZ_VAR && leaf->var->kind == BIND_UNKNOWN && leaf->var->level)
		VEC_PUSH(&u->found, leaf->var);
	return false;
}

// Unknown sizes of a constant are fixed for the program: all its uses share them.
static Ty *constant_type(Sizer *z, Ty *t, Expr *body)
{
	Unknowns u = {0};
	any_size_leaf(t, unknown_leaf, &u);
	Bindings unknowns = VEC_SLICE(Bindings, u.found);
	if (unknowns.len)
		t = leave_scope(z, (Leave){.level = LEVEL_BOUND, .dead = unknowns, .at = body}, t);
	return t;
}

// It would have one for each instance.
static void check_constant(const Function *f)
{
	Unknowns u = {0};
	any_size_leaf(f->ret_type, unknown_leaf, &u);
	if (u.found.len)
		fail(f->span, NULL,
		     "A size-polymorphic constant may not have an unknown size, as \"%s\" has "
		     "in:\n  %s", f->name, show_ty(f->ret_type));
}

static void make_global(Ty *t)
{
	Unknowns u = {0};
	any_size_leaf(t, unknown_leaf, &u);
	for EACH(Binding *, b, u.found)
		(*b)->level = 0;
}

static Scheme scheme_of(Sizer *z, ValDecl *d, Function *f)
{
	Scheme scheme = {.types = d->binding->scheme.types, .sizes = size_params(f)};
	if (!d->pats.len)
		f->ret_type = constant_type(z, f->ret_type, d->body);
	if (!d->pats.len && scheme.sizes.len)
		check_constant(f);
	scheme.type = d->pats.len ? function_type(z, f) : f->ret_type;
	check_sizes_used(f, scheme.type);
	check_ambiguous(z);
	complete_self_uses(z, &scheme);
	return scheme;
}

static void size_attempt(ValDecl *d, Hidings *hidings)
{
	Sizer z = {.decl = d, .self = d->pats.len ? d->binding : NULL, .hidings = hidings};
	int errors = diag_errors_made();
	Function f = {.params = d->params, .pats = d->pats, .ret = d->ret, .body = d->body,
	              .name = d->name, .span = d->name_span};
	size_function(&z, &f, NULL);
	if (diag_errors_made() > errors) {
		force_since(&z, 0);
		fail_diag(NULL);
	}
	Scheme scheme = scheme_of(&z, d, &f);
	for EACH(Pat *, p, d->pats)
		seal_pat(*p);
	if (d->ret)
		seal_type_expr(d->ret);
	seal_exp(d->body);
	d->ret_type = seal_ty(f.ret_type);
	scheme.type = seal_ty(scheme.type);
	if (!d->pats.len)
		make_global(scheme.type);
	d->binding->scheme = scheme;
}

static bool size_guarded(ValDecl *d, Hidings *hidings)
{
	Guard g;
	if (!GUARDED(g))
		return false;
	size_attempt(d, hidings);
	guard_pop(&g);
	return true;
}

// Tries again as long as local functions turn out to need another type.
void size_val(ValDecl *d)
{
	Hidings hidings = {0};
	Diags first = {0};
	int before = diags.len;
	for (int uses = -1; !size_guarded(d, &hidings); uses = hidings.uses.len) {
		if (!first.len)
			for (int i = before; i < diags.len; i++)
				VEC_PUSH(&first, diags.at[i]);
		diags.len = before;
		if (hidings.uses.len <= (uses < 0 ? 0 : uses)) {
			VEC_APPEND(&diags, first);
			fail_diag(NULL);
		}
		forget_unknowns(d->pats, d->ret, d->body);
	}
}

void size_closed_expr(Expr *e)
{
	Sizer z = {.level = 1, .fun_level = 1};
	int errors = diag_errors_made();
	Function f = {.ret_type = size_exp(&z, e)};
	if (diag_errors_made() > errors)
		fail_diag(NULL);
	size_params(&f);        // of a function without arguments, such as map f
	check_ambiguous(&z);
	seal_exp(e);
}
