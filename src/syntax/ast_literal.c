// Printing of literals, so that the lexer reads the same value again.
#include "syntax/ast.h"

// One character of a literal, escaped where it has to be.
static void put_char(Str *s, uint32_t c, char quote)
{
	static const char plain[] = "\a\b\f\n\r\t\v", letters[] = "abfnrtv";
	const char *found = c && c < 32 ? strchr(plain, (int)c) : NULL;
	if (found)
		str_printf(s, "\\%c", letters[found - plain]);
	else if (c == '\\' || c == (uint32_t)quote)
		str_printf(s, "\\%c", (char)c);
	else if (c < 32 || c == 127)
		str_printf(s, "\\%u", (unsigned)c);
	else if (c < 0x80)
		str_putc(s, (char)c);
	else if (c < 0x800)
		str_printf(s, "%c%c", (int)(0xc0 | c >> 6), (int)(0x80 | (c & 0x3f)));
	else if (c < 0x10000)
		str_printf(s, "%c%c%c", (int)(0xe0 | c >> 12), (int)(0x80 | (c >> 6 & 0x3f)),
			(int)(0x80 | (c & 0x3f)));
	else
		str_printf(s, "%c%c%c%c", (int)(0xf0 | c >> 18), (int)(0x80 | (c >> 12 & 0x3f)),
			(int)(0x80 | (c >> 6 & 0x3f)), (int)(0x80 | (c & 0x3f)));
}

static void put_string(Str *s, const char *bytes, int len)
{
	str_putc(s, '"');
	for (int i = 0; i < len; i++) {
		if ((unsigned char)bytes[i] >= 0x80)
			str_putc(s, bytes[i]);
		else
			put_char(s, (uint32_t)bytes[i], '"');
		// A digit must not join a numeric escape before it.
		bool control = (unsigned char)bytes[i] < ' ' || bytes[i] == 127;
		if (control && i + 1 < len && bytes[i + 1] >= '0' && bytes[i + 1] <= '9')
			str_puts(s, "\\&");
	}
	str_putc(s, '"');
}

void ast_put_literal(Str *s, const Expr *e)
{
	if (e->kind == EX_INT) {
		str_puts(s, e->int_lit.text);
		if (e->int_lit.suffixed)
			str_puts(s, primtype_name[e->int_lit.type]);
	} else if (e->kind == EX_FLOAT) {
		str_puts(s, e->float_lit.text);
		if (e->float_lit.suffixed)
			str_puts(s, primtype_name[e->float_lit.type]);
	} else if (e->kind == EX_CHAR) {
		str_putc(s, '\'');
		put_char(s, e->char_lit, '\'');
		str_putc(s, '\'');
	} else if (e->kind == EX_STRING) {
		put_string(s, e->string.bytes, e->string.len);
	} else {
		str_puts(s, e->bool_lit ? "true" : "false");
	}
}
