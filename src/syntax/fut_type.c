// Futhark's style: types, patterns, bracketed lists, the heads of definitions.
//
// The rules of the style, as the formatter of Futhark 0.27 has them:
//   - there is no line width: what the source has on one line stays on one line, and what it
//     has on several lines is broken at all joints of its construct;
//   - what is on later lines is aligned with what is on the first: arguments below the first
//     argument, parameters below the first parameter, operators, `then`, `in`, ... below the
//     start of their construct;
//   - lists broken over lines have their commas in front and the closing bracket on a line of
//     its own;
//   - a definition on several lines has its body on the lines after "=";
//   - at the top `let` is written `def`; an `in` before another `let` is left out;
//   - empty lines stay between declarations, where one of them takes several lines there is
//     one always, and there are none in expressions;
//   - a comment behind the last token of a line stays there; other comments go before the
//     next token, wherever that is.
// Where that formatter's choice is not known the line break of the source stays.
#include "syntax/fmt.h"

bool fut_spans(const Fmt *f, Loc lo, Loc hi)
{
	return !fmt_one_line(f, (Span){lo, hi});
}

bool fut_starts_line(const Fmt *f, Loc loc)
{
	int i = fmt_token_at(f, loc);
	return f->lines[i + 1] != f->lines[i] && f->notes[i + 1] == f->notes[i];
}

void fut_gap(Fmt *f, Loc loc, bool gap)
{
	int i = fmt_token_at(f, loc);
	f->gap[i] = gap;
	f->free_space[i] = true;
}

void fut_colon(Fmt *f, const TypeExpr *type, bool gap)
{
	int colon = fmt_token_at(f, type->span.lo) - 1;
	f->gap[colon] = gap;
	f->gap[colon + 1] = true;
}

void fut_part(Fmt *f, Loc lo, Span part, int indent)
{
	if (fut_spans(f, lo, part.hi))
		fmt_break_at(f, part.lo);
	fmt_to(f, part.lo, indent);
}

// ( a
// , b
// )
void fut_list(Fmt *f, FmtList list, int indent)
{
	int open = fmt_token_at(f, list.span.lo), close = fmt_token_at(f, list.span.hi) - 1;
	int start = fmt_start(f, indent);
	bool broken = list.len > 0 && !fmt_one_line(f, list.span);
	fmt_to(f, list.span.lo + 1, indent);
	f->gap[open + 1] = broken;
	f->gap[close] = false;
	f->brk[close] = broken;
	for (int i = 0; i < list.len; i++) {
		Loc lo = list.part(list.of, i).lo;
		if (i > 0)
			f->brk[fmt_token_at(f, lo) - 1] = broken;
		fmt_to(f, lo, start);
		list.each(f, list.of, i, start + FMT_INDENT);
	}
	fmt_to(f, list.span.hi, start);
}

void fut_params(Fmt *f, TypeParams params, int indent)
{
	for EACH(TypeParam, p, params) {
		fut_gap(f, p->span.lo, true);
		fmt_to(f, p->span.hi, indent);
	}
}

// def f [n] 't
//       (x: t)
//       (y: u) : r
void fut_head(Fmt *f, FutHead h, int indent)
{
	// Behind the name, and the parenthesis of an operator.
	int after = fmt_token_at(f, h.name.hi);
	after += f->tok[after].kind == TOK_RPAREN && f->tok[after - 1].kind == TOK_SYM;
	fmt_to(f, f->tok[after].span.lo, indent);
	int below = f->col + 1;
	bool broken = h.pats.len > 0
		&& fut_spans(f, h.name.lo, h.pats.at[h.pats.len - 1]->span.hi);
	fut_params(f, h.params, below);
	for (int i = 0; i < h.pats.len; i++) {
		const Pat *p = h.pats.at[i];
		fut_gap(f, p->span.lo, true);
		if (broken && (i > 0 || h.params.len > 0))
			fmt_break_at(f, p->span.lo);
		fmt_pat(f, p, below);
	}
	if (h.ret) {
		fut_colon(f, h.ret, true);
		fmt_to(f, h.ret->span.lo, below);
		fmt_type(f, h.ret, below);
	}
}

// ---- Types ----

// #a t
// | #b
static void fut_sum(Fmt *f, const TypeExpr *t, int indent, int start)
{
	bool broken = !fmt_one_line(f, t->span);
	fmt_to(f, t->span.lo + 1, indent);
	for (int i = 0; i < t->sum.len; i++) {
		const ConstrType *c = &t->sum.at[i];
		if (i > 0)
			f->brk[fmt_token_at(f, c->span.lo) - 1] = broken;
		fmt_to(f, c->span.lo + 1, start);
		for EACH(TypeExpr *, arg, c->args) {
			fut_gap(f, (*arg)->span.lo, true);
			fmt_type(f, *arg, start + 2 * FMT_INDENT);
		}
	}
}

// a
// -> b
static void fut_arrow(Fmt *f, const TypeExpr *t, int indent, int start)
{
	bool broken = !fmt_one_line(f, t->span);
	while (t->kind == TE_ARROW) {
		if (t->arrow.param)
			fut_colon(f, t->arrow.from, false);
		fmt_to(f, t->arrow.from->span.lo, indent);
		fmt_type(f, t->arrow.from, indent);
		indent = start;
		f->brk[fmt_token_at(f, t->arrow.to->span.lo) - 1] = broken;
		t = t->arrow.to;
		fmt_to(f, t->span.lo, start);
	}
	fmt_type(f, t, start);
}

// ?[n][m].t
static void fut_exists(Fmt *f, const TypeExpr *t, int indent, int start)
{
	fmt_to(f, t->span.lo + 1, indent);
	for EACH(TypeParam, p, t->exists.sizes)
		fut_gap(f, p->span.lo, false);
	int type = fmt_token_at(f, t->exists.type->span.lo);
	f->gap[type] = f->gap[type - 1] = false;
	fmt_to(f, t->exists.type->span.lo, start);
	fmt_type(f, t->exists.type, start);
}

// [n]t
static void fut_array(Fmt *f, const TypeExpr *t, int indent, int start)
{
	fmt_to(f, t->span.lo + 1, indent);
	if (t->array.size)
		fmt_expr(f, t->array.size, start + 1);
	fut_gap(f, t->array.elem->span.lo, false);
	fmt_to(f, t->array.elem->span.lo, start);
	fmt_type(f, t->array.elem, start);
}

// x: t
static void fut_field_type(Fmt *f, const void *of, int i, int indent)
{
	const TypeExpr *type = ((const TypeExpr *)of)->record.at[i].type;
	fut_colon(f, type, false);
	fmt_to(f, type->span.lo, indent);
	fmt_type(f, type, indent + FMT_INDENT);
}

static void fut_bracketed_type(Fmt *f, const TypeExpr *t, int indent)
{
	FmtList list = fmt_type_list(t);
	if (t->kind == TE_RECORD)
		list.each = fut_field_type;
	fut_list(f, list, indent);
}

void fut_type(Fmt *f, const TypeExpr *t, int indent)
{
	int start = fmt_start(f, indent);
	switch (t->kind) {
	case TE_NAME:
		fmt_to(f, t->span.hi, indent);
		break;
	case TE_SIZE:
		fmt_to(f, t->span.lo + 1, indent);
		if (t->size)
			fmt_expr(f, t->size, start + 1);
		break;
	case TE_APPLY:
		fmt_type(f, t->apply.fn, indent);
		for EACH(TypeExpr *, arg, t->apply.args) {
			fut_gap(f, (*arg)->span.lo, true);
			fmt_type(f, *arg, start + FMT_INDENT);
		}
		break;
	case TE_ARRAY:
		fut_array(f, t, indent, start);
		break;
	case TE_TUPLE: case TE_RECORD:
		fut_bracketed_type(f, t, indent);
		break;
	case TE_SUM:
		fut_sum(f, t, indent, start);
		break;
	case TE_ARROW:
		fut_arrow(f, t, indent, start);
		break;
	case TE_UNIQUE: case TE_PAREN:
		fmt_to(f, t->inner->span.lo, indent);
		f->gap[f->next] = false;
		f->free_space[f->next] = true;
		fmt_type(f, t->inner, start + 1);
		break;
	case TE_EXISTS:
		fut_exists(f, t, indent, start);
		break;
	}
	fmt_to(f, t->span.hi, start);
}

// ---- Patterns ----

static void fut_constr_pat(Fmt *f, const Pat *p, int indent, int start)
{
	fmt_to(f, p->constr.name_span.hi, indent);
	for EACH(Pat *, arg, p->constr.args)
		fmt_pat(f, *arg, start + FMT_INDENT);
}

void fut_pat(Fmt *f, const Pat *p, int indent)
{
	int start = fmt_start(f, indent);
	switch (p->kind) {
	case PAT_NAME: case PAT_WILD: case PAT_LIT:
		fmt_to(f, p->span.hi, indent);
		break;
	case PAT_TUPLE: case PAT_RECORD:
		fut_list(f, fmt_pat_list(p), indent);
		break;
	case PAT_CONSTR:
		fut_constr_pat(f, p, indent, start);
		break;
	case PAT_ASCRIBE:
		fmt_pat(f, p->ascribe.pat, indent);
		fut_colon(f, p->ascribe.type, false);
		fmt_to(f, p->ascribe.type->span.lo, start);
		fmt_type(f, p->ascribe.type, start + FMT_INDENT);
		break;
	case PAT_ATTR:
		fmt_to(f, p->attr.pat->span.lo, indent);
		fmt_pat(f, p->attr.pat, start);
		break;
	case PAT_PAREN:
		fmt_to(f, p->inner->span.lo, indent);
		fmt_pat(f, p->inner, start + 1);
		break;
	}
	fmt_to(f, p->span.hi, start);
}
