-- A map over flattened arrays whose results get their shape back is one in the rows that were flattened (simp_flat.c).
-- structure soac: screma 4, reshape 0
-- structure inline_calls,simplify,fuse: screma 4
-- ==
-- entry: one
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] } output { [[3f64, 5f64, 7f64], [9f64, 11f64, 13f64]] }
-- input { empty([0][3]f64) } output { empty([0][3]f64) }

-- ==
-- entry: two
-- input { [[1f64, 2f64], [4f64, 5f64]] [[3f64, 4f64], [5f64, 6f64]] }
-- output { [[6f64, 16f64], [40f64, 60f64]] [[-1f64, 0f64], [3f64, 4f64]] }

entry one [n][m] (a: [n][m]f64) : [n][m]f64 =
  unflatten (map (+ 1) (flatten (map (map (* 2)) a)))

entry two [n][m] (a: [n][m]f64) (b: [n][m]f64) : ([n][m]f64, [n][m]f64) =
  let (p, q) = unzip (map2 (\x y -> (x * y, x - y)) (flatten (map (map (* 2)) a)) (flatten b))
  in (unflatten p, unflatten q)
