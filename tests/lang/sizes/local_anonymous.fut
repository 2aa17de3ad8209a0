-- Local functions with anonymous sizes work at each size.
-- ==
-- input { [1i64, 2i64, 3i64] } output { 6i64 5i64 }
entry main (xs: []i64) =
  let total (ys: []i64) = reduce (+) 0 ys
  in (total xs, total (filter (> 1) xs))
