// Server executables: programs that read commands from standard input, which call entry points and
// store values in named variables; answers go to standard output.
//
// A command is a line of words; a word that contains spaces is in double quotes.  An answer ends with
// the line "%%% OK", which is also printed once the program is ready.  If a command fails, the line
// "%%% FAILURE" and a message precede it.
#ifndef RD_SERVER_H
#define RD_SERVER_H
#include "server_vars.h"

// @chunk server: server_vars array array_index opaque_array record_array sum api_cancel
// ---- Arrays ----

RD_FUN struct rd_variable *rd_get_array(struct rd_server *s, const char *name)
{
	struct rd_variable *v = rd_get_var(s, name);
	if (v && v->type->kind != RD_KIND_ARRAY) {
		rd_refuse(s, "Not an array: %s", name);
		return NULL;
	}
	return v;
}

RD_FUN const struct rd_type *rd_same_elem(const void *array, int i)
{
	(void)i;
	return rd_elem_type((const struct rd_type *)array);
}

// Scalars side by side, from the values of variables.
RD_FUN void *rd_pack(int prim, const void *const *values, int n)
{
	size_t size = (size_t)rd_prim_size(prim);
	char *data = (char *)malloc((size_t)n * size + 1);
	int i;
	if (!data)
		exit(1);
	for (i = 0; i < n; i++)
		memcpy(data + (size_t)i * size, values[i], size);
	return data;
}

RD_FUN void rd_cmd_new_array(struct rd_server *s, int n, char **args)
{
	const struct rd_type *t = rd_get_kind(s, args[1], RD_KIND_ARRAY, "an array");
	int64_t shape[RD_MAX_RANK], count = 1;
	const void **elems;
	void *obj = NULL, *data;
	int i, n_elems, err;
	if (!t || !rd_is_free_name(s, args[0]))
		return;
	if (n < 2 + t->rank) {
		rd_refuse(s, "Expected %d sizes.", t->rank);
		return;
	}
	if (!rd_parse_indices(s, args + 2, t->rank, shape))
		return;
	n_elems = n - 2 - t->rank;
	for (i = 0; i < t->rank; i++)
		count = shape[i] < 0 || count > INT_MAX ? -1 : count * shape[i];
	if (count != n_elems) {
		rd_refuse(s, "The number of elements does not fit the shape.");
		return;
	}
	elems = rd_get_values(s, args + 2 + t->rank, n_elems, rd_same_elem, t);
	if (!elems)
		return;
	if (t->elem) {
		err = rd_opaque_array_new(s->ctx, t, &obj, elems, shape);
	} else {
		data = rd_pack(t->flat->prim, elems, n_elems);
		obj = rd_array_new(s->ctx, t, data, shape);
		err = obj ? FUTHARK_SUCCESS : FUTHARK_OUT_OF_MEMORY;
		free(data);
	}
	free(elems);
	if (rd_succeeded(s, err))
		rd_add_var(s, args[0], t)->obj = obj;
}

// The array named and the indices of one of its elements.
RD_FUN struct rd_variable *rd_get_place(struct rd_server *s, const char *array, int n, char **args,
                                        int64_t *index)
{
	struct rd_variable *a = rd_get_array(s, array);
	if (!a || !rd_is_count(s, "indices", n, a->type->rank) || !rd_parse_indices(s, args, n, index))
		return NULL;
	return a;
}

RD_FUN void rd_cmd_index(struct rd_server *s, int n, char **args)
{
	int64_t index[RD_MAX_RANK];
	struct rd_variable *a;
	union rd_slot out;
	int err;
	if (!rd_is_free_name(s, args[0]))
		return;
	a = rd_get_place(s, args[1], n - 2, args + 2, index);
	if (!a)
		return;
	out.scalar = 0;
	err = a->type->elem ? rd_index(s->ctx, a->type, &out.obj, a->value.obj, index)
	                    : rd_array_index(s->ctx, a->type, &out.scalar, a->value.obj, index);
	if (rd_succeeded(s, err)) {
		const struct rd_type *t = rd_elem_type(a->type);
		*rd_add_var(s, args[0], t) = out;
	}
}

RD_FUN int rd_set_scalar(struct futhark_context *ctx, const struct rd_type *t, void *arr,
                         const void *elem, const int64_t *index)
{
	struct rd_array *a = (struct rd_array *)arr;
	int64_t size = rd_prim_size(t->flat->prim), at = rd_position(ctx, a->shape, t->rank, index);
	if (at < 0)
		return FUTHARK_PROGRAM_ERROR;
	if (rd_own_block(ctx, t->flat, a) != 0)
		return FUTHARK_OUT_OF_MEMORY;
	return rd_block_write(ctx, a->mem, at * size, elem, size);
}

RD_FUN void rd_cmd_set(struct rd_server *s, int n, char **args)
{
	int64_t index[RD_MAX_RANK];
	struct rd_variable *a = rd_get_place(s, args[0], n - 2, args + 2, index);
	const void **elem = a ? rd_get_values(s, args + 1, 1, rd_same_elem, a->type) : NULL;
	if (!elem)
		return;
	rd_succeeded(s, a->type->elem ? rd_set_element(s->ctx, a->type, a->value.obj, *elem, index)
	                              : rd_set_scalar(s->ctx, a->type, a->value.obj, *elem, index));
	free(elem);
}

RD_FUN void rd_cmd_shape(struct rd_server *s, int n, char **args)
{
	struct rd_variable *a = rd_get_array(s, args[0]);
	int i;
	(void)n;
	for (i = 0; a && i < a->type->rank; i++)
		printf("%s%lld", i ? " " : "", (long long)rd_shape(a->type, a->value.obj)[i]);
	if (a)
		putchar('\n');
}

// ---- Records ----

RD_FUN const struct rd_type *rd_part_type(const void *record, int i)
{
	return ((const struct rd_type *)record)->parts[i].type;
}

RD_FUN void rd_make_record(struct rd_server *s, const struct rd_type *t, const char *name, int n,
                           char **fields)
{
	const void **values;
	void *obj = NULL;
	int err;
	if (!rd_is_free_name(s, name) || !rd_is_count(s, "fields", n, t->n_parts))
		return;
	values = rd_get_values(s, fields, n, rd_part_type, t);
	if (!values)
		return;
	err = t->kind == RD_KIND_ARRAY ? rd_zip(s->ctx, t, &obj, values)
	                               : rd_record_new(s->ctx, t, &obj, values);
	free(values);
	if (rd_succeeded(s, err))
		rd_add_var(s, name, t)->obj = obj;
}

RD_FUN void rd_cmd_new(struct rd_server *s, int n, char **args)
{
	const struct rd_type *t = rd_get_kind(s, args[1], RD_KIND_RECORD, "a record");
	if (t)
		rd_make_record(s, t, args[0], n - 2, args + 2);
}

RD_FUN int rd_is_record_array(const struct rd_type *t)
{
	return t->kind == RD_KIND_ARRAY && t->elem && t->elem->kind == RD_KIND_RECORD;
}

RD_FUN void rd_cmd_zip(struct rd_server *s, int n, char **args)
{
	const struct rd_type *t = rd_get_type(s, args[1]);
	if (t && !rd_is_record_array(t))
		rd_refuse(s, "Not a type of arrays of records: %s", t->name);
	else if (t)
		rd_make_record(s, t, args[0], n - 2, args + 2);
}

RD_FUN void rd_project_var(struct rd_server *s, const char *name, const char *from, int field)
{
	struct rd_variable *v = rd_find_var(s, from);
	const struct rd_type *t = v->type->parts[field].type;
	union rd_slot out;
	out.scalar = 0;
	if (rd_succeeded(s, rd_project(s->ctx, v->type, &out, v->value.obj, field)))
		*rd_add_var(s, name, t) = out;
}

RD_FUN int rd_are_free_names(struct rd_server *s, int n, char **names)
{
	int i;
	for (i = 0; i < n; i++)
		if (!rd_is_free_name(s, names[i]))
			return 0;
	return 1;
}

RD_FUN void rd_cmd_unzip(struct rd_server *s, int n, char **args)
{
	struct rd_variable *v = rd_get_var(s, args[0]);
	int i;
	if (v && !rd_is_record_array(v->type))
		rd_refuse(s, "Not an array of records: %s", args[0]);
	if (!v || s->failed || !rd_is_count(s, "variables", n - 1, v->type->n_parts) ||
	    !rd_are_free_names(s, n - 1, args + 1))
		return;
	for (i = 0; i < n - 1 && !s->failed; i++)
		rd_project_var(s, args[i + 1], args[0], i);
}

RD_FUN void rd_cmd_project(struct rd_server *s, int n, char **args)
{
	struct rd_variable *v = rd_get_var(s, args[1]);
	int i;
	(void)n;
	if (!v || !rd_is_free_name(s, args[0]))
		return;
	if (v->type->kind != RD_KIND_RECORD && !rd_is_record_array(v->type)) {
		rd_refuse(s, "Not a record: %s", args[1]);
		return;
	}
	for (i = 0; i < v->type->n_parts; i++)
		if (strcmp(v->type->parts[i].name, args[2]) == 0) {
			rd_project_var(s, args[0], args[1], i);
			return;
		}
	rd_refuse(s, "No such field: %s", args[2]);
}

// ---- Sums ----

RD_FUN const struct rd_type *rd_arg_type(const void *variant, int i)
{
	return ((const struct rd_variant *)variant)->args[i];
}

RD_FUN void rd_cmd_construct(struct rd_server *s, int n, char **args)
{
	const struct rd_type *t = rd_get_kind(s, args[1], RD_KIND_SUM, "a sum");
	const void **values;
	void *obj = NULL;
	int i = 0, err;
	if (!t || !rd_is_free_name(s, args[0]))
		return;
	while (i < t->n_variants && strcmp(t->variants[i].name, args[2]) != 0)
		i++;
	if (i == t->n_variants) {
		rd_refuse(s, "No such variant: %s", args[2]);
		return;
	}
	if (!rd_is_count(s, "values", n - 3, t->variants[i].n_args))
		return;
	values = rd_get_values(s, args + 3, n - 3, rd_arg_type, &t->variants[i]);
	if (!values)
		return;
	err = rd_construct(s->ctx, t, &obj, i, values);
	free(values);
	if (rd_succeeded(s, err))
		rd_add_var(s, args[0], t)->obj = obj;
}

RD_FUN struct rd_variable *rd_get_sum(struct rd_server *s, const char *name)
{
	struct rd_variable *v = rd_get_var(s, name);
	if (v && v->type->kind != RD_KIND_SUM) {
		rd_refuse(s, "Not a sum: %s", name);
		return NULL;
	}
	return v;
}

RD_FUN void rd_cmd_variant(struct rd_server *s, int n, char **args)
{
	struct rd_variable *v = rd_get_sum(s, args[0]);
	(void)n;
	if (v)
		puts(v->type->variants[rd_variant_of(v->type, v->value.obj)].name);
}

RD_FUN void rd_cmd_destruct(struct rd_server *s, int n, char **args)
{
	struct rd_variable *v = rd_get_sum(s, args[0]);
	const struct rd_variant *variant;
	union rd_slot *out;
	void **to;
	int i, which;
	if (!v)
		return;
	which = rd_variant_of(v->type, v->value.obj);
	variant = &v->type->variants[which];
	if (!rd_is_count(s, "variables", n - 1, variant->n_args) ||
	    !rd_are_free_names(s, n - 1, args + 1))
		return;
	out = (union rd_slot *)calloc((size_t)n, sizeof *out);
	to = (void **)calloc((size_t)n, sizeof *to);
	if (!out || !to)
		exit(1);
	for (i = 0; i < n - 1; i++)
		to[i] = &out[i];
	if (rd_succeeded(s, rd_destruct(s->ctx, v->type, v->value.obj, which, to)))
		for (i = 0; i < n - 1; i++)
			*rd_add_var(s, args[i + 1], variant->args[i]) = out[i];
	free(out);
	free(to);
}

// ---- The context ----

RD_FUN void rd_cmd_clear(struct rd_server *s, int n, char **args)
{
	(void)n;
	(void)args;
	rd_succeeded(s, futhark_context_clear_caches(s->ctx));
}

RD_FUN void rd_cmd_pause_profiling(struct rd_server *s, int n, char **args)
{
	(void)n;
	(void)args;
	futhark_context_pause_profiling(s->ctx);
}

RD_FUN void rd_cmd_unpause_profiling(struct rd_server *s, int n, char **args)
{
	(void)n;
	(void)args;
	futhark_context_unpause_profiling(s->ctx);
}

RD_FUN void rd_cmd_report(struct rd_server *s, int n, char **args)
{
	char *report = futhark_context_report(s->ctx);
	(void)n;
	(void)args;
	if (report)
		puts(report);
	else
		rd_refuse(s, "Failed to produce a report.");
	free(report);
}

// ---- Commands ----

struct rd_command {
	const char *name;
	int min_args, max_args;         // max -1: any number
	void (*run)(struct rd_server *s, int n, char **args);
};
static const struct rd_command rd_commands[] = {
	{"types", 0, 0, rd_cmd_types},
	{"entry_points", 0, 0, rd_cmd_entry_points},
	{"call", 2, -1, rd_cmd_call},
	{"restore", 1, -1, rd_cmd_restore},
	{"store", 1, -1, rd_cmd_store},
	{"free", 0, -1, rd_cmd_free},
	{"rename", 2, 2, rd_cmd_rename},
	{"inputs", 1, 1, rd_cmd_inputs},
	{"output", 1, 1, rd_cmd_output},
	{"attributes", 1, 1, rd_cmd_attributes},
	{"clear", 0, 0, rd_cmd_clear},
	{"kind", 1, 1, rd_cmd_kind},
	{"type", 1, 1, rd_cmd_type},
	{"pause_profiling", 0, 0, rd_cmd_pause_profiling},
	{"unpause_profiling", 0, 0, rd_cmd_unpause_profiling},
	{"report", 0, 0, rd_cmd_report},
	{"set_tuning_param", 2, 2, rd_cmd_set_tuning_param},
	{"tuning_params", 1, 1, rd_cmd_tuning_params},
	{"tuning_param_class", 1, 1, rd_cmd_tuning_param_class},
	{"rank", 1, 1, rd_cmd_rank},
	{"elemtype", 1, 1, rd_cmd_elemtype},
	{"new_array", 2, -1, rd_cmd_new_array},
	{"set", 2, -1, rd_cmd_set},
	{"shape", 1, 1, rd_cmd_shape},
	{"index", 2, -1, rd_cmd_index},
	{"zip", 2, -1, rd_cmd_zip},
	{"unzip", 1, -1, rd_cmd_unzip},
	{"fields", 1, 1, rd_cmd_fields},
	{"new", 2, -1, rd_cmd_new},
	{"project", 3, 3, rd_cmd_project},
	{"variants", 1, 1, rd_cmd_variants},
	{"construct", 3, -1, rd_cmd_construct},
	{"destruct", 1, -1, rd_cmd_destruct},
	{"variant", 1, 1, rd_cmd_variant}
};

#include <signal.h>
#include <unistd.h>

// An interrupt ends the call that runs, or else the server.
static struct futhark_context *rd_interrupted;

RD_FUN void rd_on_interrupt(int sig)
{
	if (!rd_interrupted->busy)
		_exit(128 + sig);
	rd_set_cancelled(rd_interrupted, 1);
}

// A line without its end, in *line, which grows.  False at the end of input.
RD_FUN int rd_read_line(char **line, size_t *cap)
{
	size_t n = 0;
	int c;
	while ((c = getchar()) != EOF && c != '\n') {
		if (n + 1 >= *cap) {
			*cap = *cap ? 2 * *cap : 256;
			*line = (char *)realloc(*line, *cap);
			if (!*line)
				exit(1);
		}
		(*line)[n++] = (char)c;
	}
	if (c == EOF && n == 0)
		return 0;
	if (*line)
		(*line)[n] = 0;
	return 1;
}

// Splits a line in place; `words` has room for as many words as the line has bytes.
RD_FUN int rd_split_line(char *line, char **words)
{
	int n = 0;
	while (*(line += strspn(line, " \t\r"))) {
		char *end;
		if (*line == '"') {
			line++;
			end = line + strcspn(line, "\"");
		} else {
			end = line + strcspn(line, " \t\r");
		}
		words[n++] = line;
		line = *end ? end + 1 : end;
		*end = 0;
	}
	return n;
}

RD_FUN void rd_do_command(struct rd_server *s, int n, char **words)
{
	const struct rd_command *c = rd_commands;
	const struct rd_command *end = rd_commands + sizeof rd_commands / sizeof *rd_commands;
	s->failed = 0;
	if (n == 0) {
		rd_refuse(s, "Empty line");
		return;
	}
	while (c < end && strcmp(c->name, words[0]) != 0)
		c++;
	if (c == end)
		rd_refuse(s, "Unknown command: %s", words[0]);
	else if (n - 1 < c->min_args)
		rd_refuse(s, "Insufficient arguments: have %d, need %d.", n - 1, c->min_args);
	else if (c->max_args >= 0 && n - 1 > c->max_args)
		rd_refuse(s, "Excess arguments: have %d, need %d.", n - 1, c->max_args);
	else
		c->run(s, n - 1, words + 1);
}

RD_FUN void rd_say_ok(void)
{
	puts("%%% OK");
	fflush(stdout);
}

RD_FUN void rd_serve(struct rd_server *s)
{
	char *line = NULL, **words = NULL;
	size_t cap = 0, word_cap = 0;
	rd_say_ok();
	while (rd_read_line(&line, &cap)) {
		int n;
		if (word_cap != cap) {
			word_cap = cap;
			words = (char **)realloc(words, cap * sizeof *words);
			if (!words)
				exit(1);
		}
		n = line ? rd_split_line(line, words) : 0;
		rd_do_command(s, n, words);
		rd_say_ok();
	}
	free(line);
	free(words);
}

RD_FUN int rd_main(int argc, char **argv, const struct rd_program *p)
{
	static const struct rd_option options[] = {RD_COMMON_OPTIONS};
	struct rd_settings settings;
	struct rd_server s;
	rd_deepen_stack();
	memset(&settings, 0, sizeof settings);
	memset(&s, 0, sizeof s);
	settings.program = argv[0];
	settings.cfg = s.cfg = futhark_context_config_new();
	if (!s.cfg)
		rd_die(&settings, "Out of memory.\n");
	rd_parse_options(&settings, options, (int)(sizeof options / sizeof *options), argc, argv);
	s.program = p;
	s.ctx = rd_start(&settings);
	rd_watch_overflow(s.ctx, NULL);
	rd_interrupted = s.ctx;
	signal(SIGINT, rd_on_interrupt);
	rd_serve(&s);
	while (s.n_vars)
		rd_drop_var(&s, &s.vars[s.n_vars - 1]);
	free(s.vars);
	futhark_context_free(s.ctx);
	futhark_context_config_free(s.cfg);
	return 0;
}
// @end
#endif
