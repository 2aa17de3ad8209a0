// The table of commands, and the care of standard output: what cannot be written there is an error.
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct { const char *name; int (*run)(int, char **); const char *about; } Command;

static const Command commands[] = {
	{"check", cmd_check, "Check a program for errors."},
	{"check-syntax", cmd_check_syntax, "Check only the syntax of a program."},
	{"c", cmd_c, "Compile a program to sequential C."},
	{"multicore", cmd_multicore, "Compile a program to multi-threaded C."},
	{"opencl", cmd_opencl, "Compile a program to C with OpenCL kernels."},
	{"cuda", cmd_cuda, "Compile a program to C with CUDA kernels."},
	{"run", cmd_run, "Run a program in the interpreter."},
	{"eval", cmd_eval, "Evaluate expressions given on the command line."},
	{"explain", cmd_explain, "Explain an error message or a warning."},
	{"repl", cmd_repl, "Start an interactive session (read-eval-print loop)."},
	{"test", cmd_test, "Run the tests in the test blocks of programs."},
	{"bench", cmd_bench, "Benchmark compiled programs."},
	{"benchcmp", cmd_benchcmp, "Compare two JSON files of benchmark results."},
	{"autotune", cmd_autotune, "Tune the parameters of a program for speed."},
	{"profile", cmd_profile, "Show where benchmarked programs spend their time."},
	{"gradcheck", cmd_gradcheck, "Check derivatives against finite differences."},
	{"script", cmd_script, "Evaluate expressions that call the entry points of a program."},
	{"literate", cmd_literate, "Render a literate program as Markdown, with its results."},
	{"doc", cmd_doc, "Generate HTML documentation from doc comments."},
	{"fmt", cmd_fmt, "Format source files."},
	{"dataset", cmd_dataset, "Generate random data, or convert data between formats."},
	{"datacmp", cmd_datacmp, "Compare two data files."},
	{"dataget", cmd_dataget, "Print the input of one of a program's datasets."},
	{"imports", cmd_imports, "List the source files of a program."},
	{"hash", cmd_hash, "Print a hash of a program and its imports."},
	{"defs", cmd_defs, "List the definitions of a program."},
	{"query", cmd_query, "Show the type and definition of the name at a position."},
	{"pkg", cmd_pkg, "Manage the packages that a program depends on."},
	{"lsp", cmd_lsp, "Run the language server, for editors."},
	{"tokens", cmd_tokens, "Print the tokens of a file."},
	{"dev", cmd_dev, "Run compiler passes and print intermediate code."},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void help(FILE *f)
{
	fputs("Usage: raido COMMAND [options] ...\n\n"
	      "Raido compiles and runs programs in the data-parallel language Futhark.\n\n"
	      "Commands:\n", f);
	for (int i = 0; i < N_COMMANDS; i++)
		fprintf(f, "  %-14s %s\n", commands[i].name, commands[i].about);
	fputs("\nOptions:\n"
	      "  -h, --help     Print this help.\n"
	      "  -V, --version  Print the version.\n\n"
	      "Run \"raido COMMAND --help\" for help on a command.\n", f);
}

static bool is_missing_backend(const char *word)
{
	static const char *const backends[] = {"hip", "ispc", "python", "pyopencl", "wasm",
	                                       "wasm-multicore"};
	for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
		if (strcmp(word, backends[i]) == 0)
			return true;
	return false;
}

// What other tools call what commands do here.
static const char *command_elsewhere(const char *word)
{
	static const struct { const char *words, *hint; } table[] = {
		{" compile build make cc ", "\"raido c FILE\" compiles a program"},
		{" gpu ", "\"raido cuda FILE\" and \"raido opencl FILE\" are for GPUs"},
		{" exec execute start ", "\"raido run FILE\" runs a program"},
		{" help man ", "\"raido COMMAND --help\" is the help on a command"},
		{" format ", "\"raido fmt FILE\" formats a program"},
		{" typecheck lint ", "\"raido check FILE\" checks a program"},
		{" benchmark time ", "\"raido bench FILE\" measures a program"},
		{" shell console interactive ", "\"raido repl\" is interactive"},
		{" install add get ", "\"raido pkg add\" adds a package"},
		{" grad diff ", "programs differentiate by jvp and vjp; \"raido c --derive\" "
		                "adds the gradient of an entry point"},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (strstr(table[i].words, text(" %s ", word)))
			return table[i].hint;
	return NULL;
}

static int unknown(const char *word)
{
	static const char *const options[] = {"--help", "--version", NULL};
	const char *names[N_COMMANDS + 1] = {0};
	for (int i = 0; i < N_COMMANDS; i++)
		names[i] = commands[i].name;
	bool option = word[0] == '-';
	const char *elsewhere = command_elsewhere(word);
	const char *near = elsewhere || is_missing_backend(word) ? NULL
	                 : nearest(word, option ? options : names);
	fprintf(stderr, "raido: unknown %s \"%s\"", option ? "option" : "command", word);
	if (elsewhere)
		fprintf(stderr, "; %s", elsewhere);
	else if (near)
		fprintf(stderr, "; did you mean \"%s\"?", near);
	else if (is_missing_backend(word))
		fputs("; its back ends are c, multicore, opencl and cuda", stderr);
	else if (str_ends(word, ".fut"))
		fprintf(stderr, "; did you mean \"raido run %s\" or \"raido c %s\"?", word, word);
	fputs("\nTry \"raido --help\".\n", stderr);
	return 2;
}

typedef struct { int argc; char **argv; } Arguments;

static int dispatch(void *p)
{
	Arguments *a = p;
	if (a->argc < 2) {
		help(stderr);
		return 2;
	}
	const char *word = a->argv[1];
	if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
		help(stdout);
		return 0;
	}
	if (strcmp(word, "-V") == 0 || strcmp(word, "--version") == 0) {
		print_version();
		return 0;
	}
	for (int i = 0; i < N_COMMANDS; i++)
		if (strcmp(word, commands[i].name) == 0)
			return commands[i].run(a->argc - 1, a->argv + 1);
	return unknown(word);
}

// A file opened later must not take the number of a closed standard stream.  These can be neither
// read (0) nor written (1, 2), just like a closed one.
static void reserve_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static void close_output(void)
{
	bool failed = ferror(stdout) != 0;
	errno = 0;
	if (fflush(stdout) == 0 && !failed)
		return;
	fprintf(stderr, "raido: cannot write to standard output%s%s\n", errno ? ": " : "",
	        errno ? strerror(errno) : "");
	_exit(1);
}

int main(int argc, char **argv)
{
	signal(SIGPIPE, SIG_DFL);
	reserve_standard_streams();
	atexit(close_output);
	Arguments a = {argc, argv};
	own_command = argv[0];
	return with_big_stack((size_t)1 << 30, dispatch, &a);
}
