// Hints for type errors in applications: what the author probably meant.
//
// Before: an error has been found and its message written.  After: hints have been added as notes,
// if there is a likely explanation.  Types are only inspected, never changed.
#include "check/hint.h"

#include <math.h>

// ---- The function ----

static const Binding *function_named(const Expr *fn)
{
	fn = strip_parens((Expr *)fn);
	bool plain = fn->kind == EX_VAR && fn->var.binding && !fn->var.fields.len;
	return plain && fn->var.binding->scheme.type ? fn->var.binding : NULL;
}

bool is_number(const Ty *t)
{
	return t->kind == TY_PRIM || (t->kind == TY_META && t->meta->overload);
}

const char *shown_args(const Exprs args, int n, const char *between)
{
	Str out = {0};
	for (int i = 0; i < n; i++) {
		str_puts(&out, i ? between : "");
		str_puts(&out, show_expr(args.at[i]));
	}
	return str_text(&out);
}

bool is_called(const Binding *f, const char *name)
{
	return f && strcmp(f->name, name) == 0;
}

// Does the call apply a function of this name of the prelude?
bool calls(const Binding *f, const char *const *names)
{
	if (!f || f->kind != BIND_GLOBAL)
		return false;
	for (; *names; names++)
		if (strcmp(f->name, *names) == 0)
			return true;
	return false;
}

int index_of_arg(const Why *why)
{
	for (int i = 0; i < why->call->apply.args.len; i++)
		if (why->call->apply.args.at[i] == why->arg)
			return i;
	return -1;
}

// (\x y -> e) as (\(x, y) -> e).
static const char *as_tuple_pattern(const Expr *lambda, int n)
{
	Str out = {0};
	str_puts(&out, "\\(");
	for (int i = 0; i < n; i++)
		str_printf(&out, "%s%s", i ? ", " : "", show_pat(lambda->lambda.pats.at[i]));
	str_puts(&out, ") -> ...");
	return str_text(&out);
}

// map map (+ 1) xss
static bool hint_nested_call(Diag *d, const Why *why)
{
	const Exprs args = why->call->apply.args;
	int i = index_of_arg(why);
	if (i < 0 || i + 2 >= args.len || strip_parens(args.at[i])->kind != EX_VAR ||
	    !is_function_like(args.at[i + 1]))
		return false;
	diag_note(d, "Hint: an argument that is a call is in parentheses: \"%s (%s %s) %s\".",
	          show_expr(why->expr), show_expr(args.at[i]), show_expr(args.at[i + 1]),
	          show_expr(args.at[i + 2]));
	return true;
}

void hint_arity(Diag *d, const Why *why, int given, int taken)
{
	const Binding *f = function_named(why->expr);
	const Expr *arg = strip_parens((Expr *)why->arg);
	bool is_lambda = arg->kind == EX_LAMBDA;
	bool lambda = is_lambda && arg->lambda.pats.len >= taken;
	const char *fn = is_lambda ? "f" : show_expr(arg);
	static const char *const modes[] = {"vjp", "vjp2", "jvp", "jvp2", NULL};
	if (hint_nested_call(d, why))
		return;
	if (is_called(f, "map") && hint_map(d, f, why->call->apply.args.len))
		return;
	if (calls(f, modes) && taken == 2 && strlen(fn) <= 30)
		diag_note(d, "Hint: \"%s\" differentiates by one argument, which may be a tuple: "
		             "\"%s (\\(x, y) -> %s x y) (x, y) ...\".", f->name, f->name, fn);
	else if (is_called(f, "map") && taken <= 5)
		diag_note(d, "Hint: \"map%d %s ...\" is for %d arrays; for one array of tuples "
		             "write \"%s\".", taken, fn, taken,
		          lambda ? as_tuple_pattern(arg, taken)
		          : is_lambda ? "map (\\(x, y) -> ...) ..."
		          : taken == 2 ? text("map (\\(x, y) -> %s x y) ...", fn)
		                       : "map (\\(x, y, z) -> ...) ...");
	else if (lambda && given == 1)
		diag_note(d, "Hint: a function of one tuple is written \"%s\".",
		          as_tuple_pattern(arg, taken));
}

// ---- Arguments ----

bool is_tuple(Ty *t)
{
	return t->kind == TY_RECORD && ty_is_tuple(t) && t->record.len;
}

static bool hint_tuple(Diag *d, const Expr *call, const Binding *f, Ty *want, Ty *have)
{
	const Exprs args = call->apply.args;
	int given = is_tuple(have) ? have->record.len : 0;
	int taken = is_tuple(want) ? want->record.len : 0;
	const Expr *arg = strip_parens(args.at[0]);
	if (given && !taken && args.len == 1 && arg->kind == EX_TUPLE &&
	    count_params(f->scheme.type) >= given) {
		diag_note(d, "Hint: arguments are separated by spaces, without commas: %s %s",
		          show_expr(call->apply.fn), shown_args(arg->tuple, given, " "));
		return true;
	}
	if (taken && !given && args.len == taken) {
		diag_note(d, "Hint: \"%s\" takes a tuple: %s (%s)", f->name, f->name,
		          shown_args(args, taken, ", "));
		return true;
	}
	return false;
}

// A definition sees itself, where another function of its name may be meant.
static bool hint_self(Diag *d, const Binding *f)
{
	if (!f || f != infer->self)
		return false;
	diag_note(d, "Note: here \"%s\" is the function that is being defined, which hides others "
	             "of its name.", f->name);
	return true;
}

// f64.sum map f64.sqrt xs
static bool hint_parentheses(Diag *d, const Why *why, const Ty *want, const Ty *have)
{
	const Exprs args = why->call->apply.args;
	int i = index_of_arg(why);
	if (want->kind == TY_ARROW || have->kind != TY_ARROW || i < 0 || i + 1 >= args.len ||
	    strip_parens((Expr *)why->arg)->kind != EX_VAR)
		return false;
	const Exprs rest = {args.at + i, args.len - i};
	const char *inner = shown_args(rest, rest.len, " ");
	if (strlen(inner) > 50)
		return false;
	diag_note(d, "Hint: an argument that is a call is in parentheses: \"%s %s(%s)\".",
	          show_expr(why->expr), i ? "... " : "", inner);
	return true;
}

// map (-1) xs
static bool hint_negative_section(Diag *d, const Why *why, const Ty *want)
{
	const Expr *e = strip_parens((Expr *)why->arg);
	if (want->kind != TY_ARROW || e->kind != EX_NEG)
		return false;
	diag_note(d, "Hint: \"(-%s)\" is a number; the function that subtracts it is \"\\x -> x - "
	             "%s\".", show_expr(e->inner), show_expr(e->inner));
	return true;
}

// An argument does not fit: is one left out, or are two exchanged?
static bool hint_argument(Diag *d, const Why *why, Ty *want, Ty *have)
{
	const Binding *f = function_named(why->expr);
	if (hint_odd_argument(d, why, want, have))
		return true;
	if (!f)
		return hint_each(d, why, want, have);
	if (f == infer->self)
		return (want->kind == TY_ARROW) != (have->kind == TY_ARROW) && hint_self(d, f);
	if (hint_map(d, f, why->call->apply.args.len) || hint_tuple(d, why->call, f, want, have) ||
	    hint_tuple_parameter(d, why, want) || hint_exchanged(d, why, want, have) ||
	    hint_prelude(d, why, f, want, have) || hint_each(d, why, want, have) ||
	    hint_parentheses(d, why, want, have) || hint_negative_section(d, why, want))
		return true;
	bool function = want->kind == TY_ARROW, is_function = have->kind == TY_ARROW;
	if (why->call->apply.args.len >= count_params(f->scheme.type) && function == is_function)
		return false;
	diag_note(d, "Note: \"%s\" has type %s", show_expr(why->expr),
	          show_ty(ty_nonunique(f->scheme.type)));
	return true;
}

static bool is_some_float(const Ty *t)
{
	return t->kind == TY_META && t->meta->overload == OV_FLOAT;
}

static bool is_integer(const Ty *t)
{
	return t->kind == TY_PRIM && !is_float(t->prim) && t->prim != PT_BOOL;
}

// An integer and a number with a point.
static void hint_mixed(Diag *d, const Why *why, const Ty *want, const Ty *have)
{
	const Expr *e = why->arg ? strip_parens((Expr *)why->arg) : NULL;
	bool literal = e && e->kind == EX_FLOAT;
	double value = literal ? e->float_lit.value : 0;
	const char *type = is_integer(want) ? primtype_name[want->prim] : "";
	bool whole = literal && value == floor(value) && value < 1e15;
	if (is_integer(want) && is_some_float(have) && whole && why->kind != WHY_OPERAND)
		diag_note(d, "Hint: \"%s\" is a floating-point number; as an %s it is written "
		          "\"%.0f\"; f64.%s converts an %s to a float.", span_text(e->span), type,
		          value, type, type);
	else if (is_integer(want) && is_some_float(have) && why->kind == WHY_OPERAND)
		diag_note(d, "Hint: a number with a point is not an %s; f64.%s converts the other "
		          "operand.", type, type);
	else if (is_integer(want) && is_some_float(have))
		diag_note(d, "Hint: a number with a point is not an %s; %s.f64 converts it.",
		          type, type);
	else if (is_some_float(want) && is_integer(have))
		diag_note(d, "Hint: use f64.%s to convert.", primtype_name[have->prim]);
}

// x > 0 & x < 1
static bool hint_bits(Diag *d, const char *op, const Ty *t)
{
	if (t->kind != TY_PRIM || !is_float(t->prim) || (strcmp(op, "&") && strcmp(op, "|")))
		return false;
	diag_note(d, "Hint: \"%s%s\" is for booleans, \"%s\" for the bits of integers.", op,
	          op, op);
	return true;
}

// reduce (\n x -> if x > 0 then n + 1 else n) 0 xs, where the elements are of another type
static bool hint_fold_result(Diag *d, const Why *why)
{
	static const char *const folds[] = {"reduce", "reduce_comm", NULL};
	const Expr *e = why->arg && why->kind == WHY_TEXT ? strip_parens((Expr *)why->arg) : NULL;
	const Binding *f = e && e->kind == EX_APPLY ? function_named(e->apply.fn) : NULL;
	if (!calls(f, folds))
		return false;
	diag_note(d, "Hint: the result of \"%s\" has the type of the elements; give them another "
	             "type first: \"%s op ne (map f xs)\".", f->name, f->name);
	return true;
}

// A number for a slice; the body of a loop that gives less than the loop carries; vjp where vjp2 is
// meant.
static bool hint_result(Diag *d, const Why *why, Ty *want, Ty *have)
{
	static const char *const modes[] = {"vjp", "jvp", NULL};
	const Expr *e = why->arg ? strip_parens((Expr *)why->arg) : NULL;
	const Binding *f = e && e->kind == EX_APPLY ? function_named(e->apply.fn) : NULL;
	if (want->kind == TY_ARRAY && is_number(have) && str_starts(why->text, "Value of update "))
		diag_note(d,
		          "Hint: a slice is replaced by an array of its size, such as \"replicate "
		          "n x\".");
	else if (want->kind == TY_ARROW && have->kind != TY_ARROW &&
	         str_starts(why->text, "Function body "))
		diag_note(d, "Hint: the type after the parameters is that of the result alone: "
		             "\"def f (x: f64) (y: f64) : f64 = ...\".");
	else if (!is_tuple(want) || is_tuple(have))
		return false;
	else if (str_starts(why->text, "Loop body "))
		diag_note(d, "Hint: the body returns the next values of all loop variables, a "
		             "tuple of %d.", want->record.len);
	else if (calls(f, modes) && want->record.len == 2)
		diag_note(d, "Hint: \"%s2\" gives the value and the derivative.", f->name);
	else
		return false;
	return true;
}

// not x == y, where x is not a boolean
static bool hint_not(Diag *d, const Why *why, const Ty *to)
{
	if (why->kind != WHY_ARG || to->kind != TY_PRIM || to->prim != PT_BOOL ||
	    !is_called(function_named(why->expr), "not"))
		return false;
	diag_note(d,
	          "Hint: \"not\" takes the next word as its argument: write \"not (x == y)\", or "
	          "\"x != y\".");
	return true;
}

void hint_clash(Diag *d, const Why *why, Ty *expected, Ty *actual, const Ty *a, const Ty *b)
{
	if (why->kind == WHY_ARG && hint_argument(d, why, ty_resolve(expected), ty_resolve(actual)))
		return;
	if (why->kind == WHY_OPERAND &&
	    (hint_chained(d, why) || hint_join(d, why, ty_resolve(expected), ty_resolve(actual)) ||
	     hint_bits(d, why->text, ty_resolve(actual)) ||
	     hint_array_operand(d, why, ty_resolve(expected), ty_resolve(actual))))
		return;
	if (why->kind == WHY_OPERAND || why->kind == WHY_TEXT)
		hint_mixed(d, why, ty_resolve(expected), ty_resolve(actual));
	if (why->kind == WHY_TEXT && hint_result(d, why, ty_resolve(expected), ty_resolve(actual)))
		return;
	if (why->kind == WHY_PAT && why->pat->kind == PAT_TUPLE &&
	    (ty_resolve(expected)->kind == TY_ARRAY || ty_resolve(actual)->kind == TY_ARRAY))
		diag_note(d, "Hint: arrays have no patterns; use \"xs[0]\", \"xs[1]\".");
	if (!a || !b || (why->kind == WHY_PAT && why->pat->kind == PAT_TUPLE))
		return;
	bool flip = why->kind == WHY_PAT; // the value is what is expected of the pattern
	const Ty *to = flip ? b : a, *from = flip ? a : b;
	const Ty *hidden = to->kind == TY_ABS ? to : from, *shown = hidden == to ? from : to;
	if (hidden->kind == TY_ABS && (shown->kind == TY_PRIM || shown->kind == TY_ARRAY))
		diag_note(d, "Note: \"%s\" is abstract: a module type hides what it is; \"with %s "
		          "= ...\" after the module type tells.", show_ty((Ty *)hidden),
		          hidden->abs.def->name);
	if (a->kind == TY_PRIM && b->kind == TY_PRIM && hint_quotient(d, why, to, from))
		return;
	if (a->kind == TY_PRIM && b->kind == TY_PRIM && hint_fold_result(d, why))
		return;
	if (why->kind == WHY_OPERAND && is_integer(to) && from->kind == TY_PRIM &&
	    is_float(from->prim))
		diag_note(d, "Hint: use %s.%s to convert the other operand; %s.%s would round this "
		          "one.", primtype_name[from->prim], primtype_name[to->prim],
		          primtype_name[to->prim], primtype_name[from->prim]);
	else if (a->kind == TY_PRIM && b->kind == TY_PRIM && why->kind != WHY_OPERAND &&
	    ty_resolve(expected)->kind == TY_ARRAY && ty_resolve(actual)->kind == TY_ARRAY)
		diag_note(d, "Hint: use %s.%s to convert each element, by \"map\".",
		          primtype_name[to->prim], primtype_name[from->prim]);
	else if (hint_not(d, why, to))
		return;
	else if (to->kind == TY_PRIM && to->prim == PT_BOOL && is_integer(from) && why->arg)
		diag_note(d, "Hint: a number is not a boolean; compare it: \"%s != 0\".",
		          strlen(show_expr(why->arg)) > 20 ? "x" : show_expr(why->arg));
	else if (a->kind == TY_PRIM && b->kind == TY_PRIM)
		diag_note(d, "Hint: use %s.%s to convert.", primtype_name[to->prim],
		          primtype_name[from->prim]);
	else if (b->kind == TY_ARROW && a->kind != TY_ARROW)
		hint_missing_argument(d, why->arg);
}

// ---- Operands ----

// 3, where a value of a type that nothing is known of is wanted
void hint_number(Diag *d, const Ty *t)
{
	if (t->kind == TY_PARAM)
		diag_note(d, "Note: \"%s\" may be any type, which no number has.",
		          show_ty((Ty *)t));
	else if (t->kind == TY_ABS)
		diag_note(d, "Note: \"%s\" is abstract: no number has that type, but its module "
		          "may make such values.", show_ty((Ty *)t));
}

// m.t and + : x m.+ y
static const char *operator_in(const Ty *t, const char *op)
{
	const char *name = show_ty((Ty *)t), *dot = NULL;
	for (const char *c = name; *c && *c != ' '; c++)
		if (*c == '.')
			dot = c;
	return dot ? text(", \"x %.*s.%s y\"", (int)(dot - name), name, op) : "";
}

void hint_operand(Diag *d, const Why *why, Ty *t)
{
	const char *op = why->kind == WHY_OPERAND ? why->text : "";
	t = ty_resolve(t);
	bool real = t->kind == TY_PRIM && is_float(t->prim);
	if (t->kind == TY_ARROW && strcmp(op, "-") == 0)
		diag_note(d, "Hint: put a negative argument in parentheses: f (-x).");
	else if (t->kind == TY_ARROW && (strcmp(op, ">>") == 0 || strcmp(op, "<<") == 0))
		diag_note(d, "Hint: functions are composed by \"f >-> g\", which applies f first, "
		          "or by \"f <-< g\", which applies g first.");
	else if (t->kind == TY_ARROW && hint_unpacked(d, why))
		return;
	else if (t->kind == TY_ARROW && why->call && why->arg == why->call->binop.a &&
	         ty_resolve(t->arrow.from)->kind == TY_ARROW)
		diag_note(d, "Hint: an operator as an argument is in parentheses: \"%s (%s) ...\".",
		          show_expr(why->arg), op);
	else if (t->kind == TY_PARAM && *op)
		diag_note(d, "Hint: \"%s\" may be any type, so it has no operators; name a type "
		          "such as f64, or take the operation as a parameter.", show_ty(t));
	else if (t->kind == TY_ABS && *op)
		diag_note(d, "Note: \"%s\" is abstract: it has no operators but those that its "
		          "module declares%s.", show_ty(t), operator_in(t, op));
	else if (is_tuple(t) && *op && strchr("<>", *op))
		diag_note(d, "Hint: compare the components, with \"&&\" and \"||\" in between.");
	else if (t->kind == TY_ARRAY && why->kind == WHY_TEXT && str_starts(why->text, "Index "))
		diag_note(d, "Hint: the elements at several indices are \"map (\\i -> xs[i]) "
		          "is\".");
	else if (t->kind == TY_ARROW)
		hint_missing_argument(d, why->arg);
	else if (t->kind == TY_ARRAY && *op && (hint_pipe(d, why) || hint_mask(d, why) ||
	                                        hint_string_operand(d, why, op)))
		return;
	else if (t->kind == TY_ARRAY && strcmp(op, "*") == 0 && why->call &&
	         strip_parens((Expr *)why->arg)->kind == EX_ARRAY &&
	         strip_parens((Expr *)why->arg)->array.len == 1)
		diag_note(d, "Hint: \"replicate %s %s\" repeats a value.",
		          show_expr(why->call->binop.b),
		          show_expr(strip_parens((Expr *)why->arg)->array.at[0]));
	else if (t->kind == TY_ARRAY && strcmp(op, "-") == 0 && !why->call)
		diag_note(d, "Hint: operators work on single values; for each element write \"map "
		          "(\\x -> -x) %s\".", show_expr(why->arg));
	else if (t->kind == TY_ARRAY && *op && ty_resolve(t->array.elem)->kind == TY_ARRAY)
		diag_note(
			d,
			"Hint: operators work on single values.  For each element of a matrix "
			"write \"map (map (\\x -> x %s ...)) xss\", for two matrices \"map2 (map2 "
			"(%s)) xss yss\".",
			op, op);
	else if (t->kind == TY_ARRAY && *op)
		diag_note(d, "Hint: operators work on single values.  For each element write \"map "
		          "(\\x -> x %s ...) xs\", for two arrays \"map2 (%s) xs ys\"%s.", op, op,
		          strcmp(op, "+") == 0 ? "; \"xs ++ ys\" joins arrays" : "");
	else if (real && strcmp(op, "^") == 0)
		diag_note(d, "Hint: \"x ** y\" is x to the power of y.");
	else if (hint_bits(d, op, t))
		return;
	else if (real && strcmp(op, "%%") == 0)
		diag_note(d, "Hint: the remainder of floats is \"x %% y\".");
	else if (real && strcmp(op, "//") == 0)
		diag_note(d, "Hint: \"x / y\" divides; \"//\" is for integers.  A comment begins "
		          "with \"--\".");
	else if (real && strcmp(op, "!") == 0)
		diag_note(d, "Hint: the negative of x is \"-x\"; \"!\" is for bools and bits.");
	else if (real && why->kind == WHY_TEXT && str_starts(why->text, "Index "))
		diag_note(d, "Hint: use i64.%s to convert.", primtype_name[t->prim]);
	else if (is_tuple(t) && why->kind == WHY_TEXT && str_starts(why->text, "Index "))
		diag_note(d, "Hint: indices are separated by commas, without parentheses: "
		          "\"xss[i, j]\".");
	else if (t->kind == TY_PRIM && t->prim == PT_BOOL && (*op == '&' || *op == '|'))
		diag_note(d, "Hint: \"%c%c\" is for booleans.", *op, *op);
	else if (t->kind == TY_PRIM && t->prim == PT_BOOL && *op == '^')
		diag_note(d, "Hint: the exclusive or of two booleans is \"x != y\".");
	else if (t->kind == TY_PRIM && t->prim == PT_BOOL && *op && strchr("+-*/", *op))
		diag_note(d, "Hint: \"i64.bool %s\" is 1 for true and 0 for false.",
		          strlen(show_expr(why->arg)) > 20 ? "b" : show_expr(why->arg));
}

// ---- What is no function ----

// Words that are operators elsewhere.
static const char *word_operator(const Expr *e)
{
	static const struct { const char *word, *op; } words[] = {
		{"and", "&&"}, {"or", "||"}, {"mod", "%"}, {"rem", "%%"}, {"div", "/"},
		{"xor", "^"}, {"shl", "<<"}, {"shr", ">>"}, {"is", "=="},
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (e->kind == EX_VAR && !e->var.name.quals.len &&
		    strcmp(e->var.name.name, words[i].word) == 0)
			return words[i].op;
	return NULL;
}

// trace x, and the result on the next line
static bool hint_next_line(Diag *d, const Expr *call, int n_given)
{
	const Expr *arg = call->apply.args.at[n_given];
	if (loc_pos(arg->span.lo).line == loc_pos(call->apply.fn->span.lo).line)
		return false;
	const char *name = show_expr(arg);
	name = strlen(name) > 20 ? "what is" : text("\"%s\"", name);
	if (n_given)
		diag_note(d, "Hint: %s on the next line counts as a further argument; what comes "
		          "before the result is bound by \"let _ = %s ... in ...\".", name,
		          show_expr(call->apply.fn));
	else
		diag_note(d, "Hint: %s on the next line continues this one, as an argument; is "
		          "\"in\" or an operator missing before it?", name);
	return true;
}

static bool follows_assert(Span span)
{
	const Source *src = source_of(span.lo);
	const char *at = src ? src->text + (span.lo - src->start) : NULL;
	const char *line = at;
	while (line && line > src->text && line[-1] != '\n')
		line--;
	return line && strstr(text("%.*s", (int)(at - line), line), "assert");
}

bool hint_no_function(Diag *d, const Expr *call, Ty *t, int n_given)
{
	const Expr *fn = call->apply.fn;
	Expr *arg = call->apply.args.at[n_given];
	const char *op = word_operator(arg);
	t = ty_resolve(t);
	if (arg->kind == EX_VAR && strcmp(arg->var.name.name, "as") == 0) {
		diag_note(d, "Hint: a function converts: \"f64.i32 x\" converts an i32 to f64.");
		return true;
	} else if (op && strcmp(op, "^") == 0 && t->kind == TY_PRIM && t->prim == PT_BOOL) {
		diag_note(d, "Hint: the operator is \"!=\".");
		return true;
	} else if (op) {
		diag_note(d, "Hint: the operator is \"%s\".", op);
		return true;
	} else if (arg->kind == EX_VAR && (strcmp(arg->var.name.name, "by") == 0 ||
	                                   strcmp(arg->var.name.name, "step") == 0)) {
		diag_note(d, "Hint: to count in steps, loop over a range: \"for i in 0..2..<n do "
		             "...\".");
		return true;
	} else if (n_given) {
		int n = call->apply.args.len;
		diag_note(d, "Note: \"%s\" takes only %d argument%s, but is given %d.",
		          show_expr(fn), n_given, n_given == 1 ? "" : "s", n);
		if (hint_next_line(d, call, n_given) || hint_self(d, function_named(fn)))
			return false;
		if (str_ends(show_expr(fn), ".max") || str_ends(show_expr(fn), ".min"))
			diag_note(d, "Hint: for several values: \"%simum [%s]\".", show_expr(fn),
			          shown_args(call->apply.args, n, ", "));
		else
			hint_map(d, function_named(fn), n);
	} else if (hint_next_line(d, call, 0)) {
		return true;
	} else if (t->kind == TY_ARRAY && strip_parens(arg)->kind == EX_ARRAY) {
		bool name = fn->kind == EX_VAR || fn->kind == EX_PAREN;
		diag_note(d, "Hint: an index follows its array without a space: \"%s%s%s%s\".",
		          name ? "" : "(", show_expr(fn), name ? "" : ")", show_expr(arg));
	} else if (strip_parens((Expr *)fn)->kind == EX_STRING && follows_assert(fn->span)) {
		diag_note(d, "Hint: an assertion has no text: \"assert (c) e\" is e if c is true; "
		          "what fails is shown with its place in the program.");
	} else if (strip_parens((Expr *)fn)->kind == EX_STRING) {
		diag_note(d, "Hint: documentation is a comment before the definition: \"-- | "
		          "...\".");
	} else if (t->kind == TY_ARRAY) {
		diag_note(d, "Hint: an element is \"%s[i]\".", show_expr(fn));
	} else if (strip_parens(arg)->kind == EX_TUPLE && !strip_parens(arg)->tuple.len) {
		diag_note(d, "Hint: a value without parameters is used by its name alone: \"%s\".",
		          show_expr(fn));
	} else if (is_number(t)) {
		if (hint_applied_number(d, call))
			return true;
		diag_note(d, "Hint: is an operator missing between \"%s\" and \"%s\"?",
		          show_expr(fn), show_expr(arg));
	}
	return false;
}
