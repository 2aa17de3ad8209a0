-- Divisions that are the same in each iteration are done before the loop, which may not run.
-- ==
-- entry: columns
-- input { 2i64 [[1, 2, 3, 4], [5, 6, 7, 8]] } output { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] }
-- input { 3i64 [[1, 2, 3, 4], [5, 6, 7, 8]] } output { [[[1], [2], [3]], [[5], [6], [7]]] }
-- input { 0i64 empty([0][4]i32) } output { empty([0][0][1]i32) }
-- input { 0i64 [[1, 2, 3, 4], [5, 6, 7, 8]] } error: division by zero

-- ==
-- entry: remainders
-- input { 3i64 7 2 } output { 3 }
-- input { 0i64 7 0 } output { 0 }
-- input { 1i64 7 0 } error: division by zero
-- input { -5i64 7 0 } output { 0 }

-- ==
-- entry: widths
-- input { [1i64, 2i64] 6i64 2i64 } output { [6i64, 12i64] }
-- input { [1i64] 6i64 0i64 } error: division by zero
-- input { empty([0]i64) 6i64 0i64 } output { empty([0]i64) }

entry columns [n][m] (parts: i64) (xss: [n][m]i32) : ?[k][l].[n][k][l]i32 =
  let k = if n == 0 then 0 else parts
  let l = if parts == 0 && n == 0 then 1 else m / parts
  in map (\xs -> tabulate_2d k l (\i j -> xs[i * l + j])) xss

entry remainders (n: i64) (x: i32) (y: i32) : i32 = loop s = 0 for _i < n do s + x %% y

entry widths [n] (xs: [n]i64) (e: i64) (parts: i64) : [n]i64 =
  map (\x -> let w = e / parts in i64.sum (replicate (w * parts) x)) xs
