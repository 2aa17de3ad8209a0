// Executables: reads the arguments of an entry point from the command line, or from standard input
// if there are none, runs the entry point and prints the result.
//
// An argument is read as a flat list of scalars and arrays of scalars: the components of tuples and
// records, one after the other.  Sum types and arrays of compound values cannot be read or printed.
#ifndef RD_CLI_H
#define RD_CLI_H
#include "options.h"
#include "timing.h"
#include "values.h"

// @chunk cli: options values timing array record block_view
#include <unistd.h>
RD_FUN void rd_opt_binary(struct rd_settings *s, const char *arg)
{
	(void)arg;
	s->binary = 1;
}

RD_FUN void rd_opt_no_result(struct rd_settings *s, const char *arg)
{
	(void)arg;
	s->no_result = 1;
}

RD_FUN void rd_opt_entry(struct rd_settings *s, const char *arg)
{
	s->entry = arg;
}

RD_FUN void rd_opt_time(struct rd_settings *s, const char *arg)
{
	s->time_file = arg;
}

RD_FUN void rd_opt_runs(struct rd_settings *s, const char *arg)
{
	int64_t n = rd_option_int(s, "-r/--runs", arg);
	if (n < 1 || n > INT_MAX)
		rd_die(s, "Need a positive number of runs, not %s\n", arg);
	s->runs = (int)n;
}

// ---- Arguments ----

RD_FUN int rd_is_external(const struct rd_type *t)
{
	return t->kind == RD_KIND_PRIM || (t->kind == RD_KIND_ARRAY && !t->elem);
}

// The type as programs write it: "#foo i32 | #bar" for the sum "foo:i32 | bar:".
RD_FUN void rd_written_type(const struct rd_type *t, char *out, size_t size)
{
	size_t n = 0;
	int i, k;
	if (t->kind != RD_KIND_SUM || !strchr(t->name, ':')) {
		snprintf(out, size, "%s", t->name);
		return;
	}
	for (i = 0; i < t->n_variants && n < size; i++) {
		const struct rd_variant *v = &t->variants[i];
		n += (size_t)snprintf(out + n, size - n, "%s#%s", i ? " | " : "", v->name);
		for (k = 0; k < v->n_args && n < size; k++)
			n += (size_t)snprintf(out + n, size - n, " %s", v->args[k]->name);
	}
}

// `name`: of an argument; NULL: a result.
RD_FUN RD_NORETURN void rd_die_internal(const struct rd_settings *s, const char *name,
                                        const struct rd_type *t)
{
	char type[256];
	rd_written_type(t, type, sizeof type);
	rd_die(s, "Values of type \"%s\"%s%s%s have no external representation.\n", type,
	       name ? ", for \"" : "", name ? name : "", name ? "\"," : "");
}

// `name`: of the argument.
RD_FUN int rd_count_leaves(const struct rd_settings *s, const char *name, const struct rd_type *t)
{
	int i, n = 0;
	if (rd_is_external(t))
		return 1;
	if (t->kind != RD_KIND_RECORD)
		rd_die_internal(s, name, t);
	for (i = 0; i < t->n_parts; i++)
		n += rd_count_leaves(s, name, t->parts[i].type);
	return n;
}

RD_FUN void rd_read_leaves(const struct rd_settings *s, struct rd_reader *r, const char *name,
                           const struct rd_type *t, struct rd_value *values, int *n)
{
	char why[256];
	int i;
	if (!rd_is_external(t)) {
		for (i = 0; i < t->n_parts; i++)
			rd_read_leaves(s, r, name, t->parts[i].type, values, n);
		return;
	}
	values[*n].prim = t->flat->prim;
	values[*n].rank = t->flat->rank;
	values[*n].may_be_absent = 0;
	if (!rd_read_value(r, &values[*n])) {
		rd_read_error(r, why, sizeof why);
		rd_die(s, t->flat->rank ? "Cannot read input #%d of type %s, for \"%s\".\n%s: %s.\n"
		                        : "Error when reading input #%d of type %s, for \"%s\".\n%s: %s.\n",
		       *n, t->name, name, s->n_words ? "Command line" : "Standard input", why);
	}
	++*n;
}

// What is read instead of standard input: the words of the command line, if there are any.
RD_FUN FILE *rd_open_input(const struct rd_settings *s)
{
	size_t n = 1;
	char *all, *at;
	FILE *f;
	int i;
	if (!s->n_words)
		return stdin;
	for (i = 0; i < s->n_words; i++)
		n += strlen(s->words[i]) + 1;
	all = at = (char *)malloc(n);
	for (i = 0; all && i < s->n_words; i++)
		at += sprintf(at, "%s ", s->words[i]);
	f = all ? tmpfile() : NULL;
	if (!f || fwrite(all, 1, (size_t)(at - all), f) != (size_t)(at - all))
		rd_die(s, "Cannot keep the arguments: %s\n", strerror(errno));
	rewind(f);
	free(all);
	return f;
}

// Someone at a terminal should know what is waited for.
RD_FUN void rd_say_waiting(const struct rd_entry *e)
{
	int i;
	if (!e->n_inputs || !isatty(0))
		return;
	fprintf(stderr, "Waiting for the arguments of \"%s\" on standard input:", e->name);
	for (i = 0; i < e->n_inputs; i++)
		fprintf(stderr, "%s %s: %s", i ? "," : "", e->inputs[i].name, e->inputs[i].type->name);
	fprintf(stderr, ".  End them with Ctrl-D.\n");
}

RD_FUN void rd_check_call(const struct rd_settings *s, struct futhark_context *ctx, int err)
{
	char *error = err ? futhark_context_get_error(ctx) : NULL;
	if (err)
		rd_die(s, "%s%s", error ? error : "Unknown error.",
		       error && rd_ends_with(error, "\n") ? "" : "\n");
}

// An object from values read; a scalar is the value itself.
RD_FUN void *rd_build(const struct rd_settings *s, struct futhark_context *ctx,
                      const struct rd_type *t, const struct rd_value *values, int *n)
{
	void *obj = NULL, **fields;
	int i;
	if (t->kind == RD_KIND_PRIM)
		return values[(*n)++].data;
	if (t->kind == RD_KIND_ARRAY) {
		obj = rd_array_new(ctx, t, values[*n].data, values[*n].shape);
		++*n;
		rd_check_call(s, ctx, obj ? 0 : FUTHARK_OUT_OF_MEMORY);
		return obj;
	}
	fields = (void **)calloc((size_t)t->n_parts + 1, sizeof *fields);
	if (!fields)
		rd_die(s, "Out of memory.\n");
	for (i = 0; i < t->n_parts; i++)
		fields[i] = rd_build(s, ctx, t->parts[i].type, values, n);
	rd_check_call(s, ctx, rd_record_new(ctx, t, &obj, (const void *const *)fields));
	for (i = 0; i < t->n_parts; i++)
		if (t->parts[i].type->kind != RD_KIND_PRIM)
			rd_object_free(ctx, t->parts[i].type, fields[i]);
	free(fields);
	return obj;
}

// ---- Results ----

RD_FUN void rd_print_leaf(const struct rd_settings *s, struct futhark_context *ctx,
                          const struct rd_flat *f, const void *obj)
{
	struct rd_value v;
	void *copy = NULL;
	v.prim = f->prim;
	v.rank = f->rank;
	v.may_be_absent = 0;
	v.data = rd_scalar_at(obj, f);
	if (f->rank) {
		const struct rd_array *a = rd_array_at(obj, f);
		memcpy(v.shape, a->shape, (size_t)f->rank * sizeof *a->shape);
		v.data = rd_block_view(ctx, a->mem, rd_value_count(&v) * rd_prim_size(f->prim), &copy);
		rd_check_call(s, ctx, v.data ? 0 : FUTHARK_PROGRAM_ERROR);
	}
	if (s->binary)
		rd_write_binary(stdout, &v);
	else
		rd_write_text(stdout, &v);
	putchar('\n');
	free(copy);
}

// `first` is the member of `obj` where the value begins.  A tuple is printed component by
// component.
RD_FUN void rd_print(const struct rd_settings *s, struct futhark_context *ctx,
                     const struct rd_type *t, const void *obj, const struct rd_flat *first)
{
	int i;
	if (rd_is_external(t)) {
		rd_print_leaf(s, ctx, first, obj);
		return;
	}
	if (!t->is_tuple)
		rd_die_internal(s, NULL, t);
	for (i = 0; i < t->n_parts; i++) {
		rd_print(s, ctx, t->parts[i].type, obj, first);
		first += t->parts[i].type->n_flat;
	}
}

// ---- Running ----

// One run; gives its microseconds.  Arguments are made anew, since they may be consumed.
RD_FUN int64_t rd_run_once(const struct rd_settings *s, struct futhark_context *ctx,
                           const struct rd_entry *e, const struct rd_value *values,
                           union rd_slot *out)
{
	void **in = (void **)calloc((size_t)e->n_inputs + 1, sizeof *in);
	int64_t start, time;
	int i, n = 0, err;
	if (!in)
		rd_die(s, "Out of memory.\n");
	for (i = 0; i < e->n_inputs; i++)
		in[i] = rd_build(s, ctx, e->inputs[i].type, values, &n);
	rd_check_call(s, ctx, futhark_context_sync(ctx));
	start = rd_wall_time();
	err = e->call(ctx, out, (const void *const *)in);
	if (!err)
		err = futhark_context_sync(ctx);
	time = rd_wall_time() - start;
	rd_check_call(s, ctx, err);
	for (i = 0; i < e->n_inputs; i++)
		if (e->inputs[i].type->kind != RD_KIND_PRIM)
			rd_object_free(ctx, e->inputs[i].type, in[i]);
	free(in);
	return time;
}

// The last run leaves its result; only it is profiled.
RD_FUN void rd_run(const struct rd_settings *s, struct futhark_context *ctx,
                   const struct rd_entry *e, const struct rd_value *values, union rd_slot *out)
{
	FILE *times = NULL;
	int i, warm_up = s->runs > 0, runs = warm_up + (s->runs ? s->runs : 1);
	if (s->time_file) {
		times = fopen(s->time_file, "w");
		if (!times)
			rd_die(s, "Cannot open %s: %s\n", s->time_file, strerror(errno));
	}
	futhark_context_pause_profiling(ctx);
	for (i = 0; i < runs; i++) {
		int64_t time;
		if (i)
			rd_slot_free(ctx, e->output, out);
		if (i + 1 == runs)
			futhark_context_unpause_profiling(ctx);
		time = rd_run_once(s, ctx, e, values, out);
		if (times && i >= warm_up)
			fprintf(times, "%lld\n", (long long)time);
	}
	if (times && fclose(times) != 0)
		rd_die(s, "Cannot write %s: %s\n", s->time_file, strerror(errno));
}

RD_FUN const struct rd_entry *rd_choose_entry(const struct rd_settings *s,
                                              const struct rd_program *p)
{
	int i;
	for (i = 0; i < p->n_entries; i++)
		if (strcmp(p->entries[i].name, s->entry) == 0)
			return &p->entries[i];
	fprintf(stderr, "%s: No entry point '%s'.  Select another with --entry-point.  Options are:\n",
	        s->program, s->entry);
	for (i = 0; i < p->n_entries; i++)
		fprintf(stderr, "%s\n", p->entries[i].name);
	exit(1);
}

// There is more input than the entry point takes.
RD_FUN void rd_die_of_more(const struct rd_settings *s, struct rd_reader *r, const char *where,
                           const struct rd_entry *e)
{
	char why[256];
	rd_unreadable(r, NULL, "expected the end of the input");
	rd_read_error(r, why, sizeof why);
	rd_die(s, "Expected EOF on %s after reading input for \"%s\".\n%s: %s.\n", where, e->name,
	       s->n_words ? "Command line" : "Standard input", why);
}

RD_FUN void rd_run_program(const struct rd_settings *s, struct futhark_context *ctx,
                           const struct rd_entry *e)
{
	struct rd_reader *r = (struct rd_reader *)malloc(sizeof *r);
	struct rd_value *values;
	union rd_slot out;
	FILE *input = rd_open_input(s);
	int i, n = 0;
	for (i = 0; i < e->n_inputs; i++)
		n += rd_count_leaves(s, e->inputs[i].name, e->inputs[i].type);
	values = (struct rd_value *)calloc((size_t)n + 1, sizeof *values);
	if (!r || !values)
		rd_die(s, "Out of memory.\n");
	if (input == stdin)
		rd_say_waiting(e);
	rd_reader_init(r, input);
	for (n = i = 0; i < e->n_inputs; i++)
		rd_read_leaves(s, r, e->inputs[i].name, e->inputs[i].type, values, &n);
	if (!(input == stdin && !e->n_inputs && isatty(0)) && !rd_at_end(r))
		rd_die_of_more(s, r, input == stdin ? "stdin" : "the command line", e);
	if (input != stdin)
		fclose(input);
	free(r);
	rd_run(s, ctx, e, values, &out);
	if (!s->no_result)
		rd_print(s, ctx, e->output, rd_slot_value(e->output, &out), e->output->flat);
	rd_slot_free(ctx, e->output, &out);
	for (i = 0; i < n; i++)
		rd_value_free(&values[i]);
	free(values);
}

RD_FUN int rd_main(int argc, char **argv, const struct rd_program *p)
{
	static const struct rd_option options[] = {
		RD_COMMON_OPTIONS,
		{'b', "binary-output", NULL,
		 "Print the result in binary format.", rd_opt_binary},
		{'n', "no-print-result", NULL, "Do not print the result.", rd_opt_no_result},
		{'e', "entry-point", "NAME", "Entry point to run (default main).", rd_opt_entry},
		{'t', "write-runtime-to", "FILE",
		 "Write the time of each run to this file, in microseconds.", rd_opt_time},
		{'r', "runs", "INT", "Number of timed runs, after one warm-up run.",
		 rd_opt_runs},
	};
	struct rd_settings s;
	struct futhark_context *ctx;
	const struct rd_entry *e;
	rd_deepen_stack();
	memset(&s, 0, sizeof s);
	s.program = argv[0];
	s.entry = "main";
	s.words = (const char **)calloc((size_t)argc + 1, sizeof *s.words);
	s.cfg = futhark_context_config_new();
	if (!s.cfg || !s.words)
		rd_die(&s, "Out of memory.\n");
	rd_parse_options(&s, options, (int)(sizeof options / sizeof *options), argc, argv);
	e = rd_choose_entry(&s, p);
	if (s.n_words && !e->n_inputs) {
		rd_usage(stderr, &s, options, (int)(sizeof options / sizeof *options));
		rd_die(&s, "Excess non-option: %s\n", s.words[0]);
	}
	ctx = rd_start(&s);
	rd_watch_overflow(ctx, s.program);
	rd_run_program(&s, ctx, e);
	if (s.profile) {
		char *report = futhark_context_report(ctx);
		if (report)
			fprintf(stderr, "%s\n", report);
		free(report);
	}
	futhark_context_free(ctx);
	futhark_context_config_free(s.cfg);
	free(s.words);
	if (fflush(stdout) != 0 || ferror(stdout))
		rd_die(&s, "Cannot write to standard output: %s\n", strerror(errno));
	return 0;
}
// @end
#endif
