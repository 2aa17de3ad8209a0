// Declarations (language reference, 2.4).
//
//	dec     = valbind | typebind | modbind | modtypebind | "open" modexp
//	        | "import" stringlit | "local" dec | "#[" attr "]" dec
//	valbind = ("def"|"let"|"entry") (name | "(" symbol ")") type_param* pat* [":" type] "=" exp
//	        | ("def"|"let"|"entry") pat symbol pat [":" type] "=" exp
//	        | ("def"|"let"|"entry") pat "`" name "`" pat [":" type] "=" exp
#include "syntax/parse.h"

// Whether a definition starting here is infix: a pattern, then an operator.
static bool at_infix_definition(const Parser *p)
{
	if (at_operator_name(p))
		return false;
	const Token *t = p->tok;
	if (t->kind == TOK_LPAREN || t->kind == TOK_LBRACE)
		return true;                    // no name starts with a bracket
	if (t->kind == TOK_ID || t->kind == TOK_UNDERSCORE)
		return is_operator_name(t + 1) || t[1].kind == TOK_BACKTICK;
	return starts_atomic_pat(p->tok) || is_symbol(t, '-');
}

// pat (symbol | "`" name "`") pat
static void parse_infix_head(Parser *p, ValDecl *v)
{
	int mark = p->stack.len;
	push_child(p, parse_atomic_pat(p));
	v->infix = true;
	if (accept(p, TOK_BACKTICK)) {
		const Token *name = expect(p, TOK_ID);
		v->name = name->name;
		v->name_span = name->span;
		expect(p, TOK_BACKTICK);
	} else {
		want(p, WANT_OP);
		if (!is_operator_name(p->tok))
			syntax_error(p);
		const Token *op = advance(p);
		v->name = op->name;
		v->name_span = op->span;
		v->is_op = true;
	}
	push_child(p, parse_atomic_pat(p));
	TAKE(&v->pats, p, mark);
}

// (name | "(" symbol ")") type_param* pat*
static void parse_prefix_head(Parser *p, ValDecl *v)
{
	v->is_op = at_operator_name(p);
	if (v->is_op)
		advance(p);
	const Token *name = expect(p, v->is_op ? TOK_SYM : TOK_ID);
	v->name = name->name;
	v->name_span = name->span;
	if (v->is_op)
		expect(p, TOK_RPAREN);
	v->params = parse_type_params(p);
	int mark = p->stack.len;
	push_params(p);
	TAKE(&v->pats, p, mark);
}

static void parse_val(Parser *p, Decl *d)
{
	ValDecl *v = &d->val;
	TokenKind keyword = advance(p)->kind;
	d->kind = DEC_VAL;
	v->keyword = keyword == TOK_DEF ? VAL_DEF : keyword == TOK_LET ? VAL_LET : VAL_ENTRY;
	if (at_infix_definition(p))
		parse_infix_head(p, v);
	else
		parse_prefix_head(p, v);
	if (accept(p, TOK_COLON))
		v->ret = parse_type(p);
	expect(p, TOK_EQUALS);
	v->body = parse_exp(p);
}

// ("type" | "type~" | "type^") name type_param* "=" type
static void parse_type_decl(Parser *p, Decl *d)
{
	d->kind = DEC_TYPE;
	expect(p, TOK_TYPE);
	d->type.lifting = parse_lifting(p);
	const Token *name = expect(p, TOK_ID);
	d->type.name = name->name;
	d->type.name_span = name->span;
	d->type.params = parse_type_params(p);
	expect(p, TOK_EQUALS);
	d->type.type = parse_type(p);
}

// "module" name modparam* [":" mtexp] "=" modexp | "module" "type" name "=" mtexp
static void parse_module_decl(Parser *p, Decl *d)
{
	expect(p, TOK_MODULE);
	bool is_type = accept(p, TOK_TYPE);
	const Token *name = expect(p, TOK_ID);
	if (is_type) {
		d->kind = DEC_MODULE_TYPE;
		d->module_type.name = name->name;
		d->module_type.name_span = name->span;
		expect(p, TOK_EQUALS);
		d->module_type.sig = parse_sigexp(p);
		return;
	}
	d->kind = DEC_MODULE;
	d->module.name = name->name;
	d->module.name_span = name->span;
	d->module.params = parse_mod_params(p);
	if (accept(p, TOK_COLON))
		d->module.sig = parse_sigexp(p);
	expect(p, TOK_EQUALS);
	d->module.body = parse_modexp(p);
}

static void parse_decl_body(Parser *p, Decl *d)
{
	switch ((int)p->tok->kind) {
	case TOK_DEF: case TOK_LET: case TOK_ENTRY:
		parse_val(p, d);
		return;
	case TOK_TYPE:
		parse_type_decl(p, d);
		return;
	case TOK_MODULE:
		parse_module_decl(p, d);
		return;
	case TOK_OPEN:
		advance(p);
		d->kind = DEC_OPEN;
		d->open = parse_modexp(p);
		return;
	case TOK_IMPORT:
		d->kind = DEC_IMPORT;
		d->import = parse_import(p);
		return;
	}
	want(p, WANT_DEC);
	syntax_error(p);
}

// Documentation, attributes and `local` come before a declaration in any order.
Decl *parse_decl(Parser *p)
{
	Decl *d = p->decl = mem_alloc(sizeof *d);
	Loc lo = p->tok->span.lo;
	VEC(Attr *) attrs = {0};
	for (;;) {
		if (p->tok->kind == TOK_DOC) {
			d->doc = parse_doc(p);
			if (!d->local && attrs.len == 0)
				lo = p->tok->span.lo;
		} else if (p->tok->kind == TOK_ATTR_OPEN) {
			VEC_PUSH(&attrs, parse_attr(p));
		} else if (p->tok->kind == TOK_LOCAL) {
			advance(p);
			d->local = true;
		} else {
			break;
		}
	}
	d->attrs = VEC_SLICE(AttrSlice, attrs);
	parse_decl_body(p, d);
	d->span = span_since(p, lo);
	return d;
}

Decls parse_decls(Parser *p)
{
	enter(p);
	int mark = p->stack.len;
	while (!peek(p, TOK_RBRACE) && p->tok->kind != TOK_EOF) {
		Decl *d = p->tolerant ? parse_tolerant_decl(p, true) : parse_decl(p);
		if (d)
			push_child(p, d);
	}
	Decls decls;
	TAKE(&decls, p, mark);
	leave(p);
	return decls;
}
