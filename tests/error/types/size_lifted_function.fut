-- A size-lifted type has no functions.
-- at 6
-- ==
-- error: may not contain functions

type~ t = i32 -> i32
