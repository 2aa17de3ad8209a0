-- The same map twice.
-- structure soac: screma 1, screma.reduce 1
-- ==
-- input { [1i32, 2i32] } output { 12i32 }
entry main (xs: []i32) : i32 =
  let f (ys: []i32) = i32.sum (map (* 2) ys)
  in f xs + f xs
