// Tokens of textual core, made on demand so that the parser can go back to an earlier place.
//
//   name     letter or _, then letters, digits, _ and '
//   number   -12  3i32  1.5  1.0e-3f32
//   string   "..." with \n \t \" \\ \x1b
//   attribute  #[anything with balanced brackets]
//   symbol   one of ( ) { } [ ] , : ; = < * . \ - + @ -> #{
//
// A comment runs from -- to the end of the line.
#include "core/parse_core.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum { MAX_DEPTH = 4000, MAX_LINE = 1 << 20, MAX_COL = 1 << 16, MAX_BLANKS = 1 << 24 };

static Span span_of(const Parser *p, const char *lo, const char *hi)
{
	Loc start = p->src->start;
	return (Span){start + (Loc)(lo - p->src->text), start + (Loc)(hi - p->src->text)};
}

static void skip_blanks(Parser *p)
{
	for (;;) {
		while (p->at < p->end && isspace((unsigned char)*p->at))
			p->at++;
		if (p->end - p->at < 2 || p->at[0] != '-' || p->at[1] != '-')
			return;
		while (p->at < p->end && *p->at != '\n')
			p->at++;
	}
}

// ---- Numbers ----

static const char *skip_digits(const char *s)
{
	while (isdigit((unsigned char)*s))
		s++;
	return s;
}

static Scalar int_value(const char *digits, PrimType t, Span span)
{
	errno = 0;
	Scalar s;
	if (is_unsigned(t)) {
		unsigned long long u = strtoull(digits, NULL, 10);
		s = scalar_int(t, (int64_t)u);
		if (errno || *digits == '-' || s.u != u)
			fail(span, NULL, "This number does not fit in %s.", primtype_name[t]);
	} else {
		long long i = strtoll(digits, NULL, 10);
		s = scalar_int(t, i);
		if (errno || s.i != i)
			fail(span, NULL, "This number does not fit in %s.", primtype_name[t]);
	}
	return s;
}

static Scalar float_value(const char *digits, PrimType t)
{
	return scalar_float(t, float_of_text(t, digits));
}

static void lex_number(Parser *p)
{
	const char *lo = p->at, *s = skip_digits(lo + (*lo == '-'));
	bool is_real = false;
	if (*s == '.' && isdigit((unsigned char)s[1])) {
		is_real = true;
		s = skip_digits(s + 1);
	}
	if (*s == 'e' && (isdigit((unsigned char)s[1]) ||
	                  (s[1] == '-' && isdigit((unsigned char)s[2])))) {
		is_real = true;
		s = skip_digits(s + 2);
	}
	const char *digits = text("%.*s", (int)(s - lo), lo), *suffix = s;
	while (is_name_char(*s))
		s++;
	PrimType t = is_real ? PT_F64 : PT_I64;
	Span span = span_of(p, lo, s);
	if (s > suffix && (!primtype_of_name(text("%.*s", (int)(s - suffix), suffix), &t) ||
	                   t == PT_BOOL || (is_real && is_int(t))))
		fail(span, NULL, "\"%.*s\" is not a number.", (int)(s - lo), lo);
	Scalar val = is_int(t) ? int_value(digits, t, span) : float_value(digits, t);
	p->at = s;
	p->tok = (Token){.kind = K_NUMBER, .span = span, .text = "number", .val = val};
}

// ---- Strings, attributes, symbols ----

static int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c)
	     ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

static char escaped_char(Parser *p, const char *lo, const char **s)
{
	char c = *(*s)++;
	switch (c) {
	case 'n': return '\n';
	case 't': return '\t';
	case '"': case '\\': return c;
	case 'x':
		if (hex_digit((*s)[0]) >= 0 && hex_digit((*s)[1]) >= 0) {
			int v = hex_digit((*s)[0]) * 16 + hex_digit((*s)[1]);
			*s += 2;
			return (char)v;
		}
		break;
	default: // any other character is an error
		break;
	}
	fail(span_of(p, lo, *s), NULL, "Unknown escape in a string.");
}

static void lex_string(Parser *p)
{
	const char *lo = p->at, *s = lo + 1;
	Str out = {0};
	while (s < p->end && *s != '"' && *s != '\n') {
		char c = *s++;
		str_putc(&out, c == '\\' && s < p->end ? escaped_char(p, lo, &s) : c);
	}
	if (s >= p->end || *s != '"')
		fail(span_of(p, lo, lo + 1), NULL, "This string does not end.");
	p->at = s + 1;
	p->tok = (Token){.kind = K_STRING, .span = span_of(p, lo, p->at), .text = str_text(&out)};
}

static void lex_attribute(Parser *p)
{
	const char *lo = p->at, *s = lo + 2;
	int open = 1;
	for (bool quoted = false; s < p->end && open; s++) {
		if (*s == '"')
			quoted = !quoted;
		else if (!quoted)
			open += (*s == '[') - (*s == ']');
	}
	if (open)
		fail(span_of(p, lo, lo + 2), NULL, "This attribute does not end.");
	p->at = s;
	p->tok = (Token){.kind = K_ATTR, .span = span_of(p, lo, s),
	                 .text = name_of_n(lo + 2, (size_t)(s - lo - 3))};
}

static void lex_symbol(Parser *p)
{
	const char *lo = p->at;
	int len = 1;
	if ((lo[0] == '-' && lo[1] == '>') || (lo[0] == '#' && lo[1] == '{'))
		len = 2;
	else if (!*lo || !strchr("(){}[],:;=<*.\\-+@", *lo))
		fail(span_of(p, lo, lo + 1), NULL, "Unexpected character in textual core.");
	p->at += len;
	p->tok = (Token){.kind = K_SYMBOL, .span = span_of(p, lo, p->at),
	                 .text = name_of_n(lo, (size_t)len)};
}

void core_next_token(Parser *p)
{
	skip_blanks(p);
	const char *lo = p->at;
	if (lo >= p->end) {
		p->tok = (Token){.kind = K_END, .span = span_of(p, p->end, p->end),
		                 .text = "end of file"};
	} else if (isalpha((unsigned char)*lo) || *lo == '_') {
		while (p->at < p->end && is_name_char(*p->at))
			p->at++;
		p->tok = (Token){.kind = K_NAME, .span = span_of(p, lo, p->at),
		                 .text = name_of_n(lo, (size_t)(p->at - lo))};
	} else if (isdigit((unsigned char)*lo) || (*lo == '-' && isdigit((unsigned char)lo[1]))) {
		lex_number(p);
	} else if (*lo == '"') {
		lex_string(p);
	} else if (lo[0] == '#' && lo[1] == '[') {
		lex_attribute(p);
	} else {
		lex_symbol(p);
	}
}

// ---- Expectations ----

NORETURN void core_fail_expected(Parser *p, const char *what)
{
	bool quoted = p->tok.kind == K_NAME || p->tok.kind == K_SYMBOL;
	const char *found = p->tok.kind == K_STRING ? "a string"
	                  : p->tok.kind == K_ATTR ? "an attribute"
	                  : p->tok.kind == K_NUMBER ? "a number"
	                  : quoted ? text("\"%s\"", p->tok.text) : p->tok.text;
	fail(p->tok.span, NULL, "Expected %s, found %s.", what, found);
}

bool core_at_symbol(const Parser *p, const char *s)
{
	return p->tok.kind == K_SYMBOL && strcmp(p->tok.text, s) == 0;
}

bool core_at_word(const Parser *p, const char *s)
{
	return p->tok.kind == K_NAME && strcmp(p->tok.text, s) == 0;
}

bool core_take_symbol(Parser *p, const char *s)
{
	if (!core_at_symbol(p, s))
		return false;
	core_next_token(p);
	return true;
}

bool core_take_word(Parser *p, const char *s)
{
	if (!core_at_word(p, s))
		return false;
	core_next_token(p);
	return true;
}

void core_want_symbol(Parser *p, const char *s)
{
	if (!core_take_symbol(p, s))
		core_fail_expected(p, text("\"%s\"", s));
}

void core_want_word(Parser *p, const char *s)
{
	if (!core_take_word(p, s))
		core_fail_expected(p, text("\"%s\"", s));
}

const char *core_want_string(Parser *p)
{
	if (p->tok.kind != K_STRING)
		core_fail_expected(p, "a string");
	const char *s = p->tok.text;
	core_next_token(p);
	return s;
}

int core_want_int(Parser *p)
{
	if (p->tok.kind != K_NUMBER || p->tok.val.type != PT_I64 || p->tok.val.i < 0 ||
	    p->tok.val.i > 1000000)
		core_fail_expected(p, "a small number");
	int i = (int)p->tok.val.i;
	core_next_token(p);
	return i;
}

Name core_want_fun_name(Parser *p)
{
	if (p->tok.kind != K_NAME && p->tok.kind != K_STRING)
		core_fail_expected(p, "the name of a function");
	Name name = name_of(p->tok.text);
	core_next_token(p);
	return name;
}

PrimType core_want_primtype(Parser *p)
{
	PrimType t;
	if (p->tok.kind != K_NAME || !primtype_of_name(p->tok.text, &t))
		core_fail_expected(p, "a scalar type");
	core_next_token(p);
	return t;
}

void core_enter(Parser *p)
{
	if (++p->depth > MAX_DEPTH)
		fail(p->tok.span, NULL, "Nested too deeply.");
}

void core_leave(Parser *p)
{
	p->depth--;
}

// ---- Locations ----

// Reads a number right here, without a token: 5-9 is two numbers in a location.
static int place_number(Parser *p, int limit)
{
	const char *lo = p->at;
	long n = 0;
	for (; isdigit((unsigned char)*p->at); p->at++)
		n = n > limit ? n : n * 10 + (*p->at - '0');
	if (p->at == lo)
		fail(span_of(p, lo, lo + 1), NULL, "Expected a number in a location.");
	return n > limit ? limit : (int)n;
}

static void place_char(Parser *p, char c)
{
	if (p->at >= p->end || *p->at != c)
		fail(span_of(p, p->at, p->at + 1), NULL, "Expected \"%c\" in a location.", c);
	p->at++;
}

// "a.fut":3:5-9 or "a.fut":3:5-4:2, the string being the current token.
static Where *parse_place(Parser *p)
{
	if (p->tok.kind != K_STRING)
		core_fail_expected(p, "the name of a file");
	Place at = {.where = NEW(Where, .up = NULL), .file = name_of(p->tok.text)};
	place_char(p, ':');
	at.line = at.end_line = place_number(p, MAX_LINE);
	place_char(p, ':');
	at.col = place_number(p, MAX_COL);
	place_char(p, '-');
	at.end_col = place_number(p, MAX_LINE);
	if (p->at < p->end && *p->at == ':') {
		p->at++;
		at.end_line = at.end_col;
		at.end_col = place_number(p, MAX_COL);
	}
	if (at.end_col > MAX_COL)
		at.end_col = MAX_COL;
	VEC_PUSH(&p->places, at);
	core_next_token(p);
	return at.where;
}

const Where *core_parse_where(Parser *p)
{
	if (!core_take_symbol(p, "@"))
		return NULL;
	Where *first = parse_place(p), *last = first;
	while (core_take_symbol(p, "<")) {
		Where *up = parse_place(p);
		last->up = up;
		last = up;
	}
	return first;
}

// A text of blanks that has all the positions mentioned in a file: the file itself need not
// exist for its locations to be kept.
typedef struct { int n_lines; int *cols; Loc *starts; Source *src; } Blank;

static void blank_grow(Blank *b, int line, int col)
{
	if (b->cols[line] < col)
		b->cols[line] = col;
}

// *left is how many bytes may still be spent on all files; without them locations are lost.
static void blank_write(Blank *b, Name file, size_t *left)
{
	size_t size = 0;
	b->starts = NEW_ARRAY(Loc, b->n_lines + 1);
	for (int i = 1; i <= b->n_lines; i++) {
		b->starts[i] = (Loc)size;
		size += (size_t)b->cols[i] + 1;
		if (size > *left)
			return;
	}
	*left -= size;
	char *blanks = mem_alloc(size + 1);
	memset(blanks, ' ', size);
	for (int i = 2; i <= b->n_lines; i++)
		blanks[b->starts[i] - 1] = '\n';
	b->src = source_add(file, blanks, size);
}

static Loc blank_loc(const Blank *b, int line, int col)
{
	return b->src->start + b->starts[line] + (Loc)(col ? col - 1 : 0);
}

void core_resolve_places(Parser *p)
{
	Map files = {0};
	size_t left = MAX_BLANKS;
	for EACH(Place, at, p->places) {
		Blank *b = map_get(&files, at->file);
		if (!b)
			map_put(&files, at->file, b = NEW(Blank, .n_lines = 0));
		int last = at->line > at->end_line ? at->line : at->end_line;
		b->n_lines = last > b->n_lines ? last : b->n_lines;
	}
	for MAP_EACH(f, files) {
		Blank *b = f->val;
		if ((size_t)b->n_lines < left)
			b->cols = NEW_ARRAY(int, b->n_lines + 1);
		left -= b->cols ? (size_t)b->n_lines : 0;
	}
	for EACH(Place, at, p->places) {
		Blank *b = map_get(&files, at->file);
		if (b->cols) {
			blank_grow(b, at->line, at->col);
			blank_grow(b, at->end_line, at->end_col);
		}
	}
	for MAP_EACH(f, files)
		if (((Blank *)f->val)->cols)
			blank_write(f->val, f->key, &left);
	for EACH(Place, at, p->places) {
		const Blank *b = map_get(&files, at->file);
		if (b->src && at->line && at->end_line)
			at->where->span = (Span){blank_loc(b, at->line, at->col),
			                         blank_loc(b, at->end_line, at->end_col)};
	}
}
