// Layout of declarations, modules and module types.
//
//	module m : s = {
//	  def x = 1
//
//	  def f (y: i32) : i32 =
//	    y + x
//	}
#include "syntax/fmt.h"

static void fmt_mod(Fmt *, const ModExpr *, int indent);
static void fmt_sig(Fmt *, const SigExpr *, int indent);

// ---- Module types ----

static void fmt_spec(Fmt *f, const Spec *s, int indent)
{
	fmt_to(f, s->span.lo + 1, indent);
	switch (s->kind) {
	case SPEC_VAL:
		fmt_to(f, s->val.type->span.lo, indent + FMT_INDENT);
		fmt_type(f, s->val.type, indent + 2 * FMT_INDENT);
		break;
	case SPEC_TYPE:
		if (s->type.def) {
			fmt_to(f, s->type.def->span.lo, indent + FMT_INDENT);
			fmt_type(f, s->type.def, indent + FMT_INDENT);
		}
		break;
	case SPEC_MODULE:
		fmt_to(f, s->module.sig->span.lo, indent + FMT_INDENT);
		fmt_sig(f, s->module.sig, indent);
		break;
	case SPEC_INCLUDE:
		fmt_to(f, s->include->span.lo, indent + FMT_INDENT);
		fmt_sig(f, s->include, indent);
		break;
	}
	fmt_to(f, s->span.hi, indent + FMT_INDENT);
}

// Whether "{ ... }" is broken over lines; its closing brace then starts one.
static bool break_braces(Fmt *f, Span braces, int indent)
{
	bool broken = !fmt_one_line(f, braces) || fmt_too_long(f, braces, fmt_start(f, indent));
	int close = fmt_token_at(f, braces.hi) - 1;
	if (broken && f->tok[close - 1].kind != TOK_LBRACE)
		f->brk[close] = true;
	return broken;
}

static void fmt_specs(Fmt *f, const SigExpr *s, int indent)
{
	bool broken = break_braces(f, s->span, indent);
	fmt_to(f, s->span.lo + 1, indent);
	for EACH(Spec *, spec, s->specs) {
		if (broken)
			fmt_break_at(f, (*spec)->span.lo);
		fmt_spec(f, *spec, indent + FMT_INDENT);
	}
	fmt_comments(f, s->span.hi, indent + FMT_INDENT);
	fmt_to(f, s->span.hi, indent);
}

static void fmt_sig(Fmt *f, const SigExpr *s, int indent)
{
	switch (s->kind) {
	case SE_NAME:
		break;
	case SE_SPECS:
		fmt_specs(f, s, indent);
		break;
	case SE_PAREN:
		fmt_to(f, s->inner->span.lo, indent + FMT_INDENT);
		fmt_sig(f, s->inner, indent);
		break;
	case SE_WITH:
		fmt_sig(f, s->with.of, indent);
		fmt_to(f, s->with.def->span.lo, indent + FMT_INDENT);
		fmt_type(f, s->with.def, indent + 2 * FMT_INDENT);
		break;
	case SE_ARROW:
		fmt_to(f, s->arrow.from->span.lo, indent + FMT_INDENT);
		fmt_sig(f, s->arrow.from, indent);
		fmt_to(f, s->arrow.to->span.lo, indent + FMT_INDENT);
		fmt_sig(f, s->arrow.to, indent);
		break;
	}
	fmt_to(f, s->span.hi, indent + FMT_INDENT);
}

// ---- Modules ----

static void fmt_body(Fmt *f, const ModExpr *m, int indent)
{
	bool broken = break_braces(f, m->span, indent);
	fmt_to(f, m->span.lo + 1, indent);
	if (broken)
		for EACH(Decl *, d, m->body)
			fmt_break_at(f, (*d)->span.lo);
	fmt_decls(f, m->body, indent + FMT_INDENT);
	fmt_comments(f, m->span.hi, indent + FMT_INDENT);
	fmt_to(f, m->span.hi, indent);
}

static void fmt_mod_param(Fmt *f, const ModParam *p, int indent)
{
	fmt_to(f, p->sig->span.lo, indent + FMT_INDENT);
	fmt_sig(f, p->sig, indent + FMT_INDENT);
	fmt_to(f, p->span.hi, indent);
}

static void fmt_mod(Fmt *f, const ModExpr *m, int indent)
{
	switch (m->kind) {
	case ME_NAME: case ME_IMPORT:
		break;
	case ME_PAREN:
		fmt_to(f, m->inner->span.lo, indent + FMT_INDENT);
		fmt_mod(f, m->inner, indent);
		break;
	case ME_BODY:
		fmt_body(f, m, indent);
		break;
	case ME_ASCRIBE:
		fmt_mod(f, m->ascribe.of, indent);
		fmt_to(f, m->ascribe.sig->span.lo, indent + FMT_INDENT);
		fmt_sig(f, m->ascribe.sig, indent);
		break;
	case ME_APPLY:
		fmt_mod(f, m->apply.fn, indent);
		fmt_to(f, m->apply.arg->span.lo, indent + FMT_INDENT);
		fmt_mod(f, m->apply.arg, indent);
		break;
	case ME_LAMBDA:
		fmt_to(f, m->lambda.param.span.lo, indent + FMT_INDENT);
		fmt_mod_param(f, &m->lambda.param, indent);
		if (m->lambda.sig) {
			fmt_to(f, m->lambda.sig->span.lo, indent + FMT_INDENT);
			fmt_sig(f, m->lambda.sig, indent);
		}
		fmt_to(f, m->lambda.body->span.lo, indent + FMT_INDENT);
		fmt_mod(f, m->lambda.body, indent);
		break;
	}
	fmt_to(f, m->span.hi, indent + FMT_INDENT);
}

static void fmt_module(Fmt *f, const Decl *d, int indent)
{
	for EACH(ModParam, p, d->module.params) {
		fmt_to(f, p->span.lo, indent + FMT_INDENT);
		fmt_mod_param(f, p, indent + FMT_INDENT);
	}
	if (d->module.sig) {
		fmt_to(f, d->module.sig->span.lo, indent + FMT_INDENT);
		fmt_sig(f, d->module.sig, indent);
	}
	fmt_to(f, d->module.body->span.lo, indent + FMT_INDENT);
	fmt_mod(f, d->module.body, indent);
}

// ---- Declarations ----

// def f [n]
//     (x: t)
//     (y: u) : r =
//   body
static void fmt_val(Fmt *f, const ValDecl *v, Span whole, int indent)
{
	int head = indent + 2 * FMT_INDENT;
	int equals = fmt_token_at(f, v->body->span.lo) - 1;
	if (!v->infix && fmt_too_long(f, (Span){whole.lo, f->tok[equals].span.hi}, indent))
		for EACH(Pat *, p, v->pats)
			fmt_break_at(f, (*p)->span.lo);
	fmt_to(f, v->infix ? v->pats.at[0]->span.lo : v->name_span.hi, head);
	fmt_pats(f, v->pats, head);
	if (v->ret) {
		fmt_to(f, v->ret->span.lo, head);
		fmt_type(f, v->ret, head);
	}
	fmt_to(f, v->body->span.lo, indent + FMT_INDENT);
	fmt_value(f, v->body, indent);
}

static void fmt_decl(Fmt *f, const Decl *d, int indent)
{
	fmt_to(f, d->span.lo + 1, indent);
	// Attributes and `local` may stand on lines of their own before the declaration.
	for EACH(Attr *, a, d->attrs)
		fmt_to(f, (*a)->span.hi, indent);
	while (f->brk[f->next] && f->tok[f->next].span.lo < d->span.hi
	       && (f->tok[f->next].kind == TOK_LOCAL || f->tok[f->next - 1].kind == TOK_LOCAL
	           || f->tok[f->next - 1].kind == TOK_RBRACKET))
		fmt_to(f, f->tok[f->next].span.hi, indent);
	switch (d->kind) {
	case DEC_VAL:
		fmt_val(f, &d->val, d->span, indent);
		break;
	case DEC_TYPE:
		fmt_to(f, d->type.type->span.lo, indent + FMT_INDENT);
		fmt_type(f, d->type.type, indent + FMT_INDENT);
		break;
	case DEC_MODULE:
		fmt_module(f, d, indent);
		break;
	case DEC_MODULE_TYPE:
		fmt_to(f, d->module_type.sig->span.lo, indent + FMT_INDENT);
		fmt_sig(f, d->module_type.sig, indent);
		break;
	case DEC_OPEN:
		fmt_to(f, d->open->span.lo, indent + FMT_INDENT);
		fmt_mod(f, d->open, indent);
		break;
	case DEC_IMPORT:
		break;
	}
	fmt_to(f, d->span.hi, indent + FMT_INDENT);
}

void fmt_decls(Fmt *f, Decls decls, int indent)
{
	if (f->style == STYLE_FUTHARK) {
		fut_decls(f, decls, indent);
		return;
	}
	for EACH(Decl *, d, decls)
		fmt_decl(f, *d, indent);
}
