// The last walk over a declaration: puts the sizes found into all types, and checks that no
// unknown size is needed before it comes into being.
//
// Evaluation order for this purpose: the right-hand side of a let before its body, the argument
// before the function, the left operand before the right one.  So in
//
//     length <| filter p xs
//
// the type of length needs the size of filter p xs too early.  What comes into being in a
// branch, a loop or a function is not known outside of it.
#include "check/size.h"

// Unknown sizes that have come into being so far, in order.
typedef struct { VEC(Binding *) known; } Seal;

static void seal(Seal *, Expr *);
static void seal_pattern(Seal *, Pat *);

// ---- Types ----

static Size *same_leaf(void *ctx, Size *leaf)
{
	(void)ctx;
	return leaf;
}

static Size *seal_size(TyMap *m, Size *s)
{
	(void)m;
	return s->kind == SZ_NODE ? size_map(s, same_leaf, NULL) : s;
}

Ty *seal_ty(Ty *t)
{
	TyMap m = {.size = seal_size};
	return map_ty(&m, t);
}

// The size of an argument that is still to come: see may_be_bound of size_unify.c.
static bool is_bound_in_type(void *ctx, Size *leaf)
{
	(void)ctx;
	return leaf->kind == SZ_VAR && leaf->var->kind == BIND_LOCAL &&
	       leaf->var->level == LEVEL_BOUND;
}

static void seal_inst(Inst *inst)
{
	if (!inst)
		return;
	for EACH(Ty *, t, inst->types)
		*t = seal_ty(*t);
	for EACH(Size *, s, inst->sizes)
		*s = size_any(*s, is_bound_in_type, NULL) ? size_anon(NOWHERE)
		                                          : size_map(*s, same_leaf, NULL);
}

static void seal_synonym(Binding *b)
{
	if (b->as_size)
		b->as_size = size_map(b->as_size, same_leaf, NULL);
}

// ---- What is known ----

typedef struct { Span span; const char *what; const Expr *var; Ty *type; } Need;

static bool need_leaf(void *ctx, Size *leaf)
{
	const Need *n = ctx;
	Binding *b = leaf->kind == SZ_VAR ? leaf->var : NULL;
	if (b && b->kind == BIND_UNKNOWN && !b->known && b->level)
		fail_causality(b, n->span, n->var ? text("\"%s\"", show_expr(n->var)) : n->what,
		               n->type);
	return false;
}

static void need_known(const Need *n)
{
	any_size_leaf(n->type, need_leaf, (void *)n);
}

static void make_known(Seal *s, const Expr *e)
{
	for EACH(Binding *, b, e->unknowns) {
		(*b)->known = true;
		VEC_PUSH(&s->known, *b);
	}
}

// What came into being since is not known from here on.
static void forget(Seal *s, int mark)
{
	while (s->known.len > mark)
		s->known.at[--s->known.len]->known = false;
}

static void seal_inside(Seal *s, Expr *e)
{
	int mark = s->known.len;
	seal(s, e);
	forget(s, mark);
}

// ---- Annotations and patterns ----

static void walk_seal(Walk *w, Expr *e)
{
	seal(w->ctx, e);
}

static void walk_seal_pat(Walk *w, Pat *p)
{
	seal_pattern(w->ctx, p);
}

static Walk walk_of(Seal *s)
{
	return (Walk){.expr = walk_seal, .pat = walk_seal_pat, .type = walk_type, .ctx = s};
}

static void seal_annotation(Seal *s, TypeExpr *te)
{
	Walk w = walk_of(s);
	if (te)
		walk_type(&w, te);
}

static void seal_pattern(Seal *s, Pat *p)
{
	Walk parts = walk_of(s);
	p->type = seal_ty(p->type);
	switch (p->kind) {
	case PAT_NAME: {
		Binding *b = p->var.binding;
		b->scheme.type = seal_ty(b->scheme.type);
		seal_synonym(b);
		return;
	}
	case PAT_WILD: case PAT_LIT:
		return;
	case PAT_ASCRIBE:
		seal_annotation(s, p->ascribe.type);
		seal_pattern(s, p->ascribe.pat);
		return;
	case PAT_TUPLE: case PAT_RECORD: case PAT_CONSTR: case PAT_ATTR: case PAT_PAREN:
		walk_pat(&parts, p);
		return;
	}
}

// ---- Expressions ----

static void seal_var(Expr *e)
{
	seal_inst(e->var.inst);
	need_known(&(Need){.span = e->span, .var = e, .type = e->type});
}

static void seal_apply(Seal *s, Expr *e)
{
	for (int i = e->apply.args.len - 1; i >= 0; i--)
		seal(s, e->apply.args.at[i]);
	make_known(s, e);
	seal(s, e->apply.fn);
}

static void seal_operator(Seal *s, Expr *e)
{
	int mark = s->known.len;
	seal(s, e->binop.b);
	if (!e->binop.binding)
		forget(s, mark);        // the right operand of && and || need not be evaluated
	make_known(s, e);
	seal_inst(e->binop.inst);
	e->binop.op_type = seal_ty(e->binop.op_type);
	need_known(&(Need){.span = e->binop.op.span,
	                   .what = text("\"%s\"", show_qualname(e->binop.op)),
	                   .type = e->binop.op_type});
}

// Chains of operators are as long as programs: the left operands are not recursed over.
static void seal_binop(Seal *s, Expr *e)
{
	VEC(Expr *) spine = {0};
	for (; e->kind == EX_BINOP; e = e->binop.a)
		VEC_PUSH(&spine, e);
	seal(s, e);
	for (int i = spine.len - 1; i >= 0; i--) {
		seal_operator(s, spine.at[i]);
		if (i)
			spine.at[i]->type = seal_ty(spine.at[i]->type);
	}
}

static void seal_section(Seal *s, Expr *e)
{
	Need need = {.span = e->span, .what = "operator section", .type = e->section.op_type};
	if (e->kind == EX_SECTION_L)
		need_known(&need);      // (e ++) has a type that the size of e is part of
	seal(s, e->section.arg);
	make_known(s, e);
	seal_inst(e->section.inst);
	need.type = e->section.op_type = seal_ty(e->section.op_type);
	need_known(&need);
}

static void seal_function(Seal *s, Pats pats, TypeExpr *ret, Expr *body)
{
	for EACH(Pat *, p, pats) {
		seal_pattern(s, *p);
		need_known(&(Need){.span = (*p)->span, .what = text("\"%s\"", show_pat(*p)),
		                   .type = (*p)->type});
	}
	int mark = s->known.len;
	seal_annotation(s, ret);
	seal(s, body);
	forget(s, mark);
}

static void seal_let_fun(Seal *s, Expr *e)
{
	seal_function(s, e->let_fun.pats, e->let_fun.ret, e->let_fun.value);
	e->let_fun.ret_type = seal_ty(e->let_fun.ret_type);
	Binding *b = e->let_fun.binding;
	b->scheme.type = seal_ty(b->scheme.type);
}

static void seal_loop(Seal *s, Expr *e)
{
	seal(s, e->loop.init ? e->loop.init : e->loop.init_implied);
	if (e->loop.kind != LOOP_WHILE)
		seal(s, e->loop.bound);
	int mark = s->known.len;
	seal_pattern(s, e->loop.pat);
	if (e->loop.kind == LOOP_WHILE)
		seal(s, e->loop.bound);
	if (e->loop.kind == LOOP_IN)
		seal_pattern(s, e->loop.elem);
	seal(s, e->loop.body);
	forget(s, mark);
}

static void seal_let_update(Seal *s, Expr *e)
{
	Walk parts = walk_of(s);
	walk_path(&parts, e->let_update.path);
	seal(s, e->let_update.value);
	seal_inst(e->let_update.inst);
	Binding *b = e->let_update.dst;
	b->scheme.type = seal_ty(b->scheme.type);
}

static void seal_let(Seal *s, Expr *e)
{
	seal(s, e->let.value);
	seal_pattern(s, e->let.pat);
	for EACH(TypeParam, p, e->let.sizes)
		seal_synonym(p->binding);
}

// The binding of a let; gives its body, or NULL for other expressions.
static Expr *seal_binding(Seal *s, Expr *e)
{
	if (e->kind == EX_LET) {
		seal_let(s, e);
		return e->let.body;
	}
	if (e->kind == EX_LET_FUN) {
		seal_let_fun(s, e);
		return e->let_fun.body;
	}
	if (e->kind == EX_LET_UPDATE) {
		seal_let_update(s, e);
		return e->let_update.body;
	}
	return NULL;
}

// Chains of lets are as long as programs, so they are not recursed over.
static void seal_lets(Seal *s, Expr *e)
{
	VEC(Expr *) chain = {0};
	Expr *at = e;
	for (Expr *body; (body = seal_binding(s, at)); at = body)
		VEC_PUSH(&chain, at);
	seal(s, at);
	for (int i = chain.len - 1; i > 0; i--) {
		make_known(s, chain.at[i]);
		chain.at[i]->type = seal_ty(chain.at[i]->type);
	}
}

static void seal_children(Seal *s, Expr *e)
{
	Walk parts = walk_of(s);
	switch (e->kind) {
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING:
		return;
	case EX_VAR:
		seal_var(e);
		return;
	case EX_HOLE:
		need_known(&(Need){.span = e->span, .what = "hole", .type = e->type});
		return;
	case EX_PAREN: case EX_NEG: case EX_NOT: case EX_TUPLE: case EX_RECORD: case EX_PROJECT:
	case EX_INDEX: case EX_OPEN: case EX_ASCRIBE: case EX_COERCE: case EX_RANGE: case EX_ASSERT:
	case EX_UPDATE: case EX_ATTR:
		walk_expr(&parts, e);
		return;
	case EX_ARRAY:
		walk_expr(&parts, e);
		if (!e->array.len)
			need_known(&(Need){.span = e->span, .what = "empty array",
			                   .type = e->type});
		return;
	case EX_APPLY:
		seal_apply(s, e);
		return;
	case EX_BINOP:
		seal_binop(s, e);
		return;
	case EX_CONSTR:
		walk_expr(&parts, e);
		need_known(&(Need){.span = e->span, .what = "constructor application",
		                   .type = e->type});
		return;
	case EX_IF:
		seal(s, e->if_.cond);
		seal_inside(s, e->if_.yes);
		seal_inside(s, e->if_.no);
		return;
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE:
		seal_lets(s, e);
		return;
	case EX_LAMBDA:
		seal_function(s, e->lambda.pats, e->lambda.ret, e->lambda.body);
		e->lambda.ret_type = seal_ty(e->lambda.ret_type);
		return;
	case EX_LOOP:
		seal_loop(s, e);
		return;
	case EX_MATCH:
		seal(s, e->match.of);
		for EACH(Case, c, e->match.cases) {
			seal_pattern(s, c->pat);
			seal_inside(s, c->body);
		}
		return;
	case EX_SECTION_L: case EX_SECTION_R:
		seal_section(s, e);
		return;
	case EX_SECTION_PATH:
		walk_expr(&parts, e);
		need_known(&(Need){.span = e->span, .what = "projection section", .type = e->type});
		return;
	}
}

static void seal(Seal *s, Expr *e)
{
	e->type = seal_ty(e->type);
	seal_children(s, e);
	make_known(s, e);
}

void seal_exp(Expr *e)
{
	Seal s = {0};
	seal(&s, e);
}

void seal_pat(Pat *p)
{
	Seal s = {0};
	seal_pattern(&s, p);
}

void seal_type_expr(TypeExpr *te)
{
	Seal s = {0};
	seal_annotation(&s, te);
}
