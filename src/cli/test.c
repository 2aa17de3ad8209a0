// The command test: finds programs, tests them in processes of their own, reports.
//
// A process per program keeps a crash from ending the run, and uses all cores.  It writes
// its report to a pipe (which is also its standard error) and exits with 0 if all is well.
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_SECONDS = 60 };           // how often the status is repeated when not on a terminal
enum { PASSED_INTERPRETED = 3 };        // exit code of a process: passed, but not compiled

// ---- Finding programs ----

// The folders around a place.
typedef struct Around { dev_t dev; ino_t ino; const struct Around *up; } Around;

static bool is_around(const Around *a, const struct stat *st)
{
	while (a && (a->dev != st->st_dev || a->ino != st->st_ino))
		a = a->up;
	return a != NULL;
}

// Links in folders that lead nowhere, or back to a folder around them, are passed over.
static bool find_in(const char *path, const Around *around, TextVec *out)
{
	struct stat st;
	bool named = !around;
	if (stat(path, &st) != 0) {
		if (!named && lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
			return true;
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	if (!S_ISDIR(st.st_mode)) {
		if (named || str_ends(path, ".fut"))
			VEC_PUSH(out, path);
		return true;
	}
	if (is_around(around, &st))
		return true;
	DIR *dir = opendir(path);
	if (!dir) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	TextVec names = {0};
	for (struct dirent *e; (e = readdir(dir)) != NULL; )
		if (e->d_name[0] != '.')
			VEC_PUSH(&names, text("%s%s%s", path, str_ends(path, "/") ? "" : "/",
				e->d_name));
	closedir(dir);
	if (names.len)
		qsort(names.at, (size_t)names.len, sizeof *names.at, by_text);
	bool ok = true;
	for EACH(const char *, n, names)
		ok &= find_in(*n, &(Around){st.st_dev, st.st_ino, around}, out);
	return ok;
}

bool find_programs(const char *path, TextVec *out)
{
	return find_in(path, NULL, out);
}

// ---- Processes ----

typedef struct {
	const TestSpec *spec;
	pid_t pid;
	int fd;
	Str output;
} Job;

typedef struct {
	const TestOptions *options;
	VEC(const TestSpec *) specs;
	int next;                       // the next program to start
	int passed, failed, interpreted;
	int without;                    // programs without a test block
	bool terminal;
	time_t last_status;
	Job *jobs;
	int n_jobs, max_jobs;
} Runner;

static NORETURN void child(const TestSpec *spec, const TestOptions *options, int fd)
{
	dup2(fd, STDERR_FILENO);
	bool interpreted;
	const char *reports = test_program(spec, options, &interpreted);
	if (reports)
		fputs(reports, stderr);
	fflush(stderr);
	_exit(reports ? 1 : interpreted && !options->interpreted ? PASSED_INTERPRETED : 0);
}

// False when the system has no pipe or process left.
static bool start(Runner *r, const TestSpec *spec)
{
	int ends[2];
	fflush(stdout);
	fflush(stderr);
	if (pipe(ends) != 0)
		return false;
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		child(spec, r->options, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return false;
	}
	r->jobs[r->n_jobs++] = (Job){.spec = spec, .pid = pid, .fd = ends[0]};
	return true;
}

// ---- Progress ----

static void clear_line(const Runner *r)
{
	if (r->terminal)
		fputs("\r\033[K", stdout);
}

static void show_status(Runner *r, bool force)
{
	time_t now = time(NULL);
	int left = r->specs.len - r->passed - r->failed;
	if (r->terminal) {
		clear_line(r);
		printf("%d failed, %d passed, %d to go.", r->failed, r->passed, left);
	} else if (force || now - r->last_status >= STATUS_SECONDS) {
		printf("%d failed, %d passed, %d to go.\n", r->failed, r->passed, left);
		r->last_status = now;
	}
	fflush(stdout);
}

static void finish(Runner *r, Job *j)
{
	int status = 0;
	close(j->fd);
	while (waitpid(j->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	bool interpreted = WIFEXITED(status) && WEXITSTATUS(status) == PASSED_INTERPRETED;
	r->interpreted += interpreted;
	if (interpreted || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
		r->passed++;
	} else {
		r->failed++;
		clear_line(r);
		const char *report = str_text(&j->output);
		if (!str_starts(report, j->spec->path))
			printf("%s:\n", j->spec->path);
		fputs(report, stdout);
		if (*report && !str_ends(report, "\n"))
			putchar('\n');
		if (WIFSIGNALED(status))
			printf("Killed by signal %d (%s).\n", WTERMSIG(status),
				strsignal(WTERMSIG(status)));
		putchar('\n');
	}
	*j = r->jobs[--r->n_jobs];
}

// No process could be made, although none is running.
static void not_started(Runner *r, const TestSpec *spec)
{
	clear_line(r);
	printf("%s:\nCannot start a process: %s\n\n", spec->path, strerror(errno));
	r->failed++;
}

// Waits until some job has said something or ended.
static void wait_for_jobs(Runner *r)
{
	struct pollfd *fds = must(malloc((size_t)r->n_jobs * sizeof *fds));
	for (int i = 0; i < r->n_jobs; i++)
		fds[i] = (struct pollfd){.fd = r->jobs[i].fd, .events = POLLIN};
	poll(fds, (nfds_t)r->n_jobs, STATUS_SECONDS * 1000);
	for (int i = r->n_jobs; i-- > 0; ) {
		if (!fds[i].revents)
			continue;
		char buffer[4096];
		ssize_t n = read(r->jobs[i].fd, buffer, sizeof buffer);
		if (n > 0)
			str_putn(&r->jobs[i].output, buffer, (size_t)n);
		else if (n == 0 || errno != EINTR)
			finish(r, &r->jobs[i]);
	}
	free(fds);
}

static void run_all(Runner *r)
{
	show_status(r, true);
	while (r->next < r->specs.len || r->n_jobs) {
		while (r->n_jobs < r->max_jobs && r->next < r->specs.len &&
		       start(r, r->specs.at[r->next]))
			r->next++;
		if (r->n_jobs)
			wait_for_jobs(r);
		else
			not_started(r, r->specs.at[r->next++]);
		show_status(r, false);
	}
	clear_line(r);
	if (r->interpreted)
		printf("%d of the programs passed interpreted, since the "
		       "back end cannot compile them.\n",
		       r->interpreted);
	if (r->without)
		printf("Without a test block, so not run: %d of %d programs.\n", r->without,
		       r->specs.len);
	printf("%d/%d passed.\n", r->passed, r->specs.len);
	printf("%d passed, %d failed\n", r->passed, r->failed);
}

// ---- The command ----

// Parses all blocks before anything is run; false after reporting a mistake.
static bool read_specs(Runner *r, const TextVec *programs)
{
	bool ok = true;
	for EACH(const char *, p, *programs) {
		const char *why;
		const TestSpec *s = testspec_read(*p, &why);
		if (!s) {
			fprintf(stderr, "%s\n", why);
			ok = false;
		} else if (!is_excluded(r->options, s->tags)) {
			VEC_PUSH(&r->specs, s);
			r->without += !s->has_block;
		}
	}
	return ok;
}

static int cores(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (int)n : 1;
}

typedef struct {
	TestOptions options;
	bool compiled, check_only, lower_only, compile_only, structure_only;
	bool no_terminal, seeded;
	int64_t concurrency;
} Flags;

static const char *set_seed(void *to, const char *arg)
{
	Flags *f = to;
	char *end;
	f->options.property.seed = strtoull(arg, &end, 0);
	f->seeded = true;
	return *arg && !*end ? NULL : "expected an integer";
}

static const char *set_after(void *to, const char *arg)
{
	Pipeline *after = &((TestOptions *)to)->after;
	Stage stage = STAGE_SOAC;
	const char *why = pipeline_of_names(arg, after);
	return why ? why : pipeline_fits(*after, &stage);
}

static Texts parse_flags(Flags *f, int argc, char **argv)
{
	TestOptions *o = &f->options;
	CompileOptions *c = &o->compile;
	const Opt opts[] = {
		{'i', NULL, NULL, OPT_FLAG, &o->interpreted,
		 "Run the programs in the interpreter.", NULL},
		{'t', NULL, NULL, OPT_FLAG, &f->check_only, "Only type-check the programs.", NULL},
		{'I', NULL, NULL, OPT_FLAG, &f->lower_only, "Only run the front end.", NULL},
		{'c', NULL, NULL, OPT_FLAG, &f->compiled,
		 "Compile and run the programs (the default).",
		 NULL},
		{'C', NULL, NULL, OPT_FLAG, &f->compile_only,
		 "Compile the programs, but do not run them.", NULL},
		{'s', NULL, NULL, OPT_FLAG, &f->structure_only,
		 "Run only structure tests; these apply to Futhark alone and are skipped.", NULL},
		OPT_BACKEND(c),
		{'e', "entry-point", "NAME", OPT_TEXT, &o->entry, "Test only this entry point.",
		 NULL},
		{0, "exclude", "TAG", OPT_LIST, &o->exclude,
		 "Skip programs and test cases with this tag; may be repeated.", NULL},
		{0, "concurrency", "N", OPT_INT, &f->concurrency,
		 "Number of programs to test at a time (default: the number of cores).", NULL},
		{0, "no-terminal", NULL, OPT_FLAG, &f->no_terminal, "Do not show a status line.",
		 NULL},
		{'n', "num-tests", "N", OPT_INT, &o->property.num_tests,
		 "Number of random inputs per property (default 100).", NULL},
		{'m', "max-size", "N", OPT_INT, &o->property.max_size,
		 "Maximum size of these inputs (default 50).", NULL},
		{0, "num-tries", "N", OPT_INT, &o->property.num_tries,
		 "Unsuccessful attempts at shrinking before giving up (default 5).", NULL},
		{0, "after", "PASS,..|soac", OPT_CALL, o,
		 "Run these passes, then interpret the resulting program.", set_after},
		OPT_CHECKED,
		{0, "fuel", "PASS:N", OPT_CALL, &o->passes,
		 "With --after: limit a pass to N rewrites.", set_fuel},
		{0, "seed", "SEED", OPT_CALL, f, "Seed of the random inputs (default: random).",
		 set_seed},
		OPTS_RUNS(c),
		OPTS_COMPILER(c),
		{0, "with", "OPT", OPT_LIST, &o->with,
		 "Run compiled programs once with each OPT given; may be repeated.", NULL},
	};
	const Usage u = {
		"test", "FILES-OR-DIRECTORIES",
		"Runs the tests in the test blocks of programs.  Directories are searched for "
		".fut files.  Exits with 0 if all programs pass, and with 1 otherwise.",
		1, -1, OPTS(opts), NULL,
	};
	Texts paths = parse_args(&u, argc, argv);
	if (f->concurrency < 0 || o->property.num_tests < 0 || o->property.max_size < 0)
		usage_error(&u, "numbers must not be negative");
	if (strcmp(c->backend, "interpreter") == 0) {
		o->interpreted = true;
		c->backend = "c";
	}
	const char *why = check_compile_options(c);
	if (why && !o->interpreted)
		usage_error(&u, "%s", why);
	return paths;
}

int cmd_test(int argc, char **argv)
{
	Flags f = {.options.property = {.num_tests = 100, .max_size = 50, .num_tries = 5},
	           .options.compile.backend = "c"};
	Texts paths = parse_flags(&f, argc, argv);
	if (!f.seeded)
		f.options.property.seed =
			(uint32_t)((uint64_t)time(NULL) << 20 ^ (uint64_t)getpid());
	f.options.mode = f.check_only || f.structure_only ? TEST_CHECK
	               : f.lower_only ? TEST_LOWER : f.compile_only ? TEST_COMPILE : TEST_RUN;
	Runner r = {.options = &f.options, .last_status = time(NULL)};
	r.terminal = !f.no_terminal && stream_is_terminal(stdout);
	r.max_jobs = f.concurrency > 0 && f.concurrency < 10000 ? (int)f.concurrency : cores();
	r.jobs = NEW_ARRAY(Job, r.max_jobs);
	TextVec programs = {0};
	bool ok = true;
	for EACH(const char *, p, paths)
		ok &= find_programs(*p, &programs);
	if (!ok || !read_specs(&r, &programs))
		return 1;
	run_all(&r);
	return r.failed ? 1 : 0;
}
