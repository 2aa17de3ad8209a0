// Names of the values and sizes of entry points (entry.c).
#ifndef RAIDO_ENTRY_H
#define RAIDO_ENTRY_H
#include "core/core.h"

// A size, the flat argument that it is (-1: none), and whether the arguments tell it.
typedef struct { const char *name; Var var; int value; bool known; } EntrySize;
typedef VEC(EntrySize) EntrySizes;

const char *entry_value_name(const Fun *, int value); // the argument, or p.x, a part of it
int entry_size(const EntrySizes *, Sub);        // its number, or -1: a constant
// Those of the type of a value; `values` are the flat arguments.
void entry_add_sizes(EntrySizes *, const Fun *, Vars values, const Type *, bool known);
const char *entry_dims(const EntrySizes *, const Type *); // "[n][3]"
#endif
