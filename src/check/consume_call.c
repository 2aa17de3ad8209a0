// Phase 4 on applications: what they consume, and what their results may share memory with.
//
// The parts of a result that are not unique may share memory with each other (the call's own
// atom stands for that), with what the function captured, and with arguments that are not
// consumed, as far as types allow: in the callee's own terms, a result of type `b` comes from
// arguments of that type, or from functions that give a `b`, and then from whatever these may
// be given.
//
//     xs |> id                  a -> (a -> b) -> b: from the function, and so from xs
//     xs |> map (+ 1)           the function's result is unique: from nothing
#include "check/consume.h"

typedef struct {
	Span span;
	const QualName *name;           // of the function, for messages; or NULL
	int n;
	Expr **args;
	Ty **own, **actual;             // types of parameters: the callee's own, and here
	Alias **got;                    // aliases of the arguments
	bool *consumed;
	bool whole;                     // the result is one value to the callee
} Call;

static Ty *arrow_or_null(Ty *t)
{
	t = ty_resolve(t);
	return t->kind == TY_ARROW ? t : NULL;
}

// The type after n arguments, or NULL.
static Ty *after_args(Ty *t, int n)
{
	for (; n > 0; n--) {
		t = arrow_or_null(t);
		if (!t)
			return NULL;
		t = t->arrow.to;
	}
	return ty_resolve(t);
}

// ---- What is known of the results of functions ----

static Ty *with_results_of(Ty *type, Ty *known, bool result)
{
	Ty *t = ty_resolve(type), *k = ty_resolve(known);
	if (t == k)
		return t;
	if (t->kind == TY_ARROW && k->kind == TY_ARROW) {
		Ty *to = with_results_of(t->arrow.to, k->arrow.to, true);
		if (to == ty_resolve(t->arrow.to))
			return t;
		Ty *r = mem_dup(t, sizeof *t);
		r->arrow.to = to;
		return r;
	}
	if (t->kind == TY_RECORD && k->kind == TY_RECORD && t->record.len == k->record.len) {
		Ty *r = mem_dup(t, sizeof *t);
		r->record = SLICE_DUP(TyFields, t->record);
		for (int i = 0; i < t->record.len; i++)
			r->record.at[i].type = with_results_of(t->record.at[i].type,
			                                       k->record.at[i].type, result);
		return r;
	}
	return result && k->unique ? ty_unique(t) : t;
}

static Ty *operator_type(Binding *b, Ty *actual)
{
	if (!actual)
		actual = ty_error;
	return b && b->scheme.type ? with_results_of(actual, b->scheme.type, false) : actual;
}

static Ty *section_type(const Expr *e)
{
	Ty *op = arrow_or_null(operator_type(e->section.binding, e->section.op_type));
	if (!op)
		return e->type;
	if (e->kind == EX_SECTION_L)
		return with_results_of(e->type, op->arrow.to, false);
	Ty *rest = arrow_or_null(op->arrow.to);
	if (!rest)
		return e->type;
	return with_results_of(e->type, ty_arrow(NULL, op->arrow.from, (Bindings){0},
	                                         rest->arrow.to), false);
}

// The type of a field, or the type itself where there is none.
static Ty *known_field(Ty *type, Name name)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_RECORD)
		for EACH(TyField, f, t->record)
			if (f->name == name)
				return f->type;
	return t;
}

static Ty *fields_type(const Expr *e)
{
	Ty *t = ty_resolve(e->type);
	if (t->kind != TY_RECORD)
		return t;
	Ty *r = mem_dup(t, sizeof *t);
	r->record = SLICE_DUP(TyFields, t->record);
	for (int i = 0; i < r->record.len; i++) {
		TyField *f = &r->record.at[i];
		Expr *value = e->kind == EX_TUPLE ? e->tuple.at[i] : NULL;
		for (int k = 0; e->kind == EX_RECORD && k < e->record.len; k++)
			if (e->record.at[k].name == f->name)
				value = e->record.at[k].value;
		if (value)
			f->type = with_results_of(f->type, known_type(value), false);
	}
	return r;
}

static Ty *path_type(const Expr *e)
{
	Ty *t = e->var.binding ? e->var.binding->scheme.type : NULL;
	if (!t)
		return e->type;
	for EACH(Name, f, e->var.fields)
		t = known_field(t, *f);
	return with_results_of(e->type, t, false);
}

Ty *with_known_result(Ty *function, int n_params, Expr *body)
{
	Ty *t = ty_resolve(function);
	if (n_params == 0)
		return with_results_of(t, known_type(body), false);
	if (t->kind != TY_ARROW || !ty_has_function(body->type))
		return t;
	Ty *r = mem_dup(t, sizeof *t);
	r->arrow.to = with_known_result(t->arrow.to, n_params - 1, body);
	return r;
}

Ty *known_type(Expr *e)
{
	if (!ty_has_function(e->type))
		return e->type;
	switch (e->kind) {
	case EX_PAREN:
		return known_type(e->inner);
	case EX_ATTR:
		return known_type(e->attr.body);
	case EX_OPEN:
		return known_type(e->open.body);
	case EX_LET:
		return known_type(e->let.body);
	case EX_LET_FUN:
		return known_type(e->let_fun.body);
	case EX_VAR:
		return e->var.fields.len ? path_type(e) : operator_type(e->var.binding, e->type);
	case EX_PROJECT:
		return with_results_of(
			e->type, known_field(known_type(e->project.of), e->project.field), false);
	case EX_TUPLE: case EX_RECORD:
		return fields_type(e);
	case EX_LAMBDA:
		return e->lambda.ret
		     ? e->type
		     : with_known_result(e->type, e->lambda.pats.len, e->lambda.body);
	case EX_APPLY: {
		Ty *t = after_args(known_type(e->apply.fn), e->apply.args.len);
		return t ? with_results_of(e->type, t, false) : e->type;
	}
	case EX_SECTION_L: case EX_SECTION_R:
		return section_type(e);
	default:
		return e->type;
	}
}

static bool has_unique(Ty *type)
{
	Ty *t = ty_resolve(type);
	if (t->kind != TY_RECORD)
		return t->unique && ty_has_array(t);
	for EACH(TyField, f, t->record)
		if (has_unique(f->type))
			return true;
	return false;
}

static bool fits_uniqueness(Ty *want, Ty *have, bool result)
{
	Ty *w = ty_resolve(want), *h = ty_resolve(have);
	if (h->kind == TY_ERROR)
		return true;
	if (w->kind == TY_RECORD && h->kind == TY_RECORD && w->record.len == h->record.len) {
		for (int i = 0; i < w->record.len; i++)
			if (!fits_uniqueness(w->record.at[i].type, h->record.at[i].type, result))
				return false;
		return true;
	}
	if (result && has_unique(w) && !h->unique)
		return false;
	return w->kind != TY_ARROW || h->kind != TY_ARROW ||
	       (fits_uniqueness(h->arrow.from, w->arrow.from, false) &&
	        fits_uniqueness(w->arrow.to, h->arrow.to, true));
}

void check_function(Expr *given, Ty *wanted)
{
	if (!ty_has_function(wanted))
		return;
	Ty *have = known_type(given);
	if (!fits_uniqueness(wanted, have, false))
		fail(given->span, NULL, "Types\n  %s\nand\n  %s\nhave incompatible uniqueness.",
		     show_ty(wanted), show_ty(have));
}

// ---- What a result may share memory with ----

// Could a component of type `part` hold memory of a value of type `whole`?
static bool may_hold(Ty *part, Ty *whole)
{
	Ty *p = base_of(part), *w = base_of(whole);
	if (w->kind == TY_RECORD) {
		// A scalar field shares nothing, unless it is the element of an array.
		bool in_array = ty_resolve(whole)->kind == TY_ARRAY;
		for EACH(TyField, f, w->record)
			if ((in_array || ty_has_array(f->type)) && may_hold(part, f->type))
				return true;
		return false;
	}
	if (w->kind == TY_SUM) {
		for EACH(TyConstr, k, w->sum)
			for EACH(Ty *, a, k->args)
				if (may_hold(part, *a))
					return true;
		return p->kind == TY_SUM;
	}
	if (w->kind == TY_ARROW)                // whatever the closure captured
		return true;
	if (p->kind == TY_RECORD) {
		for EACH(TyField, f, p->record)
			if (may_hold(f->type, whole))
				return true;
		return false;
	}
	if (p->kind != w->kind)
		return p->kind == TY_ARROW || p->kind == TY_SUM || p->kind == TY_ERROR;
	switch (p->kind) {
	case TY_PRIM:
		return p->prim == w->prim;
	case TY_PARAM:
		return p->param == w->param;
	case TY_ABS:
		return p->abs.def == w->abs.def;
	default:
		return true;
	}
}

static bool all_unique(Ty *type)
{
	Ty *t = ty_resolve(type);
	if (t->kind != TY_RECORD || t->unique)
		return t->unique || !ty_has_array(t);
	for EACH(TyField, f, t->record)
		if (!all_unique(f->type))
			return false;
	return true;
}

// Is each result of the argument, a function of the parameter's type, a new value?
static bool gives_fresh(Expr *arg, Ty *param)
{
	int n = 0;
	for (Ty *t; (t = arrow_or_null(param)); param = t->arrow.to)
		n++;
	Ty *result = after_args(known_type(arg), n);
	return result && all_unique(result);
}

// What a part of the result, of the given type, may share with arguments.  *given: it may be
// something that the callee did not make itself.
static AtomSet from_args(const Call *k, Ty *part, bool *given)
{
	AtomSet s = {0};
	VEC(Ty *) needed = {0};
	bool *seen = NEW_ARRAY(bool, k->n);
	VEC_PUSH(&needed, part);
	for (int i = 0; i < needed.len; i++) {
		for (int j = 0; j < k->n; j++) {
			Ty *p = arrow_or_null(k->own[j]), *to = k->own[j];
			for (Ty *t; (t = arrow_or_null(to)); )
				to = t->arrow.to;
			bool whole = p && ty_resolve(needed.at[i])->kind == TY_ARROW;
			if (seen[j] || (!whole && !may_hold(needed.at[i], to)) ||
			    (!whole && p && gives_fresh(k->args[j], p)))
				continue;
			seen[j] = *given = true;
			if (!k->consumed[j])
				s = set_union(s, alias_atoms(k->got[j]));
			for (; p; p = arrow_or_null(p->arrow.to))
				if (ty_has_array(p->arrow.from))
					VEC_PUSH(&needed, p->arrow.from);
		}
	}
	return s;
}

// `always`: what every part that is not unique shares.
static Alias *result_alias(Consume *c, const Call *k, Ty *own, Ty *type, AtomSet always,
                           Origins *origins)
{
	Ty *o = ty_resolve(own), *t = ty_resolve(type);
	if (o->unique || t->unique || !ty_has_array(t))
		return &no_alias;
	if (o->kind == TY_RECORD && t->kind == TY_RECORD && o->record.len == t->record.len) {
		Alias *a = NEW(Alias, .is_record = true);
		a->fields.at = NEW_ARRAY(Alias *, t->record.len);
		a->fields.len = t->record.len;
		for (int i = 0; i < t->record.len; i++)
			a->fields.at[i] = result_alias(c, k, o->record.at[i].type,
			                               t->record.at[i].type, always, origins);
		return a;
	}
	bool given = o->kind != TY_PARAM;
	AtomSet s = set_union(always, from_args(k, o, &given));
	if (given || always.len || !k->whole)
		s = set_union(s, origins_of(c, origins, o));
	return alias_shaped(t, s);
}

static Alias *finish_call(Consume *c, Call *k, Ty *own, Ty *type, Alias *closure)
{
	Origins origins = {.span = k->span};
	origins.what = k->name ? text("applying \"%s\"", show_qualname(*k->name))
	                       : "applying a function";
	origins_count(&origins, own, type);
	k->whole = ty_resolve(own)->kind == TY_PARAM;
	return result_alias(c, k, own, type, alias_atoms(closure), &origins);
}

// ---- Arguments ----

static void fail_self_aliased(Span span, const Atom *twice)
{
	fail(span, "self-aliasing-arg",
	     "Argument passed for consuming parameter is self-aliased.\n"
	     "Using %s, but this was consumed by another part of the argument.",
	     atom_phrase(twice));
}

static void check_other_args(const Call *k, int at, const bool *done)
{
	for (int j = 0; j < k->n; j++)
		if (done[j] && j != at &&
		    set_common(alias_atoms(k->got[at]), alias_atoms(k->got[j])))
			fail(k->args[at]->span, "self-aliasing-arg",
			     "Argument\n  %s\nis consumed, but another argument of the same "
			     "application may alias it:\n  %s",
			     show_expr(k->args[at]), show_expr(k->args[j]));
}

// An argument has been evaluated: it is consumed if its parameter says so.
static void take_arg(Consume *c, Call *k, int i, Alias *a, bool *done)
{
	Expr *arg = k->args[i];
	k->got[i] = a;
	k->consumed[i] = is_consuming(k->actual[i]);
	check_function(arg, k->own[i]);
	if (k->consumed[i]) {
		Atom *twice = self_aliased(a);
		if (twice)
			fail_self_aliased(arg->span, twice);
		check_other_args(k, i, done);
		consume_alias(c, arg->span, a);
	}
	done[i] = true;
}

static Alias *consume_arg(Consume *c, Expr *arg)
{
	int mark = c->consumed.len;
	Alias *a = consume_expr(c, arg);
	if (c->consumed.len > mark && ty_has_function(arg->type))
		fail(arg->span, "consuming-argument",
		     "Argument of functional type\n  %s\n"
		     "contains consumption, which is not allowed.",
		     show_ty(arg->type));
	return a;
}

static Call call_new(Span span, const QualName *name, Expr **args, int n, Ty *own, Ty *actual)
{
	Call k = {span, name, n, args,
	          NEW_ARRAY(Ty *, n), NEW_ARRAY(Ty *, n), NEW_ARRAY(Alias *, n),
	          NEW_ARRAY(bool, n), false};
	for (int i = 0; i < n; i++) {
		Ty *a = arrow_or_null(actual), *o = arrow_or_null(own);
		k.actual[i] = a ? a->arrow.from : ty_error;
		k.own[i] = o ? o->arrow.from : k.actual[i];
		k.got[i] = &no_alias;
		actual = a ? a->arrow.to : ty_error;
		own = o ? o->arrow.to : actual;
	}
	return k;
}

// ---- Applications ----

static Binding *plain_callee(Expr *fn)
{
	return fn->kind == EX_VAR && !fn->var.fields.len ? fn->var.binding : NULL;
}

// The type of a callee in its own terms, where type parameters tell what can alias what.
static Ty *callee_type(Binding *b, Ty *otherwise)
{
	return b && b->scheme.type ? b->scheme.type : otherwise;
}

// The callee's own type where its result is a function from type parameters: there it is
// no more known than at the call.
static Ty *own_result(Ty *own, int n, Ty *actual)
{
	Ty *o = after_args(own, n);
	return o && (o->kind != TY_ARROW || ty_resolve(actual)->kind == TY_ARROW) ? o : actual;
}

// f x y z, the arguments evaluated last to first.
Alias *consume_apply(Consume *c, Expr *e)
{
	Expr *fn = e->apply.fn;
	while (fn->kind == EX_PAREN)
		fn = fn->inner;
	Binding *b = plain_callee(fn);
	int n = e->apply.args.len;
	Call k = call_new(e->span, b ? &fn->var.name : NULL, e->apply.args.at, n,
	                  callee_type(b, fn->type), fn->type);
	bool *done = NEW_ARRAY(bool, n);
	for (int i = n; i-- > 0; )
		take_arg(c, &k, i, consume_arg(c, k.args[i]), done);
	Alias *closure = consume_expr(c, fn);
	if (!ty_has_array(e->type))
		return &no_alias;
	Ty *result = after_args(fn->type, n);
	if (!result)
		result = e->type;
	Ty *own = own_result(callee_type(b, known_type(fn)), n, result);
	return finish_call(c, &k, own, result, closure);
}

static Alias *operator_closure(Consume *c, Span span, Binding *op)
{
	if (!op || op->kind != BIND_LOCAL)
		return &no_alias;
	Alias *a = var_alias(c, op);
	observe(c, span, op, a);
	return a;
}

// One operator, its left operand evaluated already.
static Alias *consume_operator(Consume *c, Expr *e, Alias *left)
{
	Expr *args[] = {e->binop.a, e->binop.b};
	Ty *type = e->binop.op_type ? e->binop.op_type : ty_error;
	Ty *own = callee_type(e->binop.binding, type);
	Call k = call_new(e->span, &e->binop.op, args, 2, own, type);
	bool done[2] = {0};
	take_arg(c, &k, 0, left, done);
	take_arg(c, &k, 1, consume_arg(c, args[1]), done);
	Alias *closure = operator_closure(c, e->span, e->binop.binding);
	if (!ty_has_array(e->type))
		return &no_alias;
	Ty *result = after_args(type, 2);
	return result ? finish_call(c, &k, own_result(own, 2, result), result, closure) : &no_alias;
}

// A chain of operators is walked along its left spine without recursion.
Alias *consume_binop(Consume *c, Expr *e)
{
	VEC(Expr *) spine = {0};
	Expr *left = e;
	for (; left->kind == EX_BINOP; left = left->binop.a)
		VEC_PUSH(&spine, left);
	Alias *a = consume_arg(c, left);
	for (int i = spine.len; i-- > 0; ) {
		Expr *op = spine.at[i];
		bool scalars = op->binop.binding && op->binop.binding->kind != BIND_LOCAL &&
			!ty_has_array(op->binop.a->type) && !ty_has_array(op->binop.b->type);
		if (scalars && !ty_has_array(op->type))
			consume_expr(c, op->binop.b);
		else
			a = consume_operator(c, op, a);
	}
	return a;
}

Alias *consume_section(Consume *c, Expr *e)
{
	Ty *t = arrow_or_null(e->section.op_type ? e->section.op_type : ty_error);
	Ty *own = arrow_or_null(callee_type(e->section.binding, t ? t : ty_error));
	if (e->kind == EX_SECTION_R) {
		t = t ? arrow_or_null(t->arrow.to) : NULL;
		own = own ? arrow_or_null(own->arrow.to) : NULL;
	}
	Expr *args[] = {e->section.arg};
	Call k = call_new(e->span, &e->section.op, args, 1, own ? own : ty_error,
	                  t ? t : ty_error);
	bool done[1] = {0};
	take_arg(c, &k, 0, consume_arg(c, e->section.arg), done);
	Alias *closure = operator_closure(c, e->span, e->section.binding);
	return alias_leaf(set_union(alias_atoms(closure),
	                            k.consumed[0] ? (AtomSet){0} : alias_atoms(k.got[0])));
}
