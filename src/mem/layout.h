// Memory layouts of views of arrays, for the passes of src/mem.
#ifndef RAIDO_LAYOUT_H
#define RAIDO_LAYOUT_H
#include "core/core.h"

Sub    count_of(Build *, Subs dims);            // number of elements
Subs   strides_of(Build *, Type);               // of an array in memory, written out
MemLoc loc_slice(Build *, Type, Slices);
MemLoc loc_rearrange(Build *, Type, const int *perm);
bool   loc_reshape(Build *, Type, Subs dims, MemLoc *out); // false: the array must be copied first
#endif
