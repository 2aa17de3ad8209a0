// The prelude's declarations, checked when they are needed.
//
//     def sum [n] (xs: [n]t) : t = ...
//
// Where every parameter is a name or _ with a type and the result has one too, the annotations are
// the scheme; nothing about the body is needed to check uses.  The body is checked when
// lowering comes to it, in the scope as it was at the declaration: names declared later in the
// same module have greater ids and are passed over.
#include "check/modules.h"
#include "check/size.h"

static const Pat *without_parens(const Pat *p)
{
	while (p->kind == PAT_PAREN)
		p = p->inner;
	return p;
}

// The name and type of a parameter (x: t).
static bool is_annotated(const Pat *p, const Pat **name, TypeExpr **type)
{
	p = without_parens(p);
	if (p->kind != PAT_ASCRIBE)
		return false;
	*name = without_parens(p->ascribe.pat);
	*type = p->ascribe.type;
	return (*name)->kind == PAT_NAME || (*name)->kind == PAT_WILD;
}

static bool all_annotated(const ValDecl *v)
{
	const Pat *name;
	TypeExpr *type;
	for EACH(Pat *, p, v->pats)
		if (!is_annotated(*p, &name, &type))
			return false;
	return v->ret != NULL;
}

typedef struct { Scope *scope; const ValDecl *decl; bool hidden; } Declared;

// The type of the function from parameter `i` on.
static Ty *declared_type(Declared *d, int i, Bindings *exts)
{
	bool left;
	if (i == d->decl->pats.len) {
		Ty *t = elab_closed(d->scope, d->decl->ret, exts, &left);
		d->hidden |= left;
		return t;
	}
	const Pat *name;
	TypeExpr *type;
	if (!is_annotated(d->decl->pats.at[i], &name, &type))
		bug("parameter without a type");
	Bindings above = {0}, below = {0};
	Ty *from = elab_closed(d->scope, type, &above, &left);
	d->hidden |= left || above.len;
	Binding *param = NULL;
	if (name->kind == PAT_NAME) {
		param = binding_new(BIND_LOCAL, name->var.name, name->span);
		param->scheme.type = from;
		param->used = true;
		scope_bind(d->scope, param);
	}
	Ty *to = declared_type(d, i + 1, &below);
	bool named = param && sizes_mention(to, param);
	return ty_arrow(named ? param : NULL, from, below, to);
}

bool declare_lazily(Scope *s, Decl *decl)
{
	ValDecl *v = &decl->val;
	if (!all_annotated(v))
		return false;
	Declared d = {.scope = s, .decl = v};
	Bindings exts = {0};
	int mark = scope_mark(s);
	elab_type_params(s, v->params);
	Ty *type = declared_type(&d, 0, &exts);
	scope_leave(s, mark, decl->span.hi);
	if (d.hidden || exts.len)
		return false;
	v->binding->scheme = scheme_of_params(v->params, type);
	v->binding->pending = s;
	program_pending(s->program, v->binding);
	return true;
}

void force_binding(Binding *b)
{
	Scope *s = b->pending;
	if (!s)
		return;
	const char *pass = current_pass;
	int before = diags.len, errors = diag_count(D_ERROR);
	Scheme declared = b->scheme;
	Scope then = {.env = s->env, .program = s->program, .file = s->file, .is_prelude = true,
	              .newest = b->id};
	Guard g;
	b->pending = NULL;
	if (GUARDED(g)) {
		check_val_phases(&then, &b->decl->val);
		guard_pop(&g);
	}
	if (diag_count(D_ERROR) != errors)
		bug("the declaration of \"%s\" in the prelude does not check", b->name);
	diags.len = before;             // warnings
	current_pass = pass;
	if (b->scheme.types.len != declared.types.len || b->scheme.sizes.len != declared.sizes.len)
		bug("the type of \"%s\" in the prelude is not the declared one: %s, declared %s",
		    b->name, show_scheme(&b->scheme), show_scheme(&declared));
}
