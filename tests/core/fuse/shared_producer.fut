-- A producer with two consumers is computed once, with both.
-- structure soac: screma 1, screma.reduce 1
-- ==
-- input { [1i32, 5i32, 3i32] } output { 18i32 10i32 }
entry main (xs: []i32) : (i32, i32) =
  let ys = map (* 2) xs
  in (i32.sum ys, i32.maximum ys)
