// The formatter: types, patterns, bracketed lists, the heads of definitions.
#include "syntax/fmt.h"

bool fmt_spans(const Fmt *f, Loc lo, Loc hi)
{
	return !fmt_one_line(f, (Span){lo, hi});
}

bool fmt_starts_line(const Fmt *f, Loc loc)
{
	int i = fmt_token_at(f, loc);
	return f->lines[i + 1] != f->lines[i] && f->notes[i + 1] == f->notes[i];
}

void fmt_gap(Fmt *f, Loc loc, bool gap)
{
	int i = fmt_token_at(f, loc);
	f->gap[i] = gap;
	f->free_space[i] = true;
}

void fmt_colon(Fmt *f, const TypeExpr *type, bool gap)
{
	int colon = fmt_token_at(f, type->span.lo) - 1;
	f->gap[colon] = gap;
	f->gap[colon + 1] = true;
}

void fmt_part(Fmt *f, Loc lo, Span part, int indent)
{
	if (fmt_spans(f, lo, part.hi))
		fmt_break_at(f, part.lo);
	fmt_to(f, part.lo, indent);
}

// ( a
// , b
// )
void fmt_list(Fmt *f, FmtList list, int indent)
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

void fmt_params(Fmt *f, TypeParams params, int indent)
{
	for EACH(TypeParam, p, params) {
		fmt_gap(f, p->span.lo, true);
		fmt_to(f, p->span.hi, indent);
	}
}

// def f [n] 't
//       (x: t)
//       (y: u) : r
void fmt_head(Fmt *f, FmtHead h, int indent)
{
	// Behind the name, and the parenthesis of an operator.
	int after = fmt_token_at(f, h.name.hi);
	after += f->tok[after].kind == TOK_RPAREN && f->tok[after - 1].kind == TOK_SYM;
	fmt_to(f, f->tok[after].span.lo, indent);
	int below = f->col + 1;
	bool broken = h.pats.len > 0
		&& fmt_spans(f, h.name.lo, h.pats.at[h.pats.len - 1]->span.hi);
	fmt_params(f, h.params, below);
	for (int i = 0; i < h.pats.len; i++) {
		const Pat *p = h.pats.at[i];
		fmt_gap(f, p->span.lo, true);
		if (broken && (i > 0 || h.params.len > 0))
			fmt_break_at(f, p->span.lo);
		fmt_pat(f, p, below);
	}
	if (h.ret) {
		fmt_colon(f, h.ret, true);
		fmt_to(f, h.ret->span.lo, below);
		fmt_type(f, h.ret, below);
	}
}

// ---- Types ----

// #a t
// | #b
static void fmt_sum(Fmt *f, const TypeExpr *t, int indent, int start)
{
	bool broken = !fmt_one_line(f, t->span);
	fmt_to(f, t->span.lo + 1, indent);
	for (int i = 0; i < t->sum.len; i++) {
		const ConstrType *c = &t->sum.at[i];
		if (i > 0)
			f->brk[fmt_token_at(f, c->span.lo) - 1] = broken;
		fmt_to(f, c->span.lo + 1, start);
		for EACH(TypeExpr *, arg, c->args) {
			fmt_gap(f, (*arg)->span.lo, true);
			fmt_type(f, *arg, start + 2 * FMT_INDENT);
		}
	}
}

// a
// -> b
static void fmt_arrow(Fmt *f, const TypeExpr *t, int indent, int start)
{
	bool broken = !fmt_one_line(f, t->span);
	while (t->kind == TE_ARROW) {
		if (t->arrow.param)
			fmt_colon(f, t->arrow.from, false);
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
static void fmt_exists(Fmt *f, const TypeExpr *t, int indent, int start)
{
	fmt_to(f, t->span.lo + 1, indent);
	for EACH(TypeParam, p, t->exists.sizes)
		fmt_gap(f, p->span.lo, false);
	int type = fmt_token_at(f, t->exists.type->span.lo);
	f->gap[type] = f->gap[type - 1] = false;
	fmt_to(f, t->exists.type->span.lo, start);
	fmt_type(f, t->exists.type, start);
}

// [n]t
static void fmt_array(Fmt *f, const TypeExpr *t, int indent, int start)
{
	fmt_to(f, t->span.lo + 1, indent);
	if (t->array.size)
		fmt_expr(f, t->array.size, start + 1);
	fmt_gap(f, t->array.elem->span.lo, false);
	fmt_to(f, t->array.elem->span.lo, start);
	fmt_type(f, t->array.elem, start);
}

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

// x: t
static void record_type_each(Fmt *f, const void *of, int i, int indent)
{
	const TypeExpr *type = ((const TypeExpr *)of)->record.at[i].type;
	fmt_colon(f, type, false);
	fmt_to(f, type->span.lo, indent);
	fmt_type(f, type, indent + FMT_INDENT);
}

static FmtList type_list(const TypeExpr *t)
{
	if (t->kind == TE_TUPLE)
		return (FmtList){t->span, t->tuple.len, t, tuple_type_span, tuple_type_each};
	return (FmtList){t->span, t->record.len, t, record_type_span, record_type_each};
}

void fmt_type(Fmt *f, const TypeExpr *t, int indent)
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
			fmt_gap(f, (*arg)->span.lo, true);
			fmt_type(f, *arg, start + FMT_INDENT);
		}
		break;
	case TE_ARRAY:
		fmt_array(f, t, indent, start);
		break;
	case TE_TUPLE: case TE_RECORD:
		fmt_list(f, type_list(t), indent);
		break;
	case TE_SUM:
		fmt_sum(f, t, indent, start);
		break;
	case TE_ARROW:
		fmt_arrow(f, t, indent, start);
		break;
	case TE_UNIQUE: case TE_PAREN:
		fmt_to(f, t->inner->span.lo, indent);
		f->gap[f->next] = false;
		f->free_space[f->next] = true;
		fmt_type(f, t->inner, start + 1);
		break;
	case TE_EXISTS:
		fmt_exists(f, t, indent, start);
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

static FmtList pat_list(const Pat *p)
{
	if (p->kind == PAT_TUPLE)
		return (FmtList){p->span, p->tuple.len, p, tuple_pat_span, tuple_pat_each};
	return (FmtList){p->span, p->record.len, p, record_pat_span, record_pat_each};
}

void fmt_pats(Fmt *f, Pats pats, int indent)
{
	for EACH(Pat *, p, pats) {
		fmt_to(f, (*p)->span.lo, indent);
		fmt_pat(f, *p, indent);
	}
}

static void fmt_constr_pat(Fmt *f, const Pat *p, int indent, int start)
{
	fmt_to(f, p->constr.name_span.hi, indent);
	fmt_pats(f, p->constr.args, start + FMT_INDENT);
}

void fmt_pat(Fmt *f, const Pat *p, int indent)
{
	int start = fmt_start(f, indent);
	switch (p->kind) {
	case PAT_NAME: case PAT_WILD: case PAT_LIT:
		fmt_to(f, p->span.hi, indent);
		break;
	case PAT_TUPLE: case PAT_RECORD:
		fmt_list(f, pat_list(p), indent);
		break;
	case PAT_CONSTR:
		fmt_constr_pat(f, p, indent, start);
		break;
	case PAT_ASCRIBE:
		fmt_pat(f, p->ascribe.pat, indent);
		fmt_colon(f, p->ascribe.type, false);
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
