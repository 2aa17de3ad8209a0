// What the files of the pass `one_thread` share: one_thread_early.c.
#ifndef RAIDO_ONE_THREAD_H
#define RAIDO_ONE_THREAD_H
#include "opt/alias.h"

bool has_elements(const Stm *);                 // a branch or loop that one thread can do
Stms write_early(Alias *, Stms);                // see Note [Early]
#endif
