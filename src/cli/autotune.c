// The command autotune: finds values of tuning parameters that make a program fast on the datasets
// of its test blocks, and writes them to PROGRAM.tuning, which test, bench and script then use.
//
// A threshold selects between two versions of a part of the program: one is used if there is at
// least that much parallelism.  A run with logging shows what was compared with it:
//
//     Compared main.suff_outer_0 <= 4096: true.
//
// so the values worth trying are those that separate the datasets, and one above all of them.
// Parameters of other classes have a few candidate values.  Parameters are tuned one after another,
// outer ones first.  A value is better if the datasets together take less time, each relative to
// its initial time.  Defaults are kept unless another value is clearly better.
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>

#define CLEARLY 0.97                            // of the time there was before

typedef struct {
	CompileOptions compile;
	int64_t runs, timeout;
	bool verbose;
	const char *spec_file;
} TuneOptions;

typedef struct { const char *name, *entry; ServerCall call; Values args; double at_first; } Dataset;
typedef struct { const char *name, *class_; int64_t value; } Tuned; // value -1: the default

typedef struct {
	const TuneOptions *options;
	const TestSpec *spec;
	const char *path, *program;
	Loaded loaded;
	Script script;
	VEC(Dataset) datasets;
	VEC(Tuned) params;
	VEC(Tuned) found;
} Tuning;

typedef VEC(int64_t) Candidates;

// ---- Datasets ----

static bool is_used(const Tuning *t, const TestCase *c)
{
	return c->result != RES_ERROR && !has_tag(c->tags, "notune") &&
	       !has_tag(c->tags, "nobench") &&
	       !has_tag(c->tags, text("no_%s", t->options->compile.backend));
}

static bool add_dataset(Tuning *t, const Fun *f, const TestCase *c, const char **why)
{
	Dataset *d = NEW(Dataset, .name = c->name, .entry = f->entry_name);
	if (!case_input(&t->script, t->spec, c, f, &d->args, why))
		return false;
	VEC_PUSH(&t->datasets, *d);
	return true;
}

static bool find_datasets(Tuning *t, const char **why)
{
	for EACH(EntryTests, e, t->spec->entries) {
		const Fun *f = find_entry(t->loaded.prog, e->entry);
		for EACH(TestCase, c, e->cases)
			if (f && is_used(t, c) && !add_dataset(t, f, c, why))
				return false;
	}
	return true;
}

// ---- Measuring ----

// The shortest of several runs, in microseconds, after one to warm up.
static bool time_of(Tuning *t, Dataset *d, double *out, const char **why)
{
	Server *s = t->script.server;
	int64_t best = INT64_MAX, time;
	bool ok = server_prepare(s, &d->call, d->entry, &d->args, why);
	for (int64_t i = 0; i <= t->options->runs && ok; i++) {
		ok = server_run(s, &d->call, &time, why) && server_free_result(s, why);
		if (i > 0 && time < best)
			best = time;
	}
	*out = (double)(best > 0 ? best : 1);
	return ok && server_finish(s, &d->call, why);
}

// All datasets, in proportion to their first times; a dataset that fails counts as very slow.
static double cost_of(Tuning *t)
{
	double cost = 0, time;
	const char *why;
	for EACH(Dataset, d, t->datasets)
		cost += time_of(t, d, &time, &why) ? time / d->at_first : 1e6;
	return cost;
}

static bool set_param(Tuning *t, const char *name, int64_t value, const char **why)
{
	return server_command(t->script.server,
	                      text("set_tuning_param %s %lld", name, (long long)value), NULL, why);
}

// ---- Candidates ----

static void add_candidate(Candidates *c, int64_t value)
{
	for EACH(int64_t, v, *c)
		if (*v == value)
			return;
	VEC_PUSH(c, value);
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

// What the threshold was compared with, from the log.
static Candidates compared_with(const char *log, const char *name)
{
	Candidates c = {0};
	const char *mark = text("Compared %s <= ", name);
	int64_t most = -1;
	for (const char *s = log; (s = strstr(s, mark)) != NULL; ) {
		s += strlen(mark);
		int64_t n = strtoll(s, NULL, 10);
		add_candidate(&c, n);
		most = n > most ? n : most;
	}
	if (c.len)
		add_candidate(&c, most + 1);
	if (c.len)
		qsort(c.at, (size_t)c.len, sizeof *c.at, by_value);
	return c;
}

static Candidates candidates_of(Tuning *t, const Tuned *p)
{
	static const int64_t block_sizes[] = {64, 128, 256, 512, 1024}, tiles[] = {8, 16, 32};
	Candidates c = {0};
	if (strcmp(p->class_, "threshold") == 0)
		return compared_with(server_stderr(t->script.server), p->name);
	if (strcmp(p->class_, "thread_block_size") == 0)
		for (int i = 0; i < 5; i++)
			VEC_PUSH(&c, block_sizes[i]);
	if (strcmp(p->class_, "tile_size") == 0)
		for (int i = 0; i < 3; i++)
			VEC_PUSH(&c, tiles[i]);
	return c;
}

// ---- Tuning ----

static void tune(Tuning *t, const Tuned *p)
{
	Candidates c = candidates_of(t, p);
	const char *why;
	double best = c.len ? cost_of(t) * CLEARLY : 0;
	int64_t value = -1;
	if (c.len > 8) { // a few, spread evenly
		for (int i = 0; i < 8; i++)
			c.at[i] = c.at[i * (c.len - 1) / 7];
		c.len = 8;
	}
	for EACH(int64_t, v, c) {
		if (!set_param(t, p->name, *v, &why))
			continue;
		double cost = cost_of(t);
		if (t->options->verbose)
			printf("  %s = %lld: %.3f\n", p->name, (long long)*v,
			       cost / t->datasets.len);
		if (cost < best) {
			best = cost;
			value = *v;
		}
	}
	if (value >= 0) {
		set_param(t, p->name, value, &why);
		VEC_PUSH(&t->found, (Tuned){p->name, p->class_, value});
	} else if (c.len) { // back to the default: a parameter that was never set
		server_command(t->script.server, text("set_tuning_param %s -1", p->name), NULL,
		               &why);
	}
}

static bool find_params(Tuning *t, const char **why)
{
	const char *names, *class_;
	for EACH(EntryTests, e, t->spec->entries) {
		if (!server_command(t->script.server, text("tuning_params %s", e->entry), &names,
		                    why))
			return false;
		for (const char *s = names; *s; s += strcspn(s, "\n"), s += *s == '\n') {
			const char *name = text("%.*s", (int)strcspn(s, "\n"), s);
			bool known = false;
			for EACH(Tuned, p, t->params)
				known |= strcmp(p->name, name) == 0;
			if (known || !*name)
				continue;
			if (!server_command(t->script.server, text("tuning_param_class %s", name),
			                    &class_, why))
				return false;
			VEC_PUSH(&t->params,
			         (Tuned){name, text("%.*s", (int)strcspn(class_, "\n"), class_),
			                 -1});
		}
	}
	return true;
}

static bool run_all(Tuning *t, const char **why)
{
	if (!find_datasets(t, why) || !find_params(t, why))
		return false;
	for EACH(Dataset, d, t->datasets) {
		if (!time_of(t, d, &d->at_first, why))
			return false;
		if (t->options->verbose)
			printf("%s: %.0fμs\n", d->name, d->at_first);
	}
	for EACH(Tuned, p, t->params)
		if (t->datasets.len)
			tune(t, p);
	return true;
}

static bool write_tuning(const Tuning *t)
{
	const char *ext = t->options->compile.tuning ? t->options->compile.tuning : "tuning";
	const char *file = text("%s.%s", t->path, ext);
	Str s = {0};
	for EACH(Tuned, p, t->found)
		str_printf(&s, "%s=%lld\n", p->name, (long long)p->value);
	if (!write_atomically(file, &s)) {
		fprintf(stderr, "Cannot write %s: %s\n", file, strerror(errno));
		return false;
	}
	printf("Wrote %s: %d of %d parameters.\n", file, t->found.len, t->params.len);
	return true;
}

static bool tune_program(Tuning *t)
{
	const char *why = NULL;
	CompileOptions o = t->options->compile;
	bool ok = driver_check(t->path, (LoadOptions){.no_warnings = true}, &t->loaded) &&
	          driver_lower(&t->loaded, NULL);
	report_diags();
	if (!ok)
		return false;
	o.no_tuning = true;
	o.timeout = (double)t->options->timeout;
	VEC_PUSH(&o.options, "-L");
	if (!o.skip_compilation)
		ok = compile_server(&t->loaded, t->path, t->program, &o, &why) == COMPILED;
	t->script.server = ok ? start_compiled(t->path, t->program, &o, &why) : NULL;
	ok = t->script.server && run_all(t, &why);
	if (!ok)
		fprintf(stderr, "%s: %s\n", t->path, why ? why : "The program has ended.");
	if (t->script.server)
		server_stop(t->script.server);
	return ok && write_tuning(t);
}

int cmd_autotune(int argc, char **argv)
{
	TuneOptions o = {.compile.backend = "opencl", .runs = 10, .timeout = 60};
	CompileOptions *c = &o.compile;
	const Opt opts[] = {
		{0, "backend", "NAME", OPT_TEXT, &c->backend,
	         "Back end to compile with (default opencl).", NULL},
		OPTS_COMPILER(c),
		{'r', "runs",
		 "N", OPT_INT, &o.runs, "Number of runs per dataset (default 10).", NULL},
		OPT_SKIP_COMPILATION(c),
		{0, "spec-file", "FILE", OPT_TEXT, &o.spec_file,
	         "Read the test blocks from FILE instead of the program.", NULL},
		{0, "timeout", "SECONDS", OPT_INT, &o.timeout,
	         "Abandon a run that takes longer than this (default 60).", NULL},
		{0, "tuning", "EXT", OPT_TEXT, &c->tuning,
	         "File extension of the tuning file (default tuning).", NULL},
		{'v', "verbose", NULL, OPT_FLAG, &o.verbose, "Print progress information.", NULL},
	};
	const Usage u = {
		"autotune",
		"PROGRAM",
		"Finds good values for the tuning parameters of a program on the datasets of its "
		"test blocks, and writes them to PROGRAM.tuning.",
		1,
		1,
		OPTS(opts),
		NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	const char *why = check_compile_options(c), *path = args.at[0];
	if (why)
		usage_error(&u, "%s", why);
	if (o.runs < 1)
		usage_error(&u, "--runs takes a positive number");
	const TestSpec *s = o.spec_file ? testspec_read_file(path, o.spec_file, &why)
	                                : testspec_read(path, &why);
	if (!s) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	int len = (int)strlen(path) - (str_ends(path, ".fut") ? 4 : 0);
	Tuning t = {.options = &o, .spec = s, .path = path, .program = text("%.*s", len, path)};
	t.script = (Script){.loaded = &t.loaded, .dir = dir_of(path), .traces = stderr};
	return tune_program(&t) ? 0 : 1;
}
