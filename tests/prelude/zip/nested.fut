-- Arrays of nested tuples and records.
-- ==
-- input { [1, 2] [3, 4] } output { [4, 6] [3, 4] }
entry main [n] (a: [n]i32) (b: [n]i32) =
  let rs = map2 (\x y -> {sum = x + y, parts = (x, y)}) a b
  in (map (.sum) rs, map (\r -> r.parts.1) rs)
