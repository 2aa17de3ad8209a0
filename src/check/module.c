// Module expressions.
//
// A module is represented by what it exports: an Env for `{ ... }`, an import or an application, a
// functor for a lambda.  Inside `{ ... }` a second Env holds all names that are visible, including
// `local` ones, on top of the names of the enclosing scope.
#include "check/modules.h"

static Mod *check_body(Scope *scope, Decls decls)
{
	Env *visible = NEW(Env, .name = NULL), *exports = NEW(Env, .name = NULL);
	check_decls(scope_inside(scope, visible, exports), decls);
	return NEW(Mod, .kind = MOD_ENV, .env = exports);
}

static Mod *check_apply(Scope *scope, ModExpr *me)
{
	Mod *fn = check_mod(scope, me->apply.fn), *arg = check_mod(scope, me->apply.arg);
	if (fn->kind == MOD_ENV && fn->env->poisoned)
		return fn;
	if (fn->kind != MOD_FUNCTOR)
		fail(me->apply.fn->span, NULL, "Cannot apply non-parametric module.");
	return apply_functor(me->apply.arg->span, fn, arg, &me->apply.inst);
}

static Mod *check_import(Scope *scope, ModExpr *me)
{
	File *file = find_import(scope->program, scope->file ? scope->file->path : NULL,
	                         me->import.path, me->import.path_span);
	me->import.file = file;
	return file->mod ? file->mod : poison_mod();
}

static Mod *check_form(Scope *scope, ModExpr *me)
{
	switch (me->kind) {
	case ME_NAME:
		return me->name.found = find_module_to_name(scope, me->name.name);
	case ME_PAREN:
		return check_mod(scope, me->inner);
	case ME_BODY:
		return check_body(scope, me->body);
	case ME_IMPORT:
		return check_import(scope, me);
	case ME_ASCRIBE: {
		Mod *m = check_mod(scope, me->ascribe.of);
		return ascribe(me->span, m, check_sig(scope, me->ascribe.sig));
	}
	case ME_APPLY:
		return check_apply(scope, me);
	case ME_LAMBDA:
		return check_functor(scope, &me->lambda.param, 1, me->lambda.sig, me->lambda.body);
	}
	bug("kind of module expression");
}

Mod *check_mod(Scope *scope, ModExpr *me)
{
	return me->mod = check_form(scope, me);
}
