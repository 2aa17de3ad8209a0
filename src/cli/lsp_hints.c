// Inlay hints: types that are inferred, shown in the text of a document.
//
//     let ys = filter p xs           ys: [k]f64
//     def mean [n] (xs: [n]f64) = ...    : f64
#include "cli/lsp.h"

typedef struct { Str out; Loc lo, hi; } Hints;

enum { WIDEST = 60 };                           // of a hint: longer ones are in the way

static void put_hint(Hints *h, Loc at, Ty *t)
{
	if (at < h->lo || at > h->hi || !t || ty_resolve(t)->kind == TY_ERROR)
		return;
	const char *shown = show_ty(t);
	if (strlen(shown) > WIDEST)
		return;
	Place p = place_of(at);
	str_printf(&h->out, "%s{\"position\":{\"line\":%d,\"character\":%d},\"label\":%s,"
	           "\"kind\":1}", h->out.len > 1 ? "," : "", p.line, p.character,
	           json_string(text(": %s", shown)));
}

// The names of a pattern that no ascription is around.
static void hint_pat(Hints *h, const Pat *p)
{
	switch (p->kind) {
	case PAT_NAME:
		put_hint(h, p->span.hi, p->type);
		return;
	case PAT_PAREN:
		hint_pat(h, p->inner);
		return;
	case PAT_ATTR:
		hint_pat(h, p->attr.pat);
		return;
	case PAT_TUPLE:
		for EACH(Pat *, q, p->tuple)
			hint_pat(h, *q);
		return;
	case PAT_WILD: case PAT_LIT: case PAT_RECORD: case PAT_CONSTR: case PAT_ASCRIBE:
		return;
	}
}

static void hint_expr(void *ctx, Expr *e)
{
	if (e->kind == EX_LET)
		hint_pat(ctx, e->let.pat);
	else if (e->kind == EX_LOOP)
		hint_pat(ctx, e->loop.pat);
}

// The end of the parameters of a definition.
static Loc end_of_head(const ValDecl *v)
{
	Loc end = v->name_span.hi;
	for EACH(TypeParam, p, v->params)
		end = p->span.hi > end ? p->span.hi : end;
	for EACH(Pat *, p, v->pats)
		end = (*p)->span.hi > end ? (*p)->span.hi : end;
	return end;
}

// After an error the type of a result is a guess.
static bool has_error(Span span)
{
	for EACH(Diag *, d, diags)
		if ((*d)->kind == D_ERROR && (*d)->span.lo >= span.lo && (*d)->span.hi <= span.hi)
			return true;
	return false;
}

static void hint_decl(void *ctx, Decl *d)
{
	show_names_for(d->span);
	if (d->kind == DEC_VAL && !d->val.ret && !d->broken && d->val.body->type &&
	    !d->val.is_op && !has_error(d->span))
		put_hint(ctx, end_of_head(&d->val), d->val.ret_type);
}

const char *answer_inlay_hints(Ask *a)
{
	const Source *s = a->source;
	const Json *range = member(a->params, "range");
	Hints h = {.lo = s->start, .hi = s->start + s->len};
	if (range) {
		h.lo = s->start + (Loc)offset_of(s->text, s->len, member_int(range, "start.line"),
		                                 member_int(range, "start.character"));
		h.hi = s->start + (Loc)offset_of(s->text, s->len, member_int(range, "end.line"),
		                                 member_int(range, "end.character"));
	}
	str_putc(&h.out, '[');
	each_node(&(EachNode){.expr = hint_expr, .decl = hint_decl, .ctx = &h},
	          a->program->root->decls);
	str_putc(&h.out, ']');
	return str_text(&h.out);
}
