// What the files of the pass `fuse_kernels` share.
#ifndef RAIDO_FUSE_KERNELS_H
#define RAIDO_FUSE_KERNELS_H
#include "opt/opt.h"

enum { MAX_DEPTH = 4, MAX_STMS = 200, MAX_ARRAYS = 24, WINDOW = 60 };

// A nest: its body is that of the innermost loop, in which arrays are called params.
typedef struct {
	bool is_perfect;                        // with no scalars of the loops around
	int depth;
	Sub n[MAX_DEPTH];
	Var i[MAX_DEPTH];
	Vars pat, params;
	Subs inits;
	Body body;
	bool is_copy;                           // was no kernel
	bool rides;                             // has the space of another one: fuse_small.c
} Nest;

// ---- fuse_small.c ----

// The small nest over the space of the large one; false: it does not fit in.
bool ride_along(Nest *small, const Nest *large);
#endif
