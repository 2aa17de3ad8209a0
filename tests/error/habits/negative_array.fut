-- The negative of an array.
-- at 6
-- ==
-- error: "map \(\\x -> -x\) a"

def f (a: []f64) = -a
