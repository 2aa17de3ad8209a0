// Error messages of phase 1: two types do not unify, or a type does not meet a demand.
//
// Before: unify.c has found the conflict and recorded it in a Clash.  After: an error that shows
// both types, the parts of them that conflict, and a hint (hint.c).  Within an inference, checking
// continues with TY_ERROR for the part that failed; elsewhere the error unwinds to the guard.
#include "check/infer.h"

// ---- Types of which little is known ----

const char *show_overload(Overload ov)
{
	Str out = {0};
	for (int t = 0; t < N_PRIMTYPE; t++)
		if (overload_allows(ov, (PrimType)t))
			str_printf(&out, "%s%s", out.len ? ", " : "", primtype_name[t]);
	return str_text(&out);
}

// A type of which only some demands are known is shown by these.
const char *show_partial(Ty *t)
{
	t = ty_resolve(t);
	if (t->kind != TY_META)
		return show_ty(t);
	if (t->meta->overload)
		return t->meta->overload == OV_NUM ? "number"
		     : text("one of [%s]", show_overload(t->meta->overload));
	if (t->meta->constrs.len)
		return text("%s | ...", show_ty(ty_sum(t->meta->constrs)));
	if (t->meta->fields.len) {
		const char *all = show_ty(ty_record(t->meta->fields));
		bool is_tuple = all[0] == '(';
		return text("%.*s, ...%s", (int)strlen(all) - 1, all, is_tuple ? ")" : "}");
	}
	return show_ty(t);
}

// ---- Headings ----

// Code in messages is quoted on one line; a long piece is cut.
static const char *quote(const char *code)
{
	enum { LONGEST = 60 };
	size_t n = strlen(code);
	if (n <= LONGEST)
		return code;
	n = LONGEST - 3;
	while (n && ((unsigned char)code[n] & 0xC0) == 0x80)
		n--;
	return text("%.*s...", (int)n, code);
}

// What is no name is not repeated in messages.
const char *show_function(const Expr *fn)
{
	while (fn->kind == EX_PAREN)
		fn = fn->inner;
	return fn->kind == EX_VAR || fn->kind == EX_APPLY
	     ? text("\"%s\"", quote(show_expr(fn))) : "function";
}

static const char *headline(const Why *why, Ty *expected)
{
	switch (why->kind) {
	case WHY_TEXT:
		return why->text;
	case WHY_ARG:
		return text("Cannot apply %s to \"%s\" (invalid type).", show_function(why->expr),
		            quote(show_expr(why->arg)));
	case WHY_OPERAND:
		return text("Cannot apply \"%s\" to \"%s\" (invalid type).", why->text,
		            quote(show_expr(why->arg)));
	case WHY_PAT:
		return text("Pattern %s cannot match value of type %s.", quote(show_pat(why->pat)),
		            show_partial(expected));
	}
	bug("reason");
}

// ---- Functions of too many arguments ----

static void done(Diag *d)
{
	if (!infer)
		fail_diag(d);
}

int count_params(Ty *t)
{
	int n = 0;
	for (t = ty_resolve(t); t->kind == TY_ARROW; t = ty_resolve(t->arrow.to))
		n++;
	return n;
}

// map f xs with f of two arguments: that f x is a function, which no array may have as element, is
// only what follows from it.
static bool report_arity(const Why *why, const Clash *c, const char *head, const char *types,
                         Ty *expected, Ty *actual)
{
	int given = count_params(expected), taken = count_params(actual);
	if (!c->functional || !given || taken <= given)
		return false;
	const char *f = show_function(why->arg);
	bool named = f[0] == '"';
	Diag *d = diag_error(why->span, c->anchor, "%s%s", head, types);
	diag_note(d, "%s takes %d arguments, but %s gives it %d.",
	          named ? f : "The function", taken, show_function(why->expr), given);
	hint_arity(d, why, given, taken);
	done(d);
	return true;
}

// ---- Clashes ----

// The first line, where the clash itself has no message.
static Diag *report_types(const Why *why, const Clash *c, const char *head, const char *types,
                          const char *want, const char *have)
{
	return head ? diag_error(why->span, c->anchor, "%s%s", head, types)
	            : diag_error(why->span, c->anchor, "Cannot unify %s with %s.", want, have);
}

static Diag *report_message(const Why *why, const Clash *c, const char *head, const char *types,
                            const char *want, const char *have)
{
	Diag *d = diag_error(why->span, c->anchor, "%s", c->message);
	if (head)
		diag_note(d, "When checking: %s%s", head, types);
	else
		diag_note(d, "When matching %s with %s.", want, have);
	return d;
}

// Is it shown by the types of numbers that it may be?
static bool is_number_meta(const Ty *t)
{
	return t->kind == TY_META && t->meta->overload;
}

// tabulate n (\i -> i * 0.5), i32.sum [0.5]
static void hint_float(Diag *d, const Ty *want, const Ty *have)
{
	const Ty *from = want->kind == TY_ARROW ? ty_resolve(want->arrow.from) : want;
	const Ty *elem = want->kind == TY_ARRAY ? ty_resolve(want->array.elem) : want;
	if (have->kind == TY_ARROW && from->kind == TY_PRIM && is_int(from->prim))
		diag_note(d, "Hint: \"f64.%s x\" converts the parameter x of the function.",
		          primtype_name[from->prim]);
	else if (elem->kind == TY_PRIM && is_int(elem->prim))
		diag_note(d, "Hint: a number with a point is not an %s.",
		          primtype_name[elem->prim]);
}

void report_clash(const Why *why, const Clash *c, Ty *expected, Ty *actual)
{
	const char *head = headline(why, expected);
	const char *want = show_partial(expected), *have = show_partial(actual);
	const char *types = (why->kind == WHY_PAT && !c->message) || strcmp(want, have) == 0 ? ""
	                  : text("\nExpected: %s\nActual:   %s", want, have);
	if (why->kind == WHY_ARG && report_arity(why, c, head, types, expected, actual))
		return;
	Diag *d = c->message ? report_message(why, c, head, types, want, have)
	                     : report_types(why, c, head, types, want, have);
	Ty *e = ty_resolve(expected), *a = ty_resolve(actual);
	bool inner = c->a && c->b && c->a != e && c->b != a && c->a != a;
	bool outer = c->a && c->b && head && why->kind == WHY_TEXT;
	if (!c->message && (inner || outer))
		diag_note(d, "Cannot unify %s with %s.", show_ty(c->a), show_ty(c->b));
	if (c->field)
		diag_note(d, "When matching the types of field %s.", c->field);
	Diag hints = {0};
	if (why->kind != WHY_PAT || why->pat->kind == PAT_ASCRIBE || why->pat->kind == PAT_TUPLE)
		hint_clash(&hints, why, expected, actual, c->a, c->b);
	bool repeats = c->wanted && *types && !c->sum && (is_number_meta(e) || is_number_meta(a));
	if (c->note && !repeats && !(hints.notes && c->wanted))
		diag_note(d, "%s", c->note);
	if (!hints.notes && c->wanted == OV_FLOAT)
		hint_float(d, e, a);
	if (!hints.notes && repeats)
		hint_number(d, is_number_meta(e) ? a : e);
	if (hints.notes)
		diag_note(d, "%s", hints.notes);
	done(d);
}

// For a demand on a single type.
void report_demand(const Why *why, const Clash *c, Ty *t)
{
	const char *head = headline(why, t);
	if (c->wanted && head)
		head = text("%s\nExpected: one of [%s]\nActual:   %s", head,
		            show_overload(c->wanted), show_partial(t));
	Diag *d = c->message ? diag_error(why->span, c->anchor, "%s", c->message)
	        : head ? diag_error(why->span, c->anchor, "%s", head)
	        : diag_error(why->span, c->anchor, "Invalid type %s.", show_ty(t));
	if (c->message && head && why->kind != WHY_TEXT)
		diag_note(d, "When checking: %s", head);
	if (c->note && (c->sum || !(c->wanted && head && !c->message)))
		diag_note(d, "%s", c->note);
	if (c->wanted)
		hint_operand(d, why, t);
	done(d);
}

// A record or sum type that nothing determines.
void fail_ambiguous(Meta *m)
{
	Ty *t = &(Ty){.kind = TY_META, .meta = m};
	Diag *d = diag_error(m->span, "ambiguous-type", "Type %s is ambiguous.", show_ty(t));
	if (m->fields.len)
		diag_note(d, "Must be a record with fields %s\n"
		          "Hint: name its type: \"(p: {x: f64, y: f64})\".",
		          show_ty(ty_record(m->fields)));
	else
		diag_note(d, "Type is ambiguous as long as not all of its constructors are known.\n"
		          "Must be a sum type with constructors %s\n"
		          "Hint: name its type: \"(#a : #a | #b f64)\", or that of the function's "
		          "result.", show_ty(ty_sum(m->constrs)));
	fail_diag(d);
}
