-- Products and sums of three sizes are taken apart as they are written.
-- ==
-- entry: three
-- input { 2i64 3i64 4i64 } output { 2i64 3i64 4i64 }

-- ==
-- entry: left
-- input { 2i64 3i64 4i64 } output { 6i64 4i64 }

-- ==
-- entry: mix
-- input { [1] [2] [3] [4] } output { [1,2] [3,4] }

-- ==
-- entry: sub
-- input { [1,2,3,4] } output { [2,3,4] }
entry three (n: i64) (m: i64) (k: i64) =
  let a : [n][m * k]i64 = unflatten (iota (n * (m * k)))
  let b = map unflatten a
  in (length b, length b[0], length b[0][0])
entry left (n: i64) (m: i64) (k: i64) =
  let a = unflatten (iota ((n * m) * k))
  in (length a, length a[0])
def halves [a][b] 't (xs: [a + b]t) : ([a]t, [b]t) = split xs
entry mix [p][q][r][s] (a: [p]i32) (b: [q]i32) (c: [r]i32) (d: [s]i32) : ([p + q]i32, [r + s]i32) = halves ((a ++ b) ++ (c ++ d))
def tl [n] 't (xs: [n]t) : [n - 1]t = xs[1:]
entry sub [n] (xs: [n]i32) : [n - 1]i32 = tl xs
