// Decides whether a call is evaluated in place or becomes a call of a core function.
//
// Evaluation in place is the rule: it exploits what is known about the arguments, and costs nothing
// if the body is small.  A core function is created for bodies that are large as written, or that
// turned out large when they were first evaluated in place; so a chain of functions that each call
// the next one twice stays small.
#include "lower/lower_internal.h"

typedef struct { uint32_t cost; int nodes; } Cost;

enum {
	SMALL = 100,            // variables: what is less is evaluated in place
	SMALL_BODY = 150,       // expressions: what is more is not tried in place
};

static void count_expr(Walk *w, Expr *e)
{
	int *n = w->ctx;
	if (++*n <= SMALL_BODY)
		walk_expr(w, e);
}

static Cost *cost_of(Lower *L, const Fn *fn)
{
	const void *key = fn->kind == F_DECL ? (const void *)fn->decl : fn->expr;
	Cost *c = map_get(&L->costs, key);
	if (!c) {
		c = NEW(Cost, 0);
		Walk w = {.expr = count_expr, .ctx = &c->nodes};
		count_expr(&w, fn_body(fn));
		map_put(&L->costs, key, c);
	}
	return c;
}

void note_cost(Lower *L, const Fn *fn, uint32_t cost)
{
	Cost *c = cost_of(L, fn);
	if (cost > c->cost)
		c->cost = cost;
}

static bool decl_has_attr(const Decl *d, const char *name)
{
	for EACH(Attr *, a, d->attrs)
		if (strcmp((*a)->name, name) == 0)
			return true;
	return false;
}

static bool takes_functions(Vals args)
{
	for EACH(Val *, a, args)
		if ((*a)->kind != V_DATA)
			return true;
	return false;
}

static bool has_static_sum(const Val *v)
{
	if (v->kind == V_CONSTR)
		return true;
	if (v->kind == V_RECORD)
		for EACH(Val *, p, v->parts)
			if (has_static_sum(*p))
				return true;
	return false;
}

static bool mentions_acc(Ty *type)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_ABS)
		return is_acc_type(t->abs.def);
	if (t->kind == TY_ARROW)
		return mentions_acc(t->arrow.from) || mentions_acc(t->arrow.to);
	if (t->kind == TY_RECORD)
		for EACH(TyField, f, t->record)
			if (mentions_acc(f->type))
				return true;
	return false;
}

// An accumulator is known only where it is given.
static bool takes_acc(const Fn *fn, Vals args)
{
	Pats pats = fn_pats(fn);
	for EACH(Pat *, p, pats)
		if (mentions_acc((*p)->type))
			return true;
	for EACH(Val *, a, args)
		if ((*a)->kind != V_FUN && (*a)->rep->has_acc)
			return true;
	return false;
}

// Whether the same call, as far as it is static, was made before.  Sharing closures pays only
// then.
static bool seen_before(Lower *L, const Fn *fn, Vals args)
{
	static const char seen = 0; // its address marks a key as seen, without a function yet
	Name key = spec_key(fn, args, type_args(L, fn, true));
	if (map_has(&L->specs, key))
		return true;
	Name mark = name_of(text("seen %s", key));
	bool before = map_has(&L->specs, mark);
	map_put(&L->specs, mark, (void *)&seen);
	return before;
}

static bool gives_function(Lower *L, const Fn *fn)
{
	Frame *g = frame_new(L, fn->frame);
	if (fn->binding && fn->binding->scheme.types.len) {
		LType **types = type_args(L, fn, true);
		for (int i = 0; i < fn->binding->scheme.types.len; i++)
			map_put(&g->types, fn->binding->scheme.types.at[i], types[i]);
	}
	return ltype(L, g, fn_ret(fn), true)->rep->has_fun;
}

bool should_share(Lower *L, const Fn *fn, Vals args)
{
	bool is_decl = fn->kind == F_DECL, is_recursive = is_decl && fn->decl->val.is_recursive;
	bool noinline = (is_decl && decl_has_attr(fn->decl, "noinline")) ||
	                has_attr(L->attrs, ATTR_NOINLINE);
	bool closures = !is_decl || takes_functions(args);
	bool has_acc = takes_acc(fn, args);
	if (has_acc && is_recursive)
		fail(fn->decl->val.name_span, NULL,
		     "A recursive function cannot be given an accumulator.");
	for EACH(Val *, a, args)
		if (has_static_sum(*a))
			return false;
	if (has_acc)
		return false;
	if (is_recursive)
		return true;
	if (closures && L->ctx->inline_closures)
		return false;
	Cost *c = cost_of(L, fn);
	bool large = c->cost > SMALL || (!closures && c->nodes > SMALL_BODY);
	if (!noinline && (!large || (is_decl && decl_has_attr(fn->decl, "inline"))))
		return false;
	if (gives_function(L, fn))
		return false;
	return noinline || !closures || seen_before(L, fn, args);
}
