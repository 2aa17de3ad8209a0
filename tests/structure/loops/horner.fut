-- A loop over the elements of an array has no check.
-- structure soac: assert 0
-- structure soac,c: loop 1, alloc 0
-- ==
-- input { 2f64 [1f64, 2f64, 3f64] } output { 11.0f64 }
entry main [n] (x: f64) (cs: [n]f64) : f64 = loop r = 0 for i < n do r * x + cs[i]
