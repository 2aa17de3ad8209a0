// Requests about the name at a position: hover, definition, type definition, highlights.
#include "cli/complete.h"
#include "cli/lsp.h"

// ---- Hover ----

typedef struct { Span span; Ty *type; } TypedName;

static void note_type(TypedName *t, Span at, Ty *type)
{
	if (type && at.lo <= t->span.lo && t->span.hi <= at.hi)
		t->type = type;
}

// The type at this use of a value, which may be an instance of its own.
static void type_of_expr(void *ctx, Expr *e)
{
	TypedName *t = ctx;
	if (e->kind == EX_VAR && e->var.name.span.hi == t->span.hi && !e->var.fields.len)
		note_type(t, e->span, e->type);
	else if (e->kind == EX_VAR && e->var.is_op)
		note_type(t, e->span, e->type);
	else if (e->kind == EX_BINOP)
		note_type(t, e->binop.op.span, e->binop.op_type);
	else if (e->kind == EX_SECTION_L || e->kind == EX_SECTION_R)
		note_type(t, e->section.op.span, e->section.op_type);
}

static void type_of_pat(void *ctx, Pat *p)
{
	if (p->kind == PAT_NAME)
		note_type(ctx, p->span, p->type);
}

static Ty *type_of_use(const Ask *a, const Use *u)
{
	TypedName t = {.span = u->span};
	each_node(&(EachNode){.expr = type_of_expr, .pat = type_of_pat, .ctx = &t},
	          a->program->root->decls);
	return t.type ? t.type : u->value ? u->value->scheme.type : NULL;
}

static const char *show_params(TypeParams params)
{
	static const char *const mark[] = {NULL, "'", "'~", "'^"}; // ORDER TypeParamKind
	Str s = {0};
	for EACH(TypeParam, p, params)
		if (p->kind == TP_SIZE)
			str_printf(&s, " [%s]", p->name);
		else
			str_printf(&s, " %s%s", mark[p->kind], p->name);
	return str_text(&s);
}

static const char *describe_type(const TypeDef *d)
{
	static const char *const lifted[] = {"", "~", "^"}; // ORDER Lifting
	if (d->kind == TD_PRIM)
		return text("type %s", d->name);
	if (d->kind == TD_PARAM)
		return text("'%s%s", lifted[d->lifting], d->name);
	const char *head = text("type%s %s%s", lifted[d->lifting], d->name, show_params(d->params));
	return d->kind == TD_ABBREV && d->body && d->body != ty_error
	     ? text("%s = %s", head, show_ty(d->body)) : head;
}

// As in "f : i32 -> i32".
static const char *describe_use(const Ask *a, const Use *u)
{
	if (u->type)
		return describe_type(u->type);
	if (u->sig)
		return text("module type %s", u->sig->name);
	if (u->value->kind == BIND_MODULE)
		return text("module %s", u->value->name);
	Ty *t = type_of_use(a, u);
	return t ? text("%s : %s", u->value->name, show_ty(t)) : u->value->name;
}

static const char *use_doc(const Use *u)
{
	return u->value ? binding_doc(u->value) : u->type ? u->type->doc : NULL;
}

static const char *hover_text(const char *code, const char *doc, Span at)
{
	const char *shown = text("```futhark\n%s\n```%s%s", code, doc ? "\n\n" : "",
	                         doc ? doc : "");
	return text("{\"contents\":{\"kind\":\"markdown\",\"value\":%s},\"range\":%s}",
	            json_string(shown), range_json(at));
}

// The smallest expression at a place that has a type and is not just a bracket around others.
typedef struct { Loc at; const Expr *found; } Smallest;

static void note_smallest(void *ctx, Expr *e)
{
	Smallest *s = ctx;
	bool is_part = e->kind == EX_PROJECT || e->kind == EX_CONSTR || e->kind == EX_HOLE ||
	               e->kind == EX_INT || e->kind == EX_FLOAT || e->kind == EX_STRING ||
	               e->kind == EX_VAR || e->kind == EX_INDEX;
	if (is_part && e->type && e->span.lo <= s->at && s->at < e->span.hi)
		s->found = e;
}

const char *answer_hover(Ask *a)
{
	const Use *u = use_at(a, a->at);
	if (u && (u->value || u->type || u->sig))
		return hover_text(describe_use(a, u), use_doc(u), u->span);
	Smallest s = {.at = a->at};
	each_node(&(EachNode){.expr = note_smallest, .ctx = &s}, a->program->root->decls);
	if (!s.found)
		return "null";
	return hover_text(text("%s : %s", show_expr(s.found), show_ty(s.found->type)), NULL,
	                  s.found->span);
}

// ---- Places ----

static const char *location(Span at)
{
	const Source *s = source_of(at.lo);
	const char *uri = s ? uri_of_source(s) : NULL;
	return uri ? text("{\"uri\":%s,\"range\":%s}", json_string(uri), range_json(at)) : "null";
}

// The document's own address is as the editor wrote it.
static const char *location_for(const Ask *a, Span at)
{
	if (source_of(at.lo) != a->source)
		return location(at);
	return text("{\"uri\":%s,\"range\":%s}", json_string(a->document->uri), range_json(at));
}

static void find_import_at(void *ctx, Decl *d)
{
	const ModExpr **found = ctx;
	const ModExpr *m = d->kind == DEC_IMPORT ? d->import : d->kind == DEC_OPEN ? d->open
	                 : d->kind == DEC_MODULE ? d->module.body : NULL;
	Loc at = (*found)->span.lo;
	Span path = m && m->kind == ME_IMPORT ? m->import.path_span : NOWHERE;
	if (path.lo <= at && at < path.hi)
		*found = m;
}

const char *answer_definition(Ask *a)
{
	const Use *u = use_at(a, a->at);
	if (u) {
		Span at = u->definition;
		return at.lo ? location_for(a, at) : "null";
	}
	ModExpr place = {.span = {a->at, a->at}};
	const ModExpr *import = &place;
	each_node(&(EachNode){.decl = find_import_at, .ctx = &import}, a->program->root->decls);
	const struct File *f = import == &place ? NULL : import->import.file;
	return f ? location((Span){f->source->start, f->source->start}) : "null";
}

// Abbreviations are expanded in types, so only a type that is written says its name.
static const TypeExpr *written_type(const Binding *b, const Program *p);

typedef struct { const Binding *b; const TypeExpr *found; } Written;

static void note_ascription(void *ctx, Pat *p)
{
	Written *w = ctx;
	const Pat *of = p->kind == PAT_ASCRIBE ? p->ascribe.pat : NULL;
	if (of && of->kind == PAT_NAME && of->var.binding == w->b)
		w->found = p->ascribe.type;
}

static const TypeExpr *written_type(const Binding *b, const Program *p)
{
	Written w = {.b = b};
	if (b->decl)
		return b->decl->val.ret;
	each_node(&(EachNode){.pat = note_ascription, .ctx = &w}, p->root->decls);
	return w.found;
}

const char *answer_type_definition(Ask *a)
{
	const Use *u = use_at(a, a->at);
	if (u && u->type)
		return answer_definition(a);
	const TypeExpr *t = u && u->value ? written_type(u->value, a->program) : NULL;
	while (t && t->kind != TE_NAME)
		t = t->kind == TE_ARRAY ? t->array.elem : t->kind == TE_APPLY ? t->apply.fn
		  : t->kind == TE_UNIQUE || t->kind == TE_PAREN ? t->inner : NULL;
	const Use *name = t && t->span.hi > t->span.lo ? use_at(a, t->span.hi - 1) : NULL;
	Span at = name ? name->definition : NOWHERE;
	return at.lo ? location_for(a, at) : "null";
}

const char *answer_references(Ask *a)
{
	const Use *u = use_at(a, a->at);
	const Json *with = member(a->params, "context.includeDeclaration");
	if (!u)
		return "[]";
	Programs programs = {0};
	Spots spots = find_spots(a, u, true, &programs);
	Str s = {0};
	str_putc(&s, '[');
	for EACH(Spot, p, spots)
		if (!p->defines || !with || with->number != 0)
			str_printf(&s, "%s%s", s.len > 1 ? "," : "", location_for(a, p->span));
	str_putc(&s, ']');
	return str_text(&s);
}

const char *answer_highlight(Ask *a)
{
	const Use *u = use_at(a, a->at);
	Str s = {0};
	str_putc(&s, '[');
	Spots spots = {0};
	if (u)
		spots = find_spots(a, u, false, NULL);
	for EACH(Spot, p, spots)
		if (source_of(p->span.lo) == a->source)
			str_printf(&s, "%s{\"range\":%s,\"kind\":%d}", s.len > 1 ? "," : "",
			           range_json(p->span), p->defines ? 3 : 2);
	str_putc(&s, ']');
	return str_text(&s);
}
