// How random programs are run and compared: what main.c, run.c, compare.c and table.c share.
#ifndef RAIDO_RANDOM_RUN_H
#define RAIDO_RANDOM_RUN_H
#include "random.h"

#include <stdint.h>

enum { MOST = 256, NUMBERS = 256 };             // programs of a file, numbers of a result

// Ways to run a program.  PASSES_*: after each pass of a back end.
typedef enum {
	PLAIN, PASSES_C, PASSES_MULTICORE, PASSES_GPU, SOAC, DEVICE, MEMORY,
	RUN_C, RUN_MULTICORE, RUN_OPENCL, RUN_CUDA, RUN_SANITIZED, N_WAYS
} Way;
extern const char *const way_name[N_WAYS];
typedef enum { DERIVATIVES, SIZES, LANG, N_KINDS } ProgramKind;

typedef struct {
	int64_t seed, count, batch, tries, seconds, jobs;
	bool compiled, verbose, show;
	bool way[N_WAYS];
	ProgramKind kind;
	const char *dir, *backend, *ways, *json, *minutes;
} Options;
extern Options options;

// What a run of a program gave.
typedef struct {
	enum { NOT_RUN, FAILED, GAVE } state;
	int n;                                  // numbers in all results together
	double numbers[NUMBERS];
	char why[300];
} Outcome;
// Results of p and q of each program, shared with the process that makes them; and what it has
// interpreted after passes.
typedef struct { Outcome first[MOST], second[MOST]; int64_t after_passes; } Outcomes;

// ---- run.c ----

Random *make(int64_t seed);
void put_header(Str *);
// Runs the programs in all ways that were asked for; all[w] is NULL for the others.
void try_all(const char *path, Random **programs, int n, Outcomes *all[N_WAYS]);

// ---- compare.c ----

// What b says otherwise than a, or NULL.
const char *compare_outcomes(const Random *, const Outcome *a, const Outcome *b);
bool all_moderate(const Outcome *);             // no number is infinite, none, or very large
typedef struct { int64_t programs, vacuous, smooth, second; } Counts;
// What is wrong with program i, or NULL; all[] are the outcomes of the ways tried.
const char *verdict(const Random *, Outcomes *all[N_WAYS], int i, Counts *);

// ---- table.c ----

// Sums over all processes, in memory that they share.
enum { MOST_FAILURES = 200 };
typedef struct { uint64_t seed; char why[120]; } Failure;
typedef struct {
	_Atomic int64_t programs, vacuous, smooth, second, failed, after_passes;
	struct { _Atomic int64_t programs, failed, microseconds; } way[N_WAYS];
	Failure failures[MOST_FAILURES];
} Totals;
extern Totals *totals;

void *shared_memory(size_t bytes);
void total_add(Way, int64_t programs, double seconds); // of processor time
void total_failure(const Random *, const char *why);
void print_table(double wall_seconds);
void write_json(const char *path, double wall_seconds);
#endif
