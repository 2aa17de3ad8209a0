// Core functions for surface functions.
//
// A function that is large, used again, recursive or marked #[noinline] becomes a core
// function: one for each instantiation of its types and each choice of the functions it is given.
//
//   def f 't [n] (g: t -> i32) (xs: [n]t) = ...        f g ys     with g a closure over k
//   fun f_1 (d: i64, n: i64, xs: [n][d]i32, k: i64)    call f_1 (d, n, ys, k)
//
// The parameters are, in order: the constants of the program that the body needs, the sizes
// inside of type arguments, the flat values of the arguments preceded by their sizes, size
// parameters that the arguments do not show, and what the function and the functions
// given to it capture.  Constants and what is captured are found while the body is lowered
// (see also frame.c); calls of the function by itself get these arguments when it is done.
// Captured sizes that the types of the parameters mention come before those.
//
// A constant, which is a def without parameters, is a core function too.  An entry point calls
// it at its very beginning, all others are given its value.  One that is known when the
// program is compiled is just that.  The function is marked (ATTR_CONSTANT), and for each constant
// that it is given has a text given(NAME), in the order of the parameters: back ends evaluate
// constants once (src/opt/constants.c).
#include "lower/lower_internal.h"

typedef struct Shared Shared;
struct Shared {
	Fun *fun;
	Ctx *ctx;
	bool done;
	// accumulators in it, not of sums: that reverse mode would not go through; that are arrays
	bool linear, loops;
	bool called_inside;     // before it was done, from a core function inside of it
	Ints sizes;             // which of the scheme's sizes are parameters
	Val *constant;          // the result, when it needs no code
	const Binding *binding; // of a constant
	Tele *result;
	Tele **args;            // of each argument
	Vars params;            // without constants and what is captured
	int n_sizes;            // so many of what is captured are sizes in the types of these
};

// ---- What distinguishes one core function from another ----

// Functions mentioned by name are the same wherever they are mentioned; others only if
// they are one and the same value.
static void key_fn(Str *key, const Val *v)
{
	const Fn *fn = v->fn;
	bool named = (fn->kind == F_DECL || fn->kind == F_INTRINSIC) && !fn->args.len &&
	             !fn->binding->scheme.types.len && !fn->binding->scheme.sizes.len;
	if (named)
		str_printf(key, "f%p,%p ", (void *)fn->binding, (void *)fn->frame);
	else
		str_printf(key, "c%p ", (const void *)fn);
}

static void key_val(Str *key, const Val *v)
{
	switch (v->kind) {
	case V_DATA:
		str_printf(key, "%d ", v->rep->id);
		return;
	case V_RECORD: case V_CONSTR:
		str_puts(key, "( ");
		for EACH(Val *, p, v->parts)
			key_val(key, *p);
		str_puts(key, ") ");
		return;
	case V_FUN:
		key_fn(key, v);
		return;
	}
}

Name spec_key(const Fn *fn, Vals args, LType **types)
{
	Str key = {0};
	const void *code = fn->kind == F_DECL ? (const void *)fn->decl : fn->expr;
	str_printf(&key, "%p %p ", code, (void *)fn->frame);
	int n_types = fn->binding ? fn->binding->scheme.types.len : 0;
	for (int i = 0; i < n_types; i++) {
		str_printf(&key, "%d", types[i]->rep->id);
		for EACH(Type, t, types[i]->flat)
			for EACH(Sub, d, t->dims)
				str_putc(&key, dim_is_known(*d) ? 'k' : 'u');
		str_putc(&key, ' ');
	}
	for EACH(Val *, a, args)
		key_val(&key, *a);
	return name_of(str_text(&key));
}

// A name that no other function has.
static Name fun_name(Lower *L, const char *wish)
{
	Name name = name_of(wish);
	for (int i = 1; map_has(&L->fun_names, name); i++)
		name = name_of(text("%s_%d", wish, i));
	map_put(&L->fun_names, name, L);
	return name;
}

static const char *base_name(const Fn *fn)
{
	const char *name = fn->kind == F_DECL ? fn->decl->val.name
	                 : fn->kind == F_LET ? fn->expr->let_fun.name : "lambda";
	bool plain = *name != 0;
	for (const char *c = name; *c; c++)
		plain &= (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
		         (*c >= '0' && *c <= '9') || *c == '_' || *c == '\'';
	return plain ? name : "op";
}

// ---- Making one ----


// A type argument with a parameter for each of its sizes.
static LType *open_type(LType *t, VarVec *params)
{
	LType *out = mem_dup(t, sizeof *t);
	out->flat = SLICE_DUP(Types, t->flat);
	for EACH(Type, at, out->flat) {
		at->dims = SLICE_DUP(Subs, at->dims);
		for EACH(Sub, d, at->dims)
			if (dim_is_known(*d)) {
				Var v = var_i64("d");
				VEC_PUSH(params, v);
				*d = sub_var(v);
			}
	}
	return out;
}

static void bind_params(Lower *L, Shared *s, const Fn *fn, Frame *g, Vals args, LType **types,
                        VarVec *params)
{
	int n_types = fn->binding ? fn->binding->scheme.types.len : 0;
	for (int i = 0; i < n_types; i++)
		map_put(&g->types, fn->binding->scheme.types.at[i], open_type(types[i], params));
	Pats pats = fn_pats(fn);
	s->args = NEW_ARRAY(Tele *, pats.len);
	for (int i = 0; i < pats.len; i++) {
		LType *t = ltype(L, g, pats.at[i]->type, true);
		if (ty_consumes(pats.at[i]->type))
			for EACH(Type, at, t->flat)
				at->unique = at->dims.len > 0;
		s->args[i] = tele_of(t);
		Vars vs = tele_vars(s->args[i], pat_hint(pats.at[i]));
		VEC_APPEND(params, vs);
		bind_pat(L, g, pats.at[i], tele_val(s->args[i], args.at[i], subs_of_vars(vs)));
	}
	int n_sizes = fn->binding ? fn->binding->scheme.sizes.len : 0;
	s->sizes.at = NEW_ARRAY(int, n_sizes);
	for (int i = 0; i < n_sizes; i++) {
		Binding *b = fn->binding->scheme.sizes.at[i];
		if (map_has(&g->vals, b))
			continue;
		s->sizes.at[s->sizes.len++] = i;
		Var v = var_new(b->name, type_scalar(PT_I64));
		VEC_PUSH(params, v);
		frame_bind(g, b, val_scalar(L, sub_var(v)));
	}
}

// Uniqueness of an unannotated result is in the scheme.
static Ty *result_type(const Fn *fn)
{
	if (fn->kind != F_DECL)
		return fn_ret(fn);
	Ty *t = ty_resolve(fn->decl->val.binding->scheme.type);
	for (int i = 0; i < fn->arity && t->kind == TY_ARROW; i++)
		t = ty_resolve(t->arrow.to);
	return t;
}

static void finish(Lower *L, Shared *s, Body body)
{
	Fun *fun = s->fun;
	VarVec before = {0}, after = {0}, params = {0};
	for EACH(Constant, c, s->ctx->constants) {
		VEC_APPEND(&before, c->params);
		if (has_attr(fun->attrs, ATTR_CONSTANT))
			fun->attrs = with_attr_text(fun->attrs,
			                            text(ATTR_GIVEN "(%s)", c->of->fun->name));
	}
	for (int i = 0; i < s->ctx->captures.len; i++)
		VEC_PUSH(i < s->n_sizes ? &before : &after, s->ctx->captures.at[i].param);
	VEC_APPEND(&params, VEC_SLICE(Vars, before));
	VEC_APPEND(&params, s->params);
	VEC_APPEND(&params, VEC_SLICE(Vars, after));
	fun->params = VEC_SLICE(Vars, params);
	fun->body = body;
	s->done = true;
	if (s->called_inside && before.len + after.len)
		bug("a recursive call inside of another core function");
	Subs first = subs_of_vars(VEC_SLICE(Vars, before));
	Subs last = subs_of_vars(VEC_SLICE(Vars, after));
	for EACH(Exp *, e, s->ctx->self_calls)
		(*e)->call.args = subs_cat(first, subs_cat((*e)->call.args, last));
	bool constant = !params.len && !body.stms.len;
	for EACH(Sub, r, body.res)
		constant &= r->kind == S_CONST;
	if (constant)
		s->constant = tele_val(s->result, NULL, body.res);
	else
		VEC_PUSH(&L->funs, fun);
}

// The innermost core function whose operands the function, or one given to it, refers to.
static Ctx *deeper(Ctx *a, Ctx *b)
{
	return !a || (b && b->depth > a->depth) ? b : a;
}

static Ctx *val_ctx(const Val *v);

static Ctx *fn_ctx(const Fn *fn)
{
	Ctx *c = fn->frame ? fn->frame->ctx : NULL;
	if (fn->inst || fn->kind == F_PATH || fn->kind == F_LOGIC)
		c = deeper(c, fn->mention->ctx);
	if (fn->op)
		c = deeper(c, val_ctx(fn->op));
	return fn->args.len ? deeper(c, fn->ctx) : c;
}

static Ctx *val_ctx(const Val *v)
{
	Ctx *c = v->kind == V_FUN ? fn_ctx(v->fn) : NULL;
	if (v->kind == V_RECORD || v->kind == V_CONSTR)
		for EACH(Val *, p, v->parts)
			c = deeper(c, val_ctx(*p));
	return c;
}

static Ctx *outer_ctx(const Fn *fn, Vals args)
{
	Ctx *c = fn->frame->ctx;
	for EACH(Val *, a, args)
		c = deeper(c, val_ctx(*a));
	return c;
}

// The body is lowered on its own: nothing of the caller's state leaks into it.
static Shared *make_spec(Lower *L, const Fn *fn, Vals args, LType **types, Name key)
{
	Lower saved = *L;
	uint32_t before = n_vars;
	Ctx *up = outer_ctx(fn, args);
	Shared *s = NEW(Shared, .ctx = NEW(Ctx, .up = up, .depth = up ? up->depth + 1 : 1));
	map_put(&L->specs, key, s);
	bool is_recursive = fn->kind == F_DECL && fn->decl->val.is_recursive;
	s->ctx->inline_closures = is_recursive || L->ctx->inline_closures;
	L->b = (Build){0};
	L->ctx = s->ctx;
	L->unsafe = false;
	L->attrs = (Attributes){0};
	L->up = NULL;
	L->level = NULL;
	L->made_linear = L->made_loops = false;
	L->acc = (Acc){0};
	Frame *g = frame_new(L, fn->frame);
	VarVec params = {0};
	bind_params(L, s, fn, g, args, types, &params);
	s->params = VEC_SLICE(Vars, params);
	s->n_sizes = s->ctx->captures.len;
	bool is_constant = fn->kind == F_DECL && !fn->arity;
	bool is_one_value = is_constant && !s->params.len;
	LType *result = ltype(L, g, fn_ret(fn), true);
	if (!is_one_value)
		mark_unique(L, g, result_type(fn), result->flat);
	s->result = tele_of(result);
	Expr *body = fn_body(fn);
	s->fun = NEW(Fun, .name = fun_name(L, base_name(fn)),
	             .where = NEW(Where, .span = body->span));
	s->binding = is_constant ? fn->binding : NULL;
	s->fun->res = tele_vars(s->result, is_constant ? fn->decl->val.name : name_of("r"));
	if (fn->kind == F_DECL)
		s->fun->attrs = attributes_of(fn->decl->attrs);
	if (is_one_value)
		s->fun->attrs = with_attr(s->fun->attrs, ATTR_CONSTANT);
	b_open(&L->b);
	Val *v = lower_expr(L, g, body);
	set_where(L, body->span);
	Body b = b_close(&L->b, tele_subs(L, s->result, v));
	finish(L, s, b);
	s->linear = L->made_linear;
	s->loops = L->made_loops;
	L->made_linear = saved.made_linear;
	L->made_loops = saved.made_loops;
	L->acc = saved.acc;
	// Tables grow; the state of the caller's evaluation comes back.
	L->b = saved.b;
	L->ctx = saved.ctx;
	L->unsafe = saved.unsafe;
	L->attrs = saved.attrs;
	L->up = saved.up;
	L->level = saved.level;
	for (Level *l = L->level; l; l = l->up)
		l->foreign += n_vars - before;
	return s;
}

// ---- Calling one ----

// The sizes that a telescope starts with, from the values in it.
static Subs with_own_sizes(const Tele *t, Subs flat)
{
	Subs out = {0};
	for EACH(Place, p, t->sizes)
		out = subs_cat(out, subs_of(1, sub_type(flat.at[p->flat]).dims.at[p->dim]));
	return subs_cat(out, flat);
}

static Subs spec_args(Lower *L, const Shared *s, const Fn *fn, Vals args, LType **types)
{
	Subs out = {0};
	int n_types = fn->binding ? fn->binding->scheme.types.len : 0;
	for (int i = 0; i < n_types; i++)
		for EACH(Type, t, types[i]->flat)
			for EACH(Sub, d, t->dims)
				if (dim_is_known(*d))
					out = subs_cat(out, subs_of(1, *d));
	for (int i = 0; i < args.len; i++)
		out = subs_cat(out, with_own_sizes(s->args[i], val_flat(args.at[i])));
	for EACH(int, i, s->sizes) {
		Sub d = size_arg(L, fn, *i);
		out = subs_cat(out, subs_of(1, dim_is_known(d) ? d : sub_i64(0)));
	}
	return out;
}

// Replaces the function's own variables in a type by what they are at this call.
static Type type_at_call(Type t, Vars from, Subs to)
{
	t.unique = false;
	t.dims = SLICE_DUP(Subs, t.dims);
	for EACH(Sub, d, t.dims)
		for (int i = 0; i < from.len && d->kind == S_VAR; i++)
			if (from.at[i].id == d->var.id) {
				*d = to.at[i];
				break;
			}
	return t;
}

// Arguments with the sizes that the parameters they are passed for have.
static Subs typed_args(Lower *L, Vars params, Subs args)
{
	Subs out = {NEW_ARRAY(Sub, args.len), args.len};
	for (int i = 0; i < args.len; i++) {
		Type t = type_at_call(vars[params.at[i].id].type, (Vars){params.at, i}, out);
		out.at[i] = as_type(L, args.at[i], t);
	}
	return out;
}

// Variables for the results of a call with these arguments.
static Vars result_vars(const Shared *s, Vars params, Subs args)
{
	Vars res = s->fun->res;
	Vars pat = {NEW_ARRAY(Var, res.len), res.len};
	for (int i = 0; i < res.len; i++) {
		VarInfo r = vars[res.at[i].id];
		Type t = type_at_call(r.type, params, args);
		t = type_at_call(t, (Vars){res.at, i}, subs_of_vars((Vars){pat.at, i}));
		pat.at[i] = var_new(r.hint, t);
	}
	return pat;
}

static Val *emit_call(Lower *L, Shared *s, Vars params, Subs args, Attributes attrs)
{
	Vars pat = result_vars(s, params, args);
	Exp *e = EXP(call, s->fun, args);
	if (!s->done && L->ctx == s->ctx)
		VEC_PUSH(&s->ctx->self_calls, e);
	s->called_inside |= !s->done && L->ctx != s->ctx;
	emit_main(L, attrs, pat, e);
	return tele_val(s->result, NULL, subs_of_vars(pat));
}

static Shared *shared_of(Lower *L, const Fn *fn, Vals args, LType **types)
{
	Name key = spec_key(fn, args, types);
	Shared *s = map_get(&L->specs, key);
	if (s && (L->reverse ? s->linear : s->loops)) {
		key = name_of(text("%s other", key));
		s = map_get(&L->specs, key);
	}
	if (!s)
		s = make_spec(L, fn, args, types, key);
	L->made_linear |= s->linear;
	L->made_loops |= s->loops;
	return s;
}

// ---- Constants ----

static Val *value_of(Lower *L, Shared *c, Span span);

// The constants that a function is given, and their values here.
static void constant_args(Lower *L, const Shared *s, Vars *params, Subs *args, Span span)
{
	for EACH(Constant, c, s->ctx->constants) {
		*params = vars_cat(*params, c->params);
		Val *v = value_of(L, c->of, span);
		*args = subs_cat(*args, with_own_sizes(c->of->result, v->flat));
	}
}

static Val *call_at_top(Lower *L, Shared *c, Vars params, Subs args, Span span)
{
	Build saved = L->b;
	L->b.top = L->ctx->top;
	L->b.certs = (Vars){0};
	set_where(L, span);
	Val *v = emit_call(L, c, params, args, (Attributes){0});
	L->b = saved;
	return v;
}

// A parameter for each of the flat values of a constant that is known.
static Subs known_params(Lower *L, const Shared *c, const Values *values)
{
	Subs out = {NEW_ARRAY(Sub, values->len), values->len};
	for (int i = 0; i < values->len; i++) {
		const Value *v = &values->at[i];
		Subs dims = {NEW_ARRAY(Sub, v->rank), v->rank};
		for (int j = 0; j < v->rank; j++)
			dims.at[j] = sub_i64(v->shape[j]);
		Type t = v->rank ? type_array(v->type, dims) : type_scalar(v->type);
		Var x = var_new(c->binding->name, t);
		VEC_PUSH(&L->known_params, x);
		out.at[i] = sub_var(x);
	}
	return out;
}

// Do sizes in its type depend on other constants?
static bool has_outer_sizes(const Shared *c)
{
	for EACH(Type, t, c->result->type->flat)
		for EACH(Sub, d, t->dims)
			if (dim_is_known(*d) && d->kind == S_VAR)
				return true;
	return false;
}

static Val *known_value(Lower *L, Shared *c, const Values *values, Span span)
{
	Vars params = {0};
	Subs args = {0};
	if (has_outer_sizes(c))
		constant_args(L, c, &params, &args, span);
	Subs flat = known_params(L, c, values);
	VEC_PUSH(L->decl->used, c->binding);
	Build saved = L->b;
	L->b.top = L->ctx->top;
	L->b.certs = (Vars){0};
	for (int i = 0; i < flat.len; i++) {
		Type t = type_at_call(c->result->type->flat.at[i], params, args);
		flat.at[i] = as_type(L, flat.at[i], t);
	}
	L->b = saved;
	return val_data(c->result->type->rep, flat);
}

static Val *value_of(Lower *L, Shared *c, Span span)
{
	for EACH(Constant, known, L->ctx->constants)
		if (known->of == c)
			return known->val;
	const Values *given = L->decl && L->ctx->top ? map_get(&L->decl->known, c->binding) : NULL;
	Constant k = {.of = c};
	if (given) {
		k.val = known_value(L, c, given, span);
		VEC_PUSH(&L->ctx->constants, k);
		return k.val;
	}
	Vars params = {0};
	Subs args = {0};
	constant_args(L, c, &params, &args, span);
	if (L->ctx->top) {
		k.val = call_at_top(L, c, params, args, span);
	} else {
		k.params = result_vars(c, params, args);
		k.val = tele_val(c->result, NULL, subs_of_vars(k.params));
	}
	VEC_PUSH(&L->ctx->constants, k);
	return k.val;
}

// One with type parameters is called where it is used, since its sizes may differ.
Val *constant_value(Lower *L, const Fn *fn, Span span)
{
	Shared *s = shared_of(L, fn, (Vals){0}, type_args(L, fn, false));
	if (s->constant)
		return s->constant;
	return s->params.len ? call_shared(L, fn, (Vals){0}, span) : value_of(L, s, span);
}

// What a tuning parameter of the program (#[param(NAME)]) is set to, or -1: a constant as well, so
// that it is asked for outside of all loops.
static Shared *setting_of(Lower *L, const char *name, Span span)
{
	Name key = name_of(text("param %s", name));
	Shared *s = map_get(&L->specs, key);
	if (s)
		return s;
	Build b = {.where = NEW(Where, .span = span)};
	Type t = type_scalar(PT_I64);
	s = NEW(Shared, .ctx = NEW(Ctx, .depth = 1));
	s->result = tele_of(lt_of_val(val_scalar(L, sub_i64(-1))));
	s->fun = NEW(Fun, .name = fun_name(L, name_of("setting")), .where = b.where,
	             .res = vars_of(1, var_new(name_of("setting"), t)));
	map_put(&L->specs, key, s);
	b_open(&b);
	b.attrs = with_attr_text((Attributes){0}, text(ATTR_PARAM "(%s)", name));
	Sub r = b_let(&b, "setting", t, EXP(opaque, subs_of(1, sub_i64(-1))));
	finish(L, s, b_close(&b, subs_of(1, r)));
	return s;
}

Sub param_setting(Lower *L, const char *name, Span span)
{
	return val_sub(value_of(L, setting_of(L, name, span), span));
}

// ---- Calls ----

// What the function captures, from number `from` up to `to`, and what it is here.
static void captured_args(Lower *L, const Shared *s, int from, int to, Vars *params, Subs *args)
{
	for (int i = from; i < to; i++) {
		const Capture *c = &s->ctx->captures.at[i];
		*params = vars_cat(*params, vars_of(1, c->param));
		*args = subs_cat(*args, subs_of(1, sub_here(L, c->outer, s->ctx->up)));
	}
}

Val *call_shared(Lower *L, const Fn *fn, Vals args, Span span)
{
	Attributes attrs = take_attrs(L);
	LType **types = type_args(L, fn, false);
	Shared *s = shared_of(L, fn, args, types);
	if (s->constant)
		return s->constant;
	set_where(L, span);
	Vars params = {0};
	Subs given = {0};
	if (s->done) {
		constant_args(L, s, &params, &given, span);
		captured_args(L, s, 0, s->n_sizes, &params, &given);
	}
	params = vars_cat(params, s->params);
	given = typed_args(L, params, subs_cat(given, spec_args(L, s, fn, args, types)));
	if (s->done)
		captured_args(L, s, s->n_sizes, s->ctx->captures.len, &params, &given);
	return emit_call(L, s, params, given, attrs);
}
