// The parser: recursive descent, with precedence climbing for operators (parse_expr.c).
//
// This file has the cursor's slow paths, error messages, small phrases that all the other
// files use, and the entry points.  The production stands above each function, in the
// notation of the language reference, section 2.
//
// In files parsing goes on after syntax errors (parse_recover.c), so one run reports several
// independent ones; elsewhere an error unwinds to the innermost guard.
#include "syntax/parse.h"

// ---- Errors ----

static const char *const want_name[N_WANT - N_TOKEN] = {
	"expression", "type", "pattern", "declaration", "specification", "module expression",
	"module type", "operator",
};

static bool is_fixed(int kind)
{
	return kind >= TOK_TRUE && kind < N_TOKEN;
}

static const char *wanted_list(const Parser *p)
{
	Str list = {0};
	for (int k = 0; k < N_WANT; k++) {
		if (!(p->wanted[k >> 6] >> (k & 63) & 1))
			continue;
		if (list.len)
			str_puts(&list, ", ");
		if (k >= N_TOKEN)
			str_puts(&list, want_name[k - N_TOKEN]);
		else
			str_printf(&list, is_fixed(k) ? "'%s'" : "%s", token_spelling[k]);
	}
	return str_text(&list);
}

// The token as written; of a comment or a long string only the beginning.
static const char *show_token(const Parser *p)
{
	const char *s = p->src->text + (p->tok->span.lo - p->src->start);
	size_t n = p->tok->span.hi - p->tok->span.lo;
	const char *newline = memchr(s, '\n', n);
	if (newline)
		n = (size_t)(newline - s);
	size_t shown = n > 60 ? 60 : n;
	while (shown > 0 && shown < n && ((unsigned char)s[shown] & 0xc0) == 0x80)
		shown--;
	return text("%.*s%s", (int)shown, s, shown < n ? "..." : "");
}

// What is no token, between the last one and this.
static Diag *bad_text(const Parser *p)
{
	Loc from = p->tok > p->first ? p->tok[-1].span.hi : p->src->start;
	for EACH(Diag *, d, diags)
		if ((*d)->kind == D_ERROR && (*d)->span.lo >= from &&
		    (*d)->span.lo < p->tok->span.lo)
			return *d;
	return NULL;
}

void report_unexpected(Parser *p)
{
	if (bad_text(p)) {
		p->at_end = false;
		return;
	}
	const char *list = wanted_list(p);
	const char *expected = *list ? text("\nExpected one of the following: %s", list) : "";
	const char *hint = syntax_hint(p);
	p->at_end = p->tok->kind == TOK_EOF;
	// The last token is a better place than the empty line after it.
	Diag *d = !p->at_end ? diag_error(p->tok->span, NULL, "Unexpected \"%s\"%s",
	                                  show_token(p), expected)
	        : diag_error(p->tok > p->first ? p->tok[-1].span : p->tok->span, NULL,
	                     "Unexpected end of file.%s", expected);
	if (hint)
		diag_note(d, "Hint: %s%s", hint, str_ends(hint, "?") ? "" : ".");
}

void syntax_error(Parser *p)
{
	if (p->tolerant)
		soft_error(p);
	else
		report_unexpected(p);
	fail_diag(NULL);
}

void too_deep(Parser *p, int limit)
{
	p->at_end = false;
	fail(p->tok->span, NULL, "Nesting too deep (more than %d levels).", limit);
}

const Token *expect(Parser *p, TokenKind kind)
{
	if (!peek(p, (int)kind) && !expect_later(p, kind))
		return p->tok;
	return advance(p);
}

// A function, so that reading the child is over before the stack is touched.
void push_child(Parser *p, void *child)
{
	VEC_PUSH(&p->stack, child);
}

void *take_children(Parser *p, int mark, int *len)
{
	*len = p->stack.len - mark;
	void *at = *len ? mem_dup(p->stack.at + mark, (size_t)*len * sizeof(void *)) : NULL;
	p->stack.len = mark;
	return at;
}

void push_item(Parser *p, const void *item, int size)
{
	while (p->items.cap - p->items.len < size)
		vec_grow((void **)&p->items.at, &p->items.cap, 1);
	memcpy(p->items.at + p->items.len, item, (size_t)size);
	p->items.len += size;
}

void *take_items(Parser *p, int mark, int size, int *len)
{
	int bytes = p->items.len - mark;
	*len = bytes / size;
	void *at = bytes ? mem_dup(p->items.at + mark, (size_t)bytes) : NULL;
	p->items.len = mark;
	return at;
}

// ---- Small phrases ----

// qualname = [quals] name
QualName parse_qualname(Parser *p)
{
	const Token *t = expect(p, TOK_ID);
	QualName q = {.name = t->name, .span = t->span};
	if (p->tok->kind != TOK_DOT || p->tok[1].kind != TOK_ID)
		return q;
	int mark = p->items.len;
	while (p->tok->kind == TOK_DOT && p->tok[1].kind == TOK_ID) {
		PUSH_ITEM(p, q.name);
		advance(p);
		q.name = advance(p)->name;
	}
	TAKE_ITEMS(&q.quals, p, mark);
	q.span.hi = last_end(p);
	return q;
}

// The name of a qualified operator is its text: m.n.+ has the qualifiers m and n.
QualName qualname_of_symbol(const Token *t)
{
	QualName q = {.name = t->name, .span = t->span};
	if (t->kind == TOK_SYM)
		return q;
	VEC(Name) quals = {0};
	const char *s = t->name;
	while (!strchr("+-*/%=!><|&^", *s)) {
		const char *dot = strchr(s, '.');
		VEC_PUSH(&quals, name_of_n(s, (size_t)(dot - s)));
		s = dot + 1;
	}
	q.name = name_of(s);
	q.quals = VEC_SLICE(Names, quals);
	return q;
}

// fieldid = name | decimal
Name parse_fieldid(Parser *p, Span *span)
{
	if (peek(p, TOK_INT) || peek(p, TOK_ID)) {
		const Token *t = advance(p);
		*span = t->span;
		if (t->kind == TOK_ID)
			return t->name;
		return name_of_n(p->src->text + (t->span.lo - p->src->start),
			t->span.hi - t->span.lo);
	}
	syntax_error(p);
}

// attr = name | decimal | name "(" [attr ("," attr)* [","]] ")"
static Attr *parse_attr_body(Parser *p)
{
	enter(p);
	Loc lo = p->tok->span.lo;
	Attr *a = NEW(Attr, .is_int = p->tok->kind == TOK_INT);
	Span span;
	a->name = parse_fieldid(p, &span);
	if (!a->is_int && accept(p, TOK_LPAREN)) {
		int mark = p->stack.len;
		while (!peek(p, TOK_RPAREN)) {
			push_child(p, parse_attr_body(p));
			if (!accept(p, TOK_COMMA))
				break;
		}
		expect(p, TOK_RPAREN);
		TAKE(&a->args, p, mark);
	}
	a->span = span_since(p, lo);
	leave(p);
	return a;
}

// "#[" attr "]"
Attr *parse_attr(Parser *p)
{
	Loc lo = expect(p, TOK_ATTR_OPEN)->span.lo;
	Attr *a = parse_attr_body(p);
	expect(p, TOK_RBRACKET);
	a->span = span_since(p, lo);
	return a;
}

// type_param = "[" name "]" | "'" name | "'~" name | "'^" name
TypeParams parse_type_params(Parser *p)
{
	TypeParams params = {0};
	int mark = p->items.len;
	for (;;) {
		TypeParam tp = {.span = p->tok->span};
		if (accept(p, TOK_LBRACKET)) {
			tp.kind = TP_SIZE;
			tp.name = expect(p, TOK_ID)->name;
			expect(p, TOK_RBRACKET);
		} else if (peek(p, TOK_QUOTE) || peek(p, TOK_QUOTE_TILDE)
		           || peek(p, TOK_QUOTE_HAT)) {
			TokenKind quote = advance(p)->kind;
			tp.kind = quote == TOK_QUOTE ? TP_TYPE : quote == TOK_QUOTE_HAT ? TP_LIFTED
			        : TP_SIZE_LIFTED;
			tp.name = expect(p, TOK_ID)->name;
		} else {
			TAKE_ITEMS(&params, p, mark);
			return params;
		}
		tp.span = span_since(p, tp.span.lo);
		PUSH_ITEM(p, tp);
	}
}

const char *parse_doc(Parser *p)
{
	const char *doc = NULL;
	while (p->tok->kind == TOK_DOC)
		doc = advance(p)->string.bytes;
	return doc;
}

// An operator that can be defined: `!` is only ever a prefix.
bool is_operator_name(const Token *t)
{
	return t->kind == TOK_SYM && strcmp(t->name, "!") != 0;
}

bool at_operator_name(const Parser *p)
{
	return p->tok->kind == TOK_LPAREN && is_operator_name(p->tok + 1)
	       && p->tok[2].kind == TOK_RPAREN;
}

// ---- Files ----

static Parser parser_new(const Source *src, Tokens tokens)
{
	return (Parser){.src = src, .tok = tokens.at, .first = tokens.at};
}

bool at_line_start(const Parser *p)
{
	Loc offset = p->tok->span.lo - p->src->start;
	return offset == 0 || p->src->text[offset - 1] == '\n';
}

bool starts_decl(TokenKind kind)
{
	switch ((int)kind) {
	case TOK_DEF: case TOK_LET: case TOK_ENTRY: case TOK_TYPE: case TOK_MODULE:
	case TOK_OPEN: case TOK_IMPORT: case TOK_LOCAL: case TOK_ATTR_OPEN: case TOK_DOC:
		return true;
	}
	return false;
}

// A documentation comment at the top of a file is the file's; where the first declaration
// follows it directly it is that one's too.
static const char *parse_file_doc(Parser *p)
{
	const Token *doc = p->tok;
	if (doc->kind != TOK_DOC)
		return NULL;
	const Token *next = doc + 1;
	bool apart = next->kind == TOK_DOC || next->kind == TOK_EOF
		|| loc_pos(next->span.lo).line > loc_pos(doc->span.hi).line + 1;
	if (apart)
		advance(p);
	return doc->string.bytes;
}

File *parse_file(Source *src)
{
	int errors = diag_errors_made();
	File *f = NEW(File, .source = src, .path = src->name);
	Tokens tokens = lex(src, &f->comments);
	Parser p = parser_new(src, tokens);
	VEC(Decl *) decls = {0};
	f->doc = parse_file_doc(&p);
	p.tolerant = true;
	bool resumed = false;                   // the declaration before this one failed
	while (p.tok->kind != TOK_EOF && diag_errors_made() - errors < MAX_ERRORS) {
		const Token *start = p.tok;
		int before = diags.len;
		Decl *d = parse_tolerant_decl(&p, false);
		// A `let` that goes on with `in` was part of the declaration that failed.
		if (resumed && start->kind == TOK_LET && p.tok->kind == TOK_IN) {
			diags.len = before;
			skip_declaration(&p, start);
			continue;
		}
		resumed = !d || d->broken;
		if (d) {
			VEC_PUSH(&decls, d);
			continue;
		}
		f->lost = f->lost ? f->lost : start->span.lo;
		skip_declaration(&p, start);
	}
	if (p.tok->kind != TOK_EOF && !f->lost)
		f->lost = p.tok->span.lo;
	f->decls = VEC_SLICE(Decls, decls);
	f->failed = diag_errors_made() > errors;
	tokens_free(tokens);
	return f;
}

// ---- Single phrases: the REPL, `eval`, `query` ----

typedef enum { PHRASE_EXP, PHRASE_TYPE, PHRASE_MODEXP, PHRASE_DECLS } Phrase;

// Parses all of the tokens as one phrase; false after an error, which stands in diags.
static bool parse_phrase(Parser *p, Phrase phrase, void *out)
{
	Guard guard;
	if (!GUARDED(guard))
		return false;
	switch (phrase) {
	case PHRASE_EXP:    *(Expr **)out = parse_exp(p); break;
	case PHRASE_TYPE:   *(TypeExpr **)out = parse_type(p); break;
	case PHRASE_MODEXP: *(ModExpr **)out = parse_modexp(p); break;
	case PHRASE_DECLS:  *(Decls *)out = parse_decls(p); break;
	}
	if (!peek(p, TOK_EOF))
		syntax_error(p);
	guard_pop(&guard);
	return true;
}

static bool parse_only(Source *src, Phrase phrase, void *out)
{
	int errors = diag_count(D_ERROR);
	Tokens tokens = lex(src, NULL);
	Parser p = parser_new(src, tokens);
	bool ok = parse_phrase(&p, phrase, out) && diag_count(D_ERROR) == errors;
	tokens_free(tokens);
	return ok;
}

Expr *parse_expr_only(Source *src)
{
	Expr *e = NULL;
	return parse_only(src, PHRASE_EXP, &e) ? e : NULL;
}

TypeExpr *parse_type_only(Source *src)
{
	TypeExpr *t = NULL;
	return parse_only(src, PHRASE_TYPE, &t) ? t : NULL;
}

ModExpr *parse_modexpr_only(Source *src)
{
	ModExpr *m = NULL;
	return parse_only(src, PHRASE_MODEXP, &m) ? m : NULL;
}

// A line that can be a declaration is one; otherwise it is an expression.  Of two failed
// attempts the one that got further has the better message.
static Line line_of(const Source *src, Tokens tokens, int errors, int before)
{
	Line line = {0};
	Parser p = parser_new(src, tokens), as_exp = p;
	if (diag_count(D_ERROR) > errors)
		return line;
	if (starts_decl(p.tok->kind) && parse_phrase(&p, PHRASE_DECLS, &line.decls))
		return line;
	bool decl_at_end = p.at_end;
	const Token *decl_stop = p.tok;
	int decl_diags = diags.len;
	if (parse_phrase(&as_exp, PHRASE_EXP, &line.expr)) {
		diags.len = before;
		return line;
	}
	line = (Line){.incomplete = decl_at_end || as_exp.at_end};
	if (line.incomplete) {
		diags.len = before;
	} else if (decl_diags > before) {
		if (as_exp.tok > decl_stop)
			diags.at[before] = diags.at[decl_diags];
		diags.len = before + 1;
	}
	return line;
}

Line parse_line(Source *src)
{
	int errors = diag_count(D_ERROR), before = diags.len;
	Tokens tokens = lex(src, NULL);
	Line line = line_of(src, tokens, errors, before);
	tokens_free(tokens);
	return line;
}
