// Expressions that bind names: let, loop, match and lambda (language reference, 2.2).
//
// A chain of lets, with or without `in` between them, is parsed iteratively, because generated
// programs contain very long chains.
#include "syntax/parse.h"

// "let" sizebind* pat "=" exp
static Expr *parse_let_pat(Parser *p, Loc lo)
{
	Expr *e = new_expr(EX_LET, (Span){lo, lo});
	if (peek(p, TOK_LBRACKET))
		e->let.sizes = parse_type_params(p);
	e->let.pat = parse_pat(p);
	expect(p, TOK_EQUALS);
	e->let.value = parse_exp(p);
	return e;
}

// "let" name path "=" exp
static Expr *parse_let_update(Parser *p, Loc lo)
{
	Expr *e = new_expr(EX_LET_UPDATE, (Span){lo, lo});
	const Token *name = expect(p, TOK_ID);
	e->let_update.name = name->name;
	e->let_update.name_span = name->span;
	if (accept(p, TOK_DOT) && p->tok->kind == TOK_LBRACKET)
		syntax_error(p);
	e->let_update.path = parse_path(p);
	expect(p, TOK_EQUALS);
	e->let_update.value = parse_exp(p);
	return e;
}

static Pats parse_params(Parser *p)
{
	int mark = p->stack.len;
	push_params(p);
	Pats pats;
	TAKE(&pats, p, mark);
	return pats;
}

// "let" name type_param* pat+ [":" type] "=" exp
static Expr *parse_let_fun(Parser *p, Loc lo)
{
	Expr *e = new_expr(EX_LET_FUN, (Span){lo, lo});
	const Token *name = expect(p, TOK_ID);
	e->let_fun.name = name->name;
	e->let_fun.name_span = name->span;
	e->let_fun.params = parse_type_params(p);
	e->let_fun.pats = parse_params(p);
	if (e->let_fun.pats.len == 0)
		syntax_error(p);
	if (accept(p, TOK_COLON))
		e->let_fun.ret = parse_type(p);
	expect(p, TOK_EQUALS);
	e->let_fun.value = parse_exp(p);
	return e;
}

// One binding of a chain, without what follows it.
static Expr *parse_let_binding(Parser *p)
{
	Loc lo = expect(p, TOK_LET)->span.lo;
	if (p->tok->kind != TOK_ID)
		return parse_let_pat(p, lo);
	const Token *next = p->tok + 1;
	if (next->kind == TOK_DOT || (next->kind == TOK_LBRACKET && !next->space_before))
		return parse_let_update(p, lo);
	bool function = starts_atomic_pat(next) || next->kind == TOK_LBRACKET
		|| next->kind == TOK_QUOTE || next->kind == TOK_QUOTE_HAT
		|| next->kind == TOK_QUOTE_TILDE;
	return function ? parse_let_fun(p, lo) : parse_let_pat(p, lo);
}

static void finish_let(Expr *e, Expr *body, bool has_in, Loc hi)
{
	e->span.hi = hi;
	if (e->kind == EX_LET) {
		e->let.body = body;
		e->let.has_in = has_in;
	} else if (e->kind == EX_LET_FUN) {
		e->let_fun.body = body;
		e->let_fun.has_in = has_in;
	} else {
		e->let_update.body = body;
		e->let_update.has_in = has_in;
	}
}

// "let" binding ("in" exp | <another let expression>)
Expr *parse_let(Parser *p)
{
	typedef struct { Expr *let; bool has_in; } Link;
	Link link;
	SLICE(Link) chain;
	int mark = p->items.len, count = 0;
	Expr *body = NULL;
	while (!body) {
		if (++count > MAX_LETS)
			too_deep(p, MAX_LETS);
		link.let = parse_let_binding(p);
		link.has_in = accept(p, TOK_IN);
		bool missing = !link.has_in && !peek(p, TOK_LET);
		if (missing)
			link.has_in = expect_later(p, TOK_IN) && accept(p, TOK_IN);
		PUSH_ITEM(p, link);
		// After an error a `let` that starts a line is a declaration.
		if (!peek(p, TOK_LET) || (missing && at_line_start(p)))
			body = missing && !link.has_in ? broken_expr(p, NULL) : parse_exp(p);
	}
	Loc hi = last_end(p);
	TAKE_ITEMS(&chain, p, mark);
	for (int i = chain.len; i-- > 0;) {
		finish_let(chain.at[i].let, body, chain.at[i].has_in, hi);
		body = chain.at[i].let;
	}
	return body;
}

// loopform = "for" name "<" exp | "for" pat "in" exp | "while" exp
static void parse_loop_form(Parser *p, Expr *e)
{
	if (accept(p, TOK_WHILE)) {
		e->loop.kind = LOOP_WHILE;
	} else {
		expect(p, TOK_FOR);
		if (p->tok->kind == TOK_ID && is_symbol(p->tok + 1, '<')) {
			const Token *index = advance(p);
			e->loop.kind = LOOP_FOR;
			e->loop.index = index->name;
			e->loop.index_span = index->span;
			advance(p);
		} else {
			e->loop.kind = LOOP_IN;
			e->loop.elem = parse_pat(p);
			expect(p, TOK_IN);
		}
	}
	e->loop.bound = parse_exp(p);
}

// "loop" pat ["=" exp] loopform "do" exp
Expr *parse_loop(Parser *p)
{
	Expr *e = new_expr(EX_LOOP, expect(p, TOK_LOOP)->span);
	e->loop.pat = parse_pat(p);
	if (accept(p, TOK_EQUALS))
		e->loop.init = parse_exp(p);
	parse_loop_form(p, e);
	expect(p, TOK_DO);
	e->loop.body = parse_exp(p);
	e->span.hi = last_end(p);
	return e;
}

// "match" exp ("case" pat "->" exp)+
Expr *parse_match(Parser *p)
{
	Expr *e = new_expr(EX_MATCH, expect(p, TOK_MATCH)->span);
	e->match.of = parse_exp(p);
	int mark = p->items.len;
	do {
		Case c = {.span = expect(p, TOK_CASE)->span};
		c.pat = parse_case_pat(p);
		expect(p, TOK_ARROW);
		c.body = parse_exp(p);
		c.span.hi = last_end(p);
		PUSH_ITEM(p, c);
	} while (peek(p, TOK_CASE));
	TAKE_ITEMS(&e->match.cases, p, mark);
	e->span.hi = last_end(p);
	return e;
}

// "\" pat+ [":" type] "->" exp
Expr *parse_lambda(Parser *p)
{
	enter(p);
	Expr *e = new_expr(EX_LAMBDA, expect(p, TOK_BACKSLASH)->span);
	e->lambda.pats = parse_params(p);
	if (e->lambda.pats.len == 0)
		syntax_error(p);
	if (accept(p, TOK_COLON))
		e->lambda.ret = parse_type_term(p);
	expect(p, TOK_ARROW);
	e->lambda.body = parse_exp(p);
	e->span.hi = last_end(p);
	leave(p);
	return e;
}
