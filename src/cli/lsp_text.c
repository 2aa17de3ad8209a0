// Documents of the language server: positions in them, changes to them, their URIs.
//
// The protocol counts lines from 0, and columns in units of UTF-16, in which a character outside
// the basic multilingual plane counts as two.  An editor that can count bytes of UTF-8 announces
// that on initialisation, and both sides then count bytes.
#include "cli/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool columns_are_bytes;

// ---- Places ----

static size_t bytes_of_char(unsigned char c)
{
	return c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
}

// What a character that begins with this byte takes of a line.
static int units_of_char(unsigned char c)
{
	return columns_are_bytes ? (int)bytes_of_char(c) : c >= 0xf0 ? 2 : 1;
}

// The same for all bytes: those within a character take nothing, or one in bytes.
int units_of_byte(unsigned char c)
{
	return columns_are_bytes ? 1 : (c & 0xC0) == 0x80 ? 0 : c >= 0xf0 ? 2 : 1;
}

static size_t after_char(const char *text, size_t len, size_t at)
{
	size_t n = bytes_of_char((unsigned char)text[at]), i = at + 1;
	while (i < len && i < at + n && ((unsigned char)text[i] & 0xC0) == 0x80)
		i++;
	return i;
}

static size_t offset_in_line(const char *text, size_t len, size_t at, int character)
{
	while (character > 0 && at < len && text[at] != '\n' &&
	       !(text[at] == '\r' && at + 1 < len && text[at + 1] == '\n')) {
		character -= units_of_char((unsigned char)text[at]);
		if (character < 0)
			break;                  // inside of a character: its beginning
		at = after_char(text, len, at);
	}
	return at;
}

size_t offset_of(const char *body, size_t len, int line, int character)
{
	size_t at = 0;
	for (; line > 0; line--) {
		const char *end = memchr(body + at, '\n', len - at);
		if (!end)
			return len;
		at = (size_t)(end - body) + 1;
	}
	return offset_in_line(body, len, at, character);
}

Place place_of(Loc l)
{
	const Source *s = source_of(l);
	if (!s)
		return (Place){0, 0};
	int line = loc_pos(l).line - 1, character = 0;
	size_t offset = l - s->start, at = s->lines[line];
	while (at < offset) {
		character += units_of_char((unsigned char)s->text[at]);
		at = after_char(s->text, s->len, at);
	}
	return (Place){line, character};
}

void put_range(Str *out, Span span)
{
	const Source *s = source_of(span.lo);
	Loc end = s ? s->start + s->len : 0;
	Loc hi = span.hi < span.lo ? span.lo : span.hi > end ? end : span.hi;
	Place a = place_of(span.lo), b = place_of(hi);
	str_printf(out, "{\"start\":{\"line\":%d,\"character\":%d},"
	           "\"end\":{\"line\":%d,\"character\":%d}}", a.line, a.character, b.line,
	           b.character);
}

const char *range_json(Span span)
{
	Str s = {0};
	put_range(&s, span);
	return str_text(&s);
}

// ---- Changes ----

const char *apply_changes(const char *body, const Json *changes)
{
	if (!changes || changes->kind != JSON_ARRAY)
		return NULL;
	for EACH(Json *, c, changes->items) {
		const char *new = member_text(*c, "text");
		if (!new)
			return NULL;
		const Json *range = member(*c, "range");
		if (!range || range->kind != JSON_OBJECT) {
			body = new;
			continue;
		}
		size_t len = strlen(body);
		size_t lo = offset_of(body, len, member_int(range, "start.line"),
		                      member_int(range, "start.character"));
		size_t hi = offset_of(body, len, member_int(range, "end.line"),
		                      member_int(range, "end.character"));
		Str s = {0};
		str_putn(&s, body, lo);
		str_puts(&s, new);
		str_puts(&s, body + (hi < lo ? lo : hi));
		body = str_text(&s);
	}
	return body;
}

// ---- Addresses ----

// "/a b.fut" of "file:///a%20b.fut".
const char *path_of_uri(const char *uri)
{
	Str s = {0};
	for (const char *p = str_starts(uri, "file://") ? uri + 7 : uri; *p; p++)
		if (*p == '%' && isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2])) {
			str_putc(&s, (char)strtol(text("%.2s", p + 1), NULL, 16));
			p += 2;
		} else {
			str_putc(&s, *p);
		}
	return str_text(&s);
}

const char *uri_of_path(const char *path)
{
	Str s = {0};
	str_puts(&s, "file://");
	for (; *path; path++)
		if (isalnum((unsigned char)*path) || strchr("/-_.~", *path))
			str_putc(&s, *path);
		else
			str_printf(&s, "%%%02X", (unsigned char)*path);
	return str_text(&s);
}

Name real_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *real = realpath(path, NULL);
	const char *folder = slash ? text("%.*s", (int)(slash - path) + 1, path) : ".";
	char *dir = real ? NULL : realpath(folder, NULL);
	Name name = name_of(real ? real : !dir ? path
	                    : text("%s/%s", dir, slash ? slash + 1 : path));
	free(real);
	free(dir);
	return name;
}

// ---- The prelude ----

const char *prelude_cache(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (cache && *cache == '/')
		return text("%s/raido/prelude-%s", cache, RAIDO_VERSION);
	return home && *home == '/'
	     ? text("%s/.cache/raido/prelude-%s", home, RAIDO_VERSION) : NULL;
}

static bool make_folders(const char *dir)
{
	for (const char *p = dir + 1; ; p++) {
		if (*p && *p != '/')
			continue;
		mkdir(text("%.*s", (int)(p - dir), dir), 0777);
		if (!*p)
			break;
	}
	return access(dir, W_OK) == 0;
}

// A file of the prelude, copied to where editors can open it, for reading only.
static const char *copied_prelude(const Source *s)
{
	const char *dir = prelude_cache();
	if (!dir || !make_folders(dir))
		return NULL;
	const char *path = text("%s/%s", dir, strrchr(s->name, '/') + 1);
	size_t len;
	const char *there = read_file(path, &len);
	if (there && len == s->len && memcmp(there, s->text, len) == 0)
		return path;
	Str bytes = {0};
	str_putn(&bytes, s->text, s->len);
	unlink(path);
	if (!write_atomically(path, &bytes))
		return NULL;
	chmod(path, 0444);
	return path;
}

const char *uri_of_source(const Source *s)
{
	if (str_starts(s->name, "/prelude/")) {
		const char *path = copied_prelude(s);
		return path ? uri_of_path(path) : NULL;
	}
	return uri_of_path(real_path(s->name));
}
