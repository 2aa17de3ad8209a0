-- Sizes of the results of local functions.
-- ==
-- input { 2i64 } output { [0i64, 1i64] [0i64, 1i64] [0i64, 1i64, 2i64] }
entry main (n: i64) : ([n]i64, [n]i64, [n + 1]i64) =
  let f m = iota m
  let g = \m -> iota m
  let h (k: i64) = let j = k + 1 in iota j
  in (f n, g n, h n)
