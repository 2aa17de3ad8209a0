-- A size that the loop parameter declares must be kept.
-- ==
-- error: Loop body does not have expected type
def f (n: i64) = loop (xs: [n]i64) = iota n for _i < 3i32 do xs ++ [1]
