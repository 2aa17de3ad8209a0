-- A difference of what depends on different maps is computed where it is read: once the nest is
-- taken apart there is no kernel for it, and no array.
-- structure soac: screma 5
-- structure soac,delay: screma 4
-- ==
-- input { [[1f64, 2f64], [3f64, 5f64]] [[0f64, 1f64]] [[[1f64, 0f64], [1f64, 2f64]]] }
-- output { [[10f64], [130f64]] [[1f64], [4f64]] }
entry main [n][k][d] (xs: [n][d]f64) (ms: [k][d]f64) (qs: [k][d][d]f64) =
  let lengths = map (\x -> map2 (\m q -> let v = map2 (-) x m
                                        in f64.sum (map (\r -> let s = f64.sum (map2 (*) r v) in s * s) q)) ms qs) xs
  let last = map (\x -> map (\m -> let v = map2 (-) x m in v[d - 1]) ms) xs
  in (lengths, last)
