-- Updates of histograms in kernels are indivisible: one for each scalar that the operator computes
-- on its own, one for values that it mixes; three times: for each kernel, for copies of blocks, and
-- for what these have gathered.
-- structure soac,gpu: loop.atomic 21, hist 0, withacc 0, upd_acc 0
-- ==
-- input { [3i32, 4i32, 5i32] [1i64, 0i64, 1i64] 2i64 }
-- output { [4i32, 8i32] [[4i32, 5i32], [8i32, 10i32]] [4i32, 5i32] [4i32, 8i32] [4i32, 3i32] [1i64, 0i64] [[4i32, 1i32], [8i32, 2i32]] }
entry main [n] (xs: [n]i32) (is: [n]i64) (k: i64) =
  let rows = map (\x -> map (+x) (map i32.i64 (iota k))) xs
  let (maxs, sums) = unzip (hist (\(a, i) (b, j) -> (i32.max a b, i + j)) (i32.lowest, 0) k is (zip xs xs))
  let (mins, places) = unzip (hist (\(a, i) (b, j) -> if a < b then (a, i) else (b, j))
                                   (i32.highest, 0) k is (zip xs (iota n)))
  in (hist (+) 0 k is xs, hist (map2 (+)) (replicate k 0) k is rows, maxs, sums, mins, places,
      hist (map2 (+)) [0, 0] k is (map (\x -> [x, 1]) xs))
