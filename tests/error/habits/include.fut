-- A directive of C.
-- at 6
-- ==
-- error: a file is imported by its path

#include <math.h>
def f (x: f64) = x
