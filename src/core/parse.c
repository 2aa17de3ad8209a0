// Parsing of textual core: programs, functions and what is known of entry points.
//
//   program  = ["stage" ("soac" | "device" | "loop" | "mem")] { function }
//   function = [entry] {attribute} "fun" name binders ":" binders [where] "=" body
//   entry    = "entry" string {attribute} "(" [string ":" etype {"," ...}] ")" ":" etype
//              ["doc" string]
//   etype    = ["*"] ("prim" type | "array" rank etype | "record" fields | "tuple" fields
//            | "sum" "{" [string "(" etypes ")" "[" slots "]" {"," ...}] "}" types | "fun")
//              ["opaque"] [string] n_values
//
// The rest is in parse_exp.c, the tokens in parse_lex.c.  The first error ends the parse:
// core is written by tools, and by people who test them.
#include "core/parse_core.h"

#include <ctype.h>
#include <stdlib.h>

// ---- Entry types ----

static EntryFields parse_fields(Parser *p)
{
	VEC(EntryField) out = {0};
	core_want_symbol(p, "{");
	while (!core_at_symbol(p, "}")) {
		Name name = name_of(core_want_string(p));
		core_want_symbol(p, ":");
		VEC_PUSH(&out, (EntryField){name, core_parse_entry_type(p)});
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, "}");
	return VEC_SLICE(EntryFields, out);
}

static EntryConstr parse_constr(Parser *p)
{
	EntryConstr c = {.name = name_of(core_want_string(p))};
	VEC(EntryType *) args = {0};
	VEC(int) slots = {0};
	core_want_symbol(p, "(");
	while (!core_at_symbol(p, ")")) {
		VEC_PUSH(&args, core_parse_entry_type(p));
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, ")");
	core_want_symbol(p, "[");
	while (!core_at_symbol(p, "]")) {
		VEC_PUSH(&slots, core_want_int(p));
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, "]");
	c.args.at = args.at;
	c.args.len = args.len;
	c.slots.at = slots.at;
	c.slots.len = slots.len;
	return c;
}

static void parse_sum(Parser *p, EntryType *t)
{
	VEC(EntryConstr) out = {0};
	core_want_symbol(p, "{");
	while (!core_at_symbol(p, "}")) {
		VEC_PUSH(&out, parse_constr(p));
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, "}");
	t->constrs.at = out.at;
	t->constrs.len = out.len;
	t->slots = core_parse_types(p);
}

EntryType *core_parse_entry_type(Parser *p)
{
	core_enter(p);
	EntryType *t = NEW(EntryType, .unique = core_take_symbol(p, "*"));
	if (core_take_word(p, "prim")) {
		t->kind = ET_PRIM;
		t->prim = core_want_primtype(p);
	} else if (core_take_word(p, "array")) {
		t->kind = ET_ARRAY;
		t->rank = core_want_int(p);
		t->elem = core_parse_entry_type(p);
	} else if (core_at_word(p, "record") || core_at_word(p, "tuple")) {
		t->kind = ET_RECORD;
		t->is_tuple = core_at_word(p, "tuple");
		core_next_token(p);
		t->fields = parse_fields(p);
	} else if (core_take_word(p, "sum")) {
		t->kind = ET_SUM;
		parse_sum(p, t);
	} else if (core_take_word(p, "fun")) {
		t->kind = ET_FUN;
	} else {
		core_fail_expected(p, "a type (prim, array, record, tuple, sum, fun)");
	}
	t->opaque_name = core_take_word(p, "opaque");
	if (p->tok.kind == K_STRING)
		t->name = core_want_string(p);
	t->n_values = core_want_int(p);
	core_leave(p);
	return t;
}

// ---- Functions ----

Fun *core_fun_named(Parser *p, Name name)
{
	Fun *f = map_get(&p->funs, name);
	if (!f) {
		f = NEW(Fun, .name = name);
		map_put(&p->funs, name, f);
	}
	return f;
}

static EntryInfo *parse_entry(Parser *p, Name *name)
{
	EntryInfo *e = NEW(EntryInfo, .doc = NULL);
	VEC(EntryParam) params = {0};
	*name = name_of(core_want_string(p));
	e->attrs = core_parse_attributes(p);
	core_want_symbol(p, "(");
	while (!core_at_symbol(p, ")")) {
		Name param = name_of(core_want_string(p));
		core_want_symbol(p, ":");
		VEC_PUSH(&params, (EntryParam){param, core_parse_entry_type(p)});
		if (!core_take_symbol(p, ","))
			break;
	}
	core_want_symbol(p, ")");
	core_want_symbol(p, ":");
	e->params.at = params.at;
	e->params.len = params.len;
	e->result = core_parse_entry_type(p);
	if (core_take_word(p, "doc"))
		e->doc = core_want_string(p);
	return e;
}

static Fun *parse_fun(Parser *p)
{
	EntryInfo *entry = NULL;
	Name entry_name = NULL;
	if (core_take_word(p, "entry"))
		entry = parse_entry(p, &entry_name);
	Attributes attrs = attrs_of_texts(core_parse_attributes(p));
	core_want_word(p, "fun");
	Span span = p->tok.span;
	Fun *f = core_fun_named(p, core_want_fun_name(p));
	if (map_has(&p->defined, f->name))
		fail(span, NULL, "Function \"%s\" is defined twice.", f->name);
	map_put(&p->defined, f->name, f);
	f->entry = entry;
	f->entry_name = entry_name;
	f->attrs = attrs;
	f->params = core_parse_binders(p);
	core_want_symbol(p, ":");
	int mark = p->bound.len;
	f->res = core_parse_binders(p);
	core_close_scope(p, mark);
	f->where = core_parse_where(p);
	core_want_symbol(p, "=");
	f->body = core_parse_body(p);
	core_close_scope(p, 0);
	return f;
}

static Stage parse_stage(Parser *p)
{
	if (!core_take_word(p, "stage") || core_take_word(p, "soac"))
		return STAGE_SOAC;
	if (core_take_word(p, "device"))
		return STAGE_DEVICE;
	if (core_take_word(p, "loop"))
		return STAGE_LOOP;
	core_want_word(p, "mem");
	return STAGE_MEM;
}

// ---- Programs ----

// The largest number that a name of the text ends in, as in x_7.  Very large ones are not
// kept, for the table of variables would have a hole of that size.
static uint32_t largest_number(const char *s, const char *end)
{
	enum { LARGEST = 1 << 20 };
	unsigned long max = 0;
	for (; s < end; s++) {
		if (*s != '_' || !isdigit((unsigned char)s[1]))
			continue;
		char *after;
		unsigned long n = strtoul(s + 1, &after, 10);
		if (n > max && n <= LARGEST)
			max = n;
		s = after - 1;
	}
	return (uint32_t)max;
}

static Prog *parse_prog(Parser *p)
{
	VEC(Fun *) funs = {0};
	core_next_token(p);
	Prog *prog = NEW(Prog, .stage = parse_stage(p));
	while (p->tok.kind != K_END)
		VEC_PUSH(&funs, parse_fun(p));
	for EACH(CallSite, c, p->calls)
		if (!map_has(&p->defined, c->fn->name))
			fail(c->span, NULL, "Unknown function \"%s\".", c->fn->name);
	core_resolve_places(p);
	prog->funs = VEC_SLICE(Funs, funs);
	return prog;
}

Prog *core_parse(Source *src)
{
	vars_reserve(1);
	Parser p = {.src = src, .at = src->text, .end = src->text + src->len, .visible = INT32_MAX,
	            .base = n_vars - 1, .max_id = largest_number(src->text, src->text + src->len)};
	vars_reserve(p.base + p.max_id + 1);
	Guard g;
	if (!GUARDED(g))
		return NULL;
	Prog *prog = parse_prog(&p);
	guard_pop(&g);
	return prog;
}
