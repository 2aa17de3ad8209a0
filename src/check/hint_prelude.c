// Hints for arguments of functions of the prelude: folds, derivatives, functions that find their
// sizes from types.
//
// Before: an error has been found and its message written; `want` is what the parameter has and
// `have` what the argument has.  After: a hint has been added and true is given, or nothing
// happened.  Types are only inspected.
#include "check/hint.h"

// The prelude's map is for one array, zip for two.
bool hint_map(Diag *d, const Binding *f, int n_args)
{
	int arrays = is_called(f, "zip") ? n_args : is_called(f, "map") ? n_args - 1 : 0;
	if (arrays < (is_called(f, "zip") ? 3 : 2) || arrays > 5)
		return false;
	diag_note(d, "Hint: \"%s%d\" is for %d arrays.", f->name, arrays, arrays);
	return true;
}

// ---- Order and number of arguments ----

// Functions of the prelude that were given sizes once, and find them from types now.
static bool hint_sizes_given(Diag *d, const Binding *f, Ty *want, Ty *have)
{
	static const struct { const char *name, *hint; } older[] = {
		{"unflatten", "\"unflatten (xs :> [n * m]t)\" has n rows of m elements"},
		{"unflatten_3d", "\"unflatten_3d (xs :> [n * m * l]t)\" has these sizes"},
		{"unflatten_4d", "\"unflatten_4d (xs :> [n * m * l * k]t)\" has these sizes"},
		{"split", "\"split (xs :> [n + m]t)\" has a first part of n elements; or use "
		          "\"(take n xs, drop n xs)\""},
	};
	bool number = have->kind == TY_PRIM || (have->kind == TY_META && have->meta->overload);
	for (size_t i = 0; number && want->kind == TY_ARRAY && i < 4; i++)
		if (strcmp(f->name, older[i].name) == 0) {
			diag_note(d, "Hint: \"%s\" is given no sizes, but finds them from the "
			             "type: %s.", f->name, older[i].hint);
			return true;
		}
	return false;
}

// replicate 0.0 n, tabulate f n, hist (+) 0 is vs k
static bool hint_size_first(Diag *d, const Why *why, const Binding *f, Ty *want, Ty *have)
{
	static const char *const sized[] = {"replicate", "tabulate", NULL};
	const Exprs args = why->call->apply.args;
	bool integer = have->kind == TY_PRIM && !is_float(have->prim) && have->prim != PT_BOOL;
	if (want->kind != TY_PRIM || want->prim != PT_I64 || integer)
		return false;
	if (calls(f, sized) && index_of_arg(why) == 0 && args.len == 2)
		diag_note(d, "Hint: the number of elements comes first: \"%s %s %s\".", f->name,
		          show_expr(args.at[1]), show_expr(args.at[0]));
	else if (is_called(f, "hist") && index_of_arg(why) == 2)
		diag_note(d, "Hint: the number of bins comes before the indices and the values: "
		             "\"hist op ne k is vs\".");
	else
		return false;
	return true;
}

// scatter xs is 0, map2 (+) xs 1
static bool hint_one_for_array(Diag *d, const Why *why, const Binding *f, Ty *want, Ty *have)
{
	static const char *const of_several[] = {
		"scatter", "hist", "reduce_by_index", "zip", "zip3", "map2", "map3", "map4",
		"map5",    NULL};
	if (!calls(f, of_several) || want->kind != TY_ARRAY || !is_number(have))
		return false;
	diag_note(d, "Hint: an array of equal elements is \"replicate n %s\".",
	          show_expr(why->arg));
	return true;
}

static bool has_elements(Ty *t, bool of_integers)
{
	Ty *elem = t && t->kind == TY_ARRAY ? ty_resolve(t->array.elem) : NULL;
	bool integers = elem && elem->kind == TY_PRIM && !is_float(elem->prim) &&
	                elem->prim != PT_BOOL;
	return elem && integers == of_integers;
}

// scatter is xs vs, where xs is to be written to
static bool hint_destination_first(Diag *d, const Why *why, const Binding *f, Ty *have)
{
	const Exprs args = why->call->apply.args;
	if (!is_called(f, "scatter") || index_of_arg(why) != 1 || args.len != 3 ||
	    !args.at[0]->type || !has_elements(have, false) ||
	    !has_elements(ty_resolve(args.at[0]->type), true))
		return false;
	diag_note(d, "Hint: the array to write to comes first, then the indices: \"scatter %s %s "
	             "%s\".", show_expr(args.at[1]), show_expr(args.at[0]),
	          show_expr(args.at[2]));
	return true;
}

// reduce_by_index (+) 0 is vs, scatter of pairs of indices
static bool hint_destination(Diag *d, const Why *why, const Binding *f, Ty *have)
{
	Ty *elem = have->kind == TY_ARRAY ? ty_resolve(have->array.elem) : have;
	if (is_called(f, "reduce_by_index") && index_of_arg(why) == 0 && have->kind == TY_ARROW)
		diag_note(d, "Hint: the array to add to comes first: \"reduce_by_index dest op ne "
		             "is vs\"; \"hist op ne k is vs\" makes a new one of k elements.");
	else if (is_called(f, "scatter") && index_of_arg(why) == 1 && is_tuple(elem) &&
	         elem->record.len == 2)
		diag_note(d, "Hint: \"scatter_2d\" is for pairs of indices.");
	else
		return false;
	return true;
}

// transpose xs, flatten xs
static bool hint_matrix(Diag *d, const Why *why, const Binding *f, Ty *have)
{
	static const char *const of_matrices[] = {"transpose", "flatten", NULL};
	Ty *elem = have->kind == TY_ARRAY ? ty_resolve(have->array.elem) : have;
	if (!calls(f, of_matrices) || elem->kind == TY_ARRAY)
		return false;
	const char *x = show_expr(why->arg);
	if (have->kind == TY_ARRAY && strcmp(f->name, "transpose") == 0 && strlen(x) <= 20)
		diag_note(d, "Hint: an array of one dimension has no rows to exchange; as a "
		             "column it is \"map (\\x -> [x]) %s\".", x);
	else
		diag_note(d, "Hint: \"%s\" is for arrays of at least two dimensions.", f->name);
	return true;
}

// filter (\x -> x - 1) xs
static bool hint_predicate(Diag *d, const Why *why, const Binding *f, Ty *want, Ty *have)
{
	static const char *const choosing[] = {"filter", "partition", "any", "all", NULL};
	if (!calls(f, choosing) || index_of_arg(why) != 0 || want->kind != TY_ARROW ||
	    have->kind != TY_ARROW)
		return false;
	Ty *to = ty_resolve(have->arrow.to);
	diag_note(d, "Hint: the function given to \"%s\" must return a bool, such as \"\\x -> x > "
	             "0\"%s.", f->name, is_number(to) ? "; this one returns a number" : "");
	return true;
}

// ---- Folds ----

// reduce (+) xs
static bool hint_neutral(Diag *d, const Why *why, const Binding *f, Ty *have)
{
	static const char *const folds[] = {"reduce", "reduce_comm", "scan",
	                                    "foldl",  "foldr",       NULL};
	if (!calls(f, folds) || index_of_arg(why) != 1 || have->kind != TY_ARRAY)
		return false;
	const char *what = f->name[0] == 'f' ? "start value" : "neutral element";
	const Exprs args = why->call->apply.args;
	const char *op = show_expr(args.at[0]), *xs = show_expr(why->arg);
	if (args.len > 2)
		diag_note(d, "Hint: the %s comes before the array: \"%s %s %s %s\".", what, f->name,
		          op, show_expr(args.at[2]), xs);
	else
		diag_note(d, "Hint: the %s is missing: \"%s %s %s %s\".", what, f->name, op,
		          what[0] == 's' ? "start" : "ne", xs);
	return true;
}

// reduce (+) 0i64 xs, where xs has floats
static bool hint_neutral_type(Diag *d, const Why *why, const Binding *f, Ty *want, Ty *have)
{
	static const char *const folds[] = {"reduce", "reduce_comm", "scan", NULL};
	if (!calls(f, folds) || index_of_arg(why) != 2 || want->kind != TY_ARRAY ||
	    have->kind != TY_ARRAY)
		return false;
	Ty *of = ty_resolve(want->array.elem), *has = ty_resolve(have->array.elem);
	if (of->kind != TY_PRIM || has->kind != TY_PRIM)
		return false;
	diag_note(d, "Hint: the neutral element has the type of the elements; \"%s\" is of type "
	             "%s, and the elements are of type %s.",
	          show_expr(why->call->apply.args.at[1]), show_ty(of), show_ty(has));
	return true;
}

// scan (\c x -> (c + x, c)) 0 xs
static bool hint_fold_operator(Diag *d, const Why *why, const Binding *f, Ty *want, Ty *have)
{
	static const char *const folds[] = {"reduce", "reduce_comm", "scan", NULL};
	if (!calls(f, folds) || index_of_arg(why) != 0 || want->kind != TY_ARROW ||
	    have->kind != TY_ARROW)
		return false;
	diag_note(d, "Hint: the operator of \"%s\" takes two values of one type and gives one of "
	             "the same type; a state of another type is carried by a loop: \"loop s = "
	             "start for x in xs do ...\".", f->name);
	return true;
}

// ---- Derivatives ----

// The seed of a derivative: like the result in reverse mode, like the argument in forward mode.
static bool hint_seed(Diag *d, const Why *why, const Binding *f, Ty *want, Ty *have)
{
	static const char *const modes[] = {"vjp", "vjp2", "jvp", "jvp2", NULL};
	const Expr *pair = strip_parens((Expr *)why->arg);
	if (!calls(f, modes))
		return false;
	bool reverse = f->name[0] == 'v';
	const char *fn = show_expr(why->call->apply.args.at[0]);
	if (index_of_arg(why) == 0 && want->kind == TY_ARROW && have->kind != TY_ARROW) {
		diag_note(d, "Hint: the function comes first, not its value; the point and the %s "
		             "follow: \"%s (\\x -> ...) x %s\".", reverse ? "seed" : "direction",
		          f->name, reverse ? "1" : "dx");
		return true;
	}
	if (index_of_arg(why) == 1 && why->call->apply.args.len == 2 && pair->kind == EX_TUPLE &&
	    pair->tuple.len == 2) {
		diag_note(d, "Hint: the point and the %s are two arguments: \"%s %s %s\".",
		          reverse ? "seed" : "direction", f->name, fn,
		          shown_args(pair->tuple, 2, " "));
		return true;
	}
	if (index_of_arg(why) == 1 && is_tuple(want) && !is_tuple(have) &&
	    why->call->apply.args.len == want->record.len + 2) {
		const Exprs args = why->call->apply.args;
		const Exprs point = {args.at + 1, want->record.len};
		diag_note(d, "Hint: the point is one argument, a tuple: \"%s %s (%s) %s\".",
		          f->name, fn, shown_args(point, point.len, ", "),
		          show_expr(args.at[args.len - 1]));
		return true;
	}
	if (index_of_arg(why) != 2)
		return false;
	const char *x = show_expr(why->call->apply.args.at[1]);
	bool brief = strlen(fn) <= 30 && strlen(x) <= 30;
	diag_note(d, "The seed of \"%s\" has the type of %s, %s.", f->name,
	          !brief ? reverse ? "the function's result" : "the function's argument"
	          : reverse ? text("\"%s %s\"", fn, x) : text("\"%s\"", x),
	          show_partial(want));
	if (reverse && want->kind == TY_ARRAY && is_number(have))
		diag_note(d, "Hint: one seed gives one row of the Jacobian; all of it is "
		             "\"jacobian\" of: import \"/prelude/derivatives\".");
	else if (!reverse && want->kind == TY_ARRAY && is_number(have))
		diag_note(d, "Hint: it is the direction of the derivative; for the gradient of a "
		             "function to a number write \"vjp %s %s 1\".",
		          brief ? fn : "f", brief ? x : "x");
	return true;
}

static bool hint_rule(Diag *d, const Why *why, const Binding *f)
{
	if (index_of_arg(why) != 1)
		return false;
	if (is_called(f, "with_vjp"))
		diag_note(d, "Hint: the rule takes the function's result and its adjoint, and "
		             "returns the adjoint of the argument: "
		             "\"with_vjp f (\\res adj -> ...)\".");
	else if (is_called(f, "with_vjp_tape"))
		diag_note(d, "Hint: the function returns a pair of the tape, which is whatever the "
		             "rule needs, and the result; the rule takes a pair of the tape and "
		             "the adjoint of the result: "
		             "\"with_vjp_tape f (\\(tape, adj) -> ...)\".");
	else
		return false;
	return true;
}

// grad f x, where f x is no number.
static bool hint_gradient(Diag *d, const Why *why, const Binding *f, Ty *have)
{
	static const char *const gradients[] = {"grad", "value_and_grad", NULL};
	if (!f || index_of_arg(why) != 0 || have->kind != TY_ARROW)
		return false;
	int to = (int)ty_resolve(have->arrow.to)->kind;
	for (int i = 0; gradients[i]; i++) {
		if (!is_called(f, gradients[i]) || (to != TY_ARRAY && to != TY_ARROW))
			continue;
		if (to == TY_ARRAY)
			diag_note(d, "Hint: the function must give one number; \"jacobian\" is "
			             "for functions to arrays.");
		else
			diag_note(d, "Hint: \"%s\" differentiates by one argument, which may be a "
			             "tuple; others are given before: \"%s (\\w -> %s w x) w\".",
			          f->name, f->name, show_expr(why->arg));
		return true;
	}
	return false;
}

// unzip of triples
static bool hint_unzip(Diag *d, const Binding *f, Ty *have)
{
	Ty *elem = have->kind == TY_ARRAY ? ty_resolve(have->array.elem) : have;
	if (!is_called(f, "unzip") || !is_tuple(elem) || elem->record.len < 3 ||
	    elem->record.len > 5)
		return false;
	diag_note(d, "Hint: \"unzip%d\" is for tuples of %d.", elem->record.len, elem->record.len);
	return true;
}

bool hint_prelude(Diag *d, const Why *why, const Binding *f, Ty *want, Ty *have)
{
	return hint_sizes_given(d, f, want, have) || hint_size_first(d, why, f, want, have) ||
	       hint_destination_first(d, why, f, have) ||
	       hint_destination(d, why, f, have) || hint_matrix(d, why, f, have) ||
	       hint_predicate(d, why, f, want, have) ||
	       hint_neutral_type(d, why, f, want, have) ||
	       hint_neutral(d, why, f, have) || hint_fold_operator(d, why, f, want, have) ||
	       hint_rule(d, why, f) || hint_seed(d, why, f, want, have) ||
	       hint_gradient(d, why, f, have) || hint_unzip(d, f, have) ||
	       hint_one_for_array(d, why, f, want, have);
}
