-- The sizes of slices.
-- ==
-- input { [1, 2, 3, 4] 1i64 } output { [2, 4] [3, 5] }
entry main [n] (xs: [n]i32) (i: i64) =
  (map2 (+) (take 2 xs) (copy xs[0:2]) |> map (\x -> x), map2 (+) xs[i:i + 2] xs[i:i + 2] |> map (\x -> x - 1))
