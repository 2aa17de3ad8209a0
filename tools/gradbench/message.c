// Input and output of the functions of modules: JSON values to arrays and back.  Everything that
// comes from outside is checked here, and refused with a message that names what is wrong.
#include "message.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void refuse(Call *call, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (vasprintf(&call->error, format, args) < 0)
		call->error = NULL;
	va_end(args);
	longjmp(call->on_error, 1);
}

void *room(Call *call, int64_t count, int64_t size)
{
	Block *b = NULL;
	if (count >= 0 && count < (INT64_MAX - (int64_t)sizeof *b) / size)
		b = malloc(sizeof *b + (size_t)(count * size));
	if (!b)
		refuse(call, "out of memory");
	b->next = call->blocks;
	call->blocks = b;
	return b->data;
}

// ---- Input ----

const json_t *input(Call *call) { return call->input; }

const json_t *member(Call *call, const json_t *object, const char *name)
{
	if (!json_is_object(object))
		refuse(call, "the input is not an object with a field '%s'", name);
	const json_t *value = json_object_get(object, name);
	if (!value)
		refuse(call, "the input has no field '%s'", name);
	return value;
}

double real_value(Call *call, const json_t *value, const char *name)
{
	if (!json_is_number(value))
		refuse(call, "%s is not a number", name);
	return json_number_value(value);
}

static int64_t integer_value(Call *call, const json_t *value, const char *name)
{
	if (json_is_real(value) && json_real_value(value) == rint(json_real_value(value)) &&
	    fabs(json_real_value(value)) < 9e15)
		return (int64_t)json_real_value(value);
	if (!json_is_integer(value))
		refuse(call, "%s is not an integer", name);
	return json_integer_value(value);
}

double real(Call *call, const json_t *object, const char *name)
{
	return real_value(call, member(call, object, name), name);
}

int64_t integer(Call *call, const json_t *object, const char *name)
{
	return integer_value(call, member(call, object, name), name);
}

bool boolean(Call *call, const json_t *object, const char *name)
{
	const json_t *value = member(call, object, name);
	if (!json_is_boolean(value))
		refuse(call, "%s is neither true nor false", name);
	return json_is_true(value);
}

// The shape by the first elements, held against what is expected.
static void find_shape(Call *call, const json_t *value, const char *name, int rank, int64_t *shape)
{
	for (int i = 0; i < rank; i++) {
		if (value && !json_is_array(value))
			refuse(call, "%s is not an array of rank %d", name, rank);
		int64_t n = value ? (int64_t)json_array_size(value) : shape[i] >= 0 ? shape[i] : 0;
		if (shape[i] >= 0 && shape[i] != n)
			refuse(call, "%s has %lld elements in dimension %d, not %lld", name,
			       (long long)n, i + 1, (long long)shape[i]);
		shape[i] = n;
		value = value ? json_array_get(value, 0) : NULL;
	}
}

static void *fill_reals(Call *call, const json_t *value, const char *name, void *at)
{
	double *x = at;
	*x = real_value(call, value, name);
	return x + 1;
}

static void *fill_integers(Call *call, const json_t *value, const char *name, void *at)
{
	int32_t *x = at;
	int64_t i = integer_value(call, value, name);
	if (i < INT32_MIN || i > INT32_MAX)
		refuse(call, "%s has an element out of range", name);
	*x = (int32_t)i;
	return x + 1;
}

typedef void *Fill(Call *, const json_t *, const char *, void *);

static void *fill(Call *call, const json_t *value, const char *name, int rank, const int64_t *shape,
                  Fill *element, void *at)
{
	if (rank == 0)
		return element(call, value, name, at);
	if (!json_is_array(value) || (int64_t)json_array_size(value) != shape[0])
		refuse(call, "%s is not a regular array", name);
	for (int64_t i = 0; i < shape[0]; i++)
		at = fill(call, json_array_get(value, (size_t)i), name, rank - 1, shape + 1,
		          element, at);
	return at;
}

static void *array(Call *call, const json_t *object, const char *name, int rank, int64_t *shape,
                   Fill *element, int64_t size)
{
	const json_t *value = member(call, object, name);
	find_shape(call, value, name, rank, shape);
	int64_t count = 1;
	for (int i = 0; i < rank; i++)
		count *= shape[i];
	void *data = room(call, count, size);
	fill(call, value, name, rank, shape, element, data);
	return data;
}

double *reals(Call *call, const json_t *object, const char *name, int rank, int64_t *shape)
{
	return array(call, object, name, rank, shape, fill_reals, sizeof(double));
}

int32_t *integers(Call *call, const json_t *object, const char *name, int rank, int64_t *shape)
{
	return array(call, object, name, rank, shape, fill_integers, sizeof(int32_t));
}

// ---- Repetition ----

int64_t nanoseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool lap(Call *call, int64_t time)
{
	call->spent += time;
	call->runs++;
	json_array_append_new(call->timings, json_pack("{s:s, s:I}", "name", "evaluate",
	                                               "nanoseconds", (json_int_t)time));
	return call->runs < call->min_runs || (double)call->spent < call->min_seconds * 1e9;
}

void failed(Call *call, char *message)
{
	free(call->error);
	call->error = message ? message : strdup("the program failed");
}

// ---- Output ----

void give(Call *call, json_t *output) { call->output = output; }

json_t *real_json(Call *call, double x)
{
	json_t *value = json_real(x);
	if (!value && !call->error)
		call->error = strdup("the result is not finite, and JSON has no such numbers");
	return value ? value : json_null();
}

json_t *reals_json(Call *call, const double *x, int rank, const int64_t *shape)
{
	if (rank == 0)
		return real_json(call, *x);
	json_t *list = json_array();
	int64_t row = 1;
	for (int i = 1; i < rank; i++)
		row *= shape[i];
	for (int64_t i = 0; i < shape[0]; i++)
		json_array_append_new(list, reals_json(call, x + i * row, rank - 1, shape + 1));
	return list;
}

json_t *integers_json(const int32_t *x, int64_t count)
{
	json_t *list = json_array();
	for (int64_t i = 0; i < count; i++)
		json_array_append_new(list, json_integer(x[i]));
	return list;
}
