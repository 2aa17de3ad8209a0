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
#include "syntax/lex.h"

#include <limits.h>

const char *const token_spelling[N_TOKEN] = {
#define TOKEN(kind, spelling) spelling,
#include "syntax/tokens.def"
#undef TOKEN
};

// ---- Characters ----

enum { LETTER = C_LETTER | C_NAME, HEX = LETTER | C_HEX, DIGIT = C_DIGIT | C_HEX | C_NAME };

const uint8_t char_class[256] = {
	[' '] = C_SPACE, ['\t'] = C_SPACE, ['\n'] = C_SPACE,
	['\r'] = C_SPACE, ['\v'] = C_SPACE, ['\f'] = C_SPACE,
	['a'] = HEX, ['b'] = HEX, ['c'] = HEX, ['d'] = HEX, ['e'] = HEX, ['f'] = HEX,
	['g'] = LETTER, ['h'] = LETTER, ['i'] = LETTER, ['j'] = LETTER, ['k'] = LETTER,
	['l'] = LETTER, ['m'] = LETTER, ['n'] = LETTER, ['o'] = LETTER, ['p'] = LETTER,
	['q'] = LETTER, ['r'] = LETTER, ['s'] = LETTER, ['t'] = LETTER, ['u'] = LETTER,
	['v'] = LETTER, ['w'] = LETTER, ['x'] = LETTER, ['y'] = LETTER, ['z'] = LETTER,
	['A'] = HEX, ['B'] = HEX, ['C'] = HEX, ['D'] = HEX, ['E'] = HEX, ['F'] = HEX,
	['G'] = LETTER, ['H'] = LETTER, ['I'] = LETTER, ['J'] = LETTER, ['K'] = LETTER,
	['L'] = LETTER, ['M'] = LETTER, ['N'] = LETTER, ['O'] = LETTER, ['P'] = LETTER,
	['Q'] = LETTER, ['R'] = LETTER, ['S'] = LETTER, ['T'] = LETTER, ['U'] = LETTER,
	['V'] = LETTER, ['W'] = LETTER, ['X'] = LETTER, ['Y'] = LETTER, ['Z'] = LETTER,
	['0'] = DIGIT, ['1'] = DIGIT, ['2'] = DIGIT, ['3'] = DIGIT, ['4'] = DIGIT,
	['5'] = DIGIT, ['6'] = DIGIT, ['7'] = DIGIT, ['8'] = DIGIT, ['9'] = DIGIT,
	['_'] = C_NAME, ['\''] = C_NAME,
	['+'] = C_SYMBOL, ['-'] = C_SYMBOL, ['*'] = C_SYMBOL, ['/'] = C_SYMBOL,
	['%'] = C_SYMBOL, ['='] = C_SYMBOL, ['!'] = C_SYMBOL, ['>'] = C_SYMBOL,
	['<'] = C_SYMBOL, ['|'] = C_SYMBOL, ['&'] = C_SYMBOL, ['^'] = C_SYMBOL,
};

static Loc loc_of(const Lexer *lx, const char *at)
{
	return lx->src->start + (Loc)(at - lx->src->text);
}

static Span span_from(const Lexer *lx, const char *from, const char *to)
{
	return (Span){loc_of(lx, from), loc_of(lx, to)};
}

void lex_error(Lexer *lx, const char *from, const char *to, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const char *message = vtext(fmt, args);
	va_end(args);
	if (lx->errors++ < MAX_LEX_ERRORS)
		diag_error(span_from(lx, from, to), NULL, "%s", message);
}

int32_t lex_utf8(const char **at, const char *end)
{
	const unsigned char *s = (const unsigned char *)*at;
	size_t left = (size_t)(end - *at);
	int n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3
	      : s[0] < 0xf5 ? 4 : 0;
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

// Are the next eight bytes characters by themselves, none of them zero?
static bool plain_text(const char *at, const char *end)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t w;
	if (end - at < 8)
		return false;
	memcpy(&w, at, sizeof w);
	return ((w | (w - ones)) & ones << 7) == 0;
}

// Reports malformed UTF-8 and zero bytes wherever they stand, comments and strings included;
// one error for each run of bad bytes.
static void check_utf8(Lexer *lx)
{
	const char *at = lx->at, *bad = NULL;
	while (at < lx->end && lx->errors < MAX_LEX_ERRORS) {
		const char *start = at;
		if (!bad && plain_text(at, lx->end)) {
			at += 8;
			continue;
		}
		if (*at == 0)
			lex_error(lx, at, at + 1, "Unexpected character with code 0.");
		bool fine = (unsigned char)*at < 0x80 ? (at++, true) : lex_utf8(&at, lx->end) >= 0;
		if (!fine && !bad)
			bad = start;
		if (bad && (fine || at == lx->end)) {
			lex_error(lx, bad, fine ? start : at, "Invalid UTF-8 in source text.");
			bad = NULL;
		}
	}
}

static void make_room(TokenVec *all, int cap)
{
	all->at = table_grow(all->at, (size_t)all->cap * sizeof *all->at,
	                     (size_t)cap * sizeof *all->at);
	all->cap = cap;
}

void tokens_free(Tokens tokens)
{
	table_free(tokens.at);
}

Token *lex_push(Lexer *lx, TokenKind kind, const char *from)
{
	TokenVec *all = &lx->tokens;
	if (all->len == all->cap)
		make_room(all, all->cap > INT_MAX / 2 ? INT_MAX : 2 * all->cap);
	Token *t = &all->at[all->len++];
	*t = (Token){.kind = kind, .span = span_from(lx, from, lx->at),
	             .space_before = lx->space, .newline_before = lx->newline};
	lx->space = lx->newline = false;
	return t;
}

// ---- Names and symbols ----

static void lex_name(Lexer *lx)
{
	const char *from = lx->at, *to = from;
	while (is_class(*to, C_NAME))
		to++;
	lx->at = to;
	Name name = name_of_n(from, (size_t)(to - from));
	TokenKind kind = TOK_ID;
	if (*from >= 'a' && *from <= 'z')
		for (int k = lx->first_keyword[*from - 'a']; k; k = lx->next_keyword[k])
			if (lx->keyword[k] == name)
				kind = (TokenKind)k;
	lex_push(lx, kind, from)->name = name;
}

static void index_keywords(Lexer *lx)
{
	for (int k = TOK_TRUE; k <= TOK_CASE; k++) {
		uint8_t *first = &lx->first_keyword[token_spelling[k][0] - 'a'];
		lx->keyword[k] = name_of(token_spelling[k]);
		lx->next_keyword[k] = *first;
		*first = (uint8_t)k;
	}
}

static void lex_constructor(Lexer *lx)
{
	const char *from = lx->at++;
	const char *name = lx->at;
	while (is_class(*lx->at, C_NAME))
		lx->at++;
	lex_push(lx, TOK_CONSTR, from)->name = name_of_n(name, (size_t)(lx->at - name));
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
		lex_push(lx, TOK_EQUALS, from);
		return;
	}
	if (n == 2 && from[0] == '-' && from[1] == '>') {
		lex_push(lx, TOK_ARROW, from);
		return;
	}
	int quals = count_qualifiers(lx);
	if (quals == 0) {
		lex_push(lx, TOK_SYM, from)->name = name_of_n(from, n);
		return;
	}
	lx->tokens.len -= quals;
	const Token *first = &lx->tokens.at[lx->tokens.len];
	lx->space = first->space_before;
	lx->newline = first->newline_before;
	from = lx->src->text + (first->span.lo - lx->src->start);
	lex_push(lx, TOK_QUALSYM, from)->name = name_of_n(from, (size_t)(lx->at - from));
}

static TokenKind single_punctuation(char c)
{
	switch (c) {
	case '(': return TOK_LPAREN;
	case ')': return TOK_RPAREN;
	case '[': return TOK_LBRACKET;
	case ']': return TOK_RBRACKET;
	case '{': return TOK_LBRACE;
	case '}': return TOK_RBRACE;
	case ',': return TOK_COMMA;
	case '\\': return TOK_BACKSLASH;
	case '`': return TOK_BACKTICK;
	case '_': return TOK_UNDERSCORE;
	case '~': return TOK_TILDE;
	case '$': return TOK_DOLLAR;
	}
	return TOK_EOF;
}

static bool lex_punctuation(Lexer *lx)
{
	static const struct { char text[4]; TokenKind kind; } longer[] = {
		// Longer spellings before their prefixes.
		{"...", TOK_ELLIPSIS}, {"..<", TOK_DOTDOT_LT}, {"..>", TOK_DOTDOT_GT},
		{"..", TOK_DOTDOT}, {".", TOK_DOT}, {":>", TOK_COLON_GT}, {":", TOK_COLON},
		{"???", TOK_HOLE}, {"?", TOK_QUESTION}, {"#[", TOK_ATTR_OPEN},
		{"'^", TOK_QUOTE_HAT}, {"'~", TOK_QUOTE_TILDE}, {"'", TOK_QUOTE},
	};
	const char *from = lx->at;
	TokenKind single = single_punctuation(*from);
	if (single != TOK_EOF) {
		lx->at++;
		lex_push(lx, single, from);
		return true;
	}
	for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
		size_t n = 0;
		while (longer[i].text[n] && from[n] == longer[i].text[n])
			n++;
		if (!longer[i].text[n]) {
			lx->at += n;
			lex_push(lx, longer[i].kind, from);
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

// A documentation comment: a line `-- | ...` and the comment lines directly below it, up to a test
// block (`-- ==`), which is no documentation.
static void lex_doc(Lexer *lx)
{
	const char *from = lx->at, *to = from;
	bool space = lx->space, newline = lx->newline || lx->tokens.len == 0;
	Str doc = {0};
	bool block = false;
	for (int line = 0;; line++) {
		const char *words = lx->at + (line == 0 ? 4 : 2);
		lex_comment_line(lx);
		to = lx->at;
		if (words < to && *words == ' ')
			words++;
		block |= line > 0 && to - words >= 2 && memcmp(words, "==", 2) == 0;
		if (line > 0 && !block)
			str_putc(&doc, '\n');
		if (words < to && !block)
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
	Token *t = lex_push(lx, TOK_DOC, from);
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

// Characters of word processors, web pages and mathematics.
static const struct { int32_t c; const char *write; } looks_like[] = {
	{0xa0, "a plain space"},        // one that does not break
	{0x2018, "'"}, {0x2019, "'"}, {0x201c, "\""}, {0x201d, "\""},
	{0x2010, "-"}, {0x2011, "-"}, {0x2012, "-"}, {0x2013, "-"}, {0x2014, "-"}, {0x2212, "-"},
	{0x3bb, "\\"}, {0x2192, "->"}, {0x2190, "="}, {0xd7, "*"}, {0xb7, "*"}, {0x22c5, "*"},
	{0xf7, "/"}, {0x2264, "<="}, {0x2265, ">="}, {0x2260, "!="}, {0xac, "!"},
	{0x2227, "&&"}, {0x2228, "||"}, {0x2026, "..."}, {0xb2, "** 2"}, {0xb3, "** 3"},
	{0x221a, "f64.sqrt"}, {0x221e, "f64.inf"}, {0x2218, "<-<"}, {0x3c0, "f64.pi"},
	{0x2211, "f64.sum"}, {0x220f, "f64.product"},
};

// Is a bracket open that began on this line, after a token of that kind (TOK_EOF: any)?
static bool is_in_brackets(const Lexer *lx, TokenKind after)
{
	int open = 0;
	for (int i = lx->tokens.len - 1; i >= 0; i--) {
		TokenKind kind = lx->tokens.at[i].kind;
		open += kind == TOK_RBRACKET ? 1 : kind == TOK_LBRACKET ? -1 : 0;
		if (open < 0)
			return after == TOK_EOF || (i > 0 && lx->tokens.at[i - 1].kind == after);
		if (lx->tokens.at[i].newline_before)
			break;
	}
	return false;
}

static const char *hint_character(const Lexer *lx, int32_t c)
{
	bool first = lx->newline || lx->tokens.len == 0;
	if (c == '@')
		return first ? "\nHint: there are no decorators; attributes are written "
		               "\"#[...]\" before a declaration."
		             : "\nHint: a matrix product is \"map (\\r -> map (\\c -> f64.sum "
		               "(map2 (*) r c)) (transpose b)) a\".";
	if (c == ';' && is_in_brackets(lx, TOK_COLON))
		return "\nHint: the type of an array is written \"[n]f64\".";
	if (c == ';' && is_in_brackets(lx, TOK_EOF))
		return "\nHint: a matrix is an array of rows, separated by commas: \"[[1, 2], [3, "
		       "4]]\".";
	if (c == ';')
		return "\nHint: there are no semicolons: bindings and declarations just follow "
		       "one another.";
	for (size_t i = 0; i < sizeof looks_like / sizeof *looks_like; i++)
		if (looks_like[i].c == c)
			return text("\nHint: write %s instead.", looks_like[i].write);
	if (c >= 0x370 && c <= 0x3ff)
		return "\nHint: names consist of the letters a to z and A to Z, digits, \"_\" and "
		       "\"'\".";
	if (c == '#')
		return "\nHint: a comment begins with \"--\", a constructor with # and its name.";
	return "";
}

static void skip_bad_character(Lexer *lx)
{
	const char *from = lx->at;
	int32_t c = lex_utf8(&lx->at, lx->end);
	lx->space = true;                       // what comes next does not join what came before
	if (c <= 0)
		return;                         // reported by check_utf8
	if (c >= ' ' && c != 127)
		lex_error(lx, from, lx->at, "Unexpected character '%.*s'.%s",
		          (int)(lx->at - from), from, hint_character(lx, c));
	else
		lex_error(lx, from, lx->at, "Unexpected character with code %d.", (int)c);
}

static void lex_token(Lexer *lx)
{
	char c = *lx->at;
	if (is_class(c, C_SPACE)) {
		lx->space = true;
		do
			lx->newline |= *lx->at == '\n';
		while (is_class(*++lx->at, C_SPACE));
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
	index_keywords(&lx);
	// A token takes about four characters; room for them at once saves copying.
	make_room(&lx.tokens, (int)(src->len / 4) + 16);
	check_utf8(&lx);
	if (src->len >= 3 && memcmp(src->text, "\xef\xbb\xbf", 3) == 0)
		lx.at += 3;                     // a byte order mark
	while (lx.at < lx.end && lx.errors < MAX_LEX_ERRORS)
		lex_token(&lx);
	lx.at = lx.end;
	lex_push(&lx, TOK_EOF, lx.end);
	if (comments)
		*comments = VEC_SLICE(Comments, lx.comments);
	return VEC_SLICE(Tokens, lx.tokens);
}
