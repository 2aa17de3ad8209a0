-- An entry point that gives functions in a tuple.
-- at 6
-- ==
-- error: Entry point functions may not be higher-order

entry g (x: i32) = (x, \y -> x + y + 0i32)
