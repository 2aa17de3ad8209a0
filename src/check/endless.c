// Warns about functions that call themselves on every path, and therefore never return.
//
//     def f (x: i32) : i32 = f (x + 1)     Warning: "f" calls itself whatever its arguments are
//
// A call counts only if it is certain to be evaluated: a call in one branch of two, in the body of
// a loop, or in a local function that might not be called does not.
#include "check/infer.h"

#include <ctype.h>

typedef struct { const Binding *self; bool calls; } Endless;

static bool always_calls(const Binding *self, Expr *e);

static void look(Walk *w, Expr *e)
{
	Endless *x = w->ctx;
	x->calls = x->calls || always_calls(x->self, e);
}

static bool some_part_calls(const Binding *self, Expr *e)
{
	Endless x = {.self = self};
	walk_expr(&(Walk){.expr = look, .ctx = &x}, e);
	return x.calls;
}

static bool is_self(const Binding *self, Expr *fn)
{
	fn = strip_parens(fn);
	return fn->kind == EX_VAR && fn->var.binding == self;
}

static bool all_cases_call(const Binding *self, Cases cases)
{
	for EACH(Case, c, cases)
		if (!always_calls(self, c->body))
			return false;
	return true;
}

static bool is_lazy(const Expr *e)
{
	return !e->binop.op.quals.len && is_logic_operator(e->binop.op.name);
}

// Chains of lets and of operators are as long as programs, so they are not recursed over.
static bool always_calls(const Binding *self, Expr *e)
{
	for (;;) {
		if (e->kind == EX_LET) {
			if (always_calls(self, e->let.value))
				return true;
			e = e->let.body;
		} else if (e->kind == EX_LET_FUN) {
			e = e->let_fun.body;
		} else if (e->kind == EX_BINOP) {
			if (e->binop.binding == self ||
			    (!is_lazy(e) && always_calls(self, e->binop.b)))
				return true;
			e = e->binop.a;
		} else {
			break;
		}
	}
	switch (e->kind) {
	case EX_IF:
		return always_calls(self, e->if_.cond) ||
		       (always_calls(self, e->if_.yes) && always_calls(self, e->if_.no));
	case EX_MATCH:
		return always_calls(self, e->match.of) || all_cases_call(self, e->match.cases);
	case EX_LOOP:
		return e->loop.init && always_calls(self, e->loop.init);
	case EX_LAMBDA: case EX_SECTION_L: case EX_SECTION_R: case EX_SECTION_PATH:
		return false;
	case EX_APPLY:
		return is_self(self, e->apply.fn) || some_part_calls(self, e);
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING: case EX_VAR:
	case EX_HOLE:
		return false;
	case EX_PAREN: case EX_TUPLE: case EX_RECORD: case EX_ARRAY: case EX_PROJECT: case EX_INDEX:
	case EX_OPEN: case EX_NEG: case EX_NOT: case EX_CONSTR: case EX_ASCRIBE: case EX_COERCE:
	case EX_RANGE: case EX_LET_UPDATE: case EX_ASSERT: case EX_UPDATE: case EX_ATTR:
		return some_part_calls(self, e);
	case EX_LET: case EX_LET_FUN: case EX_BINOP:
		break;
	}
	bug("kind of expression");
}

void warn_if_endless(const ValDecl *vd)
{
	if (!vd->is_recursive || !vd->pats.len || !always_calls(vd->binding, vd->body))
		return;
	Diag *d = diag_warn(vd->name_span, "endless-recursion",
	                    "\"%s\" calls itself whatever its arguments are, and never ends.",
	                    vd->name);
	bool is_word = isalpha((unsigned char)vd->name[0]) || vd->name[0] == '_';
	diag_note(d, is_word ? "Hint: a recursion ends by a condition: \"if ... then ... else "
	                       "%s ...\"."
	                     : "Hint: inside of its definition an operator means itself; others "
	                       "are named by their module: \"a f64.%s b\".",
	          vd->name);
}
