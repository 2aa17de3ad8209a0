// Inference of the forms that bind names: functions, let, match, loop; and of branches.
//
// Local bindings are never generalised.  A local function is polymorphic only in the type
// and size parameters it declares; these are rigid inside of it, and types from outside cannot
// become them: each such function is one level deeper (see check_link in unify.c).
#include "check/infer.h"

// ---- Functions ----

// The type of a function from its patterns.  A parameter that is just a name can be
// referred to by sizes in what follows.
static Ty *arrow_of_pats(Pats pats, Bindings exts, Ty *ret)
{
	Ty *t = ret;
	for (int i = pats.len - 1; i >= 0; i--) {
		t = ty_arrow(name_of_pat(pats.at[i]), pats.at[i]->type, exts, t);
		exts = (Bindings){0};
	}
	return t;
}

Ty *infer_function(Scope *s, TypeParams params, Pats pats, TypeExpr *ret, Expr *body,
                   Binding *self, Ty **ret_type)
{
	infer_pats(s, pats, NULL, params, true);
	Bindings exts = {0};
	Ty *t = ret ? infer_type(s, ret, &exts) : NULL;
	if (self) {
		t = t ? t : meta_new(body->span, "res");
		self->scheme.type = arrow_of_pats(pats, exts, t);
	}
	if (t)
		check_exp(s, body, t, "Function body does not have expected type.");
	else
		t = ty_nonunique(infer_exp(s, body));
	*ret_type = t;
	return arrow_of_pats(pats, exts, t);
}

Ty *infer_lambda(Scope *s, Expr *e)
{
	int mark = scope_mark(s);
	scope_deeper(s);
	Ty *t = infer_function(s, (TypeParams){0}, e->lambda.pats, e->lambda.ret, e->lambda.body,
	                       NULL, &e->lambda.ret_type);
	scope_shallower(s);
	scope_leave(s, mark, e->span.hi);
	return t;
}

Scheme scheme_of_params(TypeParams params, Ty *type)
{
	Scheme scheme = {.type = type};
	if (!params.len)
		return scheme;
	scheme.types.at = NEW_ARRAY(TypeDef *, params.len);
	scheme.sizes.at = NEW_ARRAY(Binding *, params.len);
	for EACH(TypeParam, p, params) {
		if (p->kind == TP_SIZE)
			scheme.sizes.at[scheme.sizes.len++] = p->binding;
		else
			scheme.types.at[scheme.types.len++] = p->def;
	}
	return scheme;
}

// ---- let ----

// What is left open in the type of a local function belongs to the scope around it.
static bool lower_levels(Ty *type, void *none)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_META && t->meta->level > infer->level)
		t->meta->level = infer->level;
	return ty_any_part(t, lower_levels, none);
}

static void infer_let_fun(Scope *s, Expr *e)
{
	TypeParams params = e->let_fun.params;
	int mark = scope_mark(s);
	scope_deeper(s);
	infer->level++;
	elab_type_params(s, params);
	for EACH(TypeParam, p, params)
		if (p->def)
			p->def->level = infer->level;
	Ty *t = infer_function(s, params, e->let_fun.pats, e->let_fun.ret, e->let_fun.value, NULL,
	                       &e->let_fun.ret_type);
	infer->level--;
	lower_levels(t, NULL);
	scope_shallower(s);
	scope_leave(s, mark, e->let_fun.value->span.hi);
	Binding *b = binding_new(BIND_LOCAL, e->let_fun.name, e->let_fun.name_span);
	b->scheme = scheme_of_params(params, t);
	e->let_fun.binding = b;
	scope_bind(s, b);
}

static void infer_let(Scope *s, Expr *e)
{
	Ty *t = ty_nonunique(infer_exp(s, e->let.value));
	elab_type_params(s, e->let.sizes);
	infer_pats(s, (Pats){&e->let.pat, 1}, t, e->let.sizes, false);
}

// let x[i].f = v: a new x of the same type.
static void infer_let_update(Scope *s, Expr *e)
{
	QualName name = {.name = e->let_update.name, .span = e->let_update.name_span};
	Binding *src = find_value(s, name, NULL);
	e->let_update.src = src;
	Ty *t = ty_nonunique(instantiate(src, name.span, &e->let_update.inst));
	Ty *old = infer_path(s, t, e->let_update.path, e);
	check_exp(s, e->let_update.value, old, update_heading(e->let_update.path));
	Binding *dst = binding_new(BIND_LOCAL, name.name, name.span);
	dst->scheme.type = t;
	e->let_update.dst = dst;
	scope_bind(s, dst);
}

// The next expression of a chain of lets, NULL for anything else.
static Expr *body_of_let(const Expr *e)
{
	return e->kind == EX_LET ? e->let.body : e->kind == EX_LET_FUN ? e->let_fun.body
	     : e->kind == EX_LET_UPDATE ? e->let_update.body : NULL;
}

// Chains of lets are as long as programs, so they are not recursed over.
Ty *infer_lets(Scope *s, Expr *e)
{
	int mark = scope_mark(s);
	Expr *at = e;
	for (Expr *body; (body = body_of_let(at)); at = body) {
		if (at->kind == EX_LET)
			infer_let(s, at);
		else if (at->kind == EX_LET_FUN)
			infer_let_fun(s, at);
		else
			infer_let_update(s, at);
	}
	Ty *t = infer_exp(s, at);
	scope_leave(s, mark, at->span.hi);
	for (; e != at; e = body_of_let(e))
		e->type = t;
	return t;
}

// ---- Branches ----

Ty *infer_if(Scope *s, Expr *e)
{
	check_exp(s, e->if_.cond, ty_prim(PT_BOOL), "Condition of if-expression must be a bool.");
	Ty *t = ty_nonunique(infer_exp(s, e->if_.yes));
	bool fits = check_exp(s, e->if_.no, t,
	                      "Branches of if-expression do not have the same type.");
	if (!fits)
		hint_break(e->if_.yes, e->if_.no);
	return fits && need_no_function(e->span, t, why_if) ? t : ty_error;
}

Ty *infer_match(Scope *s, Expr *e)
{
	Ty *of = ty_nonunique(infer_exp(s, e->match.of)), *t = NULL;
	for EACH(Case, c, e->match.cases) {
		int mark = scope_mark(s);
		infer_pats(s, (Pats){&c->pat, 1}, of, (TypeParams){0}, false);
		if (!t)
			t = ty_nonunique(infer_exp(s, c->body));
		else if (!check_exp(s, c->body, t,
		                    "Cases of match-expression do not have the same type."))
			t = ty_error;
		scope_leave(s, mark, c->body->span.hi);
	}
	return need_no_function(e->span, t, why_match) ? t : ty_error;
}

// ---- Loops ----

// The type of the index or element.
static Ty *infer_bound(Scope *s, Expr *e)
{
	Expr *bound = e->loop.bound;
	Ty *t = ty_nonunique(infer_exp(s, bound));
	if (e->loop.kind == LOOP_FOR) {
		need_overload(bound->span, t, OV_INT, "Bound of for-loop must be an integer.");
		return t;
	}
	Ty *elem = meta_new(bound->span, "t");
	need_element(bound->span, elem, why_element);
	unify((Reason){bound->span, "For-in loop needs an array to iterate over."},
	      ty_array(size_anon(bound->span), elem), t);
	return elem;
}

static void bind_index(Scope *s, Expr *e, Ty *t)
{
	Binding *b = binding_new(BIND_LOCAL, e->loop.index, e->loop.index_span);
	b->scheme.type = t;
	e->loop.index_binding = b;
	scope_bind(s, b);
}

// The initial value, the bound and the array are outside of the scope of the pattern; the
// condition is inside, but does not see the index.
Ty *infer_loop(Scope *s, Expr *e)
{
	if (!e->loop.init)
		e->loop.init_implied = expr_of_pat(e->loop.pat);
	Ty *init = ty_nonunique(infer_exp(s, e->loop.init ? e->loop.init : e->loop.init_implied));
	Ty *elem = e->loop.kind == LOOP_WHILE ? NULL : infer_bound(s, e);
	int mark = scope_mark(s);
	scope_deeper(s);
	infer_pats(s, (Pats){&e->loop.pat, 1}, init, (TypeParams){0}, false);
	need_no_function(e->loop.pat->span, init, why_loop);
	switch (e->loop.kind) {
	case LOOP_FOR:
		bind_index(s, e, elem);
		break;
	case LOOP_IN:
		infer_pats(s, (Pats){&e->loop.elem, 1}, elem, (TypeParams){0}, false);
		break;
	case LOOP_WHILE:
		check_exp(s, e->loop.bound, ty_prim(PT_BOOL),
		          "Condition of while-loop must be a bool.");
		break;
	}
	check_exp(s, e->loop.body, init, "Loop body does not have the type of the loop parameter.");
	scope_shallower(s);
	scope_leave(s, mark, e->span.hi);
	return ty_nonunique(e->loop.pat->type);
}
