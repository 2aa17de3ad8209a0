// Commands that show what a program defines: defs and query.
#include "cli/cli.h"

#include <stdlib.h>

// "a.fut:3:5-3:9", always with both lines.
static const char *show_both(Span s)
{
	Pos a = loc_pos(s.lo), b = loc_pos(s.hi);
	return text("%s:%d:%d-%d:%d", a.file, a.line, a.col, b.line, b.col);
}

static bool load_quietly(const char *path, bool checked, Loaded *l)
{
	bool ok = driver_check(path, (LoadOptions){.no_warnings = true, .files_only = !checked}, l);
	report_diags();
	return ok;
}

// ---- defs ----

static void list_decls(Decls decls, const char *prefix)
{
	for EACH(Decl *, p, decls) {
		const Decl *d = *p;
		switch (d->kind) {
		case DEC_VAL:
			printf("value %s%s %s\n", prefix, d->val.name, show_both(d->val.name_span));
			break;
		case DEC_TYPE:
			printf("type %s%s %s\n", prefix, d->type.name,
				show_both(d->type.name_span));
			break;
		case DEC_MODULE:
			printf("module %s%s %s\n", prefix, d->module.name,
				show_both(d->module.name_span));
			list_decls(mod_body(d->module.body), text("%s%s.", prefix, d->module.name));
			break;
		case DEC_MODULE_TYPE:
			printf("module type %s%s %s\n", prefix, d->module_type.name,
			       show_both(d->module_type.name_span));
			break;
		case DEC_OPEN:
			list_decls(mod_body(d->open), prefix);
			break;
		case DEC_IMPORT:
			break;
		}
	}
}

int cmd_defs(int argc, char **argv)
{
	const Usage u = {
		"defs", "PROGRAM",
		"Lists the definitions of a program and its imports with their positions, "
		"one per line.", 1, 1, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Loaded l;
	if (!load_quietly(args.at[0], false, &l))
		return 2;
	for EACH(File *, f, l.program->files)
		if (!str_starts((*f)->path, "/prelude/"))
			list_decls((*f)->decls, "");
	return 0;
}

// ---- query ----

typedef struct { Loc at; NameInfo found; } Query; // found.name NULL: nothing so far

static bool covers(const Query *q, Span s)
{
	return s.lo <= q->at && q->at < s.hi;
}

static void found(Query *q, const char *name, Span at, Ty *type, const Binding *b)
{
	if (covers(q, at))
		q->found = (NameInfo){name, at, type, b};
}

static void visit_pat(Walk *w, Pat *p)
{
	if (p->kind == PAT_NAME)
		found(w->ctx, p->var.name, p->span, p->type, p->var.binding);
	walk_pat(w, p);
}

static void visit_expr(Walk *w, Expr *e)
{
	Query *q = w->ctx;
	if (!covers(q, e->span))
		return;
	switch (e->kind) {
	case EX_VAR:
		found(q, show_qualname(e->var.name), e->span, e->type, e->var.binding);
		break;
	case EX_BINOP:
		found(q, show_qualname(e->binop.op), e->binop.op.span, e->binop.op_type,
			e->binop.binding);
		break;
	case EX_SECTION_L:
	case EX_SECTION_R:
		found(q, show_qualname(e->section.op), e->section.op.span, e->section.op_type,
		      e->section.binding);
		break;
	case EX_LET_FUN:
		found(q, e->let_fun.name, e->let_fun.name_span, NULL, e->let_fun.binding);
		break;
	case EX_LET_UPDATE:
		found(q, e->let_update.name, e->let_update.name_span, NULL, e->let_update.src);
		break;
	case EX_LOOP:
		if (e->loop.kind == LOOP_FOR)
			found(q, e->loop.index, e->loop.index_span, NULL, e->loop.index_binding);
		break;
	default:
		break;
	}
	walk_expr(w, e);
}

static void visit_decl(Walk *w, Decl *d)
{
	if (d->kind == DEC_VAL)
		found(w->ctx, d->val.name, d->val.name_span, NULL, d->val.binding);
	else if (d->kind == DEC_MODULE)
		found(w->ctx, d->module.name, d->module.name_span, NULL, d->module.binding);
	walk_decl(w, d);
}

// The place in a file; columns count characters.
static Loc loc_of(const Source *s, int64_t line, int64_t col)
{
	if (line < 1 || line > s->n_lines || col < 1)
		return 0;
	uint32_t at = s->lines[line - 1];
	for (; col > 1 && at < s->len && s->text[at] != '\n'; col--)
		do
			at++;
		while (at < s->len && ((unsigned char)s->text[at] & 0xC0) == 0x80);
	return s->start + at;
}

bool find_name_at(const Program *p, int64_t line, int64_t col, NameInfo *out)
{
	Query q = {.at = loc_of(p->root->source, line, col)};
	Walk w = {.expr = visit_expr, .pat = visit_pat, .type = walk_type, .decl = visit_decl,
	          .ctx = &q};
	if (q.at)
		walk_decls(&w, p->root->decls);
	*out = q.found;
	return q.found.name != NULL;
}

// NULL for modules.
static const char *name_type(const NameInfo *n)
{
	const Binding *b = n->binding;
	Ty *t = n->type ? n->type : b && b->kind != BIND_MODULE ? b->scheme.type : NULL;
	return t && ty_resolve(t)->kind != TY_ERROR ? show_ty(t) : NULL;
}

static void print_answer(const NameInfo *n)
{
	const char *type = name_type(n);
	printf("Name: %s\nPosition: %s\n", n->name, show_span(n->position));
	if (type)
		printf("Type: %s\n", type);
	if (n->binding && n->binding->span.lo)
		printf("Definition: %s\n", show_span(n->binding->span));
}

static int64_t number(const Usage *u, const char *s)
{
	char *end;
	int64_t n = strtoll(s, &end, 10);
	if (!*s || *end || n < 1)
		usage_error(u, "\"%s\" is not a line or column", s);
	return n;
}

int cmd_query(int argc, char **argv)
{
	const Usage u = {
		"query", "PROGRAM LINE COL",
		"Prints the name at a position of a program, its type and where "
		"it is defined.", 3, 3, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	int64_t line = number(&u, args.at[1]), col = number(&u, args.at[2]);
	Loaded l;
	if (!load_quietly(args.at[0], true, &l))
		return 2;
	NameInfo n;
	if (find_name_at(l.program, line, col, &n))
		print_answer(&n);
	else
		puts("No information available.");
	return 0;
}
