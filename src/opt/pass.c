// The table of passes, the pipelines, and the runner.
//
// For each pass of a pipeline: leave it out if asked, run it, report its time and what it did to
// the size of the program, check what it made, print that if asked.
#include "opt/opt.h"

#include <time.h>

#define SAME 0
#define REWRITES false
#define WHOLE true
#define VALUES (STAGE_SOAC | STAGE_DEVICE | STAGE_LOOP)
#define LIST(...) (const PassId[]){__VA_ARGS__}, \
                  sizeof (const PassId[]){__VA_ARGS__} / sizeof (PassId)
#define ALONE .then = {NULL, 0}
#define THEN(...) .then = {LIST(__VA_ARGS__)}
#define RUNS(...) .runs = {LIST(__VA_ARGS__)}
const Pass passes[N_PASS] = {
#define PASS(id, from, to, how, others, what) \
	{.name = #id, .takes = from, .gives = to, .whole = how, .about = what, .run = id, others},
#include "opt/passes.def"
#undef PASS
};

static const PassId standard[] = {
	PASS_inline_calls,
	PASS_simplify,
};

// What the interpreter runs in checked mode: derivatives as code, with their checks.
static const PassId checked[] = {
	PASS_count_bounds,
	PASS_inline_calls,
	PASS_simplify,
	PASS_check_uses,
	PASS_unwind,
	PASS_differentiate,
	PASS_check_numbers,
};

static const PassId soac[] = {
	PASS_store_constants,   // before they vanish in what uses them
	PASS_count_bounds,
	PASS_inline_calls,
	PASS_simplify,          // lambdas to differentiate have few calls left and no dead code
	PASS_check_uses,        // before anything is fused or moved
	PASS_unwind,
	PASS_map_loops,         // derivatives of maps need no logs
	PASS_simplify,          // values that maps give are known by one name
	PASS_scalarise,         // derivatives of scalars need no loops and logs
	PASS_differentiate,
	PASS_check_numbers,     // of derivatives too
	PASS_simplify,
	PASS_map_loops,         // of derivatives
	PASS_pass_parts,
	PASS_scalarise,
	PASS_cse,
	PASS_hoist,             // after bounds checks were simplified, which it would make harder
	PASS_cse,               // what came out of several bodies; equal inputs let more be fused
	PASS_split_sweeps,      // before fusion brings the two sweeps together
	PASS_early_reads,
	PASS_fuse,
	PASS_simplify,          // what fusion brought together, and the names it left
	PASS_reduce_accs,       // of nests as fused as they get
	PASS_cse,
	PASS_fuse,              // scans and indices of producers that the first round uncovered
	PASS_simplify,
};

static const PassId c[] = {
	PASS_gather_sums,
	PASS_keep_sums,
	PASS_direct_accs,       // not before threads get copies of small arrays to add to
	PASS_seq,
	PASS_simplify,          // rows of inputs become elements
	PASS_scalarise,         // accumulators over small arrays
	PASS_cse,
	PASS_fuse_loops,
	PASS_hoist,
	PASS_peel,
	PASS_lift_checks,       // after simplification left the checks that are needed
	PASS_simplify,
	PASS_dce,
	PASS_split_products,    // after all that fuses
	PASS_split_loops,       // after all that fuses
	PASS_strip_rows,
	PASS_overwrite,         // before drop_copies, for the copies it makes
	PASS_drop_copies,
	PASS_place, PASS_shortcircuit, PASS_reuse, PASS_hoist_alloc, PASS_double_buffer,
	PASS_stack_alloc, PASS_release,
};

// Around the passes of c.
static const PassId before_threads[] = {PASS_gather_sums, PASS_keep_sums, PASS_multicore,
                                        PASS_dce, PASS_simplify};
static const PassId after_threads[] = {PASS_split_copies, PASS_outline};

// The last ones, with threads or without.
static const PassId pieces[] = {PASS_split_functions};

// For devices, as far as arrays have no places yet.
static const PassId gpu[] = {
	PASS_split_flatmaps,
	PASS_keep_products,
	PASS_batch_sums,
	PASS_direct_accs,
	PASS_delay,
	PASS_flatten,
	PASS_dce,               // functions that no kernel calls
	PASS_simplify,
	PASS_local_accs,        // which sees the counters of loops in indices
	PASS_seq,               // what is inside of kernels
	PASS_simplify,
	PASS_fuse_scans,
	PASS_scalarise,
	PASS_cse,
	PASS_fuse_loops,
	PASS_hoist,
	PASS_simplify,
	PASS_chain_sums,
	PASS_jam,
	PASS_cse,               // what these folds have in common
	PASS_simplify,
	PASS_fuse_kernels,
	PASS_cse,               // likewise, kernels
	PASS_simplify,
	PASS_dce,
	PASS_drop_copies,
	PASS_loop_threads,      // after kernels were fused
	PASS_simplify,          // names that it left
	PASS_one_thread,
	PASS_sink,
	PASS_defer,
	PASS_sink,              // what results need no more
	PASS_product_kernels,
	PASS_split_folds,
	PASS_coalesce,
};

// After those.
static const PassId gpu_mem[] = {
	PASS_place, PASS_shortcircuit, PASS_reuse, PASS_hoist_alloc, PASS_double_buffer,
	PASS_expand, PASS_release, PASS_outline,
};

#define PIPELINE(ids) {(ids), (int)(sizeof(ids) / sizeof *(ids))}
const Pipeline pipeline_standard = PIPELINE(standard);
const Pipeline pipeline_checked = PIPELINE(checked);
const Pipeline pipeline_soac = PIPELINE(soac);
const Pipeline pipeline_c = PIPELINE(c);
const Pipeline pipeline_multicore = PIPELINE(before_threads);
const Pipeline pipeline_gpu = PIPELINE(gpu);
const Pipeline pipeline_gpu_mem = PIPELINE(gpu_mem);
const Pipeline pipeline_outline = PIPELINE(after_threads);
static const Pipeline pipeline_pieces = PIPELINE(pieces);

// Not in memory that passes may free.
Pipeline pipeline_sequential(void)
{
	enum { N = sizeof soac / sizeof *soac };
	static PassId all[N + 1];
	int n = 0;
	for (int i = 0; i < N; i++) {
		if (soac[i] == PASS_differentiate)
			all[n++] = PASS_lockstep;
		all[n++] = soac[i] == PASS_differentiate ? PASS_diff_in_order
		         : soac[i] == PASS_map_loops     ? PASS_map_diff_loops
		                                         : soac[i];
	}
	return (Pipeline){all, n};
}

Pipeline pipeline_of_backend(const char *backend)
{
	enum { MOST = 128 };
	static PassId all[3][MOST];
	bool threads = strcmp(backend, "multicore") == 0;
	bool cpu = threads || strcmp(backend, "c") == 0;
	const Pipeline none = {0}, parts[] = {
		cpu && !threads ? pipeline_sequential() : pipeline_soac,
		cpu ? threads ? pipeline_multicore : none : pipeline_gpu,
		cpu ? pipeline_c : pipeline_gpu_mem,
		threads ? pipeline_outline : none,
		cpu && !threads ? pipeline_pieces : none, // not of what threads share
	};
	PassId *at = all[threads ? 1 : cpu ? 0 : 2];
	int n = 0;
	for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++)
		for EACH(const PassId, id, parts[i]) {
			if (n + 1 > MOST)
				bug("too many passes for %s", backend);
			at[n++] = *id;
		}
	return (Pipeline){at, n};
}

const char *pipeline_fits(Pipeline pipeline, Stage *stage)
{
	for EACH(const PassId, id, pipeline) {
		const Pass *p = &passes[*id];
		if (!(p->takes & *stage))
			return text("The pass %s does not work at the stage %s.", p->name,
			            stage_name(*stage));
		*stage = p->gives ? p->gives : *stage;
	}
	return NULL;
}

bool pass_of_name(const char *name, PassId *id)
{
	for (int i = 0; i < N_PASS; i++)
		if (strcmp(passes[i].name, name) == 0) {
			*id = (PassId)i;
			return true;
		}
	return false;
}

// ---- Measures ----

static void count_body(Visit *v, Body *b)
{
	*(int *)v->ctx += b->stms.len;
	body_visit(b, v);
}

int prog_size(const Prog *prog)
{
	int n = 0;
	Visit v = {.body = count_body, .ctx = &n};
	for EACH(Fun *, f, prog->funs)
		count_body(&v, &(*f)->body);
	return n;
}

static bool is_trace(const Stm *s)
{
	return s->exp->form == E_trace;
}

bool exp_has_traces(const Exp *e)
{
	return traces_made && exp_find(e, is_trace);
}

bool prog_has_traces(const Prog *prog)
{
	return traces_made && prog_find(prog, is_trace);
}

static bool is_call(const Stm *s)
{
	return s->exp->form == E_call;
}

bool fun_has_calls(Fun *f)
{
	if (f->callless == f->body.stms.at)
		return false;
	if (body_find(&f->body, is_call))
		return true;
	f->callless = f->body.stms.at;
	return false;
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- Fuel ----

// The process-wide part of the runner: how many rewrites the running pass may still make, and
// how many all its runs have made.  One pass runs at a time.
static struct { int64_t left, made; } fuel = {INT64_MAX, 0};

bool may_rewrite(void)
{
	if (fuel.left <= 0)
		return false;
	fuel.left--;
	fuel.made++;
	return true;
}

typedef struct { bool (*holds)(const Body *, void *); void *ctx; bool found; } AnyBody;

static void any_body(Visit *v, Body *b)
{
	AnyBody *a = v->ctx;
	a->found = a->found || a->holds(b, a->ctx);
	for (int i = 0; !a->found && i < b->stms.len; i++)
		if (form_has(b->stms.at[i].exp->form, FORM_NEST))
			exp_visit(b->stms.at[i].exp, v);
}

bool fun_any_body(const Fun *f, bool (*holds)(const Body *, void *), void *ctx)
{
	AnyBody a = {holds, ctx, false};
	Visit v = {.body = any_body, .ctx = &a};
	any_body(&v, (Body *)&f->body); // a walk: writes nothing
	return a.found;
}

void fun_same_body(Fun *f, Body old)
{
	if (f->simple == old.stms.at)
		f->simple = f->body.stms.at;
	if (f->lean == old.stms.at)
		f->lean = f->body.stms.at;
	if (f->distinct == old.stms.at)
		f->distinct = f->body.stms.at;
	if (f->reduced == old.stms.at)
		f->reduced = f->body.stms.at;
	if (f->callless == old.stms.at)
		f->callless = f->body.stms.at;
}

void fun_new_callees(Fun *f, const Map *funs)
{
	if (!fun_has_calls(f))
		return;
	Body old = f->body;
	Visit callees = {.funs = funs, .copy = true};
	body_visit(&f->body, &callees);
	fun_same_body(f, old);
}

void fun_rewrite(Fun *f, Visit *v)
{
	Body old = f->body;
	int64_t before = fuel.made;
	v->body(v, &f->body);
	if (fuel.made == before)
		fun_same_body(f, old);
}

Prog *prog_rewrite(Prog *prog, Visit *v)
{
	for EACH(Fun *, f, prog->funs)
		fun_rewrite(*f, v);
	return prog;
}

Prog *prog_rewrite_where(Prog *prog, StmTest *test, const Visit *v)
{
	if (!prog_find(prog, test))
		return prog;
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Visit calling = *v;
	calling.funs = &funs;
	for EACH(Fun *, f, out->funs)
		if (body_find(&(*f)->body, test))
			fun_rewrite(*f, &calling);
		else
			fun_new_callees(*f, &funs);
	return out;
}

typedef struct { StmTest *test; Build *b; StmRewrite *rewrite; void *ctx; } OneByOne;

static void rewrite_stms(Visit *v, Body *body)
{
	const OneByOne *o = v->ctx;
	b_open(o->b);
	for EACH(Stm, old, body->stms) {
		Stm s = *old;
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		o->b->where = s.where;
		if (!o->test(&s) || !o->rewrite(o->ctx, &s))
			b_emit(o->b, s);
	}
	*body = b_close(o->b, body->res);
}

Prog *prog_rewrite_stms(Prog *prog, StmTest *test, Build *b, StmRewrite *rewrite, void *ctx)
{
	OneByOne o = {test, b, rewrite, ctx};
	Visit v = {.body = rewrite_stms, .copy = true, .ctx = &o};
	return prog_rewrite_where(prog, test, &v);
}

// ---- The runner ----

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
	bug("after the pass %s: %s\nThe program before the pass is in bug.core.", pass->name, why);
}

static void report(const Pass *pass, const PassOptions *o, double time, size_t memory, int before,
                   int after, int64_t rewrites)
{
	if (!o->time && !o->stats)
		return;
	fprintf(stderr, "%-12s", pass->name);
	if (o->time)
		fprintf(stderr, " %9.3f ms %7.2f MiB", time * 1e3, (double)memory / (1 << 20));
	if (o->stats)
		fprintf(stderr, " %8d -> %d statements, %lld rewrites", before, after,
		        (long long)rewrites);
	fputc('\n', stderr);
}

PassMemory pass_memory(void)
{
	return (PassMemory){.fence = mem_fence(), .n_vars = n_vars};
}

// So much that moving the program costs little beside what filled it, and so little that most of it
// is still in the cache when it is used again.
static bool is_full(const PassMemory *m)
{
#ifdef RAIDO_HOSTILE
	return m != NULL;
#else
	enum { LEAST = 8 << 20, TIMES = 4 };
	size_t used = m ? mem_used() - m->fence.total : 0;
	return used > LEAST && used > TIMES * m->kept;
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
	int64_t left = fuel.left, made = fuel.made;
	fuel.left = INT64_MAX;
	running = &passes[id];
	Prog *after = passes[id].run(prog);
	for (int i = 0; after != prog && i < passes[id].then.len; i++)
		after = run_other(passes[id].then.at[i], after);
	running = outer;
	fuel.left = left;
	fuel.made = made;
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
	fuel.left = left ? *left : INT64_MAX;
	fuel.made = 0;
	double start = o->time ? seconds() : 0; // the system's answer takes longer than many passes
	size_t used = mem_used();
	Prog *after = pass->run(prog);
	double time = o->time ? seconds() - start : 0;
	used = mem_used() - used;
	running = NULL;
	if (left)
		*left = fuel.left;
	fuel.left = INT64_MAX;
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
		if (is_full(o->memory))
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
	return prog;
}
