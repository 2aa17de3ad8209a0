// Expressions: surface expressions to values, emitting core on the way.
//
// Operands are evaluated in the order the consumption checker assumes: operators and
// components left to right, arguments of an application right to left and before the
// function.
#include "lower/lower_internal.h"

#include <stdlib.h>

// ---- Places and attributes ----

void set_where(Lower *L, Span span)
{
	const Where *w = L->b.where;
	if (!w || w->span.lo != span.lo || w->span.hi != span.hi || w->up != L->up)
		L->b.where = NEW(Where, .span = span, .up = L->up);
}

Attributes take_attrs(Lower *L)
{
	Attributes a = L->attrs;
	L->attrs = (Attributes){0};
	return a;
}

void emit_main(Lower *L, Attributes attrs, Vars pat, Exp *e)
{
	L->b.attrs = attrs;
	b_stm(&L->b, pat, e);
}

static const char *show_attr(const Attr *a)
{
	if (!a->args.len)
		return a->name;
	Str s = {0};
	str_printf(&s, "%s(", a->name);
	for (int i = 0; i < a->args.len; i++)
		str_printf(&s, "%s%s", i ? "," : "", show_attr(a->args.at[i]));
	str_putc(&s, ')');
	return str_text(&s);
}

Attributes attribute_texts(AttrSlice attrs)
{
	Attributes out = {NEW_ARRAY(Name, attrs.len), attrs.len, 0};
	for (int i = 0; i < attrs.len; i++)
		out.at[i] = name_of(show_attr(attrs.at[i]));
	return out;
}

// What has a meaning to the compiler alone is not for the program to say.
Attributes attributes_of(AttrSlice attrs)
{
	Attributes out = {0};
	for (int i = 0; i < attrs.len; i++) {
		const char *text = show_attr(attrs.at[i]);
		out = is_users_attr(text) ? with_attr_text(out, text) : out;
	}
	return attrs_of_texts(out);
}

// ---- Checks at run time ----

void msg_text(MsgVec *m, const char *s)
{
	VEC_PUSH(m, (MsgPart){.text = s});
}

void msg_val(MsgVec *m, Sub x)
{
	VEC_PUSH(m, (MsgPart){.val = x, .is_val = true});
}

void mark_kept(Lower *L)
{
	if (!L->unsafe)
		L->b.attrs = attr_of(ATTR_KEPT);
}

Vars check_begin(Lower *L, Sub cond, MsgVec msg)
{
	Vars saved = L->b.certs;
	if (L->unsafe)
		return saved;
	if (L->warn_checks)
		L->b.attrs = with_attr_text((Attributes){0}, "warn(safety_checks)");
	Var c = b_assert(&L->b, cond, (Msg){msg.at, msg.len});
	if (c.id) {
		Vars all = {NEW_ARRAY(Var, saved.len + 1), saved.len + 1};
		if (saved.len)
			memcpy(all.at, saved.at, (size_t)saved.len * sizeof(Var));
		all.at[saved.len] = c;
		L->b.certs = all;
	}
	return saved;
}

void check_end(Lower *L, Vars saved)
{
	L->b.certs = saved;
}

// ---- Literals ----

static Scalar int_literal(const Expr *e, PrimType p)
{
	if (is_float(p))
		return scalar_float(p, e->int_lit.too_big && e->int_lit.text
		                       ? float_of_text(p, e->int_lit.text)
		                       : p == PT_F32 ? (double)(float)e->int_lit.value
		                                     : (double)e->int_lit.value);
	return scalar_int(p, (int64_t)e->int_lit.value);
}

static double float_literal(const Expr *e, PrimType p)
{
	return e->float_lit.suffixed || !e->float_lit.text ? e->float_lit.value
	                                                   : float_of_text(p, e->float_lit.text);
}

Scalar number_literal(const Expr *e, PrimType p)
{
	return e->kind == EX_INT ? int_literal(e, p) : scalar_float(p, float_literal(e, p));
}

Val *lower_literal(Lower *L, Frame *f, const Expr *e, Ty *type)
{
	PrimType p = ltype(L, f, type, true)->rep->prim;
	switch (e->kind) {
	case EX_INT: case EX_FLOAT:
		return val_scalar(L, sub_const(number_literal(e, p)));
	case EX_CHAR:
		return val_scalar(L, sub_const(is_float(p) ? scalar_float(p, e->char_lit)
		                                           : scalar_int(p, e->char_lit)));
	case EX_BOOL:
		return val_scalar(L, sub_bool(e->bool_lit));
	case EX_NEG: {
		Sub x = val_sub(lower_literal(L, f, e->inner, type));
		return val_scalar(L, b_prim1(&L->b, P_neg, x));
	}
	case EX_PAREN:
		return lower_literal(L, f, e->inner, type);
	default: // no other expression is a literal
		bug("not a literal");
	}
}

// Where evaluation is to stop at new NaNs, what the user's numbers give is not worked out
// beforehand.
static Val *lower_number(Lower *L, Frame *f, const Expr *e)
{
	Val *v = lower_literal(L, f, e, e->type);
	bool own = !str_starts(source_of(e->span.lo)->name, "/prelude/");
	if (!L->decl || !L->decl->at_nan || !own || !is_float(v->rep->prim))
		return v;
	Exp *same = EXP(opaque, v->flat);
	return val_data(v->rep, b_lets(&L->b, "number", lt_of_val(v)->flat, same));
}

// ---- Names ----

static Fn *fn_of_decl(Frame *home, Decl *d, Binding *b, Inst *inst, Frame *mention, const Hop *hops)
{
	return NEW(Fn, .kind = F_DECL, .frame = home, .decl = d, .binding = b, .inst = inst,
	           .mention = mention, .hops = hops, .arity = d->val.pats.len);
}

// Later uses of a constant's unknown sizes find the constant.
static void note_unknowns(Lower *L, Frame *f, Binding *b)
{
	LType *t = ltype(L, f, b->scheme.type, true);
	for EACH(Type, at, t->flat)
		for EACH(Sub, d, at->dims) {
			const Binding *k = dim_is_known(*d) ? NULL : dim_name(*d);
			if (k && k->kind == BIND_UNKNOWN && !map_has(&L->unknowns, k))
				map_put(&L->unknowns, k, b);
		}
}

static Val *lower_component(Lower *L, Frame *f, Binding *b, Inst *inst, Span span)
{
	Frame *home = f;
	const Hop *hops;
	Binding *to = resolve(L, &home, b, &hops);
	if (to->kind == BIND_INTRINSIC) {
		const Builtin *i = builtin_find(L, to->intrinsic);
		return val_fun(NEW(Fn, .kind = F_INTRINSIC, .ctx = L->ctx, .binding = to,
		                   .inst = inst, .mention = f, .hops = hops,
		                   .arity = builtin_arity(i)));
	}
	if (to->kind != BIND_GLOBAL)
		return lower_var(L, home, to, inst, span);
	if (!to->decl)
		return frame_find(L, f, to);
	force_binding(to);
	Fn *fn = fn_of_decl(home, to->decl, to, inst, f, hops);
	fn->ctx = L->ctx;
	if (fn->arity)
		return val_fun(fn);
	note_unknowns(L, f, b);
	bool function = ltype(L, home, fn_ret(fn), true)->rep->has_fun;
	map_put(&L->busy, to, L);
	Val *v = function ? call_inline(L, f, fn, (Vals){0}, span) : constant_value(L, fn, span);
	map_put(&L->busy, to, NULL);
	return v;
}

Val *lower_var(Lower *L, Frame *f, Binding *b, Inst *inst, Span span)
{
	switch (b->kind) {
	case BIND_LOCAL: case BIND_SIZE: case BIND_UNKNOWN: {
		Val *v = frame_find(L, f, b);
		if (!v)
			bug("%s has no value at %s", b->name, show_span(span));
		if (v->kind != V_FUN || v->fn->kind != F_LET || v->fn->binding != b || v->fn->inst)
			return v;
		Fn *fn = mem_dup(v->fn, sizeof *v->fn);
		fn->inst = inst;
		fn->mention = f;
		return val_fun(fn);
	}
	case BIND_GLOBAL: case BIND_SPEC: case BIND_COPY: case BIND_INTRINSIC:
		return lower_component(L, f, b, inst, span);
	case BIND_MODULE:
		break;
	}
	bug("the module %s used as a value", b->name);
}

Val *lower_operator(Lower *L, Frame *f, Binding *b, Name symbol, Inst *inst, Span span)
{
	if (b)
		return lower_var(L, f, b, inst, span);
	return val_fun(NEW(Fn, .kind = F_LOGIC, .frame = f, .mention = f, .ctx = L->ctx,
	                   .symbol = symbol, .arity = 2));
}

static Val *lower_name(Lower *L, Frame *f, Expr *e)
{
	Val *v = lower_operator(L, f, e->var.binding, e->var.name.name, e->var.inst, e->span);
	for EACH(Name, field, e->var.fields)
		v = val_field(v, *field);
	return v;
}

// ---- Records and sums ----

static Val *lower_tuple(Lower *L, Frame *f, Expr *e)
{
	int n = e->tuple.len;
	Names names = {NEW_ARRAY(Name, n), n};
	Vals parts = {NEW_ARRAY(Val *, n), n};
	for (int i = 0; i < n; i++) {
		names.at[i] = name_of(text("%d", i));
		parts.at[i] = lower_expr(L, f, e->tuple.at[i]);
	}
	return val_record(L, names, parts);
}

// Fields are evaluated as written; the type has them in canonical order.
static Val *lower_record(Lower *L, Frame *f, Expr *e)
{
	TyFields order = ty_resolve(e->type)->record;
	int n = e->record.len;
	Names names = {NEW_ARRAY(Name, n), n};
	Vals parts = {NEW_ARRAY(Val *, n), n};
	for EACH(FieldExpr, field, e->record) {
		Val *v = lower_expr(L, f, field->value);
		for (int i = 0; i < n; i++)
			if (order.at[i].name == field->name) {
				names.at[i] = field->name;
				parts.at[i] = v;
			}
	}
	return val_record(L, names, parts);
}

static Val *lower_constr(Lower *L, Frame *f, Expr *e)
{
	int n = e->constr.args.len;
	Vals args = {NEW_ARRAY(Val *, n), n};
	for (int i = 0; i < n; i++)
		args.at[i] = lower_expr(L, f, e->constr.args.at[i]);
	LType *t = ltype(L, f, e->type, false);
	if (t->rep->has_fun)
		return NEW(Val, .kind = V_CONSTR, .rep = t->rep, .constr = e->constr.name,
		           .parts = args);
	set_where(L, e->span);
	int c = rep_constr(t->rep, e->constr.name);
	Ints slots = t->rep->constrs.at[c].slots;
	// Only slots of other constructors need something to fill them.
	Subs flat = {NEW_ARRAY(Sub, t->flat.len), t->flat.len};
	bool *used = NEW_ARRAY(bool, t->flat.len + 1);
	int at = 0;
	for EACH(Val *, a, args)
		for EACH(Sub, s, (*a)->flat) {
			int slot = slots.at[at++];
			flat.at[slot] = as_type(L, *s, t->flat.at[slot]);
			used[slot] = true;
		}
	for (int i = 0; i < flat.len; i++)
		if (i == 0 && rep_has_tag(t->rep)) {
			flat.at[0] = sub_const(scalar_int(PT_I8, c));
		} else if (!used[i]) {
			Rep *one = rep_prim(&L->reps, t->flat.at[i].elem);
			for (int d = 0; d < t->flat.at[i].dims.len; d++)
				one = rep_array(&L->reps, one);
			LType slot = {.rep = one, .flat = {&t->flat.at[i], 1}};
			flat.at[i] = val_blank(L, &slot)->flat.at[0];
		}
	return val_data(t->rep, flat);
}

// ---- Application ----

static Val *lower_apply(Lower *L, Frame *f, Expr *e, Attributes attrs)
{
	Exprs of = e->apply.args;
	Vals args = {NEW_ARRAY(Val *, of.len), of.len};
	for (int i = of.len - 1; i >= 0; i--)
		args.at[i] = lower_expr(L, f, of.at[i]);
	Val *fn = lower_expr(L, f, e->apply.fn);
	L->attrs = attrs;
	Val *v = apply(L, f, fn, args, e->span);
	take_attrs(L);
	return v;
}

static Val *lower_binop(Lower *L, Frame *f, Expr *e, Attributes attrs)
{
	Val *a = lower_expr(L, f, e->binop.a);
	if (!e->binop.binding)
		return val_scalar(L, lower_logic(L, e->binop.op.name, val_sub(a), f, e->binop.b));
	Val *b = lower_expr(L, f, e->binop.b);
	Val *op = lower_var(L, f, e->binop.binding, e->binop.inst, e->span);
	L->attrs = attrs;
	Val *v = apply2(L, f, op, a, b, e->span);
	take_attrs(L);
	return v;
}

static Val *lower_section(Lower *L, Frame *f, Expr *e)
{
	Val *arg = lower_expr(L, f, e->section.arg);
	Val *op = lower_operator(L, f, e->section.binding, e->section.op.name, e->section.inst,
	                         e->span);
	if (e->kind == EX_SECTION_L)
		return apply1(L, f, op, arg, e->span);
	Vals args = {NEW_ARRAY(Val *, 1), 1};
	args.at[0] = arg;
	return val_fun(NEW(Fn, .kind = F_FLIP, .frame = f, .mention = f, .ctx = L->ctx, .op = op,
	                   .args = args, .arity = 2));
}

Val *closure(Lower *L, Frame *f, Expr *e, int kind, int arity)
{
	Fn *fn = NEW(Fn, .frame = f, .mention = f, .ctx = L->ctx, .expr = e, .arity = arity);
	fn->kind = kind;
	if (kind == F_LET)
		fn->binding = e->let_fun.binding;
	return val_fun(fn);
}

// ---- Attributes on expressions ----

static Val *same_data(Lower *L, Val *v, const char *hint, Exp *e)
{
	LType *t = lt_of_val(v);
	Subs out = b_lets(&L->b, hint, t->flat, e);
	return val_with_flat(v, &out);
}

static Val *lower_trace(Lower *L, Val *v, const char *tag)
{
	if (v->kind != V_DATA)
		return v;
	return same_data(L, v, "traced", EXP(trace, tag, v->flat, entry_of_rep(v->rep)));
}

static bool all_known(const LType *t)
{
	for EACH(Type, at, t->flat)
		for EACH(Sub, d, at->dims)
			if (!dim_is_known(*d))
				return false;
	return true;
}

// The value does not matter, so it is not computed if its sizes are known without it.
static Val *lower_blank(Lower *L, Frame *f, Expr *body, bool scratch)
{
	LType *t = ltype(L, f, body->type, false);
	if (t->rep->has_fun || !all_known(t))
		return lower_expr(L, f, body);
	set_where(L, body->span);
	Val *v = val_blank(L, t);
	for (int i = 0; scratch && i < t->flat.len; i++) {
		Type at = t->flat.at[i];
		if (at.dims.len)
			v->flat.at[i] = b_scratch(&L->b, "scratch", at);
	}
	return v;
}

static Val *lower_unsafe(Lower *L, Frame *f, Expr *body)
{
	bool saved = L->unsafe;
	L->unsafe = !L->options->safe;
	Val *v = lower_expr(L, f, body);
	L->unsafe = saved;
	return v;
}

static Val *lower_warned(Lower *L, Frame *f, Expr *body)
{
	bool saved = L->warn_checks;
	L->warn_checks = true;
	Val *v = lower_expr(L, f, body);
	L->warn_checks = saved;
	return v;
}

// A tuning parameter of the program: its setting, if there is one, is the value.
static Val *lower_param(Lower *L, Frame *f, const Expr *e, const char *name)
{
	Val *v = lower_expr(L, f, e->attr.body);
	if (v->kind != V_DATA || v->rep->kind != R_PRIM || v->rep->prim != PT_I64)
		return v;
	Sub own = val_sub(v), setting = param_setting(L, name, e->span);
	set_where(L, e->span);
	return val_scalar(L, b_select(&L->b, b_lt(&L->b, setting, sub_i64(0)), own, setting));
}

static Val *lower_attr(Lower *L, Frame *f, Expr *e, Attributes attrs)
{
	const Attr *a = e->attr.attr;
	Expr *body = e->attr.body;
	L->attrs = attrs;
	if (strcmp(a->name, "unsafe") == 0)
		return lower_unsafe(L, f, body);
	if (strcmp(show_attr(a), "warn(safety_checks)") == 0)
		return lower_warned(L, f, body);
	if (strcmp(a->name, "trace") == 0) {
		Val *v = lower_expr(L, f, body);
		set_where(L, e->span);
		return lower_trace(L, v, a->args.len ? a->args.at[0]->name : show_span(e->span));
	}
	if (strcmp(a->name, "break") == 0 && L->decl && L->decl->stops) {
		lower_stop(L, f, body->span);
		L->attrs = attrs;
		return lower_expr(L, f, body);
	}
	if (strcmp(a->name, "opaque") == 0) {
		Val *v = lower_expr(L, f, body);
		set_where(L, e->span);
		return v->kind == V_DATA && v->flat.len
		     ? same_data(L, v, "opaque", EXP(opaque, v->flat))
		     : v;
	}
	if (strcmp(a->name, "blank") == 0 || strcmp(a->name, "scratch") == 0)
		return lower_blank(L, f, body, strcmp(a->name, "scratch") == 0);
	if (strcmp(a->name, ATTR_PARAM) == 0 && a->args.len == 1)
		return lower_param(L, f, e, a->args.at[0]->name);
	L->attrs = attrs_join(attrs, attributes_of((AttrSlice){&e->attr.attr, 1}));
	Val *v = lower_expr(L, f, body);
	take_attrs(L);
	return v;
}

// ---- Others ----

static Val *lower_assert(Lower *L, Frame *f, Expr *e, Attributes attrs)
{
	Sub c = lower_scalar(L, f, e->assert_.cond);
	set_where(L, e->span);
	MsgVec msg = {0};
	msg_text(&msg, text("Assertion is false: %s", show_expr(e->assert_.cond)));
	Vars saved = check_begin(L, c, msg);
	L->attrs = attrs;
	Val *v = lower_expr(L, f, e->assert_.body);
	check_end(L, saved);
	return v;
}

static Val *lower_neg(Lower *L, Frame *f, Expr *e)
{
	Sub x = lower_scalar(L, f, e->inner);
	set_where(L, e->span);
	return val_scalar(L, b_prim1(&L->b, e->kind == EX_NEG ? P_neg : P_not, x));
}

static void lower_let_update(Lower *L, Frame *f, Expr *e)
{
	Val *old = lower_var(L, f, e->let_update.src, e->let_update.inst, e->let_update.name_span);
	frame_bind(f, e->let_update.dst, lower_update_of(L, f, e->let_update.path, old,
	                                                 e->let_update.value));
}

// let [n] p = e: n is a size of the value; where the pattern's type has it by another name, the
// checker has noted that one down.
static void lower_let(Lower *L, Frame *f, Expr *e)
{
	bind_pat(L, f, e->let.pat, lower_expr(L, f, e->let.value));
	for EACH(TypeParam, p, e->let.sizes) {
		if (map_has(&f->vals, p->binding) || !p->binding->as_size)
			continue;
		Sub s = lower_size(L, f, p->binding->as_size, false);
		if (dim_is_known(s))
			frame_bind(f, p->binding, val_scalar(L, s));
	}
}

Sub lower_scalar(Lower *L, Frame *f, Expr *e)
{
	return val_sub(lower_expr(L, f, e));
}

static Val *lower_one(Lower *L, Frame *f, Expr *e, Attributes attrs)
{
	switch (e->kind) {
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL:
		return lower_number(L, f, e);
	case EX_STRING:       return lower_string(L, e);
	case EX_VAR:          return lower_name(L, f, e);
	case EX_HOLE:         return lower_hole(L, f, e);
	case EX_TUPLE:        return lower_tuple(L, f, e);
	case EX_RECORD:       return lower_record(L, f, e);
	case EX_ARRAY:        return lower_array(L, f, e);
	case EX_PROJECT:      return val_field(lower_expr(L, f, e->project.of), e->project.field);
	case EX_INDEX:        return lower_index(L, f, e);
	case EX_APPLY:        return lower_apply(L, f, e, attrs);
	case EX_BINOP:        return lower_binop(L, f, e, attrs);
	case EX_NEG: case EX_NOT: return lower_neg(L, f, e);
	case EX_CONSTR:       return lower_constr(L, f, e);
	case EX_COERCE:       return lower_coerce(L, f, e);
	case EX_RANGE:        return lower_range(L, f, e);
	case EX_IF:
		L->attrs = attrs;
		return lower_if(L, f, e);
	case EX_LAMBDA:       return closure(L, f, e, F_LAMBDA, e->lambda.pats.len);
	case EX_LOOP:
		L->attrs = attrs;
		return lower_loop(L, f, e);
	case EX_MATCH:
		L->attrs = attrs;
		return lower_match(L, f, e);
	case EX_ASSERT:       return lower_assert(L, f, e, attrs);
	case EX_UPDATE:
		return lower_update(L, f, e);
	case EX_ATTR:         return lower_attr(L, f, e, attrs);
	case EX_SECTION_L: case EX_SECTION_R: return lower_section(L, f, e);
	case EX_SECTION_PATH: return closure(L, f, e, F_PATH, 1);
	case EX_ASCRIBE:
		L->attrs = attrs;
		return lower_expr(L, f, e->ascribe.of);
	case EX_PAREN:
		L->attrs = attrs;
		return lower_expr(L, f, e->inner);
	case EX_OPEN:
		L->attrs = attrs;
		return lower_expr(L, f, e->open.body);
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE:
		break; // lower_expr goes through these
	}
	bug("kind of expression");
}

// Chains of let are followed without recursion; sizes that come into being with the
// whole of one are bound once its value is there.
Val *lower_expr(Lower *L, Frame *f, Expr *e)
{
	Attributes attrs = take_attrs(L);
	VEC(Expr *) with_unknowns = {0};
	for (;;) {
		if (e->unknowns.len)
			VEC_PUSH(&with_unknowns, e);
		if (e->kind == EX_LET) {
			lower_let(L, f, e);
			e = e->let.body;
		} else if (e->kind == EX_LET_FUN) {
			frame_bind(f, e->let_fun.binding,
			           closure(L, f, e, F_LET, e->let_fun.pats.len));
			e = e->let_fun.body;
		} else if (e->kind == EX_LET_UPDATE) {
			lower_let_update(L, f, e);
			e = e->let_update.body;
		} else {
			break;
		}
	}
	Val *v = lower_one(L, f, e, attrs);
	take_attrs(L);
	for (int i = with_unknowns.len - 1; i >= 0; i--)
		if (v->kind != V_FUN)
			bind_unknowns(L, f, with_unknowns.at[i], v);
	return v;
}
