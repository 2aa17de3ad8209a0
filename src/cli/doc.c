// The command doc: generates HTML from documentation comments.
//
//     -- | Scales a vector.
//     def scale [n] (k: f64) (xs: [n]f64) : [n]f64 = ...
//
// becomes the line `val scale [n] (k: f64) (xs: [n]f64) : [n]f64`, with the comment below it.
// Each file has a page, doc/FILE.html, that shows what the file exports; index.html lists the
// files and doc-index.html all names.  The search field at the top of each page finds names and
// headings. Where a definition has no type annotations, the inferred types are shown.
//
// A Markdown file FILE.md becomes the page FILE.html; the first one given is the front page, to
// which all pages link.  Files of the prelude are called /prelude/NAME, and /prelude stands for
// all of them.
#include "base/embed.h"
#include "cli/doc.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct { const char *name, *what, *page, *anchor; } IndexEntry;
typedef struct { const char *name, *page, *doc; } Page; // doc: NULL of a Markdown file
typedef struct {
	VEC(IndexEntry) entries;
	VEC(Page) pages, bar;           // bar: those that all pages link to
	const char *front;              // the text of the first page, if it is Markdown
	const char *page;               // the one being written
} Docs;

// ---- Parts of pages ----

static void put_text(Str *s, const char *t)
{
	html_escaped(s, t, strlen(t));
}

// The bar at the top: the front page, the first pages after it, all names, the search field.
static void put_bar(const Docs *docs, Str *s, const char *up)
{
	str_printf(s, "<nav><a href=\"%sindex.html\">Home</a>\n", up);
	for EACH(Page, p, docs->bar) {
		str_printf(s, "<a href=\"%s%s\">", up, p->page);
		put_text(s, p->name);
		str_puts(s, "</a>\n");
	}
	str_printf(s, "<a href=\"%sdoc-index.html\">Names</a>\n"
	           "<input id=\"search\" type=\"search\" placeholder=\"Find a name or a heading\">"
	           "<ul id=\"found\"></ul></nav>\n", up);
}

static void put_head(const Docs *docs, Str *s, const char *title, const char *up)
{
	str_puts(s, "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>");
	put_text(s, title);
	str_printf(s, "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n"
	           "<link rel=\"stylesheet\" href=\"%sstyle.css\">\n"
	           "<script>const up = \"%s\"</script>\n"
	           "<script src=\"%ssearch.js\" defer></script>\n"
	           "</head>\n<body>\n", up, up, up);
	put_bar(docs, s, up);
}

static void put_title(Str *s, const char *title)
{
	str_puts(s, "<h1>");
	put_text(s, title);
	str_puts(s, "</h1>\n");
}

// `keyword name rest`, as a place that can be linked to.  The <dd> stays open, for what is inside.
static void put_item(Docs *docs, Str *s, const char *prefix, const char *keyword, const char *name,
                     const char *rest, const char *doc)
{
	const char *anchor = text("%s%s", prefix, name);
	str_puts(s, "<dt id=\"");
	put_text(s, anchor);
	str_printf(s, "\"><code>%s <b>", keyword);
	put_text(s, name);
	str_puts(s, "</b>");
	put_text(s, rest);
	str_puts(s, "</code></dt>\n<dd>");
	if (doc)
		html_of_markdown(s, doc);
	VEC_PUSH(&docs->entries, (IndexEntry){anchor, keyword, docs->page, anchor});
}

// The source from one place to another, on one line.
static const char *source_between(Loc lo, Loc hi)
{
	Str s = {0};
	for (const char *p = span_text((Span){lo, hi}); *p; p++)
		if (*p != ' ' && *p != '\t' && *p != '\n' && *p != '\r')
			str_putc(&s, *p);
		else if (s.len && s.at[s.len - 1] != ' ')
			str_putc(&s, ' ');
	while (s.len && s.at[s.len - 1] == ' ')
		s.at[--s.len] = 0;
	return str_text(&s);
}

// The same after a name: "" or " = i32".
static const char *source_after(Span name, Loc hi)
{
	const char *rest = source_between(name.hi, hi);
	rest += strspn(rest, " ");
	return *rest ? text(" %s", rest) : "";
}

// ---- Declarations ----

static void put_decls(Docs *, Str *, Decls, const char *prefix);

static void put_plain(Str *s, const char *keyword, Span at)
{
	str_printf(s, "<dt><code>%s ", keyword);
	put_text(s, source_between(at.lo, at.hi));
	str_puts(s, "</code></dt>\n<dd>");
}

static void put_val(Docs *docs, Str *s, const Decl *d, const char *prefix)
{
	const ValDecl *v = &d->val;
	const char *keyword = v->keyword == VAL_ENTRY ? "entry" : "val";
	const char *header = v->ret ? source_between(v->name_span.hi, v->ret->span.hi) : "";
	header += strspn(header, " )"); // the end of an operator's parentheses
	const char *rest = v->ret && !v->infix
		? text(" %s", header)
		: text(" : %s", v->binding ? show_scheme(&v->binding->scheme) : "?");
	put_item(docs, s, prefix, keyword, v->is_op ? text("(%s)", v->name) : v->name, rest,
	         d->doc);
}

static const char *const type_words[] = {"type", "type~", "type^"}; // ORDER LIFTING

static void put_specs(Docs *docs, Str *s, Specs specs, const char *prefix)
{
	str_puts(s, "<dl>\n");
	for EACH(Spec *, at, specs) {
		const Spec *p = *at;
		Loc end = p->span.hi;
		switch (p->kind) {
		case SPEC_VAL:
			put_item(docs, s, prefix, "val", p->val.name,
			         source_after(p->val.name_span, end), p->doc);
			break;
		case SPEC_TYPE:
			put_item(docs, s, prefix, type_words[p->type.lifting], p->type.name,
			         source_after(p->type.name_span, end), p->doc);
			break;
		case SPEC_MODULE:
			put_item(docs, s, prefix, "module", p->module.name,
			         source_after(p->module.name_span, end), p->doc);
			break;
		case SPEC_INCLUDE:
			put_plain(s, "include", p->include->span);
			break;
		}
		str_puts(s, "</dd>\n");
	}
	str_puts(s, "</dl>\n");
}

static const Specs *specs_of(const SigExpr *e)
{
	while (e && e->kind == SE_PAREN)
		e = e->inner;
	return e && e->kind == SE_SPECS ? &e->specs : NULL;
}

// A module with a type of its own shows that, else what it consists of.
static void put_module(Docs *docs, Str *s, const Decl *d, const char *prefix)
{
	const ModExpr *m = d->module.body;
	const SigExpr *sig = d->module.sig;
	const char *inner = text("%s%s.", prefix, d->module.name);
	if (!sig && m && m->kind == ME_ASCRIBE) {
		sig = m->ascribe.sig;
		m = m->ascribe.of;
	}
	const Specs *specs = specs_of(sig);
	Loc to = d->module.name_span.hi;
	if (d->module.params.len)
		to = d->module.params.at[d->module.params.len - 1].span.hi;
	const char *params = source_after(d->module.name_span, to);
	const char *rest = sig && !specs ? text(" : %s", source_between(sig->span.lo, sig->span.hi))
		: m && m->kind != ME_BODY && !specs
		? text(" = %s", source_between(m->span.lo, m->span.hi)) : "";
	put_item(docs, s, prefix, "module", d->module.name, text("%s%s", params, rest), d->doc);
	if (specs) {
		put_specs(docs, s, *specs, inner);
	} else if (!sig && m && m->kind == ME_BODY) {
		str_puts(s, "<dl>\n");
		put_decls(docs, s, m->body, inner);
		str_puts(s, "</dl>\n");
	}
}

static void put_decl(Docs *docs, Str *s, const Decl *d, const char *prefix)
{
	switch (d->kind) {
	case DEC_VAL:
		put_val(docs, s, d, prefix);
		return;
	case DEC_TYPE:
		put_item(docs, s, prefix, type_words[d->type.lifting], d->type.name,
		         source_after(d->type.name_span, d->type.type->span.hi), d->doc);
		return;
	case DEC_MODULE:
		put_module(docs, s, d, prefix);
		return;
	case DEC_MODULE_TYPE: {
		const SigExpr *sig = d->module_type.sig;
		const Specs *specs = specs_of(sig);
		put_item(docs, s, prefix, "module type", d->module_type.name,
		         specs ? "" : text(" = %s", source_between(sig->span.lo, sig->span.hi)),
		         d->doc);
		if (specs)
			put_specs(docs, s, *specs, text("%s%s.", prefix, d->module_type.name));
		return;
	}
	case DEC_OPEN:
		put_plain(s, "open", d->open->span);
		return;
	case DEC_IMPORT:
		return;
	}
	bug("kind of declaration");
}

static void put_decls(Docs *docs, Str *s, Decls decls, const char *prefix)
{
	for EACH(Decl *, d, decls)
		if (!(*d)->local && (*d)->kind != DEC_IMPORT) {
			put_decl(docs, s, *d, prefix);
			str_puts(s, "</dd>\n");
		}
}

// ---- Files ----

static bool write_page(const char *path, const Str *s)
{
	for (const char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/'))
		if (mkdir(text("%.*s", (int)(p - path), path), 0777) != 0 && errno != EEXIST)
			break; // writing will say so
	if (write_atomically(path, s))
		return true;
	fprintf(stderr, "Cannot write %s: %s\n", path, strerror(errno));
	return false;
}

// "doc/lib/a.html" of "./lib/a.fut", "b.html" of "b.md"; `..` and a leading slash do not lead out
// of the directory.
static const char *page_of(const char *path)
{
	Str s = {0};
	bool markdown = str_ends(path, ".md");
	str_puts(&s, markdown ? "." : "doc");
	size_t len = strlen(path) - (markdown ? 3 : str_ends(path, ".fut") ? 4 : 0);
	for (const char *p = path; p < path + len; ) {
		size_t n = strcspn(p, "/");
		if (p + n > path + len)
			n = (size_t)(path + len - p);
		if (n == 2 && memcmp(p, "..", 2) == 0)
			str_puts(&s, "/up");
		else if (n && !(n == 1 && *p == '.'))
			str_printf(&s, "/%.*s", (int)n, p);
		p += n + 1;
	}
	str_puts(&s, ".html");
	return str_text(&s) + (markdown ? 2 : 0);
}

static const char *way_up(const char *page)
{
	Str s = {0};
	for (; *page; page++)
		if (*page == '/')
			str_puts(&s, "../");
	return str_text(&s);
}

// An exit code.
static int document(Docs *docs, const char *path, const char *dir)
{
	Loaded l;
	bool ok = driver_check(path, (LoadOptions){.no_warnings = true}, &l);
	report_diags();
	if (!ok)
		return 2;
	const File *f = l.program->root;
	Str s = {0};
	docs->page = page_of(path);
	VEC_PUSH(&docs->pages, (Page){path, docs->page, f->doc ? f->doc : ""});
	put_head(docs, &s, path, way_up(docs->page));
	put_title(&s, path);
	if (f->doc)
		html_of_markdown(&s, f->doc);
	str_puts(&s, "<dl>\n");
	put_decls(docs, &s, f->decls, "");
	str_puts(&s, "</dl>\n</body>\n</html>\n");
	return write_page(text("%s/%s", dir, docs->page), &s) ? 0 : 1;
}

// ---- Markdown ----

typedef struct { const char *title, *anchor; size_t level; } Heading;
typedef VEC(Heading) Headings;

// The headings of a page, but for those of the first level.
static Headings headings_of(const char *body)
{
	Headings all = {0};
	bool code = false;
	for (const char *line = body; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t n = strcspn(line, "\n"), hashes = strspn(line, "#");
		code ^= n >= 3 && memcmp(line, "```", 3) == 0;
		if (code || hashes < 2 || line[hashes] != ' ')
			continue;
		const char *title = text("%.*s", (int)(n - hashes - 1), line + hashes + 1);
		VEC_PUSH(&all, (Heading){title, html_anchor(title), hashes});
	}
	return all;
}

// A list of the sections of a page, below its title, where there are many.
static void put_contents(Str *s, const Headings *headings)
{
	enum { MANY = 6 };
	int n = 0;
	for EACH(Heading, h, *headings)
		n += h->level == 2;
	if (n < MANY)
		return;
	str_puts(s, "<details class=\"contents\" open><summary>On this page</summary>\n"
	         "<ul class=\"pages\">\n");
	for EACH(Heading, h, *headings) {
		if (h->level != 2)
			continue;
		str_printf(s, "<li><a href=\"#%s\">", h->anchor);
		for (const char *p = h->title; *p; p++)
			if (*p != '`')
				html_escaped(s, p, 1);
		str_puts(s, "</a></li>\n");
	}
	str_puts(s, "</ul></details>\n");
}

// "Language guide" of "# Language guide ..."
static const char *title_of(const char *body, const char *path)
{
	const char *at = str_starts(body, "# ") ? body : strstr(body, "\n# ");
	if (!at)
		return path;
	at += strspn(at, "\n# ");
	return text("%.*s", (int)strcspn(at, "\n"), at);
}

static int write_markdown(Docs *docs, const char *path, const char *dir)
{
	size_t len;
	const char *body = read_file(path, &len);
	if (!body) {
		fprintf(stderr, "Cannot read %s: %s\n", path, strerror(errno));
		return 1;
	}
	Str s = {0};
	const char *title = title_of(body, path);
	docs->page = page_of(path);
	if (!docs->pages.len)
		docs->front = body;
	VEC_PUSH(&docs->pages, (Page){title, docs->page, NULL});
	Headings headings = headings_of(body);
	for EACH(Heading, h, headings)
		VEC_PUSH(&docs->entries,
		         (IndexEntry){h->title, "section", docs->page, h->anchor});
	put_head(docs, &s, title, way_up(docs->page));
	if (str_starts(body, "# ") && docs->pages.len > 1) {
		size_t first = strcspn(body, "\n");
		html_of_markdown(&s, text("%.*s", (int)first, body));
		put_contents(&s, &headings);
		body += first;
	}
	html_of_markdown(&s, body);
	str_puts(&s, "</body>\n</html>\n");
	return write_page(text("%s/%s", dir, docs->page), &s) ? 0 : 1;
}

static int by_name(const void *a, const void *b)
{
	const IndexEntry *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->page, y->page);
}

// The files, each with the first paragraph of its comment.
static void put_files(Docs *docs, Str *s)
{
	put_title(s, "Files");
	str_puts(s, "<dl>\n");
	for EACH(Page, p, docs->pages) {
		str_printf(s, "<dt><a href=\"%s\">", p->page);
		put_text(s, p->name);
		str_puts(s, "</a></dt>\n<dd>");
		const char *stop = p->doc ? strstr(p->doc, "\n\n") : NULL;
		if (p->doc && *p->doc)
			html_of_markdown(s, stop ? text("%.*s", (int)(stop - p->doc), p->doc)
			                         : p->doc);
		str_puts(s, "</dd>\n");
	}
	str_puts(s, "</dl>\n");
}

// Links to the pages of programs, or to the others.
static void put_pages(Docs *docs, Str *s, const char *title, bool programs)
{
	int n = 0;
	for (int i = 1; i < docs->pages.len; i++) {
		if (str_starts(docs->pages.at[i].page, "doc/") != programs)
			continue;
		if (!n++)
			str_printf(s, "<h3 id=\"%s\">%s</h3>\n<ul class=\"pages\">\n",
			           html_anchor(title), title);
		str_printf(s, "<li><a href=\"%s\">", docs->pages.at[i].page);
		put_text(s, docs->pages.at[i].name);
		str_puts(s, "</a></li>\n");
	}
	str_puts(s, n ? "</ul>\n" : "");
}

// The first page, which is Markdown, and a list of all.
static void put_front(Docs *docs, Str *s)
{
	html_of_markdown(s, docs->front);
	put_pages(docs, s, "All pages", false);
	put_pages(docs, s, "Library", true);
}

static bool write_indices(Docs *docs, const char *dir)
{
	Str files = {0}, names = {0}, css = {0}, js = {0}, list = {0};
	put_head(docs, &files, docs->front ? docs->pages.at[0].name : "Contents", "");
	if (docs->front)
		put_front(docs, &files);
	else
		put_files(docs, &files);
	str_puts(&files, "</body>\n</html>\n");
	put_head(docs, &names, "Names", "");
	put_title(&names, "Names");
	if (docs->entries.len)
		qsort(docs->entries.at, (size_t)docs->entries.len, sizeof(IndexEntry), by_name);
	str_puts(&names, "<table>\n");
	str_puts(&list, "const names = [\n");
	for EACH(IndexEntry, e, docs->entries) {
		str_printf(&list, "[%s, %s, %s],\n", json_string(e->name), json_string(e->what),
		           json_string(text("%s#%s", e->page, e->anchor)));
		str_printf(&names, "<tr><td><a href=\"%s#", e->page);
		put_text(&names, e->anchor);
		str_puts(&names, "\">");
		put_text(&names, e->name);
		str_printf(&names, "</a></td><td>%s</td><td>%s</td></tr>\n", e->what, e->page);
	}
	str_puts(&names, "</table>\n</body>\n</html>\n");
	str_puts(&list, "];\n");
	str_puts(&css, doc_style);
	str_puts(&js, doc_search);
	return write_page(text("%s/names.js", dir), &list) &&
	       write_page(text("%s/search.js", dir), &js) &&
	       write_page(text("%s/index.html", dir), &files) &&
	       write_page(text("%s/doc-index.html", dir), &names) &&
	       write_page(text("%s/style.css", dir), &css);
}

// The first pages after the front page, by the first words of their titles.
static void choose_bar(Docs *docs, Texts paths)
{
	enum { LINKS = 4 };
	if (!paths.len || !str_ends(paths.at[0], ".md"))
		return;
	for (int i = 1; i < paths.len && docs->bar.len < LINKS; i++) {
		size_t len;
		const char *body = str_ends(paths.at[i], ".md") ? read_file(paths.at[i], &len)
		                                                : NULL;
		const char *title = body ? title_of(body, paths.at[i]) : "";
		if (body)
			VEC_PUSH(&docs->bar,
			         (Page){text("%.*s", (int)strcspn(title, ":"), title),
			                page_of(paths.at[i]), NULL});
	}
}

static void add_prelude(TextVec *programs)
{
	for (const EmbeddedFile *f = embedded_prelude; f->name; f++)
		VEC_PUSH(programs, f->name);
}

// The name alone will do, where no such file is meant.
static bool is_prelude(const char *path)
{
	struct stat s;
	return strcmp(path, "prelude") == 0 && stat(path, &s) != 0;
}

// raido doc map: no file, but a name of the library.
static bool is_name(const char *path)
{
	struct stat s;
	return !str_ends(path, ".fut") && !str_ends(path, ".md") && !strchr(path, '/') &&
	       !is_prelude(path) && stat(path, &s) != 0;
}

static int print_names(Texts names)
{
	int code = 0;
	for EACH(const char *, p, names)
		if (!print_library_doc(*p)) {
			fprintf(stderr, "raido doc: the library has no value \"%s\".\n", *p);
			code = 1;
		}
	return code;
}

int cmd_doc(int argc, char **argv)
{
	const char *dir = NULL;
	bool verbose = false, ok = true;
	const Opt opts[] = {
		{'o', "output", "DIR", OPT_TEXT, &dir, "Write to this directory.", NULL},
		{'v', "verbose", NULL, OPT_FLAG, &verbose, "Print progress information.", NULL},
	};
	const Usage u = {
		"doc", "FILES-OR-DIRECTORIES",
		"Generates HTML from the documentation comments (\"-- |\") of programs and from "
		"Markdown files.  Directories are searched for .fut files; the name /prelude "
		"documents the prelude.  Without a directory for the output, prints the types and "
		"documentation of names of the library: \"raido doc map f64.sqrt\".",
		1, -1, OPTS(opts), NULL,
	};
	Texts paths = parse_args(&u, argc, argv);
	bool names = true;
	for EACH(const char *, p, paths)
		names &= is_name(*p);
	if (!dir && names)
		return print_names(paths);
	if (!dir)
		usage_error(&u, "expected a directory for the output: -o DIR");
	TextVec programs = {0};
	Docs docs = {0};
	choose_bar(&docs, paths);
	for EACH(const char *, p, paths)
		if (str_ends(*p, ".md") || str_starts(*p, "/prelude/"))
			VEC_PUSH(&programs, *p);
		else if (strcmp(*p, "/prelude") == 0 || is_prelude(*p))
			add_prelude(&programs);
		else
			ok &= find_programs(*p, &programs);
	if (!ok)
		return 1;
	for EACH(const char *, p, programs) {
		if (verbose)
			fprintf(stderr, "%s\n", *p);
		int code = str_ends(*p, ".md") ? write_markdown(&docs, *p, dir)
		                               : document(&docs, *p, dir);
		if (code)
			return code;
	}
	return write_indices(&docs, dir) ? 0 : 1;
}
