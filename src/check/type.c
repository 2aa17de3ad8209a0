// The representation of types and sizes: making, classifying and substituting them.
//
// Types are immutable and share their parts freely: an operation that changes nothing gives
// its argument back.  A unification variable of phase 1 is a TY_META node; several nodes (the
// plain and the unique one) may share one Meta, and `*` on a linked meta carries over to what
// it is linked to.
#include "check/check.h"

#include <ctype.h>
#include <stdlib.h>

// ---- Making types ----

static Ty error_node = {.kind = TY_ERROR};
Ty *const ty_error = &error_node;

static Ty prim_nodes[N_PRIMTYPE] = { // ORDER PRIMTYPE
	{.kind = TY_PRIM, .prim = PT_I8},  {.kind = TY_PRIM, .prim = PT_I16},
	{.kind = TY_PRIM, .prim = PT_I32}, {.kind = TY_PRIM, .prim = PT_I64},
	{.kind = TY_PRIM, .prim = PT_U8},  {.kind = TY_PRIM, .prim = PT_U16},
	{.kind = TY_PRIM, .prim = PT_U32}, {.kind = TY_PRIM, .prim = PT_U64},
	{.kind = TY_PRIM, .prim = PT_F16}, {.kind = TY_PRIM, .prim = PT_F32},
	{.kind = TY_PRIM, .prim = PT_F64}, {.kind = TY_PRIM, .prim = PT_BOOL},
};

Ty *ty_prim(PrimType t)
{
	return &prim_nodes[t];
}

Ty *ty_array(Size *dim, Ty *elem)
{
	return NEW(Ty, .kind = TY_ARRAY, .array = {dim, elem});
}

// Numbers come first, by value, then names in alphabetical order.  A number is written
// without leading zeros, so the longer one is the larger.
static int compare_fields(const void *a, const void *b)
{
	const char *x = ((const TyField *)a)->name, *y = ((const TyField *)b)->name;
	bool nx = isdigit((unsigned char)*x), ny = isdigit((unsigned char)*y);
	if (nx != ny)
		return nx ? -1 : 1;
	if (nx && strlen(x) != strlen(y))
		return strlen(x) < strlen(y) ? -1 : 1;
	return strcmp(x, y);
}

Ty *ty_record(TyFields fields)
{
	for (int i = 1; i < fields.len; i++)
		if (compare_fields(&fields.at[i - 1], &fields.at[i]) > 0) {
			fields = SLICE_DUP(TyFields, fields);
			qsort(fields.at, (size_t)fields.len, sizeof *fields.at, compare_fields);
			break;
		}
	return NEW(Ty, .kind = TY_RECORD, .record = fields);
}

const TyField *ty_field(const Ty *record, Name name)
{
	const TyField wanted = {.name = name};
	if (record->kind != TY_RECORD || !record->record.len)
		return NULL;
	return bsearch(&wanted, record->record.at, (size_t)record->record.len, sizeof wanted,
	               compare_fields);
}

static Name tuple_field(int i)
{
	static Name known[8];           // a cache: the names of the first fields
	if (i >= 8)
		return name_of(text("%d", i));
	if (!known[i])
		known[i] = name_of((char[]){(char)('0' + i), 0});
	return known[i];
}

Ty *ty_tuple(Tys parts)
{
	TyFields fields = {NEW_ARRAY(TyField, parts.len), parts.len};
	for (int i = 0; i < parts.len; i++)
		fields.at[i] = (TyField){tuple_field(i), parts.at[i]};
	return NEW(Ty, .kind = TY_RECORD, .record = fields);
}

static int compare_constrs(const void *a, const void *b)
{
	return strcmp(((const TyConstr *)a)->name, ((const TyConstr *)b)->name);
}

Ty *ty_sum(TyConstrs constrs)
{
	constrs = SLICE_DUP(TyConstrs, constrs);
	if (constrs.len > 1)
		qsort(constrs.at, (size_t)constrs.len, sizeof *constrs.at, compare_constrs);
	return NEW(Ty, .kind = TY_SUM, .sum = constrs);
}

Ty *ty_arrow(Binding *param, Ty *from, Bindings exts, Ty *to)
{
	return NEW(Ty, .kind = TY_ARROW, .arrow = {param, from, exts, to});
}

Ty *ty_param(TypeDef *def)
{
	return NEW(Ty, .kind = TY_PARAM, .param = def);
}

Ty *ty_abs(TypeDef *def, Tys types, Sizes sizes)
{
	return NEW(Ty, .kind = TY_ABS, .abs = {def, types, sizes});
}

// ---- Uniqueness ----

static Ty *with_unique(Ty *t, bool unique)
{
	bool same = t->unique == unique;
	Ty copy = *t;
	copy.unique = unique;
	if (t->kind == TY_RECORD) {
		for (int i = 0; i < t->record.len; i++) {
			Ty *old = t->record.at[i].type;
			Ty *new = unique ? ty_unique(old) : ty_nonunique(old);
			if (new == old)
				continue;
			if (copy.record.at == t->record.at)
				copy.record = SLICE_DUP(TyFields, t->record);
			copy.record.at[i].type = new;
		}
		same = same && copy.record.at == t->record.at;
	}
	return same ? t : mem_dup(&copy, sizeof copy);
}

Ty *ty_unique(Ty *t)
{
	t = ty_resolve(t);
	return t->kind == TY_PRIM || t->kind == TY_ERROR ? t : with_unique(t, true);
}

Ty *ty_nonunique(Ty *t)
{
	t = ty_resolve(t);
	if (t->kind != TY_RECORD && !t->unique)
		return t;
	return with_unique(t, false);
}

bool ty_consumes(Ty *t)
{
	t = ty_resolve(t);
	if (t->unique)
		return true;
	if (t->kind == TY_RECORD)
		for EACH(TyField, f, t->record)
			if (ty_consumes(f->type))
				return true;
	return false;
}

// ---- Links ----

Ty *ty_resolve(Ty *t)
{
	while (t->kind == TY_META && t->meta->link) {
		// Long chains are shortened, so that following them stays cheap.
		Ty *next = t->meta->link;
		if (next->kind == TY_META && next->meta->link && !next->unique)
			t->meta->link = next->meta->link;
		next = t->meta->link;
		t = t->unique && !next->unique ? ty_unique(next) : next;
	}
	return t;
}

Ty *ty_zonk(Ty *t)
{
	TyMap parts = {.unmarked = true};
	return map_ty(&parts, t);
}

// ---- Classifying ----

bool ty_is_tuple(const Ty *t)
{
	if (t->kind != TY_RECORD || t->record.len == 1)
		return false;
	for (int i = 0; i < t->record.len; i++)
		if (t->record.at[i].name != tuple_field(i))
			return false;
	return true;
}

bool ty_any_part(const Ty *t, bool (*holds)(Ty *, void *ctx), void *ctx)
{
	switch (t->kind) {
	case TY_ERROR: case TY_PRIM: case TY_META: case TY_PARAM:
		return false;
	case TY_ARRAY:
		return holds(t->array.elem, ctx);
	case TY_ARROW:
		return holds(t->arrow.from, ctx) || holds(t->arrow.to, ctx);
	case TY_RECORD:
		for EACH(TyField, f, t->record)
			if (holds(f->type, ctx))
				return true;
		return false;
	case TY_SUM:
		for EACH(TyConstr, c, t->sum)
			for EACH(Ty *, a, c->args)
				if (holds(*a, ctx))
					return true;
		return false;
	case TY_ABS:
		for EACH(Ty *, a, t->abs.types)
			if (holds(*a, ctx))
				return true;
		return false;
	}
	bug("kind of type");
}

// Whether `*holds` is true of some part of the type; arrows are parts without parts.
static bool any_part(Ty *t, void *holds)
{
	t = ty_resolve(t);
	bool (*const *here)(const Ty *) = holds;
	return (*here)(t) || (t->kind != TY_ARROW && ty_any_part(t, any_part, holds));
}

static bool has_part(Ty *t, bool (*holds)(const Ty *))
{
	return any_part(t, &holds);
}

static bool is_function(const Ty *t)
{
	return t->kind == TY_ARROW || (t->kind == TY_PARAM && t->param->lifting == LIFT_FULL) ||
	       (t->kind == TY_ABS && t->abs.def->lifting == LIFT_FULL);
}

static bool is_size_lifted(const Ty *t)
{
	return (t->kind == TY_PARAM && t->param->lifting == LIFT_SIZE) ||
	       (t->kind == TY_ABS && t->abs.def->lifting == LIFT_SIZE) ||
	       (t->kind == TY_ARRAY && size_resolve(t->array.dim)->kind == SZ_ANON);
}

static bool is_memory(const Ty *t)
{
	return t->kind == TY_ARRAY || t->kind == TY_ARROW || t->kind == TY_PARAM ||
	       t->kind == TY_ABS || t->kind == TY_META;
}

bool ty_has_function(Ty *t)
{
	return has_part(t, is_function);
}

bool ty_has_array(Ty *t)
{
	return has_part(t, is_memory);
}

Lifting ty_lifting(Ty *t)
{
	return has_part(t, is_function) ? LIFT_FULL
	     : has_part(t, is_size_lifted) ? LIFT_SIZE : LIFT_NONE;
}

static bool is_lifted_array(const Ty *t)
{
	return t->kind == TY_ARRAY && ty_lifting(t->array.elem) != LIFT_NONE;
}

bool ty_has_lifted_array(Ty *t)
{
	return has_part(t, is_lifted_array);
}

// ---- Sizes ----

Size *size_const(int64_t value)
{
	return NEW(Size, .kind = SZ_CONST, .num = {value, false});
}

Size *size_var(Binding *b)
{
	return NEW(Size, .kind = SZ_VAR, .span = b->span, .var = b);
}

Size *size_anon(Span span)
{
	return NEW(Size, .kind = SZ_ANON, .span = span);
}

Size *size_meta(int level, Span span, const char *origin)
{
	static int last_id;             // distinguishes size variables in messages
	SizeMeta *m = NEW(SizeMeta, .id = ++last_id, .level = level, .span = span,
	                  .origin = origin);
	return NEW(Size, .kind = SZ_META, .span = span, .meta = m);
}

SizeMeta *size_variable(const Size *s)
{
	return s->meta->tied ? s->meta->tied : s->meta;
}

Size *size_resolve(Size *s)
{
	while (s->kind == SZ_META && size_variable(s)->link) {
		SizeMeta *m = size_variable(s);
		Size *next = m->link;
		if (next->kind == SZ_META && size_variable(next)->link)
			m->link = size_variable(next)->link;
		s = m->link;
	}
	return s;
}

// ---- Substitution ----

typedef struct { TyMap map; const Subst *s; } Substitute;

static Size *subst_size(TyMap *m, Size *size)
{
	const Subst *s = ((Substitute *)m)->s;
	if (!s->sizes.len)
		return size;
	switch (size->kind) {
	case SZ_CONST: case SZ_META: case SZ_ANON:
		return size;
	case SZ_VAR: {
		Size *to = map_get(&s->sizes, size->var);
		return to ? to : size;
	}
	case SZ_NODE: {
		Sizes kids = map_sizes(m, size->node.kids);
		return kids.at == size->node.kids.at ? size
		     : NEW(Size, .kind = SZ_NODE, .span = size->span,
		           .node = {size->node.origin, kids});
	}
	}
	bug("kind of size");
}

static Ty *subst_named(TyMap *m, Ty *t)
{
	if (t->kind == TY_META)
		return t;
	const Subst *s = ((Substitute *)m)->s;
	TypeDef *def = t->kind == TY_PARAM ? t->param : t->abs.def;
	Ty *to = s->types.len ? map_get(&s->types, def) : NULL;
	if (to)
		return t->unique ? ty_unique(to) : to;
	return t->kind == TY_PARAM ? t : map_abs(m, t);
}

static const TyMap subst_map = {.size = subst_size, .named = subst_named, .abs = subst_named,
                                .unmarked = true};

Size *size_subst(const Subst *s, Size *size)
{
	Substitute m = {subst_map, s};
	return subst_size(&m.map, size_resolve(size));
}

Ty *ty_subst(const Subst *s, Ty *t)
{
	Substitute m = {subst_map, s};
	return s->types.len || s->sizes.len ? map_ty(&m.map, t) : ty_resolve(t);
}

// type t 'a [n] = [n](a, a)    t [3] i32    becomes    [3](i32, i32)
Ty *ty_expand(TypeDef *abbrev, Tys types, Sizes sizes, Bindings *exts)
{
	Subst s = {0};
	int n_types = 0, n_sizes = 0;
	for EACH(TypeParam, p, abbrev->params) {
		if (p->kind == TP_SIZE)
			map_put(&s.sizes, p->binding, sizes.at[n_sizes++]);
		else
			map_put(&s.types, p->def, types.at[n_types++]);
	}
	for EACH(Binding *, b, abbrev->exts) {
		Size *size;
		if (exts) {
			Binding *fresh = binding_new(BIND_SIZE, (*b)->name, (*b)->span);
			fresh->scheme = (*b)->scheme;
			bindings_push(exts, fresh);
			size = size_var(fresh);
		} else {
			size = size_anon((*b)->span);
		}
		map_put(&s.sizes, *b, size);
	}
	return ty_subst(&s, abbrev->body);
}

// ---- Bindings and definitions ----

// Everything bound in one run has its own number, in the order of binding.
static int last_id;

Binding *binding_new(int kind, Name name, Span span)
{
	Binding *b = NEW(Binding, .name = name, .span = span, .id = ++last_id);
	b->kind = kind;
	if (kind == BIND_SIZE || kind == BIND_UNKNOWN)
		b->scheme.type = ty_prim(PT_I64);
	return b;
}

TypeDef *typedef_new(int kind, Name name, Span span)
{
	TypeDef *d = NEW(TypeDef, .name = name, .full_name = name, .span = span, .id = ++last_id);
	d->kind = kind;
	return d;
}

void bindings_push(Bindings *list, Binding *b)
{
	size_t old = (size_t)list->len * sizeof b;
	list->at = mem_grow(list->at, old, old + sizeof b);
	list->at[list->len++] = b;
}

Inst *inst_of(const Scheme *s)
{
	Inst *inst = mem_alloc(sizeof *inst);
	if (s->types.len)
		inst->types = (Tys){NEW_ARRAY(Ty *, s->types.len), s->types.len};
	if (s->sizes.len)
		inst->sizes = (Sizes){NEW_ARRAY(Size *, s->sizes.len), s->sizes.len};
	return inst;
}
