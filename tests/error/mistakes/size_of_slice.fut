-- Size of slice.
-- at 6
-- ==
-- error: unknown length of slice at

def f [n] (xs: [n]i32) = zip xs xs[::2]
