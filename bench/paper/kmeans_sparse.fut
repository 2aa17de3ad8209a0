-- k-means of sparse points: row i has the values from starts[i] to before starts[i + 1], each in a
-- column.  Centres are dense.
def dot [d] (a: [d]f64) : f64 = f64.sum (map (\x -> x * x) a)

-- The square of the distance differs from that of the centre from zero in a few columns.
def distance2 [z][d] (values: [z]f64) (columns: [z]i32) (from: i64) (to: i64) (centre: [d]f64) (norm: f64) =
  norm + f64.sum (map2 (\x c -> x * (x - 2 * centre[c])) values[from:to] columns[from:to])

entry primal [z][m][k][d]
             (values: [z]f64) (columns: [z]i32) (starts: [m]i64) (centres: [k][d]f64) : f64 =
  let norms = map dot centres
  let cost i = f64.minimum (map2 (distance2 values columns starts[i] starts[i + 1]) centres norms)
  in f64.sum (tabulate (m - 1) cost)

-- The Hessian is diagonal, so that its product with ones is all of it.
entry direction [z][m][k][d]
                (values: [z]f64) (columns: [z]i32) (starts: [m]i64) (centres: [k][d]f64) : [k][d]f64 =
  let gradient c = vjp (primal values columns starts) c 1
  let (g, h) = jvp2 gradient centres (replicate k (replicate d 1))
  in map2 (map2 (/)) g h
