// Entry points made of others, as core functions: what derive.c, gradfuns.c and boxes.c share.
#ifndef RAIDO_MAKING_H
#define RAIDO_MAKING_H
#include "cli/cli.h"

// A function in the making, of an entry point f.
typedef struct {
	const Fun *f;
	int first, first_res;                   // where the flat values of f begin
	Map to;                                 // variables of f -> Sub *
	Build b;
	VEC(Var) params;                        // sizes, then values
	VEC(Name) names;                        // of the values
	VEC(Var) values;
	bool consumes;                          // what f consumes; else it is given copies
} Making;

TextVec making_value_names(const Fun *);               // of its flat arguments
bool is_float_data(Var);
Making making_begin(const Fun *);
Type making_type(const Making *, Type);         // under the new names
Var making_like(const Making *, Var);           // a variable of that type
void making_size(Making *, Var);                // a parameter that is a size,
void making_value(Making *, const char *name, Var); // or a value
void making_params(Making *);                   // the parameters of f again, under new names
Subs making_call(Making *);                     // f on what stands for its parameters: all results
Subs making_args(const Making *, Vars);         // what stands for these
// \active -> results, which are made between these two.
Lambda *making_lambda(Making *, Vars active, Subs (*results)(Making *, const void *), const void *);
// The function, with these results, added to the program: an entry point of flat values, unless
// `info` says of which ones.
Fun *making_end(Prog *, Making *, Subs res, const char *what, EntryInfo *info);
#endif
