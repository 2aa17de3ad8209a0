// `raido fmt`: lays a file out anew, keeping all tokens and comments.
//
// The rules:
//   - every line break of the source stays, indented anew; what stood on one line stays
//     there unless it is too long, and then breaks at the joints of its construct
//     (before operators, `then`, `else`, `case`, each element of a list, ...);
//   - lists broken over lines have their commas in front and the closing bracket on a line
//     of its own;
//   - a comment on its own line is indented like the token that follows it; a comment
//     behind a token stays behind it;
//   - one blank line stays between lines that had any.
//
// Formatting what was formatted changes nothing; format_file repeats until that holds, and
// checks that the tokens of its result are those of the source.
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
static bool blank_before(const Fmt *f, Loc loc)
{
	const char *s = source_at(f, loc);
	int newlines = 0;
	while (s > f->file->source->text && strchr(" \t\r\n\f\v", s[-1]))
		newlines += *--s == '\n';
	return newlines >= 2;
}

// Starts a line for something at `loc`; the file's first line needs no break.
static void start_line(Fmt *f, Loc loc, int indent)
{
	if (f->out.len)
		put_newline(f, blank_before(f, loc));
	put_indent(f, indent);
}

// Writes the comments before a place; those on their own lines with this indentation.
void fmt_comments(Fmt *f, Loc before, int indent)
{
	Comments all = f->file->comments;
	while (f->next_comment < all.len && all.at[f->next_comment].span.lo < before) {
		const Comment *c = &all.at[f->next_comment++];
		if (c->own_line)
			start_line(f, c->span.lo, indent);
		else if (f->out.len)
			put_text(f, " ", 1);
		put_text(f, c->text, strlen(c->text));
	}
}

static void put_token(Fmt *f, int indent)
{
	int i = f->next++;
	const Token *t = &f->tok[i];
	// Comments between a comma that starts a line and the next element go before the comma.
	bool leading_comma = f->brk[i] && t->kind == TOK_COMMA;
	fmt_comments(f, leading_comma ? t[1].span.lo : t->span.lo, indent);
	if (f->brk[i])
		start_line(f, t->span.lo, indent);
	else if (i > 0 && f->gap[i])
		put_text(f, " ", 1);
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

bool fmt_too_long(const Fmt *f, Span span, int start)
{
	int a = fmt_token_at(f, span.lo), b = fmt_token_at(f, span.hi);
	return fmt_one_line(f, span) && start + f->width[b] - f->width[a] - f->gap[a] > FMT_WIDTH;
}

void fmt_break_at(Fmt *f, Loc loc)
{
	f->brk[fmt_token_at(f, loc)] = true;
}

// ---- The driver ----

static void measure(Fmt *f)
{
	Comments all = f->file->comments;
	int comment = 0;
	for (int i = 0; i < f->n_tok; i++) {
		const Token *t = &f->tok[i];
		int gap = f->gap[i];
		f->width[i + 1] = f->width[i] + gap
			+ columns(source_at(f, t->span.lo), t->span.hi - t->span.lo);
		f->lines[i + 1] = f->lines[i] + t->newline_before;
		int notes = 0;
		while (comment < all.len && all.at[comment].span.lo < t->span.lo) {
			comment++;
			notes++;
		}
		f->notes[i + 1] = f->notes[i] + notes;
		f->brk[i] = t->newline_before;
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

static const char *format_once(const File *file)
{
	Tokens tokens = layout_tokens(file->source);
	int n = tokens.len;
	Fmt f = {.file = file, .tok = tokens.at, .n_tok = n - 1, .gap = NEW_ARRAY(bool, n + 1),
		.brk = NEW_ARRAY(bool, n + 1), .width = NEW_ARRAY(int, n + 1),
		.lines = NEW_ARRAY(int, n + 1), .notes = NEW_ARRAY(int, n + 1)};
	fmt_spaces(&f);
	measure(&f);
	fmt_decls(&f, file->decls, 0);
	fmt_to(&f, tokens.at[n - 1].span.lo, 0);
	fmt_comments(&f, file->source->start + file->source->len, 0);
	if (f.out.len)
		str_putc(&f.out, '\n');
	tokens_free(tokens);
	return str_text(&f.out);
}

// White space before "[" means nothing after a reserved word and after an attribute.
static bool same_layout(const Source *a, Tokens x, const Source *b, Tokens y)
{
	if (x.len != y.len)
		return false;
	bool in_attr = false, operand = false;
	for (int i = 0; i < x.len; i++) {
		const Token *s = &x.at[i], *t = &y.at[i];
		size_t n = s->span.hi - s->span.lo;
		if (s->kind != t->kind || n != t->span.hi - t->span.lo
		    || (operand && is_index_bracket(a, s) != is_index_bracket(b, t))
		    || memcmp(a->text + (s->span.lo - a->start),
		              b->text + (t->span.lo - b->start), n) != 0)
			return false;
		in_attr |= s->kind == TOK_ATTR_OPEN;
		operand = !(in_attr && s->kind == TOK_RBRACKET)
		          && (s->kind < TOK_IF || s->kind > TOK_CASE);
		in_attr &= s->kind != TOK_RBRACKET;
	}
	return true;
}

static bool same_tokens(const Source *a, const Source *b)
{
	Tokens x = layout_tokens(a), y = layout_tokens(b);
	bool same = same_layout(a, x, b, y);
	tokens_free(x);
	tokens_free(y);
	return same;
}

const char *format_file(const File *file)
{
	const File *from = file;
	for (int pass = 0; pass < 4; pass++) {
		const char *result = format_once(from);
		size_t n = strlen(result);
		if (n == from->source->len && memcmp(result, from->source->text, n) == 0)
			return result;
		Source *src = source_add(file->source->name, result, n);
		if (!src)
			return result;
		if (!same_tokens(file->source, src))
			bug("formatting %s changed its tokens", file->source->name);
		File *again = parse_file(src);
		if (again->failed)
			bug("formatting %s changed its syntax", file->source->name);
		from = again;
	}
	return from->source->text;
}
