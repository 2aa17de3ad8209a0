// What the files of the prover share.  See range.c.
#ifndef RAIDO_PROVER_H
#define RAIDO_PROVER_H
#include "opt/lin.h"
#include "opt/range.h"

enum { STEPS = 240 };                           // that a proof may take
typedef enum { EXACT, WRAPPED } Mode;           // see Note [Wrapping]
// The number that an operand holds; for i64 and WRAPPED one that differs by a multiple of 2^64.
Lin  lin_of(Range *, Sub, Mode, int depth);
Lin  lin_operand(Range *, const Exp *prim, int i);
bool proves_lin(Range *, Lin);                  // that it is not negative
#endif
