// The runner of passes.
//
// For each pass of a pipeline: skip it if disabled, run it, report its time and the change in
// program size, check the resulting program, and dump it on request.
#include "pass/pass.h"

#include <time.h>

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void write_reproducer(const Prog *before, const Pass *pass, const PassOptions *o)
{
	FILE *f = fopen("bug.core", "w");
	if (!f)
		return;
	fprintf(f, "-- %s bug.core %s\n", o->reproduce ? o->reproduce : "raido dev --check=each",
	        pass->name);
	fputs(show_prog(before), f);
	fclose(f);
}

static void check_after(const Prog *before, const Prog *after, const Pass *pass,
                        const PassOptions *o)
{
	const char *why = core_check(after);
	if (!why)
		return;
	write_reproducer(before, pass, o);
	current_pass = pass->name;
	bug("after the pass %s: %s\nThe program before the pass is in bug.core.", pass->name, why);
}

static void report(const Pass *pass, const PassOptions *o, double time, size_t memory, int before,
                   int after, int64_t rewrites)
{
	if (!o->time && !o->stats)
		return;
	FILE *to = o->log ? o->log : stderr;
	fprintf(to, "%-12s", pass->name);
	if (o->time)
		fprintf(to, " %9.3f ms %7.2f MiB", time * 1e3, (double)memory / (1 << 20));
	if (o->stats)
		fprintf(to, " %8d -> %d statements, %lld rewrites", before, after,
		        (long long)rewrites);
	fputc('\n', to);
}

PassMemory pass_memory(void)
{
	return (PassMemory){.fence = mem_fence(), .n_vars = n_vars};
}

// How many bytes, and how many times what was kept.  Generating code takes more memory than any
// pass: before it, what counts is that memory, in large programs alone.
typedef struct { size_t least, times; } Full;

static const Full between = {8 << 20, 4}, at_end = {64 << 20, 2};

// So much that moving the program costs little beside what filled it, and so little that most of it
// is still in the cache when it is used again.
static bool is_full(const PassMemory *m, Full full)
{
#ifdef RAIDO_HOSTILE
	return m && full.least;
#else
	size_t used = m ? mem_used() - m->fence.total : 0;
	return used > full.least && used > full.times * m->kept;
#endif
}

static Prog *free_others(Prog *prog, PassMemory *m)
{
	prog = prog_move(prog, m->fence, m->n_vars);
	m->kept = mem_used() - m->fence.total;
	return prog;
}

static const Pass *running;                     // one that run_passes runs, or within it

// As pass_within, for a pass that the row of the running one has.
static Prog *run_other(PassId id, Prog *prog)
{
	const Pass *outer = running;
	Fuel fuel = swap_fuel((Fuel){INT64_MAX, 0});
	running = &passes[id];
	Prog *after = passes[id].run(prog);
	for (int i = 0; after != prog && i < passes[id].then.len; i++)
		after = run_other(passes[id].then.at[i], after);
	running = outer;
	swap_fuel(fuel);
	return after;
}

Prog *pass_within(PassId id, Prog *prog)
{
	bool known = !running;
	for (int i = 0; running && i < running->runs.len; i++)
		known |= running->runs.at[i] == id;
	if (!known)
		bug("the pass %s runs %s, which its row does not say", running->name,
		    passes[id].name);
	return run_other(id, prog);
}

// `left` is the fuel of this pass, or NULL.
static Prog *run_alone(Prog *prog, const Pass *pass, const PassOptions *o, int64_t *left)
{
	if (!(pass->takes & prog->stage)) // another one that this needs was left out
		bug("the pass %s does not work at the stage %s", pass->name,
		    stage_name(prog->stage));
	const char *outer = current_pass;
	current_pass = pass->name;
	running = pass;
	swap_fuel((Fuel){left ? *left : INT64_MAX, 0});
	double start = o->time ? seconds() : 0; // the system's answer takes longer than many passes
	size_t used = mem_used();
	Prog *after = pass->run(prog);
	double time = o->time ? seconds() - start : 0;
	used = mem_used() - used;
	running = NULL;
	Fuel fuel = swap_fuel((Fuel){INT64_MAX, 0});
	if (left)
		*left = fuel.left;
	report(pass, o, time, used, o->stats ? prog_size(prog) : 0, o->stats ? prog_size(after) : 0,
	       fuel.made);
	current_pass = outer;
	return after;
}

// With those that come after it, which take no fuel.
static Prog *run_pass(Prog *prog, const Pass *pass, const PassOptions *o, int64_t *left)
{
	Prog *after = run_alone(prog, pass, o, left);
	for (int i = 0; after != prog && i < pass->then.len; i++)
		after = run_alone(after, &passes[pass->then.at[i]], o, NULL);
	if (o->check == CHECK_EACH)
		check_after(prog, after, pass, o);
	return after;
}

static void dump(const Prog *before, const Prog *after, const Pass *pass)
{
	const char *text_before = show_prog(before), *text_after = show_prog(after);
	bool same = strcmp(text_before, text_after) == 0;
	printf("-- after %s%s\n%s\n", pass->name, same ? " (unchanged)" : "",
	       same ? "" : text_after);
}

Prog *run_passes(Prog *prog, Pipeline pipeline, const PassOptions *o)
{
	Prog *before = prog;
	const Pass *last = NULL;
	Stage stage = prog->stage;
	const char *why = pipeline_fits(pipeline, &stage);
	if (why)
		bug("%s", why);
	int64_t left[N_PASS];
	memcpy(left, o->fuel, sizeof left);
	for EACH(const PassId, id, pipeline) {
		if (o->skip[*id])
			continue;
		if (is_full(o->memory, between))
			prog = free_others(prog, o->memory);
		before = prog;
		last = &passes[*id];
		prog = run_pass(prog, last, o, o->limited[*id] ? &left[*id] : NULL);
		if (o->dump[*id])
			dump(before, prog, last);
		if (o->stop && o->stop_after == *id)
			break;
	}
	if (o->check == CHECK_END && last)
		check_after(before, prog, last, o);
	return is_full(o->memory, at_end) ? free_others(prog, o->memory) : prog;
}
