-- Projection sections.
-- ==
-- input { [1, 2] [3, 4] } output { [1, 2] [4, 3] }
entry main (xs: []i32) (ys: []i32) =
  let rs = map2 (\a b -> {p = {q = a}, r = [b, b + 1]}) (xs :> [2]i32) (ys :> [2]i32)
  in (map (.p.q) rs, [(.r[1]) rs[0], (.[0].r[0]) rs])
