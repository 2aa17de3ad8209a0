// What the files of hints for type errors share.
#ifndef CHECK_HINT_H
#define CHECK_HINT_H

#include "check/infer.h"

// ---- hint.c ----

bool is_number(const Ty *);             // of a type of numbers, or of one yet to be found
bool is_tuple(Ty *);                    // of one component at least
bool is_called(const Binding *, const char *name);
bool calls(const Binding *, const char *const *names);  // a definition with one of these names
int index_of_arg(const Why *);          // of the argument that does not fit; -1: none
const char *shown_args(const Exprs, int n, const char *between);

// ---- hint_prelude.c ----

// an argument does not fit a function of the prelude; false: no hint
bool hint_prelude(Diag *, const Why *, const Binding *f, Ty *want, Ty *have);
bool hint_map(Diag *, const Binding *f, int n_args);

#endif
