// Recovery from syntax errors: for editors, whose programs are incomplete most of the time, and so
// that one run can report several errors.
//
//     def f x = g (x +          a broken hole for the missing operand; ")" is assumed
//     def h = 2                 parsed as usual
//
// Where an expression, type or pattern is missing, an empty stand-in is inserted.  Where a token is
// missing, the tokens before it are skipped if it is near; otherwise it is assumed.  "Near" ends at
// the keywords and brackets that structure a program, and at the next declaration.  Any other error
// unwinds to the declaration, of which only the name is kept.
//
// An error right after another one is most likely a consequence of it, and is not reported.
#include "syntax/parse.h"

enum { QUIET = 4 };                             // tokens after an error

void soft_error(Parser *p)
{
	if (!p->tolerant)
		syntax_error(p);
	bool quiet = p->last_error && p->tok - p->last_error < QUIET;
	if (!quiet)
		report_unexpected(p);
	p->last_error = p->tok;
	if (p->decl)
		p->decl->broken = true;
}

static bool opens(TokenKind k)
{
	return k == TOK_LPAREN || k == TOK_LBRACKET || k == TOK_LBRACE || k == TOK_ATTR_OPEN;
}

static bool closes(TokenKind k)
{
	return k == TOK_RPAREN || k == TOK_RBRACKET || k == TOK_RBRACE;
}

// A declaration, whatever brackets are open: a `let` or attribute only at the start of a line.
static bool at_declaration(const Parser *p)
{
	switch ((int)p->tok->kind) {
	case TOK_DEF: case TOK_ENTRY: case TOK_MODULE: case TOK_OPEN: case TOK_LOCAL: case TOK_DOC:
		return p->tok->newline_before || at_line_start(p);
	}
	return starts_decl(p->tok->kind) && at_line_start(p);
}

static bool is_structure(TokenKind k)
{
	switch ((int)k) {
	case TOK_COMMA: case TOK_IN: case TOK_LET: case TOK_THEN: case TOK_ELSE: case TOK_DO:
	case TOK_CASE:
		return true;
	}
	return closes(k);
}

static void skip_near(Parser *p, TokenKind wanted)
{
	int depth = 0;
	for (; p->tok->kind != TOK_EOF && !at_declaration(p); p->tok++) {
		TokenKind k = p->tok->kind;
		if (depth == 0 && (k == wanted || is_structure(k)))
			return;
		depth += opens(k) - closes(k);
	}
}

// Those that can be missing without more than that being lost.
static bool can_be_missing(TokenKind k)
{
	switch ((int)k) {
	case TOK_IN: case TOK_THEN: case TOK_ELSE: case TOK_DO: case TOK_CASE: case TOK_FOR:
	case TOK_EQUALS: case TOK_ARROW:
		return true;
	}
	return closes(k);
}

bool expect_later(Parser *p, TokenKind kind)
{
	if (!p->tolerant || !can_be_missing(kind))
		syntax_error(p);
	soft_error(p);
	skip_near(p, kind);
	p->last_error = p->tok;
	return p->tok->kind == kind;
}

// ---- Stand-ins ----

Expr *broken_expr(Parser *p, Expr *part)
{
	soft_error(p);
	Loc at = last_end(p);
	Expr *e = new_expr(EX_HOLE, part ? span_since(p, part->span.lo) : (Span){at, at});
	e->hole.broken = true;
	if (part)
		e->hole.parts = (Exprs){NEW(Expr *, part), 1};
	return e;
}

// A name that nothing has: the checker takes it for a type that agrees with everything.
TypeExpr *broken_type(Parser *p)
{
	soft_error(p);
	Loc at = last_end(p);
	TypeExpr *t = NEW(TypeExpr, .kind = TE_NAME, .span = {at, at});
	t->name = (QualName){.name = name_of(""), .span = t->span};
	return t;
}

// ---- Declarations ----

void skip_declaration(Parser *p, const Token *start)
{
	p->wanted[0] = p->wanted[1] = 0;
	if (p->tok == start && p->tok->kind != TOK_EOF)
		p->tok++;
	while (p->tok->kind != TOK_EOF && !(starts_decl(p->tok->kind) && at_line_start(p)))
		p->tok++;
}

// To the next declaration of a module's body, or the bracket that ends it.
static void skip_inner(Parser *p, const Token *start)
{
	int depth = 0;
	p->wanted[0] = p->wanted[1] = 0;
	if (p->tok == start && p->tok->kind != TOK_EOF)
		depth += opens((p->tok++)->kind);
	for (; p->tok->kind != TOK_EOF && !at_declaration(p); p->tok++) {
		if (depth == 0 && p->tok->kind == TOK_RBRACE)
			return;
		depth += opens(p->tok->kind) - closes(p->tok->kind);
		depth = depth < 0 ? 0 : depth;
	}
}

// What an error that unwound leaves: a value whose name was read, with a hole for all the rest.
static Decl *rest_of(Parser *p, Decl *d, Loc lo)
{
	if (!d || d->kind != DEC_VAL || !d->val.name)
		return NULL;
	d->val.pats = (Pats){0};
	d->val.params = (TypeParams){0};
	d->val.ret = NULL;
	d->val.infix = false;
	d->val.body = broken_expr(p, NULL);
	d->broken = true;
	d->span = span_since(p, lo);
	return d;
}

Decl *parse_tolerant_decl(Parser *p, bool nested)
{
	Guard guard;
	Decl *outer = p->decl;
	const Token *start = p->tok;
	int depth = p->depth, stack = p->stack.len, items = p->items.len;
	p->decl = NULL;
	if (starts_decl(start->kind) && start->kind != TOK_DOC)
		p->last_error = NULL;   // that was of the declaration before
	if (GUARDED(guard)) {
		Decl *d = parse_decl(p);
		guard_pop(&guard);
		p->decl = outer;
		return d;
	}
	p->depth = depth;
	p->stack.len = stack;
	p->items.len = items;
	Decl *d = p->decl;
	if (nested)
		skip_inner(p, start);
	else
		skip_declaration(p, start);
	p->last_error = p->tok;
	d = rest_of(p, d, start->span.lo);
	p->decl = outer;
	if (!d && outer)
		outer->broken = true;
	return d;
}
