// The commands of the REPL that show what names stand for: types, documentation, modules.
#include "cli/complete.h"
#include "cli/repl.h"

#include <ctype.h>

// The value a name stands for, or NULL; volatile since it is set after setjmp.
static Binding *look_up(Repl *r, const QualName *name, Names *rest)
{
	Binding *volatile found = NULL;
	Guard g;
	if (GUARDED(g)) {
		found = find_value(r->program->scope, *name, rest);
		guard_pop(&g);
	}
	diag_reset();
	return found;
}

// The variable an expression consists of, or NULL.
static Binding *plain_variable(Repl *r, const Expr *e)
{
	while (e->kind == EX_PAREN)
		e = e->inner;
	if (e->kind != EX_VAR)
		return NULL;
	Names rest = {0};
	Binding *b = look_up(r, &e->var.name, &rest);
	return b && rest.len == 0 && b->kind != BIND_MODULE && b->scheme.type ? b : NULL;
}

static const char *lifting_mark(Lifting l)
{
	return l == LIFT_FULL ? "^" : l == LIFT_SIZE ? "~" : "";
}

static void print_params(const Scheme *s)
{
	for EACH(Binding *, b, s->sizes)
		printf(" [%s]", (*b)->name);
	for EACH(TypeDef *, t, s->types)
		printf(" '%s%s", lifting_mark((*t)->lifting), (*t)->name);
}

static void print_scheme(const Scheme *s)
{
	puts(show_ty(s->type));
	if (!s->types.len && !s->sizes.len)
		return;
	printf("Polymorphic in");
	print_params(s);
	puts(".");
}

void repl_show_type(Repl *r, const char *arg)
{
	Source *source = repl_source(r, arg);
	Expr *e = source ? parse_expr_only(source) : NULL;
	if (!e || diag_count(D_ERROR)) {
		repl_print_diags();
		return;
	}
	const Binding *b = plain_variable(r, e);
	if (b)
		print_scheme(&b->scheme);
	else if (repl_check(r, e))
		puts(show_ty(e->type));
}

bool repl_print_doc(Repl *r, const char *arg)
{
	Source *source = repl_source(r, arg);
	Expr *e = source ? parse_expr_only(source) : NULL;
	const Binding *b = e && !diag_count(D_ERROR) ? plain_variable(r, e) : NULL;
	diag_reset();
	if (!b)
		return false;
	printf("%s", arg);
	print_params(&b->scheme);
	printf(" : %s\n", show_ty(b->scheme.type));
	const char *doc = binding_doc(b);
	puts(doc ? doc : "(no documentation comment)");
	return true;
}

void repl_show_doc(Repl *r, const char *arg)
{
	if (!repl_print_doc(r, arg))
		printf("%s is not the name of a value.\n", *arg ? arg : "\"\"");
}

static void print_type(const char *name, const TypeDef *d, int indent)
{
	static const char *const mark[] = {NULL, "'", "'~", "'^"}; // ORDER TypeParamKind
	printf("%*stype%s %s", indent, "", lifting_mark(d->lifting), name);
	for EACH(TypeParam, p, d->params)
		if (p->kind == TP_SIZE)
			printf(" [%s]", p->name);
		else
			printf(" %s%s", mark[p->kind], p->name);
	if (d->body) {
		printf(" = %s", d->exts.len ? "?" : "");
		for EACH(Binding *, b, d->exts)
			printf("[%s]", (*b)->name);
		printf("%s%s", d->exts.len ? "." : "", show_ty(d->body));
	}
	putchar('\n');
}

static void print_module(const Mod *m, int indent)
{
	if (m->kind == MOD_FUNCTOR) {
		printf("(%s : ", m->param_name ? m->param_name : "_");
		print_module(m->param, indent);
		printf(") -> ");
		print_module(m->result, indent);
		return;
	}
	puts("{");
	for MAP_EACH(t, m->env->types)
		print_type(t->key, t->val, indent + 2);
	for MAP_EACH(v, m->env->values) {
		const Binding *b = v->val;
		if (b->kind == BIND_MODULE) {
			printf("%*smodule %s : ", indent + 2, "", b->name);
			print_module(b->mod, indent + 2);
			putchar('\n');
		} else if (b->scheme.type) {
			bool op = b->name[0] != '_' && !isalpha((unsigned char)b->name[0]);
			const char *shown = text(op ? "(%s)" : "%s", b->name);
			printf("%*sval %s", indent + 2, "", shown);
			print_params(&b->scheme);
			printf(" : %s\n", show_ty(b->scheme.type));
		}
	}
	printf("%*s}", indent, "");
}

void repl_show_module(Repl *r, const char *arg)
{
	Source *source = repl_source(r, arg);
	ModExpr *m = source ? parse_modexpr_only(source) : NULL;
	Guard g;
	if (m && !diag_count(D_ERROR) && GUARDED(g)) {
		const Mod *mod = check_mod(r->program->scope, m);
		guard_pop(&g);
		if (!diag_count(D_ERROR)) {
			print_module(mod, 0);
			putchar('\n');
		}
	}
	repl_print_diags();
}
