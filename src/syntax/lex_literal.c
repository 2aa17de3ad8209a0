// Literals: numbers, characters and strings (language reference, 1.4 and 1.5).
//
// A number extends as far as possible: `3f32` is a float, `0x1f32` an integer, and `1e3i32` a
// float followed by a name.  Values are stored modulo 2^64; integers that do not fit are flagged.
#include "syntax/lex.h"

#include <stdlib.h>

// ---- Numbers ----

static bool skip_suffix(const char **at, bool integer, bool real, PrimType *type)
{
	static const PrimType types[] = {PT_I8, PT_I16, PT_I32, PT_I64, PT_U8, PT_U16, PT_U32,
		PT_U64, PT_F16, PT_F32, PT_F64};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		const char *name = primtype_name[types[i]];
		bool allowed = is_int(types[i]) ? integer : real;
		if (allowed && **at == *name && strncmp(*at, name, strlen(name)) == 0) {
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

// ("e"|"E") ["+"|"-"] digit+, of a decimal real; ("p"|"P") ["+"|"-"] (digit|"_")+, of a
// hexadecimal one
static bool skip_exponent(const char **at, char letter)
{
	const char *s = *at;
	if ((*s | 32) != letter)
		return false;
	s++;
	if (*s == '+' || *s == '-')
		s++;
	bool any = false;
	for (; is_class(*s, C_DIGIT) || (letter == 'p' && *s == '_'); s++)
		any |= *s != '_';
	if (any)
		*at = s;
	return any;
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
	Token *t = lex_push(lx, TOK_INT, from);
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
	Token *t = lex_push(lx, TOK_FLOAT, from);
	t->real.value = float_of_text(type, str_text(&digits));
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

void lex_number(Lexer *lx)
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
void lex_field_number(Lexer *lx)
{
	const char *from = lx->at;
	bool too_big = false;
	while (is_class(*lx->at, C_DIGIT))
		lx->at++;
	uint64_t value = read_digits(from, lx->at, 10, &too_big);
	Token *t = lex_push(lx, TOK_INT, from);
	t->integer.value = value;
	t->integer.too_big = too_big;
	t->integer.type = PT_I32;
}

// ---- Characters and strings ----

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
bool lex_char(Lexer *lx)
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
			lex_push(lx, TOK_CHAR, from)->ch = 0;
			return true;
		}
	} else {
		c = lex_utf8(&s, lx->end);
	}
	if (c < 0 || *s != '\'')
		return false;
	lx->at = s + 1;
	lex_push(lx, TOK_CHAR, from)->ch = (uint32_t)c;
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
		lex_utf8(&to, lx->end);
	lx->at = to;
	lex_error(lx, from, to, "Invalid escape in string literal.");
}

void lex_string(Lexer *lx)
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
	Token *t = lex_push(lx, TOK_STRING, from);
	t->string.bytes = str_text(&bytes);
	t->string.len = (int)bytes.len;
}
