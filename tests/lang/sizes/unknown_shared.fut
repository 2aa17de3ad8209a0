-- A bound unknown size is shared.
-- ==
-- input { [1i64, -2i64, 3i64] } output { [1i64, 3i64] [2i64, 4i64] 2i64 }
entry main (xs: []i64) =
  let ys = filter (> 0) xs
  let (a, b) = unzip (zip ys (map (+ 1) ys))
  in (a, b, length ys)
