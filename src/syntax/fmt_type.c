// Layout of types, patterns, and bracketed lists of any kind.
//
// A list that is broken over lines looks like
//
//	{ name: i32
//	, next: []i64
//	}
//
// Records have one field a line.  Arrays and tuples keep the source's lines, so that tables
// of numbers stay tables, unless they stood on one line that is too long.
#include "syntax/fmt.h"

void fmt_list(Fmt *f, FmtList list, int indent)
{
	if (f->style == STYLE_FUTHARK) {
		fut_list(f, list, indent);
		return;
	}
	int open = fmt_token_at(f, list.span.lo), close = fmt_token_at(f, list.span.hi) - 1;
	int start = fmt_start(f, indent);
	bool too_long = fmt_too_long(f, list.span, start);
	if (list.len == 0 || (!too_long && fmt_one_line(f, list.span))) {
		fmt_to(f, list.span.hi, start);
		return;
	}
	for (int i = 1; i < list.len; i++) {
		int elem = fmt_token_at(f, list.part(list.of, i).lo), comma = elem - 1;
		f->brk[comma] |= f->brk[elem] || too_long || list.one_per_line;
		f->brk[elem] = false;
		if (f->brk[comma])
			f->gap[elem] = true;
	}
	// Only a comment keeps the first element off the bracket's line.
	f->brk[open + 1] = f->notes[open + 2] != f->notes[open + 1];
	f->gap[open + 1] = true;
	f->brk[close] = true;
	for (int i = 0; i < list.len; i++) {
		fmt_to(f, list.part(list.of, i).lo, start);
		list.each(f, list.of, i, start + FMT_INDENT);
	}
	fmt_to(f, list.span.hi, start);
}

// ---- Types ----

static Span tuple_type_span(const void *of, int i)
{
	return ((const TypeExpr *)of)->tuple.at[i]->span;
}

static void tuple_type_each(Fmt *f, const void *of, int i, int indent)
{
	fmt_type(f, ((const TypeExpr *)of)->tuple.at[i], indent);
}

static Span record_type_span(const void *of, int i)
{
	const FieldType *field = &((const TypeExpr *)of)->record.at[i];
	return span_join(field->span, field->type->span);
}

static void record_type_each(Fmt *f, const void *of, int i, int indent)
{
	fmt_type(f, ((const TypeExpr *)of)->record.at[i].type, indent);
}

FmtList fmt_type_list(const TypeExpr *t)
{
	if (t->kind == TE_TUPLE)
		return (FmtList){t->span, t->tuple.len, t, tuple_type_span, tuple_type_each, false};
	return (FmtList){t->span, t->record.len, t, record_type_span, record_type_each, true};
}

// #a t
// | #b
static void fmt_sum(Fmt *f, const TypeExpr *t, int start)
{
	if (fmt_too_long(f, t->span, start))
		for (int i = 1; i < t->sum.len; i++)
			f->brk[fmt_token_at(f, t->sum.at[i].span.lo) - 1] = true;
	for EACH(ConstrType, c, t->sum) {
		fmt_to(f, c->span.lo, start);
		for EACH(TypeExpr *, arg, c->args)
			fmt_type(f, *arg, start + 2 * FMT_INDENT);
	}
}

// a
// -> b
static void fmt_arrow(Fmt *f, const TypeExpr *t, int start)
{
	bool break_all = fmt_too_long(f, t->span, start);
	while (t->kind == TE_ARROW) {
		fmt_type(f, t->arrow.from, start);
		if (break_all)
			f->brk[fmt_token_at(f, t->arrow.to->span.lo) - 1] = true;
		t = t->arrow.to;
		fmt_to(f, t->span.lo, start);
	}
	fmt_type(f, t, start);
}

void fmt_type(Fmt *f, const TypeExpr *t, int indent)
{
	if (f->style == STYLE_FUTHARK) {
		fut_type(f, t, indent);
		return;
	}
	int start = fmt_start(f, indent);
	switch (t->kind) {
	case TE_NAME: case TE_SIZE:
		break;
	case TE_APPLY:
		fmt_type(f, t->apply.fn, indent);
		for EACH(TypeExpr *, arg, t->apply.args)
			fmt_type(f, *arg, start + FMT_INDENT);
		break;
	case TE_ARRAY:
		fmt_to(f, t->array.elem->span.lo, indent);
		fmt_type(f, t->array.elem, start + FMT_INDENT);
		break;
	case TE_TUPLE: case TE_RECORD:
		fmt_list(f, fmt_type_list(t), indent);
		break;
	case TE_SUM:
		fmt_sum(f, t, start);
		break;
	case TE_ARROW:
		fmt_arrow(f, t, start);
		break;
	case TE_UNIQUE: case TE_PAREN:
		fmt_to(f, t->inner->span.lo, indent);
		fmt_type(f, t->inner, start + 1);
		break;
	case TE_EXISTS:
		fmt_to(f, t->exists.type->span.lo, indent);
		fmt_type(f, t->exists.type, start + FMT_INDENT);
		break;
	}
	fmt_to(f, t->span.hi, start);
}

// ---- Patterns ----

static Span tuple_pat_span(const void *of, int i)
{
	return ((const Pat *)of)->tuple.at[i]->span;
}

static void tuple_pat_each(Fmt *f, const void *of, int i, int indent)
{
	fmt_pat(f, ((const Pat *)of)->tuple.at[i], indent);
}

static Span record_pat_span(const void *of, int i)
{
	const FieldPat *field = &((const Pat *)of)->record.at[i];
	return span_join(field->span, field->pat->span);
}

static void record_pat_each(Fmt *f, const void *of, int i, int indent)
{
	fmt_pat(f, ((const Pat *)of)->record.at[i].pat, indent);
}

FmtList fmt_pat_list(const Pat *p)
{
	if (p->kind == PAT_TUPLE)
		return (FmtList){p->span, p->tuple.len, p, tuple_pat_span, tuple_pat_each, false};
	return (FmtList){p->span, p->record.len, p, record_pat_span, record_pat_each, true};
}

void fmt_pats(Fmt *f, Pats pats, int indent)
{
	for EACH(Pat *, p, pats) {
		fmt_to(f, (*p)->span.lo, indent);
		fmt_pat(f, *p, indent);
	}
}

void fmt_pat(Fmt *f, const Pat *p, int indent)
{
	if (f->style == STYLE_FUTHARK) {
		fut_pat(f, p, indent);
		return;
	}
	int start = fmt_start(f, indent);
	switch (p->kind) {
	case PAT_NAME: case PAT_WILD: case PAT_LIT:
		break;
	case PAT_TUPLE: case PAT_RECORD:
		fmt_list(f, fmt_pat_list(p), indent);
		break;
	case PAT_CONSTR:
		fmt_to(f, p->constr.name_span.hi, indent);
		fmt_pats(f, p->constr.args, start + FMT_INDENT);
		break;
	case PAT_ASCRIBE:
		fmt_pat(f, p->ascribe.pat, indent);
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
