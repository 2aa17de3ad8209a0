// Which statements of a list mention a variable; see mention.c.
#ifndef RAIDO_MENTION_H
#define RAIDO_MENTION_H
#include "core/core.h"

typedef VEC(int) StmNumbers;                    // numbers of statements, in order
Map stms_by_mention(Stms);                      // by variable, also in nested bodies: StmNumbers *
// By block of memory, those that mention it or an array in it.
Map stms_by_block(Stms);
// From now on what is in one block is in the other.
void merge_mentions(Map *by_block, Var from, Var into);
const StmNumbers *stms_with(const Map *by_mention, Var);
#endif
