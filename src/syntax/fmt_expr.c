// Layout of expressions.
//
// A construct is laid out around `start`, the column of its first token: its keywords and
// operators go below that column, its parts two columns further in.  One that stood on one
// line and is too long gets its joints broken first; the parts then decide for themselves.
#include "syntax/fmt.h"

// ---- Lists ----

static Span tuple_span(const void *of, int i)
{
	const Expr *e = of;
	return e->kind == EX_ARRAY ? e->array.at[i]->span : e->tuple.at[i]->span;
}

static void tuple_each(Fmt *f, const void *of, int i, int indent)
{
	const Expr *e = of;
	fmt_expr(f, e->kind == EX_ARRAY ? e->array.at[i] : e->tuple.at[i], indent);
}

static Span record_span(const void *of, int i)
{
	const FieldExpr *field = &((const Expr *)of)->record.at[i];
	return span_join(field->span, field->value->span);
}

static void record_each(Fmt *f, const void *of, int i, int indent)
{
	const FieldExpr *field = &((const Expr *)of)->record.at[i];
	fmt_to(f, field->value->span.lo, indent);
	fmt_expr(f, field->value, indent);
}

FmtList fmt_expr_list(const Expr *e)
{
	if (e->kind == EX_RECORD)
		return (FmtList){e->span, e->record.len, e, record_span, record_each, true};
	int len = e->kind == EX_ARRAY ? e->array.len : e->tuple.len;
	return (FmtList){e->span, len, e, tuple_span, tuple_each, false};
}

void fmt_indices(Fmt *f, Indices idx, int indent)
{
	for EACH(Index, i, idx) {
		const Expr *parts[] = {i->index, i->from, i->to, i->step};
		for (int k = 0; k < 4; k++) {
			if (!parts[k])
				continue;
			fmt_to(f, parts[k]->span.lo, indent);
			fmt_expr(f, parts[k], indent);
		}
	}
}

void fmt_path(Fmt *f, Path path, int indent)
{
	for EACH(PathStep, step, path)
		if (!step->is_field)
			fmt_indices(f, step->idx, indent);
}

// ---- Application and operators ----

// f
//   x
//   y
static void fmt_application(Fmt *f, const Expr *e, Exprs args, int start)
{
	int last = args.len - 1;
	bool hangs = last >= 0 && args.at[last]->kind == EX_LAMBDA;
	if (fmt_too_long(f, e->span, start))
		for (int i = 0; i < args.len - hangs; i++)
			fmt_break_at(f, args.at[i]->span.lo);
	for EACH(Expr *, arg, args)
		fmt_expr(f, *arg, start + FMT_INDENT);
}

// The left spine of operators is laid out as one chain:
//	a
//	+ b
//	+ c
// A too long chain breaks before the operators on its own line only; operands that bind
// tighter decide for themselves.
static void fmt_binop(Fmt *f, const Expr *e, int start)
{
	bool break_all = fmt_too_long(f, e->span, start);
	VEC(const Expr *) spine = {0};
	const Expr *left = e;
	for (; left->kind == EX_BINOP; left = left->binop.a)
		VEC_PUSH(&spine, left);
	fmt_expr(f, left, start);
	for (int i = spine.len; i-- > 0;) {
		const Expr *op = spine.at[i];
		if (break_all)
			fmt_break_at(f, op->binop.op.span.lo);
		fmt_to(f, op->binop.b->span.lo, start);
		fmt_expr(f, op->binop.b, start);
	}
}

static void fmt_section(Fmt *f, const Expr *e, int start)
{
	fmt_to(f, e->section.arg->span.lo, start);
	fmt_expr(f, e->section.arg, start + 1);
}

// ---- Control ----

// if c
// then a
// else b
static void fmt_if(Fmt *f, const Expr *e, int start)
{
	bool break_all = fmt_too_long(f, e->span, start);
	for (;;) {
		if (break_all) {
			f->brk[fmt_token_at(f, e->if_.yes->span.lo) - 1] = true;
			f->brk[fmt_token_at(f, e->if_.no->span.lo) - 1] = true;
		}
		fmt_to(f, e->if_.cond->span.lo, start);
		fmt_expr(f, e->if_.cond, start + FMT_INDENT);
		fmt_to(f, e->if_.yes->span.lo, start);
		fmt_expr(f, e->if_.yes, start + FMT_INDENT);
		fmt_to(f, e->if_.no->span.lo, start);
		// A chain of `else if` stays in its column.
		if (e->if_.no->kind != EX_IF || f->brk[f->next])
			break;
		e = e->if_.no;
	}
	fmt_expr(f, e->if_.no, start + FMT_INDENT);
}

// match x
// case p -> a
// case q -> b
static void fmt_match(Fmt *f, const Expr *e, int start)
{
	bool break_all = fmt_too_long(f, e->span, start) || !fmt_one_line(f, e->span);
	fmt_to(f, e->match.of->span.lo, start);
	fmt_expr(f, e->match.of, start + FMT_INDENT);
	for EACH(Case, c, e->match.cases) {
		if (break_all)
			fmt_break_at(f, c->span.lo);
		fmt_to(f, c->pat->span.lo, start);
		fmt_pat(f, c->pat, start + 2 * FMT_INDENT);
		fmt_to(f, c->body->span.lo, start + FMT_INDENT);
		fmt_value(f, c->body, start);
	}
}

// loop p = e for i < n do
//   body
static void fmt_loop(Fmt *f, const Expr *e, int start)
{
	if (fmt_too_long(f, e->span, start))
		fmt_break_at(f, e->loop.body->span.lo);
	fmt_to(f, e->loop.pat->span.lo, start);
	fmt_pat(f, e->loop.pat, start + FMT_INDENT);
	if (e->loop.init) {
		fmt_to(f, e->loop.init->span.lo, start + FMT_INDENT);
		fmt_expr(f, e->loop.init, start + FMT_INDENT);
	}
	if (e->loop.elem) {
		fmt_to(f, e->loop.elem->span.lo, start);
		fmt_pat(f, e->loop.elem, start + FMT_INDENT);
	}
	fmt_to(f, e->loop.bound->span.lo, start);
	fmt_expr(f, e->loop.bound, start + FMT_INDENT);
	fmt_to(f, e->loop.body->span.lo, start);
	fmt_expr(f, e->loop.body, start + FMT_INDENT);
}

static void fmt_lambda(Fmt *f, const Expr *e, int start)
{
	if (fmt_too_long(f, e->span, start))
		fmt_break_at(f, e->lambda.body->span.lo);
	fmt_pats(f, e->lambda.pats, start + FMT_INDENT);
	if (e->lambda.ret) {
		fmt_to(f, e->lambda.ret->span.lo, start + FMT_INDENT);
		fmt_type(f, e->lambda.ret, start + FMT_INDENT);
	}
	fmt_to(f, e->lambda.body->span.lo, start);
	fmt_expr(f, e->lambda.body, start + FMT_INDENT);
}

// ---- Let ----

// The binding of one let up to its value's end; returns what follows it.
static const Expr *fmt_binding(Fmt *f, const Expr *e, int start, bool *has_in)
{
	const Expr *value, *body;
	fmt_to(f, e->span.lo + 1, start);
	if (e->kind == EX_LET) {
		fmt_to(f, e->let.pat->span.lo, start + FMT_INDENT);
		fmt_pat(f, e->let.pat, start + FMT_INDENT);
		value = e->let.value;
		body = e->let.body;
		*has_in = e->let.has_in;
	} else if (e->kind == EX_LET_FUN) {
		fmt_pats(f, e->let_fun.pats, start + 2 * FMT_INDENT);
		if (e->let_fun.ret) {
			fmt_to(f, e->let_fun.ret->span.lo, start + 2 * FMT_INDENT);
			fmt_type(f, e->let_fun.ret, start + 2 * FMT_INDENT);
		}
		value = e->let_fun.value;
		body = e->let_fun.body;
		*has_in = e->let_fun.has_in;
	} else {
		fmt_path(f, e->let_update.path, start + FMT_INDENT);
		value = e->let_update.value;
		body = e->let_update.body;
		*has_in = e->let_update.has_in;
	}
	fmt_to(f, value->span.lo, start + FMT_INDENT);
	fmt_value(f, value, start);
	return body;
}

bool fmt_is_let(const Expr *e)
{
	return e->kind == EX_LET || e->kind == EX_LET_FUN || e->kind == EX_LET_UPDATE;
}

// let x = a
// let y = b
// in c
static void fmt_let(Fmt *f, const Expr *e, int start)
{
	bool break_all = fmt_too_long(f, e->span, start);
	while (fmt_is_let(e)) {
		bool has_in;
		const Expr *body = fmt_binding(f, e, start, &has_in);
		int in = fmt_token_at(f, body->span.lo) - 1;
		if (break_all && fmt_is_let(body))
			fmt_break_at(f, body->span.lo);
		else if (break_all && has_in)
			f->brk[in] = true;
		fmt_to(f, body->span.lo, start);
		// A let after an `in` on the same line starts a chain of its own.
		if (fmt_is_let(body) && has_in && f->brk[in] && !f->brk[f->next])
			start = fmt_start(f, start);
		e = body;
	}
	fmt_expr(f, e, start);
}

// Forms that are clearer on lines of their own when they take several.
static bool is_block(const Expr *e)
{
	return fmt_is_let(e) || e->kind == EX_IF || e->kind == EX_MATCH || e->kind == EX_LOOP
		|| e->kind == EX_BINOP;
}

void fmt_value(Fmt *f, const Expr *e, int indent)
{
	int first = fmt_token_at(f, e->span.lo), end = fmt_token_at(f, e->span.hi);
	int deeper = indent + FMT_INDENT;
	if (!f->brk[first] && fmt_too_long(f, e->span, f->col + 1)
	    && deeper + f->width[end] - f->width[first] <= FMT_WIDTH)
		f->brk[first] = true;
	if (is_block(e) && (!fmt_one_line(f, e->span) || fmt_too_long(f, e->span, f->col + 1)))
		f->brk[first] = true;
	fmt_expr(f, e, deeper);
}

// ---- All forms ----

static void fmt_update(Fmt *f, const Expr *e, int indent, int start)
{
	fmt_expr(f, e->update.of, indent);
	fmt_path(f, e->update.path, start + FMT_INDENT);
	fmt_to(f, e->update.value->span.lo, start + FMT_INDENT);
	fmt_expr(f, e->update.value, start + FMT_INDENT);
}

static void fmt_range(Fmt *f, const Expr *e, int indent, int start)
{
	fmt_expr(f, e->range.from, indent);
	if (e->range.second) {
		fmt_to(f, e->range.second->span.lo, start);
		fmt_expr(f, e->range.second, start + FMT_INDENT);
	}
	fmt_to(f, e->range.to->span.lo, start);
	fmt_expr(f, e->range.to, start + FMT_INDENT);
}

void fmt_expr(Fmt *f, const Expr *e, int indent)
{
	if (f->style == STYLE_FUTHARK) {
		fut_expr(f, e, indent);
		return;
	}
	int start = fmt_start(f, indent);
	switch (e->kind) {
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING: case EX_VAR:
	case EX_HOLE:
		break;
	case EX_PAREN: case EX_NEG: case EX_NOT:
		fmt_to(f, e->inner->span.lo, indent);
		fmt_expr(f, e->inner, start + 1);
		break;
	case EX_TUPLE: case EX_ARRAY: case EX_RECORD:
		fmt_list(f, fmt_expr_list(e), indent);
		break;
	case EX_PROJECT:
		fmt_expr(f, e->project.of, indent);
		fmt_to(f, e->span.hi, start + FMT_INDENT);
		break;
	case EX_INDEX:
		fmt_expr(f, e->index.of, indent);
		fmt_indices(f, e->index.idx, start + FMT_INDENT);
		break;
	case EX_OPEN:
		fmt_to(f, e->open.body->span.lo, indent);
		fmt_expr(f, e->open.body, start + FMT_INDENT);
		break;
	case EX_APPLY:
		fmt_expr(f, e->apply.fn, indent);
		fmt_application(f, e, e->apply.args, start);
		break;
	case EX_CONSTR:
		fmt_to(f, e->constr.name_span.hi, indent);
		fmt_application(f, e, e->constr.args, start);
		break;
	case EX_BINOP:
		fmt_binop(f, e, start);
		break;
	case EX_ASCRIBE: case EX_COERCE:
		fmt_expr(f, e->ascribe.of, indent);
		fmt_to(f, e->ascribe.type->span.lo, start + FMT_INDENT);
		fmt_type(f, e->ascribe.type, start + FMT_INDENT);
		break;
	case EX_RANGE:
		fmt_range(f, e, indent, start);
		break;
	case EX_IF:
		fmt_if(f, e, start);
		break;
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE:
		fmt_let(f, e, start);
		break;
	case EX_LAMBDA:
		fmt_lambda(f, e, start);
		break;
	case EX_LOOP:
		fmt_loop(f, e, start);
		break;
	case EX_MATCH:
		fmt_match(f, e, start);
		break;
	case EX_ASSERT:
		fmt_to(f, e->assert_.cond->span.lo, indent);
		fmt_expr(f, e->assert_.cond, start + FMT_INDENT);
		fmt_expr(f, e->assert_.body, start + FMT_INDENT);
		break;
	case EX_UPDATE:
		fmt_update(f, e, indent, start);
		break;
	case EX_ATTR:
		fmt_to(f, e->attr.body->span.lo, start);
		fmt_expr(f, e->attr.body, start);
		break;
	case EX_SECTION_L: case EX_SECTION_R:
		fmt_section(f, e, start);
		break;
	case EX_SECTION_PATH:
		fmt_path(f, e->path, start + FMT_INDENT);
		break;
	}
	fmt_to(f, e->span.hi, start);
}
