// Turns files into a C array of EmbeddedFile (src/base/embed.h), on standard output:
//
//     embed prelude prelude/a.fut prelude/b.fut.in > prelude_data.c
//     embed rts rts/c/base.h rts/c/int.h > rts_data.c
//
// The first argument names the array, embedded_prelude.  The file prelude/NAME.fut becomes
// "/prelude/NAME", any other file keeps its path.  A template, NAME.fut.in, has lines
//
//     -- @instances i8 i16 i32
//     def zero_@T@ : @T@ = 0
//     -- @end
//
// What stands between such a line (or several) and `-- @end`, the next `-- @instances` or
// the end of the file is written once for each instance, with @T@ replaced by the type,
// @U@ by the unsigned type of the same width and @BITS@ by that width.  Text outside is
// written once as it is.
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const types[] = {"i8",  "i16", "i32", "i64", "u8", "u16",
                                    "u32", "u64", "f16", "f32", "f64"};
enum { N_TYPES = sizeof types / sizeof *types, MAX_INSTANCES = 64 };

typedef struct {
	const char *of[MAX_INSTANCES];
	int n;
} Instances;

static const char *path;                // the file being read, for messages
static size_t written;                  // bytes of its text

static void die(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fprintf(stderr, "embed: %s: ", path);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

static char *read_whole(void)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		die("cannot be opened");
	size_t len = 0, cap = 1 << 16;
	char *s = malloc(cap);
	for (size_t n; s && (n = fread(s + len, 1, cap - len - 1, f)) > 0; ) {
		len += n;
		if (cap - len == 1)
			s = realloc(s, cap *= 2);
	}
	if (!s || ferror(f))
		die("cannot be read");
	fclose(f);
	s[len] = 0;
	if (strlen(s) != len)
		die("holds a zero byte");
	return s;
}

// Octal escapes of three digits: a digit that follows is not taken into them.
static void put_text(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c == '\n')
			fputs(i + 1 < n ? "\\n\"\n\t\"" : "\\n", stdout);
		else if (c == '"' || c == '\\' || c == '?' || c < 32 || c > 126)
			printf("\\%03o", c);
		else
			putchar(c);
	}
	written += n;
}

static void put_string(const char *s)
{
	put_text(s, strlen(s));
}

// Replaces the words between @ signs on one line.
static void put_instance_line(const char *line, size_t n, const char *type)
{
	const char *end = line + n;
	while (line < end) {
		const char *at = memchr(line, '@', (size_t)(end - line));
		put_text(line, (size_t)((at ? at : end) - line));
		if (!at)
			return;
		if (strncmp(at, "@T@", 3) == 0) {
			put_string(type);
			line = at + 3;
		} else if (strncmp(at, "@U@", 3) == 0) {
			put_string("u");
			put_string(type + 1);
			line = at + 3;
		} else if (strncmp(at, "@BITS@", 6) == 0) {
			put_string(type + 1);
			line = at + 6;
		} else {
			die("unknown word: %.*s", (int)(end - at), at);
		}
	}
}

static void put_section(const char *s, const char *end, const Instances *to)
{
	for (int i = 0; i < to->n; i++)
		for (const char *line = s; line < end; ) {
			const char *nl = memchr(line, '\n', (size_t)(end - line));
			size_t n = (size_t)((nl ? nl + 1 : end) - line);
			put_instance_line(line, n, to->of[i]);
			fputs("\"\n\t\"", stdout);
			line += n;
		}
}

static void read_instances(const char *s, const char *end, Instances *to)
{
	while (s < end) {
		s += strspn(s, " \t\r");
		if (s >= end || *s == '\n')
			return;
		size_t n = strcspn(s, " \t\r\n");
		int t = 0;
		while (t < N_TYPES && (strlen(types[t]) != n || strncmp(types[t], s, n) != 0))
			t++;
		if (t == N_TYPES || to->n == MAX_INSTANCES)
			die("unknown type or too many of them: %.*s", (int)n, s);
		to->of[to->n++] = types[t];
		s += n;
	}
}

// A section is collected until the line that ends it; `from` is its first byte.
static void put_template(const char *s)
{
	static const char begin[] = "-- @instances ", stop[] = "-- @end";
	Instances to = {{0}, 0};
	const char *from = s, *end = s + strlen(s);
	for (const char *line = s; line < end; ) {
		const char *nl = memchr(line, '\n', (size_t)(end - line));
		const char *next = nl ? nl + 1 : end;
		bool begins = strncmp(line, begin, strlen(begin)) == 0;
		if (begins || strncmp(line, stop, strlen(stop)) == 0) {
			if (to.n && from < line) {
				put_section(from, line, &to);
				to.n = 0;
			} else if (!to.n) {
				put_text(from, (size_t)(line - from));
			}
			if (begins)
				read_instances(line + strlen(begin), next, &to);
			else
				to.n = 0;
			from = next;
		}
		line = next;
	}
	if (to.n)
		put_section(from, end, &to);
	else
		put_text(from, (size_t)(end - from));
}

// "prelude/math.fut.in" becomes "/prelude/math".
static void embedded_name(char *out, size_t size)
{
	const char *dot = strstr(path, ".fut");
	if (dot)
		snprintf(out, size, "/%.*s", (int)(dot - path), path);
	else
		snprintf(out, size, "%s", path);
}

int main(int argc, char **argv)
{
	size_t *lens = calloc((size_t)argc + 1, sizeof *lens);
	if (!lens || argc < 2)
		return 1;
	puts("#include \"base/embed.h\"\n");
	for (int i = 2; i < argc; i++) {
		path = argv[i];
		size_t n = strlen(path);
		written = 0;
		char *s = read_whole();
		printf("static const char text_%d[] =\n\t\"", i);
		if (n > 3 && strcmp(path + n - 3, ".in") == 0)
			put_template(s);
		else
			put_string(s);
		puts("\";\n");
		free(s);
		lens[i] = written;
	}
	printf("const EmbeddedFile embedded_%s[] = {\n", argv[1]);
	for (int i = 2; i < argc; i++) {
		char name[256];
		path = argv[i];
		embedded_name(name, sizeof name);
		printf("\t{\"%s\", text_%d, %zu},\n", name, i, lens[i]);
	}
	puts("\t{0, 0, 0},\n};");
	free(lens);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
