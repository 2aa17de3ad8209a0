-- An array compared with a number.
-- at 6
-- ==
-- error: map \(\\x -> x > \.\.\.\) xs

def f (xs: []f64) = xs > 0
