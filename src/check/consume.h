// Private to phase 4 (consume*.c): aliases and consumption.
//
// An Atom stands for the memory of one array-like component of one variable.  The Alias of a
// value follows the structure of its type: a record has an Alias per field, anything else that
// can share memory has the set of Atoms it may share it with.  A scalar has the empty Alias.
#ifndef RAIDO_CONSUME_H
#define RAIDO_CONSUME_H
#include "check/check.h"

typedef struct {
	int id;
	Binding *var;
	int depth;              // nesting of functions and loops it is bound at
	bool consumable;
	bool global;            // a top-level constant
	bool consumed;
	Span where;             // of the consumption
} Atom;
typedef SLICE(Atom *) AtomSet;          // ordered by id

typedef struct Alias Alias;
struct Alias {
	bool is_record;
	SLICE(Alias *) fields;  // parallel to the fields of the record type
	AtomSet set;
};

typedef struct { Atom *atom; Binding *var; Span span; } Seen;

// The state of the walk over one declaration.
typedef struct {
	int depth;
	VEC(Atom *) consumed;   // log: what has been consumed so far on this path
	VEC(Seen) seen;         // log: atoms observed inside the functions and loops under way
	int collecting;         // how many of these there are: no log without one
} Consume;

// ---- alias.c: sets and trees ----

extern Alias no_alias;
Atom   *atom_new(Consume *, Binding *, bool consumable);
AtomSet set_of(Atom *);
AtomSet set_union(AtomSet, AtomSet);
AtomSet set_without(AtomSet, AtomSet);
Atom   *set_common(AtomSet, AtomSet);           // an element of both, or NULL
AtomSet alias_atoms(const Alias *);             // all of them
bool    is_self_aliased(const Alias *);         // two components may share memory
Alias  *alias_leaf(AtomSet);
Alias  *alias_union(Alias *, Alias *);
Alias  *alias_field(Alias *, Ty *record, Name field);
Alias  *alias_with_field(Alias *, Ty *record, Name field, Alias *);
Alias  *alias_shaped(Ty *, AtomSet);            // the same set at every component that can alias
Alias  *alias_map(Alias *, AtomSet (*f)(void *, AtomSet), void *ctx);
bool    can_alias(Ty *);                        // not a scalar, not made of scalars only
bool    is_consuming(Ty *);                     // a * anywhere outside function types
// The part of the result of a call that may share memory with an argument, given the types
// in the callee's own terms (scheme) for what can and cannot be the same memory.
Alias  *call_alias(Ty *result, Ty *param, Ty *actual_result, Alias *arg);
// gives the names of a pattern their aliases
void    alias_bind(Consume *, Pat *, Alias *, bool consumable);

// ---- consume_expr.c ----

Alias *consume_expr(Consume *, Expr *);
// A function: walks the body one level deeper; *captured gets the atoms of outer variables
// it uses.  Gives the alias of the result.
Alias *consume_function(Consume *, Pats params, Expr *body, AtomSet *captured);
void   consume_alias(Consume *, Span, Alias *); // the value is consumed here
void   observe(Consume *, Span, Binding *, Alias *);
NORETURN void fail_used_after(Span, const Binding *, Span consumed_at);

// ---- consume.c: results of functions ----

void check_result(Consume *, Span, Ty *declared, Alias *); // of a unique return type
Ty *infer_unique_result(Consume *, Ty *function, int n_params, Alias *result);

// ---- consume_loop.c ----

Alias *consume_loop(Consume *, Expr *);
#endif
