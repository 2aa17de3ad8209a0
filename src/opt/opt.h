// Passes over core: their names, and what they are written with.  What runs them is src/pass.
#ifndef RAIDO_OPT_H
#define RAIDO_OPT_H
#include "core/core.h"

#define PASS(name, ...) Prog *name(Prog *);
#include "opt/passes.def"
#undef PASS

typedef enum { // ORDER: rows of passes.def
#define PASS(name, ...) PASS_##name,
#include "opt/passes.def"
#undef PASS
	N_PASS
} PassId;

// A pass between the rounds of another one, which says in its row that it runs it; with those that
// come after it.  It needs no fuel, and its rewrites do not count.  (src/pass/run.c)
Prog *pass_within(PassId, Prog *);

// ---- rewrite.c: what passes rewrite with ----

int prog_size(const Prog *);                    // number of statements, nested ones included
bool fun_has_calls(Fun *);                      // also nested; noted if not
// Is there such a body, the function's own or a nested one?  If not, the function is left alone but
// for what it calls.  For passes that few functions have anything for.  funs: as Visit.funs
bool fun_to_rewrite(Fun *, const Map *funs, bool (*holds)(const Body *, void *ctx), void *ctx);
bool prog_has_traces(const Prog *);             // else exp_has_effect need not be asked
bool exp_has_traces(const Exp *);             // inside of it: output is in the order of the program
bool takes_data(const Lambda *);                // no accumulators, nothing that it consumes
bool is_plain_map(const Exp *);                 // a map of a function that does
bool computes_scalars(const Lambda *);          // alone, without loops, combinators and calls
// A pass asks before each rewrite; false when its fuel is spent.  Halving the fuel until a
// fault vanishes finds the rewrite that makes it.
bool may_rewrite(void);
// How many rewrites the running pass may still make, and how many it has made.
typedef struct { int64_t left, made; } Fuel;
Fuel swap_fuel(Fuel);                            // gives what there was
// Gives the function `v->body` of its body.  If that makes no rewrite, what was known of the body
// (Fun.simple and so on) still is.
void fun_rewrite(Fun *, Visit *v);
Prog *prog_rewrite(Prog *, Visit *v);           // all functions; it is the program that is given
// A copy of the program, in which functions that have such a statement are rewritten; the others
// only call the copies.  The program itself if there is none.
Prog *prog_rewrite_where(Prog *, StmTest *, const Visit *v);
// The same, a statement at a time, inner ones first: `rewrite` emits what one for which the test
// holds becomes into the builder, or gives false.
typedef bool StmRewrite(void *ctx, const Stm *);
Prog *prog_rewrite_stms(Prog *, StmTest *, Build *, StmRewrite *rewrite, void *ctx);
// The body of a function is `old` built anew: what was known of that is known of it.
void fun_same_body(Fun *, Body old);
// A function that a pass leaves alone, but for what it calls.  funs: as Visit.funs
void fun_new_callees(Fun *, const Map *funs);

// ---- kept.c: assertions whose certificates a pass drops ----

bool is_kept(const Stm *);
void note_kept(Map *kept, Vars certs);
void note_lost(Map *kept, Vars certs, Vars still); // those that are not among `still`
Prog *keep_asserts(Prog *, Map *kept);          // marks the assertions noted

// ---- pass_parts.c: arguments of recursive functions that are parts of what these got ----

// a body and those around it
typedef struct BodyPath { const Body *body; const struct BodyPath *up; } BodyPath;
const Exp *def_on(const BodyPath *, Sub);           // as def_in
bool is_part(const Exp *, Sub arr);             // rows of arr that follow one another, as they are

// ---- checked.c: checked mode ----

// What is checked at run time; nothing unless asked for.
enum {                                          // ORDER: check_names
	CHECKS_SCATTER = 1, CHECKS_OPERATORS = 2, CHECKS_UNINITIALISED = 4, CHECKS_OVERFLOW = 8,
	CHECKS_NAN = 16, CHECKS_ATTRIBUTES = 32,
};
extern unsigned checks_wanted;                  // set before passes run, by the command line
// Adds those named, with commas in between; all but overflow if `list` is NULL.  NULL, or what is
// wrong.
const char *checks_of_names(const char *list, unsigned *out);

// ---- structure.c: what a program consists of, for tests ----

const char *show_structure(const Prog *);       // "screma 2 at 1\nscrema.reduce 1 at 0\n..."
#endif
