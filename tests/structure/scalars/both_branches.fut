-- What both branches compute is computed before.
-- structure soac: prim 3, if 1
-- ==
-- input { 2f64 true } output { 8.38905609893065f64 }
entry main (x: f64) (b: bool) : f64 = if b then f64.exp x + 1 else f64.exp x - 1
