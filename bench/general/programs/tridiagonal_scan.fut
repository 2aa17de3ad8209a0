-- One tridiagonal system by scans: elimination is a recurrence of two by two matrices, both
-- substitutions are linear recurrences.
type m2 = (f64, f64, f64, f64)

-- Matrices matter up to a factor: all that are multiplied have the norm one.
def unit ((p, q, r, s): m2) : m2 =
  let n = f64.max (f64.abs p + f64.abs q) (f64.abs r + f64.abs s)
  in (p / n, q / n, r / n, s / n)

def mul ((a, b, c, d): m2) ((e, f, g, h): m2) : m2 =
  unit (e * a + f * c, e * b + f * d, g * a + h * c, g * b + h * d)

def linear [n] (a: [n]f64) (b: [n]f64) : [n]f64 =
  map (.1) (scan (\(a1, b1) (a2, b2) -> (a1 * a2, b1 * a2 + b2)) (1, 0) (zip a b))

entry primal [n] (lower: [n]f64) (diag: [n]f64) (upper: [n]f64) (rhs: [n]f64) (w: [n]f64) : f64 =
  let ratio =
    map (\i -> if i == 0 then (diag[0], 0, 1, 0) else (diag[i], -lower[i] * upper[i - 1], 1, 0)) (iota n)
  let pivots = map (\(a, b, c, d) -> (a + b) / (c + d)) (scan mul (1, 0, 0, 1) (map unit ratio))
  let factor = map (\i -> if i == 0 then 0 else -lower[i] / pivots[i - 1]) (iota n)
  let y = linear factor rhs
  let x = reverse (linear (reverse (map2 (\u p -> -u / p) upper pivots)) (reverse (map2 (/) y pivots)))
  in f64.sum (map2 (\v w -> v * w + v * v) x w)

entry gradient [n]
               (lower: [n]f64) (diag: [n]f64) (upper: [n]f64) (rhs: [n]f64) (w: [n]f64)
             : ([n]f64, [n]f64, [n]f64, [n]f64) =
  vjp (\(l, d, u, r) -> primal l d u r w) (lower, diag, upper, rhs) 1
