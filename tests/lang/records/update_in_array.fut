-- Updating a field of an array element.
-- ==
-- input { [1, 2] [true, false] } output { [1, 9] [true, false] }
entry main [n] (xs: [n]i32) (bs: [n]bool) =
  let rs = map2 (\x b -> {x, b}) xs bs
  let rs = rs with [1].x = 9
  in (map (.x) rs, map (.b) rs)
