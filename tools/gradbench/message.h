// One call of a function of a module, as the program sees it; modules go through tool.h.
#ifndef MESSAGE_H
#define MESSAGE_H
#include "tool.h"

#include <setjmp.h>

typedef struct Block Block;
struct Block { Block *next; _Alignas(16) char data[]; };

struct Call {
	const json_t *input;
	int64_t min_runs;
	double min_seconds;
	int64_t runs, spent;                    // so far; nanoseconds
	json_t *timings;
	json_t *output;                         // owned, or null
	char *error;                            // owned, or null
	Block *blocks;
	jmp_buf on_error;
};
#endif
