// The command literate: makes Markdown of a program whose comments are text and contain
// expressions to evaluate.
//
//     -- # Squares                        # Squares
//
//     entry sq (x: i32) = x * x           ```futhark
//                                         entry sq (x: i32) = x * x
//                                         ```
//     -- > sq 3
//                                         ```
//                                         > sq 3
//                                         ```
//
//                                         ```
//                                         9i32
//                                         ```
//
// A comment that begins with `-- >` is a directive: an expression of FutharkScript, perhaps after
// :img, :audio, :video, :plot2d or :gnuplot, perhaps followed by a semicolon and lines
// `name: value`.  :brief before it leaves out the parameters, :covert all of the directive.  Files
// go to the directory PROG-img beside PROG.md, which is made anew.  Test blocks and doc comments
// belong to the code.  Definitions that directives mention are entry points, whether they say so
// or not.
#include "cli/literate.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Blocks ----

typedef enum { BLOCK_TEXT, BLOCK_CODE, BLOCK_DIRECTIVE } BlockKind;
typedef struct { BlockKind kind; const char *body; int line; } Block;
typedef VEC(Block) Blocks;

static TextVec lines_of(const char *body)
{
	TextVec lines = {0};
	while (*body) {
		size_t n = strcspn(body, "\n"), end = n;
		while (end && body[end - 1] == '\r')
			end--;
		VEC_PUSH(&lines, text("%.*s", (int)end, body));
		body += n + (body[n] == '\n');
	}
	return lines;
}

static bool is_comment(const char *line)
{
	return str_starts(line, "--");
}

static bool is_blank(const char *line)
{
	return !line[strspn(line, " \t")];
}

static bool belongs_to_code(const char *line)
{
	return !is_comment(line) || str_starts(line, "-- ==") || str_starts(line, "-- |");
}

// The text of a comment line.
static const char *uncomment(const char *line)
{
	return line + (line[2] == ' ' ? 3 : 2);
}

// Takes the block that begins at line *at.
static Block take_block(const TextVec *lines, int *at)
{
	Str s = {0};
	const char *first = lines->at[*at];
	int line = *at + 1, kept = 0;
	bool code = belongs_to_code(first), run = is_comment(first);
	bool directive = str_starts(first, "-- >");
	for (; *at < lines->len; ++*at) {
		const char *l = lines->at[*at];
		if (code ? is_comment(l) && !run && !belongs_to_code(l) : !is_comment(l))
			break;
		if (code && !is_comment(l))
			run = false; // what comes after a test block is code or the next block
		if (!code && !directive && str_starts(l, "-- =="))
			break;
		str_printf(&s, "%s\n", code ? l : uncomment(l));
		if (!is_blank(l))
			kept = (int)s.len;
	}
	const char *body = text("%.*s", kept, str_text(&s));
	if (directive)
		return (Block){BLOCK_DIRECTIVE, body + strspn(body, "> "), line};
	return (Block){code ? BLOCK_CODE : BLOCK_TEXT, body, line};
}

static Blocks blocks_of(const char *program)
{
	TextVec lines = lines_of(program);
	Blocks blocks = {0};
	for (int at = 0; at < lines.len; )
		if (is_blank(lines.at[at]))
			at++;
		else
			VEC_PUSH(&blocks, take_block(&lines, &at));
	return blocks;
}

// ---- Directives ----

static const char *skip_word(const char **at, const char *word)
{
	size_t n = strlen(word);
	const char *p = *at + strspn(*at, " \t\n");
	if (strncmp(p, word, n) != 0 || (p[n] && !strchr(" \t\n", p[n])))
		return NULL;
	*at = p + n;
	return word;
}

// What stands there, for messages.
static const char *excerpt(const char *at)
{
	int n = (int)strcspn(at, "\r\n");
	return *at ? text("\"%.*s\"", n < 20 ? n : 20, at) : "the end";
}

static const char *take_params(Directive *d, const char *at, const char *allowed)
{
	TextVec lines = lines_of(at);
	for EACH(const char *, l, lines) {
		const char *p = *l + strspn(*l, " \t"), *colon = strchr(p, ':');
		if (!*p)
			continue;
		if (!colon)
			return text("expected \"name: value\" at %s", excerpt(p));
		const char *value = colon + 1 + strspn(colon + 1, " \t");
		const char *name = text("%.*s", (int)(colon - p), p);
		if (!strstr(allowed, text(" %s ", name)))
			return text("unknown parameter \"%s\"; %s%s", name,
			            *allowed ? "there are:" : "this directive has none", allowed);
		VEC_PUSH(&d->names, name);
		VEC_PUSH(&d->values, text("%.*s", (int)strlen(value), value));
	}
	return NULL;
}

const char *directive_param(const Directive *d, const char *name, const char *otherwise)
{
	for (int i = 0; i < d->names.len; i++)
		if (strcmp(d->names.at[i], name) == 0)
			return d->values.at[i];
	return otherwise;
}

// What is wrong, or NULL.
static const char *parse_directive(const char *body, Directive *d)
{
	static const char *const kinds[][2] = {
		{":img", " file "},
		{":audio", " codec file sampling_frequency "},
		{":video", " file format fps repeat "},
		{":plot2d", " file size "},
		{":gnuplot", ""}, // has a script instead
	};
	const char *at = body, *why = NULL, *params = "";
	*d = (Directive){.kind = ""};
	while (skip_word(&at, ":brief") || skip_word(&at, ":covert")) {
		d->covert |= at[-1] == 't';
		d->brief |= at[-1] == 'f';
	}
	const char *shown = at + strspn(at, " \t\n");
	for (int i = 0; i < 5 && !*d->kind; i++)
		if (skip_word(&at, kinds[i][0])) {
			d->kind = kinds[i][0];
			params = kinds[i][1];
		}
	at += strspn(at, " \t\n");
	if (*at == ':')
		return text("unknown directive \"%.*s\"", (int)strcspn(at, " \t\n"), at);
	d->exp = script_parse(&at, at + strlen(at), &why);
	if (!d->exp)
		return text("expected %s at %s", why, excerpt(at));
	d->brief_text = text("%.*s", (int)(at - shown), shown);
	at += strspn(at, " \t\n");
	if (*at == ';' && strcmp(d->kind, ":gnuplot") == 0)
		d->script = at + 1;
	else if (*at == ';')
		return take_params(d, at + 1, params);
	else if (*at)
		return text("expected the end at %s", excerpt(at));
	return NULL;
}

// ---- Functions that directives mention are entry points ----

static void put_mentioned(const ScriptExp *e, Map *to)
{
	if (!e)
		return;
	if (e->kind == SX_CALL && !e->builtin)
		map_put(to, e->name, to);
	for EACH(const ScriptExp *, part, e->parts)
		put_mentioned(*part, to);
	put_mentioned(e->of, to);
	put_mentioned(e->body, to);
}

// Of the definitions of the program.  What is wrong with it is found when it is compiled.
static Names mentioned_entries(const char *path, const Blocks *blocks)
{
	Map names = {0};
	VEC(Name) found = {0};
	for EACH(Block, b, *blocks) {
		Directive d;
		if (b->kind == BLOCK_DIRECTIVE && !parse_directive(b->body, &d))
			put_mentioned(d.exp, &names);
	}
	const Program *p = load_program(path, (LoadOptions){.syntax_only = true});
	diag_reset();
	for (int i = 0; p && p->root && i < p->root->decls.len; i++) {
		const Decl *d = p->root->decls.at[i];
		if (d->kind == DEC_VAL && d->val.keyword != VAL_ENTRY &&
		    map_has(&names, d->val.name))
			VEC_PUSH(&found, d->val.name);
	}
	return VEC_SLICE(Names, found);
}

// ---- Markdown ----

static void put_fenced(Str *md, const char *language, const char *body)
{
	size_t n = strlen(body);
	while (n && body[n - 1] == '\n')
		n--;
	str_printf(md, "```%s\n%.*s\n```\n\n", language, (int)n, body);
}

static bool run_directive(Literate *l, const Directive *d, Str *md, const char **why)
{
	Datum v;
	Leaves leaves = {0};
	if (strcmp(d->kind, ":img") == 0)
		return show_image(l, d, md, why);
	if (strcmp(d->kind, ":audio") == 0)
		return show_audio(l, d, md, why);
	if (strcmp(d->kind, ":video") == 0)
		return show_video(l, d, md, why);
	if (strcmp(d->kind, ":plot2d") == 0 || strcmp(d->kind, ":gnuplot") == 0)
		return show_plot(l, d, md, why);
	if (!script_eval(&l->script, d->exp, &v, why))
		return false;
	if (!entry_leaves(v.type, true, &leaves)) {
		*why = text("Type %s has no external representation.", v.type->name);
		return false;
	}
	put_fenced(md, "", script_show(v));
	return true;
}

static void put_directive(Literate *l, const Block *b, Str *md)
{
	Directive d;
	const char *why = parse_directive(b->body, &d);
	Str result = {0};
	if (why)
		d = (Directive){.brief_text = b->body};
	if (!d.covert)
		put_fenced(md, "", text("> %s", d.brief ? d.brief_text : b->body));
	if (!why && run_directive(l, &d, &result, &why)) {
		str_puts(md, str_text(&result));
		return;
	}
	l->failed = true;
	fprintf(stderr, "%s:%d: %s\n", l->path, b->line, why);
	str_puts(md, "**FAILED**\n");
	put_fenced(md, "", why);
}

static const char *markdown(Literate *l, const Blocks *blocks)
{
	Str md = {0};
	for EACH(Block, b, *blocks) {
		switch (b->kind) {
		case BLOCK_TEXT:
			str_printf(&md, "%s\n", b->body);
			break;
		case BLOCK_CODE:
			put_fenced(&md, "futhark", b->body);
			break;
		case BLOCK_DIRECTIVE:
			if (l->verbose)
				fprintf(stderr, "%s:%d: %s", l->path, b->line, b->body);
			put_directive(l, b, &md);
			if (b + 1 < blocks->at + blocks->len && b[1].kind == BLOCK_DIRECTIVE)
				str_putc(&md, '\n');
			break;
		}
		if (l->failed && l->stop_on_error)
			return NULL;
	}
	while (md.len > 1 && md.at[md.len - 1] == '\n' && md.at[md.len - 2] == '\n')
		md.at[--md.len] = 0;
	return str_text(&md);
}

// ---- The command ----

typedef struct { CompileOptions compile; const char *output;
	bool verbose, stop_on_error, unsafe; } Flags;

static const char *parse_flags(Flags *f, int argc, char **argv)
{
	CompileOptions *c = &f->compile;
	const Opt opts[] = {
		OPT_BACKEND(c),
		OPTS_COMPILER(c),
		{'o', "output", "FILE", OPT_TEXT, &f->output,
		 "Name of the output file (default PROGRAM.md).", NULL},
		OPT_SKIP_COMPILATION(c),
		{0, "stop-on-error", NULL, OPT_FLAG, &f->stop_on_error,
		 "Write nothing if a directive fails.", NULL},
		{0, "unsafe", NULL, OPT_FLAG, &f->unsafe,
		 "Allow the document to access files outside its folder and to run its own gnuplot "
		 "scripts.", NULL},
		{'v', "verbose", NULL, OPT_FLAG, &f->verbose, "Print progress information.", NULL},
	};
	const Usage u = {
		"literate", "PROGRAM",
		"Renders a literate program as Markdown: comments become text, and directives are "
		"evaluated and their values shown.  "
		"Exits with 1 if a directive fails.",
		1, 1, OPTS(opts), NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	const char *why = check_compile_options(c);
	if (why)
		usage_error(&u, "%s", why);
	return args.at[0];
}

static const char *without(const char *path, const char *extension)
{
	size_t n = strlen(path) - (str_ends(path, extension) ? strlen(extension) : 0);
	return text("%.*s", (int)n, path);
}

int cmd_literate(int argc, char **argv)
{
	Flags f = {.compile.backend = "c"};
	const char *path = parse_flags(&f, argc, argv), *slash;
	const char *output = f.output ? f.output : text("%s.md", without(path, ".fut"));
	Loaded loaded;
	Literate l = {.path = path, .verbose = f.verbose, .stop_on_error = f.stop_on_error};
	size_t len;
	const char *program = read_file(path, &len);
	Blocks blocks = blocks_of(program ? program : "");
	f.compile.entries = mentioned_entries(path, &blocks);
	int code = script_open(&l.script, &loaded, path, &f.compile, f.verbose);
	if (code)
		return code;
	slash = strrchr(output, '/');
	l.script.dir = dir_of(path);
	l.dir = text("%s-img", without(output, ".md"));
	l.shown = without(slash ? slash + 1 : output, ".md");
	l.script.confined = !f.unsafe;
	struct stat st;
	if (!f.unsafe && lstat(l.dir, &st) == 0 && S_ISLNK(st.st_mode)) {
		fprintf(stderr, "%s is a symbolic link (see --unsafe).\n", l.dir);
		server_stop(l.script.server);
		return 1;
	}
	remove_images(&l);
	const char *md = markdown(&l, &blocks);
	server_stop(l.script.server);
	Str bytes = {0};
	if (md) {
		str_puts(&bytes, md);
		if (!write_atomically(output, &bytes)) {
			fprintf(stderr, "Cannot write %s: %s\n", output, strerror(errno));
			return 1;
		}
	}
	return l.failed ? 1 : 0;
}
