// The table of passes, and the pipelines.
#include "pass/pass.h"

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
	PASS_turn_folds,
	PASS_split_counters,    // few columns are unrolled next
	PASS_scalarise,         // derivatives of scalars need no loops and logs
	PASS_hoist_slices,       // all rows add to one adjoint
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
	PASS_join_looping_sweeps, // devices: one of two may become a nest next
	PASS_reduce_accs,       // of nests as fused as they get
	PASS_cse,
	PASS_join_sweeps,       // after what becomes of accumulators alone is known
	PASS_join_twins,        // in the rows of these too
	PASS_fuse,              // scans and indices of producers that the first round uncovered
	PASS_simplify,
};

static const PassId c[] = {
	PASS_hoist_parts,
	PASS_gather_sums,
	PASS_keep_sums,
	PASS_nest_flat,         // after stencils of flat arrays were gathered
	PASS_join_looping_sweeps, // what is no nest by then
	PASS_direct_accs,       // not before threads get copies of small arrays to add to
	PASS_row_sums,          // what AD and direct_accs let loops add to at once
	PASS_delay_in_rows,     // after all that changes which rows there are
	PASS_seq,
	PASS_simplify,          // rows of inputs become elements
	PASS_scalarise,         // accumulators over small arrays
	PASS_cse,
	PASS_fuse_loops,
	PASS_split_counters,    // what divides no longer depends on columns
	PASS_hoist,
	PASS_peel,
	PASS_join_calls,
	PASS_both_branches,     // where no function is in both
	PASS_simplify,
	PASS_hoist,             // checks that were in branches, before loops without them are split
	PASS_lift_checks,       // after simplification left the checks that are needed
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
static const PassId before_threads[] = {PASS_hoist_parts, PASS_gather_sums, PASS_keep_sums,
                                        PASS_nest_flat, PASS_join_looping_sweeps, PASS_multicore,
                                        PASS_dce, PASS_simplify};
static const PassId after_threads[] = {PASS_split_copies, PASS_outline};

// The last ones, with threads or without.
static const PassId pieces[] = {PASS_split_functions};

// For devices, as far as arrays have no places yet.
static const PassId gpu[] = {
	PASS_gather_kernel_sums,
	PASS_late_sums,         // before what fusion would bring together again
	PASS_split_flatmaps,
	PASS_keep_products,
	PASS_batch_sums,
	PASS_order_sums,        // before loops on the host add to arrays in place
	PASS_direct_accs,
	PASS_sink_hists, PASS_sink_maps, // after what makes reductions of accumulations
	PASS_nest_sums,
	PASS_lift_nests,        // after all that changes which reductions there are
	PASS_delay,
	PASS_pair_rows,
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
	PASS_drop_copies,
	PASS_simplify,          // arrays that loops only carry are known by one name
	PASS_dce,
	PASS_loop_threads,      // after kernels were fused
	PASS_simplify,          // names that it left
	PASS_one_thread,
	PASS_sink,
	PASS_defer,
	PASS_sink,              // what results need no more
	PASS_one_block,         // kernels as they are in the end
	PASS_branch_loads,
	PASS_product_kernels,
	PASS_split_folds,
	PASS_coalesce,
	PASS_carry_rows,        // of copies that no kernel does along with its work
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

// What processors begin with: soac, with loops in lockstep, sums by large arrays, and derivatives
// in order, with threads those of rows of combinators.
static Pipeline soac_of_processor(bool threads)
{
	enum { N = sizeof soac / sizeof *soac };
	static PassId all[2][N + 1];    // not in memory that passes may free
	PassId *at = all[threads];
	int n = 0;
	for (int i = 0; i < N; i++) {
		if (soac[i] == PASS_join_looping_sweeps)        // later, in `c`
			continue;
		if (soac[i] == PASS_differentiate)
			at[n++] = PASS_lockstep;
		at[n++] = soac[i] == PASS_reduce_accs   ? PASS_reduce_row_accs
		        : soac[i] == PASS_differentiate ? threads ? PASS_diff_in_rows
		                                                : PASS_diff_in_order
		        : threads                       ? soac[i]
		        : soac[i] == PASS_map_loops     ? PASS_map_diff_loops
		                                        : soac[i];
	}
	return (Pipeline){at, n};
}

Pipeline pipeline_sequential(void)
{
	return soac_of_processor(false);
}

Pipeline pipeline_of_backend(const char *backend)
{
	enum { MOST = 128 };
	static PassId all[3][MOST];
	bool threads = strcmp(backend, "multicore") == 0;
	bool cpu = threads || strcmp(backend, "c") == 0;
	const Pipeline none = {0}, parts[] = {
		cpu ? soac_of_processor(threads) : pipeline_soac,
		cpu ? threads ? pipeline_multicore : none : pipeline_gpu,
		cpu ? pipeline_c : pipeline_gpu_mem,
		threads ? pipeline_outline : none,
		cpu ? pipeline_pieces : none, // regions are functions by then
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
