-- The second map needs the sum of the first: no fusion.
-- structure soac: screma 2, screma.reduce 1, screma.map 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { [13i32, 14i32, 15i32] }
entry main (xs: []i32) : []i32 =
  let ys = map (* 2) xs
  let s = i32.sum ys
  in map2 (\x y -> x + s + y * 0) xs ys
