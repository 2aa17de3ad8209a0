// Parsing of textual core: scopes, operands, types and binders.
//
// Text may use a name again in another place, and names need no number: `let (y: f64) =
// mul.f64 x x`.  Each binder makes its own variable; x_7 becomes the variable 7 of
// a program read first, so that text printed comes back with the same numbers.
#include "core/parse_core.h"

#include <stdlib.h>

// ---- Scopes ----

void core_bind_var(Parser *p, Name name, Var v)
{
	Binding *up = map_get(&p->names, name);
	map_put(&p->names, name, NEW(Binding, v, p->bound.len, up));
	VEC_PUSH(&p->bound, name);
}

void core_close_scope(Parser *p, int mark)
{
	while (p->bound.len > mark) {
		Name name = p->bound.at[--p->bound.len];
		Binding *b = map_get(&p->names, name);
		map_put(&p->names, name, b->up);
	}
}

static Var var_named(Parser *p, Name name, Span span)
{
	const Binding *b = map_get(&p->names, name);
	while (b && b->serial >= p->visible)
		b = b->up;
	if (!b)
		fail(span, NULL, "Unknown variable \"%s\".", name);
	return b->var;
}

// x_7: the hint x and the number 7, if there is one.
static Name split_name(Name name, unsigned long *number)
{
	const char *last = strrchr(name, '_');
	*number = 0;
	if (!last || last == name || !last[1] || strlen(last) > 9)
		return name;
	for (const char *s = last + 1; *s; s++)
		if (*s < '0' || *s > '9')
			return name;
	*number = strtoul(last + 1, NULL, 10);
	return name_of_n(name, (size_t)(last - name));
}

static Var make_var(Parser *p, Name name, Type t)
{
	unsigned long number;
	Name hint = split_name(name, &number);
	uint32_t id = p->base + (uint32_t)number;
	if (number && number <= p->max_id && !vars[id].hint) {
		vars[id] = (VarInfo){hint, t};
		return (Var){id};
	}
	return var_new(hint, t);
}

// ---- Operands ----

bool core_at_operand(const Parser *p)
{
	return p->tok.kind == K_NAME || p->tok.kind == K_NUMBER || core_at_symbol(p, "-");
}

// f32.nan, f64.inf, -f64.inf; the type is the current token.
static Sub parse_special(Parser *p, bool negative)
{
	PrimType t = core_want_primtype(p);
	core_want_symbol(p, ".");
	if (!is_float(t) || (!core_at_word(p, "nan") && !core_at_word(p, "inf")))
		core_fail_expected(p, "\"nan\" or \"inf\"");
	double x = strtod(p->tok.text, NULL);
	core_next_token(p);
	return sub_const(scalar_float(t, negative ? -x : x));
}

Sub core_parse_sub(Parser *p)
{
	Token t = p->tok;
	PrimType type;
	if (t.kind == K_NUMBER) {
		core_next_token(p);
		return sub_const(t.val);
	}
	if (core_take_symbol(p, "-"))
		return parse_special(p, true);
	if (t.kind != K_NAME)
		core_fail_expected(p, "an operand");
	if (core_at_word(p, "true") || core_at_word(p, "false")) {
		core_next_token(p);
		return sub_bool(t.text[0] == 't');
	}
	if (primtype_of_name(t.text, &type) && is_float(type))
		return parse_special(p, false);
	core_next_token(p);
	return sub_var(var_named(p, t.text, t.span));
}

Var core_parse_var(Parser *p, const char *what)
{
	if (p->tok.kind != K_NAME)
		core_fail_expected(p, what);
	Var v = var_named(p, p->tok.text, p->tok.span);
	core_next_token(p);
	return v;
}

Subs core_parse_subs(Parser *p, const char *close)
{
	VEC(Sub) out = {0};
	while (!core_at_symbol(p, close)) {
		VEC_PUSH(&out, core_parse_sub(p));
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, close);
	return VEC_SLICE(Subs, out);
}

Subs core_parse_tuple(Parser *p)
{
	core_want_symbol(p, "(");
	return core_parse_subs(p, ")");
}

Subs core_parse_bracketed(Parser *p)
{
	core_want_symbol(p, "[");
	return core_parse_subs(p, "]");
}

Subs core_parse_dims(Parser *p)
{
	VEC(Sub) out = {0};
	while (core_take_symbol(p, "[")) {
		VEC_PUSH(&out, core_parse_sub(p));
		core_want_symbol(p, "]");
	}
	return VEC_SLICE(Subs, out);
}

// ---- Types and binders ----

PrimType core_parse_suffix(Parser *p)
{
	core_want_symbol(p, ".");
	return core_want_primtype(p);
}

static Type parse_acc_type(Parser *p)
{
	AccType acc = {0};
	core_want_symbol(p, "(");
	acc.token = core_parse_var(p, "the token of an accumulator");
	core_want_symbol(p, ",");
	acc.space = core_parse_bracketed(p);
	VEC(Type) elems = {0};
	while (core_take_symbol(p, ","))
		VEC_PUSH(&elems, core_parse_type(p));
	core_want_symbol(p, ")");
	acc.elems = VEC_SLICE(Types, elems);
	return (Type){.kind = T_ACC, .acc = mem_dup(&acc, sizeof acc)};
}

// @ block + offset [{strides}].  What follows the @ of a source location is a string.
static bool at_mem(const Parser *p)
{
	const char *s = p->at;
	while (s < p->end && (*s == ' ' || *s == '\t' || *s == '\n'))
		s++;
	return core_at_symbol(p, "@") && (s == p->end || *s != '"');
}

static const MemLoc *parse_mem(Parser *p)
{
	MemLoc m = {0};
	core_want_symbol(p, "@");
	m.block = core_parse_var(p, "a memory block");
	core_want_symbol(p, "+");
	m.offset = core_parse_sub(p);
	if (core_take_symbol(p, "{"))
		m.strides = core_parse_subs(p, "}");
	return mem_dup(&m, sizeof m);
}

Type core_parse_type(Parser *p)
{
	core_enter(p);
	bool unique = core_take_symbol(p, "*");
	Type t;
	if (core_take_word(p, "cert")) {
		t = type_cert();
	} else if (core_take_word(p, "acc")) {
		t = parse_acc_type(p);
	} else if (core_take_word(p, "mem")) {
		t = type_mem(core_parse_suffix(p));
	} else {
		Subs dims = core_parse_dims(p);
		t = type_array(core_want_primtype(p), dims);
		if (at_mem(p))
			t.mem = parse_mem(p);
	}
	t.unique = unique;
	core_leave(p);
	return t;
}

Types core_parse_types(Parser *p)
{
	VEC(Type) out = {0};
	core_want_symbol(p, "(");
	while (!core_at_symbol(p, ")")) {
		VEC_PUSH(&out, core_parse_type(p));
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, ")");
	return VEC_SLICE(Types, out);
}

Var core_parse_binder(Parser *p)
{
	if (p->tok.kind != K_NAME)
		core_fail_expected(p, "a variable to bind");
	Name name = p->tok.text;
	core_next_token(p);
	core_want_symbol(p, ":");
	Var v = make_var(p, name, core_parse_type(p));
	core_bind_var(p, name, v);
	return v;
}

// A telescope: each variable is bound for the types after it.
Vars core_parse_binders(Parser *p)
{
	VEC(Var) out = {0};
	core_want_symbol(p, "(");
	while (!core_at_symbol(p, ")")) {
		VEC_PUSH(&out, core_parse_binder(p));
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, ")");
	return VEC_SLICE(Vars, out);
}

Attributes core_parse_attributes(Parser *p)
{
	VEC(Name) out = {0};
	while (p->tok.kind == K_ATTR) {
		VEC_PUSH(&out, name_of(p->tok.text));
		core_next_token(p);
	}
	return (Attributes){out.at, out.len, 0};
}
