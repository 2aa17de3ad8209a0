// Renaming: a module type or the result of a functor with its types and values replaced.
//
//     { type t  val n : i64  val xs : [n]t }    t to m.u, n to m.k:    [m.k]m.u
//
// A type definition may take the place of an abstract type even when it has hidden sizes.
// These come into being where the abstract type stood: of the arrow's result right of an arrow,
// as a further size parameter left of one.  At the top of a value's type there is no such place
// and the renaming fails.
//
// Binders are shared between a type and its renamed version: the parameters of a scheme, the
// names and existential sizes of arrows.  They are only ever replaced, never compared.
#include "check/modules.h"

Map map_copy(const Map *m)
{
	Map out = {0};
	for MAP_EACH(e, *m)
		map_put(&out, e->key, e->val);
	return out;
}

// ---- Sizes ----

static bool is_module_level(const Binding *b)
{
	return b->kind == BIND_GLOBAL || b->kind == BIND_COPY || b->kind == BIND_SPEC ||
	       b->kind == BIND_UNKNOWN;
}

static void note_made(Renaming *r, Binding *b, Binding *to)
{
	map_put(&r->values, b, to);
	if (to != b && !to->made_for)
		to->made_for = b;
}

// Sizes can mention values that are no components, as they are local to the functor's body.
static Binding *renamed(Renaming *r, Binding *b)
{
	Binding *to = map_get(&r->values, b);
	if (to || !is_module_level(b) || !r->functor || !is_inside(r->functor, b))
		return to ? to : b;
	bool complete = b->kind == BIND_UNKNOWN;
	// An unknown size of a constant is one of each copy of the constant.
	to = complete ? binding_new(BIND_UNKNOWN, b->name, b->span) : r->remake(r, b, &complete);
	note_made(r, b, to);
	if (!complete)
		to->scheme = rename_scheme(r, b->name, &b->scheme);
	return to;
}

// An operation on sizes whose function is renamed: the typed expression it comes from is made
// anew around the other function.
static Expr *rename_head(Renaming *r, Expr *e)
{
	if (e->kind == EX_PAREN)
		return rename_head(r, e->inner);
	if (e->kind == EX_BINOP && e->binop.binding) {
		Binding *to = renamed(r, e->binop.binding);
		if (to == e->binop.binding)
			return e;
		Expr *copy = mem_dup(e, sizeof *e);
		copy->binop.binding = to;
		return copy;
	}
	if (e->kind == EX_VAR && e->var.binding) {
		Binding *to = renamed(r, e->var.binding);
		if (to == e->var.binding)
			return e;
		Expr *copy = mem_dup(e, sizeof *e);
		copy->var.binding = to;
		return copy;
	}
	if (e->kind == EX_APPLY) {
		Expr *fn = rename_head(r, e->apply.fn);
		if (fn == e->apply.fn)
			return e;
		Expr *copy = mem_dup(e, sizeof *e);
		copy->apply.fn = fn;
		return copy;
	}
	return e;
}

// exts: of the result at hand, lefts: of what is left of an arrow.
typedef struct { TyMap map; Renaming *r; Bindings *exts, *lefts; } Rename;

static Size *rename_size(TyMap *m, Size *s)
{
	Renaming *r = ((Rename *)m)->r;
	switch (s->kind) {
	case SZ_CONST: case SZ_META: case SZ_ANON:
		return s;
	case SZ_VAR: {
		Size *fixed = map_get(&r->sizes, s->var);
		if (fixed)
			return fixed;
		Binding *to = renamed(r, s->var);
		return to == s->var ? s : NEW(Size, .kind = SZ_VAR, .span = s->span, .var = to);
	}
	case SZ_NODE: {
		Sizes kids = map_sizes(m, s->node.kids);
		Expr *origin = rename_head(r, s->node.origin);
		if (kids.at == s->node.kids.at && origin == s->node.origin)
			return s;
		return NEW(Size, .kind = SZ_NODE, .span = s->span, .node = {origin, kids});
	}
	}
	bug("kind of size");
}

// ---- Types ----

static Ty *rename_arrow(TyMap *m, Ty *t)
{
	const Rename *n = (Rename *)m;
	Bindings exts = {0};
	Ty *from = rename_ty(n->r, t->arrow.from, n->lefts, n->lefts);
	Ty *to = rename_ty(n->r, t->arrow.to, &exts, n->lefts);
	if (from == t->arrow.from && to == t->arrow.to)
		return t;
	Bindings all = t->arrow.exts;
	if (exts.len) {
		all = SLICE_DUP(Bindings, t->arrow.exts);
		for EACH(Binding *, b, exts)
			bindings_push(&all, *b);
	}
	return NEW(Ty, .kind = TY_ARROW, .unique = t->unique,
	           .arrow = {t->arrow.param, from, all, to});
}

static Ty *rename_abs(TyMap *m, Ty *t)
{
	const Rename *n = (Rename *)m;
	TypeDef *def = map_get(&n->r->types, t->abs.def);
	if (!def)
		return map_abs(m, t);
	Tys types = map_tys(m, t->abs.types);
	Sizes sizes = map_sizes(m, t->abs.sizes);
	if (def->kind == TD_ABSTRACT)
		return NEW(Ty, .kind = TY_ABS, .unique = t->unique, .abs = {def, types, sizes});
	if (def->body == ty_error)
		return ty_error;
	Ty *body = ty_expand(def, types, sizes, n->exts);
	return t->unique ? ty_unique(body) : body;
}

Ty *rename_ty(Renaming *r, Ty *t, Bindings *exts, Bindings *lefts)
{
	Rename n = {{.size = rename_size, .arrow = rename_arrow, .abs = rename_abs,
	             .unmarked = true}, r, exts, lefts};
	return map_ty(&n.map, t);
}

Scheme rename_scheme(Renaming *r, Name name, const Scheme *s)
{
	Bindings exts = {0}, lefts = {0};
	Scheme out = *s;
	out.type = rename_ty(r, s->type, &exts, &lefts);
	if (exts.len)
		fail(r->span, NULL, "Type substitution in \"%s\" results in a top-level size.\n"
		     "Hint: make it a function: \"val %s : () -> ...\", \"def %s () = ...\".",
		     name, name, name);
	if (lefts.len) {
		out.sizes = SLICE_DUP(Bindings, s->sizes);
		for EACH(Binding *, b, lefts)
			bindings_push(&out.sizes, *b);
	}
	return out;
}

Ty *typedef_applied(TypeDef *def, TypeParams as, Bindings *exts)
{
	Tys types = {NEW_ARRAY(Ty *, as.len), 0};
	Sizes sizes = {NEW_ARRAY(Size *, as.len), 0};
	for EACH(TypeParam, p, as) {
		if (p->kind == TP_SIZE)
			sizes.at[sizes.len++] = size_var(p->binding);
		else
			types.at[types.len++] = ty_param(p->def);
	}
	switch (def->kind) {
	case TD_PARAM:
		return ty_param(def);
	case TD_PRIM:
		return def->body;
	case TD_ABSTRACT:
		return ty_abs(def, types, sizes);
	case TD_ABBREV:
		return ty_expand(def, types, sizes, exts);
	}
	bug("kind of type definition");
}

// ---- Modules ----

// A module is renamed in two steps, since types may mention values and values of submodules
// that come later in the table: first every component gets its new identity, then types are
// filled in.
static Env *declare_env(Renaming *r, Env *old);
static void fill_env(Renaming *r, Env *old, Env *new);

static void declare_type(Renaming *r, Env *new, TypeDef *d)
{
	TypeDef *to = map_get(&r->types, d);
	if (!to && d->kind == TD_ABBREV) {
		to = mem_dup(d, sizeof *d);
		map_put(&r->types, d, to);
	}
	map_put(&new->types, d->name, to ? to : d);
}

// The abstract types of a functor's parameter stay the same, as they are what its body is
// about; those of its result may hide something that is renamed.
static void declare_generative(Renaming *r, const Mod *old, Mod *new)
{
	new->generative.at = NEW_ARRAY(TypeDef *, old->generative.len);
	for (int i = 0; i < old->generative.len; i++) {
		TypeDef *d = old->generative.at[i];
		TypeDef *to = mem_dup(d, sizeof *d);
		to->id = typedef_new(TD_ABSTRACT, d->name, d->span)->id;
		map_put(&r->types, d, to);
		new->generative.at[i] = to;
	}
}

static Mod *declare_mod(Renaming *r, Mod *old)
{
	Mod *new = mem_dup(old, sizeof *old);
	if (old->kind == MOD_ENV) {
		new->env = declare_env(r, old->env);
	} else {
		Remake *remake = r->remake;
		r->remake = remake_spec;
		new->param = declare_mod(r, old->param);
		r->remake = remake;
		declare_generative(r, old, new);
		new->result = declare_mod(r, old->result);
		new->renamed_from = old;
		VEC_PUSH(&r->functors, new);
	}
	return new;
}

static Binding *declare_value(Renaming *r, Binding *b)
{
	Binding *known = map_get(&r->values, b);
	if (known)
		return known;
	bool complete = false;
	Binding *to = r->remake(r, b, &complete);
	note_made(r, b, to);
	if (complete)
		return to;
	map_put(&r->fresh, to, b);
	if (b->kind == BIND_MODULE) {
		to->mod = declare_mod(r, b->mod);
		if (to->mod->kind == MOD_FUNCTOR && b->mod->spec)
			to->mod->spec = to;
	}
	return to;
}

static Env *declare_env(Renaming *r, Env *old)
{
	Env *new = NEW(Env, .name = old->name, .poisoned = old->poisoned);
	for MAP_EACH(e, old->types)
		declare_type(r, new, e->val);
	for MAP_EACH(e, old->values)
		map_put(&new->values, e->key, declare_value(r, e->val));
	return new;
}

static void fill_type(Renaming *r, TypeDef *old, TypeDef *new)
{
	if (new == old || new->kind != TD_ABBREV || old->kind != TD_ABBREV)
		return;
	Bindings exts = {0};
	new->body = rename_ty(r, old->body, &exts, &exts);
	if (exts.len) {
		new->exts = SLICE_DUP(Bindings, old->exts);
		for EACH(Binding *, b, exts)
			bindings_push(&new->exts, *b);
	}
}

static void fill_mod(Renaming *r, Mod *old, Mod *new)
{
	if (old->kind == MOD_ENV) {
		fill_env(r, old->env, new->env);
		return;
	}
	fill_mod(r, old->param, new->param);
	for EACH(TypeDef *, d, new->generative)
		if ((*d)->repr)
			(*d)->repr = rename_ty(r, (*d)->repr, &(*d)->exts, &(*d)->exts);
	fill_mod(r, old->result, new->result);
}

// The instance that leaves a scheme's own parameters as they are.
static Inst *identity_inst(const Scheme *s)
{
	Inst *inst = inst_of(s);
	for (int i = 0; i < s->types.len; i++)
		inst->types.at[i] = ty_param(s->types.at[i]);
	for (int i = 0; i < s->sizes.len; i++)
		inst->sizes.at[i] = size_var(s->sizes.at[i]);
	return inst;
}

static void fill_value(Renaming *r, Binding *old, Binding *new)
{
	if (map_get(&r->fresh, new) != old)
		return;
	if (old->kind == BIND_MODULE) {
		fill_mod(r, old->mod, new->mod);
		return;
	}
	new->scheme = rename_scheme(r, old->name, &old->scheme);
	if (new->kind == BIND_COPY && !new->of_inst &&
	    new->scheme.sizes.len != old->scheme.sizes.len)
		new->of_inst = identity_inst(&old->scheme);
}

static Sig *rename_sig(Renaming *r, Sig *old)
{
	Remake *remake = r->remake;
	r->remake = remake_spec;
	Sig *new = NEW(Sig, .name = old->name, .abstract = old->abstract);
	new->mod = rename_mod(r, old->mod);
	r->remake = remake;
	return new;
}

static void fill_env(Renaming *r, Env *old, Env *new)
{
	for MAP_EACH(e, old->types)
		fill_type(r, e->val, map_get(&new->types, e->key));
	for MAP_EACH(e, old->values)
		fill_value(r, e->val, map_get(&new->values, e->key));
	for MAP_EACH(e, old->sigs)
		map_put(&new->sigs, e->key, rename_sig(r, e->val));
}

void rename_end(Renaming *r)
{
	int last = newest_id(r->span);
	for EACH(Mod *, f, r->functors)
		(*f)->last_id = last;
}

Mod *rename_mod(Renaming *r, Mod *old)
{
	int first = newest_id(r->span), known = r->functors.len;
	Mod *new = declare_mod(r, old);
	for (int i = known; i < r->functors.len; i++)
		r->functors.at[i]->first_id = first;
	fill_mod(r, old, new);
	rename_end(r);
	return new;
}

Binding *remake_spec(Renaming *r, Binding *b, bool *complete)
{
	(void)complete;
	int kind = b->kind == BIND_MODULE ? BIND_MODULE : BIND_SPEC;
	Binding *to = binding_new(kind, b->name, b->span);
	to->of = r->unrelated ? NULL : b;
	to->doc = b->doc;
	to->poisoned = b->poisoned;
	for EACH(Binding *, size, b->open_sizes) {
		Binding *fresh = binding_new(BIND_UNKNOWN, (*size)->name, (*size)->span);
		bindings_push(&to->open_sizes, fresh);
		map_put(&r->sizes, *size, size_var(fresh));
	}
	return to;
}
