// Types, sizes and schemes as text, in the notation of the source language.
//
//     (n: i64) -> [n](i32, bool) -> ?[k].[k]{x: f32} -> *t      #a i32 | #b
//
// A type is printed for one of four positions, which say when it needs parentheses: as a
// whole, left of an arrow, as a constructor's payload or type argument, as an array element.
// What inference has not found out gets a letter of its own when it is first shown, which the
// declaration does not use: a, b for types; for sizes the name of the parameter it is an instance
// of, or d.
#include "check/check.h"

typedef enum { WHOLE, LEFT_OF_ARROW, PAYLOAD, ELEMENT } Place;

static void put_ty(Str *, Ty *, Place, bool sized);
static void put_size(Str *, Size *, bool operand);

// ---- Names for what has none ----

// The names given in messages about one declaration.  They are a table, which stays when memory of
// the arena is released, since the language server shows types again and again.
static struct { Span decl; Name *given; int n, cap; } fresh;

void show_names_for(Span decl)
{
	fresh.decl = decl;
	fresh.n = 0;
}

// What had which name before, while names are given for a time only.
typedef struct { Name *of, before; } Renamed;
static struct { bool on; Renamed *at; int n, cap; } for_a_time;

void show_names_begin(void)
{
	for_a_time.on = true;
}

void show_names_end(void)
{
	while (for_a_time.n) {
		Renamed r = for_a_time.at[--for_a_time.n];
		*r.of = r.before;
	}
	for_a_time.on = false;
}

static void give_name(Name *of, Name name)
{
	if (for_a_time.on && for_a_time.n == for_a_time.cap) {
		size_t size = (size_t)for_a_time.cap * sizeof(Renamed);
		for_a_time.cap = for_a_time.cap ? 2 * for_a_time.cap : 16;
		for_a_time.at = table_grow(for_a_time.at, size,
		                           (size_t)for_a_time.cap * sizeof(Renamed));
	}
	if (for_a_time.on)
		for_a_time.at[for_a_time.n++] = (Renamed){of, *of};
	*of = name;
}

static void note_given(Name name)
{
	if (fresh.n == fresh.cap) {
		size_t size = (size_t)fresh.cap * sizeof(Name);
		fresh.cap = fresh.cap ? 2 * fresh.cap : 16;
		fresh.given = table_grow(fresh.given, size, (size_t)fresh.cap * sizeof(Name));
	}
	fresh.given[fresh.n++] = name;
}

static bool is_used(const char *name)
{
	for (int i = 0; i < fresh.n; i++)
		if (strcmp(fresh.given[i], name) == 0)
			return true;
	const Source *s = source_of(fresh.decl.lo);
	if (!s)
		return false;
	const char *whole = s->text + (fresh.decl.lo - s->start),
		   *end = s->text + (fresh.decl.hi - s->start);
	size_t n = strlen(name);
	for (const char *at = whole; (at = strstr(at, name)) && at + n <= end; at += n)
		if ((at == whole || !is_name_char(at[-1])) && !is_name_char(at[n]))
			return true;
	return false;
}

// d, d2, d3, ...; for a type, which has no name that says more, a, b, ..., z, a2, ...
static Name fresh_name(const char *base)
{
	const char *name = base ? base : "a";
	for (int i = 1; is_used(name); i++)
		name = base ? text("%s%d", base, i + 1)
		     : i < 26 ? text("%c", 'a' + i) : text("%c%d", 'a' + i % 26, i / 26 + 1);
	Name given = name_of(name);
	note_given(given);
	return given;
}

// Names that the checker has made up end in a subscript, which no name in a program does; they
// are given others when they are shown.
Name made_up_name(const char *base, int id)
{
	Str out = {0};
	str_puts(&out, base);
	for (const char *d = text("%d", id); *d; d++)
		str_printf(&out, "\xE2\x82%c", '\x80' + (*d - '0'));
	return name_of(str_text(&out));
}

static const char *without_subscript(Name name)
{
	size_t n = strlen(name);
	while (n >= 3 && name[n - 3] == '\xE2' && name[n - 2] == '\x82')
		n -= 3;
	return name[n] ? text("%.*s", (int)n, name) : NULL;
}

Name show_name(Binding *b)
{
	const char *base = without_subscript(b->name);
	if (base)
		give_name(&b->name, fresh_name(base));
	return b->name;
}

Name name_of_param(TypeDef *def)
{
	if (without_subscript(def->name))
		give_name(&def->name, fresh_name(NULL));
	return def->name;
}

// ---- Sizes ----

static void put_kids(Str *out, Sizes kids, const char *before, const char *between)
{
	for (int i = 0; i < kids.len; i++) {
		str_puts(out, i ? between : before);
		put_size(out, kids.at[i], false);
	}
}

static const Expr *without_parens(const Expr *e)
{
	while (e->kind == EX_PAREN)
		e = e->inner;
	return e;
}

// How tightly an operation binds, as far as sizes are concerned: other operators are rare
// in sizes and get parentheses.
static int tightness(Size *s)
{
	s = size_resolve(s);
	if (s->kind != SZ_NODE)
		return 4;
	const Expr *e = without_parens(s->node.origin);
	if (e->kind != EX_BINOP)
		return 3;
	char c = e->binop.op.name[0];
	return e->binop.op.name[1] ? 0 : c == '*' || c == '/' || c == '%' ? 2
	     : c == '+' || c == '-';
}

static bool has_slice(Indices idx)
{
	for EACH(Index, i, idx)
		if (i->is_slice)
			return true;
	return false;
}

// An operation with its operands as they are now, not as they were written.
static void put_node(Str *out, const Expr *origin, Sizes kids, int tight)
{
	switch (origin->kind) {
	case EX_APPLY:
		if (kids.len == origin->apply.args.len) // otherwise the function is the first kid
			str_printf(out, "%s ", show_expr(origin->apply.fn));
		for EACH(Size *, k, kids) {
			str_puts(out, k > kids.at ? " " : "");
			put_size(out, *k, true);
		}
		return;
	case EX_BINOP:
		put_size(out, kids.at[0], tightness(kids.at[0]) < tight || !tight);
		str_printf(out, origin->binop.backtick ? " `%s` " : " %s ",
		           show_qualname(origin->binop.op));
		put_size(out, kids.at[1], tightness(kids.at[1]) <= tight || !tight);
		return;
	case EX_NEG: case EX_NOT:
		str_putc(out, origin->kind == EX_NEG ? '-' : '!');
		put_size(out, kids.at[0], true);
		return;
	case EX_PROJECT:
		put_size(out, kids.at[0], true);
		str_printf(out, ".%s", origin->project.field);
		return;
	case EX_VAR:
		if (!kids.len) {
			str_puts(out, show_expr(origin));
			return;
		}
		put_size(out, kids.at[0], true);
		for EACH(Name, f, origin->var.fields)
			str_printf(out, ".%s", *f);
		return;
	case EX_RECORD:
		for (int i = 0; i < kids.len; i++) {
			str_printf(out, "%s%s = ", i ? ", " : "{", origin->record.at[i].name);
			put_size(out, kids.at[i], false);
		}
		str_putc(out, '}');
		return;
	case EX_CONSTR:
		str_printf(out, "#%s", origin->constr.name);
		for EACH(Size *, k, kids) {
			str_putc(out, ' ');
			put_size(out, *k, true);
		}
		return;
	case EX_INDEX:
		if (has_slice(origin->index.idx)) {
			str_puts(out, show_expr(origin));
			return;
		}
		put_size(out, kids.at[0], true);
		put_kids(out, (Sizes){kids.at + 1, kids.len - 1}, "[", ", ");
		str_putc(out, ']');
		return;
	case EX_TUPLE: case EX_ARRAY:
		put_kids(out, kids, origin->kind == EX_TUPLE ? "(" : "[", ", ");
		str_putc(out, origin->kind == EX_TUPLE ? ')' : ']');
		return;
	// In other shapes operands are shown as they were written.
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING: case EX_HOLE:
	case EX_PAREN: case EX_OPEN: case EX_ASCRIBE: case EX_COERCE:
	case EX_RANGE: case EX_IF: case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE: case EX_LAMBDA:
	case EX_LOOP: case EX_MATCH: case EX_ASSERT: case EX_UPDATE: case EX_ATTR:
	case EX_SECTION_L: case EX_SECTION_R: case EX_SECTION_PATH:
		str_puts(out, show_expr(origin));
		return;
	}
}

// `operand`: whether an operation here needs parentheses.
static void put_size(Str *out, Size *s, bool operand)
{
	s = size_resolve(s);
	switch (s->kind) {
	case SZ_CONST:
		str_printf(out, "%lld%s", (long long)s->num.value, s->num.suffixed ? "i64" : "");
		return;
	case SZ_VAR:
		str_puts(out, show_name(s->var));
		return;
	case SZ_META:
		if (!size_variable(s)->shown)
			give_name(&size_variable(s)->shown,
			          fresh_name(s->meta->name ? s->meta->name : "d"));
		str_puts(out, size_variable(s)->shown);
		return;
	case SZ_ANON:
		return;
	case SZ_NODE:
		break;
	}
	const Expr *e = without_parens(s->node.origin);
	bool atomic = e->kind == EX_PROJECT || e->kind == EX_VAR || e->kind == EX_INDEX ||
	              e->kind == EX_TUPLE || e->kind == EX_ARRAY || e->kind == EX_RECORD ||
	              e->kind == EX_STRING || e->kind == EX_CHAR || e->kind == EX_BOOL ||
	              e->kind == EX_INT || e->kind == EX_FLOAT;
	if (operand && !atomic)
		str_putc(out, '(');
	put_node(out, e, s->node.kids, tightness(s));
	if (operand && !atomic)
		str_putc(out, ')');
}

const char *show_size(Size *s)
{
	Str out = {0};
	put_size(&out, s, false);
	return str_text(&out);
}

// ---- Types ----

static void put_dim(Str *out, Size *dim, bool sized)
{
	str_putc(out, '[');
	if (sized)
		put_size(out, dim, false);
	str_putc(out, ']');
}

// A unique record is unique in all its fields: the star in front says it for them.
static Ty *field_type(Ty *record, Ty *field)
{
	return record->unique ? ty_nonunique(field) : field;
}

static void put_record(Str *out, Ty *t, bool sized)
{
	bool tuple = ty_is_tuple(t);
	str_putc(out, tuple ? '(' : '{');
	for (int i = 0; i < t->record.len; i++) {
		TyField f = t->record.at[i];
		str_puts(out, i ? ", " : "");
		if (!tuple)
			str_printf(out, "%s: ", f.name);
		put_ty(out, field_type(t, f.type), WHOLE, sized);
	}
	str_putc(out, tuple ? ')' : '}');
}

static void put_sum(Str *out, Ty *t, bool sized)
{
	for (int i = 0; i < t->sum.len; i++) {
		str_printf(out, "%s#%s", i ? " | " : "", t->sum.at[i].name);
		for EACH(Ty *, a, t->sum.at[i].args) {
			str_putc(out, ' ');
			put_ty(out, *a, PAYLOAD, sized);
		}
	}
}

static void put_arrow(Str *out, Ty *t, bool sized)
{
	if (t->arrow.param) {
		str_printf(out, "(%s: ", t->arrow.param->name);
		put_ty(out, t->arrow.from, WHOLE, sized);
		str_putc(out, ')');
	} else {
		put_ty(out, t->arrow.from, LEFT_OF_ARROW, sized);
	}
	str_puts(out, " -> ");
	if (sized && t->arrow.exts.len) {
		str_putc(out, '?');
		for EACH(Binding *, b, t->arrow.exts)
			str_printf(out, "[%s]", show_name(*b));
		str_putc(out, '.');
	}
	put_ty(out, t->arrow.to, WHOLE, sized);
}

static void put_abs(Str *out, Ty *t, bool sized)
{
	TypeDef *def = t->abs.def;
	str_puts(out, def->full_name ? def->full_name : def->name);
	int n_types = 0, n_sizes = 0;
	for EACH(TypeParam, p, def->params) {
		str_putc(out, ' ');
		if (p->kind == TP_SIZE && n_sizes < t->abs.sizes.len)
			put_dim(out, t->abs.sizes.at[n_sizes++], sized);
		else if (p->kind != TP_SIZE && n_types < t->abs.types.len)
			put_ty(out, t->abs.types.at[n_types++], PAYLOAD, sized);
	}
}

static bool needs_parens(const Ty *t, Place place)
{
	switch (t->kind) {
	case TY_ARROW:
		return place != WHOLE;
	case TY_SUM:
		return place != WHOLE || t->unique;
	case TY_ABS:
		return place == PAYLOAD && t->abs.types.len + t->abs.sizes.len;
	case TY_ERROR: case TY_PRIM: case TY_ARRAY: case TY_RECORD: case TY_META: case TY_PARAM:
		return place == PAYLOAD && t->unique;
	}
	bug("kind of type");
}

static void put_ty(Str *out, Ty *t, Place place, bool sized)
{
	t = ty_resolve(t);
	bool parens = needs_parens(t, place);
	if (t->unique && t->kind == TY_SUM)
		str_putc(out, '*');
	if (parens)
		str_putc(out, '(');
	if (t->unique && t->kind != TY_SUM)
		str_putc(out, '*');
	switch (t->kind) {
	case TY_ERROR: str_putc(out, '_'); break;
	case TY_PRIM: str_puts(out, primtype_name[t->prim]); break;
	case TY_ARRAY:
		put_dim(out, t->array.dim, sized);
		put_ty(out, t->array.elem, ELEMENT, sized);
		break;
	case TY_RECORD: put_record(out, t, sized); break;
	case TY_SUM: put_sum(out, t, sized); break;
	case TY_ARROW: put_arrow(out, t, sized); break;
	case TY_META:
		if (!t->meta->shown && t->meta->overload == OV_NUM) { // of a literal
			str_puts(out, "number");
			break;
		}
		if (!t->meta->shown)
			give_name(&t->meta->shown, fresh_name(NULL));
		str_puts(out, t->meta->shown);
		break;
	case TY_PARAM: str_puts(out, name_of_param(t->param)); break;
	case TY_ABS: put_abs(out, t, sized); break;
	}
	if (parens)
		str_putc(out, ')');
}

const char *show_ty(Ty *t)
{
	Str out = {0};
	put_ty(&out, t, WHOLE, true);
	return str_text(&out);
}

// 'a [n]. [n]a -> a
const char *show_scheme(const Scheme *s)
{
	static const char *const quote[] = {"'", "'~", "'^"}; // ORDER LIFTING
	Str out = {0};
	for EACH(TypeDef *, d, s->types)
		str_printf(&out, "%s%s%s", out.len ? " " : "", quote[(*d)->lifting],
		           name_of_param(*d));
	for EACH(Binding *, b, s->sizes)
		str_printf(&out, "%s[%s]", out.len ? " " : "", show_name(*b));
	if (out.len)
		str_puts(&out, ". ");
	put_ty(&out, s->type, WHOLE, true);
	return str_text(&out);
}
