// The command explain: what an error with a name means, from docs/errors.md, which is embedded in
// the binary.
//
//     ### use-after-consume        the name; its section ends before the next heading
#include "base/embed.h"
#include "cli/cli.h"

static const char *end_of_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : line + strlen(line);
}

// The heading after `from`, or NULL.
static const char *next_section(const char *from)
{
	for (; *from; from = end_of_line(from))
		if (str_starts(from, "### "))
			return from;
	return NULL;
}

static const char *section_name(const char *heading)
{
	const char *end = end_of_line(heading);
	return text("%.*s", (int)(end - heading - 5), heading + 4);
}

static const char *end_of_section(const char *heading)
{
	const char *at = end_of_line(heading);
	bool code = false;
	for (; *at && (code || at[0] != '#'); at = end_of_line(at))
		code ^= str_starts(at, "```");
	return at;
}

static const char *all_sections(void)
{
	return embedded_docs[0].text;
}

static void list_names(void)
{
	puts("raido explain NAME explains one of these:\n");
	for (const char *at = next_section(all_sections()); at; at = next_section(end_of_line(at)))
		printf("  %-30s %.*s", section_name(at),
		       (int)(end_of_line(end_of_line(at)) - end_of_line(at)), end_of_line(at));
}

static int explain(const char *name)
{
	const char *near = NULL;
	size_t best = 4;
	for (const char *at = next_section(all_sections()); at;
	     at = next_section(end_of_line(at))) {
		const char *known = section_name(at);
		if (strcmp(known, name) == 0) {
			const char *end = end_of_section(at);
			printf("%.*s", (int)(end - at - 4), at + 4);
			return 0;
		}
		size_t d = edit_distance(name, known, best);
		if (d < best || strstr(known, name)) {
			near = known;
			best = d < best ? d : best;
		}
	}
	fprintf(stderr, "No error is called \"%s\".\n", name);
	if (near)
		fprintf(stderr, "Hint: did you mean \"%s\"?\n", near);
	fputs("\"raido explain\" lists all names.\n", stderr);
	return 1;
}

int cmd_explain(int argc, char **argv)
{
	const Usage u = {
		"explain", "[NAME]",
		"Explains an error or a warning by the name at the end of its message: what "
		"it means, an example, and how to fix it.  Without a name, lists all names.",
		0, 1, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	if (args.len)
		return explain(args.at[0]);
	list_names();
	return 0;
}
