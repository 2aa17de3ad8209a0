// The types that occur in the interface of entry points, and their names.
//
// Names in the language are types without sizes; sums are written "bar: | foo:i32".  Names in C:
//
//   i32, [][]f32        int32_t, struct futhark_f32_2d
//   ()                  struct futhark_opaque_unit
//   (a, b)              struct futhark_opaque_tup2_a_b
//   [][]t               struct futhark_opaque_arr2d_t     (t opaque)
//   m.t                 struct futhark_opaque_m_t
//   anything else       struct futhark_opaque_HASH        (MD5 of the name in the language)
//
// Thus unnamed records, and types that contain them, have a hash: that of {x: i32, y: i32} is
// bda45ecc4522eff7bd51d26d27e66014.
//
// A type is accompanied by the types of its parts: those of its elements and fields and, for an
// array of records, the arrays of each field.
#include "gen/api.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct {
	VEC(ApiType *) types;
	Map by_key;                             // name and layout -> ApiType
	Map names, cnames, functions;           // those taken
} Collect;

// ---- Names ----

const char *c_identifier(const char *name)
{
	Str s = {0};
	for (const char *p = name; *p; p++) {
		if (isalnum((unsigned char)*p) || *p == '_')
			str_putc(&s, *p);
		else if (*p == '\'')
			str_puts(&s, "zq");
		else
			str_printf(&s, "z%02x", (unsigned char)*p);
	}
	return str_text(&s);
}

static bool is_identifier(const char *s)
{
	return *s && strcmp(c_identifier(s), s) == 0;
}

static const char *in_parens(const EntryType *t, const char *name)
{
	return t->kind == ET_SUM && !t->opaque_name ? text("(%s)", name) : name;
}

static const char *outer_name(const EntryType *t)
{
	Str s = {0};
	if (t->opaque_name)
		return t->name;
	switch (t->kind) {
	case ET_PRIM:
	case ET_FUN:
		return t->name;
	case ET_ARRAY:
		for (int i = 0; i < t->rank; i++)
			str_puts(&s, "[]");
		str_puts(&s, in_parens(t->elem, outer_name(t->elem)));
		return str_text(&s);
	case ET_RECORD:
		str_putc(&s, t->is_tuple ? '(' : '{');
		for (int i = 0; i < t->fields.len; i++) {
			str_puts(&s, i ? ", " : "");
			if (!t->is_tuple)
				str_printf(&s, "%s: ", t->fields.at[i].name);
			str_puts(&s, outer_name(t->fields.at[i].type));
		}
		str_putc(&s, t->is_tuple ? ')' : '}');
		return str_text(&s);
	case ET_SUM:
		for (int i = 0; i < t->constrs.len; i++) {
			str_printf(&s, "%s%s:", i ? " | " : "", t->constrs.at[i].name);
			for (int k = 0; k < t->constrs.at[i].args.len; k++)
				str_printf(&s, "%s%s", k ? "," : "",
				           outer_name(t->constrs.at[i].args.at[k]));
		}
		return str_text(&s);
	}
	bug("not a kind of surface type");
}

// NULL when the name has to be a hash.
static const char *mangled(const EntryType *t)
{
	Str s = {0};
	if (t->opaque_name || t->kind == ET_PRIM) {
		for (const char *p = t->name; *p; p++)
			str_putc(&s, *p == '.' ? '_' : *p);
		return is_identifier(str_text(&s)) ? str_text(&s) : NULL;
	}
	if (t->kind == ET_ARRAY) {
		const char *elem = mangled(t->elem);
		return elem ? text("arr%dd_%s", t->rank, elem) : NULL;
	}
	if (t->kind != ET_RECORD)
		return NULL;
	if (t->fields.len == 0)
		return "unit";
	if (!t->is_tuple)
		return NULL;
	str_printf(&s, "tup%d", t->fields.len);
	for EACH(EntryField, f, t->fields) {
		const char *part = mangled(f->type);
		if (!part)
			return NULL;
		str_printf(&s, "_%s", part);
	}
	return str_text(&s);
}

// The name, or the name with a number when it is taken.
static const char *take_name(Map *taken, const char *name)
{
	const char *free_name = name;
	for (int i = 2; map_has(taken, name_of(free_name)); i++)
		free_name = text("%s_%d", name, i);
	map_put(taken, name_of(free_name), taken);
	return free_name;
}

// ---- Layout ----

typedef VEC(ApiFlat) Flats;

static void put_flats(const EntryType *t, int rank, Flats *out)
{
	int before = out->len;
	switch (t->kind) {
	case ET_PRIM:
		VEC_PUSH(out, (ApiFlat){t->prim, rank});
		return;
	case ET_ARRAY:
		put_flats(t->elem, rank + t->rank, out);
		if (out->len == before)
			VEC_PUSH(out, (ApiFlat){PT_BOOL, rank + t->rank});
		return;
	case ET_RECORD:
		for EACH(EntryField, f, t->fields)
			put_flats(f->type, rank, out);
		return;
	case ET_SUM:
		if (t->constrs.len > 1)
			VEC_PUSH(out, (ApiFlat){PT_I8, rank});
		for EACH(Type, slot, t->slots)
			VEC_PUSH(out, (ApiFlat){slot->elem, rank + slot->dims.len});
		return;
	case ET_FUN:
		return;
	}
	bug("not a kind of surface type");
}

// ---- Collecting ----

static ApiPart part_of(Collect *, const char *name, const EntryType *);

static bool is_transparent(const EntryType *t)
{
	return t->kind == ET_PRIM || (t->kind == ET_ARRAY && t->elem->kind == ET_PRIM);
}

// [rank]t; the dimensions of an array without a name of its own join the others.
static const EntryType *array_over(int rank, const EntryType *t)
{
	bool joins = t->kind == ET_ARRAY && !t->opaque_name;
	return NEW(EntryType, .kind = ET_ARRAY, .name = "", .rank = rank + (joins ? t->rank : 0),
	           .elem = joins ? t->elem : (EntryType *)t);
}

static ApiParts record_parts(Collect *c, const EntryType *t, int rank)
{
	ApiParts parts = {NEW_ARRAY(ApiPart, t->fields.len), t->fields.len};
	for (int i = 0; i < t->fields.len; i++) {
		const EntryField *f = &t->fields.at[i];
		parts.at[i] = part_of(c, f->name, rank ? array_over(rank, f->type) : f->type);
	}
	return parts;
}

static void put_variants(Collect *c, const EntryType *t, ApiType *to)
{
	int tagged = t->constrs.len > 1;
	to->variants.len = t->constrs.len;
	to->variants.at = mem_alloc((size_t)t->constrs.len * sizeof *to->variants.at);
	for (int i = 0; i < t->constrs.len; i++) {
		const EntryConstr *from = &t->constrs.at[i];
		ApiVariant *v = &to->variants.at[i];
		v->name = from->name;
		v->args = (ApiParts){NEW_ARRAY(ApiPart, from->args.len), from->args.len};
		for (int k = 0; k < from->args.len; k++)
			v->args.at[k] = part_of(c, "", from->args.at[k]);
		v->slots.len = from->slots.len;
		v->slots.at = NEW_ARRAY(int, from->slots.len);
		for (int k = 0; k < from->slots.len; k++)
			v->slots.at[k] = from->slots.at[k] + tagged;
	}
}

static void put_parts(Collect *c, const EntryType *t, ApiType *to)
{
	switch (t->kind) {
	case ET_ARRAY:
		to->rank = t->rank;
		to->elem = part_of(c, "", t->elem);
		if (t->elem->kind == ET_RECORD)
			to->fields = record_parts(c, t->elem, t->rank);
		return;
	case ET_RECORD:
		to->fields = record_parts(c, t, 0);
		return;
	case ET_SUM:
		put_variants(c, t, to);
		return;
	case ET_PRIM:
	case ET_FUN:
		return;
	}
}

static const char *cname_of(const EntryType *t, const char *name)
{
	if (is_transparent(t))
		return text("%s_%dd", primtype_name[t->elem->prim], t->rank);
	const char *m = mangled(t);
	return text("opaque_%s", m ? m : md5_hex(name, strlen(name)));
}

// The functions of a type whose names end in something of its own: those of a field `b_c` of a
// type `a` and of a field `c` of a type `a_b` are one name, likewise the constructor `x` of a type
// `t` and a record type `t_x`.
static const char **own_functions(const EntryType *t, const char *cname)
{
	const EntryType *of = t->kind == ET_ARRAY ? t->elem : t;
	VEC(const char *) names = {0};
	if (t->kind != ET_SUM)
		VEC_PUSH(&names, text("new_%s", cname));
	if (of->kind == ET_RECORD)
		for EACH(EntryField, f, of->fields)
			VEC_PUSH(&names, text("project_%s_%s", cname, c_identifier(f->name)));
	if (t->kind == ET_SUM)
		for EACH(EntryConstr, con, t->constrs) {
			VEC_PUSH(&names, text("new_%s_%s", cname, c_identifier(con->name)));
			VEC_PUSH(&names, text("destruct_%s_%s", cname, c_identifier(con->name)));
		}
	VEC_PUSH(&names, NULL);
	return names.at;
}

// The name of a type, with a number when it, or that of one of the functions, is taken.
static const char *take_cname(Collect *c, const EntryType *t, const char *name)
{
	for (;;) {
		const char *cname = take_name(&c->cnames, name);
		const char **own = own_functions(t, cname), **f = own;
		while (*f && !map_has(&c->functions, name_of(*f)))
			f++;
		if (*f)
			continue; // the name stays taken; the next one has the next number
		for (f = own; *f; f++)
			map_put(&c->functions, name_of(*f), c);
		return cname;
	}
}

static ApiPart part_of(Collect *c, const char *part_name, const EntryType *t)
{
	if (t->kind == ET_PRIM)
		return (ApiPart){part_name, t->prim, NULL};
	const char *name = outer_name(t);
	Flats flats = {0};
	put_flats(t, 0, &flats);
	Str key = {0};
	str_printf(&key, "%s %d", name, t->kind);
	for EACH(ApiFlat, f, flats)
		str_printf(&key, " %d:%d", f->prim, f->rank);
	ApiType *known = map_get(&c->by_key, name_of(str_text(&key)));
	if (known)
		return (ApiPart){part_name, PT_BOOL, known};
	ApiType *made = NEW(ApiType, .entry = t, .is_opaque = !is_transparent(t));
	made->name = take_name(&c->names, name);
	made->cname = take_cname(c, t, cname_of(t, name));
	made->flats.at = flats.at;
	made->flats.len = flats.len;
	put_parts(c, t, made);
	made->id = c->types.len;
	VEC_PUSH(&c->types, made);
	map_put(&c->by_key, name_of(str_text(&key)), made);
	return (ApiPart){part_name, PT_BOOL, made};
}

// A result that is made of fresh arrays, at least one.
static bool result_is_unique(const Fun *f)
{
	bool some = false;
	for EACH(Var, v, f->res) {
		const Type *t = &vars[v->id].type;
		if (t->kind != T_DATA || t->dims.len == 0)
			continue;
		if (!t->unique)
			return false;
		some = true;
	}
	return some;
}

static ApiEntry entry_of(Collect *c, const Fun *f)
{
	ApiEntry e = {.fun = f, .name = f->entry_name};
	e.cname = text("futhark_entry_%s", c_identifier(f->entry_name));
	e.inputs.len = f->entry->params.len;
	e.inputs.at = NEW_ARRAY(ApiPart, e.inputs.len);
	for (int i = 0; i < e.inputs.len; i++)
		e.inputs.at[i] =
			part_of(c, f->entry->params.at[i].name, f->entry->params.at[i].type);
	e.output = part_of(c, "", f->entry->result);
	e.output_unique = result_is_unique(f);
	return e;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const ApiEntry *)a)->name, ((const ApiEntry *)b)->name);
}

Api api_of(const Prog *prog)
{
	Collect c = {0};
	VEC(ApiEntry) entries = {0};
	for EACH(Fun *, f, prog->funs)
		if ((*f)->entry && !has_attr((*f)->attrs, ATTR_CONSTANT)) {
			VEC_PUSH(&entries, entry_of(&c, *f));
			entries.at[entries.len - 1].given = given_to(prog, *f);
		}
	if (entries.len)
		qsort(entries.at, (size_t)entries.len, sizeof *entries.at, by_name);
	return (Api){.types = VEC_SLICE(ApiTypes, c.types),
	             .entries = VEC_SLICE(ApiEntries, entries)};
}

// ---- C types ----

const char *api_prim(PrimType t)
{
	switch (t) {
	case PT_F16: return "uint16_t";
	case PT_F32: return "float";
	case PT_F64: return "double";
	case PT_BOOL: return "bool";
	case PT_I8: case PT_I16: case PT_I32: case PT_I64:
		return text("int%d_t", 8 * primtype_size(t));
	case PT_U8: case PT_U16: case PT_U32: case PT_U64:
		return text("uint%d_t", 8 * primtype_size(t));
	case N_PRIMTYPE:
		break;
	}
	bug("not a scalar type");
}

const char *api_struct(const ApiType *t)
{
	return text("struct futhark_%s", t->cname);
}

const char *part_ctype(const ApiPart *p)
{
	return p->type ? text("%s *", api_struct(p->type)) : api_prim(p->prim);
}
