// The text of C trees (ir.h): the only place that knows how C is written.
#include "gen/ir.h"

// ---- Expressions ----

static void put_tabs(Str *out, int n)
{
	static const char tabs[] = "\t\t\t\t\t\t\t\t";
	for (; n > 0; n -= 8)
		str_putn(out, tabs, n < 8 ? (size_t)n : 8);
}

static void put_exp(Str *out, CExp x, int indent);

static void put_operand(Str *out, CExp x, Prec most, int indent)
{
	if (x->prec > most)
		str_putc(out, '(');
	put_exp(out, x, indent);
	if (x->prec > most)
		str_putc(out, ')');
}

static void put_list(Str *out, CExp x, int indent)
{
	for (int i = 0; i < x->n; i++) {
		if (i && i == x->line_at) {
			str_puts(out, ",\n");
			put_tabs(out, indent + 1);
		} else if (i) {
			str_puts(out, ", ");
		}
		put_exp(out, x->x[i], indent);
	}
}

static void put_exp(Str *out, CExp x, int indent)
{
	switch (x->kind) {
	case X_NAME: case X_INT: case X_CONST:
		str_puts(out, x->text);
		break;
	case X_UNARY:
		str_puts(out, x->text);
		put_operand(out, x->x[0], x->right, indent);
		break;
	case X_BINARY:
		put_operand(out, x->x[0], x->left, indent);
		str_putc(out, ' ');
		str_puts(out, x->text);
		str_putc(out, ' ');
		put_operand(out, x->x[1], x->right, indent);
		break;
	case X_SELECT:
		put_operand(out, x->x[0], x->left, indent);
		str_puts(out, " ? ");
		put_operand(out, x->x[1], x->right, indent);
		str_puts(out, " : ");
		put_operand(out, x->x[2], x->right, indent);
		break;
	case X_CAST:
		str_putc(out, '(');
		str_puts(out, x->text);
		str_putc(out, ')');
		put_operand(out, x->x[0], x->right, indent);
		break;
	case X_CALL:
		str_puts(out, x->text);
		str_putc(out, '(');
		put_list(out, x, indent);
		str_putc(out, ')');
		break;
	case X_INDEX:
		put_operand(out, x->x[0], PREC_ATOM, indent);
		str_putc(out, '[');
		put_exp(out, x->x[1], indent);
		str_putc(out, ']');
		break;
	case X_FIELD:
		put_operand(out, x->x[0], PREC_ATOM, indent);
		str_puts(out, "->");
		str_puts(out, x->text);
		break;
	case X_MEMBER:
		put_operand(out, x->x[0], PREC_ATOM, indent);
		str_putc(out, '.');
		str_puts(out, x->text);
		break;
	case X_PAREN:
		str_putc(out, '(');
		put_exp(out, x->x[0], indent);
		str_putc(out, ')');
		break;
	case X_LIST:
		str_putc(out, '{');
		put_list(out, x, indent);
		str_putc(out, '}');
		break;
	}
}

const char *x_text(CExp x)
{
	if (!x->n && x->kind != X_CALL && x->kind != X_LIST)
		return x->text;
	Str out = {0};
	put_exp(&out, x, 0);
	return str_text(&out);
}

// ---- Statements ----

static void put_stm(Str *out, const CStm *s, int indent);

void s_print(Str *out, const CBlock *b, int indent)
{
	for (const CStm *s = b->first; s; s = s->next)
		put_stm(out, s, indent);
}

// After the head: the block, and what follows its brace.
static void put_block(Str *out, const CStm *s, const CBlock *b, int indent)
{
	if (s->bare) {
		str_putc(out, '\n');
		s_print(out, b, indent + 1);
		return;
	}
	str_puts(out, " {\n");
	s_print(out, b, indent + 1);
	put_tabs(out, indent);
	str_putc(out, '}');
}

static void put_declared(Str *out, const char *type, const char *name)
{
	size_t n = strlen(type);
	str_putn(out, type, n);
	if (n && type[n - 1] != '*' && type[n - 1] != ' ')
		str_putc(out, ' ');
	str_puts(out, name);
}

static void put_value(Str *out, CExp x, int indent)
{
	if (!x)
		return;
	str_puts(out, " = ");
	put_exp(out, x, indent);
}

// ---- Loops, branches ----

// Between the parts of a loop's head, if they have no room in one line.
static void put_gap(Str *out, bool breaks, int indent)
{
	str_putc(out, breaks ? '\n' : ' ');
	if (breaks) {
		put_tabs(out, indent);
		str_puts(out, "     ");
	}
}

static void put_for_head(Str *out, const CFor *f, int indent, bool breaks)
{
	str_puts(out, "for (");
	if (f->type)
		put_declared(out, f->type, f->i);
	else if (f->from)
		str_puts(out, f->i);
	put_value(out, f->from, indent);
	str_putc(out, ';');
	if (f->cond) {
		put_gap(out, breaks, indent);
		put_exp(out, f->cond, indent);
	}
	str_putc(out, ';');
	if (f->i) {
		put_gap(out, breaks, indent);
		str_puts(out, f->i);
		if (f->by) {
			str_printf(out, " %s ", f->op);
			put_exp(out, f->by, indent);
		} else {
			str_puts(out, f->op ? f->op : "++");
		}
	}
	str_putc(out, ')');
}

static void put_for(Str *out, const CFor *f, int indent)
{
	enum { WIDTH = 100, TAB = 8 };
	Str line = {0};
	put_for_head(&line, f, indent, false);
	if (line.len + TAB * indent <= WIDTH)
		str_putn(out, line.at, line.len);
	else
		put_for_head(out, f, indent, true);
}

static void put_if(Str *out, const CStm *s, int indent)
{
	str_puts(out, "if (");
	put_exp(out, s->x, indent);
	str_putc(out, ')');
	put_block(out, s, &s->body, indent);
	const CStm *next = s->other.first;
	if (!next)
		return;
	str_puts(out, " else");
	if (next->chained) {
		str_putc(out, ' ');
		put_if(out, next, indent);
		return;
	}
	put_block(out, s, &s->other, indent);
}

static void put_props(Str *out, int props, int indent)
{
	static const char *const names[] = LOOP_PROP_NAMES;
	for (int i = 0; props >> i; i++)
		if (props >> i & 1) {
			put_tabs(out, indent);
			str_puts(out, names[i]);
			str_putc(out, '\n');
		}
}

// A statement with one expression.
static void put_plain(Str *out, const char *before, CExp x, int indent)
{
	str_puts(out, before);
	if (x)
		put_exp(out, x, indent);
}

static void put_head(Str *out, const char *before, CExp x, int indent)
{
	put_plain(out, before, x, indent);
	str_putc(out, ')');
}

static void put_case(Str *out, CExp x, int indent)
{
	if (x)
		put_plain(out, "case ", x, indent);
	else
		str_puts(out, "default");
	str_putc(out, ':');
}

static void put_switch(Str *out, const CStm *s, int indent)
{
	put_head(out, "switch (", s->x, indent);
	str_puts(out, " {\n");
	s_print(out, &s->body, indent);
	put_tabs(out, indent);
	str_putc(out, '}');
}

// Statements with blocks; others end with a semicolon.
static bool put_control(Str *out, const CStm *s, int indent)
{
	switch (s->kind) {
	case S_IF: put_if(out, s, indent); return true;
	case S_SWITCH: put_switch(out, s, indent); return true;
	case S_CASE: put_case(out, s->x, indent); break;
	case S_FOR: put_for(out, s->loop, indent); break;
	case S_WHILE: put_head(out, "while (", s->x, indent); break;
	case S_REPEAT:
		str_puts(out, "do");
		put_block(out, s, &s->body, indent);
		put_head(out, " while (", s->x, indent);
		str_putc(out, ';');
		return true;
	case S_SCOPE: break;
	default: // has no block
		return false;
	}
	if (s->kind == S_SCOPE) {
		str_puts(out, "{\n");
		s_print(out, &s->body, indent + 1);
		put_tabs(out, indent);
		str_putc(out, '}');
		return true;
	}
	put_block(out, s, &s->body, indent);
	return true;
}

// [n], or [n][m].
static void put_sizes(Str *out, CExp n, int indent)
{
	bool several = n && n->kind == X_LIST;
	for (int i = 0; i < (several ? n->n : 1); i++) {
		put_plain(out, "[", several ? n->x[i] : n, indent);
		str_putc(out, ']');
	}
}

static void put_simple(Str *out, const CStm *s, int indent)
{
	switch (s->kind) {
	case S_DECLARE:
		put_declared(out, s->type, s->name);
		put_value(out, s->x, indent);
		break;
	case S_ARRAY:
		put_declared(out, s->type, s->name);
		put_sizes(out, s->to, indent);
		put_value(out, s->x, indent);
		break;
	case S_ASSIGN:
		put_exp(out, s->to, indent);
		str_printf(out, " %s ", s->name ? s->name : "=");
		put_exp(out, s->x, indent);
		break;
	case S_DO: put_plain(out, "", s->x, indent); break;
	case S_RETURN: put_plain(out, s->x ? "return " : "return", s->x, indent); break;
	case S_GOTO: str_puts(out, "goto "); str_puts(out, s->name); break;
	case S_BREAK: str_puts(out, "break"); break;
	case S_CONTINUE: str_puts(out, "continue"); break;
	case S_BARRIER: str_printf(out, "%s()", s->name); break;
	default: // control and lines of their own
		bug("a statement of no kind");
	}
}

static void put_ifdef(Str *out, const CStm *s, int indent)
{
	str_printf(out, "#%s\n", s->name);
	s_print(out, &s->body, indent);
	if (s->other.first) {
		str_puts(out, "#else\n");
		s_print(out, &s->other, indent);
	}
	str_puts(out, "#endif\n");
}

static void put_stm(Str *out, const CStm *s, int indent)
{
	if (s->kind == S_FOR)
		put_props(out, s->loop->props, indent);
	if (s->kind == S_LABEL) {
		bool before_plain = s->next && (s->next->kind == S_DO || s->next->kind == S_RETURN);
		str_printf(out, before_plain ? "%s:\n" : "%s:;\n", s->name);
		return;
	}
	if (s->kind == S_IFDEF) {
		put_ifdef(out, s, indent);
		return;
	}
	put_tabs(out, indent);
	if (put_control(out, s, indent)) {
		if (!s->bare)
			str_putc(out, '\n');
		return;
	}
	if (s->kind == S_MACRO) {
		str_puts(out, s->name);
	} else {
		put_simple(out, s, indent);
		str_putc(out, ';');
	}
	str_putc(out, '\n');
}

// ---- Functions ----

// Parameters go on where there is room for them, on a line of their own otherwise.
const char *fun_head(const CFun *f, const char *name)
{
	Str out = {0};
	size_t start = 0;
	put_declared(&out, f->result, name);
	str_putc(&out, '(');
	for (int i = 0; i < f->params.len; i++) {
		const CParam *p = &f->params.at[i];
		Str one = {0};
		put_declared(&one, p->type, p->name ? p->name : "");
		if (i && out.len - start + one.len > 90) {
			str_puts(&out, ",\n\t\t");
			start = out.len - 2;
		} else if (i) {
			str_puts(&out, ", ");
		}
		str_putn(&out, one.at, p->name ? one.len : strlen(p->type));
	}
	str_putc(&out, ')');
	return str_text(&out);
}

void fun_print(Str *out, const CFun *f, const char *name)
{
	str_printf(out, "%s%s\n{\n", f->helpers ? f->helpers : "", fun_head(f, name));
	s_print(out, f->body, 1);
	str_puts(out, "}\n\n");
}

const char *fun_text(const CFun *f, const char *name)
{
	Str out = {0};
	fun_print(&out, f, name);
	return str_text(&out);
}
