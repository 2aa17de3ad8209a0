// HTML from the Markdown of documentation comments and pages: what these use, not all of Markdown.
//
//     paragraphs, # headings, - lists, 1. lists, ``` and indented code, | tables |, `code`,
//     *emphasis*, **strong**, [text](address), ![text](image), <br>
//
// Headings can be linked to: "## In-place updates" has the name in-place-updates.
#include "cli/doc.h"

#include <ctype.h>

void html_escaped(Str *s, const char *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		switch (t[i]) {
		case '<': str_puts(s, "&lt;"); break;
		case '>': str_puts(s, "&gt;"); break;
		case '&': str_puts(s, "&amp;"); break;
		case '"': str_puts(s, "&quot;"); break;
		default:  str_putc(s, t[i]); break;
		}
}

// ---- Inside of lines ----

// The place of `mark` in the n bytes after at, or NULL.
static const char *find_mark(const char *at, size_t n, const char *mark)
{
	size_t len = strlen(mark);
	for (size_t i = 0; i + len <= n; i++)
		if (memcmp(at + i, mark, len) == 0)
			return at + i;
	return NULL;
}

static void put_inline(Str *s, const char *at, size_t n);

static bool put_marked(Str *s, const char **at, const char *end, const char *mark, const char *tag)
{
	size_t len = strlen(mark), left = (size_t)(end - *at);
	if (left <= len || memcmp(*at, mark, len) != 0 || isspace((unsigned char)(*at)[len]))
		return false;
	const char *from = *at + len, *close = find_mark(from, (size_t)(end - from), mark);
	if (!close || close == from)
		return false;
	str_printf(s, "<%s>", tag);
	if (*mark == '`')
		html_escaped(s, from, (size_t)(close - from));
	else
		put_inline(s, from, (size_t)(close - from));
	str_printf(s, "</%s>", tag);
	*at = close + len;
	return true;
}

// Where the text of a link ends: at the bracket that closes the one at `at`.
static const char *end_of_text(const char *at, const char *end)
{
	int depth = 0;
	for (; at < end; at++) {
		depth += (*at == '[') - (*at == ']');
		if (depth == 0)
			return at;
	}
	return NULL;
}

// Pages are in HTML where they were in Markdown.
static void put_address(Str *s, const char *at, size_t n)
{
	const char *hash = memchr(at, '#', n), *end = hash ? hash : at + n;
	bool page = end - at > 3 && memcmp(end - 3, ".md", 3) == 0 && !find_mark(at, n, "://");
	html_escaped(s, at, (size_t)(end - at) - (page ? 3 : 0));
	if (page)
		str_puts(s, ".html");
	html_escaped(s, end, n - (size_t)(end - at));
}

static bool put_link(Str *s, const char **at, const char *end)
{
	bool image = **at == '!';
	const char *from = *at + image;
	if (from >= end || *from != '[')
		return false;
	const char *middle = end_of_text(from, end);
	if (!middle || middle + 1 >= end || middle[1] != '(')
		return false;
	const char *close = memchr(middle, ')', (size_t)(end - middle));
	if (!close)
		return false;
	str_puts(s, image ? "<img src=\"" : "<a href=\"");
	put_address(s, middle + 2, (size_t)(close - middle - 2));
	str_puts(s, image ? "\" alt=\"" : "\">");
	if (image)
		html_escaped(s, from + 1, (size_t)(middle - from - 1));
	else
		put_inline(s, from + 1, (size_t)(middle - from - 1));
	str_puts(s, image ? "\">" : "</a>");
	*at = close + 1;
	return true;
}

static bool put_verbatim(Str *s, const char **at, const char *end)
{
	if (end - *at >= 4 && memcmp(*at, "<br>", 4) == 0) {
		str_puts(s, "<br>");
		*at += 4;
		return true;
	}
	if (end - *at >= 2 && **at == '\\' && ispunct((unsigned char)(*at)[1])) {
		html_escaped(s, *at + 1, 1);
		*at += 2;
		return true;
	}
	return false;
}

static void put_inline(Str *s, const char *at, size_t n)
{
	const char *end = at + n;
	while (at < end) {
		if (put_marked(s, &at, end, "`", "code") ||
		    put_marked(s, &at, end, "**", "strong") ||
		    put_marked(s, &at, end, "*", "em") || put_link(s, &at, end) ||
		    put_verbatim(s, &at, end))
			continue;
		html_escaped(s, at++, 1);
	}
}

// ---- Blocks ----

typedef struct { const char *at, *end; } Lines;

static bool next_line(Lines *l, const char **line, size_t *n)
{
	if (l->at >= l->end)
		return false;
	*line = l->at;
	const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
	*n = (size_t)((stop ? stop : l->end) - l->at);
	l->at = stop ? stop + 1 : l->end;
	while (*n && isspace((unsigned char)(*line)[*n - 1]))
		--*n;
	return true;
}

// How many bytes "- ", "* " or "12. " take at the start of a line; 0: it is no item.
static size_t item_mark(const char *line, size_t n, bool *numbered)
{
	size_t digits = 0;
	while (digits < n && isdigit((unsigned char)line[digits]))
		digits++;
	*numbered = digits > 0;
	if (digits && n > digits + 1 && line[digits] == '.' && line[digits + 1] == ' ')
		return digits + 2;
	return !digits && n > 1 && strchr("-*+", line[0]) && line[1] == ' ' ? 2 : 0;
}

static void close_block(Str *s, const char **open)
{
	if (*open)
		str_printf(s, "%s</%s>\n", strcmp(*open, "p") == 0 ? "" : "</li>", *open);
	*open = NULL;
}

// As in the links of pages: letters in lower case, spaces as hyphens, no punctuation.
const char *html_anchor(const char *heading)
{
	Str s = {0};
	for (; *heading; heading++)
		if (isalnum((unsigned char)*heading) || *heading == '-' || *heading == '_')
			str_putc(&s, (char)tolower((unsigned char)*heading));
		else if (*heading == ' ')
			str_putc(&s, '-');
	return str_text(&s);
}

// What is between two lines of three backticks; the first names the language.
static void put_code(Str *s, const char *language, Lines *l)
{
	const char *line;
	size_t n;
	Str code = {0};
	while (next_line(l, &line, &n) && !(n >= 3 && memcmp(line, "```", 3) == 0)) {
		str_putn(&code, line, n);
		str_putc(&code, '\n');
	}
	str_puts(s, "<pre><code>");
	if (str_starts(language, "futhark"))
		html_of_program(s, str_text(&code), code.len);
	else
		html_escaped(s, str_text(&code), code.len);
	str_puts(s, "</code></pre>\n");
}

static void put_line(Str *s, const char *line, size_t n, const char **open)
{
	size_t hashes = 0, mark;
	bool numbered;
	while (hashes < n && line[hashes] == '#')
		hashes++;
	if (hashes && hashes < 7 && hashes < n && line[hashes] == ' ') {
		close_block(s, open);
		const char *title = text("%.*s", (int)(n - hashes - 1), line + hashes + 1);
		str_printf(s, "<h%zu id=\"%s\">", hashes + 1 < 6 ? hashes + 1 : 6,
		           html_anchor(title));
		put_inline(s, line + hashes + 1, n - hashes - 1);
		str_printf(s, "</h%zu>\n", hashes + 1 < 6 ? hashes + 1 : 6);
		return;
	}
	mark = item_mark(line, n, &numbered);
	const char *want = mark ? numbered ? "ol" : "ul" : "p";
	if (mark && *open && strcmp(*open, want) == 0) {
		str_puts(s, "</li>\n<li>");
	} else if (!*open || mark) {
		close_block(s, open);
		str_printf(s, "<%s>%s", want, mark ? "<li>" : "");
		*open = want;
	} else {
		str_putc(s, '\n');
	}
	put_inline(s, line + mark, n - mark);
}

// ---- Tables ----

// The end of a cell: a bar that is neither escaped nor inside of `code`.
static const char *end_of_cell(const char *at, const char *end)
{
	bool code = false;
	for (; at < end; at++)
		if (*at == '\\' && at + 1 < end)
			at++;
		else if (*at == '`')
			code = !code;
		else if (*at == '|' && !code)
			return at;
	return end;
}

// `\|` is a bar inside of cells, also in code.
static const char *without_escapes(const char *at, size_t n)
{
	Str s = {0};
	for (size_t i = 0; i < n; i++)
		if (!(at[i] == '\\' && i + 1 < n && at[i + 1] == '|'))
			str_putc(&s, at[i]);
	return str_text(&s);
}

static void put_row(Str *s, const char *line, size_t n, const char *tag)
{
	const char *at = line + 1, *end = line + n;
	str_puts(s, "<tr>");
	while (at < end) {
		const char *stop = end_of_cell(at, end);
		while (at < stop && *at == ' ')
			at++;
		size_t width = (size_t)(stop - at);
		while (width && at[width - 1] == ' ')
			width--;
		const char *cell = without_escapes(at, width);
		str_printf(s, "<%s>", tag);
		put_inline(s, cell, strlen(cell));
		str_printf(s, "</%s>", tag);
		at = stop + 1;
	}
	str_puts(s, "</tr>\n");
}

static bool is_rule(const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr("|-: ", line[i]))
			return false;
	return n > 1;
}

// The first row is the head.
static void put_table(Str *s, const char *line, size_t n, Lines *l)
{
	const char *tag = "th";
	str_puts(s, "<table>\n");
	for (;;) {
		if (is_rule(line, n))
			tag = "td";
		else
			put_row(s, line, n, tag);
		if (l->at >= l->end || *l->at != '|' || !next_line(l, &line, &n))
			break;
	}
	str_puts(s, "</table>\n");
}

static void put_indented(Str *s, const char *line, size_t n, Lines *l)
{
	str_puts(s, "<pre><code>");
	for (;;) {
		html_escaped(s, line + 4, n - 4);
		if (l->end - l->at < 5 || memcmp(l->at, "    ", 4) != 0 ||
		    !next_line(l, &line, &n) || n <= 4)
			break;
		str_putc(s, '\n');
	}
	str_puts(s, "</code></pre>\n");
}

// A paragraph extends to the next line that is empty or begins another block, so that code and
// links may be broken over lines.
static size_t with_paragraph(const char *line, size_t n, Lines *l)
{
	bool numbered, heading = *line == '#';
	while (!heading && l->at < l->end) {
		Lines ahead = *l;
		const char *next;
		size_t m;
		next_line(&ahead, &next, &m);
		while (m && *next == ' ') {
			next++;
			m--;
		}
		if (m == 0 || strchr("#|", *next) || item_mark(next, m, &numbered) ||
		    (m >= 3 && memcmp(next, "```", 3) == 0))
			break;
		n = (size_t)(next + m - line);
		*l = ahead;
	}
	return n;
}

void html_of_markdown(Str *s, const char *body)
{
	Lines l = {body, body + strlen(body)};
	const char *line, *open = NULL;
	size_t n;
	while (next_line(&l, &line, &n)) {
		bool indented = n > 4 && memcmp(line, "    ", 4) == 0;
		while (n && !indented && *line == ' ') {
			line++;
			n--;
		}
		if (n == 0) {
			close_block(s, &open);
		} else if (n >= 3 && memcmp(line, "```", 3) == 0) {
			close_block(s, &open);
			put_code(s, line + 3, &l);
		} else if (n > 1 && *line == '|') {
			close_block(s, &open);
			put_table(s, line, n, &l);
		} else if (indented && !open) {
			put_indented(s, line, n, &l);
		} else {
			put_line(s, line, with_paragraph(line, n, &l), &open);
		}
	}
	close_block(s, &open);
}
