// Lowering: checked surface programs to core.
#ifndef RAIDO_LOWER_H
#define RAIDO_LOWER_H
#include "check/check.h"
#include "core/core.h"

typedef struct {
	Names entries;          // entry points besides `entry` declarations and main
	bool only_listed;       // lower just those
	bool safe;              // ignore #[unsafe]
} LowerOptions;

// Core for all entry points of the root file and what they need.  Requires a program
// without errors.  NULL after reporting an error (something that cannot be compiled).
Prog *lower_program(Program *, const LowerOptions *);
// Core for one declaration as its only entry point (REPL, eval).  The values that are `given`
// are its parameters: their bindings are of the kind GLOBAL, without a declaration, and their types
// are closed.
// `stops`: breakpoints are heeded; `at_nan`: so that new NaNs can be.
// `known`: what constants are, const Values *, by their bindings.  Those that are needed are
// parameters after the given ones, and noted in *used.
typedef VEC(const Binding *) UsedConstants;
typedef struct { Bindings given; bool stops, at_nan; Map known; UsedConstants *used; } DeclOptions;
Prog *lower_decl(Decl *, const DeclOptions *);
// What a literal, EX_INT or EX_FLOAT, is as a number of this type.
Scalar number_literal(const Expr *, PrimType);
#endif
