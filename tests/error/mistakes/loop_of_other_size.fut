-- Loop of other size.
-- at 6
-- ==
-- error: Initial loop values do not have expected type

def f (xs: [3]i32) = loop (ys: [4]i32) = xs for _i < 3i32 do ys
