-- All shortest paths of a graph with smooth minima, one vertex after the other; the sum of distances.
def soft (t: f64) (a: f64) (b: f64) : f64 =
  let m = f64.min a b
  in m - t * f64.log1p (f64.exp (-(f64.abs (a - b)) / t))

entry primal [n] (length: [n][n]f64) (t: f64) : f64 =
  let d =
    loop d = length for k < n do
      tabulate_2d n n (\i j -> soft t d[i, j] (d[i, k] + d[k, j]))
  in f64.sum (map f64.sum d) / f64.i64 (n * n)

entry gradient [n] (length: [n][n]f64) (t: f64) : [n][n]f64 = vjp (\l -> primal l t) length 1
