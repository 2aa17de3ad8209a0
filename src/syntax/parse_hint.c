// Hints for syntax errors: what someone used to another language, or who forgot a word, meant.
//
// Before: the parser is at a token that does not fit, and knows which tokens would have fitted.
// After: the text of a hint, or NULL.  Nothing is changed.
//
// A hint is chosen by the token, the tokens before it, and what the parser expected; the first rule
// that applies wins.  A rule may fail to give a hint, but must not mislead: it requires evidence
// that its reading is likely, not just the token itself.
#include "syntax/parse.h"

static bool wanted(const Parser *p, int what)
{
	return p->wanted[what >> 6] >> (what & 63) & 1;
}

// The token `n` before the current one; the end of the file where there is none.
static const Token *back(const Parser *p, int n)
{
	static const Token none = {.kind = TOK_EOF};
	return p->tok - p->first >= n ? p->tok - n : &none;
}

static bool is_word(const Token *t, const char *word)
{
	return t->kind == TOK_ID && strcmp(t->name, word) == 0;
}

// ---- Misspelt keywords ----

static const char *near_keyword(const Token *t)
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

// ---- Words and comments of other languages ----

// The word, if it is on the same line before the current token.
static const Token *earlier_word(const Parser *p, const char *word)
{
	for (const Token *t = p->tok; t-- > p->first && !t[1].newline_before; )
		if (is_word(t, word))
			return t;
	return NULL;
}

static bool if_on_line(const Parser *p)
{
	for (const Token *t = p->tok; t-- > p->first && !t[1].newline_before; )
		if (t->kind == TOK_IF)
			return true;
	return false;
}

static const char *hint_python(const Parser *p)
{
	const Token *t = p->tok;
	const Token *result = earlier_word(p, "return");
	if (earlier_word(p, "lambda"))
		return "a function without a name is written \"\\x -> ...\"";
	if (earlier_word(p, "elif") || earlier_word(p, "elsif") || earlier_word(p, "elseif"))
		return "a further condition is written \"else if c then ...\"";
	if (result && result > p->first && result[-1].kind == TOK_COLON)
		return "a function is defined by \"def f x = ...\", and its value is what follows "
		       "the \"=\", without \"return\"";
	if (t->kind == TOK_FOR && wanted(p, TOK_RBRACKET))
		return "a function is applied to all elements by \"map (\\x -> ...) xs\"";
	if (back(p, 1)->kind == TOK_COLON && wanted(p, WANT_TYPE) && if_on_line(p))
		return "a choice is written \"if c then a else b\"";
	return NULL;
}

// .5
static const char *hint_number(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind == TOK_DOT && t[1].kind == TOK_INT && t[1].span.lo == t->span.hi)
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

static const char *hint_declaration(const Parser *p)
{
	static const struct { const char *word, *hint; } words[] = {
		{"fn", "a function is defined by \"def f x y = ...\""},
		{"fun", "a function is defined by \"def f x y = ...\""},
		{"func", "a function is defined by \"def f x y = ...\""},
		{"function", "a function is defined by \"def f x y = ...\""},
		{"const", "a constant is defined by \"def c = ...\""},
		{"var", "a constant is defined by \"def c = ...\""},
		{"data", "a type is named by \"type t = ...\""},
		{"struct", "a type is named by \"type t = {a: i32, b: f32}\""},
		{"enum", "a type is named by \"type t = #a | #b i32\""},
		{"use", "a file is imported by \"import \"file\"\""},
		{"from", "a file is imported by \"import \"file\"\""},
	};
	const Token *t = p->tok;
	if (t->kind == TOK_SYM && t->name[0] == '/' && (t->name[1] == '/' || t->name[1] == '*'))
		return "a comment begins with \"--\"";
	if (t->kind == TOK_LBRACE && is_symbol(t + 1, '-'))
		return "a comment begins with \"--\"";
	if (t->kind == TOK_IN)
		return "at the top of a file \"let\" defines a name for all that follows, without "
		       "\"in\"";
	if (t->kind == TOK_RPAREN || t->kind == TOK_RBRACKET || t->kind == TOK_RBRACE)
		return "nothing is open that this could close";
	for (size_t i = 0; t->kind == TOK_ID && i < sizeof words / sizeof *words; i++)
		if (strcmp(t->name, words[i].word) == 0)
			return words[i].hint;
	const char *near = near_keyword(t);
	return near ? text("did you mean \"%s\"?", near) : NULL;
}

// ---- Something else stands where an expression begins ----

static const char *hint_expression(const Parser *p)
{
	switch ((int)p->tok->kind) {
	case TOK_FOR: case TOK_WHILE:
		return "a loop is written \"loop x = start for i < n do ...\" or \"loop x = start "
		       "while c do ...\"";
	case TOK_CASE:
		return "cases follow what they are of: \"match e case p -> ... case q -> ...\"";
	}
	return NULL;
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
		return "each binding has its own \"let\", the last one \"in\"; equality is "
		       "\"==\"";
	return "equality is \"==\"";
}

static const char *hint_arrow(const Parser *p)
{
	if (wanted(p, TOK_CASE) || wanted(p, TOK_LBRACKET))
		return "each case of a match has the word: \"match e case p -> ... case q -> ...\"";
	if (wanted(p, TOK_COLON) && wanted(p, TOK_EQUALS))
		return "the type of the result follows a colon: \"def f (x: i32) : i32 = ...\"";
	if (wanted(p, WANT_OP))
		return "a function without a name is written \"\\x -> ...\"";
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
	if (open)
		return open;
	if ((p->tok->kind == TOK_FOR || p->tok->kind == TOK_WHILE) && wanted(p, TOK_IN))
		return hint_expression(p);
	const Token *after = wanted(p, TOK_IN) && wanted(p, TOK_LET) ? line_after_let(p) : NULL;
	if (after)
		return text("\"in\" stands between the last \"let\" and the expression it is for; "
		            "it seems to be missing before %d:%d", loc_pos(after->span.lo).line,
		            loc_pos(after->span.lo).col);
	if (wanted(p, TOK_IN) && wanted(p, TOK_LET))
		return "\"in\" stands between the last \"let\" and the expression it is for: "
		       "\"let x = ... in ...\"";
	const Token *open_if = wanted(p, TOK_ELSE) ? if_without_else(p) : NULL;
	if (open_if)
		return text("an \"if\" has a value, and so an \"else\"; the one at %d:%d has none",
		            loc_pos(open_if->span.lo).line, loc_pos(open_if->span.lo).col);
	if (wanted(p, TOK_DOTDOT_LT) && wanted(p, TOK_ELLIPSIS) && !wanted(p, TOK_DOTDOT))
		return "a range is written \"a..<b\", or \"a...b\" with b in it";
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
	const char *hint = hint_python(p);
	if (!hint && wanted(p, WANT_EXP))
		hint = hint_number(p);
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
	if (!hint && t->kind == TOK_DOT && wanted(p, TOK_ARROW) && wanted(p, WANT_PAT))
		hint = "a function without a name is written \"\\x -> ...\"";
	if (!hint)
		hint = hint_older_update(p);
	if (!hint && is_symbol(t, '!') && wanted(p, WANT_OP))
		hint = "\"!\" stands before its operand; an argument with it is written \"f (!x)\"";
	if (!hint && is_symbol(t, '!') && !wanted(p, WANT_EXP))
		hint = "\"!\" stands before its operand and cannot be defined; \"!!\" can";
	if (!hint && t->kind == TOK_QUESTION && wanted(p, WANT_OP))
		hint = "a choice is written \"if c then a else b\"";
	if (!hint && t->kind == TOK_DOLLAR && wanted(p, WANT_OP))
		hint = "\"f <| x\" applies f to all that follows";
	if (!hint && t->kind == TOK_CASE && wanted(p, WANT_OP))
		hint = hint_misspelt(p, 6);
	return hint ? hint : hint_missing(p);
}
