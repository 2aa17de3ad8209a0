-- Sizes of arrays without elements, of which no array has both, may have a product that is small modulo
-- 2^64.  The gradient of a flat map over so many rows is a nest of these sizes, which read behind its
-- arrays or did not end; now that is an error.  Interpreted, it is a flat map.
-- ==
-- entry: main
-- input { empty([2][0]f64) empty([3][0]f64) [2.0, 3.0] } output { [2.414213562373095, 5.968118765376462] }
-- input { empty([0][0]f64) empty([3][0]f64) [2.0, 3.0] } output { [0.0, 0.0] }
-- input { empty([2][0]f64) empty([0][0]f64) [2.0, 3.0] } output { [0.0, 0.0] }
-- compiled input { empty([32648914112295524][0]f64) empty([64370272715786153][0]f64) [2.0] } error: too large
-- compiled input { empty([4294967296][0]f64) empty([4294967296][0]f64) [2.0] } error: too large

entry main [a] [d] (_: [a][0]f64) (_: [d][0]f64) (ws: []f64) : []f64 =
  let n = a * d
  let xs = map (\c -> f64.sqrt (f64.i64 c)) (iota n)
  in vjp (\ws -> f64.sum (map2 (\c x -> ws[c / d] * x) (iota n) xs)) ws 1
