// Representations: how values of a surface type are laid out as flat values.
//
//   {a: i32, b: (bool, [n]f64)}       i32, bool, [n]f64
//   [n](i32, [m]bool)                 [n]i32, [n][m]bool
//   #some i32 | #pair i32 bool        i8 (the tag), i32 (shared), bool
//   [n]()                             [n]bool
//
// Sizes are no part of a representation: see type.c.
#include "lower/lower_internal.h"

typedef VEC(Flat) Flats;

static Rep *intern(RepTable *t, Str *key, Rep *fresh)
{
	Name name = name_of(str_text(key));
	Rep *r = map_get(&t->by_key, name);
	if (r)
		return r;
	fresh->id = ++t->n;
	r = mem_dup(fresh, sizeof *fresh);
	map_put(&t->by_key, name, r);
	return r;
}

Rep *rep_prim(RepTable *t, PrimType p)
{
	if (!t->prims[p]) {
		Rep *r = NEW(Rep, .kind = R_PRIM, .prim = p, .id = ++t->n);
		r->flat.at = NEW(Flat, p, 0);
		r->flat.len = 1;
		t->prims[p] = r;
	}
	return t->prims[p];
}

Rep *rep_fun(RepTable *t)
{
	if (!t->fun)
		t->fun = NEW(Rep, .kind = R_FUN, .id = ++t->n, .has_fun = true);
	return t->fun;
}

Rep *rep_acc(RepTable *t)
{
	if (!t->acc) {
		t->acc = NEW(Rep, .kind = R_ACC, .id = ++t->n, .has_acc = true);
		t->acc->flat.at = NEW(Flat, .elem = PT_BOOL);
		t->acc->flat.len = 1;
	}
	return t->acc;
}

Rep *rep_array(RepTable *t, Rep *elem)
{
	if (elem->array_of)
		return elem->array_of;
	Rep *r = NEW(Rep, .kind = R_ARRAY, .id = ++t->n, .elem = elem);
	r->flat.len = elem->flat.len ? elem->flat.len : 1;
	r->flat.at = NEW_ARRAY(Flat, r->flat.len);
	r->flat.at[0] = (Flat){PT_BOOL, 1};
	for (int i = 0; i < elem->flat.len; i++)
		r->flat.at[i] = (Flat){elem->flat.at[i].elem, elem->flat.at[i].rank + 1};
	return elem->array_of = r;
}

Rep *rep_record(RepTable *t, Names names, Reps fields)
{
	Str key = {0};
	Flats flat = {0};
	Rep r = {.kind = R_RECORD, .names = names, .fields = fields};
	for (int i = 0; i < names.len; i++) {
		str_printf(&key, "%s:%d,", names.at[i], fields.at[i]->id);
		r.has_fun |= fields.at[i]->has_fun;
		r.has_acc |= fields.at[i]->has_acc;
		VEC_APPEND(&flat, fields.at[i]->flat);
	}
	r.flat.at = flat.at;
	r.flat.len = flat.len;
	return intern(t, &key, &r);
}

// The first slot of the same scalar type that this constructor has not used yet, or a new one.
static int take_slot(Flats *slots, int first, bool *used, Flat want)
{
	int at = first;
	if (want.rank == 0)
		while (at < slots->len && (used[at] || slots->at[at].rank != 0 ||
		                           slots->at[at].elem != want.elem))
			at++;
	else
		at = slots->len;
	if (at == slots->len)
		VEC_PUSH(slots, want);
	used[at] = true;
	return at;
}

static void lay_out_constr(Flats *slots, int first, RepConstr *c)
{
	int n = 0;
	for EACH(Rep *, a, c->args)
		n += (*a)->flat.len;
	c->slots.at = NEW_ARRAY(int, n + 1);
	bool *used = NEW_ARRAY(bool, slots->len + n + 1);
	for EACH(Rep *, a, c->args)
		for EACH(Flat, f, (*a)->flat)
			c->slots.at[c->slots.len++] = take_slot(slots, first, used, *f);
}

Rep *rep_sum(RepTable *t, TyConstrs names, Reps *args)
{
	Str key = {0};
	Rep r = {.kind = R_SUM};
	r.constrs.at = NEW_ARRAY(RepConstr, names.len);
	r.constrs.len = names.len;
	for (int i = 0; i < names.len; i++) {
		r.constrs.at[i] = (RepConstr){.name = names.at[i].name, .args = args[i]};
		str_printf(&key, "#%s", names.at[i].name);
		for EACH(Rep *, a, args[i]) {
			str_printf(&key, " %d", (*a)->id);
			r.has_fun |= (*a)->has_fun;
		}
	}
	Flats slots = {0};
	if (names.len > 1)
		VEC_PUSH(&slots, (Flat){PT_I8, 0});
	int first = slots.len;
	if (!r.has_fun)
		for EACH(RepConstr, c, r.constrs)
			lay_out_constr(&slots, first, c);
	r.flat.at = slots.at;
	r.flat.len = r.has_fun ? 0 : slots.len;
	return intern(t, &key, &r);
}

bool rep_has_tag(const Rep *sum)
{
	return sum->constrs.len > 1;
}

// A slot that is a tag inside of one constructor and a number (i8) of another is a tag.
static void sum_tags(const Rep *r, bool *is_tag)
{
	is_tag[0] = rep_has_tag(r);
	for EACH(RepConstr, c, r->constrs) {
		int slot = 0;
		for EACH(Rep *, a, c->args) {
			bool *inner = rep_tags(*a);
			for (int i = 0; i < (*a)->flat.len; i++)
				is_tag[c->slots.at[slot++]] |= inner[i];
		}
	}
}

bool *rep_tags(const Rep *r)
{
	bool *is_tag = NEW_ARRAY(bool, r->flat.len + 1);
	if (r->kind == R_ARRAY && r->elem->flat.len)
		return rep_tags(r->elem);
	if (r->kind == R_SUM && r->flat.len)
		sum_tags(r, is_tag);
	if (r->kind == R_RECORD)
		for (int i = 0, at = 0; i < r->fields.len; at += r->fields.at[i++]->flat.len) {
			bool *field = rep_tags(r->fields.at[i]);
			for (int j = 0; j < r->fields.at[i]->flat.len; j++)
				is_tag[at + j] = field[j];
		}
	return is_tag;
}

int rep_constr(const Rep *sum, Name name)
{
	for (int i = 0; i < sum->constrs.len; i++)
		if (sum->constrs.at[i].name == name)
			return i;
	bug("no constructor #%s", name);
}

int rep_field(const Rep *record, Name name)
{
	for (int i = 0; i < record->names.len; i++)
		if (record->names.at[i] == name)
			return i;
	bug("no field %s", name);
}

int rep_offset(const Rep *record, int field)
{
	int at = 0;
	for (int i = 0; i < field; i++)
		at += record->fields.at[i]->flat.len;
	return at;
}

// ---- What tools need to know ----

static bool is_tuple(const Rep *r)
{
	if (r->kind != R_RECORD || r->names.len == 1)
		return false;
	for (int i = 0; i < r->names.len; i++)
		if (strcmp(r->names.at[i], text("%d", i)) != 0)
			return false;
	return true;
}

static EntryType *entry_record(const Rep *r)
{
	EntryType *e = NEW(EntryType, .kind = ET_RECORD, .is_tuple = is_tuple(r));
	e->fields = (EntryFields){NEW_ARRAY(EntryField, r->names.len), r->names.len};
	Str name = {0};
	str_putc(&name, e->is_tuple ? '(' : '{');
	for (int i = 0; i < r->names.len; i++) {
		EntryType *f = entry_of_rep(r->fields.at[i]);
		e->fields.at[i] = (EntryField){r->names.at[i], f};
		if (i)
			str_puts(&name, ", ");
		if (!e->is_tuple)
			str_printf(&name, "%s: ", r->names.at[i]);
		str_puts(&name, f->name);
	}
	str_putc(&name, e->is_tuple ? ')' : '}');
	e->name = str_text(&name);
	return e;
}

static bool is_atomic(const EntryType *e)
{
	return e->kind != ET_SUM && e->kind != ET_FUN;
}

static EntryType *entry_sum(const Rep *r)
{
	EntryType *e = NEW(EntryType, .kind = ET_SUM);
	e->constrs.at = mem_alloc((size_t)r->constrs.len * sizeof *e->constrs.at);
	e->constrs.len = r->constrs.len;
	int tag = rep_has_tag(r);
	Str name = {0};
	for (int i = 0; i < r->constrs.len; i++) {
		RepConstr *from = &r->constrs.at[i];
		EntryConstr *to = &e->constrs.at[i];
		to->name = from->name;
		to->args.at = NEW_ARRAY(EntryType *, from->args.len);
		to->args.len = from->args.len;
		str_printf(&name, "%s#%s", i ? " | " : "", from->name);
		for (int j = 0; j < from->args.len; j++) {
			EntryType *a = to->args.at[j] = entry_of_rep(from->args.at[j]);
			str_printf(&name, is_atomic(a) ? " %s" : " (%s)", a->name);
		}
		to->slots.at = NEW_ARRAY(int, from->slots.len);
		to->slots.len = from->slots.len;
		for (int j = 0; j < from->slots.len; j++)
			to->slots.at[j] = from->slots.at[j] - tag;
	}
	int n = r->flat.len > tag ? r->flat.len - tag : 0;
	e->slots = (Types){NEW_ARRAY(Type, n), n};
	for (int i = 0; i < n; i++) {
		Flat f = r->flat.at[tag + i];
		e->slots.at[i] = type_array(f.elem, (Subs){NULL, 0});
		if (f.rank) // the sizes are not known here, only how many there are
			e->slots.at[i].dims = (Subs){NEW_ARRAY(Sub, f.rank), f.rank};
	}
	e->name = str_text(&name);
	return e;
}

static EntryType *entry_array(const Rep *r)
{
	EntryType *e = NEW(EntryType, .kind = ET_ARRAY);
	Str name = {0};
	for (; r->kind == R_ARRAY; r = r->elem) {
		e->rank++;
		str_puts(&name, "[]");
	}
	e->elem = entry_of_rep(r);
	str_printf(&name, is_atomic(e->elem) ? "%s" : "(%s)", e->elem->name);
	e->name = str_text(&name);
	return e;
}

static EntryType *entry_made(const Rep *r)
{
	switch (r->kind) {
	case R_PRIM:
		return NEW(EntryType, .kind = ET_PRIM, .name = primtype_name[r->prim],
		           .prim = r->prim);
	case R_ARRAY:
		return entry_array(r);
	case R_RECORD:
		return entry_record(r);
	case R_SUM:
		return entry_sum(r);
	case R_FUN:
		return NEW(EntryType, .kind = ET_FUN, .name = "#<fun>");
	case R_ACC:     // never outside of the function that it is given to
		break;
	}
	bug("kind of representation");
}

EntryType *entry_of_rep(const Rep *r)
{
	EntryType *e = entry_made(r);
	e->n_values = r->flat.len;
	return e;
}
