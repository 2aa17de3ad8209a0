-- What is returned too stays a result of the fused combinator.
-- structure soac: screma 1, screma.reduce 1
-- ==
-- input { [1i32, 5i32, 3i32] } output { [2i32, 10i32, 6i32] 18i32 }
entry main (xs: []i32) : ([]i32, i32) =
  let ys = map (* 2) xs
  in (ys, i32.sum ys)
