// Sums over the iterations of a host loop that become products of matrices after it: the pass
// `batch_sums` (batch_sums.c, batch_outer.c).
#ifndef RAIDO_BATCH_H
#define RAIDO_BATCH_H
#include "opt/opt.h"

// Does it go through 0, .., n - 1 as the loop's counter does?  defs: variable -> Exp *, of the host
bool is_row_of_loop(const Map *defs, const Stm *loop, Sub);

// batch_outer.c: false: there is nothing to do.
bool batch_outer_loop(const Map *defs, Build *, const Stm *loop);
#endif
