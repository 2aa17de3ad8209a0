// The command script: compiles a program and evaluates expressions of FutharkScript over its
// entry points.  Here are also the builtins that touch files:
//
//     $store "f" v            writes a value in binary form
//     $restore "type" "f"     reads one back
//     $loadimg "f"            an image as [][]u32, 0xAARRGGBB     (by ImageMagick)
//     $loadaudio "f"          sound as [channels][samples]f64      (by ffmpeg)
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>

typedef struct {
	CompileOptions compile;
	bool binary, debugging, logging, verbose;
	TextVec expressions;
} ScriptFlags;

// ---- Builtins ----

static const char *text_argument(const Script *s, const Datum *d, bool is_path)
{
	const Value *v = d->type->n_values == 1 ? &d->flat[0] : NULL;
	if (!v || v->rank != 1 || v->type != PT_U8)
		return NULL;
	const char *name = text("%.*s", (int)v->shape[0], (const char *)v->data);
	return !is_path || name[0] == '/' ? name : text("%s/%s", s->dir, name);
}

static bool store(const char *path, const Datum *d, Datum *out, const char **why)
{
	static const Values nothing;
	Str bytes = {0};
	for (int i = 0; i < d->type->n_values; i++)
		value_write_binary(&bytes, &d->flat[i]);
	*out = datum_of_values(&nothing);
	if (write_atomically(path, &bytes))
		return true;
	*why = text("Failed to write %s: %s", path, strerror(errno));
	return false;
}

// A type by its name, among those of the entry points.
static const EntryType *type_named(const Script *s, const char *name)
{
	for EACH(Fun *, f, s->loaded->prog->funs) {
		const EntryInfo *e = (*f)->entry;
		if (!e)
			continue;
		if (strcmp(e->result->name, name) == 0)
			return e->result;
		for EACH(EntryParam, p, e->params)
			if (strcmp(p->type->name, name) == 0)
				return p->type;
	}
	return NULL;
}

static bool restore(const Script *s, const char *type, const char *path, Datum *out,
                    const char **why)
{
	Values values = {0};
	if (!values_read_file(path, &values, why))
		return false;
	const EntryType *t = type_named(s, type);
	*out = datum_of_values(&values);
	if (t && t->n_values == values.len)
		out->type = t;
	else if (strcmp(out->type->name, type) != 0)
		*why = text("%s holds a value of type %s, not %s.", path, out->type->name, type);
	else
		return true;
	return t && t->n_values == values.len;
}

const char *shell_quoted(const char *path)
{
	Str s = {0};
	str_putc(&s, '\'');
	for (const char *p = path; *p; p++)
		str_puts(&s, *p == '\'' ? "'\\''" : text("%c", *p));
	str_putc(&s, '\'');
	return str_text(&s);
}

// The output of a command of the shell, in which @ stands for the file.
static const char *output_of(const char *command, const char *path, size_t *len)
{
	Str s = {0};
	for (; *command; command++)
		if (*command == '@')
			str_puts(&s, shell_quoted(path));
		else
			str_putc(&s, *command);
	FILE *f = popen(str_text(&s), "r");
	const char *bytes = f ? read_stream(f, len) : NULL;
	return f && pclose(f) == 0 && bytes && *len ? bytes : NULL;
}

// The number after a word of the header of a PAM file.
static int64_t pam_number(const char *header, const char *word)
{
	const char *at = strstr(header, word);
	return at ? strtoll(at + strlen(word), NULL, 10) : 0;
}

static bool load_image(const char *path, Datum *out, const char **why)
{
	size_t len;
	const char *bytes = output_of(
		"convert @ -depth 8 -alpha set -type TrueColorAlpha PAM:- 2>/dev/null"
		" || magick @ -depth 8 -alpha set -type TrueColorAlpha PAM:-", path, &len);
	const char *end = bytes ? strstr(bytes, "ENDHDR\n") : NULL;
	int64_t shape[2] = {0, 0};
	if (end) {
		shape[0] = pam_number(bytes, "HEIGHT ");
		shape[1] = pam_number(bytes, "WIDTH ");
		end += strlen("ENDHDR\n");
	}
	if (!end || shape[0] <= 0 || shape[1] <= 0 || pam_number(bytes, "DEPTH ") != 4 ||
	    (int64_t)len - (end - bytes) < shape[0] * shape[1] * 4) {
		*why = text("Failed to load the image %s; this takes ImageMagick.", path);
		return false;
	}
	Value v = value_new(PT_U32, 2, shape);
	const unsigned char *p = (const unsigned char *)end;
	for (int64_t i = 0; i < shape[0] * shape[1]; i++, p += 4)
		((uint32_t *)v.data)[i] = (uint32_t)p[3] << 24 | (uint32_t)p[0] << 16 |
		                          (uint32_t)p[1] << 8 | p[2];
	Values one = {&v, 1, 1};
	*out = datum_of_values(&one);
	return true;
}

static bool load_audio(const char *path, Datum *out, const char **why)
{
	size_t len, n_channels = 0;
	const char *channels = output_of(
		"ffprobe -v error -select_streams a:0 -show_entries stream=channels -of csv=p=0 @",
		path, &n_channels);
	int64_t shape[2] = {channels ? strtoll(channels, NULL, 10) : 0, 0};
	const char *bytes = shape[0] > 0 ? output_of("ffmpeg -v error -i @ -f f64le -", path, &len)
		: NULL;
	if (!bytes) {
		*why = text("Failed to load the sound %s; this takes ffmpeg.", path);
		return false;
	}
	shape[1] = (int64_t)(len / 8) / shape[0];
	Value v = value_new(PT_F64, 2, shape);
	for (int64_t c = 0; c < shape[0]; c++)
		for (int64_t i = 0; i < shape[1]; i++)
			memcpy((double *)v.data + c * shape[1] + i, bytes + 8 * (i * shape[0] + c),
			       8);
	Values one = {&v, 1, 1};
	*out = datum_of_values(&one);
	return true;
}

static bool builtin(Script *s, const char *name, const Datum *args, int n, Datum *out, bool *known,
                    const char **why)
{
	bool stores = strcmp(name, "store") == 0, restores = strcmp(name, "restore") == 0;
	bool image = strcmp(name, "loadimg") == 0, audio = strcmp(name, "loadaudio") == 0;
	*known = stores || restores || image || audio;
	if (!*known)
		return false;
	int want = stores || restores ? 2 : 1;
	const char *path = n == want ? text_argument(s, &args[restores], true) : NULL;
	const char *type = restores && path ? text_argument(s, &args[0], false) : "";
	if (!path || !type) {
		*why = text("$%s takes %s.", name, stores ? "a file name and a value"
		                                 : restores ? "a type and a file name"
		                                 : "a file name");
		return false;
	}
	if (!script_may_use(s, path, stores, why))
		return false;
	return stores ? store(path, &args[1], out, why) : restores
		? restore(s, type, path, out, why)
	     : image ? load_image(path, out, why) : load_audio(path, out, why);
}

static void script_with_files(Script *s)
{
	s->builtin = builtin;
}

// ---- The command ----

static bool print_value(Datum d, bool binary, const char **why)
{
	Leaves leaves = {0};
	if (!entry_leaves(d.type, true, &leaves)) {
		*why = text("Type %s has no external representation.", d.type->name);
		return false;
	}
	if (!binary) {
		puts(script_show(d));
		return true;
	}
	for (int i = 0; i < d.type->n_values; i++) {
		Str s = {0};
		value_write_binary(&s, &d.flat[i]);
		fwrite(s.at, 1, s.len, stdout);
	}
	return true;
}

static bool evaluate(Script *s, const char *expression, bool binary, const char **why)
{
	const char *at = expression, *end = at + strlen(at);
	Datum d;
	const ScriptExp *e = script_parse(&at, end, why);
	at += strspn(at, " \t\r\n");
	if (!e || *at) {
		*why = text("In \"%s\": expected %s at %s.", expression, e ? "the end" : *why,
		            *at ? text("\"%.20s\"", at) : "the end");
		return false;
	}
	return script_eval(s, e, &d, why) && print_value(d, binary, why);
}

static const char *add_file(void *to, const char *path)
{
	size_t len;
	const char *body = read_file(path, &len);
	if (!body)
		return text("cannot read %s: %s", path, strerror(errno));
	VEC_PUSH((TextVec *)to, body);
	return NULL;
}

static const char *parse_flags(ScriptFlags *f, int argc, char **argv)
{
	CompileOptions *c = &f->compile;
	const Opt opts[] = {
		OPT_BACKEND(c),
		{'b', "binary", NULL, OPT_FLAG, &f->binary, "Print values in binary format.", NULL},
		{'D', "debug", NULL, OPT_FLAG, &f->debugging,
		 "Pass -D (debugging) to the program.", NULL},
		{'e', "expression", "EXP", OPT_LIST, &f->expressions, "Evaluate this expression.",
		 NULL},
		{'f', "file", "FILE", OPT_CALL, &f->expressions,
		 "Evaluate the expression in this file.",
		 add_file},
		{'L', "log", NULL, OPT_FLAG, &f->logging,
		 "Pass -L (logging) to the program.", NULL},
		OPTS_COMPILER(c),
		OPT_SKIP_COMPILATION(c),
		{'v', "verbose", NULL, OPT_FLAG, &f->verbose, "Print progress information.", NULL},
	};
	const Usage u = {
		"script", "PROGRAM [EXPRESSION]",
		"Compiles a program, evaluates expressions that call its entry points, "
		"and prints their values.",
		1, 2, OPTS(opts), NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	const char *why = check_compile_options(c);
	if (why)
		usage_error(&u, "%s", why);
	if (args.len > 1)
		VEC_PUSH(&f->expressions, args.at[1]);
	if (!f->expressions.len)
		usage_error(&u, "expected an expression");
	if (f->debugging)
		VEC_PUSH(&c->options, "-D");
	if (f->logging)
		VEC_PUSH(&c->options, "-L");
	return args.at[0];
}

int script_open(Script *s, Loaded *l, const char *path, const CompileOptions *o, bool verbose)
{
	int len = (int)strlen(path) - (str_ends(path, ".fut") ? 4 : 0);
	const char *program = text("%.*s", len, path), *why = NULL;
	LowerOptions lower = {.entries = o->entries};
	bool ok = driver_check(path, (LoadOptions){.extra_entries = o->entries}, l) &&
	          driver_lower(l, &lower);
	report_diags();
	if (!ok)
		return 2;
	if (!o->skip_compilation) {
		if (verbose)
			fprintf(stderr, "Compiling %s...\n", path);
		ok = compile_server(l, path, program, o, &why) == COMPILED;
	}
	*s = (Script){.loaded = l, .dir = ".", .traces = stderr};
	script_with_files(s);
	s->server = ok ? start_compiled(path, program, o, &why) : NULL;
	if (!s->server)
		fprintf(stderr, "%s\n", why);
	return s->server ? 0 : 1;
}

int cmd_script(int argc, char **argv)
{
	ScriptFlags f = {.compile.backend = "c"};
	const char *why = NULL, *path = parse_flags(&f, argc, argv);
	Loaded l;
	Script s;
	int code = script_open(&s, &l, path, &f.compile, f.verbose);
	if (code)
		return code;
	bool ok = true;
	for (int i = 0; ok && i < f.expressions.len; i++)
		ok = evaluate(&s, f.expressions.at[i], f.binary, &why);
	fputs(server_stderr(s.server), stderr);
	server_stop(s.server);
	if (!ok)
		fprintf(stderr, "%s\n", why);
	return ok ? 0 : 1;
}
