-- The array that the map reads is updated before the sum, which needs both: the map stays where it is.
-- structure soac: screma 2, update 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { 17i32 }
entry main [n] (xs: *[n]i32) : i32 =
  let ys = map (* 2) xs
  let xs = xs with [0] = 0
  in i32.sum (map2 (+) xs ys)
