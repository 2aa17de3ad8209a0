-- Several producers go into one consumer.
-- structure soac: screma 1
-- structure soac,c: loop 1, alloc 0
-- ==
-- input { [1i32, 2i32] [3i32, 4i32] } output { 32i32 }
entry main [n] (xs: [n]i32) (ys: [n]i32) : i32 =
  let a = map (+ 1) xs
  let b = map (* 2) ys
  let c = map2 (-) xs ys
  in i32.sum (map3 (\x y z -> x * y + z) a b c)
