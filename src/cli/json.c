// The subset of JSON that the tools read and write.
#include "cli/cli.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST_NESTING = 1000 };

typedef struct { const char *at, *why; int depth; } Reader;

static Json *parse_value(Reader *r);

static void skip_space(Reader *r)
{
	r->at += strspn(r->at, " \t\r\n");
}

static bool accept(Reader *r, char c)
{
	skip_space(r);
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static void *expected(Reader *r, const char *what)
{
	if (!r->why)
		r->why = *r->at ? text("expected %s, found \"%.20s\"", what, r->at)
		                : text("expected %s, found the end of the file", what);
	return NULL;
}

static void put_utf8(Str *s, uint32_t c)
{
	if (c < 0x80) {
		str_putc(s, (char)c);
	} else if (c < 0x800) {
		str_putc(s, (char)(0xc0 | c >> 6));
		str_putc(s, (char)(0x80 | (c & 0x3f)));
	} else {
		if (c >= 0x10000)
			str_putc(s, (char)(0xf0 | c >> 18));
		str_putc(s, (char)(c >= 0x10000 ? 0x80 | (c >> 12 & 0x3f) : 0xe0 | c >> 12));
		str_putc(s, (char)(0x80 | (c >> 6 & 0x3f)));
		str_putc(s, (char)(0x80 | (c & 0x3f)));
	}
}

// The four digits after \u; -1: they are not there.
static int32_t parse_unit(Reader *r)
{
	int32_t code = 0;
	for (int i = 0; i < 4; i++) {
		if (!isxdigit((unsigned char)r->at[0]))
			return -1;
		char digit[2] = {*r->at++, 0};
		code = code * 16 + (int32_t)strtol(digit, NULL, 16);
	}
	return code;
}

static bool parse_escape(Reader *r, Str *s)
{
	static const char letters[] = "\"\\/bfnrt", codes[] = "\"\\/\b\f\n\r\t";
	char c = *r->at ? *r->at++ : 0;
	const char *at = c ? strchr(letters, c) : NULL;
	if (at) {
		str_putc(s, codes[at - letters]);
		return true;
	}
	int32_t code = c == 'u' ? parse_unit(r) : -1;
	if (code < 0)
		return expected(r, "an escape");
	if (code >= 0xd800 && code < 0xdc00 && r->at[0] == '\\' && r->at[1] == 'u') {
		r->at += 2;                     // two escapes are one character
		int32_t low = parse_unit(r);
		if (low < 0xdc00 || low > 0xdfff)
			return expected(r, "the other half of an escape");
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	put_utf8(s, code ? (uint32_t)code : 0xfffd);    // strings end with 0
	return true;
}

static const char *parse_string(Reader *r)
{
	Str s = {0};
	if (!accept(r, '"'))
		return expected(r, "a string");
	while (*r->at && *r->at != '"') {
		char c = *r->at++;
		if (c != '\\')
			str_putc(&s, c);
		else if (!parse_escape(r, &s))
			return NULL;
	}
	if (*r->at != '"')
		return expected(r, "the end of a string");
	r->at++;
	return str_text(&s);
}

static Json *parse_array(Reader *r)
{
	Json *j = NEW(Json, .kind = JSON_ARRAY);
	if (accept(r, ']'))
		return j;
	do {
		Json *item = parse_value(r);
		if (!item)
			return NULL;
		VEC_PUSH(&j->items, item);
	} while (accept(r, ','));
	return accept(r, ']') ? j : expected(r, "\",\" or \"]\"");
}

static Json *parse_object(Reader *r)
{
	Json *j = NEW(Json, .kind = JSON_OBJECT);
	if (accept(r, '}'))
		return j;
	do {
		const char *key = parse_string(r);
		if (!key)
			return NULL;
		if (!accept(r, ':'))
			return expected(r, "\":\"");
		Json *value = parse_value(r);
		if (!value)
			return NULL;
		VEC_PUSH(&j->members, (JsonMember){key, value});
	} while (accept(r, ','));
	return accept(r, '}') ? j : expected(r, "\",\" or \"}\"");
}

static Json *parse_word(Reader *r)
{
	static const char *const words[] = {"null", "false", "true"};
	for (int i = 0; i < 3; i++)
		if (str_starts(r->at, words[i])) {
			r->at += strlen(words[i]);
			return NEW(Json, .kind = i ? JSON_BOOL : JSON_NULL, .number = i == 2);
		}
	char *end;
	double x = strtod(r->at, &end);
	if (end == r->at || !(isdigit((unsigned char)*r->at) || *r->at == '-'))
		return expected(r, "a value");
	r->at = end;
	return NEW(Json, .kind = JSON_NUMBER, .number = x);
}

static Json *parse_nested(Reader *r)
{
	if (accept(r, '{'))
		return parse_object(r);
	if (accept(r, '['))
		return parse_array(r);
	if (*r->at != '"')
		return parse_word(r);
	const char *s = parse_string(r);
	return s ? NEW(Json, .kind = JSON_STRING, .string = s) : NULL;
}

static Json *parse_value(Reader *r)
{
	if (r->depth >= MOST_NESTING)
		return expected(r, "less nesting");
	r->depth++;
	Json *j = parse_nested(r);
	r->depth--;
	return j;
}

Json *json_parse(const char *body, const char **why)
{
	Reader r = {.at = body};
	Json *j = parse_value(&r);
	skip_space(&r);
	if (j && *r.at)
		j = expected(&r, "the end");
	*why = r.why;
	return j;
}

const Json *json_member(const Json *j, const char *key)
{
	if (j && j->kind == JSON_OBJECT)
		for EACH(const JsonMember, m, j->members)
			if (strcmp(m->key, key) == 0)
				return m->value;
	return NULL;
}

// The bytes of the character here, 0 if they are none by the rules of UTF-8.
static int valid_char(const unsigned char *p)
{
	int n = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
	      : p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : 0;
	for (int i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	bool long_ = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
	bool beyond = p[0] == 0xf4 && p[1] >= 0x90, half = p[0] == 0xed && p[1] >= 0xa0;
	return long_ || beyond || half ? 0 : n;
}

const char *json_string(const char *body)
{
	Str s = {0};
	str_putc(&s, '"');
	for (const unsigned char *p = (const unsigned char *)body; *p; p++) {
		if (*p == '"' || *p == '\\')
			str_printf(&s, "\\%c", *p);
		else if (*p == '\n')
			str_puts(&s, "\\n");
		else if (*p < 32)
			str_printf(&s, "\\u%04x", *p);
		else if (!valid_char(p))
			str_puts(&s, "\\ufffd");
		else
			for (int n = valid_char(p); n; p += --n > 0)
				str_putc(&s, (char)*p);
	}
	str_putc(&s, '"');
	return str_text(&s);
}

Json *json_read_object(const char *path)
{
	size_t len;
	const char *why, *bytes = read_file(path, &len);
	if (!bytes) {
		fprintf(stderr, "Cannot read %s\n", path);
		exit(1);
	}
	Json *j = json_parse(bytes, &why);
	if (!j || j->kind != JSON_OBJECT) {
		fprintf(stderr, "%s: %s\n", path, j ? "not an object" : why);
		exit(1);
	}
	return j;
}
