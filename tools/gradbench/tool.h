// What the modules of the tool share with the program that loads them.  A module is one eval: a
// compiled Raido program and the functions that carry JSON to it and back, in a shared object that
// exports `eval`.
//
// The program answers one message at a time.  A function of a module reads its input, repeats the
// call as often as the message asks for, and leaves the output in the Call.  What is wrong with the
// input ends the function by `refuse`, so that inputs are read before anything else is acquired.
#ifndef TOOL_H
#define TOOL_H
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Call Call;

typedef struct { const char *name; void (*run)(Call *); } Function;

typedef struct {
	const char *(*open)(void);              // makes the context; a message if that fails
	const Function *functions;              // ends with a null name
} Eval;

// ---- Input ----
//
// Memory lasts as long as the call.  A shape is given and filled: -1 stands for any number.

_Noreturn __attribute__((format(printf, 2, 3)))
void refuse(Call *call, const char *format, ...);

const json_t *input(Call *call);
const json_t *member(Call *call, const json_t *object, const char *name);
double real(Call *call, const json_t *object, const char *name);
int64_t integer(Call *call, const json_t *object, const char *name);
bool boolean(Call *call, const json_t *object, const char *name);
double real_value(Call *call, const json_t *value, const char *name);
double *reals(Call *call, const json_t *object, const char *name, int rank, int64_t *shape);
int32_t *integers(Call *call, const json_t *object, const char *name, int rank, int64_t *shape);
void *room(Call *call, int64_t count, int64_t size);

// ---- Repetition ----
//
// `lap` notes the time of one run and tells whether another is due.

int64_t nanoseconds(void);
bool lap(Call *call, int64_t time);
// The call failed in the program; takes over the text.
void failed(Call *call, char *message);

// ---- Output ----
//
// Arrays are nested as the shape says.  JSON has no numbers that are not finite: such an output
// is an error.

void give(Call *call, json_t *output);
json_t *real_json(Call *call, double x);
json_t *reals_json(Call *call, const double *x, int rank, const int64_t *shape);
json_t *integers_json(const int32_t *x, int64_t count);
#endif
