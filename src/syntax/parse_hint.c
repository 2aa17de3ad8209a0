// Hints for syntax errors: words that are misspelt, missing, or in the wrong place.
//
// Before: the parser is at a token that does not fit, and knows which tokens would have fitted.
// After: the text of a hint, or NULL.  Nothing is changed.
//
// What comes from another language is recognised first, by parse_habit.c.  A hint is chosen by the
// token, the tokens before it, and what the parser expected; the first rule that applies wins.  A
// rule may fail to give a hint, but must not mislead: it requires evidence that its reading is
// likely, not just the token itself.
#include "syntax/parse.h"

// The token `n` before the current one; the end of the file where there is none.
static const Token *back(const Parser *p, int n)
{
	static const Token none = {.kind = TOK_EOF};
	return p->tok - p->first >= n ? p->tok - n : &none;
}

// ---- Misspelt keywords ----

const char *near_keyword(const Token *t)
{
	static const char *const words[] = {"let", "def", "entry", "loop", "match", "case",
	                                    "then", "else", "import", "module", "type", "while",
	                                    "assert", "local"};
	for (size_t i = 0; t->kind == TOK_ID && i < sizeof words / sizeof *words; i++) {
		size_t n = strlen(words[i]);
		if (n > 2 && edit_distance(t->name, words[i], 1) == 1 && strlen(t->name) >= n - 1)
			return words[i];
	}
	return NULL;
}

// lett y = x in y: what stands before the "=" reads as an application.
static const char *hint_misspelt(const Parser *p, int farthest)
{
	for (int n = 1; n <= farthest && !back(p, n - 1)->newline_before; n++) {
		const char *word = near_keyword(back(p, n));
		if (word)
			return text("did you mean \"%s\" instead of \"%s\"?", word,
			            back(p, n)->name);
	}
	return NULL;
}

// ---- Numbers, keywords, declarations ----

// .5, 1., but not the components x.0.1
static const char *hint_number(const Parser *p)
{
	const Token *t = p->tok;
	if (t >= p->first + 2 && t[-1].kind == TOK_DOT && t[-2].kind == TOK_INT &&
	    t[-2].span.hi == t[-1].span.lo && (t == p->first + 2 || t[-3].kind != TOK_DOT)) {
		const char *digits = span_text(t[-2].span);
		if (!digits[strspn(digits, "0123456789_")])
			return text("a number ends with a digit: %s.0", digits);
	}
	if (wanted(p, WANT_EXP) && t->kind == TOK_DOT && t[1].kind == TOK_INT &&
	    t[1].span.lo == t->span.hi)
		return text("a number begins with a digit: 0.%s", span_text(t[1].span));
	return NULL;
}

static const char *hint_reserved(const Parser *p)
{
	const Token *t = p->tok;
	const char *word = token_spelling[t->kind];
	bool keyword = t->kind >= TOK_TRUE && word[0] >= 'a' && word[0] <= 'z';
	bool name = wanted(p, TOK_ID) && !wanted(p, WANT_EXP) && !wanted(p, WANT_DEC);
	return keyword && name ? text("\"%s\" is a keyword and cannot be a name", word) : NULL;
}

static bool starts_other_comment(const Token *t)
{
	return t->kind == TOK_SYM && t->name[0] == '/' && (t->name[1] == '/' || t->name[1] == '*');
}

static const char *hint_declaration(const Parser *p)
{
	const Token *t = p->tok;
	if (starts_other_comment(t))
		return "a comment begins with \"--\"";
	if (t->kind == TOK_LBRACE && is_symbol(t + 1, '-'))
		return "a comment begins with \"--\"";
	if (t->kind == TOK_IN)
		return "at the top of a file \"let\" defines a name for all that follows, without "
		       "\"in\"";
	if (t->kind == TOK_RPAREN || t->kind == TOK_RBRACKET || t->kind == TOK_RBRACE)
		return "there is no open bracket that this could close";
	const char *near = near_keyword(t);
	return near ? text("did you mean \"%s\"?", near) : NULL;
}

// ---- Something else stands where an expression begins ----

static const char *hint_expression(const Parser *p)
{
	const Token *before = back(p, 1);
	if (starts_other_comment(p->tok))
		return "a comment begins with \"--\"";
	if (before->kind == TOK_SYM && wanted(p, WANT_EXP))
		return text("what \"%s\" is applied to is missing after it", before->name);
	return p->tok->kind == TOK_CASE ? "cases follow the value that they distinguish: \"match e "
	                                  "case p -> ... case q -> ...\"" : NULL;
}

// ---- "=" and "->" after an expression ----

static const char *hint_equals(const Parser *p)
{
	if (is_word(back(p, 2), "where"))
		return "names are bound before they are used: \"let x = ... in ...\"";
	if (back(p, 1)->kind == TOK_RBRACKET)
		return "an element is replaced by \"let xs[i] = v in ...\" or \"xs with [i] = v\"; "
		       "equality is \"==\"";
	const char *misspelt = hint_misspelt(p, 3);
	if (misspelt)
		return misspelt;
	if (wanted(p, TOK_IN))
		return "each binding starts with its own \"let\", and \"in\" follows the last; "
		       "equality is \"==\"";
	if (back(p, 1)->kind == TOK_ID && back(p, 1)->newline_before)
		return text("a name is bound by \"let %s = ... in ...\"; equality is \"==\"",
		            back(p, 1)->name);
	return "equality is \"==\"";
}

static const char *hint_arrow(const Parser *p)
{
	if (wanted(p, TOK_CASE) || wanted(p, TOK_LBRACKET))
		return "each case of a match starts with \"case\": \"match e case p -> ... case _ "
		       "-> ...\"";
	if (wanted(p, TOK_COLON) && wanted(p, TOK_EQUALS))
		return "the type of the result follows a colon: \"def f (x: i32) : i32 = ...\"";
	if (wanted(p, WANT_OP))
		return "an anonymous function is written \"\\x -> ...\"";
	return NULL;
}

// ---- What is missing ----

static bool starts_line_of_declaration(const Parser *p)
{
	return p->tok->kind == TOK_EOF || (p->tok->newline_before &&
	       (p->tok->kind == TOK_DEF || p->tok->kind == TOK_ENTRY || p->tok->kind == TOK_TYPE ||
	        p->tok->kind == TOK_MODULE));
}

// The bracket that is open at the current token, when a new declaration begins there.
static const char *hint_open_bracket(const Parser *p)
{
	if (!starts_line_of_declaration(p))
		return NULL;
	int depth = 0;
	for (const Token *t = p->tok; t-- > p->first;) {
		switch ((int)t->kind) {
		case TOK_RPAREN: case TOK_RBRACKET: case TOK_RBRACE:
			depth++;
			break;
		case TOK_LPAREN: case TOK_LBRACKET: case TOK_LBRACE: case TOK_ATTR_OPEN:
			if (depth-- == 0)
				return text("the \"%s\" at %d:%d is not closed",
				            token_spelling[t->kind], loc_pos(t->span.lo).line,
				            loc_pos(t->span.lo).col);
			break;
		}
	}
	return NULL;
}

// a[0): another bracket is open than the one that this would close.
static const char *hint_other_bracket(const Parser *p)
{
	const TokenKind kind = p->tok->kind;
	if (kind != TOK_RPAREN && kind != TOK_RBRACKET && kind != TOK_RBRACE)
		return NULL;
	int depth = 0;
	for (const Token *t = p->tok; t-- > p->first;) {
		bool opens = t->kind == TOK_LPAREN || t->kind == TOK_LBRACKET ||
		             t->kind == TOK_LBRACE || t->kind == TOK_ATTR_OPEN;
		depth += t->kind == TOK_RPAREN || t->kind == TOK_RBRACKET || t->kind == TOK_RBRACE;
		if (opens && depth-- == 0)
			return text("the \"%s\" at %d:%d is closed by \"%s\"",
			            token_spelling[t->kind], loc_pos(t->span.lo).line,
			            loc_pos(t->span.lo).col, t->kind == TOK_LPAREN ? ")"
			            : t->kind == TOK_LBRACE ? "}" : "]");
	}
	return NULL;
}

// The line at which the value of the last "let" seems to end: it begins below the "let".
static const Token *line_after_let(const Parser *p)
{
	const Token *let = p->tok;
	while (let > p->first && let->kind != TOK_LET)
		let--;
	for (const Token *t = let + 1; let->kind == TOK_LET && t < p->tok; t++)
		if (t->newline_before &&
		    loc_pos(t->span.lo).col <= loc_pos(let->span.lo).col)
			return t;
	return NULL;
}

static const Token *if_without_else(const Parser *p)
{
	int closed = 0;
	for (const Token *t = p->tok; t-- > p->first; ) {
		closed += t->kind == TOK_ELSE;
		if (t->kind == TOK_IF && closed-- == 0)
			return t;
	}
	return NULL;
}

static const char *hint_missing(const Parser *p)
{
	bool closing = wanted(p, TOK_RPAREN) || wanted(p, TOK_RBRACKET) || wanted(p, TOK_RBRACE);
	const char *open = closing ? hint_open_bracket(p) : NULL;
	if (!open && closing)
		open = hint_other_bracket(p);
	if (open)
		return open;
	const Token *after = wanted(p, TOK_IN) && wanted(p, TOK_LET) ? line_after_let(p) : NULL;
	if (after && is_word(after, "return"))
		return "write \"in\" instead of \"return\": \"let x = ... in e\" has the value "
		       "of e";
	if (after)
		return text("\"in\" comes between the last \"let\" and the result; it seems to be "
		            "missing before %d:%d", loc_pos(after->span.lo).line,
		            loc_pos(after->span.lo).col);
	if (wanted(p, TOK_IN) && wanted(p, TOK_LET))
		return "\"in\" comes between the last \"let\" and the result: \"let x = ... in "
		       "...\"";
	const Token *open_if = wanted(p, TOK_ELSE) ? if_without_else(p) : NULL;
	if (open_if)
		return text("every \"if\" needs an \"else\", as it has a value; the one at %d:%d "
		            "has none",
		            loc_pos(open_if->span.lo).line, loc_pos(open_if->span.lo).col);
	if (wanted(p, TOK_DOTDOT_LT) && wanted(p, TOK_ELLIPSIS) && !wanted(p, TOK_DOTDOT) &&
	    p->tok->kind == TOK_RBRACKET)
		return "a slice is written \"xs[a:b]\"; a range \"a..<b\", or \"a...b\" if it "
		       "includes b";
	if (starts_line_of_declaration(p) && wanted(p, TOK_EQUALS) && !wanted(p, WANT_OP))
		return "a definition has a value: \"def x : i32 = ...\"";
	if (p->tok->kind == TOK_LPAREN && wanted(p, TOK_EQUALS) && wanted(p, TOK_COLON) &&
	    back(p, 1)->kind == TOK_ID && is_symbol(back(p, 2), '-'))
		return "names consist of letters, digits, \"_\" and \"'\": \"my_name\"";
	if (wanted(p, TOK_DOTDOT_LT) && wanted(p, TOK_ELLIPSIS) && !wanted(p, TOK_DOTDOT))
		return "a range is written \"a..<b\", or \"a...b\" if it includes b";
	if (wanted(p, TOK_DO))
		return "the body of a loop follows \"do\"";
	if (wanted(p, WANT_TYPE) && back(p, 1)->kind == TOK_RBRACKET)
		return "the type of an array is written \"[]t\" or \"[n]t\"";
	return NULL;
}

// xs with [i] <- v, let xs[i] <- v: the lexer reads an operator.
static const char *hint_older_update(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind == TOK_SYM && t->name[0] == '<' && t->name[1] == '-' && wanted(p, TOK_EQUALS))
		return "an update is written with \"=\" now: \"xs with [i] = v\", "
		       "\"let xs[i] = v\"";
	return NULL;
}

const char *syntax_hint(const Parser *p)
{
	const Token *t = p->tok;
	const char *hint = hint_number(p);
	if (!hint)
		hint = habit_hint(p);
	if (!hint)
		hint = hint_reserved(p);
	if (!hint && wanted(p, WANT_DEC))
		hint = hint_declaration(p);
	if (!hint && wanted(p, WANT_EXP))
		hint = hint_expression(p);
	if (!hint && t->kind == TOK_EQUALS && wanted(p, WANT_OP))
		hint = hint_equals(p);
	if (!hint && t->kind == TOK_ARROW)
		hint = hint_arrow(p);
	if (!hint)
		hint = hint_older_update(p);
	if (!hint && is_symbol(t, '!') && wanted(p, WANT_OP))
		hint = "\"!\" stands before its operand; an argument with it is written \"f (!x)\"";
	if (!hint && is_symbol(t, '!') && !wanted(p, WANT_EXP))
		hint = "\"!\" stands before its operand and cannot be defined; \"!!\" can";
	if (!hint && t->kind == TOK_CASE && wanted(p, WANT_OP))
		hint = hint_misspelt(p, 6);
	return hint ? hint : hint_missing(p);
}
