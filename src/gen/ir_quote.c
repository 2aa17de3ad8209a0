// Quotations: code written as C with holes, which becomes a tree (ir.h).
//
//     quote(c, "for (int32_t $1 = 0; $1 < $2; $1++)", u, n);
//     quote(c, "$1[RD_ITEM($2, $3)] = $4;", room, u, items, value);
//     s_close(c);
//
// $1 to $9 stand for the arguments.  Strings and numbers are parts of the text: names, types, ends
// of names.  Expressions are nodes, which the tree takes in as they are, so that
// x_quote("$1 * 2", sum) is a product whatever the sum.  Parentheses say what belongs together and
// are not kept: ir_print.c puts those that are needed.
//
// A text that ends where a statement is due opens a block for what comes next; s_close ends it.
//
// This is the part of C that generated code consists of; a quotation that is none of it is a bug.
#include "gen/ir.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct {
	const char *all, *at;           // holes with nodes: NODE and their number
	const Hole *holes;
	Code *c;
} Quote;

enum { NODE = 1 };

static NORETURN void not_c(const Quote *q, const char *expected)
{
	bug("a quotation has no %s where \"%s\" begins: %s", expected, q->at, q->all);
}

// ---- Words ----

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static inline char peek(Quote *q)
{
	while (*q->at == ' ' || *q->at == '\n' || *q->at == '\t')
		q->at++;
	return *q->at;
}

// Takes a sign or a word if it comes next.
static bool take_rest(Quote *q, const char *what)
{
	size_t n = strlen(what);
	if (strncmp(q->at, what, n) != 0 || (is_letter(*what) && is_letter(q->at[n])))
		return false;
	q->at += n;
	return true;
}

static inline bool take(Quote *q, const char *what)
{
	return peek(q) == *what && take_rest(q, what);
}

static void expect(Quote *q, const char *what)
{
	if (!take(q, what))
		not_c(q, what);
}

static const char *word(Quote *q)
{
	peek(q);
	const char *from = q->at;
	while (is_letter(*q->at))
		q->at++;
	if (q->at == from || is_digit(*from))
		not_c(q, "name");
	return name_of_n(from, (size_t)(q->at - from));
}

// ---- Types ----

static bool is_type_name(const char *s, size_t n)
{
	static const char *const names[] = {"bool", "char", "double", "float", "int", "void"};
	for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
		if (*s == *names[i] && strlen(names[i]) == n && memcmp(s, names[i], n) == 0)
			return true;
	return (n >= 2 && memcmp(s + n - 2, "_t", 2) == 0) ||
	       (n >= 5 && memcmp(s, "rd_f", 4) == 0 && s[n - 1] == 'v');
}

// Is a word that comes next the name of a type?  It is taken then.
static bool take_type_name(Quote *q)
{
	const char *end = q->at;
	while (is_letter(*end))
		end++;
	if (!is_type_name(q->at, (size_t)(end - q->at)))
		return false;
	q->at = end;
	return true;
}

static void skip_qualifiers(Quote *q)
{
	while (take(q, "volatile") || take(q, "const") || take(q, "RD_LOCAL") ||
	       take(q, "RD_GLOBAL"))
		;
}

// NULL: none comes next.
static const char *type(Quote *q)
{
	peek(q);
	const char *from = q->at;
	skip_qualifiers(q);
	if (!is_letter(peek(q)) || is_digit(*q->at))
		goto none;
	if (take(q, "struct")) {
		word(q);
	} else if (take(q, "RD_RANK_TYPE")) {
		expect(q, "(");
		word(q);
		expect(q, ")");
	} else if (!take_type_name(q)) {
		goto none;
	}
	const char *end = q->at;
	while (take(q, "*"))
		end = q->at;
	return name_of_n(from, (size_t)(end - from));
none:
	q->at = from;
	return NULL;
}

// ---- Expressions ----

static CExp expression(Quote *q);

// From its sign on, if it has one.
static CExp number(Quote *q)
{
	const char *from = q->at++;
	while (is_letter(*q->at))
		q->at++;
	return x_int_as((int64_t)strtoll(from, NULL, 0),
	                name_of_n(from, (size_t)(q->at - from)));
}

static CExps list(Quote *q, const char *end)
{
	VEC(CExp) xs = {0};
	while (!take(q, end)) {
		if (xs.len)
			expect(q, ",");
		VEC_PUSH(&xs, expression(q));
	}
	return (CExps){xs.at, xs.len};
}

static CExp named(Quote *q)
{
	const char *name = word(q);
	bool is_macro = strcmp(name, "true") == 0 || strcmp(name, "false") == 0;
	if (take(q, "("))
		return x_call_of(name, list(q, ")"));
	if (!is_macro) {
		is_macro = true;
		for (const char *s = name; *s; s++)
			is_macro &= !islower((unsigned char)*s);
	}
	return is_macro ? x_const(name) : x_name(name);
}

static CExp primary(Quote *q)
{
	char c = peek(q);
	if (c == NODE) {
		q->at += 2;
		return q->holes[q->at[-1] - '1'].x;
	}
	if (is_digit(c))
		return number(q);
	if (!take(q, "("))
		return named(q);
	CExp x = expression(q);
	if (take(q, "="))
		x = x_binary_most(x, "=", expression(q), PREC_SELECT, PREC_OR);
	expect(q, ")");
	return x;
}

static CExp postfix(Quote *q)
{
	CExp x = primary(q);
	for (;;)
		if (take(q, "[")) {
			x = x_index(x, expression(q));
			expect(q, "]");
		} else if (take(q, "->")) {
			x = x_field(x, word(q));
		} else if (take(q, ".")) {
			x = x_member(x, word(q));
		} else {
			return x;
		}
}

static CExp unary(Quote *q)
{
	static const char ops[][2] = {"!", "~", "&", "*", "-"};
	char c = peek(q);
	if (c == '-' && is_digit(q->at[1]))
		return number(q);
	for (int i = 0; i < 5; i++)
		if (c == *ops[i]) {
			q->at++;
			return x_unary(ops[i], unary(q), PREC_UNARY);
		}
	const char *from = q->at;
	if (take(q, "(")) {
		const char *t = type(q);
		if (t && take(q, ")"))
			return x_cast(t, unary(q), PREC_UNARY);
		q->at = from;
	}
	return postfix(q);
}

// How strongly they bind in C, and in trees (PREC_SELECT: operations on bits).  Longer ones stand
// before those that they begin with.
typedef struct { const char *op; int level; Prec prec; } Operator;
static const Operator operators[] = {
	{"||", 1, PREC_OR},       {"&&", 2, PREC_AND},      {"<<", 8, PREC_SELECT},
	{">>", 8, PREC_SELECT},   {"==", 6, PREC_COMPARE},  {"!=", 6, PREC_COMPARE},
	{"<=", 7, PREC_COMPARE},  {">=", 7, PREC_COMPARE},  {"<", 7, PREC_COMPARE},
	{">", 7, PREC_COMPARE},   {"|", 3, PREC_SELECT},    {"^", 4, PREC_SELECT},
	{"&", 5, PREC_SELECT},    {"+", 9, PREC_ADD},       {"-", 9, PREC_ADD},
	{"*", 10, PREC_MUL},      {"/", 10, PREC_MUL},      {"%", 10, PREC_MUL},
};

// The operator that comes next; NULL: none does, or an assignment.
static const Operator *operator_at(Quote *q)
{
	char c = peek(q);
	if (!c || !strchr("|&<>=!^+-*/%", c))
		return NULL;
	for (int i = 0; i < (int)(sizeof operators / sizeof *operators); i++) {
		const Operator *o = &operators[i];
		if (c == *o->op && (!o->op[1] || q->at[1] == o->op[1]))
			return o->prec != PREC_COMPARE && q->at[1] == '=' ? NULL : o;
	}
	return NULL;
}

// Operands with operators that bind as strongly as that, or more.
static CExp binary(Quote *q, int level)
{
	CExp x = unary(q);
	const Operator *o;
	while ((o = operator_at(q)) && o->level >= level) {
		q->at += strlen(o->op);
		CExp y = binary(q, o->level + 1);
		x = o->prec == PREC_SELECT ? x_bits(x, o->op, y) : x_binary(x, o->op, y, o->prec);
	}
	return x;
}

static CExp expression(Quote *q)
{
	if (take(q, "{"))
		return x_list(list(q, "}"));
	CExp x = binary(q, 1);
	if (!take(q, "?"))
		return x;
	CExp yes = expression(q);
	expect(q, ":");
	return x_select(x, yes, expression(q));
}

// ---- Statements ----

// The operator of an assignment; NULL: none comes next.
static const char *assignment(Quote *q)
{
	static const char *const ops[] = {"=", "+=", "-=", "*=", "|="};
	for (int i = 0; i < 5 && strchr("=+-*|", peek(q)); i++)
		if (take(q, ops[i]))
			return ops[i];
	return NULL;
}

static void declarators(Quote *q, const char *type)
{
	do {
		const char *name = word(q);
		VEC(CExp) dims = {0};
		while (take(q, "[")) {
			VEC_PUSH(&dims, expression(q));
			expect(q, "]");
		}
		CExp init = take(q, "=") ? expression(q) : NULL;
		if (dims.len)
			s_array(q->c, type, name,
			        dims.len == 1 ? dims.at[0] : x_list((CExps){dims.at, dims.len}),
			        init);
		else
			s_declare(q->c, type, name, init);
	} while (take(q, ","));
	expect(q, ";");
}

static CFor for_head(Quote *q, int props)
{
	CFor f = {.type = type(q), .props = props};
	if (!take(q, ";")) {
		f.i = word(q);
		expect(q, "=");
		f.from = expression(q);
		expect(q, ";");
	}
	f.cond = peek(q) == ';' ? NULL : expression(q);
	expect(q, ";");
	if (take(q, ")"))
		return f;
	f.i = word(q);
	if (take(q, "--")) {
		f.op = "--";
	} else if (!take(q, "++")) {
		f.op = assignment(q);
		if (!f.op)
			not_c(q, "step of a loop");
		f.by = expression(q);
	}
	expect(q, ")");
	return f;
}

static void statement(Quote *q);

// The block of what was begun, unless that is left open.
static void block(Quote *q)
{
	if (!peek(q))
		return;
	if (take(q, "{")) {
		while (!take(q, "}"))
			statement(q);
		s_close(q->c);
		return;
	}
	statement(q);
	s_close_bare(q->c);
}

static CExp condition(Quote *q)
{
	expect(q, "(");
	CExp x = expression(q);
	expect(q, ")");
	return x;
}

static int loop_props(Quote *q)
{
	static const char *const names[] = LOOP_PROP_NAMES;
	int props = 0;
	for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
		if (take(q, names[i])) {
			props |= 1 << i;
			i = -1;
		}
	return props;
}

// What comes between #ifdef, #else and #endif, each at the end of its line.
static void conditional(Quote *q)
{
	const char *end = q->at + strcspn(q->at, "\n");
	if (take(q, "else"))
		s_else(q->c);
	else if (take(q, "endif"))
		s_close(q->c);
	else
		s_ifdef(q->c, text("%.*s", (int)(end - q->at), q->at));
	q->at = end;
}

// A word that begins a statement.
static bool control(Quote *q)
{
	if (!strchr("Rfiwrbcg#", peek(q)))
		return false;
	int props = *q->at == 'R' ? loop_props(q) : 0;
	if (take(q, "for")) {
		expect(q, "(");
		s_for(q->c, for_head(q, props));
		block(q);
	} else if (take(q, "if")) {
		s_if(q->c, condition(q));
		block(q);
	} else if (take(q, "while")) {
		s_while(q->c, condition(q));
		block(q);
	} else if (take(q, "return")) {
		s_return(q->c, peek(q) == ';' ? NULL : expression(q));
		expect(q, ";");
	} else if (take(q, "break")) {
		s_break(q->c);
		expect(q, ";");
	} else if (take(q, "continue")) {
		s_continue(q->c);
		expect(q, ";");
	} else if (take(q, "goto")) {
		s_goto(q->c, word(q));
		expect(q, ";");
	} else if (take(q, "#")) {
		conditional(q);
	} else {
		return false;
	}
	return true;
}

static void statement(Quote *q)
{
	if (take(q, ";")) {
		s_do(q->c, NULL);
		return;
	}
	if (control(q))
		return;
	const char *t = type(q);
	if (t) {
		declarators(q, t);
		return;
	}
	CExp x = expression(q);
	if (x->kind == X_NAME && take(q, ":")) {
		s_label(q->c, x->text);
		return;
	}
	const char *op = assignment(q);
	if (op)
		s_assign_by(q->c, x, op, expression(q));
	else if (x->kind == X_CALL && str_ends(x->text, "_barrier"))
		s_barrier_of(q->c, x->text);
	else
		s_do(q->c, x);
	expect(q, ";");
}

// ---- Holes ----

Hole hole_text(const char *s)
{
	return (Hole){s, NULL};
}

Hole hole_int(int n)
{
	return (Hole){text("%d", n), NULL};
}

Hole hole_exp(CExp x)
{
	return (Hole){NULL, x};
}

static Quote quotation(Code *c, const char *s, const Hole *holes, int n)
{
	Str out = {0};
	for (; *s; s++) {
		if (*s != '$') {
			str_putc(&out, *s);
			continue;
		}
		int i = *++s - '1';
		if (i < 0 || i >= n)
			bug("a quotation has a hole without an argument: %s", s - 1);
		if (holes[i].x) {
			str_putc(&out, NODE);
			str_putc(&out, *s);
		} else {
			str_puts(&out, holes[i].text);
		}
	}
	const char *all = str_text(&out);
	return (Quote){all, all, holes, c};
}

void quote_of(Code *c, const char *s, const Hole *holes, int n)
{
	if (c->off) {
		c->depth += str_ends(s, ")"); // a block is opened
		return;
	}
	Quote q = quotation(c, s, holes, n);
	while (peek(&q))
		statement(&q);
}

CExp x_quote_of(const char *s, const Hole *holes, int n)
{
	Quote q = quotation(NULL, s, holes, n);
	CExp x = expression(&q);
	if (peek(&q))
		not_c(&q, "end");
	return x;
}
