// The commands check and check-syntax.
#include "ad/ad.h"
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

// Do files of the user's mention derivatives?  The others need not be lowered.
static bool mentions_derivatives(const Program *p)
{
	for EACH(File *, f, p->files)
		if ((*f)->source && strncmp((*f)->source->name, "/prelude/", 9) != 0 &&
		    (strstr((*f)->source->text, "jvp") || strstr((*f)->source->text, "vjp") ||
		     strstr((*f)->source->text, "jmp") || strstr((*f)->source->text, "mjp")))
			return true;
	return false;
}

// Warnings that need no more than activity: of derivatives that are zero.
static void warn_of_derivatives(const Loaded *l)
{
	static const PassId first[] = {PASS_inline_calls, PASS_simplify};
	Prog *prog = mentions_derivatives(l->program)
	                   ? lower_program(l->program, &(LowerOptions){0})
	                   : NULL;
	if (prog)
		warn_of_zeros(run_passes(prog, (Pipeline){first, 2}, &(PassOptions){0}));
}

int cmd_check(int argc, char **argv)
{
	bool no_warnings = false, werror = false;
	const Opt opts[] = {
		{'w', NULL, NULL, OPT_FLAG, &no_warnings, "Suppress warnings.", NULL},
		{0, "Werror", NULL, OPT_FLAG, &werror, "Treat warnings as errors.", NULL},
	};
	const Usage u = {
		"check", "PROGRAM",
		"Type-checks a program and its imports.  Prints nothing if there are no "
		"errors; otherwise prints the errors and exits with 2.",
		1, 1, OPTS(opts), NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Loaded l;
	if (driver_check(args.at[0], (LoadOptions){.no_warnings = no_warnings}, &l) && !no_warnings)
		warn_of_derivatives(&l);
	return finish(&l, werror);
}

int cmd_check_syntax(int argc, char **argv)
{
	const Usage u = {
		"check-syntax", "PROGRAM",
		"Checks the syntax of a program and its imports.  Prints nothing "
		"if there are no errors; otherwise prints the errors and exits with 2.",
		1, 1, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Loaded l;
	driver_check(args.at[0], (LoadOptions){.no_warnings = true, .syntax_only = true}, &l);
	return finish(&l, false);
}
