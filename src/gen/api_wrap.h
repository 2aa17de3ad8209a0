// What the two ways of calling an entry point share: api_entry.c (with objects) and api_call.c
// (with flat values).
#ifndef RAIDO_API_WRAP_H
#define RAIDO_API_WRAP_H
#include "gen/api.h"

// A flat value of an argument.
typedef struct {
	Var param;
	const Type *type;
	const char *value;                      // scalars: its C expression
	const char *mem, *shape;                // arrays: expressions of the block and the shape
	bool may_be_absent;
	const char *own;                        // a local variable with the block to pass, or NULL
} Arg;

typedef struct {
	const ApiEntry *e;
	Rts *rts;
	Str decls, checks, before, after;
	Map exprs;                              // Var id + 1 -> C expression of a size, a constant
	VEC(Arg) args;
} Wrap;

typedef struct { int at, mem; const Type *type; } Result; // places among the results
typedef SLICE(Result) Results;

Vars wrap_value_params(const Fun *);            // the parameters that are flat values of arguments
const char *wrap_scalar_value(Wrap *, PrimType, const char *exp); // as the function takes it
void wrap_define_sizes(Wrap *);                 // to w->decls
void wrap_check_shape(Wrap *, const Arg *);     // to w->checks
const char *wrap_reject_sizes(const Wrap *);    // the call for sizes that do not agree
const char *wrap_operand(const Wrap *, Sub);
const char *wrap_count_text(const Wrap *, const Type *); // the number of elements
void wrap_constants(Wrap *);                    // what is given: to w->exprs, w->before
const char *wrap_call_text(Wrap *);             // declares the results, o0 ...
void wrap_call_args(Wrap *, Str *);             // what stands after the results
Results wrap_results(const Wrap *);             // those that are flat values of the result
const char *wrap_scalar_result(Wrap *, const Result *); // as the caller takes it
#endif
