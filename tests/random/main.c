// random [options] DIR: makes random programs, runs each in several ways, and compares.
//
//   interpreter            its own derivatives, by dual numbers and on a tape
//   each pass              interpreted after each pass of a back end, in order
//   soac                   the derivatives that the pass `differentiate` makes, optimised
//   device                 the same, with loops for devices
//   memory                 the same, with memory in place
//   c, multicore, ...      the same, compiled
//   c, sanitized           with the sanitizers of addresses, leaks and undefined behaviour
//
// All ways must give the same numbers; and those must agree among themselves: forward mode with
// reverse mode, both with differences, three ways to a Hessian times a vector with each other.  A
// program that fails is made smaller and left in a file.
//
// Programs come in batches, a process each, of which --jobs run at a time: what a batch allocates
// goes with its process.  With --minutes no batch starts after that time; the table at the end
// counts what was run.
#include "run.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_JOBS = 256 };

Options options = {.backend = "c", .seed = 1, .count = -1, .batch = 50, .tries = 400,
                   .seconds = 200, .jobs = 1};
static double started, deadline;                // seconds; 0: no deadline

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_late(void)
{
	return deadline && now() > deadline;
}

// ---- One batch ----

// Does the program still go wrong in the same way?
static bool fails(const Random *r, void *ctx)
{
	const char *before = ctx;
	Random *one[1] = {(Random *)r};
	Outcomes *all[N_WAYS];
	Counts counts = {0};
	if (is_late())
		return false;
	try_all("smaller.fut", one, 1, all);
	const char *why = verdict(r, all, 0, &counts);
	bool rejected = why && strstr(why, "rejected") != NULL;
	// A word of the reason is enough: numbers and places change.
	return why && !rejected && strncmp(why, before, strcspn(before, ":")) == 0;
}

// Only the interpreter and the way that failed.
static Random *smaller(Random *r, const char *why)
{
	if (strstr(why, "rejected") || !options.tries)
		return r;
	for (int w = PLAIN + 1; w < N_WAYS; w++)
		options.way[w] = options.way[w] &&
		                 strncmp(way_name[w], why, strcspn(why, ":")) == 0;
	return shrink(r, fails, (void *)why, (int)options.tries);
}

static void report(Random *r, const char *why)
{
	Options kept = options;
	printf("seed %llu: %s\n", (unsigned long long)r->seed, why);
	fflush(stdout);
	r = smaller(r, why);
	options = kept;
	Str s = {0};
	str_printf(&s, "-- seed %llu, n = %d, m = %d\n-- %s\n", (unsigned long long)r->seed,
	           (int)r->n,
	           (int)r->m, text("%.*s", (int)strcspn(why, "\n"), why));
	put_header(&s);
	print_random(&s, r, 0);
	FILE *f = fopen(text("../seed%llu.fut", (unsigned long long)r->seed), "w");
	if (f) {
		fputs(str_text(&s), f);
		fclose(f);
		printf("  smaller: %s/seed%llu.fut\n", options.dir, (unsigned long long)r->seed);
	}
	fflush(stdout);
}

static void run_batch(int64_t from, int n)
{
	Random *programs[MOST];
	for (int i = 0; i < n; i++)
		programs[i] = make(options.seed + from + i);
	Outcomes *all[N_WAYS];
	Counts counts = {0};
	const char *why[MOST];
	try_all("batch.fut", programs, n, all);
	for (int i = 0; i < n; i++) {
		why[i] = verdict(programs[i], all, i, &counts);
		if (why[i])
			total_failure(programs[i], why[i]);
	}
	for (int w = 0; w < N_WAYS; w++)
		if (all[w]) {
			total_add((Way)w, n, 0);
			totals->after_passes += all[w]->after_passes;
		}
	totals->programs += counts.programs;
	totals->vacuous += counts.vacuous;
	totals->smooth += counts.smooth;
	totals->second += counts.second;
	for (int i = 0; i < n; i++)
		if (why[i])
			report(programs[i], why[i]);
}

// ---- All batches ----

// The directory of a job: DIR/job3, where compiler errors leave their files, too.
static void enter_job(int job)
{
	const char *dir = text("%s/job%d", options.dir, job);
	if ((mkdir(dir, 0777) != 0 && errno != EEXIST) || chdir(dir) != 0) {
		perror(dir);
		_exit(3);
	}
}

static pid_t start_batch(int job, int64_t from, int n)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	if (pid > 0)
		return pid;
	enter_job(job);
	run_batch(from, n);
	fflush(NULL);
	_exit(0);
}

static pid_t jobs[MOST_JOBS];
static int64_t first_of[MOST_JOBS];             // the first program of its batch

// Waits for one to end; gives its number.
static int wait_for_job(void)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(-1, &status, 0)) < 0)
		if (errno != EINTR) {
			perror("waitpid");
			exit(1);
		}
	for (int k = 0; k < options.jobs; k++)
		if (jobs[k] == pid) {
			jobs[k] = 0;
			if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
				int64_t seed = options.seed + first_of[k];
				printf("the batch from seed %lld ended badly\n", (long long)seed);
				total_failure(&(Random){.seed = (uint64_t)seed}, "the batch ended badly");
			}
			return k;
		}
	return wait_for_job();
}

static void say_progress(void)
{
	static double last;
	if (!options.verbose || now() - last < 20)
		return;
	last = now();
	fprintf(stderr, "%lld programs, %lld failed, %.0f s\n", (long long)totals->programs,
	        (long long)totals->failed, last - started);
}

// How many programs the next batch has; fewer when few are left, so that all jobs end together.
static int next_batch(int64_t left)
{
	int64_t share = left / (2 * options.jobs), least = (options.batch + 3) / 4;
	share = share < least ? least : share;
	return (int)(share < options.batch ? share : options.batch);
}

static void run_all_batches(void)
{
	int running = 0;
	for (int64_t done = 0; (options.count < 0 || done < options.count) && !is_late(); ) {
		int job = 0;
		while (job < options.jobs && jobs[job])
			job++;
		if (job == options.jobs) {
			job = wait_for_job();
			running--;
			say_progress();
			continue;
		}
		int64_t left = options.count < 0 ? INT64_MAX : options.count - done;
		int n = next_batch(left);
		n = n < left ? n : (int)left;
		first_of[job] = done;
		jobs[job] = start_batch(job, done, n);
		running++;
		done += n;
	}
	for (; running > 0; running--)
		wait_for_job();
}

// ---- The command ----

static const char *set_kind(void *to, const char *arg)
{
	(void)arg;
	options.kind = *(ProgramKind *)to;
	return NULL;
}

// The ways by name, besides the interpreter.
static void choose_ways(void)
{
	static const struct { const char *name; Way from, to; } names[] = {
		{"passes", PASSES_C, PASSES_GPU}, {"stages", SOAC, MEMORY}, {"soac", SOAC, SOAC},
		{"c", RUN_C, RUN_C}, {"multicore", RUN_MULTICORE, RUN_MULTICORE},
		{"opencl", RUN_OPENCL, RUN_OPENCL}, {"cuda", RUN_CUDA, RUN_CUDA},
		{"asan", RUN_SANITIZED, RUN_SANITIZED},
	};
	enum { N = sizeof names / sizeof *names };
	const char *usual = options.compiled ? text("stages,%s", options.backend) : "stages";
	options.way[PLAIN] = true;
	for (const char *p = options.ways ? options.ways : usual; *p; ) {
		size_t n = strcspn(p, ",");
		int k = 0;
		while (k < N && (strlen(names[k].name) != n || strncmp(names[k].name, p, n) != 0))
			k++;
		if (k == N) {
			fprintf(stderr, "random: no way to run programs is called %.*s\n", (int)n, p);
			exit(2);
		}
		for (int w = names[k].from; w <= (int)names[k].to; w++)
			options.way[w] = true;
		p += n + (p[n] == ',');
	}
}

static Texts read_options(int argc, char **argv)
{
	static ProgramKind sizes = SIZES, lang = LANG;
	const Opt opts[] = {
		{'s', "seed", "N", OPT_INT, &options.seed, "First seed (default 1).", NULL},
		{'n', "count", "N", OPT_INT, &options.count,
		 "Number of programs (default 100; with --minutes, no limit).", NULL},
		{'b', "batch", "N", OPT_INT, &options.batch, "Programs to a file (default 50).",
		 NULL},
		{'j', "jobs", "N", OPT_INT, &options.jobs, "Batches at a time (default 1).", NULL},
		{'m', "minutes", "N", OPT_TEXT, &options.minutes,
		 "Start no batch after that time, which may have a fraction.", NULL},
		{'w', "ways", "LIST", OPT_TEXT, &options.ways,
		 "How to run programs besides interpreting them: passes (after each pass), stages, soac, "
		 "c, multicore, opencl, cuda, asan; with commas in between.", NULL},
		{'c', "compiled", NULL, OPT_FLAG, &options.compiled, "Compile to C, too.", NULL},
		{0, "backend", "NAME", OPT_TEXT, &options.backend,
		 "With --compiled: for what (default c).", NULL},
		{'t', "tries", "N", OPT_INT, &options.tries,
		 "Attempts to make a failing program smaller (default 400).", NULL},
		{0, "seconds", "N", OPT_INT, &options.seconds, "Limit of a run (default 200).",
		 NULL},
		{0, "sizes", NULL, OPT_CALL, &sizes, "Programs over sizes, without derivatives.",
		 set_kind},
		{0, "lang", NULL, OPT_CALL, &lang,
		 "Programs over the whole language, without derivatives.", set_kind},
		{0, "json", "FILE", OPT_TEXT, &options.json, "Write the table there as JSON.", NULL},
		{'v', "verbose", NULL, OPT_FLAG, &options.verbose, "Say how many are done.", NULL},
		{0, "show", NULL, OPT_FLAG, &options.show, "Print the program of the seed only.",
		 NULL},
	};
	const Usage u = {"random", "DIR",
	                 "Tests random programs; failures are left in DIR.",
	                 1, 1, OPTS(opts), NULL};
	return parse_args(&u, argc, argv);
}

static int between(int64_t n, int least, int most)
{
	return n < least ? least : n > most ? most : (int)n;
}

int main(int argc, char **argv)
{
	const char *dir = read_options(argc, argv).at[0];
	if (options.show) {
		Str s = {0};
		put_header(&s);
		print_random(&s, make(options.seed), 0);
		fputs(str_text(&s), stdout);
		return 0;
	}
	options.dir = realpath(dir, NULL);
	if (!options.dir) {
		perror(dir);
		return 2;
	}
	options.batch = between(options.batch, 1, MOST);
	options.jobs = between(options.jobs, 1, MOST_JOBS);
	options.count = options.count < 0 && !options.minutes ? 100 : options.count;
	choose_ways();
	totals = shared_memory(sizeof *totals);
	started = now();
	deadline = options.minutes ? started + 60 * strtod(options.minutes, NULL) : 0;
	run_all_batches();
	print_table(now() - started);
	if (options.json)
		write_json(options.json, now() - started);
	printf("%lld passed, %lld failed\n", (long long)(totals->programs - totals->failed),
	       (long long)totals->failed);
	return totals->failed != 0;
}
