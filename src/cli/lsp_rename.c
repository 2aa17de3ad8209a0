// Renaming a name in all files.
//
// A record field with the same spelling keeps its name:
//
//     let x = 1 in {x}        x to y:     let y = 1 in {x = y}
//
// The result is checked before it is returned: the program must have no new errors, and every name
// in it must refer to what it referred to before.  Otherwise the new name clashes with another one,
// and the request is refused.
#include "cli/lsp.h"

#include <ctype.h>
#include <stdlib.h>

// An edit, with the place in its file.
typedef struct { const char *path; uint32_t lo, hi; const char *new; uint32_t inner; } Edit;
typedef VEC(Edit) Edits;

// ---- What can be renamed ----

static const Use *renamable(Ask *a)
{
	const Use *u = use_at(a, a->at);
	Span at = u ? u->definition : NOWHERE;
	if (!u) {
		a->refused = "There is no name here that can be renamed.";
	} else if (!at.lo) {
		a->refused = text("\"%s\" is built in.", span_text(u->span));
	} else if (str_starts(source_of(at.lo)->name, "/prelude/")) {
		a->refused = text("\"%s\" is defined by the prelude.", span_text(u->span));
	} else if (strcmp(span_text(at), span_text(u->span)) != 0) {
		a->refused = text("\"%s\" is not spelled like this where it is defined.",
		                  span_text(u->span));
	}
	return a->refused ? NULL : u;
}

const char *answer_prepare_rename(Ask *a)
{
	const Use *u = renamable(a);
	return !u ? "null" : text("{\"range\":%s,\"placeholder\":%s}", range_json(u->span),
	                          json_string(span_text(u->span)));
}

static bool is_operator(const char *s)
{
	return !isalpha((unsigned char)s[0]) && s[0] != '_';
}

static bool is_name(const char *s, bool op)
{
	int before = diags.len;
	Source *source = source_add("", s, strlen(s));
	Tokens t = lex(source, NULL);
	bool one = diags.len == before && t.len == 2 &&
	           t.at[0].kind == (op ? TOK_SYM : TOK_ID) &&
	           t.at[0].span.hi - t.at[0].span.lo == strlen(s);
	tokens_free(t);
	diags.len = before;
	return one;
}

// ---- Edits ----

static void note_pun(Map *puns, Span at)
{
	map_put(puns, (const void *)(uintptr_t)at.lo, puns);
}

static void pun_of_expr(void *ctx, Expr *e)
{
	if (e->kind == EX_RECORD)
		for EACH(FieldExpr, f, e->record)
			if (f->punned)
				note_pun(ctx, f->span);
}

static void pun_of_pat(void *ctx, Pat *p)
{
	if (p->kind == PAT_RECORD)
		for EACH(FieldPat, f, p->record)
			if (f->punned)
				note_pun(ctx, f->span);
}

static void find_puns(const Program *p, Map *puns)
{
	EachNode each = {.expr = pun_of_expr, .pat = pun_of_pat, .ctx = puns};
	for EACH(File *, f, p->files)
		if (!str_starts((*f)->path, "/prelude/"))
			each_node(&each, (*f)->decls);
}

static int by_path(const void *a, const void *b)
{
	const Edit *x = a, *y = b;
	int c = strcmp(x->path, y->path);
	return c ? c : x->lo < y->lo ? -1 : x->lo > y->lo;
}

static Edits edits_of(const Spots *spots, const Map *puns, const char *new)
{
	Edits out = {0};
	for EACH(Spot, s, *spots) {
		bool pun = map_has(puns, (const void *)(uintptr_t)s->span.lo);
		const char *old = span_text(s->span);
		const char *with = pun ? text("%s = %s", old, new) : new;
		VEC_PUSH(&out, (Edit){s->path, s->lo, s->hi, with,
		                      (uint32_t)(strlen(with) - strlen(new))});
	}
	if (out.len)
		qsort(out.at, (size_t)out.len, sizeof *out.at, by_path);
	return out;
}

// ---- Parts that were not checked ----

static bool is_known(const Uses *uses, Span at)
{
	for EACH(Use, u, *uses)
		if (u->span.lo == at.lo)
			return true;
	return false;
}

// Where a file has the name at a place that nothing is known of, past an error: NOWHERE if not.
static Span unknown_spot(const Uses *uses, const Source *s, const char *name)
{
	int before = diags.len;
	Tokens tokens = lex(s, NULL);
	Span found = NOWHERE;
	for (int i = 0; i < tokens.len && !found.lo; i++) {
		const Token *t = &tokens.at[i];
		bool named = t->kind == TOK_ID || t->kind == TOK_SYM;
		bool is_it = named && strcmp(t->name, name) == 0;
		if (is_it && !(i && t[-1].kind == TOK_DOT) && !is_known(uses, t->span))
			found = t->span;
	}
	tokens_free(tokens);
	diags.len = before;
	return found;
}

static int errors_in(const Source *s)
{
	int n = 0;
	for EACH(Diag *, d, diags)
		n += (*d)->kind == D_ERROR && source_of((*d)->span.lo) == s;
	return n;
}

// NULL, or why not all places of the name are known.
static const char *unchecked(const Program *p, const char *name)
{
	for EACH(File *, f, p->files) {
		Span at = str_starts((*f)->path, "/prelude/") || !errors_in((*f)->source) ? NOWHERE
		        : unknown_spot(&p->uses, (*f)->source, name);
		if (at.lo)
			return text("What \"%s\" means at %s is not known because of errors.",
			            name, show_span(at));
	}
	return NULL;
}

// ---- Checking ----

// The meaning of a name: where it is, and where what it means is defined.
typedef struct { const char *path, *def_path; uint32_t lo, def_lo; } Meaning;
typedef VEC(Meaning) Meanings;

static uint32_t moved(const Edits *edits, const char *path, uint32_t at)
{
	int64_t to = at;
	for EACH(Edit, e, *edits) {
		if (strcmp(e->path, path) != 0 || e->lo > at)
			continue;
		to += e->lo == at ? e->inner : (int64_t)strlen(e->new) - (e->hi - e->lo);
	}
	return (uint32_t)to;
}

// Equal paths are mostly the same text.
static int by_words(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int by_meaning(const void *a, const void *b)
{
	const Meaning *x = a, *y = b;
	int c = by_words(x->path, y->path);
	if (!c)
		c = x->lo < y->lo ? -1 : x->lo > y->lo;
	if (!c)
		c = by_words(x->def_path, y->def_path);
	return c ? c : x->def_lo < y->def_lo ? -1 : x->def_lo > y->def_lo;
}

static Meanings meanings_of(const Program *p, const Edits *edits)
{
	Meanings out = {0};
	Uses uses = sorted_uses(p);
	Map paths = {0};
	for EACH(Use, u, uses) {
		Span def = u->definition;
		const Source *s[2] = {source_of(u->span.lo), source_of(def.lo)};
		const char *path[2] = {"", ""};
		for (int i = 0; i < 2; i++) {
			if (s[i] && !map_get(&paths, s[i]))
				map_put(&paths, s[i], (void *)source_path(s[i]));
			path[i] = s[i] ? map_get(&paths, s[i]) : "";
		}
		Meaning m = {path[0], path[1], u->span.lo - s[0]->start,
		             s[1] ? def.lo - s[1]->start : 0};
		if (edits) {
			m.lo = moved(edits, m.path, m.lo);
			m.def_lo = moved(edits, m.def_path, m.def_lo);
		}
		VEC_PUSH(&out, m);
	}
	if (out.len)
		qsort(out.at, (size_t)out.len, sizeof *out.at, by_meaning);
	return out;
}

static bool same_meanings(const Meanings *a, const Meanings *b)
{
	bool same = a->len == b->len;
	for (int i = 0; same && i < a->len; i++)
		same = by_meaning(&a->at[i], &b->at[i]) == 0;
	return same;
}

static const char *edited(const char *body, size_t len, const Edits *edits, const char *path)
{
	Str s = {0};
	size_t at = 0;
	for EACH(Edit, e, *edits) {
		if (strcmp(e->path, path) != 0 || e->hi > len)
			continue;
		str_putn(&s, body + at, e->lo - at);
		str_puts(&s, e->new);
		at = e->hi;
	}
	str_putn(&s, body + at, len - at);
	return str_text(&s);
}

// The documents as they will be, with those that are not open too.
static Documents edited_documents(const Ask *a, const Edits *edits)
{
	Documents out = {NEW_ARRAY(Document, a->documents->len + edits->len), 0};
	for EACH(Document, d, *a->documents) {
		out.at[out.len] = *d;
		out.at[out.len++].body =
			(char *)edited(d->body, strlen(d->body), edits, d->path);
	}
	for EACH(Edit, e, *edits) {
		bool there = false;
		for EACH(Document, d, out)
			there |= strcmp(d->path, e->path) == 0;
		size_t len;
		const char *body = there ? NULL : read_file(e->path, &len);
		if (body)
			out.at[out.len++] = (Document){
				.uri = (char *)uri_of_path(e->path), .path = (char *)e->path,
				.body = (char *)edited(body, len, edits, e->path)};
	}
	return out;
}

static int errors_in_files(const Program *p)
{
	int n = 0;
	for EACH(File *, f, p->files)
		n += errors_in((*f)->source);
	return n;
}

// The first error that was not there before.
static const char *new_error(int first)
{
	for (int i = first; i < diags.len; i++) {
		bool old = diags.at[i]->kind != D_ERROR;
		for (int j = 0; j < first && !old; j++)
			old = strcmp(diags.at[i]->message, diags.at[j]->message) == 0;
		if (!old)
			return diags.at[i]->message;
	}
	return "There would be more errors.";
}

// NULL, or why the new name will not do.
static const char *clash(const Ask *a, const Program *old, const Documents *then,
                         const Edits *edits)
{
	const char *path = source_path(old->root->source);
	const Document *d = NULL;
	for EACH(Document, at, *then)
		if (strcmp(at->path, path) == 0)
			d = at;
	bool own = old == a->program;
	if (!d)
		return NULL;                    // nothing to rename in it, nor in what it imports
	int first = diags.len;
	Program *new = load_for_editor(then, own ? old->root->path : path, d->body,
	                               strlen(d->body));
	Meanings before = meanings_of(old, edits), after = meanings_of(new, NULL);
	if (errors_in_files(new) > errors_in_files(old))
		return new_error(first);
	return same_meanings(&before, &after) ? NULL
	     : "Another definition of this name is in the way.";
}

// ---- The answer ----

static const char *show_edits(const Ask *a, const Spots *spots, const Edits *edits)
{
	Str s = {0};
	const char *path = "";
	str_puts(&s, "{\"changes\":{");
	for EACH(Edit, e, *edits) {
		Span span = NOWHERE;
		for EACH(Spot, p, *spots)
			if (p->lo == e->lo && strcmp(p->path, e->path) == 0)
				span = p->span;
		if (strcmp(path, e->path) != 0) {
			const char *uri = uri_of_path(e->path);
			for EACH(Document, d, *a->documents)
				if (strcmp(d->path, e->path) == 0)
					uri = d->uri;
			str_printf(&s, "%s%s:[", *path ? "]," : "", json_string(uri));
		} else {
			str_putc(&s, ',');
		}
		path = e->path;
		str_printf(&s, "{\"range\":%s,\"newText\":%s}", range_json(span),
		           json_string(e->new));
	}
	str_puts(&s, *path ? "]}}" : "}}");
	return str_text(&s);
}

const char *answer_rename(Ask *a)
{
	const Use *u = renamable(a);
	const char *new = member_text(a->params, "newName");
	if (!u)
		return "null";
	const char *old = span_text(u->span);
	if (!new || !is_name(new, is_operator(old))) {
		a->refused = text("\"%s\" is not %s.", new ? new : "",
		                  is_operator(old) ? "an operator" : "a name");
		return "null";
	}
	diags = a->diags;                       // with the syntax errors
	diags.cap = diags.len;
	Programs programs = {0};
	Map puns = {0};
	Spots spots = find_spots(a, u, true, &programs);
	VEC_PUSH(&programs, a->program);
	for EACH(Program *, p, programs)
		find_puns(*p, &puns);
	Edits edits = edits_of(&spots, &puns, new);
	Documents then = edited_documents(a, &edits);
	for EACH(Program *, p, programs) {
		const char *why = unchecked(*p, old);
		why = why ? why : clash(a, *p, &then, &edits);
		if (why) {
			a->refused = text("\"%s\" cannot be renamed to \"%s\": %s", old, new, why);
			return "null";
		}
	}
	return show_edits(a, &spots, &edits);
}
