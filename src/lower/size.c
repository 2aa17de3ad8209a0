// Sizes as operands.
//
// A size is evaluated where it is needed.  One that names something without a value there (an
// existential size before the value that has it) is an unknown dimension.  Names of
// sizes get their values from shapes: binding a pattern or computing an expression of
// type [k]t binds k, unless it has a value already.
#include "lower/lower_internal.h"

// A size that the argument of a functor fixes.
static Val *size_of_instance(Lower *L, Frame *f, Binding *b)
{
	for (; f; f = f->up) {
		Size *s = f->inst ? map_get(&f->inst->sizes, b) : NULL;
		if (s) {
			Sub d = lower_size(L, f->arg, s, false);
			return dim_is_known(d) ? val_scalar(L, d) : NULL;
		}
	}
	return NULL;
}

// An unknown size of a constant is in the shape of its value, once that is there.
static Val *size_of_constant(Lower *L, Frame *f, Binding *constant, Binding *size)
{
	Frame *home = f;
	const Hop *hops;
	if (map_get(&L->busy, resolve(L, &home, constant, &hops)))
		return NULL;
	Val *v = lower_var(L, f, constant, NULL, size->span);
	LType *t = ltype(L, f, constant->scheme.type, true);
	for (int i = 0; i < t->flat.len; i++)
		for (int j = 0; j < t->flat.at[i].dims.len; j++) {
			Sub d = t->flat.at[i].dims.at[j];
			if (!dim_is_known(d) && dim_name(d) == size)
				return val_scalar(L, sub_type(v->flat.at[i]).dims.at[j]);
		}
	return NULL;
}

// The value of a variable in a size; NULL where it has none.
static Val *size_name(Lower *L, Frame *f, Binding *b, bool plain)
{
	switch (b->kind) {
	case BIND_LOCAL: case BIND_SIZE: case BIND_UNKNOWN: {
		Val *v = frame_find(L, f, b);
		if (v)
			return v;
		Binding *constant = map_get(&L->unknowns, b);
		if (!constant || plain)
			return constant ? NULL : size_of_instance(L, f, b);
		// An unknown size of a constant: evaluating the constant gives it.
		return size_of_constant(L, f, constant, b);
	}
	case BIND_GLOBAL: case BIND_SPEC: case BIND_COPY: case BIND_INTRINSIC:
		return lower_var(L, f, b, NULL, b->span);
	case BIND_MODULE:
		break;
	}
	bug("a module in a size");
}

static Val *size_value(Lower *L, Frame *f, Size *s, Ty *type);

static bool has_value(Lower *L, Frame *f, const Expr *fn)
{
	if (fn->kind == EX_PAREN)
		return has_value(L, f, fn->inner);
	if (fn->kind != EX_VAR)
		return false;
	Binding *b = fn->var.binding;
	return b->kind != BIND_LOCAL || frame_find(L, f, b) != NULL;
}

// What the kids of an operation stand for in the expression it came from.
static int operands_of(const Expr *e, Expr **out, int max)
{
	int n = 0;
	switch (e->kind) {
	case EX_APPLY:
		if (max > e->apply.args.len + 2)
			out[n++] = e->apply.fn;
		for EACH(Expr *, a, e->apply.args)
			if (n < max)
				out[n++] = *a;
		return n;
	case EX_BINOP:
		out[0] = e->binop.a;
		out[1] = e->binop.b;
		return 2;
	case EX_PROJECT:
		out[0] = e->project.of;
		return 1;
	case EX_NEG: case EX_NOT:
		out[0] = e->inner;
		return 1;
	case EX_INDEX:
		out[n++] = e->index.of;
		for EACH(Index, i, e->index.idx)
			if (n < max && !i->is_slice)
				out[n++] = i->index;
		return n;
	default: // no other expression is an operation of a size
		return 0;
	}
}

static Val *size_node(Lower *L, Frame *f, Size *s)
{
	Expr *e = s->node.origin;
	while (e->kind == EX_PAREN)
		e = e->inner;
	Sizes kids = s->node.kids;
	Expr **operands = NEW_ARRAY(Expr *, kids.len + 2);
	int n = operands_of(e, operands, kids.len + 2);
	Vals vals = {NEW_ARRAY(Val *, kids.len), kids.len};
	for (int i = 0; i < kids.len; i++)
		if (!(vals.at[i] = size_value(L, f, kids.at[i], i < n ? operands[i]->type : NULL)))
			return NULL;
	switch (e->kind) {
	case EX_APPLY:
		if (kids.len > e->apply.args.len) // a local function comes first
			return apply(L, f, vals.at[0], (Vals){vals.at + 1, vals.len - 1}, e->span);
		if (!has_value(L, f, e->apply.fn))
			return NULL;
		return apply(L, f, lower_expr(L, f, e->apply.fn), vals, e->span);
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL:
		return lower_literal(L, f, e, e->type);
	case EX_BINOP:
		return apply(L, f, lower_operator(L, f, e->binop.binding, e->binop.op.name,
		                                  e->binop.inst, e->span), vals, e->span);
	case EX_PROJECT:
		return val_field(vals.at[0], e->project.field);
	case EX_VAR: {
		if (!kids.len) // a polymorphic name, with its instance
			return lower_expr(L, f, e);
		Val *v = vals.at[0];
		for EACH(Name, field, e->var.fields)
			v = val_field(v, *field);
		return v;
	}
	case EX_NEG:
		return val_scalar(L, b_prim1(&L->b, P_neg, val_sub(vals.at[0])));
	case EX_NOT:
		return val_scalar(L, b_prim1(&L->b, P_not, val_sub(vals.at[0])));
	case EX_INDEX:
		return index_with(L, vals.at[0], (Vals){vals.at + 1, vals.len - 1}, e->span);
	default: // not evaluated
		return NULL;
	}
}

static Val *size_value(Lower *L, Frame *f, Size *s, Ty *type)
{
	s = size_resolve(s);
	switch (s->kind) {
	case SZ_CONST: {
		Ty *t = type ? ty_resolve(type) : NULL;
		PrimType p = t && t->kind == TY_PRIM ? t->prim : PT_I64;
		return val_scalar(L, sub_const(scalar_int(p, s->num.value)));
	}
	case SZ_VAR: {
		Val *v = size_name(L, f, s->var, false);
		bool unknown = v && v->kind == V_DATA && v->flat.len == 1 &&
		               !dim_is_known(v->flat.at[0]);
		return unknown ? NULL : v;
	}
	case SZ_NODE: {
		Attributes saved = take_attrs(L);
		Val *v = size_node(L, f, s);
		L->attrs = saved;
		return v;
	}
	case SZ_META: case SZ_ANON:
		return NULL;
	}
	bug("kind of size");
}

Sub lower_size(Lower *L, Frame *f, Size *s, bool plain)
{
	s = size_resolve(s);
	switch (s->kind) {
	case SZ_CONST:
		return sub_i64(s->num.value);
	case SZ_VAR: {
		Val *v = size_name(L, f, s->var, plain);
		return v ? val_sub(v) : dim_unknown(s->var);
	}
	case SZ_NODE: {
		Val *v = plain ? NULL : size_value(L, f, s, NULL);
		return v ? val_sub(v) : dim_unknown(NULL);
	}
	case SZ_META: case SZ_ANON:
		return dim_unknown(NULL);
	}
	bug("kind of size");
}

static bool has_arrays(Subs flat)
{
	for EACH(Sub, s, flat)
		if (s->kind == S_VAR && vars[s->var.id].type.dims.len)
			return true;
	return false;
}

static bool among(const Binding *b, Bindings some)
{
	for EACH(Binding *, s, some)
		if (*s == b)
			return true;
	return false;
}

// The names in `own` come into being here; sizes of constants that do not are looked up anew
// at each use, see size_name.
static void bind_from(Lower *L, Frame *f, Ty *t, Val *v, Bindings own)
{
	Subs flat = val_flat(v);
	if (!has_arrays(flat))
		return;
	LType *lt = ltype(L, f, t, true);
	if (lt->flat.len != flat.len)
		return; // a sum with functions inside has no sizes of its own
	for (int i = 0; i < flat.len; i++) {
		Subs want = lt->flat.at[i].dims;
		for (int j = 0; j < want.len; j++) {
			bool known = dim_is_known(want.at[j]);
			const Binding *name = known ? NULL : dim_name(want.at[j]);
			if (name && !map_has(&f->vals, name) &&
			    (!map_has(&L->unknowns, name) || among(name, own)))
				frame_bind(f, name, val_scalar(L, sub_type(flat.at[i]).dims.at[j]));
		}
	}
}

void bind_sizes(Lower *L, Frame *f, Ty *t, Val *v)
{
	bind_from(L, f, t, v, (Bindings){0});
}

void bind_unknowns(Lower *L, Frame *f, Expr *e, Val *v)
{
	bind_from(L, f, e->type, v, (Bindings){e->unknowns.at, e->unknowns.len});
}
