// The commands check and check-syntax.
#include "cli/cli.h"

static int finish(const Loaded *l, bool werror)
{
	bool failed = l->program == NULL || l->program->failed || diag_count(D_ERROR);
	bool warned = diag_count(D_WARNING) > 0;
	report_diags();
	if (!failed && werror && warned) {
		fputs("\nTreating above warnings as errors due to --Werror.\n", stderr);
		failed = true;
	}
	return failed ? 2 : 0;
}

int cmd_check(int argc, char **argv)
{
	bool no_warnings = false, werror = false;
	const Opt opts[] = {
		{'w', NULL, NULL, OPT_FLAG, &no_warnings, "Print no warnings.", NULL},
		{0, "Werror", NULL, OPT_FLAG, &werror, "Treat warnings as errors.", NULL},
	};
	const Usage u = {
		"check", "PROGRAM",
		"Checks a program and its imports.  Says nothing when there is no "
		"error; otherwise prints the errors and exits with 2.",
		1, 1, OPTS(opts), NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Loaded l;
	driver_check(args.at[0], (LoadOptions){.no_warnings = no_warnings}, &l);
	return finish(&l, werror);
}

int cmd_check_syntax(int argc, char **argv)
{
	const Usage u = {
		"check-syntax", "PROGRAM",
		"Checks the syntax of a program and its imports.  Says nothing "
		"when there is no error; otherwise prints the errors and exits with 2.",
		1, 1, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Loaded l;
	driver_check(args.at[0], (LoadOptions){.no_warnings = true, .syntax_only = true}, &l);
	return finish(&l, false);
}
