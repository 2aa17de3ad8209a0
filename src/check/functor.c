// Functors: parametric modules.
//
//     module f (p: S) : T = body         f : (p : S) -> T
//
// The body is checked once, against a parameter of which nothing but S is known.  An
// application matches its argument with S and renames the result: the parameter's abstract
// types become the argument's types, abstract types made inside the body are made anew, and
// each value becomes a BIND_COPY of the one in the body, to be read under this application's
// FunctorInst.  The body itself is never copied.
#include "check/modules.h"

// ---- Abstract types that an application makes anew ----

typedef struct {
	int after;              // those with greater ids
	Map seen;               // TypeDef * -> itself: collected, or bound inside
	VEC(TypeDef *) found;
} Collect;

static void collect_mod(Collect *c, const Mod *m);
static void collect_type(Collect *c, Ty *t);

static void collect_def(Collect *c, TypeDef *d)
{
	if (d->kind != TD_ABSTRACT || d->id <= c->after || map_has(&c->seen, d))
		return;
	map_put(&c->seen, d, d);
	VEC_PUSH(&c->found, d);
	if (d->repr)
		collect_type(c, d->repr);
}

static bool collect_part(Ty *type, void *c)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_ABS)
		collect_def(c, t->abs.def);
	return ty_any_part(t, collect_part, c);
}

static void collect_type(Collect *c, Ty *t)
{
	collect_part(t, c);
}

static void skip_bound(Collect *c, TypeDefs bound)
{
	for EACH(TypeDef *, d, bound)
		map_put(&c->seen, *d, *d);
}

static void collect_env(Collect *c, const Env *env)
{
	for MAP_EACH(e, env->sigs) {
		const Sig *sig = e->val;
		skip_bound(c, sig->abstract);
		collect_mod(c, sig->mod);
	}
	for MAP_EACH(e, env->types) {
		TypeDef *d = e->val;
		collect_def(c, d);
		if (d->body)
			collect_type(c, d->body);
	}
	for MAP_EACH(e, env->values) {
		const Binding *b = e->val;
		if (b->kind == BIND_MODULE)
			collect_mod(c, b->mod);
		else if (b->scheme.type)
			collect_type(c, b->scheme.type);
	}
}

static void collect_mod(Collect *c, const Mod *m)
{
	if (m->kind == MOD_ENV) {
		collect_env(c, m->env);
		return;
	}
	skip_bound(c, m->abstract);
	skip_bound(c, m->generative);
	collect_mod(c, m->param);
	collect_mod(c, m->result);
}

TypeDefs abstract_types_in(const Mod *m, int after)
{
	Collect c = {.after = after};
	collect_mod(&c, m);
	return VEC_SLICE(TypeDefs, c.found);
}

// ---- Definitions ----

// A module of the type, by the name of the parameter, and the scope that sees it.
static Mod *bind_param(Scope *outer, Name name, Span span, SigExpr *se, TypeDefs *abstract,
                       Scope **inner)
{
	Sig *sig = sig_instance(check_sig(outer, se), se->span);
	Env *env = NEW(Env, .name = NULL);
	*inner = scope_inside(outer, env, NULL);
	*abstract = sig->abstract;
	if (!name)
		return sig->mod;
	Binding *b = binding_new(BIND_MODULE, name, span);
	b->mod = sig->mod;
	if (sig->mod->kind == MOD_FUNCTOR)
		sig->mod->spec = b;
	for EACH(TypeDef *, d, sig->abstract)
		(*d)->full_name = text("%s.%s", name, (*d)->full_name);
	scope_add_value(*inner, b, true);
	return sig->mod;
}

int newest_id(Span span)
{
	return binding_new(BIND_LOCAL, name_of("_"), span)->id;
}

// What renaming has made for a functor is inside it if what it was made for is.
bool is_inside(const Mod *functor, const Binding *b)
{
	for (const Mod *f = functor; b; f = f->renamed_from, b = b->made_for) {
		if (b->id < f->first_id || b->id > f->last_id)
			return false;
		if (!f->renamed_from)
			return true;
	}
	return false;
}

Mod *check_functor(Scope *scope, ModParam *params, int n, SigExpr *result, ModExpr *body)
{
	if (n == 0) {
		Mod *m = check_mod(scope, body);
		return result ? ascribe(body->span, m, check_sig(scope, result)) : m;
	}
	Mod *f = NEW(Mod, .kind = MOD_FUNCTOR, .param_name = params->name, .body = body);
	f->first_id = newest_id(params->span);
	Scope *inner;
	f->param = bind_param(scope, params->name, params->span, params->sig, &f->abstract, &inner);
	params->mod = f->param;
	int before = newest_id(params->span);
	f->result = check_functor(inner, params + 1, n - 1, result, body);
	f->generative = abstract_types_in(f->result, before);
	f->last_id = newest_id(body->span);
	return f;
}

// (p : S) -> T as a module type
Mod *functor_type(Scope *scope, SigExpr *se)
{
	Mod *f = NEW(Mod, .kind = MOD_FUNCTOR, .param_name = se->arrow.param);
	f->first_id = newest_id(se->span);
	Scope *inner;
	f->param = bind_param(scope, se->arrow.param, se->arrow.param_span, se->arrow.from,
	                      &f->abstract, &inner);
	Sig *to = sig_instance(check_sig(inner, se->arrow.to), se->arrow.to->span);
	f->result = to->mod;
	f->generative = to->abstract;
	f->last_id = newest_id(se->span);
	return f;
}

// ---- Applications ----

static void put_spec(FunctorInst *inst, Binding *spec, Binding *to)
{
	for (; spec; spec = spec->of)
		map_put(&inst->values, spec, to);
}

// The results of a functor in the parameter, as those of the argument's functor.
static void put_results(FunctorInst *inst, const Mod *want, const Mod *have)
{
	if (want->kind != MOD_ENV || have->kind != MOD_ENV)
		return;
	for MAP_EACH(e, want->env->types) {
		TypeDef *spec = e->val, *to = map_get(&have->env->types, e->key);
		if (to && spec->kind == TD_ABSTRACT && !spec->repr)
			map_put(&inst->types, spec, to);
	}
	for MAP_EACH(e, want->env->values) {
		Binding *spec = e->val, *to = map_get(&have->env->values, e->key);
		if (!to)
			continue;
		put_spec(inst, spec, to);
		if (spec->kind == BIND_MODULE && to->kind == BIND_MODULE)
			put_results(inst, spec->mod, to->mod);
	}
}

static void put_values(FunctorInst *inst, Match *m, const Env *param)
{
	for MAP_EACH(e, param->values) {
		Binding *spec = e->val, *have = map_get(&m->as.values, spec);
		Inst *poly = map_get(&m->insts, spec);
		if (poly) {
			Binding *copy = binding_new(BIND_COPY, spec->name, have->span);
			copy->of = have;
			copy->of_inst = poly;
			copy->scheme = rename_scheme(&m->as, spec->name, &spec->scheme);
			have = copy;
		}
		put_spec(inst, spec, have);
		if (spec->kind != BIND_MODULE || have->poisoned)
			continue;
		Mod *functor = map_get(&m->functors, spec);
		if (functor && functor->kind == MOD_FUNCTOR)
			put_results(inst, spec->mod->result, functor->result);
		else if (spec->mod->kind == MOD_ENV)
			put_values(inst, m, spec->mod->env);
	}
}

// What the whole parameter is when it is a functor itself.
static void put_functor(FunctorInst *inst, Match *m, Mod *param, Mod *arg)
{
	Mod *fitted = fit_functor(m, arg, param);
	if (fitted->kind == MOD_FUNCTOR)
		put_results(inst, param->result, fitted->result);
	if (!param->spec)
		return;
	Binding *b = binding_new(BIND_MODULE, param->spec->name, m->span);
	b->mod = fitted;
	put_spec(inst, param->spec, b);
	map_put(&m->as.values, param->spec, b);
}

typedef struct { Mod *functor; FunctorInst *inst; } Application;

static Binding *remake_instance(Renaming *r, Binding *b, bool *complete)
{
	Application *app = r->ctx;
	if (!is_inside(app->functor, b) || b->poisoned) {
		*complete = true;
		return b;
	}
	int kind = b->kind == BIND_MODULE ? BIND_MODULE : BIND_COPY;
	Binding *to = binding_new(kind, b->name, b->span);
	to->of = b;
	to->doc = b->doc;
	to->inst = app->inst;
	return to;
}

static TypeDef *generated_type(Renaming *r, TypeDef *old, FunctorInst *by)
{
	TypeDef *d = mem_dup(old, sizeof *old);
	d->made_from = old;
	d->made_by = by;
	d->full_name = d->name;
	d->id = typedef_new(TD_ABSTRACT, old->name, old->span)->id;
	map_put(&r->types, old, d);
	return d;
}

Mod *apply_functor(Span span, Mod *functor, Mod *arg, FunctorInst **out)
{
	Match m = {.span = span};
	match_mod(&m, arg, functor->param, functor->abstract);
	FunctorInst *inst = NEW(FunctorInst, .functor = functor, .arg = arg, .span = span);
	*out = inst;
	if (functor->param->kind == MOD_FUNCTOR)
		put_functor(inst, &m, functor->param, arg);
	else
		put_values(inst, &m, functor->param->env);
	inst->sizes = map_copy(&m.as.sizes);
	Application app = {functor, inst};
	Renaming r = {.span = span, .remake = remake_instance, .ctx = &app, .sizes = m.as.sizes,
	              .functor = functor, .values = m.as.values, .types = m.as.types};
	for EACH(TypeDef *, d, functor->abstract)
		map_put(&inst->types, *d, map_get(&m.as.types, *d));
	int n = functor->generative.len;
	TypeDef **made = NEW_ARRAY(TypeDef *, n);
	for (int i = 0; i < n; i++)
		made[i] = generated_type(&r, functor->generative.at[i], inst);
	Mod *result = rename_mod(&r, functor->result);
	// Only now all values the hidden types may mention have their new names.
	for (int i = 0; i < n; i++)
		if (made[i]->repr)
			made[i]->repr = rename_ty(&r, made[i]->repr, &made[i]->exts,
			                          &made[i]->exts);
	rename_end(&r);
	return result;
}
