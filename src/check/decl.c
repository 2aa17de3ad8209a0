// Declarations, checked in order.
//
// Each declaration is checked under its own guard.  If it fails, its names are bound to stand-ins
// that agree with everything, so that the declarations after it are still checked and only their
// own errors are reported.
#include "check/modules.h"

// ---- Values ----

static bool is_entry_name(const Scope *s, Name name)
{
	if (!s->program || !s->file || s->file != s->program->root)
		return false;
	for EACH(Name, n, s->program->options.extra_entries)
		if (*n == name)
			return true;
	return strcmp(name, "main") == 0;
}

void check_val_phases(Scope *s, ValDecl *v)
{
	infer_val(s, v);
	size_val(v);
	match_val(v);
	consume_val(v);
}

static void check_val(Scope *s, Decl *d, bool top_level)
{
	ValDecl *v = &d->val;
	if (is_logic_operator(v->name))
		fail(v->name_span, "may-not-be-redefined", "The %s operator may not be redefined.",
		     v->name);
	scope_claim(s, NS_VALUE, v->name, v->name_span);
	if (v->keyword == VAL_ENTRY && !top_level)
		fail(v->name_span, "nested-entry",
		     "Entry points may not be declared inside modules.");
	v->binding = binding_new(BIND_GLOBAL, v->name, v->name_span);
	v->binding->decl = d;
	v->binding->doc = d->doc;
	if (!s->is_prelude || !declare_lazily(s, d))
		check_val_phases(s, v);
	if (v->keyword == VAL_ENTRY || (top_level && is_entry_name(s, v->name)))
		check_entry(d);
	scope_add_value(s, v->binding, !d->local);
}

// ---- Types and modules ----

static void check_type_decl(Scope *s, Decl *d, bool top_level)
{
	scope_claim(s, NS_TYPE, d->type.name, d->type.name_span);
	d->type.def = elab_typedef(s, d->type.name, d->type.name_span, d->type.lifting,
	                           d->type.params, d->type.type);
	d->type.def->doc = d->doc;
	d->type.def->written = top_level ? d->type.type : NULL;
	scope_add_type(s, d->type.def, !d->local);
}

static void check_module_decl(Scope *s, Decl *d)
{
	scope_claim(s, NS_VALUE, d->module.name, d->module.name_span);
	int before = newest_id(d->span);
	Mod *m = check_functor(s, d->module.params.at, d->module.params.len, d->module.sig,
	                       d->module.body);
	TypeDefs made = abstract_types_in(m, before);
	for EACH(TypeDef *, t, made)
		(*t)->full_name = text("%s.%s", d->module.name, (*t)->full_name);
	Binding *b = binding_new(BIND_MODULE, d->module.name, d->module.name_span);
	b->mod = m;
	b->doc = d->doc;
	d->module.binding = b;
	scope_add_value(s, b, !d->local);
}

static void check_module_type_decl(Scope *s, Decl *d)
{
	scope_claim(s, NS_SIG, d->module_type.name, d->module_type.name_span);
	Sig *sig = mem_dup(check_sig(s, d->module_type.sig), sizeof(Sig));
	sig->name = d->module_type.name;
	sig->span = d->module_type.name_span;
	scope_add_sig(s, sig, !d->local);
}

static void check_open(Scope *s, ModExpr *me, bool exported)
{
	Mod *m = check_mod(s, me);
	if (m->kind == MOD_FUNCTOR)
		fail(me->span, "module-is-parametric", "Cannot have parametric module here.");
	scope_add_all(s, m->env, exported);
}

static void check_form(Scope *s, Decl *d, bool top_level)
{
	switch (d->kind) {
	case DEC_VAL:
		check_val(s, d, top_level);
		return;
	case DEC_TYPE:
		check_type_decl(s, d, top_level);
		return;
	case DEC_MODULE:
		check_module_decl(s, d);
		return;
	case DEC_MODULE_TYPE:
		check_module_type_decl(s, d);
		return;
	case DEC_OPEN:
		check_open(s, d->open, !d->local);
		return;
	case DEC_IMPORT:
		check_open(s, d->import, false);
		return;
	}
	bug("kind of declaration");
}

// ---- After an error ----

// A first definition stays when a second one of the name is the error.
static void poison_names(Scope *s, Decl *d)
{
	switch (d->kind) {
	case DEC_VAL:
		if (!map_has(&s->env->values, d->val.name))
			scope_add_value(s, poison_value(d->val.name, d->val.name_span), !d->local);
		return;
	case DEC_TYPE:
		if (!map_has(&s->env->types, d->type.name))
			scope_add_type(s, poison_type(d->type.name, d->type.name_span), !d->local);
		return;
	case DEC_MODULE:
		if (!map_has(&s->env->values, d->module.name)) {
			Binding *b = binding_new(BIND_MODULE, d->module.name, d->module.name_span);
			b->mod = poison_mod();
			b->poisoned = true;
			scope_add_value(s, b, !d->local);
		}
		return;
	case DEC_MODULE_TYPE:
		if (!map_has(&s->env->sigs, d->module_type.name))
			scope_add_sig(s, NEW(Sig, .name = d->module_type.name,
			                     .span = d->module_type.name_span, .mod = poison_mod()),
			              !d->local);
		return;
	case DEC_OPEN: case DEC_IMPORT:
		scope_add_all(s, poison_mod()->env, !d->local);
		return;
	}
	bug("kind of declaration");
}

void check_decl(Scope *s, Decl *d, bool top_level)
{
	int mark = scope_mark(s), depth = scope_depth(s), before = diags.len;
	Guard g;
	if (GUARDED(g)) {
		check_form(s, d, top_level);
		guard_pop(&g);
	} else {
		scope_reset(s, mark, depth);
		poison_names(s, d);
	}
	if (d->broken)
		diags.len = before;     // most likely consequences of its syntax errors
}

void check_decls(Scope *s, Decls decls)
{
	for EACH(Decl *, d, decls)
		check_decl(s, *d, false);
}
