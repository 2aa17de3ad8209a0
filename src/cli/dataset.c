// The commands on files of values: dataset, datacmp, dataget.
#include "cli/cli.h"

#include <stdlib.h>

// ---- dataset ----

typedef struct {
	bool binary, types_only;
	bool generated;                 // -g was given
	Rng rng;
	Str out;
} Dataset;

static void put_value(Dataset *d, const Value *v)
{
	if (d->types_only) {
		str_puts(&d->out, value_type_text(v));
	} else if (d->binary) {
		value_write_binary(&d->out, v);
		return;
	} else {
		value_write_rows(&d->out, v);
	}
	str_putc(&d->out, '\n');
}

static void flush(Dataset *d)
{
	fwrite(str_text(&d->out), 1, d->out.len, stdout);
	d->out.len = 0;
}

static const char *generate(void *to, const char *what)
{
	Dataset *d = to;
	Value v;
	const char *why;
	MemMark mark = mem_mark();
	if (!value_generate(&d->rng, what, &v, &why)) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
	d->out = (Str){0};
	put_value(d, &v);
	flush(d);
	d->out = (Str){0};
	mem_release(mark);
	d->generated = true;
	return NULL;
}

static const char *set_seed(void *to, const char *arg)
{
	Dataset *d = to;
	char *end;
	d->rng.state = strtoull(arg, &end, 0);
	return *arg && !*end ? NULL : "expected an integer";
}

static const char *set_binary(void *to, const char *arg)
{
	(void)arg;
	((Dataset *)to)->binary = true;
	((Dataset *)to)->types_only = false;
	return NULL;
}

static const char *set_text(void *to, const char *arg)
{
	(void)arg;
	((Dataset *)to)->binary = false;
	return NULL;
}

static const char *set_type(void *to, const char *arg)
{
	(void)arg;
	((Dataset *)to)->types_only = true;
	return NULL;
}

// A bound of a range: a number, with or without suffix, as a value of type t.
static bool read_bound(const char *from, size_t len, PrimType t, Scalar *out)
{
	const char *why, *at = from, *end = from + len;
	Value v;
	if (!value_read(&at, end, &v, &why) || at != end || v.rank || v.type == PT_BOOL)
		return false;
	Scalar s = value_get(&v, 0);
	// Without a suffix it is read as an i32 or f64, where large integers would wrap.
	bool suffixed = str_ends(text("%.*s", (int)len, from), primtype_name[s.type]);
	if (suffixed && s.type != t)
		return false;
	if (!suffixed && is_int(s.type)) {
		PrimType widest = is_unsigned(t) ? PT_U64 : is_signed(t) ? PT_I64 : t;
		const char *again = text("%.*s%s", (int)len, from, primtype_name[widest]);
		end = again + strlen(again);
		if (!value_read(&again, end, &v, &why))
			return false;
		Scalar wide = value_get(&v, 0);
		s = is_int(t) ? scalar_int(t, (int64_t)wide.u) : wide;
		if (is_unsigned(t) ? *from == '-' || s.u != wide.u : is_signed(t) && s.i != wide.i)
			return false;
	}
	if (is_int(t) && !is_int(s.type))
		return false;
	*out = is_float(s.type) ? scalar_float(t, s.f) : s;
	return true;
}

static const char *set_bounds(Dataset *d, PrimType t, const char *arg)
{
	const char *colon = strchr(arg, ':');
	Bounds b = {.set = true};
	if (!colon || !read_bound(arg, (size_t)(colon - arg), t, &b.lo) ||
	    !read_bound(colon + 1, strlen(colon + 1), t, &b.hi))
		return text("expected MIN:MAX of type %s, not \"%s\"", primtype_name[t], arg);
	if (is_signed(t) ? b.lo.i > b.hi.i : is_unsigned(t) ? b.lo.u > b.hi.u : b.lo.f > b.hi.f)
		return text("the lower bound exceeds the upper in \"%s\"", arg);
	d->rng.bounds[t] = b;
	return NULL;
}

// One setter per type, as the table of options needs a function each.
#define BOUNDS_OF(t, T) \
	static const char *bounds_##t(void *to, const char *arg) { return set_bounds(to, T, arg); }
BOUNDS_OF(i8, PT_I8)
BOUNDS_OF(i16, PT_I16)
BOUNDS_OF(i32, PT_I32)
BOUNDS_OF(i64, PT_I64)
BOUNDS_OF(u8, PT_U8)
BOUNDS_OF(u16, PT_U16)
BOUNDS_OF(u32, PT_U32)
BOUNDS_OF(u64, PT_U64)
BOUNDS_OF(f16, PT_F16)
BOUNDS_OF(f32, PT_F32)
BOUNDS_OF(f64, PT_F64)
#undef BOUNDS_OF

static int convert(Dataset *d)
{
	size_t len;
	const char *why = NULL, *bytes = read_stream(stdin, &len);
	Values values = {0};
	if (!bytes || !values_read(bytes, len, &values, &why)) {
		fprintf(stderr, "Malformed data on standard input.\n");
		if (why)
			fprintf(stderr, "%s\n", why);
		return 1;
	}
	for EACH(Value, v, values) {
		put_value(d, v);
		flush(d);
	}
	return 0;
}

int cmd_dataset(int argc, char **argv)
{
	Dataset d = {.rng = {.state = 1}};
#define RANGE(t) {0, #t "-bounds", "MIN:MAX", OPT_CALL, &d, \
	"Bounds of generated " #t " values, inclusive.", bounds_##t}
	const Opt opts[] = {
		{'b', "binary", NULL, OPT_CALL, &d, "Write values in binary format.", set_binary},
		{0, "text", NULL, OPT_CALL, &d, "Write values as text (the default).",
		 set_text},
		{'t', "type", NULL, OPT_CALL, &d, "Write only the types of the values.", set_type},
		{'g', "generate", "TYPE", OPT_CALL, &d,
		 "Generate a random value of a type such as [10]f32, or output a given literal.",
		 generate},
		{'s', "seed",
		 "SEED", OPT_CALL, &d, "Seed of the random number generator (default 1).",
		 set_seed},
		RANGE(i8), RANGE(i16), RANGE(i32), RANGE(i64), RANGE(u8), RANGE(u16), RANGE(u32),
		RANGE(u64), RANGE(f16), RANGE(f32), RANGE(f64),
	};
#undef RANGE
	const Usage u = {
		"dataset", "",
		"Generates random values.  Without -g, reads values in any format from standard "
		"input and writes them in the chosen one.  Options apply to the -g options that "
		"follow them.",
		0, 0, OPTS(opts), NULL,
	};
	parse_args(&u, argc, argv);
	return d.generated ? 0 : convert(&d);
}

// ---- datacmp ----

int cmd_datacmp(int argc, char **argv)
{
	const Usage u = {
		"datacmp", "FILE1 FILE2",
		"Compares two data files, the second with the expected values, and prints the "
		"differences.  Exits with 0 if they are equal, 2 if they differ, and 1 if one "
		"cannot be read.",
		2, 2, {NULL, 0}, NULL,
	};
	Texts files = parse_args(&u, argc, argv);
	Values values[2] = {0};
	for (int i = 0; i < 2; i++) {
		const char *why;
		if (!values_read_file(files.at[i], &values[i], &why)) {
			fprintf(stderr, "Error reading values from %s\n%s\n", files.at[i], why);
			return 1;
		}
	}
	Str differences = {0};
	if (values_compare(&values[0], &values[1], false, &differences))
		return 0;
	fputs(str_text(&differences), stdout);
	return 2;
}

// ---- dataget ----

static bool is_wanted(const TestCase *c, const char *name)
{
	return strstr(c->name, name) != NULL;
}

static const TestCase *find_case(const TestSpec *s, const char *name)
{
	const TestCase *found = NULL;
	for EACH(EntryTests, e, s->entries)
		for EACH(TestCase, c, e->cases)
			if (strcmp(c->name, name) == 0)
				return c;
			else if (!found && is_wanted(c, name))
				found = c;
	return found;
}

static int no_such_dataset(const TestSpec *s, const char *name)
{
	fprintf(stderr, "No dataset with name %s\n", name);
	if (s->entries.len)
		fprintf(stderr, "Available datasets:\n");
	for EACH(EntryTests, e, s->entries)
		for EACH(TestCase, c, e->cases)
			fprintf(stderr, "  %s\n", c->name);
	return 1;
}

int cmd_dataget(int argc, char **argv)
{
	const Usage u = {
		"dataget", "PROGRAM DATASET",
		"Writes the input of the dataset whose name contains DATASET "
		"in binary format.", 2, 2, {NULL, 0}, NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	const char *why;
	const TestSpec *s = testspec_read(args.at[0], &why);
	if (!s) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	const TestCase *c = find_case(s, args.at[1]);
	if (!c)
		return no_such_dataset(s, args.at[1]);
	Values values = {0};
	Loaded l = {0};
	Script script = {.loaded = &l, .dir = dir_of(s->path), .traces = stderr};
	if (c->input == IN_SCRIPT &&
	    (!driver_check(s->path, (LoadOptions){.no_warnings = true}, &l) ||
	     !driver_lower(&l, NULL))) {
		report_diags();
		return 2;
	}
	if (!case_input(&script, s, c, NULL, &values, &why)) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	Str out = {0};
	for EACH(Value, v, values)
		value_write_binary(&out, v);
	fwrite(str_text(&out), 1, out.len, stdout);
	return 0;
}
