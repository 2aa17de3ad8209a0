// The command repl: declarations and expressions, evaluated as they are entered.
//
// A line that is incomplete is continued on the next one; an empty line ends it.  Lines that
// begin with a colon are commands.
//
// Evaluation stops at #[break] and, if asked to, where a NaN comes into being.  Lines are then
// read and evaluated as ever, but expressions see the names in scope there, or in the function
// that called that one, and so on (:frame); an empty line lets the evaluation go on.
//
// The value of a plain "let" is kept, so that it is evaluated once.
#include "cli/complete.h"
#include "cli/repl.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_SHOWN = 60 };               // elements of an array

// ---- Expressions and declarations ----

Source *repl_source(const Repl *r, const char *line)
{
	return source_add(text("[%d]", r->n), line, strlen(line));
}

static Expr *typed_expression(Repl *r, const char *s)
{
	Source *source = repl_source(r, s);
	Expr *e = source ? parse_expr_only(source) : NULL;
	bool ok = e && !diag_count(D_ERROR) && repl_check(r, e);
	repl_print_diags();
	return ok ? e : NULL;
}

// The value of an expression as text, or NULL after printing what went wrong.
static const char *value_text(Repl *r, Expr *e)
{
	const EntryType *type;
	Values values = {0};
	if (ty_resolve(e->type)->kind == TY_ARROW)
		return text("#<fun> : %s", show_ty(e->type));
	int64_t most = r->whole || !r->terminal ? 0 : MOST_SHOWN;
	return repl_evaluate(r, e, &type, &values) ? show_short(type, values.at, most)
	                                           : NULL;
}

static void print_time(const Repl *r)
{
	if (r->times && r->took)
		puts(r->took);
}

static void enter_expression(Repl *r, Expr *e)
{
	if (!repl_check(r, e))
		return;
	r->took = NULL;
	const char *shown = value_text(r, e);
	if (shown)
		puts(shown);
	print_time(r);
}

// Is the declaration a plain value, which is evaluated when it is entered?
static bool is_plain_value(const Decl *d)
{
	return d->kind == DEC_VAL && !d->val.pats.len && !d->val.params.len && d->val.binding &&
	       !d->val.binding->scheme.types.len && !d->val.binding->scheme.sizes.len &&
	       !ty_has_function(d->val.binding->scheme.type);
}

static void enter_declarations(Repl *r, Decls decls)
{
	for EACH(Decl *, d, decls) {
		bool ok = program_add_decl(r->program, *d);
		if (ok && is_plain_value(*d))
			diag_reset(); // as with expressions
		repl_print_diags();
		if (!ok)
			return;
		if (!is_plain_value(*d))
			continue;
		Expr *e = typed_expression(r, (*d)->val.name);
		const EntryType *type;
		Values values = {0};
		if (e && repl_evaluate(r, e, &type, &values))
			map_put(&r->known, (*d)->val.binding, mem_dup(&values, sizeof values));
		if (values.len)
			print_time(r);
	}
}

// ---- Commands ----

static void command_load(Repl *r, const char *arg)
{
	const char *path = *arg ? arg : r->file;
	if (!path) {
		puts("No file to load.");
		return;
	}
	if (r->terminal)
		printf("Loading %s\n", path);
	for (Stopped *at = r->stopped; at; at = at->up)
		at->next = IS_GIVEN_UP;
	r->passed.len = 0;
	Program *p = load_program(path, r->options);
	bool ok = p && !p->failed;
	repl_print_diags();
	r->file = path;
	if (ok)                                 // else what was there before stays
		r->program = p;
}

// Prints the text with each {exp} replaced by its value.
static void command_format(Repl *r, const char *arg)
{
	Str out = {0};
	for (const char *p = arg; *p; p++) {
		if (*p != '{') {
			str_putc(&out, *p);
			continue;
		}
		const char *from = ++p;
		for (int depth = 1; *p && (depth += (*p == '{') - (*p == '}')) > 0; )
			p++;
		if (!*p) {
			puts("Unmatched \"{\" in format.");
			return;
		}
		Expr *e = typed_expression(r, text("%.*s", (int)(p - from), from));
		const char *shown = e ? value_text(r, e) : NULL;
		if (!shown)
			return;
		str_puts(&out, shown);
	}
	puts(str_text(&out));
}

static void command_string(Repl *r, const char *arg)
{
	Expr *e = typed_expression(r, arg);
	const EntryType *type;
	Values values = {0};
	if (!e || ty_has_function(e->type) || !repl_evaluate(r, e, &type, &values))
		return;
	if (type->kind != ET_ARRAY || type->rank != 1 || values.at[0].type != PT_U8) {
		printf("A value of type %s is not a string.\n", show_ty(e->type));
		return;
	}
	fwrite(values.at[0].data, 1, (size_t)values.at[0].shape[0], stdout);
	putchar('\n');
}

// ---- Breakpoints ----

static void look_at_frame(Repl *r, int i)
{
	Stopped *s = r->stopped;
	printf("#%d %s\n", i, show_span(s->where->backtrace.at[i]));
	s->names = (Bindings){0};
	s->values = (Values){0};
	if (s->stop && i < s->stop->frames.len)
		s->names = stopped_names(&s->stop->frames.at[i], s->flat, &s->values);
	for EACH(Binding *, b, s->names)
		printf("  %s : %s\n", (*b)->name, show_ty((*b)->scheme.type));
}

static void list_frames(const RunError *where)
{
	for (int i = 0; i < where->backtrace.len; i++)
		printf("#%d %s\n", i, show_span(where->backtrace.at[i]));
}

static bool is_passed(const Repl *r, Span at)
{
	for EACH(Span, s, r->passed)
		if (s->lo == at.lo && s->hi == at.hi)
			return true;
	return false;
}

static void loop(Repl *r);

bool repl_stop(void *ctx, const Stop *stop, const Value *flat, const RunError *where)
{
	Repl *r = ctx;
	Stopped s = {.up = r->stopped, .stop = stop, .flat = flat, .where = where};
	if (!where->backtrace.len || is_passed(r, where->backtrace.at[0]))
		return true;
	puts(stop ? "Stopped at a breakpoint." : text("Stopped: %s.", where->message));
	r->stopped = &s;
	if (stop)
		look_at_frame(r, 0);
	else
		list_frames(where);
	puts("Press Enter to continue; enter :help for other commands.");
	loop(r);
	r->stopped = s.up;
	return s.next == GOES_ON;
}

static bool is_stopped(const Repl *r)
{
	if (!r->stopped)
		puts("Not stopped at a breakpoint.");
	return r->stopped;
}

static void command_unbreak(Repl *r, const char *arg)
{
	(void)arg;
	if (!is_stopped(r))
		return;
	VEC_PUSH(&r->passed, r->stopped->where->backtrace.at[0]);
	r->stopped->next = GOES_ON;
}

static void command_frame(Repl *r, const char *arg)
{
	if (!is_stopped(r))
		return;
	const RunError *where = r->stopped->where;
	char *end;
	long i = strtol(arg, &end, 10);
	if (!*arg)
		list_frames(where);
	else if (*end || i < 0 || i >= where->backtrace.len)
		printf("Invalid frame '%s'\n", arg);
	else
		look_at_frame(r, (int)i);
}

static void command_nanbreak(Repl *r, const char *arg)
{
	(void)arg;
	r->at_nan = !r->at_nan;
	puts(r->at_nan ? "Evaluation stops where a NaN comes into being."
	               : "Evaluation does not stop at NaN.");
}

static void command_elapsed(Repl *r, const char *arg)
{
	(void)arg;
	r->times = !r->times;
	puts(r->times ? "Evaluation is timed." : "Evaluation is not timed.");
}

static void command_pwd(Repl *r, const char *arg)
{
	(void)r;
	(void)arg;
	char *dir = getcwd(NULL, 0);
	puts(dir ? dir : strerror(errno));
	free(dir);
}

static void command_cd(Repl *r, const char *arg)
{
	(void)r;
	if (chdir(*arg ? arg : ".") != 0)
		printf("%s: %s\n", arg, strerror(errno));
}

static void command_quit(Repl *r, const char *arg)
{
	(void)arg;
	r->done = true;
}

static void command_help(Repl *r, const char *arg);

typedef struct {
	const char *name;
	void (*run)(Repl *, const char *arg);
	const char *help;
} Command;

static const Command commands[] = {
	{"load", command_load, "Load a program (:load FILE), or reload the current one."},
	{"format", command_format, "Print text with each {expression} replaced by its value."},
	{"string", command_string, "Print the value of an expression of type []u8 as text."},
	{"type", repl_show_type, "Print the type of an expression."},
	{"doc", repl_show_doc, "Print the type and the documentation of a name."},
	{"mtype", repl_show_module, "Print the type of a module expression."},
	{"unbreak", command_unbreak, "Continue from a breakpoint and disable it."},
	{"nanbreak", command_nanbreak, "Toggle stopping where a NaN is produced."},
	{"frame", command_frame,
	 "Print the call stack of a breakpoint, or select a frame (:frame N)."},
	{"elapsed", command_elapsed, "Toggle printing how long each evaluation takes."},
	{"pwd", command_pwd, "Print the current directory."},
	{"cd", command_cd, "Change the current directory."},
	{"help", command_help, "Print this list."},
	{"quit", command_quit, "Quit."},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void command_help(Repl *r, const char *arg)
{
	(void)arg;
	puts("Enter a declaration, an expression, or one of these commands (may be abbreviated):");
	for (int i = 0; i < N_COMMANDS; i++)
		printf("  :%-9s %s\n", commands[i].name, commands[i].help);
	puts(!r->behind ? "Everything is interpreted."
	     : behind_can_compile()
	     ? "What takes longer than 0.3 s is also compiled in the background, and the first\n"
	       "result is used."
	     : "No C compiler was found, so that everything is interpreted.");
}

static void enter_command(Repl *r, const char *line)
{
	size_t n = strcspn(line, " \t");
	const char *arg = line + n + strspn(line + n, " \t");
	const Command *found = NULL;
	for (int i = 0; i < N_COMMANDS; i++) {
		if (n == 0 || strncmp(commands[i].name, line, n) != 0)
			continue;
		if (strlen(commands[i].name) == n) {
			commands[i].run(r, arg);
			return;
		}
		if (found) {
			printf("Ambiguous command '%.*s'\n", (int)n, line);
			return;
		}
		found = &commands[i];
	}
	if (found)
		found->run(r, arg);
	else
		printf("Unknown command '%.*s'\n", (int)n, line);
}

// ---- Input ----

// For the tab key: the names in scope, or commands.
static TextVec words_for(void *ctx, const char *before, size_t *start)
{
	Repl *r = ctx;
	TextVec out = {0};
	size_t n = strlen(before);
	if (*before == ':' && !strchr(before, ' ')) {
		*start = 1;
		for (int i = 0; i < N_COMMANDS; i++)
			if (strncmp(commands[i].name, before + 1, n - 1) == 0)
				VEC_PUSH(&out, commands[i].name);
		return out;
	}
	Offers offers = offer_at_end(r->program, before, start);
	for EACH(Offer, o, offers)
		VEC_PUSH(&out, o->name);
	return out;
}

// The next line without its newline; NULL at the end.  The text is in the arena.
static const char *next_line(Repl *r, const char *prompt)
{
	char *line = NULL;
	fflush(stdout);
	if (r->terminal) {
		line = edit_line(prompt, words_for, r);
	} else {
		size_t cap = 0;
		fputs(prompt, stdout);
		ssize_t n = getline(&line, &cap, stdin);
		if (n < 0) {
			must(feof(stdin) || errno != ENOMEM ? r : NULL); // not the end of the input
			free(line);
			line = NULL;
		} else if (n && line[n - 1] == '\n') {
			line[n - 1] = 0;
		}
	}
	if (!line)
		return NULL;
	const char *copy = text("%s", line);
	free(line);
	return copy;
}

static bool is_blank(const char *s)
{
	return s[strspn(s, " \t\r")] == 0;
}

// The history has a line per input.
static const char *on_one_line(const char *input)
{
	char *copy = mem_dup(input, strlen(input) + 1);
	for (char *p = copy; *p; p++)
		*p = *p == '\n' ? ' ' : *p;
	return copy;
}

static void enter(Repl *r, const char *first)
{
	const char *prompt = text("%*s> ", (int)strlen(text("[%d]", r->n)), "");
	for (const char *input = first; ; ) {
		Source *source = repl_source(r, input);
		if (!source)
			break;
		Line line = parse_line(source);
		const char *more = line.incomplete ? next_line(r, prompt) : NULL;
		if (more && !is_blank(more)) {
			diag_reset();
			input = text("%s\n%s", input, more);
			continue;
		}
		if (r->terminal)
			history_add(on_one_line(input));
		if (diag_count(D_ERROR))
			break;
		if (line.incomplete)
			puts("Unexpected end of input.");
		else if (line.expr)
			enter_expression(r, line.expr);
		else
			enter_declarations(r, line.decls);
		break;
	}
	repl_print_diags();
}

static const char *history_path(void)
{
	const char *home = getenv("HOME");
	return home ? text("%s/.raido_history", home) : NULL;
}

static bool stays(const Repl *r)
{
	return !r->done && (!r->stopped || r->stopped->next == STAYS);
}

// Until the end, or until a stopped evaluation goes on.
static void loop(Repl *r)
{
	while (stays(r)) {
		const char *line = next_line(r, text("[%d]> ", r->n));
		if (!line && !r->stopped) {
			puts("Leaving 'raido repl'.");
			return;
		}
		line = line ? line + strspn(line, " \t\r") : "";
		if (!*line) {
			if (r->stopped)
				r->stopped->next = GOES_ON;
			continue;
		}
		if (*line == ':') {
			if (r->terminal)
				history_add(line);
			enter_command(r, line + 1);
		} else {
			enter(r, line);
		}
		r->n++;
	}
}

bool print_library_doc(const char *name)
{
	Repl r = {.options.no_warnings = true};
	r.program = load_empty(r.options);
	enter(&r, "import \"/prelude/derivatives\"");
	return repl_print_doc(&r, name);
}

int cmd_repl(int argc, char **argv)
{
	bool interpreted = false;
	Repl r = {.terminal = stream_is_terminal(stdin) && stream_is_terminal(stdout)};
	const Opt opts[] = {
		{'w', NULL, NULL, OPT_FLAG, &r.options.no_warnings, "Suppress warnings.", NULL},
		{0, "all", NULL, OPT_FLAG, &r.whole,
		 "Print long arrays in full, also on a terminal.", NULL},
		{'i', "interpret", NULL, OPT_FLAG, &interpreted,
		 "Use only the interpreter, also for what takes long.", NULL},
	};
	const Usage u = {
		"repl", "[PROGRAM]",
		"Starts an interactive session that evaluates declarations and expressions, in "
		"the scope of a program if one is given.  Enter :help for its commands.",
		0, 1, OPTS(opts), NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	const char *history = r.terminal ? history_path() : NULL;
	if (r.terminal)
		puts("Raido " RAIDO_VERSION ".  Enter :help for help, :quit to quit.");
	if (history)
		history_load(history);
	r.program = load_empty(r.options);
	repl_print_diags();
	if (args.len)
		command_load(&r, args.at[0]);
	if (!interpreted)
		r.behind = behind_new();
	loop(&r);
	if (r.behind)
		behind_end(r.behind);
	if (history)
		history_save(history);
	return 0;
}
