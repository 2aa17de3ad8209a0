// Which arrays statements consume; see consumed.c.
#ifndef RAIDO_CONSUMED_H
#define RAIDO_CONSUMED_H
#include "core/core.h"

Map consumed_among(Stms, Vars arrays);          // a set; keys: var_key
#endif
