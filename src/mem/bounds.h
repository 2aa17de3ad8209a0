// Bounds of integers that the threads of a kernel compute, as host code before the kernel.
#ifndef RAIDO_BOUNDS_H
#define RAIDO_BOUNDS_H
#include "mem/pass.h"

// What is known of a kernel, or of a loop in it that the host repeats (bounds.c).
typedef struct KernelBounds KernelBounds;
KernelBounds *kernel_bounds(const Exp *kernel);
// An operand known before the kernel that the integer n does not exceed wherever it is computed;
// its statements go to the builder.  False: there is none.
bool bound_before(KernelBounds *, Build *, Sub n, Sub *out);
#endif
