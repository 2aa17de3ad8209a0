// The variables of a server, and the commands that use them: queries about the program, calls of
// entry points, reading and writing files.  server.h has the protocol and the commands on parts of
// values.
#ifndef RD_SERVER_VARS_H
#define RD_SERVER_VARS_H
#include "options.h"
#include "stored.h"
#include "timing.h"
#include "values.h"

// @chunk server_vars: options values timing prim_types block_view valid
struct rd_variable { char *name; const struct rd_type *type; union rd_slot value; };
struct rd_server {
	const struct rd_program *program;
	struct futhark_context_config *cfg;
	struct futhark_context *ctx;
	struct rd_variable *vars;
	int n_vars, cap_vars;
	int failed;                     // has the present command failed?
};

RD_FUN void rd_failure(struct rd_server *s)
{
	if (!s->failed)
		puts("%%% FAILURE");
	s->failed = 1;
}

RD_FUN RD_PRINTF(2, 3) void rd_refuse(struct rd_server *s, const char *format, ...)
{
	va_list ap;
	rd_failure(s);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
}

// Reports the error of the context if a function gave one.
RD_FUN int rd_succeeded(struct rd_server *s, int err)
{
	char *error;
	size_t n;
	if (!err)
		return 1;
	error = futhark_context_get_error(s->ctx);
	n = error ? strlen(error) : 0;
	rd_failure(s);
	printf("%s%s", error ? error : "Unknown error.", n && error[n - 1] == '\n' ? "" : "\n");
	free(error);
	return 0;
}

// ---- Names ----

RD_FUN struct rd_variable *rd_find_var(struct rd_server *s, const char *name)
{
	int i;
	for (i = 0; i < s->n_vars; i++)
		if (strcmp(s->vars[i].name, name) == 0)
			return &s->vars[i];
	return NULL;
}

RD_FUN struct rd_variable *rd_get_var(struct rd_server *s, const char *name)
{
	struct rd_variable *v = rd_find_var(s, name);
	if (!v)
		rd_refuse(s, "Unknown variable: %s", name);
	return v;
}

RD_FUN int rd_is_free_name(struct rd_server *s, const char *name)
{
	if (rd_find_var(s, name)) {
		rd_refuse(s, "Variable already exists: %s", name);
		return 0;
	}
	return 1;
}

RD_FUN const struct rd_type *rd_get_type(struct rd_server *s, const char *name)
{
	int i;
	for (i = 0; i < RD_N_PRIMS; i++)
		if (strcmp(rd_prim_type[i].name, name) == 0)
			return &rd_prim_type[i];
	for (i = 0; i < s->program->n_types; i++)
		if (strcmp(s->program->types[i]->name, name) == 0)
			return s->program->types[i];
	rd_refuse(s, "Unknown type: %s", name);
	return NULL;
}

RD_FUN const struct rd_entry *rd_get_entry(struct rd_server *s, const char *name)
{
	int i;
	for (i = 0; i < s->program->n_entries; i++)
		if (strcmp(s->program->entries[i].name, name) == 0)
			return &s->program->entries[i];
	rd_refuse(s, "Unknown entry point: %s", name);
	return NULL;
}

// A new variable; its value is set by the caller.
RD_FUN union rd_slot *rd_add_var(struct rd_server *s, const char *name, const struct rd_type *t)
{
	struct rd_variable *v;
	if (s->n_vars == s->cap_vars) {
		s->cap_vars = s->cap_vars ? 2 * s->cap_vars : 16;
		s->vars = (struct rd_variable *)realloc(s->vars, (size_t)s->cap_vars * sizeof *s->vars);
		if (!s->vars)
			exit(1);
	}
	v = &s->vars[s->n_vars++];
	v->name = (char *)malloc(strlen(name) + 1);
	if (!v->name)
		exit(1);
	strcpy(v->name, name);
	v->type = t;
	v->value.scalar = 0;
	return &v->value;
}

RD_FUN void rd_drop_var(struct rd_server *s, struct rd_variable *v)
{
	rd_slot_free(s->ctx, v->type, &v->value);
	free(v->name);
	memmove(v, v + 1, (size_t)(s->vars + s->n_vars - v - 1) * sizeof *v);
	s->n_vars--;
}

// The values of the named variables, which must have the types given by `type_of`; malloced,
// NULL after reporting what is wrong.
typedef const struct rd_type *(*rd_type_of)(const void *of, int i);
RD_FUN const void **rd_get_values(struct rd_server *s, char **names, int n, rd_type_of type_of,
                                  const void *of)
{
	const void **values = (const void **)calloc((size_t)n + 1, sizeof *values);
	int i;
	if (!values)
		exit(1);
	for (i = 0; i < n; i++) {
		struct rd_variable *v = rd_get_var(s, names[i]);
		const struct rd_type *want = type_of(of, i);
		if (v && v->type != want)
			rd_refuse(s, "Variable %s has type %s, expected %s.", names[i], v->type->name,
			          want->name);
		if (s->failed) {
			free(values);
			return NULL;
		}
		values[i] = rd_slot_value(v->type, &v->value);
	}
	return values;
}

RD_FUN int rd_is_count(struct rd_server *s, const char *what, int have, int want)
{
	if (have == want)
		return 1;
	rd_refuse(s, "Expected %d %s, got %d.", want, what, have);
	return 0;
}

RD_FUN int rd_parse_index(struct rd_server *s, const char *word, int64_t *out)
{
	char *end;
	long long n;
	errno = 0;
	n = strtoll(word, &end, 10);
	if (errno || end == word || *end) {
		rd_refuse(s, "Not an integer: %s", word);
		return 0;
	}
	*out = n;
	return 1;
}

RD_FUN int rd_parse_indices(struct rd_server *s, char **words, int n, int64_t *out)
{
	int i;
	for (i = 0; i < n; i++)
		if (!rd_parse_index(s, words[i], &out[i]))
			return 0;
	return 1;
}

// ---- What the program has ----

RD_FUN void rd_cmd_types(struct rd_server *s, int n, char **args)
{
	int i;
	(void)n;
	(void)args;
	for (i = 0; i < RD_N_PRIMS; i++)
		puts(rd_prim_type[i].name);
	for (i = 0; i < s->program->n_types; i++)
		puts(s->program->types[i]->name);
}

RD_FUN void rd_cmd_entry_points(struct rd_server *s, int n, char **args)
{
	int i;
	(void)n;
	(void)args;
	for (i = 0; i < s->program->n_entries; i++)
		puts(s->program->entries[i].name);
}

RD_FUN void rd_cmd_inputs(struct rd_server *s, int n, char **args)
{
	const struct rd_entry *e = rd_get_entry(s, args[0]);
	int i;
	(void)n;
	for (i = 0; e && i < e->n_inputs; i++)
		printf("%s%s\n", e->inputs[i].unique ? "*" : "", e->inputs[i].type->name);
}

RD_FUN void rd_cmd_output(struct rd_server *s, int n, char **args)
{
	const struct rd_entry *e = rd_get_entry(s, args[0]);
	(void)n;
	if (e)
		printf("%s%s\n", e->output_unique ? "*" : "", e->output->name);
}

RD_FUN void rd_put_lines(const char *const *lines)
{
	for (; *lines; lines++)
		puts(*lines);
}

RD_FUN void rd_cmd_attributes(struct rd_server *s, int n, char **args)
{
	const struct rd_entry *e = rd_get_entry(s, args[0]);
	(void)n;
	if (e)
		rd_put_lines(e->attributes);
}

RD_FUN void rd_cmd_tuning_params(struct rd_server *s, int n, char **args)
{
	const struct rd_entry *e = rd_get_entry(s, args[0]);
	(void)n;
	if (e)
		rd_put_lines(e->tuning_params);
}

RD_FUN void rd_cmd_tuning_param_class(struct rd_server *s, int n, char **args)
{
	int i;
	(void)n;
	for (i = 0; i < futhark_get_tuning_param_count(); i++)
		if (strcmp(futhark_get_tuning_param_name(i), args[0]) == 0) {
			puts(futhark_get_tuning_param_class(i));
			return;
		}
	rd_refuse(s, "Unknown tuning parameter: %s", args[0]);
}

RD_FUN void rd_cmd_set_tuning_param(struct rd_server *s, int n, char **args)
{
	int64_t value;
	(void)n;
	if (!rd_parse_index(s, args[1], &value))
		return;
	if (futhark_context_config_set_tuning_param(s->cfg, args[0], (size_t)value) != 0)
		rd_refuse(s, "Unknown tuning parameter: %s", args[0]);
#ifdef RD_CONSTANTS
	rd_free_constants(s->ctx); // they may depend on it
#endif
}

// ---- Types ----

RD_FUN void rd_cmd_kind(struct rd_server *s, int n, char **args)
{
	static const char *const names[] = {"primitive", "array", "record", "sum"};
	const struct rd_type *t = rd_get_type(s, args[0]);
	(void)n;
	if (t)
		puts(names[t->kind]);
}

RD_FUN const struct rd_type *rd_get_kind(struct rd_server *s, const char *name, int kind,
                                         const char *what)
{
	const struct rd_type *t = rd_get_type(s, name);
	if (t && t->kind != kind) {
		rd_refuse(s, "Not %s type: %s", what, name);
		return NULL;
	}
	return t;
}

RD_FUN const struct rd_type *rd_elem_type(const struct rd_type *array)
{
	return array->elem ? array->elem : &rd_prim_type[array->flat->prim];
}

RD_FUN void rd_cmd_rank(struct rd_server *s, int n, char **args)
{
	const struct rd_type *t = rd_get_kind(s, args[0], RD_KIND_ARRAY, "an array");
	(void)n;
	if (t)
		printf("%d\n", t->rank);
}

RD_FUN void rd_cmd_elemtype(struct rd_server *s, int n, char **args)
{
	const struct rd_type *t = rd_get_kind(s, args[0], RD_KIND_ARRAY, "an array");
	(void)n;
	if (t)
		puts(rd_elem_type(t)->name);
}

RD_FUN void rd_cmd_fields(struct rd_server *s, int n, char **args)
{
	const struct rd_type *t = rd_get_kind(s, args[0], RD_KIND_RECORD, "a record");
	int i;
	(void)n;
	for (i = 0; t && i < t->n_parts; i++)
		printf("%s %s\n", t->parts[i].name, t->parts[i].type->name);
}

RD_FUN void rd_cmd_variants(struct rd_server *s, int n, char **args)
{
	const struct rd_type *t = rd_get_kind(s, args[0], RD_KIND_SUM, "a sum");
	int i, k;
	(void)n;
	for (i = 0; t && i < t->n_variants; i++) {
		puts(t->variants[i].name);
		for (k = 0; k < t->variants[i].n_args; k++)
			printf("- %s\n", t->variants[i].args[k]->name);
	}
}

// ---- Variables ----

RD_FUN void rd_cmd_type(struct rd_server *s, int n, char **args)
{
	struct rd_variable *v = rd_get_var(s, args[0]);
	(void)n;
	if (v)
		puts(v->type->name);
}

RD_FUN void rd_cmd_free(struct rd_server *s, int n, char **args)
{
	int i;
	for (i = 0; i < n; i++) {
		struct rd_variable *v = rd_get_var(s, args[i]);
		if (!v)
			return;
		rd_drop_var(s, v);
	}
}

RD_FUN void rd_cmd_rename(struct rd_server *s, int n, char **args)
{
	struct rd_variable *v = rd_get_var(s, args[0]);
	char *name;
	(void)n;
	if (!v || !rd_is_free_name(s, args[1]))
		return;
	name = (char *)malloc(strlen(args[1]) + 1);
	if (!name)
		exit(1);
	strcpy(name, args[1]);
	free(v->name);
	v->name = name;
}

RD_FUN const struct rd_type *rd_input_type(const void *entry, int i)
{
	return ((const struct rd_entry *)entry)->inputs[i].type;
}

RD_FUN void rd_cmd_call(struct rd_server *s, int n, char **args)
{
	const struct rd_entry *e = rd_get_entry(s, args[0]);
	const void **in;
	union rd_slot out;
	int64_t time;
	int err;
	if (!e || !rd_is_free_name(s, args[1]) || !rd_is_count(s, "arguments", n - 2, e->n_inputs))
		return;
	in = rd_get_values(s, args + 2, n - 2, rd_input_type, e);
	if (!in)
		return;
	out.scalar = 0;
	time = rd_wall_time();
	err = e->call(s->ctx, &out, in);
	if (!err && (err = futhark_context_sync(s->ctx)) != 0)
		rd_slot_free(s->ctx, e->output, &out);
	time = rd_wall_time() - time;
	free(in);
	if (!rd_succeeded(s, err))
		return;
	*rd_add_var(s, args[1], e->output) = out;
	printf("runtime: %lld\n", (long long)time);
}

// ---- Files ----

// False with the error set.  *copy is to be freed.
RD_FUN int rd_value_of_flat(struct futhark_context *ctx, const struct rd_flat *f, const void *obj,
                            struct rd_value *v, void **copy)
{
	*copy = NULL;
	v->prim = f->prim;
	v->rank = f->rank;
	v->may_be_absent = 1;
	v->data = rd_scalar_at(obj, f);
	if (f->rank) {
		const struct rd_array *a = rd_array_at(obj, f);
		memcpy(v->shape, a->shape, (size_t)f->rank * sizeof *a->shape);
		v->data = NULL;
		if (a->mem)
			v->data = rd_block_view(ctx, a->mem, rd_value_count(v) * rd_prim_size(f->prim), copy);
		return !a->mem || v->data;
	}
	return 1;
}

// Writes the flat values in turn.
RD_FUN void rd_cmd_store(struct rd_server *s, int n, char **args)
{
	FILE *f = fopen(args[0], "wb");
	int i, k, ok = 1;
	if (!f) {
		rd_refuse(s, "Failed to open %s: %s", args[0], strerror(errno));
		return;
	}
	for (i = 1; i < n && ok; i++) {
		struct rd_variable *v = rd_get_var(s, args[i]);
		for (k = 0; v && k < v->type->n_flat && ok; k++) {
			struct rd_value value;
			void *copy;
			ok = rd_value_of_flat(s->ctx, &v->type->flat[k], rd_slot_value(v->type, &v->value),
			                      &value, &copy);
			if (ok)
				ok = rd_write_binary(f, &value);
			else
				rd_succeeded(s, FUTHARK_PROGRAM_ERROR);
			free(copy);
		}
		ok &= v != NULL;
	}
	if ((fclose(f) != 0 || !ok) && !s->failed)
		rd_refuse(s, "Failed to write %s: %s", args[0], strerror(errno));
}

// Reads a flat value into its place in an object.
RD_FUN int rd_restore_flat(struct rd_server *s, struct rd_reader *r, const struct rd_flat *f,
                           void *obj, int inside)
{
	struct rd_value v;
	struct rd_array *a = rd_array_at(obj, f);
	int64_t n;
	v.prim = f->prim;
	v.rank = f->rank;
	v.may_be_absent = inside;
	if (!rd_read_value(r, &v))
		return 0;
	n = rd_is_absent_value(&v) ? 0
	    : rd_shape_bytes(s->ctx, v.shape, f->rank, rd_prim_size(f->prim));
	if (f->rank) {
		int err = n < 0 ? FUTHARK_PROGRAM_ERROR : rd_alloc(s->ctx, &a->mem, n, 1);
		memcpy(a->shape, v.shape, (size_t)f->rank * sizeof *a->shape);
		if (!err)
			err = rd_block_write(s->ctx, a->mem, 0, v.data, n);
		if (!rd_succeeded(s, err)) {
			rd_value_free(&v);
			return 0;
		}
	} else {
		memcpy(rd_scalar_at(obj, f), v.data, (size_t)n);
	}
	rd_value_free(&v);
	return 1;
}

RD_FUN int rd_restore_one(struct rd_server *s, struct rd_reader *r, const char *name,
                          const char *type)
{
	const struct rd_type *t = rd_get_type(s, type);
	union rd_slot value;
	int i, prim;
	if (!t || !rd_is_free_name(s, name))
		return 0;
	prim = t->kind == RD_KIND_PRIM;
	value.scalar = 0;
	if (!prim && !(value.obj = rd_object_new(s->ctx, t)))
		exit(1);
	for (i = 0; i < t->n_flat; i++)
		if (!rd_restore_flat(s, r, &t->flat[i], rd_slot_value(t, &value), t->n_flat > 1)) {
			if (!s->failed)
				rd_refuse(s, "Failed to restore variable %s.\n"
				          "Possibly malformed data in the file, or not of type %s.",
				          name, t->name);
			rd_slot_free(s->ctx, t, &value);
			return 0;
		}
	if (!prim && !rd_object_is_valid(s->ctx, t, value.obj)) {
		rd_refuse(s, "Failed to restore variable %s.\nThe values are none of type %s.", name, t->name);
		rd_slot_free(s->ctx, t, &value);
		return 0;
	}
	*rd_add_var(s, name, t) = value;
	return 1;
}

RD_FUN void rd_cmd_restore(struct rd_server *s, int n, char **args)
{
	struct rd_reader *r;
	FILE *f;
	int i;
	if (n % 2 == 0) {
		rd_refuse(s, "Each variable needs a type.");
		return;
	}
	f = fopen(args[0], "rb");
	if (!f) {
		rd_refuse(s, "Failed to open %s: %s", args[0], strerror(errno));
		return;
	}
	r = (struct rd_reader *)malloc(sizeof *r);
	if (!r)
		exit(1);
	rd_reader_init(r, f);
	for (i = 1; i < n && rd_restore_one(s, r, args[i], args[i + 1]); i += 2)
		continue;
	if (!s->failed && !rd_at_end(r))
		rd_refuse(s, "Expected EOF after reading the values of %s.", args[0]);
	free(r);
	fclose(f);
}
// @end
#endif
