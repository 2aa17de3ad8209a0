-- What no row runs does not fail: sums over dimensions without rows, in which indices would be out of bounds
-- and divisors zero.
-- ==
-- entry: parts pulled rows divided second
-- input { empty([0][2]f64) [1f64, 2f64] 3i64 3i64 } output { [0f64, 0f64] }
-- input { [[1f64, 2f64]] [1f64, 2f64] 3i64 3i64 } error: out of bounds|by zero

-- The place is computed.
def f [n][m][p] (v: [n][m]f64) (l: i64) (k: i64) (a: [p]f64) =
  f64.sum (map (\i -> f64.sum (map (\j -> v[i,0] * f64.sum (map (\t -> f64.i64 t * a[j]) (iota l))) (iota k)))
               (iota n))
entry parts [n][m][p] (v: [n][m]f64) (a: [p]f64) (l: i64) (k: i64) = vjp (f v l k) a 1

-- The place is the number of a row, the factor is read at one.
def g [n][m][p] (v: [n][m]f64) (b: []f64) (k: i64) (a: [p]f64) =
  f64.sum (map (\i -> f64.sum (map (\j -> f64.sum (map (\t -> v[i,t] * b[j+k] * a[j]) (iota m))) (iota p))) (iota n))
entry pulled [n][m][p] (v: [n][m]f64) (a: [p]f64) (l: i64) (k: i64) = vjp (g v a k) a (f64.i64 l / 3)

-- Rows of a matrix.
def h [n][m][p] (v: [n][m]f64) (b: [][]f64) (k: i64) (a: [p]f64) =
  f64.sum (map (\i -> f64.sum (map (\j -> let r = b[j+k] in f64.sum (map (\t -> v[i,t] * r[t] * a[j]) (iota m)))
                                   (iota p))) (iota n))
entry rows [n][m][p] (v: [n][m]f64) (a: [p]f64) (l: i64) (k: i64) = vjp (h v (replicate l a) k) a (f64.i64 l)

def q [n][m][p] (v: [n][m]f64) (k: i64) (a: [p]f64) =
  f64.sum (map (\i -> f64.sum (map (\j -> f64.sum (map (\t -> v[i,t] * f64.i64 (7 / (j + 3 - k)) * a[j]) (iota m)))
                                   (iota p))) (iota n))
entry divided [n][m][p] (v: [n][m]f64) (a: [p]f64) (l: i64) (k: i64) = vjp (q v k) a (f64.i64 l)

def s [n][m][p] (v: [n][m]f64) (b: []f64) (k: i64) (a: [p]f64) =
  map (\t -> f64.sum (map (\i -> f64.sum (map (\j -> v[i,t] * b[j+k] * a[j] * a[j]) (iota p))) (iota n))) (iota m)
entry second [n][m][p] (v: [n][m]f64) (a: [p]f64) (l: i64) (k: i64) =
  vjp (\b -> f64.sum (vjp (s v b k) a (replicate m (f64.i64 l)))) a 1
