// Tests of the checker's interface: programs in memory, one declaration or expression at a
// time, the prelude as a whole, where the scopes of local names end.
#include "check/check.h"
#include "unit.h"

#include <stdlib.h>

static Program *loaded(const char *text, LoadOptions options)
{
	diag_reset();
	return load_text("t.fut", text, strlen(text), options);
}

// Definitions of the prelude are checked when a program needs them; here all are.
static void test_prelude(void)
{
	diag_reset();
	Program *p = load_empty((LoadOptions){0});
	CHECK(!p->failed && diags.len == 0);
	program_force(p);
	CHECK(!p->failed && diags.len == 0);
	diag_print(stdout, false);
	Binding *map = scope_value(p->scope, name_of("map"));
	CHECK(map && !map->pending && map->scheme.types.len == 2 && map->scheme.sizes.len == 1);
}

static void test_programs(void)
{
	CHECK(!loaded("def f (x: i32) = x + 1", (LoadOptions){0})->failed);
	CHECK(diags.len == 0);
	CHECK(loaded("def f (x: i32) : i64 = x", (LoadOptions){0})->failed);
	CHECK(diag_count(D_ERROR) == 1);
	CHECK(!loaded("def f (x: i32) : i64 = x", (LoadOptions){.files_only = true})->failed);
	CHECK(!loaded("def f (x: i32) = 1", (LoadOptions){0})->failed);
	CHECK(diag_count(D_WARNING) > 0);
	CHECK(!loaded("def f (x: i32) = 1", (LoadOptions){.no_warnings = true})->failed);
	CHECK(diags.len == 0);
}

static Expr *typed(Program *p, const char *s)
{
	diag_reset();
	Expr *e = parse_expr_only(source_add("e.fut", s, strlen(s)));
	return e && program_type_expr(p, e) ? e : NULL;
}

// An expression that fails leaves the program as it was.
static void test_expressions(void)
{
	Program *p = loaded("def k = 3i64", (LoadOptions){0});
	const Expr *e = typed(p, "replicate k true");
	CHECK(e && strcmp(show_ty(e->type), "*[k]bool") == 0);
	CHECK(!typed(p, "k + true"));
	CHECK(!typed(p, "let x = 1 in nowhere"));
	e = typed(p, "(k, 2.5f32)");
	CHECK(e && strcmp(show_ty(e->type), "(i64, f32)") == 0);
}

static void test_scopes(void)
{
	const char *s = "def f (a: i32) = (let b = a in b) + a";
	Program *p = loaded(s, (LoadOptions){0});
	Loc start = p->root->source->start;
	const ValDecl *f = &p->root->decls.at[0]->val;
	const Expr *sum = f->body, *let = sum->binop.a->inner;
	CHECK(let->kind == EX_LET);
	CHECK(let->let.pat->var.binding->until == start + (Loc)(strstr(s, "in b") - s) + 4);
	const Pat *a = f->pats.at[0]->inner->ascribe.pat;
	CHECK(a->var.binding->until == start + (Loc)strlen(s));
}

static int run(void *unused)
{
	(void)unused;
	test_prelude();
	test_programs();
	test_expressions();
	test_scopes();
	sources_reset();
	return report_counts();
}

int main(void)
{
	return with_big_stack((size_t)1 << 30, run, NULL);
}
