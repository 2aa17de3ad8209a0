-- An array compared with a number.
-- at 6
-- ==
-- error: "map \(\\x -> x == 0\) a"

def f (a: []f64) = a == 0
