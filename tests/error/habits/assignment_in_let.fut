-- A let that subtracts.
-- at 6
-- ==
-- error: "let x = x - \.\.\."

def f (s: f64) (x: f64) = let s -= x in s
