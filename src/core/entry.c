// Entry points as those who call them see them: names of values and sizes, for messages and APIs.
//
//     entry f [n] (xs: [n]f64) (p: (i64, [n]bool)) (ys: []f64)
//     values  xs, p.0, p.1, ys      sizes  n, m: the second one has no name in the program
#include "core/entry.h"

// ---- Names ----

// Of a value within an argument: p.x, p.0, or by its number alone where the type is opaque.
static const char *part_name(const char *name, const EntryType *t, int value)
{
	while (t->kind == ET_ARRAY)
		t = t->elem;
	if (t->kind != ET_RECORD || !t->n_values) // an array of units has a value, of bools
		return t->n_values <= 1 ? name : text("%s.%d", name, value);
	for EACH(EntryField, f, t->fields) {
		if (value < f->type->n_values)
			return part_name(text("%s.%s", name, f->name), f->type, value);
		value -= f->type->n_values;
	}
	bug("no value of an argument");
}

const char *entry_value_name(const Fun *f, int value)
{
	for EACH(EntryParam, p, f->entry->params) {
		if (value < p->type->n_values)
			return part_name(p->name, p->type, value);
		value -= p->type->n_values;
	}
	bug("no value of an argument");
}

static bool is_param(const Fun *f, const char *name)
{
	for EACH(EntryParam, p, f->entry->params)
		if (strcmp(p->name, name) == 0)
			return true;
	return false;
}

static bool is_taken(const EntrySizes *sizes, const Fun *f, const char *name)
{
	for EACH(const EntrySize, s, *sizes)
		if (strcmp(s->name, name) == 0)
			return true;
	return is_param(f, name);
}

static const char *size_name(const EntrySizes *sizes, const Fun *f, Var v)
{
	const char *own = vars[v.id].hint;
	if (own && !is_taken(sizes, f, own))
		return own;
	for (const char *p = "nmkldpqrst"; *p; p++)
		if (!is_taken(sizes, f, text("%c", *p)))
			return text("%c", *p);
	for (int i = 0;; i++)
		if (!is_taken(sizes, f, text("n%d", i)))
			return text("n%d", i);
}

int entry_size(const EntrySizes *sizes, Sub s)
{
	for (int i = 0; i < sizes->len && s.kind == S_VAR; i++)
		if (sizes->at[i].var.id == s.var.id)
			return i;
	return -1;
}

void entry_add_sizes(EntrySizes *to, const Fun *f, Vars values, const Type *t, bool known)
{
	for EACH(Sub, d, t->dims) {
		if (d->kind != S_VAR || entry_size(to, *d) >= 0)
			continue;
		EntrySize s = {.var = d->var, .value = -1, .known = known};
		for (int i = 0; i < values.len; i++)
			if (values.at[i].id == d->var.id)
				s.value = i;
		s.known |= s.value >= 0;
		s.name = s.value >= 0 ? entry_value_name(f, s.value) : size_name(to, f, d->var);
		VEC_PUSH(to, s);
	}
}

const char *entry_dims(const EntrySizes *sizes, const Type *t)
{
	Str s = {0};
	for EACH(Sub, d, t->dims)
		str_printf(&s, "[%s]", d->kind == S_CONST ? text("%lld", (long long)d->val.i)
		                                           : sizes->at[entry_size(sizes, *d)].name);
	return str_text(&s);
}

// ---- Descriptions of flat values, for entry points that are made by the compiler ----

EntryType *entry_of_type(Type t)
{
	EntryType *elem = NEW(EntryType, .kind = ET_PRIM, .name = primtype_name[t.elem],
	                      .prim = t.elem, .n_values = 1);
	if (!t.dims.len)
		return elem;
	Str name = {0};
	for (int i = 0; i < t.dims.len; i++)
		str_puts(&name, "[]");
	str_puts(&name, primtype_name[t.elem]);
	return NEW(EntryType, .kind = ET_ARRAY, .name = name_of(str_text(&name)),
	           .rank = t.dims.len, .elem = elem, .n_values = 1);
}

EntryType *entry_tuple(EntryTypes ts)
{
	if (ts.len == 1)
		return ts.at[0];
	EntryFields fields = {NEW_ARRAY(EntryField, ts.len + 1), ts.len};
	Str name = {0};
	for (int i = 0; i < ts.len; i++) {
		fields.at[i] = (EntryField){name_of(text("%d", i)), ts.at[i]};
		str_printf(&name, "%s%s", i ? ", " : "(", ts.at[i]->name);
	}
	str_puts(&name, ts.len ? ")" : "()");
	return NEW(EntryType, .kind = ET_RECORD, .name = name_of(str_text(&name)), .fields = fields,
	           .is_tuple = true, .n_values = ts.len);
}
