-- Sums and products of sizes match as they are written.
-- ==
-- entry: main
-- input { 2i64 3i64 4i64 } output { 6i64 4i64 2i64 12i64 }

-- ==
-- entry: three
-- input { [1] [2, 3] [4] [5] } output { [1] [2, 3, 4, 5] [1, 2, 3, 4] [5] }

-- ==
-- entry: mixed
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] [6i64, 7i64] }

-- ==
-- entry: own
-- input { 2i64 } output { 2i64 3i64 }

-- ==
-- entry: flat3
-- input { [[[1, 2], [3, 4], [5, 6]]] } output { [[[1, 2], [3, 4], [5, 6]]] }

entry main (n: i64) (m: i64) (k: i64) =
  let a = unflatten (iota ((n * m) * k))
  let b = unflatten (iota (n * (m * k)))
  in (length a, length a[0], length b, length b[0])

def halves [a] [b] 't (xs: [a + b]t) : ([a]t, [b]t) = split xs

entry three [p][q][r][s] (w: [p]i32) (x: [q]i32) (y: [r]i32) (z: [s]i32) =
  let (a, b) = halves (w ++ (x ++ (y ++ z)))
  let (c, d) = halves (((w ++ x) ++ y) ++ z)
  in (a, b, c, d)

entry mixed (n: i64) (m: i64) =
  let (a, b) = halves (iota (n * m + n))
  in (unflatten a, b)

def dims [a] [b] (_: [a * (b + 1)]i64) = (a, b)

entry own (n: i64) = dims (iota (n * (3 + 1)))

entry flat3 [a][b][c] (x: [a][b][c]i32) : [a][b][c]i32 = unflatten_3d (flatten_3d x)
