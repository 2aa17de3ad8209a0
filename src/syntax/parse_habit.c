// Hints for the syntax of other languages: Python, Julia, C, Rust, Haskell and their like.
//
// Before: the parser is at a token that does not fit, and knows which tokens would have fitted.
// After: the text of a hint that says how the same thing is written here, or NULL.
//
// A rule looks at the token, what stands before it on the line, and what the parser expected; the
// first that applies wins.  parse_hint.c has the hints for what is misspelt or left out.
#include "syntax/parse.h"

#define FUNCTION "a function is defined by \"def f (x: f64) : f64 = ...\", and its value is what " \
	"follows the \"=\", without \"return\" or braces"
#define LAMBDA   "an anonymous function is written \"\\x -> ...\""
#define CHOICE   "a conditional is written \"if c then a else b\""
#define LOOP     "a loop is written \"loop x = start for i < n do ...\", \"loop x = start for y " \
	"in ys do ...\" or \"loop x = start while c do ...\", where \"...\" is the next x"
#define BINDING  "a name is bound by \"let x = ... in ...\""
#define CASES    "a choice between cases is written \"match e case p -> ... case _ -> ...\""
#define NO_PATTERN "arrays have no patterns; use \"length xs\", \"head xs\", \"tail xs\", \"xs[i]\""
#define HOLE     "\"???\" stands for an expression that is yet to be written"
#define NO_INCREMENT "\"xs ++ ys\" joins arrays; variables cannot be reassigned, \"x + 1\" is a " \
	"new value"
#define HYPHEN   "names consist of letters, digits, \"_\" and \"'\": \"my_name\""
#define IMPORT   "a file is imported by its path: import \"path/to/file\"; functions of numbers " \
	"are built in: f64.sin, f64.sum"

// ---- What stands before ----

// The first token of the line that `t` is on.
static const Token *line_of(const Parser *p, const Token *t)
{
	while (t > p->first && !t->newline_before)
		t--;
	return t;
}

// The first token of that kind on the line of `t`, before it, or NULL.
static const Token *on_line(const Parser *p, const Token *t, TokenKind kind)
{
	for (const Token *at = line_of(p, t); at < t; at++)
		if (at->kind == kind)
			return at;
	return NULL;
}

static const Token *word_on_line(const Parser *p, const Token *t, const char *word)
{
	for (const Token *at = line_of(p, t); at < t; at++)
		if (is_word(at, word))
			return at;
	return NULL;
}

// Does the declaration that the error is in begin with a line that ends with a colon?
static bool has_python_head(const Parser *p)
{
	const Token *t = p->tok;
	while (t > p->first && !(starts_decl(t->kind) && t->kind != TOK_DOC &&
	                         (t == p->first || t->newline_before)))
		t--;
	for (t++; t <= p->tok && t->kind != TOK_EOF; t++)
		if (t->newline_before)
			return t[-1].kind == TOK_COLON;
	return false;
}

// Right after a colon.
static bool is_at_colon(const Parser *p)
{
	return p->tok > p->first && p->tok[-1].kind == TOK_COLON;
}

// ---- Definitions ----

// x = 3, f(x) = x + 1, y : i32 = 3 at the top: the name stands first.
static const char *hint_bare_definition(const Token *t)
{
	if (t->kind == TOK_ID && t[1].kind == TOK_COLON && t[2].kind == TOK_COLON)
		return "types are part of the definition: \"def f (x: f64) : f64 = ...\"";
	const Token *to = t + 1;
	while (to->kind != TOK_EOF && to->kind != TOK_EQUALS && !to->newline_before)
		to++;
	if (t->kind != TOK_ID || to->kind != TOK_EQUALS || to->newline_before || near_keyword(t))
		return NULL;
	const char *head = span_text((Span){t->span.lo, to[-1].span.hi});
	return strlen(head) > 40 ? "a definition begins with \"def\""
	                         : text("a definition begins with \"def\": \"def %s = ...\"", head);
}

static const char *hint_first_word(const Token *t)
{
	static const struct { const char *words, *hint; } table[] = {
		{" fn fun func function sub proc int float double void bool long auto ", FUNCTION},
		{" const var mut static final ", "a constant is defined by \"def c = ...\""},
		{" data newtype ", "a type is named by \"type t = #a | #b f64\""},
		{" struct class record interface ",
		 "a type is named by \"type t = {a: i32, b: f32}\"; functions are defined "
		 "outside of it"},
		{" enum ", "a type is named by \"type t = #a | #b i32\""},
		{" typedef alias ", "a type is named by \"type t = f64\""},
		{" use using from include ", IMPORT},
		{" val ", "types are part of the definition: \"def f (x: f64) : f64 = ...\"; "
		 "\"val\" is for module types"},
		{" public private pub async export inline ",
		 "a definition begins with \"def\"; \"entry\" makes it callable from outside, "
		 "\"local def\" hides it in its file"},
		{" namespace package ", "a module is defined by \"module m = { ... }\""},
		{" if while for return print ",
		 "a file consists of definitions: \"def f x = ...\", \"entry main x = ...\""},
	};
	PrimType number;
	if (t->kind == TOK_ID && t[1].kind == TOK_ID && primtype_of_name(t->name, &number))
		return FUNCTION;
	bool keyword = t->kind == TOK_IF || t->kind == TOK_FOR || t->kind == TOK_WHILE ||
	               t->kind == TOK_VAL || t->kind == TOK_INCLUDE;
	const char *word = t->kind == TOK_ID ? t->name : keyword ? token_spelling[t->kind] : NULL;
	for (size_t i = 0; word && i < sizeof table / sizeof *table; i++)
		if (strstr(table[i].words, text(" %s ", word)))
			return table[i].hint;
	return NULL;
}

static const char *hint_definition(const Parser *p)
{
	const Token *t = p->tok;
	if (!wanted(p, WANT_DEC) || !(t->newline_before || t == p->first || wanted(p, TOK_RBRACE)))
		return NULL;
	if (t->kind == TOK_CONSTR && strcmp(span_text(t->span), "#include") == 0)
		return IMPORT;
	if (t->kind == TOK_CONSTR || t->kind == TOK_STRING || is_symbol(t, '%'))
		return "a comment begins with \"--\"";
	const char *hint = hint_first_word(t);
	return hint ? hint : hint_bare_definition(t);
}

// def f<T>(x: T), def f(x: 'a)
static const char *hint_type_parameter(const Parser *p)
{
	const Token *t = p->tok;
	bool angle = is_symbol(t, '<') || is_symbol(t, '>');
	if ((angle && wanted(p, TOK_EQUALS) && on_line(p, t, TOK_DEF)) ||
	    (t->kind == TOK_QUOTE && wanted(p, WANT_TYPE)))
		return "a type parameter is declared after the name and then used without its "
		       "quote: \"def f 'a (x: a) = ...\"";
	return NULL;
}

// def f (double xs[])
static const char *hint_type_first(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind == TOK_ID && wanted(p, TOK_RPAREN) && wanted(p, TOK_COLON) &&
	    t - p->first >= 2 && t[-1].kind == TOK_ID && t[-2].kind == TOK_LPAREN &&
	    !on_line(p, t, TOK_EQUALS) && (on_line(p, t, TOK_DEF) || on_line(p, t, TOK_ENTRY)))
		return on_line(p, t, TOK_QUOTE) && t[-1].name[0] >= 'A' && t[-1].name[0] <= 'Z'
		     ? "there are no type classes; name a type such as f64, or take the operations "
		       "as parameters: \"(plus: a -> a -> a)\""
		     : text("the type of a parameter follows its name: \"(%s: f64)\", \"(%s: "
		            "[]f64)\"", t->name, t->name);
	return NULL;
}

// f xs axis=0, without spaces around the sign
static const char *hint_keyword_argument(const Token *t)
{
	static const char *const axes[] = {"axis", "axes", "dim", "dims"};
	if (t->kind != TOK_EQUALS || t[-1].kind != TOK_ID || t[-1].newline_before ||
	    t[-1].span.hi != t->span.lo || t[1].span.lo != t->span.hi)
		return NULL;
	for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
		if (is_word(t - 1, axes[i]))
			return "arguments have no names; \"map f xss\" applies f to each row, "
			       "\"map f (transpose xss)\" to each column";
	return "arguments have no names; they are given in order: \"f 3\"; equality is \"==\"";
}

// (x: i32 = 3), f(x = 3), let (y = x)
static const char *hint_named_argument(const Parser *p)
{
	const Token *t = p->tok;
	const char *keyword = wanted(p, WANT_OP) && t - p->first >= 2 && !on_line(p, t, TOK_IF)
	                    ? hint_keyword_argument(t) : NULL;
	if (keyword)
		return keyword;
	if (t->kind != TOK_EQUALS || !wanted(p, TOK_RPAREN) || t - p->first < 2)
		return NULL;
	if (wanted(p, WANT_OP) && t[-1].kind == TOK_ID &&
	    (t[-2].kind == TOK_LPAREN || t[-2].kind == TOK_COMMA) && !on_line(p, t, TOK_IF))
		return "arguments have no names; they are given in order: \"f 3\"; equality is "
		       "\"==\"";
	if (wanted(p, WANT_OP))
		return NULL;
	if (on_line(p, t, TOK_FOR))
		return LOOP;
	if (on_line(p, t, TOK_LOOP))
		return "a loop carries several values as a tuple: \"loop (x, y) = (1, 2) for i < n "
		       "do "
		       "...\"";
	return on_line(p, t, TOK_LET) ? BINDING : "parameters have no default values";
}

// ---- Bindings ----

// let y := x, y := x, var y = x, let y == x, let s += x
static const char *hint_assignment(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind == TOK_EQUALS && is_at_colon(p) && wanted(p, WANT_TYPE))
		return BINDING;
	if (t->kind == TOK_COLON && t[1].kind == TOK_EQUALS && wanted(p, TOK_EQUALS))
		return BINDING;
	if (t->kind == TOK_EQUALS && t - p->first >= 2 && wanted(p, WANT_OP) &&
	    (is_word(t - 2, "var") || is_word(t - 2, "val") || is_word(t - 2, "const") ||
	     is_word(t - 2, "auto")))
		return BINDING;
	if (t->kind == TOK_EQUALS && t - p->first >= 2 && wanted(p, WANT_OP) &&
	    t[-1].kind == TOK_ID && t[-2].kind == TOK_DOT)
		return "a record with another field is \"r with x = ...\"; equality is \"==\"";
	if (t->kind != TOK_SYM || !wanted(p, TOK_EQUALS))
		return NULL;
	size_t n = strlen(t->name);
	if (n == 2 && t->name[1] == '=' && t > p->first && t[-1].kind == TOK_RBRACKET)
		return text("an element is replaced by \"xs with [i] = xs[i] %c ...\"", t->name[0]);
	if (strcmp(t->name, "==") == 0)
		return "\"==\" compares; a name is bound by \"=\"";
	if (n >= 2 && t->name[n - 1] == '=' && strchr("+-*/%&|^", t->name[0]))
		return text("variables cannot be reassigned; a new one may have the same name: "
		            "\"let x = x %.*s ...\"", (int)n - 1, t->name);
	return NULL;
}

static const char *hint_let(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind == TOK_COMMA && wanted(p, TOK_FOR) && wanted(p, TOK_WHILE))
		return "a loop carries several values as a tuple: \"loop (x, y) = (1, 2) for i < n "
		       "do ...\"";
	if ((t->kind == TOK_COMMA || is_symbol(t, '*')) && wanted(p, TOK_EQUALS) &&
	    wanted(p, TOK_ARROW))
		return "the type of a tuple is in parentheses: \"(f64, f64)\"";
	if (t->kind == TOK_COMMA && wanted(p, TOK_EQUALS) && t - p->first >= 2 &&
	    t[-2].kind == TOK_LET)
		return "a pattern of several names is in parentheses: \"let (x, y) = ...\"";
	if (t->kind == TOK_COMMA && wanted(p, TOK_CASE))
		return "several values are matched as a tuple: \"match (x, y) case ...\"";
	if (t->kind == TOK_COMMA && wanted(p, TOK_ARROW) && wanted(p, TOK_RPAREN) &&
	    on_line(p, t, TOK_TYPE))
		return "a type with names for its components is a record: \"{x: f64, y: f64}\"";
	if (t->kind == TOK_COMMA && t - p->first >= 3 && t[-2].kind == TOK_LBRACKET &&
	    t[-3].kind == TOK_LET)
		return NO_PATTERN;
	if (t->kind == TOK_COMMA && wanted(p, WANT_DEC) && wanted(p, WANT_OP))
		return "arguments are separated by spaces; a tuple is in parentheses: \"(x, y)\"";
	if (t->kind == TOK_COMMA && wanted(p, TOK_IN) && wanted(p, TOK_LET))
		return "each binding starts with its own \"let\": \"let x = 1 let y = 2 in ...\"";
	return NULL;
}

// ---- Control ----

static const char *hint_conditional(const Parser *p)
{
	const Token *t = p->tok;
	if (is_symbol(line_of(p, t), '|') && (wanted(p, TOK_EQUALS) || t->kind == TOK_EQUALS))
		return "guards are written as a conditional: \"= if c then a else if d then b else "
		       "e\"";
	if (word_on_line(p, t, "elif") || word_on_line(p, t, "elsif") ||
	    word_on_line(p, t, "elseif"))
		return "a further condition is written \"else if c then ...\"";
	if (t->kind == TOK_IF && wanted(p, TOK_ARROW) && on_line(p, t, TOK_CASE))
		return "a case has no condition of its own; decide in its body: \"case p -> if c "
		       "then "
		       "a else b\"";
	if (t->kind == TOK_EQUALS && wanted(p, TOK_ELSE) && t[-1].kind == TOK_ID)
		return text(
			"a conditional has a value, which is bound outside of it: \"let %s = if c "
			"then a else b\"; equality is \"==\"",
			t[-1].name);
	if (t->kind == TOK_IF && !wanted(p, WANT_EXP) && !(t->newline_before && wanted(p, TOK_IN)))
		return CHOICE;
	if (t->kind == TOK_QUESTION && wanted(p, WANT_OP))
		return CHOICE;
	if (wanted(p, TOK_THEN) && t->kind != TOK_EQUALS)
		return CHOICE;
	const Token *head = is_at_colon(p) ? t - 1 : t;
	if ((is_at_colon(p) || on_line(p, t, TOK_LBRACE)) && on_line(p, head, TOK_IF))
		return CHOICE;
	return NULL;
}

static const char *hint_cases(const Parser *p)
{
	const Token *t = p->tok;
	if (word_on_line(p, t, "switch") ||
	    (on_line(p, t, TOK_MATCH) && on_line(p, t, TOK_LBRACE) && !on_line(p, t, TOK_CASE)))
		return CASES;
	if (t->kind == TOK_SYM && strcmp(t->name, "=>") == 0 && wanted(p, TOK_ARROW))
		return on_line(p, t, TOK_CASE) ? "a case is written \"case p -> ...\"" : LAMBDA;
	if (t->kind == TOK_ELSE && wanted(p, TOK_CASE))
		return "the case for everything else is \"case _ -> ...\"";
	if (t->kind == TOK_LBRACKET && wanted(p, WANT_PAT) && on_line(p, t, TOK_CASE))
		return NO_PATTERN;
	if ((is_symbol(t, '|') || t->kind == TOK_COMMA) && wanted(p, TOK_ARROW) &&
	    on_line(p, t, TOK_CASE))
		return "a case has one pattern and no condition: write \"case 1 -> a case 2 -> "
		       "a\", \"case (x, y) -> a\" for a tuple, \"case x -> if c then a else b\"";
	if (wanted(p, TOK_ARROW) && wanted(p, TOK_COLON) && t - p->first >= 2 &&
	    t[-1].kind == TOK_ID && t[-2].kind == TOK_CASE && starts_atomic_pat(t))
		return text("a constructor begins with \"#\": \"case #%s %s -> ...\"", t[-1].name,
		            span_text(t->span));
	return NULL;
}

static const char *hint_loop(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind == TOK_EQUALS && wanted(p, TOK_IN) && on_line(p, t, TOK_FOR))
		return LOOP;
	if (t->kind == TOK_SYM && wanted(p, TOK_IN) && on_line(p, t, TOK_FOR))
		return strcmp(t->name, "<=") == 0
		     ? "a loop counts from 0 to below its bound: \"for i < n + 1 do ...\""
		     : "a loop counts, \"for i < n do ...\", or goes over an array, \"for x in xs "
		       "do ...\"";
	if (t->kind != TOK_FOR && t->kind != TOK_WHILE)
		return NULL;
	bool generator = wanted(p, TOK_RPAREN) && wanted(p, TOK_COMMA);
	return wanted(p, TOK_RBRACKET) || generator ? "a function is applied to each element by "
	                                 "\"map (\\x -> ...) xs\"" : LOOP;
}

// assert x > 0 y, assert(x > 0)
static const char *hint_assert(const Parser *p)
{
	bool after = p->tok->newline_before || p->tok->kind == TOK_EOF;
	const Token *last = after && p->tok > p->first ? p->tok - 1 : p->tok;
	const Token *assert = on_line(p, last, TOK_ASSERT);
	return assert && wanted(p, WANT_EXP)
	     ? "\"assert (c) e\" is e if c is true: the condition in parentheses, then the value"
	     : NULL;
}

// ---- Functions and data ----

static const char *hint_function(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind == TOK_DEF && wanted(p, WANT_EXP))
		return "a local function is defined by \"let f (x: f64) = ... in ...\"";
	if (t->kind == TOK_TYPE && wanted(p, WANT_EXP))
		return "types are no values; the type of an expression is shown by \":type\" in "
		       "\"raido repl\", and by editors";
	if (t->kind == TOK_ELLIPSIS && wanted(p, WANT_EXP) && !wanted(p, TOK_COLON))
		return HOLE;
	if (t > p->first && t[-1].kind == TOK_ELLIPSIS && wanted(p, WANT_EXP) &&
	    (t->kind == TOK_EOF || t->newline_before || t->kind == TOK_RPAREN))
		return "an array cannot be spread over the parameters of a function; \"reduce op "
		       "ne xs\" combines its elements, \"f64.maximum xs\" is the largest";
	if (t->kind == TOK_DO && wanted(p, WANT_EXP))
		return "the value of a function is the expression after the \"=\"";
	if (is_symbol(t, '*') && wanted(p, TOK_RPAREN) && wanted(p, WANT_PAT))
		return "a function has a fixed number of parameters";
	const Token *result = word_on_line(p, t, "return");
	if (word_on_line(p, t, "lambda"))
		return LAMBDA;
	if (has_python_head(p) || (result && result > p->first && result[-1].kind == TOK_COLON) ||
	    (result && wanted(p, TOK_EQUALS)))
		return FUNCTION;
	if (t->kind == TOK_COMMA && wanted(p, TOK_ARROW) && wanted(p, WANT_PAT))
		return "parameters are separated by spaces, without commas: \"\\x y -> ...\"";
	if (t->kind == TOK_DOT && wanted(p, TOK_ARROW) && wanted(p, WANT_PAT))
		return LAMBDA;
	if ((t->kind == TOK_LBRACKET || t->kind == TOK_QUOTE) && wanted(p, WANT_PAT) &&
	    t > p->first && t[-1].kind == TOK_BACKSLASH)
		return "a lambda has no parameters for sizes and types; a function with a name "
		       "has: \"let f [n] 't (xs: [n]t) = ... in ...\"";
	if (t->kind == TOK_DOLLAR && t > p->first && is_symbol(t - 1, '<') &&
	    t[-1].span.hi == t->span.lo)
		return "\"map f xs\" applies f to each element";
	if (t->kind == TOK_DOLLAR && wanted(p, WANT_OP))
		return "\"f <| x\" applies f to everything that follows";
	return NULL;
}

// {r with x = 3}, {...r, x = 3}
static bool brace_before_update(const Parser *p)
{
	const Token *t = p->tok;
	return (t->kind == TOK_WITH && on_line(p, t, TOK_LBRACE) && wanted(p, TOK_RBRACE)) ||
	       (t->kind == TOK_ELLIPSIS && t > p->first && t[-1].kind == TOK_LBRACE);
}

// { x + 1 }, {a: x}, {"a": x}, type t = {a = f64}, module m { ... }
static const char *hint_braces(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind == TOK_LBRACE && wanted(p, TOK_EQUALS) && on_line(p, t, TOK_MODULE))
		return "a module is defined by \"module m = { ... }\"";
	if (t->kind == TOK_EQUALS && wanted(p, TOK_COLON) && on_line(p, t, TOK_LBRACE) &&
	    !wanted(p, TOK_RPAREN))
		return "in a type, a colon follows the name of a field: \"{a: f64}\"";
	if (t->kind == TOK_COLON && wanted(p, TOK_EQUALS) && wanted(p, TOK_RBRACE))
		return "a field is given its value by \"=\": \"{a = 1, b = 2}\"";
	if (brace_before_update(p))
		return "a record with another field is written without braces: \"r with x = ...\"";
	if (t->kind == TOK_STRING && t > p->first && t[-1].kind == TOK_LBRACE)
		return "a record has names for its fields, without quotes: \"{a = 1, b = 2}\"";
	const Token *brace = on_line(p, t, TOK_LBRACE);
	if (brace && brace > p->first && brace[-1].kind == TOK_ID && wanted(p, TOK_COLON))
		return "the type of an array is written \"[]t\" or \"[n]t\"";
	if (brace && wanted(p, TOK_RBRACE) && !wanted(p, WANT_DEC))
		return "braces are for records, \"{a = 1}\"; expressions are grouped by "
		       "parentheses";
	return NULL;
}

// type shape = Circle f64 | Square f64
static const char *hint_constructors(const Parser *p)
{
	if (is_symbol(p->tok, '|') && on_line(p, p->tok, TOK_TYPE))
		return "constructors begin with \"#\": \"type t = #a f64 | #b\"";
	return NULL;
}

// ---- Symbols ----

// xs .+ ys
static const char *hint_broadcast(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind != TOK_SYM || t == p->first || t[-1].kind != TOK_DOT)
		return NULL;
	if (strcmp(t->name, "|>") == 0)
		return "\"map f xs\" applies f to each element";
	const char *op = strcmp(t->name, "^") == 0 ? "**" : t->name;
	return text("operators work on single values; for each element write \"map (%s y) xs\", "
	            "for two arrays \"map2 (%s) xs ys\"", op, op);
}

// push! xs x, sort!(xs)
static const char *hint_bang(const Parser *p)
{
	const Token *t = p->tok;
	if (!is_symbol(t, '!') || t == p->first || t[-1].kind != TOK_ID ||
	    t[-1].span.hi != t->span.lo ||
	    (t[1].span.lo == t->span.hi && t[1].kind != TOK_LPAREN))
		return NULL;
	if (is_word(t - 1, "push") || is_word(t - 1, "append"))
		return "arrays do not change; \"xs ++ [x]\" is xs with x at its end";
	return "names end with letters, digits, \"_\" or \"'\"; functions return new "
	       "values and modify nothing";
}

// ++i, +x, *p, &x
static const char *hint_prefix(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind != TOK_SYM || !wanted(p, WANT_EXP))
		return NULL;
	if (strcmp(t->name, "++") == 0 || strcmp(t->name, "--") == 0)
		return NO_INCREMENT;
	if (strcmp(t->name, "+") == 0)
		return "\"+\" stands between two operands; a number without a sign is positive";
	if ((strcmp(t->name, "*") == 0 || strcmp(t->name, "&") == 0) && t[1].kind == TOK_ID &&
	    t[1].span.lo == t->span.hi)
		return text(
			"there are no pointers: a value is used by its name, \"%s\"; arrays are "
			"passed without being copied",
			t[1].name);
	return NULL;
}

// p->x
static const char *hint_member(const Parser *p)
{
	const Token *t = p->tok;
	if (t->kind != TOK_ARROW || t == p->first || t[-1].kind != TOK_ID ||
	    t[-1].span.hi != t->span.lo || t[1].kind != TOK_ID ||
	    t[1].span.lo != t->span.hi || !wanted(p, WANT_OP))
		return NULL;
	return text("a field is chosen by a point: \"%s.%s\"", t[-1].name, t[1].name);
}

// (xs: Array<f64>)
static const char *hint_angle(const Parser *p)
{
	const Token *t = p->tok;
	if (!is_symbol(t, '<') || t == p->first || t[-1].kind != TOK_ID ||
	    !wanted(p, TOK_ARROW) || wanted(p, WANT_OP))
		return NULL;
	return "the type of an array is written \"[]t\" or \"[n]t\"; other types are given "
	       "their arguments without brackets: \"t f64\"";
}

// module z = mk 3
static const char *hint_module_argument(const Parser *p)
{
	const Token *t = p->tok, *module = on_line(p, t, TOK_MODULE);
	bool value = t->kind == TOK_INT || t->kind == TOK_FLOAT || t->kind == TOK_STRING;
	if (!value || !module || !wanted(p, WANT_DEC) || t[-1].kind != TOK_ID)
		return NULL;
	return text("a parametric module is applied to a module: \"%s {def x = %s}\"", t[-1].name,
	            span_text(t->span));
}

static const char *hint_symbol(const Parser *p)
{
	const Token *t = p->tok;
	const Token *last = t > p->first ? t - 1 : t;
	if (t->kind == TOK_COMMA && wanted(p, TOK_RBRACKET) && wanted(p, WANT_OP))
		return "each dimension has brackets of its own: \"[n][m]f64\"";
	if (t->kind == TOK_ELLIPSIS && wanted(p, TOK_COLON) && wanted(p, WANT_EXP))
		return "each dimension has an index: \"xss[:, 0]\" is the first column";
	if (t->kind == TOK_COLON && last->kind == TOK_COLON && wanted(p, WANT_TYPE))
		return "a type follows a single colon: \"x: f64\"; \"[x] ++ xs\" puts x before xs";
	if (t->kind == TOK_LBRACKET && last->kind == TOK_DOT)
		return "an index follows its array without a point: \"xs[i]\"";
	if (is_symbol(t, '-') && wanted(p, TOK_EQUALS) && last->kind == TOK_ID)
		return HYPHEN;
	if (is_symbol(t, '|') && wanted(p, WANT_EXP))
		return "the absolute value is \"f64.abs x\"; " LAMBDA;
	if (t->kind == TOK_TILDE && t[1].kind == TOK_EQUALS)
		return "inequality is \"!=\"";
	if (t->kind == TOK_TILDE && wanted(p, WANT_EXP))
		return "\"!x\" inverts the bits of an integer or a bool; \"-x\" is the negative";
	if (t->kind == TOK_QUOTE && wanted(p, WANT_EXP))
		return "strings are in double quotes: \"abc\"; single quotes are for one "
		       "character: 'a'";
	if (wanted(p, WANT_EXP) && last->kind == TOK_SYM && strcmp(last->name, "++") == 0)
		return NO_INCREMENT;
	if (t->kind == TOK_UNDERSCORE && wanted(p, WANT_EXP))
		return "\"(> 3)\" is a function of the missing operand, as is \"\\x -> x > 3\"";
	if (last->kind == TOK_IMPORT && wanted(p, TOK_STRING))
		return IMPORT;
	if (last->kind == TOK_OPEN && t->kind == TOK_STRING)
		return text("a file is opened by \"open import %s\", or \"import %s\" alone",
		            span_text(t->span), span_text(t->span));
	if (t->kind == TOK_IN && wanted(p, WANT_OP) && !wanted(p, TOK_IN) &&
	    !on_line(p, t, TOK_LET) && on_line(p, t, TOK_DEF))
		return "\"any (== x) xs\" tells whether x is among the elements of xs; \"in\" "
		       "belongs to a \"let\"";
	return NULL;
}

const char *habit_hint(const Parser *p)
{
	const char *(*const rules[])(const Parser *) = {
		hint_function, hint_definition, hint_type_parameter, hint_type_first,
		hint_named_argument,
		hint_assignment, hint_let, hint_cases, hint_conditional, hint_loop, hint_assert,
		hint_braces, hint_constructors, hint_broadcast, hint_bang, hint_prefix, hint_member,
		hint_angle, hint_module_argument, hint_symbol,
	};
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		const char *hint = rules[i](p);
		if (hint)
			return hint;
	}
	return NULL;
}
