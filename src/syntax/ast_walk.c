// The traversal of surface syntax: calls a function on the direct children of a node, in source
// order.  To descend further, the callback calls walk_expr (or its relatives) again.
#include "syntax/ast.h"

static void visit_expr(Walk *w, Expr *e)
{
	if (e && w->expr)
		w->expr(w, e);
}

static void visit_pat(Walk *w, Pat *p)
{
	if (p && w->pat)
		w->pat(w, p);
}

static void visit_type(Walk *w, TypeExpr *t)
{
	if (t && w->type)
		w->type(w, t);
}

static void visit_exprs(Walk *w, Exprs es)
{
	for EACH(Expr *, e, es)
		visit_expr(w, *e);
}

static void visit_pats(Walk *w, Pats ps)
{
	for EACH(Pat *, p, ps)
		visit_pat(w, *p);
}

static void visit_types(Walk *w, TypeExprs ts)
{
	for EACH(TypeExpr *, t, ts)
		visit_type(w, *t);
}

static void visit_indices(Walk *w, Indices idx)
{
	for EACH(Index, i, idx) {
		visit_expr(w, i->index);
		visit_expr(w, i->from);
		visit_expr(w, i->to);
		visit_expr(w, i->step);
	}
}

void walk_path(Walk *w, Path path)
{
	for EACH(PathStep, step, path)
		if (!step->is_field)
			visit_indices(w, step->idx);
}

static void visit_loop(Walk *w, Expr *e)
{
	visit_pat(w, e->loop.pat);
	visit_expr(w, e->loop.init);
	visit_pat(w, e->loop.elem);
	visit_expr(w, e->loop.bound);
	visit_expr(w, e->loop.body);
}

static void visit_match(Walk *w, Expr *e)
{
	visit_expr(w, e->match.of);
	for EACH(Case, c, e->match.cases) {
		visit_pat(w, c->pat);
		visit_expr(w, c->body);
	}
}

// The forms that bind names.
static void visit_binder(Walk *w, Expr *e)
{
	if (e->kind == EX_LET) {
		visit_pat(w, e->let.pat);
		visit_expr(w, e->let.value);
		visit_expr(w, e->let.body);
	} else if (e->kind == EX_LET_FUN) {
		visit_pats(w, e->let_fun.pats);
		visit_type(w, e->let_fun.ret);
		visit_expr(w, e->let_fun.value);
		visit_expr(w, e->let_fun.body);
	} else if (e->kind == EX_LET_UPDATE) {
		walk_path(w, e->let_update.path);
		visit_expr(w, e->let_update.value);
		visit_expr(w, e->let_update.body);
	} else {
		visit_pats(w, e->lambda.pats);
		visit_type(w, e->lambda.ret);
		visit_expr(w, e->lambda.body);
	}
}

Pat *pat_plain(const Pat *p)
{
	while (p->kind == PAT_PAREN || p->kind == PAT_ASCRIBE || p->kind == PAT_ATTR)
		p = p->inner;
	return (Pat *)p;
}

FieldPats pat_fields(const Pat *p)
{
	if (p->kind == PAT_RECORD)
		return p->record;
	FieldPats out = {NEW_ARRAY(FieldPat, p->tuple.len + 1), p->tuple.len};
	for (int i = 0; i < out.len; i++)
		out.at[i] = (FieldPat){.span = p->tuple.at[i]->span, .pat = p->tuple.at[i],
		                       .name = name_of(text("%d", i))};
	return out;
}

void walk_expr(Walk *w, Expr *e)
{
	switch (e->kind) {
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING: case EX_VAR:
		return;
	case EX_HOLE: visit_exprs(w, e->hole.parts); return;
	case EX_PAREN: case EX_NEG: case EX_NOT:
		visit_expr(w, e->inner);
		return;
	case EX_TUPLE: visit_exprs(w, e->tuple); return;
	case EX_RECORD:
		for EACH(FieldExpr, f, e->record)
			visit_expr(w, f->value);
		return;
	case EX_ARRAY: visit_exprs(w, e->array); return;
	case EX_PROJECT: visit_expr(w, e->project.of); return;
	case EX_INDEX:
		visit_expr(w, e->index.of);
		visit_indices(w, e->index.idx);
		return;
	case EX_OPEN: visit_expr(w, e->open.body); return;
	case EX_APPLY:
		visit_expr(w, e->apply.fn);
		visit_exprs(w, e->apply.args);
		return;
	case EX_BINOP:
		visit_expr(w, e->binop.a);
		visit_expr(w, e->binop.b);
		return;
	case EX_CONSTR: visit_exprs(w, e->constr.args); return;
	case EX_ASCRIBE: case EX_COERCE:
		visit_expr(w, e->ascribe.of);
		visit_type(w, e->ascribe.type);
		return;
	case EX_RANGE:
		visit_expr(w, e->range.from);
		visit_expr(w, e->range.second);
		visit_expr(w, e->range.to);
		return;
	case EX_IF:
		visit_expr(w, e->if_.cond);
		visit_expr(w, e->if_.yes);
		visit_expr(w, e->if_.no);
		return;
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE: case EX_LAMBDA:
		visit_binder(w, e);
		return;
	case EX_LOOP: visit_loop(w, e); return;
	case EX_MATCH: visit_match(w, e); return;
	case EX_ASSERT:
		visit_expr(w, e->assert_.cond);
		visit_expr(w, e->assert_.body);
		return;
	case EX_UPDATE:
		visit_expr(w, e->update.of);
		walk_path(w, e->update.path);
		visit_expr(w, e->update.value);
		return;
	case EX_ATTR: visit_expr(w, e->attr.body); return;
	case EX_SECTION_L: case EX_SECTION_R: visit_expr(w, e->section.arg); return;
	case EX_SECTION_PATH: walk_path(w, e->path); return;
	}
}

void walk_pat(Walk *w, Pat *p)
{
	switch (p->kind) {
	case PAT_NAME: case PAT_WILD:
		return;
	case PAT_LIT:
		visit_expr(w, p->lit);
		return;
	case PAT_TUPLE:
		visit_pats(w, p->tuple);
		return;
	case PAT_RECORD:
		for EACH(FieldPat, f, p->record)
			visit_pat(w, f->pat);
		return;
	case PAT_CONSTR:
		visit_pats(w, p->constr.args);
		return;
	case PAT_ASCRIBE:
		visit_pat(w, p->ascribe.pat);
		visit_type(w, p->ascribe.type);
		return;
	case PAT_ATTR: case PAT_PAREN:
		visit_pat(w, p->inner);
		return;
	}
}

void walk_type(Walk *w, TypeExpr *t)
{
	switch (t->kind) {
	case TE_NAME:
		return;
	case TE_APPLY:
		visit_type(w, t->apply.fn);
		visit_types(w, t->apply.args);
		return;
	case TE_ARRAY:
		visit_expr(w, t->array.size);
		visit_type(w, t->array.elem);
		return;
	case TE_TUPLE:
		visit_types(w, t->tuple);
		return;
	case TE_RECORD:
		for EACH(FieldType, f, t->record)
			visit_type(w, f->type);
		return;
	case TE_SUM:
		for EACH(ConstrType, c, t->sum)
			visit_types(w, c->args);
		return;
	case TE_ARROW:
		visit_type(w, t->arrow.from);
		visit_type(w, t->arrow.to);
		return;
	case TE_UNIQUE: case TE_PAREN:
		visit_type(w, t->inner);
		return;
	case TE_EXISTS:
		visit_type(w, t->exists.type);
		return;
	case TE_SIZE:
		visit_expr(w, t->size);
		return;
	}
}

// ---- Declarations ----

static void visit_mod(Walk *w, ModExpr *m)
{
	if (w->mod)
		w->mod(w, m);
	else
		walk_mod(w, m);
}

void walk_decls(Walk *w, Decls decls)
{
	for EACH(Decl *, d, decls) {
		if (w->decl)
			w->decl(w, *d);
		else
			walk_decl(w, *d);
	}
}

void walk_decl(Walk *w, Decl *d)
{
	switch (d->kind) {
	case DEC_VAL:
		visit_pats(w, d->val.pats);
		visit_type(w, d->val.ret);
		visit_expr(w, d->val.body);
		return;
	case DEC_MODULE:
		visit_mod(w, d->module.body);
		return;
	case DEC_OPEN:
		visit_mod(w, d->open);
		return;
	case DEC_IMPORT:
		visit_mod(w, d->import);
		return;
	case DEC_TYPE: case DEC_MODULE_TYPE:
		return;
	}
}

void walk_mod(Walk *w, ModExpr *m)
{
	switch (m->kind) {
	case ME_BODY:
		walk_decls(w, m->body);
		return;
	case ME_PAREN:
		visit_mod(w, m->inner);
		return;
	case ME_ASCRIBE:
		visit_mod(w, m->ascribe.of);
		return;
	case ME_APPLY:
		visit_mod(w, m->apply.fn);
		visit_mod(w, m->apply.arg);
		return;
	case ME_LAMBDA:
		visit_mod(w, m->lambda.body);
		return;
	case ME_NAME: case ME_IMPORT:
		return;
	}
}

Decls mod_body(const ModExpr *m)
{
	while (m->kind == ME_PAREN || m->kind == ME_ASCRIBE || m->kind == ME_LAMBDA)
		m = m->kind == ME_PAREN ? m->inner
			: m->kind == ME_ASCRIBE ? m->ascribe.of : m->lambda.body;
	return m->kind == ME_BODY ? m->body : (Decls){0};
}
