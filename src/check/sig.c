// Module types.
//
// A module type is a template: a module whose values are specifications (BIND_SPEC), together with
// the list of its abstract types.  Mentioning a module type copies nothing.  Where a module of that
// type is needed (the parameter of a functor, a submodule of another module type), an instance is
// made, with new abstract types.
#include "check/infer.h"
#include "check/modules.h"

Sig *sig_instance(const Sig *sig, Span span)
{
	Renaming r = {.span = span, .remake = remake_spec, .unrelated = true};
	Sig *out = NEW(Sig, .name = sig->name);
	if (sig->abstract.len)
		out->abstract.at = NEW_ARRAY(TypeDef *, sig->abstract.len);
	for EACH(TypeDef *, d, sig->abstract) {
		TypeDef *fresh = mem_dup(*d, sizeof **d);
		fresh->id = typedef_new(TD_ABSTRACT, fresh->name, fresh->span)->id;
		map_put(&r.types, *d, fresh);
		out->abstract.at[out->abstract.len++] = fresh;
	}
	out->mod = rename_mod(&r, sig->mod);
	return out;
}

// ---- Specifications ----

typedef struct {
	Scope *scope;           // its environment is the module type's contents
	VEC(TypeDef *) abstract;
} SpecList;

// val name params : type
static void check_val_spec(SpecList *s, Spec *spec)
{
	scope_claim(s->scope, NS_VALUE, spec->val.name, spec->val.name_span);
	Binding *b = binding_new(BIND_SPEC, spec->val.name, spec->val.name_span);
	b->doc = spec->doc;
	int mark = scope_mark(s->scope);
	elab_type_params(s->scope, spec->val.params);
	bool hidden_left;
	Bindings exts = {0};
	Ty *type = elab_closed(s->scope, spec->val.type, &exts, &hidden_left);
	scope_leave(s->scope, mark, spec->span.hi);
	if (hidden_left) {
		Diag *d = diag_error(spec->val.type->span, NULL,
		                     "All function parameters must have non-anonymous sizes.");
		diag_note(d, "Hint: add size parameters to \"%s\".", spec->val.name);
		fail_diag(d);
	}
	for EACH(Binding *, e, exts)
		(*e)->kind = BIND_UNKNOWN;
	b->open_sizes = exts;
	b->scheme = scheme_of_params(spec->val.params, type);
	scope_add_value(s->scope, b, true);
}

// type name params [= type]
static void check_type_spec(SpecList *s, Spec *spec)
{
	Name name = spec->type.name;
	Span at = spec->type.name_span;
	scope_claim(s->scope, NS_TYPE, name, at);
	TypeDef *d;
	if (spec->type.def) {
		d = elab_typedef(s->scope, name, at, spec->type.lifting, spec->type.params,
		                 spec->type.def);
	} else {
		d = typedef_new(TD_ABSTRACT, name, at);
		int mark = scope_mark(s->scope);
		elab_type_params(s->scope, spec->type.params);
		scope_leave(s->scope, mark, spec->span.hi);
		d->params = spec->type.params;
		d->lifting = spec->type.lifting;
		VEC_PUSH(&s->abstract, d);
	}
	d->doc = spec->doc;
	scope_add_type(s->scope, d, true);
}

// module name : S
static void check_module_spec(SpecList *s, Spec *spec)
{
	scope_claim(s->scope, NS_VALUE, spec->module.name, spec->module.name_span);
	Sig *sig = sig_instance(check_sig(s->scope, spec->module.sig), spec->span);
	Binding *b = binding_new(BIND_MODULE, spec->module.name, spec->module.name_span);
	b->doc = spec->doc;
	b->mod = sig->mod;
	if (sig->mod->kind == MOD_FUNCTOR)
		sig->mod->spec = b;
	for EACH(TypeDef *, d, sig->abstract) {
		(*d)->full_name = text("%s.%s", b->name, (*d)->full_name);
		VEC_PUSH(&s->abstract, *d);
	}
	scope_add_value(s->scope, b, true);
}

static bool same_parameters(TypeParams a, TypeParams b)
{
	if (a.len != b.len)
		return false;
	for (int i = 0; i < a.len; i++)
		if (a.at[i].kind != b.at[i].kind)
			return false;
	return true;
}

// Whether an included abstract type may be one that is already there.
static bool can_be(const TypeDef *before, const TypeDef *included, TypeDefs abstract)
{
	bool is_abstract = false;
	for EACH(TypeDef *, d, abstract)
		is_abstract |= *d == included;
	return is_abstract && same_parameters(before->params, included->params) &&
	       before->lifting <= included->lifting;
}

// Whether a type with the parameters `have` can be used as one with the parameters `want`.
static bool can_take_parameters(TypeParams have, TypeParams want)
{
	if (have.len != want.len)
		return false;
	for (int i = 0; i < have.len; i++) {
		const TypeParam *h = &have.at[i], *w = &want.at[i];
		if ((h->kind == TP_SIZE) != (w->kind == TP_SIZE) ||
		    (h->def && h->def->lifting < w->def->lifting))
			return false;
	}
	return true;
}

// Whether a type is defined to be just another one: type t 'a [n] = u 'a [n].
static bool is_synonym(const TypeDef *d, const TypeDef *of)
{
	Bindings exts = {0};
	if (d->kind != TD_ABBREV || d->body->kind != TY_ABS || d->body->abs.def != of)
		return false;
	Ty *applied = typedef_applied((TypeDef *)of, d->params, &exts);
	return can_take_parameters(d->params, of->params) &&
	       same_type(d->body, (Bindings){0}, applied, (Bindings){0});
}

// include S with t = t: the one before is still the type of that name.
static void keep_synonyms(SpecList *s, const Map *before)
{
	for MAP_EACH(e, *before) {
		TypeDef *now = map_get(&s->scope->env->types, e->key);
		if (now != e->val && is_synonym(now, e->val))
			scope_add_type(s->scope, e->val, true);
	}
}

// include S.  Types of one name can only be implemented by one type, so they become the same.
static void check_include(SpecList *s, Spec *spec)
{
	Sig *sig = check_sig(s->scope, spec->include);
	if (sig->mod->kind == MOD_FUNCTOR)
		fail(spec->include->span, "module-is-parametric",
		     "Cannot have parametric module here.");
	Renaming r = {.span = spec->span, .remake = remake_spec};
	for MAP_EACH(e, sig->mod->env->types) {
		TypeDef *before = map_get(&s->scope->env->types, e->key);
		if (before && !s->scope->is_prelude)
			diag_warn(spec->span, NULL, "Inclusion shadows type \"%s\".", before->name);
		if (before && before != e->val && can_be(before, e->val, sig->abstract))
			map_put(&r.types, e->val, before);
	}
	Mod *mod = r.types.len ? rename_mod(&r, sig->mod) : sig->mod;
	Map before = map_copy(&s->scope->env->types);
	scope_add_all(s->scope, mod->env, true);
	keep_synonyms(s, &before);
	for EACH(TypeDef *, d, sig->abstract)
		if (!map_has(&r.types, *d))
			VEC_PUSH(&s->abstract, *d);
}

static void check_spec(SpecList *s, Spec *spec)
{
	switch (spec->kind) {
	case SPEC_VAL:
		check_val_spec(s, spec);
		return;
	case SPEC_TYPE:
		check_type_spec(s, spec);
		return;
	case SPEC_MODULE:
		check_module_spec(s, spec);
		return;
	case SPEC_INCLUDE:
		check_include(s, spec);
		return;
	}
	bug("kind of specification");
}

static Sig *check_specs(Scope *outer, Specs specs)
{
	Env *env = NEW(Env, .name = NULL);
	SpecList s = {.scope = scope_inside(outer, env, NULL)};
	for EACH(Spec *, spec, specs)
		check_spec(&s, *spec);
	env->up = NULL;
	return NEW(Sig, .mod = NEW(Mod, .kind = MOD_ENV, .env = env),
	           .abstract = VEC_SLICE(TypeDefs, s.abstract));
}

// ---- Refinement ----

static TypeDef *find_refined(Sig *sig, QualName q)
{
	Mod *m = sig->mod;
	for EACH(Name, qual, q.quals) {
		Binding *b = m->kind == MOD_ENV ? map_get(&m->env->values, *qual) : NULL;
		if (!b || b->kind != BIND_MODULE)
			fail(q.span, NULL, "Unknown name \"%s\" in module type.", *qual);
		m = b->mod;
	}
	if (m->kind != MOD_ENV)
		fail(q.span, "module-is-parametric", "Cannot have parametric module here.");
	TypeDef *d = map_get(&m->env->types, q.name);
	if (!d && m->env->poisoned)
		return NULL;
	if (!d)
		fail(q.span, NULL, "Unknown type \"%s\" in module type.", show_qualname(q));
	for EACH(TypeDef *, a, sig->abstract)
		if (*a == d)
			return d;
	fail(q.span, NULL, "\"%s\" is not an abstract type in the module type.", show_qualname(q));
}

// S with t params = type
static Sig *check_with(Scope *scope, SigExpr *se)
{
	Sig *sig = check_sig(scope, se->with.of);
	TypeDef *abstract = find_refined(sig, se->with.type);
	if (!abstract)
		return sig;
	TypeDef *d = elab_refinement(scope, abstract, se->with.params, se->with.def);
	if (!can_take_parameters(d->params, abstract->params))
		fail(se->span, NULL, "Cannot refine a type having parameters:%s\nwith a type "
		     "having parameters:%s\nThis is about the type \"%s\" of the module type.",
		     show_type_params(abstract->params), show_type_params(d->params),
		     show_qualname(se->with.type));
	Renaming r = {.span = se->span, .remake = remake_spec};
	map_put(&r.types, abstract, d);
	VEC(TypeDef *) rest = {0};
	for EACH(TypeDef *, a, sig->abstract)
		if (*a != abstract)
			VEC_PUSH(&rest, *a);
	return NEW(Sig, .mod = rename_mod(&r, sig->mod), .abstract = VEC_SLICE(TypeDefs, rest));
}

Sig *check_sig(Scope *scope, SigExpr *se)
{
	switch (se->kind) {
	case SE_NAME:
		return find_sig(scope, se->name);
	case SE_SPECS:
		return check_specs(scope, se->specs);
	case SE_PAREN:
		return check_sig(scope, se->inner);
	case SE_WITH:
		return check_with(scope, se);
	case SE_ARROW:
		return NEW(Sig, .mod = functor_type(scope, se));
	}
	bug("kind of module type");
}
