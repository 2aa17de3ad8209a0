// Testing one program as its test blocks say.
//
// A report is a path of contexts, each a line ending with a colon, and the reason:
//
//   prog.fut:
//   Interpreting:
//   Entry point: main; dataset: #2 ("2i32 2i32"):
//   prog.fut.main.2.actual and prog.fut.main.2.expected do not match:
//   Value #0: expected value of type i64, got i32
//
// A compiled program is a server executable in a directory of its own.
#include "cli/cli.h"

#include <regex.h>

typedef struct {
	const TestSpec *spec;
	const TestOptions *options;
	Loaded loaded;
	Script script;
	Str reports;
	int failures;
	const char *context;            // of the reports of cases
	bool compiled;
	const char *program;            // the executable, and how it was started
	const CompileOptions *started_with;
} Run;

static void report(Run *r, const char *context, const char *reason)
{
	if (r->failures++)
		str_putc(&r->reports, '\n');
	str_printf(&r->reports, "%s:\n%s%s\n", r->spec->path, context, reason);
}

// Matches anywhere in the text; a broken regex is reported as not matching.
static bool matches(const char *regex, const char *body, const char **why)
{
	regex_t compiled;
	int code = regcomp(&compiled, regex, REG_EXTENDED | REG_NOSUB);
	if (code != 0) {
		char message[200];
		regerror(code, &compiled, message, sizeof message);
		*why = text("Invalid regular expression \"%s\": %s", regex, message);
		return false;
	}
	bool found = regexec(&compiled, body, 0, NULL, 0) == 0;
	regfree(&compiled);
	return found;
}

bool is_excluded(const TestOptions *o, Names tags)
{
	for EACH(const char *, t, o->exclude)
		if (has_tag(tags, *t))
			return true;
	return has_tag(tags, "disable");
}

// ---- Expected type errors and warnings ----

static void expect_type_error(Run *r, bool accepted)
{
	const char *context = "Type-checking:\n", *got = diags_text(), *why = NULL;
	if (accepted)
		report(r, context, "Expected failure");
	else if (!matches(r->spec->error_regex, got, &why))
		report(r, context, why ? why : text("Expected error:\n  %s\nGot error:\n%s",
		                                    r->spec->error_regex, got));
}

static void expect_warnings(Run *r)
{
	for EACH(const char *, w, r->spec->warnings) {
		const char *got = diags_text(), *why = NULL;
		if (!matches(*w, got, &why))
			report(r, "Testing warnings:\n",
			       why ? why : text("Expected warning:\n  %s\nGot warnings:\n%s", *w,
			       got));
	}
}

// ---- Cases ----

static bool skipped(const Run *r, const TestCase *c)
{
	const char *backend = r->compiled ? r->options->compile.backend : "interpreter";
	return has_tag(c->tags, "notest") || (!r->compiled && has_tag(c->tags, "compiled")) ||
	       has_tag(c->tags, text("no_%s", backend)) || is_excluded(r->options, c->tags);
}

static const char *failed_call(const TestCase *c, const char *message)
{
	const char *why = NULL;
	if (c->result != RES_ERROR)
		return text("Function failed with error:\n%s", message);
	if (matches(c->regex, message, &why))
		return NULL;
	return why ? why : text("Expected error:\n  %s\nGot error:\n%s", c->regex, message);
}

// NULL when the case passed, else the reason.
static const char *run_case(Run *r, const Fun *f, const TestCase *c)
{
	Values args = {0}, flat = {0}, got = {0}, expected = {0};
	const char *why = NULL;
	if (!case_input(&r->script, r->spec, c, f, &args, &why))
		return why;
	if (!script_run(&r->script, f, &args, &flat, &why))
		return failed_call(c, why);
	if (c->result == RES_ERROR)
		return text("Program succeeded, but expected failure:\n  ThisError \"%s\"",
			c->regex);
	if (c->result == RES_ANY)
		return NULL;
	if (!result_values(f, &flat, &got, &why))
		return why;
	if (!expected_values(r->spec, f->entry_name, c, &got, &expected, &why))
		return why;
	return compare_values(text("%s.%s.%d", r->spec->path, f->entry_name, c->index), &got,
	                      &expected);
}

// A program that ended with a case, such as by recursion without end, is started again for the
// next.
static void revive(Run *r)
{
	const char *why;
	if (!r->script.server || !server_has_ended(r->script.server))
		return;
	Server *again = start_compiled(r->spec->path, r->program, r->started_with, &why);
	if (!again)
		return;
	server_stop(r->script.server);
	r->script.server = again;
}

static void run_cases(Run *r, const EntryTests *tests)
{
	if (r->options->entry && strcmp(r->options->entry, tests->entry) != 0)
		return;
	const Fun *f = find_entry(r->loaded.prog, tests->entry);
	for EACH(TestCase, c, tests->cases) {
		if (skipped(r, c))
			continue;
		revive(r);
		const char *why = f ? run_case(r, f, c) : text("Unknown entry point: %s",
			tests->entry);
		if (why)
			report(r, text("%sEntry point: %s; dataset: %s:\n", r->context,
			               tests->entry,
			               c->name), why);
	}
}

static void run_properties(Run *r)
{
	for EACH(Name, p, r->spec->properties) {
		if (r->options->entry && strcmp(r->options->entry, *p) != 0)
			continue;
		revive(r);
		const char *why = check_property(&r->script, *p, &r->options->property);
		if (why)
			report(r, r->context, why);
	}
}

// ---- Programs ----

static void run_tests(Run *r)
{
	for EACH(EntryTests, e, r->spec->entries)
		run_cases(r, e);
	run_properties(r);
}

// With one more option, if there is one.
static void run_server(Run *r, const char *program, const char *compiling, const char *option)
{
	CompileOptions o = r->options->compile;
	const char *why;
	r->context = text("%sRunning compiled program:\nRunning .%s%s%s:\n", compiling,
	                  strrchr(program, '/'), option ? " " : "", option ? option : "");
	if (option) {
		o.options = (TextVec){0};
		VEC_APPEND(&o.options, r->options->compile.options);
		VEC_PUSH(&o.options, option);
	}
	r->program = program;
	r->started_with = &o;
	r->script.server = start_compiled(r->spec->path, program, &o, &why);
	if (!r->script.server) {
		report(r, r->context, why);
		return;
	}
	run_tests(r);
	server_stop(r->script.server);
}

static void run_compiled(Run *r, const char *program)
{
	const CompileOptions *o = &r->options->compile;
	const char *why, *compiling = text("Compiling with --backend=%s:\n", o->backend);
	r->context = compiling;
	switch (compile_server(&r->loaded, r->spec->path, program, o, &why)) {
	case NOT_SUPPORTED:
		r->compiled = false;
		return;
	case COMPILE_FAILED:
		report(r, compiling, why);
		return;
	case COMPILED:
		break;
	}
	if (r->options->mode == TEST_COMPILE)
		return;
	for EACH(const char *, w, r->options->with)
		run_server(r, program, compiling, *w);
	if (!r->options->with.len)
		run_server(r, program, compiling, NULL);
}

// In a directory of its own, which is removed afterwards.
static void compile_and_run(Run *r)
{
	const char *why, *dir = make_temporary_dir(&why);
	const char *slash = strrchr(r->spec->path, '/'), *base = slash ? slash + 1 : r->spec->path;
	const char *name = text("%.*s", (int)strlen(base) - (str_ends(base, ".fut") ? 4 : 0), base);
	if (!dir) {
		report(r, "", why);
		return;
	}
	r->compiled = true;
	run_compiled(r, text("%s/%s", dir, name));
	remove_temporary_dir(dir, (const char *const[]){name, text("%s.c", name), NULL});
}

static void run_program(Run *r)
{
	bool ok = driver_check(r->spec->path, (LoadOptions){0}, &r->loaded);
	if (r->spec->expects_error) {
		expect_type_error(r, ok);
		return;
	}
	if (!ok) {
		report(r, "Type-checking:\n", diags_text());
		return;
	}
	if (r->options->mode == TEST_CHECK) {
		expect_warnings(r);
		return;
	}
	if (!driver_lower(&r->loaded, NULL)) {
		report(r, "Compiling:\n", diags_text());
		return;
	}
	if (r->spec->warnings.len)
		warn_of_rest(r->loaded.prog);
	expect_warnings(r);
	diag_reset();
	if (r->options->mode == TEST_LOWER)
		return;
	if (!r->options->interpreted) {
		compile_and_run(r);
		if (r->compiled || r->failures)
			return;
	}
	r->context = "Interpreting:\n";
	PassOptions o = r->options->passes;
	o.check = CHECK_EACH;
	driver_optimise(&r->loaded, checks_wanted && !r->options->after.len
	                            ? pipeline_checked : r->options->after, &o);
	if (r->options->mode == TEST_RUN)
		run_tests(r);
}

const char *test_program(const TestSpec *spec, const TestOptions *options, bool *interpreted)
{
	Run r = {.spec = spec, .options = options};
	FILE *nowhere = fopen("/dev/null", "w");
	r.script = (Script){.loaded = &r.loaded, .dir = dir_of(spec->path),
	                    .traces = nowhere ? nowhere : stderr};
	run_program(&r);
	*interpreted = r.context && !r.compiled;
	if (nowhere)
		fclose(nowhere);
	return r.failures ? str_text(&r.reports) : NULL;
}
