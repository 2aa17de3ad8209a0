-- A file, as C includes it.
-- at 6
-- ==
-- error: a file is imported by its path: import "path/to/file"; functions of numbers are built in: f64\.sin, f64\.sum\.

include "x.fut"
