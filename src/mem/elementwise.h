// Loops that may work in the memory they read.
#ifndef RAIDO_ELEMENTWISE_H
#define RAIDO_ELEMENTWISE_H
#include "core/core.h"

// Could the arrays in the block `to` lie at the place `from` instead, as far as this for-loop is
// concerned?  It reads in the block of `from` nothing but elements at that place.  by_block: what
// stms_by_block gives for its body; scalars: as scalars_of gives them.
bool elementwise(const Exp *loop, const Map *by_block, const MemLoc *from, Var to,
                 const Map *scalars);
#endif
