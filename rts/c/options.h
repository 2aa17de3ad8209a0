// Parses the command lines of executables and server executables, and declares the tables of the
// program's types and entry points, which both use.
//
//   -a  -abc  -aARG  -a ARG  --name  --name=ARG  --name ARG  --na (when unambiguous)
#ifndef RD_OPTIONS_H
#define RD_OPTIONS_H
#include "api.h"
#include "object.h"

// These come from the program itself.
RD_API int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg,
                                                   const char *param_name, size_t new_value);
RD_API int futhark_get_tuning_param_count(void);
RD_API const char *futhark_get_tuning_param_name(int i);
RD_API const char *futhark_get_tuning_param_class(int i);

// @chunk program: object
struct rd_input { const char *name; const struct rd_type *type; int unique; };
struct rd_entry {
	const char *name;
	int n_inputs;
	const struct rd_input *inputs;
	const struct rd_type *output;
	int output_unique;
	const char *const *tuning_params, *const *attributes; // end with NULL
	// Arguments and the result are objects, or scalars: in[i] points to a struct or a scalar,
	// out to where a pointer to a struct, or a scalar, is put.
	int (*call)(struct futhark_context *ctx, void *out, const void *const *in);
};
struct rd_program {
	int n_types;                    // without the scalars
	const struct rd_type *const *types;
	int n_entries;
	const struct rd_entry *entries; // alphabetical
};

// Room for a value of any type: an object, or a scalar.
union rd_slot { void *obj; uint64_t scalar; };

RD_FUN void *rd_slot_value(const struct rd_type *t, union rd_slot *v)
{
	return t->kind == RD_KIND_PRIM ? (void *)&v->scalar : v->obj;
}

RD_FUN void rd_slot_free(struct futhark_context *ctx, const struct rd_type *t, union rd_slot *v)
{
	if (t->kind != RD_KIND_PRIM)
		rd_object_free(ctx, t, v->obj);
}

// @chunk options: program
#include <errno.h>
#include <limits.h>
#ifdef __linux__
#include <signal.h>
#include <sys/resource.h>
#include <sys/ucontext.h>
#include <unistd.h>
#endif

// Recursive functions may go deeper: Linux lets the stack of the main thread grow up to a limit that
// a process may raise, and keeps 128 MiB free for it.
RD_FUN void rd_deepen_stack(void)
{
#ifdef __linux__
	const rlim_t deep = (rlim_t)120 * 1024 * 1024;
	struct rlimit limit;
	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    limit.rlim_cur < deep) {
		limit.rlim_cur = limit.rlim_max != RLIM_INFINITY && limit.rlim_max < deep ? limit.rlim_max : deep;
		setrlimit(RLIMIT_STACK, &limit);
	}
#endif
}

// Recursion without end is told by the fault of its last call, so that calls need not check
// anything.  A handler on a stack of its own says so and ends the process: functions of the C
// library may have been interrupted.  Libraries leave signals alone.
#if defined(__linux__) && defined(__x86_64__)
#define RD_STACK_POINTER(u) ((uintptr_t)(u)->uc_mcontext.gregs[15]) // REG_RSP
#elif defined(__linux__) && defined(__aarch64__)
#define RD_STACK_POINTER(u) ((uintptr_t)(u)->uc_mcontext.sp)
#endif
#ifdef RD_STACK_POINTER
static const char *rd_overflow_program; // its name, or NULL: it answers commands
static char rd_overflows;               // has happened to a thread

RD_FUN void rd_write_bytes(int fd, const char *s)
{
	if (write(fd, s, strlen(s)) < 0)
		_exit(1);
}

RD_FUN void rd_on_fault(int sig, siginfo_t *info, void *context)
{
	uintptr_t sp = RD_STACK_POINTER((ucontext_t *)context), at = (uintptr_t)info->si_addr;
	int fd = rd_overflow_program ? 2 : 1;
	if ((at < sp ? sp - at : at - sp) > (uintptr_t)1 << 20) {
		signal(sig, SIG_DFL);   // another fault: it comes again
		return;
	}
	if (__atomic_exchange_n(&rd_overflows, 1, __ATOMIC_RELAXED))
		for (;;)
			pause();        // another thread says so
	rd_write_bytes(fd, rd_overflow_program ? rd_overflow_program : "%%% FAILURE");
	rd_write_bytes(fd, rd_overflow_program ? ": " : "\n");
	rd_write_bytes(fd, "Error: Stack overflow: recursion too deep.\n");
	if (!rd_overflow_program)
		rd_write_bytes(fd, "%%% OK\n");
	_exit(1);
}

// For each thread: where the handler may run.  Without room: where it did before, for a thread that
// ends, and its room with it.
RD_FUN void rd_watch_stack(void *room, size_t bytes)
{
	static __thread stack_t before;
	stack_t alternative;
	if (!room) {
		sigaltstack(&before, NULL);
		return;
	}
	memset(&alternative, 0, sizeof alternative);
	alternative.ss_sp = room;
	alternative.ss_size = bytes;
	sigaltstack(&alternative, &before);
}
#endif

// `program` is the name to begin a message with, or NULL for a server.
RD_FUN void rd_watch_overflow(struct futhark_context *ctx, const char *program)
{
#ifdef RD_STACK_POINTER
	static char room[1 << 16];
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_sigaction = rd_on_fault;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigemptyset(&action.sa_mask);
	rd_overflow_program = program;
	rd_watch_stack(room, sizeof room);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	ctx->watch_stack = rd_watch_stack;
#else
	(void)ctx;
	(void)program;
#endif
}

struct rd_settings {
	const char *program;            // argv[0]
	struct futhark_context_config *cfg;
	const char *entry, *time_file;
	int runs;                       // 0: one, without warm-up
	int binary, no_result, profile;
	const char **words;             // those that are no options, n_words; NULL: there may be none
	int n_words;
};
struct rd_option {
	char letter;                    // 0: none
	const char *name, *arg, *about; // arg NULL: takes none
	void (*apply)(struct rd_settings *, const char *arg);
};

#if defined(__GNUC__)
#define RD_NORETURN __attribute__((noreturn))
#else
#define RD_NORETURN
#endif

RD_FUN RD_NORETURN RD_PRINTF(2, 3) void rd_die(const struct rd_settings *s, const char *format, ...)
{
	va_list ap;
	fflush(stdout);
	fprintf(stderr, "%s: ", s->program);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	exit(1);
}

RD_FUN void rd_usage(FILE *f, const struct rd_settings *s, const struct rd_option *options, int n)
{
	int i;
	fprintf(f, "Usage: %s [options...]%s\nOptions:\n\n", s->program, s->words ? " [values...]" : "");
	for (i = 0; i < n; i++) {
		const struct rd_option *o = &options[i];
		fputs("  ", f);
		if (o->letter)
			fprintf(f, "-%c/", o->letter);
		fprintf(f, "--%s%s%s\n      %s\n", o->name, o->arg ? " " : "", o->arg ? o->arg : "",
		        o->about);
	}
}

RD_FUN const struct rd_option *rd_find_option(const struct rd_option *options, int n,
                                              const char *name, size_t len)
{
	const struct rd_option *found = NULL;
	int i, n_found = 0;
	for (i = 0; i < n; i++)
		if (strncmp(options[i].name, name, len) == 0) {
			if (!options[i].name[len])
				return &options[i];
			found = &options[i];
			n_found++;
		}
	return n_found == 1 ? found : NULL;
}

RD_FUN const struct rd_option *rd_find_letter(const struct rd_option *options, int n, char letter)
{
	int i;
	for (i = 0; i < n; i++)
		if (options[i].letter == letter)
			return &options[i];
	return NULL;
}

// The argument of an option is what is left of its word, or else the next word.
RD_FUN void rd_apply_option(struct rd_settings *s, const struct rd_option *o, const char *rest,
                            int argc, char **argv, int *i)
{
	if (o->arg && !rest) {
		if (*i + 1 >= argc)
			rd_die(s, "Missing argument for option %s\n", argv[*i]);
		rest = argv[++*i];
	}
	o->apply(s, rest);
}

RD_FUN void rd_parse_options(struct rd_settings *s, const struct rd_option *options, int n,
                             int argc, char **argv)
{
	int i, only_words = 0;
	for (i = 1; i < argc; i++) {
		const char *word = argv[i], *eq = strchr(word, '=');
		const struct rd_option *o = NULL;
		bool negative = word[0] == '-' && strchr("0123456789.", word[1]) && word[1];
		if (only_words || word[0] != '-' || !word[1] || (negative && s->words)) {
			if (s->words) {
				s->words[s->n_words++] = word;
				continue;
			}
			rd_usage(stderr, s, options, n);
			rd_die(s, "Excess non-option: %s\n", word);
		}
		if (strcmp(word, "--") == 0) {
			only_words = 1;
			continue;
		}
		if (word[1] == '-') {
			size_t len = eq ? (size_t)(eq - word - 2) : strlen(word + 2);
			o = rd_find_option(options, n, word + 2, len);
			if (o && !(eq && !o->arg)) {
				if (strcmp(o->name, "help") == 0) {
					rd_usage(stdout, s, options, n);
					exit(0);
				}
				rd_apply_option(s, o, eq ? eq + 1 : NULL, argc, argv, &i);
				continue;
			}
		} else {
			const char *at = word + 1;
			while (*at && (o = rd_find_letter(options, n, *at)) != NULL) {
				at++;
				if (strcmp(o->name, "help") == 0) {
					rd_usage(stdout, s, options, n);
					exit(0);
				}
				rd_apply_option(s, o, o->arg && *at ? at : NULL, argc, argv, &i);
				if (o->arg)
					break;
			}
			if (o)
				continue;
		}
		rd_usage(stderr, s, options, n);
		rd_die(s, "Unknown option: %s\n", word);
	}
}

// ---- What the options do ----

RD_FUN int64_t rd_option_int(const struct rd_settings *s, const char *what, const char *arg)
{
	char *end;
	long long n;
	errno = 0;
	n = strtoll(arg, &end, 10);
	if (errno || end == arg || *end)
		rd_die(s, "%s needs an integer, not %s\n", what, arg);
	return n;
}

RD_FUN void rd_opt_debugging(struct rd_settings *s, const char *arg)
{
	(void)arg;
	futhark_context_config_set_debugging(s->cfg, 1);
}

RD_FUN void rd_opt_logging(struct rd_settings *s, const char *arg)
{
	(void)arg;
	futhark_context_config_set_logging(s->cfg, 1);
}

RD_FUN void rd_opt_profile(struct rd_settings *s, const char *arg)
{
	(void)arg;
	futhark_context_config_set_profiling(s->cfg, 1);
	s->profile = 1;
}

RD_FUN void rd_opt_cache_file(struct rd_settings *s, const char *arg)
{
	futhark_context_config_set_cache_file(s->cfg, arg);
}

// NAME=INT; false when it is not of this form.
RD_FUN int rd_split_param(char *text, const char **name, size_t *value)
{
	char *eq = strchr(text, '='), *end;
	long long n;
	if (!eq || eq == text)
		return 0;
	errno = 0;
	n = strtoll(eq + 1, &end, 10);
	if (errno || end == eq + 1 || end[strspn(end, " \t\r\n")] || n < 0)
		return 0;
	*eq = 0;
	*name = text;
	*value = (size_t)n;
	return 1;
}

// A number of bytes, with K, M, G or T after it.
RD_FUN void rd_opt_memory_budget(struct rd_settings *s, const char *arg)
{
	static const char units[] = "KMGTkmgt";
	char *end;
	unsigned long long n = strtoull(arg, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;
	int shift = unit ? 10 * (int)((unit - units) % 4 + 1) : 0;
	if (end == arg || (*end && !unit) || (unit && end[1]) || n == 0 || n > (1ULL << 62) >> shift)
		rd_die(s, "Invalid argument for --memory-budget: %s\n", arg);
	if (futhark_context_config_set_memory_budget(s->cfg, (size_t)(n << shift)) != 0)
		rd_die(s, "The program has no memory budget: compile it with --memory-budget=SIZE.\n");
}

RD_FUN void rd_opt_param(struct rd_settings *s, const char *arg)
{
	const char *name;
	size_t value;
	char *copy = (char *)malloc(strlen(arg) + 1);
	if (!copy)
		rd_die(s, "Out of memory.\n");
	strcpy(copy, arg);
	if (!rd_split_param(copy, &name, &value))
		rd_die(s, "Invalid argument for --param: %s\n", arg);
	if (futhark_context_config_set_tuning_param(s->cfg, name, value) != 0)
		rd_die(s, "Unknown tuning parameter: %s\n", name);
	free(copy);
}

// Lines NAME=INT.  A file may have been made for another back end: names unknown here are
// left alone.  What has a zero byte, a line that is too long, or no end is no such file.
RD_HOT void rd_opt_tuning(struct rd_settings *s, const char *path)
{
	char line[1024];
	const char *name;
	size_t value;
	int n = 0;
	FILE *f = fopen(path, "r");
	if (!f)
		rd_die(s, "Cannot open tuning file %s: %s\n", path, strerror(errno));
	while (fgets(line, sizeof line, f)) {
		size_t len = strlen(line);
		if (++n > 1000000)
			rd_die(s, "Tuning file %s has too many lines.\n", path);
		if (len == 0 || (line[len - 1] != '\n' && !feof(f)))
			rd_die(s, "Invalid line %d of tuning file %s\n", n, path);
		if (!line[strspn(line, " \t\r\n")])
			continue;
		if (!rd_split_param(line, &name, &value))
			rd_die(s, "Invalid line %d of tuning file %s: %s\n", n, path, line);
		futhark_context_config_set_tuning_param(s->cfg, name, value);
	}
	fclose(f);
}

RD_FUN void rd_opt_print_params(struct rd_settings *s, const char *arg)
{
	int i;
	(void)s;
	(void)arg;
	for (i = 0; i < futhark_get_tuning_param_count(); i++)
		printf("%s (%s)\n", futhark_get_tuning_param_name(i), futhark_get_tuning_param_class(i));
	exit(0);
}

#ifdef RD_MULTICORE
RD_FUN void rd_opt_num_threads(struct rd_settings *s, const char *arg)
{
	int64_t n = rd_option_int(s, "--num-threads", arg);
	if (n < 1 || n > INT_MAX)
		rd_die(s, "--num-threads needs a positive integer, not %s\n", arg);
	futhark_context_config_set_num_threads(s->cfg, (int)n);
}

RD_FUN void rd_opt_deterministic(struct rd_settings *s, const char *arg)
{
	(void)arg;
	futhark_context_config_set_deterministic(s->cfg, 1);
}

#define RD_THREAD_OPTIONS \
	{0, "num-threads", "INT", "Number of threads (default: $OMP_NUM_THREADS, or the number " \
	 "of processors).", rd_opt_num_threads}, \
	{0, "deterministic", NULL, "Make results independent of the number of threads.", \
	 rd_opt_deterministic},
#else
#define RD_THREAD_OPTIONS
#endif

#ifndef RD_GPU
#define RD_DEVICE_OPTIONS
#endif

// The options of every executable.  Those of devices are in rts/gpu/options.h.
#define RD_COMMON_OPTIONS \
	RD_THREAD_OPTIONS \
	RD_DEVICE_OPTIONS \
	{'h', "help", NULL, "Print this help and exit.", NULL}, \
	{'D', "debugging", NULL, "Enable both logging and profiling.", rd_opt_debugging}, \
	{'L', "log", NULL, "Print logging information to stderr while running.", rd_opt_logging}, \
	{'P', "profile", NULL, "Gather profiling data while running and print it to stderr.", \
	 rd_opt_profile}, \
	{0, "param", "NAME=INT", "Set a tuning parameter.", rd_opt_param}, \
	{0, "memory-budget", "SIZE", "Memory that derivatives may use: bytes, or with suffix K, M, G.", \
	 rd_opt_memory_budget}, \
	{0, "print-params", NULL, "Print all tuning parameters and exit.", rd_opt_print_params}, \
	{0, "tuning", "FILE", "Read tuning parameters from this file, as lines NAME=INT.", \
	 rd_opt_tuning}, \
	{0, "cache-file", "FILE", "Cache the compiled program in this file.", rd_opt_cache_file}

RD_FUN struct futhark_context *rd_start(const struct rd_settings *s)
{
	struct futhark_context *ctx = futhark_context_new(s->cfg);
	char *error;
	if (!ctx)
		rd_die(s, "Out of memory.\n");
	error = futhark_context_get_error(ctx);
	if (error)
		rd_die(s, "Error during context initialisation:\n%s\n", error);
#ifdef RD_GPU
	rd_device_attach(ctx); // values are made by functions below those of the interface
#endif
	return ctx;
}
// @end
#endif
