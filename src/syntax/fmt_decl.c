// The formatter: declarations, modules and module types.
//
//	module mk
//	  (A: s)
//	  (B: t)
//	  : u
//	    with x = i32 = {
//	  def f =
//	    1
//	}
#include "syntax/fmt.h"

static void fmt_sig(Fmt *, const SigExpr *, int indent);
static void fmt_mod(Fmt *, const ModExpr *, int indent);
static void fmt_items(Fmt *, Decls, bool one_line, int indent);

// ---- Declarations and specifications, one after the other ----

// Whether the source has an empty line somewhere between what is written and a declaration.
static bool blank_before_item(const Fmt *f, Loc start)
{
	Comments all = f->file->comments;
	for (int i = f->next_comment; i < all.len && all.at[i].span.lo < start; i++)
		if (all.at[i].own_line && fmt_blank_before(f, all.at[i].span.lo))
			return true;
	return fmt_blank_before(f, start);
}

// Starts a declaration; on a line of its own unless all are on one.  Where one of two
// neighbours takes several lines, an empty line separates them.
static void start_item(Fmt *f, Span span, const Span *before, bool inlined, int indent)
{
	bool long_one = !fmt_one_line(f, span) || (before && !fmt_one_line(f, *before));
	if (!inlined)
		fmt_break_at(f, span.lo);
	f->blanks = true;
	if (!before && indent > 0)
		f->next_blank = BLANK_NONE;
	else if (before && long_one && !blank_before_item(f, span.lo))
		f->next_blank = BLANK_ONE;
	fmt_to(f, span.lo + 1, indent);
	f->blanks = false;
	f->next_blank = BLANK_KEEP;
}

// The token that a declaration starts with, after attributes and `local`; `each`, if given, is
// called for the token behind each of these.
static int keyword_of(Fmt *f, Span span, AttrSlice attrs, void (*each)(Fmt *, int token))
{
	int i = fmt_token_at(f, span.lo), attr = 0;
	for (;;) {
		if (f->tok[i].kind == TOK_LOCAL)
			i++;
		else if (f->tok[i].kind == TOK_ATTR_OPEN && attr < attrs.len)
			i = fmt_token_at(f, attrs.at[attr++]->span.hi);
		else
			return i;
		if (each)
			each(f, i);
	}
}

static void break_token(Fmt *f, int token)
{
	f->brk[token] = true;
}

// Attributes and `local`: on lines of their own where the declaration takes several lines.
// The place of the keyword that follows them.
static Loc fmt_prefixes(Fmt *f, Span span, AttrSlice attrs, int indent)
{
	int keyword = keyword_of(f, span, attrs, fmt_one_line(f, span) ? NULL : break_token);
	fmt_to(f, f->tok[keyword].span.hi, indent);
	return f->tok[keyword].span.lo;
}

// `{`, and whether what follows stays on its line.
static bool open_braces(Fmt *f, Span braces, int indent)
{
	bool one_line = fmt_one_line(f, braces);
	int close = fmt_token_at(f, braces.hi) - 1;
	fmt_to(f, braces.lo + 1, indent);
	f->gap[f->next] = f->gap[close] = false;
	f->brk[close] = !one_line;
	return one_line;
}

static void close_braces(Fmt *f, Span braces, int indent)
{
	f->blanks = true;
	fmt_comments(f, f->tok[fmt_token_at(f, braces.hi) - 1].span.lo, indent + FMT_INDENT);
	f->blanks = false;
	fmt_to(f, braces.hi, indent);
}

// ---- Module types ----

static void fmt_spec(Fmt *f, const Spec *s, int indent)
{
	Loc lo = fmt_prefixes(f, s->span, s->attrs, indent);
	switch (s->kind) {
	case SPEC_VAL: {
		const TypeExpr *type = s->val.type;
		fmt_params(f, s->val.params, indent + FMT_INDENT);
		fmt_colon(f, type, true);
		fmt_part(f, lo, type->span, indent + FMT_INDENT);
		fmt_type(f, type, indent + FMT_INDENT);
		break;
	}
	case SPEC_TYPE:
		fmt_params(f, s->type.params, indent + FMT_INDENT);
		if (s->type.def) {
			fmt_part(f, lo, s->type.def->span, indent + FMT_INDENT);
			fmt_type(f, s->type.def, indent + FMT_INDENT);
		}
		break;
	case SPEC_MODULE: {
		int sig = fmt_token_at(f, s->module.sig->span.lo);
		f->gap[sig] = f->gap[sig - 1] = true;
		fmt_to(f, s->module.sig->span.lo, indent + FMT_INDENT);
		fmt_sig(f, s->module.sig, indent);
		break;
	}
	case SPEC_INCLUDE:
		fmt_to(f, s->include->span.lo, indent + FMT_INDENT);
		fmt_sig(f, s->include, indent);
		break;
	}
	fmt_to(f, s->span.hi, indent + FMT_INDENT);
}

static void fmt_specs(Fmt *f, const SigExpr *s, int indent)
{
	bool one_line = open_braces(f, s->span, indent);
	const Span *before = NULL;
	for EACH(Spec *, spec, s->specs) {
		start_item(f, (*spec)->span, before, one_line, indent + FMT_INDENT);
		fmt_spec(f, *spec, indent + FMT_INDENT);
		before = &(*spec)->span;
	}
	close_braces(f, s->span, indent);
}

// s
// with t = i32
// with u = f32
static void fmt_with(Fmt *f, const SigExpr *s, int indent)
{
	bool broken = !fmt_one_line(f, s->span);
	VEC(const SigExpr *) chain = {0};
	const SigExpr *of = s;
	for (; of->kind == SE_WITH; of = of->with.of)
		VEC_PUSH(&chain, of);
	fmt_sig(f, of, indent);
	for (int i = chain.len; i-- > 0;) {
		const SigExpr *w = chain.at[i];
		f->brk[f->next] = broken;
		fmt_to(f, w->with.type.span.hi, indent);
		fmt_params(f, w->with.params, indent);
		fmt_to(f, w->with.def->span.lo, indent);
		fmt_type(f, w->with.def, indent + FMT_INDENT);
	}
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
		fmt_to(f, s->inner->span.lo, indent);
		fmt_sig(f, s->inner, indent);
		break;
	case SE_WITH:
		fmt_with(f, s, indent);
		break;
	case SE_ARROW: {
		int from = fmt_token_at(f, s->arrow.from->span.lo);
		if (s->arrow.param)
			f->gap[from - 1] = false;
		fmt_to(f, s->arrow.from->span.lo, indent);
		fmt_sig(f, s->arrow.from, indent);
		fmt_to(f, s->arrow.to->span.lo, indent);
		fmt_sig(f, s->arrow.to, indent);
		break;
	}
	}
	fmt_to(f, s->span.hi, indent);
}

// ---- Modules ----

static void fmt_mod_param(Fmt *f, const ModParam *p, int indent)
{
	int sig = fmt_token_at(f, p->sig->span.lo);
	f->gap[sig - 1] = false;
	f->gap[sig] = true;
	fmt_to(f, p->sig->span.lo, indent);
	fmt_sig(f, p->sig, indent);
	fmt_to(f, p->span.hi, indent);
}

static void fmt_body(Fmt *f, const ModExpr *m, int indent)
{
	bool one_line = open_braces(f, m->span, indent);
	fmt_items(f, m->body, one_line, indent + FMT_INDENT);
	close_braces(f, m->span, indent);
}

// What is on a line after its beginning, such as `: s`, keeps a space before the colon.
static void fmt_ascription(Fmt *f, const SigExpr *s, int indent)
{
	int sig = fmt_token_at(f, s->span.lo);
	f->gap[sig] = f->gap[sig - 1] = true;
	fmt_to(f, s->span.lo, indent);
	fmt_sig(f, s, f->brk[sig - 1] ? indent + FMT_INDENT : indent);
}

static void fmt_mod(Fmt *f, const ModExpr *m, int indent)
{
	switch (m->kind) {
	case ME_NAME: case ME_IMPORT:
		break;
	case ME_PAREN:
		fmt_to(f, m->inner->span.lo, indent);
		fmt_mod(f, m->inner, indent);
		break;
	case ME_BODY:
		fmt_body(f, m, indent);
		break;
	case ME_ASCRIBE:
		fmt_mod(f, m->ascribe.of, indent);
		fmt_ascription(f, m->ascribe.sig, indent);
		break;
	case ME_APPLY:
		fmt_mod(f, m->apply.fn, indent);
		fmt_to(f, m->apply.arg->span.lo, indent);
		fmt_mod(f, m->apply.arg, indent);
		break;
	case ME_LAMBDA:
		fmt_to(f, m->lambda.param.span.lo, indent);
		f->gap[f->next] = false;
		fmt_mod_param(f, &m->lambda.param, indent);
		if (m->lambda.sig)
			fmt_ascription(f, m->lambda.sig, indent);
		fmt_to(f, m->lambda.body->span.lo, indent);
		fmt_mod(f, m->lambda.body, indent);
		break;
	}
	fmt_to(f, m->span.hi, indent);
}

static bool starts_with_braces(const SigExpr *s)
{
	while (s->kind == SE_WITH)
		s = s->with.of;
	return s->kind == SE_SPECS;
}

// Parameters and module type start lines where the source has them on several.
static void fmt_module(Fmt *f, const Decl *d, int indent)
{
	Span name = d->module.name_span;
	ModParams params = d->module.params;
	const SigExpr *sig = d->module.sig;
	Loc params_end = params.len ? params.at[params.len - 1].span.hi : name.hi;
	bool broken = fmt_spans(f, name.lo, params_end);
	int in = indent + FMT_INDENT;
	fmt_to(f, name.hi, indent);
	for EACH(ModParam, p, params) {
		f->gap[fmt_token_at(f, p->span.lo)] = true;
		if (broken)
			fmt_break_at(f, p->span.lo);
		fmt_mod_param(f, p, in);
	}
	if (sig) {
		int colon = fmt_token_at(f, sig->span.lo) - 1;
		f->brk[colon] = broken || fmt_starts_line(f, f->tok[colon].span.lo)
			|| (!fmt_one_line(f, sig->span) && !starts_with_braces(sig));
		fmt_ascription(f, sig, f->brk[colon] ? in : indent);
	}
	const ModExpr *body = d->module.body;
	if (body->kind != ME_BODY && fmt_starts_line(f, body->span.lo))
		fmt_break_at(f, body->span.lo);
	fmt_to(f, body->span.lo, in);
	fmt_mod(f, body, f->brk[fmt_token_at(f, body->span.lo)] ? in : indent);
}

// ---- Declarations ----

// def f x =
//   body
static void fmt_val(Fmt *f, const ValDecl *v, Loc lo, int indent)
{
	int in = indent + FMT_INDENT;
	if (v->infix) {
		fmt_pats(f, v->pats, in);
		if (v->ret) {
			fmt_colon(f, v->ret, true);
			fmt_to(f, v->ret->span.lo, in);
			fmt_type(f, v->ret, in);
		}
	} else {
		fmt_head(f, (FmtHead){v->name_span, v->params, v->pats, v->ret}, in);
	}
	fmt_part(f, lo, v->body->span, in);
	fmt_expr(f, v->body, in);
}

static void fmt_decl(Fmt *f, const Decl *d, int indent)
{
	int in = indent + FMT_INDENT;
	Loc lo = fmt_prefixes(f, d->span, d->attrs, indent);
	switch (d->kind) {
	case DEC_VAL:
		fmt_val(f, &d->val, lo, indent);
		break;
	case DEC_TYPE:
		fmt_to(f, d->type.name_span.hi, in);
		fmt_params(f, d->type.params, in);
		fmt_part(f, lo, d->type.type->span, in);
		fmt_type(f, d->type.type, in);
		break;
	case DEC_MODULE:
		fmt_module(f, d, indent);
		break;
	case DEC_MODULE_TYPE:
		fmt_to(f, d->module_type.sig->span.lo, in);
		fmt_sig(f, d->module_type.sig, indent);
		break;
	case DEC_OPEN:
		fmt_to(f, d->open->span.lo, in);
		fmt_mod(f, d->open, indent);
		break;
	case DEC_IMPORT:
		break;
	}
	fmt_to(f, d->span.hi, in);
}

static void fmt_items(Fmt *f, Decls decls, bool one_line, int indent)
{
	const Span *before = NULL;
	for EACH(Decl *, p, decls) {
		const Decl *d = *p;
		int keyword = keyword_of(f, d->span, d->attrs, NULL);
		f->as_def[keyword] = d->kind == DEC_VAL && d->val.keyword == VAL_LET;
		start_item(f, d->span, before, one_line, indent);
		fmt_decl(f, d, indent);
		before = &d->span;
	}
}

void fmt_decls(Fmt *f, Decls decls)
{
	fmt_items(f, decls, false, 0);
	f->blanks = true;
}
