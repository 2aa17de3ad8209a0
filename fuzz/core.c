// Textual core: what parses prints, and parses again to what prints the same; the checker
// answers without crashing, and what it accepts the optimiser takes.
#include "fuzz.h"
#include "pass/pass.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static Prog *parsed(const char *text, size_t len)
{
	Source *s = source_add("fuzz.core", text, len);
	return s ? core_parse(s) : NULL;
}

static int run(void *arg)
{
	const Str *in = arg;
	Prog *p = parsed(in->at, in->len);
	if (!p || diag_count(D_ERROR)) {
		fuzz_print_diags();
		return 0;
	}
	const char *once = show_prog(p);
	Prog *again = parsed(once, strlen(once));
	MUST(again && !diag_count(D_ERROR), "printed core does not parse");
	MUST(!core_check(p) == !core_check(again), "the printed program differs");
	if (!core_check(p))
		run_passes(p, pipeline_standard, &(PassOptions){.check = CHECK_EACH});
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= 20000)
		fuzz_run(run, data, size);
	return 0;
}
