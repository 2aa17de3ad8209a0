-- A name of a loop's pattern is no size of the same pattern.
-- at 6
-- ==
-- error: Unknown name "m"

def f (n: i64) = loop (m, xs: [m]i64) = (n, iota n) for _i < 3i32 do (m, xs)
