// Hints for expressions that mean something else in other languages.
//
// Before: an error has been found and its message written.  After: a note says how to write what
// was probably meant, and true is given; or nothing happened.  Types are only inspected.
#include "check/infer.h"
#include "check/modules.h"

#include <ctype.h>

static bool is_name(const Expr *e, const char *name)
{
	return e->kind == EX_VAR && !e->var.name.quals.len && strcmp(e->var.name.name, name) == 0;
}

// ---- Operators ----

static bool is_comparison(const Expr *e)
{
	static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
	for (size_t i = 0; e->kind == EX_BINOP && i < sizeof ops / sizeof *ops; i++)
		if (strcmp(e->binop.op.name, ops[i]) == 0)
			return true;
	return false;
}

// 0 < x < 3
bool hint_chained(Diag *d, const Why *why)
{
	const Expr *e = why->call;
	if (!e || !is_comparison(e) || !is_comparison(e->binop.a) || why->arg != e->binop.b)
		return false;
	const Expr *a = e->binop.a;
	const char *first = show_expr(a), *middle = show_expr(a->binop.b);
	diag_note(d, "Hint: comparisons do not chain: write \"%s && %s %s %s\".", first, middle,
	          e->binop.op.name, show_expr(e->binop.b));
	return true;
}

// xs | f, where f is a function
bool hint_pipe(Diag *d, const Why *why)
{
	const Expr *e = why->call;
	if (!e || e->kind != EX_BINOP || strcmp(e->binop.op.name, "|") != 0 ||
	    why->arg != e->binop.a)
		return false;
	const Expr *b = e->binop.b;
	const Expr *fn = b->kind == EX_APPLY ? b->apply.fn : b;
	if (fn->kind != EX_VAR)
		return false;
	diag_note(d, "Hint: \"x |> f\" applies f to x.");
	return true;
}

// f *p, where p is a tuple
bool hint_unpacked(Diag *d, const Why *why)
{
	const Expr *e = why->call;
	if (!e || e->kind != EX_BINOP || strcmp(e->binop.op.name, "*") != 0 ||
	    e->binop.op.span.lo == e->binop.a->span.hi ||
	    e->binop.op.span.hi != e->binop.b->span.lo)
		return false;
	const char *f = show_expr(e->binop.a), *x = show_expr(e->binop.b);
	diag_note(d, "Hint: pass the components of the tuple one by one: \"%s %s.0 %s.1\".", f, x,
	          x);
	return true;
}

// The operator by which x OP= y would change x, as text, or NULL.
static const char *assigned_by(Name op)
{
	size_t n = strlen(op);
	bool assigns = n >= 2 && op[n - 1] == '=' && strchr("+-*/%&|^", op[0]) &&
	               strcmp(op, "/=") != 0;
	return assigns ? text("%.*s", (int)n - 1, op) : NULL;
}

// [x * 2 | x <- xs]
static bool hint_comprehension(Diag *d, const Expr *e)
{
	const Expr *a = e->binop.a;
	if (a->kind != EX_BINOP || strcmp(a->binop.op.name, "|") != 0)
		return false;
	const char *x = show_expr(a->binop.b), *fx = show_expr(a->binop.a);
	diag_note(d, "Hint: a function is applied to each element by \"map (\\%s -> %s) %s\".", x,
	          strlen(fx) > 40 ? "..." : fx, show_expr(e->binop.b));
	return true;
}

// What an operator that there is not would do in another language.
bool hint_foreign_operator(Diag *d, const Expr *e)
{
	Name op = e->binop.op.name;
	const Expr *a = e->binop.a;
	const char *by = assigned_by(op);
	if (a->kind == EX_APPLY)        // the name is on a line of its own, after a binding
		a = a->apply.args.at[a->apply.args.len - 1];
	if (strcmp(op, "=>") == 0)
		return true;            // the name itself has a hint; its operands are parameters
	if (!by && strcmp(op, "<-") != 0)
		return false;
	if (!by && hint_comprehension(d, e))
		return true;
	const char *x = a->kind == EX_VAR ? show_expr(a) : "x", *y = show_expr(e->binop.b);
	Span of = e->binop.b->span;
	y = strlen(y) > 40 || loc_pos(of.lo).line != loc_pos(of.hi).line ? "..." : y;
	if (a->kind == EX_INDEX)
		diag_note(d, "Hint: variables cannot be reassigned; \"xs with [i] = v\" is xs with "
		          "element i replaced by v.");
	else
		diag_note(d, "Hint: variables cannot be reassigned; a new one may have the same "
		          "name: \"let %s = %s%s in ...\".", x, by ? text("%s %s ", x, by) : "", y);
	return true;
}

// xs ++ x, "x = " ++ x
bool hint_join(Diag *d, const Why *why, const Ty *want, const Ty *have)
{
	bool literal = have->kind == TY_META && have->meta->overload;
	if (strcmp(why->text, "++") != 0 || (want->kind != TY_ARRAY && want->kind != TY_META) ||
	    have->kind == TY_ARRAY || (have->kind == TY_META && !literal))
		return false;
	const Ty *elem = want->kind == TY_ARRAY ? ty_resolve(want->array.elem) : want;
	const char *x = show_expr(why->arg);
	if (elem->kind == TY_PRIM && elem->prim == PT_U8 && have->kind == TY_PRIM &&
	    have->prim != PT_U8)
		diag_note(d, "Hint: " NO_FORMAT ".");
	else
		diag_note(d, "Hint: \"++\" joins arrays; an array of one element is \"[%s]\".",
		          strlen(x) > 20 ? "x" : x);
	return true;
}

// 2 * xs, xs == 0
bool hint_array_operand(Diag *d, const Why *why, const Ty *want, const Ty *have)
{
	const Expr *e = why->call;
	if (!e || e->kind != EX_BINOP || (want->kind == TY_ARRAY) == (have->kind == TY_ARRAY))
		return false;
	bool right = have->kind == TY_ARRAY;
	const Expr *string = strip_parens(right ? e->binop.b : e->binop.a);
	const char *quoted = string->kind == EX_STRING ? show_expr(string) : "";
	if (strlen(quoted) == 3) {
		diag_note(d, "Hint: a string is an array of bytes; a single byte is '%c'.",
		          quoted[1]);
		return true;
	}
	const char *a = show_expr(e->binop.a), *b = show_expr(e->binop.b);
	if (strlen(a) > 20 || strlen(b) > 20)
		return false;
	if (right)
		diag_note(d, "Hint: operators work on single values; for each element write \"map "
		          "(\\x -> %s %s x) %s\".", a, why->text, b);
	else
		diag_note(d, "Hint: operators work on single values; for each element write \"map "
		          "(\\x -> x %s %s) %s\".", why->text, b, a);
	return true;
}

// a[a > 0]
bool hint_mask(Diag *d, const Why *why)
{
	const Expr *e = why->call;
	if (!e || !is_comparison(e) || why->arg != e->binop.a || !in_brackets(e->span))
		return false;
	const char *a = show_expr(e->binop.a), *b = show_expr(e->binop.b);
	if (strlen(a) > 20 || strlen(b) > 20)
		return false;
	diag_note(d, "Hint: \"filter (\\x -> x %s %s) %s\" has the elements for which it is true.",
	          e->binop.op.name, b, a);
	return true;
}

// "a" + "b", "%d" % x
bool hint_string_operand(Diag *d, const Why *why, const char *op)
{
	if (!why->arg || strip_parens((Expr *)why->arg)->kind != EX_STRING)
		return false;
	if (strcmp(op, "+") == 0)
		diag_note(d, "Hint: \"++\" joins strings, which are arrays of bytes.");
	else
		diag_note(d, "Hint: " NO_FORMAT ".");
	return true;
}

// ---- Application of what is no function ----

// 1.0f, 10L
static bool hint_suffix(Diag *d, const Expr *fn, const Expr *arg)
{
	bool literal = fn->kind == EX_INT || fn->kind == EX_FLOAT;
	if (!literal || arg->kind != EX_VAR || fn->span.hi != arg->span.lo)
		return false;
	const char *suffix = show_expr(arg);
	if (strcmp(suffix, "j") == 0 || strcmp(suffix, "im") == 0) {
		diag_note(d,
		          "Hint: there are no complex numbers built in; a pair may hold the real "
		          "and the imaginary part.");
		return true;
	}
	static const char *const known[] = {"f", "F", "l", "L", "ll", "LL", "u", "U", "ul", "UL",
	                                    "d", "D", "n"};
	bool is_suffix = false;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		is_suffix |= strcmp(suffix, known[i]) == 0;
	if (!is_suffix && strspn(suffix, "iuf0123456789") != strlen(suffix)) {
		diag_note(d, "Hint: a product is written with its operator: \"%s * %s\".",
		          show_expr(fn), suffix);
		return true;
	}
	diag_note(d, "Hint: the suffix of a number is its type: %s.",
	          fn->kind == EX_INT ? "10i64, 3f32" : "1.0f32, 1.0f64");
	return true;
}

// map \x -> x + 1 xs: the body of the function goes on to the end.
static bool hint_open_lambda(Diag *d, const Expr *call)
{
	const Source *src = source_of(call->span.lo);
	const char *at = src ? src->text + (call->span.lo - src->start) : NULL;
	int open = 0;
	for (const char *s = at; s && s > src->text && s[-1] != '\n'; s--) {
		open += s[-1] == ')' ? 1 : s[-1] == '(' ? -1 : 0;
		if (open < 0)
			return false;
		if (s[-1] != '\\')
			continue;
		diag_note(d, "Hint: an anonymous function as an argument is in parentheses: "
		          "\"map (\\x -> ...) xs\".");
		return true;
	}
	return false;
}

// [1 2 3]
static bool hint_commas(Diag *d, const Expr *call)
{
	const Source *src = source_of(call->span.lo);
	const char *at = src ? src->text + (call->span.lo - src->start) : "";
	if (!src || at == src->text || at[-1] != '[')
		return false;
	diag_note(d, "Hint: the elements of an array are separated by commas: \"[1, 2, 3]\".");
	return true;
}

bool hint_applied_number(Diag *d, const Expr *call)
{
	const Expr *fn = strip_parens(call->apply.fn), *arg = call->apply.args.at[0];
	return hint_suffix(d, fn, arg) || hint_commas(d, call) || hint_open_lambda(d, call);
}

// ---- Arguments ----

// g(), g(*p), f"x"
bool hint_odd_argument(Diag *d, const Why *why, const Ty *want, const Ty *have)
{
	const Expr *arg = strip_parens((Expr *)why->arg), *fn = why->expr;
	const char *f = fn->kind == EX_VAR ? show_expr(fn) : "f";
	if (have->kind == TY_RECORD && !have->record.len && want->kind != TY_RECORD)
		diag_note(d, "Hint: \"%s\" takes an argument: \"%s x\".", f, f);
	else if (arg->kind == EX_SECTION_R && strcmp(arg->section.op.name, "*") == 0 &&
	         want->kind != TY_ARROW)
		diag_note(d, "Hint: pass the components of the tuple one by one: \"%s %s.0 "
		             "%s.1\".", f, show_expr(arg->section.arg),
		          show_expr(arg->section.arg));
	else if (arg->kind == EX_STRING && fn->span.hi == arg->span.lo &&
	         fn->span.hi - fn->span.lo == 1)
		diag_note(d, "Hint: " NO_FORMAT ".");
	else
		return false;
	return true;
}

bool is_function_like(const Expr *e)
{
	e = strip_parens((Expr *)e);
	return (e->kind == EX_VAR && e->var.is_op) || e->kind == EX_LAMBDA ||
	       e->kind == EX_SECTION_L || e->kind == EX_SECTION_R ||
	       (e->type && ty_resolve(e->type)->kind == TY_ARROW);
}

// map xs f, vjp x f 1
bool hint_exchanged(Diag *d, const Why *why, const Ty *want, const Ty *have)
{
	const Exprs args = why->call->apply.args;
	if (want->kind != TY_ARROW || have->kind == TY_ARROW || args.at[0] != why->arg ||
	    args.len < 2 || !is_function_like(args.at[1]))
		return false;
	const char *f = show_expr(args.at[1]), *x = show_expr(args.at[0]);
	diag_note(d, "Hint: the function comes first: \"%s %s %s%s\".", show_expr(why->expr),
	          strlen(f) > 30 ? "f" : f, x, args.len > 2 ? " ..." : "");
	return true;
}

// map2 (\(x, y) -> ...) xs ys
bool hint_tuple_parameter(Diag *d, const Why *why, Ty *want)
{
	const Expr *f = strip_parens((Expr *)why->arg);
	if (f->kind != EX_LAMBDA || f->lambda.pats.len != 1 || want->kind != TY_ARROW ||
	    ty_resolve(want->arrow.to)->kind != TY_ARROW)
		return false;
	const Pat *p = f->lambda.pats.at[0];
	while (p->kind == PAT_PAREN)
		p = p->inner;
	if (p->kind != PAT_TUPLE)
		return false;
	Str out = {0};
	for EACH(Pat *, part, p->tuple)
		str_printf(&out, "%s ", show_pat(*part));
	diag_note(d, "Hint: %s gives the function its arguments one by one: \"\\%s-> ...\".",
	          show_function(why->expr), str_text(&out));
	return true;
}

// f64.exp xs, f64.max xs, f64.sum xss, map f xss: an array where its elements are wanted.
bool hint_each(Diag *d, const Why *why, const Ty *want, const Ty *have)
{
	const Exprs args = why->call->apply.args;
	bool rows = want->kind == TY_ARRAY && have->kind == TY_ARRAY;
	Ty *of = rows ? ty_resolve(want->array.elem) : NULL;
	Ty *has = rows ? ty_resolve(have->array.elem) : NULL;
	const char *f = show_expr(why->expr), *x = show_expr(why->arg);
	if (strlen(f) > 30 || strlen(x) > 30 || args.at[args.len - 1] != why->arg)
		return false;
	if (str_ends(f, ".max") || str_ends(f, ".min")) {
		if (have->kind == TY_ARRAY && args.len == 1)
			diag_note(d, "Hint: \"%simum %s\" is the %s element of an array.", f, x,
			          str_ends(f, "max") ? "largest" : "smallest");
		return have->kind == TY_ARRAY && args.len == 1;
	}
	if (args.len == 1 && want->kind == TY_PRIM && have->kind == TY_ARRAY)
		diag_note(d, "Hint: for each element write \"map %s %s\".", f, x);
	else if (args.len == 1 && rows && of->kind == TY_PRIM && has->kind == TY_ARRAY)
		diag_note(d, "Hint: for each row write \"map %s %s\", for all elements \"%s "
		          "(flatten %s)\".", f, x, f, x);
	else if (args.len == 2 && strcmp(f, "map") == 0 && rows && of->kind == TY_PRIM &&
	         has->kind == TY_ARRAY)
		diag_note(d, "Hint: the elements are rows: \"map (map %s) %s\".",
		          show_expr(args.at[0]), x);
	else
		return false;
	return true;
}

// A call that is still a function where none may be: an argument is missing.
void hint_missing_argument(Diag *d, const Expr *e)
{
	const Expr *call = e ? strip_parens((Expr *)e) : NULL;
	const Expr *fn = call && call->kind == EX_APPLY ? strip_parens(call->apply.fn) : NULL;
	static const char *const seeded[] = {"vjp", "vjp2", "jvp", "jvp2"};
	for (size_t i = 0; fn && call->apply.args.len == 2 && i < 4; i++)
		if (is_name(fn, seeded[i])) {
			diag_note(d, "Hint: the seed is missing: \"%s f x 1\" for a function %s "
			          "one number.", seeded[i], seeded[i][0] == 'v' ? "to" : "of");
			return;
		}
	if (call && is_name(call, "null")) {
		diag_note(d, "Hint: \"null xs\" tells whether an array is empty; there is no value "
		          "\"null\".");
		return;
	}
	if (!call || !is_name(call, "break"))
		diag_note(d, "Hint: is the function missing an argument?");
}

void hint_break(const Expr *yes, const Expr *no)
{
	if (diags.len && (is_name(yes, "break") || is_name(no, "break")))
		diag_note(diags.at[diags.len - 1],
		          "Hint: \"break\" is a function that stops the interpreter; a loop that "
		          "ends early is written \"loop x = start while c do ...\".");
}

// x / 2 of integers, where a float is wanted: its result has lost the fraction.
bool hint_quotient(Diag *d, const Why *why, const Ty *to, const Ty *from)
{
	const Expr *e = why->arg ? strip_parens((Expr *)why->arg) : NULL;
	if (!e || e->kind != EX_BINOP || strcmp(e->binop.op.name, "/") != 0 ||
	    !is_float(to->prim) || is_float(from->prim) || from->prim == PT_BOOL)
		return false;
	diag_note(d, "Hint: \"/\" of integers rounds down: convert its operands, with %s.%s.",
	          primtype_name[to->prim], primtype_name[from->prim]);
	return true;
}

// ---- Fields and constructors ----

// The field that is spelled like it, or all there are.
const char *hint_field(TyFields fields, Name wanted)
{
	Str all = {0};
	Name near = NULL;
	size_t best = 2;
	for EACH(TyField, f, fields) {
		size_t d = edit_distance(wanted, f->name, best);
		if (d <= best && 2 * d <= strlen(wanted) && (!near || d < best)) {
			near = f->name;
			best = d;
		}
		str_printf(&all, "%s%s", all.len ? ", " : "", f->name);
	}
	if (fields.len && strcmp(wanted, text("%d", fields.len)) == 0 &&
	    strcmp(fields.at[0].name, "0") == 0)
		return text("Hint: components are counted from 0: the last one is \"p.%d\".",
		            fields.len - 1);
	if (near && !isdigit((unsigned char)wanted[0]))
		return text("Hint: did you mean \"%s\"?", near);
	return fields.len ? text("Note: its fields are %s.", str_text(&all)) : NULL;
}



// The constructor that is spelled like it, as a further line of a note; "" if there is none.
const char *hint_constr(TyConstrs constrs, Name wanted)
{
	for EACH(TyConstr, k, constrs)
		if (edit_distance(wanted, k->name, 2) <= 2 && 2 * strlen(wanted) > 4)
			return text("\nHint: did you mean \"#%s\"?", k->name);
	return "";
}

// Records that differ in one field: which of the two has it.  Tuples: how many each has.
const char *hint_unshared(TyFields want, TyFields have)
{
	if (!want.len || !have.len)
		return "";
	bool tuple = strcmp(want.at[0].name, "0") == 0, other = strcmp(have.at[0].name, "0") == 0;
	if (tuple != other) {
		const TyFields named = tuple ? have : want;
		return text(
			"\nHint: one is a tuple, the other a record, whose pattern is \"{%s%s\".",
			named.at[0].name, named.len > 1 ? ", ...}" : "}");
	}
	if (tuple)
		return text("\nHint: one has %d components, the other %d.", want.len, have.len);
	for (int k = 0; k < 2; k++) {
		TyFields of = k ? have : want, in = k ? want : have;
		for EACH(TyField, f, of) {
			bool there = false;
			for EACH(TyField, g, in)
				there |= g->name == f->name;
			if (!there && of.len == in.len + 1)
				return text(k ? "\nHint: there is no field \"%s\" in this type."
				              : "\nHint: give the field \"%s\" a value too.",
				            f->name);
		}
	}
	return "";
}

// xs.sum(), xs.map(f), f . g
const char *hint_method(const Ty *t, Name field)
{
	static const char *const of_numbers[] = {"sum", "product", "maximum", "minimum", "exp",
	                                         "log", "sqrt", "sin", "cos", "abs"};
	if (t->kind == TY_ARROW)
		return text("Hint: \"f <-< g\" composes functions, so that g is applied first; "
		            "\"f >-> g\" applies f first.");
	const char *elsewhere = name_elsewhere(field, NS_VALUE);
	if (elsewhere)
		return text("Hint: %s.", elsewhere);
	bool array = t->kind == TY_ARRAY;
	if (array && ty_field(ty_resolve(t->array.elem), field))
		return text("Hint: the field of each element is \"map (.%s) xs\".", field);
	for (size_t i = 0; i < sizeof of_numbers / sizeof *of_numbers; i++)
		if (strcmp(field, of_numbers[i]) == 0)
			return text("Hint: functions come before their arguments: \"%sf64.%s %s\".",
			            array && i >= 4 ? "map " : "", field,
			            array ? "xs" : "x");
	static const char *const of_one[] = {"length", "reverse", "flatten", "transpose", "head",
	                                     "last", "init", "tail", "indices"};
	bool one = false;
	for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
		one |= strcmp(field, of_one[i]) == 0;
	if (!array)
		return NULL;
	return text("Hint: functions come before their arguments: \"%s%s xs\".", field,
	            one ? "" : " ...");
}
