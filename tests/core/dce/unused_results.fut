-- Of three results of a map one is used.
-- structure soac: screma 1, prim 1
-- ==
-- input { [1i32, 2i32] } output { [2i32, 4i32] }
entry main (xs: []i32) : []i32 =
  let (a, _, _) = unzip3 (map (\x -> (x * 2, x / 3, x + 7)) xs)
  in a
