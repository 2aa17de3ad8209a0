-- Rows that are gone through again and again are done in strips: two loops lay the rows out, one goes through
-- the strips, one through their rows, and the three of the nest are there once more for what is too short.
-- structure soac,seq,simplify: loop 3
-- structure soac,seq,simplify,strip_rows: loop 10, scratch 3, if 1
-- ==
-- input { [[0.0, 3.0], [4.0, 1.0]] [[0.0, 0.0], [4.0, 3.0]] } output { 13.0 }
-- input { empty([0][2]f64) [[1.0, 1.0]] } output { 0.0 }
entry main [n] [k] [d] (xs: [n][d]f64) (ys: [k][d]f64) : f64 =
  let distance a b = f64.sum (map2 (\x y -> (x - y) * (x - y)) a b)
  in f64.sum (map (\x -> f64.minimum (map (distance x) ys)) xs)
