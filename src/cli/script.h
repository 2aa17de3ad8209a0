// The syntax of FutharkScript, shared by its parser and its evaluator.
#ifndef RAIDO_SCRIPT_H
#define RAIDO_SCRIPT_H
#include "cli/cli.h"

typedef SLICE(const ScriptExp *) ScriptExps;
typedef enum {
	SX_VALUE,       // 3i32  "text"  true  empty([0]f32): value
	SX_TUPLE,       // (parts)
	SX_ARRAY,       // [parts]
	SX_RECORD,      // {names = parts}
	SX_CALL,        // name parts    a variable, an entry point or (builtin) $name
	SX_FIELD,       // of.name
	SX_INDEX,       // of[parts]
	SX_LET,         // let names = of in body
} ScriptKind;
struct ScriptExp {
	ScriptKind kind;
	Value value;
	bool is_string;                 // written "..."
	bool unsuffixed;                // a number that takes the type it is used at
	Name name;
	bool builtin;
	Names names;
	bool tuple_pattern;             // let (a, b) = ...
	ScriptExps parts;
	const ScriptExp *of, *body;
};
#endif
