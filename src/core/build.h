// What the files of the builder share.
#ifndef RAIDO_BUILD_H
#define RAIDO_BUILD_H
#include "core/core.h"

Sub  b_folded(Build *, Sub);                    // nothing is emitted, what it equals is given
bool b_same_types(Type, Type);                  // as they are written
#endif
