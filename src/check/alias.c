// Sets of atoms, and alias trees: the data structures of phase 4 (consume.h defines the terms).
#include "check/consume.h"

Alias no_alias;

Atom *atom_new(Consume *c, Binding *var, bool consumable)
{
	static int next_id;     // only orders the sets
	return NEW(Atom, .id = ++next_id, .var = var, .depth = c->depth, .consumable = consumable);
}

static Atom *atom_of_result(Consume *c, const char *what, Span span)
{
	Atom *a = atom_new(c, NULL, true);
	a->what = text("result of %s (at %s)", what, show_span_short(span));
	return a;
}

const char *atom_name(const Atom *a)
{
	return a->var ? text("\"%s\"", a->var->name) : a->what;
}

const char *atom_phrase(const Atom *a)
{
	return a->var ? text("variable \"%s\"", a->var->name) : a->what;
}

AtomSet set_of(Atom *a)
{
	Atom **at = NEW_ARRAY(Atom *, 1);
	*at = a;
	return (AtomSet){at, 1};
}

AtomSet set_union(AtomSet a, AtomSet b)
{
	if (!a.len || (a.len == b.len && a.at == b.at))
		return b;
	if (!b.len)
		return a;
	AtomSet r = {NEW_ARRAY(Atom *, a.len + b.len), 0};
	int i = 0, j = 0;
	while (i < a.len || j < b.len) {
		if (j == b.len || (i < a.len && a.at[i]->id < b.at[j]->id))
			r.at[r.len++] = a.at[i++];
		else if (i == a.len || b.at[j]->id < a.at[i]->id)
			r.at[r.len++] = b.at[j++];
		else
			r.at[r.len++] = a.at[i++], j++;
	}
	return r;
}

AtomSet set_without(AtomSet a, AtomSet b)
{
	AtomSet r = {NEW_ARRAY(Atom *, a.len), 0};
	int j = 0;
	for (int i = 0; i < a.len; i++) {
		while (j < b.len && b.at[j]->id < a.at[i]->id)
			j++;
		if (j == b.len || b.at[j] != a.at[i])
			r.at[r.len++] = a.at[i];
	}
	return r;
}

Atom *set_common(AtomSet a, AtomSet b)
{
	for (int i = 0, j = 0; i < a.len && j < b.len; ) {
		if (a.at[i] == b.at[j])
			return a.at[i];
		if (a.at[i]->id < b.at[j]->id)
			i++;
		else
			j++;
	}
	return NULL;
}

AtomSet alias_atoms(const Alias *a)
{
	if (!a->is_record)
		return a->set;
	AtomSet s = {0};
	for EACH(Alias *, f, a->fields)
		s = set_union(s, alias_atoms(*f));
	return s;
}

Atom *self_aliased(const Alias *a)
{
	if (!a->is_record)
		return NULL;
	AtomSet before = {0};
	for EACH(Alias *, f, a->fields) {
		AtomSet s = alias_atoms(*f);
		Atom *twice = set_common(before, s);
		if (!twice)
			twice = self_aliased(*f);
		if (twice)
			return twice;
		before = set_union(before, s);
	}
	return NULL;
}

Alias *alias_leaf(AtomSet s)
{
	return s.len ? NEW(Alias, .set = s) : &no_alias;
}

static Alias *new_record(int n)
{
	return NEW(Alias, .is_record = true, .fields = {NEW_ARRAY(Alias *, n), n});
}

// Trees of different shape meet where one side is a scalar, an error, or was made
// from a set for a whole value: the set then goes to every field.
Alias *alias_union(Alias *a, Alias *b)
{
	if (a == b || b == &no_alias)
		return a;
	if (a == &no_alias)
		return b;
	if (!a->is_record && !b->is_record)
		return alias_leaf(set_union(a->set, b->set));
	int n = a->is_record ? a->fields.len : b->fields.len;
	Alias *r = new_record(n);
	for (int i = 0; i < n; i++) {
		Alias *x = a->is_record ? a->fields.at[i] : a;
		Alias *y = !b->is_record ? b : i < b->fields.len ? b->fields.at[i] : &no_alias;
		r->fields.at[i] = alias_union(x, y);
	}
	return r;
}

static int field_index(Ty *record, Name field)
{
	Ty *t = ty_resolve(record);
	const TyField *f = ty_field(t, field);
	return f ? (int)(f - t->record.at) : -1;
}

Alias *alias_field(Alias *a, Ty *record, Name field)
{
	if (!a->is_record)
		return a;
	int i = field_index(record, field);
	return i >= 0 && i < a->fields.len ? a->fields.at[i] : &no_alias;
}

Alias *alias_record(Ty *record)
{
	Ty *t = ty_resolve(record);
	if (t->kind != TY_RECORD)
		return &no_alias;
	Alias *r = new_record(t->record.len);
	for (int i = 0; i < t->record.len; i++)
		r->fields.at[i] = &no_alias;
	return r;
}

void alias_put_field(Alias *r, Ty *record, Name field, Alias *v)
{
	int i = field_index(record, field);
	if (r->is_record && i >= 0)
		r->fields.at[i] = v;
}

Alias *alias_with_field(Alias *a, Ty *record, Name field, Alias *v)
{
	Ty *t = ty_resolve(record);
	if (t->kind != TY_RECORD)
		return a;
	Alias *r = alias_record(t);
	for (int i = 0; i < t->record.len; i++)
		r->fields.at[i] = !a->is_record ? a : i < a->fields.len ? a->fields.at[i]
		                                                        : &no_alias;
	alias_put_field(r, t, field, v);
	return r;
}

bool is_consuming(Ty *type)
{
	Ty *t = ty_resolve(type);
	if (t->unique)
		return ty_has_array(t);
	if (t->kind == TY_RECORD)
		for EACH(TyField, f, t->record)
			if (is_consuming(f->type))
				return true;
	if (t->kind == TY_SUM)
		for EACH(TyConstr, k, t->sum)
			for EACH(Ty *, a, k->args)
				if (is_consuming(*a))
					return true;
	return false;
}

Alias *alias_shaped(Ty *type, AtomSet s)
{
	Ty *t = ty_resolve(type);
	if (!s.len || !ty_has_array(t))
		return &no_alias;
	if (t->kind != TY_RECORD)
		return alias_leaf(s);
	Alias *r = new_record(t->record.len);
	for (int i = 0; i < t->record.len; i++)
		r->fields.at[i] = alias_shaped(t->record.at[i].type, s);
	return r;
}

Alias *alias_map(Alias *a, AtomSet (*f)(void *, AtomSet), void *ctx)
{
	if (!a->is_record)
		return alias_leaf(f(ctx, a->set));
	Alias *r = new_record(a->fields.len);
	for (int i = 0; i < a->fields.len; i++)
		r->fields.at[i] = alias_map(a->fields.at[i], f, ctx);
	return r;
}

// ---- Parts of one result ----

Ty *base_of(Ty *type)
{
	Ty *t = ty_resolve(type);
	while (t->kind == TY_ARRAY)
		t = ty_resolve(t->array.elem);
	return t;
}

// What two parts have in common if they can be the same memory; NULL: unknown.
static const void *origin_key(Ty *part)
{
	Ty *t = base_of(part);
	switch (t->kind) {
	case TY_PRIM:
		return (const void *)(uintptr_t)(t->prim + 1);
	case TY_PARAM:
		return t->param;
	case TY_ABS:
		return t->abs.def;
	case TY_ERROR: case TY_ARRAY: case TY_RECORD: case TY_SUM: case TY_ARROW: case TY_META:
		return NULL;
	}
	bug("type of kind %d", t->kind);
}

void origins_count(Origins *g, Ty *own, Ty *actual)
{
	Ty *o = ty_resolve(own), *t = ty_resolve(actual);
	if (o->unique || t->unique || !ty_has_array(t))
		return;
	if (t->kind == TY_RECORD) {
		bool same = o->kind == TY_RECORD && o->record.len == t->record.len;
		for (int i = 0; i < t->record.len; i++)
			origins_count(g, same ? o->record.at[i].type : o, t->record.at[i].type);
		return;
	}
	const void *key = origin_key(o);
	g->n++;
	g->mixed |= !key;
	if (key)
		map_put(&g->counts, key, (void *)((uintptr_t)map_get(&g->counts, key) + 1));
}

AtomSet origins_of(Consume *c, Origins *g, Ty *part)
{
	static const char all = 0;      // its address is the key of what may be anything
	const void *key = g->mixed ? &all : origin_key(part);
	// A single part has nobody to share with.
	if ((g->mixed ? g->n : (int)(uintptr_t)map_get(&g->counts, key)) < 2)
		return (AtomSet){0};
	Atom *a = map_get(&g->atoms, key);
	if (!a)
		map_put(&g->atoms, key, a = atom_of_result(c, g->what, g->span));
	return set_of(a);
}

Alias *alias_with_origins(Consume *c, Origins *g, Ty *type, AtomSet s)
{
	Ty *t = ty_resolve(type);
	if (!ty_has_array(t))
		return &no_alias;
	if (t->kind != TY_RECORD)
		return alias_leaf(set_union(s, origins_of(c, g, t)));
	Alias *r = new_record(t->record.len);
	for (int i = 0; i < t->record.len; i++)
		r->fields.at[i] = alias_with_origins(c, g, t->record.at[i].type, s);
	return r;
}

// ---- Patterns ----

static Alias *own_atoms(Consume *c, Binding *var, Ty *type, Alias *a, bool consumable)
{
	Ty *t = ty_resolve(type);
	if (!ty_has_array(t))
		return &no_alias;
	if (t->kind != TY_RECORD)
		return alias_leaf(set_union(alias_atoms(a), set_of(atom_new(c, var, consumable))));
	Alias *r = new_record(t->record.len);
	for (int i = 0; i < t->record.len; i++)
		r->fields.at[i] = own_atoms(c, var, t->record.at[i].type,
		                            alias_field(a, t, t->record.at[i].name), consumable);
	return r;
}

void alias_names(Pat *p, Alias *a, TypeExpr *said, EachName *each, void *ctx)
{
	switch (p->kind) {
	case PAT_NAME:
		if (p->var.binding)
			each(ctx, p, a, said);
		return;
	case PAT_WILD:
	case PAT_LIT:
		return;
	case PAT_TUPLE: case PAT_RECORD: {
		FieldPats fields = pat_fields(p);
		for EACH(FieldPat, f, fields)
			alias_names(f->pat, alias_field(a, p->type, f->name), said, each, ctx);
		return;
	}
	case PAT_CONSTR:
		for EACH(Pat *, q, p->constr.args)
			alias_names(*q, alias_shaped((*q)->type, alias_atoms(a)), said, each, ctx);
		return;
	case PAT_ASCRIBE:
		alias_names(p->ascribe.pat, a, p->ascribe.type, each, ctx);
		return;
	case PAT_ATTR: case PAT_PAREN:
		alias_names(p->inner, a, said, each, ctx);
		return;
	}
	bug("pattern of kind %d", p->kind);
}

typedef struct { Consume *c; bool consumable; } Bind;

static void bind_name(void *ctx, Pat *p, Alias *a, TypeExpr *said)
{
	const Bind *b = ctx;
	(void)said;
	p->var.binding->aliases = own_atoms(b->c, p->var.binding, p->type, a, b->consumable);
}

void alias_bind(Consume *c, Pat *p, Alias *a, bool consumable)
{
	alias_names(p, a, NULL, bind_name, &(Bind){c, consumable});
}
