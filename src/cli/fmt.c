// The command fmt: formats source files.
#include "cli/cli.h"

#include <errno.h>

// The file laid out anew; NULL after reporting errors.
static const char *formatted(const char *name, const char *bytes, size_t len)
{
	Source *source = source_add(name, bytes, len);
	if (!source) {
		fprintf(stderr, "%s: file too large\n", name);
		return NULL;
	}
	File *f = parse_file(source);
	bool failed = f->failed || diag_count(D_ERROR);
	report_diags();
	return failed ? NULL : format_file(f);
}

static int format_stdin(bool check)
{
	size_t len;
	const char *bytes = read_stream(stdin, &len);
	if (!bytes) {
		perror("standard input");
		return 1;
	}
	const char *out = formatted("", bytes, len);
	if (!out)
		return 2;
	if (check)
		return strcmp(out, bytes) != 0;
	fputs(out, stdout);
	return 0;
}

static int format_in_place(const char *path, bool check)
{
	size_t len;
	const char *bytes = read_file(path, &len);
	if (!bytes) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return 1;
	}
	const char *out = formatted(path, bytes, len);
	if (!out)
		return 2;
	if (strlen(out) == len && memcmp(out, bytes, len) == 0)
		return 0;
	if (check) {
		printf("%s: not formatted correctly.\n", path);
		return 1;
	}
	Str s = {0};
	str_puts(&s, out);
	if (write_atomically(path, &s))
		return 0;
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	return 1;
}

int cmd_fmt(int argc, char **argv)
{
	bool check = false;
	const Opt opts[] = {
		{0, "check", NULL, OPT_FLAG, &check,
		 "Change nothing; list the files that are not formatted and exit with 1.",
		 NULL},
	};
	const Usage u = {
		"fmt", "[FILES]",
		"Formats source files in place, as Futhark's formatter does.  Without files, "
		"formats standard input and writes the result to standard output.", 0, -1,
		OPTS(opts), NULL,
	};
	Texts files = parse_args(&u, argc, argv);
	int code = files.len ? 0 : format_stdin(check);
	for EACH(const char *, f, files) {
		int c = format_in_place(*f, check);
		code = c > code ? c : code;
	}
	return code;
}
