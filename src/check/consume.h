// Private to phase 4 (consume*.c): aliases and consumption.
//
// An Atom stands for the memory of one array-like component of one variable, or for memory that the
// parts of one result may share.  The Alias of a value follows the structure of its type: a record
// has an Alias per field; any other value that can share memory has the set of Atoms it may share
// memory with.  A scalar has the empty Alias.
#ifndef RAIDO_CONSUME_H
#define RAIDO_CONSUME_H
#include "check/check.h"

typedef struct {
	int id;
	Binding *var;           // NULL: what several parts of the result of a call or loop share
	const char *what;       // then: that result, for messages
	int depth;              // nesting of functions and loops it is bound at
	bool consumable;
	bool is_plain;          // of a loop parameter that is declared with a type, without a star
	bool global;            // a top-level constant
	bool consumed;
	Span where;             // of the consumption
	int reported;           // in which walk there was an error on it: no more follow there
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
	int walk;               // its number, from 1
	int depth;
	VEC(Atom *) consumed;   // log: what has been consumed so far on this path
	VEC(Seen) seen;         // log: atoms observed inside the functions and loops under way
	int collecting;         // how many of these there are: no log without one
} Consume;

// ---- alias.c: sets and trees ----

extern Alias no_alias;
Atom   *atom_new(Consume *, Binding *, bool consumable);
const char *atom_name(const Atom *);            // "x"
const char *atom_phrase(const Atom *);          // variable "x"
AtomSet set_of(Atom *);
AtomSet set_union(AtomSet, AtomSet);
AtomSet set_without(AtomSet, AtomSet);
Atom   *set_common(AtomSet, AtomSet);           // an element of both, or NULL
AtomSet alias_atoms(const Alias *);             // all of them
Atom   *self_aliased(const Alias *);            // what two components may share, or NULL
Alias  *alias_leaf(AtomSet);
Alias  *alias_union(Alias *, Alias *);
Alias  *alias_field(Alias *, Ty *record, Name field);
Alias  *alias_with_field(Alias *, Ty *record, Name field, Alias *);
Alias  *alias_record(Ty *record);               // a new one, in which nothing is shared
void    alias_put_field(Alias *new_one, Ty *record, Name field, Alias *);
Alias  *alias_shaped(Ty *, AtomSet);            // the same set at every component that can alias
Alias  *alias_map(Alias *, AtomSet (*f)(void *, AtomSet), void *ctx);
// What the parts of one result may share with each other, where they are of types that can be the
// same memory: an atom for each of these types.
typedef struct { const char *what; Span span; Map counts, atoms; int n; bool mixed; } Origins;
void    origins_count(Origins *, Ty *own, Ty *actual); // own: in the callee's own terms
AtomSet origins_of(Consume *, Origins *, Ty *part);
Alias  *alias_with_origins(Consume *, Origins *, Ty *, AtomSet);
Ty     *base_of(Ty *);                          // what the innermost elements are
bool    is_consuming(Ty *);                     // a * anywhere outside function types
// gives the names of a pattern their aliases
void    alias_bind(Consume *, Pat *, Alias *, bool consumable);
// Each name that a pattern binds, with its part of the aliases; said: the innermost annotation
// around it, or NULL.
typedef void EachName(void *ctx, Pat *name, Alias *, TypeExpr *said);
void    alias_names(Pat *, Alias *, TypeExpr *said, EachName *, void *ctx);

// ---- consume_expr.c ----

Alias *consume_expr(Consume *, Expr *);
// A function: walks the body one level deeper; *captured gets the atoms of outer variables
// it uses.  Gives the alias of the result.
Alias *consume_function(Consume *, Pats params, Expr *body, AtomSet *captured);
void   consume_alias(Consume *, Span, Alias *); // the value is consumed here
void   observe(Consume *, Span, Binding *, Alias *);
// The variable written at the span may share memory with what was consumed; once for each atom.
void   report_used_after(Consume *, Span, const Binding *written, Atom *, Span consumed_at);
Alias *var_alias(Consume *, Binding *);
// Size expressions inside of a type consume nothing.
void   consume_type(Consume *, TypeExpr *);
void   consume_pat_types(Consume *, Pat *);

// ---- consume_call.c ----

Alias *consume_apply(Consume *, Expr *);
Alias *consume_binop(Consume *, Expr *);
Alias *consume_section(Consume *, Expr *);
// The type of an expression, with what is known of the uniqueness of functions' results.
Ty    *known_type(Expr *);
// Of a function whose result, after so many parameters, is not declared, but that of its body.
Ty    *with_known_result(Ty *function, int n_params, Expr *body);
// Fails where a function with a unique result is wanted, and the one given has another.
void   check_function(Expr *given, Ty *wanted);

// ---- consume.c: results of functions ----

void check_declared(Consume *, Expr *body, Ty *declared, Alias *); // a declared result
void check_free(Span, Ty *, Alias *);           // a function's result is no constant
Ty *infer_unique_result(Consume *, Ty *function, int n_params, Alias *result);

// ---- consume_loop.c ----

Alias *consume_loop(Consume *, Expr *);

// ---- consume_expr.c ----

Alias *place_alias(Consume *, Expr *, Binding **); // of what an update begins with

// ---- consume_update.c ----

void   consume_indices(Consume *, Indices);
Alias *consume_update(Consume *, Expr *);
void   consume_let_update(Consume *, Expr *);
#endif
