// Ascription, M : S, and the matching of a module with a module type in general.
//
//     module m : { type t  val z : t } = { type t = i32  def z = 0i32  def hidden = z }
//
// For each abstract type and each value of S, the component of M that implements it is looked
// up. With the implementations substituted for the abstract types, the types of S's values
// become types in terms of M, which the types of M's values must fit.  The result has the
// components of S only: its abstract types are fresh, so that nothing outside can see their
// implementations, and its values refer to those of M.  A functor is matched by applying it to
// the parameter that S specifies and matching the result.
#include "check/modules.h"
#include "check/size.h"

// ---- Messages ----

// The submodule being looked at, with a dot; nothing for the module as a whole.
static const char *path_of(const Match *m)
{
	return m->path ? text("%s.", m->path) : "";
}

static const char *enter_module(Match *m, Name name)
{
	const char *outer = m->path;
	m->path = text("%s%s", path_of(m), name);
	return outer;
}

static const char *show_lifting(Lifting l)
{
	return l == LIFT_NONE ? "" : l == LIFT_SIZE ? "~" : "^";
}

const char *show_type_params(TypeParams params)
{
	static const char *const mark[] = {
		[TP_SIZE] = "[", [TP_TYPE] = "'", [TP_SIZE_LIFTED] = "'~", [TP_LIFTED] = "'^",
	};
	Str s = {0};
	for EACH(TypeParam, p, params)
		str_printf(&s, " %s%s%s", mark[p->kind], p->name, p->kind == TP_SIZE ? "]" : "");
	return str_text(&s);
}

static const char *show_typedef(const Match *m, const TypeDef *d)
{
	const char *head = text("type%s %s%s%s", show_lifting(d->lifting), path_of(m), d->name,
	                        show_type_params(d->params));
	if (!d->body)
		return head;
	Str exts = {0};
	for EACH(Binding *, b, d->exts)
		str_printf(&exts, "[%s]", show_name(*b));
	return text("%s = %s%s%s%s", head, exts.len ? "?" : "", str_text(&exts),
	            exts.len ? "." : "", show_ty(d->body));
}

static const char *show_val(const Match *m, Name name, const Scheme *s)
{
	bool is_op = strchr("+-*/%=!><|&^", name[0]) != NULL;
	Str params = {0};
	for EACH(Binding *, b, s->sizes)
		str_printf(&params, " [%s]", show_name(*b));
	for EACH(TypeDef *, d, s->types)
		str_printf(&params, " '%s%s", show_lifting((*d)->lifting), name_of_param(*d));
	return text("val %s%s%s%s%s : %s", is_op ? "(" : "", path_of(m), name, is_op ? ")" : "",
	            str_text(&params), show_ty(s->type));
}

static bool same_kinds(TypeParams a, TypeParams b)
{
	if (a.len != b.len)
		return false;
	for (int i = 0; i < a.len; i++)
		if ((a.at[i].kind == TP_SIZE) != (b.at[i].kind == TP_SIZE))
			return false;
	return true;
}

NORETURN static void missing(const Match *m, const char *what, Name name)
{
	fail(m->span, NULL, "Module does not define a %s named \"%s%s\".", what, path_of(m), name);
}

NORETURN static void mismatched_type(const Match *m, const TypeDef *have, const TypeDef *want)
{
	if (same_kinds(have->params, want->params) && !want->body && have->lifting > want->lifting)
		fail(m->span, NULL, "Module defines\n  %s\nbut module type requires a %s type.",
		     show_typedef(m, have),
		     want->lifting == LIFT_NONE ? "non-lifted" : "non-functional");
	fail(m->span, NULL, "Module defines\n  %s\nbut module type requires\n  %s",
	     show_typedef(m, have), show_typedef(m, want));
}

NORETURN static void mismatched_val(const Match *m, Name name, const Scheme *have,
                                    const Scheme *want, const char *reason)
{
	Diag *d = diag_error(m->span, NULL,
	                     "Module type specifies\n  %s\nbut module provides\n  %s",
	                     show_val(m, name, want), show_val(m, name, have));
	if (reason)
		diag_note(d, "%s", reason);
	fail_diag(d);
}

// ---- Step 1: what implements what ----

static void find_components(Match *m, Mod *have, Mod *want, const Map *abstract);

static void find_type_component(Match *m, Env *have, TypeDef *want, const Map *abstract)
{
	TypeDef *d = map_get(&have->types, want->name);
	if (!d && have->poisoned)
		d = poison_type(want->name, want->span);
	if (!d)
		missing(m, "type", want->name);
	if (!map_has(abstract, want))
		return;
	bool failed = d->body == ty_error;
	if (!failed && (!same_kinds(d->params, want->params) || d->lifting > want->lifting))
		mismatched_type(m, d, want);
	map_put(&m->as.types, want, d);
}

static void find_value_component(Match *m, Env *have, Binding *want, const Map *abstract)
{
	Binding *b = map_get(&have->values, want->name);
	if (!b && have->poisoned)
		b = poison_value(want->name, want->span);
	bool is_module = want->kind == BIND_MODULE;
	if (!b || (!b->poisoned && (b->kind == BIND_MODULE) != is_module))
		missing(m, is_module ? "module" : "value", want->name);
	map_put(&m->as.values, want, b);
	if (is_module && !b->poisoned) {
		const char *outer = enter_module(m, want->name);
		find_components(m, b->mod, want->mod, abstract);
		m->path = outer;
	}
}

// Functors have components only once they are applied.
static void find_components(Match *m, Mod *have, Mod *want, const Map *abstract)
{
	if (have->kind != want->kind) {
		if (have->kind == MOD_ENV && have->env->poisoned)
			return;
		if (have->kind == MOD_FUNCTOR)
			fail(m->span, "module-is-parametric",
			     "Cannot have parametric module here.");
		fail(m->span, NULL, "Module type requires a parametric module, "
		     "but module has no parameters.");
	}
	if (want->kind == MOD_FUNCTOR)
		return;
	for MAP_EACH(e, want->env->types)
		find_type_component(m, have->env, e->val, abstract);
	for MAP_EACH(e, want->env->values)
		find_value_component(m, have->env, e->val, abstract);
}

// ---- Step 2: whether it does ----

static void check_components(Match *m, Mod *have, Mod *want);

static void check_typedef(Match *m, Env *have, TypeDef *want)
{
	if (map_has(&m->as.types, want))
		return;
	TypeDef *d = map_get(&have->types, want->name);
	if (!d || d->body == ty_error || want->body == ty_error)
		return;
	if (!same_kinds(d->params, want->params))
		mismatched_type(m, d, want);
	Bindings have_exts = {0}, want_exts = {0};
	Ty *is = typedef_applied(d, want->params, &have_exts);
	Ty *wanted = typedef_applied(want, want->params, &want_exts);
	wanted = rename_ty(&m->as, wanted, &want_exts, &want_exts);
	if (!same_type(is, have_exts, wanted, want_exts))
		mismatched_type(m, d, want);
}

static void check_value(Match *m, Binding *have, Binding *want)
{
	if (have->poisoned || want->poisoned)
		return;
	if (have->kind == BIND_INTRINSIC)
		intrinsic_force(have);
	Scheme wanted = rename_scheme(&m->as, want->name, &want->scheme);
	Inst *inst;
	const char *reason = fits_scheme(&have->scheme, &wanted, want->open_sizes, &inst,
	                                 &m->as.sizes);
	if (reason)
		mismatched_val(m, want->name, &have->scheme, &wanted, *reason ? reason : NULL);
	if (inst)
		map_put(&m->insts, want, inst);
}

static void check_component(Match *m, Binding *want)
{
	Binding *have = map_get(&m->as.values, want);
	if (want->kind != BIND_MODULE) {
		check_value(m, have, want);
		return;
	}
	const char *outer = enter_module(m, want->name);
	if (!have->poisoned && want->mod->kind == MOD_FUNCTOR)
		map_put(&m->functors, want, fit_functor(m, have->mod, want->mod));
	else if (!have->poisoned)
		check_components(m, have->mod, want->mod);
	m->path = outer;
}

static void check_components(Match *m, Mod *have, Mod *want)
{
	if (have->kind != want->kind)
		return;                 // one that failed earlier
	for MAP_EACH(e, want->env->types)
		check_typedef(m, have->env, e->val);
	for MAP_EACH(e, want->env->values)
		check_component(m, e->val);
}

void match_mod(Match *m, Mod *have, Mod *want, TypeDefs abstract)
{
	Map set = {0};
	for EACH(TypeDef *, d, abstract)
		map_put(&set, *d, *d);
	m->as.span = m->span;
	find_components(m, have, want, &set);
	if (want->kind == MOD_ENV)
		check_components(m, have, want);
}

// (p : S) -> T from an implementing functor: the functor applied to p, seen through T.
Mod *fit_functor(Match *m, Mod *have, Mod *want)
{
	if (have->kind != MOD_FUNCTOR)
		return poison_mod();
	Renaming r = {.span = m->span, .remake = remake_spec, .types = map_copy(&m->as.types),
	              .values = map_copy(&m->as.values), .sizes = map_copy(&m->as.sizes)};
	Mod *specified = rename_mod(&r, want);
	FunctorInst *inst;
	Mod *result = apply_functor(m->span, have, specified->param, &inst);
	Sig sig = {.mod = specified->result, .abstract = specified->generative};
	Mod *out = mem_dup(specified, sizeof *specified);
	out->body = have->body;
	out->spec = NULL;
	int before = newest_id(m->span);
	out->first_id = before;
	out->result = ascribe(m->span, result, &sig);
	out->generative = abstract_types_in(out->result, before);
	out->last_id = newest_id(m->span);
	out->renamed_from = NULL;
	return out;
}

// ---- The module seen through a module type ----

static Binding *remake_seen(Renaming *r, Binding *b, bool *complete)
{
	Match *m = r->ctx;
	Binding *have = map_get(&m->as.values, b);
	if (have->poisoned) {
		*complete = true;
		return have;
	}
	bool is_module = b->kind == BIND_MODULE;
	Binding *to = binding_new(is_module ? BIND_MODULE : BIND_COPY, b->name, have->span);
	to->of = have;
	to->doc = b->doc ? b->doc : have->doc;
	if (is_module) {
		to->mod = map_get(&m->functors, b);
		*complete = to->mod != NULL;
		return to;
	}
	to->of_inst = map_get(&m->insts, b);
	return to;
}

// A type of its own in place of the one that implements an abstract type.  Its sizes are found from
// its values.
static TypeDef *opaque_type(Span span, TypeDef *spec, TypeDef *impl)
{
	TypeDef *d = typedef_new(TD_ABSTRACT, spec->name, spec->span);
	d->full_name = spec->full_name;
	d->lifting = spec->lifting;
	d->params = spec->params;
	d->doc = spec->doc ? spec->doc : impl->doc;
	d->repr = typedef_applied(impl, spec->params, &d->exts);
	for EACH(TypeParam, p, spec->params)
		if (p->kind == TP_SIZE && !is_constructive(d->repr, p->binding))
			fail(span, NULL,
			     "Type %s cannot be made abstract: size parameter [%s] is not used "
			     "constructively as an array size in\n  %s", spec->name, p->name,
			     show_ty(d->repr));
	return d;
}

Mod *ascribe(Span span, Mod *have, Sig *sig)
{
	if (sig->mod->kind == MOD_ENV && sig->mod->env->poisoned)
		return sig->mod;
	Match m = {.span = span};
	match_mod(&m, have, sig->mod, sig->abstract);
	if (sig->mod->kind == MOD_FUNCTOR)
		return fit_functor(&m, have, sig->mod);
	Renaming seen = {.span = span, .remake = remake_seen, .ctx = &m, .sizes = m.as.sizes};
	for EACH(TypeDef *, d, sig->abstract) {
		TypeDef *impl = map_get(&m.as.types, *d);
		if (impl)
			map_put(&seen.types, *d, opaque_type(span, *d, impl));
	}
	return rename_mod(&seen, sig->mod);
}
