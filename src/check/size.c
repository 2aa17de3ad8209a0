// Sizes: expressions as sizes, and when two sizes are equal.
//
// A size is an i64 expression without binding constructs and without consumption.  Variables
// and literals are leaves; every other expression is a node that keeps the typed expression
// it comes from, with its operands replaced by sizes:
//
//     n + f xs      node of _ + _        kids: n, node of f _ with kid xs
//     f xs          with f local         kids: f, xs
//     p.0, xs[i]                         kids: p;  xs, i
//     f (+)                              kids: node of (+) without kids: it has an instance
//
// Two sizes are equal when they are the same expression.  Parentheses, ascriptions, assertions and
// the suffixes of literals do not matter, a name bound by let x = e is as good as e, and chains of
// + and - or of * are compared operand by operand, so that (a + b) + c equals a + (b + c), and
// (a + b) - c equals a + (b - c).  Types keep their sizes as they are written, nevertheless, and
// variables are matched with these (size_unify.c).
// Nothing is computed and no operands are exchanged: n + 1 is neither 1 + n nor n + 2 - 1.
#include "check/size.h"

// ---- Expressions as sizes ----

// May the value be another one than that of the expression after it?
static bool changes_value(const Attr *a)
{
	return strcmp(a->name, "param") == 0 || strcmp(a->name, "blank") == 0 ||
	       strcmp(a->name, "scratch") == 0;
}

// The expression without what makes no difference to a size.
static Expr *strip(Expr *e)
{
	for (;;) {
		if (e->kind == EX_PAREN)
			e = e->inner;
		else if (e->kind == EX_ATTR && !changes_value(e->attr.attr))
			e = e->attr.body;
		else if (e->kind == EX_OPEN)
			e = e->open.body;
		else if (e->kind == EX_ASCRIBE)
			e = e->ascribe.of;
		else if (e->kind == EX_ASSERT)
			e = e->assert_.body;
		else
			return e;
	}
}

static bool is_i64(const Expr *e)
{
	Ty *t = e->type ? ty_resolve(e->type) : NULL;
	return t && t->kind == TY_PRIM && t->prim == PT_I64;
}

int level_of(const Binding *b)
{
	switch (b->kind) {
	case BIND_LOCAL: case BIND_SIZE: case BIND_UNKNOWN:
		return b->level;
	case BIND_GLOBAL: case BIND_SPEC: case BIND_COPY: case BIND_INTRINSIC: case BIND_MODULE:
		return 0;
	}
	bug("kind of binding");
}

static Size *node(Expr *origin, Sizes kids)
{
	return NEW(Size, .kind = SZ_NODE, .span = origin->span, .node = {origin, kids});
}

// A node of the given operands; NULL where one of them cannot be a size.
static Size *node_of(Expr *origin, Expr **operands, int n)
{
	Sizes kids = {NEW_ARRAY(Size *, n), 0};
	for (int i = 0; i < n; i++) {
		if (!operands[i])
			continue;
		Size *kid = size_of_expr(operands[i]);
		if (!kid)
			return NULL;
		kids.at[kids.len++] = kid;
	}
	return node(origin, kids);
}

static Size *size_of_var(Expr *e)
{
	Binding *b = e->var.binding;
	if (!b)
		return NULL;            // (&&), (||)
	if (b->scheme.types.len + b->scheme.sizes.len && b->kind != BIND_LOCAL)
		return node(e, (Sizes){0});
	Size *s = NEW(Size, .kind = SZ_VAR, .span = e->span, .var = b);
	if (!e->var.fields.len)
		return s;
	return node(e, (Sizes){mem_dup(&s, sizeof s), 1});
}

static bool is_local_function(const Expr *fn)
{
	return fn->var.binding && fn->var.binding->kind == BIND_LOCAL;
}

// An argument for a consuming parameter would be consumed wherever the size is computed.
static bool consumes_argument(const Expr *fn, int n_args)
{
	Ty *t = fn->type ? ty_resolve(fn->type) : NULL;
	for (; t && t->kind == TY_ARROW && n_args; n_args--) {
		if (ty_consumes(t->arrow.from))
			return true;
		t = ty_resolve(t->arrow.to);
	}
	return false;
}

static Size *size_of_apply(Expr *e)
{
	Expr *fn = strip(e->apply.fn);
	int n = e->apply.args.len;
	if (fn->kind != EX_VAR || fn->var.fields.len || consumes_argument(fn, n))
		return NULL;
	Expr **operands = NEW_ARRAY(Expr *, n + 1);
	operands[0] = is_local_function(fn) ? fn : NULL;
	memcpy(operands + 1, e->apply.args.at, (size_t)n * sizeof *operands);
	return node_of(e, operands, n + 1);
}

static Size *size_of_index(Expr *e)
{
	Expr **operands = NEW_ARRAY(Expr *, 1 + 4 * e->index.idx.len);
	int n = 0;
	operands[n++] = e->index.of;
	for EACH(Index, i, e->index.idx) {
		operands[n++] = i->index;
		operands[n++] = i->from;
		operands[n++] = i->to;
		operands[n++] = i->step;
	}
	return node_of(e, operands, n);
}

static Size *size_of_record(Expr *e)
{
	Expr **operands = NEW_ARRAY(Expr *, e->record.len + 1);
	for (int i = 0; i < e->record.len; i++)
		operands[i] = e->record.at[i].value;
	return node_of(e, operands, e->record.len);
}

Size *size_of_expr(Expr *e)
{
	e = strip(e);
	switch (e->kind) {
	case EX_INT:
		if (is_i64(e) && !e->int_lit.too_big)
			return NEW(Size, .kind = SZ_CONST, .span = e->span,
			           .num = {(int64_t)e->int_lit.value, e->int_lit.suffixed});
		return node(e, (Sizes){0});
	case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING:
		return node(e, (Sizes){0});
	case EX_VAR: return size_of_var(e);
	case EX_TUPLE: return node_of(e, e->tuple.at, e->tuple.len);
	case EX_ARRAY: return node_of(e, e->array.at, e->array.len);
	case EX_RECORD: return size_of_record(e);
	case EX_PROJECT: return node_of(e, &e->project.of, 1);
	case EX_INDEX: return size_of_index(e);
	case EX_APPLY: return size_of_apply(e);
	case EX_BINOP:
		return node_of(e, (Expr *[]){e->binop.a, e->binop.b}, 2);
	case EX_NEG: case EX_NOT: return node_of(e, &e->inner, 1);
	case EX_CONSTR: return node_of(e, e->constr.args.at, e->constr.args.len);
	case EX_RANGE:
		return node_of(e, (Expr *[]){e->range.from, e->range.second, e->range.to}, 3);
	case EX_IF:
		return node_of(e, (Expr *[]){e->if_.cond, e->if_.yes, e->if_.no}, 3);
	case EX_HOLE: case EX_COERCE: case EX_UPDATE: case EX_LET: case EX_LET_FUN:
	case EX_LET_UPDATE: case EX_LAMBDA: case EX_LOOP: case EX_MATCH: case EX_SECTION_L:
	case EX_SECTION_R: case EX_SECTION_PATH: case EX_ATTR:
		return NULL;
	case EX_PAREN: case EX_OPEN: case EX_ASCRIBE: case EX_ASSERT:
		break;
	}
	bug("kind of expression");
}

static void note_binds(Walk *w, Expr *e)
{
	bool *found = w->ctx;
	*found = *found || expr_binds(e);
}

bool expr_binds(const Expr *e)
{
	switch (e->kind) {
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE: case EX_LAMBDA: case EX_LOOP:
	case EX_MATCH: case EX_SECTION_L: case EX_SECTION_R: case EX_SECTION_PATH:
		return true;
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING: case EX_VAR:
	case EX_HOLE: case EX_PAREN: case EX_TUPLE: case EX_RECORD: case EX_ARRAY: case EX_PROJECT:
	case EX_INDEX: case EX_OPEN: case EX_APPLY: case EX_BINOP: case EX_NEG: case EX_NOT:
	case EX_CONSTR: case EX_ASCRIBE: case EX_COERCE: case EX_RANGE: case EX_IF: case EX_ASSERT:
	case EX_UPDATE: case EX_ATTR:
		break;
	}
	bool found = false;
	walk_expr(&(Walk){.expr = note_binds, .ctx = &found}, (Expr *)e);
	return found;
}

// ---- Sizes that are computed: xs[i:j] has the size j - i ----

static Expr *expr_of_size(Size *s)
{
	Ty *i64 = ty_prim(PT_I64);
	if (s->kind == SZ_CONST)
		return NEW(Expr, .kind = EX_INT, .span = s->span, .type = i64,
		           .int_lit = {.type = PT_I64, .suffixed = s->num.suffixed,
		                       .value = (uint64_t)s->num.value,
		                       .text = text("%lld", (long long)s->num.value)});
	if (s->kind == SZ_NODE)
		return s->node.origin;
	Binding *b = s->kind == SZ_VAR ? s->var : NULL;
	return NEW(Expr, .kind = EX_VAR, .span = s->span, .type = i64,
	           .var = {.name = {.name = b ? b->name : "_", .span = s->span}, .binding = b});
}

Size *size_operation(Span span, char op, Size *a, Size *b)
{
	char symbol[] = {op, 0};
	Binding *binding = env_value(intrinsics_env(), name_of(symbol));
	intrinsic_force(binding);
	Ty *i64 = ty_prim(PT_I64);
	Inst *inst = inst_of(&binding->scheme);
	inst->types.at[0] = i64;
	a = size_resolve(a);
	b = size_resolve(b);
	Expr *origin = NEW(Expr, .kind = EX_BINOP, .span = span, .type = i64,
	                   .binop = {.op = {.name = binding->name, .span = span},
	                             .a = expr_of_size(a), .b = expr_of_size(b),
	                             .binding = binding, .inst = inst});
	origin->binop.op_type = ty_arrow(NULL, i64, (Bindings){0},
	                                 ty_arrow(NULL, i64, (Bindings){0}, i64));
	Size *kids[] = {a, b};
	return node(origin, (Sizes){mem_dup(kids, sizeof kids), 2});
}

// ---- Traversal ----

Size *size_map(Size *s, Size *(*f)(void *, Size *), void *ctx)
{
	s = size_resolve(s);
	switch (s->kind) {
	case SZ_CONST: case SZ_ANON:
		return s;
	case SZ_VAR: case SZ_META:
		return f(ctx, s);
	case SZ_NODE:
		break;
	}
	Sizes kids = s->node.kids;
	for (int i = 0; i < kids.len; i++) {
		Size *kid = size_map(s->node.kids.at[i], f, ctx);
		if (kid == s->node.kids.at[i])
			continue;
		if (kids.at == s->node.kids.at)
			kids = SLICE_DUP(Sizes, kids);
		kids.at[i] = kid;
	}
	return kids.at == s->node.kids.at ? s
	     : NEW(Size, .kind = SZ_NODE, .span = s->span, .node = {s->node.origin, kids});
}

bool size_any(Size *s, bool (*f)(void *, Size *), void *ctx)
{
	s = size_resolve(s);
	switch (s->kind) {
	case SZ_CONST: case SZ_ANON:
		return false;
	case SZ_VAR: case SZ_META:
		return f(ctx, s);
	case SZ_NODE:
		for EACH(Size *, k, s->node.kids)
			if (size_any(*k, f, ctx))
				return true;
		return false;
	}
	bug("kind of size");
}

static bool leaf_is(void *ctx, Size *leaf)
{
	return leaf->kind == SZ_VAR && leaf->var == ctx;
}

bool size_mentions(Size *s, const Binding *b)
{
	return size_any(s, leaf_is, (void *)b);
}

int size_weight(Size *s)
{
	s = size_resolve(s);
	int n = 1;
	if (s->kind == SZ_NODE)
		for EACH(Size *, k, s->node.kids)
			n += size_weight(*k);
	return n;
}

// ---- Chains ----

// The operator of a node, when it is the built-in one: '+', '-', '*', ... or 0.
static char builtin_operator(const Size *s)
{
	if (s->kind != SZ_NODE || s->node.origin->kind != EX_BINOP)
		return 0;
	const Binding *b = s->node.origin->binop.binding;
	return b && b->kind == BIND_INTRINSIC && !b->name[1] ? b->name[0] : 0;
}

char size_chain(Size *s)
{
	char op = builtin_operator(size_resolve(s));
	return op == '+' || op == '-' ? '+' : op == '*' ? '*' : 0;
}

// More operands than these are only met in pathological programs, whose synonyms stand for
// exponentially large sizes.
#define MAX_TERMS 1000

static bool put_terms(Size *s, char chain, bool minus, Terms *out)
{
	s = size_resolve(s);
	if (s->kind == SZ_VAR && s->var->as_size && size_chain(s->var->as_size) == chain)
		s = size_resolve(s->var->as_size);
	if (size_chain(s) != chain || minus) {
		VEC_PUSH(out, (Term){s, minus});
		return out->len <= MAX_TERMS;
	}
	bool subtracts = builtin_operator(s) == '-';
	return put_terms(s->node.kids.at[0], chain, false, out) &&
	       put_terms(s->node.kids.at[1], chain, subtracts, out);
}

bool size_terms(Size *s, char chain, Terms *out)
{
	return put_terms(s, chain, false, out);
}

// ---- Equality ----

static const Binding *origin_of(const Binding *b)
{
	while (b && b->kind == BIND_COPY && !b->inst && b->of)
		b = b->of;
	return b;
}

static bool same_prim(const Expr *a, const Expr *b)
{
	Ty *x = a->type ? ty_resolve(a->type) : NULL, *y = b->type ? ty_resolve(b->type) : NULL;
	return !x || !y || x->kind != TY_PRIM || y->kind != TY_PRIM || x->prim == y->prim;
}

static bool same_int(const Expr *a, const Expr *b)
{
	return a->int_lit.value == b->int_lit.value && same_prim(a, b);
}

static bool same_float(const Expr *a, const Expr *b)
{
	return a->float_lit.value == b->float_lit.value && same_prim(a, b);
}

static bool same_string(const Expr *a, const Expr *b)
{
	return a->string.len == b->string.len &&
	       (!a->string.len || !memcmp(a->string.bytes, b->string.bytes, (size_t)a->string.len));
}

static bool same_fields(Names a, Names b)
{
	for (int i = 0; i < a.len; i++)
		if (i >= b.len || a.at[i] != b.at[i])
			return false;
	return a.len == b.len;
}

static bool same_record_fields(FieldExprs a, FieldExprs b)
{
	for (int i = 0; i < a.len && i < b.len; i++)
		if (a.at[i].name != b.at[i].name)
			return false;
	return a.len == b.len;
}

static bool same_index_form(Indices a, Indices b)
{
	for (int i = 0; i < a.len && i < b.len; i++) {
		const Index *x = &a.at[i], *y = &b.at[i];
		if (x->is_slice != y->is_slice || !x->from != !y->from || !x->to != !y->to ||
		    !x->step != !y->step)
			return false;
	}
	return a.len == b.len;
}

// `kids`: how many operands the nodes of these expressions have.
static bool same_form(const Expr *a, const Expr *b, int kids)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case EX_INT: return same_int(a, b);
	case EX_FLOAT: return same_float(a, b);
	case EX_CHAR: return a->char_lit == b->char_lit;
	case EX_BOOL: return a->bool_lit == b->bool_lit;
	case EX_STRING: return same_string(a, b);
	case EX_VAR:
		return same_fields(a->var.fields, b->var.fields) &&
		       (kids || origin_of(a->var.binding) == origin_of(b->var.binding));
	case EX_RECORD: return same_record_fields(a->record, b->record);
	case EX_PROJECT: return a->project.field == b->project.field;
	case EX_INDEX: return same_index_form(a->index.idx, b->index.idx);
	case EX_BINOP:
		return origin_of(a->binop.binding) == origin_of(b->binop.binding) &&
		       a->binop.op.name == b->binop.op.name;
	case EX_CONSTR: return a->constr.name == b->constr.name;
	case EX_RANGE:
		return a->range.kind == b->range.kind && !a->range.second == !b->range.second;
	case EX_TUPLE: case EX_ARRAY: case EX_APPLY: case EX_NEG: case EX_NOT: case EX_IF:
		return true;            // the operands say it all
	case EX_HOLE: case EX_COERCE: case EX_ASSERT: case EX_UPDATE: case EX_LET: case EX_LET_FUN:
	case EX_LET_UPDATE: case EX_LAMBDA: case EX_LOOP: case EX_MATCH: case EX_SECTION_L:
	case EX_SECTION_R: case EX_SECTION_PATH: case EX_PAREN: case EX_ATTR: case EX_OPEN:
	case EX_ASCRIBE:
		break;                  // never the origin of a size
	}
	bug("kind of expression");
}

// The function of an application, which may have taken the place of a local one.
static const Binding *function_of(Size *apply)
{
	const Expr *e = apply->node.origin;
	if (apply->node.kids.len == e->apply.args.len)
		return origin_of(strip(e->apply.fn)->var.binding);
	Size *fn = size_resolve(apply->node.kids.at[0]);
	return fn->kind == SZ_VAR ? origin_of(fn->var)
	     : fn->kind == SZ_NODE && fn->node.origin->kind == EX_VAR
	     ? origin_of(fn->node.origin->var.binding) : NULL;
}

Sizes size_operands(Size *s)
{
	Sizes kids = s->node.kids;
	bool local = s->node.origin->kind == EX_APPLY && kids.len > s->node.origin->apply.args.len;
	return local ? (Sizes){kids.at + 1, kids.len - 1} : kids;
}

bool size_same_head(Size *a, Size *b)
{
	int n = size_operands(a).len;
	if (n != size_operands(b).len || !same_form(a->node.origin, b->node.origin, n))
		return false;
	return a->node.origin->kind != EX_APPLY ||
	       (function_of(a) && function_of(a) == function_of(b));
}

static bool is_const(Size *s, int64_t *value)
{
	const Expr *e = s->kind == SZ_NODE ? s->node.origin : NULL;
	if (e && e->kind == EX_INT && is_i64(e)) {
		// A literal whose type was not yet known when the size was made.
		*value = (int64_t)e->int_lit.value;
		return true;
	}
	if (s->kind != SZ_CONST)
		return false;
	*value = s->num.value;
	return true;
}

static bool equal(Size *a, Size *b, int *budget);

static bool equal_chains(Size *a, Size *b, char chain, int *budget)
{
	Terms x = {0}, y = {0};
	if (!size_terms(a, chain, &x) || !size_terms(b, chain, &y) || x.len != y.len)
		return false;
	for (int i = 0; i < x.len; i++)
		if (x.at[i].minus != y.at[i].minus || !equal(x.at[i].size, y.at[i].size, budget))
			return false;
	return true;
}

static bool equal_nodes(Size *a, Size *b, int *budget)
{
	char chain = size_chain(a);
	if (chain && chain == size_chain(b))
		return equal_chains(a, b, chain, budget);
	if (!size_same_head(a, b))
		return false;
	Sizes x = size_operands(a), y = size_operands(b);
	for (int i = 0; i < x.len; i++)
		if (!equal(x.at[i], y.at[i], budget))
			return false;
	return true;
}

static bool equal(Size *a, Size *b, int *budget)
{
	a = size_resolve(a);
	b = size_resolve(b);
	if (a == b)
		return true;
	if ((*budget)-- <= 0)
		return false;
	if (a->kind == SZ_VAR && b->kind == SZ_VAR && origin_of(a->var) == origin_of(b->var))
		return true;
	if (a->kind == SZ_META && b->kind == SZ_META &&
	    size_variable(a) == size_variable(b))
		return true;
	if (a->kind == SZ_VAR && a->var->as_size)
		return equal(a->var->as_size, b, budget);
	if (b->kind == SZ_VAR && b->var->as_size)
		return equal(a, b->var->as_size, budget);
	int64_t x, y;
	if (is_const(a, &x) && is_const(b, &y))
		return x == y;
	return a->kind == SZ_NODE && b->kind == SZ_NODE && equal_nodes(a, b, budget);
}

bool size_equal(Size *a, Size *b)
{
	int budget = 10 * MAX_TERMS;    // synonyms can stand for exponentially large sizes
	return equal(a, b, &budget);
}
