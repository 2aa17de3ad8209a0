// Inputs and expected outputs of the cases of test blocks.
//
// Random inputs and automatic outputs are kept in a directory `data` beside the program, which is
// marked as a cache (CACHEDIR.TAG) so that backups skip it.  Files are written under another name
// and renamed, since several tests may create the same one at once.
#include "cli/cli.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

const char *dir_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return !slash ? "." : slash == path ? "/" : text("%.*s", (int)(slash - path), path);
}

static bool write_all(FILE *f, const Str *bytes)
{
	return (bytes->len == 0 || fwrite(bytes->at, 1, bytes->len, f) == bytes->len) &&
	       fflush(f) == 0;
}

// What is no file, such as a terminal or a pipe, cannot be replaced.
static bool write_into(const char *path, const Str *bytes)
{
	FILE *f = fopen(path, "wb");
	bool ok = f && write_all(f, bytes);
	int saved = errno;
	if (f)
		ok &= fclose(f) == 0;
	errno = saved;
	return ok;
}

bool write_atomically(const char *path, const Str *bytes)
{
	struct stat st;
	bool exists = stat(path, &st) == 0;
	if (exists && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return write_into(path, bytes);
	const char *temporary = text("%s.%ld.new", path, (long)getpid());
	FILE *f = fopen(temporary, "wb");
	if (!f)
		return false;
	bool ok = write_all(f, bytes) && fsync(fileno(f)) == 0;
	int saved = errno;
	if (exists)
		fchmod(fileno(f), st.st_mode & 07777);
	if (fclose(f) != 0 && ok) {
		ok = false;
		saved = errno;
	}
	if (ok && rename(temporary, path) != 0) {
		ok = false;
		saved = errno;
	}
	if (!ok)
		unlink(temporary);
	errno = saved;
	return ok;
}

// ---- The data directory ----

static const char tag[] =
	"Signature: 8a477f597d28d172789f06886806bc55\n"
	"# This directory is a cache of generated test data and can be deleted.\n";

// Makes the directory if need be and gives its name; NULL with errno set.
static const char *data_dir(const TestSpec *spec)
{
	const char *dir = text("%s/data", dir_of(spec->path));
	if (mkdir(dir, 0777) != 0 && errno != EEXIST)
		return NULL;
	const char *tag_path = text("%s/CACHEDIR.TAG", dir);
	Str s = {0};
	str_puts(&s, tag);
	if (access(tag_path, F_OK) != 0 && !write_atomically(tag_path, &s))
		return NULL;
	return dir;
}

static bool write_values(const char *path, const Values *values)
{
	Str s = {0};
	for (int i = 0; i < values->len; i++)
		value_write_binary(&s, &values->at[i]);
	return write_atomically(path, &s);
}

// A text as a part of a file name: no slashes, and not too long for any file system.
static const char *file_part(const char *s)
{
	Str out = {0};
	uint64_t hash = 0;
	for (const char *p = s; *p; p++) {
		hash = hash * 1099511628211u + (unsigned char)*p;
		if (out.len < 120)
			str_putc(&out, *p == '/' || (unsigned char)*p <= ' ' ? '_' : *p);
	}
	if (strlen(s) > 120)
		str_printf(&out, "-%016llx", (unsigned long long)hash);
	return str_text(&out);
}

static bool random_input(const TestSpec *spec, const TestCase *c, Values *out, const char **why)
{
	const char *dir = data_dir(spec);
	for (int i = 0; i < c->gens.len; i++) {
		const char *gen = c->gens.at[i];
		const char *path = text("%s/%s.in", dir ? dir : ".", file_part(gen));
		if (access(path, F_OK) == 0) {
			if (!values_read_file(path, out, why))
				return false;
			continue;
		}
		Value v;
		Rng rng = {.state = 1};
		if (!value_generate(&rng, gen, &v, why))
			return false;
		Values one = {&v, 1, 1};
		if (!dir || !write_values(path, &one)) {
			*why = text("Failed to write %s: %s", path, strerror(errno));
			return false;
		}
		VEC_PUSH(out, v);
	}
	return true;
}

// ---- Inputs ----

static const char *types_text(const Values *v)
{
	Str s = {0};
	for (int i = 0; i < v->len; i++) {
		str_puts(&s, i ? " " : "");
		for (int d = 0; d < v->at[i].rank; d++)
			str_puts(&s, "[]");
		str_puts(&s, primtype_name[v->at[i].type]);
	}
	return str_text(&s);
}

static const char *mismatch(const Fun *f, const char *provided)
{
	Str want = {0};
	for (int i = 0; i < f->entry->params.len; i++)
		str_printf(&want, "%s%s", i ? " " : "", f->entry->params.at[i].type->name);
	return text("Expected input of types: %s\nProvided input of types: %s", str_text(&want),
	            provided);
}

// The arguments of the entry point from the value of a script.
static bool arguments_of(const Fun *f, Datum d, Values *out, const char **why)
{
	int n = f->entry->params.len;
	bool tuple = d.type->kind == ET_RECORD && d.type->is_tuple && d.type->fields.len == n &&
	             n != 1;
	bool ok = tuple || n == 1;
	const Value *flat = d.flat;
	for (int i = 0; ok && i < n; i++) {
		const EntryType *t = tuple ? d.type->fields.at[i].type : d.type;
		ok = datum_convert(f->entry->params.at[i].type, (Datum){t, flat}, out);
		flat += t->n_values;
	}
	if (!ok)
		*why = mismatch(f, d.type->name);
	return ok;
}

static bool script_input(Script *s, const TestCase *c, const Fun *f, Values *out,
                         const char **why)
{
	Datum d;
	Leaves leaves = {0};
	if (!script_eval(s, c->script, &d, why))
		return false;
	if (f)
		return arguments_of(f, d, out, why);
	if (!entry_leaves(d.type, false, &leaves)) {
		*why = text("Type %s has no external representation.", d.type->name);
		return false;
	}
	for (int i = 0; i < d.type->n_values; i++)
		VEC_PUSH(out, d.flat[i]);
	return true;
}

static bool accepts(const Fun *f, const Values *v)
{
	Leaves want = {0};
	if (!entry_input_leaves(f, &want) || want.len != v->len)
		return false;
	for (int i = 0; i < want.len; i++)
		if (!leaf_accepts(want.at[i], &v->at[i]))
			return false;
	return true;
}

bool case_input(Script *s, const TestSpec *spec, const TestCase *c, const Fun *f, Values *out,
                const char **why)
{
	switch (c->input) {
	case IN_VALUES:
		for (int i = 0; i < c->values.len; i++)
			VEC_PUSH(out, c->values.at[i]);
		break;
	case IN_FILE:
		if (!values_read_file(text("%s/%s", dir_of(spec->path), c->path), out, why))
			return false;
		break;
	case IN_RANDOM:
		if (!random_input(spec, c, out, why))
			return false;
		break;
	case IN_SCRIPT:
		return script_input(s, c, f, out, why);
	}
	if (f && !accepts(f, out)) {
		*why = mismatch(f, types_text(out));
		return false;
	}
	return true;
}

// ---- Outputs ----

bool result_values(const Fun *f, const Values *flat, Values *out, const char **why)
{
	Leaves leaves = {0};
	if (!entry_leaves(f->entry->result, false, &leaves)) {
		*why = text("Type %s has no external representation.", f->entry->result->name);
		return false;
	}
	for (int i = 0; i < flat->len; i++)
		VEC_PUSH(out, flat->at[i]);
	return true;
}

static const char *auto_output_path(const TestSpec *spec, Name entry, const TestCase *c)
{
	const char *slash = strrchr(spec->path, '/'), *base = slash ? slash + 1 : spec->path;
	int len = (int)strlen(base) - (str_ends(base, ".fut") ? 4 : 0);
	Str inputs = {0};
	if (c->input == IN_RANDOM)
		for (int i = 0; i < c->gens.len; i++)
			str_printf(&inputs, "%s%s", i ? "_" : "", c->gens.at[i]);
	else if (c->input == IN_VALUES)
		for (int i = 0; i < c->values.len; i++) {
			str_puts(&inputs, i ? "_" : "");
			value_write_text(&inputs, &c->values.at[i], TEXT_SHORTEST);
		}
	else
		str_puts(&inputs, c->name);
	return text("%s/data/%s.out", dir_of(spec->path),
	            file_part(text("%.*s:%s-%s", len, base, entry, str_text(&inputs))));
}

// Is it there, and not older than the program?
static bool auto_output_fresh(const TestSpec *spec, const char *path)
{
	struct stat program, output;
	if (stat(path, &output) != 0 || stat(spec->path, &program) != 0)
		return false;
	return output.st_mtime > program.st_mtime;
}

static bool auto_output_write(const TestSpec *spec, const char *path, const Values *values)
{
	return data_dir(spec) != NULL && write_values(path, values);
}

bool expected_values(const TestSpec *spec, Name entry, const TestCase *c, const Values *got,
                     Values *out, const char **why)
{
	const char *path;
	switch (c->result) {
	case RES_ANY:
	case RES_ERROR:
		return false;
	case RES_VALUES:
		*out = c->expected;
		return true;
	case RES_FILE:
		path = text("%s/%s", dir_of(spec->path), c->expected_path);
		return values_read_file(path, out, why);
	case RES_AUTO:
		path = auto_output_path(spec, entry, c);
		if (auto_output_fresh(spec, path))
			return values_read_file(path, out, why);
		// The first to run is the reference, so what it gave is what is expected.
		if (!auto_output_write(spec, path, got))
			*why = text("Failed to write %s: %s", path, strerror(errno));
		return false;
	}
	bug("not a kind of result");
}

static const char *write_side(const char *path, const Values *values)
{
	return write_values(path, values) ? NULL
	                                  : text("Failed to write %s: %s", path, strerror(errno));
}

const char *compare_values(const char *base, const Values *got, const Values *expected)
{
	Str differences = {0};
	if (values_compare(got, expected, true, &differences))
		return NULL;
	differences.at[--differences.len] = 0;
	const char *a = text("%s.actual", base), *e = text("%s.expected", base);
	const char *why = write_side(a, got);
	why = why ? why : write_side(e, expected);
	return why ? why : text("%s and %s do not match:\n%s", a, e, str_text(&differences));
}
