// Reading command lines by table.
//
//   -a            --name            -abc = -a -b -c         --na = --name when unambiguous
//   -a ARG -aARG  --name ARG --name=ARG                     -- ends the options
//   -aARG         --name=ARG   if the argument may be missing
//
// Options and other arguments may be mixed.
#include "cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum { LEFT_WIDTH = 30, WIDTH = 80 };

void print_version(void)
{
	puts("Raido " RAIDO_VERSION "\nA compiler for Futhark " FUTHARK_VERSION ".");
}

// ---- Help ----

// Writes `body` in lines of at most WIDTH columns, later ones indented.
static void wrap(FILE *f, const char *body, int col, int indent)
{
	for (const char *p = body; *p; ) {
		int n = (int)strcspn(p, " \n");
		if (col > indent && col + 1 + n > WIDTH) {
			fprintf(f, "\n%*s", indent, "");
			col = indent;
		} else if (p != body && col > indent) {
			putc(' ', f);
			col++;
		}
		fwrite(p, 1, (size_t)n, f);
		col += n;
		p += n;
		if (*p == '\n') {
			fprintf(f, "\n%*s", indent, "");
			col = indent;
		}
		p += *p != 0;
	}
	putc('\n', f);
}

static void print_option(FILE *f, const Opt *o)
{
	Str left = {0};
	str_puts(&left, "  ");
	if (o->letter)
		str_printf(&left, "-%c", o->letter);
	if (o->letter && o->name)
		str_puts(&left, ", ");
	if (o->name)
		str_printf(&left, "%s--%s", o->letter ? "" : "    ", o->name);
	if (o->metavar)
		str_printf(&left, o->kind == OPT_MAYBE ? "[%s%s]" : "%s%s", o->name ? "=" : " ",
		           o->metavar);
	int len = (int)left.len;
	fputs(str_text(&left), f);
	if (len > LEFT_WIDTH - 2) {
		putc('\n', f);
		len = 0;
	}
	fprintf(f, "%*s", LEFT_WIDTH - len, "");
	wrap(f, o->help, LEFT_WIDTH, LEFT_WIDTH);
}

static void print_usage_line(FILE *f, const Usage *u)
{
	fprintf(f, "Usage: raido %s [options]%s%s\n", u->command, *u->args ? " " : "", u->args);
}

static void print_help(const Usage *u)
{
	static const Opt standard[] = {
		{'h', "help", .help = "Print this help."},
		{'V', "version", .help = "Print the version."},
	};
	print_usage_line(stdout, u);
	putchar('\n');
	wrap(stdout, u->about, 0, 0);
	puts("\nOptions:");
	for EACH(const Opt, o, u->opts)
		print_option(stdout, o);
	for (int i = 0; i < 2; i++)
		print_option(stdout, &standard[i]);
	if (u->more)
		printf("\n%s\n", u->more);
}

// ---- Mistakes ----

void usage_error(const Usage *u, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fprintf(stderr, "raido %s: ", u->command);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
	print_usage_line(stderr, u);
	fprintf(stderr, "Try \"raido %s --help\".\n", u->command);
	exit(2);
}

const char *nearest(const char *word, const char *const *candidates)
{
	const char *best = NULL;
	size_t limit = strlen(word) < 4 ? 1 : strlen(word) < 8 ? 2 : 3, least = limit + 1;
	for (; *candidates; candidates++) {
		size_t d = edit_distance(word, *candidates, limit);
		if (d < least) {
			least = d;
			best = *candidates;
		}
	}
	return best;
}

static NORETURN void unknown_long(const Usage *u, const char *name)
{
	const char **names = NEW_ARRAY(const char *, u->opts.len + 3);
	int n = 0;
	for EACH(const Opt, o, u->opts)
		if (o->name)
			names[n++] = o->name;
	names[n++] = "help";
	names[n] = "version";
	const char *near = nearest(name, names);
	if (near)
		usage_error(u, "unknown option --%s; did you mean --%s?", name, near);
	if (strcmp(name, "target") == 0 || strcmp(name, "backend") == 0 ||
	    strcmp(name, "device") == 0 || strcmp(name, "gpu") == 0)
		usage_error(u, "unknown option --%s; back ends are commands: raido c, multicore, "
		            "opencl, cuda", name);
	usage_error(u, "unknown option --%s", name);
}

// ---- Reading ----

static const char *spelling(const Opt *o, bool long_form)
{
	return long_form ? text("--%s", o->name) : text("-%c", o->letter);
}

static void apply(const Usage *u, const Opt *o, bool long_form, const char *arg)
{
	char *end;
	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)o->to = true;
		return;
	case OPT_UNSET:
		*(bool *)o->to = false;
		return;
	case OPT_TEXT:
		*(const char **)o->to = arg;
		return;
	case OPT_INT:
		errno = 0;
		*(int64_t *)o->to = strtoll(arg, &end, 0);
		if (errno || end == arg || *end)
			usage_error(u, "%s takes an integer, not \"%s\"", spelling(o, long_form),
				arg);
		return;
	case OPT_LIST:
		VEC_PUSH((TextVec *)o->to, arg);
		return;
	case OPT_CALL: case OPT_MAYBE: {
		const char *why = o->call(o->to, arg);
		if (why)
			usage_error(u, "%s: %s", spelling(o, long_form), why);
		return;
	}
	}
}

static void standard_option(const Usage *u, bool help)
{
	if (help)
		print_help(u);
	else
		print_version();
	exit(0);
}

static const Opt *find_long(const Usage *u, const char *name)
{
	const Opt *found = NULL;
	int n_found = 0;
	size_t len = strlen(name);
	for EACH(const Opt, o, u->opts) {
		if (!o->name || strncmp(o->name, name, len) != 0)
			continue;
		if (!o->name[len])
			return o;
		found = o;
		n_found++;
	}
	if (strcmp(name, "help") == 0 || strcmp(name, "version") == 0)
		standard_option(u, name[0] == 'h');
	if (n_found > 1)
		usage_error(u, "--%s is ambiguous", name);
	if (n_found == 0)
		unknown_long(u, name);
	return found;
}

static const Opt *find_short(const Usage *u, char letter)
{
	for EACH(const Opt, o, u->opts)
		if (o->letter == letter)
			return o;
	if (letter == 'h' || letter == 'V')
		standard_option(u, letter == 'h');
	if (letter == 'O' || letter == 'm' || letter == 'g')
		usage_error(u, "unknown option -%c; flags of the C compiler are in the "
		            "environment, CFLAGS", letter);
	usage_error(u, "unknown option -%c", letter);
}

typedef struct { const Usage *usage; int argc, i; char **argv; } CommandLine;

static const char *next_arg(CommandLine *l, const Opt *o, bool long_form)
{
	if (l->i + 1 >= l->argc)
		usage_error(l->usage, "%s needs an argument, %s", spelling(o, long_form),
			o->metavar);
	return l->argv[++l->i];
}

static void read_long(CommandLine *l, const char *word)
{
	const char *eq = strchr(word, '=');
	const char *name = eq ? text("%.*s", (int)(eq - word), word) : word;
	const Opt *o = find_long(l->usage, name);
	if (eq && !o->metavar)
		usage_error(l->usage, "--%s takes no argument", o->name);
	bool alone = !o->metavar || (o->kind == OPT_MAYBE && !eq);
	apply(l->usage, o, true, alone ? NULL : eq ? eq + 1 : next_arg(l, o, true));
}

static void read_short(CommandLine *l, const char *letters)
{
	while (*letters) {
		const Opt *o = find_short(l->usage, *letters++);
		if (!o->metavar || (o->kind == OPT_MAYBE && !*letters)) {
			apply(l->usage, o, false, NULL);
			continue;
		}
		apply(l->usage, o, false, *letters ? letters : next_arg(l, o, false));
		return;
	}
}

Texts parse_args(const Usage *u, int argc, char **argv)
{
	TextVec rest = {0};
	bool options = true;
	for (CommandLine l = {u, argc, 1, argv}; l.i < argc; l.i++) {
		const char *word = argv[l.i];
		bool number = u->max_args == -2 && word[0] == '-' &&
		              (isdigit((unsigned char)word[1]) || word[1] == '(');
		if (!options || word[0] != '-' || !word[1] || number)
			VEC_PUSH(&rest, word);
		else if (strcmp(word, "--") == 0)
			options = false;
		else if (word[1] == '-')
			read_long(&l, word + 2);
		else
			read_short(&l, word + 1);
	}
	if (rest.len < u->min_args)
		usage_error(u, "expected %s", u->args);
	if (u->max_args >= 0 && rest.len > u->max_args)
		usage_error(u, "unexpected argument \"%s\"%s", rest.at[u->max_args],
		            strcmp(u->command, "run") == 0
		            ? "; the values for the program are read from standard input" : "");
	return texts_of(rest);
}
