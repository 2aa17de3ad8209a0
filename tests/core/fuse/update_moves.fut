-- An update of what the map reads moves behind the fused combinator.
-- structure soac: screma 1, update 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { [0i32, 2i32, 3i32] 12i32 }
entry main [n] (xs: *[n]i32) : (*[n]i32, i32) =
  let ys = map (* 2) xs
  let xs = xs with [0] = 0
  in (xs, i32.sum ys)
