-- Reverse mode finds the place of a minimum after the minimum.  Where rows are done in strips, one loop finds
-- both, and does not keep the values: the search and its array are only in the loop as it was.
-- structure soac,seq,simplify: loop 5, scratch 1
-- structure soac,seq,simplify,strip_rows: loop 13, scratch 5
-- ==
-- input { [[0.0, 3.0], [4.0, 1.0]] [[0.0, 0.0], [4.0, 3.0]] } output { [[0.0, -6.0], [0.0, 4.0]] }
entry main [n] [k] [d] (xs: [n][d]f64) (ys: [k][d]f64) : [k][d]f64 =
  let distance a b = f64.sum (map2 (\x y -> (x - y) * (x - y)) a b)
  in vjp (\ys -> f64.sum (map (\x -> f64.minimum (map (distance x) ys)) xs)) ys 1
