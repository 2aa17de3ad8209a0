// What the targets share: an input is run on a large stack, in memory that is taken back.
//
// A target defines LLVMFuzzerTestOneInput and, where it needs the prelude,
// LLVMFuzzerInitialize.  It is linked with libFuzzer and mutator.c by `make fuzz`, and with
// replay.c by `make check`, which runs the inputs kept in corpus/.
#ifndef RAIDO_FUZZ_H
#define RAIDO_FUZZ_H
#include "core/core.h"

#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Runs `f` on a copy of the bytes that ends with a zero byte, a Str.
static inline void fuzz_run(int (*f)(void *), const uint8_t *data, size_t size)
{
	MemMark mark = mem_mark();
	int sources = sources_mark();
	uint32_t variables = n_vars;
	Str in = {0};
	str_putn(&in, (const char *)data, size);
	str_text(&in);
	if (!in.at)
		in.at = (char *)"";
	with_big_stack((size_t)1 << 28, f, &in);
	diag_reset();
	vars_reset(variables);
	sources_release(sources);
	mem_release(mark);
}

// Renders what was reported, as the command line does.
static inline void fuzz_print_diags(void)
{
	FILE *f = fopen("/dev/null", "w");
	if (!f)
		return;
	diag_print(f, true);
	fclose(f);
}

#define MUST(cond, what) \
	do { \
		if (!(cond)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, what); \
			abort(); \
		} \
	} while (0)
#endif
