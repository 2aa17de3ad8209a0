// The command bench: runs the cases of test blocks as compiled programs and reports how long
// they take.
//
// A case is run once to warm up, then at least --runs times and at least half a second, then
// until the mean is known well enough.  Times are those the server measures, around the
// entry point alone.  A program's executable stays beside it (--skip-compilation uses it again).
#include "cli/cli.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LEAST_SECONDS 0.5

typedef struct {
	CompileOptions compile;
	int64_t runs, convergence_seconds, timeout, concurrency;
	bool no_convergence, profile, verbose, quick;
	const char *entry, *json, *spec_file;
	TextVec exclude, ignore;
} BenchOptions;

typedef struct {
	const BenchOptions *options;
	Str json;
	bool failed;
} Bench;

typedef struct {
	Bench *bench;
	const TestSpec *spec;
	const char *path, *program;
	Loaded loaded;
	Script script;
} Benched;

// ---- Which cases ----

static bool is_benched(const Bench *b, const TestCase *c)
{
	if (c->result == RES_ERROR || has_tag(c->tags, "nobench") || has_tag(c->tags, "disable") ||
	    has_tag(c->tags, text("no_%s", b->options->compile.backend)))
		return false;
	for EACH(const char *, t, b->options->exclude)
		if (has_tag(c->tags, *t))
			return false;
	return true;
}

static int count_benched(const Bench *b, const EntryTests *e)
{
	int n = 0;
	if (b->options->entry && strcmp(b->options->entry, e->entry) != 0)
		return 0;
	for EACH(TestCase, c, e->cases)
		n += is_benched(b, c);
	return n;
}

static bool has_benches(const Bench *b, const TestSpec *s)
{
	int n = 0;
	if (s->expects_error || has_tag(s->tags, "nobench") || has_tag(s->tags, "disable"))
		return false;
	for EACH(EntryTests, e, s->entries)
		n += count_benched(b, e);
	return n > 0;
}

// ---- One case ----

// Whether a terminal is there that has not been told anything for a while.
static bool progress_is_due(void)
{
	static double last;
	double now = seconds();
	if (!isatty(STDOUT_FILENO) || now - last < 0.1)
		return false;
	last = now;
	return true;
}

// On a terminal, what is being done, over the line that was shown last; "" clears it.
static void show_progress(const char *line)
{
	if (isatty(STDOUT_FILENO)) {
		printf("\r\033[K%s", line);
		fflush(stdout);
	}
}

static void show_runs(const char *name, const Times *times, const char *phase)
{
	if (progress_is_due())
		show_progress(text("%s: %s, %d run%s, %.0fμs on average", name, phase, times->len,
		                   times->len == 1 ? "" : "s", mean_of(times)));
}

// One run; the result of the run before goes first, if there is one.
static bool run_again(Server *s, ServerCall *call, int64_t *time, const char **why)
{
	return server_free_result(s, why) && server_run(s, call, time, why);
}

// A profile is of one run, which is not among those measured.
static bool profile(Server *s, ServerCall *call, const char **why)
{
	int64_t time;
	return server_command(s, "unpause_profiling", NULL, why) &&
		run_again(s, call, &time, why) &&
	       server_command(s, "pause_profiling", NULL, why);
}

static bool measure(const Bench *b, const char *name, Server *s, ServerCall *call, Times *times,
                    const char **why)
{
	int64_t time;
	if (b->options->profile && !server_command(s, "pause_profiling", NULL, why))
		return false;
	show_progress(text("%s: first run", name));
	if (!server_run(s, call, &time, why))
		return false;
	double start = seconds();
	do {
		if (!run_again(s, call, &time, why))
			return false;
		VEC_PUSH(times, time);
		show_runs(name, times, "measuring");
	} while (times->len < b->options->runs || seconds() - start < LEAST_SECONDS);
	double deadline = seconds() + (double)b->options->convergence_seconds;
	while (!b->options->no_convergence && !has_converged(times) && seconds() < deadline) {
		for (int n = times->len / 2 + 1; n > 0 && seconds() < deadline; n--) {
			if (!run_again(s, call, &time, why))
				return false;
			VEC_PUSH(times, time);
			show_runs(name, times, "until the mean is known well enough");
		}
	}
	return !b->options->profile || profile(s, call, why);
}

// NULL when the result is as expected.
static const char *check_result(const Benched *p, const Fun *f, const TestCase *c)
{
	Values flat = {0}, got = {0}, expected = {0};
	const char *why = NULL;
	if (c->result == RES_ANY)
		return NULL;
	if (!server_result(p->script.server, &flat, &why) || !result_values(f, &flat, &got, &why))
		return why;
	if (!expected_values(p->spec, f->entry_name, c, &got, &expected, &why))
		return why;
	return compare_values(p->path, &got, &expected);
}

// ---- Reports ----

// The text of the member "memory" of a report.
static const char *memory_of(const char *report)
{
	const char *at = strstr(report, "\"memory\": ");
	if (!at)
		return "{}";
	at += strlen("\"memory\": ");
	return text("%.*s}", (int)strcspn(at, "}"), at);
}

static void put_json_case(Benched *p, bool first, const char *name, const Times *times,
                          const char *why)
{
	Str *s = &p->bench->json;
	const char *report = "{}", *ignored;
	str_printf(s, "%s\n      %s: ", first ? "" : ",", json_string(name));
	if (why) {
		str_puts(s, json_string(why));
		return;
	}
	server_command(p->script.server, "report", &report, &ignored);
	str_puts(s, "{\"runtimes\": [");
	for (int i = 0; i < times->len; i++)
		str_printf(s, "%s%lld", i ? ", " : "", (long long)times->at[i]);
	str_printf(s, "],\n        \"bytes\": %s,\n        \"stderr\": %s", memory_of(report),
	           json_string(server_stderr(p->script.server)));
	if (p->bench->options->profile)
		str_printf(s, ",\n        \"profiling\": %s", report);
	str_putc(s, '}');
}

// Characters, not bytes.
static int width_of(const char *s)
{
	int n = 0;
	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void print_times(const char *name, int width, const Times *times)
{
	double lo, hi;
	confidence_interval(times, &lo, &hi);
	printf("%s:%*s%10.0fμs (95%% CI: [%10.1f, %10.1f])\n", name, width - width_of(name), "",
	       mean_of(times), lo, hi);
	fflush(stdout);
}

static void bench_case(Benched *p, const Fun *f, const TestCase *c, int width, bool first)
{
	Times times = {0};
	Values args = {0};
	ServerCall call;
	const char *why = NULL, *ignored;
	Server *s = p->script.server;
	show_progress(text("%s: reading the data", c->name));
	bool ok = s && case_input(&p->script, p->spec, c, f, &args, &why);
	ok = ok && server_command(s, "clear", NULL, &why);
	ok = ok && server_prepare(s, &call, f->entry_name, &args, &why);
	bool prepared = ok;
	ok = ok && measure(p->bench, c->name, s, &call, &times, &why);
	show_progress("");
	why = ok ? check_result(p, f, c) : why ? why : "The program has ended.";
	if (why) {
		printf("%s:\n%s\n", c->name, why);
		p->bench->failed = true;
	} else {
		print_times(c->name, width, &times);
	}
	put_json_case(p, first, c->name, &times, why);
	if (ok)
		server_free_result(s, &ignored);
	if (prepared)
		server_finish(s, &call, &ignored);
}

// ---- One program ----

static const char *tuning_note(const Benched *p)
{
	const CompileOptions *o = &p->bench->options->compile;
	const char *file = tuning_file(p->path, o);
	return o->no_tuning ? "" : file ? text(" (using %s)", file) : " (no tuning file)";
}

static void bench_entry(Benched *p, const EntryTests *e)
{
	bool first = true;
	int width = 0;
	const Fun *f = find_entry(p->loaded.prog, e->entry);
	const char *title = strcmp(e->entry, "main") == 0 ? p->path
		: text("%s:%s", p->path, e->entry);
	printf("\n%s%s:\n", title, tuning_note(p));
	if (!f) {
		printf("Unknown entry point: %s\n", e->entry);
		p->bench->failed = true;
		return;
	}
	for EACH(TestCase, c, e->cases)
		if (is_benched(p->bench, c) && width_of(c->name) + 1 > width)
			width = width_of(c->name) + 1;
	Str *s = &p->bench->json;
	str_printf(s, "%s\n  %s: {\n    \"datasets\": {", s->len > 1 ? "," : "",
	           json_string(title));
	for EACH(TestCase, c, e->cases)
		if (is_benched(p->bench, c)) {
			bench_case(p, f, c, width, first);
			first = false;
		}
	str_puts(s, "\n    }\n  }");
}

static void bench_program(Benched *p)
{
	const char *why;
	CompileOptions o = p->bench->options->compile;
	o.timeout = (double)p->bench->options->timeout;
	if (p->bench->options->profile)
		VEC_PUSH(&o.options, "-P");
	p->script.server = start_compiled(p->path, p->program, &o, &why);
	if (!p->script.server) {
		printf("\n%s:\n%s\n", p->path, why);
		p->bench->failed = true;
		return;
	}
	for EACH(EntryTests, e, p->spec->entries)
		if (count_benched(p->bench, e))
			bench_entry(p, e);
	server_stop(p->script.server);
}

// Checks, lowers and compiles; false after reporting why not.
static bool prepare(Benched *p)
{
	const CompileOptions *o = &p->bench->options->compile;
	const char *why;
	bool ok = driver_check(p->path, (LoadOptions){.no_warnings = true}, &p->loaded) &&
	          driver_lower(&p->loaded, NULL);
	report_diags();
	if (!ok || o->skip_compilation)
		return ok;
	printf("Compiling %s...\n", p->path);
	fflush(stdout);
	if (compile_server(&p->loaded, p->path, p->program, o, &why) == COMPILED)
		return true;
	fprintf(stderr, "%s\n", why);
	return false;
}

// ---- The command ----

static Texts parse_flags(BenchOptions *o, int argc, char **argv)
{
	CompileOptions *c = &o->compile;
	const Opt opts[] = {
		OPT_BACKEND(c),
		OPTS_RUNS(c),
		{0, "concurrency", "N", OPT_INT, &o->concurrency,
		 "Ignored, for compatibility: programs are compiled one at a time.", NULL},
		{0, "convergence-max-seconds", "N", OPT_INT, &o->convergence_seconds,
		 "Maximum time for the convergence phase of a dataset (default 300).", NULL},
		{'e', "entry-point",
		 "NAME", OPT_TEXT, &o->entry, "Benchmark only this entry point.", NULL},
		{0, "exclude-case", "TAG", OPT_LIST, &o->exclude,
		 "Skip test cases with this tag; may be repeated.", NULL},
		OPTS_COMPILER(c),
		{0, "ignore-files", "REGEX", OPT_LIST, &o->ignore,
		 "Skip programs whose path matches; may be repeated.", NULL},
		{0, "json", "FILE", OPT_TEXT, &o->json, "Also write the results to this file.",
		 NULL},
		{0, "no-convergence-phase", NULL, OPT_FLAG, &o->no_convergence,
		 "Perform only the minimum number of runs.", NULL},
		{0, "profile", NULL, OPT_FLAG, &o->profile,
		 "Include profiling data in the JSON file.",
		 NULL},
		{0, "quick", NULL, OPT_FLAG, &o->quick,
		 "Three runs of each dataset, and no convergence phase: for a first impression.",
		 NULL},
		{'r', "runs", "N", OPT_INT, &o->runs,
		 "Minimum number of runs per dataset (default 10).", NULL},
		OPT_SKIP_COMPILATION(c),
		{0, "spec-file", "FILE", OPT_TEXT, &o->spec_file,
		 "Read the test blocks from FILE instead of the program.", NULL},
		{0, "timeout", "SECONDS", OPT_INT, &o->timeout,
		 "Abandon a run that takes longer than this (default: never).", NULL},
		{'v', "verbose", NULL, OPT_FLAG, &o->verbose, "Print progress information.", NULL},
	};
	const Usage u = {
		"bench", "FILES-OR-DIRECTORIES",
		"Measures the run time of compiled programs on the datasets of their test blocks.  "
		"Exits with 1 if anything fails.",
		1, -1, OPTS(opts), NULL,
	};
	Texts paths = parse_args(&u, argc, argv);
	const char *why = check_compile_options(c);
	if (why)
		usage_error(&u, "%s", why);
	if (o->quick) {
		o->runs = o->runs < 3 ? o->runs : 3;
		o->no_convergence = true;
	}
	if (o->runs < 1)
		usage_error(&u, "--runs takes a positive number");
	return paths;
}

static bool is_ignored(const BenchOptions *o, const char *path)
{
	for EACH(const char *, regex, o->ignore) {
		regex_t compiled;
		if (regcomp(&compiled, *regex, REG_EXTENDED | REG_NOSUB) != 0) {
			fprintf(stderr, "Invalid regular expression \"%s\".\n", *regex);
			exit(1);
		}
		bool found = regexec(&compiled, path, 0, NULL, 0) == 0;
		regfree(&compiled);
		if (found)
			return true;
	}
	return false;
}

static const TestSpec *read_spec(const BenchOptions *o, const char *path)
{
	const char *why;
	const TestSpec *s = o->spec_file ? testspec_read_file(path, o->spec_file, &why)
	                                 : testspec_read(path, &why);
	if (!s) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
	return s;
}

static void print_method(const BenchOptions *o)
{
	printf("Reporting arithmetic mean runtime of at least %lld runs "
	       "for each dataset (min 0.5s).\n",
	       (long long)o->runs);
	if (!o->no_convergence)
		printf("More runs automatically performed for up to %llds "
		       "to ensure accurate measurement.\n",
		       (long long)o->convergence_seconds);
	fflush(stdout);
}

static bool write_json(Bench *b)
{
	if (!b->options->json)
		return true;
	str_puts(&b->json, "\n}\n");
	if (write_atomically(b->options->json, &b->json))
		return true;
	fprintf(stderr, "Cannot write %s: %s\n", b->options->json, strerror(errno));
	return false;
}

int cmd_bench(int argc, char **argv)
{
	BenchOptions o = {.compile.backend = "c", .runs = 10, .convergence_seconds = 300};
	Texts paths = parse_flags(&o, argc, argv);
	Bench b = {.options = &o};
	TextVec found = {0};
	VEC(Benched *) programs = {0};
	bool ok = true;
	for EACH(const char *, p, paths)
		ok &= find_programs(*p, &found);
	if (!ok)
		return 1;
	for EACH(const char *, path, found) {
		const TestSpec *s = is_ignored(&o, *path) ? NULL : read_spec(&o, *path);
		if (!s || !has_benches(&b, s))
			continue;
		int len = (int)strlen(*path) - (str_ends(*path, ".fut") ? 4 : 0);
		Benched *p = NEW(Benched, .bench = &b, .spec = s, .path = *path,
		                  .program = text("%.*s", len, *path));
		p->script = (Script){.loaded = &p->loaded, .dir = dir_of(*path), .traces = stderr};
		if (!prepare(p))
			return 1;
		VEC_PUSH(&programs, p);
	}
	if (!programs.len) {
		fputs("No program has data sets to benchmark.\nHint: a data set is given by a test "
		      "block, \"-- ==\" and \"-- input { 10i64 }\", before the entry point.\n",
		      stderr);
		return 1;
	}
	print_method(&o);
	str_puts(&b.json, "{");
	for EACH(Benched *, p, programs)
		bench_program(*p);
	return write_json(&b) && !b.failed ? 0 : 1;
}
