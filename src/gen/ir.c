// Trees of C: expressions and statements are made here, and asked about.
#include "gen/ir.h"

// ---- Expressions ----

// Where expressions are cut does not depend on names or places, so that the same code for other
// arrays, or for rows from another one on, has the same form: see cmerge.c.
enum { SIZE_OF_NAME = 4, SIZE_OF_ELEMENT = 12 };

static CNode *node(XKind kind, Prec prec, const char *text, int n, const CExp *x)
{
	CNode *out = mem_alloc(sizeof *out + (size_t)n * sizeof *x);
	out->kind = kind;
	out->prec = prec;
	out->text = text;
	out->n = n;
	out->size = kind == X_NAME ? SIZE_OF_NAME : (int)strlen(text) + n;
	for (int i = 0; i < n; i++) {
		out->x[i] = x[i];
		out->size += x[i]->size;
		out->costs |= x[i]->costs;
	}
	if (kind == X_INDEX)
		out->size = SIZE_OF_ELEMENT;
	return out;
}

CExp x_with(CExp x, const CExp *operands)
{
	CNode *out = node(x->kind, x->prec, x->text, x->n, operands);
	out->costs = x->costs;
	out->left = x->left;
	out->right = x->right;
	out->value = x->value;
	return out;
}

CExp x_name(const char *name)
{
	return node(X_NAME, PREC_ATOM, name, 0, NULL);
}

CExp x_int_as(int64_t value, const char *text)
{
	CNode *out = node(X_INT, *text == '-' ? PREC_UNARY : PREC_ATOM, text, 0, NULL);
	out->value = value;
	return out;
}

CExp x_int(int64_t value)
{
	return x_int_as(value, text("%lld", (long long)value));
}

CExp x_const(const char *text)
{
	return node(X_CONST, PREC_ATOM, text, 0, NULL);
}

CExp x_unary(const char *op, CExp x, Prec most)
{
	CNode *out = node(X_UNARY, PREC_UNARY, op, 1, &x);
	out->right = most;
	return out;
}

CExp x_not(CExp x)
{
	return x->kind == X_UNARY && *x->text == '!' ? x->x[0] : x_unary("!", x, PREC_ATOM);
}

CExp x_address(CExp x)
{
	return x_unary("&", x, PREC_ATOM);
}

CExp x_binary_most(CExp x, const char *op, CExp y, Prec prec, Prec most)
{
	CNode *out = node(X_BINARY, prec, op, 2, (CExp[]){x, y});
	out->left = out->right = most;
	return out;
}

CExp x_bits(CExp x, const char *op, CExp y)
{
	return x_binary_most(x, op, y, PREC_SELECT, PREC_UNARY);
}

// The left operand may be an operation of the same kind; where C compilers warn about mixed
// operators there are parentheses.
CExp x_binary(CExp x, const char *op, CExp y, Prec prec)
{
	Prec inner = prec == PREC_OR || prec == PREC_SELECT ? PREC_COMPARE : prec - 1;
	CNode *out = node(X_BINARY, prec, op, 2, (CExp[]){x, y});
	out->left = x->prec == prec && prec != PREC_COMPARE ? prec : inner;
	out->right = inner;
	return out;
}

CExp x_less(CExp x, CExp y)
{
	return x_binary(x, "<", y, PREC_COMPARE);
}

CExp x_nonzero(const char *name)
{
	return x_binary(x_name(name), "!=", x_int(0), PREC_COMPARE);
}

CExp x_plus(CExp x, CExp y)
{
	return x_binary(x, "+", y, PREC_ADD);
}

CExp x_times(CExp x, CExp y)
{
	return x_binary(x, "*", y, PREC_MUL);
}

CExp x_select(CExp cond, CExp yes, CExp no)
{
	CNode *out = node(X_SELECT, PREC_SELECT, "?", 3, (CExp[]){cond, yes, no});
	out->left = PREC_COMPARE;
	out->right = PREC_ADD;
	return out;
}

CExp x_min(CExp x, CExp y)
{
	return x_select(x_less(x, y), x, y);
}

CExp x_cast(const char *type, CExp x, Prec most)
{
	CNode *out = node(X_CAST, PREC_UNARY, type, 1, &x);
	out->right = most;
	return out;
}

CExp x_call_lines(const char *fun, CExps args, int line_at)
{
	CNode *out = node(X_CALL, PREC_ATOM, fun, args.len, args.at);
	out->costs = true;
	out->line_at = line_at;
	return out;
}

CExp x_call_of(const char *fun, CExps args)
{
	return x_call_lines(fun, args, 0);
}

CExp x_call_none(const char *fun)
{
	return x_call_lines(fun, (CExps){0}, 0);
}

CExp x_index(CExp array, CExp index)
{
	CNode *out = node(X_INDEX, PREC_ATOM, "[]", 2, (CExp[]){array, index});
	out->costs = true;
	return out;
}

CExp x_field(CExp pointer, const char *field)
{
	return node(X_FIELD, PREC_ATOM, field, 1, &pointer);
}

CExp x_member(CExp structure, const char *field)
{
	return node(X_MEMBER, PREC_ATOM, field, 1, &structure);
}

CExp x_paren(CExp x)
{
	return node(X_PAREN, PREC_ATOM, "()", 1, &x);
}

CExp x_group(CExp x)
{
	return x->prec <= PREC_ATOM ? x : x_paren(x);
}

CExp x_list(CExps xs)
{
	return node(X_LIST, PREC_ATOM, "{}", xs.len, xs.at);
}

CExp x_cheap(CExp x)
{
	if (!x->costs)
		return x;
	CNode *out = mem_dup(x, sizeof *x + (size_t)x->n * sizeof *x->x);
	out->costs = false;
	return out;
}

bool x_is_int(CExp x, int64_t value)
{
	return x->kind == X_INT && x->value == value;
}

bool x_is_simple(CExp x)
{
	return x->prec == PREC_ATOM &&
	       (x->kind == X_NAME || x->kind == X_INT || x->kind == X_CONST);
}

bool x_same(CExp x, CExp y)
{
	if (x == y)
		return true;
	if (x->kind != y->kind || x->n != y->n || strcmp(x->text, y->text) != 0)
		return false;
	for (int i = 0; i < x->n; i++)
		if (!x_same(x->x[i], y->x[i]))
			return false;
	return true;
}

bool x_mentions(CExp x, CExp what)
{
	if (x_same(x, what))
		return true;
	for (int i = 0; i < x->n; i++)
		if (x_mentions(x->x[i], what))
			return true;
	return false;
}

// ---- Statements ----

CBlock *code_begin(Code *c)
{
	c->at = mem_alloc(sizeof *c->at);
	return c->at;
}

// Never NULL: what is written while the code is off is in nothing.
static CStm *put(Code *c, SKind kind)
{
	static const CFor no_loop;
	static CStm nothing = {.loop = &no_loop};
	if (c->off)
		return &nothing;
	CStm *s = mem_alloc(sizeof *s);
	s->kind = kind;
	s->loop = &no_loop;
	if (c->at->last)
		c->at->last->next = s;
	else
		c->at->first = s;
	c->at->last = s;
	return s;
}

static void open(Code *c, CBlock *b, CStm *of)
{
	c->depth++;
	if (c->off)
		return;
	b->of = of;
	b->up = c->at;
	c->at = b;
}

static CStm *put_block(Code *c, SKind kind, CExp x)
{
	CStm *s = put(c, kind);
	s->x = x;
	open(c, &s->body, s);
	return s;
}

void s_declare(Code *c, const char *type, const char *name, CExp init)
{
	CStm *s = put(c, S_DECLARE);
	s->type = type;
	s->name = name;
	s->x = init;
}

void s_array(Code *c, const char *type, const char *name, CExp n, CExp init)
{
	CStm *s = put(c, S_ARRAY);
	s->type = type;
	s->name = name;
	s->to = n;
	s->x = init;
}

void s_assign(Code *c, CExp to, CExp value)
{
	CStm *s = put(c, S_ASSIGN);
	s->to = to;
	s->x = value;
}

void s_assign_by(Code *c, CExp to, const char *op, CExp value)
{
	CStm *s = put(c, S_ASSIGN);
	s->name = strcmp(op, "=") == 0 ? NULL : op;
	s->to = to;
	s->x = value;
}

void s_do(Code *c, CExp x)
{
	put(c, S_DO)->x = x;
}

void s_if(Code *c, CExp cond)
{
	put_block(c, S_IF, cond);
}

void s_else(Code *c)
{
	if (c->off)
		return;
	CBlock *yes = c->at;
	if (!yes->of || yes != &yes->of->body)
		bug("an else without an if");
	yes->of->other = (CBlock){.of = yes->of, .up = yes->up};
	c->at = &yes->of->other;
}

// if (x) .. else { if (y) .. } where closing the inner one closes the outer one.
void s_else_if(Code *c, CExp cond)
{
	if (c->off)
		return;
	s_else(c);
	CBlock *up = c->at->up;
	CStm *s = put(c, S_IF);
	s->x = cond;
	s->chained = true;
	s->body = (CBlock){.of = s, .up = up};
	c->at = &s->body;
}

void s_switch(Code *c, CExp x)
{
	put_block(c, S_SWITCH, x);
}

void s_case(Code *c, CExp x)
{
	put_block(c, S_CASE, x);
}

void s_for(Code *c, CFor loop)
{
	put_block(c, S_FOR, NULL)->loop = mem_dup(&loop, sizeof loop);
}

void s_while(Code *c, CExp cond)
{
	put_block(c, S_WHILE, cond);
}

void s_repeat(Code *c)
{
	put_block(c, S_REPEAT, NULL);
}

void s_until_not(Code *c, CExp cond)
{
	if (!c->off && (!c->at->of || c->at->of->kind != S_REPEAT))
		bug("the end of a loop that was not begun");
	if (!c->off)
		c->at->of->x = cond;
	s_close(c);
}

void s_scope(Code *c)
{
	put_block(c, S_SCOPE, NULL);
}

void s_close(Code *c)
{
	c->depth--;
	if (c->off)
		return;
	if (!c->at->up)
		bug("a block is closed that was not opened");
	c->at = c->at->up;
}

void s_close_bare(Code *c)
{
	if (!c->off)
		c->at->of->bare = true;
	s_close(c);
}

void s_return(Code *c, CExp x)
{
	put(c, S_RETURN)->x = x;
}

void s_goto(Code *c, const char *label)
{
	put(c, S_GOTO)->name = label;
}

void s_label(Code *c, const char *label)
{
	put(c, S_LABEL)->name = label;
}

void s_break(Code *c)
{
	put(c, S_BREAK);
}

void s_continue(Code *c)
{
	put(c, S_CONTINUE);
}

void s_barrier_of(Code *c, const char *fun)
{
	bool other = c->barrier && strcmp(fun, "rd_barrier") == 0;
	put(c, S_BARRIER)->name = other ? c->barrier : fun;
}

void s_barrier(Code *c)
{
	s_barrier_of(c, "rd_barrier");
}

void s_ifdef(Code *c, const char *condition)
{
	put_block(c, S_IFDEF, NULL)->name = condition;
}

void s_macro(Code *c, const char *line)
{
	put(c, S_MACRO)->name = line;
}

void s_splice(Code *c, const CBlock *b)
{
	if (c->off || !b->first)
		return;
	if (c->at->last)
		c->at->last->next = b->first;
	else
		c->at->first = b->first;
	c->at->last = b->last;
}

bool s_has(const CBlock *b, SKind kind)
{
	for (const CStm *s = b->first; s; s = s->next)
		if (s->kind == kind || s_has(&s->body, kind) || s_has(&s->other, kind))
			return true;
	return false;
}

void add_param(CFun *f, const char *type, const char *name)
{
	VEC_PUSH(&f->params, (CParam){type, name});
}
