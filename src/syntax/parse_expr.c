// Expressions: operators, application and the keyword forms without bindings
// (language reference, 2.2 and 3).
//
// Operators are read by precedence climbing: one function holds all levels.  A level is
// the number of the row in the table of section 3.1; `exp(n)` reads an expression whose
// operators outside parentheses are all of level n or higher.
//
//	exp(n) = operand (op exp(m) | ":" type | "with" path "=" exp(8) | range)*
//
// with m = n' for right associative operators of level n' and n' + 1 for the others.
// A keyword form (`if`, `let`, `\`, ...) is an operand and takes all that follows.
#include "syntax/parse.h"

enum {
	LEVEL_ASCRIBE = 3, LEVEL_RANGE = 4, LEVEL_BACKTICK = 5, LEVEL_WITH = 7, LEVEL_PIPE = 8,
	LEVEL_PIPE_LEFT = 9, LEVEL_OR = 10, LEVEL_AND = 11, LEVEL_COMPARE = 12, LEVEL_BIT = 13,
	LEVEL_SHIFT = 14, LEVEL_ADD = 15, LEVEL_MUL = 16, LEVEL_POWER = 17, LEVEL_ANY = 100,
};

Expr *new_expr(ExprKind kind, Span span)
{
	Expr *e = mem_alloc(sizeof *e);
	e->kind = kind;
	e->span = span;
	return e;
}

// ---- Operators ----

// The level of an operator is that of the longest built-in one it starts with.
static int symbol_level(const char *s)
{
	switch (s[0]) {
	case '+': case '-':
		return LEVEL_ADD;
	case '*':
		return s[1] == '*' ? LEVEL_POWER : LEVEL_MUL;
	case '/': case '%':
		return LEVEL_MUL;
	case '>':
		return s[1] == '>' ? LEVEL_SHIFT : LEVEL_COMPARE;
	case '<':
		return s[1] == '<' ? LEVEL_SHIFT : s[1] == '|' ? LEVEL_PIPE_LEFT : LEVEL_COMPARE;
	case '&':
		return s[1] == '&' ? LEVEL_AND : LEVEL_BIT;
	case '|':
		return s[1] == '|' ? LEVEL_OR : s[1] == '>' ? LEVEL_PIPE : LEVEL_BIT;
	case '^':
		return LEVEL_BIT;
	}
	return LEVEL_COMPARE;                   // ! and =
}

int peek_operator(const Parser *p, int *level)
{
	const Token *t = p->tok;
	if (t->kind == TOK_SYM) {
		*level = symbol_level(t->name);
		return 1;
	}
	if (t->kind == TOK_QUALSYM) {
		const char *s = t->name;
		*level = symbol_level(s + strcspn(s, "+-*/%=!><|&^"));
		return 1;
	}
	if (t->kind != TOK_BACKTICK || t[1].kind != TOK_ID)
		return 0;
	int n = 2;
	while (t[n].kind == TOK_DOT && t[n + 1].kind == TOK_ID)
		n += 2;
	*level = LEVEL_BACKTICK;
	return t[n].kind == TOK_BACKTICK ? n + 1 : 0;
}

// qualsymbol = [quals] symbol | "`" qualname "`"
QualName parse_operator(Parser *p, bool *backtick)
{
	*backtick = p->tok->kind == TOK_BACKTICK;
	if (!*backtick)
		return qualname_of_symbol(advance(p));
	Loc lo = advance(p)->span.lo;
	QualName q = parse_qualname(p);
	expect(p, TOK_BACKTICK);
	q.span = span_since(p, lo);
	return q;
}

static Expr *parse_level(Parser *p, int min);

static Expr *parse_binary(Parser *p, Expr *a, int level)
{
	Expr *e = new_expr(EX_BINOP, a->span);
	e->binop.op = parse_operator(p, &e->binop.backtick);
	e->binop.a = a;
	e->binop.b = parse_level(p, level == LEVEL_PIPE_LEFT ? level : level + 1);
	return e;
}

// exp ":" type | exp ":>" type
static Expr *parse_ascription(Parser *p, Expr *of)
{
	ExprKind kind = advance(p)->kind == TOK_COLON ? EX_ASCRIBE : EX_COERCE;
	Expr *e = new_expr(kind, of->span);
	e->ascribe.of = of;
	e->ascribe.type = parse_type(p);
	return e;
}

// exp [".." exp] ("..." | "..<" | "..>") exp
static Expr *parse_range(Parser *p, Expr *from)
{
	Expr *e = new_expr(EX_RANGE, from->span);
	e->range.from = from;
	if (accept(p, TOK_DOTDOT))
		e->range.second = parse_level(p, LEVEL_BACKTICK);
	if (accept(p, TOK_ELLIPSIS))
		e->range.kind = RANGE_INCL;
	else if (accept(p, TOK_DOTDOT_LT))
		e->range.kind = RANGE_UP;
	else if (accept(p, TOK_DOTDOT_GT))
		e->range.kind = RANGE_DOWN;
	else
		soft_error(p);
	e->range.to = parse_level(p, LEVEL_RANGE);
	return e;
}

// exp "with" path "=" exp
static Expr *parse_update(Parser *p, Expr *of)
{
	Expr *e = new_expr(EX_UPDATE, of->span);
	expect(p, TOK_WITH);
	if (!peek(p, TOK_LBRACKET) && !peek(p, TOK_INT) && !peek(p, TOK_ID))
		return broken_expr(p, of);
	e->update.of = of;
	e->update.path = parse_path(p);
	expect(p, TOK_EQUALS);
	e->update.value = parse_level(p, LEVEL_PIPE);
	return e;
}

// ---- Operands ----

static Expr *parse_operand(Parser *p);

// "-" exp | "!" exp, both tighter than any binary operator
static Expr *parse_prefix(Parser *p)
{
	enter(p);
	ExprKind kind = is_symbol(p->tok, '-') ? EX_NEG : EX_NOT;
	Expr *e = new_expr(kind, advance(p)->span);
	e->inner = parse_operand(p);
	e->span.hi = last_end(p);
	leave(p);
	return e;
}

// "if" exp "then" exp "else" exp
static Expr *parse_if(Parser *p)
{
	Expr *e = new_expr(EX_IF, expect(p, TOK_IF)->span);
	e->if_.cond = parse_exp(p);
	expect(p, TOK_THEN);
	e->if_.yes = parse_exp(p);
	expect(p, TOK_ELSE);
	e->if_.no = parse_exp(p);
	e->span.hi = last_end(p);
	return e;
}

// "assert" atom exp
static Expr *parse_assert(Parser *p)
{
	Expr *e = new_expr(EX_ASSERT, expect(p, TOK_ASSERT)->span);
	e->assert_.cond = parse_atom(p);
	e->assert_.body = parse_exp(p);
	e->span.hi = last_end(p);
	return e;
}

// "#[" attr "]" exp
static Expr *parse_attr_exp(Parser *p)
{
	Expr *e = new_expr(EX_ATTR, p->tok->span);
	e->attr.attr = parse_attr(p);
	e->attr.body = parse_exp(p);
	e->span.hi = last_end(p);
	return e;
}

// Arguments are atoms; the last one may be a lambda.
static Exprs parse_args(Parser *p)
{
	int mark = p->stack.len;
	while (at_atom(p))
		push_child(p, parse_atom(p));
	if (p->tok->kind == TOK_BACKSLASH)
		push_child(p, parse_lambda(p));
	Exprs args;
	TAKE(&args, p, mark);
	return args;
}

// constructor atom*
static Expr *parse_constr(Parser *p)
{
	const Token *t = expect(p, TOK_CONSTR);
	Expr *e = new_expr(EX_CONSTR, t->span);
	e->constr.name = t->name;
	e->constr.name_span = t->span;
	e->constr.args = parse_args(p);
	e->span.hi = last_end(p);
	return e;
}

// atom atom*
static Expr *parse_application(Parser *p)
{
	Expr *fn = parse_atom(p);
	if (!at_atom(p) && p->tok->kind != TOK_BACKSLASH)
		return fn;
	Expr *e = new_expr(EX_APPLY, fn->span);
	e->apply.fn = fn;
	e->apply.args = parse_args(p);
	e->span.hi = last_end(p);
	return e;
}

static Expr *parse_operand(Parser *p)
{
	switch ((int)p->tok->kind) {
	case TOK_IF:        return parse_if(p);
	case TOK_LET:       return parse_let(p);
	case TOK_LOOP:      return parse_loop(p);
	case TOK_MATCH:     return parse_match(p);
	case TOK_ASSERT:    return parse_assert(p);
	case TOK_BACKSLASH: return parse_lambda(p);
	case TOK_ATTR_OPEN: return parse_attr_exp(p);
	case TOK_CONSTR:    return parse_constr(p);
	}
	if (is_symbol(p->tok, '-') || is_symbol(p->tok, '!'))
		return parse_prefix(p);
	return parse_application(p);
}

static int token_level(const Parser *p, int *op_len)
{
	int level = 0;
	*op_len = 0;
	switch ((int)p->tok->kind) {
	case TOK_COLON: case TOK_COLON_GT:
		return LEVEL_ASCRIBE;
	case TOK_DOTDOT: case TOK_ELLIPSIS: case TOK_DOTDOT_LT: case TOK_DOTDOT_GT:
		return LEVEL_RANGE;
	case TOK_WITH:
		return LEVEL_WITH;
	}
	if (is_symbol(p->tok, '!'))
		return 0;
	*op_len = peek_operator(p, &level);
	// An operator before ")" belongs to a section: (x +).
	return *op_len && p->tok[*op_len].kind == TOK_RPAREN ? 0 : level;
}

static Expr *parse_level(Parser *p, int min)
{
	enter(p);
	Expr *e = parse_operand(p);
	int max = LEVEL_ANY, spine = 0, op_len;
	for (;;) {
		int level = token_level(p, &op_len);
		if (level == 0 || level < min || level > max)
			break;
		if (++spine > MAX_SPINE)
			too_deep(p, MAX_SPINE);
		if (level == LEVEL_ASCRIBE) {
			e = parse_ascription(p, e);
			max = LEVEL_ASCRIBE;    // a type is no operand: x : t + y is an error
		} else if (level == LEVEL_RANGE) {
			e = parse_range(p, e);
		} else if (level == LEVEL_WITH) {
			e = parse_update(p, e);
		} else {
			e = parse_binary(p, e, level);
		}
		e->span.hi = last_end(p);
	}
	want(p, WANT_OP);
	leave(p);
	return e;
}

Expr *parse_exp(Parser *p)
{
	return parse_level(p, LEVEL_ASCRIBE);
}

Expr *parse_index_exp(Parser *p)
{
	return parse_level(p, LEVEL_RANGE);
}
