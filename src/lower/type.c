// LTypes: representations with sizes, and surface types read in a frame.
//
//   [n](i32, [m]bool)   with n and m bound to n_1 and m_2:    [n_1]i32, [n_1][m_2]bool
//
// A size that has no value where the type is read is an unknown dimension.  It becomes
// known with the value (bind_sizes) or is a result of its own (tele.c).
#include "lower/lower_internal.h"

// ---- Unknown dimensions ----

Sub dim_unknown(const Binding *name)
{
	Scalar s = {.type = N_PRIMTYPE};
	s.u = (uint64_t)(uintptr_t)name;
	return sub_const(s);
}

bool dim_is_known(Sub d)
{
	return d.kind == S_VAR || d.val.type != N_PRIMTYPE;
}

const Binding *dim_name(Sub d)
{
	return (const Binding *)(uintptr_t)d.val.u;
}

// ---- Making LTypes ----

static LType *lt_scalar(Lower *L, PrimType p)
{
	LType *t = NEW(LType, .rep = rep_prim(&L->reps, p));
	t->flat = (Types){NEW(Type, .kind = T_DATA, .elem = p), 1};
	return t;
}

LType *lt_array(Lower *L, Sub dim, LType *elem)
{
	LType *t = NEW(LType, .rep = rep_array(&L->reps, elem->rep));
	Types of = lt_elem(L, elem)->flat;
	t->flat = (Types){NEW_ARRAY(Type, of.len), of.len};
	for (int i = 0; i < of.len; i++)
		t->flat.at[i] = type_of_rows(dim, of.at[i]);
	return t;
}

LType *lt_elem(Lower *L, LType *t)
{
	return t->flat.len ? t : lt_scalar(L, PT_BOOL);
}

LType *lt_row(LType *array)
{
	Rep *elem = array->rep->elem;
	LType *t = NEW(LType, .rep = elem);
	t->flat = (Types){NEW_ARRAY(Type, elem->flat.len), elem->flat.len};
	for (int i = 0; i < t->flat.len; i++)
		t->flat.at[i] = type_row(array->flat.at[i]);
	return t;
}

LType *lt_of_val(Val *v)
{
	Subs flat = val_flat(v);
	LType *t = NEW(LType, .rep = v->rep, .flat = {NEW_ARRAY(Type, flat.len), flat.len});
	for (int i = 0; i < flat.len; i++) {
		t->flat.at[i] = sub_type(flat.at[i]);
		t->flat.at[i].unique = false;
	}
	return t;
}

static LType *lt_record(Lower *L, Frame *f, Ty *t, bool plain)
{
	int n = t->record.len;
	Names names = {NEW_ARRAY(Name, n), n};
	Reps reps = {NEW_ARRAY(Rep *, n), n};
	TypeVec flat = {0};
	for (int i = 0; i < n; i++) {
		LType *field = ltype(L, f, t->record.at[i].type, plain);
		names.at[i] = t->record.at[i].name;
		reps.at[i] = field->rep;
		VEC_APPEND(&flat, field->flat);
	}
	return NEW(LType, .rep = rep_record(&L->reps, names, reps), .flat = VEC_SLICE(Types, flat));
}

static LType *lt_sum(Lower *L, Frame *f, Ty *t, bool plain)
{
	int n = t->sum.len;
	Reps *args = NEW_ARRAY(Reps, n);
	TypeVec *flats = NEW_ARRAY(TypeVec, n);
	for (int i = 0; i < n; i++) {
		Tys of = t->sum.at[i].args;
		args[i] = (Reps){NEW_ARRAY(Rep *, of.len), of.len};
		for (int j = 0; j < of.len; j++) {
			LType *a = ltype(L, f, of.at[j], plain);
			if (a->rep->has_acc)
				fail(L->b.where ? users_place(L->b.where) : NOWHERE, NULL,
				     "An accumulator cannot be part of a sum type.");
			args[i].at[j] = a->rep;
			VEC_APPEND(&flats[i], a->flat);
		}
	}
	LType *out = NEW(LType, .rep = rep_sum(&L->reps, t->sum, args));
	out->flat = (Types){NEW_ARRAY(Type, out->rep->flat.len), out->rep->flat.len};
	if (out->rep->has_fun)
		return out;
	if (rep_has_tag(out->rep))
		out->flat.at[0] = type_scalar(PT_I8);
	for (int i = 0; i < n; i++) {
		Ints slots = out->rep->constrs.at[i].slots;
		for (int j = 0; j < slots.len; j++)
			out->flat.at[slots.at[j]] = flats[i].at[j];
	}
	return out;
}

// ---- Abstract types ----

// The functor instance in scope that says what an abstract type of a parameter is.
static Frame *instance_with_type(Frame *f, const TypeDef *def)
{
	for (; f; f = f->up)
		if (f->inst && map_has(&f->inst->types, def))
			return f;
	return NULL;
}

// Each value of an abstract type has its own hidden sizes.
static void bind_hidden(Lower *L, Frame *f, const TypeDef *def)
{
	for EACH(Binding *, b, def->exts) {
		Sub s = dim_unknown(binding_new(BIND_SIZE, (*b)->name, (*b)->span));
		frame_bind(f, *b, val_data(rep_prim(&L->reps, PT_I64), subs_of(1, s)));
	}
}

static Frame *bind_params(Lower *L, Frame *base, Frame *args, const TypeDef *def, Ty *t)
{
	Frame *f = frame_new(L, base);
	bind_hidden(L, f, def);
	int n_sizes = 0, n_types = 0;
	for EACH(TypeParam, p, def->params) {
		if (p->kind == TP_SIZE) {
			Sub s = lower_size(L, args, t->abs.sizes.at[n_sizes++], true);
			frame_bind(f, p->binding,
			           val_data(rep_prim(&L->reps, PT_I64), subs_of(1, s)));
		} else {
			map_put(&f->types, p->def,
			        ltype(L, args, t->abs.types.at[n_types++], true));
		}
	}
	return f;
}

// The type that an application of a functor has made, as one of the functor's body: see resolve.
static TypeDef *type_of_result(Lower *L, Frame **f, const TypeDef *def)
{
	TypeDef *of = def->made_from;
	if (!of)
		bug("the abstract type %s has no definition here", def->full_name);
	Frame *arg = frame_module(*f), *up = arg, *inst = instance_with_type(arg, of);
	if (inst) {             // the functor is itself a parameter: its argument stays here
		of = map_get(&inst->inst->types, of);
		up = inst->arg;
	}
	*f = frame_instance(L, def->made_by, frame_module(up), arg);
	return of;
}

static Ty *ty_unabstract(Lower *L, Frame **f, Ty *t)
{
	TypeDef *def = t->abs.def;
	Frame *base = *f;
	while (def->kind == TD_ABSTRACT && !def->repr) {
		Frame *inst = instance_with_type(base, def);
		if (inst) {
			def = map_get(&inst->inst->types, def);
			base = inst->arg;
		} else {
			def = type_of_result(L, &base, def);
		}
	}
	*f = def->params.len || def->exts.len ? bind_params(L, base, *f, def, t) : base;
	return def->kind == TD_ABSTRACT ? def->repr : def->body;
}

// A type parameter that nothing instantiates has no values that matter: it is unit.
static LType *lt_param(Lower *L, Frame *f, Ty *t)
{
	LType *found = frame_type(L, f, t->param);
	return found ? found : NEW(LType, .rep = rep_record(&L->reps, (Names){0}, (Reps){0}));
}

// Where accumulators are arrays, or there is none, the type is that of the array.
static LType *lt_acc(Lower *L, Frame *f, Ty *t, bool plain)
{
	if (L->acc.kind != ACC_LINEAR)
		return ltype(L, f, t->abs.types.at[0], plain);
	return NEW(LType, .rep = rep_acc(&L->reps),
	           .flat = {mem_dup(&L->acc.type, sizeof(Type)), 1});
}

static LType *read_type(Lower *L, Frame *f, Ty *t, bool plain)
{
	switch (t->kind) {
	case TY_PRIM:
		return lt_scalar(L, t->prim);
	case TY_ARRAY: {
		Sub dim = lower_size(L, f, t->array.dim, plain);
		return lt_array(L, dim, ltype(L, f, t->array.elem, plain));
	}
	case TY_RECORD:
		return lt_record(L, f, t, plain);
	case TY_SUM:
		return lt_sum(L, f, t, plain);
	case TY_ARROW:
		return NEW(LType, .rep = rep_fun(&L->reps));
	case TY_PARAM:
		return lt_param(L, f, t);
	case TY_ABS: {
		if (is_acc_type(t->abs.def))
			return lt_acc(L, f, t, plain);
		Frame *g = f;
		Ty *of = ty_unabstract(L, &g, t);
		return ltype(L, g, of, plain);
	}
	case TY_META:   // nothing in the program constrains it
		return NEW(LType, .rep = rep_record(&L->reps, (Names){0}, (Reps){0}));
	case TY_ERROR:
		break;
	}
	bug("lowering of a type with errors");
}

LType *ltype(Lower *L, Frame *f, Ty *t, bool plain)
{
	t = ty_resolve(t);
	LType *out = read_type(L, f, t, plain);
	if (out->rep->has_fun && !out->of) {
		out->of = t;
		out->frame = f;
	}
	return out;
}

// ---- Uniqueness ----

static void mark_from(Lower *L, Frame *f, Ty *t, Types flat, int *at, bool unique)
{
	t = ty_resolve(t);
	unique |= t->unique;
	if (t->kind == TY_RECORD) {
		for EACH(TyField, field, t->record)
			mark_from(L, f, field->type, flat, at, unique);
		return;
	}
	int n = ltype(L, f, t, true)->flat.len;
	for (int i = 0; i < n; i++, (*at)++)
		if (*at < flat.len && flat.at[*at].dims.len)
			flat.at[*at].unique = unique;
}

void mark_unique(Lower *L, Frame *f, Ty *t, Types flat)
{
	int at = 0;
	mark_from(L, f, t, flat, &at, false);
}
