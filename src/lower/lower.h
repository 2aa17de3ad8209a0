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
// Core for one declaration as its only entry point (REPL, eval).
Prog *lower_decl(Program *, Decl *);
EntryType *entry_type_of(Ty *);                 // how values of a closed type are made up
#endif
