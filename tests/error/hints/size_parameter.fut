-- A size that is no parameter.
-- at 6
-- ==
-- error: Unknown name "n".*size is a parameter too: "def f \[n\]

def f (xs: [n]i32) : i32 = xs[0]
