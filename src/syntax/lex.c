// Characters to tokens (language reference, section 1).
//
// The scanner works on the whole file at once and produces one array of tokens, so that
// the parser can look ahead freely.  Symbols are read by maximal munch: `->` is an arrow
// but `->>` is an operator, `==` is an operator but `=` is not.  Where a token directly
// follows another the token says so (space_before); the parser uses it to tell `f[x]`
// from `f [x]`.
//
// Numbers after a dot are tuple fields: in `x.0.1` there is no literal 0.1.  A symbol
// directly after `m.` is one token with it: `m.+`, whose name is the text "m.+".
//
// Comments leave no token, except documentation comments: those are only allowed before
// declarations, so the parser has to see them.
#include "syntax/ast.h"

#include <stdlib.h>

const char *const token_spelling[N_TOKEN] = {
#define TOKEN(kind, spelling) spelling,
#include "syntax/tokens.def"
#undef TOKEN
};

enum { MAX_LEX_ERRORS = 20 };

typedef VEC(Token) TokenVec;
typedef VEC(Comment) CommentVec;

typedef struct {
	const Source *src;
	const char *at;                         // the next character
	const char *end;
	TokenVec tokens;
	CommentVec comments;
	Name keyword[N_TOKEN];                  // interned spellings of the reserved words
	bool space, newline;                    // seen since the last token
	int errors;
} Lexer;

// ---- Characters ----

enum {
	C_SPACE = 1, C_LETTER = 2, C_DIGIT = 4, C_HEX = 8, C_SYMBOL = 16, C_NAME = 32,
};

static int class_of(int c)
{
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
		return C_LETTER | C_NAME | ((c | 32) <= 'f' ? C_HEX : 0);
	if (c >= '0' && c <= '9')
		return C_DIGIT | C_HEX | C_NAME;
	switch (c) {
	case ' ': case '\t': case '\n': case '\r': case '\v': case '\f':
		return C_SPACE;
	case '_': case '\'':
		return C_NAME;
	case '+': case '-': case '*': case '/': case '%': case '=': case '!': case '>':
	case '<': case '|': case '&': case '^':
		return C_SYMBOL;
	}
	return 0;
}

static bool is_class(char c, int class)
{
	return (class_of((unsigned char)c) & class) != 0;
}

static Loc loc_of(const Lexer *lx, const char *at)
{
	return lx->src->start + (Loc)(at - lx->src->text);
}

static Span span_from(const Lexer *lx, const char *from, const char *to)
{
	return (Span){loc_of(lx, from), loc_of(lx, to)};
}

PRINTF_LIKE(4, 5)
static void lex_error(Lexer *lx, const char *from, const char *to, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const char *message = vtext(fmt, args);
	va_end(args);
	if (lx->errors++ < MAX_LEX_ERRORS)
		diag_error(span_from(lx, from, to), NULL, "%s", message);
}

// Reads one UTF-8 character; -1 for malformed text, which then takes one byte.
static int32_t read_utf8(const char **at, const char *end)
{
	const unsigned char *s = (const unsigned char *)*at;
	size_t left = (size_t)(end - *at);
	int n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
	      : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
	*at += 1;
	if (n == 0 || left < (size_t)n)
		return -1;
	if (n == 1)
		return s[0];
	int32_t c = s[0] & (0x7f >> n);
	for (int i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return -1;
		c = c << 6 | (s[i] & 0x3f);
	}
	if ((n == 3 && c < 0x800) || (n == 4 && (c < 0x10000 || c > 0x10ffff))
	    || (c >= 0xd800 && c < 0xe000))
		return -1;
	*at += n - 1;
	return c;
}

static void put_utf8(Str *s, uint32_t c)
{
	if (c >= 0xd800 && c < 0xe000)
		c = 0xfffd;                     // a lone surrogate has no encoding
	if (c < 0x80) {
		str_putc(s, (char)c);
	} else if (c < 0x800) {
		str_putc(s, (char)(0xc0 | c >> 6));
		str_putc(s, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		str_putc(s, (char)(0xe0 | c >> 12));
		str_putc(s, (char)(0x80 | (c >> 6 & 0x3f)));
		str_putc(s, (char)(0x80 | (c & 0x3f)));
	} else {
		str_putc(s, (char)(0xf0 | c >> 18));
		str_putc(s, (char)(0x80 | (c >> 12 & 0x3f)));
		str_putc(s, (char)(0x80 | (c >> 6 & 0x3f)));
		str_putc(s, (char)(0x80 | (c & 0x3f)));
	}
}

// Reports malformed UTF-8 wherever it stands, comments and strings included; one error
// for each run of bad bytes.
static void check_utf8(Lexer *lx)
{
	const char *at = lx->at, *bad = NULL;
	while (at < lx->end) {
		const char *start = at;
		bool fine = (unsigned char)*at < 0x80 ? (at++, true) : read_utf8(&at, lx->end) >= 0;
		if (!fine && !bad)
			bad = start;
		if (bad && (fine || at == lx->end)) {
			lex_error(lx, bad, fine ? start : at, "Invalid UTF-8 in source text.");
			bad = NULL;
			if (lx->errors >= MAX_LEX_ERRORS)
				return;
		}
	}
}

static Token *push(Lexer *lx, TokenKind kind, const char *from)
{
	VEC_PUSH(&lx->tokens, (Token){.kind = kind, .span = span_from(lx, from, lx->at),
		.space_before = lx->space, .newline_before = lx->newline});
	lx->space = lx->newline = false;
	return &lx->tokens.at[lx->tokens.len - 1];
}

// ---- Numbers ----

static bool skip_suffix(const char **at, bool integer, bool real, PrimType *type)
{
	static const PrimType types[] = {PT_I8, PT_I16, PT_I32, PT_I64, PT_U8, PT_U16, PT_U32,
		PT_U64, PT_F16, PT_F32, PT_F64};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		const char *name = primtype_name[types[i]];
		if ((is_int(types[i]) ? integer : real) && strncmp(*at, name, strlen(name)) == 0) {
			*at += strlen(name);
			*type = types[i];
			return true;
		}
	}
	return false;
}

static void skip_digits(const char **at, int class)
{
	while (is_class(**at, class) || **at == '_')
		(*at)++;
}

// [("e"|"E") ["+"|"-"] digit+], with another letter for hexadecimal reals
static bool skip_exponent(const char **at, char letter)
{
	const char *s = *at;
	if ((*s | 32) != letter)
		return false;
	s++;
	if (*s == '+' || *s == '-')
		s++;
	if (!is_class(*s, C_DIGIT))
		return false;
	while (is_class(*s, C_DIGIT))
		s++;
	*at = s;
	return true;
}

static int digit_value(char c)
{
	return c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
}

// The value of digits in a base, modulo 2^64; says whether it is more than that.
static uint64_t read_digits(const char *s, const char *end, unsigned base, bool *too_big)
{
	uint64_t n = 0;
	for (; s < end; s++) {
		if (*s == '_')
			continue;
		unsigned d = (unsigned)digit_value(*s);
		if (n > (UINT64_MAX - d) / base)
			*too_big = true;
		n = n * base + d;
	}
	return n;
}

static int roman_digit(char c)
{
	switch (c) {
	case 'I': return 1;
	case 'V': return 5;
	case 'X': return 10;
	case 'L': return 50;
	case 'C': return 100;
	case 'D': return 500;
	case 'M': return 1000;
	}
	return 0;
}

// A digit before a larger one counts negatively: XIV is 10 - 1 + 5.
static uint64_t read_roman(const char *s, const char *end)
{
	uint64_t n = 0;
	int largest = 0;
	while (end-- > s) {
		int d = roman_digit(*end);
		if (d == 0)
			continue;               // an underscore
		if (d >= largest) {
			largest = d;
			n += (uint64_t)d;
		} else {
			n -= (uint64_t)d;
		}
	}
	return n;
}

static void push_int(Lexer *lx, const char *from, uint64_t value, bool too_big)
{
	PrimType type = PT_I32;
	bool suffixed = skip_suffix(&lx->at, true, false, &type);
	Token *t = push(lx, TOK_INT, from);
	t->integer.value = value;
	t->integer.too_big = too_big;
	t->integer.suffixed = suffixed;
	t->integer.type = type;
}

static void push_real(Lexer *lx, const char *from)
{
	Str digits = {0};
	for (const char *s = from; s < lx->at; s++)
		if (*s != '_')
			str_putc(&digits, *s);
	PrimType type = PT_F64;
	bool suffixed = skip_suffix(&lx->at, false, true, &type);
	Token *t = push(lx, TOK_FLOAT, from);
	// Rounding once, to the literal's own type.
	double value = type == PT_F32 ? (double)strtof(str_text(&digits), NULL)
	             : strtod(str_text(&digits), NULL);
	t->real.value = type == PT_F16 ? double_of_half(half_of_double(value)) : value;
	t->real.suffixed = suffixed;
	t->real.type = type;
}

// A prefixed number: 0x1f, 0b101, 0rXIV, 0x1.8p3.
static bool lex_prefixed(Lexer *lx)
{
	const char *from = lx->at, *digits = from + 2;
	bool too_big = false;
	switch (from[1] | 32) {
	case 'x':
		if (!is_class(*digits, C_HEX))
			return false;
		lx->at = digits;
		skip_digits(&lx->at, C_HEX);
		const char *rest = lx->at + 1;
		if (*lx->at == '.' && is_class(*rest, C_HEX)) {
			skip_digits(&rest, C_HEX);
			if (skip_exponent(&rest, 'p')) {
				lx->at = rest;
				push_real(lx, from);
				return true;
			}
		}
		uint64_t hex = read_digits(digits, lx->at, 16, &too_big);
		push_int(lx, from, hex, too_big);
		return true;
	case 'b':
		if (*digits != '0' && *digits != '1')
			return false;
		lx->at = digits;
		while (*lx->at == '0' || *lx->at == '1' || *lx->at == '_')
			lx->at++;
		uint64_t bin = read_digits(digits, lx->at, 2, &too_big);
		push_int(lx, from, bin, too_big);
		return true;
	case 'r':
		if (!roman_digit(*digits))
			return false;
		lx->at = digits;
		while (roman_digit(*lx->at) || *lx->at == '_')
			lx->at++;
		push_int(lx, from, read_roman(digits, lx->at), false);
		return true;
	}
	return false;
}

static void lex_number(Lexer *lx)
{
	const char *from = lx->at;
	if (*from == '0' && lex_prefixed(lx))
		return;
	bool real = false, too_big = false;
	skip_digits(&lx->at, C_DIGIT);
	const char *int_end = lx->at;
	if (lx->at[0] == '.' && is_class(lx->at[1], C_DIGIT)) {
		real = true;
		lx->at++;
		skip_digits(&lx->at, C_DIGIT);
	}
	real |= skip_exponent(&lx->at, 'e');
	PrimType type;
	const char *suffix = lx->at;
	if (real || skip_suffix(&suffix, false, true, &type)) {
		push_real(lx, from);
	} else {
		uint64_t value = read_digits(from, int_end, 10, &too_big);
		push_int(lx, from, value, too_big);
	}
}

// The field of a tuple: only digits belong to it.
static void lex_field_number(Lexer *lx)
{
	const char *from = lx->at;
	bool too_big = false;
	while (is_class(*lx->at, C_DIGIT))
		lx->at++;
	uint64_t value = read_digits(from, lx->at, 10, &too_big);
	Token *t = push(lx, TOK_INT, from);
	t->integer.value = value;
	t->integer.too_big = too_big;
	t->integer.type = PT_I32;
}

// ---- Characters and strings ----

static const char ascii_control[][4] = {
	"NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF",
	"CR", "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM",
	"SUB", "ESC", "FS", "GS", "RS", "US", "SP",
};

// Digits of a numeric escape; -1 when there are none or the number is no code point.
static int32_t escape_number(const char **at, unsigned base)
{
	const char *s = *at;
	int32_t c = 0;
	while (is_class(*s, C_HEX) && (unsigned)digit_value(*s) < base) {
		c = c * (int32_t)base + digit_value(*s++);
		if (c > 0x10ffff)
			c = 0x110000;
	}
	if (s == *at || c > 0x10ffff)
		return -1;
	*at = s;
	return c;
}

// One-character and decimal escapes, after the backslash: all that a character literal has.
static int32_t escape_simple(const char **at)
{
	static const char letters[] = "abfnrtv\\\"'", values[] = "\a\b\f\n\r\t\v\\\"'";
	if (is_class(**at, C_DIGIT))
		return escape_number(at, 10);
	const char *found = **at ? strchr(letters, **at) : NULL;
	if (!found)
		return -1;
	(*at)++;
	return values[found - letters];
}

static int32_t escape_string(const char **at)
{
	const char *s = *at;
	if ((*s | 32) == 'x' || (*s | 32) == 'o') {
		s++;
		int32_t c = escape_number(&s, (**at | 32) == 'x' ? 16 : 8);
		if (c >= 0)
			*at = s;
		return c;
	}
	if (*s == '^' && s[1] >= '@' && s[1] <= '_') {
		*at += 2;
		return s[1] - '@';
	}
	size_t best = 0;
	int32_t found = -1;
	for (int i = 0; i < (int)(sizeof ascii_control / sizeof *ascii_control); i++) {
		size_t n = strlen(ascii_control[i]);
		if (n > best && strncmp(s, ascii_control[i], n) == 0) {
			best = n;
			found = i;
		}
	}
	if (strncmp(s, "DEL", 3) == 0) {
		best = 3;
		found = 127;
	}
	*at += best;
	return found >= 0 ? found : escape_simple(at);
}

// 'c' or '\n' or '\65'; false when the quote starts a type parameter instead.
static bool lex_char(Lexer *lx)
{
	const char *from = lx->at, *s = from + 1;
	int32_t c;
	if (s >= lx->end || *s == '\'' || *s == '\n')
		return false;
	if (*s == '\\') {
		s++;
		c = escape_simple(&s);
		if (c < 0) {
			const char *close = s;
			while (*close && *close != '\'' && *close != '\n')
				close++;
			lx->at = close + (*close == '\'');
			lex_error(lx, from, lx->at, "Invalid escape in character literal.");
			push(lx, TOK_CHAR, from)->ch = 0;
			return true;
		}
	} else {
		c = read_utf8(&s, lx->end);
	}
	if (c < 0 || *s != '\'')
		return false;
	lx->at = s + 1;
	push(lx, TOK_CHAR, from)->ch = (uint32_t)c;
	return true;
}

// After a backslash in a string: an escape, \& (nothing), or a gap of white space that
// ends with another backslash.
static void lex_string_escape(Lexer *lx, Str *bytes)
{
	const char *from = lx->at - 1;
	if (*lx->at == '&') {
		lx->at++;
		return;
	}
	if (is_class(*lx->at, C_SPACE)) {
		const char *s = lx->at;
		while (is_class(*s, C_SPACE))
			s++;
		if (*s == '\\') {
			lx->at = s + 1;
			return;
		}
	}
	int32_t c = escape_string(&lx->at);
	if (c >= 0) {
		put_utf8(bytes, (uint32_t)c);
		return;
	}
	const char *to = lx->at;
	if (to < lx->end && *to != '\n')
		read_utf8(&to, lx->end);
	lx->at = to;
	lex_error(lx, from, to, "Invalid escape in string literal.");
}

static void lex_string(Lexer *lx)
{
	const char *from = lx->at++;
	Str bytes = {0};
	for (;;) {
		if (lx->at >= lx->end || *lx->at == '\n') {
			lex_error(lx, from, lx->at, "String literal is not closed on its line.");
			break;
		}
		char c = *lx->at++;
		if (c == '"')
			break;
		if (c == '\\')
			lex_string_escape(lx, &bytes);
		else
			str_putc(&bytes, c);
	}
	Token *t = push(lx, TOK_STRING, from);
	t->string.bytes = str_text(&bytes);
	t->string.len = (int)bytes.len;
}

// ---- Names and symbols ----

static void lex_name(Lexer *lx)
{
	const char *from = lx->at;
	while (is_class(*lx->at, C_NAME))
		lx->at++;
	Name name = name_of_n(from, (size_t)(lx->at - from));
	TokenKind kind = TOK_ID;
	for (int k = TOK_TRUE; k <= TOK_CASE; k++)
		if (lx->keyword[k] == name)
			kind = (TokenKind)k;
	push(lx, kind, from)->name = name;
}

static void lex_constructor(Lexer *lx)
{
	const char *from = lx->at++;
	const char *name = lx->at;
	while (is_class(*lx->at, C_NAME))
		lx->at++;
	push(lx, TOK_CONSTR, from)->name = name_of_n(name, (size_t)(lx->at - name));
}

static bool starts_name(const char *s)
{
	return is_class(*s, C_LETTER) || (*s == '_' && is_class(s[1], C_LETTER | C_DIGIT));
}

// The number of tokens before a symbol that are its qualifiers: 2 for each `m.`, all
// without white space.
static int count_qualifiers(const Lexer *lx)
{
	int n = 0, len = lx->tokens.len;
	bool tight = !lx->space;
	while (tight && len - n >= 2) {
		const Token *dot = &lx->tokens.at[len - n - 1], *id = dot - 1;
		if (dot->kind != TOK_DOT || dot->space_before || id->kind != TOK_ID)
			break;
		n += 2;
		tight = !id->space_before;
	}
	return n;
}

static void lex_symbol(Lexer *lx)
{
	const char *from = lx->at;
	while (is_class(*lx->at, C_SYMBOL) || *lx->at == '.')
		lx->at++;
	// A comment ends a symbol: in `x +-- y` the operator is `+`.
	for (const char *s = from; s + 1 < lx->at; s++)
		if (s > from && s[0] == '-' && s[1] == '-')
			lx->at = s;
	size_t n = (size_t)(lx->at - from);
	if (n == 1 && *from == '=') {
		push(lx, TOK_EQUALS, from);
		return;
	}
	if (n == 2 && from[0] == '-' && from[1] == '>') {
		push(lx, TOK_ARROW, from);
		return;
	}
	int quals = count_qualifiers(lx);
	if (quals == 0) {
		push(lx, TOK_SYM, from)->name = name_of_n(from, n);
		return;
	}
	lx->tokens.len -= quals;
	const Token *first = &lx->tokens.at[lx->tokens.len];
	lx->space = first->space_before;
	lx->newline = first->newline_before;
	from = lx->src->text + (first->span.lo - lx->src->start);
	push(lx, TOK_QUALSYM, from)->name = name_of_n(from, (size_t)(lx->at - from));
}

static const struct { char text[4]; TokenKind kind; } punctuation[] = {
	// Longer spellings before their prefixes.
	{"...", TOK_ELLIPSIS}, {"..<", TOK_DOTDOT_LT}, {"..>", TOK_DOTDOT_GT}, {"..", TOK_DOTDOT},
	{".", TOK_DOT}, {":>", TOK_COLON_GT}, {":", TOK_COLON}, {"???", TOK_HOLE},
	{"?", TOK_QUESTION}, {"#[", TOK_ATTR_OPEN}, {"'^", TOK_QUOTE_HAT},
	{"'~", TOK_QUOTE_TILDE}, {"'", TOK_QUOTE}, {"`", TOK_BACKTICK}, {"~", TOK_TILDE},
	{"$", TOK_DOLLAR}, {"\\", TOK_BACKSLASH}, {"(", TOK_LPAREN}, {")", TOK_RPAREN},
	{"[", TOK_LBRACKET}, {"]", TOK_RBRACKET}, {"{", TOK_LBRACE}, {"}", TOK_RBRACE},
	{",", TOK_COMMA}, {"_", TOK_UNDERSCORE},
};

static bool lex_punctuation(Lexer *lx)
{
	const char *from = lx->at;
	for (size_t i = 0; i < sizeof punctuation / sizeof *punctuation; i++) {
		size_t n = strlen(punctuation[i].text);
		if (strncmp(from, punctuation[i].text, n) == 0) {
			lx->at += n;
			push(lx, punctuation[i].kind, from);
			return true;
		}
	}
	return false;
}

// ---- Comments ----

static bool is_doc_start(const char *s)
{
	return strncmp(s, "-- |", 4) == 0;
}

// Reads one comment to the end of its line.
static void lex_comment_line(Lexer *lx)
{
	const char *from = lx->at;
	const char *newline = memchr(from, '\n', (size_t)(lx->end - from));
	lx->at = newline ? newline : lx->end;
	const char *to = lx->at;
	while (to > from && is_class(to[-1], C_SPACE))
		to--;
	bool own_line = lx->newline || lx->tokens.len == 0;
	VEC_PUSH(&lx->comments, (Comment){.span = span_from(lx, from, to), .own_line = own_line,
		.text = text("%.*s", (int)(to - from), from)});
	lx->space = true;
}

// A documentation comment: a line `-- | ...` and the comment lines directly below it.
static void lex_doc(Lexer *lx)
{
	const char *from = lx->at, *to = from;
	bool space = lx->space, newline = lx->newline || lx->tokens.len == 0;
	Str doc = {0};
	for (int line = 0;; line++) {
		const char *words = lx->at + (line == 0 ? 4 : 2);
		lex_comment_line(lx);
		to = lx->at;
		if (words < to && *words == ' ')
			words++;
		if (line > 0)
			str_putc(&doc, '\n');
		if (words < to)
			str_putn(&doc, words, (size_t)(to - words) - (to[-1] == '\r'));
		const char *next = to + (to < lx->end);
		while (*next == ' ' || *next == '\t')
			next++;
		if (next[0] != '-' || next[1] != '-')
			break;
		lx->at = next;
		lx->newline = true;
	}
	lx->at = to;
	lx->space = space;
	lx->newline = newline;
	Token *t = push(lx, TOK_DOC, from);
	t->string.bytes = str_text(&doc);
	t->string.len = (int)doc.len;
	lx->space = true;
}

// ---- The scanner ----

static bool expects_field(const Lexer *lx)
{
	if (lx->tokens.len == 0)
		return false;
	const Token *last = &lx->tokens.at[lx->tokens.len - 1];
	return last->kind == TOK_WITH || (last->kind == TOK_DOT && !lx->space);
}

static void skip_bad_character(Lexer *lx)
{
	const char *from = lx->at;
	int32_t c = read_utf8(&lx->at, lx->end);
	if (c < 0)
		return;                         // reported by check_utf8
	if (c >= ' ' && c != 127)
		lex_error(lx, from, lx->at, "Unexpected character '%.*s'.",
			(int)(lx->at - from), from);
	else
		lex_error(lx, from, lx->at, "Unexpected character with code %d.", (int)c);
}

static void lex_token(Lexer *lx)
{
	char c = *lx->at;
	if (is_class(c, C_SPACE)) {
		lx->space = true;
		lx->newline |= c == '\n';
		lx->at++;
	} else if (c == '-' && lx->at[1] == '-') {
		if (is_doc_start(lx->at))
			lex_doc(lx);
		else
			lex_comment_line(lx);
	} else if (starts_name(lx->at)) {
		lex_name(lx);
	} else if (is_class(c, C_DIGIT)) {
		if (expects_field(lx))
			lex_field_number(lx);
		else
			lex_number(lx);
	} else if (is_class(c, C_SYMBOL)) {
		lex_symbol(lx);
	} else if (c == '"') {
		lex_string(lx);
	} else if (c == '#' && starts_name(lx->at + 1)) {
		lex_constructor(lx);
	} else if (!(c == '\'' && lex_char(lx)) && !lex_punctuation(lx)) {
		skip_bad_character(lx);
	}
}

Tokens lex(const Source *src, Comments *comments)
{
	Lexer lx = {.src = src, .at = src->text, .end = src->text + src->len};
	for (int k = TOK_TRUE; k <= TOK_CASE; k++)
		lx.keyword[k] = name_of(token_spelling[k]);
	check_utf8(&lx);
	if (src->len >= 3 && memcmp(src->text, "\xef\xbb\xbf", 3) == 0)
		lx.at += 3;                     // a byte order mark
	while (lx.at < lx.end && lx.errors < MAX_LEX_ERRORS)
		lex_token(&lx);
	lx.at = lx.end;
	push(&lx, TOK_EOF, lx.end);
	if (comments)
		*comments = VEC_SLICE(Comments, lx.comments);
	return VEC_SLICE(Tokens, lx.tokens);
}
