-- A size parameter of a type must be a size in it.
-- at 6
-- ==
-- error: Size parameter "\[n\]" unused

type t [n] = i32
