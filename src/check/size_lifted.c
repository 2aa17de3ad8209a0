// Instances of lifted type parameters.
//
// A lifted parameter can be instantiated with a type whose sizes are bound inside the argument:
//
//     def both '~b (f: i64 -> b) : (b, b) = (f 1, f 2)
//     both (\n -> replicate n 0)             (i64 -> ?[k].[k]i32) -> ?[d][e].([d]i32, [e]i32)
//
// Therefore each occurrence of the parameter in the function's type has its own size variables,
// which are tied to those of the instance: as long as the sizes are ordinary ones, all occurrences
// share them.  When one of them is unified with a size that is bound by an arrow of the argument's
// type, the ties are cut, and the occurrences have different sizes: unknown sizes in the result of
// the application, existential sizes in the results of functions; an argument whose own type is the
// parameter keeps its sizes.  A function that takes a value of the type would have to accept arrays
// of any size, which is an error.  The argument is then matched again, because the first match
// may have gone through the ties.  Dimensions of one occurrence that come from the same bound size
// remain equal.
#include "check/size.h"

typedef struct { Place place; Size **sizes; } Occurrence;

typedef struct Lifted {
	VEC(Size *) sizes;      // of the instance
	VEC(Size *) hidden;     // the existential sizes they turned out to be, or NULL
	VEC(Occurrence) occurrences;
} Lifted;

// ---- Instances ----

typedef struct {
	TyMap map;
	Sizer *z;
	Span span;
	TypeDef *param;
	Binding *owner;
	Lifted *lifted;
} Instance;

static Size *instance_size(TyMap *m, Size *s)
{
	(void)s;
	Instance *in = (Instance *)m;
	Size *var = new_meta(in->z, in->span, NULL);
	var->meta->owner = in->owner;
	var->meta->param = in->param;
	var->meta->lifted = in->lifted;
	VEC_PUSH(&in->lifted->sizes, var);
	VEC_PUSH(&in->lifted->hidden, NULL);
	return var;
}

// The existential sizes of a function are not known yet.
static Ty *instance_arrow(TyMap *m, Ty *t)
{
	const Instance *in = (Instance *)m;
	Ty *var = ty_meta(in->span);
	var->meta->shape = t;
	var->meta->level = in->z->level;
	VEC_PUSH(&in->z->type_metas, var);
	return var;
}

Ty *lifted_instance(Sizer *z, Ty *shape, TypeDef *param, Binding *owner, Span span)
{
	Instance in = {.map = {.size = instance_size, .named = map_shape,
	                       .arrow = instance_arrow}, .z = z, .span = span, .param = param,
	               .owner = owner,
	               .lifted = mem_alloc(sizeof(Lifted))};
	return map_ty(&in.map, shape);
}

typedef struct { TyMap map; Sizer *z; Lifted *lifted; Size **sizes; } Copy;

static Size *copy_size(TyMap *m, Size *s)
{
	Copy *c = (Copy *)m;
	Lifted *l = s->kind == SZ_META ? s->meta->lifted : NULL;
	if (!l)
		return s;
	if (!c->lifted) {
		c->lifted = l;
		c->sizes = NEW_ARRAY(Size *, l->sizes.len);
	}
	Size *copy = size_meta(s->meta->level, s->span, NULL);
	copy->meta->owner = s->meta->owner;
	copy->meta->param = s->meta->param;
	copy->meta->tied = s->meta;
	for (int i = 0; i < l->sizes.len; i++)
		if (l->sizes.at[i] == s)
			c->sizes[i] = copy;
	return copy;
}

static Ty *same_arrow(TyMap *m, Ty *t)
{
	(void)m;
	return t;
}

Ty *lifted_occurrence(Sizer *z, Ty *instance, Place place)
{
	Copy c = {.map = {.size = copy_size, .arrow = same_arrow}, .z = z};
	Ty *t = map_ty(&c.map, instance);
	if (c.lifted)
		VEC_PUSH(&c.lifted->occurrences, (Occurrence){place, c.sizes});
	return t;
}

// ---- Cutting ties ----

static bool is_that(void *ctx, Size *s, bool under, bool left)
{
	(void)under, (void)left;
	return s == ctx;
}

// Whether it is still there, and has not been replaced by the size it was tied to.
static bool is_in(Ty *t, Size *s)
{
	return t && visit_sizes(&(SizeVisit){is_that, s}, t);
}

static bool is_ahead(const Matching *m, Size *s)
{
	for EACH(Ty *, t, m->later)
		if (is_in(*t, s))
			return true;
	return is_in(m->expected, s) || is_in(m->rest, s);
}

// A function that has been taken for one of an array of a certain size is not looked at again.
static bool may_cut(const Matching *m, const Occurrence *o, int which)
{
	const Place *p = &o->place;
	if (!p->in_param)
		return is_in(m->rest, o->sizes[which]);
	if (p->in_function && !p->in_result)
		return false;
	return !p->negative || is_ahead(m, o->sizes[which]);
}

static int same_hidden(const Lifted *l, Size *hidden)
{
	for (int i = 0; i < l->hidden.len; i++)
		if (l->hidden.at[i] && size_equal(l->hidden.at[i], hidden))
			return i;
	return -1;
}

static void cut(Sizer *z, const Lifted *l, const Occurrence *o, int which, Size *hidden)
{
	SizeMeta *m = o->sizes[which]->meta;
	Size *was = m->tied->link;
	bool direct = o->place.in_param && !o->place.in_function;
	int same = same_hidden(l, hidden);
	m->tied = NULL;
	m->link = same >= 0 ? size_resolve(o->sizes[same])
	        : !direct ? new_unknown(z, z->matching->at)
	        : was ? was : new_meta(z, m->span, "instantiated type parameter");
}

static bool cut_all(Sizer *z, SizeMeta *var, Size *hidden)
{
	Matching *m = z->matching;
	Lifted *l = var->lifted;
	int which = 0;
	while (l->sizes.at[which]->meta != var)
		which++;
	if (z->fun_level > var->level)
		return false;
	for EACH(Occurrence, o, l->occurrences)
		if (!may_cut(m, o, which)) {
			if (o->place.in_function && !o->place.in_result)
				z->bad = (Mismatch){.kind = BAD_ESCAPE, .to = m->rest};
			return false;
		}
	for EACH(Occurrence, o, l->occurrences)
		cut(z, l, o, which, hidden);
	l->hidden.at[which] = hidden;
	var->link = size_anon(var->span);
	return m->untied = true;
}

static bool bound_leaf(void *ctx, Size *leaf)
{
	(void)ctx;
	return leaf->kind == SZ_VAR && leaf->var->level == LEVEL_BOUND && level_of(leaf->var);
}

bool untie(Sizer *z, Expr *at, SizeMeta *var, Size *hidden)
{
	const Matching *m = z->matching;
	return m && at == m->at && var->lifted && var->id > m->first_meta &&
	       size_any(hidden, bound_leaf, NULL) && cut_all(z, var, hidden);
}

bool untie_again(Sizer *z, Expr *at, Size *occurrence, Size *hidden)
{
	bool tied = occurrence->kind == SZ_META && occurrence->meta->tied;
	return tied && untie(z, at, occurrence->meta->tied, hidden);
}

// ---- Unknown sizes that only functions give ----

typedef struct { Binding *was; Size *now; } Hidden;
typedef struct { TyMap map; Bindings unknowns; Bindings *exts; VEC(Hidden) memo; } Hiding;

static bool among(const Binding *b, Bindings some)
{
	for EACH(Binding *, s, some)
		if (*s == b)
			return true;
	return false;
}

static Size *hide_size(TyMap *m, Size *s)
{
	Hiding *h = (Hiding *)m;
	if (!h->exts || s->kind != SZ_VAR || !among(s->var, h->unknowns))
		return s;
	for EACH(Hidden, k, h->memo)
		if (k->was == s->var)
			return k->now;
	Binding *b = binding_new(BIND_SIZE, s->var->name, s->span);
	b->level = LEVEL_BOUND;
	bindings_push(h->exts, b);
	VEC_PUSH(&h->memo, (Hidden){s->var, size_var(b)});
	return h->memo.at[h->memo.len - 1].now;
}

static Ty *hide_arrow(TyMap *m, Ty *t)
{
	Hiding *h = (Hiding *)m;
	Bindings exts = SLICE_DUP(Bindings, t->arrow.exts), *outer = h->exts;
	int mark = h->memo.len;
	h->exts = NULL;
	Ty *from = map_ty(m, t->arrow.from);
	h->exts = &exts;
	Ty *to = map_ty(m, t->arrow.to);
	h->exts = outer;
	h->memo.len = mark;
	if (from == t->arrow.from && to == t->arrow.to)
		return t;
	return NEW(Ty, .kind = TY_ARROW, .unique = t->unique,
	           .arrow = {t->arrow.param, from, exts, to});
}

Ty *hide_in_results(Ty *t, Bindings unknowns)
{
	Hiding h = {.map = {.size = hide_size, .arrow = hide_arrow}, .unknowns = unknowns};
	return map_ty(&h.map, t);
}
