// Modules and module types (language reference, 2.5).
//
//	modexp = apply (":" mtexp)* | "\" modparam [":" smtexp] "->" modexp
//	apply  = atom atom*
//	atom   = qualname | "(" modexp ")" | "{" dec* "}" | "import" stringlit
//	mtexp  = "(" name ":" mtexp ")" "->" mtexp | term ["->" mtexp]
//	term   = (qualname | "{" spec* "}" | "(" mtexp ")") ("with" qualname type_param* "=" type)*
#include "syntax/parse.h"

static ModExpr *new_mod(ModExprKind kind, Span span)
{
	ModExpr *m = mem_alloc(sizeof *m);
	m->kind = kind;
	m->span = span;
	return m;
}

static SigExpr *new_sig(SigExprKind kind, Span span)
{
	SigExpr *s = mem_alloc(sizeof *s);
	s->kind = kind;
	s->span = span;
	return s;
}

// ---- Module types ----

// [("~" | "^")] after "type"
Lifting parse_lifting(Parser *p)
{
	if (accept(p, TOK_TILDE))
		return LIFT_SIZE;
	if (!is_symbol(p->tok, '^'))
		return LIFT_NONE;
	advance(p);
	return LIFT_FULL;
}

// "val" (name | "(" symbol ")" | symbol) type_param* ":" type
static void parse_val_spec(Parser *p, Spec *s)
{
	s->kind = SPEC_VAL;
	expect(p, TOK_VAL);
	bool paren = at_operator_name(p);
	if (paren)
		advance(p);
	const Token *name = p->tok;
	s->val.is_op = is_operator_name(p->tok);
	if (s->val.is_op)
		advance(p);
	else
		expect(p, TOK_ID);
	if (paren)
		expect(p, TOK_RPAREN);
	s->val.name = name->name;
	s->val.name_span = name->span;
	s->val.params = parse_type_params(p);
	expect(p, TOK_COLON);
	s->val.type = parse_type(p);
}

// ("type"|"type~"|"type^") name type_param* ["=" type]
static void parse_type_spec(Parser *p, Spec *s)
{
	s->kind = SPEC_TYPE;
	expect(p, TOK_TYPE);
	s->type.lifting = parse_lifting(p);
	const Token *name = expect(p, TOK_ID);
	s->type.name = name->name;
	s->type.name_span = name->span;
	s->type.params = parse_type_params(p);
	if (accept(p, TOK_EQUALS))
		s->type.def = parse_type(p);
}

// "module" name ":" mtexp
static void parse_module_spec(Parser *p, Spec *s)
{
	s->kind = SPEC_MODULE;
	expect(p, TOK_MODULE);
	const Token *name = expect(p, TOK_ID);
	s->module.name = name->name;
	s->module.name_span = name->span;
	expect(p, TOK_COLON);
	s->module.sig = parse_sigexp(p);
}

static void parse_spec_body(Parser *p, Spec *s)
{
	switch ((int)p->tok->kind) {
	case TOK_VAL:
		parse_val_spec(p, s);
		return;
	case TOK_TYPE:
		parse_type_spec(p, s);
		return;
	case TOK_MODULE:
		parse_module_spec(p, s);
		return;
	case TOK_INCLUDE:
		advance(p);
		s->kind = SPEC_INCLUDE;
		s->include = parse_sigexp(p);
		return;
	}
	want(p, WANT_SPEC);
	syntax_error(p);
}

static Spec *parse_spec(Parser *p)
{
	Spec *s = mem_alloc(sizeof *s);
	Loc lo = p->tok->span.lo;
	VEC(Attr *) attrs = {0};
	for (;;) {
		if (p->tok->kind == TOK_DOC) {
			s->doc = parse_doc(p);
			if (attrs.len == 0)
				lo = p->tok->span.lo;
		} else if (p->tok->kind == TOK_ATTR_OPEN) {
			VEC_PUSH(&attrs, parse_attr(p));
		} else {
			break;
		}
	}
	s->attrs = VEC_SLICE(AttrSlice, attrs);
	parse_spec_body(p, s);
	s->span = span_since(p, lo);
	return s;
}

// qualname | "(" mtexp ")"
static SigExpr *parse_simple_sig(Parser *p)
{
	SigExpr *s = new_sig(SE_NAME, p->tok->span);
	if (peek(p, TOK_LPAREN)) {
		advance(p);
		s->kind = SE_PAREN;
		s->inner = parse_sigexp(p);
		expect(p, TOK_RPAREN);
	} else if (peek(p, TOK_ID)) {
		s->name = parse_qualname(p);
	} else {
		want(p, WANT_SIG);
		syntax_error(p);
	}
	s->span.hi = last_end(p);
	return s;
}

static SigExpr *parse_sig_atom(Parser *p)
{
	if (!peek(p, TOK_LBRACE))
		return parse_simple_sig(p);
	SigExpr *s = new_sig(SE_SPECS, advance(p)->span);
	int mark = p->stack.len;
	while (!peek(p, TOK_RBRACE))
		push_child(p, parse_spec(p));
	expect(p, TOK_RBRACE);
	TAKE(&s->specs, p, mark);
	s->span.hi = last_end(p);
	return s;
}

static SigExpr *parse_sig_term(Parser *p)
{
	SigExpr *s = parse_sig_atom(p);
	for (int spine = 0; accept(p, TOK_WITH); spine++) {
		if (spine > MAX_SPINE)
			too_deep(p, MAX_SPINE);
		SigExpr *with = new_sig(SE_WITH, s->span);
		with->with.of = s;
		with->with.type = parse_qualname(p);
		with->with.params = parse_type_params(p);
		expect(p, TOK_EQUALS);
		with->with.def = parse_type_term(p);
		with->span.hi = last_end(p);
		s = with;
	}
	return s;
}

SigExpr *parse_sigexp(Parser *p)
{
	enter(p);
	SigExpr *s;
	if (p->tok->kind == TOK_LPAREN && p->tok[1].kind == TOK_ID
	    && p->tok[2].kind == TOK_COLON) {
		s = new_sig(SE_ARROW, advance(p)->span);
		const Token *name = advance(p);
		s->arrow.param = name->name;
		s->arrow.param_span = name->span;
		expect(p, TOK_COLON);
		s->arrow.from = parse_sigexp(p);
		expect(p, TOK_RPAREN);
		expect(p, TOK_ARROW);
		s->arrow.to = parse_sigexp(p);
	} else {
		s = parse_sig_term(p);
		if (accept(p, TOK_ARROW)) {
			SigExpr *from = s;
			s = new_sig(SE_ARROW, from->span);
			s->arrow.from = from;
			s->arrow.to = parse_sigexp(p);
		}
	}
	s->span.hi = last_end(p);
	leave(p);
	return s;
}

// ---- Module expressions ----

// modparam = "(" name ":" mtexp ")"
static ModParam parse_mod_param(Parser *p)
{
	ModParam param = {.span = expect(p, TOK_LPAREN)->span};
	param.name = expect(p, TOK_ID)->name;
	expect(p, TOK_COLON);
	param.sig = parse_sigexp(p);
	expect(p, TOK_RPAREN);
	param.span.hi = last_end(p);
	return param;
}

ModParams parse_mod_params(Parser *p)
{
	VEC(ModParam) params = {0};
	while (peek(p, TOK_LPAREN))
		VEC_PUSH(&params, parse_mod_param(p));
	return VEC_SLICE(ModParams, params);
}

// "import" stringlit
ModExpr *parse_import(Parser *p)
{
	ModExpr *m = new_mod(ME_IMPORT, expect(p, TOK_IMPORT)->span);
	const Token *path = expect(p, TOK_STRING);
	if (strlen(path->string.bytes) != (size_t)path->string.len)
		fail(path->span, NULL, "The path of a file has no character with code 0.");
	m->import.path = path->string.bytes;
	m->import.path_span = path->span;
	m->span.hi = last_end(p);
	return m;
}

static ModExpr *parse_mod_atom(Parser *p)
{
	ModExpr *m = new_mod(ME_NAME, p->tok->span);
	switch ((int)p->tok->kind) {
	case TOK_ID:
		m->name.name = parse_qualname(p);
		break;
	case TOK_LPAREN:
		advance(p);
		m->kind = ME_PAREN;
		m->inner = parse_modexp(p);
		expect(p, TOK_RPAREN);
		break;
	case TOK_LBRACE:
		advance(p);
		m->kind = ME_BODY;
		m->body = parse_decls(p);
		expect(p, TOK_RBRACE);
		break;
	case TOK_IMPORT:
		return parse_import(p);
	default:
		want(p, WANT_MOD);
		syntax_error(p);
	}
	m->span.hi = last_end(p);
	return m;
}

// "\" modparam [":" smtexp] "->" modexp
static ModExpr *parse_mod_lambda(Parser *p)
{
	ModExpr *m = new_mod(ME_LAMBDA, expect(p, TOK_BACKSLASH)->span);
	m->lambda.param = parse_mod_param(p);
	if (accept(p, TOK_COLON))
		m->lambda.sig = parse_simple_sig(p);
	expect(p, TOK_ARROW);
	m->lambda.body = parse_modexp(p);
	m->span.hi = last_end(p);
	return m;
}

static bool at_mod_arg(const Parser *p)
{
	TokenKind k = p->tok->kind;
	return k == TOK_ID || k == TOK_LPAREN || k == TOK_LBRACE;
}

static ModExpr *parse_mod_apply(Parser *p)
{
	ModExpr *m = parse_mod_atom(p);
	for (int spine = 0; at_mod_arg(p); spine++) {
		if (spine > MAX_SPINE)
			too_deep(p, MAX_SPINE);
		ModExpr *apply = new_mod(ME_APPLY, m->span);
		apply->apply.fn = m;
		apply->apply.arg = parse_mod_atom(p);
		apply->span.hi = last_end(p);
		m = apply;
	}
	return m;
}

ModExpr *parse_modexp(Parser *p)
{
	enter(p);
	ModExpr *m = peek(p, TOK_BACKSLASH) ? parse_mod_lambda(p) : parse_mod_apply(p);
	for (int spine = 0; accept(p, TOK_COLON); spine++) {
		if (spine > MAX_SPINE)
			too_deep(p, MAX_SPINE);
		ModExpr *ascribe = new_mod(ME_ASCRIBE, m->span);
		ascribe->ascribe.of = m;
		ascribe->ascribe.sig = parse_sigexp(p);
		ascribe->span.hi = last_end(p);
		m = ascribe;
	}
	leave(p);
	return m;
}
