// FutharkScript: the small language of script inputs and of tools that call entry points.
//
//   exp  = fun exp* | "let" pat "=" exp ["in"] exp | atom ("." field | "[" exp,+ "]")*
//   atom = fun | literal | string | "(" exp ")" | "(" exp,+ ")" | "[" exp,+ "]"
//        | "empty" "(" ("[" n "]")+ type ")" | "{" [id "=" exp,+] "}"
//   pat  = id | "(" id,+ ")"          fun = id | "$" id
//
// This file is the syntax; script_eval.c evaluates.
#include "cli/script.h"
#include "core/data.h"

#include <ctype.h>

typedef struct { const char *at, *end, *why; jmp_buf escape; } Parser;

static NORETURN void expected(Parser *p, const char *what)
{
	p->why = what;
	longjmp(p->escape, 1);
}

// ---- Tokens ----

static bool is_start(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static char peek(Parser *p)
{
	data_skip_space(&p->at, p->end);
	return p->at < p->end ? *p->at : 0;
}

static bool accept(Parser *p, char c)
{
	if (peek(p) != c)
		return false;
	p->at++;
	return true;
}

static void expect(Parser *p, char c)
{
	if (!accept(p, c))
		expected(p, text("\"%c\"", c));
}

static bool at_word(Parser *p, const char *word)
{
	peek(p);
	size_t n = strlen(word);
	return (size_t)(p->end - p->at) >= n && memcmp(p->at, word, n) == 0 &&
	       (p->at + n == p->end || !is_name_char(p->at[n]));
}

static Name word(Parser *p, bool may_be_number, const char *what)
{
	peek(p);
	const char *from = p->at;
	if (from < p->end && (is_start(*from) || (may_be_number && isdigit((unsigned char)*from))))
		while (p->at < p->end && is_name_char(*p->at))
			p->at++;
	if (p->at == from)
		expected(p, what);
	return name_of_n(from, (size_t)(p->at - from));
}

// ---- Expressions ----

static const ScriptExp *parse_exp(Parser *p);

static ScriptExp *new_exp(ScriptKind kind)
{
	return NEW(ScriptExp, .kind = kind);
}

typedef VEC(const ScriptExp *) ExpVec;

// exp ("," exp)* [","] close
static ScriptExps list(Parser *p, char close)
{
	ExpVec v = {0};
	while (!accept(p, close)) {
		VEC_PUSH(&v, parse_exp(p));
		if (!accept(p, ',') && peek(p) != close)
			expected(p, text("\",\" or \"%c\"", close));
	}
	return VEC_SLICE(ScriptExps, v);
}

static const ScriptExp *parse_record(Parser *p)
{
	ScriptExp *e = new_exp(SX_RECORD);
	ExpVec values = {0};
	VEC(Name) names = {0};
	while (!accept(p, '}')) {
		VEC_PUSH(&names, word(p, true, "field name or \"}\""));
		expect(p, '=');
		VEC_PUSH(&values, parse_exp(p));
		if (!accept(p, ',') && peek(p) != '}')
			expected(p, "\",\" or \"}\"");
	}
	e->parts = VEC_SLICE(ScriptExps, values);
	e->names = VEC_SLICE(Names, names);
	return e;
}

static const ScriptExp *parse_parens(Parser *p)
{
	ScriptExps parts = list(p, ')');
	if (parts.len == 1)
		return parts.at[0];
	ScriptExp *e = new_exp(SX_TUPLE);
	e->parts = parts;
	return e;
}

// Numbers, true, false, strings, empty(...), f32.nan: the values of data files but arrays.
static bool at_literal(Parser *p)
{
	char c = peek(p);
	bool sign = (c == '-' || c == '+') && p->at + 1 < p->end;
	if (isdigit((unsigned char)c) || c == '"' || (sign && isalnum((unsigned char)p->at[1])))
		return true;
	bool special = p->end - p->at > 4 && c == 'f' && p->at[3] == '.' &&
	               isdigit((unsigned char)p->at[1]);
	return special || at_word(p, "true") || at_word(p, "false") || at_word(p, "empty");
}

static const ScriptExp *parse_literal(Parser *p)
{
	ScriptExp *e = new_exp(SX_VALUE);
	const char *start = p->at, *why;
	e->is_string = *start == '"';
	if (!data_read_text(p->at, &p->at, p->end, &e->value, &why))
		expected(p, why);
	// Without a suffix a number takes the type it is used at.
	e->unsuffixed = e->value.rank == 0 && is_num(e->value.type) &&
	                isdigit((unsigned char)p->at[-1]) &&
	                !str_ends(text("%.*s", (int)(p->at - start), start),
	                          primtype_name[e->value.type]);
	return e;
}

static const ScriptExp *parse_atom(Parser *p)
{
	char c = peek(p);
	if (at_literal(p))
		return parse_literal(p);
	if (accept(p, '('))
		return parse_parens(p);
	if (accept(p, '{'))
		return parse_record(p);
	if (accept(p, '[')) {
		ScriptExp *e = new_exp(SX_ARRAY);
		e->parts = list(p, ']');
		return e;
	}
	if (!is_start(c) && c != '$')
		expected(p, "expression");
	ScriptExp *e = new_exp(SX_CALL);
	e->builtin = c == '$';
	p->at += e->builtin;
	e->name = word(p, false, "name");
	return e;
}

// Whether a bracket that follows directly is an index, not an argument.
static bool takes_index(const Parser *p, const ScriptExp *e)
{
	return (e->kind == SX_CALL && e->parts.len == 0) || e->kind == SX_FIELD ||
	       e->kind == SX_INDEX || p->at[-1] == ')';
}

// atom followed directly by .field and, after a name, a field or a parenthesis, [i, j].
static const ScriptExp *parse_postfix(Parser *p)
{
	const ScriptExp *e = parse_atom(p);
	for (;;) {
		char c = p->at < p->end ? *p->at : 0;
		if (c != '.' && !(c == '[' && takes_index(p, e)))
			return e;
		p->at++;
		ScriptExp *outer = new_exp(c == '.' ? SX_FIELD : SX_INDEX);
		outer->of = e;
		if (c == '.')
			outer->name = word(p, true, "field name");
		else
			outer->parts = list(p, ']');
		e = outer;
	}
}

static bool at_atom(Parser *p)
{
	char c = peek(p);
	return !at_word(p, "in") && !at_word(p, "let") &&
	       (at_literal(p) || is_start(c) || c == '$' || c == '(' || c == '[' || c == '{');
}

static const ScriptExp *parse_let(Parser *p)
{
	ScriptExp *e = new_exp(SX_LET);
	VEC(Name) names = {0};
	p->at += 3;
	e->tuple_pattern = accept(p, '(');
	do
		VEC_PUSH(&names, word(p, false, "name"));
	while (e->tuple_pattern && accept(p, ','));
	if (e->tuple_pattern)
		expect(p, ')');
	expect(p, '=');
	e->names = VEC_SLICE(Names, names);
	e->of = parse_exp(p);
	if (at_word(p, "in"))
		p->at += 2;
	else if (!at_word(p, "let"))
		expected(p, "\"in\"");
	e->body = parse_exp(p);
	return e;
}

static const ScriptExp *parse_exp(Parser *p)
{
	if (at_word(p, "let"))
		return parse_let(p);
	const ScriptExp *head = parse_postfix(p);
	if (head->kind != SX_CALL || head->parts.len || !at_atom(p))
		return head;
	ExpVec args = {0};
	while (at_atom(p))
		VEC_PUSH(&args, parse_postfix(p));
	ScriptExp *e = new_exp(SX_CALL);
	e->name = head->name;
	e->builtin = head->builtin;
	e->parts = VEC_SLICE(ScriptExps, args);
	return e;
}

ScriptExp *script_parse(const char **at, const char *end, const char **why)
{
	Parser *p = NEW(Parser, .at = *at, .end = end);
	const ScriptExp *e = NULL;
	if (setjmp(p->escape) == 0)
		e = parse_exp(p);
	*why = p->why;
	*at = p->at;
	return (ScriptExp *)e;
}

// ---- Printing ----

static void put(Str *s, const ScriptExp *e, bool atomic);

static void put_list(Str *s, const char *open, ScriptExps parts, Names names, const char *close)
{
	str_puts(s, open);
	for (int i = 0; i < parts.len; i++) {
		str_puts(s, i ? ", " : "");
		if (names.len)
			str_printf(s, "%s=", names.at[i]);
		put(s, parts.at[i], false);
	}
	str_puts(s, close);
}

static void put_string(Str *s, const Value *v)
{
	const char *bytes = v->data;
	str_putc(s, '"');
	for (int64_t i = 0; i < v->shape[0]; i++) {
		if (bytes[i] == '"' || bytes[i] == '\\')
			str_putc(s, '\\');
		str_putc(s, bytes[i]);
	}
	str_putc(s, '"');
}

static void put_let(Str *s, const ScriptExp *e)
{
	str_puts(s, e->tuple_pattern ? "let (" : "let ");
	for (int i = 0; i < e->names.len; i++)
		str_printf(s, "%s%s", i ? ", " : "", e->names.at[i]);
	str_puts(s, e->tuple_pattern ? ") = " : " = ");
	put(s, e->of, false);
	str_puts(s, " in ");
	put(s, e->body, false);
}

static void put(Str *s, const ScriptExp *e, bool atomic)
{
	static const Names none;
	bool parens = atomic && (e->kind == SX_LET || (e->kind == SX_CALL && e->parts.len));
	if (parens)
		str_putc(s, '(');
	switch (e->kind) {
	case SX_VALUE:
		if (e->is_string)
			put_string(s, &e->value);
		else
			value_write_text(s, &e->value, TEXT_SHORTEST);
		break;
	case SX_TUPLE:
		put_list(s, "(", e->parts, none, ")");
		break;
	case SX_ARRAY:
		put_list(s, "[", e->parts, none, "]");
		break;
	case SX_RECORD:
		put_list(s, "{", e->parts, e->names, "}");
		break;
	case SX_CALL:
		str_printf(s, "%s%s", e->builtin ? "$" : "", e->name);
		for EACH(const ScriptExp *, a, e->parts)
			str_putc(s, ' '), put(s, *a, true);
		break;
	case SX_FIELD:
		put(s, e->of, true);
		str_printf(s, ".%s", e->name);
		break;
	case SX_INDEX:
		put(s, e->of, true);
		put_list(s, "[", e->parts, none, "]");
		break;
	case SX_LET:
		put_let(s, e);
		break;
	}
	if (parens)
		str_putc(s, ')');
}

const char *script_show_exp(const ScriptExp *e)
{
	Str s = {0};
	put(&s, e, false);
	return str_text(&s);
}
