// HTML from the Markdown of documentation comments: what such comments use, not all of Markdown.
//
//     paragraphs, # headings, - lists, 1. lists, ``` and indented code, `code`, *emphasis*,
//     **strong**, [text](address)
#include "cli/cli.h"

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

static bool put_link(Str *s, const char **at, const char *end)
{
	const char *middle = **at == '[' ? find_mark(*at, (size_t)(end - *at), "](") : NULL;
	const char *close = middle ? memchr(middle, ')', (size_t)(end - middle)) : NULL;
	if (!close)
		return false;
	str_puts(s, "<a href=\"");
	html_escaped(s, middle + 2, (size_t)(close - middle - 2));
	str_puts(s, "\">");
	put_inline(s, *at + 1, (size_t)(middle - *at - 1));
	str_puts(s, "</a>");
	*at = close + 1;
	return true;
}

static void put_inline(Str *s, const char *at, size_t n)
{
	const char *end = at + n;
	while (at < end) {
		if (put_marked(s, &at, end, "`", "code") ||
		    put_marked(s, &at, end, "**", "strong") ||
		    put_marked(s, &at, end, "*", "em") || put_link(s, &at, end))
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

static void put_code(Str *s, Lines *l)
{
	const char *line;
	size_t n;
	str_puts(s, "<pre><code>");
	while (next_line(l, &line, &n) && !(n >= 3 && memcmp(line, "```", 3) == 0)) {
		html_escaped(s, line, n);
		str_putc(s, '\n');
	}
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
		str_printf(s, "<h%zu>", hashes + 1 < 6 ? hashes + 1 : 6);
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
			put_code(s, &l);
		} else if (indented && !open) {
			str_puts(s, "<pre><code>");
			html_escaped(s, line + 4, n - 4);
			str_puts(s, "</code></pre>\n");
		} else {
			put_line(s, line, n, &open);
		}
	}
	close_block(s, &open);
}
