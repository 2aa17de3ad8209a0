// The syntax tree at a position of a document that may be incomplete: which nodes enclose it, and
// which names are in scope there.
//
// The position is usually where something is missing, right after the text that could be parsed.
// It belongs to the last node that begins before it, unless a bracket has closed that node:
//
//     let x = f (y + 1) in x * |          in the body of the let, though after its end
#include "cli/lsp.h"

static void visit_expr(PlaceVisit *v, Expr *e);
static void visit_decls(PlaceVisit *v, Decls decls, bool nested);

// ---- Names ----

static void give_name(PlaceVisit *v, Name name, Span span, const Binding *b)
{
	if (v->name_in_scope && name)
		v->name_in_scope(v, name, span, b);
}

static void give_env(PlaceVisit *v, const Env *env)
{
	if (v->env_in_scope && env)
		v->env_in_scope(v, env);
}

static void give_pat(Walk *w, Pat *p)
{
	if (p->kind == PAT_NAME)
		give_name(w->ctx, p->var.name, p->span, p->var.binding);
	walk_pat(w, p);
}

static void give_pats(PlaceVisit *v, Pats pats)
{
	Walk w = {.pat = give_pat, .ctx = v};
	for EACH(Pat *, p, pats)
		give_pat(&w, *p);
}

static void give_params(PlaceVisit *v, TypeParams params)
{
	for EACH(TypeParam, p, params)
		if (p->kind == TP_SIZE)
			give_name(v, p->name, p->span, p->binding);
		else if (v->type_in_scope)
			v->type_in_scope(v, p->name, p->span, p->def);
}

// The environment of the module that a name ending at `end` means, or NULL.
static const Env *env_named(const PlaceVisit *v, Loc end)
{
	const Use *u = v->ask ? use_at(v->ask, end - 1) : NULL;
	const Mod *m = u && u->value && u->value->kind == BIND_MODULE ? u->value->mod : NULL;
	return m && m->kind == MOD_ENV ? m->env : NULL;
}

// ---- Expressions ----

static bool has_closed(const PlaceVisit *v, Span s)
{
	const Source *source = source_of(s.lo);
	if (!source || s.hi <= s.lo || v->at < s.hi)
		return false;
	char last = source->text[s.hi - 1 - source->start];
	return last == ')' || last == ']' || last == '}';
}

// let y = f x | : the body is missing, and on this line what stands before it goes on.
static bool is_missing_here(const PlaceVisit *v, const Expr *e)
{
	const Source *source = source_of(e->span.lo);
	if (e->kind != EX_HOLE || e->span.lo != e->span.hi || v->at < e->span.lo || !source)
		return false;
	const char *from = source->text + (e->span.lo - source->start);
	return !memchr(from, '\n', (size_t)(v->at - e->span.lo));
}

typedef struct { Walk w; const PlaceVisit *v; Expr *last; } Nearest;

static void note_child(Walk *w, Expr *e)
{
	Nearest *n = w->ctx;
	if (e->span.lo <= n->v->at && (!n->last || e->span.lo >= n->last->span.lo) &&
	    !(n->last && is_missing_here(n->v, e)))
		n->last = e;
}

static void visit_child(PlaceVisit *v, Expr *e)
{
	Nearest n = {.v = v};
	n.w = (Walk){.expr = note_child, .pat = walk_pat, .type = walk_type, .ctx = &n};
	walk_expr(&n.w, e);
	if (n.last && !(has_closed(v, n.last->span) && n.last->kind != EX_LET))
		visit_expr(v, n.last);
}

static void visit_loop(PlaceVisit *v, Expr *e)
{
	if (e->loop.body && v->at >= e->loop.body->span.lo && !is_missing_here(v, e->loop.body)) {
		give_pats(v, (Pats){&e->loop.pat, 1});
		if (e->loop.kind == LOOP_FOR)
			give_name(v, e->loop.index, e->loop.index_span, e->loop.index_binding);
		else if (e->loop.elem)
			give_pats(v, (Pats){&e->loop.elem, 1});
		visit_expr(v, e->loop.body);
	} else {
		if (e->loop.kind == LOOP_WHILE && v->at >= e->loop.bound->span.lo)
			give_pats(v, (Pats){&e->loop.pat, 1});
		visit_child(v, e);
	}
}

static void visit_match(PlaceVisit *v, Expr *e)
{
	const Case *in = NULL;
	for EACH(Case, c, e->match.cases)
		if (c->body->span.lo <= v->at && c->span.lo <= v->at)
			in = c;
	if (in && in + 1 < e->match.cases.at + e->match.cases.len && in[1].span.lo <= v->at)
		return;                         // in the pattern of the next case
	if (!in) {
		visit_child(v, e);
		return;
	}
	give_pats(v, (Pats){(Pat **)&in->pat, 1});
	visit_expr(v, in->body);
}

static void visit_let(PlaceVisit *v, Expr *e)
{
	Expr *body = e->kind == EX_LET ? e->let.body : e->kind == EX_LET_FUN ? e->let_fun.body
	           : e->let_update.body;
	bool in_body = v->at >= body->span.lo && !is_missing_here(v, body);
	if (e->kind == EX_LET && in_body) {
		give_params(v, e->let.sizes);
		give_pats(v, (Pats){&e->let.pat, 1});
	} else if (e->kind == EX_LET_FUN && in_body) {
		give_name(v, e->let_fun.name, e->let_fun.name_span, e->let_fun.binding);
	} else if (e->kind == EX_LET_FUN) {
		give_params(v, e->let_fun.params);
		give_pats(v, e->let_fun.pats);
	} else if (e->kind == EX_LET_UPDATE && in_body) {
		give_name(v, e->let_update.name, e->let_update.name_span, e->let_update.dst);
	}
	if (in_body)
		visit_expr(v, body);
	else
		visit_child(v, e);
}

static void visit_expr(PlaceVisit *v, Expr *e)
{
	if (v->expr)
		v->expr(v, e);
	switch ((int)e->kind) {
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE:
		visit_let(v, e);
		return;
	case EX_LAMBDA:
		give_pats(v, e->lambda.pats);
		visit_child(v, e);
		return;
	case EX_LOOP:
		visit_loop(v, e);
		return;
	case EX_MATCH:
		visit_match(v, e);
		return;
	case EX_OPEN:
		give_env(v, env_named(v, e->open.mod.span.hi));
		break;
	}
	visit_child(v, e);
}

// ---- Declarations ----

static void visit_module(PlaceVisit *v, const ModExpr *m)
{
	switch (m->kind) {
	case ME_BODY:
		if (v->at < m->span.hi || !has_closed(v, m->span))
			visit_decls(v, m->body, true);
		return;
	case ME_PAREN:
		visit_module(v, m->inner);
		return;
	case ME_ASCRIBE:
		visit_module(v, m->ascribe.of);
		return;
	case ME_APPLY:
		visit_module(v, v->at >= m->apply.arg->span.lo ? m->apply.arg : m->apply.fn);
		return;
	case ME_LAMBDA:
		visit_module(v, m->lambda.body);
		return;
	case ME_NAME: case ME_IMPORT:
		return;
	}
}

static void give_module_params(PlaceVisit *v, ModParams params)
{
	for EACH(ModParam, p, params) {
		const Use *u = v->ask ? use_at(v->ask, p->span.lo + 1) : NULL;
		give_name(v, p->name, p->span, u ? u->value : NULL);
	}
}

// What a declaration before the place brings into scope.
static void give_decl(PlaceVisit *v, const Decl *d)
{
	const Mod *m = NULL;
	switch (d->kind) {
	case DEC_VAL:
		give_name(v, d->val.name, d->val.name_span, d->val.binding);
		return;
	case DEC_TYPE:
		if (v->type_in_scope)
			v->type_in_scope(v, d->type.name, d->type.name_span, d->type.def);
		return;
	case DEC_MODULE:
		give_name(v, d->module.name, d->module.name_span, d->module.binding);
		return;
	case DEC_OPEN:
		m = d->open->mod;
		break;
	case DEC_IMPORT:
		m = d->import->mod;
		break;
	case DEC_MODULE_TYPE:
		return;
	}
	give_env(v, m && m->kind == MOD_ENV ? m->env : NULL);
}

static void visit_decls(PlaceVisit *v, Decls decls, bool nested)
{
	const Decl *in = NULL;
	for EACH(Decl *, d, decls) {
		if ((*d)->span.lo > v->at)
			break;
		if (in && nested)
			give_decl(v, in);
		in = *d;
	}
	if (!in)
		return;
	switch (in->kind) {
	case DEC_VAL:
		give_params(v, in->val.params);
		give_pats(v, in->val.pats);
		if (in->val.pats.len)
			give_name(v, in->val.name, in->val.name_span, in->val.binding);
		if (v->at >= in->val.body->span.lo)
			visit_expr(v, in->val.body);
		return;
	case DEC_TYPE:
		give_params(v, in->type.params);
		return;
	case DEC_MODULE:
		give_module_params(v, in->module.params);
		visit_module(v, in->module.body);
		return;
	case DEC_OPEN:
		visit_module(v, in->open);
		return;
	case DEC_MODULE_TYPE: case DEC_IMPORT:
		return;
	}
}

void visit_at(PlaceVisit *v, Decls decls)
{
	visit_decls(v, decls, false);
}

// ---- All nodes ----

static void each_expr(Walk *w, Expr *e)
{
	const EachNode *n = w->ctx;
	if (n->expr)
		n->expr(n->ctx, e);
	walk_expr(w, e);
}

static void each_pat(Walk *w, Pat *p)
{
	const EachNode *n = w->ctx;
	if (n->pat)
		n->pat(n->ctx, p);
	walk_pat(w, p);
}

static void each_decl(Walk *w, Decl *d)
{
	const EachNode *n = w->ctx;
	if (n->decl)
		n->decl(n->ctx, d);
	walk_decl(w, d);
}

void each_node(const EachNode *n, Decls decls)
{
	walk_decls(&(Walk){.expr = each_expr, .pat = each_pat, .type = walk_type,
	                   .decl = each_decl, .ctx = (void *)n}, decls);
}
