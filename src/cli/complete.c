// Names that can be typed: those of environments, fields, constructors, words of the language.
//
//     f64.sq       members of the module f64 that begin with "sq"
//     r.po         fields of the value r
//     ma           values, modules and keywords
#include "cli/complete.h"

#include <ctype.h>
#include <stdlib.h>

const char *const keyword_words[] = {
	"assert", "case", "def", "do", "else", "entry", "false", "for", "if", "import", "in",
	"include", "let", "local", "loop", "match", "module", "open", "then", "true", "type", "val",
	"while", "with", NULL,
};

const char *binding_doc(const Binding *b)
{
	return b->doc ? b->doc : b->decl ? b->decl->doc : b->of ? binding_doc(b->of) : NULL;
}

static bool is_operator(const char *name)
{
	return !isalpha((unsigned char)name[0]) && name[0] != '_';
}

// ---- Environments ----

void offer_binding(Offers *out, const Binding *b, bool local)
{
	if (b->name[0] == '_' || is_operator(b->name))
		return;
	Ty *t = b->kind != BIND_MODULE && b->scheme.type ? ty_resolve(b->scheme.type) : NULL;
	OfferKind kind = b->kind == BIND_MODULE
	               ? b->mod && b->mod->kind == MOD_FUNCTOR ? OFFER_FUNCTOR : OFFER_MODULE
	               : local ? OFFER_LOCAL : t && t->kind == TY_ARROW ? OFFER_FUNCTION
	               : OFFER_VALUE;
	VEC_PUSH(out, (Offer){.kind = kind, .name = b->name, .binding = b, .of_type = t,
	                      .doc = binding_doc(b)});
}

static bool is_there(Span defined, Loc before)
{
	const Source *s = before ? source_of(before) : NULL;
	return !s || source_of(defined.lo) != s || defined.lo < before;
}

static void offer_names(Offers *out, const Env *env, const char *prefix, int spaces, Loc before)
{
	if (spaces & WANT_VALUES)
		for MAP_EACH(e, env->values) {
			const Binding *b = e->val;
			if (str_starts(b->name, prefix) && is_there(b->span, before))
				offer_binding(out, b, false);
		}
	if (spaces & WANT_TYPES)
		for MAP_EACH(e, env->types) {
			const TypeDef *d = e->val;
			if (str_starts(d->name, prefix) && is_there(d->span, before))
				VEC_PUSH(out, (Offer){.kind = OFFER_TYPE, .name = d->name,
				                      .type = d, .doc = d->doc});
		}
	if (spaces & WANT_SIGS)
		for MAP_EACH(e, env->sigs) {
			const Sig *sig = e->val;
			if (str_starts(sig->name, prefix) && is_there(sig->span, before))
				VEC_PUSH(out, (Offer){.kind = OFFER_SIG, .name = sig->name});
		}
}

void offer_env(Offers *out, const Env *env, const char *prefix, int spaces, bool up, Loc before)
{
	for (; env; env = up ? env->up : NULL)
		offer_names(out, env, prefix, spaces, before);
}

// ---- Parts of types ----

void offer_fields(Offers *out, Ty *t, const char *prefix)
{
	t = t ? ty_resolve(t) : NULL;
	TyFields fields = {0};
	if (t && t->kind == TY_RECORD)
		fields = t->record;
	else if (t && t->kind == TY_META)
		fields = t->meta->fields;
	for EACH(TyField, f, fields)
		if (str_starts(f->name, prefix))
			VEC_PUSH(out, (Offer){.kind = OFFER_FIELD, .name = f->name,
			                      .of_type = f->type});
}

static void offer_constr(Offers *out, const TyConstr *c, const char *prefix)
{
	if (!str_starts(c->name, prefix))
		return;
	Str s = {0};
	str_printf(&s, "#%s", c->name);
	for EACH(Ty *, t, c->args)
		str_printf(&s, " %s", show_ty(*t));
	VEC_PUSH(out, (Offer){.kind = OFFER_CONSTR, .name = c->name, .doc = str_text(&s)});
}

void offer_constrs(Offers *out, Ty *t, const char *prefix)
{
	t = ty_resolve(t);
	switch (t->kind) {
	case TY_ERROR: case TY_PRIM: case TY_PARAM:
		return;
	case TY_META:
		for EACH(TyConstr, c, t->meta->constrs)
			offer_constr(out, c, prefix);
		return;
	case TY_ARRAY:
		offer_constrs(out, t->array.elem, prefix);
		return;
	case TY_RECORD:
		for EACH(TyField, f, t->record)
			offer_constrs(out, f->type, prefix);
		return;
	case TY_SUM:
		for EACH(TyConstr, c, t->sum)
			offer_constr(out, c, prefix);
		return;
	case TY_ARROW:
		offer_constrs(out, t->arrow.from, prefix);
		offer_constrs(out, t->arrow.to, prefix);
		return;
	case TY_ABS:
		for EACH(Ty *, a, t->abs.types)
			offer_constrs(out, *a, prefix);
		return;
	}
}

// ---- Words ----

void offer_words(Offers *out, OfferKind kind, const char *const *words, const char *prefix)
{
	for (; *words; words++)
		if (str_starts(*words, prefix))
			VEC_PUSH(out, (Offer){.kind = kind, .name = *words});
}

typedef struct { Offer offer; int order; } Ranked;

static int by_name(const void *a, const void *b)
{
	const Ranked *x = a, *y = b;
	int c = strcmp(x->offer.name, y->offer.name);
	return c ? c : x->order - y->order;
}

// Types and values have names of their own; of two of a kind the first hides the other.
static bool same_space(const Offer *a, const Offer *b)
{
	bool types = a->kind == OFFER_TYPE || a->kind == OFFER_SIG;
	return types ? a->kind == b->kind : b->kind != OFFER_TYPE && b->kind != OFFER_SIG;
}

void offers_sort(Offers *o)
{
	if (!o->len)
		return;
	Ranked *all = NEW_ARRAY(Ranked, o->len);
	for (int i = 0; i < o->len; i++)
		all[i] = (Ranked){o->at[i], i};
	qsort(all, (size_t)o->len, sizeof *all, by_name);
	int n = 0;
	for (int i = 0; i < o->len; i++) {
		bool hidden = false;
		for (int j = i; j-- > 0 && strcmp(all[j].offer.name, all[i].offer.name) == 0; )
			hidden |= same_space(&all[j].offer, &all[i].offer);
		if (!hidden)
			o->at[n++] = all[i].offer;
	}
	o->len = n;
}

const char *offer_detail(const Offer *o)
{
	if (o->of_type)
		return show_ty(o->of_type);
	if (o->kind == OFFER_CONSTR)
		return o->doc;
	if (o->type && o->type->body && !o->type->params.len)
		return show_ty(o->type->body);
	return NULL;
}

// ---- The REPL ----

// The fields or members of what the names before the last dot are.
static void offer_members(Program *p, Offers *out, const char *path, const char *prefix)
{
	Source *source = source_add("", path, strlen(path));
	int before = diags.len;
	Expr *e = source ? parse_expr_only(source) : NULL;
	diags.len = before;
	if (!e || e->kind != EX_VAR)
		return;
	QualName q = e->var.name;
	const Binding *b = scope_value(p->scope, q.quals.len ? q.quals.at[0] : q.name);
	Ty *t = NULL;
	for (int i = 1; b && i <= q.quals.len; i++) {
		Name name = i < q.quals.len ? q.quals.at[i] : q.name;
		t = t ? t : b->kind != BIND_MODULE ? b->scheme.type : NULL;
		if (!t) {
			b = b->mod->kind == MOD_ENV ? map_get(&b->mod->env->values, name) : NULL;
			continue;
		}
		t = ty_resolve(t);
		Ty *field = NULL;
		for (int k = 0; t->kind == TY_RECORD && k < t->record.len; k++)
			if (t->record.at[k].name == name)
				field = t->record.at[k].type;
		if (!field)
			return;
		t = field;
	}
	if (b && !t && b->kind == BIND_MODULE && b->mod->kind == MOD_ENV)
		offer_env(out, b->mod->env, prefix, WANT_VALUES | WANT_TYPES, false, 0);
	else if (b)
		offer_fields(out, t ? t : b->scheme.type, prefix);
}

Offers offer_at_end(Program *p, const char *line, size_t *start)
{
	Offers out = {0};
	size_t end = strlen(line), at = end;
	while (at && is_name_char(line[at - 1]))
		at--;
	const char *prefix = line + at;
	*start = at;
	if (at && line[at - 1] == '.') {
		size_t from = at - 1;
		while (from && (is_name_char(line[from - 1]) || line[from - 1] == '.'))
			from--;
		offer_members(p, &out, text("%.*s", (int)(at - 1 - from), line + from), prefix);
	} else if (!isdigit((unsigned char)*prefix)) {
		offer_env(&out, scope_env(p->scope), prefix, WANT_VALUES | WANT_TYPES, true, 0);
		offer_words(&out, OFFER_KEYWORD, keyword_words, prefix);
	}
	offers_sort(&out);
	return out;
}
