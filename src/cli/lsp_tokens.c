// Semantic tokens: the kind of each token of a document, for syntax colouring.
//
// The tokens come from the lexer, the meaning of names from the checker's table; names that are not
// in the table are left to the editor.  A token is encoded as five numbers: lines and columns since
// the previous one, length, type, modifiers.
#include "cli/lsp.h"

typedef enum {
	SEM_NAMESPACE, SEM_TYPE, SEM_TYPE_PARAM, SEM_PARAM, SEM_VARIABLE, SEM_PROPERTY,
	SEM_ENUM_MEMBER, SEM_FUNCTION, SEM_KEYWORD, SEM_NUMBER, SEM_STRING, SEM_COMMENT,
	SEM_OPERATOR, SEM_INTERFACE, SEM_NONE,
} SemType;
enum { MOD_DECLARATION = 1, MOD_READONLY = 2, MOD_LIBRARY = 4 };

const char token_legend[] =
	"{\"tokenTypes\":[\"namespace\",\"type\",\"typeParameter\",\"parameter\",\"variable\","
	"\"property\",\"enumMember\",\"function\",\"keyword\",\"number\",\"string\",\"comment\","
	"\"operator\",\"interface\"],"
	"\"tokenModifiers\":[\"declaration\",\"readonly\",\"defaultLibrary\"]}";

typedef struct { Span span; SemType type; int modifiers; } Sem;
typedef VEC(Sem) Sems;

static SemType type_of_use(const Use *u)
{
	if (u->sig)
		return SEM_INTERFACE;
	if (u->type)
		return u->type->kind == TD_PARAM ? SEM_TYPE_PARAM : SEM_TYPE;
	const Binding *b = u->value;
	if (b->kind == BIND_MODULE)
		return SEM_NAMESPACE;
	Ty *t = b->scheme.type ? ty_resolve(b->scheme.type) : NULL;
	if (t && t->kind == TY_ARROW)
		return SEM_FUNCTION;
	return b->is_param || b->kind == BIND_SIZE ? SEM_PARAM : SEM_VARIABLE;
}

static Sem sem_of_name(const Ask *a, const Token *t, bool after_dot)
{
	const Use *u = use_at(a, t->span.lo);
	if (!u || u->span.lo != t->span.lo)
		return (Sem){t->span, after_dot ? SEM_PROPERTY : SEM_NONE, 0};
	Span defined = u->definition;
	const Source *s = source_of(defined.lo);
	bool library = !s || str_starts(s->name, "/prelude/");
	return (Sem){t->span, type_of_use(u), (u->defines ? MOD_DECLARATION : 0) |
	             (library ? MOD_LIBRARY : 0)};
}

static Sem sem_of_token(const Ask *a, const Token *t, const Token *before)
{
	switch ((int)t->kind) {
	case TOK_ID:
		return sem_of_name(a, t, before && before->kind == TOK_DOT);
	case TOK_INT: case TOK_FLOAT:
		return (Sem){t->span, SEM_NUMBER, 0};
	case TOK_CHAR: case TOK_STRING:
		return (Sem){t->span, SEM_STRING, 0};
	case TOK_CONSTR:
		return (Sem){t->span, SEM_ENUM_MEMBER, 0};
	case TOK_SYM: case TOK_QUALSYM:
		return (Sem){t->span, SEM_OPERATOR, 0};
	case TOK_DOC:
		return (Sem){t->span, SEM_COMMENT, 0};
	}
	const char *word = token_spelling[t->kind];
	bool keyword = word && word[0] >= 'a' && word[0] <= 'z' && t->kind >= TOK_TRUE;
	return (Sem){t->span, keyword ? SEM_KEYWORD : SEM_NONE, 0};
}

// Tokens and comments in the order of the text.
static Sems all_sems(const Ask *a)
{
	Sems out = {0};
	int before = diags.len, k = 0;
	Comments comments = {0};
	Tokens tokens = lex(a->source, &comments);
	diags.len = before;
	for EACH(Token, t, tokens) {
		for (; k < comments.len && comments.at[k].span.lo < t->span.lo; k++)
			if (!out.len || comments.at[k].span.lo >= out.at[out.len - 1].span.hi)
				VEC_PUSH(&out, (Sem){comments.at[k].span, SEM_COMMENT, 0});
		if (t->kind == TOK_EOF)
			break;
		Sem s = sem_of_token(a, t, t > tokens.at ? t - 1 : NULL);
		if (s.type != SEM_NONE)
			VEC_PUSH(&out, s);
	}
	tokens_free(tokens);
	return out;
}

// Tokens come in order, so places are counted on from the last one.
typedef struct { Str out; const Source *source; Loc at; Place place, last; } Deltas;

static void advance_to(Deltas *d, Loc to)
{
	const char *s = d->source->text + (d->at - d->source->start);
	const char *end = d->source->text + (to - d->source->start);
	for (; s < end; s++)
		if (*s == '\n')
			d->place = (Place){d->place.line + 1, 0};
		else
			d->place.character += units_of_byte((unsigned char)*s);
	d->at = to > d->at ? to : d->at;
}

static void put_number(Str *s, int n)
{
	char digits[12];
	int k = 0;
	do
		digits[k++] = (char)('0' + n % 10);
	while (n /= 10);
	while (k)
		str_putc(s, digits[--k]);
}

static void put_sem(Deltas *d, const Sem *s)
{
	if (s->span.lo < d->at)
		return;
	advance_to(d, s->span.lo);
	Place from = d->place;
	advance_to(d, s->span.hi);
	bool same = from.line == d->last.line;
	int numbers[] = {from.line - d->last.line,
	                 from.character - (same ? d->last.character : 0),
	                 d->place.character - from.character, (int)s->type, s->modifiers};
	for (int i = 0; i < 5; i++) {
		if (d->out.len)
			str_putc(&d->out, ',');
		put_number(&d->out, numbers[i]);
	}
	d->last = from;
}

// No token of the protocol spans lines.
static void put_lines(Deltas *d, const Source *source, Sem s)
{
	while (s.span.lo < s.span.hi) {
		const char *from = source->text + (s.span.lo - source->start);
		const char *end = memchr(from, '\n', s.span.hi - s.span.lo);
		Sem line = s;
		if (end)
			line.span.hi = s.span.lo + (Loc)(end - from);
		if (line.span.hi > line.span.lo)
			put_sem(d, &line);
		s.span.lo = line.span.hi + 1;
	}
}

static const char *tokens_between(const Ask *a, Loc lo, Loc hi)
{
	Deltas d = {.source = a->source, .at = a->source->start};
	Sems all = all_sems(a);
	for EACH(Sem, s, all)
		if (s->span.hi > lo && s->span.lo < hi)
			put_lines(&d, a->source, *s);
	return text("{\"data\":[%s]}", str_text(&d.out));
}

const char *answer_tokens(Ask *a)
{
	return tokens_between(a, 0, a->source->start + a->source->len);
}

static Loc loc_at(const Ask *a, const char *path)
{
	const Source *s = a->source;
	const Json *p = member(a->params, path);
	return s->start + (Loc)offset_of(s->text, s->len, member_int(p, "line"),
	                                 member_int(p, "character"));
}

const char *answer_tokens_range(Ask *a)
{
	return tokens_between(a, loc_at(a, "range.start"), loc_at(a, "range.end"));
}
