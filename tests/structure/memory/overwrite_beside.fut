-- The old array is read beside the new one, in the same loop.
-- structure soac,c: alloc 1, copy 1
-- ==
-- input { [1i64, 2i64, 4i64] 3i64 } output { [26i64, 34i64, 50i64] 61i64 }
entry main [n] (xs: [n]i64) (k: i64) : ([n]i64, i64) =
  loop (xs, _d) = (xs, 0) for i < k do
    let ys = map (\x -> 2 * x + i + 2) xs
    in (ys, i64.sum (map2 (-) ys xs))
