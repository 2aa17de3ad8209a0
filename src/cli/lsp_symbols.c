// Outlines: the definitions of a document or of all files of the workspace, and folding ranges.
#include "cli/lsp.h"

#include <ctype.h>

// Kinds of symbols, by the protocol's numbers.
enum { SYM_MODULE = 2, SYM_INTERFACE = 11, SYM_FUNCTION = 12, SYM_CONSTANT = 14, SYM_STRUCT = 23 };

typedef struct { Name name; Span span; int kind; const char *detail; Decls inside; } Symbol;

static bool symbol_of(const Decl *d, Symbol *s)
{
	*s = (Symbol){0};
	switch (d->kind) {
	case DEC_VAL: {
		const Binding *b = d->val.binding;
		const char *type = b && b->scheme.type ? show_ty(b->scheme.type) : NULL;
		*s = (Symbol){d->val.name, d->val.name_span,
		              d->val.pats.len ? SYM_FUNCTION : SYM_CONSTANT, type, {0}};
		return true;
	}
	case DEC_TYPE:
		*s = (Symbol){d->type.name, d->type.name_span, SYM_STRUCT,
		              show_type_expr(d->type.type), {0}};
		return true;
	case DEC_MODULE:
		*s = (Symbol){d->module.name, d->module.name_span, SYM_MODULE, NULL,
		              mod_body(d->module.body)};
		return true;
	case DEC_MODULE_TYPE:
		*s = (Symbol){d->module_type.name, d->module_type.name_span, SYM_INTERFACE, NULL,
		              {0}};
		return true;
	case DEC_OPEN:
		s->inside = mod_body(d->open);
		return false;
	case DEC_IMPORT:
		return false;
	}
	return false;
}

// ---- One document ----

static void put_symbols(Str *out, Decls decls)
{
	bool first = true;
	str_putc(out, '[');
	for EACH(Decl *, d, decls) {
		Symbol s;
		show_names_for((*d)->span);
		if (!symbol_of(*d, &s))
			continue;
		Span all = span_join((*d)->span, s.span);
		str_printf(out, "%s{\"name\":%s,\"kind\":%d,\"range\":%s,\"selectionRange\":%s",
		           first ? "" : ",", json_string(s.name), s.kind, range_json(all),
		           range_json(s.span));
		if (s.detail)
			str_printf(out, ",\"detail\":%s", json_string(s.detail));
		if (s.inside.len) {
			str_puts(out, ",\"children\":");
			put_symbols(out, s.inside);
		}
		str_putc(out, '}');
		first = false;
	}
	str_putc(out, ']');
}

const char *answer_document_symbols(Ask *a)
{
	Str s = {0};
	put_symbols(&s, a->program->root->decls);
	return str_text(&s);
}

// ---- The workspace ----

static bool matches(const char *name, const char *query)
{
	for (; *query; query++) {               // its letters in this order
		while (*name && tolower((unsigned char)*name) != tolower((unsigned char)*query))
			name++;
		if (!*name++)
			return false;
	}
	return true;
}

enum { MOST_SYMBOLS = 500 };

typedef struct { Str out; const char *query, *uri; int n; } Search;

static void search_decls(Search *w, Decls decls, const char *around)
{
	for EACH(Decl *, d, decls) {
		Symbol s;
		bool named = symbol_of(*d, &s);
		if (named && matches(s.name, w->query) && w->n < MOST_SYMBOLS)
			str_printf(&w->out, "%s{\"name\":%s,\"kind\":%d,\"containerName\":%s,"
			           "\"location\":{\"uri\":%s,\"range\":%s}}", w->n++ ? "," : "",
			           json_string(s.name), s.kind, json_string(around),
			           json_string(w->uri), range_json(s.span));
		search_decls(w, s.inside, named ? s.name : around);
	}
}

static void search_file(const Ask *a, Search *w, const char *path)
{
	size_t len;
	const char *body = NULL;
	w->uri = uri_of_path(path);
	for EACH(Document, d, *a->documents)
		if (strcmp(d->path, path) == 0) {
			body = d->body;
			len = strlen(body);
			w->uri = d->uri;
		}
	if (!body)
		body = read_file(path, &len);
	Source *source = body ? source_add(path, body, len) : NULL;
	if (source)
		search_decls(w, parse_file(source)->decls, "");
}

const char *answer_workspace_symbols(Ask *a)
{
	const char *query = member_text(a->params, "query");
	Search w = {.query = query ? query : ""};
	TextVec files = {0};
	if (workspace_root)
		list_files(&files, workspace_root, 0);
	str_putc(&w.out, '[');
	for EACH(Document, d, *a->documents) {
		bool listed = false;
		for EACH(const char *, f, files)
			listed |= strcmp(*f, d->path) == 0;
		if (!listed)
			search_file(a, &w, d->path);
	}
	for EACH(const char *, f, files)
		search_file(a, &w, *f);
	str_putc(&w.out, ']');
	return str_text(&w.out);
}

// ---- Folding ----

typedef struct { Str out; } Folds;

static void put_fold(Folds *f, Span at, const char *kind)
{
	int first = place_of(at.lo).line, last = place_of(at.hi).line;
	if (last <= first)
		return;
	str_printf(&f->out, "%s{\"startLine\":%d,\"endLine\":%d", f->out.len > 1 ? "," : "", first,
	           last);
	if (kind)
		str_printf(&f->out, ",\"kind\":\"%s\"", kind);
	str_putc(&f->out, '}');
}

static void fold_decl(void *ctx, Decl *d)
{
	if (d->kind != DEC_IMPORT)
		put_fold(ctx, d->span, NULL);
}

static void fold_expr(void *ctx, Expr *e)
{
	if (e->kind == EX_LET_FUN)
		put_fold(ctx, (Span){e->span.lo, e->let_fun.value->span.hi}, NULL);
	else if (e->kind == EX_MATCH || e->kind == EX_LOOP || e->kind == EX_RECORD ||
	         e->kind == EX_ARRAY || e->kind == EX_LAMBDA)
		put_fold(ctx, e->span, NULL);
}

static void fold_comments(Folds *f, Comments comments)
{
	for (int i = 0; i < comments.len; ) {
		int n = i + 1;
		int line = place_of(comments.at[i].span.lo).line;
		while (n < comments.len && comments.at[n].own_line &&
		       place_of(comments.at[n].span.lo).line == line + n - i)
			n++;
		if (comments.at[i].own_line)
			put_fold(f, (Span){comments.at[i].span.lo, comments.at[n - 1].span.hi},
			         "comment");
		i = n;
	}
}

static void fold_imports(Folds *f, Decls decls)
{
	Span all = NOWHERE;
	for EACH(Decl *, d, decls) {
		if ((*d)->kind != DEC_IMPORT)
			break;
		all = span_join(all, (*d)->span);
	}
	if (all.lo)
		put_fold(f, all, "imports");
}

const char *answer_folding(Ask *a)
{
	Folds f = {0};
	str_putc(&f.out, '[');
	fold_imports(&f, a->program->root->decls);
	fold_comments(&f, a->program->root->comments);
	each_node(&(EachNode){.decl = fold_decl, .expr = fold_expr, .ctx = &f},
	          a->program->root->decls);
	str_putc(&f.out, ']');
	return str_text(&f.out);
}
