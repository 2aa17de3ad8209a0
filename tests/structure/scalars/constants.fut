-- Constants are folded.
-- structure soac: prim 1
-- ==
-- input { 2f64 } output { 18.0f64 }
entry main (x: f64) : f64 = x * (f64.sqrt 16 + 2 ** 3 - f64.i32 (7 / 2))
