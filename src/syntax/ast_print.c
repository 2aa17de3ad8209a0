// Source text of expressions, patterns and types on one line, as messages quote them:
//
//	Assertion is false: (x > 0 && x < 10)
//	Cannot apply "f" to "x + 1"
//
// Parentheses are nodes of the tree, so printing adds none.
#include "syntax/ast.h"

static void put_expr(Str *, const Expr *);
static void put_pat(Str *, const Pat *);
static void put_type(Str *, const TypeExpr *);

// ---- Names and small parts ----

static void put_qualname(Str *s, QualName q)
{
	for EACH(Name, m, q.quals)
		str_printf(s, "%s.", *m);
	str_puts(s, q.name);
}

static void put_operator(Str *s, QualName op, bool backtick)
{
	if (backtick)
		str_putc(s, '`');
	put_qualname(s, op);
	if (backtick)
		str_putc(s, '`');
}

static void put_exprs(Str *s, Exprs es, const char *separator)
{
	for EACH(Expr *, e, es) {
		if (e > es.at)
			str_puts(s, separator);
		put_expr(s, *e);
	}
}

static void put_pats(Str *s, Pats ps, const char *separator)
{
	for EACH(Pat *, p, ps) {
		if (p > ps.at)
			str_puts(s, separator);
		put_pat(s, *p);
	}
}

static void put_attr_body(Str *s, const Attr *a)
{
	str_puts(s, a->name);
	if (a->args.len == 0)
		return;
	str_putc(s, '(');
	for EACH(Attr *, arg, a->args) {
		if (arg > a->args.at)
			str_puts(s, ", ");
		put_attr_body(s, *arg);
	}
	str_putc(s, ')');
}

static void put_attr(Str *s, const Attr *a)
{
	str_puts(s, "#[");
	put_attr_body(s, a);
	str_puts(s, "] ");
}

static void put_type_params(Str *s, TypeParams params)
{
	static const char *const open[] = {"[", "'", "'~", "'^"};
	for EACH(TypeParam, tp, params)
		str_printf(s, " %s%s%s", open[tp->kind], tp->name, tp->kind == TP_SIZE ? "]" : "");
}

static void put_indices(Str *s, Indices idx)
{
	str_putc(s, '[');
	for EACH(Index, i, idx) {
		if (i > idx.at)
			str_puts(s, ", ");
		if (!i->is_slice) {
			put_expr(s, i->index);
			continue;
		}
		if (i->from)
			put_expr(s, i->from);
		str_putc(s, ':');
		if (i->to)
			put_expr(s, i->to);
		if (i->has_step_colon)
			str_putc(s, ':');
		if (i->step)
			put_expr(s, i->step);
	}
	str_putc(s, ']');
}

static void put_path(Str *s, Path path)
{
	for EACH(PathStep, step, path) {
		if (!step->is_field)
			put_indices(s, step->idx);
		else
			str_printf(s, "%s%s", step > path.at ? "." : "", step->field);
	}
}

// ---- Patterns ----

static void put_record_pat(Str *s, const Pat *p)
{
	str_putc(s, '{');
	for EACH(FieldPat, f, p->record) {
		if (f > p->record.at)
			str_puts(s, ", ");
		if (!f->punned)
			str_printf(s, "%s = ", f->name);
		put_pat(s, f->pat);
	}
	str_putc(s, '}');
}

static bool is_symbol_name(Name name)
{
	return strchr("+-*/%=!><|&^", name[0]) != NULL;
}

static void put_pat(Str *s, const Pat *p)
{
	switch (p->kind) {
	case PAT_NAME:
		str_printf(s, is_symbol_name(p->var.name) ? "(%s)" : "%s", p->var.name);
		return;
	case PAT_WILD:
		str_putc(s, '_');
		return;
	case PAT_LIT:
		put_expr(s, p->lit);
		return;
	case PAT_TUPLE:
		str_putc(s, '(');
		put_pats(s, p->tuple, ", ");
		str_putc(s, ')');
		return;
	case PAT_RECORD:
		put_record_pat(s, p);
		return;
	case PAT_CONSTR:
		str_printf(s, "#%s%s", p->constr.name, p->constr.args.len ? " " : "");
		put_pats(s, p->constr.args, " ");
		return;
	case PAT_ASCRIBE:
		put_pat(s, p->ascribe.pat);
		str_puts(s, ": ");
		put_type(s, p->ascribe.type);
		return;
	case PAT_ATTR:
		put_attr(s, p->attr.attr);
		put_pat(s, p->attr.pat);
		return;
	case PAT_PAREN:
		str_putc(s, '(');
		put_pat(s, p->inner);
		str_putc(s, ')');
		return;
	}
}

// ---- Types ----

static void put_types(Str *s, TypeExprs ts, const char *separator)
{
	for EACH(TypeExpr *, t, ts) {
		if (t > ts.at)
			str_puts(s, separator);
		put_type(s, *t);
	}
}

static void put_size(Str *s, const Expr *size)
{
	str_putc(s, '[');
	if (size)
		put_expr(s, size);
	str_putc(s, ']');
}

static void put_sum(Str *s, ConstrTypes sum)
{
	for EACH(ConstrType, c, sum) {
		str_printf(s, "%s#%s%s", c > sum.at ? " | " : "", c->name, c->args.len ? " " : "");
		put_types(s, c->args, " ");
	}
}

static void put_record_type(Str *s, FieldTypes fields)
{
	str_putc(s, '{');
	for EACH(FieldType, f, fields) {
		str_printf(s, "%s%s: ", f > fields.at ? ", " : "", f->name);
		put_type(s, f->type);
	}
	str_putc(s, '}');
}

static void put_type(Str *s, const TypeExpr *t)
{
	switch (t->kind) {
	case TE_NAME:
		put_qualname(s, t->name);
		return;
	case TE_APPLY:
		put_type(s, t->apply.fn);
		str_putc(s, ' ');
		put_types(s, t->apply.args, " ");
		return;
	case TE_ARRAY:
		put_size(s, t->array.size);
		put_type(s, t->array.elem);
		return;
	case TE_TUPLE:
		str_putc(s, '(');
		put_types(s, t->tuple, ", ");
		str_putc(s, ')');
		return;
	case TE_RECORD:
		put_record_type(s, t->record);
		return;
	case TE_SUM:
		put_sum(s, t->sum);
		return;
	case TE_ARROW:
		if (t->arrow.param)
			str_printf(s, "(%s: ", t->arrow.param);
		put_type(s, t->arrow.from);
		str_puts(s, t->arrow.param ? ") -> " : " -> ");
		put_type(s, t->arrow.to);
		return;
	case TE_UNIQUE:
		str_putc(s, '*');
		put_type(s, t->inner);
		return;
	case TE_EXISTS:
		str_putc(s, '?');
		for EACH(TypeParam, tp, t->exists.sizes)
			str_printf(s, "[%s]", tp->name);
		str_putc(s, '.');
		put_type(s, t->exists.type);
		return;
	case TE_PAREN:
		str_putc(s, '(');
		put_type(s, t->inner);
		str_putc(s, ')');
		return;
	case TE_SIZE:
		put_size(s, t->size);
		return;
	}
}

// ---- Expressions ----

static void put_return_type(Str *s, const TypeExpr *ret)
{
	if (!ret)
		return;
	str_puts(s, ": ");
	put_type(s, ret);
}

static void put_body(Str *s, const Expr *value, const Expr *body)
{
	str_puts(s, " = ");
	put_expr(s, value);
	str_puts(s, " in ");
	put_expr(s, body);
}

static void put_let(Str *s, const Expr *e)
{
	str_puts(s, "let");
	if (e->kind == EX_LET) {
		put_type_params(s, e->let.sizes);
		str_putc(s, ' ');
		put_pat(s, e->let.pat);
		put_body(s, e->let.value, e->let.body);
	} else if (e->kind == EX_LET_FUN) {
		str_printf(s, " %s", e->let_fun.name);
		put_type_params(s, e->let_fun.params);
		str_putc(s, ' ');
		put_pats(s, e->let_fun.pats, " ");
		put_return_type(s, e->let_fun.ret);
		put_body(s, e->let_fun.value, e->let_fun.body);
	} else {
		str_printf(s, " %s", e->let_update.name);
		if (e->let_update.path.at[0].is_field)
			str_putc(s, '.');
		put_path(s, e->let_update.path);
		put_body(s, e->let_update.value, e->let_update.body);
	}
}

static void put_loop(Str *s, const Expr *e)
{
	str_puts(s, "loop ");
	put_pat(s, e->loop.pat);
	if (e->loop.init) {
		str_puts(s, " = ");
		put_expr(s, e->loop.init);
	}
	switch (e->loop.kind) {
	case LOOP_FOR:
		str_printf(s, " for %s < ", e->loop.index);
		break;
	case LOOP_IN:
		str_puts(s, " for ");
		put_pat(s, e->loop.elem);
		str_puts(s, " in ");
		break;
	case LOOP_WHILE:
		str_puts(s, " while ");
		break;
	}
	put_expr(s, e->loop.bound);
	str_puts(s, " do ");
	put_expr(s, e->loop.body);
}

static void put_match(Str *s, const Expr *e)
{
	str_puts(s, "match ");
	put_expr(s, e->match.of);
	for EACH(Case, c, e->match.cases) {
		str_puts(s, " case ");
		put_pat(s, c->pat);
		str_puts(s, " -> ");
		put_expr(s, c->body);
	}
}

static void put_record(Str *s, FieldExprs fields)
{
	str_putc(s, '{');
	for EACH(FieldExpr, f, fields) {
		if (f > fields.at)
			str_puts(s, ", ");
		str_puts(s, f->name);
		if (!f->punned) {
			str_puts(s, " = ");
			put_expr(s, f->value);
		}
	}
	str_putc(s, '}');
}

static void put_range(Str *s, const Expr *e)
{
	static const char *const dots[] = {"...", "..<", "..>"};
	put_expr(s, e->range.from);
	if (e->range.second) {
		str_puts(s, "..");
		put_expr(s, e->range.second);
	}
	str_puts(s, dots[e->range.kind]);
	put_expr(s, e->range.to);
}

static void put_section(Str *s, const Expr *e)
{
	str_putc(s, '(');
	if (e->kind == EX_SECTION_PATH) {
		str_putc(s, '.');
		put_path(s, e->path);
	} else if (e->kind == EX_SECTION_L) {
		put_expr(s, e->section.arg);
		str_putc(s, ' ');
		put_operator(s, e->section.op, e->section.backtick);
	} else {
		put_operator(s, e->section.op, e->section.backtick);
		str_putc(s, ' ');
		put_expr(s, e->section.arg);
	}
	str_putc(s, ')');
}

// The forms that start with a keyword or a backslash.
static void put_keyword_form(Str *s, const Expr *e)
{
	if (e->kind == EX_IF) {
		str_puts(s, "if ");
		put_expr(s, e->if_.cond);
		str_puts(s, " then ");
		put_expr(s, e->if_.yes);
		str_puts(s, " else ");
		put_expr(s, e->if_.no);
	} else if (e->kind == EX_LAMBDA) {
		str_putc(s, '\\');
		put_pats(s, e->lambda.pats, " ");
		put_return_type(s, e->lambda.ret);
		str_puts(s, " -> ");
		put_expr(s, e->lambda.body);
	} else {
		str_puts(s, "assert ");
		put_expr(s, e->assert_.cond);
		str_putc(s, ' ');
		put_expr(s, e->assert_.body);
	}
}

static void put_local_open(Str *s, const Expr *e)
{
	bool bracketed = e->open.body->kind == EX_TUPLE || e->open.body->kind == EX_SECTION_L
		|| e->open.body->kind == EX_SECTION_R || e->open.body->kind == EX_SECTION_PATH;
	put_qualname(s, e->open.mod);
	str_puts(s, bracketed ? "." : ".(");
	put_expr(s, e->open.body);
	str_puts(s, bracketed ? "" : ")");
}

static void put_expr(Str *s, const Expr *e)
{
	switch (e->kind) {
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING:
		ast_put_literal(s, e);
		return;
	case EX_VAR:
		str_puts(s, e->var.is_op ? "(" : "");
		put_qualname(s, e->var.name);
		str_puts(s, e->var.is_op ? ")" : "");
		return;
	case EX_HOLE:
		str_puts(s, "???");
		return;
	case EX_PAREN: case EX_TUPLE:
		str_putc(s, '(');
		if (e->kind == EX_PAREN)
			put_expr(s, e->inner);
		else
			put_exprs(s, e->tuple, ", ");
		str_putc(s, ')');
		return;
	case EX_RECORD:
		put_record(s, e->record);
		return;
	case EX_ARRAY:
		str_putc(s, '[');
		put_exprs(s, e->array, ", ");
		str_putc(s, ']');
		return;
	case EX_PROJECT:
		put_expr(s, e->project.of);
		str_printf(s, ".%s", e->project.field);
		return;
	case EX_INDEX:
		put_expr(s, e->index.of);
		put_indices(s, e->index.idx);
		return;
	case EX_OPEN:
		put_local_open(s, e);
		return;
	case EX_APPLY:
		put_expr(s, e->apply.fn);
		str_putc(s, ' ');
		put_exprs(s, e->apply.args, " ");
		return;
	case EX_BINOP:
		put_expr(s, e->binop.a);
		str_putc(s, ' ');
		put_operator(s, e->binop.op, e->binop.backtick);
		str_putc(s, ' ');
		put_expr(s, e->binop.b);
		return;
	case EX_NEG: case EX_NOT:
		str_putc(s, e->kind == EX_NEG ? '-' : '!');
		// A second minus would start a comment, a second ! would be an operator.
		if (e->inner->kind == EX_NEG || e->inner->kind == EX_NOT)
			str_putc(s, ' ');
		put_expr(s, e->inner);
		return;
	case EX_CONSTR:
		str_printf(s, "#%s%s", e->constr.name, e->constr.args.len ? " " : "");
		put_exprs(s, e->constr.args, " ");
		return;
	case EX_ASCRIBE: case EX_COERCE:
		put_expr(s, e->ascribe.of);
		str_puts(s, e->kind == EX_ASCRIBE ? " : " : " :> ");
		put_type(s, e->ascribe.type);
		return;
	case EX_RANGE:
		put_range(s, e);
		return;
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE:
		put_let(s, e);
		return;
	case EX_IF: case EX_LAMBDA: case EX_ASSERT:
		put_keyword_form(s, e);
		return;
	case EX_LOOP:
		put_loop(s, e);
		return;
	case EX_MATCH:
		put_match(s, e);
		return;
	case EX_UPDATE:
		put_expr(s, e->update.of);
		str_puts(s, " with ");
		put_path(s, e->update.path);
		str_puts(s, " = ");
		put_expr(s, e->update.value);
		return;
	case EX_ATTR:
		put_attr(s, e->attr.attr);
		put_expr(s, e->attr.body);
		return;
	case EX_SECTION_L: case EX_SECTION_R: case EX_SECTION_PATH:
		put_section(s, e);
		return;
	}
}

// ---- Entry points ----

const char *show_expr(const Expr *e)
{
	Str s = {0};
	put_expr(&s, e);
	return str_text(&s);
}

const char *show_pat(const Pat *p)
{
	Str s = {0};
	put_pat(&s, p);
	return str_text(&s);
}

const char *show_type_expr(const TypeExpr *t)
{
	Str s = {0};
	put_type(&s, t);
	return str_text(&s);
}

const char *show_qualname(QualName q)
{
	Str s = {0};
	put_qualname(&s, q);
	return str_text(&s);
}
