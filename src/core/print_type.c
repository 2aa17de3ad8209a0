// Printing of textual core: names, strings, operands, types, entry points.
#include "core/print_core.h"

#include <ctype.h>

// ---- Names, strings, operands, types ----

// Hints come from surface programs and may hold any operator character.
void put_var(Str *out, Var v)
{
	const char *hint = v.id < n_vars && vars[v.id].hint ? vars[v.id].hint : "t";
	if (!isalpha((unsigned char)*hint) && *hint != '_')
		str_putc(out, '_');
	for (; *hint; hint++)
		str_putc(out, isalnum((unsigned char)*hint) || *hint == '\'' ? *hint : '_');
	str_printf(out, "_%u", v.id);
}

void put_string(Printer *p, const char *s)
{
	str_putc(&p->out, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c == '\n')
			put(p, "\\n");
		else if (c == '"' || c == '\\')
			str_printf(&p->out, "\\%c", c);
		else if (c < 32 || c == 127)
			str_printf(&p->out, "\\x%02x", c);
		else
			str_putc(&p->out, (char)c);
	}
	str_putc(&p->out, '"');
}

static bool is_plain_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_' && *s != '\'')
			return false;
	return true;
}

void put_name(Printer *p, const char *s)
{
	if (is_plain_name(s))
		put(p, s);
	else
		put_string(p, s);
}

const char *show_const(Scalar s)
{
	bool plain = (s.type == PT_I64 || s.type == PT_F64);
	return scalar_show(s, !plain);
}

void put_sub(Printer *p, Sub s)
{
	if (s.kind == S_VAR)
		put_var(&p->out, s.var);
	else
		put(p, show_const(s.val));
}

void put_subs(Printer *p, const char *open, Subs s, const char *close)
{
	put(p, open);
	for EACH(Sub, x, s) {
		if (x != s.at)
			put(p, ", ");
		put_sub(p, *x);
	}
	put(p, close);
}

void put_dims(Printer *p, Subs dims)
{
	for EACH(Sub, d, dims) {
		put(p, "[");
		put_sub(p, *d);
		put(p, "]");
	}
}

static void put_mem(Printer *p, const MemLoc *m)
{
	put(p, " @ ");
	put_var(&p->out, m->block);
	put(p, " + ");
	put_sub(p, m->offset);
	if (m->strides.len)
		put_subs(p, " {", m->strides, "}");
}

void put_type(Printer *p, Type t)
{
	if (t.unique)
		put(p, "*");
	switch (t.kind) {
	case T_DATA:
		put_dims(p, t.dims);
		put(p, primtype_name[t.elem]);
		if (t.mem)
			put_mem(p, t.mem);
		return;
	case T_MEM:
		put(p, "mem.");
		put(p, primtype_name[t.elem]);
		return;
	case T_CERT:
		put(p, "cert");
		return;
	case T_ACC:
		put(p, "acc(");
		put_var(&p->out, t.acc->token);
		put_subs(p, ", [", t.acc->space, "]");
		for EACH(Type, e, t.acc->elems) {
			put(p, ", ");
			put_type(p, *e);
		}
		put(p, ")");
		return;
	}
	bug("no such type: %d", (int)t.kind);
}

void put_types(Printer *p, Types ts)
{
	put(p, "(");
	for EACH(Type, t, ts) {
		if (t != ts.at)
			put(p, ", ");
		put_type(p, *t);
	}
	put(p, ")");
}

void put_binder(Printer *p, Var v)
{
	put_var(&p->out, v);
	put(p, ": ");
	put_type(p, vars[v.id].type);
}

void put_binders(Printer *p, Vars vs)
{
	put(p, "(");
	for EACH(Var, v, vs) {
		if (v != vs.at)
			put(p, ", ");
		put_binder(p, *v);
	}
	put(p, ")");
}

void put_attributes(Printer *p, Attributes attrs)
{
	for (int m = ATTR_NONE + 1; m < N_MARK; m++)
		if (has_attr(attrs, (Mark)m))
			str_printf(&p->out, "#[%s] ", mark_text((Mark)m));
	for EACH(Name, a, attrs)
		str_printf(&p->out, "#[%s] ", *a);
}

// ---- Entry types ----
//
// prim f64 | array 2 ELEM | record {name: TYPE, ...} | tuple {TYPE, ...} | fun
// | sum {name (TYPE, ...) [slot, ...], ...} (types of the slots)
// then the name in Futhark syntax, `opaque` if a user gave it, and `*` before all if unique.

static void put_fields(Printer *p, const EntryType *t)
{
	put(p, t->is_tuple ? "tuple {" : "record {");
	for EACH(EntryField, f, t->fields) {
		if (f != t->fields.at)
			put(p, ", ");
		put_string(p, f->name);
		put(p, ": ");
		put_entry_type(p, f->type);
	}
	put(p, "}");
}

static void put_constr(Printer *p, const EntryConstr *c)
{
	put_string(p, c->name);
	put(p, " (");
	for EACH(EntryType *, a, c->args) {
		if (a != c->args.at)
			put(p, ", ");
		put_entry_type(p, *a);
	}
	put(p, ") [");
	for EACH(int, s, c->slots)
		str_printf(&p->out, "%s%d", s == c->slots.at ? "" : ", ", *s);
	put(p, "]");
}

static void put_sum(Printer *p, const EntryType *t)
{
	put(p, "sum {");
	for (int i = 0; i < t->constrs.len; i++) {
		if (i)
			put(p, ", ");
		put_constr(p, &t->constrs.at[i]);
	}
	put(p, "} ");
	put_types(p, t->slots);
}

void put_entry_type(Printer *p, const EntryType *t)
{
	if (t->unique)
		put(p, "*");
	switch (t->kind) {
	case ET_PRIM:
		str_printf(&p->out, "prim %s", primtype_name[t->prim]);
		break;
	case ET_ARRAY:
		str_printf(&p->out, "array %d ", t->rank);
		put_entry_type(p, t->elem);
		break;
	case ET_RECORD:
		put_fields(p, t);
		break;
	case ET_SUM:
		put_sum(p, t);
		break;
	case ET_FUN:
		put(p, "fun");
		break;
	}
	if (t->opaque_name)
		put(p, " opaque");
	if (t->name) {
		put(p, " ");
		put_string(p, t->name);
	}
	str_printf(&p->out, " %d", t->n_values);
}
