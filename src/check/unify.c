// Unification of phase 1: makes types equal, blind to sizes.
//
// What is known of a type not found yet is kept on its Meta: the primitive types it may be,
// whether it must support equality, the fields or constructors it must have, whether
// functions and hidden sizes are excluded.  When a meta is linked to a type, everything known
// is checked against that type, which may put the same demands on metas inside of it; when
// two metas are linked their demands are joined.  So nothing needs to be solved later: what
// remains on metas at the end of a declaration is defaulted, generalised or reported.
//
// The functions named u_... give false after noting in their Clash what is wrong; clash.c makes
// the message.
#include "check/infer.h"

#include <stdlib.h>

Infer *infer;

static bool u_equality(Clash *, Ty *);
static bool u_overload(Clash *, Ty *, Overload);

// ---- Metas ----

// Outside of an inference (modules match values against specifications) metas belong to no
// list, and only have a number.
Ty *meta_new(Span span, const char *hint)
{
	static int last_id;
	Meta *m = NEW(Meta, .span = span, .hint = hint);
	if (infer) {
		m->id = infer->metas.len;
		m->level = infer->level;
		VEC_PUSH(&infer->metas, m);
	} else {
		m->id = last_id++;
	}
	return NEW(Ty, .kind = TY_META, .meta = m);
}

Ty *ty_meta(Span span)
{
	return meta_new(span, "t");
}

// ---- Overloading ----

// Sets of primitive types as bits; they are closed under intersection.  ORDER OVERLOAD
#define ALL_INTS   0x0FFu
#define ALL_FLOATS 0x700u
#define JUST_BOOL  0x800u
static const unsigned overload_set[] = {
	[OV_NUM] = ALL_INTS | ALL_FLOATS,
	[OV_INT] = ALL_INTS,
	[OV_FLOAT] = ALL_FLOATS,
	[OV_SIGNED] = 0x00Fu,
	[OV_BITS] = ALL_INTS | JUST_BOOL,
	[OV_ORD] = ALL_INTS | ALL_FLOATS | JUST_BOOL,
	[OV_ANY_PRIM] = ALL_INTS | ALL_FLOATS | JUST_BOOL,
};

bool overload_allows(Overload ov, PrimType t)
{
	return overload_set[ov] >> t & 1;
}

// What both allow, 0 for none.
static Overload overload_both(Overload a, Overload b)
{
	if (!a || !b)
		return a ? a : b;
	unsigned both = overload_set[a] & overload_set[b];
	for (Overload ov = OV_NUM; ov <= OV_ANY_PRIM; ov++)
		if (overload_set[ov] == both)
			return ov;
	return 0;
}

const char *note_record_for_number(Overload ov, const char *fields)
{
	return text("Note: A type that must be one of [%s] cannot be a record with fields %s.",
	            show_overload(ov), fields);
}

// reduce (+) 0 xs, where the elements are of any type
static const char *hint_of_parameter(const Ty *t)
{
	if (t->kind == TY_PARAM)
		return text("\nHint: \"%s\" may be any type, so it has no operators; name a type "
		            "such as f64, or take the operation as a parameter.", show_ty((Ty *)t));
	return "";
}

static bool clash_overload(Clash *c, Overload ov, Ty *t)
{
	t = ty_resolve(t);
	bool sum = t->kind == TY_SUM || (t->kind == TY_META && t->meta->constrs.len);
	c->wanted = ov;
	c->sum = sum;
	if (t->kind == TY_META && t->meta->fields.len)
		c->note = note_record_for_number(ov, show_ty(ty_record(t->meta->fields)));
	else
		c->note = text("Note: %sA type that must be one of [%s] cannot be %s%s.%s",
		               sum ? "Cannot unify a number with a sum type.\n" : "",
		               show_overload(ov), sum ? "the sum type " : "", show_partial(t),
		               hint_of_parameter(t));
	return false;
}

static bool u_overload(Clash *c, Ty *t, Overload ov)
{
	t = ty_resolve(t);
	if (t->kind == TY_ERROR)
		return true;
	if (t->kind == TY_PRIM)
		return overload_allows(ov, t->prim) || clash_overload(c, ov, t);
	if (t->kind != TY_META || t->meta->fields.len || t->meta->constrs.len)
		return clash_overload(c, ov, t);
	Overload both = overload_both(t->meta->overload, ov);
	if (!both) {
		c->note = text("Note: A type that must be one of [%s] cannot be one of [%s].",
		               show_overload(ov),
		               show_overload(t->meta->overload));
		return false;
	}
	t->meta->overload = both;
	return true;
}

// ---- Restrictions: no functions, no hidden sizes ----

#define APPLY_FIRST "\nHint: apply the function in each branch: \"if c then f x else g x\"."
const char why_if[] = "If-expression returns type @ but if-results may not be of function type."
                      APPLY_FIRST;
const char why_match[] =
	"Match-expression returns type @ but match-results may not be of function type."
	APPLY_FIRST;
const char why_loop[] = "Loop has a parameter of type @ but a loop parameter may not be of "
                        "function type.";
const char why_element[] = "Type @ found to be functional.\nHint: arrays have no functions as "
                           "elements; a number or a sum type may say which one to apply.";
const char why_instance[] =
	"Type @ found to be functional.\n"
	"It instantiates a type parameter that is not fully lifted.";

static const char *fill_template(const char *why, Ty *t)
{
	const char *at = strchr(why, '@');
	return at ? text("%.*s%s%s", (int)(at - why), why, show_ty(t), at + 1) : why;
}

typedef struct { bool element; const char *why; Ty *whole; } Restriction;

static bool clash_lifting(Clash *c, const Restriction *r, Ty *t, Lifting lifting)
{
	c->functional = lifting == LIFT_FULL;
	if (c->functional)
		c->message = fill_template(r->why, r->whole);
	else if (r->why == why_element)
		c->message = text("Cannot create array with elements of size-lifted type \"%s\" "
		                  "(might cause irregular array).\n"
		                  "The type is lifted and cannot be an array element.", show_ty(t));
	else
		c->message = text("Type parameter that is not lifted would be instantiated with "
		                  "size-lifted type \"%s\".\n"
		                  "The type is lifted and cannot be an array element.", show_ty(t));
	return false;
}

static bool u_restrict(Clash *c, const Restriction *r, Ty *t);

static bool u_restrict_all(Clash *c, const Restriction *r, Tys ts)
{
	for EACH(Ty *, t, ts)
		if (!u_restrict(c, r, *t))
			return false;
	return true;
}

static bool u_restrict(Clash *c, const Restriction *r, Ty *t)
{
	t = ty_resolve(t);
	switch (t->kind) {
	case TY_ERROR: case TY_PRIM:
		return true;
	case TY_ARRAY:
		return u_restrict(c, r, t->array.elem);
	case TY_RECORD:
		for EACH(TyField, f, t->record)
			if (!u_restrict(c, r, f->type))
				return false;
		return true;
	case TY_SUM:
		for EACH(TyConstr, k, t->sum)
			if (!u_restrict_all(c, r, k->args))
				return false;
		return true;
	case TY_ARROW:
		return clash_lifting(c, r, t, LIFT_FULL);
	case TY_META: {
		Meta *m = t->meta;
		// The first reason stays: it is nearest to where the type came from.
		if (!m->why || (r->element && !m->is_element && !m->no_function))
			m->why = r->why;
		m->no_function = true;
		m->is_element |= r->element;
		return true;
	}
	case TY_PARAM: case TY_ABS: {
		Lifting l = t->kind == TY_PARAM ? t->param->lifting : t->abs.def->lifting;
		if (l == LIFT_FULL || (l == LIFT_SIZE && r->element))
			return clash_lifting(c, r, t, l);
		return t->kind == TY_PARAM || u_restrict_all(c, r, t->abs.types);
	}
	}
	bug("kind of type");
}

// ---- Equality ----

static bool clash_equality(Clash *c, Ty *t)
{
	c->message = text("Comparing equality of values of type %s which does not support "
	                  "equality.", show_ty(t));
	return false;
}

static bool lacks_equality(Ty *type, void *clash)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_ARROW || t->kind == TY_PARAM || t->kind == TY_ABS)
		return !clash_equality(clash, t);
	if (t->kind == TY_META)
		t->meta->needs_equality = true;
	return ty_any_part(t, lacks_equality, clash);
}

static bool u_equality(Clash *c, Ty *t)
{
	return !lacks_equality(t, c);
}

// ---- Linking a meta ----

typedef enum { LINK_OK, LINK_OCCURS, LINK_SCOPE } LinkCheck;

static LinkCheck check_parts(Meta *m, Tys ts, TypeDef **deeper);

// Whether m may become t: it does not occur in t, and t has no type parameter from deeper
// inside.  Metas in t become as restricted in scope as m.
static LinkCheck check_link(Meta *m, Ty *t, TypeDef **deeper)
{
	t = ty_resolve(t);
	LinkCheck got = LINK_OK;
	switch (t->kind) {
	case TY_ERROR: case TY_PRIM:
		return LINK_OK;
	case TY_ARRAY:
		return check_link(m, t->array.elem, deeper);
	case TY_RECORD:
		for (int i = 0; i < t->record.len && got == LINK_OK; i++)
			got = check_link(m, t->record.at[i].type, deeper);
		return got;
	case TY_SUM:
		for (int i = 0; i < t->sum.len && got == LINK_OK; i++)
			got = check_parts(m, t->sum.at[i].args, deeper);
		return got;
	case TY_ARROW:
		got = check_link(m, t->arrow.from, deeper);
		return got == LINK_OK ? check_link(m, t->arrow.to, deeper) : got;
	case TY_META:
		if (t->meta == m)
			return LINK_OCCURS;
		if (t->meta->level > m->level)
			t->meta->level = m->level;
		return LINK_OK;
	case TY_PARAM:
		if (t->param->level <= m->level)
			return LINK_OK;
		*deeper = t->param;
		return LINK_SCOPE;
	case TY_ABS:
		return check_parts(m, t->abs.types, deeper);
	}
	bug("kind of type");
}

static LinkCheck check_parts(Meta *m, Tys ts, TypeDef **deeper)
{
	LinkCheck got = LINK_OK;
	for (int i = 0; i < ts.len && got == LINK_OK; i++)
		got = check_link(m, ts.at[i], deeper);
	return got;
}

static bool clash_link(Clash *c, Ty *meta, Ty *t, LinkCheck got, const TypeDef *deeper)
{
	if (got == LINK_OCCURS) {
		c->message = text("Occurs check: cannot instantiate %s with %s.", show_ty(meta),
		                  show_ty(t));
		c->anchor = "occurs-check";
	} else {
		c->message = text("Cannot unify type %s with \"%s\" (scope violation).\n"
		                  "This is because \"%s\" is rigidly bound in a deeper scope.",
		                  show_ty(t), show_ty(meta), deeper->name);
		c->anchor = "scope-violation";
	}
	return false;
}

// Passes on what was demanded of m, which is linked by now, to what it is linked to.
static bool u_demands(Clash *c, const Meta *m, Ty *t)
{
	if (m->overload && !u_overload(c, t, m->overload))
		return false;
	if (m->needs_equality && !u_equality(c, t))
		return false;
	if (m->no_function && !u_restrict(c, &(Restriction){m->is_element, m->why, t}, t))
		return false;
	for EACH(TyField, f, m->fields)
		if (!u_field(c, t, f->name, f->type))
			return false;
	for EACH(TyConstr, k, m->constrs)
		if (!u_constr(c, t, k->name, k->args))
			return false;
	return true;
}

// The newer meta is linked to the older one, so that names in messages stay the same.
static bool u_link(Clash *c, Ty *meta, Ty *t)
{
	if (t->kind == TY_META) {
		if (t->meta == meta->meta)
			return true;
		if (t->meta->id > meta->meta->id) {
			Ty *swap = t;
			t = meta;
			meta = swap;
		}
	}
	TypeDef *deeper = NULL;
	LinkCheck got = check_link(meta->meta, t, &deeper);
	if (got != LINK_OK)
		return clash_link(c, meta, t, got, deeper);
	if (meta->meta->overload && t->kind != TY_PRIM && t->kind != TY_META && t->kind != TY_ERROR)
		return clash_overload(c, meta->meta->overload, t);
	if (meta->meta->overload && t->kind == TY_PRIM &&
	    !overload_allows(meta->meta->overload, t->prim))
		return clash_overload(c, meta->meta->overload, t);
	meta->meta->link = ty_nonunique(t);
	if (u_demands(c, meta->meta, meta->meta->link))
		return true;
	meta->meta->link = NULL;        // messages show both types
	return false;
}

// ---- Unification proper ----

static bool u_all(Clash *c, Tys a, Tys b, bool flipped)
{
	for (int i = 0; i < a.len; i++)
		if (!u_types(c, a.at[i], b.at[i], flipped))
			return false;
	return true;
}

// What either of two lists of names has and the other lacks, in alphabetical order.
typedef VEC(Name) Unshared;

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const Name *)a, *(const Name *)b);
}

static const char *show_unshared(Unshared *names, const char *mark)
{
	Str out = {0};
	qsort(names->at, (size_t)names->len, sizeof(Name), by_name);
	for EACH(Name, n, *names)
		str_printf(&out, "%s%s%s", out.len ? ", " : "", mark, *n);
	return str_text(&out);
}

static void put_unshared(Unshared *out, TyFields a, TyFields b)
{
	for EACH(TyField, f, a)
		if (!find_field(b, f->name))
			VEC_PUSH(out, f->name);
}

static bool u_records(Clash *c, Ty *a, Ty *b, bool flipped)
{
	bool same = a->record.len == b->record.len;
	for (int i = 0; same && i < a->record.len; i++)
		same = a->record.at[i].name == b->record.at[i].name;
	if (!same) {
		Unshared out = {0};
		put_unshared(&out, a->record, b->record);
		put_unshared(&out, b->record, a->record);
		c->note = text("Note: unshared fields: %s.%s", show_unshared(&out, ""),
		               hint_unshared(a->record, b->record));
		c->a = a, c->b = b;
		return false;
	}
	for (int i = 0; i < a->record.len; i++)
		if (!u_types(c, a->record.at[i].type, b->record.at[i].type, flipped)) {
			Name field = a->record.at[i].name;
			c->field = c->field ? text("%s.%s", field, c->field) : field;
			return false;
		}
	return true;
}

static void put_unshared_constrs(Unshared *out, TyConstrs a, TyConstrs b)
{
	for EACH(TyConstr, k, a)
		if (!find_constr(b, k->name))
			VEC_PUSH(out, k->name);
}

static bool u_sums(Clash *c, Ty *a, Ty *b, bool flipped)
{
	bool same = a->sum.len == b->sum.len;
	for (int i = 0; same && i < a->sum.len; i++)
		same = a->sum.at[i].name == b->sum.at[i].name;
	if (!same) {
		Unshared out = {0};
		put_unshared_constrs(&out, a->sum, b->sum);
		put_unshared_constrs(&out, b->sum, a->sum);
		c->note = text("Unshared constructors: %s.", show_unshared(&out, "#"));
		c->a = a, c->b = b;
		return false;
	}
	for (int i = 0; i < a->sum.len; i++) {
		Tys x = a->sum.at[i].args, y = b->sum.at[i].args;
		if (x.len != y.len) {
			c->a = a, c->b = b;
			return clash_arity(c, a->sum.at[i].name, x.len, y.len);
		}
		if (!u_all(c, x, y, flipped))
			return false;
	}
	return true;
}

// A function that consumes its argument cannot stand where one is expected that does not.
static bool u_arrows(Clash *c, Ty *a, Ty *b, bool flipped)
{
	Ty *expected = flipped ? b : a, *actual = flipped ? a : b;
	if (ty_consumes(actual->arrow.from) && !ty_consumes(expected->arrow.from)) {
		c->message = text("Parameters\n  %s\nand\n  %s\nare incompatible regarding "
		                  "consuming their arguments.", show_ty(expected->arrow.from),
		                  show_ty(actual->arrow.from));
		c->anchor = "unify-consuming-param";
		return false;
	}
	return u_types(c, a->arrow.from, b->arrow.from, !flipped) &&
	       u_types(c, a->arrow.to, b->arrow.to, flipped);
}

static bool clash_types(Clash *c, Ty *a, Ty *b)
{
	c->a = a, c->b = b;
	return false;
}

// `flipped`: a and b are to the left of an odd number of arrows.
bool u_types(Clash *c, Ty *a, Ty *b, bool flipped)
{
	a = ty_resolve(a);
	b = ty_resolve(b);
	if (a == b || a->kind == TY_ERROR || b->kind == TY_ERROR)
		return true;
	if (a->kind == TY_META)
		return u_link(c, a, b);
	if (b->kind == TY_META)
		return u_link(c, b, a);
	if (a->kind != b->kind)
		return clash_types(c, a, b);
	switch (a->kind) {
	case TY_PRIM:
		return a->prim == b->prim || clash_types(c, a, b);
	case TY_ARRAY:
		return u_types(c, a->array.elem, b->array.elem, flipped);
	case TY_RECORD:
		return u_records(c, a, b, flipped);
	case TY_SUM:
		return u_sums(c, a, b, flipped);
	case TY_ARROW:
		return u_arrows(c, a, b, flipped);
	case TY_PARAM:
		return a->param == b->param || clash_types(c, a, b);
	case TY_ABS:
		if (a->abs.def != b->abs.def)
			return clash_types(c, a, b);
		return u_all(c, a->abs.types, b->abs.types, flipped);
	case TY_ERROR: case TY_META:
		break;
	}
	bug("kind of type");
}

// ---- The interface ----

bool unify_why(const Why *why, Ty *expected, Ty *actual)
{
	Clash c = {.span = why->span};
	if (u_types(&c, expected, actual, false))
		return true;
	report_clash(why, &c, expected, actual);
	return false;
}

bool unify(Reason r, Ty *expected, Ty *actual)
{
	return unify_why(&(Why){.kind = WHY_TEXT, .span = r.span, .text = r.what}, expected,
	                 actual);
}

bool need_overload_why(const Why *why, Ty *t, Overload ov)
{
	Clash c = {.span = why->span};
	if (u_overload(&c, t, ov))
		return true;
	report_demand(why, &c, t);
	return false;
}

bool need_overload(Span span, Ty *t, Overload ov, const char *why)
{
	return need_overload_why(&(Why){.kind = WHY_TEXT, .span = span, .text = why}, t, ov);
}

bool need_equality(Span span, Ty *t)
{
	Clash c = {.span = span};
	if (u_equality(&c, t))
		return true;
	report_demand(&(Why){.span = span}, &c, t);
	return false;
}

bool need_field(Span span, Ty *record, Name field, Ty *type)
{
	Clash c = {.span = span};
	if (u_field(&c, record, field, type))
		return true;
	report_demand(&(Why){.span = span}, &c, record);
	return false;
}

bool need_constr_why(const Why *why, Ty *sum, Name constr, Tys args)
{
	Clash c = {.span = why->span};
	if (u_constr(&c, sum, constr, args))
		return true;
	report_demand(why, &c, sum);
	return false;
}

bool need_constr(Span span, Ty *sum, Name constr, Tys args)
{
	return need_constr_why(&(Why){.span = span}, sum, constr, args);
}

static bool need_restricted(Span span, Ty *t, Restriction r)
{
	Clash c = {.span = span};
	if (u_restrict(&c, &r, t))
		return true;
	report_demand(&(Why){.span = span}, &c, t);
	return false;
}

bool need_no_function(Span span, Ty *t, const char *why)
{
	return need_restricted(span, t, (Restriction){false, why, t});
}

bool need_element(Span span, Ty *t, const char *why)
{
	return need_restricted(span, t, (Restriction){true, why, t});
}
