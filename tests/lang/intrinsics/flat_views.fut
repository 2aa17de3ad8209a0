-- Views of views, updates through them, in maps and loops, of empty arrays, and of copies.
-- ==
-- entry: diagonal
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[1, 5, 9]] [[3, 5, 7]] }

-- ==
-- entry: windows
-- input { [1, 2, 3, 4, 5] } output { [6, 9, 12] }

-- ==
-- entry: mapped
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] } output { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] }

-- ==
-- entry: swapped
-- input { [1, 2, 3, 4, 5, 6] } output { [4, 5, 6, 1, 2, 3] }

-- ==
-- entry: blocks
-- input { 4i64 } output { [0i64, 0i64, 1i64, 1i64, 0i64, 0i64, 1i64, 1i64, 2i64, 2i64, 3i64, 3i64, 2i64, 2i64, 3i64, 3i64] }

-- ==
-- entry: none
-- input { empty([0]i32) } error: out of bounds
-- input { [1] } output { empty([0][2]i32) }

entry diagonal [n] (xss: [n][n]i32) =
  let xs = flatten xss
  in ( intrinsics.flat_index_2d xs 0 1 0 n (n + 1)
     , intrinsics.flat_index_2d xs (n - 1) 1 0 n (n - 1) )

entry windows [n] (xs: [n]i32) =
  map i32.sum (intrinsics.flat_index_2d xs 0 (n - 2) 1 3 1)

entry mapped (xss: [][4]i32) =
  map (\xs -> intrinsics.flat_index_2d xs 0 2 2 2 1 :> [2][2]i32) xss

-- what is written is a copy of a view of the same array
entry swapped (xs: *[6]i32) =
  let v = copy (intrinsics.flat_index_2d xs 3 2 (-3) 3 1)
  in intrinsics.flat_update_2d xs 0 3 1 v

-- each block of a matrix in turn
entry blocks (n: i64) =
  loop a = replicate (n * n) 0 for b < 4 do
    intrinsics.flat_update_2d a (b / 2 * 2 * n + b % 2 * 2) n 1 (replicate 2 (replicate 2 b))

entry none (xs: []i32) = intrinsics.flat_index_2d xs 0 0 7 2 7
