-- Strided views: element (i, j, ...) is at offset + i * s + j * t + ...
-- ==
-- entry: two
-- input { [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] 1i64 2i64 4i64 3i64 1i64 } output { [[1, 2, 3], [5, 6, 7]] }
-- input { [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] 9i64 2i64 -4i64 3i64 -1i64 } output { [[9, 8, 7], [5, 4, 3]] }
-- input { [0, 1, 2] 1i64 2i64 0i64 3i64 0i64 } output { [[1, 1, 1], [1, 1, 1]] }
-- input { [0, 1, 2] 0i64 2i64 100i64 0i64 5i64 } output { empty([2][0]i32) }
-- input { [0, 1, 2] 0i64 2i64 2i64 2i64 1i64 } error: out of bounds
-- input { [0, 1, 2] 1i64 2i64 1i64 2i64 -1i64 } output { [[1, 0], [2, 1]] }
-- input { [0, 1, 2] 1i64 2i64 1i64 2i64 -2i64 } error: out of bounds
-- input { [0, 1, 2] -1i64 1i64 1i64 1i64 1i64 } error: out of bounds
-- input { [0, 1, 2] 3i64 0i64 1i64 0i64 1i64 } error: out of bounds
-- input { [0, 1, 2] 0i64 4294967297i64 4294967296i64 1i64 1i64 } error: out of bounds
-- input { [0, 1, 2] 0i64 -1i64 1i64 1i64 1i64 } error: out of bounds

-- ==
-- entry: three
-- input { 24i64 } output { [[[0i64, 1i64], [4i64, 5i64], [8i64, 9i64]], [[12i64, 13i64], [16i64, 17i64], [20i64, 21i64]]] }

-- ==
-- entry: four
-- input { 30i64 } output { [[[[1i64, 0i64]], [[3i64, 2i64]]], [[[11i64, 10i64]], [[13i64, 12i64]]]] }

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4], [5, 6], [7, 8]] } output { [[[1, 2], [5, 6]], [[3, 4], [7, 8]]] }

-- ==
-- entry: pairs
-- input { [1, 2, 3, 4] } output { [[1, 3], [2, 4]] [[10, 30], [20, 40]] }

-- ==
-- entry: update
-- input { [0, 0, 0, 0, 0, 0] 1i64 3i64 1i64 [[1, 2], [3, 4]] } output { [0, 1, 2, 0, 3, 4] }
-- input { [0, 0, 0, 0, 0, 0] 5i64 -3i64 -1i64 [[1, 2], [3, 4]] } output { [0, 4, 3, 0, 2, 1] }
-- input { [0, 0, 0, 0, 0, 0] 2i64 3i64 1i64 [[1, 2], [3, 4]] } error: out of bounds
-- input { [0, 0, 0] 2i64 3i64 1i64 empty([0][3]i32) } output { [0, 0, 0] }

-- ==
-- entry: update_more
-- input { [0, 0, 0, 0, 0, 0, 0, 0] } output { [1, 5, 2, 6, 3, 7, 4, 8] [0, 1, 2, 0, 0, 0, 3, 4] }

-- ==
-- entry: derivatives
-- input { [1.0, 2.0, 3.0, 4.0] } output { [2.0, 8.0, 0.0, 8.0] [5.0, 5.0] [[2.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]] }

entry two (xs: []i32) o n s m t = intrinsics.flat_index_2d xs o n s m t

entry three n = intrinsics.flat_index_3d (iota n) 0 2 12 3 4 2 1

entry four n = intrinsics.flat_index_4d (iota n) 1 2 10 2 2 1 1 2 (-1)

entry rows (xss: [4][2]i32) = intrinsics.flat_index_2d xss 0 2 1 2 2

entry pairs (xs: []i32) =
  let ps = intrinsics.flat_index_2d (zip xs (map (* 10) xs)) 0 2 1 2 2
  in (map (map (.0)) ps, map (map (.1)) ps)

entry update (xs: *[]i32) o s t (v: [][]i32) = intrinsics.flat_update_2d xs o s t v

entry update_more (xs: []i32) =
  ( intrinsics.flat_update_3d (copy xs) 0 1 4 2 [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
  , intrinsics.flat_update_4d (copy xs) 1 5 5 1 1 [[[[1], [2]]], [[[3], [4]]]]
  )

-- element 1 is in the view twice, element 2 not at all
entry derivatives (xs: [4]f64) =
  let f (xs: [4]f64) =
    let v = intrinsics.flat_index_2d xs 0 2 1 2 1
    in v[0, 0] ** 2 + v[0, 1] ** 2 + v[1, 0] ** 2 + xs[3] ** 2
  let g (ys: [2]f64) =
    f64.sum (map2 (*) [1, 2, 3, 4] (intrinsics.flat_update_2d [0, 0, 0, 0] 0 3 1 [ys]))
    + f64.sum (map2 (*) [1, 1, 1, 1] (intrinsics.flat_update_2d [0, 0, 0, 0] 1 1 1 [map (* 3) ys]))
    + ys[0]
  let h = map (\i -> jvp (\x -> vjp f x 1) xs (map (\j -> f64.bool (i == j)) (iota 4))) (iota 4)
  in (vjp f xs 1, vjp g [1, 1] 1, h)
