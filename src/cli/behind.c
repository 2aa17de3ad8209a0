// Background compilation for the REPL: an evaluation that takes long in the interpreter is
// compiled at the same time.
//
// A job is a call of an entry point of a lowered program.  One process compiles the program to a
// server executable; a second one starts that executable and calls the entry point; the session
// reads the result from a file.  Compiled programs are cached by their text for the rest of the
// session, so that the next call of the same program starts at once.
//
// The results are those of the interpreter: passes that change the order of floating-point
// additions are skipped, and the C compiler may not contract operations.  Only derivatives may
// differ in the last digits, since the interpreter records a tape where compiled code is
// transformed.
//
// If anything goes wrong (no C compiler, a run-time error), the job has no result, and the
// result of the interpreter is used.
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#define BEHIND_CFLAGS "-O2 -std=c11 -fno-math-errno -fno-trapping-math -ffp-contract=off"

struct Behind {
	const char *dir, *made_dir;     // of executables and results, absolute; NULL: none yet
	Map made;                       // key -> path of an executable, or NULL: it cannot be made
	int n_made;
	pid_t compiling, running;       // 0: none
	Name compiled_key;              // what is being compiled,
	const char *compiled_path;
	bool off;                       // nothing is to be expected
	Name key;                       // of the job; NULL: there is none
	const Prog *prog;
	const Fun *fun;
	const Values *args;
};

Behind *behind_new(void)
{
	remove_dirs_at_end();           // not later, when Ctrl-C is for the evaluation
	return NEW(Behind);
}

// ---- Processes ----

// The process is the leader of a group, so that all it starts can be ended, and Ctrl-C does not
// reach it; it ends with the session.
static NORETURN void leave(int code)
{
	fflush(NULL);
	_exit(code);
}

static pid_t start(const char *dir)
{
	fflush(stdout);
	fflush(stderr);
	pid_t session = getpid(), pid = fork();
	if (pid != 0)
		return pid;
	setpgid(0, 0);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	if (getppid() != session)
		_exit(1);
	signal(SIGINT, SIG_IGN);
	signal(SIGALRM, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	if (chdir(dir) != 0)
		_exit(1);
	return 0;
}

// SIGTERM lets it remove its files.
static void end(pid_t *pid)
{
	if (*pid > 0) {
		kill(-*pid, SIGTERM);
		kill(*pid, SIGTERM);
		while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	*pid = 0;
}

// Has it ended by now?  *ok: with success.
static bool has_ended(pid_t *pid, bool *ok)
{
	int status;
	pid_t got = *pid > 0 ? waitpid(*pid, &status, WNOHANG) : 0;
	if (got == 0)
		return false;
	*ok = got == *pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	*pid = 0;
	return true;
}

// ---- Compilation ----

static void drop_reduce(Visit *v, Body *b)
{
	b->stms.at = mem_dup(b->stms.at, (size_t)b->stms.len * sizeof *b->stms.at);
	for EACH(Stm, s, b->stms)
		s->attrs = without_attr(without_attr(s->attrs, ATTR_REDUCE), ATTR_PARALLEL);
	body_visit(b, v);
}

// What sequential C is made of, with all floats combined in the order of the program.
static Prog *passes_in_order(Prog *prog)
{
	PassMemory memory = pass_memory();
	PassOptions o = {
		.memory = &memory,
		.skip = {
			[PASS_split_products] = true, [PASS_gather_sums] = true,
			[PASS_keep_sums] = true, [PASS_reduce_row_accs] = true,
		},
	};
	Guard g;
	if (!GUARDED(g))
		return NULL;
	prog = run_passes(prog, pipeline_of_backend("c"), &o);
	guard_pop(&g);
	Visit v = {.body = drop_reduce, .copy = true};
	return prog_rewrite(prog, &v);
}

static void start_compiling(Behind *b)
{
	end(&b->compiling);
	b->compiled_key = b->key;
	b->compiled_path = text("%s/%d", b->dir, b->made.len);
	b->compiling = start(b->dir);
	if (b->compiling != 0)
		return;
	setenv("CFLAGS", BEHIND_CFLAGS, 0);
	Prog *prog = passes_in_order((Prog *)b->prog);
	GenOptions o = {.kind = GEN_SERVER, .backend = "c"};
	leave(!prog || compile_prog(prog, o, b->compiled_path, NULL));
}

// ---- Calls ----

static const char *result_path(const Behind *b)
{
	return text("%s/result", b->dir);
}

static bool write_results(const char *path, const Values *values)
{
	Str bytes = {0};
	for EACH(Value, v, *values)
		value_write_binary(&bytes, v);
	return write_atomically(path, &bytes);
}

static void start_running(Behind *b, const char *program)
{
	unlink(result_path(b));
	b->running = start(b->dir);
	if (b->running != 0)
		return;
	TextVec words = {0};
	const char *why;
	Values results = {0};
	VEC_PUSH(&words, program);
	Server *s = server_start(&words, 0, &why);
	bool ok = s && server_call(s, b->fun->entry_name, b->args, &results, &why) &&
	          write_results(result_path(b), &results);
	if (s)
		server_stop(s);
	leave(!ok);
}

// ---- Jobs ----

// The text of a program, with variables numbered from its first one.
static Name key_of(const Prog *prog, uint32_t first)
{
	Str key = {0};
	bool quoted = false;
	for (const char *p = show_prog_bare(prog); *p; p++) {
		quoted ^= *p == '"';
		str_putc(&key, *p);
		if (quoted || *p != '_' || p[1] < '0' || p[1] > '9')
			continue;
		char *end;
		unsigned long id = strtoul(p + 1, &end, 10);
		str_printf(&key, "%lu", id - first);
		p = end - 1;
	}
	return name_of(str_text(&key));
}

static bool has_dir(Behind *b)
{
	const char *why;
	if (!b->dir) {
		b->made_dir = make_temporary_dir(&why);
		char *whole = b->made_dir ? realpath(b->made_dir, NULL) : NULL;
		b->dir = whole ? text("%s", whole) : NULL;
		free(whole);
	}
	b->off |= !b->dir;
	return b->dir;
}

bool behind_has_code(const Behind *b)
{
	return b->n_made > 0;
}

static void advance(Behind *b)
{
	if (!b->key || b->off || b->running > 0)
		return;
	const char *path = map_get(&b->made, b->key);
	if (path)
		start_running(b, path);
	else if (map_has(&b->made, b->key))
		b->key = NULL;
	else if (b->compiling <= 0 || b->compiled_key != b->key)
		start_compiling(b);
	b->off |= b->compiling < 0 || b->running < 0;
}

static void look_at_compilation(Behind *b)
{
	bool ok;
	if (!has_ended(&b->compiling, &ok))
		return;
	map_put(&b->made, b->compiled_key, ok ? (void *)b->compiled_path : NULL);
	b->n_made += ok;
	b->off |= !ok && !b->n_made;    // there is no C compiler, most likely
}

bool behind_can_compile(void)
{
	const char *cc = getenv("CC"), *path = getenv("PATH");
	cc = cc && *cc ? text("%.*s", (int)strcspn(cc, " "), cc) : "cc";
	if (strchr(cc, '/'))
		return access(cc, X_OK) == 0;
	while (path && *path) {
		size_t n = strcspn(path, ":");
		if (access(text("%.*s/%s", (int)n, path, cc), X_OK) == 0)
			return true;
		path += n + (path[n] == ':');
	}
	return false;
}

void behind_begin(Behind *b, const Prog *prog, uint32_t first, const Fun *fun, const Values *args,
                  bool only_made)
{
	if (b->off || prog_has_traces(prog) || !has_dir(b))
		return;
	look_at_compilation(b);
	b->key = key_of(prog, first);
	b->prog = prog;
	b->fun = fun;
	b->args = args;
	if (only_made && !map_get(&b->made, b->key))
		b->key = NULL;
	advance(b);
}

bool behind_result(Behind *b, Values *out)
{
	bool ok;
	const char *why;
	look_at_compilation(b);
	if (has_ended(&b->running, &ok)) {
		b->key = NULL;
		return ok && values_read_file(result_path(b), out, &why);
	}
	advance(b);
	return false;
}

void behind_leave(Behind *b)
{
	end(&b->running);
	b->key = NULL;
}

void behind_end(Behind *b)
{
	end(&b->running);
	end(&b->compiling);
	if (b->dir)
		remove_temporary_tree(b->made_dir);
}
