// Application.
//
// Functions are known when they are applied, so application is evaluation of their bodies with
// the parameters bound: in place, or as a call of a core function (spec.c).  Type
// parameters are bound to types with sizes, size parameters to the sizes of the arguments,
// or, where arguments do not show them, to what the checker found for the call.
#include "lower/lower_internal.h"

Pats fn_pats(const Fn *fn)
{
	switch (fn->kind) {
	case F_DECL:   return fn->decl->val.pats;
	case F_LET:    return fn->expr->let_fun.pats;
	case F_LAMBDA: return fn->expr->lambda.pats;
	case F_INTRINSIC: case F_FLIP: case F_PATH: case F_LOGIC:
		break;
	}
	bug("a function without patterns");
}

Expr *fn_body(const Fn *fn)
{
	switch (fn->kind) {
	case F_DECL:   return fn->decl->val.body;
	case F_LET:    return fn->expr->let_fun.value;
	case F_LAMBDA: return fn->expr->lambda.body;
	case F_INTRINSIC: case F_FLIP: case F_PATH: case F_LOGIC:
		break;
	}
	bug("a function without a body");
}

Ty *fn_ret(const Fn *fn)
{
	Ty *t = fn->kind == F_DECL ? fn->decl->val.ret_type
	      : fn->kind == F_LET ? fn->expr->let_fun.ret_type
	      : fn->kind == F_LAMBDA ? fn->expr->lambda.ret_type : NULL;
	return t ? t : fn_body(fn)->type;
}

// ---- Instantiation ----

// The instance of the implementation, and the frame it is read in.  Each hop is read with
// the parameters of the less polymorphic component bound.  Sizes that the implementation of an
// abstract type hides are no parameters of the specification that was instantiated: arguments
// show them.
static const Inst *instance_of(Lower *L, const Fn *fn, Frame **f)
{
	const Inst *inst = fn->inst;
	*f = fn->mention;
	for (const Hop *h = fn->hops; h; h = h->next) {
		Frame *g = frame_new(L, h->frame);
		for (int i = 0; inst && i < h->scheme->types.len; i++)
			map_put(&g->types, h->scheme->types.at[i],
			        ltype(L, *f, inst->types.at[i], false));
		for (int i = 0; inst && i < h->scheme->sizes.len && i < inst->sizes.len; i++) {
			Sub s = lower_size(L, *f, inst->sizes.at[i], false);
			frame_bind(g, h->scheme->sizes.at[i],
			           val_data(rep_prim(&L->reps, PT_I64), subs_of(1, s)));
		}
		inst = h->inst;
		*f = g;
	}
	return inst;
}

// A recursive call has no instance of its own: types are those of the function being called.
LType **type_args(Lower *L, const Fn *fn, bool plain)
{
	TypeDefs params = fn->binding ? fn->binding->scheme.types : (TypeDefs){0};
	LType **out = NEW_ARRAY(LType *, params.len + 1);
	if (!params.len)
		return out;
	Frame *f;
	const Inst *inst = instance_of(L, fn, &f);
	for (int i = 0; i < params.len; i++) {
		Ty *t = inst && i < inst->types.len ? inst->types.at[i] : ty_param(params.at[i]);
		out[i] = ltype(L, f, t, plain);
	}
	return out;
}

Sub size_arg(Lower *L, const Fn *fn, int i)
{
	Frame *f;
	const Inst *inst = instance_of(L, fn, &f);
	if (!inst || i >= inst->sizes.len)
		return dim_unknown(NULL);
	Sub s = lower_size(L, f, inst->sizes.at[i], false);
	return dim_is_known(s) ? s : dim_unknown(NULL);
}

static Frame *call_frame(Lower *L, const Fn *fn, Vals args)
{
	Frame *g = frame_new(L, fn->frame);
	if (fn->binding && fn->binding->scheme.types.len) {
		LType **types = type_args(L, fn, false);
		for (int i = 0; i < fn->binding->scheme.types.len; i++)
			map_put(&g->types, fn->binding->scheme.types.at[i], types[i]);
	}
	Pats pats = fn_pats(fn);
	for (int i = 0; i < pats.len; i++)
		bind_pat(L, g, pats.at[i], args.at[i]);
	if (fn->binding)
		for (int i = 0; i < fn->binding->scheme.sizes.len; i++) {
			Binding *b = fn->binding->scheme.sizes.at[i];
			if (map_has(&g->vals, b))
				continue;
			Sub s = size_arg(L, fn, i);
			if (dim_is_known(s))
				frame_bind(g, b, val_scalar(L, s));
		}
	return g;
}

// ---- Evaluation in place ----

// Nesting this deep comes only from functions that take themselves apart at compile time.
enum { MAX_DEPTH = 20000 };

// What a body made counts for it, except for functions it was given: those count for whoever
// mentions them.
static void count_cost(Lower *L, const Fn *fn, Level *level)
{
	uint32_t all = n_vars - level->start;
	note_cost(L, fn, all - level->foreign);
	L->level = level->up;
	for (Level *l = L->level; l && !frame_within(fn->mention, l->frame); l = l->up)
		l->foreign += all;
}

Val *call_inline(Lower *L, Frame *caller, const Fn *fn, Vals args, Span span)
{
	if (++L->depth > MAX_DEPTH)
		fail(span, NULL, "Function calls are nested too deeply to be compiled here.");
	Attributes attrs = take_attrs(L);
	Frame *g = call_frame(L, fn, args);
	Level level = {.up = L->level, .frame = g, .start = n_vars};
	const Where *up = L->up;
	if (fn->kind == F_DECL) {
		L->up = NEW(Where, .span = span, .up = up);
		level.caller = caller;
		level.call = span;
	}
	L->level = &level;
	L->attrs = attrs;
	Val *v = lower_expr(L, g, fn_body(fn));
	L->up = up;
	L->depth--;
	count_cost(L, fn, &level);
	return v;
}

// ---- Application ----

static Vals vals_cat(Vals a, Vals b)
{
	Vals out = {NEW_ARRAY(Val *, a.len + b.len), a.len + b.len};
	for (int i = 0; i < a.len; i++)
		out.at[i] = a.at[i];
	for (int i = 0; i < b.len; i++)
		out.at[a.len + i] = b.at[i];
	return out;
}

static Sub logic(Lower *L, Name symbol, Vals args)
{
	Prim op = symbol[0] == '&' ? P_and : P_or;
	return b_prim2(&L->b, op, val_sub(args.at[0]), val_sub(args.at[1]));
}

static Val *call(Lower *L, Frame *f, const Fn *fn, Vals args, Span span)
{
	switch (fn->kind) {
	case F_DECL: case F_LET: case F_LAMBDA:
		return should_share(L, fn, args) ? call_shared(L, fn, args, span)
		                                 : call_inline(L, f, fn, args, span);
	case F_INTRINSIC:
		set_where(L, span);
		return builtin_call(L, f, fn, args, span);
	case F_FLIP:
		return apply2(L, f, fn->op, args.at[1], args.at[0], span);
	case F_PATH:
		return lower_path(L, fn->frame, fn->expr->path, args.at[0]);
	case F_LOGIC:
		set_where(L, span);
		return val_scalar(L, logic(L, fn->symbol, args));
	}
	bug("kind of function");
}

Val *apply(Lower *L, Frame *f, Val *v, Vals args, Span span)
{
	while (args.len) {
		if (v->kind != V_FUN)
			bug("application of something that is no function at %s", show_span(span));
		Fn *fn = v->fn;
		Vals given = {NEW_ARRAY(Val *, fn->args.len), fn->args.len};
		for (int i = 0; i < given.len; i++)
			given.at[i] = val_here(L, fn->args.at[i], fn->ctx);
		int take = fn->arity - given.len;
		if (take > args.len) {
			Fn *partial = mem_dup(fn, sizeof *fn);
			partial->args = vals_cat(given, args);
			partial->ctx = L->ctx;
			return val_fun(partial);
		}
		Vals now = {args.at, take};
		args = (Vals){args.at + take, args.len - take};
		v = call(L, f, fn, vals_cat(given, now), span);
	}
	return v;
}

Val *apply1(Lower *L, Frame *f, Val *fn, Val *arg, Span span)
{
	return apply(L, f, fn, (Vals){&arg, 1}, span);
}

Val *apply2(Lower *L, Frame *f, Val *fn, Val *a, Val *b, Span span)
{
	Val *args[] = {a, b};
	return apply(L, f, fn, (Vals){args, 2}, span);
}
