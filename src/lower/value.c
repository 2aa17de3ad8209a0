// Static values: making them, taking them apart, giving them sizes.
//
// A value without functions inside is data: its flat operands in the order of its
// representation.  A record that contains functions keeps its parts, since functions are
// not operands; a sum that contains functions has a constructor known here, because no branch
// or loop may yield one, and counts as having no flat values.
#include "lower/lower_internal.h"

Val *val_data(Rep *rep, Subs flat)
{
	if (rep->flat.len != flat.len)
		bug("%d operands for %d flat values", flat.len, rep->flat.len);
	return NEW(Val, .kind = V_DATA, .rep = rep, .flat = flat);
}

Val *val_scalar(Lower *L, Sub s)
{
	return val_data(rep_prim(&L->reps, sub_type(s).elem), subs_of(1, s));
}

Val *val_fun(Fn *fn)
{
	return NEW(Val, .kind = V_FUN, .fn = fn);
}

static Rep *rep_of_val(Lower *L, const Val *v)
{
	return v->kind == V_FUN ? rep_fun(&L->reps) : v->rep;
}

Val *val_record(Lower *L, Names names, Vals parts)
{
	Reps reps = {NEW_ARRAY(Rep *, names.len), names.len};
	for (int i = 0; i < names.len; i++)
		reps.at[i] = rep_of_val(L, parts.at[i]);
	Rep *rep = rep_record(&L->reps, names, reps);
	if (rep->has_fun)
		return NEW(Val, .kind = V_RECORD, .rep = rep, .parts = parts);
	VEC(Sub) flat = {0};
	for EACH(Val *, p, parts)
		VEC_APPEND(&flat, (*p)->flat);
	return val_data(rep, VEC_SLICE(Subs, flat));
}

Val *val_pair(Lower *L, Val *a, Val *b)
{
	Names names = {NEW_ARRAY(Name, 2), 2};
	Vals parts = {NEW_ARRAY(Val *, 2), 2};
	names.at[0] = name_of("0");
	names.at[1] = name_of("1");
	parts.at[0] = a;
	parts.at[1] = b;
	return val_record(L, names, parts);
}

Val *val_part(Val *v, int field)
{
	if (v->kind == V_RECORD)
		return v->parts.at[field];
	Rep *r = v->rep->fields.at[field];
	return val_data(r, subs_part(v->flat, rep_offset(v->rep, field), r->flat.len));
}

Val *val_field(Val *v, Name name)
{
	if (v->kind == V_FUN || v->rep->kind != R_RECORD)
		bug("projection of %s from something that is no record", name);
	return val_part(v, rep_field(v->rep, name));
}

Val *val_payload(Val *sum, int constr, int arg)
{
	if (sum->kind == V_CONSTR)
		return sum->parts.at[arg];
	RepConstr *c = &sum->rep->constrs.at[constr];
	int at = 0;
	for (int i = 0; i < arg; i++)
		at += c->args.at[i]->flat.len;
	Rep *r = c->args.at[arg];
	Subs flat = {NEW_ARRAY(Sub, r->flat.len), r->flat.len};
	for (int i = 0; i < flat.len; i++)
		flat.at[i] = sum->flat.at[c->slots.at[at + i]];
	return val_data(r, flat);
}

Subs val_flat(const Val *v)
{
	if (v->kind == V_DATA)
		return v->flat;
	Subs all = {0};
	if (v->kind == V_RECORD)
		for EACH(Val *, p, v->parts)
			all = subs_cat(all, val_flat(*p));
	return all;
}

Val *val_with_flat(const Val *like, Subs *rest)
{
	if (like->kind == V_FUN || like->kind == V_CONSTR)
		return (Val *)like;
	Val *v = mem_dup(like, sizeof *like);
	if (like->kind == V_DATA) {
		int n = like->rep->flat.len;
		v->flat = subs_part(*rest, 0, n);
		*rest = subs_part(*rest, n, rest->len - n);
		return v;
	}
	v->parts = (Vals){NEW_ARRAY(Val *, like->parts.len), like->parts.len};
	for (int i = 0; i < v->parts.len; i++)
		v->parts.at[i] = val_with_flat(like->parts.at[i], rest);
	return v;
}

Sub val_sub(const Val *v)
{
	if (v->kind != V_DATA || v->flat.len != 1)
		bug("a scalar is expected here");
	return v->flat.at[0];
}

Sub val_dim(const Val *array, int i)
{
	Type t = sub_type(array->flat.at[0]);
	if (t.dims.len <= i)
		bug("an array of at least %d dimensions is expected here", i + 1);
	return t.dims.at[i];
}

// ---- Sizes of values ----

// The sizes agree when the program runs, as the type checker has shown; the operands that
// stand for them need not.
Sub as_type(Lower *L, Sub x, Type t)
{
	if (!t.dims.len)
		return x;
	Type have = sub_type(x);
	if (have.dims.len != t.dims.len)
		bug("%s used as an array of %d dimensions", show_core_type(have), t.dims.len);
	Subs dims = {NEW_ARRAY(Sub, t.dims.len), t.dims.len};
	bool same = true;
	for (int i = 0; i < dims.len; i++) {
		dims.at[i] = dim_is_known(t.dims.at[i]) ? t.dims.at[i] : have.dims.at[i];
		same &= sub_eq(dims.at[i], have.dims.at[i]);
	}
	return same ? x : b_let(&L->b, vars[x.var.id].hint, type_array(have.elem, dims),
	                        EXP(atom, x));
}

Val *val_as(Lower *L, Val *v, LType *t)
{
	Subs flat = val_flat(v);
	if (flat.len != t->flat.len)
		return v; // a sum with functions inside
	Subs out = {NEW_ARRAY(Sub, flat.len), flat.len};
	for (int i = 0; i < flat.len; i++)
		out.at[i] = as_type(L, flat.at[i], t->flat.at[i]);
	return val_with_flat(v, &out);
}

// The unknown sizes of a type as they are in a value, provided they exist outside of the body
// being built, that is, before variable `mark`.
LType *lt_settle(LType *t, Val *v, uint32_t mark, Span span)
{
	Subs flat = val_flat(v);
	LType *out = NEW(LType, .rep = t->rep, .flat = SLICE_DUP(Types, t->flat));
	for (int i = 0; i < out->flat.len; i++) {
		Type *at = &out->flat.at[i];
		at->dims = SLICE_DUP(Subs, at->dims);
		for (int j = 0; j < at->dims.len; j++) {
			if (dim_is_known(at->dims.at[j]))
				continue;
			Sub d = sub_type(flat.at[i]).dims.at[j];
			if (d.kind == S_VAR && d.var.id >= mark)
				fail(span, NULL, "The size of an element is not known before it "
				     "is computed, so it cannot be part of an array.");
			at->dims.at[j] = d;
		}
	}
	return out;
}

static Sub zero_of(PrimType t)
{
	return sub_const(is_float(t) ? scalar_float(t, 0) : scalar_int(t, 0));
}

Val *val_blank(Lower *L, LType *t)
{
	Subs flat = {NEW_ARRAY(Sub, t->flat.len), t->flat.len};
	for (int i = 0; i < flat.len; i++) {
		Type of = t->flat.at[i];
		Sub x = zero_of(of.elem);
		if (of.dims.len) {
			Subs dims = SLICE_DUP(Subs, of.dims);
			for EACH(Sub, d, dims)
				if (!dim_is_known(*d))
					*d = sub_i64(0); // no value of this type will be looked at
			of.dims = dims;
			Vars saved = check_rows(L, (Types){&of, 1});
			x = b_let(&L->b, "blank", type_array(of.elem, dims),
			          EXP(replicate, dims, x));
			check_end(L, saved);
		}
		flat.at[i] = x;
	}
	return val_data(t->rep, flat);
}

// ---- Elements of arrays ----

Subs elem_subs(Val *v)
{
	return v->flat.len ? v->flat : subs_of(1, sub_bool(false));
}

Val *elem_val(LType *elem, Subs flat)
{
	return val_data(elem->rep, elem->flat.len ? flat : (Subs){0});
}

// ---- Equality ----

static Sub equal(Lower *L, Val *a, Val *b);

static Sub equal_sums(Lower *L, Val *a, Val *b)
{
	bool tagged = rep_has_tag(a->rep);
	Sub same = tagged ? b_eq(&L->b, a->flat.at[0], b->flat.at[0]) : sub_bool(true);
	for (int c = 0; c < a->rep->constrs.len; c++) {
		Sub payload = sub_bool(true);
		for (int i = 0; i < a->rep->constrs.at[c].args.len; i++)
			payload = both(L, payload,
			               equal(L, val_payload(a, c, i), val_payload(b, c, i)));
		if (tagged) {
			Sub tag = sub_const(scalar_int(PT_I8, c));
			Sub other = b_prim1(&L->b, P_not, b_eq(&L->b, a->flat.at[0], tag));
			payload = b_prim2(&L->b, P_or, other, payload);
		}
		same = both(L, same, payload);
	}
	return same;
}

static Vars row_params(LType *elem, const char *hint)
{
	Vars ps = {NEW_ARRAY(Var, elem->flat.len), elem->flat.len};
	for (int i = 0; i < ps.len; i++)
		ps.at[i] = var_new(name_of(hint), elem->flat.at[i]);
	return ps;
}

// reduce (&&) true (map2 (==) a b)
static Sub equal_arrays(Lower *L, Val *a, Val *b)
{
	Build *bl = &L->b;
	Sub n = val_dim(a, 0);
	b = val_as(L, b, lt_of_val(a));
	LType *row = lt_row(lt_of_val(a)), *elem = lt_elem(L, row);
	Vars xs = row_params(elem, "x"), ys = row_params(elem, "y");
	b_open(bl);
	Sub eq = equal(L, elem_val(row, subs_of_vars(xs)), elem_val(row, subs_of_vars(ys)));
	Vars params = {NEW_ARRAY(Var, xs.len + ys.len), xs.len + ys.len};
	memcpy(params.at, xs.at, (size_t)xs.len * sizeof(Var));
	memcpy(params.at + xs.len, ys.at, (size_t)ys.len * sizeof(Var));
	Lambda *f = b_lambda(bl, params, subs_of(1, eq));
	Subs eqs = b_map(bl, n, subs_cat(a->flat, b->flat), f);
	Var x = var_new(name_of("x"), type_scalar(PT_BOOL));
	Var y = var_new(name_of("y"), type_scalar(PT_BOOL));
	b_open(bl);
	Lambda *op = b_lambda(bl, vars_of(2, x, y),
	                      subs_of(1, b_prim2(bl, P_and, sub_var(x), sub_var(y))));
	return b_reduce(bl, n, eqs, op, subs_of(1, sub_bool(true))).at[0];
}

static Sub equal(Lower *L, Val *a, Val *b)
{
	switch (a->rep->kind) {
	case R_PRIM:
		return b_eq(&L->b, val_sub(a), val_sub(b));
	case R_ARRAY:
		return equal_arrays(L, a, b);
	case R_RECORD: {
		Sub same = sub_bool(true);
		for (int i = 0; i < a->rep->fields.len; i++)
			same = both(L, same, equal(L, val_part(a, i), val_part(b, i)));
		return same;
	}
	case R_SUM:
		return equal_sums(L, a, b);
	case R_FUN: case R_ACC:
		break;
	}
	bug("functions and accumulators have no equality");
}

Val *val_equal(Lower *L, Val *a, Val *b)
{
	return val_scalar(L, equal(L, a, b));
}
