// Diagnostics, quick fixes for them, and the derivatives of definitions.
//
// Quick fixes are derived from the hints in messages, so that each fix is described only once,
// where the error is detected: "did you mean", "use A.B to convert", "there is f32.sqrt, f64.sqrt".
#include "cli/lsp.h"

#include <ctype.h>
#include <dirent.h>

// ---- Diagnostics ----

// Those of one place are next to each other.
static bool is_repeat(const Ask *a, int i)
{
	const Diag *d = a->diags.at[i];
	for (int j = i; j-- > 0; ) {
		const Diag *e = a->diags.at[j];
		if (e->span.lo != d->span.lo || e->span.hi != d->span.hi)
			return false;
		if (e->kind == d->kind &&
		    (d->kind == D_ERROR || strcmp(e->message, d->message) == 0))
			return true;
	}
	return false;
}

enum { MOST_SHOWN = 200 };

static void put_diag(Str *s, const Ask *a, const Diag *d)
{
	bool here = d->span.lo && source_of(d->span.lo) == a->source;
	const char *place = here || !d->span.lo ? "" : text("%s: ", show_span(d->span));
	const char *message = text("%s%s%s%s", place, d->message, d->notes ? "\n" : "",
	                           d->notes ? d->notes : "");
	Span top = {a->source->start, a->source->start + (a->source->len ? 1 : 0)};
	bool unused = d->kind == D_WARNING && str_starts(d->message, "Unused name");
	str_printf(s, "{\"range\":%s,\"severity\":%d,%s\"source\":\"raido\",\"message\":%s}",
	           range_json(here ? d->span : top), d->kind == D_ERROR ? 1 : 2,
	           unused ? "\"tags\":[1]," : "", json_string(message));
}

// What is wrong in other files is shown at the beginning of this one.
const char *answer_diagnostics(Ask *a)
{
	Str s = {0};
	int n = 0;
	str_putc(&s, '[');
	for (int i = 0; i < a->diags.len && n < MOST_SHOWN; i++) {
		const Diag *d = a->diags.at[i];
		const Source *of = source_of(d->span.lo);
		bool foreign = of && of != a->source;
		if (is_repeat(a, i) || (foreign && d->kind == D_WARNING))
			continue;
		str_puts(&s, n++ ? "," : "");
		put_diag(&s, a, d);
	}
	str_putc(&s, ']');
	return str_text(&s);
}

// ---- Quick fixes ----

typedef struct { const Ask *a; const Diag *d; Str *out; } Fixes;

static void put_fix(Fixes *f, const char *title, Span at, const char *new)
{
	str_printf(f->out, "%s{\"title\":%s,\"kind\":\"quickfix\",\"diagnostics\":[",
	           f->out->len > 1 ? "," : "", json_string(title));
	put_diag(f->out, f->a, f->d);
	str_printf(f->out, "],\"edit\":{\"changes\":{%s:[{\"range\":%s,\"newText\":%s}]}}}",
	           json_string(f->a->document->uri), range_json(at), json_string(new));
}

// The text between quotes after `lead` in a message, or NULL.
static const char *quoted_after(const char *message, const char *lead)
{
	const char *at = message ? strstr(message, lead) : NULL;
	const char *end = at ? strchr(at + strlen(lead), '"') : NULL;
	return end ? text("%.*s", (int)(end - at - (int)strlen(lead)), at + strlen(lead)) : NULL;
}

// The name that is not known, of which the place holds more where fields follow it.
static Span unknown_name(const Diag *d, const char **name)
{
	*name = NULL;
	if (str_starts(d->message, "Unknown ")) {
		*name = quoted_after(d->message, "\"");
		if (*name && str_starts(span_text(d->span), *name))
			return (Span){d->span.lo, d->span.lo + (Loc)strlen(*name)};
	}
	return NOWHERE;
}

static bool is_identifier(const char *s)
{
	size_t n = 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '\'' || s[n] == '.')
		n++;
	return n && !s[n] && (isalpha((unsigned char)s[0]) || s[0] == '_');
}

static void fix_name(Fixes *f)
{
	const char *name;
	Span at = unknown_name(f->d, &name);
	const char *notes = f->d->notes ? f->d->notes : "";
	if (!at.lo)
		return;
	const char *near = quoted_after(notes, "did you mean \"");
	if (!near)
		near = quoted_after(notes, "it is called \"");
	if (!near)
		near = quoted_after(notes, "the number of elements is \"");
	if (near && is_identifier(near))
		put_fix(f, text("Replace by \"%s\"", near), at, near);
	const char *members = strstr(notes, "there is ");
	for (const char *p = members ? members + 9 : ""; *p && *p != '\n'; ) {
		size_t n = strcspn(p, ", \n");
		const char *word = text("%.*s", (int)n, p);
		if (n && word[n - 1] == '.')
			word = text("%.*s", (int)n - 1, p);
		if (is_identifier(word) && strchr(word, '.'))
			put_fix(f, text("Replace by \"%s\"", word), at, word);
		p += n + strspn(p + n, ", ");
	}
	const char *called = strstr(notes, "this type is called ");
	if (called) {
		const char *type = called + 20;
		type = text("%.*s", (int)strcspn(type, ".\n"), type);
		put_fix(f, text("Replace by \"%s\"", type), at, type);
	}
}

// The whole expression has the wrong type, not a part of it.
static void fix_conversion(Fixes *f)
{
	const char *use = f->d->notes ? strstr(f->d->notes, "Hint: use ") : NULL;
	if (!use || !strstr(use, " to convert."))
		return;
	const char *function = text("%.*s", (int)strcspn(use + 10, " "), use + 10);
	const char *dot = strchr(function, '.'), *actual = strstr(f->d->message, "Actual:");
	if (!dot || !actual)
		return;
	actual += 7 + strspn(actual + 7, " ");
	size_t n = strlen(dot + 1);
	if (strncmp(actual, dot + 1, n) != 0 || (actual[n] && actual[n] != '\n'))
		return;
	const char *old = span_text(f->d->span);
	bool closed = old[0] == '(' && strchr(old, ')') == old + strlen(old) - 1;
	bool atom = closed || is_identifier(old);
	put_fix(f, text("Convert by %s", function), f->d->span,
	        text(atom ? "(%s %s)" : "(%s (%s))", function, old));
}

// `map` before several arrays.
static void fix_map(Fixes *f)
{
	const char *map = f->d->notes ? strstr(f->d->notes, "\"map") : NULL;
	if (!map || !strstr(map, " is for ") || f->d->span.lo < f->a->source->start + 4)
		return;
	const char *name = quoted_after(map, "\"");
	const char *s = f->a->source->text;
	size_t at = f->d->span.lo - f->a->source->start;
	size_t line = at;
	while (line && s[line - 1] != '\n')
		line--;
	for (size_t i = at - 3 + 1; i-- > line; )
		if (strncmp(s + i, "map", 3) == 0 && !isalnum((unsigned char)s[i + 3])) {
			Loc lo = f->a->source->start + (Loc)i;
			put_fix(f, text("Replace by \"%s\"", name), (Span){lo, lo + 3}, name);
			return;
		}
}

static void fix_words(Fixes *f)
{
	const char *notes = f->d->notes ? f->d->notes : "";
	const char *old = span_text(f->d->span);
	if (strcmp(old, "=") == 0 && strstr(notes, "equality is \"==\""))
		put_fix(f, "Replace by \"==\"", f->d->span, "==");
	if (str_starts(f->d->message, "Unused name") && is_identifier(old))
		put_fix(f, text("Rename to \"_%s\"", old), f->d->span, text("_%s", old));
	if (strstr(notes, "consider using 'type^'") || strstr(notes, "consider using 'type~'")) {
		const char *mark = strstr(notes, "type^") ? "type^" : "type~";
		const char *s = f->a->source->text;
		size_t at = f->d->span.lo - f->a->source->start, line = at;
		while (line && s[line - 1] != '\n')
			line--;
		if (strncmp(s + line, "type ", 5) == 0) {
			Loc lo = f->a->source->start + (Loc)line;
			put_fix(f, text("Write %s", mark), (Span){lo, lo + 4}, mark);
		}
	}
}

// ---- Missing imports ----

static bool defines(Decls decls, const char *name, bool type)
{
	for EACH(Decl *, d, decls) {
		const char *defined = type ? (*d)->kind == DEC_TYPE ? (*d)->type.name : NULL
		                    : (*d)->kind == DEC_VAL ? (*d)->val.name
		                    : (*d)->kind == DEC_MODULE ? (*d)->module.name : NULL;
		if (!(*d)->local && defined && strcmp(defined, name) == 0)
			return true;
	}
	return false;
}

// Files beside the document that define what is not known.
static void fix_import(Fixes *f)
{
	const char *name;
	Span at = unknown_name(f->d, &name);
	if (!at.lo)
		return;
	name = text("%.*s", (int)strcspn(name, "."), name);
	bool type = str_starts(f->d->message, "Unknown type");
	DIR *dir = opendir(".");
	for (struct dirent *e; dir && (e = readdir(dir)); ) {
		size_t len;
		if (!str_ends(e->d_name, ".fut") || strcmp(e->d_name, f->a->source->name) == 0)
			continue;
		const char *body = read_file(e->d_name, &len);
		bool may = body && strstr(body, name);
		Source *source = may ? source_add(e->d_name, body, len) : NULL;
		if (!source || !defines(parse_file(source)->decls, name, type))
			continue;
		const char *base = text("%.*s", (int)strlen(e->d_name) - 4, e->d_name);
		Loc top = f->a->source->start;
		put_fix(f, text("Import \"%s\"", base), (Span){top, top},
		        text("import \"%s\"\n", base));
	}
	if (dir)
		closedir(dir);
}

// ---- Derivatives ----

typedef struct { Loc lo, hi; const Decl *found; } DeclAt;

static void note_decl(void *ctx, Decl *d)
{
	DeclAt *at = ctx;
	if (d->kind == DEC_VAL && d->span.lo <= at->hi && at->lo <= d->span.hi)
		at->found = d;
}

static bool is_differentiable(const Decl *d)
{
	const Binding *b = d ? d->val.binding : NULL;
	Ty *t = b && b->scheme.type ? ty_resolve(b->scheme.type) : NULL;
	return t && t->kind == TY_ARROW && !b->poisoned;
}

// The types of the derivatives of a function, by all of its parameters at once.
const char *answer_derivative(Ask *a)
{
	DeclAt at = {a->at, a->at, NULL};
	each_node(&(EachNode){.decl = note_decl, .ctx = &at}, a->program->root->decls);
	if (!is_differentiable(at.found))
		return "null";
	const ValDecl *v = &at.found->val;
	Ty *t = ty_nonunique(ty_resolve(v->binding->scheme.type));
	Str names = {0}, froms = {0};
	int n = 0;
	for (; t->kind == TY_ARROW && n < v->pats.len; t = ty_resolve(t->arrow.to), n++) {
		str_printf(&names, "%sx%d", n ? ", " : "", n);
		str_printf(&froms, "%s%s", n ? ", " : "", show_ty(ty_nonunique(t->arrow.from)));
	}
	bool many = n > 1;
	const char *from = text(many ? "(%s)" : "%s", str_text(&froms)), *to = show_ty(t);
	Str f = {0}, s = {0};
	if (many) {
		str_printf(&f, "(\\(%s) -> %s", str_text(&names), v->name);
		for (int i = 0; i < n; i++)
			str_printf(&f, " x%d", i);
		str_putc(&f, ')');
	} else {
		str_puts(&f, v->name);
	}
	const char *fn = str_text(&f);
	str_printf(&s, "%s : %s -> %s\n\n", fn, from, to);
	str_printf(&s, "-- forward mode: the tangent of the result for a tangent of the argument\n"
	           "jvp %s : %s -> %s -> %s\n", fn, from, from, to);
	str_printf(&s, "jvp2 %s : %s -> %s -> (%s, %s)\n\n", fn, from, from, to, to);
	str_printf(&s, "-- reverse mode: the adjoint of the argument for an adjoint of the result\n"
	           "vjp %s : %s -> %s -> %s\n", fn, from, to, from);
	str_printf(&s, "vjp2 %s : %s -> %s -> (%s, %s)\n", fn, from, to, to, from);
	return json_string(str_text(&s));
}

static void offer_derivative(const Ask *a, Str *out, Loc lo, Loc hi)
{
	DeclAt at = {lo, hi, NULL};
	each_node(&(EachNode){.decl = note_decl, .ctx = &at}, a->program->root->decls);
	if (!is_differentiable(at.found))
		return;
	Place p = place_of(at.found->val.name_span.lo);
	const char *title = text("Show the derivatives of \"%s\"", at.found->val.name);
	str_printf(out, "%s{\"title\":%s,\"kind\":\"source\",\"command\":{\"title\":%s,"
	           "\"command\":\"raido.showDerivative\",\"arguments\":[{\"textDocument\":"
	           "{\"uri\":%s},\"position\":{\"line\":%d,\"character\":%d}}]}}",
	           out->len > 1 ? "," : "", json_string(title), json_string(title),
	           json_string(a->document->uri), p.line, p.character);
}

// ---- The answer ----

const char *answer_code_actions(Ask *a)
{
	const Source *src = a->source;
	const Json *range = member(a->params, "range");
	Loc lo = src->start + (Loc)offset_of(src->text, src->len, member_int(range, "start.line"),
	                                     member_int(range, "start.character"));
	Loc hi = src->start + (Loc)offset_of(src->text, src->len, member_int(range, "end.line"),
	                                     member_int(range, "end.character"));
	Str s = {0};
	str_putc(&s, '[');
	for (int i = 0; i < a->diags.len; i++) {
		const Diag *d = a->diags.at[i];
		if (source_of(d->span.lo) != src || d->span.lo > hi || d->span.hi < lo ||
		    is_repeat(a, i))
			continue;
		Fixes f = {a, d, &s};
		fix_name(&f);
		fix_conversion(&f);
		fix_map(&f);
		fix_words(&f);
		fix_import(&f);
	}
	offer_derivative(a, &s, lo, hi);
	str_putc(&s, ']');
	return str_text(&s);
}
