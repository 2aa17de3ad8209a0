// Passes over core and what runs them.
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
typedef struct {
	const char *name;
	unsigned takes;                         // stages
	Stage gives;                            // 0: the one it took
	bool whole;                             // takes no fuel
	SLICE(const PassId) then;               // run after it, if it has made another program
	SLICE(const PassId) runs;               // by itself, between its rounds
	const char *about;
	Prog *(*run)(Prog *);
} Pass;
extern const Pass passes[N_PASS];
bool pass_of_name(const char *, PassId *);

typedef SLICE(const PassId) Pipeline;
// Does each pass take what the one before it gives?  Else why not; *stage is that of the program
// before, then after.
const char *pipeline_fits(Pipeline, Stage *stage);
extern const Pipeline pipeline_standard;        // cleans a lowered program up, keeps its structure
extern const Pipeline pipeline_checked;         // what checked mode interprets
extern const Pipeline pipeline_soac;            // what all back ends begin with
Pipeline pipeline_sequential(void);              // the same for one thread
extern const Pipeline pipeline_c;               // from there to what sequential C is made of
extern const Pipeline pipeline_multicore;       // before pipeline_c, for C with threads
extern const Pipeline pipeline_gpu;             // after pipeline_soac, for devices
extern const Pipeline pipeline_gpu_mem;         // after that
extern const Pipeline pipeline_outline;         // after pipeline_c, likewise
// All passes of a back end in order: c, multicore, or gpu.
Pipeline pipeline_of_backend(const char *);

// The memory that passes may free, once they have filled some of it: all that was allocated since
// the fence and is not part of the program.  Its owner keeps nothing else of what passes made.
typedef struct { MemMark fence; uint32_t n_vars; size_t kept; } PassMemory;
PassMemory pass_memory(void);                   // from here on

typedef enum { CHECK_OFF, CHECK_END, CHECK_EACH } CheckWhen;
typedef struct {
	bool dump[N_PASS];                      // print core after these
	bool skip[N_PASS];                      // leave these out
	bool stop;                              // end after `stop_after`
	PassId stop_after;
	CheckWhen check;
	bool time, stats;                       // report to stderr, a line for each pass
	bool limited[N_PASS];                   // only so many rewrites in all runs of these:
	int64_t fuel[N_PASS];
	const char *reproduce;                  // the command to note in bug.core, or NULL
	PassMemory *memory;                     // NULL: nothing is freed
} PassOptions;
// Runs the passes in order.  A program that a pass leaves ill-formed is our own fault: the
// program before that pass goes to bug.core, and bug() ends the process.
Prog *run_passes(Prog *, Pipeline, const PassOptions *);
// A pass between the rounds of another one, which says in its row that it runs it; with those that
// come after it.  It needs no fuel, and its rewrites do not count.
Prog *pass_within(PassId, Prog *);
int prog_size(const Prog *);                    // number of statements, nested ones included
bool fun_has_calls(Fun *);                      // also nested; noted if not
// Is there such a body, the function's own or a nested one?  For passes that few functions have
// anything for: the others are not built anew.
bool fun_any_body(const Fun *, bool (*holds)(const Body *, void *ctx), void *ctx);
bool prog_has_traces(const Prog *);             // else exp_has_effect need not be asked
bool exp_has_traces(const Exp *);             // inside of it: output is in the order of the program
// A pass asks before each rewrite; false when its fuel is spent.  Halving the fuel until a
// fault vanishes finds the rewrite that makes it.
bool may_rewrite(void);
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

// ---- parts.c: arguments of recursive functions that are parts of what these got ----

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

// ---- warn.c ----

// what attributes of a lowered program ask to hear of
void warn_of_rest(const Prog *);

// ---- structure.c: what a program consists of, for tests ----

const char *show_structure(const Prog *);       // "screma 2 at 1\nscrema.reduce 1 at 0\n..."
#endif
