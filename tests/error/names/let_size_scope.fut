-- A size bound by let is not in scope in the value.
-- at 6
-- ==
-- error: Unknown name "n"

def f (xs: []i32) = let [n] (ys: [n]i32) = (xs :> [n]i32) in ys[n - 1]
