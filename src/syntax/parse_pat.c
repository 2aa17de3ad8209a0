// Patterns (language reference, 2.3).
//
//	pat  = "#[" attr "]" pat | inner [":" type]
//	inner= constructor apat* | apat
//	apat = name | "_" | "(" symbol ")" | literal | "-" number | constructor
//	     | "(" ")" | "(" pat ")" | "(" pat ("," pat)+ ")" | "{" fpat ("," fpat)* "}"
//	     | "#[" attr "]" apat
//	fpat = fieldid "=" pat | name [":" type]
#include "syntax/parse.h"

static Pat *new_pat(PatKind kind, Span span)
{
	Pat *pat = mem_alloc(sizeof *pat);
	pat->kind = kind;
	pat->span = span;
	return pat;
}

static Pat *name_pat(const Token *name, Span span)
{
	Pat *pat = new_pat(PAT_NAME, span);
	pat->var.name = name->name;
	return pat;
}

static Pat *ascribed(Parser *p, Pat *of, TypeExpr *type)
{
	Pat *pat = new_pat(PAT_ASCRIBE, span_since(p, of->span.lo));
	pat->ascribe.pat = of;
	pat->ascribe.type = type;
	return pat;
}

// "(" ")" | "(" pat ")" | "(" pat ("," pat)+ ")"
static Pat *parse_paren_pat(Parser *p)
{
	Loc lo = expect(p, TOK_LPAREN)->span.lo;
	int mark = p->stack.len;
	bool comma = false;
	while (!peek(p, TOK_RPAREN)) {
		push_child(p, parse_pat(p));
		if (!accept(p, TOK_COMMA))
			break;
		comma = true;
	}
	if (comma && p->stack.len == mark + 1) {
		p->wanted[0] = 0;
		want(p, WANT_PAT);              // there are no one-element tuples
		syntax_error(p);
	}
	expect(p, TOK_RPAREN);
	Pats parts;
	TAKE(&parts, p, mark);
	Pat *pat = new_pat(parts.len == 1 ? PAT_PAREN : PAT_TUPLE, span_since(p, lo));
	if (parts.len == 1)
		pat->inner = parts.at[0];
	else
		pat->tuple = parts;
	return pat;
}

// fpat = fieldid "=" pat | name [":" type]
static FieldPat parse_field_pat(Parser *p)
{
	const Token *t = p->tok;
	FieldPat f = {0};
	f.name = parse_fieldid(p, &f.span);
	if (t->kind == TOK_INT || peek(p, TOK_EQUALS)) {
		expect(p, TOK_EQUALS);
		f.pat = parse_pat(p);
	} else {
		f.punned = true;
		f.pat = name_pat(t, t->span);
		if (accept(p, TOK_COLON))
			f.pat = ascribed(p, f.pat, parse_type(p));
		f.pat->span.hi = last_end(p);
	}
	return f;
}

static Pat *parse_record_pat(Parser *p)
{
	Loc lo = expect(p, TOK_LBRACE)->span.lo;
	int mark = p->items.len;
	while (!peek(p, TOK_RBRACE)) {
		FieldPat f = parse_field_pat(p);
		PUSH_ITEM(p, f);
		if (!accept(p, TOK_COMMA))
			break;
	}
	expect(p, TOK_RBRACE);
	Pat *pat = new_pat(PAT_RECORD, span_since(p, lo));
	TAKE_ITEMS(&pat->record, p, mark);
	return pat;
}

// literal | "-" number
static Pat *parse_literal_pat(Parser *p)
{
	Pat *pat = new_pat(PAT_LIT, p->tok->span);
	if (!is_symbol(p->tok, '-')) {
		pat->lit = parse_literal(p);
		return pat;
	}
	advance(p);
	if (!peek(p, TOK_INT) && !peek(p, TOK_FLOAT))
		syntax_error(p);
	Expr *number = parse_literal(p);
	pat->span.hi = last_end(p);
	pat->lit = new_expr(EX_NEG, pat->span);
	pat->lit->inner = number;
	return pat;
}

// constructor apat*
static Pat *parse_constr_pat(Parser *p, bool with_args)
{
	const Token *c = advance(p);
	Pat *pat = new_pat(PAT_CONSTR, c->span);
	pat->constr.name = c->name;
	pat->constr.name_span = c->span;
	if (with_args) {
		int mark = p->stack.len;
		while (starts_atomic_pat(p->tok) || is_symbol(p->tok, '-'))
			push_child(p, parse_atomic_pat(p));
		TAKE(&pat->constr.args, p, mark);
		pat->span.hi = last_end(p);
	}
	return pat;
}

static Pat *parse_attr_pat(Parser *p, Pat *(*parse_rest)(Parser *))
{
	enter(p);
	Pat *pat = new_pat(PAT_ATTR, p->tok->span);
	pat->attr.attr = parse_attr(p);
	pat->attr.pat = parse_rest(p);
	pat->span.hi = last_end(p);
	leave(p);
	return pat;
}

// Whether an atomic pattern starts here.  A minus does not count: after a name it would
// be the operator of an infix definition.
bool starts_atomic_pat(const Token *t)
{
	switch ((int)t->kind) {
	case TOK_ID: case TOK_UNDERSCORE: case TOK_LPAREN: case TOK_LBRACE: case TOK_INT:
	case TOK_FLOAT: case TOK_CHAR: case TOK_TRUE: case TOK_FALSE: case TOK_CONSTR:
	case TOK_ATTR_OPEN:
		return true;
	}
	return false;
}

static Pat *parse_atomic_inner(Parser *p)
{
	switch ((int)p->tok->kind) {
	case TOK_ID: {
		const Token *t = advance(p);
		return name_pat(t, t->span);
	}
	case TOK_UNDERSCORE:
		return new_pat(PAT_WILD, advance(p)->span);
	case TOK_LPAREN:
		if (at_operator_name(p)) {
			Loc lo = advance(p)->span.lo;
			const Token *op = advance(p);
			advance(p);
			return name_pat(op, span_since(p, lo));
		}
		return parse_paren_pat(p);
	case TOK_LBRACE:
		return parse_record_pat(p);
	case TOK_CONSTR:
		return parse_constr_pat(p, false);
	case TOK_ATTR_OPEN:
		return parse_attr_pat(p, parse_atomic_pat);
	case TOK_INT: case TOK_FLOAT: case TOK_CHAR: case TOK_TRUE: case TOK_FALSE:
		return parse_literal_pat(p);
	}
	if (is_symbol(p->tok, '-'))
		return parse_literal_pat(p);
	want(p, WANT_PAT);
	soft_error(p);
	return new_pat(PAT_WILD, (Span){last_end(p), last_end(p)});
}

Pat *parse_atomic_pat(Parser *p)
{
	enter(p);
	Pat *pat = parse_atomic_inner(p);
	leave(p);
	return pat;
}

static Pat *parse_pat_with(Parser *p, TypeExpr *(*parse_ascription)(Parser *))
{
	Pat *pat;
	if (p->tok->kind == TOK_CONSTR)
		pat = parse_constr_pat(p, true);
	else
		pat = parse_atomic_pat(p);
	if (accept(p, TOK_COLON)) {
		TypeExpr *type = parse_ascription(p);
		pat = ascribed(p, pat, type);
	}
	return pat;
}

Pat *parse_pat(Parser *p)
{
	if (p->tok->kind == TOK_ATTR_OPEN)
		return parse_attr_pat(p, parse_pat);
	return parse_pat_with(p, parse_type);
}

Pat *parse_case_pat(Parser *p)
{
	if (p->tok->kind == TOK_ATTR_OPEN)
		return parse_attr_pat(p, parse_case_pat);
	return parse_pat_with(p, parse_type_term);
}

// The type of a function is nested as deep as it has parameters.
void push_params(Parser *p)
{
	for (int n = 0; starts_atomic_pat(p->tok); n++) {
		if (n == MAX_NESTING)
			too_deep(p, MAX_NESTING);
		push_child(p, parse_atomic_pat(p));
	}
	want(p, WANT_PAT);
}
