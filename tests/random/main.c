// random [options]: makes random programs, runs each in several ways, and compares.
//
//   interpreter            its own derivatives, by dual numbers and on a tape
//   some passes            the first passes of a back end, another number for each seed
//   after=soac             the derivatives that the pass `differentiate` makes, optimised
//   after=device           the same, with loops for devices
//   after=memory           the same, with memory in place
//   compiled               the same as C
//
// All ways must give the same numbers; and those must agree among themselves: forward mode with
// reverse mode, both with differences, three ways to a Hessian times a vector with each other.  A
// program that fails is made smaller and left in a file.  Each run is a process of its own, which
// may crash or go on for ever; many programs share one, and a run that fails as a whole is
// repeated program by program.
#include "random.h"

#include "cli/cli.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 128, NUMBERS = 256 };             // programs of a file, numbers of a result
#if defined(__SANITIZE_ADDRESS__) || defined(STACK_IS_WATCHED)
static const bool is_watched = true;
#else
static const bool is_watched = false;
#endif

typedef enum { PLAIN, SOME_PASSES, SOAC, DEVICE, MEMORY, COMPILED_C, N_WAYS } Way;
static const char *const way_name[N_WAYS] = {"interpreter", "some passes", "soac", "device", "memory",
                                                "compiled"};

// What a run of a program gave.
typedef struct {
	enum { NOT_RUN, FAILED, GAVE } state;
	int n;                                  // numbers in all results together
	double numbers[NUMBERS];
	char why[300];
} Outcome;
// Results of p and q of each program, shared with the process that makes them.
typedef struct { Outcome first[MOST], second[MOST]; } Outcomes;

typedef struct {
	int64_t seed, count, batch, tries, seconds;
	bool compiled, quick, verbose, show, sizes, lang;
	const char *dir, *backend;
} Options;
static Options options = {.backend = "c", .seed = 1, .count = 100, .batch = 50, .tries = 400, .seconds = 200};

static Random *make(int64_t seed)
{
	return options.lang ? make_lang((uint64_t)seed)
	     : options.sizes ? make_sizes((uint64_t)seed) : make_random((uint64_t)seed);
}

static void put_header(Str *s)
{
	if (options.lang)
		print_lang_header(s);
	else if (options.sizes)
		print_sizes_header(s);
	else
		print_header(s);
}

// ---- Inside the process of a run ----

static Value input(int64_t n, uint64_t seed)
{
	Value v = value_new(PT_F64, 1, &n);
	Rng rng = {.state = seed};
	for (int64_t i = 0; i < n; i++)
		value_set(&v, i, scalar_float(PT_F64,
		                              (double)(rng_next(&rng) >> 40) / (1 << 23) - 1));
	return v;
}

static void gather(const Values *results, Outcome *out)
{
	for EACH(Value, v, *results)
		for (int64_t i = 0; i < value_count(v) && out->n < NUMBERS; i++)
			out->numbers[out->n++] = value_get(v, i).f;
	out->state = GAVE;
}

static void call(Loaded *l, Server *server, const Random *r, const char *entry, Outcome *out)
{
	Values args = {0}, results = {0};
	VEC_PUSH(&args, input(r->n, r->seed));
	VEC_PUSH(&args, input(r->m, r->seed + 1));
	const char *why = NULL;
	const Fun *f = find_entry(l->prog, entry);
	Script script = {.loaded = l, .server = server, .dir = ".", .traces = stderr};
	if (!f)
		bug("no entry point %s", entry);
	if (script_run(&script, f, &args, &results, &why)) {
		gather(&results, out);
	} else {
		out->state = FAILED;
		snprintf(out->why, sizeof out->why, "%s", why);
	}
}

typedef struct { const char *path; Random **programs; int n; Way way; Outcomes *out; } Job;

static void say(Job *j, const char *why)
{
	for (int i = 0; i < j->n; i++) {
		j->out->first[i].state = FAILED;
		snprintf(j->out->first[i].why, sizeof j->out->first[i].why, "%s", why);
	}
}

static Pipeline some_passes(uint64_t seed)
{
	static const char *const backends[] = {"c", "multicore", "gpu"};
	Pipeline all = pipeline_of_backend(backends[seed / 7 % 3]);
	uint64_t mixed = (seed + 1) * 0x9e3779b97f4a7c15u;
	return (Pipeline){all.at, 1 + (int)((mixed >> 33) % (uint64_t)all.len)};
}

static int run_job(void *arg)
{
	Job *j = arg;
	Loaded l;
	Server *server = NULL;
	const char *why = NULL;
	if (!driver_check(j->path, (LoadOptions){.no_warnings = true}, &l) || !driver_lower(&l,
	                                                                                    NULL)) {
		say(j, text("rejected: %s", diags_text()));
		return 0;
	}
	Pipeline to_memory = {0};
	const char *exe = text("%s.exe", j->path);
	CompileOptions compile = {.backend = options.backend, .timeout = (double)options.seconds};
	switch (j->way) {
	case PLAIN:
		break;
	case SOME_PASSES:
		driver_optimise(&l, some_passes(j->programs[0]->seed),
		                &(PassOptions){.check = CHECK_EACH});
		break;
	case SOAC:
		driver_optimise(&l, pipeline_soac, &(PassOptions){.check = CHECK_EACH});
		break;
	case DEVICE:
		driver_optimise(&l, pipeline_soac, &(PassOptions){.check = CHECK_EACH});
		driver_optimise(&l, pipeline_gpu, &(PassOptions){.check = CHECK_EACH});
		break;
	case MEMORY:
		driver_optimise(&l, pipeline_sequential(), &(PassOptions){.check = CHECK_EACH});
		to_memory = pipeline_c;
		driver_optimise(&l, to_memory, &(PassOptions){.check = CHECK_EACH});
		break;
	case COMPILED_C:
		if (compile_server(&l, j->path, exe, &compile, &why) != COMPILED ||
		    !(server = start_compiled(j->path, exe, &compile, &why))) {
			say(j, why);
			return 0;
		}
		break;
	case N_WAYS:
		bug("not a way");
	}
	for (int i = 0; i < j->n; i++) {
		call(&l, server, j->programs[i], text("p%d", i), &j->out->first[i]);
		if (j->programs[i]->second)
			call(&l, server, j->programs[i], text("q%d", i), &j->out->second[i]);
	}
	if (server)
		server_stop(server);
	return 0;
}

// ---- Runs ----

static void write_programs(const char *path, Random **programs, int n)
{
	Str s = {0};
	put_header(&s);
	for (int i = 0; i < n; i++)
		print_random(&s, programs[i], i);
	FILE *f = fopen(path, "w");
	if (!f || fputs(str_text(&s), f) < 0 || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

static void describe_end(int status, const char *log, char *why, size_t len)
{
	size_t n;
	const char *said = read_file(log, &n);
	int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	snprintf(why, len, "%s; %s",
	         signal == SIGALRM ? "took too long" : signal ? strsignal(signal)
	                             : text("ended with %d",
	                                    WEXITSTATUS(status)), said ? said : "");
}

// A sanitizer reserves a great deal, in this program or in those that it compiles.
static rlim_t most_memory(void)
{
	const char *flags = getenv("CFLAGS");
	return is_watched || (flags && strstr(flags, "-fsanitize")) ? RLIM_INFINITY : (rlim_t)4 << 30;
}

// Runs programs in one process; false when that ended badly, with the reason in the outcomes.
static bool run(const char *path, Random **programs, int n, Way way, Outcomes *out)
{
	Job j = {path, programs, n, way, out};
	memset(out, 0, sizeof *out);
	const char *log = text("%s.log", path);
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	if (pid == 0) {
		if (!freopen(log, "w", stderr) || !freopen(log, "a", stdout))
			_exit(3);
		alarm((unsigned)options.seconds);
		setrlimit(RLIMIT_AS, &(struct rlimit){most_memory(), most_memory()});
		int code = with_big_stack((size_t)1 << 30, run_job, &j);
		fflush(NULL);
		_exit(code);
	}
	int status;
	while (waitpid(pid, &status, 0) < 0)
		continue;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	for (int i = 0; i < n; i++)
		if (out->first[i].state != GAVE) {
			out->first[i].state = FAILED;
			describe_end(status, log, out->first[i].why, sizeof out->first[i].why);
		}
	return false;
}

// Runs each by itself where running all at once fails.
static void run_all(const char *path, Random **programs, int n, Way way, Outcomes *out)
{
	bool all = run(path, programs, n, way, out);
	bool rejected = false;
	for (int i = 0; i < n; i++)
		rejected |= out->first[i].state == FAILED;
	if (n == 1 || (all && !rejected))
		return;
	static Outcomes *one;
	if (!one)
		one = mmap(NULL, sizeof *one, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		           -1, 0);
	for (int i = 0; i < n; i++) {
		const char *single = text("%s/single.fut", options.dir);
		write_programs(single, programs + i, 1);
		run(single, programs + i, 1, way, one);
		out->first[i] = one->first[0];
		out->second[i] = one->second[0];
	}
}

// ---- Comparing ----

static double scale_of(const double *a, int n)
{
	double most = 1;
	for (int i = 0; i < n; i++)
		most = fmax(most, fabs(a[i]));
	return most;
}

static bool all_moderate(const Outcome *o)
{
	for (int i = 0; i < o->n; i++)
		if (!(fabs(o->numbers[i]) < 1e7))
			return false;
	return true;
}

static const char *differ(const double *a, const double *b, int n, double tolerance)
{
	double scale = scale_of(a, n);
	for (int i = 0; i < n; i++)
		if (!(fabs(a[i] - b[i]) <= tolerance * scale))
			return text("component %d: %.12g and %.12g", i, a[i], b[i]);
	return NULL;
}

static double some(int i)
{
	return sin(1.7 * i + 0.3) + 0.1;
}

// Forward mode, reverse mode and differences of one outcome.
static const char *first_order(const Random *r, const Outcome *o, int *smooth)
{
	int n = (int)r->n, m = (int)r->m;
	const double *y = o->numbers, *y2 = y + n, *g = y2 + n, *t = g + n + m, *at = t + n;
	const char *d = differ(y, y2, n, 1e-11);
	if (d)
		return text("values of vjp2 and jvp2, %s", d);
	for (int k = 0; k < 2; k++) {
		double scaled[NUMBERS] = {0};
		for (int i = 0; i < n; i++)
			scaled[i] = (k + 1) * t[i];
		d = differ(scaled, at + 4 + k * n, n, 1e-9);
		if (d)
			return text("jvp and direction %d of jmp, %s", k, d);
	}
	double forward = 0, backward = 0, scale = fmax(scale_of(g, n + m), scale_of(t, n));
	for (int i = 0; i < n; i++)
		forward += t[i] * some(i);
	for (int i = 0; i < n; i++)
		backward += g[i] * some(i);
	for (int i = 0; i < m; i++)
		backward += g[n + i] * some(i);
	if (!(fabs(forward - backward) <= 1e-8 * scale))
		return text("forward %.12g, reverse %.12g", forward, backward);
	double h = 1e-4, d1 = (at[0] - at[1]) / (2 * h), d2 = (at[2] - at[3]) / (4 * h);
	double value = 0;
	for (int i = 0; i < n; i++)
		value += y[i] * some(i);
	// Where second differences at two steps do not have the ratio of a smooth function, there
	// is a kink nearby.
	double s1 = at[0] + at[1] - 2 * value, s2 = at[2] + at[3] - 2 * value;
	if (fabs(s2 - 4 * s1) > 1e-6 * scale * h || fabs(d1 - d2) > 1e-3 * scale)
		return NULL;
	++*smooth;
	double best = d1 + (d1 - d2) / 3;
	if (fabs(best - forward) > 1e-4 * scale + 10 * fabs(d1 - d2))
		return text("derivative %.10g, differences %.10g", forward, best);
	return NULL;
}

static const char *second_order(const Random *r, const Outcome *o)
{
	int k = (int)(r->n + r->m);
	const double *a = o->numbers;
	const char *d = differ(a, a + k, k, 1e-7);
	if (d)
		return text("Hessian: jvp of vjp, vjp of vjp, %s", d);
	d = differ(a, a + 2 * k, k, 1e-7);
	return d ? text("Hessian: jvp of vjp, vjp of jvp, %s", d) : NULL;
}

typedef struct { int programs, vacuous, smooth, second; } Counts;
static Counts counts;

static const char *compare_outcomes(const Random *r, const Outcome *a, const Outcome *b)
{
	if (b->state == FAILED)
		return b->why;
	if (a->n != b->n)
		return text("%d numbers, not %d", b->n, a->n);
	return differ(a->numbers, b->numbers, a->n, r->exact ? 0 : 1e-8);
}

// What is wrong with program i, or NULL; all[] are the outcomes of the ways tried.
static const char *verdict(const Random *r, Outcomes *all[N_WAYS], int i)
{
	const Outcome *plain = &all[PLAIN]->first[i];
	if (plain->state == FAILED)
		return text("interpreter: %s", plain->why);
	if (!all_moderate(plain)) {
		counts.vacuous++;
		plain = NULL;
	} else if (!r->sizes) {
		const char *why = first_order(r, plain, &counts.smooth);
		if (why)
			return text("interpreter: %s", why);
	}
	bool second = r->second && plain && all_moderate(&all[PLAIN]->second[i]);
	if (second) {
		const Outcome *o = &all[PLAIN]->second[i];
		const char *why = o->state == FAILED ? o->why : second_order(r, o);
		if (why)
			return text("interpreter: %s", why);
		counts.second++;
	}
	for (int w = SOAC; w < N_WAYS; w++) {
		if (!all[w])
			continue;
		const Outcome *other = &all[w]->first[i];
		const char *why = plain ? compare_outcomes(r, plain, other)
		                : other->state == FAILED ? other->why : NULL;
		if (!why && second)
			why = compare_outcomes(r, &all[PLAIN]->second[i], &all[w]->second[i]);
		if (why)
			return text("%s: %s", way_name[w], why);
	}
	return NULL;
}

static void try_all(const char *path, Random **programs, int n, Outcomes *all[N_WAYS])
{
	static Outcomes *space[N_WAYS];
	for (int w = 0; w < N_WAYS; w++) {
		all[w] = NULL;
		if (w == COMPILED_C ? !options.compiled
		    : w == SOME_PASSES ? !options.lang
		    : options.quick && (w == MEMORY || (w == DEVICE && options.sizes)))
			continue;
		if (!space[w])
			space[w] = mmap(NULL, sizeof *space[w], PROT_READ | PROT_WRITE,
			                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		write_programs(path, programs, n);
		run_all(path, programs, n, (Way)w, space[w]);
		all[w] = space[w];
	}
}

// Does the program still go wrong in the same way?
static bool fails(const Random *r, void *ctx)
{
	const char *before = ctx;
	const char *path = text("%s/smaller.fut", options.dir);
	Random *one[1] = {(Random *)r};
	Outcomes *all[N_WAYS];
	Counts kept = counts;
	try_all(path, one, 1, all);
	const char *why = verdict(r, all, 0);
	counts = kept;
	bool rejected = why && strstr(why, "rejected") != NULL;
	// A word of the reason is enough: numbers and places change.
	return why && !rejected && strncmp(why, before, strcspn(before, ":")) == 0;
}

static void report(Random *r, const char *why)
{
	bool rejected = strstr(why, "rejected") != NULL;
	printf("seed %llu: %s\n", (unsigned long long)r->seed, why);
	fflush(stdout);
	if (!rejected && options.tries)
		r = shrink(r, fails, (void *)why, (int)options.tries);
	Str s = {0};
	str_printf(&s, "-- seed %llu, n = %d, m = %d\n-- %s\n", (unsigned long long)r->seed,
	           (int)r->n,
	           (int)r->m, text("%.*s", (int)strcspn(why, "\n"), why));
	put_header(&s);
	print_random(&s, r, 0);
	const char *path = text("%s/seed%llu.fut", options.dir, (unsigned long long)r->seed);
	FILE *f = fopen(path, "w");
	if (f) {
		fputs(str_text(&s), f);
		fclose(f);
		printf("  smaller: %s\n", path);
	}
	fflush(stdout);
}

// ---- The command ----

static Texts read_options(int argc, char **argv)
{
	const Opt opts[] = {
		{'s', "seed", "N", OPT_INT, &options.seed, "First seed (default 1).", NULL},
		{'n', "count", "N", OPT_INT, &options.count, "Number of programs (default 100).",
		 NULL},
		{'b', "batch", "N", OPT_INT, &options.batch, "Programs to a file (default 50).",
		 NULL},
		{'c', "compiled", NULL, OPT_FLAG, &options.compiled, "Compile to C, too.", NULL},
		{0, "backend", "NAME", OPT_TEXT, &options.backend,
		 "With --compiled: for what (default c).", NULL},
		{'q', "quick", NULL, OPT_FLAG, &options.quick,
		 "Leave out the memory passes, and with --sizes those of devices.", NULL},
		{'t', "tries", "N", OPT_INT, &options.tries,
		 "Attempts to make a failing program smaller (default 400).", NULL},
		{0, "seconds", "N", OPT_INT, &options.seconds, "Limit of a run (default 200).",
		 NULL},
		{0, "sizes", NULL, OPT_FLAG, &options.sizes,
		 "Programs over sizes, without derivatives.", NULL},
		{0, "lang", NULL, OPT_FLAG, &options.lang,
		 "Programs over the whole language, without derivatives.", NULL},
		{'v', "verbose", NULL, OPT_FLAG, &options.verbose, "Say how many are done.", NULL},
		{0, "show", NULL, OPT_FLAG, &options.show, "Print the program of the seed only.",
		 NULL},
	};
	const Usage u = {"random", "DIR",
	                 "Tests derivatives of random programs; failures are left in DIR.",
	                 1, 1, OPTS(opts), NULL};
	return parse_args(&u, argc, argv);
}

int main(int argc, char **argv)
{
	options.dir = read_options(argc, argv).at[0];
	if (options.show) {
		Str s = {0};
		put_header(&s);
		print_random(&s, make(options.seed), 0);
		fputs(str_text(&s), stdout);
		return 0;
	}
	int failed = 0;
	// There compiler errors leave their files, too.
	if (chdir(options.dir) != 0) {
		perror(options.dir);
		return 2;
	}
	options.dir = ".";
	if (options.batch < 1 || options.batch > MOST)
		options.batch = MOST;
	for (int64_t done = 0; done < options.count; ) {
		Random *programs[MOST];
		int n = 0;
		for (; n < options.batch && done < options.count; n++, done++)
			programs[n] = make(options.seed + done);
		Outcomes *all[N_WAYS];
		try_all(text("%s/batch.fut", options.dir), programs, n, all);
		const char *why[MOST];
		for (int i = 0; i < n; i++)
			why[i] = verdict(programs[i], all, i);
		if (options.verbose)
			fprintf(stderr, "%lld done\n", (long long)done);
		for (int i = 0; i < n; i++, counts.programs++)
			if (why[i]) {
				failed++;
				report(programs[i], why[i]);
			}
	}
	fprintf(stderr, "%d programs, %d with finite values, %d compared with differences, "
	        "%d of second order\n", counts.programs, counts.programs - counts.vacuous,
	        counts.smooth, counts.second);
	printf("%d passed, %d failed\n", counts.programs - failed, failed);
	return failed != 0;
}
