// The one transformation of types: their sizes, and the types that they name, are replaced.
// Parts in which nothing changes are shared.
#include "check/size.h"

Tys map_tys(TyMap *m, Tys ts)
{
	Tys out = ts;
	for (int i = 0; i < ts.len; i++) {
		Ty *t = map_ty(m, ts.at[i]);
		if (t == ts.at[i])
			continue;
		if (out.at == ts.at)
			out = SLICE_DUP(Tys, ts);
		out.at[i] = t;
	}
	return out;
}

Sizes map_sizes(TyMap *m, Sizes sizes)
{
	Sizes out = sizes;
	for (int i = 0; i < sizes.len && m->size; i++) {
		Size *s = m->size(m, size_resolve(sizes.at[i]));
		if (s == sizes.at[i])
			continue;
		if (out.at == sizes.at)
			out = SLICE_DUP(Sizes, sizes);
		out.at[i] = s;
	}
	return out;
}

static Ty *map_record(TyMap *m, Ty *t)
{
	TyFields out = t->record;
	for (int i = 0; i < out.len; i++) {
		Ty *f = map_ty(m, t->record.at[i].type);
		if (f == t->record.at[i].type)
			continue;
		if (out.at == t->record.at)
			out = SLICE_DUP(TyFields, out);
		out.at[i].type = f;
	}
	return out.at == t->record.at ? t
	     : NEW(Ty, .kind = TY_RECORD, .unique = t->unique, .record = out);
}

static Ty *map_sum(TyMap *m, Ty *t)
{
	TyConstrs out = t->sum;
	for (int i = 0; i < out.len; i++) {
		Tys args = map_tys(m, t->sum.at[i].args);
		if (args.at == t->sum.at[i].args.at)
			continue;
		if (out.at == t->sum.at)
			out = SLICE_DUP(TyConstrs, out);
		out.at[i].args = args;
	}
	return out.at == t->sum.at ? t
	     : NEW(Ty, .kind = TY_SUM, .unique = t->unique, .sum = out);
}

// Whoever made the arrow, the names it binds are from here on known to be bound in a type.
static void mark_bound(Ty *arrow)
{
	if (arrow->arrow.param)
		arrow->arrow.param->level = LEVEL_BOUND;
	for EACH(Binding *, b, arrow->arrow.exts)
		(*b)->level = LEVEL_BOUND;
}

Ty *map_arrow(TyMap *m, Ty *t)
{
	Ty *from = map_ty(m, t->arrow.from), *to = map_ty(m, t->arrow.to);
	return from == t->arrow.from && to == t->arrow.to ? t
	     : NEW(Ty, .kind = TY_ARROW, .unique = t->unique,
	           .arrow = {t->arrow.param, from, t->arrow.exts, to});
}

Ty *map_abs(TyMap *m, Ty *t)
{
	Tys types = map_tys(m, t->abs.types);
	Sizes sizes = map_sizes(m, t->abs.sizes);
	return types.at == t->abs.types.at && sizes.at == t->abs.sizes.at ? t
	     : NEW(Ty, .kind = TY_ABS, .unique = t->unique, .abs = {t->abs.def, types, sizes});
}

Ty *map_ty(TyMap *m, Ty *t)
{
	t = ty_resolve(t);
	switch (t->kind) {
	case TY_ERROR: case TY_PRIM:
		return t;
	case TY_PARAM: case TY_META:
		return m->named ? m->named(m, t) : t;
	case TY_ARRAY: {
		Size *dim = m->size ? m->size(m, size_resolve(t->array.dim)) : t->array.dim;
		Ty *elem = map_ty(m, t->array.elem);
		return dim == t->array.dim && elem == t->array.elem ? t
		     : NEW(Ty, .kind = TY_ARRAY, .unique = t->unique, .array = {dim, elem});
	}
	case TY_RECORD:
		return map_record(m, t);
	case TY_SUM:
		return map_sum(m, t);
	case TY_ARROW:
		if (!m->unmarked)
			mark_bound(t);
		return m->arrow ? m->arrow(m, t) : map_arrow(m, t);
	case TY_ABS:
		return m->abs ? m->abs(m, t) : map_abs(m, t);
	}
	bug("kind of type");
}
