// `raido fmt`: formats a file, preserving all tokens and comments.
//
// The rules of the style, as the formatter of Futhark 0.27 has them:
//   - there is no line width: what the source has on one line stays on one line, and what it
//     has on several lines is broken at all joints of its construct;
//   - what is on later lines is aligned with what is on the first: arguments below the first
//     argument, parameters below the first parameter, operators, `then`, `in`, ... below the
//     start of their construct;
//   - lists broken over lines have their commas in front and the closing bracket on a line of
//     its own;
//   - a definition on several lines has its body on the lines after "=";
//   - at the top `let` is written `def`; an `in` before another `let` is left out;
//   - empty lines stay between declarations, where one of them takes several lines there is
//     one always, and there are none in expressions;
//   - a comment behind the last token of a line stays there; other comments go before the
//     next token, wherever that is.
// Where that formatter's choice is not known the line break of the source stays.
//
// Formatting is idempotent: format_file repeats until nothing changes, and checks that the
// result has the tokens of the source.
#include "syntax/fmt.h"
#include "syntax/parse.h"

// ---- Writing ----

static void put_newline(Fmt *f, bool blank)
{
	str_puts(&f->out, blank ? "\n\n" : "\n");
	f->col = 0;
}

static void put_indent(Fmt *f, int indent)
{
	for (; f->col < indent; f->col++)
		str_putc(&f->out, ' ');
}

static int columns(const char *s, size_t n)
{
	int cols = 0;
	for (size_t i = 0; i < n; i++)
		cols += ((unsigned char)s[i] & 0xc0) != 0x80;
	return cols;
}

static void put_text(Fmt *f, const char *s, size_t n)
{
	str_putn(&f->out, s, n);
	f->col += columns(s, n);
}

static const char *source_at(const Fmt *f, Loc loc)
{
	return f->file->source->text + (loc - f->file->source->start);
}

// Whether an empty line stands before a place in the source.
bool fmt_blank_before(const Fmt *f, Loc loc)
{
	const char *s = source_at(f, loc);
	int newlines = 0;
	while (s > f->file->source->text && strchr(" \t\r\n\f\v", s[-1]))
		newlines += *--s == '\n';
	return newlines >= 2 || (newlines && s == f->file->source->text);
}

// Starts a line for something at `loc`; the file's first line needs no break.
static void start_line(Fmt *f, Loc loc, int indent)
{
	bool blank = f->next_blank == BLANK_ONE
		|| (f->next_blank == BLANK_KEEP && f->blanks && fmt_blank_before(f, loc));
	f->next_blank = BLANK_KEEP;
	if (f->out.len)
		put_newline(f, blank);
	else if (blank)
		put_newline(f, false);
	put_indent(f, indent);
}

// Writes the comments before a place; those on their own lines with this indentation.
void fmt_comments(Fmt *f, Loc before, int indent)
{
	Comments all = f->file->comments;
	bool after_comment = false;             // which goes on to the end of the line
	while (f->next_comment < all.len && all.at[f->next_comment].span.lo < before) {
		const Comment *c = &all.at[f->next_comment++];
		if (c->own_line || after_comment)
			start_line(f, c->span.lo, indent);
		else if (f->out.len)
			put_text(f, " ", 1);
		put_text(f, c->text, strlen(c->text));
		after_comment = true;
	}
}

static bool has_comment_before(const Fmt *f, Loc loc)
{
	Comments all = f->file->comments;
	return f->next_comment < all.len && all.at[f->next_comment].span.lo < loc;
}

// Comments before a token in the middle of a line take its place, and it goes below them.
static void put_comments_inside(Fmt *f, Loc loc)
{
	Comments all = f->file->comments;
	int col = f->col;
	while (has_comment_before(f, loc)) {
		const Comment *c = &all.at[f->next_comment++];
		put_text(f, c->text, strlen(c->text));
		put_newline(f, false);
		put_indent(f, col);
	}
}

static void put_token(Fmt *f, int indent)
{
	int i = f->next++;
	const Token *t = &f->tok[i];
	if (f->skip[i])
		return;
	// Comments behind a comma that ended a line, and starts one now, go before it.
	bool leading_comma = f->brk[i] && t->kind == TOK_COMMA && !t->newline_before;
	Loc loc = leading_comma ? t[1].span.lo : t->span.lo;
	bool inside = !f->brk[i] && i > 0 && has_comment_before(f, loc);
	if (!inside)
		fmt_comments(f, loc, indent);
	if (f->brk[i])
		start_line(f, t->span.lo, indent);
	else if (i > 0 && (f->gap[i] || (inside && t[-1].kind == TOK_SYM)))
		put_text(f, " ", 1);
	if (inside)
		put_comments_inside(f, loc);
	if (f->as_def[i])
		put_text(f, "def", 3);
	else
		put_text(f, source_at(f, t->span.lo), t->span.hi - t->span.lo);
}

// ---- What the layout asks ----

int fmt_token_at(const Fmt *f, Loc loc)
{
	int lo = 0, hi = f->n_tok;
	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;
		if (f->tok[mid].span.lo < loc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

int fmt_start(const Fmt *f, int indent)
{
	return f->brk[f->next] ? indent : f->col + f->gap[f->next];
}

void fmt_to(Fmt *f, Loc loc, int indent)
{
	while (f->next < f->n_tok && f->tok[f->next].span.lo < loc)
		put_token(f, indent);
}

bool fmt_one_line(const Fmt *f, Span span)
{
	int a = fmt_token_at(f, span.lo), b = fmt_token_at(f, span.hi);
	return f->lines[b] == f->lines[a + 1] && f->notes[b] == f->notes[a + 1];
}

void fmt_break_at(Fmt *f, Loc loc)
{
	f->brk[fmt_token_at(f, loc)] = true;
}

// ---- The driver ----

// Counts the line breaks and the comments of the source before each token.
static void measure(Fmt *f)
{
	Comments all = f->file->comments;
	int comment = 0;
	for (int i = 0; i < f->n_tok; i++) {
		const Token *t = &f->tok[i];
		while (comment < all.len && all.at[comment].span.lo < t->span.lo)
			comment++;
		f->lines[i + 1] = f->lines[i] + t->newline_before;
		f->notes[i + 1] = comment;
	}
}

// The tokens less documentation comments, which are among the comments too.
static Tokens layout_tokens(const Source *src)
{
	Tokens all = lex(src, NULL);
	int n = 0;
	for (int i = 0; i < all.len; i++) {
		bool newline = i > 0 && all.at[i - 1].kind == TOK_DOC;
		if (all.at[i].kind == TOK_DOC)
			continue;
		all.at[n] = all.at[i];
		all.at[n].newline_before |= newline;
		n++;
	}
	all.len = n;
	return all;
}

// White space before "[" means nothing after a reserved word and after an attribute.
static bool same_token(const Fmt *f, int i, const Source *b, const Token *t, bool operand)
{
	const Source *a = f->file->source;
	const Token *s = &f->tok[i];
	if (f->as_def[i])
		return t->kind == TOK_DEF;
	size_t n = s->span.hi - s->span.lo;
	return s->kind == t->kind && n == t->span.hi - t->span.lo
		&& (!operand || f->free_space[i]
		    || is_index_bracket(a, s) == is_index_bracket(b, t))
		&& memcmp(a->text + (s->span.lo - a->start), b->text + (t->span.lo - b->start),
		          n) == 0;
}

// Whether a text has the tokens that were to be written.
static bool same_tokens(const Fmt *f, const Source *b)
{
	Tokens y = layout_tokens(b);
	bool in_attr = false, operand = false, same = true;
	int j = 0;
	for (int i = 0; i <= f->n_tok && same; i++) {
		TokenKind kind = f->tok[i].kind;
		if (f->skip[i])
			continue;
		same = j < y.len && same_token(f, i, b, &y.at[j], operand);
		j++;
		in_attr |= kind == TOK_ATTR_OPEN;
		operand = !(in_attr && kind == TOK_RBRACKET) && (kind < TOK_IF || kind > TOK_CASE);
		in_attr &= kind != TOK_RBRACKET;
	}
	same &= j == y.len;
	tokens_free(y);
	return same;
}

// The file's text laid out anew, also as a source: its own if nothing changed, NULL if there is
// no room for another.
static const char *format_once(const File *file, Source **result)
{
	Tokens tokens = layout_tokens(file->source);
	int n = tokens.len;
	Fmt f = {.file = file, .tok = tokens.at, .n_tok = n - 1,
		.gap = NEW_ARRAY(bool, n + 1), .brk = NEW_ARRAY(bool, n + 1),
		.lines = NEW_ARRAY(int, n + 1), .notes = NEW_ARRAY(int, n + 1),
		.skip = NEW_ARRAY(bool, n + 1),
		.as_def = NEW_ARRAY(bool, n + 1), .free_space = NEW_ARRAY(bool, n + 1),
		.blanks = true};
	fmt_spaces(&f);
	measure(&f);
	fmt_decls(&f, file->decls);
	fmt_to(&f, tokens.at[n - 1].span.lo, 0);
	fmt_comments(&f, file->source->start + file->source->len, 0);
	if (f.out.len)
		str_putc(&f.out, '\n');
	const char *out = str_text(&f.out);
	bool as_it_was = f.out.len == file->source->len
		&& memcmp(out, file->source->text, f.out.len) == 0;
	*result = as_it_was ? file->source : source_add(file->source->name, out, f.out.len);
	if (*result && !as_it_was && !same_tokens(&f, *result))
		bug("formatting %s changed its tokens", file->source->name);
	tokens_free(tokens);
	return out;
}

const char *format_file(const File *file)
{
	const File *from = file;
	for (int pass = 0; pass < 4; pass++) {
		Source *result;
		const char *text = format_once(from, &result);
		if (!result || result == from->source)
			return text;
		from = parse_file(result);
		if (from->failed)
			bug("formatting %s changed its syntax", file->source->name);
	}
	return from->source->text;
}
