// The formatter: expressions.
#include "syntax/fmt.h"

// ---- Brackets ----

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

// A field on several lines keeps its value where the source has it.
static void record_each(Fmt *f, const void *of, int i, int indent)
{
	const FieldExpr *field = &((const Expr *)of)->record.at[i];
	const Expr *value = field->value;
	if (!field->punned) {
		if (fmt_starts_line(f, value->span.lo))
			fmt_break_at(f, value->span.lo);
		fmt_to(f, value->span.lo, indent + FMT_INDENT);
	}
	fmt_expr(f, value, indent + FMT_INDENT);
}

static FmtList expr_list(const Expr *e)
{
	if (e->kind == EX_RECORD)
		return (FmtList){e->span, e->record.len, e, record_span, record_each};
	int len = e->kind == EX_ARRAY ? e->array.len : e->tuple.len;
	return (FmtList){e->span, len, e, tuple_span, tuple_each};
}

static void fmt_indices(Fmt *f, Indices idx, int indent)
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

static void fmt_path(Fmt *f, Path path, int indent)
{
	for EACH(PathStep, step, path)
		if (!step->is_field)
			fmt_indices(f, step->idx, indent);
}

// (e), m.(e).  The source may have the parentheses on lines of their own.
static void fmt_paren(Fmt *f, const Expr *e, const Expr *inner, int indent)
{
	bool apart = fmt_starts_line(f, inner->span.lo);
	fmt_to(f, inner->span.lo, indent);
	f->brk[f->next] = apart;
	fmt_expr(f, inner, apart ? indent + FMT_INDENT : f->col);
	f->brk[f->next] = apart;
	fmt_to(f, e->span.hi, indent);
}

// ---- Application and operators ----

// f x
//   y
static void fmt_args(Fmt *f, Exprs args)
{
	if (args.len == 0)
		return;
	int first = fmt_token_at(f, args.at[0]->span.lo);
	int last = fmt_token_at(f, args.at[args.len - 1]->span.lo);
	bool broken = f->lines[last + 1] != f->lines[first + 1];
	int below = f->col + 1;
	for (int i = 0; i < args.len; i++) {
		int at = fmt_token_at(f, args.at[i]->span.lo);
		f->brk[at] = broken && i > 0;
		fmt_expr(f, args.at[i], below);
	}
}

static bool same_operator(const Expr *a, const Expr *b)
{
	QualName p = a->binop.op, q = b->binop.op;
	bool same = p.name == q.name && p.quals.len == q.quals.len;
	for (int i = 0; same && i < p.quals.len; i++)
		same = p.quals.at[i] == q.quals.at[i];
	return same;
}

// a
// + b
// + c
// What the same operator joins is one chain, however it associates.
static void fmt_binop(Fmt *f, const Expr *e, int indent, int start)
{
	typedef struct { const Expr *e; bool is_operator; } Part;
	bool broken = !fmt_one_line(f, e->span), first = true;
	VEC(Part) stack = {0};
	VEC_PUSH(&stack, ((Part){e, false}));
	while (stack.len) {
		Part part = stack.at[--stack.len];
		if (part.is_operator) {
			int op = fmt_token_at(f, part.e->binop.op.span.lo);
			op -= f->tok[op - 1].kind == TOK_BACKTICK;
			f->brk[op] = broken;
			fmt_to(f, part.e->binop.b->span.lo, start);
		} else if (part.e->kind == EX_BINOP && same_operator(part.e, e)) {
			VEC_PUSH(&stack, ((Part){part.e->binop.b, false}));
			VEC_PUSH(&stack, ((Part){part.e, true}));
			VEC_PUSH(&stack, ((Part){part.e->binop.a, false}));
		} else {
			fmt_expr(f, part.e, first ? indent : start);
			first = false;
		}
	}
}

// (+ x)  (x +)
static void fmt_section(Fmt *f, const Expr *e, int indent)
{
	const Expr *arg = e->section.arg;
	int op = fmt_token_at(f, e->section.op.span.lo);
	if (e->kind == EX_SECTION_R) {
		f->gap[fmt_token_at(f, arg->span.lo)] = true;
		f->free_space[fmt_token_at(f, arg->span.lo)] = true;
	} else {
		f->gap[op - (f->tok[op - 1].kind == TOK_BACKTICK)] = true;
	}
	fmt_to(f, arg->span.lo, indent);
	fmt_expr(f, arg, f->col);
}

// a..b...c  No space goes where two symbols would become one.
static void fmt_range_part(Fmt *f, const Expr *part, int start)
{
	int i = fmt_token_at(f, part->span.lo);
	f->gap[i - 1] = false;
	f->gap[i] = f->tok[i].kind == TOK_SYM || f->tok[i].kind == TOK_DOT;
	fmt_to(f, part->span.lo, start);
	fmt_expr(f, part, start + FMT_INDENT);
}

// e
// :> t
static void fmt_ascribe(Fmt *f, const Expr *e, int indent, int start)
{
	fmt_expr(f, e->ascribe.of, indent);
	fmt_colon(f, e->ascribe.type, true);
	f->brk[f->next] = !fmt_one_line(f, e->span);
	fmt_to(f, e->ascribe.type->span.lo, start);
	fmt_type(f, e->ascribe.type, start + FMT_INDENT);
}

// e with a = x
//   with b = y
static void fmt_update(Fmt *f, const Expr *e, int indent)
{
	bool broken = !fmt_one_line(f, e->span);
	VEC(const Expr *) chain = {0};
	const Expr *of = e;
	for (; of->kind == EX_UPDATE; of = of->update.of)
		VEC_PUSH(&chain, of);
	fmt_expr(f, of, indent);
	int below = f->col + 1;
	for (int i = chain.len; i-- > 0;) {
		const Expr *value = chain.at[i]->update.value;
		f->brk[f->next] = broken && i < chain.len - 1;
		fmt_to(f, f->tok[f->next].span.hi, below);
		fmt_path(f, chain.at[i]->update.path, below + FMT_INDENT);
		if (fmt_starts_line(f, value->span.lo))
			fmt_break_at(f, value->span.lo);
		fmt_to(f, value->span.lo, below + FMT_INDENT);
		fmt_expr(f, value, below + FMT_INDENT);
	}
}

// ---- Control ----

// if c
// then a
// else b
static void fmt_if(Fmt *f, const Expr *e, int indent, int start)
{
	for (;;) {
		bool broken = !fmt_one_line(f, e->span);
		f->brk[fmt_token_at(f, e->if_.yes->span.lo) - 1] = broken;
		f->brk[fmt_token_at(f, e->if_.no->span.lo) - 1] = broken;
		fmt_to(f, e->if_.cond->span.lo, indent);
		fmt_expr(f, e->if_.cond, f->col + 1);
		fmt_to(f, e->if_.yes->span.lo, start);
		fmt_expr(f, e->if_.yes, f->col + 1);
		fmt_to(f, e->if_.no->span.lo, start);
		// A chain of `else if` stays in its column.
		if (e->if_.no->kind != EX_IF)
			break;
		e = e->if_.no;
	}
	fmt_expr(f, e->if_.no, f->col + 1);
}

// match x
// case p -> a
// case q ->
//   b
static void fmt_match(Fmt *f, const Expr *e, int indent, int start)
{
	bool broken = !fmt_one_line(f, e->span);
	fmt_to(f, e->match.of->span.lo, indent);
	fmt_expr(f, e->match.of, f->col + 1);
	for EACH(Case, c, e->match.cases) {
		f->brk[fmt_token_at(f, c->span.lo)] = broken;
		fmt_to(f, c->pat->span.lo, start);
		fmt_pat(f, c->pat, f->col + 1);
		fmt_part(f, c->span.lo, c->body->span, start + FMT_INDENT);
		fmt_expr(f, c->body, start + FMT_INDENT);
	}
}

// loop p = e
// for i < n do
//   body
static void fmt_loop(Fmt *f, const Expr *e, int indent, int start)
{
	const Pat *pat = e->loop.pat;
	const Expr *init = e->loop.init;
	bool broken = !fmt_one_line(f, e->span);
	fmt_to(f, pat->span.lo, indent);
	int below = f->col + 1;
	fmt_pat(f, pat, below);
	if (init) {
		fmt_part(f, pat->span.lo, init->span, below + FMT_INDENT);
		fmt_expr(f, init, below + FMT_INDENT);
	}
	f->brk[f->next] = broken && (init || fmt_starts_line(f, f->tok[f->next].span.lo));
	fmt_to(f, f->tok[f->next].span.hi, start);
	if (e->loop.elem) {
		fmt_to(f, e->loop.elem->span.lo, start);
		fmt_pat(f, e->loop.elem, f->col + 1);
	}
	fmt_to(f, e->loop.bound->span.lo, start);
	fmt_expr(f, e->loop.bound, f->col + 1);
	f->brk[fmt_token_at(f, e->loop.body->span.lo)] = broken;
	fmt_to(f, e->loop.body->span.lo, start + FMT_INDENT);
	fmt_expr(f, e->loop.body, start + FMT_INDENT);
}

// \x ->
//   body
static void fmt_lambda(Fmt *f, const Expr *e, int indent, int start)
{
	fmt_to(f, e->span.lo + 1, indent);
	for EACH(Pat *, p, e->lambda.pats)
		fmt_pat(f, *p, start + FMT_INDENT);
	if (e->lambda.ret) {
		fmt_colon(f, e->lambda.ret, true);
		fmt_to(f, e->lambda.ret->span.lo, start + FMT_INDENT);
		fmt_type(f, e->lambda.ret, start + FMT_INDENT);
	}
	fmt_part(f, e->span.lo, e->lambda.body->span, start + FMT_INDENT);
	fmt_expr(f, e->lambda.body, start + FMT_INDENT);
}

// ---- Let ----

static bool is_let(const Expr *e)
{
	return e->kind == EX_LET || e->kind == EX_LET_FUN || e->kind == EX_LET_UPDATE;
}

static const Expr *let_value(const Expr *e)
{
	return e->kind == EX_LET ? e->let.value : e->kind == EX_LET_FUN ? e->let_fun.value
		: e->let_update.value;
}

static const Expr *let_body(const Expr *e)
{
	return e->kind == EX_LET ? e->let.body : e->kind == EX_LET_FUN ? e->let_fun.body
		: e->let_update.body;
}

static bool let_has_in(const Expr *e)
{
	return e->kind == EX_LET ? e->let.has_in : e->kind == EX_LET_FUN ? e->let_fun.has_in
		: e->let_update.has_in;
}

// let x =
//   value
static void fmt_binding(Fmt *f, const Expr *e, int indent, int start)
{
	fmt_to(f, e->span.lo + 1, indent);
	if (e->kind == EX_LET) {
		fmt_params(f, e->let.sizes, start + 4);
		if (e->let.sizes.len)
			fmt_gap(f, e->let.pat->span.lo, true);
		fmt_pat(f, e->let.pat, start + 4);
	} else if (e->kind == EX_LET_FUN) {
		fmt_head(f, (FmtHead){e->let_fun.name_span, e->let_fun.params, e->let_fun.pats,
			e->let_fun.ret}, start + 4);
	} else {
		fmt_path(f, e->let_update.path, start + 4);
	}
	const Expr *value = let_value(e);
	fmt_part(f, e->span.lo, value->span, start + FMT_INDENT);
	fmt_expr(f, value, start + FMT_INDENT);
}

// let x = a
// let y = b
// in c
static void fmt_let(Fmt *f, const Expr *e, int indent, int start)
{
	for (; is_let(e); e = let_body(e), indent = start) {
		bool broken = !fmt_one_line(f, e->span);
		const Expr *body = let_body(e);
		int at = fmt_token_at(f, body->span.lo);
		fmt_binding(f, e, indent, start);
		f->skip[at - 1] |= is_let(body) && let_has_in(e);
		f->brk[is_let(body) ? at : at - 1] = broken;
		fmt_to(f, body->span.lo, start);
	}
	fmt_expr(f, e, f->col + 1);
}

// ---- All forms ----

// What goes before an expression: an attribute, `assert c`.
static void fmt_after(Fmt *f, const Expr *e, const Expr *body, int start)
{
	f->brk[fmt_token_at(f, body->span.lo)] = !fmt_one_line(f, e->span);
	fmt_to(f, body->span.lo, start);
	fmt_expr(f, body, start);
}

static void fmt_keyword_form(Fmt *f, const Expr *e, int indent, int start)
{
	switch ((int)e->kind) {
	case EX_IF:
		fmt_if(f, e, indent, start);
		break;
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE:
		fmt_let(f, e, indent, start);
		break;
	case EX_LAMBDA:
		fmt_lambda(f, e, indent, start);
		break;
	case EX_LOOP:
		fmt_loop(f, e, indent, start);
		break;
	case EX_MATCH:
		fmt_match(f, e, indent, start);
		break;
	case EX_ASSERT:
		fmt_to(f, e->assert_.cond->span.lo, indent);
		fmt_expr(f, e->assert_.cond, f->col + 1);
		fmt_after(f, e, e->assert_.body, start);
		break;
	case EX_ATTR:
		fmt_to(f, e->attr.attr->span.hi, indent);
		fmt_after(f, e, e->attr.body, start);
		break;
	}
}

void fmt_expr(Fmt *f, const Expr *e, int indent)
{
	int start = fmt_start(f, indent);
	switch (e->kind) {
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING: case EX_VAR:
	case EX_HOLE: fmt_to(f, e->span.hi, indent); break;
	case EX_NEG: case EX_NOT:
		fmt_to(f, e->inner->span.lo, indent);
		fmt_expr(f, e->inner, start + 1);
		break;
	case EX_PAREN: fmt_paren(f, e, e->inner, indent); break;
	case EX_OPEN: fmt_paren(f, e, e->open.body, indent); break;
	case EX_TUPLE: case EX_ARRAY: case EX_RECORD:
		fmt_list(f, expr_list(e), indent);
		break;
	case EX_PROJECT: fmt_expr(f, e->project.of, indent); break;
	case EX_INDEX:
		fmt_expr(f, e->index.of, indent);
		fmt_indices(f, e->index.idx, f->col + 1);
		break;
	case EX_APPLY:
		fmt_expr(f, e->apply.fn, indent);
		fmt_args(f, e->apply.args);
		break;
	case EX_CONSTR:
		fmt_to(f, e->constr.name_span.hi, indent);
		fmt_args(f, e->constr.args);
		break;
	case EX_BINOP: fmt_binop(f, e, indent, start); break;
	case EX_ASCRIBE: case EX_COERCE: fmt_ascribe(f, e, indent, start); break;
	case EX_RANGE:
		fmt_expr(f, e->range.from, indent);
		if (e->range.second)
			fmt_range_part(f, e->range.second, start);
		fmt_range_part(f, e->range.to, start);
		break;
	case EX_UPDATE: fmt_update(f, e, indent); break;
	case EX_SECTION_L: case EX_SECTION_R: fmt_section(f, e, indent); break;
	case EX_SECTION_PATH:
		fmt_to(f, e->span.lo + 1, indent);
		fmt_path(f, e->path, start + FMT_INDENT);
		break;
	case EX_IF: case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE: case EX_LAMBDA: case EX_LOOP:
	case EX_MATCH: case EX_ASSERT: case EX_ATTR:
		fmt_keyword_form(f, e, indent, start);
		break;
	}
	fmt_to(f, e->span.hi, start);
}
