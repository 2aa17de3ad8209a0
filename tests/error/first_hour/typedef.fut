-- A type as in C.
-- at 6
-- ==
-- error: a type is named by "type t = f64"\.

typedef double real;
