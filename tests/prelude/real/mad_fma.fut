-- Multiply and add; fma rounds once.
-- ==
-- entry: mad
-- input { 2.0 3.0 4.0 } output { 10.0 }
entry mad (a: f64) (b: f64) (c: f64) = f64.mad a b c

-- ==
-- entry: fma
-- input { 2.0 3.0 4.0 } output { 10.0 }
entry fma (a: f64) (b: f64) (c: f64) = f64.fma a b c

-- (1 + e)^2 - 1 - 2e is e^2 exactly, when nothing is rounded on the way.
-- ==
-- entry: once
-- input { } output { true }
entry once = let e = f64.epsilon in f64.fma (1 + e) (1 + e) (-1 - 2 * e) == e * e
