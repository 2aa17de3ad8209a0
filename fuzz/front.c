// The front end: any bytes as a program.  It is parsed and checked; without an error it is
// lowered, the core is checked and optimised.  Whatever the input, nothing may crash, hang or
// call bug().
#include "fuzz.h"
#include "lower/lower.h"
#include "pass/pass.h"

static int run(void *arg)
{
	const Str *in = arg;
	Program *p = load_text("fuzz.fut", in->at, in->len, (LoadOptions){0});
	if (p && !p->failed) {
		Prog *core = lower_program(p, &(LowerOptions){0});
		const char *wrong = core ? core_check(core) : NULL;
		if (wrong)
			bug("core after lowering: %s", wrong);
		if (core)
			run_passes(core, pipeline_standard, &(PassOptions){.check = CHECK_EACH});
	}
	fuzz_print_diags();
	return 0;
}

static int keep(void *arg)
{
	(void)arg;
	prelude_keep();
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return with_big_stack((size_t)1 << 28, keep, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= 20000)
		fuzz_run(run, data, size);
	return 0;
}
