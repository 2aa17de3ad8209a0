// Types in phase 2: traversing them, instantiating schemes, reading annotations.
//
// Phase 1 has found all types up to sizes.  Here a type gets its sizes: an instance of a type
// parameter is what phase 1 found, with a variable for every size in it,
//
//     map : (a -> x) -> [n]a -> *[n]x      at a = []i32, x = bool
//     becomes ([d₁]i32 -> bool) -> [n₂][d₁]i32 -> *[n₂]bool
//
// except where a fully lifted parameter stands for a type with functions: the existential sizes
// of these are not known yet, so the instance stays a variable until it meets a type.
#include "check/size.h"

// ---- Traversal ----

static bool visit(const SizeVisit *v, Ty *t, bool under, bool left)
{
	t = ty_resolve(t);
	switch (t->kind) {
	case TY_ERROR: case TY_PRIM: case TY_META: case TY_PARAM:
		return false;
	case TY_ARRAY:
		return v->size(v->ctx, t->array.dim, under, left) ||
		       visit(v, t->array.elem, under, left);
	case TY_RECORD:
		for EACH(TyField, f, t->record)
			if (visit(v, f->type, under, left))
				return true;
		return false;
	case TY_SUM:
		for EACH(TyConstr, c, t->sum)
			for EACH(Ty *, a, c->args)
				if (visit(v, *a, under, left))
					return true;
		return false;
	case TY_ARROW:
		return visit(v, t->arrow.from, true, true) || visit(v, t->arrow.to, true, left);
	case TY_ABS:
		for EACH(Size *, s, t->abs.sizes)
			if (v->size(v->ctx, *s, under, left))
				return true;
		for EACH(Ty *, a, t->abs.types)
			if (visit(v, *a, under, left))
				return true;
		return false;
	}
	bug("kind of type");
}

bool visit_sizes(const SizeVisit *v, Ty *t)
{
	return visit(v, t, false, false);
}

typedef struct { bool (*f)(void *, Size *leaf); void *ctx; } LeafTest;

static bool any_leaf(void *ctx, Size *s, bool under, bool left)
{
	const LeafTest *t = ctx;
	(void)under;
	(void)left;
	return size_any(s, t->f, t->ctx);
}

bool any_size_leaf(Ty *t, bool (*f)(void *, Size *leaf), void *ctx)
{
	LeafTest test = {f, ctx};
	return visit_sizes(&(SizeVisit){any_leaf, &test}, t);
}

static bool is_of_value(void *ctx, Size *s, bool under, bool left)
{
	(void)left;
	s = size_resolve(s);
	return !under && s->kind == SZ_VAR && s->var == ctx;
}

bool values_have_size(Ty *t, const Binding *size)
{
	return visit_sizes(&(SizeVisit){is_of_value, (void *)size}, t);
}

static bool mentions_binding(void *ctx, Size *s, bool under, bool left)
{
	(void)under;
	(void)left;
	return size_mentions(s, ctx);
}

bool sizes_mention(Ty *t, const Binding *b)
{
	return visit_sizes(&(SizeVisit){mentions_binding, (void *)b}, t);
}

static bool is_var(Size *s, const Binding *b)
{
	s = size_resolve(s);
	return s->kind == SZ_VAR && s->var == b;
}

// Neither functions nor arguments of abstract types need have any such array.
static bool is_shown(Ty *type, void *b)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_ARRAY && is_var(t->array.dim, b))
		return true;
	if (t->kind == TY_ABS)
		for EACH(Size *, s, t->abs.sizes)
			if (is_var(*s, b))
				return true;
	return t->kind == TY_ERROR ||
	       (t->kind != TY_ABS && t->kind != TY_ARROW && ty_any_part(t, is_shown, b));
}

bool is_constructive(Ty *t, const Binding *b)
{
	return is_shown(t, (void *)b);
}

// ---- Replacing variables ----

typedef struct { TyMap map; Bindings from; Sizes to; } Replace;

static Size *replace_leaf(void *ctx, Size *leaf)
{
	const Replace *r = ctx;
	if (leaf->kind == SZ_VAR)
		for (int i = 0; i < r->from.len; i++)
			if (r->from.at[i] == leaf->var)
				return r->to.at[i];
	return leaf;
}

static Size *replace_in_size(TyMap *m, Size *s)
{
	return size_map(s, replace_leaf, m);
}

Ty *replace_sizes(Ty *t, Bindings from, Sizes to)
{
	if (!from.len)
		return t;
	Replace r = {.map = {.size = replace_in_size}, .from = from, .to = to};
	return map_ty(&r.map, t);
}

Ty *replace_size(Ty *t, Binding *from, Size *to)
{
	return replace_sizes(t, (Bindings){&from, 1}, (Sizes){&to, 1});
}

// ---- Fresh sizes ----

typedef struct { TyMap map; Sizer *z; Span span; SizeMeta like; bool annotated; } Fresh;

static Size *fresh_meta(Fresh *f)
{
	Size *s = new_meta(f->z, f->span, f->like.origin);
	s->meta->owner = f->like.owner;
	s->meta->param = f->like.param;
	s->meta->written = f->annotated ? s->meta : NULL;
	return s;
}

static Size *fresh_size(TyMap *m, Size *s)
{
	(void)s;
	return fresh_meta((Fresh *)m);
}

static Ty *fresh_arrow(TyMap *m, Ty *t)
{
	Ty *from = map_ty(m, t->arrow.from), *to = map_ty(m, t->arrow.to);
	return NEW(Ty, .kind = TY_ARROW, .unique = t->unique, .arrow = {.from = from, .to = to});
}

// Of a variable that an earlier look at the declaration has left.
Ty *map_shape(TyMap *m, Ty *t)
{
	return t->kind == TY_META && t->meta->shape ? map_ty(m, t->meta->shape) : t;
}

static Ty *fresh_like(Sizer *z, Ty *shape, Span span, SizeMeta like)
{
	Fresh f = {.map = {.size = fresh_size, .named = map_shape, .arrow = fresh_arrow}, .z = z,
	           .span = span,
	           .like = like};
	return map_ty(&f.map, shape);
}

Ty *fresh_sizes(Sizer *z, Ty *shape, Span span, const char *origin)
{
	return fresh_like(z, shape, span, (SizeMeta){.origin = origin});
}

// The existential sizes of a function are not known yet.
static Ty *open_arrow(TyMap *m, Ty *t)
{
	const Fresh *f = (Fresh *)m;
	Ty *var = ty_meta(f->span);
	var->meta->shape = t;
	var->meta->level = f->z->level;
	VEC_PUSH(&f->z->type_metas, var);
	return var;
}

Ty *open_sizes(Sizer *z, Ty *shape, Span span, const char *origin)
{
	Fresh f = {.map = {.size = fresh_size, .named = map_shape, .arrow = open_arrow}, .z = z,
	           .span = span, .like = {.origin = origin}};
	return map_ty(&f.map, shape);
}

Ty *force_ty(Ty *t, Sizer *z, Span span)
{
	t = ty_resolve(t);
	if (t->kind != TY_META || !t->meta->shape)
		return t;
	int level = z->level;
	z->level = t->meta->level;
	t->meta->link = fresh_sizes(z, t->meta->shape, span, "instantiated type parameter");
	z->level = level;
	return ty_resolve(t);
}

// ---- Instantiation ----

typedef struct {
	TyMap map;
	const Scheme *scheme;
	const Inst *inst;
	Sizer *z;
	Ty *spine;              // what is left of the function after some of its parameters
	Place place;
} Instance;

static Size *instance_leaf(void *ctx, Size *leaf)
{
	const Instance *in = ctx;
	if (leaf->kind == SZ_VAR)
		for (int i = 0; i < in->scheme->sizes.len; i++)
			if (in->scheme->sizes.at[i] == leaf->var)
				return in->inst->sizes.at[i];
	return leaf;
}

static Size *instance_size(TyMap *m, Size *s)
{
	return s->kind == SZ_CONST ? s : size_map(s, instance_leaf, m);
}

static Ty *instance_type(TyMap *m, Ty *t)
{
	const Instance *in = (Instance *)m;
	if (t->kind == TY_PARAM)
		for (int i = 0; i < in->scheme->types.len; i++)
			if (in->scheme->types.at[i] == t->param) {
				Ty *to = in->inst->types.at[i];
				if (t->param->lifting != LIFT_NONE)
					to = lifted_occurrence(in->z, to, in->place);
				return t->unique ? ty_unique(to) : to;
			}
	return t;
}

static Ty *instance_arrow(TyMap *m, Ty *t)
{
	Instance *in = (Instance *)m;
	Place here = in->place;
	bool spine = t == in->spine;
	in->place = spine ? (Place){.in_param = true}
	          : (Place){.in_param = true, .negative = !here.negative, .in_function = true};
	Ty *from = map_ty(m, t->arrow.from);
	in->place = spine ? here
	          : (Place){.in_param = true, .negative = here.negative, .in_function = true,
	                    .in_result = true};
	in->spine = spine ? ty_resolve(t->arrow.to) : in->spine;
	Ty *to = map_ty(m, t->arrow.to);
	in->place = here;
	return from == t->arrow.from && to == t->arrow.to ? t
	     : NEW(Ty, .kind = TY_ARROW, .unique = t->unique,
	           .arrow = {t->arrow.param, from, t->arrow.exts, to});
}

// The instance of one type parameter by the type that phase 1 found.
static Ty *type_instance(Sizer *z, Ty *shape, TypeDef *param, Binding *owner, Span span)
{
	shape = ty_nonunique(shape);
	if (param->lifting != LIFT_NONE)
		return lifted_instance(z, shape, param, owner, span);
	SizeMeta like = {.owner = owner, .param = param};
	return fresh_like(z, shape, span, like);
}

static Size *size_instance(Sizer *z, Binding *param, Binding *owner, Span span, const Inst *use)
{
	Size *s = new_meta(z, span, NULL);
	s->meta->name = param->name;
	s->meta->owner = owner;
	s->meta->size_param = param;
	s->meta->use = use;
	return s;
}

// The function being defined is monomorphic in types and in the sizes invented for it: only its
// explicit size parameters are instantiated.  The rest of the instance is added in the end.
static Ty *instantiate_self(Sizer *z, Span span, Inst **inst)
{
	Scheme scheme = {.type = type_of_self(z)};
	Inst *in = mem_alloc(sizeof *in);
	for EACH(TypeParam, p, z->decl->params)
		if (p->kind == TP_SIZE)
			bindings_push(&scheme.sizes, p->binding);
	in->sizes = (Sizes){NEW_ARRAY(Size *, scheme.sizes.len), scheme.sizes.len};
	for (int i = 0; i < scheme.sizes.len; i++)
		in->sizes.at[i] = size_instance(z, scheme.sizes.at[i], z->self, span, in);
	*inst = in;
	VEC_PUSH(&z->self_uses, in);
	Instance map = {.map = {.size = instance_size}, .scheme = &scheme, .inst = in};
	return map_ty(&map.map, scheme.type);
}

Ty *instantiate_sized(Sizer *z, Binding *b, Span span, Inst **inst)
{
	if (b == z->self)
		return instantiate_self(z, span, inst);
	if (b->kind == BIND_INTRINSIC)
		intrinsic_force(b);
	const Scheme *s = &b->scheme;
	if (b->kind == BIND_SIZE || (b->kind == BIND_LOCAL && !s->types.len && !s->sizes.len))
		return s->type;
	Inst *in = *inst ? *inst : (*inst = inst_of(s));
	for (int i = 0; i < s->types.len; i++)
		in->types.at[i] = type_instance(z, in->types.at[i], s->types.at[i], b, span);
	Ty *type = b->hiding && is_hiding_use(z, in) ? b->hiding : s->type;
	in->sizes = (Sizes){NEW_ARRAY(Size *, s->sizes.len), s->sizes.len};
	for (int i = 0; i < s->sizes.len; i++)
		in->sizes.at[i] = b->hiding && !sizes_mention(type, s->sizes.at[i]) ? size_const(0)
		                : size_instance(z, s->sizes.at[i], b, span, in);
	Instance map = {.map = {.size = instance_size, .named = instance_type,
	                        .arrow = instance_arrow},
	                .scheme = s, .inst = in, .z = z, .spine = ty_resolve(type)};
	return map_ty(&map.map, type);
}

// ---- Annotations ----

// Sizes in annotations are expressions like others: instances in them get their sizes too.
static void size_size(Walk *w, Expr *e)
{
	size_exp(w->ctx, e);
}

typedef struct { Fresh fresh; Bindings exts; Sizes metas; } Annotate;

static Size *annotated_leaf(void *ctx, Size *leaf)
{
	Annotate *a = ctx;
	const Sizer *z = a->fresh.z;
	if (leaf->kind != SZ_VAR)
		return leaf;
	for (int i = 0; i < z->let_sizes.len; i++)
		if (z->let_sizes.at[i] == leaf->var)
			return z->let_metas.at[i];
	for (int i = 0; i < a->exts.len; i++)
		if (a->exts.at[i] == leaf->var) {
			if (!a->metas.at[i])
				a->metas.at[i] = fresh_meta(&a->fresh);
			return a->metas.at[i];
		}
	return leaf;
}

static Size *annotated_size(TyMap *m, Size *s)
{
	Annotate *a = (Annotate *)m;
	return s->kind == SZ_ANON ? fresh_meta(&a->fresh) : size_map(s, annotated_leaf, a);
}

Ty *annotated(Sizer *z, TypeExpr *te, const char *origin)
{
	walk_type(&(Walk){.expr = size_size, .type = walk_type, .ctx = z}, te);
	Annotate a = {
		.fresh = {.map = {.size = annotated_size}, .z = z, .span = te->span,
		          .like = {.origin = origin}, .annotated = true},
		.exts = {te->exts.at, te->exts.len},
	};
	a.metas = (Sizes){NEW_ARRAY(Size *, a.exts.len), a.exts.len};
	return map_ty(&a.fresh.map, te->ty);
}
