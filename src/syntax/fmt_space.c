// Decides which adjacent tokens the formatter separates by a space.
//
// Usually the two tokens determine it.  Where the language is sensitive to white space (before "[")
// or where conventions vary (sections, ranges), the source is followed.
#include "syntax/fmt.h"

// What an open bracket is, as far as spacing is concerned.
typedef enum { B_PAREN, B_LIST, B_INDEX, B_RECORD, B_DECLS, B_ATTR } Bracket;

typedef struct {
	const Token *tok;
	int n;
	Bracket *kind;                          // of each bracket token, opening and closing
	Bracket *inside;                        // the bracket around each token
	bool *opening;                          // of each backtick
	bool *binary;                           // a symbol between two operands
} Context;

static bool ends_operand(const Context *c, int i)
{
	switch ((int)c->tok[i].kind) {
	case TOK_ID: case TOK_CONSTR: case TOK_INT: case TOK_FLOAT: case TOK_CHAR:
	case TOK_STRING: case TOK_TRUE: case TOK_FALSE: case TOK_HOLE: case TOK_UNDERSCORE:
	case TOK_RPAREN: case TOK_RBRACE:
		return true;
	case TOK_BACKTICK:
		return false;
	case TOK_RBRACKET:
		return c->kind[i] != B_ATTR;
	}
	return false;
}

static bool starts_decl_or_spec(TokenKind k)
{
	switch ((int)k) {
	case TOK_DEF: case TOK_LET: case TOK_ENTRY: case TOK_TYPE: case TOK_MODULE: case TOK_OPEN:
	case TOK_IMPORT: case TOK_LOCAL: case TOK_ATTR_OPEN: case TOK_VAL: case TOK_INCLUDE:
		return true;
	}
	return false;
}

static Bracket bracket_kind(const Context *c, int i)
{
	switch ((int)c->tok[i].kind) {
	case TOK_LPAREN:
		return B_PAREN;
	case TOK_ATTR_OPEN:
		return B_ATTR;
	case TOK_LBRACE:
		return starts_decl_or_spec(c->tok[i + 1].kind) ? B_DECLS : B_RECORD;
	}
	if (i == 0)
		return B_LIST;
	TokenKind before = c->tok[i - 1].kind;
	bool index = before == TOK_WITH || before == TOK_DOT
		|| (!c->tok[i].space_before && ends_operand(c, i - 1));
	return index ? B_INDEX : B_LIST;
}

static void find_context(Context *c)
{
	VEC(Bracket) stack = {0};
	bool in_backticks = false;
	for (int i = 0; i < c->n; i++) {
		TokenKind k = c->tok[i].kind;
		if (k == TOK_RPAREN || k == TOK_RBRACKET || k == TOK_RBRACE) {
			c->kind[i] = stack.len ? stack.at[stack.len - 1] : B_PAREN;
			stack.len -= stack.len > 0;
		}
		c->inside[i] = stack.len ? stack.at[stack.len - 1] : B_PAREN;
		if (k == TOK_LPAREN || k == TOK_LBRACKET || k == TOK_LBRACE || k == TOK_ATTR_OPEN) {
			c->kind[i] = bracket_kind(c, i);
			// Parentheses in an attribute hold attributes.
			if (c->kind[i] == B_PAREN && c->inside[i] == B_ATTR)
				c->kind[i] = B_ATTR;
			VEC_PUSH(&stack, c->kind[i]);
		} else if (k == TOK_BACKTICK) {
			in_backticks = !in_backticks;
			c->opening[i] = in_backticks;
		} else if (k == TOK_SYM || k == TOK_QUALSYM) {
			c->binary[i] = i > 0 && (ends_operand(c, i - 1)
				|| c->tok[i - 1].kind == TOK_BACKTICK);
		}
	}
}

static bool is_sym(const Token *t)
{
	return t->kind == TOK_SYM || t->kind == TOK_QUALSYM;
}

static bool is_range(TokenKind k)
{
	return k == TOK_DOTDOT || k == TOK_ELLIPSIS || k == TOK_DOTDOT_LT || k == TOK_DOTDOT_GT;
}

// After an opening bracket or a prefix nothing is written.
static bool is_tight_after(const Context *c, int i)
{
	switch ((int)c->tok[i].kind) {
	case TOK_LPAREN: case TOK_LBRACKET: case TOK_ATTR_OPEN: case TOK_BACKSLASH: case TOK_QUOTE:
	case TOK_QUOTE_HAT: case TOK_QUOTE_TILDE: case TOK_QUESTION: case TOK_DOT:
		return true;
	case TOK_LBRACE:
		return c->kind[i] == B_RECORD;
	case TOK_BACKTICK:
		return c->opening[i];
	}
	return false;
}

static bool is_tight_before(const Context *c, int i)
{
	switch ((int)c->tok[i].kind) {
	case TOK_RPAREN: case TOK_RBRACKET: case TOK_COMMA:
		return true;
	case TOK_DOT:
		return c->tok[i - 1].kind != TOK_INT;
	case TOK_RBRACE:
		return c->kind[i] == B_RECORD;
	case TOK_BACKTICK:
		return !c->opening[i];
	case TOK_LPAREN:
		return c->kind[i] == B_ATTR;
	case TOK_TILDE: case TOK_SYM:
		return c->tok[i - 1].kind == TOK_TYPE;
	case TOK_COLON:
		return c->inside[i] == B_INDEX;
	}
	return false;
}

// The space after the symbol at i - 1 or before the symbol at i.
static bool symbol_gap(const Context *c, int i)
{
	const Token *t = &c->tok[i], *before = t - 1;
	bool as_written = t->space_before;
	if (is_sym(before) && is_sym(t))
		return true;
	if (is_sym(t)) {
		bool left_section = t[1].kind == TOK_RPAREN;
		bool negative_payload = before->kind == TOK_CONSTR && strcmp(t->name, "-") == 0;
		return left_section || negative_payload ? as_written : true;
	}
	if (c->binary[i - 1]) {
		bool negative = before[-1].kind == TOK_CONSTR && strcmp(before->name, "-") == 0;
		return !negative || as_written;
	}
	TokenKind earlier = i >= 2 ? before[-1].kind : TOK_EOF;
	if (earlier == TOK_VAL || earlier == TOK_TYPE)
		return true;                    // val + 't : ...   type^ t
	bool section = earlier == TOK_LPAREN && strcmp(before->name, "-") != 0
		&& strcmp(before->name, "!") != 0;
	return section ? as_written : false;
}

// (x: t), {x: t} and the like: a name between a bracket or comma and a colon.
static bool is_labelled(const Context *c, int colon)
{
	if (colon < 2 || c->tok[colon - 1].kind != TOK_ID)
		return false;
	TokenKind k = c->tok[colon - 2].kind;
	return k == TOK_LPAREN || k == TOK_LBRACE || k == TOK_COMMA;
}

static bool gap_before(const Context *c, int i)
{
	const Token *t = &c->tok[i], *before = t - 1;
	bool as_written = t->space_before;
	if (before->kind == TOK_DOT && (t->kind == TOK_INT || t->kind == TOK_FLOAT ||
	    (i >= 2 && before[-1].kind == TOK_INT && !before->space_before)))
		return as_written;              // 1. 0 is a projection and 1.0 a number; x. 1i32
	if (is_tight_after(c, i - 1) || is_tight_before(c, i))
		return false;
	if (before->kind == TOK_COMMA)
		return true;
	if (before->kind == TOK_COLON)
		return c->inside[i - 1] != B_INDEX;
	if (t->kind == TOK_COLON && is_labelled(c, i))
		return false;
	if (t->kind == TOK_COLON || t->kind == TOK_DOT)
		return as_written;
	if (is_range(t->kind) || is_range(before->kind))
		return as_written;
	if (is_sym(t) || is_sym(before))
		return symbol_gap(c, i);
	if (t->kind == TOK_LBRACKET && ends_operand(c, i - 1))
		return as_written;
	if (before->kind == TOK_RBRACKET && c->kind[i - 1] != B_ATTR)
		switch ((int)t->kind) {
		case TOK_ID: case TOK_LPAREN: case TOK_LBRACE: case TOK_CONSTR: case TOK_QUESTION:
			return as_written;
		}
	return true;
}

void fmt_spaces(Fmt *f)
{
	int n = f->n_tok + 1;
	Context c = {.tok = f->tok, .n = f->n_tok, .kind = NEW_ARRAY(Bracket, n),
		.inside = NEW_ARRAY(Bracket, n), .opening = NEW_ARRAY(bool, n),
		.binary = NEW_ARRAY(bool, n)};
	find_context(&c);
	for (int i = 1; i < f->n_tok; i++)
		f->gap[i] = gap_before(&c, i);
}
