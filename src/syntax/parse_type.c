// Types (language reference, 2.1).
//
//	type  = "?" ("[" name "]")+ "." type
//	      | "(" name ":" type ")" "->" type
//	      | term ["->" type]
//	term  = "*" term | "[" [exp] "]" term | sum | qualname type_arg* | atom
//	sum   = constructor atype* ("|" constructor atype*)*
//	atype = "[" [exp] "]" atype | qualname | atom
//	atom  = "(" ")" | "(" type ")" | "(" type ("," type)+ ")" | "{" fields "}"
//
// A term is also what stands where an arrow follows: the return type of a lambda, the
// ascription of a case's pattern, the right side of a module type's `with`.
#include "syntax/parse.h"

static TypeExpr *new_type(TypeExprKind kind, Span span)
{
	TypeExpr *t = mem_alloc(sizeof *t);
	t->kind = kind;
	t->span = span;
	return t;
}

// "(" ")" | "(" type ")" | "(" type ("," type)+ ")"
static TypeExpr *parse_paren_type(Parser *p)
{
	Loc lo = expect(p, TOK_LPAREN)->span.lo;
	int mark = p->stack.len;
	bool comma = false;
	while (!peek(p, TOK_RPAREN)) {
		push_child(p, parse_type(p));
		if (!accept(p, TOK_COMMA))
			break;
		comma = true;
	}
	if (comma && p->stack.len == mark + 1) {
		p->wanted[0] = 0;
		want(p, WANT_TYPE);             // there are no one-element tuples
		syntax_error(p);
	}
	expect(p, TOK_RPAREN);
	TypeExpr *t = new_type(TE_TUPLE, span_since(p, lo));
	TAKE(&t->tuple, p, mark);
	if (t->tuple.len == 1) {
		TypeExpr *inner = t->tuple.at[0];
		t->kind = TE_PAREN;
		t->tuple = (TypeExprs){0};
		t->inner = inner;
	}
	return t;
}

// "{" [fieldid ":" type ("," fieldid ":" type)*] "}"
static TypeExpr *parse_record_type(Parser *p)
{
	Loc lo = expect(p, TOK_LBRACE)->span.lo;
	int mark = p->items.len;
	while (!peek(p, TOK_RBRACE)) {
		FieldType f;
		f.name = parse_fieldid(p, &f.span);
		expect(p, TOK_COLON);
		f.type = parse_type(p);
		PUSH_ITEM(p, f);
		if (!accept(p, TOK_COMMA))
			break;
	}
	expect(p, TOK_RBRACE);
	TypeExpr *t = new_type(TE_RECORD, span_since(p, lo));
	TAKE_ITEMS(&t->record, p, mark);
	return t;
}

// "[" [exp] "]", the size only
static Expr *parse_size(Parser *p)
{
	expect(p, TOK_LBRACKET);
	Expr *size = peek(p, TOK_RBRACKET) ? NULL : parse_exp(p);
	expect(p, TOK_RBRACKET);
	return size;
}

static TypeExpr *parse_type_name(Parser *p)
{
	QualName name = parse_qualname(p);
	TypeExpr *t = new_type(TE_NAME, name.span);
	t->name = name;
	return t;
}

static bool at_atype(const Parser *p)
{
	TokenKind k = p->tok->kind;
	return k == TOK_ID || k == TOK_LPAREN || k == TOK_LBRACE || k == TOK_LBRACKET;
}

// qualname | "(" ... ")" | "{" ... "}"
static TypeExpr *parse_type_atom(Parser *p)
{
	if (p->tok->kind == TOK_LPAREN)
		return parse_paren_type(p);
	if (p->tok->kind == TOK_LBRACE)
		return parse_record_type(p);
	if (p->tok->kind == TOK_ID)
		return parse_type_name(p);
	want(p, WANT_TYPE);
	return broken_type(p);
}

// atype = "[" [exp] "]" atype | atom
static TypeExpr *parse_atype(Parser *p)
{
	if (p->tok->kind != TOK_LBRACKET)
		return parse_type_atom(p);
	enter(p);
	TypeExpr *t = new_type(TE_ARRAY, p->tok->span);
	t->array.size = parse_size(p);
	t->array.elem = parse_atype(p);
	t->span.hi = last_end(p);
	leave(p);
	return t;
}

// constructor atype* ("|" constructor atype*)*
static TypeExpr *parse_sum_type(Parser *p)
{
	TypeExpr *t = new_type(TE_SUM, p->tok->span);
	int items = p->items.len;
	do {
		const Token *c = expect(p, TOK_CONSTR);
		ConstrType ct = {.span = c->span, .name = c->name};
		int mark = p->stack.len;
		while (at_atype(p))
			push_child(p, parse_atype(p));
		TAKE(&ct.args, p, mark);
		ct.span.hi = last_end(p);
		PUSH_ITEM(p, ct);
	} while (is_symbol(p->tok, '|') && advance(p));
	TAKE_ITEMS(&t->sum, p, items);
	t->span.hi = last_end(p);
	return t;
}

// qualname type_arg*, where type_arg = "[" [exp] "]" | atom
static TypeExpr *parse_type_application(Parser *p)
{
	TypeExpr *fn = parse_type_name(p);
	if (!at_atype(p))
		return fn;
	TypeExpr *t = new_type(TE_APPLY, fn->span);
	t->apply.fn = fn;
	int mark = p->stack.len;
	while (at_atype(p)) {
		TypeExpr *arg;
		if (p->tok->kind == TOK_LBRACKET) {
			arg = new_type(TE_SIZE, p->tok->span);
			arg->size = parse_size(p);
			arg->span.hi = last_end(p);
		} else {
			arg = parse_type_atom(p);
		}
		push_child(p, arg);
	}
	TAKE(&t->apply.args, p, mark);
	t->span.hi = last_end(p);
	return t;
}

// "?" ("[" name "]")+ "." type
static TypeExpr *parse_exists(Parser *p, TypeExpr *(*parse_body)(Parser *))
{
	TypeExpr *t = new_type(TE_EXISTS, expect(p, TOK_QUESTION)->span);
	int mark = p->items.len;
	do {
		Loc lo = expect(p, TOK_LBRACKET)->span.lo;
		Name name = expect(p, TOK_ID)->name;
		expect(p, TOK_RBRACKET);
		TypeParam size = {.kind = TP_SIZE, .name = name, .span = span_since(p, lo)};
		PUSH_ITEM(p, size);
	} while (peek(p, TOK_LBRACKET));
	expect(p, TOK_DOT);
	TAKE_ITEMS(&t->exists.sizes, p, mark);
	enter(p);
	t->exists.type = parse_body(p);
	leave(p);
	t->span.hi = last_end(p);
	return t;
}

TypeExpr *parse_type_term(Parser *p)
{
	enter(p);
	TypeExpr *t;
	if (is_symbol(p->tok, '*')) {
		t = new_type(TE_UNIQUE, advance(p)->span);
		t->inner = parse_type_term(p);
	} else if (p->tok->kind == TOK_LBRACKET) {
		t = new_type(TE_ARRAY, p->tok->span);
		t->array.size = parse_size(p);
		t->array.elem = parse_type_term(p);
	} else if (p->tok->kind == TOK_CONSTR) {
		t = parse_sum_type(p);
	} else if (p->tok->kind == TOK_QUESTION) {
		t = parse_exists(p, parse_type_term);
	} else if (p->tok->kind == TOK_ID) {
		t = parse_type_application(p);
	} else {
		t = parse_type_atom(p);
	}
	t->span.hi = last_end(p);
	leave(p);
	return t;
}

// "->" type
static void parse_arrow_result(Parser *p, TypeExpr *t)
{
	expect(p, TOK_ARROW);
	enter(p);
	t->arrow.to = parse_type(p);
	leave(p);
}

// "(" name ":" type ")" "->" type
static TypeExpr *parse_named_arrow(Parser *p)
{
	TypeExpr *t = new_type(TE_ARROW, expect(p, TOK_LPAREN)->span);
	const Token *name = expect(p, TOK_ID);
	t->arrow.param = name->name;
	t->arrow.param_span = name->span;
	expect(p, TOK_COLON);
	t->arrow.from = parse_type(p);
	expect(p, TOK_RPAREN);
	parse_arrow_result(p, t);
	return t;
}

TypeExpr *parse_type(Parser *p)
{
	TypeExpr *t;
	if (p->tok->kind == TOK_QUESTION) {
		t = parse_exists(p, parse_type);
	} else if (p->tok->kind == TOK_LPAREN && p->tok[1].kind == TOK_ID
	           && p->tok[2].kind == TOK_COLON) {
		t = parse_named_arrow(p);
	} else {
		t = parse_type_term(p);
		if (peek(p, TOK_ARROW)) {
			TypeExpr *from = t;
			t = new_type(TE_ARROW, from->span);
			t->arrow.from = from;
			parse_arrow_result(p, t);
		}
	}
	t->span.hi = last_end(p);
	return t;
}
