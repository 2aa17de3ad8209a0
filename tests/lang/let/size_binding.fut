-- Naming the size of a value.
-- ==
-- input { [1, -2, 3] } output { 2i64 [1i64, 1i64] }
entry main (xs: []i32) =
  let [k] (ys: [k]i32) = filter (> 0) xs
  in (k, map (\_ -> 1i64) ys)
