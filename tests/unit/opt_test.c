// Tests of the passes over core: dead code.
#include "pass/pass.h"
#include "unit.h"

static void check_pass(int line, PassId pass, const char *before, const char *after)
{
	vars_reset(1);
	diag_reset();
	Prog *prog = core_parse(source_add("test.core", before, strlen(before)));
	if (!prog) {
		failed++;
		printf("%s:%d: does not parse\n", __FILE__, line);
		diag_print(stdout, false);
		return;
	}
	PassOptions o = {.check = CHECK_EACH};
	const char *got = show_prog(run_passes(prog, (Pipeline){&pass, 1}, &o));
	if (strcmp(got, after) == 0) {
		passed++;
		return;
	}
	failed++;
	printf("%s:%d: got:\n%s\nexpected:\n%s\n", __FILE__, line, got, after);
}
#define DCE(before, after) check_pass(__LINE__, PASS_dce, before, after)

static void test_dce(void)
{
	DCE("fun f (x_1: f64) : (r_2: f64) = {\n"
	    "  let (a_3: f64) = sin.f64 x_1\n"
	    "  let (b_4: f64) = cos.f64 a_3\n"
	    "  in x_1\n"
	    "}\n",
	    "fun f (x_1: f64) : (r_2: f64) = {x_1}\n");
	// Sizes in types keep what makes them.
	DCE("fun f (n_1: i64, x_2: f64) : (k_3: i64, r_4: f64) = {\n"
	    "  let (m_5: i64) = add.i64 n_1 1\n"
	    "  let (ys_6: [m_5]f64) = replicate [m_5] x_2\n"
	    "  in n_1, x_2\n"
	    "}\n",
	    "fun f (n_1: i64, x_2: f64) : (k_3: i64, r_4: f64) = {n_1, x_2}\n");
	DCE("fun f (n_1: i64, x_2: f64) : (r_3: f64) = {\n"
	    "  let (m_4: i64) = add.i64 n_1 1\n"
	    "  let (ys_5: [m_4]f64) = replicate [n_1] x_2\n"
	    "  let (y_6: f64) = index ys_5 [0]\n"
	    "  in y_6\n"
	    "}\n",
	    "fun f (n_1: i64, x_2: f64) : (r_3: f64) = {\n"
	    "  let (m_4: i64) = add.i64 n_1 1\n"
	    "  let (ys_5: [m_4]f64) = replicate [n_1] x_2\n"
	    "  let (y_6: f64) = index ys_5 [0]\n"
	    "  in y_6\n"
	    "}\n");
	// A check goes with what it protects; one that stands alone stays.
	DCE("fun f (c_1: bool, d_2: bool, x_3: f64) : (r_4: f64) = {\n"
	    "  let (k_5: cert) = assert c_1 (\"c\")\n"
	    "  let (l_6: cert) = assert d_2 (\"d\")\n"
	    "  let (y_7: f64) = #{k_5} sin.f64 x_3\n"
	    "  in x_3\n"
	    "}\n",
	    "fun f (c_1: bool, d_2: bool, x_3: f64) : (r_4: f64) = {\n"
	    "  let (l_6: cert) = assert d_2 (\"d\")\n"
	    "  in x_3\n"
	    "}\n");
	// Nested bodies are swept; traces stay wherever they are.
	DCE("fun g (x_1: f64) : (r_2: f64) = {\n"
	    "  let (y_3: f64) = trace \"g\" (x_1)\n"
	    "  in y_3\n"
	    "}\n\n"
	    "fun f (c_4: bool, x_5: f64) : (r_6: f64) = {\n"
	    "  let (z_7: f64) = if c_4 then {\n"
	    "    let (a_8: f64) = sin.f64 x_5\n"
	    "    let (b_9: f64) = call g (x_5)\n"
	    "    in x_5\n"
	    "  } else {x_5}\n"
	    "  let (w_10: f64) = if c_4 then {\n"
	    "    let (a_11: f64) = sin.f64 x_5\n"
	    "    in a_11\n"
	    "  } else {x_5}\n"
	    "  in x_5\n"
	    "}\n",
	    "fun g (x_1: f64) : (r_2: f64) = {\n"
	    "  let (y_3: f64) = trace \"g\" (x_1)\n"
	    "  in y_3\n"
	    "}\n\n"
	    "fun f (c_4: bool, x_5: f64) : (r_6: f64) = {\n"
	    "  let () = if c_4 then {\n"
	    "    let (b_9: f64) = call g (x_5)\n"
	    "    in\n"
	    "  } else {}\n"
	    "  in x_5\n"
	    "}\n");
	// Functions that no entry point reaches; a recursive one that is reached.
	DCE("fun unused (x_1: f64) : (r_2: f64) = {x_1}\n\n"
	    "fun rec (x_3: f64) : (r_4: f64) = {\n"
	    "  let (y_5: f64) = call rec (x_3)\n"
	    "  in y_5\n"
	    "}\n\n"
	    "entry \"main\" (\"x\": prim f64 \"f64\" 1) : prim f64 \"f64\" 1\n"
	    "fun main (x_6: f64) : (r_7: f64) = {\n"
	    "  let (y_8: f64) = call rec (x_6)\n"
	    "  in y_8\n"
	    "}\n",
	    "fun rec (x_3: f64) : (r_4: f64) = {\n"
	    "  let (y_5: f64) = call rec (x_3)\n"
	    "  in y_5\n"
	    "}\n\n"
	    "entry \"main\" (\"x\": prim f64 \"f64\" 1) : prim f64 \"f64\" 1\n"
	    "fun main (x_6: f64) : (r_7: f64) = {\n"
	    "  let (y_8: f64) = call rec (x_6)\n"
	    "  in y_8\n"
	    "}\n");
}

// Each pass of a back end takes what the one before it gives.
static void test_pipelines(void)
{
	static const char *const backends[] = {"c", "multicore", "gpu"};
	for (int i = 0; i < 3; i++) {
		Stage stage = STAGE_SOAC;
		const char *why = pipeline_fits(pipeline_of_backend(backends[i]), &stage);
		CHECK_TEXT(why ? why : "", "");
		CHECK(stage == STAGE_MEM);
	}
	static const PassId wrong[][2] = {{PASS_place, PASS_reuse}, {PASS_seq, PASS_fuse},
	                                  {PASS_seq, PASS_reuse}, {PASS_simplify, PASS_peel}};
	static const char *const said[] = {
		"The pass place does not work at the stage soac.",
		"The pass fuse does not work at the stage loop.",
		"The pass reuse does not work at the stage loop.",
		"The pass peel does not work at the stage soac.",
	};
	for (int i = 0; i < 4; i++) {
		Stage stage = STAGE_SOAC;
		const char *why = pipeline_fits((Pipeline){wrong[i], 2}, &stage);
		CHECK_TEXT(why ? why : "", said[i]);
	}
}

int main(void)
{
	test_dce();
	test_pipelines();
	return report_counts();
}
