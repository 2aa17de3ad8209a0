// The commands c, multicore, opencl and cuda: compile a program to C, and that to an executable.
//
//     prog.fut  ->  core  ->  passes  ->  prog.c  ->  prog         (the C compiler: $CC $CFLAGS)
//     prog.fut  ->  ...   ->  prog.c, prog.h, prog.json            (--library)
//
// The default flags permit what the C standard allows and programs cannot observe otherwise: no
// errno from functions, no traps.  Code for the processor at hand is not the default, since
// executables are moved between machines; CFLAGS="-O3 -march=native" requests it.
#include "cli/cli.h"
#include "ad/ad.h"
#include "loop/loop.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_CFLAGS "-O3 -std=c11 -fno-math-errno -fno-trapping-math"

// ---- From core to C ----

static bool is_multicore(const char *backend)
{
	return strcmp(backend, "multicore") == 0;
}

Prog *compile_passes(Prog *prog, const char *backend, FILE *log)
{
	PassMemory memory = pass_memory();
	PassOptions o = {.time = log != NULL, .stats = log != NULL, .log = log, .memory = &memory};
#ifdef RAIDO_HOSTILE
	o.check = CHECK_EACH;
#endif
	Guard g;
	if (!GUARDED(g))
		return NULL;
	prog = run_passes(prog, pipeline_of_backend(backend), &o);
	guard_pop(&g);
	return prog;
}

static bool write_file(const char *path, const char *body)
{
	Str bytes = {0};
	str_puts(&bytes, body);
	return write_atomically(path, &bytes);
}

// ---- The C compiler ----

static void push_words(TextVec *to, const char *words)
{
	while (*(words += strspn(words, " \t\n"))) {
		size_t n = strcspn(words, " \t\n");
		VEC_PUSH(to, text("%.*s", (int)n, words));
		words += n;
	}
}

static TextVec c_command(const char *source, const char *out, const char *backend)
{
	const char *cc = getenv("CC"), *flags = getenv("CFLAGS");
	TextVec words = {0};
	push_words(&words, cc && *cc ? cc : "cc");
	VEC_PUSH(&words, source);
	VEC_PUSH(&words, "-o");
	VEC_PUSH(&words, out);
	push_words(&words, flags ? flags : DEFAULT_CFLAGS);
	if (is_multicore(backend) || is_gpu(backend))
		VEC_PUSH(&words, "-pthread");
	VEC_PUSH(&words, "-lm");
	if (is_gpu(backend))
		VEC_PUSH(&words, "-ldl");
	return words;
}

static const char *command_text(const TextVec *words)
{
	Str s = {0};
	for (int i = 0; i < words->len; i++)
		str_printf(&s, "%s%s", i ? " " : "", words->at[i]);
	return str_text(&s);
}

// Runs a command with its output, of both kinds, going to *out; gives its exit code.
static int run_command(const TextVec *words, Str *out)
{
	int ends[2];
	fflush(stdout);
	fflush(stderr);
	if (pipe(ends) != 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0) {
		char **argv = NEW_ARRAY(char *, words->len + 1);
		for (int i = 0; i < words->len; i++)
			argv[i] = (char *)words->at[i];
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execvp(argv[0], argv);
		fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
		fflush(stderr);
		_exit(127);
	}
	close(ends[1]);
	char buffer[4096];
	for (ssize_t n; pid > 0 && (n = read(ends[0], buffer, sizeof buffer)) != 0; )
		if (n > 0)
			str_putn(out, buffer, (size_t)n);
		else if (errno != EINTR)
			break;
	close(ends[0]);
	int status = 0;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *compile_c(const char *source, const char *out, const char *backend,
                             FILE *log)
{
	const char *fresh = text("%s.%ld.new", out, (long)getpid());
	TextVec words = c_command(source, fresh, backend);
	Str said = {0};
	if (log)
		fprintf(log, "%s\n", command_text(&words));
	if (run_command(&words, &said) == 0) {
		fputs(str_text(&said), stderr); // warnings, that is
		if (rename(fresh, out) == 0)
			return NULL;
		const char *why = text("Cannot write %s: %s", out, strerror(errno));
		unlink(fresh);
		return why;
	}
	unlink(fresh);
	return text("The C compiler failed:\n%s\n%s", command_text(&words), str_text(&said));
}

const char *compile_prog(const Prog *prog, GenOptions o, const char *out, FILE *log)
{
	o.version = RAIDO_VERSION;
	GenOutput g = gen_program(prog, &o);
	const char *source = text("%s.c", out), *header = text("%s.h", out),
		   *json = text("%s.json", out);
	const char *paths[] = {source, header, json}, *texts[] = {g.source, g.header, g.manifest};
	for (int i = 0; i < 3; i++)
		if (texts[i] && !write_file(paths[i], texts[i]))
			return text("Cannot write %s: %s", paths[i], strerror(errno));
	return o.kind == GEN_LIBRARY ? NULL : compile_c(source, out, o.backend, log);
}

// ---- Server executables for tools ----

const char *own_command = "raido";

const char *check_compile_options(CompileOptions *o)
{
	if (strcmp(o->backend, "c") != 0 && !is_multicore(o->backend) && !is_gpu(o->backend))
		return text("back end \"%s\" is not in this build; there are c, multicore, opencl, "
		            "cuda and "
		            "the interpreter (-i)",
		            o->backend);
	for EACH(const char *, w, o->compiler_options) {
		if (strcmp(*w, "--safe") == 0)
			o->safe = true;
		else if (strcmp(*w, "--tf32") == 0)
			o->tf32 = true;
		else if (strcmp(*w, "--deterministic") == 0)
			o->deterministic = true;
		else if (!o->compiler && strcmp(*w, "-w") != 0)
			o->compiler = own_command; // that one knows all options
	}
	return NULL;
}

static const char *compile_outside(const char *path, const char *out, const CompileOptions *o)
{
	TextVec words = {0};
	Str said = {0};
	VEC_PUSH(&words, o->compiler);
	VEC_PUSH(&words, o->backend);
	VEC_PUSH(&words, "--server");
	VEC_PUSH(&words, "-o");
	VEC_PUSH(&words, out);
	VEC_APPEND(&words, o->compiler_options);
	for EACH(Name, n, o->entries)
		VEC_PUSH(&words, text("--entry-point=%s", *n));
	VEC_PUSH(&words, path);
	return run_command(&words, &said) == 0
	     ? NULL : text("%s\n%s", command_text(&words), str_text(&said));
}

Compiled compile_server(const Loaded *l, const char *path, const char *out, const CompileOptions *o,
                        const char **why)
{
	if (o->compiler) {
		*why = compile_outside(path, out, o);
		return *why ? COMPILE_FAILED : COMPILED;
	}
	LowerOptions lower = {.entries = o->entries, .safe = true};
	Prog *prog = o->safe && !checks_wanted ? lower_program(l->program, &lower) : l->prog;
	keep_order_of_sums = o->deterministic;
	prog = prog ? compile_passes(prog, o->backend, false) : NULL;
	if (!prog) {
		*why = diags_text();
		diag_reset();
		return NOT_SUPPORTED;
	}
	*why = compile_prog(prog, (GenOptions){GEN_SERVER, o->backend, .tf32 = o->tf32,
	                                      .deterministic = o->deterministic}, out,
	                    false);
	return *why ? COMPILE_FAILED : COMPILED;
}

const char *tuning_file(const char *path, const CompileOptions *o)
{
	const char *file = text("%s.%s", path, o->tuning ? o->tuning : "tuning");
	return !o->no_tuning && access(file, R_OK) == 0 ? file : NULL;
}

Server *start_compiled(const char *path, const char *out, const CompileOptions *o, const char **why)
{
	TextVec words = {0};
	const char *tuning = tuning_file(path, o);
	if (o->runner)
		VEC_PUSH(&words, o->runner);
	VEC_PUSH(&words, strchr(out, '/') ? out : text("./%s", out));
	if (tuning) {
		VEC_PUSH(&words, "--tuning");
		VEC_PUSH(&words, tuning);
	}
	if (o->cache_extension) {
		VEC_PUSH(&words, "--cache-file");
		VEC_PUSH(&words, text("%s.%s", path, o->cache_extension));
	}
	VEC_APPEND(&words, o->options);
	return server_start(&words, o->timeout, why);
}

// ---- The command ----

static const char *default_output(const char *path)
{
	size_t n = strlen(path);
	return str_ends(path, ".fut") && n > 4 ? text("%.*s", (int)n - 4, path)
	                                       : text("%s.out", path);
}

typedef struct {
	const char *out;
	bool library, server, executable, safe, tf32, deterministic, no_warnings, werror;
	bool slim, only, boxed;
	TextVec entries, derive;
	const char *prefix, *budget;
	FILE *log;
} Flags;

static const char *set_log(void *to, const char *path)
{
	FILE **log = to;
	if (*log && *log != stderr)
		fclose(*log);
	*log = path ? fopen(path, "w") : stderr;
	return *log ? NULL : text("cannot write %s: %s", path, strerror(errno));
}

static const char *what_is(const char *backend)
{
	return is_multicore(backend) ? "C with threads"
	     : strcmp(backend, "opencl") == 0 ? "C for the host and OpenCL for a device"
	     : strcmp(backend, "cuda") == 0 ? "C for the host and CUDA for a device"
	     : "sequential C";
}

static bool is_c_name(const char *s)
{
	for (const char *p = s; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_')
			return false;
	return isalpha((unsigned char)*s) || *s == '_';
}

// A positive number, with K, M, G or T after it.
static bool parse_bytes(const char *s, int64_t *out)
{
	static const char units[] = "KMGT";
	char *end;
	errno = 0;
	long long n = strtoll(s, &end, 10);
	const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	int shift = unit ? 10 * (int)(unit - units + 1) : 0;
	*out = (int64_t)n << shift;
	return end > s && errno == 0 && n > 0 && n <= INT64_MAX >> shift && (!*end || unit) &&
	       !(unit && end[1]);
}

static const char *parse_flags(Flags *f, const char *backend, int argc, char **argv)
{
	const Opt opts[] = {
		{'o', NULL, "NAME", OPT_TEXT, &f->out,
	         "Name of the output (default: that of the program, without .fut).", NULL},
		{0, "library", NULL, OPT_FLAG, &f->library,
	         "Generate a library: NAME.c, NAME.h and the manifest NAME.json.", NULL},
		{0, "server", NULL, OPT_FLAG, &f->server,
	         "Build an executable that speaks the server protocol.", NULL},
		{0, "executable", NULL, OPT_FLAG, &f->executable,
	         "Build an executable that takes its input as arguments or from standard input "
	         "(the default).",
	         NULL},
		{0, "entry-point", "NAME", OPT_LIST, &f->entries,
	         "Also make this function an entry point; may be repeated.", NULL},
		{0, "derive", "SPECS", OPT_LIST, &f->derive,
	         "Add entry points derived from others: a comma-separated list such as "
	         "loss:grad,loss:vjp(w+b).jvp,NAME=loss:map; may be repeated.", NULL},
		{0, "only-derived", NULL, OPT_FLAG, &f->only,
	         "Make only the derived functions entry points.", NULL},
		{0, "slim", NULL, OPT_FLAG, &f->slim,
	         "With --library: generate only the uniform interface (raido_program).", NULL},
		{0, "prefix", "NAME", OPT_TEXT, &f->prefix,
	         "With --library: start symbols with NAME_ instead of futhark_ and raido_.", NULL},
		{0, "memory-budget", "SIZE", OPT_TEXT, &f->budget,
	         "Keep the memory of reverse-mode derivatives below SIZE (bytes, or with suffix K, "
	         "M, G or T) by recomputing from checkpoints.  The compiled program also takes "
	         "this option.", NULL},
		{0, "safe", NULL, OPT_FLAG, &f->safe, "Ignore #[unsafe] attributes.", NULL},
		OPT_CHECKED,
		{'v', "verbose", "FILE", OPT_MAYBE, &f->log,
	         "Print the steps of the compilation and how long they take, to FILE if one is "
	         "given (-vFILE).", set_log},
		{'w', NULL, NULL, OPT_FLAG, &f->no_warnings, "Suppress warnings.", NULL},
		{0, "Werror", NULL, OPT_FLAG, &f->werror, "Treat warnings as errors.", NULL},
		{0, "tf32", NULL, OPT_FLAG, &f->tf32,
	         "Let large f32 matrix products use TF32 (factors rounded to 11 bits).",
	         NULL},
		{0, "device-scalars", NULL, OPT_FLAG, &f->boxed,
	         "With --slim: take float scalars, and give all scalars, in memory of the device.",
	         NULL},
		{0, "deterministic", NULL, OPT_FLAG, &f->deterministic,
	         "Give the same bits each time on the same device, or reject the program.", NULL},
	};
	// the last three are for GPUs
	const int n_opts = (int)(sizeof opts / sizeof *opts) - (is_gpu(backend) ? 0 : 3);
	const Usage u = {
		backend,
		"PROGRAM",
		text("Compiles a program to %s.  Exits with 2 if the program has errors.",
	             what_is(backend)),
		1,
		1,
		{opts, n_opts},
		"The C compiler is taken from $CC (default cc) and its flags from $CFLAGS\n"
		"(default " DEFAULT_CFLAGS ").",
	};
	Texts args = parse_args(&u, argc, argv);
	if (f->library + f->server + f->executable > 1)
		usage_error(&u, "--library, --server and --executable are mutually exclusive");
	if ((f->slim || f->prefix) && !f->library)
		usage_error(&u, "--slim and --prefix require --library");
	if (f->boxed && !f->slim)
		usage_error(&u, "--device-scalars requires --slim");
	if (f->prefix && !is_c_name(f->prefix))
		usage_error(&u, "\"%s\" cannot start a C identifier", f->prefix);
	int64_t budget = 0;
	if (f->budget && !parse_bytes(f->budget, &budget))
		usage_error(&u, "\"%s\" is not a size in bytes, such as 512M", f->budget);
	set_memory_budget(budget);
	if (!f->out)
		f->out = default_output(args.at[0]);
	if (f->out[0] == '-') // the C compiler would take it for an option
		f->out = text("./%s", f->out);
	return args.at[0];
}

static bool defines(const Program *p, Name name)
{
	for EACH(Decl *, d, p->root->decls)
		if ((*d)->kind == DEC_VAL && strcmp((*d)->val.name, name) == 0)
			return true;
	return false;
}

// Are there functions of these names?  Complains of those that are missing.
static bool all_defined(const Program *p, Names names)
{
	bool all = true;
	for EACH(Name, n, names)
		if (p->root && !defines(p, *n)) {
			fprintf(stderr, "Unknown entry point: %s\n", *n);
			all = false;
		}
	return all;
}

// What is written must not be what was read: any file of the program.
static bool overwrites_source(const Program *p, const char *out)
{
	static const char *const ends[] = {"", ".c", ".h", ".json"};
	for EACH(File *, f, p->files)
		for (int i = 0; i < 4; i++) {
			const char *to = text("%s%s", out, ends[i]);
			struct stat a, b;
			if (stat(to, &a) != 0 || stat((*f)->path, &b) != 0 ||
			    a.st_dev != b.st_dev || a.st_ino != b.st_ino)
				continue;
			fprintf(stderr, "The output %s is the file %s of the program.\n", to,
			        (*f)->path);
			return true;
		}
	return false;
}

// An executable of a program without entry points does nothing.
static void warn_if_no_entries(const Loaded *l, const Prog *prog)
{
	for EACH(Fun *, f, prog->funs)
		if ((*f)->entry)
			return;
	Diag *d = diag_warn(NOWHERE, NULL, "The program has no entry points, and its executable "
	                    "does nothing.");
	for EACH(Decl *, at, l->program->root->decls) {
		if ((*at)->kind != DEC_VAL || edit_distance((*at)->val.name, "main", 2) > 2)
			continue;
		diag_note(d, "Hint: did you mean \"main\" by \"%s\" at %s?", (*at)->val.name,
		          show_span((*at)->val.name_span));
	}
	if (!d->notes)
		diag_note(d, "Hint: an entry point is defined by \"entry\" instead of \"def\", or "
		             "called main.");
}

static int compile_command(const char *backend, int argc, char **argv)
{
	Flags f = {0};
	const char *path = parse_flags(&f, backend, argc, argv);
	Names entries = names_of(f.entries);
	Loaded l;
	LoadOptions load = {.no_warnings = f.no_warnings, .extra_entries = entries};
	LowerOptions lower = {.entries = entries,
	                      .safe = f.safe || checks_wanted & CHECKS_ATTRIBUTES};
	bool ok = driver_check(path, load, &l);
	if (ok && (!all_defined(l.program, entries) || overwrites_source(l.program, f.out)))
		return 2;
	Prog *prog = ok ? lower_program(l.program, &lower) : NULL;
	if (prog && !f.no_warnings)
		warn_of_rest(prog);
	if (prog && !f.no_warnings && !f.server && !f.library)
		warn_if_no_entries(&l, prog);
	bool warned = diag_count(D_WARNING) > 0;
	report_diags();
	if (!prog)
		return 2;
	const char *not_derived = derive_entries(prog, texts_of(f.derive), f.only);
	if (not_derived) {
		fprintf(stderr, "%s.\n", not_derived);
		return 2;
	}
	if (f.werror && warned) {
		fputs("\nTreating above warnings as errors due to --Werror.\n", stderr);
		return 2;
	}
	if (f.boxed)
		box_scalars(prog);
	keep_order_of_sums = f.deterministic;
	prog = compile_passes(prog, backend, f.log);
	if (prog && f.no_warnings)
		diag_reset();
	warned = diag_count(D_WARNING) > 0;
	report_diags();
	if (!prog) {
		fputs("Known compiler limitation encountered.  Sorry.\n", stderr);
		return 1;
	}
	if (f.werror && warned) {
		fputs("\nTreating above warnings as errors due to --Werror.\n", stderr);
		return 2;
	}
	GenKind kind = f.library ? GEN_LIBRARY : f.server ? GEN_SERVER : GEN_EXECUTABLE;
	GenOptions o = {kind, backend, .tf32 = f.tf32, .deterministic = f.deterministic,
	                .slim = f.slim, .prefix = f.prefix,
	                .name = f.out};
	const char *why = compile_prog(prog, o, f.out, f.log);
	if (why)
		fprintf(stderr, "%s\n", why);
	return why ? 1 : 0;
}

int cmd_c(int argc, char **argv)
{
	return compile_command("c", argc, argv);
}

int cmd_multicore(int argc, char **argv)
{
	return compile_command("multicore", argc, argv);
}

int cmd_opencl(int argc, char **argv)
{
	return compile_command("opencl", argc, argv);
}

int cmd_cuda(int argc, char **argv)
{
	return compile_command("cuda", argc, argv);
}
