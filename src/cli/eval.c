// The command eval: expressions given as arguments.
#include "cli/cli.h"

// Evaluates one expression in the scope of a program and prints its value.
static bool evaluate(Program *p, const char *expression, bool no_warnings)
{
	Source *source = source_add("", expression, strlen(expression));
	Expr *e = source ? parse_expr_only(source) : NULL;
	if (!e || diag_count(D_ERROR) || !program_type_expr(p, e))
		return false;
	if (no_warnings)
		diag_reset();
	diag_forget_unnamed();          // others are for programs
	if (ty_resolve(e->type)->kind == TY_ARROW) {
		puts("#<fun>\n");
		return true;
	}
	Name name = name_of("eval'it");
	Prog *prog = lower_decl(entry_of_expr(e, name), &(DeclOptions){0});
	const Fun *f = prog ? find_entry(prog, name) : NULL;
	if (!f)
		return false;
	report_diags();
	Interp *interp = interp_new(prog);
	Values none = {0}, results = {0};
	RunError error = interp_call(interp, f, &none, &results, stdout);
	if (error.message) {
		fflush(stdout);
		fprintf(stderr, "%s\n", show_run_error(&error));
		return false;
	}
	printf("%s\n\n", show_surface(f->entry->result, results.at, TEXT_BARE));
	interp_free(interp);
	return true;
}

int cmd_eval(int argc, char **argv)
{
	const char *file = NULL;
	bool no_warnings = false;
	const Opt opts[] = {
		{'f', "file", "FILE", OPT_TEXT, &file, "Evaluate in the scope of this program.",
		 NULL},
		{'w', NULL, NULL, OPT_FLAG, &no_warnings, "Suppress warnings.", NULL},
	};
	const Usage u = {
		"eval", "EXPRESSIONS",
		"Evaluates expressions and prints their values.  One that starts with a "
		"minus sign and a name is parenthesised: '(-x)'.", 1, -2, OPTS(opts), NULL,
	};
	Texts expressions = parse_args(&u, argc, argv);
	LoadOptions options = {.no_warnings = no_warnings};
	Program *p = file ? load_program(file, options) : load_empty(options);
	bool ok = p && !p->failed;
	report_diags();
	for (int i = 0; ok && i < expressions.len; i++) {
		ok = evaluate(p, expressions.at[i], no_warnings);
		report_diags();
	}
	if (!ok && expressions.len > 1)
		fputs("Each argument is an expression; quote those with spaces: "
		      "raido eval '3 / 2'\n", stderr);
	return ok ? 0 : 1;
}
