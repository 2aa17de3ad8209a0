// Commands that report on files: tokens, imports, hash.
#include "cli/cli.h"

#include <errno.h>

int cmd_tokens(int argc, char **argv)
{
	const Usage u = {
		"tokens", "FILE",
		"Prints the tokens of a file, one per line, each preceded by its position.",
		1, 1, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	size_t len;
	const char *bytes = read_file(args.at[0], &len);
	Source *source = bytes ? source_add(args.at[0], bytes, len) : NULL;
	if (!source) {
		fprintf(stderr, "%s: %s\n", args.at[0], bytes ? "file too large" : strerror(errno));
		return 1;
	}
	Comments comments = {0};
	Tokens tokens = lex(source, &comments);
	for EACH(Token, t, tokens)
		if (t->kind != TOK_EOF)
			printf("%s %s\n", show_span_short(t->span), span_text(t->span));
	tokens_free(tokens);
	bool failed = diag_count(D_ERROR) > 0;
	report_diags();
	return failed ? 2 : 0;
}

static bool is_builtin(const File *f)
{
	return str_starts(f->path, "/prelude/");
}

// Loads with all imports; false after reporting errors.  Errors of types do not matter here.
static bool load_all(const char *path, Loaded *l)
{
	bool ok = driver_check(path, (LoadOptions){.no_warnings = true, .files_only = true}, l);
	report_diags();
	return ok;
}

int cmd_imports(int argc, char **argv)
{
	const Usage u = {
		"imports", "PROGRAM",
		"Prints the names of a program's source files, one per line, with the program "
		"itself last.", 1, 1, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Loaded l;
	if (!load_all(args.at[0], &l))
		return 2;
	for EACH(File *, f, l.program->files)
		if (!is_builtin(*f) && *f != l.program->root)
			puts((*f)->source->name);
	puts(l.program->root->source->name);
	return 0;
}

// ---- hash ----

// The tokens of a file, whatever is between them.  Whether "[" is an index depends on what is
// before it, and is part of its kind.
static void put_tokens(Str *out, const Source *source)
{
	Comments comments = {0};
	Tokens tokens = lex(source, &comments);
	for EACH(Token, t, tokens)
		if (t->kind != TOK_DOC)
			str_printf(out, "%d %s\n", (int)t->kind, span_text(t->span));
	tokens_free(tokens);
}

int cmd_hash(int argc, char **argv)
{
	const Usage u = {
		"hash", "PROGRAM", "Prints a hash of a program and its imports as 32 hexadecimal "
		"digits.  Comments and formatting do not affect the hash.", 1, 1, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Loaded l;
	if (!load_all(args.at[0], &l))
		return 2;
	Str all = {0};
	for EACH(File *, f, l.program->files)
		if (!is_builtin(*f))
			put_tokens(&all, (*f)->source);
	puts(md5_hex(str_text(&all), all.len));
	return 0;
}
