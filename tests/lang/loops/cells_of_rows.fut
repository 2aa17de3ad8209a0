-- Loops whose iterations update a few cells of their row: the same cells in all rows, one twice, parts of
-- rows, places that vary, cells that are read again, two arrays at once.
-- ==
-- entry: same
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 0i64 2i64 }
-- output { [[-2f64, 2f64, 4f64], [-2f64, 5f64, 10f64]] }
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 1i64 1i64 }
-- output { [[1f64, 4f64, 3f64], [4f64, 10f64, 6f64]] }
-- input { empty([0][3]f64) 0i64 2i64 } output { empty([0][3]f64) }
-- input { [[1f64, 2f64], [4f64, 5f64]] 0i64 2i64 } error: out of bounds

-- ==
-- entry: parts
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 1i64 }
-- output { [[3f64, 2f64, 6f64], [6f64, 5f64, 12f64]] }

-- ==
-- entry: varying
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] [2i64, 0i64] }
-- output { [[1f64, 2f64, 4f64], [8f64, 5f64, 6f64]] }

-- ==
-- entry: again
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 1i64 }
-- output { [[3f64, 2f64, 3f64], [9f64, 5f64, 6f64]] }

-- ==
-- entry: both
-- input { [[1f64, 2f64], [4f64, 5f64]] [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- output { [[2f64, 2f64], [5f64, 5f64]] [[1i64, 1i64, 3i64], [4i64, 4i64, 6i64]] }

-- ==
-- entry: gradient
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 0i64 2i64 }
-- output { [[8f64, 2f64, 4f64], [14f64, 2f64, 10f64]] }
entry same [n][m] (a: *[n][m]f64) (p: i64) (q: i64) : *[n][m]f64 =
  loop a for k < n do
    let x = a[k, p]
    let y = a[k, q]
    let a[k, p] = x - y
    let a[k, q] = x + y
    in a
entry parts [n][m] (a: *[n][m]f64) (p: i64) : *[n][m]f64 =
  loop a for k < n do
    let s = a[k, p:]
    let t = map (* 2) a[k, p + 1:]
    let a[k, 0] = s[m - p - 1]
    let a[k, p + 1:] = t
    in a
entry varying [n][m] (a: *[n][m]f64) (is: [n]i64) : *[n][m]f64 =
  loop a for k < n do a with [k, is[k]] = a[k, is[k]] + a[k, 0]
entry again [n][m] (a: *[n][m]f64) (p: i64) : *[n][m]f64 =
  loop a for k < n do
    let a[k, 0] = a[k, p]
    let a[k, 0] = a[k, 0] + a[k, p - 1] - a[k, p] + f64.i64 (k * 2)
    let a[k, 0] = a[k, 0] + f64.i64 (1 - k) * 1 + f64.i64 k * 2
    in a
entry both [n][m][l] (a: *[n][m]f64) (b: *[n][l]i64) : (*[n][m]f64, *[n][l]i64) =
  loop (a, b) for k < n do
    let x = b[k, 0]
    let y = a[k, 0]
    let a[k, 0] = y + 1
    let b[k, 1] = x
    in (a, b)
entry gradient [n][m] (a: [n][m]f64) (p: i64) (q: i64) : [n][m]f64 =
  vjp (\a -> let b = loop a = copy a for k < n do
               let x = a[k, p]
               let y = a[k, q]
               let a[k, p] = x * y
               let a[k, q] = x + y
               in a
             in f64.sum (map f64.sum (map (map (* 2)) b)))
      a 1
