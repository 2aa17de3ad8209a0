// Frames: the meaning of names during lowering.
//
// Local names are bound in the frame of the body that binds them.  A def is reached through
// its frame: the top level or the instance of the functor it is declared in.  Instances are
// frames too: they say what the components of the functor's parameter are, by the map
// the checker left in FunctorInst, read in the frame of the application.
//
//   module f (p: {type t val x : t}) = { def y = (p.x, p.x) }
//   module m = f {type t = i32 def x = 1}
//   m.y        is y in the instance of f, where p.x is x at the top level
#include "lower/lower_internal.h"

Frame *frame_new(Lower *L, Frame *up)
{
	return NEW(Frame, .up = up, .ctx = L->ctx);
}

void frame_bind(Frame *f, const Binding *b, Val *v)
{
	map_put(&f->vals, b, v);
}

Frame *frame_module(Frame *f)
{
	while (!f->is_module)
		f = f->up;
	return f;
}

bool frame_within(const Frame *f, const Frame *outer)
{
	while (f && f != outer)
		f = f->up;
	return f != NULL;
}

// ---- Operands of enclosing core functions ----

static Sub capture(Ctx *ctx, Ctx *from, Sub s)
{
	if (ctx == from || s.kind == S_CONST)
		return s;
	if (!ctx)
		bug("%s is not in scope", show_sub(s));
	Sub outer = capture(ctx->up, from, s);
	if (outer.kind == S_CONST)
		return outer;
	for EACH(Capture, c, ctx->captures)
		if (sub_eq(c->outer, outer))
			return sub_var(c->param);
	Type t = type_plain(sub_type(outer));
	t.dims = SLICE_DUP(Subs, t.dims);
	for EACH(Sub, d, t.dims)
		*d = capture(ctx, ctx->up, *d);
	Var v = var_new(vars[outer.var.id].hint, t);
	VEC_PUSH(&ctx->captures, (Capture){outer, v});
	return sub_var(v);
}

Sub sub_here(Lower *L, Sub s, Ctx *from)
{
	return dim_is_known(s) ? capture(L->ctx, from, s) : s;
}

static Subs subs_here(Lower *L, Subs s, Ctx *from)
{
	Subs out = {NEW_ARRAY(Sub, s.len), s.len};
	for (int i = 0; i < s.len; i++)
		out.at[i] = sub_here(L, s.at[i], from);
	return out;
}

// A function keeps the operands it was made with; they are translated when it is applied.
Val *val_here(Lower *L, Val *v, Ctx *from)
{
	if (from == L->ctx || v->kind == V_FUN)
		return v;
	Val *out = mem_dup(v, sizeof *v);
	if (v->kind == V_DATA) {
		out->flat = subs_here(L, v->flat, from);
		return out;
	}
	out->parts = (Vals){NEW_ARRAY(Val *, v->parts.len), v->parts.len};
	for (int i = 0; i < v->parts.len; i++)
		out->parts.at[i] = val_here(L, v->parts.at[i], from);
	return out;
}

static LType *lt_here(Lower *L, LType *t, Ctx *from)
{
	if (from == L->ctx)
		return t;
	LType *out = mem_dup(t, sizeof *t);
	out->flat = SLICE_DUP(Types, t->flat);
	for EACH(Type, at, out->flat)
		at->dims = subs_here(L, at->dims, from);
	return out;
}

Val *frame_find(Lower *L, Frame *f, const Binding *b)
{
	for (; f; f = f->up) {
		Val *v = map_get(&f->vals, b);
		if (v)
			return val_here(L, v, f->ctx);
	}
	return NULL;
}

LType *frame_type(Lower *L, Frame *f, const TypeDef *def)
{
	for (; f; f = f->up) {
		LType *t = map_get(&f->types, def);
		if (t)
			return lt_here(L, t, f->ctx);
	}
	return NULL;
}

// ---- Resolving names of modules ----

// The instance in scope of the functor that a def is declared in, or the top level.  What has
// a lesser id than a functor's body comes from outside of it.
static Frame *home_frame(Frame *f, const Binding *b)
{
	f = frame_module(f);
	for (; f->inst; f = f->up) {
		const Mod *functor = f->inst->functor;
		while (functor->renamed_from)
			functor = functor->renamed_from;
		if (b->id >= functor->first_id)
			break;
	}
	return f;
}

Frame *frame_instance(Lower *L, FunctorInst *inst, Frame *up, Frame *arg)
{
	Name key = name_of(text("%p/%p/%p", (void *)inst, (void *)up, (void *)arg));
	Frame *g = map_get(&L->instances, key);
	if (!g) {
		g = NEW(Frame, .up = up, .ctx = up->ctx, .inst = inst, .arg = arg,
		        .is_module = true);
		map_put(&L->instances, key, g);
	}
	return g;
}

// A specification made from another by renaming is found by any of them.
static Binding *spec_value(Frame **f, Binding *spec)
{
	for (Frame *g = *f; g; g = g->up)
		for (Binding *s = spec; g->inst && s; s = s->of) {
			Binding *b = map_get(&g->inst->values, s);
			if (b) {
				*f = g->arg;
				return b;
			}
		}
	bug("the component %s of a functor's parameter has no value here", spec->name);
}

// A component seen through an ascription may be less polymorphic than what it stands for.
static void add_hop(const Hop ***end, Binding *copy, Frame *f)
{
	if (!copy->of_inst)
		return;
	Hop *h = NEW(Hop, .scheme = &copy->scheme, .inst = copy->of_inst, .frame = f);
	**end = h;
	*end = &h->next;
}

Binding *resolve(Lower *L, Frame **f, Binding *b, const Hop **hops)
{
	*hops = NULL;
	const Hop **end = hops;
	for (;;)
		switch (b->kind) {
		case BIND_COPY:
			add_hop(&end, b, *f);
			if (b->inst) {
				// The result of a functor that is a parameter: its argument
				// stays here.
				Frame *arg = frame_module(*f), *up = arg;
				Binding *of = b->of;
				if (of->kind == BIND_SPEC)
					of = spec_value(&up, of);
				*f = frame_instance(L, b->inst, frame_module(up), arg);
				b = of;
			} else {
				b = b->of;
			}
			break;
		case BIND_SPEC:
			b = spec_value(f, b);
			break;
		case BIND_GLOBAL:
			*f = home_frame(*f, b);
			return b;
		case BIND_LOCAL: case BIND_SIZE: case BIND_UNKNOWN: case BIND_INTRINSIC:
			return b;
		case BIND_MODULE:
			bug("the module %s used as a value", b->name);
		}
}
