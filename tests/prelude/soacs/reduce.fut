-- Reductions.
-- ==
-- input { [1, 2, 3] } output { 6 6 3 }
-- input { empty([0]i32) } output { 0 1 -2147483648 }
entry main (xs: []i32) = (reduce (+) 0 xs, reduce (*) 1 xs, reduce i32.max i32.lowest xs)

-- ==
-- entry: order
-- input { [1, 2, 3] } output { 8 11 }
entry order (xs: []i32) =
  let after (a, b) (c, d) = (a * c, c * b + d)
  in reduce after (1, 0) (map (\x -> (2, x)) xs)

-- ==
-- entry: pairs
-- input { [3, 1, 2] } output { 1 1i64 }
entry pairs [n] (xs: [n]i32) =
  let smaller (a, i) (b, j) = if a < b || (a == b && i < j) then (a, i) else (b, j)
  in reduce smaller (i32.highest, -1) (zip xs (iota n))

-- ==
-- entry: vectors
-- input { [[1, 2], [3, 4], [5, 6]] } output { [9, 12] }
entry vectors [n][m] (xss: [n][m]i32) = reduce (map2 (+)) (replicate m 0) xss
