// What a loop around kernels is made of (loop_threads_parts.c).
#ifndef RAIDO_LOOP_THREADS_H
#define RAIDO_LOOP_THREADS_H
#include "opt/opt.h"

enum { MOST_LEVELS = 3 };                       // of kernels

typedef struct { bool *has; int n; } ScalarLoop; // which parameters of a loop, and how many

bool find_space(const Exp *loop, Subs *space);
bool is_scalar_code(const Stm *);               // on the host: it cannot fail
// The part that needs no threads.  False: a scalar depends on more than scalars.
bool find_scalars(const Exp *loop, ScalarLoop *);
void emit_scalars(Build *, const Stm *loop, const ScalarLoop *); // a loop of that alone
#endif
