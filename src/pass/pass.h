// The table of passes, the pipelines and what runs them.
#ifndef RAIDO_PASS_H
#define RAIDO_PASS_H
#include "opt/opt.h"

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
	bool time, stats;                       // report, a line for each pass
	FILE *log;                              // to here, NULL: to stderr
	bool limited[N_PASS];                   // only so many rewrites in all runs of these:
	int64_t fuel[N_PASS];
	const char *reproduce;                  // the command to note in bug.core, or NULL
	PassMemory *memory;                     // NULL: nothing is freed
} PassOptions;
// Runs the passes in order.  A program that a pass leaves ill-formed is our own fault: the
// program before that pass goes to bug.core, and bug() ends the process.
Prog *run_passes(Prog *, Pipeline, const PassOptions *);

// What attributes of a lowered program ask to hear of (warn.c).
void warn_of_rest(const Prog *);
#endif
