-- A row in h parts of e / h elements each: h times that is at most e, so no index of a part is checked.  Without rounding
-- down, it is.
-- structure soac: assert 4
-- ==
-- entry: parts
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64] [10i64, 20i64, 30i64] } output { [13i64, 27i64, 41i64] }
-- input { [1i64, 2i64] empty([0]i64) } error: division by zero

-- ==
-- entry: beyond
-- input { [1i64, 2i64, 3i64, 4i64] [10i64, 20i64] } output { [13i64, 27i64] }
-- input { [1i64, 2i64, 3i64] [10i64, 20i64] } error: Index \[3\] out of bounds
entry parts [e] [h] (xs: [e]i64) (ws: [h]i64) : [h]i64 =
  let d = e / h
  in map2 (\i w -> w + i64.sum (map (\c -> xs[i * d + c]) (iota d))) (iota h) ws

entry beyond [e] [h] (xs: [e]i64) (ws: [h]i64) : [h]i64 =
  let d = (e + 1) / h
  in map2 (\i w -> w + i64.sum (map (\c -> xs[i * d + c]) (iota d))) (iota h) ws
