-- The import of what is built in.
-- at 6
-- ==
-- error: a path is relative to the file that imports it\.  What is built in needs no import:

import "math"
def f (x: f64) = x
