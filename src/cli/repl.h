// What the files of the REPL share.
#ifndef RAIDO_REPL_H
#define RAIDO_REPL_H
#include "cli/cli.h"

// An evaluation that has stopped.
typedef struct Stopped {
	// what the expression evaluated here was entered at, or NULL
	struct Stopped *up;
	const Stop *stop;               // NULL: at a NaN, where no names are known
	const Value *flat;
	const RunError *where;
	Bindings names;                 // of the frame that is looked at
	Values values;
	enum { STAYS, GOES_ON, IS_GIVEN_UP } next;
} Stopped;

typedef struct {
	Program *program;
	LoadOptions options;
	const char *file;               // what was loaded, or NULL
	int n;                          // inputs so far
	bool terminal;
	bool done;
	bool whole;                     // long arrays are printed whole at a terminal too
	bool at_nan;                    // stop where a NaN comes into being
	Stopped *stopped;
	VEC(Span) passed;               // breakpoints that are not stopped at any more
	Map known;                      // of plain values, Binding * -> Values *
	Behind *behind;                 // NULL: all is interpreted
	bool times;                     // say how long evaluation took
	const char *took;               // the last one
} Repl;

void repl_print_diags(void);                    // what was collected, forgotten then
// Checks an expression.  It is not warned of what it holds: it is here to be looked at.
bool repl_check(Repl *, Expr *);
// Evaluates a checked expression.  False after printing what went wrong.
bool repl_evaluate(Repl *, Expr *, const EntryType **type, Values *out);
// repl.c
StopFn repl_stop;                               // at breakpoints
Source *repl_source(const Repl *, const char *line); // of what was entered; NULL: too large

// repl_names.c
void repl_show_type(Repl *, const char *arg);   // these are commands
void repl_show_doc(Repl *, const char *arg);
void repl_show_module(Repl *, const char *arg);
bool repl_print_doc(Repl *, const char *name);  // false if there is no such value
#endif
