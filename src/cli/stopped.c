// The names in scope at a breakpoint, as values that expressions can refer to.
//
// A name keeps its type, except that sizes are replaced by their current values: xs : [n]m.t
// becomes xs : [3]m.t.  A type parameter of a polymorphic function is replaced by its instance,
// and so is an abstract type that has a size without a name.
#include "cli/cli.h"

// The sizes and integers in scope, by their bindings.
static Subst known_sizes(const StopFrame *f, const Value *flat)
{
	Subst s = {0};
	for EACH(StopVar, v, f->vars) {
		const Value *x = &flat[v->first];
		if (v->type->kind == ET_PRIM && v->type->prim == PT_I64)
			map_put(&s.sizes, v->binding, size_const(value_get(x, 0).i));
	}
	return s;
}

static bool is_open(Ty *type, void *none)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_ARRAY && size_resolve(t->array.dim)->kind != SZ_CONST)
		return true;
	if (t->kind == TY_ABS)
		for EACH(Size *, s, t->abs.sizes)
			if (size_resolve(*s)->kind != SZ_CONST)
				return true;
	return t->kind == TY_ERROR || t->kind == TY_META || t->kind == TY_PARAM ||
	       t->kind == TY_ARROW || ty_any_part(t, is_open, none);
}

// The type of the part that the flat values make up, inside of `depth` dimensions of an array.
// t is NULL where only its layout is known.
static Ty *closed(const Subst *sizes, Ty *t, const EntryType *e, const Value *flat, int depth);

static Ty *closed_array(const Subst *sizes, Ty *t, const EntryType *e, const Value *flat, int depth)
{
	for (int i = 0; t && i < e->rank; i++)
		t = t->kind == TY_ARRAY ? ty_resolve(t->array.elem) : NULL;
	Ty *out = closed(sizes, t, e->elem, flat, depth + e->rank);
	for (int i = e->rank - 1; i >= 0; i--)
		out = ty_array(size_const(flat->shape[depth + i]), out);
	return out;
}

static Ty *field_type(Ty *record, Name name)
{
	if (record && record->kind == TY_RECORD)
		for EACH(TyField, f, record->record)
			if (strcmp(f->name, name) == 0)
				return f->type;
	return NULL;
}

static Ty *closed_record(const Subst *sizes, Ty *t, const EntryType *e, const Value *flat,
                         int depth)
{
	TyFields fields = {NEW_ARRAY(TyField, e->fields.len), e->fields.len};
	for (int i = 0; i < e->fields.len; i++) {
		const EntryField *f = &e->fields.at[i];
		fields.at[i] = (TyField){
			f->name, closed(sizes, field_type(t, f->name), f->type, flat, depth),
		};
		flat += f->type->n_values;
	}
	return ty_record(fields);
}

static Ty *payload_type(Ty *sum, Name constr, int arg)
{
	if (sum && sum->kind == TY_SUM)
		for EACH(TyConstr, c, sum->sum)
			if (strcmp(c->name, constr) == 0)
				return c->args.at[arg];
	return NULL;
}

static Ty *closed_sum(const Subst *sizes, Ty *t, const EntryType *e, const Value *flat, int depth)
{
	TyConstrs constrs = {NEW_ARRAY(TyConstr, e->constrs.len), e->constrs.len};
	const Value *slots = flat + (e->constrs.len > 1);
	for (int i = 0; i < e->constrs.len; i++) {
		const EntryConstr *c = &e->constrs.at[i];
		Value *parts = NEW_ARRAY(Value, c->slots.len), *part = parts;
		for (int j = 0; j < c->slots.len; j++)
			parts[j] = slots[c->slots.at[j]];
		Tys args = {NEW_ARRAY(Ty *, c->args.len), c->args.len};
		for (int j = 0; j < c->args.len; j++) {
			args.at[j] = closed(sizes, payload_type(t, c->name, j), c->args.at[j], part,
			                    depth);
			part += c->args.at[j]->n_values;
		}
		constrs.at[i] = (TyConstr){c->name, args};
	}
	return ty_sum(constrs);
}

static Ty *closed(const Subst *sizes, Ty *t, const EntryType *e, const Value *flat, int depth)
{
	t = t ? ty_resolve(t) : NULL;
	if (t && t->kind == TY_ABS) {
		Ty *sized = ty_subst(sizes, t);
		if (!is_open(sized, NULL))
			return sized;
	}
	switch (e->kind) {
	case ET_PRIM:
		return ty_prim(e->prim);
	case ET_ARRAY:
		return closed_array(sizes, t, e, flat, depth);
	case ET_RECORD:
		return closed_record(sizes, t, e, flat, depth);
	case ET_SUM:
		return closed_sum(sizes, t, e, flat, depth);
	case ET_FUN:
		break;
	}
	bug("a function among the names at a breakpoint");
}

Bindings stopped_names(const StopFrame *f, const Value *flat, Values *values)
{
	Bindings out = {NEW_ARRAY(Binding *, f->vars.len), f->vars.len};
	Subst sizes = known_sizes(f, flat);
	*values = (Values){0};
	for (int i = 0; i < f->vars.len; i++) {
		const StopVar *v = &f->vars.at[i];
		const Binding *was = v->binding;
		Ty *t = ty_nonunique(closed(&sizes, was->scheme.type, v->type, flat + v->first, 0));
		out.at[i] = binding_new(BIND_GLOBAL, v->name, was->span);
		out.at[i]->scheme.type = t;
		for (int j = 0; j < v->type->n_values; j++)
			VEC_PUSH(values, flat[v->first + j]);
	}
	return out;
}
