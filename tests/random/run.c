// Running random programs: each way in a process of its own, which may crash or go on for ever; many
// programs share one.  A run that fails is repeated with each half of the programs, down to those
// that fail by themselves.
#include "run.h"

#include "cli/cli.h"

#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 10 };                         // seconds of the clock per second of processor time

#if defined(__SANITIZE_ADDRESS__) || defined(STACK_IS_WATCHED)
static const bool is_watched = true;
#else
static const bool is_watched = false;
#endif

const char *const way_name[N_WAYS] = {
	"interpreter", "each pass of c", "each pass of multicore", "each pass of gpu", "soac", "device",
	"memory", "c", "multicore", "opencl", "cuda", "c, sanitized",
};

Random *make(int64_t seed)
{
	switch (options.kind) {
	case LANG:        return make_lang((uint64_t)seed);
	case SIZES:       return make_sizes((uint64_t)seed);
	case DERIVATIVES: return make_random((uint64_t)seed);
	case N_KINDS:     break;
	}
	bug("not a kind of programs");
}

void put_header(Str *s)
{
	switch (options.kind) {
	case LANG:        print_lang_header(s); return;
	case SIZES:       print_sizes_header(s); return;
	case DERIVATIVES: print_header(s); return;
	case N_KINDS:     break;
	}
	bug("not a kind of programs");
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
	out->n = 0;
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

// `plain` is what the interpreter made of the programs before; `loaded` the programs in core, NULL
// where the process of the run is to make that of the file.
typedef struct {
	const char *path;
	Random **programs;
	int n;
	Way way;
	const Outcomes *plain;
	Outcomes *out;
	const Loaded *loaded;
} Job;

static void say(Job *j, const char *why)
{
	for (int i = 0; i < j->n; i++) {
		j->out->first[i].state = FAILED;
		snprintf(j->out->first[i].why, sizeof j->out->first[i].why, "%s", why);
	}
}

static void call_all(Job *j, Loaded *l, Server *server)
{
	for (int i = 0; i < j->n; i++) {
		call(l, server, j->programs[i], text("p%d", i), &j->out->first[i]);
		if (j->programs[i]->second)
			call(l, server, j->programs[i], text("q%d", i), &j->out->second[i]);
	}
}

static const char *unlike_plain(const Job *j, int i, const Outcome *plain, const Outcome *out)
{
	if (out->state == FAILED)
		return out->why;
	return all_moderate(plain) ? compare_outcomes(j->programs[i], plain, out) : NULL;
}

// Which program is wrong after the pass, if any; it says so in its outcome.
static bool any_wrong(Job *j, const char *pass, int number)
{
	bool wrong = false;
	for (int i = 0; i < j->n; i++) {
		const char *why = unlike_plain(j, i, &j->plain->first[i], &j->out->first[i]);
		if (!why && j->programs[i]->second)
			why = unlike_plain(j, i, &j->plain->second[i], &j->out->second[i]);
		if (!why)
			continue;
		wrong = true;
		why = text("after pass %d, %s: %s", number, pass, why);
		j->out->first[i].state = FAILED;
		snprintf(j->out->first[i].why, sizeof j->out->first[i].why, "%s", why);
	}
	return wrong;
}

// The interpreter goes first: passes may free its memory.
static void optimise(Loaded *l, Pipeline run, const PassOptions *o)
{
	interp_free(l->interp);
	l->prog = run_passes(l->prog, run, o);
	l->interp = interp_new(l->prog);
}

static const char *const backend_after[N_WAYS] = {
	[PASSES_C] = "c", [PASSES_MULTICORE] = "multicore", [PASSES_GPU] = "gpu",
};

// How many passes at the beginning another way has, too, which was tried before: the programs after
// those are the same.
static int passes_in_common(Way way, Pipeline all)
{
	int most = 0;
	for (int w = PASSES_C; w < (int)way; w++) {
		Pipeline other = pipeline_of_backend(backend_after[w]);
		int k = 0;
		while (k < all.len && k < other.len && all.at[k] == other.at[k])
			k++;
		most = options.way[w] && k > most ? k : most;
	}
	return most;
}

static void after_each(Job *j, Loaded *l)
{
	Pipeline all = pipeline_of_backend(backend_after[j->way]);
	int known = passes_in_common(j->way, all);
	PassMemory memory = pass_memory();
	for (int k = 0; k < all.len; k++) {
		PassOptions o = {.check = k < known ? CHECK_OFF : CHECK_EACH, .memory = &memory};
		optimise(l, (Pipeline){all.at + k, 1}, &o);
		if (k < known)
			continue;
		call_all(j, l, NULL);
		j->out->after_passes += j->n;
		if (any_wrong(j, passes[all.at[k]].name, k + 1))
			return;
	}
}

// Where many programs are compiled together, undefined behaviour is a trap and memory is checked by
// calls, which is less code; one program by itself then says what was wrong, and where.
static const char *sanitizer_flags(int programs)
{
	return programs == 1
	     ? "-O0 -g1 -std=c11 -w -fsanitize=address,undefined -fno-sanitize-recover=undefined"
	     : "-O0 -std=c11 -w -fsanitize=address,undefined -fno-sanitize=null "
	       "-fsanitize-undefined-trap-on-error "
	       "--param asan-instrumentation-with-call-threshold=0";
}

static const char *compiler_flags(const Job *j)
{
	const char *given = getenv("CFLAGS");
	switch (j->way) {
	case RUN_SANITIZED:
		return sanitizer_flags(j->n);
	case RUN_MULTICORE: // even small arrays are shared out
		return text("%s -DRD_LEAST_WORK=2", given ? given : "-O0 -std=c11 -w");
	default:
		return given ? given : "-O0 -std=c11 -w";
	}
}

static void run_compiled(Job *j, Loaded *l, const char *backend)
{
	Server *server;
	const char *why = NULL, *exe = text("%s.exe", j->path);
	CompileOptions compile = {.backend = backend, .timeout = PATIENCE * (double)options.seconds};
	setenv("CFLAGS", compiler_flags(j), true);
	if (j->way == RUN_SANITIZED) {
		setenv("ASAN_OPTIONS", "detect_leaks=1:log_path=report", true);
		setenv("UBSAN_OPTIONS", "print_stacktrace=1:log_path=report", true);
	}
	if (j->way == RUN_MULTICORE)
		VEC_PUSH(&compile.options, text("--num-threads=%d",
		                                (int)(j->programs[0]->seed / 3 % 4) + 1));
	if (compile_server(l, j->path, exe, &compile, &why) != COMPILED ||
	    !(server = start_compiled(j->path, exe, &compile, &why))) {
		say(j, why);
		return;
	}
	call_all(j, l, server);
	server_stop(server);
}

static void run_after(Job *j, Loaded *l, Pipeline first, Pipeline then)
{
	PassMemory memory = pass_memory();
	PassOptions o = {.check = CHECK_EACH, .memory = &memory};
	optimise(l, first, &o);
	optimise(l, then, &o);
	call_all(j, l, NULL);
}

static bool load(const char *path, Loaded *l)
{
	return driver_check(path, (LoadOptions){.no_warnings = true}, l) && driver_lower(l, NULL);
}

static int run_job(void *arg)
{
	Job *j = arg;
	Loaded l;
	if (j->loaded) {
		l = *j->loaded;
	} else if (!load(j->path, &l)) {
		say(j, text("rejected: %s", diags_text()));
		return 0;
	}
	switch (j->way) {
	case PLAIN:            call_all(j, &l, NULL); return 0;
	case PASSES_C:         after_each(j, &l); return 0;
	case PASSES_MULTICORE: after_each(j, &l); return 0;
	case PASSES_GPU:       after_each(j, &l); return 0;
	case SOAC:             run_after(j, &l, pipeline_soac, (Pipeline){0}); return 0;
	case DEVICE:           run_after(j, &l, pipeline_soac, pipeline_gpu); return 0;
	case MEMORY:           run_after(j, &l, pipeline_sequential(), pipeline_c); return 0;
	case RUN_C:            run_compiled(j, &l, "c"); return 0;
	case RUN_MULTICORE:    run_compiled(j, &l, "multicore"); return 0;
	case RUN_OPENCL:       run_compiled(j, &l, "opencl"); return 0;
	case RUN_CUDA:         run_compiled(j, &l, "cuda"); return 0;
	case RUN_SANITIZED:    run_compiled(j, &l, "c"); return 0;
	case N_WAYS:           break;
	}
	bug("not a way");
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
	         signal == SIGALRM || signal == SIGXCPU ? "took too long" : signal ? strsignal(signal)
	                             : text("ended with %d",
	                                    WEXITSTATUS(status)), said ? said : "");
}

// A sanitizer reserves a great deal, in this program or in those that it compiles; so do drivers.
static rlim_t most_memory(Way way)
{
	const char *flags = getenv("CFLAGS");
	bool sanitized = way == RUN_SANITIZED || (flags && strstr(flags, "-fsanitize"));
	bool device = way == RUN_CUDA || way == RUN_OPENCL;
	return is_watched || sanitized || device ? RLIM_INFINITY : (rlim_t)4 << 30;
}

// What a sanitizer wrote, of a server, which does not pass it on; the files are removed.
static const char *sanitizer_report(void)
{
	glob_t found;
	const char *said = NULL;
	if (glob("report.*", 0, NULL, &found) != 0)
		return NULL;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		size_t n;
		const char *all = read_file(found.gl_pathv[i], &n);
		const char *at = all ? strstr(all, "ERROR: ") : NULL;
		at = at || !all ? at : strstr(all, "runtime error: ");
		if (at)
			said = text("%.250s", at);
		unlink(found.gl_pathv[i]);
	}
	globfree(&found);
	return said;
}

static double seconds_of(const struct rusage *u)
{
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
	       1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

// Processor time is what is limited, since other jobs may leave little of it.  A process that it
// starts may have other limits.
static void limit(Way way)
{
	rlim_t most = most_memory(way), time = (rlim_t)options.seconds;
	setrlimit(RLIMIT_AS, &(struct rlimit){most, RLIM_INFINITY});
	setrlimit(RLIMIT_CPU, &(struct rlimit){time, RLIM_INFINITY});
	alarm((unsigned)options.seconds * PATIENCE);
}

// In a process of its own, with limits and a stack for deep recursion.
static pid_t start(int (*f)(void *), void *arg, Way way, const char *log)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	if (pid > 0)
		return pid;
	if (!freopen(log, "w", stderr) || !freopen(log, "a", stdout))
		_exit(3);
	limit(way);
	int code = with_big_stack((size_t)1 << 30, f, arg);
	fflush(NULL);
	_exit(code);
}

static int wait_for(pid_t pid, struct rusage *used)
{
	int status;
	while (wait4(pid, &status, 0, used) < 0)
		continue;
	return status;
}

// Runs programs in one process; false when one or all failed, with the reason in the outcomes.
static bool run(Job *j)
{
	memset(j->out, 0, sizeof *j->out);
	if (!j->loaded)
		write_programs(j->path, j->programs, j->n);
	const char *log = text("%s.log", j->path);
	struct rusage used;
	int status = wait_for(start(run_job, j, j->way, log), &used);
	total_add(j->way, 0, seconds_of(&used));
	const char *report = j->way == RUN_SANITIZED ? sanitizer_report() : NULL;
	bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !report;
	for (int i = 0; i < j->n; i++) {
		Outcome *o = &j->out->first[i];
		if (report)
			snprintf(o->why, sizeof o->why, "%s", report);
		else if (!ok && o->state != GAVE)
			describe_end(status, log, o->why, sizeof o->why);
		if (report || (!ok && o->state != GAVE))
			o->state = FAILED;
		ok = ok && o->state == GAVE;
	}
	return ok;
}

static bool run_parts(Job *j);

static bool run_half(const Job *whole, int from, int to)
{
	Outcomes *out = shared_memory(sizeof *out), *plain = mem_dup(whole->plain, sizeof *plain);
	Job j = {"half.fut", whole->programs + from, to - from, whole->way, plain, out, NULL};
	memmove(plain->first, plain->first + from, (size_t)j.n * sizeof *plain->first);
	memmove(plain->second, plain->second + from, (size_t)j.n * sizeof *plain->second);
	bool ok = run_parts(&j);
	memcpy(whole->out->first + from, out->first, (size_t)j.n * sizeof *out->first);
	memcpy(whole->out->second + from, out->second, (size_t)j.n * sizeof *out->second);
	munmap(out, sizeof *out);
	return ok;
}

// Runs halves where running all at once fails.
static bool run_parts(Job *j)
{
	if (run(j))
		return true;
	if (j->n == 1)
		return false;
	char *why = mem_dup(j->out->first[0].why, sizeof j->out->first[0].why);
	bool first = run_half(j, 0, j->n / 2), second = run_half(j, j->n / 2, j->n);
	if (first && second) {
		j->out->first[0].state = FAILED;
		snprintf(j->out->first[0].why, sizeof j->out->first[0].why,
		         "only together with the %d after it: %s", j->n - 1, why);
	}
	return false;
}

// All ways of a batch: `loaded` as in Job.
typedef struct {
	const char *path;
	Random **programs;
	int n;
	Outcomes **space;                       // by way
	bool *is_done;                          // shared
} Batch;

static void run_ways(const Batch *b, const Loaded *loaded)
{
	for (int w = 0; w < N_WAYS; w++)
		if (options.way[w]) {
			Job j = {b->path, b->programs, b->n, (Way)w, b->space[PLAIN], b->space[w],
			         loaded};
			run_parts(&j);
		}
	*b->is_done = true;
}

// Checks and lowers once for all ways.  What the checker rejects is left to each way.
static int load_and_run(void *arg)
{
	const Batch *b = arg;
	Loaded l;
	struct rusage used;
	write_programs(b->path, b->programs, b->n);
	if (!load(b->path, &l))
		return 0;
	alarm(0);
	getrusage(RUSAGE_SELF, &used);
	total_add(PLAIN, 0, seconds_of(&used));
	run_ways(b, &l);
	return 0;
}

void try_all(const char *path, Random **programs, int n, Outcomes *all[N_WAYS])
{
	static Outcomes *space[N_WAYS];
	static bool *is_done;
	if (!is_done)
		is_done = shared_memory(sizeof *is_done);
	for (int w = 0; w < N_WAYS; w++) {
		if (options.way[w] && !space[w])
			space[w] = shared_memory(sizeof *space[w]);
		all[w] = options.way[w] ? space[w] : NULL;
	}
	Batch b = {path, programs, n, space, is_done};
	struct rusage used;
	*is_done = false;
	wait_for(start(load_and_run, &b, PLAIN, text("%s.log", path)), &used);
	if (!*is_done)
		run_ways(&b, NULL);
}
