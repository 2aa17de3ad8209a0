// What the parts of the core checker share.
#ifndef RAIDO_CHECK_CORE_H
#define RAIDO_CHECK_CORE_H
#include "core/core.h"

typedef struct {
	const Prog *prog;
	Map funs;                               // those of the program
	const Fun *fun;                         // what is being checked
	const Stm *stm;                         // innermost; NULL outside of statements
	jmp_buf env;
	const char *message;
	void *roots;                            // of each variable, see check_use.c
	void *places;                           // see check_mem.c
} Check;

// A rule is broken: ends the check.
NORETURN void core_wrong(Check *, const char *fmt, ...) PRINTF_LIKE(2, 3);

void core_check_types(Check *, const Fun *);     // check_types.c
void core_check_use(Check *, const Fun *);       // check_use.c
void core_check_places(Check *, const Fun *);    // check_mem.c, for the MEM stage
#endif
