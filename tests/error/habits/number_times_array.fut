-- A number times an array.
-- at 6
-- ==
-- error: "map \(\\x -> 2 \* x\) a"

def f (a: []f64) = 2 * a
