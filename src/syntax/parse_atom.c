// Atoms: literals, names, brackets, and the indexings and projections that follow them
// (language reference, 2.2, 3.3 and 3.4).
//
//	atom  = base (slice | "." fieldid)*
//	base  = literal | qualname | "???" | constructor | paren | record | array
//	      | quals "(" exp ")"
//	paren = "(" ")" | "(" exp ")" | "(" exp ("," exp)+ ")" | "(" qualsymbol ")"
//	      | "(" exp qualsymbol ")" | "(" qualsymbol exp ")"
//	      | "(" "." (slice|fieldid) (slice | "." fieldid)* ")"
//
// A chain of names a.b.c becomes one EX_VAR with qualifiers: only the checker knows which
// of them are modules.
#include "syntax/parse.h"

// ---- Literals ----

static const char *copy_text(const char *s, size_t n)
{
	char *copy = mem_alloc(n + 1);
	memcpy(copy, s, n);
	return copy;
}

// The digits of a number as written, less the suffix (all suffixes end in a digit and
// start with the last letter of the token).
static const char *digits_of(const Parser *p, const Token *t, bool suffixed)
{
	const char *s = p->src->text + (t->span.lo - p->src->start);
	size_t n = t->span.hi - t->span.lo;
	if (suffixed) {
		while (s[n - 1] >= '0' && s[n - 1] <= '9')
			n--;
		n--;
	}
	return copy_text(s, n);
}

static const char *without_underscores(const char *s)
{
	if (!strchr(s, '_'))
		return s;
	Str out = {0};
	for (; *s; s++)
		if (*s != '_')
			str_putc(&out, *s);
	return str_text(&out);
}

// literal = int | float | charlit | "true" | "false"
Expr *parse_literal(Parser *p)
{
	const Token *t = p->tok;
	Expr *e = new_expr(EX_INT, t->span);
	switch ((int)t->kind) {
	case TOK_INT:
		e->int_lit.type = t->integer.type;
		e->int_lit.suffixed = t->integer.suffixed;
		e->int_lit.value = t->integer.value;
		e->int_lit.too_big = t->integer.too_big;
		e->int_lit.text = without_underscores(digits_of(p, t, t->integer.suffixed));
		break;
	case TOK_FLOAT:
		e->kind = EX_FLOAT;
		e->float_lit.type = t->real.type;
		e->float_lit.suffixed = t->real.suffixed;
		e->float_lit.value = t->real.value;
		e->float_lit.text = without_underscores(digits_of(p, t, t->real.suffixed));
		break;
	case TOK_CHAR:
		e->kind = EX_CHAR;
		e->char_lit = t->ch;
		break;
	case TOK_TRUE: case TOK_FALSE:
		e->kind = EX_BOOL;
		e->bool_lit = t->kind == TOK_TRUE;
		break;
	}
	advance(p);
	return e;
}

// ---- Indices and paths ----

// Whether "[" here indexes the atom before it: only directly after a letter, digit, `_`,
// `'`, `)` or `]`.
bool is_index_bracket(const Source *src, const Token *t)
{
	Loc offset = t->span.lo - src->start;
	if (t->kind != TOK_LBRACKET || t->space_before || offset == 0)
		return false;
	char c = src->text[offset - 1];
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
	       || c == '_' || c == '\'' || c == ')' || c == ']';
}

static bool at_index_end(Parser *p)
{
	return peek(p, TOK_COMMA) || peek(p, TOK_RBRACKET);
}

// index = exp | [exp] ":" [exp] [":" [exp]]
static Index parse_index(Parser *p)
{
	Index i = {.span = p->tok->span};
	if (!peek(p, TOK_COLON))
		i.index = parse_index_exp(p);
	if (accept(p, TOK_COLON)) {
		i.is_slice = true;
		i.from = i.index;
		i.index = NULL;
		if (!at_index_end(p) && !peek(p, TOK_COLON))
			i.to = parse_index_exp(p);
		if (accept(p, TOK_COLON)) {
			i.has_step_colon = true;
			if (!at_index_end(p))
				i.step = parse_index_exp(p);
		}
	}
	i.span.hi = last_end(p);
	return i;
}

// slice = "[" index ("," index)* "]"
static Indices parse_slice(Parser *p)
{
	expect(p, TOK_LBRACKET);
	Indices idx;
	int mark = p->items.len;
	do {
		Index i = parse_index(p);
		PUSH_ITEM(p, i);
		if (!accept(p, TOK_COMMA))
			break;
	} while (!peek(p, TOK_RBRACKET));
	expect(p, TOK_RBRACKET);
	TAKE_ITEMS(&idx, p, mark);
	return idx;
}

// path = (slice|fieldid) (slice | "." fieldid)*
Path parse_path(Parser *p)
{
	Path path;
	int mark = p->items.len;
	do {
		PathStep step = {.span = p->tok->span};
		if (peek(p, TOK_LBRACKET)) {
			step.idx = parse_slice(p);
		} else {
			Span span;
			if (p->items.len > mark)
				expect(p, TOK_DOT);
			if (p->items.len > mark && !peek(p, TOK_INT) && !peek(p, TOK_ID)) {
				soft_error(p);
				break;          // what there is of the path stays
			}
			step.is_field = true;
			step.field = parse_fieldid(p, &span);
			step.span = span;
		}
		step.span.hi = last_end(p);
		PUSH_ITEM(p, step);
	} while (peek(p, TOK_LBRACKET) || peek(p, TOK_DOT));
	TAKE_ITEMS(&path, p, mark);
	return path;
}

// ---- Brackets ----

static Expr *operator_var(QualName name, Span span)
{
	Expr *e = new_expr(EX_VAR, span);
	e->var.name = name;
	e->var.is_op = true;
	return e;
}

// "(" qualsymbol ")" | "(" qualsymbol exp ")", after "("
static Expr *parse_right_section(Parser *p, Loc lo)
{
	bool backtick;
	QualName op = parse_operator(p, &backtick);
	if (accept(p, TOK_RPAREN)) {
		Expr *var = operator_var(op, span_since(p, lo));
		var->var.is_op = !backtick;
		return var;
	}
	Expr *e = new_expr(EX_SECTION_R, NOWHERE);
	e->section.op = op;
	e->section.backtick = backtick;
	e->section.arg = parse_exp(p);
	expect(p, TOK_RPAREN);
	e->span = span_since(p, lo);
	return e;
}

// "(" "." path ")", after "("
static Expr *parse_path_section(Parser *p, Loc lo)
{
	expect(p, TOK_DOT);
	Expr *e = new_expr(EX_SECTION_PATH, NOWHERE);
	e->path = parse_path(p);
	expect(p, TOK_RPAREN);
	e->span = span_since(p, lo);
	return e;
}

// "(" exp qualsymbol ")", at the operator
static Expr *parse_left_section(Parser *p, Expr *arg, Loc lo)
{
	Expr *e = new_expr(EX_SECTION_L, NOWHERE);
	e->section.op = parse_operator(p, &e->section.backtick);
	e->section.arg = arg;
	expect(p, TOK_RPAREN);
	e->span = span_since(p, lo);
	return e;
}

// "(" exp ("," exp)+ [","] ")", at the first comma
static Expr *parse_tuple(Parser *p, Expr *first, Loc lo)
{
	int mark = p->stack.len;
	push_child(p, first);
	while (accept(p, TOK_COMMA)) {
		if (p->stack.len > mark + 1 && peek(p, TOK_RPAREN))
			break;
		push_child(p, parse_exp(p));
	}
	expect(p, TOK_RPAREN);
	Expr *e = new_expr(EX_TUPLE, span_since(p, lo));
	TAKE(&e->tuple, p, mark);
	return e;
}

static Expr *parse_paren(Parser *p)
{
	Loc lo = expect(p, TOK_LPAREN)->span.lo;
	int level;
	if (accept(p, TOK_RPAREN))
		return new_expr(EX_TUPLE, span_since(p, lo));
	if (peek(p, TOK_DOT))
		return parse_path_section(p, lo);
	bool prefix = is_symbol(p->tok, '-') || is_symbol(p->tok, '!');
	if (peek_operator(p, &level) && !(prefix && p->tok[1].kind != TOK_RPAREN))
		return parse_right_section(p, lo);
	Expr *inner = parse_exp(p);
	if (!is_symbol(p->tok, '!') && peek_operator(p, &level))
		return parse_left_section(p, inner, lo);
	if (peek(p, TOK_COMMA))
		return parse_tuple(p, inner, lo);
	expect(p, TOK_RPAREN);
	Expr *e = new_expr(EX_PAREN, span_since(p, lo));
	e->inner = inner;
	return e;
}

// "[" [exp ("," exp)* [","]] "]"
static Expr *parse_array(Parser *p)
{
	Loc lo = expect(p, TOK_LBRACKET)->span.lo;
	int mark = p->stack.len;
	while (!peek(p, TOK_RBRACKET)) {
		push_child(p, parse_exp(p));
		if (!accept(p, TOK_COMMA))
			break;
	}
	expect(p, TOK_RBRACKET);
	Expr *e = new_expr(EX_ARRAY, span_since(p, lo));
	TAKE(&e->array, p, mark);
	return e;
}

// field = fieldid "=" exp | name
static FieldExpr parse_field(Parser *p)
{
	const Token *t = p->tok;
	FieldExpr f = {0};
	f.name = parse_fieldid(p, &f.span);
	if (t->kind == TOK_INT || peek(p, TOK_EQUALS)) {
		expect(p, TOK_EQUALS);
		f.value = parse_exp(p);
	} else {
		f.punned = true;
		f.value = new_expr(EX_VAR, t->span);
		f.value->var.name = (QualName){.name = f.name, .span = t->span};
	}
	return f;
}

// "{" [field ("," field)* [","]] "}"
static Expr *parse_record(Parser *p)
{
	Loc lo = expect(p, TOK_LBRACE)->span.lo;
	int mark = p->items.len;
	while (!peek(p, TOK_RBRACE)) {
		if (!peek(p, TOK_INT) && !peek(p, TOK_ID))
			break;                  // the bracket is missed, the record stays
		FieldExpr f = parse_field(p);
		PUSH_ITEM(p, f);
		if (!accept(p, TOK_COMMA))
			break;
	}
	expect(p, TOK_RBRACE);
	Expr *e = new_expr(EX_RECORD, span_since(p, lo));
	TAKE_ITEMS(&e->record, p, mark);
	return e;
}

// ---- Names ----

// quals "(" exp ")": m.(e) opens m; m.(+) is the operator + of m.
static Expr *parse_local_open(Parser *p, QualName mod)
{
	expect(p, TOK_DOT);
	Expr *body = parse_paren(p);
	Span span = span_since(p, mod.span.lo);
	if (body->kind == EX_VAR && body->var.name.quals.len == 0) {
		VEC(Name) quals = {0};
		VEC_APPEND(&quals, mod.quals);
		VEC_PUSH(&quals, mod.name);
		body->var.name.quals = VEC_SLICE(Names, quals);
		body->span = body->var.name.span = span;
		return body;
	}
	Expr *e = new_expr(EX_OPEN, span);
	e->open.mod = mod;
	e->open.body = body->kind == EX_PAREN ? body->inner : body;
	return e;
}

// qualname | quals "(" exp ")"
static Expr *parse_name(Parser *p)
{
	QualName name = parse_qualname(p);
	if (p->tok->kind == TOK_DOT && p->tok[1].kind == TOK_LPAREN)
		return parse_local_open(p, name);
	Expr *e = new_expr(EX_VAR, name.span);
	e->var.name = name;
	return e;
}

bool at_atom(const Parser *p)
{
	switch ((int)p->tok->kind) {
	case TOK_ID: case TOK_INT: case TOK_FLOAT: case TOK_CHAR: case TOK_STRING:
	case TOK_TRUE: case TOK_FALSE: case TOK_HOLE: case TOK_LPAREN: case TOK_LBRACE:
	case TOK_LBRACKET: case TOK_CONSTR:
		return true;
	}
	return false;
}

static Expr *parse_base(Parser *p)
{
	const Token *t = p->tok;
	Expr *e;
	switch ((int)t->kind) {
	case TOK_ID:
		return parse_name(p);
	case TOK_INT: case TOK_FLOAT: case TOK_CHAR: case TOK_TRUE: case TOK_FALSE:
		return parse_literal(p);
	case TOK_STRING:
		e = new_expr(EX_STRING, advance(p)->span);
		e->string.bytes = t->string.bytes;
		e->string.len = t->string.len;
		return e;
	case TOK_HOLE:
		return new_expr(EX_HOLE, advance(p)->span);
	case TOK_CONSTR:
		e = new_expr(EX_CONSTR, advance(p)->span);
		e->constr.name = t->name;
		e->constr.name_span = t->span;
		return e;
	case TOK_LPAREN:
		return parse_paren(p);
	case TOK_LBRACE:
		return parse_record(p);
	case TOK_LBRACKET:
		return parse_array(p);
	}
	want(p, WANT_EXP);
	return broken_expr(p, NULL);
}

Expr *parse_atom(Parser *p)
{
	Expr *e = parse_base(p);
	for (int spine = 0;; spine++) {
		if (spine > MAX_SPINE)
			too_deep(p, MAX_SPINE);
		Expr *of = e;
		if (p->tok->kind == TOK_DOT) {
			advance(p);
			if (!peek(p, TOK_INT) && !peek(p, TOK_ID))
				return broken_expr(p, of);
			e = new_expr(EX_PROJECT, of->span);
			e->project.of = of;
			e->project.field = parse_fieldid(p, &e->project.field_span);
		} else if (is_index_bracket(p->src, p->tok)) {
			e = new_expr(EX_INDEX, of->span);
			e->index.of = of;
			e->index.idx = parse_slice(p);
		} else {
			return e;
		}
		e->span.hi = last_end(p);
	}
}
